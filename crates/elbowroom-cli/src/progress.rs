//! Keeps what `pairs --prove` has proved so far in a journal beside its output. Interrupted work goes on from
//! there: only proofs that were made here and about this world count.

use crate::journal::{Journal, JournalWords, OpenJournal};
use crate::out::say_line;
use anyhow::{Result, bail};
use elbowroom::World;
use elbowroom::motion::{Claim, Proof};
use elbowroom::world::{BodyId, BodyPair};
use elbowroom_files::fault::counted_things;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What is proved of a pair: within all limits, and without those that mimics have of their own, if that was
/// asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Proofs {
    /// Within all limits.
    pub all: Proof,
    /// Within those of the joints that mimics follow.
    pub leaders: Option<Proof>,
}

/// The journal, and what earlier work left in it.
pub struct Progress {
    journal: Journal,
    known: BTreeMap<BodyPair, Proofs>,
}

const WORDS: JournalWords = JournalWords {
    begins: "{\"elbowroom\":",
    other: "holds proofs of another world, another --geometry or another version",
    none: "is no record of what --prove proved",
};

impl Progress {
    /// Reads the file if there is one, or begins a new one. If it cannot be written, work goes on without.
    /// Proofs with more boxes than are asked for now are kept, and a note says so.
    pub fn open(path: PathBuf, world: &World, geometry: &str, boxes: u64) -> Result<Progress> {
        let of = format!("{:016x}", world.fingerprint());
        let version = env!("CARGO_PKG_VERSION");
        let head = json!({ "elbowroom": version, "proofs_of": of, "geometry": geometry }).to_string();
        let OpenJournal { journal, rows, refused } = Journal::open(path, head, WORDS)?;
        let path = journal.path().display();
        let mut known = BTreeMap::new();
        for (row, number) in rows.iter().zip(2..) {
            let Some((pair, proofs)) = parse_proofs(row) else {
                bail!(
                    "{path} is damaged in line {number}: delete it to begin anew, or give another output file"
                );
            };
            known.insert(pair, proofs);
        }
        match refused {
            None => say_line(&format!(
                "note: until the work is done {path} keeps what is proved; after an interruption the same \
                 command goes on from there"
            )),
            Some(e) => {
                say_line(&format!("note: {path} cannot be written ({e}): interrupted work will be lost"))
            }
        }
        if !known.is_empty() {
            let pairs = counted_things(known.len(), "pair");
            say_line(&format!("note: {path} holds earlier work on {pairs}: it goes on from there"));
            let stronger = |proofs: &&Proofs| {
                [Some(&proofs.all), proofs.leaders.as_ref()].into_iter().flatten().any(|p| p.boxes > boxes)
            };
            let stronger = known.values().filter(stronger).count();
            if stronger > 0 {
                let (pairs, are) =
                    (counted_things(stronger, "pair"), if stronger == 1 { "is" } else { "are" });
                say_line(&format!(
                    "note: of these, {pairs} {are} proved with more boxes than --boxes {boxes}: the stronger \
                     proofs are kept"
                ));
            }
        }
        Ok(Progress { journal, known })
    }

    /// What is known of a pair from earlier work.
    pub fn known(&self, pair: BodyPair) -> Option<&Proofs> {
        self.known.get(&pair)
    }

    /// Keeps what is proved of a pair.
    pub fn keep(&mut self, pair: BodyPair, proofs: &Proofs) {
        if let Err(e) = self.journal.add_row(&proofs_row(pair, proofs)) {
            let path = self.journal.path().display();
            say_line(&format!("note: {path} cannot be written ({e}): interrupted work will be lost"));
        }
    }

    /// Removes the file, once the answer is where it belongs.
    pub fn done(self) {
        let path = self.journal.path().to_path_buf();
        if let Err(e) = self.journal.remove() {
            say_line(&format!("note: {} cannot be removed ({e})", path.display()));
        }
    }
}

/// What is proved of a pair, as a row.
fn proofs_row(pair: BodyPair, proofs: &Proofs) -> Value {
    json!({
        "pair": [pair.a.0, pair.b.0],
        "all": written(&proofs.all),
        "leaders": proofs.leaders.as_ref().map(written),
    })
}

/// Numbers as text, so that they come back to the last bit.
fn number(x: f64) -> String {
    format!("{x:?}")
}

fn written(proof: &Proof) -> Value {
    let (word, least) = match proof.claim {
        Claim::Never { least } => ("never", Some(number(least))),
        Claim::Always => ("always", None),
        Claim::Sometimes => ("sometimes", None),
        Claim::Open => ("open", None),
    };
    let at = proof.overlap_at.as_ref().map(|at| at.iter().map(|v| number(*v)).collect::<Vec<_>>());
    json!({
        "claim": word,
        "least": least,
        "boxes": proof.boxes,
        "share": number(proof.share),
        "joints": proof.joints,
        "collides_at": at,
    })
}

fn proof(value: &Value) -> Option<Proof> {
    let real = |v: &Value| v.as_str()?.parse::<f64>().ok();
    let claim = match value["claim"].as_str()? {
        "never" => Claim::Never { least: real(&value["least"])? },
        "always" => Claim::Always,
        "sometimes" => Claim::Sometimes,
        "open" => Claim::Open,
        _ => return None,
    };
    let overlap_at = match &value["collides_at"] {
        Value::Null => None,
        at => Some(at.as_array()?.iter().map(real).collect::<Option<Vec<f64>>>()?),
    };
    let joints = usize::try_from(value["joints"].as_u64()?).ok()?;
    Some(Proof { claim, boxes: value["boxes"].as_u64()?, share: real(&value["share"])?, joints, overlap_at })
}

/// A row as what is proved of a pair.
fn parse_proofs(row: &Value) -> Option<(BodyPair, Proofs)> {
    let body = |i: usize| Some(BodyId(u32::try_from(row["pair"][i].as_u64()?).ok()?));
    let leaders = match &row["leaders"] {
        Value::Null => None,
        of => Some(proof(of)?),
    };
    Some((BodyPair { a: body(0)?, b: body(1)? }, Proofs { all: proof(&row["all"])?, leaders }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_come_back_to_the_last_bit() {
        let at = vec![0.1 + 0.2, -1e-300, std::f64::consts::PI];
        let mut all =
            Proof { claim: Claim::Sometimes, boxes: 7, share: 1.0 / 3.0, joints: 3, overlap_at: Some(at) };
        for claim in [Claim::Sometimes, Claim::Never { least: 1.0 / 7.0 }, Claim::Always, Claim::Open] {
            all.claim = claim;
            for leaders in [None, Some(Proof { overlap_at: None, ..all.clone() })] {
                let proofs = Proofs { all: all.clone(), leaders };
                let pair = BodyPair { a: BodyId(3), b: BodyId(9) };
                let row = serde_json::from_str(&proofs_row(pair, &proofs).to_string()).unwrap();
                assert_eq!(parse_proofs(&row), Some((pair, proofs)));
            }
        }
    }
}
