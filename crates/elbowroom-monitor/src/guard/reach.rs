//! What the joints may pass until they rest, and whether it is within their ranges.

use super::asked::Pace;
use super::description::JointDescription;
use super::joints::{ArmNow, Joints, set_entry};
use crate::stopping::{JointState, Range, Told};

impl Joints {
    /// How long a joint goes on before it is told to stop (s): until the next state, or, if none comes, until
    /// that is noticed.
    fn time_until_told(&self, arm: &ArmNow, now: f64) -> f64 {
        let age = arm.t.map_or(f64::INFINITY, |t| (now - t).max(0.0));
        ((age + self.late + self.time_error) * (1.0 + self.drift)).next_up()
    }

    /// Finds how the joints go on if they are told to stop when the next state is due, as seen at `now` (s).
    pub fn find_stopping_states(&mut self, now: f64) {
        for number in 0..self.arms.len() {
            let Some(arm) = self.arms.get(number) else { continue };
            let later = self.time_until_told(arm, now);
            for value in arm.values.clone() {
                let known = self.described.get(value).zip(self.states.get(value));
                let velocity = self.believed.get(value).copied().unwrap_or(Range::EVERYWHERE);
                let tell = |state: &JointState, joint: &JointDescription| {
                    let brakes = now - self.stopped <= later + joint.stopping.latency().most;
                    joint.stopping.stopping_motion(state, later, brakes)
                };
                let [told, believed] = known.map_or([Told::ENDLESS; 2], |(joint, state)| {
                    [tell(state, joint), tell(&JointState { velocity, ..*state }, joint)]
                });
                set_entry(&mut self.told, value, told);
                set_entry(&mut self.told_believed, value, believed);
                if let (Some((joint, _)), Some(rest)) = (known, self.from_rest.get_mut(value))
                    && rest.1 != later
                {
                    // What seems to rest may be as fast as its errors let it be.
                    let seeming = self.seeming.get(value).copied().unwrap_or(f64::INFINITY);
                    let way = joint.stopping.way_of(seeming, later);
                    *rest = (if way.is_finite() { way } else { 0.0 }, later);
                }
            }
        }
    }

    /// Fills in what all joints may pass until they rest; [`Joints::find_stopping_states`] comes before. The
    /// first value without an end is returned.
    pub fn fill_near_box(&self, [low, high]: &mut [Vec<f64>; 2]) -> Option<usize> {
        let mut unbounded = None;
        let known = self.described.iter().zip(&self.states).zip(&self.told).enumerate();
        for (value, ((joint, state), told)) in known {
            let range = joint.stopping.passed_after(state, told, (0.0, 0.0), &Range::exactly(0.0));
            set_entry(low, value, range.least);
            set_entry(high, value, range.most);
            if !(range.least.is_finite() && range.most.is_finite()) {
                unbounded = unbounded.or(Some(value));
            }
        }
        unbounded
    }

    /// Fills in what all joints may pass until they rest if they go on for `ahead` (s) at a pace after the
    /// next state; [`Joints::find_stopping_states`] comes before. The first value without an end is returned.
    /// The box holds also what a joint could pass once it rests, the way that its controller says it would go
    /// on, or else that it goes now; if its velocity is the one that was told.
    ///
    /// Without the latter an arm that comes nearer until its speed is zero would rest where it is stopped,
    /// since what rests may begin to move, and may seem to. So the speed falls to zero before such a place,
    /// and the arm may leave it.
    pub fn fill_far_box(&self, (ahead, pace): (f64, Pace), [low, high]: &mut [Vec<f64>; 2]) -> Option<usize> {
        let mut unbounded = None;
        for value in 0..self.described.len() {
            let (Some((range, joint)), Some((believed, _))) = (
                self.gone_on(value, &self.told, (ahead, pace)),
                self.gone_on(value, &self.told_believed, (ahead, pace)),
            ) else {
                continue;
            };
            let from_rest = self.from_rest.get(value).map_or(0.0, |(way, _)| *way);
            let asked = self.asked.get(value).map_or(f64::NAN, |asked| asked * pace.part);
            // A controller that does not tell where it would go is taken to go on as the joint moves now.
            let velocity = self.believed.get(value).copied().unwrap_or(Range::EVERYWHERE);
            let (is_down, is_up) = if asked.is_nan() {
                (velocity.most < 0.0, velocity.least > 0.0)
            } else {
                (asked < 0.0, asked > 0.0)
            };
            // Two readings at rest differ by so much.
            let on = from_rest + 2.0 * joint.position_error;
            let least = if is_down { range.least.min(believed.least - on) } else { range.least };
            let most = if is_up { range.most.max(believed.most + on) } else { range.most };
            set_entry(low, value, least);
            set_entry(high, value, most);
            if !(least.is_finite() && most.is_finite()) {
                unbounded = unbounded.or(Some(value));
            }
        }
        unbounded
    }

    /// What a joint may pass if it goes on for `ahead` (s) at a pace, and what is known of it.
    fn gone_on(
        &self,
        value: usize,
        told: &[Told],
        (ahead, pace): (f64, Pace),
    ) -> Option<(Range, &JointDescription)> {
        let joint = self.described.get(value)?;
        let (state, told) = (self.states.get(value)?, told.get(value)?);
        let asked = self.asked.get(value).copied()?;
        let range = if asked.is_nan() {
            let believed = self.believed.get(value)?;
            joint.stopping.passed_after(state, told, (ahead, pace.multiple), believed)
        } else {
            let on = asked * pace.part;
            joint.stopping.passed_at(state, told, ahead, [-on, on])
        };
        Some((range, joint))
    }

    /// The first joint value that would pass the end of its range by more than what it may pass from rest,
    /// and that end: if it goes on for `ahead` (s) at a pace, or is told to stop at the next state. So a
    /// joint may rest at the end of its range.
    pub fn value_beyond_range(&self, on: Option<(f64, Pace)>) -> Option<(usize, f64, f64)> {
        let (ahead, pace) = on.unwrap_or((0.0, Pace::REST));
        (0..self.described.len()).find_map(|value| {
            let (range, joint) = self.gone_on(value, &self.told, (ahead, pace))?;
            let (state, (from_rest, _)) = (self.states.get(value)?, self.from_rest.get(value)?);
            let ([low, high], error) = (joint.position, joint.position_error);
            let (least, most) = (range.least + from_rest + error, range.most - from_rest - error);
            let way = self.asked.get(value).map_or(f64::NAN, |asked| asked * pace.part * ahead);
            let (down, up) = if way.is_nan() || on.is_none() {
                // Only towards where it moves.
                let down = least < low - error && range.least < state.position.least;
                (down, most > high + error && range.most > state.position.most)
            } else {
                // What is asked for counts in full. It ends so early that no reading is beyond the end.
                let q = 0.5 * (state.position.least + state.position.most);
                let (least, most) = (least.min(q + way), most.max(q + way));
                (way < 0.0 && least < low + 2.0 * error, way > 0.0 && most > high - 2.0 * error)
            };
            let lowest = down.then_some((value, least.min(low), low));
            lowest.or(up.then_some((value, most.max(high), high)))
        })
    }
}
