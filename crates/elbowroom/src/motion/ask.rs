//! A pair of bodies asked at a pose, with a memory for each pair that is this module's own.

use crate::bounds::ball_gap;
use crate::id::ShapeId;
use crate::kinematics::relative_error;
use crate::narrow::{self, Ask, Geometry, Query, Scratch, Stop, Warm};
use crate::pairs::BodyPair;
use crate::pose::Pose;
use crate::report::Witness;
use crate::tolerance::MAX_REMEMBERED;
use crate::world::World;
use alloc::vec;
use alloc::vec::Vec;

/// Pairs with what their last queries found.
#[derive(Clone, Debug)]
pub(crate) struct Asker {
    pub pairs: Vec<BodyPair>,
    /// Where each pair's memory begins; beyond the end it has none.
    first: Vec<u32>,
    warm: Vec<Warm>,
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
    /// Hulls farther apart than this are answer enough (metres).
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

impl Asker {
    pub fn new(world: &World, pairs: Vec<BodyPair>) -> Asker {
        let (mut first, mut size) = (Vec::with_capacity(pairs.len()), 0_usize);
        for pair in &pairs {
            let [a, b] = [pair.a, pair.b].map(|id| world.bodies[id.index()].shapes.len());
            first.push(size as u32);
            size = size.saturating_add(a.saturating_mul(b)).min(MAX_REMEMBERED);
        }
        let depth = world.shapes.iter().map(|s| s.shape.mesh_depth()).max().unwrap_or(0);
        Asker { pairs, first, warm: vec![Warm::default(); size], scratch: Scratch::new(depth), queries: 0 }
    }

    /// Forgets what earlier queries found.
    pub fn forget(&mut self) {
        self.warm.fill(Warm::default());
    }

    /// A lower bound from the balls around the bodies.
    #[inline]
    pub fn gap(&self, pose: &Pose, index: usize) -> f64 {
        let pair = self.pairs[index];
        ball_gap(&pose.body_balls[pair.a.index()], &pose.body_balls[pair.b.index()])
    }

    /// The signed distance of a pair, over all pairs of its shapes, as far as the question wants it.
    pub fn ask(&mut self, world: &World, pose: &Pose, index: usize, question: &Question) -> Found {
        let pair = self.pairs[index];
        let [a, b] = [pair.a, pair.b].map(|id| world.bodies[id.index()].shapes.clone());
        let mut found = Found { lower: f64::INFINITY, upper: f64::INFINITY, witness: None, stop: None };
        for (i, j) in a.clone().flat_map(|i| b.clone().map(move |j| (i, j))) {
            if a.len() * b.len() > 1 {
                let gap = ball_gap(&pose.shape_balls[i as usize], &pose.shape_balls[j as usize]);
                if gap > question.cutoff.min(found.upper) {
                    found.lower = found.lower.min(gap);
                    continue;
                }
            }
            let place =
                self.first[index] as usize + (i - a.start) as usize * b.len() + (j - b.start) as usize;
            self.shapes(world, pose, [ShapeId(i), ShapeId(j)], place, question, &mut found);
            if question.ask == Ask::Test && found.upper < 0.0 {
                break;
            }
        }
        found
    }

    fn shapes(
        &mut self,
        world: &World,
        pose: &Pose,
        [a, b]: [ShapeId; 2],
        place: usize,
        question: &Question,
        found: &mut Found,
    ) {
        let (shape_a, shape_b) = (&world.shapes[a.index()], &world.shapes[b.index()]);
        let (a_in_cell, a_error) = pose.shape_in_cell(world, a);
        let (b_in_cell, b_error) = pose.shape_in_cell(world, b);
        let b_in_a = a_in_cell.relative(&b_in_cell);
        let slack = relative_error(&a_error, &b_error, shape_b.size, &b_in_a);
        let mut cold = Warm::default();
        let (warm, scratch) = (self.warm.get_mut(place).unwrap_or(&mut cold), &mut self.scratch);
        let Question { ask, cutoff, margin, geometry } = *question;
        self.queries += 1;
        let query = Query { ask, cutoff, geometry, margin, slack };
        let mut c = narrow::clearance(&shape_a.shape, &shape_b.shape, &b_in_a, &query, warm, scratch);
        // Neither a gap nor an overlap: the full distance may tell.
        if ask == Ask::Test && !(c.lower > 0.0 || c.upper < 0.0) {
            self.queries += 1;
            let query = Query { ask: Ask::Distance, cutoff: f64::INFINITY, ..query };
            c = narrow::clearance(&shape_a.shape, &shape_b.shape, &b_in_a, &query, warm, scratch);
        }
        // What is no number proves nothing.
        found.lower = if c.lower.is_nan() { f64::NEG_INFINITY } else { found.lower.min(c.lower) };
        if c.upper < found.upper {
            found.upper = c.upper;
            found.stop = Some(c.stop);
            found.witness = Some(Witness {
                a: a_in_cell.point(c.witness_a) + world.origin_in_world,
                b: a_in_cell.point(c.witness_b) + world.origin_in_world,
                normal: a_in_cell.direction(c.normal),
            });
        }
    }
}
