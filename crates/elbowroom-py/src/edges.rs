//! Many motions in one call, on all threads. Ctrl-C ends the call, also within a motion.

use crate::errors::{engine_error, rows_error};
use crate::progress::Progress;
use crate::threads::pool_of_process;
use elbowroom::World;
use elbowroom::batch::BatchFault;
use elbowroom::motion::{Edge, EdgeOptions, MotionChecker};
use elbowroom::pose::PoseFault;
use elbowroom::world::BodyPair;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// The time between two looks for Ctrl-C.
const SIGNAL_TIME: Duration = Duration::from_millis(50);

/// Motions that one thread asks in a row: twice the engine's lanes of four, and few enough to share out.
const TASK_MOTIONS: usize = 8;

/// Most refused rows that a fault names, as in the engine's batches.
const NAMED_ROWS: usize = 32;

/// The answers for many straight motions, as arrays of one length. A motion that is neither `free` nor
/// `contact` is unknown.
#[pyclass(name = "Edges", module = "elbowroom", frozen)]
pub struct PyEdges {
    world: Arc<World>,
    /// Whether each motion is proved free at every instant (bool, shape (n,)). All others may collide.
    #[pyo3(get)]
    free: Py<PyArray1<bool>>,
    /// Whether a contact is proved (bool, shape (n,)).
    #[pyo3(get)]
    contact: Py<PyArray1<bool>>,
    /// As `Edge.first_contact` (shape (n, 2)); NaN where no contact is proved.
    #[pyo3(get)]
    first_contact: Py<PyArray2<f64>>,
    /// As `Edge.free_until` (shape (n,)).
    #[pyo3(get)]
    free_until: Py<PyArray1<f64>>,
    pairs: Vec<Option<BodyPair>>,
}

#[pymethods]
impl PyEdges {
    fn __len__(&self) -> usize {
        self.pairs.len()
    }

    /// The full names of the two bodies in contact in a motion. If it is unknown: of an undecided pair, or
    /// None. None for a free motion.
    fn names(&self, row: usize) -> PyResult<Option<(&str, &str)>> {
        let Some(pair) = self.pairs.get(row) else {
            let n = self.pairs.len();
            return Err(PyIndexError::new_err(format!("motion {row} of {n} motions")));
        };
        Ok(pair.and_then(|pair| self.world.body_names(pair)).map(|[a, b]| (a, b)))
    }

    fn __repr__(&self) -> String {
        format!("Edges of {} motions", self.pairs.len())
    }
}

/// What the threads of a call share with the thread that called.
struct Shared {
    done: AtomicUsize,
    stopped: AtomicBool,
    ended: AtomicBool,
    caller: std::thread::Thread,
}

/// Says that the work has ended, also if it panicked.
struct Ending<'a>(&'a Shared);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.ended.store(true, Ordering::Release);
        self.0.caller.unpark();
    }
}

/// Asks about the motions from the rows of `starts` to those of `ends`.
pub fn ask_edges(
    py: Python<'_>,
    world: &Arc<World>,
    [starts, ends]: [&[f64]; 2],
    count: usize,
    options: &EdgeOptions,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyEdges> {
    let (width, progress) = (world.dof_names().len(), Progress::new(progress, count)?);
    let pool = pool_of_process(py)?;
    let shared = Shared {
        done: AtomicUsize::new(0),
        stopped: AtomicBool::new(false),
        ended: AtomicBool::new(false),
        caller: std::thread::current(),
    };
    let ask = |motions: &mut MotionChecker, task: usize| {
        let rows = task * TASK_MOTIONS..count.min((task + 1) * TASK_MOTIONS);
        let ways: Vec<[&[f64]; 2]> =
            rows.map(|row| [starts, ends].map(|poses| &poses[row * width..(row + 1) * width])).collect();
        let mut free = vec![false; ways.len()];
        motions.sieve_edges(&ways, options, &mut free);
        let mut watch = |_: &_| !shared.stopped.load(Ordering::Relaxed);
        let mut found = Vec::with_capacity(ways.len());
        for (way, free) in ways.into_iter().zip(free) {
            if shared.stopped.load(Ordering::Relaxed) {
                break;
            }
            // The answer depends on this motion alone, and not on what its thread asked before.
            motions.forget_history();
            let mut search = || motions.check_edge_watched(way, options, &mut watch);
            found.push(if free { Ok(Edge::Free) } else { search() });
            shared.done.fetch_add(1, Ordering::Relaxed);
        }
        found
    };
    let mut broken = None;
    let found: Result<Vec<Vec<Result<Edge, PoseFault>>>, _> = std::thread::scope(|scope| {
        let work = scope.spawn(|| {
            let _ending = Ending(&shared);
            let tasks = (0..count.div_ceil(TASK_MOTIONS)).into_par_iter();
            pool.install(|| tasks.map_init(|| MotionChecker::new(world), ask).collect())
        });
        let mut told = 0;
        loop {
            // Read before the count: what is counted later is not lost.
            let ended = shared.ended.load(Ordering::Acquire);
            let done = shared.done.load(Ordering::Relaxed);
            let tell = |done: usize| if done > 0 { progress.tell_done(done) } else { Ok(()) };
            if broken.is_none()
                && let Err(error) = py.check_signals().and_then(|()| tell(done - told))
            {
                broken = Some(error);
                shared.stopped.store(true, Ordering::Relaxed);
            }
            told = done;
            if ended {
                break;
            }
            py.detach(|| std::thread::park_timeout(SIGNAL_TIME));
        }
        py.detach(|| work.join())
    });
    match (broken, found) {
        (Some(broken), _) => Err(broken),
        (None, Err(_)) => Err(engine_error(py, "a thread of this call ended early: report this".into())),
        (None, Ok(found)) => arrays_of(py, world, found.concat()),
    }
}

/// The arrays for all motions, or an error with the refused ones.
fn arrays_of(py: Python<'_>, world: &Arc<World>, found: Vec<Result<Edge, PoseFault>>) -> PyResult<PyEdges> {
    let count = found.len();
    let (mut first, mut refused) = (Vec::new(), 0);
    let (mut free, mut contact, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    let (mut first_contact, mut free_until) = (Vec::new(), Vec::new());
    for (row, edge) in found.into_iter().enumerate() {
        let edge = match edge {
            Ok(edge) => edge,
            Err(fault) => {
                refused += 1;
                if first.len() < NAMED_ROWS {
                    first.push((row, fault));
                }
                continue;
            }
        };
        let (at, until, pair) = match edge {
            Edge::Free => ([f64::NAN; 2], 1.0, None),
            Edge::Contact { first, pair, free_until, .. } => (first, free_until, Some(pair)),
            Edge::Unknown { at, pair, .. } => ([f64::NAN; 2], at[0], pair),
        };
        free.push(edge == Edge::Free);
        contact.push(matches!(edge, Edge::Contact { .. }));
        first_contact.extend(at);
        free_until.push(until);
        pairs.push(pair);
    }
    if refused > 0 {
        return Err(rows_error(py, BatchFault::Poses { first, count: refused }, 0, None));
    }
    Ok(PyEdges {
        world: world.clone(),
        free: PyArray1::from_vec(py, free).unbind(),
        contact: PyArray1::from_vec(py, contact).unbind(),
        first_contact: PyArray1::from_vec(py, first_contact).reshape([count, 2])?.unbind(),
        free_until: PyArray1::from_vec(py, free_until).unbind(),
        pairs,
    })
}
