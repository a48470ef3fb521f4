//! Many motions in one call, on all threads. Ctrl-C ends the call, also within a motion.

use crate::arrays::Rows;
use crate::edge::Signals;
use crate::errors::{engine_error, rows_error};
use crate::memory::room_for_rows;
use crate::progress::Progress;
use crate::threads::{ALONE_TIME, pool_of_process};
use elbowroom::batch::BatchFault;
use elbowroom::motion::{Edge, EdgeOptions, EdgeSoFar, MotionChecker};
use elbowroom::pose::PoseFault;
use elbowroom::world::BodyPair;
use elbowroom::{Checker, World};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The time between two looks for Ctrl-C.
const SIGNAL_TIME: Duration = Duration::from_millis(50);

/// Motions that one thread asks in a row: twice the engine's lanes of four, and few enough to share out.
const TASK_MOTIONS: usize = 8;

/// Motions in a slice: their answers take some ten MB before they are in the arrays.
const SLICE: usize = 1 << 16;

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

/// Asks whether motions are free, slice by slice, on all threads. Each goes from a row of `starts` to the
/// same row of `ends`. With `changed` the changes of this checker count.
pub fn ask_edges(
    py: Python<'_>,
    world: &Arc<World>,
    changed: Option<&Checker<'_>>,
    [starts, ends]: &[Rows<'_>; 2],
    options: &EdgeOptions,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyEdges> {
    let (count, progress) = (starts.count, Progress::new(progress, starts.count)?);
    let mut columns = Columns::with_room(count)?;
    for start in (0..count).step_by(SLICE) {
        let slice = start..count.min(start + SLICE);
        let until = (slice.end < count).then_some(slice.end);
        let rows = slice.len();
        let found = starts.lend_rows(slice.clone(), |starts| {
            let ask = |ends: &[f64]| ask_slice(py, world, changed, [starts, ends], rows, options, &progress);
            ends.lend_rows(slice, ask)
        })?;
        columns.append(py, found, start, until)?;
    }
    columns.into_edges(py, world)
}

/// Both ends of some motions: rows of poses, one behind the other.
fn slice_motions([starts, ends]: [&[f64]; 2], rows: Range<usize>, width: usize) -> Vec<[&[f64]; 2]> {
    rows.map(|row| [starts, ends].map(|poses| &poses[row * width..(row + 1) * width])).collect()
}

/// Asks whether motions are free, one after the other, until `watch` returns false. With `sieved`, lanes
/// first prove free what they can, in the world as it was compiled, and the others are searched.
fn ask_in_row(
    motions: &mut MotionChecker,
    ways: &[[&[f64]; 2]],
    options: &EdgeOptions,
    sieved: bool,
    watch: &mut dyn FnMut(&EdgeSoFar) -> bool,
    mut tell_done: impl FnMut(),
) -> Vec<Result<Edge, PoseFault>> {
    let mut free = vec![false; ways.len()];
    if sieved {
        motions.sieve_edges(ways, options, &mut free);
    }
    let mut found = Vec::with_capacity(ways.len());
    let mut stopped = false;
    for (way, free) in ways.iter().zip(free) {
        if stopped {
            break;
        }
        // The answer depends on this motion alone, and not on what its thread asked before.
        motions.forget_history();
        let mut watch = |so_far: &EdgeSoFar| {
            stopped |= !watch(so_far);
            !stopped
        };
        let mut search = || motions.check_edge_watched(*way, options, &mut watch);
        found.push(if free { Ok(Edge::Free) } else { search() });
        tell_done();
    }
    found
}

/// Asks whether a few motions are free. This thread asks them alone; after a while all threads ask the rest.
/// `motions` has the changes of `changed`. Ctrl-C ends it.
pub fn ask_few_edges(
    py: Python<'_>,
    world: &Arc<World>,
    motions: &mut MotionChecker,
    changed: Option<&Checker<'_>>,
    [starts, ends]: &[Rows<'_>; 2],
    options: &EdgeOptions,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyEdges> {
    let (count, progress) = (starts.count, Progress::new(progress, starts.count)?);
    let width = world.dof_names().len();
    let mut ask = |starts: &[f64], ends: &[f64]| {
        let (mut found, broken) = py.detach(|| {
            let (mut signals, began) = (Signals::new(), Instant::now());
            let mut found = Vec::with_capacity(count);
            while found.len() < count && signals.broken.is_none() && began.elapsed() < ALONE_TIME {
                let rows = found.len()..count.min(found.len() + TASK_MOTIONS);
                let ways = slice_motions([starts, ends], rows, width);
                let mut watch = |_: &EdgeSoFar| signals.allow_work();
                found.extend(ask_in_row(motions, &ways, options, changed.is_none(), &mut watch, || {}));
            }
            (found, signals.broken)
        });
        if let Some(broken) = broken {
            return Err(broken);
        }
        let asked = found.len();
        // Where a row is refused there are no answers.
        if found.iter().all(Result::is_ok) {
            progress.tell_done(asked)?;
        }
        if asked < count {
            let rest = [starts, ends].map(|poses| &poses[asked * width..]);
            found.extend(ask_slice(py, world, changed, rest, count - asked, options, &progress)?);
        }
        Ok(found)
    };
    let found = starts.lend_rows(0..count, |starts| ends.lend_rows(0..count, |ends| ask(starts, ends)))?;
    let mut columns = Columns::with_room(count)?;
    columns.append(py, found, 0, None)?;
    columns.into_edges(py, world)
}

/// Asks about some motions on all threads, and reports progress meanwhile.
fn ask_slice(
    py: Python<'_>,
    world: &Arc<World>,
    changed: Option<&Checker<'_>>,
    [starts, ends]: [&[f64]; 2],
    count: usize,
    options: &EdgeOptions,
    progress: &Progress<'_>,
) -> PyResult<Vec<Result<Edge, PoseFault>>> {
    let width = world.dof_names().len();
    let pool = pool_of_process(py)?;
    let shared = Shared {
        done: AtomicUsize::new(0),
        stopped: AtomicBool::new(false),
        ended: AtomicBool::new(false),
        caller: std::thread::current(),
    };
    let new_motions = || {
        let mut motions = MotionChecker::new(world);
        if let Some(checker) = changed {
            motions.copy_state_from(checker);
        }
        motions
    };
    let sieved = changed.is_none();
    let ask = |motions: &mut MotionChecker, task: usize| {
        let rows = task * TASK_MOTIONS..count.min((task + 1) * TASK_MOTIONS);
        let ways = slice_motions([starts, ends], rows, width);
        let mut watch = |_: &EdgeSoFar| !shared.stopped.load(Ordering::Relaxed);
        let tell_done = || _ = shared.done.fetch_add(1, Ordering::Relaxed);
        ask_in_row(motions, &ways, options, sieved, &mut watch, tell_done)
    };
    let mut broken = None;
    let found: Result<Vec<Vec<Result<Edge, PoseFault>>>, _> = std::thread::scope(|scope| {
        let work = scope.spawn(|| {
            let _ending = Ending(&shared);
            let tasks = (0..count.div_ceil(TASK_MOTIONS)).into_par_iter();
            pool.install(|| tasks.map_init(new_motions, ask).collect())
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
        (None, Ok(found)) => Ok(found.concat()),
    }
}

/// What arrays are made of.
struct Columns {
    free: Vec<bool>,
    contact: Vec<bool>,
    first_contact: Vec<f64>,
    free_until: Vec<f64>,
    pairs: Vec<Option<BodyPair>>,
}

impl Columns {
    /// No motions, and room for so many.
    fn with_room(count: usize) -> PyResult<Columns> {
        Ok(Columns {
            free: room_for_rows(count, 1)?,
            contact: room_for_rows(count, 1)?,
            first_contact: room_for_rows(count, 2)?,
            free_until: room_for_rows(count, 1)?,
            pairs: room_for_rows(count, 1)?,
        })
    }

    /// Appends the answers of a slice that begins at row `start`, or names the refused ones. Rows from
    /// `until` on were not asked.
    fn append(
        &mut self,
        py: Python<'_>,
        found: Vec<Result<Edge, PoseFault>>,
        start: usize,
        until: Option<usize>,
    ) -> PyResult<()> {
        let (mut first, mut refused) = (Vec::new(), 0);
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
            let (at, free_until, pair) = match edge {
                Edge::Free => ([f64::NAN; 2], 1.0, None),
                Edge::Contact { first, pair, free_until, .. } => (first, free_until, Some(pair)),
                Edge::Unknown { at, pair, .. } => ([f64::NAN; 2], at[0], pair),
            };
            self.free.push(edge == Edge::Free);
            self.contact.push(matches!(edge, Edge::Contact { .. }));
            self.first_contact.extend(at);
            self.free_until.push(free_until);
            self.pairs.push(pair);
        }
        if refused > 0 {
            return Err(rows_error(py, BatchFault::Poses { first, count: refused }, start, until));
        }
        Ok(())
    }

    fn into_edges(self, py: Python<'_>, world: &Arc<World>) -> PyResult<PyEdges> {
        let count = self.free.len();
        Ok(PyEdges {
            world: world.clone(),
            free: PyArray1::from_vec(py, self.free).unbind(),
            contact: PyArray1::from_vec(py, self.contact).unbind(),
            first_contact: PyArray1::from_vec(py, self.first_contact).reshape([count, 2])?.unbind(),
            free_until: PyArray1::from_vec(py, self.free_until).unbind(),
            pairs: self.pairs,
        })
    }
}
