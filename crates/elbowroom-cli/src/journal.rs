//! A file that keeps what long work has reached, so that the same command goes on from there after an
//! interruption.
//!
//! The first line says what the work is. Each further line is a row of JSON behind a hash of itself and of
//! the first line, appended as soon as it is true. A last line that was cut off counts for nothing. A file of
//! other work, or one that was changed, is refused and left as it is.

use crate::limits::PROGRESS_BYTES;
use anyhow::{Context, Result, bail};
use elbowroom::math::hash_bytes;
use serde_json::Value;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// The file, open to go on with.
pub struct Journal {
    path: PathBuf,
    head: String,
    file: Option<File>,
}

/// What an open journal begins with.
pub struct OpenJournal {
    /// The journal.
    pub journal: Journal,
    /// The rows that earlier work left.
    pub rows: Vec<Value>,
    /// Why nothing will be kept, if the file cannot be written.
    pub refused: Option<io::Error>,
}

/// The words for what is wrong with files of other work.
#[derive(Clone, Copy)]
pub struct JournalWords {
    /// How the first line begins, where it is one of these.
    pub begins: &'static str,
    /// What a file holds that is of other work.
    pub other: &'static str,
    /// What a file is not, that is none of these.
    pub none: &'static str,
}

/// The journal beside an output; `None` for what is no file of its own.
pub fn journal_path(output: &Path) -> Option<PathBuf> {
    if output == Path::new("-") || output.exists() && !output.is_file() {
        return None;
    }
    let mut name = OsString::from(output.file_name()?);
    name.push(".partial");
    Some(output.with_file_name(name))
}

impl Journal {
    /// Reads the file if there is one, or begins a new one.
    ///
    /// # Errors
    /// It cannot be read, or holds something else.
    pub fn open(path: PathBuf, head: String, words: JournalWords) -> Result<OpenJournal> {
        let text = match read_text(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound => String::new(),
            Err(e) => return Err(e).with_context(|| format!("{} cannot be read", path.display())),
        };
        let (rows, end) = match parse_rows(&head, &text, words) {
            Ok(found) => found,
            Err(why) => {
                bail!("{} {why}: delete it to begin anew, or give another output file", path.display())
            }
        };
        let opened = OpenOptions::new().create(true).append(true).open(&path).and_then(|mut file| {
            if end < text.len() {
                file.set_len(end as u64)?;
            }
            if end == 0 {
                file.write_all(format!("{head}\n").as_bytes())?;
            }
            Ok(file)
        });
        let (file, refused) = match opened {
            Ok(file) => (Some(file), None),
            Err(e) => (None, Some(e)),
        };
        Ok(OpenJournal { journal: Journal { path, head, file }, rows, refused })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a row. Does nothing once the file could not be written.
    ///
    /// # Errors
    /// The file cannot be written: from now on nothing is kept.
    pub fn add_row(&mut self, row: &Value) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let row = row.to_string();
        let done = file.write_all(journal_line(&self.head, &row).as_bytes());
        if done.is_err() {
            self.file = None;
        }
        done
    }

    /// Waits until all rows are on the disk.
    ///
    /// # Errors
    /// Those of the system.
    pub fn sync(&self) -> io::Result<()> {
        self.file.as_ref().map_or(Ok(()), File::sync_data)
    }

    /// Removes the file, once the answer is where it belongs.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn remove(self) -> io::Result<()> {
        if self.file.is_none() {
            return Ok(());
        }
        drop(self.file);
        std::fs::remove_file(&self.path)
    }
}

/// A row with the hash before it.
fn journal_line(head: &str, row: &str) -> String {
    format!("{:016x} {row}\n", hash_bytes(head.bytes().chain(row.bytes())))
}

/// The rows of a text, and how much of it is good; or what is wrong with it.
fn parse_rows(head: &str, text: &str, words: JournalWords) -> Result<(Vec<Value>, usize), String> {
    let Some((first, mut rest)) = text.split_once('\n') else {
        // The earlier work was interrupted at once.
        return if head.starts_with(text) { Ok((Vec::new(), 0)) } else { Err(words.none.into()) };
    };
    if first != head {
        return Err(if first.starts_with(words.begins) { words.other } else { words.none }.into());
    }
    let (mut rows, mut end) = (Vec::new(), first.len() + 1);
    while let Some((line, after)) = rest.split_once('\n') {
        let Some(row) = parse_row(head, line) else {
            return Err(format!("is damaged in line {}", rows.len() + 2));
        };
        rows.push(row);
        (rest, end) = (after, end + line.len() + 1);
    }
    Ok((rows, end))
}

/// A row, if its line is as it was written.
fn parse_row(head: &str, line: &str) -> Option<Value> {
    let (sum, row) = line.split_once(' ')?;
    let good = sum == format!("{:016x}", hash_bytes(head.bytes().chain(row.bytes())));
    good.then(|| serde_json::from_str(row).ok())?
}

/// The text of a file that is not too long for one of ours.
fn read_text(path: &Path) -> io::Result<String> {
    let mut text = Vec::new();
    File::open(path)?.take(PROGRESS_BYTES + 1).read_to_end(&mut text)?;
    if text.len() as u64 > PROGRESS_BYTES {
        return Err(io::Error::other(format!("it is longer than {PROGRESS_BYTES} bytes")));
    }
    // A line may have been cut within a name; of what is not ours nothing is kept.
    Ok(String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const WORDS: JournalWords = JournalWords { begins: "{\"a\"", other: "other", none: "none" };

    #[test]
    fn rows_come_back_and_nothing_else_does() {
        let head = "{\"a\":1}";
        let rows = [json!({"n": 1, "x": "3ff0000000000000"}), json!([1, 2])];
        let mut text = format!("{head}\n");
        for row in &rows {
            text += &journal_line(head, &row.to_string());
        }
        assert_eq!(parse_rows(head, &text, WORDS), Ok((rows.to_vec(), text.len())));
        // A line that was cut off counts for nothing.
        let second = head.len() + 1 + journal_line(head, &rows[0].to_string()).len();
        for end in second..text.len() {
            assert_eq!(parse_rows(head, &text[..end], WORDS), Ok((rows[..1].to_vec(), second)));
        }
        for end in 0..head.len() {
            assert_eq!(parse_rows(head, &text[..end], WORDS), Ok((Vec::new(), 0)));
        }
        // Changed anywhere, or of other work.
        for at in head.len() + 1..text.len() - 1 {
            let other = if text.as_bytes()[at] == b'0' { "1" } else { "0" };
            let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
            assert!(parse_rows(head, &changed, WORDS).is_err(), "{at}");
        }
        assert_eq!(parse_rows("{\"a\":2}", &text, WORDS), Err("other".into()));
        assert_eq!(parse_rows(head, "a,b\n1,2\n", WORDS), Err("none".into()));
    }

    #[test]
    fn journals_lie_beside_files_alone() {
        assert_eq!(journal_path(Path::new("-")), None);
        assert_eq!(journal_path(Path::new("/dev/null")), None);
        assert_eq!(journal_path(Path::new("a/b.srdf")), Some(PathBuf::from("a/b.srdf.partial")));
    }
}
