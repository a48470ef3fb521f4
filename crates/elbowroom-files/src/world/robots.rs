//! `[[robot]]`: a URDF, its SRDF and its packages, and where it stands.

use super::{POSE, Reader, label};
use crate::robot;
use crate::tree::Node;
use crate::xml::shortened;
use elbowroom::describe::PlacedRobot;
use std::collections::BTreeMap;
use std::path::Path;

impl Reader<'_, '_> {
    pub(super) fn robot(&mut self, node: &Node, k: usize, names: &mut BTreeMap<String, usize>) {
        let label = label(node, "robot", k);
        let known = ["name", "urdf", "srdf", "padding", "package_path"];
        if !self.r().keys(node, &label, &[&known[..], &POSE[..]].concat()) {
            return;
        }
        let base_in_world = self.r().pose(node, &label);
        let padding = self.r().size(node, &label, "padding", Some(0.0));
        // Packages of this robot come before those of the command line.
        let given = self.session.options.package_paths.clone();
        let folder = self.file.parent().unwrap_or(Path::new("")).to_path_buf();
        let own: Vec<String> = match node.get("package_path") {
            Some(one) if one.text().is_some() => one.text().map(str::to_string).into_iter().collect(),
            _ => self.r().texts(node, &label, "package_path"),
        };
        let paths = own.iter().map(|p| folder.join(p)).chain(given.iter().cloned()).collect();
        self.session.options.package_paths = paths;
        let urdf = self.file(node, &label, "urdf");
        let (mut srdf, mut srdf_is_good) = (None, true);
        match node.get("srdf") {
            None => srdf = urdf.as_deref().and_then(|u| robot::srdf_of(self.session, u)),
            Some(flag) if flag.bool() == Some(false) => {}
            Some(_) => {
                srdf = self.file(node, &label, "srdf");
                srdf_is_good = srdf.is_some();
            }
        }
        let robot = urdf.and_then(|u| robot::read(self.session, &u, srdf.as_deref()));
        self.session.options.package_paths = given;
        let (Some(mut robot), true) = (robot, srdf_is_good) else { return };
        let name = match self.r().text(node, &label, "name", true) {
            Some(name) => name.to_string(),
            None => robot.name.clone(),
        };
        if name.is_empty() || name == "world" || name == "*" || name.contains('/') {
            let what = format!("{:?} cannot be a robot's name", shortened(&name));
            self.r().fault(node, &label, what, "a name is not empty, not \"world\" and has no slash");
        }
        if let Some(first) = names.insert(name.clone(), node.line) {
            let what = format!("the robot name {:?} is used twice", shortened(&name));
            self.r().fault(node, &label, what, format!("rename one; the first is at line {first}"));
        }
        for shape in robot.links.iter_mut().flat_map(|l| &mut l.shapes) {
            shape.padding += padding.unwrap_or(0.0);
        }
        if let (Some(base_in_world), Some(_)) = (base_in_world, padding) {
            self.world.robots.push(PlacedRobot { name, base_in_world, robot });
        }
    }
}
