//! Random poses.

use elbowroom::World;
use elbowroom::math::Random;

/// Poses within limits, one behind the other. `None` where limits contradict each other, and where there is
/// no memory for so many.
pub fn draw_poses(world: &World, count: usize, seed: u64) -> Option<Vec<f64>> {
    let (mut random, mut values) = (Random(seed), Vec::new());
    values.try_reserve_exact(count.checked_mul(world.dof_names().len())?).ok()?;
    for _ in 0..count {
        values.extend(world.draw_configuration(|| random.unit())?);
    }
    Some(values)
}
