//! `check --limits`: how fast the joints of a motion go, between samples as well, against their limits.
//!
//! The way to each sample is a spline ([`Motion::spline_to`]), and the largest rate of each joint on it is
//! found and proved by its polynomials. Most ways are not near the limit, and one bound says so: only where a
//! bound is above the largest rate so far, the search begins.
//!
//! Velocities may jump where one way ends and the next begins, and no limit of accelerations allows a jump.
//! If all ways are straight, no acceleration is judged. If not, the jumps are counted, and a note tells of
//! them.

pub mod words;

use crate::limits;
use crate::load::LoadedWorld;
use crate::out::{say_line, say_warnings};
use anyhow::{Result, bail};
use elbowroom::World;
use elbowroom::describe::JointKind;
use elbowroom::motion::SplinePiece;
use elbowroom::world::Joint;
use elbowroom_files::fault::{self, Faults, counted_things};
use elbowroom_files::limits::PIECE_JUMP;
use elbowroom_files::motion::{Motion, MotionWays};
use elbowroom_files::rates::{JointRates, load_joint_limits, movable_joints};
use std::collections::BTreeMap;
use std::path::Path;

/// The words for derivatives, in their order.
pub const KINDS: [&str; 3] = ["velocity", "acceleration", "jerk"];

/// A limit of one joint.
#[derive(Clone, Debug)]
struct JointLimit {
    joint: String,
    /// The value that the joint has or follows, and how many times as fast it goes.
    value: usize,
    scale: f64,
    /// The derivative: 1 is the velocity.
    order: u8,
    most: f64,
    is_angle: bool,
}

/// The largest rate of a joint over the motion.
#[derive(Clone, Debug)]
pub struct JudgedRate {
    limit: JointLimit,
    /// The largest that was reached, by the second.
    reached: f64,
    /// The time of the motion then (seconds).
    t: f64,
    /// The number of ways on which it is not proved within the limit.
    beyond: usize,
}

/// A rate beyond its limit on one way.
#[derive(Clone, Debug)]
pub struct RateExcess {
    /// Which of the judged rates.
    judged: usize,
    /// What it reaches on this way, and when (seconds).
    reached: f64,
    t: f64,
}

/// How fast the joints of a motion go.
#[derive(Clone, Debug, Default)]
pub struct Rates {
    /// In the order of joints, velocities first.
    judged: Vec<JudgedRate>,
    /// Rates beyond limits, by the sample that the way leads to.
    excesses: BTreeMap<usize, Vec<RateExcess>>,
    /// Whether all ways are straight.
    is_straight: bool,
    jumps: Jumps,
    /// By kind: the joints without a limit.
    free: [Vec<String>; KINDS.len()],
    /// How many joints could have limits.
    joints: usize,
}

/// Where the velocities of joints that have limits of acceleration or jerk jump from one way to the next.
#[derive(Clone, Debug, Default)]
struct Jumps {
    /// At how many samples.
    samples: usize,
    /// By how much at most, of which judged rate and at which sample.
    worst: Option<(f64, usize, usize)>,
    /// The sample at which the last way ended, and the velocities there.
    last: (usize, Vec<f64>),
}

/// The limits of the world's files, replaced by those of a `joint_limits.yaml` where it has some. Its
/// warnings go to standard error and to `loaded`, faults to standard error.
pub fn read_limits(
    loaded: &mut LoadedWorld,
    file: Option<&Path>,
    options: &elbowroom_files::Options,
) -> Result<BTreeMap<String, JointRates>> {
    if !loaded.rate_faults.is_empty() {
        say_line(&Faults(loaded.rate_faults.clone()).to_string());
        bail!("--limits: the limits of the URDF are refused");
    }
    let Some(file) = file else { return Ok(loaded.rates.clone()) };
    match load_joint_limits(file, &loaded.world, &loaded.rates, options) {
        Ok(read) => {
            say_warnings(&read.warnings);
            loaded.warnings.extend(fault::warning_lines(&read.warnings));
            loaded.files.extend(read.files);
            Ok(read.value)
        }
        Err(faults) => {
            say_line(&faults.to_string());
            bail!("--limits={} is refused", file.display());
        }
    }
}

/// Holds a motion, called `name`, against limits.
pub fn judge_rates(
    world: &World,
    most: &BTreeMap<String, JointRates>,
    motion: &Motion,
    name: &str,
) -> Result<Rates> {
    let Some(times) = motion.t.as_deref().filter(|t| t.len() == motion.rows.len()) else {
        bail!(
            "--limits needs times, and {name} has none: give it a column t (seconds), or a time_from_start \
             for each point"
        );
    };
    let mut rates = Rates::new_empty(world, most, motion);
    let mut stopped = Vec::new();
    for (row, ends) in times.windows(2).enumerate().map(|(k, ends)| (k + 1, ends)) {
        if ends[1] > ends[0] {
            rates.add_way(world, motion, row, ends[0], name)?;
        } else if differ_beyond_rounding(&motion.rows[row - 1], &motion.rows[row]) {
            stopped.push(row);
        }
    }
    if let Some(first) = stopped.first() {
        bail!(
            "{name}: joints move in no time, so that no velocity is within a limit: {}, the first is the way \
             to sample {first}, at {} s. Correct its times",
            counted_things(stopped.len(), "way"),
            times[*first]
        );
    }
    Ok(rates)
}

/// Whether any value differs by more than rounding.
fn differ_beyond_rounding(from: &[f64], to: &[f64]) -> bool {
    from.iter().zip(to).any(|(a, b)| (a - b).abs() > PIECE_JUMP)
}

impl Rates {
    fn new_empty(world: &World, most: &BTreeMap<String, JointRates>, motion: &Motion) -> Rates {
        let joints = movable_joints(world);
        let is_straight = motion.ways == MotionWays::Straight;
        let mut rates = Rates { joints: joints.len(), is_straight, ..Rates::default() };
        for (order, free) in (1_u8..).zip(&mut rates.free) {
            for joint in &joints {
                let own = most.get(&joint.name).copied().unwrap_or_default().to_array();
                match own[usize::from(order) - 1] {
                    Some(most) => {
                        let limit = JointLimit::new(joint, order, most);
                        rates.judged.push(JudgedRate { limit, reached: 0.0, t: f64::NAN, beyond: 0 });
                    }
                    None => free.push(joint.name.clone()),
                }
            }
        }
        rates
    }

    /// Judges the way to a row, which begins at a time.
    fn add_way(&mut self, world: &World, motion: &Motion, row: usize, begin: f64, name: &str) -> Result<()> {
        let piece = match motion.spline_to(world, row) {
            Ok(piece) => piece,
            Err(fault) => bail!("{name}: the way to sample {row} is no spline: {fault}"),
        };
        self.find_jumps(&piece, row);
        for (judged, rate) in self.judged.iter_mut().enumerate() {
            let JointLimit { value, scale, order, most, .. } = rate.limit;
            if self.is_straight && order > 1 || scale == 0.0 {
                continue;
            }
            // A rate below the largest so far and below the limit changes nothing.
            let enough = rate.reached.min(most) / scale;
            let Some(peak) = piece.find_rate_peak(value, order, enough) else {
                bail!(
                    "{name}: on the way to sample {row} {} has no {}",
                    rate.limit.joint,
                    rate.limit.kind_word()
                );
            };
            let (reached, t) = (peak.reached * scale, begin + peak.seconds);
            let is_beyond = peak.is_beyond(most / scale);
            // If the search could not decide, the upper bound is taken for the rate.
            let reached = if is_beyond && reached <= most { peak.bound * scale } else { reached };
            if is_beyond {
                rate.beyond += 1;
                self.excesses.entry(row).or_default().push(RateExcess { judged, reached, t });
            }
            if reached > rate.reached || rate.t.is_nan() {
                (rate.reached, rate.t) = (reached, t);
            }
        }
        Ok(())
    }

    /// Compares the velocities at the start of the way to a row with those at the end of the way before.
    fn find_jumps(&mut self, piece: &SplinePiece, row: usize) {
        let velocity = |rate: &JudgedRate, at: f64| {
            let [low, high] = piece.rate_range(rate.limit.value, 1, [at; 2]);
            0.5 * (low + high) * rate.limit.scale
        };
        let jerky = || self.judged.iter().enumerate().filter(|(_, rate)| rate.limit.order > 1);
        let (before, ends) = &self.jumps.last;
        let mut worst: Option<(f64, usize, usize)> = None;
        if *before + 1 == row {
            for ((judged, rate), end) in jerky().zip(ends) {
                let jump = (velocity(rate, 0.0) - end).abs();
                if jump > limits::VELOCITY_JUMP && worst.is_none_or(|(most, ..)| jump > most) {
                    worst = Some((jump, judged, row - 1));
                }
            }
        }
        let ends = jerky().map(|(_, rate)| velocity(rate, 1.0)).collect();
        self.jumps.last = (row, ends);
        self.jumps.samples += usize::from(worst.is_some());
        if let Some(found) = worst.filter(|found| self.jumps.worst.is_none_or(|(most, ..)| found.0 > most)) {
            self.jumps.worst = Some(found);
        }
    }

    /// Whether a rate is beyond its limit.
    pub fn is_beyond(&self) -> bool {
        !self.excesses.is_empty()
    }
}

impl JointLimit {
    fn new(joint: &Joint, order: u8, most: f64) -> JointLimit {
        let (value, scale) = match joint.follows {
            Some(rule) => (rule.value, rule.scale.abs()),
            None => (joint.values.start, 1.0),
        };
        let is_angle = joint.kind != JointKind::Prismatic;
        JointLimit { joint: joint.name.clone(), value, scale, order, most, is_angle }
    }

    /// The word for its derivative.
    fn kind_word(&self) -> &'static str {
        KINDS[usize::from(self.order) - 1]
    }
}
