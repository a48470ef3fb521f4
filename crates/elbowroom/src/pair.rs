//! The proved distance of two shapes, without any world: for who has bodies and poses of their own.
//!
//! A [`Shape`] is made once of a description. [`clearance()`] takes the pose of the second in the first's
//! frame; [`posed::clearance`] takes both poses in the world, and accounts for their rounding. A [`Query`]
//! says how much is wanted, [`Stop`] why the search ended.
//!
//! ```
//! use elbowroom::describe::ShapeDescription;
//! use elbowroom::math::{Transform, vec3};
//! use elbowroom::pair::{Query, Scratch, Shape, Warm, clearance};
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

pub(crate) mod aligned;
pub(crate) mod analytic;
pub(crate) mod certify;
pub(crate) mod claim;
pub(crate) mod clearance;
pub(crate) mod convex;
pub(crate) mod cores;
pub(crate) mod depth;
pub(crate) mod farthest;
pub(crate) mod geometry;
pub(crate) mod gjk;
pub(crate) mod interval;
pub(crate) mod mesh;
pub(crate) mod narrow;
pub(crate) mod nonconvex;
pub(crate) mod penetration;
pub mod posed;
pub(crate) mod scratch;
pub(crate) mod shape_pair;
pub(crate) mod simplex;
pub(crate) mod tolerance;
pub(crate) mod verdict;
pub(crate) mod witness;

pub use crate::shape::compile::ShapeFault;
pub use crate::shape::hull::HullFault;
pub use crate::shape::mesh::MeshFault;
pub use crate::shape::solid::Shape;
pub use clearance::{Ask, Clearance, Effort, Query, Stop};
pub use geometry::Geometry;
pub use interval::Interval;
pub use narrow::clearance;
pub use scratch::{Scratch, Warm};
pub use verdict::Verdict;
pub use witness::Witness;
