//! Arithmetic in f64, equal on all machines, and its rounding; heaps and lanes. What the searches stand on.

pub mod heap;
pub mod parallel;
pub mod pose_error;
pub mod rigid;
pub mod simd;
pub mod tolerance;
pub mod wide;
