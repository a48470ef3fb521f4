//! The nodes of the octree, in one array: the root first, then families of eight.

use super::rule::Present;
use super::span::{VoxelSpan, node_width};

/// No node, no block, no body.
pub const NONE: u32 = u32::MAX;
/// The root.
pub const ROOT: u32 = 0;

/// A node.
#[derive(Clone, Copy, Debug)]
pub struct OctreeNode {
    /// [`NONE`] for the root, and for nodes that are not in use.
    pub parent: u32,
    /// The first of eight; [`NONE`] for a leaf.
    pub children: u32,
    /// The first block of a leaf's list.
    pub list: u32,
    /// Bodies that meet it.
    pub count: u32,
    /// The number of these that are small in it.
    pub small: u32,
    /// Halvings of the root.
    pub level: u32,
    /// Its first voxel.
    pub low: [u32; 3],
    /// The classes of its bodies, if it is a leaf.
    pub present: Present,
}

impl OctreeNode {
    fn new_leaf(parent: u32, level: u32, low: [u32; 3]) -> OctreeNode {
        let (children, list) = (NONE, NONE);
        OctreeNode { parent, children, list, count: 0, small: 0, level, low, present: Present::NONE }
    }
    /// Whether it has no children.
    #[inline]
    pub fn is_leaf(&self) -> bool {
        self.children == NONE
    }
    /// Its voxels.
    #[inline]
    pub fn voxel_span(&self) -> VoxelSpan {
        VoxelSpan::of_node(self.low, self.level)
    }
    /// The first voxel of its upper half; the node is not a voxel.
    #[inline]
    pub fn middle_voxel(&self) -> [u32; 3] {
        let half = node_width(self.level + 1);
        self.low.map(|x| x + half)
    }
}

/// All nodes.
#[derive(Clone, Debug)]
pub struct Nodes {
    nodes: Vec<OctreeNode>,
    /// The first nodes of families that are not in use.
    free: Vec<u32>,
}

impl Nodes {
    /// The root, a leaf.
    pub fn new() -> Nodes {
        Nodes { nodes: vec![OctreeNode::new_leaf(NONE, 0, [0; 3])], free: Vec::new() }
    }

    /// A node.
    #[inline]
    pub fn get(&self, at: u32) -> &OctreeNode {
        &self.nodes[at as usize]
    }
    /// A node, to be changed.
    #[inline]
    pub fn get_mut(&mut self, at: u32) -> &mut OctreeNode {
        &mut self.nodes[at as usize]
    }

    /// Gives a leaf eight empty leaves as children and returns the first. Child `i` lies in the upper half of
    /// the node along x if bit 0 of `i` is set, along y if bit 1 is set, along z if bit 2 is set.
    pub fn split(&mut self, at: u32) -> u32 {
        let parent = self.nodes[at as usize];
        let first = self.free.pop().unwrap_or(self.nodes.len() as u32);
        let half = node_width(parent.level + 1);
        for eighth in 0..8 {
            let low = std::array::from_fn(|k| parent.low[k] + if eighth >> k & 1 == 1 { half } else { 0 });
            let child = OctreeNode::new_leaf(at, parent.level + 1, low);
            match self.nodes.get_mut((first + eighth) as usize) {
                Some(node) => *node = child,
                None => self.nodes.push(child),
            }
        }
        self.nodes[at as usize].children = first;
        first
    }

    /// Removes a node's children, which are leaves.
    pub fn join(&mut self, at: u32) {
        let first = std::mem::replace(&mut self.nodes[at as usize].children, NONE);
        for child in first..first + 8 {
            self.nodes[child as usize].parent = NONE;
        }
        self.free.push(first);
    }

    /// Whether a node is part of the tree.
    #[inline]
    pub fn in_use(&self, at: u32) -> bool {
        at == ROOT || self.nodes[at as usize].parent != NONE
    }

    /// Nodes of the array, in use or not.
    pub fn slot_count(&self) -> u32 {
        self.nodes.len() as u32
    }
    /// Nodes that are part of the tree.
    pub fn len(&self) -> usize {
        self.nodes.len() - 8 * self.free.len()
    }
    /// Bytes that they allocated.
    pub fn allocated_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<OctreeNode>() + self.free.capacity() * size_of::<u32>()
    }

    /// The leaf around a voxel, from a node around it downwards.
    #[inline]
    pub fn leaf_at(&self, mut at: u32, voxel: [u32; 3]) -> u32 {
        loop {
            let node = &self.nodes[at as usize];
            if node.is_leaf() {
                return at;
            }
            let middle = node.middle_voxel();
            at = node.children + (0..3).map(|k| u32::from(voxel[k] >= middle[k]) << k).sum::<u32>();
        }
    }

    /// The nearest ancestor on a level or above it, and how many parents it is away.
    #[inline]
    pub fn find_ancestor(&self, mut at: u32, level: u32) -> (u32, usize) {
        let mut height = 0;
        while self.nodes[at as usize].level > level {
            at = self.nodes[at as usize].parent;
            height += 1;
        }
        (at, height)
    }
}
