//! The distance between a mesh and anything convex.
//!
//! The tree is walked from the box nearest to the convex shape, which is known here only as a [`Probe`]: a
//! box around it and a few planes it lies behind. What lies between a triangle and the shape itself is the
//! caller's to say, with a lower and an upper bound, and a plane if it found one: the shape lies behind it,
//! so boxes far in front of it fall. Only lower bounds prune.

use super::data::Mesh;
use super::tree::{Node, WIDTH};
use crate::numeric::math::{Vec3, round_up, sqrt_f32};
use crate::numeric::tolerance::{ROUNDOFF_F32, UNDERFLOW, UNDERFLOW_F32};
use crate::numeric::wide::LEAF;
use crate::shape::tolerance::{BOX_FILTER, MESH_COORDINATE_LIMIT, SLAB_FILTER};
use crate::shape::triangle::Triangle;
use alloc::vec::Vec;

/// The half space `normal . x <= offset`, in the mesh's frame; `normal` a unit vector to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    /// Unit normal, pointing out of it.
    pub normal: Vec3,
    /// Metres, rounding included: no point of the shape has more.
    pub offset: f64,
}

/// Where the convex shape is, in the mesh's frame, rounding included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// Centre of a box around the shape (metres).
    pub center: Vec3,
    /// Half extents of that box.
    pub half: Vec3,
    /// A half space that contains the shape, best one whose normal points to the mesh.
    pub plane: Option<HalfSpace>,
}

/// The caller's answer for one triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeafGap {
    /// The distance is at least this; any negative number where nothing is proved.
    pub lower: f64,
    /// The signed distance is at most this.
    pub upper: f64,
    /// A better half space, if there is one.
    pub plane: Option<HalfSpace>,
}

/// What [`nearest`] proves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The surface is at least this far from the shape (metres); not above zero where no distance is proved.
    pub lower: f64,
    /// At most this; negative where the caller proved a crossing.
    pub upper: f64,
    /// Triangle of `upper`, by its place in the tree; none if nothing is below the upper bound given.
    pub triangle: Option<u32>,
    /// Nodes opened.
    pub nodes: u32,
    /// Triangles asked for.
    pub leaves: u32,
}

/// Memory of [`nearest`], owned by the caller; sized for the deepest tree it will meet it never grows in a
/// query.
#[derive(Clone, Debug, Default)]
pub struct NearestScratch {
    stack: Vec<(u32, f32)>,
}

impl NearestScratch {
    /// Grows for meshes of at most this depth ([`Mesh::depth`]).
    pub fn reserve(&mut self, depth: usize) {
        let need = (WIDTH - 1) * depth.saturating_add(2) + 1;
        self.stack.reserve(need.saturating_sub(self.stack.len()));
    }
    /// Bytes it holds beside itself.
    pub(crate) fn heap_bytes(&self) -> usize {
        crate::numeric::heap_bytes::heap_bytes(&self.stack)
    }
}

/// The distance between the surface of `mesh` and the shape behind `probe`.
///
/// `leaf` is asked for triangles (place in the tree, corners in the mesh's frame). Pairs at least `min(upper
/// found so far, stop_above)` apart are dropped; the search ends early once `upper` is below `stop_below`,
/// and then proves no lower bound. `first`, a triangle remembered from the last query, is asked first if it
/// exists. A shape inside a closed mesh is not noticed here: test one of its points with
/// [`super::inside::contains`] where `lower` is above zero.
pub fn nearest(
    mesh: &Mesh,
    probe: &Probe,
    [stop_above, stop_below]: [f64; 2],
    first: Option<u32>,
    scratch: &mut NearestScratch,
    mut leaf: impl FnMut(u32, &Triangle) -> LeafGap,
) -> Nearest {
    let mut found =
        Nearest { lower: f64::NEG_INFINITY, upper: f64::INFINITY, triangle: None, nodes: 0, leaves: 0 };
    let c = probe.center - mesh.origin;
    let far = c.norm() + probe.half.norm();
    if !(far < 8.0 * MESH_COORDINATE_LIMIT) {
        return found;
    }
    let scale = mesh.reach + far;
    let cast = |v: Vec3| [v.x as f32, v.y as f32, v.z as f32];
    let center = cast(c);
    let half: [f32; 3] = core::array::from_fn(|k| round_up(probe.half[k]));
    let error = round_up(BOX_FILTER * ROUNDOFF_F32 * scale + UNDERFLOW_F32);
    let slab_error = round_up(SLAB_FILTER * ROUNDOFF_F32 * mesh.reach + UNDERFLOW_F32);
    let mut measured = f64::INFINITY;
    let mut plane = Plane::new(probe.plane, mesh);
    let mut stopped = false;
    let mut ask = |i: u32, found: &mut Nearest, plane: &mut Plane| {
        let Some(t) = mesh.triangles.get(i as usize) else { return false };
        let gap = leaf(i, t);
        found.leaves += 1;
        // A NaN proves nothing.
        measured = if gap.lower >= measured {
            measured
        } else if gap.lower.is_nan() {
            f64::NEG_INFINITY
        } else {
            gap.lower
        };
        if gap.upper < found.upper {
            (found.upper, found.triangle) = (gap.upper, Some(i));
            if gap.plane.is_some() {
                *plane = Plane::new(gap.plane, mesh);
            }
        }
        found.upper < stop_below
    };
    let threshold = |found: &Nearest| found.upper.min(stop_above).max(UNDERFLOW);
    if let Some(i) = first {
        stopped = ask(i, &mut found, &mut plane);
    }
    let stack = &mut scratch.stack;
    stack.clear();
    stack.push((0, 0.0));
    while !stopped {
        let Some((node, lower)) = stack.pop() else { break };
        let limit = round_up(threshold(&found));
        if lower >= limit {
            continue;
        }
        if node & LEAF != 0 {
            stopped = ask(node & !LEAF, &mut found, &mut plane);
            continue;
        }
        found.nodes += 1;
        let node = &mesh.nodes[node as usize];
        let (bounds, room) = bound_eight(node, center, half, error, &plane, slab_error);
        let near = round_up(threshold(&found) - plane.apart);
        let (mut kept, mut count) = ([(0_u32, 0.0_f32); WIDTH], 0);
        for lane in 0..(node.count as usize).min(WIDTH) {
            if (bounds[lane] >= limit) | (room[lane] >= near) {
                continue;
            }
            let mut at = count;
            while at > 0 && kept[at - 1].1 < bounds[lane] {
                kept[at] = kept[at - 1];
                at -= 1;
            }
            kept[at] = (node.child[lane], bounds[lane]);
            count += 1;
        }
        for &k in &kept[..count] {
            stack.push(k);
        }
    }
    if !stopped {
        found.lower = measured.min(threshold(&found));
    }
    found
}

/// A half space ready for f32: boxes in front of it by their least projection.
struct Plane {
    normal: [f32; 3],
    /// `normal . origin - offset` with the rounding taken off.
    apart: f64,
}

impl Plane {
    fn new(half_space: Option<HalfSpace>, mesh: &Mesh) -> Plane {
        let Some(h) = half_space.filter(|h| h.normal.is_finite() && h.offset.is_finite()) else {
            return Plane { normal: [0.0; 3], apart: f64::NEG_INFINITY };
        };
        let at = h.normal.dot(mesh.origin);
        let error = 32.0 * crate::numeric::tolerance::ROUNDOFF * (mesh.extent + mesh.reach + h.offset.abs());
        Plane {
            normal: [h.normal.x as f32, h.normal.y as f32, h.normal.z as f32],
            apart: at - h.offset - error,
        }
    }
}

/// Least distance of eight boxes from the probe's box, and their least projection on the plane's normal.
#[inline(always)]
fn bound_eight(
    node: &Node,
    center: [f32; 3],
    half: [f32; 3],
    error: f32,
    plane: &Plane,
    slab_error: f32,
) -> ([f32; WIDTH], [f32; WIDTH]) {
    let (mut lower, mut room) = ([0.0; WIDTH], [0.0; WIDTH]);
    let n = plane.normal;
    let m = n.map(f32::abs);
    for k in 0..WIDTH {
        let (mut sum, mut along) = (0.0_f32, 0.0_f32);
        for i in 0..3 {
            let (c, h) = (node.boxes.center[i][k], node.boxes.half[i][k]);
            let g = (c - center[i]).abs() - (h + half[i]);
            let g = if g > 0.0 { g } else { 0.0 };
            sum += g * g;
            along += n[i] * c - m[i] * h;
        }
        let d = sqrt_f32(sum) - error;
        lower[k] = if d > 0.0 { d } else { 0.0 };
        room[k] = along - slab_error;
    }
    (lower, room)
}
