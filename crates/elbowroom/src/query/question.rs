//! A question about a pose.

use crate::query::policy::Policy;
use elbowroom_pair::Geometry;
use elbowroom_pair::{Ask, Effort};

/// What is asked of a pose. A question begins with [`Question::test`], [`Question::lower_bound`] or
/// [`Question::distance`], of which the first is the quickest. Everything else has a default.
///
/// ```
/// use elbowroom::describe::examples::rod_and_post;
/// use elbowroom::{Checker, Geometry, Question, Verdict, World};
///
/// // The rod of the crate's first example, and the post at (0, 1, 0): they are 1.11 m apart.
/// let world = World::compile(&rod_and_post())?;
/// let mut checker = Checker::new(&world);
/// checker.set(&[0.0])?;
/// // Yes or no. The margin is the world's, here one centimetre, or the question's own (metres).
/// assert_eq!(checker.ask(&Question::test()).verdict, Verdict::Clear);
/// assert_eq!(checker.ask(&Question::test().margin(1.2)).verdict, Verdict::Near);
/// // A lower bound on the distance; the distance itself, with its two points.
/// let at_least = checker.ask(&Question::lower_bound()).distance;
/// let exact = checker.ask(&Question::distance());
/// assert!(0.9 < at_least && at_least <= exact.interval.upper && exact.witness.is_some());
/// // Beyond half a metre the distance need not be exact. Meshes count as their hulls.
/// let near = checker.ask(&Question::distance().cutoff(0.5).geometry(Geometry::Hull));
/// assert!(near.interval.lower > 0.5 && near.interval.geometry == Geometry::Hull);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    pub(crate) ask: Ask,
    pub(crate) policy: Policy,
    pub(crate) cutoff: f64,
    pub(crate) depth: Effort,
}

impl Question {
    /// Whether everything is farther apart than the margin. It ends at the first pair that is proved to
    /// overlap.
    pub const fn test() -> Question {
        Question::from_ask(Ask::Test)
    }

    /// A lower bound on the clearance, without a search for its last digits.
    pub const fn lower_bound() -> Question {
        Question::from_ask(Ask::LowerBound)
    }

    /// The signed distance, with its two points.
    pub const fn distance() -> Question {
        Question::from_ask(Ask::Distance)
    }

    /// One of these three, where a program chooses:
    /// `Question::from_ask(if quick { Ask::Test } else { Ask::Distance })`.
    pub const fn from_ask(ask: Ask) -> Question {
        Question { ask, policy: Policy::USUAL, cutoff: f64::INFINITY, depth: Effort::Ordinary }
    }

    /// This question with another [`Ask`]: a test, a lower bound or a distance. All else stays.
    pub const fn with_ask(self, ask: Ask) -> Question {
        Question { ask, ..self }
    }

    /// Clearance below which the verdict is near (metres), instead of the world's margin: that of its
    /// [`Policy`].
    pub const fn margin(self, metres: f64) -> Question {
        Question { policy: self.policy.margin(metres), ..self }
    }

    /// Whether meshes count as themselves, the default, or as their hulls.
    pub const fn geometry(self, geometry: Geometry) -> Question {
        Question { policy: self.policy.geometry(geometry), ..self }
    }

    /// Pairs proved farther apart than this need no exact distance (metres). A cutoff below the margin counts
    /// as the margin, and NaN as infinite, which is the default.
    pub const fn cutoff(self, metres: f64) -> Question {
        Question { cutoff: metres, ..self }
    }

    /// How narrowly to bracket the depth of overlapping meshes that are not convex, if the distance is asked
    /// for.
    ///
    /// ```
    /// use elbowroom::Question;
    /// use elbowroom::pair::Effort;
    ///
    /// // To within a hundredth, in about a millisecond a pair.
    /// let question = Question::distance().depth(Effort::TIGHT);
    /// assert_ne!(question, Question::distance());
    /// ```
    pub const fn depth(self, effort: Effort) -> Question {
        Question { depth: effort, ..self }
    }
}
