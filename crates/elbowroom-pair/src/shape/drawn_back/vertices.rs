//! How the vertices of a closed surface move when its soft parts are drawn back.
//!
//! A triangle with three corners in a region belongs to the *patch*. A vertex of patch triangles alone moves
//! by the depth against the mean of their normals. A vertex at the patch's rim has other triangles too. It
//! moves only if it can slide: in the planes of all of these, where the surface is convex there. The rim of a
//! face with perpendicular sides does, as that of a box; where the sides are oblique it slides along them.
//! All other rims stay, and the pad is drawn back from the next vertices on.
//!
//! How far a vertex goes is at most the depth, as the proof needs (`super`). So the surface is drawn back by
//! less where it is bent: by the depth times the cosine between a triangle's normal and the vertex's way.

use super::soft_part::SoftPart;
use super::surface::ClosedSurface;
use crate::shape::tolerance::{PAD_INWARD, PAD_SAME_PLANE, PAD_SLACK, PAD_SLIDE};
use alloc::vec::Vec;
use elbowroom_describe::fault::PadFault;
use elbowroom_describe::limits::MAX_PAD_TRIANGLES;
use elbowroom_describe::math::Vec3;

/// A surface's vertices after the move.
pub(super) struct MovedVertices {
    pub points: Vec<Vec3>,
    /// By vertex, whether it moved.
    pub has_moved: Vec<bool>,
    /// By triangle, the part to which it belongs.
    pub part: Vec<Option<usize>>,
}

/// Moves the vertices of all parts, or says which part cannot be moved and why.
pub(super) fn move_vertices(
    surface: &ClosedSurface,
    parts: &[SoftPart],
) -> Result<MovedVertices, (usize, PadFault)> {
    let in_part = |number: usize| {
        let corners = surface.corners(number);
        parts.iter().position(|part| corners.iter().all(|p| part.contains(*p)))
    };
    let part: Vec<Option<usize>> = (0..surface.triangles.len()).map(in_part).collect();
    for number in 0..parts.len() {
        let triangles = part.iter().filter(|of| **of == Some(number)).count();
        if triangles == 0 {
            return Err((number, PadFault::NoSurface { part: "triangle" }));
        }
        if triangles > MAX_PAD_TRIANGLES {
            return Err((number, PadFault::TooManyTriangles { triangles }));
        }
    }
    let ways: Vec<Option<Vec3>> =
        (0..surface.points.len()).map(|vertex| way_of(vertex, surface, parts, &part)).collect();
    for number in 0..parts.len() {
        let mut triangles = (0..part.len()).filter(|t| part[*t] == Some(number));
        let moves = |t: usize| surface.triangles[t].iter().any(|k| ways[*k as usize].is_some());
        let count = triangles.clone().count();
        if !triangles.any(moves) {
            return Err((number, PadFault::Held { triangles: count }));
        }
    }
    let points = surface.points.iter().zip(&ways).map(|(p, way)| way.map_or(*p, |way| *p + way)).collect();
    Ok(MovedVertices { points, has_moved: ways.iter().map(Option::is_some).collect(), part })
}

/// How a vertex moves; `None` if it stays.
fn way_of(
    vertex: usize,
    surface: &ClosedSurface,
    parts: &[SoftPart],
    part: &[Option<usize>],
) -> Option<Vec3> {
    let here = surface.points[vertex];
    let around = || surface.around[vertex].iter().map(|t| *t as usize);
    let depth = around().filter_map(|t| part[t]).map(|of| parts[of].depth).reduce(f64::min)?;
    let (mut mean, mut planes): (Vec3, Vec<Vec3>) = (Vec3::ZERO, Vec::new());
    for t in around() {
        match (part[t], surface.normals[t]) {
            (Some(_), Some(normal)) => mean += normal * sine_at(surface, t, vertex),
            (Some(_), None) => {}
            (None, Some(normal)) => planes.push(normal),
            // Nothing is known of the plane of a triangle without area.
            (None, None) => return None,
        }
    }
    // Where the surface is not convex, a triangle that slides would leave its face.
    let corners = || around().flat_map(|t| surface.corners(t));
    let is_convex = planes.iter().all(|n| corners().all(|p| n.dot(p - here) <= PAD_SLIDE));
    if !is_convex {
        return None;
    }
    let mut way = -mean;
    let mut axes: Vec<Vec3> = Vec::new();
    for plane in &planes {
        let rest = axes.iter().fold(*plane, |rest, axis| rest - *axis * axis.dot(rest));
        if rest.norm() > PAD_SAME_PLANE {
            let axis = rest.normalized()?;
            way = way - axis * axis.dot(way);
            axes.push(axis);
        }
    }
    if axes.len() > 2 {
        return None;
    }
    let way = way.normalized()? * depth;
    let is_inward = |t: usize| surface.normals[t].is_none_or(|normal| normal.dot(way) <= -PAD_INWARD * depth);
    let slides = planes.iter().all(|plane| plane.dot(way).abs() <= PAD_SLIDE);
    let is_good = slides && around().filter(|t| part[*t].is_some()).all(is_inward) && depth > PAD_SLACK;
    is_good.then_some(way)
}

/// The sine of a triangle's angle at a vertex: how much its normal counts there.
fn sine_at(surface: &ClosedSurface, triangle: usize, vertex: usize) -> f64 {
    let corners = surface.corners(triangle);
    let at = surface.triangles[triangle].iter().position(|k| *k as usize == vertex).unwrap_or(0);
    let [a, b, c] = [0, 1, 2].map(|k| corners[(at + k) % 3]);
    let sides = (b - a).norm() * (c - a).norm();
    if sides > 0.0 { (b - a).cross(c - a).norm() / sides } else { 0.0 }
}
