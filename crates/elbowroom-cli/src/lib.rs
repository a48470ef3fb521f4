//! The program `elbowroom`: questions on the command line, proved answers on standard output.
//!
//! Standard output carries the answer alone; warnings, faults, progress and the last line's summary go to
//! standard error. Exit codes: 0 answered; 1 answered, and something collides or could not be proved; 2
//! refused.

// Faults are told and not thrown, and what is printed goes through `out`.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod answer;
mod arguments;
mod at;
mod audit;
mod bench;
mod changes;
mod check;
mod continuous;
mod distance;
mod fit_brake;
mod hint;
mod info;
mod least;
mod limits;
mod load;
mod monitor;
mod motion;
mod out;
mod page;
mod pairs;
mod placed;
mod progress;
mod prove;
mod replay;
mod reproduce;
mod seen;
#[path = "../../elbowroom/tests/support/slow.rs"]
mod slow;
mod stream;
mod summary;
mod twin;
mod units;
mod worst_moments;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Proved clearances for robots: every distance is an interval that is checked.
#[derive(Parser)]
#[command(
    name = "elbowroom",
    version,
    after_help = "Lengths in metres, angles in radians. Exit codes: 0 answered; \
    1 something collides or could not be proved; 2 refused, with every fault on standard error. Files are \
    written as FILE.incomplete and renamed when they are complete."
)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// How far a robot is from touching, at every pose of a motion
    Check(Box<check::arguments::Arguments>),
    /// Signed distances of pairs of shapes, one JSON case a line
    Distance(distance::Arguments),
    /// What was read: joints in the order of values, links and shapes, SRDF groups and states, packages,
    /// warnings
    Info(info::Arguments),
    /// Each pair of bodies: checked, or allowed and why
    Pairs(pairs::arguments::Arguments),
    /// How fast this world is checked on this machine
    Bench(bench::Arguments),
    /// Watch arms while they move: a state or an event a line in, a command a line out
    Monitor(Box<monitor::arguments::Arguments>),
    /// Repeat what `monitor --record` kept: every answer must be the same, to the bit
    Replay(replay::Arguments),
    /// Two monitors on the same input: only what both say is answered, anything else is a stop
    Twin(twin::Arguments),
    /// A brake for a guard from recorded stops
    FitBrake(fit_brake::Arguments),
    /// Repeat a paper's experiment and show our figures beside the paper's
    Reproduce(reproduce::Arguments),
}

/// Runs the program on the arguments of this process.
pub fn main() -> ExitCode {
    let done = match Program::parse().command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Distance(arguments) => distance::run(&arguments),
        Command::Info(arguments) => info::run(&arguments),
        Command::Pairs(arguments) => pairs::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Monitor(arguments) => monitor::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Twin(arguments) => twin::run(&arguments),
        Command::FitBrake(arguments) => fit_brake::run(&arguments),
        Command::Reproduce(arguments) => reproduce::run(&arguments),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            out::say(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}
