//! The output of a sweep while it grows: a file beside its place, and a journal of how much of it is whole.
//!
//! Rows are appended to `FILE.incomplete`. After a second they are brought to the disk, and then a line in
//! `FILE.partial` says how many there are. Whatever ends the program, the rows behind that line are thrown
//! away when the same command runs again, and asked anew: with the same bytes, since a chunk's answers depend
//! on its rows alone. At the end the file takes its place.

use super::tally::SweepTally;
use crate::journal::{Journal, JournalWords, OpenJournal, journal_path};
use crate::limits::CHECKPOINT_TIME;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

const WORDS: JournalWords = JournalWords {
    begins: "{\"sweep\":",
    other: "holds the progress of another sweep: of another world, other poses, another question, part or \
            version",
    none: "is no record of a sweep",
};

/// The output.
pub struct GrowingOutput {
    target: PathBuf,
    beside: PathBuf,
    file: File,
    journal: Journal,
    bytes: u64,
    header_bytes: u64,
    /// What the rows that were written have.
    pub tally: SweepTally,
    checkpoint: Instant,
}

impl GrowingOutput {
    /// Begins an output with this header, or goes on with what an earlier run of the same job left.
    pub fn open(target: &Path, job: &Value, header: &[u8]) -> Result<GrowingOutput> {
        let Some(journal_path) = journal_path(target) else {
            bail!(
                "--out {}: give the name of a file: a sweep goes on after an interruption",
                target.display()
            );
        };
        let cannot = || format!("{} cannot be written", target.display());
        let mut name = OsString::from(target.file_name().unwrap_or_default());
        name.push(".incomplete");
        let beside = target.with_file_name(name);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&beside)
            .with_context(cannot)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("{}: another sweep writes it", beside.display()),
            // A file system without locks: nothing is known.
            Err(TryLockError::Error(_)) => {}
        }
        let head = json!({ "sweep": job }).to_string();
        let OpenJournal { journal, rows, refused } = Journal::open(journal_path, head, WORDS)?;
        if let Some(error) = refused {
            return Err(error).with_context(|| format!("{} cannot be written", journal.path().display()));
        }
        let kept = rows.last().map(|row| {
            Some((row["bytes"].as_u64()?, SweepTally::from_json(&row["found"])?))
                .filter(|(bytes, _)| *bytes > 0)
        });
        let there = file.metadata().with_context(cannot)?.len();
        let (bytes, tally) = match kept {
            Some(Some((bytes, tally))) if bytes <= there => (bytes, tally),
            Some(Some(_)) if there == 0 => (0, SweepTally::default()),
            Some(_) => bail!(
                "{} is shorter than {} says: delete both to begin anew",
                beside.display(),
                journal.path().display()
            ),
            None => (0, SweepTally::default()),
        };
        file.set_len(bytes).with_context(cannot)?;
        file.seek(SeekFrom::Start(bytes)).with_context(cannot)?;
        let checkpoint = Instant::now();
        let mut output = GrowingOutput {
            target: target.into(),
            beside,
            file,
            journal,
            bytes,
            header_bytes: header.len() as u64,
            tally,
            checkpoint,
        };
        if bytes == 0 {
            output.put_bytes(header)?;
        }
        Ok(output)
    }

    /// Appends rows, and after a while makes sure of them.
    pub fn put_rows(&mut self, bytes: &[u8], tally: SweepTally) -> Result<()> {
        self.put_bytes(bytes)?;
        self.tally.add_later(tally);
        if self.checkpoint.elapsed() >= CHECKPOINT_TIME {
            self.make_sure()?;
        }
        Ok(())
    }

    /// Makes sure that what was written is found again.
    pub fn make_sure(&mut self) -> Result<()> {
        let cannot = || format!("{} cannot be written", self.beside.display());
        self.file.sync_data().with_context(cannot)?;
        let row = json!({ "bytes": self.bytes, "found": self.tally.to_json() });
        self.journal
            .add_row(&row)
            .and_then(|()| self.journal.sync())
            .with_context(|| format!("{} cannot be written", self.journal.path().display()))?;
        self.checkpoint = Instant::now();
        Ok(())
    }

    fn put_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        let cannot = || {
            format!(
                "{} cannot be written: what was answered is kept, and the same command goes on from there",
                self.beside.display()
            )
        };
        self.file.write_all(bytes).with_context(cannot)?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Puts the file in its place; `describe` writes what lies beside it, and is given the bytes of all rows.
    pub fn finish(mut self, describe: impl FnOnce(&SweepTally, u64) -> Result<()>) -> Result<SweepTally> {
        self.make_sure()?;
        describe(&self.tally, self.bytes - self.header_bytes)?;
        std::fs::rename(&self.beside, &self.target)
            .with_context(|| format!("{} cannot be written", self.target.display()))?;
        let path = self.journal.path().to_path_buf();
        self.journal.remove().with_context(|| format!("{} cannot be removed", path.display()))?;
        Ok(self.tally)
    }
}
