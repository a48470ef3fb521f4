//! Pairs that can never touch, and pairs that always overlap, over all configurations: proved, not sampled.
//!
//! Only the joints between the two bodies matter. The box of their values is asked at its centre, and how
//! much nearer the bodies can come anywhere in the box ([`super::lever`]) is taken off the distance there.
//! What remains positive proves the box clear. Otherwise the box is cut in two across the joint that adds
//! most, and both halves are asked, larger boxes first. A centre that overlaps, where another is clear, ends
//! it: the pair does neither.
//!
//! Always is proved with a point `p` that lies in both bodies at the centre, at proved depths `r` and `s`:
//! the balls of those radii about `p`, one carried by each body, lie in the bodies and overlap as long as
//! their centres are less than `r + s` apart, and how far apart they come is bounded by the levers of `p`
//! itself. Such a point is looked for between the witnesses of the deepest overlap, and where the bodies are
//! thickest: a small body well inside a large one has its witnesses outside of itself. Depth does not carry
//! over to other poses where bodies are not convex, but balls inside do.
//!
//! Where limits leave the joints between two bodies one configuration, an overlap proved there is all there
//! is. The tolerance of limits lets in others beside it: they are this one, rounded. To be clear is proved
//! for all of them.
//!
//! Setup assistants sample some thousand configurations, and call what they did not see "never". A box is a
//! proof; where boxes run out the pair stays open, and is to be checked.

use super::ask::{Around, Asker};
use super::domain::Domain;
use super::lever::walk;
use super::motion_bounds::{Kind, MotionBounds, common};
use crate::bounds::Ball;
use crate::bounds::fit::inner_ball;
use crate::bounds::tolerance::INSIDE_TRIES;
use crate::model::id::{BodyId, BodyPair, ShapeId};
use crate::model::world::World;
use crate::motion::tolerance::{PROVE_BOXES, PROVE_WAITING, SWEEP_ROUNDING};
use crate::numeric::math::{Transform, Vec3};
use crate::pair::clearance::{Ask, Query};
use crate::pair::geometry::Geometry;
use crate::pair::interval::Interval;
use crate::pair::narrow;
use crate::pair::scratch::{Scratch, Warm};
use crate::pose::fault::SetOptions;
use crate::pose::frames::Pose;
use crate::query::resolved::Resolved;
use crate::shape::solid::{Core, Shape};
use alloc::vec;
use alloc::vec::Vec;

/// What is proved of a pair over all configurations. The example of [`Prover`] matches it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// The two can never touch.
    Never {
        /// The least clearance that the boxes prove (metres); the true one is more.
        least: f64,
    },
    /// The two overlap at every configuration.
    Always,
    /// They overlap at some configurations and are clear at others.
    Sometimes,
    /// Nothing: the work ended, a joint between them has no limits, or limits leave no configuration.
    Open,
}

/// The claim, and what it took, from [`Prover::pair`]. Where the claim is open, `share` tells how much of the
/// proof is there: more boxes may complete it.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// What is proved.
    pub claim: Claim,
    /// Boxes that were asked.
    pub boxes: u64,
    /// Share of the volume of the whole box that was proved when the work ended.
    pub share: f64,
    /// Joint values between the two bodies.
    pub joints: usize,
    /// Joint values of the world at which the two overlap; none if that was not met.
    pub overlap_at: Option<Vec<f64>>,
}

/// How much work a proof may take, and of what.
///
/// ```
/// use elbowroom::motion::ProveOptions;
///
/// // Four times the usual work, for pairs that stay open; the defaults take meshes and all limits.
/// let usual = ProveOptions::default();
/// let patient = ProveOptions { boxes: 4 * usual.boxes, ..usual };
/// assert!(patient.mimic_limits && patient.boxes > usual.boxes);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProveOptions {
    /// Most boxes for one pair.
    pub boxes: u64,
    /// What meshes stand for.
    pub geometry: Geometry,
    /// Whether the limits count that a mimic has of its own. [`Checker::set`](crate::Checker::set) enforces
    /// them, and many other tools do not: what is to hold there is proved over all that the joint which it
    /// follows may do.
    pub mimic_limits: bool,
}

impl Default for ProveOptions {
    fn default() -> ProveOptions {
        ProveOptions { boxes: PROVE_BOXES, geometry: Geometry::Mesh, mimic_limits: true }
    }
}

/// Proves what holds at every configuration of a world. One a thread.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
/// # use example::rod_and_post;
/// use elbowroom::motion::{Claim, ProveOptions, Prover};
/// use elbowroom::{Checker, PairId, World};
///
/// // The rod of the crate's first example, with the post out of reach and within it: 1.7 is left, and
/// // nothing.
/// for (post, never) in [([0.0, 3.0, 0.0], true), ([0.0, 1.0, 0.0], false)] {
///     let mut world = World::compile(&rod_and_post(post))?;
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
///     // Tests leave out what is proved.
///     assert_eq!(world.prove_apart(1000), usize::from(never));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Prover<'w> {
    bounds: MotionBounds<'w>,
    /// Where all limits count, and where those of mimics do not.
    all: Domain,
    leaders: Domain,
    /// Whether the first has a configuration.
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
            possible: pose.set(&all.neutral).is_ok(),
            all,
            leaders,
            pose,
            scratch: Scratch::new(world.solids.mesh_depth()),
        }
    }

    /// Whether limits that a mimic has of its own leave out values of the joints between two bodies: what is
    /// proved of them may not hold where those limits do not count.
    pub fn narrowed(&self, pair: BodyPair) -> bool {
        let (Some(a), Some(b)) = (self.bounds.chain(pair.a), self.bounds.chain(pair.b)) else { return true };
        let common = common(a, b);
        let differs = |dof: &u32| {
            let value = self.bounds.dofs[*dof as usize].value as usize;
            self.all.ranges[value] != self.leaders.ranges[value]
        };
        a[common..].iter().chain(&b[common..]).any(differs)
    }

    /// The joint values between two bodies; `None` if one of these ranges does not bound them.
    fn between(&self, pair: BodyPair, ranges: &[[f64; 2]]) -> Option<Vec<usize>> {
        let (a, b) = (self.bounds.chain(pair.a)?, self.bounds.chain(pair.b)?);
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

    /// Proves what can be proved of a pair of bodies, whether it is checked or not.
    pub fn pair(&mut self, pair: BodyPair, options: &ProveOptions) -> Proof {
        let world = self.pose.world;
        let open = Proof { claim: Claim::Open, boxes: 0, share: 0.0, joints: 0, overlap_at: None };
        let bare = |id: BodyId| world.solids.bodies.get(id.index()).is_none_or(|b| b.shapes.is_empty());
        if bare(pair.a) || bare(pair.b) || pair.a == pair.b {
            return open;
        }
        // Limits that leave no configuration leave nothing to say.
        if options.mimic_limits && !self.possible {
            return open;
        }
        let domain = if options.mimic_limits { &self.all } else { &self.leaders };
        let Some(joints) = self.between(pair, &domain.ranges) else { return open };
        let only = domain.only(&joints).filter(|_| !joints.is_empty());
        let ranges: Vec<f64> = joints.iter().flat_map(|v| domain.ranges[*v]).collect();
        let neutral = domain.neutral.clone();
        let proof = Proof { joints: joints.len(), ..open };
        let mut search = Search {
            prover: self,
            pair,
            joints,
            options,
            asker: Asker::new(world, vec![pair]),
            change: vec![0.0; neutral.len()],
            adds: vec![0.0; neutral.len()],
            values: neutral,
            least: f64::INFINITY,
            thickest: None,
        };
        search.run(ranges, only, proof)
    }
}

/// What a centre shows, and whether its box is proved, clear or overlapping.
#[derive(Clone, Copy, Default)]
struct Seen {
    clear: bool,
    overlap: bool,
    proved: bool,
}

/// A pair in hand.
struct Search<'s, 'w> {
    prover: &'s mut Prover<'w>,
    pair: BodyPair,
    /// The joint values between the two bodies.
    joints: Vec<usize>,
    options: &'s ProveOptions,
    asker: Asker,
    values: Vec<f64>,
    change: Vec<f64>,
    /// Metres that each joint value adds.
    adds: Vec<f64>,
    least: f64,
    /// Where the bodies are thickest, each in its body's frame, once it was looked for.
    thickest: Option<Vec<(BodyId, Vec3)>>,
}

impl Search<'_, '_> {
    /// Cuts the box of the joints between the bodies, `ranges`, until all of it is proved, or the work ends.
    fn run(&mut self, ranges: Vec<f64>, only: Option<Vec<f64>>, mut proof: Proof) -> Proof {
        // Boxes of one level lie in one array: low and high of each joint. All boxes of a level are as large:
        // those that overlap are met as soon as they can be, which a search in depth, along the rim of the
        // overlap, would put off.
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
                let seen = self.look(region, met);
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
                // There is nothing to cut but a tolerance: only to prove that the two are clear in all of it.
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

    /// Across which joint a box is cut, and where: that which adds most; `None` if it is too short to be cut.
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
        let asked = Resolved { ask: Ask::Test, cutoff: 0.0, margin: 0.0, geometry };
        self.asker.ask(pose, 0, &asked).interval
    }

    /// Asks a box at its centre; `met` is what other centres showed.
    fn look(&mut self, region: &[f64], met: Seen) -> Seen {
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
            let around = Around { bounds, change: &self.change };
            let cleared = self.asker.clears(pose, 0, around, (0.0, geometry), &mut self.adds);
            seen.clear = cleared.room > 0.0;
            seen.proved = cleared.is_free();
            if seen.proved {
                self.least = self.least.min(cleared.room - cleared.approach);
            }
            if met.clear || !(cleared.upper < 0.0) {
                seen.overlap = cleared.upper < 0.0;
                return seen;
            }
        }
        // The deepest point is wanted, and not the first.
        let asked = Resolved { ask: Ask::Distance, cutoff: 0.0, margin: 0.0, geometry };
        let found = self.asker.ask(&self.prover.pose, 0, &asked);
        (seen.clear, seen.overlap) = (found.interval.lower > 0.0, found.interval.upper < 0.0);
        if let (true, Some(w)) = (seen.overlap, found.witness) {
            let between = (w.a + w.b) * 0.5 - self.prover.pose.world.kinematics.origin_in_world;
            // Without joints between them there is nothing else to prove.
            seen.proved = self.joints.is_empty()
                || self.thickest().into_iter().any(|p| self.stays_inside(p))
                || self.stays_inside(between);
        }
        seen
    }

    /// The middle of the largest ball that was found inside each body, cell frame.
    fn thickest(&mut self) -> Vec<Vec3> {
        let (world, pair) = (self.prover.pose.world, self.pair);
        let of_body = |body: BodyId| {
            let balls = world.solids.bodies[body.index()].shapes.clone().filter_map(|i| {
                let shape = &world.solids.shapes[i as usize];
                let ball = inner_ball(&shape.shape, INSIDE_TRIES)?;
                Some((ball.radius, body, shape.shape_in_body().point(ball.center)))
            });
            balls.max_by(|a, b| a.0.total_cmp(&b.0))
        };
        let found = self.thickest.get_or_insert_with(|| {
            [pair.a, pair.b].into_iter().filter_map(of_body).map(|(_, body, p)| (body, p)).collect()
        });
        found.iter().map(|(body, p)| self.prover.pose.at(*body).point(*p)).collect()
    }

    /// How far two points that the bodies have at one place come apart in the box; what each value adds is
    /// noted.
    fn apart(&mut self, center: Vec3) -> f64 {
        let point = Ball { center, radius: 0.0 };
        let (Prover { pose, bounds, .. }, pair) = (&*self.prover, self.pair);
        let adds = &mut self.adds;
        adds.fill(0.0);
        walk(bounds, pose, [(pair.a, &point), (pair.b, &point)], &self.change, |dof, add| {
            bounds.add(dof, add, adds);
        })
    }

    /// Whether balls about a point of both bodies, in both, overlap in the whole box.
    fn stays_inside(&mut self, point: Vec3) -> bool {
        let apart = self.apart(point);
        let geometry = self.options.geometry;
        let Prover { pose, scratch, .. } = &mut *self.prover;
        let mut depth = |body: BodyId| {
            let mut most = f64::NEG_INFINITY;
            for shape in pose.world.solids.bodies[body.index()].shapes.clone() {
                let (in_cell, error) = pose.shape_in_cell(ShapeId(shape));
                let shape = &pose.world.solids.shapes[shape as usize].shape;
                let dot = Shape { core: Core::Point, radius: 0.0, center: Vec3::ZERO, reach: 0.0 };
                let in_dot = Transform::new(in_cell.rotation, in_cell.translation - point);
                let slack = error.of_point(shape.center.norm() + shape.reach) + SWEEP_ROUNDING * point.norm();
                let query = Query { geometry, slack, ..Query::default() };
                let c = narrow::clearance(&dot, shape, &in_dot, &query, &mut Warm::default(), scratch);
                most = most.max(-c.interval.upper);
            }
            most
        };
        let (r, s) = (depth(self.pair.a), depth(self.pair.b));
        r > 0.0 && s > 0.0 && r + s > apart
    }
}
