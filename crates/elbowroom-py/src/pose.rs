//! Reads rigid poses from Python's values.

use crate::arrays::{read_numbers, read_rows};
use crate::errors::{type_error, value_error};
use elbowroom::math::{Mat3, Transform, Vec3, sqrt, vec3};
use numpy::PyArray2;
use pyo3::prelude::*;

/// How far the length of a quaternion may be from 1. Rounding explains less; a larger error is refused.
const QUATERNION_DEFECT: f64 = 1e-6;

/// A pose as a matrix.
type Rows = [[f64; 4]; 4];

/// A rigid transform: the position (metres) and rotation of one frame in another. Make one by
/// `Pose(xyz, wxyz=...)`, `Pose(xyz, xyzw=...)`, or `Pose(xyz, rpy=...)` with URDF's roll, pitch and yaw
/// (radians). `Pose(xyz)` does not rotate.
///
/// Arguments that are poses may also be arrays of shape (4, 4), `pinocchio.SE3`, or None for the identity.
#[pyclass(name = "Pose", module = "elbowroom", frozen, eq)]
#[derive(Clone, Copy, PartialEq)]
pub struct PyPose {
    pub transform: Transform,
}

#[pymethods]
impl PyPose {
    #[new]
    #[pyo3(signature = (xyz=None, *, wxyz=None, xyzw=None, rpy=None))]
    fn new(
        xyz: Option<&Bound<'_, PyAny>>,
        wxyz: Option<&Bound<'_, PyAny>>,
        xyzw: Option<&Bound<'_, PyAny>>,
        rpy: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyPose> {
        let at = xyz.map_or(Ok([0.0; 3]), |xyz| read_numbers(xyz, "xyz"))?;
        let rotation = match (wxyz, xyzw, rpy) {
            (None, None, None) => Mat3::IDENTITY,
            (Some(q), None, None) => rotation_of(read_numbers(q, "wxyz")?)?,
            (None, Some(q), None) => {
                let [x, y, z, w] = read_numbers(q, "xyzw")?;
                rotation_of([w, x, y, z])?
            }
            (None, None, Some(angles)) => {
                let [roll, pitch, yaw] = read_numbers(angles, "rpy")?;
                Mat3::from_rpy(roll, pitch, yaw)
            }
            _ => return Err(type_error("give one of wxyz, xyzw and rpy".into())),
        };
        Ok(PyPose { transform: Transform::new(rotation, at.into()) })
    }

    /// The homogeneous matrix, shape (4, 4).
    #[getter]
    fn matrix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        matrix_array(py, &self.transform)
    }

    fn __matmul__(&self, other: PyRef<'_, PyPose>) -> PyPose {
        PyPose { transform: self.transform * other.transform }
    }

    /// The inverse transform.
    fn inverse(&self) -> PyPose {
        PyPose { transform: self.transform.inverse() }
    }

    fn __repr__(&self) -> String {
        format!("Pose of {:?}", rows_of(&self.transform))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Rows,))> {
        Ok((py.import("elbowroom._engine")?.getattr("pose_of_matrix")?, (rows_of(&self.transform),)))
    }
}

/// The pose that a matrix of shape (4, 4) describes.
#[pyfunction]
pub fn pose_of_matrix(matrix: &Bound<'_, PyAny>) -> PyResult<PyPose> {
    Ok(PyPose { transform: read_transform(Some(matrix))? })
}

fn rotation_of(wxyz: [f64; 4]) -> PyResult<Mat3> {
    let length = sqrt(wxyz.iter().map(|v| v * v).sum());
    let good = (length - 1.0).abs() <= QUATERNION_DEFECT;
    let turn = Mat3::from_quat_wxyz(wxyz).filter(|_| good);
    turn.ok_or_else(|| value_error(format!("a quaternion must have length 1; this has {length}")))
}

/// Reads a pose: a `Pose`, an array of shape (4, 4), an object with such an array as `homogeneous`, or None.
pub fn read_transform(pose: Option<&Bound<'_, PyAny>>) -> PyResult<Transform> {
    let Some(pose) = pose.filter(|pose| !pose.is_none()) else { return Ok(Transform::IDENTITY) };
    if let Ok(pose) = pose.cast::<PyPose>() {
        return Ok(pose.get().transform);
    }
    let matrix = match pose.getattr_opt("homogeneous")? {
        Some(matrix) => matrix,
        None => pose.clone(),
    };
    let rows: Vec<[f64; 4]> = read_rows(&matrix, "a pose that is not an elbowroom.Pose")?;
    let [x, y, z, last] = rows[..] else {
        let n = rows.len();
        return Err(value_error(format!("a pose must have the shape (4, 4); this has ({n}, 4)")));
    };
    if last != [0.0, 0.0, 0.0, 1.0] {
        return Err(value_error(format!("the last row of a pose must be 0 0 0 1; this is {last:?}")));
    }
    let turn = [x, y, z].map(|row| [row[0], row[1], row[2]]);
    Ok(Transform::new(Mat3::from_rows(turn), vec3(x[3], y[3], z[3])))
}

/// The rows of a pose as a matrix.
fn rows_of(transform: &Transform) -> Rows {
    let [x, y, z] = transform.rotation.cols.map(Vec3::to_array);
    let at = transform.translation.to_array();
    let row = |k: usize| [x[k], y[k], z[k], at[k]];
    [row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]]
}

/// A pose as an array of shape (4, 4).
pub fn matrix_array<'py>(py: Python<'py>, transform: &Transform) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let rows: Vec<Vec<f64>> = rows_of(transform).iter().map(|row| row.to_vec()).collect();
    Ok(PyArray2::from_vec2(py, &rows)?)
}
