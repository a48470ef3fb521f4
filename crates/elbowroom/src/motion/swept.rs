//! Swept volumes (virtual manipulators): balls that contain all that a link can sweep.
//!
//! In Faverjon's virtual manipulator of joint `k`, the links behind that joint are replaced by all that they
//! sweep while joints `k + 1` to `n` take all their values. Here a ball around a
//! link is moved towards the base, one joint at a time, and grows at each by what that joint sweeps. A turn
//! takes its centre along an arc. The arc lies in a ball about the middle of its chord, or about the axis
//! from half a turn on. A slide takes the centre along a segment. A slide without limits sweeps everything.
//!
//! In the base's frame the ball contains the link at every configuration. An obstacle apart from the ball can
//! never be touched. The joint nearest to the base gives a better bound if it turns: its link's ball sweeps a
//! ring. The distance of the ring from a ball is `hypot(r - s, h - k) - R`, where `r, h` and `s, k` are the
//! distances from the axis and the heights along it of the two centres, and `R` is the sum of the radii.

use super::ranges::ranges;
use crate::bounds::{Ball, ball_gap};
use crate::model::id::BodyId;
use crate::model::step::{KinematicStep, Motion};
use crate::model::world::World;
use crate::motion::tolerance::SWEEP_ROUNDING;
use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::PI;
use elbowroom_describe::math::{Mat3, Transform, Vec3, sin_cos, sqrt};
use elbowroom_pair::Geometry;
use elbowroom_pair::clearance;
use elbowroom_pair::numeric::tolerance::ERROR_FACTOR;
use elbowroom_pair::shape::solid::Shape;
use elbowroom_pair::{Ask, Query};
use elbowroom_pair::{Scratch, Warm};

/// The axis of a step that turns, in its child's frame.
pub(crate) fn axis(motion: &Motion) -> Option<Vec3> {
    match motion {
        Motion::TurnX => Some(Vec3::X),
        Motion::TurnY => Some(Vec3::Y),
        Motion::TurnZ => Some(Vec3::Z),
        Motion::Turn(axis) | Motion::Planar { axis, .. } => Some(*axis),
        Motion::Fixed | Motion::Slide(_) | Motion::Floating => None,
    }
}

/// The ball, wider by the rounding of moving it.
fn widened(ball: Ball) -> Ball {
    let c = ball.center;
    let size = c.x.abs() + c.y.abs() + c.z.abs() + ball.radius;
    let radius = ball.radius + SWEEP_ROUNDING * size;
    if c.is_finite() && radius.is_finite() { Ball { center: c, radius } } else { Ball::UNBOUNDED }
}

/// A ball in the frame of a step's child, swept by the step's motion, in the joint's frame.
fn swept_by(ball: &Ball, step: &KinematicStep, ranges: &[[f64; 2]]) -> Ball {
    if ball.radius == f64::INFINITY {
        return Ball::UNBOUNDED;
    }
    let amount = |value: usize| {
        let [a, b] = ranges[value].map(|v| step.scale * v + step.offset);
        (a.min(b), a.max(b))
    };
    match step.motion {
        Motion::Fixed => *ball,
        Motion::Floating => Ball::UNBOUNDED,
        Motion::Slide(along) => {
            let (low, high) = amount(step.value);
            let center = ball.center + along * (0.5 * (low + high));
            widened(Ball { center, radius: ball.radius + 0.5 * (high - low) })
        }
        Motion::Planar { u, v, axis } => {
            let turned = turned(ball, axis, ranges[step.value + 2]);
            let [x, y] = [ranges[step.value], ranges[step.value + 1]];
            let middle = |r: [f64; 2]| 0.5 * (r[0] + r[1]);
            let center = turned.center + u * middle(x) + v * middle(y);
            let half = 0.5 * (x[1] - x[0]) + 0.5 * (y[1] - y[0]);
            widened(Ball { center, radius: turned.radius + half })
        }
        Motion::TurnX | Motion::TurnY | Motion::TurnZ | Motion::Turn(_) => {
            let (low, high) = amount(step.value);
            turned(ball, axis(&step.motion).unwrap_or(Vec3::Z), [low, high])
        }
    }
}

/// A ball turned about an axis through the origin, through all angles of a range.
fn turned(ball: &Ball, axis: Vec3, [low, high]: [f64; 2]) -> Ball {
    let on_axis = axis * axis.dot(ball.center);
    let away = ball.center - on_axis;
    let half = 0.5 * (high - low);
    if half < 0.5 * PI {
        let middle = Mat3::from_axis_angle(axis, 0.5 * (low + high)) * away;
        let (s, c) = sin_cos(half);
        // From the middle of the chord both ends of the arc are `sin` away; its crown is nearer, `1 - cos`.
        widened(Ball { center: on_axis + middle * c, radius: ball.radius + away.norm() * s })
    } else {
        widened(Ball { center: on_axis, radius: ball.radius + away.norm() })
    }
}

/// A ball in a step's joint frame, in the frame of the step's parent.
fn in_parent(ball: &Ball, step: &KinematicStep) -> Ball {
    if ball.radius == f64::INFINITY {
        return Ball::UNBOUNDED;
    }
    let center = step.joint_in_parent.point(ball.center);
    let defect = step.defect * ball.center.norm();
    let origin = SWEEP_ROUNDING * step.joint_in_parent.translation.norm();
    widened(Ball { center, radius: ball.radius + defect + origin })
}

/// A ball in the frame of a step's child, swept by the step, in the frame of its parent.
pub(crate) fn sweep_ball(ball: &Ball, step: &KinematicStep, ranges: &[[f64; 2]]) -> Ball {
    in_parent(&swept_by(ball, step, ranges), step)
}

/// What a moving body sweeps.
#[derive(Clone, Copy, Debug)]
struct Sweep {
    body: BodyId,
    /// In the cell frame, for all values of its joints.
    ball: Ball,
    /// What its first moving joint sweeps, if that joint turns.
    ring: Option<Ring>,
}

/// A ball swept around an axis, in the cell frame.
#[derive(Clone, Copy, Debug)]
struct Ring {
    on_axis: Vec3,
    /// A unit vector, up to rounding.
    axis: Vec3,
    /// Distance of the ball's centre from the axis, and its height over `on_axis`.
    radial: f64,
    height: f64,
    radius: f64,
    /// How far rounding may tilt the axis.
    tilt: f64,
}

impl Ring {
    /// A lower bound on its distance from a ball.
    fn gap(&self, ball: &Ball) -> f64 {
        let p = ball.center - self.on_axis;
        let h = self.axis.dot(p);
        let r = (p - self.axis * h).norm();
        let (dr, dh) = (r - self.radial, h - self.height);
        let error = SWEEP_ROUNDING * (self.radial + self.height.abs() + self.radius + ball.radius)
            + ERROR_FACTOR * self.tilt * p.norm();
        sqrt(dr * dr + dh * dh) - self.radius - ball.radius - error
    }
}

/// What every moving body of a world can sweep while its joints take all their values: a ball that always
/// contains it. Computed once; coarser than [`Prover`](super::Prover), and quicker.
///
/// ```
/// use elbowroom::World;
/// use elbowroom::describe::examples::rod_and_post;
/// use elbowroom::motion::bounds::Swept;
/// use elbowroom::pair::Scratch;
///
/// // The rod of the crate's first example, and the post at (0, 3, 0): it is never nearer than 1.7 m.
/// let mut description = rod_and_post();
/// description.obstacles[0].pose.translation.y = 3.0;
/// let world = World::compile(&description)?;
/// let [arm, post] = [1, 2].map(elbowroom::world::BodyId);
/// let swept = Swept::new(&world);
/// let least = swept.gap(arm, post, &mut Scratch::default());
/// assert!(1.69 < least && least <= 1.7);
/// // The ball is in the world.
/// let ball = swept.ball_in_world(arm).expect("it moves");
/// assert!(1.1 <= ball.radius && ball.radius < 1.11);
/// # Ok::<(), elbowroom::Faults>(())
/// ```
#[derive(Clone, Debug)]
pub struct Swept<'w> {
    world: &'w World,
    sweeps: Vec<Sweep>,
    /// By body, the index of its sweep.
    of: Vec<Option<u32>>,
}

impl<'w> Swept<'w> {
    /// For all values of all joints.
    pub fn new(world: &'w World) -> Swept<'w> {
        let ranges = ranges(world);
        let sweep = |body: &BodyId| {
            let mut ball = world.solids.ball_of(*body).unwrap_or(Ball::UNBOUNDED);
            let (mut at, mut ring) = (*body, None);
            while let Some(step) = world.kinematics.step_of(at) {
                let fixed = step.motion == Motion::Fixed;
                let turns = axis(&step.motion).filter(|_| !matches!(step.motion, Motion::Planar { .. }));
                if !fixed {
                    // The joint nearest to the base comes last and remains.
                    ring = turns.filter(|_| ball.radius < f64::INFINITY).map(|axis| (*step, axis, ball));
                }
                ball = sweep_ball(&ball, step, &ranges);
                at = step.parent;
            }
            let base = world.kinematics.places.fixed_pose(at);
            let error = world.kinematics.places.pose_error(at);
            let ring = ring.map(|(step, axis, ball)| {
                // Everything above is fixed, so the joint's frame never moves.
                let (mut frame, mut parent, mut loose) = (step.joint_in_parent, step.parent, step.defect);
                while let Some(above) = world.kinematics.step_of(parent) {
                    frame = above.joint_in_parent * frame;
                    (parent, loose) = (above.parent, loose + above.defect);
                }
                let in_cell = base * frame;
                let height = axis.dot(ball.center);
                let radial = (ball.center - axis * height).norm();
                let arm = frame.translation.norm() + ball.center.norm();
                let tilt = error.rotation + loose + SWEEP_ROUNDING;
                let off = ERROR_FACTOR * (error.shift + tilt * arm)
                    + SWEEP_ROUNDING * (in_cell.translation.norm() + arm);
                let radius = ball.radius + off;
                let axis = in_cell.direction(axis);
                Ring { on_axis: in_cell.translation, axis, radial, height, radius, tilt }
            });
            let radius = ball.radius + error.of_point(ball.center.norm());
            let ball = widened(Ball { center: base.point(ball.center), radius });
            Sweep { body: *body, ball, ring }
        };
        let mut of = vec![None; world.solids.bodies.len()];
        for (i, body) in world.kinematics.moving.iter().enumerate() {
            of[body.index()] = Some(i as u32);
        }
        Swept { world, sweeps: world.kinematics.moving.iter().map(sweep).collect(), of }
    }

    /// The moving bodies with shapes.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.sweeps.iter().map(|s| s.body)
    }

    fn sweep(&self, body: BodyId) -> Option<&Sweep> {
        let index = (*self.of.get(body.index())?)?;
        self.sweeps.get(index as usize)
    }

    /// A ball that contains a moving body at every configuration (world frame). Its radius is infinite where
    /// nothing bounds it. `None` for a body that does not move.
    pub fn ball_in_world(&self, body: BodyId) -> Option<Ball> {
        let ball = self.sweep(body)?.ball;
        Some(widened(Ball {
            center: ball.center + self.world.kinematics.origin_in_world,
            radius: ball.radius,
        }))
    }

    /// A proved lower bound on the distance of a moving body from one that never moves, over all
    /// configurations (metres). If it is positive they can never touch. It is taken from balls around the
    /// shapes. Where these do not suffice, it is the distance of the swept ball from each shape.
    pub fn gap(&self, moving: BodyId, fixed: BodyId, scratch: &mut Scratch) -> f64 {
        let world = self.world;
        let Some(sweep) = self.sweep(moving) else { return f64::NEG_INFINITY };
        let is_movable = world.checks.rules.bodies.get(fixed.index()).is_some_and(|facts| facts.movable);
        if self.sweep(fixed).is_some() || is_movable {
            return f64::NEG_INFINITY;
        }
        if !world.has_body(fixed) {
            return f64::NEG_INFINITY;
        }
        let body = &world.solids.bodies[fixed.index()];
        let (at, error) =
            (world.kinematics.places.fixed_pose(fixed), world.kinematics.places.pose_error(fixed));
        let mut least = f64::INFINITY;
        for shape in body.shapes.clone().map(|i| &world.solids.shapes[i as usize]) {
            let ball = shape.ball();
            let around = widened(Ball {
                center: at.point(ball.center),
                radius: ball.radius + error.of_point(ball.center.norm()),
            });
            let mut gap = sweep.gap(&around);
            if gap <= 0.0 && sweep.ball.radius < f64::INFINITY {
                let radius = sweep.ball.radius;
                let ball = Shape::ball(radius);
                let in_cell = at * shape.shape_in_body();
                let b_in_a = Transform::from_translation(sweep.ball.center).relative(&in_cell);
                let slack = error
                    .compose_frame(shape.arm(), shape.rotation_defect() + SWEEP_ROUNDING)
                    .of_point(shape.size)
                    + SWEEP_ROUNDING * (in_cell.translation.norm() + sweep.ball.center.norm());
                let query =
                    Query { ask: Ask::LowerBound, geometry: Geometry::Hull, slack, ..Query::default() };
                let mut cold = Warm::default();
                let clearance = clearance(&ball, &shape.shape, &b_in_a, &query, &mut cold, scratch);
                gap = gap.max(clearance.interval.lower);
            }
            least = least.min(gap);
        }
        least
    }
}

impl Sweep {
    fn gap(&self, ball: &Ball) -> f64 {
        let ring = self.ring.map_or(f64::NEG_INFINITY, |ring| ring.gap(ball));
        ball_gap(&self.ball, ball).max(ring)
    }
}
