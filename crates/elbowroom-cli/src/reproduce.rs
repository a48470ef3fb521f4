//! `elbowroom reproduce PAPER`: a paper's experiment again, our figures beside the paper's.

use crate::out::{Sink, check_writable, delivered, say};
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use elbowroom_lab::{coulombe20, henrich92, henrich97, tran91::cell as tran91};
use std::path::PathBuf;

/// The papers whose experiments can be re-run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Paper {
    /// High precision real time collision detection: self-collision of two arms from their URDF
    Coulombe20,
    /// Fast distance computation for multi-arm robots: a Puma 260 among 16 obstacles, and two of them
    Henrich92,
    /// Fast collision detection by (parallel) distance computation: a Puma 260 in cells of 7 to 1,000
    /// objects, one processor
    Henrich97,
    /// A collision detection algorithm for telerobotic arms: two arms under a guard, and the paper's octree
    Tran91,
}

impl Paper {
    /// The file of its main table.
    fn table(self) -> &'static str {
        match self {
            Paper::Coulombe20 => "coulombe20.csv",
            Paper::Henrich92 => "henrich92.csv",
            Paper::Henrich97 => "henrich97.csv",
            Paper::Tran91 => "tran91.csv",
        }
    }
}

/// Arguments of `reproduce`.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// Which paper
    paper: Paper,
    /// Folder that holds the paper's robots. henrich92 and henrich97 read puma260/bottleneck.toml and
    /// puma260/path.csv in it, tran91 rrc_cell; default: `robots`, a folder of this repository. coulombe20
    /// reads kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf and mecademic_meca500_r3/meca_500_r3.urdf, from
    /// ROS packages that are not in this repository; default: ../shared/robots
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Folder for the tables as CSV and the figures as SVG
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// coulombe20: random poses of each robot
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    poses: Option<u32>,
    /// henrich92, henrich97: how often the path is walked by each method. tran91: how often each script is
    /// played for the clock
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rounds: Option<u32>,
    /// Which random poses, which generated cells
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

/// Runs the command; the exit code.
pub fn run(arguments: &Arguments) -> Result<u8> {
    // A folder that cannot be written into is found out before the work.
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        check_writable(&folder.join(arguments.paper.table()))?;
    }
    let Reproduced { text, files } = match arguments.paper {
        Paper::Coulombe20 => coulombe20(arguments)?,
        Paper::Henrich92 => henrich92(arguments)?,
        Paper::Henrich97 => henrich97(arguments)?,
        Paper::Tran91 => tran91(arguments)?,
    };
    if let Some(folder) = &arguments.out {
        for (name, text) in &files {
            let mut file = Sink::open(&folder.join(name))?;
            file.put(text)?;
            file.finish()?;
        }
    }
    let mut out = Sink::stdout();
    out.put(&format!("{text}\n"))?;
    Ok(delivered(0, out.finish()?))
}

/// An experiment that was run again: its tables for people, and its files by name.
struct Reproduced {
    text: String,
    files: Vec<(String, String)>,
}

fn coulombe20(arguments: &Arguments) -> Result<Reproduced> {
    let default = coulombe20::Options::default();
    let options = coulombe20::Options {
        data: arguments.data.clone(),
        poses: arguments.poses.map_or(default.poses, |n| n as usize),
        seed: arguments.seed.unwrap_or(default.seed),
    };
    say(&format!(
        "{} random poses of two robots, every method on each: this takes a minute or two",
        options.poses
    ));
    let report = coulombe20::run(&options)?;
    Ok(Reproduced { text: report.text(), files: report.files()? })
}

fn henrich92(arguments: &Arguments) -> Result<Reproduced> {
    let default = henrich92::Options::default();
    let options = henrich92::Options {
        data: arguments.data.clone(),
        rounds: arguments.rounds.map_or(default.rounds, |n| n as usize),
        seed: arguments.seed.unwrap_or(default.seed),
    };
    say(&format!(
        "473 steps of two scenes, {} times each, fourteen methods: this takes some seconds",
        options.rounds
    ));
    let report = henrich92::run(&options)?;
    Ok(Reproduced { text: report.text(), files: report.files()? })
}

fn henrich97(arguments: &Arguments) -> Result<Reproduced> {
    let default = henrich97::Options::default();
    let options = henrich97::Options {
        data: arguments.data.clone(),
        rounds: arguments.rounds.map_or(default.rounds, |n| n as usize),
        seed: arguments.seed.unwrap_or(default.seed),
    };
    say(&format!(
        "119 poses, {} times each, ten methods in eight cells: this takes a minute or two",
        options.rounds
    ));
    let report = henrich97::run(&options)?;
    Ok(Reproduced { text: report.text(), files: report.files()? })
}

fn tran91(arguments: &Arguments) -> Result<Reproduced> {
    let default = tran91::Options::default();
    let options = tran91::Options {
        data: arguments.data.clone(),
        rounds: arguments.rounds.map_or(default.rounds, |n| n as usize),
    };
    say(&format!(
        "seven scripts of two arms, {} times each, under the guard, with the octree and the engine, and once \
         by the paper's own chain: this takes some seconds",
        options.rounds
    ));
    let report = tran91::run(&options)?;
    Ok(Reproduced { text: report.text(), files: report.files()? })
}
