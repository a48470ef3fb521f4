//! The clearance of two shapes whose poses have errors.

use crate::numeric::pose_error::{PoseError, relative_error};
use crate::pair::clearance::{Ask, Clearance, Effort, Query};
use crate::pair::narrow::{self};
use crate::pair::scratch::{Scratch, Warm};
use crate::pair::witness::Witness;
use crate::shape::solid::Shape;
use elbowroom_describe::math::{Transform, Vec3};

/// Two shapes with their relative pose and its error.
#[derive(Clone, Copy, Debug)]
pub struct ShapePair<'w> {
    /// A and B.
    pub shapes: [&'w Shape; 2],
    /// The pose of A in the cell.
    pub a_in_cell: Transform,
    /// Its error.
    pub a_error: PoseError,
    /// The pose of B in A's frame.
    pub b_in_a: Transform,
    /// Error of shape B in A's frame (metres).
    pub slack: f64,
    origin_in_world: Vec3,
}

impl<'w> ShapePair<'w> {
    /// Two shapes, each with its pose in the cell and the error of that pose. `b_size` bounds the distance of
    /// B's points from its frame's origin (metres); `origin_in_world` is the cell's origin.
    #[inline]
    pub fn new(
        shapes: [&'w Shape; 2],
        [(a_in_cell, a_error), (b_in_cell, b_error)]: [(Transform, PoseError); 2],
        b_size: f64,
        origin_in_world: Vec3,
    ) -> ShapePair<'w> {
        let b_in_a = a_in_cell.relative(&b_in_cell);
        let slack = relative_error(&a_error, &b_error, b_size, &b_in_a);
        ShapePair { shapes, a_in_cell, a_error, b_in_a, slack, origin_in_world }
    }

    /// The clearance in A's frame, and the number of queries it took. The slack of `query` is replaced by the
    /// pair's.
    pub fn ask(&self, query: Query, warm: &mut Warm, scratch: &mut Scratch) -> (Clearance, usize) {
        let [a, b] = self.shapes;
        let query = Query { slack: self.slack, ..query };
        let (mut c, mut queries) = (narrow::clearance(a, b, &self.b_in_a, &query, warm, scratch), 1);
        // Neither a gap nor an overlap is proved, perhaps because a tenth of the distance of the cores is
        // more than the gap: the full distance may decide.
        if query.ask != Ask::Distance && !(c.interval.lower > 0.0 || c.interval.upper < 0.0) {
            let depth = Effort::Rough;
            let (query, steps) =
                (Query { ask: Ask::Distance, cutoff: f64::INFINITY, depth, ..query }, c.steps);
            c = narrow::clearance(a, b, &self.b_in_a, &query, warm, scratch);
            (c.steps, queries) = (c.steps.saturating_add(steps), 2);
        }
        // NaN proves nothing.
        if c.interval.lower.is_nan() {
            c.interval.lower = f64::NEG_INFINITY;
        }
        (c, queries)
    }

    /// The points of a clearance in the world frame.
    pub fn witness(&self, c: &Clearance) -> Witness {
        Witness {
            a: self.a_in_cell.point(c.witness_a) + self.origin_in_world,
            b: self.a_in_cell.point(c.witness_b) + self.origin_in_world,
            normal: self.a_in_cell.direction(c.normal),
        }
    }
}
