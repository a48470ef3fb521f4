//! Vectors, rotations and rigid transforms in f64.
//!
//! Plain structs with public fields. Every operation is a fixed sequence of additions, multiplications,
//! divisions and square roots (no fused operations, no platform `libm`), so the same input gives the same
//! bits in debug and release and on every target.

mod vec3;

pub use vec3::{Mat3, Transform, Vec3, sin_cos, sqrt, vec3};
pub(crate) use vec3::{round_down, round_up, sqrt_f32};
