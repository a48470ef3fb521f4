//! How much memory a world, a checker and a batch take.
//!
//! No question allocates, so their sizes never change once they are made. What is counted is what the
//! allocator is asked for. Its own overhead, some 8 to 16 bytes an allocation, comes on top.

use crate::bounds::heights::Heights;
use crate::bounds::inside::Inside;
use crate::model::body_bounds::BodyBounds;
use crate::model::checks::Checks;
use crate::model::kinematics::Kinematics;
use crate::model::pairs::{PairRules, Selection};
use crate::model::proofs::Proofs;
use crate::model::solids::Placed;
use crate::model::solids::Solids;
use crate::model::world::World;
use crate::query::batch::Batch;
use crate::query::checker::Checker;
use alloc::string::String;
use elbowroom_pair::numeric::heap_bytes::{heap_bytes, shared_bytes};
use elbowroom_pair::shape::solid::Core;

/// How much memory a world keeps, and each checker and batch that asks it (bytes, at most):
/// [`World::memory`].
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
/// # use example::rod_and_post;
/// use elbowroom::World;
///
/// let memory = World::compile(&rod_and_post([0.0, 1.0, 0.0]))?.memory();
/// // One world for all threads, and a checker or a batch on each of eight.
/// let all = memory.world + 8 * memory.checker.max(memory.batch);
/// println!("{} kB at most", all / 1000);
/// # Ok::<(), elbowroom::Faults>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The bytes of the world.
    pub world: usize,
    /// The bytes of one [`Checker`].
    pub checker: usize,
    /// The bytes of one [`Batch`], its checker included.
    pub batch: usize,
}

/// Bytes of a tree of the standard library, at most. A node has space for eleven entries and twelve links;
/// all nodes but the root have at least five entries.
fn tree_bytes<E>(entries: usize) -> usize {
    if entries == 0 { 0 } else { (entries / 5 + 1) * (11 * size_of::<E>() + 16 * size_of::<usize>()) }
}

impl World {
    /// The memory that this world, a checker and a batch take, at most. They never take more, whatever is
    /// asked. This makes a checker and a batch to measure them.
    pub fn memory(&self) -> Memory {
        let batch = Batch::new(self);
        Memory {
            world: size_of::<World>() + self.heap_bytes(),
            checker: size_of::<Checker>() + Checker::new(self).space.heap_bytes(),
            batch: size_of::<Batch>() + batch.heap_bytes(),
        }
    }

    fn heap_bytes(&self) -> usize {
        let World { solids: s, kinematics: k, checks: c, bounds: b, proofs: p, starts, movables, .. } = self;
        let parts =
            solids_bytes(s) + kinematics_bytes(k) + checks_bytes(c) + bounds_bytes(b) + proofs_bytes(p);
        parts + heap_bytes(&starts.first) + movables.heap_bytes()
    }
}

fn solids_bytes(s: &Solids) -> usize {
    // Hulls that share a store are neighbours.
    let hulls = || s.shapes.iter().filter_map(|s| s.shape.core().hull());
    let before = core::iter::once(None).chain(hulls().map(Some));
    let stores = hulls().zip(before).map(|(hull, before)| match before {
        Some(before) if hull.shares_store(before) => 0,
        _ => hull.store_bytes(),
    });
    let core = |core: &Core| match core {
        Core::Mesh { hull, mesh } => {
            shared_bytes(size_of_val(&**hull)) + shared_bytes(size_of_val(&**mesh)) + mesh.heap_bytes()
        }
        _ => 0,
    };
    let bodies = s.bodies.iter().map(|b| b.name.heap_bytes());
    let shapes = s.shapes.iter().map(|s| {
        let placed = s.placed.as_ref().map_or(0, |_| size_of::<Placed>());
        core(s.shape.core()) + placed + s.name().map_or(0, str::len)
    });
    s.bodies.heap_bytes()
        + bodies.sum::<usize>()
        + s.shapes.heap_bytes()
        + shapes.sum::<usize>()
        + stores.sum::<usize>()
        + s.balls.heap_bytes()
        + s.by_name.heap_bytes()
        + heap_bytes(&s.removed)
        + heap_bytes(&s.own_radii)
}

fn kinematics_bytes(k: &Kinematics) -> usize {
    let names = k.robots.iter().map(|r| &r.name).chain(k.joints.iter().map(|j| &j.name));
    let names = names.chain(&k.dof_names).map(String::capacity).sum::<usize>();
    names
        + heap_bytes(&k.robots)
        + heap_bytes(&k.joints)
        + heap_bytes(&k.dof_names)
        + heap_bytes(&k.value_kinds)
        + heap_bytes(&k.limits)
        + heap_bytes(&k.steps)
        + heap_bytes(&k.parents)
        + heap_bytes(&k.roots)
        + k.places.heap_bytes()
        + heap_bytes(&k.moving)
}

fn checks_bytes(c: &Checks) -> usize {
    let groups = c.groups.iter().map(|g| g.name.capacity() + heap_bytes(&g.bodies)).sum::<usize>();
    let crowds = c.pairs.crowds.iter().map(|c| heap_bytes(&c.except)).sum::<usize>();
    heap_bytes(&c.groups)
        + groups
        + heap_bytes(&c.pairs.listed)
        + c.pairs.fixed.heap_bytes()
        + heap_bytes(&c.pairs.crowds)
        + crowds
        + c.pairs.movable.heap_bytes()
        + heap_bytes(&c.index_set)
        + heap_bytes(&c.asked)
        + c.asked.iter().map(|(name, s)| name.capacity() + selection_bytes(s)).sum::<usize>()
        + heap_bytes(&c.selections)
        + c.selections.iter().map(|(name, s)| name.capacity() + selection_bytes(s)).sum::<usize>()
        + rules_bytes(&c.rules)
}

fn bounds_bytes(b: &BodyBounds) -> usize {
    let fixed = &b.fixed;
    heap_bytes(&b.capsules)
        + heap_bytes(&b.radii)
        + heap_bytes(&b.listed)
        + heap_bytes(&b.crowds)
        + b.crowd_tree.heap_bytes()
        + fixed.heap_bytes()
}

fn proofs_bytes(p: &Proofs) -> usize {
    shared_bytes(size_of::<Proofs>())
        + heap_bytes(&p.floors)
        + heap_bytes(&p.order)
        + heap_bytes(&p.capsules)
        + heap_bytes(&p.heights)
        + p.heights.iter().flatten().map(Heights::heap_bytes).sum::<usize>()
        + heap_bytes(&p.insides)
        + p.insides.iter().flatten().map(Inside::heap_bytes).sum::<usize>()
        + heap_bytes(&p.hull_insides)
        + p.hull_insides.iter().flatten().map(Inside::heap_bytes).sum::<usize>()
}

/// A set counts once for each that shares it.
fn selection_bytes(s: &Selection) -> usize {
    match s {
        Selection::Set(set, _) => 5 * size_of::<usize>() + tree_bytes::<u32>(set.len()),
        Selection::All | Selection::One(_) | Selection::Range(..) => 0,
    }
}

fn rules_bytes(rules: &PairRules) -> usize {
    let named = rules.allowed_by_name.values().chain(rules.disabled.values()).map(String::capacity);
    let allowed = rules
        .allowed
        .iter()
        .map(|(a, b, reason)| selection_bytes(a) + selection_bytes(b) + reason.capacity());
    let asked = rules.asked.iter().map(|(a, b)| selection_bytes(a) + selection_bytes(b));
    rules.bodies.heap_bytes()
        + heap_bytes(&rules.hangs_on)
        + heap_bytes(&rules.links_end)
        + heap_bytes(&rules.allowed)
        + heap_bytes(&rules.asked)
        + tree_bytes::<([u32; 2], String)>(rules.allowed_by_name.len())
        + tree_bytes::<([u32; 2], String)>(rules.disabled.len())
        + tree_bytes::<[u32; 2]>(rules.asked_by_name.len())
        + tree_bytes::<[u32; 2]>(rules.held.len())
        + named.sum::<usize>()
        + allowed.sum::<usize>()
        + asked.sum::<usize>()
}
