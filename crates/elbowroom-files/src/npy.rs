//! NumPy arrays of floats: the header, and the values of a table.

use crate::fault::{Log, counted_things};
use crate::xml::short_text;
use std::path::Path;

/// How a NumPy array begins.
pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";

/// What to do about a file that is not a sound array.
pub(crate) const SAVE: &str = "save it with numpy.save";

/// Longest header that is read (bytes). A header has the type, the order and the shape, and nothing else.
const HEADER: usize = 65536;

/// Longest head of a file: what names the format and the length of the header, and the header (bytes).
pub(crate) const LONGEST_HEAD: u64 = 12 + HEADER as u64;

/// An array as its header tells it, and the bytes behind the header.
pub(crate) struct Array<'b> {
    /// Empty if the header has no shape, or one that cannot be read.
    pub shape: Vec<usize>,
    pub columns_first: bool,
    pub big_endian: bool,
    /// Bytes of a value.
    pub size: usize,
    /// What is behind the header.
    pub data: &'b [u8],
}

/// What is wrong with an array, and what to do.
type Bad = (String, &'static str);

/// Reads the header of an array of float32 or float64. Whether the shape fits the bytes is not checked yet.
/// `None` after a fault.
pub(crate) fn read_array<'b>(path: &Path, bytes: &'b [u8], log: &mut Log) -> Option<Array<'b>> {
    parse_header(bytes).map_err(|(what, help)| log.add_fault(path, "", what, help)).ok()
}

fn parse_header(bytes: &[u8]) -> Result<Array<'_>, Bad> {
    let (Some(&major), Some(rest)) = (bytes.get(6), bytes.get(8..)) else {
        return Err(("is cut off in its header".into(), SAVE));
    };
    let split = match (major, rest) {
        (1, [a, b, rest @ ..]) => Some((usize::from(u16::from_le_bytes([*a, *b])), rest)),
        (2 | 3, [a, b, c, d, rest @ ..]) => {
            usize::try_from(u32::from_le_bytes([*a, *b, *c, *d])).ok().map(|n| (n, rest))
        }
        _ => None,
    };
    let Some((length, rest)) = split.filter(|(n, rest)| *n <= rest.len() && *n <= HEADER) else {
        return Err(("has a header of unknown version or length".into(), SAVE));
    };
    let (header, data) = rest.split_at(length);
    let header = String::from_utf8_lossy(header);
    let after = |key: &str| {
        let quoted = [format!("'{key}'"), format!("\"{key}\"")];
        let (_, after) = quoted.iter().find_map(|key| header.split_once(key))?;
        Some(after.trim_start().strip_prefix(':')?.trim_start())
    };
    let descr =
        after("descr").and_then(|d| d.get(1..).and_then(|d| d.split(['\'', '"']).next())).unwrap_or("");
    let (big_endian, size) = match descr {
        "<f8" | "=f8" => (false, 8),
        "<f4" | "=f4" => (false, 4),
        ">f8" => (true, 8),
        ">f4" => (true, 4),
        other => {
            let what =
                format!("holds values of type {:?}; float32 and float64 are supported", short_text(other));
            return Err((what, "save array.astype(float)"));
        }
    };
    let columns_first = match after("fortran_order") {
        Some(v) if v.starts_with("True") => true,
        Some(v) if v.starts_with("False") => false,
        _ => return Err(("its header does not say its order".into(), SAVE)),
    };
    let shape: Option<Vec<usize>> = after("shape").and_then(|s| s.strip_prefix('(')).and_then(|s| {
        let inside = s.split(')').next()?;
        inside.split(',').map(str::trim).filter(|w| !w.is_empty()).map(|w| w.parse().ok()).collect()
    });
    Ok(Array { shape: shape.unwrap_or_default(), columns_first, big_endian, size, data })
}

impl<'b> Array<'b> {
    /// The values as a table, if there are exactly the bytes that it takes. Neither rows nor values may be
    /// more than `most`. `None` after a fault.
    pub fn as_table(
        &self,
        (rows, columns): (usize, usize),
        most: usize,
        path: &Path,
        log: &mut Log,
    ) -> Option<Table<'_, 'b>> {
        self.whole_table(rows, columns, most).map_err(|(what, help)| log.add_fault(path, "", what, help)).ok()
    }

    fn whole_table(&self, rows: usize, columns: usize, most: usize) -> Result<Table<'_, 'b>, Bad> {
        let Some(total) = rows.checked_mul(columns).filter(|t| *t <= most && rows <= most) else {
            return Err(("claims too many values".into(), "split the file"));
        };
        let (held, wanted) = (self.data.len(), total.saturating_mul(self.size));
        if held < wanted {
            return Err((format!("is cut off: {held} bytes of values where {wanted} should be"), SAVE));
        }
        let behind = self.data.get(wanted..).unwrap_or(&[]);
        if !behind.is_empty() {
            let what = if behind.starts_with(MAGIC) {
                "holds a second array behind the first".into()
            } else {
                let more = counted_things(behind.len(), "byte");
                format!("holds {more} more than its array of {rows} by {columns} takes")
            };
            return Err((what, "save one array alone with numpy.save"));
        }
        Ok(Table { array: self, rows, columns })
    }
}

/// An array of two dimensions whose bytes are all there.
pub(crate) struct Table<'a, 'b> {
    array: &'a Array<'b>,
    rows: usize,
    columns: usize,
}

impl Table<'_, '_> {
    /// The value in a row and a column, both from 0.
    pub fn value_at(&self, row: usize, column: usize) -> f64 {
        let Array { columns_first, big_endian, size, data, .. } = *self.array;
        let k = if columns_first { column * self.rows + row } else { row * self.columns + column };
        one_value(&data[k * size..(k + 1) * size], big_endian)
    }
}

/// The values that these bytes are, each of `size` bytes.
pub(crate) fn read_values(bytes: &[u8], size: usize, big_endian: bool) -> impl Iterator<Item = f64> + '_ {
    bytes.chunks_exact(size).map(move |b| one_value(b, big_endian))
}

/// The value that four or eight bytes are.
fn one_value(b: &[u8], big_endian: bool) -> f64 {
    match (b, big_endian) {
        (&[a, b, c, d, e, f, g, h], false) => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
        (&[a, b, c, d, e, f, g, h], true) => f64::from_be_bytes([a, b, c, d, e, f, g, h]),
        (&[a, b, c, d], false) => f64::from(f32::from_le_bytes([a, b, c, d])),
        (&[a, b, c, d], true) => f64::from(f32::from_be_bytes([a, b, c, d])),
        _ => f64::NAN,
    }
}
