//! The checker: a pose of a world, warm starts, and the scratch of searches. One for each thread.

use crate::model::id::{BodyId, GroupId};
use crate::model::world::World;
use crate::pose::fault::{PoseFault, SetOptions};
use crate::query::answer::{Answer, PairAnswer};
use crate::query::question::Question;
use crate::query::resolved::Resolved;
use crate::query::search;
use crate::query::workspace::Workspace;
use alloc::vec::Vec;
use elbowroom_describe::math::Transform;

/// Answers questions about a world, pose after pose. It allocates only when it is made. Once a pose is set,
/// no question fails or panics.
///
/// ```
/// use elbowroom::describe::examples::rod_and_post;
/// use elbowroom::{Checker, Question, Verdict, World};
///
/// // The rod of the crate's first example, and the post at (0, 1, 0).
/// let world = World::compile(&rod_and_post())?;
/// let mut checker = Checker::new(&world);
/// checker.set(&[0.0])?;
/// let answer = checker.ask(&Question::distance());
/// assert_eq!(answer.verdict, Verdict::Clear);
/// assert!(answer.interval.contains(2.0_f64.sqrt() - 0.3));
///
/// // Every pair of the world, one by one: here there is one.
/// let mut pairs = Vec::new();
/// checker.all_pairs(&Question::distance(), |pair| pairs.push(*pair));
/// assert_eq!((pairs.len(), pairs[0].pair), (1, answer.pair.expect("a pair was asked")));
///
/// // Values outside limits are refused, never clamped. The pose stays as it was.
/// assert!(checker.set(&[2.5]).is_err());
/// assert_eq!(checker.values(), [0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Checker<'w> {
    pub(crate) space: Workspace<'w>,
}

impl<'w> Checker<'w> {
    /// At the world's neutral values.
    pub fn new(world: &'w World) -> Checker<'w> {
        Checker { space: Workspace::new(world) }
    }

    /// The world that it asks.
    pub fn world(&self) -> &'w World {
        self.space.world()
    }

    /// Moves everything to joint values (radians, metres; order of [`World::dof_names`]).
    ///
    /// # Errors
    /// Values that are not a configuration within limits: all of them are named, and the pose stays.
    pub fn set(&mut self, values: &[f64]) -> Result<(), PoseFault> {
        self.space.pose.set_values(values)
    }

    /// [`Checker::set`] with options.
    ///
    /// # Errors
    /// Values that the options do not accept: all of them are named, and the pose stays.
    pub fn set_with(&mut self, values: &[f64], options: SetOptions) -> Result<(), PoseFault> {
        self.space.pose.set_with(values, options)
    }

    /// Whether [`Checker::set_with`] takes these values. Nothing moves.
    ///
    /// # Errors
    /// Those of [`Checker::set_with`].
    pub fn accepts(&self, values: &[f64], options: SetOptions) -> Result<(), PoseFault> {
        self.space.pose.accepts_values(values, options).map(|_| ())
    }

    /// The joint values.
    pub fn values(&self) -> &[f64] {
        self.space.pose.values()
    }

    /// A body's frame in the world. `None` for a number that this world does not have. A number of another
    /// world means something else here.
    pub fn body_in_world(&self, body: BodyId) -> Option<Transform> {
        self.space.pose.body_in_world(body)
    }

    /// A checker of an edited world ([`World::edit`]) in the same state: joint values, places and carriers of
    /// movable bodies, clouds, allowed pairs, and warm starts that are valid there. `None` for a world that
    /// was not edited from this checker's description.
    pub fn migrate_to<'n>(&self, world: &'n World) -> Option<Checker<'n>> {
        (self.world().lineage == world.lineage).then(|| self.carry_over(world))
    }

    /// [`Checker::migrate_to`], to a world of the same lineage.
    pub(crate) fn carry_over<'n>(&self, world: &'n World) -> Checker<'n> {
        let mut checker = Checker::new(world);
        let (mine, theirs) = (&mut checker.space, &self.space);
        mine.pose.take_over(&theirs.pose);
        mine.work.starts.take_over([world, theirs.world()], &theirs.work.starts);
        checker
    }

    /// Forgets what earlier questions left: warm starts, which pair was the nearest, planes in front of
    /// clouds, the form of the tree over movable bodies. That changes how fast an answer comes, the last
    /// digits of a distance, and how close a bound is, but never what is proved. Call this where an answer
    /// must not depend on earlier questions.
    pub fn forget_history(&mut self) {
        self.space.work.starts.forget_all();
        self.space.kept_bounds.forget_bounds();
        self.space.pose.forget_movable_boxes();
        if let Some(clouds) = &mut self.space.clouds {
            clouds.forget_history();
        }
    }

    /// The clearance at this pose: the smallest signed distance of all checked pairs, and the pair that has
    /// it (source: henrich97 section 2).
    ///
    /// The pair in the answer to [`Question::distance`] is the one with the smallest upper bound. For
    /// [`Question::lower_bound`], and where the verdict is [`Verdict::Unknown`](crate::Verdict::Unknown), it
    /// is the asked pair with the smallest lower bound. For [`Question::test`] it is the pair that decided.
    /// The answer has the pair of each end of the interval, too. Ties go to the smaller
    /// [`PairId`](crate::PairId).
    ///
    /// Without any checked pair nothing is proved: the interval is infinite and the verdict unknown. Where a
    /// robot has no shape at all, no pose is clear or near ([`World::robots_without_shapes`]); the interval
    /// is that of the other robots.
    pub fn ask(&mut self, question: &Question) -> Answer {
        let asked = Resolved::new(question, self.world());
        search::find_smallest(&mut self.space, asked)
    }

    /// [`Checker::ask`] whether everything is farther apart than the world's margin: yes or no.
    pub fn test(&mut self) -> Answer {
        self.ask(&Question::test())
    }

    /// [`Checker::ask`] for a lower bound on the clearance, without its last digits.
    pub fn lower_bound(&mut self) -> Answer {
        self.ask(&Question::lower_bound())
    }

    /// [`Checker::ask`] for the signed distance with its two points.
    pub fn distance(&mut self) -> Answer {
        self.ask(&Question::distance())
    }

    /// [`Checker::ask`] for the checked pairs between two groups: one body is in the one group, the other in
    /// the other. The same group twice asks for the pairs within it. Without checked pairs between them
    /// nothing is proved (source: henrich92 section 3, the collision vector). `None` for a number that this
    /// world does not have. A number of another world means something else here.
    ///
    /// ```
    /// use elbowroom::describe::examples::rod_and_post;
    /// use elbowroom::{Checker, Question, Verdict, World};
    ///
    /// // The description names no groups, so the robot is one and the obstacles are one.
    /// let world = World::compile(&rod_and_post())?;
    /// let rod = world.group_by_name("rod").expect("the robot");
    /// let cell = world.group_by_name("world").expect("the obstacles");
    /// assert_eq!(world.index_set().collect::<Vec<_>>(), [[rod, cell]]);
    /// assert!(world.groups()[rod.index()].moved && !world.groups()[cell.index()].moved);
    ///
    /// let mut checker = Checker::new(&world);
    /// checker.set(&[0.0])?;
    /// let between = checker.between([rod, cell], &Question::distance()).expect("groups of this world");
    /// assert_eq!(between.verdict, Verdict::Clear);
    ///
    /// // Within the rod no pair is checked, so nothing is proved.
    /// let within = checker.between([rod, rod], &Question::distance()).expect("groups of this world");
    /// assert_eq!(within.verdict, Verdict::Unknown);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn between(&mut self, groups: [GroupId; 2], question: &Question) -> Option<Answer> {
        let asked = Resolved::new(question, self.world());
        search::collision_vector(&mut self.space, groups, asked)
    }

    /// Calls `each` with the answer of every checked pair, in the order of [`PairId`](crate::PairId). Returns
    /// the answer of all pairs together. A bound around two bodies may already prove them farther apart than
    /// the question's cutoff and margin, or in a test than its margin. Then their interval goes from that
    /// bound to infinity.
    pub fn all_pairs(&mut self, question: &Question, mut each: impl FnMut(&PairAnswer)) -> Answer {
        let asked = Resolved::new(question, self.world());
        search::all_pairs(&mut self.space, asked, &mut each)
    }

    /// The nearest pairs, at most `k`, the nearest first, with their distances and points; returns the answer
    /// of all pairs together. A pair that is proved to be farther apart than the question's cutoff is left
    /// out: `k = usize::MAX` with a cutoff gives all pairs within a distance, and those of which it is not
    /// known. `nearest` is overwritten; nothing is allocated where it has room. Distances are asked for,
    /// whatever the question is.
    ///
    /// ```
    /// use elbowroom::describe::examples::rod_and_post;
    /// use elbowroom::{Checker, Question, World};
    ///
    /// let world = World::compile(&rod_and_post())?;
    /// let mut checker = Checker::new(&world);
    /// let mut near = Vec::with_capacity(10);
    /// // All within a metre and a half, at most ten, and how each distance changes with the joint.
    /// checker.nearest_k(10, &Question::distance().cutoff(1.5), &mut near);
    /// for pair in &near {
    ///     let slopes = pair.gradient(&mut checker);
    ///     println!("{:?} {} m {slopes:?}", world.pair_names(pair.pair), pair.distance);
    /// }
    /// assert_eq!(near.len(), 1);
    /// checker.nearest_k(10, &Question::distance().cutoff(0.5), &mut near);
    /// assert!(near.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest_k(&mut self, k: usize, question: &Question, nearest: &mut Vec<PairAnswer>) -> Answer {
        let asked = Resolved::new(question, self.world());
        search::nearest_k(&mut self.space, k, asked, nearest)
    }
}

const _: () = {
    const fn assert_shareable<T: Send + Sync>() {}
    assert_shareable::<Checker>();
};
