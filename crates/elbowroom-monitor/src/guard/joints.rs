//! What is known of the joints: their states as intervals, whether these can be believed, and their limits.
//!
//! A state is believed only if it is the next one: later than the one before, not too much later, complete,
//! and made of numbers. Its velocities must be those by which its positions changed, within what is known of
//! both; [`super::track`] says how that is found out, and which velocities the joints may have whatever is
//! told. Whatever is not believed stops the arms. A state out of its turn changes nothing more: the joints
//! keep their last state, which ages.

use super::command::{Category, Command, Reason, ReasonKind};
use super::description::{ArmDescription, GuardDescription, JointDescription};
use super::forces::Forces;
use super::limit::{Limit, Reaction};
use super::state::State;
use super::track::{Finding, Motion, Track};
use crate::stopping::{JointState, Range, Told};
use elbowroom::World;
use elbowroom::describe::JointKind;
use std::f64::consts::TAU;

/// An arm's last good state.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ArmNow {
    /// Its values in the world's order.
    pub values: std::ops::Range<usize>,
    /// When it was measured (s); `None` before the first.
    pub t: Option<f64>,
    /// Whether a reset came since: then the next state may be the first after a long time.
    pub reset: bool,
}

/// Why two numbers of a joint do not agree.
const OTHER_VELOCITY: &str = "the velocity is not that of the positions";
const JUMPS: &str = "no motion within the greatest acceleration leads through the positions";
/// What a joint does that leaves its profile.
const FASTER: &str = "moves faster than its profile lets it (speed)";

/// All joint values.
#[derive(Clone, Debug)]
pub(super) struct Joints {
    pub arms: Vec<ArmNow>,
    pub(super) described: Vec<JointDescription>,
    /// By value: the last position and velocity as they were told, and what is known of both whatever was
    /// told of the velocity.
    pub positions: Vec<f64>,
    pub velocities: Vec<f64>,
    pub(super) states: Vec<JointState>,
    /// By value, the velocities that it has if what is told is true.
    pub(super) believed: Vec<Range>,
    /// By value, what its positions say of its velocity, and what is known of it beforehand.
    tracks: Vec<Track>,
    motions: Vec<Motion>,
    /// By value, whether it turns without end: then a turn more or less is the same position.
    pub(super) endless: Vec<bool>,
    /// By value, how far its positions were moved by whole turns so far (rad).
    pub(super) turned: Vec<f64>,
    /// By value, the velocity with which the controller would go on; NaN if it does not tell.
    pub(super) asked: Vec<f64>,
    /// By value, how it goes on if it is told to stop at the next state: whatever was told of its velocity,
    /// and if that is true.
    pub(super) told: Vec<Told>,
    pub(super) told_believed: Vec<Told>,
    /// By value, how far it may go either way if it is told so and seems to rest (rad), and how late (s) that
    /// is.
    pub(super) from_rest: Vec<(f64, f64)>,
    /// By value, whether the last velocity was measured.
    measured: Vec<bool>,
    /// By value, whether its effort was measured once, and its current.
    loaded: Vec<[bool; 2]>,
    /// By value, the mean velocity between the last two states, and the time between them (s); 0 if that is
    /// not known.
    means: Vec<(f64, f64)>,
    pub(super) late: f64,
    pub(super) time_error: f64,
    pub(super) drift: f64,
    /// By value, how fast it may seem to be at rest (rad/s).
    pub(super) seeming: Vec<f64>,
    forces: Forces,
    /// The part of the speed that the last command permitted: what is measured is that part of what is asked
    /// for.
    pub permitted: f64,
    /// The time of the last command to stop (s): for as long as it may still act, brakes may.
    pub stopped: f64,
}

impl Joints {
    pub fn new(world: &World, d: &GuardDescription) -> Joints {
        let count = world.dof_names().len();
        let mut described = vec![None; count];
        let mut arms = Vec::new();
        for arm in &d.arms {
            let ArmDescription { robot, joints, .. } = arm;
            let values = world.robots().get(robot.0 as usize).map_or(0..0, |robot| robot.values.clone());
            for (place, joint) in described.get_mut(values.clone()).into_iter().flatten().zip(joints) {
                *place = Some(joint.clone());
            }
            arms.push(ArmNow { values, t: None, reset: false });
        }
        let unknown = JointState { position: Range::EVERYWHERE, velocity: Range::EVERYWHERE };
        // The description was checked: each value has one.
        let described: Vec<JointDescription> = described.into_iter().flatten().collect();
        let motions: Vec<Motion> =
            described.iter().map(|joint| Motion::new(joint, [d.time_error, d.clock_drift()])).collect();
        let is_endless = |value: usize| {
            let joint = world.joints().iter().find(|joint| joint.values.contains(&value));
            joint.is_some_and(|joint| joint.kind == JointKind::Continuous)
        };
        Joints {
            arms,
            believed: vec![Range::EVERYWHERE; count],
            tracks: vec![Track::new(); count],
            endless: (0..count).map(is_endless).collect(),
            turned: vec![0.0; count],
            seeming: motions.iter().map(|motion| motion.seeming_speed(d.period)).collect(),
            motions,
            described,
            positions: vec![0.0; count],
            velocities: vec![0.0; count],
            states: vec![unknown; count],
            asked: vec![f64::NAN; count],
            told: vec![Told::ENDLESS; count],
            told_believed: vec![Told::ENDLESS; count],
            from_rest: vec![(0.0, f64::NAN); count],
            measured: vec![false; count],
            loaded: vec![[false; 2]; count],
            means: vec![(0.0, 0.0); count],
            late: d.late,
            time_error: d.time_error,
            drift: d.clock_drift(),
            forces: Forces::new(d),
            permitted: 1.0,
            stopped: f64::NEG_INFINITY,
        }
    }

    /// The time of the latest state (s).
    pub fn latest_time(&self) -> Option<f64> {
        self.arms.iter().filter_map(|arm| arm.t).reduce(f64::max)
    }

    /// Takes a state in. What is wrong stops the command; false if the state is not believed.
    pub fn take_state(&mut self, state: &State, command: &mut Command) -> bool {
        let stop = |command: &mut Command, reason| {
            command.stop_for(Category::Zero, reason);
            false
        };
        let values = match state.arm {
            None => 0..self.positions.len(),
            Some(arm) => match self.arms.get(arm) {
                Some(arm) => arm.values.clone(),
                None => {
                    return stop(
                        command,
                        Reason::new(ReasonKind::WrongCount).with_words("there is no such arm"),
                    );
                }
            },
        };
        let arms = match state.arm {
            None => 0..self.arms.len(),
            Some(arm) => arm..arm + 1,
        };
        if !state.t.is_finite() {
            return stop(command, Reason::new(ReasonKind::NotFinite).with_words("the time"));
        }
        let State { velocities, asked, efforts, currents, .. } = state;
        // An effort, or a current, that is not measured is NaN.
        let lists = [Some(state.positions), *velocities, *asked].map(|list| (list, false));
        let mut good = true;
        for (list, may_be_nan) in lists.into_iter().chain([(*efforts, true), (*currents, true)]) {
            let Some(list) = list else { continue };
            if list.len() != values.len() {
                let reason =
                    Reason::new(ReasonKind::WrongCount).with_limit(list.len() as f64, values.len() as f64);
                return stop(command, reason);
            }
            for (value, number) in values.clone().zip(list) {
                // No joint reaches a million, and sums of these stay finite.
                if !(number.abs() <= 1e6 || may_be_nan && number.is_nan()) {
                    let reason = Reason::new(ReasonKind::NotFinite).of_value(value).with_limit(*number, 1e6);
                    good = stop(command, reason);
                }
            }
        }
        let forces = state.forces.unwrap_or_default();
        if state.forces.is_some() && forces.len() != arms.len() {
            let reason =
                Reason::new(ReasonKind::WrongCount).with_limit(forces.len() as f64, arms.len() as f64);
            return stop(command, reason);
        }
        for (k, number) in arms.clone().enumerate() {
            good &= self.forces.take_force(number, forces.get(k).copied(), state.t, command);
        }
        for number in arms.clone() {
            let Some(before) = self.arms.get(number).and_then(|arm| arm.t) else { continue };
            let reason = |kind| Reason::new(kind).of_arm(number).with_limit(state.t - before, self.late);
            if state.t == before {
                good = stop(command, reason(ReasonKind::Repeated));
            } else if state.t < before {
                good = stop(command, reason(ReasonKind::OutOfOrder));
            } else if state.t - before > self.late && !self.arms.get(number).is_some_and(|arm| arm.reset) {
                // It is the newest that is known all the same, and is taken as a first state.
                stop(command, reason(ReasonKind::Late));
            }
        }
        if !good {
            return false;
        }
        for (k, value) in values.enumerate() {
            good &= self.take_value(value, k, state, command);
        }
        for arm in self.arms.get_mut(arms).into_iter().flatten() {
            (arm.t, arm.reset) = (Some(state.t), false);
        }
        good
    }

    /// Takes a value in; false if its numbers contradict each other.
    fn take_value(&mut self, value: usize, k: usize, state: &State, command: &mut Command) -> bool {
        let of = |list: Option<&[f64]>| list.and_then(|list| list.get(k)).copied();
        let (Some(joint), Some(q)) = (self.described.get(value), of(Some(state.positions))) else {
            return false;
        };
        let (Some(motion), Some(track)) = (self.motions.get(value), self.tracks.get_mut(value)) else {
            return false;
        };
        let before = self.arms.iter().find(|arm| arm.values.contains(&value)).and_then(|arm| arm.t);
        let dt = before.map(|before| state.t - before).filter(|dt| *dt <= self.late);
        let of_value = |list: &[f64]| list.get(value).copied().unwrap_or(f64::NAN);
        let (mut last, last_velocity) = (of_value(&self.positions), of_value(&self.velocities));
        if dt.is_some() && self.endless.get(value) == Some(&true) {
            // Encoders begin again at half a turn. What came before is counted from there.
            let turns = TAU * ((q - last) / TAU).round();
            if turns != 0.0 {
                track.shift_positions(turns);
                last += turns;
                if let Some(turned) = self.turned.get_mut(value) {
                    *turned += turns;
                }
            }
        }
        let told = of(state.velocities);
        let of_told = told.map(|v| Range::about(v, joint.velocity_error));
        let mut good = true;
        if let Some(dt) = dt {
            let found = track.take_position(state.t, q, told, motion);
            good = !matches!(found, Finding::Contradiction(_));
            stop_for(found, value, told.unwrap_or((q - last) / dt), told.is_some(), command);
        } else {
            // The first velocity is believed, and the next states tell. Without one the joint may be as fast
            // as it may.
            let velocity = of_told.unwrap_or(Range::about(0.0, joint.velocity.most));
            let fastest = told.map_or(0.0, f64::abs);
            track.begin((state.t, q, motion.position_error(state.t, q, fastest)), told, velocity);
            if told.is_none() {
                let reason = Reason::new(ReasonKind::Waiting).of_value(value);
                command
                    .stop_for(Category::Two, reason.with_words("a velocity is known from the next state on"));
            }
        }
        let (velocity, position) = (track.velocity, track.position());
        let fastest = velocity.least.abs().max(velocity.most.abs());
        let error = motion.position_error(state.t, q, if fastest.is_finite() { fastest } else { 0.0 });
        let v = told.unwrap_or(0.5 * (velocity.least + velocity.most));
        let permitted = self.permitted;
        let mut limit = |kind, number: Option<f64>, limit: Limit, slack: f64| {
            let Some(number) = number.filter(|number| !(number.abs() <= limit.most + slack)) else { return };
            let reason = Reason::new(kind).of_value(value).with_limit(number, limit.most);
            match limit.reaction {
                Reaction::Stop => command.stop_for(Category::One, reason),
                Reaction::Slow => command.slow_for(permitted * limit.most / number.abs(), reason),
            }
        };
        // The greater of what is measured and the least mean that the positions leave: a joint that came so
        // far was as fast once.
        // By the clock of the states each time may be a little too short.
        let longer = 1.0 + self.drift;
        let mean = dt.map_or(0.0, |dt| ((q - last).abs() - 2.0 * error) / (dt * longer));
        let at_least = told.unwrap_or(0.0);
        let speed = if mean > at_least.abs() { mean } else { at_least };
        limit(ReasonKind::Velocity, Some(speed), joint.velocity, joint.velocity_error);
        // Times that waver make any change faster, or slower.
        let wavers = |dt: f64| joint.acceleration.most * 2.0 * self.time_error / dt;
        if let (Some(dt), Some(_), true) = (dt, told, self.measured.get(value).copied().unwrap_or(false)) {
            let slack = 2.0 * joint.velocity_error / dt + wavers(dt);
            limit(
                ReasonKind::Acceleration,
                Some((v - last_velocity) / (dt * longer)),
                joint.acceleration,
                slack,
            );
        }
        // Without velocities, from two means: between their middles it has changed so much.
        let mean_now = dt.map_or((0.0, 0.0), |dt| ((q - last) / dt, dt));
        let ((mean, dt), (mean_before, dt_before)) =
            (mean_now, self.means.get(value).copied().unwrap_or_default());
        if told.is_none() && dt > 0.0 && dt_before > 0.0 {
            let between = 0.5 * (dt + dt_before);
            let slack = 2.0 * error * (1.0 / dt + 1.0 / dt_before) / between + wavers(between);
            let change = (mean - mean_before) / (between * longer * longer);
            limit(ReasonKind::Acceleration, Some(change), joint.acceleration, slack);
        }
        let measured = [of(state.efforts), of(state.currents)].map(|of| of.filter(|of| !of.is_nan()));
        let [effort, current] = measured;
        limit(ReasonKind::Effort, effort, joint.effort, 0.0);
        limit(ReasonKind::Current, current, joint.current, 0.0);
        let loads = measured.iter().zip([(joint.effort, "its effort"), (joint.current, "its current")]);
        let known = self.loaded.get_mut(value).into_iter().flatten();
        for ((now, (limit, says)), was) in loads.zip(known) {
            if limit.most.is_finite() && *was && now.is_none() {
                command.stop_for(
                    Category::One,
                    Reason::new(ReasonKind::ForceLost).of_value(value).with_words(says),
                );
            }
            *was |= now.is_some();
        }
        let [low, high] = joint.position;
        if q < low - joint.position_error || q > high + joint.position_error {
            let limit = if q < low { low } else { high };
            command.stop_for(
                Category::One,
                Reason::new(ReasonKind::Position).of_value(value).with_limit(q, limit),
            );
        }
        set_entry(&mut self.states, value, JointState { position, velocity });
        set_entry(&mut self.believed, value, of_told.unwrap_or(velocity));
        set_entry(&mut self.positions, value, q);
        set_entry(&mut self.velocities, value, v);
        set_entry(&mut self.measured, value, told.is_some());
        set_entry(&mut self.means, value, mean_now);
        set_entry(&mut self.asked, value, of(state.asked).unwrap_or(f64::NAN));
        good
    }

    /// Stops if an arm has not reported yet, or not for too long, at the time `now` (s).
    pub fn check_silence(&self, now: f64, command: &mut Command) {
        for (number, arm) in self.arms.iter().enumerate() {
            match arm.t {
                None => command.stop_for(Category::Two, Reason::new(ReasonKind::Waiting).of_arm(number)),
                Some(t) if !(now - t <= self.late) && arm.reset => {
                    command.stop_for(Category::Two, Reason::new(ReasonKind::Waiting).of_arm(number));
                }
                Some(t) if !(now - t <= self.late) => {
                    let reason = Reason::new(ReasonKind::Late).of_arm(number).with_limit(now - t, self.late);
                    command.stop_for(Category::Zero, reason);
                }
                Some(_) => {}
            }
        }
    }

    /// After a reset nothing counts but the last states, and their velocities are believed. Each arm may
    /// report after a long time.
    pub fn forget(&mut self) {
        for arm in &mut self.arms {
            arm.reset = arm.t.is_some();
        }
        for value in 0..self.tracks.len() {
            let (Some(track), Some(joint)) = (self.tracks.get_mut(value), self.described.get(value)) else {
                continue;
            };
            let Some(motion) = self.motions.get(value) else { continue };
            let is_told = self.measured.get(value) == Some(&true);
            let velocity = match (is_told, self.means.get(value), self.velocities.get(value)) {
                (true, _, Some(v)) => Range::about(*v, joint.velocity_error),
                (false, Some((mean, dt)), _) if *dt > 0.0 => {
                    let error = 2.0 * joint.position_error / dt + 0.5 * joint.acceleration.most * dt;
                    Range::about(*mean, error.min(1e9))
                }
                _ => continue,
            };
            track.restart_track(velocity, motion);
            set_entry(&mut self.believed, value, velocity);
            if let Some(state) = self.states.get_mut(value) {
                *state = JointState { position: track.position(), velocity };
            }
        }
    }

    /// Whether no arm is late at the time `now` (s).
    pub fn are_in_time(&self, now: f64) -> bool {
        self.arms.iter().all(|arm| arm.t.is_some_and(|t| now - t <= self.late))
    }

    /// Whether no joint is told to move.
    pub fn are_at_rest(&self) -> bool {
        self.believed.iter().all(|velocity| velocity.least <= 0.0 && velocity.most >= 0.0)
    }

    /// The greatest of all velocities, each as a part of its limit.
    pub fn greatest_speed_part(&self) -> f64 {
        let known = self.velocities.iter().zip(&self.described);
        known.map(|(v, joint)| velocity_part(*v, joint)).fold(0.0, f64::max)
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

    /// Fills in the velocities that the joints have if what is told is true.
    pub fn velocity_ranges(&self, [low, high]: &mut [Vec<f64>; 2]) {
        for (velocity, (low, high)) in self.believed.iter().zip(low.iter_mut().zip(high)) {
            (*low, *high) = (velocity.least, velocity.most);
        }
    }

    /// The greatest speed that is asked for, as a part of its limit; `None` if no controller tells.
    pub fn asked_speed(&self) -> Option<f64> {
        let known = self.asked.iter().zip(&self.described).filter(|(asked, _)| !asked.is_nan());
        known.map(|(asked, joint)| velocity_part(*asked, joint)).reduce(f64::max)
    }

    /// Fills in the velocities that are asked for, or measured where they are not told.
    pub fn asked_ranges(&self, [low, high]: &mut [Vec<f64>; 2]) {
        let known = self.believed.iter().zip(&self.asked);
        for ((velocity, asked), (low, high)) in known.zip(low.iter_mut().zip(high)) {
            let Range { least, most } = if asked.is_nan() { *velocity } else { Range::exactly(*asked) };
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

/// Stops for what was found of a value that has a velocity, told or not.
fn stop_for(found: Finding, value: usize, v: f64, is_told: bool, command: &mut Command) {
    let reason = |kind| Reason::new(kind).of_value(value);
    match found {
        Finding::Agrees => {}
        Finding::Contradiction(mean) => {
            let says = if is_told { OTHER_VELOCITY } else { JUMPS };
            command.stop_for(
                Category::Zero,
                reason(ReasonKind::Implausible).with_limit(v, mean).with_words(says),
            );
        }
        Finding::Beyond(most) => {
            command.stop_for(
                Category::Zero,
                reason(ReasonKind::BeyondModel).with_limit(v, most).with_words(FASTER),
            );
        }
    }
}

/// A velocity as a part of its limit.
fn velocity_part(v: f64, joint: &JointDescription) -> f64 {
    let most = joint.velocity.most;
    if most.is_finite() && most > 0.0 { v.abs() / most } else { v.abs() }
}

/// An angle as its distance from zero by whole turns.
pub(super) fn within_a_turn(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

/// Writes one entry of a list that has it.
pub(super) fn set_entry<T>(list: &mut [T], at: usize, value: T) {
    if let Some(place) = list.get_mut(at) {
        *place = value;
    }
}
