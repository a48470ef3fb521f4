//! henrich97, sections 2 and 4 on one processor: distances of a Puma 260 to cells of seven to a thousand
//! objects.
//!
//! The paper's sequential system is rebuilt ([`System`]) and run beside the engine: on BOTTLENECK, on cells
//! of 40, 60, 80, 100 and 157 objects, and on two of 1,000, along the path of 119 configurations, again and
//! again; with each of the three ends, with r-cylinders and without. Kinematics are in every time. Robot,
//! path and cells are ours: the paper's were never published.
//!
//! The paper got its 1,000 objects (WBK1000) by reading the hundred again and again, so they lie on each
//! other: that is one of the two cells here. In the other, a thousand stand side by side as densely as the
//! hundred.
//!
//! Times are also apart for poses without and with collision: there the paper's system ends at the first
//! collision that it finds, while the engine's distance goes on to the deepest and proves how deep it is.
//! The system's answer is compared with the engine's proved interval at every pose (`disagreements`). Times
//! are medians over walks of the path; only the breakdown of work does as the paper did, and repeats each
//! configuration.
//!
//! Two of the paper's figures do not come out here, and the report says why by counts. R-cylinders save about
//! 30 % there: that needs corners of a part that cost a sixth of a distance of polytopes, and more in larger
//! cells; here they cost a tenth at most ([`Costs`]). And 13 polytopes are asked a detection there, 1.5 here:
//! even all pairs whose r-cylinders collide are four here ([`Near`]), so it is the cell that differs.

mod breakdown;
mod capsules;
pub(crate) mod cells;
mod counts;
pub mod parallel;
mod report;
mod system;

pub use breakdown::{Breakdown, Row, amdahl_bounds};
pub use capsules::Costs;
pub use cells::industrial_cell;
pub use counts::{DetectionCounts, Near};
pub use report::{CellMethodReport, CellReport, Henrich97Report};
pub use system::{Answer, Computed, SearchNode, Stop, System};

use crate::error::LabError;
use crate::limits::{CELL_SEED, OBJECTS, ROOM_OF_OBJECT, ROUNDS, WRONG_DISTANCE};
use crate::parts::robot_error;
use crate::puma::Puma;
use crate::truth::Truth;
use elbowroom::bounds::hierarchy::Tree;
use elbowroom::math::Vec3;
use elbowroom::pair::Ask;
use elbowroom::{Checker, Interval, Question};
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

/// Where to read, where to write, how much to do.
#[derive(Clone, Debug)]
pub struct Henrich97Options {
    /// The folder of robots, with `puma260` in it; `None`: `robots`.
    pub data: Option<PathBuf>,
    /// How often each configuration is asked by each method.
    pub rounds: usize,
    /// Which generated cells.
    pub seed: u64,
}

impl Default for Henrich97Options {
    fn default() -> Henrich97Options {
        Henrich97Options { data: None, rounds: ROUNDS, seed: CELL_SEED }
    }
}

/// Whether the answer agrees with the proved interval, to [`WRONG_DISTANCE`], as precisely as the stop rule
/// promises.
pub fn agrees_with_proof(answer: &Answer, stop: Stop, proved: &Interval) -> bool {
    let Interval { lower, upper, .. } = *proved;
    if answer.collides {
        return lower <= WRONG_DISTANCE;
    }
    let exact = stop != Stop::Distance || answer.distance >= lower - WRONG_DISTANCE;
    upper >= -WRONG_DISTANCE && exact && answer.distance <= upper.max(0.0) + WRONG_DISTANCE
}

/// Runs the experiment.
///
/// # Errors
/// Data missing or unreadable.
pub fn run(options: &Henrich97Options) -> Result<Henrich97Report, LabError> {
    let puma = Puma::load_bottleneck(options.data.as_deref())?;
    let moving = puma.best_hierarchy()?;
    let mut scenes = vec![("BOTTLENECK".to_string(), puma.bottleneck.clone())];
    let all = industrial_cell(1000, 1000, ROOM_OF_OBJECT, options.seed);
    for count in OBJECTS {
        scenes.push((format!("WBK{count}"), all[..count].to_vec()));
    }
    scenes.push(("WBK1000".into(), all[..100].iter().cycle().take(1000).cloned().collect()));
    scenes.push(("1000 side by side".into(), all));
    let mut breakdowns = Vec::new();
    for (name, objects) in scenes.iter().filter(|(name, _)| BROKEN_DOWN.contains(&name.as_str())) {
        let in_paper = name == BROKEN_DOWN[0];
        breakdowns.push(breakdown::measure_breakdown(
            (name, objects),
            in_paper,
            &puma,
            &moving,
            options.rounds,
        )?);
    }
    let mut reports = Vec::new();
    for (name, objects) in &scenes {
        reports.push(measure_cell(name, objects, &puma, &moving, options.rounds)?);
    }
    let report =
        Henrich97Report { rounds: options.rounds, poses: puma.path.len(), breakdowns, scenes: reports };
    Ok(report)
}

/// The cells whose detections are broken down: that of the paper's Table 1 first.
const BROKEN_DOWN: [&str; 3] = ["BOTTLENECK", "WBK100", "WBK1000"];

/// How the engine is asked.
const ENGINE: [(&str, Ask, bool); 4] = [
    ("elbowroom, distance, cold", Ask::Distance, true),
    ("elbowroom, distance", Ask::Distance, false),
    ("elbowroom, test", Ask::Test, false),
    ("elbowroom, lower bound", Ask::LowerBound, false),
];

fn measure_cell(
    name: &str,
    objects: &[Vec<Vec3>],
    puma: &Puma,
    moving: &Tree,
    rounds: usize,
) -> Result<CellReport, LabError> {
    let world = puma.world_with_objects(objects)?;
    let mut systems =
        [System::new(objects, &puma.parts, moving, true)?, System::new(objects, &puma.parts, moving, false)?];
    let mut methods = report::system_methods();
    methods.extend(ENGINE.map(|(name, ..)| CellMethodReport::new(name)));
    let (mut checker, mut bare) = (Checker::new(&world), Checker::new(&puma.world));
    let truth = Truth::new(&world);
    let set = |checker: &mut Checker, q: &[f64]| checker.set(q).map_err(|e| robot_error(&e.to_string()));
    // The first walk is for the answers and the counts.
    let (mut colliding, mut unknown, mut least) = (0, 0, f64::INFINITY);
    let (mut hits, mut near) = (Vec::with_capacity(puma.path.len()), [Near::default(); 2]);
    for q in &puma.path {
        set(&mut checker, q)?;
        set(&mut bare, q)?;
        let proved = truth.proved_interval(&mut checker);
        hits.push(proved.overlaps());
        colliding += usize::from(proved.overlaps());
        unknown += usize::from(proved.contains(0.0));
        least = least.min(proved.upper);
        for (m, method) in methods.iter_mut().enumerate() {
            match m {
                0..6 => {
                    let (system, stop) = (&mut systems[m / 3], Stop::ALL[m % 3]);
                    let answer = system.detect_collision(&bare, stop);
                    method.disagreements += usize::from(!agrees_with_proof(&answer, stop, &proved));
                    method.counts += &system.counts;
                    if m == 0 {
                        near[usize::from(proved.overlaps())] += &system.count_near_pairs(answer.distance);
                    }
                }
                _ => {
                    let (_, ask, cold) = ENGINE[m - 6];
                    if cold {
                        checker.forget_history();
                    }
                    let counts = checker.ask(&Question::from_ask(ask).margin(0.0)).counts;
                    method.counts += &DetectionCounts {
                        expanded: counts.nodes,
                        polytopes: counts.shape_queries,
                        ..DetectionCounts::default()
                    };
                }
            }
        }
    }
    // The others are for the clock, in turns.
    for _ in 0..rounds.max(1) {
        for (m, method) in methods.iter_mut().enumerate() {
            let mut sums = [0.0; 2];
            for (q, hit) in puma.path.iter().zip(&hits) {
                let start = Instant::now();
                if m < 6 {
                    set(&mut bare, q)?;
                    black_box(systems[m / 3].detect_collision(&bare, Stop::ALL[m % 3]));
                } else {
                    let (_, ask, cold) = ENGINE[m - 6];
                    set(&mut checker, q)?;
                    if cold {
                        checker.forget_history();
                    }
                    let question = Question::from_ask(ask).margin(0.0);
                    black_box(checker.ask(&question));
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
    Ok(CellReport {
        name: name.into(),
        objects: objects.len(),
        corners: objects.iter().map(Vec::len).sum::<usize>() as f64 / objects.len().max(1) as f64,
        poses: puma.path.len(),
        colliding,
        unknown,
        least,
        near,
        methods,
    })
}
