//! What rounding did to a pose, and to two poses relative to each other. Derived in
//! [`crate::numeric::tolerance`], under "Rounding of poses".

use crate::numeric::math::Transform;
use crate::numeric::tolerance::{ERROR_FACTOR, SHIFT_PER_OFFSET, SHIFT_PER_REACH, TURN_OF_PRODUCT};

/// Bounds on what rounding did to a pose; see [`crate::numeric::tolerance`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PoseError {
    /// Of the rotation (Frobenius norm).
    pub turn: f64,
    /// Of the translation (metres).
    pub shift: f64,
    /// Bound on the length of the translation (metres).
    pub reach: f64,
}

impl PoseError {
    /// Of a pose that is given: a matrix with a defect, at a distance from the cell's origin.
    pub fn of_placement(distance: f64, defect: f64) -> PoseError {
        PoseError { turn: defect, shift: SHIFT_PER_REACH * distance, reach: distance }
    }

    /// Of `pose * frame`, where the frame lies `arm` away; `turn` is what its rotation and the product are
    /// off by.
    pub fn then(&self, arm: f64, turn: f64) -> PoseError {
        self.then_in(arm, turn, 1.0)
    }

    pub fn then_in(&self, arm: f64, turn: f64, unit: f64) -> PoseError {
        let reach = self.reach + arm;
        let rounding = unit * (SHIFT_PER_OFFSET * arm + SHIFT_PER_REACH * reach);
        PoseError { turn: self.turn + turn, shift: self.shift + self.turn * arm + rounding, reach }
    }

    /// How far the computed image of a point `arm` away from the frame's origin may be off (metres).
    pub fn of_point(&self, arm: f64) -> f64 {
        self.of_point_in(arm, 1.0)
    }

    /// The same where its image is rounded so many times as much as f64.
    pub fn of_point_in(&self, arm: f64, unit: f64) -> f64 {
        let rounding = unit * (SHIFT_PER_OFFSET * arm + SHIFT_PER_REACH * (self.reach + arm));
        ERROR_FACTOR * (self.shift + self.turn * arm + rounding)
    }
}

/// How far apart the true and the computed shape B may be in A's frame (metres), after
/// [`Transform::relative`]: with true poses `R_a, t_a` and `R_b, t_b` a point `p` of B belongs at `R_aᵀ (R_b
/// p + t_b - t_a)`, so A's turn acts on `p` and on the way between the frames, B's on `p`, and both shifts
/// fully. `b_size` bounds `|p|`; `b_in_a` is the computed relative pose.
pub(crate) fn relative_error(a: &PoseError, b: &PoseError, b_size: f64, b_in_a: &Transform) -> f64 {
    let t = b_in_a.translation;
    let apart = t.x.abs() + t.y.abs() + t.z.abs();
    let on_points = (a.turn + b.turn + TURN_OF_PRODUCT) * b_size;
    ERROR_FACTOR * (a.shift + b.shift + on_points + (a.turn + SHIFT_PER_OFFSET) * apart)
}
