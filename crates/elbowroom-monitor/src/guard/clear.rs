//! Whether all that the arms may pass until they rest is clear, and how fast they may go on if it is.
//!
//! Two boxes of configurations are asked about, one within the other. The *near* one holds all that the
//! joints may pass if the arms are told to stop when the next state is due, or is noticed to be late. It must
//! be clear, or the arms are told now. The *far* one holds what they may pass if they go on for the
//! look-ahead at a part of the speed that is asked for, and stop then. The greatest part for which it is
//! proved clear is what the guard permits, found by bisection: a smaller one has a smaller box, so what is
//! proved of one is proved of all below. What is asked for is told by the controller, or guessed from how
//! fast the arms were before they were slowed.
//!
//! For an expected contact, its speed matters, not the contact itself. If it may happen in the near box,
//! the speed of one body against the other must not be above the limit there, at all velocities that are
//! measured now within their uncertainty; what a controller adds after that against the command is not in it.
//! In the far box the arms slow down as before a collision, but never below the contact speed. Bodies that
//! move apart are not slowed: their gap along its direction hardly falls in the box.
//!
//! Contact on pads is expected too, if no task intends another one of the two bodies: at the contact speed at
//! most. But with the pads drawn back, the clearance must stay free between the two in the near box, or the
//! arms are told to stop now. The far box is chosen so that it does ([`super::padded`]).

use super::asked::Asked;
use super::command::{Action, Category, Command, Reason, ReasonKind};
use super::description::GuardDescription;
use super::joints::Joints;
use super::limit_pace::LimitPace;
use super::now::{self, Ends, Now, WORK, range_ends};
use super::parts::Parts;
use super::people::People;
use crate::intent::Contact;
use elbowroom::motion::{MotionChecker, OpenPair, PairWork, RangeAnswer, RangeOptions};
use elbowroom::world::{BodyId, BodyPair};
use elbowroom::{Checker, World};

/// What counts as not coming nearer (m): a tenth of a millimetre, as arms repeat a position.
const APART: f64 = 1e-4;
/// Why nothing is proved where everything is hidden.
pub(super) const NO_PAIR: &str =
    "no pair of bodies is checked now, and where nothing is checked nothing is proved";
/// The part of the speed below which arms wait for what is in their way.
const WAITING: f64 = 0.1;
/// How often the speed is halved until the brakes are known.
const HALVES: u32 = 10;
/// Most open pairs that are judged; with more of them the arms stop.
const OPEN: usize = 256;

/// What is said of contact on a pad.
pub(super) const PADDED: &str = "a pad gives way there, and contact on it is expected";

/// The box of configurations that is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PressBox {
    /// What the arms may pass if they are told to stop when the next state is due.
    Near,
    /// What they may pass if they go on.
    Far,
}

/// What a pair that is not proved clear means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// The task does not mean a contact of the two.
    Forbidden,
    /// The operator decides.
    Asked,
    /// The task means it.
    Meant,
    /// The task means it, and the two move apart.
    Leaving,
    /// The task does not mean it, but one of the two has a pad that gives way.
    Padded,
}

impl Class {
    /// Whether only the speed of a contact matters, or how deep it presses.
    pub(super) fn is_slow_contact(self) -> bool {
        matches!(self, Class::Meant | Class::Padded)
    }
}

/// The questions to ask, and scratch.
#[derive(Clone, Debug)]
pub(super) struct Clear<'w> {
    pub(super) ranges: MotionChecker<'w>,
    /// In the world with its pads drawn back, if there are any.
    pub(super) drawn_back: Option<MotionChecker<'w>>,
    pub(super) people: Option<People<'w>>,
    here: Ends,
    pub(super) near: Ends,
    pub(super) far: Ends,
    velocities: Ends,
    /// The velocities that are asked for, or their errors.
    pub(super) going: Ends,
    /// The pairs that are open in the far box.
    pub(super) open: Vec<(OpenPair, Class)>,
    /// The expected contacts that may happen in the near box, and the sentences that decide.
    touching: Vec<(BodyPair, &'static str)>,
    pub(super) asked: Asked,
    /// The parts of the speed that were found last: without expected contacts, and with them.
    pub(super) found: (f64, f64),
    /// By speed limit.
    pub(super) paces: Vec<LimitPace>,
}

/// The sentence that decides about a contact.
pub(super) fn contact_words(now: &Now, pair: BodyPair) -> &'static str {
    match now.parts.pad_depth(pair) {
        Some(_) => PADDED,
        None => now.parts.contact_verdict(pair).1,
    }
}

/// What a contact is that the task does not mean.
pub(super) fn unmeant_contact_kind(now: &Now, pair: BodyPair) -> ReasonKind {
    if now.parts.is_zone(pair.a) || now.parts.is_zone(pair.b) {
        ReasonKind::Zone
    } else {
        ReasonKind::Collision
    }
}

impl<'w> Clear<'w> {
    pub fn new(world: &'w World, d: &GuardDescription) -> Clear<'w> {
        let numbers = || vec![0.0; world.dof_names().len()];
        let people = d.people.as_ref().filter(|people| !people.bodies.is_empty());
        Clear {
            ranges: MotionChecker::for_ranges(world),
            drawn_back: world.drawn_back().map(MotionChecker::for_ranges),
            people: people.map(|people| People::new(world, people)),
            here: [numbers(), numbers()],
            near: [numbers(), numbers()],
            far: [numbers(), numbers()],
            velocities: [numbers(), numbers()],
            going: [numbers(), numbers()],
            open: Vec::with_capacity(OPEN),
            touching: Vec::with_capacity(OPEN),
            asked: Asked::default(),
            found: (0.0, 0.0),
            paces: vec![LimitPace::default(); d.speed_limits.len()],
        }
    }

    /// Takes over what was changed in the world.
    pub fn copy_state_from(&mut self, checker: &Checker) {
        self.ranges.copy_state_from(checker);
        if let Some(drawn_back) = &mut self.drawn_back {
            drawn_back.copy_state_from(checker);
        }
        if let Some(people) = &mut self.people {
            people.copy_state_from(checker);
        }
    }

    /// Ends the excuses of pairs that are proved to be farther apart than what must stay free: now, for a
    /// contact that begins to be excused. One that was ends where they are farther apart by the grasp range
    /// in the near box, so that bodies that part are not stopped while they do. Where nothing is proved
    /// excuses end too: the pairs are judged as all others.
    /// Returns whether it asked.
    pub fn keep_excused(&mut self, joints: &Joints, parts: &mut Parts, d: &GuardDescription) -> bool {
        let begins = parts.are_unseen();
        let asked = if begins { &mut self.here } else { &mut self.near };
        if begins {
            joints.position_ranges(asked);
        } else if joints.fill_near_box(asked).is_some() {
            return false;
        }
        let asked = range_ends(asked);
        let margin = if begins { d.clearance } else { d.clearance + d.grasp_range };
        let options = RangeOptions { halvings: 0, ..now::range_options(d).margin(margin) };
        let excused = parts.excused_pairs();
        let work = |pair| if excused.contains(&pair) { PairWork::Once } else { PairWork::Skip };
        let answer = self.ranges.check_ranges(asked, &options, work);
        let open =
            answer.as_ref().ok().filter(|answer| answer.complete).map_or(&[][..], |answer| answer.open);
        parts.keep_excused(|pair| open.iter().any(|open| open.pair == pair));
        true
    }

    /// Judges all that the arms may pass.
    pub fn judge_clearance(&mut self, now: Now, command: &mut Command) {
        if let Some(people) = &self.people {
            people.check_reports(now, command);
        }
        if let Some(value) = now.joints.fill_near_box(&mut self.near) {
            command.stop_for(Category::Zero, Reason::new(ReasonKind::Unbounded).of_value(value));
            return;
        }
        now.joints.position_ranges(&mut self.here);
        now.joints.velocity_ranges(&mut self.velocities);
        if let Some((value, reached, end)) = now.joints.value_beyond_range(None) {
            let reason = Reason::new(ReasonKind::Range).of_value(value).with_limit(reached, end);
            command.stop_for(Category::One, reason);
        }
        self.asked.note_present_speed(now);
        // Most often everything is clear at full speed, and one question decides.
        let mut whole = self.asked.pace_at_part(1.0);
        let first = now.joints.fill_far_box((now.d.look_ahead, whole), &mut self.far);
        // Nothing may be known of brakes at such a speed, but at a smaller one.
        let mut unbounded = first;
        for _ in 0..HALVES {
            if unbounded.is_none() {
                break;
            }
            whole = self.asked.pace_at_part(0.5 * whole.part);
            unbounded = now.joints.fill_far_box((now.d.look_ahead, whole), &mut self.far);
        }
        let top = if unbounded.is_some() { 0.0 } else { whole.part };
        if unbounded.is_some() {
            for (far, near) in self.far.iter_mut().zip(&self.near) {
                far.copy_from_slice(near);
            }
        }
        if !self.find_open(now, command) {
            return;
        }
        self.judge_near(now, command);
        if let Some(people) = &mut self.people {
            people.judge_separation(now, range_ends(&self.far), range_ends(&self.near), command);
        }
        self.judge_speeds(now, command);
        let limit = now.joints.value_beyond_range(Some((now.d.look_ahead, whole)));
        let slowed = first.is_some() || limit.is_some() || self.are_people_near() || !self.open.is_empty();
        if slowed && command.action != Action::Stop {
            let (part, reason) = self.find_fastest_part(now, (top, first), command);
            let part = self.asked.part_to_tell(part, now);
            if part < 1.0 {
                command.slow_for(part, reason);
            }
            // Arms that obey stand still before the contact. Only an answer of the operator lets them go on.
            if reason.kind == ReasonKind::Ask && part < WAITING {
                command.ask = command.ask.or(reason.pair);
                command.stop_for(Category::Two, reason);
            }
        }
    }

    /// Finds the pairs that are open in the far box. False if nothing is proved there: the arms stop.
    fn find_open(&mut self, now: Now, command: &mut Command) -> bool {
        self.open.clear();
        let work = |pair| now.parts.pair_work(pair);
        let options = RangeOptions { work: WORK[1], ..now.options };
        let answer = self.ranges.check_ranges(range_ends(&self.far), &options, work);
        let complete = match &answer {
            Ok(RangeAnswer { complete, open }) => *complete && open.len() <= OPEN,
            Err(_) => false,
        };
        if let (true, Ok(answer)) = (complete, &answer) {
            self.open.extend(answer.open.iter().map(|open| {
                let class = match now.parts.contact_verdict(open.pair).0 {
                    Contact::Expected => Class::Meant,
                    Contact::Collision if now.parts.pad_depth(open.pair).is_some() => Class::Padded,
                    Contact::Collision => Class::Forbidden,
                    Contact::Ask => Class::Asked,
                };
                (*open, class)
            }));
        } else {
            let reason = Reason::new(ReasonKind::Unproved);
            command.stop_for(
                Category::One,
                if command.pair.is_none() { reason.with_words(NO_PAIR) } else { reason },
            );
        }
        command.work.add(&self.ranges);
        for k in 0..self.open.len() {
            let Some((OpenPair { pair, .. }, class)) = self.open.get(k).copied() else { continue };
            if !class.is_slow_contact() {
                continue;
            }
            command.work.motions += 1;
            if self.moves_apart(pair, now.d.clearance)
                && let Some((_, class)) = self.open.get_mut(k)
            {
                *class = Class::Leaving;
            }
        }
        complete
    }

    /// Whether two bodies surely do not come nearer to each other in the near box, but for shapes of theirs
    /// that are apart in the far one.
    fn moves_apart(&mut self, pair: BodyPair, clearance: f64) -> bool {
        let boxes = [range_ends(&self.here), range_ends(&self.near), range_ends(&self.far)];
        self.ranges.keeps_away(boxes, pair, [clearance, APART]).unwrap_or(false)
    }

    /// Nothing is remembered of the steps before.
    pub fn forget_answers(&mut self) {
        self.ranges.forget_history();
        if let Some(drawn_back) = &mut self.drawn_back {
            drawn_back.forget_history();
        }
        if let Some(people) = &mut self.people {
            people.forget_answers();
        }
        (self.asked, self.found) = (Asked::default(), (0.0, 0.0));
        self.paces.fill(LimitPace::default());
    }

    /// Stops for what may happen even if the arms are told to stop at the next state.
    fn judge_near(&mut self, now: Now, command: &mut Command) {
        if self.open.is_empty() {
            return;
        }
        let work = |pair| now.parts.pair_work(pair);
        // Whatever is not open in the near box cannot happen yet.
        self.touching.clear();
        match self.ranges.check_narrower_ranges(range_ends(&self.near), &now.options, work) {
            Ok(RangeAnswer { open, complete: true }) => {
                for open in open {
                    let class = self.open.iter().find(|(other, _)| other.pair == open.pair);
                    let class = class.map_or(Class::Forbidden, |(_, class)| *class);
                    let says = contact_words(&now, open.pair);
                    let reason = |kind| {
                        let known = if open.upper < f64::INFINITY { open.upper } else { open.lower };
                        Reason::new(kind)
                            .of_pair(open.pair)
                            .with_limit(known, now.d.clearance)
                            .with_words(says)
                    };
                    match class {
                        Class::Forbidden => {
                            command.stop_for(Category::One, reason(unmeant_contact_kind(&now, open.pair)));
                        }
                        Class::Asked => {
                            command.ask = command.ask.or(Some(open.pair));
                            command.stop_for(Category::Two, reason(ReasonKind::Ask));
                        }
                        // No more are open than in the far box, for which there is room.
                        Class::Meant | Class::Padded if self.touching.len() < OPEN => {
                            self.touching.push((open.pair, says));
                        }
                        Class::Meant | Class::Padded => {
                            command.stop_for(Category::One, reason(ReasonKind::ContactSpeed));
                        }
                        Class::Leaving => {}
                    }
                }
            }
            Ok(_) | Err(_) => command.stop_for(Category::One, Reason::new(ReasonKind::Unproved)),
        }
        command.work.add(&self.ranges);
        if let Some(reason) = self.find_deep_press(now, PressBox::Near, command) {
            command.stop_for(Category::One, reason);
        }
        for k in 0..self.touching.len() {
            let Some((pair, says)) = self.touching.get(k).copied() else { continue };
            command.work.motions += 1;
            let speed = self.speed_of(pair.a, Some(pair.b));
            if !(speed <= now.d.contact_speed) {
                let reason = Reason::new(ReasonKind::ContactSpeed).of_pair(pair).with_words(says);
                command.stop_for(Category::One, reason.with_limit(speed, now.d.contact_speed));
            }
        }
    }

    pub(super) fn are_people_near(&self) -> bool {
        self.people.as_ref().is_some_and(People::are_near)
    }

    pub(super) fn speed_of(&mut self, of: BodyId, against: Option<BodyId>) -> f64 {
        let speed =
            self.ranges.bound_speed(range_ends(&self.near), range_ends(&self.velocities), of, against);
        speed.unwrap_or(f64::INFINITY)
    }
}
