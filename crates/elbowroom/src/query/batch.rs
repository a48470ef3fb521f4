//! Many poses in one call: tests and smallest distances of a planner's thousands.
//!
//! Eight poses go through f32 lanes together: joint values to capsules to the least bound of the pairs that a
//! test has to look at (`lanes`): by capsules, by boxes where those do not part them, by planes where boxes
//! do not. A pose whose least bound, less all that f32 may be off by, is beyond the margin is clear; one in
//! which balls inside two bodies overlap collides. Every other one is asked by itself
//! ([`Checker::nearest`](crate::Checker::nearest)), in f64 and with its shapes. So lanes only prune, and
//! verdicts are those of single poses.
//!
//! Where lanes are no help (floating and planar joints, joints without limits, obstacles by the crowd), poses
//! are asked one by one; the call is the same. A [`Batch`] belongs to one thread; `tests_on_threads` and
//! `nearest_on_threads` have one on each (feature `rayon`).

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
