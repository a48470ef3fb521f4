//! `elbowroom monitor`: a state or an event a line in, a command a line out, in order.
//!
//! One thread reads a line, asks the guard, keeps the record, and answers, before it reads the next: nothing
//! is queued but what the system holds of a pipe or a socket, and a state is never answered with what was
//! proved of one before it.

mod answer;
pub mod arguments;
pub mod ending;
mod heartbeat;
mod judge;
pub mod lines;
pub mod listen;
pub mod outlet;
pub mod outputs;
mod place;
pub mod record;
pub mod record_reader;
mod snapshots;
pub mod source;
mod stamps;
pub mod system;
mod tally;
mod unwritten;
mod voice;
pub mod words;

pub use judge::{Before, Judge};

use crate::arguments::{GeometryChoice, WorldArguments};
use crate::clashes::refuse_clashes;
use crate::load::{self, LoadedWorld};
use crate::out::{delivered_code, say_line, say_warnings};
use anyhow::{Context, Result, anyhow, bail};
use arguments::MonitorArguments;
use elbowroom_files::guard::load_guard;
use elbowroom_monitor::GuardDescription;
use elbowroom_monitor::guard::{Action, SnapshotFault};
use elbowroom_monitor::watchdog::Watchdog;
use heartbeat::Heartbeat;
use judge::Refused;
use lines::{LineBuffer, TakenLine};
use listen::Door;
use outlet::Outlet;
use outputs::{End, Outputs, words_of_end};
use record::{Asked, Record};
use snapshots::{Kept, Snapshots};
use source::{Got, LineSource};
use stamps::Stamps;
use std::path::Path;
use std::time::{Duration, Instant};

/// Runs the command and returns the exit code.
pub fn run(arguments: &MonitorArguments) -> Result<u8> {
    let outputs = [("--json", arguments.json.as_deref()), ("--record", arguments.record.as_deref())];
    refuse_clashes(&outputs, &arguments.world.input_files())?;
    system::refuse_missing_parts([&*arguments.from.input].into_iter(), arguments.is_live())?;
    if arguments.snapshot.is_some() {
        system::refuse_snapshots()?;
    }
    let (loaded, settings) = load_settings(&arguments.world)?;
    refuse_clashes(&outputs, &loaded.input_files())?;
    let every = duration_from_option("--snapshot-every", arguments.snapshot_every)?;
    let answer_within =
        arguments.answer_within.map(|s| duration_from_option("--answer-within", s)).transpose()?;
    let (mut snapshots, kept) = match &arguments.snapshot {
        Some(folder) => {
            let (snapshots, kept) = Snapshots::open(folder, every)?;
            (Some(snapshots), kept)
        }
        None => (None, Vec::new()),
    };
    let (mut judge, before) = start_judge(arguments, &loaded, &settings, &kept)?;
    if let Some(to) = &mut snapshots {
        let first = to.put_to_disk(judge.snapshot_text(outputs::time_of_day()));
        first.map_err(|what| anyhow!("the snapshot cannot be written: {what}"))?;
    }
    let live = arguments.is_live();
    let record = match &arguments.record {
        Some(path) => Some(Record::new((path, live), &arguments.world, judge.guard_fingerprint(), before)?),
        None => None,
    };
    let json = arguments.json.as_deref().map(|path| Outlet::open(path, live)).transpose()?;
    let told = (Action::Stop, None);
    let within = answer_within.is_some();
    let stdout = (!arguments.from.is_socket()).then(|| Outlet::open_stdout(live));
    #[cfg(unix)]
    json.iter().filter_map(Outlet::clone_stream).for_each(|to| ending::keep_output(voice::Voice::Stream(to)));
    let mut out = Outputs { stdout, json, record, snapshots, told, within, ended: false };
    ending::watch_signals()?;
    // The input opens last: lines that came while the world was loaded would be old when they are read.
    let door = Door::open(&arguments.from, arguments.live)?;
    say_line(&format!(
        "guard {:016x} of {}: ready",
        judge.guard_fingerprint(),
        arguments.world.world.display()
    ));
    let mut end = Ok(End::Left);
    while let Some((mut source, came)) = door.next() {
        ending::keep_client(source.open_voice().ok());
        let from = (&door, &mut source, came);
        end = answer_to_end(&mut judge, from, &mut out, (arguments.once, answer_within));
        if !arguments.once {
            out.leave_client(&mut source, &words_of_end(&end));
        }
        ending::keep_client(None);
        door.note_client_left();
        if !(arguments.from.serve && matches!(end, Ok(End::Left | End::Deaf))) {
            break;
        }
    }
    if let (Some(signal), Ok(End::Left | End::Deaf)) = (ending::pending_signal(), &end) {
        end = Ok(End::Signal(signal));
    }
    let last = words_of_end(&end);
    out.finish(&judge, &last, arguments.once)?;
    say_line(&format!("summary: {}", judge.tally.tally_in_words()));
    match end? {
        End::Once { stop } => Ok(u8::from(stop)),
        End::Closed => Ok(delivered_code(0, true)),
        End::Deaf => Ok(2),
        End::Signal(signal) => Ok(signal.exit_code()),
        End::Left if arguments.once => {
            bail!(
                "no state was judged: {}",
                judge.waiting_reason().unwrap_or("there was none; send one of each robot")
            )
        }
        End::Left => Ok(0),
    }
}

/// The world, and what its file tells a guard; or every fault on standard error.
pub fn load_settings(world: &WorldArguments) -> Result<(LoadedWorld, GuardDescription)> {
    let loaded = load::load_from_arguments(world, GeometryChoice::Mesh)?;
    loaded.world.prepare_all();
    match load_guard(&world.world, &loaded.world, &load::file_options(world)) {
        Ok(settings) => {
            say_warnings(&settings.warnings);
            Ok((loaded, settings.value))
        }
        Err(faults) => {
            say_line(&faults.to_string());
            bail!("the guard of {} is refused", world.world.display());
        }
    }
}

/// Who answers; as a snapshot has it, or anew.
pub fn build_judge<'w>(
    loaded: &'w LoadedWorld,
    settings: &GuardDescription,
    before: Option<Before>,
) -> Result<Judge<'w>> {
    Judge::new(loaded, settings, before).map_err(refused_error)
}

fn refused_error(refused: Refused) -> anyhow::Error {
    match refused {
        Refused::Settings(faults) => anyhow!("the guard is refused: {faults}"),
        Refused::Snapshot(fault) => anyhow!(fault),
    }
}

/// The guard that answers, and the snapshot that it starts from.
fn start_judge<'w, 'k>(
    arguments: &MonitorArguments,
    loaded: &'w LoadedWorld,
    settings: &GuardDescription,
    kept: &'k [Kept],
) -> Result<(Judge<'w>, Option<&'k str>)> {
    let folder = arguments.snapshot.as_deref().unwrap_or(Path::new("")).display();
    match kept {
        [] if arguments.restore => {
            bail!("{folder} holds no snapshot: leave --restore out, and the cell is as the world file has it")
        }
        [newest, ..] if !arguments.restore => bail!(
            "{} is there: give --restore to start from it, or remove the snapshots of {folder} if the cell \
             is as the world file has it",
            newest.path.display()
        ),
        [] => Ok((build_judge(loaded, settings, None)?, None)),
        // Never silently the one before: what has happened since would be lost.
        [newest, before @ ..] => {
            let now = outputs::time_of_day();
            let from = Before { text: &newest.text, now, most: arguments.most_age };
            let restored = Judge::new(loaded, settings, Some(from)).map_err(|refused| {
                let help = match &refused {
                    Refused::Snapshot(SnapshotFault::Old { .. }) => {
                        "; --most-age lets it be older".to_string()
                    }
                    Refused::Snapshot(SnapshotFault::OtherWorld) => {
                        "; give the world file that it was kept with".to_string()
                    }
                    // The one before is whole, most likely.
                    Refused::Snapshot(_) => before.first().map_or(String::new(), |before| {
                        format!("; to start from the one before, {}, remove it", before.path.display())
                    }),
                    Refused::Settings(_) => String::new(),
                };
                refused_error(refused).context(format!("{} is refused{help}", newest.path.display()))
            })?;
            say_line(&format!("restored from {}", newest.path.display()));
            Ok((restored, Some(&newest.text)))
        }
    }
}

/// A time that an option gives (s).
fn duration_from_option(option: &str, seconds: f64) -> Result<Duration> {
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if seconds <= 86_400.0 && time >= Duration::from_micros(1) => Ok(time),
        _ => bail!("{option} is {seconds}: give seconds, from a microsecond to a day"),
    }
}

/// How long the watchdog waits for room to say a stop: nobody waits for its thread but the answer, which is
/// late already.
const BARK_TIME: Duration = Duration::from_millis(5);

/// A watchdog for a client, where the clock is watched. A state that comes a period after the one before has
/// what is left of `late`: until then the command before it is proved. Settings without such a rest have half
/// a period.
fn start_watchdog(
    source: &LineSource,
    [late, period]: [f64; 2],
    within: Option<Duration>,
) -> Result<Option<Watchdog>> {
    if !source.is_live() {
        return Ok(None);
    }
    let left = Duration::from_secs_f64((late - period).max(0.5 * period));
    let most = within.unwrap_or(left);
    let mut voice = source.open_voice().context("the client cannot be watched")?;
    let line = format!("{}\n", outputs::overdue_line(most));
    // A client that cannot be told has left, or will be found out when it is answered.
    let bark = move || drop(voice.say_to_client(line.as_bytes(), Instant::now().checked_add(BARK_TIME)));
    Ok(Some(Watchdog::new(most, bark).context("there is no thread for the watchdog")?))
}

/// Answers a client, or a file, to its end.
fn answer_to_end(
    judge: &mut Judge,
    (door, source, came): (&Door, &mut LineSource, Instant),
    out: &mut Outputs,
    (once, within): (bool, Option<Duration>),
) -> Result<End> {
    let [late, period] = judge.late_and_period();
    let mut watchdog = start_watchdog(source, [late, period], within)?;
    let mut heartbeat = Heartbeat::new([late, period], came);
    let mut stamps = Stamps::new(judge.arm_count(), judge.drift_and_offset());
    let mut lines = LineBuffer::default();
    loop {
        let mut end = None;
        while end.is_none() {
            let overdue = if source.is_live() { heartbeat.next_silence(judge.latest_time()) } else { None };
            let asked = match overdue {
                Some(t) => Asked::Silence(t),
                None => match lines.next() {
                    Some(TakenLine::Line(line)) => Asked::Line(line),
                    Some(TakenLine::TooLong) => Asked::TooLong,
                    None => break,
                },
            };
            let (answered, ended) =
                out.answer_and_keep(judge, source, watchdog.as_mut(), (&heartbeat, &mut stamps), asked)?;
            end = ended;
            if answered.state {
                heartbeat.note_state(judge.latest_time());
            }
            if once && answered.state && answered.judged {
                end = Some(End::Once { stop: answered.action == Action::Stop });
            }
        }
        if let Some(end) = end.or(out.flush()?) {
            out.flush()?;
            return Ok(end);
        }
        if let Some(signal) = ending::pending_signal() {
            return Ok(End::Signal(signal));
        }
        let wait = if source.is_live() { heartbeat.wait_time() } else { None };
        if wait.is_none() && matches!(source, LineSource::Udp(..)) {
            // Nobody says goodbye in datagrams.
            return Ok(End::Left);
        }
        door.set_silent(wait.is_none());
        heartbeat.note_waiting(!source.has_more().context("the input cannot be read")?);
        let mut got = Got::Silence;
        let read = lines.read(source.chunk_size(), |room| {
            got = source.read(room, wait)?;
            heartbeat.note_read();
            Ok::<_, std::io::Error>(if let Got::Bytes(count) = got { count } else { 0 })
        });
        read.context("the input cannot be read")?;
        if got == Got::End {
            let rest = lines.take_rest().map(<[u8]>::to_vec);
            if let Some(rest) = rest {
                let last = Asked::Line(&rest);
                let (answered, ended) =
                    out.answer_and_keep(judge, source, watchdog.as_mut(), (&heartbeat, &mut stamps), last)?;
                if once && answered.state && answered.judged {
                    return Ok(End::Once { stop: answered.action == Action::Stop });
                }
                end = ended;
            }
            return Ok(end.or(out.flush()?).unwrap_or(End::Left));
        }
    }
}
