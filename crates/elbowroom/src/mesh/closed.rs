//! Which parts of a surface enclose a volume.
//!
//! Vertices are merged where all three coordinates are equal, triangles whose merged vertices coincide drop out (they bound
//! nothing), as do exact copies, and triangles that share an edge form a *shell*. A shell is solid where its boundary vanishes:
//!
//! - *wound*: every edge is used as often in one direction as in the other. Then the winding number of a point is an integer that
//!   changes only across the shell. A shell in which every edge has two triangles but some are turned over is turned
//!   consistent first, where that is possible.
//! - *parity*: every edge is used an even number of times, but no consistent winding was found. Inside is where a ray crosses
//!   an odd number of times.
//! - *open*: anything else. It is a surface without an inside.
//!
//! A point is inside a mesh if the winding numbers of the wound shells do not cancel, or the parity shells say so. Files
//! are careless about which way a whole shell is turned, so a shell of negative volume counts as a hole only if it lies in
//! the material of a positive one (a hollow body's inner wall); otherwise it is turned over and is material. Where in doubt
//! space is solid, never free.

use super::{Mesh, inside};
use crate::math::Vec3;
use crate::tolerance::CAVITY_LIMIT;
use crate::triangle::Triangle;
use alloc::{vec, vec::Vec};

/// How many shells there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shells {
    /// Closed, with a consistent winding.
    pub wound: u32,
    /// Closed, without one.
    pub parity: u32,
    /// Not closed.
    pub open: u32,
}

/// `turns` of a triangle of a parity shell; ±1 belong to wound shells, 0 to open ones.
pub(crate) const PARITY: i8 = 2;

/// What [`analyse`] finds; triangles are numbered as given.
pub(crate) struct Surface {
    /// What each triangle adds to the winding number where a ray leaves through its front.
    pub(crate) turns: Vec<i8>,
    /// One triangle of each part that hangs together by vertices.
    pub(crate) parts: Vec<u32>,
    pub(crate) shells: Shells,
    /// Shell of each triangle.
    pub(crate) shell_of: Vec<u32>,
    /// Shells of negative volume as they were wound in the file, each with one of its triangles.
    pub(crate) inverted: Vec<(u32, u32)>,
}

/// Disjoint sets in which each member also knows whether it is turned against its set's first member.
struct Sets {
    parent: Vec<u32>,
    turned: Vec<bool>,
}

impl Sets {
    fn new(n: usize) -> Sets {
        Sets { parent: (0..n as u32).collect(), turned: vec![false; n] }
    }
    /// First member and whether `i` is turned against it; halves the path.
    fn find(&mut self, mut i: u32) -> (u32, bool) {
        let mut turned = false;
        loop {
            let p = self.parent[i as usize];
            if p == i {
                return (i, turned);
            }
            let g = self.parent[p as usize];
            turned ^= self.turned[i as usize];
            if g == p {
                return (p, turned);
            }
            // Link to the grandparent.
            let below = self.turned[i as usize];
            self.turned[i as usize] = below ^ self.turned[p as usize];
            self.parent[i as usize] = g;
            turned ^= self.turned[p as usize];
            i = g;
        }
    }
    /// Joins two sets; false if they were one already with the other turn. The smaller number stays first.
    fn join(&mut self, a: u32, b: u32, turned: bool) -> bool {
        let ((ra, ta), (rb, tb)) = (self.find(a), self.find(b));
        if ra == rb {
            return ta ^ tb == turned;
        }
        let (first, other) = if ra < rb { (ra, rb) } else { (rb, ra) };
        self.parent[other as usize] = first;
        self.turned[other as usize] = ta ^ tb ^ turned;
        true
    }
}

/// A number whose order is that of the coordinate; both zeros are one.
fn key(x: f64) -> u64 {
    let bits = (x + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// Merges equal vertices: a number per corner (three a triangle), and how many there are.
fn merge(triangles: &[Triangle]) -> (Vec<u32>, usize) {
    let mut all: Vec<([u64; 3], u32)> = triangles
        .iter()
        .flatten()
        .enumerate()
        .map(|(i, p)| ([key(p.x), key(p.y), key(p.z)], i as u32))
        .collect();
    all.sort_unstable();
    let mut merged = vec![0; all.len()];
    let mut next = 0;
    for (i, (k, corner)) in all.iter().enumerate() {
        if i > 0 && *k != all[i - 1].0 {
            next += 1;
        }
        merged[*corner as usize] = next;
    }
    (merged, next as usize + 1)
}

/// Triangles that repeat an earlier one, corner by corner and the same way round: they bound nothing more. A
/// triangle the other way round is no copy, but the wall of a neighbour.
fn copies(merged: &[u32]) -> Vec<bool> {
    let mut order: Vec<([u32; 3], u32)> = merged
        .chunks_exact(3)
        .enumerate()
        .map(|(t, c)| {
            let first = (0..3).min_by_key(|&k| c[k]).unwrap_or(0);
            ([0, 1, 2].map(|k| c[(first + k) % 3]), t as u32)
        })
        .collect();
    order.sort_unstable();
    let mut copies = vec![false; order.len()];
    for pair in order.windows(2) {
        if pair[0].0 == pair[1].0 {
            copies[pair[1].1 as usize] = true;
        }
    }
    copies
}

/// Sorts the surface into shells and parts.
pub(crate) fn analyse(triangles: &[Triangle]) -> Surface {
    let n = triangles.len();
    let (merged, vertices) = merge(triangles);
    let corner = |t: u32, k: usize| merged[3 * t as usize + k];

    let mut touching = Sets::new(vertices);
    for t in 0..n as u32 {
        touching.join(corner(t, 0), corner(t, 1), false);
        touching.join(corner(t, 1), corner(t, 2), false);
    }
    let mut parts = Vec::new();
    let mut seen = vec![false; vertices];
    for t in 0..n as u32 {
        let root = touching.find(corner(t, 0)).0 as usize;
        if !core::mem::replace(&mut seen[root], true) {
            parts.push(t);
        }
    }

    // Edges, the same undirected ones next to each other; the lowest bit tells the direction.
    let mut edges: Vec<(u64, u32)> = Vec::with_capacity(3 * n);
    let copies = copies(&merged);
    let solid = |t: u32| {
        let [a, b, c] = [0, 1, 2].map(|k| corner(t, k));
        a != b && b != c && c != a && !copies[t as usize]
    };
    for t in (0..n as u32).filter(|&t| solid(t)) {
        for k in 0..3 {
            let (a, b) = (corner(t, k), corner(t, (k + 1) % 3));
            let (low, high) = (a.min(b), a.max(b));
            edges.push((u64::from(low) << 32 | u64::from(high), t << 1 | u32::from(a > b)));
        }
    }
    edges.sort_unstable();

    let mut shells = Sets::new(n);
    for run in edges.chunk_by(|a, b| a.0 == b.0) {
        for e in &run[1..] {
            shells.join(run[0].1 >> 1, e.1 >> 1, false);
        }
    }
    let shell_of: Vec<u32> = (0..n as u32).map(|t| shells.find(t).0).collect();

    // Of each shell: is it a cycle as wound, is it one by parity, can it be turned consistent?
    let (mut wound, mut even, mut turnable) = (vec![true; n], vec![true; n], vec![true; n]);
    let mut turning = Sets::new(n);
    for run in edges.chunk_by(|a, b| a.0 == b.0) {
        let s = shell_of[(run[0].1 >> 1) as usize] as usize;
        let backward = run.iter().filter(|e| e.1 & 1 == 1).count();
        wound[s] &= 2 * backward == run.len();
        even[s] &= run.len() % 2 == 0;
        if let [a, b] = run {
            turnable[s] &= turning.join(a.1 >> 1, b.1 >> 1, (a.1 ^ b.1) & 1 == 0);
        } else {
            turnable[s] = false;
        }
    }

    let mut turns = vec![0_i8; n];
    let mut volume = vec![0.0_f64; n];
    let origin = triangles[0][0];
    for t in (0..n as u32).filter(|&t| solid(t)) {
        let s = shell_of[t as usize] as usize;
        turns[t as usize] = match (wound[s], even[s], turnable[s]) {
            (true, ..) => 1,
            (false, true, true) => 1 - 2 * i8::from(turning.find(t).1),
            (false, true, false) => PARITY,
            (false, false, _) => 0,
        };
        let [a, b, c] = triangles[t as usize].map(|p| p - origin);
        volume[s] += a.dot(b.cross(c)) * f64::from(turns[t as usize]);
    }
    let total: f64 = volume.iter().zip(&wound).filter(|(_, w)| **w).map(|(v, _)| v).sum();
    let mut counts = Shells::default();
    let mut inverted = Vec::new();
    for t in (0..n as u32).filter(|&t| solid(t) && shell_of[t as usize] == t) {
        let s = t as usize;
        match turns[s] {
            0 => counts.open += 1,
            PARITY => counts.parity += 1,
            _ => {
                counts.wound += 1;
                // A file that winds everything inwards means the same as one that winds it outwards.
                let negative = if wound[s] && total < 0.0 { volume[s] > 0.0 } else { volume[s] < 0.0 };
                if negative && wound[s] {
                    inverted.push((t, t));
                }
            }
        }
    }
    for t in (0..n as u32).filter(|&t| solid(t)) {
        let s = shell_of[t as usize] as usize;
        let turn = &mut turns[t as usize];
        if turn.abs() == 1 && volume[s] < 0.0 {
            *turn = -*turn;
        }
    }
    Surface { turns, parts, shells: counts, shell_of, inverted }
}

/// Makes the inverted shells that lie in the material of the others into holes. All shells arrive turned outwards.
pub(crate) fn settle_cavities(mesh: &mut Mesh, inverted: &[(u32, u32)], shell_of: &[u32]) {
    if inverted.is_empty() {
        return;
    }
    let mut sign = vec![1_i8; shell_of.len()];
    inverted.iter().for_each(|&(s, _)| sign[s as usize] = 0);
    let outward = mesh.turns.clone();
    let apply = |mesh: &mut Mesh, sign: &[i8]| {
        for (leaf, &source) in mesh.sources.iter().enumerate() {
            let s = sign[shell_of[source as usize] as usize];
            mesh.turns[leaf] = if outward[leaf] == PARITY { PARITY } else { outward[leaf] * s };
        }
    };
    apply(mesh, &sign);
    let mut place = vec![0_u32; mesh.sources.len()];
    mesh.sources.iter().enumerate().for_each(|(leaf, &s)| place[s as usize] = leaf as u32);
    let found: Vec<(u32, bool)> = inverted
        .iter()
        .map(|&(s, t)| {
            let p: Vec3 = mesh.triangles[place[t as usize] as usize][0];
            (s, inverted.len() <= CAVITY_LIMIT && inside::contains(mesh, p) == Some(true))
        })
        .collect();
    for (s, hole) in found {
        sign[s as usize] = if hole { -1 } else { 1 };
    }
    apply(mesh, &sign);
}
