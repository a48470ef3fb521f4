//! The ways between the samples of a motion: straight, or splines in time, each with the tolerance within
//! which an execution follows it.

use crate::clock_error::find_clock_errors;
use crate::limits::{TOLERANCES_NAMED, WAY_FAULTS};
use crate::out::{say_line, say_remark, seconds_text};
use anyhow::{Result, bail};
use elbowroom::World;
use elbowroom::describe::JointKind;
use elbowroom::fault::Numeral;
use elbowroom::motion::{SplineFault, SplinePiece, SplineProblem};
use elbowroom::pose::SetOptions;
use elbowroom_files::fault::{counted_things, did_you_mean};
use elbowroom_files::motion::names::{Named, ValueNames};
use elbowroom_files::motion::{Motion, MotionWays};
use std::collections::BTreeMap;

/// The ways of a motion.
#[derive(Clone, Debug)]
pub struct Ways<'a> {
    world: &'a World,
    motion: &'a Motion,
    /// By value; empty where all are zero.
    tolerance: Vec<f64>,
    /// By sample and value, how far a robot may be from the way to it if its clock is wrong; empty where
    /// clocks are right.
    clock_errors: Vec<Vec<f64>>,
    /// By how much clocks may be wrong (seconds).
    clock_error: f64,
}

impl<'a> Ways<'a> {
    /// Those of a motion with the tolerances of its file, but for those that an option gives.
    pub fn new(world: &'a World, motion: &'a Motion, options: &[String]) -> Result<Ways<'a>> {
        let mut tolerance = motion.tolerance.clone();
        tolerance.resize(world.dof_names().len(), 0.0);
        read_tolerances(world, options, &mut tolerance)?;
        if tolerance.iter().all(|own| *own == 0.0) {
            tolerance.clear();
        }
        Ok(Ways { world, motion, tolerance, clock_errors: Vec::new(), clock_error: 0.0 })
    }

    /// These ways where the clock of each robot may be wrong by up to `seconds`. The world must accept them.
    pub fn with_clock_error(mut self, seconds: f64) -> Result<Ways<'a>> {
        let Some(t) = &self.motion.t else {
            bail!("--time-tolerance needs a motion with times: give a column t");
        };
        if !self.motion.events.is_empty() {
            bail!(
                "--time-tolerance: the motion has events, and what a robot carries depends on its clock: \
                 ask the parts of the motion between events one by one"
            );
        }
        if t.windows(2).any(|t| t[1] <= t[0]) {
            bail!("--time-tolerance needs times that grow from sample to sample");
        }
        if self.world.robots().len() < 2 {
            say_remark(
                "note: --time-tolerance is between robots, and there is one: a stop or a delay on its way \
                 changes no place that it passes",
            );
            return Ok(self);
        }
        self.clock_errors = find_clock_errors(self.world, self.motion, t, seconds);
        self.clock_error = seconds;
        Ok(self)
    }

    /// The way that leads to a sample, with all that robots whose clocks are wrong may be off by; `None`
    /// where clocks are right.
    pub fn late_spline_to(&self, sample: usize) -> Option<Result<SplinePiece, SplineFault>> {
        let errors = self.clock_errors.get(sample)?;
        let mut tolerance = errors.clone();
        tolerance.iter_mut().zip(&self.tolerance).for_each(|(error, own)| *error += own);
        let spline = self.motion.spline_to(self.world, sample);
        Some(spline.and_then(|spline| spline.with_tolerance(self.world, &tolerance)))
    }

    /// Whether a way is more than a straight motion.
    pub fn has_splines(&self) -> bool {
        self.has_tolerance() || !self.clock_errors.is_empty() || self.motion.ways != MotionWays::Straight
    }

    /// Whether executions may be beside it.
    pub fn has_tolerance(&self) -> bool {
        !self.tolerance.is_empty()
    }

    /// What is asked of the ways, to be put behind `between samples`.
    pub fn ways_in_words(&self) -> String {
        let way = match &self.motion.ways {
            MotionWays::Straight => "with all joints moving in a straight line",
            MotionWays::Rates(rates) if rates.iter().any(|row| !row.accelerations.is_empty()) => {
                "on the splines that a controller makes of positions, velocities and accelerations"
            }
            MotionWays::Rates(_) => "on the splines that a controller makes of positions and velocities",
            MotionWays::Polynomials(_) => "on the polynomials in time that the file gives",
        };
        let mut words = way.to_string();
        if self.has_tolerance() {
            words += &format!(", each joint within its tolerance of that ({})", self.tolerances_in_words());
        }
        if !self.clock_errors.is_empty() {
            words += &format!(", the clocks of robots wrong by up to {} s", seconds_text(self.clock_error));
        }
        words
    }

    /// The tolerances by joint, those that are not zero.
    fn tolerances_in_words(&self) -> String {
        let units = self.world.joints().iter().flat_map(|joint| {
            let slides = joint.kind == JointKind::Prismatic;
            joint.values.clone().enumerate().map(move |(k, value)| {
                let places = matches!(joint.kind, JointKind::Floating) && k < 3;
                let places = places || matches!(joint.kind, JointKind::Planar) && k < 2;
                (value, if slides || places { "m" } else { "rad" })
            })
        });
        let words = |(value, unit): (usize, &str)| {
            let own = self.tolerance.get(value).filter(|own| **own > 0.0)?;
            Some(format!("{} {} {unit}", self.world.dof_names()[value], Numeral(*own)))
        };
        let all: Vec<String> = units.filter_map(words).collect();
        let named = all.iter().take(TOLERANCES_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        match all.len().saturating_sub(TOLERANCES_NAMED) {
            0 => named,
            more => format!("{named}, and {more} more"),
        }
    }

    /// The way that leads to a sample as a spline; `None` where it is straight and followed exactly.
    pub fn spline_to(&self, sample: usize) -> Option<Result<SplinePiece, SplineFault>> {
        if !self.has_tolerance() && self.motion.is_straight_to(sample) {
            return None;
        }
        let spline = self.motion.spline_to(self.world, sample);
        Some(match self.has_tolerance() {
            true => spline.and_then(|spline| spline.with_tolerance(self.world, &self.tolerance)),
            false => spline,
        })
    }

    /// Tells which ways leave the limits between their samples, or cannot be used, and refuses them. Samples
    /// are within limits.
    pub fn refuse_bad(&self, name: &str, set: SetOptions) -> Result<()> {
        if !self.has_splines() {
            return Ok(());
        }
        // By joint: the first sample that a bad way leads to, how many there are, and the worst words.
        let mut bad: BTreeMap<String, (usize, usize, f64, String)> = BTreeMap::new();
        let (mut ways, mut of_limits) = (0, false);
        for sample in 1..self.motion.rows.len() {
            let Some(spline) = self.spline_to(sample) else { continue };
            let Err(fault) = spline.and_then(|spline| spline.accept_in(self.world, set)) else { continue };
            ways += 1;
            let start = self.motion.t.as_ref().and_then(|t| t.get(sample - 1)).copied();
            let faults = match fault {
                SplineFault::Values(faults) => faults,
                other => {
                    bad.entry(String::new()).or_insert((sample, 0, 0.0, other.to_string())).1 += 1;
                    continue;
                }
            };
            for fault in faults {
                let excess = match fault.problem {
                    SplineProblem::OutOfLimits { value, lower, upper, .. } => {
                        of_limits = true;
                        (lower - value).max(value - upper)
                    }
                    _ => 0.0,
                };
                let words = match (&fault.problem, start) {
                    (SplineProblem::OutOfLimits { seconds, .. }, Some(start)) => {
                        format!("{fault}; t = {:.3} s", start + seconds)
                    }
                    _ => fault.to_string(),
                };
                let found = bad.entry(fault.name).or_insert_with(|| (sample, 0, excess, words.clone()));
                found.1 += 1;
                if excess > found.2 {
                    (found.2, found.3) = (excess, words);
                }
            }
        }
        if bad.is_empty() {
            return Ok(());
        }
        for (first, count, _, words) in bad.values().take(WAY_FAULTS) {
            let from = first - 1;
            match count {
                1 => say_line(&format!("{name}: between samples {from} and {first}: {words}")),
                _ => say_line(&format!(
                    "{name}: {count} ways, the first between samples {from} and {first}; the worst: {words}"
                )),
            }
        }
        if bad.len() > WAY_FAULTS {
            say_line(&format!("and {}", counted_things(bad.len() - WAY_FAULTS, "more joint")));
        }
        if of_limits {
            say_line("Fix the velocities or the points, or use --ignore-limits");
        }
        let them = if ways == 1 { "is" } else { "are" };
        bail!("{name} is refused: {} between samples {them} not possible", counted_things(ways, "way"))
    }
}

/// Reads `joint=value,...` into the tolerances of all values; `*=value` is for all joints that are not named.
fn read_tolerances(world: &World, options: &[String], tolerance: &mut [f64]) -> Result<()> {
    let names = ValueNames::new(world.dof_names().iter().map(String::as_str));
    let (mut faults, mut parts) = (0, 0);
    let (mut given, mut rest) = (vec![None; tolerance.len()], None);
    let mut tell = |what: String| {
        faults += 1;
        say_line(&format!("--tolerance: {what}"));
    };
    for part in options.iter().flat_map(|text| text.split(',')).map(str::trim).filter(|p| !p.is_empty()) {
        let Some((name, number)) = part.rsplit_once('=') else {
            tell(format!("`{part}` is not joint=value, such as elbow=0.01"));
            continue;
        };
        parts += 1;
        let value = number.trim().parse::<f64>().ok().filter(|value| *value >= 0.0 && value.is_finite());
        let Some(value) = value else {
            tell(format!("`{number}` is no tolerance of {name}: give radians or metres, zero or more"));
            continue;
        };
        let slot = match names.find_value(name.trim()) {
            _ if name.trim() == "*" => &mut rest,
            Named::One(i) => &mut given[i],
            Named::Several => {
                tell(format!("`{name}` is a joint of several robots: write robot/joint"));
                continue;
            }
            Named::Nothing => {
                let meant = did_you_mean(name, names.known_names());
                tell(format!("`{name}` is not a joint of this world. {meant}").trim_end().to_string());
                continue;
            }
        };
        if slot.replace(value).is_some() {
            tell(format!("`{name}` is given a second time"));
        }
    }
    if parts == 0 && faults == 0 && !options.is_empty() {
        bail!("--tolerance names no joint: write joint=value, such as elbow=0.01");
    }
    if faults > 0 {
        bail!("--tolerance is refused");
    }
    for (slot, own) in tolerance.iter_mut().zip(given) {
        *slot = own.or(rest).unwrap_or(*slot);
    }
    // Of an orientation the first of its four numbers stands for the angle.
    for joint in world.joints().iter().filter(|joint| joint.kind == JointKind::Floating) {
        tolerance.iter_mut().take(joint.values.end).skip(joint.values.start + 4).for_each(|own| *own = 0.0);
    }
    Ok(())
}
