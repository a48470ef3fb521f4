//! `elbowroom pairs`: each pair of bodies, checked, or allowed and why. Of a cell of many fixed bodies, a row
//! for many of them.

use crate::answer::SCHEMA;
use crate::arguments::pairs::PairsArguments;
use crate::clashes::refuse_clashes;
use crate::lengths::length_text;
use crate::load::{self, LoadedWorld};
use crate::out::{PAIR_COLUMN, Sink, clean_text, delivered_code, pair_titles, say_line};
use crate::{audit, limits, prove};
use anyhow::{Result, bail};
use elbowroom::World;
use elbowroom::motion::bounds::Swept;
use elbowroom::pair::Scratch;
use elbowroom::world::{AllowedReason, BodyId, PairStatus};
use elbowroom_files::fault::did_you_mean;
use serde_json::json;
use std::collections::BTreeMap;

/// Runs the command and returns the exit code.
pub fn run(arguments: &PairsArguments) -> Result<u8> {
    let record = prove::record(arguments);
    let outputs = [
        ("--json", arguments.json.as_deref()),
        ("--srdf-out", arguments.srdf_out.as_deref()),
        ("the record of --prove", record.as_deref()),
    ];
    refuse_clashes(&outputs, &arguments.world.input_files())?;
    if arguments.audit {
        return audit::run(arguments);
    }
    let loaded = load::load_from_arguments(&arguments.world, arguments.geometry)?;
    refuse_clashes(&outputs, &loaded.input_files())?;
    if arguments.prove {
        return prove::run(arguments, &loaded, record);
    }
    let world = &loaded.world;
    let wanted = bodies_named(world, "--body", &arguments.body)?;
    let listed = || {
        let trivial = |status: &PairStatus<'_>| {
            let PairStatus::Allowed(reason) = status else { return false };
            matches!(reason, AllowedReason::NoShapes | AllowedReason::BothFixed)
        };
        let wanted = |a: &BodyId, b: &BodyId| wanted.is_empty() || wanted.contains(a) || wanted.contains(b);
        let pairs = world.all_pairs().filter(move |(a, b, _)| wanted(a, b));
        pairs.filter(move |(_, _, status)| !(arguments.brief && trivial(status)))
    };
    let count = format!("{} checked, {} allowed", world.pairs().len(), world.allowed_count());
    let mut reach = OutOfReach::new(world);
    let held = |a: BodyId, b: BodyId| while_held(&loaded, a, b);
    let name = |id: elbowroom::world::BodyId| &*world.bodies()[id.index()].name;

    if let Some(path) = &arguments.json {
        let mut out = Sink::open(path)?;
        for (a, b, status) in listed() {
            let pair = [name(a), name(b)];
            let line = match status {
                PairStatus::Checked(_) => {
                    let mut line = json!({"schema": SCHEMA, "pair": pair, "status": "checked"});
                    let held: Vec<&str> = held(a, b).into_iter().map(name).collect();
                    if let Some(least) = reach.never_nearer(world, a, b) {
                        line["never_nearer"] = least.into();
                    }
                    if !held.is_empty() {
                        line["while_held"] = held.into();
                    }
                    let filled: Vec<&str> = while_filled(world, a, b).into_iter().map(name).collect();
                    if !filled.is_empty() {
                        line["while_filled"] = filled.into();
                    }
                    line
                }
                PairStatus::Allowed(reason) => json!({
                    "schema": SCHEMA, "pair": pair, "status": "allowed", "why": reason.short_name(),
                    "reason": reason.to_string(),
                }),
            };
            out.put_text(&format!("{line}\n"))?;
            if out.closed {
                break;
            }
        }
        let closed = out.finish()?;
        if closed || path.as_os_str() == "-" {
            say_line(&count);
            return Ok(delivered_code(0, closed));
        }
    }
    // Rows as they come: a cell may have millions of pairs, too many for a table that is laid out as a whole.
    let width = world.bodies().iter().map(|b| clean_text(&b.name).chars().count()).max().unwrap_or(0);
    let width = width.clamp(PAIR_COLUMN, limits::NAME_COLUMNS);
    let mut out = Sink::open_stdout();
    let fixed: Vec<BodyId> = all_bodies(world).filter(|id| world.can_move(*id) == Some(false)).collect();
    if fixed.len() > limits::FIXED_LISTED && wanted.is_empty() {
        summed(&loaded, arguments.brief, &fixed, width, &mut reach, &mut out)?;
        out.put_text(&format!("{count}\n"))?;
        return Ok(delivered_code(0, out.finish()?));
    }
    out.put_text(&pair_titles(width, TITLES))?;
    for (a, b, status) in listed() {
        let of = (a, b);
        let (a, b) = (clean_text(name(a)), clean_text(name(b)));
        let status = match status {
            PairStatus::Checked(_) => match reach.never_nearer(world, of.0, of.1) {
                Some(least) => format!("checked  never nearer than {}", length_text(least)),
                None => checked(&loaded, of.0, of.1),
            },
            PairStatus::Allowed(reason) => format!("allowed  {}", clean_text(&reason.to_string())),
        };
        out.put_text(&format!("{a:width$}  {b:width$}  {status}\n"))?;
        if out.closed {
            break;
        }
    }
    out.put_text(&format!("{count}\n"))?;
    Ok(delivered_code(0, out.finish()?))
}

/// The bodies that an option names, in full or by the last part of their names.
pub fn bodies_named(world: &World, option: &str, names: &[String]) -> Result<Vec<BodyId>> {
    let mut found = Vec::new();
    for name in names {
        let short = |full: &str| full.split_once('/').is_some_and(|(_, short)| short == name);
        let is_it = |id: &BodyId| {
            let full = &*world.bodies()[id.index()].name;
            full == name || short(full)
        };
        let these: Vec<BodyId> = all_bodies(world).filter(is_it).collect();
        if these.is_empty() {
            let full = world.bodies().iter().map(|body| &*body.name);
            let known = full.clone().chain(full.filter_map(|name| Some(name.split_once('/')?.1)));
            let meant = did_you_mean(name, known);
            let meant = if meant.is_empty() { "`elbowroom info` lists all".into() } else { meant };
            bail!("{option} {name}: there is no such body; {meant}");
        }
        found.extend(these);
    }
    Ok(found)
}

/// The titles of the columns behind the names of a pair.
const TITLES: &str = "status   reason, or how near they can come";

/// The movable bodies of a checked pair, where it is only checked while a moving link carries one of them.
fn while_held(loaded: &LoadedWorld, a: BodyId, b: BodyId) -> Vec<BodyId> {
    let is_movable = |id: &BodyId| loaded.movable.binary_search(id).is_ok();
    let moves = |id: BodyId| !is_movable(&id) && loaded.world.can_move(id) == Some(true);
    if moves(a) || moves(b) { Vec::new() } else { [a, b].into_iter().filter(is_movable).collect() }
}

/// The spare places of a checked pair: it is only checked while they have a shape.
fn while_filled(world: &World, a: BodyId, b: BodyId) -> Vec<BodyId> {
    [a, b].into_iter().filter(|body| world.spare_room(*body).is_some()).collect()
}

/// A checked pair in words.
fn checked(loaded: &LoadedWorld, a: BodyId, b: BodyId) -> String {
    let name = |body: BodyId| clean_text(&loaded.world.bodies()[body.index()].name);
    let held = match while_held(loaded, a, b)[..] {
        [] => None,
        [one] => Some(format!("while {} is carried by a link that moves", name(one))),
        _ => Some("while a link that moves carries one of them".into()),
    };
    let filled = match while_filled(&loaded.world, a, b)[..] {
        [] => None,
        [one] => Some(format!("while {} has a shape", name(one))),
        _ => Some("while both have a shape".into()),
    };
    let conditions: Vec<String> = held.into_iter().chain(filled).collect();
    if conditions.is_empty() { "checked".into() } else { format!("checked  {}", conditions.join(", and ")) }
}

/// How near checked pairs can ever come, where it is proved that they do not touch.
struct OutOfReach<'w> {
    swept: Swept<'w>,
    scratch: Scratch,
}

impl<'w> OutOfReach<'w> {
    fn new(world: &'w World) -> OutOfReach<'w> {
        OutOfReach { swept: Swept::new(world), scratch: Scratch::default() }
    }

    /// Metres, above zero.
    fn never_nearer(&mut self, world: &World, a: BodyId, b: BodyId) -> Option<f64> {
        let Some(PairStatus::Checked(pair)) = world.status(a, b) else { return None };
        let swept = match (world.can_move(a), world.can_move(b)) {
            (Some(true), Some(false)) => self.swept.gap(a, b, &mut self.scratch),
            (Some(false), Some(true)) => self.swept.gap(b, a, &mut self.scratch),
            _ => f64::NEG_INFINITY,
        };
        let least = world.never_nearer(pair).unwrap_or(f64::NEG_INFINITY).max(swept);
        (least > 0.0).then_some(least)
    }
}

fn all_bodies(world: &World) -> impl Iterator<Item = BodyId> {
    (0..world.bodies().len() as u32).map(BodyId)
}

/// The list for a large cell: every pair of bodies that move, and for each of these how many fixed bodies
/// have which status, by name if they are few. Pairs of fixed bodies are counted, except those that are
/// checked.
fn summed(
    loaded: &LoadedWorld,
    brief: bool,
    fixed: &[BodyId],
    width: usize,
    reach: &mut OutOfReach,
    out: &mut Sink,
) -> Result<()> {
    let world = &loaded.world;
    let name = |id: BodyId| clean_text(&world.bodies()[id.index()].name);
    let words = |a: BodyId, b: BodyId| match world.status(a, b)? {
        PairStatus::Checked(_) => Some(checked(loaded, a, b)),
        PairStatus::Allowed(AllowedReason::NoShapes) if brief => None,
        PairStatus::Allowed(reason) => Some(format!("allowed  {}", clean_text(&reason.to_string()))),
    };
    let width = width.max(format!("({} fixed bodies)", fixed.len()).len());
    let moving: Vec<BodyId> = all_bodies(world).filter(|id| world.can_move(*id) == Some(true)).collect();
    out.put_text(&pair_titles(width, TITLES))?;
    for (i, &a) in moving.iter().enumerate() {
        let mover = name(a);
        for &b in &moving[i + 1..] {
            if let Some(status) = words(a, b) {
                out.put_text(&format!("{mover:width$}  {:width$}  {status}\n", name(b)))?;
            }
        }
        let mut by_status: BTreeMap<String, (usize, Vec<BodyId>)> = BTreeMap::new();
        for &b in fixed {
            let Some(mut status) = words(a, b) else { continue };
            if status == "checked" && reach.never_nearer(world, a, b).is_some() {
                status = "checked  never touches: out of reach".into();
            }
            let (count, some) = by_status.entry(status).or_default();
            *count += 1;
            if some.len() < limits::FIXED_NAMED {
                some.push(b);
            }
        }
        for (status, (count, some)) in by_status {
            if count > some.len() {
                let of = format!("({count} fixed bodies)");
                out.put_text(&format!("{mover:width$}  {of:width$}  {status}\n"))?;
                continue;
            }
            for b in some {
                out.put_text(&format!("{mover:width$}  {:width$}  {status}\n", name(b)))?;
            }
        }
        if out.closed {
            return Ok(());
        }
    }
    let mut checked = 0;
    for pair in world.checked_between_fixed() {
        checked += 1;
        out.put_text(&format!("{:width$}  {:width$}  checked\n", name(pair.a), name(pair.b)))?;
    }
    let left = fixed.len() * (fixed.len() - 1) / 2 - checked;
    if !brief {
        out.put_text(&format!(
            "{left} pairs of bodies that are fixed in the cell are not listed; --json lists them\n"
        ))?;
    }
    Ok(())
}
