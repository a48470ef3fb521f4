//! coulombe20, Table I: is a robot at a random pose in collision with itself, and how long does it take to
//! say so.
//!
//! Its Algorithm 2 on the KUKA LBR iiwa 7 R800 (dense hulls) and the Meca500, epsilon 0, at poses uniform
//! within the joints' limits. The paper's own method is rebuilt ([`crate::rgjk`]) and run beside the engine,
//! pose by pose in turns, kinematics included in every time. The engine's answers are proved, so they judge
//! the others. The paper's times are from a 2.1 GHz Ryzen 5 Pro 3500U and from other, unpublished poses:
//! beside ours they show an order, not a ratio.
//!
//! Its claim is that a pose takes less than a millisecond, so the worst pose is told too: by the clock, which
//! on a machine with other work shows that work; asked again, which does not; and by counts of pairs and
//! steps. FCL, as the paper may have run it, is a peer: `bench/peers/fcl_obb.cpp`.
//!
//! A second table races the paper's sub-distance and that of signed volumes ([`crate::simplex`]) on simplices
//! as GJK meets them (the newest corner is nearer than all before), flatter from row to row, against the slow
//! reference.

mod methods;
mod report;
mod sub_distances;

pub use report::{Coulombe20Report, MethodReport, PairErrors, RobotReport, SubRow};

use crate::error::LabError;
use crate::limits::{AGAIN, POSES, SLOWEST, WARM_UP, WRONG_DISTANCE};
use crate::median::median;
use crate::rgjk::Model;
use crate::simplex::{CheckedRegions, Regions, SignedVolumes, SubDistance};
use elbowroom::math::Random;
use elbowroom::{Interval, Verdict, World};
use elbowroom_files::world::load_world;
use methods::{METHODS, Methods, PROVES, verdict_collides};
use std::path::{Path, PathBuf};
use sub_distances::race_sub_distances;

/// Where to read, where to write, how much to do.
#[derive(Clone, Debug)]
pub struct Coulombe20Options {
    /// The folder of robots; `None`: `../shared/robots`, where it exists.
    pub data: Option<PathBuf>,
    /// Random poses of each robot.
    pub poses: usize,
    /// Which poses.
    pub seed: u64,
}

impl Default for Coulombe20Options {
    fn default() -> Coulombe20Options {
        Coulombe20Options { data: None, poses: POSES, seed: 20 }
    }
}

/// A robot of the experiment, and the row of the paper's Table I: mean and standard deviation (milliseconds).
struct Subject {
    name: &'static str,
    urdf: &'static str,
    fcl_ms: [f64; 2],
    paper_ms: [f64; 2],
}

const SUBJECTS: [Subject; 2] = [
    Subject {
        name: "Meca500",
        urdf: "mecademic_meca500_r3/meca_500_r3.urdf",
        fcl_ms: [7.093, 0.649],
        paper_ms: [0.057, 0.012],
    },
    Subject {
        name: "KUKA LBR iiwa 7 R800",
        urdf: "kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf",
        fcl_ms: [214.935, 76.427],
        paper_ms: [0.173, 0.015],
    },
];

/// Runs the experiment.
///
/// # Errors
/// Data missing or unreadable.
pub fn run(options: &Coulombe20Options) -> Result<Coulombe20Report, LabError> {
    let data = data_folder(options)?;
    let mut robots = Vec::new();
    for subject in &SUBJECTS {
        let world = load_robot(&data, subject)?;
        robots.push(measure_robot(subject, &world, options)?);
    }
    let report = Coulombe20Report { robots, sub: race_sub_distances(options.seed) };
    Ok(report)
}

fn data_folder(options: &Coulombe20Options) -> Result<PathBuf, LabError> {
    let folder = options.data.clone().unwrap_or_else(|| PathBuf::from("../shared/robots"));
    if folder.is_dir() { Ok(folder) } else { Err(LabError::NoData(folder)) }
}

fn load_robot(data: &Path, subject: &Subject) -> Result<World, LabError> {
    let urdf = data.join(subject.urdf);
    if !urdf.is_file() {
        return Err(LabError::NoData(urdf));
    }
    let options = elbowroom_files::Options { no_srdf: true, ..elbowroom_files::Options::default() };
    let world = load_world(&urdf, &options)?.value;
    World::compile(&world).map_err(|faults| {
        let why = faults.iter().map(|f| f.to_string()).collect::<Vec<_>>().join("; ");
        LabError::Robot { robot: subject.name, why }
    })
}

fn measure_robot(
    subject: &Subject,
    world: &World,
    options: &Coulombe20Options,
) -> Result<RobotReport, LabError> {
    let wrong = |why: &str| LabError::Robot { robot: subject.name, why: why.into() };
    if world.limits().len() != world.dof_names().len() {
        return Err(wrong("has joints without limits"));
    }
    let mut random = Random(options.seed);
    let mut draw = || -> Vec<f64> { world.limits().iter().map(|l| random.range(l.lower, l.upper)).collect() };
    let mut report = RobotReport {
        name: subject.name,
        poses: options.poses,
        pairs: world.pairs().len(),
        paper_us: [subject.fcl_ms, subject.paper_ms].map(|row| row.map(|ms| ms * 1e3)),
        colliding: 0,
        unknown: 0,
        methods: METHODS.map(MethodReport::new).to_vec(),
        errors: [PairErrors::default(); 3],
    };
    let mut methods = Methods::new(subject.name, world)?;
    let mut poses = Vec::with_capacity(options.poses);
    let warm_up = WARM_UP.min(options.poses);
    for k in 0..options.poses.saturating_add(warm_up) {
        let q = draw();
        let mut asked = Vec::with_capacity(METHODS.len());
        for m in 0..METHODS.len() {
            asked.push(methods.ask_method(m, &q)?);
        }
        if k < warm_up {
            continue;
        }
        let (verdict, distance) = asked[PROVES].proved;
        report.colliding += usize::from(verdict == Verdict::Collision);
        report.unknown += usize::from(verdict_collides(verdict).is_none());
        for (method, asked) in report.methods.iter_mut().zip(&asked) {
            method.times_us.push(asked.us);
            method.most_steps = method.most_steps.max(asked.steps);
            method.most_pairs = method.most_pairs.max(asked.pairs);
            if let Some(hit) = asked.said {
                method.add_answer(hit, verdict, distance);
            }
        }
        let Methods { model, intervals, .. } = &methods;
        report.errors[0].add(world, model, Regions, intervals);
        report.errors[1].add(world, model, CheckedRegions, intervals);
        report.errors[2].add(world, model, SignedVolumes, intervals);
        poses.push(q);
    }
    for m in 0..METHODS.len() {
        report.methods[m].slowest_us =
            measure_slowest_pose(&mut methods, m, &report.methods[m].times_us, &poses)?;
    }
    Ok(report)
}

/// The time of the slowest pose, without what else the machine did: the slowest [`SLOWEST`] by the clock are
/// asked [`AGAIN`] times more, the median of each counts, and the longest of these is it (microseconds).
fn measure_slowest_pose(
    methods: &mut Methods,
    m: usize,
    times_us: &[f64],
    poses: &[Vec<f64>],
) -> Result<f64, LabError> {
    let mut order: Vec<usize> = (0..poses.len()).collect();
    order.sort_unstable_by(|a, b| times_us[*b].total_cmp(&times_us[*a]));
    let mut longest = 0.0_f64;
    for k in order.into_iter().take(SLOWEST) {
        let mut again = Vec::with_capacity(AGAIN);
        for _ in 0..AGAIN {
            // A method that starts from the pose before would know the answer.
            methods.forget_pose(m);
            again.push(methods.ask_method(m, &poses[k])?.us);
        }
        longest = longest.max(median(again));
    }
    Ok(longest)
}

impl PairErrors {
    /// Every pair of bodies at the model's pose against the proved intervals of signed distance.
    fn add(&mut self, world: &World, model: &Model, sub: impl SubDistance, intervals: &[Interval]) {
        let mut found = vec![f64::INFINITY; world.pairs().len()];
        for k in 0..model.pair_count() {
            let d = model.pair_distance(k, sub);
            self.capped += usize::from(d.capped);
            let [a, b] = model.pair_bodies(k);
            if let Some(elbowroom::world::PairStatus::Checked(id)) = world.status(a, b) {
                found[id.index()] = found[id.index()].min(d.distance);
            }
        }
        for (d, Interval { lower, upper, .. }) in found.iter().zip(intervals) {
            self.asked += 1;
            // It knows no depth: overlap is distance 0.
            let error = (lower.max(0.0) - d).max(d - upper.max(0.0));
            if error.is_nan() || error > WRONG_DISTANCE {
                self.wrong += 1;
                self.worst = self.worst.max(error);
            }
        }
    }
}
