//! Why an output has not taken what was written to it.

use anyhow::Error;

/// Why something was not written.
#[derive(Debug)]
pub enum Unwritten {
    /// Nobody reads it: it has had no room until the answer was due.
    Blocked(String),
    /// Anything else, as a full disk.
    Broken(Error),
}

impl Unwritten {
    /// The kind of reason for the stop that it is.
    pub fn reason_kind(&self) -> &'static str {
        match self {
            Unwritten::Blocked(_) => "overrun",
            Unwritten::Broken(_) => "record",
        }
    }

    /// What went wrong, in words for people.
    pub fn fault_in_words(&self) -> String {
        match self {
            Unwritten::Blocked(name) => format!("{name} is open and not read: there was no room in time"),
            Unwritten::Broken(error) => format!("{error:#}"),
        }
    }
}
