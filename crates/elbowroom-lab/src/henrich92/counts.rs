//! How much an approach computed.

use std::ops::AddAssign;

/// What was computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ApproachCounts {
    /// Distances of polytopes.
    pub polytopes: usize,
    /// Steps of their searches.
    pub steps: usize,
    /// Distances of primitives.
    pub primitives: usize,
    /// What is kept from step to step and was brought up to date: starts of searches, distances of pairs, and
    /// corners whose way was measured for that.
    pub kept: usize,
}

impl AddAssign<&ApproachCounts> for ApproachCounts {
    fn add_assign(&mut self, more: &ApproachCounts) {
        self.polytopes += more.polytopes;
        self.steps += more.steps;
        self.primitives += more.primitives;
        self.kept += more.kept;
    }
}
