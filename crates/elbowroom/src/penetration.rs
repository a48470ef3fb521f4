//! How deep two convex cores overlap: the expanding polytope algorithm with a two-sided bound.
//!
//! What: the smallest translation that separates the cores is the distance from the origin to the boundary of
//! A - B. A polytope of points of A - B around the origin gives a lower bound of it (the nearest face), the support
//! plane along any direction an upper bound. The nearest face is pushed out along its normal until the two meet.
//!
//! Source: van den Bergen, "Proximity queries and penetration depth computation on 3D game objects" (2001); the
//! bounds are re-proved by [`crate::certify`], which needs only that the surface is closed around the origin.
//!
//! It stops when the bounds meet to within [`DEPTH_GAP`] (curved cores [`DEPTH_GAP_CURVED`]), when the question is
//! decided, when a support plane has the origin outside (the cores are separated after all), when the polytope is
//! full, or when rounding would tear the surface.

use crate::certify::{SurfaceFace, beyond, enclosed_ball, plane, rounding};
use crate::gjk::{Cores, Corner, Simplex};
use crate::math::Vec3;
use crate::simd::Lanes;
use crate::support::Support;
use crate::tolerance::{DEPTH_CORNERS, DEPTH_GAP, DEPTH_GAP_CURVED, FLAT, LEVEL};
use alloc::vec::Vec;

/// Work space of a depth search, of fixed size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Polytope {
    corners: Vec<Corner>,
    faces: Vec<SurfaceFace>,
    /// Outward normal (not of unit length) and signed distance of each face's plane; infinite for dead faces.
    normal: Vec<Vec3>,
    offset: Vec<f64>,
    dead: Vec<u16>,
    /// Height below which a corner is level with a face (metres).
    level: f64,
    visible: Vec<u16>,
    /// Horizon edges: from, to, the face kept beyond, and the number of the new face.
    horizon: Vec<(u16, u16, u16, u16)>,
}

const FACES: usize = 2 * DEPTH_CORNERS + 64;

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
    pub steps: u32,
}

impl Polytope {
    /// Makes room for the largest search, so that none allocates.
    pub fn reserve(&mut self) {
        self.corners.reserve(DEPTH_CORNERS);
        self.faces.reserve(FACES);
        self.normal.reserve(FACES);
        self.offset.reserve(FACES);
        self.dead.reserve(FACES);
        self.visible.reserve(FACES);
        self.horizon.reserve(FACES);
    }
    fn clear(&mut self) {
        self.corners.clear();
        self.faces.clear();
        self.normal.clear();
        self.offset.clear();
        self.dead.clear();
    }
    #[inline(always)]
    fn w(&self, i: u16) -> Vec3 {
        self.corners[i as usize].w
    }
    /// Puts a face into a free slot and measures it.
    #[inline(always)]
    fn put(&mut self, corner: [u16; 3], next: [u16; 3]) -> u16 {
        let [p, q, r] = corner.map(|k| self.w(k));
        let (n, offset) = beyond(p, q, r);
        let face = SurfaceFace { corner, next, alive: true };
        match self.dead.pop() {
            Some(i) => {
                self.faces[i as usize] = face;
                self.normal[i as usize] = n;
                self.offset[i as usize] = offset;
                i
            }
            None => {
                self.faces.push(face);
                self.normal.push(n);
                self.offset.push(offset);
                (self.faces.len() - 1) as u16
            }
        }
    }
    fn has(&self, c: &Corner) -> bool {
        self.corners.iter().any(|d| d.w == c.w)
    }
    /// The face nearest to the origin.
    #[inline(always)]
    fn nearest(&self) -> usize {
        let mut best = 0;
        for (i, d) in self.offset.iter().enumerate() {
            if *d < self.offset[best] {
                best = i;
            }
        }
        best
    }
    /// Replaces all faces that the corner `w` sees by a fan around it; false, with nothing changed, if what it sees
    /// is not one patch with one rim (rounding).
    fn expand(&mut self, c: Corner, from: usize) -> bool {
        if self.corners.len() >= DEPTH_CORNERS {
            return false;
        }
        self.visible.clear();
        self.horizon.clear();
        self.visible.push(from as u16);
        self.faces[from].alive = false;
        let mut k = 0;
        while k < self.visible.len() {
            let f = self.faces[self.visible[k] as usize];
            k += 1;
            for e in 0..3 {
                let g = f.next[e];
                let face = self.faces[g as usize];
                if !face.alive {
                    continue;
                }
                // A face that `w` is level with is seen too: kept, it would leave triangles without area on its rim.
                let n = self.normal[g as usize];
                if n.dot(c.w - self.w(face.corner[0])) > -self.level * n.max_abs() {
                    self.faces[g as usize].alive = false;
                    self.visible.push(g);
                } else {
                    self.horizon.push((f.corner[e], f.corner[(e + 1) % 3], g, 0));
                }
            }
        }
        // One rim: following the edges from corner to corner passes all of them once.
        let rim = self.horizon.len();
        let mut at = 0;
        let mut whole = rim >= 3 && self.faces.len() + rim < self.dead.len() + FACES;
        for i in 0..rim.saturating_sub(1) {
            let to = self.horizon[at].1;
            // Moved up so that the rim ends in walking order.
            match (i + 1..rim).find(|&j| self.horizon[j].0 == to) {
                Some(j) => self.horizon.swap(i + 1, j),
                None => whole = false,
            }
            at = i + 1;
        }
        whole = whole && self.horizon[rim - 1].1 == self.horizon[0].0;
        if !whole {
            for &f in &self.visible {
                self.faces[f as usize].alive = true;
            }
            return false;
        }
        for &f in &self.visible {
            self.offset[f as usize] = f64::INFINITY;
            self.dead.push(f);
        }
        let top = self.corners.len() as u16;
        self.corners.push(c);
        for i in 0..rim {
            let (a, b, beyond, _) = self.horizon[i];
            let new = self.put([a, b, top], [beyond, 0, 0]);
            self.horizon[i].3 = new;
        }
        for i in 0..rim {
            let (a, _, beyond, new) = self.horizon[i];
            let after = self.horizon[if i + 1 < rim { i + 1 } else { 0 }].3;
            let before = self.horizon[if i > 0 { i - 1 } else { rim - 1 }].3;
            let f = &mut self.faces[new as usize];
            (f.next[1], f.next[2]) = (after, before);
            let g = &mut self.faces[beyond as usize];
            for e in 0..3 {
                if g.corner[(e + 1) % 3] == a && g.corner[e] == self.horizon[i].1 {
                    g.next[e] = new;
                }
            }
        }
        true
    }
    /// The tetrahedron of the first four corners, turned outward.
    fn first_faces(&mut self) {
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| self.w(i));
        if (b - a).cross(c - a).dot(d - a) > 0.0 {
            self.corners.swap(1, 2);
        }
        self.put([0, 1, 2], [1, 2, 3]);
        self.put([1, 0, 3], [0, 3, 2]);
        self.put([2, 1, 3], [0, 1, 3]);
        self.put([0, 2, 3], [0, 2, 1]);
    }
}

/// Four corners with volume, starting from the simplex; or the direction in which A - B is flat.
fn tetrahedron<L: Lanes, A: Support, B: Support>(
    l: L,
    cores: &Cores<A, B>,
    s: &Simplex,
    out: &mut Vec<Corner>,
) -> Result<(), Vec3> {
    out.extend(s.corners());
    let size = cores.scale;
    let ask = |d: Vec3| cores.support(l, -d);
    // A flat simplex keeps only its first three corners.
    if out.len() == 4 {
        let (a, b, c, d) = (out[0].w, out[1].w, out[2].w, out[3].w);
        let n = (b - a).cross(c - a);
        if n.dot(d - a).abs() <= FLAT * n.norm() * (d - a).norm() {
            out.truncate(3);
        } else {
            return Ok(());
        }
    }
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
    if h.max(k) <= FLAT * size {
        return Err(n);
    }
    out.push(if h >= k { up } else { down });
    Ok(())
}

/// The depth of the overlap that the simplex found (or nearly found). `enough` is a depth, or a distance if negative: the
/// search ends once `least` is above it or `most` below it.
#[inline(always)]
pub(crate) fn depth<L: Lanes, A: Support, B: Support>(
    l: L,
    cores: &Cores<A, B>,
    s: &Simplex,
    enough: f64,
    work: &mut Polytope,
) -> Depth {
    work.clear();
    let slack = rounding(cores);
    let curved = !(A::NUMBERED && B::NUMBERED);
    let gap = cores.scale * if curved { DEPTH_GAP_CURVED } else { DEPTH_GAP };
    if let Err(thin) = tetrahedron(l, cores, s, &mut work.corners) {
        // Flat: no depth can be proved, and along the thin direction almost none exists.
        let (p, m) = (-plane(l, cores, thin, (0, 0)), -plane(l, cores, -thin, (0, 0)));
        let (most, escape) = if p <= m { (p, thin) } else { (m, -thin) };
        let near = s.corners().map(|c| c.w.norm()).fold(f64::INFINITY, f64::min);
        let (a, b) = crate::certify::witnesses(s);
        let apart = if s.len > 0 { (a - b).norm().min(near) + slack } else { f64::INFINITY };
        return Depth { least: 0.0, most, apart, escape, a, b, converged: true, steps: 0 };
    }
    work.level = LEVEL * cores.scale;
    work.first_faces();

    // The best plane: how deep at most, along which outward normal, and its corner.
    let mut most = (f64::INFINITY, Vec3::X, work.corners[0]);
    let mut steps = 0;
    let mut converged = false;
    // Least bound of a face that could not be pushed out.
    let mut stuck = f64::INFINITY;
    loop {
        steps += 1;
        let f = work.nearest();
        let (n, d) = (work.normal[f], work.offset[f]);
        if d >= most.0 - gap || d > enough || d >= stuck + gap {
            converged = stuck == f64::INFINITY;
            break;
        }
        let n = n * (1.0 / n.norm());
        let c = cores.support(l, -n);
        let h = n.dot(c.w);
        if h < most.0 {
            most = (h, n, c);
        }
        if h - d <= gap || h < -slack {
            converged = true;
            break;
        }
        if steps as usize >= 2 * DEPTH_CORNERS || work.has(&c) || !work.expand(c, f) {
            // The face cannot be pushed out, though it should: its plane is bad to rounding. It stays, and counts
            // in the proof; the search goes on with the others.
            stuck = stuck.min(d);
            work.offset[f] = f64::INFINITY;
            if steps as usize >= 2 * DEPTH_CORNERS {
                break;
            }
        }
    }

    let least = enclosed_ball(&work.corners, &work.faces, slack);
    let f = work.nearest();
    if most.0 == f64::INFINITY {
        most = (0.0, work.normal[f], work.corners[work.faces[f].corner[0] as usize]);
    }
    let mut simplex = Simplex::default();
    for k in work.faces[f].corner {
        simplex.push(work.corners[k as usize]);
    }
    simplex.weight = foot(&simplex, work.normal[f], work.offset[f]);
    let (a, b) = crate::certify::witnesses(&simplex);
    let escape = -most.1;
    let most = -plane(l, cores, escape, (most.2.ia, most.2.ib));
    Depth { least, most, apart: (a - b).norm() + slack, escape, a, b, converged, steps }
}

/// Barycentric coordinates of the origin's foot point on a face.
fn foot(s: &Simplex, n: Vec3, offset: f64) -> [f64; 4] {
    let (p, q, r) = (s.corner(0).w, s.corner(1).w, s.corner(2).w);
    let nn = n.norm_squared();
    if nn > 0.0 {
        let o = n * (offset / crate::math::sqrt(nn));
        let u = n.dot((q - o).cross(r - o)) / nn;
        let v = n.dot((r - o).cross(p - o)) / nn;
        let w = 1.0 - u - v;
        if u >= 0.0 && v >= 0.0 && w >= 0.0 {
            return [u, v, w, 0.0];
        }
        let (u, v, w) = (u.max(0.0), v.max(0.0), w.max(0.0));
        let sum = u + v + w;
        if sum > 0.0 {
            return [u / sum, v / sum, w / sum, 0.0];
        }
    }
    [1.0, 0.0, 0.0, 0.0]
}
