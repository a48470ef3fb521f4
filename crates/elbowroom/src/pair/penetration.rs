//! How deep two convex cores overlap: the expanding polytope algorithm with a two-sided bound.
//!
//! What: the smallest translation that separates the cores is the distance from the origin to the boundary of
//! A - B. A polytope of points of A - B around the origin gives a lower bound of it (the nearest face), the
//! support plane along any direction an upper bound. The nearest face is pushed out along its normal until
//! the two meet.
//!
//! Source: van den Bergen, "Proximity queries and penetration depth computation on 3D game objects" (2001);
//! the bounds are re-proved by [`crate::pair::certify`], which needs only that the surface is closed around
//! the origin.
//!
//! It stops when the bounds meet to within [`DEPTH_GAP`] (curved cores [`DEPTH_GAP_CURVED`]), when the
//! question is decided, when a support plane has the origin outside (the cores are separated after all), when
//! the polytope is full, or when rounding would tear the surface.

pub(crate) mod again;
mod eroded;
mod facets;
mod part;

use crate::numeric::heap_bytes::heap_bytes;
use crate::numeric::math::Vec3;
use crate::numeric::simd::{Lanes, Plain, largest, numbers};
use crate::pair::certify::enclosed::enclosed_ball;
use crate::pair::certify::surface::{FACES, Rim, Surface, boxed, face_of, unpack};
use crate::pair::certify::{plane, rounding};
use crate::pair::cores::Cores;
use crate::pair::farthest::Farthest;
use crate::pair::gjk::careful::keep_nearest;
use crate::pair::simplex::{Corner, Simplex};
use crate::pair::tolerance::{
    CORNER_NOISE, DEPTH_CORNERS, DEPTH_GAP, DEPTH_GAP_CURVED, FLAT, FOOT_OUTSIDE, SAME_FACE,
};
use crate::shape::plainly::Plainly;
use crate::shape::support::Support;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Work space of a depth search, of fixed size.
#[derive(Clone, Debug)]
pub(crate) struct Polytope {
    surface: Surface,
    /// Signed distance of each face's plane, four at a time; infinite where there is nothing left to push
    /// out.
    offset: Box<[[f64; 4]; FACES / 4]>,
    /// Faces out of use, to be used again.
    dead: Box<[u16; FACES]>,
    dead_len: usize,
    /// Height below which a corner is level with a face (metres).
    level: f64,
    /// Faces that the new corner sees.
    visible: Box<[u16; FACES]>,
    visible_len: usize,
    /// Edges around the faces seen.
    rim: Box<[Rim; FACES]>,
    rim_len: usize,
    /// Edges still to be crossed.
    stack: Box<[u16; 2 * FACES]>,
    first: Vec<Corner>,
}

impl Default for Polytope {
    fn default() -> Polytope {
        Polytope {
            surface: Surface::default(),
            offset: boxed([f64::INFINITY; 4]),
            dead: boxed(0),
            dead_len: 0,
            level: 0.0,
            visible: boxed(0),
            visible_len: 0,
            rim: boxed(Rim::default()),
            rim_len: 0,
            stack: boxed(0),
            first: Vec::with_capacity(4),
        }
    }
}

impl Polytope {
    /// Bytes it holds beside itself.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.surface.heap_bytes()
            + size_of_val(&*self.offset)
            + size_of_val(&*self.dead)
            + size_of_val(&*self.visible)
            + size_of_val(&*self.rim)
            + size_of_val(&*self.stack)
            + heap_bytes(&self.first)
    }
}

/// Depth interval (metres, of the cores), and the deepest points.
#[derive(Clone, Copy)]
pub(crate) struct Depth {
    /// At least this; zero or negative if no overlap is proved.
    pub least: f64,
    /// At most this; negative if the cores are proved to be this far apart.
    pub most: f64,
    /// The distance between the cores is at most this, should they not overlap.
    pub apart: f64,
    /// Direction in which A escapes.
    pub escape: Vec3,
    pub a: Vec3,
    pub b: Vec3,
    pub converged: bool,
    /// The polytope has no room for another corner.
    pub full: bool,
    pub steps: u32,
}

impl Polytope {
    fn clear(&mut self) {
        self.surface.clear();
        self.first.clear();
        self.dead_len = 0;
    }
    #[inline(always)]
    fn set_offset(&mut self, f: u16, offset: f64) {
        self.offset[(f >> 2) as usize & (FACES / 4 - 1)][(f & 3) as usize] = offset;
    }
    /// The face nearest to the origin, and its distance.
    #[inline(always)]
    fn nearest<L: Lanes>(&self, l: L) -> (u16, f64) {
        let mut best = l.splat(f64::INFINITY);
        let mut best_at = numbers(l);
        let mut at = best_at;
        let four = l.splat(4.0);
        for d in &self.offset[..self.surface.slots().div_ceil(4)] {
            let d = l.load(d);
            best_at = l.select(l.gt(best, d), at, best_at);
            best = l.min(d, best);
            at = l.add(at, four);
        }
        let (value, number) = largest(l, l.sub(l.splat(0.0), best), best_at);
        (number as u16, -value)
    }
    /// A face out of use, or the next new one.
    #[inline(always)]
    fn take(&mut self) -> u16 {
        if self.dead_len > 0 {
            self.dead_len -= 1;
            return self.dead[self.dead_len & (FACES - 1)];
        }
        let f = self.surface.new_face();
        if f & 3 == 0 {
            self.offset[(f >> 2) as usize & (FACES / 4 - 1)] = [f64::INFINITY; 4];
        }
        f
    }
    /// Collects the faces that `w` sees and the edges around them, in the order of a walk around; false, with
    /// nothing changed, if they are not one patch with one rim (rounding).
    ///
    /// The patch grows depth first across the edges of each seen face in turn, so the edges at which it stops
    /// come in order.
    fn look(&mut self, w: Vec3, from: u16) -> bool {
        const STACK: usize = 2 * FACES - 1;
        const MASK: usize = FACES - 1;
        let (mut top, mut seen, mut rim) = (3, 1, 0);
        self.visible[0] = from;
        self.surface.set_alive(from, false);
        let [first, second, third] = unpack(self.surface.twins(from));
        (self.stack[0], self.stack[1], self.stack[2]) = (third, second, first);
        // One rim: each edge starts where the one before ends. The first start is put to the test at the end.
        let (mut whole, mut start, mut end) = (true, 0, 0);
        while top > 0 {
            top -= 1;
            let edge = self.stack[top & STACK];
            let g = face_of(edge);
            if !self.surface.is_alive(g) {
                continue;
            }
            // A face whose plane holds `w` counts as visible too. If it were kept, new triangles at its edges
            // would have no area.
            let (n, d) = self.surface.plane(g);
            if n.dot(w) - d > -self.level {
                self.surface.set_alive(g, false);
                self.visible[seen & MASK] = g;
                seen += 1;
                let (after, before) = self.surface.onward(edge);
                (self.stack[top & STACK], self.stack[(top + 1) & STACK]) = (before, after);
                top += 2;
            } else {
                let (to, from) = self.surface.ends(edge);
                if rim == 0 {
                    (start, end) = (from, from);
                }
                whole &= from == end;
                end = to;
                self.rim[rim & MASK] = Rim::new(edge, from, to);
                rim += 1;
            }
        }
        (self.visible_len, self.rim_len) = (seen, rim);
        whole &= start == end
            && (3..FACES).contains(&rim)
            && rim.saturating_sub(seen + self.dead_len) + self.surface.slots() <= FACES;
        if !whole {
            for &f in &self.visible[..seen & MASK] {
                self.surface.set_alive(f, true);
            }
        }
        whole
    }
    /// Replaces all faces that the corner `c` sees by a fan around it; false, with nothing changed, where
    /// that fails.
    #[inline(always)]
    fn expand<L: Lanes>(&mut self, l: L, c: Corner, from: u16) -> bool {
        if self.surface.full() || !self.look(c.w, from) {
            return false;
        }
        const MASK: usize = FACES - 1;
        let top = self.surface.push(c);
        let (rim, seen) = (self.rim_len, self.visible_len);
        // The new faces take the places of those seen, then others.
        for i in rim..seen {
            let f = self.visible[i & MASK];
            self.set_offset(f, f64::INFINITY);
            self.dead[self.dead_len & MASK] = f;
            self.dead_len += 1;
        }
        for i in seen..rim {
            self.visible[i & MASK] = self.take();
        }
        let rim = rim.min(FACES);
        let faces = &self.visible[..rim];
        self.surface.fan(l, top, faces, &self.rim[..rim]);
        for i in 0..rim {
            let f = self.visible[i];
            self.set_offset(f, self.surface.plane(f).1);
        }
        true
    }
    /// The tetrahedron of the first four corners, turned outward.
    #[inline(always)]
    fn first_faces<L: Lanes>(&mut self, l: L) {
        let mut c = [0, 1, 2, 3].map(|i| self.first[i]);
        if (c[1].w - c[0].w).cross(c[2].w - c[0].w).dot(c[3].w - c[0].w) > 0.0 {
            c.swap(1, 2);
        }
        for c in c {
            self.surface.push(c);
        }
        self.surface.tetrahedron(l);
        self.offset[0] = [0, 1, 2, 3].map(|f| self.surface.plane(f).1);
    }
}

/// Whether the simplex is a tetrahedron with volume: more than the rounding of the volume itself, and more
/// than the rounding of the corners (`scale` times [`ROUNDOFF`]) can make on its largest face.
#[inline(always)]
fn solid(s: &Simplex, scale: f64) -> bool {
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| s.corner(i).w);
    let (e, f, g) = (b - a, c - a, d - a);
    let n = e.cross(f);
    let volume = n.dot(g).abs();
    let area = e.norm_squared().max(f.norm_squared()).max(g.norm_squared());
    s.len == 4 && volume > FLAT * n.norm() * g.norm() && volume > CORNER_NOISE * scale * area
}

/// Four corners with volume, starting from a simplex without; or the direction in which A - B is flat.
#[cold]
#[inline(never)]
fn tetrahedron(cores: &Cores<Plainly, Plainly>, s: &Simplex, out: &mut Vec<Corner>) -> Result<(), Vec3> {
    // A flat simplex keeps only its first three corners.
    out.extend(s.corners().take(3));
    let size = cores.scale;
    let ask = |d: Vec3| Farthest::new(Plain, cores, -d).corner(cores);
    if out.len() == 3 && (out[1].w - out[0].w).cross(out[2].w - out[0].w).norm() <= FLAT * size * size {
        out.truncate(2);
    }
    if out.len() == 2 && (out[1].w - out[0].w).norm() <= FLAT * size {
        out.truncate(1);
    }
    if out.is_empty() {
        out.push(ask(Vec3::X));
    }
    if out.len() == 1 {
        // The farthest of six directions.
        let mut best = (FLAT * size, out[0]);
        for d in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z] {
            let c = ask(d);
            let far = (c.w - out[0].w).norm();
            if far > best.0 {
                best = (far, c);
            }
        }
        if best.0 <= FLAT * size {
            return Err(Vec3::X);
        }
        out.push(best.1);
    }
    if out.len() == 2 {
        // The corner farthest from the line, of six directions around it.
        let e = out[1].w - out[0].w;
        let (p, axis) = (e.any_perpendicular(), e.normalized().unwrap_or(Vec3::X));
        let q = axis.cross(p);
        let mut best = (FLAT * size, out[0]);
        for d in [p, q, -p, -q, p + q, p - q, q - p, -p - q] {
            let c = ask(d);
            let far = axis.cross(c.w - out[0].w).norm();
            if far > best.0 {
                best = (far, c);
            }
        }
        if best.0 <= FLAT * size {
            return Err(p);
        }
        out.push(best.1);
    }
    let n = (out[1].w - out[0].w).cross(out[2].w - out[0].w).normalized().unwrap_or(Vec3::Z);
    let (up, down) = (ask(n), ask(-n));
    let (h, k) = (n.dot(up.w - out[0].w), n.dot(out[0].w - down.w));
    // A thin triangle's normal is off by the rounding of its corners over its height, which tilts far
    // corners.
    let (e, f) = (out[1].w - out[0].w, out[2].w - out[0].w);
    let far = e.norm_squared().max(f.norm_squared()).max((up.w - out[0].w).norm_squared());
    let tilt = CORNER_NOISE * size * far / e.cross(f).norm();
    if h.max(k) <= FLAT * size + tilt {
        return Err(n);
    }
    out.push(if h >= k { up } else { down });
    Ok(())
}

/// The depth of the overlap that the simplex found (or nearly found). `enough` is a depth, or a distance if
/// negative: the search ends once `least` is above it or `most` below it. Corners within `level` of a face,
/// as a fraction of the scale, count as level with it.
#[inline(always)]
pub(crate) fn depth<L: Lanes, A: Support, B: Support>(
    l: L,
    cores: &Cores<A, B>,
    s: &Simplex,
    enough: f64,
    level: f64,
    work: &mut Polytope,
) -> Depth {
    work.clear();
    let slack = rounding(cores);
    let curved = cores.a.curved() || cores.b.curved();
    let gap = cores.scale * if curved { DEPTH_GAP_CURVED } else { DEPTH_GAP };
    if solid(s, cores.scale) {
        work.first.extend(s.corners());
    } else if let Err(thin) = tetrahedron(&cores.plainly(), s, &mut work.first) {
        return flat(&cores.plainly(), s, thin, slack);
    }
    work.level = level * cores.scale;
    work.first_faces(l);

    // The best plane: how deep at most, and the farthest points on it.
    let mut most = (f64::INFINITY, Farthest::NONE);
    let mut steps = 0;
    let mut converged = false;
    // Least bound of a face that could not be pushed out.
    let mut stuck = f64::INFINITY;
    let mut f;
    loop {
        steps += 1;
        let d;
        (f, d) = work.nearest(l);
        if d >= most.0 - gap || d > enough || d >= stuck + gap {
            converged = stuck == f64::INFINITY;
            break;
        }
        let n = work.surface.plane(f).0;
        let far = Farthest::new(l, cores, -n);
        let c = far.corner(cores);
        let h = n.dot(c.w);
        if h < most.0 {
            most = (h, far);
        }
        if h - d <= gap || h < -slack {
            converged = true;
            break;
        }
        if steps as usize >= 2 * DEPTH_CORNERS || work.surface.has(l, c.w) || !work.expand(l, c, f) {
            // The face cannot be pushed out, though it should: its plane is bad to rounding. A sliver may be
            // farther than its plane. Else it stays, and counts in the proof; the search goes on with the
            // others.
            let away = work.surface.measure_odd(f);
            if away > d + gap && (steps as usize) < 2 * DEPTH_CORNERS {
                work.set_offset(f, away);
                continue;
            }
            stuck = stuck.min(d);
            work.set_offset(f, f64::INFINITY);
            if steps as usize >= 2 * DEPTH_CORNERS {
                (f, _) = work.nearest(l);
                break;
            }
        }
    }

    let least = enclosed_ball(&work.surface, cores.scale, slack);
    let (mut n, offset) = work.surface.plane(f);
    if most.0 == f64::INFINITY {
        most = (0.0, Farthest::new(l, cores, -n));
    }
    let mut simplex = of_face(&work.surface, f);
    simplex.weight = barycentric(&simplex, n, offset);
    let (mut escape, mut most) = (most.1.direction().in_a, -plane(l, cores, &most.1));
    if outside(&simplex.weight) > 0.0 || -escape.dot(n) < 1.0 - SAME_FACE {
        // Several ways out are equally short, or several faces are in the nearest plane.
        (simplex, n) = landing(&work.surface, simplex, n, -escape, most + gap);
        let across = -plane(l, cores, &Farthest::new(l, cores, -n));
        if across <= most + gap {
            (escape, most) = (-n, across);
        }
    }
    let (a, b) = crate::pair::certify::witnesses(&simplex);
    // Bounds that met in the search may not have been proved.
    converged &= least > enough || most - least <= 2.0 * gap + 4.0 * slack;
    let full = work.surface.full();
    let mut d = Depth { least, most, apart: (a - b).norm() + slack, escape, a, b, converged, full, steps };
    if least <= 0.0 {
        touch(&work.surface, slack, &mut d);
    }
    d
}

/// No overlap is proved: the cores are at most as far apart as the surface is from the origin. The face whose
/// plane is nearest need not be the nearest face.
#[cold]
#[inline(never)]
fn touch(surface: &Surface, slack: f64, d: &mut Depth) {
    for f in 0..surface.slots() as u16 {
        if !surface.is_alive(f) {
            continue;
        }
        nearer(&mut of_face(surface, f), slack, d);
    }
}

/// Takes the point of a simplex nearest to the origin as the witnesses, if it is nearer than those there are.
fn nearer(s: &mut Simplex, slack: f64, d: &mut Depth) {
    if s.len > 0 && keep_nearest(s) {
        let (a, b) = crate::pair::certify::witnesses(s);
        let apart = (a - b).norm() + slack;
        if apart < d.apart {
            (d.apart, d.a, d.b) = (apart, a, b);
        }
    }
}

/// A - B has no volume: no depth can be proved, and along the thin direction almost none exists.
#[cold]
#[inline(never)]
fn flat(cores: &Cores<Plainly, Plainly>, s: &Simplex, thin: Vec3, slack: f64) -> Depth {
    let most = |v| -plane(Plain, cores, &Farthest::new(Plain, cores, v));
    let (p, m) = (most(thin), most(-thin));
    let (most, escape) = if p <= m { (p, thin) } else { (m, -thin) };
    let (a, b) = crate::pair::certify::witnesses(s);
    let apart = if s.len > 0 { (a - b).norm() + slack } else { f64::INFINITY };
    let mut d = Depth { least: 0.0, most, apart, escape, a, b, converged: true, full: false, steps: 0 };
    let mut s = *s;
    nearer(&mut s, slack, &mut d);
    d
}

/// The corners of a face.
#[inline(always)]
fn of_face(surface: &Surface, f: u16) -> Simplex {
    let mut s = Simplex::default();
    for k in unpack(surface.face(f)) {
        s.push(*surface.corner(k));
    }
    s
}

/// The face that holds the origin's foot point on its plane, no higher than `most`, whose normal is nearest
/// to `way`; and that normal. The ball up to the nearest plane lies in the surface and touches it there, so
/// there is one unless rounding hides it; then it is the face given, and the point on it nearest to what its
/// weights say.
#[cold]
#[inline(never)]
fn landing(surface: &Surface, nearest: Simplex, normal: Vec3, way: Vec3, most: f64) -> (Simplex, Vec3) {
    let (mut best, mut n, mut along) = (nearest, normal, f64::NEG_INFINITY);
    for f in 0..surface.slots() as u16 {
        let (m, height) = surface.plane(f);
        if surface.is_alive(f) && height <= most && m.dot(way) > along {
            let mut s = of_face(surface, f);
            s.weight = barycentric(&s, m, height);
            if outside(&s.weight) <= FOOT_OUTSIDE {
                (best, n, along) = (s, m, m.dot(way));
            }
        }
    }
    best.weight = clamped(best.weight);
    (best, n)
}

/// How negative the weights of a point get; NaN, or above zero, outside.
#[inline(always)]
fn outside(weight: &[f64; 4]) -> f64 {
    let [u, v, w, _] = *weight;
    // NaN counts as outside.
    if u >= 0.0 && v >= 0.0 && w >= 0.0 {
        0.0
    } else {
        0.0_f64.max(-u).max(-v).max(-w).max(f64::MIN_POSITIVE)
    }
}

/// Weights of the origin's foot point on a face, from its plane's unit normal and height; negative outside;
/// not numbers for a face without area.
#[inline(always)]
fn barycentric(s: &Simplex, n: Vec3, offset: f64) -> [f64; 4] {
    let (p, q, r) = (s.corner(0).w, s.corner(1).w, s.corner(2).w);
    let (o, inv) = (n * offset, 1.0 / n.dot((q - p).cross(r - p)));
    let u = n.dot((q - o).cross(r - o)) * inv;
    let v = n.dot((r - o).cross(p - o)) * inv;
    [u, v, 1.0 - u - v, 0.0]
}

/// Weights of a point of the face, whatever they were.
fn clamped(weight: [f64; 4]) -> [f64; 4] {
    // NaN becomes zero.
    let [u, v, w, _] = weight.map(|x| if x > 0.0 { x } else { 0.0 });
    let sum = u + v + w;
    if sum > 0.0 && sum.is_finite() { [u / sum, v / sum, w / sum, 0.0] } else { [1.0, 0.0, 0.0, 0.0] }
}
