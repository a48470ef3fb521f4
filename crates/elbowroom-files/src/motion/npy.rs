//! Motions as NumPy arrays.

use crate::fault::Log;
use crate::limits;
use crate::npy::read_array;
use std::path::Path;

/// A NumPy array of poses by values into empty rows; a single pose may be one-dimensional. `None` after at
/// least one fault.
pub(super) fn read_npy_motion(
    path: &Path,
    bytes: &[u8],
    names: &[String],
    rows: &mut Vec<Vec<f64>>,
    log: &mut Log,
) -> Option<()> {
    let array = read_array(path, bytes, log)?;
    let mut bad = |what: String, help: &str| {
        log.add_fault(path, "", what, help);
        None
    };
    let (poses, width) = match *array.shape {
        [poses, width] => (poses, width),
        [width] if width == names.len() => (1, width),
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
    if poses == 0 {
        return bad("holds no pose".into(), "give at least one pose");
    }
    let table = array.as_table((poses, width), limits::MOTION_VALUES, path, log)?;
    // Poses without values take no bytes, so nothing else bounds their number.
    if width == 0 && poses > limits::FAULTS {
        log.add_fault(path, "", "gives poses to a model without joint values", "leave the motion out");
        return None;
    }
    rows.reserve(poses);
    let before = log.fault_count();
    for i in 0..poses {
        let row: Vec<f64> = (0..width).map(|j| table.value_at(i, j)).collect();
        for (j, v) in row.iter().enumerate().filter(|(_, v)| !v.is_finite()) {
            let place = format!("sample {i}, column {} ({})", j + 1, names[j]);
            log.add_fault(path, place, format!("{v} is not a finite number"), "correct the number");
        }
        if log.fault_count() - before > limits::FAULTS {
            return None;
        }
        rows.push(row);
    }
    (log.fault_count() == before).then_some(())
}
