//! How a pair's signed distance changes with the joint values, in closed form.
//!
//! To first order the points and the normal of a signed distance stay with their bodies: the distance is the
//! least of all distances between points of the bodies, and a depth the length of the shortest way out, so a
//! small change of the points or of the direction changes neither. What is left is how the joints move the
//! points along the normal,
//!
//! ```text
//! d(distance)/d(value) = normal . (d(a)/d(value) - d(b)/d(value)),
//! ```
//!
//! by the columns of the Jacobians of both bodies. A joint that carries both moves both points alike, and
//! counts nothing.

use crate::model::id::{BodyId, PairId, StepId};
use crate::model::step::{KinematicStep, Motion, Parent};
use crate::pose::frames::Pose;
use crate::query::answer::{Answer, PairAnswer};
use crate::query::checker::Checker;
use crate::query::workspace::Workspace;
use elbowroom_describe::math::{Mat3, Vec3, sin_cos};
use elbowroom_pair::Witness;

impl Checker<'_> {
    /// How the signed distance of a pair changes with each joint value: metres a radian, or metres a metre,
    /// in the order of [`World::dof_names`](crate::World::dof_names). `witness` has the pair's points at
    /// this pose, as an answer told them. `None` for a pair that this world does not have.
    ///
    /// It is in closed form, by the Jacobians of both points along the normal, and as exact as these: to
    /// rounding between polyhedra, to the root of the interval's width between round shapes. Where the
    /// distance has no derivative, because several points are as near or several ways out as short, it is one
    /// of the subgradients: that of the points which the answer names. Of a depth that is only bracketed
    /// ([`Stop::Bracketed`](elbowroom_pair::Stop)) it says how the told points move along the normal. A
    /// mimic's motion counts for the value that it follows.
    ///
    /// ```
    /// use elbowroom::describe::examples::rod_and_post;
    /// use elbowroom::{Checker, Question, World};
    ///
    /// let world = World::compile(&rod_and_post())?;
    /// let mut checker = Checker::new(&world);
    /// checker.set(&[1.0])?;
    /// let answer = checker.ask(&Question::distance());
    /// let slope = answer.gradient(&mut checker).expect("a distance has points")[0];
    ///
    /// // The rod turns towards the post.
    /// assert!(slope < -0.5);
    /// let step = 1e-5;
    /// checker.set(&[1.0 + step])?;
    /// let next = checker.ask(&Question::distance()).distance;
    /// assert!(((next - answer.distance) / step - slope).abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gradient(&mut self, pair: PairId, witness: &Witness) -> Option<&[f64]> {
        let bodies = self.world().checks.pairs.get(pair)?;
        let Workspace { pose, gradient, .. } = &mut self.space;
        of_pair(pose, [bodies.a, bodies.b], witness, gradient);
        Some(gradient)
    }
}

impl Answer {
    /// How the signed distance of [`Answer::pair`] changes with each joint value, while `checker` is at the
    /// pose of this answer ([`Checker::gradient`]). `None` where bounds alone decided.
    pub fn gradient<'c>(&self, checker: &'c mut Checker) -> Option<&'c [f64]> {
        checker.gradient(self.pair?, &self.witness?)
    }
}

impl PairAnswer {
    /// [`Answer::gradient`] of this pair.
    pub fn gradient<'c>(&self, checker: &'c mut Checker) -> Option<&'c [f64]> {
        checker.gradient(self.pair, &self.witness?)
    }
}

/// Writes the gradient of the signed distance of two bodies, which has these points, to `gradient`: one
/// number a joint value (metres a radian, or metres a metre).
fn of_pair(pose: &Pose, [a, b]: [BodyId; 2], witness: &Witness, gradient: &mut [f64]) {
    gradient.fill(0.0);
    let kinematics = &pose.world.kinematics;
    let in_cell = |point: Vec3| point - kinematics.origin_in_world;
    let sides = [(in_cell(witness.a), witness.normal), (in_cell(witness.b), -witness.normal)];
    let mut at = [a, b].map(|body| kinematics.places.moving_step(pose.hangs_on(body)?));
    // Parents come before children: the later step is no parent of the other. Once both are the same, the
    // joints above carry both bodies.
    while at[0] != at[1] {
        let side = usize::from(at[1] > at[0]);
        let Some(step) = at[side] else { break };
        let (point, along) = sides[side];
        add(pose, step, point, along, gradient);
        at[side] = match kinematics.parents[step.index()] {
            Parent::Step(above) => Some(above),
            Parent::Root(_) => None,
        };
    }
}

/// Adds how fast a step moves a point of the cell along a direction.
fn add(pose: &Pose, id: StepId, point: Vec3, along: Vec3, gradient: &mut [f64]) {
    let KinematicStep { motion, value, scale, .. } = pose.world.kinematics.steps[id.index()];
    let child = pose.step_at(id).0;
    let arm = point - child.translation;
    // A turn about an axis of the child's frame, which the turn leaves where it is.
    let turn = |axis: Vec3| (child.rotation * axis).cross(arm).dot(along);
    let values = &pose.values()[value..];
    match motion {
        Motion::Fixed => {}
        Motion::TurnX => gradient[value] += scale * turn(Vec3::X),
        Motion::TurnY => gradient[value] += scale * turn(Vec3::Y),
        Motion::TurnZ => gradient[value] += scale * turn(Vec3::Z),
        Motion::Turn(axis) => gradient[value] += scale * turn(axis),
        Motion::Slide(axis) => gradient[value] += scale * (child.rotation * axis).dot(along),
        Motion::Planar { u, v, axis } => {
            // `u` and `v` are those of the joint, before the turn.
            let (sin, cos) = sin_cos(values[2]);
            gradient[value] += (child.rotation * (u * cos - v * sin)).dot(along);
            gradient[value + 1] += (child.rotation * (u * sin + v * cos)).dot(along);
            gradient[value + 2] += turn(axis);
        }
        Motion::Floating => {
            let [w, x, y, z] = [values[3], values[4], values[5], values[6]];
            let joint = Mat3::from_quat_wxyz([w, x, y, z])
                .map_or(child.rotation, |turned| child.rotation * turned.transpose());
            let (v, by_norm) = (Vec3 { x, y, z }, 2.0 / (w * w + x * x + y * y + z * z));
            // A change e of the quaternion q turns the child by 2 Im(e q*) / |q|^2, in the joint's frame.
            let turn = |im: Vec3| (joint * (im * by_norm)).cross(arm).dot(along);
            gradient[value + 3] += turn(-v);
            for (k, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
                gradient[value + k] += (joint * axis).dot(along);
                gradient[value + 4 + k] += turn(axis * w - axis.cross(v));
            }
        }
    }
}
