//! What is asked of motions, in one place: straight motions one by one and many at once, and ranges of joint
//! values. The searches are [`super::edge_search`], [`super::edge_sieve`] and [`super::range_search`].

use super::certificate::{CertificateFault, Piece, verify, verify_at};
use super::edge_answer::{Edge, EdgeCounts, EdgeSoFar};
use super::edge_options::EdgeOptions;
use super::edge_search::EdgeSpace;
use super::edge_sieve::EdgeSieve;
use super::range_answer::{PairWork, RangeAnswer, RangeCounts, RangeOptions};
use super::range_search::RangeSpace;
use super::route::Route;
use crate::model::id::{BodyId, BodyPair};
use crate::model::world::World;
use crate::pose::fault::PoseFault;
use crate::query::checker::Checker;
use alloc::boxed::Box;

/// Asks about motions: whether a straight motion of all joints is free at every instant
/// ([`MotionChecker::check_edge`]), which of many are ([`MotionChecker::sieve_edges`]), and which pairs stay
/// apart wherever each joint is in a range of its own ([`MotionChecker::check_ranges`]). One for each thread.
/// What one of the three needs is allocated when it is first asked, and reused.
///
/// ```
/// use elbowroom::World;
/// use elbowroom::describe::examples::rod_and_post;
/// use elbowroom::motion::{Edge, EdgeOptions, MotionChecker, verify};
///
/// // The rod of the crate's first example, and the post at (0, 1, 0).
/// let world = World::compile(&rod_and_post())?;
/// let mut checker = MotionChecker::new(&world);
/// let options = EdgeOptions::default();
///
/// // Free at every instant, with a proof that can be checked.
/// let way = [&[-2.0][..], &[1.0][..]];
/// assert_eq!(checker.check_edge(way, &options)?, Edge::Free);
/// verify(&world, way, checker.pieces(), &options)?;
/// assert!(checker.edge_counts().poses < 100);
///
/// // Farther on the rod comes nearer to the post than the margin: where the chord between their centres is
/// // 0.31.
/// let found = checker.check_edge([&[0.0], &[2.0]], &options)?;
/// let Edge::Contact { first: [before, after], .. } = found else { panic!("{found:?}") };
/// let at = (std::f64::consts::FRAC_PI_2 - 2.0 * (0.31_f64 / 2.0).asin()) / 2.0;
/// assert!(before <= at && at <= after && after - before < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MotionChecker<'w> {
    pub(super) world: &'w World,
    pub(super) edges: Option<Box<EdgeSpace<'w>>>,
    sieve: Sieve<'w>,
    ranges: Option<Box<RangeSpace<'w>>>,
}

/// What sieves many motions at once.
#[derive(Clone, Debug)]
enum Sieve<'w> {
    Unmade,
    /// Lanes cannot be used in this world.
    Absent,
    Made(Box<EdgeSieve<'w>>),
}

impl<'w> MotionChecker<'w> {
    /// For a world.
    pub fn new(world: &'w World) -> MotionChecker<'w> {
        MotionChecker { world, edges: None, sieve: Sieve::Unmade, ranges: None }
    }

    /// For a world, and all that [`MotionChecker::check_ranges`] needs is allocated now. Questions about
    /// ranges then allocate nothing.
    pub fn for_ranges(world: &'w World) -> MotionChecker<'w> {
        MotionChecker { ranges: Some(Box::new(RangeSpace::new(world))), ..MotionChecker::new(world) }
    }

    /// The world that it asks.
    pub fn world(&self) -> &'w World {
        self.world
    }

    /// Takes over from a checker of the same world where movable bodies are, who carries them, and which
    /// pairs are allowed: motions are then asked with these. False for a checker of another world, from which
    /// nothing is taken.
    ///
    /// ```
    /// use elbowroom::describe::examples::rod_and_post;
    /// use elbowroom::math::{Transform, vec3};
    /// use elbowroom::motion::{Edge, EdgeOptions, MotionChecker};
    /// use elbowroom::{Checker, World};
    ///
    /// // The rod of the crate's first example, and a post that can be moved.
    /// let mut description = rod_and_post();
    /// description.obstacles[0].movable = true;
    /// let world = World::compile(&description)?;
    /// let (mut checker, mut edges) = (Checker::new(&world), MotionChecker::new(&world));
    /// let (way, options) = ([&[0.0][..], &[2.0][..]], EdgeOptions::default());
    /// assert!(matches!(edges.check_edge(way, &options)?, Edge::Contact { .. }));
    ///
    /// // The post is placed out of the way.
    /// let post = world.body_by_name("world/post").expect("it is there");
    /// checker.place(post, &Transform::from_translation(vec3(-1.0, -1.0, 0.0)))?;
    /// assert!(edges.copy_state_from(&checker));
    /// assert_eq!(edges.check_edge(way, &options)?, Edge::Free);
    /// edges.verify(way, &options)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn copy_state_from(&mut self, checker: &Checker) -> bool {
        let pose = &checker.space.pose;
        if let Some(ranges) = &mut self.ranges {
            ranges.forget_answer();
            if !ranges.pose.copy_state_from(pose) {
                return false;
            }
        }
        // Where there are no ranges to keep the state, edges keep it.
        match (&mut self.edges, &self.ranges) {
            (Some(edges), _) => edges.pose.copy_state_from(pose),
            (None, Some(_)) => true,
            (None, None) => self.edge_space().pose.copy_state_from(pose),
        }
    }

    /// Whether the straight motion of all joint values between two configurations (radians, metres; order of
    /// [`World::dof_names`]) is free. In a world in which no pair is checked, or a robot has no shape at
    /// all, nothing is [`Edge::Free`].
    ///
    /// # Errors
    /// One of the two is not a configuration of the world: all values of it that are wrong are named.
    pub fn check_edge(&mut self, ends: [&[f64]; 2], options: &EdgeOptions) -> Result<Edge, PoseFault> {
        self.check_edge_watched(ends, options, &mut |_| true)
    }

    /// [`MotionChecker::check_edge`], and calls `watch` before each interval with the progress so far. If
    /// `watch` returns false, the search ends as if its allowed work were spent.
    ///
    /// ```
    /// use elbowroom::World;
    /// use elbowroom::describe::examples::rod_and_post;
    /// use elbowroom::motion::{EdgeOptions, MotionChecker};
    ///
    /// let world = World::compile(&rod_and_post())?;
    /// let mut edges = MotionChecker::new(&world);
    /// let mut shown = 0;
    /// edges.check_edge_watched([&[-1.0], &[1.0]], &EdgeOptions::default(), &mut |so_far| {
    ///     // Here a program that waits for long motions shows `so_far.done`, now and then.
    ///     shown += 1;
    ///     so_far.counts.work < 100_000
    /// })?;
    /// assert!(shown > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`MotionChecker::check_edge`].
    pub fn check_edge_watched(
        &mut self,
        ends: [&[f64]; 2],
        options: &EdgeOptions,
        watch: &mut dyn FnMut(&EdgeSoFar) -> bool,
    ) -> Result<Edge, PoseFault> {
        self.edge_space().check_edge(ends, options, watch)
    }

    /// Checks [`MotionChecker::pieces`] of a free motion as [`super::verify`] does, with movable
    /// bodies where they are now.
    ///
    /// # Errors
    /// What is wrong with the certificate.
    pub fn verify(&self, ends: [&[f64]; 2], options: &EdgeOptions) -> Result<(), CertificateFault> {
        match &self.edges {
            Some(edges) => verify_at(edges.pose.clone(), Route::Straight(ends), &edges.pieces, options),
            None => verify(self.world, ends, &[], options),
        }
    }

    /// The certificate of the last edge, if it was [`Edge::Free`]; otherwise what was proved of it.
    pub fn pieces(&self) -> &[Piece] {
        self.edges.as_ref().map_or(&[], |edges| &edges.pieces)
    }

    /// How much work the last edge took.
    pub fn edge_counts(&self) -> EdgeCounts {
        self.edges.as_ref().map_or(EdgeCounts::default(), |edges| edges.counts)
    }

    /// Whether each straight motion of all joint values between two configurations is proved free, as
    /// [`MotionChecker::check_edge`] means it. False where that is not proved, also of
    /// ends that are not configurations within limits, and with [`EdgeOptions::set`] that accepts more than
    /// these. An answer depends on its own motion alone. In a world that lanes cannot ask
    /// ([`crate::batch`]) all are false: each is left to [`MotionChecker::check_edge`].
    ///
    /// ```
    /// use elbowroom::World;
    /// use elbowroom::describe::examples::rod_and_post;
    /// use elbowroom::motion::{EdgeOptions, MotionChecker};
    ///
    /// // The rod of the crate's first example, and the post at (0, 1, 0), which it would hit at 1.27.
    /// let world = World::compile(&rod_and_post())?;
    /// let mut checker = MotionChecker::new(&world);
    /// let ways = [[&[-2.0][..], &[-1.0][..]], [&[-1.0], &[-0.5]], [&[0.0], &[2.0]]];
    /// let mut free = [false; 3];
    /// checker.sieve_edges(&ways, &EdgeOptions::default(), &mut free);
    /// assert_eq!(free, [true, true, false]);
    /// # Ok::<(), elbowroom::Faults>(())
    /// ```
    pub fn sieve_edges(&mut self, ways: &[[&[f64]; 2]], options: &EdgeOptions, free: &mut [bool]) {
        if matches!(self.sieve, Sieve::Unmade) {
            let made = EdgeSieve::new(self.world);
            self.sieve = made.map_or(Sieve::Absent, |sieve| Sieve::Made(Box::new(sieve)));
        }
        match &mut self.sieve {
            Sieve::Made(sieve) => sieve.sieve_edges(ways, options, free),
            Sieve::Absent | Sieve::Unmade => free.fill(false),
        }
    }

    /// Which pairs are not proved to stay farther apart than the margin while each joint value lies between
    /// the values of `ends` (the lowest and the highest; radians, metres; order of [`World::dof_names`]).
    /// The values may change independently of each other: every combination counts.
    ///
    /// `work` says what is done for each pair that the capsules around its bodies leave. Nothing is
    /// allocated after the first question, and after [`MotionChecker::for_ranges`].
    ///
    /// ```
    /// use elbowroom::World;
    /// use elbowroom::describe::examples::rod_and_post;
    /// use elbowroom::motion::{MotionChecker, PairWork, RangeOptions};
    ///
    /// // The rod of the crate's first example, and the post at (0, 1, 0), which it would hit at 1.27.
    /// let world = World::compile(&rod_and_post())?;
    /// let mut checker = MotionChecker::for_ranges(&world);
    /// let options = RangeOptions::default();
    /// assert!(checker.check_ranges([&[-2.0], &[1.0]], &options, |_| PairWork::Halve)?.is_free());
    ///
    /// // Some of these values collide: a value that does was found.
    /// let answer = checker.check_ranges([&[0.5], &[1.5]], &options, |_| PairWork::Halve)?;
    /// assert!(answer.complete && answer.open.len() == 1 && answer.open[0].upper < 0.0);
    ///
    /// // Only what was open is asked again for ranges within those.
    /// assert!(checker.check_narrower_ranges([&[0.5], &[1.0]], &options, |_| PairWork::Halve)?.is_free());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The middle of the ranges is not a configuration of the world: all values of it that are wrong are
    /// named.
    pub fn check_ranges(
        &mut self,
        ends: [&[f64]; 2],
        options: &RangeOptions,
        work: impl Fn(BodyPair) -> PairWork,
    ) -> Result<RangeAnswer<'_>, PoseFault> {
        self.range_space().check_ranges(ends, options, &work)
    }

    /// [`MotionChecker::check_ranges`] for ranges within those of its last question, with the same margin or
    /// a smaller one: only the pairs that it left open are asked. If the ranges are not within those, or
    /// nothing is known of those, the answer is not complete. Any number of narrower ranges may be asked one
    /// after the other.
    ///
    /// # Errors
    /// As [`MotionChecker::check_ranges`].
    pub fn check_narrower_ranges(
        &mut self,
        ends: [&[f64]; 2],
        options: &RangeOptions,
        work: impl Fn(BodyPair) -> PairWork,
    ) -> Result<RangeAnswer<'_>, PoseFault> {
        self.range_space().check_narrower_ranges(ends, options, &work)
    }

    /// An upper bound on the speed of the points of a body (m/s), at every configuration in ranges (as in
    /// [`MotionChecker::check_ranges`]) and all velocities between two (the lowest and the highest of each
    /// joint value, by second). With a second body it is the speed of the first against the second where they
    /// touch, sliding included, and bounds how fast their distance shrinks. Infinite where nothing is known:
    /// a range is empty or holds NaN, a floating joint turns the body, or a body is not one of this world.
    ///
    /// ```
    /// use elbowroom::World;
    /// use elbowroom::describe::examples::rod_and_post;
    /// use elbowroom::motion::MotionChecker;
    ///
    /// // The tip of the rod of the crate's first example is 1.1 m from its axis.
    /// let world = World::compile(&rod_and_post())?;
    /// let arm = world.body_by_name("rod/arm").unwrap();
    /// let mut checker = MotionChecker::for_ranges(&world);
    /// let speed = checker.bound_speed([&[0.0], &[0.1]], [&[0.9], &[1.0]], arm, None)?;
    /// assert!((1.1..1.3).contains(&speed), "{speed} m/s");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`MotionChecker::check_ranges`]; limits are ignored.
    pub fn bound_speed(
        &mut self,
        ends: [&[f64]; 2],
        velocities: [&[f64]; 2],
        body: BodyId,
        against: Option<BodyId>,
    ) -> Result<f64, PoseFault> {
        self.range_space().bound_speed(ends, velocities, body, against)
    }

    /// A lower bound on the signed distance of a pair at every configuration in ranges (as in
    /// [`MotionChecker::check_ranges`]; metres), from a gap along one direction. Unlike [`OpenPair::lower`],
    /// it hardly falls where the bodies only slide along each other or move apart. Meshes stand for their
    /// hulls. Minus infinity where nothing is known, as of a cloud.
    ///
    /// # Errors
    /// As [`MotionChecker::check_ranges`]; limits are ignored.
    ///
    /// [`OpenPair::lower`]: super::OpenPair::lower
    pub fn bound_gap(&mut self, ends: [&[f64]; 2], pair: BodyPair) -> Result<f64, PoseFault> {
        self.range_space().bound_gap(ends, pair)
    }

    /// Whether two bodies surely come no nearer to each other, while the joint values move from the first of
    /// three sets of ranges into the second: of each pair of their shapes, the gap along the normal falls by
    /// no more than `slack` and does not close, or does not fall at all, or stays above `margin` in the
    /// third, the widest (metres). Each shape counts by itself, so a body that slides along one wall is seen
    /// to come nearer to another. False of clouds, and where a mesh is not as near as its hull: there a gap
    /// says nothing.
    ///
    /// # Errors
    /// As [`MotionChecker::check_ranges`].
    pub fn keeps_away(
        &mut self,
        ranges: [[&[f64]; 2]; 3],
        pair: BodyPair,
        [margin, slack]: [f64; 2],
    ) -> Result<bool, PoseFault> {
        self.range_space().keeps_away(ranges, pair, [margin, slack])
    }

    /// How much work the last question about ranges took.
    pub fn range_counts(&self) -> RangeCounts {
        self.ranges.as_ref().map_or(RangeCounts::default(), |ranges| ranges.counts)
    }

    /// Forgets warm starts of earlier questions. They change how fast an answer comes, never what is proved.
    pub fn forget_history(&mut self) {
        if let Some(edges) = &mut self.edges {
            edges.asker.forget();
        }
        if let Some(ranges) = &mut self.ranges {
            ranges.forget();
        }
    }

    /// What edges need, with the state of ranges if it is made only now.
    pub(super) fn edge_space(&mut self) -> &mut EdgeSpace<'w> {
        self.edges.get_or_insert_with(|| {
            let mut edges = Box::new(EdgeSpace::new(self.world));
            if let Some(ranges) = &self.ranges {
                edges.pose.copy_state_from(&ranges.pose);
            }
            edges
        })
    }

    /// What ranges need, with the state of edges if it is made only now.
    fn range_space(&mut self) -> &mut RangeSpace<'w> {
        self.ranges.get_or_insert_with(|| {
            let mut ranges = Box::new(RangeSpace::new(self.world));
            if let Some(edges) = &self.edges {
                ranges.pose.copy_state_from(&edges.pose);
            }
            ranges
        })
    }
}
