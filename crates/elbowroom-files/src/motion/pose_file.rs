//! Poses of a file that may be too large to hold: any rows, read where they lie, at any time and by any
//! thread.
//!
//! An NPY array says in its header where its rows are. A CSV file is read once from end to end, to count its
//! poses and to remember where each 512th of them begins.

use super::columns::{PoseColumns, TitleLine};
use super::data::Joints;
use super::placed_file::PlacedFile;
use crate::fault::{Faults, Loaded, Log};
use crate::limits::{HEADER_LINE_BYTES, ROWS_A_PLACE};
use crate::npy::{self, Array, MAGIC, read_array};
use crate::other_kind::{OtherKind, recognize_other_kind};
use crate::source::Options;
use crate::text::strip_mark;
use elbowroom::world::Follows;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A file of poses, one a row: CSV with a header of joint names, or NPY (poses by values). What the two hold
/// is said at [`load_motion`](super::load_motion). It may be of any size; only what is asked for is read.
///
/// ```
/// use elbowroom_files::Options;
/// use elbowroom_files::motion::{Joints, PoseFile};
///
/// let path = std::env::temp_dir().join(format!("elbowroom-poses-{}.csv", std::process::id()));
/// std::fs::write(&path, "elbow,shoulder\n0.5,0\n0.5,0.1\noops,0.2\n")?;
/// let names = ["arm/shoulder".to_string(), "arm/elbow".to_string()];
/// let joints = Joints { names: &names, mimics: &[], ..Joints::default() };
/// let poses = PoseFile::open(&path, joints, &Options::default())?.value;
/// assert_eq!(poses.row_count(), 3);
///
/// let mut values = Vec::new();
/// assert!(poses.read_rows(1..2, &mut values)?.is_empty());
/// assert_eq!(values, [0.1, 0.5], "in the model's order");
/// let faults = poses.read_rows(2..3, &mut values)?;
/// assert_eq!(faults[0].to_string(), "line 4, row 2: column \"elbow\": \"oops\" is not a finite number");
/// assert!(values[1].is_nan());
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PoseFile {
    path: PathBuf,
    file: PlacedFile,
    rows: u64,
    width: usize,
    layout: RowLayout,
}

#[derive(Debug)]
enum RowLayout {
    Npy(ArrayLayout),
    Csv(Box<LineLayout>),
}

/// Where the values of an array lie.
#[derive(Clone, Copy, Debug)]
struct ArrayLayout {
    /// Where the values begin (bytes).
    start: u64,
    columns_first: bool,
    big_endian: bool,
    /// Bytes of a value.
    size: usize,
}

/// Where the lines of a table lie.
#[derive(Debug)]
struct LineLayout {
    delimiter: u8,
    columns: PoseColumns,
    names: Vec<String>,
    mimics: Vec<(String, Follows)>,
    /// Where every [`ROWS_A_PLACE`]-th row begins, and where the last ends.
    places: Vec<LinePlace>,
}

#[derive(Clone, Copy, Debug)]
struct LinePlace {
    byte: u64,
    /// The number of the line, from 1.
    line: u64,
}

/// A row that is no pose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFault {
    /// The row, from 0.
    pub row: u64,
    /// Its line, from 1, where the file has lines.
    pub line: Option<u64>,
    /// What is wrong.
    pub what: String,
}

impl std::fmt::Display for RowFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}, row {}: {}", self.row, self.what),
            None => write!(f, "row {}: {}", self.row, self.what),
        }
    }
}

impl PoseFile {
    /// Opens a file for a model that has these joints. Columns of time are skipped.
    ///
    /// # Errors
    /// The file cannot be read, or is not one of the two kinds; a header that does not fit the joints; an
    /// array that is cut off or has another shape. Single rows are not judged here.
    pub fn open(path: &Path, joints: Joints<'_>, options: &Options) -> Result<Loaded<PoseFile>, Faults> {
        let mut log = Log::default();
        let file = open_layout(path, joints, options, &mut log);
        let file = file.unwrap_or_else(|error| {
            log.add_fault(path, "", format!("cannot be read: {error}"), "give a CSV or NPY file");
            None
        });
        log.finish(file)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many rows it has.
    pub fn row_count(&self) -> u64 {
        self.rows
    }

    /// Reads rows into `values`: the values of one after the other, in the model's order. Rows that are no
    /// poses are returned, and all their values are NaN. Of an array, values that are not
    /// finite are handed on as they are. Rows behind the last are left out.
    ///
    /// # Errors
    /// The file can no longer be read, or is shorter than it was.
    pub fn read_rows(&self, rows: Range<u64>, values: &mut Vec<f64>) -> io::Result<Vec<RowFault>> {
        values.clear();
        let rows = rows.start.min(self.rows)..rows.end.min(self.rows);
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        match &self.layout {
            RowLayout::Npy(array) => {
                self.read_array_rows(*array, rows, values)?;
                Ok(Vec::new())
            }
            RowLayout::Csv(lines) => self.read_line_rows(lines, rows, values),
        }
    }

    fn read_array_rows(&self, array: ArrayLayout, rows: Range<u64>, values: &mut Vec<f64>) -> io::Result<()> {
        let (width, size) = (self.width, array.size as u64);
        let count = rows.end - rows.start;
        if array.columns_first {
            values.resize(count as usize * width, 0.0);
            for column in 0..width {
                let from = array.start + (column as u64 * self.rows + rows.start) * size;
                let bytes = self.file.read_bytes(from, count * size)?;
                for (k, value) in npy::read_values(&bytes, array.size, array.big_endian).enumerate() {
                    values[k * width + column] = value;
                }
            }
        } else {
            let row = width as u64 * size;
            let bytes = self.file.read_bytes(array.start + rows.start * row, count * row)?;
            values.extend(npy::read_values(&bytes, array.size, array.big_endian));
        }
        Ok(())
    }

    fn read_line_rows(
        &self,
        lines: &LineLayout,
        rows: Range<u64>,
        values: &mut Vec<f64>,
    ) -> io::Result<Vec<RowFault>> {
        let joints = Joints { names: &lines.names, mimics: &lines.mimics, ..Joints::default() };
        let first = rows.start / ROWS_A_PLACE;
        let last = rows.end.div_ceil(ROWS_A_PLACE).min(lines.places.len() as u64 - 1);
        let [from, to] = [first, last].map(|place| lines.places[place as usize]);
        let bytes = self.file.read_bytes(from.byte, to.byte - from.byte)?;
        let (mut row, mut faults) = (first * ROWS_A_PLACE, Vec::new());
        let mut pose = lines.columns.empty_line(joints);
        let delimiter = char::from(lines.delimiter);
        for (line, text) in (from.line..).zip(bytes.split(|b| *b == b'\n')) {
            if !holds_pose(text, lines.delimiter) {
                continue;
            }
            if row >= rows.end {
                break;
            }
            if row >= rows.start {
                let text = String::from_utf8_lossy(text);
                let fields = text.split(delimiter).map(bare_field);
                let count = text.split(delimiter).count();
                let before = faults.len();
                lines.columns.read_line(joints, (fields, count), &mut pose, |(what, _)| {
                    faults.push(RowFault { row, line: Some(line), what });
                });
                if faults.len() > before {
                    pose.row.fill(f64::NAN);
                }
                values.extend(&pose.row);
            }
            row += 1;
        }
        if row < rows.end {
            return Err(io::Error::new(ErrorKind::UnexpectedEof, "it has fewer lines than it had"));
        }
        Ok(faults)
    }
}

/// A field without the quotes that some programs put around each.
fn bare_field(field: &str) -> &str {
    let field = field.trim();
    field.strip_prefix('"').and_then(|field| field.strip_suffix('"')).unwrap_or(field)
}

/// Whether a line below the header is a pose: empty lines, comments, and lines of separators alone are none.
fn holds_pose(line: &[u8], delimiter: u8) -> bool {
    let first = line.iter().find(|b| !b.is_ascii_whitespace() && **b != delimiter);
    first.is_some() && !line.trim_ascii_start().starts_with(b"#")
}

/// Opens the file and finds out where its rows lie; `None` after a fault.
fn open_layout(
    path: &Path,
    joints: Joints<'_>,
    options: &Options,
    log: &mut Log,
) -> io::Result<Option<PoseFile>> {
    let file = File::open(path)?;
    let about = file.metadata()?;
    if !about.is_file() {
        let help = "write the poses into a file: its rows are read again after an interruption";
        log.add_fault(path, "", "is no file", help);
        return Ok(None);
    }
    let mut reader = BufReader::with_capacity(1 << 20, &file);
    let is_array = reader.fill_buf()?.starts_with(MAGIC);
    let named_array = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("npy"));
    let found = if is_array {
        read_array_layout(path, &mut reader, about.len(), joints, log)?
    } else if named_array {
        log.add_fault(path, "", "is not an NPY file", npy::SAVE);
        None
    } else {
        read_line_layout(path, &mut reader, joints, options, log)?
    };
    drop(reader);
    Ok(found.map(|(rows, layout)| PoseFile {
        path: path.into(),
        file: PlacedFile::new(file),
        rows,
        width: joints.names.len(),
        layout,
    }))
}

/// How many rows an array has, and where they lie.
fn read_array_layout(
    path: &Path,
    reader: &mut impl Read,
    bytes: u64,
    joints: Joints<'_>,
    log: &mut Log,
) -> io::Result<Option<(u64, RowLayout)>> {
    let mut head = Vec::new();
    reader.take(npy::LONGEST_HEAD).read_to_end(&mut head)?;
    let Some(array) = read_array(path, &head, log) else { return Ok(None) };
    let Array { columns_first, big_endian, size, .. } = array;
    let start = (head.len() - array.data.len()) as u64;
    let width = joints.names.len();
    let rows = match *array.shape {
        [rows, columns] if columns == width && width > 0 => rows as u64,
        [_, columns] => {
            let order = joints.names.iter().take(50).map(String::as_str).collect::<Vec<_>>().join(", ");
            let what = format!("has {columns} values a pose, the model has {width}");
            log.add_fault(path, "", what, format!("the order is {order}"));
            return Ok(None);
        }
        _ => {
            let help = "save a two-dimensional array";
            log.add_fault(path, "", "is not an array of poses by joint values", help);
            return Ok(None);
        }
    };
    let wanted = rows.checked_mul(width as u64 * size as u64).and_then(|held| held.checked_add(start));
    if rows == 0 {
        log.add_fault(path, "", "holds no pose", "give at least one pose");
    } else if wanted != Some(bytes) {
        let wanted = wanted.map_or("more than can be".into(), |wanted| wanted.to_string());
        log.add_fault(path, "", format!("has {bytes} bytes, and its header claims {wanted}"), npy::SAVE);
    } else {
        return Ok(Some((rows, RowLayout::Npy(ArrayLayout { start, columns_first, big_endian, size }))));
    }
    Ok(None)
}

/// How many poses a table has, and where they lie.
fn read_line_layout(
    path: &Path,
    reader: &mut impl BufRead,
    joints: Joints<'_>,
    options: &Options,
    log: &mut Log,
) -> io::Result<Option<(u64, RowLayout)>> {
    let mut title = Vec::new();
    let mut byte = reader.take(HEADER_LINE_BYTES).read_until(b'\n', &mut title)? as u64;
    let refused = |log: &mut Log, what: &str, help: &str| {
        log.add_fault(path, "line 1", what, help);
        Ok(None)
    };
    let title = match strip_mark(&title) {
        Ok(title) => title,
        Err(not_text) => return refused(log, not_text.what, not_text.help),
    };
    if let Some(OtherKind { what, help }) = recognize_other_kind(title) {
        log.add_fault(path, "", format!("is {what}, and no list of poses"), help);
        return Ok(None);
    }
    if title.contains(&0) {
        return refused(log, "is not text", "give a CSV or NPY file");
    }
    if title.trim_ascii_end().contains(&b'\r') {
        return refused(log, "lines end with CR alone", "save the file with LF at the end of lines");
    }
    if byte == HEADER_LINE_BYTES {
        return refused(log, "is too long", "begin with a line of joint names");
    }
    let title = title.trim_ascii_end();
    let TitleLine { delimiter, text } = TitleLine::find_delimiter(title, joints.names);
    let mut header = csv::ReaderBuilder::new().delimiter(delimiter).trim(csv::Trim::All).from_reader(text);
    let header = match header.headers() {
        Ok(header) => header.clone(),
        Err(e) => return refused(log, &format!("its header cannot be read: {e}"), "write CSV as UTF-8"),
    };
    let Some(columns) = PoseColumns::read_titles(path, &header, joints, options, log) else {
        return Ok(None);
    };

    let (mut rows, mut line, mut text, mut places) = (0, 2, Vec::new(), Vec::new());
    loop {
        text.clear();
        let count = reader.read_until(b'\n', &mut text)? as u64;
        if count == 0 {
            break;
        }
        if holds_pose(&text, delimiter) {
            if rows % ROWS_A_PLACE == 0 {
                places.push(LinePlace { byte, line });
            }
            rows += 1;
        }
        byte += count;
        line += 1;
    }
    places.push(LinePlace { byte, line });
    if rows == 0 {
        log.add_fault(path, "", "has no row below its header", "give at least one pose");
        return Ok(None);
    }
    let (names, mimics) = (joints.names.to_vec(), joints.mimics.to_vec());
    Ok(Some((rows, RowLayout::Csv(Box::new(LineLayout { delimiter, columns, names, mimics, places })))))
}
