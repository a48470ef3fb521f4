//! What a sweep has found so far, in numbers.

use super::columns::VERDICT_WORDS;
use super::row::SweptRow;
use crate::limits::ROW_FAULTS_SHOWN;
use elbowroom::PairId;
use serde_json::{Value, json};

/// How many rows have which verdict, the smallest clearance, and the first rows that are no poses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepTally {
    /// By verdict.
    pub counts: [u64; VERDICT_WORDS.len()],
    /// The row with the smallest lower end, that end, and its pair.
    pub least: Option<(u64, f64, Option<PairId>)>,
    /// The greatest lower end.
    pub most: Option<f64>,
    /// The first rows that are no poses, and why.
    pub faults: Vec<String>,
    /// A sum over the joint values of all rows.
    pub poses_hash: u64,
}

impl SweepTally {
    /// Adds a row.
    pub fn add_row(&mut self, row: u64, found: &SweptRow) {
        if let Some(count) = self.counts.get_mut(usize::from(found.verdict)) {
            *count += 1;
        }
        self.add_lower_end(row, found.interval[0], found.pair);
    }

    fn add_lower_end(&mut self, row: u64, lower: f64, pair: Option<PairId>) {
        if !lower.is_finite() {
            return;
        }
        if self.least.is_none_or(|(_, least, _)| lower < least) {
            self.least = Some((row, lower, pair));
        }
        self.most = Some(self.most.map_or(lower, |most| most.max(lower)));
    }

    /// Names a row that is no pose.
    pub fn add_fault(&mut self, words: impl FnOnce() -> String) {
        if self.faults.len() < ROW_FAULTS_SHOWN {
            self.faults.push(words());
        }
    }

    /// Adds what the rows behind these have.
    pub fn add_later(&mut self, later: SweepTally) {
        let SweepTally { counts, least, most, faults, poses_hash } = later;
        for (count, more) in self.counts.iter_mut().zip(counts) {
            *count += more;
        }
        if let Some((row, lower, pair)) = least {
            self.add_lower_end(row, lower, pair);
        }
        if let Some(most) = most {
            self.most = Some(self.most.map_or(most, |own| own.max(most)));
        }
        for fault in faults {
            self.add_fault(|| fault);
        }
        self.poses_hash = self.poses_hash.wrapping_add(poses_hash);
    }

    /// How many rows were counted.
    pub fn row_count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// As JSON, to the last bit.
    pub fn to_json(&self) -> Value {
        let least = self.least.map(|(row, lower, pair)| json!([row, number_text(lower), pair.map(|p| p.0)]));
        json!({
            "counts": self.counts, "least": least, "most": self.most.map(number_text), "faults": self.faults,
            "poses_hash": format!("{:016x}", self.poses_hash),
        })
    }

    /// From JSON.
    pub fn from_json(value: &Value) -> Option<SweepTally> {
        let mut tally = SweepTally { poses_hash: read_hash(&value["poses_hash"])?, ..SweepTally::default() };
        for (k, count) in tally.counts.iter_mut().enumerate() {
            *count = value["counts"][k].as_u64()?;
        }
        if !value["least"].is_null() {
            let pair = value["least"][2].as_u64().and_then(|pair| u32::try_from(pair).ok()).map(PairId);
            tally.least = Some((value["least"][0].as_u64()?, read_number(&value["least"][1])?, pair));
        }
        if !value["most"].is_null() {
            tally.most = Some(read_number(&value["most"])?);
        }
        let faults = value["faults"].as_array()?.iter();
        tally.faults = faults.map(|fault| fault.as_str().map(String::from)).collect::<Option<_>>()?;
        Some(tally)
    }
}

/// A number as text that comes back to the last bit.
fn number_text(x: f64) -> String {
    format!("{x:?}")
}

fn read_number(value: &Value) -> Option<f64> {
    value.as_str()?.parse().ok()
}

fn read_hash(value: &Value) -> Option<u64> {
    u64::from_str_radix(value.as_str()?, 16).ok()
}

/// A hash of the joint values of a chunk. Chunks are added up, so that parts of a sweep add up to the whole.
pub fn hash_chunk(chunk: u64, values: &[f64]) -> u64 {
    // FNV-1a over words of 64 bits. The last steps of SplitMix64 mix the bits, because hashes are added.
    let mut hash = values.iter().fold(chunk ^ 0xcbf2_9ce4_8422_2325, |hash, value| {
        (hash ^ value.to_bits()).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29)
    });
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_comes_back_to_the_last_bit() {
        let mut tally = SweepTally { poses_hash: u64::MAX - 3, ..SweepTally::default() };
        let pair = Some(PairId(7));
        tally.add_row(3, &SweptRow { verdict: 3, interval: [-0.1 / 3.0, 0.0], pair });
        tally.add_row(4, &SweptRow { verdict: 0, interval: [0.7, 0.8], pair: None });
        tally.add_row(5, &SweptRow::from_verdict(5));
        tally.add_fault(|| "row 5: \"elbow\" is not finite".into());
        assert_eq!(tally.least, Some((3, -0.1 / 3.0, pair)));
        for tally in [tally, SweepTally::default()] {
            let text = tally.to_json().to_string();
            assert_eq!(SweepTally::from_json(&serde_json::from_str(&text).unwrap()), Some(tally));
        }
    }

    #[test]
    fn hashes_of_chunks_tell_values_and_chunks_apart() {
        let values = [0.5, -0.0, 1.0];
        let all = [
            hash_chunk(0, &values),
            hash_chunk(1, &values),
            hash_chunk(0, &[0.5, 0.0, 1.0]),
            hash_chunk(0, &[-0.0, 0.5, 1.0]),
            hash_chunk(0, &values[..2]),
        ];
        for (k, a) in all.iter().enumerate() {
            assert!(all[..k].iter().all(|b| a != b));
        }
    }
}
