//! A soft part of a shape: a region, and how far the surface in it gives way.

use elbowroom_describe::fault::PadFault;
use elbowroom_describe::limits::{LEAST_PAD_DEPTH, MAX_PAD_DEPTH};
use elbowroom_describe::math::{Transform, Vec3};

/// A part of a shape's surface that may be pressed in: what lies wholly in a box of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftPart {
    /// Frame of the box's middle, in the shape's frame.
    pub region_in_shape: Transform,
    /// Half extents of the box along its axes (metres).
    pub half: Vec3,
    /// How far the surface may be pressed in (metres).
    pub depth: f64,
}

impl SoftPart {
    /// Whether a point (the shape's frame) lies in the region.
    pub fn contains(&self, p: Vec3) -> bool {
        self.contains_ball(p, Vec3::ZERO)
    }

    /// The coordinates of a point (the shape's frame) in the region's frame are within the region, less some
    /// extents along its axes.
    pub(super) fn contains_ball(&self, p: Vec3, extents: Vec3) -> bool {
        let local = self.region_in_shape.rotation.transpose_mul(p - self.region_in_shape.translation);
        let reach = local.abs() + extents;
        reach.x <= self.half.x && reach.y <= self.half.y && reach.z <= self.half.z
    }

    /// The region's axes, in the shape's frame.
    pub(super) fn region_axes(&self) -> [Vec3; 3] {
        self.region_in_shape.rotation.cols
    }
}

/// Whether the numbers of a soft part can be used.
///
/// # Errors
/// A depth that is out of its range, or an extent of the region that is none.
pub fn check_numbers(part: &SoftPart) -> Result<(), PadFault> {
    if !(LEAST_PAD_DEPTH..=MAX_PAD_DEPTH).contains(&part.depth) {
        return Err(PadFault::Depth { value: part.depth });
    }
    let wrong = part.half.to_array().into_iter().find(|half| !(*half > 0.0 && half.is_finite()));
    wrong.map_or(Ok(()), |half| Err(PadFault::Size { value: 2.0 * half }))
}
