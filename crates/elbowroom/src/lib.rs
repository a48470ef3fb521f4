//! Proved clearances between the parts of robots and their cells.
#![cfg_attr(not(feature = "std"), no_std)]
extern crate alloc;

pub mod describe;
pub mod hull;
pub mod id;
pub mod math;
pub mod mesh;
pub mod narrow;
pub mod shape;
pub mod tolerance;
pub mod triangle;
