//! The threads that compile worlds and answer batches: a pool of this process alone.
//!
//! A process that forks has none of its parent's threads. Work given to the parent's pool would wait for
//! them forever. So the pool belongs to a process by its number, and a child makes one of its own.

use crate::errors::engine_error;
use pyo3::{PyResult, Python};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};

/// The pool, and the number of the process that made it. Only who has the interpreter's lock looks at it.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

fn pool_of_process(py: Python<'_>) -> PyResult<Arc<ThreadPool>> {
    let process = std::process::id();
    let mut place = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((owner, pool)) = &*place
        && *owner == process
    {
        return Ok(pool.clone());
    }
    let made = ThreadPoolBuilder::new().thread_name(|k| format!("elbowroom-{k}")).build();
    let pool = Arc::new(made.map_err(|e| engine_error(py, format!("no threads could be started: {e}")))?);
    // The parent's pool has no threads here that could end: it is left as it is.
    std::mem::forget(place.replace((process, pool.clone())));
    Ok(pool)
}

/// Runs work on all threads, without the interpreter's lock.
pub fn run_on_threads<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = pool_of_process(py)?;
    Ok(py.detach(|| pool.install(work)))
}
