//! Limits on the speed of bodies.
//!
//! A body is too fast if it cannot be proved to be slower than its limit at all velocities that are measured
//! now, within their uncertainty, and all positions that the arms may pass until they rest. Then the arms are
//! told the part of what is asked for at which it is slow enough. A controller that tells what it asks for is
//! told that part before its arms are too fast. If a controller tells nothing, only the motion of its arms is
//! known. Arms follow a command late and by a ramp. So the part is not lowered again while a body slows down,
//! or before it can have begun to.

use super::clear::Clear;
use super::command::{Category, Command, Reason, ReasonKind};
use super::fastest::WIDTH;
use super::limit::Reaction;
use super::limit_pace::LimitPace;
use super::now::Now;
use elbowroom::world::BodyPair;

/// What counts as becoming slower: by this part of the speed in a step.
const FALLS: f64 = 1e-3;

impl Clear<'_> {
    /// Slows down bodies that are faster than their limits, or would be.
    pub(super) fn judge_speeds(&mut self, now: Now, command: &mut Command) {
        for (number, limit) in now.d.speed_limits.iter().enumerate() {
            if limit.people_near && !self.are_people_near() {
                continue;
            }
            command.work.motions += 1;
            let speed = self.speed_of(limit.body, None);
            let is_too_fast = !(speed <= limit.most);
            let pair = BodyPair { a: limit.body, b: limit.body };
            let reason = Reason::new(ReasonKind::BodySpeed).of_pair(pair);
            if is_too_fast && limit.reaction == Reaction::Stop {
                command.stop_for(Category::One, reason.with_limit(speed, limit.most));
                continue;
            }
            let before = self.paces.get(number).copied().unwrap_or_default();
            let mut pace = LimitPace { speed, ..before };
            if now.joints.asked_speed().is_some() {
                let (part, asked) = self.part_at(now, (limit.body, None), limit.most, command);
                if is_too_fast || asked > limit.most {
                    command.slow_for(part, reason.with_limit(speed.max(asked), limit.most));
                }
            } else if !is_too_fast {
                // What is measured is the permitted part of what is asked for. Arms at rest may begin.
                if now.joints.permitted > 0.0 {
                    command.slow_for(
                        now.joints.permitted * (limit.most / speed),
                        reason.with_limit(speed, limit.most),
                    );
                }
            } else {
                let follows = speed < before.speed * (1.0 - FALLS) || now.t - before.slowed <= now.d.late;
                let (of_guess, _) = self.part_at(now, (limit.body, None), limit.most, command);
                let less = if follows { 1.0 } else { limit.most * (1.0 - WIDTH) / speed };
                let part = of_guess.min(now.joints.permitted * less);
                if part < now.joints.permitted {
                    pace.slowed = now.t;
                }
                command.slow_for(part, reason.with_limit(speed, limit.most));
            }
            if let Some(place) = self.paces.get_mut(number) {
                *place = pace;
            }
        }
    }
}
