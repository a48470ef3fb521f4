//! Robots, cells and shapes as plain values, before they are checked and compiled.
//!
//! A [`WorldDescription`] has robots, obstacles, and what is checked between them. Readers of files fill it
//! in, or a program does. Nothing is checked here: the crate `elbowroom` makes a world of it, or lists every
//! [`fault`]. Lengths are metres, angles radians; [`math`] has the vectors and poses, [`limits`] what is
//! accepted. [`examples`] has a small world to try things on.
//!
//! ```
//! use elbowroom_describe::{LinkDescription, PlacedShape, RobotDescription, ShapeDescription};
//! use elbowroom_describe::math::{Transform, vec3};
//!
//! // A base with a post on it, as a URDF would say it.
//! let post = PlacedShape {
//!     name: "post".into(),
//!     shape_in_body: Transform::from_translation(vec3(0.0, 0.0, 0.5)),
//!     shape: ShapeDescription::Cylinder { radius: 0.05, length: 1.0 },
//!     padding: 0.0,
//! };
//! let robot = RobotDescription {
//!     name: "stand".into(),
//!     links: vec![LinkDescription { name: "base".into(), shapes: vec![post] }],
//!     ..RobotDescription::default()
//! };
//! assert_eq!(robot.links[0].shapes[0].name, "post");
//! ```
//!
//! # Features
//!
//! `std` (default) takes square roots from the standard library; without it this crate needs only `alloc`.
//! `mint` and `nalgebra` turn their vectors and poses into ours and back. `serde` reads and writes poses and
//! descriptions.
#![no_std]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
#![warn(clippy::missing_errors_doc)]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod description;
pub mod examples;
pub mod fault;
mod hull_fault;
pub mod limits;
pub mod math;
mod mesh_fault;
mod numeral;
mod pad_fault;
mod shape;
mod shape_fault;
mod transform_problem;

pub use description::{
    AllowedPair, Attachment, BodyGroup, CloudDescription, DisabledPair, DoorDescription, JointDescription,
    JointKind, JointLimits, LinkDescription, LinkGroup, Mimic, NamedState, ObstacleDescription,
    PadDescription, PlacedRobot, PlacedShape, RobotDescription, SpareDescription, WorldDescription,
};
pub use shape::ShapeDescription;
