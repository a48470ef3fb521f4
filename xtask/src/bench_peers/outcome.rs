//! What a run found out about each item.

use super::agree::Agreement;
use serde_json::Value;

/// What one engine did on one item.
pub(crate) enum Outcome {
    /// It has no such query, or refused the input: its own words.
    Cannot(String),
    /// Figures and what its answers were worth.
    Ran { rounds_ns: Vec<f64>, mean_ns: Vec<f64>, agreement: Agreement, built: Option<Built> },
}

/// What a world of many obstacles took to build, in a process of its own.
#[derive(Clone, Copy)]
pub(crate) struct Built {
    pub(crate) seconds: f64,
    /// Resident memory an obstacle beside its vertices at three f64 each.
    pub(crate) bytes: f64,
}

/// One item with the outcomes, in the order of the engines that took part.
pub(crate) struct Line {
    pub(crate) item: Value,
    pub(crate) outcomes: Vec<(String, Outcome)>,
}
