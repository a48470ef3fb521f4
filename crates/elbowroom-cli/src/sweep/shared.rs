//! The one file into which all ranks of an MPI job write their rows.
//!
//! Rows have one size, so each rank knows where its own begin, and nobody copies them. While it grows the
//! file is `answers.of-4.npy.incomplete`, of its full length from the start.
//! `answers.rank-1-of-4.npy.partial` says how many rows the first of them has on the disk.
//!
//! Whatever is missing in such a file reads as zeros, which are rows like others. So what a journal says must
//! be true of this file and of no earlier one: the first rank begins a file only when no journal is left, and
//! no rank writes before that. A journal then has rows of this file alone. At the end the file takes its
//! place, and after that the journals go. If the job ends in between, there is no file, and they go when the
//! next one begins.
//!
//! Every rank holds a lock on the file, so a rank that outlives its job keeps the next job from beginning. A
//! rank on another machine may have written to a disk of its own, where an earlier job left a file of this
//! name. So before the file takes its place, the last row of each rank is looked at: a row begins with its
//! number.

use super::columns::OutColumns;
use super::output::{GrowingOutput, find_journal, incomplete_path, lock_output, put_in_place, share_output};
use super::part::SweepPart;
use super::ranks::path_beside;
use crate::limits::{ENDING_LOOK, ENDING_TIME};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The file.
pub struct SharedOutput {
    target: PathBuf,
    beside: PathBuf,
    journals: Vec<PathBuf>,
    header: Vec<u8>,
    row_bytes: u64,
    rows: u64,
    /// Open as long as this rank writes the file: its lock.
    lock: Option<File>,
}

impl SharedOutput {
    /// The file of a job on this many ranks, with this many rows.
    pub fn new(out: &Path, ranks: u64, columns: &OutColumns<'_>, rows: u64) -> Result<SharedOutput> {
        // Not the names of parts: a part that was begun by hand keeps its own journal.
        let rank = |number| path_beside(out, &format!(".rank-{number}-of-{ranks}"));
        let journals = (1..=ranks).map(|number| find_journal(&rank(number))).collect::<Result<_>>()?;
        Ok(SharedOutput {
            target: out.into(),
            beside: incomplete_path(&path_beside(out, &format!(".of-{ranks}"))),
            journals,
            header: columns.header_bytes(rows),
            row_bytes: columns.row_bytes() as u64,
            rows,
            lock: None,
        })
    }

    fn byte_count(&self) -> u64 {
        self.header.len() as u64 + self.rows * self.row_bytes
    }

    /// Begins the file, or finds that an earlier job did. The first rank does this before any other writes.
    pub fn begin(&mut self) -> Result<()> {
        let cannot = || format!("{} cannot be written", self.beside.display());
        let mut file = self.open_alone()?;
        let there = file.metadata().with_context(cannot)?.len();
        let mut header = vec![0; self.header.len()];
        let is_begun =
            there == self.byte_count() && file.read_exact(&mut header).is_ok() && header == self.header;
        if !is_begun {
            let left = self.journals.iter().find(|path| path.exists());
            if let (Some(journal), true) = (left, there > 0) {
                bail!(
                    "{} holds the rows of another sweep, as {} says: delete them to begin anew, or give \
                     another output file",
                    self.beside.display(),
                    journal.display()
                );
            }
            self.remove_journals()?;
            file.set_len(0).with_context(cannot)?;
            file.rewind().with_context(cannot)?;
            file.write_all(&self.header).with_context(cannot)?;
            file.set_len(self.byte_count()).with_context(cannot)?;
            file.sync_all().with_context(cannot)?;
        }
        // From here on all ranks hold it together.
        let _ = file.unlock();
        share_output(&file, &self.beside)?;
        self.lock = Some(file);
        Ok(())
    }

    /// Opens the file, locked for this process alone. Ranks of a job that was just ended may still hold it.
    fn open_alone(&self) -> Result<File> {
        let begun = Instant::now();
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        loop {
            let file = options
                .open(&self.beside)
                .with_context(|| format!("{} cannot be written", self.beside.display()))?;
            match lock_output(&file, &self.beside) {
                // Another job has just put this file in its place: it must not be written again.
                Ok(()) if !self.beside.exists() => {}
                Err(_) if begun.elapsed() < ENDING_TIME => std::thread::sleep(ENDING_LOOK),
                locked => return locked.map(|()| file),
            }
        }
    }

    /// The rows of a rank. The first has begun the file.
    pub fn open_rows(&mut self, job: &Value, part: SweepPart, first_row: u64) -> Result<GrowingOutput> {
        if self.lock.is_none() {
            // Opened for the lock alone: a network's file system shares locks only of what can be read.
            let file = File::open(&self.beside)
                .with_context(|| format!("{}: all ranks need one folder", self.beside.display()))?;
            share_output(&file, &self.beside)?;
            self.lock = Some(file);
        }
        let mut marked = job.clone();
        if let Some(marked) = marked.as_object_mut() {
            marked.insert("rank".into(), part.to_json());
        }
        let start = self.header.len() as u64 + first_row * self.row_bytes;
        let journal = self.journals[part.number as usize - 1].clone();
        GrowingOutput::open_stretch(&self.beside, journal, &marked, start)
    }

    /// Puts the file in its place, once all ranks have closed it. `ends` has the number of the row behind the
    /// last of each rank. `describe` writes what lies beside the file, and is given the bytes of all rows.
    pub fn finish(
        self,
        columns: &OutColumns<'_>,
        ends: &[u64],
        describe: impl FnOnce(u64) -> Result<()>,
    ) -> Result<()> {
        self.refuse_missing_rows(ends)?;
        let (header_bytes, bytes) = (self.header.len() as u64, self.rows * self.row_bytes);
        put_in_place(&self.beside, &self.target, header_bytes, columns, || describe(bytes))?;
        self.remove_journals()
    }

    /// Refuses a file that lacks the last row of a rank.
    fn refuse_missing_rows(&self, ends: &[u64]) -> Result<()> {
        let cannot = || format!("{} cannot be read again", self.beside.display());
        let mut file = File::open(&self.beside).with_context(cannot)?;
        for (rank, end) in ends.iter().enumerate() {
            let Some(last) = end.checked_sub(1) else { continue };
            let mut number = [0; 8];
            let start = self.header.len() as u64 + last * self.row_bytes;
            file.seek(SeekFrom::Start(start)).with_context(cannot)?;
            file.read_exact(&mut number).with_context(cannot)?;
            if u64::from_le_bytes(number) != last {
                bail!("{} lacks the rows of rank {rank}: all ranks need one folder", self.beside.display());
            }
        }
        Ok(())
    }

    fn remove_journals(&self) -> Result<()> {
        for path in &self.journals {
            match std::fs::remove_file(path) {
                Err(e) if e.kind() != ErrorKind::NotFound => {
                    return Err(e).with_context(|| format!("{} cannot be removed", path.display()));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
