//! `[[obstacle]]`: shapes, meshes and height fields, in the world, held by a link, or movable.
//! `[[template]]`: the same in the words of tran91.

use super::reader::{WorldReader, entry_label};
use crate::template;
use crate::tree::POSE;
use crate::tree::node::Node;
use crate::xml::short_text;
use elbowroom::describe::{Attachment, ObstacleDescription};
use std::collections::BTreeMap;

impl WorldReader<'_, '_> {
    pub(super) fn read_obstacle(&mut self, node: &Node, k: usize, names: &mut BTreeMap<String, usize>) {
        let label = entry_label(node, "obstacle", k);
        let known = [
            "name",
            "shape",
            "shapes",
            "mesh",
            "heights",
            "padding",
            "attached_to",
            "touch",
            "movable",
            "door",
        ];
        if !self.tree_reader().check_keys(node, &label, &[&known[..], &POSE[..]].concat()) {
            return;
        }
        let before = self.session.log.fault_count();
        let name = self.tree_reader().read_text(node, &label, "name", false).unwrap_or("").to_string();
        let pose = self.tree_reader().read_pose(node, &label);
        let padding = self.tree_reader().read_size(node, &label, "padding", Some(0.0)).unwrap_or(0.0);
        let movable = self.tree_reader().read_flag(node, &label, "movable", false).unwrap_or(false);
        let attached_to = self.tree_reader().read_text(node, &label, "attached_to", true).map(str::to_string);
        let touch = self.tree_reader().read_texts(node, &label, "touch");
        if attached_to.is_none() && !movable && !touch.is_empty() {
            self.tree_reader().add_fault(
                node,
                &label,
                "touch is only for attached and movable obstacles",
                "give attached_to or movable = true, or use [[allow]]",
            );
        }
        let mut parts: Vec<&Node> = node.get("shape").into_iter().collect();
        parts.extend(self.tree_reader().read_list(node, &label, "shapes"));
        let mut shapes = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            shapes.extend(self.shape_reader().read_shape(part, &format!("{label}, shape {}", i + 1)));
        }
        if let Some(mesh) = node.get("mesh") {
            shapes.extend(self.shape_reader().read_file_shape(mesh, &format!("{label}, mesh")));
        }
        if let Some(heights) = node.get("heights") {
            shapes.extend(self.read_heights(heights, &format!("{label}, heights")));
        }
        if shapes.is_empty() && self.session.log.fault_count() == before {
            self.tree_reader().add_fault(node, &label, "has no shape", "give shape, shapes, mesh or heights");
        }
        for shape in &mut shapes {
            shape.padding += padding;
        }
        let door = self.read_door(node, &label, &name);
        self.claim_name(node, ("obstacle", &label), &name, names);
        if let (Some(pose), true) = (pose, self.session.log.fault_count() == before) {
            if movable && !touch.is_empty() {
                self.session.touch.insert(format!("world/{name}"), touch.clone());
            }
            self.world.doors.extend(door);
            let attached_to = attached_to.map(|body| Attachment { body, touch });
            self.world.obstacles.push(ObstacleDescription { name, pose, shapes, attached_to, movable });
        }
    }

    /// The bodies of a template.
    pub(super) fn read_template(&mut self, node: &Node, k: usize, names: &mut BTreeMap<String, usize>) {
        let label = format!("template {}", k + 1);
        for body in template::read_template_bodies(self.session, self.file, node, &label) {
            self.claim_name(node, ("template's", &label), &body.obstacle.name, names);
            self.world.obstacles.push(body.obstacle);
        }
    }

    pub(super) fn claim_name(
        &mut self,
        node: &Node,
        (kind, label): (&str, &str),
        name: &str,
        names: &mut BTreeMap<String, usize>,
    ) {
        if name.contains('/') {
            let what = format!("the {kind} name {:?} has a slash", short_text(name));
            self.tree_reader().add_fault(node, label, what, "bodies are called world/NAME; rename it");
        }
        if let Some(first) = names.insert(name.to_string(), node.line) {
            let what = format!("the {kind} name {:?} is used twice", short_text(name));
            self.tree_reader().add_fault(
                node,
                label,
                what,
                format!("rename one (a scene takes a prefix); the first is at line {first}"),
            );
        }
    }
}
