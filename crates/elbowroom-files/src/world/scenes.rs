//! `[[scene]]`: the objects and allowed pairs of a MoveIt planning scene, in the frame of the robot it means.

use super::reader::{WorldReader, entry_label};
use crate::fault::counted_things;
use crate::scene::{GrownLink, RobotFrames, ScenePlace};
use crate::tree::POSE;
use crate::tree::node::Node;
use crate::xml::short_text;
use crate::{limits, scene};
use elbowroom::describe::{AllowedPair, PlacedRobot, PlacedShape};
use elbowroom::math::Transform;
use std::collections::{BTreeMap, BTreeSet};

impl WorldReader<'_, '_> {
    pub(super) fn read_scene(&mut self, node: &Node, k: usize, names: &mut BTreeMap<String, usize>) {
        let label = entry_label(node, "scene", k);
        let known = ["file", "robot", "prefix", "allowed"];
        if !self.tree_reader().check_keys(node, &label, &[&known[..], &POSE[..]].concat()) {
            return;
        }
        let pose = self.tree_reader().read_pose(node, &label);
        let prefix = self.tree_reader().read_text(node, &label, "prefix", true).unwrap_or("").to_string();
        let Some(take_allowed) = self.tree_reader().read_flag(node, &label, "allowed", true) else { return };
        let wanted = self.tree_reader().read_text(node, &label, "robot", true).map(str::to_string);
        let robot = self.find_meant_robot(wanted.as_deref());
        let place = ScenePlace {
            robot: robot.map(|r| RobotFrames::new(&r.robot)).unwrap_or_default(),
            base_in_world: robot.map_or(Transform::IDENTITY, |r| r.base_in_world),
            pose: pose.unwrap_or(Transform::IDENTITY),
            is_placed: POSE.iter().any(|key| node.get(key).is_some()),
            is_open: !self.faulty.is_empty() || wanted.is_some() && robot.is_none(),
        };
        let scene = self.find_file(node, &label, "file").and_then(|f| scene::read(self.session, &f, &place));
        let (Some(scene), Some(_)) = (scene, pose) else { return };
        if !scene.joint_state.is_empty() {
            let what = format!(
                "its robot_state gives the values of {}, which are not used: a scene gives obstacles, no \
                 pose",
                counted_things(scene.joint_state.len(), "joint")
            );
            self.tree_reader().add_warning(
                node,
                &label,
                what,
                "to check at that pose, give it as a motion or with --at",
            );
        }
        let robot = self.find_meant_robot(wanted.as_deref());
        // If there are several robots and none is named, links in the scene mean nothing. That matters only
        // if it names some.
        let link_names: BTreeSet<String> =
            robot.map(|r| r.robot.links.iter().map(|l| l.name.clone()).collect()).unwrap_or_default();
        let robot_name = robot.map(|r| r.name.clone());
        let is_link = |name: &str| link_names.contains(name);
        if let Some(joint) = place.robot.find_mover(&scene.planning_frame) {
            let what = format!(
                "its planning frame {:?} is a link that moves: the joint {:?} moves it",
                short_text(&scene.planning_frame),
                short_text(joint)
            );
            let help = "give the scene in the root link's frame, or in that of a link that is fixed to it";
            return self.tree_reader().add_fault(node, &label, what, help);
        }
        let scene_in_world = place.planning_in_world(&scene.planning_frame);
        if let (Some(name), None) = (&wanted, &robot_name) {
            let what = format!("there is no robot {:?} (or it is faulty)", short_text(name));
            return self.tree_reader().add_fault(node, &label, what, "name a [[robot]] of this file");
        }
        self.check_frame(node, &label, &scene.planning_frame, &place);
        self.grow_links(node, &label, &scene.grown, robot_name.as_deref());
        let body = |name: &str| robot_name.as_ref().filter(|_| is_link(name)).map(|r| format!("{r}/{name}"));
        let mut bodies: BTreeMap<String, String> = BTreeMap::new();
        if let Some(r) = &robot_name {
            bodies.extend(link_names.iter().map(|l| (l.clone(), format!("{r}/{l}"))));
        }
        let in_matrix = scene.allowed.all_names();
        for mut obstacle in scene.obstacles {
            let name = format!("{prefix}{}", obstacle.name).replace('/', "_");
            match &mut obstacle.attached_to {
                None => obstacle.pose = scene_in_world * obstacle.pose,
                Some(held) => {
                    let Some(carrier) = body(&held.body) else {
                        let what = format!(
                            "holds {:?} by the link {:?}, which no robot has",
                            short_text(&obstacle.name),
                            short_text(&held.body)
                        );
                        self.tree_reader().add_fault(
                            node,
                            &label,
                            what,
                            "say which robot = \"...\" the scene means",
                        );
                        continue;
                    };
                    // What a link holds is taken larger with it, as in MoveIt.
                    let grown = scene.grown.binary_search_by(|grown| grown.link.cmp(&held.body));
                    let grown = grown.ok().and_then(|at| scene.grown.get(at));
                    for shape in obstacle.shapes.iter_mut() {
                        grown.into_iter().for_each(|grown| grown.grow_shape(shape));
                    }
                    held.body = carrier;
                    held.touch = held.touch.iter().filter_map(|t| body(t)).collect();
                }
            }
            let twin = bodies.insert(obstacle.name.clone(), format!("world/{name}"));
            if twin.is_some() && take_allowed && in_matrix.contains(&*obstacle.name) {
                let what = format!(
                    "its allowed collision matrix names {:?}, which is both an object and a link",
                    short_text(&obstacle.name)
                );
                self.tree_reader().add_fault(
                    node,
                    &label,
                    what,
                    "rename the object in the scene, or write allowed = false",
                );
            }
            self.claim_name(node, ("obstacle", &label), &name, names);
            obstacle.name = name;
            self.world.obstacles.push(obstacle);
        }
        if !take_allowed {
            return;
        }
        let known: Vec<&str> = bodies.keys().map(String::as_str).collect();
        if known.len().saturating_mul(known.len()) / 2 + self.world.allowed.len() > limits::PAIRS {
            return self.tree_reader().add_fault(
                node,
                &label,
                "has too many pairs of bodies",
                "write allowed = false",
            );
        }
        let strangers = scene.allowed.names.iter().filter(|n| !bodies.contains_key(*n)).count();
        if strangers > 0 {
            let what = format!(
                "ignored: {} of its allowed collision matrix without a body",
                counted_things(strangers, "name")
            );
            self.tree_reader().add_warning(
                node,
                &label,
                what,
                "say which robot = \"...\" the scene means, if it is that",
            );
        }
        let pairs = scene.allowed.allowed_pairs(&known);
        let reason = "allowed in the planning scene".to_string();
        self.world.allowed.extend(pairs.into_iter().map(|(a, b)| AllowedPair {
            a: bodies[a].clone(),
            b: bodies[b].clone(),
            reason: reason.clone(),
        }));
    }

    /// The robot whose links a scene means: the named one, or the only one.
    fn find_meant_robot(&self, wanted: Option<&str>) -> Option<&PlacedRobot> {
        let robots = &self.world.robots;
        match wanted {
            Some(name) => robots.iter().find(|r| r.name == name),
            None => robots.first().filter(|_| robots.len() == 1),
        }
    }

    /// Refuses a scene if the place of its frame is not known. It is known for a link that nothing moves, for
    /// the world, for a scene without a frame, and where the world file gives it.
    fn check_frame(&mut self, node: &Node, label: &str, frame: &str, place: &ScenePlace) {
        let is_known = place.is_placed || place.robot.find_in_root(frame).is_some();
        if is_known || place.is_open || matches!(frame, "" | "world") {
            return;
        }
        let what =
            format!("its planning frame {:?} is no link of the robot that it means", short_text(frame));
        let mut help = self.session.log.did_you_mean(frame, place.robot.link_names().chain(["world"]));
        if !help.is_empty() {
            help.push_str(" Or ");
        }
        help += "say which robot = \"...\" has it, or where that frame is in the world, as xyz = [0, 0, 0]";
        self.tree_reader().add_fault(node, label, what, help);
    }

    /// Makes the links of a robot as large as a scene takes them.
    fn grow_links(&mut self, node: &Node, label: &str, grown: &[GrownLink], robot: Option<&str>) {
        let mut lost = Vec::new();
        let robot = self.world.robots.iter_mut().find(|r| Some(&*r.name) == robot);
        let mut links: BTreeMap<&str, &mut Vec<PlacedShape>> = BTreeMap::new();
        for link in robot.into_iter().flat_map(|r| &mut r.robot.links) {
            links.insert(&link.name, &mut link.shapes);
        }
        for one in grown {
            match links.get_mut(&*one.link) {
                Some(shapes) => shapes.iter_mut().for_each(|shape| one.grow_shape(shape)),
                // Links of a robot that could not be read are not judged.
                None if self.faulty.is_empty() => lost.push(one.link.clone()),
                None => {}
            }
        }
        for link in lost {
            let what =
                format!("gives {:?} a padding or a scale, but the robot has no such link", short_text(&link));
            self.tree_reader().add_fault(
                node,
                label,
                what,
                "say which robot = \"...\" the scene means, or remove the entry",
            );
        }
    }
}
