//! The output of a sweep while it grows: a file beside its place, and a journal of how much of it is whole.
//!
//! Rows are appended to `FILE.incomplete`. After a second they are brought to the disk, and then a line in
//! `FILE.partial` says how many there are. Whatever ends the program, the rows behind that line are thrown
//! away when the same command runs again, and asked anew: with the same bytes, since a chunk's answers depend
//! on its rows alone. At the end the file takes its place.

use super::columns::OutColumns;
#[cfg(feature = "parquet")]
use super::columns::RowFormat;
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
    beside: PathBuf,
    file: File,
    journal: Journal,
    bytes: u64,
    header_bytes: u64,
    /// What the rows that were written have.
    pub tally: SweepTally,
    checkpoint: Instant,
    /// Whether the disk has refused rows once. The system says so only once, and a second try succeeds.
    has_lost_rows: bool,
}

impl GrowingOutput {
    /// Begins an output with this header, or goes on with what an earlier run of the same job left.
    pub fn open(target: &Path, job: &Value, header: &[u8]) -> Result<GrowingOutput> {
        let journal_path = find_journal(target)?;
        let beside = incomplete_path(target);
        let cannot = || format!("{} cannot be written", target.display());
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(&beside).with_context(cannot)?;
        lock_output(&file, &beside)?;
        let mut output = GrowingOutput::go_on(file, beside, journal_path, job, [0, header.len() as u64])?;
        output.file.set_len(output.bytes).with_context(cannot)?;
        if output.bytes == 0 {
            output.put_bytes(header)?;
        }
        Ok(output)
    }

    /// Begins the rows from this byte of a file that has its full length, or goes on with them. The file is
    /// locked by whoever began it.
    pub fn open_stretch(
        beside: &Path,
        journal_path: PathBuf,
        job: &Value,
        start: u64,
    ) -> Result<GrowingOutput> {
        // Never read: a network's file system then sends the bytes that were written, and not whole pages,
        // in which the rows of another rank may lie.
        let file = OpenOptions::new()
            .write(true)
            .open(beside)
            .with_context(|| format!("{} cannot be written", beside.display()))?;
        GrowingOutput::go_on(file, beside.into(), journal_path, job, [start, 0])
    }

    /// Goes on behind what a journal has, in a file that is open; `start` and `header_bytes` say where.
    fn go_on(
        mut file: File,
        beside: PathBuf,
        journal_path: PathBuf,
        job: &Value,
        [start, header_bytes]: [u64; 2],
    ) -> Result<GrowingOutput> {
        let cannot = || format!("{} cannot be written", beside.display());
        let head = json!({ "sweep": job }).to_string();
        let OpenJournal { journal, rows, refused } = Journal::open(journal_path, head, WORDS)?;
        if let Some(error) = refused {
            return Err(error).with_context(|| format!("{} cannot be written", journal.path().display()));
        }
        let kept = rows.last().map(|row| {
            Some((row["bytes"].as_u64()?, SweepTally::from_json(&row["found"])?))
                .filter(|(bytes, _)| *bytes >= header_bytes)
        });
        let there = file.metadata().with_context(cannot)?.len();
        let (bytes, tally) = match kept {
            Some(Some((bytes, tally))) if start.saturating_add(bytes) <= there => (bytes, tally),
            Some(Some(_)) if there == 0 => (0, SweepTally::default()),
            Some(_) => bail!(
                "{} is shorter than {} says: delete both to begin anew",
                beside.display(),
                journal.path().display()
            ),
            None => (0, SweepTally::default()),
        };
        file.seek(SeekFrom::Start(start + bytes)).with_context(cannot)?;
        let checkpoint = Instant::now();
        let has_lost_rows = false;
        Ok(GrowingOutput { beside, file, journal, bytes, header_bytes, tally, checkpoint, has_lost_rows })
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
        if self.has_lost_rows {
            bail!("{} cannot be written: the disk has refused rows", self.beside.display());
        }
        let synced = self.file.sync_data();
        self.has_lost_rows = synced.is_err();
        synced.with_context(|| format!("{} cannot be written", self.beside.display()))?;
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

    /// The journal that says how far it is.
    pub fn journal_path(&self) -> &Path {
        self.journal.path()
    }

    /// Makes sure of all rows; the file stays where it is.
    pub fn close(mut self) -> Result<SweepTally> {
        self.make_sure()?;
        Ok(self.tally)
    }

    /// Puts the file in its place; `describe` writes what lies beside it, and is given the bytes of all rows.
    pub fn finish(
        mut self,
        target: &Path,
        columns: &OutColumns<'_>,
        describe: impl FnOnce(&SweepTally, u64) -> Result<()>,
    ) -> Result<SweepTally> {
        self.make_sure()?;
        let (tally, bytes) = (&self.tally, self.bytes - self.header_bytes);
        put_in_place(&self.beside, target, self.header_bytes, columns, || describe(tally, bytes))?;
        let path = self.journal.path().to_path_buf();
        self.journal.remove().with_context(|| format!("{} cannot be removed", path.display()))?;
        Ok(self.tally)
    }
}

/// Puts a complete file of rows, which begin behind so many bytes, in the place of the output. `describe`
/// writes what lies beside it; it comes last but for the renaming, since making a table may fail.
pub fn put_in_place(
    rows: &Path,
    target: &Path,
    header_bytes: u64,
    columns: &OutColumns<'_>,
    describe: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let cannot = || format!("{} cannot be written", target.display());
    #[cfg(feature = "parquet")]
    if columns.format() == RowFormat::Parquet {
        let mut name = OsString::from(target.file_name().unwrap_or_default());
        name.push(".incomplete-table");
        let table = target.with_file_name(name);
        super::parquet_table::write_table(rows, header_bytes, columns, &table)?;
        describe()?;
        std::fs::rename(&table, target).with_context(cannot)?;
        return std::fs::remove_file(rows).with_context(|| format!("{} cannot be removed", rows.display()));
    }
    let _ = (header_bytes, columns);
    describe()?;
    std::fs::rename(rows, target).with_context(cannot)
}

/// The journal beside an output, which must be a file.
pub fn find_journal(target: &Path) -> Result<PathBuf> {
    let Some(path) = journal_path(target) else {
        bail!("--out {}: give the name of a file: a sweep goes on after an interruption", target.display());
    };
    Ok(path)
}

/// The file that grows beside its place.
pub fn incomplete_path(target: &Path) -> PathBuf {
    let mut name = OsString::from(target.file_name().unwrap_or_default());
    name.push(".incomplete");
    target.with_file_name(name)
}

/// Refuses a file that another sweep writes. The lock lasts as long as the file is open.
pub fn lock_output(file: &File, path: &Path) -> Result<()> {
    refuse_locked(file.try_lock(), path)
}

/// [`lock_output`] with a lock that all ranks of a job hold together.
pub fn share_output(file: &File, path: &Path) -> Result<()> {
    refuse_locked(file.try_lock_shared(), path)
}

fn refuse_locked(lock: Result<(), TryLockError>, path: &Path) -> Result<()> {
    match lock {
        Err(TryLockError::WouldBlock) => bail!("{}: another sweep writes it", path.display()),
        // A file system without locks: nothing is known.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}
