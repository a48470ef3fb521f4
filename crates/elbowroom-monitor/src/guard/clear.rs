//! Whether all that the arms may pass until they rest is clear, and how fast they may go on if it is.
//!
//! Two boxes of configurations are asked about, one within the other. The *near* one holds all that the
//! joints may pass if the arms are told to stop when the next state is due, or is noticed to be late. It must
//! be clear, or the arms are told now. The *far* one holds what they may pass if they go on for the
//! look-ahead at a multiple of their speed and stop then. The greatest multiple for which it is proved clear
//! is the speed that the guard permits, found by bisection: a smaller one has a smaller box, so what is
//! proved of one is proved of all below.
//!
//! Of an expected contact, what counts is not whether it happens but how fast. If it may happen in the near
//! box, the speed of one body against the other must not be above the limit there, at all velocities that are
//! measured now within their uncertainty; what a controller adds after that against the command is not in it.
//! In the far box the arms slow down as before a collision, but never below the contact speed. Bodies that
//! move apart are not slowed: their gap along its direction hardly falls in the box.
//!
//! The controller is told a part of the speed that it asks for, and the guard sees what the arms do. While
//! they are slowed, it takes the speed at which they were before for what is asked for; that fades in some
//! seconds ([`Asked`]).

use super::command::{Action, Category, Command, Kind, Reason};
use super::description::GuardDescription;
use super::joints::Joints;
use super::parts::Parts;
use crate::intent::Contact;
use elbowroom::motion::{OpenPair, PairWork, RangeAnswer, RangeChecker, RangeOptions};
use elbowroom::pair::Geometry;
use elbowroom::pose::SetOptions;
use elbowroom::world::BodyPair;
use elbowroom::{Checker, World};

/// How often the boxes are halved for a pair: enough to tell two millimetres of gap from four.
const HALVINGS: u32 = 12;
/// Multiples that are tried: without a guess it is found to within a sixty-fourth.
const BISECTIONS: u32 = 6;
/// Most pairs asked again in halves of a box: of the near one, whose open pairs stop the arms; of the far
/// one; and for each speed that is tried. Beyond them a pair counts as open: the arms slow down a little
/// earlier. Of simulated motions that stay clear no more are stopped than with four times as many.
const WORK: [u32; 3] = [64, 32, 16];
/// The greatest multiple of the present speed that is asked about.
const FASTEST: f64 = 8.0;
/// What counts as not coming nearer (m): a tenth of a millimetre, as arms repeat a position.
const APART: f64 = 1e-4;
/// Below this part of the speed that was asked for, arms come to rest by themselves: what their speed is
/// multiplied by then says little, and the part that was permitted stays.
const SLOW: f64 = 0.01;
/// Most open pairs that are judged; with more of them the arms stop.
const OPEN: usize = 256;
/// How fast the speed that was asked for fades (1/s).
const FADE: f64 = 0.3;

/// Lowest and highest values of all joints.
type Ends = [Vec<f64>; 2];

/// What a pair that is not proved clear means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// The task does not mean a contact of the two.
    Forbidden,
    /// The operator decides.
    Asked,
    /// The task means it.
    Meant,
    /// The same, and the two move apart.
    Leaving,
}

/// The questions to ask, and scratch.
#[derive(Clone, Debug)]
pub(super) struct Clear<'w> {
    ranges: RangeChecker<'w>,
    /// The same world, asked about people alone, with another margin.
    people: Option<RangeChecker<'w>>,
    options: RangeOptions,
    here: Ends,
    near: Ends,
    far: Ends,
    velocities: Ends,
    /// The pairs that are open in the far box.
    open: Vec<(OpenPair, Class)>,
    people_near: bool,
    asked: Asked,
    /// The speed that was found last, as [`Joints::speed`] counts.
    found: f64,
}

/// The speed that the controller asks for, as far as the guard can see it.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    /// The greatest of all velocities, each as a part of its limit.
    speed: f64,
    t: f64,
}

/// What a question is about.
#[derive(Clone, Copy)]
pub(super) struct Now<'a> {
    pub d: &'a GuardDescription,
    pub joints: &'a Joints,
    pub parts: &'a Parts,
    /// The time (s), and the part of the speed that the last command permitted.
    pub t: f64,
    pub permitted: f64,
}

/// What a contact is that the task does not mean.
fn forbidden(now: &Now, pair: BodyPair) -> Kind {
    if now.parts.is_zone(pair.a) || now.parts.is_zone(pair.b) { Kind::Zone } else { Kind::Collision }
}

/// Stops if it was not reported in time where people are.
fn listen(now: &Now, command: &mut Command) {
    let Some(people) = &now.d.people else { return };
    for body in &people.bodies {
        let age = now.parts.unseen_for(*body);
        if !(age <= people.late) {
            let reason = Reason::new(Kind::Unseen).of_pair(BodyPair { a: *body, b: *body });
            command.stop(Category::One, reason.beyond(age, people.late));
        }
    }
}

fn ends(ends: &Ends) -> [&[f64]; 2] {
    [&ends[0], &ends[1]]
}

impl<'w> Clear<'w> {
    pub fn new(world: &'w World, d: &GuardDescription) -> Clear<'w> {
        let numbers = || vec![0.0; world.value_names().len()];
        let options = RangeOptions {
            margin: Some(d.clearance),
            geometry: Geometry::Mesh,
            set: SetOptions { ignore_limits: true },
            halvings: HALVINGS,
            work: WORK[0],
            ..RangeOptions::default()
        };
        let people = d.people.as_ref().filter(|people| !people.bodies.is_empty());
        Clear {
            ranges: RangeChecker::new(world),
            people: people.map(|_| RangeChecker::new(world)),
            options,
            here: [numbers(), numbers()],
            near: [numbers(), numbers()],
            far: [numbers(), numbers()],
            velocities: [numbers(), numbers()],
            open: Vec::with_capacity(OPEN),
            people_near: false,
            asked: Asked::default(),
            found: 0.0,
        }
    }

    /// Takes over what was changed in the world.
    pub fn take_places(&mut self, checker: &Checker) {
        self.ranges.take_places(checker);
        if let Some(people) = &mut self.people {
            people.take_places(checker);
        }
    }

    /// Judges all that the arms may pass.
    pub fn judge(&mut self, now: Now, command: &mut Command) {
        listen(&now, command);
        if let Some(value) = now.joints.ranges((0.0, 0.0), &mut self.near) {
            command.stop(Category::Zero, Reason::new(Kind::Unbounded).of_value(value));
            return;
        }
        now.joints.position_ranges(&mut self.here);
        now.joints.velocity_ranges(&mut self.velocities);
        if let Some((value, reached, end)) = now.joints.beyond(&self.near) {
            let reason = Reason::new(Kind::Range).of_value(value).beyond(reached, end);
            command.stop(Category::One, reason);
        }
        let speed = now.joints.speed();
        let multiple = self.asked.see(speed, now);
        // Most often everything is clear at full speed, and one question decides.
        let unbounded = now.joints.ranges((now.d.look_ahead, multiple), &mut self.far);
        if unbounded.is_some() {
            for (far, near) in self.far.iter_mut().zip(&self.near) {
                far.copy_from_slice(near);
            }
        }
        if !self.find_open(now, command) {
            return;
        }
        self.judge_near(now, command);
        self.judge_people(now, command);
        self.judge_speeds(now, command);
        let limit = now.joints.beyond(&self.far);
        let slowed = unbounded.is_some() || limit.is_some() || self.people_near || !self.open.is_empty();
        if slowed && command.action != Action::Stop {
            let (factor, reason) = self.slowest(now, multiple, command);
            let of_asked = speed / self.asked.speed.max(speed);
            let asked = if of_asked > SLOW { factor * of_asked } else { now.permitted };
            let whole = factor >= multiple || !asked.is_finite();
            if !whole {
                command.slow(asked, reason);
            }
        }
    }

    /// Finds the pairs that are open in the far box. False if nothing is proved there: the arms stop.
    fn find_open(&mut self, now: Now, command: &mut Command) -> bool {
        self.open.clear();
        let work = |pair| now.parts.work(pair);
        let options = RangeOptions { work: WORK[1], ..self.options };
        let answer = self.ranges.check(ends(&self.far), &options, work);
        let complete = match &answer {
            Ok(RangeAnswer { complete, open }) => *complete && open.len() <= OPEN,
            Err(_) => false,
        };
        if let (true, Ok(answer)) = (complete, &answer) {
            self.open.extend(answer.open.iter().map(|open| {
                let class = match now.parts.contact(open.pair).0 {
                    Contact::Expected => Class::Meant,
                    Contact::Collision => Class::Forbidden,
                    Contact::Ask => Class::Asked,
                };
                (*open, class)
            }));
        } else {
            command.stop(Category::One, Reason::new(Kind::Unproved));
        }
        self.count(command);
        for k in 0..self.open.len() {
            let Some((OpenPair { pair, .. }, Class::Meant)) = self.open.get(k).copied() else { continue };
            if self.leaves(pair)
                && let Some((_, class)) = self.open.get_mut(k)
            {
                *class = Class::Leaving;
            }
        }
        complete
    }

    /// Whether two bodies surely do not come nearer to each other in the near box.
    fn leaves(&mut self, pair: BodyPair) -> bool {
        let here = [ends(&self.here), ends(&self.near)];
        let [here, near] = here.map(|ends| self.ranges.least_along(ends, pair));
        matches!((here, near), (Ok(here), Ok(near)) if near >= here - APART)
    }

    /// Stops for what may happen even if the arms are told to stop at the next state.
    fn judge_near(&mut self, now: Now, command: &mut Command) {
        if self.open.is_empty() {
            return;
        }
        let work = |pair| now.parts.work(pair);
        // Whatever is not open in the near box cannot happen yet.
        let mut touching = [None; 4];
        match self.ranges.narrowed(ends(&self.near), &self.options, work) {
            Ok(RangeAnswer { open, complete: true }) => {
                for open in open {
                    let class = self.open.iter().find(|(other, _)| other.pair == open.pair);
                    let class = class.map_or(Class::Forbidden, |(_, class)| *class);
                    let says = now.parts.contact(open.pair).1;
                    let reason = |kind| {
                        let known = if open.upper < f64::INFINITY { open.upper } else { open.lower };
                        Reason::new(kind).of_pair(open.pair).beyond(known, now.d.clearance).saying(says)
                    };
                    match class {
                        Class::Forbidden => {
                            command.stop(Category::One, reason(forbidden(&now, open.pair)));
                        }
                        Class::Asked => {
                            command.ask = command.ask.or(Some(open.pair));
                            command.stop(Category::Two, reason(Kind::Ask));
                        }
                        Class::Meant => match touching.iter_mut().find(|place| place.is_none()) {
                            Some(place) => *place = Some((open.pair, says)),
                            None => command.stop(Category::One, reason(Kind::ContactSpeed)),
                        },
                        Class::Leaving => {}
                    }
                }
            }
            Ok(_) | Err(_) => command.stop(Category::One, Reason::new(Kind::Unproved)),
        }
        self.count(command);
        for (pair, says) in touching.into_iter().flatten() {
            let speed = self.speed_of(pair.a, Some(pair.b));
            if !(speed <= now.d.contact_speed) {
                let reason = Reason::new(Kind::ContactSpeed).of_pair(pair).saying(says);
                command.stop(Category::One, reason.beyond(speed, now.d.contact_speed));
            }
        }
    }

    fn speed_of(&mut self, of: elbowroom::world::BodyId, against: Option<elbowroom::world::BodyId>) -> f64 {
        let speed = self.ranges.speed(ends(&self.near), ends(&self.velocities), of, against);
        speed.unwrap_or(f64::INFINITY)
    }

    /// Keeps people apart from all that the arms may pass.
    fn judge_people(&mut self, now: Now, command: &mut Command) {
        self.people_near = false;
        let (Some(checker), Some(people)) = (&mut self.people, &now.d.people) else { return };
        let separation = people.separation().next_up();
        let wide = separation.max(people.near);
        let wide = RangeOptions { margin: Some(wide), work: WORK[1], ..self.options };
        let work = |pair| now.parts.work_of_people(pair);
        let near = checker.check(ends(&self.far), &wide, work);
        self.people_near = !near.is_ok_and(|answer| answer.is_free());
        if !self.people_near {
            return;
        }
        let options = RangeOptions { margin: Some(separation), ..self.options };
        match checker.narrowed(ends(&self.near), &options, work) {
            Ok(answer) if answer.is_free() => {}
            Ok(RangeAnswer { open: [open, ..], complete: true }) => {
                let reason = Reason::new(Kind::Separation).of_pair(open.pair);
                command.stop(Category::One, reason.beyond(open.lower, separation));
            }
            Ok(_) | Err(_) => command.stop(Category::One, Reason::new(Kind::Unproved)),
        }
    }

    /// Slows down bodies that are faster than their limits.
    fn judge_speeds(&mut self, now: Now, command: &mut Command) {
        for limit in &now.d.speed_limits {
            if limit.people_near && !self.people_near {
                continue;
            }
            let speed = self.speed_of(limit.body, None);
            if !(speed <= limit.most) {
                let pair = BodyPair { a: limit.body, b: limit.body };
                let reason = Reason::new(Kind::BodySpeed).of_pair(pair).beyond(speed, limit.most);
                let present = now.joints.speed();
                let part = limit.most / speed * present / self.asked.speed.max(present);
                command.slow(if part.is_finite() { part } else { 0.0 }, reason);
            }
        }
    }

    /// The greatest multiple of the present speed that is proved clear, up to `most`, and what is in the way
    /// of a greater one.
    fn slowest(&mut self, now: Now, most: f64, command: &mut Command) -> (f64, Reason) {
        let mut floor = f64::INFINITY;
        let mut meant = None;
        for k in 0..self.open.len() {
            if let Some((OpenPair { pair, .. }, Class::Meant)) = self.open.get(k).copied() {
                let part = now.d.contact_speed / self.speed_of(pair.a, Some(pair.b));
                if part < floor {
                    let says = now.parts.contact(pair).1;
                    let reason = Reason::new(Kind::ContactSpeed).of_pair(pair).saying(says);
                    (floor, meant) =
                        (part, Some(reason.beyond(now.d.contact_speed / part, now.d.contact_speed)));
                }
            }
        }
        let Some(meant) = meant else { return self.bisect(now, most, false, command) };
        let (of_all, reason) = self.bisect(now, most.min(1.0_f64.max(floor)), true, command);
        if of_all >= floor || of_all >= most {
            return (of_all, reason);
        }
        // Only expected contacts are nearer: the contact speed is enough for them.
        let (others, reason) = self.bisect(now, most, false, command);
        if others < floor { (others, reason) } else { (floor.min(most), meant) }
    }

    fn bisect(&mut self, now: Now, most: f64, meant: bool, command: &mut Command) -> (f64, Reason) {
        let mut reason = Reason::new(Kind::Unproved);
        match self.in_the_way(now, most, meant, command) {
            None => return (most, reason),
            Some(found) => reason = found,
        }
        let (mut low, mut high) = (0.0, most);
        let width = most * 0.5_f64.powi(BISECTIONS as i32);
        let speed = now.joints.speed();
        // Most often it is near what it was in the step before.
        let guess = self.found / speed;
        let mut probes = [guess + width, guess - width].into_iter().filter(|probe| *probe > 0.0);
        for _ in 0..BISECTIONS {
            if high - low <= width {
                break;
            }
            let probe = probes.find(|probe| low < *probe && *probe < high);
            let middle = probe.unwrap_or(0.5 * (low + high));
            match self.in_the_way(now, middle, meant, command) {
                None => low = middle,
                Some(found) => (high, reason) = (middle, found),
            }
        }
        self.found = low * speed;
        (low, reason)
    }

    /// What is not proved clear if the arms go on at a multiple of their speed.
    fn in_the_way(&mut self, now: Now, multiple: f64, meant: bool, command: &mut Command) -> Option<Reason> {
        if let Some(value) = now.joints.ranges((now.d.look_ahead, multiple), &mut self.far) {
            return Some(Reason::new(Kind::Unbounded).of_value(value));
        }
        if let Some((value, reached, end)) = now.joints.beyond(&self.far) {
            return Some(Reason::new(Kind::Range).of_value(value).beyond(reached, end));
        }
        if let (Some(checker), Some(people)) = (&mut self.people, &now.d.people) {
            let separation = people.separation().next_up();
            let options = RangeOptions { margin: Some(separation), work: WORK[2], ..self.options };
            match checker.narrowed(ends(&self.far), &options, |pair| now.parts.work_of_people(pair)) {
                Ok(answer) if answer.is_free() => {}
                Ok(RangeAnswer { open: [open, ..], .. }) => {
                    let reason = Reason::new(Kind::Separation).of_pair(open.pair);
                    return Some(reason.beyond(open.lower, separation));
                }
                Ok(_) | Err(_) => return Some(Reason::new(Kind::Unproved)),
            }
        }
        let counted = |pair: BodyPair| {
            let class = self.open.iter().find(|(open, _)| open.pair == pair).map(|(_, class)| *class);
            match class {
                Some(Class::Leaving) => false,
                Some(Class::Meant) => meant,
                Some(Class::Forbidden | Class::Asked) | None => true,
            }
        };
        let work = |pair| if counted(pair) { now.parts.work(pair) } else { PairWork::Skip };
        // One open pair is enough.
        let options = RangeOptions { until_open: true, work: WORK[2], ..self.options };
        let answer = self.ranges.narrowed(ends(&self.far), &options, work);
        let found = match &answer {
            Ok(answer) if answer.is_free() => None,
            Ok(RangeAnswer { open: [open, ..], .. }) => {
                let (contact, says) = now.parts.contact(open.pair);
                let kind = match contact {
                    Contact::Expected => Kind::ContactSpeed,
                    Contact::Collision => forbidden(&now, open.pair),
                    Contact::Ask => Kind::Ask,
                };
                let reason = Reason::new(kind).of_pair(open.pair).saying(says);
                Some(reason.beyond(open.upper.min(1e6), now.d.clearance))
            }
            Ok(_) | Err(_) => Some(Reason::new(Kind::Unproved)),
        };
        self.count(command);
        found
    }

    fn count(&self, command: &mut Command) {
        let counts = self.ranges.counts();
        command.work.ranges += 1;
        command.work.pairs += counts.asked + counts.again;
        command.work.shapes += counts.shape_queries as u32;
    }
}

impl Asked {
    /// Sees the present speed; returns the multiple of it that was asked for.
    fn see(&mut self, speed: f64, now: Now) -> f64 {
        let dt = (now.t - self.t).max(0.0);
        self.t = now.t;
        let full = now.permitted >= 1.0;
        self.speed = if full { speed } else { speed.max(self.speed - self.speed * (FADE * dt).min(1.0)) };
        if speed > 0.0 { (self.speed / speed).clamp(1.0, FASTEST) } else { 1.0 }
    }
}
