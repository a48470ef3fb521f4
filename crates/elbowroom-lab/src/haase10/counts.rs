//! How much a test of the hand computed.

use std::ops::AddAssign;

/// Counts of one test, or of many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelCounts {
    /// Pairs of half fingers tested in level 1.
    pub first_pairs: u64,
    /// Of them, those that went on to level 2.
    pub second_entered: u64,
    /// Pairs of boxes tested in level 2.
    pub second_pairs: u64,
    /// Of them, those that went on to level 3.
    pub third_entered: u64,
    /// Pairs of boxes of tips, or of such a box and another solid, tested in level 3.
    pub tip_pairs: u64,
    /// Pairs of joints, and of a joint and a box.
    pub joint_pairs: u64,
    /// Runs of the separating axis test of boxes: the paper's passes.
    pub passes: u64,
    /// Axes that those runs tried.
    pub axes: u64,
    /// Runs that ended with the axis of the time before.
    pub kept: u64,
}

impl AddAssign<&LevelCounts> for LevelCounts {
    fn add_assign(&mut self, more: &LevelCounts) {
        self.first_pairs += more.first_pairs;
        self.second_entered += more.second_entered;
        self.second_pairs += more.second_pairs;
        self.third_entered += more.third_entered;
        self.tip_pairs += more.tip_pairs;
        self.joint_pairs += more.joint_pairs;
        self.passes += more.passes;
        self.axes += more.axes;
        self.kept += more.kept;
    }
}
