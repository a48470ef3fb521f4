//! The Python face of elbowroom: values of Python in, questions to the engine, answers out. Nothing is
//! computed here.
//!
//! The package `elbowroom` (`python/elbowroom`) has this module as `elbowroom._engine`, and the classes that
//! need no engine: exceptions, verdicts, descriptions. Rules that all files here keep:
//!
//! * The interpreter's lock is released while the engine works.
//! * What Python threads share is taken out of its place while it is used, and put back. Places are looked at
//!   with the interpreter's lock held, so no thread waits for another, and a fork finds none locked.
//! * Arrays are borrowed where their layout allows, and copied otherwise.

mod answer;
mod arrays;
mod batch;
mod checker;
mod describe;
mod draw;
mod edge;
mod errors;
mod guard;
mod idle;
mod load;
mod named;
mod pickle;
mod pose;
mod progress;
mod prove;
mod question;
mod restore;
mod shape;
mod threads;
mod verdict;
mod world;

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
    use super::edge::{PyCertificate, PyEdge};
    #[pymodule_export]
    use super::guard::{PyCommand, PyGuard};
    #[pymodule_export]
    use super::load::load;
    #[pymodule_export]
    use super::pose::{PyPose, pose_of_matrix};
    #[pymodule_export]
    use super::prove::PyProof;
    #[pymodule_export]
    use super::restore::restore_world;
    #[pymodule_export]
    use super::shape::{
        PyBox, PyCapsule, PyCone, PyConvex, PyCylinder, PyDistance, PyEllipsoid, PyMesh, PyShape, PySphere,
        distance, restore_shape,
    };
    #[pymodule_export]
    use super::world::PyWorld;

    #[pymodule_init]
    fn add_version(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
