//! Who asks a world: a pose in it, what earlier questions left to start from, and all work space. One a
//! thread.

use crate::model::id::{BodyId, GroupId};
use crate::model::world::World;
use crate::numeric::math::Transform;
use crate::pose::fault::{PoseFault, SetOptions};
use crate::query::answer::{Answer, PairAnswer};
use crate::query::check;
use crate::query::question::Question;
use crate::query::resolved::Resolved;
use crate::query::workspace::Workspace;

/// Asks a world at one pose after the other. It allocates when it is made, and never after; once a pose is
/// set, nothing fails or panics.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
/// # use example::rod_and_post;
/// use elbowroom::{Checker, Question, Verdict, World};
///
/// // The rod of the crate's first example, and the post at (0, 1, 0).
/// let world = World::compile(&rod_and_post([0.0, 1.0, 0.0]))?;
/// let mut checker = Checker::new(&world);
/// checker.set(&[0.0])?;
/// let answer = checker.nearest(&Question::distance());
/// assert_eq!(answer.verdict, Verdict::Clear);
/// assert!(answer.interval.contains(2.0_f64.sqrt() - 0.3));
///
/// // Every pair of the world, one by one: here there is one.
/// let mut pairs = Vec::new();
/// checker.all_pairs(&Question::distance(), |pair| pairs.push(*pair));
/// assert_eq!((pairs.len(), pairs[0].pair), (1, answer.pair.expect("a pair was asked")));
///
/// // Values outside limits are refused, never clamped, and leave the pose as it was.
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

    /// Moves everything to joint values (radians, metres; order of [`World::value_names`]).
    ///
    /// # Errors
    /// Values that are not a configuration within limits: all of them are named, and nothing moves.
    pub fn set(&mut self, values: &[f64]) -> Result<(), PoseFault> {
        self.space.pose.set(values)
    }

    /// [`Checker::set`] with options.
    ///
    /// # Errors
    /// Values that are not what the options let pass: all of them are named, and nothing moves.
    pub fn set_with(&mut self, values: &[f64], options: SetOptions) -> Result<(), PoseFault> {
        self.space.pose.set_with(values, options)
    }

    /// The joint values.
    pub fn values(&self) -> &[f64] {
        self.space.pose.values()
    }

    /// Where a body is in the world; `None` for a number of another world.
    pub fn body_in_world(&self, body: BodyId) -> Option<Transform> {
        self.space.pose.body_in_world(body)
    }

    /// Forgets what earlier questions left. It never changes what is proved, only how fast and to which last
    /// digits: answers that must not depend on what was asked before start from here.
    pub fn forget(&mut self) {
        self.space.work.starts.forget();
    }

    /// The clearance of the robots here: the smallest signed distance of all checked pairs, and whose it is
    /// (source: henrich97 section 2).
    ///
    /// The pair in the answer is the one with the smallest upper bound; of a question for a lower bound, and
    /// where the verdict is [`Verdict::Unknown`](crate::Verdict::Unknown), of those that were asked the one
    /// with the smallest lower bound; of a test the one that decided. The answer says of both ends of the
    /// interval which pair they are of. Ties go to the smaller [`PairId`](crate::PairId). Without any checked
    /// pair nothing is proved: the interval has no ends and the verdict is unknown. Where a robot has no
    /// shape at all, no pose is clear or near ([`World::robots_without_shapes`]): the interval is that of the
    /// others.
    pub fn nearest(&mut self, question: &Question) -> Answer {
        let asked = Resolved::new(question, self.world());
        check::smallest(&mut self.space, asked)
    }

    /// The same of the checked pairs of a body of the one group and a body of the other; the same group twice
    /// asks for the pairs within it. Without checked pairs between them nothing is proved. `None` for a group
    /// of another world (source: henrich92 section 3, the collision vector).
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
    /// # use example::rod_and_post;
    /// use elbowroom::{Checker, Question, Verdict, World};
    ///
    /// // Nobody names groups, so the robot is one and the obstacles are one.
    /// let world = World::compile(&rod_and_post([0.0, 1.0, 0.0]))?;
    /// let rod = world.group_named("rod").expect("the robot");
    /// let cell = world.group_named("world").expect("the obstacles");
    /// assert_eq!(world.index_set().collect::<Vec<_>>(), [[rod, cell]]);
    /// assert!(world.groups()[rod.index()].moved && !world.groups()[cell.index()].moved);
    ///
    /// let mut checker = Checker::new(&world);
    /// checker.set(&[0.0])?;
    /// let between = checker.between([rod, cell], &Question::distance()).expect("groups of this world");
    /// assert_eq!(between.verdict, Verdict::Clear);
    ///
    /// // Within the rod no pair is checked: nothing is proved of it.
    /// let within = checker.between([rod, rod], &Question::distance()).expect("groups of this world");
    /// assert_eq!(within.verdict, Verdict::Unknown);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn between(&mut self, groups: [GroupId; 2], question: &Question) -> Option<Answer> {
        let asked = Resolved::new(question, self.world());
        check::collision_vector(&mut self.space, groups, asked)
    }

    /// Tells the clearance of every checked pair, in the order of [`PairId`](crate::PairId), and returns that
    /// of all together. Of pairs whose bound is beyond the question's cutoff, in a test beyond its margin,
    /// that bound is told.
    pub fn all_pairs(&mut self, question: &Question, mut each: impl FnMut(&PairAnswer)) -> Answer {
        let asked = Resolved::new(question, self.world());
        check::all_pairs(&mut self.space, asked, &mut each)
    }
}
