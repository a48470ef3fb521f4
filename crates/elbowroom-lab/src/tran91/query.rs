//! Questions to the octree. Boxes of bodies are compared, not their shapes.
//!
//! Two boxes that share a point share the leaf with this point. So what meets a body is in its leaves, and a
//! leaf whose node is farther away than the nearest body so far has none that is nearer. A body that is in
//! many leaves is given once: in the leaf with the first voxel that it shares with the box or body of the
//! question.

use super::nodes::{NONE, OctreeNode, ROOT};
use super::octree::{BodyExtent, Octree};
use super::span::VoxelSpan;
use super::store::{Body, Store};
use crate::primitives::box_gap;
use elbowroom::bounds::AlignedBox;
use elbowroom::math::vec3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The nearest body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestBody {
    /// Its number.
    pub body: u32,
    /// A lower bound on the signed distance of its box, and of every other's that was wanted (metres).
    pub lower: f64,
}

/// A node that waits to be searched.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    lower: f64,
    node: u32,
}

impl Ord for Waiting {
    // The heap gives the greatest first. So the nearest counts as the greatest, and of equals the least
    // number.
    fn cmp(&self, other: &Waiting) -> Ordering {
        other.lower.total_cmp(&self.lower).then(other.node.cmp(&self.node))
    }
}
impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl PartialEq for Waiting {
    fn eq(&self, other: &Waiting) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Waiting {}

/// Room that queries use again, owned by the caller.
#[derive(Clone, Debug, Default)]
pub struct Work {
    stack: Vec<u32>,
    waiting: BinaryHeap<Waiting>,
}

/// Whether two boxes share a point.
#[inline]
fn boxes_meet(a: &AlignedBox, b: &AlignedBox) -> bool {
    a.low.x <= b.high.x
        && b.low.x <= a.high.x
        && a.low.y <= b.high.y
        && b.low.y <= a.high.y
        && a.low.z <= b.high.z
        && b.low.z <= a.high.z
}

impl Octree {
    /// Every two bodies in a common leaf that are not compatible: the paper's candidates. Two that share many
    /// leaves are given once for each leaf.
    pub fn each_in_common_leaf(&self, work: &mut Work, mut each: impl FnMut(u32, u32)) {
        self.visit_common_leaves(work, |_, a, b| each(a, b));
    }

    /// Gives every two bodies that are not compatible and whose boxes meet, once. Their order depends on how
    /// they came to lie there. Returns how many were compared.
    pub fn each_pair(&self, work: &mut Work, mut each: impl FnMut(u32, u32)) -> u64 {
        let bodies = &self.store().bodies;
        let mut compared = 0;
        self.visit_common_leaves(work, |leaf, a, b| {
            compared += 1;
            let [p, q] = [a, b].map(|body| &bodies[body as usize]);
            if boxes_meet(&p.extent, &q.extent) && leaf.has_voxel(p.span.first_in(&q.span)) {
                each(a, b);
            }
        });
        compared
    }

    fn visit_common_leaves(&self, work: &mut Work, mut each: impl FnMut(&VoxelSpan, u32, u32)) {
        let Store { nodes, lists, bodies, rule, .. } = self.store();
        for at in 0..nodes.slot_count() {
            let node = nodes.get(at);
            if !nodes.in_use(at) || !node.is_leaf() || node.count < 2 {
                continue;
            }
            let leaf = node.voxel_span();
            work.stack.clear();
            work.stack.extend(lists.bodies_of_list(node.list));
            for (k, &a) in work.stack.iter().enumerate() {
                let class = bodies[a as usize].class;
                for &b in &work.stack[..k] {
                    if rule.may_collide(class, bodies[b as usize].class) {
                        each(&leaf, a, b);
                    }
                }
            }
        }
    }

    /// Every body whose box meets a box, once.
    pub fn visit_near_bodies(&self, around: &AlignedBox, work: &mut Work, mut each: impl FnMut(u32)) {
        let around = BodyExtent::Box(*around).bounding_box();
        let span = self.store().grid.box_span(&around);
        if !span.is_empty() {
            self.visit_below(ROOT, &around, &span, work, |body, _| each(body));
        }
    }

    /// Every other body that is not compatible with this one and whose box is no farther from its box than
    /// `reach` along each axis (metres), once. Its neighbours are found from its own leaf upwards, to the
    /// nearest ancestor around all that is in reach.
    pub fn visit_neighbours(&self, of: u32, reach: f64, work: &mut Work, mut each: impl FnMut(u32)) {
        let store = self.store();
        let Some(&Body { extent, home, class, .. }) = store.present_body(of).filter(|b| b.home != NONE)
        else {
            return;
        };
        let r = vec3(reach, reach, reach);
        let around =
            BodyExtent::Box(AlignedBox { low: extent.low - r, high: extent.high + r }).bounding_box();
        let span = store.grid.box_span(&around);
        if span.is_empty() {
            return;
        }
        // The node must be around the home as well, because the climb begins there.
        let (from, _) =
            store.nodes.find_ancestor(home, span.common_level(&store.nodes.get(home).voxel_span()));
        self.visit_below(from, &around, &span, work, |body, other| {
            if body != of && store.rule.may_collide(class, other) {
                each(body);
            }
        });
    }

    fn visit_below(
        &self,
        from: u32,
        around: &AlignedBox,
        span: &VoxelSpan,
        work: &mut Work,
        mut each: impl FnMut(u32, u8),
    ) {
        let Store { nodes, lists, bodies, .. } = self.store();
        work.stack.clear();
        work.stack.push(from);
        while let Some(at) = work.stack.pop() {
            let node = nodes.get(at);
            if node.count == 0 {
                continue;
            }
            if node.is_leaf() {
                let leaf = node.voxel_span();
                for number in lists.bodies_of_list(node.list) {
                    let body = &bodies[number as usize];
                    if boxes_meet(&body.extent, around) && leaf.has_voxel(body.span.first_in(span)) {
                        each(number, body.class);
                    }
                }
                continue;
            }
            let eighths = span.met_octants(node.middle_voxel());
            let met = (0..8).filter(|eighth| eighths >> eighth & 1 == 1);
            work.stack.extend(met.map(|eighth| node.children + eighth));
        }
    }

    /// The body whose box has the least signed distance from a box, of those that are wanted and nearer than
    /// `cutoff` (metres). Nodes are searched in the order of their distances; it ends when the next is no
    /// nearer than the nearest body.
    ///
    /// `None` where there is no such body, and of an empty box.
    ///
    /// The distance of a node bounds how near a body in it is, not how deep it may overlap: a body reaches
    /// out of its nodes. So all nodes that the box meets are searched.
    pub fn find_nearest(
        &self,
        to: &AlignedBox,
        cutoff: f64,
        work: &mut Work,
        mut wanted: impl FnMut(u32) -> bool,
    ) -> Option<NearestBody> {
        let Store { grid, nodes, lists, bodies, .. } = self.store();
        let to = &BodyExtent::Box(*to).bounding_box();
        if grid.box_span(to).is_empty() {
            return None;
        }
        let mut best: Option<NearestBody> = None;
        // NaN means no cutoff.
        let mut limit = if cutoff.is_nan() { f64::INFINITY } else { cutoff };
        work.waiting.clear();
        work.waiting.push(Waiting { lower: f64::NEG_INFINITY, node: ROOT });
        while let Some(Waiting { lower, node }) = work.waiting.pop() {
            if lower >= limit {
                break;
            }
            let OctreeNode { children, list, .. } = *nodes.get(node);
            if children == NONE {
                for body in lists.bodies_of_list(list) {
                    let gap = box_gap(to, &bodies[body as usize].extent);
                    if gap < limit && wanted(body) {
                        (limit, best) = (gap, Some(NearestBody { body, lower: gap }));
                    }
                }
                continue;
            }
            for child in children..children + 8 {
                let below = nodes.get(child);
                if below.count == 0 {
                    continue;
                }
                let gap = box_gap(to, &grid.node_box(&below.voxel_span()));
                let lower = if gap > 0.0 { gap } else { f64::NEG_INFINITY };
                if lower < limit {
                    work.waiting.push(Waiting { lower, node: child });
                }
            }
        }
        best
    }
}
