//! The part of a checker that asks motions.

use elbowroom::motion::MotionChecker;
use elbowroom::{OwnedChecker, World};
use std::sync::Arc;

self_cell::self_cell!(
    struct OwnedMotion {
        owner: Arc<World>,
        #[covariant]
        dependent: MotionChecker,
    }
);

/// Asks motions for a checker. It is allocated with the first motion, and follows the checker's changes.
pub(crate) struct EdgeState {
    world: Arc<World>,
    motion: Option<OwnedMotion>,
    /// Whether the checker's cell may have changed since its state was copied.
    is_stale: bool,
}

impl EdgeState {
    pub fn new(world: Arc<World>) -> EdgeState {
        EdgeState { world, motion: None, is_stale: true }
    }

    pub fn note_change(&mut self) {
        self.is_stale = true;
    }

    pub fn forget_history(&mut self) {
        if let Some(motion) = &mut self.motion {
            motion.with_dependent_mut(|_, motion| motion.forget_history());
        }
    }

    /// Lends the motion checker, in the checker's state of the cell.
    pub fn lend_motion<R>(
        &mut self,
        checker: &OwnedChecker,
        ask: impl for<'w> FnOnce(&mut MotionChecker<'w>) -> R,
    ) -> R {
        let EdgeState { world, motion, is_stale } = self;
        let motion =
            motion.get_or_insert_with(|| OwnedMotion::new(world.clone(), |world| MotionChecker::new(world)));
        motion.with_dependent_mut(|_, motion| {
            if std::mem::take(is_stale) {
                // Both are of the same world, so the copy cannot fail.
                checker.lend(|checker| motion.copy_state_from(checker));
            }
            ask(motion)
        })
    }
}
