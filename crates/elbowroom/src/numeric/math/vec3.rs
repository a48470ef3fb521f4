//! Vectors, rotations and rigid transforms in f64.
//!
//! Plain structs with public fields. Every operation is a fixed sequence of additions, multiplications,
//! divisions and square roots (no fused operations, no platform `libm`), so the same input gives the same
//! bits in debug and release and on every target.

use core::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub, SubAssign};

/// A vector or point, metres unless said otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Vec3 {
    /// First coordinate.
    pub x: f64,
    /// Second coordinate.
    pub y: f64,
    /// Third coordinate.
    pub z: f64,
}

/// The largest f32 not above `x`, and the smallest not below; NaN stays NaN.
#[inline(always)]
pub(crate) fn round_down(x: f64) -> f32 {
    let r = x as f32;
    if f64::from(r) > x { r.next_down() } else { r }
}
#[inline(always)]
pub(crate) fn round_up(x: f64) -> f32 {
    let r = x as f32;
    if f64::from(r) < x { r.next_up() } else { r }
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

/// A 3 by 3 matrix, by columns. As a rotation it maps coordinates of the inner frame to the outer frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Mat3 {
    /// The three columns: images of x, y, z.
    pub cols: [Vec3; 3],
}

impl Mat3 {
    /// The identity.
    pub const IDENTITY: Mat3 = Mat3 { cols: [Vec3::X, Vec3::Y, Vec3::Z] };

    /// From rows, as matrices are usually written.
    pub const fn from_rows(r: [[f64; 3]; 3]) -> Mat3 {
        Mat3 {
            cols: [
                vec3(r[0][0], r[1][0], r[2][0]),
                vec3(r[0][1], r[1][1], r[2][1]),
                vec3(r[0][2], r[1][2], r[2][2]),
            ],
        }
    }
    /// The transposed matrix; for a rotation, its inverse.
    #[inline(always)]
    pub fn transpose(&self) -> Mat3 {
        let [a, b, c] = self.cols;
        Mat3 { cols: [vec3(a.x, b.x, c.x), vec3(a.y, b.y, c.y), vec3(a.z, b.z, c.z)] }
    }
    /// `transpose(self) * v`.
    #[inline(always)]
    pub fn transpose_mul(&self, v: Vec3) -> Vec3 {
        vec3(self.cols[0].dot(v), self.cols[1].dot(v), self.cols[2].dot(v))
    }
    /// Determinant.
    pub fn determinant(&self) -> f64 {
        self.cols[0].dot(self.cols[1].cross(self.cols[2]))
    }
    /// Rotation by `angle` (radians) about the unit vector `axis` (Rodrigues).
    pub fn from_axis_angle(axis: Vec3, angle: f64) -> Mat3 {
        Mat3::from_axis_sines(axis, sin_cos(angle))
    }
    /// The same from the angle's sine and cosine.
    #[inline(always)]
    pub(crate) fn from_axis_sines(axis: Vec3, (s, c): (f64, f64)) -> Mat3 {
        let (k, t) = (axis, 1.0 - c);
        Mat3 {
            cols: [
                vec3(k.x * k.x * t + c, k.y * k.x * t + k.z * s, k.z * k.x * t - k.y * s),
                vec3(k.x * k.y * t - k.z * s, k.y * k.y * t + c, k.z * k.y * t + k.x * s),
                vec3(k.x * k.z * t + k.y * s, k.y * k.z * t - k.x * s, k.z * k.z * t + c),
            ],
        }
    }
    /// URDF's fixed-axis roll, pitch, yaw (radians): `Rz(yaw) * Ry(pitch) * Rx(roll)`.
    pub fn from_rpy(roll: f64, pitch: f64, yaw: f64) -> Mat3 {
        let ((sr, cr), (sp, cp), (sy, cy)) = (sin_cos(roll), sin_cos(pitch), sin_cos(yaw));
        Mat3::from_rows([
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ])
    }
    /// From a quaternion `[w, x, y, z]`, which is normalized first; `None` if it is zero or not finite.
    pub fn from_quat_wxyz(q: [f64; 4]) -> Option<Mat3> {
        let m = q.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        if !(m > 0.0 && q.iter().all(|v| v.is_finite())) {
            return None;
        }
        let [w, x, y, z] = q.map(|v| v / m);
        let s = 2.0 / (w * w + x * x + y * y + z * z);
        Some(Mat3::from_rows([
            [1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
            [s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)],
            [s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)],
        ]))
    }
}

impl Mul<Vec3> for Mat3 {
    type Output = Vec3;
    #[inline(always)]
    fn mul(self, v: Vec3) -> Vec3 {
        self.cols[0] * v.x + self.cols[1] * v.y + self.cols[2] * v.z
    }
}
impl Mul for Mat3 {
    type Output = Mat3;
    #[inline(always)]
    fn mul(self, b: Mat3) -> Mat3 {
        Mat3 { cols: [self * b.cols[0], self * b.cols[1], self * b.cols[2]] }
    }
}

/// A rigid transform: `b_in_a` maps coordinates in frame B to coordinates in frame A.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Transform {
    /// Rotation part, orthonormal to rounding.
    pub rotation: Mat3,
    /// Origin of the inner frame in the outer one, metres.
    pub translation: Vec3,
}

impl Transform {
    /// No motion.
    pub const IDENTITY: Transform = Transform { rotation: Mat3::IDENTITY, translation: Vec3::ZERO };

    /// From its two parts.
    #[inline]
    pub const fn new(rotation: Mat3, translation: Vec3) -> Transform {
        Transform { rotation, translation }
    }
    /// A pure translation.
    #[inline]
    pub const fn from_translation(translation: Vec3) -> Transform {
        Transform { rotation: Mat3::IDENTITY, translation }
    }
    /// URDF's `<origin xyz rpy>` (metres, radians).
    pub fn from_xyz_rpy(xyz: [f64; 3], rpy: [f64; 3]) -> Transform {
        Transform::new(Mat3::from_rpy(rpy[0], rpy[1], rpy[2]), xyz.into())
    }
    /// Image of a point.
    #[inline(always)]
    pub fn point(&self, p: Vec3) -> Vec3 {
        self.rotation * p + self.translation
    }
    /// Image of a direction.
    #[inline(always)]
    pub fn direction(&self, d: Vec3) -> Vec3 {
        self.rotation * d
    }
    /// The inverse transform.
    #[inline]
    pub fn inverse(&self) -> Transform {
        let rotation = self.rotation.transpose();
        Transform { rotation, translation: -(rotation * self.translation) }
    }
    /// `self⁻¹ * other`: with `self = a_in_w` and `other = b_in_w`, this is `b_in_a`. The difference of the
    /// translations is taken first, so a far-off common origin costs only the rounding of the inputs.
    #[inline(always)]
    pub fn relative(&self, other: &Transform) -> Transform {
        let r = &self.rotation;
        Transform {
            rotation: Mat3 {
                cols: [
                    r.transpose_mul(other.rotation.cols[0]),
                    r.transpose_mul(other.rotation.cols[1]),
                    r.transpose_mul(other.rotation.cols[2]),
                ],
            },
            translation: r.transpose_mul(other.translation - self.translation),
        }
    }
    /// True if every number is finite.
    pub fn is_finite(&self) -> bool {
        // Zero times anything else is not zero. All at once: this is asked in every query.
        let [p, q, r] = self.rotation.cols.map(|c| c * 0.0);
        let sum = p + q + (r + self.translation * 0.0);
        sum.x + sum.y + sum.z == 0.0
    }
}

impl Mul for Transform {
    type Output = Transform;
    #[inline(always)]
    fn mul(self, b: Transform) -> Transform {
        Transform { rotation: self.rotation * b.rotation, translation: self.point(b.translation) }
    }
}

/// Correctly rounded square root.
#[inline(always)]
pub fn sqrt(x: f64) -> f64 {
    #[cfg(feature = "std")]
    {
        x.sqrt()
    }
    #[cfg(not(feature = "std"))]
    {
        libm::sqrt(x)
    }
}

/// Sine and cosine of an angle in radians, the same bits on every target, error below one ulp.
#[inline]
pub fn sin_cos(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

/// Correctly rounded square root in f32.
#[inline(always)]
pub(crate) fn sqrt_f32(x: f32) -> f32 {
    #[cfg(feature = "std")]
    {
        x.sqrt()
    }
    #[cfg(not(feature = "std"))]
    {
        libm::sqrtf(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_is_inverse_times_other() {
        let a = Transform::from_xyz_rpy([1.0, 2.0, 3.0], [0.3, -0.4, 2.0]);
        let b = Transform::from_xyz_rpy([-1.0, 0.5, 7.0], [1.3, 0.7, -2.0]);
        let (r, s) = (a.relative(&b), a.inverse() * b);
        assert!((r.translation - s.translation).norm() < 1e-14);
        for i in 0..3 {
            assert!((r.rotation.cols[i] - s.rotation.cols[i]).norm() < 1e-15);
        }
    }

    #[test]
    fn quaternion_and_axis_angle_agree_with_rpy() {
        let (s, c) = sin_cos(0.35);
        let q = Mat3::from_quat_wxyz([c * 3.0, 0.0, 0.0, s * 3.0]).unwrap();
        let (a, r) = (Mat3::from_axis_angle(Vec3::Z, 0.7), Mat3::from_rpy(0.0, 0.0, 0.7));
        for i in 0..3 {
            assert!((q.cols[i] - r.cols[i]).norm() < 1e-15 && (a.cols[i] - r.cols[i]).norm() < 1e-15);
        }
        assert!(Mat3::from_quat_wxyz([0.0; 4]).is_none());
    }
}
