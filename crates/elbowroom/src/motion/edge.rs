//! Is the straight motion of all joints from one configuration to another free, at every instant?
//! [`super::way`] defines straight motions, and [`super::edge_search`] searches them. An answer
//! [`Edge::Free`] has a certificate, which [`super::verify`] checks from its numbers.

use super::certificate::{CertificateFault, Piece, verify_at};
use super::edge_answer::{Doubt, Edge, EdgeCounts, EdgeSoFar};
use super::edge_options::EdgeOptions;
use super::edge_progress::Progress;
use super::edge_search::{EdgeSpace, Search};
use super::margin::margin_in;
use crate::model::world::World;
use crate::motion::tolerance::EDGE_VISITS;
use crate::pose::fault::PoseFault;
use crate::query::checker::Checker;

/// Asks whether straight motions of all joints are free, at every instant. One for each thread. It allocates
/// for the first motions, and reuses that for later ones.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
/// # use example::rod_and_post;
/// use elbowroom::World;
/// use elbowroom::motion::{Edge, EdgeChecker, EdgeOptions, verify};
///
/// // The rod of the crate's first example, and the post at (0, 1, 0).
/// let world = World::compile(&rod_and_post([0.0, 1.0, 0.0]))?;
/// let mut checker = EdgeChecker::new(&world);
/// let options = EdgeOptions::default();
///
/// // Free at every instant, with a proof that can be checked.
/// let way = [&[-2.0][..], &[1.0][..]];
/// assert_eq!(checker.check(way, &options)?, Edge::Free);
/// verify(&world, way, checker.pieces(), &options)?;
/// assert!(checker.counts().poses < 100);
///
/// // Farther on the rod comes nearer to the post than the margin: where the chord between their centres is
/// // 0.31.
/// let found = checker.check([&[0.0], &[2.0]], &options)?;
/// let Edge::Contact { first: [before, after], .. } = found else { panic!("{found:?}") };
/// let at = (std::f64::consts::FRAC_PI_2 - 2.0 * (0.31_f64 / 2.0).asin()) / 2.0;
/// assert!(before <= at && at <= after && after - before < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EdgeChecker<'w> {
    space: EdgeSpace<'w>,
}

const NOTHING_KNOWN: Edge = Edge::Unknown { at: [0.0, 1.0], pair: None, why: Doubt::NothingKnown };

impl<'w> EdgeChecker<'w> {
    /// For a world.
    pub fn new(world: &'w World) -> EdgeChecker<'w> {
        EdgeChecker { space: EdgeSpace::new(world) }
    }

    /// The world that it asks.
    pub fn world(&self) -> &'w World {
        self.space.pose.world
    }

    /// Takes over from a checker of the same world where movable bodies are, who carries them, and which
    /// pairs are allowed: motions are then asked with these. False for a checker of another world, from which
    /// nothing is taken.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
    /// # use example::rod_and_post;
    /// use elbowroom::math::{Transform, vec3};
    /// use elbowroom::motion::{Edge, EdgeChecker, EdgeOptions};
    /// use elbowroom::{Checker, World};
    ///
    /// // The rod of the crate's first example, and a post that can be moved.
    /// let mut description = rod_and_post([0.0, 1.0, 0.0]);
    /// description.obstacles[0].movable = true;
    /// let world = World::compile(&description)?;
    /// let (mut checker, mut edges) = (Checker::new(&world), EdgeChecker::new(&world));
    /// let (way, options) = ([&[0.0][..], &[2.0][..]], EdgeOptions::default());
    /// assert!(matches!(edges.check(way, &options)?, Edge::Contact { .. }));
    ///
    /// // The post is placed out of the way.
    /// let post = world.body_by_name("world/post").expect("it is there");
    /// checker.place(post, &Transform::from_translation(vec3(-1.0, -1.0, 0.0)))?;
    /// assert!(edges.copy_state_from(&checker));
    /// assert_eq!(edges.check(way, &options)?, Edge::Free);
    /// edges.verify(way, &options)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn copy_state_from(&mut self, checker: &Checker) -> bool {
        self.space.pose.copy_state_from(&checker.space.pose)
    }

    /// Checks [`EdgeChecker::pieces`] of a free motion as [`verify`](super::verify) does, with movable bodies
    /// where they are now.
    ///
    /// # Errors
    /// What is wrong with the certificate.
    pub fn verify(&self, ends: [&[f64]; 2], options: &EdgeOptions) -> Result<(), CertificateFault> {
        verify_at(self.space.pose.clone(), ends, self.pieces(), options)
    }

    /// The certificate of the last motion, if it was [`Edge::Free`]; otherwise what was proved of the motion.
    pub fn pieces(&self) -> &[Piece] {
        &self.space.pieces
    }

    /// How much work the last motion took.
    pub fn counts(&self) -> EdgeCounts {
        self.space.counts
    }

    /// Forgets warm starts of earlier motions. They change how fast an answer comes, never what is proved.
    pub fn forget(&mut self) {
        self.space.asker.forget();
    }

    /// Whether the straight motion of all joint values between two configurations (radians, metres; order of
    /// [`World::dof_names`]) is free. In a world in which no pair is checked, or a robot has no shape at
    /// all, nothing is [`Edge::Free`].
    ///
    /// # Errors
    /// One of the two is not a configuration of the world: all values of it that are wrong are named.
    pub fn check(&mut self, ends: [&[f64]; 2], options: &EdgeOptions) -> Result<Edge, PoseFault> {
        self.check_watched(ends, options, &mut |_| true)
    }

    /// [`EdgeChecker::check`], and tells how far it has come before it asks each interval. Where `watch`
    /// returns false it ends, as if the allowed work were done.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
    /// # use example::rod_and_post;
    /// use elbowroom::World;
    /// use elbowroom::motion::{EdgeChecker, EdgeOptions};
    ///
    /// let world = World::compile(&rod_and_post([0.0, 1.0, 0.0]))?;
    /// let mut edges = EdgeChecker::new(&world);
    /// let mut shown = 0;
    /// edges.check_watched([&[-1.0], &[1.0]], &EdgeOptions::default(), &mut |so_far| {
    ///     // Here a program that waits for long motions shows `so_far.done`, now and then.
    ///     shown += 1;
    ///     so_far.counts.work < 100_000
    /// })?;
    /// assert!(shown > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`EdgeChecker::check`].
    pub fn check_watched(
        &mut self,
        [from, to]: [&[f64]; 2],
        options: &EdgeOptions,
        watch: &mut dyn FnMut(&EdgeSoFar) -> bool,
    ) -> Result<Edge, PoseFault> {
        let world = self.world();
        self.space.pose.set_with(to, options.set)?;
        self.space.pose.set_with(from, options.set)?;
        let margin = margin_in(world, options.margin);
        self.space.pieces.clear();
        // As for poses, nothing is proved if no pair is checked.
        if self.space.pose.checked_pair_count() == 0 || margin.is_nan() {
            return Ok(NOTHING_KNOWN);
        }
        self.space.asker.work.queries = 0;
        self.space.counts = EdgeCounts { poses: 2, ..EdgeCounts::default() };
        let whole = if from == to { [0.0, 0.0] } else { [0.0, 1.0] };
        let (visits, progress) = (self.space.asker.visits(), Progress::NONE);
        let mut search =
            Search { space: &mut self.space, ends: [from, to], margin, options, progress, visits, watch };
        let edge = search.run(whole);
        let visited = self.space.asker.visits() - visits;
        self.space.counts.work = self.space.counts.asked + visited / EDGE_VISITS;
        self.space.counts.shape_queries = self.space.asker.work.queries as u64;
        if whole[1] == 0.0 {
            self.space.pieces.iter_mut().for_each(|piece| piece.t = [0.0, 1.0]);
        }
        // Nothing is known of a robot without shapes.
        let blind = world.blind && edge == Edge::Free;
        Ok(if blind { NOTHING_KNOWN } else { edge })
    }
}
