//! What was answered, in numbers.

use crate::out::seconds_text;
use elbowroom_files::fault::counted_things;
use elbowroom_monitor::Command;
use elbowroom_monitor::guard::Action;

/// How often each command was given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Lines that were answered.
    pub lines: u64,
    /// By action.
    pub permit: u64,
    /// By action.
    pub slow: u64,
    /// By action.
    pub stop: u64,
    /// The time of the first stop after all arms had reported (s).
    pub first_stop: Option<f64>,
}

impl Tally {
    /// Counts a command; before all arms have reported it is not `judged`.
    pub fn add(&mut self, command: &Command, judged: bool) {
        self.lines += 1;
        match command.action {
            Action::Permit => self.permit += 1,
            Action::Slow => self.slow += 1,
            Action::Stop => self.stop += 1,
        }
        if command.action == Action::Stop && judged {
            self.first_stop = self.first_stop.or(Some(command.t));
        }
    }

    /// The counts in words, for people.
    pub fn tally_in_words(&self) -> String {
        let Tally { lines, permit, slow, stop, first_stop } = self;
        let first = first_stop.map_or(String::new(), |t| format!(", the first at {} s", seconds_text(t)));
        format!(
            "{}: {permit} permit, {slow} slow, {stop} stop{first}",
            counted_things(*lines as usize, "line")
        )
    }
}
