//! Checks that a set of triangles is the boundary of a convex body: independently of how it was built, with
//! exact signs, in O(F log F).
//!
//! The triangles form one closed oriented 2-manifold (every directed edge occurs once, and so does its
//! reverse; the triangles at each vertex are one cycle; it is connected). It is a sphere (V - E + F = 2). It
//! is convex across every edge. At every vertex the triangles bound a convex cone (seen from one neighbour,
//! all others are in order within half a circle, so the cycle does not wind twice). A closed connected
//! surface that is convex at each of its points bounds a convex body: van Heijenoort, "On locally convex
//! manifolds" (1952). On such local checks see Mehlhorn et al., "Checking geometric programs or verification
//! of geometric structures" (1996).

use super::predicate::plane_side;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::fault::HullFault;
use elbowroom_describe::math::Vec3;

pub(super) fn check_convex(vertices: &[Vec3], faces: &[[u32; 3]]) -> Result<(), HullFault> {
    match vertices.len() {
        0..=16 => convex_small::<16>(vertices, faces),
        17..=32 => convex_small::<32>(vertices, faces),
        33..=64 => convex_small::<64>(vertices, faces),
        _ => convex_large(vertices, faces),
    }
}

fn fail_unproved<T>(what: &'static str) -> Result<T, HullFault> {
    Err(HullFault::Unproved { what })
}

/// Whether the neighbours of a vertex, at least three in the order of their cycle, lie in that order within
/// half a circle as seen from the first one. Three neighbours that follow each other are the test of the edge
/// to the middle one, which is made for all edges anyway. So up to four neighbours need no further test.
#[inline(always)]
fn is_cone(ring: usize, at: impl Fn(usize) -> Vec3, v: Vec3) -> bool {
    (3..ring - 1).all(|k| {
        let (a, b, before, c) = (at(0), at(1), at(k - 1), at(k));
        !(plane_side(v, a, b, c) > 0.0 || plane_side(v, before, c, a) > 0.0)
    })
}

/// For up to `N` vertices, and not more than 64, a square table holds the third corner of the triangle left
/// of each edge.
fn convex_small<const N: usize>(vertices: &[Vec3], faces: &[[u32; 3]]) -> Result<(), HullFault> {
    let n = vertices.len();
    const NONE: u8 = u8::MAX;
    let mut left = [[NONE; N]; N];
    // The neighbours of each vertex, as bits.
    let mut near = [0_u64; N];
    for f in faces {
        if f.iter().any(|v| *v as usize >= n) {
            return fail_unproved("a face names no vertex");
        }
        let (a, b, c) = (f[0] as usize, f[1] as usize, f[2] as usize);
        for (v, w, x) in [(a, b, c), (b, c, a), (c, a, b)] {
            if core::mem::replace(&mut left[v][w], x as u8) != NONE {
                return fail_unproved("an edge has not two sides");
            }
            near[v] |= 1 << w;
        }
    }
    let at = |v: usize| vertices[v];
    let mut ring = [0_usize; N];
    for v in 0..n {
        let degree = near[v].count_ones() as usize;
        if degree < 3 {
            return fail_unproved("an edge has not two sides");
        }
        let start = near[v].trailing_zeros() as usize;
        let mut w = start;
        for (k, entry) in ring[..degree].iter_mut().enumerate() {
            *entry = w;
            let (x, y) = (left[v][w], left[w][v]);
            if x == NONE || y == NONE {
                return fail_unproved("an edge has not two sides");
            }
            // Once an edge: from its other vertex it is the same test.
            if v < w && plane_side(at(v), at(w), at(x as usize), at(y as usize)) > 0.0 {
                return fail_unproved("an edge is not convex");
            }
            w = x as usize;
            if (w == start) != (k + 1 == degree) {
                return fail_unproved("the faces at a vertex are not one cycle");
            }
        }
        if !is_cone(degree, |k| at(ring[k]), at(v)) {
            return fail_unproved("a vertex is not convex");
        }
    }
    let (mut reached, mut next) = (1_u64, 1_u64);
    while next != 0 {
        let v = next.trailing_zeros() as usize;
        next &= next - 1;
        next |= near[v] & !reached;
        reached |= near[v];
    }
    if reached.count_ones() as usize != n || 2 * n != faces.len() + 4 {
        return fail_unproved("the surface is not a sphere");
    }
    not_flat(vertices, faces)
}

fn not_flat(vertices: &[Vec3], faces: &[[u32; 3]]) -> Result<(), HullFault> {
    let [a, b, c] = faces[0].map(|v| vertices[v as usize]);
    let off = |v: &u32| plane_side(a, b, c, vertices[*v as usize]) < 0.0;
    // Corners of the first face are in its plane.
    let others = (0..vertices.len() as u32).rev().filter(|v| !faces[0].contains(v));
    if !others.into_iter().any(|v| off(&v)) {
        return fail_unproved("the surface has no inside");
    }
    Ok(())
}

fn convex_large(vertices: &[Vec3], faces: &[[u32; 3]]) -> Result<(), HullFault> {
    let n = vertices.len();
    // Triangles by their first vertex: (second, third), in counter-clockwise order.
    let mut starts = vec![0usize; n + 1];
    for f in faces {
        for &v in f {
            match starts.get_mut(v as usize + 1) {
                Some(s) => *s += 1,
                None => return fail_unproved("a face names no vertex"),
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
    // The vertex after w in the cycle about v: the third corner of the triangle left of the edge from v to w.
    let left = |v: u32, w: u32| {
        let at = wings_at(v);
        at.binary_search_by_key(&w, |&(second, _)| second).ok().map(|i| at[i].1)
    };

    let at = |v: u32| vertices[v as usize];
    let mut ring = Vec::new();
    for v in 0..n as u32 {
        let around = wings_at(v);
        if around.len() < 3 || around.windows(2).any(|w| w[0].0 == w[1].0) {
            return fail_unproved("an edge has not two sides");
        }
        for &(w, x) in around {
            let Some(y) = left(w, v) else { return fail_unproved("an edge has not two sides") };
            // Once an edge: from its other vertex it is the same test.
            if v < w && plane_side(at(v), at(w), at(x), at(y)) > 0.0 {
                return fail_unproved("an edge is not convex");
            }
        }
        ring.clear();
        let mut w = around[0].0;
        for _ in 0..around.len() {
            ring.push(w);
            match left(v, w) {
                Some(x) => w = x,
                None => return fail_unproved("an edge has not two sides"),
            }
            if w == ring[0] {
                break;
            }
        }
        if ring.len() != around.len() || w != ring[0] {
            return fail_unproved("the faces at a vertex are not one cycle");
        }
        if !is_cone(ring.len(), |k| at(ring[k]), at(v)) {
            return fail_unproved("a vertex is not convex");
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
        return fail_unproved("the surface is not a sphere");
    }
    not_flat(vertices, faces)
}
