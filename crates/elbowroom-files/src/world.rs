//! World files: robots and obstacles, what holds what, and what is to be checked.
//!
//! ```toml
//! margin = 0.02                      # clearance below which a verdict is `near` (metres)
//! padding = 0.0                      # added to every robot shape (metres)
//! offsets = { "left/elbow" = 0.01 }  # added to what joints read (radians, metres); or "FILE.toml"
//! checks = [["left", "world"]]       # pairs of groups or bodies to check; without it, everything that can
//!                                    # move. Two bodies that never move relative to each other are checked
//!                                    # only if both are named: ["left/base", "world/table"]
//!
//! [[robot]]
//! urdf = "arm.urdf"                  # beside this file, or package://...
//! name = "left"                      # default: the URDF's name
//! srdf = "arm.srdf"                  # default: the one beside the URDF; false: none
//! xyz = [0, 0, 0]                    # root link in the world (metres)
//! rpy = [0, 0, 0]                    # or quat_wxyz = [1, 0, 0, 0]
//! padding = 0.005
//! package_path = ["packages"]        # folders that hold packages, beside this file; each must be there
//!
//! [[obstacle]]
//! name = "table"
//! xyz = [0.6, 0, -0.02]
//! shape = { type = "box", size = [1, 1, 0.04] }  # or shapes = [{...}, {...}], each with its own xyz, rpy
//! mesh = { file = "vice.stl", scale = [0.001, 0.001, 0.001] }
//!
//! [[obstacle]]
//! name = "ground"
//! heights = { file = "ground.png", cell = 0.05, scale = 0.001, unknown_value = 0 }  # see docs/worlds.md
//!
//! [[obstacle]]
//! name = "workpiece"
//! attached_to = "left/tool0"         # its pose is then in that link's frame
//! touch = ["left/finger"]
//! shape = { type = "cylinder", radius = 0.02, length = 0.1 }
//!
//! [[obstacle]]
//! name = "part"
//! movable = true                     # can be placed, attached, detached, hidden and shown while it is asked
//! xyz = [0.5, 0, 0.03]               # where it begins; attached_to may also be a movable obstacle before it
//! touch = ["left/finger"]            # whenever it is carried
//! shape = { type = "box", size = [0.04, 0.04, 0.06] }
//!
//! [[obstacle]]
//! name = "lid"                       # moves with the part, and on it
//! movable = true
//! attached_to = "world/part"
//! xyz = [0.02, 0, 0.03]              # the joint in the part's frame
//! door = { joint = "revolute", axis = [0, 1, 0], limits = [0, 1.6] }  # or "prismatic"; radians, metres
//! shape = { type = "box", size = [0.04, 0.04, 0.002], xyz = [-0.02, 0, 0.001] }
//!
//! [[cloud]]                          # what a sensor sees: told to `elbowroom monitor` line by line
//! name = "people"
//! radius = 0.02                      # each point is a ball of this size
//! points = 10000                     # most points that are seen at once
//!
//! [[scene]]                          # a MoveIt planning scene
//! file = "scene0001.yaml"
//! robot = "left"                     # whose links it means; default: the only robot
//! prefix = ""                        # put before its object names
//! allowed = true                     # take over its allowed collision matrix
//! xyz = [0, 0, 0]                    # its planning frame, in its link or in the world; and rpy
//!
//! [[group]]
//! name = "hands"
//! members = ["left/hand", "right/hand"]
//!
//! [[allow]]
//! a = "left/hand"
//! b = "world/table"
//! reason = "rests on it"
//!
//! [[template]]                       # bodies with roles, as tran91 writes them
//! file = "table.template"            # or text = "(table (neither (30 42 38) (60 50 0)))"
//! unit = "inch"                      # or "metre", or a number of metres
//! anchor = "foot_centre"             # or "least_corner": which point of a box its position is
//! xyz = [0, 0, 0]                    # the frame of all its positions
//! movable = false
//!
//! [[zone]]                           # nothing is there, but bodies keep out, or in
//! name = "cell"
//! kind = "keep_in"                   # or "keep_out", with shape, shapes or mesh as an obstacle
//! bodies = ["left"]                  # links, robots, groups, movable obstacles; default: all links
//! shape = { type = "box", size = [2, 2, 2], xyz = [0, 0, 1] }
//! planes = [{ normal = [0, 0, 1], offset = 0.05 }]  # and within: normal . point >= offset
//!
//! [[pad]]                            # a soft part of a link's surface: see docs/worlds.md
//! name = "tip"
//! link = "left/finger"
//! depth = 0.0013                     # how far it may be pressed in (metres)
//! region = { type = "box", size = [0.004, 0.02, 0.03], xyz = [0.01, 0, 0.02] }  # in the link's frame
//!
//! [guard]                            # for `elbowroom monitor`: see the module guard
//! ```
//!
//! ```
//! use elbowroom_files::{Options, source::InMemory, world::load_world_from};
//!
//! let cell = "margin = 0.02
//! [[robot]]
//! urdf = 'arm.urdf'
//! name = 'left'
//! [[obstacle]]
//! name = 'table'
//! xyz = [0.6, 0, -0.02]
//! shape = { type = 'box', size = [1, 1, 0.04] }";
//! let mut files = InMemory::default();
//! files.0.insert("cell.toml".into(), cell.into());
//! # let arm = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/arm.urdf"));
//! files.0.insert("arm.urdf".into(), arm.to_vec());
//! let loaded = load_world_from(&files, "cell.toml".as_ref(), &Options::default())?;
//! let world = elbowroom::World::compile(&loaded.value)?;
//! assert_eq!(world.dof_names(), ["left/shoulder", "left/elbow"]);
//! assert!(world.body_by_name("world/table").is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod doors;
mod format;
mod heights;
mod names;
mod obstacles;
mod offsets;
mod pads;
mod reader;
mod robots;
mod scenes;
mod spares;
mod zones;

use crate::fault::{Faults, Loaded};
use crate::session::Session;
use crate::source::{Disk, Files, Options};
use crate::tree::node::Node;
use crate::xacro::refuse_unknown_names;
use crate::{limits, robot};
use elbowroom::describe::{AllowedPair, BodyGroup, PlacedRobot, WorldDescription};
use elbowroom::math::Transform;
use format::{WorldFormat, detect_world_format};
pub use offsets::{load_offsets, load_offsets_from};
pub(crate) use reader::read_tree;
use reader::{WorldReader, entry_label};
use std::collections::BTreeMap;
use std::path::Path;

/// Reads a world file (`.toml`), or a bare URDF as a world of that robot alone at the origin.
///
/// # Errors
/// All faults of the world, its robots, meshes and scenes together.
pub fn load_world(path: &Path, options: &Options) -> Result<Loaded<WorldDescription>, Faults> {
    load_world_from(&Disk, path, options)
}

/// [`load_world`] from any [`Files`].
///
/// # Errors
/// See [`load_world`].
pub fn load_world_from(
    files: &dyn Files,
    path: &Path,
    options: &Options,
) -> Result<Loaded<WorldDescription>, Faults> {
    let mut session = Session::new(files, options);
    let world = match detect_world_format(&session, path) {
        WorldFormat::Urdf => read_lone_robot(&mut session, path),
        WorldFormat::World => read(&mut session, path),
        WorldFormat::Other(what, help) => {
            session.log.add_fault(path, "", what, help);
            None
        }
    };
    refuse_unknown_names(&mut session);
    session.finish(world)
}

fn read_lone_robot(session: &mut Session<'_>, path: &Path) -> Option<WorldDescription> {
    let srdf = robot::srdf_of(session, path);
    let robot = robot::read(session, path, srdf.as_deref()).ok()?;
    session.name_rates(&robot.name);
    let placed = PlacedRobot { name: robot.name.clone(), base_in_world: Transform::IDENTITY, robot };
    Some(WorldDescription { robots: vec![placed], ..WorldDescription::default() })
}

fn read(session: &mut Session<'_>, path: &Path) -> Option<WorldDescription> {
    let root = read_tree(session, path)?;
    let before = session.log.fault_count();
    let mut reader =
        WorldReader { session, file: path, world: WorldDescription::default(), faulty: Vec::new() };
    reader.read_world(&root);
    let world = reader.world;
    (session.log.fault_count() == before).then_some(world)
}

impl WorldReader<'_, '_> {
    fn read_world(&mut self, root: &Node) {
        // `guard` is for a monitor: the module `guard` reads it.
        let known = [
            "margin", "padding", "robot", "template", "obstacle", "spare", "cloud", "scene", "group",
            "allow", "zone", "checks", "pad", "guard", "offsets",
        ];
        self.tree_reader().check_keys(root, "", &known);
        self.world.margin = self.tree_reader().read_size(root, "", "margin", Some(0.0)).unwrap_or(0.0);
        self.world.padding = self.tree_reader().read_size(root, "", "padding", Some(0.0)).unwrap_or(0.0);
        let mut names = BTreeMap::new();
        let robots = self.tree_reader().read_list(root, "", "robot");
        if self.session.options.srdf.is_some() && robots.len() > 1 {
            let what = "an SRDF was given for a world of several robots";
            self.tree_reader().add_fault(root, "", what, "name each robot's SRDF in the world file");
        }
        for key in ["robot", "scene"] {
            let count = root.get(key).and_then(Node::as_list).map_or(0, <[Node]>::len);
            if count > limits::ROBOTS {
                let what = format!("has {count} entries [[{key}]], more than {}", limits::ROBOTS);
                return self.tree_reader().add_fault(root, "", what, "split the world");
            }
        }
        for (k, node) in robots.iter().enumerate() {
            self.read_robot(node, k, &mut names);
        }
        self.read_offsets(root);
        let mut names = BTreeMap::new();
        for (k, node) in self.tree_reader().read_list(root, "", "template").iter().enumerate() {
            self.read_template(node, k, &mut names);
        }
        for (k, node) in self.tree_reader().read_list(root, "", "obstacle").iter().enumerate() {
            self.read_obstacle(node, k, &mut names);
        }
        for (k, node) in self.tree_reader().read_list(root, "", "spare").iter().enumerate() {
            self.read_spare(node, k, &mut names);
        }
        for (k, node) in self.tree_reader().read_list(root, "", "cloud").iter().enumerate() {
            self.read_cloud(node, k, &mut names);
        }
        let before = self.session.log.fault_count();
        for (k, node) in self.tree_reader().read_list(root, "", "scene").iter().enumerate() {
            self.read_scene(node, k, &mut names);
        }
        let scenes_are_good = self.session.log.fault_count() == before;
        for (k, node) in self.tree_reader().read_list(root, "", "group").iter().enumerate() {
            let label = entry_label(node, "group", k);
            self.tree_reader().check_keys(node, &label, &["name", "members"]);
            let name = self.tree_reader().read_text(node, &label, "name", false).map(str::to_string);
            let before = self.session.log.fault_count();
            let members = self.tree_reader().read_texts(node, &label, "members");
            if members.is_empty() && self.session.log.fault_count() == before {
                // An empty group would always count as free.
                self.tree_reader().add_fault(
                    node,
                    &label,
                    "has no members",
                    "name bodies in members, or leave the group out",
                );
            }
            if let Some(name) = name {
                self.world.groups.push(BodyGroup { name, members });
            }
        }
        for (k, node) in self.tree_reader().read_list(root, "", "allow").iter().enumerate() {
            let label = format!("allow {}", k + 1);
            self.tree_reader().check_keys(node, &label, &["a", "b", "reason"]);
            let a = self.tree_reader().read_text(node, &label, "a", false).map(str::to_string);
            let b = self.tree_reader().read_text(node, &label, "b", false).map(str::to_string);
            let reason = self
                .tree_reader()
                .read_text(node, &label, "reason", true)
                .unwrap_or("allowed in the world file")
                .to_string();
            if let (Some(a), Some(b)) = (a, b) {
                self.world.allowed.push(AllowedPair { a, b, reason });
            }
        }
        for node in self.tree_reader().read_list(root, "", "checks") {
            match node.as_list().map(|l| l.iter().map(|n| n.as_text()).collect::<Vec<_>>()).as_deref() {
                Some(&[Some(a), Some(b)]) => self.world.checks.push([a.to_string(), b.to_string()]),
                _ => self.tree_reader().add_fault(
                    node,
                    "checks",
                    "a check is not two names",
                    "write [\"left\", \"world\"]",
                ),
            }
        }
        // Behind the checks: zones are checked beside what these ask for.
        for (k, node) in self.tree_reader().read_list(root, "", "zone").iter().enumerate() {
            self.read_zone(node, k, &mut names);
        }
        for (k, node) in self.tree_reader().read_list(root, "", "pad").iter().enumerate() {
            self.read_pad(node, k);
        }
        self.check_references(root, scenes_are_good);
        if root.get("robot").is_none() {
            self.tree_reader().add_fault(root, "", "has no robot", "add a [[robot]] with urdf = \"...\"");
        }
    }
}
