//! Adds and removes fixed obstacles in a world whose moving bodies are checked against all fixed ones.

use super::extended::Extended;
use super::plan::EditPlan;
use crate::model::checks::Checks;
use crate::model::compile::fingerprint::hash_world;
use crate::model::compile::fixed::leaves_of;
use crate::model::compile::groups::count_pair;
use crate::model::groups::CollisionGroup;
use crate::model::id::{BodyId, BodyPair, order_pair};
use crate::model::movables::Movables;
use crate::model::pairs::{FIXED_CLUSTER, Selection};
use crate::model::tolerance::{EDIT_LEAST, EDIT_SHARE, MAX_CHECKED_PAIRS, MAX_SHAPES};
use crate::model::world::World;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use elbowroom_describe::fault::CompileFault;

/// Whether this method can make the changes: every moving body is checked against all fixed bodies, no
/// removed body is in a listed pair, no group changes its frame, and few obstacles were added or removed so
/// far.
pub(super) fn can_edit_obstacles(world: &World, plan: &EditPlan, all: &Extended) -> bool {
    let (pairs, rules) = (&world.checks.pairs, &world.checks.rules);
    let moves = |id: &&BodyId| rules.bodies[id.index()].cluster != FIXED_CLUSTER;
    let crowds_only = world.kinematics.moving.iter().filter(moves).count() == pairs.crowds.len();
    let gone = |id: BodyId| plan.removed.binary_search(&id).is_ok();
    let listed = pairs.listed.iter().any(|pair| gone(pair.a) || gone(pair.b));
    let bodies = &world.solids.bodies;
    let fewer = world.solids.removed.len() - world.solids.removed_before;
    let later = bodies.len() - bodies.shared_count() + fewer;
    let changed = later + plan.added.len() + plan.removed.len();
    let few = changed <= EDIT_LEAST.max(bodies.shared_count() / EDIT_SHARE);
    !pairs.crowds.is_empty() && crowds_only && !listed && few && groups_stay(world, plan, all)
}

/// The numbers of the added bodies.
fn added_bodies(world: &World, all: &Extended) -> impl Iterator<Item = BodyId> + use<> {
    (world.solids.bodies.len() as u32..all.solids.bodies.len() as u32).map(BodyId)
}

/// Whether each group that gains or loses a body is there, and has the frame of the cell before and after.
fn groups_stay(world: &World, plan: &EditPlan, all: &Extended) -> bool {
    let there = |name: &str| world.checks.groups.iter().any(|group| group.name == name);
    let takes_in = |(name, selection): &(String, Selection)| {
        added_bodies(world, all).all(|new| !selection.contains(new)) || there(name)
    };
    let known = if all.asked.is_empty() { there("world") } else { all.asked.iter().all(takes_in) };
    let touched = |group: &&CollisionGroup| {
        added_bodies(world, all).any(|new| takes_new(&all.asked, group, new))
            || plan.removed.iter().any(|id| group.contains(*id))
    };
    // Two bodies that nothing carries have no carrier in common, so the group's frame is the cell's.
    let stays = |group: &CollisionGroup| {
        let left = |id: &&BodyId| {
            plan.removed.binary_search(id).is_err() && world.kinematics.places.moving_step(**id).is_none()
        };
        group.frame.is_none() && group.bodies.iter().filter(left).take(2).count() == 2
    };
    (plan.added.is_empty() || known) && world.checks.groups.iter().filter(touched).all(stays)
}

/// Whether a new obstacle is in a group. `asked` is what the list of checks names.
fn takes_new(asked: &[(String, Selection)], group: &CollisionGroup, new: BodyId) -> bool {
    match asked {
        [] => group.name == "world",
        asked => asked.iter().any(|(name, selection)| *name == group.name && selection.contains(new)),
    }
}

/// The world with the added obstacles, and without the removed ones.
pub(super) fn with_obstacles(world: &World, plan: &EditPlan, all: Extended) -> Result<World, CompileFault> {
    let Extended { solids, kinematics, rules, carriers, selections, asked, bodies_hash } = all;
    let first_new = world.solids.bodies.len();
    let added = (first_new as u32..solids.bodies.len() as u32).map(BodyId);
    let shaped: Vec<BodyId> = added.filter(|id| solids.shape_count(*id) > 0).collect();
    let gone: Vec<BodyId> = plan.removed.iter().copied().filter(|id| solids.shape_count(*id) > 0).collect();
    let allowed = |mover: BodyId, other: BodyId| rules.allowed_reason(mover, other).is_some();
    let too_many = CompileFault::TooMany { what: "checked pairs", limit: MAX_CHECKED_PAIRS };
    let pairs = world.checks.pairs.clone().with_fixed(&gone, &shaped, allowed).ok_or(too_many)?;

    let mut groups = world.checks.groups.clone();
    for (group, old) in groups.iter_mut().zip(&world.checks.groups) {
        for body in &gone {
            if let Ok(at) = group.bodies.binary_search(body) {
                group.bodies.remove(at);
            }
        }
        group.bodies.extend(shaped.iter().filter(|id| takes_new(&asked, old, **id)));
    }
    let mut index_set = world.checks.index_set.clone();
    let keep = !pairs.movable.is_empty();
    let between = |mover: BodyId, other: BodyId| {
        let (a, b) = order_pair(mover, other);
        BodyPair { a, b }
    };
    for mover in world.checks.pairs.crowds.iter().map(|crowd| crowd.body) {
        for pair in gone.iter().map(|id| between(mover, *id)) {
            if world.checks.pairs.find_pair(pair).is_some() {
                count_pair(&mut index_set, &world.checks.groups, pair, -1, keep);
            }
        }
        for pair in shaped.iter().map(|id| between(mover, *id)) {
            if pairs.find_pair(pair).is_some() {
                count_pair(&mut index_set, &groups, pair, 1, keep);
            }
        }
    }

    let fixed = &world.checks.pairs.fixed;
    let mut leaves = Vec::new();
    for (index, body) in (fixed.len() as u32..).zip(&shaped) {
        leaves.extend(leaves_of(&solids, &kinematics, index, *body, kinematics.places.fixed_pose(*body)));
    }
    let shared = shaped.iter().any(|id| solids.shape_count(*id) > 1);
    let mut bounds = world.bounds.clone();
    let too_many = CompileFault::TooMany { what: "shapes", limit: MAX_SHAPES };
    bounds.fixed = bounds.fixed.with_leaves(&leaves, shared).ok_or(too_many)?;

    let movables = Movables { carriers, ..world.movables.clone() };
    let fingerprint = hash_world(bodies_hash, &kinematics, &pairs, &movables, world.margin);
    Ok(World {
        solids,
        kinematics,
        checks: Checks { rules, pairs, groups, asked, selections, index_set },
        bounds,
        proofs: Arc::clone(&world.proofs),
        starts: world.starts.clone(),
        movables,
        margin: world.margin,
        blind: world.blind,
        fingerprint,
        bodies_hash,
        lineage: world.lineage,
        pads: None,
    })
}
