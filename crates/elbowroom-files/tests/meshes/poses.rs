//! Poses that are worth asking: near, touching, overlapping, one inside the other.

use crate::bodies::Body;
use crate::pairs::Other;
use crate::support::rng::Rng;
use crate::surface::{Surface, Triangle};
use elbowroom::math::{Mat3, Transform, Vec3, vec3};
use elbowroom::pair::{Query, Scratch, Warm, clearance};
use elbowroom_reference::math;

/// What a pose is drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    Far,
    Near,
    Touching,
    Shallow,
    Deep,
    Inside,
}

pub const AIMS: [Aim; 8] =
    [Aim::Far, Aim::Near, Aim::Near, Aim::Touching, Aim::Touching, Aim::Shallow, Aim::Deep, Aim::Inside];

fn back(v: math::Vec3) -> Vec3 {
    v.to_array().into()
}

/// A frame with this direction first.
fn frame(n: Vec3) -> Mat3 {
    let u = n.any_perpendicular();
    Mat3 { cols: [n, u, n.cross(u)] }
}

/// A point of a triangle and its normal: a corner, a point of a side, or of the inside.
fn feature(s: &Surface, rng: &mut Rng) -> (Vec3, Vec3) {
    let t: Triangle = s.triangles[rng.below(s.triangles.len())];
    let [a, b, c] = t.map(back);
    let p = match rng.below(3) {
        0 => a,
        1 => a + (b - a) * rng.unit(),
        _ => a + (b - a) * (0.5 * rng.unit()) + (c - a) * (0.5 * rng.unit()),
    };
    (p, (b - a).cross(c - a).normalized().unwrap_or(Vec3::Z))
}

/// A rotation: anyhow, none, or by quarters.
fn turned(rng: &mut Rng) -> Mat3 {
    let quarters = [[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [0.5, 0.5, 0.5, 0.5], [0.0, 0.0, 1.0, 0.0]];
    let q = if rng.chance(0.3) { rng.pick(&quarters) } else { rng.quaternion() };
    Mat3::from_quat_wxyz(q).unwrap()
}

/// Face to face, at a gap: the normals of a triangle of each are opposite.
fn faced(a: &Surface, b: &Surface, gap: f64, rng: &mut Rng) -> Transform {
    let ((p, n), (q, m)) = (feature(a, rng), feature(b, rng));
    let spin = Mat3::from_quat_wxyz(rng.quaternion()).unwrap();
    let spin = if rng.chance(0.5) { frame(n) } else { frame(spin * n) };
    let (mut to, from) = (frame(n), frame(-m));
    // Turned about the normal, anyhow or not at all.
    if let Some(u) = (spin.cols[1] - n * n.dot(spin.cols[1])).normalized() {
        to = Mat3 { cols: [n, u, n.cross(u)] };
    }
    let rotation = to * from.transpose();
    Transform::new(rotation, p + n * gap - rotation * q)
}

/// Moves B towards A until they are a gap apart, by what the engine says. The pose is only where to ask.
fn advanced(a: &Body, b: &Body, mut pose: Transform, gap: f64, rng: &mut Rng) -> Transform {
    let size = a.size.min(b.size);
    let (way, aside) = (rng.direction(), rng.direction() * (0.7 * a.size * rng.unit()));
    let start = way * (a.size + b.size + a.shape.radius() + b.shape.radius()) * 1.01;
    pose.translation = a.center + aside + start - pose.rotation * b.center;
    let (mut warm, mut scratch) = (Warm::default(), Scratch::new(40));
    for _ in 0..16 {
        let query = Query::default();
        let lower = clearance(&a.shape, &b.shape, &pose, &query, &mut warm, &mut scratch).interval.lower;
        if !(lower > 1e-12 * size) {
            break;
        }
        pose.translation -= way * lower;
    }
    pose.translation += way * gap;
    pose
}

/// A pose of B in A's frame; whatever it is drawn for, the reference says what it is.
pub fn pose(a: &Body, b: &Body, aim: Aim, rng: &mut Rng) -> Transform {
    let size = a.size.min(b.size);
    let mut pose = Transform::new(turned(rng), Vec3::ZERO);
    let place = |pose: &mut Transform, at: Vec3| pose.translation = at - pose.rotation * b.center;
    let little = size * rng.decades(-6.0, -2.0);
    let gap = match aim {
        Aim::Near => little,
        Aim::Shallow => -little,
        // To within rounding, and exactly.
        _ => size * rng.pick(&[0.0, 0.0, 1e-16, -1e-16, 1e-14, -1e-14, 1e-12, -1e-12, 1e-10, -1e-10]),
    };
    match aim {
        Aim::Far => {
            let far = (a.size + b.size) * rng.range(0.6, 3.0);
            place(&mut pose, a.center + rng.direction() * far);
        }
        Aim::Near | Aim::Touching | Aim::Shallow => match (&a.slow, &b.slow) {
            (Other::Surface(_), Other::Surface(_)) if aim == Aim::Touching && rng.chance(0.1) => {
                // In place, or moved along an axis by a part of its box: a mesh on itself.
                let Other::Surface(s) = &a.slow else { return pose };
                let by = back(s.high - s.low).scaled(rng.pick(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]));
                pose.translation = by * rng.pick(&[1.0, 0.5, -1.0]) + Vec3::X * gap;
                if rng.chance(0.7) {
                    pose.rotation = Mat3::IDENTITY;
                }
            }
            (Other::Surface(s), Other::Surface(t)) if rng.chance(0.5) => pose = faced(s, t, gap, rng),
            _ => {
                pose = advanced(a, b, pose, gap, rng);
            }
        },
        Aim::Deep => place(&mut pose, a.center + rng.direction() * (0.6 * a.size * rng.unit())),
        Aim::Inside => {
            let Other::Surface(s) = &a.slow else { return pose };
            let (low, high) = (back(s.low), back(s.high));
            let any = |rng: &mut Rng| low + (high - low).scaled(vec3(rng.unit(), rng.unit(), rng.unit()));
            let inside = (0..8).map(|_| any(rng)).find(|p| s.odd(math::vec3(p.x, p.y, p.z)));
            place(&mut pose, inside.unwrap_or(a.center));
        }
    }
    pose
}
