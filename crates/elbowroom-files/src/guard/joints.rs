//! `[guard.joints]` and `[guard.joint.NAME]`: limits of joint values, how well they are measured, and how
//! each comes to rest.

use super::{Settings, WRITE, is_misspelt};
use crate::fault::{Log, counted_things, meant_key};
use crate::limits;
use crate::motion::names::{Named, ValueNames};
use crate::tree::node::{Node, Value};
use crate::xml::{XmlText, named_children, parse_number, short_text};
use elbowroom::fault::Numeral;
use elbowroom_monitor::fault::Place;
use elbowroom_monitor::guard::{JointDescription, Limit, Reaction};
use elbowroom_monitor::stopping::{Between, Brake, Profile, Range, SpeedTable, StopRow, Stopping};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The keys of a table of joint values.
const KEYS: [&str; 10] = [
    "position",
    "velocity",
    "acceleration",
    "effort",
    "current",
    "position_error",
    "velocity_error",
    "latency",
    "profile",
    "brake",
];

/// Those that must be written for each joint value.
const NEEDED: [&str; 6] = ["position_error", "velocity_error", "acceleration", "latency", "profile", "brake"];

/// What a table says; nothing where it says nothing.
#[derive(Clone, Default)]
struct Given {
    position: Option<[f64; 2]>,
    velocity: Option<Limit>,
    acceleration: Option<Limit>,
    effort: Option<Limit>,
    current: Option<Limit>,
    position_error: Option<f64>,
    velocity_error: Option<f64>,
    latency: Option<Range>,
    profile: Option<Profile>,
    brake: Option<Brake>,
    /// The line of each key that is written, well or badly: what is written is not missing.
    written: BTreeMap<&'static str, usize>,
}

impl Given {
    /// What this table says, and where it says nothing what another does.
    fn fill_gaps(self, other: &Given) -> Given {
        let mut written = other.written.clone();
        written.extend(self.written);
        Given {
            written,
            position: self.position.or(other.position),
            velocity: self.velocity.or(other.velocity),
            acceleration: self.acceleration.or(other.acceleration),
            effort: self.effort.or(other.effort),
            current: self.current.or(other.current),
            position_error: self.position_error.or(other.position_error),
            velocity_error: self.velocity_error.or(other.velocity_error),
            latency: self.latency.or(other.latency),
            profile: self.profile.or(other.profile),
            brake: self.brake.or_else(|| other.brake.clone()),
        }
    }

    /// The names of what must be given and is not.
    fn missing_keys(&self) -> impl Iterator<Item = &'static str> {
        NEEDED.into_iter().filter(|key| !self.written.contains_key(key))
    }
}

impl Settings<'_, '_> {
    /// What is known of each joint value, in the world's order; fewer after a fault.
    pub(super) fn read_joints(&mut self, root: &Node, node: &Node) -> Vec<JointDescription> {
        let all =
            node.get("joints").map(|table| self.read_joint_table(table, "guard.joints")).unwrap_or_default();
        let names = self.world.dof_names();
        let mut own: Vec<Given> = vec![Given::default(); names.len()];
        // What is written for a joint that is not known, or in a table that is misspelt, may be what is
        // missing of another: it is told once.
        let mut stray: BTreeSet<&'static str> = BTreeSet::new();
        for (key, table) in node.as_map().unwrap_or(&[]) {
            if !super::KEYS.contains(&key.as_str()) && meant_key(key, &["joints", "joint"]).is_some() {
                let entries = table.as_map().unwrap_or(&[]).iter();
                let inner = entries.clone().flat_map(|(_, inner)| inner.as_map().unwrap_or(&[]));
                stray.extend(entries.chain(inner).filter_map(|(key, _)| meant_joint_key(key)));
            }
        }
        if let Some(tables) = node.get("joint") {
            let Some(entries) = tables.as_map() else {
                self.tree_reader().add_fault(
                    tables,
                    "guard.joint",
                    "is no table",
                    "write [guard.joint.\"robot/joint\"]",
                );
                return Vec::new();
            };
            let index = ValueNames::new(names.iter().map(String::as_str));
            for (name, table) in entries {
                let label = format!("guard.joint {:?}", short_text(name));
                let given = self.read_joint_table(table, &label);
                match index.find_value(name) {
                    Named::One(value) => {
                        if let Some(slot) = own.get_mut(value) {
                            *slot = given.fill_gaps(slot);
                        }
                    }
                    Named::Several => {
                        stray.extend(given.written.keys());
                        self.tree_reader().add_fault(
                            table,
                            &label,
                            "is a joint of several robots",
                            "write robot/joint",
                        );
                    }
                    Named::Nothing => {
                        stray.extend(given.written.keys());
                        let mut help = self.session.log.did_you_mean(name, index.known_names());
                        if help.is_empty() {
                            help = "`elbowroom info` lists them".into();
                        }
                        self.tree_reader().add_fault(table, &label, "is no joint of this world", help);
                    }
                }
            }
        }
        let of_files = self.read_urdf_limits(root);
        let ranges = self.world.value_ranges();
        // What is missing of the same joints is one fault.
        let mut missing: BTreeMap<Vec<&str>, Vec<&str>> = BTreeMap::new();
        // Faults of how joints stop, by line, and the joints that have them: a table is for many.
        let mut unfit: BTreeMap<(usize, String, String), Vec<&str>> = BTreeMap::new();
        let mut described = Vec::with_capacity(names.len());
        for ((name, given), range) in names.iter().zip(own).zip(ranges) {
            let given = given.fill_gaps(&all);
            let lacks: Vec<&str> = given.missing_keys().filter(|key| !stray.contains(key)).collect();
            if !lacks.is_empty() {
                missing.entry(lacks).or_default().push(name);
            }
            let [velocity, effort] = of_files.get(name).copied().unwrap_or([None; 2]);
            let limit = |given: Option<Limit>, of_file: Option<f64>| {
                given.or(of_file.map(Limit::stop_beyond)).unwrap_or(Limit::NONE)
            };
            let (Some(latency), Some(profile), Some(brake), Some(position_error), Some(velocity_error)) =
                (given.latency, given.profile, given.brake, given.position_error, given.velocity_error)
            else {
                continue;
            };
            match Stopping::new(profile, brake, latency) {
                Ok(stopping) => described.push(JointDescription {
                    position: given.position.unwrap_or([range.lower, range.upper]),
                    position_error,
                    velocity_error,
                    velocity: limit(given.velocity, velocity),
                    acceleration: limit(given.acceleration, None),
                    effort: limit(given.effort, effort),
                    current: limit(given.current, None),
                    stopping,
                }),
                Err(faults) => {
                    for fault in faults.0 {
                        let key = match fault.place {
                            Place::Field(field) => field.split('.').next().unwrap_or(field),
                            Place::Whole | Place::At { .. } | Place::Row { .. } => "brake",
                        };
                        let line = given.written.get(key).copied().unwrap_or(node.line);
                        let what = format!("{}{}", fault.place, fault.what);
                        unfit.entry((line, what, fault.help)).or_default().push(name);
                    }
                }
            }
        }
        for ((line, what, help), values) in unfit {
            let at = Node { line, value: Value::Null };
            self.tree_reader().add_fault(
                &at,
                "guard",
                format!("{what}, for {}", first_and_others(&values)),
                help,
            );
        }
        for (keys, values) in missing {
            let are = if keys.len() == 1 { "is" } else { "are" };
            let what = format!("{} {are} missing for {}", keys.join(", "), first_and_others(&values));
            self.tree_reader().add_fault(node.get("joints").unwrap_or(node), "guard.joints", what, WRITE);
        }
        if described.len() == names.len() { described } else { Vec::new() }
    }

    fn read_joint_table(&mut self, node: &Node, label: &str) -> Given {
        if !self.tree_reader().check_keys(node, label, &KEYS) {
            return Given { written: KEYS.map(|key| (key, node.line)).into(), ..Given::default() };
        }
        // A key that is misspelt is not missing as well.
        let entries = node.as_map().unwrap_or(&[]).iter();
        let written = entries.filter_map(|(key, value)| Some((meant_joint_key(key)?, value.line))).collect();
        let position = match node.get("position") {
            None => None,
            Some(_) => self.tree_reader().read_numbers::<2>(node, label, "position", None),
        };
        if let Some([low, high]) = position.filter(|[low, high]| low > high) {
            let what = format!("position is from {} to {}", Numeral(low), Numeral(high));
            let at = node.get("position").unwrap_or(node);
            self.tree_reader().add_fault(at, label, what, "write the lowest first");
        }
        let size = |this: &mut Self, key| match node.get(key) {
            None => None,
            Some(_) => this.tree_reader().read_size(node, label, key, None),
        };
        Given {
            written,
            position,
            velocity: self.read_limit(node, label, "velocity"),
            acceleration: self.read_limit(node, label, "acceleration"),
            effort: self.read_limit(node, label, "effort"),
            current: self.read_limit(node, label, "current"),
            position_error: size(self, "position_error"),
            velocity_error: size(self, "velocity_error"),
            latency: node.get("latency").and_then(|found| self.read_range(found, label, "latency")),
            profile: node.get("profile").and_then(|found| self.read_profile(found, label)),
            brake: node.get("brake").and_then(|found| self.read_brake(found, label)),
        }
    }

    /// A number, or a number and what happens beyond it.
    fn read_limit(&mut self, node: &Node, label: &str, key: &str) -> Option<Limit> {
        let found = node.get(key)?;
        if found.as_map().is_none() {
            return self.tree_reader().read_size(node, label, key, None).map(Limit::stop_beyond);
        }
        let label = format!("{label}, {key}");
        if !self.tree_reader().check_keys(found, &label, &["most", "reaction"]) {
            return None;
        }
        let most = self.tree_reader().read_size(found, &label, "most", None);
        let reaction = self.read_reaction(found, &label, Reaction::Stop)?;
        Some(Limit { most: most?, reaction })
    }

    /// What happens beyond a limit.
    pub(super) fn read_reaction(&mut self, node: &Node, label: &str, usual: Reaction) -> Option<Reaction> {
        match self.tree_reader().read_text(node, label, "reaction", true) {
            None => Some(usual),
            Some("stop") => Some(Reaction::Stop),
            Some("slow") => Some(Reaction::Slow),
            Some(other) => {
                let what = format!("the reaction {:?} is unknown", short_text(other));
                self.tree_reader().add_fault(node, label, what, "write \"stop\" or \"slow\"");
                None
            }
        }
    }

    /// A number that is known, or the least and the most that it may be.
    fn read_range(&mut self, node: &Node, label: &str, key: &str) -> Option<Range> {
        let ends = node.as_numbers::<2>().or_else(|| node.as_number().map(|number| [number; 2]));
        if ends.is_none() {
            let what = format!("{key} is neither a number nor two, but {}", node.value_words());
            self.tree_reader().add_fault(
                node,
                label,
                what,
                "write one number, or [least, most], without quotes",
            );
        }
        ends.map(|[least, most]| Range { least, most })
    }

    fn read_ranges<const N: usize>(
        &mut self,
        node: &Node,
        label: &str,
        keys: [&str; N],
    ) -> Option<[Range; N]> {
        let all = [&["type"], &keys[..]].concat();
        if !self.tree_reader().check_keys(node, label, &all) {
            return None;
        }
        let mut ranges = [Range::exactly(0.0); N];
        let mut good = true;
        for (key, slot) in keys.iter().zip(&mut ranges) {
            let found = match node.get(key) {
                Some(found) => self.read_range(found, label, key),
                // What is misspelt is told already.
                None if is_misspelt(node, key, &all) => None,
                None => {
                    self.tree_reader().add_fault(
                        node,
                        label,
                        format!("{key} is missing"),
                        "give it, as 5 or [4, 6]",
                    );
                    None
                }
            };
            good &= found.is_some();
            *slot = found.unwrap_or(*slot);
        }
        good.then_some(ranges)
    }

    fn read_profile(&mut self, node: &Node, label: &str) -> Option<Profile> {
        let label = &format!("{label}, profile");
        match node.get("type").and_then(Node::as_text).unwrap_or("") {
            "ramp" => {
                let [acceleration, speed] = self.read_ranges(node, label, ["acceleration", "speed"])?;
                Some(Profile::Ramp { acceleration, speed })
            }
            "sin_squared" => {
                let [peak, duration] = self.read_ranges(node, label, ["peak", "duration"])?;
                Some(Profile::SinSquared { peak, duration })
            }
            "velocity" => {
                let [drift] = self.read_ranges(node, label, ["drift"])?;
                Some(Profile::Velocity { drift })
            }
            _ => self.refuse_type(node, label, "\"ramp\", \"sin_squared\" or \"velocity\""),
        }
    }

    /// A fault of a profile or a brake: it has no type that is known.
    fn refuse_type<T>(&mut self, node: &Node, label: &str, known: &str) -> Option<T> {
        let (what, help) = match (node.as_map(), node.get("type")) {
            (None, _) => (
                format!("is not a table, but {}", node.value_words()),
                format!("write {{ type = ... }}: {known}"),
            ),
            (_, None) => ("type is missing".into(), format!("write type = {known}")),
            (_, Some(found)) => (
                format!("the type is {}, which is not known", found.value_words()),
                format!("write type = {known}"),
            ),
        };
        self.tree_reader().add_fault(node.get("type").unwrap_or(node), label, what, help);
        None
    }

    fn read_brake(&mut self, node: &Node, label: &str) -> Option<Brake> {
        let label = &format!("{label}, brake");
        match node.get("type").and_then(Node::as_text).unwrap_or("") {
            "deceleration" => {
                let [value] = self.read_ranges(node, label, ["value"])?;
                Some(Brake::Deceleration(value))
            }
            "linear" => {
                let [slope, offset, fastest] =
                    self.read_ranges(node, label, ["slope", "offset", "fastest"])?;
                Some(Brake::Linear { slope, offset, fastest: fastest.least })
            }
            "table" => self.read_speed_table(node, label),
            _ => self.refuse_type(node, label, "\"deceleration\", \"linear\" or \"table\""),
        }
    }

    fn read_speed_table(&mut self, node: &Node, label: &str) -> Option<Brake> {
        if !self.tree_reader().check_keys(node, label, &["type", "rows", "between"]) {
            return None;
        }
        let between = match self.tree_reader().read_text(node, label, "between", false)? {
            "rising" => Between::Rising,
            "convex" => Between::Convex,
            other => {
                let what = format!("between {:?} is unknown", short_text(other));
                self.tree_reader().add_fault(node, label, what, "write \"rising\" or \"convex\"");
                return None;
            }
        };
        let mut rows = Vec::new();
        let written = self.tree_reader().read_list(node, label, "rows");
        for (k, row) in written.iter().enumerate() {
            let label = &format!("{label}, row {}", k + 1);
            match row.as_list() {
                Some([speed, way]) => {
                    let (speed, way) =
                        (self.read_range(speed, label, "speed"), self.read_range(way, label, "way"));
                    rows.extend(speed.zip(way).map(|(speed, way)| StopRow { speed, way }));
                }
                _ => {
                    self.tree_reader().add_fault(row, label, "is not a speed and a way", "write [0.5, 0.02]")
                }
            }
        }
        if rows.len() < written.len() {
            return None;
        }
        let table = SpeedTable::new(&rows, between);
        if let Err(faults) = &table {
            for fault in &faults.0 {
                self.tree_reader().add_fault(
                    node,
                    label,
                    format!("{}{}", fault.place, fault.what),
                    &*fault.help,
                );
            }
        }
        table.ok().map(Brake::Table)
    }

    /// The greatest velocity and effort of each joint, as its URDF says them, by its full name. What cannot
    /// be read there is not known.
    fn read_urdf_limits(&mut self, root: &Node) -> BTreeMap<String, [Option<f64>; 2]> {
        let mut all = BTreeMap::new();
        let robots = root.get("robot").and_then(Node::as_list).unwrap_or(&[]);
        for (written, robot) in robots.iter().zip(self.world.robots()) {
            let Some(reference) = written.get("urdf").and_then(Node::as_text) else { continue };
            let Some(path) = self.find_urdf(written, reference) else { continue };
            let Ok(bytes) = self.session.files.read(&path, limits::DESCRIPTION_BYTES) else { continue };
            // The robot was read from this file before, and its faults were reported then.
            let mut told = Log::default();
            let Some(text) = XmlText::new(&path, &bytes, &mut told) else { continue };
            let Some(document) = text.parse(&mut told) else { continue };
            for joint in named_children(document.root_element(), "joint") {
                let (Some(name), Some(limit)) =
                    (joint.attribute("name"), named_children(joint, "limit").next())
                else {
                    continue;
                };
                // Zero is what files write that know no limit.
                let read = |key| limit.attribute(key).and_then(parse_number).filter(|most| *most > 0.0);
                all.insert(format!("{}/{}", robot.name, name.trim()), [read("velocity"), read("effort")]);
            }
        }
        all
    }

    /// The file of a robot's URDF, found in its own packages as when the robot was read.
    fn find_urdf(&mut self, written: &Node, reference: &str) -> Option<PathBuf> {
        let folder = self.file.parent().unwrap_or(Path::new(""));
        let own = written.get("package_path");
        let own = own.map_or(&[][..], |own| own.as_list().unwrap_or(std::slice::from_ref(own)));
        let mut paths: Vec<PathBuf> =
            own.iter().filter_map(Node::as_text).map(|text| folder.join(text)).collect();
        paths.extend(self.session.options.package_paths.iter().cloned());
        let given = std::mem::replace(&mut self.session.options.package_paths, paths);
        let found = self.session.resolve_reference(reference, self.file).ok();
        self.session.options.package_paths = given;
        found
    }
}

/// The key of a table of joint values that one is, or was most likely meant to be.
fn meant_joint_key(key: &str) -> Option<&'static str> {
    KEYS.into_iter().find(|known| *known == key).or_else(|| meant_key(key, &KEYS))
}

/// The first of some names, and how many others there are.
fn first_and_others(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_string(),
        [first, others @ ..] => format!("{first} and {}", counted_things(others.len(), "other")),
    }
}
