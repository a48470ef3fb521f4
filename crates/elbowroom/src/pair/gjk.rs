//! The distance between two convex cores: Gilbert, Johnson and Keerthi's algorithm.
//!
//! What: the point `v` of the Minkowski difference A - B nearest to the origin, as a combination of at most four
//! points `w = a - b`. Everything is in A's frame, so a query needs only the relative pose.
//!
//! Why it is sound: the simplex only ever proposes. `v` is a combination of points of the shapes (an upper bound),
//! and the support point along `-v` gives a plane that nothing crosses (a lower bound). Both are recomputed by
//! [`crate::pair::certify`], which does not know how they were found.
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

mod careful;

use crate::numeric::math::{Mat3, Transform, Vec3, sqrt, vec3};
use crate::numeric::simd::{Lanes, Plain, V3, cross3, dot3, numbers, select3, splat3, sub3};
use crate::numeric::tolerance::{FLAT, GJK_GAP, GJK_GLANCE, GJK_STEPS, ROUNDOFF, SAME_WAY, SQUARE};
use crate::pair::certify::{self, Gap};
use crate::pair::farthest::{Direction, Farthest, Glance};
use crate::shape::support::{Extreme, Plainly, Support};

/// Two cores and where B is.
#[derive(Clone, Copy)]
pub(crate) struct Cores<A, B> {
    pub a: A,
    pub b: B,
    pub rotation: Mat3,
    pub translation: Vec3,
    /// Largest coordinate that can occur (metres): both extents and the distance of the frames.
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
    pub fn corner(&self, a: Extreme, b: Extreme) -> Corner {
        let turned = self.rotation * b.point;
        // What does not wait for the rotation first: this is what a step waits for.
        let w = (a.point - self.translation) - turned;
        Corner { w, a: a.point, b: turned + self.translation, vertices: [a.index, b.index] }
    }
    /// The same cores for code that is compiled once for all kinds.
    #[inline(always)]
    pub fn plainly(&self) -> Cores<Plainly<'_>, Plainly<'_>> {
        let Cores { a, b, rotation, translation, scale, between } = self;
        Cores {
            a: Plainly(a),
            b: Plainly(b),
            rotation: *rotation,
            translation: *translation,
            scale: *scale,
            between: *between,
        }
    }
    #[inline(always)]
    fn corner_of(&self, [ia, ib]: [u32; 2]) -> Corner {
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
    /// Numbers of the vertices of A and B, where they have numbers.
    pub vertices: [u32; 2],
}

/// Up to four corners, in slots that stay where they are: `order` lists the used ones, the newest last, and
/// `weight` (by place in `order`) combines them to the point nearest to the origin.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Simplex {
    pub len: usize,
    order: Order,
    pub weight: [f64; 4],
    slot: [Corner; 4],
}

/// Four slot numbers, a byte each, the first in the lowest: one register instead of an array in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Order(u32);

impl Order {
    #[inline(always)]
    fn of(slots: [u32; 4]) -> Order {
        Order(slots[0] | slots[1] << 8 | slots[2] << 16 | slots[3] << 24)
    }
    #[inline(always)]
    fn slot(self, place: usize) -> u32 {
        self.0 >> (8 * (place & 3)) & 3
    }
    #[inline(always)]
    fn with(self, place: usize, slot: u32) -> Order {
        let shift = 8 * (place & 3);
        Order(self.0 & !(0xff << shift) | slot << shift)
    }
}

impl Simplex {
    /// The corner at a place in the order.
    #[inline(always)]
    pub fn corner(&self, place: usize) -> &Corner {
        &self.slot[self.order.slot(place) as usize]
    }
    #[inline(always)]
    pub fn corners(&self) -> impl Iterator<Item = &Corner> {
        (0..self.len.min(4)).map(|place| self.corner(place))
    }
    /// Adds a corner as the newest; at most three may be in use.
    #[inline(always)]
    pub fn push(&mut self, c: Corner) {
        let mut used = 0u32;
        for k in 0..3 {
            used |= u32::from(k < self.len) << self.order.slot(k);
        }
        let free = (!used).trailing_zeros() & 3;
        self.slot[free as usize] = c;
        self.order = self.order.with(self.len, free);
        self.len += 1;
    }
    #[inline(always)]
    fn keep(&mut self, r: &Reduced) {
        (self.len, self.order, self.weight) = (r.len, r.order, r.weight);
    }
    /// Keeps what is nearest to the origin, with care for long thin simplices; false where the origin is inside.
    pub fn keep_nearest(&mut self) -> bool {
        let r = careful::reduce(self, &Mat3::IDENTITY);
        r.inspect(|r| self.keep(r)).is_some()
    }
}

/// What a warm start remembers of the last query of a pair.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GjkMemory {
    pub len: u32,
    /// Vertices of A and B of each corner of the simplex.
    pub vertices: [[u32; 2]; 3],
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    StepLimit,
}

/// The result: a simplex and a direction to be certified.
#[derive(Clone, Debug)]
pub(crate) struct Nearest {
    pub simplex: Simplex,
    /// From B to A; where `end` is `Inside`, the last direction before it.
    pub v: Vec3,
    /// The farthest points along `v`.
    pub far: Farthest,
    pub end: End,
    pub steps: u32,
}

impl Nearest {
    /// Nothing found yet.
    pub const NEW: Nearest = {
        let zero = Vec3::ZERO;
        let corner = Corner { w: zero, a: zero, b: zero, vertices: [0; 2] };
        let simplex = Simplex { len: 0, order: Order(0), weight: [0.0; 4], slot: [corner; 4] };
        Nearest { simplex, v: zero, far: Farthest::NONE, end: End::StepLimit, steps: 0 }
    };
}

/// Which corners are kept, with which weights, and the point they combine to.
#[derive(Clone, Copy)]
struct Reduced {
    len: usize,
    order: Order,
    weight: [f64; 4],
    v: Direction,
}

/// The face, edge or corner of a simplex nearest to the origin. `None` where the origin is inside. `newest` is its last
/// corner once more: handed over, it need not wait for memory. `rotation` is B's in A.
#[inline(always)]
fn reduce<L: Lanes>(l: L, s: &Simplex, newest: Vec3, rotation: &Mat3) -> Option<Reduced> {
    // Every search goes once through one corner and once through two: worth their own short ways.
    match s.len {
        1 => {
            let v = Direction::new(newest, rotation);
            Some(Reduced { len: 1, order: s.order, weight: [1.0, 0.0, 0.0, 0.0], v })
        }
        2 => Some(reduce_edge(s, newest, rotation)),
        _ => reduce_fan(l, s, newest, rotation),
    }
}

#[inline(always)]
fn reduce_edge(s: &Simplex, a: Vec3, rotation: &Mat3) -> Reduced {
    let b = s.corner(0).w;
    let ab = b - a;
    let (num, den) = (-a.dot(ab), ab.norm_squared());
    // Clamped to the edge, so always a point of it; NaN (corners in one place) becomes the newest.
    let t = num / den;
    let t = if t > 0.0 { t } else { 0.0 };
    let t = if t < 1.0 { t } else { 1.0 };
    let between = t > 0.0 && t < 1.0;
    let order = if between { s.order.0 } else { s.order.slot(usize::from(t < 0.5)) };
    let weight = [if between { t } else { 1.0 }, if between { 1.0 - t } else { 0.0 }, 0.0, 0.0];
    let v = Direction::new(a + ab * t, rotation);
    Reduced { len: 1 + usize::from(between), order: Order(order), weight, v }
}

/// The same for three or four corners.
///
/// Lane i has the face (A, B, C) and the edge (A, B), with A the newest corner, B = corner i and C = corner i + 1 of
/// the others. Where there are fewer than three others they are repeated, which makes faces without area, that
/// never win, and equal edges, of which any may win: one piece of code without branches for every rank. Lane 3 is
/// such an edge too.
#[inline(always)]
fn reduce_fan<L: Lanes>(l: L, s: &Simplex, newest: Vec3, rotation: &Mat3) -> Option<Reduced> {
    let others = s.len.wrapping_sub(2) & 3;
    let place = [0, others.min(1), others];
    let [p, q, r] = place.map(|k| s.corner(k).w);
    let b = V3 {
        x: l.load(&[p.x, q.x, r.x, p.x]),
        y: l.load(&[p.y, q.y, r.y, p.y]),
        z: l.load(&[p.z, q.z, r.z, p.z]),
    };
    let a = splat3(l, newest);
    let (zero, one) = (l.splat(0.0), l.splat(1.0));
    // The old corners are turned before the new one is taken off: only it is waited for.
    let c = V3 { x: l.rotate3(b.x), y: l.rotate3(b.y), z: l.rotate3(b.z) };
    let d = V3 { x: l.rotate3(c.x), y: l.rotate3(c.y), z: l.rotate3(c.z) };
    let (ab, ac, opposite) = (sub3(l, b, a), sub3(l, c, a), sub3(l, d, a));
    let ao = V3 { x: l.sub(zero, a.x), y: l.sub(zero, a.y), z: l.sub(zero, a.z) };

    // Faces: the normal, the height of the plane along it, and the barycentric coordinates of the foot point.
    let n = cross3(l, ab, ac);
    let nn = dot3(l, n, n);
    let height = dot3(l, n, a);
    let sb = dot3(l, n, cross3(l, ao, ac));
    let sc = dot3(l, n, cross3(l, ab, ao));
    let sa = l.sub(l.sub(nn, sb), sc);
    let on_face = l.gt(l.min(l.min(sa, sb), sc), zero);

    // Inside if, seen from every face at A, the origin lies on the side of the fourth corner. The face opposite to A
    // needs no test: A was found beyond it, on the origin's side. A tetrahedron that is flat to rounding has no inside.
    let other = dot3(l, n, opposite);
    let size = dot3(l, opposite, opposite);
    let not_flat = l.gt(l.mul(other, other), l.mul(l.splat(FLAT * FLAT), l.mul(nn, size)));
    let same_side = l.gt(zero, l.mul(other, height));
    if l.bits(l.and(not_flat, same_side)) & 7 == 7 {
        return None;
    }

    // Edges: clamped to the segment, so always a point of the simplex; NaN (no length) becomes A.
    let t = l.div(dot3(l, ao, ab), dot3(l, ab, ab));
    let t = l.min(l.max(t, zero), one);
    let edge =
        V3 { x: l.add(a.x, l.mul(t, ab.x)), y: l.add(a.y, l.mul(t, ab.y)), z: l.add(a.z, l.mul(t, ab.z)) };
    let inv = l.div(one, nn);
    let foot = l.mul(height, inv);
    let face = V3 { x: l.mul(n.x, foot), y: l.mul(n.y, foot), z: l.mul(n.z, foot) };
    let v = select3(l, on_face, face, edge);
    let vv = l.select(on_face, l.mul(l.mul(height, height), inv), dot3(l, edge, edge));
    // In B's frame before it is known who wins: that costs no time, the other way round it would.
    let [p, q, r] = rotation.cols;
    let (turned_x, turned_y, turned_z) =
        (dot3(l, splat3(l, p), v), dot3(l, splat3(l, q), v), dot3(l, splat3(l, r), v));
    let (_, [x, y, z, turned_x, turned_y, turned_z, lane]) =
        l.of_largest(l.sub(zero, vv), [v.x, v.y, v.z, turned_x, turned_y, turned_z, numbers(l)]);
    let lane = (lane.to_bits() & 3) as usize;

    // The winner is a toss that no predictor can learn: selects, no branches. A, B: the order keeps the newest last.
    let between = l.and(l.gt(t, zero), l.gt(one, t));
    let weight_b = l.select(on_face, l.mul(sb, inv), l.select(between, t, one));
    let weight_c = l.select(on_face, l.mul(sc, inv), l.select(between, l.sub(one, t), zero));
    let weight_a = l.select(on_face, l.mul(sa, inv), zero);
    let bit = |mask: L::F| l.bits(mask) >> lane & 1 != 0;
    let (face_wins, edge_wins, moved) = (bit(on_face), bit(between), bit(l.gt(t, zero)));
    let [first, second, third] = place.map(|k| s.order.slot(k));
    let oa = s.order.slot(s.len.wrapping_sub(1));
    let ob = Order::of([first, second, third, first]).slot(lane);
    let oc = Order::of([second, third, first, first]).slot(lane);
    let first = if face_wins | moved { ob } else { oa };
    let second = if face_wins { oc } else { oa };
    Some(Reduced {
        len: if face_wins { 3 } else { 1 + usize::from(edge_wins) },
        order: Order::of([first, second, oa, oa]),
        weight: [l.array(weight_b)[lane], l.array(weight_c)[lane], l.array(weight_a)[lane], 0.0],
        v: Direction { in_a: vec3(x, y, z), in_b: vec3(turned_x, turned_y, turned_z) },
    })
}

/// True if the corner is one of the simplex' own.
#[inline(always)]
fn contains(s: &Simplex, c: &Corner) -> bool {
    let mut found = false;
    for k in 0..3 {
        let d = s.corner(k);
        found |= k < s.len && d.vertices == c.vertices;
    }
    found
}

/// Searches for the point of A - B nearest to the origin, into `found`, whatever is in it. `memory` is read for a warm
/// start and written at the end.
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
    let numbered = cores.a.numbered() && cores.b.numbered();
    let s = &mut found.simplex;
    s.len = 0;
    // The memory of another pair may name vertices that are not there: then it is none.
    let known = |[a, b]: [u32; 2]| cores.a.has(a) && cores.b.has(b);
    let mut warm = memory.direction != Vec3::ZERO && memory.vertices.into_iter().all(known);
    let start = |v: Vec3| Direction::new(if v.norm_squared() > 0.0 { v } else { Vec3::X }, &cores.rotation);
    let mut v = start(if warm { memory.direction } else { cores.between });
    // Length of the nearest point so far, squared; the first direction is only a guess and bounds nothing.
    let mut vv = f64::INFINITY;
    let mut hints = memory.vertices[0];
    if numbered && warm {
        // Re-place the last simplex; its nearest point is the first real `v`.
        for i in 0..(memory.len as usize).min(3) {
            s.push(cores.corner_of(memory.vertices[i]));
        }
        let newest = s.corner(s.len.wrapping_sub(1)).w;
        if let (true, Some(r)) = (s.len > 0, reduce(l, s, newest, &cores.rotation)) {
            let (new, old) = (r.v.in_a, memory.direction);
            vv = new.norm_squared();
            let along = new.dot(old);
            if along > 0.0 && along * along > SAME_WAY * vv * old.norm_squared() {
                s.keep(&r);
                v = if vv > 0.0 { r.v } else { start(new) };
            } else {
                // Somewhere else by now: climbs from there would be long ones.
                (warm, vv, s.len) = (false, f64::INFINITY, 0);
                v = start(cores.between);
            }
        }
    }

    let glances = cores.a.glances() || cores.b.glances();
    let mut steps = 0;
    let mut n = v.in_a.norm();
    let mut far = Farthest::NONE;
    // Whether `far` is of the direction that there is now.
    let mut fresh;
    let end = loop {
        steps += 1;
        fresh = false;
        let glance = if warm { Glance::hinted(l, cores, v, hints) } else { Glance::new(l, cores, v) };
        let mut c = glance.corner(cores);
        let mut vw = v.in_a.dot(c.w);
        let coarse = glances && !warm && vw < GJK_GLANCE * vv && vw <= goal.above * n && !contains(s, &c);
        if !coarse {
            far = glance.exact(l, cores);
            fresh = true;
            if glances {
                c = far.corner(cores);
                vw = v.in_a.dot(c.w);
            }
            // `vw / n` is the lower bound that this support proves, before rounding.
            if vw > goal.above * n || vw > goal.ratio * vv {
                if s.len == 0 {
                    // The first support already decides: it is the only point there is.
                    s.push(c);
                    s.weight = [1.0, 0.0, 0.0, 0.0];
                }
                break End::Decided;
            }
            if s.len > 0 && (vv - vw <= gap * n || (numbered && contains(s, &c))) {
                break End::Converged;
            }
        }
        hints = c.vertices;
        let (len, order) = (s.len, s.order);
        s.push(c);
        let Some(mut r) = reduce(l, s, c.w, &cores.rotation) else { break End::Inside };
        let mut rr = r.v.in_a.norm_squared();
        if rr >= vv {
            // The slots of the simplex before are as they were.
            let before = Simplex { len, order, ..*s };
            let was = careful::reduce(&before, &cores.rotation).map_or(vv, |r| r.v.in_a.norm_squared());
            let Some(again) = careful::reduce(s, &cores.rotation) else { break End::Inside };
            (r, rr) = (again, again.v.in_a.norm_squared());
            if rr >= was {
                (s.len, s.order) = (len, order);
                break End::Stalled;
            }
        }
        s.keep(&r);
        (v, vv, fresh) = (r.v, rr, false);
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
    for i in 0..3 {
        memory.vertices[i] = if i < s.len { s.corner(i).vertices } else { [0; 2] };
    }
    memory.direction = v.in_a;
    if end != End::Inside && !fresh {
        far = Glance::hinted(l, cores, v, hints).exact(l, cores);
    }
    (found.v, found.far, found.end, found.steps) = (v.in_a, far, end, steps);
}

/// The better plane of a search that rounding ended. Corners that nearly coincide tilt it by the square root of a rounding, and a
/// wide face feels that; faces and sides of drawn shapes lie square in their frames, so the direction without its small
/// coordinates in either frame is tried too. And two corners that nearly coincide may be of vertices that are far apart in both shapes: then
/// lines between those are edges, or lie in faces, and the cross product of two of them is a normal with all its digits. Returns
/// what is then proved.
#[cold]
#[inline(never)]
pub(crate) fn squared(cores: &Cores<Plainly, Plainly>, found: &mut Nearest) -> Gap {
    let square = |v: Vec3| {
        let least = SQUARE * v.max_abs();
        [v.x, v.y, v.z].map(|c| if c.abs() < least { 0.0 } else { c })
    };
    let v = found.far.direction();
    let mut lower = certify::plane(Plain, cores, &found.far);
    let mut propose = |found: &mut Nearest, w: Vec3| {
        let far = Farthest::new(Plain, cores, w);
        let bound = certify::plane(Plain, cores, &far);
        if bound > lower {
            // The normal of the answer is that of its plane.
            (found.far, found.v, lower) = (far, w, bound);
        }
    };
    for w in [Vec3::from(square(v.in_a)), cores.rotation * Vec3::from(square(v.in_b))] {
        propose(found, w);
    }
    let mut lines = [Vec3::ZERO; 6];
    for (k, (i, j)) in [(0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
        if j < found.simplex.len {
            let (p, q) = (found.simplex.corner(i), found.simplex.corner(j));
            (lines[2 * k], lines[2 * k + 1]) = (q.a - p.a, q.b - p.b);
        }
    }
    for (i, p) in lines.iter().enumerate() {
        for q in &lines[i + 1..] {
            let n = p.cross(*q).normalized().unwrap_or(Vec3::ZERO);
            let along = n.dot(v.in_a);
            if along * along > (1.0 - SQUARE * SQUARE) * v.in_a.norm_squared() {
                propose(found, n * along);
            }
        }
    }
    certify::gap(Plain, cores, &found.simplex, &found.far)
}
