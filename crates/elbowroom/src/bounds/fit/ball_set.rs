//! The balls that primitives are fitted around.

use super::fours::Runs;
use super::outline::outline_core;
use crate::bounds::ball::Ball;
use crate::bounds::on_body::OnBody;
use crate::bounds::tolerance::{FIT_AS_IS, FIT_DIRECTIONS, FIT_FEW};
use alloc::vec::Vec;
use elbowroom_describe::math::{Transform, Vec3, sin_cos, sqrt, vec3};
use elbowroom_pair::numeric::tolerance::{NORM_ROUNDING, SHIFT_PER_OFFSET};
use elbowroom_pair::shape::hull::Hull;
use elbowroom_pair::shape::solid::Shape;

/// Balls in one frame (metres) whose convex hull contains a set of shapes: each corner of a shape becomes a
/// ball with the shape's radius and rounding. Round shapes are replaced by polytopes around them, a few
/// thousandths larger.
#[derive(Clone, Debug, Default)]
pub struct BallSet {
    balls: Vec<Ball>,
}

impl BallSet {
    /// No balls.
    pub fn new() -> BallSet {
        BallSet::default()
    }

    /// The balls of one shape, in its own frame.
    pub fn of_shape(shape: &Shape) -> BallSet {
        let mut set = BallSet::new();
        set.add(shape, &Transform::IDENTITY, 0.0);
        set
    }

    /// A ball of `radius` (metres) about each point.
    pub fn of_points(points: &[Vec3], radius: f64) -> BallSet {
        BallSet { balls: points.iter().map(|&center| Ball { center, radius }).collect() }
    }

    /// The balls of all shapes of a body, in its frame.
    pub(crate) fn of_shapes<'a>(shapes: impl Iterator<Item = OnBody<'a>>) -> BallSet {
        let mut set = BallSet::new();
        for s in shapes {
            set.add(s.shape, &s.shape_in_body, s.defect);
        }
        set
    }

    /// Adds a shape, whose pose in the set's frame is given. `defect` bounds how far its rotation matrix is
    /// from a rotation (Frobenius norm).
    pub fn add(&mut self, shape: &Shape, shape_in_set: &Transform, defect: f64) {
        let at = shape_in_set;
        let still = *at == Transform::IDENTITY;
        let (points, out) = outline_core(shape.core());
        let radius = shape.radius() + out;
        let offset = at.translation.norm() * SHIFT_PER_OFFSET;
        self.balls.extend(points.into_iter().map(|p| {
            if still {
                return Ball { center: p, radius };
            }
            let moved = p.norm() * (defect + SHIFT_PER_OFFSET) + offset;
            Ball { center: at.point(p), radius: (radius + moved) * (1.0 + NORM_ROUNDING) }
        }));
    }

    /// Adds a ball.
    pub fn add_ball(&mut self, ball: Ball) {
        self.balls.push(ball);
    }

    /// All balls.
    pub fn balls(&self) -> &[Ball] {
        &self.balls
    }

    /// Whether there are balls and all numbers are finite: otherwise nothing can be fitted.
    pub(super) fn is_usable(&self) -> bool {
        let fine = |b: &Ball| b.center.is_finite() && b.radius >= 0.0 && b.radius.is_finite();
        !self.balls.is_empty() && self.balls.iter().all(fine)
    }

    /// The origin and the unit of searches: the middle of the box around the centres, and half of its
    /// diagonal plus the largest radius.
    pub(super) fn search_frame(&self) -> (Vec3, f64) {
        let first = self.balls[0].center;
        let (low, high) =
            self.balls.iter().fold((first, first), |(l, h), b| (l.min(b.center), h.max(b.center)));
        let widest = self.balls.iter().fold(0.0, |r: f64, b| r.max(b.radius));
        (low + (high - low) * 0.5, (high - low).norm() * 0.5 + widest)
    }

    /// The balls that a search uses, in units of `size` about `middle`: all if they are few, else those that
    /// are extreme along many directions.
    pub(super) fn balls_to_search(&self, middle: Vec3, size: f64) -> Vec<Ball> {
        let unit = if size > 0.0 { 1.0 / size } else { 1.0 };
        let scaled = |b: &Ball| Ball { center: (b.center - middle) * unit, radius: b.radius * unit };
        if self.balls.len() <= FIT_AS_IS {
            return self.balls.iter().map(scaled).collect();
        }
        let corners = self.corner_balls();
        if corners.len() <= FIT_FEW {
            return corners.iter().map(scaled).collect();
        }
        let runs = Runs::new(&corners, middle);
        let mut chosen: Vec<usize> =
            (0..FIT_DIRECTIONS).map(|k| runs.find_highest(spread_direction(k, FIT_DIRECTIONS))).collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen.iter().map(|&i| scaled(&corners[i])).collect()
    }

    /// The balls at corners of the centres' hull if all radii are equal, else all balls.
    fn corner_balls(&self) -> Vec<Ball> {
        let same =
            self.balls.iter().all(|b| b.radius <= self.balls[0].radius * (1.0 + 1e-9) + f64::MIN_POSITIVE);
        let centers: Vec<Vec3> = self.balls.iter().map(|b| b.center).collect();
        match Hull::build_unchecked(&centers) {
            Ok(hull) if same => {
                let radius = self.balls.iter().fold(0.0, |r: f64, b| r.max(b.radius));
                hull.vertices().map(|center| Ball { center, radius }).collect()
            }
            _ => self.balls.clone(),
        }
    }
}

/// One of `n` directions spread evenly (Fibonacci's spiral).
pub(super) fn spread_direction(k: usize, n: usize) -> Vec3 {
    let z = 1.0 - (2 * k + 1) as f64 / n as f64;
    let (s, c) = sin_cos(k as f64 * 2.399_963_229_728_653);
    let r = sqrt((1.0 - z * z).max(0.0));
    vec3(r * c, r * s, z)
}
