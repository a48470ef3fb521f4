//! An online guard: it watches the joints of robots, and says whether they may go on, and how fast.
//!
//! * [`guard`]: the guard itself. It proves all that the arms may pass until they rest clear.
//! * [`roles`]: what a task lets touch what, by the roles of tran91 section 2.2: the table.
//! * [`intent`]: the table, held against what the task says it does now: expected, collision or ask.
//! * [`template`]: bodies and the roles of their parts, in the form in which tran91 writes them.
//! * [`stopping`]: where a joint can be until it rests, after haase10 section IV-A.
//! * [`watchdog`]: it acts if a step does not end in time.
//!
//! The guard's source papers are Tran and Bartholomew, "A Collision Detection Algorithm for Telerobotic Arms"
//! (1991; *tran91*), and Haase and Wörn, "Real-time collision detection for intrinsic safety of
//! Multi-fingered SDH-2" (2010; *haase10*).
//!
//! Nothing here reads a file or a socket, and nothing but the watchdog a clock. What a step of a guard calls
//! allocates nothing and cannot fail.

// No input makes a guard panic, and it prints nothing.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice))]
#![cfg_attr(not(test), warn(clippy::indexing_slicing))]
#![warn(clippy::print_stdout, clippy::print_stderr, clippy::missing_errors_doc)]

pub mod fault;
pub mod guard;
pub mod intent;
pub mod limits;
pub mod roles;
pub mod stopping;
pub mod template;
pub mod watchdog;

pub use fault::{Fault, Faults};
pub use guard::{Action, Command, Event, Guard, GuardDescription, State};
pub use intent::{Contact, Intent, Mode, contact_of_parts};
pub use roles::{Arm, Body, Part, Role, ThingKind};
