//! A checker: a world that changes while it is asked.

use crate::answer::PyAnswer;
use crate::arrays::{Poses, read_motions, read_pose, read_poses, read_rows};
use crate::asker::{AskerSlot, Shown};
use crate::batch::{PyClearances, Wanted, clearances_of_poses, test_rows};
use crate::checkers::Checkers;
use crate::edge::{AskedMotion, PyEdge, ask_edge};
use crate::edges::{PyEdges, ask_edges, ask_few_edges};
use crate::errors::{change_error, pose_error};
use crate::geometry::{append_frames, shape_object};
use crate::named::find_body;
use crate::pose::{PyPose, matrix_array, read_transform};
use crate::question::{Asked, edge_options};
use crate::spare::{fill_place, spare_shape};
use crate::surface::vertex_array;
use crate::threads::are_few_rows;
use crate::verdict::member_of;
use crate::world::PyWorld;
use elbowroom::world::{AskedWorld, BodyId, GroupId, PairStatus};
use elbowroom::{Checker, OwnedChecker, Question, World};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use std::sync::Arc;

/// A world that changes while it is asked. It places, attaches and hides movable obstacles, fills spare
/// places, gives clouds their points, and allows pairs. The world and other checkers do not change.
///
/// One thread asks it at a time: another one gets `BusyError`, and should use a `copy()`. Bodies have full
/// names: `robot/link`, `world/obstacle`. A change that makes no sense raises `ChangeError` and changes
/// nothing.
#[pyclass(name = "Checker", module = "elbowroom", frozen)]
pub struct PyChecker {
    of: Py<PyWorld>,
    world: Arc<World>,
    slot: AskerSlot,
}

impl PyChecker {
    /// Sets the checker to a pose, if one is given, and asks it.
    fn ask_at<T: Send>(
        &self,
        py: Python<'_>,
        q: Option<&Bound<'_, PyAny>>,
        ask: impl for<'w> FnOnce(&Arc<Checkers>, &mut Checker<'w>) -> T + Send,
    ) -> PyResult<T> {
        let count = self.world.dof_names().len();
        let (pose, checkers) = (q.map(|q| read_pose(q, count)).transpose()?, &self.of.get().checkers);
        let asked = self.slot.lend_checker(py, |checker| {
            pose.as_ref().map_or(Ok(()), |pose| checker.set(pose))?;
            Ok(ask(checkers, checker))
        })?;
        asked.map_err(|fault| pose_error(py, &fault))
    }

    /// A copy that stays as it is, so that this checker may be asked and changed meanwhile.
    fn share_copy(&self, py: Python<'_>) -> PyResult<Arc<OwnedChecker>> {
        let mut asker = self.slot.take_asker(py)?;
        let copy = asker.share_copy();
        self.slot.put_back(asker);
        Ok(copy)
    }

    fn find_body(&self, py: Python<'_>, name: &str) -> PyResult<BodyId> {
        find_body(py, &self.world, name)
    }

    fn find_group(&self, py: Python<'_>, name: &str) -> PyResult<GroupId> {
        let found = self.world.group_by_name(name);
        found.ok_or_else(|| {
            let help = "World.groups has all; one of yours is there if `checks` names it";
            change_error(py, format!("there is no group {name:?}: {help}"))
        })
    }
}

#[pymethods]
impl PyChecker {
    #[new]
    fn new(py: Python<'_>, world: &Bound<'_, PyWorld>) -> PyChecker {
        let compiled = world.get().world.clone();
        let slot = py.detach(|| AskerSlot::new(compiled.clone()));
        PyChecker { of: world.clone().unbind(), world: compiled, slot }
    }

    /// The world that it asks, without the changes.
    #[getter]
    fn world(&self, py: Python<'_>) -> Py<PyWorld> {
        self.of.clone_ref(py)
    }

    /// Another checker in the same state, for another thread.
    fn copy(&self, py: Python<'_>) -> PyResult<PyChecker> {
        let asker = self.slot.take_asker(py)?;
        let slot = AskerSlot::from_checker(asker.checker.clone(), asker.shown.clone());
        self.slot.put_back(asker);
        Ok(PyChecker { of: self.of.clone_ref(py), world: self.world.clone(), slot })
    }

    /// A checker of an edited world in the same state: joint values, places and carriers of movable bodies,
    /// clouds, and allowed pairs. Raises `ChangeError` for a world that no call of `World.edited` made of
    /// this checker's.
    fn migrate_to(&self, py: Python<'_>, world: &Bound<'_, PyWorld>) -> PyResult<PyChecker> {
        let (asker, next) = (self.slot.take_asker(py)?, world.get().world.clone());
        let (moved, shown) = (asker.checker.migrate_to(next.clone()), asker.shown.clone());
        self.slot.put_back(asker);
        let words = "this world was not edited from the checker's world: make a Checker of it";
        let slot = AskerSlot::from_checker(moved.ok_or_else(|| change_error(py, words))?, shown);
        Ok(PyChecker { of: world.clone().unbind(), world: next, slot })
    }

    /// Moves everything to joint values, shape (dof,).
    fn set(&self, py: Python<'_>, q: &Bound<'_, PyAny>) -> PyResult<()> {
        self.ask_at(py, Some(q), |_, _| ())
    }

    /// The joint values, shape (dof,).
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(self.slot.lend_checker(py, |checker| checker.values().to_vec())?.into_pyarray(py))
    }

    /// The pose of a body in the world, shape (4, 4).
    fn body_pose<'py>(&self, py: Python<'py>, body: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let id = self.find_body(py, body)?;
        let at = self.slot.lend_checker(py, |checker| checker.body_in_world(id))?;
        matrix_array(py, &at.ok_or_else(|| change_error(py, format!("{body:?} has no pose now")))?)
    }

    /// The frames of all bodies at `q`, or without `q` at the present pose: like `World.frames`, with all
    /// changes. The checker stays at `q`.
    #[pyo3(signature = (q=None))]
    fn frames<'py>(
        &self,
        py: Python<'py>,
        q: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let numbers = self.ask_at(py, q, |_, checker| {
            let mut numbers = Vec::new();
            append_frames(checker, &mut numbers);
            numbers
        })?;
        PyArray1::from_vec(py, numbers).reshape([self.world.bodies().len(), 4, 4])
    }

    /// The shapes of a body, as `World.geometry`. Of a spare place: the shape that fills it now.
    fn geometry(&self, py: Python<'_>, body: &str) -> PyResult<Vec<(Py<PyAny>, PyPose)>> {
        let id = self.find_body(py, body)?;
        match self.slot.read_shown(py, |shown| shown.inserted.get(&id).cloned())? {
            Some(placed) => {
                let spare = self.slot.lend_checker(py, |checker| checker.inserted_obstacle(id).cloned())?;
                let shown = spare.map(|spare| shape_object(py, &placed, 0.0, spare.shape()));
                shown.into_iter().collect()
            }
            None => self.of.get().geometry(py, body),
        }
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
        self.ask_at(py, q, |checkers, checker| PyAnswer::ask_checker(checkers, checker, &question))
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
            self.of.get().prepare_all(py)?;
            let test = |checker: &Checker<'_>| {
                test_rows(py, AskedWorld::Changed(checker), &rows, &question, progress)
            };
            return Ok(self.share_copy(py)?.lend(test)?.into_pyarray(py).into_any().unbind());
        }
        let verdict = self.ask_at(py, q, |_, checker| checker.ask(&question).verdict)?;
        member_of(py, verdict)
    }

    /// The clearances of many poses, on all threads: like `World.clearance`, with all changes. The checker
    /// stays where it is.
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
        self.of.get().prepare_all(py)?;
        self.share_copy(py)?.lend(|checker| {
            let asked = AskedWorld::Changed(checker);
            clearances_of_poses(py, &self.world, asked, q, &question, wanted, progress)
        })
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
        self.ask_at(py, q, |checkers, checker| {
            let mut found = Vec::new();
            checker.nearest_k(k.unwrap_or(usize::MAX), &question, &mut found);
            found.iter().map(|answer| PyAnswer::of_pair(checkers, checker, answer)).collect()
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
        self.ask_at(py, q, |checkers, checker| {
            let answer = checker.between(groups, &question).unwrap_or_default();
            PyAnswer::of_checker(checkers, checker, &answer)
        })
    }

    /// Whether the straight motion between two poses is free, with all changes: an `Edge`. Keywords are those
    /// of `World.edge`. Its certificate is proved with these changes, too.
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
        self.slot.lend_motions(py, &self.world, |motions, copy| {
            let asked = ask_edge(py, &self.world, motions, AskedMotion::Straight(ends), options);
            asked.map(|edge| edge.with_changes(|| copy.clone()))
        })?
    }

    /// Whether many straight motions are free, on all threads: like `World.edges`, with all changes.
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
        let rows = read_motions(q0, q1, self.world.dof_names().len())?;
        let options = edge_options(margin, hulls, first, resolution, work)?;
        self.of.get().prepare_all(py)?;
        if are_few_rows(rows[0].count) {
            return self.slot.lend_motions(py, &self.world, |motions, copy| {
                copy.lend(|checker| {
                    ask_few_edges(py, &self.world, motions, Some(checker), &rows, &options, progress)
                })
            })?;
        }
        let ask =
            |checker: &Checker<'_>| ask_edges(py, &self.world, Some(checker), &rows, &options, progress);
        self.share_copy(py)?.lend(ask)
    }

    /// Puts a movable body at a pose in the world.
    fn place(&self, py: Python<'_>, body: &str, pose: &Bound<'_, PyAny>) -> PyResult<()> {
        let (id, at) = (self.find_body(py, body)?, read_transform(Some(pose))?);
        self.slot.apply_change(py, |checker| checker.place(id, &at))
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
        let names = touch.or_else(|| self.of.get().touch.get(body).cloned()).unwrap_or_default();
        let touch: Vec<BodyId> =
            names.iter().map(|name| self.find_body(py, name)).collect::<PyResult<Vec<_>>>()?;
        match pose.map(|pose| read_transform(Some(pose))).transpose()? {
            Some(at) => self.slot.apply_change(py, |checker| checker.attach_at(id, by, &at, &touch)),
            None => self.slot.apply_change(py, |checker| checker.attach(id, by, &touch)),
        }
    }

    /// Detaches a carried body. It stays where it is.
    fn detach(&self, py: Python<'_>, body: &str) -> PyResult<()> {
        let id = self.find_body(py, body)?;
        self.slot.apply_change(py, |checker| checker.detach(id))
    }

    /// Takes a movable body out of all checks, until `show`.
    fn hide(&self, py: Python<'_>, body: &str) -> PyResult<()> {
        let id = self.find_body(py, body)?;
        let note = |shown: &mut Shown| _ = shown.hidden.insert(id);
        self.slot.apply_shown(py, |checker| checker.hide(id), note)
    }

    /// Ends `hide`.
    fn show(&self, py: Python<'_>, body: &str) -> PyResult<()> {
        let id = self.find_body(py, body)?;
        let note = |shown: &mut Shown| _ = shown.hidden.remove(&id);
        self.slot.apply_shown(py, |checker| checker.show(id), note)
    }

    /// The full names of the hidden bodies.
    #[getter]
    fn hidden(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let name = |body: &BodyId| self.world.bodies()[body.index()].name.to_string();
        self.slot.read_shown(py, |shown| shown.hidden.iter().map(name).collect())
    }

    /// Stops checking a pair of bodies, until `check_again`.
    fn allow(&self, py: Python<'_>, body_a: &str, body_b: &str) -> PyResult<()> {
        let (a, b) = (self.find_body(py, body_a)?, self.find_body(py, body_b)?);
        self.slot.apply_change(py, |checker| checker.allow_contact(a, b))
    }

    /// Ends `allow`.
    fn check_again(&self, py: Python<'_>, body_a: &str, body_b: &str) -> PyResult<()> {
        let (a, b) = (self.find_body(py, body_a)?, self.find_body(py, body_b)?);
        self.slot.apply_change(py, |checker| checker.check_again(a, b))
    }

    /// Moves a door or a drawer along its joint (radians, metres).
    fn set_door(&self, py: Python<'_>, body: &str, value: f64) -> PyResult<()> {
        let id = self.find_body(py, body)?;
        self.slot.apply_change(py, |checker| checker.set_door(id, value))
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
        let (id, (spare, placed)) = (self.find_body(py, place)?, spare_shape(py, shape, hull)?);
        let at = pose.map(|pose| read_transform(Some(pose))).transpose()?;
        let change = |checker: &mut Checker| fill_place(checker, id, &spare, at.as_ref());
        self.slot.apply_shown(py, change, |shown| _ = shown.inserted.insert(id, placed))
    }

    /// Empties a spare place.
    fn remove(&self, py: Python<'_>, place: &str) -> PyResult<()> {
        let id = self.find_body(py, place)?;
        let note = |shown: &mut Shown| _ = shown.inserted.remove(&id);
        self.slot.apply_shown(py, |checker| checker.remove_obstacle(id), note)
    }

    /// Replaces the points of a cloud (metres, shape (n, 3), in the world's frame). Until the first call
    /// nothing is known about what the sensor sees, and verdicts are unknown. Without a point it raises
    /// `ChangeError`.
    fn update_cloud(&self, py: Python<'_>, cloud: &str, points: &Bound<'_, PyAny>) -> PyResult<()> {
        let (id, points) = (self.find_body(py, cloud)?, Arc::new(read_rows(points, "points")?));
        let note = |shown: &mut Shown| _ = shown.points.insert(id, points.clone());
        self.slot.apply_shown(py, |checker| checker.update_cloud(id, &points), note)
    }

    /// The points of a cloud (metres, shape (n, 3), in the world's frame); None before its first points.
    fn cloud_points<'py>(&self, py: Python<'py>, cloud: &str) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let id = self.find_body(py, cloud)?;
        let points = self.slot.read_shown(py, |shown| shown.points.get(&id).cloned())?;
        points.map(|points| vertex_array(py, &points)).transpose()
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
        let found = self.slot.lend_checker(py, |checker| {
            let mut own = Vec::new();
            checker.find_self_points(id, within, &mut own).map(|()| own)
        })?;
        let own = found.map_err(|fault| change_error(py, fault))?;
        Ok(PyArray1::from_iter(py, own.iter().map(|(point, _)| *point as i64)))
    }

    /// Why two bodies are not checked against each other now; None if they are.
    fn allowed_reason(&self, py: Python<'_>, body_a: &str, body_b: &str) -> PyResult<Option<String>> {
        let (a, b) = (self.find_body(py, body_a)?, self.find_body(py, body_b)?);
        self.slot.lend_checker(py, |checker| match checker.status(a, b) {
            Some(PairStatus::Checked(_)) => None,
            Some(PairStatus::Allowed(reason)) => Some(reason.to_string()),
            None => Some("one body".into()),
        })
    }

    /// How many pairs are checked now.
    #[getter]
    fn pair_count(&self, py: Python<'_>) -> PyResult<usize> {
        self.slot.lend_checker(py, |checker| checker.checked_pair_count())
    }
}
