//! henrich97, section 3: the best-first search on several processors.
//!
//! Every processor holds the whole cell, moves its own copy of the robot, and has an open list of its own.
//! The first, the *master*, begins with the root. Each expands the best node of its list. A processor that
//! needs nodes asks another one, drawn at random; the master is drawn more often. No processor gets nodes
//! that it did not ask for. A token that runs through all processors in a ring shows when the search is over:
//! [`protocol`] has the rules, and what the paper leaves open.
//!
//! The rules are written once ([`Worker`]) over a [`Transport`]: threads and channels ([`threads`]), a
//! network in virtual time with the costs of the paper's machine ([`network`]), and MPI (`mpi`, with the
//! feature of that name).
//!
//! A [`Policy`] has what the paper does not say: the weight of the master, how many nodes a reply holds and
//! which, the pause after an empty reply, and when the token goes. With [`Policy::from_paper`] each processor
//! keeps its bounds to itself, as in the paper. With [`Policy::with_shared_bounds`] it tells them to all, and
//! hands out better nodes.
//!
//! The answer is the sequential one. With [`Stop::Distance`](super::Stop::Distance) it is the same number,
//! because the distance of two polytopes does not depend on who computes it, or when. With
//! [`Stop::Test`](super::Stop::Test) it is the same verdict. The distances of test and weak distance are
//! lower bounds, which depend on the order in which nodes were expanded.

mod experiment;
pub mod message;
#[cfg(feature = "mpi")]
pub mod mpi;
pub mod network;
pub mod policy;
pub mod protocol;
mod report;
mod scenes;
mod sweep;
pub mod task;
pub mod tasks;
pub mod threads;
pub mod transport;
pub mod worker;

pub use experiment::{ParallelOptions, ParallelReport, ParallelRow, ThreadRow, run};
pub use policy::{HandOut, Policy};
pub use protocol::Resume;
pub use scenes::{CELLS, Objects, PAPER_WBK1000_US, experiment_cells};
pub use sweep::TriedPolicy;
pub use task::{SearchTask, Team, TeamRun};
pub use transport::{Lost, Transport};
pub use worker::{Messages, Turn, Worker};
