//! The proved distance of two shapes, without any world: for who has bodies and poses of their own.
//!
//! A [`Shape`] is made once of a description. [`clearance()`] takes the pose of the second in the first's
//! frame; [`posed::clearance`] takes both poses in the world, and accounts for their rounding. A [`Query`]
//! says how much is wanted, [`Stop`] why the search ended.
//!
//! ```
//! use elbowroom_pair::describe::ShapeDescription;
//! use elbowroom_pair::math::{Transform, vec3};
//! use elbowroom_pair::{Query, Scratch, Shape, Warm, clearance};
//!
//! let ball = Shape::new(&ShapeDescription::Sphere { radius: 0.5 }, 0.0)?;
//! let cube = Shape::new(&ShapeDescription::Box { size: [2.0; 3] }, 0.0)?;
//! let cube_in_ball = Transform::from_translation(vec3(0.0, 0.0, 3.0));
//! let (mut warm, mut scratch) = (Warm::default(), Scratch::default());
//! let c = clearance(&ball, &cube, &cube_in_ball, &Query::default(), &mut warm, &mut scratch);
//! assert!(c.interval.contains(1.5) && c.interval.width() < 1e-12);
//! assert!((c.witness_a.z - 0.5).abs() < 1e-12, "the point of the ball, in its frame");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Warm`] keeps what the last query of a pair left: the next one of the same pair is quicker. [`Scratch`]
//! is work space, one a thread.
//!
//! # Features
//!
//! `std` (default) chooses SIMD code at run time; without it this crate needs only `alloc`. `rayon` compiles
//! hulls and meshes on all threads; they are the same without it. `serde` writes intervals and verdicts.
#![no_std]
// No input makes this crate panic, and what is refused is documented.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
#![warn(clippy::missing_errors_doc)]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;
// Code that all tests share names its crate as the engine's users do.
#[cfg(test)]
extern crate self as elbowroom;

pub mod numeric;
mod pair;
pub mod shape;

pub mod mesh {
    //! Triangle meshes and the proved distance of two of them.
    pub use crate::pair::mesh::*;
    pub use crate::shape::mesh::*;
}

#[doc(inline)]
pub use elbowroom_describe as describe;
#[doc(inline)]
pub use elbowroom_describe::fault::{HullFault, MeshFault, ShapeFault};
#[doc(inline)]
pub use elbowroom_describe::math;
pub use pair::clearance::{Ask, Clearance, Effort, Query, Stop};
pub use pair::geometry::Geometry;
pub use pair::interval::Interval;
pub use pair::narrow::clearance;
pub use pair::posed::distance;
pub use pair::scratch::{Scratch, Warm};
pub use pair::verdict::Verdict;
pub use pair::witness::Witness;
pub use pair::{aligned, certify, cores, farthest, gjk, posed, shape_pair, tolerance};
pub use shape::solid::Shape;

#[cfg(test)]
#[path = "../../elbowroom-testkit/src/bent.rs"]
mod bent;
#[cfg(all(test, feature = "std"))]
#[path = "../../elbowroom-testkit/src/data.rs"]
mod data;
#[cfg(test)]
#[path = "../../elbowroom-testkit/src/rng.rs"]
mod rng;
#[cfg(test)]
#[path = "../../elbowroom-reference/src/engine.rs"]
mod slow;
