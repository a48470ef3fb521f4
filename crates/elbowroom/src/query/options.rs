//! What is asked of a pose.

use crate::model::world::World;
use crate::pair::clearance::{Ask, Geometry};
/// What is asked of a pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How much is asked.
    pub ask: Ask,
    /// Clearance below which a verdict is [`Verdict::Near`](crate::query::verdict::Verdict::Near)
    /// (metres, >= 0). A negative one counts as zero. With NaN nothing is clear or near:
    /// what is not proved to overlap is [`Verdict::Unknown`](crate::query::verdict::Verdict::Unknown).
    pub margin: f64,
    /// Pairs proved farther apart than this need no exact distance (metres); never less than the margin. NaN
    /// counts as infinite.
    pub cutoff: f64,
    /// What meshes stand for.
    pub geometry: Geometry,
}

impl Default for Options {
    /// The exact distance of what the bodies are, no margin, no cutoff.
    fn default() -> Options {
        Options { ask: Ask::Distance, margin: 0.0, cutoff: f64::INFINITY, geometry: Geometry::Mesh }
    }
}

impl Options {
    /// The default with the margin of a world.
    pub fn of(world: &World) -> Options {
        Options { margin: world.margin, ..Options::default() }
    }

    /// Pairs whose lower bound is above this are done with.
    pub(crate) fn limit(&self) -> f64 {
        // `max` leaves out NaN: overlaps are looked for whatever the margin is.
        let margin = self.margin.max(0.0);
        match self.ask {
            Ask::Test => margin,
            Ask::LowerBound | Ask::Distance if self.cutoff.is_nan() => f64::INFINITY,
            Ask::LowerBound | Ask::Distance => self.cutoff.max(margin),
        }
    }
}
