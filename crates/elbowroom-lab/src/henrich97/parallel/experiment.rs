//! The paper's section 4 on several processors: the cells along the path, in virtual time with the paper's
//! costs under both policies, and on threads in earnest.

use super::network::{PAPER_NETWORK, PAPER_WORK, WorkCosts, search_on_network};
use super::policy::Policy;
use super::scenes::{Objects, experiment_cells};
use super::sweep::{SWEEP_ROUNDS, TriedPolicy, tried_policies};
use super::task::{SearchTask, Team, TeamRun};
use super::tasks::Tasks;
use super::threads::search_on_threads;
use super::worker::Messages;
use crate::error::LabError;
use crate::henrich97::capsules::Costs;
use crate::henrich97::counts::DetectionCounts;
use crate::henrich97::system::{Answer, Stop, System};
use crate::limits::{CAPSULES_SAVE, CELL_SEED, SEARCH_ROUNDS};
use crate::median::median;
use crate::parts::robot_error;
use crate::puma::Puma;
use elbowroom::Checker;
use elbowroom::bounds::hierarchy::Tree;
use std::path::PathBuf;
use std::time::Instant;

/// Where to read, and how much to do.
#[derive(Clone, Debug)]
pub struct ParallelOptions {
    /// The folder of robots, with `puma260` in it; `None`: `robots`.
    pub data: Option<PathBuf>,
    /// Numbers of processors. Speedups are against one.
    pub processors: Vec<usize>,
    /// How often the path is searched, each time with other draws.
    pub rounds: usize,
    /// Which generated cells, and which draws.
    pub seed: u64,
}

impl Default for ParallelOptions {
    fn default() -> ParallelOptions {
        ParallelOptions { data: None, processors: vec![1, 2, 4, 8], rounds: SEARCH_ROUNDS, seed: CELL_SEED }
    }
}

/// One cell, one policy, so many processors, in virtual time.
#[derive(Clone, Debug)]
pub struct ParallelRow {
    /// The cell.
    pub cell: &'static str,
    /// The policy.
    pub policy: &'static str,
    /// How many processors.
    pub processors: usize,
    /// A detection (us).
    pub time_us: f64,
    /// A detection by one processor (us).
    pub sequential_us: f64,
    /// What each processor did in a detection (us).
    pub tasks: Vec<Tasks>,
    /// Distances of polytopes of each processor, a detection.
    pub polytopes: Vec<f64>,
    /// Distances of polytopes by one processor, a detection.
    pub sequential_polytopes: f64,
    /// Messages a detection, and what they brought.
    pub messages: Vec<Messages>,
    /// Detections in all.
    pub detections: usize,
    /// Poses at which the answer is not the sequential one.
    pub disagreements: usize,
}

impl ParallelRow {
    /// How much faster than one processor.
    pub fn speedup(&self) -> f64 {
        self.sequential_us / self.time_us
    }

    /// How many more distances of polytopes than one processor.
    pub fn extra_work(&self) -> f64 {
        self.polytopes.iter().sum::<f64>() / self.sequential_polytopes
    }

    /// The busiest processor's work over the mean.
    pub fn load_imbalance(&self) -> f64 {
        let busy: Vec<f64> = self.tasks.iter().map(Tasks::busy_time).collect();
        let most = busy.iter().copied().fold(0.0, f64::max);
        most * busy.len() as f64 / busy.iter().sum::<f64>()
    }

    /// Messages a detection.
    pub fn messages_sent(&self) -> f64 {
        self.messages.iter().map(|m| m.sent).sum::<usize>() as f64 / self.detections as f64
    }
}

/// One cell, one policy, so many threads, by the clock.
#[derive(Clone, Debug)]
pub struct ThreadRow {
    /// The cell.
    pub cell: &'static str,
    /// The policy.
    pub policy: &'static str,
    /// How many threads.
    pub threads: usize,
    /// A detection, and one by the sequential system (us): medians over rounds.
    pub times_us: [f64; 2],
    /// Poses at which the answer is not the sequential one.
    pub disagreements: usize,
}

/// What r-cylinders save in parallel, if a part's corners cost so much that they save what the paper says in
/// sequence.
#[derive(Clone, Debug)]
pub struct CapsulesSave {
    /// The cell.
    pub cell: &'static str,
    /// The price of moving a part's corners (us). Infinite: r-cylinders never save so much. Zero: they save
    /// as much or more by the polytopes that they leave out.
    pub corners_us: f64,
    /// The share of a detection that they save, for each number of processors.
    pub saved: Vec<(usize, f64)>,
}

/// Everything.
#[derive(Clone, Debug)]
pub struct ParallelReport {
    /// Configurations of the path.
    pub poses: usize,
    /// How often the path was searched.
    pub rounds: usize,
    /// In virtual time.
    pub rows: Vec<ParallelRow>,
    /// By the clock.
    pub threads: Vec<ThreadRow>,
    /// The sweep.
    pub tried: Vec<TriedPolicy>,
    /// The r-cylinders.
    pub capsules: Vec<CapsulesSave>,
}

type MakePolicy = fn() -> Policy;

/// The two policies of every table.
pub(super) const POLICIES: [(&str, MakePolicy); 2] =
    [("the paper's", Policy::from_paper), ("shared", Policy::with_shared_bounds)];

/// Objects of the cells in which policies are swept.
const LARGE: usize = 1000;

/// Runs the experiment.
///
/// # Errors
/// Data missing or unreadable; a search that does not end.
pub fn run(options: &ParallelOptions) -> Result<ParallelReport, LabError> {
    let puma = Puma::load_bottleneck(options.data.as_deref())?;
    let moving = puma.best_hierarchy()?;
    let cells = experiment_cells(&puma, &moving, options.seed)?;
    let rounds = options.rounds.max(1);
    let mut report = ParallelReport {
        poses: puma.path.len(),
        rounds,
        rows: Vec::new(),
        threads: Vec::new(),
        tried: Vec::new(),
        capsules: Vec::new(),
    };
    for (cell, objects) in &cells {
        let bench = Bench::new(&puma, objects, &moving, true, options)?;
        for (name, policy) in POLICIES {
            for &count in &options.processors {
                let run = bench.run_rounds(count, policy(), PAPER_WORK, rounds)?;
                report.rows.push(bench.make_row((cell, name), count, run));
                if count > 1 {
                    report.threads.push(bench.time_threads(cell, (name, policy()), count, rounds)?);
                }
            }
        }
        report.capsules.push(measure_savings(cell, objects, &puma, &moving, options)?);
    }
    if let Some(&most) = options.processors.iter().max() {
        for (cell, objects) in cells.iter().filter(|(_, objects)| objects.len() == LARGE) {
            let bench = Bench::new(&puma, objects, &moving, true, options)?;
            for (line, column, policy) in tried_policies() {
                let run = bench.run_rounds(most, policy, PAPER_WORK, rounds.min(SWEEP_ROUNDS))?;
                let row = bench.make_row((cell, ""), most, run);
                report.tried.push(TriedPolicy {
                    cell,
                    names: [line, column],
                    policy,
                    speedup: row.speedup(),
                    extra_work: row.extra_work(),
                    load_imbalance: row.load_imbalance(),
                });
            }
        }
    }
    Ok(report)
}

/// One cell, and what one processor finds in it.
pub(super) struct Bench<'p> {
    puma: &'p Puma,
    system: System,
    answers: Vec<Answer>,
    counts: DetectionCounts,
    seed: u64,
}

impl<'p> Bench<'p> {
    pub fn new(
        puma: &'p Puma,
        objects: &Objects,
        moving: &Tree,
        capsules: bool,
        options: &ParallelOptions,
    ) -> Result<Bench<'p>, LabError> {
        let system = System::new(objects, &puma.parts, moving, capsules)?;
        let mut bench = Bench {
            puma,
            system,
            answers: Vec::new(),
            counts: DetectionCounts::default(),
            seed: options.seed,
        };
        let mut counts = DetectionCounts::default();
        bench.answers = bench.walk_alone(|system| counts += &system.counts)?;
        bench.counts = counts;
        Ok(bench)
    }

    /// Walks the path with the sequential system.
    pub fn walk_alone(&self, mut see: impl FnMut(&System)) -> Result<Vec<Answer>, LabError> {
        let (mut system, mut checker) = (self.system.clone(), Checker::new(&self.puma.world));
        let mut answers = Vec::with_capacity(self.puma.path.len());
        for q in &self.puma.path {
            checker.set(q).map_err(|e| robot_error(&e.to_string()))?;
            answers.push(system.detect_collision(&checker, Stop::Distance));
            see(&system);
        }
        Ok(answers)
    }

    /// A detection by one processor (us).
    fn sequential_time(&self, work: WorkCosts) -> f64 {
        let poses = self.puma.path.len() as f64;
        work.serial + (work.sequential_time(&self.counts) - work.serial) / poses
    }

    /// The path of the Puma in this cell, the distance asked.
    pub fn search_task(&self) -> SearchTask<'_> {
        let (world, path) = (&self.puma.world, &self.puma.path);
        SearchTask { world, system: &self.system, path, stop: Stop::Distance }
    }

    fn run_rounds(
        &self,
        count: usize,
        policy: Policy,
        work: WorkCosts,
        rounds: usize,
    ) -> Result<TeamRun, LabError> {
        let mut all = TeamRun::default();
        for round in 0..rounds {
            let team = Team { count, policy, seed: self.seed.wrapping_add(round as u64) };
            all.append_run(search_on_network(&self.search_task(), &team, (work, PAPER_NETWORK))?);
        }
        Ok(all)
    }

    fn make_row(
        &self,
        (cell, policy): (&'static str, &'static str),
        processors: usize,
        run: TeamRun,
    ) -> ParallelRow {
        let detections = run.answers.len();
        let per = |sum: f64| sum / detections as f64;
        let poses = self.puma.path.len() as f64;
        ParallelRow {
            cell,
            policy,
            processors,
            time_us: per(run.time_us),
            sequential_us: self.sequential_time(PAPER_WORK),
            tasks: run.tasks.iter().map(|tasks| tasks.scale_by(per(1.0))).collect(),
            polytopes: run.counts.iter().map(|counts| per(counts.polytopes as f64)).collect(),
            sequential_polytopes: self.counts.polytopes as f64 / poses,
            messages: run.messages,
            detections,
            disagreements: self.count_disagreements(&run.answers),
        }
    }

    pub fn count_disagreements(&self, found: &[Answer]) -> usize {
        found.iter().zip(self.answers.iter().cycle()).filter(|(found, alone)| found != alone).count()
    }

    /// Times the threads and the sequential system in turns.
    fn time_threads(
        &self,
        cell: &'static str,
        (name, policy): (&'static str, Policy),
        threads: usize,
        rounds: usize,
    ) -> Result<ThreadRow, LabError> {
        let team = Team { count: threads, policy, seed: self.seed };
        let detections = self.puma.path.len() as f64;
        let (mut times, mut disagreements) = ([Vec::new(), Vec::new()], 0);
        for _ in 0..rounds {
            let run = search_on_threads(&self.search_task(), &team, 1)?;
            times[0].push(run.time_us / detections);
            disagreements += self.count_disagreements(&run.answers);
            let start = Instant::now();
            self.walk_alone(|_| ())?;
            times[1].push(start.elapsed().as_secs_f64() * 1e6 / detections);
        }
        let times_us = times.map(median);
        Ok(ThreadRow { cell, policy: name, threads, times_us, disagreements })
    }
}

/// What r-cylinders save, sequentially as much as the paper says by the price of corners.
fn measure_savings(
    cell: &'static str,
    objects: &Objects,
    puma: &Puma,
    moving: &Tree,
    options: &ParallelOptions,
) -> Result<CapsulesSave, LabError> {
    let with = Bench::new(puma, objects, moving, true, options)?;
    let without = Bench::new(puma, objects, moving, false, options)?;
    let poses = puma.path.len();
    let costs = Costs::from_work(&PAPER_WORK);
    let corners_us = costs.corners_for(CAPSULES_SAVE, &with.counts, &without.counts, poses).max(0.0);
    let mut saved = Vec::new();
    if corners_us.is_finite() {
        let work = WorkCosts { corners: corners_us, ..PAPER_WORK };
        for &count in &options.processors {
            let rounds = options.rounds.clamp(1, SWEEP_ROUNDS);
            let [a, b] =
                [&with, &without].map(|bench| bench.run_rounds(count, Policy::from_paper(), work, rounds));
            saved.push((count, 1.0 - a?.time_us / b?.time_us));
        }
    }
    Ok(CapsulesSave { cell, corners_us, saved })
}
