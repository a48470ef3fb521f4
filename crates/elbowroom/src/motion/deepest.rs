//! The climb to a point that lies deep in two bodies at once.

use crate::motion::tolerance::{DEEPEST_HALVINGS, DEEPEST_LOOKS};
use elbowroom_describe::math::Vec3;

/// A point where `depth` is larger than at `start`, or `start`. From the best point so far a step goes along
/// each axis, either way; where none leads up, steps are halved (compass search: Kolda, Lewis and Torczon
/// 2003). The depth in two bodies has kinks, where gradients would fail. It stops after so many halvings, or
/// looks.
pub(super) fn climb_to_deepest(start: Vec3, mut step: f64, mut depth: impl FnMut(Vec3) -> f64) -> Vec3 {
    let (mut best, mut at) = (depth(start), start);
    let (mut looks, mut halvings, mut axis) = (0, 0, 0);
    // How many directions were tried since the last step that led up.
    let mut idle = 0;
    while looks < DEEPEST_LOOKS && halvings < DEEPEST_HALVINGS {
        let mut to = at;
        to[axis / 2] += if axis % 2 == 0 { step } else { -step };
        looks += 1;
        let found = depth(to);
        if found > best {
            // This direction is tried once more.
            (best, at, idle) = (found, to, 0);
            continue;
        }
        (axis, idle) = ((axis + 1) % 6, idle + 1);
        if idle == 6 {
            (step, halvings, idle) = (0.5 * step, halvings + 1, 0);
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom_describe::math::vec3;

    #[test]
    fn the_climb_ends_near_the_deepest_point_and_within_its_looks() {
        // Two balls whose deepest common point is halfway between their surfaces.
        let mut looks = 0;
        let deep = |p: Vec3| (1.0 - p.norm()).min(0.5 - (p - vec3(1.2, 0.0, 0.0)).norm());
        let p = climb_to_deepest(vec3(0.9, 0.2, -0.1), 0.2, |p| {
            looks += 1;
            deep(p)
        });
        assert!(deep(p) > 0.14 && deep(p) <= 0.15 + 1e-12, "{p:?} {}", deep(p));
        assert!(looks <= DEEPEST_LOOKS + 1 && looks > 12, "{looks}");
        let nowhere = climb_to_deepest(Vec3::ZERO, 1.0, |_| f64::NAN);
        assert_eq!(nowhere, Vec3::ZERO);
    }
}
