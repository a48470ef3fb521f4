//! The guard. Each step is one call.

use crate::arrays::{read_row, read_rows};
use crate::errors::{busy_error, change_error, load_error};
use crate::load::{compile_file, read_description};
use crate::named::find_body;
use crate::pose::read_transform;
use elbowroom::World;
use elbowroom::world::BodyId;
use elbowroom_files::Options;
use elbowroom_files::guard::load_guard;
use elbowroom_monitor::guard::{Action, Category};
use elbowroom_monitor::{Command, Event, Guard, State};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

self_cell::self_cell!(
    struct GuardCell {
        owner: Arc<World>,
        #[covariant]
        dependent: Guard,
    }
);

/// A guard that owns a share of its world.
struct OwnedGuard(GuardCell);

/// Watches the joints of robots, and says whether they may move on, and how fast. It permits a motion only if
/// everything on the way until the robots rest is proved clear. A world file has its settings in `[guard]`.
///
/// It is not a safety device by itself, and Python does not keep time: the caller must call `step` in time,
/// and `silent` if no state came. One thread asks it at a time; another one gets `BusyError`.
#[pyclass(name = "Guard", module = "elbowroom", frozen)]
pub struct PyGuard {
    world: Arc<World>,
    /// Empty while a thread asks the guard. Locked only while the interpreter's lock is held.
    slot: Mutex<Option<OwnedGuard>>,
}

impl PyGuard {
    fn lend_guard<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl for<'w> FnOnce(&mut Guard<'w>) -> T + Send,
    ) -> PyResult<T> {
        let taken = self.slot.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut guard = taken.ok_or_else(|| busy_error(py))?;
        let (guard, asked) = py.detach(move || {
            let asked = guard.0.with_dependent_mut(|_, guard| ask(guard));
            (guard, asked)
        });
        *self.slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(guard);
        Ok(asked)
    }

    fn wrap_command(&self, command: Command) -> PyCommand {
        PyCommand { world: self.world.clone(), command }
    }

    fn send_event(&self, py: Python<'_>, t: f64, event: Event) -> PyResult<()> {
        self.lend_guard(py, move |guard| guard.event(t, &event).map_err(|refusal| refusal.to_string()))?
            .map_err(|refusal| change_error(py, refusal))
    }

    fn find_body(&self, py: Python<'_>, name: &str) -> PyResult<BodyId> {
        find_body(py, &self.world, name)
    }
}

#[pymethods]
impl PyGuard {
    /// Reads a world file with the table `[guard]`. Raises `LoadError` with every fault.
    #[new]
    #[pyo3(signature = (path, *, package_paths=Vec::new()))]
    fn new(py: Python<'_>, path: PathBuf, package_paths: Vec<PathBuf>) -> PyResult<PyGuard> {
        let options = Options { package_paths, ..Options::default() };
        let loaded = read_description(py, &path, &options)?;
        // Whole: no step may take longer because a world makes something.
        let world = compile_file(py, &path, &loaded.value, World::compile)?;
        let settings = py.detach(|| load_guard(&path, &world, &options));
        let settings = settings.map_err(|faults| load_error(py, &faults))?;
        let (own, made_of) = (world.clone(), &settings.value);
        let made = py.detach(|| GuardCell::try_new(own, |world| Guard::new(world, made_of)));
        let guard = OwnedGuard(made.map_err(|faults| change_error(py, faults))?);
        Ok(PyGuard { world, slot: Mutex::new(Some(guard)) })
    }

    /// The full names of the joint values, in their order.
    #[getter]
    fn joint_names(&self) -> Vec<&str> {
        self.world.dof_names().iter().map(String::as_str).collect()
    }

    /// Judges a state that was measured at time `t` (s): a `Command`. `arm` is the number of the arm that the
    /// values are of; without it they are of all arms. Units: rad and m; rad/s and m/s for `velocities` and
    /// `asked` (the velocities that the controller wants); N m and N for `efforts`; A for `currents`; N for
    /// `forces` of hands.
    #[pyo3(signature = (t, positions, *, velocities=None, asked=None, efforts=None, currents=None,
        forces=None, arm=None))]
    #[allow(clippy::too_many_arguments, reason = "keywords of Python")]
    fn step(
        &self,
        py: Python<'_>,
        t: f64,
        positions: &Bound<'_, PyAny>,
        velocities: Option<&Bound<'_, PyAny>>,
        asked: Option<&Bound<'_, PyAny>>,
        efforts: Option<&Bound<'_, PyAny>>,
        currents: Option<&Bound<'_, PyAny>>,
        forces: Option<&Bound<'_, PyAny>>,
        arm: Option<usize>,
    ) -> PyResult<PyCommand> {
        let row =
            |values: Option<&Bound<'_, PyAny>>, what| values.map(|values| read_row(values, what)).transpose();
        let positions = read_row(positions, "positions")?;
        let velocities = row(velocities, "velocities")?;
        let (asked, efforts) = (row(asked, "asked")?, row(efforts, "efforts")?);
        let (currents, forces) = (row(currents, "currents")?, row(forces, "forces")?);
        let command = self.lend_guard(py, |guard| {
            guard.step(&State {
                t,
                arm,
                positions: &positions,
                velocities: velocities.as_deref(),
                asked: asked.as_deref(),
                efforts: efforts.as_deref(),
                currents: currents.as_deref(),
                forces: forces.as_deref(),
            })
        })?;
        Ok(self.wrap_command(command))
    }

    /// Judges that no state came until `now` (s), on the clock of the states.
    fn silent(&self, py: Python<'_>, now: f64) -> PyResult<PyCommand> {
        let command = self.lend_guard(py, |guard| guard.step_without(now, None))?;
        Ok(self.wrap_command(command))
    }

    /// A person has dealt with a fault: the guard judges again.
    fn reset(&self, py: Python<'_>, t: f64) -> PyResult<()> {
        self.send_event(py, t, Event::Reset)
    }

    /// A movable body is at a new pose in the world. `teleport`: it did not move there by itself, somebody
    /// carried it.
    #[pyo3(signature = (t, body, pose, *, teleport=false))]
    fn place(
        &self,
        py: Python<'_>,
        t: f64,
        body: &str,
        pose: &Bound<'_, PyAny>,
        teleport: bool,
    ) -> PyResult<()> {
        let (body, body_in_world) = (self.find_body(py, body)?, read_transform(Some(pose))?);
        self.send_event(py, t, Event::Place { body, body_in_world, teleport })
    }

    /// A link takes hold of a body, where the body is. It may touch the bodies in `touch` until `detach`.
    #[pyo3(signature = (t, body, carrier, *, touch=Vec::new()))]
    fn attach(&self, py: Python<'_>, t: f64, body: &str, carrier: &str, touch: Vec<String>) -> PyResult<()> {
        let (body, carrier) = (self.find_body(py, body)?, self.find_body(py, carrier)?);
        let touch = touch.iter().map(|name| self.find_body(py, name)).collect::<PyResult<_>>()?;
        self.send_event(py, t, Event::Attach { body, carrier, touch })
    }

    /// A link lets a body go where the body is.
    fn detach(&self, py: Python<'_>, t: f64, body: &str) -> PyResult<()> {
        let body = self.find_body(py, body)?;
        self.send_event(py, t, Event::Detach { body })
    }

    /// Gives a cloud the points that its sensor sees now (metres, shape (n, 3), in the world's frame).
    fn see(&self, py: Python<'_>, t: f64, cloud: &str, points: &Bound<'_, PyAny>) -> PyResult<()> {
        let (cloud, points) = (self.find_body(py, cloud)?, read_rows(points, "points")?);
        self.send_event(py, t, Event::See { cloud, points })
    }
}

/// What the arms may do until the next command.
#[pyclass(name = "Command", module = "elbowroom", frozen)]
pub struct PyCommand {
    world: Arc<World>,
    command: Command,
}

#[pymethods]
impl PyCommand {
    /// "permit", "slow" or "stop".
    #[getter]
    fn action(&self) -> &'static str {
        match self.command.action {
            Action::Permit => "permit",
            Action::Slow => "slow",
            Action::Stop => "stop",
        }
    }

    /// The fraction of the requested speed at which they may move, from 0 to 1.
    #[getter]
    fn speed(&self) -> f64 {
        self.command.speed
    }

    /// How to stop: the category of IEC 60204-1; None where the arms may go on.
    #[getter]
    fn category(&self) -> Option<u8> {
        self.command.category.map(|category| match category {
            Category::Zero => 0,
            Category::One => 1,
            Category::Two => 2,
        })
    }

    /// Two numbers (metres): the smallest distance at the measured positions lies between them. None if
    /// nothing is proved of it.
    #[getter]
    fn distance(&self) -> Option<(f64, f64)> {
        self.command.distance.map(|[lower, upper]| (lower, upper))
    }

    /// The names of the two bodies with the smallest distance.
    #[getter]
    fn pair(&self) -> Option<(&str, &str)> {
        self.world.body_names(self.command.pair?).map(|[a, b]| (a, b))
    }

    /// The reasons: a word such as "collision", and the names of the two bodies that it is about, or None.
    #[getter]
    fn reasons(&self) -> Vec<(&'static str, Option<(&str, &str)>)> {
        let names = |pair| self.world.body_names(pair).map(|[a, b]| (a, b));
        self.command.reasons().map(|reason| (reason.kind.word(), reason.pair.and_then(names))).collect()
    }

    /// The number of the step, from 1.
    #[getter]
    fn step(&self) -> u64 {
        self.command.step
    }

    fn __repr__(&self) -> String {
        let words: Vec<&str> = self.command.reasons().map(|reason| reason.kind.word()).collect();
        format!("Command({}, speed={}, reasons=[{}])", self.action(), self.command.speed, words.join(", "))
    }
}
