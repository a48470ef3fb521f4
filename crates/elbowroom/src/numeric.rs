//! The same f64 everywhere, and its rounding; heaps and trees that are made of numbers alone.

pub(crate) mod heap;
pub(crate) mod heap_bytes;
pub(crate) mod layered;
pub mod math;
pub(crate) mod numeral;
pub(crate) mod padded;
pub(crate) mod parallel;
pub(crate) mod pose_error;
pub(crate) mod rigid;
pub(crate) mod simd;
pub mod tolerance;
pub(crate) mod wide;
