//! Values that wait to be used: checkers and searches of motions, each used by one thread at a time.

use pyo3::Python;
use std::sync::{Mutex, PoisonError};

/// Most values that wait. More threads than these make values anew.
const WAITING: usize = 64;

/// Values that wait. Only who has the interpreter's lock looks at them, and for a moment: so no thread waits
/// here for another, and none is looking while a process forks.
pub struct Idle<T>(Mutex<Vec<T>>);

impl<T> Idle<T> {
    /// None yet.
    pub fn new() -> Idle<T> {
        Idle(Mutex::new(Vec::new()))
    }

    /// The value that was used last, if one waits.
    pub fn take_value(&self, _py: Python<'_>) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Lets a value wait.
    pub fn give_back(&self, _py: Python<'_>, value: T) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < WAITING {
            waiting.push(value);
        }
    }
}
