//! The same f64 everywhere, and its rounding.

pub(crate) mod heap;
pub mod math;
pub(crate) mod simd;
pub mod tolerance;
