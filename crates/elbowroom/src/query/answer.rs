//! Answers: plain values. The world has the names.

use crate::model::id::PairId;
use crate::model::world::World;
use crate::query::counts::Counts;
use crate::query::resolved::Resolved;
use elbowroom_pair::Geometry;
use elbowroom_pair::Interval;
use elbowroom_pair::Verdict;
use elbowroom_pair::Witness;
use elbowroom_pair::{Ask, Stop};

/// The answer for all checked pairs together. Where there are none nothing is proved: the interval is
/// infinite, and the verdict is [`Verdict::Unknown`].
///
/// ```
/// use elbowroom::describe::examples::rod_and_post;
/// use elbowroom::{Checker, Question, Verdict, World};
/// use elbowroom::pair::Stop;
///
/// // The rod of the crate's first example, and the post at (0, 1, 0).
/// let world = World::compile(&rod_and_post())?;
/// let mut checker = Checker::new(&world);
/// checker.set(&[1.5])?;
/// let answer = checker.ask(&Question::distance());
/// // They overlap: the distance is minus the depth, and the first body escapes along the normal.
/// assert!(answer.verdict == Verdict::Collision && answer.interval.upper < -0.2);
/// assert_eq!(answer.names(&world), Some(["rod/arm", "world/post"]));
/// let points = answer.witness.expect("a distance has two points");
/// assert!((points.vector() - points.normal * answer.distance).norm() < 1e-12, "world frame, metres");
/// assert_eq!((answer.stop, answer.counts.shape_queries), (Some(Stop::ClosedForm), 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Answer {
    /// What the interval means.
    pub verdict: Verdict,
    /// The smallest signed distance of all checked pairs.
    pub interval: Interval,
    /// One number for people (metres): [`Interval::estimate`], or the lower end if a lower bound was asked
    /// for.
    pub distance: f64,
    /// The nearest pair, as far as that is known; where bodies overlap the pair that may be the deepest,
    /// which has the lower end. The witness has its points. `None` only where there is no pair.
    /// [`Answer::names`] names it.
    pub pair: Option<PairId>,
    /// The pair that has the lower end of the interval. It differs from `pair` only where the intervals of
    /// both overlap, or where a test was decided before this pair was asked.
    pub lower_pair: Option<PairId>,
    /// The pair that has the upper end of the interval; `None` where that is infinite.
    pub upper_pair: Option<PairId>,
    /// The points of `pair`, in the world; `None` where bounds alone decided.
    pub witness: Option<Witness>,
    /// Why the query of `pair` stopped; `None` where bounds alone decided.
    pub stop: Option<Stop>,
    /// How many pairs were decided, and how.
    pub counts: Counts,
}

/// The answer for one checked pair of bodies, from [`Checker::all_pairs`](crate::Checker::all_pairs).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PairAnswer {
    /// The pair; [`PairAnswer::names`] names it.
    pub pair: PairId,
    /// What the interval means.
    pub verdict: Verdict,
    /// Its signed distance.
    pub interval: Interval,
    /// A number in the interval (metres), as in [`Answer`].
    pub distance: f64,
    /// The points, in the world; `None` where bounds alone decided.
    pub witness: Option<Witness>,
    /// Why the query stopped; `None` where bounds alone decided.
    pub stop: Option<Stop>,
}

impl PairAnswer {
    /// The full names of its two bodies, in the world that was asked.
    pub fn names<'w>(&self, world: &'w World) -> Option<[&'w str; 2]> {
        world.pair_names(self.pair)
    }
}

impl Default for Answer {
    /// Nothing was asked, and nothing is proved.
    fn default() -> Answer {
        Answer::nothing_proved(Geometry::Mesh, Counts::default())
    }
}

impl Answer {
    /// The full names of the bodies of [`Answer::pair`], in the world that was asked.
    pub fn names<'w>(&self, world: &'w World) -> Option<[&'w str; 2]> {
        world.pair_names(self.pair?)
    }

    /// Nothing is proved.
    pub(crate) fn nothing_proved(geometry: Geometry, counts: Counts) -> Answer {
        let interval = Interval::nothing(geometry);
        Answer {
            verdict: Verdict::Unknown,
            interval,
            distance: interval.estimate(),
            pair: None,
            lower_pair: None,
            upper_pair: None,
            witness: None,
            stop: None,
            counts,
        }
    }

    /// The answer about a whole world: if a robot has no shapes, nothing is known of it, and no pose is clear
    /// or near.
    #[inline]
    pub(crate) fn of_all(self, world: &World) -> Answer {
        Answer { verdict: of_all(world, self.verdict), ..self }
    }
}

/// The verdict about a whole world, from that on all its checked pairs.
#[inline]
pub(crate) fn of_all(world: &World, verdict: Verdict) -> Verdict {
    if world.blind && verdict != Verdict::Collision { Verdict::Unknown } else { verdict }
}

/// One number for people (metres): of a lower bound nothing but the bound.
pub(crate) fn one_number(asked: &Resolved, interval: &Interval) -> f64 {
    let bound = asked.ask == Ask::LowerBound && interval.lower.is_finite();
    if bound { interval.lower } else { interval.estimate() }
}
