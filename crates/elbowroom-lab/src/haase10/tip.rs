//! The rounded tip as a tree of boxes (haase10, section II-C, equations 1 to 4, Table I).
//!
//! The tip's outline is a quarter of a disc of radius `H = R + s`. At depth `b` it is cut into `n = 2^b`
//! slabs of one height (1). A slab from height `h_d` to `h_51` becomes the box that is as wide as the disc at
//! its lower face: `l_d = sqrt(H^2 - h_d^2)` (4). The box's outer corner is `r_d = sqrt(h_51^2 + l_d^2)` from
//! the middle (3), and `A_max` is by how much the farthest of them is outside of the disc (2). That is the
//! top box's: `A_max = H (sqrt(1 + 2/n - 1/n^2) - 1)`.
//!
//! `h_51` and `h_d` are only in the paper's Fig. 2, so this is our reading: with `H = 29.6 mm` it gives all
//! six values of Table I. The box of a slab contains both boxes of its halves, so a pair of boxes that are
//! apart needs no finer ones.
//!
//! The clearance `s` also moves the flat faces: backwards, to both sides, and downwards in the lowest slab.

use super::dimensions::{ARC_MIDDLE, TIP_HALF_WIDTH, TIP_RADIUS};
use elbowroom::bounds::AlignedBox;
use elbowroom::math::{Vec3, vec3};

/// Equation (1): boxes at a depth.
pub fn box_count(depth: u32) -> u32 {
    1 << depth
}

/// Equations (2) to (4): the greatest approximation error of a tip of outer radius `R + s` (metres) in so
/// many boxes.
pub fn approximation_error(outer_radius: f64, boxes: u32) -> f64 {
    let corner = |d: u32| {
        let [low, high] = [d, d + 1].map(|k| outer_radius * f64::from(k) / f64::from(boxes));
        let width = (outer_radius * outer_radius - low * low).sqrt();
        (high * high + width * width).sqrt()
    };
    (0..boxes).map(corner).fold(0.0, f64::max) - outer_radius
}

/// A box of the tree: the `index`-th of `2^depth`, from below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TipNode {
    /// How often the whole was halved.
    pub depth: u32,
    /// Which of the slabs.
    pub index: u32,
}

impl TipNode {
    /// The lower and the upper half.
    pub fn split(self) -> [TipNode; 2] {
        [0, 1].map(|k| TipNode { depth: self.depth + 1, index: 2 * self.index + k })
    }
}

/// The boxes of a tip, in the tip's frame.
#[derive(Clone, Debug)]
pub struct TipTree {
    depth: u32,
    boxes: Vec<AlignedBox>,
}

impl TipTree {
    /// All boxes down to a depth, enlarged by the clearance `s` (metres).
    pub fn new(depth: u32, clearance: f64) -> TipTree {
        let nodes = (0..=depth).flat_map(|d| (0..box_count(d)).map(move |i| TipNode { depth: d, index: i }));
        TipTree { depth, boxes: nodes.map(|node| slab_box(node, clearance)).collect() }
    }

    /// The depth of the finest boxes.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// A node's box; a node deeper than the tree has the finest box that contains it.
    #[inline]
    pub fn node_box(&self, node: TipNode) -> &AlignedBox {
        let up = node.depth.saturating_sub(self.depth);
        let (depth, index) = (node.depth - up, node.index >> up);
        &self.boxes[((1 << depth) - 1 + index) as usize]
    }
}

/// The box of a slab.
fn slab_box(node: TipNode, clearance: f64) -> AlignedBox {
    let outer = TIP_RADIUS + clearance;
    let at = |index: u32| outer * f64::from(index) / f64::from(box_count(node.depth));
    let (low, high) = (at(node.index), at(node.index + 1));
    let width = (outer * outer - low * low).sqrt();
    let bottom = if node.index == 0 { -clearance } else { low };
    let side = TIP_HALF_WIDTH + clearance;
    let middle = Vec3::from(ARC_MIDDLE);
    AlignedBox { low: middle + vec3(-clearance, -side, bottom), high: middle + vec3(width, side, high) }
}
