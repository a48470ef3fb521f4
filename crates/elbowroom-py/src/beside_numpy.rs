//! Imports NumPy while a world is compiled: both take about as long, and most callers need both.

use elbowroom::describe::{ShapeDescription, WorldDescription};
use pyo3::prelude::*;
use std::thread::{Builder, JoinHandle};

/// Does the work, and imports NumPy meanwhile on a thread of its own, unless it was imported before or the
/// world has no mesh: others are compiled at once. The thread has ended when this returns.
pub fn run_beside_numpy<T>(
    py: Python<'_>,
    description: &WorldDescription,
    work: impl FnOnce() -> PyResult<T>,
) -> PyResult<T> {
    let helper = if has_mesh(description) { start_import(py)? } else { None };
    let done = work();
    if let Some(helper) = helper {
        // Whoever needs NumPy is told why it cannot be imported.
        let _ = py.detach(|| helper.join());
    }
    done
}

fn has_mesh(description: &WorldDescription) -> bool {
    let links = description.robots.iter().flat_map(|placed| &placed.robot.links);
    let shapes = links.flat_map(|link| &link.shapes);
    let mut shapes = shapes.chain(description.obstacles.iter().flat_map(|obstacle| &obstacle.shapes));
    shapes.any(|placed| matches!(placed.shape, ShapeDescription::Mesh { .. }))
}

fn start_import(py: Python<'_>) -> PyResult<Option<JoinHandle<()>>> {
    if py.import("sys")?.getattr("modules")?.contains("numpy")? {
        return Ok(None);
    }
    // The thread that imports this first is the main thread for Python.
    py.import("threading")?;
    let import = || Python::attach(|py| drop(py.import("numpy")));
    Ok(Builder::new().name("elbowroom-numpy".into()).spawn(import).ok())
}
