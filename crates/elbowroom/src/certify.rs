//! Witnesses and planes to intervals, knowing nothing of how they were found.
//!
//! A claim about two cores comes as points of the cores and a direction, or as a closed surface of points of
//! A - B around the origin. Each bound is recomputed here from the cores and widened by its rounding
//! ([`CERTIFY_ROUNDING`]); a wrong claim can only give a wide interval.

use crate::farthest::{Direction, Farthest};
use crate::gjk::{Cores, Corner, Simplex};
use crate::math::Vec3;
use crate::simd::{Lanes, V3, cross3, dot3, sub3};
use crate::support::Support;
use crate::tolerance::{CERTIFY_ROUNDING, DEPTH_CORNERS, DETERMINANT_ROUNDING, NEEDLE, ROUNDOFF};
use alloc::boxed::Box;

/// A proved interval for the distance between two cores, with the points behind the upper bound (A's frame).
#[derive(Clone, Copy)]
pub(crate) struct Gap {
    pub lower: f64,
    pub upper: f64,
    pub a: Vec3,
    pub b: Vec3,
}

/// What rounding may add to a bound of this pair (metres).
#[inline(always)]
pub(crate) fn rounding<A: Support, B: Support>(cores: &Cores<A, B>) -> f64 {
    CERTIFY_ROUNDING * ROUNDOFF * cores.scale
}

/// Proved: no point of A - B is below the result along the direction `far` looked along, from B to A.
#[inline(always)]
pub(crate) fn plane<L: Lanes, A: Support, B: Support>(l: L, cores: &Cores<A, B>, far: &Farthest) -> f64 {
    let (high_a, high_b) = far.heights(l, cores);
    let v = far.direction().in_a;
    if far.direction().in_b != Direction::new(v, &cores.rotation).in_b {
        // Not one direction in both frames (or none at all).
        return f64::NEG_INFINITY;
    }
    let low = -high_a - high_b - v.dot(cores.translation);
    let bound = low / v.norm() - rounding(cores);
    // NaN, from a direction of no length, proves nothing.
    if bound.is_nan() { f64::NEG_INFINITY } else { bound }
}

/// Points of both cores by their weights in a simplex: combinations of points of the cores, whatever the weights. Of
/// four corners, the first three.
#[inline(always)]
pub(crate) fn witnesses(s: &Simplex) -> (Vec3, Vec3) {
    let mut sum = 0.0;
    let (mut a, mut b) = (Vec3::ZERO, Vec3::ZERO);
    for i in 0..3 {
        // Without branches: how many corners are left is a toss.
        let used = i < s.len;
        let (w, c) = (if used { s.weight[i].max(0.0) } else { 0.0 }, s.corner(if used { i } else { 0 }));
        sum += w;
        a += c.a * w;
        b += c.b * w;
    }
    let inv = 1.0 / sum;
    (a * inv, b * inv)
}

/// The interval that a simplex and the farthest points along a direction prove.
#[inline(always)]
pub(crate) fn gap<L: Lanes, A: Support, B: Support>(
    l: L,
    cores: &Cores<A, B>,
    s: &Simplex,
    far: &Farthest,
) -> Gap {
    let lower = plane(l, cores, far);
    let (a, b) = witnesses(s);
    Gap { lower, upper: (a - b).norm() + rounding(cores), a, b }
}

/// Room for faces: a closed surface without holes has at most `2 * DEPTH_CORNERS - 4`.
pub(crate) const FACES: usize = 2 * DEPTH_CORNERS;
const _: () = assert!(DEPTH_CORNERS.is_power_of_two() && 4 * FACES <= u16::MAX as usize + 1);

/// A surface of triangles in A - B, in arrays whose lengths are powers of two: a masked index needs no check.
///
/// Edge `e` of face `f` has the number `4 f + e` and runs from its corner `e` to the next.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    corner: Box<[Corner; DEPTH_CORNERS]>,
    corners: usize,
    /// Three corners of each face, sixteen bits each from the lowest, and above them 1 if it lives.
    face: Box<[u64; FACES]>,
    /// For each edge the same edge of the neighbouring face, where it runs the other way; packed alike.
    twin: Box<[u64; FACES]>,
    /// Outward unit normal of each face and the height of its lowest corner along it.
    plane: Box<[[f64; 4]; FACES]>,
    /// Faces below this number are, or were, in use.
    pub slots: usize,
}

/// Set in the word of a face that lives.
pub(crate) const ALIVE: u64 = 1 << 48;
/// Where the field after, and the field before, each of the three is in its word.
const AFTER: [u32; 4] = [16, 32, 0, 0];
const BEFORE: [u32; 4] = [32, 0, 16, 0];

#[inline(always)]
pub(crate) fn pack(f: [u16; 3]) -> u64 {
    f[0] as u64 | (f[1] as u64) << 16 | (f[2] as u64) << 32
}
#[inline(always)]
pub(crate) fn unpack(w: u64) -> [u16; 3] {
    [w as u16, (w >> 16) as u16, (w >> 32) as u16]
}
/// Field `i` of three, and those after and before it, in a ring.
#[inline(always)]
pub(crate) fn from_field(w: u64, i: u16) -> (u16, u16, u16) {
    let i = (i & 3) as u32;
    ((w >> (16 * i)) as u16, (w >> AFTER[i as usize]) as u16, (w >> BEFORE[i as usize]) as u16)
}

/// A boxed array.
pub(crate) fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    match alloc::vec![value; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the vector has N elements"),
    }
}

impl Default for Surface {
    fn default() -> Surface {
        Surface {
            corner: boxed(Corner::default()),
            corners: 0,
            face: boxed(0),
            twin: boxed(0),
            plane: boxed([0.0; 4]),
            slots: 0,
        }
    }
}

impl Surface {
    pub fn clear(&mut self) {
        (self.corners, self.slots) = (0, 0);
    }
    pub fn corners(&self) -> &[Corner] {
        &self.corner[..self.corners.min(DEPTH_CORNERS)]
    }
    /// Adds a corner and returns its number; there must be room.
    #[inline(always)]
    pub fn push(&mut self, c: Corner) -> u16 {
        self.corner[self.corners & (DEPTH_CORNERS - 1)] = c;
        self.corners += 1;
        (self.corners - 1) as u16
    }
    #[inline(always)]
    pub fn full(&self) -> bool {
        self.corners >= DEPTH_CORNERS
    }
    #[inline(always)]
    pub fn corner(&self, k: u16) -> &Corner {
        &self.corner[k as usize & (DEPTH_CORNERS - 1)]
    }
    /// The face's corners, packed, and its life.
    #[inline(always)]
    pub fn face(&self, f: u16) -> u64 {
        self.face[f as usize & (FACES - 1)]
    }
    #[inline(always)]
    pub fn set_face(&mut self, f: u16, corner: [u16; 3], twin: [u16; 3]) {
        let f = f as usize & (FACES - 1);
        self.face[f] = pack(corner) | ALIVE;
        self.twin[f] = pack(twin);
    }
    #[inline(always)]
    pub fn set_alive(&mut self, f: u16, alive: bool) {
        let face = &mut self.face[f as usize & (FACES - 1)];
        *face = *face & !ALIVE | if alive { ALIVE } else { 0 };
    }
    #[inline(always)]
    pub fn twins(&self, f: u16) -> u64 {
        self.twin[f as usize & (FACES - 1)]
    }
    #[inline(always)]
    pub fn set_twin(&mut self, edge: u16, twin: u16) {
        let (word, shift) = (&mut self.twin[(edge >> 2) as usize & (FACES - 1)], 16 * (edge & 3));
        *word = *word & !(0xffff << shift) | u64::from(twin) << shift;
    }
    #[inline(always)]
    pub fn plane(&self, f: u16) -> (Vec3, f64) {
        let [x, y, z, d] = self.plane[f as usize & (FACES - 1)];
        (Vec3 { x, y, z }, d)
    }
    /// Coordinates of one corner each of four faces.
    #[inline(always)]
    fn gather<L: Lanes>(&self, l: L, k: [u16; 4]) -> V3<L::F> {
        let [a, b, c, d] = k.map(|k| self.corner(k).w);
        V3 {
            x: l.load(&[a.x, b.x, c.x, d.x]),
            y: l.load(&[a.y, b.y, c.y, d.y]),
            z: l.load(&[a.z, b.z, c.z, d.z]),
        }
    }
    /// Planes of four faces, from their corners; returns the heights.
    #[inline(always)]
    pub fn measure<L: Lanes>(&mut self, l: L, f: [u16; 4]) -> [f64; 4] {
        let at = f.map(|f| unpack(self.face(f)));
        let [p, q, r] = [0, 1, 2].map(|e| at.map(|k| k[e]));
        let (p, q, r) = (self.gather(l, p), self.gather(l, q), self.gather(l, r));
        let (e, g) = (sub3(l, q, p), sub3(l, r, p));
        let n = cross3(l, e, g);
        let nn = dot3(l, n, n);
        let sharp = l.gt(nn, l.mul(l.splat(NEEDLE), l.mul(dot3(l, e, e), dot3(l, g, g))));
        let inv = l.div(l.splat(1.0), l.sqrt(nn));
        let n = V3 { x: l.mul(n.x, inv), y: l.mul(n.y, inv), z: l.mul(n.z, inv) };
        let low = l.min(l.min(dot3(l, n, p), dot3(l, n, q)), dot3(l, n, r));
        let (x, y, z, mut height) = (l.array(n.x), l.array(n.y), l.array(n.z), l.array(low));
        for i in 0..4 {
            self.plane[f[i] as usize & (FACES - 1)] = [x[i], y[i], z[i], height[i]];
        }
        if l.bits(sharp) != 15 {
            for i in 0..4 {
                if l.bits(sharp) >> i & 1 == 0 {
                    height[i] = self.measure_needle(f[i]);
                }
            }
        }
        height
    }
    #[cold]
    fn measure_needle(&mut self, f: u16) -> f64 {
        let [p, q, r] = unpack(self.face(f)).map(|k| self.corner(k).w);
        let (n, low) = beyond(p, q, r);
        let n = n.normalized().unwrap_or(Vec3::X);
        self.plane[f as usize & (FACES - 1)] = [n.x, n.y, n.z, low];
        low
    }
}

/// A direction and a distance such that no point of the triangle is nearer to the origin: every corner is at least so
/// far along it. The normal, or for needles, whose normal is rounding, the direction of their nearest point.
pub(crate) fn beyond(p: Vec3, q: Vec3, r: Vec3) -> (Vec3, f64) {
    let (e, f) = (q - p, r - p);
    let n = e.cross(f);
    let nn = n.norm_squared();
    if nn > NEEDLE * e.norm_squared() * f.norm_squared() {
        return (n, n.dot(p).min(n.dot(q)).min(n.dot(r)) / crate::math::sqrt(nn));
    }
    let mut best = (if nn > 0.0 { n } else { p }, f64::NEG_INFINITY);
    for m in [n, foot_on_edge(p, q), foot_on_edge(q, r), foot_on_edge(r, p)] {
        let low = m.dot(p).min(m.dot(q)).min(m.dot(r)) / m.norm();
        if low > best.1 {
            best = (m, low);
        }
    }
    best
}

/// The point of an edge nearest to the origin.
fn foot_on_edge(p: Vec3, q: Vec3) -> Vec3 {
    let d = q - p;
    let t = -(p.dot(d)) / d.norm_squared();
    // NaN, from an edge of no length, becomes its end.
    if t > 0.0 { p + d * t.min(1.0) } else { p }
}

/// Radius of a ball about the origin that lies in A - B: the overlap is at least this deep. Zero or less, and
/// meaningless, if the surface does not prove any. `live` is work space.
///
/// If the living faces form a closed oriented surface (every edge is shared with one face that runs along it the
/// other way), all of them are farther than the ball's radius, and the origin is in front of none, then the surface
/// winds around the origin: the solid angles are all of one sign and sum to a multiple of the full sphere. So each
/// point that no face comes near is wound around as well and lies in the hull of the corners. The surface need not be
/// convex. The corners are rounded points of A - B: moving them by their rounding moves the ball's radius by no more.
///
/// The normals are taken as they are: along any unit direction the lowest corner bounds the distance of a face.
/// Faces on which four lanes cannot decide get [`enclosed_face`].
#[inline(always)]
pub(crate) fn enclosed_ball<L: Lanes>(
    l: L,
    s: &Surface,
    scale: f64,
    rounding: f64,
    live: &mut [u16; FACES],
) -> f64 {
    let Some(count) = closed(s, live) else { return f64::NEG_INFINITY };
    // Rounding of any determinant of three corners; the addition is for those that underflow.
    let det_error = l.splat(DETERMINANT_ROUNDING * 6.0 * scale * scale * scale + f64::MIN_POSITIVE);
    let unit = l.splat(1.0 + 16.0 * ROUNDOFF);
    let mut least = l.splat(f64::INFINITY);
    let (mut least_odd, mut behind) = (f64::INFINITY, false);
    let mut at = 0;
    while at < count {
        // The last group repeats its last face.
        let f = [0, 1, 2, 3].map(|i| live[(at + i).min(count - 1) & (FACES - 1)]);
        at += 4;
        let k = f.map(|f| unpack(s.face(f)));
        let [p, q, r] = [0, 1, 2].map(|e| k.map(|k| k[e]));
        let (p, q, r) = (s.gather(l, p), s.gather(l, q), s.gather(l, r));
        let [a, b, c, d] = f.map(|f| s.plane[f as usize & (FACES - 1)]);
        let n = V3 {
            x: l.load(&[a[0], b[0], c[0], d[0]]),
            y: l.load(&[a[1], b[1], c[1], d[1]]),
            z: l.load(&[a[2], b[2], c[2], d[2]]),
        };
        let low = l.min(l.min(dot3(l, n, p), dot3(l, n, q)), dot3(l, n, r));
        let det = dot3(l, p, cross3(l, q, r));
        // False wherever a number is NaN.
        let sure = l.and(l.gt(det, det_error), l.gt(unit, dot3(l, n, n)));
        if l.bits(sure) == 15 {
            behind = true;
            least = l.min(low, least);
        } else {
            for f in f {
                let (low, front) = enclosed_face(s, f);
                least_odd = least_odd.min(low);
                behind |= front;
            }
        }
    }
    let least = l.array(least).into_iter().fold(least_odd, f64::min);
    // Unit normals may be longer than one by nine roundings.
    let least = least - 12.0 * ROUNDOFF * least.abs();
    if behind && least.is_finite() { least - rounding } else { f64::NEG_INFINITY }
}

/// Lists the living faces; `None` unless they have existing corners and close.
fn closed(s: &Surface, live: &mut [u16; FACES]) -> Option<usize> {
    // Set bits of `wrong` are differences between what is and what must be.
    let (mut count, mut wrong) = (0, 0);
    let (mut last_corner, mut last_face, mut all_live) = (0, 0, ALIVE);
    for f in 0..s.slots.min(FACES) as u16 {
        let word = s.face(f);
        if word & ALIVE == 0 {
            continue;
        }
        live[count & (FACES - 1)] = f;
        count += 1;
        let (k, twins) = (unpack(word), unpack(s.twins(f)));
        last_corner = last_corner.max(k[0]).max(k[1]).max(k[2]);
        for e in 0..3 {
            let (g, i) = (twins[e] >> 2, twins[e] & 3);
            let back = s.face(g);
            let (from, to, _) = from_field(back, i);
            wrong |= (from ^ k[(e + 1) % 3]) | (to ^ k[e]);
            wrong |= from_field(s.twins(g), i).0 ^ (4 * f + e as u16);
            // There is no edge 3.
            wrong |= i & (i << 1) & 2;
            all_live &= back;
            last_face = last_face.max(g);
        }
    }
    let exist = (last_corner as usize) < s.corners && (last_face as usize) < s.slots;
    (wrong == 0 && all_live != 0 && exist && count > 0).then_some(count)
}

/// For one face, a distance that it keeps from the origin, and whether the origin is behind it; without a bound where
/// the origin is in front.
#[cold]
fn enclosed_face(s: &Surface, f: u16) -> (f64, bool) {
    let [p, q, r] = unpack(s.face(f)).map(|k| s.corner(k).w);
    let (_, low, behind) = enclosed_triangle(p, q, r);
    (low, behind)
}

/// The same for a triangle, and the direction in which it keeps that distance.
pub(crate) fn enclosed_triangle(p: Vec3, q: Vec3, r: Vec3) -> (Vec3, f64, bool) {
    // The side of the origin: the sign of the determinant, exactly where rounding could turn it.
    let det = p.dot(q.cross(r));
    let det_error = DETERMINANT_ROUNDING * p.abs().dot(vec_permanent(q, r));
    let side = if det.abs() > det_error { det } else { exact_side(p, q, r) };
    let (way, low) = beyond(p, q, r);
    if side < 0.0 || low.is_nan() { (way, f64::NEG_INFINITY, false) } else { (way, low, side > 0.0) }
}

/// Magnitudes behind the products of `q x r`.
fn vec_permanent(q: Vec3, r: Vec3) -> Vec3 {
    let (q, r) = (q.abs(), r.abs());
    Vec3 { x: q.y * r.z + q.z * r.y, y: q.z * r.x + q.x * r.z, z: q.x * r.y + q.y * r.x }
}

/// Sign of `p . (q x r)`, exact.
fn exact_side(p: Vec3, q: Vec3, r: Vec3) -> f64 {
    let c = |v: Vec3| robust::Coord3D { x: v.x, y: v.y, z: v.z };
    robust::orient3d(c(p), c(q), c(r), c(Vec3::ZERO))
}
