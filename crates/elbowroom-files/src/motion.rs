//! Motions: one pose of all joints a row, from CSV or NPY.

use crate::fault::{Faults, Log};
use crate::limits;
use crate::source::{Disk, Files, Options, Session};
use crate::xml::{number, shortened};
use std::collections::BTreeMap;
use std::path::Path;

/// Poses of a model, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// One row a pose: values in the model's order (radians, metres; quaternions as in the model).
    pub rows: Vec<Vec<f64>>,
    /// Time of each row (seconds), if the file has it.
    pub t: Option<Vec<f64>>,
}

/// Reads a motion for a model whose values are called `names`: `robot/joint`, or `robot/joint/x` for one of
/// several values.
///
/// CSV has a header of those names; the robot may be left out where the rest is unique; a column `t` is time
/// in seconds. NPY holds an array of poses by values, f4 or f8, in the model's order.
///
/// # Errors
/// All faults together: unknown, repeated and missing columns, and numbers that are not finite, with row and
/// column.
pub fn load_motion(path: &Path, names: &[String], options: &Options) -> Result<Motion, Faults> {
    load_motion_from(&Disk, path, names, options)
}

/// [`load_motion`] from any [`Files`].
pub fn load_motion_from(
    files: &dyn Files,
    path: &Path,
    names: &[String],
    options: &Options,
) -> Result<Motion, Faults> {
    let mut session = Session::new(files, options);
    let motion = session.read(path, options.max_file_bytes).and_then(|bytes| {
        if bytes.starts_with(b"\x93NUMPY") {
            npy(path, &bytes, names, &mut session.log)
        } else if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("npy")) {
            session.log.fault(path, "", "is not an NPY file", "save it with numpy.save");
            None
        } else {
            csv(path, &bytes, names, options, &mut session.log)
        }
    });
    session.finish(motion).map(|loaded| loaded.value)
}

fn csv(path: &Path, bytes: &[u8], names: &[String], options: &Options, log: &mut Log) -> Option<Motion> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.iter().take(4096).any(|&b| b == 0) {
        log.fault(path, "", "is not a text file", "give a CSV or NPY file");
        return None;
    }
    let (first, rest) =
        bytes.split_at(bytes.iter().position(|&b| b == b'\n' || b == b'\r').unwrap_or(bytes.len()));
    let delimiter = [b',', b';', b'\t'].into_iter().find(|d| first.contains(d)).unwrap_or(b',');
    // numpy.savetxt puts its header behind a comment sign.
    let uncommented = first.trim_ascii_start().strip_prefix(b"#").filter(|title| {
        String::from_utf8_lossy(title).split(char::from(delimiter)).map(str::trim).any(|field| {
            names.iter().any(|n| n == field || n.split_once('/').is_some_and(|(_, bare)| bare == field))
        })
    });
    let bytes = std::io::Read::chain(uncommented.unwrap_or(first), rest);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .flexible(true)
        .from_reader(bytes);
    let header = match reader.headers() {
        Ok(header) => header.clone(),
        Err(e) => {
            log.fault(path, "line 1", format!("its header cannot be read: {e}"), "write CSV as UTF-8");
            return None;
        }
    };
    let columns = columns(path, &header, names, options, log)?;
    let mut motion = Motion::default();
    let time = columns.contains(&Column::Time);
    let mut t = Vec::new();
    let mut record = csv::StringRecord::new();
    let before = log.count();
    let mut values = 0_usize;
    loop {
        match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {}
            Err(e) => {
                let place = e.position().map(|p| format!("line {}", p.line())).unwrap_or_default();
                log.fault(path, place, format!("cannot be read: {e}"), "write CSV as UTF-8");
                return None;
            }
        }
        let line = record.position().map_or(0, csv::Position::line);
        let number_of_row = motion.rows.len() + 1;
        // A line of nothing but separators ends some spreadsheets' files.
        if record.iter().all(str::is_empty) {
            continue;
        }
        if record.len() != header.len() {
            let what =
                format!("row {number_of_row} has {} fields, the header has {}", record.len(), header.len());
            log.fault(path, format!("line {line}"), what, "mend the row");
        }
        let mut row = vec![0.0; names.len()];
        for ((field, column), title) in record.iter().zip(&columns).zip(&header) {
            if *column == Column::Ignored {
                continue;
            }
            let Some(value) = number(field) else {
                let what = format!(
                    "row {number_of_row}, column {:?}: {:?} is not a finite number",
                    shortened(title),
                    shortened(field)
                );
                log.fault(path, format!("line {line}"), what, "mend the number");
                continue;
            };
            match column {
                Column::Value(i) => row[*i] = value,
                Column::Time => t.push(value),
                Column::Ignored => {}
            }
        }
        motion.rows.push(row);
        values = values.saturating_add(names.len().max(1));
        if values > limits::MOTION_VALUES || log.count() - before > limits::FAULTS {
            log.fault(
                path,
                format!("line {line}"),
                "holds more values or faults than are read",
                "split the file",
            );
            return None;
        }
    }
    if motion.rows.is_empty() {
        log.fault(path, "", "holds no row below its header", "give at least one pose");
    }
    motion.t = time.then_some(t);
    (log.count() == before).then_some(motion)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Value(usize),
    Time,
    Ignored,
}

/// What each column of a header means.
fn columns(
    path: &Path,
    header: &csv::StringRecord,
    names: &[String],
    options: &Options,
    log: &mut Log,
) -> Option<Vec<Column>> {
    let before = log.count();
    // Names as written and, where they are unique, without their robot.
    let mut index: BTreeMap<&str, Option<usize>> = BTreeMap::new();
    for (i, name) in names.iter().enumerate() {
        index.insert(name, Some(i));
    }
    for (i, name) in names.iter().enumerate() {
        if let Some((_, bare)) = name.split_once('/') {
            index.entry(bare).and_modify(|e| *e = if *e == Some(i) { *e } else { None }).or_insert(Some(i));
        }
    }
    for (i, name) in names.iter().enumerate() {
        index.insert(name, Some(i));
    }
    let (mut out, mut taken, mut time) = (Vec::new(), vec![None; names.len()], None);
    for (k, title) in header.iter().enumerate() {
        let place = format!("line 1, column {}", k + 1);
        let shown = shortened(title);
        match index.get(title) {
            Some(Some(i)) => {
                if let Some(first) = taken[*i].replace(k) {
                    let what = format!("{shown:?} gives {:?} a second time", names[*i]);
                    log.fault(path, place, what, format!("keep one; the first is column {}", first + 1));
                }
                out.push(Column::Value(*i));
            }
            Some(None) => {
                log.fault(
                    path,
                    place,
                    format!("{shown:?} is a joint of several robots"),
                    "write robot/joint",
                );
                out.push(Column::Ignored);
            }
            None if title == "t" => {
                if time.replace(k).is_some() {
                    log.fault(path, place, "time is given a second time", "keep one column t");
                    out.push(Column::Ignored);
                } else {
                    out.push(Column::Time);
                }
            }
            None if options.ignore_unknown_columns => out.push(Column::Ignored),
            None => {
                let mut help = log.did_you_mean(title, index.keys().copied());
                if help.is_empty() {
                    help = "remove the column, or ask for unknown columns to be ignored".into();
                }
                log.fault(path, place, format!("{shown:?} is no joint of this model"), help);
                out.push(Column::Ignored);
            }
        }
    }
    let missing: Vec<&str> =
        names.iter().zip(&taken).filter(|(_, t)| t.is_none()).map(|(n, _)| n.as_str()).collect();
    if !missing.is_empty() {
        let shown: Vec<&str> = missing.iter().take(50).copied().collect();
        let more =
            if missing.len() > 50 { format!(" and {} more", missing.len() - 50) } else { String::new() };
        let what = format!("no column for {}{more}", shown.join(", "));
        log.fault(path, "line 1", what, "the first line names the joints; add the missing ones");
    }
    (log.count() == before).then_some(out)
}

/// A NumPy array of poses by values; a single pose may be one-dimensional.
fn npy(path: &Path, bytes: &[u8], names: &[String], log: &mut Log) -> Option<Motion> {
    let mut bad = |what: String, help: &str| {
        log.fault(path, "", what, help);
        None
    };
    let save = "save it with numpy.save";
    let (Some(&major), Some(rest)) = (bytes.get(6), bytes.get(8..)) else {
        return bad("is cut off in its header".into(), save);
    };
    let split = match (major, rest) {
        (1, [a, b, rest @ ..]) => Some((usize::from(u16::from_le_bytes([*a, *b])), rest)),
        (2 | 3, [a, b, c, d, rest @ ..]) => {
            usize::try_from(u32::from_le_bytes([*a, *b, *c, *d])).ok().map(|n| (n, rest))
        }
        _ => None,
    };
    let Some((length, rest)) = split.filter(|(n, rest)| *n <= rest.len() && *n <= 65536) else {
        return bad("has a header of unknown version or length".into(), save);
    };
    let (header, data) = rest.split_at(length);
    let header = String::from_utf8_lossy(header);
    let after = |key: &str| {
        let start = header.find(&format!("'{key}'")).or_else(|| header.find(&format!("\"{key}\"")))?;
        Some(header[start + key.len() + 2..].trim_start().strip_prefix(':')?.trim_start())
    };
    let descr =
        after("descr").and_then(|d| d.get(1..).and_then(|d| d.split(['\'', '"']).next())).unwrap_or("");
    let (big, size) = match descr {
        "<f8" | "=f8" => (false, 8),
        "<f4" | "=f4" => (false, 4),
        ">f8" => (true, 8),
        ">f4" => (true, 4),
        other => {
            let what = format!("holds values of type {:?}, not floating-point numbers", shortened(other));
            return bad(what, "save array.astype(float)");
        }
    };
    let columns_first = match after("fortran_order") {
        Some(v) if v.starts_with("True") => true,
        Some(v) if v.starts_with("False") => false,
        _ => return bad("its header does not say its order".into(), save),
    };
    let shape: Option<Vec<usize>> = after("shape").and_then(|s| s.strip_prefix('(')).and_then(|s| {
        let inside = s.split(')').next()?;
        inside.split(',').map(str::trim).filter(|w| !w.is_empty()).map(|w| w.parse().ok()).collect()
    });
    let (poses, width) = match shape.as_deref() {
        Some(&[poses, width]) => (poses, width),
        Some(&[width]) if width == names.len() => (1, width),
        _ => return bad("is not an array of poses by joint values".into(), "save a two-dimensional array"),
    };
    if width != names.len() {
        let what = format!("has {width} values a pose, the model has {}", names.len());
        return bad(
            what,
            &format!(
                "the order is {}",
                names.iter().take(50).map(String::as_str).collect::<Vec<_>>().join(", ")
            ),
        );
    }
    let Some(total) =
        poses.checked_mul(width).filter(|t| *t <= limits::MOTION_VALUES && poses <= limits::MOTION_VALUES)
    else {
        return bad("claims more values than are read".into(), "split the file");
    };
    if poses == 0 {
        return bad("holds no pose".into(), "give at least one pose");
    }
    if data.len() < total * size {
        let what = format!("is cut off: {} bytes of values where {} should be", data.len(), total * size);
        return bad(what, save);
    }
    // A model without values has nothing to hold against the number of poses but this.
    if width == 0 && poses > limits::FAULTS {
        return bad("gives poses to a model without joint values".into(), "leave the motion out");
    }
    let at = |k: usize| {
        let b = &data[k * size..(k + 1) * size];
        match (size, big) {
            (8, false) => f64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]),
            (8, true) => f64::from_be_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]),
            (_, false) => f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
            (_, true) => f64::from(f32::from_be_bytes([b[0], b[1], b[2], b[3]])),
        }
    };
    let mut rows = Vec::with_capacity(poses);
    let before = log.count();
    for i in 0..poses {
        let row: Vec<f64> =
            (0..width).map(|j| at(if columns_first { j * poses + i } else { i * width + j })).collect();
        for (j, v) in row.iter().enumerate().filter(|(_, v)| !v.is_finite()) {
            let place = format!("row {}, column {} ({})", i + 1, j + 1, names[j]);
            log.fault(path, place, format!("{v} is not a finite number"), "mend the number");
        }
        if log.count() - before > limits::FAULTS {
            return None;
        }
        rows.push(row);
    }
    Some(Motion { rows, t: None })
}
