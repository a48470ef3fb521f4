//! A running query of two meshes: its best pair so far, and the threshold that prunes.
//!
//! Everything here is compiled once for each instruction set ([`crate::numeric::simd::dispatch_kernel`]), and
//! therefore always inlined, except where marked.

use super::boxes::{Filter, Side, Slot, bound_eight, slot};
use super::front::Next;
use super::gap::{MeshGap, MeshQuery};
use super::hulls::{self, EMPTY, Plane, part};
use super::queue::{Entry, MeshScratch};
use crate::numeric::heap::{pop, push};
use crate::numeric::simd::Lanes;
use crate::numeric::tolerance::UNDERFLOW;
use crate::numeric::wide::LEAF;
use crate::pair::cores::Cores;
use crate::pair::mesh::point::triangle_at;
use crate::pair::tolerance::{DEEPER_PAIRS, HEAP_LIMIT, MESH_TIE, SAME_HULLS, TOUCHING_PAIRS};
use crate::shape::mesh::Mesh;
use crate::shape::mesh::nearest::NearestScratch;
use crate::shape::mesh::node_hulls::NodeHull;
use crate::shape::mesh::tree::WIDTH;
use crate::shape::triangle::{self, Triangle};
use elbowroom_describe::math::{Transform, Vec3, round_up};

/// All that changes while a query runs.
pub(super) struct Search<'a> {
    pub(super) a: &'a Mesh,
    pub(super) b: &'a Mesh,
    pub(super) b_in_a: &'a Transform,
    /// Rounding of B's corners in A's frame.
    pub(super) slack: f64,
    /// Largest coordinate that can occur (metres), as of two convex cores.
    pub(super) scale: f64,
    /// Pairs that improve the distance by less are pruned (metres).
    pub(super) tie: f64,
    pub(super) filter: Filter,
    pub(super) side_a: Side,
    pub(super) side_b: Side,
    /// Origin of B's tree relative to that of A's, in A's frame.
    pub(super) offset: Vec3,
    /// The distance of the origins along the plane normal, away from A, less `error`.
    pub(super) apart: f64,
    /// Rounding of a gap along the normal in f64.
    pub(super) error: f64,
    pub(super) query: MeshQuery,
    pub(super) best: MeshGap,
    /// Least lower bound of the measured pairs.
    pub(super) measured: f64,
}

impl Search<'_> {
    /// Pairs at least this far apart are pruned.
    #[inline(always)]
    pub(super) fn threshold(&self) -> f64 {
        let u = self.best.upper;
        // Once they touch, only pairs proved apart are pruned: another pair may cross.
        let u = if u > self.tie { u - self.tie } else { UNDERFLOW };
        if self.query.stop_above < u { self.query.stop_above.max(UNDERFLOW) } else { u }
    }

    /// Sets the plane normal, a unit vector in A's frame, pointing to A.
    #[inline(always)]
    pub(super) fn aim(&mut self, normal: Vec3) {
        let cast = |v: Vec3| [v.x as f32, v.y as f32, v.z as f32];
        self.side_a.normal = cast(normal);
        self.side_b.normal = cast(-self.b_in_a.rotation.transpose_mul(normal));
        // The projection of A's points is n . a, that of B's n . (offset + R b): the gap is their difference.
        self.apart = -normal.dot(self.offset) - self.error;
    }

    /// Corners of a triangle of B in A's frame.
    #[inline(always)]
    fn triangle_of_b(&self, b: usize) -> Triangle {
        self.b.triangles[b].map(|p| self.b_in_a.point(p))
    }

    /// Measures a pair of triangles. True if the search ends.
    #[inline(always)]
    pub(super) fn measure(&mut self, a: u32, b: u32) -> bool {
        let (ta, tb) = (&self.a.triangles[a as usize], self.triangle_of_b(b as usize));
        // The plane of the best witnesses prunes most pairs.
        let n = self.best.normal;
        let o = tb[0];
        let (la, lb) = (ta.map(|p| p - o), tb.map(|p| p - o));
        let threshold = self.threshold() + self.error;
        if triangle::gap_along(&la, &lb, n) > threshold || triangle::face_gap_exceeds(&la, &lb, threshold) {
            self.best.counts.dropped += 1;
            return false;
        }
        self.best.counts.triangles += 1;
        let gap = triangle::triangle_gap(ta, &tb);
        let lower = gap.lower - self.slack;
        let upper = gap.upper + self.slack;
        self.measured = self.measured.min(lower);
        if upper < self.best.upper {
            self.best.upper = upper;
            (self.best.point_a, self.best.point_b) = (gap.point_a, gap.point_b);
            self.best.triangles = Some((a, b));
            if gap.direction != Vec3::ZERO {
                self.best.normal = gap.direction;
                self.aim(gap.direction);
            }
        }
        self.best.upper < self.query.stop_below || self.best.upper - self.tie <= self.query.lower
    }

    /// Whether the boxes around the whole meshes are pruned.
    #[inline(always)]
    pub(super) fn roots_apart(&self) -> bool {
        let (node, fixed) = (&self.a.nodes[0], slot(&self.b.nodes, 0));
        let eight = bound_eight(node, &fixed, &self.side_a, &self.side_b, self.filter);
        let threshold = self.threshold();
        eight.lower[0] >= round_up(threshold) || eight.gap[0] >= round_up(threshold - self.apart)
    }

    /// Looks at the nearest points of the hulls of two parts (A's frame), whose distance is `lower`: measures
    /// the triangles nearest to them, if that may help. Where both points lie on the surfaces, these
    /// triangles are the nearest of the parts. Returns whether the search ends, and the part whose point is
    /// farther from its surface: only there the hull is nearer than what it holds.
    #[inline(always)]
    pub(super) fn look(
        &mut self,
        lower: f64,
        [pa, pb]: [Vec3; 2],
        [part_a, part_b]: [u32; 2],
        within: f64,
        scratch: &mut NearestScratch,
    ) -> (bool, Next) {
        let pb = self.b_in_a.rotation.transpose_mul(pb - self.b_in_a.translation);
        let stops = [within, self.tie];
        let a = triangle_at(self.a, part_a, pa, stops, scratch);
        let b = triangle_at(self.b, part_b, pb, stops, scratch);
        let off = |found: Option<(u32, f64)>| found.map_or(f64::INFINITY, |(_, off)| off);
        let (off_a, off_b) = (off(a), off(b));
        let next = if off_a > off_b {
            Next::A
        } else if off_b > off_a {
            Next::B
        } else {
            Next::Larger
        };
        let (Some((ia, _)), Some((ib, _))) = (a, b) else { return (false, next) };
        // The triangles are no farther from each other than this.
        let near = lower + off_a + off_b < self.best.upper + self.tie;
        (near && self.measure(ia, ib), next)
    }

    /// Visits all pairs on the stack and in the heap. True if it was stopped before the end.
    #[inline(always)]
    pub(super) fn run<L: Lanes>(&mut self, l: L, scratch: &mut MeshScratch) -> bool {
        let (mut touching, mut deeper, mut work) = (0, 0, 0);
        while let Some(mut entry) = scratch.stack.pop().or_else(|| pop(&mut scratch.heap)) {
            let threshold = self.threshold();
            if entry.lower >= threshold {
                continue;
            }
            work += 1;
            if work > scratch.work_limit {
                // The bounds of the pairs that are left count.
                let left = scratch.stack.iter().chain(&scratch.heap).map(|e| e.lower);
                self.measured = self.measured.min(left.fold(entry.lower, f64::min));
                self.best.limited = true;
                return false;
            }
            let (sa, sb) = (slot(&self.a.nodes, entry.a), slot(&self.b.nodes, entry.b));
            let (leaf_a, leaf_b) = (sa.child & LEAF != 0, sb.child & LEAF != 0);
            if leaf_a && leaf_b {
                if self.measure(sa.child & !LEAF, sb.child & !LEAF) {
                    return true;
                }
                if self.best.upper < 0.0 {
                    deeper += 1;
                    if deeper > DEEPER_PAIRS {
                        return true;
                    }
                } else if self.best.upper <= self.tie {
                    touching += 1;
                    if touching > TOUCHING_PAIRS {
                        self.best.limited = true;
                        return true;
                    }
                }
                continue;
            }
            // The plane may have changed since the pair was pushed.
            let least_gap = round_up(self.threshold() - self.apart);
            if self.side_a.least(&sa) + self.side_b.least(&sb) - self.filter.slab >= least_gap {
                continue;
            }
            let (mut ta, mut tb) = (EMPTY, EMPTY);
            let cores = Cores {
                a: part(self.a, sa.child, &mut ta),
                b: part(self.b, sb.child, &mut tb),
                rotation: self.b_in_a.rotation,
                translation: self.b_in_a.translation,
                scale: self.scale,
                between: -self.offset,
            };
            let known = if entry.exact { None } else { scratch.fronts.known(entry.a, entry.b) };
            if let Some(known) = known {
                entry.along = known.along;
            }
            if let Some(expanded) = known.and_then(|known| known.expanded) {
                entry.next = expanded;
                self.expand(l, &entry, [&sa, &sb], &cores, scratch);
                continue;
            }
            self.best.counts.hulls += u32::from(!entry.exact);
            if !entry.exact
                && let Some(apart) = hulls::apart(l, &cores, threshold, entry.along, &mut scratch.convex)
            {
                let lower = apart.lower.max(entry.lower);
                if lower >= threshold {
                    scratch.fronts.keep(entry.a, entry.b, apart.along, None);
                    continue;
                }
                // If the distance is that of their parents, so are the nearest points, which were looked at.
                let same = SAME_HULLS / MESH_TIE * self.tie;
                if entry.next == Next::Larger || lower - entry.lower > same {
                    let parts = [sa.child, sb.child];
                    let (ends, next) = self.look(lower, apart.witnesses, parts, same, &mut scratch.nearest);
                    if ends {
                        return true;
                    }
                    if lower >= self.threshold() {
                        continue;
                    }
                    entry.next = next;
                }
                entry = Entry { lower, along: apart.along, exact: true, ..entry };
                // Nearer pairs come first.
                if scratch.heap.first().is_some_and(|first| first.lower < lower)
                    && scratch.heap.len() < HEAP_LIMIT
                {
                    push(&mut scratch.heap, entry);
                    continue;
                }
            }
            self.expand(l, &entry, [&sa, &sb], &cores, scratch);
        }
        false
    }

    /// Expands one of two parts: bounds its children against the other part, and queues those that are not
    /// pruned.
    #[inline(always)]
    fn expand<L: Lanes>(
        &mut self,
        l: L,
        entry: &Entry,
        [sa, sb]: [&Slot; 2],
        cores: &Cores<NodeHull, NodeHull>,
        scratch: &mut MeshScratch,
    ) {
        // The threshold of the plane as it is now.
        let threshold = self.threshold();
        let least_gap = round_up(threshold - self.apart);
        let (leaf_a, leaf_b) = (sa.child & LEAF != 0, sb.child & LEAF != 0);
        self.best.counts.nodes += 1;
        let size = |s: &Slot| s.half[0] + s.half[1] + s.half[2];
        let expand_a = match entry.next {
            _ if leaf_a || leaf_b => leaf_b,
            Next::Larger => size(sa) > size(sb),
            next => next == Next::A,
        };
        let (node, eight) = if expand_a {
            let node = &self.a.nodes[sa.child as usize];
            (node, bound_eight(node, sb, &self.side_a, &self.side_b, self.filter))
        } else {
            let node = &self.b.nodes[sb.child as usize];
            (node, bound_eight(node, sa, &self.side_b, &self.side_a, self.filter))
        };
        let plane = Plane::new(l, cores, expand_a, entry.along);
        // Farthest first, so that the nearest is on top.
        let (mut kept, mut count) = ([(0.0, 0_u32, 0.0); WIDTH], 0);
        for lane in 0..(node.count as usize).min(WIDTH) {
            let (mut key, mut lower) = (f64::from(eight.keys[lane]), f64::from(eight.lower[lane]));
            if (lower >= threshold) | (eight.gap[lane] >= least_gap) {
                continue;
            }
            if let Some(plane) = &plane {
                let bound = plane.bound(l, if expand_a { self.a } else { self.b }, node.child[lane]);
                if bound > lower {
                    if bound >= threshold {
                        continue;
                    }
                    (key, lower) = (bound, bound);
                }
            }
            let mut at = count;
            while at > 0 && kept[at - 1].0 < key {
                kept[at] = kept[at - 1];
                at -= 1;
            }
            kept[at] = (key, lane as u32, lower);
            count += 1;
        }
        // Where nothing is left, the hulls may suffice next time.
        scratch.fronts.keep(entry.a, entry.b, entry.along, (count > 0).then_some(entry.next));
        for &(_, lane, lower) in &kept[..count] {
            let mut child = Entry { lower, exact: false, ..*entry };
            if expand_a {
                child.a = sa.child * WIDTH as u32 + lane;
            } else {
                child.b = sb.child * WIDTH as u32 + lane;
            }
            if lower > 0.0 && scratch.heap.len() < HEAP_LIMIT {
                push(&mut scratch.heap, child);
            } else {
                scratch.stack.push(child);
            }
        }
    }
}
