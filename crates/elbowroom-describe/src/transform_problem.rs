//! What is wrong with a transform.

use crate::limits::{MAX_COORDINATE, ROTATION_DEFECT};
use core::fmt;

/// What is wrong with a transform. Displayed, it goes on from whose pose it is: "the pose of ... has a number
/// that is not finite: correct it".
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TransformProblem {
    /// A number is NaN or infinite.
    NotFinite,
    /// A coordinate of the translation is beyond 1e9 m.
    TooFar,
    /// The matrix mirrors or is singular.
    Mirrored,
    /// The matrix is further from a rotation than 1e-9 (Frobenius norm).
    NotARotation {
        /// Its distance from the nearest rotation (Frobenius norm).
        defect: f64,
    },
}

impl fmt::Display for TransformProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TransformProblem::NotFinite => f.write_str("has a number that is not finite: correct it"),
            TransformProblem::TooFar => {
                write!(
                    f,
                    "lies more than {MAX_COORDINATE:e} m from the origin: check its \
                     unit, which is metres"
                )
            }
            TransformProblem::Mirrored => f.write_str(
                "mirrors or flattens: a pose can only rotate and translate, so mirror the vertices of the \
                 shape instead",
            ),
            TransformProblem::NotARotation { defect } => write!(
                f,
                "has a matrix that differs from a rotation by {defect:e}, more than {ROTATION_DEFECT:e}: \
                 give its numbers with more digits"
            ),
        }
    }
}
