//! `elbowroom bench`: how fast this world is on this machine, one thread.
//!
//! Every pose is timed by itself, forward kinematics included; batches are timed as a whole, and what is told
//! of them is the mean: the quantiles of their rows are of the means of batches, not of poses. A quantile of
//! which too little was timed is null. Random poses are spread over all joint limits; coherent ones go
//! straight from one of them to the next in small steps, as motions do.

use crate::answer::SCHEMA;
use crate::arguments::{GeometryChoice, WorldArguments};
use crate::bar::progress_bar;
use crate::clashes::refuse_clashes;
use crate::out::{Sink, clean_text, delivered_code, say_line};
use crate::summary::bodies;
use crate::{limits, load, motion, summary};
use anyhow::Result;
use clap::Args;
use comfy_table::{Cell, CellAlignment};
use elbowroom::pair::Ask;
use elbowroom::pose::SetOptions;
use elbowroom::{Answer, Batch, Checker, Counts, Question, Verdict, World};
use elbowroom_files::fault::counted_things;
use indicatif::HumanCount;
use serde_json::{Map, Value, json};
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

/// The options of `bench`.
#[derive(Args, Debug)]
pub struct BenchArguments {
    #[command(flatten)]
    world: WorldArguments,
    /// Poses of each kind
    #[arg(long, value_name = "N", default_value_t = 2000,
        value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    poses: u32,
    /// Seed of the random poses
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// What meshes count as
    #[arg(long, value_enum, default_value = "mesh")]
    geometry: GeometryChoice,
    /// One JSON object a row into this file (`-`: standard output), times in nanoseconds a pose. A quantile
    /// of which too little was timed is null: the 99 % one takes 100 calls, the 99.9 % one 1000, and in a
    /// batch row as many batches of 64 poses. `bounds` and `pair_queries`, over all poses, are what the table
    /// has a pose as `pairs pruned` and `asked`; `lower_bound` is what `check --ask lower-bound` asks
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BenchQuestion {
    Nearest(Ask),
    AllPairs,
}

const ROWS: [(&str, BenchQuestion, bool); 6] = [
    ("test", BenchQuestion::Nearest(Ask::Test), false),
    ("lower_bound", BenchQuestion::Nearest(Ask::LowerBound), false),
    ("distance", BenchQuestion::Nearest(Ask::Distance), false),
    ("all_pairs", BenchQuestion::AllPairs, false),
    ("batch_test", BenchQuestion::Nearest(Ask::Test), true),
    ("batch_distance", BenchQuestion::Nearest(Ask::Distance), true),
];

const VERDICTS: [Verdict; 4] = [Verdict::Clear, Verdict::Near, Verdict::Collision, Verdict::Unknown];

struct BenchRow {
    query: &'static str,
    poses: &'static str,
    /// Nanoseconds a pose, ascending; in a batch every pose has its batch's mean.
    times: Vec<f64>,
    /// Times of poses that are proved free, and of poses that collide, each ascending. Batches have none.
    free_and_colliding: [Vec<f64>; 2],
    /// Poses timed together.
    batch: usize,
    verdicts: [usize; VERDICTS.len()],
    pruned: usize,
    asked: usize,
    shape_queries: usize,
    steps: usize,
}

impl BenchRow {
    /// The time that this share of the poses stays within.
    fn time_quantile(&self, share: f64) -> f64 {
        let last = self.times.len().saturating_sub(1);
        self.times.get((last as f64 * share).round() as usize).copied().unwrap_or(0.0)
    }

    /// The time that this share of the poses stays within, where enough was timed by itself to know it: at
    /// least one time is beyond the share.
    fn known_quantile(&self, share: f64) -> Option<f64> {
        let timed = self.times.len() / self.batch.max(1);
        let beyond = timed as f64 * (1.0 - share);
        (share >= 1.0 || beyond > 1.0 - 1e-9).then(|| self.time_quantile(share))
    }

    /// The median of the poses that are free, and of those that collide, where both occur.
    fn both_medians(&self) -> Option<[f64; 2]> {
        let [free, colliding] = &self.free_and_colliding;
        let median = |times: &Vec<f64>| times.get(times.len() / 2).copied();
        Some([median(free)?, median(colliding)?])
    }

    /// Adds the time of a pose by itself.
    fn add_time(&mut self, took: f64, verdict: Verdict) {
        self.times.push(took);
        let [free, colliding] = &mut self.free_and_colliding;
        match verdict {
            Verdict::Clear | Verdict::Near => free.push(took),
            Verdict::Collision => colliding.push(took),
            Verdict::ExpectedContact | Verdict::Unknown => {}
        }
    }

    fn mean_time(&self) -> f64 {
        self.times.iter().sum::<f64>() / self.times.len().max(1) as f64
    }

    fn count_verdict(&mut self, verdict: Verdict) {
        if let Some(i) = VERDICTS.iter().position(|v| *v == verdict) {
            self.verdicts[i] += 1;
        }
    }

    fn count_answer(&mut self, answer: &Answer) {
        let Counts { pruned, proved, unknown, shape_queries, steps, .. } = answer.counts;
        self.pruned += pruned;
        self.asked += proved + unknown;
        self.shape_queries += shape_queries;
        self.steps += steps;
        self.count_verdict(answer.verdict);
    }

    fn per_pose(&self, count: usize) -> f64 {
        count as f64 / self.times.len().max(1) as f64
    }
}

/// Runs the command and returns the exit code.
pub fn run(arguments: &BenchArguments) -> Result<u8> {
    let outputs = [("--json", arguments.json.as_deref())];
    refuse_clashes(&outputs, &arguments.world.input_files())?;
    let loaded = load::load_from_arguments(&arguments.world, arguments.geometry)?;
    refuse_clashes(&outputs, &loaded.input_files())?;
    let world = &loaded.world;
    world.prepare_all();
    let random = motion::random_poses(world, arguments.poses as usize, arguments.seed)?;
    let coherent = coherent_poses(&random);
    let mut json = arguments.json.as_deref().map(Sink::open).transpose()?;

    let bar = progress_bar(2 * ROWS.len() as u64, "{pos}/{len} rows");
    let mut rows = Vec::new();
    for (kind, poses) in [("random", &random), ("coherent", &coherent)] {
        for (query, question, batch) in ROWS {
            rows.push(measure_row(world, arguments, query, question, batch, kind, poses));
            bar.inc(1);
        }
    }
    bar.finish_and_clear();

    let mut closed = false;
    if let Some(mut out) = json.take() {
        for row in &rows {
            let mut object = json_row(row, arguments.geometry);
            if let Some(allowed) = &loaded.zero_overlaps {
                object["zero_overlaps"] = allowed.len().into();
            }
            out.put_text(&format!("{object}\n"))?;
        }
        closed |= out.finish()?;
    }
    if arguments.json.as_deref().is_none_or(|path| path.as_os_str() != "-") {
        let mut out = Sink::open_stdout();
        out.put_text(&rows_table(world, &rows, arguments.geometry))?;
        closed |= out.finish()?;
    } else {
        say_line(&in_a_sentence(world, &rows));
    }
    Ok(delivered_code(0, closed))
}

fn measure_row(
    world: &World,
    arguments: &BenchArguments,
    query: &'static str,
    asked: BenchQuestion,
    batch: bool,
    kind: &'static str,
    poses: &[Vec<f64>],
) -> BenchRow {
    let ask = if let BenchQuestion::Nearest(ask) = asked { ask } else { Ask::Distance };
    let question = Question::from_ask(ask).geometry(arguments.geometry.to_geometry());
    let mut checker = Checker::new(world);
    let mut row = BenchRow {
        query,
        poses: kind,
        times: Vec::new(),
        free_and_colliding: [Vec::new(), Vec::new()],
        batch: if batch { limits::BATCH } else { 1 },
        verdicts: [0; 4],
        pruned: 0,
        asked: 0,
        shape_queries: 0,
        steps: 0,
    };
    let answered = |checker: &mut Checker, values: &[f64]| -> Option<Answer> {
        checker.set_with(values, SetOptions::default()).ok()?;
        Some(match asked {
            BenchQuestion::AllPairs => checker.all_pairs(&question, |pair| {
                black_box(pair);
            }),
            BenchQuestion::Nearest(_) => checker.ask(&question),
        })
    };
    // A few poses are not measured: caches and the machine's clock come up to speed.
    for values in poses.iter().take(limits::BATCH) {
        black_box(answered(&mut checker, values));
    }
    checker.forget_history();
    if batch {
        measure_batches(world, ask, &question, poses, &mut row);
        return row;
    }
    for values in poses {
        let started = Instant::now();
        let answer = black_box(answered(&mut checker, values));
        let took = started.elapsed().as_nanos() as f64;
        if let Some(answer) = answer {
            row.add_time(took, answer.verdict);
            row.count_answer(&answer);
        }
    }
    row.times.sort_by(f64::total_cmp);
    row.free_and_colliding.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
    row
}

/// Poses in batches, on one thread.
fn measure_batches(world: &World, ask: Ask, question: &Question, poses: &[Vec<f64>], row: &mut BenchRow) {
    let mut batch = Batch::new(world);
    let mut verdicts = [Verdict::Unknown; limits::BATCH];
    let mut answers = vec![Answer::default(); limits::BATCH];
    for group in poses.chunks(limits::BATCH) {
        let values = group.concat();
        let n = group.len();
        let started = Instant::now();
        let counts = match ask {
            Ask::Test => batch.test(&values, question, &mut verdicts[..n]),
            _ => batch.ask(&values, question, &mut answers[..n]),
        };
        let each = started.elapsed().as_nanos() as f64 / n as f64;
        // Values outside limits leave a batch without its time.
        let Ok(counts) = black_box(counts) else { continue };
        row.times.extend(std::iter::repeat_n(each, n));
        if ask == Ask::Test {
            row.shape_queries += counts.shape_queries;
            verdicts[..n].iter().for_each(|verdict| row.count_verdict(*verdict));
        } else {
            answers[..n].iter().for_each(|answer| row.count_answer(answer));
        }
    }
    row.times.sort_by(f64::total_cmp);
}

fn json_row(row: &BenchRow, geometry: GeometryChoice) -> Value {
    let verdicts: Map<String, Value> =
        VERDICTS.iter().zip(row.verdicts).map(|(v, n)| (v.word().to_string(), n.into())).collect();
    let medians = row.both_medians();
    let [free, colliding] = [0, 1].map(|i| medians.map(|both| both[i]));
    json!({
        "schema": SCHEMA, "query": row.query, "poses": row.poses, "geometry": geometry.json_word(),
        "n": row.times.len(), "batch": row.batch,
        "mean_ns": row.mean_time(), "median_ns": row.known_quantile(0.5), "p99_ns": row.known_quantile(0.99),
        "p999_ns": row.known_quantile(0.999), "max_ns": row.time_quantile(1.0),
        "median_free_ns": free, "median_collision_ns": colliding,
        "verdicts": verdicts,
        "bounds": row.pruned, "pair_queries": row.asked, "shape_queries": row.shape_queries,
        "iterations": row.steps,
    })
}

/// What a dash in the table is.
const LEGEND: &str = "-: not known. Batches are timed as a whole, which gives their mean alone; the 99 % \
    quantile needs 100 calls, the 99.9 % one 1000. Medians of free and of colliding poses are told where \
    both occur.";

fn rows_table(world: &World, rows: &[BenchRow], geometry: GeometryChoice) -> String {
    let mut header =
        vec!["query", "poses", "n", "mean", "median", "of free", "of colliding", "99 %", "99.9 %", "max"];
    header.extend([
        "clear",
        "near",
        "collision",
        "unknown",
        "pairs pruned",
        "asked",
        "shape queries",
        "iterations",
    ]);
    let mut table = summary::plain_table(&header);
    for row in rows {
        // A batch is timed as a whole: of its poses only the mean is known.
        let quantile =
            |share: f64| row.known_quantile(share).filter(|_| row.batch == 1).map_or("-".into(), time_text);
        let of_kind = |i: usize| row.both_medians().map_or("-".into(), |both| time_text(both[i]));
        let mut cells = vec![row.query.to_string(), row.poses.to_string(), row.times.len().to_string()];
        cells.extend([
            time_text(row.mean_time()),
            quantile(0.5),
            of_kind(0),
            of_kind(1),
            quantile(0.99),
            quantile(0.999),
            quantile(1.0),
        ]);
        cells.extend(row.verdicts.iter().map(usize::to_string));
        cells.extend(
            [row.pruned, row.asked, row.shape_queries, row.steps].map(|n| format!("{:.1}", row.per_pose(n))),
        );
        let aligned = cells.into_iter().enumerate().map(|(i, text)| {
            let side = if i < 2 { CellAlignment::Left } else { CellAlignment::Right };
            Cell::new(text).set_alignment(side)
        });
        table.add_row(aligned.collect::<Vec<_>>());
    }
    let robots: Vec<String> = world.robots().iter().map(|r| clean_text(&r.name)).collect();
    let note = geometry.geometry_note().map_or(String::new(), |note| format!("; {note}"));
    format!(
        "{}: {}, {}, {}, {} checked; one thread; times and counts a pose{note}\n\n{}\n{LEGEND}\n{}\n",
        robots.join(", "),
        counted_things(world.dof_names().len(), "joint value"),
        bodies(world.bodies().len()),
        counted_things(world.shapes().len(), "shape"),
        counted_things(world.pairs().len(), "pair"),
        summary::text(&table),
        in_a_sentence(world, rows)
    )
}

/// What a person wants to know: how long the two main questions take at a random pose, and how many of the
/// quicker one a second.
fn in_a_sentence(world: &World, rows: &[BenchRow]) -> String {
    let robots: Vec<String> = world.robots().iter().map(|r| clean_text(&r.name)).collect();
    let row = |query: &str| rows.iter().find(|row| row.query == query && row.poses == "random");
    let mean = |query: &str| row(query).map_or(0.0, BenchRow::mean_time);
    let (test, distance) = (mean("test"), mean("distance"));
    // A pose that collides takes other work than a free one, so the two are timed apart.
    let both = |query: &str| row(query).and_then(BenchRow::both_medians);
    let medians = both("test").zip(both("distance")).map_or(String::new(), |(test, distance)| {
        let of = |i: usize| format!("{} and {}", time_text(test[i]), time_text(distance[i]));
        format!("; medians of free poses {}, of colliding ones {}", of(0), of(1))
    });
    // Two digits: the next changes from run to run.
    let per_second = if test > 0.0 { 1e9 / test } else { 0.0 };
    let step = 10_f64.powf(per_second.max(1.0).log10().floor() - 1.0).max(1.0);
    format!(
        "{}: {} checked; yes or no in {}, the smallest distance in {} a pose (mean{medians}): {} random \
         poses a second on one thread",
        robots.join(", "),
        counted_things(world.pairs().len(), "pair"),
        time_text(test),
        time_text(distance),
        HumanCount(((per_second / step).round() * step) as u64)
    )
}

fn time_text(nanoseconds: f64) -> String {
    match nanoseconds {
        t if t < 1e4 => format!("{t:.0} ns"),
        t if t < 1e7 => format!("{:.1} us", t * 1e-3),
        t => format!("{:.1} ms", t * 1e-6),
    }
}

/// As many poses on straight ways between the random ones: limits are intervals, so these are within them
/// too.
fn coherent_poses(random: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let at = |i: usize| {
        let (leg, step) = (i / limits::COHERENT_STEPS, i % limits::COHERENT_STEPS);
        let (from, to) = (&random[leg % random.len()], &random[(leg + 1) % random.len()]);
        let share = step as f64 / limits::COHERENT_STEPS as f64;
        from.iter().zip(to).map(|(a, b)| a * (1.0 - share) + b * share).collect()
    };
    (0..random.len()).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coherent_poses_are_close_together() {
        let random: Vec<Vec<f64>> =
            (0..200).map(|i| if i % 2 == 0 { vec![0.0, 1.0] } else { vec![1.0, -1.0] }).collect();
        let coherent = coherent_poses(&random);
        assert_eq!(coherent.len(), random.len());
        assert!(coherent.windows(2).all(|w| (w[0][0] - w[1][0]).abs() < 0.011));
    }
}
