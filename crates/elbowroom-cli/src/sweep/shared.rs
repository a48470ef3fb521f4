//! The one file into which all ranks of an MPI job write their rows.
//!
//! Rows have one size, so each rank knows where its own begin, and nobody copies them. While it grows the
//! file is `answers.of-4.npy.incomplete`, of its full length from the start.
//! `answers.part-1-of-4.npy.partial` says how many rows the first of them has on the disk.
//!
//! Whatever is missing in such a file reads as zeros, which are rows like others. So what a journal says must
//! be true of this file and of no earlier one: the first rank begins a file only when no journal is left, and
//! no rank writes before that. A journal then has rows of this file alone. At the end the file takes its
//! place, and after that the journals go. If the job ends in between, there is no file, and they go when the
//! next one begins.

use super::columns::OutColumns;
use super::output::{GrowingOutput, find_journal, incomplete_path, lock_output, put_in_place};
use super::part::SweepPart;
use super::ranks::part_path;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The file.
pub struct SharedOutput {
    target: PathBuf,
    beside: PathBuf,
    journals: Vec<PathBuf>,
    header: Vec<u8>,
    row_bytes: u64,
    rows: u64,
    /// Open as long as the job writes it: the lock of the first rank.
    lock: Option<File>,
}

impl SharedOutput {
    /// That of so many ranks and rows.
    pub fn new(out: &Path, ranks: u64, columns: &OutColumns<'_>, rows: u64) -> Result<SharedOutput> {
        let part = |number| part_path(out, SweepPart { number, count: ranks });
        let journals = (1..=ranks).map(|number| find_journal(&part(number))).collect::<Result<_>>()?;
        let mut name = out.file_stem().unwrap_or_default().to_os_string();
        name.push(format!(".of-{ranks}"));
        if let Some(ending) = out.extension() {
            name.push(".");
            name.push(ending);
        }
        Ok(SharedOutput {
            target: out.into(),
            beside: incomplete_path(&out.with_file_name(name)),
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
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&self.beside).with_context(cannot)?;
        lock_output(&file, &self.beside)?;
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
        self.lock = Some(file);
        Ok(())
    }

    /// The rows of a rank. The first has begun the file.
    pub fn open_rows(&self, job: &Value, part: SweepPart, first_row: u64) -> Result<GrowingOutput> {
        let mut marked = job.clone();
        if let Some(marked) = marked.as_object_mut() {
            marked.insert("rank".into(), part.to_json());
        }
        let start = self.header.len() as u64 + first_row * self.row_bytes;
        let journal = self.journals[part.number as usize - 1].clone();
        GrowingOutput::open_stretch(&self.beside, journal, &marked, start)
    }

    /// Puts the file in its place, once all ranks have closed it; `describe` writes what lies beside it, and
    /// is given the bytes of all rows.
    pub fn finish(self, columns: &OutColumns<'_>, describe: impl FnOnce(u64) -> Result<()>) -> Result<()> {
        describe(self.rows * self.row_bytes)?;
        put_in_place(&self.beside, &self.target, self.header.len() as u64, columns)?;
        self.remove_journals()
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
