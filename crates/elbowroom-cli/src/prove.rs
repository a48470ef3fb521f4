//! `elbowroom pairs --prove`: which pairs can never touch and which always do, proved over all joint values,
//! as SRDF.

mod row;
mod srdf;

use crate::answer::SCHEMA;
use crate::arguments::GeometryChoice;
use crate::arguments::pairs::PairsArguments;
use crate::bar::progress_bar;
use crate::journal::journal_path;
use crate::limits;
use crate::load::LoadedWorld;
use crate::out::{PAIR_COLUMN, Sink, check_writable, clean_text, delivered_code, pair_titles, say_line};
use crate::progress::{Progress, Proofs};
use anyhow::{Result, bail};
use elbowroom::World;
use elbowroom::motion::{Claim, Proof, ProveOptions, Prover};
use elbowroom::world::{AllowedReason, BodyId, BodyPair, PairStatus};
use elbowroom_files::fault::counted_things;
use rayon::prelude::*;
use row::{Row, pose, proof_in_words, settled, why_left, word};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Where interrupted work is kept: beside the first output that is a file.
pub fn record(arguments: &PairsArguments) -> Option<PathBuf> {
    let outputs = [arguments.srdf_out.as_deref(), arguments.json.as_deref()];
    outputs.into_iter().flatten().find_map(journal_path).filter(|_| arguments.prove)
}

/// Proves and tells; returns the exit code.
pub fn run(arguments: &PairsArguments, loaded: &LoadedWorld, record: Option<PathBuf>) -> Result<u8> {
    let world = &loaded.world;
    if arguments.srdf_out.is_some() && world.robots().len() != 1 {
        bail!("--srdf-out: an SRDF is of one robot, and the world has {}", world.robots().len());
    }
    // Files that cannot be written are found out before the work.
    [&arguments.json, &arguments.srdf_out].into_iter().flatten().try_for_each(|path| check_writable(path))?;
    let progress = record
        .map(|path| Progress::open(path, world, arguments.geometry.json_word(), arguments.boxes()))
        .transpose()?
        .map(Mutex::new);
    let rows = prove_all(arguments, loaded, progress.as_ref());

    let mut closed = false;
    if let Some(path) = &arguments.srdf_out {
        let mut out = Sink::open(path)?;
        out.put_text(&srdf::written(loaded, &rows, arguments.geometry))?;
        closed |= out.finish()?;
    }
    warn_of_disabled(world, &rows);
    tell_left(world, &rows);
    let total = total(&rows, arguments.geometry);
    if let Some(path) = &arguments.json {
        closed |= put_lines(path, world, &rows, arguments.geometry)?;
    }
    if let Some(progress) = progress {
        progress.into_inner().unwrap_or_else(PoisonError::into_inner).done();
    }
    let to_stdout = |path: &Option<PathBuf>| path.as_deref().is_some_and(|p| p.as_os_str() == "-");
    if to_stdout(&arguments.srdf_out) || to_stdout(&arguments.json) {
        say_line(&total);
        return Ok(delivered_code(0, closed));
    }
    closed |= put_list(world, &rows, &total)?;
    Ok(delivered_code(0, closed))
}

/// The pairs to prove, with the SRDF's reason where one disables them: what it says may be wrong. A proof
/// about a movable obstacle would hold only while the obstacle stays where it is. So its pairs are left out,
/// and a note says so.
fn wanted(loaded: &LoadedWorld) -> Vec<(BodyPair, Option<String>)> {
    let is_movable = |id: BodyId| loaded.movable.binary_search(&id).is_ok();
    if !loaded.movable.is_empty() {
        say_line(&format!(
            "note: pairs of movable obstacles are not proved, because they can be anywhere ({})",
            counted_things(loaded.movable.len(), "obstacle")
        ));
    }
    let pairs = loaded.world.all_pairs();
    pairs
        .filter(|(a, b, _)| !is_movable(*a) && !is_movable(*b))
        .filter_map(|(a, b, status)| match status {
            PairStatus::Checked(_) => Some((BodyPair { a, b }, None)),
            PairStatus::Allowed(AllowedReason::Disabled(why)) => {
                Some((BodyPair { a, b }, Some(why.to_string())))
            }
            PairStatus::Allowed(_) => None,
        })
        .collect()
}

/// Proves what can be proved of all pairs, on all cores.
fn prove_all(
    arguments: &PairsArguments,
    loaded: &LoadedWorld,
    progress: Option<&Mutex<Progress>>,
) -> Vec<Row> {
    let (world, wanted) = (&loaded.world, wanted(loaded));
    let bar = progress_bar(wanted.len() as u64, "{pos}/{len} pairs, {eta} left");
    let rows = wanted
        .into_par_iter()
        .map_init(
            || Prover::new(world),
            |prover, (pair, disabled)| {
                let Proofs { all: proof, leaders } = prove(arguments, progress, prover, pair);
                bar.inc(1);
                Row { pair, disabled, proof, leaders }
            },
        )
        .collect();
    bar.finish_and_clear();
    rows
}

/// The proofs of a pair: those of the record as far as they are enough.
fn prove(
    arguments: &PairsArguments,
    progress: Option<&Mutex<Progress>>,
    prover: &mut Prover,
    pair: BodyPair,
) -> Proofs {
    let options = ProveOptions {
        boxes: arguments.boxes(),
        geometry: arguments.geometry.to_geometry(),
        mimic_limits: true,
    };
    let enough = |proof: &Proof| proof.claim != Claim::Open || proof.boxes >= options.boxes;
    let record = || progress.map(|p| p.lock().unwrap_or_else(PoisonError::into_inner));
    let known = record().and_then(|p| p.known(pair).cloned());
    let (all, leaders) = known.clone().map_or((None, None), |k| (Some(k.all), k.leaders));
    let all = all.filter(enough).unwrap_or_else(|| prover.pair(pair, &options));
    let wanted = arguments.srdf_out.is_some() && settled(all.claim) && prover.narrowed(pair);
    let without = ProveOptions { mimic_limits: false, ..options };
    let leaders = wanted.then(|| leaders.filter(enough).unwrap_or_else(|| prover.pair(pair, &without)));
    let proofs = Proofs { all, leaders };
    if known.as_ref() != Some(&proofs) {
        record().into_iter().for_each(|mut p| p.keep(pair, &proofs));
    }
    proofs
}

/// Tells which pairs an SRDF disables though they collide at some poses, with such a pose.
fn warn_of_disabled(world: &World, rows: &[Row]) {
    let collides = |row: &Row| {
        let at = row.proof.overlap_at.clone().filter(|_| row.proof.claim == Claim::Sometimes)?;
        Some((row.pair, row.disabled.clone()?, at))
    };
    let collide: Vec<(BodyPair, String, Vec<f64>)> = rows.iter().filter_map(collides).collect();
    if collide.is_empty() {
        return;
    }
    say_line(&format!(
        "WARNING: {} disabled by the SRDF can collide; each with a pose where it does:",
        counted_things(collide.len(), "pair")
    ));
    for (pair, why, at) in collide {
        let [a, b] = [pair.a, pair.b].map(|id| name(world, id));
        say_line(&format!("  {a} - {b} ({why}): --at {}", pose(&at)));
    }
}

/// Tells which pairs an SRDF leaves to be checked though they need no check within all limits.
fn tell_left(world: &World, rows: &[Row]) {
    let left: Vec<&Row> = rows.iter().filter(|row| row.is_left()).collect();
    for row in left.iter().take(limits::WARNINGS) {
        let [a, b] = [row.pair.a, row.pair.b].map(|id| name(world, id));
        say_line(&format!("note: --srdf-out leaves {a} - {b} to be checked: {}", why_left(row)));
    }
    if left.len() > limits::WARNINGS {
        let more = counted_things(left.len() - limits::WARNINGS, "more pair");
        say_line(&format!("note: and {more} for the same reason"));
    }
}

/// The number of pairs with each claim, in words.
fn total(rows: &[Row], geometry: GeometryChoice) -> String {
    let count = |w: &str| rows.iter().filter(|row| word(row.proof.claim) == w).count();
    let note = geometry.geometry_note().map_or(String::new(), |note| format!("; {note}"));
    format!(
        "{}: {} never touch, {} always overlap, {} sometimes, {} not proved{note}",
        counted_things(rows.len(), "pair"),
        count("never"),
        count("always"),
        count("sometimes"),
        count("open")
    )
}

/// Writes a line of JSON a pair; returns whether the reader left.
fn put_lines(path: &Path, world: &World, rows: &[Row], geometry: GeometryChoice) -> Result<bool> {
    let mut out = Sink::open(path)?;
    for row in rows {
        let least = if let Claim::Never { least } = row.proof.claim { Some(least) } else { None };
        let line = json!({
            "schema": SCHEMA,
            "pair": [name(world, row.pair.a), name(world, row.pair.b)],
            "status": if row.disabled.is_some() { "allowed" } else { "checked" },
            "reason": row.disabled,
            "claim": word(row.proof.claim),
            "geometry": geometry.json_word(),
            "without_mimic_limits": row.leaders.as_ref().map(|proof| word(proof.claim)),
            "least": least,
            "joints": row.proof.joints,
            "boxes": row.proof.boxes,
            "share": row.proof.share,
            "collides_at": row.proof.overlap_at,
        });
        out.put_text(&format!("{line}\n"))?;
    }
    out.finish()
}

/// Writes a row a pair on standard output; returns whether the reader left.
fn put_list(world: &World, rows: &[Row], total: &str) -> Result<bool> {
    let width =
        rows.iter().flat_map(|r| [r.pair.a, r.pair.b]).map(|id| clean_text(name(world, id)).chars().count());
    let width = width.max().unwrap_or(0).clamp(PAIR_COLUMN, limits::NAME_COLUMNS);
    let mut out = Sink::open_stdout();
    out.put_text(&pair_titles(width, "claim      proof"))?;
    for row in rows {
        let [a, b] = [row.pair.a, row.pair.b].map(|id| clean_text(name(world, id)));
        let disabled = match &row.disabled {
            Some(why) => format!(", disabled by the SRDF: {}", clean_text(why)),
            None => String::new(),
        };
        let (claim, proof) = (word(row.proof.claim), proof_in_words(&row.proof));
        out.put_text(&format!("{a:width$}  {b:width$}  {claim:9}  {proof}{disabled}\n"))?;
    }
    out.put_text(&format!("{total}\n"))?;
    out.finish()
}

fn name(world: &World, id: BodyId) -> &str {
    &world.bodies()[id.index()].name
}
