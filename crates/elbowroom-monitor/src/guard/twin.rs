//! Two guards on the same input: a small comparator, which knows nothing of robots.
//!
//! A guard is deterministic, so two of them agree to the bit. Where they do not, or one is silent, something
//! broke: a program, a machine, or a line of the input. Which of the two is right is not asked.

use super::command::{Category, Command, Reason, ReasonKind};

/// Why the answers of two guards do not pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disagreement {
    /// They differ.
    Differ,
    /// One has not answered.
    Silent,
    /// Neither has answered.
    BothSilent,
}

impl Disagreement {
    /// It in words.
    pub const fn says(self) -> &'static str {
        match self {
            Disagreement::Differ => "two guards disagree",
            Disagreement::Silent => "a guard is silent",
            Disagreement::BothSilent => "both guards are silent",
        }
    }
}

/// The rule of two guards, whatever form their answers have: only two that are the same pass.
///
/// # Errors
/// Why nothing passes.
pub fn compare_outcomes<T>(
    one: Option<T>,
    other: Option<T>,
    same: impl FnOnce(&T, &T) -> bool,
) -> Result<T, Disagreement> {
    match (one, other) {
        (Some(one), Some(other)) if same(&one, &other) => Ok(one),
        (Some(_), Some(_)) => Err(Disagreement::Differ),
        (Some(_), None) | (None, Some(_)) => Err(Disagreement::Silent),
        (None, None) => Err(Disagreement::BothSilent),
    }
}

/// The command of two guards for the same state (`t`, s): that of both if they agree, else a stop.
pub fn agreed_command(one: Option<&Command>, other: Option<&Command>, t: f64) -> Command {
    compare_outcomes(one, other, |one, other| is_same_command(one, other)).copied().unwrap_or_else(|why| {
        let mut stopped = one.or(other).copied().unwrap_or_else(|| Command::new_permit(0, t, 0));
        stopped.stop_for(Category::Zero, Reason::new(ReasonKind::Disagreement).with_words(why.says()));
        stopped
    })
}

/// Whether two commands are the same, bit by bit.
fn is_same_command(one: &Command, other: &Command) -> bool {
    let bits = |numbers: [f64; 2]| numbers.map(f64::to_bits);
    let reasons = one.reasons().zip(other.reasons()).all(|(a, b)| {
        (a.kind, a.pair, a.value, a.arm, a.says) == (b.kind, b.pair, b.value, b.arm, b.says)
            && bits([a.measured, a.limit]) == bits([b.measured, b.limit])
    });
    let exact = |c: &Command| (c.step, c.action, c.category, c.pair, c.more, c.ask, c.work, c.fingerprint);
    exact(one) == exact(other)
        && bits([one.t, one.speed]) == bits([other.t, other.speed])
        && one.distance.map(bits) == other.distance.map(bits)
        && one.pad_left.map(f64::to_bits) == other.pad_left.map(f64::to_bits)
        && one.reasons().count() == other.reasons().count()
        && reasons
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::command::Action;

    #[test]
    fn only_two_equal_commands_pass() {
        let one = Command::new_permit(3, 0.1, 7);
        assert_eq!(agreed_command(Some(&one), Some(&one), 0.1).action, Action::Permit);
        let mut others = [one; 5];
        others[0].speed = 1.0_f64.next_down();
        others[1].step = 4;
        others[2].distance = Some([0.1, 0.2]);
        others[4].pad_left = Some(0.001);
        others[3].slow_for(0.5, Reason::new(ReasonKind::Rising));
        for other in others {
            for (a, b) in [(one, other), (other, one)] {
                let command = agreed_command(Some(&a), Some(&b), 0.1);
                assert_eq!((command.action, command.category), (Action::Stop, Some(Category::Zero)));
                assert!(command.reasons().any(|reason| reason.kind == ReasonKind::Disagreement));
            }
        }
        for (a, b) in [(Some(&one), None), (None, Some(&one)), (None, None)] {
            assert_eq!(agreed_command(a, b, 0.1).action, Action::Stop);
        }
        // A NaN is itself.
        let nan = Command::new_permit(3, f64::NAN, 7);
        assert_eq!(agreed_command(Some(&nan), Some(&nan), 0.1).action, Action::Permit);
    }
}
