//! The search among fixed shapes: their tree gives leaves in the order of their bounds, and each leaf waits
//! to be asked against a moving body.

use super::scope::Scope;
use super::state::PairSearch;
use crate::bounds::hierarchy::WideQuery;
use crate::model::fixed::FixedLeaf;
use crate::model::id::{BodyPair, PairId, ShapeId, order_pair};
use crate::model::world::World;
use crate::pose::allowed_now::AllowedNow;
use crate::query::bodies::ask_shapes;
use crate::query::crowd_work::{Candidate, WaitingLeaves};
use crate::query::tolerance::LEAVES_WAITING;
use crate::query::warm_starts::WarmStartSlots;
use crate::query::workspace::Workspace;

fn crowd_pair(world: &World, crowd: usize, index: u32) -> BodyPair {
    let (a, b) = order_pair(world.checks.pairs.crowds[crowd].body, world.checks.pairs.fixed[index as usize]);
    BodyPair { a, b }
}

impl WaitingLeaves {
    /// Takes a leaf from the tree. It waits if its pair is checked and may change the answer.
    pub(super) fn add(&mut self, [number, leaf]: [usize; 2], lower: f64, search: &mut PairSearch) {
        let PairSearch { world, space, scope, best } = search;
        let crowd = &world.checks.pairs.crowds[number];
        let index = world.bounds.fixed.leaves[leaf].fixed_index;
        if !is_asked(world, &space.pose.allowed_now, number, index, *scope) {
            return;
        }
        // A proof about the first twin holds for the others, and among equals the first is named.
        let first = world.bounds.fixed.twins.get(leaf).map_or(leaf, |first| *first as usize);
        if first != leaf
            && is_asked(
                world,
                &space.pose.allowed_now,
                number,
                world.bounds.fixed.leaves[first].fixed_index,
                *scope,
            )
        {
            return;
        }
        let record = &space.pose.records[world.bounds.crowds[number].index()];
        let ball = &world.bounds.fixed.leaves[leaf].ball;
        let bound = record.ball_gap(ball).max(lower);
        if !best.must_ask(bound) {
            best.skip_pair(bound, crowd.pair_id(index));
            return;
        }
        if self.candidates.len() == LEAVES_WAITING {
            // The list is full: the nearest leaf is asked at once.
            self.ask_next(search);
        }
        let at = self.candidates.partition_point(|candidate| candidate.bound > bound);
        self.candidates.insert(at, Candidate { bound, crowd: number as u32, leaf: leaf as u32 });
    }

    /// Asks for the proved distance of the nearest leaf.
    pub(super) fn ask_next(&mut self, search: &mut PairSearch) {
        let PairSearch { world, space, best, .. } = search;
        let Workspace { pose, work, .. } = &mut **space;
        let Some(Candidate { bound, crowd: number, leaf }) = self.candidates.pop() else { return };
        let crowd = &world.checks.pairs.crowds[number as usize];
        let FixedLeaf { fixed_index: index, shape: fixed, .. } = world.bounds.fixed.leaves[leaf as usize];
        if !best.must_ask(bound) {
            best.skip_pair(bound, crowd.pair_id(index));
            return;
        }
        // A bound by planes costs less than a distance.
        if best.bounds_help() {
            let capsule = world.bounds.crowds[number as usize];
            let better = pose.plane_bound_to(capsule, ShapeId(fixed), bound, best.bound_target());
            if !best.must_ask(better) {
                best.skip_pair(better, crowd.pair_id(index));
                return;
            }
        }
        let pair = crowd_pair(world, number as usize, index);
        let mover = world.solids.bodies[crowd.body.index()].shapes.clone();
        let at = number as usize * world.checks.pairs.fixed.len() + index as usize;
        // A pair that is kept is told once, with the distance of all its shapes.
        if best.keep > 0 && self.asked.has_pair(at) {
            return;
        }
        let fixed = if best.keep == 0 {
            fixed..fixed + 1
        } else {
            let still = if pair.a == crowd.body { pair.b } else { pair.a };
            world.solids.bodies[still.index()].shapes.clone()
        };
        let shapes = if pair.a == crowd.body { [mover, fixed] } else { [fixed, mover] };
        let (start, cutoff) = (WarmStartSlots::of_crowd(world, number as usize), best.cutoff());
        let measured = ask_shapes(pose, shapes.clone(), &best.asked, cutoff, start, work);
        self.asked.count_pair_once(at, measured.outcome(cutoff), &mut best.counts);
        search.add_measured(crowd.pair_id(index), measured, shapes, start);
    }

    /// Leaves that still wait bound the answer.
    pub(super) fn skip_rest(&self, search: &mut PairSearch) {
        if let Some(nearest) = self.candidates.last() {
            let (world, best) = (search.world, &mut search.best);
            let crowd = &world.checks.pairs.crowds[nearest.crowd as usize];
            best.skip_pair(
                nearest.bound,
                crowd.pair_id(world.bounds.fixed.leaves[nearest.leaf as usize].fixed_index),
            );
        }
    }
}

/// Whether a crowd is checked against the fixed body at an index, and the question is about that pair.
#[inline]
fn is_asked(world: &World, allowed_now: &AllowedNow, crowd: usize, index: u32, scope: Scope) -> bool {
    let checks = &world.checks.pairs.crowds[crowd];
    checks.is_checked_against(index)
        && scope.includes_pair(crowd_pair(world, crowd, index))
        && allowed_now.allowed_by(checks.pair_id(index)).is_none()
}

/// The first pair of the crowds that the question is about, if any.
#[cold]
pub(super) fn any_pair(search: &PairSearch) -> Option<PairId> {
    let (world, allowed_now, scope) = (search.world, &search.space.pose.allowed_now, search.scope);
    let indices = 0..world.checks.pairs.fixed.len() as u32;
    let mut pairs =
        (0..world.checks.pairs.crowds.len()).flat_map(|c| indices.clone().map(move |index| (c, index)));
    let (crowd, index) = pairs.find(|&(crowd, index)| is_asked(world, allowed_now, crowd, index, scope))?;
    Some(world.checks.pairs.crowds[crowd].pair_id(index))
}

/// A pair of the crowds with a small bound, to be named where no pair was asked.
pub(super) fn near_pair(search: &PairSearch, queries: &[WideQuery]) -> Option<PairId> {
    let (world, allowed_now, scope) = (search.world, &search.space.pose.allowed_now, search.scope);
    let (fixed, crowds) = (&world.bounds.fixed, &world.checks.pairs.crowds);
    let (mut below, mut nearest) = (f32::INFINITY, None);
    for (from, tree) in fixed.trees() {
        let index = |leaf: u32| fixed.leaves[(from + leaf) as usize].fixed_index;
        let wanted = |crowd: usize, leaf: u32| is_asked(world, allowed_now, crowd, index(leaf), scope);
        if let Some(near) = tree.find_greedily(&queries[..crowds.len()], below, wanted) {
            below = near.lower;
            nearest = Some(crowds[near.query].pair_id(index(near.leaf)));
        }
    }
    nearest
}
