//! Proved clearances between the parts of robots and their cells.
#![no_std]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod analytic;
mod certify;
pub mod describe;
mod gjk;
pub mod hull;
pub mod id;
pub mod math;
pub mod mesh;
pub mod narrow;
mod nonconvex;
mod penetration;
pub mod reference;
pub mod shape;
pub mod shape_compile;
mod simd;
mod support;
pub mod tolerance;
pub mod triangle;
