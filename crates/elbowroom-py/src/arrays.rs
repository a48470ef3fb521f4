//! Reads arrays of numbers from Python's values: NumPy arrays of any layout, lists, tuples.
//!
//! A C-contiguous array of 64-bit floats is not copied. It is borrowed by a private view, so that the caller
//! may give the array another type or shape meanwhile. Arrays of other real numbers or strides are copied,
//! and of many rows only those that are asked next. A value that is not numbers, or has another shape, is
//! refused; the message names the argument.

use crate::errors::{type_error, value_error};
use numpy::{
    PyArray1, PyArray2, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArray2, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyList, PySlice, PyTuple};
use std::ops::Range;

/// The joint values of one pose, or of many.
pub enum Poses<'py> {
    One(Vec<f64>),
    Many(Rows<'py>),
}

/// Rows of joint values.
pub struct Rows<'py> {
    array: Bound<'py, PyUntypedArray>,
    /// `array`, if it can be borrowed.
    ready: Option<PyReadonlyArray2<'py, f64>>,
    pub count: usize,
    width: usize,
}

impl<'py> Rows<'py> {
    /// One row.
    pub fn of_one(py: Python<'py>, pose: &[f64]) -> PyResult<Rows<'py>> {
        let array = PyArray1::from_slice(py, pose).reshape([1, pose.len()])?;
        let ready = Some(array.readonly());
        Ok(Rows { array: array.as_untyped().clone(), ready, count: 1, width: pose.len() })
    }

    /// Lends some of the rows, one behind the other.
    pub fn lend_rows<T>(&self, rows: Range<usize>, ask: impl FnOnce(&[f64]) -> PyResult<T>) -> PyResult<T> {
        if let Some(ready) = &self.ready {
            return ask(&ready.as_slice()?[rows.start * self.width..rows.end * self.width]);
        }
        let part =
            self.array.get_item(PySlice::new(self.array.py(), rows.start as isize, rows.end as isize, 1))?;
        let copied = real_array(&part, JOINT_VALUES)?.cast_into::<PyArray2<f64>>()?.readonly();
        if copied.shape() != [rows.len(), self.width] {
            return Err(value_error("these joint values changed their shape while they were read".into()));
        }
        ask(copied.as_slice()?)
    }
}

/// What messages call joint values.
const JOINT_VALUES: &str = "joint values";

/// The joint values of one pose.
pub fn read_pose(values: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<f64>> {
    let row = read_row(values, JOINT_VALUES)?;
    if row.len() != count {
        return Err(wrong_shape(&[row.len()], count, false));
    }
    Ok(row)
}

/// Six coefficients for each joint value.
pub fn read_coefficients(values: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<[f64; 6]>> {
    let array = real_array(values, "coefficients")?;
    let shape = array.shape().to_vec();
    if shape != [count, 6] {
        return Err(value_error(format!("coefficients have the shape {shape:?}: give ({count}, 6)")));
    }
    let all = array.cast_into::<PyArray2<f64>>()?.readonly();
    Ok(all.as_array().rows().into_iter().map(|row| std::array::from_fn(|k| row[k])).collect())
}

/// The joint values of one pose or of many.
pub fn read_poses<'py>(values: &Bound<'py, PyAny>, count: usize) -> PyResult<Poses<'py>> {
    if is_plain_row(values) {
        return read_pose(values, count).map(Poses::One);
    }
    let array = number_array(values, JOINT_VALUES)?;
    match *array.shape() {
        [n] if n == count => Ok(Poses::One(read_row(&array, JOINT_VALUES)?)),
        [rows, n] if n == count => {
            let array = view_plainly(&array)?;
            let borrowed = array.is_c_contiguous().then(|| array.cast::<PyArray2<f64>>().ok()).flatten();
            // An array that is not aligned has no slice.
            let ready = borrowed.map(|ready| ready.readonly()).filter(|ready| ready.as_slice().is_ok());
            Ok(Poses::Many(Rows { array, ready, count: rows, width: count }))
        }
        _ => Err(wrong_shape(array.shape(), count, true)),
    }
}

/// Whether values are a list of numbers. Without a look at this, NumPy would make an array of it.
fn is_plain_row(values: &Bound<'_, PyAny>) -> bool {
    let first = values.cast::<PyList>().ok().and_then(|list| list.get_item(0).ok());
    first.is_some_and(|first| first.is_instance_of::<PyFloat>())
}

/// The rows of two arrays of poses with as many rows.
pub fn read_motions<'py>(
    starts: &Bound<'py, PyAny>,
    ends: &Bound<'py, PyAny>,
    count: usize,
) -> PyResult<[Rows<'py>; 2]> {
    let (Poses::Many(starts), Poses::Many(ends)) = (read_poses(starts, count)?, read_poses(ends, count)?)
    else {
        return Err(value_error(format!(
            "motions have the shape (n, {count}) for their starts and their ends"
        )));
    };
    if starts.count != ends.count {
        let (rows, other) = (starts.count, ends.count);
        return Err(value_error(format!("there are {rows} starts and {other} ends: give as many of each")));
    }
    Ok([starts, ends])
}

fn wrong_shape(shape: &[usize], count: usize, many: bool) -> PyErr {
    let also = if many { format!(", or (n, {count}) for n poses") } else { String::new() };
    value_error(format!(
        "joint values have the shape ({count},){also}; these have {}: see world.joint_names for their order",
        shape_words(shape)
    ))
}

/// A shape as Python writes it.
fn shape_words(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        all => format!("({})", all.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// A row of real numbers. Messages call it `what`.
pub fn read_row(values: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<f64>> {
    // Lists come first: the check for an array imports NumPy.
    if values.is_instance_of::<PyList>() || values.is_instance_of::<PyTuple>() {
        let words = |_: &PyErr| format!("{what} must be real numbers, in one row");
        return values.extract().map_err(|error| not_numbers(values.py(), error, words));
    }
    if let Ok(array) = values.cast::<PyArray1<f64>>() {
        return match array.to_vec() {
            Ok(row) => Ok(row),
            Err(_) => Ok(array.readonly().as_array().to_vec()),
        };
    }
    let array = real_array(values, what)?;
    match array.ndim() {
        1 => Ok(array.cast_into::<PyArray1<f64>>()?.to_vec()?),
        _ => Err(value_error(format!("{what} must be one row; this has the shape {}", {
            shape_words(array.shape())
        }))),
    }
}

/// Exactly `N` real numbers.
pub fn read_numbers<const N: usize>(values: &Bound<'_, PyAny>, what: &str) -> PyResult<[f64; N]> {
    let row = read_row(values, what)?;
    let given = row.len();
    row.try_into().map_err(|_| value_error(format!("{what} must be {N} numbers; {given} were given")))
}

/// Rows of `N` real numbers each.
pub fn read_rows<const N: usize>(values: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<[f64; N]>> {
    let array = real_array(values, what)?;
    let shape = array.shape().to_vec();
    if shape.len() != 2 || shape[1] != N {
        let given = shape_words(&shape);
        return Err(value_error(format!("{what} must have the shape (n, {N}); this has {given}")));
    }
    let numbers = array.cast_into::<PyArray2<f64>>()?.to_vec()?;
    Ok(numbers.as_chunks::<N>().0.to_vec())
}

/// A C-contiguous array of 64-bit floats: the array itself if it is one, otherwise a copy.
pub fn real_array<'py>(values: &Bound<'py, PyAny>, what: &str) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let array = view_plainly(&number_array(values, what)?)?;
    if array.is_c_contiguous()
        && let Ok(ready) = array.cast::<PyArrayDyn<f64>>()
        && ready.readonly().as_slice().is_ok()
    {
        return Ok(ready.clone());
    }
    let how = PyDict::new(values.py());
    how.set_item("order", "C")?;
    let converted = array.call_method("astype", ("float64",), Some(&how))?;
    Ok(converted.cast_into::<PyArrayDyn<f64>>()?)
}

/// A private view of an array, of NumPy's own class. If the caller sets another type or shape of the array,
/// the view stays as it is, and methods of the caller's class do not answer for it.
fn view_plainly<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let plain = array.py().import("numpy")?.getattr("ndarray")?;
    Ok(plain.call_method1("view", (array, &plain))?.cast_into::<PyUntypedArray>()?)
}

/// An array of real numbers, of any type and layout: the array itself if it is one.
fn number_array<'py>(values: &Bound<'py, PyAny>, what: &str) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = values.py();
    let array = match values.cast::<PyUntypedArray>() {
        Ok(array) => array.clone(),
        Err(_) => {
            let words =
                |error: &PyErr| format!("{what} must be an array of real numbers: {}", error.value(py));
            let made = py.import("numpy")?.call_method1("asarray", (values,));
            let made = made.map_err(|error| not_numbers(py, error, words))?;
            made.cast_into::<PyUntypedArray>()?
        }
    };
    if !array.get_type().is(py.get_type::<PyUntypedArray>()) && array.hasattr("mask")? {
        return Err(type_error(format!("{what} must not be masked: give array.filled(value), or its rows")));
    }
    let kind = array.dtype().kind();
    if !b"fiu".contains(&kind) && array.len() != 0 {
        let dtype = array.dtype();
        return Err(type_error(format!("{what} must be real numbers; these have the dtype {dtype}")));
    }
    Ok(array)
}

/// `TypeError` with words, where a value is not made of numbers. What else the caller's objects raised is
/// passed through.
fn not_numbers(py: Python<'_>, error: PyErr, words: impl FnOnce(&PyErr) -> String) -> PyErr {
    let about_numbers = error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyValueError>(py);
    if about_numbers { type_error(words(&error)) } else { error }
}
