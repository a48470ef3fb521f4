//! One shape and its farthest points.

pub mod compile;
pub mod drawn_back;
pub mod equal;
pub mod extreme;
pub mod hull;
pub mod mesh;
mod own_hull;
pub mod plainly;
pub mod solid;
pub mod support;
pub mod tolerance;
pub mod triangle;

pub use solid::{Core, Shape};
