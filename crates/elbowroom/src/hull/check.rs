//! Is this set of triangles the boundary of a convex body? From scratch, with exact signs, in O(F log F).
//!
//! Checked: the triangles form one closed oriented 2-manifold (every directed edge once, with its reverse; the
//! triangles at each vertex are one cycle; connected); it is a sphere (V - E + F = 2); across every edge it is
//! convex; and at every vertex the triangles bound a convex cone (from one neighbour all others are seen in one turn
//! of less than half a circle, so the cycle does not wind twice). A closed connected surface that is convex at each
//! of its points bounds a convex body: van Heijenoort, "On locally convex manifolds" (1952). For the use of such
//! local checks see Mehlhorn et al., "Checking geometric programs or verification of geometric structures" (1996).

use super::HullFault;
use super::predicate::height;
use crate::math::Vec3;
use alloc::{vec, vec::Vec};

pub(super) fn convex(vertices: &[Vec3], faces: &[[u32; 3]]) -> Result<(), HullFault> {
    let fail = |what| Err(HullFault::Unproved { what });
    let n = vertices.len();
    // Triangles by their first vertex: (second, third), in counter-clockwise order.
    let mut starts = vec![0usize; n + 1];
    for f in faces {
        for &v in f {
            match starts.get_mut(v as usize + 1) {
                Some(s) => *s += 1,
                None => return fail("a face names no vertex"),
            }
        }
    }
    for v in 0..n {
        starts[v + 1] += starts[v];
    }
    let mut fill = starts.clone();
    let mut wings = vec![(0u32, 0u32); 3 * faces.len()];
    for &[a, b, c] in faces {
        for (v, wing) in [(a, (b, c)), (b, (c, a)), (c, (a, b))] {
            wings[fill[v as usize]] = wing;
            fill[v as usize] += 1;
        }
    }
    for v in 0..n {
        wings[starts[v]..starts[v + 1]].sort_unstable();
    }
    let wings_at = |v: u32| &wings[starts[v as usize]..starts[v as usize + 1]];
    // What follows w in the cycle about v: the third corner of the triangle left of the edge from v to w.
    let left = |v: u32, w: u32| {
        let at = wings_at(v);
        at.binary_search_by_key(&w, |&(second, _)| second).ok().map(|i| at[i].1)
    };

    let at = |v: u32| vertices[v as usize];
    let mut ring = Vec::new();
    for v in 0..n as u32 {
        let around = wings_at(v);
        if around.len() < 3 || around.windows(2).any(|w| w[0].0 == w[1].0) {
            return fail("an edge has not two sides");
        }
        for &(w, x) in around {
            let Some(y) = left(w, v) else { return fail("an edge has not two sides") };
            if height(at(v), at(w), at(x), at(y)) > 0.0 {
                return fail("an edge is not convex");
            }
        }
        ring.clear();
        let mut w = around[0].0;
        for _ in 0..around.len() {
            ring.push(w);
            match left(v, w) {
                Some(x) => w = x,
                None => return fail("an edge has not two sides"),
            }
            if w == ring[0] {
                break;
            }
        }
        if ring.len() != around.len() || w != ring[0] {
            return fail("the faces at a vertex are not one cycle");
        }
        let (a, b) = (at(ring[0]), at(ring[1]));
        for k in 1..ring.len() {
            let c = at(ring[k]);
            let turned_back = ring.get(k + 1).is_some_and(|&d| height(at(v), c, at(d), a) > 0.0);
            if height(at(v), a, b, c) > 0.0 || turned_back {
                return fail("a vertex is not convex");
            }
        }
    }
    // Connected, and a sphere: 2 E = 3 F.
    let mut reached = vec![false; n];
    let mut stack = vec![0u32];
    reached[0] = true;
    let mut count = 1usize;
    while let Some(v) = stack.pop() {
        for &(w, _) in wings_at(v) {
            if !reached[w as usize] {
                reached[w as usize] = true;
                count += 1;
                stack.push(w);
            }
        }
    }
    if count != n || 2 * n != faces.len() + 4 {
        return fail("the surface is not a sphere");
    }
    // Not flat.
    let [a, b, c] = faces[0].map(at);
    if !vertices.iter().any(|&x| height(a, b, c, x) < 0.0) {
        return fail("the surface has no inside");
    }
    Ok(())
}
