//! What pictures need of a world: the shapes of its bodies, and where the bodies are.

use crate::arrays::{Poses, read_poses};
use crate::errors::rows_error;
use crate::pose::PyPose;
use crate::shape::new_shape;
use elbowroom::batch::BatchFault;
use elbowroom::describe::{PlacedShape, WorldDescription};
use elbowroom::math::{Transform, Vec3};
use elbowroom::pair::Shape;
use elbowroom::world::BodyId;
use elbowroom::{Checker, World};
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::sync::Arc;

/// Numbers of a pose as a matrix.
pub const MATRIX: usize = 16;

/// Most refused rows that a fault names, as in the engine's batches.
const NAMED_ROWS: usize = 32;

/// The shapes of a body, each with its pose in the body. They are those that the engine asks: padding is the
/// world's and their own.
pub fn body_geometry(
    py: Python<'_>,
    world: &World,
    description: &WorldDescription,
    body: BodyId,
) -> PyResult<Vec<(Py<PyAny>, PyPose)>> {
    let (described, more) = described_shapes(world, description, body);
    let numbers = world.bodies()[body.index()].shapes.clone();
    let compiled = numbers.filter_map(|number| world.shapes().get(number as usize));
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
fn described_shapes<'d>(
    world: &World,
    description: &'d WorldDescription,
    body: BodyId,
) -> (&'d [PlacedShape], f64) {
    let found = &world.bodies()[body.index()];
    if let Some(robot) = found.robot {
        let first = world.robots()[robot.index()].links.start as usize;
        let link = &description.robots[robot.index()].robot.links[body.index() - first];
        return (&link.shapes, description.padding.max(0.0));
    }
    let named = |name: &str| found.name.strip_prefix("world/") == Some(name);
    let obstacle = description.obstacles.iter().find(|obstacle| named(&obstacle.name));
    (obstacle.map_or(&[], |obstacle| &obstacle.shapes), 0.0)
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
            let numbers = frames_of_rows(py, world, &pose, 1)?;
            PyArray1::from_vec(py, numbers).reshape([bodies, 4, 4])?.into_any()
        }
        Poses::Many(rows) => {
            let count = rows.shape()[0];
            let numbers = frames_of_rows(py, world, rows.as_slice()?, count)?;
            PyArray1::from_vec(py, numbers).reshape([count, bodies, 4, 4])?.into_any()
        }
    })
}

/// The frames of all bodies at many poses. Refused rows are named.
fn frames_of_rows(py: Python<'_>, world: &World, rows: &[f64], count: usize) -> PyResult<Vec<f64>> {
    let width = world.dof_names().len();
    let found = py.detach(|| {
        let (mut checker, mut numbers) = (Checker::new(world), Vec::new());
        let (mut first, mut refused) = (Vec::new(), 0);
        numbers.reserve_exact(count * world.bodies().len() * MATRIX);
        for row in 0..count {
            match checker.set(&rows[row * width..(row + 1) * width]) {
                Ok(()) => append_frames(&checker, &mut numbers),
                Err(fault) => {
                    refused += 1;
                    if first.len() < NAMED_ROWS {
                        first.push((row, fault));
                    }
                }
            }
        }
        if refused == 0 { Ok(numbers) } else { Err(BatchFault::Poses { first, count: refused }) }
    });
    found.map_err(|fault| rows_error(py, fault, 0, None))
}
