//! Where the links of the fingers are: seven angles to six frames.
//!
//! `phi_0` turns finger 1 about z and finger 3 against it; `phi_1`, `phi_3` and `phi_5` bend the proximal
//! joints of fingers 1, 2 and 3, `phi_2`, `phi_4` and `phi_6` the distal ones. Every axis that bends is
//! perpendicular to z at all poses: the joints stay horizontal (section III-A).

use super::dimensions::{FINGER_PLACES, JOINT_OVER_PIVOT, LIMB_LENGTH, PIVOT_HEIGHT};
use elbowroom::math::{Mat3, Transform, Vec3, sin_cos, vec3};

/// A pose: `phi_0` to `phi_6` (radians).
pub type HandPose = [f64; 7];

/// The frames of limb and tip of fingers 1, 2 and 3 in the palm's frame.
pub type FingerFrames = [[Transform; 2]; 3];

/// The frames at a pose (radians).
#[inline]
pub fn place_fingers(phi: &HandPose) -> FingerFrames {
    let (sin, cos) = sin_cos(phi[0]);
    // Fingers 1 and 3 face finger 2 at zero: they are turned by half a turn more.
    let facing = [[-cos, -sin], [1.0, 0.0], [-cos, sin]];
    std::array::from_fn(|i| {
        let [x, y] = FINGER_PLACES[i];
        let base = vec3(x, y, PIVOT_HEIGHT + JOINT_OVER_PIVOT);
        let [front_x, front_y] = facing[i];
        let side = vec3(-front_y, front_x, 0.0);
        let bent = |angle: f64| {
            let (sin, cos) = sin_cos(angle);
            Mat3 {
                cols: [
                    vec3(front_x * cos, front_y * cos, -sin),
                    side,
                    vec3(front_x * sin, front_y * sin, cos),
                ],
            }
        };
        let limb = Transform::new(bent(phi[2 * i + 1]), base);
        let distal = limb.point(Vec3::Z * LIMB_LENGTH);
        [limb, Transform::new(bent(phi[2 * i + 1] + phi[2 * i + 2]), distal)]
    })
}
