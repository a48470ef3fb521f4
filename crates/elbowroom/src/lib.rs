//! Proved clearances between the parts of robots and their cells.
//!
//! Three steps, one way. A description (plain values, [`describe`]) is compiled into a [`World`], or every
//! fault in it is listed. A [`Checker`] holds all that moves; setting it to joint values either succeeds or
//! refuses. Then it is asked a [`Question`], and what it answers is a proved [`Interval`] and its
//! [`Verdict`]; that cannot fail.
//!
//! ```
//! use elbowroom::{Checker, Question, Verdict, World};
//! use elbowroom::describe::*;
//! use elbowroom::math::{Transform, Vec3, vec3};
//!
//! // A ball on the end of a rod of one metre that turns about z, and a post that it can hit.
//! let ball = |x: f64, radius: f64| PlacedShape {
//!     name: String::new(),
//!     shape_in_body: Transform::from_translation(vec3(x, 0.0, 0.0)),
//!     shape: ShapeDescription::Sphere { radius },
//!     padding: 0.0,
//! };
//! let robot = RobotDescription {
//!     name: "rod".into(),
//!     links: vec![
//!         LinkDescription { name: "base".into(), shapes: vec![] },
//!         LinkDescription { name: "arm".into(), shapes: vec![ball(1.0, 0.1)] },
//!     ],
//!     joints: vec![JointDescription {
//!         name: "turn".into(),
//!         kind: JointKind::Revolute,
//!         parent: "base".into(),
//!         child: "arm".into(),
//!         joint_in_parent: Transform::IDENTITY,
//!         axis: Vec3::Z,
//!         limits: Some(JointLimits { lower: -2.0, upper: 2.0 }),
//!         mimic: None,
//!     }],
//!     ..RobotDescription::default()
//! };
//! let post = ObstacleDescription {
//!     name: "post".into(),
//!     pose: Transform::from_translation(vec3(0.0, 1.0, 0.0)),
//!     shapes: vec![ball(0.0, 0.2)],
//!     attached_to: None,
//! };
//! let description = WorldDescription {
//!     robots: vec![PlacedRobot { name: "rod".into(), base_in_world: Transform::IDENTITY, robot }],
//!     obstacles: vec![post],
//!     margin: 0.01,
//!     ..WorldDescription::default()
//! };
//!
//! let world = World::compile(&description).expect("no faults");
//! let mut checker = Checker::new(&world);
//! checker.set(&[0.0]).expect("within limits");
//! let answer = checker.nearest(&Question::distance());
//! assert_eq!(answer.verdict, Verdict::Clear);
//! assert!(answer.interval.contains(2.0_f64.sqrt() - 0.3));
//! assert_eq!(world.pair_names(answer.pair.unwrap()), Some(["rod/arm", "world/post"]));
//! assert!(answer.witness.unwrap().vector().norm() > 1.1, "from the second body to the first");
//!
//! checker.set(&[1.5]).expect("within limits");
//! assert_eq!(checker.nearest(&Question::test()).verdict, Verdict::Collision);
//! assert!(checker.set(&[2.5]).is_err(), "values outside limits are refused, never clamped");
//! ```
#![no_std]
// No input makes the engine panic.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;
// What the tests share speaks of the engine as its users do.
#[cfg(test)]
extern crate self as elbowroom;

mod model;
pub mod motion;
mod numeric;
pub mod pair;
pub mod pose;
mod query;

pub use model::describe;
pub use model::fault::CompileFaults as Faults;
pub use model::id::PairId;
pub use model::world::World;
pub use numeric::math;
pub use pair::{Geometry, Interval, Verdict};
pub use query::answer::{Answer, PairAnswer};
pub use query::batch::Batch;
pub use query::checker::Checker;
pub use query::counts::Counts;
pub use query::question::Question;

/// Many poses in one call, on one thread or on all.
pub mod batch {
    pub use crate::query::batch::*;
}

/// What is wrong with a description, and how numbers are written in messages.
pub mod fault {
    pub use crate::model::fault::*;
}

/// What a [`World`] holds: bodies, joints, limits, groups, and which pairs are checked and why.
pub mod world {
    pub use crate::model::checked::CheckedPairs;
    pub use crate::model::groups::CollisionGroup;
    pub use crate::model::id::{BodyId, BodyPair, GroupId, RobotId, ShapeId};
    pub use crate::model::kinematics::{Follows, Joint, Robot, ValueLimits};
    pub use crate::model::pairs::{AllowedReason, PairStatus};
    pub use crate::model::solids::{Body, BodyShape};
    pub use crate::query::memory::Memory;
}

// What follows is for the project's own laboratory, bench and tests. It may change with every version.
#[doc(hidden)]
pub mod bounds;
#[doc(hidden)]
pub mod shape;

/// Triangle meshes and the proved distance of two of them.
#[doc(hidden)]
pub mod mesh {
    pub use crate::pair::mesh::{MeshCounts, MeshGap, MeshQuery, MeshScratch, MeshWarm, Relation, distance};
    pub use crate::shape::mesh::*;
}

/// Every number that decides something, with its unit and where it comes from.
#[doc(hidden)]
pub mod tolerance {
    pub use crate::bounds::tolerance::*;
    pub use crate::model::tolerance::*;
    pub use crate::motion::tolerance::*;
    pub use crate::numeric::tolerance::*;
    pub use crate::pair::tolerance::*;
    pub use crate::pose::tolerance::*;
    pub use crate::query::tolerance::*;
    pub use crate::shape::tolerance::*;
}

#[cfg(test)]
#[path = "../tests/support/bent.rs"]
mod bent;
#[cfg(all(test, feature = "std"))]
#[path = "../tests/support/data.rs"]
mod data;
#[cfg(test)]
#[path = "../tests/support/rng.rs"]
mod rng;
#[cfg(test)]
#[path = "../tests/support/slow.rs"]
mod slow;
