//! The proof that a surface whose vertices moved lies in the body that it bounded before.
//!
//! Let `T` be a triangle of the patch and `T'` where it is after the move. The middle of `T'` is inside the
//! body. No triangle of the old surface crosses `T'`. So all of `T'` is inside, and the body that the moved
//! surface bounds is too. That `U` of the old surface does not cross `T'` is proved in one of three ways:
//!
//! - all corners of `T'` lie on the inner side of the plane of `U`, within [`PAD_SLACK`];
//! - the two are proved apart ([`triangle_gap`]);
//! - they share corners that stay. With two of these and different planes they meet in the common edge. With
//!   one they meet in a segment from it, which ends at the opposite side of one of them: so if each opposite
//!   side is proved apart from the other triangle, they meet in the corner alone.
//!
//! A triangle that only slides keeps its plane, and the surface is convex where its corners move. It must be
//! wound as before, as `T'` must: else a face has passed its opposite edge.

use super::surface::{ClosedSurface, corners_in, normal_of};
use super::vertices::MovedVertices;
use crate::shape::mesh::{Mesh, inside};
use crate::shape::tolerance::{PAD_SAME_PLANE, PAD_SLACK};
use crate::shape::triangle::{Triangle, triangle_gap};
use alloc::vec::Vec;
use elbowroom_describe::fault::PadFault;
use elbowroom_describe::math::Vec3;

/// The triangles of the old surface, sorted by their lower ends along x.
struct Sorted {
    order: Vec<(f64, u32)>,
    /// The longest extent of one along x (metres).
    longest: f64,
}

/// Proves that the moved surface lies in the old one, or says which part does not and where.
pub(super) fn check_inside(surface: &ClosedSurface, moved: &MovedVertices) -> Result<(), (usize, PadFault)> {
    let fault = |t: usize, at: Vec3| {
        let number = surface.triangles[t].iter().flat_map(|k| &surface.around[*k as usize]);
        let number = number.filter_map(|near| moved.part[*near as usize]).next();
        (moved.part[t].or(number).unwrap_or(0), PadFault::Crossing { at: at.to_array() })
    };
    let body = Mesh::new(&surface.points, &surface.triangles);
    let body = body.map_err(|_| (0, PadFault::OpenMesh { edges: 0 }))?;
    let old = sort_triangles(surface);
    for (t, triangle) in surface.triangles.iter().enumerate() {
        if !triangle.iter().any(|k| moved.has_moved[*k as usize]) {
            continue;
        }
        let after = corners_in(&moved.points, triangle);
        let (before, now) = (surface.normals[t], normal_of(&after));
        let place = surface.corners(t)[0];
        match (before, now) {
            (Some(before), Some(now)) if before.dot(now) > 0.0 => {}
            (None, _) if moved.part[t].is_some() => {}
            _ => return Err(fault(t, place)),
        }
        let middle = (after[0] + after[1] + after[2]) * (1.0 / 3.0);
        let is_inside = moved.part[t].is_none() || inside::contains(&body, middle) == Some(true);
        if !is_inside || !crosses_none(t, &after, surface, moved, &old) {
            return Err(fault(t, place));
        }
    }
    Ok(())
}

fn sort_triangles(surface: &ClosedSurface) -> Sorted {
    let ends = |t: usize| {
        let [a, b, c] = surface.corners(t).map(|p| p.x);
        [a.min(b).min(c), a.max(b).max(c)]
    };
    let mut order: Vec<(f64, u32)> = (0..surface.triangles.len()).map(|t| (ends(t)[0], t as u32)).collect();
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let longest = (0..surface.triangles.len()).map(|t| ends(t)[1] - ends(t)[0]).fold(0.0, f64::max);
    Sorted { order, longest }
}

/// Whether a triangle that moved is proved to cross no triangle of the old surface.
fn crosses_none(
    t: usize,
    after: &Triangle,
    surface: &ClosedSurface,
    moved: &MovedVertices,
    old: &Sorted,
) -> bool {
    let low = after[0].min(after[1]).min(after[2]);
    let high = after[0].max(after[1]).max(after[2]);
    let room = Vec3 { x: PAD_SLACK, y: PAD_SLACK, z: PAD_SLACK };
    let (low, high) = (low - room, high + room);
    let first = old.order.partition_point(|(x, _)| *x < low.x - old.longest);
    old.order[first..].iter().take_while(|(x, _)| *x <= high.x).all(|(_, u)| {
        let other = surface.corners(*u as usize);
        let over = other[0].min(other[1]).min(other[2]) - high;
        let under = low - other[0].max(other[1]).max(other[2]);
        let is_far = over.x.max(over.y).max(over.z).max(under.x).max(under.y).max(under.z) > 0.0;
        is_far || meets_allowed(t, after, *u as usize, surface, moved)
    })
}

/// Whether a moved triangle is proved not to cross a triangle of the old surface.
fn meets_allowed(
    t: usize,
    after: &Triangle,
    u: usize,
    surface: &ClosedSurface,
    moved: &MovedVertices,
) -> bool {
    let other = surface.corners(u);
    let normal = surface.normals[u];
    let heights = normal.map(|normal| after.map(|p| normal.dot(p - other[0])));
    if heights.is_some_and(|heights| heights.iter().all(|height| *height <= PAD_SLACK)) {
        return true;
    }
    if triangle_gap(after, &other).lower > 0.0 {
        return true;
    }
    let (mine, theirs) = (surface.triangles[t], surface.triangles[u]);
    let stays = |k: &u32| !moved.has_moved[*k as usize];
    let is_shared = |k: &u32| stays(k) && theirs.contains(k);
    let apart = |a: Vec3, b: Vec3, of: &Triangle| triangle_gap(&[a, b, b], of).lower > 0.0;
    match mine.iter().filter(|k| is_shared(k)).count() {
        2 => match (normal, normal_of(after)) {
            (Some(n), Some(m)) => n.cross(m).norm() > PAD_SAME_PLANE,
            _ => false,
        },
        1 => {
            let opposite = |of: &[u32; 3], corners: &Triangle| {
                let at = of.iter().position(|k| is_shared(k) && mine.contains(k)).unwrap_or(0);
                [corners[(at + 1) % 3], corners[(at + 2) % 3]]
            };
            let ([a, b], [c, d]) = (opposite(&mine, after), opposite(&theirs, &other));
            apart(a, b, &other) && apart(c, d, after)
        }
        _ => false,
    }
}
