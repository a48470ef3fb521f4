//! What is marked on a plot.

use super::changed::ChangedPoint;
use super::events::EventMark;
use super::hatches::Hatch;
use super::way_marks::{LeastPoint, WayMark};

/// What is marked on a plot.
pub struct Marked<'a> {
    /// The samples of the worst moments.
    pub worst: &'a [usize],
    /// The events.
    pub events: &'a [EventMark],
    /// Poses that were asked once more after events.
    pub changed: &'a [ChangedPoint],
    /// What happens between samples.
    pub ways: &'a [WayMark],
    /// The least clearance on ways.
    pub least: &'a [LeastPoint],
    /// Where a pair is not checked.
    pub hatches: &'a [Hatch],
}
