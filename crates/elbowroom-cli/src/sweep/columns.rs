//! The columns of a sweep's output, as a structured NumPy array and as CSV.

use super::arguments::{MoreColumns, SweepArguments};
use super::row::RowCell;
use crate::arguments::check::AskChoice;
use anyhow::{Result, bail};
use elbowroom::{PairId, World};
use std::io::Write;
use std::path::Path;

/// What is said of Parquet without the feature.
#[cfg(not(feature = "parquet"))]
pub const NO_PARQUET: &str = "this program was built without Parquet: build it with cargo build --release \
                              --features parquet, or use .npy";

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFormat {
    /// A structured array of NumPy.
    Npy,
    /// Text.
    Csv,
    /// A table of Parquet; an array until it is complete.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl RowFormat {
    /// The word in descriptions.
    pub fn json_word(self) -> &'static str {
        match self {
            RowFormat::Npy => "npy",
            RowFormat::Csv => "csv",
            #[cfg(feature = "parquet")]
            RowFormat::Parquet => "parquet",
        }
    }

    /// Whether rows have one size while they are written.
    pub fn is_array(self) -> bool {
        self != RowFormat::Csv
    }

    /// That of a file, by its name.
    pub fn of_path(path: &Path) -> Result<RowFormat> {
        let ends = |e: &str| path.extension().is_some_and(|x| x.eq_ignore_ascii_case(e));
        match () {
            () if ends("npy") => Ok(RowFormat::Npy),
            () if ends("csv") => Ok(RowFormat::Csv),
            #[cfg(feature = "parquet")]
            () if ends("parquet") => Ok(RowFormat::Parquet),
            #[cfg(not(feature = "parquet"))]
            () if ends("parquet") => bail!("--out {}: {NO_PARQUET}", path.display()),
            () => bail!("--out {}: give a name that ends in .npy, .csv or .parquet", path.display()),
        }
    }
}

/// What the numbers of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// The number of the row.
    Sample,
    /// The number of a verdict.
    Verdict,
    /// A number; NaN where there is none.
    Number,
    /// The number of a pair, or -1.
    Pair,
}

impl CellKind {
    /// The type in NumPy.
    fn numpy_type(self) -> &'static str {
        match self {
            CellKind::Sample => "<i8",
            CellKind::Verdict => "|u1",
            CellKind::Number => "<f8",
            CellKind::Pair => "<i4",
        }
    }

    /// Its bytes there.
    pub fn byte_count(self) -> usize {
        match self {
            CellKind::Sample | CellKind::Number => 8,
            CellKind::Verdict => 1,
            CellKind::Pair => 4,
        }
    }
}

/// A column; in an array it may have several numbers a row.
#[derive(Clone, Debug)]
struct OutColumn {
    name: &'static str,
    kind: CellKind,
    /// The titles in CSV, one a number.
    titles: Vec<String>,
}

/// The columns of an output.
#[derive(Clone, Debug)]
pub struct OutColumns<'w> {
    world: &'w World,
    format: RowFormat,
    columns: Vec<OutColumn>,
}

/// The words of verdicts, in the order of their numbers. The last is that of a row that is no pose.
pub const VERDICT_WORDS: [&str; 6] = ["clear", "near", "expected_contact", "collision", "unknown", "fault"];

impl<'w> OutColumns<'w> {
    /// Those that were asked for.
    pub fn from_arguments(
        arguments: &SweepArguments,
        world: &'w World,
        format: RowFormat,
    ) -> Result<OutColumns<'w>> {
        let distances = arguments.ask == AskChoice::Distance;
        let needs: Vec<&str> = [
            (arguments.more.contains(&MoreColumns::Witness), "--more witness"),
            (arguments.more.contains(&MoreColumns::Gradient), "--more gradient"),
            (arguments.nearest.is_some(), "--nearest"),
        ]
        .into_iter()
        .filter_map(|(wanted, name)| (wanted && !distances).then_some(name))
        .collect();
        if !needs.is_empty() {
            bail!("{}: write --ask distance too", needs.join(" and "));
        }
        let one = |name: &'static str, kind| OutColumn { name, kind, titles: vec![name.into()] };
        let several = |name, kind, titles| OutColumn { name, kind, titles };
        let [lower, upper] = if arguments.edges { ["from", "to"] } else { ["lower", "upper"] };
        let mut columns = vec![
            one("sample", CellKind::Sample),
            one("verdict", CellKind::Verdict),
            one(lower, CellKind::Number),
            one(upper, CellKind::Number),
            one("pair", CellKind::Pair),
        ];
        let by_joint = |what: &str| world.dof_names().iter().map(|name| format!("{what}{name}")).collect();
        if arguments.more.contains(&MoreColumns::Q) {
            columns.push(several("q", CellKind::Number, by_joint("")));
        }
        if arguments.more.contains(&MoreColumns::Witness) {
            for name in ["witness_a", "witness_b", "normal"] {
                let titles = ["x", "y", "z"].map(|axis| format!("{name}_{axis}")).to_vec();
                columns.push(several(name, CellKind::Number, titles));
            }
        }
        if arguments.more.contains(&MoreColumns::Gradient) {
            columns.push(several("gradient", CellKind::Number, by_joint("gradient of ")));
        }
        if let Some(nearest) = arguments.nearest {
            let numbered = |what: &str| (1..=nearest).map(|k| format!("{what}_{k}")).collect();
            columns.push(several("nearest", CellKind::Pair, numbered("nearest")));
            columns.push(several("nearest_lower", CellKind::Number, numbered("nearest_lower")));
            columns.push(several("nearest_upper", CellKind::Number, numbered("nearest_upper")));
        }
        Ok(OutColumns { world, format, columns })
    }

    /// How rows are written.
    pub fn format(&self) -> RowFormat {
        self.format
    }

    /// The names of the columns.
    pub fn names(&self) -> Vec<&'static str> {
        self.columns.iter().map(|column| column.name).collect()
    }

    /// The numbers of a row: their titles, and what they are.
    pub fn cells(&self) -> impl Iterator<Item = (&str, CellKind)> {
        self.columns.iter().flat_map(|column| column.titles.iter().map(|title| (title.as_str(), column.kind)))
    }

    /// The world that pairs are of.
    #[cfg(feature = "parquet")]
    pub fn world(&self) -> &'w World {
        self.world
    }

    /// What a row takes, about (bytes); exactly, where rows have one size.
    pub fn row_bytes(&self) -> usize {
        let cells = self.columns.iter().map(|c| c.titles.len() * c.kind.byte_count()).sum::<usize>();
        // Of a line: a number has at most 24 characters, and a pair two names.
        if self.format.is_array() { cells } else { 3 * cells + 64 }
    }

    /// The header of an output of `rows` rows.
    pub fn header_bytes(&self, rows: u64) -> Vec<u8> {
        if self.format.is_array() {
            return self.npy_header(rows);
        }
        let mut line = Vec::new();
        for (k, (title, _)) in self.cells().enumerate() {
            if k > 0 {
                line.push(b',');
            }
            put_field(&mut line, title);
        }
        line.push(b'\n');
        line
    }

    fn npy_header(&self, rows: u64) -> Vec<u8> {
        let fields: Vec<String> = self
            .columns
            .iter()
            .map(|column| match column.titles.len() {
                1 => format!("('{}', '{}')", column.name, column.kind.numpy_type()),
                n => format!("('{}', '{}', ({n},))", column.name, column.kind.numpy_type()),
            })
            .collect();
        let text =
            format!("{{'descr': [{}], 'fortran_order': False, 'shape': ({rows},), }}", fields.join(", "));
        array_header(&text)
    }

    /// Writes a row: a cell for each number of each column.
    pub fn put_row(&self, cells: &[RowCell], out: &mut Vec<u8>) {
        if self.format.is_array() {
            cells.iter().for_each(|cell| put_bytes(*cell, out));
            return;
        }
        for (k, cell) in cells.iter().enumerate() {
            if k > 0 {
                out.push(b',');
            }
            self.put_text(*cell, out);
        }
        out.push(b'\n');
    }

    /// Writes a number as a field of a line.
    fn put_text(&self, cell: RowCell, out: &mut Vec<u8>) {
        // Writing to a vector cannot fail.
        let _ = match cell {
            RowCell::Sample(x) => write!(out, "{x}"),
            RowCell::Verdict(x) => {
                out.extend(VERDICT_WORDS.get(usize::from(x)).unwrap_or(&"").as_bytes());
                Ok(())
            }
            RowCell::Number(x) if x.is_nan() => Ok(()),
            RowCell::Number(x) => write!(out, "{x}"),
            RowCell::Pair(pair) => {
                if let Some(text) = pair.and_then(|pair| pair_text(self.world, pair)) {
                    put_field(out, &text);
                }
                Ok(())
            }
        };
    }
}

/// Writes a number as an array has it.
fn put_bytes(cell: RowCell, out: &mut Vec<u8>) {
    match cell {
        RowCell::Sample(x) => out.extend((x as i64).to_le_bytes()),
        RowCell::Verdict(x) => out.push(x),
        RowCell::Number(x) => out.extend(x.to_le_bytes()),
        RowCell::Pair(pair) => out.extend(pair.map_or(-1, |pair| pair.0 as i32).to_le_bytes()),
    }
}

/// What stands before the values of an array that is described by this text. The whole is a multiple of 64
/// bytes, as NumPy writes it, so that rows may be mapped.
pub fn array_header(text: &str) -> Vec<u8> {
    let length = (10 + text.len() + 1).next_multiple_of(64) - 10;
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((length as u16).to_le_bytes());
    header.extend(text.as_bytes());
    header.resize(10 + length - 1, b' ');
    header.push(b'\n');
    header
}

/// The two names of a pair in one field.
pub fn pair_text(world: &World, pair: PairId) -> Option<String> {
    world.pair_names(pair).map(|[a, b]| format!("{a}|{b}"))
}

/// A field of CSV, with quotes where it needs them.
fn put_field(out: &mut Vec<u8>, text: &str) {
    if text.contains([',', '"', '\n', '\r']) {
        out.push(b'"');
        out.extend(text.replace('"', "\"\"").as_bytes());
        out.push(b'"');
    } else {
        out.extend(text.as_bytes());
    }
}
