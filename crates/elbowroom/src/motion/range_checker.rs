//! Which pairs are proved to stay apart at every configuration in which each joint value lies in a range of
//! its own? A monitor asks this of all that a robot can pass before it rests. [`super::range_search`] has the
//! search.

use super::range_answer::{RangeAnswer, RangeCounts, RangeOptions};
use super::range_search::RangeSpace;
use crate::model::id::BodyPair;
use crate::model::world::World;
use crate::pose::fault::PoseFault;
use crate::query::checker::Checker;

/// Asks about all configurations in which each joint value lies in a range. One for each thread. Everything is
/// allocated when it is made.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
/// # use example::rod_and_post;
/// use elbowroom::World;
/// use elbowroom::motion::{RangeChecker, RangeOptions};
///
/// // The rod of the crate's first example, and the post at (0, 1, 0), which it would hit at 1.27.
/// let world = World::compile(&rod_and_post([0.0, 1.0, 0.0]))?;
/// let mut checker = RangeChecker::new(&world);
/// let options = RangeOptions::default();
/// assert!(checker.check([&[-2.0], &[1.0]], &options, |_| true)?.is_free());
///
/// // Some of these values collide: a value that does was found.
/// let answer = checker.check([&[0.5], &[1.5]], &options, |_| true)?;
/// assert!(answer.complete && answer.open.len() == 1 && answer.open[0].upper < 0.0);
///
/// // Only what was open is asked again for ranges within those.
/// assert!(checker.narrowed([&[0.5], &[1.0]], &options, |_| true)?.is_free());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RangeChecker<'w> {
    space: RangeSpace<'w>,
}

impl<'w> RangeChecker<'w> {
    /// For a world.
    pub fn new(world: &'w World) -> RangeChecker<'w> {
        RangeChecker { space: RangeSpace::new(world) }
    }

    /// The world that it asks.
    pub fn world(&self) -> &'w World {
        self.space.pose.world
    }

    /// Takes over from a checker of the same world where movable bodies are, who carries them, what fills
    /// spare places, and which pairs are allowed. False for a checker of another world, from which nothing is
    /// taken. The answer before is forgotten.
    pub fn take_places(&mut self, checker: &Checker) -> bool {
        self.space.forget_answer();
        self.space.pose.take_places(&checker.space.pose)
    }

    /// Which pairs are not proved to stay farther apart than the margin while each joint value lies between
    /// the values of `ends` (the lowest and the highest; radians, metres; order of [`World::value_names`]).
    /// The values may change independently of each other: every combination counts.
    ///
    /// For the pairs that `halved` selects, ranges are halved as long as the options allow; the others are
    /// asked once. Nothing is allocated.
    ///
    /// # Errors
    /// The middle of the ranges is not a configuration of the world: all values of it that are wrong are named.
    pub fn check(
        &mut self,
        ends: [&[f64]; 2],
        options: &RangeOptions,
        halved: impl Fn(BodyPair) -> bool,
    ) -> Result<RangeAnswer<'_>, PoseFault> {
        self.space.check(ends, options, &halved)
    }

    /// The same for ranges within those of the last [`RangeChecker::check`], with the same margin or a smaller
    /// one: only the pairs that it left open are asked. If the ranges are not within those, or nothing is
    /// known of those, the answer is not complete. Any number of narrower ranges may be asked one after the
    /// other.
    ///
    /// # Errors
    /// As [`RangeChecker::check`].
    pub fn narrowed(
        &mut self,
        ends: [&[f64]; 2],
        options: &RangeOptions,
        halved: impl Fn(BodyPair) -> bool,
    ) -> Result<RangeAnswer<'_>, PoseFault> {
        self.space.narrowed(ends, options, &halved)
    }

    /// How much work the last question took.
    pub fn counts(&self) -> RangeCounts {
        self.space.counts
    }

    /// Forgets warm starts of earlier questions. They change how fast an answer comes, never what is proved.
    pub fn forget(&mut self) {
        self.space.asker.forget();
    }
}
