//! Many poses in one call, slice by slice: Ctrl-C ends the call between two slices.

use crate::errors::rows_error;
use crate::progress::Progress;
use crate::threads::run_on_threads;
use crate::verdict::code_of;
use elbowroom::batch::{BatchCounts, BatchFault, ask_on_threads, test_on_threads};
use elbowroom::{Answer, Batch, Checker, PairId, Question, Verdict, World};
use numpy::PyArray1;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Poses in the first slice: a multiple of the engine's chunk, so that slices change no answer.
const FIRST_SLICE: usize = 8192;
/// Poses that one thread takes at a time.
const CHUNK: usize = 512;
/// Most refused rows that a fault names, as in the engine's batches.
const NAMED_ROWS: usize = 32;
/// The next slices grow to take about this long.
const SLICE_TIME: Duration = Duration::from_millis(100);
/// Most poses in a slice: its verdicts or answers take less than 100 MB.
const LARGEST_SLICE: usize = 1 << 18;

/// Asks rows slice by slice, on all threads, without the interpreter's lock. Ctrl-C ends it between two
/// slices. After each slice, `progress` is called with its number of poses.
fn ask_slices(
    py: Python<'_>,
    count: usize,
    progress: Option<&Bound<'_, PyAny>>,
    mut ask: impl FnMut(Range<usize>) -> Result<BatchCounts, BatchFault> + Send,
) -> PyResult<()> {
    let progress = Progress::new(progress, count)?;
    let (mut start, mut slice) = (0, FIRST_SLICE);
    while start < count {
        let end = count.min(start + slice);
        let began = Instant::now();
        run_on_threads(py, || ask(start..end))?
            .map_err(|fault| rows_error(py, fault, start, (end < count).then_some(end)))?;
        py.check_signals()?;
        progress.tell_done(end - start)?;
        if began.elapsed() < SLICE_TIME / 2 {
            slice = (2 * slice).min(LARGEST_SLICE);
        }
        start = end;
    }
    Ok(())
}

/// A verdict for each row.
pub fn test_rows(
    py: Python<'_>,
    world: &World,
    rows: &[f64],
    count: usize,
    question: &Question,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<u8>> {
    let width = world.dof_names().len();
    let (mut codes, mut verdicts) = (vec![code_of(Verdict::Unknown); count], Vec::new());
    ask_slices(py, count, progress, |slice| {
        verdicts.resize(slice.len(), Verdict::Unknown);
        let values = &rows[slice.start * width..slice.end * width];
        let counts = test_on_threads(world, values, question, &mut verdicts)?;
        for (code, verdict) in codes[slice].iter_mut().zip(&verdicts) {
            *code = code_of(*verdict);
        }
        Ok(counts)
    })?;
    Ok(codes)
}

/// A verdict for each row, with the changes of a checker. Each thread has a batch in the checker's state.
pub fn test_changed_rows(
    py: Python<'_>,
    checker: &Checker<'_>,
    rows: &[f64],
    count: usize,
    question: &Question,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<u8>> {
    let world = checker.world();
    let width = world.dof_names().len();
    let mut codes = vec![code_of(Verdict::Unknown); count];
    let new_batch = || {
        let mut batch = Batch::new(world);
        batch.copy_state_from(checker);
        batch
    };
    ask_slices(py, count, progress, |slice| {
        let start = slice.start;
        let chunks = codes[slice].par_chunks_mut(CHUNK).enumerate();
        let results: Vec<Result<(), BatchFault>> = chunks
            .map_init(new_batch, |batch, (k, codes)| {
                let from = start + k * CHUNK;
                let mut verdicts = [Verdict::Unknown; CHUNK];
                let verdicts = &mut verdicts[..codes.len()];
                let values = &rows[from * width..(from + codes.len()) * width];
                batch.test(values, question, verdicts).map_err(|fault| moved_fault(fault, k * CHUNK))?;
                codes.iter_mut().zip(verdicts).for_each(|(code, verdict)| *code = code_of(*verdict));
                Ok(())
            })
            .collect();
        join_faults(results).map(|()| BatchCounts::default())
    })?;
    Ok(codes)
}

/// A fault of a chunk, with its rows counted from the start of the slice.
fn moved_fault(mut fault: BatchFault, start: usize) -> BatchFault {
    if let BatchFault::Poses { first, .. } = &mut fault {
        first.iter_mut().for_each(|(row, _)| *row += start);
    }
    fault
}

/// One fault for all refused rows of a slice, in the order of rows: the names do not depend on threads.
fn join_faults(chunks: Vec<Result<(), BatchFault>>) -> Result<(), BatchFault> {
    let (mut named, mut refused) = (Vec::new(), 0);
    for chunk in chunks {
        match chunk {
            Ok(()) => {}
            Err(BatchFault::Poses { first, count }) => {
                refused += count;
                named.extend(first);
            }
            Err(other) => return Err(other),
        }
    }
    named.truncate(NAMED_ROWS);
    if refused == 0 { Ok(()) } else { Err(BatchFault::Poses { first: named, count: refused }) }
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
    pairs: Vec<Option<PairId>>,
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

/// The distance of each row.
pub fn clearances_of_rows(
    py: Python<'_>,
    world: &Arc<World>,
    rows: &[f64],
    count: usize,
    question: &Question,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyClearances> {
    let width = world.dof_names().len();
    // Until a row is asked, nothing is proved of it.
    let codes = vec![code_of(Verdict::Unknown); count];
    let (lower, upper) = (vec![f64::NEG_INFINITY; count], vec![f64::INFINITY; count]);
    let mut columns = (codes, lower, upper, vec![None; count]);
    let mut answers = Vec::new();
    let (codes, lower, upper, pairs) = &mut columns;
    ask_slices(py, count, progress, |slice| {
        answers.resize(slice.len(), Answer::default());
        let values = &rows[slice.start * width..slice.end * width];
        let counts = ask_on_threads(world, values, question, &mut answers)?;
        for (row, answer) in slice.zip(&answers) {
            codes[row] = code_of(answer.verdict);
            (lower[row], upper[row]) = (answer.interval.lower, answer.interval.upper);
            pairs[row] = answer.pair;
        }
        Ok(counts)
    })?;
    let (codes, lower, upper, pairs) = columns;
    let numbers: Vec<i64> = pairs.iter().map(|pair| pair.map_or(-1, |pair| i64::from(pair.0))).collect();
    Ok(PyClearances {
        world: world.clone(),
        verdict: PyArray1::from_vec(py, codes).unbind(),
        lower: PyArray1::from_vec(py, lower).unbind(),
        upper: PyArray1::from_vec(py, upper).unbind(),
        pair: PyArray1::from_vec(py, numbers).unbind(),
        pairs,
    })
}
