//! What events changed of a movable body.

use super::event::Event;
use elbowroom::world::BodyId;

/// What happened to a movable body since the start.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Changed {
    /// Placed, attached or let go: who carries it now.
    pub moved: Option<Option<BodyId>>,
    pub opened: Option<f64>,
    pub hidden: Option<bool>,
    /// A spare place was filled, a cloud was seen.
    pub filled: bool,
}

impl Changed {
    /// Notes an event that was accepted.
    pub fn note_event(&mut self, event: &Event) {
        match event {
            Event::Attach { carrier, .. } => self.moved = Some(Some(*carrier)),
            // A door that is taken out has no value any more.
            Event::Detach { .. } => (self.moved, self.opened) = (Some(None), None),
            Event::Place { .. } => self.moved = self.moved.or(Some(None)),
            Event::Open { value, .. } => self.opened = Some(*value),
            Event::Hide { .. } => self.hidden = Some(true),
            Event::Show { .. } => self.hidden = Some(false),
            Event::Fill { .. } | Event::See { .. } => self.filled = true,
            Event::Empty { .. } => self.filled = false,
            Event::Intent { .. } | Event::Reset => {}
        }
    }
}
