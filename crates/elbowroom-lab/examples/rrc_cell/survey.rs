//! What the engine says about the scripts, and whether that is what they are there for.

use super::Written;
use super::cell::ARMS;
use super::motion::{NAMES, RATE};
use super::tasks::{TASKS, Task};
use anyhow::{Context, Result, anyhow, bail, ensure};
use elbowroom::math::Vec3;
use elbowroom::motion::{Edge, EdgeOptions, MotionChecker};
use elbowroom::{Checker, Question, Verdict, World};
use elbowroom_files::source::InMemory;
use elbowroom_files::world::load_world_from;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// Pairs that come nearer than this are named (metres).
const NEAR: f64 = 0.02;
/// Greatest joint speed (radians per second) and acceleration (radians per second squared).
const SPEED: f64 = 0.5;
const ACCELERATION: f64 = 1.5;
/// How fast a hand nears what it takes, or a box what it is put on, over the last 5 cm (metres per second).
const SLOW: f64 = 0.05;
/// Most bytes of a script.
const BYTES: usize = 400_000;
/// How far velocities may be from differences of positions (radians per second): what rounding both positions
/// to a millionth gives, a velocity's own rounding, and the curve between two samples.
const MISMATCH: f64 = 1.2e-4;
/// The last part of an approach (metres).
const LAST: f64 = 0.05;
/// Most pairs that are asked for at once.
const MOST: usize = 32;

/// The cell, loaded and compiled from the files as anyone would.
pub fn load(files: &Written) -> Result<World> {
    let files = InMemory(files.iter().map(|(p, t)| (PathBuf::from(p), t.clone().into_bytes())).collect());
    let options = elbowroom_files::Options::default();
    let world = load_world_from(&files, Path::new("cell.toml"), &options)?;
    ensure!(world.warnings.is_empty(), "warnings: {:?}", world.warnings);
    World::compile(&world.value).map_err(|faults| anyhow!("{faults:?}"))
}

/// What the engine says about a script.
#[derive(Debug, Default)]
pub struct Figures {
    pub name: &'static str,
    pub bytes: usize,
    /// How long it takes (seconds).
    pub seconds: f64,
    /// Of each pair that comes near: its least distance (metres), and when (seconds).
    pub near: BTreeMap<[String; 2], (f64, f64)>,
    /// When something first overlaps (seconds), and what.
    pub first: Option<(f64, [String; 2])>,
    /// Ways from sample to sample, and how many of them are proved free at every instant.
    pub ways: usize,
    pub free_ways: usize,
    /// Greatest joint speed and acceleration.
    pub speed: f64,
    pub acceleration: f64,
    /// How far velocities are from differences of positions (radians per second).
    pub mismatch: f64,
    /// Greatest speed of a hand over its last 5 cm before it takes a box or puts one down (metres per
    /// second).
    pub approach: f64,
    /// What is meant to meet, and when.
    meets: Option<(f64, [&'static str; 2])>,
}

pub fn survey(files: &Written) -> Result<Vec<Figures>> {
    let world = load(files)?;
    TASKS.iter().map(|task| play(&world, task, &files[&format!("{}.jsonl", task.name)])).collect()
}

/// Plays a script's lines through the engine.
fn play(world: &World, task: &Task, text: &str) -> Result<Figures> {
    let (name, bytes, meets) = (task.name, text.len(), task.meets);
    let mut figures = Figures { name, bytes, meets, ..Figures::default() };
    let (mut checker, mut edges) = (Checker::new(world), MotionChecker::new(world));
    // Positions and velocities of both arms at each sample.
    let mut samples: Vec<[[f64; 14]; 2]> = Vec::new();
    let mut state = [[0.0; 14]; 2];
    for line in text.lines() {
        let line: Value = serde_json::from_str(line)?;
        let t = line["t"].as_f64().context("a line has no time")?;
        ensure!(t >= figures.seconds, "{name}: time runs back at {t}");
        figures.seconds = t;
        if let Some(robot) = line["robot"].as_str() {
            let arm = NAMES.iter().position(|n| *n == robot).context("no such arm")?;
            for (field, values) in ["q", "qd"].iter().zip(&mut state) {
                let list = line[*field].as_array().context("a state has no values")?;
                ensure!(list.len() == 7, "{name}: {} values at {t}", list.len());
                for (to, value) in values[arm * 7..].iter_mut().zip(list) {
                    *to = value.as_f64().context("no number")?;
                }
            }
            if arm == 0 {
                continue;
            }
            // The way from the sample before, with everything where it is now.
            if let Some(before) = samples.last() {
                let options = EdgeOptions::default().margin(0.0);
                edges.copy_state_from(&checker);
                let way = edges.check_edge([&before[0], &state[0]], &options);
                let way = way.map_err(|e| anyhow!("{name} at {t}: {e}"))?;
                figures.free_ways += usize::from(way == Edge::Free);
            }
            samples.push(state);
            checker.set(&state[0]).map_err(|e| anyhow!("{name} at {t}: {e}"))?;
        } else {
            if let Some(arm) = change(world, &mut checker, &line)? {
                figures.approach = figures.approach.max(approach(arm, &samples));
            }
        }
        figures.ask(&mut checker);
    }
    ensure!(samples.len() == (figures.seconds * RATE).round() as usize + 1, "{name}: not one state a period");
    figures.ways = samples.len() - 1;
    figures.measure(&samples);
    Ok(figures)
}

/// Greatest speed of a hand over the last 5 cm of its way to where it is now (metres per second).
fn approach(arm: usize, samples: &[[[f64; 14]; 2]]) -> f64 {
    let at = |sample: &[[f64; 14]; 2]| {
        let q = std::array::from_fn(|k| sample[0][arm * 7 + k]);
        ARMS[arm].tool(&q).translation
    };
    let end = samples.last().map_or(ARMS[arm].at, at);
    let back = samples.iter().rev().map(at).take_while(|p| (*p - end).norm() < LAST);
    let back: Vec<Vec3> = back.collect();
    back.windows(2).fold(0.0, |most, w| most.max((w[1] - w[0]).norm() * RATE))
}

/// Makes the change of a line. The arm that takes something, or lets it go.
fn change(world: &World, checker: &mut Checker, line: &Value) -> Result<Option<usize>> {
    let body = |name: &Value| {
        let name = name.as_str().unwrap_or("");
        world
            .body_by_name(name)
            .or_else(|| world.body_by_name(&format!("world/{name}")))
            .with_context(|| format!("no body {name:?}"))
    };
    if let Some(attach) = line.get("attach") {
        let touch = attach["touch"].as_array().context("no list")?.iter().map(body);
        let touch = touch.collect::<Result<Vec<_>>>()?;
        checker.attach(body(&attach["name"])?, body(&attach["attached_to"])?, &touch)?;
        return Ok(NAMES.iter().position(|n| attach["attached_to"] == format!("{n}/palm")));
    } else if let Some(detach) = line.get("detach") {
        checker.detach(body(&detach["name"])?)?;
        // Only the left arm puts anything down.
        return Ok(Some(0));
    } else if let Some(open) = line.get("open") {
        checker.set_door(body(&open["name"])?, open["value"].as_f64().context("no number")?)?;
    } else {
        ensure!(line.get("intent").is_some(), "an unknown line: {line}");
    }
    Ok(None)
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} bytes, {} s, at most {:.3} rad/s and {:.3} rad/s2, velocities within {:.1e} rad/s, \
             approaches at {:.3} m/s",
            self.name, self.bytes, self.seconds, self.speed, self.acceleration, self.mismatch, self.approach
        )?;
        for ([a, b], (distance, t)) in &self.near {
            writeln!(f, "  {distance:9.5} m at {t:5.2} s  {a} {b}")?;
        }
        match &self.first {
            Some((t, [a, b])) => write!(f, "  first overlap at {t:.2} s: {a} {b}"),
            None => {
                write!(f, "  no overlap; {} of {} ways between samples are free", self.free_ways, self.ways)
            }
        }
    }
}

impl Figures {
    /// Adds what is near now.
    fn ask(&mut self, checker: &mut Checker) {
        let (world, t) = (checker.world(), self.seconds);
        let mut nearest = Vec::new();
        checker.nearest_k(MOST, &Question::distance().cutoff(NEAR).margin(0.0), &mut nearest);
        for pair in nearest.iter().filter(|pair| pair.interval.lower < NEAR) {
            let names = world.pair_names(pair.pair).unwrap_or(["", ""]).map(String::from);
            if pair.verdict != Verdict::Clear && self.first.is_none() {
                self.first = Some((t, names.clone()));
            }
            let least = self.near.entry(names).or_insert((pair.distance, t));
            if pair.distance < least.0 {
                *least = (pair.distance, t);
            }
        }
    }

    /// Speeds, accelerations, and whether the ones are the derivative of positions.
    fn measure(&mut self, samples: &[[[f64; 14]; 2]]) {
        let velocities = samples.iter().flat_map(|s| s[1]);
        self.speed = velocities.fold(0.0, |most, v| most.max(v.abs()));
        for pair in samples.windows(2) {
            let [[q, v], [next_q, next_v]] = [pair[0], pair[1]];
            for k in 0..14 {
                let mean = (v[k] + next_v[k]) / 2.0;
                self.mismatch = self.mismatch.max((mean - (next_q[k] - q[k]) * RATE).abs());
                self.acceleration = self.acceleration.max((next_v[k] - v[k]).abs() * RATE);
            }
        }
    }

    /// Whether the script is what it is there for.
    pub fn check(&self) -> Result<()> {
        let name = self.name;
        ensure!(self.bytes <= BYTES, "{name}: {} bytes", self.bytes);
        ensure!(self.speed <= SPEED && self.acceleration <= ACCELERATION, "{name}: too fast");
        ensure!(self.mismatch <= MISMATCH, "{name}: velocities are off by {} rad/s", self.mismatch);
        ensure!(self.approach <= SLOW, "{name}: an approach at {} m/s", self.approach);
        ensure!(self.near.len() < MOST, "{name}: too many pairs are near");
        match (&self.first, self.meets) {
            (None, None) => ensure!(self.free_ways == self.ways, "{name}: something meets between samples"),
            (Some((t, names)), Some((when, meant))) => {
                ensure!((t - when).abs() < 0.005 && *names == meant, "{name}: {names:?} meet at {t} s");
            }
            (found, meant) => bail!("{name}: {found:?} instead of {meant:?}"),
        }
        // Before anything meets what it should not, only hands and what they take or put down are near.
        let strange = self.near.iter().filter(|(pair, _)| !meant(pair));
        let strange: Vec<_> = strange.collect();
        ensure!(self.meets.is_some() || strange.is_empty(), "{name}: near are {strange:?}");
        Ok(())
    }
}

/// Whether a task means a pair to come near: a hand and a box that is taken, or a box and a top.
fn meant([a, b]: &[String; 2]) -> bool {
    let hand = |n: &str| ["palm", "finger_1", "finger_2"].iter().any(|part| n.ends_with(part));
    let is = |n: &str, of: &str| n.starts_with(of);
    (hand(a) && is(b, "world/oru_")) || (a.ends_with("_top") && is(b, "world/oru_"))
}
