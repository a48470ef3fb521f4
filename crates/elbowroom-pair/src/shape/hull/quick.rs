//! Quickhull on exact predicates: the surface of a solid point set as triangles.
//!
//! Barber, Dobkin, Huhdanpaa, "The quickhull algorithm for convex hulls" (1996), without its tolerance. Each
//! point that is still outside is in the list of one face that sees it *strictly*. In each step the farthest
//! point of a face is inserted. The faces that see it strictly are collected across shared edges, and
//! replaced by a fan from the point to their rim. Their points move to a face of the fan that sees them
//! strictly, or are dropped.
//!
//! Why coplanar points do no harm, given exact signs and strict visibility:
//! - All triangles of a facet see the same points. So the faces that a point sees strictly are whole
//!   facets; they are connected, and so are the others; at each vertex they are one run. Hence the rim is one
//!   simple cycle.
//! - A point in line with a rim edge would be in the plane of the visible face at that edge, a
//!   contradiction. So no triangle is flat. Where the point is in the plane of a facet, fan triangles extend
//!   that facet. The surface stays weakly convex.
//! - No point is lost. Say x sees a removed face, is outside the new hull, and sees a kept face too. The
//!   faces seen by x are connected, so somewhere on the rim x sees both the removed face f and the kept face
//!   g of an edge. The fan triangle there supports the old hull, so its normal is a non-negative combination
//!   of those of f and g, and x sees it. If x sees no kept face, and is outside, it sees a fan triangle. So a
//!   point that no fan triangle sees is inside or seen only by kept faces; the latter was excluded.
//!
//! For adversarial sets the order by distance is quadratic. So the work is counted. Beyond a budget the
//! remaining points are inserted in a shuffled order (fixed seed), for which n log n is expected; wide fans
//! are searched by bisection.

use super::predicate;
use super::shuffle::shuffle_items;
use super::surface::HullSurface;
use crate::shape::tolerance::{HULL_FILTER, HULL_WORK_PER_POINT};
use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::fault::HullFault;
use elbowroom_describe::math::{Vec3, vec3};

/// No point, or no face: four bytes a link, in arrays of the size of the set.
const NONE: u32 = u32::MAX;
/// Fans wider than this are bisected.
const WIDE_FAN: usize = 24;

/// A face of the growing hull with its plane, the filter of its sign, and its list of outside points.
#[derive(Clone)]
struct Face {
    v: [u32; 3],
    across: [u32; 3],
    origin: Vec3,
    normal: Vec3,
    /// Where it is larger than this, the sign of `normal . (x - origin)` is that of the exact determinant.
    error: f64,
    head: u32,
    farthest: u32,
    farthest_height: f64,
    /// Twice the number of the last insertion that tested the face, plus one if the face was visible.
    stamp: u64,
    queued: bool,
    alive: bool,
}

/// An edge between a removed face and the kept face `outside`.
struct RimEdge {
    from: u32,
    to: u32,
    outside: u32,
}

struct Growth<'a> {
    points: &'a [Vec3],
    extent: Vec3,
    faces: Vec<Face>,
    free: Vec<u32>,
    queue: VecDeque<u32>,
    /// Links of the lists of outside points.
    next: Vec<u32>,
    /// The face in whose list each outside point is.
    face_of: Vec<u32>,
    /// The rim edge of the last insertion that starts at each point.
    rim_at: Vec<u32>,
    step: u64,
    work: u64,
    visible: Vec<u32>,
    rim: Vec<RimEdge>,
    fan: Vec<u32>,
    orphans: Vec<u32>,
}

/// The hull's surface, from a starting simplex that is exactly solid. `budget` counts tests of a point
/// against a face.
pub(super) fn build_surface(
    points: &[Vec3],
    extent: Vec3,
    [a, b, c, d]: [u32; 4],
    budget: Option<u64>,
) -> Result<HullSurface, HullFault> {
    let n = points.len();
    let bits = u64::from(usize::BITS - n.leading_zeros());
    let budget = budget.unwrap_or(HULL_WORK_PER_POINT * (n as u64 + 64) * bits);
    let at = |i: u32| points[i as usize];
    let (b, c) = if predicate::plane_side(at(a), at(b), at(c), at(d)) > 0.0 { (c, b) } else { (b, c) };
    let mut g = Growth {
        points,
        extent,
        faces: Vec::new(),
        free: Vec::new(),
        queue: VecDeque::new(),
        next: vec![NONE; n],
        face_of: vec![NONE; n],
        rim_at: vec![0; n],
        step: 0,
        work: 0,
        visible: Vec::new(),
        rim: Vec::new(),
        fan: Vec::new(),
        orphans: Vec::new(),
    };
    // The faces of the simplex, and the face across each edge.
    let simplex =
        [([a, b, c], [1, 2, 3]), ([b, a, d], [0, 3, 2]), ([c, b, d], [0, 1, 3]), ([a, c, d], [0, 2, 1])];
    for (v, across) in simplex {
        let f = g.add(v, across);
        g.fan.push(f);
    }
    for p in 0..n as u32 {
        g.assign_to_fan(p, 0);
    }
    g.enqueue_fan();

    while let Some(f) = g.queue.pop_front() {
        let face = &mut g.faces[f as usize];
        face.queued = false;
        if face.alive && face.head != NONE {
            let p = face.farthest;
            g.insert(p, f)?;
        }
        if g.work > budget {
            break;
        }
    }
    let mut left: Vec<u32> = (0..n as u32).filter(|&p| g.face_of[p as usize] != NONE).collect();
    shuffle_items(&mut left);
    for p in left {
        let f = g.face_of[p as usize];
        if f != NONE {
            g.insert(p, f)?;
        }
    }
    Ok(g.into_surface())
}

impl Growth<'_> {
    #[inline(always)]
    fn point_at(&self, i: u32) -> Vec3 {
        self.points[i as usize]
    }

    /// Positive if face `f` sees `p` strictly; the sign is exact.
    #[inline(always)]
    fn height_over_face(&self, f: u32, p: u32) -> f64 {
        let face = &self.faces[f as usize];
        let s = face.normal.dot(self.point_at(p) - face.origin);
        if s.abs() > face.error {
            return s;
        }
        let [a, b, c] = face.v;
        if p == a || p == b || p == c {
            return 0.0;
        }
        predicate::plane_side(self.point_at(a), self.point_at(b), self.point_at(c), self.point_at(p))
    }

    fn add(&mut self, v: [u32; 3], across: [u32; 3]) -> u32 {
        let [origin, b, c] = v.map(|i| self.point_at(i));
        let (s, t) = (b - origin, c - origin);
        let (m, n) = (s.abs(), t.abs());
        let terms = vec3(m.y * n.z + m.z * n.y, m.z * n.x + m.x * n.z, m.x * n.y + m.y * n.x);
        let face = Face {
            v,
            across,
            origin,
            normal: s.cross(t),
            // The constant covers products that underflow.
            error: HULL_FILTER * terms.dot(self.extent) + 1e-300,
            head: NONE,
            farthest: NONE,
            farthest_height: 0.0,
            stamp: 0,
            queued: false,
            alive: true,
        };
        match self.free.pop() {
            Some(f) => {
                self.faces[f as usize] = face;
                f
            }
            None => {
                self.faces.push(face);
                (self.faces.len() - 1) as u32
            }
        }
    }

    /// Adds `p` to the list of the first face of the fan, from index `hint` on, that sees it, and returns the
    /// index. A point that none sees is dropped.
    fn assign_to_fan(&mut self, p: u32, hint: usize) -> usize {
        let k = self.fan.len();
        if k > WIDE_FAN {
            let (i, sure) = self.bisect_fan(p);
            if self.try_face(p, i) {
                return i;
            }
            if sure {
                self.face_of[p as usize] = NONE;
                return hint;
            }
        }
        for i in (hint..k).chain(0..hint) {
            if self.try_face(p, i) {
                return i;
            }
        }
        self.face_of[p as usize] = NONE;
        hint
    }

    #[inline(always)]
    fn try_face(&mut self, p: u32, i: usize) -> bool {
        self.work += 1;
        let f = self.fan[i];
        let h = self.height_over_face(f, p);
        if h <= 0.0 {
            return false;
        }
        let face = &self.faces[f as usize];
        let farther = face.farthest == NONE
            || h > face.farthest_height
            // Of points of equal height this takes the last in order: among coplanar points it is a corner.
            || (h == face.farthest_height
                && predicate::compare_points(self.point_at(p), self.point_at(face.farthest)).is_gt());
        let face = &mut self.faces[f as usize];
        if farther {
            (face.farthest, face.farthest_height) = (p, h);
        }
        self.next[p as usize] = face.head;
        face.head = p;
        self.face_of[p as usize] = f;
        true
    }

    /// The only face of a wide fan that can see `p`, beside the first and the last; and whether that is sure.
    /// The planes through the apex, the first rim point and each other rim point cut the cone of the fan into
    /// wedges, one a face. In the wedge of `p`, the cone is the space below that face. It is not sure where
    /// `p` lies in such a plane, because three of its points may be collinear; then the caller tests all
    /// faces.
    fn bisect_fan(&mut self, p: u32) -> (usize, bool) {
        let k = self.fan.len();
        let (first, last) = (self.fan[0], self.fan[k - 1]);
        self.work += 2;
        if self.height_over_face(first, p) > 0.0 {
            return (0, true);
        }
        if self.height_over_face(last, p) > 0.0 {
            return (k - 1, true);
        }
        // Fan face i is (rim i, rim i + 1, apex).
        let [r0, _, apex] = self.faces[first as usize].v;
        let (mut low, mut high) = (1, k - 1);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let [r, ..] = self.faces[self.fan[middle] as usize].v;
            self.work += 1;
            // Later rim points are below the plane (rim 0, rim middle, apex).
            let side = predicate::plane_side(
                self.point_at(r0),
                self.point_at(r),
                self.point_at(apex),
                self.point_at(p),
            );
            if side == 0.0 {
                return (middle, false);
            }
            if side < 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        (low, true)
    }

    fn enqueue_fan(&mut self) {
        for &f in &self.fan {
            let face = &mut self.faces[f as usize];
            if face.head != NONE && !face.queued {
                face.queued = true;
                self.queue.push_back(f);
            }
        }
    }

    /// Makes `p`, which face `seen` sees strictly, a vertex.
    fn insert(&mut self, p: u32, seen: u32) -> Result<(), HullFault> {
        self.step += 1;
        let (hidden_stamp, visible_stamp) = (2 * self.step, 2 * self.step + 1);
        // The faces that p sees, and their rim.
        self.visible.clear();
        self.rim.clear();
        self.visible.push(seen);
        self.faces[seen as usize].stamp = visible_stamp;
        let mut i = 0;
        while i < self.visible.len() {
            let f = self.visible[i];
            i += 1;
            let Face { v, across, .. } = self.faces[f as usize];
            for e in 0..3 {
                let g = across[e];
                let stamp = self.faces[g as usize].stamp;
                if stamp == visible_stamp {
                    continue;
                }
                if stamp != hidden_stamp {
                    self.work += 1;
                    if self.height_over_face(g, p) > 0.0 {
                        self.faces[g as usize].stamp = visible_stamp;
                        self.visible.push(g);
                        continue;
                    }
                    self.faces[g as usize].stamp = hidden_stamp;
                }
                let (from, to) = (v[e], v[(e + 1) % 3]);
                self.rim_at[from as usize] = self.rim.len() as u32;
                self.rim.push(RimEdge { from, to, outside: g });
            }
        }
        // Collect the points of those faces, and free the faces.
        self.orphans.clear();
        for i in 0..self.visible.len() {
            let f = self.visible[i];
            let face = &mut self.faces[f as usize];
            face.alive = false;
            let mut q = face.head;
            face.head = NONE;
            self.free.push(f);
            while q != NONE {
                if q != p {
                    self.orphans.push(q);
                }
                q = self.next[q as usize];
            }
        }
        self.face_of[p as usize] = NONE;
        // The fan, in the order of the rim.
        self.fan.clear();
        let count = self.rim.len();
        let mut at = 0;
        for _ in 0..count {
            let RimEdge { from, to, outside } = self.rim[at];
            let f = self.add([from, to, p], [outside, NONE, NONE]);
            self.fan.push(f);
            let twin = self.faces[outside as usize].v.iter().position(|&v| v == to);
            let following = self.rim_at[to as usize] as usize;
            let (Some(twin), Some(next)) = (twin, self.rim.get(following)) else {
                return Err(HullFault::Unproved { what: "the rim of a visible region is open" });
            };
            if next.from != to {
                return Err(HullFault::Unproved { what: "the rim of a visible region is open" });
            }
            self.faces[outside as usize].across[twin] = f;
            at = following;
        }
        if at != 0 || count < 3 {
            return Err(HullFault::Unproved { what: "the rim of a visible region is not one cycle" });
        }
        for i in 0..count {
            let (before, after) = (self.fan[(i + count - 1) % count], self.fan[(i + 1) % count]);
            let across = &mut self.faces[self.fan[i] as usize].across;
            (across[1], across[2]) = (after, before);
        }
        // Points of one list lie close together: the face of the last one is tested first.
        let mut hint = 0;
        for i in 0..self.orphans.len() {
            hint = self.assign_to_fan(self.orphans[i], hint);
        }
        self.enqueue_fan();
        Ok(())
    }

    fn into_surface(self) -> HullSurface {
        let mut number = vec![NONE; self.faces.len()];
        let mut count = 0;
        for (f, face) in self.faces.iter().enumerate() {
            if face.alive {
                number[f] = count;
                count += 1;
            }
        }
        let alive = || self.faces.iter().filter(|f| f.alive);
        HullSurface {
            faces: alive().map(|f| f.v).collect(),
            across: alive().map(|f| f.across.map(|g| number[g as usize])).collect(),
        }
    }
}
