//! What `info` tells, and of which bodies.

use super::frames::Frames;
use crate::arguments::WorldArguments;
use crate::load::LoadedWorld;
use elbowroom::describe::WorldDescription;
use elbowroom::world::BodyId;

/// What is told, and of what.
pub struct Info<'i> {
    /// How the world was named.
    pub arguments: &'i WorldArguments,
    /// What was read.
    pub loaded: &'i LoadedWorld,
    /// What was read, before it was compiled.
    pub description: &'i WorldDescription,
    /// Where bodies are at the pose that was asked for.
    pub frames: Option<&'i Frames>,
    /// Only these bodies, if there are any here.
    pub only: &'i [BodyId],
}

impl Info<'_> {
    /// Whether a body is told of.
    pub fn is_shown(&self, body: BodyId) -> bool {
        self.only.is_empty() || self.only.contains(&body)
    }
}
