//! Bodies by their full names.

use crate::errors::change_error;
use elbowroom::World;
use elbowroom::world::BodyId;
use elbowroom_files::fault::did_you_mean;
use pyo3::{PyResult, Python};

/// The body with a full name; otherwise `ChangeError`, with the nearest name.
pub fn find_body(py: Python<'_>, world: &World, name: &str) -> PyResult<BodyId> {
    world.body_by_name(name).ok_or_else(|| {
        let hint = did_you_mean(name, world.bodies().iter().map(|body| &*body.name));
        let hint = if hint.is_empty() { "see World.bodies".to_string() } else { hint };
        change_error(py, format!("there is no body {name:?}; {hint}"))
    })
}
