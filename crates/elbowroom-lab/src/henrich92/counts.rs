//! How much an approach computed.

use std::ops::AddAssign;

/// What was computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Distances of polytopes.
    pub polytopes: usize,
    /// Steps of their searches.
    pub steps: usize,
    /// Distances of primitives.
    pub primitives: usize,
}

impl AddAssign<&Counts> for Counts {
    fn add_assign(&mut self, more: &Counts) {
        self.polytopes += more.polytopes;
        self.steps += more.steps;
        self.primitives += more.primitives;
    }
}
