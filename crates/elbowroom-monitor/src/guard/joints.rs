//! What is known of the joints: their states as intervals, whether these can be believed, and their limits.
//!
//! A state is believed only if it is the next one: later than the one before, not too much later, complete,
//! and made of numbers. Its velocities must be those by which its positions changed, within what is known of
//! both. Whatever is not believed stops the arms. A state out of its turn changes nothing more: the joints
//! keep their last state, which ages.

use super::command::{Category, Command, Kind, Reason};
use super::description::{ArmDescription, GuardDescription, JointDescription};
use super::limit::{Limit, Reaction};
use super::state::State;
use crate::stopping::{JointState, Range, Told};
use elbowroom::World;

/// An arm's last good state.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ArmNow {
    /// Its values in the world's order.
    pub values: std::ops::Range<usize>,
    /// When it was measured (s); `None` before the first.
    pub t: Option<f64>,
}

/// All joint values.
#[derive(Clone, Debug)]
pub(super) struct Joints {
    pub arms: Vec<ArmNow>,
    pub(super) described: Vec<JointDescription>,
    /// By value: the last position and velocity as they were told, and what is known of both.
    pub positions: Vec<f64>,
    pub velocities: Vec<f64>,
    pub(super) states: Vec<JointState>,
    /// By value, the velocity with which the controller would go on; NaN if it does not tell.
    pub(super) asked: Vec<f64>,
    /// By value, how it goes on if it is told to stop at the next state.
    pub(super) told: Vec<Told>,
    /// By value, how far it may go either way if it is told so and seems to rest (rad), and how late (s) that
    /// is.
    pub(super) from_rest: Vec<(f64, f64)>,
    /// By value, whether the last velocity was measured.
    measured: Vec<bool>,
    /// By value, the mean velocity between the last two states, and the time between them (s); 0 if that is
    /// not known.
    means: Vec<(f64, f64)>,
    pub(super) late: f64,
    contact_force: f64,
    /// The part of the speed that the last command permitted: what is measured is that part of what is asked
    /// for.
    pub permitted: f64,
    /// The time of the last command to stop (s): for as long as it may still act, brakes may.
    pub stopped: f64,
}

impl Joints {
    pub fn new(world: &World, d: &GuardDescription) -> Joints {
        let count = world.value_names().len();
        let mut described = vec![None; count];
        let mut arms = Vec::new();
        for arm in &d.arms {
            let ArmDescription { robot, joints, .. } = arm;
            let values = world.robots().get(robot.0 as usize).map_or(0..0, |robot| robot.values.clone());
            for (place, joint) in described.get_mut(values.clone()).into_iter().flatten().zip(joints) {
                *place = Some(joint.clone());
            }
            arms.push(ArmNow { values, t: None });
        }
        let unknown = JointState { position: Range::EVERYWHERE, velocity: Range::EVERYWHERE };
        Joints {
            arms,
            // The description was checked: each value has one.
            described: described.into_iter().flatten().collect(),
            positions: vec![0.0; count],
            velocities: vec![0.0; count],
            states: vec![unknown; count],
            asked: vec![f64::NAN; count],
            told: vec![Told::ENDLESS; count],
            from_rest: vec![(0.0, f64::NAN); count],
            measured: vec![false; count],
            means: vec![(0.0, 0.0); count],
            late: d.late,
            contact_force: d.contact_force,
            permitted: 1.0,
            stopped: f64::NEG_INFINITY,
        }
    }

    /// The time of the latest state (s).
    pub fn now(&self) -> Option<f64> {
        self.arms.iter().filter_map(|arm| arm.t).reduce(f64::max)
    }

    /// Takes a state in. What is wrong stops the command; false if the state is not believed.
    pub fn take(&mut self, state: &State, command: &mut Command) -> bool {
        let stop = |command: &mut Command, reason| {
            command.stop(Category::Zero, reason);
            false
        };
        let values = match state.arm {
            None => 0..self.positions.len(),
            Some(arm) => match self.arms.get(arm) {
                Some(arm) => arm.values.clone(),
                None => return stop(command, Reason::new(Kind::WrongCount).saying("there is no such arm")),
            },
        };
        let arms = match state.arm {
            None => 0..self.arms.len(),
            Some(arm) => arm..arm + 1,
        };
        if !state.t.is_finite() {
            return stop(command, Reason::new(Kind::NotFinite).saying("the time"));
        }
        let State { velocities, asked, efforts, currents, .. } = state;
        let lists = [Some(state.positions), *velocities, *asked, *efforts, *currents];
        let mut good = true;
        for list in lists.into_iter().flatten() {
            if list.len() != values.len() {
                let reason = Reason::new(Kind::WrongCount).beyond(list.len() as f64, values.len() as f64);
                return stop(command, reason);
            }
            for (value, number) in values.clone().zip(list) {
                // No joint reaches a million, and sums of these stay finite.
                if !(number.abs() <= 1e6) {
                    let reason = Reason::new(Kind::NotFinite).of_value(value).beyond(*number, 1e6);
                    good = stop(command, reason);
                }
            }
        }
        let forces = state.forces.unwrap_or_default();
        if state.forces.is_some() && forces.len() != arms.len() {
            let reason = Reason::new(Kind::WrongCount).beyond(forces.len() as f64, arms.len() as f64);
            return stop(command, reason);
        }
        for (number, force) in arms.clone().zip(forces) {
            if !(force.abs() <= 1e6) {
                let reason = Reason::new(Kind::NotFinite).of_arm(number).saying("the force");
                good = stop(command, reason);
            } else if force.abs() > self.contact_force {
                let reason = Reason::new(Kind::ContactForce).of_arm(number);
                command.stop(Category::One, reason.beyond(force.abs(), self.contact_force));
            }
        }
        for number in arms.clone() {
            let Some(before) = self.arms.get(number).and_then(|arm| arm.t) else { continue };
            let reason = |kind| Reason::new(kind).of_arm(number).beyond(state.t - before, self.late);
            if state.t == before {
                good = stop(command, reason(Kind::Repeated));
            } else if state.t < before {
                good = stop(command, reason(Kind::OutOfOrder));
            } else if state.t - before > self.late {
                // It is the newest that is known all the same, and is taken as a first state.
                stop(command, reason(Kind::Late));
            }
        }
        if !good {
            return false;
        }
        for (k, value) in values.enumerate() {
            good &= self.take_value(value, k, state, command);
        }
        for arm in self.arms.get_mut(arms).into_iter().flatten() {
            arm.t = Some(state.t);
        }
        good
    }

    /// Takes a value in; false if its numbers contradict each other.
    fn take_value(&mut self, value: usize, k: usize, state: &State, command: &mut Command) -> bool {
        let of = |list: Option<&[f64]>| list.and_then(|list| list.get(k)).copied();
        let (Some(joint), Some(q)) = (self.described.get(value), of(Some(state.positions))) else {
            return false;
        };
        let before = self.arms.iter().find(|arm| arm.values.contains(&value)).and_then(|arm| arm.t);
        let dt = before.map(|before| state.t - before).filter(|dt| *dt <= self.late);
        let of_value = |list: &[f64]| list.get(value).copied().unwrap_or(f64::NAN);
        let (last, last_velocity) = (of_value(&self.positions), of_value(&self.velocities));
        // The mean velocity since the state before, and by how much the present one may differ.
        let by_difference = dt.map(|dt| {
            let error = 2.0 * joint.position_error / dt + 0.5 * joint.acceleration.most * dt;
            Range::about((q - last) / dt, error.min(1e9))
        });
        let measured = of(state.velocities).map(|v| (v, Range::about(v, joint.velocity_error)));
        let mut good = true;
        let velocity = match (measured, by_difference) {
            (Some((v, range)), Some(mean)) => {
                if range.most < mean.least || mean.most < range.least {
                    let middle = 0.5 * (mean.least + mean.most);
                    let reason = Reason::new(Kind::Implausible).of_value(value).beyond(v, middle);
                    command.stop(Category::Zero, reason.saying("the velocity is not that of the positions"));
                    good = false;
                }
                range
            }
            (Some((_, range)), None) => range,
            (None, Some(mean)) => mean,
            // The first state: as fast as the joint may be. The next one tells.
            (None, None) => {
                let reason = Reason::new(Kind::Waiting).of_value(value);
                command.stop(Category::Two, reason.saying("a velocity is known from the next state on"));
                Range::about(0.0, joint.velocity.most)
            }
        };
        let v = measured.map_or(0.5 * (velocity.least + velocity.most), |(v, _)| v);
        let permitted = self.permitted;
        let mut limit = |kind, number: Option<f64>, limit: Limit, slack: f64| {
            let Some(number) = number.filter(|number| !(number.abs() <= limit.most + slack)) else { return };
            let reason = Reason::new(kind).of_value(value).beyond(number, limit.most);
            match limit.reaction {
                Reaction::Stop => command.stop(Category::One, reason),
                Reaction::Slow => command.slow(permitted * limit.most / number.abs(), reason),
            }
        };
        // The greater of what is measured and the least mean that the positions leave: a joint that came so
        // far was as fast once.
        let mean = dt.map_or(0.0, |dt| ((q - last).abs() - 2.0 * joint.position_error) / dt);
        let told = measured.map_or(0.0, |(v, _)| v);
        let speed = if mean > told.abs() { mean } else { told };
        limit(Kind::Velocity, Some(speed), joint.velocity, joint.velocity_error);
        if let (Some(dt), Some(_), true) = (dt, measured, self.measured.get(value).copied().unwrap_or(false))
        {
            let slack = 2.0 * joint.velocity_error / dt;
            limit(Kind::Acceleration, Some((v - last_velocity) / dt), joint.acceleration, slack);
        }
        // Without velocities, from two means: between their middles it has changed so much.
        let mean_now = dt.map_or((0.0, 0.0), |dt| ((q - last) / dt, dt));
        let ((mean, dt), (mean_before, dt_before)) =
            (mean_now, self.means.get(value).copied().unwrap_or_default());
        if measured.is_none() && dt > 0.0 && dt_before > 0.0 {
            let between = 0.5 * (dt + dt_before);
            let slack = 2.0 * joint.position_error * (1.0 / dt + 1.0 / dt_before) / between;
            limit(Kind::Acceleration, Some((mean - mean_before) / between), joint.acceleration, slack);
        }
        limit(Kind::Effort, of(state.efforts), joint.effort, 0.0);
        limit(Kind::Current, of(state.currents), joint.current, 0.0);
        let [low, high] = joint.position;
        if q < low - joint.position_error || q > high + joint.position_error {
            let limit = if q < low { low } else { high };
            command.stop(Category::One, Reason::new(Kind::Position).of_value(value).beyond(q, limit));
        }
        let now = JointState { position: Range::about(q, joint.position_error), velocity };
        put(&mut self.states, value, now);
        put(&mut self.positions, value, q);
        put(&mut self.velocities, value, v);
        put(&mut self.measured, value, measured.is_some());
        put(&mut self.means, value, mean_now);
        put(&mut self.asked, value, of(state.asked).unwrap_or(f64::NAN));
        good
    }

    /// Stops if an arm has not reported yet, or not for too long, at the time `now` (s).
    pub fn listen(&self, now: f64, command: &mut Command) {
        for (number, arm) in self.arms.iter().enumerate() {
            match arm.t {
                None => command.stop(Category::Two, Reason::new(Kind::Waiting).of_arm(number)),
                Some(t) if !(now - t <= self.late) => {
                    let reason = Reason::new(Kind::Late).of_arm(number).beyond(now - t, self.late);
                    command.stop(Category::Zero, reason);
                }
                Some(_) => {}
            }
        }
    }

    /// Whether no arm is late at the time `now` (s).
    pub fn are_in_time(&self, now: f64) -> bool {
        self.arms.iter().all(|arm| arm.t.is_some_and(|t| now - t <= self.late))
    }

    /// The greatest of all velocities, each as a part of its limit.
    pub fn speed(&self) -> f64 {
        let known = self.velocities.iter().zip(&self.described);
        known.map(|(v, joint)| part(*v, joint)).fold(0.0, f64::max)
    }

    /// Whether each arm has reported.
    pub fn all_known(&self) -> bool {
        self.arms.iter().all(|arm| arm.t.is_some())
    }

    /// Fills in the positions that the joints may have now.
    pub fn position_ranges(&self, [low, high]: &mut [Vec<f64>; 2]) {
        for (state, (low, high)) in self.states.iter().zip(low.iter_mut().zip(high)) {
            (*low, *high) = (state.position.least, state.position.most);
        }
    }

    /// Fills in the velocities that the joints may have now.
    pub fn velocity_ranges(&self, [low, high]: &mut [Vec<f64>; 2]) {
        for (state, (low, high)) in self.states.iter().zip(low.iter_mut().zip(high)) {
            (*low, *high) = (state.velocity.least, state.velocity.most);
        }
    }

    /// The greatest speed that is asked for, as a part of its limit; `None` if no controller tells.
    pub fn asked_speed(&self) -> Option<f64> {
        let known = self.asked.iter().zip(&self.described).filter(|(asked, _)| !asked.is_nan());
        known.map(|(asked, joint)| part(*asked, joint)).reduce(f64::max)
    }

    /// Fills in the velocities that are asked for, or measured where they are not told.
    pub fn asked_ranges(&self, [low, high]: &mut [Vec<f64>; 2]) {
        let known = self.states.iter().zip(&self.asked);
        for ((state, asked), (low, high)) in known.zip(low.iter_mut().zip(high)) {
            let Range { least, most } = if asked.is_nan() { state.velocity } else { Range::exactly(*asked) };
            (*low, *high) = (least, most);
        }
    }

    /// Fills in by how much measured velocities may differ from the true ones.
    pub fn velocity_errors(&self, [low, high]: &mut [Vec<f64>; 2]) {
        for (joint, (low, high)) in self.described.iter().zip(low.iter_mut().zip(high)) {
            (*low, *high) = (-joint.velocity_error, joint.velocity_error);
        }
    }
}

/// A velocity as a part of its limit.
fn part(v: f64, joint: &JointDescription) -> f64 {
    let most = joint.velocity.most;
    if most.is_finite() && most > 0.0 { v.abs() / most } else { v.abs() }
}

/// Writes one entry of a list that has it.
pub(super) fn put<T>(list: &mut [T], at: usize, value: T) {
    if let Some(place) = list.get_mut(at) {
        *place = value;
    }
}
