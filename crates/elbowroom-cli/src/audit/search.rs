//! The search for poses where a pair of bodies overlaps, and for poses where it is apart.
//!
//! Only the joints between the two count; all others stay neutral. First come the poses that people think of:
//! the neutral one, the states of the SRDF, and each joint at its ends and in its middle. Then random ones.
//! From the nearest of all a descent goes on, one joint at a time by steps that halve: what random poses miss
//! by little it finds, and what they hit it shows more clearly. It ends with the poses that it may ask.
//!
//! What is found is proved: an overlap by its interval, and so is what is apart. What is not found proves
//! nothing.

use crate::limits::{AUDIT_DESCENT, AUDIT_DIGITS, AUDIT_GRID, AUDIT_STEP};
use elbowroom::math::Random;
use elbowroom::world::{BodyId, BodyPair, GroupId, Joint};
use elbowroom::{Checker, Geometry, Interval, Question, World};
use std::collections::BTreeSet;

/// A pose where two bodies are proved to overlap.
#[derive(Clone, Debug)]
pub struct Overlap {
    /// All joint values of the world.
    pub values: Vec<f64>,
    /// The signed distance there.
    pub interval: Interval,
}

/// What the poses of a pair showed.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// How many were asked.
    pub poses: u64,
    /// One where the two overlap.
    pub overlap: Option<Overlap>,
    /// Whether they are apart at one.
    pub apart: bool,
}

/// Which poses are asked.
#[derive(Clone, Copy, Debug)]
pub struct Poses<'a> {
    /// Joint values that are asked before all others.
    pub named: &'a [Vec<f64>],
    /// How many random ones.
    pub random: u32,
    /// Which random ones.
    pub seed: u64,
    /// What meshes count as.
    pub geometry: Geometry,
}

/// The joint values between two bodies: those that move one of them and not the other alike.
pub fn values_between(world: &World, pair: BodyPair) -> Vec<usize> {
    let above = |body: BodyId| {
        let mut joints: Vec<usize> = Vec::new();
        let mut at = body;
        while let Some(i) = world.joints().iter().position(|joint| joint.child == at) {
            joints.push(i);
            at = world.joints()[i].parent;
        }
        joints
    };
    let [a, b] = [above(pair.a), above(pair.b)];
    let moved = |joint: &Joint| joint.values.clone().chain(joint.follows.map(|rule| rule.value));
    let apart = a.iter().filter(|i| !b.contains(i)).chain(b.iter().filter(|i| !a.contains(i)));
    let values: BTreeSet<usize> = apart.flat_map(|i| moved(&world.joints()[*i])).collect();
    values.into_iter().collect()
}

/// Looks for an overlap of two bodies of a world that checks them, and for a pose where they are apart.
pub struct Search<'w> {
    checker: Checker<'w>,
    groups: [GroupId; 2],
    geometry: Geometry,
    /// The joint values between them that have a range.
    between: Vec<usize>,
    /// The ends of all ranges.
    lower: Vec<f64>,
    upper: Vec<f64>,
    neutral: Vec<f64>,
    /// The nearest pose, and an upper bound on the distance there.
    nearest: Option<(Vec<f64>, f64)>,
    shown: Shown,
}

impl<'w> Search<'w> {
    /// For a pair; `None` where no pose is within limits, or the pair is not checked.
    pub fn new(world: &'w World, pair: BodyPair, geometry: Geometry) -> Option<Search<'w>> {
        let [a, b] = world.body_names(pair)?;
        let groups = [world.group_by_name(a)?, world.group_by_name(b)?];
        let (lower, upper) = (world.draw_configuration(|| 0.0)?, world.draw_configuration(|| 1.0)?);
        let ranged = |value: &usize| lower[*value] < upper[*value];
        let between = values_between(world, pair).into_iter().filter(ranged).collect();
        Some(Search {
            checker: Checker::new(world),
            groups,
            geometry,
            between,
            lower,
            upper,
            neutral: world.neutral_values(),
            nearest: None,
            shown: Shown::default(),
        })
    }

    /// Asks the poses, until both are found.
    pub fn run(&mut self, poses: &Poses<'_>) -> Shown {
        for values in poses.named {
            let mut pose = self.neutral.clone();
            self.between.iter().for_each(|value| pose[*value] = values[*value]);
            self.look_at_pose(&pose);
        }
        let mut random = Random(poses.seed);
        self.look_at_grid(&mut random);
        // Bodies that no joint moves have one pose.
        for _ in 0..if self.between.is_empty() { 0 } else { poses.random } {
            if self.is_done() {
                break;
            }
            let share = |_| random.unit();
            let shares: Vec<f64> = self.between.iter().map(share).collect();
            self.look_at_pose(&self.pose_at_shares(&shares));
        }
        // An overlap that is everywhere need not be deep.
        if self.shown.overlap.is_none() || self.shown.apart {
            self.descend_from_nearest();
        }
        self.shorten_values();
        self.shown.clone()
    }

    /// The signed distance at a pose where the two are known to overlap.
    pub fn overlap_at(&mut self, values: Vec<f64>) -> Option<Overlap> {
        let interval = self.ask_pose(&values, &Question::distance().margin(0.0))?;
        Some(Overlap { values, interval })
    }

    fn is_done(&self) -> bool {
        self.shown.overlap.is_some() && self.shown.apart
    }

    /// The pose with the joints between the two at these shares of their ranges.
    fn pose_at_shares(&self, shares: &[f64]) -> Vec<f64> {
        let mut pose = self.neutral.clone();
        for (value, share) in self.between.iter().zip(shares) {
            let (lower, upper) = (self.lower[*value], self.upper[*value]);
            pose[*value] = (lower + (upper - lower) * share).clamp(lower, upper);
        }
        pose
    }

    /// Each joint at its ends and in its middle: all such poses, or so many of them drawn.
    fn look_at_grid(&mut self, random: &mut Random) {
        let all = u32::try_from(self.between.len()).ok().and_then(|joints| 3_u32.checked_pow(joints));
        let whole = all.filter(|all| *all <= AUDIT_GRID);
        for k in 0..whole.unwrap_or(AUDIT_GRID) {
            if self.is_done() {
                break;
            }
            let mut digits = k;
            let mut level = || {
                let digit = if whole.is_some() { digits % 3 } else { (3.0 * random.unit()) as u32 };
                digits /= 3;
                0.5 * f64::from(digit)
            };
            let shares: Vec<f64> = self.between.iter().map(|_| level()).collect();
            self.look_at_pose(&self.pose_at_shares(&shares));
        }
    }

    /// The signed distance at a pose; beyond the nearest so far only a bound. `None` where the pose is
    /// refused.
    fn ask_pose(&mut self, pose: &[f64], question: &Question) -> Option<Interval> {
        self.checker.set(pose).ok()?;
        let interval = self.checker.between(self.groups, &question.geometry(self.geometry))?.interval;
        self.shown.poses += 1;
        self.shown.apart |= interval.lower > 0.0;
        Some(interval)
    }

    /// Asks a pose: for the distance until an overlap is found, and then only whether they are apart.
    fn look_at_pose(&mut self, pose: &[f64]) {
        if self.shown.overlap.is_some() {
            self.ask_pose(pose, &Question::test().margin(0.0));
        } else {
            self.measure_pose(pose);
        }
    }

    /// Asks for the distance at a pose, and keeps the nearest; whether it is that.
    fn measure_pose(&mut self, pose: &[f64]) -> bool {
        let nearest = self.nearest.as_ref().map_or(f64::INFINITY, |(_, upper)| *upper);
        let question = Question::distance().margin(0.0).cutoff(nearest.max(0.0));
        let Some(interval) = self.ask_pose(pose, &question) else { return false };
        let nearer = interval.upper < nearest;
        if nearer {
            self.nearest = Some((pose.to_vec(), interval.upper));
            if interval.upper < 0.0 {
                self.shown.overlap = Some(Overlap { values: pose.to_vec(), interval });
            }
        }
        nearer
    }

    /// Goes from the nearest pose to nearer ones.
    fn descend_from_nearest(&mut self) {
        let last = self.shown.poses + AUDIT_DESCENT;
        let mut step = 0.25;
        while step > AUDIT_STEP && !self.between.is_empty() {
            let mut nearer = false;
            for (value, sign) in self.between.clone().into_iter().flat_map(|v| [(v, 1.0), (v, -1.0)]) {
                let Some((mut pose, _)) = self.nearest.clone() else { return };
                if self.shown.poses >= last {
                    return;
                }
                let (lower, upper) = (self.lower[value], self.upper[value]);
                let moved = (pose[value] + sign * step * (upper - lower)).clamp(lower, upper);
                if moved != pose[value] {
                    pose[value] = moved;
                    nearer |= self.measure_pose(&pose);
                }
            }
            if !nearer {
                step *= 0.5;
            }
        }
    }

    /// Rounds the values of the overlap to as few digits as leave half of its depth.
    fn shorten_values(&mut self) {
        let Some(Overlap { values, interval }) = self.shown.overlap.clone() else { return };
        for digits in AUDIT_DIGITS {
            let size = 10_f64.powi(digits);
            let mut pose = values.clone();
            for value in &self.between {
                pose[*value] = (values[*value] * size).round() / size + 0.0;
            }
            let short = self.ask_pose(&pose, &Question::distance().margin(0.0));
            if let Some(short) = short.filter(|short| short.upper < 0.5 * interval.upper) {
                self.shown.overlap = Some(Overlap { values: pose, interval: short });
                return;
            }
        }
    }
}
