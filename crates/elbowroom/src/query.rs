//! Search, verdict, batches.

pub mod batch;
pub mod check;
pub mod memory;
pub mod report;
pub mod verdict;
