//! What an octree has done since it was made.

use crate::limits::OCTREE_LEVELS;

/// What an octree has done since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OctreeCounts {
    /// Leaves that were split.
    pub splits: u64,
    /// Nodes whose children were merged.
    pub merges: u64,
    /// Moves within the same voxels, which change no leaf.
    pub stays: u64,
    /// Other moves, by the number of parents from the body's first leaf to the nearest common ancestor of its
    /// old and new leaves.
    pub climbs: [u64; OCTREE_LEVELS as usize + 1],
}
