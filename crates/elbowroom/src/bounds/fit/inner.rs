//! A ball inside a shape: where the balls of two shapes overlap, so do the shapes.
//!
//! The radius is the depth of the centre, which is proved: by the planes of a hull's faces, by formulas for
//! the simple cores, and for a mesh by the distance to the nearest triangle, once the centre is proved to be
//! in the solid. A local search moves the centre (of a hull towards its Chebyshev centre).

use super::carve::carve_planes;
use super::outline::outline_core;
use super::search::{SEED, search_locally};
use crate::bounds::ball::Ball;
use crate::bounds::tolerance::{EXTENT_HALVINGS, GAP_ROUNDING, INNER_GRID, INNER_POINTS};
use alloc::vec::Vec;
use elbowroom_describe::math::{Random, Vec3, sqrt, vec3};
use elbowroom_pair::Geometry;
use elbowroom_pair::numeric::simd::{Kernel, Lanes, V3, dispatch_kernel, dot_vec3, splat_vec3, sub_vec3};
use elbowroom_pair::numeric::tolerance::DETERMINANT_ROUNDING;
use elbowroom_pair::shape::hull::{Block, Hull, Rank};
use elbowroom_pair::shape::mesh::nearest::{LeafGap, NearestScratch, Probe, search_nearest};
use elbowroom_pair::shape::mesh::{Mesh, inside};
use elbowroom_pair::shape::solid::{Core, Shape};
use elbowroom_pair::shape::triangle::nearest_point;

/// A large ball that is proved to lie in the shape, or in the hull of a mesh (metres, the shape's frame), the
/// best of `tries` steps; `None` if there was none: for open meshes, and flat or thin hulls without a radius.
pub(crate) fn inner_ball(shape: &Shape, geometry: Geometry, tries: usize) -> Option<Ball> {
    let mut depth = CoreDepth::new(shape.core(), geometry);
    let (points, _) = outline_core(shape.core());
    let mean = points.iter().fold(Vec3::ZERO, |m, p| m + *p * (1.0 / points.len() as f64));
    let size = points.iter().fold(0.0_f64, |s, p| s.max((*p - mean).norm()));
    let mut best: Option<Ball> = None;
    let mut keep = |center: Vec3, depth: f64| {
        // The centre must be in the core; the shape extends by its radius beyond the core.
        let radius = (depth + shape.radius()) * (1.0 - GAP_ROUNDING);
        if depth >= 0.0 && radius > best.map_or(0.0, |b| b.radius) {
            best = Some(Ball { center, radius });
        }
    };
    let start = depth.deepest_start(mean);
    let f = |x: &[f64; 3]| -depth.proved_depth(start + vec3(x[0], x[1], x[2]) * size);
    let (x, least) = search_locally([0.0; 3], 0.1, tries, &mut Random(SEED), f);
    keep(start + vec3(x[0], x[1], x[2]) * size, -least);
    // A core without an inside has only its own points.
    for p in points.iter().take(INNER_POINTS) {
        keep(*p, depth.proved_depth(*p));
    }
    best
}

/// The depth of points in a core.
enum CoreDepth<'a> {
    Simple(&'a Core),
    Hull(&'a Hull, Vec<FaceLanes>),
    Mesh(&'a Mesh, NearestScratch),
}

impl<'a> CoreDepth<'a> {
    fn new(core: &'a Core, geometry: Geometry) -> CoreDepth<'a> {
        match core {
            Core::Hull(hull) => CoreDepth::Hull(hull, FaceLanes::of_hull(hull)),
            Core::Mesh { hull, .. } if geometry == Geometry::Hull => {
                CoreDepth::Hull(hull, FaceLanes::of_hull(hull))
            }
            Core::Mesh { mesh, .. } => {
                let mut scratch = NearestScratch::default();
                scratch.reserve(mesh.depth());
                CoreDepth::Mesh(mesh, scratch)
            }
            core => CoreDepth::Simple(core),
        }
    }

    /// The start of a search: the mean of the corners; for a mesh the deepest point of a grid.
    fn deepest_start(&mut self, mean: Vec3) -> Vec3 {
        let CoreDepth::Mesh(mesh, _) = self else { return mean };
        let (center, half) = mesh.bounding_box();
        let mut best = (self.proved_depth(mean), mean);
        for k in 0..INNER_GRID * INNER_GRID * INNER_GRID {
            let coordinate = |i: usize| (2 * (i % INNER_GRID) + 1) as f64 / INNER_GRID as f64 - 1.0;
            let s = vec3(coordinate(k), coordinate(k / INNER_GRID), coordinate(k / INNER_GRID / INNER_GRID));
            let p = center + half.scaled(s);
            let depth = self.proved_depth(p);
            if depth > best.0 {
                best = (depth, p);
            }
        }
        best.1
    }

    /// The proved depth: a ball of this radius about `p` lies in the core. Negative if nothing is proved.
    fn proved_depth(&mut self, p: Vec3) -> f64 {
        if !p.is_finite() {
            return f64::NEG_INFINITY;
        }
        match self {
            CoreDepth::Simple(core) => depth_in_simple(core, p),
            CoreDepth::Hull(hull, faces) => in_hull(hull, faces, p),
            CoreDepth::Mesh(mesh, scratch) => in_mesh(mesh, p, scratch),
        }
    }
}

/// The extent of a shape along rays from the centre of a ball inside it.
pub(crate) struct Star<'a> {
    shape: &'a Shape,
    ball: Ball,
    depth: CoreDepth<'a>,
    /// The planes of a polytope in the core, four at a time; the last four repeat the last one.
    planes: Vec<CarvedPlanes>,
}

/// Four planes: their normals, the rounding of the normals, and the depths of the star's centre behind the
/// planes, in units of the normals.
struct CarvedPlanes {
    normal: Block,
    rounding: Block,
    depth: [f64; 4],
}

impl CarvedPlanes {
    /// The planes of up to four faces, seen from a point.
    fn new(hull: &Hull, faces: &[[u32; 3]], from: Vec3) -> CarvedPlanes {
        let face = |lane: usize| FacePlane::of_face(hull, faces[lane.min(faces.len() - 1)]);
        let four = [face(0), face(1), face(2), face(3)];
        CarvedPlanes {
            normal: Block::new(four.each_ref().map(|f| f.normal)),
            rounding: Block::new(four.each_ref().map(|f| f.bulk * DETERMINANT_ROUNDING)),
            depth: four.map(|f| f.depth_of_point(from)),
        }
    }

    /// Up to four that were carved.
    fn from_carved(planes: &[(Vec3, f64)]) -> CarvedPlanes {
        let plane = |lane: usize| planes[lane.min(planes.len() - 1)];
        let four = [plane(0), plane(1), plane(2), plane(3)];
        let rounding = vec3(GAP_ROUNDING, GAP_ROUNDING, GAP_ROUNDING);
        CarvedPlanes {
            normal: Block::new(four.map(|(normal, _)| normal)),
            rounding: Block::new([rounding; 4]),
            depth: four.map(|(_, depth)| depth),
        }
    }
}

/// Rays that are followed together, because planes may be many: each is read from memory once for all.
pub(crate) const RAYS: usize = 16;

/// How far rays reach before the first plane, each in units of its length.
struct Rays<'a>(&'a [CarvedPlanes], &'a [Vec3; RAYS]);

impl Kernel for Rays<'_> {
    type Output = [f64; RAYS];
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> [f64; RAYS] {
        let Rays(planes, rays) = self;
        let zero = l.splat(0.0);
        let mut extents = [l.splat(f64::INFINITY); RAYS];
        let mut i = 0;
        while i < planes.len() {
            let CarvedPlanes { normal, rounding, depth } = &planes[i];
            i += 1;
            let (normal, rounding, depth) = (normal.load_lanes(l), rounding.load_lanes(l), l.load(depth));
            for k in 0..RAYS {
                let (along_v, size) = (splat_vec3(l, rays[k]), splat_vec3(l, rays[k].abs()));
                let along = l.add(dot_vec3(l, normal, along_v), dot_vec3(l, rounding, size));
                let reach = l.div(depth, along);
                // NaN does not count, neither along the normal nor as reach.
                extents[k] = l.select(l.gt(along, zero), l.min(reach, extents[k]), extents[k]);
            }
        }
        extents.map(|extent| l.to_array(extent).into_iter().fold(f64::INFINITY, f64::min))
    }
}

impl<'a> Star<'a> {
    /// Rays from the centre of a ball that lies in the shape, or in the hull of a mesh. The ball is made
    /// smaller where rounding puts it a little outside of the polytope.
    pub fn new(shape: &'a Shape, geometry: Geometry, mut ball: Ball) -> Star<'a> {
        let depth = CoreDepth::new(shape.core(), geometry);
        let planes = match &depth {
            CoreDepth::Hull(hull, _) if hull.rank() == Rank::Solid => {
                let faces: Vec<[u32; 3]> = hull.faces().collect();
                faces.chunks(4).map(|four| CarvedPlanes::new(hull, four, ball.center)).collect()
            }
            CoreDepth::Mesh(mesh, _) => {
                let planes = carve_planes(mesh, ball.center);
                let nearest = planes.iter().fold(f64::INFINITY, |nearest, (_, depth)| nearest.min(*depth));
                ball.radius = ball.radius.min((nearest + shape.radius()) * (1.0 - GAP_ROUNDING));
                planes.chunks(4).map(CarvedPlanes::from_carved).collect()
            }
            _ => Vec::new(),
        };
        Star { shape, ball, depth, planes }
    }

    /// The radius of the ball (metres).
    pub fn radius(&self) -> f64 {
        self.ball.radius
    }

    /// The proved extents of rays: the centre plus one of them (not zero) times any number that is smaller
    /// than its extent is in the shape.
    pub fn ray_extents(&mut self, rays: &[Vec3; RAYS]) -> [f64; RAYS] {
        // Up to the first face.
        let planes = (!self.planes.is_empty()).then(|| dispatch_kernel(Rays(&self.planes, rays)));
        core::array::from_fn(|k| self.ray_extent(rays[k], planes.map(|extents| extents[k])))
    }

    /// That of a ray, of which is known how far it goes before the first plane, if there are planes.
    fn ray_extent(&mut self, v: Vec3, planes: Option<f64>) -> f64 {
        let length = v.norm();
        let in_ball = self.ball.radius / length;
        let middle = self.ball.center;
        let core = match (&self.depth, planes) {
            (_, Some(extent)) => extent,
            (CoreDepth::Mesh(..) | CoreDepth::Hull(..), None) => 0.0,
            // By bisection.
            _ => {
                let (mut inside, mut outside) = (0.0, 4.0 * self.shape.bounding_radius() / length);
                for _ in 0..EXTENT_HALVINGS {
                    let t = 0.5 * (inside + outside);
                    let is_inside = self.depth.proved_depth(middle + v * t) >= 0.0;
                    *(if is_inside { &mut inside } else { &mut outside }) = t;
                }
                inside
            }
        };
        let around = if core.is_finite() { core.max(0.0) + self.shape.radius() / length } else { 0.0 };
        around.max(in_ball) * (1.0 - GAP_ROUNDING)
    }
}

/// The plane of a face of a hull; the normal is not of unit length.
struct FacePlane {
    normal: Vec3,
    /// Sums of the magnitudes of the products in each coordinate of the normal.
    bulk: Vec3,
    point: Vec3,
}

impl FacePlane {
    fn of_face(hull: &Hull, f: [u32; 3]) -> FacePlane {
        let at = |i: u32| hull.vertex(i as usize);
        let a = at(f[0]);
        let (u, v) = (at(f[1]) - a, at(f[2]) - a);
        let (s, t) = (u.abs(), v.abs());
        let bulk = vec3(s.y * t.z + s.z * t.y, s.z * t.x + s.x * t.z, s.x * t.y + s.y * t.x);
        FacePlane { normal: u.cross(v), bulk, point: a }
    }

    /// A lower bound on the distance of a point behind the plane, in units of the normal.
    fn depth_of_point(&self, p: Vec3) -> f64 {
        let w = self.point - p;
        // The six products of the determinant.
        self.normal.dot(w) - DETERMINANT_ROUNDING * self.bulk.dot(w.abs())
    }
}

fn depth_in_simple(core: &Core, p: Vec3) -> f64 {
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
            // Scaled to the unit ball the depth is `1 - s`; scaling back multiplies it by `least` at least.
            let s = vec3(p.x / radii.x, p.y / radii.y, p.z / radii.z).norm();
            let least = radii.x.min(radii.y).min(radii.z);
            ((1.0 - s) * least, radii.max_abs())
        }
        Core::Hull(_) | Core::Mesh { .. } => return f64::NEG_INFINITY,
    };
    depth - GAP_ROUNDING * (size + p.norm())
}

/// Four faces of a hull; the last four repeat the last face.
struct FaceLanes {
    normal: Block,
    bulk: Block,
    point: Block,
    /// Lengths of the normals with their rounding.
    length: [f64; 4],
}

impl FaceLanes {
    /// All faces of a hull.
    fn of_hull(hull: &Hull) -> Vec<FaceLanes> {
        let faces: Vec<[u32; 3]> = hull.faces().collect();
        let four = |four: &[[u32; 3]]| {
            let face = |lane: usize| FacePlane::of_face(hull, four[lane.min(four.len() - 1)]);
            let four = [face(0), face(1), face(2), face(3)];
            FaceLanes {
                normal: Block::new(four.each_ref().map(|f| f.normal)),
                bulk: Block::new(four.each_ref().map(|f| f.bulk)),
                point: Block::new(four.each_ref().map(|f| f.point)),
                length: four.map(|f| f.normal.norm() + DETERMINANT_ROUNDING * f.bulk.norm()),
            }
        };
        faces.chunks(4).map(four).collect()
    }
}

/// The least depth of a point behind the planes of faces, each less its rounding; minus infinity where one is
/// NaN, which proves nothing.
struct Least<'a>(&'a [FaceLanes], Vec3);

impl Kernel for Least<'_> {
    type Output = f64;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> f64 {
        let Least(faces, p) = self;
        let (p, zero, rounding) = (splat_vec3(l, p), l.splat(0.0), l.splat(DETERMINANT_ROUNDING));
        let size = |x: L::F| l.max(x, l.sub(zero, x));
        let (mut least, nothing) = (l.splat(f64::INFINITY), l.splat(f64::NEG_INFINITY));
        let mut i = 0;
        while i < faces.len() {
            let FaceLanes { normal, bulk, point, length } = &faces[i];
            i += 1;
            let w = sub_vec3(l, point.load_lanes(l), p);
            let sizes = V3 { x: size(w.x), y: size(w.y), z: size(w.z) };
            let slack = l.mul(rounding, dot_vec3(l, bulk.load_lanes(l), sizes));
            let depth = l.div(l.sub(dot_vec3(l, normal.load_lanes(l), w), slack), l.load(length));
            least = l.select(l.gt(depth, nothing), l.min(depth, least), nothing);
        }
        l.to_array(least).into_iter().fold(f64::INFINITY, f64::min)
    }
}

/// The least depth behind the planes of all faces, each less its rounding.
fn in_hull(hull: &Hull, faces: &[FaceLanes], p: Vec3) -> f64 {
    if hull.rank() != Rank::Solid {
        return if hull.vertices().any(|v| v == p) { 0.0 } else { f64::NEG_INFINITY };
    }
    let depth = dispatch_kernel(Least(faces, p));
    depth - GAP_ROUNDING * depth.abs()
}

/// The distance from the nearest triangle, if the point is in the solid.
fn in_mesh(mesh: &Mesh, p: Vec3, scratch: &mut NearestScratch) -> f64 {
    if !mesh.is_closed() || inside::contains(mesh, p) != Some(true) {
        return f64::NEG_INFINITY;
    }
    let probe = Probe { center: p, half: Vec3::ZERO, plane: None };
    let gap = search_nearest(mesh, &probe, [f64::INFINITY, 0.0], None, scratch, |_, t| {
        let v = p - nearest_point(t, p);
        let from_corners = t.map(|c| p - c);
        let scale = from_corners.iter().fold(0.0, |s: f64, c| s.max(c.norm()));
        let along = from_corners.iter().fold(f64::INFINITY, |r, c| r.min(v.dot(*c))) / v.norm();
        let lower = along - GAP_ROUNDING * scale;
        // The distance is never below zero; NaN becomes zero too.
        let lower = if lower > 0.0 { lower } else { 0.0 };
        LeafGap { lower, upper: v.norm() + GAP_ROUNDING * scale, plane: None }
    });
    gap.lower - 2.0 * mesh.crack_half_width() - GAP_ROUNDING * p.norm()
}
