//! The height of a body along any direction, bounded from above by a table. It finds planes between two
//! bodies without visiting their corners.
//!
//! The support function of a body, `h(v) = max p.v`, is sublinear, so a [`CubeTable`] bounds it. The gradient
//! of the bound is a point of a body slightly larger than the body. It says where to look next: the direction
//! is reflected at the difference of the two bodies' points until it separates them (Chung and Wang, "Quick
//! collision detection of polytopes in virtual environments", 1996).

use super::cube_table::CubeTable;
use crate::bounds::on_body::OnBody;
use crate::bounds::tolerance::{HEIGHT_CELLS, HEIGHT_LOOKS};
use elbowroom_describe::math::{Transform, Vec3};
use elbowroom_pair::numeric::simd::{Kernel, Lanes, dispatch_kernel};
use elbowroom_pair::numeric::tolerance::{LEAST_SQUARE, NORM_ROUNDING, ROUNDOFF};
use elbowroom_pair::shape::extreme::Support;
use elbowroom_pair::shape::solid::Shape;
use elbowroom_pair::with_support;

/// Heights of a body, in its frame (metres for a direction whose largest coordinate is 1).
#[derive(Clone, Debug)]
pub(crate) struct Heights {
    table: CubeTable<HEIGHT_CELLS>,
}

impl Heights {
    /// The heights of a body with these shapes.
    pub fn of_shapes<'a>(shapes: impl Iterator<Item = OnBody<'a>>) -> Heights {
        let mut table = CubeTable::new();
        for on_body in shapes {
            let at = &on_body.shape_in_body;
            let rounding = 8.0 * ROUNDOFF * (on_body.size + on_body.arm);
            let radius = (on_body.shape.radius() + on_body.point_error() + rounding) * (1.0 + NORM_ROUNDING);
            let table = &mut table;
            with_support!(on_body.shape.core(), core => dispatch_kernel(Fill { core, at, radius, table }));
        }
        Heights { table }
    }

    /// A bound on the height along a direction (not zero), and a point at that height.
    #[inline]
    pub fn height_bound(&self, v: Vec3) -> (f64, Vec3) {
        self.table.bound_along(v)
    }

    /// An upper bound on the height along each of eight directions in f32, and a point at that height, as
    /// [`CubeTable::bound_along8`] finds them.
    #[inline(always)]
    pub fn height_bound8<L: Lanes>(&self, l: L, v: [L::E; 3]) -> (L::E, [L::E; 3]) {
        self.table.bound_along8(l, v)
    }

    /// A lower bound on the signed distance of two bodies in one frame (metres), at least `known`: their gap
    /// along a direction. A few directions are tried, the first of them `direction`, until the gap exceeds
    /// `target`. `slack` bounds the errors of both poses together, the rounding here included (metres).
    pub fn gap_to_body(
        [a, b]: [&Heights; 2],
        [a_at, b_at]: [&Transform; 2],
        direction: Vec3,
        slack: f64,
        known: f64,
        target: f64,
    ) -> f64 {
        let mut between = Between { at: [a_at, b_at], direction, slack, best: known, target };
        for _ in 0..HEIGHT_LOOKS {
            let Some(v) = between.unit_direction() else { break };
            let of_a = a.height_bound(a_at.rotation.transpose_mul(v));
            let of_b = b.height_bound(b_at.rotation.transpose_mul(-v));
            if between.record_gap(v, of_a, of_b) {
                break;
            }
        }
        between.best
    }

    /// A lower bound on the signed distance of a body and a shape without a table in one frame (metres), at
    /// least `known`. The shape comes with its pose, and its corners are visited. A few directions are tried,
    /// the first of them `direction`, until the gap exceeds `target`. `slack` bounds the errors of both poses
    /// together, the rounding here included (metres).
    pub fn gap_to_shape(
        &self,
        at: &Transform,
        shape: (&Shape, &Transform),
        direction: Vec3,
        slack: f64,
        known: f64,
        target: f64,
    ) -> f64 {
        let (shape, shape_at) = shape;
        let slack = slack + shape.radius();
        let between = Between { at: [at, shape_at], direction, slack, best: known, target };
        with_support!(shape.core(), core => dispatch_kernel(ToShape { heights: self, core, between }))
    }
}

/// The search for a plane between two bodies.
struct Between<'a> {
    at: [&'a Transform; 2],
    direction: Vec3,
    slack: f64,
    best: f64,
    target: f64,
}

impl Between<'_> {
    /// The next direction to try, of unit length.
    #[inline(always)]
    fn unit_direction(&self) -> Option<Vec3> {
        let square = self.direction.norm_squared();
        (square > LEAST_SQUARE && square < f64::MAX)
            .then(|| self.direction * (1.0 / elbowroom_describe::math::sqrt(square)))
    }

    /// Records the gap along a direction and chooses the next direction, from A's height along it and B's
    /// height against it, each with its point. True when the search ends.
    #[inline(always)]
    fn record_gap(
        &mut self,
        v: Vec3,
        (a_height, a_point): (f64, Vec3),
        (b_height, b_point): (f64, Vec3),
    ) -> bool {
        let [a_at, b_at] = self.at;
        let apart = b_at.translation - a_at.translation;
        // The defects of the rotations are part of the slack.
        let gap = apart.dot(v) - a_height - b_height;
        let gap = gap - NORM_ROUNDING * gap.abs() - self.slack;
        if gap > self.best {
            self.best = gap;
            if gap > self.target {
                return true;
            }
        }
        let between = apart + b_at.rotation * b_point - a_at.rotation * a_point;
        let size = between.norm_squared();
        self.direction = if gap > 0.0 { between } else { v - between * (2.0 * between.dot(v) / size) };
        !(size > LEAST_SQUARE)
    }
}

struct ToShape<'a, S> {
    heights: &'a Heights,
    core: S,
    between: Between<'a>,
}

impl<S: Support> Kernel for ToShape<'_, S> {
    type Output = f64;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> f64 {
        let ToShape { heights, core, mut between } = self;
        let [at, shape_at] = between.at;
        let mut hint = 0;
        for _ in 0..HEIGHT_LOOKS {
            let Some(v) = between.unit_direction() else { break };
            let of_a = heights.height_bound(at.rotation.transpose_mul(v));
            let down = shape_at.rotation.transpose_mul(-v);
            let far = core.support_point(l, down, hint);
            hint = far.index;
            if between.record_gap(v, of_a, (core.height_bound(l, down, far), far.point)) {
                break;
            }
        }
        between.best
    }
}

struct Fill<'a, S> {
    core: S,
    at: &'a Transform,
    radius: f64,
    table: &'a mut CubeTable<HEIGHT_CELLS>,
}

impl<S: Support> Kernel for Fill<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        for i in 0..CubeTable::<HEIGHT_CELLS>::LEN {
            let v = CubeTable::<HEIGHT_CELLS>::node_direction(i);
            let along = self.at.rotation.transpose_mul(v);
            let height =
                self.core.support_height(l, along, 0) + self.at.translation.dot(v) + self.radius * v.norm();
            self.table.raise_value(i, height);
        }
    }
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
    fn planes_never_claim_more_than_there_is() {
        let rng = &mut Rng::new(4);
        let (mut apart, mut parted, mut tight) = (0, 0, 0);
        for _ in 0..150 {
            let size = rng.decades(-3.0, 3.0);
            let obstacles = vec![body(size, 1, rng), body(size, 2, rng)];
            let Ok(world) = World::compile(&WorldDescription { obstacles, ..WorldDescription::default() })
            else {
                continue;
            };
            let tables = [0, 1].map(|i| Heights::of_shapes(world.solids.on_body(BodyId(i))));
            // Every corner of a body is below its heights.
            for _ in 0..200 {
                let v = rng.direction();
                let (height, point) = tables[1].height_bound(v);
                assert!((point.dot(v) - height).abs() <= 1e-9 * size);
                for s in world.shapes().iter().skip(1) {
                    let along = s.shape_in_body().rotation.transpose_mul(v);
                    let own = with_support!(s.shape.core(), core => dispatch_kernel(Height(core, along)));
                    let own = own + s.shape_in_body().translation.dot(v) + s.shape.radius();
                    assert!(height >= own - 1e-12 * size, "{height} {own}");
                }
            }
            for _ in 0..40 {
                let poses = [rng.pose(size), rng.pose(2.0 * size)];
                let direction = poses[1].translation - poses[0].translation;
                let slack = 1e-12 * size;
                let gap = Heights::gap_to_body(
                    [&tables[0], &tables[1]],
                    [&poses[0], &poses[1]],
                    direction,
                    slack,
                    -1e9,
                    0.0,
                );
                let mut least = [f64::INFINITY; 2];
                for b in world.shapes().iter().skip(1) {
                    let a = &world.shapes()[0];
                    let at = (poses[0] * a.shape_in_body()).relative(&(poses[1] * b.shape_in_body()));
                    let (mut warm, mut scratch) = (Warm::default(), Scratch::new(0));
                    let c = clearance(&a.shape, &b.shape, &at, &Query::default(), &mut warm, &mut scratch);
                    least = [least[0].min(c.interval.lower), least[1].min(c.interval.upper)];
                }
                assert!(gap <= least[1], "{gap:e} above {:e}", least[1]);
                apart += usize::from(least[0] > 0.0);
                parted += usize::from(gap > 0.0);
                tight += usize::from(gap > 0.0 && gap > 0.5 * least[1]);
            }
        }
        assert!(parted * 10 > apart * 8 && tight > 100, "{parted} of {apart}, {tight}");
    }

    struct Height<S>(S, Vec3);
    impl<S: Support> Kernel for Height<S> {
        type Output = f64;
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> f64 {
            self.1.dot(self.0.support_point(l, self.1, 0).point)
        }
    }
}
