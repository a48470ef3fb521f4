//! From triangles and their edges to closed shells.
//!
//! A triangle with an edge that no other triangle has bounds nothing. It is removed, and so are the triangles
//! that then have such an edge, again and again: a fin on a body disappears, and a surface with a hole as a
//! whole. The rest is shells of triangles that share edges; [`sort`] decides the kind of each. Everything is
//! a few sorts and sweeps.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

/// An edge of a triangle: its two vertices, the smaller in the upper 32 bits; and `2 * triangle + 1` if the
/// triangle has it from the larger to the smaller vertex, else `2 * triangle`.
pub(super) type Edge = (u64, u32);

/// The edge of triangle `t` from vertex `a` to `b`.
pub(super) fn directed_edge(a: u32, b: u32, t: u32) -> Edge {
    (u64::from(a.min(b)) << 32 | u64::from(a.max(b)), t << 1 | u32::from(a > b))
}

/// Both vertices of an edge, the smaller first.
pub(super) fn edge_ends(key: u64) -> (u32, u32) {
    ((key >> 32) as u32, key as u32)
}

/// Sorts items by the number of their first vertex (`first`), of so many vertices: a counting sort, then the
/// few items of each vertex.
pub(super) fn sort_by_vertex<T: Copy + Default + Ord>(
    mut items: Vec<T>,
    vertices: usize,
    first: impl Fn(&T) -> u32,
) -> Vec<T> {
    let first = |item: &T| first(item) as usize;
    // To count many vertices takes longer than to sort few items.
    if items.len() < vertices / 2 || items.iter().any(|item| first(item) >= vertices) {
        items.sort_unstable();
        return items;
    }
    let mut starts = vec![0_usize; vertices + 1];
    items.iter().for_each(|item| starts[first(item) + 1] += 1);
    (0..vertices).for_each(|v| starts[v + 1] += starts[v]);
    let mut sorted = vec![T::default(); items.len()];
    for item in items {
        let at = &mut starts[first(&item)];
        sorted[*at] = item;
        *at += 1;
    }
    sorted.chunk_by_mut(|a, b| first(a) == first(b)).for_each(<[T]>::sort_unstable);
    sorted
}

/// How two members of a set are oriented to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Orientation {
    Same,
    Opposite,
}

/// Union-find in which each member also has an orientation relative to the representative of its set.
pub(super) struct UnionFind {
    parent: Vec<u32>,
    /// Whether a member is opposite to its parent.
    opposite: Vec<bool>,
}

impl UnionFind {
    pub(super) fn new(n: usize) -> UnionFind {
        UnionFind { parent: (0..n as u32).collect(), opposite: vec![false; n] }
    }
    /// The representative of `i`'s set, which is its smallest member, and whether `i` is opposite to it.
    /// Halves the path.
    pub(super) fn find_oriented(&mut self, mut i: u32) -> (u32, bool) {
        let mut opposite = false;
        loop {
            let p = self.parent[i as usize];
            if p == i {
                return (i, opposite);
            }
            let g = self.parent[p as usize];
            opposite ^= self.opposite[i as usize];
            if g == p {
                return (p, opposite);
            }
            // Link to the grandparent.
            let below = self.opposite[i as usize];
            self.opposite[i as usize] = below ^ self.opposite[p as usize];
            self.parent[i as usize] = g;
            opposite ^= self.opposite[p as usize];
            i = g;
        }
    }
    /// The representative of `i`'s set.
    pub(super) fn find_root(&mut self, i: u32) -> u32 {
        self.find_oriented(i).0
    }
    /// Joins two sets.
    pub(super) fn join(&mut self, a: u32, b: u32) {
        self.join_oriented(a, b, Orientation::Same);
    }
    /// Joins two sets with an orientation of `a` and `b`; false if they are in one set with the other
    /// orientation.
    pub(super) fn join_oriented(&mut self, a: u32, b: u32, orientation: Orientation) -> bool {
        let opposite = orientation == Orientation::Opposite;
        let ((ra, oa), (rb, ob)) = (self.find_oriented(a), self.find_oriented(b));
        if ra == rb {
            return oa ^ ob == opposite;
        }
        let (first, other) = if ra < rb { (ra, rb) } else { (rb, ra) };
        self.parent[other as usize] = first;
        self.opposite[other as usize] = oa ^ ob ^ opposite;
        true
    }
}

/// The kind of a closed shell.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ShellKind {
    /// Every edge is used as often in one direction as in the other.
    Wound,
    /// After some triangles are flipped, every edge is used as often in one direction as in the other.
    Flipped,
    /// Every edge is used an even number of times.
    Parity,
}

/// A triangle of a closed shell.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub(super) triangle: u32,
    /// The shell, as its first triangle.
    pub(super) shell: u32,
    pub(super) kind: ShellKind,
    /// The triangle is to be flipped, in a shell that is [`ShellKind::Flipped`].
    pub(super) flipped: bool,
}

/// Removes triangles with an edge that no other triangle has, as long as there are any.
fn peel_open_triangles(edges: &mut Vec<Edge>, triangles: usize) {
    let mut runs: Vec<(usize, u32)> = Vec::new();
    let mut of: Vec<(u32, u32)> = Vec::with_capacity(edges.len());
    for run in edges.chunk_by(|a, b| a.0 == b.0) {
        of.extend(run.iter().map(|e| (e.1 >> 1, runs.len() as u32)));
        runs.push((of.len() - run.len(), run.len() as u32));
    }
    let mut work: Vec<u32> = runs.iter().filter(|r| r.1 == 1).map(|r| edges[r.0].1 >> 1).collect();
    if work.is_empty() {
        return;
    }
    of.sort_unstable();
    let mut gone = vec![false; triangles];
    while let Some(t) = work.pop() {
        if core::mem::replace(&mut gone[t as usize], true) {
            continue;
        }
        let first = of.partition_point(|x| x.0 < t);
        for &(_, r) in of[first..].iter().take_while(|x| x.0 == t) {
            let (start, left) = &mut runs[r as usize];
            *left -= 1;
            if *left == 1 {
                // This happens at most once a run.
                let run = edges[*start..].iter().take_while(|e| e.0 == edges[*start].0);
                work.extend(run.map(|e| e.1 >> 1).filter(|t| !gone[*t as usize]));
            }
        }
    }
    edges.retain(|e| !gone[(e.1 >> 1) as usize]);
}

/// Those triangles of `spare` that may close the others: every edge that is used an odd number of times takes
/// another triangle of `spare`, as long as there is one. `edges` (sorted) are the edges of both.
pub(super) fn find_patches(edges: &[Edge], spare: &[u32]) -> Vec<u32> {
    let spare: BTreeSet<u32> = spare.iter().copied().collect();
    let (mut odd, mut on, mut around) = (BTreeSet::new(), BTreeMap::new(), BTreeMap::new());
    for run in edges.chunk_by(|a, b| a.0 == b.0) {
        let (may, must): (Vec<u32>, Vec<u32>) = run.iter().map(|e| e.1 >> 1).partition(|t| spare.contains(t));
        if must.len() % 2 == 1 {
            odd.insert(run[0].0);
        }
        for &t in &may {
            around.entry(t).or_insert_with(Vec::new).push(run[0].0);
        }
        on.insert(run[0].0, may);
    }
    let mut used = BTreeSet::new();
    while let Some(key) = odd.pop_first() {
        // Without one the edge stays odd.
        while let Some(t) = on.get_mut(&key).and_then(Vec::pop) {
            if !used.insert(t) {
                continue;
            }
            odd.insert(key);
            for &k in around.get(&t).into_iter().flatten() {
                if !odd.remove(&k) {
                    odd.insert(k);
                }
            }
            break;
        }
    }
    used.into_iter().collect()
}

/// The closed shells among triangles numbered below `triangles`, of which `edges` (sorted) are all the edges.
/// `together` are further pairs of triangles that belong to one shell.
pub(super) fn sort(mut edges: Vec<Edge>, triangles: usize, together: &[(u32, u32)]) -> Vec<Member> {
    peel_open_triangles(&mut edges, triangles);
    let mut live = vec![false; triangles];
    edges.iter().for_each(|e| live[(e.1 >> 1) as usize] = true);
    let mut shells = UnionFind::new(triangles);
    for run in edges.chunk_by(|a, b| a.0 == b.0) {
        for e in &run[1..] {
            shells.join(run[0].1 >> 1, e.1 >> 1);
        }
    }
    for &(a, b) in together.iter().filter(|(a, b)| live[*a as usize] && live[*b as usize]) {
        shells.join(a, b);
    }

    // For each shell: is it a cycle as wound, is it one by parity, can flipping make it consistent?
    let (mut wound, mut even) = (vec![true; triangles], vec![true; triangles]);
    let (mut flippable, mut orientations) = (vec![true; triangles], UnionFind::new(triangles));
    for run in edges.chunk_by(|a, b| a.0 == b.0) {
        let s = shells.find_root(run[0].1 >> 1) as usize;
        let backward = run.iter().filter(|e| e.1 & 1 == 1).count();
        wound[s] &= 2 * backward == run.len();
        even[s] &= run.len() % 2 == 0;
        if let [a, b] = run {
            let same_way = (a.1 ^ b.1) & 1 == 0;
            let orientation = if same_way { Orientation::Opposite } else { Orientation::Same };
            flippable[s] &= orientations.join_oriented(a.1 >> 1, b.1 >> 1, orientation);
        } else {
            flippable[s] = false;
        }
    }
    let mut members = Vec::new();
    for triangle in (0..triangles as u32).filter(|&t| live[t as usize]) {
        let shell = shells.find_root(triangle);
        let s = shell as usize;
        let kind = match (wound[s], even[s], flippable[s]) {
            (true, ..) => ShellKind::Wound,
            (false, true, true) => ShellKind::Flipped,
            (false, true, false) => ShellKind::Parity,
            (false, false, _) => continue,
        };
        let flipped = kind == ShellKind::Flipped && orientations.find_oriented(triangle).1;
        members.push(Member { triangle, shell, kind, flipped });
    }
    members
}
