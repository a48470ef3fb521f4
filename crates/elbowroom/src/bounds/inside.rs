//! Points that are proved to lie inside a body. A point inside two bodies proves that they overlap, without
//! asking their shapes.
//!
//! The gauge of a point is its distance from the body's middle, divided by the distance of the surface along
//! the same ray (Minkowski's functional). It is sublinear, so a [`CubeTable`] bounds it from above. A point
//! of gauge `g <= 1` lies `(1 - g) r` deep, where `r` is the radius of a ball inside, about the middle.
//!
//! A point in both bodies is searched for by linear approximation. The first guess is the point of equal
//! gauge on the line between the middles. Then each body is replaced by the half space that its gradient
//! gives, and the next guess is the nearest point in both half spaces, a little behind their planes
//! (projections onto convex sets: Bauschke and Borwein 1996). The search stops at the first proof, or where
//! the half spaces meet too far away, or after a few guesses.

use super::cube_table::CubeTable;
use super::fit::{RAYS, Star, inner_ball};
use crate::bounds::on_body::OnBody;
use crate::bounds::tolerance::{INSIDE_AIM, INSIDE_CELLS, INSIDE_LOOKS, INSIDE_TRIES};
use elbowroom_describe::math::{Transform, Vec3};
use elbowroom_pair::Geometry;
use elbowroom_pair::numeric::simd::Lanes;
use elbowroom_pair::numeric::tolerance::{LEAST_SQUARE, NORM_ROUNDING};

/// The inside of that shape of a body in which the largest ball fits, in the body's frame. Open meshes and
/// flat hulls have none.
#[derive(Clone, Debug)]
pub(crate) struct Inside {
    middle: Vec3,
    /// Radius of a ball inside, about the middle (metres).
    radius: f64,
    /// Distance from the middle of the farthest point that is known to be inside (metres).
    far: f64,
    gauge: CubeTable<INSIDE_CELLS>,
}

/// A point inside two bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overlap {
    /// The depth of the overlap is at least this (metres).
    pub depth: f64,
    /// A point of each body and the direction in which the first escapes; `a` and `b` are `depth` apart along
    /// it. Cell frame.
    pub a: Vec3,
    pub b: Vec3,
    pub escape: Vec3,
}

impl Inside {
    /// The inside of the shape with the largest ball; `None` where no ball is found. Meshes count as
    /// themselves or as their hulls: what is inside a hull need not be inside its mesh.
    pub fn of_shapes<'a>(shapes: impl Iterator<Item = OnBody<'a>>, geometry: Geometry) -> Option<Inside> {
        let mut best: Option<(Inside, OnBody<'a>, f64)> = None;
        for on_body in shapes {
            let at = &on_body.shape_in_body;
            let Some(ball) = inner_ball(on_body.shape, geometry, INSIDE_TRIES) else { continue };
            // Less the error of its points.
            let radius = less_error(ball.radius, &on_body);
            if radius > 0.0
                && ball.center.is_finite()
                && best.as_ref().is_none_or(|(b, ..)| radius > b.radius)
            {
                let inside =
                    Inside { middle: at.point(ball.center), radius, far: radius, gauge: CubeTable::new() };
                best = Some((inside, on_body, ball.radius));
            }
        }
        let (mut inside, on_body, ball) = best?;
        let at = on_body.shape_in_body;
        let center = at.rotation.transpose_mul(inside.middle - at.translation);
        let mut star = Star::new(on_body.shape, geometry, super::Ball { center, radius: ball });
        let full = star.radius();
        (inside.radius, inside.far) = (less_error(full, &on_body), less_error(full, &on_body));
        if !(inside.radius > 0.0) {
            return None;
        }
        let last = CubeTable::<INSIDE_CELLS>::LEN - 1;
        for first in (0..=last).step_by(RAYS) {
            // The last ones repeat the last node.
            let node = |k: usize| CubeTable::<INSIDE_CELLS>::node_direction((first + k).min(last));
            let rays: [Vec3; RAYS] = core::array::from_fn(|k| at.rotation.transpose_mul(node(k)));
            let extents = star.ray_extents(&rays);
            for (k, (along, extent)) in rays.iter().zip(extents).enumerate().take(last + 1 - first) {
                // The ball was made smaller; the shape, scaled about the middle by the same factor, is as
                // deep inside the full shape as the smaller ball is inside the full ball.
                inside.far = inside.far.max(extent * along.norm());
                inside.gauge.raise_value(first + k, full / (extent * inside.radius));
            }
        }
        Some(inside)
    }

    /// The gauge of a point relative to the middle, in the body's frame, and its gradient.
    #[inline]
    fn gauge_bound(&self, v: Vec3) -> (f64, Vec3) {
        self.gauge.bound_along(v)
    }

    /// The gauges of eight points relative to the middle in f32, in the body's frame, and their gradients:
    /// see [`CubeTable::bound_along8`].
    #[inline(always)]
    pub fn gauge_bound8<L: Lanes>(&self, l: L, v: [L::E; 3]) -> (L::E, [L::E; 3]) {
        self.gauge.bound_along8(l, v)
    }

    /// The middle (the body's frame), the radius of a ball inside about it, and the distance from it of the
    /// farthest point that is known to be inside (metres).
    #[inline(always)]
    pub fn middle_and_radii(&self) -> (Vec3, f64, f64) {
        (self.middle, self.radius, self.far)
    }

    /// A point inside two bodies, if one is found. `slack` bounds the errors of both poses together, the
    /// rounding here included (metres).
    pub fn find_overlap([a, b]: [&Inside; 2], [a_at, b_at]: [&Transform; 2], slack: f64) -> Option<Overlap> {
        let (a_middle, b_middle) = (a_at.point(a.middle), b_at.point(b.middle));
        let apart = b_middle - a_middle;
        // On the line between the middles.
        let ((a_gauge, _), (b_gauge, _)) = (
            a.gauge_bound(a_at.rotation.transpose_mul(apart)),
            b.gauge_bound(b_at.rotation.transpose_mul(-apart)),
        );
        let both = a_gauge + b_gauge;
        let share = if both > 0.0 { b_gauge / both } else { 0.5 };
        let mut p = apart * share;
        for _ in 0..INSIDE_LOOKS {
            let (a_own, b_own) = (a_at.rotation.transpose_mul(p), b_at.rotation.transpose_mul(p - apart));
            let ((a_gauge, a_slope), (b_gauge, b_slope)) = (a.gauge_bound(a_own), b.gauge_bound(b_own));
            if a_gauge <= 1.0 && b_gauge <= 1.0 {
                // The two images of the point in the common frame differ by the defects of the rotations.
                let (in_a, in_b) = (a_at.point(a.middle + a_own), b_at.point(b.middle + b_own));
                let deep = [(1.0 - a_gauge) * a.radius, (1.0 - b_gauge) * b.radius];
                let error = (in_a - in_b).norm();
                let depth =
                    (deep[0] + deep[1]) * (1.0 - NORM_ROUNDING) - error * (1.0 + NORM_ROUNDING) - slack;
                if depth > 0.0 {
                    let escape = (-apart).normalized().unwrap_or(Vec3::Z);
                    return Some(Overlap {
                        depth,
                        a: in_a - escape * deep[0],
                        b: in_b + escape * deep[1],
                        escape,
                    });
                }
            }
            let (u, v) = (a_at.rotation * a_slope, b_at.rotation * b_slope);
            let step = into_both(u, v, [a_gauge - 1.0 + INSIDE_AIM, b_gauge - 1.0 + INSIDE_AIM]);
            // Bodies count as separated if the half spaces meet only beyond one of them.
            let farthest = (p.norm() + a.far).min((p - apart).norm() + b.far);
            let square = step.norm_squared();
            if !(square > 0.0 && square <= farthest * farthest) {
                break;
            }
            p += step;
        }
        None
    }
}

/// The radius of a ball in a shape's frame, less the error of its points in the body's.
fn less_error(radius: f64, on_body: &OnBody) -> f64 {
    (radius - 2.0 * on_body.point_error()) * (1.0 - NORM_ROUNDING)
}

/// The shortest step that lowers a linear function of gradient `u` by at least `by[0]`, and one of gradient
/// `v` by at least `by[1]`.
#[inline]
fn into_both(u: Vec3, v: Vec3, by: [f64; 2]) -> Vec3 {
    let (uu, vv, uv) = (u.norm_squared(), v.norm_squared(), u.dot(v));
    // A step along one gradient, if it lowers the other function by enough.
    if by[0] > 0.0 {
        let s = -by[0] / uu;
        if -s * uv >= by[1] {
            return u * s;
        }
    }
    if by[1] > 0.0 {
        let t = -by[1] / vv;
        if -t * uv >= by[0] {
            return v * t;
        }
    }
    let determinant = uu * vv - uv * uv;
    if !(determinant > LEAST_SQUARE) {
        return Vec3::ZERO;
    }
    let (s, t) = ((by[1] * uv - by[0] * vv) / determinant, (by[0] * uv - by[1] * uu) / determinant);
    u * s + v * t
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::World;
    use crate::bounds::tests::bodies::body;
    use crate::model::id::BodyId;
    use crate::rng::Rng;
    use alloc::vec;
    use elbowroom_describe::WorldDescription;
    use elbowroom_pair::Query;
    use elbowroom_pair::clearance;
    use elbowroom_pair::{Scratch, Warm};

    #[test]
    fn points_inside_never_claim_more_than_there_is() {
        let rng = &mut Rng::new(8);
        let (mut deep, mut proved, mut of_mesh, mut tight) = (0, 0, 0, 0);
        for k in 0..200 {
            let geometry = if k % 2 == 0 { Geometry::Mesh } else { Geometry::Hull };
            let size = rng.decades(-3.0, 3.0);
            let obstacles = vec![body(size, 1, rng), body(size, 1, rng)];
            let Ok(world) = World::compile(&WorldDescription { obstacles, ..WorldDescription::default() })
            else {
                continue;
            };
            let [Some(a), Some(b)] =
                [0, 1].map(|i| Inside::of_shapes(world.solids.on_body(BodyId(i)), geometry))
            else {
                continue;
            };
            let [shape_a, shape_b] = [&world.shapes()[0], &world.shapes()[1]];
            let meshes = [shape_a, shape_b].iter().any(|s| s.shape.mesh().is_some());
            let mut scratch = Scratch::new(64);
            for _ in 0..40 {
                let poses = [rng.pose(0.5 * size), rng.pose(size)];
                let slack = 1e-12 * size;
                let overlap = Inside::find_overlap([&a, &b], [&poses[0], &poses[1]], slack);
                let placed = [poses[0] * shape_a.shape_in_body(), poses[1] * shape_b.shape_in_body()];
                let query = Query { geometry, ..Query::default() };
                let at = placed[0].relative(&placed[1]);
                let warm = &mut Warm::default();
                let c = clearance(&shape_a.shape, &shape_b.shape, &at, &query, warm, &mut scratch);
                deep += usize::from(c.interval.upper < 0.0);
                let Some(overlap) = overlap else { continue };
                assert!(overlap.depth > 0.0 && c.interval.lower <= -overlap.depth, "{overlap:?}: {c:?}");
                proved += 1;
                of_mesh += usize::from(meshes);
                tight += usize::from(overlap.depth > -0.5 * c.interval.upper);
                let signed = (overlap.a - overlap.b).dot(overlap.escape);
                assert!((signed + overlap.depth).abs() <= 1e-6 * size, "{overlap:?}");
            }
        }
        assert!(
            proved * 10 > deep * 8 && of_mesh > 100 && tight > 300,
            "{proved} of {deep}, {of_mesh}, {tight}"
        );
    }
}
