//! URDF: links, joints and collision shapes, every fault at its line.
//!
//! The rules are those of the URDF specification and of what ROS accepts. Where loaders in the wild guess (a
//! joint to a link that is not there, a radius of `nan`, geometry they do not know) this one refuses: a link
//! that silently lost its shape never collides.

pub(crate) mod shapes;

mod joints;
mod rates;
mod reader;
mod repeated;
mod spelling;

use crate::fault::Log;
use crate::session::Session;
use crate::xacro::{self, expand_command, is_for_xacro, tell_lines};
use crate::xml::{XmlText, child_elements, is_own, named_children, short_text};
use elbowroom::describe::{LinkDescription, RobotDescription};
use reader::{UrdfReader, name_list};
use roxmltree::Node;
use std::collections::BTreeMap;
use std::path::Path;

/// What text for xacro has in it.
const XACRO_MARKS: [&str; 8] =
    ["${", "$(find ", "$(arg ", "$(eval ", "$(optenv ", "$(env ", "$(dirname)", "$(cwd)"];

/// Reads a URDF; after at least one fault, what the robot calls itself, as far as that could be read.
pub(crate) fn read(session: &mut Session<'_>, path: &Path) -> Result<RobotDescription, Option<String>> {
    let text = xacro::read_xml_text(session, path, "a URDF").ok_or(None)?;
    let before = session.log.fault_count();
    let robot = read_urdf_text(session, path, &text);
    if session.log.fault_count() > before && is_for_xacro(path) {
        tell_lines(session, path);
    }
    robot
}

fn read_urdf_text(
    session: &mut Session<'_>,
    path: &Path,
    text: &XmlText,
) -> Result<RobotDescription, Option<String>> {
    let document = text.parse(&mut session.log).ok_or(None)?;
    let root = document.root_element();
    if let Some((what, help)) = other_format(root, path, "robot", "a URDF") {
        session.log.add_fault(path, text.node_place(root), what, help);
        return Err(None);
    }
    if is_srdf(root, path) {
        let help = "give the robot's URDF, and this file with --srdf (in a world file: srdf = \"...\")";
        session.log.add_fault(path, text.node_place(root), "is an SRDF, not a URDF", help);
        return Err(None);
    }
    if is_library(root) || is_for_xacro(path) && child_elements(root).all(|n| !is_link_or_joint(n)) {
        let what = "is a library of xacro macros: by itself it makes no link, and so no robot";
        let help = "give the xacro file of the robot, which includes this one and calls its macros";
        session.log.add_fault(path, text.node_place(root), what, help);
        return Err(None);
    }
    if let Some(node) = uses_xacro(root) {
        let what = match xacro_attribute(node) {
            Some([key, value]) => {
                format!("its {}={:?} uses xacro, and was not expanded", short_text(key), short_text(value))
            }
            None => "uses xacro, which must be expanded first".into(),
        };
        session.log.add_fault(path, text.node_place(node), what, expand_command(path));
        return Err(root.attribute("name").filter(|name| !name.contains('$')).map(str::to_string));
    }
    warn_of_properties(root, text, &mut session.log);
    let before = session.log.fault_count();
    let mut reader = UrdfReader { session, text };
    let robot = reader.read_robot(root);
    if session.log.fault_count() == before {
        Ok(robot)
    } else {
        Err(Some(robot.name).filter(|n| !n.is_empty()))
    }
}

/// Whether a robot has no link and no joint, but an SRDF's name or what only SRDFs have.
fn is_srdf(root: Node<'_, '_>, path: &Path) -> bool {
    let named = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("srdf"));
    let has = |name: &str| child_elements(root).any(|n| n.tag_name().name() == name);
    let words = [
        "group",
        "group_state",
        "disable_collisions",
        "disable_default_collisions",
        "enable_collisions",
        "virtual_joint",
        "passive_joint",
        "end_effector",
        "link_sphere_approximation",
    ];
    !has("link") && !has("joint") && (named || words.iter().any(|word| has(word)))
}

/// What the file is, if its outermost element is not the wanted one.
pub(crate) fn other_format(
    root: Node<'_, '_>,
    path: &Path,
    wanted: &str,
    name: &str,
) -> Option<(String, String)> {
    let found = root.tag_name().name();
    if found == wanted {
        return None;
    }
    let (what, help) = match found {
        "sdf" | "gazebo" => (
            "is an SDF file",
            "SDF, the format of Gazebo, is not supported yet: give the URDF of the robot, and what stands \
             around it as [[obstacle]] in a world file (.toml)",
        ),
        "mujoco" | "mujocoinclude" => (
            "is a MuJoCo (MJCF) file",
            "MJCF is read in Python alone, as a model that MuJoCo has loaded: elbowroom.from_mujoco(model); \
             here give the URDF of the robot, from its maker or from the package that the model was made \
             from",
        ),
        "COLLADA" => ("is a DAE mesh", "give the robot's URDF"),
        "model" => ("is an SDF model configuration", "give the robot's URDF"),
        "package" => ("is a ROS package manifest", "give the robot's URDF"),
        "launch" => ("is a ROS launch file", "give the robot's URDF"),
        _ => ("", ""),
    };
    if what.is_empty() {
        let what = format!("its outermost element is <{}>, so it is not {name}", short_text(found));
        return Some((
            what,
            format!("{name} begins with <{wanted} name=\"...\">; is {} the right file?", path.display()),
        ));
    }
    Some((format!("{what}, not {name}"), help.to_string()))
}

/// The first element that only xacro understands. A mere declaration of its namespace is common in expanded
/// files, and a property that nothing uses is left in some.
pub(crate) fn uses_xacro<'d, 'i>(root: Node<'d, 'i>) -> Option<Node<'d, 'i>> {
    let of_programs = |n: &Node<'_, '_>| matches!(n.tag_name().name(), "gazebo" | "ros2_control" | "plugin");
    root.descendants()
        .filter(|n| n.is_element() && !is_property(*n))
        .find(|n| is_xacro(*n) || xacro_attribute(*n).is_some() && !n.ancestors().any(|a| of_programs(&a)))
}

/// The first attribute of an element that holds text for xacro, and its value.
fn xacro_attribute<'d>(node: Node<'d, '_>) -> Option<[&'d str; 2]> {
    let is_for_xacro = |value: &str| XACRO_MARKS.iter().any(|mark| value.contains(mark));
    let found = node.attributes().find(|a| is_for_xacro(a.value()) && !is_xacro(node))?;
    Some([found.name(), found.value()])
}

/// Whether a robot has no name, no link and no joint, but macros, and calls none of them.
fn is_library(root: Node<'_, '_>) -> bool {
    let only_defines =
        |n: Node<'_, '_>| matches!(n.tag_name().name(), "macro" | "property" | "arg" | "include");
    !root.has_attribute("name")
        && child_elements(root).any(|n| is_xacro(n) && n.tag_name().name() == "macro")
        && child_elements(root).all(|n| !is_link_or_joint(n) && (!is_xacro(n) || only_defines(n)))
}

fn is_link_or_joint(node: Node<'_, '_>) -> bool {
    matches!(node.tag_name().name(), "link" | "joint")
}

fn is_xacro(node: Node<'_, '_>) -> bool {
    node.tag_name().namespace().is_some_and(|ns| ns.contains("xacro"))
}

/// A name and a value for xacro: without something that uses it, it says nothing.
fn is_property(node: Node<'_, '_>) -> bool {
    let is_one = matches!(node.tag_name().name(), "property" | "arg");
    is_one && is_xacro(node) && child_elements(node).next().is_none()
}

/// Warns of properties in a file that uses no xacro.
pub(crate) fn warn_of_properties(root: Node<'_, '_>, text: &XmlText, log: &mut Log) {
    for node in root.descendants().filter(|n| n.is_element() && is_property(*n)) {
        let what = "is of xacro, and nothing here uses it: ignored";
        log.add_warning(&text.path, text.node_place(node), what, "expand the file again, or remove it");
    }
}

impl UrdfReader<'_, '_, '_> {
    fn read_robot(&mut self, root: Node<'_, '_>) -> RobotDescription {
        let mut robot = RobotDescription {
            name: self.read_robot_name(root).unwrap_or_default(),
            ..RobotDescription::default()
        };
        // Where each name was first used, for messages.
        let mut links: BTreeMap<String, String> = BTreeMap::new();
        let mut joints: BTreeMap<String, String> = BTreeMap::new();
        let mut joint_nodes = Vec::new();
        for node in child_elements(root) {
            match (node.tag_name().name(), is_own(node)) {
                ("link", true) => {
                    let link = self.read_link(node);
                    match links.get(&link.name) {
                        Some(first) if !link.name.is_empty() => {
                            let what = format!("the link name {:?} is used twice", short_text(&link.name));
                            let help = format!("rename one; the first is at {first}");
                            self.add_fault(node, what, help);
                        }
                        _ => {
                            links.insert(link.name.clone(), self.text.node_place(node));
                            robot.links.push(link);
                        }
                    }
                }
                ("joint", true) => joint_nodes.push(node),
                ("joint", false) => {
                    let kind = node.attribute("type").unwrap_or("");
                    let what = format!(
                        "a joint of type {kind:?} in another namespace is not URDF and is not supported"
                    );
                    self.add_fault(
                        node,
                        what,
                        "replace it by URDF joints (revolute, continuous, prismatic, \
                         fixed, planar, floating)",
                    );
                }
                ("collision_filter_group", false) => {
                    self.add_warning(
                        node,
                        "is not applied: its pairs are still checked",
                        "allow them in an SRDF or a world file",
                    );
                }
                _ => {}
            }
        }
        self.check_spelling(root, &spelling::ROBOT);
        self.warn_of_ghosts(root);
        if robot.links.is_empty() {
            self.add_fault(root, "has no link", "a robot has at least one <link name=\"...\"/>");
        }
        for node in &joint_nodes {
            let joint = self.read_joint(*node, &mut links, &mut robot.links);
            let Some(joint) = joint else { continue };
            match joints.get(&joint.name) {
                Some(first) => {
                    let what = format!("the joint name {:?} is used twice", short_text(&joint.name));
                    let help = format!("rename one; the first is at {first}");
                    self.add_fault(*node, what, help);
                }
                None => {
                    joints.insert(joint.name.clone(), self.text.node_place(*node));
                    robot.joints.push(joint);
                }
            }
        }
        self.check_mimics(&robot, &joints, root);
        self.check_tree(&robot, &links, &joints, root, joint_nodes.len() == robot.joints.len());
        robot
    }

    /// The name of the robot. ROS takes an empty one, and refuses a file without; here a robot has a name, so
    /// the file's stands for an empty one.
    fn read_robot_name(&mut self, root: Node<'_, '_>) -> Option<String> {
        let is_empty = root.attribute("name").is_some_and(|name| name.trim().is_empty());
        let stem =
            self.text.path.file_name().and_then(|name| name.to_str()).and_then(|name| name.split('.').next());
        let Some(stem) = stem.filter(|stem| is_empty && !stem.is_empty()) else {
            return self.read_name(root, "name");
        };
        self.add_warning(
            root,
            format!("its name is empty: {stem:?} is taken, after the file"),
            "give it one",
        );
        Some(stem.to_string())
    }

    /// One warning for all links that can be seen but not touched.
    fn warn_of_ghosts(&mut self, root: Node<'_, '_>) {
        let ghosts: Vec<&str> = named_children(root, "link")
            .filter(|l| {
                named_children(*l, "visual").next().is_some()
                    && named_children(*l, "collision").next().is_none()
            })
            .filter_map(|l| l.attribute("name"))
            .collect();
        if !ghosts.is_empty() {
            let (have, take) = if ghosts.len() == 1 { ("has", "it takes") } else { ("have", "they take") };
            let what =
                format!("{} {have} a visual but no collision: {take} part in no check", name_list(&ghosts));
            self.add_warning(root, what, "add a <collision> to what can be touched");
        }
    }

    fn read_link(&mut self, node: Node<'_, '_>) -> LinkDescription {
        let name = self.read_name(node, "name").unwrap_or_default();
        let mut shapes = Vec::new();
        for collision in named_children(node, "collision") {
            if let Some(shape) = self.read_collision(collision) {
                shapes.push(shape);
            }
        }
        self.check_spelling(node, &spelling::LINK);
        LinkDescription { name, shapes }
    }
}
