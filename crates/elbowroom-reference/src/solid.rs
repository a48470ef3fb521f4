//! Described shapes as cores with supports, features and a radius; and the difference of two of them.

use crate::double::{Double, Vector};
use crate::math::{Transform, Vec3, vec3};
use crate::shape::Shape;
use std::collections::BTreeSet;

/// Up to this many vertices all triples are tried for faces; beyond, depth is searched over directions.
pub const FEATURE_VERTICES: usize = 64;

/// A core that supports can be asked of. Own frame.
#[derive(Clone, Debug)]
pub enum Core {
    /// The hull of points.
    Points(Vec<Vec3>),
    /// Flat-capped cylinder along z: radius, half length.
    Cylinder(f64, f64),
    /// Cone along z, apex up: radius, half length.
    Cone(f64, f64),
    /// Half axes.
    Ellipsoid(Vec3),
}

/// A shape made ready: core, radius, and the features of its hull. Own frame, metres.
#[derive(Clone, Debug)]
pub struct Solid {
    /// What is swept.
    pub core: Core,
    /// By a ball of this radius.
    pub radius: f64,
    /// Farthest any point lies from the origin of the frame.
    pub reach: f64,
    /// Outward normals of all faces of the hull (both sides if it is flat).
    pub normals: Vec<Vec3>,
    /// Directions of all its edges, and perhaps a few more.
    pub edges: Vec<Vec3>,
    /// The triangles of a mesh; empty for convex shapes.
    pub triangles: Vec<[Vec3; 3]>,
    /// Shell of each triangle of a mesh that is taken as closed, else empty.
    pub(crate) shells: Vec<usize>,
    /// A polytope whose `normals` and `edges` are complete.
    featured: bool,
}

impl Solid {
    /// True if `normals` and `edges` are complete.
    pub fn has_features(&self) -> bool {
        self.featured
    }
    /// True for a mesh whose inside counts: every edge, compared exactly, is shared by two triangles. Any
    /// other mesh counts as a surface, be it meant so or not.
    pub fn is_closed(&self) -> bool {
        !self.shells.is_empty()
    }
    /// True if the core turns about z without changing.
    pub fn is_round(&self) -> bool {
        match &self.core {
            Core::Points(p) => p.iter().all(|p| p.x == 0.0 && p.y == 0.0),
            Core::Cylinder(..) | Core::Cone(..) => true,
            Core::Ellipsoid(r) => r.x == r.y,
        }
    }
}

/// Makes a shape ready, grown by `padding`. `None` if it is nonsense.
pub fn prepare_shape(shape: &Shape, padding: f64) -> Option<Solid> {
    let size = |x: f64| (x >= 0.0 && x.is_finite()).then_some(x);
    let padding = size(padding)?;
    let (core, radius) = match *shape {
        Shape::Sphere { radius } => (Core::Points(vec![Vec3::ZERO]), size(radius)?),
        Shape::Capsule { radius, length } => {
            let h = size(length)? * 0.5;
            (Core::Points(vec![vec3(0.0, 0.0, -h), vec3(0.0, 0.0, h)]), size(radius)?)
        }
        Shape::Box { size: [x, y, z] } => {
            let h = vec3(size(x)?, size(y)?, size(z)?) * 0.5;
            let sign = |i: usize, bit: usize| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
            (
                Core::Points((0..8).map(|i| vec3(sign(i, 0), sign(i, 1), sign(i, 2)).scale_by(h)).collect()),
                0.0,
            )
        }
        Shape::Cylinder { radius, length } => (Core::Cylinder(size(radius)?, size(length)? * 0.5), 0.0),
        Shape::Cone { radius, length } => (Core::Cone(size(radius)?, size(length)? * 0.5), 0.0),
        // A round ellipsoid is a sphere; as such it has no direction that is hard to find.
        Shape::Ellipsoid { radii: [x, y, z] } if x == y && y == z => {
            (Core::Points(vec![Vec3::ZERO]), size(x)?)
        }
        Shape::Ellipsoid { radii: [x, y, z] } => (Core::Ellipsoid(vec3(size(x)?, size(y)?, size(z)?)), 0.0),
        Shape::Convex { ref vertices } | Shape::Mesh { ref vertices, .. } => {
            (Core::Points(vertices.iter().map(|&v| v.into()).collect()), 0.0)
        }
    };
    let (mut triangles, mut shells) = (Vec::new(), Vec::new());
    if let Shape::Mesh { vertices, triangles: list } = shape {
        let corner = |i: u32| vertices.get(i as usize).map(|&v| Vec3::from(v));
        for t in list {
            triangles.push([corner(t[0])?, corner(t[1])?, corner(t[2])?]);
        }
        if triangles.is_empty() {
            return None;
        }
        shells = crate::shells::triangle_shells(&triangles);
    }
    let mut core = core;
    if let Core::Points(points) = &mut core {
        if points.is_empty() || !points.iter().all(|p| p.is_finite()) {
            return None;
        }
        // Vertices that no triangle uses are no part of a mesh.
        if !triangles.is_empty() {
            *points = triangles.iter().flatten().copied().collect();
        }
        points.sort_by(|a, b| {
            a.to_array().map(|c| c + 0.0).partial_cmp(&b.to_array().map(|c| c + 0.0)).unwrap()
        });
        points.dedup();
    }
    let reach = match &core {
        Core::Points(p) => p.iter().fold(0.0, |m: f64, p| m.max(p.norm())),
        Core::Cylinder(r, h) | Core::Cone(r, h) => vec3(*r, 0.0, *h).norm(),
        Core::Ellipsoid(r) => r.max_abs(),
    };
    let mut solid = Solid {
        core,
        radius: radius + padding,
        reach: reach + radius + padding,
        normals: Vec::new(),
        edges: Vec::new(),
        triangles,
        shells,
        featured: false,
    };
    if let Core::Points(points) = &solid.core
        && points.len() <= FEATURE_VERTICES
    {
        (solid.normals, solid.edges) = hull_features(points);
        solid.featured = true;
    }
    Some(solid)
}

fn to_coord3(p: Vec3) -> robust::Coord3D<f64> {
    robust::Coord3D { x: p.x, y: p.y, z: p.z }
}

fn are_collinear(a: Vec3, b: Vec3, c: Vec3) -> bool {
    let flat = |x: fn(Vec3) -> (f64, f64)| {
        let [p, q, r] = [a, b, c].map(|v| {
            let (x, y) = x(v);
            robust::Coord { x, y }
        });
        robust::orient2d(p, q, r) == 0.0
    };
    flat(|v| (v.x, v.y)) && flat(|v| (v.y, v.z)) && flat(|v| (v.x, v.z))
}

/// Face normals and edge directions of the hull of distinct points: every triple whose plane has all points
/// on one side (exact predicates) spans a face, and wherever two faces share two points there is an edge.
pub fn hull_features(points: &[Vec3]) -> (Vec<Vec3>, Vec<Vec3>) {
    let n = points.len();
    let mut planes: BTreeSet<(Vec<u32>, bool)> = BTreeSet::new();
    let mut normals = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            for k in j + 1..n {
                let (a, b, c) = (points[i], points[j], points[k]);
                let (mut above, mut below, mut on) = (false, false, Vec::new());
                for (m, &p) in points.iter().enumerate() {
                    let side = robust::orient3d(to_coord3(a), to_coord3(b), to_coord3(c), to_coord3(p));
                    above |= side < 0.0;
                    below |= side > 0.0;
                    if above && below {
                        break;
                    }
                    if side == 0.0 {
                        on.push(m as u32);
                    }
                }
                if above && below || are_collinear(a, b, c) {
                    continue;
                }
                // The largest triangle of a face gives its best normal; here every triangle gives one, and
                // all are tried.
                if let Some(normal) = (b - a).cross(c - a).normalized() {
                    if !above {
                        normals.push(normal);
                    }
                    if !below {
                        normals.push(-normal);
                    }
                }
                planes.insert((on, above));
            }
        }
    }
    let mut edges = Vec::new();
    let sets: Vec<&Vec<u32>> = planes.iter().map(|p| &p.0).collect();
    let mut edge = |i: usize, j: usize| edges.extend((points[j] - points[i]).normalized());
    if sets.is_empty() {
        // A segment, or a point.
        let far = |from: Vec3| {
            (0..n).fold(0, |m, i| if (points[i] - from).norm() > (points[m] - from).norm() { i } else { m })
        };
        let i = far(points[0]);
        edge(i, far(points[i]));
    } else if sets.len() == 1 {
        // Flat: its edges are among all pairs.
        (0..n).for_each(|i| (i + 1..n).for_each(|j| edge(i, j)));
    }
    for (i, s) in sets.iter().enumerate() {
        for t in &sets[i + 1..] {
            let mut common = s.iter().filter(|m| t.binary_search(m).is_ok());
            if let (Some(&p), Some(&q)) = (common.next(), common.next_back()) {
                edge(p as usize, q as usize);
            }
        }
    }
    (drop_repeated(normals, false), drop_repeated(edges, true))
}

/// Drops directions that repeat an earlier one to the last bits (`line`: or its negative).
fn drop_repeated(directions: Vec<Vec3>, line: bool) -> Vec<Vec3> {
    let mut kept: Vec<Vec3> = Vec::new();
    for d in directions {
        let same = |k: &Vec3| (*k - d).max_abs() < 1e-15 || line && (*k + d).max_abs() < 1e-15;
        if !kept.iter().any(same) {
            kept.push(d);
        }
    }
    kept
}

/// `A - B` for the cores of A and of B placed in A's frame.
#[derive(Debug)]
pub struct Difference<'a> {
    /// A.
    pub a: &'a Solid,
    /// B.
    pub b: &'a Solid,
    /// Pose of B's frame in A's.
    pub b_in_a: Transform,
    points_a: Vec<Vector>,
    points_b: Vec<Vector>,
    rounded_a: Vec<Vec3>,
    rounded_b: Vec<Vec3>,
    rotation: [Vector; 3],
}

/// Number of the support point in its shape; curved shapes have no numbers.
pub type Number = Option<u32>;

impl<'a> Difference<'a> {
    /// Places B.
    pub fn new(a: &'a Solid, b: &'a Solid, b_in_a: &Transform) -> Difference<'a> {
        let rotation = b_in_a.rotation.cols.map(Vector::from);
        let place = |p: Vector| rotate_vector(&rotation, p) + b_in_a.translation.into();
        let points = |core: &Core| match core {
            Core::Points(p) => p.iter().map(|&p| Vector::from(p)).collect(),
            _ => Vec::new(),
        };
        let points_a = points(&a.core);
        let points_b: Vec<Vector> = points(&b.core).into_iter().map(place).collect();
        let rounded = |p: &Vec<Vector>| p.iter().map(|p| p.to_vec3()).collect();
        let (rounded_a, rounded_b) = (rounded(&points_a), rounded(&points_b));
        Difference { a, b, b_in_a: *b_in_a, points_a, points_b, rounded_a, rounded_b, rotation }
    }

    /// Points of A and B whose difference reaches least along `d`, to double-double accuracy.
    pub fn least_difference(&self, d: Vector) -> (Vector, Vector, [Number; 2]) {
        let minus = Vector::ZERO - d;
        let (a, i) = match &self.a.core {
            Core::Points(_) => pick_farthest(&self.points_a, &self.rounded_a, minus),
            core => (farthest_on_curved(core, minus), None),
        };
        let (b, j) = match &self.b.core {
            Core::Points(_) => pick_farthest(&self.points_b, &self.rounded_b, d),
            core => {
                let local = Vector(self.rotation.map(|c| c.dot(d)));
                (
                    rotate_vector(&self.rotation, farthest_on_curved(core, local))
                        + self.b_in_a.translation.into(),
                    None,
                )
            }
        };
        (a, b, [i, j])
    }

    /// Points of A and B whose difference reaches least along `d`, in f64.
    pub fn least_rounded(&self, d: Vec3) -> (Vec3, Vec3) {
        let a = match &self.a.core {
            Core::Points(_) => farthest_rounded(&self.rounded_a, -d),
            core => curved_rounded(core, -d),
        };
        let b = match &self.b.core {
            Core::Points(_) => farthest_rounded(&self.rounded_b, d),
            core => self.b_in_a.transform_point(curved_rounded(core, self.b_in_a.rotation.transpose_mul(d))),
        };
        (a, b)
    }

    /// Vertices in A's frame, rounded; empty for a curved core.
    pub fn rounded_vertices(&self) -> (&[Vec3], &[Vec3]) {
        (&self.rounded_a, &self.rounded_b)
    }
}

fn rotate_vector(columns: &[Vector; 3], p: Vector) -> Vector {
    columns[0].scale_by(p.0[0]) + columns[1].scale_by(p.0[1]) + columns[2].scale_by(p.0[2])
}

fn farthest_rounded(points: &[Vec3], d: Vec3) -> Vec3 {
    let (mut best, mut reach) = (Vec3::ZERO, f64::NEG_INFINITY);
    for &p in points {
        let r = p.dot(d);
        if r > reach {
            (best, reach) = (p, r);
        }
    }
    best
}

/// Farthest point along `d`: f64 finds the few that can be it, double-double decides.
fn pick_farthest(points: &[Vector], rounded: &[Vec3], d: Vector) -> (Vector, Number) {
    let coarse = d.to_vec3();
    let length = coarse.norm();
    let (mut top, mut reach) = (f64::NEG_INFINITY, 0.0_f64);
    for p in rounded {
        top = top.max(p.dot(coarse));
        reach = reach.max(p.max_abs());
    }
    let cut = top - 1e-14 * reach * length;
    let mut best: Option<(Double, usize)> = None;
    for (i, p) in rounded.iter().enumerate() {
        if p.dot(coarse) >= cut {
            let r = points[i].dot(d);
            if best.is_none_or(|(top, _)| r > top) {
                best = Some((r, i));
            }
        }
    }
    let i = best.map_or(0, |b| b.1);
    (points[i], Some(i as u32))
}

fn farthest_on_curved(core: &Core, d: Vector) -> Vector {
    let Vector([x, y, z]) = d;
    let rim = |r: f64, z: f64| {
        let length = (x * x + y * y).sqrt();
        let s = if length.hi > 0.0 { Double::from(r) / length } else { Double::ZERO };
        Vector([x * s, y * s, z.into()])
    };
    match *core {
        Core::Points(_) => Vector::ZERO,
        Core::Cylinder(r, h) => rim(r, if z.hi < 0.0 { -h } else { h }),
        Core::Cone(r, h) => {
            let (apex, base) = (Vector([Double::ZERO, Double::ZERO, h.into()]), rim(r, -h));
            if apex.dot(d) >= base.dot(d) { apex } else { base }
        }
        Core::Ellipsoid(r) => {
            let s = Vector([x * r.x.into(), y * r.y.into(), z * r.z.into()]);
            let length = s.dot(s).sqrt();
            if length.hi <= 0.0 {
                return Vector::ZERO;
            }
            let one = Double::ONE / length;
            Vector([s.0[0] * one * r.x.into(), s.0[1] * one * r.y.into(), s.0[2] * one * r.z.into()])
        }
    }
}

fn curved_rounded(core: &Core, d: Vec3) -> Vec3 {
    let rim = |r: f64, z: f64| {
        let length = vec3(d.x, d.y, 0.0).norm();
        let s = if length > 0.0 { r / length } else { 0.0 };
        vec3(d.x * s, d.y * s, z)
    };
    match *core {
        Core::Points(_) => Vec3::ZERO,
        Core::Cylinder(r, h) => rim(r, if d.z < 0.0 { -h } else { h }),
        Core::Cone(r, h) => {
            let (apex, base) = (vec3(0.0, 0.0, h), rim(r, -h));
            if apex.dot(d) >= base.dot(d) { apex } else { base }
        }
        Core::Ellipsoid(r) => match d.scale_by(r).normalized() {
            Some(u) => u.scale_by(r),
            None => Vec3::ZERO,
        },
    }
}
