//! A record that is read again, line by line and in bounded memory.

use super::record::{Entry, Header, VERSION};
use crate::limits::RECORD_LINE;
use anyhow::{Context, Result, bail};
use elbowroom_files::other_kind::{OtherKind, recognize_other_kind};
use elbowroom_files::text::strip_mark;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// A record whose header was read.
pub struct RecordReader {
    name: String,
    lines: BufReader<File>,
    text: Vec<u8>,
    /// The number of the last line, from 1.
    pub number: u64,
}

/// What comes next in a record.
pub enum NextEntry<'r> {
    /// A line.
    Entry(Box<Entry<'r>>),
    /// A line that was cut before its end: there is no more behind it.
    Cut,
    /// There are no more lines.
    Nothing,
}

impl RecordReader {
    /// Opens a record, and reads what it begins with.
    pub fn open(path: &Path) -> Result<(RecordReader, Header)> {
        let name = path.display().to_string();
        let file = File::open(path).with_context(|| format!("{name} cannot be read"))?;
        let mut reader = RecordReader { name, lines: BufReader::new(file), text: Vec::new(), number: 1 };
        if reader.read_text()?.is_none() {
            bail!("{} is empty: give what `elbowroom monitor --record` wrote", reader.name);
        }
        let text = match strip_mark(&reader.text) {
            Ok(text) => text,
            Err(refused) => bail!("{} {}: {}", reader.name, refused.what, refused.help),
        };
        let header: Header = match serde_json::from_slice(text) {
            Ok(header) => header,
            Err(e) => match recognize_other_kind(text) {
                Some(OtherKind { what, help }) => bail!("{} is {what}, and no record; {help}", reader.name),
                None => bail!("{}: line 1 is no header of a record: {e}", reader.name),
            },
        };
        if !(1..=VERSION).contains(&header.elbowroom_record) {
            let version = header.elbowroom_record;
            bail!("{} has version {version}: this program reads 1 to {VERSION}", reader.name);
        }
        Ok((reader, header))
    }

    /// Reads the next line.
    pub fn read_entry(&mut self) -> Result<NextEntry<'_>> {
        let Some(is_whole) = self.read_text()? else { return Ok(NextEntry::Nothing) };
        self.number += 1;
        match serde_json::from_slice(&self.text) {
            Ok(entry) => Ok(NextEntry::Entry(Box::new(entry))),
            Err(_) if !is_whole => Ok(NextEntry::Cut),
            Err(e) => bail!("{}: line {} is no entry of a record: {e}", self.name, self.number),
        }
    }

    /// Reads a line without its end; whether it has one, or `None` if there is no line.
    fn read_text(&mut self) -> Result<Option<bool>> {
        self.text.clear();
        let read = self.lines.by_ref().take(RECORD_LINE).read_until(b'\n', &mut self.text);
        let count = read.with_context(|| format!("{} cannot be read", self.name))?;
        if count as u64 == RECORD_LINE {
            bail!("{}: a line is longer than {RECORD_LINE} bytes", self.name);
        }
        let is_whole = self.text.pop_if(|last| *last == b'\n').is_some();
        Ok((count > 0).then_some(is_whole))
    }
}
