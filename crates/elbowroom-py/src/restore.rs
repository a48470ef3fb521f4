//! Reads worlds from pickles, and compiles them again.

use crate::describe::TouchNames;
use crate::edit::Edit;
use crate::errors::engine_error;
use crate::pickle::read_bytes;
use crate::world::PyWorld;
use elbowroom::describe::WorldDescription;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// What a pickle of a world holds: description, edits, and the rest.
type State = (WorldDescription, Vec<Edit>, Rest);

/// Allowed contacts of movable bodies (`touch`), warnings, files, fingerprint.
type Rest = (TouchNames, Vec<String>, Vec<PathBuf>, u64);

/// A world from a pickle.
#[pyfunction]
pub fn restore_world(py: Python<'_>, version: &str, state: &[u8]) -> PyResult<PyWorld> {
    let (description, edits, (touch, warnings, files, fingerprint)): State = read_bytes(py, version, state)?;
    let world = PyWorld::compile(py, description)?.with_edits(py, edits)?;
    if world.world.fingerprint() != fingerprint {
        let words = "the pickled world compiles to another one here: load its files again";
        return Err(engine_error(py, words.into()));
    }
    Ok(world.with_files(Arc::new(touch), warnings, files))
}
