//! A way between two samples, as a motion checker is asked about it.

use elbowroom::motion::{Doubt, Edge, EdgeOptions, MotionChecker, SplinePiece};

/// A way between two samples, as it is asked.
#[derive(Clone, Copy)]
pub enum AskedWay<'a> {
    /// Straight between these values.
    Straight([&'a [f64]; 2]),
    /// A spline.
    Spline(&'a SplinePiece),
}

impl AskedWay<'_> {
    /// The answer; nothing is known where the way is refused.
    pub fn check_free(self, checker: &mut MotionChecker, options: &EdgeOptions) -> Edge {
        // Ways were checked before: a refusal means that nothing is known.
        let unknown = Edge::Unknown { at: [0.0, 1.0], pair: None, why: Doubt::NothingKnown };
        match self {
            AskedWay::Straight(ends) => checker.check_edge(ends, options).unwrap_or(unknown),
            AskedWay::Spline(spline) => checker.check_spline(spline, options).unwrap_or(unknown),
        }
    }
}
