//! What a search along a motion has found so far.

use super::edge_answer::Doubt;

/// The intervals on which a pair stayed open at the resolution.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    /// The start of the first one; infinite if there is none.
    pub from: f64,
    /// How many there are.
    pub count: usize,
}

pub(super) const NEVER_OPEN: Open = Open { from: f64::INFINITY, count: 0 };

/// What a search has found so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// The earliest fraction at which a pair is proved in contact, and its index.
    pub contact: Option<(f64, u32)>,
    /// The first interval that stayed open, and the index of its pair.
    pub open: Option<([f64; 2], u32)>,
    /// Why it did.
    pub why: Doubt,
    /// Whether an open pair was given up.
    pub gave_up: bool,
}

impl Progress {
    /// Nothing yet.
    pub const NONE: Progress = Progress { contact: None, open: None, why: Doubt::Close, gave_up: false };

    pub fn touches(&mut self, t: f64, pair: u32) {
        if self.contact.is_none_or(|(first, _)| t < first) {
            self.contact = Some((t, pair));
        }
    }
}
