//! Joins the parts of a sweep: the bytes of a sweep that was never in parts.

use super::about::{about_path, read_about, write_object};
use super::columns::RowFormat;
use super::part::SweepPart;
use super::tally::SweepTally;
use crate::clashes::refuse_clashes;
use crate::out::Sink;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A part, and what it is said to be.
struct PartFile<'p> {
    path: &'p Path,
    about: Value,
    part: SweepPart,
    tally: SweepTally,
    /// Bytes of its rows.
    bytes: u64,
}

/// Joins them, or says everything that does not fit. Returns what all rows have.
pub fn merge_parts(paths: &[PathBuf], out: &Path) -> Result<SweepTally> {
    let inputs: Vec<(&str, Option<&Path>)> =
        paths.iter().map(|path| ("a part", Some(path.as_path()))).collect();
    refuse_clashes(&[("--out", Some(out))], &inputs)?;
    let (mut parts, mut faults) = (Vec::new(), Vec::new());
    for path in paths {
        match read_part(path) {
            Ok(part) => parts.push(part),
            Err(error) => faults.push(format!("{error:#}")),
        }
    }
    faults.extend(find_misfits(&mut parts));
    if !faults.is_empty() {
        bail!("the parts cannot be joined:\n{}", faults.join("\n"));
    }
    let Some(first) = parts.first() else { bail!("--merge: give the parts") };
    let format = first.about["job"]["format"].as_str().unwrap_or_default();
    if RowFormat::of_path(out)?.json_word() != format {
        bail!("--out {}: parts are joined to a file of their own kind, .{format}", out.display());
    }
    let mut tally = SweepTally::default();
    for part in &parts {
        tally.add_later(part.tally.clone());
    }
    if first.about["job"]["poses"]["rows"].as_u64().map(|rows| rows / rows_each(first))
        != Some(tally.row_count())
    {
        bail!("the parts have {} rows together, and the sweep has others", tally.row_count());
    }
    let mut joined = Sink::open(out)?;
    for (k, part) in parts.iter().enumerate() {
        copy_rows(part, (k == 0).then_some(tally.row_count()), &mut joined)?;
    }
    let [job, joints, pairs] = ["job", "joints", "pairs"].map(|key| &first.about[key]);
    let bytes = parts.iter().map(|part| part.bytes).sum();
    write_object(out, job, joints, pairs, SweepPart::default(), (&tally, bytes))?;
    joined.finish()?;
    Ok(tally)
}

/// The tally of a file that is this part of this sweep, and complete.
pub fn find_part(path: &Path, job: &Value, part: SweepPart) -> Option<SweepTally> {
    let found = read_part(path).ok()?;
    (found.about["job"] == *job && found.part == part).then_some(found.tally)
}

/// Removes parts that were joined, and what describes them.
pub fn remove_parts(paths: &[PathBuf]) -> Result<()> {
    for path in paths.iter().flat_map(|path| [path.clone(), about_path(path)]) {
        std::fs::remove_file(&path).with_context(|| format!("{} cannot be removed", path.display()))?;
    }
    Ok(())
}

/// How many poses an answer has.
fn rows_each(part: &PartFile<'_>) -> u64 {
    if part.about["job"]["ask"] == "edges" { 2 } else { 1 }
}

fn read_part(path: &Path) -> Result<PartFile<'_>> {
    let about = read_about(path)?;
    if about["job"]["format"] == "parquet" {
        bail!(
            "{}: parts in Parquet are not joined, since most readers take a folder of them as one table: for \
             one file answer parts as .npy",
            path.display()
        );
    }
    let part = SweepPart::from_json(&about["part"]);
    let tally = SweepTally::from_json(&about["found"]);
    let (Some(part), Some(tally), Some(bytes)) = (part, tally, about["bytes"].as_u64()) else {
        bail!("{}: its description is damaged", path.display());
    };
    let cannot = || format!("{} cannot be read", path.display());
    let mut file = File::open(path).with_context(cannot)?;
    let header = read_header(&mut file, about["job"]["format"] == "npy").with_context(cannot)?;
    let there = file.metadata().with_context(cannot)?.len();
    if there != header.len() as u64 + bytes {
        bail!(
            "{} has {there} bytes, and {} were written: it was cut off or changed",
            path.display(),
            header.len() as u64 + bytes
        );
    }
    Ok(PartFile { path, about, part, tally, bytes })
}

/// Puts parts in order, and says what keeps them from being one sweep.
fn find_misfits(parts: &mut [PartFile<'_>]) -> Vec<String> {
    let mut faults = Vec::new();
    parts.sort_by_key(|part| part.part.number);
    let Some(first) = parts.first() else { return faults };
    for other in &parts[1..] {
        let differ = differing_keys(&first.about["job"], &other.about["job"]);
        if !differ.is_empty() {
            let [a, b] = [first.path, other.path].map(Path::display);
            faults.push(format!("{b} is of another sweep than {a}: they differ in {}", differ.join(", ")));
        } else if other.part.count != first.part.count {
            let (a, b) = (first.part.count, other.part.count);
            faults.push(format!("{} is one of {b} parts, not of {a}", other.path.display()));
        }
    }
    for two in parts.windows(2).filter(|two| two[0].part == two[1].part) {
        let [a, b] = [two[0].path, two[1].path].map(Path::display);
        faults.push(format!("{a} and {b} are the same part, {}", two[0].part.number));
    }
    let has = |number: &u64| parts.iter().any(|part| part.part.number == *number);
    let missing: Vec<String> =
        (1..=first.part.count).filter(|number| !has(number)).take(20).map(|n| n.to_string()).collect();
    if !missing.is_empty() {
        faults.push(format!("of {} parts these are missing: {}", first.part.count, missing.join(", ")));
    }
    faults
}

/// The keys in which what a sweep was asked differs from what another was.
pub fn differing_keys<'v>(job: &'v Value, other: &Value) -> Vec<&'v str> {
    let entries = job.as_object().into_iter().flatten();
    entries.filter(|(key, value)| other[key.as_str()] != **value).map(|(key, _)| key.as_str()).collect()
}

/// Copies the rows of a part; `all` is how many there will be, before the first.
fn copy_rows(part: &PartFile<'_>, all: Option<u64>, out: &mut Sink) -> Result<()> {
    let cannot = || format!("{} cannot be read", part.path.display());
    let mut file = File::open(part.path).with_context(cannot)?;
    let is_array = part.about["job"]["format"] == "npy";
    let header = read_header(&mut file, is_array).with_context(cannot)?;
    if let Some(rows) = all {
        let renamed = if is_array { with_rows(&header, part.tally.row_count(), rows) } else { Some(header) };
        let Some(header) = renamed else { bail!("{}: its header is damaged", part.path.display()) };
        out.put_bytes(&header)?;
    }
    let mut buffer = vec![0; 1 << 20];
    loop {
        let count = file.read(&mut buffer).with_context(cannot)?;
        if count == 0 {
            return Ok(());
        }
        out.put_bytes(&buffer[..count])?;
    }
}

/// Reads what stands before the rows.
fn read_header(file: &mut impl Read, is_array: bool) -> std::io::Result<Vec<u8>> {
    let mut header = Vec::new();
    if is_array {
        header.resize(10, 0);
        file.read_exact(&mut header)?;
        let length = usize::from(u16::from_le_bytes([header[8], header[9]]));
        header.resize(10 + length, 0);
        file.read_exact(&mut header[10..])?;
    } else {
        let mut byte = [0];
        while header.last() != Some(&b'\n') {
            file.read_exact(&mut byte)?;
            header.extend(byte);
        }
    }
    Ok(header)
}

/// A header of an array for another number of rows.
fn with_rows(header: &[u8], own: u64, rows: u64) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(header.get(10..)?).ok()?;
    let text = text.trim_end();
    let changed = text.replacen(&format!("'shape': ({own},)"), &format!("'shape': ({rows},)"), 1);
    Some(super::columns::array_header(&changed))
}
