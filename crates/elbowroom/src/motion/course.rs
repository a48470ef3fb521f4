//! How a body moves as another one sees it, on a straight motion around a pose.
//!
//! The body that is held still is one end of a chain of joints, the moving body the other end. A value of the
//! motion goes from `middle - s` to `middle + s`; let `t` go from -1 to 1. A point `p` of the moving body is
//! then at `E_1(t s_1) ... E_m(t s_m) p`, where `E_1` is the joint next to the still body, every `E_i` turns
//! about its axis or slides along it as these lie at the middle pose, and joints of the still body's own
//! chain have the other sign.
//!
//! * If no joint turns, `p` goes along one segment.
//! * If one joint turns, by an angle in `[-s, s]` about an axis, `p` goes along an arc of its own circle.
//!   Slides between that joint and the still body add a segment. Those beyond it turn with it: they add a
//!   segment along the axis and a disc across it.
//! * If several turn, `p` goes along its velocity at the middle, `t v(p)` with `v(p) = w x p + u`, in which
//!   joints that cancel do so, but for half the largest acceleration. Where joint `i` is nearer to the still
//!   body than `j`, the second derivative by both is `a_i x d_j`, and by a turn `i` alone `a_i x d_i`; `d_j`
//!   is the velocity by joint `j`, no longer than the lever arm. So the acceleration is at most the sum of
//!   `s_j |d_j| + 2 sum_i s_i |d_j|` over the turns `i` before `j`. It is at a right angle to the axes if
//!   they are parallel.
//!
//! * If axes of several turns meet, or nearly, in a point, the hub, then `p` keeps its distance from the hub,
//!   but for what moves the hub: a turn about an axis that misses it by `m` moves it by `s m` at most, a
//!   slide by its length. So a ball about the hub that holds the body holds it on the whole motion.
//!
//! Each is a bound, and none needs the others' joints to be small: only that by velocities widens with the
//! square of the motion.
//!
//! A motion that is not straight goes beside a straight one: each value is off by at most a known amount at
//! every instant ([`super::route`]). Joint by joint, from the moving body on, that moves a point by no more
//! than the amount times the lever arm, which is that of the middle plus all that the joints before can move
//! the point. Rounding is such an amount too. A quaternion may be off by a turn about any axis; then the
//! lever arm is the distance from the joint's origin.

use super::motion_bounds::{Dof, Kind, MotionBounds, common};
use super::tolerance::{AXES_APART, MOTION_FACTOR, SWEEP_ROUNDING};
use crate::bounds::Ball;
use crate::model::id::BodyId;
use crate::model::step::Motion;
use crate::pose::frames::Pose;
use core::f64::consts::PI;
use elbowroom_describe::math::{Transform, Vec3, sin_cos, sqrt};
use elbowroom_pair::numeric::pose_error::PoseError;
use elbowroom_pair::numeric::tolerance::ERROR_FACTOR;

/// A straight motion around a pose, by value: how far each goes to either end.
#[derive(Clone, Copy)]
pub(crate) struct Straight<'a> {
    /// Radians or metres, with the sign of the motion. Of a quaternion, the first three are the vector about
    /// which it turns, as long as the angle (radians, in the frame of the joint).
    pub half: &'a [f64],
    /// How far each value may be from that straight motion, rounding included. Of a quaternion, the first
    /// number is how far its angle may be off, the second what it may be turned by about any axis (radians).
    pub beside: &'a [f64],
}

/// A shape that moves: where it is at the middle of the motion, and a ball around it (cell frame).
#[derive(Clone, Copy)]
pub(crate) struct Mover<'a> {
    pub in_cell: Transform,
    pub error: PoseError,
    pub ball: &'a Ball,
}

/// How joints turn a body.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Turning {
    Never,
    /// One does.
    About(Arc),
    /// Several do: a point `p` goes along `spin x p + shift` to either end, and beyond that by no more than
    /// the disc of [`Course`].
    Freely {
        spin: Vec3,
        shift: Vec3,
    },
}

/// Turns about an axis through a point, in the moving shape's frame, by up to an angle either way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    pub axis: Vec3,
    pub center: Vec3,
    /// Radians.
    pub angle: f64,
    /// Of the angle; the cosine is minus infinity from half a turn on.
    pub cos: f64,
    pub sin: f64,
}

/// How a shape moves as another body sees it. In the moving shape's frame, metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    pub turning: Turning,
    /// Each point may be anywhere between minus and plus each of these.
    pub segments: [Vec3; 2],
    /// And so far away in any direction that is at a right angle to this unit vector.
    pub across: Vec3,
    pub disc: f64,
    /// And so far away in any direction: what rounding and other errors add.
    pub off: f64,
    /// Where axes of several turns meet.
    pub hub: Option<Hub>,
}

/// A point from which every point of a moving shape keeps its distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hub {
    /// In the moving shape's frame.
    pub center: Vec3,
    /// How far the hub itself may move (metres).
    pub off: f64,
}

impl Course {
    /// Nothing moves.
    pub const REST: Course = Course {
        turning: Turning::Never,
        segments: [Vec3::ZERO; 2],
        across: Vec3::Z,
        disc: 0.0,
        off: 0.0,
        hub: None,
    };

    /// The course of `moving` as `still` sees it. `None` where nothing is known of how they move.
    pub fn new(
        (bounds, pose): (&MotionBounds, &Pose),
        [still, moving]: [BodyId; 2],
        straight: Straight,
        mover: Mover,
    ) -> Option<Course> {
        let (below, above) = (bounds.carried(pose, still)?, bounds.carried(pose, moving)?);
        let common = common(below, above);
        // From the moving body to the still one.
        let outer = above[common..].iter().rev().map(|index| (*index, 1.0));
        let all = outer.chain(below[common..].iter().map(|index| (*index, -1.0)));
        let joint_going = |(index, side): (u32, f64)| {
            Going::new(&bounds.dofs[index as usize], (bounds, pose), straight, side, mover)
        };
        let mut sum = Sum::new(mover);
        for joint in all.clone() {
            if let Some(going) = joint_going(joint)? {
                sum.add(&going);
            }
        }
        let mut course = sum.course();
        if let Some(center) = sum.hub {
            let goings = all.filter_map(|joint| joint_going(joint).flatten());
            course.hub = Hub::new(center, goings, mover);
        }
        Some(course)
    }

    /// This course without an arc: with the chord through the middle, and how far from it the arc goes.
    /// `reach` bounds how far the shape's points are from the frame's origin (metres).
    pub fn without_arc(&self, reach: f64) -> Course {
        let Turning::About(Arc { axis, center, angle, .. }) = self.turning else { return *self };
        let spin = axis * angle;
        let bend = 0.5 * angle * angle * (reach + center.norm()) * MOTION_FACTOR;
        // What slides beyond the turn add lies across the same axis.
        let turning = Turning::Freely { spin, shift: center.cross(spin) };
        Course { turning, across: axis, disc: self.disc + bend, ..*self }
    }

    /// How far another point, by the vector to it, is at least from where a point of the shape may be by what
    /// is not known of the motion alone (metres).
    pub fn distance_unknown(&self, to: Vec3) -> f64 {
        let along = self.across.dot(to);
        let beside = ((to - self.across * along).norm() - self.disc).max(0.0);
        sqrt(along * along + beside * beside) - self.off
    }

    /// A bound on how far a point of the shape gets from the frame's origin, if it is within `reach` of it at
    /// the middle. It also bounds every number that is added up for such a point, for rounding.
    pub fn extent(&self, reach: f64) -> f64 {
        let [p, q] = self.segments.map(Vec3::norm);
        let turned = match self.turning {
            Turning::Never => 0.0,
            Turning::About(Arc { center, .. }) => 2.0 * (reach + center.norm()),
            Turning::Freely { spin, shift } => spin.norm() * reach + shift.norm(),
        };
        (reach + p + q + self.disc + turned) * MOTION_FACTOR
    }
}

impl Hub {
    /// At a point of the cell.
    fn new(center: Vec3, goings: impl Iterator<Item = Going>, mover: Mover) -> Option<Hub> {
        let Mover { in_cell, error: own, ball } = mover;
        let from = center - in_cell.translation;
        let (mut off, mut joints) = (0.0, 0);
        for going in goings {
            let Going { axis, through, goes, missing, wobble, turned, error, slides } = going;
            joints += 1;
            let goes_by = goes.abs() + missing;
            if slides {
                off += goes_by;
                continue;
            }
            let arm = center - through;
            let missed =
                ERROR_FACTOR * (error.shift + own.shift) + turned * (taxi_length(arm) + taxi_length(from));
            off += goes_by * (axis.cross(arm).norm() + missed);
            if wobble != 0.0 {
                off += wobble * (taxi_length(arm) + missed);
            }
        }
        let reach = taxi_length(from) + taxi_length(ball.center - in_cell.translation) + ball.radius;
        let off = (off + SWEEP_ROUNDING * f64::from(joints) * reach) * MOTION_FACTOR;
        off.is_finite().then(|| Hub { center: in_cell.rotation.transpose_mul(from), off })
    }
}

/// An upper bound on the length of a vector, without a square root.
fn taxi_length(v: Vec3) -> f64 {
    v.x.abs() + v.y.abs() + v.z.abs()
}

/// The point half way between two lines, by points on them and unit vectors along them; none if they are
/// nearly parallel.
fn midpoint_of_lines([(p, u), (q, v)]: [(Vec3, Vec3); 2]) -> Option<Vec3> {
    let (cosine, from) = (u.dot(v), q - p);
    let square = 1.0 - cosine * cosine;
    if !(square > AXES_APART * AXES_APART) {
        return None;
    }
    let [along, other] = [from.dot(u), from.dot(v)];
    let on_first = p + u * ((along - cosine * other) / square);
    let on_second = q + v * ((cosine * along - other) / square);
    Some((on_first + on_second) * 0.5)
}

/// How a joint goes on the motion.
#[derive(Clone, Copy)]
struct Going {
    /// Along it, or about it (cell frame, unit length).
    axis: Vec3,
    /// A point on it.
    through: Vec3,
    /// How far it goes, and the error of that (radians or metres).
    goes: f64,
    missing: f64,
    /// How far it may turn about any axis besides (radians).
    wobble: f64,
    /// The error of the axis (radians).
    turned: f64,
    error: PoseError,
    slides: bool,
}

impl Going {
    /// `None` if nothing is known of the joint's motion, and within that if it does not move.
    #[allow(clippy::option_option)]
    fn new(
        dof: &Dof,
        (bounds, pose): (&MotionBounds, &Pose),
        Straight { half, beside }: Straight,
        side: f64,
        mover: Mover,
    ) -> Option<Option<Going>> {
        let (i, step) = (dof.value as usize, &bounds.world.kinematics.steps[dof.step.index()]);
        let (child, error) = pose.step_at(dof.step);
        let in_joint = || pose.body_frame(step.parent).rotation * step.joint_in_parent.rotation;
        let spins = matches!(dof.kind, Kind::Spin);
        // How far the joint goes, and the error of that.
        let sign = if matches!(step.motion, Motion::Planar { .. } | Motion::Floating) {
            side
        } else {
            side * step.scale.signum()
        };
        let (goes, missing) = if spins {
            let angle = Vec3 { x: half[i], y: half[i + 1], z: half[i + 2] }.norm();
            (side * angle, beside[i])
        } else {
            (sign * dof.scale * half[i], dof.scale * beside[i])
        };
        let wobble = if spins { beside[i + 1] } else { 0.0 };
        // NaN moves, and is found at the end.
        if goes == 0.0 && missing == 0.0 && wobble == 0.0 {
            return Some(None);
        }
        let axis = match dof.kind {
            Kind::Turn(axis) => child.direction(axis),
            Kind::Spin => {
                let vector = in_joint() * Vec3 { x: half[i], y: half[i + 1], z: half[i + 2] };
                vector.normalized().unwrap_or(Vec3::Z)
            }
            Kind::Slide => match step.motion {
                Motion::Slide(axis) => child.direction(axis),
                Motion::Planar { u, .. } if i == step.value => in_joint() * u,
                Motion::Planar { v, .. } => in_joint() * v,
                Motion::Floating => in_joint() * [Vec3::X, Vec3::Y, Vec3::Z][i - step.value],
                Motion::Fixed | Motion::TurnX | Motion::TurnY | Motion::TurnZ | Motion::Turn(_) => {
                    return None;
                }
            },
        };
        let turned = ERROR_FACTOR * (error.rotation + mover.error.rotation + SWEEP_ROUNDING);
        let slides = matches!(dof.kind, Kind::Slide);
        Some(Some(Going { axis, through: child.translation, goes, missing, wobble, turned, error, slides }))
    }
}

/// A sum over joints, from the moving body on.
struct Sum<'a> {
    mover: Mover<'a>,
    /// The slides before the first turn, and after it (cell frame).
    slides: [Vec3; 2],
    turns: u32,
    joints: u32,
    /// The first turn: its axis, and the vector from it to the middle of the ball.
    axis: Vec3,
    arm: Vec3,
    angle: f64,
    /// A point on the first axis.
    first: Vec3,
    /// Where the first axis and another that is not parallel to it are nearest to each other.
    hub: Option<Vec3>,
    /// The velocity of the body at the middle, and of the middle of its ball, by turns.
    spin: Vec3,
    speed: Vec3,
    /// How far any point goes by all joints so far.
    gone: f64,
    /// The largest acceleration by all joints so far.
    bend: f64,
    /// The largest sine of an angle between the first axis and another.
    apart: f64,
    /// The largest error of an axis (radians).
    askew: f64,
    off: f64,
}

impl<'a> Sum<'a> {
    fn new(mover: Mover<'a>) -> Sum<'a> {
        let zero = Vec3::ZERO;
        Sum {
            mover,
            slides: [zero; 2],
            turns: 0,
            joints: 0,
            axis: zero,
            arm: zero,
            angle: 0.0,
            first: zero,
            hub: None,
            spin: zero,
            speed: zero,
            gone: 0.0,
            bend: 0.0,
            apart: 0.0,
            askew: 0.0,
            off: 0.0,
        }
    }

    /// Adds a joint.
    fn add(&mut self, going: &Going) {
        let Going { axis, through, goes, missing, wobble, turned, error, slides } = *going;
        self.joints += 1;
        let Mover { error: own, ball, .. } = self.mover;
        let arm = ball.center - through;
        let size = taxi_length(arm) + ball.radius;
        if slides {
            let goes_by = goes.abs() + missing;
            // Off its own direction, and, if it turns with a joint, off the disc across that axis.
            self.off += missing + 2.0 * turned * goes_by;
            self.slides[usize::from(self.turns > 0)] += axis * goes;
            self.gone += goes_by;
            return;
        }
        let missed = ERROR_FACTOR * (error.shift + own.shift) + turned * (size + self.gone);
        let angle = goes.abs() + missing;
        let lever = axis.cross(arm).norm() + ball.radius + missed + self.gone;
        self.off += missing * lever + angle * missed;
        let freely = if wobble == 0.0 { 0.0 } else { arm.norm() + ball.radius + missed + self.gone };
        self.off += wobble * freely;
        match (self.turns, self.hub) {
            (0, _) => self.first = through,
            (_, None) => self.hub = midpoint_of_lines([(self.first, self.axis), (through, axis)]),
            (_, Some(_)) => {}
        }
        if self.turns == 0 {
            (self.axis, self.arm, self.angle) = (axis, arm - axis * axis.dot(arm), goes.abs());
        }
        self.turns += 1;
        self.spin += axis * goes;
        self.speed += axis.cross(arm) * goes;
        self.askew = self.askew.max(turned);
        self.apart = self.apart.max(self.axis.cross(axis).norm());
        self.bend += angle * (angle * lever + 2.0 * self.gone);
        self.gone += angle * lever + wobble * freely;
    }

    fn course(&self) -> Course {
        let Mover { in_cell, ball, .. } = self.mover;
        let back = |v: Vec3| in_cell.rotation.transpose_mul(v);
        let middle = back(ball.center - in_cell.translation);
        let axis = back(self.axis).normalized().unwrap_or(Vec3::Z);
        let [inner, outer] = self.slides.map(back);
        let off = (self.off + SWEEP_ROUNDING * f64::from(self.joints) * self.gone) * MOTION_FACTOR;
        let mut course = Course {
            turning: Turning::Never,
            segments: [inner, outer],
            across: axis,
            disc: 0.0,
            off,
            hub: None,
        };
        if self.turns == 1 {
            let angle = self.angle * MOTION_FACTOR;
            let (sin, cos) = if angle < PI { sin_cos(angle) } else { (0.0, f64::NEG_INFINITY) };
            let center = middle - back(self.arm);
            course.turning = Turning::About(Arc { axis, center, angle, cos, sin });
            // Slides beyond the turn.
            let along = axis * axis.dot(inner);
            course.segments[0] = along;
            course.disc = (inner - along).norm() * MOTION_FACTOR;
        } else if self.turns > 1 {
            let spin = back(self.spin);
            let shift = back(self.speed) - spin.cross(middle) + inner + outer;
            course.turning = Turning::Freely { spin, shift };
            course.segments = [Vec3::ZERO; 2];
            let bend = 0.5 * self.bend * MOTION_FACTOR;
            // Each turn about an axis that is nearly the first tilts the next by twice their angle at most.
            let tilt = self.apart * f64::from(2 * self.turns + 1) + self.askew;
            if tilt < AXES_APART {
                (course.disc, course.off) = (bend, off + bend * tilt);
            } else {
                course.off = off + bend;
            }
        }
        course
    }
}
