//! The answer for a row, before it is written.

use elbowroom::{PairId, Verdict};

/// One number of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowCell {
    /// The number of the row.
    Sample(u64),
    /// The number of a verdict, an index of [`VERDICT_WORDS`](super::columns::VERDICT_WORDS).
    Verdict(u8),
    /// A number; NaN where there is none.
    Number(f64),
    /// A pair, if one is named.
    Pair(Option<PairId>),
}

/// The answer for a row: what the first columns say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweptRow {
    /// The number of its verdict.
    pub verdict: u8,
    /// The interval (metres), or from where to where on a way.
    pub interval: [f64; 2],
    /// The pair that is named.
    pub pair: Option<PairId>,
}

/// The verdict of a row that is no pose.
pub const FAULT: u8 = 5;

/// The number of a verdict.
pub fn verdict_number(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Clear => 0,
        Verdict::Near => 1,
        Verdict::ExpectedContact => 2,
        Verdict::Collision => 3,
        Verdict::Unknown => 4,
    }
}

impl SweptRow {
    /// A row with a verdict alone.
    pub fn from_verdict(verdict: u8) -> SweptRow {
        SweptRow { verdict, interval: [f64::NAN; 2], pair: None }
    }
}
