//! Random shapes of every kind, and features of them in closed form.

use super::rng::Rng;
use super::slow;
use elbowroom::describe::ShapeDescription as Shape;
use elbowroom::math::{Vec3, sin_cos, vec3};
use elbowroom_reference::solid::hull_features;

/// Every kind of shape there is, and every kind of point set worth telling apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Sphere,
    Box,
    Capsule,
    Cylinder,
    Cone,
    Ellipsoid,
    /// Points at random in an ellipsoid: 4 to 30.
    Cloud,
    /// Two parallel polygons: large flat faces, parallel edges.
    Prism,
    /// Small whole coordinates: coplanar, collinear, repeated, inside.
    Grid,
    /// All in one plane.
    Polygon,
    Segment,
    Point,
    /// A box, a tetrahedron or a prism as triangles.
    ClosedMesh,
    /// An L: closed, not convex.
    Bracket,
    /// A few triangles that close nothing.
    OpenMesh,
}

pub const KINDS: [Kind; 15] = [
    Kind::Sphere,
    Kind::Box,
    Kind::Capsule,
    Kind::Cylinder,
    Kind::Cone,
    Kind::Ellipsoid,
    Kind::Cloud,
    Kind::Prism,
    Kind::Grid,
    Kind::Polygon,
    Kind::Segment,
    Kind::Point,
    Kind::ClosedMesh,
    Kind::Bracket,
    Kind::OpenMesh,
];

impl Kind {
    pub fn is_mesh(self) -> bool {
        matches!(self, Kind::ClosedMesh | Kind::Bracket | Kind::OpenMesh)
    }
    pub fn is_curved(self) -> bool {
        matches!(self, Kind::Cylinder | Kind::Cone | Kind::Ellipsoid)
    }
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// A shape about `size` large; one in four is stretched by up to 1e4.
pub fn draw_shape(kind: Kind, size: f64, rng: &mut Rng) -> Shape {
    let thin = rng.chance(0.25);
    let extent = |rng: &mut Rng| size * if thin { rng.decades(-4.0, 0.0) } else { rng.range(0.2, 1.0) };
    let e = vec3(extent(rng), extent(rng), extent(rng));
    let convex = |v: Vec<Vec3>| Shape::Convex { vertices: v.iter().map(|v| v.to_array()).collect() };
    match kind {
        Kind::Sphere => Shape::Sphere { radius: e.x },
        Kind::Box => Shape::Box { size: e.to_array() },
        Kind::Capsule => Shape::Capsule { radius: e.x * 0.5, length: e.z },
        Kind::Cylinder => Shape::Cylinder { radius: e.x * 0.5, length: e.z },
        Kind::Cone => Shape::Cone { radius: e.x * 0.5, length: e.z },
        Kind::Ellipsoid => Shape::Ellipsoid { radii: (e * 0.5).to_array() },
        Kind::Cloud => {
            let n = 4 + rng.below(27);
            let off = if rng.chance(0.3) { rng.direction() * size } else { Vec3::ZERO };
            convex((0..n).map(|_| rng.direction().scaled(e) * 0.5 + off).collect())
        }
        Kind::Prism => convex(prism_points(3 + rng.below(10), e, rng)),
        Kind::Grid => {
            let n = 4 + rng.below(12);
            let mut c = || (rng.below(3) as f64 - 1.0) * size * 0.25;
            let v: Vec<Vec3> = (0..n).map(|_| vec3(c(), c(), c())).collect();
            convex(v)
        }
        Kind::Polygon => {
            let n = 3 + rng.below(8);
            convex(
                (0..n)
                    .map(|_| {
                        let d = rng.direction();
                        vec3(d.x * e.x, d.y * e.y, 0.0)
                    })
                    .collect(),
            )
        }
        Kind::Segment => {
            let d = rng.direction() * e.x;
            convex(vec![-d * 0.5, d * 0.5])
        }
        Kind::Point => convex(vec![rng.direction() * e.x]),
        Kind::ClosedMesh => match rng.below(3) {
            0 => brick_mesh(-e * 0.5, e * 0.5),
            1 => {
                let v = [0; 4].map(|_| rng.direction().scaled(e) * 0.5);
                Shape::Mesh {
                    vertices: v.map(|v| v.to_array()).to_vec(),
                    triangles: vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]],
                }
            }
            _ => {
                let n = 3 + rng.below(6);
                let v = prism_points(n, e, rng);
                let n = n as u32;
                let mut t = Vec::new();
                for i in 0..n {
                    let j = (i + 1) % n;
                    t.extend([[i, j, n + j], [i, n + j, n + i]]);
                    if i > 0 && j > 0 {
                        t.extend([[0, j, i], [n, n + i, n + j]]);
                    }
                }
                Shape::Mesh { vertices: v.iter().map(|v| v.to_array()).collect(), triangles: t }
            }
        },
        Kind::Bracket => bracket_mesh(e),
        Kind::OpenMesh => {
            let n = 1 + rng.below(5);
            let v = (0..n + 2).map(|_| (rng.direction().scaled(e) * 0.5).to_array()).collect();
            Shape::Mesh { vertices: v, triangles: (0..n as u32).map(|i| [i, i + 1, i + 2]).collect() }
        }
    }
}

fn prism_points(n: usize, e: Vec3, rng: &mut Rng) -> Vec<Vec3> {
    let phase = if rng.chance(0.5) { 0.0 } else { rng.unit() };
    let ring = |z: f64| {
        (0..n).map(move |i| {
            let (s, c) = sin_cos(core::f64::consts::TAU * (i as f64 + phase) / n as f64);
            vec3(c * e.x * 0.5, s * e.y * 0.5, z)
        })
    };
    ring(-e.z * 0.5).chain(ring(e.z * 0.5)).collect()
}

fn brick_mesh(lo: Vec3, hi: Vec3) -> Shape {
    let pick = |i: u32, bit: u32, lo: f64, hi: f64| if i >> bit & 1 == 0 { lo } else { hi };
    let vertices =
        (0..8).map(|i| [pick(i, 0, lo.x, hi.x), pick(i, 1, lo.y, hi.y), pick(i, 2, lo.z, hi.z)]).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Shape::Mesh {
        vertices,
        triangles: quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect(),
    }
}

/// An L in x and y, extruded along z: the notch is the quarter x > 0, y > 0.
pub fn bracket_mesh(e: Vec3) -> Shape {
    let outline = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.0), (0.0, 0.0), (0.0, 0.5), (-0.5, 0.5)];
    let ring = |z: f64| outline.map(|(x, y)| [x * e.x, y * e.y, z * e.z]);
    let vertices = ring(-0.5).into_iter().chain(ring(0.5)).collect();
    let mut triangles = Vec::new();
    for i in 0..6_u32 {
        let j = (i + 1) % 6;
        triangles.extend([[i, j, 6 + j], [i, 6 + j, 6 + i]]);
    }
    for [p, q, r] in [[3, 4, 5], [3, 5, 0], [3, 0, 1], [3, 1, 2]] {
        triangles.extend([[p, r, q], [6 + p, 6 + q, 6 + r]]);
    }
    Shape::Mesh { vertices, triangles }
}

/// The points of a polytope.
pub fn polytope_points(s: &Shape) -> Vec<Vec3> {
    match s {
        Shape::Box { size } => (0..8)
            .map(|i| {
                let sign = |bit: usize| if i >> bit & 1 == 0 { -0.5 } else { 0.5 };
                vec3(sign(0), sign(1), sign(2)).scaled((*size).into())
            })
            .collect(),
        Shape::Convex { vertices } | Shape::Mesh { vertices, .. } => {
            vertices.iter().map(|&v| v.into()).collect()
        }
        _ => Vec::new(),
    }
}

/// A point of the (hull of the) shape and a unit normal along which no point of it lies farther: at random a
/// vertex, an edge or a face, a cap, a rim, a side. Own frame; `padding` included.
pub fn draw_feature(s: &Shape, padding: f64, rng: &mut Rng) -> (Vec3, Vec3) {
    let style = rng.below(3);
    let around = |rng: &mut Rng| {
        let (s, c) = sin_cos(rng.range(0.0, core::f64::consts::TAU));
        vec3(c, s, 0.0)
    };
    let (p, n) = match s {
        Shape::Sphere { radius } => {
            let n = rng.direction();
            (n * *radius, n)
        }
        Shape::Capsule { radius, length } => {
            let mut n = rng.direction();
            let mut z = if n.z < 0.0 { -0.5 } else { 0.5 } * length;
            if style == 0 {
                n = around(rng);
                z = rng.range(-0.5, 0.5) * length;
            }
            (vec3(0.0, 0.0, z) + n * *radius, n)
        }
        Shape::Cylinder { radius, length } => match style {
            0 => {
                let side = rng.pick(&[-1.0, 1.0]);
                let r = radius * rng.pick(&[0.0, 0.7, 1.0]);
                (around(rng) * r + Vec3::Z * (side * 0.5 * length), Vec3::Z * side)
            }
            1 => {
                let n = around(rng);
                (n * *radius + Vec3::Z * (rng.range(-0.5, 0.5) * length), n)
            }
            _ => {
                let n = rng.direction();
                let z = if n.z < 0.0 { -0.5 } else { 0.5 } * length;
                (vec3(n.x, n.y, 0.0).normalized().unwrap_or(Vec3::X) * *radius + Vec3::Z * z, n)
            }
        },
        Shape::Cone { radius, length } => match style {
            0 => (around(rng) * (radius * rng.pick(&[0.0, 0.7, 1.0])) - Vec3::Z * (0.5 * length), -Vec3::Z),
            1 => {
                let out = around(rng);
                let n = (out * *length + Vec3::Z * *radius).normalized().unwrap();
                let t = rng.unit();
                (out * (radius * t) + Vec3::Z * (length * (0.5 - t)), n)
            }
            _ => {
                let n = rng.direction();
                let rim =
                    vec3(n.x, n.y, 0.0).normalized().unwrap_or(Vec3::X) * *radius - Vec3::Z * (0.5 * length);
                let apex = Vec3::Z * (0.5 * length);
                (if rim.dot(n) > apex.dot(n) { rim } else { apex }, n)
            }
        },
        Shape::Ellipsoid { radii } => {
            let r = Vec3::from(*radii);
            let n = if style == 0 { rng.pick(&[Vec3::X, Vec3::Y, -Vec3::Z]) } else { rng.direction() };
            (n.scaled(r).normalized().unwrap().scaled(r), n)
        }
        Shape::Box { .. } | Shape::Convex { .. } | Shape::Mesh { .. } => {
            let points = polytope_points(s);
            let normals = match s {
                Shape::Box { .. } => vec![Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z],
                _ => {
                    let mut distinct: Vec<_> = points.iter().map(|&p| slow::vector(p)).collect();
                    distinct.sort_by(|a, b| a.to_array().partial_cmp(&b.to_array()).unwrap());
                    distinct.dedup();
                    hull_features(&distinct).0.into_iter().map(slow::back).collect()
                }
            };
            let mut n = rng.direction();
            if !normals.is_empty() && style < 2 {
                n = rng.pick(&normals);
                if style == 1 {
                    n = (n * rng.range(0.2, 1.0) + rng.pick(&normals) * rng.range(0.2, 1.0))
                        .normalized()
                        .unwrap_or(n);
                }
            }
            // A random point of the vertices that lie farthest.
            let reach = points.iter().fold(0.0, |m: f64, p| m.max(p.norm()));
            let top = points.iter().fold(f64::NEG_INFINITY, |m: f64, p| m.max(p.dot(n)));
            let (mut sum, mut weight) = (Vec3::ZERO, 0.0);
            for p in points.iter().filter(|p| p.dot(n) >= top - 1e-15 * reach) {
                let w = rng.range(0.01, 1.0);
                sum += *p * w;
                weight += w;
            }
            (sum * (1.0 / weight), n)
        }
    };
    (p + n * padding, n)
}
