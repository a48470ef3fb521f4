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
//!
//! ```
//! # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
//! # use example::rod_and_post;
//! use elbowroom::compile::compile;
//! use elbowroom::id::PairId;
//! use elbowroom::motion::prove::{Claim, ProveOptions, Prover};
//! use elbowroom::CheckWork;
//!
//! // The rod of the crate's first example, with the post out of reach and within it: 1.7 is left, and
//! // nothing.
//! for (post, never) in [([0.0, 3.0, 0.0], true), ([0.0, 1.0, 0.0], false)] {
//!     let mut world = compile(&rod_and_post(post))?;
//!     let pair = world.pairs().get(PairId(0)).expect("the rod and the post");
//!     let proof = Prover::new(&world).pair(&world, pair, &ProveOptions::default());
//!     match proof.claim {
//!         Claim::Never { least } => assert!(never && 0.0 < least && least <= 1.7),
//!         Claim::Sometimes => {
//!             let values = proof.overlap_at.expect("where they overlap");
//!             assert!(!never && CheckWork::new(&world).set(&world, &values).is_ok());
//!         }
//!         other => panic!("{other:?}"),
//!     }
//!     // Tests leave out what is proved.
//!     assert_eq!(world.prove_apart(1000), usize::from(never));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::ask::{Asker, Question};
use super::lever::walk;
use super::ranges::{leader_ranges, ranges};
use super::reach::{Kind, Reach, common};
use crate::bounds::Ball;
use crate::bounds::fit::inner_ball;
use crate::bounds::tolerance::INSIDE_TRIES;
use crate::model::id::{BodyId, BodyPair};
use crate::model::world::{ValueLimits, World};
use crate::motion::tolerance::{PROVE_BOXES, PROVE_WAITING, SWEEP_ROUNDING};
use crate::numeric::math::{Transform, Vec3};
use crate::pair::clearance::{Ask, Geometry, Query};
use crate::pair::narrow::{self};
use crate::pair::scratch::{Scratch, Warm};
use crate::pose::fault::SetOptions;
use crate::pose::frames::Pose;
use crate::shape::solid::{Core, Shape};
use alloc::vec;
use alloc::vec::Vec;

/// What is proved of a pair over all configurations.
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

/// The claim, and what it took.
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

/// How much work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProveOptions {
    /// Most boxes for one pair.
    pub boxes: u64,
    /// What meshes stand for.
    pub geometry: Geometry,
    /// Whether the limits count that a mimic has of its own. [`Pose::set`] enforces them, and many other
    /// tools do not: what is to hold there is proved over all that the joint which it follows may do.
    pub mimic_limits: bool,
}

impl Default for ProveOptions {
    fn default() -> ProveOptions {
        ProveOptions { boxes: PROVE_BOXES, geometry: Geometry::Mesh, mimic_limits: true }
    }
}

/// The configurations that are proved over.
#[derive(Clone, Debug)]
struct Domain {
    ranges: Vec<[f64; 2]>,
    /// The joints that do not matter stay there.
    neutral: Vec<f64>,
    /// By value the only one that its limits leave, where this is so without any rounding.
    points: Vec<Option<f64>>,
}

impl Domain {
    /// Of these ranges; `mimics`: whether a mimic's own limits count.
    fn new(world: &World, ranges: Vec<[f64; 2]>, mimics: bool) -> Domain {
        // Anywhere within limits, which the neutral value of a joint that others mimic may not be.
        let within = |(v, [low, high]): (f64, &[f64; 2])| match (low.is_finite(), high.is_finite()) {
            _ if *low <= v && v <= *high => v,
            (true, true) => 0.5 * (low + high),
            (true, false) => low + 1.0,
            _ => high - 1.0,
        };
        let neutral = world.neutral_values().into_iter().zip(&ranges).map(within).collect();
        Domain { ranges, neutral, points: points(world, mimics) }
    }

    /// The only configuration of some joint values, if there is only one; the others stay neutral.
    fn only(&self, joints: &[usize]) -> Option<Vec<f64>> {
        let mut values = self.neutral.clone();
        for joint in joints {
            values[*joint] = self.points[*joint]?;
        }
        Some(values)
    }
}

/// By value the only one that limits leave. Limits that are computed with rounding may meet in a point where
/// the true ones leave a short range: they count for nothing here, since less can only leave more.
fn points(world: &World, mimics: bool) -> Vec<Option<f64>> {
    let mut ranges = vec![[f64::NEG_INFINITY, f64::INFINITY]; world.value_names.len()];
    let exact = |l: &&ValueLimits| l.offset == 0.0 && l.scale.abs() == 1.0;
    let counts = |l: &&ValueLimits| mimics || !world.joints[l.joint].values.is_empty();
    for limit in world.limits.iter().filter(exact).filter(counts) {
        let ([low, high], range) = (limit.range(0.0), &mut ranges[limit.value]);
        *range = [range[0].max(low), range[1].min(high)];
    }
    ranges.into_iter().map(|[low, high]| (low == high).then_some(low)).collect()
}

/// Bounds and ranges for a world, and a pose to ask at. One per thread.
#[derive(Clone, Debug)]
pub struct Prover {
    reach: Reach,
    /// Where all limits count, and where those of mimics do not.
    domains: [Domain; 2],
    /// Whether the first has a configuration.
    possible: bool,
    pose: Pose,
    scratch: Scratch,
}

impl Prover {
    /// For a world.
    pub fn new(world: &World) -> Prover {
        let domains =
            [Domain::new(world, ranges(world), true), Domain::new(world, leader_ranges(world), false)];
        let mut pose = Pose::new(world);
        Prover {
            reach: Reach::new(world),
            possible: pose.set(world, &domains[0].neutral).is_ok(),
            domains,
            pose,
            scratch: Scratch::new(world.shapes.iter().map(|s| s.shape.mesh_depth()).max().unwrap_or(0)),
        }
    }

    /// Whether limits that a mimic has of its own leave out values of the joints between two bodies: what is
    /// proved of them may not hold where those limits do not count.
    pub fn narrowed(&self, pair: BodyPair) -> bool {
        let (Some(a), Some(b)) = (self.reach.chain(pair.a), self.reach.chain(pair.b)) else { return true };
        let common = common(a, b);
        let [all, leaders] = &self.domains;
        let differs = |part: &u32| {
            let value = self.reach.parts[*part as usize].value as usize;
            all.ranges[value] != leaders.ranges[value]
        };
        a[common..].iter().chain(&b[common..]).any(differs)
    }

    /// The joint values between two bodies; `None` if one of these ranges does not bound them.
    fn between(&self, pair: BodyPair, ranges: &[[f64; 2]]) -> Option<Vec<usize>> {
        let (a, b) = (self.reach.chain(pair.a)?, self.reach.chain(pair.b)?);
        let common = common(a, b);
        let mut values: Vec<usize> = Vec::new();
        for part in a[common..].iter().chain(&b[common..]).map(|i| &self.reach.parts[*i as usize]) {
            if matches!(part.kind, Kind::Spin) {
                return None;
            }
            values.push(part.value as usize);
        }
        values.sort_unstable();
        values.dedup();
        let bounded = |v: &usize| ranges[*v].iter().all(|end| end.is_finite());
        values.iter().all(bounded).then_some(values)
    }

    /// Proves what can be proved of a pair of bodies, whether it is checked or not.
    pub fn pair(&mut self, world: &World, pair: BodyPair, options: &ProveOptions) -> Proof {
        let open = Proof { claim: Claim::Open, boxes: 0, share: 0.0, joints: 0, overlap_at: None };
        let bare = |id: BodyId| world.bodies.get(id.index()).is_none_or(|b| b.shapes.is_empty());
        if bare(pair.a) || bare(pair.b) || self.reach.fingerprint != world.fingerprint || pair.a == pair.b {
            return open;
        }
        // Limits that leave no configuration leave nothing to say.
        if options.mimic_limits && !self.possible {
            return open;
        }
        let domain = self.domains[usize::from(!options.mimic_limits)].clone();
        let Some(joints) = self.between(pair, &domain.ranges) else { return open };
        let only = domain.only(&joints).filter(|_| !joints.is_empty());
        let mut search = Search {
            asker: Asker::new(world, vec![pair]),
            change: vec![0.0; domain.neutral.len()],
            adds: vec![0.0; domain.neutral.len()],
            values: domain.neutral,
            least: f64::INFINITY,
            thickest: None,
        };
        // Boxes of one level lie in one array: low and high of each joint. All boxes of a level are as large:
        // those that overlap are met as soon as they can be, which a search in depth, along the rim of the
        // overlap, would put off.
        let size = 2 * joints.len().max(1);
        let mut level: Vec<f64> = joints.iter().flat_map(|v| domain.ranges[*v]).collect();
        level.resize(size, 0.0);
        let mut next: Vec<f64> = Vec::new();
        let (mut clear, mut overlap, mut share) = (false, false, 1.0);
        let mut proof = Proof { joints: joints.len(), ..open };
        while !level.is_empty() {
            for region in level.chunks_exact(size) {
                if proof.boxes >= options.boxes {
                    return proof;
                }
                proof.boxes += 1;
                let seen = self.look(world, pair, &joints, region, [clear, overlap], options, &mut search);
                clear |= seen.clear;
                overlap |= seen.overlap;
                if seen.overlap && proof.overlap_at.is_none() {
                    proof.overlap_at = Some(search.values.clone());
                }
                if clear && overlap {
                    return Proof { claim: Claim::Sometimes, ..proof };
                }
                if seen.proved {
                    proof.share += share;
                    continue;
                }
                // There is nothing to cut but a tolerance: only to prove that the two are clear in all of it.
                if let Some(values) = only.as_ref().filter(|_| proof.boxes == 1 && !clear) {
                    let [lower, upper] = self.ask_at(world, values, options, &mut search);
                    if upper < 0.0 {
                        let overlap_at = Some(values.clone());
                        return Proof { claim: Claim::Always, share: 1.0, overlap_at, ..proof };
                    }
                    if !(lower > 0.0) {
                        return proof;
                    }
                }
                // Across the joint that adds most; one that is too short to be cut ends it.
                let most = (0..joints.len()).max_by(|i, j| {
                    search.adds[joints[*i]].total_cmp(&search.adds[joints[*j]]).then(j.cmp(i))
                });
                let Some(cut) = most else { return proof };
                let middle = 0.5 * (region[2 * cut] + region[2 * cut + 1]);
                let cuts = region[2 * cut] < middle && middle < region[2 * cut + 1];
                if !cuts || next.len() + 2 * size > PROVE_WAITING {
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
        let claim = if overlap { Claim::Always } else { Claim::Never { least: search.least } };
        Proof { claim, share: 1.0, ..proof }
    }

    /// The signed distance of the pair that a search is about at a configuration lies between these.
    fn ask_at(
        &mut self,
        world: &World,
        values: &[f64],
        options: &ProveOptions,
        search: &mut Search,
    ) -> [f64; 2] {
        if self.pose.set_with(world, values, SetOptions { ignore_limits: true }).is_err() {
            return [f64::NEG_INFINITY, f64::INFINITY];
        }
        let question = Question { ask: Ask::Test, cutoff: 0.0, margin: 0.0, geometry: options.geometry };
        let found = search.asker.ask(world, &self.pose, 0, &question);
        [found.lower, found.upper]
    }

    /// Asks a box at its centre.
    #[allow(clippy::too_many_arguments)]
    fn look(
        &mut self,
        world: &World,
        pair: BodyPair,
        joints: &[usize],
        region: &[f64],
        [clear, overlap]: [bool; 2],
        options: &ProveOptions,
        search: &mut Search,
    ) -> Seen {
        for (joint, ends) in joints.iter().zip(region.chunks_exact(2)) {
            search.values[*joint] = 0.5 * (ends[0] + ends[1]);
            let loose = SWEEP_ROUNDING * (ends[0].abs() + ends[1].abs());
            search.change[*joint] = 0.5 * (ends[1] - ends[0]) + loose;
        }
        let mut seen = Seen { clear: false, overlap: false, proved: false };
        let anywhere = SetOptions { ignore_limits: true };
        search.adds.fill(0.0);
        if self.pose.set_with(world, &search.values, anywhere).is_err() {
            return seen;
        }
        let Search { asker, change, adds, .. } = search;
        if !overlap {
            let cleared =
                asker.clears(world, &self.pose, &self.reach, 0, change, 0.0, options.geometry, adds);
            seen.clear = cleared.lower > 0.0;
            seen.proved = cleared.free;
            if cleared.free {
                search.least = search.least.min(cleared.lower - cleared.approach);
            }
            if clear || !(cleared.upper < 0.0) {
                seen.overlap = cleared.upper < 0.0;
                return seen;
            }
        }
        // The deepest point is wanted, and not the first.
        let question = Question { ask: Ask::Distance, cutoff: 0.0, margin: 0.0, geometry: options.geometry };
        let found = asker.ask(world, &self.pose, 0, &question);
        (seen.clear, seen.overlap) = (found.lower > 0.0, found.upper < 0.0);
        if let (true, Some(w)) = (seen.overlap, found.witness) {
            // Without joints between them there is nothing else to prove.
            seen.proved = joints.is_empty()
                || self
                    .thickest(world, pair, search)
                    .into_iter()
                    .any(|p| self.stays_inside(world, pair, p, options, search))
                || {
                    let between = (w.a + w.b) * 0.5 - world.origin_in_world;
                    self.stays_inside(world, pair, between, options, search)
                };
        }
        seen
    }

    /// The middle of the largest ball that was found inside each body, cell frame.
    fn thickest(&self, world: &World, pair: BodyPair, search: &mut Search) -> Vec<Vec3> {
        let of_body = |body: BodyId| {
            let balls = world.bodies[body.index()].shapes.clone().filter_map(|i| {
                let shape = &world.shapes[i as usize];
                let ball = inner_ball(&shape.shape, INSIDE_TRIES)?;
                Some((ball.radius, body, shape.shape_in_body().point(ball.center)))
            });
            balls.max_by(|a, b| a.0.total_cmp(&b.0))
        };
        let found = search.thickest.get_or_insert_with(|| {
            [pair.a, pair.b].into_iter().filter_map(of_body).map(|(_, body, p)| (body, p)).collect()
        });
        found.iter().map(|(body, p)| self.pose.at(world, *body).point(*p)).collect()
    }

    /// How far two points that the bodies have at one place come apart in the box; what each value adds is
    /// noted.
    fn apart(&self, pair: BodyPair, center: Vec3, search: &mut Search) -> f64 {
        let point = Ball { center, radius: 0.0 };
        let Search { adds, change, .. } = search;
        adds.fill(0.0);
        walk(&self.reach, &self.pose, [(pair.a, &point), (pair.b, &point)], change, |part, add| {
            adds[self.reach.parts[part as usize].value as usize] += add;
        })
    }

    /// Whether balls about a point of both bodies, in both, overlap in the whole box.
    fn stays_inside(
        &mut self,
        world: &World,
        pair: BodyPair,
        point: Vec3,
        options: &ProveOptions,
        search: &mut Search,
    ) -> bool {
        let apart = self.apart(pair, point, search);
        let depth = |body: BodyId, scratch: &mut Scratch| {
            let mut most = f64::NEG_INFINITY;
            for shape in world.bodies[body.index()].shapes.clone() {
                let (in_cell, error) = self.pose.shape_in_cell(world, crate::model::id::ShapeId(shape));
                let shape = &world.shapes[shape as usize].shape;
                let dot = Shape { core: Core::Point, radius: 0.0, center: Vec3::ZERO, reach: 0.0 };
                let in_dot = Transform::new(in_cell.rotation, in_cell.translation - point);
                let slack = error.of_point(shape.center.norm() + shape.reach) + SWEEP_ROUNDING * point.norm();
                let query = Query { geometry: options.geometry, slack, ..Query::default() };
                let c = narrow::clearance(&dot, shape, &in_dot, &query, &mut Warm::default(), scratch);
                most = most.max(-c.upper);
            }
            most
        };
        let (r, s) = (depth(pair.a, &mut self.scratch), depth(pair.b, &mut self.scratch));
        r > 0.0 && s > 0.0 && r + s > apart
    }
}

/// What a centre shows, and whether its box is proved, clear or overlapping.
struct Seen {
    clear: bool,
    overlap: bool,
    proved: bool,
}

/// Work space of a pair.
struct Search {
    asker: Asker,
    values: Vec<f64>,
    change: Vec<f64>,
    /// Metres that each joint value adds.
    adds: Vec<f64>,
    least: f64,
    /// Where the bodies are thickest, each in its body's frame, once it was looked for.
    thickest: Option<Vec<(BodyId, Vec3)>>,
}
