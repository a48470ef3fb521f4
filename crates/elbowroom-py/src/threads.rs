//! The thread pool that compiles worlds and answers batches. Each process has its own.
//!
//! After a fork the child has the parent's pool, but not its threads: work in that pool would never end. So
//! the pool is stored with the process id, and a child makes its own pool.

use crate::errors::engine_error;
use pyo3::{PyResult, Python};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Most rows that are few ([`are_few_rows`]).
pub const FEW_ROWS: usize = 64;

/// How long a thread asks alone before it wakes the others, which takes them some tens of microseconds.
pub const ALONE_TIME: Duration = Duration::from_micros(500);

/// Whether the thread that calls begins with these rows alone: to wake other threads may take longer.
pub fn are_few_rows(count: usize) -> bool {
    count <= FEW_ROWS
}

/// The pool, and the id of the process that made it. Locked only while the interpreter's lock is held.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The pool of this process.
pub fn pool_of_process(py: Python<'_>) -> PyResult<Arc<ThreadPool>> {
    let process = std::process::id();
    let mut place = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((owner, pool)) = &*place
        && *owner == process
    {
        return Ok(pool.clone());
    }
    let made = ThreadPoolBuilder::new().thread_name(|k| format!("elbowroom-{k}")).build();
    let pool = Arc::new(made.map_err(|e| engine_error(py, format!("no threads could be started: {e}")))?);
    // Dropping the parent's pool would wait for threads that this process does not have.
    std::mem::forget(place.replace((process, pool.clone())));
    Ok(pool)
}

/// Runs work on all threads, without the interpreter's lock.
pub fn run_on_threads<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = pool_of_process(py)?;
    Ok(py.detach(|| pool.install(work)))
}
