//! Pairs of cores with a closed form for the nearest points and a direction, which are then certified.
//!
//! Sources: Ericson, "Real-time collision detection" (2004), 5.1 (point to box, segment to segment); a point
//! inside a box or cylinder leaves through the nearest side.

use crate::pair::aligned;
use crate::pair::claim::Claim;
use crate::pair::tolerance::FREE_DIRECTION;
use crate::shape::solid::Core;
use elbowroom_describe::math::{Transform, Vec3, sqrt, vec3};

/// The nearest points of two cores, if there is a formula.
pub(crate) fn nearest(a: &Core, b: &Core, b_in_a: &Transform) -> Option<Claim> {
    match (a, b) {
        (Core::Point, _) => {
            let claim = from_point(b, b_in_a.rotation.transpose_mul(-b_in_a.translation))?;
            Some(Claim {
                a: Vec3::ZERO,
                b: b_in_a.point(claim.0),
                v: b_in_a.direction(claim.1),
                depth: claim.2,
                error: 0.0,
            })
        }
        (_, Core::Point) => {
            let p = b_in_a.translation;
            let (near, out, depth) = from_point(a, p)?;
            Some(Claim { a: near, b: p, v: -out, depth, error: 0.0 })
        }
        (Core::Segment { half_length: ha }, Core::Segment { half_length: hb }) => {
            Some(segments(*ha, *hb, b_in_a))
        }
        (Core::Hull(_) | Core::Mesh { .. }, _) | (_, Core::Hull(_) | Core::Mesh { .. }) => None,
        _ => aligned::overlap(a, b, b_in_a),
    }
}

/// For a point `p` in the core's frame: the nearest point of the core's surface, the direction in which `p`
/// leaves the core, and its depth, zero outside. For ellipsoids only from inside.
pub(crate) fn from_point(core: &Core, p: Vec3) -> Option<(Vec3, Vec3, f64)> {
    match *core {
        Core::Point => Some((Vec3::ZERO, p, 0.0)),
        Core::Segment { half_length } => {
            let near = vec3(0.0, 0.0, p.z.clamp(-half_length, half_length));
            let out = p - near;
            // From the inside of the segment sideways, from its ends along it.
            let side = if p.z.abs() <= half_length { Vec3::X } else { vec3(0.0, 0.0, p.z) };
            Some((near, if out == Vec3::ZERO { side } else { out }, 0.0))
        }
        Core::Box { half } => {
            let near = p.max(-half).min(half);
            if near != p {
                return Some((near, p - near, 0.0));
            }
            let depth = half - p.abs();
            let axis = if depth.x <= depth.y && depth.x <= depth.z {
                0
            } else if depth.y <= depth.z {
                1
            } else {
                2
            };
            let mut out = Vec3::ZERO;
            out[axis] = if p[axis] < 0.0 { -1.0 } else { 1.0 };
            let mut side = p;
            side[axis] = out[axis] * half[axis];
            Some((side, out, depth[axis]))
        }
        Core::Cylinder { radius, half_length } => {
            let r = sqrt(p.x * p.x + p.y * p.y);
            let scale = if r > radius { radius / r } else { 1.0 };
            let near = vec3(p.x * scale, p.y * scale, p.z.clamp(-half_length, half_length));
            let radial = if r > 0.0 { vec3(p.x / r, p.y / r, 0.0) } else { Vec3::X };
            // Distances beyond the side and a cap: accurate close to the surface, where `p - near` is not.
            let out = radial * (r - radius).max(0.0) + vec3(0.0, 0.0, p.z - near.z);
            if out != Vec3::ZERO {
                return Some((near, out, 0.0));
            }
            if radius - r <= half_length - p.z.abs() {
                return Some((radial * radius + vec3(0.0, 0.0, p.z), radial, radius - r));
            }
            let up = if p.z < 0.0 { -1.0 } else { 1.0 };
            Some((vec3(p.x, p.y, up * half_length), vec3(0.0, 0.0, up), half_length - p.z.abs()))
        }
        Core::Cone { radius, half_length } => Some(from_point_to_cone(radius, half_length, p)),
        Core::Ellipsoid { radii } => aligned::inside_ellipsoid(radii, p),
        Core::Hull(_) | Core::Mesh { .. } => None,
    }
}

/// For a point `p` in a cone's frame: the nearest point of its surface, the direction in which `p` leaves the
/// cone, and its depth, zero outside. The section in the half-plane through the axis and the point is a
/// triangle. `h` is half the cone's length (metres).
fn from_point_to_cone(radius: f64, h: f64, p: Vec3) -> (Vec3, Vec3, f64) {
    let r = sqrt(p.x * p.x + p.y * p.y);
    let radial = if r > 0.0 { vec3(p.x / r, p.y / r, 0.0) } else { Vec3::X };
    // The outward normal of the slanted side; `along` is 0 at the apex and 1 at the rim.
    let length = sqrt(radius * radius + 4.0 * h * h);
    let (nr, nz) = (2.0 * h / length, radius / length);
    let out_of_side = nr * r + nz * (p.z - h);
    let out_of_base = -h - p.z;
    // Differences from the apex and the rim are exact close to them.
    let from_apex = radius * r + 2.0 * h * (h - p.z);
    let past_rim = radius * (r - radius) - 2.0 * h * (p.z + h);
    let along = (from_apex / (length * length)).clamp(0.0, 1.0);
    let on_side = radial * (radius * along) + vec3(0.0, 0.0, h - 2.0 * h * along);
    let side = radial * nr + vec3(0.0, 0.0, nz);
    if out_of_side <= 0.0 && out_of_base <= 0.0 {
        return if out_of_side >= out_of_base {
            (on_side, side, -out_of_side)
        } else {
            (vec3(p.x, p.y, -h), -Vec3::Z, -out_of_base)
        };
    }
    if out_of_base > 0.0 && r <= radius {
        return (vec3(p.x, p.y, -h), -Vec3::Z, 0.0);
    }
    // From the apex and the rim towards the point, elsewhere along the normal, which is accurate close to the
    // side.
    let out = if from_apex <= 0.0 {
        vec3(p.x, p.y, p.z - h)
    } else if past_rim >= 0.0 {
        radial * (r - radius) + vec3(0.0, 0.0, p.z + h)
    } else {
        side
    };
    (on_side, if out == Vec3::ZERO { side } else { out }, 0.0)
}

/// Two segments: the nearest pair of points is clamped first on A, then on B, then on A again.
fn segments(ha: f64, hb: f64, b_in_a: &Transform) -> Claim {
    let (d, c) = (b_in_a.rotation.cols[2], b_in_a.translation);
    // Points z * Z on A and c + s * d on B, with |d| = 1.
    let (dz, cd) = (d.z, c.dot(d));
    let det = 1.0 - dz * dz;
    let mut z = if det > 0.0 { ((c.z - dz * cd) / det).clamp(-ha, ha) } else { 0.0 };
    let mut s = (z * dz - cd).clamp(-hb, hb);
    z = (c.z + s * dz).clamp(-ha, ha);
    s = (z * dz - cd).clamp(-hb, hb);
    let (a, b) = (vec3(0.0, 0.0, z), c + d * s);
    let mut v = a - b;
    if v.norm() <= FREE_DIRECTION * (ha + hb + c.norm()) {
        // They touch, and the vector between them is only rounding: the normal of both, if it separates them
        // better.
        let across = Vec3::Z.cross(d);
        let across = if across.norm_squared() > 0.0 { across } else { Vec3::X };
        let across = if across.dot(v) < 0.0 { -across } else { across };
        let gap = |n: Vec3| (-n.dot(c) - ha * n.z.abs() - hb * n.dot(d).abs()) / n.norm();
        // True also where `v` is zero.
        if !(gap(v) > gap(across)) {
            v = across;
        }
    }
    Claim { a, b, v, depth: 0.0, error: 0.0 }
}
