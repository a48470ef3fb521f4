//! The straight motion from one configuration to another, as ROS defines it.
//!
//! * A joint with one value moves linearly between the two numbers. A continuous joint that is given 3.1 and
//!   then -3.1 takes the long way.
//! * A planar joint: x and y move linearly, theta along the shorter arc. Only a difference of more than half
//!   a turn is reduced by whole turns.
//! * A floating joint: x, y and z move linearly. The orientation turns about one axis at constant speed along
//!   the shorter arc (SLERP: Shoemake, Animating rotation with quaternion curves, 1985). A quaternion and its
//!   negative are the same orientation and give the same motion. At exactly half a turn both arcs are equally
//!   long, and SLERP between the quaternions as given decides. A pose between the two avoids that.
//!
//! The true motion is that of exact arithmetic between the given numbers. What is computed is off by a few
//! roundings; `half_change` includes them.

use crate::model::step::Motion;
use crate::model::world::World;
use crate::motion::tolerance::SLERP_ROUNDING;
use alloc::vec::Vec;
use core::f64::consts::PI;
use elbowroom_describe::math::{Vec3, sin_cos, sqrt, vec3};
use elbowroom_pair::numeric::tolerance::ROUNDOFF;

/// The straight motion between two poses of a world, as ROS defines it.
///
/// * A joint with one value moves linearly between the two numbers, also if it is continuous.
/// * A planar joint: x and y move linearly, its angle along the shorter arc.
/// * A floating joint: its position moves linearly, its orientation along the shorter arc (SLERP). Exactly
///   half a turn apart, the signs of the quaternions decide.
///
/// ```
/// use elbowroom::World;
/// use elbowroom::describe::examples::rod_and_post;
/// use elbowroom::motion::Way;
///
/// let world = World::compile(&rod_and_post())?;
/// let (from, to, mut values) = ([-1.0], [1.0], [0.0]);
/// Way::new(&world).values_at([&from, &to], 0.25, &mut values);
/// assert_eq!(values, [-0.5]);
/// # Ok::<(), elbowroom::Faults>(())
/// ```
#[derive(Clone, Debug)]
pub struct Way {
    /// Number of joint values.
    count: usize,
    /// Indices of the angles of planar joints.
    arcs: Vec<usize>,
    /// Indices of the quaternions of floating joints: of the first of four numbers.
    spins: Vec<usize>,
}

impl Way {
    /// For a world.
    pub fn new(world: &World) -> Way {
        let mut way = Way { count: world.kinematics.dof_names.len(), arcs: Vec::new(), spins: Vec::new() };
        for step in &world.kinematics.steps {
            match step.motion {
                Motion::Planar { .. } => way.arcs.push(step.value + 2),
                Motion::Floating => way.spins.push(step.value + 3),
                Motion::Fixed
                | Motion::TurnX
                | Motion::TurnY
                | Motion::TurnZ
                | Motion::Turn(_)
                | Motion::Slide(_) => {}
            }
        }
        way
    }

    /// The joint values at a fraction of the motion between two configurations (radians, metres; in the
    /// world's order). At 0 they are those of the first, at 1 those of the second. NaN where the slices do
    /// not have the world's length.
    pub fn values_at(&self, [from, to]: [&[f64]; 2], t: f64, values: &mut [f64]) {
        if [from.len(), to.len(), values.len()] != [self.count; 3] {
            values.fill(f64::NAN);
            return;
        }
        if t >= 1.0 {
            values.copy_from_slice(to);
            return;
        }
        for ((value, a), b) in values.iter_mut().zip(from).zip(to) {
            *value = a + (b - a) * t;
        }
        for &i in &self.arcs {
            values[i] = from[i] + shorter(to[i] - from[i]) * t;
        }
        for &i in &self.spins {
            values[i..i + 4].copy_from_slice(&slerp(four(from, i), four(to, i), t));
        }
    }

    /// The end of a motion, with the angles of planar joints where the shorter arc leads; as given where the
    /// slices do not have the world's length.
    pub(super) fn unwound_end(&self, [from, to]: [&[f64]; 2]) -> Vec<f64> {
        let mut end = to.to_vec();
        for &i in &self.arcs {
            if let (Some(end), Some(from)) = (end.get_mut(i), from.get(i)) {
                let way = shorter(*end - from);
                // What is shorter as it stands keeps its last digit.
                *end = if way == *end - from { *end } else { from + way };
            }
        }
        end
    }

    /// How far each value goes from the middle of an interval of the motion to its end, but for rounding. Of
    /// a quaternion, the first three numbers are the vector about which it turns, as long as the angle.
    pub(crate) fn half_way(&self, [from, to]: [&[f64]; 2], [start, end]: [f64; 2], half: &mut [f64]) {
        let part = 0.5 * (end - start);
        for ((half, a), b) in half.iter_mut().zip(from).zip(to) {
            *half = (b - a) * part;
        }
        for &i in &self.arcs {
            half[i] = shorter(to[i] - from[i]) * part;
        }
        for &i in &self.spins {
            half[i..i + 4].copy_from_slice(&half_turn([four(from, i), four(to, i)], part));
        }
    }

    /// The most that each value changes from the middle of an interval of the motion to either end, rounding
    /// included. The change of a whole quaternion is in the first of its four numbers. The slices must have
    /// the world's length.
    pub(crate) fn half_change(&self, [from, to]: [&[f64]; 2], [start, end]: [f64; 2], change: &mut [f64]) {
        let half = 0.5 * (end - start) * (1.0 + 8.0 * ROUNDOFF);
        for ((change, a), b) in change.iter_mut().zip(from).zip(to) {
            *change = if a == b { 0.0 } else { (b - a).abs() * half + 8.0 * ROUNDOFF * (a.abs() + b.abs()) };
        }
        for &i in &self.arcs {
            let (a, b) = (from[i], to[i]);
            if a != b {
                change[i] = shorter(b - a).abs() * half + 8.0 * ROUNDOFF * (a.abs() + b.abs() + 2.0 * PI);
            }
        }
        for &i in &self.spins {
            change[i..i + 4].copy_from_slice(&half_arc([four(from, i), four(to, i)], half));
        }
    }
}

/// The vector about which an orientation turns on this part of the way from one quaternion to another, as
/// long as the angle.
pub(super) fn half_turn([a, b]: [[f64; 4]; 2], part: f64) -> [f64; 4] {
    let turn = if is_still(a, b) { Vec3::ZERO } else { TurnArc::new(a, b).turn() * part };
    [turn.x, turn.y, turn.z, 0.0]
}

/// The most that a quaternion changes on this part of the way to another, rounding included; in the first
/// number.
pub(super) fn half_arc([a, b]: [[f64; 4]; 2], part: f64) -> [f64; 4] {
    // A chord is no longer than its arc.
    let arc = if is_still(a, b) { 0.0 } else { TurnArc::new(a, b).angle * part + SLERP_ROUNDING };
    [arc, 0.0, 0.0, 0.0]
}

/// How far values are from a straight motion of which the halves and the changes are known, by rounding
/// alone: see [`Straight`](super::course::Straight).
pub(super) fn write_rounding(way: &Way, half: &[f64], change: &[f64], beside: &mut [f64]) {
    for ((beside, change), half) in beside.iter_mut().zip(change).zip(half) {
        *beside = (change - half.abs()).abs();
    }
    for &i in &way.spins {
        let angle = Vec3 { x: half[i], y: half[i + 1], z: half[i + 2] }.norm();
        beside[i..i + 4].copy_from_slice(&[(2.0 * change[i] - angle).abs(), 0.0, 0.0, 0.0]);
    }
}

/// A difference of two angles (radians), reduced by whole turns if it is more than half a turn.
fn shorter(difference: f64) -> f64 {
    if difference.abs() <= PI {
        difference
    } else {
        difference - 2.0 * PI * libm::round(difference / (2.0 * PI))
    }
}

fn four(values: &[f64], first: usize) -> [f64; 4] {
    [values[first], values[first + 1], values[first + 2], values[first + 3]]
}

/// Whether two quaternions are the same orientation to the last bit.
pub(super) fn is_still(a: [f64; 4], b: [f64; 4]) -> bool {
    a == b || a == b.map(|v| -v)
}

fn norm(q: [f64; 4]) -> f64 {
    sqrt(q.iter().map(|v| v * v).sum())
}

/// Two unit quaternions and the angle between them (radians). It is half the angle between the orientations,
/// at most a quarter turn.
struct TurnArc {
    ends: [[f64; 4]; 2],
    angle: f64,
}

impl TurnArc {
    fn new(a: [f64; 4], b: [f64; 4]) -> TurnArc {
        let unit = |q: [f64; 4]| {
            let length = norm(q);
            q.map(|v| v / length)
        };
        let (a, mut b) = (unit(a), unit(b));
        let product: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
        if product < 0.0 {
            b = b.map(|v| -v);
        }
        let with = |sign: f64| norm([0, 1, 2, 3].map(|i| b[i] + sign * a[i]));
        // From both chords, so that small and large angles have all their digits.
        TurnArc { ends: [a, b], angle: 2.0 * libm::atan2(with(-1.0), with(1.0)) }
    }
}

impl TurnArc {
    /// The vector about which the orientation turns from the first to the second, as long as the angle of
    /// that turn.
    fn turn(&self) -> Vec3 {
        let [[aw, ax, ay, az], [bw, bx, by, bz]] = self.ends;
        let (a, b) = (vec3(ax, ay, az), vec3(bx, by, bz));
        let sine = b * aw - a * bw - b.cross(a);
        sine.normalized().map_or(Vec3::ZERO, |axis| axis * (2.0 * self.angle))
    }
}

/// The unit quaternion at a fraction of the shorter arc from one quaternion to another. If both are the same
/// orientation, it is the first, unchanged.
pub(super) fn slerp(a: [f64; 4], b: [f64; 4], t: f64) -> [f64; 4] {
    if t <= 0.0 || is_still(a, b) {
        return a;
    }
    let TurnArc { ends: [a, b], angle } = TurnArc::new(a, b);
    let sine = |angle: f64| sin_cos(angle).0;
    let whole = sine(angle);
    if !(whole > 0.0) {
        return a;
    }
    let (of_a, of_b) = (sine((1.0 - t) * angle) / whole, sine(t * angle) / whole);
    [0, 1, 2, 3].map(|i| of_a * a[i] + of_b * b[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_are_the_shorter_ones() {
        for (difference, expected) in [(0.5, 0.5), (PI, PI), (-PI, -PI), (6.0, 6.0 - 2.0 * PI)] {
            assert_eq!(shorter(difference), expected);
        }
        for turns in [-3.0, 1.0, 1e6] {
            assert!((shorter(0.3 + 2.0 * PI * turns) - 0.3).abs() < 1e-8, "{turns}");
        }
    }

    #[test]
    fn orientations_turn_about_one_axis_at_one_speed() {
        let about_z = |angle: f64| {
            let (s, c) = sin_cos(0.5 * angle);
            [c, 0.0, 0.0, s]
        };
        let near = |a: [f64; 4], b: [f64; 4]| norm([0, 1, 2, 3].map(|i| a[i] - b[i])) < 1e-14;
        for (to, arc) in [(1.0, 1.0), (3.0, 3.0), (4.0, 4.0 - 2.0 * PI), (-1e-9, -1e-9)] {
            for t in [0.0, 0.1, 0.5, 0.9, 1.0] {
                for sign in [1.0, -1.0] {
                    let found = slerp(about_z(0.2), about_z(0.2 + to).map(|v| sign * v), t);
                    assert!(near(found, about_z(0.2 + arc * t)), "{to} {t}: {found:?}");
                }
            }
        }
        // Half a turn: the signs decide, and the two ways are each other's mirror image.
        let half = |sign: f64| slerp([1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, sign], 0.5);
        assert!(near(half(1.0), about_z(0.5 * PI)) && near(half(-1.0), about_z(-0.5 * PI)));
        // A quaternion and its negative are one orientation. Four zeros are no orientation.
        let q = [0.6, 0.0, 0.8, 0.0];
        assert_eq!(slerp(q, q.map(|v| -v), 0.3), q);
        assert!(slerp([0.0; 4], q, 0.3).iter().all(|v| v.is_nan() || *v == 0.0));
    }
}
