//! Two shapes, each placed with an error, asked.

use crate::numeric::math::{Transform, Vec3};
use crate::numeric::pose_error::{PoseError, relative_error};
use crate::pair::clearance::{Ask, Clearance, Query};
use crate::pair::narrow::{self};
use crate::pair::scratch::{Scratch, Warm};
use crate::pair::witness::Witness;
use crate::shape::solid::Shape;

/// Where two shapes are to each other, and by how much that may be off.
pub(crate) struct ShapePair<'w> {
    pub shapes: [&'w Shape; 2],
    pub a_in_cell: Transform,
    pub a_error: PoseError,
    pub b_in_a: Transform,
    /// How far shape B may be from there (metres).
    pub slack: f64,
    origin_in_world: Vec3,
}

impl<'w> ShapePair<'w> {
    /// Of two shapes, each with its pose in the cell and what that may be off by; `b_size` bounds how far the
    /// points of B are from its frame's origin, and `origin_in_world` is where the cell's is (metres).
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

    /// Their clearance, in A's frame, and how many queries it took. The slack is the pair's.
    pub fn ask(&self, query: Query, warm: &mut Warm, scratch: &mut Scratch) -> (Clearance, usize) {
        let [a, b] = self.shapes;
        let query = Query { slack: self.slack, ..query };
        let (mut found, mut queries) = (narrow::clearance(a, b, &self.b_in_a, &query, warm, scratch), 1);
        // What found neither a gap nor an overlap is too close to call for it (a tenth of the distance of
        // cores with radii may be more than the gap): the full distance may tell.
        if query.ask != Ask::Distance && !(found.interval.lower > 0.0 || found.interval.upper < 0.0) {
            let (query, steps) = (Query { ask: Ask::Distance, cutoff: f64::INFINITY, ..query }, found.steps);
            found = narrow::clearance(a, b, &self.b_in_a, &query, warm, scratch);
            (found.steps, queries) = (found.steps.saturating_add(steps), 2);
        }
        // A solver's NaN proves nothing.
        if found.interval.lower.is_nan() {
            found.interval.lower = f64::NEG_INFINITY;
        }
        (found, queries)
    }

    /// The points of a clearance in the world frame.
    pub fn witness(&self, found: &Clearance) -> Witness {
        Witness {
            a: self.a_in_cell.point(found.witness_a) + self.origin_in_world,
            b: self.a_in_cell.point(found.witness_b) + self.origin_in_world,
            normal: self.a_in_cell.direction(found.normal),
        }
    }
}
