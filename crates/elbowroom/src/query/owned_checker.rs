//! A checker that owns a share of its world.

use crate::model::world::World;
use crate::query::checker::Checker;
use alloc::sync::Arc;
use core::fmt;

self_cell::self_cell!(
    struct Holder {
        owner: Arc<World>,
        #[covariant]
        dependent: Checker,
    }
);

/// A [`Checker`] and its world in one value, for those who cannot borrow: another language's objects, a
/// thread's state, a struct of your own. The world is shared: an `Arc` of it goes to each thread.
///
/// ```
/// use elbowroom::describe::examples::rod_and_post;
/// use elbowroom::{OwnedChecker, Question, Verdict, World};
/// use std::sync::Arc;
///
/// struct Planner {
///     checker: OwnedChecker,
/// }
///
/// // The rod of the crate's first example, and the post at (0, 1, 0).
/// let world = Arc::new(World::compile(&rod_and_post())?);
/// let mut planner = Planner { checker: OwnedChecker::new(world) };
/// let answer = planner.checker.lend_mut(|checker| {
///     checker.set(&[0.0])?;
///     Ok::<_, elbowroom::pose::PoseFault>(checker.ask(&Question::test()))
/// })?;
/// assert_eq!(answer.verdict, Verdict::Clear);
/// assert_eq!(planner.checker.lend(|checker| checker.values().to_vec()), [0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct OwnedChecker(Holder);

impl OwnedChecker {
    /// At the world's neutral values.
    pub fn new(world: Arc<World>) -> OwnedChecker {
        OwnedChecker(Holder::new(world, |world| Checker::new(world)))
    }

    /// The world that it asks.
    pub fn world(&self) -> &Arc<World> {
        self.0.borrow_owner()
    }

    /// Lends the checker, to be looked at.
    pub fn lend<R>(&self, look: impl for<'w> FnOnce(&Checker<'w>) -> R) -> R {
        self.0.with_dependent(|_, checker| look(checker))
    }

    /// Lends the checker, to be set and asked.
    pub fn lend_mut<R>(&mut self, ask: impl for<'w> FnOnce(&mut Checker<'w>) -> R) -> R {
        self.0.with_dependent_mut(|_, checker| ask(checker))
    }

    /// A checker of an edited world in the same state, as [`Checker::migrate_to`] makes it. `None` for a
    /// world that was not edited from this checker's description.
    pub fn migrate_to(&self, world: Arc<World>) -> Option<OwnedChecker> {
        let checker =
            Holder::try_new(world, |world| self.lend(|checker| checker.migrate_to(world)).ok_or(()));
        checker.ok().map(OwnedChecker)
    }
}

impl Clone for OwnedChecker {
    /// With the joint values, the changes and the memory of the other; the world is shared.
    fn clone(&self) -> OwnedChecker {
        OwnedChecker(Holder::new(self.world().clone(), |world| {
            self.lend(|checker| checker.carry_over(world))
        }))
    }
}

impl fmt::Debug for OwnedChecker {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.lend(|checker| f.debug_tuple("OwnedChecker").field(checker).finish())
    }
}
