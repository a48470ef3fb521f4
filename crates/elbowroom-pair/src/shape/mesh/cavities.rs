//! Cavities: the volumes that a surface encloses where three triangles or more meet on an edge.
//!
//! Two boxes on a common face that is written once have three triangles on each edge of its rim, and no set
//! of all their triangles is a cycle. To find what they bound, the triangles at each edge are ordered by
//! angle. Each triangle has two *sides*. Two sides that face each other across the gap between neighbours are
//! joined, by union-find. A set of joined sides is the boundary of one *cavity*, or of the outside. The
//! triangles of a set, each with the sign of its side, are a cycle: at every edge each gap adds one triangle
//! in one direction and the next in the other. This holds for any order, so a wrong angle can join cavities,
//! but it cannot invent a boundary. A triangle with both sides in one set adds nothing to it: a fin, or every
//! triangle of a surface with a hole.
//!
//! Sets of positive volume are cavities. Their cycles are added up. A wall between two cavities bounds
//! nothing; a triangle between a cavity and the outside bounds the solid, once, whatever its winding. Two
//! faces that lie on each other, each with its own triangles, have the same angle; they are ordered at every
//! edge by the patch that they belong to.
//!
//! Everything is sorts and sweeps: n log n for each tolerance, and only where something is open.

use super::cracks::Paths;
use super::cycles::{Edge, Member, ShellKind, UnionFind, edge_ends, sort_by_vertex};
use super::surface::{Analysis, PARITY};
use crate::shape::tolerance::{ANGLE_TIE, CRACKS};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;

/// A number from 0 to 4 that grows with the angle from (1, 0) to (x, y); 0 for the zero vector.
fn pseudo_angle(x: f64, y: f64) -> f64 {
    let sum = x.abs() + y.abs();
    if !(sum > 0.0) {
        return 0.0;
    }
    let share = y / sum;
    if x < 0.0 {
        2.0 - share
    } else if y < 0.0 {
        4.0 + share
    } else {
        share
    }
}

/// A direction in no plane that a person draws.
const UP: Vec3 = elbowroom_describe::math::vec3(0.5773, 0.3251, 0.7493);

/// The sides of triangles, joined where they face each other.
struct CavitySides {
    /// Front of triangle `t`: `2 t`; back: `2 t + 1`.
    facing: UnionFind,
    /// Triangles that are connected by edges.
    connected: UnionFind,
}

impl Analysis<'_> {
    /// Makes open triangles solid where they bound cavities.
    pub(super) fn close_cavities(&mut self, open: &[u32]) {
        let mut left = open.to_vec();
        for tolerance in core::iter::once(0.0).chain(CRACKS.map(|c| c * self.radius)) {
            left.retain(|&t| self.winding[t as usize] == 0 && !self.walls[t as usize]);
            if left.is_empty() {
                break;
            }
            self.cavities_at(&left, tolerance);
        }
    }

    /// One triangle of each group with the same corners, if possible one that bounds something; and all
    /// triangles with their corners, sorted.
    fn distinct_triangles(&self, corners: impl Fn(u32) -> [u32; 3]) -> (Vec<u32>, Vec<([u32; 3], u32)>) {
        let n = self.winding.len() as u32;
        let all: Vec<([u32; 3], u32)> = (0..n)
            .filter_map(|t| {
                let mut c = corners(t);
                c.sort_unstable();
                (c[0] != c[1] && c[1] != c[2]).then_some((c, t))
            })
            .collect();
        let all = sort_by_vertex(all, self.vertices.len(), |e| e.0[0]);
        let of = |run: &[([u32; 3], u32)]| {
            run.iter().find(|e| self.winding[e.1 as usize] != 0).unwrap_or(&run[0]).1
        };
        (all.chunk_by(|a, b| a.0 == b.0).map(of).collect(), all)
    }

    fn cavities_at(&mut self, left: &[u32], tolerance: f64) {
        let corner = |t: u32, k: usize| self.merged[3 * t as usize + k];
        let (mut once, mut copies) = self.distinct_triangles(|t| [0, 1, 2].map(|k| corner(t, k)));
        let exact = self.sorted_edges(&once);
        let (mut edges, mut paths) = (exact, None);
        if tolerance > 0.0 {
            let Some(closing) = Paths::of_all(self.vertices, &edges, tolerance) else { return };
            // A tolerance that joins no vertices finds no more walls than the exact search did.
            if closing.change_nothing() {
                return;
            }
            (once, copies) =
                self.distinct_triangles(|t| [0, 1, 2].map(|k| closing.representative(corner(t, k))));
            let Some(replaced) = closing.replace_edges(&self.sorted_edges(&once)) else { return };
            (edges, paths) = (replaced, Some(closing));
        }
        // Without three triangles on an edge nothing is new.
        if !edges.chunk_by(|a, b| a.0 == b.0).any(|run| run.len() > 2) {
            return;
        }
        let mut sides = self.join_sides(&edges);

        // Six times the volume and twice the area of each set of sides.
        let mut sums = vec![(0.0_f64, 0.0_f64); 2 * self.winding.len()];
        for &t in &once {
            let first = self.triangles[sides.connected.find_root(t) as usize][0];
            let [a, b, c] = self.triangles[t as usize].map(|p| p - first);
            let (volume, area) = (a.dot(b.cross(c)), (b - a).cross(c - a).norm());
            let (front, back) = (sides.facing.find_root(2 * t), sides.facing.find_root(2 * t + 1));
            if front != back {
                sums[front as usize].0 -= volume;
                sums[front as usize].1 += area;
                sums[back as usize].0 += volume;
                sums[back as usize].1 += area;
            }
        }
        let thick = 3.0 * tolerance.max(CRACKS[0] * self.radius);
        let mut is_cavity = |side: u32| {
            let (volume, area) = sums[sides.facing.find_root(side) as usize];
            volume > thick * area
        };
        let of: Vec<(bool, bool)> = once.iter().map(|&t| (is_cavity(2 * t), is_cavity(2 * t + 1))).collect();

        // For each connected piece: does it close something open, and keep closed what was?
        let open: BTreeSet<u32> = left.iter().copied().collect();
        let (mut better, mut worse) = (vec![false; self.winding.len()], vec![false; self.winding.len()]);
        let mut piece_of: Vec<Option<u32>> = vec![None; self.winding.len()];
        for (&t, &(front, back)) in once.iter().zip(&of) {
            let piece = sides.connected.find_root(t);
            piece_of[t as usize] = Some(piece);
            let solid = front || back;
            better[piece as usize] |= solid && open.contains(&t);
            worse[piece as usize] |= !solid && self.winding[t as usize] != 0;
        }
        for run in copies.chunk_by(|a, b| a.0 == b.0) {
            let piece = run.iter().find_map(|e| piece_of[e.1 as usize]);
            run.iter().for_each(|e| piece_of[e.1 as usize] = piece);
        }
        // A shell is replaced as a whole or not at all.
        let mut shell_in: Vec<Option<u32>> = vec![None; self.winding.len()];
        for t in (0..self.winding.len()).filter(|&t| self.winding[t] != 0) {
            let Some(piece) = piece_of[t] else { continue };
            let seen = *shell_in[self.shell_of[t] as usize].get_or_insert(piece);
            if seen != piece {
                worse[seen as usize] = true;
                worse[piece as usize] = true;
            }
        }
        let taken = |piece: Option<u32>| piece.is_some_and(|p| better[p as usize] && !worse[p as usize]);
        self.remove_shells(|shell| taken(shell_in[shell as usize]));

        let mut members = Vec::new();
        for (&t, &(front, back)) in once.iter().zip(&of) {
            let piece = piece_of[t as usize];
            let Some(shell) = piece.filter(|_| taken(piece)) else { continue };
            self.walls[t as usize] = front && back;
            if front != back {
                members.push(Member { triangle: t, shell, kind: ShellKind::Flipped, flipped: front });
            }
        }
        for run in copies.chunk_by(|a, b| a.0 == b.0) {
            let wall = run.iter().any(|e| self.walls[e.1 as usize]);
            run.iter().for_each(|e| self.walls[e.1 as usize] |= wall);
        }
        self.has_cavities |= !members.is_empty();
        self.enter_cavities(&members);
        if let Some(paths) = paths {
            let of: Vec<u32> = members.iter().map(|m| m.triangle).collect();
            self.add_seams(&members, &self.sorted_edges(&of), &paths);
        }
    }

    /// Joins the sides that face each other, edge by edge.
    fn join_sides(&self, edges: &[Edge]) -> CavitySides {
        let n = self.winding.len();
        let mut sides = CavitySides { facing: UnionFind::new(2 * n), connected: UnionFind::new(n) };
        let mut patches = UnionFind::new(n);
        for run in edges.chunk_by(|a, b| a.0 == b.0) {
            for e in &run[1..] {
                sides.connected.join(run[0].1 >> 1, e.1 >> 1);
            }
            if let [a, b] = run {
                patches.join(a.1 >> 1, b.1 >> 1);
            }
        }
        let mut around: Vec<(f64, i64, u32)> = Vec::new();
        for run in edges.chunk_by(|a, b| a.0 == b.0) {
            around.clear();
            let (from, to) = edge_ends(run[0].0);
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
                    // Whether the angle grows upwards: the order of patches is then the same at every edge.
                    let up = if along.cross(w).dot(UP) > 0.0 { 1 } else { -1 };
                    let patch = i64::from(patches.find_root(e.1 >> 1)) * up;
                    around.push((pseudo_angle(w.dot(first), w.dot(second)), patch, e.1));
                }
                order_by_angle(&mut around);
            } else {
                around.extend(run.iter().map(|e| (0.0, 0, e.1)));
            }
            for (i, &(.., e)) in around.iter().enumerate() {
                let next = around[(i + 1) % around.len()].2;
                // The front of a triangle that has the edge forward is on the side of larger angles.
                sides.facing.join(e, next ^ 1);
            }
        }
        sides
    }

    /// Removes shells.
    fn remove_shells(&mut self, gone: impl Fn(u32) -> bool) {
        for t in 0..self.winding.len() {
            let shell = self.shell_of[t];
            if self.winding[t] == 0 || !gone(shell) {
                continue;
            }
            if shell == t as u32 {
                if self.winding[t] >= PARITY {
                    self.shells.parity -= 1;
                } else {
                    self.shells.wound -= 1;
                }
                self.wound[t] = false;
            }
            self.winding[t] = 0;
            self.shell_of[t] = t as u32;
        }
        let kept: Vec<bool> = self.seam_of.iter().map(|s| !gone(s.0)).collect();
        let mut kept_seams = kept.iter();
        self.seams.retain(|_| *kept_seams.next().unwrap_or(&true));
        let mut kept_seams = kept.iter();
        self.seam_of.retain(|_| *kept_seams.next().unwrap_or(&true));
    }

    /// Accepts cavities as shells, one for each connected piece.
    fn enter_cavities(&mut self, members: &[Member]) {
        let mut first = BTreeMap::new();
        for m in members {
            let first = first.entry(m.shell).or_insert(m.triangle);
            *first = m.triangle.min(*first);
        }
        for m in members {
            let t = m.triangle as usize;
            self.shell_of[t] = first.get(&m.shell).copied().unwrap_or(m.triangle);
            self.winding[t] = 1 - 2 * i8::from(m.flipped);
        }
        self.shells.wound += first.len() as u32;
    }
}

/// Orders triangles by angle, and triangles at the same angle by patch.
fn order_by_angle(around: &mut [(f64, i64, u32)]) {
    around.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    // Begin after the widest gap, so that triangles close to angle 0 stay together.
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
            (if d < 0.0 { d + 4.0 } else { d }) < ANGLE_TIE
        };
        if !near {
            around[start..i].sort_unstable_by_key(|a| (a.1, a.2));
            start = i;
        }
    }
}
