//! Solids with ridges and dents.

use crate::rng::Rng;
use elbowroom::describe::ShapeDescription;
use elbowroom::math::sin_cos;
use std::f64::consts::PI;

/// A solid with ridges and dents all round: a ball whose corners are at random distances.
pub fn bumpy(rng: &mut Rng) -> ShapeDescription {
    let (rings, sectors) = (6, 9);
    let mut vertices = vec![[0.0, 0.0, 0.6]];
    for i in 1..rings {
        for j in 0..sectors {
            let [(up, along), (y, x)] =
                [PI * f64::from(i) / f64::from(rings), 2.0 * PI * f64::from(j) / f64::from(sectors)]
                    .map(sin_cos);
            let way = [up * x, up * y, along];
            let r = rng.range(0.3, 0.8);
            vertices.push(way.map(|x| x * r));
        }
    }
    vertices.push([0.0, 0.0, -0.6]);
    let at = |i: u32, j: u32| 1 + (i - 1) * sectors + j % sectors;
    let last = vertices.len() as u32 - 1;
    let mut triangles = Vec::new();
    for j in 0..sectors {
        triangles.push([0, at(1, j), at(1, j + 1)]);
        triangles.push([last, at(rings - 1, j + 1), at(rings - 1, j)]);
        for i in 1..rings - 1 {
            triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    ShapeDescription::Mesh { vertices, triangles }
}
