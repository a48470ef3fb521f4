//! Faults of the lines of a stream: each is said when it comes, and one that comes again is counted.

use crate::out::say_line;
use elbowroom_files::fault::counted_things;
use elbowroom_files::limits;
use std::collections::BTreeMap;

/// Faults of lines so far.
pub struct LineFaults<'n> {
    /// What the stream is called.
    name: &'n str,
    /// Each fault: its first line, and how many lines more have it.
    seen: BTreeMap<String, (u64, usize)>,
    /// Lines whose fault is another than those that are listed.
    unlisted: usize,
}

impl<'n> LineFaults<'n> {
    /// None yet.
    pub fn new(name: &'n str) -> LineFaults<'n> {
        LineFaults { name, seen: BTreeMap::new(), unlisted: 0 }
    }

    /// Whether every line was right.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// Says the fault of a line (numbered from 1), unless a line before it had the same.
    pub fn say_fault(&mut self, line: u64, fault: &str) {
        if let Some((_, more)) = self.seen.get_mut(fault) {
            *more += 1;
        } else if self.seen.len() < limits::FAULTS {
            say_line(&format!("{}: line {line}: {fault}", self.name));
            self.seen.insert(fault.to_string(), (line, 0));
        } else {
            self.unlisted += 1;
        }
    }

    /// Says at the end what came again, in the order of lines.
    pub fn say_repeated(&self) {
        let mut repeated: Vec<_> = self.seen.values().filter(|(_, more)| *more > 0).collect();
        repeated.sort_unstable();
        for (line, more) in repeated {
            let again = counted_things(*more, "more time");
            say_line(&format!("{}: the fault of line {line} comes {again}", self.name));
        }
        if self.unlisted > 0 {
            let lines = counted_things(self.unlisted, "more line");
            say_line(&format!("{}: not listed: other faults, on {lines}", self.name));
        }
    }
}
