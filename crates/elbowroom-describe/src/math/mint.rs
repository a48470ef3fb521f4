//! Vectors and poses from and to the types of `mint`, by which crates for mathematics understand each other.

use super::mat3::Mat3;
use super::transform::Transform;
use super::vec3::{Vec3, vec3};
use mint::{ColumnMatrix3, ColumnMatrix4, Point3, Vector3, Vector4};

impl From<Vector3<f64>> for Vec3 {
    fn from(v: Vector3<f64>) -> Vec3 {
        vec3(v.x, v.y, v.z)
    }
}

impl From<Vec3> for Vector3<f64> {
    fn from(v: Vec3) -> Vector3<f64> {
        Vector3 { x: v.x, y: v.y, z: v.z }
    }
}

impl From<Point3<f64>> for Vec3 {
    fn from(p: Point3<f64>) -> Vec3 {
        vec3(p.x, p.y, p.z)
    }
}

impl From<Vec3> for Point3<f64> {
    fn from(p: Vec3) -> Point3<f64> {
        Point3 { x: p.x, y: p.y, z: p.z }
    }
}

impl From<ColumnMatrix3<f64>> for Mat3 {
    fn from(m: ColumnMatrix3<f64>) -> Mat3 {
        Mat3 { cols: [m.x.into(), m.y.into(), m.z.into()] }
    }
}

impl From<Mat3> for ColumnMatrix3<f64> {
    fn from(m: Mat3) -> ColumnMatrix3<f64> {
        let [x, y, z] = m.cols.map(Vector3::from);
        ColumnMatrix3 { x, y, z }
    }
}

impl From<Transform> for ColumnMatrix4<f64> {
    /// The homogeneous matrix: its last row is 0, 0, 0, 1.
    fn from(t: Transform) -> ColumnMatrix4<f64> {
        let column = |v: Vec3, w: f64| Vector4 { x: v.x, y: v.y, z: v.z, w };
        let [x, y, z] = t.rotation.cols.map(|v| column(v, 0.0));
        ColumnMatrix4 { x, y, z, w: column(t.translation, 1.0) }
    }
}

impl TryFrom<ColumnMatrix4<f64>> for Transform {
    type Error = NotHomogeneous;

    /// A homogeneous matrix. Whether it is rigid is found out where it is used: every function that takes a
    /// pose refuses one that mirrors, scales or is not finite.
    fn try_from(m: ColumnMatrix4<f64>) -> Result<Transform, NotHomogeneous> {
        let last = [m.x.w, m.y.w, m.z.w, m.w.w];
        if last != [0.0, 0.0, 0.0, 1.0] {
            return Err(NotHomogeneous { last });
        }
        let [x, y, z, translation] = [m.x, m.y, m.z, m.w].map(|v| vec3(v.x, v.y, v.z));
        Ok(Transform { rotation: Mat3 { cols: [x, y, z] }, translation })
    }
}

/// A matrix whose last row is not 0, 0, 0, 1: it is no pose, or it is written by rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotHomogeneous {
    /// The last row.
    pub last: [f64; 4],
}

impl core::fmt::Display for NotHomogeneous {
    fn fmt(&self, f: &mut core::fmt::Formatter) -> core::fmt::Result {
        let [x, y, z, w] = self.last;
        write!(f, "the last row of a pose is 0, 0, 0, 1, and here {x}, {y}, {z}, {w}: give it by columns")
    }
}

impl core::error::Error for NotHomogeneous {}
