//! Who asks a world: a pose in it, what earlier questions left to start from, and all work space. One a
//! thread.

use crate::model::id::{BodyId, GroupId};
use crate::model::world::World;
use crate::numeric::math::Transform;
use crate::pose::fault::{PoseFault, SetOptions};
use crate::query::answer::{Answer, PairAnswer};
use crate::query::check::{all_pairs, collision_vector, smallest};
use crate::query::check_work::CheckWork;
use crate::query::question::Question;

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
    pub(crate) world: &'w World,
    pub(crate) work: CheckWork,
}

impl<'w> Checker<'w> {
    /// At the world's neutral values.
    pub fn new(world: &'w World) -> Checker<'w> {
        Checker { world, work: CheckWork::new(world) }
    }

    /// The world that it asks.
    pub fn world(&self) -> &'w World {
        self.world
    }

    /// Moves everything to joint values (radians, metres; order of [`World::value_names`]).
    ///
    /// # Errors
    /// Values that are not a configuration within limits: all of them are named, and nothing moves.
    pub fn set(&mut self, values: &[f64]) -> Result<(), PoseFault> {
        self.work.set(self.world, values)
    }

    /// [`Checker::set`] with options.
    ///
    /// # Errors
    /// Values that are not what the options let pass.
    pub fn set_with(&mut self, values: &[f64], options: SetOptions) -> Result<(), PoseFault> {
        self.work.set_with(self.world, values, options)
    }

    /// The joint values.
    pub fn values(&self) -> &[f64] {
        self.work.values()
    }

    /// Where a body is in the world; `None` for a number of another world.
    pub fn body_in_world(&self, body: BodyId) -> Option<Transform> {
        self.work.body_in_world(self.world, body)
    }

    /// Forgets what earlier questions left. It never changes what is proved, only how fast and to which last
    /// digits: answers that must not depend on what was asked before start from here.
    pub fn forget(&mut self) {
        self.work.forget();
    }

    /// The clearance of the robots here: the smallest signed distance of all checked pairs, and whose it is
    /// (source: henrich97 section 2).
    pub fn nearest(&mut self, question: &Question) -> Answer {
        let report = smallest(self.world, &mut self.work, &question.options(self.world));
        Answer::of(report, question.asked_geometry())
    }

    /// The same of the checked pairs of a body of the one group and a body of the other; the same group twice
    /// asks for the pairs within it. `None` for a group of another world (source: henrich92 section 3, the
    /// collision vector).
    pub fn between(&mut self, groups: [GroupId; 2], question: &Question) -> Option<Answer> {
        let report = collision_vector(self.world, &mut self.work, groups, &question.options(self.world))?;
        Some(Answer::of(report, question.asked_geometry()))
    }

    /// Tells the clearance of every checked pair, in the order of [`PairId`](crate::model::id::PairId), and
    /// returns that of all together.
    pub fn all_pairs(&mut self, question: &Question, mut each: impl FnMut(&PairAnswer)) -> Answer {
        let geometry = question.asked_geometry();
        let told = |report: &crate::query::report::PairReport| each(&PairAnswer::of(report, geometry));
        let report = all_pairs(self.world, &mut self.work, &question.options(self.world), told);
        Answer::of(report, geometry)
    }
}
