//! `elbowroom sweep`: millions of poses, from a file into a file. Chunks of rows are answered on several
//! threads and written in order; memory is bounded, and interrupted work goes on where it was.

mod about;
pub mod arguments;
mod asker;
mod columns;
mod grid;
mod histogram;
mod job;
mod merge;
mod output;
#[cfg(feature = "parquet")]
mod parquet_poses;
#[cfg(feature = "parquet")]
mod parquet_table;
mod part;
mod ranks;
mod row;
mod shared;
mod source;
mod tally;

use crate::clashes::refuse_clashes;
use crate::lengths::length_text;
use crate::limits::SWEEP_CHUNK;
use crate::load;
use crate::out::{Sink, check_writable, clean_text, delivered_code, say_line};
use anyhow::{Result, bail};
use arguments::SweepArguments;
use asker::SweepQuestion;
use columns::{OutColumns, RowFormat, VERDICT_WORDS, pair_text};
use elbowroom::World;
use elbowroom_files::fault::counted_things;
use job::SweepJob;
use output::GrowingOutput;
use part::SweepPart;
use ranks::{Ranks, part_path};
use row::FAULT;
use serde_json::Value;
use shared::SharedOutput;
use source::PoseSource;
use std::ops::Range;
use std::path::Path;
use std::time::Instant;
use tally::{SweepTally, hash_chunk};

/// Runs the command and returns the exit code.
pub fn run(arguments: &SweepArguments) -> Result<u8> {
    if !arguments.merge.is_empty() {
        let tally = merge::merge_parts(&arguments.merge, &arguments.out)?;
        return tell_tally(&tally, None, &arguments.out, None);
    }
    let ranks = Ranks::find_ranks(arguments)?;
    let swept = sweep_own_part(arguments, &ranks);
    if let Err(error) = &swept
        && !ranks.is_alone()
    {
        say_line(&format!("error: {error:#}"));
        ranks.end_job();
    }
    swept
}

/// Answers the part of this process, and joins those of all if it is the first. Returns the exit code.
fn sweep_own_part(arguments: &SweepArguments, ranks: &Ranks) -> Result<u8> {
    let outputs = [("--out", Some(arguments.out.as_path())), ("--histogram", arguments.histogram.as_deref())];
    let inputs = [&arguments.world.input_files()[..], &[("the poses", arguments.poses.as_deref())]].concat();
    refuse_clashes(&outputs, &inputs)?;
    let format = RowFormat::of_path(&arguments.out)?;
    let loaded = load::load_from_arguments(&arguments.world, arguments.geometry)?;
    refuse_clashes(&outputs, &loaded.input_files())?;
    let world = &loaded.world;
    let columns = OutColumns::from_arguments(arguments, world, format)?;
    let source = PoseSource::open(arguments, world)?;
    let question = SweepQuestion::from_arguments(arguments);
    if !source.row_count().is_multiple_of(question.rows_each()) {
        bail!("--edges takes two rows each, and there are {}", source.row_count());
    }
    arguments.histogram.as_deref().map_or(Ok(()), check_writable)?;

    let job = about::describe_job(arguments, world, &source, &columns);
    ranks.refuse_other_jobs(&job)?;
    let sweep = SweepJob { world, source: &source, question: &question, columns: &columns };
    let begun = Instant::now();
    let (tally, rows) = if ranks.is_alone() {
        answer_part(&sweep, arguments, &job, arguments.part.unwrap_or_default(), &arguments.out)?
    } else {
        let answer = if format.is_array() { answer_in_place } else { answer_and_join };
        let tally = answer(&sweep, arguments, &job, ranks)?;
        let Some(tally) = tally else { return Ok(0) };
        (tally, source.row_count())
    };
    let seconds = begun.elapsed().as_secs_f64();
    if let Some(path) = &arguments.histogram {
        let page = histogram::draw_page(&sweep, &arguments.out, &tally)?;
        let mut sink = Sink::open(path)?;
        sink.put_text(&page)?;
        sink.finish()?;
    }
    let asked = Some((world, arguments.edges));
    tell_tally(&tally, asked, &arguments.out, Some((rows, seconds)))
}

/// Answers the rows of this rank into the file of all. The first returns what all have found.
fn answer_in_place(
    sweep: &SweepJob<'_, '_>,
    arguments: &SweepArguments,
    job: &Value,
    ranks: &Ranks,
) -> Result<Option<SweepTally>> {
    let SweepJob { world, source, question, columns } = *sweep;
    let part = ranks.own_part();
    let answers = source.row_count() / question.rows_each();
    let mut shared = SharedOutput::new(&arguments.out, part.count, columns, answers)?;
    if ranks.is_first() {
        shared.begin()?;
    }
    ranks.wait_for_all();
    let rows = part.row_range(source.row_count());
    let mut output = shared.open_rows(job, part, rows.start / question.rows_each())?;
    answer_rest(sweep, arguments.threads, rows, &mut output)?;
    let found = output.close()?.to_json().to_string();
    let texts = ranks.gather_texts(found);
    if !ranks.is_first() {
        return Ok(None);
    }
    let mut tally = SweepTally::default();
    for (rank, text) in texts.iter().enumerate() {
        let value = serde_json::from_str(text).unwrap_or(Value::Null);
        let Some(found) = SweepTally::from_json(&value) else {
            bail!("rank {rank} cannot be understood: is it of another version of the program?")
        };
        tally.add_later(found);
    }
    let row_end = |number| {
        SweepPart { number, count: part.count }.row_range(source.row_count()).end / question.rows_each()
    };
    let ends: Vec<u64> = (1..=part.count).map(row_end).collect();
    shared.finish(columns, &ends, |bytes| {
        about::write_about(&arguments.out, job, world, SweepPart::default(), (&tally, bytes))
    })?;
    Ok(Some(tally))
}

/// Answers the part of this rank into a file of its own. The first joins all, and returns what they found.
fn answer_and_join(
    sweep: &SweepJob<'_, '_>,
    arguments: &SweepArguments,
    job: &Value,
    ranks: &Ranks,
) -> Result<Option<SweepTally>> {
    let (part, paths) = (ranks.own_part(), ranks.part_paths(&arguments.out));
    let own = part_path(&arguments.out, part);
    ranks.wait_for_all();
    if !is_answered(sweep, job, part, &own)? {
        answer_part(sweep, arguments, job, part, &own)?;
    }
    ranks.wait_for_all();
    if !ranks.is_first() {
        return Ok(None);
    }
    let tally = merge::merge_parts(&paths, &arguments.out)?;
    merge::remove_parts(&paths)?;
    Ok(Some(tally))
}

/// Whether an earlier job has answered a part of this sweep, and its poses are still the same.
fn is_answered(sweep: &SweepJob<'_, '_>, job: &Value, part: SweepPart, out: &Path) -> Result<bool> {
    let rows = part.row_range(sweep.source.row_count());
    match merge::find_part(out, job, part) {
        Some(tally) => are_same_poses(sweep.source, rows, tally.poses_hash),
        None => Ok(false),
    }
}

/// Answers a part into a file, and says what it is. Returns what was found, and how many rows were asked now.
fn answer_part(
    sweep: &SweepJob<'_, '_>,
    arguments: &SweepArguments,
    job: &Value,
    part: SweepPart,
    out: &Path,
) -> Result<(SweepTally, u64)> {
    let SweepJob { world, source, question, columns } = *sweep;
    let rows = part.row_range(source.row_count());
    let answers = (rows.end - rows.start) / question.rows_each();
    let mut marked = job.clone();
    if let Some(marked) = marked.as_object_mut() {
        marked.insert("part".into(), part.to_json());
    }
    let mut output = GrowingOutput::open(out, &marked, &columns.header_bytes(answers))?;
    let asked = answer_rest(sweep, arguments.threads, rows, &mut output)?;
    let describe = |tally: &SweepTally, bytes| about::write_about(out, job, world, part, (tally, bytes));
    let tally = output.finish(out, columns, describe)?;
    Ok((tally, asked))
}

/// Answers those of these rows that an output does not have yet. Returns how many.
fn answer_rest(
    sweep: &SweepJob<'_, '_>,
    threads: usize,
    rows: Range<u64>,
    output: &mut GrowingOutput,
) -> Result<u64> {
    let done = rows.start + output.tally.row_count() * sweep.question.rows_each();
    let left = rows.end.saturating_sub(done);
    if done > rows.start {
        if !are_same_poses(sweep.source, rows.start..done, output.tally.poses_hash)? {
            let path = output.journal_path().display();
            bail!("the poses have changed since the sweep was interrupted: delete {path} to begin anew");
        }
        let left = counted_things(left as usize, "row");
        say_line(&format!("note: goes on after an interruption: {left} left"));
    }
    sweep.answer_rows(done..rows.end.max(done), threads, output)?;
    Ok(left)
}

/// Whether these rows of the poses are those of which this hash was taken.
fn are_same_poses(source: &PoseSource<'_>, rows: Range<u64>, hash: u64) -> Result<bool> {
    if source.is_made() {
        return Ok(true);
    }
    let (mut values, mut now) = (Vec::new(), 0_u64);
    for from in rows.clone().step_by(SWEEP_CHUNK as usize) {
        let chunk = from..(from + SWEEP_CHUNK).min(rows.end);
        source.read_rows(chunk, &mut values)?;
        now = now.wrapping_add(hash_chunk(from / SWEEP_CHUNK, &values));
    }
    Ok(now == hash)
}

/// Says what was found. `asked` is the world, and whether rows are ways. The exit code is 2 if some rows are
/// no poses.
fn tell_tally(
    tally: &SweepTally,
    asked: Option<(&World, bool)>,
    out: &Path,
    took: Option<(u64, f64)>,
) -> Result<u8> {
    let all = tally.row_count();
    let mut text = String::new();
    for (word, count) in VERDICT_WORDS.iter().zip(tally.counts).filter(|(_, count)| *count > 0) {
        let share = 100.0 * count as f64 / all.max(1) as f64;
        text += &format!("{:17} {count:>14}  {share:6.2} %\n", word.replace('_', " "));
    }
    if let (Some((row, lower, pair)), Some((world, are_ways))) = (tally.least, asked) {
        let pair = pair.and_then(|pair| pair_text(world, pair)).unwrap_or_default();
        let least = match are_ways {
            true => format!("earliest that a way is not proved free: at {:.2} %", 100.0 * lower),
            false => format!("smallest lower end: {}", length_text(lower)),
        };
        text += &format!("{least} at row {row}, {}\n", clean_text(&pair.replace('|', " and ")));
    }
    if let Some((rows, seconds)) = took.filter(|(rows, seconds)| *rows > 0 && *seconds > 0.0) {
        text += &format!("{rows} rows in {seconds:.2} s, {:.0} a second\n", rows as f64 / seconds);
    }
    text += &format!("written: {}\n", out.display());
    let mut sink = Sink::open_stdout();
    sink.put_text(&text)?;
    let closed = sink.finish()?;
    let count = |verdict: u8| tally.counts.get(usize::from(verdict)).copied().unwrap_or(0);
    let faults = count(FAULT);
    if faults > 0 {
        for fault in &tally.faults {
            say_line(&format!("error: {fault}"));
        }
        let words = if faults == 1 { "row is no pose" } else { "rows are no poses" };
        say_line(&format!("error: {faults} {words}; all others are answered"));
        return Ok(2);
    }
    let bad = count(3) + count(4) > 0;
    Ok(delivered_code(u8::from(bad), closed))
}
