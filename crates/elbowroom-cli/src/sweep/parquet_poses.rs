//! Poses of a Parquet file: any rows, at any time and by any thread.
//!
//! Columns are found by joint names, never by their order. Parquet stores rows in groups, and a group can
//! only be decoded as a whole. The last few decoded groups are cached, so memory grows with the size of a
//! group: a file with larger groups is refused. While one thread decodes, the others wait. Decoding a group
//! takes at most a tenth of the time that answering its rows takes.

use crate::limits::{GROUP_BYTES, GROUPS_HELD};
use anyhow::{Context, Result, bail};
use elbowroom_files::motion::{Joints, RowFault, TableColumns};
use elbowroom_files::{Options, fault::Faults};
use parquet::basic::{Compression, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;
use std::collections::VecDeque;
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The file.
pub struct ParquetPoses {
    path: PathBuf,
    columns: TableColumns,
    /// The names of its columns, at the top.
    titles: Vec<String>,
    /// Of each column that is used: its place among the titles, and among the leaves of the schema.
    used: Vec<[usize; 2]>,
    /// Where each group begins, and where the last ends.
    starts: Vec<u64>,
    state: Mutex<ReaderState>,
}

struct ReaderState {
    reader: SerializedFileReader<File>,
    /// Groups that were decoded, by number, the latest last.
    held: VecDeque<(usize, Arc<RowGroup>)>,
}

/// A group of rows.
struct RowGroup {
    /// The values of each used column. Where there is none, NaN.
    values: Vec<Vec<f64>>,
    /// Of each used column, the rows without a value, in order.
    nulls: Vec<Vec<u32>>,
}

/// Why a file is refused: faults of its columns, or something else.
pub enum Refusal {
    /// Columns that do not fit the joints.
    Columns(Faults),
    /// All else.
    Other(anyhow::Error),
}

impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Refusal {
        Refusal::Other(error)
    }
}

impl ParquetPoses {
    /// Opens a file for a model that has these joints.
    pub fn open(path: &Path, joints: Joints<'_>, options: &Options) -> Result<ParquetPoses, Refusal> {
        let cannot = || format!("{} cannot be read as Parquet", path.display());
        let file = File::open(path).with_context(cannot)?;
        let reader = SerializedFileReader::new(file).with_context(cannot)?;
        let about = reader.metadata();
        let schema = about.file_metadata().schema_descr();
        let titles: Vec<String> =
            schema.root_schema().get_fields().iter().map(|field| field.name().to_string()).collect();
        let words: Vec<&str> = titles.iter().map(String::as_str).collect();
        let columns =
            TableColumns::from_titles(path, &words, joints, options).map_err(Refusal::Columns)?.value;
        let (mut used, mut faults) = (Vec::new(), Vec::new());
        for (leaf, column) in schema.columns().iter().enumerate() {
            let title = schema.get_column_root_idx(leaf);
            if !columns.is_used(title) {
                continue;
            }
            match find_misfit(column) {
                Some(what) => faults.push(format!("{}: column {:?} {what}", path.display(), titles[title])),
                None => used.push([title, leaf]),
            }
        }
        let mut starts = vec![0];
        for (number, group) in about.row_groups().iter().enumerate() {
            let rows = u64::try_from(group.num_rows()).unwrap_or(0);
            let bytes = rows.saturating_mul(8 * used.len() as u64);
            let stored: i64 =
                used.iter().map(|[_, leaf]| group.column(*leaf).uncompressed_size().max(0)).sum();
            if bytes.max(stored.unsigned_abs()) > GROUP_BYTES {
                let most = GROUP_BYTES / (8 * used.len() as u64).max(1);
                faults.push(format!(
                    "{}: row group {number} has {rows} rows, more than are held at once: write the file with \
                     groups of at most {most} rows",
                    path.display()
                ));
                break;
            }
            let unread = used.iter().find(|[_, leaf]| !can_decompress(group.column(*leaf).compression()));
            if let Some([title, leaf]) = unread {
                faults.push(format!(
                    "{}: column {:?} is compressed by {}: write it with zstd, snappy, gzip, lz4 or none",
                    path.display(),
                    titles[*title],
                    group.column(*leaf).compression()
                ));
                break;
            }
            starts.push(starts.last().map_or(0, |last| last + rows));
        }
        if starts.last() == Some(&0) && faults.is_empty() {
            faults.push(format!("{} holds no pose: give at least one", path.display()));
        }
        if !faults.is_empty() {
            return Err(Refusal::Other(anyhow::anyhow!(faults.join("\n"))));
        }
        let state = Mutex::new(ReaderState { reader, held: VecDeque::new() });
        Ok(ParquetPoses { path: path.into(), columns, titles, used, starts, state })
    }

    /// How many rows it has.
    pub fn row_count(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Reads rows into `values`: the values of one after the other, in the model's order. Rows that are no
    /// poses are returned, and all their values are NaN.
    pub fn read_rows(&self, rows: Range<u64>, values: &mut Vec<f64>) -> Result<Vec<RowFault>> {
        let (mut row, mut faults) = (rows.start, Vec::new());
        let mut numbers = Vec::new();
        while row < rows.end.min(self.row_count()) {
            // An empty group begins where the next one begins: this finds the last of them.
            let number = self.starts.partition_point(|start| *start <= row) - 1;
            let group = self.find_group(number)?;
            let end = self.starts[number + 1].min(rows.end);
            let within = (row - self.starts[number]) as usize..(end - self.starts[number]) as usize;
            self.add_rows(&group, within, row, (&mut numbers, values), &mut faults);
            row = end;
        }
        Ok(faults)
    }

    /// Adds rows of a group, the first of which is this one of the file.
    fn add_rows(
        &self,
        group: &RowGroup,
        within: Range<usize>,
        first: u64,
        (numbers, values): (&mut Vec<f64>, &mut Vec<f64>),
        faults: &mut Vec<RowFault>,
    ) {
        let width = self.titles.len();
        numbers.clear();
        numbers.resize(within.len() * width, 0.0);
        let mut empty: Vec<(usize, usize)> = Vec::new();
        for ([title, _], (column, nulls)) in self.used.iter().zip(group.values.iter().zip(&group.nulls)) {
            for (row, value) in numbers.chunks_exact_mut(width).zip(&column[within.clone()]) {
                row[*title] = *value;
            }
            let from = nulls.partition_point(|row| (*row as usize) < within.start);
            let here = nulls[from..].iter().map(|row| *row as usize).take_while(|row| *row < within.end);
            empty.extend(here.map(|row| (row - within.start, *title)));
        }
        empty.sort_unstable();
        empty.dedup_by_key(|(row, _)| *row);
        let place = values.len();
        let mut told = Vec::new();
        self.columns.add_rows(numbers, values, |row, what| told.push((row, what)));
        // A joint that follows one without a value differs from it too: that is no further fault.
        told.retain(|(row, _)| empty.binary_search_by_key(row, |(row, _)| *row).is_err());
        let joints = (values.len() - place) / within.len().max(1);
        for (row, title) in empty {
            values[place + row * joints..place + (row + 1) * joints].fill(f64::NAN);
            told.push((row, format!("column {:?} has no value", self.titles[title])));
        }
        told.sort();
        let named = |(row, what)| RowFault { row: first + row as u64, line: None, what };
        faults.extend(told.into_iter().map(named));
    }

    fn find_group(&self, number: usize) -> Result<Arc<RowGroup>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, group)) = state.held.iter().find(|(held, _)| *held == number) {
            return Ok(Arc::clone(group));
        }
        while state.held.len() >= GROUPS_HELD {
            state.held.pop_front();
        }
        let decoded = self
            .decode_group(&state.reader, number)
            .with_context(|| format!("row group {number} of {} cannot be read", self.path.display()))?;
        let group = Arc::new(decoded);
        state.held.push_back((number, Arc::clone(&group)));
        Ok(group)
    }

    fn decode_group(&self, reader: &SerializedFileReader<File>, number: usize) -> Result<RowGroup> {
        let rows = (self.starts[number + 1] - self.starts[number]) as usize;
        let group = reader.get_row_group(number)?;
        let mut decoded = RowGroup { values: Vec::new(), nulls: Vec::new() };
        for [title, leaf] in &self.used {
            let (values, nulls) = match group.get_column_reader(*leaf)? {
                ColumnReader::DoubleColumnReader(column) => read_column(column, rows, |value| value)?,
                ColumnReader::FloatColumnReader(column) => read_column(column, rows, f64::from)?,
                _ => bail!("column {:?} has no numbers", self.titles[*title]),
            };
            if values.len() != rows {
                bail!("column {:?} has {} values, and {rows} are claimed", self.titles[*title], values.len());
            }
            decoded.values.push(values);
            decoded.nulls.push(nulls);
        }
        Ok(decoded)
    }
}

/// Whether the program can decompress this kind.
fn can_decompress(kind: Compression) -> bool {
    match kind {
        Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::GZIP(_) => true,
        Compression::LZ4 | Compression::LZ4_RAW | Compression::ZSTD(_) => true,
        Compression::LZO | Compression::BROTLI(_) => false,
    }
}

/// Why a column cannot be the values of a joint, if it cannot.
fn find_misfit(column: &ColumnDescriptor) -> Option<String> {
    let help = "give one number a row, float32 or float64";
    if column.max_rep_level() > 0 || column.path().parts().len() > 1 {
        return Some(format!("has lists or records: {help}"));
    }
    let is_number = matches!(column.physical_type(), Physical::DOUBLE | Physical::FLOAT);
    (!is_number).then(|| format!("is of type {}: {help}", column.physical_type()))
}

/// All values of a column, and the rows that have none.
fn read_column<T: DataType>(
    mut column: ColumnReaderImpl<T>,
    rows: usize,
    number: impl Fn(T::T) -> f64,
) -> Result<(Vec<f64>, Vec<u32>)> {
    let (mut given, mut levels) = (Vec::new(), Vec::new());
    let mut read = 0;
    while read < rows {
        // A column that may have no nulls returns no levels.
        let (records, _, _) = column.read_records(rows - read, Some(&mut levels), None, &mut given)?;
        if records == 0 {
            break;
        }
        read += records;
    }
    if given.len() == read {
        return Ok((given.into_iter().map(number).collect(), Vec::new()));
    }
    let (mut values, mut nulls) = (Vec::with_capacity(levels.len()), Vec::new());
    let mut given = given.into_iter().map(number);
    for (row, level) in levels.iter().enumerate() {
        if *level == 0 {
            nulls.push(row as u32);
            values.push(f64::NAN);
        } else {
            values.push(given.next().unwrap_or(f64::NAN));
        }
    }
    Ok((values, nulls))
}
