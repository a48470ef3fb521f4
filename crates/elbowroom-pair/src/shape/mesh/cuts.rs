//! Planes around a part of a mesh, and what lies beyond them: the eight boxes of a node of the tree against a
//! plane, and a triangle against four planes, at a time.

use super::tree::Node;
use crate::numeric::simd::{Lanes, V3, dot_vec3, splat_vec3};
use crate::shape::hull::Block;
use crate::shape::triangle::Triangle;
use alloc::vec::Vec;
use elbowroom_describe::math::{Vec3, round_up};

/// Four planes: normals, and heights along them. Lanes without a plane have an infinite height.
#[derive(Clone, Debug)]
struct CutLanes {
    normal: Block,
    height: [f64; 4],
}

/// A plane as boxes in f32 are tested against it: its normal, and its height over the tree's origin.
#[derive(Clone, Copy, Debug)]
struct Slab {
    normal: [f32; 3],
    height: f32,
}

/// A scalar product with eight vectors.
#[inline(always)]
fn dot_eight<L: Lanes>(l: L, [x, y, z]: [f32; 3], v: &[L::E; 3]) -> L::E {
    let xy = l.add8(l.mul8(l.splat8(x), v[0]), l.mul8(l.splat8(y), v[1]));
    l.add8(xy, l.mul8(l.splat8(z), v[2]))
}

/// Planes; their room is of fixed size.
#[derive(Clone, Debug)]
pub(super) struct Cuts {
    fours: Vec<CutLanes>,
    slabs: Vec<Slab>,
}

impl Cuts {
    /// For at most so many planes.
    pub fn new(planes: usize) -> Cuts {
        Cuts { fours: Vec::with_capacity(planes.div_ceil(4)), slabs: Vec::with_capacity(planes) }
    }

    pub fn clear(&mut self) {
        self.fours.clear();
        self.slabs.clear();
    }

    pub fn len(&self) -> usize {
        self.slabs.len()
    }

    /// Adds a plane of unit normal: triangles are beyond it above `height` (metres), boxes above
    /// `over_origin` with f32's rounding in it.
    pub fn push(&mut self, normal: Vec3, height: f64, over_origin: f64) {
        let lane = self.slabs.len() % 4;
        if lane == 0 {
            let none = Block { x: [0.0; 4], y: [0.0; 4], z: [0.0; 4] };
            self.fours.push(CutLanes { normal: none, height: [f64::INFINITY; 4] });
        }
        if let Some(four) = self.fours.last_mut() {
            (four.normal.x[lane], four.normal.y[lane]) = (normal.x, normal.y);
            (four.normal.z[lane], four.height[lane]) = (normal.z, height);
        }
        let normal = [normal.x as f32, normal.y as f32, normal.z as f32];
        self.slabs.push(Slab { normal, height: round_up(over_origin) });
    }

    /// Which children of a node have boxes that are not proved to lie beyond one of the planes, as bits.
    #[inline(always)]
    pub fn boxes_left<L: Lanes>(&self, l: L, node: &Node) -> u32 {
        let (c, h) = (&node.boxes.center, &node.boxes.half);
        let center = [l.load8(&c[0]), l.load8(&c[1]), l.load8(&c[2])];
        let half = [l.load8(&h[0]), l.load8(&h[1]), l.load8(&h[2])];
        let mut left = (1 << node.count) - 1;
        // The planes that came last are the most likely.
        for slab in self.slabs.iter().rev() {
            let [x, y, z] = slab.normal;
            let low =
                l.sub8(dot_eight(l, [x, y, z], &center), dot_eight(l, [x.abs(), y.abs(), z.abs()], &half));
            left &= !l.above_mask8(low, l.splat8(slab.height));
            if left == 0 {
                break;
            }
        }
        left
    }

    /// Whether a triangle lies beyond one of the planes from number `from` on, or of the few before it. NaN
    /// does not.
    #[inline(always)]
    pub fn is_triangle_beyond<L: Lanes>(&self, l: L, t: &Triangle, from: usize) -> bool {
        for four in self.fours[from.min(self.slabs.len()) / 4..].iter().rev() {
            let n = V3 { x: l.load(&four.normal.x), y: l.load(&four.normal.y), z: l.load(&four.normal.z) };
            let height = l.load(&four.height);
            let a = l.gt(dot_vec3(l, n, splat_vec3(l, t[0])), height);
            let b = l.gt(dot_vec3(l, n, splat_vec3(l, t[1])), height);
            let c = l.gt(dot_vec3(l, n, splat_vec3(l, t[2])), height);
            if l.mask_bits(l.and(l.and(a, b), c)) != 0 {
                return true;
            }
        }
        false
    }
}
