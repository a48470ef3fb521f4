//! Which pairs are proved to stay apart at every configuration in which each joint value lies in a range of
//! its own? A monitor asks this of all that a robot can pass before it rests. [`super::range_search`] has the
//! search.

use super::range_answer::{PairWork, RangeAnswer, RangeCounts, RangeOptions};
use super::range_search::RangeSpace;
use crate::model::id::{BodyId, BodyPair};
use crate::model::world::World;
use crate::pose::fault::PoseFault;
use crate::query::checker::Checker;

/// Asks about all configurations in which each joint value lies in a range. One for each thread. Everything
/// is allocated when it is made.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
/// # use example::rod_and_post;
/// use elbowroom::World;
/// use elbowroom::motion::{PairWork, RangeChecker, RangeOptions};
///
/// // The rod of the crate's first example, and the post at (0, 1, 0), which it would hit at 1.27.
/// let world = World::compile(&rod_and_post([0.0, 1.0, 0.0]))?;
/// let mut checker = RangeChecker::new(&world);
/// let options = RangeOptions::default();
/// assert!(checker.check([&[-2.0], &[1.0]], &options, |_| PairWork::Halve)?.is_free());
///
/// // Some of these values collide: a value that does was found.
/// let answer = checker.check([&[0.5], &[1.5]], &options, |_| PairWork::Halve)?;
/// assert!(answer.complete && answer.open.len() == 1 && answer.open[0].upper < 0.0);
///
/// // Only what was open is asked again for ranges within those.
/// assert!(checker.narrowed([&[0.5], &[1.0]], &options, |_| PairWork::Halve)?.is_free());
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
    pub fn copy_state_from(&mut self, checker: &Checker) -> bool {
        self.space.forget_answer();
        self.space.pose.copy_state_from(&checker.space.pose)
    }

    /// Which pairs are not proved to stay farther apart than the margin while each joint value lies between
    /// the values of `ends` (the lowest and the highest; radians, metres; order of [`World::dof_names`]).
    /// The values may change independently of each other: every combination counts.
    ///
    /// `work` says what is done for each pair that the capsules around its bodies leave. Nothing is
    /// allocated.
    ///
    /// # Errors
    /// The middle of the ranges is not a configuration of the world: all values of it that are wrong are
    /// named.
    pub fn check(
        &mut self,
        ends: [&[f64]; 2],
        options: &RangeOptions,
        work: impl Fn(BodyPair) -> PairWork,
    ) -> Result<RangeAnswer<'_>, PoseFault> {
        self.space.check(ends, options, &work)
    }

    /// The same for ranges within those of the last [`RangeChecker::check`], with the same margin or a
    /// smaller one: only the pairs that it left open are asked. If the ranges are not within those, or
    /// nothing is known of those, the answer is not complete. Any number of narrower ranges may be asked one
    /// after the other.
    ///
    /// # Errors
    /// As [`RangeChecker::check`].
    pub fn narrowed(
        &mut self,
        ends: [&[f64]; 2],
        options: &RangeOptions,
        work: impl Fn(BodyPair) -> PairWork,
    ) -> Result<RangeAnswer<'_>, PoseFault> {
        self.space.narrowed(ends, options, &work)
    }

    /// An upper bound on the speed of the points of a body (m/s), at every configuration in ranges (as in
    /// [`RangeChecker::check`]) and all velocities between two (the lowest and the highest of each joint
    /// value, by second). With a second body it is the speed of the first against the second where they
    /// touch, sliding included, and bounds how fast their distance shrinks. Infinite where nothing is known:
    /// a range is empty or holds NaN, a floating joint turns the body, or a body is not one of this world.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
    /// # use example::rod_and_post;
    /// use elbowroom::World;
    /// use elbowroom::motion::RangeChecker;
    ///
    /// // The tip of the rod of the crate's first example is 1.1 m from its axis.
    /// let world = World::compile(&rod_and_post([0.0, 1.0, 0.0]))?;
    /// let arm = world.body_by_name("rod/arm").unwrap();
    /// let mut checker = RangeChecker::new(&world);
    /// let speed = checker.speed([&[0.0], &[0.1]], [&[0.9], &[1.0]], arm, None)?;
    /// assert!((1.1..1.3).contains(&speed), "{speed} m/s");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`RangeChecker::check`]; limits are ignored.
    pub fn speed(
        &mut self,
        ends: [&[f64]; 2],
        velocities: [&[f64]; 2],
        of: BodyId,
        against: Option<BodyId>,
    ) -> Result<f64, PoseFault> {
        self.space.speed(ends, velocities, of, against)
    }

    /// A lower bound on the signed distance of a pair at every configuration in ranges (as in
    /// [`RangeChecker::check`]; metres), from a gap along one direction. Unlike [`OpenPair::lower`], it
    /// hardly falls where the bodies only slide along each other or move apart. Meshes stand for their hulls.
    /// Minus infinity where nothing is known, as of a cloud.
    ///
    /// # Errors
    /// As [`RangeChecker::check`]; limits are ignored.
    ///
    /// [`OpenPair::lower`]: super::OpenPair::lower
    pub fn least_along(&mut self, ends: [&[f64]; 2], pair: BodyPair) -> Result<f64, PoseFault> {
        self.space.least_along(ends, pair)
    }

    /// Whether two bodies surely come no nearer to each other, while the joint values move from the first
    /// of the boxes of ranges into the second: of each pair of their shapes, the gap along the normal
    /// falls by no more than `slack` and does not close, or does not fall at all, or stays above `margin` in
    /// the third, the widest (metres). Each
    /// shape counts by itself, so a body that slides along one wall is seen to come nearer to another.
    /// False of clouds, and where a mesh is not as near as its hull: there a gap says nothing.
    ///
    /// # Errors
    /// As [`RangeChecker::check`].
    pub fn keeps_away(
        &mut self,
        boxes: [[&[f64]; 2]; 3],
        pair: BodyPair,
        [margin, slack]: [f64; 2],
    ) -> Result<bool, PoseFault> {
        self.space.keeps_away(boxes, pair, [margin, slack])
    }

    /// How much work the last question took.
    pub fn counts(&self) -> RangeCounts {
        self.space.counts
    }

    /// Forgets warm starts of earlier questions. They change how fast an answer comes, never what is proved.
    pub fn forget(&mut self) {
        self.space.forget();
    }
}
