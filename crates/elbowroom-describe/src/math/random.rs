//! Random numbers that are the same everywhere.

use super::vec3::{Vec3, vec3};

/// A generator of random numbers: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014). A seed gives the same numbers on every machine, so that it names a case for good. It
/// is no source of secrets.
///
/// ```
/// use elbowroom_describe::math::Random;
///
/// let (mut a, mut b) = (Random(7), Random(7));
/// let x = a.range(-1.0, 1.0);
/// assert!((-1.0..1.0).contains(&x));
/// assert_eq!(x, b.range(-1.0, 1.0));
/// ```
#[derive(Clone, Debug)]
pub struct Random(
    /// The state; at first the seed.
    pub u64,
);

impl Random {
    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.skip_numbers(1);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Skips numbers, at a cost that does not depend on how many.
    pub fn skip_numbers(&mut self, numbers: u64) {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(numbers));
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of SplitMix64 of seed 1234567, as the author's C program prints them.
    #[test]
    fn a_seed_names_its_numbers() {
        let mut random = Random(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(expected.map(|_| random.bits()), expected);
    }

    #[test]
    fn numbers_lie_where_they_are_asked_for() {
        let mut random = Random(1);
        let mut octants = [0; 8];
        for _ in 0..8_000 {
            assert!((0.0..1.0).contains(&random.unit()));
            assert!((-3.0..5.0).contains(&random.range(-3.0, 5.0)));
            let d = random.direction();
            assert!((d.norm() - 1.0).abs() < 1e-15);
            octants[(d.x > 0.0) as usize + 2 * (d.y > 0.0) as usize + 4 * (d.z > 0.0) as usize] += 1;
        }
        assert!(octants.iter().all(|n| (850..1_150).contains(n)), "{octants:?}");
    }
}
