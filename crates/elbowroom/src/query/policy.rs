//! How far apart bodies shall be, and what meshes count as.

use crate::model::world::World;
use elbowroom_pair::Geometry;

/// How far apart bodies shall be, and what meshes count as: of a question at a pose, between poses, or over
/// all of them. The default is the world's margin, and meshes as themselves.
///
/// ```
/// use elbowroom::motion::{EdgeOptions, RangeOptions};
/// use elbowroom::{Geometry, Policy};
///
/// // A way and the ranges around it are judged alike: by two centimetres, with meshes as their hulls.
/// let policy = Policy::default().margin(0.02).geometry(Geometry::Hull);
/// let way = EdgeOptions { policy, ..EdgeOptions::default() };
/// let ranges = RangeOptions { policy, ..RangeOptions::default() };
/// assert_eq!(way, EdgeOptions::default().margin(0.02).geometry(Geometry::Hull));
/// assert_eq!(ranges.policy.margin, Some(0.02));
/// assert_eq!(Policy::default().margin, None, "the world's");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Policy {
    /// The clearance that bodies shall keep (metres, >= 0); `None` means the world's margin. A negative one
    /// counts as zero. With NaN only overlap at a pose is proved: nothing is clear, near, apart, free or
    /// in contact, and a field is refused.
    pub margin: Option<f64>,
    /// Whether meshes count as themselves or as their hulls.
    pub geometry: Geometry,
}

impl Policy {
    /// [`Policy::default`], for constants.
    pub(crate) const USUAL: Policy = Policy { margin: None, geometry: Geometry::Mesh };

    /// This policy with a margin of its own (metres), instead of the world's.
    pub const fn margin(self, metres: f64) -> Policy {
        Policy { margin: Some(metres), ..self }
    }

    /// This policy with meshes as themselves or as their hulls.
    pub const fn geometry(self, geometry: Geometry) -> Policy {
        Policy { geometry, ..self }
    }

    /// The margin in a world (metres): this one or the world's. It is not negative; NaN stays NaN.
    pub(crate) fn margin_in(&self, world: &World) -> f64 {
        let margin = self.margin.unwrap_or(world.margin);
        if margin < 0.0 { 0.0 } else { margin }
    }
}

impl Default for Policy {
    fn default() -> Policy {
        Policy::USUAL
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom_describe::examples::rod_and_post;

    #[test]
    fn a_margin_is_the_policys_or_else_the_worlds_and_never_negative() {
        let world = World::compile(&rod_and_post()).unwrap();
        let margin_in = |policy: Policy| policy.margin_in(&world);
        assert_eq!(margin_in(Policy::default()), 0.01);
        for (given, counts) in [(0.2, 0.2), (0.0, 0.0), (-1.0, 0.0), (f64::NEG_INFINITY, 0.0)] {
            assert_eq!(margin_in(Policy::default().margin(given)), counts, "{given}");
        }
        assert!(margin_in(Policy::default().margin(f64::NAN)).is_nan());
    }
}
