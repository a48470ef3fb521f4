//! Proved clearances of robots: between their links, and to the obstacles of their cells.
//!
//! There are three steps. A description (plain values, [`describe`]) is compiled into a [`World`], or every
//! fault in it is listed. A [`Checker`] has a pose in this world; it accepts joint values or refuses them.
//! Then it answers a [`Question`] with a proved [`Interval`] and its [`Verdict`]; that cannot fail.
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
//!     movable: false,
//! };
//! let description = WorldDescription {
//!     robots: vec![PlacedRobot { name: "rod".into(), base_in_world: Transform::IDENTITY, robot }],
//!     obstacles: vec![post],
//!     margin: 0.01,
//!     ..WorldDescription::default()
//! };
//! assert_eq!(description, examples::rod_and_post(), "other examples take it from there");
//!
//! let world = World::compile(&description).expect("no faults");
//! let mut checker = Checker::new(&world);
//! checker.set(&[0.0]).expect("within limits");
//! let answer = checker.ask(&Question::distance());
//! assert_eq!(answer.verdict, Verdict::Clear);
//! assert!(answer.interval.contains(2.0_f64.sqrt() - 0.3));
//! assert_eq!(world.pair_names(answer.pair.unwrap()), Some(["rod/arm", "world/post"]));
//! assert!(answer.witness.unwrap().vector().norm() > 1.1, "from the second body to the first");
//!
//! checker.set(&[1.5]).expect("within limits");
//! assert_eq!(checker.ask(&Question::test()).verdict, Verdict::Collision);
//! assert!(checker.set(&[2.5]).is_err(), "values outside limits are refused, never clamped");
//! ```
//!
//! # The tour
//!
//! 1. [`describe`]: robots, obstacles, and what is checked between them, as plain values. The crate
//!    `elbowroom-files` reads them from URDF, SRDF and world files. What is wrong with them: [`fault`]. The
//!    world of the examples: [`describe::examples`].
//! 2. [`World`]: a description, compiled; one for all threads. [`world`] has its contents: bodies, joints,
//!    limits, and which pairs are checked and why the others are not.
//! 3. [`Checker`], one for each thread: it is set to joint values, and refuses those that are not a
//!    configuration ([`pose`]). It answers a [`Question`] with an [`Answer`]: an [`Interval`] that is proved
//!    to contain the distance, and the [`Verdict`] that follows. A margin, and what meshes count as, are a
//!    [`Policy`], here and in [`motion`].
//! 4. [`batch`]: thousands of poses in one call.
//! 5. [`motion`]: the motion between two poses at every instant, with a certificate; what holds at every
//!    pose.
//! 6. [`pair`]: two shapes without a world. [`math`]: vectors, rotations, rigid transforms.
//!
//! # Units and frames
//!
//! Metres and radians everywhere. `b_in_a` is the pose of frame B in frame A: it maps coordinates in B to
//! coordinates in A. Points and directions in answers about a world are in the world frame. Joint values are
//! one flat row in the order of [`World::dof_names`].
//!
//! # Features
//!
//! `std` (default) chooses SIMD code at run time. Without it the engine needs only `alloc`. `rayon` (default)
//! compiles worlds and runs batches on all threads; worlds and answers are the same without it.
//!
//! `mint` and `nalgebra` turn their vectors and poses into ours and back. `serde` writes and reads poses and
//! descriptions, and writes answers: what is read from a file is not proved, so an answer is never read.
#![no_std]
// No input makes the engine panic, and what is refused is documented.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
#![warn(clippy::missing_errors_doc)]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;
// Code that all tests share names the engine as its users do.
#[cfg(test)]
extern crate self as elbowroom;

pub mod bounds;
mod model;
pub mod motion;
mod numeric;
pub mod pose;
mod query;

pub use elbowroom_describe::fault::Faults;
#[doc(inline)]
pub use elbowroom_describe::math;
#[doc(inline)]
pub use elbowroom_pair as pair;
#[doc(inline)]
pub use elbowroom_pair::{Geometry, Interval, Verdict};
pub use model::id::PairId;
pub use model::world::World;
pub use query::answer::{Answer, PairAnswer};
pub use query::batch::Batch;
pub use query::checker::Checker;
pub use query::counts::Counts;
pub use query::owned_checker::OwnedChecker;
pub use query::pad_checker::{PadChecker, PadPress};
pub use query::policy::Policy;
pub use query::question::Question;

pub mod batch {
    //! Many poses in one call, on one thread or on all: for planners, which ask thousands.
    //!
    //! [`Batch::test`] returns a verdict for each pose, and [`Batch::ask`] an answer for each. Both run on
    //! the calling thread; [`test_on_threads`] and [`ask_on_threads`] use all threads. Verdicts are those of
    //! single poses, whatever the number of threads. Poses are rows of joint values in one array.
    //!
    //! ```
    //! use elbowroom::batch::{BatchFault, ask_on_threads, test_on_threads};
    //! use elbowroom::describe::examples::rod_and_post;
    //! use elbowroom::{Answer, Question, Verdict, World};
    //!
    //! // The rod of the crate's first example, and the post at (0, 1, 0): one joint value a pose.
    //! let world = World::compile(&rod_and_post())?;
    //! let rows: Vec<f64> = (0..1000).map(|i| f64::from(i) * 0.002 - 1.0).collect();
    //! let mut verdicts = vec![Verdict::Unknown; 1000];
    //! let counts = test_on_threads(&world, &rows, &Question::test(), &mut verdicts)?;
    //! assert_eq!((counts.poses, verdicts[0]), (1000, Verdict::Clear));
    //!
    //! let mut answers = vec![Answer::default(); 1000];
    //! ask_on_threads(&world, &rows, &Question::distance(), &mut answers)?;
    //! assert!(answers.iter().all(|answer| answer.interval.lower > 0.25));
    //!
    //! // Rows that are not configurations are named; all others have their answers.
    //! let refused = test_on_threads(&world, &[9.0, 0.0], &Question::test(), &mut verdicts[..2]);
    //! let Err(BatchFault::Poses { first, count: 1 }) = refused else { panic!("{refused:?}") };
    //! assert_eq!((first[0].0, verdicts[1]), (0, Verdict::Clear));
    //! # Ok::<(), Box<dyn std::error::Error>>(())
    //! ```
    pub use crate::query::batch::*;
}

pub mod describe {
    //! Robots, obstacles and worlds as plain values, before they are checked and compiled.
    //!
    //! Readers of files fill these in, or a program does; [`World::compile`](crate::World::compile) makes a
    //! world of them or lists every fault. Nothing is checked here: the compiler does that. Lengths are
    //! metres, angles radians.
    //!
    //! ```
    //! use elbowroom::World;
    //! use elbowroom::describe::*;
    //! use elbowroom::math::{Transform, Vec3, vec3};
    //!
    //! let boxed = |name: &str, size: [f64; 3]| LinkDescription {
    //!     name: name.into(),
    //!     shapes: vec![PlacedShape {
    //!         name: String::new(),
    //!         shape_in_body: Transform::IDENTITY,
    //!         shape: ShapeDescription::Box { size },
    //!         padding: 0.0,
    //!     }],
    //! };
    //! // A finger slides on the palm, to 4 cm; the other follows it.
    //! let finger = |name: &str, child: &str, axis: Vec3, mimic: Option<Mimic>| JointDescription {
    //!     name: name.into(),
    //!     kind: JointKind::Prismatic,
    //!     parent: "palm".into(),
    //!     child: child.into(),
    //!     joint_in_parent: Transform::from_xyz_rpy([0.0, 0.0, 0.1], [0.0; 3]),
    //!     axis,
    //!     limits: Some(JointLimits { lower: 0.0, upper: 0.04 }),
    //!     mimic,
    //! };
    //! let follows = Mimic { joint: "open".into(), multiplier: 1.0, offset: 0.0 };
    //! let links = ["left", "right"].map(String::from);
    //! let gripper = RobotDescription {
    //!     name: "gripper".into(),
    //!     links: vec![
    //!         boxed("palm", [0.2, 0.06, 0.1]),
    //!         boxed("left", [0.01, 0.02, 0.06]),
    //!         boxed("right", [0.01, 0.02, 0.06]),
    //!     ],
    //!     joints: vec![
    //!         finger("open", "left", Vec3::X, None),
    //!         finger("other", "right", -Vec3::X, Some(follows)),
    //!     ],
    //!     // What an SRDF says, if there is one.
    //!     disabled_pairs: vec![DisabledPair {
    //!         link_a: "left".into(),
    //!         link_b: "palm".into(),
    //!         reason: "Adjacent".into(),
    //!     }],
    //!     groups: vec![LinkGroup { name: "fingers".into(), links: links.to_vec() }],
    //!     states: vec![NamedState {
    //!         name: "wide".into(),
    //!         group: "fingers".into(),
    //!         values: vec![("open".into(), vec![0.04])],
    //!     }],
    //! };
    //! let obstacle = |name: &str, at: Vec3, attached_to: Option<Attachment>| ObstacleDescription {
    //!     name: name.into(),
    //!     pose: Transform::from_translation(at),
    //!     shapes: boxed("", [0.05; 3]).shapes,
    //!     attached_to,
    //!     movable: false,
    //! };
    //! // The workpiece is in the hand: it moves with the palm, and may touch the fingers.
    //! let touch = links.map(|link| format!("gripper/{link}")).to_vec();
    //! let held = Attachment { body: "gripper/palm".into(), touch };
    //! let cell = WorldDescription {
    //!     robots: vec![PlacedRobot {
    //!         name: "gripper".into(),
    //!         base_in_world: Transform::IDENTITY,
    //!         robot: gripper,
    //!     }],
    //!     obstacles: vec![
    //!         obstacle("workpiece", vec3(0.0, 0.0, 0.1), Some(held)),
    //!         obstacle("crate", vec3(0.0, 0.0, 0.3), None),
    //!         obstacle("lamp", vec3(0.5, 0.0, 0.0), None),
    //!     ],
    //!     groups: vec![BodyGroup { name: "soft".into(), members: vec!["world/lamp".into()] }],
    //!     allowed: vec![AllowedPair { a: "soft".into(), b: "*".into(), reason: "it gives way".into() }],
    //!     margin: 0.01,
    //!     ..WorldDescription::default()
    //! };
    //! let world = World::compile(&cell)?;
    //! assert_eq!(world.dof_names(), ["gripper/open"]);
    //! let names = |id: elbowroom::world::BodyId| &*world.bodies()[id.index()].name;
    //! let checked: Vec<_> = world.pairs().iter().map(|pair| [names(pair.a), names(pair.b)]).collect();
    //! assert!(checked.contains(&["gripper/left", "gripper/right"]));
    //! assert!(!checked.contains(&["gripper/left", "world/lamp"]), "the description allows this pair");
    //! # Ok::<(), elbowroom::Faults>(())
    //! ```
    pub use elbowroom_describe::*;
}

pub mod fault {
    //! What is wrong with a description, and how numbers are written in messages.
    //!
    //! [`World::compile`](crate::World::compile) looks for every fault before it refuses.
    //! [`Faults`], also at the crate's root, is that list: displayed it is one fault a line, each with a name
    //! and what to do; programs match on [`CompileFault`].
    //!
    //! ```
    //! use elbowroom::World;
    //! use elbowroom::describe::examples::rod_and_post;
    //! use elbowroom::fault::{CompileFault, TransformProblem};
    //!
    //! let mut description = rod_and_post();
    //! description.margin = -0.01;
    //! description.obstacles[0].pose.translation.x = f64::NAN;
    //! description.checks.push(["rod/arm".into(), "world/pots".into()]);
    //! let faults = World::compile(&description).expect_err("there are three");
    //! for fault in &faults {
    //!     println!("{fault}");
    //! }
    //! assert_eq!(faults.len(), 3);
    //! let problem = TransformProblem::NotFinite;
    //! let pose = CompileFault::BadTransform { of: "obstacle `post`".into(), problem };
    //! assert!(faults.iter().any(|fault| *fault == pose), "and the margin, and a check of `pots`");
    //! ```
    pub use elbowroom_describe::fault::*;
}

pub mod world {
    //! What a [`World`](crate::World) holds: bodies, joints, limits, groups, and which pairs are checked.
    //!
    //! Everything has a dense number (an id) and a full name: `robot/link`, `robot/joint`, `world/obstacle`.
    //! Answers have numbers, the world has the names. [`World::status`](crate::World::status) says whether
    //! two bodies are checked, and if not, why.
    //!
    //! ```
    //! use elbowroom::describe::AllowedPair;
    //! use elbowroom::describe::examples::rod_and_post;
    //! use elbowroom::world::{AllowedReason, BodyPair, PairStatus};
    //! use elbowroom::{PairId, World};
    //!
    //! // The rod of the crate's first example, and the post at (0, 1, 0).
    //! let mut description = rod_and_post();
    //! let world = World::compile(&description)?;
    //! let names: Vec<&str> = world.bodies().iter().map(|body| &*body.name).collect();
    //! assert_eq!(names, ["rod/base", "rod/arm", "world/post"]);
    //! let (joint, limits) = (&world.joints()[0], &world.limits()[0]);
    //! assert_eq!((&*joint.name, joint.values.clone()), ("rod/turn", 0..1));
    //! assert_eq!((limits.lower, limits.upper), (-2.0, 2.0));
    //! let arm = &world.bodies()[joint.child.index()];
    //! let shape = &world.shapes()[arm.shapes.start as usize];
    //! assert_eq!(shape.shape_in_body().translation.x, 1.0, "metres, in the frame of the arm");
    //! assert_eq!(&world.robots()[arm.robot.expect("a link").index()].name, "rod");
    //!
    //! // Of three pairs of bodies one is checked: the base has no shapes.
    //! for (a, b, status) in world.all_pairs() {
    //!     let [a, b] = [a, b].map(|id| &world.bodies()[id.index()].name);
    //!     match status {
    //!         PairStatus::Checked(pair) => println!("{a} - {b}: checked, number {}", pair.0),
    //!         PairStatus::Allowed(reason) => println!("{a} - {b}: allowed, {reason}"),
    //!     }
    //! }
    //! let numbered = |name| world.body_by_name(name).expect(name);
    //! let [base, arm, post] = ["rod/base", "rod/arm", "world/post"].map(numbered);
    //! assert_eq!(world.status(arm, post), Some(PairStatus::Checked(PairId(0))));
    //! assert_eq!(world.status(base, post), Some(PairStatus::Allowed(AllowedReason::NoShapes)));
    //! assert_eq!(world.pairs().get(PairId(0)), Some(BodyPair { a: arm, b: post }));
    //! assert_eq!(world.can_move(arm), Some(true));
    //!
    //! // A description can allow a pair, and gives a reason.
    //! let [a, b] = ["rod/arm", "world/post"].map(String::from);
    //! description.allowed.push(AllowedPair { a, b, reason: "the post gives way".into() });
    //! let world = World::compile(&description)?;
    //! let reason = AllowedReason::User("the post gives way");
    //! assert_eq!(world.status(arm, post), Some(PairStatus::Allowed(reason)));
    //! # Ok::<(), Box<dyn std::error::Error>>(())
    //! ```
    pub use crate::model::body::Body;
    pub use crate::model::checked_pairs::CheckedPairs;
    pub use crate::model::groups::CollisionGroup;
    pub use crate::model::id::{BodyId, BodyPair, GroupId, RobotId, ShapeId};
    pub use crate::model::kinematics::{Follows, Joint, Robot, ValueLimits};
    pub use crate::model::name::Name;
    pub use crate::model::pads::Pad;
    pub use crate::model::pairs::{AllowedReason, PairStatus};
    pub use crate::model::solids::BodyShape;
    pub use crate::numeric::layered::Layered;
    pub use crate::query::asked_world::AskedWorld;
}

pub mod cloud {
    //! Clouds of points and the proved distance of posed shapes to them, without a world.
    pub use crate::bounds::{PointFault, PointTree};
    pub use crate::query::cloud::*;
}

pub mod tolerance {
    //! Every number that decides something about a world, with its unit and where it comes from. Those of two
    //! shapes are in [`pair::tolerance`](crate::pair::tolerance).
    pub use crate::bounds::tolerance::*;
    pub use crate::model::tolerance::*;
    pub use crate::motion::tolerance::*;
    pub use crate::pose::tolerance::*;
    pub use crate::query::tolerance::*;
}

#[cfg(test)]
#[path = "../../elbowroom-testkit/src/bent.rs"]
mod bent;
#[cfg(test)]
#[path = "../../elbowroom-testkit/src/counting.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod counting;
#[cfg(test)]
#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;
#[cfg(test)]
#[path = "../../elbowroom-testkit/src/fits.rs"]
mod fits;
#[cfg(test)]
#[path = "../../elbowroom-testkit/src/rng.rs"]
mod rng;
#[cfg(test)]
#[path = "../../elbowroom-reference/src/engine.rs"]
mod slow;
#[cfg(test)]
mod tally;
