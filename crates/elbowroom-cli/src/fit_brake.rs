//! `elbowroom fit-brake LOG.csv`: the linear brake model of haase10 from recorded stops.

use crate::answer::{SCHEMA, number};
use crate::out::{Sink, delivered, refuse_clashes, say};
use crate::units::doubted_stops;
use anyhow::{Context, Result, bail};
use clap::Args;
use elbowroom_files::fault::counted;
use elbowroom_lab::figure::{Axes, scatter};
use elbowroom_monitor::stopping::{Brake, Fit, RecordedStop, fit};
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Faults of a log that are told.
const FAULTS_TOLD: usize = 20;
/// Stops that a log may have: more than anybody records.
const STOPS: usize = 1_000_000;

/// The linear brake model from recorded stops, ready for a `[guard]`
#[derive(Args, Debug)]
#[command(after_help = "Exit codes: 0 fitted; 2 refused, with the faults and their lines on standard error.")]
pub struct Arguments {
    /// Recorded stops: CSV with the columns `speed` (rad/s or m/s, when the brake begins to act) and `way`
    /// (rad or m, from there until rest), both without their signs. Degrees are warned of where they are
    /// plain
    log: PathBuf,
    /// Added to every angle (rad or m), because a few stops do not show the worst one
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    beyond: f64,
    /// The stops and both lines as a figure
    #[arg(long, value_name = "FIGURE.svg")]
    out: Option<PathBuf>,
    /// One JSON object into this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Runs the command and returns the exit code.
pub fn run(arguments: &Arguments) -> Result<u8> {
    let outputs = [("--out", arguments.out.as_deref()), ("--json", arguments.json.as_deref())];
    refuse_clashes(&outputs, &[("the log", Some(&*arguments.log))])?;
    let beyond = arguments.beyond;
    if !(0.0..1e6).contains(&beyond) {
        bail!("--beyond is {beyond}: give a number from 0");
    }
    let stops = read(arguments)?;
    if let Some(doubt) = doubted_stops(&arguments.log.display().to_string(), &stops) {
        say(&format!("warning: {doubt}"));
    }
    let fit = match fit(&stops) {
        Ok(fit) => fit,
        Err(faults) => bail!("{}: {faults}", arguments.log.display()),
    };
    let brake = brake(&fit, beyond);
    let mut closed = false;
    if let Some(path) = &arguments.out {
        let mut out = Sink::open(path)?;
        out.put(&figure(&stops, &fit, beyond)?)?;
        closed |= out.finish()?;
    }
    if let Some(path) = &arguments.json {
        let mut out = Sink::open(path)?;
        out.put(&format!("{}\n", object(&stops, &fit, beyond, &brake)))?;
        closed |= out.finish()?;
    }
    if arguments.json.as_deref().is_none_or(|path| path.as_os_str() != "-") {
        let mut out = Sink::stdout();
        out.put(&text(&stops, &fit, beyond, &brake))?;
        closed |= out.finish()?;
    }
    Ok(delivered(0, closed))
}

/// The stops of a log, or all its faults on standard error.
fn read(arguments: &Arguments) -> Result<Vec<RecordedStop>> {
    let name = arguments.log.display();
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_path(&arguments.log)
        .with_context(|| format!("{name} cannot be read"))?;
    let head = reader.headers().with_context(|| format!("{name} cannot be read"))?.clone();
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
        say(fault);
    }
    if !faults.is_empty() {
        bail!("{name} has {}", counted(faults.len(), "fault"));
    }
    Ok(stops)
}

/// The line to paste.
fn brake(fit: &Fit, beyond: f64) -> String {
    let Brake::Linear { slope, offset, fastest } = fit.brake(beyond) else { return String::new() };
    let range = |least: f64, most: f64| format!("[{least:?}, {most:?}]");
    format!(
        "brake = {{ type = \"linear\", slope = {}, offset = {}, fastest = {fastest:?} }}",
        range(slope.least, slope.most),
        range(offset.least, offset.most)
    )
}

fn text(stops: &[RecordedStop], fit: &Fit, beyond: f64, brake: &str) -> String {
    let (slope, offset) = fit.envelope;
    let mut t = format!(
        "{} up to a speed of {}\nleast squares: way = {:.6} + {:.6} speed, deviation {:.6}\n\
         envelope:      way = {offset:.6} + {slope:.6} speed: no recorded stop is above it\n",
        counted(stops.len(), "stop"),
        fit.fastest,
        fit.offset,
        fit.slope,
        fit.deviation
    );
    let _ = writeln!(t, "\n{:>12} {:>12} {:>12}", "speed", "way", "residual");
    for (stop, residual) in stops.iter().zip(&fit.residuals) {
        let _ = writeln!(t, "{:>12.6} {:>12.6} {residual:>12.6}", stop.speed, stop.way);
    }
    let _ = writeln!(
        t,
        "\nFor a [guard.joints] or a [guard.joint.\"...\"], {beyond} beyond the envelope:\n{brake}"
    );
    if beyond == 0.0 {
        t += "A few stops do not show the worst one: add some deviations with --beyond.\n";
    }
    t
}

fn object(stops: &[RecordedStop], fit: &Fit, beyond: f64, brake: &str) -> serde_json::Value {
    let numbers = |values: &[f64]| values.iter().map(|value| number(*value)).collect::<Vec<_>>();
    json!({
        "schema": SCHEMA,
        "stops": stops.len(),
        "slope": number(fit.slope),
        "offset": number(fit.offset),
        "deviation": number(fit.deviation),
        "envelope": {"slope": number(fit.envelope.0), "offset": number(fit.envelope.1)},
        "fastest": number(fit.fastest),
        "beyond": number(beyond),
        "residuals": numbers(&fit.residuals),
        "brake": brake,
    })
}

fn figure(stops: &[RecordedStop], fit: &Fit, beyond: f64) -> Result<String> {
    let points: Vec<(f64, f64)> = stops.iter().map(|stop| (stop.speed, stop.way)).collect();
    let line = |slope: f64, offset: f64| [0.0, fit.fastest].map(|speed| (speed, offset + slope * speed));
    let (slope, offset) = fit.envelope;
    let lines = [
        ("least squares", line(fit.slope, fit.offset)),
        ("envelope, with what is beyond it", line(slope, offset + beyond)),
    ];
    let axes = Axes { caption: "Recorded stops", x: "speed (rad/s, m/s)", y: "way until rest (rad, m)" };
    Ok(scatter(&axes, "stops", &points, &lines)?)
}
