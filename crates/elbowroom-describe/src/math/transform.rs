//! Rigid transforms.

use super::mat3::Mat3;
use super::vec3::Vec3;
use core::ops::Mul;

/// A rigid transform: `b_in_a` maps coordinates in frame B to coordinates in frame A.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
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
}
