//! Search, verdict, batches.

pub mod batch;
pub mod check;
pub mod checker;
pub(crate) mod crowd_work;
mod group_motion;
pub mod memory;
pub(crate) mod options;
pub mod report;
pub(crate) mod tolerance;
pub mod verdict;
