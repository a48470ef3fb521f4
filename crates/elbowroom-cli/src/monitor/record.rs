//! Records: what came in and what was answered, a line each, behind a line that says of which world. The last
//! line is the end: without it the record was cut, or the program was killed.

#[cfg(unix)]
use super::outlet::Stream;
use super::unwritten::Unwritten;
use crate::arguments::WorldArguments;
use anyhow::{Context, Result, bail};
use elbowroom_monitor::guard::ReasonKind;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;
use std::fs::{File, OpenOptions};
#[cfg(unix)]
use std::io::ErrorKind;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// The version of the format. Records of version 1 have no end.
pub const VERSION: u32 = 2;

/// A line of a record behind the first.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry<'r> {
    /// The line that came, where it was text.
    #[serde(rename = "in")]
    pub line: Option<String>,
    /// The line that came, where it was no text.
    pub bytes: Option<Vec<u8>>,
    /// A line that was too long to keep.
    #[serde(default)]
    pub too_long: bool,
    /// Silence that was judged at a time (s).
    pub silence: Option<f64>,
    /// What the program found out itself. Its answer was given instead of the one before it.
    pub own: Option<OwnKept>,
    /// The answer, to the byte.
    #[serde(borrow)]
    pub out: Option<&'r RawValue>,
    /// There are no more.
    pub end: Option<Ended>,
}

/// The end of a record.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ended {
    /// How many answers stand before it.
    pub entries: u64,
    /// Why there are no more.
    pub reason: String,
}

/// An [`Own`] as it was kept.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnKept {
    kind: String,
    text: String,
    silence: bool,
}

impl OwnKept {
    /// What the program found out, as the question that a replay asks again.
    pub fn to_asked(&self) -> Asked<'_> {
        Asked::Own(Own { kind: &self.kind, text: &self.text, silence: self.silence })
    }
}

/// What the program found out itself, and stops for.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Own<'r> {
    /// The kind of the reason.
    pub kind: &'r str,
    /// Its sentence.
    pub text: &'r str,
    /// Whether it stands for an answer that nobody asked for.
    pub silence: bool,
}

impl Own<'_> {
    /// What the guard is told of it: it knows no files and no readers.
    pub fn kind_of_guard(&self) -> ReasonKind {
        if self.kind == ReasonKind::Clock.word() { ReasonKind::Clock } else { ReasonKind::Overrun }
    }
}

/// What is asked: a line, silence, or what to say of a fault of the program's own.
#[derive(Clone, Copy, Debug)]
pub enum Asked<'l> {
    /// A line.
    Line(&'l [u8]),
    /// One that was too long.
    TooLong,
    /// Silence at a time (s).
    Silence(f64),
    /// What the program found out itself.
    Own(Own<'l>),
}

impl Asked<'_> {
    /// Whether nobody asked for the answer.
    pub fn is_silence(&self) -> bool {
        matches!(self, Asked::Silence(_) | Asked::Own(Own { silence: true, .. }))
    }
}

/// A record that is being written. Each line is handed to the system before its answer is given.
pub struct Record {
    to: RecordTarget,
    line: Vec<u8>,
    entries: u64,
}

/// What a record is written to.
enum RecordTarget {
    /// A file of a disk, or what nobody waits for a clock beside.
    File(File),
    /// A pipe or a device beside which the clock is watched.
    #[cfg(unix)]
    Stream(Stream),
}

impl RecordTarget {
    fn open(path: &Path, live: bool) -> Result<RecordTarget> {
        let is_device = path.exists();
        #[cfg(unix)]
        if live && is_device {
            return Ok(RecordTarget::Stream(Stream::open(path)?));
        }
        let _ = live;
        let opened = OpenOptions::new().write(true).create_new(!is_device).open(path);
        let file = opened.with_context(|| format!("the record {} cannot be written", path.display()))?;
        Ok(RecordTarget::File(file))
    }
}

impl Record {
    /// A new file; one that is there already is not written over. Where the clock is watched (`live`) nobody
    /// waits for the reader of a pipe. `snapshot` is what the guard was restored from.
    pub fn new(
        (path, live): (&Path, bool),
        world: &WorldArguments,
        fingerprint: u64,
        snapshot: Option<&str>,
    ) -> Result<Record> {
        let is_file = std::fs::metadata(path).is_ok_and(|there| there.is_file());
        if is_file {
            bail!("{} is there already: a record is never written over, give another name", path.display());
        }
        let to = RecordTarget::open(path, live)?;
        let header = json!({
            "elbowroom_record": VERSION,
            "world": world.world,
            "package_path": world.package_path,
            "srdf": world.srdf,
            "no_srdf": world.no_srdf,
            "margin": world.margin,
            "padding": world.padding,
            "allow_zero_overlaps": world.allow_zero_overlaps,
            "honour_up_axis": world.honour_up_axis,
            "xacro": world.xacro,
            "fingerprint": format!("{fingerprint:016x}"),
            "snapshot": snapshot,
        });
        let mut record = Record { to, line: format!("{header}\n").into_bytes(), entries: 0 };
        match record.write(Some(Instant::now())) {
            Ok(()) => Ok(record),
            Err(e) => bail!("the record {} cannot be written: {}", path.display(), e.fault_in_words()),
        }
    }

    /// Keeps what was asked and its answer, until that is due where the record could be waited for.
    pub fn put_entry(&mut self, asked: Asked, answer: &str, due: Option<Instant>) -> Result<(), Unwritten> {
        self.line.clear();
        self.form_line(asked, answer).map_err(|e| Unwritten::Broken(e.into()))?;
        self.entries += 1;
        self.write(due)
    }

    /// Says that there are no more, and why.
    pub fn write_end(mut self, reason: &str, due: Option<Instant>) -> Result<(), Unwritten> {
        let end = Ended { entries: self.entries, reason: reason.into() };
        self.line = format!("{}\n", json!({ "end": end })).into_bytes();
        self.write(due)
    }

    /// The line of what was asked and its answer.
    fn form_line(&mut self, asked: Asked, answer: &str) -> std::io::Result<()> {
        match asked {
            Asked::Line(line) => match std::str::from_utf8(line) {
                Ok(text) => write!(self.line, "{{\"in\":{}", json!(text))?,
                Err(_) => write!(self.line, "{{\"bytes\":{}", json!(line))?,
            },
            Asked::TooLong => write!(self.line, "{{\"too_long\":true")?,
            Asked::Silence(t) => write!(self.line, "{{\"silence\":{}", json!(t))?,
            Asked::Own(own) => write!(self.line, "{{\"own\":{}", json!(own))?,
        }
        writeln!(self.line, ",\"out\":{answer}}}")
    }

    /// Hands the line to the system.
    fn write(&mut self, due: Option<Instant>) -> Result<(), Unwritten> {
        // A file is written without a deadline.
        let _ = due;
        match &mut self.to {
            RecordTarget::File(file) => file.write_all(&self.line).map_err(|e| Unwritten::Broken(e.into())),
            #[cfg(unix)]
            RecordTarget::Stream(stream) => match stream.put_lines(&self.line, due) {
                Ok(()) if stream.is_closed() => {
                    Err(Unwritten::Broken(std::io::Error::from(ErrorKind::BrokenPipe).into()))
                }
                done => done,
            },
        }
    }
}

/// The first line of a record.
#[derive(Deserialize)]
pub struct Header {
    /// The version of the format.
    pub elbowroom_record: u32,
    world: std::path::PathBuf,
    #[serde(default)]
    xacro: Vec<String>,
    package_path: Vec<std::path::PathBuf>,
    srdf: Option<std::path::PathBuf>,
    no_srdf: bool,
    margin: Option<f64>,
    padding: Option<f64>,
    allow_zero_overlaps: bool,
    honour_up_axis: bool,
    /// Of the world and its settings.
    pub fingerprint: String,
    /// What the guard was restored from.
    #[serde(default)]
    pub snapshot: Option<String>,
}

impl Header {
    /// How the world was read.
    pub fn world_arguments(&self) -> WorldArguments {
        WorldArguments {
            world: self.world.clone(),
            xacro: self.xacro.clone(),
            package_path: self.package_path.clone(),
            srdf: self.srdf.clone(),
            no_srdf: self.no_srdf,
            honour_up_axis: self.honour_up_axis,
            padding: self.padding,
            margin: self.margin,
            allow_zero_overlaps: self.allow_zero_overlaps,
        }
    }
}
