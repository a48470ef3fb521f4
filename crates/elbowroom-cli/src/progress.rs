//! Keeps what `pairs --prove` has proved so far in a file beside its output. Interrupted work goes on from
//! there.
//!
//! The first line names the world, the program and the geometry of the proofs. Each proof is a line that is
//! appended as soon as it is found, with a hash of itself and of the first line before it. A last line that
//! was cut off counts for nothing. A file that does not fit, or was changed, is refused and left as it is:
//! only proofs that were made here and about this world count.

use crate::limits::PROGRESS_BYTES;
use crate::out::say_line;
use anyhow::{Context, Result, bail};
use elbowroom::World;
use elbowroom::math::hash_bytes;
use elbowroom::motion::{Claim, Proof};
use elbowroom::world::{BodyId, BodyPair};
use elbowroom_files::fault::counted_things;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// What is proved of a pair: within all limits, and without those that mimics have of their own, if that was
/// asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Proofs {
    /// Within all limits.
    pub all: Proof,
    /// Within those of the joints that mimics follow.
    pub leaders: Option<Proof>,
}

/// The file, and what earlier work left in it.
pub struct Progress {
    path: PathBuf,
    head: String,
    file: Option<File>,
    known: BTreeMap<BodyPair, Proofs>,
}

/// The file beside an output; `None` for what is no file of its own.
pub fn beside(output: &Path) -> Option<PathBuf> {
    if output == Path::new("-") || output.exists() && !output.is_file() {
        return None;
    }
    let mut name = OsString::from(output.file_name()?);
    name.push(".partial");
    Some(output.with_file_name(name))
}

impl Progress {
    /// Reads the file if there is one, or begins a new one. If it cannot be written, work goes on without.
    /// Proofs with more boxes than are asked for now are kept, and a note says so.
    pub fn open(path: PathBuf, world: &World, geometry: &str, boxes: u64) -> Result<Progress> {
        let of = format!("{:016x}", world.fingerprint());
        let version = env!("CARGO_PKG_VERSION");
        let head = json!({ "elbowroom": version, "proofs_of": of, "geometry": geometry }).to_string();
        let mut progress = Progress { path, head, file: None, known: BTreeMap::new() };
        let text = match read(&progress.path) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound => String::new(),
            Err(e) => return Err(e).with_context(|| format!("{} cannot be read", progress.path.display())),
        };
        let end = progress.take(&text)?;
        let opened =
            OpenOptions::new().create(true).append(true).open(&progress.path).and_then(|mut file| {
                if end < text.len() {
                    file.set_len(end as u64)?;
                }
                if end == 0 {
                    file.write_all(format!("{}\n", progress.head).as_bytes())?;
                }
                Ok(file)
            });
        match opened {
            Ok(file) => {
                progress.file = Some(file);
                say_line(&format!(
                    "note: until the work is done {} keeps what is proved; after an interruption the same \
                     command goes on from there",
                    progress.path.display()
                ));
            }
            Err(e) => say_line(&format!(
                "note: {} cannot be written ({e}): interrupted work will be lost",
                progress.path.display()
            )),
        }
        if !progress.known.is_empty() {
            let (pairs, path) = (counted_things(progress.known.len(), "pair"), progress.path.display());
            say_line(&format!("note: {path} holds earlier work on {pairs}: it goes on from there"));
            let stronger = |proofs: &&Proofs| {
                [Some(&proofs.all), proofs.leaders.as_ref()].into_iter().flatten().any(|p| p.boxes > boxes)
            };
            let stronger = progress.known.values().filter(stronger).count();
            if stronger > 0 {
                let (pairs, are) =
                    (counted_things(stronger, "pair"), if stronger == 1 { "is" } else { "are" });
                say_line(&format!(
                    "note: of these, {pairs} {are} proved with more boxes than --boxes {boxes}: the stronger \
                     proofs are kept"
                ));
            }
        }
        Ok(progress)
    }

    /// Takes the proofs of a text, and returns how much of it is good.
    fn take(&mut self, text: &str) -> Result<usize> {
        let refused = |why: &str| -> Result<usize> {
            let path = self.path.display();
            bail!("{path} {why}: delete it to begin anew, or give another output file")
        };
        let Some((head, mut rest)) = text.split_once('\n') else {
            // The earlier work was interrupted at once.
            return if self.head.starts_with(text) {
                Ok(0)
            } else {
                refused("is no record of what --prove proved")
            };
        };
        if head != self.head {
            let ours = head.starts_with("{\"elbowroom\":");
            return refused(if ours {
                "holds proofs of another world, another --geometry or another version"
            } else {
                "is no record of what --prove proved"
            });
        }
        let mut known = BTreeMap::new();
        let (mut end, mut number) = (head.len() + 1, 1);
        while let Some((line, after)) = rest.split_once('\n') {
            number += 1;
            let Some((pair, proofs)) = parsed(head, line) else {
                return refused(&format!("is damaged in line {number}"));
            };
            known.insert(pair, proofs);
            (rest, end) = (after, end + line.len() + 1);
        }
        self.known = known;
        Ok(end)
    }

    /// What is known of a pair from earlier work.
    pub fn known(&self, pair: BodyPair) -> Option<&Proofs> {
        self.known.get(&pair)
    }

    /// Keeps what is proved of a pair.
    pub fn keep(&mut self, pair: BodyPair, proofs: &Proofs) {
        let Some(file) = &mut self.file else { return };
        let row = json!({
            "pair": [pair.a.0, pair.b.0],
            "all": written(&proofs.all),
            "leaders": proofs.leaders.as_ref().map(written),
        })
        .to_string();
        let line = format!("{:016x} {row}\n", hash_bytes(self.head.bytes().chain(row.bytes())));
        if let Err(e) = file.write_all(line.as_bytes()) {
            say_line(&format!(
                "note: {} cannot be written ({e}): interrupted work will be lost",
                self.path.display()
            ));
            self.file = None;
        }
    }

    /// Removes the file, once the answer is where it belongs.
    pub fn done(self) {
        if self.file.is_some() {
            drop(self.file);
            if let Err(e) = std::fs::remove_file(&self.path) {
                say_line(&format!("note: {} cannot be removed ({e})", self.path.display()));
            }
        }
    }
}

/// The text of a file that is not too long for one of ours.
fn read(path: &Path) -> std::io::Result<String> {
    let mut text = Vec::new();
    File::open(path)?.take(PROGRESS_BYTES + 1).read_to_end(&mut text)?;
    if text.len() as u64 > PROGRESS_BYTES {
        return Err(std::io::Error::other(format!("it is longer than {PROGRESS_BYTES} bytes")));
    }
    // A line may have been cut within a name; of what is not ours nothing is kept.
    Ok(String::from_utf8_lossy(&text).into_owned())
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

/// A line, if it is as it was written.
fn parsed(head: &str, line: &str) -> Option<(BodyPair, Proofs)> {
    let (sum, row) = line.split_once(' ')?;
    if sum != format!("{:016x}", hash_bytes(head.bytes().chain(row.bytes()))) {
        return None;
    }
    let value: Value = serde_json::from_str(row).ok()?;
    let body = |i: usize| Some(BodyId(u32::try_from(value["pair"][i].as_u64()?).ok()?));
    let leaders = match &value["leaders"] {
        Value::Null => None,
        of => Some(proof(of)?),
    };
    Some((BodyPair { a: body(0)?, b: body(1)? }, Proofs { all: proof(&value["all"])?, leaders }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_come_back_to_the_last_bit_and_nothing_else_does() {
        let head = "{\"elbowroom\":\"0\"}";
        let at = vec![0.1 + 0.2, -1e-300, std::f64::consts::PI];
        let mut all =
            Proof { claim: Claim::Sometimes, boxes: 7, share: 1.0 / 3.0, joints: 3, overlap_at: Some(at) };
        for claim in [Claim::Sometimes, Claim::Never { least: 1.0 / 7.0 }, Claim::Always, Claim::Open] {
            all.claim = claim;
            for leaders in [None, Some(Proof { overlap_at: None, ..all.clone() })] {
                let proofs = Proofs { all: all.clone(), leaders };
                let row = json!({
                    "pair": [3, 9],
                    "all": written(&proofs.all),
                    "leaders": proofs.leaders.as_ref().map(written),
                })
                .to_string();
                let line = format!("{:016x} {row}", hash_bytes(head.bytes().chain(row.bytes())));
                let pair = BodyPair { a: BodyId(3), b: BodyId(9) };
                assert_eq!(parsed(head, &line), Some((pair, proofs)));
                // Cut anywhere, changed anywhere, or of another world.
                for end in 0..line.len() {
                    assert_eq!(parsed(head, &line[..end]), None);
                    let other = if line.as_bytes()[end] == b'0' { "1" } else { "0" };
                    assert_eq!(parsed(head, &format!("{}{other}{}", &line[..end], &line[end + 1..])), None);
                }
                assert_eq!(parsed("{\"elbowroom\":\"1\"}", &line), None);
            }
        }
    }

    #[test]
    fn records_lie_beside_files_alone() {
        assert_eq!(beside(Path::new("-")), None);
        assert_eq!(beside(Path::new("/dev/null")), None);
        assert_eq!(beside(Path::new("a/b.srdf")), Some(PathBuf::from("a/b.srdf.partial")));
    }
}
