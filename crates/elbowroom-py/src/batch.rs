//! Many poses in one call, slice by slice: Ctrl-C ends the call between two slices.

use crate::arrays::{Poses, Rows, read_poses};
use crate::errors::rows_error;
use crate::memory::{filled_rows, room_for_rows};
use crate::progress::Progress;
use crate::threads::{ALONE_TIME, FEW_ROWS, run_on_threads};
use crate::verdict::code_of;
use elbowroom::batch::{Batch, BatchCounts, BatchFault, ask_on_threads, test_on_threads};
use elbowroom::pair::Witness;
use elbowroom::world::AskedWorld;
use elbowroom::{Answer, PairId, Question, Verdict, World};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Poses in the first slice: a multiple of the engine's chunk, so that slices change no answer.
const FIRST_SLICE: usize = 8192;
/// Poses that a thread asks alone between two looks at the clock.
const ALONE_POSES: usize = 16;
/// Poses whose gradients one thread takes at a time.
const CHUNK: usize = 512;
/// The next slices grow to take about this long.
const SLICE_TIME: Duration = Duration::from_millis(100);
/// Most poses in a slice: its verdicts or answers take less than 100 MB.
const LARGEST_SLICE: usize = 1 << 18;

/// Asks rows slice by slice, on all threads, without the interpreter's lock. Ctrl-C ends it between two
/// slices. After each slice, `progress` is called with its number of poses.
fn ask_slices(
    py: Python<'_>,
    rows: &Rows<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    mut ask: impl FnMut(Range<usize>, &[f64]) -> Result<BatchCounts, BatchFault> + Send,
) -> PyResult<()> {
    let (count, progress) = (rows.count, Progress::new(progress, rows.count)?);
    let (mut start, mut slice) = (0, FIRST_SLICE);
    while start < count {
        let end = count.min(start + slice);
        let began = Instant::now();
        rows.lend_rows(start..end, |values| {
            run_on_threads(py, || ask(start..end, values))?
                .map_err(|fault| rows_error(py, fault, start, (end < count).then_some(end)))
        })?;
        py.check_signals()?;
        progress.tell_done(end - start)?;
        if began.elapsed() < SLICE_TIME / 2 {
            slice = (2 * slice).min(LARGEST_SLICE);
        }
        start = end;
    }
    Ok(())
}

self_cell::self_cell!(
    struct BatchCell {
        owner: Arc<World>,
        #[covariant]
        dependent: Batch,
    }
);

/// A batch that owns a share of its world.
pub struct OwnedBatch(BatchCell);

impl OwnedBatch {
    /// For a world.
    pub fn new(world: Arc<World>) -> OwnedBatch {
        OwnedBatch(BatchCell::new(world, |world| Batch::new(world)))
    }
}

/// A verdict for each of a few rows. This thread tests them alone; after a while all threads test the rest.
pub fn test_few(
    py: Python<'_>,
    world: &World,
    batch: &mut OwnedBatch,
    rows: &Rows<'_>,
    question: &Question,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<u8>> {
    let (count, width) = (rows.count, world.dof_names().len());
    let progress = Progress::new(progress, count)?;
    let mut verdicts = [Verdict::Unknown; FEW_ROWS];
    let verdicts = &mut verdicts[..count];
    rows.lend_rows(0..count, |values| {
        let asked = py.detach(|| {
            batch.0.with_dependent_mut(|_, batch| {
                let (mut asked, began) = (0, Instant::now());
                while asked < count && began.elapsed() < ALONE_TIME {
                    let end = count.min(asked + ALONE_POSES);
                    let some = &values[asked * width..end * width];
                    if batch.test(some, question, &mut verdicts[asked..end]).is_err() {
                        // A fault names the refused rows of all.
                        batch.test(values, question, verdicts)?;
                    }
                    asked = end;
                }
                Ok(asked)
            })
        });
        let asked = asked.map_err(|fault| rows_error(py, fault, 0, None))?;
        let (some, verdicts) = (&values[asked * width..], &mut verdicts[asked..]);
        let rest = || test_on_threads(world, some, question, verdicts);
        if asked < count {
            run_on_threads(py, rest)?.map_err(|fault| rows_error(py, fault, asked, None))?;
        }
        Ok(())
    })?;
    progress.tell_done(count)?;
    Ok(verdicts.iter().map(|verdict| code_of(*verdict)).collect())
}

/// A verdict for each row, on all threads.
pub fn test_rows(
    py: Python<'_>,
    asked: AskedWorld<'_>,
    rows: &Rows<'_>,
    question: &Question,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<u8>> {
    let mut codes = filled_rows(code_of(Verdict::Unknown), rows.count, 1)?;
    let mut verdicts = Vec::new();
    ask_slices(py, rows, progress, |slice, values| {
        verdicts.resize(slice.len(), Verdict::Unknown);
        let counts = test_on_threads(asked, values, question, &mut verdicts)?;
        for (code, verdict) in codes[slice].iter_mut().zip(&verdicts) {
            *code = code_of(*verdict);
        }
        Ok(counts)
    })?;
    Ok(codes)
}

/// The answers for many poses, as arrays of one length. `pair` has the number of the nearest pair, or -1 if
/// no pair is checked; `World.pair_names` has the names.
#[pyclass(name = "Clearances", module = "elbowroom", frozen)]
pub struct PyClearances {
    world: Arc<World>,
    /// What each interval means: the numbers of `Verdict` (uint8, shape (n,)). 0 is clear, 4 is unknown.
    #[pyo3(get)]
    verdict: Py<PyArray1<u8>>,
    /// Each distance is at least this (metres, shape (n,)).
    #[pyo3(get)]
    lower: Py<PyArray1<f64>>,
    /// Each distance is at most this (metres, shape (n,)).
    #[pyo3(get)]
    upper: Py<PyArray1<f64>>,
    /// The nearest pair's number (int64, shape (n,)).
    #[pyo3(get)]
    pair: Py<PyArray1<i64>>,
    /// With `gradient=True`: how each distance changes with each joint value (metres a radian, or metres a
    /// metre, shape (n, dof)). NaN where bounds alone decided. None without it.
    #[pyo3(get)]
    gradient: Option<Py<PyArray2<f64>>>,
    /// With `points=True`: the points of the first bodies (metres, shape (n, 3)). NaN where bounds alone
    /// decided. None without it.
    #[pyo3(get)]
    witness_a: Option<Py<PyArray2<f64>>>,
    /// With `points=True`: the points of the second bodies, as `witness_a`.
    #[pyo3(get)]
    witness_b: Option<Py<PyArray2<f64>>>,
    pairs: Vec<Option<PairId>>,
}

/// What is wanted of many poses besides their distances.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub gradient: bool,
    pub points: bool,
}

#[pymethods]
impl PyClearances {
    fn __len__(&self) -> usize {
        self.pairs.len()
    }

    /// The full names of the nearest pair of a pose; None where no pair is checked.
    fn names(&self, row: usize) -> PyResult<Option<(&str, &str)>> {
        let Some(pair) = self.pairs.get(row) else {
            let n = self.pairs.len();
            return Err(pyo3::exceptions::PyIndexError::new_err(format!("pose {row} of {n} poses")));
        };
        Ok(pair.and_then(|pair| self.world.pair_names(pair)).map(|[a, b]| (a, b)))
    }

    fn __repr__(&self) -> String {
        format!("Clearances of {} poses", self.pairs.len())
    }
}

/// The distances of one pose or of many.
pub fn clearances_of_poses(
    py: Python<'_>,
    world: &Arc<World>,
    asked: AskedWorld<'_>,
    q: &Bound<'_, PyAny>,
    question: &Question,
    wanted: Wanted,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyClearances> {
    let rows = match read_poses(q, world.dof_names().len())? {
        Poses::One(pose) => Rows::of_one(py, &pose)?,
        Poses::Many(rows) => rows,
    };
    let (count, width) = (rows.count, world.dof_names().len());
    // Until a row is asked, nothing is proved of it.
    let mut codes = filled_rows(code_of(Verdict::Unknown), count, 1)?;
    let mut lower = filled_rows(f64::NEG_INFINITY, count, 1)?;
    let mut upper = filled_rows(f64::INFINITY, count, 1)?;
    let mut pairs: Vec<Option<PairId>> = filled_rows(None, count, 1)?;
    let nothing = |wanted: bool, width: usize| filled_rows(f64::NAN, if wanted { count } else { 0 }, width);
    let mut gradients = nothing(wanted.gradient, width)?;
    let (mut points_a, mut points_b) = (nothing(wanted.points, 3)?, nothing(wanted.points, 3)?);
    let mut answers = Vec::new();
    ask_slices(py, &rows, progress, |slice, values| {
        answers.resize(slice.len(), Answer::default());
        let counts = ask_on_threads(asked, values, question, &mut answers)?;
        if wanted.gradient && width > 0 {
            let gradients = &mut gradients[slice.start * width..slice.end * width];
            fill_gradients(asked, width, values, &answers, gradients);
        }
        for (row, answer) in slice.zip(&answers) {
            if wanted.points
                && let Some(Witness { a, b, .. }) = answer.witness
            {
                points_a[3 * row..3 * row + 3].copy_from_slice(&a.to_array());
                points_b[3 * row..3 * row + 3].copy_from_slice(&b.to_array());
            }
            codes[row] = code_of(answer.verdict);
            (lower[row], upper[row]) = (answer.interval.lower, answer.interval.upper);
            pairs[row] = answer.pair;
        }
        Ok(counts)
    })?;
    let mut numbers = room_for_rows(count, 1)?;
    numbers.extend(pairs.iter().map(|pair| pair.map_or(-1, |pair| i64::from(pair.0))));
    let rows = |wanted: bool, numbers: Vec<f64>, width: usize| -> PyResult<Option<Py<PyArray2<f64>>>> {
        let made = wanted.then(|| PyArray1::from_vec(py, numbers).reshape([count, width]));
        made.transpose().map(|made| made.map(Bound::unbind))
    };
    Ok(PyClearances {
        world: world.clone(),
        gradient: rows(wanted.gradient, gradients, width)?,
        witness_a: rows(wanted.points, points_a, 3)?,
        witness_b: rows(wanted.points, points_b, 3)?,
        verdict: PyArray1::from_vec(py, codes).unbind(),
        lower: PyArray1::from_vec(py, lower).unbind(),
        upper: PyArray1::from_vec(py, upper).unbind(),
        pair: PyArray1::from_vec(py, numbers).unbind(),
        pairs,
    })
}

/// The gradients of answers, on the threads of the current pool. Each thread has a checker for the Jacobians.
fn fill_gradients(
    asked: AskedWorld<'_>,
    width: usize,
    values: &[f64],
    answers: &[Answer],
    gradients: &mut [f64],
) {
    let rows = gradients.par_chunks_mut(CHUNK * width).zip(answers.par_chunks(CHUNK)).enumerate();
    rows.for_each_init(
        || asked.new_checker(),
        |checker, (chunk, (gradients, answers))| {
            for (k, (gradient, answer)) in gradients.chunks_mut(width).zip(answers).enumerate() {
                let row = chunk * CHUNK + k;
                // The batch took the row, so the checker takes it.
                if answer.witness.is_some()
                    && checker.set(&values[row * width..(row + 1) * width]).is_ok()
                    && let Some(found) = answer.gradient(checker)
                {
                    gradient.copy_from_slice(found);
                }
            }
        },
    );
}
