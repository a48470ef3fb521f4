//! How much a detection computed.

use std::ops::AddAssign;

/// What a detection did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Nodes taken apart.
    pub expanded: usize,
    /// Distances of boxes and r-cylinders.
    pub primitives: usize,
    /// Distances of polytopes.
    pub polytopes: usize,
    /// Parts whose corners were moved.
    pub moved: usize,
}

impl AddAssign<&Counts> for Counts {
    fn add_assign(&mut self, more: &Counts) {
        self.expanded += more.expanded;
        self.primitives += more.primitives;
        self.polytopes += more.polytopes;
        self.moved += more.moved;
    }
}
