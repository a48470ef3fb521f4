//! `elbowroom check`: the main job. Samples are asked in blocks on several threads and answered in order.

mod ask;
mod samples;
mod verdicts;

use crate::arguments::check::{AskChoice, CheckArguments};
use crate::changes::Changes;
use crate::changes::words::held_notes;
use crate::clashes::refuse_clashes;
use crate::motion::{self, MotionSource};
use crate::note::Note;
use crate::out::{Sink, check_writable, delivered_code, one_terminal, say_line, say_remark};
use crate::outcome::Outcome;
use crate::rates::Rates;
use crate::swings::find_swings;
use crate::ways::Ways;
use crate::{hint, load, page, rates, summary};
use anyhow::{Result, bail};
use ask::ask_all;
use elbowroom::pose::SetOptions;
use elbowroom::{Answer, Checker, Verdict};
use std::path::{Path, PathBuf};

/// Runs the command and returns the exit code.
pub fn run(arguments: &CheckArguments) -> Result<u8> {
    let outputs = [("--json", arguments.json.as_deref()), ("--report", arguments.report.as_deref())];
    refuse_clashes(
        &outputs,
        &[&arguments.world.input_files()[..], &motion::motion_inputs(&arguments.motion)].concat(),
    )?;
    let limits = arguments.limits.iter().flatten().next();
    refuse_clashes(&outputs, &[("the limits", limits.map(PathBuf::as_path))])?;
    refuse_clashes(&outputs, &arguments.seen.inputs())?;
    if arguments.touch.is_some() && arguments.ask != AskChoice::Distance {
        bail!("--touch needs distances: leave out --ask, or write --ask distance");
    }
    if arguments.touch.is_some() && arguments.continuous {
        bail!(
            "--touch counts depths at samples, and between samples none is measured: with --continuous leave \
             it out. For a part that is picked up from a table, write an event `allow` for the two where it \
             is attached, and `forbid` after the next pose (docs/motions.md has an example)"
        );
    }
    let seen = arguments.seen.read(&load::file_options(&arguments.world))?;
    let mut loaded = load::load_for(&arguments.world, arguments.geometry, arguments.ignore_limits, &seen)?;
    loaded.warnings.extend(seen.warnings.iter().cloned());
    refuse_clashes(&outputs, &loaded.input_files())?;
    refuse_no_page(arguments.report.as_deref())?;
    let source = match MotionSource::from_files(&loaded.world, &arguments.motion)? {
        Some(source) => source,
        None => match arguments.random {
            Some(count) => MotionSource::Random { count, seed: arguments.seed },
            None if arguments.at.is_empty() => MotionSource::Neutral,
            None => MotionSource::Values(&arguments.at),
        },
    };
    let set = SetOptions { ignore_limits: arguments.ignore_limits };
    let files = elbowroom_files::Options {
        ignore_unknown_columns: arguments.ignore_unknown_columns,
        transforms: arguments.transforms.to_ways(),
        ..load::file_options(&arguments.world)
    };
    // Faults of options and of the motion are told together.
    let options = arguments.changes.read();
    let (motion, warnings) = motion::load_motion(&loaded, &source, &files, set)?;
    let options = options?;
    loaded.warnings.extend(warnings);
    if arguments.ignore_limits {
        let checker = Checker::new(&loaded.world);
        let within = SetOptions::default();
        let outside = motion.rows.iter().filter(|row| checker.accepts(row, within).is_err()).count();
        if outside > 0 {
            loaded.check_beyond_limits(outside)?;
        }
    }

    let rates = match &arguments.limits {
        Some(file) => {
            let limits = rates::read_limits(&mut loaded, file.as_deref(), &files)?;
            let rates = rates::judge_rates(&loaded.world, &limits, &motion, &source.name())?;
            loaded.add_notes(rates.rate_notes());
            Some(rates)
        }
        None => None,
    };
    if arguments.limits.is_some() || arguments.continuous {
        let swings = find_swings(&loaded.world, &motion);
        loaded.add_notes(swings);
    }

    let mut ways = Ways::new(&loaded.world, &motion, &arguments.tolerance)?;
    if arguments.continuous {
        ways.refuse_bad(&source.name(), set)?;
        if let Some(seconds) = arguments.time_tolerance {
            ways = ways.with_clock_error(seconds)?;
        }
    } else if ways.has_splines() {
        say_remark(
            "note: the motion has more than straight ways between its samples: --continuous asks them",
        );
    } else if !arguments.motion.is_empty() && motion.rows.len() > 1 {
        say_remark("note: the ways between the samples are not checked: --continuous checks them");
    }

    let changes = Changes::resolve_all(&loaded, &seen, options, &motion, &source.name(), set)?;
    for note in seen.notes.iter().map(|note| Note::new_asked(note, "")) {
        say_remark(&note.to_string());
        loaded.notes.push(note);
    }
    for note in held_notes(&loaded.world, &changes, &motion) {
        say_line(&note.to_string());
        loaded.notes.push(note);
    }

    // Files that cannot be written are found out before the work, not after it.
    let mut json = arguments.json.as_deref().map(Sink::open).transpose()?;
    arguments.report.as_deref().map_or(Ok(()), check_writable)?;
    let mut outcome = ask_all(arguments, &loaded, &motion, &ways, rates.as_ref(), &changes, json.as_mut())?;
    outcome.rates = rates;
    let mut page = arguments.report.as_deref().map(Sink::open).transpose()?;
    if let Some(page) = &mut page {
        page.put_text(&page::page(arguments, &loaded, &source, &motion, &changes, &outcome))?;
    }
    let mut closed = false;
    for sink in [json, page].into_iter().flatten() {
        closed |= sink.finish()?;
    }
    let to_stdout = |path: &Option<PathBuf>| path.as_deref().is_some_and(|p| p.as_os_str() == "-");
    let table = !to_stdout(&arguments.json) && !to_stdout(&arguments.report);
    if table {
        let mut out = Sink::open_stdout();
        let drawn = arguments.random.is_some().then_some(&motion);
        out.put_text(&summary::table(&loaded, &outcome, drawn, arguments.world.no_srdf))?;
        closed |= out.finish()?;
    }
    for line in hint::zero_collisions(&arguments.world, &loaded, &motion, &outcome) {
        say_remark(&line);
    }
    // There is no summary if the reader left before the last answer.
    if !closed && let Some(line) = summary::line(&loaded, &outcome, table && one_terminal()) {
        say_line(&line);
    }
    Ok(delivered_code(exit_code(&outcome), closed))
}

/// Refuses a name under which no browser would open a page: it is rather another option's file.
fn refuse_no_page(path: Option<&Path>) -> Result<()> {
    let is_page = |path: &Path| {
        let ends =
            ["html", "htm"].iter().any(|e| path.extension().is_some_and(|x| x.eq_ignore_ascii_case(e)));
        ends || path == Path::new("-") || path.starts_with("/dev") || path.starts_with("/proc")
    };
    match path.filter(|path| !is_page(path)) {
        None => Ok(()),
        Some(path) => {
            let page = path.with_extension("html");
            bail!("--report {}: is no name of a page: give {}", path.display(), page.display())
        }
    }
}

fn exit_code(outcome: &Outcome) -> u8 {
    let bad = outcome.verdict_count(Verdict::Collision) + outcome.verdict_count(Verdict::Unknown) > 0;
    let is_bad = |answer: &Answer| matches!(answer.verdict, Verdict::Collision | Verdict::Unknown);
    let bad = bad || outcome.after.as_ref().is_some_and(is_bad);
    let bad = bad || outcome.rates.as_ref().is_some_and(Rates::is_beyond);
    u8::from(bad || outcome.edges.as_ref().is_some_and(|edges| !edges.all_apart()))
}
