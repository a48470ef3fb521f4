//! MoveIt planning scenes: in YAML with obstacles, held objects, the allowed collision matrix and the joint
//! state, or as the text that RViz saves, which has obstacles alone.
//!
//! Both ways of writing YAML are read: vectors as lists or as `{x, y, z}`, primitive types by number or by
//! name, object poses of newer MoveIt versions, meshes inline or by resource. Planes and OctoMaps have no
//! bounded shape here and are faults: leaving one out would make the scene look free.
//!
//! A world file takes scenes in (`[[scene]]`); here is one alone:
//!
//! ```
//! use elbowroom_files::{Options, scene::load_scene_from, source::InMemory};
//!
//! let scene = "
//! name: table
//! world:
//!   collision_objects:
//!     - id: can
//!       header: {frame_id: world}
//!       primitives: [{type: cylinder, dimensions: [0.12, 0.03]}]
//!       primitive_poses: [{position: [0.5, 0, 0.06], orientation: [0, 0, 0, 1]}]
//! allowed_collision_matrix:
//!   entry_names: [can, hand]
//!   entry_values: [{enabled: [false, true]}, {enabled: [true, false]}]";
//! let mut files = InMemory::default();
//! files.0.insert("scene.yaml".into(), scene.into());
//! let scene = load_scene_from(&files, "scene.yaml".as_ref(), &Options::default())?.value;
//! assert_eq!(scene.obstacles[0].name, "can");
//! assert_eq!(scene.allowed.allowed_pairs(&["can", "hand"]), [("can", "hand")]);
//! # Ok::<(), elbowroom_files::Faults>(())
//! ```

mod allowed;
mod frames;
mod grown;
mod objects;
mod poses;
mod reader;
mod text;

pub use allowed::AllowedCollisions;
pub(crate) use frames::{RobotFrames, ScenePlace};
pub use grown::GrownLink;
pub(crate) use poses::read_vector;
pub(crate) use text::is_text as is_scene_text;

use crate::fault::{Faults, Loaded, Log, counted_things};
use crate::limits;
use crate::session::Session;
use crate::source::{Disk, Files, Options};
use crate::tree::formats::from_yaml;
use crate::tree::node::Node;
use crate::xml::short_text;
use elbowroom::describe::{Attachment, ObstacleDescription};
use elbowroom::math::Transform;
use objects::operation_code;
use poses::bare_frame;
use reader::SceneReader;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A planning scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// What the file calls itself, or empty.
    pub name: String,
    /// The robot it was made for, or empty.
    pub robot_model_name: String,
    /// The frame that all poses here refer to: a fixed frame or a link that nothing moves; may be empty.
    pub planning_frame: String,
    /// Obstacles, in the planning frame. Held ones (those with `attached_to`) in their link's frame;
    /// links are named without a robot.
    pub obstacles: Vec<ObstacleDescription>,
    /// Which pairs the scene says need no check.
    pub allowed: AllowedCollisions,
    /// How much larger links count than they are: `link_scale` and `link_padding`, links named without a
    /// robot, in the order of their names. Those that change nothing are left out.
    pub grown: Vec<GrownLink>,
    /// Joint names and their values; seven for a free joint: x, y, z (metres), quaternion w, x, y, z.
    pub joint_state: Vec<(String, Vec<f64>)>,
}

/// Reads a planning scene. Lengths in metres.
///
/// # Errors
/// All faults of the scene and its meshes together.
pub fn load_scene(path: &Path, options: &Options) -> Result<Loaded<Scene>, Faults> {
    load_scene_from(&Disk, path, options)
}

/// [`load_scene`] from any [`Files`].
///
/// # Errors
/// See [`load_scene`].
pub fn load_scene_from(files: &dyn Files, path: &Path, options: &Options) -> Result<Loaded<Scene>, Faults> {
    let mut session = Session::new(files, options);
    let scene = read(&mut session, path, &ScenePlace::without_robots());
    session.finish(scene)
}

/// Reads a scene whose frames may be those of links; `None` after at least one fault.
pub(crate) fn read(session: &mut Session<'_>, path: &Path, place: &ScenePlace) -> Option<Scene> {
    let text = &*session.read_text(path, limits::DESCRIPTION_BYTES, "give a planning scene in YAML")?;
    if let Some((what, help)) = other_kind(path, text) {
        session.log.add_fault(path, "", what, help);
        return None;
    }
    if is_scene_text(text) {
        let before = session.log.fault_count();
        let text::Saved { name, obstacles } = text::read(text, path, &mut session.log);
        let scene = Scene { name, obstacles, ..Scene::default() };
        no_twin_objects(&scene, path, &mut session.log);
        return (session.log.fault_count() == before).then_some(scene);
    }
    let root = from_yaml(text, path, &mut session.log)?;
    let before = session.log.fault_count();
    let mut reader = SceneReader {
        session,
        file: path,
        place,
        planning: None,
        frames: BTreeMap::new(),
        odd_quaternions: 0,
    };
    let scene = reader.read_scene(&root);
    if reader.odd_quaternions > 0 {
        let what = format!(
            "{} treated as no rotation, as in MoveIt",
            counted_things(reader.odd_quaternions, "all-zero quaternion")
        );
        session.log.add_warning(path, "", what, "");
    }
    (session.log.fault_count() == before).then_some(scene)
}

/// What a file is that is no scene but another file of this program, and what to do.
fn other_kind(path: &Path, text: &str) -> Option<(&'static str, &'static str)> {
    let is_toml = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"));
    let tables = || text.lines().any(|line| line.trim_start().starts_with("[["));
    if text.trim_start().starts_with('<') {
        let help = "give a URDF as the urdf of a [[robot]], and a planning scene (YAML, or .scene) here";
        Some(("is XML, and no planning scene", help))
    } else if is_toml || tables() {
        let help = "give it to the program in the place of this one, or write its robots and obstacles here";
        Some(("is a world file, and no planning scene", help))
    } else {
        None
    }
}

/// Faults each object whose id another one has.
fn no_twin_objects(scene: &Scene, path: &Path, log: &mut Log) {
    let mut seen = BTreeSet::new();
    for obstacle in &scene.obstacles {
        if !seen.insert(obstacle.name.as_str()) {
            let what = format!("the object id {:?} is used twice", short_text(&obstacle.name));
            log.add_fault(path, "", what, "rename one");
        }
    }
}

impl SceneReader<'_, '_> {
    fn read_scene(&mut self, root: &Node) -> Scene {
        let mut scene = Scene::default();
        let known = ["world", "robot_state", "allowed_collision_matrix", "fixed_frame_transforms"];
        if !known.iter().any(|k| root.get(k).is_some()) {
            let what = "is not a planning scene: it has no world, robot_state or allowed_collision_matrix";
            self.tree_reader().add_fault(root, "", what, "give a moveit_msgs/PlanningScene in YAML");
            return scene;
        }
        for key in ["world", "robot_state", "allowed_collision_matrix"] {
            if let Some(found) = root.get(key).filter(|n| n.as_map().is_none()) {
                self.tree_reader().add_fault(
                    found,
                    key,
                    "is not a table of keys and values",
                    "write keys and values",
                );
            }
        }
        for (key, slot) in [("name", &mut scene.name), ("robot_model_name", &mut scene.robot_model_name)] {
            if let Some(text) = root.get(key).and_then(Node::as_text) {
                *slot = text.to_string();
            }
        }
        self.read_fixed_frames(root);
        if let Some(state) = root.get("robot_state") {
            self.read_robot_state(state, &mut scene);
        }
        if let Some(world) = root.get("world") {
            self.read_world(world, &mut scene);
        }
        if let Some(matrix) = root.get("allowed_collision_matrix") {
            scene.allowed = self.read_matrix(matrix);
        }
        scene.grown = self.grown_links(root);
        no_twin_objects(&scene, self.file, &mut self.session.log);
        scene.planning_frame = self.planning.clone().unwrap_or_default();
        scene
    }

    fn read_robot_state(&mut self, state: &Node, scene: &mut Scene) {
        let label = "robot_state";
        if let Some(joints) = state.get("joint_state") {
            let names = self.tree_reader().read_texts(joints, label, "name");
            let positions = self.tree_reader().read_list(joints, label, "position");
            if names.len() != positions.len() {
                let what = format!(
                    "has {} but {}",
                    counted_things(names.len(), "joint name"),
                    counted_things(positions.len(), "position")
                );
                self.tree_reader().add_fault(joints, label, what, "give one position for each name");
            }
            self.refuse_twins(joints, label, "name", &names);
            for (name, position) in names.into_iter().zip(positions) {
                match position.as_number() {
                    Some(v) => scene.joint_state.push((name, vec![v])),
                    None => {
                        let what = format!("the position of {:?} is not a finite number", short_text(&name));
                        self.tree_reader().add_fault(position, label, what, "correct it");
                    }
                }
            }
        }
        if let Some(joints) = state.get("multi_dof_joint_state") {
            let names = self.tree_reader().read_texts(joints, label, "joint_names");
            let transforms = self.tree_reader().read_list(joints, label, "transforms");
            if names.len() != transforms.len() {
                let what = format!(
                    "has {} but {}",
                    counted_things(names.len(), "joint name"),
                    counted_things(transforms.len(), "transform")
                );
                self.tree_reader().add_fault(joints, label, what, "give one transform for each name");
            }
            self.refuse_twins(joints, label, "joint_names", &names);
            for (name, transform) in names.into_iter().zip(transforms) {
                if let Some((xyz, quat)) = self.read_pose_parts(transform, label) {
                    scene.joint_state.push((name, [&xyz[..], &quat[..]].concat()));
                }
            }
        }
        for (k, held) in
            self.tree_reader().read_list(state, label, "attached_collision_objects").iter().enumerate()
        {
            let link = self.tree_reader().read_text(held, label, "link_name", false).map(str::to_string);
            let touch = self.tree_reader().read_texts(held, label, "touch_links");
            let Some(object) = held.get("object") else {
                let what = format!("attached object {} has no object", k + 1);
                self.tree_reader().add_fault(held, label, what, "give its shapes under object");
                continue;
            };
            let Some(link) = link else { continue };
            let frame = object
                .get("header")
                .and_then(|h| h.get("frame_id"))
                .and_then(Node::as_text)
                .map(bare_frame)
                .unwrap_or("");
            let frame_in_link = match frame {
                "" => Some(Transform::IDENTITY),
                own if own == link => Some(Transform::IDENTITY),
                other => self.place.robot.find_between(other, &link),
            };
            let Some(frame_in_link) = frame_in_link else {
                let what = format!("its pose is given in {frame:?}, not in the link {link:?} that holds it");
                let help = "give the pose in the link's frame, or in that of a link that is fixed to it";
                self.tree_reader().add_fault(object, label, what, help);
                continue;
            };
            if let Some(mut obstacle) = self.read_object(object, frame_in_link) {
                obstacle.attached_to = Some(Attachment { body: link, touch });
                scene.obstacles.push(obstacle);
            }
        }
    }

    fn read_world(&mut self, world: &Node, scene: &mut Scene) {
        for object in self.tree_reader().read_list(world, "world", "collision_objects") {
            let id = object.get("id").and_then(Node::as_text).unwrap_or("");
            let label = format!("object {:?}", short_text(id));
            match operation_code(object) {
                Some(1) => {
                    self.tree_reader().add_warning(object, &label, "has the operation REMOVE: ignored", "");
                    continue;
                }
                Some(_) => {}
                None => {
                    self.tree_reader().add_fault(object, &label, "its operation is unknown", "use ADD");
                    continue;
                }
            }
            let Some(frame) = self.find_frame(object, &label) else { continue };
            scene.obstacles.extend(self.read_object(object, frame));
        }
        let octomap = world.get("octomap").and_then(|o| o.get("octomap")).and_then(|o| o.get("data"));
        if let Some(data) = octomap.filter(|d| d.as_list().is_none_or(|l| !l.is_empty())) {
            let help = "give the occupied space as obstacles, or remove the octomap if it is not wanted";
            self.tree_reader().add_fault(data, "world", "holds an OctoMap, which is not supported", help);
        }
    }
}
