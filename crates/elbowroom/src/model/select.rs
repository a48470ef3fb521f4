//! What a name in a description stands for: a body, a robot, a group, `world` or `*`.

use crate::model::describe::WorldDescription;
use crate::model::fault::CompileFault;
use crate::model::id::BodyId;
use crate::model::kinematics::Robot;
use crate::model::pairs::Selection;
use crate::model::solids::Body;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Finds the bodies that names stand for. A robot's own (SRDF) groups are called `robot/group`, unless a link
/// has that name.
pub(crate) struct Names<'a> {
    bodies: &'a [Body],
    by_name: ByName,
    selections: BTreeMap<String, Selection>,
    /// By group of a robot, the links it names that do not exist. That is a fault only where the group is
    /// used: many SRDF files name such links.
    missing: BTreeMap<String, Vec<String>>,
}

/// Numbers of bodies by a hash of their full names. Names are not copied, and are compared only where hashes
/// are equal.
#[derive(Default)]
pub(crate) struct ByName {
    sorted: Vec<(u64, u32)>,
}

/// FNV-1a, whose last step spreads the last bytes over all bits.
fn hash(name: &str) -> u64 {
    let step = |h: u64, b: u8| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3);
    let h = name.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    h ^ h >> 32
}

impl ByName {
    /// Of bodies in the order of their numbers.
    pub fn new(bodies: &[Body]) -> ByName {
        let mut sorted: Vec<(u64, u32)> = bodies.iter().zip(0..).map(|(b, i)| (hash(&b.name), i)).collect();
        sorted.sort_unstable();
        for run in sorted.chunk_by_mut(|a, b| a.0 == b.0).filter(|run| run.len() > 1) {
            run.sort_unstable_by_key(|(_, i)| (&*bodies[*i as usize].name, *i));
        }
        ByName { sorted }
    }
    /// The body with a name; the first one if there are several.
    pub fn get(&self, bodies: &[Body], name: &str) -> Option<BodyId> {
        let key = (hash(name), name);
        let at = self.sorted.partition_point(|(h, i)| (*h, &*bodies[*i as usize].name) < key);
        let (_, i) = self.sorted.get(at)?;
        (*bodies[*i as usize].name == *name).then_some(BodyId(*i))
    }
    /// Every name that occurs more than once, as often as it occurs.
    pub fn twice<'b>(&self, bodies: &'b [Body]) -> Vec<&'b str> {
        let name = |i: u32| &*bodies[i as usize].name;
        let same = |a: &(u64, u32), b: &(u64, u32)| a.0 == b.0 && name(a.1) == name(b.1);
        self.sorted.chunk_by(same).filter(|run| run.len() > 1).flatten().map(|(_, i)| name(*i)).collect()
    }
}

impl<'a> Names<'a> {
    /// Resolves all groups and reports their faults.
    pub fn new(
        d: &WorldDescription,
        robots: &[Robot],
        bodies: &'a [Body],
        by_name: ByName,
        faults: &mut Vec<CompileFault>,
    ) -> Names<'a> {
        let mut names = Names { bodies, by_name, selections: BTreeMap::new(), missing: BTreeMap::new() };
        names.selections.insert("*".into(), Selection::All);
        let first_obstacle = bodies.len() - d.obstacles.len();
        let obstacles = Selection::Range(first_obstacle as u32, bodies.len() as u32);
        names.selections.insert("world".into(), obstacles);
        for robot in robots {
            let links = Selection::Range(robot.links.start, robot.links.end);
            names.selections.entry(robot.name.clone()).or_insert(links);
        }
        for placed in &d.robots {
            for group in &placed.robot.groups {
                let full = format!("{}/{}", placed.name, group.name);
                let ids =
                    group.links.iter().map(|link| (link, names.body(&format!("{}/{link}", placed.name))));
                let (found, missing): (Vec<_>, Vec<_>) = ids.partition(|(_, id)| id.is_some());
                let set: BTreeSet<BodyId> = found.into_iter().filter_map(|(_, id)| id).collect();
                if !missing.is_empty() {
                    let links = missing.into_iter().map(|(link, _)| link.clone()).collect();
                    names.missing.insert(full.clone(), links);
                }
                names.selections.entry(full).or_insert(Selection::Set(Arc::new(set)));
            }
        }
        names.groups(d, faults);
        names
    }

    /// Resolves the groups of the world, which may contain each other in any order. A group is resolved once
    /// all its members are. Groups that are never resolved contain each other in a ring.
    fn groups(&mut self, d: &WorldDescription, faults: &mut Vec<CompileFault>) {
        let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
        for (i, group) in d.groups.iter().enumerate() {
            let name = &group.name;
            if name.is_empty() || self.body(name).is_some() || self.selections.contains_key(name) {
                let problem = "is empty or already means something else: choose another";
                faults.push(CompileFault::BadName { kind: "group", name: name.clone(), problem });
            } else if by_name.contains_key(name.as_str()) {
                faults.push(CompileFault::DuplicateName { kind: "group", name: name.clone() });
            } else {
                by_name.insert(name, i);
            }
        }
        // Of members that are groups: how many a group waits for, and which groups wait for it.
        let mut sets: Vec<BTreeSet<BodyId>> = d.groups.iter().map(|_| BTreeSet::new()).collect();
        let mut waits: Vec<usize> = d.groups.iter().map(|_| 0).collect();
        let mut wanted_by: Vec<Vec<usize>> = d.groups.iter().map(|_| Vec::new()).collect();
        for &i in by_name.values() {
            for member in &d.groups[i].members {
                if let Some(&inner) = by_name.get(member.as_str()) {
                    waits[i] += 1;
                    wanted_by[inner].push(i);
                } else {
                    let by = format!("group `{}`", d.groups[i].name);
                    if let Some(selection) = self.resolve(member, &by, faults) {
                        self.add(&mut sets[i], &selection);
                    }
                }
            }
        }
        let mut ready: Vec<usize> = by_name.values().copied().filter(|i| waits[*i] == 0).collect();
        while let Some(i) = ready.pop() {
            let set = core::mem::take(&mut sets[i]);
            for &outer in &wanted_by[i] {
                sets[outer].extend(&set);
                waits[outer] -= 1;
                if waits[outer] == 0 {
                    ready.push(outer);
                }
            }
            self.selections.insert(d.groups[i].name.clone(), Selection::Set(Arc::new(set)));
        }
        for (name, i) in by_name {
            if waits[i] > 0 {
                faults.push(CompileFault::GroupLoop { group: name.into() });
                self.selections.insert(name.into(), Selection::Set(Arc::new(BTreeSet::new())));
            }
        }
    }

    fn add(&self, set: &mut BTreeSet<BodyId>, selection: &Selection) {
        let all = (0..self.bodies.len() as u32).map(BodyId);
        set.extend(all.filter(|id| selection.contains(*id)));
    }

    /// The body with a full name.
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.by_name.get(self.bodies, name)
    }

    /// What `name` stands for. If nothing, there is a fault that `by` refers to it.
    pub fn resolve(&self, name: &str, by: &str, faults: &mut Vec<CompileFault>) -> Option<Selection> {
        if let Some(id) = self.body(name) {
            return Some(Selection::One(id));
        }
        for link in self.missing.get(name).into_iter().flatten() {
            let (by, wanted) = (format!("group `{name}`, used by {by},"), "link of this robot");
            faults.push(CompileFault::UnknownName { by, wanted, name: link.clone() });
        }
        let selection = self.selections.get(name).cloned();
        if selection.is_none() {
            let wanted = "body, group or robot";
            faults.push(CompileFault::UnknownName { by: by.into(), wanted, name: name.into() });
        }
        selection
    }
}
