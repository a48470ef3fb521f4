//! Bodies that a list of checks leaves out.

use crate::errors::value_error;
use elbowroom::World;
use elbowroom::world::{AllowedReason, BodyId, PairStatus};
use pyo3::PyResult;

/// Refuses added parts if the world's list of checks names no pair with any of their bodies: the parts would
/// be in the world, and no answer would be about them.
pub fn refuse_unlisted(world: &World, parts: &[Vec<String>]) -> PyResult<()> {
    let unlisted = |names: &&Vec<String>| {
        let bodies: Vec<BodyId> = names.iter().filter_map(|name| world.body_by_name(name)).collect();
        is_unlisted(world, &bodies)
    };
    let Some(names) = parts.iter().find(unlisted) else { return Ok(()) };
    let name = names.first().map_or("", String::as_str);
    Err(value_error(format!(
        "{name:?} would not be checked: this world lists its checks, and none names it; give checks for it"
    )))
}

fn is_unlisted(world: &World, bodies: &[BodyId]) -> bool {
    let mut left_out = false;
    for body in bodies {
        for other in 0..world.bodies().len() {
            match world.status(*body, BodyId(other as u32)) {
                Some(PairStatus::Checked(_)) => return false,
                Some(PairStatus::Allowed(AllowedReason::NotAsked)) => left_out = true,
                Some(PairStatus::Allowed(_)) | None => {}
            }
        }
    }
    left_out
}
