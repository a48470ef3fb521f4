//! Random sizes, directions and poses: a seed names a case for good.
// No test draws everything.
#![allow(dead_code)]

use elbowroom::math::{Mat3, Random, Transform, Vec3, sin_cos, sqrt, vec3};

/// Random numbers, shapes' sizes and poses.
#[derive(Debug)]
pub struct Rng(Random);

impl Rng {
    /// Seeds far apart and near are alike.
    pub fn new(seed: u64) -> Rng {
        let mut random = Random(seed ^ 0x6c62_272e_07bb_0142);
        random.bits();
        Rng(random)
    }
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }
    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0.unit()
    }
    pub fn range(&mut self, lo: f64, hi: f64) -> f64 {
        self.0.range(lo, hi)
    }
    /// `10^x` with x uniform; by repeated square roots and products, the same bits everywhere.
    pub fn decades(&mut self, lo: f64, hi: f64) -> f64 {
        libm_exp10(self.range(lo, hi))
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.below(i + 1);
            items.swap(i, j);
        }
    }
    /// Uniform in a cube about the origin of half extent `r`.
    pub fn point(&mut self, r: f64) -> Vec3 {
        vec3(self.range(-r, r), self.range(-r, r), self.range(-r, r))
    }
    /// Uniform on the sphere.
    pub fn direction(&mut self) -> Vec3 {
        let z = self.range(-1.0, 1.0);
        let (s, c) = sin_cos(self.range(0.0, core::f64::consts::TAU));
        let r = sqrt((1.0 - z * z).max(0.0));
        vec3(r * c, r * s, z).normalized().unwrap()
    }
    /// Uniform over rotations, `w, x, y, z`.
    pub fn quaternion(&mut self) -> [f64; 4] {
        let u = self.unit();
        let ((s1, c1), (s2, c2)) = (
            sin_cos(self.range(0.0, core::f64::consts::TAU)),
            sin_cos(self.range(0.0, core::f64::consts::TAU)),
        );
        let (p, q) = (sqrt(1.0 - u), sqrt(u));
        [p * s1, p * c1, q * s2, q * c2]
    }
    /// Turned anyhow, and moved to a point of a cube of half extent `r`.
    pub fn pose(&mut self, r: f64) -> Transform {
        Transform::new(Mat3::from_quat_wxyz(self.quaternion()).unwrap(), self.point(r))
    }
    /// Where one of two bodies of a size may be: only moved, turned by quarters on a grid (the two are then
    /// parallel, coplanar or coincident), or posed anyhow within `far`.
    pub fn place(&mut self, size: f64, far: f64) -> Transform {
        match self.below(4) {
            0 => Transform::from_translation(self.point(far)),
            1 => {
                let quarter =
                    [[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [0.5, 0.5, 0.5, 0.5], [0.0, 0.0, 1.0, 0.0]];
                let at = [0; 3].map(|_| (self.below(9) as f64 - 4.0) * 0.25 * size);
                Transform::new(Mat3::from_quat_wxyz(self.pick(&quarter)).unwrap(), at.into())
            }
            _ => self.pose(far),
        }
    }
    /// A side of a body of a size: a hundredth of it to all of it, and at times next to nothing.
    pub fn side(&mut self, size: f64) -> f64 {
        if self.chance(0.1) { 1e-9 * size } else { size * self.decades(-2.0, 0.0) }
    }
}

fn libm_exp10(x: f64) -> f64 {
    // The next whole number down; the standard library's `floor` is not at hand everywhere.
    let cut = x as i32 as f64;
    let whole = if cut > x { cut - 1.0 } else { cut };
    let mut r = 1.0_f64;
    for _ in 0..whole.abs() as u32 {
        r = if whole < 0.0 { r / 10.0 } else { r * 10.0 };
    }
    let (mut rest, mut factor) = (x - whole, 10.0_f64);
    for _ in 0..40 {
        rest *= 2.0;
        factor = sqrt(factor);
        if rest >= 1.0 {
            rest -= 1.0;
            r *= factor;
        }
    }
    r
}
