//! What the engine says about the motion, and whether that is what it is there for.

use super::Written;
use anyhow::{Result, anyhow, ensure};
use elbowroom::motion::{Edge, EdgeOptions, MotionChecker};
use elbowroom::{Checker, Question, Verdict, World};
use elbowroom_files::motion::{Joints, load_motion_from, mimic_rules};
use elbowroom_files::source::InMemory;
use elbowroom_files::world::load_world_from;
use std::path::{Path, PathBuf};

/// Between these the fingers are at the end (metres): close, and farther than the margin.
const END: std::ops::Range<f64> = 0.002..0.005;

/// A world and a motion, loaded and compiled from the files as anyone would.
pub fn load(files: &Written, world: &str, motion: &str) -> Result<(World, Vec<Vec<f64>>)> {
    let files = InMemory(files.iter().map(|(p, t)| (PathBuf::from(p), t.clone().into_bytes())).collect());
    let options = elbowroom_files::Options::default();
    let world = load_world_from(&files, Path::new(world), &options)?;
    ensure!(world.warnings.is_empty(), "warnings: {:?}", world.warnings);
    let world = World::compile(&world.value).map_err(|faults| anyhow!("{faults:?}"))?;
    let joints = Joints { names: world.dof_names(), mimics: &mimic_rules(&world), ..Joints::default() };
    let motion = load_motion_from(&files, Path::new(motion), joints, &options)?;
    Ok((world, motion.value.rows))
}

/// What the engine says about the motion.
#[derive(Debug, Default)]
pub struct Figures {
    /// Samples, and how many of them are clear.
    samples: usize,
    clear: usize,
    /// The least clearance of two fingers at all samples and at the last (metres), and its pair.
    least: f64,
    last: f64,
    pair: [String; 2],
    /// Ways from sample to sample that are not proved free at every instant.
    open_ways: usize,
}

pub fn survey(files: &Written) -> Result<Figures> {
    let (world, rows) = load(files, "hand.toml", "grasp.csv")?;
    let (mut checker, mut ways) = (Checker::new(&world), MotionChecker::new(&world));
    let mut figures = Figures { samples: rows.len(), least: f64::INFINITY, ..Figures::default() };
    for (i, row) in rows.iter().enumerate() {
        checker.set(row).map_err(|e| anyhow!("sample {i}: {e}"))?;
        figures.clear += usize::from(checker.ask(&Question::distance()).verdict == Verdict::Clear);
        figures.last = f64::INFINITY;
        checker.all_pairs(&Question::distance(), |pair| {
            let names = world.pair_names(pair.pair).unwrap_or(["", ""]);
            if are_two_fingers(names) && pair.distance < figures.last {
                (figures.last, figures.pair) = (pair.distance, names.map(String::from));
            }
        });
        figures.least = figures.least.min(figures.last);
    }
    for pair in rows.windows(2) {
        let way = ways
            .check_edge([&pair[0], &pair[1]], &EdgeOptions::default())
            .map_err(|e| anyhow!("a way of the motion: {e}"))?;
        figures.open_ways += usize::from(way != Edge::Free);
    }
    Ok(figures)
}

fn are_two_fingers(names: [&str; 2]) -> bool {
    let finger = |name: &str| name.strip_prefix("hand/finger_").and_then(|rest| rest.chars().next());
    matches!(names.map(finger), [Some(a), Some(b)] if a != b)
}

impl Figures {
    pub fn line(&self) -> String {
        format!(
            "{} samples, {} clear, {} ways between them open; fingers apart by {:.4} m, at the end by \
             {:.4} m ({} {})",
            self.samples, self.clear, self.open_ways, self.least, self.last, self.pair[0], self.pair[1]
        )
    }

    pub fn check(&self) -> Result<()> {
        ensure!(self.samples == self.clear, "a sample is not clear");
        ensure!(self.open_ways == 0, "a way between two samples is not proved free");
        ensure!(END.contains(&self.last), "the fingers do not end close to each other: {} m", self.last);
        ensure!(self.last <= self.least, "the fingers are closer before the end");
        Ok(())
    }
}
