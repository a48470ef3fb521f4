//! A convex part of a solid, grown around a point inside: a polytope that no triangle enters.
//!
//! Triangles come from the tree in the order of their distance from the point, the seed. A triangle or box
//! beyond a known plane is passed over ([`Cuts`]). Any other triangle is cut off by one more plane. This is
//! the triangle's own, which keeps most of the solid where the surface is convex; but where that comes much
//! nearer to the seed than the triangle does, it is the plane through the nearest point, across the line to
//! the seed. After all triangles the planes enclose a polytope. It is exact close to the seed and coarse far
//! away, since planes that come late cut off more than one triangle each ([`PART_SHAVE`]). With
//! [`PART_PLANES`] planes it is given up.
//!
//! Source: the linear step of IRIS (Deits and Tedrake, "Computing large convex regions of obstacle-free space
//! through semidefinite programming", 2014), with a ball as the ellipsoid.
//!
//! The result is proved without regard to how it was found ([`is_inside`]). A part is the hull of its
//! corners. For each triangle there is a plane that has all corners of the part on one side and the triangle
//! on the other, farther from the part than any crack is wide; boxes of the tree prove it for many triangles
//! at once. Triangles that bound nothing, walls within the solid and loose sheets, are left out. So the
//! surface does not enter the part, and the part lies in the solid as a whole if one of its corners does,
//! which is decided exactly ([`super::inside`]).

use super::cuts::Cuts;
use super::data::Mesh;
use super::inside;
use super::surface::PARITY;
use super::tree::{Node, WIDTH};
use crate::numeric::heap::{Queued, pop, push};
use crate::numeric::simd::{Kernel, Lanes, dispatch_kernel};
use crate::numeric::tolerance::{ROUNDOFF_F32, UNDERFLOW};
use crate::numeric::wide::LEAF;
use crate::shape::extreme::max_height;
use crate::shape::hull::Block;
use crate::shape::tolerance::{
    PART_HAIR, PART_OWN_PLANE, PART_PLANES, PART_ROUNDING, PART_SHAVE, PART_WAITING, SLAB_FILTER,
};
use crate::shape::triangle::{nearest_point, parting_directions};
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;

/// The half space `normal . x <= height` (the mesh's frame); `normal` has unit length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CutPlane {
    pub(crate) normal: Vec3,
    pub(crate) height: f64,
    /// Whether the solid ends there: it is the plane of a triangle, seen from its inner side. Where the solid
    /// goes on beyond the plane of a triangle, the part is only cut off there.
    pub(crate) face: bool,
}

/// A node or a triangle that waits.
#[derive(Clone, Copy, Debug)]
struct NearEntry {
    child: u32,
    /// Its squared distance from the seed, or that of its box (square metres).
    squared: f32,
    /// Whether the distance is that of a triangle itself.
    exact: bool,
    /// How many of the planes were tried already, and do not cut it off.
    tested: u16,
}

impl Queued for NearEntry {
    type Bound = f32;
    #[inline(always)]
    fn lower_bound(&self) -> f32 {
        self.squared
    }
}

/// Work space of growing and proving parts, of a fixed size.
#[derive(Clone, Debug)]
pub(crate) struct GrowScratch {
    near: Vec<NearEntry>,
    /// The planes of the last part.
    pub(crate) planes: Vec<CutPlane>,
    cuts: Cuts,
    stack: Vec<u32>,
    /// Nodes and triangles that were visited so far.
    pub(crate) visits: u64,
}

impl Default for GrowScratch {
    fn default() -> GrowScratch {
        let planes = PART_PLANES + 6;
        GrowScratch {
            near: Vec::with_capacity(PART_WAITING),
            planes: Vec::with_capacity(planes),
            cuts: Cuts::new(planes),
            stack: Vec::with_capacity(PART_WAITING),
            visits: 0,
        }
    }
}

/// Finds planes that cut every triangle off from `seed`, a point in the solid; the part ends within a cube of
/// half width `reach` about it (metres). False if there are too many, or if the seed is too near to the
/// surface.
pub(crate) fn grow_part(mesh: &Mesh, seed: Vec3, reach: f64, scratch: &mut GrowScratch) -> bool {
    dispatch_kernel(GrowKernel { mesh, seed, reach, scratch })
}

/// What [`grow_part`] takes.
struct GrowKernel<'a> {
    mesh: &'a Mesh,
    seed: Vec3,
    reach: f64,
    scratch: &'a mut GrowScratch,
}

/// Squared distances of a node's boxes from a point over the tree's origin, about.
#[inline(always)]
fn far_boxes<L: Lanes>(l: L, node: &Node, at: [f32; 3]) -> [f32; WIDTH] {
    let zero = l.splat8(0.0);
    let mut sum = zero;
    let mut k = 0;
    while k < 3 {
        let (center, half) = (l.load8(&node.boxes.center[k]), l.load8(&node.boxes.half[k]));
        let off = l.sub8(center, l.splat8(at[k]));
        let gap = l.max8(l.sub8(l.max8(off, l.sub8(zero, off)), half), zero);
        sum = l.add8(sum, l.mul8(gap, gap));
        k += 1;
    }
    l.to_array8(sum)
}

impl Kernel for GrowKernel<'_> {
    type Output = bool;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> bool {
        let GrowKernel { mesh, seed, reach, scratch } = self;
        let GrowScratch { near, planes, cuts, visits, .. } = scratch;
        let (hair, error) = (0.25 * PART_HAIR * mesh.radius, SLAB_FILTER * ROUNDOFF_F32 * mesh.radius);
        planes.clear();
        cuts.clear();
        let mut add = |normal: Vec3, height: f64, face: bool, cuts: &mut Cuts| {
            planes.push(CutPlane { normal, height, face });
            cuts.push(normal, height - hair, height - normal.dot(mesh.origin) + error);
        };
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            for normal in [axis, -axis] {
                let all = normal.dot(mesh.origin) + normal.abs().dot(mesh.half);
                add(normal, all.min(normal.dot(seed) + reach), false, cuts);
            }
        }
        let over_origin = (seed - mesh.origin).to_array().map(|x| x as f32);
        let mut inner = 0.0;
        near.clear();
        near.push(NearEntry { child: 0, squared: 0.0, exact: false, tested: 0 });
        while let Some(next) = pop(near) {
            *visits += 1;
            let NearEntry { child, exact, tested, .. } = next;
            if child & LEAF == 0 {
                let node = &mesh.nodes[child as usize];
                let left = cuts.boxes_left(l, node);
                if left == 0 {
                    continue;
                }
                let squared = far_boxes(l, node, over_origin);
                for lane in (0..node.count as usize).filter(|lane| left >> lane & 1 == 1) {
                    let child = node.child[lane];
                    if child & LEAF != 0 {
                        let leaf = (child & !LEAF) as usize;
                        if mesh.winding[leaf] == 0 || cuts.is_triangle_beyond(l, &mesh.triangles[leaf], 0) {
                            continue;
                        }
                    }
                    if near.len() == PART_WAITING {
                        return false;
                    }
                    push(
                        near,
                        NearEntry { child, squared: squared[lane], exact: false, tested: cuts.len() as u16 },
                    );
                }
                continue;
            }
            let t = &mesh.triangles[(child & !LEAF) as usize];
            if cuts.is_triangle_beyond(l, t, tested.into()) {
                continue;
            }
            if !exact {
                // Its box came first; the triangle may be farther away than another.
                let squared = (nearest_point(t, seed) - seed).norm_squared() as f32;
                if near.first().is_some_and(|n| n.squared < squared) {
                    push(near, NearEntry { squared, exact: true, tested: cuts.len() as u16, ..next });
                    continue;
                }
            }
            let count = cuts.len() - 6;
            if count == PART_PLANES {
                return false;
            }
            let [own, across] = parting_directions(t, seed);
            let far = across.map_or(0.0, |n| n.dot(nearest_point(t, seed) - seed));
            let own = own.filter(|n| n.dot(t[0] - seed) >= PART_OWN_PLANE * far);
            let is_own = own.is_some();
            let winding = mesh.winding[(child & !LEAF) as usize];
            let Some(normal) = own.or(across) else { return false };
            let low = t.iter().fold(f64::INFINITY, |low, c| low.min(normal.dot(*c - seed)));
            if !(low > 8.0 * hair) {
                return false;
            }
            let kept = 1.0 - PART_SHAVE[4 * count / PART_PLANES];
            // The nearest triangle is seen from its inner side.
            let side = normal.dot((t[1] - t[0]).cross(t[2] - t[0])) * f64::from(winding.signum());
            if count == 0 {
                inner = side;
            }
            let face = is_own && (winding >= PARITY || side * inner > 0.0);
            add(normal, normal.dot(seed) + low * kept, face, cuts);
        }
        true
    }
}

/// Whether the hull of `corners` is proved to lie in the solid. The planes in the work space are a guess of
/// what separates it from the triangles; only their normals count.
pub(crate) fn is_inside(mesh: &Mesh, corners: &[Block], scratch: &mut GrowScratch) -> bool {
    let Some(corner) = corners.first().map(|block| block.point(0)) else { return false };
    dispatch_kernel(Clear { mesh, corners, scratch }) && inside::contains(mesh, corner) == Some(true)
}

/// Whether planes separate the hull of `corners` from all triangles.
struct Clear<'a> {
    mesh: &'a Mesh,
    corners: &'a [Block],
    scratch: &'a mut GrowScratch,
}

impl Kernel for Clear<'_> {
    type Output = bool;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> bool {
        let Clear { mesh, corners, scratch } = self;
        let GrowScratch { planes, cuts, stack, visits, .. } = scratch;
        let error = PART_ROUNDING * (mesh.extent + mesh.radius) + mesh.crack_half_width();
        // The rounding of f32 when a box is compared with a plane.
        let slab = SLAB_FILTER * ROUNDOFF_F32 * mesh.radius + UNDERFLOW;
        cuts.clear();
        for p in planes.iter() {
            let reach = max_height(l, corners, p.normal) + error;
            cuts.push(p.normal, reach, reach - p.normal.dot(mesh.origin) + slab);
        }
        stack.clear();
        stack.push(0);
        while let Some(at) = stack.pop() {
            *visits += 1;
            let node = &mesh.nodes[at as usize];
            let left = cuts.boxes_left(l, node);
            for lane in (0..node.count as usize).filter(|lane| left >> lane & 1 == 1) {
                let child = node.child[lane];
                if child & LEAF != 0 {
                    let leaf = (child & !LEAF) as usize;
                    if mesh.winding[leaf] != 0 && !cuts.is_triangle_beyond(l, &mesh.triangles[leaf], 0) {
                        return false;
                    }
                } else if stack.len() == PART_WAITING {
                    return false;
                } else {
                    stack.push(child);
                }
            }
        }
        true
    }
}
