//! `elbowroom info`: what was read, before anything is asked of it.

use crate::answer::{SCHEMA, number};
use crate::arguments::{GeometryChoice, WorldArguments};
use crate::limits;
use crate::load::{LoadedWorld, load_with_description};
use crate::out::{Sink, clean, delivered, length, refuse_clashes};
use crate::summary::{bodies, plain_table, srdf, text};
use anyhow::Result;
use clap::Args;
use comfy_table::{Cell, CellAlignment};
use elbowroom::describe::{
    JointDescription, JointKind, JointLimits, NamedState, PlacedShape, ShapeDescription, WorldDescription,
};
use elbowroom::fault::Numeral;
use elbowroom::tolerance::LIMIT_ROUNDING;
use elbowroom::world::{Joint, World};
use elbowroom_files::fault::counted;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// The options of `info`.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    world: WorldArguments,
    /// One JSON object into this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Runs the command and returns the exit code.
pub fn run(arguments: &Arguments) -> Result<u8> {
    let outputs = [("--json", arguments.json.as_deref())];
    refuse_clashes(&outputs, &arguments.world.inputs())?;
    let (loaded, description) = load_with_description(&arguments.world, GeometryChoice::Mesh)?;
    refuse_clashes(&outputs, &loaded.inputs())?;
    let mut closed = false;
    if let Some(path) = &arguments.json {
        let mut out = Sink::open(path)?;
        out.put(&format!("{}\n", object(arguments, &loaded, &description)))?;
        closed |= out.finish()?;
    }
    if arguments.json.as_deref().is_none_or(|path| path.as_os_str() != "-") {
        let mut out = Sink::stdout();
        out.put(&table(arguments, &loaded, &description))?;
        closed |= out.finish()?;
    }
    Ok(delivered(0, closed))
}

fn kind(kind: JointKind) -> &'static str {
    match kind {
        JointKind::Fixed => "fixed",
        JointKind::Revolute => "revolute",
        JointKind::Continuous => "continuous",
        JointKind::Prismatic => "prismatic",
        JointKind::Planar => "planar",
        JointKind::Floating => "floating",
    }
}

/// A shape as it was read.
struct ShapeFacts {
    kind: &'static str,
    triangles: Option<usize>,
    /// Of a mesh: whether it encloses a solid.
    closed: Option<bool>,
    padding: f64,
}

/// The shapes of a body, whose first is number `first` in the world.
fn shapes(world: &World, placed: &[PlacedShape], first: usize) -> Vec<ShapeFacts> {
    let facts = |(i, placed): (usize, &PlacedShape)| {
        let (kind, triangles) = match &placed.shape {
            ShapeDescription::Sphere { .. } => ("sphere", None),
            ShapeDescription::Box { .. } => ("box", None),
            ShapeDescription::Capsule { .. } => ("capsule", None),
            ShapeDescription::Cylinder { .. } => ("cylinder", None),
            ShapeDescription::Cone { .. } => ("cone", None),
            ShapeDescription::Ellipsoid { .. } => ("ellipsoid", None),
            ShapeDescription::Convex { .. } => ("convex", None),
            ShapeDescription::Mesh { triangles, .. } => ("mesh", Some(triangles.len())),
        };
        // A mesh that is its own hull is compiled to that, and encloses it.
        let compiled = world.shapes().get(first + i);
        let is_closed = || compiled.and_then(|s| s.shape.mesh()).is_none_or(|mesh| mesh.is_closed());
        ShapeFacts { kind, triangles, closed: triangles.map(|_| is_closed()), padding: placed.padding }
    };
    placed.iter().enumerate().map(facts).collect()
}

/// Every body's name and shapes, in the order of the world.
fn all_bodies(loaded: &LoadedWorld, d: &WorldDescription) -> Vec<(String, Vec<ShapeFacts>)> {
    let links = d.robots.iter().flat_map(|placed| &placed.robot.links).map(|link| &link.shapes);
    let all = links.chain(d.obstacles.iter().map(|obstacle| &obstacle.shapes));
    let world = &loaded.world;
    let named = world.bodies().iter().zip(all);
    named.map(|(body, own)| (body.name.to_string(), shapes(world, own, body.shapes.start as usize))).collect()
}

/// The joint of each value, in the order of values.
fn joints_of_values(world: &World) -> BTreeMap<usize, &Joint> {
    world.joints().iter().flat_map(|joint| joint.values.clone().map(move |value| (value, joint))).collect()
}

/// Every joint with its description.
fn described<'d>(
    world: &'d World,
    d: &'d WorldDescription,
) -> impl Iterator<Item = (&'d Joint, &'d JointDescription)> {
    world.joints().iter().zip(d.robots.iter().flat_map(|placed| &placed.robot.joints))
}

/// The name within a robot: without what stands before the first slash.
fn bare(name: &str) -> &str {
    name.split_once('/').map_or(name, |(_, bare)| bare)
}

fn object(arguments: &Arguments, loaded: &LoadedWorld, d: &WorldDescription) -> Value {
    let world = &loaded.world;
    let all = all_bodies(loaded, d);
    let by_value = joints_of_values(world);
    let values: Vec<Value> = world
        .value_names()
        .iter()
        .zip(world.value_ranges())
        .enumerate()
        .map(|(i, (name, range))| {
            let joint = by_value.get(&i);
            json!({
                "name": name,
                "joint": joint.map(|joint| &*joint.name),
                "kind": joint.map(|joint| kind(joint.kind)),
                "lower": number(range.lower),
                "upper": number(range.upper),
            })
        })
        .collect();
    let limits = |limits: Option<JointLimits>| limits.map(|l| json!([number(l.lower), number(l.upper)]));
    let joints: Vec<Value> = described(world, d)
        .map(|(joint, described)| {
            let follows = joint.follows.map(|f| {
                let value = &world.value_names()[f.value];
                json!({"value": value, "multiplier": number(f.scale), "offset": number(f.offset)})
            });
            json!({
                "name": joint.name,
                "kind": kind(joint.kind),
                "parent": &*world.bodies()[joint.parent.index()].name,
                "child": &*world.bodies()[joint.child.index()].name,
                "limits": limits(described.limits.filter(|_| has_limits(joint.kind))),
                "mimic": follows,
            })
        })
        .collect();
    let shape = |s: &ShapeFacts| {
        let padding = number(s.padding);
        json!({"type": s.kind, "triangles": s.triangles, "closed": s.closed, "padding": padding})
    };
    let bodies: Vec<Value> = all
        .iter()
        .map(|(name, shapes)| json!({"name": name, "shapes": shapes.iter().map(shape).collect::<Vec<_>>()}))
        .collect();
    let robots: Vec<Value> = world
        .robots()
        .iter()
        .zip(&loaded.srdf_parts)
        .zip(&loaded.robot_names)
        .map(|((robot, parts), own_name)| {
            let states = parts.states.iter().map(|state| {
                let values: Map<String, Value> = state
                    .values
                    .iter()
                    .map(|(joint, numbers)| (joint.clone(), numbers.iter().map(|v| number(*v)).collect()))
                    .collect();
                json!({"name": state.name, "group": state.group, "values": values})
            });
            let groups = parts.groups.iter().map(|group| json!({"name": group.name, "links": group.links}));
            json!({
                "name": robot.name, "urdf_name": own_name,
                "links": robot.links.len(), "values": robot.values.len(),
                "groups": groups.collect::<Vec<_>>(), "states": states.collect::<Vec<_>>(),
            })
        })
        .collect();
    let packages: Vec<Value> = loaded
        .packages
        .iter()
        .map(|(name, at)| json!({"name": name, "folder": at.display().to_string()}))
        .collect();
    let paths = |paths: &[PathBuf]| paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
    let mut object = json!({
        "schema": SCHEMA,
        "world": arguments.world.world.display().to_string(),
        "margin": number(world.margin()),
        "padding": number(loaded.padding),
        "values": values,
        "joints": joints,
        "robots": robots,
        "bodies": bodies,
        "pairs": {"checked": world.pairs().len(), "allowed": world.allowed_count()},
        "srdfs": paths(&loaded.srdfs),
        "packages": packages,
        "files": paths(&loaded.files),
        "warnings": loaded.warnings,
        "notes": loaded.notes,
    });
    if let Some(allowed) = &loaded.zero_overlaps {
        object["zero_overlaps"] = allowed.len().into();
    }
    object
}

fn has_limits(kind: JointKind) -> bool {
    matches!(kind, JointKind::Revolute | JointKind::Prismatic)
}

/// A number for people, with what its unit is.
fn limit(value: f64, kind: JointKind) -> String {
    if !value.is_finite() {
        return "-".into();
    }
    let rounded = (value * 1e6).round() / 1e6 + 0.0;
    let unit = if kind == JointKind::Prismatic { "m" } else { "rad" };
    format!("{} {unit}", Numeral(rounded))
}

/// `2 mesh (1200 triangles, 1 open)`, one for each kind of shape.
fn shapes_in_words(shapes: &[ShapeFacts]) -> String {
    let mut by_kind: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    for shape in shapes {
        let (count, triangles, open) = by_kind.entry(shape.kind).or_default();
        *count += 1;
        *triangles += shape.triangles.unwrap_or(0);
        *open += usize::from(shape.closed == Some(false));
    }
    let words = by_kind.into_iter().map(|(kind, (count, triangles, open))| {
        let mut words = if count == 1 { kind.to_string() } else { format!("{count} x {kind}") };
        if kind == "mesh" {
            let _ = write!(words, " ({}", counted(triangles, "triangle"));
            match open {
                0 => {}
                _ if count == 1 => words.push_str(", open"),
                open => {
                    let _ = write!(words, ", {open} open");
                }
            }
            words.push(')');
        }
        words
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() { "no shape: not checked".into() } else { words.join(", ") }
}

fn table(arguments: &Arguments, loaded: &LoadedWorld, d: &WorldDescription) -> String {
    let world = &loaded.world;
    let mut out = String::new();
    let robots: Vec<String> = world.robots().iter().map(|r| clean(&r.name)).collect();
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        out,
        "{}: {}, {}, {}, {} checked, {} allowed",
        robots.join(", "),
        counted(world.value_names().len(), "joint value"),
        bodies(world.bodies().len()),
        counted(world.shapes().len(), "shape"),
        counted(world.pairs().len(), "pair"),
        world.allowed_count()
    );
    let _ = writeln!(out, "margin {}, padding {}", length(world.margin()), length(loaded.padding));
    let _ = writeln!(out, "SRDF: {}", clean(&srdf(loaded, arguments.world.no_srdf)));
    for line in loaded.near_srdfs_told(&arguments.world) {
        let _ = writeln!(out, "{}", clean(&line));
    }
    for (name, folder) in &loaded.packages {
        let _ = writeln!(out, "package://{}: {}", clean(name), clean(&folder.display().to_string()));
    }
    let _ = writeln!(out, "{} (on standard error)", counted(loaded.warnings.len(), "warning"));
    joints(&mut out, world, d);
    shapes_of_bodies(&mut out, loaded, d);
    for (robot, parts) in world.robots().iter().zip(&loaded.srdf_parts) {
        let prefix =
            if world.robots().len() > 1 { format!("{}/", clean(&robot.name)) } else { String::new() };
        if !parts.groups.is_empty() {
            let _ = writeln!(out, "\nGroups of {} (SRDF)", clean(&robot.name));
            for group in &parts.groups {
                let links: Vec<&str> = group.links.iter().map(String::as_str).collect();
                let _ = writeln!(out, "  {}: {}", clean(&group.name), clean(&links.join(", ")));
            }
        }
        if !parts.states.is_empty() {
            let _ = writeln!(out, "\nStates of {} (SRDF): check --at {prefix}NAME", clean(&robot.name));
            for state in &parts.states {
                let number = |v: &f64| Numeral((v * 1e6).round() / 1e6 + 0.0).to_string();
                let values = state.values.iter().map(|(joint, numbers)| {
                    format!("{joint} = {}", numbers.iter().map(number).collect::<Vec<_>>().join(" "))
                });
                let group =
                    if state.group.is_empty() { String::new() } else { format!(" ({})", state.group) };
                let values = values.collect::<Vec<_>>().join(", ");
                let outside = outside(world, &robot.name, state);
                let outside =
                    if outside.is_empty() { String::new() } else { format!(" (outside limits: {outside})") };
                let _ = writeln!(
                    out,
                    "  {}{}: {}",
                    clean(&state.name),
                    clean(&group),
                    clean(&(values + &outside))
                );
            }
        }
    }
    out
}

/// The joints that a state puts outside their limits.
fn outside(world: &World, robot: &str, state: &NamedState) -> String {
    let ranges = world.value_ranges();
    let names = world.value_names();
    let is_outside = |(joint, numbers): &&(String, Vec<f64>)| {
        let name = format!("{robot}/{joint}");
        let range = names.iter().position(|n| *n == name).map(|value| ranges[value]);
        let within = |r: JointLimits, v: f64| r.lower - LIMIT_ROUNDING <= v && v <= r.upper + LIMIT_ROUNDING;
        matches!((range, &numbers[..]), (Some(range), [v]) if !within(range, *v))
    };
    let joints: Vec<&str> = state.values.iter().filter(is_outside).map(|(joint, _)| &**joint).collect();
    joints.join(", ")
}

fn joints(out: &mut String, world: &World, d: &WorldDescription) {
    let several = world.robots().len() > 1;
    let short = |name: &str| clean(if several { name } else { bare(name) });
    let by_value = joints_of_values(world);
    let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    let mut rows = plain_table(&["", "joint value", "kind", "lower", "upper", "followed by"]);
    for (i, (name, range)) in world.value_names().iter().zip(world.value_ranges()).enumerate() {
        let Some(joint) = by_value.get(&i) else { continue };
        let followers = world.joints().iter().filter(|j| j.follows.is_some_and(|f| f.value == i));
        let followers: Vec<String> = followers.map(|j| short(&j.name)).collect();
        rows.add_row(vec![
            right((i + 1).to_string()),
            Cell::new(short(name)),
            Cell::new(kind(joint.kind)),
            right(limit(range.lower, joint.kind)),
            right(limit(range.upper, joint.kind)),
            Cell::new(followers.join(", ")),
        ]);
    }
    if world.value_names().is_empty() {
        out.push_str("\nNo joint moves.\n");
    } else {
        let _ = write!(out, "\nJoint values, in order\n{}", text(&rows));
    }
    let mut rows = plain_table(&["mimic joint", "kind", "value", "lower", "upper"]);
    let mut mimics = 0;
    for (joint, described) in described(world, d) {
        let Some(follows) = joint.follows else { continue };
        mimics += 1;
        let leader = short(&world.value_names()[follows.value]);
        let offset =
            if follows.offset == 0.0 { String::new() } else { format!(" + {}", Numeral(follows.offset)) };
        let own = described.limits.filter(|_| has_limits(joint.kind));
        let end = |value: Option<f64>| right(value.map_or("-".into(), |v| limit(v, joint.kind)));
        rows.add_row(vec![
            Cell::new(short(&joint.name)),
            Cell::new(kind(joint.kind)),
            Cell::new(format!("{} * {leader}{offset}", Numeral(follows.scale))),
            end(own.map(|l| l.lower)),
            end(own.map(|l| l.upper)),
        ]);
    }
    if mimics > 0 {
        let _ = write!(out, "\nMimic joints\n{}", text(&rows));
    }
}

fn shapes_of_bodies(out: &mut String, loaded: &LoadedWorld, d: &WorldDescription) {
    let world = &loaded.world;
    let all = all_bodies(loaded, d);
    let links = world.bodies().iter().filter(|body| body.robot.is_some()).count();
    let (links, obstacles) = all.split_at(links);
    let mut rows = plain_table(&["link", "shapes"]);
    for (name, shapes) in links {
        let several = world.robots().len() > 1;
        let name = clean(if several { name } else { bare(name) });
        rows.add_row(vec![Cell::new(name), Cell::new(shapes_in_words(shapes))]);
    }
    let _ = write!(out, "\nLinks\n{}", text(&rows));
    if obstacles.len() > limits::FIXED_LISTED {
        let _ = writeln!(out, "\n{} obstacles; --json lists them", obstacles.len());
    } else if !obstacles.is_empty() {
        let mut rows = plain_table(&["obstacle", "shapes"]);
        for (name, shapes) in obstacles {
            rows.add_row(vec![Cell::new(clean(bare(name))), Cell::new(shapes_in_words(shapes))]);
        }
        let _ = write!(out, "\nObstacles\n{}", text(&rows));
    }
}
