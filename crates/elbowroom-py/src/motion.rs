//! Motions from files.

use crate::errors::{load_error, value_error};
use crate::world::PyWorld;
use elbowroom_files::Options;
use elbowroom_files::motion::{self, Joints, mimic_rules, turning_values};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use std::path::PathBuf;

/// Poses and their times.
pub type Motion<'py> = (Bound<'py, PyArray2<f64>>, Option<Bound<'py, PyArray1<f64>>>);

/// Reads a motion of a world from a file (CSV, NPY, JSON lines, or a message of ROS or MoveIt): its poses,
/// shape (n, dof), and their times (seconds, shape (n,)), or None if the file has none.
///
/// Raises `LoadError`, which has every fault of the file, and ValueError if the file changes the world.
#[pyfunction]
pub fn load_motion<'py>(
    py: Python<'py>,
    world: &Bound<'py, PyWorld>,
    path: PathBuf,
) -> PyResult<Motion<'py>> {
    let world = &world.get().world;
    let (mimics, turning) = (&mimic_rules(world), &turning_values(world));
    let joints = Joints { names: world.dof_names(), mimics, turning };
    let read = py.detach(|| motion::load_motion(&path, joints, &Options::default()));
    let motion = read.map_err(|faults| load_error(py, &faults))?.value;
    if !motion.events.is_empty() {
        let path = path.display();
        let words = "has events, which change the world: Python's poses have none; leave them out";
        return Err(value_error(format!("{path} {words}")));
    }
    let (count, width) = (motion.rows.len(), world.dof_names().len());
    let poses = PyArray1::from_vec(py, motion.rows.concat()).reshape([count, width])?;
    Ok((poses, motion.t.map(|times| PyArray1::from_vec(py, times))))
}
