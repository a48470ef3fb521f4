//! A question with its margin resolved: the world's, where the question has none.

use crate::model::world::World;
use crate::query::question::Question;
use elbowroom_pair::Geometry;
use elbowroom_pair::{Ask, Effort};

/// What is asked of a pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Resolved {
    pub ask: Ask,
    pub geometry: Geometry,
    /// Metres, not negative; NaN as it was given.
    pub margin: f64,
    /// Metres; NaN counts as infinite.
    pub cutoff: f64,
    pub depth: Effort,
}

impl Resolved {
    /// A question to a world.
    pub fn new(question: &Question, world: &World) -> Resolved {
        let Question { ask, policy, cutoff, depth } = *question;
        Resolved { ask, geometry: policy.geometry, margin: policy.margin_in(world), cutoff, depth }
    }

    /// Pairs whose lower bound is above this need not be asked (metres).
    pub fn prune_above(&self) -> f64 {
        // `max` ignores NaN: overlaps are looked for whatever the margin is.
        let margin = self.margin.max(0.0);
        match self.ask {
            Ask::Test => margin,
            Ask::LowerBound | Ask::Distance if self.cutoff.is_nan() => f64::INFINITY,
            Ask::LowerBound | Ask::Distance => self.cutoff.max(margin),
        }
    }
}
