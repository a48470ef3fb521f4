//! The class `World`. Its methods are in `world_methods`.

use crate::batch::OwnedBatch;
use crate::checkers::Checkers;
use crate::describe::{Parts, TouchNames, add_parts};
use crate::edge::{AskedMotion, OwnedMotions, PyEdge, ask_edge};
use crate::edit::{Edit, EditParts, apply_edit};
use crate::errors::world_error;
use crate::idle::Idle;
use crate::listed::refuse_unlisted;
use crate::threads::run_on_threads;
use elbowroom::World;
use elbowroom::describe::WorldDescription;
use elbowroom::motion::{EdgeOptions, MotionChecker};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Robots and obstacles, compiled. A world never changes, and all threads may ask it at once; a `Checker` has
/// what changes. `load` reads a world from files.
///
/// Joint values are radians and metres, in the order of `joint_names`; everything else is metres.
///
/// `World(robots, obstacles, ...)` is made of Python's values.
///
/// Parameters
/// ----------
/// robots: a list of `Robot`.
/// obstacles: a list of `Obstacle`.
/// clouds: a list of `Cloud`. A checker gives them their points.
/// spares: a list of `Spare`. A checker fills these places with shapes.
/// groups: sets of bodies by their names, for `allowed` and `checks`.
/// allowed: pairs that are not checked: (body or group, body or group, reason).
/// checks: the only pairs that are checked: (body or group, body or group). Without any, all pairs that
///     can move against each other are checked.
/// margin: clearance below which a verdict is near (metres).
/// padding: added to all shapes of robots (metres).
/// allow_zero_overlaps: do not check links that one moving joint joins and that overlap at the zero pose.
///
/// Raises `WorldError`, which has everything that is wrong as `faults`.
#[pyclass(name = "World", module = "elbowroom", frozen)]
pub struct PyWorld {
    pub world: Arc<World>,
    /// What was compiled.
    pub description: Arc<WorldDescription>,
    /// How it was edited since, call by call.
    pub edits: Vec<Edit>,
    pub touch: Arc<TouchNames>,
    pub warnings: Vec<String>,
    pub files: Vec<PathBuf>,
    pub checkers: Arc<Checkers>,
    motions: Idle<OwnedMotions>,
    batches: Idle<OwnedBatch>,
    /// Whether all is made that a question may need: worlds are compiled on demand.
    prepared: AtomicBool,
}

impl PyWorld {
    /// Asks about a motion.
    pub fn ask_motion(&self, py: Python<'_>, asked: AskedMotion, options: EdgeOptions) -> PyResult<PyEdge> {
        self.lend_motions(py, |motions| ask_edge(py, &self.world, motions, asked, options))
    }

    /// Lends a motion checker, which is kept for the next.
    pub fn lend_motions<R>(
        &self,
        py: Python<'_>,
        ask: impl for<'w> FnOnce(&mut MotionChecker<'w>) -> R,
    ) -> R {
        let waiting = self.motions.take_value(py);
        let mut motions = waiting.unwrap_or_else(|| OwnedMotions::new(self.world.clone()));
        let answer = motions.lend_mut(ask);
        self.motions.give_back(py, motions);
        answer
    }

    /// Lends a batch, which is kept for the next.
    pub fn lend_batch<R>(&self, py: Python<'_>, ask: impl FnOnce(&mut OwnedBatch) -> R) -> R {
        let waiting = self.batches.take_value(py);
        let make = || py.detach(|| OwnedBatch::new(self.world.clone()));
        let mut batch = waiting.unwrap_or_else(make);
        let answer = ask(&mut batch);
        self.batches.give_back(py, batch);
        answer
    }

    /// From a compiled world and its description.
    pub fn new(world: Arc<World>, description: Arc<WorldDescription>) -> PyWorld {
        PyWorld {
            checkers: Checkers::new(world.clone()),
            world,
            description,
            edits: Vec::new(),
            touch: Arc::default(),
            warnings: Vec::new(),
            files: Vec::new(),
            motions: Idle::new(),
            batches: Idle::new(),
            prepared: AtomicBool::new(false),
        }
    }

    /// Makes all that was left for the first question, on all threads: questions about many poses may need
    /// all of it.
    pub fn prepare_all(&self, py: Python<'_>) -> PyResult<()> {
        if !self.prepared.load(Ordering::Acquire) {
            run_on_threads(py, || self.world.prepare_all())?;
            self.prepared.store(true, Ordering::Release);
        }
        Ok(())
    }

    /// This world, with the rest of what its files hold.
    pub fn with_files(self, touch: Arc<TouchNames>, warnings: Vec<String>, files: Vec<PathBuf>) -> PyWorld {
        PyWorld { touch, warnings, files, ..self }
    }

    /// Compiles a description made of Python's values.
    pub fn compile(py: Python<'_>, description: WorldDescription) -> PyResult<PyWorld> {
        let world = run_on_threads(py, || World::compile_on_demand(&description))?;
        let world = world.map_err(|faults| world_error(py, &faults))?;
        Ok(PyWorld::new(Arc::new(world), Arc::new(description)))
    }

    /// A new world: this description, which is this world's with other numbers, and more parts. What this
    /// world was edited by is done again.
    pub fn extend(
        &self,
        py: Python<'_>,
        mut description: WorldDescription,
        parts: Parts<'_>,
    ) -> PyResult<PyWorld> {
        let (mut touch, added) = ((*self.touch).clone(), parts.list_bodies());
        add_parts(&mut description, &mut touch, parts)?;
        let world = PyWorld::compile(py, description)?.with_edits(py, self.edits.clone())?;
        if !self.description.checks.is_empty() {
            refuse_unlisted(&world.world, &added)?;
        }
        Ok(world.with_files(Arc::new(touch), self.warnings.clone(), self.files.clone()))
    }

    /// A new world: this one, edited.
    pub fn edit(&self, py: Python<'_>, parts: EditParts<'_>) -> PyResult<PyWorld> {
        let (mut touch, added, removed) = ((*self.touch).clone(), parts.list_bodies(), parts.remove.clone());
        touch.values_mut().for_each(|names| names.retain(|name| !removed.contains(name)));
        let same = PyWorld::new(self.world.clone(), self.description.clone());
        let same = PyWorld { edits: self.edits.clone(), ..same };
        let world = same.with_edits(py, vec![parts.into_edit()?])?;
        if !self.description.checks.is_empty() {
            refuse_unlisted(&world.world, &added)?;
        }
        Ok(world.with_files(Arc::new(touch), self.warnings.clone(), self.files.clone()))
    }

    /// This world after more edits.
    pub fn with_edits(mut self, py: Python<'_>, edits: Vec<Edit>) -> PyResult<PyWorld> {
        for edit in edits {
            let edited = run_on_threads(py, || apply_edit(&self.world, &edit))?;
            self.world = Arc::new(edited.map_err(|faults| world_error(py, &faults))?);
            self.checkers = Checkers::new(self.world.clone());
            (self.motions, self.batches) = (Idle::new(), Idle::new());
            self.edits.push(edit);
        }
        Ok(self)
    }
}
