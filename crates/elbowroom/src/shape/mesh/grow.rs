//! A convex part of a solid, grown around a point inside: a polytope that no triangle enters.
//!
//! Triangles come from the tree in the order of their distance from the point, the seed. A triangle beyond a
//! plane that is there already is done with, and so is a box. Another is cut off by one more plane: its own,
//! which keeps most where the surface is convex, unless that comes much nearer to the seed than the triangle
//! does; then the plane through its nearest point, across the line to the seed. After all triangles the
//! planes enclose a polytope. It is exact close to the seed and, since planes that come late cut off more
//! than one triangle each ([`PART_SHAVE`]), coarse far away. With [`PART_PLANES`] planes it is given up.
//!
//! Source: the linear step of IRIS (Deits and Tedrake, "Computing large convex regions of obstacle-free space
//! through semidefinite programming", 2014), with a ball as the ellipsoid.
//!
//! What counts is proved without regard to how it was found ([`is_inside`]). A part is the hull of its
//! corners. For each triangle there is a plane that has all corners of the part on one side and the triangle
//! on the other, farther from the part than any crack is wide; boxes of the tree prove it for many triangles
//! at once. Triangles that bound nothing, walls within the solid and loose sheets, are left out. So the
//! surface does not enter the part, and the part lies in the solid as a whole if one of its corners does,
//! which is decided exactly ([`super::inside`]).

use super::data::Mesh;
use super::inside;
use super::tree::{Node, WIDTH};
use crate::numeric::heap::{Queued, pop, push};
use crate::numeric::heap_bytes::heap_bytes;
use crate::numeric::math::{Vec3, round_up};
use crate::numeric::simd::{Kernel, Lanes, dispatch};
use crate::numeric::tolerance::{ROUNDOFF_F32, UNDERFLOW};
use crate::numeric::wide::LEAF;
use crate::shape::extreme::height;
use crate::shape::hull::Block;
use crate::shape::tolerance::{
    PART_HAIR, PART_OWN_PLANE, PART_PLANES, PART_ROUNDING, PART_SHAVE, PART_WAITING, SLAB_FILTER,
};
use crate::shape::triangle;
use alloc::vec::Vec;

/// The half space `normal . x <= height` (the mesh's frame); `normal` has unit length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    pub(crate) normal: Vec3,
    pub(crate) height: f64,
}

/// A node or a triangle, by its distance from the seed (metres).
#[derive(Clone, Copy, Debug)]
struct Near {
    child: u32,
    far: f32,
}

impl Queued for Near {
    type Bound = f32;
    #[inline(always)]
    fn lower(&self) -> f32 {
        self.far
    }
}

/// Work space of growing and proving parts. It never grows itself.
#[derive(Clone, Debug)]
pub(crate) struct GrowScratch {
    near: Vec<Near>,
    /// The planes of the last part.
    pub(crate) planes: Vec<Plane>,
    /// How far the part reaches along each normal.
    reach: Vec<f64>,
    stack: Vec<u32>,
}

impl Default for GrowScratch {
    fn default() -> GrowScratch {
        let planes = PART_PLANES + 6;
        GrowScratch {
            near: Vec::with_capacity(PART_WAITING),
            planes: Vec::with_capacity(planes),
            reach: Vec::with_capacity(planes),
            stack: Vec::with_capacity(PART_WAITING),
        }
    }
}

impl GrowScratch {
    /// Bytes that it allocated.
    pub(crate) fn heap_bytes(&self) -> usize {
        heap_bytes(&self.near) + heap_bytes(&self.planes) + heap_bytes(&self.reach) + heap_bytes(&self.stack)
    }
}

/// Which boxes of a node are not proved to lie beyond a plane, as bits: `height` is that of the plane over
/// the tree's origin. Only those of `left` are asked.
#[inline(always)]
fn not_beyond(node: &Node, normal: Vec3, height: f64, left: u32) -> u32 {
    let n = [normal.x as f32, normal.y as f32, normal.z as f32];
    let m = n.map(f32::abs);
    let height = round_up(height);
    let ([cx, cy, cz], [hx, hy, hz]) = (&node.boxes.center, &node.boxes.half);
    let mut low = [0.0_f32; WIDTH];
    for k in 0..WIDTH {
        low[k] = (n[0] * cx[k] + n[1] * cy[k] + n[2] * cz[k]) - (m[0] * hx[k] + m[1] * hy[k] + m[2] * hz[k]);
    }
    let bits = low.iter().rev().fold(0, |bits, low| bits << 1 | u32::from(!(*low > height)));
    bits & left
}

/// Finds planes that cut every triangle off from `seed`, a point in the solid; the part ends within a cube of
/// half width `reach` about it (metres). False if there are too many, or if the seed is too near to the
/// surface.
pub(crate) fn cut(mesh: &Mesh, seed: Vec3, reach: f64, scratch: &mut GrowScratch) -> bool {
    let GrowScratch { near, planes, .. } = scratch;
    let (hair, error) = (0.25 * PART_HAIR * mesh.radius, SLAB_FILTER * ROUNDOFF_F32 * mesh.radius);
    planes.clear();
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        for normal in [axis, -axis] {
            let all = normal.dot(mesh.origin) + normal.abs().dot(mesh.half);
            planes.push(Plane { normal, height: all.min(normal.dot(seed) + reach) });
        }
    }
    near.clear();
    near.push(Near { child: 0, far: 0.0 });
    while let Some(Near { child, .. }) = pop(near) {
        if child & LEAF == 0 {
            let node = &mesh.nodes[child as usize];
            let mut left = (1 << node.count) - 1;
            // The planes that came last are the most likely.
            for p in planes.iter().rev() {
                left = not_beyond(node, p.normal, p.height - p.normal.dot(mesh.origin) + error, left);
                if left == 0 {
                    break;
                }
            }
            for lane in (0..node.count as usize).filter(|lane| left >> lane & 1 == 1) {
                let child = node.child[lane];
                let far = if child & LEAF == 0 {
                    let at = |of: &[[f32; WIDTH]; 3]| Vec3::from([0, 1, 2].map(|k| f64::from(of[k][lane])));
                    let (center, half) = (at(&node.boxes.center) + mesh.origin, at(&node.boxes.half));
                    ((center - seed).abs() - half).max(Vec3::ZERO).norm()
                } else {
                    (triangle::nearest_point(&mesh.triangles[(child & !LEAF) as usize], seed) - seed).norm()
                };
                if near.len() == PART_WAITING {
                    return false;
                }
                push(near, Near { child, far: far as f32 });
            }
            continue;
        }
        let leaf = (child & !LEAF) as usize;
        let t = &mesh.triangles[leaf];
        if mesh.winding[leaf] == 0
            || planes.iter().rev().any(|p| t.iter().all(|c| p.normal.dot(*c) >= p.height - hair))
        {
            continue;
        }
        let count = planes.len() - 6;
        if count == PART_PLANES {
            return false;
        }
        let foot = triangle::nearest_point(t, seed) - seed;
        let own = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
        let own = own.map(|n| if n.dot(t[0] - seed) < 0.0 { -n } else { n });
        let own = own.filter(|n| n.dot(t[0] - seed) >= PART_OWN_PLANE * foot.norm());
        let Some(normal) = own.or(foot.normalized()) else { return false };
        let low = t.iter().fold(f64::INFINITY, |low, c| low.min(normal.dot(*c - seed)));
        if !(low > 8.0 * hair) {
            return false;
        }
        let kept = 1.0 - PART_SHAVE[4 * count / PART_PLANES];
        planes.push(Plane { normal, height: normal.dot(seed) + low * kept });
    }
    true
}

/// How far points reach along the normals of planes, and `error` more.
struct Reach<'a> {
    corners: &'a [Block],
    planes: &'a [Plane],
    error: f64,
    reach: &'a mut Vec<f64>,
}

impl Kernel for Reach<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Reach { corners, planes, error, reach } = self;
        reach.extend(planes.iter().map(|p| height(l, corners, p.normal) + error));
    }
}

/// Whether the hull of `corners` is proved to lie in the solid. The planes in the work space are a guess of
/// what separates it from the triangles; only their normals count.
pub(crate) fn is_inside(mesh: &Mesh, corners: &[Block], scratch: &mut GrowScratch) -> bool {
    let Some(corner) = corners.first().map(|block| block.point(0)) else { return false };
    let error = PART_ROUNDING * (mesh.extent + mesh.radius) + mesh.crack();
    let GrowScratch { planes, reach, stack, .. } = scratch;
    reach.clear();
    dispatch(Reach { corners, planes, error, reach });
    // Of a box against a plane in f32.
    let slab = SLAB_FILTER * ROUNDOFF_F32 * mesh.radius + UNDERFLOW;
    stack.clear();
    stack.push(0);
    while let Some(at) = stack.pop() {
        let node = &mesh.nodes[at as usize];
        let mut left = (1 << node.count) - 1;
        for (p, reach) in planes.iter().zip(reach.iter()).rev() {
            left = not_beyond(node, p.normal, reach - p.normal.dot(mesh.origin) + slab, left);
            if left == 0 {
                break;
            }
        }
        for lane in (0..node.count as usize).filter(|lane| left >> lane & 1 == 1) {
            let child = node.child[lane];
            if child & LEAF != 0 {
                let leaf = (child & !LEAF) as usize;
                let t = &mesh.triangles[leaf];
                let separates = |(p, reach): (&Plane, &f64)| t.iter().all(|c| p.normal.dot(*c) > *reach);
                if mesh.winding[leaf] != 0 && !planes.iter().zip(reach.iter()).rev().any(separates) {
                    return false;
                }
            } else if stack.len() == PART_WAITING {
                return false;
            } else {
                stack.push(child);
            }
        }
    }
    inside::contains(mesh, corner) == Some(true)
}
