//! Between poses: how far bodies can move, what they can never reach, and whether a straight way is free.
//!
//! Everything here rests on one inequality. Two bodies are at a signed distance `d` at one configuration.
//! Whatever their joints do until another, if no point of either moves relative to the other by more than
//! `m`, the distance there is at least `d - m`, as long as that is positive. [`reach`] bounds `m` from the
//! joints alone, `lever` from a pose; then [`update`] keeps answers while they still prove something,
//! [`edge`] proves whole motions, [`swept`] and [`prove`] whole ranges of joints.
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
mod plane;
pub(crate) mod prove;
pub(crate) mod ranges;
pub(crate) mod reach;
pub(crate) mod swept;
pub(crate) mod tolerance;
pub(crate) mod update;
pub(crate) mod way;

pub use certificate::{CertificateFault, Piece, verify};
pub use edge::EdgeChecker;
pub use edge_answer::{Edge, EdgeCounts};
pub use edge_options::EdgeOptions;
pub use prove::{Claim, Proof, ProveOptions, Prover};
pub use ranges::{leader_ranges, ranges};
pub use reach::Reach;
pub use swept::{Swept, virtual_link};
pub use update::{Keep, Update};
pub use way::Way;
