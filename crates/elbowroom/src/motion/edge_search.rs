//! The search for the first contact of a straight motion, or for the proof that there is none. If only that
//! proof is asked for, [`super::edge_is_free`] goes through the same intervals in another order.
//!
//! An interval of the motion is asked at its middle. Each pair has a lower bound there. It is reduced by how
//! much nearer the pair can come until either end ([`super::lever`]). The rest proves the pair free on the
//! whole interval, or leaves it open. Only open pairs are asked again, on both halves, the earlier half
//! first. The balls around bodies are asked before their shapes. If a pair overlaps at a middle, later
//! intervals are not asked any more, and earlier ones narrow down the first contact.
//!
//! If an open pair moves less than the resolution on an interval, the interval is not halved again for it. If
//! the pair overlaps at an end, that is its first contact. If not, it may touch, and the answer is `Unknown`
//! unless an overlap follows. A pair with many such intervals is given up from there on; all other pairs are
//! asked as before, so a pair that slides along does not hide the contact of another. So a contact has two
//! fractions: from where its own pair is open, and from where any pair is. The search also stops when the
//! allowed work is done.
//!
//! A motion may have a tolerance ([`super::route`]): it is added to what each joint changes on every
//! interval, so what halving can gain is only the rest. Where that is little, the interval counts as one at
//! the resolution.
//!
//! If a moving body is checked against a crowd of fixed bodies ([`crate::model::checked_pairs`]), the tree
//! over them leaves out at once those that it cannot come near on the whole motion.
//!
//! The lists of open pairs lie one behind the other in one array. The list of an interval ends where those of
//! its halves begin, and both halves are done before it.
//!
//! # Source
//!
//! After Schwarzer, Saha, Latombe: Exact collision checking of robot paths (2002). Other than there, lever
//! arms are those of the pose and not of all poses, the smaller one of two bodies counts for each joint, and
//! a gap along one direction serves where the distance does not suffice; then what either sweeps
//! ([`super::trail`]).

use super::around::{Near, movable_near};
use super::asker::{Around, Asker, Cleared, Stays, Wanted};
use super::certificate::Piece;
use super::edge_answer::{Doubt, Edge, EdgeCounts, EdgeSoFar};
use super::edge_options::{EdgeAsk, EdgeOptions};
use super::edge_progress::{NEVER_OPEN, Open, Progress};
use super::motion_bounds::MotionBounds;
use super::route::Route;
use super::route_bounds::RouteBounds;
use super::swing::Swing;
use super::way::Way;
use crate::model::id::{BodyId, BodyPair, PairId, order_pair};
use crate::model::world::World;
use crate::motion::tolerance::{EDGE_HALVINGS, EDGE_OPEN_ENDS, EDGE_VISITS, EDGE_WORTH, TOUCH, TUBE_SHARE};
use crate::pose::frames::Pose;
use crate::query::resolved::Resolved;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_pair::{Ask, Effort};

/// An interval whose open pairs are `lists[from..to]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeNode {
    pub t: [f64; 2],
    pub from: usize,
    pub to: usize,
}

/// A pose, warm starts and scratch of searches along motions.
#[derive(Clone, Debug)]
pub(super) struct EdgeSpace<'w> {
    pub pose: Pose<'w>,
    bounds: MotionBounds<'w>,
    way: Way,
    pub asker: Asker<'w>,
    pub stack: Vec<EdgeNode>,
    /// The intervals of one length, in the order of time; used by `is_free` only.
    pub level: Vec<EdgeNode>,
    pub lists: Vec<u32>,
    /// By pair.
    open: Vec<Open>,
    /// Pairs at the resolution on the present interval.
    at_resolution: Vec<u32>,
    near: Near,
    values: Vec<f64>,
    around: RouteBounds,
    /// What a tolerance alone changes each value by; empty without one.
    pub tolerance: Vec<f64>,
    adds: Vec<f64>,
    pub pieces: Vec<Piece>,
    pub counts: EdgeCounts,
}

impl<'w> EdgeSpace<'w> {
    pub fn new(world: &'w World) -> EdgeSpace<'w> {
        let pairs = world.checks.pairs.listed.clone();
        let values = world.kinematics.dof_names.len();
        let pose = Pose::new(world);
        EdgeSpace {
            bounds: MotionBounds::new(world),
            way: Way::new(world),
            open: Vec::with_capacity(pairs.len()),
            lists: Vec::with_capacity(4 * pairs.len()),
            asker: Asker::new(&pose, pairs),
            pose,
            stack: Vec::with_capacity(2 * EDGE_HALVINGS),
            level: Vec::new(),
            at_resolution: Vec::new(),
            near: Near::default(),
            values: vec![0.0; values],
            around: RouteBounds::new(values),
            tolerance: Vec::new(),
            adds: vec![0.0; values],
            pieces: Vec::new(),
            counts: EdgeCounts::default(),
        }
    }
}

/// The search along one motion.
pub(super) struct EdgeSearch<'s, 'w> {
    pub space: &'s mut EdgeSpace<'w>,
    pub route: Route<'s>,
    pub margin: f64,
    pub options: &'s EdgeOptions,
    pub progress: Progress,
    /// What the asker had visited before.
    pub visits: u64,
    /// Is told how far the search has come; false ends it.
    pub watch: &'s mut dyn FnMut(&EdgeSoFar) -> bool,
}

impl EdgeSearch<'_, '_> {
    /// Answers for the interval `whole` of the motion.
    pub fn run(&mut self, whole: [f64; 2]) -> Edge {
        if let Some(edge) = self.begin(whole) {
            return edge;
        }
        match self.options.ask {
            EdgeAsk::FirstContact => self.in_order(),
            EdgeAsk::IsFree => self.is_free(),
        }
    }

    /// Puts the whole motion on the stack, with all pairs that are checked. An answer if nothing can be told.
    fn begin(&mut self, whole: [f64; 2]) -> Option<Edge> {
        let world = self.space.pose.world;
        self.space.stack.clear();
        self.space.asker.drop_added();
        let pairs = &world.checks.pairs;
        let near = !pairs.crowds.is_empty() || !pairs.movable.is_empty();
        if near && !self.add_near(whole) {
            return Some(Edge::Unknown { at: whole, pair: None, why: Doubt::NothingKnown });
        }
        let EdgeSpace { pose, asker, lists, open, stack, .. } = &mut *self.space;
        if let Some(pair) = pose.find_unseen_pair() {
            return Some(Edge::Unknown { at: whole, pair: Some(pair), why: Doubt::NothingKnown });
        }
        lists.clear();
        lists.extend(0..asker.pairs.len() as u32);
        // All pairs that were added are checked now; a listed pair may be allowed for the time being.
        let is_listed = |pair: &u32| (*pair as usize) < pairs.listed.len();
        let is_checked =
            |pair: &u32| !is_listed(pair) || pose.allowed_now.allowed_by(PairId(*pair)).is_none();
        let asked = self.options.pairs;
        lists.retain(|pair| is_checked(pair) && asked.includes_pair(pose, asker.pairs[*pair as usize]));
        open.clear();
        open.resize(asker.pairs.len(), NEVER_OPEN);
        stack.push(EdgeNode { t: whole, from: 0, to: lists.len() });
        None
    }

    /// Asks the intervals on the stack, the earliest first, until all those before the first contact were
    /// asked. With `EdgeAsk::IsFree` it ends at any contact.
    pub fn in_order(&mut self) -> Edge {
        while let Some(node) = self.space.stack.pop() {
            let [start, end] = node.t;
            if self.progress.contact.is_some_and(|(t, _)| start >= t) {
                continue;
            }
            if !self.may_go_on(start) {
                let pair = self.space.lists.get(node.from).copied();
                return self.ended(node, pair, Doubt::Work);
            }
            let middle = 0.5 * (start + end);
            if !self.set_at(middle) {
                return self.ended(node, None, Doubt::NothingKnown);
            }
            self.space.lists.truncate(node.to);
            self.ask_interval(&node, middle);
            if let Some(any) = self.any_contact() {
                return any;
            }
            let first = self.resolve(node.t);
            if let Some(any) = self.any_contact() {
                return any;
            }
            if first {
                let unknown = Edge::Unknown { at: node.t, pair: None, why: Doubt::Close };
                return self.contact(start).unwrap_or(unknown);
            }
            let EdgeSpace { lists, stack, .. } = &mut *self.space;
            let (first, last) = (node.to, lists.len());
            if last > first {
                stack.push(EdgeNode { t: [middle, end], from: first, to: last });
                stack.push(EdgeNode { t: [start, middle], from: first, to: last });
            }
        }
        match (self.contact(f64::INFINITY), self.progress.open) {
            (Some(contact), _) => contact,
            (None, None) => Edge::Free,
            (None, Some(([from, to], pair))) => {
                // In a search by length, a pair that was given up may be left out at earlier times too.
                let at = match (self.progress.gave_up, self.options.ask) {
                    (false, _) => [from, to],
                    (true, EdgeAsk::FirstContact) => [from, 1.0],
                    (true, EdgeAsk::IsFree) => [0.0, 1.0],
                };
                Edge::Unknown { at, pair: Some(self.pair(pair)), why: self.progress.why }
            }
        }
    }

    /// Whether work is left, and whoever watches wants to go on. Nothing before `done` is asked any more.
    pub fn may_go_on(&mut self, done: f64) -> bool {
        let EdgeSearch { space, visits, watch, options, .. } = self;
        let visited = space.asker.visits() - *visits;
        space.counts.work = space.counts.asked + visited / EDGE_VISITS;
        let counts = EdgeCounts { shape_queries: space.asker.work.queries as u64, ..space.counts };
        space.counts.work < options.work && watch(&EdgeSoFar { done, counts })
    }

    pub fn pair(&self, index: u32) -> BodyPair {
        self.space.asker.pairs[index as usize]
    }

    /// The answer if a contact was found. Before `until` every pair was proved free or left open at the
    /// resolution.
    fn contact(&self, until: f64) -> Option<Edge> {
        let (t, index) = self.progress.contact?;
        let own = self.space.open[index as usize].from.min(until).min(t);
        let (open, other) = self.progress.open.map_or((own, index), |(at, pair)| (at[0], pair));
        Some(Edge::Contact {
            first: [own, t],
            pair: self.pair(index),
            free_until: open.min(own),
            open: (open < own).then(|| self.pair(other)),
        })
    }

    /// Adds the pairs of the crowds and of movable bodies that could touch anywhere on the motion; all others
    /// are proved free. False if the pose in the middle is refused.
    fn add_near(&mut self, whole: [f64; 2]) -> bool {
        if !self.set_at(0.5 * (whole[0] + whole[1])) {
            return false;
        }
        let EdgeSpace { pose, bounds, way, asker, around, near, pieces, .. } = &mut *self.space;
        let world = pose.world;
        self.route.bound_interval(way, whole, around);
        let around = Around::all(bounds, &around.change);
        let mut found = |body: BodyId| {
            pieces.push(Piece { pair: BodyPair { a: body, b: body }, t: whole });
        };
        let fixed = &world.bounds.fixed;
        for crowd in &world.checks.pairs.crowds {
            let index = |leaf: u32| {
                let index = fixed.leaves[leaf as usize].fixed_index;
                let asked = crowd.is_checked_against(index)
                    && pose.allowed_now.allowed_by(crowd.pair_id(index)).is_none();
                asked.then_some(index)
            };
            near.find((pose, crowd.body), fixed.trees(), around, self.margin, index);
            found(crowd.body);
            for index in &near.indices {
                let (a, b) = order_pair(crowd.body, world.checks.pairs.fixed[*index as usize]);
                asker.add(pose, BodyPair { a, b });
            }
        }
        if let Some(boxes) = pose.take_boxes() {
            let at = &*pose;
            let add = |pair| asker.add(at, pair);
            movable_near(at, boxes.tree(), around, self.margin, near, &mut found, add);
            pose.give_boxes(boxes);
        }
        true
    }

    /// The answer if the work ended before an interval on which `pair` is open. Before it every pair was
    /// proved free or left open at the resolution.
    fn ended(&self, node: EdgeNode, pair: Option<u32>, why: Doubt) -> Edge {
        if self.options.ask == EdgeAsk::IsFree {
            return self.ended_early(&node, why);
        }
        let (start, space) = (node.t[0], &*self.space);
        let from = self.progress.open.map_or(start, |(at, _)| at[0].min(start));
        let pair = self.progress.open.map(|(_, pair)| pair).or(pair).map(|index| self.pair(index));
        let Some((t, index)) = self.progress.contact else {
            let why = if self.progress.open.is_some() { self.progress.why } else { why };
            return Edge::Unknown { at: [from, 1.0], pair, why };
        };
        // The pair in contact may be free for longer: up to the first interval that still lists it.
        let lists = |node: &&EdgeNode| space.lists[node.from..node.to].contains(&index);
        let left = space.stack.iter().rev().chain([&node]).filter(lists).map(|node| node.t[0]);
        let own = left.fold(space.open[index as usize].from.min(t), f64::min);
        let open = if from < own { pair } else { None };
        Edge::Contact { first: [own, t], pair: self.pair(index), free_until: from.min(own), open }
    }

    /// Moves the pose to a fraction of the motion; false if it is refused.
    pub fn set_at(&mut self, t: f64) -> bool {
        let EdgeSpace { pose, way, values, counts, .. } = &mut *self.space;
        self.route.values_at(way, t, values);
        counts.poses += 1;
        pose.set_with(values, self.route.set_options(self.options.set)).is_ok()
    }

    /// Asks the open pairs of an interval at its middle, at which the pose is. Pairs that stay open go to the
    /// end of `lists`, or to `at_resolution` where to halve again is of no use. If any contact will do, the
    /// first one ends it.
    pub fn ask_interval(&mut self, node: &EdgeNode, middle: f64) {
        let EdgeSpace {
            pose,
            bounds,
            way,
            asker,
            lists,
            open,
            at_resolution,
            around,
            tolerance,
            adds,
            pieces,
            counts,
            ..
        } = &mut *self.space;
        self.route.bound_interval(way, node.t, around);
        let change = &around.change;
        at_resolution.clear();
        let [start, end] = node.t;
        // The interval has the least length, or its middle is one of its ends.
        let short = end - start <= 1.0 / (1_u64 << EDGE_HALVINGS) as f64 || !(start < middle && middle < end);
        let around = Around { bounds, change, straight: Some(around.straight()) };
        let wanted = Wanted { margin: self.margin, geometry: self.options.policy.geometry };
        let mut swing = Swing::default();
        for k in node.from..node.to {
            let index = lists[k];
            if open[index as usize].count >= EDGE_OPEN_ENDS {
                continue;
            }
            let pair = asker.pairs[index as usize];
            counts.asked += 1;
            let swings = swing.bound_approach(bounds, pose, pair, change);
            if asker.gap(pose, index as usize) > self.margin + swings {
                counts.by_balls += 1;
                pieces.push(Piece { pair, t: node.t });
                continue;
            }
            let cleared = asker.clears(pose, index as usize, around, wanted, adds);
            let Cleared { stays, approach, upper, .. } = cleared;
            counts.by_balls += u64::from(stays == Stays::ByBalls);
            if upper < self.margin {
                self.progress.touches(middle, index);
                if self.options.ask == EdgeAsk::IsFree {
                    return;
                }
            }
            if stays != Stays::Open {
                pieces.push(Piece { pair, t: node.t });
                continue;
            }
            // How much nearer the tolerance alone may bring the pair: halving does not change that.
            let own = match tolerance.is_empty() {
                true => 0.0,
                false => asker.approach_of(pose, index as usize, Around::all(bounds, tolerance)),
            };
            let (shrinks, spare) = (approach - own, cleared.gap - self.margin - own);
            // In the middle the pair is so far beyond the margin that a few halvings may prove it free.
            let is_worth_halving = spare > EDGE_WORTH * shrinks;
            if short || shrinks <= self.options.resolution.max(TUBE_SHARE * own) && !is_worth_halving {
                at_resolution.push(index);
            } else {
                lists.push(index);
            }
        }
    }

    /// Asks the pairs at the resolution at the ends of their interval. True if one of them has the first
    /// contact.
    pub fn resolve(&mut self, [start, end]: [f64; 2]) -> bool {
        if self.space.at_resolution.is_empty() {
            return false;
        }
        let pairs = core::mem::take(&mut self.space.at_resolution);
        let (margin, geometry) = (self.margin, self.options.policy.geometry);
        let asked = Resolved { ask: Ask::Test, geometry, margin, cutoff: margin, depth: Effort::Rough };
        for t in [start, end] {
            // Every other start is the end of an earlier interval.
            let known = self.progress.contact.is_some_and(|(c, _)| c <= t) || (t == start && start > 0.0);
            if known || !self.set_at(t) {
                continue;
            }
            for index in &pairs {
                let EdgeSpace { pose, asker, .. } = &mut *self.space;
                if asker.ask(pose, *index as usize, &asked).interval.upper < margin {
                    self.progress.touches(t, *index);
                }
            }
        }
        // If another pair has the first contact, halving goes on.
        let done = self.progress.contact.is_some_and(|(t, index)| t <= end && pairs.contains(&index));
        if !done {
            for index in &pairs {
                let open = &mut self.space.open[*index as usize];
                open.from = open.from.min(start);
                open.count += 1;
                self.progress.gave_up |= open.count >= EDGE_OPEN_ENDS;
            }
            if self.progress.open.is_none_or(|(at, _)| start < at[0]) {
                let touching = pairs.iter().find(|index| self.touches([start, end], **index));
                self.progress.why = if touching.is_some() { Doubt::Touching } else { Doubt::Close };
                self.progress.open = Some(([start, end], *touching.unwrap_or(&pairs[0])));
            }
        }
        self.space.at_resolution = pairs;
        done
    }

    /// Whether a pair is at the margin, as closely as can be computed, at an end of an interval: two points
    /// are as far apart, and they are not proved to be farther or nearer.
    fn touches(&mut self, ends: [f64; 2], index: u32) -> bool {
        let (margin, geometry) = (self.margin, self.options.policy.geometry);
        let cutoff = margin + TOUCH;
        let asked = Resolved { ask: Ask::Distance, geometry, margin, cutoff, depth: Effort::Rough };
        ends.into_iter().any(|t| {
            let known = self.set_at(t);
            let EdgeSpace { pose, asker, .. } = &mut *self.space;
            let interval = asker.ask(pose, index as usize, &asked).interval;
            known && (interval.upper - margin).abs() <= TOUCH && interval.lower <= margin
        })
    }
}
