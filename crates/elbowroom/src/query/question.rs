//! A question about a pose, in words.

use crate::pair::clearance::Ask;
use crate::pair::geometry::Geometry;

/// How much is asked, of what, and how far. It begins with one of [`Question::test`],
/// [`Question::lower_bound`] and [`Question::distance`]; the rest has defaults.
///
/// ```
/// use elbowroom::{Geometry, Question};
///
/// let exact = Question::distance();
/// let quick = Question::test().margin(0.02).geometry(Geometry::Hull);
/// assert_ne!(exact, quick);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    pub(crate) ask: Ask,
    pub(crate) geometry: Geometry,
    pub(crate) margin: Option<f64>,
    pub(crate) cutoff: f64,
}

impl Question {
    /// Whether everything is farther apart than the margin. It ends at the first pair that is proved to
    /// overlap.
    pub const fn test() -> Question {
        Question::of(Ask::Test)
    }

    /// A lower bound on the clearance, as good as it comes without searching for the last digits.
    pub const fn lower_bound() -> Question {
        Question::of(Ask::LowerBound)
    }

    /// The signed distance, with its two points.
    pub const fn distance() -> Question {
        Question::of(Ask::Distance)
    }

    /// One of these three, for who decides while running.
    pub const fn of(ask: Ask) -> Question {
        Question { ask, geometry: Geometry::Mesh, margin: None, cutoff: f64::INFINITY }
    }

    /// The same with another of these three.
    pub const fn asking(self, ask: Ask) -> Question {
        Question { ask, ..self }
    }

    /// Clearance below which the verdict is near (metres, >= 0), instead of the world's margin. A negative
    /// one counts as zero. With NaN nothing is clear or near: what is not proved to overlap is unknown.
    pub const fn margin(self, metres: f64) -> Question {
        Question { margin: Some(metres), ..self }
    }

    /// What meshes count as, instead of what they are.
    pub const fn geometry(self, geometry: Geometry) -> Question {
        Question { geometry, ..self }
    }

    /// Pairs proved farther apart than this need no exact distance (metres); never less than the margin. NaN
    /// counts as infinite, the default.
    pub const fn cutoff(self, metres: f64) -> Question {
        Question { cutoff: metres, ..self }
    }
}
