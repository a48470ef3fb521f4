//! A slide or a turn, in a frame whose z is its axis.

use super::law::Law;
use elbowroom::math::{Mat3, Transform, Vec3, sin_cos, vec3};
use std::f64::consts::TAU;

/// How a solid moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// Along a line: from where it is to this much farther (metres).
    Slide(Vec3),
    /// About an axis.
    Turn {
        /// A point of the axis (metres).
        at: Vec3,
        /// Its direction, of any length but zero.
        axis: Vec3,
        /// How far (radians), to the left around the axis. What is over a whole turn changes nothing.
        angle: f64,
    },
}

/// A motion in its own frame: along z, or about z.
#[derive(Clone, Copy, Debug)]
pub struct Own {
    pub turns: bool,
    /// How far (metres or radians); not negative.
    pub whole: f64,
    /// How far something new can happen: a turn ends after a whole one.
    pub end: f64,
    /// From the world to that frame.
    pub from_world: Transform,
}

impl Motion {
    /// In a frame near a point (metres). `None` if a number is not finite, or the axis has no direction.
    pub fn own_frame(&self, near: Vec3) -> Option<Own> {
        let (axis, at, whole, turns) = match *self {
            Motion::Slide(along) => {
                let length = along.norm();
                // A slide of no length has any direction.
                let axis = if length > 0.0 { along } else { Vec3::Z };
                (axis, near, length, false)
            }
            Motion::Turn { at, axis, angle } => {
                let axis = if angle < 0.0 { -axis } else { axis };
                (axis, at, angle.abs(), true)
            }
        };
        let axis = axis.normalized()?;
        if !(at.is_finite() && whole.is_finite()) {
            return None;
        }
        // The axis' point that is nearest to where things are.
        let origin = at + axis * axis.dot(near - at);
        let x = axis.any_perpendicular().normalized()?;
        let own_in_world = Transform::new(Mat3 { cols: [x, axis.cross(x), axis] }, origin);
        let end = if turns { whole.min(TAU) } else { whole };
        Some(Own { turns, whole, end, from_world: own_in_world.inverse() })
    }
}

impl Own {
    /// Where a point is after a time, in the motion's frame.
    pub fn moved_point(&self, p: Vec3, t: f64) -> Vec3 {
        if !self.turns {
            return p + Vec3::Z * t;
        }
        let (s, c) = sin_cos(t);
        vec3(c * p.x - s * p.y, s * p.x + c * p.y, p.z)
    }

    /// Where a direction points after a time.
    pub fn moved_direction(&self, d: Vec3, t: f64) -> Vec3 {
        if self.turns { self.moved_point(d, t) } else { d }
    }

    /// How fast a point moves, in metres for each unit of time.
    pub fn point_speed(&self, p: Vec3) -> f64 {
        if self.turns { p.x.hypot(p.y) } else { 1.0 }
    }

    /// `(R a) . b` over a turn.
    fn rotated_dot_terms(a: Vec3, b: Vec3) -> [f64; 3] {
        [a.z * b.z, a.x * b.x + a.y * b.y, a.x * b.y - a.y * b.x]
    }

    /// How high a moving point is over a plane that stands still: `normal . x = offset`. Backwards, the plane
    /// moves and the point stands still.
    pub fn height_law(&self, p: Vec3, normal: Vec3, offset: f64, backwards: bool) -> Law {
        let sign = if backwards { -1.0 } else { 1.0 };
        if !self.turns {
            return Law::Line { c: p.dot(normal) - offset, a: sign * normal.z };
        }
        let [c, a, b] = Own::rotated_dot_terms(p, normal);
        Law::Circle { c: c - offset, a, b: sign * b }
    }

    /// The volume that a moving edge and one that stands still span, `(q - p) . (e x f)`: zero where their
    /// lines are coplanar. Each is a point and a direction.
    pub fn volume_law(&self, [p, e]: [Vec3; 2], [q, f]: [Vec3; 2]) -> Law {
        if !self.turns {
            let n = e.cross(f);
            return Law::Line { c: (q - p).dot(n), a: -n.z };
        }
        // q . (Re x f) - Rp . (Re x f) = Re . (f x q) - R(p x e) . f
        let (one, other) = (Own::rotated_dot_terms(e, f.cross(q)), Own::rotated_dot_terms(p.cross(e), f));
        let [c, a, b] = [0, 1, 2].map(|k| one[k] - other[k]);
        Law::Circle { c, a, b }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::math::Random;

    fn value(law: Law, t: f64) -> f64 {
        match law {
            Law::Line { c, a } => c + a * t,
            Law::Circle { c, a, b } => {
                let (sine, cosine) = sin_cos(t);
                c + a * cosine + b * sine
            }
        }
    }

    /// The laws are what moved points say, and the frame is that of the motion.
    #[test]
    fn laws_are_those_of_moved_points() {
        let mut random = Random(1979);
        for turns in [false, true] {
            for _ in 0..500 {
                let mut v =
                    || vec3(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
                let [p, e, q, f, n, axis, at] = [(); 7].map(|()| v());
                let motion = match turns {
                    true => Motion::Turn { at, axis, angle: -2.0 },
                    false => Motion::Slide(axis),
                };
                let own = motion.own_frame(q).unwrap();
                let t = 0.7 * own.end;
                let world_in_own = own.from_world;
                // Where the motion takes the point in the world, computed in another way.
                let moved = match motion {
                    Motion::Slide(along) => p + along * 0.7,
                    Motion::Turn { at, axis, angle } => {
                        let unit = axis.normalized().unwrap();
                        Mat3::from_axis_angle(unit, 0.7 * angle) * (p - at) + at
                    }
                };
                let own_p = world_in_own.point(p);
                assert!((own.moved_point(own_p, t) - world_in_own.point(moved)).norm() < 1e-14);
                let there = own.moved_point(p, t);
                assert!((value(own.height_law(p, n, 0.3, false), t) - (there.dot(n) - 0.3)).abs() < 1e-14);
                let back = own.height_law(there, n, 0.3, true);
                assert!((value(back, t) - (p.dot(n) - 0.3)).abs() < 1e-14);
                let volume = (q - there).dot(own.moved_direction(e, t).cross(f));
                assert!((value(own.volume_law([p, e], [q, f]), t) - volume).abs() < 1e-13);
            }
        }
    }
}
