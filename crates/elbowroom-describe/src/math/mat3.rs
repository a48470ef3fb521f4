//! Matrices, most of them rotations.

use super::scalar::sin_cos;
use super::vec3::{Vec3, vec3};
use core::ops::Mul;

/// A 3 by 3 matrix, by columns. As a rotation it maps coordinates of the inner frame to the outer frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
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
    /// Rotation about the unit vector `axis` by the angle whose sine and cosine are given (Rodrigues).
    #[inline(always)]
    pub fn from_axis_sines(axis: Vec3, (s, c): (f64, f64)) -> Mat3 {
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

#[cfg(test)]
mod tests {
    use super::*;

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
