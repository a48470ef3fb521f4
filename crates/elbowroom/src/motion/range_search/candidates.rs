//! The pairs that are asked: those that cheap bounds leave, of the listed ones, of crowds, and among movable
//! bodies.

use super::RangeSpace;
use crate::bounds::lanes::capsule_gaps;
use crate::model::id::{BodyPair, PairId, order_pair};
use crate::motion::around::movable_near;
use crate::motion::asker::Around;
use crate::motion::lever::lever;
use crate::motion::motion_bounds::Kind;
use crate::motion::tolerance::{MOTION_FACTOR, RANGE_NEAR};
use crate::query::tolerance::KEPT_PAIRS;
use elbowroom_pair::Geometry;

impl RangeSpace<'_> {
    /// Lists the listed pairs that capsules and swells leave.
    pub(super) fn list_candidates(&mut self) {
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
        if keeps && kept_bounds.follow_pose(pose, Geometry::Hull) {
            kept_bounds.each_near(pose, needed, take);
        } else {
            capsule_gaps(&pose.records, &proofs.capsules, gaps);
            if keeps {
                kept_bounds.begin(pose, Geometry::Hull, gaps);
            }
            gaps.iter().enumerate().for_each(|(at, gap)| take(at, *gap));
        }
        if self.pose.allowed_now.allowed_pairs().next().is_some() {
            let allowed_now = &self.pose.allowed_now;
            self.lists.retain(|pair| allowed_now.allowed_by(PairId(*pair)).is_none());
        }
    }

    /// Lists what is near in crowds and among movable bodies. False if that is more than there is room for.
    pub(super) fn list_near(&mut self) -> bool {
        let RangeSpace { pose, bounds, asker, near, lists, change, .. } = self;
        let world = pose.world;
        let pairs = &world.checks.pairs;
        if pairs.crowds.is_empty() && pairs.movable.is_empty() {
            return true;
        }
        let around = Around::all(bounds, change);
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
                let asked = crowd.is_checked_against(index)
                    && pose.allowed_now.allowed_by(crowd.pair_id(index)).is_none();
                asked.then_some(index)
            };
            near.find((pose, crowd.body), fixed.trees(), around, self.margin, index);
            for index in &near.indices {
                let (a, b) = order_pair(crowd.body, pairs.fixed[*index as usize]);
                add(BodyPair { a, b });
            }
        }
        if let Some(boxes) = pose.take_boxes() {
            let at = &*pose;
            movable_near(at, boxes.tree(), around, self.margin, near, &mut |_| {}, &mut add);
            pose.give_boxes(boxes);
        }
        all && !near.full
    }
}
