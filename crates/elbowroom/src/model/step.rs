//! A step from parent to child: how a joint moves the child, and what rounding may do to that.
//!
//! ```text
//! child_in_cell = parent_in_cell * joint_in_parent * motion(value)
//! ```
//!
//! The bounds on rounding are derived in [`elbowroom_pair::numeric::tolerance`], under "Rounding of poses".

use crate::model::id::{BodyId, StepId};
use elbowroom_describe::math::{Mat3, Transform, Vec3, sin_cos};
use elbowroom_pair::numeric::pose_error::PoseError;
use elbowroom_pair::numeric::tolerance::{
    AXIS_ROTATION_ERROR, MOTION_ROTATION_ERROR, PRODUCT_ROTATION_ERROR, SHIFT_PER_TRAVEL,
};

/// What a step hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parent {
    /// A frame that never moves, by its number.
    Root(u32),
    /// What an earlier step moves.
    Step(StepId),
}

/// How a child moves against its joint frame. Turns about coordinate axes are special cases: most robots have
/// them, and they combine two columns instead of multiplying two matrices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Motion {
    Fixed,
    TurnX,
    TurnY,
    TurnZ,
    /// About a unit axis.
    Turn(Vec3),
    /// Along a unit axis.
    Slide(Vec3),
    /// Along `u` and `v`, then about `axis`; the three are orthonormal. Three values.
    Planar {
        u: Vec3,
        v: Vec3,
        axis: Vec3,
    },
    /// Seven values: x, y, z and a quaternion w, x, y, z.
    Floating,
}

/// A joint, or the attachment of a held obstacle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KinematicStep {
    pub parent: BodyId,
    pub child: BodyId,
    pub joint_in_parent: Transform,
    /// False if `joint_in_parent` has the identity as its rotation.
    pub turned: bool,
    pub motion: Motion,
    /// Index of its first value.
    pub value: usize,
    /// A motion of one value moves by `scale * value + offset`. That has the rule of a mimic and the sign of
    /// a negative axis.
    pub scale: f64,
    pub offset: f64,
    /// The rounding of that rule is at most `rounding * (|scale * value| + rounding_offset)`. Both are zero
    /// unless the joint is a mimic.
    pub rounding: f64,
    pub rounding_offset: f64,
    /// Defect of the rotation of `joint_in_parent`: its distance from the nearest rotation.
    pub defect: f64,
}

impl Motion {
    /// The directions of a planar joint: of its x, of its y, and the axis that it turns about.
    pub fn plane(&self) -> Option<[Vec3; 3]> {
        let Motion::Planar { u, v, axis } = *self else { return None };
        Some([u, v, axis])
    }
}

impl KinematicStep {
    /// The angle of a turn about an axis (radians); `None` for other motions.
    #[inline(always)]
    pub fn turn_angle(&self, values: &[f64]) -> Option<f64> {
        match self.motion {
            Motion::TurnX | Motion::TurnY | Motion::TurnZ | Motion::Turn(_) => {
                Some(self.scale * values[self.value] + self.offset)
            }
            Motion::Fixed | Motion::Slide(_) | Motion::Planar { .. } | Motion::Floating => None,
        }
    }

    /// The child's frame from its parent's.
    #[inline]
    pub fn child_frame(&self, parent: &Transform, values: &[f64]) -> Transform {
        self.child_frame_by_sines(parent, values, self.turn_angle(values).map_or((0.0, 1.0), sin_cos))
    }

    /// The child's frame from its parent's, with the sine and cosine of [`KinematicStep::turn_angle`].
    /// Motions without that angle use neither.
    #[inline]
    pub fn child_frame_by_sines(&self, parent: &Transform, values: &[f64], (s, c): (f64, f64)) -> Transform {
        let mut frame = if self.turned {
            *parent * self.joint_in_parent
        } else {
            Transform::new(parent.rotation, parent.point(self.joint_in_parent.translation))
        };
        let [x, y, z] = frame.rotation.cols;
        match self.motion {
            Motion::Fixed => {}
            Motion::TurnX => frame.rotation.cols = [x, y * c + z * s, z * c - y * s],
            Motion::TurnY => frame.rotation.cols = [x * c - z * s, y, z * c + x * s],
            Motion::TurnZ => frame.rotation.cols = [x * c + y * s, y * c - x * s, z],
            Motion::Turn(axis) => frame.rotation = frame.rotation * Mat3::from_axis_sines(axis, (s, c)),
            Motion::Slide(axis) => {
                let amount = self.scale * values[self.value] + self.offset;
                frame.translation += frame.rotation * (axis * amount);
            }
            Motion::Planar { u, v, axis } => {
                frame.translation += frame.rotation * (u * values[self.value] + v * values[self.value + 1]);
                let turn = Mat3::from_axis_angle(axis, values[self.value + 2]);
                frame.rotation = frame.rotation * turn;
            }
            Motion::Floating => {
                let q = &values[self.value..self.value + 7];
                frame.translation += frame.rotation * Vec3 { x: q[0], y: q[1], z: q[2] };
                let turn = Mat3::from_quat_wxyz([q[3], q[4], q[5], q[6]]).unwrap_or(Mat3::IDENTITY);
                frame.rotation = frame.rotation * turn;
            }
        }
        frame
    }

    /// The error of the child's pose from its parent's. `size(i)` bounds the absolute value of value `i`.
    pub fn child_pose_error(&self, parent: PoseError, size: impl Fn(usize) -> f64) -> PoseError {
        self.error_in(parent, size, 1.0)
    }

    /// The error of the child's pose from its parent's, in arithmetic that rounds `unit` times as much as
    /// f64. `size(i)` bounds the absolute value of value `i`.
    pub fn error_in(&self, parent: PoseError, size: impl Fn(usize) -> f64, unit: f64) -> PoseError {
        // How far the motion travels, and what a mimic's rule adds to the errors.
        let (mut travel, mut turn, mut shift) = (0.0, 0.0, 0.0);
        let rule = |size: f64| self.rounding * (self.scale.abs() * size + self.rounding_offset);
        match self.motion {
            Motion::Fixed => {}
            Motion::TurnX | Motion::TurnY | Motion::TurnZ | Motion::Turn(_) => {
                let general = matches!(self.motion, Motion::Turn(_));
                turn = unit * if general { MOTION_ROTATION_ERROR } else { AXIS_ROTATION_ERROR };
                if self.rounding > 0.0 {
                    // An error e of the angle changes the rotation by at most sqrt 2 e (Frobenius norm).
                    turn += 1.5 * rule(size(self.value));
                }
            }
            Motion::Slide(_) => {
                travel = self.scale.abs() * size(self.value) + self.offset.abs();
                shift = if self.rounding > 0.0 { rule(size(self.value)) } else { 0.0 };
            }
            Motion::Planar { .. } => {
                travel = size(self.value) + size(self.value + 1);
                turn = unit * MOTION_ROTATION_ERROR;
            }
            Motion::Floating => {
                travel = size(self.value) + size(self.value + 1) + size(self.value + 2);
                turn = unit * MOTION_ROTATION_ERROR;
            }
        }
        let arm = self.joint_in_parent.translation.norm() + travel;
        if self.turned {
            turn += unit * PRODUCT_ROTATION_ERROR;
        }
        let error = parent.compose_frame_in(arm, self.defect + turn, unit);
        PoseError { shift: error.shift + shift + (self.defect + unit * SHIFT_PER_TRAVEL) * travel, ..error }
    }
}
