//! Memory for as many values as the caller has rows. Where there is not enough, `MemoryError` is raised:
//! Rust's own collections would end the process.

use pyo3::PyResult;
use pyo3::exceptions::PyMemoryError;

/// So many rows of `width` equal values.
pub fn filled_rows<T: Clone>(value: T, rows: usize, width: usize) -> PyResult<Vec<T>> {
    let mut filled = room_for_rows(rows, width)?;
    filled.resize(rows * width, value);
    Ok(filled)
}

/// No values, and room for so many rows of `width`.
pub fn room_for_rows<T>(rows: usize, width: usize) -> PyResult<Vec<T>> {
    let mut empty = Vec::new();
    match rows.checked_mul(width).map(|count| empty.try_reserve_exact(count)) {
        Some(Ok(())) => Ok(empty),
        _ => Err(PyMemoryError::new_err("there is no memory for the answers: ask fewer rows at a time")),
    }
}
