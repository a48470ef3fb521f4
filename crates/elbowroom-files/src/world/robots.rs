//! `[[robot]]`: a URDF, its SRDF and its packages, and where it stands.

use super::reader::{WorldReader, entry_label};
use crate::robot;
use crate::source::Kind;
use crate::tree::POSE;
use crate::tree::node::Node;
use crate::xml::short_text;
use elbowroom::describe::PlacedRobot;
use elbowroom::math::Transform;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

impl WorldReader<'_, '_> {
    pub(super) fn read_robot(&mut self, node: &Node, k: usize, names: &mut BTreeMap<String, usize>) {
        let label = entry_label(node, "robot", k);
        let known = ["name", "urdf", "srdf", "padding", "package_path"];
        if !self.tree_reader().check_keys(node, &label, &[&known[..], &POSE[..]].concat()) {
            self.faulty.push(None);
            return;
        }
        let base_in_world = self.tree_reader().read_pose(node, &label).unwrap_or(Transform::IDENTITY);
        let padding = self.tree_reader().read_size(node, &label, "padding", Some(0.0)).unwrap_or(0.0);
        let given = self.put_packages_first(node, &label);
        let urdf = self.find_file(node, &label, "urdf");
        let (mut srdf, mut srdf_is_good) = (None, true);
        match node.get("srdf") {
            None => srdf = urdf.as_deref().and_then(|u| robot::srdf_of(self.session, u)),
            Some(flag) if flag.as_bool() == Some(false) => {}
            Some(_) => {
                srdf = self.find_file(node, &label, "srdf");
                srdf_is_good = srdf.is_some();
            }
        }
        let robot = urdf.ok_or(None).and_then(|u| robot::read(self.session, &u, srdf.as_deref()));
        self.session.options.package_paths = given;
        let own_name = robot.as_ref().map_or_else(Option::clone, |robot| Some(robot.name.clone()));
        let Some(name) =
            self.tree_reader().read_text(node, &label, "name", true).map(str::to_string).or(own_name)
        else {
            self.faulty.push(None);
            return;
        };
        if name.is_empty() || name == "world" || name == "*" || name.contains('/') {
            let what = format!("{:?} cannot be a robot's name", short_text(&name));
            self.tree_reader().add_fault(
                node,
                &label,
                what,
                "a name is not empty, not \"world\" and has no slash",
            );
        }
        if let Some(first) = names.insert(name.clone(), node.line) {
            let what = format!("the robot name {:?} is used twice", short_text(&name));
            self.tree_reader().add_fault(
                node,
                &label,
                what,
                format!("rename one; the first is at line {first}"),
            );
        }
        let (Ok(mut robot), true) = (robot, srdf_is_good) else {
            self.faulty.push(Some(name));
            return;
        };
        for shape in robot.links.iter_mut().flat_map(|l| &mut l.shapes) {
            shape.padding += padding;
        }
        self.session.name_rates(&name);
        self.world.robots.push(PlacedRobot { name, base_in_world, robot });
    }

    /// Puts a robot's own packages before those of the command line, and returns the latter.
    fn put_packages_first(&mut self, node: &Node, label: &str) -> Vec<PathBuf> {
        let items = match node.get("package_path") {
            Some(one) if one.as_text().is_some() => std::slice::from_ref(one),
            _ => self.tree_reader().read_list(node, label, "package_path"),
        };
        let folder = self.file.parent().unwrap_or(Path::new("")).to_path_buf();
        let mut paths = Vec::new();
        for item in items {
            let Some(text) = item.as_text() else {
                let what = "package_path holds something that is not text";
                self.tree_reader().add_fault(item, label, what, "put it in quotes");
                continue;
            };
            let path = folder.join(text);
            let problem = match self.session.files.kind(&path) {
                Kind::Folder => None,
                Kind::Missing => Some("does not exist"),
                Kind::File | Kind::Special => Some("is not a folder"),
            };
            match problem {
                Some(problem) => {
                    let what = format!("the package_path {:?} {problem}", short_text(text));
                    let help = format!("name a folder that holds packages; looked for {}", path.display());
                    self.tree_reader().add_fault(item, label, what, help);
                }
                None => paths.push(path),
            }
        }
        paths.extend(self.session.options.package_paths.iter().cloned());
        std::mem::replace(&mut self.session.options.package_paths, paths)
    }
}
