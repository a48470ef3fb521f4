//! A ball inside a shape: where two of them overlap, so do the shapes.
//!
//! The ball is as large as its centre is deep, and how deep that is, is proved: by the planes of a hull's
//! faces, by the formulas of the simple cores, for meshes by the distance to the nearest triangle of a centre
//! that is proved to be in the solid. The deepest centre is found by local search (the largest ball of a
//! hull: Chebyshev's centre).

use super::outline::outline;
use super::search::{Dice, improve};
use crate::bounds::ball::Ball;
use crate::bounds::tolerance::{GAP_ROUNDING, INNER_GRID, INNER_POINTS, REACH_HALVINGS};
use crate::numeric::math::{Vec3, sqrt, vec3};
use crate::numeric::tolerance::DETERMINANT_ROUNDING;
use crate::shape::hull::{Hull, Rank};
use crate::shape::mesh::nearest::{LeafGap, NearestScratch, Probe, nearest};
use crate::shape::mesh::{Mesh, inside};
use crate::shape::solid::{Core, Shape};
use crate::shape::triangle::nearest_point;
use alloc::vec::Vec;

/// The largest ball (metres, the shape's frame) proved to lie in the shape that so many steps find; `None` if
/// none was found: in open meshes, in flat or thin hulls without radius.
pub(crate) fn inner_ball(shape: &Shape, tries: usize) -> Option<Ball> {
    let mut depth = Depth::new(&shape.core);
    let (points, _) = outline(&shape.core);
    let mean = points.iter().fold(Vec3::ZERO, |m, p| m + *p * (1.0 / points.len() as f64));
    let size = points.iter().fold(0.0_f64, |s, p| s.max((*p - mean).norm()));
    let mut best: Option<Ball> = None;
    let mut keep = |center: Vec3, depth: f64| {
        // Of a centre that is in the core, and the radius around the core.
        let radius = (depth + shape.radius) * (1.0 - GAP_ROUNDING);
        if depth >= 0.0 && radius > best.map_or(0.0, |b| b.radius) {
            best = Some(Ball { center, radius });
        }
    };
    let start = depth.deepest_start(mean);
    let f = |x: &[f64; 3]| -depth.at(start + vec3(x[0], x[1], x[2]) * size);
    let (x, least) = improve([0.0; 3], 0.1, tries, &mut Dice::new(), f);
    keep(start + vec3(x[0], x[1], x[2]) * size, -least);
    // Cores without a depth have only their own points.
    for p in points.iter().take(INNER_POINTS) {
        keep(*p, depth.at(*p));
    }
    best
}

/// How deep points lie in a core.
enum Depth<'a> {
    Simple(&'a Core),
    Hull(&'a Hull),
    Mesh(&'a Mesh, NearestScratch),
}

impl<'a> Depth<'a> {
    fn new(core: &'a Core) -> Depth<'a> {
        match core {
            Core::Hull(hull) => Depth::Hull(hull),
            Core::Mesh { mesh, .. } => {
                let mut scratch = NearestScratch::default();
                scratch.reserve(mesh.depth());
                Depth::Mesh(mesh, scratch)
            }
            core => Depth::Simple(core),
        }
    }

    /// Where to begin: the mean of the corners, but for a mesh the deepest point of a grid.
    fn deepest_start(&mut self, mean: Vec3) -> Vec3 {
        let Depth::Mesh(mesh, _) = self else { return mean };
        let (center, half) = mesh.bounds();
        let mut best = (self.at(mean), mean);
        for k in 0..INNER_GRID * INNER_GRID * INNER_GRID {
            let place = |i: usize| (2 * (i % INNER_GRID) + 1) as f64 / INNER_GRID as f64 - 1.0;
            let s = vec3(place(k), place(k / INNER_GRID), place(k / INNER_GRID / INNER_GRID));
            let p = center + half.scaled(s);
            let depth = self.at(p);
            if depth > best.0 {
                best = (depth, p);
            }
        }
        best.1
    }

    /// Proved: a ball of this radius about `p` lies in the core; negative if nothing is proved.
    fn at(&mut self, p: Vec3) -> f64 {
        if !p.is_finite() {
            return f64::NEG_INFINITY;
        }
        match self {
            Depth::Simple(core) => simple(core, p),
            Depth::Hull(hull) => in_hull(hull, p),
            Depth::Mesh(mesh, scratch) => in_mesh(mesh, p, scratch),
        }
    }
}

/// How far a shape reaches from the middle of a ball inside it.
pub(crate) struct Star<'a> {
    shape: &'a Shape,
    ball: Ball,
    depth: Depth<'a>,
    /// Of each face of a hull the normal, how far it moves with a rounding, and how far the middle is behind
    /// the face, in units of the normal.
    planes: Vec<(Vec3, Vec3, f64)>,
}

impl<'a> Star<'a> {
    /// About a ball that lies in the shape.
    pub fn new(shape: &'a Shape, ball: Ball) -> Star<'a> {
        let planes = match &shape.core {
            Core::Hull(hull) if hull.rank() == Rank::Solid => hull
                .faces()
                .map(|f| Plane::of_face(hull, f))
                .map(|f| (f.normal, f.bulk * DETERMINANT_ROUNDING, f.room(ball.center)))
                .collect(),
            _ => Vec::new(),
        };
        Star { shape, ball, depth: Depth::new(&shape.core), planes }
    }

    /// Proved: the middle plus any smaller multiple of `v` (not zero) than this is in the shape.
    pub fn reach(&mut self, v: Vec3) -> f64 {
        let length = v.norm();
        let in_ball = self.ball.radius / length;
        let middle = self.ball.center;
        let core = match (&self.shape.core, self.planes.is_empty()) {
            // Between the faces.
            (_, false) => self.planes.iter().fold(f64::INFINITY, |reach, (normal, off, room)| {
                let along = normal.dot(v) + off.dot(v.abs());
                // What is NaN proves nothing.
                if along <= 0.0 { reach } else { reach.min(room / along) }
            }),
            (Core::Mesh { .. } | Core::Hull(_), true) => 0.0,
            // Halved until it is as good as exact.
            _ => {
                let (mut inside, mut outside) = (0.0, 4.0 * self.shape.reach / length);
                for _ in 0..REACH_HALVINGS {
                    let t = 0.5 * (inside + outside);
                    let is_inside = self.depth.at(middle + v * t) >= 0.0;
                    *(if is_inside { &mut inside } else { &mut outside }) = t;
                }
                inside
            }
        };
        let around = if core.is_finite() { core.max(0.0) + self.shape.radius / length } else { 0.0 };
        around.max(in_ball) * (1.0 - GAP_ROUNDING)
    }
}

/// A face of a hull, not of unit length.
struct Plane {
    normal: Vec3,
    /// Magnitudes of the products in each coordinate of the normal.
    bulk: Vec3,
    point: Vec3,
}

impl Plane {
    fn of_face(hull: &Hull, f: [u32; 3]) -> Plane {
        let at = |i: u32| hull.vertex(i as usize);
        let a = at(f[0]);
        let (u, v) = (at(f[1]) - a, at(f[2]) - a);
        let (s, t) = (u.abs(), v.abs());
        let bulk = vec3(s.y * t.z + s.z * t.y, s.z * t.x + s.x * t.z, s.x * t.y + s.y * t.x);
        Plane { normal: u.cross(v), bulk, point: a }
    }

    /// How far a point is behind it at least, in units of the normal.
    fn room(&self, p: Vec3) -> f64 {
        let w = self.point - p;
        // The six products of the determinant.
        self.normal.dot(w) - DETERMINANT_ROUNDING * self.bulk.dot(w.abs())
    }
}

fn simple(core: &Core, p: Vec3) -> f64 {
    let across = sqrt(p.x * p.x + p.y * p.y);
    let on = |inside: bool| if inside { 0.0 } else { f64::NEG_INFINITY };
    let (depth, size) = match *core {
        Core::Point => return on(p == Vec3::ZERO),
        Core::Segment { half_length } => return on(across == 0.0 && p.z.abs() <= half_length),
        Core::Box { half } => {
            let d = half - p.abs();
            (d.x.min(d.y).min(d.z), half.norm())
        }
        Core::Cylinder { radius, half_length } => {
            ((radius - across).min(half_length - p.z.abs()), radius + half_length)
        }
        Core::Cone { radius, half_length } => {
            let length = 2.0 * half_length;
            let slant = sqrt(radius * radius + length * length);
            let side = ((half_length - p.z) * radius - across * length) / slant;
            (side.min(p.z + half_length), radius + length)
        }
        Core::Ellipsoid { radii } => {
            // In units of the half axes a ball is at most as large as its radius by the shortest.
            let s = vec3(p.x / radii.x, p.y / radii.y, p.z / radii.z).norm();
            let least = radii.x.min(radii.y).min(radii.z);
            ((1.0 - s) * least, radii.max_abs())
        }
        Core::Hull(_) | Core::Mesh { .. } => return f64::NEG_INFINITY,
    };
    depth - GAP_ROUNDING * (size + p.norm())
}

/// The least distance from the planes of all faces, each less its rounding.
fn in_hull(hull: &Hull, p: Vec3) -> f64 {
    if hull.rank() != Rank::Solid {
        return if hull.vertices().any(|v| v == p) { 0.0 } else { f64::NEG_INFINITY };
    }
    let mut depth = f64::INFINITY;
    for f in hull.faces() {
        let face = Plane::of_face(hull, f);
        let room = face.room(p);
        let length = face.normal.norm() + DETERMINANT_ROUNDING * face.bulk.norm();
        let d = room / length;
        // What is NaN proves nothing.
        if !(d < depth) && !(d >= depth) {
            return f64::NEG_INFINITY;
        }
        depth = depth.min(d);
    }
    depth - GAP_ROUNDING * depth.abs()
}

/// The distance from the nearest triangle, if the point is in the solid.
fn in_mesh(mesh: &Mesh, p: Vec3, scratch: &mut NearestScratch) -> f64 {
    if !mesh.is_closed() || inside::contains(mesh, p) != Some(true) {
        return f64::NEG_INFINITY;
    }
    let probe = Probe { center: p, half: Vec3::ZERO, plane: None };
    let found = nearest(mesh, &probe, [f64::INFINITY, 0.0], None, scratch, |_, t| {
        let v = p - nearest_point(t, p);
        let off = t.map(|c| p - c);
        let scale = off.iter().fold(0.0, |s: f64, c| s.max(c.norm()));
        let room = off.iter().fold(f64::INFINITY, |r, c| r.min(v.dot(*c))) / v.norm();
        let lower = room - GAP_ROUNDING * scale;
        // Where no direction proves anything, the point is as good as on the triangle.
        let lower = if lower > 0.0 { lower } else { 0.0 };
        LeafGap { lower, upper: v.norm() + GAP_ROUNDING * scale, plane: None }
    });
    found.lower - 2.0 * mesh.crack() - GAP_ROUNDING * p.norm()
}
