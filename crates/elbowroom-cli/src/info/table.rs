//! `info` for people: joints, links, obstacles, groups and states as lists.

use super::facts::{
    BodyFacts, ShapeFacts, all_bodies, bare_name, described_joints, has_limits, joint_kind_word,
    joints_of_values,
};
use super::frames::{Frames, quaternion_wxyz, roll_pitch_yaw};
use super::scope::Info;
use super::size;
use crate::lengths::length_text;
use crate::limits;
use crate::load::LoadedWorld;
use crate::out::{clean_text, joint_value};
use crate::summary::{bodies, plain_table, srdf, text};
use comfy_table::{Cell, CellAlignment};
use elbowroom::World;
use elbowroom::describe::{DoorDescription, JointLimits, NamedState, WorldDescription};
use elbowroom::fault::Numeral;
use elbowroom::tolerance::LIMIT_ROUNDING;
use elbowroom::world::BodyId;
use elbowroom_files::fault::{ZoneKind, counted_things};
use std::collections::BTreeMap;
use std::fmt::Write;

/// All of it as lists.
pub fn info_table(info: &Info) -> String {
    let Info { arguments, loaded, description: d, frames, .. } = *info;
    let world = &loaded.world;
    if !info.only.is_empty() {
        return bodies_table(info);
    }
    let mut out = String::new();
    let robots: Vec<String> = world.robots().iter().map(|r| clean_text(&r.name)).collect();
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        out,
        "{}: {}, {}, {}, {} checked, {} allowed",
        robots.join(", "),
        counted_things(world.dof_names().len(), "joint value"),
        bodies(world.bodies().len()),
        counted_things(world.shapes().len(), "shape"),
        counted_things(world.pairs().len(), "pair"),
        world.allowed_count()
    );
    let _ = writeln!(out, "margin {}, padding {}", length_text(world.margin()), length_text(loaded.padding));
    let _ = writeln!(out, "SRDF: {}", clean_text(&srdf(loaded, arguments.no_srdf)));
    for line in loaded.robot_srdfs().near_in_words(arguments) {
        let _ = writeln!(out, "{}", clean_text(&line));
    }
    for (name, folder) in &loaded.packages {
        let _ =
            writeln!(out, "package://{}: {}", clean_text(name), clean_text(&folder.display().to_string()));
    }
    let _ = writeln!(out, "{} (on standard error)", counted_things(loaded.warnings.len(), "warning"));
    put_joints(&mut out, world, d);
    put_shapes(&mut out, info);
    put_groups_and_states(&mut out, loaded);
    frames.into_iter().for_each(|frames| put_frames(&mut out, loaded, frames));
    out
}

/// Only some bodies: the joints beside them, their shapes, and where they are.
fn bodies_table(info: &Info) -> String {
    let Info { loaded, description: d, frames, only, .. } = *info;
    let world = &loaded.world;
    let mut out = String::new();
    let mut rows = plain_table(&["joint", "kind", "parent", "child", "lower", "upper"]);
    let mut joints = 0;
    for (joint, described) in described_joints(world, d) {
        if !(info.is_shown(joint.parent) || info.is_shown(joint.child)) {
            continue;
        }
        joints += 1;
        let name = |body: BodyId| Cell::new(clean_text(&world.bodies()[body.index()].name));
        let limits = described.limits.filter(|_| has_limits(joint.kind));
        let end = |value: Option<f64>| {
            let text = value.map_or("-".into(), |value| joint_value(value, joint.kind));
            Cell::new(text).set_alignment(CellAlignment::Right)
        };
        rows.add_row(vec![
            Cell::new(clean_text(&joint.name)),
            Cell::new(joint_kind_word(joint.kind)),
            name(joint.parent),
            name(joint.child),
            end(limits.map(|l| l.lower)),
            end(limits.map(|l| l.upper)),
        ]);
    }
    if joints > 0 {
        let _ = write!(out, "Joints beside\n{}", text(&rows));
    }
    put_shapes(&mut out, info);
    if let Some(frames) = frames {
        let _ = write!(out, "\n{}", frames_table(world, frames, only));
    }
    out.trim_start_matches('\n').to_string()
}

/// Where each body is: links, and obstacles if they are few.
fn put_frames(out: &mut String, loaded: &LoadedWorld, frames: &Frames) {
    let world = &loaded.world;
    let links = world.bodies().iter().filter(|body| body.robot.is_some()).count();
    let shown =
        if world.bodies().len() - links > limits::FIXED_LISTED { links } else { world.bodies().len() };
    let shown: Vec<BodyId> = (0..shown as u32).map(BodyId).collect();
    let _ = write!(out, "\n{}", frames_table(world, frames, &shown));
}

/// Where these bodies are, as a list.
pub fn frames_table(world: &World, frames: &Frames, shown: &[BodyId]) -> String {
    let several = world.robots().len() > 1;
    let mut rows = plain_table(&[
        "frame in the world",
        "x",
        "y",
        "z (m)",
        "quaternion w",
        "x",
        "y",
        "z",
        "roll",
        "pitch",
        "yaw (rad)",
    ]);
    for id in shown {
        let (Some(body), Some(frame)) = (world.bodies().get(id.index()), frames.bodies.get(id.index()))
        else {
            continue;
        };
        let name = if several || body.robot.is_none() { &*body.name } else { bare_name(&body.name) };
        let turn = quaternion_wxyz(&frame.rotation).into_iter().chain(roll_pitch_yaw(&frame.rotation));
        let numbers = frame.translation.to_array().into_iter().chain(turn);
        // No negative zero.
        let number = |v: f64| format!("{:.6}", (v * 1e6).round() / 1e6 + 0.0);
        let right = |v: f64| Cell::new(number(v)).set_alignment(CellAlignment::Right);
        rows.add_row(std::iter::once(Cell::new(clean_text(name))).chain(numbers.map(right)));
    }
    let values: Vec<String> = frames.values.iter().map(|v| Numeral(*v).to_string()).collect();
    format!("At {}\n{}", values.join(","), text(&rows))
}

/// What the SRDFs name.
fn put_groups_and_states(out: &mut String, loaded: &LoadedWorld) {
    let world = &loaded.world;
    for (robot, parts) in world.robots().iter().zip(&loaded.srdf_parts) {
        let prefix =
            if world.robots().len() > 1 { format!("{}/", clean_text(&robot.name)) } else { String::new() };
        if !parts.groups.is_empty() {
            let _ = writeln!(out, "\nGroups of {} (SRDF)", clean_text(&robot.name));
            for group in &parts.groups {
                let links: Vec<&str> = group.links.iter().map(String::as_str).collect();
                let _ = writeln!(out, "  {}: {}", clean_text(&group.name), clean_text(&links.join(", ")));
            }
        }
        if !parts.states.is_empty() {
            let _ = writeln!(out, "\nStates of {} (SRDF): check --at {prefix}NAME", clean_text(&robot.name));
            for state in &parts.states {
                let number = |v: &f64| Numeral((v * 1e6).round() / 1e6 + 0.0).to_string();
                let values = state.values.iter().map(|(joint, numbers)| {
                    format!("{joint} = {}", numbers.iter().map(number).collect::<Vec<_>>().join(" "))
                });
                let group =
                    if state.group.is_empty() { String::new() } else { format!(" ({})", state.group) };
                let values = values.collect::<Vec<_>>().join(", ");
                let outside = joints_outside_limits(world, &robot.name, state);
                let outside =
                    if outside.is_empty() { String::new() } else { format!(" (outside limits: {outside})") };
                let _ = writeln!(
                    out,
                    "  {}{}: {}",
                    clean_text(&state.name),
                    clean_text(&group),
                    clean_text(&(values + &outside))
                );
            }
        }
    }
}

/// The joints that a state puts outside their limits.
fn joints_outside_limits(world: &World, robot: &str, state: &NamedState) -> String {
    let ranges = world.value_ranges();
    let names = world.dof_names();
    let is_outside = |(joint, numbers): &&(String, Vec<f64>)| {
        let name = format!("{robot}/{joint}");
        let range = names.iter().position(|n| *n == name).map(|value| ranges[value]);
        let within = |r: JointLimits, v: f64| r.lower - LIMIT_ROUNDING <= v && v <= r.upper + LIMIT_ROUNDING;
        matches!((range, &numbers[..]), (Some(range), [v]) if !within(range, *v))
    };
    let joints: Vec<&str> = state.values.iter().filter(is_outside).map(|(joint, _)| &**joint).collect();
    joints.join(", ")
}

fn put_joints(out: &mut String, world: &World, d: &WorldDescription) {
    let several = world.robots().len() > 1;
    let short = |name: &str| clean_text(if several { name } else { bare_name(name) });
    let by_value = joints_of_values(world);
    let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    let mut rows = plain_table(&["", "joint value", "kind", "lower", "upper", "followed by"]);
    for (i, (name, range)) in world.dof_names().iter().zip(world.value_ranges()).enumerate() {
        let Some(joint) = by_value.get(&i) else { continue };
        let followers = world.joints().iter().filter(|j| j.follows.is_some_and(|f| f.value == i));
        let followers: Vec<String> = followers.map(|j| short(&j.name)).collect();
        rows.add_row(vec![
            right((i + 1).to_string()),
            Cell::new(short(name)),
            Cell::new(joint_kind_word(joint.kind)),
            right(joint_value(range.lower, joint.kind)),
            right(joint_value(range.upper, joint.kind)),
            Cell::new(followers.join(", ")),
        ]);
    }
    if world.dof_names().is_empty() {
        out.push_str("\nNo joint moves.\n");
    } else {
        let _ = write!(out, "\nJoint values, in order\n{}", text(&rows));
    }
    let mut rows = plain_table(&["mimic joint", "kind", "value", "lower", "upper"]);
    let mut mimics = 0;
    for (joint, described) in described_joints(world, d) {
        let Some(follows) = joint.follows else { continue };
        mimics += 1;
        let leader = short(&world.dof_names()[follows.value]);
        let offset =
            if follows.offset == 0.0 { String::new() } else { format!(" + {}", Numeral(follows.offset)) };
        let own = described.limits.filter(|_| has_limits(joint.kind));
        let end = |value: Option<f64>| right(value.map_or("-".into(), |v| joint_value(v, joint.kind)));
        rows.add_row(vec![
            Cell::new(short(&joint.name)),
            Cell::new(joint_kind_word(joint.kind)),
            Cell::new(format!("{} * {leader}{offset}", Numeral(follows.scale))),
            end(own.map(|l| l.lower)),
            end(own.map(|l| l.upper)),
        ]);
    }
    if mimics > 0 {
        let _ = write!(out, "\nMimic joints\n{}", text(&rows));
    }
}

fn put_shapes(out: &mut String, info: &Info) {
    let Info { loaded, description: d, .. } = *info;
    let world = &loaded.world;
    let shown = all_bodies(loaded, d).into_iter().zip(world.bodies()).zip((0..).map(BodyId));
    let shown = shown.filter(|(_, body)| info.is_shown(*body));
    let (links, obstacles): (Vec<_>, Vec<_>) =
        shown.map(|(both, _)| both).partition(|(_, body)| body.robot.is_some());
    let [links, obstacles] =
        [links, obstacles].map(|some| some.into_iter().map(|(facts, _)| facts).collect::<Vec<_>>());
    let mut rows = plain_table(&["link", "size (m)", "shapes"]);
    for link in &links {
        let several = world.robots().len() > 1;
        let name = clean_text(if several { &link.name } else { bare_name(&link.name) });
        rows.add_row(vec![
            Cell::new(name),
            Cell::new(size::extents_in_words(link.size)),
            Cell::new(shapes_in_words(&link.shapes)),
        ]);
    }
    if !links.is_empty() {
        let _ = write!(out, "\nLinks\n{}", text(&rows));
    }
    if obstacles.len() > limits::FIXED_LISTED {
        let movable = obstacles.iter().filter(|obstacle| obstacle.movable).count();
        let movable = if movable > 0 { format!(", {movable} of them movable") } else { String::new() };
        let _ = writeln!(out, "\n{} obstacles{movable}; --json lists them", obstacles.len());
    } else if !obstacles.is_empty() {
        let any_movable = obstacles.iter().any(|obstacle| obstacle.movable);
        let titles = ["obstacle", "size (m)", "shapes", "movable"];
        let mut rows = plain_table(if any_movable { &titles } else { &titles[..3] });
        for obstacle in &obstacles {
            let mut row = vec![
                Cell::new(clean_text(bare_name(&obstacle.name))),
                Cell::new(size::extents_in_words(obstacle.size)),
            ];
            let shapes = shapes_in_words(&obstacle.shapes);
            row.push(Cell::new(match (obstacle.room, obstacle.points, obstacle.zone) {
                (Some(room), _, _) => format!("none yet: room for {}", counted_things(room, "corner")),
                (_, Some(points), _) => format!("cloud: room for {}", counted_things(points, "point")),
                (_, _, Some(ZoneKind::KeepOut)) => format!("zone to keep out of: {shapes}"),
                (_, _, Some(ZoneKind::KeepIn)) => {
                    format!("zone to stay in, within {}", counted_things(obstacle.shapes.len(), "plane"))
                }
                _ => shapes,
            }));
            if any_movable {
                row.push(Cell::new(movable_in_words(obstacle)));
            }
            rows.add_row(row);
        }
        let _ = write!(out, "\nObstacles\n{}", text(&rows));
    }
}

/// What moves an obstacle.
fn movable_in_words(obstacle: &BodyFacts) -> String {
    match obstacle.door {
        Some(DoorDescription { kind, limits, .. }) => {
            let [lower, upper] = [limits.lower, limits.upper].map(|value| joint_value(value, *kind));
            format!("movable, a door from {lower} to {upper}")
        }
        None if obstacle.movable => "movable".into(),
        None => String::new(),
    }
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
            let _ = write!(words, " ({}", counted_things(triangles, "triangle"));
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
