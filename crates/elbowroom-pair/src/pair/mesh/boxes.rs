//! Lower bounds on the distances of boxes of two trees, eight at once, in f32 with the error taken off.

use crate::shape::mesh::tree::{Node, WIDTH};
use elbowroom_describe::math::{Mat3, Vec3, sqrt_f32};

/// One box of a tree, relative to the mesh's origin.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub(super) center: [f32; 3],
    pub(super) half: [f32; 3],
    pub(super) child: u32,
}

#[inline(always)]
pub(super) fn slot(nodes: &[Node], i: u32) -> Slot {
    let (node, lane) = (&nodes[(i / WIDTH as u32) as usize], (i % WIDTH as u32) as usize);
    let boxes = &node.boxes;
    Slot {
        center: [boxes.center[0][lane], boxes.center[1][lane], boxes.center[2][lane]],
        half: [boxes.half[0][lane], boxes.half[1][lane], boxes.half[2][lane]],
        child: node.child[lane],
    }
}

/// One side of a bound, in f32. `rotation` and `offset` transform the other tree's coordinates to this one's.
#[derive(Clone, Copy)]
pub(super) struct Side {
    /// Rows of the rotation.
    pub(super) rotation: [[f32; 3]; 3],
    pub(super) offset: [f32; 3],
    /// The plane normal in this side's frame, pointing away from the other side.
    pub(super) normal: [f32; 3],
}

impl Side {
    #[inline(always)]
    pub(super) fn new(rotation: &Mat3, offset: Vec3) -> Side {
        let c = rotation.cols;
        let row = |k: usize| [c[0][k] as f32, c[1][k] as f32, c[2][k] as f32];
        Side {
            rotation: [row(0), row(1), row(2)],
            offset: [offset.x as f32, offset.y as f32, offset.z as f32],
            normal: [0.0; 3],
        }
    }
    /// A centre of the other side in this frame.
    #[inline(always)]
    pub(super) fn transform(&self, p: [f32; 3]) -> [f32; 3] {
        let t = &self.rotation;
        core::array::from_fn(|i| t[i][0] * p[0] + t[i][1] * p[1] + t[i][2] * p[2] + self.offset[i])
    }
    /// Half extents, in this frame, of the box around the other side's box.
    #[inline(always)]
    pub(super) fn spread(&self, h: [f32; 3]) -> [f32; 3] {
        let t = &self.rotation;
        core::array::from_fn(|i| t[i][0].abs() * h[0] + t[i][1].abs() * h[1] + t[i][2].abs() * h[2])
    }
    /// Least projection of this side's box on the plane normal.
    #[inline(always)]
    pub(super) fn least(&self, s: &Slot) -> f32 {
        let (n, c, h) = (&self.normal, &s.center, &s.half);
        (n[0] * c[0] + n[1] * c[1] + n[2] * c[2])
            - (n[0].abs() * h[0] + n[1].abs() * h[1] + n[2].abs() * h[2])
    }
}

/// Errors of the f32 bounds (metres), constant in a query.
#[derive(Clone, Copy)]
pub(super) struct Filter {
    /// Error of a box distance.
    pub(super) boxes: f32,
    /// Error of the gap along the plane normal.
    pub(super) slab: f32,
}

/// The bounds of eight box pairs.
pub(super) struct Eight {
    /// Lower bound on the distance.
    pub(super) lower: [f32; WIDTH],
    /// Lower bound on the gap along the plane normal, without the distance of the origins along it.
    pub(super) gap: [f32; WIDTH],
    /// The order of visits: the distance or, where it is zero, minus the depth of the overlap.
    pub(super) keys: [f32; WIDTH],
}

/// Bounds the eight boxes of `node` (of the side `own`) against one box of the side `other`.
#[inline(always)]
pub(super) fn bound_eight(node: &Node, fixed: &Slot, own: &Side, other: &Side, filter: Filter) -> Eight {
    let (fc, fh) = (own.transform(fixed.center), own.spread(fixed.half));
    let base = other.least(fixed) - filter.slab;
    let (t, o, n) = (&other.rotation, &other.offset, &own.normal);
    let o: [f32; 3] = core::array::from_fn(|i| o[i] - fixed.center[i]);
    let m = n.map(f32::abs);
    let a = t.map(|r| r.map(f32::abs));
    let mut eight = Eight { lower: [0.0; WIDTH], gap: [0.0; WIDTH], keys: [0.0; WIDTH] };
    let [cx, cy, cz] = &node.boxes.center;
    let [hx, hy, hz] = &node.boxes.half;
    let positive = |x: f32| if x > 0.0 { x } else { 0.0 };
    let larger = |x: f32, y: f32| if x > y { x } else { y };
    for k in 0..WIDTH {
        let (c, h) = ([cx[k], cy[k], cz[k]], [hx[k], hy[k], hz[k]]);
        let (mut near, mut far) = ([0.0_f32; 3], [0.0_f32; 3]);
        for i in 0..3 {
            near[i] = (c[i] - fc[i]).abs() - (h[i] + fh[i]);
            let x = t[i][0] * c[0] + t[i][1] * c[1] + t[i][2] * c[2] + o[i];
            let r = a[i][0] * h[0] + a[i][1] * h[1] + a[i][2] * h[2];
            far[i] = x.abs() - (r + fixed.half[i]);
        }
        let square = |g: [f32; 3]| {
            let g = g.map(positive);
            g[0] * g[0] + g[1] * g[1] + g[2] * g[2]
        };
        let distance = sqrt_f32(larger(square(near), square(far))) - filter.boxes;
        eight.gap[k] =
            (n[0] * c[0] + n[1] * c[1] + n[2] * c[2]) - (m[0] * h[0] + m[1] * h[1] + m[2] * h[2]) + base;
        eight.lower[k] = positive(distance);
        let deep = larger(larger(near[0], larger(near[1], near[2])), larger(far[0], larger(far[1], far[2])));
        eight.keys[k] = if distance > 0.0 { distance } else { deep };
    }
    eight
}
