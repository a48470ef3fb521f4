//! What a proved interval means.

use crate::model::world::World;
use core::fmt;

/// What a clearance means for a robot. Ordered from harmless to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Proved farther apart than the margin.
    Clear,
    /// Proved apart, but not by the margin.
    Near,
    /// Touching where the task says so: a gripper and what it holds, a foot and the floor. Given only by
    /// callers who know the task (roles); the interval alone never yields it.
    ExpectedContact,
    /// Overlap is proved.
    Collision,
    /// Neither is proved. It means stop: it is never turned into [`Verdict::Clear`].
    Unknown,
}

impl Verdict {
    /// The verdict on a signed distance in `[lower, upper]` (metres), with the clearance `margin`
    /// (metres, >= 0) that is asked for; a negative one counts as zero. Whatever is not a proof, NaN and
    /// empty intervals included, is [`Verdict::Unknown`]. A margin that is NaN leaves overlap to be proved,
    /// but nothing that the margin is needed for.
    pub fn of(lower: f64, upper: f64, margin: f64) -> Verdict {
        // Every comparison is false for NaN, and so leads to the last line.
        if lower <= upper && upper < 0.0 {
            Verdict::Collision
        } else if lower <= upper && lower > 0.0 && lower > margin {
            Verdict::Clear
        } else if lower <= upper && lower > 0.0 && lower <= margin {
            Verdict::Near
        } else {
            Verdict::Unknown
        }
    }

    /// The word of the outward contract: `clear`, `near`, `expected_contact`, `collision`, `unknown`.
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

/// What a verdict on all checked pairs says of the world: of a robot without shapes nothing is known, so
/// that the world is not free.
#[inline]
pub(crate) fn of_all(world: &World, verdict: Verdict) -> Verdict {
    if world.blind && verdict != Verdict::Collision { Verdict::Unknown } else { verdict }
}

#[cfg(test)]
mod tests {
    use super::Verdict::{self, *};

    #[test]
    fn only_proofs_count() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let cases = [
            (0.2, 0.3, 0.1, Clear),
            (0.2, inf, 0.1, Clear),
            (inf, inf, 0.1, Clear),
            (0.1, 0.3, 0.1, Near),
            (1e-300, 0.3, 0.0, Clear),
            (1e-300, 0.3, 0.1, Near),
            (0.0, 0.3, 0.0, Unknown),
            (-1e-12, 1e-12, 0.0, Unknown),
            (-0.1, 0.0, 0.0, Unknown),
            (-inf, inf, 0.0, Unknown),
            (-0.2, -0.1, 0.0, Collision),
            (-inf, -1e-300, 0.5, Collision),
            // Not an interval, or not a margin: no proof of anything that the margin is needed for.
            (0.3, 0.2, 0.0, Unknown),
            (nan, 0.2, 0.0, Unknown),
            (0.1, nan, 0.0, Unknown),
            (0.1, 0.2, nan, Unknown),
            (inf, inf, nan, Unknown),
            (-0.2, -0.1, nan, Collision),
            // A negative margin is none.
            (0.1, 0.2, -1.0, Clear),
            (0.0, 0.2, -1.0, Unknown),
            (-0.5, 0.2, -1.0, Unknown),
            (-0.2, -0.1, -1.0, Collision),
        ];
        for (lower, upper, margin, verdict) in cases {
            assert_eq!(Verdict::of(lower, upper, margin), verdict, "[{lower}, {upper}], margin {margin}");
        }
    }
}
