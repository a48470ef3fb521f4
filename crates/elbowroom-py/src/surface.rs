//! Vertices and triangles as arrays.

use elbowroom::pair::shape::hull::Hull;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// Vertices and triangles as arrays.
pub type Surface<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<u32>>);

/// The vertices and the triangles of a hull.
pub fn hull_surface(hull: &Hull) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let vertices = (0..hull.vertex_count()).map(|v| hull.vertex(v).to_array()).collect();
    (vertices, hull.faces().collect())
}

/// Vertices and triangles as arrays of three columns.
pub fn surface_arrays(
    py: Python<'_>,
    (vertices, triangles): (Vec<[f64; 3]>, Vec<[u32; 3]>),
) -> PyResult<Surface<'_>> {
    let count = triangles.len();
    let triangles = PyArray1::from_vec(py, triangles.into_flattened()).reshape([count, 3])?;
    Ok((vertex_array(py, &vertices)?, triangles))
}

/// Points as an array of shape (n, 3).
pub fn vertex_array<'py>(py: Python<'py>, points: &[[f64; 3]]) -> PyResult<Bound<'py, PyArray2<f64>>> {
    PyArray1::from_slice(py, points.as_flattened()).reshape([points.len(), 3])
}
