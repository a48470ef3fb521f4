//! A pad of a world: a soft part of a link.

use crate::model::id::BodyId;
use alloc::string::String;
use elbowroom_describe::math::{Transform, Vec3};

/// A soft part of a link's surface, from [`World::pads`](crate::World::pads).
#[derive(Clone, Debug, PartialEq)]
pub struct Pad {
    /// Its name.
    pub name: String,
    /// The link.
    pub body: BodyId,
    /// How far it may be pressed in (metres).
    pub depth: f64,
    /// Frame of the region's middle, in the link's frame.
    pub region_in_body: Transform,
    /// Half extents of the region (metres).
    pub half: Vec3,
    /// The number of the shape that is soft there.
    pub(crate) shape: usize,
}
