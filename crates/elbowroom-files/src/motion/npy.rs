//! Motions as NumPy arrays.

use crate::fault::{Log, counted};
use crate::limits;
use crate::xml::shortened;
use std::path::Path;

/// How a NumPy array begins.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// A NumPy array of poses by values into empty rows; a single pose may be one-dimensional. `None` after at
/// least one fault.
pub(super) fn npy(
    path: &Path,
    bytes: &[u8],
    names: &[String],
    rows: &mut Vec<Vec<f64>>,
    log: &mut Log,
) -> Option<()> {
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
        let quoted = [format!("'{key}'"), format!("\"{key}\"")];
        let (_, after) = quoted.iter().find_map(|key| header.split_once(key))?;
        Some(after.trim_start().strip_prefix(':')?.trim_start())
    };
    let descr =
        after("descr").and_then(|d| d.get(1..).and_then(|d| d.split(['\'', '"']).next())).unwrap_or("");
    let (big, size) = match descr {
        "<f8" | "=f8" => (false, 8),
        "<f4" | "=f4" => (false, 4),
        ">f8" => (true, 8),
        ">f4" => (true, 4),
        other => {
            let what =
                format!("holds values of type {:?}; float32 and float64 are supported", shortened(other));
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
        return bad("claims too many values".into(), "split the file");
    };
    if poses == 0 {
        return bad("holds no pose".into(), "give at least one pose");
    }
    let wanted = total * size;
    if data.len() < wanted {
        return bad(format!("is cut off: {} bytes of values where {wanted} should be", data.len()), save);
    }
    if data.len() > wanted {
        let what = if data[wanted..].starts_with(MAGIC) {
            "holds a second array behind the first".into()
        } else {
            format!(
                "holds {} more than its array of {poses} by {width} takes",
                counted(data.len() - wanted, "byte")
            )
        };
        return bad(what, "save one array alone with numpy.save");
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
    rows.reserve(poses);
    let before = log.count();
    for i in 0..poses {
        let row: Vec<f64> =
            (0..width).map(|j| at(if columns_first { j * poses + i } else { i * width + j })).collect();
        for (j, v) in row.iter().enumerate().filter(|(_, v)| !v.is_finite()) {
            let place = format!("sample {i}, column {} ({})", j + 1, names[j]);
            log.fault(path, place, format!("{v} is not a finite number"), "correct the number");
        }
        if log.count() - before > limits::FAULTS {
            return None;
        }
        rows.push(row);
    }
    (log.count() == before).then_some(())
}
