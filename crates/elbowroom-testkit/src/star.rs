//! Solids all of whose surface is seen from a point inside: spheres whose corners are moved in or out.

use crate::rng::Rng;
use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Vec3, sin_cos, vec3};
use std::f64::consts::{PI, TAU};

/// Corners and triangles of a sphere about the origin: a pole, so many rings of corners, and the other pole.
/// `distance` says how far out each corner is, by its direction (unit vector).
pub fn star_mesh(
    rings: u32,
    sectors: u32,
    mut distance: impl FnMut(Vec3) -> f64,
) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut corners = vec![Vec3::Z * distance(Vec3::Z)];
    for ring in 1..=rings {
        let (down, up) = sin_cos(PI * f64::from(ring) / f64::from(rings + 1));
        for sector in 0..sectors {
            let (y, x) = sin_cos(TAU * f64::from(sector) / f64::from(sectors));
            let direction = vec3(down * x, down * y, up);
            corners.push(direction * distance(direction));
        }
    }
    corners.push(Vec3::Z * -distance(-Vec3::Z));
    let at = |ring: u32, sector: u32| 1 + ring * sectors + sector % sectors;
    let last = corners.len() as u32 - 1;
    let mut triangles = Vec::new();
    for s in 0..sectors {
        triangles.push([0, at(0, s), at(0, s + 1)]);
        triangles.push([last, at(rings - 1, s + 1), at(rings - 1, s)]);
        for r in 0..rings - 1 {
            triangles.push([at(r, s), at(r + 1, s), at(r + 1, s + 1)]);
            triangles.push([at(r, s), at(r + 1, s + 1), at(r, s + 1)]);
        }
    }
    (corners, triangles)
}

/// A solid with ridges and dents all round: all corners but the poles are at random distances.
pub fn bumpy_solid(rng: &mut Rng) -> ShapeDescription {
    let is_pole = |direction: Vec3| direction.z.abs() == 1.0;
    let (corners, triangles) =
        star_mesh(5, 9, |direction| if is_pole(direction) { 0.6 } else { rng.range(0.3, 0.8) });
    ShapeDescription::Mesh { vertices: corners.into_iter().map(Vec3::to_array).collect(), triangles }
}
