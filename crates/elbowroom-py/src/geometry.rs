//! What pictures need of a world: the shapes of its bodies, and where the bodies are.

use crate::arrays::{Poses, Rows, read_poses};
use crate::edit::{edited_padding, edited_shapes};
use crate::errors::rows_error;
use crate::memory::room_for_rows;
use crate::pose::PyPose;
use crate::shape::new_shape;
use crate::world::PyWorld;
use elbowroom::batch::BatchFault;
use elbowroom::describe::PlacedShape;
use elbowroom::math::{Transform, Vec3};
use elbowroom::pair::Shape;
use elbowroom::world::BodyId;
use elbowroom::{Checker, World};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use std::sync::Arc;

/// Numbers of a pose as a matrix.
pub const MATRIX: usize = 16;

/// Most refused rows that a fault names, as in the engine's batches.
const NAMED_ROWS: usize = 32;

/// Poses between two looks for Ctrl-C: some tens of milliseconds.
const SLICE: usize = 1 << 16;

/// The shapes of a body, each with its pose in the body. They are those that the engine asks: padding is the
/// world's and their own.
pub fn body_geometry(py: Python<'_>, world: &PyWorld, body: BodyId) -> PyResult<Vec<(Py<PyAny>, PyPose)>> {
    let (described, more) = described_shapes(world, body);
    let compiled = &world.world;
    let numbers = compiled.bodies()[body.index()].shapes.clone();
    let compiled = numbers.filter_map(|number| compiled.shapes().get(number as usize));
    let shapes = described.iter().zip(compiled);
    shapes.map(|(placed, compiled)| shape_object(py, placed, more, &compiled.shape)).collect()
}

/// A shape with its pose in the body.
pub fn shape_object(
    py: Python<'_>,
    placed: &PlacedShape,
    more_padding: f64,
    compiled: &Shape,
) -> PyResult<(Py<PyAny>, PyPose)> {
    let padding = placed.padding + more_padding;
    let shape = new_shape(py, placed.shape.clone(), padding, Some(Arc::new(compiled.clone())))?;
    Ok((shape, PyPose { transform: placed.shape_in_body }))
}

/// The shapes of a body as they are described, and the padding that the world adds to each.
fn described_shapes(of: &PyWorld, body: BodyId) -> (&[PlacedShape], f64) {
    let PyWorld { world, description, edits, .. } = of;
    let found = &world.bodies()[body.index()];
    if let Some(robot) = found.robot {
        let first = world.robots()[robot.index()].links.start as usize;
        let placed = &description.robots[robot.index()];
        let padding = edited_padding(edits, &placed.name).unwrap_or(description.padding);
        return (&placed.robot.links[body.index() - first].shapes, padding.max(0.0));
    }
    let named = |name: &str| found.name.strip_prefix("world/") == Some(name);
    let described = || {
        let obstacle = description.obstacles.iter().find(|obstacle| named(&obstacle.name));
        obstacle.map_or(&[][..], |obstacle| &obstacle.shapes)
    };
    (edited_shapes(edits, &found.name).unwrap_or_else(described), 0.0)
}

/// Appends the frames of all bodies, as rows of matrices. A body without a pose has NaN.
pub fn append_frames(checker: &Checker, numbers: &mut Vec<f64>) {
    for body in (0..checker.world().bodies().len() as u32).map(BodyId) {
        match checker.body_in_world(body) {
            Some(at) => numbers.extend(matrix_numbers(&at)),
            None => numbers.extend([f64::NAN; MATRIX]),
        }
    }
}

fn matrix_numbers(at: &Transform) -> [f64; MATRIX] {
    let [x, y, z] = at.rotation.cols.map(Vec3::to_array);
    let t = at.translation.to_array();
    let row = |k: usize| [x[k], y[k], z[k], t[k]];
    let mut numbers = [0.0; MATRIX];
    let rows = [row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]];
    numbers.copy_from_slice(rows.as_flattened());
    numbers
}

/// The frames of all bodies at a pose, shape (bodies, 4, 4), or at many poses, shape (n, bodies, 4, 4).
pub fn frames_array<'py>(
    py: Python<'py>,
    world: &World,
    q: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let bodies = world.bodies().len();
    Ok(match read_poses(q, world.dof_names().len())? {
        Poses::One(pose) => {
            let numbers = frames_of_rows(py, world, &Rows::of_one(py, &pose)?)?;
            PyArray1::from_vec(py, numbers).reshape([bodies, 4, 4])?.into_any()
        }
        Poses::Many(rows) => {
            let numbers = frames_of_rows(py, world, &rows)?;
            PyArray1::from_vec(py, numbers).reshape([rows.count, bodies, 4, 4])?.into_any()
        }
    })
}

/// The frames of all bodies at many poses. Refused rows are named.
fn frames_of_rows(py: Python<'_>, world: &World, rows: &Rows<'_>) -> PyResult<Vec<f64>> {
    let width = world.dof_names().len();
    let mut numbers = room_for_rows(rows.count, world.bodies().len() * MATRIX)?;
    let (mut checker, mut first, mut refused) = (Checker::new(world), Vec::new(), 0);
    for start in (0..rows.count).step_by(SLICE) {
        let slice = start..rows.count.min(start + SLICE);
        rows.lend_rows(slice.clone(), |values| {
            py.detach(|| {
                for (k, row) in slice.enumerate() {
                    match checker.set(&values[k * width..(k + 1) * width]) {
                        Ok(()) => append_frames(&checker, &mut numbers),
                        Err(fault) => {
                            refused += 1;
                            if first.len() < NAMED_ROWS {
                                first.push((row, fault));
                            }
                        }
                    }
                }
            });
            py.check_signals()
        })?;
    }
    if refused == 0 {
        return Ok(numbers);
    }
    Err(rows_error(py, BatchFault::Poses { first, count: refused }, 0, None))
}
