//! Search, verdict, batches.

pub mod answer;
pub mod batch;
pub mod check;
pub mod check_work;
pub mod checker;
pub(crate) mod crowd_work;
mod group_motion;
pub mod interval;
pub mod memory;
pub(crate) mod options;
pub mod question;
pub mod report;
pub(crate) mod tolerance;
pub mod verdict;
