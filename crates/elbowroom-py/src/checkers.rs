//! The checkers that answer single questions of a world.

use crate::errors::pose_error;
use crate::idle::Idle;
use elbowroom::{Checker, OwnedChecker, World};
use pyo3::prelude::*;
use std::sync::Arc;

/// A world, and the checkers of it that no thread uses now.
pub struct Checkers {
    pub world: Arc<World>,
    idle: Idle<OwnedChecker>,
}

impl Checkers {
    /// Of a world; the first question makes a checker.
    pub fn new(world: Arc<World>) -> Arc<Checkers> {
        Arc::new(Checkers { world, idle: Idle::new() })
    }

    /// Sets a checker to a pose and asks it, without the interpreter's lock. What `ask` returns is copied a
    /// few times: a large answer is better written to a place of the caller.
    pub fn ask_at<T: Send>(
        &self,
        py: Python<'_>,
        pose: &[f64],
        ask: impl FnOnce(&mut Checker) -> T + Send,
    ) -> PyResult<T> {
        let checker = self.idle.take_value(py);
        let (checker, asked) = py.detach(|| {
            let mut checker = checker.unwrap_or_else(|| OwnedChecker::new(self.world.clone()));
            let asked = checker.lend_mut(|checker| checker.set(pose).map(|()| ask(checker)));
            (checker, asked)
        });
        self.idle.give_back(py, checker);
        asked.map_err(|fault| pose_error(py, &fault))
    }
}
