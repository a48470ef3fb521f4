//! Vectors and poses from and to the types of `nalgebra`.

use super::mat3::Mat3;
use super::transform::Transform;
use super::vec3::{Vec3, vec3};
use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Translation3, UnitQuaternion, Vector3};

impl From<Vector3<f64>> for Vec3 {
    fn from(v: Vector3<f64>) -> Vec3 {
        vec3(v.x, v.y, v.z)
    }
}

impl From<Vec3> for Vector3<f64> {
    fn from(v: Vec3) -> Vector3<f64> {
        Vector3::new(v.x, v.y, v.z)
    }
}

impl From<Point3<f64>> for Vec3 {
    fn from(p: Point3<f64>) -> Vec3 {
        vec3(p.x, p.y, p.z)
    }
}

impl From<Vec3> for Point3<f64> {
    fn from(p: Vec3) -> Point3<f64> {
        Point3::new(p.x, p.y, p.z)
    }
}

impl From<Rotation3<f64>> for Mat3 {
    fn from(r: Rotation3<f64>) -> Mat3 {
        let m = r.matrix();
        Mat3 { cols: [0, 1, 2].map(|k| vec3(m[(0, k)], m[(1, k)], m[(2, k)])) }
    }
}

impl From<Mat3> for Matrix3<f64> {
    fn from(m: Mat3) -> Matrix3<f64> {
        Matrix3::from_columns(&m.cols.map(Vector3::from))
    }
}

impl From<Isometry3<f64>> for Transform {
    fn from(pose: Isometry3<f64>) -> Transform {
        // Its quaternion is of length one but for rounding, which is taken out here: poses are refused that
        // are further from a rotation than 1e-9.
        let q = pose.rotation.quaternion();
        let rotation = Mat3::from_quat_wxyz([q.w, q.i, q.j, q.k]);
        Transform {
            // NaN stays NaN, and is refused where the pose is used.
            rotation: rotation.unwrap_or(Mat3 { cols: [vec3(f64::NAN, f64::NAN, f64::NAN); 3] }),
            translation: pose.translation.vector.into(),
        }
    }
}

impl From<Transform> for Isometry3<f64> {
    fn from(t: Transform) -> Isometry3<f64> {
        let rotation = Rotation3::from_matrix_unchecked(t.rotation.into());
        let translation = Translation3::from(Vector3::from(t.translation));
        Isometry3::from_parts(translation, UnitQuaternion::from_rotation_matrix(&rotation))
    }
}
