//! Many poses in one call: tests and smallest distances for planners, which ask thousands.
//!
//! In a test, eight poses go through f32 lanes together: from joint values to capsules to the least bound of
//! the pairs that a test has to ask (`lanes`). A pair is bounded by its capsules; where these do not suffice
//! by its boxes; and at last by planes. All bounds pay for the rounding of f32. A pose is clear if its least
//! bound is beyond the margin. It collides if balls inside two bodies overlap. Every other pose is asked by
//! itself ([`Checker::nearest`](crate::Checker::nearest)), in f64 and with its shapes. So verdicts are those
//! of single poses.
//!
//! Some worlds cannot use lanes: those with floating or planar joints, joints without limits, or crowds of
//! fixed bodies. Their poses are asked one by one by the same calls. A [`Batch`] belongs to one thread;
//! `tests_on_threads` and `nearest_on_threads` have one on each thread (feature `rayon`).

mod eights;
mod fault;
mod gaps;
mod lanes;
mod model;
mod rows;
#[cfg(test)]
mod tests;
#[cfg(feature = "rayon")]
mod threads;

pub use fault::{BatchCounts, BatchFault};
pub use rows::Batch;
#[cfg(feature = "rayon")]
pub use threads::{nearest_on_threads, tests_on_threads};
