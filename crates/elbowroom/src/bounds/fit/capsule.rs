//! A capsule of small volume around balls.
//!
//! The line of the axis and the radius determine the shortest segment. So the volume depends on five numbers:
//! two tilts and two shifts of the line, and how much the radius exceeds the least one. A small excess pays,
//! because the segment at first shortens at an infinite rate. The search starts from every likely axis: the
//! axes of the frame and of the box, the principal axes, and the diameter.

use super::effort::FitEffort;
use super::search::{SEED, search_locally};
use super::{ball, boxes};
use crate::bounds::ball::Ball;
use crate::bounds::capsule::Capsule;
use crate::bounds::fit::ball_set::BallSet;
use crate::bounds::fit::fours::{Feet, Fours};
use crate::bounds::tolerance::{FIT_FLAT, FIT_STARTS, FIT_TRIES};
use alloc::vec::Vec;
use elbowroom_describe::math::{Random, Vec3};
use elbowroom_pair::numeric::tolerance::ROUNDOFF;

/// A capsule of small volume around a set of balls, at most the volume of the ball; `None` for an empty or
/// invalid set.
pub fn fit_capsule(set: &BallSet, effort: FitEffort) -> Option<Capsule> {
    let round = ball::fit_ball(set)?;
    let (middle, size) = set.search_frame();
    let balls = set.balls_to_search(middle, size);
    let small = match effort {
        FitEffort::Quick => fit_along_axes(&balls),
        FitEffort::Thorough => search_capsule(&balls),
    };
    let at = |p: Vec3| middle + p * size;
    let mut capsule = Capsule { a: at(small.a), b: at(small.b), radius: 0.0 };
    // The proof: the radius that contains all balls.
    capsule.radius = set.balls().iter().map(|b| capsule.radius_for(b)).fold(0.0, f64::max);
    let ball = Capsule { a: round.center, b: round.center, radius: round.radius * (1.0 + ROUNDOFF) };
    Some(if capsule.volume() <= ball.volume() { capsule } else { ball })
}

/// A line that a search starts from, and two directions across it.
#[derive(Clone, Copy)]
struct AxisStart {
    at: Vec3,
    along: Vec3,
    across: [Vec3; 2],
}

impl AxisStart {
    /// The line along a direction through the middle of the projection of the balls.
    fn new(along: Vec3, balls: &[Ball]) -> AxisStart {
        let u = along.any_perpendicular();
        let across = [u, along.cross(u)];
        let flat: Vec<Ball> = balls
            .iter()
            .map(|b| Ball { center: b.center - along * b.center.dot(along), radius: b.radius })
            .collect();
        AxisStart { at: ball::smallest_ball_around(&flat).center, along, across }
    }
    fn axis_line(&self, x: &[f64; 5]) -> (Vec3, Vec3) {
        let [u, v] = self.across;
        let along = (self.along + u * x[0] + v * x[1]).normalized().unwrap_or(self.along);
        (self.at + u * x[2] + v * x[3], along)
    }
}

/// The smallest capsule along a principal axis or an axis of the frame.
fn fit_along_axes(balls: &[Ball]) -> Capsule {
    let (fours, mut feet) = (Fours::new(balls), Vec::new());
    let axes = boxes::principal_axes(balls).cols.into_iter().chain([Vec3::X, Vec3::Y, Vec3::Z]);
    let about =
        |axis| shortest_capsule(&fours, AxisStart::new(axis, balls).axis_line(&[0.0; 5]), 0.0, &mut feet);
    let best = axes.map(about).reduce(|a, b| if b.1 < a.1 { b } else { a });
    best.map_or(NONE, |b| b.0)
}

const NONE: Capsule = Capsule { a: Vec3::ZERO, b: Vec3::ZERO, radius: 0.0 };

fn search_capsule(balls: &[Ball]) -> Capsule {
    let mut random = Random(SEED);
    let (fours, mut feet) = (Fours::new(balls), Vec::new());
    let mut starts: Vec<(f64, AxisStart, [f64; 5])> = candidate_axes(balls)
        .into_iter()
        .map(|along| {
            let start = AxisStart::new(along, balls);
            let f = |x: &[f64; 5]| shortest_capsule(&fours, start.axis_line(x), x[4].abs(), &mut feet).1;
            let (x, volume) = search_locally([0.0; 5], 0.1, FIT_TRIES / 4, &mut random, f);
            (volume, start, x)
        })
        .collect();
    starts.sort_by(|a, b| a.0.total_cmp(&b.0));
    starts.truncate(FIT_STARTS);
    let mut best = (f64::INFINITY, NONE);
    for (_, start, x) in starts {
        let (mut x, mut step) = (x, 0.02);
        for _ in 0..3 {
            let f = |x: &[f64; 5]| shortest_capsule(&fours, start.axis_line(x), x[4].abs(), &mut feet).1;
            (x, _) = search_locally(x, step, FIT_TRIES, &mut random, f);
            step *= 0.1;
        }
        let (capsule, volume) = shortest_capsule(&fours, start.axis_line(&x), x[4].abs(), &mut feet);
        if volume < best.0 {
            best = (volume, capsule);
        }
    }
    best.1
}

/// The capsule about a line, its radius larger than the least one by the share `more`; and its volume, a
/// little thickened, so that flat capsules compare by their lengths.
fn shortest_capsule(balls: &Fours, line: (Vec3, Vec3), more: f64, feet: &mut Vec<Feet>) -> (Capsule, f64) {
    let [radius, mut low, mut high] = balls.cylinder_about(line, more, feet);
    if low > high {
        // A ball: any point between the two would do as its centre.
        low = 0.5 * (low + high);
        high = low;
    }
    let (at, along) = line;
    let fat = radius + FIT_FLAT;
    let volume = core::f64::consts::PI * fat * fat * (high - low + fat * (4.0 / 3.0));
    (Capsule { a: at + along * low, b: at + along * high, radius }, volume)
}

/// Directions of the axis that are tried.
fn candidate_axes(balls: &[Ball]) -> Vec<Vec3> {
    let mut axes = alloc::vec![Vec3::X, Vec3::Y, Vec3::Z];
    axes.extend(boxes::principal_axes(balls).cols);
    axes.extend(boxes::search_box_axes(balls).0.cols);
    let mut longest = (0.0, Vec3::X);
    for (i, p) in balls.iter().enumerate() {
        for q in &balls[..i] {
            let d = p.center - q.center;
            let length = d.norm_squared();
            if length > longest.0 {
                longest = (length, d);
            }
        }
    }
    axes.extend(longest.1.normalized());
    axes
}
