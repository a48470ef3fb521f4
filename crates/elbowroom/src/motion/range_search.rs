//! The search for pairs that stay apart over ranges of joint values.
//!
//! The ranges are a box of configurations. A pose is set in its middle. From there no value changes by more
//! than half of its range, and every bound below is on how far that can carry a body ([`crate::motion`]).
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
//! 4. What stays open is asked again in both halves of the box, halved along the joint value that adds most
//!    to the approach of the open pairs, and so on, depth first. That ends at the given number of halvings
//!    or with the work. A pair that was found nearer than the margin is not halved again: it stays open.

use super::around::{Near, movable_near};
use super::asker::{Around, Asker, Wanted};
use super::lever::lever;
use super::margin::margin_in;
use super::motion_bounds::{Kind, MotionBounds, common};
use super::range_answer::{OpenPair, PairWork, RangeAnswer, RangeCounts, RangeOptions};
use super::speed::{Moving, speed};
use crate::bounds::lanes::{CapsuleId, capsule_gaps};
use crate::model::id::{BodyId, BodyPair, PairId, ordered};
use crate::model::world::World;
use crate::motion::tolerance::{MOTION_FACTOR, RANGE_LISTS, RANGE_NEAR, SHAPE_PAIRS};
use crate::pair::geometry::Geometry;
use crate::pose::fault::{PoseFault, SetOptions};
use crate::pose::frames::Pose;
use crate::query::kept_bounds::KeptBounds;
use crate::query::tolerance::KEPT_PAIRS;
use alloc::vec;
use alloc::vec::Vec;

/// A moving body whose swells are kept: `swells[first..first + joints + 1]`, the last of them zero.
#[derive(Clone, Copy, Debug)]
struct Swollen {
    body: BodyId,
    first: u32,
}

/// A box of the search. Its pairs are `again[from..to]`.
#[derive(Clone, Copy, Debug)]
struct Node {
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
    /// By value, what it adds to the approaches of open pairs of a box.
    worth: Vec<f64>,
    stack: Vec<Node>,
    /// By entry of the stack, the lowest and then the highest values of its box.
    boxes: Vec<f64>,
    /// The pairs to be asked, as indices of the asker.
    lists: Vec<u32>,
    /// The open pairs of the boxes of the stack, as places in `open`. The list of a box ends where those of
    /// its halves begin.
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
        let n = world.kinematics.value_names.len();
        let room = listed.len() + RANGE_NEAR;
        let boxes = RangeOptions::MOST_HALVINGS as usize + 2;
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
            stack: Vec::with_capacity(boxes),
            boxes: vec![0.0; boxes * 2 * n],
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
        self.kept_bounds.forget();
    }

    pub fn forget_answer(&mut self) {
        self.complete = false;
        self.kept.clear();
    }

    /// [`super::RangeChecker::check`].
    pub fn check(
        &mut self,
        ends: [&[f64]; 2],
        options: &RangeOptions,
        work: &impl Fn(BodyPair) -> PairWork,
    ) -> Result<RangeAnswer<'_>, PoseFault> {
        self.forget_answer();
        self.begin();
        self.margin = margin_in(self.pose.world, options.margin);
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

    /// [`super::RangeChecker::narrowed`].
    pub fn narrowed(
        &mut self,
        ends: [&[f64]; 2],
        options: &RangeOptions,
        work: &impl Fn(BodyPair) -> PairWork,
    ) -> Result<RangeAnswer<'_>, PoseFault> {
        self.begin();
        let margin = margin_in(self.pose.world, options.margin);
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

    /// [`super::RangeChecker::speed`].
    pub fn speed(
        &mut self,
        ends: [&[f64]; 2],
        velocities: [&[f64]; 2],
        of: BodyId,
        against: Option<BodyId>,
    ) -> Result<f64, PoseFault> {
        let world = self.pose.world;
        let known = world.has(of) && against.is_none_or(|body| world.has(body));
        let fits = velocities.iter().all(|velocities| velocities.len() == self.middle.len());
        if !self.set_middle(ends, &ANY_VALUES)? || !known || !fits {
            return Ok(f64::INFINITY);
        }
        let moving = Moving { change: &self.change, velocities };
        Ok(speed(&self.bounds, &self.pose, of, against, moving))
    }

    /// [`super::RangeChecker::least_along`].
    pub fn least_along(&mut self, ends: [&[f64]; 2], pair: BodyPair) -> Result<f64, PoseFault> {
        let world = self.pose.world;
        let known = world.has(pair.a) && world.has(pair.b);
        if !self.set_middle(ends, &ANY_VALUES)? || !known {
            return Ok(f64::NEG_INFINITY);
        }
        let around = Around { bounds: &self.bounds, change: &self.change };
        if let Ok(index) = world.checks.pairs.listed.binary_search(&pair) {
            return Ok(self.asker.least_along(&self.pose, index, around));
        }
        let index = self.asker.add_cold(pair);
        let least = self.asker.least_along(&self.pose, index as usize, around);
        self.asker.drop_last();
        Ok(least)
    }

    /// [`super::RangeChecker::keeps_away`].
    pub fn keeps_away(
        &mut self,
        boxes: [[&[f64]; 2]; 3],
        pair: BodyPair,
        [margin, slack]: [f64; 2],
    ) -> Result<bool, PoseFault> {
        let world = self.pose.world;
        if !(world.has(pair.a) && world.has(pair.b)) {
            return Ok(false);
        }
        let listed = world.checks.pairs.listed.binary_search(&pair).ok();
        let index = listed.unwrap_or_else(|| self.asker.add_cold(pair) as usize);
        let kept = self.gaps_are_kept(boxes, index, [margin, slack]);
        if listed.is_none() {
            self.asker.drop_last();
        }
        kept
    }

    fn gaps_are_kept(
        &mut self,
        boxes: [[&[f64]; 2]; 3],
        index: usize,
        [margin, slack]: [f64; 2],
    ) -> Result<bool, PoseFault> {
        let mut gaps = [[0.0; SHAPE_PAIRS]; 3];
        let mut count = 0;
        for (k, ends) in boxes.into_iter().enumerate() {
            // The widest box is asked for what has come nearer.
            if k == 2 && gaps[0].iter().zip(&gaps[1]).take(count).all(|(from, to)| *to >= from - slack) {
                return Ok(true);
            }
            if !self.set_middle(ends, &ANY_VALUES)? {
                return Ok(false);
            }
            let around = Around { bounds: &self.bounds, change: &self.change };
            let faithful = (k == 0).then_some(slack);
            match self.asker.gaps_along(&self.pose, index, around, faithful, &mut gaps[k]) {
                Some(known) => count = known,
                None => return Ok(false),
            }
        }
        let [from, to, far] = &gaps;
        Ok((0..count).all(|k| to[k] >= from[k] - slack || far[k] > margin))
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
        pose.pairs_now() > 0 && !pose.world.blind && !self.margin.is_nan() && pose.unseen().is_none()
    }

    /// Lists the listed pairs that capsules and swells leave.
    fn list_candidates(&mut self) {
        let world = self.pose.world;
        for swollen in &self.swollen {
            let (ball, first) = (self.pose.body_ball(swollen.body), swollen.first as usize);
            let Some(chain) = self.bounds.chain(swollen.body) else { continue };
            let mut sum = 0.0;
            for (k, dof) in chain.iter().enumerate().rev() {
                let dof = &self.bounds.dofs[*dof as usize];
                let amount = dof.amount(&self.change);
                if amount > 0.0 {
                    sum += match dof.kind {
                        Kind::Slide => amount,
                        Kind::Turn(_) | Kind::Spin => amount * lever(dof, &self.pose, &ball),
                    };
                }
                self.swells[first + k] = sum;
            }
        }
        let proofs = &world.proofs;
        let RangeSpace { pose, kept_bounds, swells, of_pair, lists, margin, gaps, .. } = self;
        let needed = |at: usize| {
            let [a, b] = of_pair[at].map(|at| swells.get(at as usize).copied().unwrap_or(f64::INFINITY));
            *margin + (a + b) * MOTION_FACTOR
        };
        let mut take = |at: usize, gap: f64| {
            if !(gap > needed(at)) {
                lists.push(proofs.order[at].0);
            }
        };
        // Bounds of capsules hold for hulls and meshes.
        let keeps = proofs.order.len() >= KEPT_PAIRS;
        if keeps && kept_bounds.follow(pose, Geometry::Hull) {
            kept_bounds.each_near(pose, needed, take);
        } else {
            capsule_gaps(&pose.records, &proofs.capsules, gaps);
            if keeps {
                kept_bounds.begin(pose, Geometry::Hull, gaps);
            }
            gaps.iter().enumerate().for_each(|(at, gap)| take(at, *gap));
        }
        if self.pose.policy.pairs().next().is_some() {
            let policy = &self.pose.policy;
            self.lists.retain(|pair| policy.allows(PairId(*pair)).is_none());
        }
    }

    /// Lists what is near in crowds and among movable bodies. False if that is more than there is room for.
    fn list_near(&mut self) -> bool {
        let RangeSpace { pose, bounds, asker, near, lists, change, .. } = self;
        let world = pose.world;
        let pairs = &world.checks.pairs;
        if pairs.crowds.is_empty() && pairs.movable.is_empty() {
            return true;
        }
        let around = Around { bounds, change };
        let mut room = RANGE_NEAR;
        let mut all = true;
        let mut add = |pair: BodyPair| {
            all &= room > 0;
            if room > 0 {
                room -= 1;
                lists.push(asker.add_cold(pair));
            }
        };
        let fixed = &world.bounds.fixed;
        near.full = false;
        for crowd in &pairs.crowds {
            let index = |leaf: u32| {
                let index = fixed.leaves[leaf as usize].fixed_index;
                let asked = crowd.checks(index) && pose.policy.allows(crowd.pair(index)).is_none();
                asked.then_some(index)
            };
            near.find((pose, crowd.body), fixed.trees(), around, self.margin, index);
            for index in &near.indices {
                let (a, b) = ordered(crowd.body, pairs.fixed[*index as usize]);
                add(BodyPair { a, b });
            }
        }
        if let Some(boxes) = pose.take_boxes() {
            let at = &*pose;
            movable_near(at, boxes.tree(), around, self.margin, near, &mut |_, _| {}, &mut add);
            pose.give_boxes(boxes);
        }
        all && !near.full
    }

    /// Asks the listed pairs, in ranges in whose middle the pose is. What stays open goes to `open`.
    fn search(&mut self, ends: [&[f64]; 2], options: &RangeOptions, work: &impl Fn(BodyPair) -> PairWork) {
        let wanted = Wanted { margin: self.margin, geometry: options.geometry };
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
            let around = Around { bounds: &self.bounds, change: &self.change };
            let (pose, capsules) = (&self.pose, &self.capsules);
            let bound = |needed| bound(pose, capsules, pair, needed);
            let adds = &mut self.adds;
            let cleared = self.asker.clears_or(pose, *index as usize, around, wanted, adds, bound);
            if cleared.is_free() {
                continue;
            }
            let touches = cleared.upper < self.margin;
            let lower = (cleared.gap - cleared.approach).min(self.margin);
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
            self.boxes[..n].copy_from_slice(ends[0]);
            self.boxes[n..2 * n].copy_from_slice(ends[1]);
            self.descend(options, wanted);
        }
        self.counts.shape_queries = self.asker.work.queries as u64;
        let mut remains = self.remains.iter();
        self.open.retain(|_| remains.next() == Some(&true));
        let mut remains = self.remains.iter();
        self.indices.retain(|_| remains.next() == Some(&true));
    }

    /// Asks open pairs again in halves of their ranges.
    fn descend(&mut self, options: &RangeOptions, wanted: Wanted) {
        self.stack.clear();
        self.halve(Node { from: 0, to: self.again.len(), halvings: 0 });
        while let Some(node) = self.stack.pop() {
            if options.until_open && self.remains.contains(&true) {
                return;
            }
            self.again.truncate(node.to);
            self.worth.fill(0.0);
            let placed = self.set_in_box(options);
            let last = node.halvings >= options.halvings.min(RangeOptions::MOST_HALVINGS);
            for k in node.from..node.to {
                let at = self.again[k] as usize;
                if self.remains[at] {
                    continue;
                }
                if !placed || self.counts.again >= options.work {
                    self.remains[at] = true;
                    continue;
                }
                self.counts.again += 1;
                let around = Around { bounds: &self.bounds, change: &self.change };
                let index = self.indices[at] as usize;
                let (pose, capsules, pair) = (&self.pose, &self.capsules, self.open[at].pair);
                let bound = |needed| bound(pose, capsules, pair, needed);
                let cleared = self.asker.clears_or(pose, index, around, wanted, &mut self.adds, bound);
                if cleared.is_free() {
                    continue;
                }
                self.open[at].upper = self.open[at].upper.min(cleared.upper);
                let touches = cleared.upper < self.margin;
                if touches || last || self.again.len() == self.again.capacity() {
                    self.remains[at] = true;
                } else {
                    self.again.push(at as u32);
                    self.worth.iter_mut().zip(&self.adds).for_each(|(worth, add)| *worth += add);
                }
            }
            let halves = Node { from: node.to, to: self.again.len(), halvings: node.halvings };
            if halves.to > halves.from {
                self.halve(halves);
            }
        }
    }

    /// Sets the pose in the middle of the box behind the last entry of the stack. False if it is refused.
    fn set_in_box(&mut self, options: &RangeOptions) -> bool {
        let n = self.middle.len();
        let (low, high) = self.boxes[2 * n * self.stack.len()..][..2 * n].split_at(n);
        half_ranges(low, high, &mut self.middle, &mut self.change);
        self.counts.poses += 1;
        self.pose.set_with(&self.middle, options.set).is_ok()
    }

    /// Puts both halves of that box on the stack, for some pairs. If no value can be halved, they stay open.
    fn halve(&mut self, Node { from, to, halvings }: Node) {
        let (n, at) = (self.middle.len(), self.stack.len());
        let mut best = (0.0, None);
        for (value, worth) in self.worth.iter().enumerate() {
            let [low, high] = [0, n].map(|end| self.boxes[2 * n * at + end + value]);
            let middle = middle(low, high);
            if *worth > best.0 && low < middle && middle < high {
                best = (*worth, Some((value, middle)));
            }
        }
        let Some((value, middle)) = best.1 else {
            self.again[from..to].iter().for_each(|at| self.remains[*at as usize] = true);
            return;
        };
        self.boxes.copy_within(2 * n * at..2 * n * (at + 1), 2 * n * (at + 1));
        self.boxes[2 * n * at + value] = middle;
        self.boxes[2 * n * (at + 1) + n + value] = middle;
        let half = Node { from, to, halvings: halvings + 1 };
        self.stack.extend([half, half]);
    }
}

/// Ranges may reach beyond the limits of joints.
const ANY_VALUES: RangeOptions = RangeOptions {
    margin: None,
    geometry: Geometry::Mesh,
    halvings: 0,
    work: 0,
    until_open: false,
    set: SetOptions { ignore_limits: true },
};

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
