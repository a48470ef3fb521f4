//! The checker that one thread at a time asks, and the changes that a picture shows.

use crate::edge::OwnedMotions;
use crate::errors::{busy_error, change_error};
use elbowroom::describe::PlacedShape;
use elbowroom::motion::MotionChecker;
use elbowroom::pose::ChangeFault;
use elbowroom::world::BodyId;
use elbowroom::{Checker, OwnedChecker, World};
use pyo3::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// What a picture shows and the engine's checker does not tell.
#[derive(Clone, Default)]
pub struct Shown {
    /// The hidden bodies.
    pub hidden: BTreeSet<BodyId>,
    /// The points of each cloud (metres, world frame).
    pub points: BTreeMap<BodyId, Arc<Vec<[f64; 3]>>>,
    /// What fills each spare place.
    pub inserted: BTreeMap<BodyId, PlacedShape>,
}

/// The checkers that one thread at a time asks.
pub struct Asker {
    pub checker: OwnedChecker,
    pub shown: Shown,
    /// A copy of the checker that certificates share, made since its last change.
    unchanged: Option<Arc<OwnedChecker>>,
    /// A motion checker with the same changes, kept for the next motion.
    motions: Option<OwnedMotions>,
    /// How often it was changed.
    changes: u64,
}

impl Asker {
    /// With a checker, and the changes that it has.
    fn new(checker: OwnedChecker, shown: Shown) -> Asker {
        Asker { checker, shown, unchanged: None, motions: None, changes: 0 }
    }

    /// A copy of the checker, which stays as it is. It is made once after each change.
    pub fn share_copy(&mut self) -> Arc<OwnedChecker> {
        self.unchanged.get_or_insert_with(|| Arc::new(self.checker.clone())).clone()
    }
}

/// The place of an asker. It is empty while a thread uses the asker, and locked only while the interpreter's
/// lock is held.
pub struct AskerSlot(Mutex<Option<Asker>>);

impl AskerSlot {
    /// With a checker that nothing has changed.
    pub fn new(world: Arc<World>) -> AskerSlot {
        AskerSlot::from_checker(OwnedChecker::new(world), Shown::default())
    }

    /// With a checker, and the changes that it has.
    pub fn from_checker(checker: OwnedChecker, shown: Shown) -> AskerSlot {
        AskerSlot(Mutex::new(Some(Asker::new(checker, shown))))
    }

    /// Takes the asker out; `BusyError` if another thread has it.
    pub fn take_asker(&self, py: Python<'_>) -> PyResult<Asker> {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        taken.ok_or_else(|| busy_error(py))
    }

    /// Puts the asker back.
    pub fn put_back(&self, asker: Asker) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(asker);
    }

    /// Lends the checker, without the interpreter's lock.
    pub fn lend_checker<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl for<'w> FnOnce(&mut Checker<'w>) -> T + Send,
    ) -> PyResult<T> {
        let mut asker = self.take_asker(py)?;
        let (asker, asked) = py.detach(move || {
            let asked = asker.checker.lend_mut(ask);
            (asker, asked)
        });
        self.put_back(asker);
        Ok(asked)
    }

    /// Lends a motion checker with the checker's changes, and a copy that has them. The checker itself is
    /// free meanwhile.
    pub fn lend_motions<T>(
        &self,
        py: Python<'_>,
        world: &Arc<World>,
        ask: impl for<'w> FnOnce(&mut MotionChecker<'w>, &Arc<OwnedChecker>) -> T,
    ) -> PyResult<T> {
        let mut asker = self.take_asker(py)?;
        let (kept, changes) = (asker.motions.take(), asker.changes);
        let (asker, copy) = py.detach(move || {
            let copy = asker.share_copy();
            (asker, copy)
        });
        self.put_back(asker);
        let make = || {
            let mut motions = OwnedMotions::new(world.clone());
            copy.lend(|checker| motions.lend_mut(|motions| motions.copy_state_from(checker)));
            motions
        };
        let mut motions = kept.unwrap_or_else(|| py.detach(make));
        let answer = motions.lend_mut(|motions| ask(motions, &copy));
        // Kept for the next motion, unless a thread asks the checker now, or has changed it.
        if let Some(asker) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)
            && asker.changes == changes
        {
            asker.motions = Some(motions);
        }
        Ok(answer)
    }

    /// Changes the checker, without the interpreter's lock.
    pub fn apply_change(
        &self,
        py: Python<'_>,
        change: impl for<'w> FnOnce(&mut Checker<'w>) -> Result<(), ChangeFault> + Send,
    ) -> PyResult<()> {
        self.apply_shown(py, change, |_| ())
    }

    /// Like [`AskerSlot::apply_change`]. If the checker takes the change, `note` writes what pictures show of
    /// it.
    pub fn apply_shown(
        &self,
        py: Python<'_>,
        change: impl for<'w> FnOnce(&mut Checker<'w>) -> Result<(), ChangeFault> + Send,
        note: impl FnOnce(&mut Shown),
    ) -> PyResult<()> {
        let mut asker = self.take_asker(py)?;
        (asker.unchanged, asker.motions, asker.changes) = (None, None, asker.changes + 1);
        let (mut asker, changed) = py.detach(move || {
            let changed = asker.checker.lend_mut(change);
            (asker, changed)
        });
        if changed.is_ok() {
            note(&mut asker.shown);
        }
        self.put_back(asker);
        changed.map_err(|fault| change_error(py, fault))
    }

    /// What pictures show.
    pub fn read_shown<T>(&self, py: Python<'_>, read: impl FnOnce(&Shown) -> T) -> PyResult<T> {
        let asker = self.take_asker(py)?;
        let found = read(&asker.shown);
        self.put_back(asker);
        Ok(found)
    }
}
