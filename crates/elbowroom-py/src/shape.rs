//! Shapes.

use crate::arrays::{read_numbers, read_rows};
use crate::errors::{type_error, value_error};
use crate::octomap::PyCells;
use crate::pickle::{Reduced, read_bytes, reduce_to};
use crate::pose::read_transform;
use crate::question::checked_length;
use crate::surface::{Surface, hull_surface, surface_arrays, vertex_array};
use elbowroom::describe::{PlacedShape, ShapeDescription};
use elbowroom::pair::Shape;
use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::{Arc, Mutex, PoisonError};

/// The base class of all shapes. `padding`: points within this distance count as the shape (metres).
#[pyclass(name = "Shape", module = "elbowroom", subclass, frozen)]
pub struct PyShape {
    pub shape: ShapeDescription,
    pub padding: f64,
    /// The compiled shape, after its first use. Locked only while the interpreter's lock is held.
    compiled: Mutex<Option<Arc<Shape>>>,
}

impl PyShape {
    fn new(shape: ShapeDescription, padding: f64) -> PyResult<PyShape> {
        let padding = checked_length(Some(padding), "padding")?.unwrap_or(0.0);
        Ok(PyShape { shape, padding, compiled: Mutex::new(None) })
    }

    /// Compiles the shape, or returns the one that is compiled.
    pub fn compile_once(&self, py: Python<'_>) -> PyResult<Arc<Shape>> {
        let place = || self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shape) = &*place() {
            return Ok(shape.clone());
        }
        let made = py.detach(|| Shape::new(&self.shape, self.padding));
        let made = Arc::new(made.map_err(|fault| value_error(fault.to_string()))?);
        *place() = Some(made.clone());
        Ok(made)
    }
}

#[pymethods]
impl PyShape {
    /// Points within this distance of the shape count as the shape (metres).
    #[getter]
    fn padding(&self) -> f64 {
        self.padding
    }

    /// "sphere", "capsule", "box", "cylinder", "cone", "ellipsoid", "convex" or "mesh".
    #[getter]
    fn kind(&self) -> String {
        kind_word(&self.shape).to_lowercase()
    }

    /// The numbers that the class takes (metres): size, radii, radius, or radius and length. Empty for convex
    /// shapes and meshes.
    #[getter]
    fn sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        match &self.shape {
            ShapeDescription::Sphere { radius } => PyTuple::new(py, [*radius]),
            ShapeDescription::Box { size: sizes } | ShapeDescription::Ellipsoid { radii: sizes } => {
                PyTuple::new(py, sizes)
            }
            ShapeDescription::Capsule { radius, length }
            | ShapeDescription::Cylinder { radius, length }
            | ShapeDescription::Cone { radius, length } => PyTuple::new(py, [*radius, *length]),
            ShapeDescription::Convex { .. } | ShapeDescription::Mesh { .. } => Ok(PyTuple::empty(py)),
        }
    }

    /// The points of a convex shape or a mesh, as declared (metres, shape (n, 3)); None for other kinds.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        match &self.shape {
            ShapeDescription::Convex { vertices } | ShapeDescription::Mesh { vertices, .. } => {
                vertex_array(py, vertices).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The triangles of a mesh, as declared: the indices of three vertices each (uint32, shape (m, 3)). None
    /// for other kinds.
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<u32>>>> {
        let ShapeDescription::Mesh { triangles, .. } = &self.shape else { return Ok(None) };
        let flat = numpy::PyArray1::from_slice(py, triangles.as_flattened());
        flat.reshape([triangles.len(), 3]).map(Some)
    }

    /// The convex hull of a convex shape or a mesh, as the engine has it: the vertices (metres, shape (n, 3))
    /// and the triangles (uint32, shape (m, 3)), counter-clockwise from outside. None for other kinds.
    fn hull<'py>(&self, py: Python<'py>) -> PyResult<Option<Surface<'py>>> {
        let shape = self.compile_once(py)?;
        let hull = shape.core().hull();
        hull.map(|hull| surface_arrays(py, py.detach(|| hull_surface(hull)))).transpose()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let same = |other: &PyShape| self.shape == other.shape && self.padding == other.padding;
        other.cast::<PyShape>().is_ok_and(|other| same(other.get()))
    }

    fn __hash__(&self) -> u64 {
        // Equal shapes have equal hashes: adding zero makes -0 and 0 the same.
        (self.padding + 0.0).to_bits() ^ u64::from(kind_word(&self.shape).as_bytes()[1])
    }

    fn __repr__(&self) -> String {
        let sizes = match &self.shape {
            ShapeDescription::Convex { vertices } => format!("{} points", vertices.len()),
            ShapeDescription::Mesh { triangles, .. } => format!("{} triangles", triangles.len()),
            ShapeDescription::Sphere { radius } => format!("radius={radius}"),
            ShapeDescription::Box { size } => format!("size={size:?}"),
            ShapeDescription::Ellipsoid { radii } => format!("radii={radii:?}"),
            ShapeDescription::Capsule { radius, length }
            | ShapeDescription::Cylinder { radius, length }
            | ShapeDescription::Cone { radius, length } => format!("radius={radius}, length={length}"),
        };
        let padding = if self.padding > 0.0 { format!(", padding={}", self.padding) } else { String::new() };
        format!("{}({sizes}{padding})", kind_word(&self.shape))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce_to(py, "restore_shape", &(&self.shape, self.padding))
    }
}

/// A shape from a pickle.
#[pyfunction]
pub fn restore_shape(py: Python<'_>, version: &str, state: &[u8]) -> PyResult<Py<PyAny>> {
    let (shape, padding): (ShapeDescription, f64) = read_bytes(py, version, state)?;
    new_shape(py, shape, padding, None)
}

/// A shape as an object of its class, and what it was compiled to if that is known.
pub fn new_shape(
    py: Python<'_>,
    shape: ShapeDescription,
    padding: f64,
    compiled: Option<Arc<Shape>>,
) -> PyResult<Py<PyAny>> {
    let mut plain = PyShape::new(shape.clone(), padding)?;
    plain.compiled = Mutex::new(compiled);
    let base = PyClassInitializer::from(plain);
    Ok(match shape {
        ShapeDescription::Box { .. } => Py::new(py, base.add_subclass(PyBox))?.into_any(),
        ShapeDescription::Sphere { .. } => Py::new(py, base.add_subclass(PySphere))?.into_any(),
        ShapeDescription::Capsule { .. } => Py::new(py, base.add_subclass(PyCapsule))?.into_any(),
        ShapeDescription::Cylinder { .. } => Py::new(py, base.add_subclass(PyCylinder))?.into_any(),
        ShapeDescription::Cone { .. } => Py::new(py, base.add_subclass(PyCone))?.into_any(),
        ShapeDescription::Ellipsoid { .. } => Py::new(py, base.add_subclass(PyEllipsoid))?.into_any(),
        ShapeDescription::Convex { .. } => Py::new(py, base.add_subclass(PyConvex))?.into_any(),
        ShapeDescription::Mesh { .. } => Py::new(py, base.add_subclass(PyMesh))?.into_any(),
    })
}

fn kind_word(shape: &ShapeDescription) -> &'static str {
    match shape {
        ShapeDescription::Sphere { .. } => "Sphere",
        ShapeDescription::Box { .. } => "Box",
        ShapeDescription::Capsule { .. } => "Capsule",
        ShapeDescription::Cylinder { .. } => "Cylinder",
        ShapeDescription::Cone { .. } => "Cone",
        ShapeDescription::Ellipsoid { .. } => "Ellipsoid",
        ShapeDescription::Convex { .. } => "Convex",
        ShapeDescription::Mesh { .. } => "Mesh",
    }
}

fn shape_init(shape: ShapeDescription, padding: f64) -> PyResult<PyClassInitializer<PyShape>> {
    Ok(PyClassInitializer::from(PyShape::new(shape, padding)?))
}

/// A box centred at the origin. `size`: its full extents along x, y and z (metres).
#[pyclass(name = "Box", module = "elbowroom", extends = PyShape, frozen)]
pub struct PyBox;

#[pymethods]
impl PyBox {
    #[new]
    #[pyo3(signature = (size, *, padding=0.0))]
    fn new(size: &Bound<'_, PyAny>, padding: f64) -> PyResult<PyClassInitializer<PyBox>> {
        Ok(shape_init(ShapeDescription::Box { size: read_numbers(size, "size")? }, padding)?
            .add_subclass(PyBox))
    }
}

/// A ball centred at the origin. `radius` in metres.
#[pyclass(name = "Sphere", module = "elbowroom", extends = PyShape, frozen)]
pub struct PySphere;

#[pymethods]
impl PySphere {
    #[new]
    #[pyo3(signature = (radius, *, padding=0.0))]
    fn new(radius: f64, padding: f64) -> PyResult<PyClassInitializer<PySphere>> {
        Ok(shape_init(ShapeDescription::Sphere { radius }, padding)?.add_subclass(PySphere))
    }
}

/// All points within `radius` of a segment of this `length` along z, centred at the origin (metres).
#[pyclass(name = "Capsule", module = "elbowroom", extends = PyShape, frozen)]
pub struct PyCapsule;

#[pymethods]
impl PyCapsule {
    #[new]
    #[pyo3(signature = (radius, length, *, padding=0.0))]
    fn new(radius: f64, length: f64, padding: f64) -> PyResult<PyClassInitializer<PyCapsule>> {
        Ok(shape_init(ShapeDescription::Capsule { radius, length }, padding)?.add_subclass(PyCapsule))
    }
}

/// A cylinder along z, centred at the origin. `radius` and full `length` in metres.
#[pyclass(name = "Cylinder", module = "elbowroom", extends = PyShape, frozen)]
pub struct PyCylinder;

#[pymethods]
impl PyCylinder {
    #[new]
    #[pyo3(signature = (radius, length, *, padding=0.0))]
    fn new(radius: f64, length: f64, padding: f64) -> PyResult<PyClassInitializer<PyCylinder>> {
        Ok(shape_init(ShapeDescription::Cylinder { radius, length }, padding)?.add_subclass(PyCylinder))
    }
}

/// A cone along z. Its base is at z = -length/2, its apex at +length/2 (metres).
#[pyclass(name = "Cone", module = "elbowroom", extends = PyShape, frozen)]
pub struct PyCone;

#[pymethods]
impl PyCone {
    #[new]
    #[pyo3(signature = (radius, length, *, padding=0.0))]
    fn new(radius: f64, length: f64, padding: f64) -> PyResult<PyClassInitializer<PyCone>> {
        Ok(shape_init(ShapeDescription::Cone { radius, length }, padding)?.add_subclass(PyCone))
    }
}

/// An ellipsoid centred at the origin. `radii`: its half axes along x, y and z (metres).
#[pyclass(name = "Ellipsoid", module = "elbowroom", extends = PyShape, frozen)]
pub struct PyEllipsoid;

#[pymethods]
impl PyEllipsoid {
    #[new]
    #[pyo3(signature = (radii, *, padding=0.0))]
    fn new(radii: &Bound<'_, PyAny>, padding: f64) -> PyResult<PyClassInitializer<PyEllipsoid>> {
        let radii = read_numbers(radii, "radii")?;
        Ok(shape_init(ShapeDescription::Ellipsoid { radii }, padding)?.add_subclass(PyEllipsoid))
    }
}

/// The convex hull of points of shape (n, 3) (metres).
#[pyclass(name = "Convex", module = "elbowroom", extends = PyShape, frozen)]
pub struct PyConvex;

#[pymethods]
impl PyConvex {
    #[new]
    #[pyo3(signature = (vertices, *, padding=0.0))]
    fn new(vertices: &Bound<'_, PyAny>, padding: f64) -> PyResult<PyClassInitializer<PyConvex>> {
        let vertices = read_rows(vertices, "vertices")?;
        Ok(shape_init(ShapeDescription::Convex { vertices }, padding)?.add_subclass(PyConvex))
    }
}

/// A triangle mesh: a solid if it is closed, otherwise a surface. `vertices` has the shape (n, 3) (metres).
/// `triangles` has the shape (m, 3): each row has the indices of three vertices, from 0.
///
/// `Mesh(m)` takes an object with `vertices` and `faces`, such as a mesh of trimesh.
#[pyclass(name = "Mesh", module = "elbowroom", extends = PyShape, frozen)]
pub struct PyMesh;

#[pymethods]
impl PyMesh {
    #[new]
    #[pyo3(signature = (vertices, triangles=None, *, padding=0.0))]
    fn new(
        vertices: &Bound<'_, PyAny>,
        triangles: Option<&Bound<'_, PyAny>>,
        padding: f64,
    ) -> PyResult<PyClassInitializer<PyMesh>> {
        let (corners, faces) = match triangles {
            Some(triangles) => (vertices.clone(), triangles.clone()),
            None => match (vertices.getattr_opt("vertices")?, vertices.getattr_opt("faces")?) {
                (Some(corners), Some(faces)) => (corners, faces),
                _ => {
                    return Err(type_error(
                        "give vertices and triangles, or an object with vertices and faces".into(),
                    ));
                }
            },
        };
        let vertices: Vec<[f64; 3]> = read_rows(&corners, "vertices")?;
        let triangles = read_rows(&faces, "triangles")?;
        let triangles: Option<Vec<[u32; 3]>> = triangles.iter().map(vertex_numbers).collect();
        let triangles = triangles.ok_or_else(|| {
            value_error("each triangle must be the indices of three vertices, from 0".into())
        })?;
        Ok(shape_init(ShapeDescription::Mesh { vertices, triangles }, padding)?.add_subclass(PyMesh))
    }
}

/// The indices of three vertices, if they are whole numbers.
fn vertex_numbers(row: &[f64; 3]) -> Option<[u32; 3]> {
    let whole = |v: &f64| *v >= 0.0 && *v <= f64::from(u32::MAX) && v.trunc() == *v;
    row.iter().all(whole).then(|| row.map(|v| v as u32))
}

/// The shapes of a body: one shape, cells, or a list of shapes and of pairs (shape, pose).
pub fn read_shapes(shapes: &Bound<'_, PyAny>) -> PyResult<Vec<PlacedShape>> {
    if let Ok(cells) = shapes.cast::<PyCells>() {
        return Ok(cells.get().placed_boxes());
    }
    if shapes.is_instance_of::<PyShape>() {
        return Ok(vec![read_placed_shape(shapes)?]);
    }
    shapes.try_iter()?.map(|shape| read_placed_shape(&shape?)).collect()
}

/// A shape, or a pair (shape, pose).
pub fn read_placed_shape(shape: &Bound<'_, PyAny>) -> PyResult<PlacedShape> {
    let (shape, pose) = match shape.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() {
        Ok((shape, pose)) => (shape, Some(pose)),
        Err(_) => (shape.clone(), None),
    };
    let Ok(shape) = shape.cast::<PyShape>() else {
        let what = shape.get_type().name()?.to_string();
        let words = "a body has shapes, as elbowroom.Box, or pairs (shape, pose)";
        return Err(type_error(format!("{words}; this is {what}")));
    };
    let shape_in_body = read_transform(pose.as_ref())?;
    let PyShape { shape, padding, .. } = shape.get();
    Ok(PlacedShape { name: String::new(), shape_in_body, shape: shape.clone(), padding: *padding })
}
