//! Many poses in one call: tests and smallest distances for planners, which ask thousands.
//!
//! In a test, poses go through f32 lanes, some hundred at a time (`sieve`): all are placed, and pair by pair
//! they are bounded by capsules, boxes and planes, and looked at for points inside both bodies. Bounds pay
//! for the rounding of f32. Pose by pose, fixed shapes in crowds are looked for in their tree (`crowds`).
//! What no bound decides are single pairs of single poses. These are asked exactly, in f64 and with their
//! shapes, by the search of [`Checker::ask`](crate::Checker::ask). So verdicts are those of single
//! poses.
//!
//! Some worlds cannot use lanes: those with floating or planar joints, joints without limits, or movable
//! bodies. Their poses are asked one by one by the same calls. A [`Batch`] belongs to one thread;
//! `test_on_threads` and `ask_on_threads` have one on each thread (feature `rayon`).

mod chunk;
mod crowds;
mod eights;
mod fault;
mod gaps;
mod lanes;
mod model;
mod planes;
mod points;
mod rows;
mod sieve;
#[cfg(test)]
mod tests;
#[cfg(feature = "rayon")]
mod threads;
mod vicinity;

pub use fault::{BatchCounts, BatchFault};
pub use rows::Batch;
#[cfg(feature = "rayon")]
pub use threads::{ask_on_threads, test_on_threads};
pub(crate) use vicinity::Vicinities;
