//! Random poses.

use crate::errors::engine_error;
use crate::memory::room_for_rows;
use elbowroom::World;
use elbowroom::math::Random;
use pyo3::{PyResult, Python};

/// Poses between two looks for Ctrl-C: some milliseconds.
const SLICE: usize = 1 << 16;

/// Random poses within limits, as rows of one array.
pub fn draw_poses(py: Python<'_>, world: &World, count: usize, seed: u64) -> PyResult<Vec<f64>> {
    let mut values = room_for_rows(count, world.dof_names().len())?;
    let mut random = Random(seed);
    for start in (0..count).step_by(SLICE) {
        let rows = count.min(start + SLICE) - start;
        let drawn = py.detach(|| draw_rows(world, rows, &mut random, &mut values));
        drawn
            .ok_or_else(|| engine_error(py, "no poses: the limits of joints contradict each other".into()))?;
        py.check_signals()?;
    }
    Ok(values)
}

/// `None` if the limits contradict each other.
fn draw_rows(world: &World, count: usize, random: &mut Random, values: &mut Vec<f64>) -> Option<()> {
    for _ in 0..count {
        values.extend(world.draw_configuration(|| random.unit())?);
    }
    Some(())
}
