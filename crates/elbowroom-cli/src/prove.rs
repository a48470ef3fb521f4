//! `elbowroom pairs --prove`: which pairs can never touch and which always do, proved over all joint values,
//! as SRDF.

use crate::answer::SCHEMA;
use crate::load::{LoadedWorld, SrdfParts};
use crate::out::{PAIR_COLUMN, Sink, check_writable, clean, delivered, length, pair_titles, say};
use crate::progress::{Progress, Proofs, beside};
use crate::{GeometryChoice, limits, pairs::Arguments};
use anyhow::{Result, bail};
use elbowroom::fault::Numeral;
use elbowroom::id::BodyId;
use elbowroom::motion::prove::{Claim, Proof, ProveOptions, Prover};
use elbowroom::pairs::{AllowedReason, BodyPair, PairStatus};
use elbowroom::world::World;
use elbowroom_files::fault::counted;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde_json::json;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// A pair, what an SRDF says of it, and what is proved.
struct Row {
    pair: BodyPair,
    disabled: Option<String>,
    proof: Proof,
    /// Where an SRDF is wanted and mimics have limits of their own that matter: what is proved without these.
    leaders: Option<Proof>,
}

impl Row {
    /// What holds for other tools, which may not know limits of mimics.
    fn for_all_tools(&self) -> &Proof {
        self.leaders.as_ref().unwrap_or(&self.proof)
    }

    /// Whether an SRDF leaves the pair to be checked though it needs no check within all limits.
    fn is_left(&self) -> bool {
        settled(self.proof.claim) && !settled(self.for_all_tools().claim)
    }
}

/// Whether a claim spares a check.
fn settled(claim: Claim) -> bool {
    matches!(claim, Claim::Never { .. } | Claim::Always)
}

fn word(claim: Claim) -> &'static str {
    match claim {
        Claim::Never { .. } => "never",
        Claim::Always => "always",
        Claim::Sometimes => "sometimes",
        Claim::Open => "open",
    }
}

fn name(world: &World, id: BodyId) -> &str {
    &world.bodies()[id.index()].name
}

/// Where interrupted work is kept: beside the first output that is a file.
pub fn record(arguments: &Arguments) -> Option<PathBuf> {
    let outputs = [arguments.srdf_out.as_deref(), arguments.json.as_deref()];
    outputs.into_iter().flatten().find_map(beside).filter(|_| arguments.prove)
}

/// Proves and tells; returns the exit code.
pub fn run(arguments: &Arguments, loaded: &LoadedWorld, record: Option<PathBuf>) -> Result<u8> {
    let world = &loaded.world;
    if arguments.srdf_out.is_some() && world.robots().len() != 1 {
        bail!("--srdf-out: an SRDF is of one robot, and the world has {}", world.robots().len());
    }
    // Files that cannot be written are found out before the work.
    [&arguments.json, &arguments.srdf_out].into_iter().flatten().try_for_each(|path| check_writable(path))?;
    // Pairs that an SRDF disables are looked at too: what it says may be wrong.
    let wanted: Vec<(BodyPair, Option<String>)> = world
        .all_pairs()
        .filter_map(|(a, b, status)| match status {
            PairStatus::Checked(_) => Some((BodyPair { a, b }, None)),
            PairStatus::Allowed(AllowedReason::Disabled(why)) => {
                Some((BodyPair { a, b }, Some(why.to_string())))
            }
            PairStatus::Allowed(_) => None,
        })
        .collect();
    let progress = record
        .map(|path| Progress::open(path, world, arguments.geometry.word()))
        .transpose()?
        .map(Mutex::new);
    let bar = ProgressBar::new(wanted.len() as u64);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} pairs, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let options =
        ProveOptions { boxes: arguments.boxes, geometry: arguments.geometry.geometry(), mimic_limits: true };
    let enough = |proof: &Proof| proof.claim != Claim::Open || proof.boxes >= options.boxes;
    let prove = |prover: &mut Prover, pair: BodyPair| {
        let record = || progress.as_ref().map(|p| p.lock().unwrap_or_else(PoisonError::into_inner));
        let known = record().and_then(|p| p.known(pair).cloned());
        let (all, leaders) = known.clone().map_or((None, None), |k| (Some(k.all), k.leaders));
        let all = all.filter(enough).unwrap_or_else(|| prover.pair(world, pair, &options));
        let wanted = arguments.srdf_out.is_some() && settled(all.claim) && prover.narrowed(pair);
        let without = ProveOptions { mimic_limits: false, ..options };
        let leaders =
            wanted.then(|| leaders.filter(enough).unwrap_or_else(|| prover.pair(world, pair, &without)));
        let proofs = Proofs { all, leaders };
        if known.as_ref() != Some(&proofs) {
            record().into_iter().for_each(|mut p| p.keep(pair, &proofs));
        }
        proofs
    };
    let rows: Vec<Row> = wanted
        .into_par_iter()
        .map_init(
            || Prover::new(world),
            |prover, (pair, disabled)| {
                let Proofs { all: proof, leaders } = prove(prover, pair);
                bar.inc(1);
                Row { pair, disabled, proof, leaders }
            },
        )
        .collect();
    bar.finish_and_clear();

    let mut closed = false;
    let mut to_stdout = arguments.srdf_out.as_deref().is_some_and(|p| p.as_os_str() == "-");
    if let Some(path) = &arguments.srdf_out {
        let mut srdf = Sink::open(path)?;
        srdf.put(&written(loaded, &rows, arguments.geometry))?;
        closed |= srdf.finish()?;
    }
    warn_of_disabled(world, &rows);
    let left: Vec<&Row> = rows.iter().filter(|row| row.is_left()).collect();
    for row in left.iter().take(limits::WARNINGS) {
        let [a, b] = [row.pair.a, row.pair.b].map(|id| name(world, id));
        say(&format!("note: --srdf-out leaves {a} - {b} to be checked: {}", why_left(row)));
    }
    if left.len() > limits::WARNINGS {
        say(&format!(
            "note: and {} for the same reason",
            counted(left.len() - limits::WARNINGS, "more pair")
        ));
    }
    let count = |w: &str| rows.iter().filter(|row| word(row.proof.claim) == w).count();
    let note = arguments.geometry.note().map_or(String::new(), |note| format!("; {note}"));
    let total = format!(
        "{}: {} never touch, {} always overlap, {} sometimes, {} not proved{note}",
        counted(rows.len(), "pair"),
        count("never"),
        count("always"),
        count("sometimes"),
        count("open")
    );
    if let Some(path) = &arguments.json {
        let mut out = Sink::open(path)?;
        for row in &rows {
            let least = if let Claim::Never { least } = row.proof.claim { Some(least) } else { None };
            let line = json!({
                "schema": SCHEMA,
                "pair": [name(world, row.pair.a), name(world, row.pair.b)],
                "status": if row.disabled.is_some() { "allowed" } else { "checked" },
                "reason": row.disabled,
                "claim": word(row.proof.claim),
                "geometry": arguments.geometry.word(),
                "without_mimic_limits": row.leaders.as_ref().map(|proof| word(proof.claim)),
                "least": least,
                "joints": row.proof.joints,
                "boxes": row.proof.boxes,
                "share": row.proof.share,
                "collides_at": row.proof.overlap_at,
            });
            out.put(&format!("{line}\n"))?;
        }
        closed |= out.finish()?;
        to_stdout |= path.as_os_str() == "-";
    }
    if let Some(progress) = progress {
        progress.into_inner().unwrap_or_else(PoisonError::into_inner).done();
    }
    if to_stdout {
        say(&total);
        return Ok(delivered(0, closed));
    }
    let width =
        rows.iter().flat_map(|r| [r.pair.a, r.pair.b]).map(|id| clean(name(world, id)).chars().count());
    let width = width.max().unwrap_or(0).clamp(PAIR_COLUMN, limits::NAME_COLUMNS);
    let mut out = Sink::stdout();
    out.put(&pair_titles(width, "claim      proof"))?;
    for row in &rows {
        let [a, b] = [row.pair.a, row.pair.b].map(|id| clean(name(world, id)));
        let disabled = match &row.disabled {
            Some(why) => format!(", disabled by the SRDF: {}", clean(why)),
            None => String::new(),
        };
        out.put(&format!(
            "{a:width$}  {b:width$}  {:9}  {}{disabled}\n",
            word(row.proof.claim),
            told(&row.proof)
        ))?;
    }
    out.put(&format!("{total}\n"))?;
    closed |= out.finish()?;
    Ok(delivered(0, closed))
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
    say(&format!(
        "WARNING: {} disabled by the SRDF can collide; each with a pose where it does:",
        counted(collide.len(), "pair")
    ));
    for (pair, why, at) in collide {
        let [a, b] = [pair.a, pair.b].map(|id| name(world, id));
        say(&format!("  {a} - {b} ({why}): --at {}", pose(&at)));
    }
}

/// What a proof took, in words.
fn told(proof: &Proof) -> String {
    let boxes = if proof.boxes == 1 { "1 box".into() } else { format!("{} boxes", proof.boxes) };
    let work = format!("{boxes} over {}", counted(proof.joints, "joint value"));
    match proof.claim {
        Claim::Never { least } if least < limits::SHOWN_LEAST => {
            format!("never touch (the distance that is proved is below 1 nm), {work}")
        }
        Claim::Never { least } => format!("at least {} apart, {work}", length(least)),
        Claim::Always | Claim::Sometimes => work,
        Claim::Open => {
            let proved = format!("{:.1} % proved in {work}", 100.0 * proof.share);
            match &proof.overlap_at {
                Some(values) => {
                    format!("overlaps at --at {}, no pose found where they are clear; {proved}", pose(values))
                }
                None => proved,
            }
        }
    }
}

/// Joint values as `--at` takes them.
fn pose(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().map(|v| Numeral(*v).to_string()).collect();
    values.join(",")
}

/// Why a pair that needs no check within all limits does where only the limits of the joint count that a
/// mimic follows.
fn why_left(row: &Row) -> String {
    let within = if row.proof.claim == Claim::Always { "they always overlap" } else { "they never touch" };
    let beyond = match (row.for_all_tools().claim, row.proof.claim) {
        (Claim::Sometimes, Claim::Always) => "they are clear",
        (Claim::Sometimes, _) => "they collide",
        _ => "that is not proved",
    };
    format!(
        "{within} within the limits that mimic joints have of their own, which many tools do not enforce, and without these {beyond}"
    )
}

/// Text as it may stand in an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Whether a reason in an SRDF says what can be proved.
fn is_claim(reason: &str) -> bool {
    ["never", "always"].iter().any(|claim| reason.trim().eq_ignore_ascii_case(claim))
}

/// The groups and states of the SRDF that was read, groups as the links that they hold.
fn groups_and_states(parts: &SrdfParts) -> String {
    let mut text = String::new();
    for group in &parts.groups {
        text.push_str(&format!("  <group name=\"{}\">\n", escaped(&group.name)));
        for link in &group.links {
            text.push_str(&format!("    <link name=\"{}\"/>\n", escaped(link)));
        }
        text.push_str("  </group>\n");
    }
    for state in &parts.states {
        let (name, group) = (escaped(&state.name), escaped(&state.group));
        text.push_str(&format!("  <group_state name=\"{name}\" group=\"{group}\">\n"));
        for (joint, values) in &state.values {
            let values: Vec<String> = values.iter().map(|v| Numeral(*v).to_string()).collect();
            let joint = escaped(joint);
            text.push_str(&format!("    <joint name=\"{joint}\" value=\"{}\"/>\n", values.join(" ")));
        }
        text.push_str("  </group_state>\n");
    }
    text
}

/// The SRDF: pairs that need no check, each with its proof; all others are left to be checked.
fn written(loaded: &LoadedWorld, rows: &[Row], geometry: GeometryChoice) -> String {
    let world = &loaded.world;
    let robot = &world.robots()[0];
    let link = |id: BodyId| {
        let full = name(world, id);
        robot
            .links
            .contains(&id.0)
            .then(|| escaped(full.strip_prefix(&format!("{}/", robot.name)).unwrap_or(full)))
    };
    let mut text = String::from("<?xml version=\"1.0\"?>\n");
    text.push_str("<!-- Pairs of links that need no check. Never and Always are proved over all joint values within limits, by\n");
    text.push_str(
        "     bounds and not by samples, and do not rely on limits that mimic joints have of their own; pairs that are not\n     \
         listed are to be checked. Written by elbowroom",
    );
    if loaded.padding > 0.0 {
        text.push_str(&format!(",\n     for shapes padded by {}", length(loaded.padding)));
    }
    if geometry == GeometryChoice::Hull {
        // A comment holds no two hyphens, as the option has.
        text.push_str(",\n     for the convex hulls of meshes");
    }
    text.push_str(". -->\n");
    text.push_str(&format!("<robot name=\"{}\">\n", escaped(&loaded.robot_names[0])));
    let mut put = |pair: BodyPair, reason: &str, comment: &str| {
        if let (Some(a), Some(b)) = (link(pair.a), link(pair.b)) {
            text.push_str(&format!(
                "  <disable_collisions link1=\"{a}\" link2=\"{b}\" reason=\"{reason}\"/> <!-- {comment} -->\n"
            ));
        }
    };
    for (a, b, status) in world.all_pairs() {
        match status {
            PairStatus::Allowed(AllowedReason::Adjacent) => {
                put(BodyPair { a, b }, "Adjacent", "one moving joint between them");
            }
            PairStatus::Allowed(AllowedReason::RigidlyJoined) => {
                put(BodyPair { a, b }, "Adjacent", "fixed joints between them");
            }
            _ => {}
        }
    }
    for row in rows {
        let proof = row.for_all_tools();
        match proof.claim {
            Claim::Never { .. } if settled(row.proof.claim) => put(row.pair, "Never", &told(proof)),
            Claim::Always if settled(row.proof.claim) => put(row.pair, "Always", &told(proof)),
            _ => {}
        }
    }
    // What people decided stays; `Never` and `Always` are claims, which are proved above or not made.
    for row in rows.iter().filter(|row| !settled(row.for_all_tools().claim) || !settled(row.proof.claim)) {
        if let Some(why) = row.disabled.as_deref().filter(|why| !is_claim(why)) {
            put(row.pair, &escaped(why), "as in the SRDF that was read");
        }
    }
    text.push_str(&groups_and_states(&loaded.srdf_parts[0]));
    for row in rows.iter().filter(|row| row.is_left()) {
        if let (Some(a), Some(b)) = (link(row.pair.a), link(row.pair.b)) {
            // Two hyphens end a comment.
            let [a, b] = [a, b].map(|link| link.replace("--", "- -"));
            text.push_str(&format!("  <!-- {a} and {b} are to be checked: {} -->\n", why_left(row)));
        }
    }
    text.push_str("</robot>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tiny_proof_tells_no_distance() {
        let proof = |least| Proof {
            claim: Claim::Never { least },
            boxes: 2,
            share: 1.0,
            joints: 1,
            overlap_at: None,
        };
        let words = "never touch (the distance that is proved is below 1 nm), 2 boxes over 1 joint value";
        assert_eq!(told(&proof(1e-12)), words);
        assert_eq!(told(&proof(0.5)), "at least 500.00 mm apart, 2 boxes over 1 joint value");
    }
}
