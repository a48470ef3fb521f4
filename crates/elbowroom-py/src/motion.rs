//! Motions from files.

use crate::errors::{load_error, spline_error, value_error};
use crate::world::PyWorld;
use elbowroom::World;
use elbowroom_files::Options;
use elbowroom_files::motion::{self, Joints, free_joints, mimic_rules, turning_values};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

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
    let motion = read_motion(py, world, &path)?;
    let (count, width) = (motion.rows.len(), world.dof_names().len());
    let poses = PyArray1::from_vec(py, motion.rows.concat()).reshape([count, width])?;
    Ok((poses, motion.t.map(|times| PyArray1::from_vec(py, times))))
}

/// The ways of a motion from pose to pose as splines in time, as a controller executes them: for each a pair
/// of its seconds and its coefficients, shape (dof, 6), for `World.spline`. Poses alone make straight ways,
/// of one second where the file has no times.
///
/// Raises `LoadError`, `PoseError` if a way cannot be used, and ValueError if the file changes the world.
#[pyfunction]
pub fn load_splines<'py>(
    py: Python<'py>,
    world: &Bound<'py, PyWorld>,
    path: PathBuf,
) -> PyResult<Vec<(f64, Bound<'py, PyArray2<f64>>)>> {
    let world = &world.get().world;
    let motion = read_motion(py, world, &path)?;
    let spline = |row: usize| {
        let piece = motion.spline_to(world, row).map_err(|fault| spline_error(py, &fault))?;
        let rows = piece.part_coefficients([0.0, 1.0]);
        let array = PyArray1::from_vec(py, rows.concat()).reshape([rows.len(), 6])?;
        Ok((piece.duration_seconds(), array))
    };
    (1..motion.rows.len()).map(spline).collect()
}

fn read_motion(py: Python<'_>, world: &World, path: &Path) -> PyResult<motion::Motion> {
    let (mimics, turning, free) = (&mimic_rules(world), &turning_values(world), &free_joints(world));
    let joints = Joints { names: world.dof_names(), mimics, turning, free, ..Joints::default() };
    let read = py.detach(|| motion::load_motion(path, joints, &Options::default()));
    let motion = read.map_err(|faults| load_error(py, &faults))?.value;
    if !motion.events.is_empty() {
        let path = path.display();
        let words = "has events, which change the world: Python's poses have none; leave them out";
        return Err(value_error(format!("{path} {words}")));
    }
    Ok(motion)
}
