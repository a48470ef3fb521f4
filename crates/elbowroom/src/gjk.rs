//! The distance between two convex cores: Gilbert, Johnson and Keerthi's algorithm.
//!
//! What: the point `v` of the Minkowski difference A - B nearest to the origin, as a combination of at most four
//! points `w = a - b`. Everything is in A's frame, so a query needs only the relative pose.
//!
//! Why it is sound: the simplex only ever proposes. `v` is a combination of points of the shapes (an upper bound),
//! and the support point along `-v` gives a plane that nothing crosses (a lower bound). Both are recomputed by
//! [`crate::certify`], which does not know how they were found.
//!
//! The sub-distance is the geometric one of coulombe20 III-B: the newest point A is part of the nearest feature,
//! so only the regions of A, the edges at A and the faces at A can hold the origin. The paper decides by the signs
//! of region tests; here every surviving edge and face proposes its own nearest point, all at once in four lanes,
//! and the nearest proposal wins. A proposal is always a point of the simplex, so a needle-like simplex can make
//! it worse than the best, never wrong; and the length of `v` may only shrink, so the loop ends.
//!
//! The first steps of a cold query use table look-ups instead of exact supports ([`Support::glance`]): any point
//! of A - B that makes progress will do. Only the step that claims there is no further progress must be exact.
//!
//! It stops when the two bounds meet to within [`GJK_GAP`], when the question is decided ([`Goal::decided`]), when
//! the origin is inside the simplex (the cores overlap), or when rounding allows no further progress, not even when the
//! step is done again with more care for long thin simplices ([`careful`]).

pub(crate) mod careful;

use crate::math::{Mat3, Transform, Vec3, sqrt, vec3};
use crate::simd::{Lanes, V3, cross3, dot3, lane3, select3, splat3, sub3};
use crate::support::{Extreme, Support};
use crate::tolerance::{FLAT, GJK_GAP, GJK_GLANCE, GJK_STEPS, ROUNDOFF};

/// Two cores and where B is.
#[derive(Clone, Copy)]
pub(crate) struct Cores<A, B> {
    pub a: A,
    pub b: B,
    pub rotation: Mat3,
    pub translation: Vec3,
    /// Largest coordinate that can occur: both extents and the distance of the frames (metres).
    pub scale: f64,
    /// From the middle of B to the middle of A: where the search starts when it is cold.
    pub between: Vec3,
}

impl<A: Support, B: Support> Cores<A, B> {
    #[inline(always)]
    pub fn new(a: A, b: B, b_in_a: &Transform, a_center: Vec3, b_center: Vec3) -> Self {
        Cores {
            a,
            b,
            rotation: b_in_a.rotation,
            translation: b_in_a.translation,
            scale: a.extent() + b.extent() + b_in_a.translation.norm(),
            between: a_center - b_in_a.point(b_center),
        }
    }
    #[inline(always)]
    fn b_point(&self, p: Vec3) -> Vec3 {
        self.rotation * p + self.translation
    }
    /// Support of A - B along `-v`, exact.
    #[inline(always)]
    pub fn support<L: Lanes>(&self, l: L, v: Vec3) -> Corner {
        let (da, db) = (-v, self.rotation.transpose_mul(v));
        let a = self.a.finish(l, da, self.a.glance(l, da));
        let b = self.b.finish(l, db, self.b.glance(l, db));
        self.corner(a, b)
    }
    #[inline(always)]
    pub fn corner(&self, a: Extreme, b: Extreme) -> Corner {
        let pb = self.b_point(b.point);
        Corner { w: a.point - pb, a: a.point, b: pb, ia: a.index, ib: b.index }
    }
    #[inline(always)]
    fn corner_of(&self, ia: u32, ib: u32) -> Corner {
        self.corner(
            Extreme { index: ia, point: self.a.vertex(ia) },
            Extreme { index: ib, point: self.b.vertex(ib) },
        )
    }
}

/// A point of A - B and the points it is the difference of (all in A's frame).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Corner {
    pub w: Vec3,
    pub a: Vec3,
    pub b: Vec3,
    pub ia: u32,
    pub ib: u32,
}

/// Up to four corners, in slots that stay where they are: `order` lists the used ones, the newest last, and
/// `weight` (by place in `order`) combines them to the point nearest to the origin.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Simplex {
    pub len: usize,
    pub order: [u8; 4],
    pub weight: [f64; 4],
    slot: [Corner; 4],
}

impl Simplex {
    /// The corner at a place in the order.
    #[inline(always)]
    pub fn corner(&self, place: usize) -> &Corner {
        &self.slot[(self.order[place & 3] & 3) as usize]
    }
    #[inline(always)]
    pub fn corners(&self) -> impl Iterator<Item = &Corner> {
        self.order[..self.len.min(4)].iter().map(|k| &self.slot[(k & 3) as usize])
    }
    /// Adds a corner as the newest; at most three may be in use.
    #[inline(always)]
    pub fn push(&mut self, c: Corner) {
        let mut used = 0u32;
        for k in 0..3 {
            used |= u32::from(k < self.len) << (self.order[k] & 3);
        }
        let free = (!used).trailing_zeros() & 3;
        self.slot[free as usize] = c;
        self.order[self.len & 3] = free as u8;
        self.len += 1;
    }
}

/// What a warm start remembers of the last query of a pair.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GjkMemory {
    pub len: u32,
    pub ia: [u32; 4],
    pub ib: [u32; 4],
    /// From B to A, in A's frame; zero if never asked.
    pub direction: Vec3,
}

/// When a caller has heard enough (distances between cores, metres).
#[derive(Clone, Copy)]
pub(crate) struct Goal {
    /// Stop once the distance is proved to be above this.
    pub above: f64,
    /// Stop once the distance is proved to be below this.
    pub below: f64,
    /// Stop once the lower bound is at least this fraction of the upper; above 1 for never.
    pub ratio: f64,
}

/// How the search ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum End {
    /// `v` is the answer to within the tolerance.
    Converged,
    /// The goal was reached first.
    Decided,
    /// The origin is inside the simplex.
    Inside,
    /// Rounding allows no further progress.
    Stalled,
    /// Out of steps.
    #[default]
    StepLimit,
}

/// The result: a simplex and a direction to be certified.
#[derive(Default)]
pub(crate) struct Nearest {
    pub simplex: Simplex,
    /// From B to A; where `end` is `Inside`, the last direction before it.
    pub v: Vec3,
    /// Vertices of A and B near the plane across `v`.
    pub hints: (u32, u32),
    pub end: End,
    pub steps: u32,
}

/// Which corners are kept, with which weights, and the point they combine to.
#[derive(Clone, Copy)]
pub(crate) struct Reduced {
    pub len: usize,
    pub order: [u8; 4],
    pub weight: [f64; 4],
    v: Vec3,
}

/// The face, edge or corner of a simplex nearest to the origin. `None` where the origin is inside.
#[inline(always)]
fn reduce<L: Lanes>(l: L, s: &Simplex) -> Option<Reduced> {
    // Every search goes once through one corner and once through two: worth their own short ways.
    match s.len {
        1 => Some(Reduced { len: 1, order: s.order, weight: [1.0, 0.0, 0.0, 0.0], v: s.corner(0).w }),
        2 => Some(reduce_edge(s)),
        _ => reduce_fan(l, s),
    }
}

#[inline(always)]
fn reduce_edge(s: &Simplex) -> Reduced {
    let (b, a) = (s.corner(0).w, s.corner(1).w);
    let ab = b - a;
    let (num, den) = (-a.dot(ab), ab.norm_squared());
    let [first, newest, ..] = s.order;
    // Written so that NaN (corners in one place) falls to the newest.
    if num > 0.0 && num < den {
        let t = num / den;
        Reduced { len: 2, order: s.order, weight: [t, 1.0 - t, 0.0, 0.0], v: a + ab * t }
    } else {
        let (k, v) = if num > 0.0 && num >= den { (first, b) } else { (newest, a) };
        Reduced { len: 1, order: [k; 4], weight: [1.0, 0.0, 0.0, 0.0], v }
    }
}

/// The same for three or four corners.
///
/// Lane i has the face (A, B, C) and the edge (A, B), with A the newest corner, B = corner i and C = corner i + 1 of
/// the others. Where there are fewer than three others they are repeated, which makes faces without area, that
/// never win, and equal edges, of which the first wins: one piece of code without branches for every rank.
#[inline(always)]
fn reduce_fan<L: Lanes>(l: L, s: &Simplex) -> Option<Reduced> {
    let others = s.len.wrapping_sub(2) & 3;
    let place = [0, others.min(1), others, s.len.wrapping_sub(1) & 3];
    let [p, q, r, newest] = place.map(|k| s.corner(k).w);
    let b = V3 {
        x: l.load(&[p.x, q.x, r.x, p.x]),
        y: l.load(&[p.y, q.y, r.y, p.y]),
        z: l.load(&[p.z, q.z, r.z, p.z]),
    };
    let a = splat3(l, newest);
    let (zero, one) = (l.splat(0.0), l.splat(1.0));
    let ab = sub3(l, b, a);
    let ac = V3 { x: l.rotate3(ab.x), y: l.rotate3(ab.y), z: l.rotate3(ab.z) };
    let ao = V3 { x: l.sub(zero, a.x), y: l.sub(zero, a.y), z: l.sub(zero, a.z) };

    // Faces: the normal, the signed offset of the plane, and the barycentric coordinates of the foot point.
    let n = cross3(l, ab, ac);
    let nn = dot3(l, n, n);
    let offset = dot3(l, n, ao);
    let sb = dot3(l, n, cross3(l, ao, ac));
    let sc = dot3(l, n, cross3(l, ab, ao));
    let sa = l.sub(l.sub(nn, sb), sc);
    let on_face = l.gt(l.min(l.min(sa, sb), sc), zero);

    // Inside if, seen from every face at A, the origin lies on the side of the fourth corner. The face opposite to A
    // needs no test: A was found beyond it, on the origin's side. A tetrahedron that is flat to rounding has no inside.
    let opposite = V3 { x: l.rotate3(ac.x), y: l.rotate3(ac.y), z: l.rotate3(ac.z) };
    let other = dot3(l, n, opposite);
    let size = dot3(l, opposite, opposite);
    let not_flat = l.gt(l.mul(other, other), l.mul(l.splat(FLAT * FLAT), l.mul(nn, size)));
    let same_side = l.gt(l.mul(other, offset), zero);
    if l.bits(l.and(not_flat, same_side)) & 7 == 7 {
        return None;
    }

    // Edges: clamped to the segment, so always a point of the simplex; NaN (no length) becomes A.
    let t = l.div(dot3(l, ao, ab), dot3(l, ab, ab));
    let t = l.min(l.max(t, zero), one);
    let edge =
        V3 { x: l.add(a.x, l.mul(t, ab.x)), y: l.add(a.y, l.mul(t, ab.y)), z: l.add(a.z, l.mul(t, ab.z)) };
    let inv = l.div(one, nn);
    let foot = l.sub(zero, l.mul(offset, inv));
    let face = V3 { x: l.mul(n.x, foot), y: l.mul(n.y, foot), z: l.mul(n.z, foot) };
    let v = select3(l, on_face, face, edge);
    let vv = l.array(dot3(l, v, v));
    let mut lane = usize::from(vv[1] < vv[0]);
    lane = if vv[2] < vv[lane] { 2 } else { lane };

    let next = if lane == 2 { 0 } else { lane + 1 };
    let face_wins = l.bits(on_face) >> lane & 1 != 0;
    let t = l.array(t)[lane];
    let weight_b = l.array(l.select(on_face, l.mul(sb, inv), l.splat(0.0)))[lane];
    let weight_c = l.array(l.select(on_face, l.mul(sc, inv), l.splat(0.0)))[lane];
    let weight_a = l.array(l.mul(sa, inv))[lane];
    let at = place.map(|k| s.order[k]);
    let (ob, oc, oa) = (at[lane], at[next], at[3]);
    let v = lane3(l, v, lane);
    // A, B: the order keeps the newest last.
    let edge_order = if t > 0.0 { [ob, oa, oa, oa] } else { [oa; 4] };
    let edge_len = 1 + usize::from(t > 0.0 && t < 1.0);
    let edge_weight = if edge_len == 2 { [t, 1.0 - t, 0.0, 0.0] } else { [1.0, 0.0, 0.0, 0.0] };
    Some(if face_wins {
        Reduced { len: 3, order: [ob, oc, oa, oa], weight: [weight_b, weight_c, weight_a, 0.0], v }
    } else {
        Reduced { len: edge_len, order: edge_order, weight: edge_weight, v }
    })
}

/// True if the corner is one of the simplex' own.
#[inline(always)]
fn contains(s: &Simplex, c: &Corner) -> bool {
    let mut found = false;
    for k in 0..3 {
        let d = s.corner(k);
        found |= k < s.len && d.ia == c.ia && d.ib == c.ib;
    }
    found
}

/// Searches for the point of A - B nearest to the origin, into `found`, which must be new. `memory` is read for a warm start and written at the end.
#[inline(always)]
pub(crate) fn nearest<L: Lanes, A: Support, B: Support>(
    l: L,
    cores: &Cores<A, B>,
    goal: Goal,
    memory: &mut GjkMemory,
    found: &mut Nearest,
) {
    let gap = GJK_GAP * cores.scale;
    // A direction below this length is rounding, not a direction.
    let tiny = 8.0 * ROUNDOFF * cores.scale;
    let numbered = A::NUMBERED && B::NUMBERED;
    let s = &mut found.simplex;
    let warm = memory.direction != Vec3::ZERO;
    let mut v = if warm { memory.direction } else { cores.between };
    if v.norm_squared() <= 0.0 {
        v = vec3(1.0, 0.0, 0.0);
    }
    // Length of the nearest point so far, squared; the first direction is only a guess and bounds nothing.
    let mut vv = f64::INFINITY;
    let (mut ia, mut ib) = (memory.ia[0], memory.ib[0]);
    if warm && numbered {
        // Re-place the last simplex; its nearest point is the first real `v`.
        for i in 0..(memory.len as usize).min(3) {
            s.push(cores.corner_of(memory.ia[i], memory.ib[i]));
        }
        if let (true, Some(r)) = (s.len > 0, reduce(l, s)) {
            (s.len, s.order, s.weight) = (r.len, r.order, r.weight);
            (v, vv) = (r.v, r.v.norm_squared());
        }
        if v.norm_squared() <= 0.0 {
            v = vec3(1.0, 0.0, 0.0);
        }
    }

    let mut steps = 0;
    let mut n = v.norm();
    let end = loop {
        steps += 1;
        let (da, db) = (-v, cores.rotation.transpose_mul(v));
        let (mut ea, mut eb) = if warm {
            (cores.a.hinted(l, da, ia), cores.b.hinted(l, db, ib))
        } else {
            (cores.a.glance(l, da), cores.b.glance(l, db))
        };
        let mut c = cores.corner(ea, eb);
        let mut vw = v.dot(c.w);
        let coarse = (A::GLANCES || B::GLANCES)
            && !warm
            && vw < GJK_GLANCE * vv
            && vw <= goal.above * n
            && !contains(s, &c);
        if !coarse {
            if A::GLANCES || B::GLANCES {
                (ea, eb) = (cores.a.finish(l, da, ea), cores.b.finish(l, db, eb));
                c = cores.corner(ea, eb);
                vw = v.dot(c.w);
            }
            (ia, ib) = (c.ia, c.ib);
            // `vw / n` is the lower bound that this support proves, before rounding.
            if vw > goal.above * n || vw > goal.ratio * vv {
                if s.len == 0 {
                    // The first support already decides: it is the only point there is.
                    s.push(c);
                    s.weight[0] = 1.0;
                }
                break End::Decided;
            }
            if s.len > 0 && (vv - vw <= gap * n || (numbered && contains(s, &c))) {
                break End::Converged;
            }
        }
        (ia, ib) = (c.ia, c.ib);
        let (len, order) = (s.len, s.order);
        s.push(c);
        let Some(mut r) = reduce(l, s) else { break End::Inside };
        let mut rr = r.v.norm_squared();
        if rr >= vv {
            // The slots of the simplex before are as they were.
            let before = Simplex { len, order, ..*s };
            let was = careful::reduce(&before).map_or(vv, |r| r.v.norm_squared());
            let Some(again) = careful::reduce(s) else { break End::Inside };
            (r, rr) = (again, again.v.norm_squared());
            if rr >= was {
                (s.len, s.order) = (len, order);
                break End::Stalled;
            }
        }
        (s.len, s.order, s.weight) = (r.len, r.order, r.weight);
        (v, vv) = (r.v, rr);
        n = sqrt(vv);
        if vv <= tiny * tiny {
            break End::Stalled;
        }
        if vv < goal.below * goal.below && goal.below > 0.0 {
            break End::Decided;
        }
        if steps >= GJK_STEPS {
            break End::StepLimit;
        }
    };
    memory.len = s.len as u32;
    for i in 0..4 {
        (memory.ia[i], memory.ib[i]) = (s.corner(i).ia, s.corner(i).ib);
    }
    memory.direction = v;
    (found.v, found.hints, found.end, found.steps) = (v, (ia, ib), end, steps);
}
