//! Whether a stop brakes: what the joints do after they were told to stop, against what was predicted.
//!
//! From the first command to stop until one to go on, each joint may go on as its profile lets it for the
//! greatest latency, and must slow down then as its brake does. A joint that is faster, or farther, has left
//! the model by which all that the arms may pass was proved clear. Of a brake of which only ways are known
//! that shows where the way ends; of one with a deceleration it shows at the next state.

use super::command::{Category, Command, Reason, ReasonKind};
use super::joints::Joints;
use crate::stopping::JointState;

/// What a joint does that has left its stop: by its speed, and by where it is.
const FASTER: &str = "was told to stop, and its brake has not slowed it down as it should (speed)";
const FARTHER: &str = "was told to stop, and is farther than its brake lets it come (position)";

/// A stop that lasts.
#[derive(Clone, Debug)]
pub(super) struct Braking {
    /// When it was told (s); NaN if the arms may go on.
    since: f64,
    /// By value, what was known when it was told, of which time (s), and by how many turns its positions had
    /// been moved.
    from: Vec<(f64, JointState, f64)>,
}

impl Braking {
    pub fn new(joints: &Joints) -> Braking {
        let from = joints.states.iter().map(|state| (f64::NAN, *state, 0.0)).collect();
        Braking { since: f64::NAN, from }
    }

    /// The arms were told to stop, or to go on, at a time (s).
    pub fn note_command(&mut self, stops: bool, now: f64, joints: &Joints) {
        if !stops {
            self.since = f64::NAN;
        } else if self.since.is_nan() {
            self.since = now;
            for arm in &joints.arms {
                let states = joints.states.get(arm.values.clone()).unwrap_or_default();
                let turned = joints.turned.get(arm.values.clone()).unwrap_or_default();
                let places = self.from.get_mut(arm.values.clone()).unwrap_or_default();
                for (place, (state, turned)) in places.iter_mut().zip(states.iter().zip(turned)) {
                    *place = (arm.t.unwrap_or(f64::NAN), *state, *turned);
                }
            }
        }
    }

    /// Stops for good if a joint does not come to rest as it must.
    pub fn judge_rest(&self, joints: &Joints, command: &mut Command) {
        if self.since.is_nan() {
            return;
        }
        for arm in &joints.arms {
            let Some(t) = arm.t.filter(|t| *t > self.since) else { continue };
            for value in arm.values.clone() {
                if let Some((says, measured, most)) = self.departure_from_stop(value, t, joints) {
                    let reason = Reason::new(ReasonKind::BeyondModel).of_value(value).with_words(says);
                    command.stop_for(Category::Zero, reason.with_limit(measured, most));
                }
            }
        }
    }

    /// How a joint has left its stop, if it has, with what is measured of it and the most that it could be.
    fn departure_from_stop(&self, value: usize, t: f64, joints: &Joints) -> Option<(&'static str, f64, f64)> {
        let ((began, from, turned), now) = (self.from.get(value)?, joints.states.get(value)?);
        let (joint, told) = (joints.described.get(value)?, joints.believed.get(value)?);
        let latest = self.since - began + joint.stopping.latency().most + 2.0 * joints.time_error;
        // By a clock that drifts less time may have passed, or more.
        let (time, drift) = (t - began, joints.drift);
        let bound =
            |v: f64| joint.stopping.braked_motion(v, latest + 2.0 * drift * time, time * (1.0 + drift));
        let (up, down) = (bound(from.velocity.most), bound(-from.velocity.least));
        // Both what is told and what positions say must allow it.
        let rises = told.least.max(now.velocity.least);
        let falls = told.most.min(now.velocity.most);
        let turns = joints.turned.get(value)? - turned;
        let (highest, lowest) = (from.position.most + turns + up.1, from.position.least + turns - down.1);
        if rises > up.0 {
            Some((FASTER, rises, up.0))
        } else if -falls > down.0 {
            Some((FASTER, falls, -down.0))
        } else if now.position.least > highest {
            Some((FARTHER, now.position.least, highest))
        } else if now.position.most < lowest {
            Some((FARTHER, now.position.most, lowest))
        } else {
            None
        }
    }
}
