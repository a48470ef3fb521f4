//! The distance of two shapes.

use crate::answer::{geometry_word, stop_word, vector_array};
use crate::errors::value_error;
use crate::pose::read_transform;
use crate::shape::PyShape;
use elbowroom::math::Vec3;
use elbowroom::pair::Clearance;
use numpy::PyArray1;
use pyo3::prelude::*;

/// The distance of two shapes: their signed distance lies between `lower` and `upper` (metres). Points and
/// directions are in the world's frame.
#[pyclass(name = "Distance", module = "elbowroom", frozen)]
pub struct PyDistance {
    found: Clearance,
}

impl PyDistance {
    fn vector_of<'py>(&self, py: Python<'py>, vector: Vec3) -> Option<Bound<'py, PyArray1<f64>>> {
        self.found.interval.upper.is_finite().then(|| vector_array(py, vector))
    }
}

#[pymethods]
impl PyDistance {
    /// The distance is at least this (metres).
    #[getter]
    fn lower(&self) -> f64 {
        self.found.interval.lower
    }

    /// The distance is at most this (metres).
    #[getter]
    fn upper(&self) -> f64 {
        self.found.interval.upper
    }

    /// The point of the first shape (metres, shape (3,)).
    #[getter]
    fn witness_a<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.vector_of(py, self.found.witness_a)
    }

    /// The point of the second shape (metres, shape (3,)).
    #[getter]
    fn witness_b<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.vector_of(py, self.found.witness_b)
    }

    /// From the second shape's point to the first's (metres, shape (3,)).
    #[getter]
    fn vector<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.vector_of(py, self.found.witness_a - self.found.witness_b)
    }

    /// The direction along which the first shape escapes from the second (length 1, shape (3,)).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.vector_of(py, self.found.normal)
    }

    /// Why the search stopped; the words are those of `Answer.stop`.
    #[getter]
    fn stop(&self) -> &'static str {
        stop_word(self.found.stop)
    }

    /// What meshes counted as: "mesh" or "hull".
    #[getter]
    fn geometry(&self) -> &'static str {
        geometry_word(self.found.interval.geometry)
    }

    fn __repr__(&self) -> String {
        format!("Distance(lower={}, upper={})", self.found.interval.lower, self.found.interval.upper)
    }
}

/// The proved signed distance of two shapes, each at a pose in the world: a `Distance`. A pose is a `Pose`,
/// an array of shape (4, 4), `pinocchio.SE3`, or None. A shape is compiled at its first use.
///
/// Raises ValueError for shapes and poses that cannot be used.
#[pyfunction]
#[pyo3(signature = (shape_a, pose_a, shape_b, pose_b))]
pub fn distance(
    py: Python<'_>,
    shape_a: &Bound<'_, PyShape>,
    pose_a: Option<&Bound<'_, PyAny>>,
    shape_b: &Bound<'_, PyShape>,
    pose_b: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyDistance> {
    let (a, b) = (shape_a.get().compile_once(py)?, shape_b.get().compile_once(py)?);
    let (a_in_world, b_in_world) = (read_transform(pose_a)?, read_transform(pose_b)?);
    let found = py.detach(|| elbowroom::pair::distance(&a, &a_in_world, &b, &b_in_world));
    found.map(|found| PyDistance { found }).map_err(|fault| value_error(fault.to_string()))
}
