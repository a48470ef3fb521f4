//! Where words go: answers to standard output or a file, everything else to standard error.

use crate::limits;
use anyhow::{Context, Result};
use elbowroom::describe::JointKind;
use elbowroom::fault::Numeral;
use elbowroom::math::Vec3;
use elbowroom_files::Warning;
use elbowroom_files::fault::{self, counted_things};
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Prints the warnings of a reader, those that are alike as one.
pub fn say_warnings(warnings: &[Warning]) {
    let lines = fault::warning_lines(warnings);
    for line in lines.iter().take(limits::WARNINGS) {
        say_remark(&format!("warning: {line}"));
    }
    if lines.len() > limits::WARNINGS {
        say_remark(&format!("warning: {}", counted_things(lines.len() - limits::WARNINGS, "more warning")));
    }
}

/// Whether nothing but faults and the summary is said: an option of every command.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Says nothing but faults and the summary from now on.
pub fn be_quiet() {
    QUIET.store(true, Relaxed);
}

/// Whether nothing but faults and the summary is said.
pub fn is_quiet() -> bool {
    QUIET.load(Relaxed)
}

/// Says a note, a warning or a hint, unless that is not wanted.
pub fn say_remark(text: &str) {
    if !is_quiet() {
        say_line(text);
    }
}

/// Writes a line to standard error. Names from files may hold control characters: they are shown, not obeyed.
pub fn say_line(text: &str) {
    let text = clean_text(text);
    let coloured = shows_colours(io::stderr().is_terminal());
    // Standard error may be closed: there is nobody left to tell.
    let _ = match SHADES.iter().find(|(word, _)| text.starts_with(word)) {
        Some((word, shade)) if coloured => {
            writeln!(io::stderr().lock(), "\x1b[1;{shade}m{word}\x1b[0m{}", &text[word.len()..])
        }
        _ => writeln!(io::stderr().lock(), "{text}"),
    };
}

/// The words that lines begin with and their colours on a terminal: red, yellow, and the quieter ones.
const SHADES: [(&str, u8); 5] =
    [("error:", 31), ("WARNING:", 31), ("warning:", 33), ("hint:", 36), ("note:", 36)];

/// The text with control characters other than line ends made visible.
pub fn clean_text(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && c != '\n' { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

/// Somewhere an answer goes. When the reader of a pipe has gone away the rest is dropped: see [`delivered`].
///
/// A file is written beside its place, as `NAME.incomplete`, and takes its place in [`Sink::finish`]:
/// whatever stops the program before leaves an older file as it was, and never half of a new one under its
/// name. Devices, pipes and standard output are written directly.
pub struct Sink {
    to: BufWriter<Box<dyn Write>>,
    name: String,
    /// The paths where the file is written, and where it is moved.
    places: Option<Places>,
    /// Whether the reader has left.
    pub closed: bool,
}

/// The file being written and its place.
struct Places {
    beside: PathBuf,
    target: PathBuf,
}

impl Drop for Places {
    /// An unfinished file is of no use.
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.beside);
    }
}

impl Sink {
    /// Standard output.
    pub fn open_stdout() -> Sink {
        let to = BufWriter::new(Box::new(io::stdout()) as Box<dyn Write>);
        Sink { to, name: "standard output".into(), places: None, closed: false }
    }

    /// A new file, or standard output for `-`.
    pub fn open(path: &Path) -> Result<Sink> {
        if path == Path::new("-") {
            return Ok(Sink::open_stdout());
        }
        let name = path.display().to_string();
        let (file, places) = begin_file(path).with_context(|| format!("{name} cannot be written"))?;
        Ok(Sink { to: BufWriter::new(Box::new(file)), name, places, closed: false })
    }

    /// Writes text as it is.
    pub fn put_text(&mut self, text: &str) -> Result<()> {
        self.put_bytes(text.as_bytes())
    }

    /// Writes bytes as they are.
    pub fn put_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        let done = if self.closed { Ok(()) } else { self.to.write_all(bytes) };
        self.judge_write(done)
    }

    /// Hands everything written so far on.
    pub fn flush(&mut self) -> Result<()> {
        let done = if self.closed { Ok(()) } else { self.to.flush() };
        self.judge_write(done)
    }

    /// Ends the output: a file takes its place. Returns whether the reader has left.
    pub fn finish(mut self) -> Result<bool> {
        self.flush()?;
        if let Some(places) = self.places.take() {
            let moved = std::fs::rename(&places.beside, &places.target);
            moved.with_context(|| format!("{} cannot be written", self.name))?;
        }
        Ok(self.closed)
    }

    fn judge_write(&mut self, done: io::Result<()>) -> Result<()> {
        match done {
            Err(e) if is_reader_gone(&e) => self.closed = true,
            other => other.with_context(|| format!("{} cannot be written", self.name))?,
        }
        Ok(())
    }
}

/// Whether a write failed because nobody reads any more. A pipe of Windows may also say that it is not
/// connected, which has no kind of its own.
pub fn is_reader_gone(e: &io::Error) -> bool {
    const PIPE_NOT_CONNECTED: i32 = 233;
    e.kind() == ErrorKind::BrokenPipe || cfg!(windows) && e.raw_os_error() == Some(PIPE_NOT_CONNECTED)
}

/// Refuses a file that cannot be written, before the work that it is for. Nothing is left behind; devices and
/// pipes are found out when they are opened.
pub fn check_writable(path: &Path) -> Result<()> {
    let is_file = std::fs::metadata(path).map_or(true, |there| there.is_file());
    if path != Path::new("-") && is_file {
        Sink::open(path)?;
    }
    Ok(())
}

/// Opens what a path names for writing: devices and pipes themselves, for a file one beside it, with the
/// permissions of the file if it is there. Links are followed: what they lead to is replaced, not they.
fn begin_file(path: &Path) -> io::Result<(File, Option<Places>)> {
    // `/dev/stdout` may lead to a file that the shell holds open: it is written where it is.
    let special = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
    if special || std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Ok((File::create(path)?, None));
    }
    let target = follow_links(path);
    let old = std::fs::metadata(&target).ok();
    if old.is_some() {
        // A file that may not be written may not be replaced either. Opening it tells, and changes nothing.
        OpenOptions::new().write(true).open(&target)?;
    } else if target.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Err(ErrorKind::IsADirectory.into());
    }
    let name =
        target.file_name().filter(|name| name.len() <= LONGEST_NAME).unwrap_or(OsStr::new("elbowroom"));
    for attempt in 1..=limits::INCOMPLETE {
        let mut beside = name.to_os_string();
        beside.push(if attempt == 1 { ".incomplete".into() } else { format!(".incomplete-{attempt}") });
        let beside = target.with_file_name(beside);
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Ok(file) => {
                let places = Places { beside, target };
                match old.map(|old| file.set_permissions(old.permissions())) {
                    // WASI has no permissions to keep.
                    Some(Err(e)) if e.kind() != ErrorKind::Unsupported => return Err(e),
                    _ => {}
                }
                return Ok((file, Some(places)));
            }
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    let what = format!(
        "interrupted runs left {} files {}.incomplete...: remove them",
        limits::INCOMPLETE,
        target.display()
    );
    Err(io::Error::new(ErrorKind::AlreadyExists, what))
}

/// Longest name of a file that `.incomplete-N` still fits behind (bytes; file systems take 255).
const LONGEST_NAME: usize = 240;

/// Where a path leads once links are followed, whether something is there or not.
fn follow_links(path: &Path) -> PathBuf {
    let mut at = path.to_path_buf();
    // More links than systems follow are a ring: opening it says so.
    for _ in 0..40 {
        let Ok(next) = std::fs::read_link(&at) else { break };
        at = at.parent().unwrap_or(Path::new("")).join(next);
    }
    at
}

/// The exit code of an answer whose reader may have gone away: what was not read to its end is no answer.
pub fn delivered_code(code: u8, closed: bool) -> u8 {
    if closed {
        say_line("note: Output pipe closed early");
    }
    if closed { 2 } else { code }
}

/// The titles of a list of pairs whose names have columns so wide; `rest` is behind them.
pub fn pair_titles(width: usize, rest: &str) -> String {
    format!("{:width$}  {:width$}  {rest}\n", PAIR_TITLES[0], PAIR_TITLES[1])
}

/// The least width of such columns.
pub const PAIR_COLUMN: usize = PAIR_TITLES[1].len();

const PAIR_TITLES: [&str; 2] = ["first body", "second body"];

/// Whether answers and remarks go before the same eyes.
pub fn one_terminal() -> bool {
    io::stdout().is_terminal() && io::stderr().is_terminal()
}

/// Whether answers go to a person who sees colours.
#[cfg(not(target_family = "wasm"))]
pub fn has_colour() -> bool {
    shows_colours(io::stdout().is_terminal())
}

/// Whether colours may go to what is a terminal or not. Older consoles of Windows show their marks; newer
/// ones and those of other makers tell of themselves.
fn shows_colours(is_terminal: bool) -> bool {
    let is_told = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let obeys = !cfg!(windows) || ["WT_SESSION", "TERM", "ANSICON"].into_iter().any(is_told);
    is_terminal && obeys && !is_told("NO_COLOR") && !is_dumb_terminal()
}

/// Whether the terminal says that it has neither colours nor a cursor that moves.
pub fn is_dumb_terminal() -> bool {
    std::env::var_os("TERM").is_some_and(|kind| kind == "dumb")
}

/// The value of a joint for people, with its unit.
pub fn joint_value(value: f64, kind: JointKind) -> String {
    if !value.is_finite() {
        return "-".into();
    }
    let rounded = (value * 1e6).round() / 1e6 + 0.0;
    let unit = if kind == JointKind::Prismatic { "m" } else { "rad" };
    format!("{} {unit}", Numeral(rounded))
}

/// A time for people (seconds): to the microsecond, and below a second to the picosecond, without the dust of
/// sums.
pub fn seconds_text(t: f64) -> String {
    let text = if t.abs() >= 1.0 { format!("{t:.6}") } else { format!("{t:.12}") };
    // No negative zero.
    Numeral(text.parse::<f64>().map_or(t, |t| t + 0.0)).to_string()
}

/// A time that was computed, to the millisecond; JSON has all its digits.
pub fn rounded_seconds(t: f64) -> String {
    seconds_text((1e3 * t).round() / 1e3)
}

/// A point or vector for people, in the unit that shows its largest coordinate.
pub fn point_text(p: Vec3) -> String {
    let [words] = points_text([p]);
    words
}

/// Points or vectors for people, all in the unit that suits the largest.
pub fn points_text<const N: usize>(points: [Vec3; N]) -> [String; N] {
    let size = points.iter().map(|p| p.max_abs()).fold(0.0, f64::max);
    let (unit, factor, digits) = match size {
        s if s >= 0.1 => ("m", 1.0, 4),
        s if s >= 1e-4 => ("mm", 1e3, 2),
        s if s >= 1e-7 => ("um", 1e6, 2),
        s if s >= 1e-10 => ("nm", 1e9, 2),
        // Rounding of coordinates of a metre.
        s if s < 1e-14 => return points.map(|_| "(0, 0, 0) m".into()),
        _ => return points.map(|p| format!("({:.1e}, {:.1e}, {:.1e}) m", p.x, p.y, p.z)),
    };
    // No negative zero.
    let number = |v: f64| {
        let text = format!("{:.*}", digits, v * factor);
        if text.bytes().any(|b| (b'1'..=b'9').contains(&b)) { text } else { text.replace('-', "") }
    };
    points.map(|p| format!("({}, {}, {}) {unit}", number(p.x), number(p.y), number(p.z)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::math::vec3;

    #[test]
    fn words_for_people() {
        assert_eq!(
            [0.7000000000000001, 9.999999999999831, -0.1, 1.7e9 + 0.125, 1e300].map(seconds_text),
            ["0.7", "10", "-0.1", "1700000000.125", "1e300"]
        );
        let cases = [
            ([-1e-6, 0.12346, -2.0], "(0.0000, 0.1235, -2.0000) m"),
            ([-0.0123, 0.0, 5.5e-6], "(-12.30, 0.00, 0.01) mm"),
            ([7.348e-6, -1e-9, 0.0], "(7.35, 0.00, 0.00) um"),
            ([0.0, -2.5e-9, 0.0], "(0.00, -2.50, 0.00) nm"),
            ([0.0, 0.0, 3e-14], "(0.0e0, 0.0e0, 3.0e-14) m"),
            ([0.0, -0.0, 0.0], "(0, 0, 0) m"),
        ];
        for ([x, y, z], words) in cases {
            assert_eq!(point_text(vec3(x, y, z)), words);
        }
        assert_eq!(
            points_text([vec3(0.01142, 0.0, 0.09161), vec3(0.0119, -1e-6, 0.1035)]),
            ["(0.0114, 0.0000, 0.0916) m", "(0.0119, 0.0000, 0.1035) m"],
            "one unit, that of the larger"
        );
        assert_eq!(points_text([vec3(0.0, 0.0, 0.0); 2]), ["(0, 0, 0) m", "(0, 0, 0) m"]);
        assert_eq!(clean_text("a\u{1b}[31m\nb"), "a\\u{1b}[31m\nb");
    }
}
