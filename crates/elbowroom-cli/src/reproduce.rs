//! `elbowroom reproduce PAPER`: a paper's experiment again, our figures beside the paper's.

use crate::out::{Sink, delivered, say};
use anyhow::Result;
use clap::{Args, ValueEnum};
use elbowroom_lab::coulombe20;
use std::path::PathBuf;

/// The papers whose experiments can be re-run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Paper {
    /// High precision real time collision detection: self-collision of two arms from their URDF
    Coulombe20,
}

/// Arguments of `reproduce`.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// Which paper
    paper: Paper,
    /// Folder of robots; by default ../shared/robots, where it exists
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Folder for the tables as CSV and the figures as SVG
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Random poses of each robot
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    poses: Option<u32>,
    /// Which random poses
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

/// Runs the command; the exit code.
pub fn run(arguments: &Arguments) -> Result<u8> {
    let Paper::Coulombe20 = arguments.paper;
    let default = coulombe20::Options::default();
    let options = coulombe20::Options {
        data: arguments.data.clone(),
        out: arguments.out.clone(),
        poses: arguments.poses.map_or(default.poses, |n| n as usize),
        seed: arguments.seed.unwrap_or(default.seed),
    };
    say(&format!(
        "{} random poses of two robots, every method on each: this takes a minute or two",
        options.poses
    ));
    let report = coulombe20::run(&options)?;
    let mut out = Sink::stdout();
    out.put(&format!("{}\n", report.text()))?;
    out.flush()?;
    Ok(delivered(0, out.closed))
}
