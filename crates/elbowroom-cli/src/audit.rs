//! `elbowroom pairs --audit`: which pairs an SRDF disables though they can collide, each with a pose.
//!
//! Each pair is looked for an overlap ([`search`]). Of a pair that none was found of, or that was never seen
//! apart, it is tried to prove that this is so at every pose. What is not proved is told as not found.

mod row;
mod search;

use crate::answer::SCHEMA;
use crate::arguments::WorldArguments;
use crate::arguments::pairs::PairsArguments;
use crate::bar::progress_bar;
use crate::clashes::refuse_clashes;
use crate::lengths::length_text;
use crate::load::ToldNotes;
use crate::load::{self, LoadedWorld};
use crate::out::{PAIR_COLUMN, Sink, clean_text, delivered_code, pair_titles, say_line, say_remark};
use crate::{limits, shell};
use anyhow::{Result, bail};
use elbowroom::World;
use elbowroom::describe::WorldDescription;
use elbowroom::motion::{ProveOptions, Prover};
use elbowroom::world::{AllowedReason, BodyPair, PairStatus};
use elbowroom_files::fault::counted_things;
use rayon::prelude::*;
use row::{AuditRow, Disabled, Finding};
use search::{Poses, Search};
use serde_json::{Map, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Looks and tells; returns the exit code.
pub fn run(arguments: &PairsArguments) -> Result<u8> {
    let (loaded, mut description) =
        load::load_with_description(&arguments.world, arguments.geometry, ToldNotes::Counted)?;
    refuse_clashes(&[("--json", arguments.json.as_deref())], &loaded.input_files())?;
    let disabled = disabled_pairs(&loaded, &description);
    if disabled.is_empty() {
        bail!("--audit: no SRDF that was read disables a pair that has shapes; --srdf FILE names one");
    }
    only_these(&mut description, &loaded.world, &disabled);
    let world = load::compile_world(&description, "the world of disabled pairs")?;
    let named = named_poses(&loaded, &world);
    let poses = Poses {
        named: &named,
        random: arguments.samples,
        seed: arguments.seed,
        geometry: arguments.geometry.to_geometry(),
    };
    let mut rows = look_at_all(&world, disabled, &poses, arguments.boxes());
    rows.sort_by_key(|row| row.finding.sort_rank());
    if let Some(path) = &arguments.json {
        let closed = put_lines(path, &world, &rows, arguments)?;
        if closed || path.as_os_str() == "-" {
            say_line(&total_in_words(&rows, arguments));
            return Ok(delivered_code(0, closed));
        }
    }
    let closed = put_list(&world, &rows, arguments)?;
    Ok(delivered_code(0, closed))
}

/// The pairs with shapes that SRDFs disable, each once, with all reasons that are given for it.
fn disabled_pairs(loaded: &LoadedWorld, description: &WorldDescription) -> Vec<Disabled> {
    let world = &loaded.world;
    let mut found: BTreeMap<BodyPair, Disabled> = BTreeMap::new();
    for placed in &description.robots {
        let body = |link: &str| world.body_by_name(&format!("{}/{link}", placed.name));
        for pair in &placed.robot.disabled_pairs {
            let (Some(a), Some(b)) = (body(&pair.link_a), body(&pair.link_b)) else { continue };
            let status = world.status(a, b);
            if status == Some(PairStatus::Allowed(AllowedReason::NoShapes)) {
                continue;
            }
            let (a, b) = (a.min(b), a.max(b));
            let neighbours = status == Some(PairStatus::Allowed(AllowedReason::Adjacent));
            let new = Disabled { pair: BodyPair { a, b }, reasons: Vec::new(), neighbours };
            let reasons = &mut found.entry(new.pair).or_insert(new).reasons;
            let reason = pair.reason.trim().to_string();
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
    }
    found.into_values().collect()
}

/// Leaves of a world its robots, and these pairs to be checked.
fn only_these(description: &mut WorldDescription, world: &World, disabled: &[Disabled]) {
    let names = |pair: BodyPair| world.body_names(pair).map(|names| names.map(str::to_string));
    let checks = disabled.iter().filter_map(|disabled| names(disabled.pair)).collect();
    let robots = std::mem::take(&mut description.robots);
    *description =
        WorldDescription { robots, checks, padding: description.padding, ..WorldDescription::default() };
}

/// The neutral pose, and the states of the SRDFs as far as they give joints one value.
fn named_poses(loaded: &LoadedWorld, world: &World) -> Vec<Vec<f64>> {
    let mut poses = vec![world.neutral_values()];
    for (robot, parts) in world.robots().iter().zip(&loaded.srdf_parts) {
        for state in parts.states.iter().take(limits::AUDIT_GRID as usize) {
            let mut pose = world.neutral_values();
            for (joint, values) in &state.values {
                if let (Some(value), [given]) =
                    (world.dof_by_name(&format!("{}/{joint}", robot.name)), &values[..])
                {
                    pose[value] = *given;
                }
            }
            poses.push(pose);
        }
    }
    poses
}

/// Looks at all pairs, on all cores.
fn look_at_all(world: &World, disabled: Vec<Disabled>, poses: &Poses<'_>, boxes: u64) -> Vec<AuditRow> {
    let bar = progress_bar(disabled.len() as u64, "{pos}/{len} pairs, {eta} left");
    let options = ProveOptions { boxes, geometry: poses.geometry, mimic_limits: true };
    let rows = disabled
        .into_par_iter()
        .map_init(
            || Prover::new(world),
            |prover, disabled| {
                let mut search = Search::new(world, disabled.pair, poses.geometry);
                let mut shown = search.as_mut().map(|search| search.run(poses)).unwrap_or_default();
                let is_settled = shown.overlap.is_some() && shown.apart;
                let proof = (!is_settled).then(|| prover.pair(disabled.pair, &options));
                if let (None, Some(search)) = (&shown.overlap, &mut search) {
                    let proved = proof.as_ref().and_then(|proof| proof.overlap_at.clone());
                    shown.overlap = proved.and_then(|values| search.overlap_at(values));
                }
                bar.inc(1);
                let poses = shown.poses;
                let fixed = search::values_between(world, disabled.pair).is_empty();
                AuditRow { disabled, finding: Finding::new(shown, proof.as_ref()), poses, fixed }
            },
        )
        .collect();
    bar.finish_and_clear();
    rows
}

/// The joints between the two bodies of an overlap with their values, by the shortest names that are clear.
fn joint_values(world: &World, row: &AuditRow) -> Vec<(String, f64)> {
    let Some(overlap) = row.finding.found_overlap() else { return Vec::new() };
    let one = world.robots().len() == 1;
    let name = |value: usize| {
        let full = &world.dof_names()[value];
        let short = full.split_once('/').filter(|_| one).map_or(full.as_str(), |(_, joint)| joint);
        short.to_string()
    };
    let between = search::values_between(world, row.disabled.pair);
    between.into_iter().map(|value| (name(value), overlap.values[value])).collect()
}

/// The number of pairs of each kind, in words.
fn total_in_words(rows: &[AuditRow], arguments: &PairsArguments) -> String {
    let count = |is: &dyn Fn(&Finding) -> bool| rows.iter().filter(|row| is(&row.finding)).count();
    let wrong = rows.iter().filter(|row| row.is_contradicted()).count();
    let note = arguments.geometry.geometry_note().map_or(String::new(), |note| format!("; {note}"));
    format!(
        "{} disabled: {} can collide, {} always overlap, {} overlap at every pose asked, {} never \
         touch, {} not found; the SRDF is wrong about {} (it says Never or Always); up to {} poses a pair, \
         seed {}{note}",
        counted_things(rows.len(), "pair"),
        count(&|f| matches!(f, Finding::Collides(_))),
        count(&|f| matches!(f, Finding::Always(_))),
        count(&|f| matches!(f, Finding::Everywhere(_))),
        count(&|f| matches!(f, Finding::Never { .. })),
        count(&|f| matches!(f, Finding::NotFound { .. })),
        wrong,
        rows.iter().map(|row| row.poses).max().unwrap_or(0),
        arguments.seed,
    )
}

/// Writes a line of JSON a pair; returns whether the reader left.
fn put_lines(path: &Path, world: &World, rows: &[AuditRow], arguments: &PairsArguments) -> Result<bool> {
    let mut out = Sink::open(path)?;
    for row in rows {
        let values = joint_values(world, row);
        let overlap = row.finding.found_overlap();
        let by_name: Map<_, _> = values.iter().map(|(name, v)| (name.clone(), json!(v))).collect();
        let line = json!({
            "schema": SCHEMA,
            "pair": world.body_names(row.disabled.pair),
            "reason": row.disabled.joined_reasons(),
            "neighbours": row.disabled.neighbours,
            "finding": row.finding.json_word(),
            "contradicts": row.is_contradicted(),
            "values": overlap.map(|_| by_name),
            "at": overlap.map(|_| row::pose_argument(&values)),
            "lower": overlap.map(|overlap| overlap.interval.lower),
            "upper": overlap.map(|overlap| overlap.interval.upper),
            "least": if let Finding::Never { least } = row.finding { Some(least) } else { None },
            "poses": row.poses,
            "seed": arguments.seed,
            "geometry": arguments.geometry.json_word(),
        });
        out.put_text(&format!("{line}\n"))?;
    }
    out.finish()
}

/// Writes what was found on standard output, what can collide first; returns whether the reader left.
fn put_list(world: &World, rows: &[AuditRow], arguments: &PairsArguments) -> Result<bool> {
    let name = |id: elbowroom::world::BodyId| clean_text(&world.bodies()[id.index()].name);
    let (expected, told): (Vec<&AuditRow>, Vec<&AuditRow>) = rows.iter().partition(|row| row.is_expected());
    // What never touches is as the SRDF has it, and asks for nothing. What contradicts it stays.
    let (apart, told): (Vec<&AuditRow>, Vec<&AuditRow>) =
        told.into_iter().partition(|row| row.is_sure_apart());
    let names = told.iter().flat_map(|row| [name(row.disabled.pair.a), name(row.disabled.pair.b)]);
    let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
    let width = width.clamp(PAIR_COLUMN, limits::NAME_COLUMNS);
    let reasons = told.iter().map(|row| clean_text(&row.disabled.joined_reasons()).chars().count());
    let reason_width = reasons.max().unwrap_or(0).clamp("reason".len(), limits::NAME_COLUMNS);
    let mut out = Sink::open_stdout();
    out.put_text(&pair_titles(width, &format!("{:reason_width$}  found", "reason")))?;
    for row in told {
        let [a, b] = [row.disabled.pair.a, row.disabled.pair.b].map(name);
        let reason = clean_text(&row.disabled.joined_reasons());
        let found = row.finding_in_words(&joint_values(world, row), arguments.seed);
        out.put_text(&format!("{a:width$}  {b:width$}  {reason:reason_width$}  {}\n", clean_text(&found)))?;
        if out.closed {
            break;
        }
    }
    let nearest = apart.iter().filter_map(|row| match row.finding {
        Finding::Never { least } => Some((least, row.disabled.pair)),
        _ => None,
    });
    if let Some((least, pair)) = nearest.min_by(|a, b| a.0.total_cmp(&b.0)) {
        let [a, b] = [pair.a, pair.b].map(name);
        out.put_text(&format!(
            "{} never touch{}, proved: the nearest stay {} apart at least ({a} and {b}); --json - lists \
             all\n",
            counted_things(apart.len(), "pair"),
            if apart.len() == 1 { "es" } else { "" },
            length_text(least)
        ))?;
    }
    if !expected.is_empty() {
        let proved = expected.iter().filter(|row| matches!(row.finding, Finding::Always(_))).count();
        out.put_text(&format!(
            "{} of links that the SRDF calls adjacent overlap always, as such links do ({proved} proved, {} \
             at every pose asked)\n",
            counted_things(expected.len(), "pair"),
            expected.len() - proved
        ))?;
    }
    out.put_text(&format!("{}\n", total_in_words(rows, arguments)))?;
    let closed = out.finish()?;
    if rows.iter().any(|row| matches!(row.finding, Finding::Collides(_))) {
        let bare = WorldArguments { srdf: None, no_srdf: true, ..arguments.world.clone() };
        let world = shell::world_options(&bare);
        say_remark(&format!("note: elbowroom check {world} --all-pairs --json - --at POSE shows each again"));
        if rows.iter().any(|row| row.disabled.neighbours && matches!(row.finding, Finding::Collides(_))) {
            say_remark(
                "note: neighbours are not checked without an SRDF either: name both in the checks of a world \
                 file, beside [\"*\", \"*\"]",
            );
        }
    }
    Ok(closed)
}
