//! The guard: it judges each state of the arms, and says whether they may go on, and how fast.
//!
//! A step takes one state. It asks, in this order:
//!
//! 1. Can the state be believed, and does each arm report in time (`joints`)?
//! 2. Are positions, velocities, accelerations, efforts and currents within their limits (`joints`)?
//! 3. What may the arms pass until they rest, if they are told to stop only when the next state is due, or is
//!    noticed to be late ([`crate::stopping`])? Is it clear of all that the task does not mean to touch, and
//!    slow where it does (`clear`, `parts`, [`crate::roles`])?
//! 4. How fast may they go on, looking farther ahead (`clear`)?
//!
//! A step allocates nothing, cannot fail, and takes no time from a clock: the same states and events give the
//! same commands, to the bit. Its work is bounded: there are at most forty questions about ranges, half of
//! them about people, and each asks at most [`RangeOptions::work`](elbowroom::motion::RangeOptions::work)
//! pairs again. Of two bodies at most four more are asked for each pair that may meet (256 pairs), and three
//! for each speed limit. Where a pad could be touched there are at most twice as many questions about ranges.
//! [`Command::work`] tells how many it were.
//!
//! Silence is a fault too, and the guard has no clock: whoever runs it calls [`Guard::step_without`] when
//! [`GuardDescription::late`] has passed since the last state.
//!
//! ```
//! use elbowroom::World;
//! use elbowroom::describe::examples::rod_and_post;
//! use elbowroom::world::RobotId;
//! use elbowroom_monitor::guard::{
//!     Action, ArmDescription, Guard, GuardDescription, JointDescription, Limit, State,
//! };
//! use elbowroom_monitor::stopping::{Brake, Profile, Range, Stopping};
//!
//! // A rod of 1.1 m that turns about z, and a post at (0, 1, 0), which it would hit at 1.27 rad.
//! let world = World::compile(&rod_and_post())?;
//! let profile = Profile::Ramp { acceleration: Range::exactly(2.0), speed: Range::exactly(1.0) };
//! let brake = Brake::Deceleration(Range { least: 4.0, most: 8.0 });
//! let joint = JointDescription {
//!     position: [-2.0, 2.0],
//!     position_error: 1e-4,
//!     velocity_error: 1e-3,
//!     velocity: Limit::stop_beyond(1.0),
//!     acceleration: Limit::stop_beyond(10.0),
//!     effort: Limit::NONE,
//!     current: Limit::NONE,
//!     stopping: Stopping::new(profile, brake, Range { least: 0.0, most: 0.008 })?,
//! };
//! let mut description = GuardDescription::new(&world, 0.01);
//! description.arms = vec![ArmDescription { robot: RobotId(0), end_effector: vec![], joints: vec![joint] }];
//! let mut guard = Guard::new(&world, &description)?;
//!
//! // It turns at 0.8 rad/s. At 0.5 rad all is clear; at 1.2 it could not stop before the post any more.
//! let mut actions = Vec::new();
//! for k in 0..90 {
//!     let t = 0.01 * f64::from(k);
//!     let (q, v) = ([0.5 + 0.8 * t], [0.8]);
//!     let command = guard.step(&State { velocities: Some(&v), ..State::new(t, &q) });
//!     if command.action == Action::Stop && !actions.contains(&Action::Stop) {
//!         println!("stop at {} rad: {:?}", q[0], command.reasons().next().map(|reason| reason.kind));
//!     }
//!     actions.push(command.action);
//! }
//! assert_eq!((actions[0], actions[89]), (Action::Permit, Action::Stop));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A fault of what is measured latches: the arms stay stopped until [`Event::Reset`]. A stop for a pair of
//! bodies ends when all is clear again, unless the description says otherwise.

mod asked;
mod braking;
mod changed;
mod clear;
mod command;
mod description;
mod event;
mod fastest;
mod forces;
mod joints;
mod kept;
mod limit;
mod limit_pace;
mod now;
mod padded;
mod parts;
mod people;
mod reach;
mod refusal;
mod self_test;
mod snapshot;
mod speeds;
mod standing;
mod state;
mod step_work;
mod steps;
mod track;
mod twin;

pub use command::{Action, Category, Command, REASONS, Reason, ReasonKind};
pub use description::{
    ArmDescription, GuardDescription, JointDescription, ObjectDescription, PeopleDescription,
};
pub use event::Event;
pub use limit::{Limit, Reaction, SpeedLimit};
pub use refusal::Refusal;
pub use self_test::self_test;
pub use snapshot::SnapshotFault;
pub use state::State;
pub use step_work::StepWork;
pub use steps::Guard;
pub use twin::{Disagreement, agreed_command, compare_outcomes};
