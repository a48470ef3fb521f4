use crate::bounds::aligned_box::AlignedBox;
use elbowroom_describe::math::Vec3;

pub(super) mod bodies;
mod every;
mod fits;
mod lanes;

/// The signed distance of two boxes, to rounding: minus the least way along an axis that takes them apart
/// where they overlap.
pub(super) fn box_distance(a: &AlignedBox, b: &AlignedBox) -> f64 {
    let apart = (a.low - b.high).max(b.low - a.high);
    let least = apart.x.max(apart.y).max(apart.z);
    if least > 0.0 { apart.max(Vec3::ZERO).norm() } else { least }
}
