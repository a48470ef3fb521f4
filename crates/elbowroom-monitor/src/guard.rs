//! The guard: it judges each state of the arms, and says whether they may go on, and how fast.
//!
//! A step takes one state. It asks, in this order:
//!
//! 1. Can the state be believed, and does each arm report in time (`joints`)?
//! 2. Are positions, velocities, accelerations, efforts and currents within their limits (`joints`)?
//! 3. What may the arms pass until they rest, if they are told to stop only when the next state is due, or is
//!    noticed to be late ([`crate::stopping`])? Is it clear of all that the task does not mean to touch, and slow where it does
//!    (`clear`, `parts`, [`crate::roles`])?
//! 4. How fast may they go on, looking farther ahead (`clear`)?
//!
//! A step allocates nothing, cannot fail, and takes no time from a clock: the same states and events give the
//! same commands, to the bit. Its work is bounded: questions about ranges ask at most
//! [`RangeOptions::work`](elbowroom::motion::RangeOptions::work) pairs again, and there are at most twice six
//! of them and a few. [`Command::work`] tells how much it was.
//!
//! Silence is a fault too, and the guard has no clock: whoever runs it calls [`Guard::step_without`] when
//! [`GuardDescription::late`] has passed since the last state.
//!
//! A fault of what is measured latches: the arms stay stopped until [`Event::Reset`]. A stop for a pair of
//! bodies ends when all is clear again, unless the description says otherwise.

mod changed;
mod clear;
mod command;
mod description;
mod event;
mod joints;
mod parts;
mod snapshot;
mod state;
mod steps;
mod twin;

pub use command::{Action, Category, Command, Kind, REASONS, Reason, StepWork};
pub use description::{
    ArmDescription, GuardDescription, JointDescription, Limit, ObjectDescription, PeopleDescription,
    Reaction, SpeedLimit,
};
pub use event::{Event, Refusal};
pub use snapshot::SnapshotFault;
pub use state::State;
pub use steps::Guard;
pub use twin::agreed;
