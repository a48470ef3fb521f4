//! `[guard]` of a world file: what a monitor is told beside the world.
//!
//! Nothing that decides whether an arm stops in time has a default: the period, the latency, the profile, the
//! brake, the greatest acceleration, and how far measured values may be wrong must all be written. All other
//! keys may be left out. `docs/guard.md` documents all keys; a test checks that its list is the one that this
//! reader accepts.
//!
//! ```toml
//! [guard]
//! period = 0.01              # time between two states of an arm (s)
//! late = 0.025               # longest time between them (s), at least 1.01 periods; default: 2.5
//! time_error = 0             # how far the time of a state may be from the true one (s)
//! clock_drift = 0.01         # how much faster or slower the clock of the states may run, as a part
//! clock_offset = 0.025       # how far a state may lie from the clock beside that (s); default: late
//! look_ahead = 0.2           # how far ahead the arms are slowed down (s)
//! clearance = 0.01           # what stays free (m); default: the world's margin
//! contact_speed = 0.05       # greatest speed of an expected contact (m/s)
//! contact_force = 80         # greatest force on a hand, where it is measured (N); default: no limit
//! force_still = 1            # how long a force may be the same to the last bit (s); 1e9: for ever
//! grasp_range = 0.01         # how far a hand reaches, and what touches may be apart (m)
//! teleport = 0.01            # how far a body may jump (m, rad)
//! rise = 2.0                 # how fast the speed factor rises (1/s)
//! settling = 0.5             # how long an object counts as moving after it was moved (s)
//! mode = "declared"          # or "infer", "ask"
//! restarts = true            # a stop for a pair ends by itself when all is clear again
//!
//! [guard.roles]              # of obstacles; all others have none
//! supporting = ["world/table_top"]
//! manipulating = ["world/box", "world/box_handle"]
//!
//! [[guard.object]]           # bodies that move as one; what a movable obstacle carries belongs to it anyway
//! parts = ["world/table_top", "world/table_leg"]
//!
//! [[guard.arm]]
//! robot = "left"
//! end_effector = ["left/palm"]
//!
//! [guard.joints]             # of all joint values
//! position_error = 0.001     # rad, or m
//! velocity_error = 0.01      # rad/s, or m/s
//! latency = [0.005, 0.02]    # from the measurement until the brake acts (s): a number, or [least, most]
//! profile = { type = "ramp", acceleration = 2, speed = 1 }
//! #         { type = "sin_squared", peak = 1, duration = 0.5 }, { type = "velocity", drift = 0.1 }
//! brake = { type = "deceleration", value = [5, 8] }
//! #       { type = "linear", slope = 0.1, offset = 0.01, fastest = 1 }
//! #       { type = "table", rows = [[0.5, 0.02], [1, 0.05]], between = "rising" }     # or "convex"
//! position = [-3, 3]         # default: the URDF's limits, for velocity and effort too
//! velocity = { most = 1, reaction = "slow" }     # or a number, beyond which the arms stop
//! acceleration = 8           # braking included: what changes faster is not believed
//! effort = 100
//! current = 10
//!
//! [guard.joint."left/joint_1"]    # of one joint value, instead of those of all
//! latency = [0.005, 0.01]
//!
//! [[guard.speed_limit]]
//! body = "left/palm"
//! most = 0.25                # m/s
//! people_near = true         # only while people are near
//! reaction = "slow"          # or "stop"
//!
//! [guard.people]             # ISO/TS 15066
//! bodies = ["world/person"]  # movable obstacles, or clouds
//! speed = 1.6                # m/s
//! time = 0.3                 # until the robot rests (s)
//! intrusion = 0.1            # C (m)
//! uncertainty = 0.05         # Zd (m)
//! late = 0.1                 # longest time between two reports of where a body is (s)
//! near = 1.0                 # m
//! ```

mod joints;
mod objects;
mod places;
mod units;

use crate::fault::{Faults, Loaded, meant_key};
use crate::session::Session;
use crate::source::{Disk, Files, Options};
use crate::tree::TreeReader;
use crate::tree::node::Node;
use crate::world::read_tree;
use crate::xml::short_text;
use elbowroom::World;
use elbowroom::world::{BodyId, RobotId};
use elbowroom_monitor::fault::{Fault, Place};
use elbowroom_monitor::guard::{ArmDescription, PeopleDescription, Reaction, SpeedLimit};
use elbowroom_monitor::{GuardDescription, Mode};
use std::path::Path;

/// What to write where nothing is said.
const WRITE: &str = "write [guard] with period, and [guard.joints] with latency, profile, brake, \
    acceleration, position_error and velocity_error: a stopping distance cannot be guessed (docs/monitor.md)";

/// Reads the settings of a guard from the file of a compiled world.
///
/// # Errors
/// All faults together, each with its element. A world without `[guard]` is refused.
pub fn load_guard(path: &Path, world: &World, options: &Options) -> Result<Loaded<GuardDescription>, Faults> {
    load_guard_from(&Disk, path, world, options)
}

/// [`load_guard`] from any [`Files`].
///
/// # Errors
/// See [`load_guard`].
pub fn load_guard_from(
    files: &dyn Files,
    path: &Path,
    world: &World,
    options: &Options,
) -> Result<Loaded<GuardDescription>, Faults> {
    let mut session = Session::new(files, options);
    let is_robot = path.extension().is_some_and(|e| ["urdf", "xacro", "xml"].iter().any(|x| e == *x));
    let read = if is_robot {
        session.log.add_fault(path, "", "is a robot alone, and has no [guard]", WRITE);
        None
    } else {
        read_tree(&mut session, path).and_then(|root| {
            let before = session.log.fault_count();
            let d = Settings { session: &mut session, file: path, world }.read_guard(&root);
            d.filter(|_| session.log.fault_count() == before)
        })
    };
    session.finish(read)
}

/// The keys of `[guard]`.
const KEYS: [&str; 23] = [
    "period",
    "late",
    "time_error",
    "clock_drift",
    "clock_offset",
    "look_ahead",
    "clearance",
    "contact_speed",
    "contact_force",
    "force_still",
    "grasp_range",
    "teleport",
    "rise",
    "settling",
    "mode",
    "restarts",
    "roles",
    "object",
    "arm",
    "joints",
    "joint",
    "speed_limit",
    "people",
];

/// Whether a table has no such key, but one that is unknown and was most likely meant to be it.
fn is_misspelt(node: &Node, key: &str, known: &[&str]) -> bool {
    let unknown = node.as_map().unwrap_or(&[]).iter().filter(|(k, _)| !known.contains(&k.as_str()));
    node.get(key).is_none() && unknown.into_iter().any(|(k, _)| meant_key(k, known) == Some(key))
}

/// Settings in the making.
struct Settings<'a, 'f> {
    session: &'a mut Session<'f>,
    file: &'a Path,
    world: &'a World,
}

impl Settings<'_, '_> {
    fn tree_reader(&mut self) -> TreeReader<'_> {
        TreeReader { file: self.file, log: &mut self.session.log }
    }

    fn read_guard(&mut self, root: &Node) -> Option<GuardDescription> {
        let Some(node) = root.get("guard") else {
            self.tree_reader().add_fault(root, "", "has no [guard]", WRITE);
            return None;
        };
        if !self.tree_reader().check_keys(node, "guard", &KEYS) {
            return None;
        }
        let period = self.read_needed_number(node, "guard", "period", &KEYS);
        let mut d = GuardDescription::new(self.world, period.unwrap_or(0.01));
        for (key, slot) in [
            ("late", &mut d.late),
            ("time_error", &mut d.time_error),
            ("clock_drift", &mut d.clock_drift),
            ("look_ahead", &mut d.look_ahead),
            ("clearance", &mut d.clearance),
            ("contact_speed", &mut d.contact_speed),
            ("contact_force", &mut d.contact_force),
            ("force_still", &mut d.force_still),
            ("grasp_range", &mut d.grasp_range),
            ("teleport", &mut d.teleport),
            ("rise", &mut d.rise),
            ("settling", &mut d.settling),
        ] {
            *slot = self.tree_reader().read_number(node, "guard", key, Some(*slot)).unwrap_or(*slot);
        }
        d.clock_offset =
            self.tree_reader().read_number(node, "guard", "clock_offset", Some(d.late)).unwrap_or(d.late);
        d.restarts =
            self.tree_reader().read_flag(node, "guard", "restarts", d.restarts).unwrap_or(d.restarts);
        d.mode = self.read_mode(node);
        d.objects = self.read_objects(root, node);
        let joints = self.read_joints(root, node);
        let hands = self.read_hands(node);
        let robots = (0..).map(RobotId).zip(self.world.robots()).zip(hands);
        let moving = robots.filter(|((_, robot), _)| !robot.values.is_empty());
        d.arms = moving
            .map(|((robot, described), end_effector)| ArmDescription {
                robot,
                end_effector,
                joints: joints.get(described.values.clone()).map(<[_]>::to_vec).unwrap_or_default(),
            })
            .collect();
        d.people = self.read_people(root, node);
        d.zones = self.zone_bodies(root);
        d.speed_limits = self.read_speed_limits(node);
        // What the guard itself asks of it, once all of it could be read.
        if self.session.log.fault_count() == 0
            && let Err(faults) = d.check(self.world)
        {
            // Where `late` or `clock_offset` is not written, it follows from the period:
            // only the period is wrong.
            let follows =
                |key| move |fault: &&Fault| fault.place == Place::Field(key) && node.get(key).is_none();
            let told = |fault: &&Fault| !follows("late")(fault) && !follows("clock_offset")(fault);
            for fault in faults.0.iter().filter(told) {
                let at = places::fault_node(fault, [root, node]);
                self.tree_reader().add_fault(at, "guard", places::fault_words(fault), &*fault.help);
            }
        }
        self.doubt_units(node);
        Some(d)
    }

    /// A number that must be there. Where its key is misspelt it is not missing as well.
    fn read_needed_number(&mut self, node: &Node, label: &str, key: &str, known: &[&str]) -> Option<f64> {
        if is_misspelt(node, key, known) {
            None
        } else {
            self.tree_reader().read_number(node, label, key, None)
        }
    }

    fn read_mode(&mut self, node: &Node) -> Mode {
        match self.tree_reader().read_text(node, "guard", "mode", true) {
            None | Some("declared") => Mode::Declared,
            Some("infer") => Mode::Infer,
            Some("ask") => Mode::Ask,
            Some(other) => {
                let what = format!("mode is {:?}, which is unknown", short_text(other));
                let at = node.get("mode").unwrap_or(node);
                self.tree_reader().add_fault(at, "guard", what, "write \"declared\", \"infer\" or \"ask\"");
                Mode::Declared
            }
        }
    }

    /// The links of each robot that may grasp.
    fn read_hands(&mut self, node: &Node) -> Vec<Vec<BodyId>> {
        let mut hands: Vec<Option<Vec<BodyId>>> = vec![None; self.world.robots().len()];
        for (k, arm) in self.tree_reader().read_list(node, "guard", "arm").iter().enumerate() {
            let label = format!("guard.arm {}", k + 1);
            if !self.tree_reader().check_keys(arm, &label, &["robot", "end_effector"]) {
                continue;
            }
            let links = self.read_bodies(arm, &label, "end_effector");
            let Some(name) = self.tree_reader().read_text(arm, &label, "robot", false) else { continue };
            let robots = self.world.robots();
            let Some(robot) = robots.iter().position(|robot| robot.name == name) else {
                let known: Vec<&str> = robots.iter().map(|robot| &*robot.name).collect();
                let what = format!("there is no robot {:?}", short_text(name));
                self.tree_reader().add_fault(
                    arm,
                    &label,
                    what,
                    format!("the world has {}", known.join(", ")),
                );
                continue;
            };
            let Some(slot) = hands.get_mut(robot) else { continue };
            if slot.replace(links).is_some() {
                let what = format!("the robot {:?} has two arms", short_text(name));
                self.tree_reader().add_fault(arm, &label, what, "keep one");
            }
        }
        hands.into_iter().map(Option::unwrap_or_default).collect()
    }

    fn read_people(&mut self, root: &Node, node: &Node) -> Option<PeopleDescription> {
        let people = node.get("people")?;
        let label = "guard.people";
        let known = ["bodies", "speed", "time", "intrusion", "uncertainty", "late", "near"];
        if !self.tree_reader().check_keys(people, label, &known) {
            return None;
        }
        let bodies = self.read_bodies(people, label, "bodies");
        for kind in ["obstacle", "spare"] {
            for touched in root.get(kind).and_then(Node::as_list).unwrap_or(&[]) {
                let touched = touched.get("touch").and_then(Node::as_list).unwrap_or(&[]);
                self.refuse_touched_people(touched, kind, &bodies);
            }
        }
        let mut number = |key: &str| self.read_needed_number(people, label, key, &known);
        let [speed, time, intrusion, uncertainty, late, near] = [1, 2, 3, 4, 5, 6].map(|k| number(known[k]));
        Some(PeopleDescription {
            bodies,
            speed: speed?,
            time: time?,
            intrusion: intrusion?,
            uncertainty: uncertainty?,
            late: late?,
            near: near?,
        })
    }

    /// Adds a fault for each person that an obstacle or a spare place may touch.
    fn refuse_touched_people(&mut self, touched: &[Node], kind: &str, people: &[BodyId]) {
        for node in touched {
            let person = node.as_text().filter(|name| {
                let body = self.world.body_by_name(name);
                body.is_some_and(|body| people.contains(&body))
            });
            if let Some(name) = person {
                let what = format!("touch names {:?}, which stands for people", short_text(name));
                self.tree_reader().add_fault(
                    node,
                    kind,
                    what,
                    "take it out of touch: people are never touched",
                );
            }
        }
    }

    /// The obstacles that stand for zones of the world file.
    fn zone_bodies(&self, root: &Node) -> Vec<BodyId> {
        let zones = root.get("zone").and_then(Node::as_list).unwrap_or(&[]);
        let names = zones.iter().filter_map(|zone| zone.get("name").and_then(Node::as_text));
        names.filter_map(|name| self.world.body_by_name(&format!("world/{name}"))).collect()
    }

    fn read_speed_limits(&mut self, node: &Node) -> Vec<SpeedLimit> {
        let mut limits = Vec::new();
        for (k, limit) in self.tree_reader().read_list(node, "guard", "speed_limit").iter().enumerate() {
            let label = format!("guard.speed_limit {}", k + 1);
            if !self.tree_reader().check_keys(limit, &label, &["body", "most", "people_near", "reaction"]) {
                continue;
            }
            let most = self.tree_reader().read_size(limit, &label, "most", None);
            let people_near = self.tree_reader().read_flag(limit, &label, "people_near", false);
            let reaction = self.read_reaction(limit, &label, Reaction::Slow);
            let name = self.tree_reader().read_text(limit, &label, "body", false);
            let body = name.and_then(|name| self.find_body(limit, &label, name));
            if let (Some(body), Some(most), Some(people_near), Some(reaction)) =
                (body, most, people_near, reaction)
            {
                limits.push(SpeedLimit { body, most, people_near, reaction });
            }
        }
        limits
    }

    /// The bodies of a list under a key.
    fn read_bodies(&mut self, node: &Node, label: &str, key: &str) -> Vec<BodyId> {
        let names = self.tree_reader().read_texts(node, label, key);
        let at = node.get(key).unwrap_or(node);
        names.iter().filter_map(|name| self.find_body(at, label, name)).collect()
    }

    /// The body with a name; obstacles also without `world/`.
    fn find_body(&mut self, node: &Node, label: &str, name: &str) -> Option<BodyId> {
        let world = self.world;
        let found = world.body_by_name(name).or_else(|| world.body_by_name(&format!("world/{name}")));
        if found.is_none() {
            let known = world.bodies().iter().map(|body| &*body.name);
            let mut help = self.session.log.did_you_mean(name, known);
            if help.is_empty() {
                help = "bodies are called robot/link or world/obstacle; `elbowroom info` lists them".into();
            }
            self.tree_reader().add_fault(
                node,
                label,
                format!("no body is called {:?}", short_text(name)),
                help,
            );
        }
        found
    }
}
