//! One query of two meshes while it runs: what was found, and what still matters.
//!
//! Everything here is compiled once for each instruction set ([`crate::numeric::simd::dispatch`]), hence
//! always inlined but where marked.

use super::boxes::{Filter, Side, Slot, bound_eight, slot};
use super::gap::{MeshAsk, MeshGap};
use super::queue::{Entry, MeshScratch};
use crate::numeric::heap::{pop, push};
use crate::numeric::math::{Transform, Vec3, round_up};
use crate::numeric::tolerance::UNDERFLOW;
use crate::numeric::wide::LEAF;
use crate::pair::tolerance::{APPROACH_STEPS, DEEPER_PAIRS, HEAP_LIMIT, TOUCHING_PAIRS, WORK_LIMIT};
use crate::shape::mesh::Mesh;
use crate::shape::mesh::nearest::{self, LeafGap, NearestScratch, Probe};
use crate::shape::mesh::tree::WIDTH;
use crate::shape::triangle::{self, Triangle};

/// All that changes while a query runs.
pub(super) struct Search<'a> {
    pub(super) a: &'a Mesh,
    pub(super) b: &'a Mesh,
    pub(super) b_in_a: &'a Transform,
    /// Rounding of B's corners in A's frame.
    pub(super) slack: f64,
    /// Pairs that improve by less do not matter.
    pub(super) tie: f64,
    pub(super) filter: Filter,
    pub(super) side_a: Side,
    pub(super) side_b: Side,
    /// Distance of B's tree's origin in A's tree's frame.
    pub(super) offset: Vec3,
    /// The same along the plane normal, away from A.
    pub(super) apart: f64,
    /// Rounding of a room along the normal in f64.
    pub(super) error: f64,
    pub(super) ask: MeshAsk,
    pub(super) found: MeshGap,
    /// Least lower bound of the measured pairs.
    pub(super) measured: f64,
}

impl Search<'_> {
    /// Pairs at least this far apart do not matter.
    #[inline(always)]
    pub(super) fn threshold(&self) -> f64 {
        let u = self.found.upper;
        // Once they touch, only pairs proved apart may be dropped: another may cross.
        let u = if u > self.tie { u - self.tie } else { UNDERFLOW };
        if self.ask.stop_above < u { self.ask.stop_above.max(UNDERFLOW) } else { u }
    }

    /// Takes a unit vector as the plane normal, in A's frame and pointing to A.
    #[inline(always)]
    pub(super) fn aim(&mut self, normal: Vec3) {
        let cast = |v: Vec3| [v.x as f32, v.y as f32, v.z as f32];
        self.side_a.normal = cast(normal);
        self.side_b.normal = cast(-self.b_in_a.rotation.transpose_mul(normal));
        // A's points are n . a, B's n . (offset + R b): the room is their difference.
        self.apart = -normal.dot(self.offset) - self.error;
    }

    /// Corners of one of B's triangles in A's frame.
    #[inline(always)]
    fn carried(&self, b: usize) -> Triangle {
        self.b.triangles[b].map(|p| self.b_in_a.point(p))
    }

    /// Measures a pair of triangles. True if the search is over.
    #[inline(always)]
    pub(super) fn measure(&mut self, a: u32, b: u32) -> bool {
        let (ta, tb) = (&self.a.triangles[a as usize], self.carried(b as usize));
        // The plane through the best witnesses drops most pairs.
        let n = self.found.normal;
        let o = tb[0];
        let (la, lb) = (ta.map(|p| p - o), tb.map(|p| p - o));
        let enough = self.threshold() + self.error;
        if triangle::gap_along(&la, &lb, n) > enough || triangle::face_gap_exceeds(&la, &lb, enough) {
            self.found.counts.dropped += 1;
            return false;
        }
        self.found.counts.triangles += 1;
        let gap = triangle::gap(ta, &tb);
        let lower = gap.lower - self.slack;
        let upper = gap.upper + self.slack;
        self.measured = self.measured.min(lower);
        if upper < self.found.upper {
            self.found.upper = upper;
            (self.found.point_a, self.found.point_b) = (gap.point_a, gap.point_b);
            self.found.triangles = Some((a, b));
            if gap.direction != Vec3::ZERO {
                self.found.normal = gap.direction;
                self.aim(gap.direction);
            }
        }
        self.found.upper < self.ask.stop_below || self.found.upper - self.tie <= self.ask.lower
    }

    /// True if the boxes around the whole meshes are far enough apart.
    #[inline(always)]
    pub(super) fn roots_apart(&self) -> bool {
        let (node, fixed) = (&self.a.nodes[0], slot(&self.b.nodes, 0));
        let eight = bound_eight(node, &fixed, &self.side_a, &self.side_b, self.filter);
        let threshold = self.threshold();
        eight.lower[0] >= round_up(threshold) || eight.room[0] >= round_up(threshold - self.apart)
    }

    /// Finds a near pair before the search, so that it has something to drop others by: from the witnesses,
    /// or the warm pair, or the middle of B, to the nearest triangle of one mesh and of the other in turn,
    /// while that helps. True if the search is over.
    #[inline(always)]
    pub(super) fn approach(&mut self, scratch: &mut NearestScratch) -> bool {
        let tie = self.tie;
        let into_b = |s: &Self, p: Vec3| s.b_in_a.rotation.transpose_mul(p - s.b_in_a.translation);
        let from = match (self.ask.witnesses, self.found.triangles) {
            (Some((wa, wb)), _) => {
                let ia = triangle_at(self.a, wa, tie, scratch);
                let ib = triangle_at(self.b, into_b(self, wb), tie, scratch);
                if let (Some(ia), Some(ib)) = (ia, ib)
                    && self.measure(ia, ib)
                {
                    return true;
                }
                self.found.triangles.map_or(wb, |_| self.found.point_b)
            }
            (None, Some(_)) => return false,
            (None, None) => self.b_in_a.point(self.b.origin),
        };
        self.alternate(from, scratch)
    }

    /// From a point near B to the nearest triangle of A, from there to that of B, and so on while it helps.
    /// True if the search is over.
    #[inline(never)]
    fn alternate(&mut self, mut from: Vec3, scratch: &mut NearestScratch) -> bool {
        let tie = self.tie;
        for _ in 0..APPROACH_STEPS {
            let before = self.found.upper;
            if before <= tie {
                break;
            }
            let Some(ia) = triangle_at(self.a, from, tie, scratch) else { break };
            let p = triangle::nearest_point(&self.a.triangles[ia as usize], from);
            let p = self.b_in_a.rotation.transpose_mul(p - self.b_in_a.translation);
            let Some(ib) = triangle_at(self.b, p, tie, scratch) else { break };
            if self.measure(ia, ib) {
                return true;
            }
            if !(self.found.upper < before - tie) {
                break;
            }
            from = self.found.point_b;
        }
        false
    }

    /// Works off the stack. True if it was stopped before the end.
    #[inline(always)]
    pub(super) fn run(&mut self, scratch: &mut MeshScratch) -> bool {
        let (mut touching, mut deeper, mut work) = (0, 0, 0);
        while let Some(entry) = scratch.stack.pop().or_else(|| pop(&mut scratch.heap)) {
            let limit = round_up(self.threshold());
            if entry.lower >= limit {
                continue;
            }
            work += 1;
            if work > WORK_LIMIT {
                // What is left keeps the bounds it has.
                let left = scratch.stack.iter().chain(&scratch.heap).map(|e| e.lower);
                self.measured = self.measured.min(left.fold(entry.lower, f32::min).into());
                self.found.limited = true;
                return false;
            }
            let (sa, sb) = (slot(&self.a.nodes, entry.a), slot(&self.b.nodes, entry.b));
            let (leaf_a, leaf_b) = (sa.child & LEAF != 0, sb.child & LEAF != 0);
            if leaf_a && leaf_b {
                let before = self.found.upper;
                if self.measure(sa.child & !LEAF, sb.child & !LEAF) {
                    return true;
                }
                // A nearer region: go to its nearest place before looking at the rest of it.
                if self.found.upper < before - self.tie
                    && self.found.upper > self.tie
                    && self.alternate(self.found.point_b, &mut scratch.nearest)
                {
                    return true;
                }
                if self.found.upper < 0.0 {
                    deeper += 1;
                    if deeper > DEEPER_PAIRS {
                        return true;
                    }
                } else if self.found.upper <= self.tie {
                    touching += 1;
                    if touching > TOUCHING_PAIRS {
                        self.found.limited = true;
                        return true;
                    }
                }
                continue;
            }
            // The plane may have turned since the pair was pushed.
            let room = round_up(self.threshold() - self.apart);
            if self.side_a.least(&sa) + self.side_b.least(&sb) - self.filter.slab >= room {
                continue;
            }
            self.found.counts.nodes += 1;
            let size = |s: &Slot| s.half[0] + s.half[1] + s.half[2];
            let open_a = leaf_b || (!leaf_a && size(&sa) > size(&sb));
            let (node, eight) = if open_a {
                let node = &self.a.nodes[sa.child as usize];
                (node, bound_eight(node, &sb, &self.side_a, &self.side_b, self.filter))
            } else {
                let node = &self.b.nodes[sb.child as usize];
                (node, bound_eight(node, &sa, &self.side_b, &self.side_a, self.filter))
            };
            // Farthest first, so that the nearest is on top.
            let (mut kept, mut count) = ([(0.0_f32, 0_u32, 0.0_f32); WIDTH], 0);
            for lane in 0..(node.count as usize).min(WIDTH) {
                if (eight.lower[lane] >= limit) | (eight.room[lane] >= room) {
                    continue;
                }
                let (key, lower) = (eight.keys[lane], eight.lower[lane]);
                let mut at = count;
                while at > 0 && kept[at - 1].0 < key {
                    kept[at] = kept[at - 1];
                    at -= 1;
                }
                kept[at] = (key, lane as u32, lower);
                count += 1;
            }
            for &(_, lane, lower) in &kept[..count] {
                let child = if open_a {
                    Entry { a: sa.child * WIDTH as u32 + lane, b: entry.b, lower }
                } else {
                    Entry { a: entry.a, b: sb.child * WIDTH as u32 + lane, lower }
                };
                if lower > 0.0 && scratch.heap.len() < HEAP_LIMIT {
                    push(&mut scratch.heap, child);
                } else {
                    scratch.stack.push(child);
                }
            }
        }
        false
    }
}

/// The triangle nearest to a point, or one within `enough` of it.
#[inline(always)]
fn triangle_at(mesh: &Mesh, p: Vec3, enough: f64, scratch: &mut NearestScratch) -> Option<u32> {
    let probe = Probe { center: p, half: Vec3::ZERO, plane: None };
    let found = nearest::nearest(mesh, &probe, [f64::INFINITY, enough], None, scratch, |_, t| {
        let d = (triangle::nearest_point(t, p) - p).norm();
        LeafGap { lower: d, upper: d, plane: None }
    });
    found.triangle
}
