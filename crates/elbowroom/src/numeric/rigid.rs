//! Which transforms are rigid and of ordinary size, and how far a matrix is from a rotation.

use crate::numeric::math::{Mat3, Transform, sqrt};
use crate::numeric::tolerance::{MAX_COORDINATE, PRODUCT_ROTATION_ERROR, ROTATION_DEFECT};
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

/// The defect of a pose's rotation, or what is wrong with the pose.
#[inline(always)]
pub(crate) fn pose_defect(t: &Transform) -> Result<f64, TransformProblem> {
    if !t.is_finite() {
        return Err(TransformProblem::NotFinite);
    }
    if t.translation.max_abs() > MAX_COORDINATE {
        return Err(TransformProblem::TooFar);
    }
    match rotation_defect(&t.rotation) {
        None => Err(TransformProblem::Mirrored),
        Some(defect) if defect <= ROTATION_DEFECT => Ok(defect),
        Some(defect) => Err(TransformProblem::NotARotation { defect }),
    }
}

/// How far a matrix is from the nearest rotation (Frobenius norm), or `None` for a mirroring or singular one.
/// With singular values s of R: `|s - 1| <= |s² - 1|`, so `|RᵀR - 1|` bounds the distance.
#[inline(always)]
pub(crate) fn rotation_defect(r: &Mat3) -> Option<f64> {
    let [x, y, z] = r.cols;
    let squares = [x.dot(x) - 1.0, y.dot(y) - 1.0, z.dot(z) - 1.0];
    let mixed = [x.dot(y), y.dot(z), z.dot(x)];
    let sum: f64 =
        squares.iter().map(|v| v * v).sum::<f64>() + 2.0 * mixed.iter().map(|v| v * v).sum::<f64>();
    if *r == Mat3::IDENTITY {
        return Some(0.0);
    }
    // The products above are themselves rounded: ten roundings of numbers of size one.
    if r.determinant() > 0.0 { Some(sqrt(sum) + PRODUCT_ROTATION_ERROR) } else { None }
}
