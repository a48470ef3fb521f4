//! What is wrong with what was given, where, and what to do: all of it at once, never only the first.

use crate::limits;
use std::fmt;

/// Where a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// All that was given.
    Whole,
    /// A place in a text.
    At {
        /// The line, from 1.
        line: usize,
        /// The character of the line, from 1.
        column: usize,
    },
    /// A named value.
    Field(&'static str),
    /// A row of a named list.
    Row {
        /// What the list is called.
        of: &'static str,
        /// The row, from 1.
        number: usize,
    },
}

/// Something that makes what was given unusable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where it is.
    pub place: Place,
    /// What is wrong.
    pub what: String,
    /// What a person can do about it.
    pub help: String,
}

/// All faults, in the order they were found; at least one.
#[derive(Clone, PartialEq, Eq)]
pub struct Faults(pub Vec<Fault>);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Whole => Ok(()),
            Place::At { line, column } => write!(f, "line {line}, column {column}: "),
            Place::Field(name) => write!(f, "{name}: "),
            Place::Row { of, number } => write!(f, "{of}, row {number}: "),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}; {}", self.place, self.what, self.help)
    }
}

impl fmt::Display for Faults {
    /// One a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, fault) in self.0.iter().enumerate() {
            if number > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Faults {
    /// The words of `Display`: a `main` that returns these faults prints them for a person.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Faults {}

/// Faults as they come in.
#[derive(Debug, Default)]
pub(crate) struct Log {
    faults: Vec<Fault>,
    more: usize,
}

impl Log {
    pub fn fault(&mut self, place: Place, what: impl Into<String>, help: impl Into<String>) {
        if self.faults.len() < limits::FAULTS {
            self.faults.push(Fault { place, what: what.into(), help: help.into() });
        } else {
            self.more += 1;
        }
    }

    /// The value, if nothing was wrong.
    pub fn finish<T>(mut self, value: T) -> Result<T, Faults> {
        if self.more > 0 {
            let what = format!("{} more faults are not listed", self.more);
            self.faults.push(Fault { place: Place::Whole, what, help: "fix these first".into() });
        }
        if self.faults.is_empty() { Ok(value) } else { Err(Faults(self.faults)) }
    }
}
