//! OctoMaps, and cells of space as obstacles.

use crate::arrays::{read_row, read_rows};
use crate::errors::{load_error, type_error, value_error};
use crate::surface::vertex_array;
use elbowroom::describe::PlacedShape;
use elbowroom_files::Options;
use elbowroom_files::limits::UNKNOWN_CELLS;
use elbowroom_files::octomap::{Cell, OctoMap, load_octomap_from};
use elbowroom_files::source::{Disk, Files, InMemory};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use std::sync::Arc;

/// Cubes whose edges are parallel to the axes: a part of an OctoMap, or a grid of your own. They are the
/// shapes of an obstacle: `Obstacle("room", cells)`.
///
/// `centres`: shape (n, 3) (metres). `edges`: their lengths, shape (n,), or one length for all (metres).
#[pyclass(name = "Cells", module = "elbowroom", frozen)]
pub struct PyCells {
    cells: Arc<Vec<Cell>>,
}

impl PyCells {
    fn new(cells: Vec<Cell>) -> PyCells {
        PyCells { cells: Arc::new(cells) }
    }

    /// The cells as shapes of an obstacle.
    pub fn placed_boxes(&self) -> Vec<PlacedShape> {
        self.cells.iter().map(Cell::placed_box).collect()
    }
}

#[pymethods]
impl PyCells {
    #[new]
    fn from_arrays(centres: &Bound<'_, PyAny>, edges: &Bound<'_, PyAny>) -> PyResult<PyCells> {
        let centres = read_rows::<3>(centres, "centres")?;
        let edges = match edges.extract::<f64>() {
            Ok(edge) => vec![edge; centres.len()],
            Err(_) => read_row(edges, "edges")?,
        };
        if edges.len() != centres.len() {
            let (n, m) = (centres.len(), edges.len());
            return Err(value_error(format!(
                "there are {n} centres and {m} edges: give as many of each, or one edge"
            )));
        }
        let cells = centres.into_iter().zip(edges).map(|(centre, edge)| Cell { centre, edge });
        Ok(PyCells::new(cells.collect()))
    }

    /// The centres of the cells (metres, shape (n, 3)).
    #[getter]
    fn centres<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let centres: Vec<[f64; 3]> = self.cells.iter().map(|cell| cell.centre).collect();
        vertex_array(py, &centres)
    }

    /// The lengths of their edges (metres, shape (n,)).
    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.cells.iter().map(|cell| cell.edge))
    }

    fn __len__(&self) -> usize {
        self.cells.len()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<ReducedCells<'py>> {
        let (py, cells) = (slf.py(), slf.get());
        Ok((slf.get_type().into_any(), (cells.centres(py)?, cells.edges(py))))
    }

    fn __repr__(&self) -> String {
        format!("{} Cells", self.cells.len())
    }
}

/// What `__reduce__` returns for cells: their class and its arguments.
type ReducedCells<'py> = (Bound<'py, PyAny>, (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>));

/// A map of `load_octomap`. What is in no cell was not seen.
#[pyclass(name = "OctoMap", module = "elbowroom", frozen)]
pub struct PyOctoMap {
    map: OctoMap,
    warnings: Vec<String>,
}

#[pymethods]
impl PyOctoMap {
    /// The edge of the smallest cells that there can be (metres).
    #[getter]
    fn resolution(&self) -> f64 {
        self.map.resolution
    }

    /// The occupied cells: `Cells`.
    #[getter]
    fn occupied(&self) -> PyCells {
        PyCells::new(self.map.occupied.clone())
    }

    /// The free cells: `Cells`.
    #[getter]
    fn free(&self) -> PyCells {
        PyCells::new(self.map.free.clone())
    }

    /// The space inside the box around all cells that the map did not see, as few large cubes: `Cells`. The
    /// space outside of that box is unknown as well. Raises ValueError if there are more than a million
    /// cubes.
    fn unknown(&self, py: Python<'_>) -> PyResult<PyCells> {
        let found = py.detach(|| self.map.unknown_cells(UNKNOWN_CELLS));
        let none = || value_error(format!("more than {UNKNOWN_CELLS} cubes were not seen"));
        Ok(PyCells::new(found.ok_or_else(none)?))
    }

    /// What is odd about the file.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    fn __repr__(&self) -> String {
        let OctoMap { resolution, occupied, free } = &self.map;
        let (occupied, free) = (occupied.len(), free.len());
        format!("OctoMap(resolution={resolution}, {occupied} cells occupied, {free} free)")
    }
}

/// Reads an OctoMap: a file (`.bt` or `.ot`), or its bytes.
///
/// `Obstacle("room", octomap.occupied)` is an obstacle of its occupied cells. What the map did not see is
/// free unless you add `Obstacle("room_unknown", octomap.unknown())`.
///
/// Raises `LoadError`, which has every fault as `faults`.
#[pyfunction]
pub fn load_octomap(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<PyOctoMap> {
    let (path, files): (PathBuf, Box<dyn Files + Send + Sync>) = match source.cast::<PyBytes>() {
        Ok(bytes) => {
            let path = PathBuf::from("octomap");
            let files = InMemory([(path.clone(), bytes.as_bytes().to_vec())].into());
            (path, Box::new(files))
        }
        Err(_) => {
            let wrong = |_| type_error("give the path of an OctoMap, or its bytes".into());
            (source.extract().map_err(wrong)?, Box::new(Disk))
        }
    };
    let read = py.detach(|| load_octomap_from(&*files, &path, &Options::default()));
    let loaded = read.map_err(|faults| load_error(py, &faults))?;
    let warnings = loaded.warnings.iter().map(|warning| warning.to_string()).collect();
    Ok(PyOctoMap { map: loaded.value, warnings })
}
