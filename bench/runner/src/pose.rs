//! Poses as work files write them.

use elbowroom::math::{Mat3, Transform, vec3};

/// The pose of a rotation, row-major, and a translation (metres).
pub fn pose_transform(x: &[f64; 12]) -> Transform {
    let rotation = Mat3::from_rows([[x[0], x[1], x[2]], [x[3], x[4], x[5]], [x[6], x[7], x[8]]]);
    Transform::new(rotation, vec3(x[9], x[10], x[11]))
}
