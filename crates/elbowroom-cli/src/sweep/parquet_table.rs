//! The output of a sweep as a Parquet file.
//!
//! A Parquet file has its table of contents at its end, so nothing can be appended after an interruption.
//! Rows are therefore written as an array, which becomes a table when it is complete. If that is interrupted,
//! it is done again. The groups of rows depend on the columns alone, so the bytes do too.

use super::columns::{CellKind, OutColumns, VERDICT_WORDS, pair_text};
use crate::limits::TABLE_GROUP;
use anyhow::{Context, Result};
use elbowroom::World;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::record::Row;
use parquet::record::reader::RowIter;
use parquet::schema::types::{ColumnPath, Type};
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

/// Writes the rows that a file has behind its header, `from` bytes, as a table.
pub fn write_table(rows: &Path, from: u64, columns: &OutColumns<'_>, table: &Path) -> Result<()> {
    let cannot = || format!("{} cannot be written", table.display());
    let mut file = File::open(rows).with_context(|| format!("{} cannot be read", rows.display()))?;
    let row_bytes = columns.row_bytes();
    let mut left = (file.metadata()?.len().saturating_sub(from) / row_bytes as u64) as usize;
    file.seek(SeekFrom::Start(from))?;
    let mut file = BufReader::with_capacity(1 << 20, file);

    let fields = columns.cells().map(|(title, kind)| Ok(Arc::new(field_of(title, kind)?)));
    let schema = Type::group_type_builder("rows").with_fields(fields.collect::<Result<_>>()?).build()?;
    let mut properties = WriterProperties::builder()
        .set_created_by("elbowroom".into())
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false);
    for (title, kind) in columns.cells() {
        if matches!(kind, CellKind::Verdict | CellKind::Pair) {
            // There are few different ones.
            properties = properties.set_column_dictionary_enabled(ColumnPath::new(vec![title.into()]), true);
        }
    }
    let sink = File::create(table).with_context(cannot)?;
    let mut writer = SerializedFileWriter::new(sink, Arc::new(schema), Arc::new(properties.build()))?;
    let (most_rows, most_bytes) = TABLE_GROUP;
    let group_rows = (most_bytes / row_bytes).clamp(1, most_rows);
    let mut bytes = Vec::new();
    while left > 0 {
        let count = left.min(group_rows);
        bytes.resize(count * row_bytes, 0);
        file.read_exact(&mut bytes).with_context(|| format!("{} cannot be read", rows.display()))?;
        let mut group = writer.next_row_group()?;
        write_group(columns, &bytes, &mut group).with_context(cannot)?;
        group.close().with_context(cannot)?;
        left -= count;
    }
    writer.finish().with_context(cannot)?;
    writer.inner().sync_all().with_context(cannot)
}

/// A column of the table. What may be missing in a row is null there.
fn field_of(title: &str, kind: CellKind) -> Result<Type> {
    let (physical, logical, repetition) = match kind {
        CellKind::Sample => (Physical::INT64, None, Repetition::REQUIRED),
        CellKind::Verdict => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::REQUIRED),
        CellKind::Number => (Physical::DOUBLE, None, Repetition::OPTIONAL),
        CellKind::Pair => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::OPTIONAL),
    };
    let field = Type::primitive_type_builder(title, physical);
    Ok(field.with_repetition(repetition).with_logical_type(logical).build()?)
}

/// Writes rows, as they are in an array, column by column.
fn write_group(
    columns: &OutColumns<'_>,
    bytes: &[u8],
    group: &mut SerializedRowGroupWriter<'_, File>,
) -> Result<()> {
    let words: Vec<ByteArray> = VERDICT_WORDS.iter().map(|word| ByteArray::from(*word)).collect();
    let pairs = pair_words(columns.world());
    let mut place = 0;
    for (_, kind) in columns.cells() {
        let size = kind.byte_count();
        let cells = bytes.chunks_exact(columns.row_bytes()).map(|row| &row[place..place + size]);
        let Some(mut column) = group.next_column()? else { break };
        match kind {
            CellKind::Sample => {
                let samples: Vec<i64> =
                    cells.map(|cell| i64::from_le_bytes(cell.try_into().unwrap_or_default())).collect();
                column.typed::<Int64Type>().write_batch(&samples, None, None)?;
            }
            CellKind::Verdict => {
                let verdicts: Vec<ByteArray> =
                    cells.map(|cell| words.get(usize::from(cell[0])).cloned().unwrap_or_default()).collect();
                column.typed::<ByteArrayType>().write_batch(&verdicts, None, None)?;
            }
            CellKind::Number => {
                let numbers: Vec<f64> =
                    cells.map(|cell| f64::from_le_bytes(cell.try_into().unwrap_or_default())).collect();
                let levels: Vec<i16> = numbers.iter().map(|x| i16::from(!x.is_nan())).collect();
                let given: Vec<f64> = numbers.into_iter().filter(|x| !x.is_nan()).collect();
                column.typed::<DoubleType>().write_batch(&given, Some(&levels), None)?;
            }
            CellKind::Pair => {
                let named: Vec<Option<&ByteArray>> = cells
                    .map(|cell| {
                        let pair = i32::from_le_bytes(cell.try_into().unwrap_or_default());
                        usize::try_from(pair).ok().and_then(|pair| pairs.get(pair))
                    })
                    .collect();
                let levels: Vec<i16> = named.iter().map(|name| i16::from(name.is_some())).collect();
                let given: Vec<ByteArray> = named.into_iter().flatten().cloned().collect();
                column.typed::<ByteArrayType>().write_batch(&given, Some(&levels), None)?;
            }
        }
        column.close()?;
        place += size;
    }
    Ok(())
}

/// The names of all pairs.
fn pair_words(world: &World) -> Vec<ByteArray> {
    let pairs = (0..world.pairs().len() as u32).map(|pair| pair_text(world, elbowroom::PairId(pair)));
    pairs.map(|text| ByteArray::from(text.unwrap_or_default().as_str())).collect()
}

/// The rows of a table, with verdict, lower end and pair.
pub fn read_table(table: &Path) -> Result<RowIter<'static>> {
    let cannot = || format!("{} cannot be read again", table.display());
    let file = File::open(table).with_context(cannot)?;
    let reader = SerializedFileReader::new(file).with_context(cannot)?;
    let root = reader.metadata().file_metadata().schema_descr().root_schema().clone();
    // The columns that every output has, in their order.
    let fields = root.get_fields().iter().enumerate().filter(|(k, _)| [1, 2, 4].contains(k));
    let fields = fields.map(|(_, field)| Arc::clone(field)).collect();
    let wanted = Type::group_type_builder(root.name()).with_fields(fields).build()?;
    Ok(RowIter::from_file_into(Box::new(reader)).project(Some(wanted))?)
}

/// What such a row says.
pub fn read_answer(row: &Row) -> (Option<&str>, Option<f64>, Option<&str>) {
    use parquet::record::RowAccessor;
    let text = |k: usize| row.get_string(k).ok().map(String::as_str);
    (text(0), row.get_double(1).ok(), text(2))
}
