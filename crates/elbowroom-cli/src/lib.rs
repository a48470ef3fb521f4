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
mod asked_way;
mod at;
mod audit;
mod bake;
mod bar;
mod bench;
mod calibrate;
mod changes;
mod check;
mod clashes;
mod clock_error;
mod continuous;
mod distance;
mod edge_asker;
mod field;
mod first_way;
mod fit_brake;
mod held;
mod hint;
mod info;
mod interval;
mod journal;
mod least;
mod least_between;
mod lengths;
mod limits;
mod line_faults;
mod load;
mod manual;
mod monitor;
mod motion;
mod note;
mod out;
mod outcome;
mod page;
mod pairs;
mod placed;
mod progress;
mod prove;
mod rates;
mod replay;
mod reproduce;
mod seen;
mod shell;
mod stream;
mod stretches;
mod summary;
mod sweep;
mod swings;
mod touch;
mod twin;
mod units;
mod way_time;
mod way_watch;
mod ways;
mod worst_moments;

use clap::{CommandFactory, Parser, Subcommand};
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
    /// Say nothing on standard error but faults, what nobody may overlook, and the summary: no notes,
    /// warnings, hints or progress
    #[arg(long, short, global = true)]
    quiet: bool,
}

/// What `check` is used for most.
const EXAMPLES: &str = "Examples:
  elbowroom check arm.urdf --at home
  elbowroom check cell.toml --motion pick.csv --continuous --report pick.html
  elbowroom check arm.urdf --random 1000 --json -";

#[derive(Subcommand)]
enum Command {
    /// How far a robot is from touching, at every pose of a motion
    #[command(after_help = EXAMPLES)]
    Check(Box<arguments::check::CheckArguments>),
    /// Signed distances of pairs of shapes, one JSON case a line
    Distance(distance::DistanceArguments),
    /// What was read: joints in the order of values, links and shapes, SRDF groups and states, packages,
    /// warnings
    Info(info::InfoArguments),
    /// Each pair of bodies: checked, or allowed and why
    Pairs(arguments::pairs::PairsArguments),
    /// Which values of the joints between two bodies collide, proved for every value
    Field(Box<field::arguments::FieldArguments>),
    /// Millions of poses, from a file into a file, on all cores
    #[command(after_help = sweep::arguments::EXAMPLES)]
    #[command(mut_arg("world", sweep::arguments::world_unless_merged), mut_arg("xacro", |a| a.index(2)))]
    Sweep(Box<sweep::arguments::SweepArguments>),
    /// How fast this world is checked on this machine
    Bench(bench::BenchArguments),
    /// Offsets of joints from poses at which two bodies touch
    Calibrate(Box<calibrate::arguments::CalibrateArguments>),
    /// Make a world into constants, a C header and a small library for a microcontroller
    Bake(bake::BakeArguments),
    /// Watch arms while they move: a state or an event a line in, a command a line out
    Monitor(Box<monitor::arguments::MonitorArguments>),
    /// Repeat what `monitor --record` kept: every answer must be the same, to the bit
    Replay(replay::ReplayArguments),
    /// Two monitors on the same input: only what both say is answered, anything else is a stop
    Twin(twin::TwinArguments),
    /// A brake for a guard from recorded stops
    FitBrake(fit_brake::FitBrakeArguments),
    /// Where the papers' experiments have gone
    #[command(hide = true)]
    Reproduce(reproduce::ReproduceArguments),
    /// Completions for a shell, on standard output: `source <(elbowroom completions bash)`
    Completions(manual::CompletionArguments),
    /// A manual page: `elbowroom man check | man -l -`
    Man(manual::ManualArguments),
}

/// Runs the program on the arguments of this process.
pub fn main() -> ExitCode {
    let Program { command, quiet } = Program::parse();
    if quiet {
        out::be_quiet();
    }
    let done = match command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Distance(arguments) => distance::run(&arguments),
        Command::Info(arguments) => info::run(&arguments),
        Command::Pairs(arguments) => pairs::run(&arguments),
        Command::Field(arguments) => field::run(&arguments),
        Command::Sweep(arguments) => sweep::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Calibrate(arguments) => calibrate::run(&arguments),
        Command::Bake(arguments) => bake::run(&arguments),
        Command::Monitor(arguments) => monitor::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Twin(arguments) => twin::run(&arguments),
        Command::FitBrake(arguments) => fit_brake::run(&arguments),
        Command::Reproduce(arguments) => reproduce::run(&arguments),
        Command::Completions(arguments) => manual::write_completions(&arguments, Program::command()),
        Command::Man(arguments) => manual::write_manual(&arguments, Program::command()),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            out::say_line(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}
