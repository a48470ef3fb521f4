//! What a restored guard knew before, until the arms have reported again.

use super::command::{Category, Command, Reason, ReasonKind};
use super::joints::{Joints, within_a_turn};
use super::parts::Parts;
use crate::roles::Arm;

/// The states of a snapshot.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// When the snapshot was written (s, time of day), and the time of its states (s).
    pub written: f64,
    pub t: f64,
    /// By arm: the time of its state (s), and its positions.
    pub arms: Vec<Option<(f64, Vec<f64>)>>,
    /// Whether all arms have reported since.
    pub seen: bool,
}

impl Kept {
    /// When all arms have reported for the first time: whether they are where they were, to within `most`
    /// (rad, m), on the same clock. Else the arms stop.
    pub fn compare_positions(
        &mut self,
        now: f64,
        most: f64,
        joints: &Joints,
        parts: &mut Parts,
        command: &mut Command,
    ) {
        if std::mem::replace(&mut self.seen, true) {
            return;
        }
        for (number, (arm, before)) in joints.arms.iter().zip(&self.arms).enumerate() {
            let Some((_, before)) = before else { continue };
            for (value, was) in arm.values.clone().zip(before) {
                let is = joints.positions.get(value).copied().unwrap_or(f64::NAN);
                // A joint without an end may count from another turn.
                let is_endless = joints.endless.get(value) == Some(&true);
                let way = if is_endless { within_a_turn(is - was) } else { is - was };
                if !(way.abs() <= most) {
                    let reason = Reason::new(ReasonKind::Restored).of_arm(number).of_value(value);
                    command.stop_for(Category::One, reason.with_limit(is, *was));
                }
            }
        }
        if now < self.t {
            let reason = Reason::new(ReasonKind::Restored).with_limit(now, self.t);
            command.stop_for(Category::One, reason.with_words("the clock of the states was set back"));
            // Until when the task meant something was told on the clock before.
            let arms = joints.arms.len();
            for slot in 0..=arms {
                let until = parts.intents().get(slot).and_then(|intent| intent.map(|(_, until)| until));
                if until.is_some_and(f64::is_finite) {
                    parts.set_intent((slot < arms).then_some(Arm(slot as u32)), None, f64::INFINITY);
                }
            }
        }
    }
}
