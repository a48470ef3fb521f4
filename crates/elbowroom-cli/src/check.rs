//! `elbowroom check`: the main job. Samples are asked in blocks on several threads and answered in order.

use crate::continuous::{self, Edges};
use crate::dips::{Dips, Moment, proved, proved_of};
use crate::load;
use crate::motion::{self, Source};
use crate::out::{Sink, delivered, refuse_clashes, say};
use crate::summary::Ends;
use crate::{GeometryChoice, WorldArguments, answer, limits, page, summary};
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use elbowroom::check::{Options, all_pairs, smallest};
use elbowroom::motion::edge::EdgeWork;
use elbowroom::narrow::Ask;
use elbowroom::pose::{Pose, SetOptions};
use elbowroom::report::{PairReport, Report};
use elbowroom::verdict::Verdict;
use elbowroom::world::World;
use elbowroom_files::motion::Motion;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How much is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AskChoice {
    /// Only whether everything is farther apart than the margin
    Test,
    /// A proved lower bound: that of capsules and boxes where it is beyond the margin
    LowerBound,
    /// The signed distance
    #[default]
    Distance,
}

impl AskChoice {
    fn ask(self) -> Ask {
        match self {
            AskChoice::Test => Ask::Test,
            AskChoice::LowerBound => Ask::LowerBound,
            AskChoice::Distance => Ask::Distance,
        }
    }
}

/// The options of `check`.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    pub world: WorldArguments,
    /// Motion: CSV with a header of joint names, or NPY (poses x joints)
    #[arg(long, value_name = "FILE")]
    pub motion: Option<PathBuf>,
    /// A pose: joint values in the world's order, separated by commas (repeatable)
    #[arg(long, value_name = "Q1,Q2,...", allow_hyphen_values = true, conflicts_with = "motion")]
    pub at: Vec<String>,
    /// What meshes count as
    #[arg(long, value_enum, default_value = "mesh")]
    pub geometry: GeometryChoice,
    /// How much is asked
    #[arg(long, value_enum, default_value = "distance")]
    pub ask: AskChoice,
    /// Answer for every checked pair, not only for the nearest. No pair is then left out because another is nearer, so
    /// that fewer are `pruned` or `skipped` in `counts` and more asked; a `--report` needs every pair too. The last digits
    /// and the brackets of intervals may differ as well, because searches start from what other queries found: each is
    /// proved all the same
    #[arg(long)]
    pub all_pairs: bool,
    /// Check the straight way of all joints from each sample to the next as well, at every instant: proved free beyond the margin,
    /// proved apart but near, or the interval of first contact. Exit code 1 if one is neither free nor near
    #[arg(long)]
    pub continuous: bool,
    /// One JSON object a sample into this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// A page to hand on, everything in one file. Every pair is asked for it: see --all-pairs for what that changes in
    /// the answers of --json
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Threads (0: as many as the machine has, and never more than those); the answers do not depend on it
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = threads)]
    pub threads: usize,
    /// Ask for joint values outside their limits all the same
    #[arg(long)]
    pub ignore_limits: bool,
    /// Let the motion have columns that name no joint of the world
    #[arg(long)]
    pub ignore_unknown_columns: bool,
}

fn threads(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "give a whole number, or 0 for as many as the machine has".into())
}

/// One sample in the plot.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Time (seconds), if the motion has it.
    pub t: Option<f64>,
    /// The interval (metres).
    pub lower: f64,
    /// Its upper end.
    pub upper: f64,
    /// What it means.
    pub verdict: Verdict,
    /// The pair it is told of, and those of its ends.
    pub ends: Ends,
}

/// The smallest clearance of a pair over all samples.
#[derive(Clone, Copy, Debug)]
pub struct PairSmallest {
    /// The answer with the smallest clearance, as far as it is proved.
    pub report: PairReport,
    /// Its sample.
    pub sample: usize,
}

/// All answers together.
#[derive(Default)]
pub struct Outcome {
    /// How much was asked.
    pub ask: AskChoice,
    /// What meshes counted as.
    pub geometry: GeometryChoice,
    /// How many samples.
    pub samples: usize,
    /// How many of each verdict, in the order of `VERDICTS`.
    pub verdicts: [usize; VERDICTS.len()],
    /// The worst moments, worst first.
    pub moments: Vec<Moment>,
    /// The sample with the smallest clearance, as far as it is proved.
    pub smallest: Option<Moment>,
    /// The first sample that collides or could not be proved.
    pub first_bad: Option<Moment>,
    /// How many collisions of meshes have a depth that is only bracketed.
    pub bracketed: usize,
    /// How many samples are unknown because an open mesh encloses a body, and the first of them.
    pub shut_in: Option<(usize, Moment)>,
    /// All samples, if a page is asked for.
    pub points: Vec<Point>,
    /// All pairs, if a page is asked for.
    pub pairs: Vec<PairSmallest>,
    /// The ways between samples, if asked for.
    pub edges: Option<Edges>,
    /// Time in which all samples were answered.
    pub elapsed: Duration,
    /// Threads that answered.
    pub threads: usize,
}

/// Verdicts from harmless to worst.
pub const VERDICTS: [Verdict; 5] =
    [Verdict::Clear, Verdict::Near, Verdict::ExpectedContact, Verdict::Collision, Verdict::Unknown];

impl Outcome {
    /// How many samples have a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        VERDICTS.iter().position(|v| *v == verdict).map_or(0, |i| self.verdicts[i])
    }
}

/// Runs the command and returns the exit code.
pub fn run(arguments: &Arguments) -> Result<u8> {
    let outputs = [("--json", arguments.json.as_deref()), ("--report", arguments.report.as_deref())];
    refuse_clashes(
        &outputs,
        &[&arguments.world.inputs()[..], &[("the motion", arguments.motion.as_deref())]].concat(),
    )?;
    let mut loaded = load::load_for(&arguments.world, arguments.ignore_limits)?;
    refuse_clashes(&outputs, &loaded.inputs())?;
    let source = match &arguments.motion {
        Some(path) => Source::File(path),
        None if arguments.at.is_empty() => Source::Neutral,
        None => Source::Values(&arguments.at),
    };
    let set = SetOptions { ignore_limits: arguments.ignore_limits };
    let files = elbowroom_files::Options {
        ignore_unknown_columns: arguments.ignore_unknown_columns,
        ..load::options(&arguments.world)
    };
    let motion = motion::load(&loaded.world, &source, &files, set)?;
    if arguments.ignore_limits {
        let mut pose = Pose::new(&loaded.world);
        let outside = motion.rows.iter().filter(|row| pose.set(&loaded.world, row).is_err()).count();
        if outside > 0 {
            loaded.check_beyond_limits(outside)?;
        }
    }
    let world = &loaded.world;

    // Files that cannot be written are found out before the work, not after it.
    let mut json = arguments.json.as_deref().map(Sink::open).transpose()?;
    let mut page = arguments.report.as_deref().map(Sink::open).transpose()?;
    let outcome = ask_all(arguments, world, &motion, json.as_mut())?;
    if let Some(page) = &mut page {
        page.put(&page::page(arguments, &loaded, &source, &motion, &outcome))?;
        page.flush()?;
    }
    let to_stdout = |path: &Option<PathBuf>| path.as_deref().is_some_and(|p| p.as_os_str() == "-");
    let mut closed = [&json, &page].into_iter().flatten().any(|sink| sink.closed);
    if !to_stdout(&arguments.json) && !to_stdout(&arguments.report) {
        let mut out = Sink::stdout();
        out.put(&summary::table(&loaded, &outcome, arguments.world.no_srdf))?;
        out.flush()?;
        closed |= out.closed;
    }
    say(&summary::line(&loaded, &outcome));
    Ok(delivered(exit_code(&outcome), closed))
}

fn exit_code(outcome: &Outcome) -> u8 {
    let bad = outcome.count(Verdict::Collision) + outcome.count(Verdict::Unknown) > 0;
    u8::from(bad || outcome.edges.as_ref().is_some_and(|edges| !edges.all_apart()))
}

/// What a thread answers for one sample.
struct Answered {
    report: Report,
    pairs: Vec<PairReport>,
    line: Option<String>,
    edge: Option<continuous::Answer>,
}

fn ask_all(
    arguments: &Arguments,
    world: &World,
    motion: &Motion,
    mut json: Option<&mut Sink>,
) -> Result<Outcome> {
    let options =
        Options { ask: arguments.ask.ask(), geometry: arguments.geometry.geometry(), ..Options::of(world) };
    let set = SetOptions { ignore_limits: arguments.ignore_limits };
    let wants_pairs = arguments.all_pairs || arguments.report.is_some();
    let wants_json = json.is_some();
    let time = |sample: usize| motion.t.as_ref().and_then(|t| t.get(sample).copied());

    // No more threads, each with its own pose, than there are blocks; and more than cores only wait for each other.
    let blocks = motion.rows.len().div_ceil(limits::BLOCK).max(1);
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    let asked = if arguments.threads == 0 { available } else { arguments.threads };
    let threads = asked.min(available).clamp(1, blocks);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .context("the threads could not be started: ask for fewer with --threads")?;
    let work = || arguments.continuous.then(|| EdgeWork::new(world));
    let poses: Vec<Mutex<(Pose, Option<EdgeWork>)>> =
        (0..threads).map(|_| Mutex::new((Pose::new(world), work()))).collect();

    let answer = |first: usize, rows: &[Vec<f64>]| -> Vec<Answered> {
        let mine = pool.current_thread_index().unwrap_or(0).min(threads - 1);
        let mut mine = poses[mine].lock().unwrap_or_else(PoisonError::into_inner);
        let (pose, work) = &mut *mine;
        pose.forget();
        if let Some(work) = work {
            work.forget();
        }
        let mut answers = Vec::with_capacity(rows.len());
        for (sample, row) in (first..).zip(rows) {
            let mut pairs = Vec::new();
            let before = sample.checked_sub(1).and_then(|s| motion.rows.get(s));
            let edge = match (work.as_mut(), before) {
                (Some(work), Some(before)) => {
                    Some(continuous::ask(world, pose, work, [before, row], options.geometry, set))
                }
                _ => None,
            };
            // Values were checked before: a refusal here would mean that nothing is known of this sample.
            let report = match pose.set_with(world, row, set) {
                Err(_) => unknown(world),
                Ok(()) if wants_pairs => all_pairs(world, pose, &options, |pair| pairs.push(*pair)),
                Ok(()) => smallest(world, pose, &options),
            };
            let line = wants_json.then(|| {
                let listed = arguments.all_pairs.then_some(pairs.as_slice());
                let mut line = answer::sample(world, options.ask, sample, time(sample), &report, listed);
                line["geometry"] = arguments.geometry.word().into();
                if arguments.continuous {
                    let times = sample.checked_sub(1).and_then(|s| Some([time(s)?, time(sample)?]));
                    line["edge"] =
                        edge.map_or(serde_json::Value::Null, |e| continuous::json(world, &e, times));
                }
                format!("{line}\n")
            });
            if arguments.report.is_none() {
                pairs = Vec::new();
            }
            answers.push(Answered { report, pairs, line, edge });
        }
        answers
    };

    let mut outcome =
        Outcome { threads, ask: arguments.ask, geometry: arguments.geometry, ..Outcome::default() };
    outcome.edges = arguments.continuous.then(Edges::default);
    let mut dips = Dips::default();
    let bar = ProgressBar::new(motion.rows.len() as u64);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} samples, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let per_sample = if wants_pairs { world.pairs().len().max(1) } else { 1 };
    let at_once = (limits::PAIRS_AT_ONCE / per_sample).clamp(1, limits::SAMPLES_AT_ONCE / limits::BLOCK / 4);
    let at_once = at_once.max(threads.min(limits::BLOCK)) * limits::BLOCK;
    for (chunk_index, chunk) in motion.rows.chunks(at_once).enumerate() {
        let first = chunk_index * at_once;
        let started = Instant::now();
        let answers: Vec<Vec<Answered>> = pool.install(|| {
            let blocks = chunk.par_chunks(limits::BLOCK).enumerate();
            blocks.map(|(i, rows)| answer(first + i * limits::BLOCK, rows)).collect()
        });
        outcome.elapsed += started.elapsed();
        for (sample, answered) in (first..).zip(answers.into_iter().flatten()) {
            if let (Some(sink), Some(line)) = (json.as_deref_mut(), &answered.line) {
                sink.put(line)?;
            }
            if let (Some(edges), Some(edge)) = (&mut outcome.edges, answered.edge) {
                edges.add(sample, edge);
            }
            outcome.bracketed +=
                usize::from(answered.report.stop == Some(elbowroom::narrow::Stop::Bracketed));
            let moment = Moment { sample, t: time(sample), report: answered.report };
            if answered.report.stop == Some(elbowroom::narrow::Stop::ShutIn) {
                outcome.shut_in.get_or_insert((0, moment)).0 += 1;
            }
            add(&mut outcome, &mut dips, moment);
            if arguments.report.is_some() {
                let Report { lower, upper, verdict, .. } = answered.report;
                let ends = Ends::of(&answered.report);
                outcome.points.push(Point { t: time(sample), lower, upper, verdict, ends });
                add_pairs(&mut outcome, sample, &answered.pairs);
            }
        }
        bar.inc(chunk.len() as u64);
    }
    bar.finish_and_clear();
    if let Some(sink) = json {
        sink.flush()?;
    }
    outcome.moments = dips.finish();
    Ok(outcome)
}

fn add(outcome: &mut Outcome, dips: &mut Dips, moment: Moment) {
    outcome.samples += 1;
    if let Some(i) = VERDICTS.iter().position(|v| *v == moment.report.verdict) {
        outcome.verdicts[i] += 1;
    }
    if outcome.smallest.is_none_or(|s| proved_of(&moment.report) < proved_of(&s.report)) {
        outcome.smallest = Some(moment);
    }
    if matches!(moment.report.verdict, Verdict::Collision | Verdict::Unknown) {
        outcome.first_bad.get_or_insert(moment);
    }
    dips.add(moment);
}

fn add_pairs(outcome: &mut Outcome, sample: usize, pairs: &[PairReport]) {
    if outcome.pairs.is_empty() {
        outcome.pairs = pairs.iter().map(|report| PairSmallest { report: *report, sample }).collect();
    }
    for (known, report) in outcome.pairs.iter_mut().zip(pairs) {
        let worst = |r: &PairReport| proved(r.verdict, r.lower, r.upper);
        if worst(report) < worst(&known.report) {
            *known = PairSmallest { report: *report, sample };
        }
    }
}

fn unknown(world: &World) -> Report {
    let counts = elbowroom::report::Counts {
        pairs: world.pairs().len(),
        unknown: world.pairs().len(),
        allowed: world.allowed_count(),
        ..Default::default()
    };
    Report { counts, ..Report::default() }
}
