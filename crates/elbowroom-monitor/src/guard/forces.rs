//! The forces on the hands: how strong they may be, and whether they are measured still.
//!
//! A sensor that fails falls silent, or tells the same number for ever. Where the force on a hand has a
//! limit, and was measured once, both stop the arms.

use super::command::{Category, Command, Reason, ReasonKind};
use super::description::GuardDescription;

/// What is wrong with a force.
const FROZEN: &str = "it has not changed in its last bit";
const UNMEASURED: &str = "it is not measured any more";

/// The forces of all arms.
#[derive(Clone, Debug)]
pub(super) struct Forces {
    /// The greatest force (N), infinite for none, and how long one may be the same to the last bit (s).
    most: f64,
    still: f64,
    /// By arm, the last force (N), and since when it has been the same to the last bit (s); `None` until one
    /// was measured.
    last: Vec<Option<(f64, f64)>>,
}

impl Forces {
    pub fn new(d: &GuardDescription) -> Forces {
        Forces { most: d.contact_force, still: d.force_still, last: vec![None; d.arms.len()] }
    }

    /// Takes the force on the hand of an arm in at a time (s); `None`, or NaN, if it was not measured. False
    /// if it is no force.
    pub fn take_force(&mut self, arm: usize, force: Option<f64>, t: f64, command: &mut Command) -> bool {
        let Some(last) = self.last.get_mut(arm) else { return true };
        let reason = |kind| Reason::new(kind).of_arm(arm);
        let is_limited = self.most.is_finite();
        match force.filter(|force| !force.is_nan()) {
            // No hand presses with more, and sums of these stay finite.
            Some(force) if !(force.abs() <= 1e6) => {
                command.stop_for(Category::Zero, reason(ReasonKind::NotFinite).with_words("the force"));
                return false;
            }
            Some(force) => {
                if force.abs() > self.most {
                    command.stop_for(
                        Category::One,
                        reason(ReasonKind::ContactForce).with_limit(force.abs(), self.most),
                    );
                }
                let is_same = |(before, _): &(f64, f64)| before.to_bits() == force.to_bits();
                let since = last.filter(is_same).map_or(t, |(_, since)| since);
                *last = Some((force, since));
                if is_limited && t - since > self.still {
                    let reason = reason(ReasonKind::ForceLost).with_limit(t - since, self.still);
                    command.stop_for(Category::One, reason.with_words(FROZEN));
                }
            }
            // Who never measured has no sensor.
            None if is_limited && last.is_some() => {
                command.stop_for(Category::One, reason(ReasonKind::ForceLost).with_words(UNMEASURED));
            }
            None => {}
        }
        true
    }
}
