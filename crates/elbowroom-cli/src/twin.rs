//! `elbowroom twin`: two monitors on the same input. It knows nothing of robots: it hands each line to both,
//! and answers what both have said if that is the same. Anything else stops the arms: they disagree, or one
//! has gone, is silent or too late. Then it stays stopped until a reset, and both agree again.
//!
//! One thread does all that. Each wait has an end, so it never hangs: a monitor that does not answer in time
//! is left, and is asked again at the next reset.
//!
//! An answer is waited for as long as each monitor itself would be: what `late` leaves behind a period, which
//! the monitors tell when they are reached. And whatever the user says, what holds of a state is replaced
//! within `late` of it: a state's command is proved for so long. So a line is answered at the latest `late`
//! after the state before it came, less a little for saying it, of whichever robot that is first.

mod pair;
mod settings;
mod side;

use crate::monitor::arguments::Input;
use crate::monitor::ending::{self, LAST_TIME, last_word};
use crate::monitor::lines::{LineBuffer, TakenLine};
use crate::monitor::listen::{self, Door};
use crate::monitor::outlet::Outlet;
use crate::monitor::outputs::{End, words_of_end};
use crate::monitor::source::{Got, LineSource};
use crate::monitor::system;
use crate::out::{delivered_code, say_line};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use elbowroom_files::fault::counted_things;
use pair::Pair;
use settings::Settings;
use side::{REACH_TIME, Side};
use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Ask two monitors the same, and answer what both say; anything else is a stop
#[derive(Args, Debug)]
#[command(
    after_help = "Start two monitors, `elbowroom monitor WORLD --input unix:A --serve`, and this with \
    --monitor unix:A --monitor unix:B. Exit codes: 0 all lines were answered; 2 refused, or nobody reads the \
    answers; 128 and its number after a signal."
)]
pub struct TwinArguments {
    /// A monitor: unix:PATH or tcp:HOST:PORT. Given twice
    #[arg(long, value_name = "MONITOR", required = true)]
    pub monitor: Vec<String>,
    /// What the monitors' clients must know: the text of this file
    #[arg(long, value_name = "FILE")]
    pub monitor_token_file: Option<PathBuf>,
    /// How long a monitor may take for an answer (s), at most the settings' `late`. Usually what is left of
    /// that when a period has passed
    #[arg(long, value_name = "SECONDS")]
    pub within: Option<f64>,
    #[command(flatten)]
    pub from: Input,
}

/// How long what monitors say by themselves may wait while the client says nothing.
const LOOK: Duration = Duration::from_millis(2);

/// Runs the command and returns the exit code.
pub fn run(arguments: &TwinArguments) -> Result<u8> {
    let [one, other] = &*arguments.monitor else {
        bail!("--monitor is given {}: give two", counted_things(arguments.monitor.len(), "time"));
    };
    if one == other {
        bail!("both monitors are {one}: give two");
    }
    let sockets = [one, other, &arguments.from.input].into_iter().map(String::as_str);
    system::refuse_missing_parts(sockets, true)?;
    let token = arguments.monitor_token_file.as_deref().map(listen::read_token).transpose()?;
    if let Some(within) = arguments.within.filter(|within| !(1e-4..=60.0).contains(within)) {
        bail!("--within is {within}: give seconds, from a tenth of a millisecond to a minute");
    }
    let mut sides = [one, other].map(|name| Side::new(name, token.clone()));
    let settings = reach(&mut sides)?;
    let within = arguments.within.unwrap_or(settings.usual_within());
    if within > settings.late {
        bail!(
            "--within is {within} s, and late is {} s in the settings of both monitors: what was proved of a \
             state does not hold longer; give less, or leave --within out for {} s",
            settings.late,
            settings.usual_within()
        );
    }
    let within = Duration::from_secs_f64(within);
    let mut pair = Pair::new(sides, settings, within);
    ending::watch_signals()?;
    let door = Door::open(&arguments.from, true)?;
    say_line(&format!("twin of {one} and {other}: ready"));
    let mut stdout = Some(Outlet::open_stdout(true)).filter(|_| !arguments.from.is_socket());
    let mut end = Ok(End::Left);
    while let Some((mut client, _)) = door.next() {
        ending::keep_client(client.open_voice().ok());
        end = watch(&mut pair, &mut client, &mut stdout);
        let mut last = vec![last_word(&words_of_end(&end)).into_bytes()];
        let _ = tell((&mut client, &mut stdout), &mut last, LAST_TIME);
        ending::keep_client(None);
        door.note_client_left();
        if !(arguments.from.serve && matches!(end, Ok(End::Left | End::Deaf))) {
            break;
        }
    }
    ending::mark_last_word_said();
    if let (Some(signal), Ok(End::Left | End::Deaf)) = (ending::pending_signal(), &end) {
        end = Ok(End::Signal(signal));
    }
    say_line(&format!("summary: {}", pair.summary()));
    Ok(match end? {
        End::Left | End::Once { .. } => 0,
        End::Deaf => 2,
        End::Closed => delivered_code(0, true),
        End::Signal(signal) => signal.exit_code(),
    })
}

/// Reaches both monitors, whose settings must be the same.
fn reach(sides: &mut [Side; 2]) -> Result<Settings> {
    let mut told = Vec::new();
    for side in &mut *sides {
        let reached = side.reach(Instant::now() + REACH_TIME, None);
        let cannot = || format!("{} cannot be reached: start the monitor first", side.name());
        told.extend(reached.with_context(cannot)?);
    }
    let [one, other] = sides.each_ref().map(Side::name);
    match &*told {
        [a, b] if a == b => Ok(a.clone()),
        [a, b] => {
            bail!("the monitors guard other worlds, or have other settings: {one} has {a}; {other} has {b}")
        }
        _ => bail!("the monitors do not tell their settings"),
    }
}

/// Answers a client to its end.
fn watch(pair: &mut Pair, client: &mut LineSource, stdout: &mut Option<Outlet>) -> Result<End> {
    let mut lines = LineBuffer::default();
    let mut said = Vec::new();
    let mut came = Instant::now();
    loop {
        while let Some(taken) = lines.next() {
            pair.answer_line((taken, came), &mut said);
            if let Some(end) = tell((client, stdout), &mut said, pair.within())? {
                return Ok(end);
            }
        }
        if let Some(signal) = ending::pending_signal() {
            return Ok(End::Signal(signal));
        }
        let mut got = Got::Silence;
        let read = lines.read(client.chunk_size(), |room| {
            got = client.read(room, Some(LOOK))?;
            came = Instant::now();
            Ok::<_, std::io::Error>(if let Got::Bytes(count) = got { count } else { 0 })
        });
        read.context("the input cannot be read")?;
        match got {
            Got::Bytes(_) => {}
            Got::Silence => pair.listen(&mut said),
            Got::End => {
                if let Some(rest) = lines.take_rest() {
                    pair.answer_line((TakenLine::Line(rest), came), &mut said);
                }
                return Ok(tell((client, stdout), &mut said, pair.within())?.unwrap_or(End::Left));
            }
        }
        if let Some(end) = tell((client, stdout), &mut said, pair.within())? {
            return Ok(end);
        }
    }
}

/// Gives the client its answers within a time; how it has ended, if it has.
fn tell(
    (client, stdout): (&mut LineSource, &mut Option<Outlet>),
    said: &mut Vec<Vec<u8>>,
    within: Duration,
) -> Result<Option<End>> {
    let due = Instant::now().checked_add(within);
    for mut line in said.drain(..) {
        line.push(b'\n');
        match (client.answer_client(&line, due), &mut *stdout) {
            (None, Some(stdout)) => {
                let put = stdout.put_lines(&String::from_utf8_lossy(&line), due);
                put.map_err(|unwritten| anyhow!(unwritten.fault_in_words()))?;
            }
            (Some(Err(e)), _) if e.kind() == ErrorKind::TimedOut => {
                // The client may have got half a line. Anything behind that would not be readable.
                client.cut_off();
                say_line("note: the client does not read its answers, and is left");
                return Ok(Some(End::Deaf));
            }
            (Some(Err(_)), _) => return Ok(Some(End::Left)),
            (Some(Ok(())) | None, _) => {}
        }
    }
    Ok(stdout.as_ref().is_some_and(Outlet::is_closed).then_some(End::Closed))
}
