//! The ball about the origin that a surface encloses: the proof of a depth.

use super::surface::{ALIVE, ODD, Surface, face_of, unpack};
use crate::numeric::tolerance::{DETERMINANT_ROUNDING, ROUNDOFF};
use crate::pair::certify::surface::beyond;
use crate::pair::tolerance::FACE_SIDE;
use elbowroom_describe::math::Vec3;

/// Radius of a ball about the origin that lies in A - B: the overlap is at least this deep. Zero or negative,
/// and without meaning, if the surface does not prove a depth.
///
/// Let the living faces form a closed oriented surface: every edge is shared with one face that has it in the
/// other direction. Then it winds around each point that is not on it a whole number of times, and equally
/// often around points that it does not separate: so around all points of a ball about the origin that no
/// face enters. If that number is not zero, the points lie in the hull of the corners. The surface need not
/// be convex. The corners are rounded points of A - B: moving them by their rounding changes the ball's
/// radius by no more.
///
/// The surface winds around the origin if the solid angles of the faces that the origin is behind sum to more
/// than those of the faces that it is in front of. Usually there are none of the latter, at most needles made
/// by rounding, whose angles are tiny ([`winds`]).
///
/// Stored normals may be inaccurate: along any unit direction the lowest corner bounds the distance of a
/// face. If it is above [`FACE_SIDE`] along the face's own normal, the origin is behind. Other faces are
/// tested by [`enclosed_triangle`].
#[inline(always)]
pub(crate) fn enclosed_ball(s: &Surface, scale: f64, rounding: f64) -> f64 {
    // Set bits of `wrong` are differences from what must be.
    let (mut count, mut wrong) = (0, 0);
    let (mut last_corner, mut last_edge, mut all_live) = (0, 0, ALIVE);
    let (mut least, mut behind, mut in_front) = (f64::INFINITY, false, false);
    let sure = FACE_SIDE * scale;
    for f in 0..s.slots() as u16 {
        let (corners, twins) = (s.face(f), s.twins(f));
        if twins & ALIVE == 0 {
            continue;
        }
        count += 1;
        let k = unpack(corners);
        last_corner = last_corner.max(k[0]).max(k[1]).max(k[2]);
        for e in 0..3 {
            let twin = (twins >> (16 * e)) as u16;
            let (g, at) = (face_of(twin), twin & 48);
            let ends = (corners >> (16 * e)) as u32;
            let ends_back = (s.face(g) >> at) as u32;
            wrong |= ends_back ^ ends.rotate_left(16);
            // A shift beyond the third edge gives bits that no number of an edge has.
            wrong |= u32::from((s.twins(g) >> at) as u16 ^ (64 * f + 16 * e));
            all_live &= s.twins(g);
            last_edge = last_edge.max(twin);
        }
        let low = s.plane(f).1;
        if twins & ODD == 0 && low > sure {
            behind = true;
            least = if low < least { low } else { least };
        } else {
            let (low, side) = odd_face(s, f);
            least = if low < least { low } else { least };
            behind |= side > 0;
            in_front |= side < 0;
        }
    }
    let exist = (last_corner as usize) < s.corners() && (face_of(last_edge) as usize) < s.slots();
    if wrong != 0 || all_live == 0 || !exist || count == 0 {
        return f64::NEG_INFINITY;
    }
    // Unit normals may be longer than one by nine roundings.
    let least = least - 12.0 * ROUNDOFF * least.abs();
    let around = behind && least.is_finite() && (!in_front || winds(s, least));
    if around { least - rounding } else { f64::NEG_INFINITY }
}

/// For one face, a lower bound on its distance from the origin, minus infinity if none, and the side of the
/// origin: 1 behind, -1 in front, 0 in its plane.
#[cold]
fn odd_face(s: &Surface, f: u16) -> (f64, i8) {
    let (_, low, side) = enclosed_triangle(of_face(s, f));
    (if low.is_nan() { f64::NEG_INFINITY } else { low }, side)
}

fn of_face(s: &Surface, f: u16) -> [Vec3; 3] {
    unpack(s.face(f)).map(|k| s.corner(k).w)
}

/// Whether the solid angles of the faces that the origin is behind are proved to be more than those of the
/// others, none of which is nearer than `least`. They must be twice as much, which exceeds all rounding here.
#[cold]
#[inline(never)]
fn winds(s: &Surface, least: f64) -> bool {
    let (mut with, mut against) = (0.0_f64, 0.0_f64);
    for f in (0..s.slots() as u16).filter(|&f| s.is_alive(f)) {
        let [p, q, r] = of_face(s, f);
        if enclosed_triangle([p, q, r]).2 > 0 {
            // The tangent of half the solid angle is at least the determinant over four times the product of
            // the lengths (Van Oosterom and Strackee 1983); twice an angle is more than its tangent, if that
            // is below one.
            let determinant = p.dot(q.cross(r)) - DETERMINANT_ROUNDING * p.abs().dot(vec_permanent(q, r));
            with += (determinant / (4.0 * p.norm() * q.norm() * r.norm())).clamp(0.0, 1.0);
        } else {
            // The solid angle is at most that of the same area straight above, at the least distance.
            let (e, g) = (q - p, r - p);
            let rounding = 8.0 * ROUNDOFF * e.norm() * g.norm();
            against += 0.5 * (e.cross(g).norm() + rounding) / (least * least);
        }
    }
    least > 0.0 && with > 2.0 * against
}

/// For a triangle, a direction along which it keeps a distance from the origin, the distance, and the side of
/// the origin: 1 behind, -1 in front, 0 in its plane.
pub(crate) fn enclosed_triangle([p, q, r]: [Vec3; 3]) -> (Vec3, f64, i8) {
    // The sign of the determinant, computed exactly where rounding could change it.
    let det = p.dot(q.cross(r));
    let det_error = DETERMINANT_ROUNDING * p.abs().dot(vec_permanent(q, r));
    let det = if det.abs() > det_error { det } else { exact_side(p, q, r) };
    let side = i8::from(det > 0.0) - i8::from(det < 0.0);
    // With the origin in front, the opposite orientation.
    let (direction, low) = if side < 0 { beyond(p, r, q) } else { beyond(p, q, r) };
    (direction, low, side)
}

/// Magnitudes behind the products of `q x r`.
fn vec_permanent(q: Vec3, r: Vec3) -> Vec3 {
    let (q, r) = (q.abs(), r.abs());
    Vec3 { x: q.y * r.z + q.z * r.y, y: q.z * r.x + q.x * r.z, z: q.x * r.y + q.y * r.x }
}

/// Sign of `p . (q x r)`, exact.
fn exact_side(p: Vec3, q: Vec3, r: Vec3) -> f64 {
    let c = |v: Vec3| robust::Coord3D { x: v.x, y: v.y, z: v.z };
    robust::orient3d(c(p), c(q), c(r), c(Vec3::ZERO))
}

#[cfg(test)]
mod tests {
    use super::super::surface::{Rim, Surface};
    use super::*;
    use crate::numeric::simd::Plain;
    use crate::pair::simplex::Corner;
    use elbowroom_describe::math::vec3;

    /// The tetrahedron of every other corner of a cube of half width 1, moved.
    fn tetrahedron(by: Vec3) -> Surface {
        let mut s = Surface::default();
        for w in [vec3(1.0, 1.0, 1.0), vec3(1.0, -1.0, -1.0), vec3(-1.0, 1.0, -1.0), vec3(-1.0, -1.0, 1.0)] {
            s.push(Corner { w: w + by, ..Corner::default() });
        }
        s.tetrahedron(Plain);
        s
    }
    fn ball(s: &Surface) -> f64 {
        enclosed_ball(s, 4.0, 0.0)
    }

    #[test]
    fn the_ball_in_a_tetrahedron() {
        let radius = 1.0 / elbowroom_describe::math::sqrt(3.0);
        assert!((ball(&tetrahedron(Vec3::ZERO)) - radius).abs() < 1e-14);
        // Nearer to one face by as much as it moves along the face's normal.
        let step = vec3(0.1, 0.1, 0.1);
        assert!((ball(&tetrahedron(step)) - (radius - step.norm())).abs() < 1e-14);
        assert!(ball(&tetrahedron(step * 5.0)) <= 0.0, "in front of a face");
        assert!(ball(&tetrahedron(step * (10.0 / 3.0))) <= 1e-15, "on a face");
    }

    #[test]
    fn a_fan_over_a_face() {
        let mut s = tetrahedron(Vec3::ZERO);
        let top = s.push(Corner { w: vec3(1.0, 1.0, -1.0), ..Corner::default() });
        // Face 0 is that of the first three corners; the new corner is the cube's beyond it.
        let edges = unpack(s.twins(0));
        let rim = edges.map(|edge| {
            let (to, from) = s.ends(edge);
            Rim::new(edge, from, to)
        });
        s.remove(0);
        assert_eq!(ball(&s), f64::NEG_INFINITY, "a hole");
        assert_eq!([s.new_face(), s.new_face()], [4, 5]);
        s.fan(Plain, top, &[0, 4, 5], &rim);
        assert!(
            (ball(&s) - 1.0 / elbowroom_describe::math::sqrt(3.0)).abs() < 1e-14,
            "the other faces are as near as before"
        );
        for f in 0..6 {
            let mut torn = s.clone();
            torn.remove(f);
            assert_eq!(ball(&torn), f64::NEG_INFINITY, "without face {f}");
        }
        // Faces of an earlier surface are not part of the next, and do not close a hole of it.
        let mut next = s.clone();
        next.clear();
        assert_eq!(ball(&next), f64::NEG_INFINITY);
        for k in 0..5 {
            next.push(*s.corner(k));
        }
        for f in 0..6 {
            assert_eq!(next.new_face(), f);
            assert!(!next.is_alive(f));
            assert_eq!(ball(&next), f64::NEG_INFINITY);
        }
        let mut mixed = s.clone();
        mixed.fan(Plain, top, &[0, 4, 5], &[rim[0], rim[2], rim[1]]);
        assert_eq!(ball(&mixed), f64::NEG_INFINITY, "edges that do not follow one another");
    }

    #[test]
    fn inside_out_proves_nothing() {
        let mut s = Surface::default();
        for w in [vec3(1.0, 1.0, 1.0), vec3(-1.0, 1.0, -1.0), vec3(1.0, -1.0, -1.0), vec3(-1.0, -1.0, 1.0)] {
            s.push(Corner { w, ..Corner::default() });
        }
        s.tetrahedron(Plain);
        assert!(ball(&s) <= 0.0);
        assert!(ball(&Surface::default()) == f64::NEG_INFINITY, "nothing at all");
    }
}
