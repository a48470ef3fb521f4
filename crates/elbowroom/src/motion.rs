//! Between poses: whether a way is free at every instant, what holds at every pose, and how long an answer
//! stays good. Samples prove none of these: everything here is a bound.
//!
//! | question | who answers |
//! | --- | --- |
//! | Is the way from one pose to another free? | [`EdgeChecker`]; [`verify`] checks its certificate |
//! | What lies between two poses? | [`Way`] |
//! | Can two bodies ever touch, do they always? | [`Prover`]; of what is fixed, quickly, [`Swept`] |
//! | The smallest distance, again and again after small steps? | [`Update`] |
//! | How far does a body get for a change of joint values? | [`MotionBounds`] |
//! | Which values can joints have? | [`ranges`] |
//!
//! ```
//! # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
//! # use example::rod_and_post;
//! use elbowroom::World;
//! use elbowroom::motion::{Edge, EdgeChecker, EdgeOptions};
//!
//! // The rod of the crate's first example, and the post at (0, 1, 0), which it would hit at 1.27.
//! let world = World::compile(&rod_and_post([0.0, 1.0, 0.0]))?;
//! let mut checker = EdgeChecker::new(&world);
//! let options = EdgeOptions::default();
//! for ends in [[-2.0], [0.0], [1.0], [2.0]].windows(2) {
//!     match checker.check([&ends[0], &ends[1]], &options)? {
//!         Edge::Free => println!("{ends:?}: free at every instant"),
//!         Edge::Contact { first, .. } => println!("{ends:?}: contact at {} of the way", first[1]),
//!         Edge::Unknown { at, .. } => println!("{ends:?}: not proved from {} on: stop", at[0]),
//!     }
//! }
//! assert_eq!(checker.check([&[-2.0], &[1.0]], &options)?, Edge::Free);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How
//!
//! Everything here rests on one inequality. Two bodies are at a signed distance `d` at one configuration.
//! Whatever their joints do until another, if no point of either moves relative to the other by more than
//! `m`, the distance there is at least `d - m`, as long as that is positive. [`MotionBounds`] bounds `m` from the
//! joints alone or from a pose; then [`Update`] keeps answers while they still prove something,
//! [`EdgeChecker`] proves whole motions, [`Swept`] and [`Prover`] whole ranges of joints.
//!
//! "Moves relative to": of the joints between two bodies only those on the way from one to the other count.
//! Joints that carry both cancel. Each of the others turns what hangs on its one side against what hangs on
//! its other side, and it is the same to say that either of them moves: the smaller of their two levers
//! counts. Joints are changed one at a time, from B's end of the way to A's. When a joint has its turn, those
//! nearer to A are still as they were, so A's lever is that of the pose; those nearer to B have moved B by
//! what was added up so far, and B's lever has grown by no more.
//!
//! A distance guards against motion in every direction. A plane between the two guards against motion across
//! it alone, and most motion is along it: where the distance does not suffice, the room along one direction
//! is set against the levers along that direction, which tilt as the joints turn.

mod around;
mod ask;
mod certificate;
mod domain;
pub(crate) mod edge;
pub(crate) mod edge_answer;
pub(crate) mod edge_options;
pub(crate) mod floors;
mod lever;
pub(crate) mod motion_bounds;
mod plane;
pub(crate) mod prove;
pub(crate) mod ranges;
pub(crate) mod swept;
pub(crate) mod tolerance;
pub(crate) mod update;
pub(crate) mod way;

pub use crate::bounds::Ball;
pub use certificate::{CertificateFault, Piece, verify};
pub use edge::EdgeChecker;
pub use edge_answer::{Edge, EdgeCounts};
pub use edge_options::EdgeOptions;
pub use motion_bounds::MotionBounds;
pub use prove::{Claim, Proof, ProveOptions, Prover};
pub use ranges::ranges;
pub use swept::{Swept, virtual_link};
pub use update::{Keep, Update};
pub use way::Way;
