//! How much memory a world keeps, and how much each who asks it.
//!
//! Nothing that is asked of a world or a pose allocates, so what they hold once they are made is all they
//! ever will. Counted is what is requested from the allocator; its own overhead, some 8 to 16 bytes an
//! allocation, comes on top.

use crate::bounds::heights::Heights;
use crate::bounds::inside::Inside;
use crate::model::pairs::{PairRules, Selection};
use crate::model::world::{Placement, World};
use crate::numeric::held::held;
use crate::query::batch::Batch;
use crate::query::checker::Checker;
use crate::shape::solid::Core;
use alloc::string::String;
use alloc::vec::Vec;

/// How much a world keeps, and each who asks it (bytes, at most): [`World::memory`].
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
        let names = self.bodies.iter().map(|b| b.name.len());
        let strings = |v: &Vec<String>| held(v) + v.iter().map(String::capacity).sum::<usize>();
        let shape = |core: &Core| match core {
            Core::Hull(hull) => size_of_val(&**hull) + hull.held(),
            Core::Mesh { hull, mesh } => {
                size_of_val(&**hull) + hull.held() + size_of_val(&**mesh) + mesh.held()
            }
            _ => 0,
        };
        let shapes = self.shapes.iter().map(|s| {
            let placement = s.placement.as_ref().map_or(0, |_| size_of::<Placement>());
            shape(&s.shape.core) + placement + s.name.as_ref().map_or(0, |name| name.len())
        });
        let robots = held(&self.robots) + self.robots.iter().map(|r| r.name.capacity()).sum::<usize>();
        let joints = held(&self.joints) + self.joints.iter().map(|j| j.name.capacity()).sum::<usize>();
        let groups = self.groups.iter().map(|g| g.name.capacity() + held(&g.bodies)).sum::<usize>();
        let pairs = held(&self.pairs.listed) + held(&self.pairs.fixed) + held(&self.pairs.crowds);
        let crowds = self.pairs.crowds.iter().map(|c| held(&c.except)).sum::<usize>();
        let heights = self.heights.iter().flatten().map(Heights::held).sum::<usize>() + held(&self.heights);
        let insides = self.insides.iter().flatten().map(Inside::held).sum::<usize>() + held(&self.insides);
        let fixed = &self.fixed;
        names.sum::<usize>()
            + shapes.sum::<usize>()
            + robots
            + joints
            + strings(&self.value_names)
            + held(&self.groups)
            + groups
            + pairs
            + crowds
            + heights
            + insides
            + [
                held(&fixed.shapes),
                held(&fixed.places),
                held(&fixed.balls),
                held(&fixed.twins),
                fixed.tree.bytes(),
            ]
            .iter()
            .sum::<usize>()
            + [held(&self.bodies), held(&self.shapes), held(&self.balls)].iter().sum::<usize>()
            + [held(&self.value_kinds), held(&self.limits), held(&self.steps)].iter().sum::<usize>()
            + [held(&self.step_parents), held(&self.roots), held(&self.start_in_cell)].iter().sum::<usize>()
            + [held(&self.errors), held(&self.moving), held(&self.index_set)].iter().sum::<usize>()
            + [held(&self.capsules), held(&self.radii), held(&self.order)].iter().sum::<usize>()
            + [held(&self.floors), held(&self.listed_capsules)].iter().sum::<usize>()
            + [held(&self.crowd_capsules), self.crowd_tree.held(), held(&self.memory)].iter().sum::<usize>()
            + rules(&self.rules)
    }
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
