//! `elbowroom replay`: a record once more, and whether every answer is the same.

mod course;
mod watched;

use crate::clashes::refuse_clashes;
use crate::limits;
use crate::monitor::record::Asked;
use crate::monitor::record_reader::{NextEntry, RecordReader};
use crate::monitor::{Before, build_judge, load_settings};
use crate::out::{Sink, delivered_code, say_line};
use anyhow::{Context, Result, bail};
use clap::Args;
use course::ReplayCourse;
use elbowroom_files::fault::counted_things;
use std::path::PathBuf;

/// Repeat what `monitor --record` kept: every answer must be the same, to the bit
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 all answers are the same; 1 one differs; 2 refused. A record without its \
    end was cut, or the program that wrote it was killed: that is told, and all that it has is repeated."
)]
pub struct ReplayArguments {
    /// What monitor --record wrote
    pub record: PathBuf,
    /// World file, if it is not where it was
    #[arg(long, value_name = "WORLD")]
    pub world: Option<PathBuf>,
    /// A page of the speed that was allowed, the distance and the reasons over time
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
}

/// Runs the command and returns the exit code.
pub fn run(arguments: &ReplayArguments) -> Result<u8> {
    let name = arguments.record.display();
    let inputs = [("the record", Some(&*arguments.record)), ("the world", arguments.world.as_deref())];
    refuse_clashes(&[("--report", arguments.report.as_deref())], &inputs)?;
    let report = arguments.report.as_deref().map(Sink::open).transpose()?;
    let mut course = ReplayCourse::default();
    let (mut record, header) = RecordReader::open(&arguments.record)?;
    let mut world = header.world_arguments();
    world.world = arguments.world.clone().unwrap_or(world.world);
    let (loaded, settings) = load_settings(&world)?;
    // When it was written was judged then.
    let before = header.snapshot.as_deref().map(|text| Before { text, now: f64::MAX, most: f64::INFINITY });
    let mut judge = build_judge(&loaded, &settings, before).with_context(|| format!("{name}: line 1"))?;
    let fingerprint = format!("{:016x}", judge.guard_fingerprint());
    if fingerprint != header.fingerprint {
        bail!(
            "{name} is of another world or other settings: its fingerprint is {}, that of {} is \
             {fingerprint}",
            header.fingerprint,
            world.world.display()
        );
    }
    let (mut differ, mut number, mut repeated) = (0_usize, 1_u64, 0_u64);
    // What the record lacks, for people; nothing once its end was read.
    let mut lacks = Some("it has no end: it was cut, or the program that wrote it was killed".to_string());
    loop {
        number += 1;
        let entry = match record.read_entry()? {
            NextEntry::Entry(entry) => entry,
            NextEntry::Cut => {
                lacks = Some(format!("it was cut within line {number}"));
                break;
            }
            NextEntry::Nothing => break,
        };
        if lacks.is_none() {
            bail!("{name}: line {number} stands behind the end of the record");
        }
        if let Some(end) = &entry.end {
            if end.entries != repeated {
                let has = counted_things(repeated as usize, "answer");
                bail!(
                    "{name} has {has}, and its end says that there were {}: lines are missing",
                    end.entries
                );
            }
            lacks = None;
            continue;
        }
        let Some(out) = entry.out else { bail!("{name}: line {number} has no answer") };
        repeated += 1;
        let asked = match (&entry.line, &entry.bytes, entry.silence, &entry.own) {
            (Some(line), None, None, None) => Asked::Line(line.as_bytes()),
            (None, Some(bytes), None, None) => Asked::Line(bytes),
            (None, None, Some(t), None) => Asked::Silence(t),
            (None, None, None, Some(own)) => own.to_asked(),
            (None, None, None, None) if entry.too_long => Asked::TooLong,
            _ => bail!("{name}: line {number} does not say one thing that was asked"),
        };
        let answered = judge.answer_asked(asked);
        if report.is_some() {
            course.take(&serde_json::from_str(out.get()).unwrap_or_default());
        }
        if answered.text != out.get() {
            differ += 1;
            if differ <= limits::CHANGE_FAULTS {
                say_line(&format!(
                    "{name}: line {number} was answered otherwise\n  then {}\n  now  {}",
                    out.get(),
                    answered.text
                ));
            }
        }
    }
    let lines = counted_things(repeated as usize, "answer");
    let all = if differ == 0 { "all the same".into() } else { counted_things(differ, "difference") };
    let mut told = format!("{lines} repeated: {all}");
    if let Some(lacks) = lacks {
        say_line(&format!("warning: {name} is not whole: {lacks}"));
        told += &format!("; the record is not whole: {lacks}");
    }
    let mut closed = false;
    if let Some(mut report) = report {
        report.put_text(&watched::page(&name.to_string(), &told, &course))?;
        closed = report.finish()?;
    }
    say_line(&format!("summary: {told}"));
    Ok(delivered_code(u8::from(differ > 0), closed))
}
