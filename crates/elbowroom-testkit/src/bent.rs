//! Solids that are closed and not convex; tests of units use them too.
// No test uses all.
#![allow(dead_code)]

use elbowroom::describe::ShapeDescription;

/// An L that stands on its outline, from the one height to the other. The outline's fourth corner is the one
/// in its notch, and all six go round to the left.
pub fn ell(outline: [[f64; 2]; 6], z: [f64; 2]) -> ShapeDescription {
    let vertices = z.iter().flat_map(|z| outline.map(|[x, y]| [x, y, *z])).collect();
    let side = |i: u32| {
        let j = (i + 1) % 6;
        [[i, j, j + 6], [i, j + 6, i + 6]]
    };
    let ends = |k: u32| [[0, k + 2, k + 1], [6, k + 7, k + 8]];
    let triangles = (0..6).flat_map(side).chain((0..4).flat_map(ends)).collect();
    ShapeDescription::Mesh { vertices, triangles }
}

/// Two cubes joined at right angles, a third one between them.
pub fn bent(size: f64) -> ShapeDescription {
    let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    ell(outline.map(|p| p.map(|x| x * size)), [0.0, size])
}

/// The outline of two unit legs a fifth thick.
pub const LEGS: [[f64; 2]; 6] = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.2], [0.2, 0.2], [0.2, 1.0], [0.0, 1.0]];
