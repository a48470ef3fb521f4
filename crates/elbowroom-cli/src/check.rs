//! `elbowroom check`: the main job. Samples are asked in blocks on several threads and answered in order.

use crate::continuous::{self, Edges};
use crate::dips::{Dips, Moment, proved_of};
use crate::least::{self, Least};
use crate::load::{self, LoadedWorld};
use crate::motion::{self, Source};
use crate::out::{Sink, check_writable, delivered, one_terminal, refuse_clashes, say};
use crate::stream::{Place, Share, in_order};
use crate::summary::Ends;
use crate::{GeometryChoice, WorldArguments, answer, hint, limits, page, summary};
use anyhow::Result;
use clap::{Args, ValueEnum};
use elbowroom::Checker;
use elbowroom::check::{Options, all_pairs, smallest};
use elbowroom::id::BodyId;
use elbowroom::motion::edge::EdgeWork;
use elbowroom::narrow::{Ask, Stop};
use elbowroom::pose::SetOptions;
use elbowroom::report::{PairReport, Report};
use elbowroom::verdict::Verdict;
use elbowroom::world::World;
use elbowroom_files::motion::Motion;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How much is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AskChoice {
    /// Yes or no: is everything farther apart than the margin?
    Test,
    /// A proved lower bound; quick, because bounds of capsules and boxes are enough where they are beyond the
    /// margin
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
    /// A pose (repeatable): joint values in the order of `elbowroom info`; or joint=value,...; or the name of
    /// an SRDF state, joint=value behind it too. Joints that are not given are zero, or as near to it as
    /// limits allow. With several robots: robot/joint=value, robot/STATE
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, conflicts_with = "motion")]
    pub at: Vec<String>,
    /// So many random poses within the joint limits; mimic joints follow, continuous joints take -pi to pi,
    /// planar and floating ones stay where they are. Each line of --json then holds the joint values, `q`
    #[arg(long, value_name = "N", conflicts_with_all = ["motion", "at"], value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub random: Option<u32>,
    /// Which random poses
    #[arg(long, value_name = "S", requires = "random", default_value_t = 1)]
    pub seed: u64,
    /// What meshes count as
    #[arg(long, value_enum, default_value = "mesh")]
    pub geometry: GeometryChoice,
    /// What to compute
    #[arg(long, value_enum, default_value = "distance")]
    pub ask: AskChoice,
    /// Answer for every checked pair, not only for the nearest: `pairs` in each line of --json. Then no pair
    /// is left out because another is nearer (see `counts`), and the last digits may differ from those
    /// without this option: searches start from other queries. All intervals are proved. A --report asks for
    /// every pair too
    #[arg(long)]
    pub all_pairs: bool,
    /// Check the straight way of all joints from each sample to the next as well, at every instant: proved
    /// free beyond the margin, proved apart but near, or the interval of first contact. Exit code 1 if one is
    /// neither free nor near
    #[arg(long)]
    pub continuous: bool,
    /// One JSON object a sample into this file (`-`: standard output). A file is written as FILE.incomplete
    /// and renamed when it is complete; what goes to standard output comes sample by sample
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// HTML report in one file, to look at, print and pass on. It asks for every pair: see --all-pairs for
    /// what that changes in the answers of --json
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Threads (0: as many as the machine has, and never more than those); the answers do not depend on it
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = threads)]
    pub threads: usize,
    /// Accept joint values outside their limits
    #[arg(long)]
    pub ignore_limits: bool,
    /// Ignore columns of the motion that name no joint of the world
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
    /// The sample with the smallest clearance, as far as it is proved: the deepest proved overlap, or, where
    /// none is proved, the smallest lower bound.
    pub smallest: Option<Moment>,
    /// The sample with the smallest lower bound: where depths are only bracketed it may be another.
    pub lowest: Option<Moment>,
    /// The first sample that collides or could not be proved.
    pub first_bad: Option<Moment>,
    /// How many samples collide with a depth of meshes that is only bracketed.
    pub bracketed: usize,
    /// How many samples are unknown because an open mesh encloses a body, and the first of them.
    pub shut_in: Option<(usize, Moment)>,
    /// All samples, if a page is asked for.
    pub points: Vec<Point>,
    /// All pairs, if a page is asked for.
    pub pairs: Vec<Least>,
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
    let mut loaded = load::load_for(&arguments.world, arguments.geometry, arguments.ignore_limits)?;
    refuse_clashes(&outputs, &loaded.inputs())?;
    let source = match &arguments.motion {
        Some(path) => Source::File(path),
        None => match arguments.random {
            Some(count) => Source::Random { count, seed: arguments.seed },
            None if arguments.at.is_empty() => Source::Neutral,
            None => Source::Values(&arguments.at),
        },
    };
    let set = SetOptions { ignore_limits: arguments.ignore_limits };
    let files = elbowroom_files::Options {
        ignore_unknown_columns: arguments.ignore_unknown_columns,
        ..load::options(&arguments.world)
    };
    let (motion, warnings) = motion::load(&loaded, &source, &files, set)?;
    loaded.warnings.extend(warnings);
    if arguments.ignore_limits {
        let mut pose = Checker::new(&loaded.world);
        let outside = motion.rows.iter().filter(|row| pose.set(&loaded.world, row).is_err()).count();
        if outside > 0 {
            loaded.check_beyond_limits(outside)?;
        }
    }

    // Files that cannot be written are found out before the work, not after it.
    let mut json = arguments.json.as_deref().map(Sink::open).transpose()?;
    arguments.report.as_deref().map_or(Ok(()), check_writable)?;
    let outcome = ask_all(arguments, &loaded, &motion, json.as_mut())?;
    let mut page = arguments.report.as_deref().map(Sink::open).transpose()?;
    if let Some(page) = &mut page {
        page.put(&page::page(arguments, &loaded, &source, &motion, &outcome))?;
    }
    let mut closed = false;
    for sink in [json, page].into_iter().flatten() {
        closed |= sink.finish()?;
    }
    let to_stdout = |path: &Option<PathBuf>| path.as_deref().is_some_and(|p| p.as_os_str() == "-");
    let table = !to_stdout(&arguments.json) && !to_stdout(&arguments.report);
    if table {
        let mut out = Sink::stdout();
        let drawn = arguments.random.is_some().then_some(&motion);
        out.put(&summary::table(&loaded, &outcome, drawn, arguments.world.no_srdf))?;
        closed |= out.finish()?;
    }
    for line in hint::zero_collisions(&arguments.world, &loaded, &outcome) {
        say(&line);
    }
    // There is no summary if the reader left before the last answer.
    if !closed {
        say(&summary::line(&loaded, &outcome, table && one_terminal()));
    }
    Ok(delivered(exit_code(&outcome), closed))
}

fn exit_code(outcome: &Outcome) -> u8 {
    let bad = outcome.count(Verdict::Collision) + outcome.count(Verdict::Unknown) > 0;
    u8::from(bad || outcome.edges.as_ref().is_some_and(|edges| !edges.all_apart()))
}

/// What a thread answers for one sample.
struct Answered {
    sample: usize,
    report: Report,
    pairs: Vec<PairReport>,
    /// Its line, in parts.
    line: Option<Vec<String>>,
    edge: Option<continuous::Answer>,
    took: Duration,
}

fn ask_all(
    arguments: &Arguments,
    loaded: &LoadedWorld,
    motion: &Motion,
    mut json: Option<&mut Sink>,
) -> Result<Outcome> {
    let world = &loaded.world;
    let options =
        Options { ask: arguments.ask.ask(), geometry: arguments.geometry.geometry(), ..Options::of(world) };
    let set = SetOptions { ignore_limits: arguments.ignore_limits };
    let wants_pairs = arguments.all_pairs || arguments.report.is_some();
    let wants_json = json.is_some();
    let with_values = arguments.random.is_some();
    let time = |sample: usize| motion.t.as_ref().and_then(|t| t.get(sample).copied());

    // How many samples a block has depends on what is asked of which world, and never on the number of
    // threads.
    let per_sample = if wants_pairs { world.pairs().len().max(1) } else { 1 };
    let block = (limits::PAIRS_A_BLOCK / per_sample).clamp(1, limits::BLOCK);
    // No more threads, each with its own pose, than there are blocks; and more than cores only wait for each
    // other.
    let blocks = motion.rows.len().div_ceil(block);
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    let asked = if arguments.threads == 0 { available } else { arguments.threads };
    let threads = asked.min(available).clamp(1, blocks.max(1));
    let of_pairs = if arguments.all_pairs && wants_json { limits::PAIR_BYTES } else { 0 }
        + if arguments.report.is_some() { size_of::<PairReport>() } else { 0 };
    let room_of_one = limits::SAMPLE_BYTES + per_sample * of_pairs;

    let worker = || (Checker::new(world), arguments.continuous.then(|| EdgeWork::new(world)));
    let answer = |(pose, work): &mut (Checker, Option<EdgeWork>), place: &Place<'_, Vec<Answered>>| {
        pose.forget();
        if let Some(work) = work {
            work.forget();
        }
        let first = place.block * block;
        let (mut batch, mut reserved, mut held, mut begun) = (Vec::new(), 0, 0, Instant::now());
        for (sample, row) in motion.rows.iter().enumerate().skip(first).take(block) {
            if !place.room(room_of_one) {
                return;
            }
            reserved += room_of_one;
            let started = Instant::now();
            let (mut pairs, mut text) = (Vec::new(), answer::Pairs::default());
            let before = sample.checked_sub(1).and_then(|s| motion.rows.get(s));
            let edge = match (work.as_mut(), before) {
                (Some(work), Some(before)) => {
                    Some(continuous::ask(world, pose, work, [before, row], options.geometry, set))
                }
                _ => None,
            };
            let each = |pair: &PairReport| {
                if arguments.all_pairs && wants_json {
                    text.add(world, options.ask, pair);
                }
                if arguments.report.is_some() {
                    pairs.push(*pair);
                }
            };
            // Values were checked before: a refusal here would mean that nothing is known of this sample.
            let report = match pose.set_with(world, row, set) {
                Err(_) => unknown(world),
                Ok(()) if wants_pairs => all_pairs(world, pose, &options, each),
                Ok(()) => smallest(world, pose, &options),
            };
            let line = wants_json.then(|| {
                let mut line = answer::sample(loaded, options.ask, sample, time(sample), &report);
                line.insert("geometry".into(), arguments.geometry.word().into());
                if with_values {
                    line.insert("q".into(), row.iter().map(|v| answer::number(*v)).collect());
                }
                if arguments.continuous {
                    let times = sample.checked_sub(1).and_then(|s| Some([time(s)?, time(sample)?]));
                    let edge = edge.map_or(serde_json::Value::Null, |e| continuous::json(world, &e, times));
                    line.insert("edge".into(), edge);
                }
                answer::line(line, arguments.all_pairs.then_some(text))
            });
            held += limits::SAMPLE_BYTES
                + line.iter().flatten().map(String::capacity).sum::<usize>()
                + pairs.capacity() * size_of::<PairReport>();
            batch.push(Answered { sample, report, pairs, line, edge, took: started.elapsed() });
            // Handing over costs more than a quick answer: those go together.
            if held >= limits::HAND_OVER_BYTES || begun.elapsed() >= limits::HAND_OVER_TIME {
                place.give(std::mem::take(&mut batch), reserved, held);
                (reserved, held, begun) = (0, 0, Instant::now());
            }
        }
        place.give(batch, reserved, held);
    };

    let mut outcome =
        Outcome { threads, ask: arguments.ask, geometry: arguments.geometry, ..Outcome::default() };
    outcome.edges = arguments.continuous.then(Edges::default);
    let mut dips = Dips::default();
    let bar = ProgressBar::new(motion.rows.len() as u64);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} samples, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let take = |answers: Option<Vec<Answered>>| -> Result<bool> {
        let Some(answers) = answers else {
            // Whoever reads along gets what is there before the next sample is.
            json.as_deref_mut().map_or(Ok(()), Sink::flush)?;
            return Ok(true);
        };
        for Answered { sample, report, pairs, line, edge, took } in answers {
            outcome.elapsed += took / threads as u32;
            for part in line.into_iter().flatten() {
                json.as_deref_mut().map_or(Ok(()), |sink| sink.put(&part))?;
            }
            if let (Some(edges), Some(edge)) = (&mut outcome.edges, edge) {
                edges.add(sample, edge);
            }
            outcome.bracketed += usize::from(is_bracketed(world, arguments, &report));
            let moment = Moment { sample, t: time(sample), report };
            if report.stop == Some(Stop::ShutIn) {
                outcome.shut_in.get_or_insert((0, moment)).0 += 1;
            }
            add(&mut outcome, &mut dips, moment);
            if arguments.report.is_some() {
                let Report { lower, upper, verdict, .. } = report;
                let ends = Ends::of(&report);
                outcome.points.push(Point { t: time(sample), lower, upper, verdict, ends });
                least::add(&mut outcome.pairs, sample, &pairs);
            }
            bar.inc(1);
        }
        // Where nobody reads any more, and nothing else is made of the rest, the rest is not asked.
        Ok(arguments.report.is_some() || json.as_ref().is_none_or(|sink| !sink.closed))
    };
    in_order(Share { threads, blocks, room: limits::WAITING_BYTES }, worker, answer, take)?;
    bar.finish_and_clear();
    outcome.moments = dips.finish();
    Ok(outcome)
}

fn add(outcome: &mut Outcome, dips: &mut Dips, moment: Moment) {
    outcome.samples += 1;
    if let Some(i) = VERDICTS.iter().position(|v| *v == moment.report.verdict) {
        outcome.verdicts[i] += 1;
    }
    let apart = |m: &Moment| m.report.verdict != Verdict::Collision;
    let smaller = |s: &Moment| match (apart(&moment), apart(s)) {
        (false, true) => true,
        (true, false) => false,
        _ => proved_of(&moment.report) < proved_of(&s.report),
    };
    if outcome.smallest.as_ref().is_none_or(smaller) {
        outcome.smallest = Some(moment);
    }
    if outcome.lowest.is_none_or(|l| moment.report.lower < l.report.lower) {
        outcome.lowest = Some(moment);
    }
    if matches!(moment.report.verdict, Verdict::Collision | Verdict::Unknown) {
        outcome.first_bad.get_or_insert(moment);
    }
    dips.add(moment);
}

/// Whether the depth of a collision is only bracketed. That is also so where the search for the named pair
/// converged, but other meshes may overlap deeper.
fn is_bracketed(world: &World, arguments: &Arguments, report: &Report) -> bool {
    let has_mesh = |id: BodyId| {
        let shapes = world.bodies()[id.index()].shapes.clone();
        shapes.into_iter().any(|s| world.shapes()[s as usize].shape.mesh().is_some())
    };
    let of_meshes = || {
        let pair = report.lower_pair.filter(|_| report.lower_pair != report.upper_pair);
        let pair = pair.and_then(|pair| world.pairs().get(pair));
        pair.is_some_and(|pair| has_mesh(pair.a) || has_mesh(pair.b))
    };
    report.stop == Some(Stop::Bracketed)
        || (arguments.ask, arguments.geometry) == (AskChoice::Distance, GeometryChoice::Mesh)
            && report.verdict == Verdict::Collision
            && !summary::is_narrow(report.lower, report.upper, report.distance)
            && of_meshes()
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
