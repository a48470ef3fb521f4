//! `[[zone]]`: where bodies of the robots must not be, or must stay. Nothing is there to touch.
//!
//! A zone is an obstacle of the world, checked against the bodies that it is for and no others. Of a zone to
//! keep out of that is its shapes. Of one to stay in, it is all that is outside: for each plane that bounds
//! it, a box of 200 m beyond the plane, so every answer about an obstacle is one about the zone too.

use super::reader::{WorldReader, entry_label};
use crate::fault::ZoneKind;
use crate::tree::POSE;
use crate::tree::node::Node;
use crate::xml::short_text;
use elbowroom::describe::{
    AllowedPair, Attachment, JointKind, ObstacleDescription, PlacedRobot, PlacedShape, ShapeDescription,
};
use elbowroom::math::{Mat3, Transform, Vec3};
use std::collections::{BTreeMap, BTreeSet};

/// How far a zone to stay in forbids what is beyond its planes (m): farther than arms on a base reach, and
/// near enough that its corners lose no digits that matter (1e-14 m).
const BEYOND: f64 = 200.0;
/// Farthest plane from the zone's frame (m): half of what is forbidden beyond each.
const FARTHEST: f64 = 0.5 * BEYOND;
/// Most planes of a zone.
const PLANES: usize = 64;

impl WorldReader<'_, '_> {
    pub(super) fn read_zone(&mut self, node: &Node, k: usize, names: &mut BTreeMap<String, usize>) {
        let label = entry_label(node, "zone", k);
        let known = ["name", "kind", "bodies", "shape", "shapes", "mesh", "planes"];
        if !self.tree_reader().check_keys(node, &label, &[&known[..], &POSE[..]].concat()) {
            return;
        }
        let before = self.session.log.fault_count();
        let name = self.tree_reader().read_text(node, &label, "name", false).unwrap_or("").to_string();
        self.claim_name(node, ("zone's", &label), &name, names);
        let pose = self.tree_reader().read_pose(node, &label);
        let bodies = self.tree_reader().read_texts(node, &label, "bodies");
        let (kind, shapes) =
            match self.tree_reader().read_text(node, &label, "kind", false).map(str::to_string).as_deref() {
                Some("keep_out") => (Some(ZoneKind::KeepOut), self.read_keep_out(node, &label)),
                Some("keep_in") => (Some(ZoneKind::KeepIn), self.read_keep_in(node, &label)),
                Some(other) => {
                    let what = format!("the kind {:?} is unknown", short_text(other));
                    let place = node.get("kind").unwrap_or(node);
                    self.tree_reader().add_fault(place, &label, what, "write \"keep_out\" or \"keep_in\"");
                    (None, Vec::new())
                }
                None => (None, Vec::new()),
            };
        if let (Some(pose), Some(kind), true) = (pose, kind, self.session.log.fault_count() == before) {
            self.session.zones.insert(format!("world/{name}"), kind);
            self.limit_zone(&name, &bodies);
            let (attached_to, movable) = (None, false);
            self.world.obstacles.push(ObstacleDescription { name, pose, shapes, attached_to, movable });
        }
    }

    fn read_keep_out(&mut self, node: &Node, label: &str) -> Vec<PlacedShape> {
        if let Some(planes) = node.get("planes") {
            let help = "bodies stay on one side of a plane: write kind = \"keep_in\"";
            self.tree_reader().add_fault(planes, label, "planes are of a zone to stay in", help);
        }
        let mut parts: Vec<&Node> = node.get("shape").into_iter().collect();
        parts.extend(self.tree_reader().read_list(node, label, "shapes"));
        let mut shapes = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            shapes.extend(self.shape_reader().read_shape(part, &format!("{label}, shape {}", i + 1)));
        }
        if let Some(mesh) = node.get("mesh") {
            shapes.extend(self.shape_reader().read_file_shape(mesh, &format!("{label}, mesh")));
        }
        if parts.is_empty() && node.get("mesh").is_none() {
            self.tree_reader().add_fault(node, label, "has no shape", "give shape, shapes or mesh");
        }
        shapes
    }

    fn read_keep_in(&mut self, node: &Node, label: &str) -> Vec<PlacedShape> {
        for key in ["shapes", "mesh"] {
            if let Some(found) = node.get(key) {
                let what = format!("{key} cannot bound a zone to stay in");
                self.tree_reader().add_fault(found, label, what, "give one shape, a box, or planes");
            }
        }
        let mut planes = Vec::new();
        if let Some(shape) = node.get("shape") {
            let placed = self.shape_reader().read_shape(shape, &format!("{label}, shape"));
            match placed.map(|placed| (placed.shape, placed.shape_in_body, placed.padding)) {
                Some((ShapeDescription::Box { size }, at, 0.0)) => {
                    let axes = at.rotation.cols.into_iter().zip(size);
                    planes.extend(axes.flat_map(|(axis, size)| {
                        [axis, -axis].map(|out| (out, out.dot(at.translation) + 0.5 * size))
                    }));
                }
                Some(_) => {
                    let what = "the shape of a zone to stay in is not a box, or has a padding";
                    self.tree_reader().add_fault(shape, label, what, "give a box, or planes");
                }
                None => {}
            }
        }
        let list = self.tree_reader().read_list(node, label, "planes");
        for (i, plane) in list.iter().take(PLANES).enumerate() {
            planes.extend(self.read_plane(plane, &format!("{label}, plane {}", i + 1)));
        }
        if list.len() > PLANES {
            let what = format!("has {} planes, more than {PLANES}", list.len());
            self.tree_reader().add_fault(
                node,
                label,
                what,
                "leave out those that other planes make needless",
            );
        }
        if planes.is_empty() && list.is_empty() && node.get("shape").is_none() {
            self.tree_reader().add_fault(
                node,
                label,
                "is bounded by nothing",
                "give a shape, a box, or planes",
            );
        }
        if planes.iter().any(|(_, at)| !(at.abs() <= FARTHEST)) {
            let what = format!("a plane is more than {FARTHEST} m from the frame of the zone");
            self.tree_reader().add_fault(node, label, what, "give the zone a frame near the robots (xyz)");
        }
        planes.into_iter().map(|(out, at)| box_beyond(out, at)).collect()
    }

    /// The direction out of a zone and the coordinate of its plane along it.
    fn read_plane(&mut self, node: &Node, label: &str) -> Option<(Vec3, f64)> {
        if !self.tree_reader().check_keys(node, label, &["normal", "offset"]) {
            return None;
        }
        let normal = self.tree_reader().read_numbers::<3>(node, label, "normal", None).map(Vec3::from);
        let offset = self.tree_reader().read_number(node, label, "offset", None);
        let normal = normal?;
        let Some(unit) = normal.normalized() else {
            let place = node.get("normal").unwrap_or(node);
            self.tree_reader().add_fault(
                place,
                label,
                "normal has no direction",
                "give a vector into the zone",
            );
            return None;
        };
        Some((-unit, -offset? / normal.norm()))
    }

    /// Leaves all pairs of a zone out but those with the bodies that it is for. These are checked, whatever
    /// else is. What is attached to a link for good is a part of the arm, as a tool on its flange: the zone
    /// is for it if it is for the link.
    fn limit_zone(&mut self, zone: &str, bodies: &[String]) {
        let zone = format!("world/{zone}");
        let meant = self.named_bodies(bodies);
        let (mut tools, mut others) = (Vec::new(), Vec::new());
        for obstacle in self.world.obstacles.iter().filter(|obstacle| !obstacle.movable) {
            let Some(Attachment { body: link, .. }) = &obstacle.attached_to else { continue };
            let name = format!("world/{}", obstacle.name);
            let is_meant = bodies.is_empty() || meant.contains(link) || meant.contains(&name);
            if !is_meant {
                others.push(name);
            } else if self.world.robots.iter().any(|placed| is_moving_link(placed, link)) {
                tools.push(name);
            }
        }
        if !self.world.checks.is_empty() {
            let robots: Vec<String> = self.world.robots.iter().map(|placed| placed.name.clone()).collect();
            let named = if bodies.is_empty() { &robots } else { bodies };
            let checked = named.iter().chain(&tools).map(|body| [zone.clone(), body.clone()]);
            self.world.checks.extend(checked);
        }
        let of_robots = self.world.robots.iter().flat_map(|placed| {
            placed.robot.links.iter().map(|link| format!("{}/{}", placed.name, link.name))
        });
        let movable = self.world.obstacles.iter().filter(|obstacle| obstacle.movable);
        let movable = movable.map(|obstacle| format!("world/{}", obstacle.name));
        let spares = self.world.spares.iter().map(|spare| format!("world/{}", spare.name));
        // Without a list it is for all links; what robots pick up is named.
        if bodies.is_empty() {
            others.extend(movable.chain(spares));
        } else {
            others.extend(of_robots.chain(movable).chain(spares).filter(|body| !meant.contains(body)));
        }
        self.world.allowed.extend(others.into_iter().map(|b| AllowedPair {
            a: zone.clone(),
            b,
            reason: "the zone is not for it".into(),
        }));
    }

    /// The bodies that names of bodies, robots and groups stand for.
    fn named_bodies(&self, names: &[String]) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut open: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut seen = BTreeSet::new();
        while let Some(name) = open.pop() {
            if !seen.insert(name) {
                continue;
            }
            found.insert(name.to_string());
            let groups = self.world.groups.iter().filter(|group| group.name == name);
            open.extend(groups.flat_map(|group| group.members.iter().map(String::as_str)));
            for placed in &self.world.robots {
                let full = |link: &str| format!("{}/{link}", placed.name);
                if name == placed.name || name == "*" {
                    found.extend(placed.robot.links.iter().map(|link| full(&link.name)));
                }
                let of_robot = placed.robot.groups.iter().filter(|group| name == full(&group.name));
                found.extend(of_robot.flat_map(|group| group.links.iter().map(|link| full(link))));
            }
            if name == "world" || name == "*" {
                found.extend(self.world.obstacles.iter().map(|obstacle| format!("world/{}", obstacle.name)));
                found.extend(self.world.spares.iter().map(|spare| format!("world/{}", spare.name)));
            }
        }
        found
    }
}

/// Whether a link of a robot, by its full name, hangs on a joint that moves.
fn is_moving_link(placed: &PlacedRobot, link: &str) -> bool {
    let Some(mut at) = link.strip_prefix(&*placed.name).and_then(|rest| rest.strip_prefix('/')) else {
        return false;
    };
    // A chain has no more joints than the robot; what is wrong with them is told elsewhere.
    for _ in 0..placed.robot.joints.len() {
        let Some(joint) = placed.robot.joints.iter().find(|joint| joint.child == at) else { return false };
        if joint.kind != JointKind::Fixed {
            return true;
        }
        at = &joint.parent;
    }
    false
}

/// All that is beyond a plane: the box on its far side.
fn box_beyond(out: Vec3, at: f64) -> PlacedShape {
    // Any frame whose z axis leads out.
    let aside = if out.x.abs() < 0.6 { Vec3::X } else { Vec3::Y };
    let x = aside.cross(out).normalized().unwrap_or(Vec3::Y);
    let rotation = Mat3 { cols: [x, out.cross(x), out] };
    let translation = out * (at + 0.5 * BEYOND);
    PlacedShape {
        name: String::new(),
        shape_in_body: Transform { rotation, translation },
        shape: ShapeDescription::Box { size: [2.0 * BEYOND, 2.0 * BEYOND, BEYOND] },
        padding: 0.0,
    }
}
