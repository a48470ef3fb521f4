//! Proved clearances of one fixed world on a microcontroller: no heap, no dependency, f32 arithmetic.
//!
//! `elbowroom bake` writes a [`BakedWorld`] as constants. [`BakedWorld::test`] says of joint values that
//! nothing comes nearer than the margin, or that this is not proved; [`BakedWorld::lower_bound`] says how far
//! everything is apart at least. Both prove less than the engine, never more: each pair of bodies has a bound
//! on what rounding to f32 can do, and that is taken off every distance ([`tolerance`]).
//!
//! No function panics, loops without end, or allocates. All arithmetic is `+ - * /` of f32, so every machine
//! with IEEE 754 arithmetic gives the same bits.
//!
//! ```
//! use elbowroom_baked::*;
//!
//! // A ball of 0.1 m at the end of an arm of 1 m that turns about z, and a ball at (0, 1, 0).
//! let turn = BakedJoint {
//!     parent: 0, value: 0, kind: JointMotion::Turn, scale: 1.0, offset: 0.0,
//!     axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], origin: [0.0; 3],
//! };
//! let ball = |center: [f32; 3]| BakedShape {
//!     core: Core::Point, center, axes: [[0.0; 3]; 3], radius: 0.1, ball: 0.1,
//! };
//! let body = |frame: u16, first: u16, center: [f32; 3]| BakedBody {
//!     frame, first, count: 1, center, ball: 0.1,
//! };
//! let world = BakedWorld {
//!     fingerprint: 1,
//!     margin: 0.01,
//!     limits: &[[-2.0, 2.0]],
//!     joints: &[turn],
//!     bodies: &[body(1, 0, [1.0, 0.0, 0.0]), body(0, 1, [0.0, 1.0, 0.0])],
//!     shapes: &[ball([1.0, 0.0, 0.0]), ball([0.0, 1.0, 0.0])],
//!     vertices: &[],
//!     pairs: &[BakedPair { a: 0, b: 1, error: 1e-5, enough: 0.01002, floor: -1.0 }],
//! };
//! let mut scratch = Scratch::<1, 2>::new();
//! assert_eq!(world.test(&[0.0], &mut scratch), Verdict::Clear);
//! assert_eq!(world.test(&[1.5], &mut scratch), Verdict::NotClear { pair: 0 });
//! assert_eq!(world.test(&[2.1], &mut scratch), Verdict::Fault, "2.1 is outside the limits");
//! let bound = world.lower_bound(&[0.0], &mut scratch).expect("values within limits");
//! assert!((bound.metres - 1.2142).abs() < 1e-3 && bound.pair == 0);
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
#[cfg(test)]
extern crate std;

mod answer;
mod arithmetic;
mod frames;
mod gap;
mod simplex;
mod support;
pub mod tolerance;
mod world;

pub use answer::{LowerBound, Verdict};
pub use arithmetic::{root, sine_cosine};
pub use frames::Scratch;
pub use world::{BakedBody, BakedJoint, BakedPair, BakedShape, BakedWorld, Core, JointMotion};
