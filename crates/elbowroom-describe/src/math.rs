//! Vectors, rotations and rigid transforms in f64.
//!
//! Plain structs with public fields. Every operation is a fixed sequence of additions, multiplications,
//! divisions and square roots (no fused operations, no platform `libm`), so the same input gives the same
//! bits in debug and release and on every target.
//!
//! A pose is named by two frames: `b_in_a` maps coordinates in frame B to coordinates in frame A.
//!
//! ```
//! use elbowroom_describe::math::{Mat3, Transform, Vec3, sin_cos, sqrt, vec3};
//! use std::f64::consts::FRAC_PI_2;
//!
//! // A camera a metre above the base, turned a quarter about z (metres, radians).
//! let camera_in_base = Transform::from_xyz_rpy([0.0, 0.0, 1.0], [0.0, 0.0, FRAC_PI_2]);
//! let in_base = camera_in_base.point(vec3(0.5, 0.0, 0.0));
//! assert!((in_base - vec3(0.0, 0.5, 1.0)).norm() < 1e-15);
//!
//! // The base is two metres from the world's origin: poses compose from the outside in.
//! let base_in_world = Transform::from_translation(Vec3::X * 2.0);
//! let camera_in_world = base_in_world * camera_in_base;
//! assert_eq!(camera_in_world.inverse().point(camera_in_world.translation), Vec3::ZERO);
//! assert_eq!(base_in_world.relative(&camera_in_world), camera_in_base);
//!
//! let turned = Mat3::from_axis_angle(Vec3::Z, FRAC_PI_2) * Vec3::X;
//! assert!((turned - Vec3::Y).norm() < 1e-15);
//! let (sine, cosine) = sin_cos(0.3);
//! assert!((sqrt(sine * sine + cosine * cosine) - 1.0).abs() < 1e-15);
//! ```

mod hash;
mod mat3;
#[cfg(feature = "mint")]
mod mint;
#[cfg(feature = "nalgebra")]
mod nalgebra;
mod random;
mod scalar;
mod transform;
mod vec3;

pub use hash::hash_bytes;
pub use mat3::Mat3;
#[cfg(feature = "mint")]
pub use mint::NotHomogeneous;
pub use random::Random;
pub use scalar::{round_down, round_up, sin_cos, sqrt, sqrt_f32};
pub use transform::Transform;
pub use vec3::{Vec3, vec3};
