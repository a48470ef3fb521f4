//! From joint values to the frames of bodies; which values are refused, and why.
//!
//! A pose is one row of values (radians, metres) in the order of
//! [`World::dof_names`](crate::World::dof_names). [`Checker::set`](crate::Checker::set) accepts it or
//! refuses it. A refusal names every value that is wrong, and the checker stays at its pose. Values are never
//! clamped.
//!
//! ```
//! use elbowroom::describe::examples::rod_and_post;
//! use elbowroom::pose::{PoseFault, SetOptions, ValueProblem};
//! use elbowroom::{Checker, World};
//!
//! // The rod of the crate's first example: one joint, within two radians.
//! let world = World::compile(&rod_and_post())?;
//! let mut checker = Checker::new(&world);
//! let refused = checker.set(&[2.5]).expect_err("beyond its limit");
//! assert_eq!(refused.to_string(), "`rod/turn` is 2.5, outside its limits -2 to 2");
//! let PoseFault::Values(values) = &refused else { panic!("{refused}") };
//! assert_eq!(values[0].problem, ValueProblem::OutOfLimits { lower: -2.0, upper: 2.0 });
//! assert_eq!(checker.set(&[]), Err(PoseFault::WrongCount { expected: 1, given: 0 }));
//! assert!(checker.set(&[f64::NAN]).is_err());
//!
//! // Values beyond limits are accepted on request; NaN never is.
//! checker.set_with(&[2.5], SetOptions { ignore_limits: true })?;
//! assert_eq!(checker.values(), [2.5]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod allowed_now;
pub(crate) mod change_fault;
pub(crate) mod changes;
pub(crate) mod cloud_points;
pub(crate) mod clouds;
pub(crate) mod fault;
pub(crate) mod frames;
pub(crate) mod kinematics;
pub(crate) mod movable_boxes;
pub(crate) mod pairs_now;
pub(crate) mod placements;
mod put;
pub(crate) mod queries;
pub(crate) mod spare;
pub(crate) mod spares;
pub(crate) mod tolerance;

pub use crate::model::spare::{SpareFault, SpareShape};
pub use change_fault::ChangeFault;
pub use fault::{PoseFault, SetOptions, ValueFault, ValueProblem};
