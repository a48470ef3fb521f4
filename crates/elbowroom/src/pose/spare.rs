//! A spare place of a pose: what fills it, and the numbers of shapes of such places.

use crate::bounds::lanes::CapsuleId;
use crate::model::body_bounds::BodyCapsule;
use crate::model::id::ShapeId;
use crate::model::spare::SpareShape;
use crate::model::world::World;
use alloc::vec::Vec;

/// The number of the first spare place's shape; those of the other places follow. The shapes of worlds have
/// smaller numbers ([`MAX_SHAPES`](crate::model::tolerance::MAX_SHAPES)).
pub(crate) const FIRST_SPARE: u32 = 1 << 31;

/// The number of the shape of a spare place.
pub(crate) fn spare_shape(spare: usize) -> ShapeId {
    ShapeId(FIRST_SPARE + spare as u32)
}

/// A spare place.
#[derive(Clone, Debug)]
pub(crate) struct Spare {
    /// `None` while it is empty.
    pub shape: Option<SpareShape>,
    /// The bounds of that shape; those of the world's body, which are infinite, while it is empty.
    pub bounds: BodyCapsule,
}

impl Spare {
    /// The places of a world, all of them empty.
    pub fn of_world(world: &World) -> Vec<Spare> {
        let movables = &world.movables;
        let capsules = &movables.capsules[movables.first_spare().unwrap_or(0)..][..movables.spares.len()];
        let empty =
            |capsule: &CapsuleId| Spare { shape: None, bounds: world.bounds.capsules[capsule.index()] };
        capsules.iter().map(empty).collect()
    }
}
