//! Verdicts: what a proved interval means for a robot.

use core::fmt;

/// What a clearance means for a robot. Ordered from harmless to worst, so the largest of several is the
/// verdict of all together.
///
/// ```
/// use elbowroom_pair::Verdict;
///
/// let together = [Verdict::Clear, Verdict::Unknown, Verdict::Near].into_iter().max();
/// assert_eq!(together, Some(Verdict::Unknown), "not proved is worse than all that is");
/// assert_eq!(Verdict::Near.word(), "near");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Verdict {
    /// Proved farther apart than the margin.
    Clear,
    /// Proved apart, but not by the margin.
    Near,
    /// Touching where that is meant: on soft pads, no deeper than they give way. The interval alone cannot
    /// tell, so no question has this answer; the engine's `PadChecker` puts it in the place of
    /// [`Verdict::Collision`] or [`Verdict::Unknown`]. Callers who know that the task means a contact, as of
    /// a gripper and what it holds, may do the same.
    ExpectedContact,
    /// Overlap is proved.
    Collision,
    /// None of these is proved. It means stop: it is never turned into [`Verdict::Clear`].
    Unknown,
}

impl Verdict {
    /// The word in outputs: `clear`, `near`, `expected_contact`, `collision`, `unknown`.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Clear => "clear",
            Verdict::Near => "near",
            Verdict::ExpectedContact => "expected_contact",
            Verdict::Collision => "collision",
            Verdict::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
