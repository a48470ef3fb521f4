//! Which pieces of a surface enclose a volume.
//!
//! Equal vertices are merged. Triangles whose merged vertices coincide bound nothing and are dropped, as are
//! exact copies. Triangles that share an edge form a *shell* (`cycles`). A shell is solid where its boundary
//! vanishes:
//!
//! - *wound*: every edge is used as often in one direction as in the other. Then the winding number of a
//!   point is an integer that changes only across the shell. If every edge has two triangles but some
//!   triangles are flipped, the shell is first made consistent, where that is possible.
//! - *parity*: every edge is used an even number of times, but there is no consistent winding. A point is
//!   inside where a ray crosses an odd number of triangles.
//! - *open*: any other. It is a surface without an inside. A triangle with an edge of its own is open by
//!   itself, and does not make its neighbours open.
//!
//! Open shells are tried again with cracks closed (`cracks`), of increasing width up to the last of
//! [`CRACKS`]. A shell that closes so is solid: it bounds a volume together with *seams*, triangles that lie
//! no farther from the surface than [`super::Mesh::crack_half_width`]. No distance is measured to seams, but
//! a ray counts them, and the side of a point is known only farther from the surface than that. Triangles
//! narrower than a crack bound nothing and are dropped; shells thinner than a crack wait for a wider one.
//!
//! A *sheet* is two triangles with the same corners, wound in opposite directions. It adds nothing to a
//! winding number, so both are left out at first. Sheets that close by themselves (a body written with
//! two-sided faces) bound a volume by parity. Of an odd number of triangles with the same corners and both
//! windings, one is tried with the open triangles. At last the open triangles are tried with one triangle of
//! each sheet on their rim, since a face written twice, once flipped, may be what closes them. Whichever
//! triangles are tried, only shells whose boundary vanishes are accepted, and each triangle belongs to one
//! shell. So the argument above holds.
//!
//! A point is inside a mesh if the winding numbers of the wound shells do not cancel, or if a parity shell
//! contains it (the first [`PARITY_SHELLS`] count separately, the others together). Files are careless about
//! the winding of whole shells. So a shell of negative volume bounds a void only if it lies in the material
//! of a positive one, as the inner wall of a hollow body does; otherwise it is flipped and is material. Where
//! layers might cancel out (a parity shell, an edge with more than two triangles, sheets that close nothing)
//! a point is outside only if it sees the outside, by a ray that meets no triangle; else it is not known. In
//! doubt space is solid, never free. There is one exception: a shell that passes through itself inside out
//! can cancel the winding number of another shell there.
//!
//! Triangles that are still open may enclose something all the same: cavities with a wall between them, on
//! whose rim three triangles meet (`cavities`), and bodies with a hole that a face of another body covers
//! (`caps`).
//! Sheets that close nothing are open surfaces unless they lie in the solid (`sheets`).

use super::caps;
use super::cracks::Paths;
use super::cycles::{self, Edge, Member, ShellKind, UnionFind, directed_edge, edge_ends};
use super::outward::orient_outward;
use super::walls::{Walls, merge};
use crate::shape::mesh::surface::{Analysis, MeshSurface, PARITY, Shells};
use crate::shape::tolerance::{CRACKS, PARITY_SHELLS};
use crate::shape::triangle::Triangle;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;

fn corners_of(merged: &[u32], t: u32) -> [u32; 3] {
    [0, 1, 2].map(|k| merged[3 * t as usize + k])
}

/// How shells are accepted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TakeAs {
    /// By the kind that `cycles` found.
    Sorted,
    /// All by parity.
    Parity,
}

impl<'a> Analysis<'a> {
    /// Finds all shells, and the triangles that are still open.
    fn find_shells(
        triangles: &'a [Triangle],
        merged: &'a [u32],
        vertices: &'a [Vec3],
        radius: f64,
    ) -> (Analysis<'a>, Walls) {
        let n = triangles.len();
        let mut analysis = Analysis {
            triangles,
            merged,
            vertices,
            radius,
            winding: vec![0; n],
            shell_of: (0..n as u32).collect(),
            wound: vec![false; n],
            shells: Shells::default(),
            seams: Vec::new(),
            seam_of: Vec::new(),
            width: 0.0,
            has_cavities: false,
            walls: vec![false; n],
        };
        let mut rest = analysis.close();
        if !rest.order.is_empty() {
            let open: Vec<u32> = rest.order.iter().map(|e| e.1 >> 1).collect();
            analysis.close_cavities(&open);
            let bounds = |t: u32| analysis.walls[t as usize] || analysis.winding[t as usize] != 0;
            let runs =
                rest.order.chunk_by(|a, b| a.0 == b.0).filter(|run| !run.iter().any(|e| bounds(e.1 >> 1)));
            let left: Vec<u32> = runs.flatten().map(|e| e.1 >> 1).collect();
            rest = Walls::new(left.into_iter().map(|t| (t, corners_of(merged, t))), vertices.len());
        }
        (analysis, rest)
    }

    /// This analysis with the caps turned into seams. The caps are the triangles after those of `plain`, the
    /// analysis without them; `width` is theirs (metres). `None` if the caps close nothing, or if something
    /// is closed only without them.
    fn without_caps<'b>(
        mut self,
        triangles: &'b [Triangle],
        merged: &'b [u32],
        plain: &Analysis<'b>,
        width: f64,
    ) -> Option<Analysis<'b>>
    where
        'a: 'b,
    {
        let n = triangles.len();
        let bounds = |analysis: &Analysis, t: usize| analysis.walls[t] || analysis.winding[t] != 0;
        let worse = (0..n).any(|t| bounds(plain, t) && !bounds(&self, t));
        let better = (0..n).any(|t| !bounds(plain, t) && bounds(&self, t));
        if worse || !better {
            return None;
        }
        for t in n..self.winding.len() {
            let (shell, winding) = (self.shell_of[t], self.winding[t]);
            if winding == 0 {
                continue;
            }
            if shell as usize >= n {
                return None;
            }
            // Not a void in another body, whatever its winding.
            self.wound[shell as usize] = false;
            self.seams.push(self.triangles[t]);
            self.seam_of.push((shell, winding));
            self.width = self.width.max(width);
        }
        self.winding.truncate(n);
        self.shell_of.truncate(n);
        self.wound.truncate(n);
        self.walls.truncate(n);
        Some(Analysis { triangles, merged, has_cavities: true, ..self })
    }

    /// All edges of some triangles, sorted.
    pub(super) fn sorted_edges(&self, of: &[u32]) -> Vec<Edge> {
        let mut edges: Vec<Edge> = Vec::with_capacity(3 * of.len());
        for &t in of {
            let c = &self.merged[3 * t as usize..][..3];
            edges.extend([(0, 1), (1, 2), (2, 0)].map(|(i, j)| directed_edge(c[i], c[j], t)));
        }
        cycles::sort_by_vertex(edges, self.vertices.len(), |e| edge_ends(e.0).0)
    }

    /// Finds the closed shells, first without cracks, then with wider and wider ones. Returns the triangles
    /// that are still open.
    fn close(&mut self) -> Walls {
        let corners = corners_of;
        let n = self.winding.len() as u32;
        let vertices = self.vertices.len();
        let mut exact = Walls::new((0..n).map(|t| (t, corners(self.merged, t))), vertices);
        exact.order = self.take_all(&exact, None);
        for tolerance in CRACKS.map(|c| c * self.radius) {
            if exact.order.is_empty() {
                break;
            }
            let left = |order: &[([u32; 3], u32)]| {
                let mut left: Vec<u32> = order.iter().map(|e| e.1 >> 1).collect();
                left.sort_unstable();
                left
            };
            // The open triangles, each set of corners once.
            let open = left(&exact.order).into_iter().map(|t| (t, corners(self.merged, t)));
            exact = Walls::new(open, vertices);
            let once: Vec<u32> = exact.single.iter().chain(&exact.sheets).copied().collect();
            let Some(paths) = Paths::new(self.vertices, &self.sorted_edges(&once), tolerance) else {
                continue;
            };
            let all = left(&exact.order).into_iter();
            let walls = Walls::new(
                all.map(|t| (t, corners(self.merged, t).map(|i| paths.representative(i)))),
                vertices,
            );
            exact.order = self.take_all(&walls, Some(&paths));
        }
        Walls::new(exact.order.iter().map(|e| (e.1 >> 1, corners(self.merged, e.1 >> 1))), vertices)
    }

    /// Whether layers may cancel out: there are parity shells, edges with more than two triangles of shells,
    /// or sheets that close nothing.
    fn may_cancel(&self, rest: &Walls) -> bool {
        let shells: Vec<u32> =
            (0..self.winding.len() as u32).filter(|&t| self.winding[t as usize] != 0).collect();
        self.has_cavities
            || self.shells.parity > 0
            || (!shells.is_empty() && !rest.sheets.is_empty())
            || self.sorted_edges(&shells).chunk_by(|a, b| a.0 == b.0).any(|run| run.len() > 2)
    }

    /// Accepts the closed shells that `walls` form. Returns the triangles that are still open, without those
    /// that are narrower than a crack.
    fn take_all(&mut self, walls: &Walls, paths: Option<&Paths>) -> Vec<([u32; 3], u32)> {
        let mut flat = vec![false; if paths.is_some() { self.winding.len() } else { 0 }];
        let open = |analysis: &Analysis, of: &[u32]| -> Vec<u32> {
            of.iter().copied().filter(|&t| analysis.winding[t as usize] == 0).collect()
        };
        self.accept_shells(&walls.single, paths, TakeAs::Sorted, &mut flat);
        if !walls.surplus.is_empty() {
            let mut rest = open(self, &walls.single);
            if !rest.is_empty() {
                rest.extend(&walls.surplus);
                self.accept_shells(&rest, paths, TakeAs::Sorted, &mut flat);
            }
        }
        self.accept_shells(&open(self, &walls.sheets), paths, TakeAs::Parity, &mut flat);
        // Open triangles may close with one triangle of each of some sheets.
        let mut rest = open(self, &walls.single);
        if !rest.is_empty() && !walls.sheets.is_empty() {
            let spare = walls.spare_triangles(|t| self.winding[t as usize] == 0);
            let all = self.sorted_edges(&[&rest[..], &spare[..]].concat());
            if let Some(edges) = paths.map_or(Some(all.clone()), |paths| paths.replace_edges(&all)) {
                rest.extend(cycles::find_patches(&edges, &spare));
                self.accept_shells(&rest, paths, TakeAs::Sorted, &mut flat);
            }
        }
        let taken = |e: &([u32; 3], u32)| self.winding[(e.1 >> 1) as usize] != 0;
        let flat = |t: u32| flat.get(t as usize) == Some(&true);
        let runs = walls.order.chunk_by(|a, b| a.0 == b.0).filter(|run| !run.iter().any(taken));
        runs.flatten().filter(|e| !flat(e.1 >> 1)).copied().collect()
    }

    /// Accepts the closed shells among some triangles, with their seams. Marks triangles without a remaining
    /// edge as flat.
    fn accept_shells(&mut self, of: &[u32], paths: Option<&Paths>, take_as: TakeAs, flat: &mut [bool]) {
        if of.is_empty() {
            return;
        }
        let exact = self.sorted_edges(of);
        let Some(paths) = paths else {
            let members = cycles::sort(exact, self.winding.len(), &[]);
            return self.accept_members(&members, take_as);
        };
        let Some(edges) = paths.replace_edges(&exact) else { return };
        of.iter().for_each(|t| flat[*t as usize] = true);
        edges.iter().for_each(|e| flat[(e.1 >> 1) as usize] = false);
        // A shell may be connected only by edges that paths replaced.
        let runs = exact.chunk_by(|a, b| a.0 == b.0);
        let together: Vec<(u32, u32)> =
            runs.flat_map(|run| run[1..].iter().map(|e| (run[0].1 >> 1, e.1 >> 1))).collect();
        let mut members = cycles::sort(edges, self.winding.len(), &together);
        self.drop_thin(&mut members, paths.tolerance);
        self.accept_members(&members, take_as);
        self.add_seams(&members, &exact, paths);
    }

    /// Removes shells that are thinner than a crack: triangles and slightly shifted copies of them.
    fn drop_thin(&self, members: &mut Vec<Member>, tolerance: f64) {
        let mut sums: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
        for m in members.iter() {
            let [a, b, c] =
                self.triangles[m.triangle as usize].map(|p| p - self.triangles[m.shell as usize][0]);
            let (volume, area) = sums.entry(m.shell).or_default();
            *volume += a.dot(b.cross(c)) * if m.flipped { -1.0 } else { 1.0 };
            *area += (b - a).cross(c - a).norm();
        }
        // Six times the volume, twice the area: a layer whose thickness is the distance of two merged
        // corners.
        let thin = |shell: u32| sums.get(&shell).is_some_and(|(v, a)| v.abs() <= 3.0 * tolerance * a);
        members.retain(|m| m.kind == ShellKind::Parity || !thin(m.shell));
    }

    /// Accepts the triangles of closed shells.
    fn accept_members(&mut self, members: &[Member], take_as: TakeAs) {
        let mut parity = vec![0_i8; if members.is_empty() { 0 } else { self.winding.len() }];
        for m in members {
            let s = m.shell as usize;
            self.shell_of[m.triangle as usize] = m.shell;
            // Members come in ascending order, each shell's first triangle before the others.
            self.winding[m.triangle as usize] = if m.kind == ShellKind::Parity || take_as == TakeAs::Parity {
                if m.triangle == m.shell {
                    parity[s] = PARITY + self.shells.parity.min(PARITY_SHELLS) as i8;
                    self.shells.parity += 1;
                }
                parity[s]
            } else {
                if m.triangle == m.shell {
                    self.wound[s] = m.kind == ShellKind::Wound;
                    self.shells.wound += 1;
                }
                1 - 2 * i8::from(m.flipped)
            };
        }
    }

    /// Adds the seams between the paths and those edges of closed shells that do not cancel.
    pub(super) fn add_seams(&mut self, members: &[Member], edges: &[Edge], paths: &Paths) {
        if members.is_empty() {
            return;
        }
        let mut taken = vec![false; self.winding.len()];
        members.iter().for_each(|m| taken[m.triangle as usize] = true);
        for run in edges.chunk_by(|a, b| a.0 == b.0) {
            // How much more often the shell uses the edge forward than backward.
            let (mut left, mut shell, mut winding) = (0_i64, 0, 0);
            for e in run.iter().filter(|e| taken[(e.1 >> 1) as usize]) {
                let t = (e.1 >> 1) as usize;
                (shell, winding) = (self.shell_of[t], self.winding[t]);
                left += if winding >= PARITY { 1 } else { i64::from(winding) * (1 - 2 * i64::from(e.1 & 1)) };
            }
            let (count, winding) = if winding >= PARITY {
                (left % 2, winding)
            } else {
                (left.abs(), if left < 0 { -1 } else { 1 })
            };
            if count == 0 {
                continue;
            }
            let (seam, far) = paths.edge_seam(self.vertices, run[0].0);
            self.width = self.width.max(far);
            for _ in 0..count {
                self.seams.extend_from_slice(&seam);
                self.seam_of.resize(self.seams.len(), (shell, winding));
            }
        }
    }
}

/// Analyses a surface, whose corners lie in a ball of `radius`. `numbers` are the corners of its triangles
/// among `points`.
pub(crate) fn analyse_surface(
    points: &[Vec3],
    numbers: &[[u32; 3]],
    triangles: &[Triangle],
    radius: f64,
) -> MeshSurface {
    let n = triangles.len();
    let (merged, vertices) = merge(points, numbers);

    let mut touching = UnionFind::new(vertices.len());
    for c in merged.chunks_exact(3) {
        touching.join(c[0], c[1]);
        touching.join(c[1], c[2]);
    }
    let mut pieces = Vec::new();
    let mut seen = vec![false; vertices.len()];
    for t in 0..n {
        let root = touching.find_root(merged[3 * t]) as usize;
        if !core::mem::replace(&mut seen[root], true) {
            pieces.push(t as u32);
        }
    }

    let (mut analysis, mut rest) = Analysis::find_shells(triangles, &merged, &vertices, radius);
    let (mut all, mut numbered);
    if !rest.single.is_empty() {
        // Only closed shells cover holes.
        let closed = (0..n).filter(|&t| analysis.winding[t] != 0).map(|t| triangles[t]).collect::<Vec<_>>();
        let caps = caps::find_caps(&closed, &vertices, &analysis.sorted_edges(&rest.single), radius);
        if !caps.corners.is_empty() {
            (all, numbered) = (triangles.to_vec(), merged.clone());
            all.extend(caps.corners.iter().map(|c| c.map(|i| vertices[i as usize])));
            numbered.extend(caps.corners.iter().flatten());
            let (capped, left) = Analysis::find_shells(&all, &numbered, &vertices, radius);
            if let Some(better) = capped.without_caps(triangles, &merged, &analysis, caps.width) {
                let left = left.order.iter().map(|e| e.1 >> 1).filter(|&t| (t as usize) < n);
                rest = Walls::new(left.map(|t| (t, corners_of(&merged, t))), vertices.len());
                analysis = better;
            }
        }
    }
    let doubtful = analysis.may_cancel(&rest);
    // The open triangles by connected pieces.
    let connected = |of: &[u32]| {
        let mut pieces = UnionFind::new(n);
        for run in analysis.sorted_edges(of).chunk_by(|a, b| a.0 == b.0) {
            run[1..].iter().for_each(|e| pieces.join(run[0].1 >> 1, e.1 >> 1));
        }
        let mut pieces: Vec<(u32, u32)> = of.iter().map(|&t| (pieces.find_root(t), t)).collect();
        pieces.sort_unstable();
        pieces
    };
    let (open, sheets) = (connected(&rest.single), connected(&rest.sheets));
    analysis.shells.open = open.chunk_by(|a, b| a.0 == b.0).count() as u32;
    MeshSurface { doubtful, sheets, ..orient_outward(analysis, pieces) }
}
