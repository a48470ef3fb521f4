//! One shape and its farthest points.

pub mod compile;
pub mod describe;
pub(crate) mod equal;
pub(crate) mod extreme;
pub mod hull;
pub mod mesh;
mod own_hull;
pub(crate) mod plainly;
pub mod solid;
pub(crate) mod support;
pub(crate) mod tolerance;
pub mod triangle;

pub use solid::{Core, Shape};
