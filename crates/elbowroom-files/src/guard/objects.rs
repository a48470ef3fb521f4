//! `[guard.roles]` and `[[guard.object]]`: which bodies move as one, and what their parts are for.

use super::Settings;
use crate::template::{self, TemplateBody};
use crate::tree::node::Node;
use elbowroom::world::BodyId;
use elbowroom_monitor::Role;
use elbowroom_monitor::guard::ObjectDescription;
use std::collections::BTreeMap;

impl Settings<'_, '_> {
    /// The objects of more than one body, or with a role.
    pub(super) fn read_objects(&mut self, root: &Node, node: &Node) -> Vec<ObjectDescription> {
        let mut roles = self.read_roles(node);
        let templates = self.add_template_roles(root, &mut roles);
        // Each body leads to one of its object with a smaller number, or to itself: it stands for all.
        let mut leads: BTreeMap<BodyId, BodyId> = roles.keys().map(|body| (*body, *body)).collect();
        for [part, whole] in templates {
            join_objects(&mut leads, part, whole);
        }
        for obstacle in root.get("obstacle").and_then(Node::as_list).unwrap_or(&[]) {
            let text = |key| obstacle.get(key).and_then(Node::as_text);
            let name = text("name").and_then(|name| self.world.body_by_name(&format!("world/{name}")));
            let carrier = text("attached_to").filter(|carrier| carrier.starts_with("world/"));
            if let Some((body, carrier)) = name.zip(carrier.and_then(|name| self.world.body_by_name(name))) {
                join_objects(&mut leads, body, carrier);
            }
        }
        for (k, object) in self.tree_reader().read_list(node, "guard", "object").iter().enumerate() {
            let label = format!("guard.object {}", k + 1);
            if !self.tree_reader().check_keys(object, &label, &["parts"]) {
                continue;
            }
            let parts = self.read_bodies(object, &label, "parts");
            if object.get("parts").is_none() {
                self.tree_reader().add_fault(object, &label, "has no parts", "name bodies in parts");
            }
            if let Some((first, rest)) = parts.split_first() {
                join_objects(&mut leads, *first, *first);
                rest.iter().for_each(|part| join_objects(&mut leads, *part, *first));
            }
        }
        let mut objects: BTreeMap<BodyId, Vec<(BodyId, Role)>> = BTreeMap::new();
        for body in leads.keys() {
            let role = roles.get(body).copied().unwrap_or(Role::Neither);
            objects.entry(first_body(&leads, *body)).or_default().push((*body, role));
        }
        objects.into_values().map(|parts| ObjectDescription { parts }).collect()
    }

    /// Adds the roles of templates where `[guard.roles]` has none. Each of their bodies, with the one that
    /// stands for the whole.
    fn add_template_roles(&mut self, root: &Node, roles: &mut BTreeMap<BodyId, Role>) -> Vec<[BodyId; 2]> {
        let mut pairs = Vec::new();
        for (k, entry) in self.tree_reader().read_list(root, "", "template").iter().enumerate() {
            let bodies = template::read_template_bodies(
                self.session,
                self.file,
                entry,
                &format!("template {}", k + 1),
            );
            let id = |body: &TemplateBody| self.world.body_by_name(&format!("world/{}", body.obstacle.name));
            for body in &bodies {
                let (Some(part), Some(whole)) = (id(body), bodies.get(body.of).and_then(id)) else {
                    continue;
                };
                roles.entry(part).or_insert(body.role);
                pairs.push([part, whole]);
            }
        }
        pairs
    }

    fn read_roles(&mut self, node: &Node) -> BTreeMap<BodyId, Role> {
        let mut roles = BTreeMap::new();
        let Some(written) = node.get("roles") else { return roles };
        let label = "guard.roles";
        if !self.tree_reader().check_keys(written, label, &["supporting", "manipulating"]) {
            return roles;
        }
        for (key, role) in [("supporting", Role::Supporting), ("manipulating", Role::Manipulating)] {
            for body in self.read_bodies(written, label, key) {
                if roles.insert(body, role).is_some() {
                    let name = self.world.bodies().get(body.index()).map_or("", |body| &body.name);
                    let what = format!("{name} is named twice");
                    let at = written.get(key).unwrap_or(written);
                    self.tree_reader().add_fault(at, label, what, "a body has one role: keep one");
                }
            }
        }
        roles
    }
}

/// The body that stands for another's object.
fn first_body(leads: &BTreeMap<BodyId, BodyId>, body: BodyId) -> BodyId {
    let mut at = body;
    while let Some(next) = leads.get(&at).filter(|next| **next < at) {
        at = *next;
    }
    at
}

/// Makes the objects of two bodies one.
fn join_objects(leads: &mut BTreeMap<BodyId, BodyId>, a: BodyId, b: BodyId) {
    for body in [a, b] {
        leads.entry(body).or_insert(body);
    }
    let (a, b) = (first_body(leads, a), first_body(leads, b));
    leads.insert(a.max(b), a.min(b));
}
