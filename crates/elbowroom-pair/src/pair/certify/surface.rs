//! A surface of triangles between points of A - B: the depth search grows it, and it proves the lower bound.
//!
//! Faces are made and measured only here, so the plane of a face is always that of its corners. The
//! neighbours of a face are set by the caller; [`super::enclosed`] checks them.

use crate::numeric::simd::{Lanes, V3, cross_vec3, dot_vec3, splat_vec3, sub_vec3};
use crate::numeric::tolerance::LEAST_SQUARE;
use crate::pair::simplex::Corner;
use crate::pair::tolerance::{DEPTH_CORNERS, NEEDLE};
use alloc::boxed::Box;
use elbowroom_describe::math::Vec3;

/// Largest number of faces: a closed surface without holes has at most `2 * DEPTH_CORNERS - 4`.
pub(crate) const FACES: usize = 2 * DEPTH_CORNERS;
const MASK: usize = FACES - 1;
const _: () = assert!(DEPTH_CORNERS.is_power_of_two() && FACES << 6 == 1 << 16);

/// Triangles in arrays whose lengths are powers of two, so that a masked index needs no check.
///
/// Edge `e` of face `f` leads from its corner `e` to the next. Its number is `64 f + 16 e`, so its low six
/// bits are its shift in the words of its face.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    corner: Box<[Corner; DEPTH_CORNERS]>,
    /// The points of A - B again, a row each for the lanes.
    row: Box<[[f64; 4]; DEPTH_CORNERS]>,
    /// Their first coordinates, four at a time; infinite in unused lanes.
    x: Box<[[f64; 4]; DEPTH_CORNERS / 4]>,
    corners: usize,
    /// Three corners of each face, sixteen bits each from the lowest, and the first again: shifted by the
    /// shift of an edge, the low half has the two ends of the edge.
    face: Box<[u64; FACES]>,
    /// For each edge its twin, the same edge in the neighbouring face; packed alike. Above them [`IS_FACE`],
    /// [`ALIVE`] and [`ODD`].
    twin: Box<[u64; FACES]>,
    /// Outward unit normal of each face and the height of its lowest corner along it.
    plane: Box<[[f64; 4]; FACES]>,
    /// Faces below this number are, or were, in use.
    slots: usize,
}

impl Surface {}

/// Set in the twins of every face, so that the bits above the three edges are not the number of an edge.
const IS_FACE: u64 = 1 << 48;
/// The face is part of the surface.
pub(crate) const ALIVE: u64 = 1 << 49;
/// The normal is inaccurate: the face is a needle, or so small that squares lose digits.
pub(crate) const ODD: u64 = 1 << 50;

/// Three numbers, sixteen bits each from the lowest.
#[inline(always)]
pub(crate) fn unpack(w: u64) -> [u16; 3] {
    [w as u16, (w >> 16) as u16, (w >> 32) as u16]
}
#[inline(always)]
fn pack(f: [u16; 3]) -> u64 {
    u64::from(f[0]) | u64::from(f[1]) << 16 | u64::from(f[2]) << 32
}
/// The face of an edge.
#[inline(always)]
pub(crate) fn face_of(edge: u16) -> u16 {
    edge >> 6
}

/// An edge on the rim of a hole: the edge of the face that stays, and its ends as in the face that was
/// removed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rim(u64);

impl Rim {
    #[inline(always)]
    pub fn new(edge: u16, from: u16, to: u16) -> Rim {
        Rim(pack([edge, from, to]))
    }
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
            row: boxed([0.0; 4]),
            x: boxed([f64::INFINITY; 4]),
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
    /// Faces below this number are, or were, in use.
    #[inline(always)]
    pub fn slots(&self) -> usize {
        self.slots.min(FACES)
    }
    /// The next face that was never in use; there must be one.
    #[inline(always)]
    pub fn new_face(&mut self) -> u16 {
        let f = self.slots & MASK;
        // A face of an earlier surface is not part of this one.
        self.twin[f] = IS_FACE;
        self.slots += 1;
        f as u16
    }
    /// Number of corners.
    #[inline(always)]
    pub fn corners(&self) -> usize {
        self.corners
    }
    /// Adds a corner and returns its number; the surface must not be full.
    #[inline(always)]
    pub fn push(&mut self, c: Corner) -> u16 {
        let k = self.corners & (DEPTH_CORNERS - 1);
        self.corner[k] = c;
        self.row[k] = [c.w.x, c.w.y, c.w.z, 0.0];
        if k & 3 == 0 {
            self.x[k / 4] = [f64::INFINITY; 4];
        }
        self.x[k / 4][k & 3] = c.w.x;
        self.corners += 1;
        k as u16
    }
    #[inline(always)]
    pub fn full(&self) -> bool {
        self.corners >= DEPTH_CORNERS
    }
    /// Whether some corner is `w`.
    #[inline(always)]
    pub fn has<L: Lanes>(&self, l: L, w: Vec3) -> bool {
        let x = l.splat(w.x);
        let mut other = 15;
        for four in &self.x[..self.corners.div_ceil(4).min(DEPTH_CORNERS / 4)] {
            let four = l.load(four);
            other &= l.mask_bits(l.gt(four, x)) | l.mask_bits(l.gt(x, four));
        }
        other != 15 && self.corner[..self.corners.min(DEPTH_CORNERS)].iter().any(|c| c.w == w)
    }
    #[inline(always)]
    pub fn corner(&self, k: u16) -> &Corner {
        &self.corner[k as usize & (DEPTH_CORNERS - 1)]
    }
    /// The face's corners, packed.
    #[inline(always)]
    pub fn face(&self, f: u16) -> u64 {
        self.face[f as usize & MASK]
    }
    /// The face's twins, packed, and its flags ([`ALIVE`], [`ODD`]).
    #[inline(always)]
    pub fn twins(&self, f: u16) -> u64 {
        self.twin[f as usize & MASK]
    }
    #[inline(always)]
    pub fn is_alive(&self, f: u16) -> bool {
        self.twins(f) & ALIVE != 0
    }
    /// Takes a face out of the surface.
    #[inline(always)]
    pub fn remove(&mut self, f: u16) {
        self.twin[f as usize & MASK] &= !ALIVE;
    }
    /// Undoes [`Surface::remove`].
    #[inline(always)]
    pub fn restore(&mut self, f: u16) {
        self.twin[f as usize & MASK] |= ALIVE;
    }
    /// The corners at the beginning and the end of an edge.
    #[inline(always)]
    pub fn ends(&self, edge: u16) -> (u16, u16) {
        let ends = self.face(face_of(edge)) >> (edge & 48);
        (ends as u16, (ends >> 16) as u16)
    }
    /// The twins of the two other edges of a face: of the edge after this one, and of the edge before.
    #[inline(always)]
    pub fn onward(&self, edge: u16) -> (u16, u16) {
        let (w, at) = (self.twins(face_of(edge)) & (IS_FACE - 1), edge & 63);
        let ring = w >> at | w << (48 - at.min(48));
        ((ring >> 16) as u16, (ring >> 32) as u16)
    }
    #[inline(always)]
    pub fn plane(&self, f: u16) -> (Vec3, f64) {
        let [x, y, z, d] = self.plane[f as usize & MASK];
        (Vec3 { x, y, z }, d)
    }
    #[inline(always)]
    fn set_face(&mut self, f: u16, [a, b, c]: [u16; 3], twin: [u16; 3]) {
        self.face[f as usize & MASK] = pack([a, b, c]) | u64::from(a) << 48;
        self.twin[f as usize & MASK] = pack(twin) | IS_FACE | ALIVE;
    }
    #[inline(always)]
    fn set_twin(&mut self, edge: u16, twin: u16) {
        let (word, at) = (&mut self.twin[face_of(edge) as usize & MASK], edge & 48);
        let of_edges = IS_FACE - 1;
        *word = *word & !(0xffff << at & of_edges) | u64::from(twin) << at & of_edges;
    }
    /// The tetrahedron of the first four corners, in faces 0 to 3; the first three must be counter-clockwise
    /// from outside.
    #[inline(always)]
    pub fn tetrahedron<L: Lanes>(&mut self, l: L) {
        let edge = |f: u16, e: u16| 64 * f + 16 * e;
        self.set_face(0, [0, 1, 2], [edge(1, 0), edge(2, 0), edge(3, 0)]);
        self.set_face(1, [1, 0, 3], [edge(0, 0), edge(3, 2), edge(2, 1)]);
        self.set_face(2, [2, 1, 3], [edge(0, 1), edge(1, 2), edge(3, 1)]);
        self.set_face(3, [0, 2, 3], [edge(0, 2), edge(2, 2), edge(1, 1)]);
        self.slots = 4;
        let (p, q, r) = (self.rows(l, [0, 1, 2, 0]), self.rows(l, [1, 0, 1, 2]), self.rows(l, [2, 3, 3, 3]));
        self.measure(l, [0, 1, 2, 3], p, q, r);
    }
    /// Closes a hole by a fan around corner `top`: face `f[i]` is between it and `rim[i]`. Each edge of the
    /// rim starts where the edge before it ends. There must be as many faces as edges.
    #[inline(always)]
    pub fn fan<L: Lanes>(&mut self, l: L, top: u16, f: &[u16], rim: &[Rim]) {
        let count = f.len().min(rim.len());
        let (Some(&last), Some(&first)) = (f.last(), f.first()) else { return };
        let mut before = last;
        for i in 0..count {
            let [edge, a, b] = unpack(rim[i].0);
            let after = if i + 1 < count { f[i + 1] } else { first };
            self.set_face(f[i], [a, b, top], [edge, 64 * after + 32, 64 * before + 16]);
            self.set_twin(edge, 64 * f[i]);
            before = f[i];
        }
        let r = splat_vec3(l, self.corner(top).w);
        let mut at = 0;
        while at < count {
            // The last group repeats its last face.
            let mut of = [0; 4];
            let (mut from, mut to) = ([0; 4], [0; 4]);
            for i in 0..4 {
                let at = (at + i).min(count - 1);
                (of[i], [_, from[i], to[i]]) = (f[at], unpack(rim[at].0));
            }
            let (p, q) = (self.rows(l, from), self.rows(l, to));
            self.measure(l, of, p, q, r);
            at += 4;
        }
    }
    /// Coordinates of four corners.
    #[inline(always)]
    fn rows<L: Lanes>(&self, l: L, k: [u16; 4]) -> V3<L::F> {
        let row = |k: u16| &self.row[k as usize & (DEPTH_CORNERS - 1)];
        let [x, y, z, _] =
            l.transpose([l.load(row(k[0])), l.load(row(k[1])), l.load(row(k[2])), l.load(row(k[3]))]);
        V3 { x, y, z }
    }
    /// Computes the planes of four faces from their corners.
    #[inline(always)]
    fn measure<L: Lanes>(&mut self, l: L, f: [u16; 4], p: V3<L::F>, q: V3<L::F>, r: V3<L::F>) {
        let (e, g) = (sub_vec3(l, q, p), sub_vec3(l, r, p));
        let n = cross_vec3(l, e, g);
        let nn = dot_vec3(l, n, n);
        let sharp = l.gt(nn, l.mul(l.splat(NEEDLE), l.mul(dot_vec3(l, e, e), dot_vec3(l, g, g))));
        let sharp = l.and(sharp, l.gt(nn, l.splat(LEAST_SQUARE)));
        let inv = l.div(l.splat(1.0), l.sqrt(nn));
        let n = V3 { x: l.mul(n.x, inv), y: l.mul(n.y, inv), z: l.mul(n.z, inv) };
        let low = l.min(l.min(dot_vec3(l, n, p), dot_vec3(l, n, q)), dot_vec3(l, n, r));
        let planes = l.transpose([n.x, n.y, n.z, low]);
        for i in 0..4 {
            self.plane[f[i] as usize & MASK] = l.to_array(planes[i]);
        }
        let sharp = l.mask_bits(sharp);
        if sharp != 15 {
            for (i, f) in f.into_iter().enumerate() {
                if sharp >> i & 1 == 0 {
                    self.measure_odd(f);
                }
            }
        }
    }
    /// Measures a face by its nearest point instead of its plane, which for a sliver may be nearer. Returns
    /// the distance.
    #[cold]
    pub fn measure_odd(&mut self, f: u16) -> f64 {
        self.twin[f as usize & MASK] |= ODD;
        let [p, q, r] = unpack(self.face(f)).map(|k| self.corner(k).w);
        let (n, low) = beyond(p, q, r);
        let n = n.normalized().unwrap_or(Vec3::X);
        self.plane[f as usize & MASK] = [n.x, n.y, n.z, low];
        low
    }
}

/// A direction, and a distance that every corner of the triangle has along it, so that no point of the
/// triangle is nearer to the origin. The direction is the normal or, for needles, whose normal is inaccurate,
/// that of the nearest point.
pub(crate) fn beyond(p: Vec3, q: Vec3, r: Vec3) -> (Vec3, f64) {
    let n = (q - p).cross(r - p);
    let mut best = (if n.norm_squared() > 0.0 { n } else { p }, f64::NEG_INFINITY);
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
    // NaN, from an edge of no length, becomes its first end.
    if t > 0.0 { p + d * t.min(1.0) } else { p }
}
