//! Parts of a sweep: which chunks of rows one of them has.

use crate::limits::SWEEP_CHUNK;
use serde_json::{Value, json};
use std::ops::Range;
use std::str::FromStr;

/// SweepPart `number` of `count`, from 1. The default is the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepPart {
    /// Which, from 1.
    pub number: u64,
    /// Of how many.
    pub count: u64,
}

impl Default for SweepPart {
    fn default() -> SweepPart {
        SweepPart { number: 1, count: 1 }
    }
}

impl FromStr for SweepPart {
    type Err = String;

    fn from_str(text: &str) -> Result<SweepPart, String> {
        let part = text.split_once('/').and_then(|(number, count)| {
            Some(SweepPart { number: number.trim().parse().ok()?, count: count.trim().parse().ok()? })
        });
        part.filter(|part| (1..=part.count).contains(&part.number))
            .ok_or_else(|| "give K/N with K from 1 to N, as 3/8".into())
    }
}

impl SweepPart {
    /// Its chunks in a sweep of `rows` rows. Parts differ by a chunk at most, and follow each other.
    pub fn chunk_range(self, rows: u64) -> Range<u64> {
        let chunks = rows.div_ceil(SWEEP_CHUNK);
        let end = |part: u64| (u128::from(chunks) * u128::from(part) / u128::from(self.count)) as u64;
        end(self.number - 1)..end(self.number)
    }

    /// Its rows in a sweep of `rows` rows.
    pub fn row_range(self, rows: u64) -> Range<u64> {
        let chunks = self.chunk_range(rows);
        (chunks.start * SWEEP_CHUNK).min(rows)..(chunks.end * SWEEP_CHUNK).min(rows)
    }

    /// As JSON.
    pub fn to_json(self) -> Value {
        json!([self.number, self.count])
    }

    /// From JSON.
    pub fn from_json(value: &Value) -> Option<SweepPart> {
        let part = SweepPart { number: value[0].as_u64()?, count: value[1].as_u64()? };
        (1..=part.count).contains(&part.number).then_some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_each_other_and_are_the_whole() {
        for rows in [1, 4095, 4096, 4097, 1_000_000, u64::from(u32::MAX) * 7] {
            for count in [1, 2, 3, 7, 1000] {
                let mut next = 0;
                for number in 1..=count {
                    let part = SweepPart { number, count };
                    assert_eq!(part.row_range(rows).start, next);
                    next = part.row_range(rows).end;
                }
                assert_eq!(next, rows);
            }
        }
    }

    #[test]
    fn words_are_parts() {
        assert_eq!("3/8".parse(), Ok(SweepPart { number: 3, count: 8 }));
        for bad in ["0/8", "9/8", "3", "/", "a/b", "1/0", "-1/2"] {
            assert!(bad.parse::<SweepPart>().is_err(), "{bad}");
        }
    }
}
