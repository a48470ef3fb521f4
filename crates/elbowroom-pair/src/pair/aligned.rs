//! The depth of overlapping curved cores on parallel axes, in closed form: the deepest directions may form a
//! circle, which no polytope of points approximates well.
//!
//! Segments, cylinders and cones on parallel axes have a Minkowski difference that is a body of revolution. A
//! ball about the other core's origin lies in it exactly if the disc in the plane through the axis does,
//! because rotating a point of the ball into that plane brings it nearer to the centre. The section of the
//! difference is a convex polygon whose edges are those of the two sections. The depth is the least distance
//! of the lines of these edges; any other direction gives a larger value.
//!
//! Concentric ellipsoids with common axes have the support `sqrt(sum a² s) + sqrt(sum b² s)`, where `s` are
//! the squares of the direction's components. It is concave over the triangle of all `s`, so it is least
//! along an axis.
//!
//! A ball of radius r about p lies in the ellipsoid `x.Dx <= 1` if for some `l >= max D` the form
//! `l |x - p|² - x.Dx + 1 - l r²` is nowhere negative (S-procedure: Boyd and Vandenberghe, "Convex
//! optimization", B.2),
//! that is `r² <= 1/l - sum d p² / (l - d)`. Every such l proves a radius; the best one is where the ball
//! touches the ellipsoid.
//!
//! A pose that is not exactly aligned moves every point of B by at most `Claim::error`, and changes the
//! depth by no more.

use crate::numeric::rigid::rotation_defect;
use crate::numeric::tolerance::ROUNDOFF;
use crate::pair::claim::Claim;
use crate::pair::tolerance::{ALIGNED, LEVEL};
use crate::shape::solid::Core;
use elbowroom_describe::math::{Mat3, Transform, Vec3, sqrt, vec3};

/// The depth of two cores on parallel axes, or of ellipsoids on common ones, if they overlap.
pub(crate) fn overlap(a: &Core, b: &Core, b_in_a: &Transform) -> Option<Claim> {
    match (a, b) {
        (Core::Ellipsoid { radii: ra }, Core::Ellipsoid { radii: rb }) => ellipsoids(*ra, *rb, b_in_a),
        _ => revolved(a, b, b_in_a),
    }
}

/// Distance of a matrix from the nearest rotation (Frobenius norm); infinite if it mirrors.
pub fn defect(rotation: &Mat3) -> f64 {
    rotation_defect(rotation).unwrap_or(f64::INFINITY)
}

/// The section of a core through its axis: corners as (distance from the axis, height).
#[derive(Clone, Copy)]
struct Section {
    corner: [(f64, f64); 4],
    len: usize,
    /// Outward normal of a slanted side.
    side: Option<(f64, f64)>,
    extent: f64,
}

/// The section of a core, upside down if `up` is -1.
fn section(core: &Core, up: f64) -> Option<Section> {
    let of = |corner, len, side, r: f64, h: f64| {
        Some(Section { corner, len, side, extent: sqrt(r * r + h * h) * (1.0 + 4.0 * ROUNDOFF) })
    };
    match *core {
        Core::Segment { half_length: h } => of([(0.0, h), (0.0, -h), (0.0, h), (0.0, h)], 2, None, 0.0, h),
        Core::Cylinder { radius: r, half_length: h } => {
            of([(r, h), (r, -h), (-r, h), (-r, -h)], 4, None, r, h)
        }
        Core::Cone { radius: r, half_length: h } => {
            let length = sqrt(r * r + 4.0 * h * h);
            let side = (2.0 * h / length, up * r / length);
            of([(r, -up * h), (-r, -up * h), (0.0, up * h), (0.0, up * h)], 3, Some(side), r, h)
        }
        Core::Point | Core::Box { .. } | Core::Ellipsoid { .. } | Core::Hull(_) | Core::Mesh { .. } => None,
    }
}

impl Section {
    fn height(&self, n: (f64, f64)) -> f64 {
        self.corner[..self.len].iter().fold(f64::NEG_INFINITY, |m, c| m.max(c.0 * n.0 + c.1 * n.1))
    }
    /// The edge farthest along `n`, as the coordinates of its ends along it.
    fn edge(&self, n: (f64, f64), level: f64) -> [f64; 2] {
        let top = self.height(n) - level;
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for c in &self.corner[..self.len] {
            if c.0 * n.0 + c.1 * n.1 >= top {
                let along = c.1 * n.0 - c.0 * n.1;
                (low, high) = (low.min(along), high.max(along));
            }
        }
        [low, high]
    }
}

fn revolved(a: &Core, b: &Core, b_in_a: &Transform) -> Option<Claim> {
    let z = b_in_a.rotation.cols[2];
    let tilt = sqrt(z.x * z.x + z.y * z.y);
    if !(tilt <= ALIGNED) {
        return None;
    }
    // The difference is the sum of A and the reflected B.
    let (a, b) = (section(a, 1.0)?, section(b, if z.z < 0.0 { 1.0 } else { -1.0 })?);
    let c = b_in_a.translation;
    let distance = sqrt(c.x * c.x + c.y * c.y);
    let outward = if distance > 0.0 { vec3(c.x / distance, c.y / distance, 0.0) } else { Vec3::X };
    let (mut depth, mut n) = (f64::INFINITY, (1.0, 0.0));
    for m in [Some((0.0, 1.0)), Some((0.0, -1.0)), Some((1.0, 0.0)), a.side, b.side].into_iter().flatten() {
        let inside = a.height(m) + b.height(m) - (distance * m.0 + c.z * m.1);
        if inside < depth {
            (depth, n) = (inside, m);
        }
    }
    let defect = defect(&b_in_a.rotation);
    // Replacing the matrix by the nearest rotation moves B by half the defect, and its axis by as much again.
    // Then the axis is rotated by an angle hardly larger than its chord.
    let error = 1.01 * (tilt + defect) * b.extent;
    if !(depth > error) || defect > ALIGNED {
        return None;
    }
    // The point where B's origin leaves the sum, as a sum of a point of each edge.
    let level = 8.0 * LEVEL * (a.extent + b.extent);
    let ([a0, a1], [b0, b1]) = (a.edge(n, level), b.edge(n, level));
    let along = c.z * n.0 - distance * n.1;
    let share = ((along - a0 - b0) / (a1 - a0 + (b1 - b0)).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    // Distance and height of a point of a section.
    let point = |s: &Section, along: f64| {
        let high = s.height(n);
        (n.0 * high - n.1 * along, n.1 * high + n.0 * along)
    };
    let out = outward * n.0 + Vec3::Z * n.1;
    let (radius, height) = point(&a, a0 + (a1 - a0) * share);
    let from_a = outward * radius + Vec3::Z * height;
    // B's point about B's own axis, so that it is a point of B whatever the tilt.
    let (radius, height) = point(&b, b0 + (b1 - b0) * share);
    let across = b_in_a.rotation.transpose_mul(-outward);
    let across = vec3(across.x, across.y, 0.0).normalized().unwrap_or(Vec3::X);
    let along = if z.z < 0.0 { height } else { -height };
    let from_b = b_in_a.point(across * radius + Vec3::Z * along);
    Some(Claim { a: from_a, b: from_b, v: -out, depth, error })
}

fn ellipsoids(a: Vec3, b: Vec3, b_in_a: &Transform) -> Option<Claim> {
    let off = b_in_a.translation.norm();
    let extent = b.max_abs();
    if !(off <= ALIGNED * extent) {
        return None;
    }
    // The axis of A that each axis of B lies on.
    let (mut radii, mut tilt, mut whose) = (Vec3::ZERO, defect(&b_in_a.rotation), [0; 3]);
    for i in 0..3 {
        let column = b_in_a.rotation.cols[i].abs();
        let on = if column.x > 0.5 {
            0
        } else if column.y > 0.5 {
            1
        } else {
            2
        };
        (radii[on], whose[on]) = (b[i], i);
        let mut rest = column;
        rest[on] -= 1.0;
        tilt += rest.norm();
    }
    if !(tilt <= ALIGNED) || radii.x == 0.0 || radii.y == 0.0 || radii.z == 0.0 {
        return None;
    }
    let sum = a + radii;
    let axis = if sum.x <= sum.y && sum.x <= sum.z {
        0
    } else if sum.y <= sum.z {
        1
    } else {
        2
    };
    let mut out = Vec3::ZERO;
    out[axis] = 1.0;
    let error = (off + tilt * extent) * (1.0 + 16.0 * ROUNDOFF);
    // The end of B's own axis, so that it is a point of B whatever the tilt.
    let mut end = Vec3::ZERO;
    end[whose[axis]] = if b_in_a.rotation.cols[whose[axis]][axis] < 0.0 { radii[axis] } else { -radii[axis] };
    let b = b_in_a.point(end);
    (sum[axis] > error).then_some(Claim { a: out * a[axis], b, v: -out, depth: sum[axis], error })
}

/// For a point inside an ellipsoid: the nearest point of the surface, the direction out, and the depth.
pub(crate) fn inside_ellipsoid(radii: Vec3, p: Vec3) -> Option<(Vec3, Vec3, f64)> {
    let least = radii.x.min(radii.y).min(radii.z);
    let (r, p) = (radii.to_array(), p.to_array());
    let q = [0, 1, 2].map(|i| (p[i] / r[i]) * (p[i] / r[i]));
    let k = [0, 1, 2].map(|i| (least / r[i]) * (least / r[i]));
    if !(q[0] + q[1] + q[2] < 1.0) {
        return None;
    }
    // With l = 1 / (u least²) and u = 1 - w, both from 0 to 1. Factors of zero components are not used.
    let factor = |i: usize, w: f64| (1.0 - k[i]) + w * k[i];
    let sum = |w: f64, square: bool| {
        let mut s = 0.0;
        for (i, &q) in q.iter().enumerate() {
            if q > 0.0 {
                let f = factor(i, w);
                s += q / if square { f * f } else { f };
            }
        }
        s
    };
    // Bisection: the derivative by u falls; infinite sums are beyond its zero.
    let mut w = 0.0;
    let touching = sum(0.0, true) > 1.0;
    if touching {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..80 {
            w = 0.5 * (low + high);
            if sum(w, true) > 1.0 {
                low = w;
            } else {
                high = w;
            }
        }
        w = high;
    }
    let square = (1.0 - w) * (1.0 - sum(w, false));
    let mut near = [0, 1, 2].map(|i| if q[i] > 0.0 { p[i] / factor(i, w) } else { 0.0 });
    if !touching {
        // At the focal plane: the component of the shortest axis makes up the rest.
        let left = [0, 1, 2].map(|i| (near[i] / r[i]) * (near[i] / r[i]));
        let short = if r[0] == least { 0 } else { 1 + usize::from(r[1] != least) };
        let rest = left[0] + left[1] + left[2] - left[short];
        near[short] = if p[short] < 0.0 { -least } else { least } * sqrt((1.0 - rest).max(0.0));
    }
    let near = vec3(near[0], near[1], near[2]);
    let s = vec3(near.x / r[0], near.y / r[1], near.z / r[2]);
    let near = near * (1.0 / s.norm());
    let out = vec3(s.x * (least / r[0]), s.y * (least / r[1]), s.z * (least / r[2])).normalized()?;
    let depth = least * sqrt(square.max(0.0));
    (depth > 0.0).then_some((near, out, depth))
}
