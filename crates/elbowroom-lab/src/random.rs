//! Random numbers that are the same everywhere: Steele, Lea and Flood's SplitMix64.

use elbowroom::math::{Vec3, vec3};

/// The state is the seed.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in [lower, upper).
    pub fn range(&mut self, lower: f64, upper: f64) -> f64 {
        lower + (upper - lower) * self.unit()
    }

    /// Uniform on the unit sphere: points of the cube until one lies in the ball.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let p = vec3(self.range(-1.0, 1.0), self.range(-1.0, 1.0), self.range(-1.0, 1.0));
            if let (0.01..=1.0, Some(d)) = (p.norm_squared(), p.normalized()) {
                return d;
            }
        }
    }
}
