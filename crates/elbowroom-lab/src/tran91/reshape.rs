//! Splitting and merging nodes after bodies have entered or left them.
//!
//! Whether a node is split depends on its bodies alone. So the tree after any moves is the one that would be
//! built for the bodies at their places, and it can be checked node by node. Merging goes from the
//! leaves upwards, because the compatibility rule takes a split child as proof that two of its bodies clash.
//! Splitting goes downwards.

use super::nodes::{NONE, OctreeNode};
use super::rule::{Compatibility, Present, Rule, set_bits};
use super::store::Store;
use crate::limits::OCTREE_LEVELS;

/// Whether a node may be split at all: it is not a voxel, and at least half of its bodies are small in it.
pub fn is_splittable(level: u32, count: u32, small: u32) -> bool {
    level < OCTREE_LEVELS && 2 * u64::from(small) >= u64::from(count)
}

impl Store {
    /// Splits and merges what the last [`Store::move_body`] has touched.
    pub fn reshape_touched(&mut self) {
        for k in (0..self.touched.len()).rev() {
            let at = self.touched[k];
            if self.nodes.in_use(at) && !self.nodes.get(at).is_leaf() && !self.is_to_be_split(at) {
                self.merge(at);
            }
        }
        for k in 0..self.touched.len() {
            let at = self.touched[k];
            if self.nodes.in_use(at) && self.nodes.get(at).is_leaf() && self.is_to_be_split(at) {
                self.split(at);
            }
        }
    }

    /// Whether the rule splits a node. Its children, if it has any, must already be as the rule says.
    fn is_to_be_split(&self, at: u32) -> bool {
        let node = self.nodes.get(at);
        is_splittable(node.level, node.count, node.small)
            && match &self.rule {
                Rule::Objects(most) => node.count > *most,
                Rule::Compatibility(table) if node.is_leaf() => table.any_incompatible(node.present),
                Rule::Compatibility(table) => self.children_clash(node, table),
            }
    }

    /// Whether two bodies of a node with children are not compatible.
    fn children_clash(&self, node: &OctreeNode, table: &Compatibility) -> bool {
        // The classes of the bodies in all children, and the classes found in two children. A class may be
        // found in two because one body is in both.
        let (mut once, mut shared) = (0, 0);
        for child in node.children..node.children + 8 {
            let child = self.nodes.get(child);
            // A child is split only if two of its bodies clash.
            if !child.is_leaf() || table.any_incompatible(child.present) {
                return true;
            }
            shared |= once & child.present.once;
            once |= child.present.once;
        }
        // A body has one class. So two classes that clash belong to two bodies, and these clash.
        table.any_incompatible(Present { once, twice: 0 })
            || set_bits(shared & table.against_themselves()).any(|class| {
                let lists = (node.children..node.children + 8).map(|child| self.nodes.get(child).list);
                let mut same = lists
                    .flat_map(|list| self.lists.bodies_of_list(list))
                    .filter(|body| usize::from(self.bodies[*body as usize].class) == class);
                let first = same.next();
                same.any(|body| Some(body) != first)
            })
    }

    /// Splits a leaf, and its children as far as the rule says.
    fn split(&mut self, leaf: u32) {
        self.stack.clear();
        self.stack.push(leaf);
        while let Some(at) = self.stack.pop() {
            self.counts.splits += 1;
            let list = self.nodes.get(at).list;
            self.gathered.clear();
            self.gathered.extend(self.lists.bodies_of_list(list));
            self.lists.clear(list);
            let node = self.nodes.get_mut(at);
            (node.list, node.present) = (NONE, Present::NONE);
            let (level, middle) = (node.level as i32, node.middle_voxel());
            let first = self.nodes.split(at);
            for &number in &self.gathered {
                let body = &mut self.bodies[number as usize];
                let (eighths, small) = (body.span.met_octants(middle), level < body.span.small_to());
                for child in (0..8).filter(|child| eighths >> child & 1 == 1).map(|child| first + child) {
                    let node = self.nodes.get_mut(child);
                    node.count += 1;
                    node.small += u32::from(small);
                    node.present.add(body.class);
                    node.list = self.lists.add(node.list, number);
                }
                if body.home == at {
                    body.home = self.nodes.leaf_at(at, body.span.low);
                }
            }
            for child in (first..first + 8).rev() {
                if self.is_to_be_split(child) {
                    self.stack.push(child);
                }
            }
        }
    }

    /// Makes a leaf of a node by removing everything below it.
    fn merge(&mut self, at: u32) {
        self.counts.merges += 1;
        let whole = self.nodes.get(at).voxel_span();
        self.gathered.clear();
        self.stack.clear();
        self.stack.push(at);
        while let Some(below) = self.stack.pop() {
            // A removed node can be read until the next node is split.
            let OctreeNode { children, list, .. } = *self.nodes.get(below);
            if children != NONE {
                self.nodes.join(below);
                self.stack.extend(children..children + 8);
                continue;
            }
            let span = self.nodes.get(below).voxel_span();
            // A body may be in many leaves. Only the leaf with its first voxel gathers it.
            let here = |body: &u32| span.has_voxel(self.bodies[*body as usize].span.first_in(&whole));
            self.gathered.extend(self.lists.bodies_of_list(list).filter(here));
            self.lists.clear(list);
        }
        let node = self.nodes.get_mut(at);
        (node.list, node.present) = (NONE, Present::NONE);
        for &number in &self.gathered {
            let body = &mut self.bodies[number as usize];
            node.present.add(body.class);
            node.list = self.lists.add(node.list, number);
            if whole.has_voxel(body.span.low) {
                body.home = at;
            }
        }
    }
}
