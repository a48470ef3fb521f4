//! What is known of an interval of a motion: how far each value goes on it.

use super::course::Straight;
use alloc::vec;
use alloc::vec::Vec;

/// What is known of an interval of a motion, by value; see [`Straight`] for quaternions.
#[derive(Clone, Debug)]
pub(super) struct RouteBounds {
    /// The most that each changes from the middle, rounding and tolerance included.
    pub change: Vec<f64>,
    /// How far each goes from the middle to the end on the straight motion.
    pub half: Vec<f64>,
    /// How far each may be from the straight motion, rounding and tolerance included.
    pub beside: Vec<f64>,
}

impl RouteBounds {
    /// For so many values.
    pub fn new(values: usize) -> RouteBounds {
        let [change, half, beside] = [vec![0.0; values], vec![0.0; values], vec![0.0; values]];
        RouteBounds { change, half, beside }
    }

    /// The straight motion.
    pub fn straight(&self) -> Straight<'_> {
        Straight { half: &self.half, beside: &self.beside }
    }
}
