//! The distance between a mesh and anything convex.
//!
//! The convex shape is known here only as a [`Probe`]: a box around it, and a half space that contains it.
//! The tree is searched depth first, nearer boxes first. The caller measures the distance between a triangle
//! and the shape, as a lower and an upper bound, perhaps with a better half space, which prunes boxes far in
//! front of it. Only lower bounds prune.

use super::data::Mesh;
use super::tree::{Node, WIDTH};
use crate::numeric::tolerance::{ROUNDOFF_F32, UNDERFLOW, UNDERFLOW_F32};
use crate::numeric::wide::LEAF;
use crate::shape::tolerance::{BOX_FILTER, SLAB_FILTER};
use crate::shape::triangle::Triangle;
use alloc::vec::Vec;
use elbowroom_describe::limits::MESH_COORDINATE_LIMIT;
use elbowroom_describe::math::{Vec3, round_up, sqrt_f32};

/// The half space `normal . x <= offset`, in the mesh's frame; `normal` a unit vector to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    /// Unit normal, pointing out of it.
    pub normal: Vec3,
    /// Largest `normal . x` of a point of the shape (metres), rounding included.
    pub offset: f64,
}

/// Bounds on the convex shape, in the mesh's frame, rounding included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// Centre of a box around the shape (metres).
    pub center: Vec3,
    /// Half extents of that box.
    pub half: Vec3,
    /// A half space that contains the shape. Best if its normal points to the mesh.
    pub plane: Option<HalfSpace>,
}

/// The distance of one triangle, as measured by the caller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeafGap {
    /// The distance is at least this; negative where nothing is proved.
    pub lower: f64,
    /// The signed distance is at most this.
    pub upper: f64,
    /// A better half space, if there is one.
    pub plane: Option<HalfSpace>,
}

/// The result of [`search_nearest`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestPoint {
    /// The surface is at least this far from the shape (metres); not above zero where no distance is proved.
    pub lower: f64,
    /// At most this; negative where the caller proved a crossing.
    pub upper: f64,
    /// Triangle of `upper`, by its index in the tree; `None` if no triangle was measured.
    pub triangle: Option<u32>,
    /// Nodes that were expanded.
    pub nodes: u32,
    /// Triangles that were measured.
    pub leaves: u32,
}

/// Scratch space of [`search_nearest`], owned by the caller. Reserved for the deepest tree, it never grows in
/// a query.
#[derive(Clone, Debug)]
pub struct NearestScratch {
    stack: Vec<(u32, f32)>,
    /// Nodes and triangles after which a search ends and proves no lower bound.
    pub(crate) limit: u32,
    /// Nodes and triangles of all searches so far, and whatever else their caller counts as such.
    pub visits: u64,
}

impl Default for NearestScratch {
    fn default() -> NearestScratch {
        NearestScratch { stack: Vec::new(), limit: u32::MAX, visits: 0 }
    }
}

impl NearestScratch {
    /// Reserves space for meshes of at most this depth ([`Mesh::depth`]).
    pub fn reserve(&mut self, depth: usize) {
        let need = (WIDTH - 1) * depth.saturating_add(2) + 1;
        self.stack.reserve(need.saturating_sub(self.stack.len()));
    }
}

/// The distance between the surface of `mesh` and the shape behind `probe`.
///
/// `leaf` measures a triangle (index in the tree, corners in the mesh's frame). Triangles at least `min(least
/// upper bound so far, stop_above)` away are pruned. The search ends once `upper` is below `stop_below`, and
/// then proves no lower bound. `first`, the triangle of the last query, is measured first if it exists. A
/// shape inside a closed mesh is not detected here: test one of its points with [`super::inside::contains`]
/// where `lower` is above zero.
pub fn search_nearest(
    mesh: &Mesh,
    probe: &Probe,
    stops: [f64; 2],
    first: Option<u32>,
    scratch: &mut NearestScratch,
    leaf: impl FnMut(u32, &Triangle) -> LeafGap,
) -> NearestPoint {
    nearest_in((mesh, 0), probe, stops, first, scratch, leaf, |_, _| f64::NEG_INFINITY)
}

/// [`search_nearest`] among the triangles of a node. `part` bounds the distance of a node's triangles from
/// the shape below; it need not be better than the threshold that it is given.
pub(crate) fn nearest_in(
    (mesh, node): (&Mesh, u32),
    probe: &Probe,
    [stop_above, stop_below]: [f64; 2],
    first: Option<u32>,
    scratch: &mut NearestScratch,
    mut leaf: impl FnMut(u32, &Triangle) -> LeafGap,
    mut part: impl FnMut(u32, f64) -> f64,
) -> NearestPoint {
    let mut result =
        NearestPoint { lower: f64::NEG_INFINITY, upper: f64::INFINITY, triangle: None, nodes: 0, leaves: 0 };
    let c = probe.center - mesh.origin;
    let far = c.norm() + probe.half.norm();
    if !(far < 8.0 * MESH_COORDINATE_LIMIT) {
        return result;
    }
    let scale = mesh.radius + far;
    let cast = |v: Vec3| [v.x as f32, v.y as f32, v.z as f32];
    let center = cast(c);
    let half: [f32; 3] = core::array::from_fn(|k| round_up(probe.half[k]));
    let error = round_up(BOX_FILTER * ROUNDOFF_F32 * scale + UNDERFLOW_F32);
    let slab_error = round_up(SLAB_FILTER * ROUNDOFF_F32 * mesh.radius + UNDERFLOW_F32);
    let mut measured = f64::INFINITY;
    let mut plane = ProbePlane::new(probe.plane, mesh);
    let mut stopped = false;
    let mut measure = |i: u32, result: &mut NearestPoint, plane: &mut ProbePlane| {
        let Some(t) = mesh.triangles.get(i as usize) else { return false };
        let gap = leaf(i, t);
        result.leaves += 1;
        // NaN proves nothing.
        measured = if gap.lower >= measured {
            measured
        } else if gap.lower.is_nan() {
            f64::NEG_INFINITY
        } else {
            gap.lower
        };
        if gap.upper < result.upper {
            (result.upper, result.triangle) = (gap.upper, Some(i));
            if gap.plane.is_some() {
                *plane = ProbePlane::new(gap.plane, mesh);
            }
        }
        result.upper < stop_below
    };
    let threshold = |result: &NearestPoint| result.upper.min(stop_above).max(UNDERFLOW);
    if let Some(i) = first {
        stopped = measure(i, &mut result, &mut plane);
    }
    let NearestScratch { stack, limit: most, visits } = scratch;
    stack.clear();
    stack.push((node, 0.0));
    while !stopped {
        let Some((node, lower)) = stack.pop() else { break };
        if result.nodes + result.leaves >= *most {
            stopped = true;
            break;
        }
        let limit = round_up(threshold(&result));
        if lower >= limit {
            continue;
        }
        if node & LEAF != 0 {
            stopped = measure(node & !LEAF, &mut result, &mut plane);
            continue;
        }
        result.nodes += 1;
        if part(node, threshold(&result)) >= threshold(&result) {
            continue;
        }
        let node = &mesh.nodes[node as usize];
        let (bounds, heights) = bound_eight(node, center, half, error, &plane, slab_error);
        let near = round_up(threshold(&result) - plane.apart);
        let (mut kept, mut count) = ([(0_u32, 0.0_f32); WIDTH], 0);
        for lane in 0..(node.count as usize).min(WIDTH) {
            if (bounds[lane] >= limit) | (heights[lane] >= near) {
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
    *visits += u64::from(result.nodes) + u64::from(result.leaves);
    if !stopped {
        result.lower = measured.min(threshold(&result));
    }
    result
}

/// A half space in f32, to bound boxes in front of it by their least projection.
struct ProbePlane {
    normal: [f32; 3],
    /// `normal . origin - offset` with the rounding taken off.
    apart: f64,
}

impl ProbePlane {
    fn new(half_space: Option<HalfSpace>, mesh: &Mesh) -> ProbePlane {
        let Some(h) = half_space.filter(|h| h.normal.is_finite() && h.offset.is_finite()) else {
            return ProbePlane { normal: [0.0; 3], apart: f64::NEG_INFINITY };
        };
        let at = h.normal.dot(mesh.origin);
        let error = 32.0 * crate::numeric::tolerance::ROUNDOFF * (mesh.extent + mesh.radius + h.offset.abs());
        ProbePlane {
            normal: [h.normal.x as f32, h.normal.y as f32, h.normal.z as f32],
            apart: at - h.offset - error,
        }
    }
}

/// Least distances of eight boxes from the probe's box, and their least projections on the plane's normal.
#[inline(always)]
fn bound_eight(
    node: &Node,
    center: [f32; 3],
    half: [f32; 3],
    error: f32,
    plane: &ProbePlane,
    slab_error: f32,
) -> ([f32; WIDTH], [f32; WIDTH]) {
    let (mut lower, mut heights) = ([0.0; WIDTH], [0.0; WIDTH]);
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
        heights[k] = along - slab_error;
    }
    (lower, heights)
}
