//! Limits of what is measured, and what happens beyond them.

use elbowroom::world::BodyId;

/// What a limit asks for where it is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reaction {
    /// The arms slow down by the ratio of the limit and the value.
    Slow,
    /// The arms stop.
    Stop,
}

/// A greatest absolute value, and what happens beyond it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// The greatest absolute value; infinite for none.
    pub most: f64,
    /// What happens beyond it.
    pub reaction: Reaction,
}

impl Limit {
    /// No limit.
    pub const NONE: Limit = Limit { most: f64::INFINITY, reaction: Reaction::Stop };

    /// A limit beyond which the arms stop.
    pub const fn stop_beyond(most: f64) -> Limit {
        Limit { most, reaction: Reaction::Stop }
    }
}

/// A limit on the speed of a body's points, over all that it may pass until it rests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedLimit {
    /// The body.
    pub body: BodyId,
    /// The greatest speed (m/s), as 0.25 with people near.
    pub most: f64,
    /// Whether it holds only while people are near:
    /// [`PeopleDescription::near`](super::PeopleDescription::near).
    pub people_near: bool,
    /// What happens beyond it.
    pub reaction: Reaction,
}
