//! World files: robots and obstacles, what holds what, and what is to be checked.
//!
//! ```toml
//! margin = 0.02                      # clearance below which a verdict is `near` (metres)
//! padding = 0.0                      # added to every robot shape (metres)
//! checks = [["left", "world"]]       # pairs of groups to check; without it, everything that can move
//!
//! [[robot]]
//! urdf = "arm.urdf"                  # beside this file, or package://...
//! name = "left"                      # default: the URDF's name
//! srdf = "arm.srdf"                  # default: the one beside the URDF; false: none
//! xyz = [0, 0, 0]                    # root link in the world (metres)
//! rpy = [0, 0, 0]                    # or quat_wxyz = [1, 0, 0, 0]
//! padding = 0.005
//! package_path = ["packages"]
//!
//! [[obstacle]]
//! name = "table"
//! xyz = [0.6, 0, -0.02]
//! shape = { type = "box", size = [1, 1, 0.04] }       # or shapes = [{...}, {...}], each with its own xyz, rpy
//! mesh = { file = "vice.stl", scale = [0.001, 0.001, 0.001] }
//!
//! [[obstacle]]
//! name = "workpiece"
//! attached_to = "left/tool0"         # its pose is then in that link's frame
//! touch = ["left/finger"]
//! shape = { type = "cylinder", radius = 0.02, length = 0.1 }
//!
//! [[scene]]                          # a MoveIt planning scene
//! file = "scene0001.yaml"
//! robot = "left"                     # whose links it means; default: the only robot
//! prefix = ""                        # put before its object names
//! allowed = true                     # take over its allowed collision matrix
//!
//! [[group]]
//! name = "hands"
//! members = ["left/hand", "right/hand"]
//!
//! [[allow]]
//! a = "left/hand"
//! b = "world/table"
//! reason = "rests on it"
//! ```

use crate::fault::{Faults, Loaded};
use crate::mesh::UnitRule;
use crate::source::{Disk, Files, Options, Session};
use crate::tree::{Node, Reading, from_toml};
use crate::urdf::place_mesh;
use crate::xml::shortened;
use crate::{limits, robot, scene, shape};
use elbowroom::describe::{
    AllowedPair, Attachment, BodyGroup, ObstacleDescription, PlacedRobot, PlacedShape, ShapeDescription,
    WorldDescription,
};
use elbowroom::math::Transform;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Reads a world file (`.toml`), or a bare URDF as a world of that robot alone at the origin.
///
/// # Errors
/// All faults of the world, its robots, meshes and scenes together.
pub fn load_world(path: &Path, options: &Options) -> Result<Loaded<WorldDescription>, Faults> {
    load_world_from(&Disk, path, options)
}

/// [`load_world`] from any [`Files`].
pub fn load_world_from(
    files: &dyn Files,
    path: &Path,
    options: &Options,
) -> Result<Loaded<WorldDescription>, Faults> {
    let mut session = Session::new(files, options);
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let world = match extension.as_str() {
        "toml" => read(&mut session, path),
        "urdf" | "xacro" | "xml" => alone(&mut session, path),
        "yaml" | "yml" => {
            let help = "write a world file (.toml) with a [[robot]] and a [[scene]] file = \"...\"";
            session.log.fault(path, "", "is a YAML file; a planning scene alone has no robot", help);
            None
        }
        "sdf" | "mjcf" => {
            let what = format!("is a .{extension} file, which is not read");
            session.log.fault(path, "", what, "give a URDF or a world file (.toml)");
            None
        }
        _ => {
            // Without a telling name, the first character tells XML from TOML.
            let head =
                session.files.read(path, session.options.max_file_bytes.min(limits::DESCRIPTION_BYTES));
            match head {
                Ok(bytes) if bytes.trim_ascii_start().starts_with(b"<") => alone(&mut session, path),
                _ => read(&mut session, path),
            }
        }
    };
    session.log.finish(world)
}

fn alone(session: &mut Session<'_>, path: &Path) -> Option<WorldDescription> {
    let srdf = robot::srdf_of(session, path);
    let robot = robot::read(session, path, srdf.as_deref())?;
    let placed = PlacedRobot { name: robot.name.clone(), base_in_world: Transform::IDENTITY, robot };
    Some(WorldDescription { robots: vec![placed], ..WorldDescription::default() })
}

fn read(session: &mut Session<'_>, path: &Path) -> Option<WorldDescription> {
    let bytes = session.read(path, limits::TREE_BYTES as u64)?;
    let Ok(text) = std::str::from_utf8(&bytes) else {
        session.log.fault(path, "", "is not UTF-8 text", "give a world file (.toml) or a URDF");
        return None;
    };
    let root = from_toml(text.strip_prefix('\u{feff}').unwrap_or(text), path, &mut session.log)?;
    let before = session.log.count();
    let mut reader = Reader { session, file: path, world: WorldDescription::default() };
    reader.world(&root);
    let world = reader.world;
    (session.log.count() == before).then_some(world)
}

const POSE: [&str; 3] = ["xyz", "rpy", "quat_wxyz"];

struct Reader<'a, 'f> {
    session: &'a mut Session<'f>,
    file: &'a Path,
    world: WorldDescription,
}

impl Reader<'_, '_> {
    fn r(&mut self) -> Reading<'_> {
        Reading { file: self.file, log: &mut self.session.log }
    }

    fn world(&mut self, root: &Node) {
        let known = ["margin", "padding", "robot", "obstacle", "scene", "group", "allow", "checks"];
        self.r().keys(root, "", &known);
        self.world.margin = self.r().size(root, "", "margin", Some(0.0)).unwrap_or(0.0);
        self.world.padding = self.r().size(root, "", "padding", Some(0.0)).unwrap_or(0.0);
        let mut names = BTreeMap::new();
        let robots = self.r().list(root, "", "robot");
        if self.session.options.srdf.is_some() && robots.len() > 1 {
            let what = "an SRDF was given for a world of several robots";
            self.r().fault(root, "", what, "name each robot's SRDF in the world file");
        }
        for key in ["robot", "scene"] {
            let count = root.get(key).and_then(Node::list).map_or(0, <[Node]>::len);
            if count > limits::ROBOTS {
                let what = format!("has {count} entries [[{key}]], more than {}", limits::ROBOTS);
                return self.r().fault(root, "", what, "split the world");
            }
        }
        for (k, node) in robots.iter().enumerate() {
            self.robot(node, k, &mut names);
        }
        let mut names = BTreeMap::new();
        for (k, node) in self.r().list(root, "", "obstacle").iter().enumerate() {
            self.obstacle(node, k, &mut names);
        }
        let before = self.session.log.count();
        for (k, node) in self.r().list(root, "", "scene").iter().enumerate() {
            self.scene(node, k, &mut names);
        }
        let scenes_are_good = self.session.log.count() == before;
        for (k, node) in self.r().list(root, "", "group").iter().enumerate() {
            let label = label(node, "group", k);
            self.r().keys(node, &label, &["name", "members"]);
            let name = self.r().text(node, &label, "name", false).map(str::to_string);
            let members = self.r().texts(node, &label, "members");
            if let Some(name) = name {
                self.world.groups.push(BodyGroup { name, members });
            }
        }
        for (k, node) in self.r().list(root, "", "allow").iter().enumerate() {
            let label = format!("allow {}", k + 1);
            self.r().keys(node, &label, &["a", "b", "reason"]);
            let a = self.r().text(node, &label, "a", false).map(str::to_string);
            let b = self.r().text(node, &label, "b", false).map(str::to_string);
            let reason = self
                .r()
                .text(node, &label, "reason", true)
                .unwrap_or("allowed in the world file")
                .to_string();
            if let (Some(a), Some(b)) = (a, b) {
                self.world.allowed.push(AllowedPair { a, b, reason });
            }
        }
        for node in self.r().list(root, "", "checks") {
            match node.list().map(|l| l.iter().map(|n| n.text()).collect::<Vec<_>>()).as_deref() {
                Some(&[Some(a), Some(b)]) => self.world.checks.push([a.to_string(), b.to_string()]),
                _ => {
                    self.r().fault(node, "checks", "a check is not two names", "write [\"left\", \"world\"]")
                }
            }
        }
        self.references(root, scenes_are_good);
        if root.get("robot").is_none() {
            self.r().fault(root, "", "has no robot", "add a [[robot]] with urdf = \"...\"");
        }
    }

    /// Faults every name of a body, robot or group that nothing here has. What could not be read may have any name.
    fn references(&mut self, root: &Node, scenes_are_good: bool) {
        let items = |key: &str| root.get(key).and_then(Node::list).unwrap_or(&[]);
        let text = |node: &Node, key: &str| node.get(key).and_then(Node::text).map(str::to_string);
        let mut known: BTreeSet<String> = ["*", "world"].map(str::to_string).into();
        for placed in &self.world.robots {
            let robot = &placed.robot;
            let parts = robot.links.iter().map(|l| &l.name).chain(robot.groups.iter().map(|g| &g.name));
            known.extend(parts.map(|part| format!("{}/{part}", placed.name)));
            known.insert(placed.name.clone());
        }
        known.extend(self.world.obstacles.iter().map(|o| format!("world/{}", o.name)));
        known.extend(items("obstacle").iter().filter_map(|o| Some(format!("world/{}", text(o, "name")?))));
        known.extend(items("group").iter().filter_map(|g| text(g, "name")));
        let named: Vec<String> = items("robot").iter().filter_map(|r| text(r, "name")).collect();
        let faulty: Vec<String> = named.into_iter().filter(|name| !known.contains(name)).collect();
        let all_named = self.world.robots.len() + faulty.len() >= items("robot").len();
        let may_be = |name: &str| match name.split_once('/') {
            Some(("world", _)) => !scenes_are_good,
            Some((robot, _)) if known.contains(robot) => false,
            Some((robot, _)) => !all_named || faulty.iter().any(|f| f == robot),
            None => !all_named || faulty.iter().any(|f| f == name),
        };

        let mut wanted: Vec<(String, &str, &Node)> = Vec::new();
        for (k, node) in items("obstacle").iter().enumerate() {
            let label = label(node, "obstacle", k);
            wanted.extend(node.get("attached_to").map(|n| (label.clone(), "attached_to", n)));
            let touch = node.get("touch").and_then(Node::list).unwrap_or(&[]);
            wanted.extend(touch.iter().map(|n| (label.clone(), "touch", n)));
        }
        for (k, node) in items("group").iter().enumerate() {
            let members = node.get("members").and_then(Node::list).unwrap_or(&[]);
            wanted.extend(members.iter().map(|n| (label(node, "group", k), "members", n)));
        }
        for (k, node) in items("allow").iter().enumerate() {
            let ends = ["a", "b"].into_iter().filter_map(|key| Some((key, node.get(key)?)));
            wanted.extend(ends.map(|(key, n)| (format!("allow {}", k + 1), key, n)));
        }
        for (k, node) in items("checks").iter().enumerate() {
            let ends = node.list().unwrap_or(&[]).iter();
            wanted.extend(ends.map(|n| (format!("check {}", k + 1), "", n)));
        }
        for (label, key, node) in wanted {
            let Some(name) = node.text().filter(|name| !known.contains(*name) && !may_be(name)) else {
                continue;
            };
            let mut help = self.session.log.did_you_mean(name, known.iter().map(String::as_str));
            if help.is_empty() {
                help = "bodies are called robot/link or world/obstacle".into();
            }
            let refers = if key.is_empty() { "refers" } else { " refers" };
            let what = format!(
                "{key}{refers} to {:?}, which no body, group or robot here is called",
                shortened(name)
            );
            self.r().fault(node, &label, what, help);
        }
    }

    /// A file that this world file names.
    fn file(&mut self, node: &Node, label: &str, key: &str) -> Option<PathBuf> {
        let reference = self.r().text(node, label, key, false)?.to_string();
        match self.session.resolve(&reference, self.file) {
            Ok(path) => Some(path),
            Err((what, help)) => {
                self.r().fault(node.get(key).unwrap_or(node), label, what, help);
                None
            }
        }
    }

    fn robot(&mut self, node: &Node, k: usize, names: &mut BTreeMap<String, usize>) {
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

    fn obstacle(&mut self, node: &Node, k: usize, names: &mut BTreeMap<String, usize>) {
        let label = label(node, "obstacle", k);
        let known = ["name", "shape", "shapes", "mesh", "padding", "attached_to", "touch"];
        if !self.r().keys(node, &label, &[&known[..], &POSE[..]].concat()) {
            return;
        }
        let before = self.session.log.count();
        let name = self.r().text(node, &label, "name", false).unwrap_or("").to_string();
        let pose = self.r().pose(node, &label);
        let padding = self.r().size(node, &label, "padding", Some(0.0)).unwrap_or(0.0);
        let attached_to = self.r().text(node, &label, "attached_to", true).map(str::to_string);
        let touch = self.r().texts(node, &label, "touch");
        if attached_to.is_none() && !touch.is_empty() {
            self.r().fault(
                node,
                &label,
                "touch is only for attached obstacles",
                "give attached_to, or use [[allow]]",
            );
        }
        let mut parts: Vec<&Node> = node.get("shape").into_iter().collect();
        parts.extend(self.r().list(node, &label, "shapes"));
        let mut shapes = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            shapes.extend(self.shape(part, &format!("{label}, shape {}", i + 1)));
        }
        if let Some(mesh) = node.get("mesh") {
            shapes.extend(self.mesh_part(mesh, &format!("{label}, mesh")));
        }
        if shapes.is_empty() && self.session.log.count() == before {
            self.r().fault(node, &label, "has no shape", "give shape, shapes or mesh");
        }
        for shape in &mut shapes {
            shape.padding += padding;
        }
        self.new_name(node, &label, &name, names);
        if let (Some(pose), true) = (pose, self.session.log.count() == before) {
            let attached_to = attached_to.map(|body| Attachment { body, touch });
            self.world.obstacles.push(ObstacleDescription { name, pose, shapes, attached_to });
        }
    }

    fn new_name(&mut self, node: &Node, label: &str, name: &str, names: &mut BTreeMap<String, usize>) {
        if name.contains('/') {
            let what = format!("the obstacle name {:?} has a slash", shortened(name));
            self.r().fault(node, label, what, "bodies are called world/NAME; rename it");
        }
        if let Some(first) = names.insert(name.to_string(), node.line) {
            let what = format!("the obstacle name {:?} is used twice", shortened(name));
            self.r().fault(
                node,
                label,
                what,
                format!("rename one (a scene takes a prefix); the first is at line {first}"),
            );
        }
    }

    /// A shape with an optional pose of its own; a mesh or convex may come from a file.
    fn shape(&mut self, node: &Node, label: &str) -> Option<PlacedShape> {
        let kind = node.get("type").and_then(Node::text).unwrap_or("");
        if matches!(kind, "mesh" | "convex") && node.get("file").is_some() {
            return self.mesh_part(node, label);
        }
        let known = [&["type", "padding", "name"], shape::keys_of(kind), &POSE[..]].concat();
        // With an unknown type every other key would look wrong too.
        if !shape::keys_of(kind).is_empty() && !self.r().keys(node, label, &known) {
            return None;
        }
        let pose = self.r().pose(node, label);
        let name = self.r().text(node, label, "name", true).unwrap_or("").to_string();
        let (shape, padding) = shape::read(&mut self.r(), node, label)?;
        Some(PlacedShape { name, shape_in_body: pose?, shape, padding })
    }

    fn mesh_part(&mut self, node: &Node, label: &str) -> Option<PlacedShape> {
        let known = [&["file", "scale", "type", "padding", "name"][..], &POSE[..]].concat();
        if !self.r().keys(node, label, &known) {
            return None;
        }
        let kind = self.r().text(node, label, "type", true).unwrap_or("mesh").to_string();
        if !matches!(kind.as_str(), "mesh" | "convex") {
            let what = format!("the type {:?} takes no file", shortened(&kind));
            self.r().fault(node, label, what, "use \"mesh\", or \"convex\" for its hull");
            return None;
        }
        let pose = self.r().pose(node, label);
        let padding = self.r().size(node, label, "padding", Some(0.0));
        let name = self.r().text(node, label, "name", true).unwrap_or("").to_string();
        // One factor for all axes, or three.
        let scale = match node.get("scale").and_then(Node::number) {
            Some(s) => Some([s; 3]),
            None => self.r().numbers::<3>(node, label, "scale", Some([1.0; 3])),
        };
        let path = self.file(node, label, "file");
        let (scale, path) = (scale?, path?);
        if scale.contains(&0.0) {
            self.r().fault(node, label, "the scale flattens the mesh", "no factor may be zero");
            return None;
        }
        let place = format!("line {}, {label}", node.line);
        let convex = kind == "convex";
        let shape: ShapeDescription =
            place_mesh(self.session, self.file, &place, &path, scale, convex, UnitRule::Apply)?;
        Some(PlacedShape { name, shape_in_body: pose?, shape, padding: padding? })
    }

    fn scene(&mut self, node: &Node, k: usize, names: &mut BTreeMap<String, usize>) {
        let label = label(node, "scene", k);
        let known = ["file", "robot", "prefix", "allowed"];
        if !self.r().keys(node, &label, &[&known[..], &POSE[..]].concat()) {
            return;
        }
        let pose = self.r().pose(node, &label);
        let prefix = self.r().text(node, &label, "prefix", true).unwrap_or("").to_string();
        let take_allowed = match node.get("allowed").map(|n| (n, n.bool())) {
            None => true,
            Some((_, Some(flag))) => flag,
            Some((n, None)) => {
                self.r().fault(n, &label, "allowed is not true or false", "write true or false");
                return;
            }
        };
        let wanted = self.r().text(node, &label, "robot", true).map(str::to_string);
        let scene = self.file(node, &label, "file").and_then(|f| scene::read(self.session, &f));
        let (Some(scene), Some(mut scene_in_world)) = (scene, pose) else { return };
        let robot = match &wanted {
            Some(name) => self.world.robots.iter().find(|r| &r.name == name),
            None if self.world.robots.len() == 1 => self.world.robots.first(),
            None => None,
        };
        // With no robot named among several, links in the scene mean nothing; that matters only if it names some.
        let link_names: BTreeSet<String> =
            robot.map(|r| r.robot.links.iter().map(|l| l.name.clone()).collect()).unwrap_or_default();
        let robot_name = robot.map(|r| r.name.clone());
        let is_link = |name: &str| link_names.contains(name);
        if let Some(r) = robot
            && is_link(&scene.planning_frame)
        {
            if r.robot.joints.iter().any(|j| j.child == scene.planning_frame) {
                let what = format!(
                    "its planning frame {:?} is a link that may move",
                    shortened(&scene.planning_frame)
                );
                let help = "give the scene in the root link's or a fixed frame";
                return self.r().fault(node, &label, what, help);
            }
            scene_in_world = r.base_in_world * scene_in_world;
        }
        if let (Some(name), None) = (&wanted, &robot_name) {
            let what = format!("there is no robot {:?} (or it is faulty)", shortened(name));
            return self.r().fault(node, &label, what, "name a [[robot]] of this file");
        }
        let body = |name: &str| robot_name.as_ref().filter(|_| is_link(name)).map(|r| format!("{r}/{name}"));
        let mut bodies: BTreeMap<String, String> = BTreeMap::new();
        if let Some(r) = &robot_name {
            bodies.extend(link_names.iter().map(|l| (l.clone(), format!("{r}/{l}"))));
        }
        for mut obstacle in scene.obstacles {
            let name = format!("{prefix}{}", obstacle.name).replace('/', "_");
            match &mut obstacle.attached_to {
                None => obstacle.pose = scene_in_world * obstacle.pose,
                Some(held) => {
                    let Some(carrier) = body(&held.body) else {
                        let what = format!(
                            "holds {:?} by the link {:?}, which no robot here has",
                            shortened(&obstacle.name),
                            shortened(&held.body)
                        );
                        self.r().fault(node, &label, what, "say which robot = \"...\" the scene means");
                        continue;
                    };
                    held.body = carrier;
                    held.touch = held.touch.iter().filter_map(|t| body(t)).collect();
                }
            }
            bodies.insert(obstacle.name.clone(), format!("world/{name}"));
            self.new_name(node, &label, &name, names);
            obstacle.name = name;
            self.world.obstacles.push(obstacle);
        }
        if !take_allowed {
            return;
        }
        let known: Vec<&str> = bodies.keys().map(String::as_str).collect();
        if known.len().saturating_mul(known.len()) / 2 + self.world.allowed.len() > limits::PAIRS {
            return self.r().fault(node, &label, "has too many pairs of bodies", "write allowed = false");
        }
        let strangers = scene.allowed.names.iter().filter(|n| !bodies.contains_key(*n)).count();
        if strangers > 0 {
            let what =
                format!("{strangers} names of its allowed collision matrix are no bodies here: ignored");
            self.r().warn(node, &label, what, "say which robot = \"...\" the scene means, if it is that");
        }
        let pairs = scene.allowed.pairs(&known);
        let reason = "allowed in the planning scene".to_string();
        self.world.allowed.extend(pairs.into_iter().map(|(a, b)| AllowedPair {
            a: bodies[a].clone(),
            b: bodies[b].clone(),
            reason: reason.clone(),
        }));
    }
}

/// `obstacle "table"`, or `obstacle 3` where there is no name.
fn label(node: &Node, kind: &str, k: usize) -> String {
    match node.get("name").and_then(Node::text) {
        Some(name) => format!("{kind} {:?}", shortened(name)),
        None => format!("{kind} {}", k + 1),
    }
}
