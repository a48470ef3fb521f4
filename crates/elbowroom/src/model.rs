//! The compiled robots and their cell.

pub mod checked;
pub mod compile;
pub mod describe;
pub mod fault;
pub(crate) mod fixed;
pub mod groups;
pub mod id;
pub(crate) mod joints;
pub mod pairs;
pub(crate) mod select;
pub(crate) mod step;
pub(crate) mod tolerance;
pub(crate) mod values;
pub mod world;
