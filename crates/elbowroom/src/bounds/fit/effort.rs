//! How hard a fit tries.

/// How long a fit may take. The result always contains all balls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitEffort {
    /// Along principal axes only: tens of microseconds, for large numbers of shapes.
    Quick,
    /// Local search for a small volume: milliseconds.
    Thorough,
}
