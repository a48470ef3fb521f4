//! The search for pairs that stay apart over ranges of joint values.
//!
//! A pose is set in the middle of all ranges. From there no value changes by more than half of its range, and
//! every bound below is on how far that can carry a body ([`crate::motion`]).
//!
//! 1. Each body that joints move has its *swells*: by how much the joints from the n-th of its chain on can
//!    move any point of it, as a sum of changes times lever arms at the pose, for every n. Joints are changed
//!    from the base on, so an arm is that of the pose. Two bodies whose chains have the first n joints in
//!    common come nearer by at most the sum of their swells from there.
//! 2. All listed pairs are bounded by their capsules, in lanes. A pair is a candidate if its bound, less both
//!    swells, is not above the margin. What is near in crowds and among movable bodies comes from their trees
//!    ([`super::around`]).
//! 3. Each candidate is asked: balls, capsules, boxes and planes between the bodies, then the distance of its
//!    shapes against its own motion, then the gap along their normal ([`super::asker`]).
//! 4. What stays open is asked again in both halves of the ranges, halved along the joint value that adds
//!    most to the approach of the open pairs, and so on, depth first. That ends at the given number of
//!    halvings or with the work. A pair that was found nearer than the margin is not halved again: it stays
//!    open.

mod candidates;
mod gaps;
mod halves;

use super::around::Near;
use super::asker::{Around, Asker, Wanted};
use super::motion_bounds::{MotionBounds, common};
use super::range_answer::{OpenPair, PairWork, RangeAnswer, RangeCounts, RangeOptions};
use crate::bounds::lanes::{CapsuleId, capsule_gaps};
use crate::model::id::{BodyId, BodyPair};
use crate::model::world::World;
use crate::motion::tolerance::{MOTION_FACTOR, RANGE_LISTS, RANGE_NEAR};
use crate::pose::fault::{PoseFault, SetOptions};
use crate::pose::frames::Pose;
use crate::query::kept_bounds::KeptBounds;
use crate::query::policy::Policy;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_pair::Geometry;

/// A moving body whose swells are kept: `swells[first..first + joints + 1]`, the last of them zero.
#[derive(Clone, Copy, Debug)]
struct Swollen {
    body: BodyId,
    first: u32,
}

/// Ranges that wait in the search. Their pairs are `again[from..to]`.
#[derive(Clone, Copy, Debug)]
struct RangeNode {
    from: usize,
    to: usize,
    halvings: u32,
}

/// A pose, warm starts and scratch.
#[derive(Clone, Debug)]
pub(super) struct RangeSpace<'w> {
    pub pose: Pose<'w>,
    bounds: MotionBounds<'w>,
    pub asker: Asker<'w>,
    swollen: Vec<Swollen>,
    /// By swollen body and joint of its chain (metres).
    swells: Vec<f64>,
    /// By body, its capsule.
    capsules: Vec<Option<CapsuleId>>,
    /// By place in the order of bounds, where the swells of both bodies of the pair are.
    of_pair: Vec<[u32; 2]>,
    gaps: Vec<f64>,
    /// What was proved of listed pairs in the middles of ranges before.
    kept_bounds: KeptBounds,
    near: Near,
    /// The ends of the ranges of the last whole question, and whether its answer is complete.
    whole: [Vec<f64>; 2],
    complete: bool,
    /// Its margin and its open pairs, as indices of the asker.
    margin: f64,
    kept: Vec<u32>,
    middle: Vec<f64>,
    change: Vec<f64>,
    adds: Vec<f64>,
    /// By value, what it adds to the approaches of open pairs.
    worth: Vec<f64>,
    stack: Vec<RangeNode>,
    /// By entry of the stack, the low and then the high ends of its ranges.
    ends: Vec<f64>,
    /// The pairs to be asked, as indices of the asker.
    lists: Vec<u32>,
    /// The open pairs of the entries of the stack, as places in `open`. The list of an entry ends where those
    /// of its halves begin.
    again: Vec<u32>,
    open: Vec<OpenPair>,
    /// By entry of `open`, its index of the asker, and whether it stays open.
    indices: Vec<u32>,
    remains: Vec<bool>,
    pub counts: RangeCounts,
}

impl<'w> RangeSpace<'w> {
    pub fn new(world: &'w World) -> RangeSpace<'w> {
        let pose = Pose::new(world);
        let bounds = MotionBounds::new(world);
        let listed = &world.checks.pairs.listed;
        let mut swollen = Vec::new();
        let mut place = vec![None; world.solids.bodies.len()];
        let mut size = 1;
        for body in listed.iter().flat_map(|pair| [pair.a, pair.b]) {
            let chain = bounds.chain(body).map_or(0, <[u32]>::len);
            if chain > 0 && place[body.index()].is_none() {
                place[body.index()] = Some(size);
                swollen.push(Swollen { body, first: size });
                size += chain as u32 + 1;
            }
        }
        let of_pair = world.proofs.order.iter().map(|pair| {
            let BodyPair { a, b } = listed[pair.index()];
            match (bounds.chain(a), bounds.chain(b)) {
                (Some(ca), Some(cb)) => {
                    let common = common(ca, cb) as u32;
                    // The first entry is zero: what no joint moves.
                    [a, b].map(|body| place[body.index()].map_or(0, |first| first + common))
                }
                // Nothing is known of one of the bodies, so the pair is always a candidate.
                _ => [UNKNOWN; 2],
            }
        });
        let of_pair = of_pair.collect();
        let n = world.kinematics.dof_names.len();
        let room = listed.len() + RANGE_NEAR;
        let entries = RangeOptions::MOST_HALVINGS as usize + 2;
        let mut capsules = vec![None; world.solids.bodies.len()];
        for (number, capsule) in world.bounds.capsules.iter().enumerate() {
            capsules[capsule.body.index()] = Some(CapsuleId(number as u32));
        }
        RangeSpace {
            capsules,
            asker: Asker::with_room(&pose, listed.clone(), RANGE_NEAR),
            pose,
            bounds,
            swollen,
            swells: vec![0.0; size as usize],
            of_pair,
            gaps: vec![0.0; listed.len()],
            kept_bounds: KeptBounds::new(world),
            near: Near::with_room(RANGE_NEAR),
            whole: [vec![0.0; n], vec![0.0; n]],
            complete: false,
            margin: 0.0,
            kept: Vec::with_capacity(room),
            middle: vec![0.0; n],
            change: vec![0.0; n],
            adds: vec![0.0; n],
            worth: vec![0.0; n],
            stack: Vec::with_capacity(entries),
            ends: vec![0.0; entries * 2 * n],
            lists: Vec::with_capacity(room),
            again: Vec::with_capacity(RANGE_LISTS),
            remains: Vec::with_capacity(room),
            indices: Vec::with_capacity(room),
            open: Vec::with_capacity(room),
            counts: RangeCounts::default(),
        }
    }

    /// Forgets what earlier questions left.
    pub fn forget(&mut self) {
        self.asker.forget();
        self.kept_bounds.forget_bounds();
    }

    pub fn forget_answer(&mut self) {
        self.complete = false;
        self.kept.clear();
    }

    /// [`super::MotionChecker::check_ranges`].
    pub fn check_ranges(
        &mut self,
        ends: [&[f64]; 2],
        options: &RangeOptions,
        work: &impl Fn(BodyPair) -> PairWork,
    ) -> Result<RangeAnswer<'_>, PoseFault> {
        self.forget_answer();
        self.begin();
        self.margin = options.policy.margin_in(self.pose.world);
        if !self.set_middle(ends, options)? || !self.is_known() {
            return Ok(RangeAnswer { open: &[], complete: false });
        }
        self.asker.drop_added();
        self.lists.clear();
        self.list_candidates();
        self.complete = self.list_near();
        for (mine, given) in self.whole.iter_mut().zip(ends) {
            mine.copy_from_slice(given);
        }
        self.search(ends, options, work);
        self.kept.extend_from_slice(&self.indices);
        self.complete &= !options.until_open || self.open.is_empty();
        Ok(RangeAnswer { open: &self.open, complete: self.complete })
    }

    /// [`super::MotionChecker::check_narrower_ranges`].
    pub fn check_narrower_ranges(
        &mut self,
        ends: [&[f64]; 2],
        options: &RangeOptions,
        work: &impl Fn(BodyPair) -> PairWork,
    ) -> Result<RangeAnswer<'_>, PoseFault> {
        self.begin();
        let margin = options.policy.margin_in(self.pose.world);
        let within = |[low, high]: [&[f64]; 2]| {
            let [wide_low, wide_high] = &self.whole;
            low.len() == wide_low.len()
                && high.len() == wide_high.len()
                && low.iter().zip(wide_low).all(|(v, w)| v >= w)
                && high.iter().zip(wide_high).all(|(v, w)| v <= w)
        };
        let known = self.complete && margin <= self.margin && within(ends);
        if !known || !self.set_middle(ends, options)? {
            return Ok(RangeAnswer { open: &[], complete: false });
        }
        self.lists.clear();
        self.lists.extend_from_slice(&self.kept);
        let wide = core::mem::replace(&mut self.margin, margin);
        self.search(ends, options, work);
        self.margin = wide;
        let complete = !options.until_open || self.open.is_empty();
        Ok(RangeAnswer { open: &self.open, complete })
    }

    fn begin(&mut self) {
        self.counts = RangeCounts::default();
        self.asker.work.queries = 0;
        self.open.clear();
        self.indices.clear();
    }

    /// Sets the pose in the middle of ranges. False if a range is empty or holds NaN.
    fn set_middle(&mut self, [low, high]: [&[f64]; 2], options: &RangeOptions) -> Result<bool, PoseFault> {
        let n = self.middle.len();
        if low.len() != n || high.len() != n {
            let given = if low.len() != n { low.len() } else { high.len() };
            return Err(PoseFault::WrongCount { expected: n, given });
        }
        if !low.iter().zip(high).all(|(low, high)| low <= high) {
            return Ok(false);
        }
        half_ranges(low, high, &mut self.middle, &mut self.change);
        self.counts.poses += 1;
        self.pose.set_with(&self.middle, options.set)?;
        Ok(true)
    }

    /// Whether anything can be proved at all.
    fn is_known(&self) -> bool {
        let pose = &self.pose;
        pose.checked_pair_count() > 0
            && !pose.world.blind
            && !self.margin.is_nan()
            && pose.find_unseen_pair().is_none()
    }

    /// Asks the listed pairs, in ranges in whose middle the pose is. What stays open goes to `open`.
    fn search(&mut self, ends: [&[f64]; 2], options: &RangeOptions, work: &impl Fn(BodyPair) -> PairWork) {
        let wanted = Wanted { margin: self.margin, geometry: options.policy.geometry };
        self.worth.fill(0.0);
        self.remains.clear();
        self.again.clear();
        for index in &self.lists {
            let pair = self.asker.pairs[*index as usize];
            let what = work(pair);
            if what == PairWork::Skip {
                continue;
            }
            self.counts.asked += 1;
            let around = Around::all(&self.bounds, &self.change);
            let (pose, capsules) = (&self.pose, &self.capsules);
            let bound = |needed| bound(pose, capsules, pair, needed);
            let adds = &mut self.adds;
            let cleared = self.asker.clears_or(pose, *index as usize, around, wanted, adds, bound);
            if cleared.is_free() {
                continue;
            }
            let touches = cleared.upper < self.margin;
            let lower = (cleared.gap - cleared.approach).min(self.margin);
            // Two meshes that turn in each other may suddenly be much deeper: the depth of bodies that are
            // not convex may change by more than any of their points moves.
            let jumps = lower < 0.0 && wanted.geometry == Geometry::Mesh && has_mesh(pose.world, pair);
            let lower = if jumps { f64::NEG_INFINITY } else { lower };
            let room = self.again.len() < self.again.capacity();
            let again = what == PairWork::Halve && options.halvings > 0 && !touches && room;
            if again {
                self.again.push(self.open.len() as u32);
                self.worth.iter_mut().zip(&self.adds).for_each(|(worth, add)| *worth += add);
            }
            self.indices.push(*index);
            self.remains.push(!again);
            self.open.push(OpenPair { pair, lower, upper: cleared.upper });
            if options.until_open && !again {
                self.again.clear();
                break;
            }
        }
        if !self.again.is_empty() {
            let n = self.middle.len();
            self.ends[..n].copy_from_slice(ends[0]);
            self.ends[n..2 * n].copy_from_slice(ends[1]);
            self.descend(options, wanted);
        }
        self.counts.shape_queries = self.asker.work.queries as u64;
        let mut remains = self.remains.iter();
        self.open.retain(|_| remains.next() == Some(&true));
        let mut remains = self.remains.iter();
        self.indices.retain(|_| remains.next() == Some(&true));
    }
}

/// Ranges may reach beyond the limits of joints.
const ANY_VALUES: RangeOptions = RangeOptions {
    policy: Policy::USUAL,
    halvings: 0,
    work: 0,
    until_open: false,
    set: SetOptions { ignore_limits: true },
};

/// Whether one of two bodies has a shape that is not convex.
fn has_mesh(world: &World, pair: BodyPair) -> bool {
    [pair.a, pair.b].iter().any(|body| {
        let own = &world.solids.bodies[body.index()].shapes;
        let shape = |i: u32| world.solids.shapes.get(i as usize);
        own.clone().any(|i| shape(i).is_some_and(|shape| shape.shape.mesh().is_some()))
    })
}

/// A lower bound on the signed distance of two bodies at a pose (metres), by their capsules, boxes and tables
/// of heights: no better one is looked for once it exceeds what is `needed`.
fn bound(pose: &Pose, capsules: &[Option<CapsuleId>], pair: BodyPair, needed: f64) -> f64 {
    let [Some(a), Some(b)] = [pair.a, pair.b].map(|body| capsules[body.index()]) else {
        return f64::NEG_INFINITY;
    };
    let mut bound = [f64::NEG_INFINITY];
    capsule_gaps(&pose.records, &[[a, b]], &mut bound);
    let [mut bound] = bound;
    if !(bound > needed) {
        bound = pose.box_bound([a, b], bound);
    }
    if !(bound > needed) {
        bound = pose.plane_bound([a, b], bound, needed);
    }
    bound
}

/// The middles of ranges, and how far their ends are from there, rounded up.
fn half_ranges(low: &[f64], high: &[f64], middles: &mut [f64], changes: &mut [f64]) {
    for (i, (low, high)) in low.iter().zip(high).enumerate() {
        middles[i] = middle(*low, *high);
        changes[i] = (middles[i] - low).max(high - middles[i]) * MOTION_FACTOR;
    }
}

/// The middle of a range; one of its ends if there is no number between them.
fn middle(low: f64, high: f64) -> f64 {
    low + 0.5 * (high - low)
}

/// The place of the swells of a body of which nothing is known.
const UNKNOWN: u32 = u32::MAX;
