//! Reports progress: calls the caller's function, or moves a bar of `tqdm`.

use pyo3::exceptions::{PyImportError, PyModuleNotFoundError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

/// The function to call, if there is one, and the bar that it moves.
pub struct Progress<'py> {
    tell: Option<Bound<'py, PyAny>>,
    bar: Option<Bound<'py, PyAny>>,
}

impl<'py> Progress<'py> {
    /// From `progress=`: a function, True for a bar of `tqdm`, False or None for no report.
    pub fn new(wanted: Option<&Bound<'py, PyAny>>, count: usize) -> PyResult<Progress<'py>> {
        let Some(wanted) = wanted else { return Ok(Progress { tell: None, bar: None }) };
        let Ok(shown) = wanted.cast::<PyBool>() else {
            return Ok(Progress { tell: Some(wanted.clone()), bar: None });
        };
        if !shown.is_true() {
            return Ok(Progress { tell: None, bar: None });
        }
        let py = wanted.py();
        let how = PyDict::new(py);
        how.set_item("total", count)?;
        how.set_item("unit", "pose")?;
        how.set_item("unit_scale", true)?;
        let tqdm = py.import("tqdm.auto").map_err(|error| {
            if !error.is_instance_of::<PyModuleNotFoundError>(py) {
                return error;
            }
            PyImportError::new_err("progress=True shows a bar of tqdm: pip install tqdm, or give a function")
        })?;
        let bar = tqdm.call_method("tqdm", (), Some(&how))?;
        Ok(Progress { tell: Some(bar.getattr("update")?), bar: Some(bar) })
    }

    /// Reports that `count` more are done.
    pub fn tell_done(&self, count: usize) -> PyResult<()> {
        self.tell.as_ref().map_or(Ok(()), |tell| tell.call1((count,)).map(|_| ()))
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            // The error that ended the work matters more than one of the bar.
            let _ = bar.call_method0("close");
        }
    }
}
