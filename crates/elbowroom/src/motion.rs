//! Between poses: whether a motion is free at every instant, what holds at every pose, and how long an answer
//! stays valid. Samples prove none of these, so everything here is a bound.
//!
//! | question | who answers |
//! | --- | --- |
//! | Is the way from one pose to another free? | [`MotionChecker::check_edge`]; [`verify`] checks it |
//! | Is a spline free, with all that follows it within a tolerance? | [`MotionChecker::check_spline`] |
//! | How fast does a spline go? How far out? | [`SplinePiece::find_rate_peak`], [`SplinePiece::find_swing`] |
//! | Which of many ways are free, quickly? | [`MotionChecker::sieve_edges`] |
//! | Do pairs stay apart wherever each joint is in a range of its own? | [`MotionChecker::check_ranges`] |
//! | What lies between two poses? | [`Way`] |
//! | Can two bodies ever touch, or do they always? | [`Prover`]; quickly of fixed bodies [`bounds::Swept`] |
//! | Where do two bodies collide, by the one, two or three joints between them? | [`Prover::field`] |
//! | How far can a body move for a change of joint values? | [`bounds::MotionBounds`] |
//! | Which values can joints have? | [`ranges()`] |
//!
//! ```
//! use elbowroom::World;
//! use elbowroom::describe::examples::rod_and_post;
//! use elbowroom::motion::{Edge, EdgeOptions, MotionChecker};
//!
//! // The rod of the crate's first example, and the post at (0, 1, 0), which it would hit at 1.27.
//! let world = World::compile(&rod_and_post())?;
//! let mut checker = MotionChecker::new(&world);
//! let options = EdgeOptions::default();
//! for ends in [[-2.0], [0.0], [1.0], [2.0]].windows(2) {
//!     match checker.check_edge([&ends[0], &ends[1]], &options)? {
//!         Edge::Free => println!("{ends:?}: free at every instant"),
//!         Edge::Contact { first, .. } => println!("{ends:?}: contact at {} of the way", first[1]),
//!         Edge::Unknown { at, .. } => println!("{ends:?}: not proved from {} on: stop", at[0]),
//!     }
//! }
//! assert_eq!(checker.check_edge([&[-2.0], &[1.0]], &options)?, Edge::Free);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How
//!
//! Everything here rests on one inequality. Two bodies have a signed distance `d` at one configuration. From
//! there to another configuration, no point of either moves relative to the other by more than `m`. Then the
//! distance at the other is at least `d - m`, as long as that is positive. [`bounds::MotionBounds`] bounds
//! `m`, from the joints alone or from a pose. [`MotionChecker`] proves whole motions, [`bounds::Swept`] and
//! [`Prover`] whole ranges of joints.
//!
//! Only the joints between the two bodies count: joints that carry both do not move them relative to each
//! other. Such a joint turns what hangs on its one side against what hangs on its other side. Either side may
//! be taken as the one that moves, so the smaller of the two lever arms counts. Joints are changed one at a
//! time, from B's end of the chain to A's. When a joint is changed, those nearer to A are still unchanged, so
//! A's lever arm is that of the pose. Those nearer to B have moved B by the sum so far, so B's lever arm has
//! grown by at most that sum.
//!
//! A distance guards against motion in every direction. A plane between the two bodies guards only against
//! motion across it, and most motion is along it. So where the distance does not suffice, the gap along one
//! direction is compared with the motion along that direction, which tilts as the joints turn.
//!
//! Of a straight motion more is known: what a shape sweeps as another sees it. A convex body bounds that, and
//! the two are proved apart on a whole interval at once, mesh or not, part by part, each with the plane that
//! suits it. So what slides along a gap, or turns in one, costs the same however narrow the gap is.

mod around;
mod asker;
mod certificate;
pub(crate) mod compile;
mod course;
mod deepest;
mod domain;
pub(crate) mod edge;
pub(crate) mod edge_answer;
mod edge_is_free;
pub(crate) mod edge_options;
mod edge_pairs;
mod edge_progress;
mod edge_search;
mod edge_sieve;
mod edit;
mod field;
mod field_line;
mod field_search;
mod lever;
pub(crate) mod motion_bounds;
mod motion_checker;
mod passing;
mod plane;
mod polynomial;
pub(crate) mod proof;
pub(crate) mod prove;
mod range_answer;
mod range_search;
pub(crate) mod ranges;
mod route;
mod route_bounds;
mod speed;
mod spline;
mod spline_check;
mod spline_fault;
mod spline_peak;
pub(crate) mod swept;
mod swing;
#[cfg(test)]
mod tests;
pub(crate) mod tolerance;
mod trail;
mod trail_search;
pub(crate) mod way;

pub use crate::bounds::Ball;
pub use certificate::{CertificateFault, Piece, verify, verify_spline};
pub use edge_answer::{Doubt, Edge, EdgeCounts, EdgeSoFar};
pub use edge_options::{EdgeAsk, EdgeOptions};
pub use edge_pairs::EdgePairs;
pub use edit::WorldEdit;
pub use field::{Field, FieldFault, FieldJoint, FieldState};
pub use field_line::{FieldLine, LineAxis, LineErrors};
pub use field_search::FieldOptions;
pub use motion_checker::MotionChecker;
pub use proof::{Claim, Proof, ProveOptions};
pub use prove::Prover;
pub use range_answer::{OpenPair, PairWork, RangeAnswer, RangeCounts, RangeOptions};
pub use ranges::ranges;
pub use spline::SplinePiece;
pub use spline_fault::{SplineFault, SplineProblem, SplineValueFault};
pub use spline_peak::SplinePeak;
pub use way::Way;

pub mod bounds {
    //! What the proofs rest on, for who builds proofs of their own.
    pub use super::motion_bounds::MotionBounds;
    pub use super::swept::Swept;
}
