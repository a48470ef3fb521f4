//! coulombe20, Table I: is a robot at a random pose in collision with itself, and how long does it take to say so.
//!
//! Its Algorithm 2 on the KUKA LBR iiwa 7 R800 (dense hulls) and the Meca500, epsilon 0, at poses uniform within the
//! joints' limits. The paper's own method is rebuilt ([`crate::rgjk`]) and run beside the engine, pose by pose in turns,
//! kinematics included in every time. The engine's answers are proved, so they judge the others. The paper's times
//! are from a 2.1 GHz Ryzen 5 Pro 3500U and from other, unpublished poses: beside ours they show an order, not a ratio.
//!
//! A second table races the paper's sub-distance and that of signed volumes ([`crate::simplex`]) on simplices as GJK
//! meets them (the newest corner is nearer than all before), flatter from row to row, against the slow reference.

use crate::limits::{POSES, SIMPLICES, WARM_UP, WRONG_DISTANCE};
use crate::random::Random;
use crate::rgjk::Model;
use crate::simplex::{CheckedRegions, Corner, Regions, SignedVolumes, Simplex, SubDistance};
use elbowroom::check::{self, all_pairs, smallest};
use elbowroom::compile::compile;
use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Transform, Vec3};
use elbowroom::narrow::{Ask, Geometry};
use elbowroom::pose::Pose;
use elbowroom::reference;
use elbowroom::verdict::Verdict;
use elbowroom::world::World;
use elbowroom_files::world::load_world;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Where to read, where to write, how much to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of robots; `None`: `../shared/robots`, where it exists.
    pub data: Option<PathBuf>,
    /// Where the CSV and SVG files go; `None`: nowhere.
    pub out: Option<PathBuf>,
    /// Random poses of each robot.
    pub poses: usize,
    /// Which poses.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { data: None, out: None, poses: POSES, seed: 20 }
    }
}

/// Why the experiment could not be run.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// There is no such folder or file.
    #[error(
        "{} is missing: --data DIR names a folder that holds kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf and \
         mecademic_meca500_r3/meca_500_r3.urdf with the packages of their meshes beside them (from the ROS-Industrial \
         package kuka_experimental, pull request 117, and Mecademic's ROS package)",
        .0.display()
    )]
    NoData(PathBuf),
    /// The robot cannot be read.
    #[error("{0}")]
    Files(#[from] elbowroom_files::Faults),
    /// The robot cannot be compiled, or is not one for this experiment.
    #[error("{robot}: {why}")]
    Robot {
        /// Which.
        robot: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// A figure could not be drawn.
    #[error("a figure could not be drawn: {0}")]
    Figure(String),
    /// A file could not be written.
    #[error("cannot write {}: {why}", .file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The system's words.
        why: std::io::Error,
    },
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

/// What one method did.
#[derive(Clone, Debug)]
pub struct MethodReport {
    /// What it is called.
    pub name: &'static str,
    /// Microseconds of every pose, in order.
    pub times_us: Vec<f64>,
    /// Poses it says collide; `None` where it does not say.
    pub colliding: Option<usize>,
    /// Poses at which it says other than what is proved.
    pub disagreements: usize,
    /// The largest proved |distance| at which it does so (metres; 0 without any).
    pub worst: f64,
}

impl MethodReport {
    fn new(name: &'static str) -> MethodReport {
        MethodReport { name, times_us: Vec::new(), colliding: None, disagreements: 0, worst: 0.0 }
    }

    /// Mean and standard deviation (microseconds).
    pub fn mean(&self) -> [f64; 2] {
        let n = self.times_us.len().max(1) as f64;
        let mean = self.times_us.iter().sum::<f64>() / n;
        let variance = self.times_us.iter().map(|t| (t - mean) * (t - mean)).sum::<f64>() / n;
        [mean, variance.sqrt()]
    }

    /// Half the poses take at most this (microseconds).
    pub fn median(&self) -> f64 {
        let mut sorted = self.times_us.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
    }

    fn says(&mut self, colliding: bool, proved: Verdict, distance: f64) {
        *self.colliding.get_or_insert(0) += usize::from(colliding);
        let wrong = match proved {
            Verdict::Collision => !colliding,
            Verdict::Clear => colliding,
            _ => false,
        };
        if wrong {
            self.disagreements += 1;
            self.worst = self.worst.max(distance.abs());
        }
    }
}

/// What was wrong with distances of pairs by the paper's method, all pairs of all poses.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairErrors {
    /// Pairs asked.
    pub asked: usize,
    /// Answers farther than [`WRONG_DISTANCE`] outside the proved interval.
    pub wrong: usize,
    /// The farthest of them (metres).
    pub worst: f64,
    /// Searches that were given up.
    pub capped: usize,
}

/// One robot.
#[derive(Clone, Debug)]
pub struct RobotReport {
    /// Its name.
    pub name: &'static str,
    /// How many poses.
    pub poses: usize,
    /// How many pairs of links are checked.
    pub pairs: usize,
    /// The paper's times for FCL and its own method: mean and standard deviation (microseconds).
    pub paper_us: [[f64; 2]; 2],
    /// Proved to collide.
    pub colliding: usize,
    /// Proved neither way.
    pub unknown: usize,
    /// The methods, the paper's first.
    pub methods: Vec<MethodReport>,
    /// Its distances with its own sub-distance, with that one checked, and with signed volumes.
    pub errors: [PairErrors; 3],
}

/// Sub-distances on simplices of one kind.
#[derive(Clone, Copy, Debug)]
pub struct SubRow {
    /// Corners of the simplices.
    pub corners: usize,
    /// The older corners are as flat too: a short line, a needle.
    pub needle: bool,
    /// How flat: progress of the newest corner over the size of the simplex.
    pub flatness: f64,
    /// Worst relative error of the length: the paper's, the paper's checked, signed volumes.
    pub worst: [f64; 3],
    /// How often each says inside when it is outside, or has no number.
    pub lost: [usize; 3],
    /// Nanoseconds a simplex.
    pub ns: [f64; 3],
}

/// Both tables.
#[derive(Clone, Debug)]
pub struct Report {
    /// The robots in the paper's order.
    pub robots: Vec<RobotReport>,
    /// The sub-distances.
    pub sub: Vec<SubRow>,
}

/// Runs the experiment and writes its files.
///
/// # Errors
/// Data missing or unreadable, files that cannot be written.
pub fn run(options: &Options) -> Result<Report, LabError> {
    let data = data_folder(options)?;
    let mut robots = Vec::new();
    for subject in &SUBJECTS {
        let world = load(&data, subject)?;
        robots.push(measure(subject, &world, options)?);
    }
    let report = Report { robots, sub: race_sub_distances(options.seed) };
    if let Some(out) = &options.out {
        report.write(out)?;
    }
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
    compile(&world).map_err(|faults| {
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
    let hulls = check::Options { geometry: Geometry::Hull, ..check::Options::default() };
    let test = check::Options { ask: Ask::Test, ..hulls };
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
    // A pose each, so that no method profits from what another left behind.
    let mut poses = METHODS.map(|_| Pose::new(world));
    let mut intervals = vec![(0.0, 0.0); world.pairs().len()];
    for k in 0..options.poses + WARM_UP.min(options.poses) {
        let q = draw();
        let mut times = [0.0; METHODS.len()];
        let mut said = [None; METHODS.len()];
        let mut proved = (Verdict::Unknown, 0.0);
        for (m, pose) in poses.iter_mut().enumerate() {
            let start = Instant::now();
            pose.set(world, &q).map_err(|e| LabError::Robot { robot: subject.name, why: e.to_string() })?;
            match m {
                0..=2 => {
                    model.update(world, pose);
                    let hit = match m {
                        0 => model.collides(0.0, Regions),
                        1 => model.collides(0.0, CheckedRegions),
                        _ => model.collides(0.0, SignedVolumes),
                    };
                    said[m] = Some(black_box(hit));
                }
                3 => said[m] = collides(smallest(world, pose, &test).verdict),
                4 => {
                    let found = smallest(world, pose, &hulls);
                    proved = (found.verdict, found.distance);
                    said[m] = collides(found.verdict);
                }
                5 => {
                    let found = all_pairs(world, pose, &hulls, |pair| {
                        intervals[pair.pair.index()] = (pair.lower, pair.upper);
                    });
                    said[m] = collides(found.verdict);
                }
                _ => _ = black_box(&pose),
            }
            times[m] = start.elapsed().as_nanos() as f64 * 1e-3;
        }
        if k < WARM_UP.min(options.poses) {
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
    fn add(&mut self, world: &World, model: &Model, sub: impl SubDistance, intervals: &[(f64, f64)]) {
        let mut found = vec![f64::INFINITY; world.pairs().len()];
        for k in 0..model.pair_count() {
            let d = model.distance(k, sub);
            self.capped += usize::from(d.capped);
            let [a, b] = model.bodies(k);
            if let Some(elbowroom::pairs::PairStatus::Checked(id)) = world.status(a, b) {
                found[id.index()] = found[id.index()].min(d.distance);
            }
        }
        for (d, (lower, upper)) in found.iter().zip(intervals) {
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

// ---- Sub-distances --------------------------------------------------------------------------------------------

/// A simplex as GJK meets it: the origin projects into the older corners' feature at distance 1, and the newest
/// corner is `flatness` nearer to the origin's side, somewhere beside it.
fn simplex_of(random: &mut Random, corners: usize, flatness: f64, needle: bool) -> Vec<Vec3> {
    let n = random.direction();
    let u = n.cross(random.direction()).normalized().unwrap_or(n.any_perpendicular());
    let w = n.cross(u);
    // What the older corners are spread along.
    let thin = if needle { flatness } else { 1.0 };
    let (near, across) = (u * thin, w * thin);
    let mut points = Vec::new();
    match corners {
        2 => points.push(n),
        3 => {
            let [s, t] = [random.range(0.1, 1.0), random.range(0.1, 1.0)];
            points.extend([n + near * s, n - near * t]);
        }
        _ => {
            for k in 0..3 {
                let (s, c) = elbowroom::math::sin_cos(f64::from(k) * 2.1 + random.range(-0.4, 0.4));
                points.push(n + (u * c + across * s) * random.range(0.3, 1.0));
            }
        }
    }
    // Nearer by `flatness`, or less where the line to it would make no progress.
    let beside = (u * random.range(-1.0, 1.0) + w * random.range(-1.0, 1.0))
        * if corners == 2 { flatness } else { 1.0 };
    points.insert(0, n * (1.0 - 0.5 * flatness) + beside);
    points
}

fn race_sub_distances(seed: u64) -> Vec<SubRow> {
    let mut rows = Vec::new();
    let mut random = Random(seed ^ 0x51);
    for corners in 2..=4 {
        for needle in [false, true].into_iter().take(corners - 1) {
            for flatness in [1.0, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
                rows.push(sub_row(&mut random, corners, flatness, needle));
            }
        }
    }
    rows
}

fn sub_row(random: &mut Random, corners: usize, flatness: f64, needle: bool) -> SubRow {
    let mut row = SubRow { corners, needle, flatness, worst: [0.0; 3], lost: [0; 3], ns: [0.0; 3] };
    let mut simplices = Vec::new();
    let origin = ShapeDescription::Convex { vertices: vec![[0.0; 3]] };
    for _ in 0..SIMPLICES {
        let points = simplex_of(random, corners, flatness, needle);
        let all = ShapeDescription::Convex { vertices: points.iter().map(|p| p.to_array()).collect() };
        let Some(truth) = reference::truth(&all, 0.0, &origin, 0.0, &Transform::IDENTITY) else { continue };
        let corners: Vec<Corner> = points.iter().map(|p| Corner { point: *p, of: [0; 2] }).collect();
        let simplex = Simplex::new(&corners);
        simplices.push(simplex);
        // Inside, or too close to tell: no length to compare.
        if truth.lower < 1e-6 {
            continue;
        }
        let distance = 0.5 * (truth.lower + truth.upper);
        let all =
            [Regions.nearest(&simplex), CheckedRegions.nearest(&simplex), SignedVolumes.nearest(&simplex)];
        for (k, found) in all.iter().enumerate() {
            let error = (found.v.norm() - distance).abs() / distance;
            if found.inside || !error.is_finite() {
                row.lost[k] += 1;
            } else {
                row.worst[k] = row.worst[k].max(error);
            }
        }
    }
    row.ns = [
        time_sub(&simplices, Regions),
        time_sub(&simplices, CheckedRegions),
        time_sub(&simplices, SignedVolumes),
    ];
    row
}

/// Nanoseconds a simplex: the best of several rounds.
fn time_sub(simplices: &[Simplex], sub: impl SubDistance) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let start = Instant::now();
        for simplex in simplices {
            black_box(sub.nearest(black_box(simplex)));
        }
        best = best.min(start.elapsed().as_nanos() as f64 / simplices.len().max(1) as f64);
    }
    best
}

// ---- What is written ------------------------------------------------------------------------------------------

impl Report {
    /// Both tables, for people.
    pub fn text(&self) -> String {
        let mut t =
            String::from("coulombe20, Table I: self-collision at random poses, microseconds a pose\n");
        for robot in &self.robots {
            let _ = writeln!(
                t,
                "\n{}: {} poses, {} pairs of links; proved: {} collide, {} clear, {} unknown",
                robot.name,
                robot.poses,
                robot.pairs,
                robot.colliding,
                robot.poses - robot.colliding - robot.unknown,
                robot.unknown
            );
            let _ = writeln!(
                t,
                "  {:<24} {:>10} {:>10} {:>10} {:>9} {:>9} {:>11}",
                "", "mean", "std dev", "median", "collide", "differ", "at most by"
            );
            for (name, [mean, deviation]) in
                ["the paper: FCL", "the paper: its method"].iter().zip(robot.paper_us)
            {
                let _ = writeln!(t, "  {name:<24} {mean:>10.2} {deviation:>10.2}");
            }
            for m in &robot.methods {
                let [mean, deviation] = m.mean();
                let _ = write!(t, "  {:<24} {mean:>10.2} {deviation:>10.2} {:>10.2}", m.name, m.median());
                if let Some(colliding) = m.colliding {
                    let _ = write!(t, " {colliding:>9} {:>9} {:>9.1e} m", m.disagreements, m.worst);
                }
                t.push('\n');
            }
            for (e, name) in robot.errors.iter().zip([
                "its own sub-distance",
                "progress and faces checked",
                "signed volumes",
            ]) {
                let _ = writeln!(
                    t,
                    "  RGJK with {name}: {} of {} pair distances wrong by more than {WRONG_DISTANCE:.0e} m (worst {:.1e} m), {} given up",
                    e.wrong, e.asked, e.worst, e.capped
                );
            }
        }
        t += "\nSub-distances on simplices as GJK meets them, against the reference\n";
        let _ = writeln!(
            t,
            "  {:>7} {:>6} {:>8}  {:>32}  {:>17}  {:>26}",
            "corners",
            "kind",
            "flatness",
            "error: letter, checked, volumes",
            "lost: the same",
            "nanoseconds: the same"
        );
        for r in &self.sub {
            let _ = write!(
                t,
                "  {:>7} {:>6} {:>8.0e} ",
                r.corners,
                if r.needle { "needle" } else { "flat" },
                r.flatness
            );
            r.worst.iter().for_each(|e| _ = write!(t, " {e:>10.1e}"));
            t.push(' ');
            r.lost.iter().for_each(|n| _ = write!(t, " {n:>5}"));
            t.push(' ');
            r.ns.iter().for_each(|ns| _ = write!(t, " {ns:>8.1}"));
            t.push('\n');
        }
        let _ = writeln!(
            t,
            "  Error: worst relative error of the length of {SIMPLICES} simplices; lost: said inside, or no number, where the origin is outside."
        );
        t
    }

    /// The first table as CSV: one row a robot and method; times in microseconds, lengths in metres.
    pub fn csv(&self) -> String {
        let mut t = String::from(
            "robot,method,poses,mean_us,std_us,median_us,colliding,disagreements,worst_disagreement_m\n",
        );
        for robot in &self.robots {
            for (name, [mean, deviation]) in ["paper FCL", "paper RGJK"].iter().zip(robot.paper_us) {
                let _ = writeln!(t, "{},{name},20000,{mean},{deviation},,,,", robot.name);
            }
            for m in &robot.methods {
                let [mean, deviation] = m.mean();
                let colliding = m.colliding.map(|n| n.to_string()).unwrap_or_default();
                let _ = writeln!(
                    t,
                    "{},\"{}\",{},{mean:.4},{deviation:.4},{:.4},{colliding},{},{:e}",
                    robot.name,
                    m.name,
                    robot.poses,
                    m.median(),
                    m.disagreements,
                    m.worst
                );
            }
        }
        t
    }

    /// The second table as CSV.
    pub fn sub_csv(&self) -> String {
        let mut t = String::from("corners,needle,flatness,method,worst_error,lost,ns\n");
        for r in &self.sub {
            for (k, method) in ["letter", "checked", "volumes"].iter().enumerate() {
                let _ = writeln!(
                    t,
                    "{},{},{:e},{method},{:e},{},{:.1}",
                    r.corners, r.needle, r.flatness, r.worst[k], r.lost[k], r.ns[k]
                );
            }
        }
        t
    }

    /// Writes `coulombe20.csv`, `coulombe20_subdistance.csv`, `coulombe20.txt` and one SVG a robot into a folder.
    ///
    /// # Errors
    /// A file cannot be written, or a figure cannot be drawn.
    pub fn write(&self, out: &Path) -> Result<(), LabError> {
        let failed = |file: &Path| {
            let file = file.to_path_buf();
            move |why| LabError::Write { file, why }
        };
        std::fs::create_dir_all(out).map_err(failed(out))?;
        let mut files = vec![
            ("coulombe20.csv".to_string(), self.csv()),
            ("coulombe20_subdistance.csv".to_string(), self.sub_csv()),
            ("coulombe20.txt".to_string(), self.text()),
        ];
        for robot in &self.robots {
            let name = robot.name.to_lowercase().replace(' ', "_");
            files.push((format!("coulombe20_{name}.svg"), crate::figure::times(robot)?));
        }
        for (name, text) in files {
            let file = out.join(name);
            std::fs::write(&file, text).map_err(failed(&file))?;
        }
        Ok(())
    }
}
