//! Finger 2 against the palm (haase10, section III-D): a line in the plane of two angles.
//!
//! Where joint 0 opens the space between fingers 1 and 3, finger 2 can bend down to the palm. Whether it
//! touches depends on `phi_3` and `phi_4` alone. The paper sampled the distance over both and drew a line:
//! collision where `phi_3 > 74` and `phi_4 > -1.6 phi_3 + 209` (5), in degrees. It is made for the machine's
//! own shapes. For other shapes it may be wrong on either side, and no clearance `s` moves it. How far it
//! errs in a proved field, and which line errs least, [`Field::count_line_errors`] and [`Field::fit_line`]
//! tell.
//!
//! [`Field::count_line_errors`]: elbowroom::motion::Field::count_line_errors
//! [`Field::fit_line`]: elbowroom::motion::Field::fit_line

use elbowroom::motion::{FieldLine, LineAxis};

/// Equation (5), in degrees of `phi_3` and `phi_4`.
pub const PRINTED_LINE: FieldLine = FieldLine { slope: -1.6, offset: 209.0, from: 74.0, above: [true, true] };

const DEGREE: f64 = std::f64::consts::PI / 180.0;

/// `phi_3` and `phi_4` in degrees, in the field of finger 2 and the palm.
pub const LINE_AXES: [LineAxis; 2] =
    [LineAxis { place: 0, unit: DEGREE }, LineAxis { place: 1, unit: DEGREE }];

/// Equation (5): whether the paper says that finger 2 meets the palm (degrees).
pub fn says_base_collides(phi_3: f64, phi_4: f64) -> bool {
    PRINTED_LINE.says_collision([phi_3, phi_4])
}
