//! Which sheets are open surfaces.
//!
//! A sheet is two triangles with the same corners, wound in opposite directions. One that closes nothing is
//! harmless inside the solid, where it is a wall, and on a face of it. Anywhere else it is an open surface,
//! however small: several sheets may have been meant to enclose something.

use super::data::Mesh;
use super::inside;
use super::nearest::{LeafGap, NearestScratch, Probe, search_nearest};
use crate::shape::tolerance::{CRACK_WORK, CRACKS};
use crate::shape::triangle::{self, Triangle};
use elbowroom_describe::math::Vec3;

/// Number of pieces of sheets that do not lie in the solid or on its surface, judged by their corners and
/// middles. `sheets` are pairs of a piece and a triangle of `corners`, sorted. Beyond a limit to the work,
/// sheets count as surfaces.
pub(super) fn open(mesh: &Mesh, corners: &[Triangle], sheets: &[(u32, u32)]) -> u32 {
    if sheets.is_empty() {
        return 0;
    }
    let mut budget = CRACK_WORK.saturating_mul(corners.len() as u64 + 1024);
    let mut scratch = NearestScratch::default();
    scratch.reserve(mesh.depth());
    let on = CRACKS[2] * mesh.radius + mesh.crack_half_width();
    let mut on_or_in = |p: Vec3| {
        if inside::contains_within(mesh, p, &mut budget) == Some(true) {
            return true;
        }
        let probe = Probe { center: p, half: Vec3::ZERO, plane: None };
        let gap = search_nearest(mesh, &probe, [on, on], None, &mut scratch, |leaf, t| {
            if budget == 0 {
                return LeafGap { lower: 0.0, upper: 0.0, plane: None };
            }
            budget -= 1;
            let bounds = mesh.winding[leaf as usize] != 0;
            let far = if bounds { (triangle::nearest_point(t, p) - p).norm() } else { f64::INFINITY };
            LeafGap { lower: far, upper: far, plane: None }
        });
        budget = budget.saturating_sub(gap.nodes.into());
        budget > 0 && gap.upper <= on
    };
    let mut harmless = |t: u32| {
        let [a, b, c] = corners[t as usize];
        [(a + b + c) * (1.0 / 3.0), a, b, c].into_iter().all(&mut on_or_in)
    };
    sheets.chunk_by(|a, b| a.0 == b.0).filter(|piece| !piece.iter().all(|s| harmless(s.1))).count() as u32
}
