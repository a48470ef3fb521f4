//! Which parts of a surface enclose a volume.
//!
//! Vertices are merged where all three coordinates are equal, triangles whose merged vertices coincide drop
//! out (they bound nothing), as do exact copies, and triangles that share an edge form a *shell* (`cycles`).
//! A shell is solid where its boundary vanishes:
//!
//! - *wound*: every edge is used as often in one direction as in the other. Then the winding number of a
//!   point is an integer that changes only across the shell. A shell in which every edge has two triangles
//!   but some are turned over is turned consistent first, where that is possible.
//! - *parity*: every edge is used an even number of times, but no consistent winding was found. Inside is
//!   where a ray crosses an odd number of times.
//! - *open*: anything else. It is a surface without an inside. Triangles with an edge of their own are open
//!   by themselves, and do not open the shell that they hang on.
//!
//! What is open is looked at again with cracks closed (`cracks`), first of the width of a rounding, at last
//! of [`CRACKS`] of the mesh's reach. A shell that closes so is solid: it bounds a volume together with
//! the *seams*, triangles that lie no farther from the surface than what [`super::Mesh::crack`] says. They
//! are no part of the surface, and no distance is measured to them; but a ray counts them, and which side a
//! point is on is known only farther from the surface than that. Triangles narrower than a crack bound
//! nothing and drop out; nor do shells thinner than one, which wait for a wider crack.
//!
//! A sheet, that is two triangles with the same corners, one the other way round, adds nothing to a winding
//! number. Both are left out at first, and a sheet on a closed shell or in it stays a surface. Sheets that
//! close by themselves (a body written with two-sided faces) bound a volume by parity. Where a file has an
//! odd number of triangles with the same corners, and both ways round, one is no copy: it is tried with what
//! is open. At last what is open is tried with sheets on its rim, one triangle of each, since a face written
//! twice, once turned over, may be what closes it. Whichever triangles are tried, only those whose boundary
//! vanishes are taken, each by one shell, and then the argument above holds whatever is left out: what a
//! sheet closes is solid, be it meant so or not.
//!
//! A point is inside a mesh if the winding numbers of the wound shells do not cancel, or one of the parity
//! shells says so (of the first [`PARITY_SHELLS`] each for itself, the others together). Files are careless
//! about which way a whole shell is turned, so a shell of negative volume counts as a hole only if it lies in
//! the material of a positive one (a hollow body's inner wall); otherwise it is turned over and is material.
//! Where layers might cancel out (a parity shell, an edge with more than two triangles, sheets that close
//! nothing) a point is outside only if it sees the outside: some ray from it meets no triangle, which none
//! from within a closed body does; else it is not known. Where in doubt space is solid, never free. One thing
//! is taken at its word: a shell that passes through itself inside out, whose winding number there can cancel
//! that of another shell.
//!
//! What is open after all this may still enclose something: rooms with a wall between them, on whose rim
//! three triangles meet (`rooms`), and bodies with a hole that another body's face covers (`caps`). Sheets
//! that close nothing are open surfaces unless they lie in the solid (`sheets`).

use super::caps;
use super::cracks::Paths;
use super::cycles::{self, Edge, Kind, Member, Sets, edge};
use super::outward::outward;
use super::walls::{Walls, merge};
use crate::numeric::math::Vec3;
use crate::shape::mesh::surface::{Found, PARITY, Shells, Surface};
use crate::shape::tolerance::{CRACKS, PARITY_SHELLS};
use crate::shape::triangle::Triangle;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

fn corners_of(merged: &[u32], t: u32) -> [u32; 3] {
    [0, 1, 2].map(|k| merged[3 * t as usize + k])
}

impl<'a> Found<'a> {
    /// Finds all shells, and what is left over.
    fn solve(
        triangles: &'a [Triangle],
        merged: &'a [u32],
        vertices: &'a [Vec3],
        reach: f64,
    ) -> (Found<'a>, Walls) {
        let n = triangles.len();
        let mut found = Found {
            triangles,
            merged,
            vertices,
            reach,
            turns: vec![0; n],
            shell_of: (0..n as u32).collect(),
            wound: vec![false; n],
            shells: Shells::default(),
            seams: Vec::new(),
            seam_of: Vec::new(),
            width: 0.0,
            roomy: false,
            walls: vec![false; n],
        };
        let mut rest = found.close();
        if !rest.order.is_empty() {
            let open: Vec<u32> = rest.order.iter().map(|e| e.1 >> 1).collect();
            found.close_rooms(&open);
            let bounds = |t: u32| found.walls[t as usize] || found.turns[t as usize] != 0;
            let runs =
                rest.order.chunk_by(|a, b| a.0 == b.0).filter(|run| !run.iter().any(|e| bounds(e.1 >> 1)));
            let left: Vec<u32> = runs.flatten().map(|e| e.1 >> 1).collect();
            rest = Walls::new(left.into_iter().map(|t| (t, corners_of(merged, t))));
        }
        (found, rest)
    }

    /// The same where the triangles behind those of `plain` are caps, which become seams. `None` if the caps
    /// close nothing, or open what is closed without them.
    fn without_caps<'b>(
        mut self,
        triangles: &'b [Triangle],
        merged: &'b [u32],
        plain: &Found<'b>,
        width: f64,
    ) -> Option<Found<'b>>
    where
        'a: 'b,
    {
        let n = triangles.len();
        let bounds = |found: &Found, t: usize| found.walls[t] || found.turns[t] != 0;
        let worse = (0..n).any(|t| bounds(plain, t) && !bounds(&self, t));
        let better = (0..n).any(|t| !bounds(plain, t) && bounds(&self, t));
        if worse || !better {
            return None;
        }
        for t in n..self.turns.len() {
            let (shell, turn) = (self.shell_of[t], self.turns[t]);
            if turn == 0 {
                continue;
            }
            if shell as usize >= n {
                return None;
            }
            // No hole in another body, whichever way it was wound.
            self.wound[shell as usize] = false;
            self.seams.push(self.triangles[t]);
            self.seam_of.push((shell, turn));
            self.width = self.width.max(width);
        }
        self.turns.truncate(n);
        self.shell_of.truncate(n);
        self.wound.truncate(n);
        self.walls.truncate(n);
        Some(Found { triangles, merged, roomy: true, ..self })
    }

    /// All edges of some triangles, sorted.
    pub(super) fn edges(&self, of: &[u32]) -> Vec<Edge> {
        let mut edges: Vec<Edge> = Vec::with_capacity(3 * of.len());
        for &t in of {
            let c = &self.merged[3 * t as usize..][..3];
            edges.extend([(0, 1), (1, 2), (2, 0)].map(|(i, j)| edge(c[i], c[j], t)));
        }
        edges.sort_unstable();
        edges
    }

    /// Finds the closed shells, first without cracks, then with wider and wider ones. Returns what is left
    /// over.
    fn close(&mut self) -> Walls {
        let corners = corners_of;
        let n = self.turns.len() as u32;
        let mut exact = Walls::new((0..n).map(|t| (t, corners(self.merged, t))));
        exact.order = self.take_all(&exact, None);
        for tolerance in CRACKS.map(|c| c * self.reach) {
            if exact.order.is_empty() {
                break;
            }
            let left = |order: &[([u32; 3], u32)]| {
                let mut left: Vec<u32> = order.iter().map(|e| e.1 >> 1).collect();
                left.sort_unstable();
                left
            };
            // What is left, each set of corners once.
            exact = Walls::new(left(&exact.order).into_iter().map(|t| (t, corners(self.merged, t))));
            let once: Vec<u32> = exact.single.iter().chain(&exact.sheets).copied().collect();
            let Some(paths) = Paths::new(self.vertices, &self.edges(&once), tolerance) else { continue };
            let all = left(&exact.order).into_iter();
            let walls = Walls::new(all.map(|t| (t, corners(self.merged, t).map(|i| paths.stand(i)))));
            exact.order = self.take_all(&walls, Some(&paths));
        }
        Walls::new(exact.order.iter().map(|e| (e.1 >> 1, corners(self.merged, e.1 >> 1))))
    }

    /// Whether what is told of the inside may be wrong where layers meet: shells without a winding, edges on
    /// which more than two triangles of shells hang, sheets that close nothing.
    fn doubtful(&self, rest: &Walls) -> bool {
        let shells: Vec<u32> =
            (0..self.turns.len() as u32).filter(|&t| self.turns[t as usize] != 0).collect();
        self.roomy
            || self.shells.parity > 0
            || (!shells.is_empty() && !rest.sheets.is_empty())
            || self.edges(&shells).chunk_by(|a, b| a.0 == b.0).any(|run| run.len() > 2)
    }

    /// Enters the closed shells that `walls` form; returns what is left, less what is narrower than a crack.
    fn take_all(&mut self, walls: &Walls, paths: Option<&Paths>) -> Vec<([u32; 3], u32)> {
        let mut flat = vec![false; if paths.is_some() { self.turns.len() } else { 0 }];
        let open = |found: &Found, of: &[u32]| -> Vec<u32> {
            of.iter().copied().filter(|&t| found.turns[t as usize] == 0).collect()
        };
        self.take(&walls.single, paths, false, &mut flat);
        if !walls.surplus.is_empty() {
            let mut rest = open(self, &walls.single);
            if !rest.is_empty() {
                rest.extend(&walls.surplus);
                self.take(&rest, paths, false, &mut flat);
            }
        }
        self.take(&open(self, &walls.sheets), paths, true, &mut flat);
        // What is open still may close with one of each of some sheets; of those that are walls by now, with
        // another.
        let mut rest = open(self, &walls.single);
        if !rest.is_empty() && !walls.sheets.is_empty() {
            let spare = walls.spare(|t| self.turns[t as usize] == 0);
            let all = self.edges(&[&rest[..], &spare[..]].concat());
            if let Some(edges) = paths.map_or(Some(all.clone()), |paths| paths.replace(&all)) {
                rest.extend(cycles::patch(&edges, &spare));
                self.take(&rest, paths, false, &mut flat);
            }
        }
        let taken = |e: &([u32; 3], u32)| self.turns[(e.1 >> 1) as usize] != 0;
        let flat = |t: u32| flat.get(t as usize) == Some(&true);
        let runs = walls.order.chunk_by(|a, b| a.0 == b.0).filter(|run| !run.iter().any(taken));
        runs.flatten().filter(|e| !flat(e.1 >> 1)).copied().collect()
    }

    /// Enters the closed shells among some triangles, with their seams; all as parity shells if `sheets`.
    /// Marks the triangles of which no edge is left as flat.
    fn take(&mut self, of: &[u32], paths: Option<&Paths>, sheets: bool, flat: &mut [bool]) {
        if of.is_empty() {
            return;
        }
        let exact = self.edges(of);
        let Some(paths) = paths else {
            let members = cycles::sort(exact, self.turns.len(), &[]);
            return self.enter(&members, sheets);
        };
        let Some(edges) = paths.replace(&exact) else { return };
        of.iter().for_each(|t| flat[*t as usize] = true);
        edges.iter().for_each(|e| flat[(e.1 >> 1) as usize] = false);
        // An edge that is left out may be what a shell hangs together by.
        let runs = exact.chunk_by(|a, b| a.0 == b.0);
        let together: Vec<(u32, u32)> =
            runs.flat_map(|run| run[1..].iter().map(|e| (run[0].1 >> 1, e.1 >> 1))).collect();
        let mut members = cycles::sort(edges, self.turns.len(), &together);
        self.drop_thin(&mut members, paths.tolerance);
        self.enter(&members, sheets);
        self.sew(&members, &exact, paths);
    }

    /// Leaves shells out that are thinner than a crack: triangles and their copies, each off a little.
    fn drop_thin(&self, members: &mut Vec<Member>, tolerance: f64) {
        let mut sums: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
        for m in members.iter() {
            let [a, b, c] =
                self.triangles[m.triangle as usize].map(|p| p - self.triangles[m.shell as usize][0]);
            let (volume, area) = sums.entry(m.shell).or_default();
            *volume += a.dot(b.cross(c)) * if m.turned { -1.0 } else { 1.0 };
            *area += (b - a).cross(c - a).norm();
        }
        // Six times the volume, twice the area; a layer as thick as two corners that are one can be apart.
        let thin = |shell: u32| sums.get(&shell).is_some_and(|(v, a)| v.abs() <= 3.0 * tolerance * a);
        members.retain(|m| m.kind == Kind::Parity || !thin(m.shell));
    }

    /// Enters the triangles of closed shells.
    fn enter(&mut self, members: &[Member], sheets: bool) {
        let mut parity = vec![0_i8; if members.is_empty() { 0 } else { self.turns.len() }];
        for m in members {
            let s = m.shell as usize;
            self.shell_of[m.triangle as usize] = m.shell;
            // Members come in ascending order, each shell's first triangle before the others.
            self.turns[m.triangle as usize] = if m.kind == Kind::Parity || sheets {
                if m.triangle == m.shell {
                    parity[s] = PARITY + self.shells.parity.min(PARITY_SHELLS) as i8;
                    self.shells.parity += 1;
                }
                parity[s]
            } else {
                if m.triangle == m.shell {
                    self.wound[s] = m.kind == Kind::Wound;
                    self.shells.wound += 1;
                }
                1 - 2 * i8::from(m.turned)
            };
        }
    }

    /// Enters the seams between those edges of closed shells that are left over and their paths.
    pub(super) fn sew(&mut self, members: &[Member], edges: &[Edge], paths: &Paths) {
        if members.is_empty() {
            return;
        }
        let mut taken = vec![false; self.turns.len()];
        members.iter().for_each(|m| taken[m.triangle as usize] = true);
        for run in edges.chunk_by(|a, b| a.0 == b.0) {
            // How often the shell runs along the edge more than against it.
            let (mut left, mut shell, mut turn) = (0_i64, 0, 0);
            for e in run.iter().filter(|e| taken[(e.1 >> 1) as usize]) {
                let t = (e.1 >> 1) as usize;
                (shell, turn) = (self.shell_of[t], self.turns[t]);
                left += if turn >= PARITY { 1 } else { i64::from(turn) * (1 - 2 * i64::from(e.1 & 1)) };
            }
            let (count, turn) =
                if turn >= PARITY { (left % 2, turn) } else { (left.abs(), if left < 0 { -1 } else { 1 }) };
            if count == 0 {
                continue;
            }
            let (seam, far) = paths.seam(self.vertices, run[0].0);
            self.width = self.width.max(far);
            for _ in 0..count {
                self.seams.extend_from_slice(&seam);
                self.seam_of.resize(self.seams.len(), (shell, turn));
            }
        }
    }
}

/// Sorts the surface into shells and parts; no corner is farther than `reach` from some point.
pub(crate) fn analyse(triangles: &[Triangle], reach: f64) -> Surface {
    let n = triangles.len();
    let (merged, vertices) = merge(triangles);

    let mut touching = Sets::new(vertices.len());
    for c in merged.chunks_exact(3) {
        touching.join(c[0], c[1], false);
        touching.join(c[1], c[2], false);
    }
    let mut parts = Vec::new();
    let mut seen = vec![false; vertices.len()];
    for t in 0..n {
        let root = touching.find(merged[3 * t]).0 as usize;
        if !core::mem::replace(&mut seen[root], true) {
            parts.push(t as u32);
        }
    }

    let (mut found, mut rest) = Found::solve(triangles, &merged, &vertices, reach);
    let (mut all, mut numbered);
    if !rest.single.is_empty() {
        // What is open itself covers nothing.
        let closed = (0..n).filter(|&t| found.turns[t] != 0).map(|t| triangles[t]).collect::<Vec<_>>();
        let caps = caps::caps(&closed, &vertices, &found.edges(&rest.single), reach);
        if !caps.corners.is_empty() {
            (all, numbered) = (triangles.to_vec(), merged.clone());
            all.extend(caps.corners.iter().map(|c| c.map(|i| vertices[i as usize])));
            numbered.extend(caps.corners.iter().flatten());
            let (capped, left) = Found::solve(&all, &numbered, &vertices, reach);
            if let Some(better) = capped.without_caps(triangles, &merged, &found, caps.width) {
                let left = left.order.iter().map(|e| e.1 >> 1).filter(|&t| (t as usize) < n);
                rest = Walls::new(left.map(|t| (t, corners_of(&merged, t))));
                found = better;
            }
        }
    }
    let doubtful = found.doubtful(&rest);
    // What no tolerance closes hangs together in pieces.
    let pieces = |of: &[u32]| {
        let mut pieces = Sets::new(n);
        for run in found.edges(of).chunk_by(|a, b| a.0 == b.0) {
            run[1..].iter().for_each(|e| _ = pieces.join(run[0].1 >> 1, e.1 >> 1, false));
        }
        let mut pieces: Vec<(u32, u32)> = of.iter().map(|&t| (pieces.find(t).0, t)).collect();
        pieces.sort_unstable();
        pieces
    };
    let (open, sheets) = (pieces(&rest.single), pieces(&rest.sheets));
    found.shells.open = open.chunk_by(|a, b| a.0 == b.0).count() as u32;
    Surface { doubtful, sheets, ..outward(found, parts) }
}
