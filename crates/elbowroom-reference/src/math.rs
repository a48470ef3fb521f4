//! Vectors, rotations and rigid transforms in f64: what the slow methods use of them, and no more.
//!
//! Every operation is a fixed sequence of additions, multiplications, divisions and square roots, so the same
//! input gives the same bits on every target.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A vector or point, metres unless said otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec3 {
    /// First coordinate.
    pub x: f64,
    /// Second coordinate.
    pub y: f64,
    /// Third coordinate.
    pub z: f64,
}

/// Short constructor of [`Vec3`].
#[inline]
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
    #[inline]
    pub fn dot(self, b: Vec3) -> f64 {
        self.x * b.x + self.y * b.y + self.z * b.z
    }
    /// Vector product.
    #[inline]
    pub fn cross(self, b: Vec3) -> Vec3 {
        vec3(self.y * b.z - self.z * b.y, self.z * b.x - self.x * b.z, self.x * b.y - self.y * b.x)
    }
    /// Euclidean length; may over- or underflow beyond about 1e±150.
    #[inline]
    pub fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }
    /// The unit vector along `self`, or `None` where the length is zero or not finite.
    #[inline]
    pub fn normalized(self) -> Option<Vec3> {
        let n = self.norm();
        if n > 0.0 && n.is_finite() { Some(self * (1.0 / n)) } else { None }
    }
    /// Largest absolute coordinate.
    #[inline]
    pub fn max_abs(self) -> f64 {
        self.x.abs().max(self.y.abs()).max(self.z.abs())
    }
    /// Product coordinate by coordinate.
    #[inline]
    pub fn scale_by(self, s: Vec3) -> Vec3 {
        vec3(self.x * s.x, self.y * s.y, self.z * s.z)
    }
    /// True if all coordinates are finite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }
    /// Some unit vector perpendicular to `self`; `X` for the zero vector.
    pub fn any_perpendicular(self) -> Vec3 {
        let [x, y, z] = self.to_array().map(f64::abs);
        let axis = if x <= y && x <= z {
            Vec3::X
        } else if y <= z {
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
    #[inline]
    fn add(self, b: Vec3) -> Vec3 {
        vec3(self.x + b.x, self.y + b.y, self.z + b.z)
    }
}
impl Sub for Vec3 {
    type Output = Vec3;
    #[inline]
    fn sub(self, b: Vec3) -> Vec3 {
        vec3(self.x - b.x, self.y - b.y, self.z - b.z)
    }
}
impl Mul<f64> for Vec3 {
    type Output = Vec3;
    #[inline]
    fn mul(self, s: f64) -> Vec3 {
        vec3(self.x * s, self.y * s, self.z * s)
    }
}
impl Neg for Vec3 {
    type Output = Vec3;
    #[inline]
    fn neg(self) -> Vec3 {
        vec3(-self.x, -self.y, -self.z)
    }
}
impl AddAssign for Vec3 {
    #[inline]
    fn add_assign(&mut self, b: Vec3) {
        *self = *self + b;
    }
}
impl SubAssign for Vec3 {
    #[inline]
    fn sub_assign(&mut self, b: Vec3) {
        *self = *self - b;
    }
}

/// A 3 by 3 matrix, by columns. As a rotation it maps coordinates of the inner frame to the outer frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mat3 {
    /// The three columns: images of x, y, z.
    pub cols: [Vec3; 3],
}

impl Mat3 {
    /// The identity.
    pub const IDENTITY: Mat3 = Mat3 { cols: [Vec3::X, Vec3::Y, Vec3::Z] };

    /// The transposed matrix; for a rotation, its inverse.
    pub fn transpose(&self) -> Mat3 {
        let [a, b, c] = self.cols;
        Mat3 { cols: [vec3(a.x, b.x, c.x), vec3(a.y, b.y, c.y), vec3(a.z, b.z, c.z)] }
    }
    /// `transpose(self) * v`.
    #[inline]
    pub fn transpose_mul(&self, v: Vec3) -> Vec3 {
        vec3(self.cols[0].dot(v), self.cols[1].dot(v), self.cols[2].dot(v))
    }
}

impl Mul<Vec3> for Mat3 {
    type Output = Vec3;
    #[inline]
    fn mul(self, v: Vec3) -> Vec3 {
        self.cols[0] * v.x + self.cols[1] * v.y + self.cols[2] * v.z
    }
}

/// A rigid transform: `b_in_a` maps coordinates in frame B to coordinates in frame A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Rotation part, orthonormal to rounding.
    pub rotation: Mat3,
    /// Origin of the inner frame in the outer one, metres.
    pub translation: Vec3,
}

impl Transform {
    /// No motion.
    pub const IDENTITY: Transform = Transform { rotation: Mat3::IDENTITY, translation: Vec3::ZERO };

    /// Image of a point.
    #[inline]
    pub fn transform_point(&self, p: Vec3) -> Vec3 {
        self.rotation * p + self.translation
    }
    /// Image of a direction.
    #[inline]
    pub fn transform_direction(&self, d: Vec3) -> Vec3 {
        self.rotation * d
    }
    /// The inverse transform.
    pub fn inverse(&self) -> Transform {
        let rotation = self.rotation.transpose();
        Transform { rotation, translation: -(rotation * self.translation) }
    }
}

/// Sine and cosine of an angle in radians, the same bits on every target, error below one ulp.
pub fn sin_cos(x: f64) -> (f64, f64) {
    libm::sincos(x)
}
