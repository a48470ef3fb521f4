//! Bounds on the rounding of a pose, and of two poses relative to each other. [`crate::numeric::tolerance`]
//! derives them, under "Rounding of poses".

use crate::numeric::tolerance::{ERROR_FACTOR, PRODUCT_ROTATION_ERROR, SHIFT_PER_DISTANCE, SHIFT_PER_OFFSET};
use elbowroom_describe::math::Transform;

/// How far a computed pose may be from the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoseError {
    /// Error of the rotation (Frobenius norm).
    pub rotation: f64,
    /// Error of the translation (metres).
    pub shift: f64,
    /// Bound on the distance of the frame's origin from the cell's (metres).
    pub distance: f64,
}

impl PoseError {
    /// The error of a given pose, whose matrix has a defect, at a distance from the cell's origin.
    pub fn of_placement(distance: f64, defect: f64) -> PoseError {
        PoseError { rotation: defect, shift: SHIFT_PER_DISTANCE * distance, distance }
    }

    /// The error of `pose * frame`, where the frame's origin lies `arm` away (metres). `rotation` is the
    /// error of the frame's rotation and of the product.
    pub fn compose_frame(&self, arm: f64, rotation: f64) -> PoseError {
        self.compose_frame_in(arm, rotation, 1.0)
    }

    /// The error of `pose * frame`, where the frame's origin lies `arm` away (metres) and one rounding is
    /// `unit` times that of f64. `rotation` is the error of the frame's rotation and of the product.
    pub fn compose_frame_in(&self, arm: f64, rotation: f64, unit: f64) -> PoseError {
        let distance = self.distance + arm;
        let rounding = unit * (SHIFT_PER_OFFSET * arm + SHIFT_PER_DISTANCE * distance);
        let shift = self.shift + self.rotation * arm + rounding;
        PoseError { rotation: self.rotation + rotation, shift, distance }
    }

    /// Error of the computed image of a point that lies `arm` away from the frame's origin (metres).
    pub fn of_point(&self, arm: f64) -> f64 {
        self.of_point_in(arm, 1.0)
    }

    /// Error of the computed image of a point that lies `arm` away from the frame's origin (metres), where
    /// one rounding of the image is `unit` times that of f64.
    pub fn of_point_in(&self, arm: f64, unit: f64) -> f64 {
        let rounding = unit * (SHIFT_PER_OFFSET * arm + SHIFT_PER_DISTANCE * (self.distance + arm));
        ERROR_FACTOR * (self.shift + self.rotation * arm + rounding)
    }
}

/// How far apart the true and the computed shape B may be in A's frame (metres), after
/// [`Transform::relative`]. `b_size` bounds the distance of B's points from its origin; `b_in_a` is the
/// computed relative pose.
///
/// With true poses `R_a, t_a` and `R_b, t_b` a point `p` of B belongs at `R_aᵀ (R_b p + t_b - t_a)`. So the
/// error of A's rotation acts on `p` and on the vector between the frames, that of B's rotation on `p`, and
/// both shifts act fully.
pub(crate) fn relative_error(a: &PoseError, b: &PoseError, b_size: f64, b_in_a: &Transform) -> f64 {
    let t = b_in_a.translation;
    let apart = t.x.abs() + t.y.abs() + t.z.abs();
    let on_points = (a.rotation + b.rotation + PRODUCT_ROTATION_ERROR) * b_size;
    ERROR_FACTOR * (a.shift + b.shift + on_points + (a.rotation + SHIFT_PER_OFFSET) * apart)
}
