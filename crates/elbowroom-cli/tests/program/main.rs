//! The program as its users see it.

use elbowroom_testkit::rng;
#[path = "../support/mod.rs"]
mod support;

mod answer;
mod audit;
mod bake;
mod batches;
mod between;
mod calibrate;
mod changes;
mod distance;
mod doors;
mod enclosed;
mod exits;
mod field;
mod fit_brake;
mod foreign;
mod frames;
mod geometry;
mod ground;
mod hand;
mod held;
mod hints;
mod lanes;
mod manual;
mod marks;
mod monitor;
mod outputs;
mod packages;
mod pads;
mod page;
mod poses;
mod prove;
#[cfg(feature = "mpi")]
mod ranks;
mod rates;
mod schema;
mod seen;
mod spares;
mod splines;
mod sweep;
mod terminal;
mod touch;
mod trajectories;
mod xacro;
mod zero;
