//! The paper's sequential system, its section 2 in full.
//!
//! The cell is a static hierarchy of boxes, built once. The robot is a dynamic one, whose boxes are computed
//! again for every pose. A node of the search is a pair of nodes, one of each. The open list gives the node
//! with the smallest distance. It is expanded by taking both of its objects apart, which makes up to four
//! nodes, each with the distance of its boxes. Two leaves are compared as polytopes. A search may end in
//! three ways:
//!
//! * distance: two polytopes collide, or the smallest distance of two polytopes is not above that of the
//!   first node;
//! * test: two polytopes collide, or the first node has a distance above zero;
//! * weak distance: two polytopes collide, or the first node has a distance above zero and polytopes would be
//!   next.
//!
//! With r-cylinders only two points of a part are moved at first; its box is the box of its r-cylinder, and
//! two leaves are compared as r-cylinders before they are as polytopes. The corners of a part are moved when
//! its polytope is asked for the first time at a pose. Without r-cylinders all corners are moved at every
//! pose.
//!
//! The paper does not say what its open list is; here it is a binary heap.

use super::counts::{DetectionCounts, Near};
use crate::error::LabError;
use crate::parts::{Part, box_of, box_of_capsule, fit_capsule, part_in_world, robot_error};
use crate::polytope::{Start, polytope_distance};
use crate::primitives::{box_gap, capsule_gap};
use elbowroom::Checker;
use elbowroom::bounds::hierarchy::{Tree, agglomerate_boxes, squared_diagonal};
use elbowroom::bounds::{AlignedBox, Capsule};
use elbowroom::math::Vec3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// What is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The smallest distance of two polytopes.
    Distance,
    /// Whether any two collide.
    Test,
    /// The best distance that can be had without polytopes.
    Weak,
}

impl Stop {
    /// All three.
    pub const ALL: [Stop; 3] = [Stop::Distance, Stop::Test, Stop::Weak];
}

/// What a detection found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// Two polytopes collide.
    pub collides: bool,
    /// 0 where they collide; under [`Stop::Distance`] the smallest distance, otherwise at most that (metres).
    pub distance: f64,
}

/// A distance that a search asks for.
#[derive(Clone, Copy, Debug)]
pub enum Computed {
    /// Two boxes, by nodes of the cell's and the robot's hierarchy.
    Boxes(u32, u32),
    /// Two r-cylinders.
    Capsules(u32, u32),
    /// Two polytopes.
    Polytopes(u32, u32),
}

/// A node of the search: a pair of nodes of the two hierarchies.
#[derive(Clone, Debug)]
pub struct SearchNode {
    /// What its polytopes are apart at least (metres).
    pub key: f64,
    /// Of the cell's hierarchy.
    pub still: u32,
    /// Of the robot's.
    pub moving: u32,
    /// The key is of the r-cylinders.
    pub by_capsules: bool,
}

impl Ord for SearchNode {
    // The heap gives the greatest first, so the smallest distance counts as the greatest. Equal ones come in
    // any order, but always in the same.
    fn cmp(&self, other: &SearchNode) -> Ordering {
        let by_key = other.key.total_cmp(&self.key);
        by_key.then((other.still, other.moving).cmp(&(self.still, self.moving)))
    }
}
impl PartialOrd for SearchNode {
    fn partial_cmp(&self, other: &SearchNode) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl PartialEq for SearchNode {
    fn eq(&self, other: &SearchNode) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for SearchNode {}

/// A cell and a robot.
#[derive(Clone, Debug)]
pub struct System {
    capsules: bool,
    obstacles: Vec<Vec<Vec3>>,
    obstacle_capsules: Vec<Capsule>,
    still: Tree,
    still_boxes: Vec<AlignedBox>,
    parts: Vec<Part>,
    part_capsules: Vec<Capsule>,
    /// Corners in the world, as far as `fresh`.
    corners: Vec<Vec<Vec3>>,
    fresh: Vec<bool>,
    places: Vec<elbowroom::math::Transform>,
    moving: Tree,
    boxes: Vec<AlignedBox>,
    open: BinaryHeap<SearchNode>,
    /// The smallest distance of two polytopes so far (metres).
    best: f64,
    /// What the last detection did.
    pub counts: DetectionCounts,
}

impl System {
    /// For obstacles by their corners in the world, and a robot whose hierarchy is `moving`; with or without
    /// r-cylinders.
    pub fn new(
        obstacles: &[Vec<Vec3>],
        parts: &[Part],
        moving: &Tree,
        capsules: bool,
    ) -> Result<System, LabError> {
        let boxes: Vec<AlignedBox> = obstacles.iter().map(|o| box_of(o)).collect();
        let still = agglomerate_boxes(&boxes, squared_diagonal)
            .ok_or_else(|| robot_error("the cell has too many objects"))?;
        let mut still_boxes = vec![AlignedBox::EMPTY; still.len()];
        still.refit_boxes(&boxes, &mut still_boxes);
        let around: Option<Vec<Capsule>> = obstacles.iter().map(|o| fit_capsule(o)).collect();
        Ok(System {
            capsules,
            obstacles: obstacles.to_vec(),
            obstacle_capsules: around.ok_or_else(|| robot_error("an object without corners"))?,
            still,
            still_boxes,
            part_capsules: parts.iter().map(|p| p.capsule).collect(),
            corners: parts.iter().map(|p| p.corners.clone()).collect(),
            fresh: vec![false; parts.len()],
            places: vec![elbowroom::math::Transform::IDENTITY; parts.len()],
            parts: parts.to_vec(),
            boxes: vec![AlignedBox::EMPTY; moving.len()],
            moving: moving.clone(),
            open: BinaryHeap::new(),
            best: f64::INFINITY,
            counts: DetectionCounts::default(),
        })
    }

    /// Brings the parts to where the pose has them: their r-cylinders, or without those all corners; and
    /// their boxes.
    pub fn update_position(&mut self, checker: &Checker) {
        self.counts.moved = 0;
        for i in 0..self.parts.len() {
            self.places[i] = part_in_world(checker, &self.parts[i]);
            self.fresh[i] = false;
            if self.capsules {
                self.part_capsules[i] = self.parts[i].capsule.transform_by(&self.places[i], 0.0);
                self.boxes[i] = box_of_capsule(&self.part_capsules[i]);
            } else {
                self.move_corners(i);
                self.boxes[i] = box_of(&self.corners[i]);
            }
        }
    }

    /// Computes the boxes of the robot's hierarchy from those of its parts.
    pub fn update_hierarchy(&mut self) {
        self.moving.refit_above(&mut self.boxes);
    }

    fn move_corners(&mut self, part: usize) {
        if std::mem::replace(&mut self.fresh[part], true) {
            return;
        }
        self.counts.moved += 1;
        for (to, from) in self.corners[part].iter_mut().zip(&self.parts[part].corners) {
            *to = self.places[part].point(*from);
        }
    }

    /// How many pairs of leaves have approximations that are no farther apart than `distance` (metres).
    pub fn count_near_pairs(&self, distance: f64) -> Near {
        let mut near = Near::default();
        for i in 0..self.obstacles.len() as u32 {
            for j in 0..self.parts.len() as u32 {
                let (boxes, capsules) = (self.box_distance(i, j), self.capsule_distance(i, j));
                near.both += usize::from(boxes.max(capsules) <= distance);
                near.capsules += usize::from(capsules <= distance);
                near.colliding += usize::from(capsules <= 0.0);
            }
        }
        near
    }

    /// Forgets which corners were moved at this pose.
    pub fn forget_corners(&mut self) {
        self.counts.moved = 0;
        self.fresh.fill(!self.capsules);
    }

    /// One detection: position, hierarchy, search.
    pub fn detect_collision(&mut self, checker: &Checker, stop: Stop) -> Answer {
        self.update_position(checker);
        self.update_hierarchy();
        self.begin();
        self.search_pairs(stop, System::compute_distance)
    }

    /// What a search needs before its first node: its list empty, its counts at zero.
    pub fn begin(&mut self) {
        self.counts = DetectionCounts { moved: self.counts.moved, ..DetectionCounts::default() };
        self.open.clear();
        self.best = f64::INFINITY;
    }

    /// The search at the last pose, once [`System::begin`] was called. It asks `distance` for every distance:
    /// [`System::compute_distance`] computes it, and who knows it already can say it.
    pub fn search_pairs(
        &mut self,
        stop: Stop,
        mut distance: impl FnMut(&mut System, Computed) -> f64,
    ) -> Answer {
        self.insert_root(&mut distance);
        while !self.is_finished(stop) {
            if self.expand_best(&mut distance) {
                return Answer { collides: true, distance: 0.0 };
            }
        }
        Answer { collides: false, distance: self.known_distance() }
    }

    /// Puts the pair of both roots into the open list.
    pub fn insert_root(&mut self, distance: &mut impl FnMut(&mut System, Computed) -> f64) {
        if let (Some(cell), Some(robot)) = (self.still.root(), self.moving.root()) {
            self.insert(cell, robot, distance);
        }
    }

    /// Whether the search may end, as far as this open list goes: stop condition (1) of the paper.
    #[inline]
    pub fn is_finished(&self, stop: Stop) -> bool {
        self.open.peek().is_none_or(|node| self.is_behind(node, stop))
    }

    /// Whether a node and all behind it in the open list need not be looked at.
    fn is_behind(&self, node: &SearchNode, stop: Stop) -> bool {
        let apart = match stop {
            Stop::Distance => false,
            Stop::Test => node.key > 0.0,
            Stop::Weak => node.key > 0.0 && self.has_polytopes_next(node),
        };
        self.best <= node.key || apart
    }

    fn has_polytopes_next(&self, node: &SearchNode) -> bool {
        let leaves = self.still.children(node.still).is_none() && self.moving.children(node.moving).is_none();
        leaves && (node.by_capsules || !self.capsules)
    }

    /// A lower bound of the distance once [`System::is_finished`] (metres); with [`Stop::Distance`] it is
    /// exact.
    pub fn known_distance(&self) -> f64 {
        self.best.min(self.open.peek().map_or(f64::INFINITY, |node| node.key))
    }

    /// The smallest distance of two polytopes so far (metres).
    pub fn best_distance(&self) -> f64 {
        self.best
    }

    /// Uses the distance of two other polytopes as an upper bound (metres).
    pub fn lower_best(&mut self, found: f64) {
        self.best = self.best.min(found);
    }

    /// Puts nodes into the open list.
    pub fn take_nodes(&mut self, nodes: impl IntoIterator<Item = SearchNode>) {
        self.open.extend(nodes);
    }

    /// Takes the best node out of the open list if it must be looked at.
    pub fn pop_open(&mut self, stop: Stop) -> Option<SearchNode> {
        if self.is_finished(stop) { None } else { self.open.pop() }
    }

    /// Takes the best node apart, or computes the distance of its polytopes; true if they collide.
    #[inline]
    pub fn expand_best(&mut self, distance: &mut impl FnMut(&mut System, Computed) -> f64) -> bool {
        let Some(node) = self.open.pop() else { return false };
        let (i, j) = (node.still, node.moving);
        match (self.still.children(i), self.moving.children(j)) {
            (None, None) if self.capsules && !node.by_capsules => {
                self.counts.primitives += 1;
                let key = node.key.max(distance(self, Computed::Capsules(i, j)));
                self.open.push(SearchNode { key, by_capsules: true, ..node });
            }
            (None, None) => {
                self.counts.polytopes += 1;
                let found = distance(self, Computed::Polytopes(i, j));
                if found <= 0.0 {
                    return true;
                }
                self.best = self.best.min(found);
            }
            (of_cell, of_robot) => {
                self.counts.expanded += 1;
                let both = |children: Option<(u32, u32)>, own: u32| match children {
                    Some((l, r)) => ([l, r], 2),
                    None => ([own, own], 1),
                };
                let ((cells, n), (robots, m)) = (both(of_cell, i), both(of_robot, j));
                for &i in &cells[..n] {
                    for &j in &robots[..m] {
                        self.insert(i, j, distance);
                    }
                }
            }
        }
        false
    }

    #[inline]
    fn insert(&mut self, still: u32, moving: u32, distance: &mut impl FnMut(&mut System, Computed) -> f64) {
        self.counts.primitives += 1;
        let key = distance(self, Computed::Boxes(still, moving));
        self.open.push(SearchNode { key, still, moving, by_capsules: false });
    }

    #[inline]
    fn box_distance(&self, i: u32, j: u32) -> f64 {
        box_gap(&self.still_boxes[i as usize], &self.boxes[j as usize])
    }
    #[inline]
    fn capsule_distance(&self, i: u32, j: u32) -> f64 {
        capsule_gap(&self.obstacle_capsules[i as usize], &self.part_capsules[j as usize])
    }
    #[inline]
    fn polytope_distance(&mut self, i: u32, j: u32) -> f64 {
        self.move_corners(j as usize);
        polytope_distance(&self.obstacles[i as usize], &self.corners[j as usize], &mut Start::default())
            .distance
    }

    /// Computes a distance (metres).
    #[inline]
    pub fn compute_distance(&mut self, computed: Computed) -> f64 {
        match computed {
            Computed::Boxes(i, j) => self.box_distance(i, j),
            Computed::Capsules(i, j) => self.capsule_distance(i, j),
            Computed::Polytopes(i, j) => self.polytope_distance(i, j),
        }
    }

    /// Moves the corners of all parts whose polytopes the trace has, as the search did.
    pub fn move_again(&mut self, trace: &[Computed]) {
        for c in trace {
            if let Computed::Polytopes(_, j) = c {
                self.move_corners(*j as usize);
            }
        }
    }
}
