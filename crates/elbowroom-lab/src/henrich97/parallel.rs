//! henrich97, section 3: the best-first search on several processors.
//!
//! Every processor holds the whole cell, moves its own copy of the robot, and has an open list of its own.
//! The first, the *master*, begins with the root. Each expands the best node of its list. Who needs nodes
//! asks another for them, drawn at random, the master more often; nobody is sent nodes that it did not ask
//! for. A token that runs through all processors in a ring finds out that all are done: [`protocol`] has the
//! rules, and what the paper leaves open about them.
//!
//! The rules are written once ([`Worker`]) over a [`Transport`]: threads and channels ([`threads`]), a
//! network in virtual time with the costs of the paper's machine ([`network`]), and MPI (`mpi`, with the
//! feature of that name).
//!
//! What the paper does not say is a [`Policy`]: how much heavier the master weighs, how many nodes a reply
//! holds and which, how long an empty reply makes wait. [`Policy::paper`] keeps every processor's bounds to
//! itself, as the paper does; [`Policy::shared`] tells them to all at once and hands out better nodes.
//!
//! The answer is the sequential one. Of [`Stop::Distance`](super::Stop::Distance) it is the same number,
//! since the distance of a pair of polytopes does not depend on who computes it or when; of
//! [`Stop::Test`](super::Stop::Test) it is the same verdict. The distances that test and weak distance tell
//! are bounds that depend on the order in which nodes were expanded: no polytopes are nearer.

mod experiment;
pub mod message;
#[cfg(feature = "mpi")]
pub mod mpi;
pub mod network;
pub mod policy;
pub mod protocol;
mod report;
pub mod threads;
pub mod transport;
pub mod worker;

pub use experiment::{ParallelOptions, ParallelReport, ParallelRow, ThreadRow, TriedPolicy, run};
pub use policy::{HandOut, Policy};
pub use transport::{Lost, Transport};
pub use worker::{Messages, Turn, Worker};
