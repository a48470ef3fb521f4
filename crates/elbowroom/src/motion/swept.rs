//! Virtual manipulators: what a link can sweep with the joints behind another freed, as balls proved to
//! contain it.
//!
//! Faverjon's virtual manipulator with `k` degrees of freedom is the robot with the links behind joint `k`
//! replaced by what they sweep when joints `k + 1` to `n` take all their values. A link's ball is carried
//! towards the base, one joint after the other, and grows at each by what that joint sweeps: a turn through
//! an angle `w` takes the centre along an arc, which lies in a ball about the middle of its chord (about the
//! axis from half a turn on); a slide takes it along a segment. What has no limits sweeps everything.
//!
//! Carried all the way, the ball contains the link at every configuration, and an obstacle apart from it can
//! never be touched. Sharper for the first turning joint: its link's ball sweeps a ring, whose distance from
//! a ball about a point is `hypot(r - s, h - k) - R`, with the radial and axial places of both.

use super::ranges::ranges;
use crate::bounds::{AlignedBox, Ball, ball_around, ball_gap};
use crate::model::id::BodyId;
use crate::model::step::{Motion, Step};
use crate::model::world::World;
use crate::motion::tolerance::SWEEP_ROUNDING;
use crate::numeric::math::{Mat3, Transform, Vec3, sin_cos, sqrt};
use crate::numeric::tolerance::ERROR_FACTOR;
use crate::pair::clearance::{Ask, Query};
use crate::pair::geometry::Geometry;
use crate::pair::narrow::{self};
use crate::pair::scratch::{Scratch, Warm};
use crate::shape::solid::{Core, Shape};
use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::PI;

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

/// The ball, with its radius wider by the rounding of having been moved.
fn widened(ball: Ball) -> Ball {
    let c = ball.center;
    let size = c.x.abs() + c.y.abs() + c.z.abs() + ball.radius;
    let radius = ball.radius + SWEEP_ROUNDING * size;
    if c.is_finite() && radius.is_finite() { Ball { center: c, radius } } else { Ball::UNBOUNDED }
}

/// A ball in the frame of a step's child, swept by the step's motion, in the joint's frame.
fn swept_by(ball: &Ball, step: &Step, ranges: &[[f64; 2]]) -> Ball {
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
        // Both ends of the arc are `sin` away from the middle of the chord, and its crown `1 - cos`, which is
        // less.
        widened(Ball { center: on_axis + middle * c, radius: ball.radius + away.norm() * s })
    } else {
        widened(Ball { center: on_axis, radius: ball.radius + away.norm() })
    }
}

/// A ball in a step's joint frame, in the frame of the step's parent.
fn in_parent(ball: &Ball, step: &Step) -> Ball {
    if ball.radius == f64::INFINITY {
        return Ball::UNBOUNDED;
    }
    let center = step.joint_in_parent.point(ball.center);
    let defect = step.defect * ball.center.norm();
    let origin = SWEEP_ROUNDING * step.joint_in_parent.translation.norm();
    widened(Ball { center, radius: ball.radius + defect + origin })
}

/// A ball in a step's child's frame, swept by the step and carried to its parent's frame.
pub(crate) fn through(ball: &Ball, step: &Step, ranges: &[[f64; 2]]) -> Ball {
    in_parent(&swept_by(ball, step, ranges), step)
}

/// What a moving body sweeps.
#[derive(Clone, Copy, Debug)]
struct Sweep {
    body: BodyId,
    /// In the cell frame, all its joints free.
    ball: Ball,
    /// Its first turning joint, if everything before it is fixed.
    ring: Option<Ring>,
}

/// A ball swept round an axis, in the cell frame.
#[derive(Clone, Copy, Debug)]
struct Ring {
    on_axis: Vec3,
    /// Unit, to rounding.
    axis: Vec3,
    /// Distance of the ball's centre from the axis, and its height over `on_axis`.
    radial: f64,
    height: f64,
    radius: f64,
    /// What the axis may be tilted by.
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

/// What every moving body of a world can sweep. Computed once.
#[derive(Clone, Debug)]
pub struct Swept<'w> {
    world: &'w World,
    sweeps: Vec<Sweep>,
    /// By body: its sweep, or `NONE`.
    of: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl<'w> Swept<'w> {
    /// For all values that the joints can take.
    pub fn new(world: &'w World) -> Swept<'w> {
        let ranges = ranges(world);
        let sweep = |body: &BodyId| {
            let mut ball = world.solids.ball_of(*body).unwrap_or(Ball::UNBOUNDED);
            let (mut at, mut ring) = (*body, None);
            while let Some(step) = world.kinematics.step_of(at) {
                let fixed = step.motion == Motion::Fixed;
                let turns = axis(&step.motion).filter(|_| !matches!(step.motion, Motion::Planar { .. }));
                if !fixed {
                    // Of several joints the last one met, nearest to the base, remains.
                    ring = turns.filter(|_| ball.radius < f64::INFINITY).map(|axis| (*step, axis, ball));
                }
                ball = through(&ball, step, &ranges);
                at = step.parent;
            }
            let base = world.kinematics.start_in_cell[at.index()];
            let error = world.kinematics.errors[at.index()];
            let ring = ring.map(|(step, axis, ball)| {
                // Everything above is fixed: the joint's frame is where the neutral pose has it.
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
        let mut of = vec![NONE; world.solids.bodies.len()];
        for (i, body) in world.kinematics.moving.iter().enumerate() {
            of[body.index()] = i as u32;
        }
        Swept { world, sweeps: world.kinematics.moving.iter().map(sweep).collect(), of }
    }

    /// Moving bodies with shapes.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.sweeps.iter().map(|s| s.body)
    }

    fn sweep(&self, body: BodyId) -> Option<&Sweep> {
        self.sweeps.get(*self.of.get(body.index())? as usize)
    }

    /// A ball that contains a moving body at every configuration (world frame); its radius is infinite where
    /// nothing bounds it. `None` for other bodies.
    pub fn ball_in_world(&self, body: BodyId) -> Option<Ball> {
        let ball = self.sweep(body)?.ball;
        Some(widened(Ball {
            center: ball.center + self.world.kinematics.origin_in_world,
            radius: ball.radius,
        }))
    }

    /// A proved lower bound on the distance of a moving body from a box (cell frame: the world's axes, the
    /// first robot's base as origin) over all configurations; minus infinity if nothing is known. A few
    /// operations, for many obstacles.
    pub fn gap_to_box(&self, body: BodyId, box_in_cell: &AlignedBox) -> f64 {
        let Some(sweep) = self.sweep(body) else { return f64::NEG_INFINITY };
        let Ball { center, radius } = sweep.ball;
        let apart = (box_in_cell.low - center).max(center - box_in_cell.high).max(Vec3::ZERO);
        let gap = apart.norm() - radius - SWEEP_ROUNDING * (apart.norm() + center.norm() + radius);
        if gap.is_nan() { f64::NEG_INFINITY } else { gap }
    }

    /// A proved lower bound on the distance of a moving body from one that never moves, over all
    /// configurations (metres). Positive: they can never touch. Balls first; where they do not tell, the
    /// swept ball against each shape.
    pub fn gap(&self, moving: BodyId, fixed: BodyId, scratch: &mut Scratch) -> f64 {
        let world = self.world;
        let Some(sweep) = self.sweep(moving) else { return f64::NEG_INFINITY };
        if self.sweep(fixed).is_some() {
            return f64::NEG_INFINITY;
        }
        let Some(body) = world.solids.bodies.get(fixed.index()) else { return f64::NEG_INFINITY };
        let (at, error) =
            (world.kinematics.start_in_cell[fixed.index()], world.kinematics.errors[fixed.index()]);
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
                let ball = Shape { core: Core::Point, radius, center: Vec3::ZERO, bounding_radius: radius };
                let in_cell = at * shape.shape_in_body();
                let b_in_a = Transform::from_translation(sweep.ball.center).relative(&in_cell);
                let slack = error.then(shape.arm(), shape.defect() + SWEEP_ROUNDING).of_point(shape.size)
                    + SWEEP_ROUNDING * (in_cell.translation.norm() + sweep.ball.center.norm());
                let query =
                    Query { ask: Ask::LowerBound, geometry: Geometry::Hull, slack, ..Query::default() };
                let mut cold = Warm::default();
                let found = narrow::clearance(&ball, &shape.shape, &b_in_a, &query, &mut cold, scratch);
                gap = gap.max(found.interval.lower);
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

/// The virtual manipulator of a body with the joints behind it freed: a ball in the body's frame that
/// contains every body that hangs on it, itself included, at every configuration. `None` if none of them has
/// a shape; unbounded where no limits are.
pub fn virtual_link(world: &World, body: BodyId) -> Option<Ball> {
    let ranges = ranges(world);
    let mut balls: Vec<Ball> = Vec::new();
    for i in 0..world.solids.bodies.len() {
        let mut at = BodyId(i as u32);
        let Some(mut ball) = world.solids.ball_of(at) else { continue };
        while at != body {
            let Some(step) = world.kinematics.step_of(at) else { break };
            ball = through(&ball, step, &ranges);
            at = step.parent;
        }
        if at == body {
            balls.push(ball);
        }
    }
    if balls.iter().any(|b| b.radius == f64::INFINITY) {
        return Some(Ball::UNBOUNDED);
    }
    ball_around(&balls)
}
