//! What a line is answered with.

use elbowroom_monitor::guard::Action;

/// An answer, and what the program does because of it.
#[derive(Debug)]
pub struct Answer {
    /// The line, without its end.
    pub text: String,
    /// What the arms may do.
    pub action: Action,
    /// Whether all arms have reported: before that nothing is judged.
    pub judged: bool,
    /// Whether a state came with it.
    pub state: bool,
    /// Whether an event came with it and was taken.
    pub accepted: bool,
    /// The time of that state (s), and of which arm it is; `None` of all.
    pub stamp: Option<(f64, Option<usize>)>,
    /// Whether a reset was taken.
    pub reset: bool,
}
