//! The Python interface of elbowroom. It reads Python's values, asks the engine, and returns the answers. It
//! computes nothing itself.
//!
//! The package `elbowroom` (`python/elbowroom`) imports this module as `elbowroom._engine`. The package
//! itself has the classes that need no engine: exceptions, verdicts, descriptions. Rules of all files here:
//!
//! * The interpreter's lock is released while the engine works.
//! * A thread takes a shared checker out of its slot, uses it, and puts it back. It locks the slot only while
//!   it holds the interpreter's lock. So no thread waits for another, and no slot is locked while a process
//!   forks.
//! * Arrays are borrowed where their layout allows, and copied otherwise.

mod answer;
mod arrays;
mod asker;
mod batch;
mod beside_numpy;
mod checker;
mod checkers;
mod describe;
mod distance;
mod draw;
mod edge;
mod edges;
mod edit;
mod errors;
mod geometry;
mod guard;
mod idle;
mod listed;
mod load;
mod memory;
mod motion;
mod named;
mod octomap;
mod pickle;
mod pose;
mod progress;
mod prove;
mod question;
mod restore;
mod shape;
mod spare;
mod surface;
mod threads;
mod verdict;
mod world;
mod world_methods;

use pyo3::prelude::*;

#[pymodule]
mod _engine {
    use super::Bound;
    use super::PyModule;
    use super::PyResult;
    use pyo3::types::PyModuleMethods;

    #[pymodule_export]
    use super::answer::PyAnswer;
    #[pymodule_export]
    use super::batch::PyClearances;
    #[pymodule_export]
    use super::checker::PyChecker;
    #[pymodule_export]
    use super::distance::{PyDistance, distance};
    #[pymodule_export]
    use super::edge::{PyCertificate, PyEdge};
    #[pymodule_export]
    use super::edges::PyEdges;
    #[pymodule_export]
    use super::guard::{PyCommand, PyGuard};
    #[pymodule_export]
    use super::load::load;
    #[pymodule_export]
    use super::motion::{load_motion, load_splines};
    #[pymodule_export]
    use super::octomap::{PyCells, PyOctoMap, load_octomap};
    #[pymodule_export]
    use super::pose::{PyPose, pose_of_matrix};
    #[pymodule_export]
    use super::prove::PyProof;
    #[pymodule_export]
    use super::restore::restore_world;
    #[pymodule_export]
    use super::shape::{
        PyBox, PyCapsule, PyCone, PyConvex, PyCylinder, PyEllipsoid, PyMesh, PyShape, PySphere, restore_shape,
    };
    #[pymodule_export]
    use super::world::PyWorld;

    #[pymodule_init]
    fn add_version(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
