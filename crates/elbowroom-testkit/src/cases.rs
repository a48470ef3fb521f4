//! Pairs of shapes in poses, from a seed; some with the answer known by construction.

use super::rng::Rng;
use super::shapes::{KINDS, Kind, draw_feature, draw_shape, polytope_points};
use elbowroom::describe::ShapeDescription as Shape;
use elbowroom::math::{Mat3, Transform, Vec3};

/// A pair in a pose; A's frame is the world.
#[derive(Clone, Debug)]
pub struct Case {
    pub seed: u64,
    pub kinds: [Kind; 2],
    pub a: Shape,
    pub b: Shape,
    pub padding: [f64; 2],
    pub xyz: [f64; 3],
    pub quat_wxyz: [f64; 4],
    /// The signed distance, to a few roundings, where the construction gives it.
    pub known: Option<f64>,
}

impl Case {
    pub fn b_in_a(&self) -> Transform {
        Transform::new(Mat3::from_quat_wxyz(self.quat_wxyz).unwrap(), self.xyz.into())
    }
    pub fn pair(&self) -> String {
        let [a, b] = if self.kinds[0] <= self.kinds[1] { self.kinds } else { [self.kinds[1], self.kinds[0]] };
        format!("{} - {}", a.name(), b.name())
    }
    /// This pair, `s` times as large.
    pub fn scale_case(&self, s: f64) -> Case {
        Case {
            a: scale_shape(&self.a, s),
            b: scale_shape(&self.b, s),
            padding: self.padding.map(|p| p * s),
            xyz: self.xyz.map(|c| c * s),
            known: self.known.map(|k| k * s),
            ..self.clone()
        }
    }
    /// One line for `elbowroom distance`.
    pub fn as_json_line(&self) -> String {
        format!(
            concat!(
                r#"{{"id":"{} {}","a":{},"b":{},"pose_a":{{"xyz":[0,0,0],"quat_wxyz":[1,0,0,0]}},"#,
                r#""pose_b":{{"xyz":{:?},"quat_wxyz":{:?}}}}}"#
            ),
            self.seed,
            self.pair(),
            shape_as_json(&self.a, self.padding[0]),
            shape_as_json(&self.b, self.padding[1]),
            self.xyz,
            self.quat_wxyz
        )
    }
}

fn scale_shape(shape: &Shape, s: f64) -> Shape {
    match shape.clone() {
        Shape::Sphere { radius } => Shape::Sphere { radius: radius * s },
        Shape::Box { size } => Shape::Box { size: size.map(|c| c * s) },
        Shape::Capsule { radius, length } => Shape::Capsule { radius: radius * s, length: length * s },
        Shape::Cylinder { radius, length } => Shape::Cylinder { radius: radius * s, length: length * s },
        Shape::Cone { radius, length } => Shape::Cone { radius: radius * s, length: length * s },
        Shape::Ellipsoid { radii } => Shape::Ellipsoid { radii: radii.map(|c| c * s) },
        Shape::Convex { vertices } => {
            Shape::Convex { vertices: vertices.into_iter().map(|v| v.map(|c| c * s)).collect() }
        }
        Shape::Mesh { vertices, triangles } => {
            Shape::Mesh { vertices: vertices.into_iter().map(|v| v.map(|c| c * s)).collect(), triangles }
        }
    }
}

fn shape_as_json(s: &Shape, padding: f64) -> String {
    let body = match s {
        Shape::Sphere { radius } => format!(r#""type":"sphere","radius":{radius:?}"#),
        Shape::Box { size } => format!(r#""type":"box","size":{size:?}"#),
        Shape::Capsule { radius, length } => {
            format!(r#""type":"capsule","radius":{radius:?},"length":{length:?}"#)
        }
        Shape::Cylinder { radius, length } => {
            format!(r#""type":"cylinder","radius":{radius:?},"length":{length:?}"#)
        }
        Shape::Cone { radius, length } => format!(r#""type":"cone","radius":{radius:?},"length":{length:?}"#),
        Shape::Ellipsoid { radii } => format!(r#""type":"ellipsoid","radii":{radii:?}"#),
        Shape::Convex { vertices } => format!(r#""type":"convex","vertices":{vertices:?}"#),
        Shape::Mesh { vertices, triangles } => {
            format!(r#""type":"mesh","vertices":{vertices:?},"triangles":{triangles:?}"#)
        }
    };
    format!(r#"{{{body},"padding":{padding:?}}}"#)
}

/// How far apart a pair is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put {
    Clear,
    Near,
    Touching,
    Shallow,
    Deep,
    Anywhere,
}

/// A pair of given kinds, features facing each other at a gap that is then the distance: a plane between them
/// keeps the shapes that far apart, and two points are no farther. Below zero this holds as long as the
/// paddings and radii alone overlap (`known` says so).
pub fn draw_facing_pair(kinds: [Kind; 2], size: f64, put: Put, rng: &mut Rng) -> Case {
    let pair = [draw_shape(kinds[0], size, rng), draw_shape(kinds[1], size * rng.decades(-1.0, 0.0), rng)];
    let padding = [0; 2].map(|_| if rng.chance(0.3) { size * rng.decades(-4.0, -0.5) } else { 0.0 });
    let gap = size
        * match put {
            Put::Clear => rng.range(0.05, 2.0),
            Put::Near => rng.decades(-6.0, -3.0),
            Put::Touching => rng.pick(&[0.0, 1e-13, -1e-13, 1e-12, -1e-12]),
            Put::Shallow => -rng.decades(-6.0, -2.0),
            Put::Deep => -rng.range(0.02, 0.5),
            Put::Anywhere => rng.range(-0.5, 0.5),
        };
    put_face_to_face(kinds, pair, padding, gap, rng)
}

/// Puts two features of the shapes face to face at a gap.
pub fn put_face_to_face(
    kinds: [Kind; 2],
    [a, b]: [Shape; 2],
    padding: [f64; 2],
    gap: f64,
    rng: &mut Rng,
) -> Case {
    let ((pa, na), (pb, nb)) = (draw_feature(&a, padding[0], rng), draw_feature(&b, padding[1], rng));
    let turn = shortest_turn(nb, -na);
    let spin = if rng.chance(0.3) { 0.0 } else { rng.range(0.0, core::f64::consts::TAU) };
    let (s, c) = elbowroom::math::sin_cos(spin * 0.5);
    let quat_wxyz = multiply_quaternions([c, na.x * s, na.y * s, na.z * s], turn);
    let r = Mat3::from_quat_wxyz(quat_wxyz).unwrap();
    let xyz = (pa + na * gap - r * pb).to_array();
    let round = |s: &Shape, p: f64| match s {
        Shape::Sphere { radius } | Shape::Capsule { radius, .. } => radius + p,
        _ => p,
    };
    let slack = round(&a, padding[0]) + round(&b, padding[1]);
    // A mesh that is not convex may reach around its hull's feature.
    let convex = kinds.iter().all(|k| !matches!(k, Kind::Bracket | Kind::OpenMesh));
    let meshes = kinds.iter().any(|k| k.is_mesh());
    let known = (convex && (gap >= 0.0 || gap + slack > 0.0 && !meshes)).then_some(gap);
    Case { seed: 0, kinds, a, b, padding, xyz, quat_wxyz, known }
}

/// A pair as drawings have it: quarter turns, shifts along axes, round sizes and gaps.
pub fn draw_squared_pair(kinds: [Kind; 2], put: Put, rng: &mut Rng) -> Case {
    let size = rng.pick(&[1e-3, 0.125, 1.0, 1.0, 8.0, 1e3]);
    let [a, b] = kinds.map(|k| round_sizes(draw_shape(k, size, rng), size, rng));
    let padding = [0; 2].map(|_| if rng.chance(0.2) { 0.125 * size } else { 0.0 });
    let turns = [[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0]];
    let quat_wxyz = match rng.below(3) {
        0 => turns[0],
        1 => rng.pick(&[[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]),
        _ => multiply_quaternions(rng.pick(&turns), rng.pick(&turns)),
    };
    let r = Mat3::from_quat_wxyz(quat_wxyz).unwrap();
    let gap = size
        * match put {
            Put::Clear => rng.pick(&[0.25, 0.5, 1.0, 2.0]),
            Put::Near => rng.pick(&[1e-3, 1e-4, 1e-6]),
            Put::Touching => 0.0,
            Put::Shallow => -rng.pick(&[1e-2, 1e-3, 1e-5]),
            Put::Deep | Put::Anywhere => -rng.pick(&[0.125, 0.25, 0.5]),
        };
    let k = rng.below(3);
    let mut axis = Vec3::ZERO;
    axis[k] = rng.pick(&[-1.0, 1.0]);
    let mut along = extent_along(&a, axis) + padding[0] + gap + padding[1];
    along += extent_along(&b, r.transpose_mul(-axis));
    let mut xyz = axis * along;
    // Aside along no axis, one or both.
    for j in [(k + 1) % 3, (k + 2) % 3] {
        if rng.chance(0.4) {
            xyz[j] = size * rng.pick(&[-0.5, -0.25, 0.125, 0.25, 1.0]);
        }
    }
    Case { seed: 0, kinds, a, b, padding, xyz: xyz.to_array(), quat_wxyz, known: None }
}

/// A shape of this kind, with sizes from a short list of round numbers. Points and meshes are not changed.
fn round_sizes(s: Shape, size: f64, rng: &mut Rng) -> Shape {
    let mut x = || size * rng.pick(&[0.25, 0.5, 0.5, 1.0, 1.0, 2.0]);
    match s {
        Shape::Sphere { .. } => Shape::Sphere { radius: x() },
        Shape::Box { .. } => Shape::Box { size: [x(), x(), x()] },
        Shape::Capsule { .. } => Shape::Capsule { radius: x(), length: x() },
        Shape::Cylinder { .. } => Shape::Cylinder { radius: x(), length: x() },
        Shape::Cone { .. } => Shape::Cone { radius: x(), length: x() },
        Shape::Ellipsoid { .. } => Shape::Ellipsoid { radii: [x(), x(), x()] },
        other => other,
    }
}

/// How far a shape reaches along an axis of its frame, either way.
fn extent_along(s: &Shape, d: Vec3) -> f64 {
    let tall = |radius: f64, end: f64| if d.z.abs() > 0.5 { end } else { radius };
    match s {
        Shape::Sphere { radius } => *radius,
        Shape::Capsule { radius, length } => tall(*radius, 0.5 * length + radius),
        Shape::Cylinder { radius, length } | Shape::Cone { radius, length } => tall(*radius, 0.5 * length),
        Shape::Ellipsoid { radii } => d.scaled((*radii).into()).norm(),
        _ => polytope_points(s).iter().fold(f64::NEG_INFINITY, |m, p| m.max(p.dot(d))),
    }
}

/// Shortest turn that takes one unit vector to another.
fn shortest_turn(from: Vec3, to: Vec3) -> [f64; 4] {
    if from.dot(to) < 0.0 {
        // Half a turn about a perpendicular first: what is left is short and exact.
        let p = from.any_perpendicular();
        return multiply_quaternions(shortest_turn(-from, to), [0.0, p.x, p.y, p.z]);
    }
    let axis = from.cross(to);
    let w = 1.0 + from.dot(to);
    let length = (w * w + axis.norm_squared()).sqrt();
    [w, axis.x, axis.y, axis.z].map(|c| c / length)
}

fn multiply_quaternions(p: [f64; 4], q: [f64; 4]) -> [f64; 4] {
    [
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    ]
}

/// The pair of a seed: every pair of kinds in turn, all placements, scales 1e-3 to 1e3.
pub fn draw_case(seed: u64) -> Case {
    let rng = &mut Rng::new(seed);
    let n = KINDS.len() as u64;
    let kinds = [KINDS[(seed % n) as usize], KINDS[(seed / n % n) as usize]];
    let size = rng.decades(-3.0, 3.0);
    let mut case = match rng.below(20) {
        0..=2 => draw_facing_pair(kinds, size, Put::Clear, rng),
        3..=6 => draw_facing_pair(kinds, size, Put::Near, rng),
        7..=8 => draw_facing_pair(kinds, size, Put::Touching, rng),
        9..=11 => draw_facing_pair(kinds, size, Put::Shallow, rng),
        12..=13 => draw_facing_pair(kinds, size, Put::Deep, rng),
        // Centres close together: one may contain the other.
        14..=15 => {
            let mut c = draw_facing_pair(kinds, size, Put::Deep, rng);
            c.xyz = (rng.direction() * (size * rng.pick(&[0.0, 1e-6, 0.05]))).to_array();
            c.known = None;
            c
        }
        // Quarter turns and whole steps: parallel, coplanar, coincident.
        16..=17 => {
            let mut c = draw_facing_pair(kinds, size, Put::Clear, rng);
            let quarter = [[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, -1, 0], [0, 0, 0, 1], [1, 1, 1, 1]];
            c.quat_wxyz = rng.pick(&quarter).map(|c| c as f64);
            c.xyz = [0; 3].map(|_| (rng.below(5) as f64 - 2.0) * size * 0.25);
            if rng.chance(0.3) {
                c.b = c.a.clone();
                c.kinds[1] = c.kinds[0];
                c.padding[1] = c.padding[0];
                if rng.chance(0.5) {
                    (c.xyz, c.quat_wxyz) = ([0.0; 3], [1.0, 0.0, 0.0, 0.0]);
                }
            }
            c.known = None;
            c
        }
        _ => {
            let mut c = draw_facing_pair(kinds, size, Put::Clear, rng);
            c.quat_wxyz = rng.quaternion();
            c.xyz = (rng.direction() * (size * rng.range(0.0, 1.5))).to_array();
            c.known = None;
            c
        }
    };
    case.seed = seed;
    case
}
