//! The methods of the class `World`.

use crate::answer::PyAnswer;
use crate::arrays::{Poses, read_coefficients, read_motions, read_pose, read_poses};
use crate::batch::{PyClearances, Wanted, clearances_of_poses, test_few, test_rows};
use crate::describe::{CloudValues, ObstacleValues, Parts, RobotValues, SpareValues, TouchNames, add_parts};
use crate::draw::draw_poses;
use crate::edge::{AskedMotion, PyEdge};
use crate::edges::{PyEdges, ask_edges, ask_few_edges};
use crate::edit::EditParts;
use crate::errors::{spline_error, value_error};
use crate::geometry::{body_geometry, frames_array};
use crate::named::find_body;
use crate::pickle::{Reduced, reduce_to};
use crate::pose::PyPose;
use crate::prove::{PyProof, prove_pair};
use crate::question::{Asked, edge_options};
use crate::threads::are_few_rows;
use crate::verdict::member_of;
use crate::world::PyWorld;
use elbowroom::describe::WorldDescription;
use elbowroom::motion::SplinePiece;
use elbowroom::world::{AskedWorld, BodyPair};
use elbowroom::{Answer, PairId, Question};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::sync::Arc;

#[pymethods]
impl PyWorld {
    /// A world made of Python's values: `help(World)` has its parameters.
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
        let mut touch = TouchNames::new();
        let parts = Parts { robots, obstacles, clouds, spares, groups, allowed, checks };
        add_parts(&mut description, &mut touch, parts)?;
        Ok(PyWorld::compile(py, description)?.with_files(Arc::new(touch), Vec::new(), Vec::new()))
    }

    /// A new world: this one and more. The parameters are those of `World`; numbers that are not given stay.
    /// If this world lists `checks`, a part without a check raises ValueError. If it lists none, the `checks`
    /// given here are the only pairs that the new world checks.
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
        self.extend(py, description, Parts { robots, obstacles, clouds, spares, groups, allowed, checks })
    }

    /// A new world: this one, edited. It shares all compiled shapes with this world, so it is made much
    /// faster than `extended` makes one, and `Checker.migrate_to` takes a checker over to it.
    ///
    /// Parameters
    /// ----------
    /// add: a list of `Obstacle` that are neither movable nor attached.
    /// remove: the full names of fixed obstacles, as `world/post`. Their names are free for `add`.
    /// replace: obstacles in the place of those of the same names. Rules for pairs mean the new ones.
    /// pad: by name of a robot, the padding of all its shapes (metres), in place of the one that they have.
    /// allow: pairs that are not checked any more: (body or group, body or group, reason).
    /// check: pairs that were allowed by `allowed` or `allow` and are checked again: (body or group, body or
    ///     group).
    ///
    /// Raises `WorldError`, which has everything that is wrong as `faults`, and ValueError if this world
    /// lists `checks` that leave out a new obstacle.
    #[pyo3(signature = (*, add=Vec::new(), remove=Vec::new(), replace=Vec::new(), pad=BTreeMap::new(),
        allow=Vec::new(), check=Vec::new()))]
    #[allow(clippy::too_many_arguments, reason = "keywords of Python")]
    fn edited<'py>(
        &self,
        py: Python<'py>,
        add: Vec<ObstacleValues<'py>>,
        remove: Vec<String>,
        replace: Vec<ObstacleValues<'py>>,
        pad: BTreeMap<String, f64>,
        allow: Vec<(String, String, String)>,
        check: Vec<(String, String)>,
    ) -> PyResult<PyWorld> {
        self.edit(py, EditParts { add, remove, replace, pad, allow, check })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let rest = (&*self.touch, &self.warnings, &self.files, self.world.fingerprint());
        let state = (&*self.description, &self.edits, rest);
        reduce_to(py, "restore_world", &state)
    }

    /// The full names of the joint values, in their order: `robot/joint`.
    #[getter]
    fn joint_names(&self) -> Vec<&str> {
        self.world.dof_names().iter().map(String::as_str).collect()
    }

    /// The number of joint values of a pose.
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

    /// Joint values to start from: zero, or the value nearest to zero within the limits (shape (dof,)).
    #[getter]
    fn neutral<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.world.neutral_values().into_pyarray(py)
    }

    /// Clearance below which a verdict is near (metres).
    #[getter]
    fn margin(&self) -> f64 {
        self.world.margin()
    }

    /// A hash of everything that answers depend on. Worlds with other answers have other fingerprints.
    #[getter]
    fn fingerprint(&self) -> u64 {
        self.world.fingerprint()
    }

    /// The full names of all bodies: `robot/link`, `world/obstacle`.
    #[getter]
    fn bodies(&self) -> Vec<&str> {
        self.world.bodies().iter().map(|body| &*body.name).collect()
    }

    /// The names of the groups that `Checker.between` takes: each robot, and `world`. If the description
    /// lists `checks`, there are instead the bodies and groups that `checks` names.
    #[getter]
    fn groups(&self) -> Vec<&str> {
        self.world.groups().iter().map(|group| &*group.name).collect()
    }

    /// The number of pairs of bodies that are checked.
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

    /// Warnings about the files. The world can be used all the same.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// Every file that was read for this world.
    #[getter]
    fn files(&self) -> Vec<String> {
        self.files.iter().map(|file| file.display().to_string()).collect()
    }

    /// Random poses within limits, shape (n, dof). A seed gives the same poses on every machine, and those of
    /// `elbowroom check --random N --seed SEED`. Joints without limits are drawn within half a turn.
    #[pyo3(signature = (n, seed=0))]
    fn random<'py>(&self, py: Python<'py>, n: usize, seed: u64) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let values = draw_poses(py, &self.world, n, seed)?;
        PyArray1::from_vec(py, values).reshape([n, self.dof_count()])
    }

    /// The clearance of one pose: an `Answer`, with the nearest pair, its points, and the gradient.
    ///
    /// Parameters
    /// ----------
    /// q: joint values, shape (dof,).
    /// margin: clearance below which the verdict is near (metres), in place of the world's.
    /// cutoff: beyond this (metres) a lower bound is enough; `upper` is then infinite.
    /// hulls: meshes count as their convex hulls.
    /// depth: how narrow the interval of overlapping meshes is: "rough", "ordinary" or "tight".
    ///
    /// Raises `PoseError` for values that are not a pose within limits, ValueError for a wrong shape,
    /// TypeError for values that are not numbers.
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
        let question = Asked { margin, cutoff, hulls, depth }.build_question(Question::distance())?;
        let mut answer = Answer::default();
        self.checkers.ask_at(py, &pose, |checker| answer = checker.ask(&question))?;
        Ok(PyAnswer::at_pose(&self.checkers, pose, &answer))
    }

    /// Whether poses are farther from contact than the margin. For one pose, of shape (dof,): a `Verdict`.
    /// For n poses, of shape (n, dof): an array of shape (n,) with the numbers of `Verdict` (uint8; 0 is
    /// clear, 4 is unknown). All threads ask them; the thread that calls begins alone with a few. If one pose
    /// is refused, `PoseError` is raised, and there is no array.
    ///
    /// `margin` and `hulls` are as in `nearest`. `progress` is called with the number of poses that are newly
    /// done; True shows a bar of `tqdm`.
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
        let question = asked.build_question(Question::test())?;
        match read_poses(q, self.dof_count())? {
            Poses::One(pose) => {
                let verdict = self.checkers.ask_at(py, &pose, |checker| checker.ask(&question).verdict)?;
                member_of(py, verdict)
            }
            Poses::Many(rows) => {
                self.prepare_all(py)?;
                let codes = if are_few_rows(rows.count) {
                    self.lend_batch(py, |batch| test_few(py, &self.world, batch, &rows, &question, progress))?
                } else {
                    test_rows(py, AskedWorld::Compiled(&self.world), &rows, &question, progress)?
                };
                Ok(codes.into_pyarray(py).into_any().unbind())
            }
        }
    }

    /// The clearances of many poses, on all threads: `Clearances`, with arrays `verdict`, `lower`, `upper`,
    /// `pair`. If a pose is refused, `PoseError` is raised: there are no arrays.
    ///
    /// `q` has the shape (n, dof). The keywords are as in `nearest`, and `progress` as in `test`. `gradient`
    /// and `points` add the arrays `gradient`, and `witness_a` and `witness_b`.
    #[pyo3(signature = (q, *, margin=None, cutoff=None, hulls=false, depth=None, gradient=false,
        points=false, progress=None))]
    #[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "keywords of Python")]
    fn clearance(
        &self,
        py: Python<'_>,
        q: &Bound<'_, PyAny>,
        margin: Option<f64>,
        cutoff: Option<f64>,
        hulls: bool,
        depth: Option<&str>,
        gradient: bool,
        points: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClearances> {
        let wanted = Wanted { gradient, points };
        let question = Asked { margin, cutoff, hulls, depth }.build_question(Question::distance())?;
        self.prepare_all(py)?;
        let asked = AskedWorld::Compiled(&self.world);
        clearances_of_poses(py, &self.world, asked, q, &question, wanted, progress)
    }

    /// Whether the straight motion between two poses (in joint values) is free at every instant: an `Edge`.
    ///
    /// Parameters
    /// ----------
    /// q0, q1: joint values, shape (dof,).
    /// margin: free means farther apart than this (metres), contact means nearer; in place of the world's.
    /// hulls: meshes count as their convex hulls.
    /// first: look for the first contact. If False, any contact ends the search: it is far quicker, and the
    ///     contact is usually not the first.
    /// resolution: a part of the motion in which a pair moves less than this (metres) is not halved again;
    ///     1e-6 without it. In narrower gaps ask for a finer one.
    /// work: how many pairs may be asked on parts of the motion; then the outcome is "unknown".
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
        self.ask_motion(py, AskedMotion::Straight(ends), options)
    }

    /// Whether a piece of a spline in time is free at every instant, wherever its joints are within a
    /// tolerance: an `Edge`, whose fractions are those of the piece. `load_splines` reads the pieces of a
    /// motion.
    ///
    /// Parameters
    /// ----------
    /// seconds: how long the piece takes.
    /// coefficients: shape (dof, 6): each joint value by power of the seconds since the piece began.
    /// tolerance: how far each joint value may be off at every instant, each by itself; shape (dof,)
    ///     (radians, metres).
    ///
    /// The other keywords are as in `edge`. Raises `PoseError` if the piece leaves limits, also between its
    /// ends.
    #[pyo3(signature = (seconds, coefficients, *, tolerance=None, margin=None, hulls=false, first=true,
        resolution=None, work=None))]
    #[allow(clippy::too_many_arguments, reason = "keywords of Python")]
    fn spline(
        &self,
        py: Python<'_>,
        seconds: f64,
        coefficients: &Bound<'_, PyAny>,
        tolerance: Option<&Bound<'_, PyAny>>,
        margin: Option<f64>,
        hulls: bool,
        first: bool,
        resolution: Option<f64>,
        work: Option<u64>,
    ) -> PyResult<PyEdge> {
        let rows = read_coefficients(coefficients, self.dof_count())?;
        let mut piece = SplinePiece::new(&self.world, seconds, &rows);
        if let Some(tolerance) = tolerance {
            let tolerance = read_pose(tolerance, self.dof_count())?;
            piece = piece.and_then(|piece| piece.with_tolerance(&self.world, &tolerance));
        }
        let piece = piece.map_err(|fault| spline_error(py, &fault))?;
        let options = edge_options(margin, hulls, first, resolution, work)?;
        self.ask_motion(py, AskedMotion::Spline(piece), options)
    }

    /// Whether the straight motions from each row of `q0` to the same row of `q1` are free: `Edges`, with
    /// arrays `free`, `contact`, `first_contact`, `free_until`. All threads ask them; the thread that calls
    /// begins alone with a few. If a pose is refused, `PoseError` is raised, and there are no arrays.
    ///
    /// `q0` and `q1` have the shape (n, dof). The keywords are as in `edge`, and `progress` as in `test`.
    /// There are no certificates: `edge` has that of one motion.
    #[pyo3(signature = (q0, q1, *, margin=None, hulls=false, first=true, resolution=None, work=None,
        progress=None))]
    #[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "keywords of Python")]
    fn edges(
        &self,
        py: Python<'_>,
        q0: &Bound<'_, PyAny>,
        q1: &Bound<'_, PyAny>,
        margin: Option<f64>,
        hulls: bool,
        first: bool,
        resolution: Option<f64>,
        work: Option<u64>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyEdges> {
        let rows = read_motions(q0, q1, self.dof_count())?;
        let options = edge_options(margin, hulls, first, resolution, work)?;
        self.prepare_all(py)?;
        if are_few_rows(rows[0].count) {
            return self.lend_motions(py, |motions| {
                ask_few_edges(py, &self.world, motions, None, &rows, &options, progress)
            });
        }
        ask_edges(py, &self.world, None, &rows, &options, progress)
    }

    /// The shapes of a body, each with its pose in the body: a list of pairs (`Shape`, `Pose`), as `Obstacle`
    /// takes it. Padding is that of the shape and that of the world. Clouds and spare places have none.
    pub fn geometry(&self, py: Python<'_>, body: &str) -> PyResult<Vec<(Py<PyAny>, PyPose)>> {
        body_geometry(py, self, find_body(py, &self.world, body)?)
    }

    /// The radius of the points of each cloud (metres), by the full name of the cloud.
    #[getter]
    fn cloud_radii(&self) -> BTreeMap<String, f64> {
        let clouds = self.description.clouds.iter();
        clouds.map(|cloud| (format!("world/{}", cloud.name), cloud.radius)).collect()
    }

    /// The frames of all bodies in the world, in the order of `bodies`: matrices, shape (bodies, 4, 4). For n
    /// poses of shape (n, dof): (n, bodies, 4, 4).
    fn frames<'py>(&self, py: Python<'py>, q: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        frames_array(py, &self.world, q)
    }

    /// Shows a pose in the browser, with the nearest points and a slider for each joint: a `Picture`.
    /// Without `q`: the pose `neutral`. Needs `pip install 'elbowroom[pictures]'`. The keywords are those of
    /// `elbowroom.pictures.show`, which shows the changes of a `Checker`, too.
    #[pyo3(signature = (q=None, **keywords))]
    fn show<'py>(
        slf: &Bound<'py, Self>,
        q: Option<&Bound<'py, PyAny>>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("elbowroom.pictures")?.call_method("show", (slf, q), keywords)
    }

    /// Shows a motion in the browser: poses `q` of shape (n, dof) at the times `t` (seconds, shape (n,)),
    /// with a slider and the clearance over time: a `Picture`. The keywords are those of
    /// `elbowroom.pictures.play`.
    #[pyo3(signature = (q, t=None, **keywords))]
    fn play<'py>(
        slf: &Bound<'py, Self>,
        q: &Bound<'py, PyAny>,
        t: Option<&Bound<'py, PyAny>>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("elbowroom.pictures")?.call_method("play", (slf, q, t), keywords)
    }

    /// Proves whether two bodies can touch at any pose within limits: a `Proof`. `boxes`: the most work, in
    /// boxes of joint values. `hulls`: meshes count as their convex hulls. Movable bodies do not move.
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
        let (dof, bodies, pairs) = (self.dof_count(), self.world.bodies().len(), self.world.pairs().len());
        format!("World({}; {dof} joint values, {bodies} bodies, {pairs} pairs checked)", robots.join(", "))
    }
}
