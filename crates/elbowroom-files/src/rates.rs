//! How fast joints may go: what URDFs say ([`Loaded::rates`]), and MoveIt's `joint_limits.yaml`, which
//! replaces it.
//!
//! ```
//! use elbowroom_files::{Options, rates::load_joint_limits_from, source::InMemory};
//!
//! let arm = elbowroom_files::load(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/arm.urdf"))?;
//! let world = elbowroom::World::compile(&arm.value)?;
//! let mut files = InMemory::default();
//! let yaml = "joint_limits:\n  elbow: {has_velocity_limits: true, max_velocity: 0.5}\n";
//! files.0.insert("joint_limits.yaml".into(), yaml.into());
//! let (path, options) = (std::path::Path::new("joint_limits.yaml"), Options::default());
//! let rates = load_joint_limits_from(&files, path, &world, &arm.rates, &options)?.value;
//! assert_eq!(rates["arm/elbow"].velocity, Some(0.5), "rad/s");
//! // The shoulder keeps what its URDF says.
//! assert_eq!(rates.get("arm/shoulder"), arm.rates.get("arm/shoulder"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod data;

pub use data::JointRates;

use crate::fault::{Faults, Loaded, counted_things};
use crate::limits;
use crate::motion::names::{Named, ValueNames};
use crate::session::Session;
use crate::source::{Disk, Files, Options};
use crate::tree::TreeReader;
use crate::tree::formats::from_yaml;
use crate::tree::node::Node;
use crate::xml::short_text;
use elbowroom::World;
use elbowroom::describe::JointKind;
use elbowroom::fault::Numeral;
use elbowroom::world::Joint;
use std::collections::BTreeMap;
use std::path::Path;

/// Keys that hold the table where it is read as parameters of a node.
const HOLDERS: [&str; 3] = ["robot_description_planning", "ros__parameters", "/**"];

/// The rates that are read, in the order of derivatives: is there a limit, and which.
const RATES: [[&str; 2]; 3] = [
    ["has_velocity_limits", "max_velocity"],
    ["has_acceleration_limits", "max_acceleration"],
    ["has_jerk_limits", "max_jerk"],
];

/// Entries that are not used: their name, the key that says whether there are some, their keys, and what is
/// used instead.
const UNUSED: [(&str, &str, &[&str], &str); 4] = [
    (
        "position limits",
        "has_position_limits",
        &["min_position", "max_position"],
        "the URDF's positions hold: write narrower ones there",
    ),
    (
        "deceleration limits",
        "has_deceleration_limits",
        &["max_deceleration"],
        "the acceleration's limit holds for slowing down too",
    ),
    ("effort limits", "has_effort_limits", &["max_effort"], "no forces are computed"),
    (
        "soft limits",
        "has_soft_limits",
        &["k_position", "k_velocity", "soft_lower_limit", "soft_upper_limit"],
        "the limits themselves hold",
    ),
];

/// Factors by which MoveIt slows motions down that it plans.
const FACTORS: [&str; 2] = ["default_velocity_scaling_factor", "default_acceleration_scaling_factor"];

/// Reads MoveIt's `joint_limits.yaml` for a world: what it says of a joint replaces `given`, which is
/// [`Loaded::rates`] of the world's files. The answer has the limits of both, by full names of joints.
///
/// Joints are called as elsewhere: `joint`, or `robot/joint` where several robots have one. A number
/// (`max_velocity`) is a limit unless `has_velocity_limits` is false, which also removes that of the URDF.
/// Position limits and the default scaling factors are not applied; warnings say so.
///
/// # Errors
/// All faults together: unknown keys and joints, numbers that are not above zero, and limits without numbers.
pub fn load_joint_limits(
    path: &Path,
    world: &World,
    given: &BTreeMap<String, JointRates>,
    options: &Options,
) -> Result<Loaded<BTreeMap<String, JointRates>>, Faults> {
    load_joint_limits_from(&Disk, path, world, given, options)
}

/// [`load_joint_limits`] from any [`Files`].
///
/// # Errors
/// See [`load_joint_limits`].
pub fn load_joint_limits_from(
    files: &dyn Files,
    path: &Path,
    world: &World,
    given: &BTreeMap<String, JointRates>,
    options: &Options,
) -> Result<Loaded<BTreeMap<String, JointRates>>, Faults> {
    let mut session = Session::new(files, options);
    let text = session.read_text(path, limits::TREE_BYTES as u64, "give a joint_limits.yaml of MoveIt");
    let rates = text.and_then(|text| {
        let root = from_yaml(&text, path, &mut session.log)?;
        let before = session.log.fault_count();
        let joints = movable_joints(world);
        let mut table = LimitsTable {
            reader: TreeReader { file: path, log: &mut session.log },
            joints: &joints,
            rates: given.clone(),
        };
        table.read_table(&root);
        let rates = table.rates;
        (session.log.fault_count() == before).then_some(rates)
    });
    session.finish(rates)
}

/// The joints that have one value, or follow one: those that can have such limits.
pub fn movable_joints(world: &World) -> Vec<&Joint> {
    let has_one = |joint: &&Joint| {
        joint.kind != JointKind::Fixed && (joint.values.len() == 1 || joint.follows.is_some())
    };
    world.joints().iter().filter(has_one).collect()
}

/// A table of limits while it is read.
struct LimitsTable<'a> {
    reader: TreeReader<'a>,
    joints: &'a [&'a Joint],
    rates: BTreeMap<String, JointRates>,
}

impl LimitsTable<'_> {
    fn read_table(&mut self, root: &Node) {
        let mut holder = root;
        while let Some(inner) = HOLDERS.iter().find_map(|key| holder.get(key)) {
            holder = inner;
        }
        let known = [&["joint_limits", "cartesian_limits"][..], &FACTORS].concat();
        if !self.reader.check_keys(holder, "", &known) {
            return;
        }
        for key in FACTORS {
            let Some(factor) = self.reader.read_number(holder, "", key, Some(1.0)) else { continue };
            if factor != 1.0 {
                let what = format!("{key} is {}, and is not applied", Numeral(factor));
                let help = "it slows plans down; a motion is held against the limits themselves";
                self.reader.add_warning(holder.get(key).unwrap_or(holder), "", what, help);
            }
        }
        if let Some(found) = holder.get("cartesian_limits") {
            self.reader.add_warning(
                found,
                "",
                "cartesian_limits are not used",
                "only joints are held to limits",
            );
        }
        let Some(table) = holder.get("joint_limits") else {
            let help = "write joint_limits: and below it each joint, as MoveIt's joint_limits.yaml has them";
            return self.reader.add_fault(holder, "", "has no joint_limits", help);
        };
        let Some(entries) = table.as_map() else {
            return self.reader.add_fault(
                table,
                "joint_limits",
                "is not a table of joints",
                "write keys and values",
            );
        };
        let joints = self.joints;
        let index = ValueNames::new(joints.iter().map(|joint| joint.name.as_str()));
        let mut unused = [0; UNUSED.len()];
        let mut first: BTreeMap<usize, &str> = BTreeMap::new();
        for (name, entry) in entries {
            let label = format!("joint {:?}", short_text(name));
            let place = match index.find_value(name) {
                Named::One(place) => place,
                Named::Several => {
                    self.reader.add_fault(entry, &label, "is a joint of several robots", "write robot/joint");
                    continue;
                }
                Named::Nothing => {
                    let meant = self.reader.log.did_you_mean(name, index.known_names());
                    let help =
                        "leave it out, or give a joint that turns or slides (elbowroom info lists them)";
                    let help = if meant.is_empty() { help.into() } else { format!("{meant} If not, {help}") };
                    self.reader.add_fault(entry, &label, "is no such joint of this world", help);
                    continue;
                }
            };
            if let Some(other) = first.insert(place, name) {
                let what = format!("is the same joint as {:?}", short_text(other));
                self.reader.add_fault(entry, &label, what, "keep one");
            }
            self.read_joint(joints[place], entry, &label, &mut unused);
        }
        for ((words, _, _, help), count) in UNUSED.iter().zip(unused).filter(|(_, count)| *count > 0) {
            let what = format!("{words} of {} are not used", counted_things(count, "joint"));
            self.reader.add_warning(table, "joint_limits", what, *help);
        }
    }

    fn read_joint(&mut self, joint: &Joint, entry: &Node, label: &str, unused: &mut [usize; UNUSED.len()]) {
        let mut known: Vec<&str> = RATES.concat();
        known.push("angle_wraparound");
        for (_, flag, keys, _) in UNUSED {
            known.push(flag);
            known.extend(keys);
        }
        if !self.reader.check_keys(entry, label, &known) {
            return;
        }
        for ((_, flag, keys, _), count) in UNUSED.iter().zip(unused) {
            let given = keys.iter().any(|key| entry.get(key).is_some());
            *count += usize::from(self.reader.read_flag(entry, label, flag, given) == Some(true));
        }
        let given = self.rates.get(&joint.name).copied().unwrap_or_default().to_array();
        let mut found = given;
        for ((keys, given), found) in RATES.into_iter().zip(given).zip(&mut found) {
            *found = self.read_rate(entry, label, keys, given);
        }
        let turns = joint.kind != JointKind::Prismatic;
        if let Some(velocity) =
            found[0].filter(|most| turns && *most > limits::TURNING_SPEED && Some(*most) != given[0])
        {
            let what = format!("max_velocity is {} rad/s: radians are meant", Numeral(velocity));
            let help = "if these are degrees, multiply them by 0.01745329 (pi / 180)";
            self.reader.add_warning(entry, label, what, help);
        }
        self.rates.insert(joint.name.clone(), found.into());
    }

    /// One limit of a joint, whose URDF says `given`.
    fn read_rate(
        &mut self,
        entry: &Node,
        label: &str,
        [flag, key]: [&str; 2],
        given: Option<f64>,
    ) -> Option<f64> {
        let written = entry.get(key);
        // A number that cannot be read is a fault, even if it is not wanted.
        let most = written.and_then(|_| self.reader.read_number(entry, label, key, None));
        let is_wanted = self.reader.read_flag(entry, label, flag, written.is_some())?;
        match (is_wanted, written, most) {
            (false, ..) if entry.get(flag).is_some() => None,
            (false, ..) => given,
            (true, None, _) if given.is_none() => {
                let what = format!("{flag} is true, but neither {key} nor the URDF says which");
                self.reader.add_fault(entry, label, what, format!("give {key}, or write {flag}: false"));
                None
            }
            (true, None, _) => given,
            (true, Some(node), Some(most)) if !(most > 0.0) => {
                let what = format!("{key} is {}: no motion stays within that", Numeral(most));
                let help = format!("give a number above 0 (radians or metres), or write {flag}: false");
                self.reader.add_fault(node, label, what, help);
                None
            }
            (true, Some(_), most) => most,
        }
    }
}
