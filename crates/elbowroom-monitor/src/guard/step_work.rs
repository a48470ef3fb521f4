//! How much a step of the guard asked.

use elbowroom::motion::MotionChecker;

/// How much work a step took: each number has a bound of its own, so the time has one too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepWork {
    /// Questions about ranges.
    pub ranges: u32,
    /// Pairs asked in them.
    pub pairs: u32,
    /// Queries of two shapes in them.
    pub shapes: u32,
    /// Questions about two bodies: how fast they are, and whether they come nearer.
    pub motions: u32,
}

impl StepWork {
    /// Counts what the last question took.
    pub(super) fn add(&mut self, ranges: &MotionChecker) {
        let counts = ranges.range_counts();
        self.ranges += 1;
        self.pairs += counts.asked + counts.again;
        self.shapes += counts.shape_queries as u32;
    }
}
