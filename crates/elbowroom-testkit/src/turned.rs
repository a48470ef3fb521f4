//! Rings and pegs as meshes: what is extruded along z from outlines of equally many corners.
// No test uses all.
#![allow(dead_code)]

use elbowroom::describe::ShapeDescription;
use elbowroom::math::sin_cos;
use std::f64::consts::TAU;

/// The corners of a regular polygon whose sides are `apothem` away from the middle, counterclockwise.
pub fn polygon(corners: u32, apothem: f64) -> Vec<[f64; 2]> {
    let step = TAU / f64::from(corners);
    let radius = apothem / sin_cos(0.5 * step).1;
    let corner = |k: u32| {
        let (sine, cosine) = sin_cos(step * (f64::from(k) + 0.5));
        [radius * cosine, radius * sine]
    };
    (0..corners).map(corner).collect()
}

/// A solid between two heights that stands on a convex outline.
pub fn peg_mesh(outline: &[[f64; 2]], z: [f64; 2]) -> ShapeDescription {
    let n = outline.len() as u32;
    let vertices = z.iter().flat_map(|z| outline.iter().map(|[x, y]| [*x, *y, *z])).collect();
    let side = |i: u32| {
        let j = (i + 1) % n;
        [[i, j, j + n], [i, j + n, i + n]]
    };
    let ends = |k: u32| [[0, k + 2, k + 1], [n, n + k + 1, n + k + 2]];
    let triangles = (0..n).flat_map(side).chain((0..n - 2).flat_map(ends)).collect();
    ShapeDescription::Mesh { vertices, triangles }
}

/// A solid between two heights and two outlines of equally many corners, a hole and a rim.
pub fn ring_mesh(hole: &[[f64; 2]], rim: &[[f64; 2]], z: [f64; 2]) -> ShapeDescription {
    let n = hole.len() as u32;
    let level =
        |outline: &[[f64; 2]], z: f64| outline.iter().map(move |[x, y]| [*x, *y, z]).collect::<Vec<_>>();
    let vertices = [level(hole, z[0]), level(hole, z[1]), level(rim, z[0]), level(rim, z[1])].concat();
    let quad = |a: u32, b: u32, c: u32, d: u32| [[a, b, c], [a, c, d]];
    let side = |i: u32| {
        let j = (i + 1) % n;
        let [inner, inner_top, outer, outer_top] = [0, 1, 2, 3].map(|level| level * n);
        [
            quad(inner + j, inner + i, inner_top + i, inner_top + j),
            quad(outer + i, outer + j, outer_top + j, outer_top + i),
            quad(inner + i, inner + j, outer + j, outer + i),
            quad(inner_top + j, inner_top + i, outer_top + i, outer_top + j),
        ]
        .concat()
    };
    let triangles = (0..n).flat_map(side).collect();
    ShapeDescription::Mesh { vertices, triangles }
}
