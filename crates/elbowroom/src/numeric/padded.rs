//! A rigid transform as the lanes load it.

use elbowroom_describe::math::{Mat3, Transform, Vec3};

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
        PaddedTransform { x: pad_vec(x), y: pad_vec(y), z: pad_vec(z), translation: pad_vec(at.translation) }
    }

    #[inline(always)]
    pub fn as_transform(&self) -> Transform {
        let cols = [unpad_vec(&self.x), unpad_vec(&self.y), unpad_vec(&self.z)];
        Transform { rotation: Mat3 { cols }, translation: unpad_vec(&self.translation) }
    }
}

#[inline(always)]
fn pad_vec(v: Vec3) -> [f64; 4] {
    [v.x, v.y, v.z, 0.0]
}
#[inline(always)]
fn unpad_vec([x, y, z, _]: &[f64; 4]) -> Vec3 {
    Vec3 { x: *x, y: *y, z: *z }
}
