//! How much work a question took.

/// How the checked pairs were decided: `pruned + proved + unknown + skipped = pairs`. For the smallest
/// distance, a pair is pruned if its bound is above a distance that was found. Where all pairs are asked, a
/// pair is pruned only beyond the cutoff. It is [`Answer::counts`](crate::Answer::counts).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Counts {
    /// Checked pairs of bodies in the world.
    pub pairs: usize,
    /// Pairs that are allowed to touch, or cannot move, and are not checked.
    pub allowed: usize,
    /// Decided by bounds around the bodies.
    pub pruned: usize,
    /// Decided by a proved distance of their shapes.
    pub proved: usize,
    /// Asked, and neither apart nor overlapping was proved.
    pub unknown: usize,
    /// Never asked, because another pair decided a test.
    pub skipped: usize,
    /// Nodes of the trees over moving and fixed bodies whose children were bounded; zero in a world without
    /// many fixed bodies.
    pub nodes: usize,
    /// Pairs of shapes whose distance was computed.
    pub shape_queries: usize,
    /// Steps of all searches for those distances: farthest points taken, or pairs of triangles asked. Closed
    /// forms take no steps.
    pub steps: usize,
}

impl Counts {
    /// Counts a pair of bodies that was asked.
    pub(crate) fn count_pair(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Proved => self.proved += 1,
            Outcome::Unknown => self.unknown += 1,
        }
    }
}

/// What a pair showed when it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is proved apart or overlapping, or beyond the cutoff.
    Proved,
    /// Neither apart nor overlapping was proved.
    Unknown,
}
