//! Which transforms are rigid and of ordinary size, and how far a matrix is from a rotation.

use crate::numeric::tolerance::PRODUCT_ROTATION_ERROR;
pub use elbowroom_describe::fault::TransformProblem;
use elbowroom_describe::limits::{MAX_COORDINATE, ROTATION_DEFECT};
use elbowroom_describe::math::{Mat3, Transform, sqrt};

/// The defect of a pose's rotation.
///
/// # Errors
/// What is wrong with the pose.
#[inline(always)]
pub fn pose_defect(t: &Transform) -> Result<f64, TransformProblem> {
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
pub fn rotation_defect(r: &Mat3) -> Option<f64> {
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
