//! A checker: a world that changes while it is asked.

use crate::answer::PyAnswer;
use crate::arrays::{Poses, read_pose, read_poses, read_rows};
use crate::batch::test_changed_rows;
use crate::edge::{OwnedMotions, PyEdge, ask_edge};
use crate::errors::{busy_error, change_error, pose_error};
use crate::named::find_body;
use crate::pose::{matrix_array, read_transform};
use crate::question::{Asked, edge_options};
use crate::shape::spare_shape;
use crate::verdict::member_of;
use crate::world::PyWorld;
use elbowroom::pose::ChangeFault;
use elbowroom::world::{BodyId, GroupId, PairStatus};
use elbowroom::{Checker, OwnedChecker, Question, World};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A world that changes while it is asked: movable obstacles are placed, attached and hidden, spare places
/// filled, clouds given points, pairs allowed. The world stays as it was; other checkers do not know.
///
/// One thread asks it at a time: another one gets `BusyError`, and takes a `copy()`. Bodies are named in
/// full: `robot/link`, `world/obstacle`. A change that makes no sense raises `ChangeError` and changes
/// nothing.
#[pyclass(name = "Checker", module = "elbowroom", frozen)]
pub struct PyChecker {
    world: Arc<World>,
    touch: Arc<BTreeMap<String, Vec<String>>>,
    /// Absent while it is asked. Looked at with the interpreter's lock held.
    place: Mutex<Option<Asker>>,
}

/// What is asked, by one thread at a time.
struct Asker {
    checker: OwnedChecker,
    motions: Option<OwnedMotions>,
}

impl PyChecker {
    /// Lends what is asked, without the interpreter's lock.
    fn lend<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl for<'w> FnOnce(&mut Checker<'w>) -> T + Send,
    ) -> PyResult<T> {
        let mut asker = self.take_asker(py)?;
        let (asker, asked) = py.detach(move || {
            let asked = asker.checker.lend_mut(ask);
            (asker, asked)
        });
        self.put_back(asker);
        Ok(asked)
    }

    fn take_asker(&self, py: Python<'_>) -> PyResult<Asker> {
        let taken = self.place.lock().unwrap_or_else(PoisonError::into_inner).take();
        taken.ok_or_else(|| busy_error(py))
    }

    fn put_back(&self, asker: Asker) {
        *self.place.lock().unwrap_or_else(PoisonError::into_inner) = Some(asker);
    }

    fn change(
        &self,
        py: Python<'_>,
        change: impl for<'w> FnOnce(&mut Checker<'w>) -> Result<(), ChangeFault> + Send,
    ) -> PyResult<()> {
        self.lend(py, change)?.map_err(|fault| change_error(py, fault))
    }

    /// Sets it to a pose, if one is given, and asks.
    fn ask_at<T: Send>(
        &self,
        py: Python<'_>,
        q: Option<&Bound<'_, PyAny>>,
        ask: impl for<'w> FnOnce(&Arc<World>, &mut Checker<'w>) -> T + Send,
    ) -> PyResult<T> {
        let count = self.world.dof_names().len();
        let pose = q.map(|q| read_pose(q, count)).transpose()?;
        let asked = self.lend(py, |checker| {
            pose.as_ref().map_or(Ok(()), |pose| checker.set(pose))?;
            Ok(ask(&self.world, checker))
        })?;
        asked.map_err(|fault| pose_error(py, &fault))
    }

    fn body(&self, py: Python<'_>, name: &str) -> PyResult<BodyId> {
        find_body(py, &self.world, name)
    }

    fn group(&self, py: Python<'_>, name: &str) -> PyResult<GroupId> {
        let found = self.world.group_by_name(name);
        found.ok_or_else(|| change_error(py, format!("there is no group {name:?}; see World.groups")))
    }
}

#[pymethods]
impl PyChecker {
    #[new]
    fn new(py: Python<'_>, world: &Bound<'_, PyWorld>) -> PyChecker {
        let of = world.get();
        let asker = py.detach(|| Asker { checker: OwnedChecker::new(of.world.clone()), motions: None });
        let (world, touch) = (of.world.clone(), of.touch.clone());
        PyChecker { world, touch, place: Mutex::new(Some(asker)) }
    }

    /// Another checker in the same state, for another thread.
    fn copy(&self, py: Python<'_>) -> PyResult<PyChecker> {
        let asker = self.take_asker(py)?;
        let checker = asker.checker.clone();
        self.put_back(asker);
        let place = Mutex::new(Some(Asker { checker, motions: None }));
        Ok(PyChecker { world: self.world.clone(), touch: self.touch.clone(), place })
    }

    /// Moves everything to joint values, shape (dof,).
    fn set(&self, py: Python<'_>, q: &Bound<'_, PyAny>) -> PyResult<()> {
        self.ask_at(py, Some(q), |_, _| ())
    }

    /// The joint values, shape (dof,).
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(self.lend(py, |checker| checker.values().to_vec())?.into_pyarray(py))
    }

    /// Where a body is in the world, shape (4, 4).
    fn body_pose<'py>(&self, py: Python<'py>, body: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let id = self.body(py, body)?;
        let at = self.lend(py, |checker| checker.body_in_world(id))?;
        matrix_array(py, &at.ok_or_else(|| change_error(py, format!("{body:?} is nowhere")))?)
    }

    /// The clearance at `q`, or where it is: an `Answer`. Keywords are those of `World.nearest`.
    #[pyo3(signature = (q=None, *, margin=None, cutoff=None, hulls=false, depth=None))]
    fn nearest(
        &self,
        py: Python<'_>,
        q: Option<&Bound<'_, PyAny>>,
        margin: Option<f64>,
        cutoff: Option<f64>,
        hulls: bool,
        depth: Option<&str>,
    ) -> PyResult<PyAnswer> {
        let question = Asked { margin, cutoff, hulls, depth }.question(Question::distance())?;
        self.ask_at(py, q, |world, checker| PyAnswer::ask(world, checker, &question))
    }

    /// Whether poses are farther from contact than the margin: as `World.test`, with all changes. Without
    /// `q`, where it is.
    #[pyo3(signature = (q=None, *, margin=None, hulls=false, progress=None))]
    fn test(
        &self,
        py: Python<'_>,
        q: Option<&Bound<'_, PyAny>>,
        margin: Option<f64>,
        hulls: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let asked = Asked { margin, cutoff: None, hulls, depth: None };
        let question = asked.question(Question::test())?;
        if let Some(q) = q
            && let Poses::Many(rows) = read_poses(q, self.world.dof_names().len())?
        {
            let copy = self.copy(py)?;
            let asker = copy.take_asker(py)?;
            let (values, count) = (rows.as_slice()?, rows.shape()[0]);
            let codes = asker
                .checker
                .lend(|checker| test_changed_rows(py, checker, values, count, &question, progress))?;
            return Ok(codes.into_pyarray(py).into_any().unbind());
        }
        let verdict = self.ask_at(py, q, |_, checker| checker.ask(&question).verdict)?;
        member_of(py, verdict)
    }

    /// The answers of all pairs that are checked, the nearest first: a list of `Answer`. With a `cutoff` only
    /// those that are not proved to be farther apart (metres); at most `k`.
    #[pyo3(signature = (q=None, *, k=None, margin=None, cutoff=None, hulls=false, depth=None))]
    #[allow(clippy::too_many_arguments, reason = "keywords of Python")]
    fn pairs(
        &self,
        py: Python<'_>,
        q: Option<&Bound<'_, PyAny>>,
        k: Option<usize>,
        margin: Option<f64>,
        cutoff: Option<f64>,
        hulls: bool,
        depth: Option<&str>,
    ) -> PyResult<Vec<PyAnswer>> {
        let question = Asked { margin, cutoff, hulls, depth }.question(Question::distance())?;
        self.ask_at(py, q, |world, checker| {
            let mut found = Vec::new();
            checker.nearest_k(k.unwrap_or(usize::MAX), &question, &mut found);
            found.iter().map(|answer| PyAnswer::of_pair(world, checker, answer)).collect()
        })
    }

    /// The clearance between two groups, or within one: an `Answer`. `World.groups` has their names.
    #[pyo3(signature = (group_a, group_b, q=None, *, margin=None, cutoff=None, hulls=false, depth=None))]
    #[allow(clippy::too_many_arguments, reason = "keywords of Python")]
    fn between(
        &self,
        py: Python<'_>,
        group_a: &str,
        group_b: &str,
        q: Option<&Bound<'_, PyAny>>,
        margin: Option<f64>,
        cutoff: Option<f64>,
        hulls: bool,
        depth: Option<&str>,
    ) -> PyResult<PyAnswer> {
        let question = Asked { margin, cutoff, hulls, depth }.question(Question::distance())?;
        let groups = [self.group(py, group_a)?, self.group(py, group_b)?];
        self.ask_at(py, q, |world, checker| {
            let answer = checker.between(groups, &question).unwrap_or_default();
            PyAnswer::of(world, checker, &answer)
        })
    }

    /// Whether the straight way between two poses is free, with all changes: an `Edge`. Keywords are those of
    /// `World.edge`. Its certificate is proved again in the world, without the changes.
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
        let count = self.world.dof_names().len();
        let ends = [read_pose(q0, count)?, read_pose(q1, count)?];
        let options = edge_options(margin, hulls, first, resolution, work)?;
        let mut asker = self.take_asker(py)?;
        let Asker { checker, motions } = &mut asker;
        let motions = motions.get_or_insert_with(|| OwnedMotions::new(self.world.clone()));
        let asked = checker.lend(|checker| {
            motions.lend_mut(|motions| {
                motions.copy_state_from(checker);
                ask_edge(py, &self.world, motions, ends, options)
            })
        });
        self.put_back(asker);
        asked
    }

    /// Puts a movable body at a pose in the world.
    fn place(&self, py: Python<'_>, body: &str, pose: &Bound<'_, PyAny>) -> PyResult<()> {
        let (id, at) = (self.body(py, body)?, read_transform(Some(pose))?);
        self.change(py, |checker| checker.place(id, &at))
    }

    /// Lets a body carry a movable one: where that is, or at a pose in the carrier's frame. It may touch what
    /// `touch` names; without it, what its file says.
    #[pyo3(signature = (body, carrier, *, touch=None, pose=None))]
    fn attach(
        &self,
        py: Python<'_>,
        body: &str,
        carrier: &str,
        touch: Option<Vec<String>>,
        pose: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (id, by) = (self.body(py, body)?, self.body(py, carrier)?);
        let names = touch.or_else(|| self.touch.get(body).cloned()).unwrap_or_default();
        let touch: Vec<BodyId> =
            names.iter().map(|name| self.body(py, name)).collect::<PyResult<Vec<_>>>()?;
        match pose.map(|pose| read_transform(Some(pose))).transpose()? {
            Some(at) => self.change(py, |checker| checker.attach_at(id, by, &at, &touch)),
            None => self.change(py, |checker| checker.attach(id, by, &touch)),
        }
    }

    /// Lets a carried body go: it rests where it is.
    fn detach(&self, py: Python<'_>, body: &str) -> PyResult<()> {
        let id = self.body(py, body)?;
        self.change(py, |checker| checker.detach(id))
    }

    /// A movable body is not there, until `show`.
    fn hide(&self, py: Python<'_>, body: &str) -> PyResult<()> {
        let id = self.body(py, body)?;
        self.change(py, |checker| checker.hide(id))
    }

    /// Ends `hide`.
    fn show(&self, py: Python<'_>, body: &str) -> PyResult<()> {
        let id = self.body(py, body)?;
        self.change(py, |checker| checker.show(id))
    }

    /// A pair of bodies is not checked, until `check_again`.
    fn allow(&self, py: Python<'_>, body_a: &str, body_b: &str) -> PyResult<()> {
        let (a, b) = (self.body(py, body_a)?, self.body(py, body_b)?);
        self.change(py, |checker| checker.allow_contact(a, b))
    }

    /// Ends `allow`.
    fn check_again(&self, py: Python<'_>, body_a: &str, body_b: &str) -> PyResult<()> {
        let (a, b) = (self.body(py, body_a)?, self.body(py, body_b)?);
        self.change(py, |checker| checker.check_again(a, b))
    }

    /// Moves a door or a drawer along its joint (radians, metres).
    fn set_door(&self, py: Python<'_>, body: &str, value: f64) -> PyResult<()> {
        let id = self.body(py, body)?;
        self.change(py, |checker| checker.set_door(id, value))
    }

    /// Fills a spare place with a convex shape, or a pair (shape, pose in the place's frame), and puts the
    /// place at a pose in the world, if one is given. `hull` takes the hull of a mesh that is not convex.
    #[pyo3(signature = (place, shape, pose=None, *, hull=false))]
    fn insert(
        &self,
        py: Python<'_>,
        place: &str,
        shape: &Bound<'_, PyAny>,
        pose: Option<&Bound<'_, PyAny>>,
        hull: bool,
    ) -> PyResult<()> {
        let (id, shape) = (self.body(py, place)?, spare_shape(py, shape, hull)?);
        let at = pose.map(|pose| read_transform(Some(pose))).transpose()?;
        self.change(py, |checker| {
            // A pose that is refused leaves the place as it was.
            let before = checker.inserted_obstacle(id).cloned();
            checker.insert_obstacle(id, &shape)?;
            let placed = at.map_or(Ok(()), |at| checker.place(id, &at));
            if placed.is_err() {
                match before {
                    Some(before) => checker.insert_obstacle(id, &before)?,
                    None => checker.remove_obstacle(id)?,
                }
            }
            placed
        })
    }

    /// Empties a spare place.
    fn remove(&self, py: Python<'_>, place: &str) -> PyResult<()> {
        let id = self.body(py, place)?;
        self.change(py, |checker| checker.remove_obstacle(id))
    }

    /// Gives a cloud these points in place of those before (metres, shape (n, 3), in the world). Until a
    /// cloud has points, nothing is known of what is there, and verdicts are unknown.
    fn update_cloud(&self, py: Python<'_>, cloud: &str, points: &Bound<'_, PyAny>) -> PyResult<()> {
        let (id, points) = (self.body(py, cloud)?, read_rows(points, "points")?);
        self.change(py, |checker| checker.update_cloud(id, &points))
    }

    /// The numbers of the points of a cloud that are at most `within` (metres) from what joints move: where a
    /// camera saw the robot itself (int64).
    fn self_points<'py>(
        &self,
        py: Python<'py>,
        cloud: &str,
        within: f64,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let id = self.body(py, cloud)?;
        let found = self.lend(py, |checker| {
            let mut own = Vec::new();
            checker.find_self_points(id, within, &mut own).map(|()| own)
        })?;
        let own = found.map_err(|fault| change_error(py, fault))?;
        Ok(PyArray1::from_iter(py, own.iter().map(|(point, _)| *point as i64)))
    }

    /// Why two bodies are not checked against each other now; None if they are.
    fn allowed_reason(&self, py: Python<'_>, body_a: &str, body_b: &str) -> PyResult<Option<String>> {
        let (a, b) = (self.body(py, body_a)?, self.body(py, body_b)?);
        self.lend(py, |checker| match checker.status(a, b) {
            Some(PairStatus::Checked(_)) => None,
            Some(PairStatus::Allowed(reason)) => Some(reason.to_string()),
            None => Some("one body".into()),
        })
    }

    /// How many pairs are checked now.
    #[getter]
    fn pair_count(&self, py: Python<'_>) -> PyResult<usize> {
        self.lend(py, |checker| checker.checked_pair_count())
    }
}
