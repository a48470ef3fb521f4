//! How much a detection computed.

use std::ops::AddAssign;

/// What a detection did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DetectionCounts {
    /// Nodes taken apart.
    pub expanded: usize,
    /// Distances of boxes and r-cylinders.
    pub primitives: usize,
    /// Distances of polytopes.
    pub polytopes: usize,
    /// Parts whose corners were moved.
    pub moved: usize,
}

impl DetectionCounts {
    /// What was done since these earlier counts of the same detection.
    pub fn since(&self, earlier: &DetectionCounts) -> DetectionCounts {
        DetectionCounts {
            expanded: self.expanded - earlier.expanded,
            primitives: self.primitives - earlier.primitives,
            polytopes: self.polytopes - earlier.polytopes,
            moved: self.moved - earlier.moved,
        }
    }
}

impl AddAssign<&DetectionCounts> for DetectionCounts {
    fn add_assign(&mut self, more: &DetectionCounts) {
        self.expanded += more.expanded;
        self.primitives += more.primitives;
        self.polytopes += more.polytopes;
        self.moved += more.moved;
    }
}

/// Pairs of an obstacle and a part whose approximations are near: how many polytopes a search must ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Near {
    /// Neither boxes nor r-cylinders are beyond the distance of the polytopes: no order of the search leaves
    /// these out, unless it ends at a collision.
    pub both: usize,
    /// Their r-cylinders are not beyond it.
    pub capsules: usize,
    /// Their r-cylinders collide.
    pub colliding: usize,
}

impl AddAssign<&Near> for Near {
    fn add_assign(&mut self, more: &Near) {
        self.both += more.both;
        self.capsules += more.capsules;
        self.colliding += more.colliding;
    }
}
