//! Bounds around the bodies of a world whose pairs are known: capsules and boxes, tables of heights, balls
//! inside, and the tree of those that move among crowds.

use super::neutral::Neutral;
use crate::bounds::fit::{self, Effort};
use crate::bounds::heights::Heights;
use crate::bounds::hierarchy::{Tree, agglomerate, diagonal};
use crate::bounds::inside::Inside;
use crate::bounds::lanes::CapsuleRecord;
use crate::bounds::radius::capsule_radius;
use crate::bounds::{AlignedBox, BodyBox, Capsule};
use crate::model::id::BodyId;
use crate::model::tolerance::{FIT_THOROUGH, HEIGHT_BODIES};
use crate::model::world::{BodyCapsule, World};
use crate::numeric::math::Vec3;
use crate::numeric::tolerance::TURN_OF_PRODUCT;
use crate::shape::solid::Core;
use alloc::collections::btree_map::{BTreeMap, Entry};
use alloc::vec;
use alloc::vec::Vec;

/// Fits capsules around the bodies whose pairs are bounded by them.
pub(super) fn capsules(world: &mut World) {
    let mut slots: BTreeMap<BodyId, u32> = BTreeMap::new();
    let listed = world.pairs.listed.iter().flat_map(|p| [p.a, p.b]);
    for body in world.moving.iter().copied().chain(listed) {
        let next = slots.len() as u32;
        if let Entry::Vacant(slot) = slots.entry(body) {
            slot.insert(next);
            let effort = if next < FIT_THOROUGH { Effort::Thorough } else { Effort::Quick };
            let capsule = capsule_around(world, body, effort);
            let error = &world.errors[body.index()];
            world.radii.push(capsule_radius(&capsule, error));
            let record = CapsuleRecord::new(&capsule);
            let body_box = BodyBox::new(fit::aligned(&world.cloud_of(body)));
            let step = world.bodies[body.index()].step;
            world.capsules.push(BodyCapsule { body, step, capsule, record, body_box });
        }
    }
    let slot = |body: BodyId| slots.get(&body).copied().unwrap_or_default();
    world.listed_capsules = world.pairs.listed.iter().map(|p| [slot(p.a), slot(p.b)]).collect();
    world.order = (0..world.pairs.listed.len() as u32).collect();
    world.near = world.order.len();
    world.crowd_capsules = world.pairs.crowds.iter().map(|c| slot(c.body)).collect();
}

/// Tables of heights for the bodies that tests look at, and of what is inside them.
pub(super) fn heights(world: &mut World) {
    world.heights = vec![None; world.capsules.len()];
    world.insides = vec![None; world.capsules.len()];
    let mut count = 0;
    let listed = world.listed_capsules[..world.near].iter().flatten();
    for slot in world.crowd_capsules.iter().chain(listed).map(|slot| *slot as usize) {
        if world.heights[slot].is_none() && count < HEIGHT_BODIES {
            let body = world.capsules[slot].body;
            world.heights[slot] = Some(Heights::of_shapes(world.on_body(body)));
            world.insides[slot] = Inside::of_shapes(world.on_body(body));
            count += 1;
        }
    }
}

/// Joins the moving bodies of the crowds by what is near in the neutral pose: they are searched for together
/// where they are far from all that is fixed.
pub(super) fn join_crowds(world: &mut World) {
    let crowds = world.crowd_capsules.len();
    world.crowd_tree = Tree::halving(crowds).unwrap_or_else(no_tree);
    let neutral = Neutral::new(world);
    let boxes: Vec<AlignedBox> =
        world.crowd_capsules.iter().map(|slot| neutral.box_around(world, *slot)).collect();
    if let Some(tree) = agglomerate(&boxes, diagonal) {
        world.crowd_tree = tree;
    }
}

/// A tree over nothing.
pub(super) fn no_tree() -> Tree {
    Tree::halving(0).unwrap_or_else(|| unreachable!("nothing is not too much"))
}

/// A capsule around a body, in its frame. Spheres and capsules are their own.
fn capsule_around(world: &World, body: BodyId, effort: Effort) -> Capsule {
    let shapes = world.bodies[body.index()].shapes.clone();
    if shapes.len() == 1 {
        let shape = &world.shapes[shapes.start as usize];
        let half = match shape.shape.core {
            Core::Point => Some(0.0),
            Core::Segment { half_length } => Some(half_length),
            _ => None,
        };
        if let Some(half) = half {
            let axis = Vec3 { x: 0.0, y: 0.0, z: half };
            let own = Capsule { a: -axis, b: axis, radius: shape.shape.radius };
            return own.moved(&shape.shape_in_body(), half * (shape.defect() + TURN_OF_PRODUCT));
        }
    }
    fit::capsule(&world.cloud_of(body), effort).unwrap_or(Capsule::UNBOUNDED)
}
