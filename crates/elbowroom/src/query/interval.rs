//! A signed distance as far as it is proved: the idea that all answers share.

use crate::pair::clearance::Geometry;
use crate::query::verdict::Verdict;

/// A signed distance lies in it, proved: positive while bodies are apart, minus the penetration depth where
/// they overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// At least this (metres); minus infinity where nothing is proved.
    pub lower: f64,
    /// At most this (metres); infinite where a lower bound was enough. Negative only if overlap is proved.
    pub upper: f64,
    /// Of what: the declared bodies, or those that count as their convex hulls.
    pub geometry: Geometry,
}

impl Interval {
    /// What it means where the bodies should be farther apart than a margin (metres): [`Verdict::of`].
    pub fn verdict(&self, margin: f64) -> Verdict {
        Verdict::of(self.lower, self.upper, margin)
    }

    /// How much is not known (metres).
    pub fn width(&self) -> f64 {
        self.upper - self.lower
    }

    /// Whether a distance (metres) is possible.
    pub fn contains(&self, distance: f64) -> bool {
        self.lower <= distance && distance <= self.upper
    }
}
