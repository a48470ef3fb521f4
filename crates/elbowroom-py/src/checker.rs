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

/// A world that changes while it is asked. It places, attaches and hides movable obstacles, fills spare
/// places, gives clouds their points, and allows pairs. The world and other checkers do not change.
///
/// One thread asks it at a time: another one gets `BusyError`, and should use a `copy()`. Bodies have full
/// names: `robot/link`, `world/obstacle`. A change that makes no sense raises `ChangeError` and changes
/// nothing.
#[pyclass(name = "Checker", module = "elbowroom", frozen)]
pub struct PyChecker {
    world: Arc<World>,
    touch: Arc<BTreeMap<String, Vec<String>>>,
    /// Empty while a thread asks the checker. Locked only while the interpreter's lock is held.
    slot: Mutex<Option<Asker>>,
}

/// The checkers that one thread at a time asks.
struct Asker {
    checker: OwnedChecker,
    motions: Option<OwnedMotions>,
}

impl PyChecker {
    /// Lends the checker, without the interpreter's lock.
    fn lend_checker<T: Send>(
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
        let taken = self.slot.lock().unwrap_or_else(PoisonError::into_inner).take();
        taken.ok_or_else(|| busy_error(py))
    }

    fn put_back(&self, asker: Asker) {
        *self.slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(asker);
    }

    fn apply_change(
        &self,
        py: Python<'_>,
        change: impl for<'w> FnOnce(&mut Checker<'w>) -> Result<(), ChangeFault> + Send,
    ) -> PyResult<()> {
        self.lend_checker(py, change)?.map_err(|fault| change_error(py, fault))
    }

    /// Sets the checker to a pose, if one is given, and asks it.
    fn ask_at<T: Send>(
        &self,
        py: Python<'_>,
        q: Option<&Bound<'_, PyAny>>,
        ask: impl for<'w> FnOnce(&Arc<World>, &mut Checker<'w>) -> T + Send,
    ) -> PyResult<T> {
        let count = self.world.dof_names().len();
        let pose = q.map(|q| read_pose(q, count)).transpose()?;
        let asked = self.lend_checker(py, |checker| {
            pose.as_ref().map_or(Ok(()), |pose| checker.set(pose))?;
            Ok(ask(&self.world, checker))
        })?;
        asked.map_err(|fault| pose_error(py, &fault))
    }

    fn find_body(&self, py: Python<'_>, name: &str) -> PyResult<BodyId> {
        find_body(py, &self.world, name)
    }

    fn find_group(&self, py: Python<'_>, name: &str) -> PyResult<GroupId> {
        let found = self.world.group_by_name(name);
        found.ok_or_else(|| change_error(py, format!("there is no group {name:?}; see World.groups")))
    }
}

#[pymethods]
impl PyChecker {
    #[new]
    fn new(py: Python<'_>, world: &Bound<'_, PyWorld>) -> PyChecker {
        let PyWorld { world, touch, .. } = world.get();
        let asker = py.detach(|| Asker { checker: OwnedChecker::new(world.clone()), motions: None });
        PyChecker { world: world.clone(), touch: touch.clone(), slot: Mutex::new(Some(asker)) }
    }

    /// Another checker in the same state, for another thread.
    fn copy(&self, py: Python<'_>) -> PyResult<PyChecker> {
        let asker = self.take_asker(py)?;
        let checker = asker.checker.clone();
        self.put_back(asker);
        let slot = Mutex::new(Some(Asker { checker, motions: None }));
        Ok(PyChecker { world: self.world.clone(), touch: self.touch.clone(), slot })
    }

    /// Moves everything to joint values, shape (dof,).
    fn set(&self, py: Python<'_>, q: &Bound<'_, PyAny>) -> PyResult<()> {
        self.ask_at(py, Some(q), |_, _| ())
    }

    /// The joint values, shape (dof,).
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(self.lend_checker(py, |checker| checker.values().to_vec())?.into_pyarray(py))
    }

    /// The pose of a body in the world, shape (4, 4).
    fn body_pose<'py>(&self, py: Python<'py>, body: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let id = self.find_body(py, body)?;
        let at = self.lend_checker(py, |checker| checker.body_in_world(id))?;
        matrix_array(py, &at.ok_or_else(|| change_error(py, format!("{body:?} has no pose now")))?)
    }

    /// The clearance at `q`, or without `q` at the present pose: an `Answer`. Keywords are those of
    /// `World.nearest`.
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
        let question = Asked { margin, cutoff, hulls, depth }.build_question(Question::distance())?;
        self.ask_at(py, q, |world, checker| PyAnswer::ask_checker(world, checker, &question))
    }

    /// Whether poses are farther from contact than the margin: like `World.test`, with all changes. Without
    /// `q`, at the present pose.
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
        let question = asked.build_question(Question::test())?;
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

    /// The answers for all checked pairs, the nearest first: a list of `Answer`, at most `k`. A `cutoff`
    /// leaves out the pairs that are proved farther apart than it (metres). An empty list does not mean
    /// clear: where no pair is checked, or a robot has no shape, `nearest` answers unknown.
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
        let question = Asked { margin, cutoff, hulls, depth }.build_question(Question::distance())?;
        self.ask_at(py, q, |world, checker| {
            let mut found = Vec::new();
            checker.nearest_k(k.unwrap_or(usize::MAX), &question, &mut found);
            found.iter().map(|answer| PyAnswer::from_pair_answer(world, checker, answer)).collect()
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
        let question = Asked { margin, cutoff, hulls, depth }.build_question(Question::distance())?;
        let groups = [self.find_group(py, group_a)?, self.find_group(py, group_b)?];
        self.ask_at(py, q, |world, checker| {
            let answer = checker.between(groups, &question).unwrap_or_default();
            PyAnswer::from_answer(world, checker, &answer)
        })
    }

    /// Whether the straight motion between two poses is free, with all changes: an `Edge`. Keywords are those
    /// of `World.edge`. Its certificate has the pieces, but not the changes, so it cannot be verified.
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
                ask_edge(py, &self.world, motions, ends, options, true)
            })
        });
        self.put_back(asker);
        asked
    }

    /// Puts a movable body at a pose in the world.
    fn place(&self, py: Python<'_>, body: &str, pose: &Bound<'_, PyAny>) -> PyResult<()> {
        let (id, at) = (self.find_body(py, body)?, read_transform(Some(pose))?);
        self.apply_change(py, |checker| checker.place(id, &at))
    }

    /// Attaches a movable body to a carrier: at `pose` in the carrier's frame, or where the body is. The body
    /// may touch the bodies in `touch`; without `touch`, those of its `Obstacle` or its world file.
    #[pyo3(signature = (body, carrier, *, touch=None, pose=None))]
    fn attach(
        &self,
        py: Python<'_>,
        body: &str,
        carrier: &str,
        touch: Option<Vec<String>>,
        pose: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (id, by) = (self.find_body(py, body)?, self.find_body(py, carrier)?);
        let names = touch.or_else(|| self.touch.get(body).cloned()).unwrap_or_default();
        let touch: Vec<BodyId> =
            names.iter().map(|name| self.find_body(py, name)).collect::<PyResult<Vec<_>>>()?;
        match pose.map(|pose| read_transform(Some(pose))).transpose()? {
            Some(at) => self.apply_change(py, |checker| checker.attach_at(id, by, &at, &touch)),
            None => self.apply_change(py, |checker| checker.attach(id, by, &touch)),
        }
    }

    /// Detaches a carried body. It stays where it is.
    fn detach(&self, py: Python<'_>, body: &str) -> PyResult<()> {
        let id = self.find_body(py, body)?;
        self.apply_change(py, |checker| checker.detach(id))
    }

    /// Takes a movable body out of all checks, until `show`.
    fn hide(&self, py: Python<'_>, body: &str) -> PyResult<()> {
        let id = self.find_body(py, body)?;
        self.apply_change(py, |checker| checker.hide(id))
    }

    /// Ends `hide`.
    fn show(&self, py: Python<'_>, body: &str) -> PyResult<()> {
        let id = self.find_body(py, body)?;
        self.apply_change(py, |checker| checker.show(id))
    }

    /// Stops checking a pair of bodies, until `check_again`.
    fn allow(&self, py: Python<'_>, body_a: &str, body_b: &str) -> PyResult<()> {
        let (a, b) = (self.find_body(py, body_a)?, self.find_body(py, body_b)?);
        self.apply_change(py, |checker| checker.allow_contact(a, b))
    }

    /// Ends `allow`.
    fn check_again(&self, py: Python<'_>, body_a: &str, body_b: &str) -> PyResult<()> {
        let (a, b) = (self.find_body(py, body_a)?, self.find_body(py, body_b)?);
        self.apply_change(py, |checker| checker.check_again(a, b))
    }

    /// Moves a door or a drawer along its joint (radians, metres).
    fn set_door(&self, py: Python<'_>, body: &str, value: f64) -> PyResult<()> {
        let id = self.find_body(py, body)?;
        self.apply_change(py, |checker| checker.set_door(id, value))
    }

    /// Fills a spare place with a convex shape, or a pair (shape, pose in the place's frame). If a pose is
    /// given, moves the place to it in the world. `hull`: fill it with the convex hull of a mesh.
    #[pyo3(signature = (place, shape, pose=None, *, hull=false))]
    fn insert(
        &self,
        py: Python<'_>,
        place: &str,
        shape: &Bound<'_, PyAny>,
        pose: Option<&Bound<'_, PyAny>>,
        hull: bool,
    ) -> PyResult<()> {
        let (id, shape) = (self.find_body(py, place)?, spare_shape(py, shape, hull)?);
        let at = pose.map(|pose| read_transform(Some(pose))).transpose()?;
        self.apply_change(py, |checker| {
            // If the pose is refused, the place stays as it was.
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
        let id = self.find_body(py, place)?;
        self.apply_change(py, |checker| checker.remove_obstacle(id))
    }

    /// Replaces the points of a cloud (metres, shape (n, 3), in the world's frame). Until the first call
    /// nothing is known about what the sensor sees, and verdicts are unknown. Without a point it raises
    /// `ChangeError`.
    fn update_cloud(&self, py: Python<'_>, cloud: &str, points: &Bound<'_, PyAny>) -> PyResult<()> {
        let (id, points) = (self.find_body(py, cloud)?, read_rows(points, "points")?);
        self.apply_change(py, |checker| checker.update_cloud(id, &points))
    }

    /// The indices (int64) of the points of a cloud that are at most `within` (metres) from moving bodies:
    /// there a camera saw the robot itself.
    fn self_points<'py>(
        &self,
        py: Python<'py>,
        cloud: &str,
        within: f64,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let id = self.find_body(py, cloud)?;
        let found = self.lend_checker(py, |checker| {
            let mut own = Vec::new();
            checker.find_self_points(id, within, &mut own).map(|()| own)
        })?;
        let own = found.map_err(|fault| change_error(py, fault))?;
        Ok(PyArray1::from_iter(py, own.iter().map(|(point, _)| *point as i64)))
    }

    /// Why two bodies are not checked against each other now; None if they are.
    fn allowed_reason(&self, py: Python<'_>, body_a: &str, body_b: &str) -> PyResult<Option<String>> {
        let (a, b) = (self.find_body(py, body_a)?, self.find_body(py, body_b)?);
        self.lend_checker(py, |checker| match checker.status(a, b) {
            Some(PairStatus::Checked(_)) => None,
            Some(PairStatus::Allowed(reason)) => Some(reason.to_string()),
            None => Some("one body".into()),
        })
    }

    /// How many pairs are checked now.
    #[getter]
    fn pair_count(&self, py: Python<'_>) -> PyResult<usize> {
        self.lend_checker(py, |checker| checker.checked_pair_count())
    }
}
