//! Contacts of a robot with itself or its cell, for a calibration: one JSON object a line.
//!
//! ```json
//! {"name": "tips", "a": "hand/finger_1_tip", "b": "hand/finger_2_tip", "q": {"phi_0": 1.0, "phi_1": 0.1}}
//! {"a": "finger_2_tip", "b": "palm", "q": [0, 0.1, 0, 1.5, 0.7, 0, 0], "within": 0.0002}
//! ```
//!
//! ```
//! use elbowroom::World;
//! use elbowroom_files::{Options, contacts::load_contacts_from, source::InMemory};
//!
//! let arm = elbowroom_files::load(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/arm.urdf"))?;
//! let world = World::compile(&arm.value)?;
//! let mut files = InMemory::default();
//! let line = r#"{"a": "post", "b": "forearm", "q": {"shoulder": 0.1, "elbow": 1.5}, "within": 0.0002}"#;
//! files.0.insert("contacts.jsonl".into(), line.into());
//! let contacts = load_contacts_from(&files, "contacts.jsonl".as_ref(), &world, &Options::default())?.value;
//! assert_eq!((contacts[0].name.as_str(), contacts[0].readings[0]), ("line 1", 0.1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::fault::{Faults, Loaded, Log};
use crate::limits;
use crate::motion::names::{Named, ValueNames};
use crate::motion::values::{UnknownJoint, ValuesReader, line_error_words};
use crate::motion::{Joints, mimic_rules};
use crate::other_kind::{OtherKind, recognize_other_kind};
use crate::session::Session;
use crate::source::{Disk, Files, Options};
use crate::tree::TreeReader;
use crate::tree::node::Node;
use crate::xml::short_text;
use elbowroom::describe::JointLimits;
use elbowroom::fault::Numeral;
use elbowroom::world::{BodyId, PairStatus};
use elbowroom::{PairId, World};
use std::collections::BTreeMap;
use std::path::Path;

/// A contact as a line of a file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactLine {
    /// What it calls itself; `line 7` where it does not.
    pub name: String,
    /// The line, from 1.
    pub line: u64,
    /// The two bodies.
    pub pair: PairId,
    /// What the joints read (radians, metres; order of [`World::dof_names`]).
    pub readings: Vec<f64>,
    /// How far apart the bodies may be, or how deep they may overlap (metres), if the line says so.
    pub within: Option<f64>,
}

/// What a line holds, for messages.
const LINES: &str = "write {\"a\": \"robot/link\", \"b\": \"robot/link\", \"q\": [...]}";

/// Reads contacts of a world. `a` and `b` are bodies, in full or by the last part of their names; `q` has
/// what the joints read, in the order of the world or by names; `within` is a tolerance in metres.
///
/// # Errors
/// All faults together, each with its line: what is no JSON, unknown keys, bodies and joints, pairs that the
/// world does not check, names that come twice, missing values, and readings far beyond their limits.
pub fn load_contacts(
    path: &Path,
    world: &World,
    options: &Options,
) -> Result<Loaded<Vec<ContactLine>>, Faults> {
    load_contacts_from(&Disk, path, world, options)
}

/// [`load_contacts`] from any [`Files`].
///
/// # Errors
/// See [`load_contacts`].
pub fn load_contacts_from(
    files: &dyn Files,
    path: &Path,
    world: &World,
    options: &Options,
) -> Result<Loaded<Vec<ContactLine>>, Faults> {
    Session::load_alone(files, path, options, |bytes, log| read_contacts(path, bytes, world, log))
}

/// `None` after at least one fault.
fn read_contacts(path: &Path, bytes: &[u8], world: &World, log: &mut Log) -> Option<Vec<ContactLine>> {
    if let Some(OtherKind { what, help }) = recognize_other_kind(bytes) {
        log.add_fault(path, "", format!("is {what}, and no list of contacts"), help);
        return None;
    }
    let mimics = mimic_rules(world);
    let names: Vec<&str> = world.bodies().iter().map(|body| &*body.name).collect();
    let joints = Joints { names: world.dof_names(), mimics: &mimics, ..Joints::default() };
    let mut reader = ContactReader {
        world,
        values: ValuesReader::new(joints, UnknownJoint::Refused("remove it")),
        bodies: ValueNames::new(names.iter().copied()),
        ranges: world.value_ranges(),
        file: path,
        log,
    };
    let mut contacts: Vec<ContactLine> = Vec::new();
    let mut lines: BTreeMap<String, u64> = BTreeMap::new();
    for (text, line) in bytes.split(|byte| *byte == b'\n').zip(1..) {
        let text = text.trim_ascii();
        if text.is_empty() {
            continue;
        }
        let place = format!("line {line}");
        if contacts.len() >= limits::CONTACTS || reader.log.is_full() {
            let what = format!("holds more than {} contacts, or too many faults", limits::CONTACTS);
            reader.log.add_fault(path, place, what, "split the file");
            return None;
        }
        if text.len() > limits::TREE_BYTES {
            let what = format!("is longer than {} bytes", limits::TREE_BYTES);
            reader.log.add_fault(path, place, what, LINES);
            continue;
        }
        match serde_json::from_slice::<Node>(text) {
            Ok(node) => {
                let Some(contact) = reader.read_line(&node, line, &place) else { continue };
                if let Some(first) = lines.insert(contact.name.clone(), line) {
                    let what = format!("the name {:?} is that of line {first}", short_text(&contact.name));
                    reader.log.add_fault(path, place, what, "give each contact a name of its own, or none");
                }
                contacts.push(contact);
            }
            Err(e) => {
                let what = format!("is not JSON: {}", line_error_words(&e));
                reader.log.add_fault(path, place, what, LINES);
            }
        }
    }
    if contacts.is_empty() && reader.log.fault_count() == 0 {
        reader.log.add_fault(path, "", "has no contact", LINES);
    }
    (reader.log.fault_count() == 0).then_some(contacts)
}

struct ContactReader<'a> {
    world: &'a World,
    values: ValuesReader<'a>,
    bodies: ValueNames<'a>,
    ranges: Vec<JointLimits>,
    file: &'a Path,
    log: &'a mut Log,
}

impl ContactReader<'_> {
    fn tree_reader(&mut self) -> TreeReader<'_> {
        TreeReader { file: self.file, log: self.log }
    }

    /// `None` after a fault.
    fn read_line(&mut self, node: &Node, line: u64, label: &str) -> Option<ContactLine> {
        let before = self.log.fault_count();
        if node.as_map().is_none() {
            self.tree_reader().add_fault(node, label, "is not a JSON object", LINES);
            return None;
        }
        self.tree_reader().check_keys(node, label, &["name", "a", "b", "q", "within"]);
        let name = self.tree_reader().read_text(node, label, "name", true).map(str::to_string);
        let [a, b] = ["a", "b"].map(|key| self.read_body(node, label, key));
        let pair = a.zip(b).and_then(|(a, b)| self.find_pair(node, label, a, b));
        let readings = self.read_readings(node, label);
        let within =
            node.get("within").and_then(|_| self.tree_reader().read_size(node, label, "within", None));
        let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| label.to_string());
        let contact = ContactLine { name, line, pair: pair?, readings, within };
        (self.log.fault_count() == before).then_some(contact)
    }

    fn read_body(&mut self, node: &Node, label: &str, key: &str) -> Option<BodyId> {
        let name = self.tree_reader().read_text(node, label, key, false)?;
        let shown = short_text(name);
        match self.bodies.find_value(name) {
            Named::One(number) => Some(BodyId(u32::try_from(number).ok()?)),
            Named::Several => {
                let what = format!("{key}: several bodies are called {shown:?}");
                self.tree_reader().add_fault(node, label, what, "write robot/link or world/obstacle");
                None
            }
            Named::Nothing => {
                let meant = self.log.did_you_mean(name, self.bodies.known_names());
                let help = if meant.is_empty() { "`elbowroom info` lists all".into() } else { meant };
                self.tree_reader().add_fault(node, label, format!("{key}: there is no body {shown:?}"), help);
                None
            }
        }
    }

    /// A pair whose distance means something.
    fn find_pair(&mut self, node: &Node, label: &str, a: BodyId, b: BodyId) -> Option<PairId> {
        let world = self.world;
        let names = [a, b].map(|body| short_text(&world.bodies()[body.index()].name));
        let what = match world.status(a, b) {
            Some(PairStatus::Checked(pair)) => return Some(pair),
            Some(PairStatus::Allowed(reason)) => {
                format!("{} and {} are not checked against each other: {reason}", names[0], names[1])
            }
            None => format!("a and b are both {}", names[0]),
        };
        let help = "name two bodies that are checked: `elbowroom pairs` lists them";
        self.tree_reader().add_fault(node, label, what, help);
        None
    }

    fn read_readings(&mut self, node: &Node, label: &str) -> Vec<f64> {
        let names = self.world.dof_names();
        let mut row = vec![f64::NAN; names.len()];
        let Some(q) = node.get("q") else {
            let help = "give what the joints read: a list, or {\"joint\": ...}";
            self.tree_reader().add_fault(node, label, "q is missing", help);
            return row;
        };
        self.values.read_values(("q", q), label, &mut row, self.file, self.log);
        for ((value, name), range) in row.iter().zip(names).zip(self.ranges.clone()) {
            let excess = limits::READING_EXCESS;
            if *value < range.lower - excess || *value > range.upper + excess {
                let [value, lower, upper] = [*value, range.lower, range.upper].map(Numeral);
                let what =
                    format!("{:?} reads {value}, and its limits are {lower} to {upper}", short_text(name));
                let help = "readings are radians and metres, about within the limits: if these are degrees, \
                            multiply them by 0.01745329 (pi / 180)";
                self.tree_reader().add_fault(q, label, what, help);
            }
        }
        row
    }
}
