//! How hard a fit tries.

/// How long a fit may take. Whatever is handed out contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Along principal axes: tens of microseconds, for what there is a lot of.
    Quick,
    /// Local search for a small volume: milliseconds.
    Thorough,
}
