//! Why a world cannot be baked.

use std::fmt;

/// What cannot be baked, by name, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The body, joint or pair; or `world`.
    pub name: String,
    /// What is wrong with it, and what to do.
    pub problem: String,
}

impl Refusal {
    pub(crate) fn new(name: impl Into<String>, problem: impl Into<String>) -> Refusal {
        Refusal { name: name.into(), problem: problem.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.name, self.problem)
    }
}

impl std::error::Error for Refusal {}
