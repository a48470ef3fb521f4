//! How much memory a world keeps, and how much each who asks it.
//!
//! Nothing that is asked of a world or a pose allocates, so what they hold once they are made is all they
//! ever will. Counted is what is requested from the allocator; its own overhead, some 8 to 16 bytes an
//! allocation, comes on top.

use crate::bounds::Ball;
use crate::bounds::heights::Heights;
use crate::bounds::inside::Inside;
use crate::model::body_bounds::BodyBounds;
use crate::model::checks::Checks;
use crate::model::kinematics::Kinematics;
use crate::model::pairs::{PairRules, Selection};
use crate::model::proofs::Proofs;
use crate::model::solids::Placement;
use crate::model::solids::Solids;
use crate::model::world::World;
use crate::numeric::held::held;
use crate::query::batch::Batch;
use crate::query::checker::Checker;
use crate::shape::solid::Core;
use alloc::string::String;

/// Bytes. See [`World::memory`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// What the world keeps.
    pub world: usize,
    /// What one [`Checker`] keeps.
    pub checker: usize,
    /// What one [`Batch`] keeps, its checker included.
    pub batch: usize,
}

/// What a tree of the standard library holds at most: its nodes have room for eleven entries, hold at least
/// five but for the root, and twelve links to others.
fn tree_held<E>(entries: usize) -> usize {
    if entries == 0 { 0 } else { (entries / 5 + 1) * (11 * size_of::<E>() + 16 * size_of::<usize>()) }
}

impl World {
    /// The memory that this world and those who ask it keep, at most; none of them takes more, whatever is
    /// asked, but for shapes of other worlds. What a checker or a batch keeps is found by making one.
    pub fn memory(&self) -> Memory {
        let batch = Batch::new(self);
        Memory {
            world: size_of::<World>() + self.held(),
            checker: size_of::<Checker>() + Checker::new(self).space.held(),
            batch: size_of::<Batch>() + batch.held(),
        }
    }

    fn held(&self) -> usize {
        let World { solids: s, kinematics: k, checks: c, bounds: b, proofs: p, starts, .. } = self;
        solids(s) + kinematics(k) + checks(c) + bounds(b) + proofs(p) + held(&starts.first)
    }
}

fn solids(s: &Solids) -> usize {
    let core = |core: &Core| match core {
        Core::Hull(hull) => size_of_val(&**hull) + hull.held(),
        Core::Mesh { hull, mesh } => size_of_val(&**hull) + hull.held() + size_of_val(&**mesh) + mesh.held(),
        _ => 0,
    };
    let bodies = s.bodies.iter().map(|b| b.name.len() + b.ball.as_ref().map_or(0, |_| size_of::<Ball>()));
    let shapes = s.shapes.iter().map(|s| {
        let placement = s.placement.as_ref().map_or(0, |_| size_of::<Placement>());
        core(&s.shape.core) + placement + s.name.as_ref().map_or(0, |name| name.len())
    });
    held(&s.bodies) + bodies.sum::<usize>() + held(&s.shapes) + shapes.sum::<usize>()
}

fn kinematics(k: &Kinematics) -> usize {
    let names = k.robots.iter().map(|r| &r.name).chain(k.joints.iter().map(|j| &j.name));
    let names = names.chain(&k.value_names).map(String::capacity).sum::<usize>();
    names
        + held(&k.robots)
        + held(&k.joints)
        + held(&k.value_names)
        + held(&k.value_kinds)
        + held(&k.limits)
        + held(&k.steps)
        + held(&k.parents)
        + held(&k.roots)
        + held(&k.step_of)
        + held(&k.start_in_cell)
        + held(&k.errors)
        + held(&k.moving)
}

fn checks(c: &Checks) -> usize {
    let groups = c.groups.iter().map(|g| g.name.capacity() + held(&g.bodies)).sum::<usize>();
    let crowds = c.pairs.crowds.iter().map(|c| held(&c.except)).sum::<usize>();
    held(&c.groups)
        + groups
        + held(&c.pairs.listed)
        + held(&c.pairs.fixed)
        + held(&c.pairs.crowds)
        + crowds
        + held(&c.index_set)
        + rules(&c.rules)
}

fn bounds(b: &BodyBounds) -> usize {
    let fixed = &b.fixed;
    held(&b.capsules)
        + held(&b.radii)
        + held(&b.listed)
        + held(&b.crowds)
        + b.crowd_tree.held()
        + held(&fixed.shapes)
        + held(&fixed.places)
        + held(&fixed.balls)
        + held(&fixed.twins)
        + fixed.tree.bytes()
}

fn proofs(p: &Proofs) -> usize {
    held(&p.floors)
        + held(&p.order)
        + held(&p.capsules)
        + held(&p.heights)
        + p.heights.iter().flatten().map(Heights::held).sum::<usize>()
        + held(&p.insides)
        + p.insides.iter().flatten().map(Inside::held).sum::<usize>()
}

/// Sets that several rules share are counted once for each.
fn rules(rules: &PairRules) -> usize {
    let set = |s: &Selection| match s {
        Selection::Set(set) => 5 * size_of::<usize>() + tree_held::<u32>(set.len()),
        Selection::All | Selection::One(_) | Selection::Range(..) => 0,
    };
    let named = rules.allowed_by_name.values().chain(rules.disabled.values()).map(String::capacity);
    let allowed = rules.allowed.iter().map(|(a, b, reason)| set(a) + set(b) + reason.capacity());
    let asked = rules.asked.iter().map(|(a, b)| set(a) + set(b));
    held(&rules.bodies)
        + held(&rules.allowed)
        + held(&rules.asked)
        + tree_held::<([u32; 2], String)>(rules.allowed_by_name.len())
        + tree_held::<([u32; 2], String)>(rules.disabled.len())
        + tree_held::<[u32; 2]>(rules.asked_by_name.len())
        + tree_held::<[u32; 2]>(rules.held.len())
        + named.sum::<usize>()
        + allowed.sum::<usize>()
        + asked.sum::<usize>()
}
