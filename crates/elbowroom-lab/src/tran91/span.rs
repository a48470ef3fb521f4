//! Where a body or a node lies on a grid of voxels: whole numbers, so that no two places of the octree
//! round differently.
//!
//! A point's index never falls when its coordinate grows, rounding included. So two boxes that share a point
//! share the voxel with that point, and a box that contains another covers its voxels. Points beyond the
//! root count to the nearest voxel on its border: the voxels there reach without end.

use crate::limits::{OCTREE_EDGES, OCTREE_LEVELS, OCTREE_ROUNDING, OCTREE_SMALL};
use elbowroom::bounds::AlignedBox;
use elbowroom::math::{Vec3, vec3};

/// The voxels along an edge of the root.
const VOXELS: u32 = 1 << OCTREE_LEVELS;

/// The voxels along an edge of a node.
pub fn node_width(level: u32) -> u32 {
    VOXELS >> level
}

/// A box of voxels: the first and the last along each axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoxelSpan {
    /// The first.
    pub low: [u32; 3],
    /// The last.
    pub high: [u32; 3],
}

impl VoxelSpan {
    /// No voxel at all.
    pub const EMPTY: VoxelSpan = VoxelSpan { low: [u32::MAX; 3], high: [0; 3] };

    /// A node by its first voxel and its level.
    #[inline]
    pub fn of_node(low: [u32; 3], level: u32) -> VoxelSpan {
        let last = node_width(level) - 1;
        VoxelSpan { low, high: low.map(|x| x + last) }
    }

    /// Whether there is no voxel in it.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.low[0] > self.high[0]
    }

    /// Whether the two share a voxel.
    #[inline]
    pub fn meets_span(&self, other: &VoxelSpan) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }

    /// Whether a voxel is in it.
    #[inline]
    pub fn has_voxel(&self, at: [u32; 3]) -> bool {
        (0..3).all(|k| self.low[k] <= at[k] && at[k] <= self.high[k])
    }

    /// The part of it that lies in another that it meets.
    #[inline]
    pub fn clipped_to(&self, other: &VoxelSpan) -> VoxelSpan {
        VoxelSpan {
            low: self.first_in(other),
            high: std::array::from_fn(|k| self.high[k].min(other.high[k])),
        }
    }

    /// The first of the voxels that the two share, if they share any. It is in one leaf only, so what is done
    /// in this leaf is done once.
    #[inline]
    pub fn first_in(&self, other: &VoxelSpan) -> [u32; 3] {
        std::array::from_fn(|k| self.low[k].max(other.low[k]))
    }

    /// The deepest level on which it is small (see [`OCTREE_SMALL`]); negative where it is small on none.
    #[inline]
    pub fn small_to(&self) -> i32 {
        let edge = (0..3).map(|k| self.high[k].wrapping_sub(self.low[k])).fold(0, u32::max);
        // The halvings of the root that leave an edge of at least so many voxels.
        let halvings = edge.leading_zeros() as i32 - (31 - OCTREE_LEVELS as i32) - 1;
        halvings - OCTREE_SMALL as i32
    }

    /// The deepest level that has one node around this and another; neither is empty.
    #[inline]
    pub fn common_level(&self, other: &VoxelSpan) -> u32 {
        let differ = |k: usize| {
            (self.low[k] ^ self.high[k]) | (self.low[k] ^ other.low[k]) | (self.low[k] ^ other.high[k])
        };
        OCTREE_LEVELS - (u32::BITS - (differ(0) | differ(1) | differ(2)).leading_zeros())
    }

    /// Which eighths it meets of a node that it meets, by the first voxel of the node's upper half.
    /// Bit `i` is the eighth `i`, whose bits are the upper halves along x, y and z.
    #[inline]
    pub fn met_octants(&self, middle: [u32; 3]) -> u8 {
        const LOWER: [u8; 3] = [0x55, 0x33, 0x0f];
        (0..3).fold(0xff, |bits, k| {
            let lower = if self.low[k] < middle[k] { LOWER[k] } else { 0 };
            let upper = if self.high[k] >= middle[k] { !LOWER[k] } else { 0 };
            bits & (lower | upper)
        })
    }
}

/// The root as a grid of voxels.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    origin: Vec3,
    /// Edge of a voxel (metres), and the voxels a metre.
    side: f64,
    scale: f64,
    slack: f64,
}

impl Grid {
    /// The grid of the cube from a box's least corner whose edge is the box's longest. `None` where an edge
    /// or a coordinate is beyond [`OCTREE_EDGES`].
    pub fn covering_box(room: &AlignedBox) -> Option<Grid> {
        let size = room.size();
        let (edge, far) = (size.x.max(size.y).max(size.z), room.low.max_abs());
        let [least, most] = OCTREE_EDGES;
        if !(room.low.is_finite() && far <= most && least <= edge && edge <= most) {
            return None;
        }
        let voxels = f64::from(VOXELS);
        let slack = OCTREE_ROUNDING * (far + edge);
        Some(Grid { origin: room.low, side: edge / voxels, scale: voxels / edge, slack })
    }

    /// The voxels that a box meets; none for an empty box. No coordinate is NaN.
    #[inline]
    pub fn box_span(&self, of: &AlignedBox) -> VoxelSpan {
        let (low, high) = (of.low, of.high);
        if !(low.x <= high.x && low.y <= high.y && low.z <= high.z) {
            return VoxelSpan::EMPTY;
        }
        // The cast takes what is below zero for zero.
        let index = |x: f64, origin: f64| (((x - origin) * self.scale) as u32).min(VOXELS - 1);
        let all = |p: Vec3| [index(p.x, self.origin.x), index(p.y, self.origin.y), index(p.z, self.origin.z)];
        VoxelSpan { low: all(low), high: all(high) }
    }

    /// A box around all points that count to a node.
    #[inline]
    pub fn node_box(&self, node: &VoxelSpan) -> AlignedBox {
        let low = |k: usize| {
            let at = self.origin[k] + f64::from(node.low[k]) * self.side - self.slack;
            if node.low[k] == 0 { f64::NEG_INFINITY } else { at }
        };
        let high = |k: usize| {
            let at = self.origin[k] + f64::from(node.high[k] + 1) * self.side + self.slack;
            if node.high[k] + 1 == VOXELS { f64::INFINITY } else { at }
        };
        AlignedBox { low: vec3(low(0), low(1), low(2)), high: vec3(high(0), high(1), high(2)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(low: [u32; 3], high: [u32; 3]) -> VoxelSpan {
        VoxelSpan { low, high }
    }

    #[test]
    fn levels_of_spans() {
        let root = VoxelSpan::of_node([0; 3], 0);
        assert_eq!((root.high, root.small_to()), ([VOXELS - 1; 3], -(OCTREE_SMALL as i32)));
        let point = span([5; 3], [5; 3]);
        assert_eq!(point.small_to(), (OCTREE_LEVELS - OCTREE_SMALL) as i32);
        assert_eq!(span([4, 5, 6], [5, 6, 9]).small_to(), (OCTREE_LEVELS - OCTREE_SMALL) as i32 - 2);
        assert_eq!(span([4, 5, 6], [5, 6, 10]).small_to(), (OCTREE_LEVELS - OCTREE_SMALL) as i32 - 3);
        assert_eq!(point.common_level(&point), OCTREE_LEVELS);
        assert_eq!(point.common_level(&span([4; 3], [5; 3])), OCTREE_LEVELS - 1);
        assert_eq!(point.common_level(&span([5, 5, 6], [5, 5, 6])), OCTREE_LEVELS - 2);
        assert_eq!(point.common_level(&span([5; 3], [5, VOXELS - 1, 5])), 0);
        assert_eq!(point.met_octants([5, 6, 6]), 0b10);
        assert_eq!(root.met_octants([VOXELS / 2; 3]), 0xff);
        assert_eq!(span([0, 0, 6], [9, 9, 6]).met_octants([5, 10, 6]), 0b0011_0000);
    }

    #[test]
    fn points_are_in_the_boxes_of_their_nodes() {
        let mut random = elbowroom::math::Random(1);
        for round in 0..20_000 {
            let far = [0.0, 1.0, -7.3, 1e6][round % 4];
            let room = AlignedBox { low: vec3(far, -far, 0.1), high: vec3(far + 3.0, -far + 1.0, 0.2) };
            let grid = Grid::covering_box(&room).unwrap();
            let edge = 3.0 / f64::from(VOXELS);
            // Anywhere, and on the corners of nodes.
            let mut at = |origin: f64| match round % 3 {
                0 => origin + random.range(-0.5, 3.5),
                _ => origin + (random.range(0.0, f64::from(VOXELS)) as u32 as f64) * edge,
            };
            let p = vec3(at(far), at(-far), at(0.1));
            let point = AlignedBox { low: p, high: p };
            let node = grid.box_span(&point);
            assert_eq!(node.low, node.high);
            assert!(grid.node_box(&node).contains(&point), "{p:?} {node:?}");
            for level in 0..OCTREE_LEVELS {
                let low = node.low.map(|x| x & !(node_width(level) - 1));
                assert!(grid.node_box(&VoxelSpan::of_node(low, level)).contains(&point), "{p:?} {level}");
            }
        }
    }

    #[test]
    fn what_no_grid_can_have() {
        let cube =
            |low: f64, high: f64| AlignedBox { low: vec3(low, low, low), high: vec3(high, high, high) };
        let refused = [
            cube(0.0, 0.0),
            cube(1.0, 0.0),
            cube(0.0, 1e200),
            cube(f64::NAN, 1.0),
            cube(-f64::INFINITY, 1.0),
        ];
        assert!(refused.iter().all(|room| Grid::covering_box(room).is_none()));
        let grid = Grid::covering_box(&cube(-1.0, 1.0)).unwrap();
        assert_eq!(grid.box_span(&AlignedBox::EMPTY), VoxelSpan::EMPTY);
        assert_eq!(grid.box_span(&cube(f64::NEG_INFINITY, f64::INFINITY)), VoxelSpan::of_node([0; 3], 0));
        assert_eq!(grid.box_span(&cube(5.0, 6.0)).low, [VOXELS - 1; 3]);
    }
}
