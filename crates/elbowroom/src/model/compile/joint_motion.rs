//! How a joint moves: from its kind and its axis.

use crate::model::step::Motion;
use elbowroom_describe::JointKind;
use elbowroom_describe::math::Vec3;

/// How a joint of a kind moves about or along its axis, and the sign of its value; `None` for a bad axis.
pub(super) fn motion_of(kind: JointKind, axis: Vec3) -> Option<(Motion, f64)> {
    // Scaled first: the squares of very long and very short axes would overflow or vanish.
    let unit = || {
        let largest = axis.max_abs();
        if axis.is_finite() && largest > 0.0 { vec_over(axis, largest).normalized() } else { None }
    };
    Some(match kind {
        JointKind::Fixed => (Motion::Fixed, 1.0),
        JointKind::Floating => (Motion::Floating, 1.0),
        JointKind::Prismatic => (Motion::Slide(unit()?), 1.0),
        JointKind::Revolute | JointKind::Continuous => {
            let n = unit()?;
            let exact = |v: Vec3| [Vec3::X, Vec3::Y, Vec3::Z].iter().position(|e| *e == v);
            let (which, sign) = match (exact(n), exact(-n)) {
                (Some(i), _) => (Some(i), 1.0),
                (_, Some(i)) => (Some(i), -1.0),
                _ => (None, 1.0),
            };
            let motion = match which {
                Some(0) => Motion::TurnX,
                Some(1) => Motion::TurnY,
                Some(_) => Motion::TurnZ,
                None => Motion::Turn(n),
            };
            (motion, sign)
        }
        JointKind::Planar => {
            // The plane's own x and y. For the axes x, y, z they are (y, z), (z, x), (x, y). For other axes,
            // x is the projection of that of the nearest of these three.
            let n = unit()?;
            let a = n.abs();
            let next = if a.z >= a.x && a.z >= a.y {
                Vec3::X
            } else if a.x >= a.y {
                Vec3::Y
            } else {
                Vec3::Z
            };
            let u = (next - n * n.dot(next)).normalized()?;
            (Motion::Planar { u, v: n.cross(u), axis: n }, 1.0)
        }
    })
}

fn vec_over(v: Vec3, s: f64) -> Vec3 {
    Vec3 { x: v.x / s, y: v.y / s, z: v.z / s }
}
