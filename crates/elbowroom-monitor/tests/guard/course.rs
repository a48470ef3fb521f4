//! One motion that arms are asked for: what it does if nobody slows it, what a guard says of it, and what the
//! arms do that obey the guard.
//!
//! What is drawn has streams of its own: the way that is asked for, the noise of what is measured, the states
//! that are lost, the brakes and latencies. So the same way is asked for, whether the arms obey or not.

use crate::cell::{Facts, guard_of};
use crate::cells::Cells;
use crate::lie::{Liar, Lie};
use crate::plant::{Plant, TICK};
use crate::rng::Rng;
use crate::truth::Truth;
use elbowroom::World;
use elbowroom_monitor::guard::{Action, Command, Event, Guard, Reason, ReasonKind, State};
use elbowroom_monitor::stopping::{GoingOn, JointState, Range};
use elbowroom_monitor::{GuardDescription, Intent, roles::Arm};

/// What counts as clear by more than the guard leaves free (m).
const CLEAR: f64 = 0.003;
/// How many ticks lie between two looks at the truth: 2 ms, or 3 mm at the greatest speed of a hand.
const LOOKS: u64 = 4;
/// How long arms rest that are asked for one velocity until it is believed that they stay (s): longer than
/// any stop that ends by itself in these cells.
const RESTS: f64 = 1.0;
/// How long they go on after they met what they are to take (s): at the speed of a contact that is meant they
/// are behind it then.
const PASSES: f64 = 2.0;

/// A motion that is asked for, and where.
pub struct Course<'w> {
    pub cells: &'w Cells,
    pub world: &'w World,
    pub facts: Facts,
    pub from: Vec<f64>,
    pub seconds: f64,
    /// Whether the task is to take the part.
    pub picks: bool,
    /// Velocities that are asked for; drawn anew now and then without.
    pub asked: Option<[f64; 6]>,
    /// What is not as the guard was told, or measured.
    pub lie: Lie,
    /// What is drawn for it.
    pub seed: u64,
}

/// What happens if nobody slows the arms.
#[derive(Clone, Copy, Debug)]
pub struct Free {
    /// Whether bodies touch that must not. Then the motion ends.
    pub touched: bool,
    /// The smallest distance of the hand and the part (m), infinite if it is far or not to take it.
    pub least_meant: f64,
}

/// What the guard says of arms that do not obey it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watched {
    /// Whether samples of all that the arms may pass until they rest were nearer than [`CLEAR`].
    pub near: bool,
    /// Stops for pairs that were neither proved apart nor found too near.
    pub needless: usize,
}

/// What arms do that obey.
#[derive(Debug)]
pub struct Obeyed {
    /// Whether bodies touched that must not.
    pub touched: bool,
    /// The smallest distance of the hand and the part (m), infinite if it is far or not to take it.
    pub least_meant: f64,
    /// The greatest speed with which they met (m/s); zero if they did not.
    pub contact_speed: f64,
    pub stops: Vec<ReasonKind>,
    pub slowed: u64,
    /// When bodies touched that must not, and when a stop named a lie (s).
    pub touched_at: Option<f64>,
    pub named_at: Option<(f64, ReasonKind)>,
}

/// Velocities that are asked for, drawn anew now and then.
pub struct Task {
    asked: [f64; 6],
    until: f64,
    speed: f64,
    rng: Rng,
}

impl Task {
    pub fn new(speed: f64, rng: Rng) -> Task {
        Task { asked: [0.0; 6], until: 0.0, speed, rng }
    }

    pub fn at(&mut self, t: f64) -> [f64; 6] {
        if t >= self.until {
            self.until = t + self.rng.range(0.2, 1.0);
            let speed = 0.98 * self.speed;
            self.asked.iter_mut().for_each(|v| *v = self.rng.range(-speed, speed));
            // One arm alone, at times.
            if self.rng.chance(0.3) {
                self.asked[3..].fill(0.0);
            }
        }
        self.asked
    }
}

/// States of arms on their way to a guard.
struct Line<'w> {
    guard: Guard<'w>,
    d: GuardDescription,
    noise: Rng,
    losses: Rng,
    /// Whether states get lost.
    lossy: bool,
    /// Whether the controller tells where it would go.
    tells: bool,
    next: f64,
    silent: f64,
    lost: bool,
    /// What was reported last, and when.
    reported: Option<(f64, Vec<f64>)>,
    steps: u64,
    liar: Liar,
}

impl<'w> Line<'w> {
    /// The guard's next word, if it has one now.
    fn step(
        &mut self,
        plant: &Plant,
        facts: &Facts,
        asked: &[f64; 6],
        see: impl FnOnce(&State, Option<&(f64, Vec<f64>)>, &Command, u64),
    ) -> Option<Command> {
        if let Some(command) = self.liar.twin(plant.t, &mut self.guard) {
            return command;
        }
        if !(plant.t >= self.next && plant.t >= self.silent) {
            // Silence is noticed when the next state is late.
            let late = self.reported.as_ref().is_some_and(|(t, _)| plant.t - t > self.d.late);
            if !(self.lost && late) {
                return None;
            }
            self.lost = false;
            let command = self.guard.step_without(plant.t, None);
            assert_eq!(command.action, Action::Stop);
            return Some(command);
        }
        self.next = plant.t + facts.period;
        if self.lossy && self.losses.chance(0.01) {
            self.silent = plant.t + self.losses.range(0.0, 6.0) * facts.period;
            self.lost = true;
        }
        let (mut q, mut v) = plant.report(&mut self.noise);
        self.liar.positions(plant.t, &mut q);
        let asked = self.tells.then_some(&asked[..]);
        let forces = self.liar.forces(plant.t, &mut self.noise);
        self.liar.velocities(plant.t, &mut v);
        let mut state = State { velocities: Some(&v), asked, ..State::new(self.liar.time(plant.t), &q) };
        state.forces = forces.as_ref().map(|forces| &forces[..]);
        // Some controllers tell no velocities.
        if facts.period > 0.01 && !self.liar.tells_velocities() {
            state.velocities = None;
        }
        let command = self.guard.step(&state);
        self.liar.hear(plant.t, &command);
        see(&state, self.reported.as_ref(), &command, self.steps);
        self.steps += 1;
        self.reported = Some((plant.t, q));
        Some(command)
    }
}

impl Course<'_> {
    /// A stream of what is drawn.
    fn stream(&self, number: u64) -> Rng {
        Rng::new(self.seed ^ number << 56)
    }

    fn plant(&self) -> (Plant, Rng) {
        let mut rng = self.stream(1);
        let facts = Facts { brake: self.facts.brake.map(|brake| brake * self.lie.brake()), ..self.facts };
        (Plant::new(self.from.clone(), facts, &mut rng), rng)
    }

    fn task(&self) -> impl FnMut(f64) -> [f64; 6] {
        let mut task = Task::new(self.facts.speed, self.stream(2));
        let asked = self.asked;
        move |t| asked.unwrap_or_else(|| task.at(t))
    }

    fn truth(&self) -> Truth<'_> {
        Truth::new(self.world, self.cells, self.picks)
    }

    fn line(&self) -> Line<'_> {
        let mut d = guard_of(self.world, &self.facts);
        self.lie.describe(&mut d);
        let mut guard = Guard::new(self.world, &d).unwrap();
        if self.picks {
            let part = guard.object_of(self.world.body_by_name("world/part").unwrap());
            let intent = Intent::Pick { object: part, from: None, arm: Some(Arm(0)) };
            let event = Event::Intent { arm: Some(Arm(0)), intent: Some(intent), until: f64::INFINITY };
            guard.event(0.0, &event).unwrap();
        }
        let (noise, mut losses) = (self.stream(3), self.stream(4));
        let (lossy, tells) = (self.asked.is_none() && losses.chance(0.2), losses.chance(0.5));
        let lossy = lossy && matches!(self.lie, Lie::None);
        let liar = Liar::new(self.lie, d.late);
        let (next, silent, lost, reported, steps) = (0.0, 0.0, false, None, 0);
        Line { guard, d, noise, losses, lossy, tells, next, silent, lost, reported, steps, liar }
    }

    /// Whether states get lost on the way.
    pub fn is_lossy(&self) -> bool {
        self.line().lossy
    }

    /// Moves without a guard.
    pub fn free(&self) -> Free {
        let ((mut plant, _), mut task, mut truth) = (self.plant(), self.task(), self.truth());
        let mut free = Free { touched: false, least_meant: f64::INFINITY };
        while plant.t < self.seconds && !free.touched {
            (0..LOOKS).for_each(|_| plant.go(&task(plant.t)));
            let seen = truth.of(&plant.q);
            free.touched = seen.touches;
            free.least_meant = free.least_meant.min(seen.meant);
        }
        free
    }

    /// Moves beside a guard that is not obeyed, until the motion is seen not to stay clear.
    pub fn watched(&self) -> Watched {
        let ((mut plant, _), mut task, mut truth) = (self.plant(), self.task(), self.truth());
        let (mut line, mut samples) = (self.line(), self.stream(5));
        let mut watched = Watched::default();
        while plant.t < self.seconds && !watched.near {
            let asked = task(plant.t);
            line.step(&plant, &self.facts, &asked, |state, before, command, steps| {
                // Without velocities the first states are not enough.
                let stopped = command.action == Action::Stop && steps > 0;
                // Where all is permitted the guard has proved more than samples show.
                if stopped || command.action != Action::Permit && steps.is_multiple_of(8) {
                    let count = if stopped && watched.needless == 0 { 500 } else { 64 };
                    let boxed = self.passed_by(state, before);
                    watched.near = is_near_in(&boxed, &mut truth, (count, &mut samples));
                }
                // Where a configuration was found that is too near, the stop was needed.
                let open = |reason: &&Reason| {
                    reason.kind == ReasonKind::Unproved
                        || reason.kind == ReasonKind::Collision && reason.measured > reason.limit
                };
                watched.needless += command.reasons().filter(open).filter(|_| stopped).count();
            });
            plant.go(&asked);
        }
        watched
    }

    /// Moves as the guard says.
    pub fn obeyed(&self) -> Obeyed {
        let ((mut plant, mut latencies), mut task, mut truth) = (self.plant(), self.task(), self.truth());
        let mut line = self.line();
        let (least_meant, contact_speed, stops) = (f64::INFINITY, 0.0, Vec::new());
        let (touched_at, named_at) = (None, None);
        let mut done =
            Obeyed { touched: false, least_meant, contact_speed, stops, slowed: 0, touched_at, named_at };
        let (mut before, mut ticks, mut moved, mut met) = (f64::NAN, 0, 0.0, f64::INFINITY);
        while plant.t < self.seconds {
            let asked = task(plant.t);
            let steps = line.steps;
            if let Some(command) = line.step(&plant, &self.facts, &asked, |_, _, _, _| {}) {
                done.slowed += u64::from(command.action == Action::Slow);
                if command.action == Action::Stop && steps > 0 {
                    done.stops.extend(command.reasons().map(|reason| reason.kind));
                    let named = command.reasons().find(|reason| self.lie.is_named_by(reason.kind));
                    done.named_at = done.named_at.or(named.map(|reason| (plant.t, reason.kind)));
                }
                plant.hear(command.action, command.speed, &mut latencies);
            }
            plant.go(&asked);
            ticks += 1;
            if ticks % LOOKS != 0 {
                continue;
            }
            let seen = truth.of(&plant.q);
            if seen.touches && !done.touched {
                (done.touched, done.touched_at) = (true, Some(plant.t));
            }
            if seen.meant <= 0.0 && before > 0.0 {
                met = met.min(plant.t);
                // How fast the distance shrank when they met.
                let speed = (before - seen.meant) / (LOOKS as f64 * TICK);
                done.contact_speed = done.contact_speed.max(speed);
            }
            done.least_meant = done.least_meant.min(seen.meant);
            before = seen.meant;
            if plant.v.iter().any(|v| *v != 0.0) {
                moved = plant.t;
            }
            if self.asked.is_some() && (plant.t > moved + RESTS || plant.t > met + PASSES) {
                break;
            }
        }
        done
    }

    /// The box of all that the guard was told: what was reported, within its errors, and what each joint may
    /// pass from there until it rests.
    fn passed_by(&self, state: &State, before: Option<&(f64, Vec<f64>)>) -> Vec<Range> {
        let (facts, d) = (&self.facts, guard_of(self.world, &self.facts));
        let stopping = &d.arms[0].joints[0].stopping;
        let most = facts.brake[1].max(facts.acceleration);
        let passed = |(k, q): (usize, &f64)| {
            let velocity = match (state.velocities, before) {
                (Some(v), _) => Range::about(v[k], facts.velocity_error),
                (None, Some((t, last))) => {
                    let dt = state.t - t;
                    Range::about((q - last[k]) / dt, 2.0 * facts.position_error / dt + 0.5 * most * dt)
                }
                (None, None) => Range::about(0.0, facts.speed),
            };
            let position = Range::about(*q, facts.position_error);
            let on = GoingOn { later: d.late, ..GoingOn::default() };
            stopping.passed_by(&JointState { position, velocity }, &on)
        };
        state.positions.iter().enumerate().map(passed).collect()
    }
}

/// Whether samples of a box come nearer than [`CLEAR`]: its corners first.
fn is_near_in(ranges: &[Range], truth: &mut Truth, (count, rng): (usize, &mut Rng)) -> bool {
    (0..count).any(|k| {
        let pick = |(joint, range): (usize, &Range)| match k {
            0..64 if k >> joint & 1 == 0 => range.least,
            0..64 => range.most,
            _ => range.least + (range.most - range.least) * rng.unit(),
        };
        let values: Vec<f64> = ranges.iter().enumerate().map(pick).collect();
        truth.is_near(&values, CLEAR)
    })
}
