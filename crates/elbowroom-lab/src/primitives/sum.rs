//! The difference of two primitives as a zonotope, and its signed distance from the origin.
//!
//! Every direction `v` proves a bound: the origin is at least `(v.d - sum |v.g|) / |v|` away from a zonotope
//! of middle `d` and generators `g`, whatever `v` is and wherever it came from, apart or overlapping; only
//! that sum is rounded. So the search for a good direction needs no care for rounding:
//!
//! * apart: the nearest point of the zonotope, a least-squares problem with bounded unknowns, by active sets
//!   (Stark and Parker, "Bounded-variable least squares", 1995): some generators are free, the others at an
//!   end; the distance falls in every step. The direction is then made perpendicular to what is free, so that
//!   its rounding does not tilt long generators.
//! * overlapping or close: the nearest facet; its normal is the product of two generators (the fifteen
//!   separating axes of two boxes, Gottschalk 1996).

use super::oriented_box::OrientedBox;
use crate::limits::{GAP_DESCENT, GAP_FLAT, GAP_LARGEST, GAP_NEAR, GAP_STEPS, GAP_TOUCH};
use elbowroom::bounds::{AlignedBox, Ball, Capsule};
use elbowroom::math::Vec3;
use elbowroom::pair::numeric::tolerance::{LEAST_SQUARE, UNDERFLOW};
use elbowroom::tolerance::GAP_ROUNDING;

/// Generators of the difference of two primitives, and their radii.
pub(super) struct Sum {
    generators: [Vec3; 6],
    count: usize,
    // They are at right angles, so that one look at each finds the nearest point.
    square: bool,
    radius: f64,
    // Magnitudes of all numbers that the two are made of.
    scale: f64,
}

#[inline(always)]
fn sum_of_magnitudes(v: Vec3) -> f64 {
    v.x.abs() + v.y.abs() + v.z.abs()
}

impl Sum {
    #[inline(always)]
    pub fn new() -> Sum {
        Sum { generators: [Vec3::ZERO; 6], count: 0, square: true, radius: 0.0, scale: 0.0 }
    }

    // One too short for its square counts as a radius.
    #[inline(always)]
    fn add_generator(&mut self, g: Vec3) {
        let size = sum_of_magnitudes(g);
        self.scale += size;
        if g.norm_squared() > LEAST_SQUARE {
            self.generators[self.count] = g;
            self.count += 1;
        } else {
            self.radius += size;
        }
    }

    /// Adds a ball; its middle.
    #[inline(always)]
    pub fn add_ball(&mut self, b: &Ball) -> Vec3 {
        self.radius += b.radius;
        b.center
    }

    /// Adds a capsule; its middle.
    #[inline(always)]
    pub fn add_capsule(&mut self, c: &Capsule) -> Vec3 {
        self.radius += c.radius;
        self.scale += sum_of_magnitudes(c.a) + sum_of_magnitudes(c.b);
        self.square = self.count == 0;
        self.add_generator((c.b - c.a) * 0.5);
        c.center()
    }

    /// Adds a box; its middle.
    #[inline(always)]
    pub fn add_oriented_box(&mut self, b: &OrientedBox) -> Vec3 {
        self.square = self.count == 0;
        for k in 0..3 {
            self.add_generator(b.axes.cols[k] * b.half[k]);
        }
        b.center
    }

    /// Adds a box parallel to the axes; its middle.
    #[inline(always)]
    pub fn add_aligned_box(&mut self, b: &AlignedBox) -> Vec3 {
        self.scale += sum_of_magnitudes(b.low) + sum_of_magnitudes(b.high);
        self.square = self.count == 0;
        let half = b.size() * 0.5;
        for (k, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
            self.add_generator(axis * half[k]);
        }
        b.center()
    }

    #[inline(always)]
    fn generators(&self) -> &[Vec3] {
        &self.generators[..self.count]
    }

    /// What a direction proves but for rounding; minus infinity if it is none.
    #[inline(always)]
    fn bound_along(&self, d: Vec3, v: Vec3) -> f64 {
        // Scaled so that neither tiny nor huge directions lose digits.
        let v = v * (1.0 / v.max_abs());
        let across = self.generators().iter().fold(0.0, |sum, g| sum + v.dot(*g).abs());
        ((v.dot(d).abs() - across) / v.norm()).max(f64::NEG_INFINITY)
    }

    /// A lower bound on the signed distance of the origin from the sum about `d`, rounding included.
    pub fn signed_distance(&self, d: Vec3) -> f64 {
        let scale = self.scale + sum_of_magnitudes(d) + self.radius;
        if !(scale <= GAP_LARGEST) {
            return f64::NEG_INFINITY;
        }
        let (nearest, mut best) = self.nearest_and_bound(d, scale);
        if !(nearest > GAP_NEAR * scale) || best <= 0.0 {
            best = best.max(self.best_facet_bound(d));
        }
        // Fewer than three generators enclose nothing: there is always a way out of no length.
        if self.count < 3 {
            best = best.max(0.0);
        }
        (best - self.radius - GAP_ROUNDING * scale - UNDERFLOW).max(f64::NEG_INFINITY)
    }

    /// Distance of the point found nearest to the origin, and what its direction proves.
    fn nearest_and_bound(&self, d: Vec3, scale: f64) -> (f64, f64) {
        let g = self.generators();
        let square: [f64; 6] = std::array::from_fn(|i| self.generators[i].norm_squared());
        // Each goes to its best place in turn. For generators at right angles this is final.
        let (mut s, mut v) = ([0.0_f64; 6], d);
        for _ in 0..if self.square { 1 } else { 2 } {
            for (i, &gi) in g.iter().enumerate() {
                let to = (s[i] - v.dot(gi) / square[i]).clamp(-1.0, 1.0);
                v += gi * (to - s[i]);
                s[i] = to;
            }
        }
        let mut free = Free::default();
        for i in (0..g.len()).filter(|&i| s[i].abs() < 1.0) {
            free.add(i);
        }
        for _ in 0..if self.square { 0 } else { GAP_STEPS } {
            self.settle_generators(d, &mut s, &mut free);
            v = g.iter().zip(&s).fold(d, |v, (gi, si)| v + *gi * *si);
            let size = v.norm();
            if !(size > GAP_TOUCH * scale) {
                break;
            }
            // The generator along which the distance falls fastest.
            let mut steepest = (GAP_DESCENT * size, None);
            for (i, &gi) in g.iter().enumerate() {
                let slope = v.dot(gi);
                let slope = if s[i] >= 1.0 {
                    slope
                } else if s[i] <= -1.0 {
                    -slope
                } else {
                    slope.abs()
                };
                let slope = slope / square[i].sqrt();
                if slope > steepest.0 && !free.has(i) {
                    steepest = (slope, Some(i));
                }
            }
            let Some(i) = steepest.1 else { break };
            free.add(i);
        }
        let size = v.norm();
        let mut best = self.bound_along(d, v);
        match free.slice() {
            [i] => {
                let gi = g[*i];
                for _ in 0..2 {
                    v = v - gi * (v.dot(gi) / square[*i]);
                }
                best = best.max(self.bound_along(d, v));
            }
            [i, j] => best = best.max(self.bound_along(d, g[*i].cross(g[*j]))),
            _ => {}
        }
        (size, best)
    }

    /// Moves the free generators to where the distance is least; those that reach an end stay there.
    fn settle_generators(&self, d: Vec3, s: &mut [f64; 6], free: &mut Free) {
        while !free.slice().is_empty() {
            let g = self.generators();
            let rest = (0..g.len()).filter(|&i| !free.has(i)).fold(d, |v, i| v + g[i] * s[i]);
            let Some(to) = self.solve_least_squares(rest, free.slice()) else {
                // If they are parallel, the newest moves alone, and the others wait.
                free.keep_newest();
                continue;
            };
            // The step goes as far as none leaves its bounds.
            let (mut share, mut stops) = (1.0, None);
            for (&i, &t) in free.slice().iter().zip(&to) {
                if t.abs() > 1.0 {
                    let room = (1.0_f64.copysign(t) - s[i]) / (t - s[i]);
                    if room < share || stops.is_none() {
                        (share, stops) = (room.clamp(0.0, share), Some(i));
                    }
                }
            }
            for (&i, &t) in free.slice().iter().zip(&to) {
                s[i] = if stops == Some(i) {
                    1.0_f64.copysign(t)
                } else {
                    (s[i] + (t - s[i]) * share).clamp(-1.0, 1.0)
                };
            }
            match stops {
                Some(i) => free.remove(i),
                None => return,
            }
        }
    }

    /// Least squares over up to three generators; `None` where they are not independent.
    fn solve_least_squares(&self, rest: Vec3, free: &[usize]) -> Option<[f64; 3]> {
        let g = |k: usize| self.generators[free[k]];
        let finite = |x: f64| if x.is_finite() { Some(x) } else { None };
        match free.len() {
            1 => Some([finite(-rest.dot(g(0)) / g(0).norm_squared())?, 0.0, 0.0]),
            2 => {
                let n = g(0).cross(g(1));
                let square = n.norm_squared();
                if !(square > GAP_DESCENT * g(0).norm_squared() * g(1).norm_squared()) {
                    return None;
                }
                let x = -rest.cross(g(1)).dot(n) / square;
                let y = -g(0).cross(rest).dot(n) / square;
                Some([finite(x)?, finite(y)?, 0.0])
            }
            _ => {
                let volume = g(0).dot(g(1).cross(g(2)));
                let size = g(0).norm() * g(1).norm() * g(2).norm();
                if !(volume.abs() > GAP_FLAT * size) {
                    return None;
                }
                let x = -rest.dot(g(1).cross(g(2))) / volume;
                let y = -rest.dot(g(2).cross(g(0))) / volume;
                let z = -rest.dot(g(0).cross(g(1))) / volume;
                Some([finite(x)?, finite(y)?, finite(z)?])
            }
        }
    }

    /// The best that the normal of any facet proves.
    fn best_facet_bound(&self, d: Vec3) -> f64 {
        let g = self.generators();
        let mut best = f64::NEG_INFINITY;
        for i in 0..g.len() {
            for j in i + 1..g.len() {
                best = best.max(self.bound_along(d, g[i].cross(g[j])));
            }
        }
        if best == f64::NEG_INFINITY {
            // If all are parallel, or there are none, any direction across them will do.
            let along = g.first().copied().unwrap_or(Vec3::ZERO);
            let across = along.any_perpendicular();
            best = self
                .bound_along(d, across)
                .max(self.bound_along(d, along.cross(across)))
                .max(self.bound_along(d, d));
        }
        best
    }
}

/// Which generators are free, at most three, the newest last.
#[derive(Default)]
struct Free {
    list: [usize; 3],
    count: usize,
}

impl Free {
    fn slice(&self) -> &[usize] {
        &self.list[..self.count]
    }
    fn has(&self, i: usize) -> bool {
        self.slice().contains(&i)
    }
    /// A fourth takes the place of the oldest.
    fn add(&mut self, i: usize) {
        if self.count == 3 {
            self.list = [self.list[1], self.list[2], i];
        } else {
            self.list[self.count] = i;
            self.count += 1;
        }
    }
    fn remove(&mut self, i: usize) {
        if let Some(at) = self.slice().iter().position(|&k| k == i) {
            self.list.copy_within(at + 1..self.count, at);
            self.count -= 1;
        }
    }
    fn keep_newest(&mut self) {
        if self.count > 1 {
            self.list[0] = self.list[self.count - 1];
            self.count = 1;
        } else {
            self.count = 0;
        }
    }
}
