//! What a sweep's answers are answers to: a file of JSON beside them, which also names the pairs and verdicts
//! that an array has as numbers.

use super::arguments::SweepArguments;
use super::columns::{OutColumns, VERDICT_WORDS, pair_text};
use super::part::SweepPart;
use super::source::PoseSource;
use super::tally::SweepTally;
use crate::answer::{SCHEMA, json_number};
use crate::limits::ABOUT_BYTES;
use crate::out::Sink;
use anyhow::{Context, Result, bail};
use elbowroom::{PairId, World};
use serde_json::{Map, Value, json};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Where the description of an output lies.
pub fn about_path(out: &Path) -> PathBuf {
    let mut name = OsString::from(out.file_name().unwrap_or_default());
    name.push(".json");
    out.with_file_name(name)
}

/// What the answers of a sweep depend on, whatever the part: two sweeps that agree in it have the same
/// answers, if their poses have the same hash.
pub fn describe_job(
    arguments: &SweepArguments,
    world: &World,
    source: &PoseSource<'_>,
    columns: &OutColumns<'_>,
) -> Value {
    json!({
        "elbowroom": env!("CARGO_PKG_VERSION"),
        "world": format!("{:016x}", world.fingerprint()),
        "margin": json_number(world.margin()),
        "ask": if arguments.edges { "edges" } else { arguments.ask.json_word() },
        "depth": arguments.depth.json_word(),
        "geometry": arguments.geometry.json_word(),
        "ignore_limits": arguments.ignore_limits,
        "poses": source.to_json(),
        "columns": columns.names(),
        "format": columns.format().json_word(),
    })
}

/// Describes an output that is complete: what was found, and the bytes of all rows.
pub fn write_about(
    out: &Path,
    job: &Value,
    world: &World,
    part: SweepPart,
    found: (&SweepTally, u64),
) -> Result<()> {
    let pairs: Vec<Option<String>> =
        (0..world.pairs().len() as u32).map(|pair| pair_text(world, PairId(pair))).collect();
    write_object(out, job, &json!(world.dof_names()), &json!(pairs), part, found)
}

/// Describes an output of which the names are known as JSON.
pub fn write_object(
    out: &Path,
    job: &Value,
    joints: &Value,
    pairs: &Value,
    part: SweepPart,
    (tally, bytes): (&SweepTally, u64),
) -> Result<()> {
    let mut object = Map::new();
    object.insert("schema".into(), SCHEMA.into());
    object.insert("job".into(), job.clone());
    object.insert("part".into(), part.to_json());
    object.insert("rows".into(), tally.row_count().into());
    object.insert("bytes".into(), bytes.into());
    object.insert("found".into(), tally.to_json());
    object.insert("verdicts".into(), json!(VERDICT_WORDS));
    object.insert("joints".into(), joints.clone());
    object.insert("pairs".into(), pairs.clone());
    let mut sink = Sink::open(&about_path(out))?;
    sink.put_text(&format!("{}\n", Value::Object(object)))?;
    sink.finish()?;
    Ok(())
}

/// The description of an output.
pub fn read_about(out: &Path) -> Result<Value> {
    let path = about_path(out);
    let named = || format!("{} has no description {}", out.display(), path.display());
    let mut text = String::new();
    File::open(&path)
        .with_context(named)?
        .take(ABOUT_BYTES + 1)
        .read_to_string(&mut text)
        .with_context(named)?;
    let value: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
    if text.len() as u64 > ABOUT_BYTES || value["job"]["world"].is_null() || value["found"].is_null() {
        bail!("{} does not describe a sweep", path.display());
    }
    Ok(value)
}
