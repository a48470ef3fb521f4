//! `info` for programs: one object of JSON.

use super::facts::{ShapeFacts, all_bodies, described_joints, has_limits, joint_kind_word, joints_of_values};
use super::frames::{quaternion_wxyz, roll_pitch_yaw};
use super::scope::Info;
use crate::answer::{SCHEMA, json_number, json_vector};
use elbowroom::describe::JointLimits;
use elbowroom::world::BodyId;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// All of it as one object.
pub fn json_info(info: &Info) -> Value {
    let Info { arguments, loaded, description: d, frames, .. } = *info;
    let world = &loaded.world;
    let all = all_bodies(loaded, d);
    let by_value = joints_of_values(world);
    let values: Vec<Value> = world
        .dof_names()
        .iter()
        .zip(world.value_ranges())
        .enumerate()
        .map(|(i, (name, range))| {
            let joint = by_value.get(&i);
            json!({
                "name": name,
                "joint": joint.map(|joint| &*joint.name),
                "kind": joint.map(|joint| joint_kind_word(joint.kind)),
                "lower": json_number(range.lower),
                "upper": json_number(range.upper),
            })
        })
        .collect();
    let limits =
        |limits: Option<JointLimits>| limits.map(|l| json!([json_number(l.lower), json_number(l.upper)]));
    let joints: Vec<Value> = described_joints(world, d)
        .filter(|(joint, _)| info.is_shown(joint.parent) || info.is_shown(joint.child))
        .map(|(joint, described)| {
            let follows = joint.follows.map(|f| {
                let value = &world.dof_names()[f.value];
                json!({"value": value, "multiplier": json_number(f.scale), "offset": json_number(f.offset)})
            });
            json!({
                "name": joint.name,
                "kind": joint_kind_word(joint.kind),
                "parent": &*world.bodies()[joint.parent.index()].name,
                "child": &*world.bodies()[joint.child.index()].name,
                "limits": limits(described.limits.filter(|_| has_limits(joint.kind))),
                "mimic": follows,
            })
        })
        .collect();
    let shape = |s: &ShapeFacts| {
        let padding = json_number(s.padding);
        json!({"type": s.kind, "triangles": s.triangles, "closed": s.closed, "padding": padding})
    };
    let bodies: Vec<Value> = all
        .iter()
        .enumerate()
        .filter(|(k, _)| info.is_shown(BodyId(*k as u32)))
        .map(|(k, body)| {
            let shapes: Vec<Value> = body.shapes.iter().map(shape).collect();
            let size = body.size.map(|extents| extents.map(json_number));
            let mut object =
                json!({"name": body.name, "shapes": shapes, "size": size, "movable": body.movable});
            if let Some(frame) = frames.and_then(|frames| frames.bodies.get(k)) {
                let quat = quaternion_wxyz(&frame.rotation).map(json_number);
                let rpy = roll_pitch_yaw(&frame.rotation).map(json_number);
                object["frame"] =
                    json!({"xyz": json_vector(frame.translation), "quat_wxyz": quat, "rpy": rpy});
            }
            if let Some(zone) = body.zone {
                object["zone"] = zone.file_word().into();
            }
            if let Some(points) = body.points {
                object["points"] = points.into();
            }
            if let Some(room) = body.room {
                object["room"] = room.into();
            }
            if let Some(door) = body.door {
                let limits = [door.limits.lower, door.limits.upper].map(json_number);
                object["door"] = json!({"joint": joint_kind_word(door.kind), "limits": limits});
            }
            object
        })
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
                    .map(|(joint, numbers)| {
                        (joint.clone(), numbers.iter().map(|v| json_number(*v)).collect())
                    })
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
        "world": arguments.world.display().to_string(),
        "margin": json_number(world.margin()),
        "padding": json_number(loaded.padding),
        "values": values,
        "joints": joints,
        "robots": robots,
        "bodies": bodies,
        "pairs": {"checked": world.pairs().len(), "allowed": world.allowed_count()},
        "srdfs": paths(&loaded.srdfs),
        "packages": packages,
        "files": paths(&loaded.files),
        "warnings": loaded.warnings,
        "notes": loaded.notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    if let Some(frames) = frames {
        object["at"] = frames.values.iter().map(|value| json_number(*value)).collect();
    }
    if let Some(allowed) = &loaded.zero_overlaps {
        object["zero_overlaps"] = allowed.len().into();
    }
    object
}
