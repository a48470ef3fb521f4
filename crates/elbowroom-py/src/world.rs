//! The class `World`. Its methods are in `world_methods`.

use crate::describe::{Parts, TouchNames, add_parts};
use crate::edge::{AskedMotion, OwnedMotions, PyEdge, ask_edge};
use crate::errors::{pose_error, world_error};
use crate::idle::Idle;
use crate::listed::refuse_unlisted;
use crate::threads::run_on_threads;
use elbowroom::describe::WorldDescription;
use elbowroom::motion::EdgeOptions;
use elbowroom::{Checker, OwnedChecker, World};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// Robots and obstacles, compiled. A world never changes, and all threads may ask it at once; a `Checker` has
/// what changes. `load` reads a world from files.
///
/// Joint values are radians and metres, in the order of `joint_names`; everything else is metres.
#[pyclass(name = "World", module = "elbowroom", frozen)]
pub struct PyWorld {
    pub world: Arc<World>,
    pub description: Arc<WorldDescription>,
    pub touch: Arc<TouchNames>,
    pub warnings: Vec<String>,
    pub files: Vec<PathBuf>,
    pub checkers: Idle<OwnedChecker>,
    pub motions: Idle<OwnedMotions>,
}

impl PyWorld {
    /// Asks about a motion, with a motion checker that is kept for the next.
    pub fn ask_motion(&self, py: Python<'_>, asked: AskedMotion, options: EdgeOptions) -> PyResult<PyEdge> {
        let waiting = self.motions.take_value(py);
        let mut motions = waiting.unwrap_or_else(|| OwnedMotions::new(self.world.clone()));
        let edge = motions.lend_mut(|motions| ask_edge(py, &self.world, motions, asked, options, false));
        self.motions.give_back(py, motions);
        edge
    }

    /// From a compiled world and its description.
    pub fn new(world: Arc<World>, description: Arc<WorldDescription>) -> PyWorld {
        PyWorld {
            world,
            description,
            touch: Arc::default(),
            warnings: Vec::new(),
            files: Vec::new(),
            checkers: Idle::new(),
            motions: Idle::new(),
        }
    }

    /// This world, with the rest of what its files hold.
    pub fn with_files(self, touch: Arc<TouchNames>, warnings: Vec<String>, files: Vec<PathBuf>) -> PyWorld {
        PyWorld { touch, warnings, files, ..self }
    }

    /// Compiles a description made of Python's values.
    pub fn compile(py: Python<'_>, description: WorldDescription) -> PyResult<PyWorld> {
        let world = run_on_threads(py, || World::compile(&description))?;
        let world = world.map_err(|faults| world_error(py, &faults))?;
        Ok(PyWorld::new(Arc::new(world), Arc::new(description)))
    }

    /// A new world: this description, which is this world's with other numbers, and more parts.
    pub fn extend(
        &self,
        py: Python<'_>,
        mut description: WorldDescription,
        parts: Parts<'_>,
    ) -> PyResult<PyWorld> {
        let (mut touch, added) = ((*self.touch).clone(), parts.list_bodies());
        add_parts(&mut description, &mut touch, parts)?;
        let world = PyWorld::compile(py, description)?;
        if !self.description.checks.is_empty() {
            refuse_unlisted(&world.world, &added)?;
        }
        Ok(world.with_files(Arc::new(touch), self.warnings.clone(), self.files.clone()))
    }

    /// Sets a checker to a pose and asks it, without the interpreter's lock.
    pub fn ask_at<T: Send>(
        &self,
        py: Python<'_>,
        pose: &[f64],
        ask: impl FnOnce(&Arc<World>, &mut Checker) -> T + Send,
    ) -> PyResult<T> {
        let checker = self.checkers.take_value(py);
        let (checker, asked) = py.detach(|| {
            let mut checker = checker.unwrap_or_else(|| OwnedChecker::new(self.world.clone()));
            let asked = checker.lend_mut(|checker| checker.set(pose).map(|()| ask(&self.world, checker)));
            (checker, asked)
        });
        self.checkers.give_back(py, checker);
        asked.map_err(|fault| pose_error(py, &fault))
    }
}
