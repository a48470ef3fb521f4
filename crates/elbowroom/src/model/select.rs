//! What a name in a description stands for: a body, a robot, a group, `world` or `*`.

use crate::model::body::Body;
use crate::model::by_name::ByName;
use crate::model::id::BodyId;
use crate::model::kinematics::Robot;
use crate::model::pairs::Selection;
use crate::numeric::layered::Layered;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use elbowroom_describe::WorldDescription;
use elbowroom_describe::fault::CompileFault;

/// Finds the bodies that names stand for. A robot's own (SRDF) groups are called `robot/group`, unless a link
/// has that name.
pub(crate) struct Names<'a> {
    bodies: &'a Layered<Body>,
    by_name: &'a ByName,
    selections: BTreeMap<String, Selection>,
    /// By group of a robot, the links it names that do not exist. That is a fault only where the group is
    /// used: many SRDF files name such links.
    missing: BTreeMap<String, Vec<String>>,
}

impl<'a> Names<'a> {
    /// Resolves all groups and reports their faults.
    pub fn new(
        d: &WorldDescription,
        robots: &[Robot],
        bodies: &'a Layered<Body>,
        by_name: &'a ByName,
        faults: &mut Vec<CompileFault>,
    ) -> Names<'a> {
        let mut names = Names { bodies, by_name, selections: BTreeMap::new(), missing: BTreeMap::new() };
        names.selections.insert("*".into(), Selection::All);
        let first_obstacle = bodies.len() - d.obstacles.len();
        // Obstacles that are added later too.
        let obstacles = Selection::Range(first_obstacle as u32, u32::MAX);
        names.selections.insert("world".into(), obstacles);
        for robot in robots {
            let links = Selection::Range(robot.links.start, robot.links.end);
            names.selections.entry(robot.name.clone()).or_insert(links);
        }
        for placed in &d.robots {
            for group in &placed.robot.groups {
                let full = format!("{}/{}", placed.name, group.name);
                let ids = group
                    .links
                    .iter()
                    .map(|link| (link, names.find_body(&format!("{}/{link}", placed.name))));
                let (found, missing): (Vec<_>, Vec<_>) = ids.partition(|(_, id)| id.is_some());
                let set: BTreeSet<BodyId> = found.into_iter().filter_map(|(_, id)| id).collect();
                if !missing.is_empty() {
                    let links = missing.into_iter().map(|(link, _)| link.clone()).collect();
                    names.missing.insert(full.clone(), links);
                }
                names.selections.entry(full).or_insert(Selection::Set(Arc::new(set), u32::MAX));
            }
        }
        names.resolve_groups(d, faults);
        names
    }

    /// Resolves the groups of the world, which may contain each other in any order. A group is resolved once
    /// all its members are. Groups that are never resolved contain each other in a ring.
    fn resolve_groups(&mut self, d: &WorldDescription, faults: &mut Vec<CompileFault>) {
        let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
        for (i, group) in d.groups.iter().enumerate() {
            let name = &group.name;
            if name.is_empty() || self.find_body(name).is_some() || self.selections.contains_key(name) {
                let problem = "is empty or already means something else: choose another";
                faults.push(CompileFault::BadName { kind: "group", name: name.clone(), problem });
            } else if by_name.contains_key(name.as_str()) {
                faults.push(CompileFault::DuplicateName { kind: "group", name: name.clone() });
            } else {
                by_name.insert(name, i);
            }
        }
        // A group waits for those of its members that are groups: how many these are, and which groups wait
        // for it.
        let mut sets: Vec<BTreeSet<BodyId>> = d.groups.iter().map(|_| BTreeSet::new()).collect();
        let mut opens: Vec<u32> = d.groups.iter().map(|_| u32::MAX).collect();
        let mut waits: Vec<usize> = d.groups.iter().map(|_| 0).collect();
        let mut wanted_by: Vec<Vec<usize>> = d.groups.iter().map(|_| Vec::new()).collect();
        for &i in by_name.values() {
            for member in &d.groups[i].members {
                if let Some(&inner) = by_name.get(member.as_str()) {
                    waits[i] += 1;
                    wanted_by[inner].push(i);
                } else {
                    let by = format!("group `{}`", d.groups[i].name);
                    if let Some(selection) = self.resolve_name(member, &by, faults) {
                        self.add(&mut sets[i], &selection);
                        // A member that takes in all later bodies opens the group to them.
                        if selection.contains(BodyId(u32::MAX - 1)) {
                            opens[i] = self.bodies.len() as u32;
                        }
                    }
                }
            }
        }
        let mut ready: Vec<usize> = by_name.values().copied().filter(|i| waits[*i] == 0).collect();
        while let Some(i) = ready.pop() {
            let (set, open) = (core::mem::take(&mut sets[i]), opens[i]);
            for &outer in &wanted_by[i] {
                sets[outer].extend(&set);
                opens[outer] = opens[outer].min(open);
                waits[outer] -= 1;
                if waits[outer] == 0 {
                    ready.push(outer);
                }
            }
            self.selections.insert(d.groups[i].name.clone(), Selection::Set(Arc::new(set), open));
        }
        for (name, i) in by_name {
            if waits[i] > 0 {
                faults.push(CompileFault::GroupLoop { group: name.into() });
                self.selections.insert(name.into(), Selection::Set(Arc::new(BTreeSet::new()), u32::MAX));
            }
        }
    }

    fn add(&self, set: &mut BTreeSet<BodyId>, selection: &Selection) {
        let all = (0..self.bodies.len() as u32).map(BodyId);
        set.extend(all.filter(|id| selection.contains(*id)));
    }

    /// What the names of robots and groups stand for, sorted by name.
    pub fn into_selections(self) -> Vec<(String, Selection)> {
        self.selections.into_iter().collect()
    }

    /// The body with a full name.
    pub fn find_body(&self, name: &str) -> Option<BodyId> {
        self.by_name.get(self.bodies, name)
    }

    /// What `name` stands for. If nothing, there is a fault that `by` refers to it.
    pub fn resolve_name(&self, name: &str, by: &str, faults: &mut Vec<CompileFault>) -> Option<Selection> {
        if let Some(id) = self.find_body(name) {
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
