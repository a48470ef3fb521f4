//! Clouds as NumPy arrays: a point a row.

use super::points::{Points, THIN_OUT, too_many};
use crate::fault::Log;
use crate::limits;
use crate::npy::read_array;
use std::path::Path;

/// The first three columns; `None` after a fault.
pub(super) fn read(path: &Path, bytes: &[u8], log: &mut Log) -> Option<Points> {
    let array = read_array(path, bytes, log)?;
    let mut bad = |what: String, help: &str| {
        log.add_fault(path, "", what, help);
        None
    };
    let (rows, columns) = match *array.shape {
        [rows, columns] if columns >= 3 => (rows, columns),
        [_, columns] => {
            let what = format!("has {columns} values a row, and a point has three");
            return bad(what, "save an array with the columns x, y, z");
        }
        ref shape => {
            let what = format!("is an array of {} dimensions, not of points by coordinates", shape.len());
            return bad(what, "save array.reshape(-1, 3)");
        }
    };
    if columns > limits::CLOUD_COLUMNS && rows < columns {
        let what = format!("has {rows} rows of {columns} values: its points seem to lie in columns");
        return bad(what, "save array.T, or array[:, :3] if a row is a point");
    }
    if rows > limits::CLOUD_POINTS {
        return bad(too_many(rows), THIN_OUT);
    }
    let most = limits::CLOUD_POINTS.saturating_mul(columns);
    let table = array.as_table((rows, columns), most, path, log)?;
    let mut points = Points::default();
    points.finite.reserve(rows);
    for row in 0..rows {
        points.push([0, 1, 2].map(|column| table.value_at(row, column)));
    }
    Some(points)
}
