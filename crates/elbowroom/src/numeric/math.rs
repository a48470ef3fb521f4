//! Vectors, rotations and rigid transforms in f64.
//!
//! Plain structs with public fields. Every operation is a fixed sequence of additions, multiplications,
//! divisions and square roots (no fused operations, no platform `libm`), so the same input gives the same
//! bits in debug and release and on every target.

mod mat3;
mod scalar;
mod transform;
mod vec3;

pub use mat3::Mat3;
pub(crate) use scalar::{round_down, round_up, sqrt_f32};
pub use scalar::{sin_cos, sqrt};
pub use transform::Transform;
pub use vec3::{Vec3, vec3};
