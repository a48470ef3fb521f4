//! The face on which the origin's foot point lies, and the foot point's weights.

use crate::pair::certify::surface::{Surface, unpack};
use crate::pair::simplex::Simplex;
use crate::pair::tolerance::FOOT_OUTSIDE;
use elbowroom_describe::math::Vec3;

/// The corners of a face.
#[inline(always)]
pub(super) fn of_face(surface: &Surface, f: u16) -> Simplex {
    let mut s = Simplex::default();
    for k in unpack(surface.face(f)) {
        s.push(*surface.corner(k));
    }
    s
}

/// The face whose normal is nearest to `direction`, and that normal, among the faces that contain the
/// origin's foot point on their plane and are no higher than `most`. There is such a face, because the ball
/// up to the nearest plane lies in the surface and touches it there. If rounding hides it, it is the face
/// `nearest`, with clamped weights.
#[cold]
#[inline(never)]
pub(super) fn landing(
    surface: &Surface,
    nearest: Simplex,
    normal: Vec3,
    direction: Vec3,
    most: f64,
) -> (Simplex, Vec3) {
    let (mut best, mut n, mut along) = (nearest, normal, f64::NEG_INFINITY);
    for f in 0..surface.slots() as u16 {
        let (m, height) = surface.plane(f);
        if surface.is_alive(f) && height <= most && m.dot(direction) > along {
            let mut s = of_face(surface, f);
            s.weight = barycentric(&s, m, height);
            if outside(&s.weight) <= FOOT_OUTSIDE {
                (best, n, along) = (s, m, m.dot(direction));
            }
        }
    }
    best.weight = clamped(best.weight);
    (best, n)
}

/// How far the weights of a point are below zero; above zero also for NaN.
#[inline(always)]
pub(super) fn outside(weight: &[f64; 4]) -> f64 {
    let [u, v, w, _] = *weight;
    if u >= 0.0 && v >= 0.0 && w >= 0.0 {
        0.0
    } else {
        0.0_f64.max(-u).max(-v).max(-w).max(f64::MIN_POSITIVE)
    }
}

/// Weights of the origin's foot point on a face, from the unit normal and height of its plane. Negative
/// outside the face; NaN for a face without area.
#[inline(always)]
pub(super) fn barycentric(s: &Simplex, n: Vec3, offset: f64) -> [f64; 4] {
    let (p, q, r) = (s.corner(0).w, s.corner(1).w, s.corner(2).w);
    let (o, inv) = (n * offset, 1.0 / n.dot((q - p).cross(r - p)));
    let u = n.dot((q - o).cross(r - o)) * inv;
    let v = n.dot((r - o).cross(p - o)) * inv;
    [u, v, 1.0 - u - v, 0.0]
}

/// Weights of a point of the face, from any weights.
fn clamped(weight: [f64; 4]) -> [f64; 4] {
    // NaN becomes zero.
    let [u, v, w, _] = weight.map(|x| if x > 0.0 { x } else { 0.0 });
    let sum = u + v + w;
    if sum > 0.0 && sum.is_finite() { [u / sum, v / sum, w / sum, 0.0] } else { [1.0, 0.0, 0.0, 0.0] }
}
