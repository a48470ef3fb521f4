//! Many poses in one call: slice by slice, so that Ctrl-C ends it.

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

/// Poses in the first slice. A multiple of what the engine takes together, so that slices change no answer.
const FIRST_SLICE: usize = 8192;
/// Poses that one thread takes at a time.
const CHUNK: usize = 512;
/// The next slices grow to take about this long.
const SLICE_TIME: Duration = Duration::from_millis(100);
/// Most poses in a slice: what a slice needs besides its arrays stays below 100 MB.
const LARGEST_SLICE: usize = 1 << 18;

/// Goes through rows slice by slice, on all threads, without the interpreter's lock. Ctrl-C ends it between
/// two slices. `progress` is told the number of poses of each slice.
fn go_through(
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
    go_through(py, count, progress, |slice| {
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

/// A verdict for each row, with the changes of a checker: a batch in its state on each thread.
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
    go_through(py, count, progress, |slice| {
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
        results.into_iter().collect::<Result<(), BatchFault>>().map(|()| BatchCounts::default())
    })?;
    Ok(codes)
}

/// A fault of rows that begin at a number.
fn moved_fault(mut fault: BatchFault, start: usize) -> BatchFault {
    if let BatchFault::Poses { first, .. } = &mut fault {
        first.iter_mut().for_each(|(row, _)| *row += start);
    }
    fault
}

/// What is proved of many poses, as arrays of one length. `pair` has the number of the pair that is nearest,
/// -1 where no pair is checked; `World.pair_names` has the names.
#[pyclass(name = "Clearances", module = "elbowroom", frozen)]
pub struct PyClearances {
    world: Arc<World>,
    /// What each interval means: `Verdict` as numbers (uint8, shape (n,)).
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
    let mut columns = (vec![0; count], vec![0.0; count], vec![0.0; count], vec![None; count]);
    let mut answers = Vec::new();
    let (codes, lower, upper, pairs) = &mut columns;
    go_through(py, count, progress, |slice| {
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
