//! coulombe20, Table I: is a robot at a random pose in collision with itself, and how long does it take to
//! say so.
//!
//! Its Algorithm 2 on the KUKA LBR iiwa 7 R800 (dense hulls) and the Meca500, epsilon 0, at poses uniform
//! within the joints' limits. The paper's own method is rebuilt ([`crate::rgjk`]) and run beside the engine,
//! pose by pose in turns, kinematics included in every time. The engine's answers are proved, so they judge
//! the others. The paper's times are from a 2.1 GHz Ryzen 5 Pro 3500U and from other, unpublished poses:
//! beside ours they show an order, not a ratio.
//!
//! A second table races the paper's sub-distance and that of signed volumes ([`crate::simplex`]) on simplices
//! as GJK meets them (the newest corner is nearer than all before), flatter from row to row, against the slow
//! reference.

mod report;
mod sub_distances;

pub use report::{MethodReport, PairErrors, Report, RobotReport, SubRow};

use crate::error::LabError;
use crate::limits::{POSES, WARM_UP, WRONG_DISTANCE};
use crate::random::Random;
use crate::rgjk::Model;
use crate::simplex::{CheckedRegions, Regions, SignedVolumes, SubDistance};
use elbowroom::pair::Ask;
use elbowroom::{Checker, Geometry, Interval, Question, Verdict, World};
use elbowroom_files::world::load_world;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;
use sub_distances::race_sub_distances;

/// Where to read, where to write, how much to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of robots; `None`: `../shared/robots`, where it exists.
    pub data: Option<PathBuf>,
    /// Random poses of each robot.
    pub poses: usize,
    /// Which poses.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { data: None, poses: POSES, seed: 20 }
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
pub fn run(options: &Options) -> Result<Report, LabError> {
    let data = data_folder(options)?;
    let mut robots = Vec::new();
    for subject in &SUBJECTS {
        let world = load(&data, subject)?;
        robots.push(measure(subject, &world, options)?);
    }
    let report = Report { robots, sub: race_sub_distances(options.seed) };
    Ok(report)
}

fn data_folder(options: &Options) -> Result<PathBuf, LabError> {
    let folder = options.data.clone().unwrap_or_else(|| PathBuf::from("../shared/robots"));
    if folder.is_dir() { Ok(folder) } else { Err(LabError::NoData(folder)) }
}

fn load(data: &Path, subject: &Subject) -> Result<World, LabError> {
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

/// The names of the methods, in the order in which they are run.
const METHODS: [&str; 7] = [
    "RGJK, to the letter",
    "RGJK, checked",
    "RGJK, signed volumes",
    "elbowroom, test",
    "elbowroom, distance",
    "elbowroom, all pairs",
    "kinematics alone",
];

fn measure(subject: &Subject, world: &World, options: &Options) -> Result<RobotReport, LabError> {
    let wrong = |why: &str| LabError::Robot { robot: subject.name, why: why.into() };
    let mut model = Model::new(world).ok_or_else(|| wrong("has shapes that are not meshes"))?;
    if world.limits().len() != world.value_names().len() {
        return Err(wrong("has joints without limits"));
    }
    let mut random = Random(options.seed);
    let mut draw = || -> Vec<f64> { world.limits().iter().map(|l| random.range(l.lower, l.upper)).collect() };
    let hulls = Question::distance().geometry(Geometry::Hull);
    let test = hulls.asking(Ask::Test);
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
    // A checker each, so that no method profits from what another left behind.
    let mut checkers = METHODS.map(|_| Checker::new(world));
    let mut intervals = vec![Interval::nothing(Geometry::Hull); world.pairs().len()];
    let warm_up = WARM_UP.min(options.poses);
    for k in 0..options.poses.saturating_add(warm_up) {
        let q = draw();
        let mut times = [0.0; METHODS.len()];
        let mut said = [None; METHODS.len()];
        let mut proved = (Verdict::Unknown, 0.0);
        for (m, checker) in checkers.iter_mut().enumerate() {
            let start = Instant::now();
            checker.set(&q).map_err(|e| LabError::Robot { robot: subject.name, why: e.to_string() })?;
            match m {
                0..=2 => {
                    model.update(checker);
                    let hit = match m {
                        0 => model.collides(0.0, Regions),
                        1 => model.collides(0.0, CheckedRegions),
                        _ => model.collides(0.0, SignedVolumes),
                    };
                    said[m] = Some(black_box(hit));
                }
                3 => said[m] = collides(checker.nearest(&test).verdict),
                4 => {
                    let answer = checker.nearest(&hulls);
                    proved = (answer.verdict, answer.distance);
                    said[m] = collides(answer.verdict);
                }
                5 => {
                    let answer = checker.all_pairs(&hulls, |pair| {
                        intervals[pair.pair.index()] = pair.interval;
                    });
                    said[m] = collides(answer.verdict);
                }
                _ => _ = black_box(&checker),
            }
            times[m] = start.elapsed().as_nanos() as f64 * 1e-3;
        }
        if k < warm_up {
            continue;
        }
        let (verdict, distance) = proved;
        report.colliding += usize::from(verdict == Verdict::Collision);
        report.unknown += usize::from(collides(verdict).is_none());
        for ((method, time), said) in report.methods.iter_mut().zip(times).zip(said) {
            method.times_us.push(time);
            if let Some(hit) = said {
                method.says(hit, verdict, distance);
            }
        }
        report.errors[0].add(world, &model, Regions, &intervals);
        report.errors[1].add(world, &model, CheckedRegions, &intervals);
        report.errors[2].add(world, &model, SignedVolumes, &intervals);
    }
    Ok(report)
}

/// `None` where nothing was proved.
fn collides(verdict: Verdict) -> Option<bool> {
    match verdict {
        Verdict::Collision => Some(true),
        Verdict::Clear | Verdict::Near => Some(false),
        Verdict::ExpectedContact | Verdict::Unknown => None,
    }
}

impl PairErrors {
    /// Every pair of bodies at the model's pose against the proved intervals of signed distance.
    fn add(&mut self, world: &World, model: &Model, sub: impl SubDistance, intervals: &[Interval]) {
        let mut found = vec![f64::INFINITY; world.pairs().len()];
        for k in 0..model.pair_count() {
            let d = model.distance(k, sub);
            self.capped += usize::from(d.capped);
            let [a, b] = model.bodies(k);
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
