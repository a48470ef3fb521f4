//! The distance of a point from a mesh, and its depth in the solid.

use crate::numeric::wide::LEAF;
use crate::shape::mesh::nearest::{self, LeafGap, Probe};
use crate::shape::mesh::{Mesh, inside};
use crate::shape::triangle;
use elbowroom_describe::math::Vec3;

/// Radius of a ball about `x` (the mesh's frame) that lies in the solid, if it is larger than `least`.
pub(crate) fn ball_inside(
    solid: &Mesh,
    x: Vec3,
    least: f64,
    scratch: &mut nearest::NearestScratch,
) -> Option<f64> {
    let mut budget = u64::MAX;
    let holds = inside::contains_within(solid, x, &mut budget);
    scratch.visits += u64::MAX - budget;
    if holds != Some(true) {
        return None;
    }
    // The solid may end at its seams.
    let least = least + solid.crack_half_width();
    let near = from_point(solid, x, least, scratch);
    (near.lower > least).then(|| near.lower - solid.crack_half_width())
}

/// Whether `x` (the mesh's frame) lies in the mesh, or no farther from its surface than `within`.
pub(crate) fn holds(mesh: &Mesh, x: Vec3, within: f64, scratch: &mut nearest::NearestScratch) -> bool {
    from_point(mesh, x, within, scratch).upper <= within || inside::contains(mesh, x) == Some(true)
}

/// The distance of a surface from a point; once it is below `threshold` it need not be exact.
pub(super) fn from_point(
    mesh: &Mesh,
    x: Vec3,
    threshold: f64,
    scratch: &mut nearest::NearestScratch,
) -> nearest::NearestPoint {
    let probe = Probe { center: x, half: Vec3::ZERO, plane: None };
    nearest::search_nearest(mesh, &probe, [f64::INFINITY, threshold], None, scratch, |_, t| {
        let gap = triangle::triangle_gap(t, &[x; 3]);
        LeafGap { lower: gap.lower, upper: gap.upper, plane: None }
    })
}

/// The triangle of a part of a mesh that is nearest to a point (the mesh's frame), or one within `threshold`
/// of it, and its distance as computed. One farther than `within` need not be found.
#[inline(always)]
pub(crate) fn triangle_at(
    mesh: &Mesh,
    part: u32,
    p: Vec3,
    [within, threshold]: [f64; 2],
    scratch: &mut nearest::NearestScratch,
) -> Option<(u32, f64)> {
    let off = |t: &triangle::Triangle| (triangle::nearest_point(t, p) - p).norm();
    if part & LEAF != 0 {
        let triangle = part & !LEAF;
        return Some((triangle, off(mesh.triangle(triangle)?)));
    }
    let probe = Probe { center: p, half: Vec3::ZERO, plane: None };
    let leaf = |_: u32, t: &triangle::Triangle| {
        let d = off(t);
        LeafGap { lower: d, upper: d, plane: None }
    };
    let stops = [within, threshold];
    let found =
        nearest::nearest_in((mesh, part), &probe, stops, None, scratch, leaf, |_, _| f64::NEG_INFINITY);
    found.triangle.map(|t| (t, found.upper))
}
