//! Every invariant of the octree, computed again from the bodies alone.

use super::nodes::{NONE, OctreeNode, ROOT};
use super::octree::Octree;
use super::reshape::is_splittable;
use super::rule::{Present, Rule};
use super::store::Store;
use crate::limits::OCTREE_LEVELS;

/// The contents that a node must have.
#[derive(Clone, Copy)]
struct Due {
    count: u32,
    small: u32,
    present: Present,
}

impl Octree {
    /// Checks every invariant.
    ///
    /// - Each body is in exactly the leaves that its box meets, once, and its home is the first of them.
    /// - A node has children exactly where the rule splits it.
    /// - The counts, classes, parents, levels and corners of all nodes are right.
    /// - Nodes and blocks are either in use or free, and there are no more than the bound allows.
    ///
    /// # Errors
    /// The first that is not, in words.
    pub fn check_invariants(&self) -> Result<(), String> {
        let store = self.store();
        let due = expected_nodes(store);
        let (mut stack, mut seen, mut blocks, mut entries) = (vec![ROOT], 0, 0, 0);
        let mut listed: Vec<u32> = Vec::new();
        while let Some(at) = stack.pop() {
            let node = store.nodes.get(at);
            let expected = due[at as usize];
            (seen, blocks) = (seen + 1, blocks + store.lists.blocks_of(node.list));
            if !store.nodes.in_use(at) || (node.count, node.small) != (expected.count, expected.small) {
                return Err(format!(
                    "node {at}: {node:?}, but {} small of {}",
                    expected.small, expected.count
                ));
            }
            if is_to_be_split(store, node.level, &expected) == node.is_leaf() {
                return Err(format!("node {at} is split, or not, against the rule: {node:?}"));
            }
            if !node.is_leaf() {
                let children = node.children..node.children + 8;
                for (child, eighth) in children.zip(0_u32..) {
                    let below = store.nodes.get(child);
                    let half = super::span::node_width(node.level + 1);
                    let low: [u32; 3] = std::array::from_fn(|k| node.low[k] + (eighth >> k & 1) * half);
                    if below.parent != at || below.level != node.level + 1 || below.low != low {
                        return Err(format!("node {child} is not the eighth {eighth} of {at}: {below:?}"));
                    }
                    stack.push(child);
                }
                if node.list != NONE {
                    return Err(format!("node {at} has children and a list"));
                }
                continue;
            }
            if matches!(store.rule, Rule::Compatibility(_)) && node.present != expected.present {
                return Err(format!("node {at} has other classes: {node:?}, {:?}", expected.present));
            }
            self.list_is_right(at, node, &mut listed)?;
            entries += listed.len() as u64;
        }
        if seen != store.nodes.len() {
            return Err(format!("{seen} nodes hang together, {} are in use", store.nodes.len()));
        }
        let (all, free) = store.lists.block_counts();
        if blocks + free != all {
            return Err(format!("{blocks} blocks in lists, {free} free, {all} in all"));
        }
        self.bodies_are_at_home()?;
        let bodies = self.len() as u64;
        let split = seen as u64 / 8;
        if split > most_split(bodies) || entries > most_entries(bodies) {
            return Err(format!("{split} nodes are split, {entries} entries, for {bodies} bodies"));
        }
        Ok(())
    }

    /// Whether a leaf lists as many bodies as it counts, each once, and each of them exists and meets the
    /// leaf.
    fn list_is_right(&self, at: u32, node: &OctreeNode, listed: &mut Vec<u32>) -> Result<(), String> {
        let store = self.store();
        let span = node.voxel_span();
        listed.clear();
        listed.extend(store.lists.bodies_of_list(node.list));
        if listed.len() != node.count as usize {
            return Err(format!("leaf {at} lists {} of {} bodies", listed.len(), node.count));
        }
        listed.sort_unstable();
        let twice = listed.windows(2).find(|two| two[0] == two[1]).map(|two| two[0]);
        let absent =
            |body: &&u32| !store.present_body(**body).is_some_and(|body| body.span.meets_span(&span));
        match twice.or(listed.iter().find(absent).copied()) {
            Some(body) => Err(format!("leaf {at} lists {body} twice, or without meeting it")),
            None => Ok(()),
        }
    }

    fn bodies_are_at_home(&self) -> Result<(), String> {
        let store = self.store();
        for (number, body) in store.bodies.iter().enumerate().filter(|(_, body)| body.in_use) {
            if body.span != store.grid.box_span(&body.extent) {
                return Err(format!("body {number} has another span: {body:?}"));
            }
            let home = if body.span.is_empty() { NONE } else { store.nodes.leaf_at(ROOT, body.span.low) };
            if body.home != home {
                return Err(format!("body {number} is at home in {home}: {body:?}"));
            }
        }
        let in_use = store.bodies.iter().filter(|body| body.in_use).count();
        if in_use == self.len() { Ok(()) } else { Err(format!("{in_use} bodies, not {}", self.len())) }
    }
}

/// The most nodes that are split for so many bodies: on each level a body is small in eight nodes at most,
/// and a node that is split has a small one.
pub fn most_split(bodies: u64) -> u64 {
    8 * u64::from(OCTREE_LEVELS) * bodies
}

/// The most entries of all lists: those of the root, and eight times the bodies of the nodes that are split.
/// Of these half are small, and on each level a body is small in eight nodes at most.
pub fn most_entries(bodies: u64) -> u64 {
    bodies + 8 * 2 * most_split(bodies)
}

/// What each node must have, by taking each body from the root into all nodes that it meets.
fn expected_nodes(store: &Store) -> Vec<Due> {
    let none = Due { count: 0, small: 0, present: Present::NONE };
    let mut due = vec![none; store.nodes.slot_count() as usize];
    let mut stack = Vec::new();
    for body in store.bodies.iter().filter(|body| body.in_use) {
        stack.push(ROOT);
        while let Some(at) = stack.pop() {
            let node = store.nodes.get(at);
            if !body.span.meets_span(&node.voxel_span()) {
                continue;
            }
            let due = &mut due[at as usize];
            due.count += 1;
            due.small += u32::from(node.level as i32 <= body.span.small_to());
            due.present.add(body.class);
            if !node.is_leaf() {
                stack.extend(node.children..node.children + 8);
            }
        }
    }
    due
}

fn is_to_be_split(store: &Store, level: u32, due: &Due) -> bool {
    is_splittable(level, due.count, due.small)
        && match &store.rule {
            Rule::Objects(most) => due.count > *most,
            Rule::Compatibility(table) => table.any_incompatible(due.present),
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tran91::{BodyExtent, Compatibility};
    use elbowroom::bounds::AlignedBox;
    use elbowroom::math::Random;
    use elbowroom::math::vec3;

    fn trees() -> [Octree; 2] {
        let room = AlignedBox { low: vec3(0.0, 0.0, 0.0), high: vec3(1.0, 1.0, 1.0) };
        let mut table = Compatibility::none_compatible(2).unwrap();
        table.make_compatible(0, 0);
        [Rule::Objects(3), Rule::Compatibility(table)].map(|rule| {
            let mut octree = Octree::new(&room, rule).unwrap();
            let mut random = Random(5);
            for number in 0..60 {
                let low = vec3(random.unit(), random.unit(), random.unit());
                let extent = AlignedBox { low, high: low + vec3(0.03, 0.05, 0.02) };
                octree.insert(&BodyExtent::Box(extent), u8::from(number % 3 == 0)).unwrap();
            }
            octree.remove(7);
            octree.check_invariants().unwrap();
            octree
        })
    }

    /// A way to spoil a tree, given a leaf with two bodies and a node with children.
    type Spoil = fn(&mut Store, u32, u32);

    #[test]
    fn what_is_spoilt_is_told() {
        let spoils: [(&str, Spoil); 13] = [
            ("small of", |s, leaf, _| s.nodes.get_mut(leaf).count += 1),
            ("small of", |s, leaf, _| s.nodes.get_mut(leaf).small -= 1),
            ("small of", |s, _, inner| s.nodes.get_mut(inner).count -= 1),
            ("not the eighth", |s, leaf, _| s.nodes.get_mut(leaf).parent += 1),
            ("not the eighth", |s, leaf, _| s.nodes.get_mut(leaf).low[1] += 1),
            ("not the eighth", |s, leaf, _| s.nodes.get_mut(leaf).level += 1),
            ("bodies", |s, leaf, _| {
                let list = s.nodes.get(leaf).list;
                let body = s.lists.bodies_of_list(list).next().unwrap();
                s.nodes.get_mut(leaf).list = s.lists.remove(list, body);
            }),
            ("twice, or without", |s, leaf, _| {
                let list = s.nodes.get(leaf).list;
                let two: Vec<u32> = s.lists.bodies_of_list(list).take(2).collect();
                let without = s.lists.remove(list, two[0]);
                s.nodes.get_mut(leaf).list = s.lists.add(without, two[1]);
            }),
            ("twice, or without", |s, leaf, _| {
                let list = s.nodes.get(leaf).list;
                let body = s.lists.bodies_of_list(list).next().unwrap();
                let without = s.lists.remove(list, body);
                s.nodes.get_mut(leaf).list = s.lists.add(without, 7);
            }),
            ("blocks in lists", |s, _, _| {
                s.lists.add(NONE, 3);
            }),
            ("at home", |s, leaf, _| {
                let other = s.bodies.iter_mut().find(|body| body.in_use && body.home != leaf).unwrap();
                other.home = leaf;
            }),
            ("another span", |s, _, _| s.bodies[0].extent.low.x = -1.0),
            ("a list", |s, _, inner| s.nodes.get_mut(inner).list = 0),
        ];
        for tree in trees() {
            let store = tree.store();
            let leaf = (0..store.nodes.slot_count())
                .find(|at| {
                    store.nodes.in_use(*at)
                        && store.nodes.get(*at).is_leaf()
                        && store.nodes.get(*at).count > 1
                })
                .unwrap();
            let inner = store.nodes.get(leaf).parent;
            for (words, spoil) in spoils {
                let mut spoilt = tree.clone();
                spoil(spoilt.store_mut(), leaf, inner);
                let fault = spoilt.check_invariants().unwrap_err();
                assert!(fault.contains(words), "{words}: {fault}");
            }
        }
    }

    #[test]
    fn what_is_split_or_merged_against_the_rule_is_told() {
        for tree in trees() {
            // Another rule makes most nodes wrong.
            for rule in [
                Rule::Objects(1),
                Rule::Objects(1000),
                Rule::Compatibility(Compatibility::none_compatible(2).unwrap()),
            ] {
                let mut spoilt = tree.clone();
                spoilt.store_mut().rule = rule;
                assert!(spoilt.check_invariants().unwrap_err().contains("against the rule"));
            }
            let mut spoilt = tree.clone();
            let store = spoilt.store_mut();
            let empty = (0..store.nodes.slot_count()).find(|at| {
                store.nodes.in_use(*at) && store.nodes.get(*at).is_leaf() && store.nodes.get(*at).count == 0
            });
            if let Some(empty) = empty {
                store.nodes.split(empty);
                assert!(spoilt.check_invariants().unwrap_err().contains("against the rule"));
            }
        }
    }
}
