//! Random poses.

use crate::errors::engine_error;
use elbowroom::World;
use elbowroom::math::Random;
use pyo3::{PyResult, Python};

/// Random poses within limits, as rows of one array.
pub fn draw_poses(py: Python<'_>, world: &World, count: usize, seed: u64) -> PyResult<Vec<f64>> {
    let none = "no poses: the limits of joints contradict each other, or there is no memory for so many";
    py.detach(|| fill_rows(world, count, seed)).ok_or_else(|| engine_error(py, none.into()))
}

/// `None` if the limits contradict each other, or if there is not enough memory.
fn fill_rows(world: &World, count: usize, seed: u64) -> Option<Vec<f64>> {
    let (mut random, mut values) = (Random(seed), Vec::new());
    values.try_reserve_exact(count.checked_mul(world.dof_names().len())?).ok()?;
    for _ in 0..count {
        values.extend(world.draw_configuration(|| random.unit())?);
    }
    Some(values)
}
