//! Boxes around balls: the box parallel to the axes, and the axes of a small box.
//!
//! The smallest box has two adjacent faces that each contain an edge of the hull (O'Rourke, "Finding minimal
//! enclosing boxes", 1985). Usually a whole face of the hull lies on a face of the box. So each face of the
//! hull is tried, with the smallest rectangle around the projection along its normal; one side of that
//! rectangle contains an edge. The best few are rotated by local search. Then one axis after the other is
//! kept while the two others are chosen again.

use super::effort::FitEffort;
use super::search::{SEED, search_locally};
use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::ball::Ball;
use crate::bounds::fit::ball_set::BallSet;
use crate::bounds::fit::fours::{Flat4, Fours};
use crate::bounds::tolerance::{FIT_FACES, FIT_FLAT, FIT_SAME_NORMAL, FIT_STARTS, FIT_TRIES};
use alloc::vec::Vec;
use elbowroom_describe::math::{Mat3, Random, Vec3, sqrt, vec3};
use elbowroom_pair::numeric::tolerance::ROUNDOFF;
use elbowroom_pair::shape::hull::Hull;

/// The smallest box around a set of balls that is parallel to the axes; `None` for an empty or invalid set.
pub fn fit_aligned_box(set: &BallSet) -> Option<AlignedBox> {
    if !set.is_usable() {
        return None;
    }
    let around = |b: &Ball| {
        // Rounded away from the ball.
        let r = vec3(b.radius, b.radius, b.radius);
        let off = if b.radius > 0.0 { (b.center.abs() + r) * (2.0 * ROUNDOFF) } else { Vec3::ZERO };
        AlignedBox { low: b.center - r - off, high: b.center + r + off }
    };
    Some(set.balls().iter().map(around).fold(AlignedBox::EMPTY, |a, b| a.join(&b)))
}

/// Axes of a small box around a set of balls, as columns, orthonormal up to rounding; `None` for an empty or
/// invalid set.
pub fn fit_box_axes(set: &BallSet, effort: FitEffort) -> Option<Mat3> {
    if !set.is_usable() {
        return None;
    }
    let (middle, size) = set.search_frame();
    let balls = set.balls_to_search(middle, size);
    Some(match effort {
        FitEffort::Quick => {
            let (fours, start) = (Fours::new(&balls), principal_axes(&balls));
            make_orthonormal(&settle_axes(&balls, &fours, start, &mut Flat::default()).1)
        }
        FitEffort::Thorough => search_box_axes(&balls).0,
    })
}

/// Volume of the box along `axes`, a little thickened, so that flat boxes compare by their areas.
fn box_volume(balls: &Fours, axes: &Mat3) -> f64 {
    let (low, high) = balls.extents_along(axes);
    let s = high - low;
    (s.x + FIT_FLAT) * (s.y + FIT_FLAT) * (s.z + FIT_FLAT)
}

/// Axes of a small box, and its volume. Not proved.
pub(super) fn search_box_axes(balls: &[Ball]) -> (Mat3, f64) {
    let mut tried: Vec<(f64, Mat3)> = Vec::new();
    let (fours, mut flat) = (Fours::new(balls), Flat::default());
    let consider = |axes: Mat3, tried: &mut Vec<(f64, Mat3)>| tried.push((box_volume(&fours, &axes), axes));
    consider(Mat3::IDENTITY, &mut tried);
    consider(principal_axes(balls), &mut tried);
    for normal in hull_face_normals(balls) {
        consider(flat.axes_around_normal(balls, normal), &mut tried);
    }
    tried.sort_by(|a, b| a.0.total_cmp(&b.0));
    tried.truncate(FIT_STARTS);
    let mut random = Random(SEED);
    let mut best = (f64::INFINITY, Mat3::IDENTITY);
    for (_, axes) in tried {
        let axes = settle_axes(balls, &fours, axes, &mut flat).1;
        let rotated = |x: &[f64; 3]| {
            Mat3::from_quat_wxyz([1.0, x[0], x[1], x[2]]).map_or(axes, |rotation| rotation * axes)
        };
        let (x, _) =
            search_locally([0.0; 3], 0.05, FIT_TRIES, &mut random, |x| box_volume(&fours, &rotated(x)));
        for start in [axes, rotated(&x)] {
            let (volume, axes) = settle_axes(balls, &fours, start, &mut flat);
            if volume < best.0 {
                best = (volume, axes);
            }
        }
    }
    (make_orthonormal(&best.1), best.0)
}

/// Keeps one axis after the other and chooses the two others again, as long as the volume falls.
fn settle_axes(balls: &[Ball], fours: &Fours, start: Mat3, flat: &mut Flat) -> (f64, Mat3) {
    let mut best = (box_volume(fours, &start), start);
    for _ in 0..FIT_STARTS {
        let before = best.0;
        for k in 0..3 {
            let axes = flat.axes_around_normal(balls, best.1.cols[k]);
            let volume = box_volume(fours, &axes);
            if volume < best.0 {
                best = (volume, axes);
            }
        }
        if best.0 >= before * (1.0 - 1e-9) {
            break;
        }
    }
    best
}

/// Makes axes orthonormal up to rounding, in two passes.
fn make_orthonormal(axes: &Mat3) -> Mat3 {
    let [mut x, mut y, _] = axes.cols;
    for _ in 0..2 {
        x = x.normalized().unwrap_or(Vec3::X);
        y = (y - x * x.dot(y)).normalized().unwrap_or_else(|| x.any_perpendicular());
    }
    Mat3 { cols: [x, y, x.cross(y)] }
}

/// Unit normals of the faces of the centres' hull, large faces first.
fn hull_face_normals(balls: &[Ball]) -> Vec<Vec3> {
    let centers: Vec<Vec3> = balls.iter().map(|b| b.center).collect();
    let Ok(hull) = Hull::build_unchecked(&centers) else { return Vec::new() };
    let at = |i: u32| hull.vertex(i as usize);
    let mut faces: Vec<(f64, Vec3)> = hull
        .faces()
        .filter_map(|f| {
            let n = (at(f[1]) - at(f[0])).cross(at(f[2]) - at(f[0]));
            Some((n.norm(), n.normalized()?))
        })
        .collect();
    // Stable, and therefore deterministic.
    faces.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut normals: Vec<Vec3> = Vec::new();
    for (_, n) in faces {
        if normals.len() == FIT_FACES {
            break;
        }
        if normals.iter().all(|m| m.dot(n).abs() < 1.0 - FIT_SAME_NORMAL) {
            normals.push(n);
        }
    }
    if normals.is_empty() && hull.vertex_count() == 2 {
        normals.extend((at(1) - at(0)).normalized());
    }
    normals
}

/// Principal axes: eigenvectors of the covariance of the centres, by Jacobi's rotations.
pub(super) fn principal_axes(balls: &[Ball]) -> Mat3 {
    let share = 1.0 / balls.len().max(1) as f64;
    let mean = balls.iter().fold(Vec3::ZERO, |m, b| m + b.center * share);
    let mut m = [[0.0; 3]; 3];
    for b in balls {
        let d = (b.center - mean).to_array();
        for i in 0..3 {
            for j in 0..3 {
                m[i][j] += d[i] * d[j] * share;
            }
        }
    }
    let mut axes = Mat3::IDENTITY;
    for _ in 0..8 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if m[p][q] == 0.0 {
                continue;
            }
            let theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
            let t = 1.0_f64.copysign(theta) / (theta.abs() + sqrt(theta * theta + 1.0));
            let c = 1.0 / sqrt(t * t + 1.0);
            let s = t * c;
            for row in &mut m {
                (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
            }
            let (u, v) = (m[p], m[q]);
            m[p] = core::array::from_fn(|k| c * u[k] - s * v[k]);
            m[q] = core::array::from_fn(|k| s * u[k] + c * v[k]);
            let (u, v) = (axes.cols[p], axes.cols[q]);
            axes.cols[p] = u * c - v * s;
            axes.cols[q] = u * s + v * c;
        }
    }
    if axes.cols.iter().all(|c| c.is_finite()) { axes } else { Mat3::IDENTITY }
}

/// A projection along an axis.
#[derive(Default)]
struct Flat {
    points: Vec<(f64, f64)>,
    outline: Vec<(f64, f64)>,
    fours: Flat4,
}

impl Flat {
    /// Axes with `normal` first, then those of the smallest rectangle around the projection along it.
    fn axes_around_normal(&mut self, balls: &[Ball], normal: Vec3) -> Mat3 {
        let u = normal.any_perpendicular();
        let v = normal.cross(u);
        self.points.clear();
        self.points.extend(balls.iter().map(|b| (b.center.dot(u), b.center.dot(v))));
        self.wrap_outline();
        let wide = balls.iter().fold(FIT_FLAT, |m: f64, b| m.max(2.0 * b.radius));
        let mut best = (f64::INFINITY, (1.0, 0.0));
        let count = self.outline.len();
        self.fours.pack_points(&self.outline);
        for i in 0..count {
            let (p, q) = (self.outline[i], self.outline[(i + 1) % count]);
            let (x, y) = (q.0 - p.0, q.1 - p.1);
            let length = sqrt(x * x + y * y);
            if !(length > 0.0) {
                continue;
            }
            let (c, s) = (x / length, y / length);
            let [along, up] = self.fours.rectangle_sides(c, s);
            let area = (along + wide) * (up + wide);
            if area < best.0 {
                best = (area, (c, s));
            }
        }
        let (c, s) = best.1;
        Mat3 { cols: [normal, u * c + v * s, v * c - u * s] }
    }

    /// The convex outline, by Andrew's monotone chains.
    fn wrap_outline(&mut self) {
        self.points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        self.outline.clear();
        let points = &self.points;
        for lower in [true, false] {
            let start = self.outline.len();
            for k in 0..points.len() {
                let p = if lower { points[k] } else { points[points.len() - 1 - k] };
                while let [.., a, b] = self.outline[start..] {
                    if (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0) > 0.0 {
                        break;
                    }
                    self.outline.pop();
                }
                self.outline.push(p);
            }
            // The last point of this chain is the first of the next.
            self.outline.pop();
        }
    }
}
