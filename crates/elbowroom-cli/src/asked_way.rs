//! A way between two samples, as a motion checker is asked about it.

use crate::way_watch::WayWatch;
use elbowroom::motion::{Doubt, Edge, EdgeOptions, EdgeSoFar, MotionChecker, SplinePiece};

/// A way between two samples, as it is asked.
#[derive(Clone, Copy)]
pub enum AskedWay<'a> {
    /// Straight between these values.
    Straight([&'a [f64]; 2]),
    /// A spline.
    Spline(&'a SplinePiece),
}

impl AskedWay<'_> {
    /// The answer, which `watch` waits for; nothing is known where the way is refused.
    pub fn check_free(
        self,
        checker: &mut MotionChecker,
        options: &EdgeOptions,
        watch: &mut WayWatch,
    ) -> Edge {
        // Ways were checked before: a refusal means that nothing is known.
        let unknown = Edge::Unknown { at: [0.0, 1.0], pair: None, why: Doubt::NothingKnown };
        let mut look = |so_far: &EdgeSoFar| {
            watch.look_at_search(so_far);
            true
        };
        match self {
            AskedWay::Straight(ends) => {
                checker.check_edge_watched(ends, options, &mut look).unwrap_or(unknown)
            }
            AskedWay::Spline(spline) => {
                checker.check_spline_watched(spline, options, &mut look).unwrap_or(unknown)
            }
        }
    }
}
