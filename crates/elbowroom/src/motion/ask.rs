//! A pair of bodies asked at a pose and around it, with warm starts for each pair that are this module's own.

use super::lever::{walk, walk_along};
use super::motion_bounds::MotionBounds;
use super::plane::gap_along;
use crate::bounds::ball_gap;
use crate::model::id::{BodyPair, ShapeId};
use crate::model::tolerance::MAX_WARM_STARTS;
use crate::model::world::World;
use crate::numeric::tolerance::NORM_ROUNDING;
use crate::pair::clearance::Ask;
use crate::pair::geometry::Geometry;
use crate::pair::witness::Witness;
use crate::pose::frames::Pose;
use crate::query::bodies::{Measured, Work, ask_pair, ask_shapes, each_shape_pair};
use crate::query::resolved::Resolved;
use crate::query::warm_starts::{Start, WarmStarts};
use alloc::vec::Vec;
use core::ops::Range;

/// Pairs with what their last queries left.
#[derive(Clone, Debug)]
pub(crate) struct Asker {
    pub pairs: Vec<BodyPair>,
    /// Where each pair's warm starts begin; beyond the end it has none.
    first: Vec<u32>,
    pub work: Work,
    /// How many pairs, and warm starts, are there for good.
    own: [usize; 2],
}

/// The poses around one: their joint values differ from its by at most `change`.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub bounds: &'a MotionBounds<'a>,
    /// By value (radians, metres).
    pub change: &'a [f64],
}

/// How a pair was proved to stay clear around a pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stays {
    /// By the balls around its bodies.
    ByBalls,
    /// By the distances of its shapes.
    ByShapes,
    /// It was not.
    Open,
}

/// Whether a pair stays clear around a pose, and the numbers behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cleared {
    pub stays: Stays,
    /// Lower bound of the distance at the pose, or of the room along a direction (metres).
    pub room: f64,
    /// How much of that the motion can spend (metres).
    pub approach: f64,
    /// Upper bound of the distance, where it was asked for (metres), and its points.
    pub upper: f64,
    pub witness: Option<Witness>,
}

impl Cleared {
    pub fn is_free(&self) -> bool {
        self.stays != Stays::Open
    }

    /// A piece of the proof: the pair's is that with least to spare.
    fn keep_least(&mut self, room: f64, approach: f64) {
        if room - approach < self.room - self.approach {
            (self.room, self.approach) = (room, approach);
        }
    }
}

impl Asker {
    pub fn new(world: &World, pairs: Vec<BodyPair>) -> Asker {
        let (mut first, mut size) = (Vec::with_capacity(pairs.len()), 0_usize);
        for pair in &pairs {
            let [a, b] = shapes(world, *pair).map(|range| range.len());
            first.push(size as u32);
            size = size.saturating_add(a.saturating_mul(b)).min(MAX_WARM_STARTS);
        }
        let own = [pairs.len(), size];
        Asker { pairs, first, work: Work::new(WarmStarts::own(size), world.solids.mesh_depth()), own }
    }

    /// Adds a pair until the next [`Asker::drop_added`]; it begins cold.
    pub fn add(&mut self, world: &World, pair: BodyPair) {
        let [a, b] = shapes(world, pair).map(|range| range.len());
        let place = self.work.starts.len();
        self.pairs.push(pair);
        self.first.push(place as u32);
        let places = place.saturating_add(a.saturating_mul(b)).min(MAX_WARM_STARTS.max(place));
        self.work.starts.resize(places);
    }

    /// Leaves the pairs that it was made with.
    pub fn drop_added(&mut self) {
        let [pairs, size] = self.own;
        self.pairs.truncate(pairs);
        self.first.truncate(pairs);
        self.work.starts.resize(size);
    }

    /// Forgets what earlier queries left.
    pub fn forget(&mut self) {
        self.work.starts.forget();
    }

    fn start(&self, index: usize) -> Start {
        Start::From(self.first[index] as usize)
    }

    /// A lower bound from the balls around the bodies.
    #[inline]
    pub fn gap(&self, pose: &Pose, index: usize) -> f64 {
        let pair = self.pairs[index];
        ball_gap(&pose.body_ball(pair.a), &pose.body_ball(pair.b))
    }

    /// The signed distance of a pair, as far as the question wants it.
    pub fn ask(&mut self, pose: &Pose, index: usize, asked: &Resolved) -> Measured {
        let ranges = shapes(pose.world, self.pairs[index]);
        ask_shapes(pose, ranges, asked, asked.cutoff, self.start(index), &mut self.work)
    }

    /// Whether one of the bodies of a pair has a mesh that is not its own hull.
    pub fn has_mesh(&self, world: &World, index: usize) -> bool {
        shapes(world, self.pairs[index]).into_iter().flatten().any(|i| has_mesh(world, [ShapeId(i); 2]))
    }

    /// Whether a pair stays farther apart than `margin` around a pose: asked of the balls, then of each pair
    /// of shapes, by its distance and then along its normal; of meshes by their hulls' where those are
    /// farther apart than the margin. `adds` is given what each joint value adds, last and most to the point
    /// (metres).
    pub fn clears(
        &mut self,
        pose: &Pose,
        index: usize,
        around: Around,
        (margin, geometry): (f64, Geometry),
        adds: &mut [f64],
    ) -> Cleared {
        let Around { bounds, change } = around;
        let (pair, start) = (self.pairs[index], self.start(index));
        let balls = [pair.a, pair.b].map(|id| pose.body_ball(id));
        let carried = [(pair.a, &balls[0]), (pair.b, &balls[1])];
        adds.fill(0.0);
        let approach = walk(bounds, pose, carried, change, |dof, add| bounds.add(dof, add, adds));
        let gap = ball_gap(&balls[0], &balls[1]);
        let mut answer =
            Cleared { stays: Stays::ByBalls, room: gap, upper: f64::INFINITY, approach, witness: None };
        if gap > margin + approach {
            return answer;
        }
        // Along the line between the centres: the gap of balls is the room along it.
        if let (true, Some(n)) = (gap > margin, (balls[0].center - balls[1].center).normalized()) {
            let along = walk_along(bounds, pose, carried, change, n, NORM_ROUNDING, |_, _| {});
            if gap > margin + along {
                return Cleared { approach: along, ..answer };
            }
        }
        (answer.stays, answer.room) = (Stays::ByShapes, f64::INFINITY);
        let mut open = f64::INFINITY;
        let asked = Resolved { ask: Ask::Test, geometry, margin, cutoff: margin + approach };
        let ranges = shapes(pose.world, pair);
        let work = &mut self.work;
        each_shape_pair(pose, ranges, |candidate| {
            // An overlap ends it.
            if answer.upper < 0.0 {
                return;
            }
            if candidate.bound > asked.cutoff {
                answer.keep_least(candidate.bound, approach);
                return;
            }
            let placed = pose.shape_pair(candidate.shapes);
            let meshes = geometry == Geometry::Mesh && has_mesh(pose.world, candidate.shapes);
            let mut found = Measured::none(&asked);
            let hulls = Resolved { geometry: Geometry::Hull, ..asked };
            let mut normal = ask_pair(&placed, &candidate, &hulls, asked.cutoff, start, work, &mut found);
            // Only the lower bound of hulls holds for the meshes in them. Halving the motion is cheaper than
            // asking triangles for more.
            if meshes && found.interval.lower > margin {
                found = Measured::bound(found.interval.lower, &asked);
            } else if meshes {
                found = Measured::none(&asked);
                normal = ask_pair(&placed, &candidate, &asked, asked.cutoff, start, work, &mut found);
            }
            let interval = found.interval;
            if interval.upper < answer.upper {
                (answer.upper, answer.witness) = (interval.upper, found.witness);
            }
            if interval.lower > asked.cutoff {
                answer.keep_least(interval.lower, approach);
                return;
            }
            if interval.lower > margin {
                let [shape_a, shape_b] = placed.shapes;
                let room = gap_along(shape_a, shape_b, &placed.b_in_a, normal, placed.slack);
                let balls = candidate.shapes.map(|shape| pose.shape_ball(shape.0));
                let carried = [(pair.a, &balls[0]), (pair.b, &balls[1])];
                let tilt = 2.0 * placed.a_error.rotation + NORM_ROUNDING;
                let normal = placed.a_in_cell.direction(normal);
                adds.fill(0.0);
                let along = walk_along(bounds, pose, carried, change, normal, tilt, |dof, add| {
                    bounds.add(dof, add, adds);
                });
                if room > margin + along {
                    answer.keep_least(room, along);
                    return;
                }
            }
            answer.stays = Stays::Open;
            open = open.min(interval.lower);
        });
        if !answer.is_free() {
            (answer.room, answer.approach) = (answer.room.min(open), approach);
        }
        answer
    }
}

/// The shapes of two bodies.
fn shapes(world: &World, pair: BodyPair) -> [Range<u32>; 2] {
    [pair.a, pair.b].map(|id| world.solids.bodies[id.index()].shapes.clone())
}

fn has_mesh(world: &World, shapes: [ShapeId; 2]) -> bool {
    shapes.iter().any(|shape| world.solids.shapes[shape.index()].shape.mesh().is_some())
}
