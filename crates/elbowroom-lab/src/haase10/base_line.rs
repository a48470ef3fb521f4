//! Finger 2 against the palm (haase10, section III-D): a line in the plane of two angles.
//!
//! Where joint 0 opens the space between fingers 1 and 3, finger 2 can bend down to the palm. Whether it
//! touches depends on `phi_3` and `phi_4` alone. The paper sampled the distance over both and drew a line:
//! collision where `phi_3 > 74` and `phi_4 > -1.6 phi_3 + 209` (5), in degrees. It is made for the machine's
//! own shapes. For other shapes it may be wrong on either side, and no clearance `s` moves it.

/// Equation (5): whether the paper says that finger 2 meets the palm (degrees).
pub fn says_base_collides(phi_3: f64, phi_4: f64) -> bool {
    phi_3 > 74.0 && phi_4 > -1.6 * phi_3 + 209.0
}
