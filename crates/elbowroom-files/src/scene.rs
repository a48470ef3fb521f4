//! MoveIt planning scenes in YAML: obstacles, held objects, the allowed collision matrix and the joint state.
//!
//! Both ways of writing are read: vectors as lists or as `{x, y, z}`, primitive types by number or by name,
//! object poses of newer MoveIt versions, meshes inline or by resource. Planes and OctoMaps have no bounded
//! shape here and are faults: leaving one out would make the scene look free.

use crate::fault::{Faults, Loaded};
use crate::limits;
use crate::mesh::{Builder, UnitRule};
use crate::shape::indices;
use crate::source::{Disk, Files, Options, Session};
use crate::tree::{Node, Reading, from_yaml};
use crate::urdf::place_mesh;
use crate::xml::shortened;
use elbowroom::describe::{Attachment, ObstacleDescription, PlacedShape, ShapeDescription};
use elbowroom::math::{Mat3, Transform};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A planning scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// What the file calls itself, or empty.
    pub name: String,
    /// The robot it was made for, or empty.
    pub robot_model_name: String,
    /// The frame that all poses here refer to: a fixed frame or the robot's root link; may be empty.
    pub planning_frame: String,
    /// Obstacles, in the planning frame. Held ones ([`ObstacleDescription::attached_to`]) in their link's
    /// frame; links are named without a robot.
    pub obstacles: Vec<ObstacleDescription>,
    /// Which pairs the scene says need no check.
    pub allowed: AllowedCollisions,
    /// Joint names and their values; seven for a free joint: x, y, z (metres), quaternion w, x, y, z.
    pub joint_state: Vec<(String, Vec<f64>)>,
}

/// MoveIt's allowed collision matrix: names are links of the robot or obstacles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AllowedCollisions {
    /// Names of rows and columns.
    pub names: Vec<String>,
    /// True where a pair needs no check; square, as many rows as names.
    pub values: Vec<Vec<bool>>,
    /// For names in pairs that the matrix does not hold.
    pub defaults: Vec<(String, bool)>,
}

impl AllowedCollisions {
    /// The pairs among `bodies` that need no check. A pair in the matrix counts as it stands there; for any
    /// other the defaults of its two names decide, and both must allow it where both have one.
    pub fn pairs<'b>(&self, bodies: &[&'b str]) -> Vec<(&'b str, &'b str)> {
        let row: BTreeMap<&str, usize> =
            self.names.iter().enumerate().map(|(i, n)| (n.as_str(), i)).collect();
        let default: BTreeMap<&str, bool> = self.defaults.iter().map(|(n, v)| (n.as_str(), *v)).collect();
        let mut out = Vec::new();
        for (i, a) in bodies.iter().enumerate() {
            for b in &bodies[i + 1..] {
                let entry = match (row.get(a), row.get(b)) {
                    (Some(&i), Some(&j)) => self.values.get(i).and_then(|r| r.get(j)).copied(),
                    _ => None,
                };
                let allowed = entry.unwrap_or_else(|| match (default.get(a), default.get(b)) {
                    (Some(x), Some(y)) => *x && *y,
                    (Some(x), None) | (None, Some(x)) => *x,
                    (None, None) => false,
                });
                if allowed {
                    out.push((*a, *b));
                }
            }
        }
        out
    }
}

/// Reads a planning scene. Lengths in metres.
///
/// # Errors
/// All faults of the scene and its meshes together.
pub fn load_scene(path: &Path, options: &Options) -> Result<Loaded<Scene>, Faults> {
    load_scene_from(&Disk, path, options)
}

/// [`load_scene`] from any [`Files`].
pub fn load_scene_from(files: &dyn Files, path: &Path, options: &Options) -> Result<Loaded<Scene>, Faults> {
    let mut session = Session::new(files, options);
    let scene = read(&mut session, path);
    session.log.finish(scene)
}

/// Reads a scene; `None` after at least one fault.
pub(crate) fn read(session: &mut Session<'_>, path: &Path) -> Option<Scene> {
    let bytes = session.read(path, limits::DESCRIPTION_BYTES)?;
    let Ok(text) = std::str::from_utf8(&bytes) else {
        session.log.fault(path, "", "is not UTF-8 text", "give a planning scene in YAML");
        return None;
    };
    let root = from_yaml(text, path, &mut session.log)?;
    let before = session.log.count();
    let mut reader =
        Reader { session, file: path, planning: None, frames: BTreeMap::new(), odd_quaternions: 0 };
    let scene = reader.scene(&root);
    if reader.odd_quaternions > 0 {
        let what =
            format!("{} all-zero quaternions are taken as no rotation, as in MoveIt", reader.odd_quaternions);
        session.log.warn(path, "", what, "");
    }
    (session.log.count() == before).then_some(scene)
}

struct Reader<'a, 'f> {
    session: &'a mut Session<'f>,
    file: &'a Path,
    /// The frame all others are given in, once known.
    planning: Option<String>,
    /// Fixed frames in the planning frame.
    frames: BTreeMap<String, Transform>,
    odd_quaternions: usize,
}

impl Reader<'_, '_> {
    fn r(&mut self) -> Reading<'_> {
        Reading { file: self.file, log: &mut self.session.log }
    }

    fn scene(&mut self, root: &Node) -> Scene {
        let mut scene = Scene::default();
        let known = ["world", "robot_state", "allowed_collision_matrix", "fixed_frame_transforms"];
        if !known.iter().any(|k| root.get(k).is_some()) {
            let what = "is not a planning scene: it has no world, robot_state or allowed_collision_matrix";
            self.r().fault(root, "", what, "give a moveit_msgs/PlanningScene in YAML");
            return scene;
        }
        for key in ["world", "robot_state", "allowed_collision_matrix"] {
            if let Some(found) = root.get(key).filter(|n| n.map().is_none()) {
                self.r().fault(found, key, "is not a table of keys and values", "write keys and values");
            }
        }
        for (key, slot) in [("name", &mut scene.name), ("robot_model_name", &mut scene.robot_model_name)] {
            if let Some(text) = root.get(key).and_then(Node::text) {
                *slot = text.to_string();
            }
        }
        self.fixed_frames(root);
        if let Some(state) = root.get("robot_state") {
            self.robot_state(state, &mut scene);
        }
        if let Some(world) = root.get("world") {
            self.world(world, &mut scene);
        }
        if let Some(matrix) = root.get("allowed_collision_matrix") {
            scene.allowed = self.matrix(matrix);
        }
        let mut seen = BTreeSet::new();
        for obstacle in &scene.obstacles {
            if !seen.insert(obstacle.name.as_str()) {
                let what = format!("the object id {:?} is used twice", shortened(&obstacle.name));
                self.session.log.fault(self.file, "", what, "rename one");
            }
        }
        scene.planning_frame = self.planning.clone().unwrap_or_default();
        scene
    }

    /// MoveIt writes each fixed frame as `header.frame_id`, posed in the planning frame `child_frame_id`.
    fn fixed_frames(&mut self, root: &Node) {
        for item in self.r().list(root, "", "fixed_frame_transforms") {
            let label = "fixed_frame_transforms";
            let Some(planning) = self.r().text(item, label, "child_frame_id", false).map(bare) else {
                continue;
            };
            let frame = item
                .get("header")
                .and_then(|h| h.get("frame_id"))
                .and_then(Node::text)
                .map(bare)
                .unwrap_or("");
            let pose = item.get("transform").map_or(Some(Transform::IDENTITY), |t| self.pose(t, label));
            let Some(pose) = pose else { continue };
            match &self.planning {
                Some(known) if known != planning => {
                    let what = format!("leads to the frame {planning:?}, but others lead to {known:?}");
                    self.r().fault(item, label, what, "give all fixed frames in one planning frame");
                    continue;
                }
                _ => self.planning = Some(planning.to_string()),
            }
            if !frame.is_empty() && frame != planning {
                self.frames.insert(frame.to_string(), pose);
            }
        }
    }

    /// The frame of a message in the planning frame.
    fn frame(&mut self, node: &Node, label: &str) -> Option<Transform> {
        let name =
            node.get("header").and_then(|h| h.get("frame_id")).and_then(Node::text).map(bare).unwrap_or("");
        if name.is_empty() || self.planning.as_deref() == Some(name) {
            return Some(Transform::IDENTITY);
        }
        if let Some(pose) = self.frames.get(name) {
            return Some(*pose);
        }
        if self.planning.is_none() {
            // The file does not say: the first frame it uses must serve.
            self.planning = Some(name.to_string());
            return Some(Transform::IDENTITY);
        }
        let known: Vec<&str> =
            self.frames.keys().map(String::as_str).chain(self.planning.as_deref()).collect();
        let mut help = self.session.log.did_you_mean(name, known.iter().copied());
        if help.is_empty() {
            help = "give the pose in the planning frame, or add the frame to fixed_frame_transforms".into();
        }
        let what = format!("its frame {:?} is not a fixed frame of this scene", shortened(name));
        self.r().fault(node, label, what, help);
        None
    }

    fn robot_state(&mut self, state: &Node, scene: &mut Scene) {
        let label = "robot_state";
        if let Some(joints) = state.get("joint_state") {
            let names = self.r().texts(joints, label, "name");
            let positions = self.r().list(joints, label, "position");
            if names.len() != positions.len() {
                let what = format!("has {} joint names but {} positions", names.len(), positions.len());
                self.r().fault(joints, label, what, "give one position for each name");
            }
            for (name, position) in names.into_iter().zip(positions) {
                match position.number() {
                    Some(v) => scene.joint_state.push((name, vec![v])),
                    None => {
                        let what = format!("the position of {:?} is not a finite number", shortened(&name));
                        self.r().fault(position, label, what, "mend it");
                    }
                }
            }
        }
        if let Some(joints) = state.get("multi_dof_joint_state") {
            let names = self.r().texts(joints, label, "joint_names");
            let transforms = self.r().list(joints, label, "transforms");
            for (name, transform) in names.into_iter().zip(transforms) {
                if let Some((xyz, quat)) = self.pose_parts(transform, label) {
                    scene.joint_state.push((name, [&xyz[..], &quat[..]].concat()));
                }
            }
        }
        for (k, held) in self.r().list(state, label, "attached_collision_objects").iter().enumerate() {
            let link = self.r().text(held, label, "link_name", false).map(str::to_string);
            let touch = self.r().texts(held, label, "touch_links");
            let Some(object) = held.get("object") else {
                let what = format!("attached object {} has no object", k + 1);
                self.r().fault(held, label, what, "give its shapes under object");
                continue;
            };
            let Some(link) = link else { continue };
            let frame = object
                .get("header")
                .and_then(|h| h.get("frame_id"))
                .and_then(Node::text)
                .map(bare)
                .unwrap_or("");
            if !frame.is_empty() && frame != link {
                let what = format!("its pose is given in {frame:?}, not in the link {link:?} that holds it");
                self.r().fault(object, label, what, "give the pose in the link's frame");
                continue;
            }
            if let Some(mut obstacle) = self.object(object, Transform::IDENTITY) {
                obstacle.attached_to = Some(Attachment { body: link, touch });
                scene.obstacles.push(obstacle);
            }
        }
    }

    fn world(&mut self, world: &Node, scene: &mut Scene) {
        for object in self.r().list(world, "world", "collision_objects") {
            let id = object.get("id").and_then(Node::text).unwrap_or("");
            let label = format!("object {:?}", shortened(id));
            match operation(object) {
                Some(1) => {
                    self.r().warn(object, &label, "is to be removed: not added", "");
                    continue;
                }
                Some(_) => {}
                None => {
                    self.r().fault(object, &label, "its operation is not known", "use ADD");
                    continue;
                }
            }
            let Some(frame) = self.frame(object, &label) else { continue };
            scene.obstacles.extend(self.object(object, frame));
        }
        let octomap = world.get("octomap").and_then(|o| o.get("octomap")).and_then(|o| o.get("data"));
        if let Some(data) = octomap.filter(|d| d.list().is_none_or(|l| !l.is_empty())) {
            let help = "give the occupied space as obstacles, or remove the octomap if it is not wanted";
            self.r().fault(data, "world", "holds an OctoMap, which is not read", help);
        }
    }

    /// An object whose frame lies at `frame_in_scene`; its own pose, if it has one, becomes the obstacle's.
    fn object(&mut self, node: &Node, frame_in_scene: Transform) -> Option<ObstacleDescription> {
        let name = self.r().text(node, "collision_objects", "id", false)?.to_string();
        let label = &format!("object {:?}", shortened(&name));
        let own = node.get("pose").map_or(Some(Transform::IDENTITY), |p| self.pose(p, label));
        for (key, what) in [("planes", "a plane"), ("plane_poses", "a plane")] {
            if let Some(found) = node.get(key).filter(|p| p.list().is_none_or(|l| !l.is_empty())) {
                self.r().fault(
                    found,
                    label,
                    format!("holds {what}, which has no end and is not read"),
                    "use a large box",
                );
                break;
            }
        }
        let mut shapes = Vec::new();
        let mut whole = true;
        for (items, poses) in [("primitives", "primitive_poses"), ("meshes", "mesh_poses")] {
            let (all, poses_given) = (self.r().list(node, label, items), self.r().list(node, label, poses));
            if poses_given.len() > all.len() {
                let what = format!("has {} {poses} for {} {items}", poses_given.len(), all.len());
                self.r().fault(node, label, what, "give one pose for each");
                whole = false;
            }
            for (k, item) in all.iter().enumerate() {
                let shape =
                    if items == "primitives" { self.primitive(item, label) } else { self.mesh(item, label) };
                let pose = poses_given.get(k).map_or(Some(Transform::IDENTITY), |p| self.pose(p, label));
                match (shape, pose) {
                    (Some(shape), Some(shape_in_body)) => {
                        let name = format!("{items}[{k}]");
                        shapes.push(PlacedShape { name, shape_in_body, shape, padding: 0.0 });
                    }
                    _ => whole = false,
                }
            }
        }
        if shapes.is_empty() && whole {
            self.r().fault(node, label, "has no shape", "give primitives or meshes");
            return None;
        }
        let pose = frame_in_scene * own?;
        whole.then_some(ObstacleDescription { name, pose, shapes, attached_to: None })
    }

    fn primitive(&mut self, node: &Node, label: &str) -> Option<ShapeDescription> {
        let kind = node.get("type").map(|t| (t.number(), t.text().map(str::to_ascii_lowercase)));
        let kind = match &kind {
            Some((Some(1.0), _)) => "box",
            Some((Some(2.0), _)) => "sphere",
            Some((Some(3.0), _)) => "cylinder",
            Some((Some(4.0), _)) => "cone",
            Some((_, Some(word))) => word.as_str(),
            _ => "",
        };
        let needed = match kind {
            "box" => 3,
            "sphere" => 1,
            "cylinder" | "cone" => 2,
            other => {
                let what = format!("the primitive type {:?} is not known", shortened(other));
                self.r().fault(node, label, what, "use box, sphere, cylinder or cone");
                return None;
            }
        };
        let values: Option<Vec<f64>> = self
            .r()
            .list(node, label, "dimensions")
            .iter()
            .map(|d| d.number().filter(|v| *v >= 0.0))
            .collect();
        let Some(d) = values.filter(|d| d.len() == needed) else {
            let what = format!("the dimensions of a {kind} are {needed} finite numbers of zero or more");
            self.r().fault(node, label, what, "mend the dimensions");
            return None;
        };
        // shape_msgs/SolidPrimitive: the height of cylinders and cones comes before their radius.
        Some(match kind {
            "box" => ShapeDescription::Box { size: [d[0], d[1], d[2]] },
            "sphere" => ShapeDescription::Sphere { radius: d[0] },
            "cylinder" => ShapeDescription::Cylinder { radius: d[1], length: d[0] },
            _ => ShapeDescription::Cone { radius: d[1], length: d[0] },
        })
    }

    fn mesh(&mut self, node: &Node, label: &str) -> Option<ShapeDescription> {
        if node.get("resource").is_some() {
            let resource = self.r().text(node, label, "resource", false)?.to_string();
            let scale = self.r().numbers::<3>(node, label, "dimensions", Some([1.0; 3]))?;
            if scale.contains(&0.0) {
                self.r().fault(node, label, "the dimensions flatten the mesh", "no factor may be zero");
                return None;
            }
            let path = match self.session.resolve(&resource, self.file) {
                Ok(path) => path,
                Err((what, help)) => {
                    self.r().fault(node, label, what, help);
                    return None;
                }
            };
            let place = format!("line {}, {label}", node.line);
            return place_mesh(self.session, self.file, &place, &path, scale, false, UnitRule::Ignore);
        }
        let mut points = Vec::new();
        for (k, item) in self.r().list(node, label, "vertices").iter().enumerate() {
            match vector(item, ["x", "y", "z"]) {
                Some(p) => points.push(p),
                None => {
                    self.r().fault(item, label, format!("vertex {k} is not three finite numbers"), "mend it");
                    return None;
                }
            }
        }
        let mut builder = Builder::default();
        let welded: Vec<u32> = points.iter().map(|p| builder.vertex(*p)).collect();
        for (k, item) in self.r().list(node, label, "triangles").iter().enumerate() {
            let corners = item.get("vertex_indices").unwrap_or(item).numbers::<3>();
            match corners.and_then(|t| indices(t, points.len())) {
                Some(t) => builder.triangle(t.map(|i| welded[i as usize])),
                None => {
                    let what = format!("triangle {k} is not three indices of its {} vertices", points.len());
                    self.r().fault(item, label, what, "indices count from 0");
                    return None;
                }
            }
        }
        if builder.mesh.triangles.is_empty() {
            self.r().fault(
                node,
                label,
                "a mesh without triangles",
                "give vertices and triangles, or a resource",
            );
            return None;
        }
        Some(ShapeDescription::Mesh { vertices: builder.mesh.vertices, triangles: builder.mesh.triangles })
    }

    fn pose(&mut self, node: &Node, label: &str) -> Option<Transform> {
        let (xyz, quat) = self.pose_parts(node, label)?;
        let rotation = Mat3::from_quat_wxyz(quat)?;
        Some(Transform::new(rotation, xyz.into()))
    }

    /// Position and quaternion (w, x, y, z) of a geometry_msgs Pose or Transform; either may be missing.
    fn pose_parts(&mut self, node: &Node, label: &str) -> Option<([f64; 3], [f64; 4])> {
        if node.map().is_none() {
            self.r().fault(node, label, "is not a pose", "give position and orientation");
            return None;
        }
        let xyz = match node.get("position").or_else(|| node.get("translation")) {
            None => [0.0; 3],
            Some(found) => match vector(found, ["x", "y", "z"]) {
                Some(v) => v,
                None => {
                    self.r().fault(found, label, "a position is not three finite numbers", "mend it");
                    return None;
                }
            },
        };
        let quat = match node.get("orientation").or_else(|| node.get("rotation")) {
            None => [1.0, 0.0, 0.0, 0.0],
            Some(found) => match vector(found, ["x", "y", "z", "w"]) {
                Some([x, y, z, w]) => [w, x, y, z],
                None => {
                    self.r().fault(
                        found,
                        label,
                        "an orientation is not four finite numbers x, y, z, w",
                        "mend it",
                    );
                    return None;
                }
            },
        };
        if quat == [0.0; 4] {
            self.odd_quaternions += 1;
            return Some((xyz, [1.0, 0.0, 0.0, 0.0]));
        }
        Some((xyz, quat))
    }

    fn matrix(&mut self, node: &Node) -> AllowedCollisions {
        let label = "allowed_collision_matrix";
        let names = self.r().texts(node, label, "entry_names");
        let mut values: Vec<Vec<bool>> = Vec::new();
        for row in self.r().list(node, label, "entry_values") {
            let items = row.get("enabled").unwrap_or(row);
            let bools: Option<Vec<bool>> =
                items.list().map(|l| l.iter().map(Node::bool).collect()).unwrap_or(None);
            match bools.filter(|b| b.len() == names.len()) {
                Some(b) => values.push(b),
                None => {
                    let what = format!("a row is not {} times true or false", names.len());
                    self.r().fault(row, label, what, "give a square matrix");
                    return AllowedCollisions::default();
                }
            }
        }
        if values.len() != names.len() {
            let what = format!("has {} names but {} rows", names.len(), values.len());
            self.r().fault(node, label, what, "give a square matrix");
            return AllowedCollisions::default();
        }
        let default_names = self.r().texts(node, label, "default_entry_names");
        let default_values = self.r().list(node, label, "default_entry_values");
        let bools: Option<Vec<bool>> = default_values.iter().map(Node::bool).collect();
        match bools.filter(|b| b.len() == default_names.len()) {
            Some(b) => {
                AllowedCollisions { names, values, defaults: default_names.into_iter().zip(b).collect() }
            }
            None => {
                self.r().fault(
                    node,
                    label,
                    "its default entries do not fit their names",
                    "give one value a name",
                );
                AllowedCollisions::default()
            }
        }
    }
}

/// moveit_msgs/CollisionObject operation: 0 add, 1 remove, 2 append, 3 move.
fn operation(object: &Node) -> Option<u8> {
    let Some(node) = object.get("operation") else { return Some(0) };
    match (node.number(), node.text().map(str::to_ascii_lowercase).as_deref()) {
        (Some(0.0), _) | (_, Some("add" | "")) => Some(0),
        (Some(1.0), _) | (_, Some("remove")) => Some(1),
        (Some(2.0), _) | (_, Some("append")) => Some(2),
        (Some(3.0), _) | (_, Some("move")) => Some(3),
        // Message dumps may hold the byte as text.
        (_, Some("\0")) => Some(0),
        _ => None,
    }
}

/// Old ROS writes frames with a leading slash.
fn bare(frame: &str) -> &str {
    frame.strip_prefix('/').unwrap_or(frame)
}

/// A vector as a list or as a map of named parts.
fn vector<const N: usize>(node: &Node, parts: [&str; N]) -> Option<[f64; N]> {
    if node.list().is_some() {
        return node.numbers::<N>();
    }
    node.map()?;
    let mut out = [0.0; N];
    for (slot, part) in out.iter_mut().zip(parts) {
        *slot = node.get(part)?.number()?;
    }
    Some(out)
}
