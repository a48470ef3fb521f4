//! Search, verdict, batches.

pub mod batch;
pub mod check;
pub mod checker;
pub(crate) mod crowd_work;
mod group_motion;
pub mod memory;
pub mod report;
pub mod verdict;
