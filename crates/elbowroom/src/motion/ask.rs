//! A pair of bodies asked at a pose, with a memory for each pair that is this module's own.

use super::lever::{walk, walk_along};
use super::plane::room;
use super::reach::Reach;
use crate::bounds::ball_gap;
use crate::model::id::{BodyPair, ShapeId};
use crate::model::tolerance::MAX_REMEMBERED;
use crate::model::world::World;
use crate::numeric::math::Vec3;
use crate::numeric::tolerance::NORM_ROUNDING;
use crate::pair::clearance::{Ask, Geometry, Query, Stop};
use crate::pair::scratch::{Scratch, Warm};
use crate::pair::shape_pair::ShapePair;
use crate::pair::witness::Witness;
use crate::pose::frames::Pose;
use alloc::vec;
use alloc::vec::Vec;

/// Pairs with what their last queries found.
#[derive(Clone, Debug)]
pub(crate) struct Asker {
    pub pairs: Vec<BodyPair>,
    /// Where each pair's memory begins; beyond the end it has none.
    first: Vec<u32>,
    warm: Vec<Warm>,
    /// How many pairs, and places in memory, are there for good.
    own: [usize; 2],
    scratch: Scratch,
    /// Shape queries so far.
    pub queries: u64,
}

/// What is asked of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    pub ask: Ask,
    /// Pairs proved farther apart than this are answered (metres).
    pub cutoff: f64,
    /// Where a lower bound is asked for, that of hulls farther apart than this is enough (metres).
    pub margin: f64,
    pub geometry: Geometry,
}

/// The signed distance of a pair is within this (metres).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub lower: f64,
    pub upper: f64,
    /// The points of the upper bound, as in reports (world frame).
    pub witness: Option<Witness>,
    pub stop: Option<Stop>,
}

impl Found {
    /// Before any pair of shapes was asked.
    pub const NOTHING: Found =
        Found { lower: f64::INFINITY, upper: f64::INFINITY, witness: None, stop: None };
}

/// Whether a pair stays clear, and the numbers behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cleared {
    pub free: bool,
    /// Without a query.
    pub by_balls: bool,
    /// Lower bound of the distance, or of the room along a direction (metres).
    pub lower: f64,
    /// How much of that the motion can spend (metres).
    pub approach: f64,
    /// Upper bound of the distance, where it was asked for (metres), and its points.
    pub upper: f64,
    pub witness: Option<Witness>,
}

impl Asker {
    pub fn new(world: &World, pairs: Vec<BodyPair>) -> Asker {
        let (mut first, mut size) = (Vec::with_capacity(pairs.len()), 0_usize);
        for pair in &pairs {
            let [a, b] = [pair.a, pair.b].map(|id| world.bodies[id.index()].shapes.len());
            first.push(size as u32);
            size = size.saturating_add(a.saturating_mul(b)).min(MAX_REMEMBERED);
        }
        let depth = world.shapes.iter().map(|s| s.shape.mesh_depth()).max().unwrap_or(0);
        let own = [pairs.len(), size];
        Asker {
            pairs,
            first,
            warm: vec![Warm::default(); size],
            own,
            scratch: Scratch::new(depth),
            queries: 0,
        }
    }

    /// Adds a pair until the next [`Asker::drop_added`]; it begins cold.
    pub fn add(&mut self, world: &World, pair: BodyPair) {
        let [a, b] = [pair.a, pair.b].map(|id| world.bodies[id.index()].shapes.len());
        let place = self.warm.len();
        self.pairs.push(pair);
        self.first.push(place as u32);
        self.warm.resize(
            place.saturating_add(a.saturating_mul(b)).min(MAX_REMEMBERED.max(place)),
            Warm::default(),
        );
    }

    /// Leaves the pairs that it was made with.
    pub fn drop_added(&mut self) {
        let [pairs, size] = self.own;
        self.pairs.truncate(pairs);
        self.first.truncate(pairs);
        self.warm.truncate(size);
    }

    /// Forgets what earlier queries found.
    pub fn forget(&mut self) {
        self.warm.fill(Warm::default());
    }

    /// A lower bound from the balls around the bodies.
    #[inline]
    pub fn gap(&self, world: &World, pose: &Pose, index: usize) -> f64 {
        let pair = self.pairs[index];
        ball_gap(&pose.body_ball(world, pair.a), &pose.body_ball(world, pair.b))
    }

    /// The signed distance of a pair, over all pairs of its shapes, as far as the question wants it.
    pub fn ask(&mut self, world: &World, pose: &Pose, index: usize, question: &Question) -> Found {
        let pair = self.pairs[index];
        let [a, b] = [pair.a, pair.b].map(|id| world.bodies[id.index()].shapes.clone());
        let mut found = Found::NOTHING;
        for (i, j) in a.clone().flat_map(|i| b.clone().map(move |j| (i, j))) {
            if a.len() * b.len() > 1 {
                let gap = ball_gap(&pose.shape_ball(world, i), &pose.shape_ball(world, j));
                if gap > question.cutoff.min(found.upper) {
                    found.lower = found.lower.min(gap);
                    continue;
                }
            }
            let place =
                self.first[index] as usize + (i - a.start) as usize * b.len() + (j - b.start) as usize;
            // What is farther than another pair of shapes need not be known exactly.
            let reach = if question.ask == Ask::Distance { found.upper } else { f64::INFINITY };
            let question = &Question { cutoff: question.cutoff.min(reach), ..*question };
            self.shapes(world, pose, [ShapeId(i), ShapeId(j)], place, question, &mut found);
            if question.ask == Ask::Test && found.upper < 0.0 {
                break;
            }
        }
        found
    }

    /// Whether one of the bodies of a pair has a mesh that is not its own hull.
    pub fn has_mesh(&self, world: &World, index: usize) -> bool {
        let BodyPair { a, b } = self.pairs[index];
        [a, b].iter().any(|id| world.bodies[id.index()].shapes.clone().any(|i| is_mesh(world, i)))
    }

    /// Whether a pair stays farther apart than `clearance` while the joint values change by at most `change`
    /// from a pose: asked of the balls, then of each pair of shapes, by its distance and then along its
    /// normal; of meshes by their hulls' where those are farther apart than the clearance. `each` is told
    /// what each part of the motion adds, last and most to the point.
    #[allow(clippy::too_many_arguments)]
    pub fn clears(
        &mut self,
        world: &World,
        pose: &Pose,
        reach: &Reach,
        index: usize,
        change: &[f64],
        clearance: f64,
        geometry: Geometry,
        adds: &mut [f64],
    ) -> Cleared {
        let pair = self.pairs[index];
        let bodies = [pair.a, pair.b];
        let each = |adds: &mut [f64], part: u32, add: f64| {
            adds[reach.parts[part as usize].value as usize] += add;
        };
        let around = bodies.map(|id| pose.body_ball(world, id));
        let pairs = [(pair.a, &around[0]), (pair.b, &around[1])];
        adds.fill(0.0);
        let approach = walk(reach, pose, pairs, change, |p, add| each(adds, p, add));
        let gap = ball_gap(&around[0], &around[1]);
        let mut answer =
            Cleared { free: true, by_balls: true, lower: gap, upper: f64::INFINITY, approach, witness: None };
        if gap > clearance + approach {
            return answer;
        }
        // Along the line between the centres: the gap of balls is the room along it.
        if let (true, Some(n)) = (gap > clearance, (around[0].center - around[1].center).normalized()) {
            let along = walk_along(reach, pose, pairs, change, n, NORM_ROUNDING, |_, _| {});
            if gap > clearance + along {
                return Cleared { approach: along, ..answer };
            }
        }
        (answer.by_balls, answer.lower) = (false, f64::INFINITY);
        // The piece of a proof that has least to spare is the pair's.
        let (mut spare, mut open) = (f64::INFINITY, f64::INFINITY);
        let mut proved = |answer: &mut Cleared, lower: f64, approach: f64| {
            let least = lower - approach;
            if least < spare {
                (spare, answer.lower, answer.approach) = (least, lower, approach);
            }
        };
        let [a, b] = bodies.map(|id| world.bodies[id.index()].shapes.clone());
        let question = Question { ask: Ask::Test, cutoff: clearance + approach, margin: clearance, geometry };
        for (i, j) in a.clone().flat_map(|i| b.clone().map(move |j| (i, j))) {
            let balls = [i, j].map(|shape| pose.shape_ball(world, shape));
            if a.len() * b.len() > 1 {
                let gap = ball_gap(&balls[0], &balls[1]);
                if gap > question.cutoff {
                    proved(&mut answer, gap, approach);
                    continue;
                }
            }
            let place =
                self.first[index] as usize + (i - a.start) as usize * b.len() + (j - b.start) as usize;
            let (shapes, mut found) = ([ShapeId(i), ShapeId(j)], Found::NOTHING);
            let hulls = Question { geometry: Geometry::Hull, ..question };
            let (mut placed, mut normal) = self.shapes(world, pose, shapes, place, &hulls, &mut found);
            if geometry == Geometry::Mesh && (is_mesh(world, i) || is_mesh(world, j)) {
                // Only the hulls' lower bound holds for what they contain. Halving the motion is cheaper than
                // asking triangles for more.
                found = Found { lower: found.lower, ..Found::NOTHING };
                if found.lower <= clearance {
                    found = Found::NOTHING;
                    (placed, normal) = self.shapes(world, pose, shapes, place, &question, &mut found);
                }
            }
            if found.upper < answer.upper {
                (answer.upper, answer.witness) = (found.upper, found.witness);
            }
            if found.lower > question.cutoff {
                proved(&mut answer, found.lower, approach);
                continue;
            }
            if found.lower > clearance {
                let [shape_a, shape_b] = placed.shapes;
                let room = room(shape_a, shape_b, &placed.b_in_a, normal, placed.slack);
                let pairs = [(pair.a, &balls[0]), (pair.b, &balls[1])];
                let tilt = 2.0 * placed.a_error.turn + NORM_ROUNDING;
                let normal = placed.a_in_cell.direction(normal);
                adds.fill(0.0);
                let along = walk_along(reach, pose, pairs, change, normal, tilt, |p, add| each(adds, p, add));
                if room > clearance + along {
                    proved(&mut answer, room, along);
                    continue;
                }
            }
            answer.free = false;
            open = open.min(found.lower);
            if answer.upper < 0.0 {
                break;
            }
        }
        if !answer.free {
            (answer.lower, answer.approach) = (answer.lower.min(open), approach);
        }
        answer
    }

    /// Asks one pair of shapes, joins the answer to what was found, and returns where they are and the normal
    /// (A's frame).
    fn shapes<'w>(
        &mut self,
        world: &'w World,
        pose: &Pose,
        shapes: [ShapeId; 2],
        place: usize,
        question: &Question,
        found: &mut Found,
    ) -> (ShapePair<'w>, Vec3) {
        let placed = pose.shape_pair(world, shapes);
        let mut cold = Warm::default();
        let warm = self.warm.get_mut(place).unwrap_or(&mut cold);
        let Question { ask, cutoff, margin, geometry } = *question;
        let query = Query { ask, cutoff, geometry, margin, slack: 0.0 };
        let (c, queries) = placed.ask(query, warm, &mut self.scratch);
        self.queries += queries as u64;
        found.lower = found.lower.min(c.lower);
        if c.upper < found.upper {
            found.upper = c.upper;
            found.stop = Some(c.stop);
            found.witness = Some(placed.witness(&c));
        }
        (placed, c.normal)
    }
}

fn is_mesh(world: &World, shape: u32) -> bool {
    world.shapes[shape as usize].shape.mesh().is_some()
}
