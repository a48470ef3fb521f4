//! Vectors and points.

use super::scalar::sqrt;
use core::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub, SubAssign};

/// A vector or point, metres unless said otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[repr(C)]
pub struct Vec3 {
    /// First coordinate.
    pub x: f64,
    /// Second coordinate.
    pub y: f64,
    /// Third coordinate.
    pub z: f64,
}

/// Short constructor of [`Vec3`].
#[inline(always)]
pub const fn vec3(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3 { x, y, z }
}

impl Vec3 {
    /// The origin.
    pub const ZERO: Vec3 = vec3(0.0, 0.0, 0.0);
    /// Unit vector along x.
    pub const X: Vec3 = vec3(1.0, 0.0, 0.0);
    /// Unit vector along y.
    pub const Y: Vec3 = vec3(0.0, 1.0, 0.0);
    /// Unit vector along z.
    pub const Z: Vec3 = vec3(0.0, 0.0, 1.0);

    /// Scalar product, summed in the order x, y, z.
    #[inline(always)]
    pub fn dot(self, b: Vec3) -> f64 {
        self.x * b.x + self.y * b.y + self.z * b.z
    }
    /// Vector product.
    #[inline(always)]
    pub fn cross(self, b: Vec3) -> Vec3 {
        vec3(self.y * b.z - self.z * b.y, self.z * b.x - self.x * b.z, self.x * b.y - self.y * b.x)
    }
    /// Squared Euclidean length.
    #[inline(always)]
    pub fn norm_squared(self) -> f64 {
        self.dot(self)
    }
    /// Euclidean length; may over- or underflow beyond about 1e±150.
    #[inline(always)]
    pub fn norm(self) -> f64 {
        sqrt(self.norm_squared())
    }
    /// The unit vector along `self`, or `None` where the length is zero or not finite.
    #[inline]
    pub fn normalized(self) -> Option<Vec3> {
        let n = self.norm();
        if n > 0.0 && n.is_finite() { Some(self * (1.0 / n)) } else { None }
    }
    /// Largest absolute coordinate.
    #[inline(always)]
    pub fn max_abs(self) -> f64 {
        self.x.abs().max(self.y.abs()).max(self.z.abs())
    }
    /// Absolute value of each coordinate.
    #[inline(always)]
    pub fn abs(self) -> Vec3 {
        vec3(self.x.abs(), self.y.abs(), self.z.abs())
    }
    /// Smaller of each coordinate.
    #[inline(always)]
    pub fn min(self, b: Vec3) -> Vec3 {
        vec3(self.x.min(b.x), self.y.min(b.y), self.z.min(b.z))
    }
    /// Larger of each coordinate.
    #[inline(always)]
    pub fn max(self, b: Vec3) -> Vec3 {
        vec3(self.x.max(b.x), self.y.max(b.y), self.z.max(b.z))
    }
    /// Product coordinate by coordinate.
    #[inline(always)]
    pub fn scaled(self, s: Vec3) -> Vec3 {
        vec3(self.x * s.x, self.y * s.y, self.z * s.z)
    }
    /// True if all coordinates are finite.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }
    /// Some unit vector perpendicular to `self`; `X` for the zero vector.
    pub fn any_perpendicular(self) -> Vec3 {
        let a = self.abs();
        let axis = if a.x <= a.y && a.x <= a.z {
            Vec3::X
        } else if a.y <= a.z {
            Vec3::Y
        } else {
            Vec3::Z
        };
        self.cross(axis).normalized().unwrap_or(Vec3::X)
    }
    /// The coordinates as an array.
    #[inline]
    pub fn to_array(self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }
}

impl From<[f64; 3]> for Vec3 {
    fn from(a: [f64; 3]) -> Vec3 {
        vec3(a[0], a[1], a[2])
    }
}
impl Add for Vec3 {
    type Output = Vec3;
    #[inline(always)]
    fn add(self, b: Vec3) -> Vec3 {
        vec3(self.x + b.x, self.y + b.y, self.z + b.z)
    }
}
impl Sub for Vec3 {
    type Output = Vec3;
    #[inline(always)]
    fn sub(self, b: Vec3) -> Vec3 {
        vec3(self.x - b.x, self.y - b.y, self.z - b.z)
    }
}
impl Mul<f64> for Vec3 {
    type Output = Vec3;
    #[inline(always)]
    fn mul(self, s: f64) -> Vec3 {
        vec3(self.x * s, self.y * s, self.z * s)
    }
}
impl Neg for Vec3 {
    type Output = Vec3;
    #[inline(always)]
    fn neg(self) -> Vec3 {
        vec3(-self.x, -self.y, -self.z)
    }
}
impl AddAssign for Vec3 {
    #[inline(always)]
    fn add_assign(&mut self, b: Vec3) {
        *self = *self + b;
    }
}
impl SubAssign for Vec3 {
    #[inline(always)]
    fn sub_assign(&mut self, b: Vec3) {
        *self = *self - b;
    }
}
impl Index<usize> for Vec3 {
    type Output = f64;
    #[inline(always)]
    fn index(&self, i: usize) -> &f64 {
        match i {
            0 => &self.x,
            1 => &self.y,
            _ => &self.z,
        }
    }
}
impl IndexMut<usize> for Vec3 {
    #[inline(always)]
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        match i {
            0 => &mut self.x,
            1 => &mut self.y,
            _ => &mut self.z,
        }
    }
}
