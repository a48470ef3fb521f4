//! What is surely inside a body: a point in two of them proves that they overlap, without a look at their
//! shapes.
//!
//! How many times farther than the surface a point is from a body's middle, its gauge, is a sublinear
//! function of where the point is: a [`CubeTable`] bounds it from above, with the polytope of the surface's
//! points at the nodes for a body. A point of gauge `g <= 1` lies `(1 - g) r` deep, `r` the radius of a ball
//! about the middle.
//!
//! A point in both is looked for by linear guesses: the first is on the line between the middles where both
//! gauges are the same; then each body is what its slope says, a half space, and the next point is the
//! nearest in both, a little behind their planes (projections onto convex sets: Bauschke and Borwein 1996).
//! It stops at the first proof, where the half spaces meet too far off, or after a few points.

use super::cube_table::CubeTable;
use super::fit::{Star, inner_ball};
use crate::bounds::on_body::OnBody;
use crate::bounds::tolerance::{INSIDE_AIM, INSIDE_CELLS, INSIDE_LOOKS, INSIDE_TRIES};
use crate::numeric::math::{Transform, Vec3};
use crate::numeric::tolerance::{LEAST_SQUARE, NORM_ROUNDING};

/// Of the shape of a body that has most room, in the body's frame. None in bodies without an inside: open
/// meshes, flat hulls.
#[derive(Clone, Debug)]
pub(crate) struct Inside {
    middle: Vec3,
    /// Of a ball about the middle (metres).
    radius: f64,
    /// No point of the body that is known of is farther from the middle (metres).
    far: f64,
    gauge: CubeTable<INSIDE_CELLS>,
}

/// A point inside two bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overlap {
    /// They overlap by at least so much (metres).
    pub depth: f64,
    /// A point of each that is as deep in the other, and the direction in which the first escapes from there;
    /// cell frame.
    pub a: Vec3,
    pub b: Vec3,
    pub escape: Vec3,
}

impl Inside {
    /// Bytes it holds beside itself.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.gauge.heap_bytes()
    }

    /// Of the shape with the largest ball inside; `None` where no ball is found.
    pub fn of_shapes<'a>(shapes: impl Iterator<Item = OnBody<'a>>) -> Option<Inside> {
        let mut best: Option<(Inside, OnBody<'a>, f64)> = None;
        for placed in shapes {
            let at = &placed.shape_in_body;
            let Some(ball) = inner_ball(placed.shape, INSIDE_TRIES) else { continue };
            // Smaller by what its points may be off by.
            let radius = (ball.radius - 2.0 * placed.misplaced()) * (1.0 - NORM_ROUNDING);
            if radius > 0.0
                && ball.center.is_finite()
                && best.as_ref().is_none_or(|(b, ..)| radius > b.radius)
            {
                let inside =
                    Inside { middle: at.point(ball.center), radius, far: radius, gauge: CubeTable::new() };
                best = Some((inside, placed, ball.radius));
            }
        }
        let (mut inside, placed, full) = best?;
        let at = placed.shape_in_body;
        let center = at.rotation.transpose_mul(inside.middle - at.translation);
        let mut star = Star::new(placed.shape, super::Ball { center, radius: full });
        for i in 0..CubeTable::<INSIDE_CELLS>::LEN {
            let along = at.rotation.transpose_mul(CubeTable::<INSIDE_CELLS>::node(i));
            // Shrunk about the middle as the ball is, the shape is as deep in itself as the ball in the
            // larger one.
            let reach = star.reach(along);
            inside.far = inside.far.max(reach * along.norm());
            inside.gauge.raise(i, full / (reach * inside.radius));
        }
        Some(inside)
    }

    /// The gauge of a point relative to the middle, in the body's frame, and its slope.
    #[inline]
    fn look(&self, v: Vec3) -> (f64, Vec3) {
        self.gauge.look(v)
    }

    /// A point in two placed bodies, if one is found. `room`: how far the bodies may be from where they are
    /// placed, rounding here included.
    pub fn overlap([a, b]: [&Inside; 2], [a_at, b_at]: [&Transform; 2], room: f64) -> Option<Overlap> {
        let (a_middle, b_middle) = (a_at.point(a.middle), b_at.point(b.middle));
        let apart = b_middle - a_middle;
        // On the line between the middles.
        let ((a_gauge, _), (b_gauge, _)) =
            (a.look(a_at.rotation.transpose_mul(apart)), b.look(b_at.rotation.transpose_mul(-apart)));
        let both = a_gauge + b_gauge;
        let share = if both > 0.0 { b_gauge / both } else { 0.5 };
        let mut p = apart * share;
        for _ in 0..INSIDE_LOOKS {
            let (a_own, b_own) = (a_at.rotation.transpose_mul(p), b_at.rotation.transpose_mul(p - apart));
            let ((a_gauge, a_slope), (b_gauge, b_slope)) = (a.look(a_own), b.look(b_own));
            if a_gauge <= 1.0 && b_gauge <= 1.0 {
                // The points that were looked at, where the bodies are placed: the same to the defect of
                // their rotations.
                let (in_a, in_b) = (a_at.point(a.middle + a_own), b_at.point(b.middle + b_own));
                let deep = [(1.0 - a_gauge) * a.radius, (1.0 - b_gauge) * b.radius];
                let off = (in_a - in_b).norm();
                let depth = (deep[0] + deep[1]) * (1.0 - NORM_ROUNDING) - off * (1.0 + NORM_ROUNDING) - room;
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
            // Half spaces that meet only beyond one of the bodies part them, as good as.
            let room = (p.norm() + a.far).min((p - apart).norm() + b.far);
            let square = step.norm_squared();
            if !(square > 0.0 && square <= room * room) {
                break;
            }
            p += step;
        }
        None
    }
}

/// The shortest step that lowers one linear function by `by[0]` and another by `by[1]` at least, their slopes
/// being `u` and `v`.
#[inline]
fn into_both(u: Vec3, v: Vec3, by: [f64; 2]) -> Vec3 {
    let (uu, vv, uv) = (u.norm_squared(), v.norm_squared(), u.dot(v));
    // One of them, if that does for the other too.
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
    use crate::model::describe::WorldDescription;
    use crate::model::id::BodyId;
    use crate::pair::clearance::Query;
    use crate::pair::geometry::Geometry;
    use crate::pair::narrow::clearance;
    use crate::pair::scratch::{Scratch, Warm};
    use crate::rng::Rng;
    use alloc::vec;

    #[test]
    fn points_inside_never_claim_more_than_there_is() {
        let rng = &mut Rng::new(8);
        let (mut deep, mut found, mut of_mesh, mut tight) = (0, 0, 0, 0);
        for _ in 0..150 {
            let size = rng.decades(-3.0, 3.0);
            let obstacles = vec![body(size, 1, rng), body(size, 1, rng)];
            let Ok(world) = World::compile(&WorldDescription { obstacles, ..WorldDescription::default() })
            else {
                continue;
            };
            let [Some(a), Some(b)] = [0, 1].map(|i| Inside::of_shapes(world.solids.on_body(BodyId(i))))
            else {
                continue;
            };
            let [shape_a, shape_b] = [&world.shapes()[0], &world.shapes()[1]];
            let meshes = [shape_a, shape_b].iter().any(|s| s.shape.mesh().is_some());
            let mut scratch = Scratch::new(64);
            for _ in 0..40 {
                let poses = [rng.pose(0.5 * size), rng.pose(size)];
                let room = 1e-12 * size;
                let overlap = Inside::overlap([&a, &b], [&poses[0], &poses[1]], room);
                let placed = [poses[0] * shape_a.shape_in_body(), poses[1] * shape_b.shape_in_body()];
                let query = Query { geometry: Geometry::Mesh, ..Query::default() };
                let at = placed[0].relative(&placed[1]);
                let warm = &mut Warm::default();
                let c = clearance(&shape_a.shape, &shape_b.shape, &at, &query, warm, &mut scratch);
                deep += usize::from(c.interval.upper < 0.0);
                let Some(overlap) = overlap else { continue };
                assert!(overlap.depth > 0.0 && c.interval.lower <= -overlap.depth, "{overlap:?}: {c:?}");
                found += 1;
                of_mesh += usize::from(meshes);
                tight += usize::from(overlap.depth > -0.5 * c.interval.upper);
                let signed = (overlap.a - overlap.b).dot(overlap.escape);
                assert!((signed + overlap.depth).abs() <= 1e-6 * size, "{overlap:?}");
            }
        }
        assert!(
            found * 10 > deep * 8 && of_mesh > 100 && tight > 300,
            "{found} of {deep}, {of_mesh}, {tight}"
        );
    }
}
