//! Solids with walls across them: surfaces on whose edges three triangles meet, or more.
//!
//! Two boxes on a common face that is written once have three triangles on each edge of its rim, and no set
//! of all their triangles is a cycle. What they bound shows when one goes around: at each edge the triangles
//! are put in order of their angle, and the *sides* (each triangle has two) that face each other across the
//! gap between two neighbours are joined. A set of joined sides is the inside of one *room*, or the outside
//! of everything. The triangles of a set, each with the sign of its side, are a cycle: at every edge each gap
//! adds one triangle one way and the next the other way. This holds in whatever order they are put, so that a
//! wrong angle can join rooms but makes no boundary out of none. A triangle with both sides in one set adds
//! nothing to it: a fin, or all of a surface with a hole, where one comes from one side to the other.
//!
//! Sets of positive volume are rooms. Their cycles are added up: a wall between two rooms bounds nothing,
//! what lies between a room and the outside bounds the solid, once, whichever way it was wound. Volume is
//! what tells a room from the outside, and not how many sets there are: rooms need not be told apart if a
//! solid is all that is wanted. Triangles that lie at the same angle (two faces on each other, each cut its
//! own way) are put in the same order at every edge by the patch that they belong to.
//!
//! Everything is sorts and sweeps: n log n, as often as there are tolerances, and only where something was
//! left open.

use super::cracks::Paths;
use super::cycles::{Edge, Kind, Member, Sets, ends};
use super::surface::{Found, PARITY};
use crate::numeric::math::Vec3;
use crate::shape::tolerance::{CRACKS, ROOM_TIE};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

/// A number from 0 to 4 that grows with the angle from (1, 0) to (x, y); 0 for nothing.
fn turn(x: f64, y: f64) -> f64 {
    let sum = x.abs() + y.abs();
    if !(sum > 0.0) {
        return 0.0;
    }
    let part = y / sum;
    if x < 0.0 {
        2.0 - part
    } else if y < 0.0 {
        4.0 + part
    } else {
        part
    }
}

/// Of no plane that a person would draw.
const UP: Vec3 = crate::numeric::math::vec3(0.5773, 0.3251, 0.7493);

/// The sides of triangles that face each other, and what they bound.
struct Sides {
    /// Front of triangle `t`: `2 t`; back: `2 t + 1`.
    facing: Sets,
    /// Triangles that hang together by edges.
    connected: Sets,
}

impl Found<'_> {
    /// Takes what is left open for solid where it bounds rooms.
    pub(super) fn close_rooms(&mut self, open: &[u32]) {
        let mut left = open.to_vec();
        for tolerance in core::iter::once(0.0).chain(CRACKS.map(|c| c * self.reach)) {
            left.retain(|&t| self.turns[t as usize] == 0 && !self.walls[t as usize]);
            if left.is_empty() {
                break;
            }
            self.rooms_at(&left, tolerance);
        }
    }

    /// One triangle of each set with the same corners, rather one that bounds something, with all that have
    /// none other.
    fn distinct(&self, corners: impl Fn(u32) -> [u32; 3]) -> (Vec<u32>, Vec<([u32; 3], u32)>) {
        let n = self.turns.len() as u32;
        let mut all: Vec<([u32; 3], u32)> = (0..n)
            .filter_map(|t| {
                let mut c = corners(t);
                c.sort_unstable();
                (c[0] != c[1] && c[1] != c[2]).then_some((c, t))
            })
            .collect();
        all.sort_unstable();
        let of =
            |run: &[([u32; 3], u32)]| run.iter().find(|e| self.turns[e.1 as usize] != 0).unwrap_or(&run[0]).1;
        (all.chunk_by(|a, b| a.0 == b.0).map(of).collect(), all)
    }

    fn rooms_at(&mut self, left: &[u32], tolerance: f64) {
        let corner = |t: u32, k: usize| self.merged[3 * t as usize + k];
        let (mut once, mut copies) = self.distinct(|t| [0, 1, 2].map(|k| corner(t, k)));
        let exact = self.edges(&once);
        let (mut edges, mut paths) = (exact, None);
        if tolerance > 0.0 {
            let Some(found) = Paths::of_all(self.vertices, &edges, tolerance) else { return };
            (once, copies) = self.distinct(|t| [0, 1, 2].map(|k| found.stand(corner(t, k))));
            let Some(replaced) = found.replace(&self.edges(&once)) else { return };
            (edges, paths) = (replaced, Some(found));
        }
        // Where no three meet there is nothing that was not seen before.
        if !edges.chunk_by(|a, b| a.0 == b.0).any(|run| run.len() > 2) {
            return;
        }
        let mut sides = self.sides(&edges);

        // Six times the volume and twice the area of each set of sides.
        let mut sums = vec![(0.0_f64, 0.0_f64); 2 * self.turns.len()];
        for &t in &once {
            let first = self.triangles[sides.connected.find(t).0 as usize][0];
            let [a, b, c] = self.triangles[t as usize].map(|p| p - first);
            let (volume, area) = (a.dot(b.cross(c)), (b - a).cross(c - a).norm());
            let (front, back) = (sides.facing.find(2 * t).0, sides.facing.find(2 * t + 1).0);
            if front != back {
                sums[front as usize].0 -= volume;
                sums[front as usize].1 += area;
                sums[back as usize].0 += volume;
                sums[back as usize].1 += area;
            }
        }
        let thick = 3.0 * tolerance.max(CRACKS[0] * self.reach);
        let mut room = |side: u32| {
            let (volume, area) = sums[sides.facing.find(side).0 as usize];
            volume > thick * area
        };
        let of: Vec<(bool, bool)> = once.iter().map(|&t| (room(2 * t), room(2 * t + 1))).collect();

        // Of each connected piece: does it close anything that was open, and nothing less than before?
        let open: BTreeSet<u32> = left.iter().copied().collect();
        let (mut better, mut worse) = (vec![false; self.turns.len()], vec![false; self.turns.len()]);
        let mut piece_of = vec![u32::MAX; self.turns.len()];
        for (&t, &(front, back)) in once.iter().zip(&of) {
            let piece = sides.connected.find(t).0;
            piece_of[t as usize] = piece;
            let solid = front || back;
            better[piece as usize] |= solid && open.contains(&t);
            worse[piece as usize] |= !solid && self.turns[t as usize] != 0;
        }
        for run in copies.chunk_by(|a, b| a.0 == b.0) {
            let piece = run.iter().map(|e| piece_of[e.1 as usize]).find(|&p| p != u32::MAX);
            run.iter().for_each(|e| piece_of[e.1 as usize] = piece.unwrap_or(u32::MAX));
        }
        // A shell stays or goes as a whole.
        let mut shell_in: Vec<u32> = vec![u32::MAX; self.turns.len()];
        for t in (0..self.turns.len()).filter(|&t| self.turns[t] != 0 && piece_of[t] != u32::MAX) {
            let seen = &mut shell_in[self.shell_of[t] as usize];
            if *seen == u32::MAX {
                *seen = piece_of[t];
            } else if *seen != piece_of[t] {
                worse[*seen as usize] = true;
                worse[piece_of[t] as usize] = true;
            }
        }
        let taken = |piece: u32| piece != u32::MAX && better[piece as usize] && !worse[piece as usize];
        self.forget(|shell| taken(shell_in[shell as usize]));

        let mut members = Vec::new();
        for (&t, &(front, back)) in once.iter().zip(&of) {
            let shell = piece_of[t as usize];
            if !taken(shell) {
                continue;
            }
            self.walls[t as usize] = front && back;
            if front != back {
                members.push(Member { triangle: t, shell, kind: Kind::Turned, turned: front });
            }
        }
        for run in copies.chunk_by(|a, b| a.0 == b.0) {
            let wall = run.iter().any(|e| self.walls[e.1 as usize]);
            run.iter().for_each(|e| self.walls[e.1 as usize] |= wall);
        }
        self.roomy |= !members.is_empty();
        self.enter_rooms(&members);
        if let Some(paths) = paths {
            let of: Vec<u32> = members.iter().map(|m| m.triangle).collect();
            self.sew(&members, &self.edges(&of), &paths);
        }
    }

    /// Goes around every edge.
    fn sides(&self, edges: &[Edge]) -> Sides {
        let n = self.turns.len();
        let mut sides = Sides { facing: Sets::new(2 * n), connected: Sets::new(n) };
        let mut patches = Sets::new(n);
        for run in edges.chunk_by(|a, b| a.0 == b.0) {
            for e in &run[1..] {
                sides.connected.join(run[0].1 >> 1, e.1 >> 1, false);
            }
            if let [a, b] = run {
                patches.join(a.1 >> 1, b.1 >> 1, false);
            }
        }
        let mut around: Vec<(f64, i64, u32)> = Vec::new();
        for run in edges.chunk_by(|a, b| a.0 == b.0) {
            around.clear();
            let (from, to) = ends(run[0].0);
            let (from, to) = (self.vertices[from as usize], self.vertices[to as usize]);
            let across = |t: u32| {
                let [a, b, c] = self.triangles[t as usize].map(|p| p - from);
                let middle = (a + b + c) * (1.0 / 3.0);
                let along = to - from;
                let square = along.dot(along);
                if square > 0.0 { middle - along * (along.dot(middle) / square) } else { middle }
            };
            if run.len() > 2 {
                // Axes across the edge.
                let along = (to - from).normalized().unwrap_or(Vec3::X);
                let first = across(run[0].1 >> 1).normalized().unwrap_or(Vec3::Y);
                let second = along.cross(first);
                for e in run {
                    let w = across(e.1 >> 1);
                    // Whether the angle grows upwards here.
                    let up = if along.cross(w).dot(UP) > 0.0 { 1 } else { -1 };
                    let patch = i64::from(patches.find(e.1 >> 1).0) * up;
                    around.push((turn(w.dot(first), w.dot(second)), patch, e.1));
                }
                order(&mut around);
            } else {
                around.extend(run.iter().map(|e| (0.0, 0, e.1)));
            }
            for (i, &(.., e)) in around.iter().enumerate() {
                let next = around[(i + 1) % around.len()].2;
                // Its front, if it runs along the edge, is where the angle grows.
                sides.facing.join(e, next ^ 1, false);
            }
        }
        sides
    }

    /// Takes shells out again.
    fn forget(&mut self, gone: impl Fn(u32) -> bool) {
        for t in 0..self.turns.len() {
            let shell = self.shell_of[t];
            if self.turns[t] == 0 || !gone(shell) {
                continue;
            }
            if shell == t as u32 {
                if self.turns[t] >= PARITY {
                    self.shells.parity -= 1;
                } else {
                    self.shells.wound -= 1;
                }
                self.wound[t] = false;
            }
            self.turns[t] = 0;
            self.shell_of[t] = t as u32;
        }
        let kept: Vec<bool> = self.seam_of.iter().map(|s| !gone(s.0)).collect();
        let mut kept_seams = kept.iter();
        self.seams.retain(|_| *kept_seams.next().unwrap_or(&true));
        let mut kept_seams = kept.iter();
        self.seam_of.retain(|_| *kept_seams.next().unwrap_or(&true));
    }

    /// Enters rooms as shells, each piece by its first triangle that bounds something.
    fn enter_rooms(&mut self, members: &[Member]) {
        let mut first = BTreeMap::new();
        for m in members {
            let first = first.entry(m.shell).or_insert(m.triangle);
            *first = m.triangle.min(*first);
        }
        for m in members {
            let t = m.triangle as usize;
            self.shell_of[t] = first.get(&m.shell).copied().unwrap_or(m.triangle);
            self.turns[t] = 1 - 2 * i8::from(m.turned);
        }
        self.shells.wound += first.len() as u32;
    }
}

/// In order of the angle, those at the same angle by their patch.
fn order(around: &mut [(f64, i64, u32)]) {
    around.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    // Begin behind the widest gap, so that what lies on either side of angle 0 is not torn apart.
    let n = around.len();
    let gap = |i: usize| {
        let d = around[i].0 - around[(i + n - 1) % n].0;
        if i == 0 { d + 4.0 } else { d }
    };
    let widest = (0..n).max_by(|&i, &j| gap(i).total_cmp(&gap(j))).unwrap_or(0);
    around.rotate_left(widest);
    let mut start = 0;
    for i in 1..=n {
        let near = i < n && {
            let d = around[i].0 - around[i - 1].0;
            (if d < 0.0 { d + 4.0 } else { d }) < ROOM_TIE
        };
        if !near {
            around[start..i].sort_unstable_by_key(|a| (a.1, a.2));
            start = i;
        }
    }
}
