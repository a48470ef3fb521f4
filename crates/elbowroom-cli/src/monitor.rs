//! `elbowroom monitor`: a state or an event a line in, a command a line out, in order.
//!
//! One thread reads a line, asks the guard, keeps the record, and answers, before it reads the next: nothing
//! is queued but what the system holds of a pipe or a socket, and a state is never answered with what was
//! proved of one before it.

pub mod arguments;
mod judge;
mod lines;
mod listen;
pub mod record;
mod source;
mod words;

pub use judge::{Answer, Judge, Tally};

use crate::arguments::{GeometryChoice, WorldArguments};
use crate::load::{self, LoadedWorld};
use crate::out::{Sink, delivered, refuse_clashes, say, seconds};
use anyhow::{Context, Result, anyhow, bail};
use arguments::Arguments;
use elbowroom_files::fault::counted;
use elbowroom_files::guard::load_guard;
use elbowroom_files::states::LINE_BYTES;
use elbowroom_monitor::GuardDescription;
use elbowroom_monitor::guard::Action;
use lines::{Lines, Taken};
use listen::Door;
use record::{Asked, Record};
use source::{Got, Source};
use std::io::ErrorKind;
use std::time::{Duration, Instant};

/// Answers to one silence that nobody asked for. Then it is known.
const SILENCES: u32 = 100;

/// How a client, or a file, ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// There is no more to read.
    Left,
    /// The reader of the answers has left.
    Closed,
    /// One state was to be judged, and was: whether it leads to a stop.
    Once { stop: bool },
}

/// Runs the command and returns the exit code.
pub fn run(arguments: &Arguments) -> Result<u8> {
    let outputs = [("--json", arguments.json.as_deref()), ("--record", arguments.record.as_deref())];
    refuse_clashes(&outputs, &arguments.world.inputs())?;
    let door = Door::open(arguments)?;
    let (loaded, settings) = settings(&arguments.world)?;
    refuse_clashes(&outputs, &loaded.inputs())?;
    let mut judge = judge(&loaded, &settings)?;
    let record = match &arguments.record {
        Some(path) => Some(Record::new(path, &arguments.world, judge.fingerprint())?),
        None => None,
    };
    let json = arguments.json.as_deref().map(Sink::open).transpose()?;
    let mut out = Outputs { stdout: Sink::stdout(), json, record };
    say(&format!("guard {:016x} of {}: ready", judge.fingerprint(), arguments.world.world.display()));
    let mut end = Ok(End::Left);
    while let Some(mut source) = door.next()? {
        end = watch(&mut judge, &mut source, &mut out, arguments.once);
        door.left();
        if !(arguments.serve && matches!(end, Ok(End::Left))) {
            break;
        }
    }
    out.finish()?;
    say(&format!("summary: {}", summary(&judge.tally)));
    match end? {
        End::Once { stop } => Ok(u8::from(stop)),
        End::Closed => Ok(delivered(0, true)),
        End::Left if arguments.once => bail!("no state was judged: not all arms have reported"),
        End::Left => Ok(0),
    }
}

/// The world, and what its file tells a guard; or every fault on standard error.
pub fn settings(world: &WorldArguments) -> Result<(LoadedWorld, GuardDescription)> {
    let loaded = load::load(world, GeometryChoice::Mesh)?;
    match load_guard(&world.world, &loaded.world, &load::options(world)) {
        Ok(settings) => Ok((loaded, settings.value)),
        Err(faults) => {
            say(&faults.to_string());
            bail!("the guard of {} is refused", world.world.display());
        }
    }
}

/// Who answers.
pub fn judge<'w>(loaded: &'w LoadedWorld, settings: &GuardDescription) -> Result<Judge<'w>> {
    Judge::new(loaded, settings).map_err(|faults| anyhow!("the guard is refused: {faults}"))
}

/// Answers what was asked.
pub fn answer(judge: &mut Judge, asked: Asked) -> Answer {
    match asked {
        Asked::Line(line) => judge.line(line),
        Asked::TooLong => judge.unreadable(format!("the line is longer than {LINE_BYTES} bytes")),
        Asked::Silence(t) => judge.silence(t),
    }
}

fn summary(tally: &Tally) -> String {
    let Tally { lines, permit, slow, stop, first_stop } = tally;
    let first = first_stop.map_or(String::new(), |t| format!(", the first at {} s", seconds(t)));
    format!("{}: {permit} permit, {slow} slow, {stop} stop{first}", counted(*lines as usize, "line"))
}

/// Where answers go.
struct Outputs {
    stdout: Sink,
    json: Option<Sink>,
    record: Option<Record>,
}

impl Outputs {
    fn put(&mut self, source: &mut Source, text: &str) -> Result<Option<End>> {
        let line = format!("{text}\n");
        if let Some(json) = &mut self.json {
            json.put(&line)?;
        }
        match source.answer(line.as_bytes()) {
            None => self.stdout.put(&line)?,
            Some(Ok(())) => {}
            Some(Err(e)) => {
                if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) {
                    say("note: the client does not read its answers, and is left");
                }
                return Ok(Some(End::Left));
            }
        }
        Ok(self.stdout.closed.then_some(End::Closed))
    }

    fn flush(&mut self) -> Result<Option<End>> {
        self.stdout.flush()?;
        if let Some(json) = &mut self.json {
            json.flush()?;
        }
        Ok(self.stdout.closed.then_some(End::Closed))
    }

    fn finish(self) -> Result<()> {
        self.stdout.finish()?;
        self.json.map(Sink::finish).transpose()?;
        Ok(())
    }

    /// Answers, and keeps what was asked before anybody can act on the answer.
    fn judged(
        &mut self,
        judge: &mut Judge,
        source: &mut Source,
        asked: Asked,
    ) -> Result<(Answer, Option<End>)> {
        let answered = answer(judge, asked);
        if let Some(Err(e)) = self.record.as_mut().map(|record| record.put(asked, &answered.text)) {
            self.record = None;
            let what = format!("the record cannot be written: {e}");
            let stop = judge.own("record", what.clone());
            self.put(source, &stop.text)?;
            self.flush()?;
            bail!(what);
        }
        let end = self.put(source, &answered.text)?;
        Ok((answered, end))
    }
}

/// Answers a client, or a file, to its end.
fn watch(judge: &mut Judge, source: &mut Source, out: &mut Outputs, once: bool) -> Result<End> {
    let [late, period] = judge.times();
    let mut lines = Lines::default();
    // When the last state came, and the time that it had.
    let (mut seen, mut of_last, mut silences) = (Instant::now(), None, 0);
    loop {
        let mut end = None;
        loop {
            let asked = match lines.next() {
                Some(Taken::Line(line)) => Asked::Line(line),
                Some(Taken::TooLong) => Asked::TooLong,
                None => break,
            };
            let (answered, ended) = out.judged(judge, source, asked)?;
            end = end.or(ended);
            if answered.state {
                (seen, of_last, silences) = (Instant::now(), Some(judge.now()), 0);
            }
            if once && answered.state && answered.judged {
                end = Some(End::Once { stop: answered.action == Action::Stop });
            }
            if end.is_some() {
                break;
            }
        }
        if let Some(end) = end.or(out.flush()?) {
            out.flush()?;
            return Ok(end);
        }
        let mut wait = None;
        if source.is_live() && silences < SILENCES {
            let due = late + f64::from(silences) * period;
            let elapsed = seen.elapsed().as_secs_f64();
            if elapsed > due {
                silences += 1;
                // Before the first state nothing is known of the input's clock.
                let t = of_last.map_or(judge.now(), |t: f64| t + elapsed);
                let (_, ended) = out.judged(judge, source, Asked::Silence(t))?;
                if let Some(end) = ended.or(out.flush()?) {
                    return Ok(end);
                }
                continue;
            }
            wait = Some(Duration::from_secs_f64((due - elapsed).clamp(0.0, 10.0)));
        } else if let Source::Udp(..) = source {
            // Nobody says goodbye in datagrams.
            return Ok(End::Left);
        }
        let mut got = Got::Silence;
        let read = lines.read(|room| {
            got = source.read(room, wait)?;
            Ok::<_, std::io::Error>(if let Got::Bytes(count) = got { count } else { 0 })
        });
        read.context("the input cannot be read")?;
        if got == Got::End {
            let rest = lines.rest().map(<[u8]>::to_vec);
            if let Some(rest) = rest {
                let (answered, ended) = out.judged(judge, source, Asked::Line(&rest))?;
                if once && answered.state && answered.judged {
                    return Ok(End::Once { stop: answered.action == Action::Stop });
                }
                end = ended;
            }
            return Ok(end.or(out.flush()?).unwrap_or(End::Left));
        }
    }
}
