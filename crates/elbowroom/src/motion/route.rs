//! What a search along a motion asks of it: the straight motion between two configurations, or a piece of a
//! spline with a tolerance.
//!
//! Of an interval it needs the values at the middle and three numbers for each value: the most that it
//! changes from there to any instant of the interval; how far a straight motion through the middle goes to
//! either end, with one clock for all joints; and how far the value may be from that straight motion. A
//! tolerance is added to the first and the last, so a proof covers every execution that is within it at each
//! instant, whether its joints are early or late, and however fast it goes to and fro.

use super::route_bounds::RouteBounds;
use super::spline::SplinePiece;
use super::way::{Way, write_rounding};
use crate::pose::fault::SetOptions;
use alloc::vec::Vec;

/// A motion.
#[derive(Clone, Copy)]
pub(super) enum Route<'a> {
    /// From one configuration to another.
    Straight([&'a [f64]; 2]),
    /// A piece of a spline, and what its tolerance is multiplied by.
    Spline(&'a SplinePiece, f64),
}

impl Route<'_> {
    /// The values at a fraction of the motion.
    #[inline]
    pub fn values_at(&self, way: &Way, t: f64, values: &mut [f64]) {
        match self {
            Route::Straight(ends) => way.values_at(*ends, t, values),
            Route::Spline(piece, _) => piece.write_values(t, values),
        }
    }

    /// Bounds an interval of the motion.
    #[inline]
    pub fn bound_interval(&self, way: &Way, interval: [f64; 2], bounds: &mut RouteBounds) {
        let RouteBounds { change, half, beside } = bounds;
        match self {
            Route::Straight(ends) => {
                way.half_change(*ends, interval, change);
                way.half_way(*ends, interval, half);
                write_rounding(way, half, change, beside);
            }
            Route::Spline(piece, factor) => piece.bound_interval(interval, *factor, bounds),
        }
    }

    /// What the tolerance alone changes each value by; none if there is no tolerance.
    pub fn write_tolerance(&self, change: &mut Vec<f64>) {
        change.clear();
        if let Route::Spline(piece, factor) = self {
            piece.write_tolerance(*factor, change);
        }
    }

    /// Which values are accepted on the way. A spline was held against the limits as a whole.
    pub fn set_options(&self, set: SetOptions) -> SetOptions {
        match self {
            Route::Straight(_) => set,
            Route::Spline(..) => SetOptions { ignore_limits: true },
        }
    }
}
