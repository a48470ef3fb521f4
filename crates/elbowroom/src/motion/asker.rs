//! Asks pairs of bodies at a pose and around it, with warm starts of its own.

mod along;

use super::course::Straight;
use super::lever::{walk, walk_along};
use super::motion_bounds::MotionBounds;
use super::passing::Passing;
use super::plane::gap_along;
use super::trail_search::TrailScratch;
use crate::bounds::{Ball, ball_gap};
use crate::model::id::{BodyPair, ShapeId};
use crate::model::movable_pairs::MovablePartner;
use crate::model::tolerance::MAX_WARM_STARTS;
use crate::model::world::World;
use crate::pose::frames::Pose;
use crate::query::bodies::{
    Measured, QueryWork, ShapeCandidate, ask_shape_pair, ask_shapes, each_shape_pair,
};
use crate::query::cloud_work::CloudWork;
use crate::query::resolved::Resolved;
use crate::query::search;
use crate::query::warm_starts::{WarmStartSlots, WarmStarts};
use alloc::vec::Vec;
use core::ops::Range;
use elbowroom_describe::math::Vec3;
use elbowroom_pair::Geometry;
use elbowroom_pair::Witness;
use elbowroom_pair::numeric::tolerance::NORM_ROUNDING;
use elbowroom_pair::shape_pair::ShapePair;
use elbowroom_pair::{Ask, Effort};

/// Pairs of bodies and their warm starts.
#[derive(Clone, Debug)]
pub(crate) struct Asker<'w> {
    pub pairs: Vec<BodyPair>,
    /// By pair, the first slot of its warm starts. A slot beyond the last means a cold start.
    first: Vec<u32>,
    pub work: QueryWork,
    clouds: Option<CloudWork<'w>>,
    trails: TrailScratch,
    /// How many pairs, and how many slots, it was made with.
    own: [usize; 2],
}

/// A slot that no pair has: a cold start.
const COLD: u32 = u32::MAX;

/// The poses around one: their joint values differ from its by at most `change`.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub bounds: &'a MotionBounds<'a>,
    /// By value (radians, metres).
    pub change: &'a [f64],
    /// If the poses are those beside one straight motion through the pose, that motion.
    pub straight: Option<Straight<'a>>,
}

impl<'a> Around<'a> {
    /// All poses around one.
    pub fn all(bounds: &'a MotionBounds<'a>, change: &'a [f64]) -> Around<'a> {
        Around { bounds, change, straight: None }
    }
}

/// What a pair is asked about: whether it stays farther apart than a margin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Metres.
    pub margin: f64,
    pub geometry: Geometry,
}

/// How a pair was proved to stay clear around a pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stays {
    /// By the balls around its bodies, or another bound.
    ByBalls,
    /// By the distances of its shapes.
    ByShapes,
    /// It was not proved.
    Open,
}

/// Whether a pair stays clear around a pose, and the numbers behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cleared {
    pub stays: Stays,
    /// Lower bound of the distance at the pose, or of the gap along a direction (metres).
    pub gap: f64,
    /// How much smaller the motion can make it (metres).
    pub approach: f64,
    /// Upper bound of the distance, where it was asked for (metres), and its points.
    pub upper: f64,
    pub witness: Option<Witness>,
}

impl Cleared {
    pub fn is_free(&self) -> bool {
        self.stays != Stays::Open
    }

    /// Takes the proof of a pair of shapes. The pair of bodies keeps the one with the least to spare.
    fn keep_least(&mut self, gap: f64, approach: f64) {
        if gap - approach < self.gap - self.approach {
            (self.gap, self.approach) = (gap, approach);
        }
    }
}

impl<'w> Asker<'w> {
    pub fn new(pose: &Pose<'w>, pairs: Vec<BodyPair>) -> Asker<'w> {
        let world = pose.world;
        let (mut first, mut size) = (Vec::with_capacity(pairs.len()), 0_usize);
        for pair in &pairs {
            let [a, b] = shapes(pose, *pair).map(|range| range.len());
            first.push(size as u32);
            size = size.saturating_add(a.saturating_mul(b)).min(MAX_WARM_STARTS);
        }
        let own = [pairs.len(), size];
        let work = QueryWork::new(WarmStarts::with_own_slots(size), world.solids.mesh_depth);
        let trails = TrailScratch::new(world.solids.mesh_depth);
        Asker { pairs, first, work, clouds: CloudWork::new(world, pose), trails, own }
    }

    /// Adds a pair until the next [`Asker::drop_added`]; it begins cold.
    pub fn add(&mut self, pose: &Pose, pair: BodyPair) {
        let [a, b] = shapes(pose, pair).map(|range| range.len());
        let slot = self.work.starts.len();
        self.pairs.push(pair);
        self.first.push(slot as u32);
        let slots = slot.saturating_add(a.saturating_mul(b)).min(MAX_WARM_STARTS.max(slot));
        self.work.starts.resize_slots(slots);
    }

    /// With room for more pairs, and one for a moment, that are added cold.
    pub fn with_room(pose: &Pose<'w>, pairs: Vec<BodyPair>, room: usize) -> Asker<'w> {
        let mut asker = Asker::new(pose, pairs);
        asker.pairs.reserve_exact(room + 1);
        asker.first.reserve_exact(room + 1);
        asker
    }

    /// Adds a pair until the next [`Asker::drop_added`], without warm starts; returns its index.
    pub fn add_cold(&mut self, pair: BodyPair) -> u32 {
        self.pairs.push(pair);
        self.first.push(COLD);
        self.pairs.len() as u32 - 1
    }

    /// Drops the pair that was added cold last.
    pub fn drop_last(&mut self) {
        self.pairs.pop();
        self.first.pop();
    }

    /// Drops the pairs that were added.
    pub fn drop_added(&mut self) {
        let [pairs, size] = self.own;
        self.pairs.truncate(pairs);
        self.first.truncate(pairs);
        self.work.starts.resize_slots(size);
    }

    /// Forgets warm starts.
    pub fn forget(&mut self) {
        self.work.starts.forget_all();
        self.forget_clouds();
    }

    /// Forgets what questions about clouds have left.
    pub fn forget_clouds(&mut self) {
        if let Some(clouds) = &mut self.clouds {
            clouds.forget_history();
        }
    }

    /// From now on every query starts as if all had been forgotten before it.
    pub fn start_cold(&mut self) {
        self.work.starts.cold = true;
    }

    /// Nodes and triangles of meshes, and pairs of their parts, that were visited so far.
    pub fn visits(&self) -> u64 {
        self.work.visits() + self.trails.parts as u64
    }

    fn start(&self, index: usize) -> WarmStartSlots {
        WarmStartSlots::From(self.first[index] as usize)
    }

    /// A lower bound from the balls around the bodies.
    #[inline]
    pub fn gap(&self, pose: &Pose, index: usize) -> f64 {
        let pair = self.pairs[index];
        ball_gap(&pose.body_ball(pair.a), &pose.body_ball(pair.b))
    }

    /// How much nearer the balls around the bodies of a pair can come to each other (metres).
    pub fn approach_of(&self, pose: &Pose, index: usize, around: Around) -> f64 {
        let pair = self.pairs[index];
        let balls = [pair.a, pair.b].map(|id| pose.body_ball(id));
        let carried = [(pair.a, &balls[0]), (pair.b, &balls[1])];
        walk(around.bounds, pose, carried, around.change, |_, _| {})
    }

    /// The signed distance of a pair, as exact as the question needs it.
    pub fn ask(&mut self, pose: &Pose, index: usize, asked: &Resolved) -> Measured {
        if let (Some(which), Some(clouds)) = (find_cloud(pose.world, self.pairs[index]), &mut self.clouds) {
            return clouds.measure_body(pose, which, asked, asked.cutoff);
        }
        let ranges = shapes(pose, self.pairs[index]);
        ask_shapes(pose, ranges, asked, asked.cutoff, self.start(index), &mut self.work)
    }

    /// Whether a pair stays farther apart than the margin around a pose. The balls around the bodies are
    /// asked first, then each pair of shapes: by its distance, then along its normal. Hulls stand for meshes
    /// as long as the hulls are farther apart than the margin. `adds` gets what each joint value adds to the
    /// approach, from the last of these tests (metres).
    pub fn clears(
        &mut self,
        pose: &Pose,
        index: usize,
        around: Around,
        wanted: Wanted,
        adds: &mut [f64],
    ) -> Cleared {
        self.clears_or(pose, index, around, wanted, adds, |_| f64::NEG_INFINITY)
    }

    /// [`Asker::clears`] with another `bound` on the distance of the bodies at the pose (metres). It is asked
    /// before their shapes, and gets what it must exceed to decide.
    pub fn clears_or(
        &mut self,
        pose: &Pose,
        index: usize,
        around: Around,
        wanted: Wanted,
        adds: &mut [f64],
        bound: impl FnOnce(f64) -> f64,
    ) -> Cleared {
        #[cfg(test)]
        crate::tally::add(crate::tally::Work::Pairs, 1);
        let (Around { bounds, change, straight }, Wanted { margin, geometry }) = (around, wanted);
        let (pair, start) = (self.pairs[index], self.start(index));
        if let Some(which) = find_cloud(pose.world, pair) {
            return self.clears_cloud(pose, (pair, which), around, wanted, adds);
        }
        let balls = [pair.a, pair.b].map(|id| pose.body_ball(id));
        let carried = [(pair.a, &balls[0]), (pair.b, &balls[1])];
        adds.fill(0.0);
        let approach = walk(bounds, pose, carried, change, |dof, add| bounds.add(dof, add, adds));
        let gap = ball_gap(&balls[0], &balls[1]);
        let mut answer =
            Cleared { stays: Stays::ByBalls, gap, upper: f64::INFINITY, approach, witness: None };
        if gap > margin + approach {
            return answer;
        }
        let bound = bound(margin + approach);
        if bound > margin + approach {
            return Cleared { gap: bound, ..answer };
        }
        // Along the line between the centres: the gap of the balls is the gap along that line.
        if let (true, Some(n)) = (gap > margin, (balls[0].center - balls[1].center).normalized()) {
            let along = walk_along(bounds, pose, carried, change, n, NORM_ROUNDING, |_, _| {});
            if gap > margin + along {
                return Cleared { approach: along, ..answer };
            }
        }
        (answer.stays, answer.gap) = (Stays::ByShapes, f64::INFINITY);
        let mut open = f64::INFINITY;
        let asked =
            Resolved { ask: Ask::Test, geometry, margin, cutoff: margin + approach, depth: Effort::Rough };
        let ranges = shapes(pose, pair);
        let (work, trails) = (&mut self.work, &mut self.trails);
        each_shape_pair(pose, ranges, |candidate| {
            // After an overlap no other shapes need be asked; they may overlap more deeply.
            if answer.upper < 0.0 {
                open = open.min(candidate.bound);
                return;
            }
            if candidate.bound > asked.cutoff {
                answer.keep_least(candidate.bound, approach);
                return;
            }
            let placed = pose.shape_pair(candidate.shapes);
            let meshes = geometry == Geometry::Mesh && has_mesh(pose, candidate.shapes);
            let mut measured = Measured::nothing_measured(&asked);
            let hulls = Resolved { geometry: Geometry::Hull, ..asked };
            let mut normal =
                ask_shape_pair(&placed, &candidate, &hulls, asked.cutoff, start, work, &mut measured);
            let mut near = measured.witness;
            // Only the lower bound of hulls holds for the meshes inside. Halving the motion costs less than
            // asking triangles.
            if meshes && measured.interval.lower > margin {
                measured = Measured::from_lower_bound(measured.interval.lower, &asked);
            } else if meshes {
                measured = Measured::nothing_measured(&asked);
                normal =
                    ask_shape_pair(&placed, &candidate, &asked, asked.cutoff, start, work, &mut measured);
                near = measured.witness;
            }
            let interval = measured.interval;
            if interval.upper < answer.upper {
                (answer.upper, answer.witness) = (interval.upper, measured.witness);
            }
            if interval.lower > asked.cutoff {
                answer.keep_least(interval.lower, approach);
                return;
            }
            if interval.lower > margin {
                let [shape_a, shape_b] = placed.shapes;
                let gap = gap_along(shape_a, shape_b, &placed.b_in_a, normal, placed.slack);
                adds.fill(0.0);
                let at = (&candidate, &placed);
                let along = motion_along(bounds, pose, pair, at, normal, change, |dof, add| {
                    bounds.add(dof, add, adds);
                });
                if gap > margin + along {
                    answer.keep_least(gap, along);
                    return;
                }
                if let Some(straight) = straight {
                    let shapes = candidate.shapes;
                    let passing = Passing { pose, pair, shapes, placed: &placed, geometry };
                    if let Some(gap) = passing.least(bounds, straight, near, margin, trails) {
                        answer.keep_least(gap, 0.0);
                        return;
                    }
                }
            }
            answer.stays = Stays::Open;
            open = open.min(interval.lower);
        });
        if !answer.is_free() {
            (answer.gap, answer.approach) = (answer.gap.min(open), approach);
        }
        answer
    }
}

impl Asker<'_> {
    /// [`Asker::clears`] for a body, which comes first, and a cloud of points. Only their distance is asked.
    fn clears_cloud(
        &mut self,
        pose: &Pose,
        (pair, which): (BodyPair, (usize, MovablePartner)),
        Around { bounds, change, .. }: Around,
        Wanted { margin, geometry }: Wanted,
        adds: &mut [f64],
    ) -> Cleared {
        let balls = [pose.body_ball(pair.a), Ball::UNBOUNDED];
        let carried = [(pair.a, &balls[0]), (pair.b, &balls[1])];
        adds.fill(0.0);
        let approach = walk(bounds, pose, carried, change, |dof, add| bounds.add(dof, add, adds));
        let cutoff = margin + approach;
        let asked = Resolved { ask: Ask::Distance, geometry, margin, cutoff, depth: Effort::Rough };
        let measured = match &mut self.clouds {
            Some(clouds) => clouds.measure_body(pose, which, &asked, cutoff),
            None => Measured::from_lower_bound(f64::NEG_INFINITY, &asked),
        };
        let (gap, upper) = (measured.interval.lower, measured.interval.upper);
        let stays = if gap > cutoff { Stays::ByShapes } else { Stays::Open };
        Cleared { stays, gap, approach, upper, witness: measured.witness }
    }
}

/// How much smaller the gap of two shapes along a normal (in the first shape's frame) can become around a
/// pose.
#[inline]
fn motion_along(
    bounds: &MotionBounds,
    pose: &Pose,
    pair: BodyPair,
    (candidate, placed): (&ShapeCandidate, &ShapePair),
    normal: Vec3,
    change: &[f64],
    each: impl FnMut(u32, f64),
) -> f64 {
    let balls = candidate.shapes.map(|shape| pose.shape_ball(shape.0));
    let carried = [(pair.a, &balls[0]), (pair.b, &balls[1])];
    let tilt = 2.0 * placed.a_error.rotation + NORM_ROUNDING;
    walk_along(bounds, pose, carried, change, placed.a_in_cell.direction(normal), tilt, each)
}

/// The number of the cloud in a pair, and the other body.
fn find_cloud(world: &World, pair: BodyPair) -> Option<(usize, MovablePartner)> {
    let clouds = !world.movables.clouds.is_empty();
    search::find_cloud(world, world.checks.pairs.movable.find_pair(pair).filter(|_| clouds)?)
}

/// The shapes of two bodies.
fn shapes(pose: &Pose, pair: BodyPair) -> [Range<u32>; 2] {
    [pair.a, pair.b].map(|id| pose.shapes_of(id))
}

fn has_mesh(pose: &Pose, shapes: [ShapeId; 2]) -> bool {
    shapes.iter().any(|shape| pose.shape_with_body(*shape).0.shape.mesh().is_some())
}
