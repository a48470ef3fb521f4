//! The world as Python has it.

use crate::answer::PyAnswer;
use crate::arrays::{Poses, read_pose, read_poses};
use crate::batch::{PyClearances, clearances_of_rows, test_rows};
use crate::describe::{CloudValues, ObstacleValues, Parts, RobotValues, SpareValues, add_parts};
use crate::draw::draw_poses;
use crate::edge::{OwnedMotions, PyEdge, ask_edge};
use crate::errors::{engine_error, pose_error, value_error, world_error};
use crate::idle::Idle;
use crate::named::find_body;
use crate::pickle::{Reduced, reduce_to};
use crate::prove::{PyProof, prove_pair};
use crate::question::{Asked, edge_options};
use crate::threads::run_on_threads;
use crate::verdict::member_of;
use elbowroom::describe::WorldDescription;
use elbowroom::world::BodyPair;
use elbowroom::{Checker, OwnedChecker, PairId, Question, World};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Robots and obstacles, compiled. It never changes, and all threads may ask it at once: see `Checker` for
/// what changes. `load` reads one from files.
///
/// Joint values are radians and metres, in the order of `joint_names`; everything else is metres.
#[pyclass(name = "World", module = "elbowroom", frozen)]
pub struct PyWorld {
    pub world: Arc<World>,
    description: Arc<WorldDescription>,
    /// By the names of movable obstacles, what they may touch while they are carried.
    pub touch: Arc<BTreeMap<String, Vec<String>>>,
    warnings: Vec<String>,
    files: Vec<PathBuf>,
    checkers: Idle<OwnedChecker>,
    motions: Idle<OwnedMotions>,
}

impl PyWorld {
    /// Of a compiled world and its description.
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

    /// The same, with what its files say besides.
    pub fn with_files(
        self,
        touch: Arc<BTreeMap<String, Vec<String>>>,
        warnings: Vec<String>,
        files: Vec<PathBuf>,
    ) -> PyWorld {
        PyWorld { touch, warnings, files, ..self }
    }

    /// Compiles a description made of Python's values.
    pub fn compile(py: Python<'_>, description: WorldDescription) -> PyResult<PyWorld> {
        let world = run_on_threads(py, || World::compile(&description))?;
        let world = world.map_err(|faults| world_error(py, &faults))?;
        Ok(PyWorld::new(Arc::new(world), Arc::new(description)))
    }

    /// Sets a checker to a pose and asks it, without the interpreter's lock.
    fn ask_at<T: Send>(
        &self,
        py: Python<'_>,
        pose: &[f64],
        ask: impl FnOnce(&Arc<World>, &mut Checker) -> T + Send,
    ) -> PyResult<T> {
        let checker = self.checkers.take_value(py);
        let (checker, asked) = py.detach(|| {
            let mut checker = checker.unwrap_or_else(|| OwnedChecker::new(self.world.clone()));
            let asked = checker.lend_mut(|checker| match checker.set(pose) {
                Ok(()) => Ok(ask(&self.world, checker)),
                Err(fault) => Err(fault),
            });
            (checker, asked)
        });
        self.checkers.give_back(py, checker);
        asked.map_err(|fault| pose_error(py, &fault))
    }
}

#[pymethods]
impl PyWorld {
    /// A world made of Python's values.
    ///
    /// Parameters
    /// ----------
    /// robots: of `Robot`. obstacles: of `Obstacle`. clouds: of `Cloud`: points that are given later. spares:
    /// of `Spare`: places for shapes that come later. groups: names of sets of bodies, and their members.
    /// allowed: pairs that are not checked: (body or group, body or group, reason). checks: pairs of bodies
    /// or groups that are checked; without any, all that can move against each other. margin: clearance below
    /// which a verdict is near (metres). padding: added to all shapes of robots (metres).
    /// allow_zero_overlaps: do not check two links that overlap at the zero pose, if one moving joint joins
    ///     them.
    ///
    /// Raises `WorldError`, which has everything that is wrong as `faults`.
    #[new]
    #[pyo3(signature = (robots=Vec::new(), obstacles=Vec::new(), *, clouds=Vec::new(), spares=Vec::new(),
        groups=BTreeMap::new(), allowed=Vec::new(), checks=Vec::new(), margin=0.0, padding=0.0,
        allow_zero_overlaps=false))]
    #[allow(clippy::too_many_arguments, reason = "keywords of Python")]
    fn new_world<'py>(
        py: Python<'py>,
        robots: Vec<RobotValues<'py>>,
        obstacles: Vec<ObstacleValues<'py>>,
        clouds: Vec<CloudValues>,
        spares: Vec<SpareValues>,
        groups: BTreeMap<String, Vec<String>>,
        allowed: Vec<(String, String, String)>,
        checks: Vec<(String, String)>,
        margin: f64,
        padding: f64,
        allow_zero_overlaps: bool,
    ) -> PyResult<PyWorld> {
        let mut description =
            WorldDescription { margin, padding, allow_zero_overlaps, ..WorldDescription::default() };
        let parts = Parts { robots, obstacles, clouds, spares, groups, allowed, checks };
        add_parts(&mut description, parts)?;
        PyWorld::compile(py, description)
    }

    /// Another world: this one and more. The parameters are those of `World`; numbers that are not given
    /// stay. Everything is compiled anew.
    #[pyo3(signature = (robots=Vec::new(), obstacles=Vec::new(), *, clouds=Vec::new(), spares=Vec::new(),
        groups=BTreeMap::new(), allowed=Vec::new(), checks=Vec::new(), margin=None, padding=None,
        allow_zero_overlaps=None))]
    #[allow(clippy::too_many_arguments, reason = "keywords of Python")]
    fn extended<'py>(
        &self,
        py: Python<'py>,
        robots: Vec<RobotValues<'py>>,
        obstacles: Vec<ObstacleValues<'py>>,
        clouds: Vec<CloudValues>,
        spares: Vec<SpareValues>,
        groups: BTreeMap<String, Vec<String>>,
        allowed: Vec<(String, String, String)>,
        checks: Vec<(String, String)>,
        margin: Option<f64>,
        padding: Option<f64>,
        allow_zero_overlaps: Option<bool>,
    ) -> PyResult<PyWorld> {
        let mut description = (*self.description).clone();
        description.margin = margin.unwrap_or(description.margin);
        description.padding = padding.unwrap_or(description.padding);
        description.allow_zero_overlaps = allow_zero_overlaps.unwrap_or(description.allow_zero_overlaps);
        let parts = Parts { robots, obstacles, clouds, spares, groups, allowed, checks };
        add_parts(&mut description, parts)?;
        let world = PyWorld::compile(py, description)?;
        Ok(world.with_files(self.touch.clone(), self.warnings.clone(), self.files.clone()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let state = (&*self.description, &*self.touch, &self.warnings, &self.files, self.world.fingerprint());
        reduce_to(py, "restore_world", &state)
    }

    /// The full names of the joint values, in their order: `robot/joint`.
    #[getter]
    fn joint_names(&self) -> Vec<&str> {
        self.world.dof_names().iter().map(String::as_str).collect()
    }

    /// How many joint values a pose has.
    #[getter(dof)]
    fn dof_count(&self) -> usize {
        self.world.dof_names().len()
    }

    /// The least value of each joint (radians, metres, shape (dof,)); minus infinity where there is no limit.
    #[getter]
    fn lower<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.world.value_ranges().iter().map(|range| range.lower))
    }

    /// The greatest value of each joint (radians, metres, shape (dof,)); infinite where there is no limit.
    #[getter]
    fn upper<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.world.value_ranges().iter().map(|range| range.upper))
    }

    /// Joint values to start from: zero, or the number nearest to it that limits allow (shape (dof,)).
    #[getter]
    fn neutral<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.world.neutral_values().into_pyarray(py)
    }

    /// Clearance below which a verdict is near (metres).
    #[getter]
    fn margin(&self) -> f64 {
        self.world.margin()
    }

    /// A number that differs for worlds that differ in anything that answers depend on.
    #[getter]
    fn fingerprint(&self) -> u64 {
        self.world.fingerprint()
    }

    /// The full names of all bodies: `robot/link`, `world/obstacle`.
    #[getter]
    fn bodies(&self) -> Vec<&str> {
        self.world.bodies().iter().map(|body| &*body.name).collect()
    }

    /// The names of the groups that `Checker.between` takes: robots, `world`, and those of the description.
    #[getter]
    fn groups(&self) -> Vec<&str> {
        self.world.groups().iter().map(|group| &*group.name).collect()
    }

    /// How many pairs of bodies are checked.
    #[getter]
    fn pair_count(&self) -> usize {
        self.world.pairs().len()
    }

    /// The full names of the two bodies of a checked pair, by its number.
    fn pair_names(&self, pair: u32) -> PyResult<(&str, &str)> {
        let count = self.world.pairs().len();
        let names = self.world.pair_names(PairId(pair)).map(|[a, b]| (a, b));
        names.ok_or_else(|| value_error(format!("there is no pair {pair}: {count} pairs are checked")))
    }

    /// What a person should know of the files, though the world can be used.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// Every file that was read for it.
    #[getter]
    fn files(&self) -> Vec<String> {
        self.files.iter().map(|file| file.display().to_string()).collect()
    }

    /// Random poses within limits, shape (n, dof). A seed gives the same poses on every machine, and those of
    /// `elbowroom check --random N --seed SEED`. Joints without limits are drawn within half a turn.
    #[pyo3(signature = (n, seed=0))]
    fn random<'py>(&self, py: Python<'py>, n: usize, seed: u64) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let drawn = py.detach(|| draw_poses(&self.world, n, seed));
        let none = "no poses: the limits of joints contradict each other, or there is no memory for so many";
        let values = drawn.ok_or_else(|| engine_error(py, none.into()))?;
        PyArray1::from_vec(py, values).reshape([n, self.dof_count()])
    }

    /// The clearance of one pose: an `Answer`, with the nearest pair, its points, and the gradient.
    ///
    /// Parameters
    /// ----------
    /// q: joint values, shape (dof,). margin: clearance below which the verdict is near (metres), in place of
    /// the world's. cutoff: beyond this (metres) a lower bound is enough. hulls: meshes count as their convex
    /// hulls. depth: how narrowly overlaps of meshes that are not convex are bracketed: "rough", "ordinary",
    /// "tight".
    ///
    /// Raises `PoseError` for values that are not a pose within limits, ValueError for a wrong shape,
    /// TypeError for what is not numbers.
    #[pyo3(signature = (q, *, margin=None, cutoff=None, hulls=false, depth=None))]
    fn nearest(
        &self,
        py: Python<'_>,
        q: &Bound<'_, PyAny>,
        margin: Option<f64>,
        cutoff: Option<f64>,
        hulls: bool,
        depth: Option<&str>,
    ) -> PyResult<PyAnswer> {
        let pose = read_pose(q, self.dof_count())?;
        let question = Asked { margin, cutoff, hulls, depth }.question(Question::distance())?;
        self.ask_at(py, &pose, |world, checker| PyAnswer::ask(world, checker, &question))
    }

    /// Whether poses are farther from contact than the margin: a `Verdict` for one pose of shape (dof,), and
    /// an array of verdicts (uint8, shape (n,)) for n poses of shape (n, dof). Many are asked on all threads.
    ///
    /// `margin` and `hulls` are as in `nearest`. `progress` is called with the number of poses that were
    /// done.
    #[pyo3(signature = (q, *, margin=None, hulls=false, progress=None))]
    fn test(
        &self,
        py: Python<'_>,
        q: &Bound<'_, PyAny>,
        margin: Option<f64>,
        hulls: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let asked = Asked { margin, cutoff: None, hulls, depth: None };
        let question = asked.question(Question::test())?;
        match read_poses(q, self.dof_count())? {
            Poses::One(pose) => {
                let verdict = self.ask_at(py, &pose, |_, checker| checker.ask(&question).verdict)?;
                member_of(py, verdict)
            }
            Poses::Many(rows) => {
                let codes =
                    test_rows(py, &self.world, rows.as_slice()?, rows.shape()[0], &question, progress)?;
                Ok(codes.into_pyarray(py).into_any().unbind())
            }
        }
    }

    /// The clearance of many poses, asked on all threads: `Clearances`, with arrays `verdict`, `lower`,
    /// `upper` and `pair`.
    ///
    /// `q` has the shape (n, dof). `margin`, `cutoff`, `hulls` and `depth` are as in `nearest`. `progress` is
    /// called with the number of poses that were done.
    #[pyo3(signature = (q, *, margin=None, cutoff=None, hulls=false, depth=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "keywords of Python")]
    fn clearance(
        &self,
        py: Python<'_>,
        q: &Bound<'_, PyAny>,
        margin: Option<f64>,
        cutoff: Option<f64>,
        hulls: bool,
        depth: Option<&str>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClearances> {
        let question = Asked { margin, cutoff, hulls, depth }.question(Question::distance())?;
        match read_poses(q, self.dof_count())? {
            Poses::One(pose) => clearances_of_rows(py, &self.world, &pose, 1, &question, progress),
            Poses::Many(rows) => {
                let (values, count) = (rows.as_slice()?, rows.shape()[0]);
                clearances_of_rows(py, &self.world, values, count, &question, progress)
            }
        }
    }

    /// Whether the straight way of all joints between two poses is free at every instant: an `Edge`.
    ///
    /// Parameters
    /// ----------
    /// q0, q1: joint values, shape (dof,).
    /// margin: free means farther apart than this (metres), contact means nearer; in place of the world's.
    /// hulls: meshes count as their convex hulls.
    /// first: look for the first contact. Otherwise any contact ends the search, which is far quicker.
    /// resolution: parts of the way on which a pair moves less than this (metres) are not halved again.
    /// work: most pairs that are asked on parts of the way.
    #[pyo3(signature = (q0, q1, *, margin=None, hulls=false, first=true, resolution=None, work=None))]
    #[allow(clippy::too_many_arguments, reason = "keywords of Python")]
    fn edge(
        &self,
        py: Python<'_>,
        q0: &Bound<'_, PyAny>,
        q1: &Bound<'_, PyAny>,
        margin: Option<f64>,
        hulls: bool,
        first: bool,
        resolution: Option<f64>,
        work: Option<u64>,
    ) -> PyResult<PyEdge> {
        let ends = [read_pose(q0, self.dof_count())?, read_pose(q1, self.dof_count())?];
        let options = edge_options(margin, hulls, first, resolution, work)?;
        let waiting = self.motions.take_value(py);
        let mut motions = waiting.unwrap_or_else(|| OwnedMotions::new(self.world.clone()));
        let asked = motions.lend_mut(|motions| ask_edge(py, &self.world, motions, ends, options));
        self.motions.give_back(py, motions);
        asked
    }

    /// What is proved of two bodies over all poses within limits: a `Proof`. `boxes` is the most work; meshes
    /// count as their hulls if `hulls` says so.
    #[pyo3(signature = (body_a, body_b, *, hulls=false, boxes=None))]
    fn prove(
        &self,
        py: Python<'_>,
        body_a: &str,
        body_b: &str,
        hulls: bool,
        boxes: Option<u64>,
    ) -> PyResult<PyProof> {
        let (a, b) = (find_body(py, &self.world, body_a)?, find_body(py, &self.world, body_b)?);
        Ok(prove_pair(py, &self.world, BodyPair { a: a.min(b), b: a.max(b) }, hulls, boxes))
    }

    fn __repr__(&self) -> String {
        let robots: Vec<&str> = self.world.robots().iter().map(|robot| &*robot.name).collect();
        format!(
            "World({}; {} joint values, {} bodies, {} pairs checked)",
            robots.join(", "),
            self.dof_count(),
            self.world.bodies().len(),
            self.world.pairs().len()
        )
    }
}
