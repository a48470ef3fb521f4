//! What a question took.

/// How the checked pairs were dealt with. `pruned + proved + unknown + skipped = pairs`. Asked for the
/// smallest distance, a pair whose bound is above a distance already found is pruned too; asked for all
/// pairs, only one beyond the cutoff is. It is [`Answer::counts`](crate::Answer::counts).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Checked pairs of bodies in the world.
    pub pairs: usize,
    /// Pairs that are allowed to touch, or cannot move, and are not checked.
    pub allowed: usize,
    /// Decided by bounds around the bodies.
    pub pruned: usize,
    /// Decided by a proved distance of their shapes.
    pub proved: usize,
    /// Asked, and neither apart nor overlapping was proved.
    pub unknown: usize,
    /// Not looked at, because the answer was known before their turn.
    pub skipped: usize,
    /// Nodes of trees whose parts were bounded.
    pub nodes: usize,
    /// Pairs of shapes whose distance was computed.
    pub shape_queries: usize,
    /// Steps of the searches of those, summed. None where a formula gave the answer.
    pub steps: usize,
}

impl Counts {
    /// A pair of bodies was asked, and something or nothing was proved of it.
    pub(crate) fn asked(&mut self, told: Told) {
        match told {
            Told::Proved => self.proved += 1,
            Told::Unknown => self.unknown += 1,
        }
    }
}

/// Whether a pair that was asked was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// It was, or its bound is beyond what matters.
    Proved,
    /// Neither apart nor overlapping was proved.
    Unknown,
}
