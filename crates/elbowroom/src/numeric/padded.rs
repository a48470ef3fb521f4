//! A rigid transform as the lanes load it.

use crate::numeric::math::{Mat3, Transform, Vec3};

/// A pose by columns, each padded with a zero.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct PaddedTransform {
    pub x: [f64; 4],
    pub y: [f64; 4],
    pub z: [f64; 4],
    pub translation: [f64; 4],
}

impl PaddedTransform {
    pub fn new(at: &Transform) -> PaddedTransform {
        let [x, y, z] = at.rotation.cols;
        PaddedTransform { x: pad(x), y: pad(y), z: pad(z), translation: pad(at.translation) }
    }

    #[inline(always)]
    pub fn transform(&self) -> Transform {
        let cols = [unpad(&self.x), unpad(&self.y), unpad(&self.z)];
        Transform { rotation: Mat3 { cols }, translation: unpad(&self.translation) }
    }
}

#[inline(always)]
fn pad(v: Vec3) -> [f64; 4] {
    [v.x, v.y, v.z, 0.0]
}
#[inline(always)]
fn unpad([x, y, z, _]: &[f64; 4]) -> Vec3 {
    Vec3 { x: *x, y: *y, z: *z }
}
