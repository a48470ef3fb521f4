//! Writes descriptions as bytes for `pickle`, and reads them. Compiled worlds and shapes are not written.
//! Only the version that wrote the bytes reads them.

use crate::errors::engine_error;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The version that is written with the bytes.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What `__reduce__` returns: a function of this module, and its arguments.
pub type Reduced<'py> = (Bound<'py, PyAny>, (&'static str, Bound<'py, PyBytes>));

/// What `__reduce__` returns for a value that the function `restore` of this module reads.
pub fn reduce_to<'py>(
    py: Python<'py>,
    restore: &str,
    value: &(impl Serialize + Sync),
) -> PyResult<Reduced<'py>> {
    let bytes = write_bytes(py, value)?;
    Ok((py.import("elbowroom._engine")?.getattr(restore)?, (VERSION, PyBytes::new(py, &bytes))))
}

/// A value as bytes.
fn write_bytes(py: Python<'_>, value: &(impl Serialize + Sync)) -> PyResult<Vec<u8>> {
    let written = py.detach(|| postcard::to_stdvec(value));
    written.map_err(|e| engine_error(py, format!("it cannot be pickled: {e}")))
}

/// A value from its bytes.
pub fn read_bytes<T: DeserializeOwned + Send>(py: Python<'_>, version: &str, bytes: &[u8]) -> PyResult<T> {
    if version != VERSION {
        let words = format!(
            "this was pickled by elbowroom {version}, and this is {VERSION}: load the files again, or use \
             the same version"
        );
        return Err(engine_error(py, words));
    }
    let read = py.detach(|| postcard::from_bytes(bytes));
    read.map_err(|e| engine_error(py, format!("this pickle is damaged: {e}")))
}
