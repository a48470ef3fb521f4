//! Numbers and vectors of f64 to f32.

use elbowroom::math::{Transform, Vec3};

/// The smallest f32 that is not below.
pub fn round_up(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) < x { near.next_up() } else { near }
}

/// The largest f32 that is not above.
pub fn round_down(x: f64) -> f32 {
    -round_up(-x)
}

/// Each coordinate to nearest.
pub fn round_vector(v: Vec3) -> [f32; 3] {
    v.to_array().map(|x| x as f32)
}

/// The columns of a rotation, each stretched.
pub fn round_axes(at: &Transform, stretch: Vec3) -> [[f32; 3]; 3] {
    let [x, y, z] = at.rotation.cols;
    [x * stretch.x, y * stretch.y, z * stretch.z].map(round_vector)
}

#[cfg(test)]
mod tests {
    use super::{round_down, round_up};

    #[test]
    fn numbers_are_rounded_to_their_side() {
        for x in [0.1, -0.1, 1.0 / 3.0, 1.234567891, 0.0, 1e-50, -1e-50, 0.5] {
            assert!(f64::from(round_up(x)) >= x && f64::from(round_down(x)) <= x, "{x}");
            assert!(f64::from(round_up(x)) - f64::from(round_down(x)) <= 1e-6 * f64::abs(x) + 1e-40);
        }
    }
}
