//! The closed shells of a mesh.

use crate::math::Vec3;
use std::collections::BTreeMap;

/// For a mesh in which every edge is shared by exactly two triangles (corners compared by value) the shell of
/// each triangle: those that share edges are one. Empty for any other mesh.
pub fn triangle_shells(triangles: &[[Vec3; 3]]) -> Vec<usize> {
    let key = |p: Vec3| p.to_array().map(|c| (c + 0.0).to_bits());
    let mut edges: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (t, corners) in triangles.iter().enumerate() {
        for i in 0..3 {
            let (p, q) = (key(corners[i]), key(corners[(i + 1) % 3]));
            edges.entry((p.min(q), p.max(q))).or_default().push(t);
        }
    }
    if edges.values().any(|of| of.len() != 2) {
        return Vec::new();
    }
    let mut next: Vec<usize> = (0..triangles.len()).collect();
    let first = |next: &Vec<usize>, mut t: usize| {
        while next[t] != t {
            t = next[t];
        }
        t
    };
    for of in edges.values() {
        let (a, b) = (first(&next, of[0]), first(&next, of[1]));
        next[a.max(b)] = a.min(b);
    }
    (0..triangles.len()).map(|t| first(&next, t)).collect()
}
