//! A question about ranges of joint values, and its answer.

use crate::model::id::BodyPair;
use crate::motion::tolerance::{RANGE_HALVINGS, RANGE_WORK};
use crate::pose::fault::SetOptions;
use crate::query::policy::Policy;
use elbowroom_pair::Geometry;

/// Options of a question about ranges of joint values.
///
/// ```
/// use elbowroom::motion::RangeOptions;
///
/// // Contact itself, whatever the world's margin is; each pair is asked once.
/// let options = RangeOptions { halvings: 0, ..RangeOptions::default().margin(0.0) };
/// assert!(options.policy.margin == Some(0.0) && options.work > 100);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeOptions {
    /// Apart means farther apart than its margin.
    pub policy: Policy,
    /// How many times in a row ranges are halved for a pair ([`PairWork::Halve`]), up to
    /// [`RangeOptions::MOST_HALVINGS`].
    pub halvings: u32,
    /// Most pairs asked in halved ranges, all together. Pairs that this leaves are open.
    pub work: u32,
    /// Whether the question ends with the first pair that stays open. The answer is then not complete.
    pub until_open: bool,
    /// Which joint values are accepted in the middle of the ranges.
    pub set: SetOptions,
}

impl RangeOptions {
    /// Most halvings.
    pub const MOST_HALVINGS: u32 = 16;

    /// These options with a margin (metres) instead of the world's: that of the [`Policy`].
    pub const fn margin(self, metres: f64) -> RangeOptions {
        RangeOptions { policy: self.policy.margin(metres), ..self }
    }

    /// These options with meshes as themselves or as their hulls.
    pub const fn geometry(self, geometry: Geometry) -> RangeOptions {
        RangeOptions { policy: self.policy.geometry(geometry), ..self }
    }
}

impl Default for RangeOptions {
    fn default() -> RangeOptions {
        RangeOptions {
            policy: Policy::default(),
            halvings: RANGE_HALVINGS,
            work: RANGE_WORK,
            until_open: false,
            set: SetOptions::default(),
        }
    }
}

/// What is done for a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairWork {
    /// It is not asked: the answer says nothing of it.
    Skip,
    /// It is asked once, over the whole ranges.
    Once,
    /// The ranges are halved for it as long as the options allow.
    Halve,
}

/// A pair that is not proved to stay apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpenPair {
    /// The pair.
    pub pair: BodyPair,
    /// Lower bound on its signed distance at every configuration in the ranges (metres). It is at most the
    /// margin, and minus infinity where bodies that are not convex may overlap: turned a little, a peg that
    /// jams in its hole is as deep as it is long.
    pub lower: f64,
    /// Upper bound on its signed distance at one of these configurations (metres); infinite if none was
    /// found. Below the margin it proves that the pair comes nearer than the margin somewhere in the ranges.
    pub upper: f64,
}

/// What is known of all configurations in some ranges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeAnswer<'a> {
    /// The pairs that are not proved to stay farther apart than the margin.
    pub open: &'a [OpenPair],
    /// Whether all other checked pairs that were asked are proved. False if nothing can be proved: a range is
    /// empty or holds NaN, the margin is NaN, no pair is checked, a robot has no shape at all, a cloud has no
    /// points yet, or more pairs of crowds and movable bodies are near than there is room for. False also if
    /// the question ended with the first open pair.
    pub complete: bool,
}

impl RangeAnswer<'_> {
    /// Whether every checked pair is proved to stay apart.
    pub fn is_free(&self) -> bool {
        self.complete && self.open.is_empty()
    }
}

/// How much work the last question took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RangeCounts {
    /// Pairs whose capsules or boxes did not decide.
    pub asked: u32,
    /// Pairs asked again in halved ranges.
    pub again: u32,
    /// Poses set.
    pub poses: u32,
    /// Queries of two shapes.
    pub shape_queries: u64,
}
