//! Raises faults of the engine and of the readers as exceptions. Their classes are in
//! `python/elbowroom/_errors.py`.

use elbowroom::batch::BatchFault;
use elbowroom::motion::SplineFault;
use elbowroom::pose::PoseFault;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::fmt::Display;

/// The fields of Python's `Fault`: file, place, what, help.
type FaultFields = (String, String, String, String);

fn new_exception<'py, A>(
    py: Python<'py>,
    class: &'static PyOnceLock<Py<PyType>>,
    name: &str,
    arguments: A,
) -> PyErr
where
    A: pyo3::call::PyCallArgs<'py>,
{
    let made = class.import(py, "elbowroom._errors", name).and_then(|class| class.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// `Error`: a failure that no other class describes.
pub fn engine_error(py: Python<'_>, message: String) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    new_exception(py, &CLASS, "Error", (message,))
}

/// `LoadError`, with every fault of the files.
pub fn load_error(py: Python<'_>, faults: &elbowroom_files::Faults) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let fields: Vec<FaultFields> = faults
        .0
        .iter()
        .map(|fault| {
            let file = fault.file.display().to_string();
            (file, fault.place.clone(), fault.what.clone(), fault.help.clone())
        })
        .collect();
    new_exception(py, &CLASS, "LoadError", (fields,))
}

/// `LoadError` for a description that was read, but cannot be compiled.
pub fn unfit_file_error(py: Python<'_>, file: &str, faults: &elbowroom::Faults) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    new_exception(py, &CLASS, "LoadError", (list_fields(file, faults),))
}

/// `WorldError`, with every fault of a description made of Python's values.
pub fn world_error(py: Python<'_>, faults: &elbowroom::Faults) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    new_exception(py, &CLASS, "WorldError", (list_fields("", faults),))
}

fn list_fields(file: &str, faults: &elbowroom::Faults) -> Vec<FaultFields> {
    faults.iter().map(|f| (file.into(), String::new(), f.to_string(), String::new())).collect()
}

/// `PoseError` for one pose.
pub fn pose_error(py: Python<'_>, fault: &PoseFault) -> PyErr {
    pose_error_of_words(py, fault.to_string())
}

fn pose_error_of_words(py: Python<'_>, words: String) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    new_exception(py, &CLASS, "PoseError", (words,))
}

/// `PoseError` for a piece of a spline.
pub fn spline_error(py: Python<'_>, fault: &SplineFault) -> PyErr {
    match fault {
        SplineFault::Pose(fault) => pose_error(py, fault),
        SplineFault::Seconds(_) | SplineFault::WrongCount { .. } => value_error(fault.to_string()),
        SplineFault::Values(_) | SplineFault::OtherWorld => pose_error_of_words(py, fault.to_string()),
    }
}

/// `PoseError` for a slice of rows that begins at row `start`. Rows from `until` on were not asked.
pub fn rows_error(py: Python<'_>, fault: BatchFault, start: usize, until: Option<usize>) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let BatchFault::Poses { mut first, count } = fault else {
        return PyValueError::new_err(fault.to_string());
    };
    first.iter_mut().for_each(|(row, _)| *row += start);
    let rows: Vec<(usize, String)> = first.iter().map(|(row, fault)| (*row, fault.to_string())).collect();
    let mut words = BatchFault::Poses { first, count }.to_string();
    if let Some(until) = until {
        words.push_str(&format!("\nposes from {until} on were not asked"));
    }
    new_exception(py, &CLASS, "PoseError", (words, rows))
}

/// `ChangeError`: a change of a checker that makes no sense.
pub fn change_error(py: Python<'_>, fault: impl Display) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    new_exception(py, &CLASS, "ChangeError", (fault.to_string(),))
}

/// `BusyError`: another thread is asking the checker.
pub fn busy_error(py: Python<'_>) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let words = "another thread is asking this checker: make one for each thread by copy()";
    new_exception(py, &CLASS, "BusyError", (words,))
}

/// `CertificateError`: a certificate that does not hold.
pub fn certificate_error(py: Python<'_>, fault: impl Display) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    new_exception(py, &CLASS, "CertificateError", (fault.to_string(),))
}

/// Something is of the wrong type.
pub fn type_error(message: String) -> PyErr {
    PyTypeError::new_err(message)
}

/// Something has a wrong shape or value.
pub fn value_error(message: String) -> PyErr {
    PyValueError::new_err(message)
}
