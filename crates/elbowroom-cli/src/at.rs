//! Poses from the command line: joint values in order, joints by name, states of an SRDF by name.
//!
//! A pose is a list with commas. If all of it are numbers they are the joint values in the order of the
//! world. Otherwise each part is `joint=value` or the name of a state; joints that none of them names stay
//! neutral, and a joint that is named itself outweighs a state. Names may leave out the robot (and, of a
//! state, its group) where that leaves one meaning.

use crate::limits;
use crate::load::LoadedWorld;
use crate::out::{say_line, say_remark};
use elbowroom::describe::{JointKind, NamedState};
use elbowroom::world::Joint;
use elbowroom_files::fault::{counted_things, did_you_mean};
use elbowroom_files::limits::MIMIC_DEFECT;
use elbowroom_files::motion::names::{Named, ValueNames};
use std::collections::BTreeMap;

/// The poses, and whether all of them could be read; what could not is NaN.
pub fn read_poses(loaded: &LoadedWorld, poses: &[String]) -> (Vec<Vec<f64>>, bool) {
    let mut whole = true;
    // Poses are counted as their answers are.
    let rows = poses.iter().enumerate().map(|(sample, text)| {
        let mut reader = Reader { loaded, label: format!("--at: sample {sample}"), faults: 0 };
        let row = reader.read_pose(text);
        whole &= reader.faults == 0;
        row
    });
    (rows.collect(), whole)
}

struct Reader<'l> {
    loaded: &'l LoadedWorld,
    label: String,
    faults: usize,
}

impl Reader<'_> {
    fn say_fault(&mut self, what: &str) {
        self.faults += 1;
        say_line(&format!("{}: {what}", self.label));
    }

    fn say_note(&self, what: &str) {
        say_remark(&format!("note: {}: {what}", self.label));
    }

    fn read_pose(&mut self, text: &str) -> Vec<f64> {
        // A name may hold anything, commas too.
        if let Some(state) = self.find_state(text.trim()) {
            return self.build_pose(&[PosePart::State(state)]);
        }
        let fields: Vec<&str> = text.split(',').map(str::trim).filter(|f| !f.is_empty()).collect();
        let is_number = |field: &&str| field.parse::<f64>().is_ok();
        let by_name =
            fields.iter().any(|f| f.contains('=') || (!is_number(f) && self.find_state(f).is_some()));
        if !by_name {
            return self.read_values(&fields);
        }
        let parts: Vec<PosePart<'_>> = fields.iter().filter_map(|field| self.read_part(field)).collect();
        self.build_pose(&parts)
    }

    /// All values in order.
    fn read_values(&mut self, fields: &[&str]) -> Vec<f64> {
        let names = self.loaded.world.dof_names();
        let before = self.faults;
        let row = fields.iter().map(|field| self.read_number(field)).collect();
        let (given, wanted) = (fields.len(), names.len());
        // One word that is no number is rather a name that nothing has.
        if given != wanted && !(given == 1 && self.faults > before) {
            let order = name_list(names.iter().map(String::as_str));
            self.say_fault(&format!(
                "{} given, but the world has {wanted}: {order}",
                counted_things(given, "value")
            ));
        }
        row
    }

    fn read_number(&mut self, field: &str) -> f64 {
        match field.parse::<f64>() {
            Ok(value) if value.is_finite() => value,
            Ok(_) => {
                self.say_fault(&format!("`{field}` is not a finite number"));
                f64::NAN
            }
            Err(_) => {
                let hint = self.states_hint(field);
                self.say_fault(&format!("`{field}` is not a number{hint}"));
                f64::NAN
            }
        }
    }

    /// What may have been meant by a word that is neither a number nor a state.
    fn states_hint(&self, word: &str) -> String {
        let states: Vec<String> = self.all_states().map(|(_, state)| state.name.clone()).collect();
        if states.is_empty() {
            // It is a word, and not a misspelt number.
            let word = word.starts_with(|c: char| c.is_alphabetic());
            return if word {
                ", and no SRDF that is used has a state of that name (--srdf FILE)".into()
            } else {
                String::new()
            };
        }
        let meant = did_you_mean(word, states.iter().map(String::as_str));
        let meant = if meant.is_empty() { String::new() } else { format!("; {meant}") };
        format!(
            ", and no state of the SRDF is called that (there are {}){meant}",
            name_list(states.iter().map(String::as_str))
        )
    }

    fn all_states(&self) -> impl Iterator<Item = (usize, &NamedState)> {
        let parts = self.loaded.srdf_parts.iter().enumerate();
        parts.flat_map(|(robot, parts)| parts.states.iter().map(move |state| (robot, state)))
    }

    /// What a state is called in full.
    fn full_name(&self, robot: usize, state: &NamedState) -> String {
        let robot = &self.loaded.world.robots()[robot].name;
        format!("{robot}/{}/{}", state.group, state.name)
    }

    /// The states that a name stands for: one, or several that say the same; `None` if it stands for nothing.
    fn find_state(&self, name: &str) -> Option<Result<(usize, NamedState), Vec<String>>> {
        let means = |(robot, state): &(usize, &NamedState)| {
            let full = self.full_name(*robot, state);
            let robot = &self.loaded.world.robots()[*robot].name;
            name == state.name
                || name == full
                || name == format!("{}/{}", state.group, state.name)
                || name == format!("{robot}/{}", state.name)
        };
        let found: Vec<(usize, &NamedState)> = self.all_states().filter(means).collect();
        let (robot, state) = *found.first()?;
        if found.iter().all(|(r, s)| *r == robot && s.values == state.values) {
            return Some(Ok((robot, state.clone())));
        }
        Some(Err(found.iter().map(|(robot, state)| self.full_name(*robot, state)).collect()))
    }

    /// `joint=value`, or the name of a state.
    fn read_part<'t>(&mut self, field: &'t str) -> Option<PosePart<'t>> {
        if let Some((joint, value)) = field.split_once('=') {
            return Some(PosePart::Value(joint.trim(), self.read_number(value.trim())));
        }
        let found = self.find_state(field).map(PosePart::State);
        if found.is_none() {
            let hint = self.states_hint(field);
            self.say_fault(&format!("`{field}` is neither joint=value nor the name of a state{hint}"));
        }
        found
    }

    /// A pose from its parts; joints that none of them names are neutral.
    fn build_pose(&mut self, parts: &[PosePart<'_>]) -> Vec<f64> {
        let world = &self.loaded.world;
        let mut set: BTreeMap<usize, f64> = BTreeMap::new();
        for part in parts {
            match part {
                PosePart::State(Ok((robot, state))) => self.apply_state(*robot, state, &mut set),
                PosePart::State(Err(several)) => {
                    let full = name_list(several.iter().map(String::as_str));
                    self.say_fault(&format!("several states are called that: write one of {full}"));
                }
                PosePart::Value(..) => {}
            }
        }
        let mut given: BTreeMap<usize, &str> = BTreeMap::new();
        for part in parts {
            let PosePart::Value(name, number) = part else { continue };
            let Some(value) = self.dof_by_name(name) else { continue };
            if let Some(first) = given.insert(value, name) {
                self.say_fault(&format!("`{name}` gives `{first}` a second time"));
            }
            set.insert(value, *number);
        }
        let mut row = world.neutral_values();
        let left: Vec<&str> =
            (0..row.len()).filter(|i| !set.contains_key(i)).map(|i| &*world.dof_names()[i]).collect();
        // A state that sets nothing was told.
        let states = set.is_empty() && !parts.is_empty();
        if self.faults == 0 && !left.is_empty() && !states {
            self.say_note(&format!(
                "{} of {} joint values are not given and are zero, or as near to it as their limits allow: \
                 {}",
                left.len(),
                row.len(),
                name_list(left.iter().copied())
            ));
        }
        set.into_iter().for_each(|(i, value)| row[i] = value);
        row
    }

    /// The value that a name stands for.
    fn dof_by_name(&mut self, name: &str) -> Option<usize> {
        let world = &self.loaded.world;
        let values = world.dof_names().len();
        let mimics: Vec<&Joint> = world.joints().iter().filter(|joint| joint.follows.is_some()).collect();
        let all = world.dof_names().iter().map(String::as_str).chain(mimics.iter().map(|joint| &*joint.name));
        let names = ValueNames::new(all);
        match names.find_value(name) {
            Named::One(i) if i < values => return Some(i),
            Named::One(i) => {
                let follows = mimics[i - values].follows.map(|f| &world.dof_names()[f.value]);
                let leader = follows.map_or("", |name| name);
                self.say_fault(&format!("`{name}` is a mimic joint and follows `{leader}`: give that one"));
            }
            Named::Several => {
                self.say_fault(&format!("`{name}` is a joint of several robots: write robot/{name}"))
            }
            Named::Nothing => {
                let meant = did_you_mean(name, names.known_names());
                let help = match meant.is_empty() {
                    true => format!("there are {}", name_list(world.dof_names().iter().map(String::as_str))),
                    false => meant,
                };
                self.say_fault(&format!("no joint value is called `{name}`; {help}"));
            }
        }
        None
    }

    /// Sets the values that a state gives.
    fn apply_state(&mut self, robot: usize, state: &NamedState, set: &mut BTreeMap<usize, f64>) {
        let world = &self.loaded.world;
        let robot = &world.robots()[robot].name;
        let of = |joint: &str| {
            let full = format!("{robot}/{joint}");
            world.joints().iter().find(|j| j.name == full)
        };
        let moves = |(name, _): &(String, Vec<f64>)| of(name).is_some_and(|j| j.kind != JointKind::Fixed);
        if !state.values.iter().any(moves) {
            let fixed = state.values.iter().filter(|(name, _)| of(name).is_some()).count();
            let why = match fixed {
                0 => String::new(),
                1 => ", because the joint that it names is fixed".into(),
                count => format!(", because the {count} joints that it names are fixed"),
            };
            let name = &state.name;
            self.say_note(&format!("state `{name}` sets no joint of this world{why}: it changes nothing"));
            return;
        }
        for (name, numbers) in &state.values {
            // The reader of SRDFs has warned of joints that the robot has not.
            let Some(joint) = of(name).filter(|joint| joint.follows.is_none()) else { continue };
            if joint.values.len() != numbers.len() {
                let (n, wanted) = (counted_things(numbers.len(), "number"), joint.values.len());
                if joint.kind == JointKind::Fixed {
                    self.say_note(&format!("state `{}`: the fixed joint `{name}` is ignored", state.name));
                } else {
                    self.say_fault(&format!(
                        "state `{}` gives `{name}` {n}, but it has {wanted}",
                        state.name
                    ));
                }
                continue;
            }
            // MoveIt writes a quaternion x, y, z, w, behind the position.
            let order: &[usize] = if numbers.len() == 7 { &[0, 1, 2, 6, 3, 4, 5] } else { &[0, 1, 2] };
            for (value, from) in joint.values.clone().zip(order) {
                if set.get(&value).is_some_and(|known| *known != numbers[*from]) {
                    self.say_fault(&format!(
                        "two states give `{}` different values",
                        world.dof_names()[value]
                    ));
                }
                set.insert(value, numbers[*from]);
            }
        }
        // The value of a mimic joint follows from the others. A state that gives another value is told.
        for (name, numbers) in &state.values {
            let Some((joint, follows)) = of(name).and_then(|joint| Some((joint, joint.follows?))) else {
                continue;
            };
            let (Some(leader), [given]) = (set.get(&follows.value), &numbers[..]) else { continue };
            let rule = follows.scale * leader + follows.offset;
            if (given - rule).abs() > MIMIC_DEFECT * follows.scale.abs().max(1.0) {
                let source = &world.dof_names()[follows.value];
                self.say_note(&format!(
                    "state `{}` gives `{}` {given}, but it follows `{source}` and is {rule}",
                    state.name, joint.name
                ));
            }
        }
    }
}

/// A part of a pose.
enum PosePart<'t> {
    /// A state, or the full names of several of one name.
    State(Result<(usize, NamedState), Vec<String>>),
    /// A joint value.
    Value(&'t str, f64),
}

/// Names for a message, the first of them.
fn name_list<'n>(names: impl Iterator<Item = &'n str> + Clone) -> String {
    let count = names.clone().count();
    let list = names.take(limits::NAMES_SHOWN).collect::<Vec<_>>().join(", ");
    let more = count.saturating_sub(limits::NAMES_SHOWN);
    if more == 0 { list } else { format!("{list} and {more} more") }
}
