//! The hand in numbers (metres, degrees): what the paper says, what is public, and what is ours.
//!
//! A finger's frame lies in its proximal joint: z along the finger, x to its front, y along the joint's axis.
//! The tip's frame lies in the distal joint, and is parallel to the limb's at zero.

/// From the proximal to the distal joint. The paper has the sum (section IV-A, `l_max` = 155 mm); the maker
/// has the parts.
pub const LIMB_LENGTH: f64 = 0.0865;
/// From the distal joint to the end of the tip.
pub const TIP_LENGTH: f64 = 0.0685;
/// Where the proximal joints stand over the palm's frame: the pivot's plane and 16.5 mm (public).
pub const PIVOT_HEIGHT: f64 = 0.0745;
/// See [`PIVOT_HEIGHT`].
pub const JOINT_OVER_PIVOT: f64 = 0.0165;
/// Fingers 1, 2 and 3 in the palm's plane (public): corners of a triangle with edges of 66 mm.
pub const FINGER_PLACES: [[f64; 2]; 3] = [[0.01905, 0.033], [-0.03811, 0.0], [0.01905, -0.033]];
/// Limits of joint 0, the pivot, and of the six others (degrees; section I-A).
pub const PIVOT_LIMITS: [f64; 2] = [0.0, 90.0];
/// See [`PIVOT_LIMITS`].
pub const BEND_LIMITS: [f64; 2] = [-90.0, 90.0];
/// Greatest speed of a joint (degrees per second; section IV-A).
pub const JOINT_SPEED: f64 = 100.0;

/// Radius of all joints. The paper says that they have one diameter (section III-A); the number is ours.
pub const JOINT_RADIUS: f64 = 0.014;
/// Length of all joints along their axes. Ours.
pub const JOINT_LENGTH: f64 = 0.0278;
/// The tip's outer radius: `R + s` of equations (2) and (4), from which all of Table I follows. Our reading.
pub const TIP_RADIUS: f64 = 0.0296;
/// Facets of the arc in the tip's mesh: it lies within the arc, 2.3 um at most.
pub const TIP_FACETS: u32 = 64;

/// A box by its least and its most corner.
pub type Corners = [[f64; 3]; 2];

/// The limb's boxes, in the limb's frame: neck, body with its pad, neck. Ours.
pub const LIMB_BOXES: [Corners; 3] = [
    [[-0.012, -0.011, 0.006], [0.012, 0.011, 0.020]],
    [[-0.012, -0.012, 0.020], [0.015, 0.012, 0.0665]],
    [[-0.012, -0.011, 0.0665], [0.012, 0.011, 0.0805]],
];
/// Where the middle of the tip's arc lies in the tip's frame: at the back, so that the pad curves to the
/// back up to the end.
pub const ARC_MIDDLE: [f64; 3] = [-0.5 * TIP_RADIUS, 0.0, TIP_LENGTH - TIP_RADIUS];
/// Half the tip's width. As wide as a joint.
pub const TIP_HALF_WIDTH: f64 = 0.5 * JOINT_LENGTH;
/// The tip's shaft, in the tip's frame: from the joint to the arc. Ours.
pub const SHAFT_BOX: Corners =
    [[ARC_MIDDLE[0], -TIP_HALF_WIDTH, 0.008], [ARC_MIDDLE[0] + TIP_RADIUS, TIP_HALF_WIDTH, ARC_MIDDLE[2]]];
/// The palm, in its frame: a long box and a wide one. Ours, of the outer size of the machine.
pub const PALM_BOXES: [Corners; 2] =
    [[[-0.067, -0.042, -0.003], [0.047, 0.042, 0.0743]], [[-0.057, -0.061, -0.003], [0.037, 0.061, 0.0743]]];
/// A knuckle: an upright cylinder from the palm to the proximal joint. Ours.
pub const KNUCKLE_RADIUS: f64 = 0.012;
