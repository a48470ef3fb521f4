//! Where answers go, and what is kept before anybody can act on them.

use super::answer::Answer;
use super::ending::{self, LAST_TIME, Signal, last_word};
use super::heartbeat::Heartbeat;
use super::judge::Judge;
use super::outlet::Outlet;
use super::record::{Asked, Own, Record};
use super::snapshots::Snapshots;
use super::source::LineSource;
use super::stamps::{Lie, Stamps};
use super::unwritten::Unwritten;
use super::words;
use crate::out::say_line;
use anyhow::{Result, bail};
use elbowroom_monitor::guard::{Action, ReasonKind};
use elbowroom_monitor::watchdog::{Overrun, Watchdog};
use std::io::ErrorKind;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How a client, or a file, ended.
#[derive(Clone, Copy, Debug)]
pub enum End {
    /// There is no more to read.
    Left,
    /// The client of a socket does not read its answers.
    Deaf,
    /// The reader of the answers has left.
    Closed,
    /// A signal has come.
    Signal(Signal),
    /// One state was to be judged, and was: whether it leads to a stop.
    Once {
        /// Whether it does.
        stop: bool,
    },
}

/// Why what was answered must not be relied on, beside a watched clock: the kind of reason and the sentence.
fn disbelief_reason(
    (heartbeat, stamps): (&Heartbeat, &mut Stamps),
    judge: &Judge,
    answered: &Answer,
) -> Option<(&'static str, String)> {
    if answered.reset {
        stamps.forget_arms();
    }
    // The arms wait for a reset already: with that the clocks begin anew.
    if judge.latched_kind().is_some() {
        return None;
    }
    let moves = answered.action != Action::Stop;
    if let Some(text) = moves.then(|| stale_reason(heartbeat, judge, answered.state)).flatten() {
        return Some(("overrun", text));
    }
    let (t, arm) = answered.stamp?;
    let (read, waited) = heartbeat.read_and_waited();
    let Lie { states, own, most } = stamps.find_lie(arm, t, read, waited)?;
    let told = |seconds: f64| format!("{:.1} ms", seconds * 1e3);
    let text = format!(
        "the clock of the states has gone {} while that of the monitor has gone {}: they may differ by {} \
         (clock_offset and clock_drift of [guard])",
        told(states),
        told(own),
        told(most)
    );
    Some(("clock", text))
}

/// Why there are no more answers, whether by an end or a fault.
pub fn words_of_end(end: &Result<End>) -> String {
    match end {
        Ok(end) => end.end_in_words(),
        Err(e) => format!("{e:#}"),
    }
}

impl End {
    /// Why there are no more answers.
    pub fn end_in_words(self) -> String {
        match self {
            End::Left => "there is no more to read".into(),
            End::Deaf => "the client does not read its answers".into(),
            End::Closed => "nobody reads the answers".into(),
            End::Signal(signal) => signal.ending_in_words(),
            End::Once { .. } => "one state was judged".into(),
        }
    }
}

/// Where answers go.
pub struct Outputs {
    /// Standard output, where no client has a socket.
    pub stdout: Option<Outlet>,
    /// A file beside it.
    pub json: Option<Outlet>,
    /// What keeps all that is asked.
    pub record: Option<Record>,
    /// What keeps what a restart needs.
    pub snapshots: Option<Snapshots>,
    /// What the last snapshot had of the last answer: the action, and why the arms wait for a reset.
    pub told: (Action, Option<ReasonKind>),
    /// Whether the user has said how long an answer may take.
    pub within: bool,
    /// Whether the last answer was a stop that the program has said for its end.
    pub ended: bool,
}

/// This part of the time for an answer is left for a stop where an output has no room: of 15 ms it is 0.9 ms,
/// and to say a line takes some hundredths of a millisecond.
const SAYING: u32 = 16;

/// The time of day (s since 1970), which snapshots have. Nothing else is measured by it.
pub fn time_of_day() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(f64::NAN, |since| since.as_secs_f64())
}

/// A time for people.
fn in_milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

/// What the watchdog says when an answer is due and not there.
pub fn overdue_line(most: Duration) -> String {
    let text = format!("there is no answer yet, and it may take {}", in_milliseconds(most));
    words::stop_line(Some(0), ["overrun", &text], true)
}

/// Why an answer comes too late to be relied on, if it does.
fn stale_reason(heartbeat: &Heartbeat, judge: &Judge, is_state: bool) -> Option<String> {
    let told = |seconds: f64| in_milliseconds(Duration::from_secs_f64(seconds));
    if let Some(lag) = heartbeat.state_lag(judge.latest_time()).filter(|_| is_state) {
        let why = "states come faster than they are answered";
        return Some(format!("the state waited {} to be read: {why}", told(lag)));
    }
    let missed = heartbeat.elapsed_if_late()?;
    Some(format!(
        "the answer came {} after the state before: what was proved of it holds no longer",
        told(missed)
    ))
}

/// Why a line was not given.
enum Untold {
    /// The file beside the client has not taken it.
    Json(Unwritten),
    /// Standard output has not taken it.
    Stdout(Unwritten),
    /// The client has not read what was said before.
    Client,
}

impl Outputs {
    /// Gives a line to the file and to the client, each until it is due.
    fn put_line(
        &mut self,
        source: &mut LineSource,
        text: &str,
        due: Option<Instant>,
    ) -> Result<Option<End>, Untold> {
        let line = format!("{text}\n");
        if let Some(json) = &mut self.json {
            json.put_lines(&line, due).map_err(Untold::Json)?;
        }
        match source.answer_client(line.as_bytes(), due) {
            None => {
                if let Some(stdout) = &mut self.stdout {
                    stdout.put_lines(&line, due).map_err(Untold::Stdout)?;
                    // Beside a watched clock no answer waits for another, and none is cut by the watchdog.
                    if source.is_live() {
                        stdout.flush().map_err(|e| Untold::Stdout(Unwritten::Broken(e)))?;
                    }
                }
            }
            Some(Ok(())) => {}
            Some(Err(e)) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return Err(Untold::Client);
            }
            Some(Err(_)) => return Ok(Some(End::Left)),
        }
        Ok(self.is_closed().then_some(End::Closed))
    }

    /// Says a stop wherever it still can be said, because something has not taken an answer in time, or at
    /// all. What has not is left.
    fn stop_for(
        &mut self,
        judge: &mut Judge,
        source: &mut LineSource,
        (untold, due): (Untold, Option<Instant>),
        silence: bool,
    ) -> Result<End> {
        let (unwritten, is_client) = match untold {
            Untold::Json(unwritten) => {
                self.json = None;
                (unwritten, false)
            }
            Untold::Stdout(unwritten) => (unwritten, false),
            Untold::Client => {
                // The client may have got half a line. Anything behind that would not be readable.
                source.cut_off();
                (Unwritten::Blocked("the client's socket".into()), true)
            }
        };
        let what = unwritten.fault_in_words();
        let own = Own { kind: unwritten.reason_kind(), text: &what, silence };
        let stop = judge.answer_asked(Asked::Own(own));
        // The arms stop already: a record that fails as well changes nothing.
        let _ = self.keep_answer((judge, due), Asked::Own(own), &stop);
        let _ = self.put_line(source, &stop.text, due);
        let _ = self.flush();
        if is_client {
            say_line("note: the client does not read its answers, and is left");
            return Ok(End::Deaf);
        }
        self.ended = true;
        bail!(what);
    }

    /// Whether the reader of standard output has left.
    fn is_closed(&self) -> bool {
        self.stdout.as_ref().is_some_and(Outlet::is_closed)
    }

    /// Hands on all that was answered.
    pub fn flush(&mut self) -> Result<Option<End>> {
        for outlet in self.stdout.iter_mut().chain(&mut self.json) {
            outlet.flush()?;
        }
        Ok(self.is_closed().then_some(End::Closed))
    }

    /// Says the last word to a client, which is left: a stop.
    pub fn leave_client(&self, source: &mut LineSource, why: &str) {
        if !self.ended {
            let line = format!("{}\n", last_word(why));
            // Whoever has closed the connection, or does not read, knows.
            let _ = source.answer_client(line.as_bytes(), Instant::now().checked_add(LAST_TIME));
        }
    }

    /// Says the last word on the outputs that still take it, keeps the last snapshot, and ends the files.
    /// With `once` there is no last word but the answer.
    pub fn finish(mut self, judge: &Judge, why: &str, once: bool) -> Result<()> {
        if !self.ended && !once {
            let line = format!("{}\n", last_word(why));
            for outlet in self.stdout.iter_mut().chain(&mut self.json) {
                let _ = outlet.put_lines(&line, Instant::now().checked_add(LAST_TIME));
                let _ = outlet.flush();
            }
        }
        ending::mark_last_word_said();
        let end = self.record.map(|record| record.write_end(why, Instant::now().checked_add(LAST_TIME)));
        let last = self.snapshots.as_mut().map(|to| to.put_to_disk(judge.snapshot_text(time_of_day())));
        self.stdout.map(Outlet::finish).transpose()?;
        self.json.map(Outlet::finish).transpose()?;
        if let Some(Err(what)) = last {
            bail!(no_snapshot(&what));
        }
        if let Some(Err(what)) = end {
            bail!("the record cannot be ended: {}", what.fault_in_words());
        }
        Ok(())
    }

    /// Answers, and keeps what was asked before anybody can act on the answer. What comes too late, or cannot
    /// be kept, is a stop.
    pub fn answer_and_keep(
        &mut self,
        judge: &mut Judge,
        source: &mut LineSource,
        watchdog: Option<&mut Watchdog>,
        (heartbeat, stamps): (&Heartbeat, &mut Stamps),
        asked: Asked,
    ) -> Result<(Answer, Option<End>)> {
        // Where the user says how long an answer may take, that counts from its line on.
        let behind = if self.within { 0.0 } else { heartbeat.time_behind() };
        let behind = Duration::from_secs_f64(behind);
        let most = watchdog.as_ref().map_or(Duration::ZERO, |watchdog| watchdog.longest_time());
        // No output is waited for longer than the watchdog would wait, less a little for saying the stop.
        let room = most.saturating_sub(behind + most / SAYING);
        let due = watchdog.as_ref().and_then(|_| Instant::now().checked_add(room));
        let mut work = || {
            let answered = judge.answer_asked(asked);
            let kept = self.keep_answer((judge, due), asked, &answered);
            (answered, kept)
        };
        let ((mut answered, mut kept), overrun) = match watchdog {
            Some(watchdog) => watchdog.watch_behind(behind, work),
            None => (work(), None),
        };
        if let (Some(Overrun { took, told }), Ok(())) = (overrun, &kept) {
            if let (true, Some(json)) = (told, &mut self.json) {
                // If it does not take this one it does not take the next.
                let _ = json.put_lines(&format!("{}\n", overdue_line(most)), due);
            }
            let (took, most) = (in_milliseconds(took), in_milliseconds(most));
            let text = if behind.is_zero() {
                format!("the answer took {took}, and may take {most} (--answer-within)")
            } else {
                format!("the answer came {took} after a state was due, and may take {most} (--answer-within)")
            };
            let late = Own { kind: "overrun", text: &text, silence: asked.is_silence() };
            let stop = judge.answer_asked(Asked::Own(late));
            kept = self.keep_answer((judge, due), Asked::Own(late), &stop);
            answered = Answer { state: answered.state, judged: answered.judged, ..stop };
        }
        let found =
            if source.is_live() { disbelief_reason((heartbeat, stamps), judge, &answered) } else { None };
        if let (Some((kind, text)), Ok(())) = (found, &kept) {
            let own = Own { kind, text: &text, silence: false };
            let stop = judge.answer_asked(Asked::Own(own));
            kept = self.keep_answer((judge, due), Asked::Own(own), &stop);
            answered = Answer { state: answered.state, judged: answered.judged, ..stop };
        }
        if let Err((kind, what)) = kept {
            let own = Own { kind, text: &what, silence: asked.is_silence() };
            let stop = judge.answer_asked(Asked::Own(own));
            if kind == "snapshot" {
                self.snapshots = None;
                // The arms stop already: a record that fails as well changes nothing.
                let _ = self.keep_answer((judge, due), Asked::Own(own), &stop);
            } else {
                self.record = None;
            }
            let _ = self.put_line(source, &stop.text, due);
            let _ = self.flush();
            self.ended = true;
            bail!(what);
        }
        let end = match self.put_line(source, &answered.text, due) {
            Ok(end) => end,
            Err(untold) => Some(self.stop_for(judge, source, (untold, due), asked.is_silence())?),
        };
        self.keep_course(judge, &answered);
        Ok((answered, end))
    }

    /// Keeps what an answer must not be given without: what was asked, and an event that was taken. Otherwise
    /// the kind of reason for a stop, and what is wrong.
    fn keep_answer(
        &mut self,
        (judge, due): (&Judge, Option<Instant>),
        asked: Asked,
        answered: &Answer,
    ) -> Result<(), (&'static str, String)> {
        if let Some(record) = &mut self.record {
            record.put_entry(asked, &answered.text, due).map_err(|unwritten| {
                (
                    unwritten.reason_kind(),
                    format!("the record cannot be written: {}", unwritten.fault_in_words()),
                )
            })?;
        }
        if let Some(to) = &mut self.snapshots {
            let kept = if answered.accepted {
                to.put_and_wait(judge.snapshot_text(time_of_day()))
            } else {
                to.check_folder()
            };
            kept.map_err(|what| ("snapshot", no_snapshot(&what)))?;
        }
        Ok(())
    }

    /// Hands a snapshot on where one is due: a stop has just begun or changed, or the period has passed.
    fn keep_course(&mut self, judge: &Judge, answered: &Answer) {
        let now = (answered.action, judge.latched_kind());
        let stops = answered.action == Action::Stop && now != self.told;
        self.told = now;
        if let Some(to) = self.snapshots.as_mut().filter(|to| stops || to.is_due()) {
            to.hand_over(judge.snapshot_text(time_of_day()));
        }
    }
}

fn no_snapshot(what: &str) -> String {
    format!("the snapshot cannot be written: {what}")
}
