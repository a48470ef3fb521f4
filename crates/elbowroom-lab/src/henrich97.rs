//! henrich97, sections 2 and 4 on one processor: distances of a Puma 260 to cells of seven to a thousand objects.
//!
//! The paper's sequential system is rebuilt ([`System`]) and run beside the engine: on BOTTLENECK, on cells of 40, 60,
//! 80, 100 and 157 objects, and on two of 1,000, along the path of 119 configurations, again and again; with each of the three ends, with
//! r-cylinders and without. Kinematics are in every time. Robot, path and cells are ours: the paper's were never published.
//!
//! The paper got its 1,000 objects (WBK1000) by reading the hundred again and again, so they lie on each other: that is one of
//! the two cells here. In the other, a thousand stand side by side as densely as the hundred.
//!
//! Times are also apart for poses without and with collision: there the paper's system ends at the first collision that it finds, while the
//! engine's distance goes on to the deepest and proves how deep it is. What the system says is held against the engine's proved interval at every pose ([`MethodReport::disagreements`]). Times
//! are medians over walks of the path; only the breakdown of work does as the paper did, and repeats each configuration.

mod breakdown;
mod cells;
mod report;
mod system;

pub use breakdown::{Breakdown, Row};
pub use cells::industrial;
pub use report::{MethodReport, Report, SceneReport};
pub use system::{Answer, Computed, Counts, Stop, System};

use crate::error::LabError;
use crate::limits::{CELL_SEED, OBJECTS, ROUNDS, WRONG_DISTANCE};
use crate::parts::{self, Part, compiled, obstacle, wrong};
use elbowroom::Checker;
use elbowroom::bounds::AlignedBox;
use elbowroom::check::{self, smallest};
use elbowroom::describe::WorldDescription;
use elbowroom::hierarchy::{Cost, KeepStructures, Structures, Tree};
use elbowroom::id::{BodyId, RobotId};
use elbowroom::math::Vec3;
use elbowroom::narrow::{Ask, Query, Scratch, Warm, clearance};
use elbowroom::pairs::PairStatus;
use elbowroom::world::World;
use elbowroom_files::motion::{Joints, load_motion, mimics};
use elbowroom_files::world::load_world;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Where to read, where to write, how much to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of robots, with `puma260` in it; `None`: `robots`.
    pub data: Option<PathBuf>,
    /// Where the CSV and SVG files go; `None`: nowhere.
    pub out: Option<PathBuf>,
    /// How often each configuration is asked by each method.
    pub rounds: usize,
    /// Which generated cells.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { data: None, out: None, rounds: ROUNDS, seed: CELL_SEED }
    }
}

/// The robot, BOTTLENECK and the path.
pub struct Puma {
    /// The cell with the robot, its meshes as hulls; checked is the robot against the cell.
    pub cell: WorldDescription,
    /// The robot alone.
    pub world: World,
    /// Its ten parts.
    pub parts: Vec<Part>,
    /// The objects of BOTTLENECK by their corners (metres).
    pub bottleneck: Vec<Vec<Vec3>>,
    /// The path (radians).
    pub path: Vec<Vec<f64>>,
}

impl Puma {
    /// Reads `puma260/bottleneck.toml` and `puma260/path.csv` in a folder.
    ///
    /// # Errors
    /// They are not there or cannot be read.
    pub fn load(data: Option<&Path>) -> Result<Puma, LabError> {
        let folder = data.unwrap_or(Path::new("robots")).join("puma260");
        let (toml, csv) = (folder.join("bottleneck.toml"), folder.join("path.csv"));
        if let Some(missing) = [&toml, &csv].into_iter().find(|f| !f.is_file()) {
            return Err(LabError::NoPuma(missing.clone()));
        }
        let options = elbowroom_files::Options::default();
        let mut cell = load_world(&toml, &options)?.value;
        let Some(placed) = cell.robots.first_mut() else { return Err(wrong("the cell has no robot")) };
        parts::as_hulls(&mut placed.robot);
        cell.checks = vec![[placed.name.clone(), "world".into()]];
        let world = compiled(&cell)?;
        let (bottleneck, parts) = (parts::obstacles(&world)?, parts::parts(&world, Some(RobotId(0)))?);
        let joints = Joints { names: world.value_names(), mimics: &mimics(&world) };
        let path = load_motion(&csv, joints, &options)?.value.rows;
        if path.is_empty() || parts.is_empty() {
            return Err(wrong("there is no part, or no pose"));
        }
        cell.obstacles.clear();
        let world = compiled(&WorldDescription { checks: Vec::new(), ..cell.clone() })?;
        Ok(Puma { cell, world, parts, bottleneck, path })
    }

    /// The robot in a cell of these objects, for the engine.
    ///
    /// # Errors
    /// An object is not one.
    pub fn among(&self, objects: &[Vec<Vec3>]) -> Result<World, LabError> {
        let named = objects.iter().enumerate().map(|(i, o)| obstacle(format!("o{i}"), o));
        compiled(&WorldDescription { obstacles: named.collect(), ..self.cell.clone() })
    }

    /// The robot's hierarchy: the structure that is best most often along the path.
    ///
    /// # Errors
    /// A pose of the path is none.
    pub fn hierarchy(&self) -> Result<Tree, LabError> {
        let mut pose = Checker::new(&self.world);
        let mut failed = None;
        let sample = |k: u64, boxes: &mut [AlignedBox]| {
            let Some(q) = self.path.get(k as usize) else { return false };
            failed = failed.take().or(pose.set(&self.world, q).err());
            for (b, part) in boxes.iter_mut().zip(&self.parts) {
                let at = parts::place(&self.world, &pose, part);
                *b = parts::box_of_capsule(&part.capsule.moved(&at, 0.0));
            }
            true
        };
        let keep = KeepStructures { most: 1, ..KeepStructures::default() };
        let found = Structures::sample(self.parts.len(), Cost::Diameter, keep, sample);
        match (found, failed) {
            (Some(structures), None) => Ok(structures.trees()[0].clone()),
            (_, Some(e)) => Err(wrong(&e.to_string())),
            (None, None) => Err(wrong("too many parts")),
        }
    }
}

/// The engine's answer for all parts: of a world, links that do not move against the cell are no pairs, so theirs are computed once.
pub struct Truth {
    base: [f64; 2],
}

impl Truth {
    /// For a world of one robot in a cell, or of two robots.
    pub fn new(world: &World) -> Truth {
        let pose = Checker::new(world);
        let (mut warm, mut scratch) = (Warm::default(), Scratch::new(0));
        let mut base = [f64::INFINITY; 2];
        let at = |b: BodyId| pose.body_in_world(world, b).unwrap_or(elbowroom::math::Transform::IDENTITY);
        let group = |b: BodyId| world.bodies()[b.index()].robot;
        for (i, a) in world.shapes().iter().enumerate() {
            for b in world.shapes()[i + 1..].iter().filter(|b| group(a.body) != group(b.body)) {
                if let Some(PairStatus::Allowed(_)) = world.status(a.body, b.body) {
                    let place = at(a.body) * a.shape_in_body();
                    let b_in_a = place.relative(&(at(b.body) * b.shape_in_body()));
                    let c =
                        clearance(&a.shape, &b.shape, &b_in_a, &Query::default(), &mut warm, &mut scratch);
                    base = [base[0].min(c.lower), base[1].min(c.upper)];
                }
            }
        }
        Truth { base }
    }

    /// The proved interval of the smallest signed distance at a pose (metres).
    pub fn interval(&self, world: &World, pose: &mut Checker) -> [f64; 2] {
        let r = smallest(world, pose, &check::Options::default());
        [r.lower.min(self.base[0]), r.upper.min(self.base[1])]
    }
}

/// Whether an answer of the system lies in the interval, as far as its end asks, within [`WRONG_DISTANCE`].
pub fn agrees(answer: &Answer, stop: Stop, [lower, upper]: [f64; 2]) -> bool {
    if answer.collides {
        return lower <= WRONG_DISTANCE;
    }
    let exact = stop != Stop::Distance || answer.distance >= lower - WRONG_DISTANCE;
    upper >= -WRONG_DISTANCE && exact && answer.distance <= upper.max(0.0) + WRONG_DISTANCE
}

/// Runs the experiment and writes its files.
///
/// # Errors
/// Data missing or unreadable, files that cannot be written.
pub fn run(options: &Options) -> Result<Report, LabError> {
    let puma = Puma::load(options.data.as_deref())?;
    let moving = puma.hierarchy()?;
    let mut scenes = vec![("BOTTLENECK".to_string(), puma.bottleneck.clone())];
    let all = industrial(1000, 1000, options.seed);
    for count in OBJECTS {
        scenes.push((format!("WBK{count}"), all[..count].to_vec()));
    }
    scenes.push(("WBK1000".into(), all[..100].iter().cycle().take(1000).cloned().collect()));
    scenes.push(("1000 side by side".into(), all));
    let breakdown = breakdown::measure(&puma, &moving, options.rounds)?;
    let mut reports = Vec::new();
    for (name, objects) in &scenes {
        reports.push(measure(name, objects, &puma, &moving, options.rounds)?);
    }
    let report = Report { rounds: options.rounds, poses: puma.path.len(), breakdown, scenes: reports };
    if let Some(out) = &options.out {
        report.write(out)?;
    }
    Ok(report)
}

/// How the engine is asked.
const ENGINE: [(&str, Ask, bool); 4] = [
    ("elbowroom, distance, cold", Ask::Distance, true),
    ("elbowroom, distance", Ask::Distance, false),
    ("elbowroom, test", Ask::Test, false),
    ("elbowroom, lower bound", Ask::LowerBound, false),
];

fn measure(
    name: &str,
    objects: &[Vec<Vec3>],
    puma: &Puma,
    moving: &Tree,
    rounds: usize,
) -> Result<SceneReport, LabError> {
    let world = puma.among(objects)?;
    let mut systems =
        [System::new(objects, &puma.parts, moving, true)?, System::new(objects, &puma.parts, moving, false)?];
    let mut methods = report::system_methods();
    methods.extend(ENGINE.map(|(name, ..)| MethodReport::new(name)));
    let (mut pose, mut bare) = (Checker::new(&world), Checker::new(&puma.world));
    let truth = Truth::new(&world);
    let set =
        |pose: &mut Checker, world: &World, q: &[f64]| pose.set(world, q).map_err(|e| wrong(&e.to_string()));
    // Once for the answers and the counts.
    let (mut colliding, mut unknown, mut least) = (0, 0, f64::INFINITY);
    let mut hits = Vec::with_capacity(puma.path.len());
    for q in &puma.path {
        set(&mut pose, &world, q)?;
        set(&mut bare, &puma.world, q)?;
        let proved = truth.interval(&world, &mut pose);
        hits.push(proved[1] < 0.0);
        colliding += usize::from(proved[1] < 0.0);
        unknown += usize::from(proved[0] <= 0.0 && proved[1] >= 0.0);
        least = least.min(proved[1]);
        for (m, method) in methods.iter_mut().enumerate() {
            match m {
                0..6 => {
                    let (system, stop) = (&mut systems[m / 3], Stop::ALL[m % 3]);
                    let answer = system.detect(&puma.world, &bare, stop);
                    method.disagreements += usize::from(!agrees(&answer, stop, proved));
                    method.add(&system.counts);
                }
                _ => {
                    let (_, ask, cold) = ENGINE[m - 6];
                    if cold {
                        pose.forget();
                    }
                    let r = smallest(&world, &mut pose, &check::Options { ask, ..check::Options::default() });
                    method.add(&Counts {
                        expanded: r.counts.nodes,
                        primitives: 0,
                        polytopes: r.counts.shape_queries,
                        moved: 0,
                    });
                }
            }
        }
    }
    // Then for the clock, in turns.
    for _ in 0..rounds.max(1) {
        for (m, method) in methods.iter_mut().enumerate() {
            let mut sums = [0.0; 2];
            for (q, hit) in puma.path.iter().zip(&hits) {
                let start = Instant::now();
                if m < 6 {
                    set(&mut bare, &puma.world, q)?;
                    black_box(systems[m / 3].detect(&puma.world, &bare, Stop::ALL[m % 3]));
                } else {
                    let (_, ask, cold) = ENGINE[m - 6];
                    set(&mut pose, &world, q)?;
                    if cold {
                        pose.forget();
                    }
                    let options = check::Options { ask, ..check::Options::default() };
                    black_box(smallest(&world, &mut pose, &options));
                }
                sums[usize::from(*hit)] += start.elapsed().as_nanos() as f64 * 1e-3;
            }
            let [free, collide] = sums;
            let n = puma.path.len();
            let mean = |sum: f64, n: usize| sum / n.max(1) as f64;
            method.rounds_us.push([
                mean(free + collide, n),
                mean(free, n - colliding),
                mean(collide, colliding),
            ]);
        }
    }
    Ok(SceneReport {
        name: name.into(),
        objects: objects.len(),
        corners: objects.iter().map(Vec::len).sum::<usize>() as f64 / objects.len().max(1) as f64,
        poses: puma.path.len(),
        colliding,
        unknown,
        least,
        methods,
    })
}
