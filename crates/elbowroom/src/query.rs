//! Search, answer, batches.

pub mod answer;
pub mod asked_world;
pub mod batch;
pub(crate) mod bodies;
mod changes;
pub mod checker;
pub mod cloud;
pub(crate) mod cloud_work;
pub mod counts;
pub(crate) mod crowd_work;
mod gradient;
pub(crate) mod kept_bounds;
pub(crate) mod movable_work;
pub mod owned_checker;
pub mod pad_checker;
pub mod policy;
mod pressed_pads;
pub mod question;
pub(crate) mod resolved;
pub(crate) mod rough_pair;
pub(crate) mod search;
pub(crate) mod tolerance;
pub(crate) mod warm_starts;
pub(crate) mod workspace;
