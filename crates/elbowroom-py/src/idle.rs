//! A pool of checkers and motion checkers. One thread uses each at a time.

use pyo3::Python;
use std::sync::{Mutex, PoisonError};

/// Most values in a pool. If more threads ask at once, the rest make values of their own.
const WAITING: usize = 64;

/// The values that no thread uses now. A thread locks the list only while it holds the interpreter's lock,
/// and briefly. So no thread waits for another here, and the list is never locked while a process forks.
pub struct Idle<T>(Mutex<Vec<T>>);

impl<T> Idle<T> {
    /// An empty pool.
    pub fn new() -> Idle<T> {
        Idle(Mutex::new(Vec::new()))
    }

    /// Takes the value that was used last, if there is one.
    pub fn take_value(&self, _py: Python<'_>) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Returns a value to the pool.
    pub fn give_back(&self, _py: Python<'_>, value: T) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < WAITING {
            waiting.push(value);
        }
    }
}
