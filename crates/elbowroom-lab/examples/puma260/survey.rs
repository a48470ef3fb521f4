//! What the engine says about the path, and whether that is what the experiment needs.

use super::{SAMPLES, Written};
use anyhow::{Result, anyhow, ensure};
use elbowroom::{Checker, Question, Verdict, World};
use elbowroom_files::motion::{Joints, load_motion_from};
use elbowroom_files::source::InMemory;
use elbowroom_files::world::load_world_from;
use std::path::{Path, PathBuf};

/// No sample may be closer to touching than this (metres): verdicts must not hang on the last digits.
const CLEAR_CUT: f64 = 1e-5;
/// How many samples are to collide: about half.
const COLLIDING: std::ops::RangeInclusive<usize> = 50..=70;

/// The cell and the path, loaded and compiled from the files as anyone would.
pub fn load(files: &Written) -> Result<(World, Vec<Vec<f64>>)> {
    let files = InMemory(files.iter().map(|(p, t)| (PathBuf::from(p), t.clone().into_bytes())).collect());
    let options = elbowroom_files::Options::default();
    let world = load_world_from(&files, Path::new("bottleneck.toml"), &options)?;
    ensure!(world.warnings.is_empty(), "warnings: {:?}", world.warnings);
    let world = World::compile(&world.value).map_err(|faults| anyhow!("{faults:?}"))?;
    let joints = Joints { names: world.dof_names(), mimics: &[], ..Joints::default() };
    let motion = load_motion_from(&files, Path::new("path.csv"), joints, &options)?;
    Ok((world, motion.value.rows))
}

/// What the engine says about the path.
#[derive(Debug, Default)]
pub struct Figures {
    /// Signed distance (metres), verdict and nearest pair of every sample.
    samples: Vec<(f64, Verdict, [String; 2])>,
    /// Largest change of a joint between samples (radians).
    pub largest_step: f64,
}

pub fn survey(files: &Written) -> Result<Figures> {
    let (world, rows) = load(files)?;
    let mut checker = Checker::new(&world);
    let mut figures = Figures::default();
    for (i, row) in rows.iter().enumerate() {
        checker.set(row).map_err(|e| anyhow!("sample {i}: {e}"))?;
        let answer = checker.ask(&Question::distance().margin(0.0));
        let names = answer.pair.and_then(|p| world.pair_names(p)).unwrap_or(["", ""]).map(String::from);
        figures.samples.push((answer.distance, answer.verdict, names));
    }
    let steps = rows.windows(2).flat_map(|w| w[0].iter().zip(&w[1]).map(|(a, b)| (a - b).abs()));
    figures.largest_step = steps.fold(0.0, f64::max);
    Ok(figures)
}

impl Figures {
    fn count(&self, verdict: Verdict) -> usize {
        self.samples.iter().filter(|s| s.1 == verdict).count()
    }

    /// Samples whose nearest pair are two links of the robot, and that collide.
    fn self_collisions(&self) -> usize {
        let own = |s: &&(f64, Verdict, [String; 2])| {
            s.1 == Verdict::Collision && s.2.iter().all(|n| n.starts_with("puma/"))
        };
        self.samples.iter().filter(own).count()
    }

    pub fn lines(&self) -> impl Iterator<Item = String> {
        let each = self.samples.iter().enumerate().map(|(i, (distance, verdict, [a, b]))| {
            format!("{i:4}  {distance:9.5} m  {:<10} {a} {b}", verdict.word())
        });
        let total = format!(
            "{} samples, {} collide ({} with itself), {} unknown, largest step {:.4} rad",
            self.samples.len(),
            self.count(Verdict::Collision),
            self.self_collisions(),
            self.count(Verdict::Unknown),
            self.largest_step
        );
        each.chain([total])
    }

    pub fn check(&self) -> Result<()> {
        ensure!(self.samples.len() == SAMPLES, "{} samples", self.samples.len());
        ensure!(COLLIDING.contains(&self.count(Verdict::Collision)), "not about half of the samples collide");
        ensure!(self.count(Verdict::Unknown) == 0, "a verdict is unknown");
        ensure!(self.self_collisions() == 0, "the robot hits itself");
        ensure!(self.samples.iter().all(|s| s.0.abs() > CLEAR_CUT), "a sample is too close to call");
        Ok(())
    }
}
