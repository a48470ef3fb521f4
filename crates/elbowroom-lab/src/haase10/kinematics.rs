//! Where the links of the fingers are: seven angles to six frames.
//!
//! `phi_0` turns finger 1 about z and finger 3 against it; `phi_1`, `phi_3` and `phi_5` bend the proximal
//! joints of fingers 1, 2 and 3, `phi_2`, `phi_4` and `phi_6` the distal ones. Every axis that bends is
//! perpendicular to z at all poses: the joints stay horizontal (section III-A).

use super::dimensions::{FINGER_PLACES, JOINT_OVER_PIVOT, LIMB_LENGTH, PIVOT_HEIGHT};
use elbowroom::math::{Mat3, Transform, sin_cos, vec3};

/// A pose: `phi_0` to `phi_6` (radians).
pub type HandPose = [f64; 7];

/// The frames of limb and tip of fingers 1, 2 and 3 in the palm's frame.
pub type FingerFrames = [[Transform; 2]; 3];

/// The frames at a pose (radians).
#[inline]
pub fn place_fingers(phi: &HandPose) -> FingerFrames {
    let (sin, cos) = sin_cos(phi[0]);
    // Fingers 1 and 3 face finger 2 at zero: they are turned by half a turn more. Written out: arrays from
    // closures are copied.
    [
        place_finger(FINGER_PLACES[0], [-cos, -sin], [phi[1], phi[2]]),
        place_finger(FINGER_PLACES[1], [1.0, 0.0], [phi[3], phi[4]]),
        place_finger(FINGER_PLACES[2], [-cos, sin], [phi[5], phi[6]]),
    ]
}

/// The frames of a finger that stands at a place and faces a direction, both in the palm's plane, by its two
/// angles.
#[inline(always)]
fn place_finger([x, y]: [f64; 2], front: [f64; 2], [proximal, distal]: [f64; 2]) -> [Transform; 2] {
    let base = vec3(x, y, PIVOT_HEIGHT + JOINT_OVER_PIVOT);
    let limb = bend_link(front, proximal);
    let tip = bend_link(front, proximal + distal);
    [Transform::new(limb, base), Transform::new(tip, base + limb.cols[2] * LIMB_LENGTH)]
}

/// The rotation of a link that is bent towards its front.
#[inline(always)]
fn bend_link([x, y]: [f64; 2], angle: f64) -> Mat3 {
    let (sin, cos) = sin_cos(angle);
    Mat3 { cols: [vec3(x * cos, y * cos, -sin), vec3(-y, x, 0.0), vec3(x * sin, y * sin, cos)] }
}
