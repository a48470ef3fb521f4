//! What the octree holds: the grid, the rule, the nodes, their lists and the bodies; and which leaves a body
//! goes out of and into when it moves.

use super::counts::OctreeCounts;
use super::lists::Lists;
use super::nodes::{NONE, Nodes, ROOT};
use super::rule::{Present, Rule};
use super::span::{Grid, VoxelSpan};
use elbowroom::bounds::AlignedBox;

/// A body.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// A box around it.
    pub extent: AlignedBox,
    /// The voxels that the box meets.
    pub span: VoxelSpan,
    /// The leaf with the first of these; [`NONE`] where the box is empty.
    pub home: u32,
    /// What it is compatible with.
    pub class: u8,
    /// Whether the number is a body's.
    pub in_use: bool,
}

/// All of it.
#[derive(Clone, Debug)]
pub struct Store {
    pub grid: Grid,
    pub rule: Rule,
    pub nodes: Nodes,
    pub lists: Lists,
    pub bodies: Vec<Body>,
    pub counts: OctreeCounts,
    /// Nodes still to be visited.
    pub stack: Vec<u32>,
    /// Nodes whose bodies have changed, each before those below it.
    pub touched: Vec<u32>,
    /// Bodies of a node that is split or merged.
    pub gathered: Vec<u32>,
}

impl Store {
    /// A store without bodies.
    pub fn new(grid: Grid, rule: Rule) -> Store {
        Store {
            grid,
            rule,
            nodes: Nodes::new(),
            lists: Lists::new(),
            bodies: Vec::new(),
            counts: OctreeCounts::default(),
            stack: Vec::new(),
            touched: Vec::new(),
            gathered: Vec::new(),
        }
    }

    /// A body that is there.
    #[inline]
    pub fn present_body(&self, body: u32) -> Option<&Body> {
        self.bodies.get(body as usize).filter(|b| b.in_use)
    }

    /// The node from which a body's old and new leaves are reached: their nearest common ancestor, found from
    /// the body's home upwards. Where there is no old or no new leaf it is the root. The second is how many
    /// parents it is away from the home.
    #[inline]
    pub fn common_ancestor(&self, home: u32, old: &VoxelSpan, new: &VoxelSpan) -> (u32, usize) {
        if old.is_empty() || new.is_empty() {
            return (ROOT, 0);
        }
        self.nodes.find_ancestor(home, old.common_level(new))
    }

    /// Takes a body out of the leaves that only its old span meets, and puts it into those that only its new
    /// one meets. `from` is a node around both spans, and the root where one is empty. Nodes keep their
    /// shape, right or wrong; those to look at are `touched` then.
    pub fn move_body(&mut self, body: u32, from: u32, old: VoxelSpan, new: VoxelSpan) {
        let Store { nodes, lists, bodies, rule, stack, touched, .. } = self;
        let class = bodies[body as usize].class;
        let (old_small, new_small) = (old.small_to(), new.small_to());
        touched.clear();
        stack.clear();
        stack.push(from);
        while let Some(at) = stack.pop() {
            let node = nodes.get_mut(at);
            let (span, level) = (node.voxel_span(), node.level as i32);
            let (had, has) = (old.meets_span(&span), new.meets_span(&span));
            let (was_small, is_small) = (had && level <= old_small, has && level <= new_small);
            if had != has || was_small != is_small {
                node.count = node.count + u32::from(has) - u32::from(had);
                node.small = node.small + u32::from(is_small) - u32::from(was_small);
                touched.push(at);
            }
            if node.is_leaf() {
                if has && !had {
                    node.list = lists.add(node.list, body);
                    node.present.add(class);
                } else if had && !has {
                    node.list = lists.remove(node.list, body);
                    if !node.present.remove(class) && matches!(rule, Rule::Compatibility(_)) {
                        node.present = Present::NONE;
                        lists
                            .bodies_of_list(node.list)
                            .for_each(|b| node.present.add(bodies[b as usize].class));
                    }
                }
                continue;
            }
            let (middle, children) = (node.middle_voxel(), node.children);
            let before = if had { old.met_octants(middle) } else { 0 };
            let after = if has { new.met_octants(middle) } else { 0 };
            for eighth in 0..8 {
                if (before | after) >> eighth & 1 == 0 {
                    continue;
                }
                // If both spans have the same part of a child, nothing changes in it, nor below it.
                let child = children + eighth;
                let in_both = (before & after) >> eighth & 1 == 1;
                let same = |span: &VoxelSpan| old.clipped_to(span) == new.clipped_to(span);
                if !(in_both && old_small == new_small && same(&nodes.get(child).voxel_span())) {
                    stack.push(child);
                }
            }
        }
        let home = if new.is_empty() { NONE } else { nodes.leaf_at(from, new.low) };
        bodies[body as usize].home = home;
    }

    /// Bytes that it allocated.
    pub fn allocated_bytes(&self) -> usize {
        let numbers = self.stack.capacity() + self.touched.capacity() + self.gathered.capacity();
        let bodies = self.bodies.capacity() * size_of::<Body>();
        self.nodes.allocated_bytes() + self.lists.allocated_bytes() + bodies + numbers * size_of::<u32>()
    }
}
