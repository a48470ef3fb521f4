//! Pairs that can never touch, and pairs that always overlap, over all configurations: proved, not sampled.
//!
//! Only the joints between the two bodies count. The box of their values is asked at its centre. How much
//! nearer the bodies can come anywhere in the box ([`super::lever`]) is subtracted from the distance there.
//! If the rest is positive, the box is proved clear. Otherwise the box is halved across the joint that adds
//! most, and both halves are asked; larger boxes come first. If one centre overlaps and another is clear, the
//! pair does neither always, and the search ends.
//!
//! That a box always overlaps is proved by a point `p` that lies in both bodies at the centre, at proved
//! depths `r` and `s`. The balls about `p` with these radii lie in the bodies. Let each body carry its ball:
//! the balls overlap as long as their centres are less than `r + s` apart. The lever arms of `p` bound how
//! far apart the centres come. A candidate for `p` is the middle of the witnesses of the deepest overlap.
//! Others are the middles of the thickest balls inside the bodies, because a small body deep inside a large
//! one has its witnesses outside itself. For bodies that are not convex, a depth proves nothing at other
//! poses, but balls inside do.
//!
//! If limits allow the joints between two bodies one configuration only, an overlap proved there proves
//! "always". The tolerance of limits allows others beside it, which are this one, rounded. "Never" is proved
//! for all of them.
//!
//! Setup assistants sample some thousand configurations, and call "never" what they did not see. A box is a
//! proof. If the boxes run out, the pair stays open and has to be checked.

use super::asker::{Around, Asker, Wanted};
use super::deepest::climb_to_deepest;
use super::domain::Domain;
use super::field::FieldFault;
use super::lever::walk;
use super::motion_bounds::{Kind, MotionBounds, common};
use super::proof::{Claim, Proof, ProveOptions};
use crate::bounds::Ball;
use crate::bounds::fit::inner_ball;
use crate::bounds::tolerance::INSIDE_TRIES;
use crate::model::id::{BodyId, BodyPair, ShapeId};
use crate::model::world::World;
use crate::motion::tolerance::{DEEPEST_CLIMBS, DEEPEST_STEP, PROVE_WAITING, SWEEP_ROUNDING};
use crate::pose::fault::SetOptions;
use crate::pose::frames::Pose;
use crate::query::bodies::Measured;
use crate::query::checker::Checker;
use crate::query::resolved::Resolved;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::{Transform, Vec3};
use elbowroom_pair::Geometry;
use elbowroom_pair::Interval;
use elbowroom_pair::clearance;
use elbowroom_pair::shape::solid::Shape;
use elbowroom_pair::{Ask, Effort, Query};
use elbowroom_pair::{Scratch, Warm};

/// Proves what holds at every configuration of a world. One for each thread.
///
/// ```
/// use elbowroom::describe::examples::rod_and_post;
/// use elbowroom::motion::{Claim, ProveOptions, Prover};
/// use elbowroom::{Checker, PairId, World};
///
/// // The rod of the crate's first example. The first post stays 1.7 m away, the second can be hit.
/// let mut description = rod_and_post();
/// for (y, never) in [(3.0, true), (1.0, false)] {
///     description.obstacles[0].pose.translation.y = y;
///     let world = World::compile(&description)?;
///     let pair = world.pairs().get(PairId(0)).expect("the rod and the post");
///     let proof = Prover::new(&world).pair(pair, &ProveOptions::default());
///     match proof.claim {
///         Claim::Never { least } => assert!(never && 0.0 < least && least <= 1.7),
///         Claim::Sometimes => {
///             let values = proof.overlap_at.expect("where they overlap");
///             assert!(!never && Checker::new(&world).set(&values).is_ok());
///         }
///         other => panic!("{other:?}"),
///     }
///     // Tests leave out proved pairs.
///     assert_eq!(world.with_proofs(1000).proved_apart_count(), usize::from(never));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Prover<'w> {
    bounds: MotionBounds<'w>,
    /// All limits count; those of mimics do not.
    all: Domain,
    leaders: Domain,
    /// Whether there is a configuration within all limits.
    possible: bool,
    pose: Pose<'w>,
    scratch: Scratch,
}

impl<'w> Prover<'w> {
    /// For a world.
    pub fn new(world: &'w World) -> Prover<'w> {
        let (all, leaders) = (Domain::all(world), Domain::leaders(world));
        let mut pose = Pose::new(world);
        Prover {
            bounds: MotionBounds::new(world),
            possible: pose.set_values(&all.neutral).is_ok(),
            all,
            leaders,
            pose,
            scratch: Scratch::new(world.solids.mesh_depth),
        }
    }

    /// Takes over from a checker of the same world where movable bodies are and who carries them: proofs are
    /// then of these places. False for a checker of another world, from which nothing is taken.
    pub fn copy_state_from(&mut self, checker: &Checker) -> bool {
        self.pose.copy_state_from(&checker.space.pose)
    }

    /// Whether the limits that mimics have of their own narrow the ranges of the joints between two bodies.
    /// Then a proof may not hold in tools that ignore those limits.
    pub fn narrowed(&self, pair: BodyPair) -> bool {
        let [Some(a), Some(b)] = [pair.a, pair.b].map(|body| self.bounds.carried(&self.pose, body)) else {
            return true;
        };
        let common = common(a, b);
        let differs = |dof: &u32| {
            let value = self.bounds.dofs[*dof as usize].value as usize;
            self.all.ranges[value] != self.leaders.ranges[value]
        };
        a[common..].iter().chain(&b[common..]).any(differs)
    }

    /// The joint values between two bodies; `None` if one of these ranges does not bound them.
    fn between(&self, pair: BodyPair, ranges: &[[f64; 2]]) -> Option<Vec<usize>> {
        let (a, b) = (self.bounds.carried(&self.pose, pair.a)?, self.bounds.carried(&self.pose, pair.b)?);
        let common = common(a, b);
        let mut values: Vec<usize> = Vec::new();
        for dof in a[common..].iter().chain(&b[common..]).map(|i| &self.bounds.dofs[*i as usize]) {
            if matches!(dof.kind, Kind::Spin) {
                return None;
            }
            values.push(dof.value as usize);
        }
        values.sort_unstable();
        values.dedup();
        let bounded = |v: &usize| ranges[*v].iter().all(|end| end.is_finite());
        values.iter().all(bounded).then_some(values)
    }

    /// Proves what it can of a pair of bodies, whether the pair is checked or not.
    pub fn pair(&mut self, pair: BodyPair, options: &ProveOptions) -> Proof {
        let open = Proof { claim: Claim::Open, boxes: 0, share: 0.0, joints: 0, overlap_at: None };
        let Ok(mut search) = self.search_between(pair, options) else { return open };
        let joints = &search.joints;
        let only = search.domain().only(joints).filter(|_| !joints.is_empty());
        let ranges: Vec<f64> = joints.iter().flat_map(|v| search.range(*v)).collect();
        let proof = Proof { joints: joints.len(), ..open };
        search.run(ranges, only, proof)
    }

    /// A search for what holds of a pair over the joints between its bodies, or why nothing can be proved.
    pub(super) fn search_between<'s>(
        &'s mut self,
        pair: BodyPair,
        options: &'s ProveOptions,
    ) -> Result<ProofSearch<'s, 'w>, FieldFault> {
        let world = self.pose.world;
        let bare = |id: BodyId| !world.has_body(id) || self.pose.shapes_of(id).is_empty();
        if bare(pair.a) || bare(pair.b) || pair.a == pair.b {
            return Err(FieldFault::NoPair);
        }
        // Without a configuration within limits nothing is claimed.
        if options.mimic_limits && !self.possible {
            return Err(FieldFault::NoConfiguration);
        }
        let domain = if options.mimic_limits { &self.all } else { &self.leaders };
        let joints = self.between(pair, &domain.ranges).ok_or(FieldFault::Unbounded)?;
        let neutral = domain.neutral.clone();
        Ok(ProofSearch {
            asker: Asker::new(&self.pose, vec![pair]),
            prover: self,
            pair,
            joints,
            margin: 0.0,
            options,
            change: vec![0.0; neutral.len()],
            adds: vec![0.0; neutral.len()],
            values: neutral,
            least: f64::INFINITY,
            thickest: None,
            deepest: None,
            climbs: DEEPEST_CLIMBS,
        })
    }
}

/// What the centre of a box shows, and whether the whole box is proved clear or overlapping.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    clear: bool,
    pub overlap: bool,
    pub proved: bool,
}

/// The search for one pair.
pub(super) struct ProofSearch<'s, 'w> {
    prover: &'s mut Prover<'w>,
    pair: BodyPair,
    /// The joint values between the two bodies.
    pub joints: Vec<usize>,
    /// Clear means farther apart than this (metres).
    pub margin: f64,
    options: &'s ProveOptions,
    asker: Asker<'w>,
    values: Vec<f64>,
    change: Vec<f64>,
    /// By joint value, how much it adds to the approach (metres).
    pub adds: Vec<f64>,
    least: f64,
    /// The middles of the thickest balls inside the bodies, each in its body's frame; `None` before they are
    /// looked for.
    thickest: Option<Vec<(BodyId, Vec3)>>,
    /// The point that was found deepest in both bodies, in the frame of body A.
    deepest: Option<Vec3>,
    /// How often it may still be climbed to.
    pub climbs: u32,
}

impl<'w> ProofSearch<'_, 'w> {
    /// The world of the pair.
    pub fn world(&self) -> &'w World {
        self.prover.pose.world
    }

    /// The configurations that the search covers.
    fn domain(&self) -> &Domain {
        if self.options.mimic_limits { &self.prover.all } else { &self.prover.leaders }
    }

    /// The lowest and the highest number of a joint value.
    pub fn range(&self, value: usize) -> [f64; 2] {
        self.domain().ranges[value]
    }

    /// Halves the box of the joints between the bodies, `ranges`, until all of it is proved or the work ends.
    fn run(&mut self, ranges: Vec<f64>, only: Option<Vec<f64>>, mut proof: Proof) -> Proof {
        // The boxes of one level lie in one array: low and high of each joint. They are equally large. Level
        // by level, an overlap is found early; a search in depth would follow the rim of the overlap first.
        let size = 2 * self.joints.len().max(1);
        let mut level = ranges;
        level.resize(size, 0.0);
        let mut next: Vec<f64> = Vec::new();
        let (mut met, mut share) = (Seen::default(), 1.0);
        while !level.is_empty() {
            for region in level.chunks_exact(size) {
                if proof.boxes >= self.options.boxes {
                    return proof;
                }
                proof.boxes += 1;
                let seen = self.look_at_box(region, met);
                met.clear |= seen.clear;
                met.overlap |= seen.overlap;
                if seen.overlap && proof.overlap_at.is_none() {
                    proof.overlap_at = Some(self.values.clone());
                }
                if met.clear && met.overlap {
                    return Proof { claim: Claim::Sometimes, ..proof };
                }
                if seen.proved {
                    proof.share += share;
                    continue;
                }
                // Only the tolerance of limits could be halved: that is of use to prove the pair clear.
                if let Some(values) = only.as_ref().filter(|_| proof.boxes == 1 && !met.clear) {
                    let interval = self.ask_at(values);
                    if interval.upper < 0.0 {
                        let overlap_at = Some(values.clone());
                        return Proof { claim: Claim::Always, share: 1.0, overlap_at, ..proof };
                    }
                    if !(interval.lower > 0.0) {
                        return proof;
                    }
                }
                let Some((cut, middle)) = self.cut(region) else { return proof };
                if next.len() + 2 * size > PROVE_WAITING {
                    return proof;
                }
                for half in [1, 0] {
                    let at = next.len();
                    next.extend_from_slice(region);
                    next[at + 2 * cut + half] = middle;
                }
            }
            core::mem::swap(&mut level, &mut next);
            next.clear();
            share *= 0.5;
        }
        let claim = if met.overlap { Claim::Always } else { Claim::Never { least: self.least } };
        Proof { claim, share: 1.0, ..proof }
    }

    /// The joint across which a box is halved, the one that adds most, and its middle; `None` if the box is
    /// too short to be halved.
    fn cut(&self, region: &[f64]) -> Option<(usize, f64)> {
        let joints = &self.joints;
        let cut = (0..joints.len())
            .max_by(|i, j| self.adds[joints[*i]].total_cmp(&self.adds[joints[*j]]).then(j.cmp(i)))?;
        let middle = 0.5 * (region[2 * cut] + region[2 * cut + 1]);
        let cuts = region[2 * cut] < middle && middle < region[2 * cut + 1];
        cuts.then_some((cut, middle))
    }

    /// The signed distance of the pair at a configuration.
    fn ask_at(&mut self, values: &[f64]) -> Interval {
        let geometry = self.options.geometry;
        let pose = &mut self.prover.pose;
        if pose.set_with(values, SetOptions { ignore_limits: true }).is_err() {
            return Interval::nothing(geometry);
        }
        let asked = Resolved { ask: Ask::Test, cutoff: 0.0, margin: 0.0, geometry, depth: Effort::Rough };
        self.asker.ask(pose, 0, &asked).interval
    }

    /// Asks a box at its centre; `met` is what earlier centres showed.
    pub fn look_at_box(&mut self, region: &[f64], met: Seen) -> Seen {
        for (joint, ends) in self.joints.iter().zip(region.chunks_exact(2)) {
            self.values[*joint] = 0.5 * (ends[0] + ends[1]);
            let loose = SWEEP_ROUNDING * (ends[0].abs() + ends[1].abs());
            self.change[*joint] = 0.5 * (ends[1] - ends[0]) + loose;
        }
        let mut seen = Seen::default();
        let anywhere = SetOptions { ignore_limits: true };
        self.adds.fill(0.0);
        if self.prover.pose.set_with(&self.values, anywhere).is_err() {
            return seen;
        }
        let geometry = self.options.geometry;
        if !met.overlap {
            let Prover { pose, bounds, .. } = &*self.prover;
            let (around, wanted) =
                (Around::all(bounds, &self.change), Wanted { margin: self.margin, geometry });
            let cleared = self.asker.clears(pose, 0, around, wanted, &mut self.adds);
            seen.clear = cleared.gap > 0.0;
            seen.proved = cleared.is_free();
            if seen.proved {
                self.least = self.least.min(cleared.gap - cleared.approach);
            }
            if met.clear || !(cleared.upper < 0.0) {
                seen.overlap = cleared.upper < 0.0;
                return seen;
            }
        }
        if !self.joints.is_empty() && self.deepest_in_cell().is_some_and(|p| self.stays_inside(p)) {
            return Seen { overlap: true, proved: true, clear: false };
        }
        // Not any overlap, but the deepest one.
        let asked = Resolved { ask: Ask::Distance, cutoff: 0.0, margin: 0.0, geometry, depth: Effort::Rough };
        let Measured { interval, witness, .. } = self.asker.ask(&self.prover.pose, 0, &asked);
        (seen.clear, seen.overlap) = (interval.lower > 0.0, interval.upper < 0.0);
        if let (true, Some(w)) = (seen.overlap, witness) {
            let between = (w.a + w.b) * 0.5 - self.prover.pose.world.kinematics.origin_in_world;
            // Without joints between the bodies this one pose is all there is.
            seen.proved = self.joints.is_empty()
                || self.thickest().into_iter().any(|p| self.stays_inside(p))
                || self.stays_inside(between)
                || self.climb_deeper(between).is_some_and(|p| self.stays_inside(p));
        }
        seen
    }

    /// The middle of the largest ball found inside each body, in the cell frame.
    fn thickest(&mut self) -> Vec<Vec3> {
        let (pose, pair) = (&self.prover.pose, self.pair);
        let of_body = |body: BodyId| {
            let balls = pose.shapes_of(body).filter_map(|i| {
                let (shape, _) = pose.shape_with_body(ShapeId(i));
                let ball = inner_ball(&shape.shape, Geometry::Mesh, INSIDE_TRIES)?;
                Some((ball.radius, body, shape.shape_in_body().point(ball.center)))
            });
            balls.max_by(|a, b| a.0.total_cmp(&b.0))
        };
        let middles = self.thickest.get_or_insert_with(|| {
            [pair.a, pair.b].into_iter().filter_map(of_body).map(|(_, body, p)| (body, p)).collect()
        });
        middles.iter().map(|(body, p)| self.prover.pose.body_frame(*body).point(*p)).collect()
    }

    /// How far apart two points of the bodies that coincide at the centre can come in the box (metres).
    /// `adds` gets what each joint value adds.
    fn apart(&mut self, center: Vec3) -> f64 {
        let point = Ball { center, radius: 0.0 };
        let (Prover { pose, bounds, .. }, pair) = (&*self.prover, self.pair);
        let adds = &mut self.adds;
        adds.fill(0.0);
        walk(bounds, pose, [(pair.a, &point), (pair.b, &point)], &self.change, |dof, add| {
            bounds.add(dof, add, adds);
        })
    }

    /// The point that was found deepest in both bodies, in the cell frame.
    fn deepest_in_cell(&self) -> Option<Vec3> {
        self.deepest.map(|p| self.prover.pose.body_frame(self.pair.a).point(p))
    }

    /// Climbs to a point that is deep in both bodies, from the last one or from another point (cell frame).
    fn climb_deeper(&mut self, from: Vec3) -> Option<Vec3> {
        self.climbs = self.climbs.checked_sub(1)?;
        let [a, b] = [self.pair.a, self.pair.b];
        let start = self.deepest_in_cell().unwrap_or(from);
        let size = [a, b].map(|body| self.prover.pose.body_ball(body).radius);
        let step = DEEPEST_STEP * size[0].min(size[1]);
        let p = climb_to_deepest(start, step, |p| self.depth_in(a, p).min(self.depth_in(b, p)));
        self.deepest = Some(self.prover.pose.body_frame(a).inverse().point(p));
        Some(p)
    }

    /// The proved depth of a point (cell frame) in a body; negative outside (metres).
    fn depth_in(&mut self, body: BodyId, point: Vec3) -> f64 {
        let geometry = self.options.geometry;
        let Prover { pose, scratch, .. } = &mut *self.prover;
        let mut most = f64::NEG_INFINITY;
        for shape in pose.shapes_of(body).map(ShapeId) {
            let (in_cell, error) = pose.shape_in_cell(shape);
            let shape = &pose.shape_with_body(shape).0.shape;
            let dot = Shape::ball(0.0);
            let in_dot = Transform::new(in_cell.rotation, in_cell.translation - point);
            let slack = error.of_point(shape.center().norm() + shape.bounding_radius())
                + SWEEP_ROUNDING * point.norm();
            let query = Query { geometry, slack, depth: Effort::Rough, ..Query::default() };
            let c = clearance(&dot, shape, &in_dot, &query, &mut Warm::default(), scratch);
            most = most.max(-c.interval.upper);
        }
        most
    }

    /// Whether balls about a point, one inside each body, overlap in the whole box.
    fn stays_inside(&mut self, point: Vec3) -> bool {
        let apart = self.apart(point);
        let (r, s) = (self.depth_in(self.pair.a, point), self.depth_in(self.pair.b, point));
        r > 0.0 && s > 0.0 && r + s > apart
    }
}
