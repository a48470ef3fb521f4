//! `elbowroom fit-brake LOG`: the linear brake model of haase10 from recorded stops.

mod episodes;
mod figure;

use crate::answer::{SCHEMA, json_number};
use crate::clashes::refuse_clashes;
use crate::out::{Sink, delivered_code, say_line, seconds_text};
use crate::units::doubted_stops;
use anyhow::{Context, Result, bail};
use clap::Args;
use elbowroom_files::fault::counted_things;
use elbowroom_files::text::strip_mark;
use elbowroom_monitor::stopping::{Brake, Fit, RecordedStop, fit_brake};
use episodes::RecordedStops;
use figure::draw_stops;
use serde_json::json;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

/// Faults of a log that are told.
const FAULTS_TOLD: usize = 20;
/// Stops that a log may have: more than anybody records.
const STOPS: usize = 1_000_000;

/// The linear brake model from recorded stops, ready for a `[guard]`
#[derive(Args, Debug)]
#[command(after_help = "Exit codes: 0 fitted; 2 refused, with the faults and their lines on standard error.")]
pub struct FitBrakeArguments {
    /// Recorded stops: CSV with the columns `speed` (rad/s or m/s, when the brake begins to act) and `way`
    /// (rad or m, from there until rest), both without their signs. Degrees are warned of where they are
    /// plain. Or what monitor --record wrote: each stop of a joint that moved and came to rest
    log: PathBuf,
    /// Of a record: this joint alone, as left/joint_1
    #[arg(long, value_name = "NAME")]
    joint: Option<String>,
    /// Of a record: the world file, if it is not where it was
    #[arg(long, value_name = "WORLD")]
    world: Option<PathBuf>,
    /// Added to every angle (rad or m), because a few stops do not show the worst one
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    beyond: f64,
    /// The stops and both lines as a figure
    #[arg(long, value_name = "FIGURE.svg")]
    out: Option<PathBuf>,
    /// One JSON object into this file (`-`: standard output); of a record one a joint, a line each
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Runs the command and returns the exit code.
pub fn run(arguments: &FitBrakeArguments) -> Result<u8> {
    let outputs = [("--out", arguments.out.as_deref()), ("--json", arguments.json.as_deref())];
    refuse_clashes(&outputs, &[("the log", Some(&*arguments.log))])?;
    let beyond = arguments.beyond;
    if !(0.0..1e6).contains(&beyond) {
        bail!("--beyond is {beyond}: give a number from 0");
    }
    let recorded = if episodes::is_record(&arguments.log) {
        episodes::read_stops(&arguments.log, arguments.world.as_deref(), arguments.joint.as_deref())?
    } else if arguments.joint.is_some() || arguments.world.is_some() {
        bail!("--joint and --world are for a record of the monitor, and {} is none", arguments.log.display());
    } else {
        vec![RecordedStops { stops: read_log(arguments)?, ..RecordedStops::default() }]
    };
    let fitted = fit_joints(arguments, &recorded)?;
    let mut closed = false;
    if let Some(path) = &arguments.out {
        let [(recorded, fit)] = &*fitted else {
            bail!("--out draws one joint, and the record has stops of {}: give --joint", fitted.len());
        };
        let mut out = Sink::open(path)?;
        out.put_text(&draw_stops(&recorded.stops, fit, beyond)?)?;
        closed |= out.finish()?;
    }
    if let Some(path) = &arguments.json {
        let mut out = Sink::open(path)?;
        for (recorded, fit) in &fitted {
            out.put_text(&format!("{}\n", json_fit(recorded, fit, beyond)))?;
        }
        closed |= out.finish()?;
    }
    if arguments.json.as_deref().is_none_or(|path| path.as_os_str() != "-") {
        let mut out = Sink::open_stdout();
        for (k, (recorded, fit)) in fitted.iter().enumerate() {
            out.put_text(if k == 0 { "" } else { "\n" })?;
            out.put_text(&fit_in_words(recorded, fit, beyond))?;
        }
        closed |= out.finish()?;
    }
    Ok(delivered_code(0, closed))
}

/// The fit of each joint. Joints of a record that cannot be fitted are told, unless there is no other.
fn fit_joints<'r>(
    arguments: &FitBrakeArguments,
    recorded: &'r [RecordedStops],
) -> Result<Vec<(&'r RecordedStops, Fit)>> {
    let (mut fitted, mut faults) = (Vec::new(), Vec::new());
    for recorded in recorded {
        let log = arguments.log.display();
        let of = recorded.joint.as_ref().map_or(log.to_string(), |joint| format!("{log}: {joint}"));
        if let Some(doubt) = doubted_stops(&of, &recorded.stops) {
            say_line(&format!("warning: {doubt}"));
        }
        if recorded.cut_short > 0 {
            let count = counted_things(recorded.cut_short, "stop");
            say_line(&format!("note: {of}: {count} ended before it rested, and count for nothing"));
        }
        match fit_brake(&recorded.stops) {
            Ok(fit) => fitted.push((recorded, fit)),
            Err(fault) if recorded.joint.is_some() => {
                let has = counted_things(recorded.stops.len(), "recorded stop");
                faults.push(format!("{of} has {has} that came to rest: {fault}"));
            }
            Err(fault) => faults.push(format!("{of}: {fault}")),
        }
    }
    if fitted.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    faults.iter().for_each(|fault| say_line(&format!("note: {fault}")));
    Ok(fitted)
}

/// The stops of a log, or all its faults on standard error.
fn read_log(arguments: &FitBrakeArguments) -> Result<Vec<RecordedStop>> {
    let name = arguments.log.display();
    let cannot = || format!("{name} cannot be read");
    let mut file = BufReader::new(File::open(&arguments.log).with_context(cannot)?);
    if let Err(refused) = strip_mark(file.fill_buf().with_context(cannot)?) {
        bail!("{name} {}: {}", refused.what, refused.help);
    }
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(file);
    let head = reader.headers().with_context(cannot)?.clone();
    let column = |what: &str| head.iter().position(|name| name == what);
    let (Some(speed), Some(way)) = (column("speed"), column("way")) else {
        bail!("{name}: line 1 has no columns speed and way: write `speed,way` above the stops");
    };
    let (mut stops, mut faults) = (Vec::new(), Vec::new());
    for row in reader.records() {
        let row = match row {
            Ok(row) => row,
            Err(e) => {
                faults.push(format!("{name}: {e}"));
                // After a fault of the file itself nothing more can be read of it.
                if e.is_io_error() {
                    break;
                }
                continue;
            }
        };
        let line = row.position().map_or(0, csv::Position::line);
        let mut value = |at: usize, what: &str| {
            let text = row.get(at).unwrap_or("");
            let good = text.parse::<f64>().ok().filter(|value| (0.0..f64::INFINITY).contains(value));
            if good.is_none() {
                let shown: String = text.chars().take(40).collect();
                faults.push(format!("{name}: line {line}: {what} is {shown:?}: give a number from 0"));
            }
            good
        };
        if let (Some(speed), Some(way)) = (value(speed, "speed"), value(way, "way")) {
            stops.push(RecordedStop { speed, way });
        }
        if stops.len() > STOPS {
            bail!("{name} has more than {STOPS} stops");
        }
        if faults.len() > STOPS {
            break;
        }
    }
    for fault in faults.iter().take(FAULTS_TOLD) {
        say_line(fault);
    }
    if !faults.is_empty() {
        bail!("{name} has {}", counted_things(faults.len(), "fault"));
    }
    Ok(stops)
}

/// The line to paste.
fn brake_line(fit: &Fit, beyond: f64) -> String {
    let Brake::Linear { slope, offset, fastest } = fit.brake_beyond(beyond) else {
        return String::new();
    };
    let range = |least: f64, most: f64| format!("[{least:?}, {most:?}]");
    format!(
        "brake = {{ type = \"linear\", slope = {}, offset = {}, fastest = {fastest:?} }}",
        range(slope.least, slope.most),
        range(offset.least, offset.most)
    )
}

fn fit_in_words(recorded: &RecordedStops, fit: &Fit, beyond: f64) -> String {
    let (slope, offset) = fit.envelope;
    let RecordedStops { joint, stops, delay, .. } = recorded;
    let of = joint.as_ref().map_or(String::new(), |joint| format!("{joint}: "));
    let mut t = format!(
        "{of}{} up to a speed of {}\nleast squares: way = {:.6} + {:.6} speed, deviation {:.6}\n\
         envelope:      way = {offset:.6} + {slope:.6} speed: no recorded stop is above it\n",
        counted_things(stops.len(), "stop"),
        fit.fastest,
        fit.offset,
        fit.slope,
        fit.deviation
    );
    let _ = writeln!(t, "\n{:>12} {:>12} {:>12}", "speed", "way", "residual");
    for (stop, residual) in stops.iter().zip(&fit.residuals) {
        let _ = writeln!(t, "{:>12.6} {:>12.6} {residual:>12.6}", stop.speed, stop.way);
    }
    if let Some([least, most]) = delay {
        let _ = writeln!(
            t,
            "\nThe brake began to act {} to {} s after the state that was told to stop, or up to a period \
             later: see latency.",
            seconds_text(*least),
            seconds_text(*most)
        );
    }
    let table = joint.as_ref().map_or("a [guard.joints] or a [guard.joint.\"...\"]".into(), |joint| {
        format!("[guard.joint.{joint:?}]")
    });
    let brake = brake_line(fit, beyond);
    let _ = writeln!(t, "\nFor {table}, {beyond} beyond the envelope:\n{brake}");
    if beyond == 0.0 {
        t += "A few stops do not show the worst one: add some deviations with --beyond.\n";
    }
    t
}

fn json_fit(recorded: &RecordedStops, fit: &Fit, beyond: f64) -> serde_json::Value {
    let RecordedStops { joint, stops, delay, cut_short } = recorded;
    let numbers = |values: &[f64]| values.iter().map(|value| json_number(*value)).collect::<Vec<_>>();
    let mut object = json!({
        "schema": SCHEMA,
        "stops": stops.len(),
        "slope": json_number(fit.slope),
        "offset": json_number(fit.offset),
        "deviation": json_number(fit.deviation),
        "envelope": {"slope": json_number(fit.envelope.0), "offset": json_number(fit.envelope.1)},
        "fastest": json_number(fit.fastest),
        "beyond": json_number(beyond),
        "residuals": numbers(&fit.residuals),
        "brake": brake_line(fit, beyond),
    });
    if let (Some(joint), Some([least, most]), Some(object)) = (joint, delay, object.as_object_mut()) {
        object.insert("joint".into(), joint.as_str().into());
        object.insert("delay".into(), json!({"least": json_number(*least), "most": json_number(*most)}));
        object.insert("cut_short".into(), (*cut_short).into());
    }
    object
}
