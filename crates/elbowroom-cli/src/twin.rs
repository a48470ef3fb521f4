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

mod settings;
mod side;

use crate::monitor::arguments::Input;
use crate::monitor::ending::{self, LAST_TIME, last_word};
use crate::monitor::lines::{Lines, Taken};
use crate::monitor::listen::{self, Door};
use crate::monitor::outlet::Outlet;
use crate::monitor::outputs::End;
use crate::monitor::source::{Got, Source};
use crate::monitor::words;
use crate::out::{clean, delivered, say};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use elbowroom_files::fault::counted;
use elbowroom_monitor::guard::outcome;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use settings::Settings;
use side::{REACH_TIME, Side};
use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Ask two monitors the same, and answer what both say; anything else is a stop
#[derive(Args, Debug)]
#[command(
    after_help = "Start two monitors, `elbowroom monitor WORLD --input unix:A --serve`, and this with \
    --monitor unix:A --monitor unix:B. Exit codes: 0 all lines were answered; 2 refused."
)]
pub struct Arguments {
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

/// Most robots whose states are waited for each by itself.
const ROBOTS: usize = 256;

/// Disagreements that are shown on standard error.
const SHOWN: u64 = 3;

/// Runs the command and returns the exit code.
pub fn run(arguments: &Arguments) -> Result<u8> {
    let [one, other] = &*arguments.monitor else {
        bail!("--monitor is given {}: give two", counted(arguments.monitor.len(), "time"));
    };
    if one == other {
        bail!("both monitors are {one}: give two");
    }
    let token = arguments.monitor_token_file.as_deref().map(listen::token).transpose()?;
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
    let states = Vec::new();
    let mut pair = Pair { sides, settings, within, states, latched: false, lines: 0, stopped: 0 };
    ending::watch()?;
    let door = Door::open(&arguments.from, true)?;
    say(&format!("twin of {one} and {other}: ready"));
    let mut stdout = Some(Outlet::stdout(true)).filter(|_| !arguments.from.is_socket());
    let mut end = Ok(End::Left);
    let why = |end: &Result<End>| match end {
        Ok(end) => end.words(),
        Err(e) => format!("{e:#}"),
    };
    while let Some((mut client, _)) = door.next() {
        ending::keep_client(client.voice().ok());
        end = watch(&mut pair, &mut client, &mut stdout);
        let mut last = vec![last_word(&why(&end)).into_bytes()];
        let _ = tell((&mut client, &mut stdout), &mut last, LAST_TIME);
        ending::keep_client(None);
        door.left();
        if !(arguments.from.serve && matches!(end, Ok(End::Left | End::Deaf))) {
            break;
        }
    }
    ending::said();
    if let (Some(signal), Ok(End::Left | End::Deaf)) = (ending::came(), &end) {
        end = Ok(End::Signal(signal));
    }
    let lines = counted(pair.lines as usize, "line");
    say(&format!("summary: {lines}, {} without the agreement of both", pair.stopped));
    Ok(match end? {
        End::Left | End::Once { .. } => 0,
        End::Deaf => 2,
        End::Closed => delivered(0, true),
        End::Signal(signal) => signal.code(),
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
fn watch(pair: &mut Pair, client: &mut Source, stdout: &mut Option<Outlet>) -> Result<End> {
    let mut lines = Lines::default();
    let mut said = Vec::new();
    let mut came = Instant::now();
    loop {
        while let Some(taken) = lines.next() {
            pair.answer((taken, came), &mut said);
            if let Some(end) = tell((client, stdout), &mut said, pair.within)? {
                return Ok(end);
            }
        }
        if let Some(signal) = ending::came() {
            return Ok(End::Signal(signal));
        }
        let mut got = Got::Silence;
        let read = lines.read(client.chunk(), |room| {
            got = client.read(room, Some(LOOK))?;
            came = Instant::now();
            Ok::<_, std::io::Error>(if let Got::Bytes(count) = got { count } else { 0 })
        });
        read.context("the input cannot be read")?;
        match got {
            Got::Bytes(_) => {}
            Got::Silence => pair.listen(&mut said),
            Got::End => {
                if let Some(rest) = lines.rest() {
                    pair.answer((Taken::Line(rest), came), &mut said);
                }
                return Ok(tell((client, stdout), &mut said, pair.within)?.unwrap_or(End::Left));
            }
        }
        if let Some(end) = tell((client, stdout), &mut said, pair.within)? {
            return Ok(end);
        }
    }
}

/// Gives the client its answers within a time; how it has ended, if it has.
fn tell(
    (client, stdout): (&mut Source, &mut Option<Outlet>),
    said: &mut Vec<Vec<u8>>,
    within: Duration,
) -> Result<Option<End>> {
    let due = Instant::now().checked_add(within);
    for mut line in said.drain(..) {
        line.push(b'\n');
        match (client.answer(&line, due), &mut *stdout) {
            (None, Some(stdout)) => {
                let put = stdout.put(&String::from_utf8_lossy(&line), due);
                put.map_err(|unwritten| anyhow!(unwritten.words()))?;
            }
            (Some(Err(e)), _) if e.kind() == ErrorKind::TimedOut => {
                // It may have half a line: it gets no more.
                client.cut();
                say("note: the client does not read its answers, and is left");
                return Ok(Some(End::Deaf));
            }
            (Some(Err(_)), _) => return Ok(Some(End::Left)),
            (Some(Ok(())) | None, _) => {}
        }
    }
    Ok(stdout.as_ref().is_some_and(Outlet::is_closed).then_some(End::Closed))
}

/// Two monitors.
struct Pair {
    sides: [Side; 2],
    /// Of both.
    settings: Settings,
    within: Duration,
    /// Robots, and when their last states came; the robot is `None` of states of all.
    states: Vec<(Option<String>, Instant)>,
    /// Whether the arms wait for a reset.
    latched: bool,
    lines: u64,
    stopped: u64,
}

impl Pair {
    /// Answers a line that came at a time. Behind what monitors have said by themselves in the meantime comes
    /// the one answer.
    fn answer(&mut self, (taken, came): (Taken, Instant), said: &mut Vec<Vec<u8>>) {
        self.lines += 1;
        let Taken::Line(line) = taken else {
            self.latched = true;
            said.push(stop("unreadable", "the line is too long"));
            return;
        };
        let asked = Instant::now();
        let due = self.due(asked);
        let told = Told::read(line);
        if let Some(robot) = told.robot {
            self.came(robot, came);
        }
        let reset = told.is_reset;
        // Half of the time that is left is for reaching, and half of the rest for handing over.
        let half = |due: Instant| {
            let now = Instant::now();
            now + due.saturating_duration_since(now) / 2
        };
        if reset {
            for side in &mut self.sides {
                // One that cannot be reached does not answer below.
                let _ = side.reach(half(due), Some(&self.settings));
            }
        }
        for side in &mut self.sides {
            side.send(line, half(due));
        }
        let [one, other] = self.sides.each_mut().map(|side| side.receive([asked, due], said));
        let words = self.words(one.as_deref(), other.as_deref());
        match outcome(one, other, |one, other| same(one, other)) {
            Ok(answer) => {
                self.latched &= !reset;
                if self.latched {
                    self.stopped += 1;
                    let text = "the arms wait for a reset since an earlier stop (disagreement)";
                    said.push(stop("latched", text));
                } else {
                    said.push(answer);
                }
            }
            Err(why) => {
                self.latched = true;
                self.stopped += 1;
                let words = words.unwrap_or_else(|| "the answers differ".into());
                if self.stopped <= SHOWN {
                    say(&format!("line {}: {}: {words}", self.lines, why.says()));
                }
                said.push(stop("disagreement", &format!("{}: {words}", why.says())));
            }
        }
    }

    /// When a line that is asked now must be answered: within the time for an answer, and before a command
    /// that was given holds no longer. What was late before stays so: the monitors say it.
    fn due(&self, asked: Instant) -> Instant {
        let late = self.settings.late();
        let holds = self.states.iter().map(|(_, came)| *came + late).filter(|until| *until > asked);
        let Some(until) = holds.min() else { return asked + self.within };
        // Where less than twice the room is left, half of that.
        let room = self.settings.room().min((until - asked) / 2);
        (until - room).min(asked + self.within)
    }

    /// A state of a robot came. A state of all replaces that of each.
    fn came(&mut self, robot: Option<String>, came: Instant) {
        self.states.retain(|(other, _)| robot.is_some() && *other != robot);
        // More robots than a world has are not believed.
        if self.states.len() < ROBOTS {
            self.states.push((robot, came));
        }
    }

    /// What the monitors say by themselves: stops, which are handed on.
    fn listen(&mut self, said: &mut Vec<Vec<u8>>) {
        for side in &mut self.sides {
            side.listen(said);
        }
    }

    /// Why two answers are not the same, for people.
    fn words(&self, one: Option<&[u8]>, other: Option<&[u8]>) -> Option<String> {
        let sides = self.sides.iter().zip([one, other]);
        let missing: Vec<String> = sides
            .clone()
            .filter(|(_, answer)| answer.is_none())
            .map(|(side, _)| format!("{} {}", side.name(), side.lost().unwrap_or("is silent")))
            .collect();
        if !missing.is_empty() {
            return Some(missing.join("; "));
        }
        if one.zip(other).is_some_and(|(one, other)| same(one, other)) {
            return None;
        }
        let read = |answer: Option<&[u8]>| serde_json::from_slice::<Value>(answer.unwrap_or_default());
        let of = |key: &str| {
            [one, other].map(|answer| read(answer).ok().and_then(|v| v.get(key).cloned()).unwrap_or_default())
        };
        let [a, b] = of("fingerprint");
        if a != b {
            return Some(format!(
                "they guard other worlds, or have other settings: fingerprints {a} and {b}"
            ));
        }
        let [command_a, command_b] = of("command");
        let [speed_a, speed_b] = of("speed");
        let [name_a, name_b] = self.sides.each_ref().map(Side::name);
        let words = format!("{name_a} says {command_a} {speed_a}, {name_b} says {command_b} {speed_b}");
        Some(clean(&words))
    }
}

fn stop(kind: &str, text: &str) -> Vec<u8> {
    words::stop(Some(0), [kind, text], false).into_bytes()
}

/// What the comparator must know of a line.
struct Told {
    /// The robot of its state: `None` of all robots. `None` if the line has none.
    robot: Option<Option<String>>,
    is_reset: bool,
}

impl Told {
    /// What is no line has neither: the monitors say what is wrong with it.
    fn read(line: &[u8]) -> Told {
        #[derive(Default, Deserialize)]
        struct Keys {
            q: Option<IgnoredAny>,
            robot: Option<String>,
            reset: Option<IgnoredAny>,
        }
        // A list of the same values would be taken for a struct too.
        let keys = serde_json::from_slice(line).ok().filter(|_| line.starts_with(b"{"));
        let Keys { q, robot, reset } = keys.unwrap_or_default();
        Told { robot: q.map(|_| robot), is_reset: reset.is_some() }
    }
}

/// Whether two answers are the same, byte by byte; but for the number of the step, which counts what each
/// monitor has said by itself as well.
fn same(one: &[u8], other: &[u8]) -> bool {
    without_step(one) == without_step(other)
}

/// The parts of an answer before and behind the number of its step. In a text its quotes would be escaped.
fn without_step(line: &[u8]) -> (&[u8], &[u8]) {
    let key = b",\"step\":";
    let Some(at) = line.windows(key.len()).position(|part| part == key) else { return (line, &[]) };
    let (before, rest) = line.split_at(at);
    let digits = rest.iter().skip(key.len()).take_while(|byte| byte.is_ascii_digit()).count();
    (before, rest.get(key.len() + digits..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_step_may_differ() {
        let line = |speed: f64, step: u64, more: &str| {
            format!("{{\"speed\":{speed},\"text\":\"\\\"step\\\":7\",\"step\":{step},\"f\":\"ab\"{more}}}")
        };
        let of = |a: &str, b: &str| same(a.as_bytes(), b.as_bytes());
        let one = line(0.5, 9, "");
        assert!(of(&one, &one) && of(&one, &line(0.5, 1234, "")));
        let others =
            [line(0.6, 9, ""), line(0.5, 9, " "), one.replace("7", "8"), one.replace(",\"step\":9", "")];
        assert!(others.iter().all(|other| !of(&one, other) && !of(other, &one)));
        // Digits that belong to something else do not count as the step's.
        assert!(!of("{\"a\":1,\"step\":1}", "{\"a\":1,\"step\":1.5}"));
        assert!(of("", "") && !of("", "x"));
    }

    #[test]
    fn a_reset_is_a_key_and_not_a_word() {
        let is_reset = |line: &[u8]| Told::read(line).is_reset;
        assert!(is_reset(br#"{"t": 1, "reset": {}}"#));
        for line in
            [r#"{"intent": {"pick": "reset"}}"#, r#""reset""#, r#"{"a": {"reset": {}}}"#, "{\"reset\""]
        {
            assert!(!is_reset(line.as_bytes()), "{line}");
        }
    }
}
