//! Poses at which two bodies touch: from a random pose, joints move along the gradient of the distance until
//! it is zero, by Newton's method. No other bodies may overlap there.
//!
//! It finds contacts that are worth measuring, and makes contacts for simulations.

use crate::limits::{CLOSED, CLOSING_SHARE, CLOSING_STEPS, ENDLESS, NEAREST, OTHERS_OVERLAP};
use crate::meter::PairMeter;
use elbowroom::describe::JointLimits;
use elbowroom::math::Random;
use elbowroom::pose::SetOptions;
use elbowroom::{Checker, Geometry, PairId, Question, Verdict, World};
use std::fmt;

/// Finds poses at which pairs touch.
pub struct Closer<'w> {
    world: &'w World,
    meter: PairMeter<'w>,
    checker: Checker<'w>,
    geometry: Geometry,
    ranges: Vec<JointLimits>,
}

/// A pose at which two bodies touch.
#[derive(Clone, Debug, PartialEq)]
pub struct TouchingPose {
    /// The two bodies.
    pub pair: PairId,
    /// The joint values (radians, metres).
    pub values: Vec<f64>,
    /// How the distance changes with each joint value there (metres a radian, or metres a metre).
    pub slopes: Vec<f64>,
}

impl fmt::Debug for Closer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Closer").field("geometry", &self.geometry).finish_non_exhaustive()
    }
}

impl<'w> Closer<'w> {
    /// For the pairs of a world.
    pub fn new(world: &'w World, geometry: Geometry) -> Closer<'w> {
        let (meter, checker) = (PairMeter::new(world, geometry), Checker::new(world));
        Closer { world, meter, checker, geometry, ranges: world.value_ranges() }
    }

    /// Closes a pair from joint values at which it is apart. `None` if the search ends elsewhere, at limits
    /// or in another collision.
    pub fn close_pair(&mut self, pair: PairId, from: &[f64]) -> Option<TouchingPose> {
        let mut values = from.to_vec();
        for step in 0..CLOSING_STEPS {
            let measured = self.meter.measure_pair(pair, &values);
            let distance = measured.interval.estimate();
            let is_known = measured.interval.lower.is_finite() && measured.interval.upper.is_finite();
            if !is_known || measured.slopes.is_empty() || (step == 0 && measured.interval.lower <= 0.0) {
                return None;
            }
            if distance.abs() <= CLOSED {
                let is_free = self.meter.least_distance(&values) >= -OTHERS_OVERLAP;
                return is_free.then_some(TouchingPose { pair, values, slopes: measured.slopes });
            }
            self.move_along(&measured.slopes, distance, &mut values)?;
        }
        None
    }

    /// Moves values so that the distance becomes zero, to first order. Each goes in proportion to its range,
    /// and stays within it.
    fn move_along(&self, slopes: &[f64], distance: f64, values: &mut [f64]) -> Option<()> {
        let spans: Vec<f64> = self.ranges.iter().map(|r| (r.upper - r.lower).min(ENDLESS)).collect();
        let can_move = |k: usize| {
            let towards = -slopes[k] * distance;
            let at_end = if towards > 0.0 {
                values[k] >= self.ranges[k].upper
            } else {
                values[k] <= self.ranges[k].lower
            };
            towards != 0.0 && !at_end
        };
        let movable: Vec<usize> = (0..values.len()).filter(|k| can_move(*k)).collect();
        let all: f64 = movable.iter().map(|k| (slopes[*k] * spans[*k]).powi(2)).sum();
        if !(all > 0.0) {
            return None;
        }
        // In shares of the ranges.
        let share = |k: &usize| -distance * slopes[*k] * spans[*k] / all;
        let longest = movable.iter().map(|k| share(k).abs()).fold(0.0, f64::max);
        let scale = (CLOSING_SHARE / longest).min(1.0);
        let steps: Vec<(usize, f64)> = movable.iter().map(|k| (*k, scale * share(k) * spans[*k])).collect();
        for (k, step) in steps {
            values[k] = (values[k] + step).clamp(self.ranges[k].lower, self.ranges[k].upper);
        }
        Some(())
    }

    /// A random pose at which one of the nearest pairs touches, if `wanted` says yes to the pair. `None` if
    /// this try found none.
    pub fn draw_touching(
        &mut self,
        random: &mut Random,
        wanted: impl Fn(PairId) -> bool,
    ) -> Option<TouchingPose> {
        let from = self.world.draw_configuration(|| random.unit())?;
        self.checker.set_with(&from, SetOptions::default()).ok()?;
        // Most random poses of a hand overlap somewhere, and hardly one of them leads to a pose that is free.
        let question = Question::test().margin(0.0).geometry(self.geometry);
        if self.checker.ask(&question).verdict == Verdict::Collision {
            return None;
        }
        let mut near = Vec::new();
        self.checker.nearest_k(NEAREST, &Question::distance().geometry(self.geometry), &mut near);
        let near: Vec<PairId> = near.iter().map(|answer| answer.pair).filter(|pair| wanted(*pair)).collect();
        let pick = (random.unit() * near.len() as f64) as usize;
        self.close_pair(*near.get(pick)?, &from)
    }
}
