//! The plan of an edit: which bodies are removed, which are added, and which rules change.

use super::change::Change;
use crate::model::checks::selection_named;
use crate::model::compile::faults::FaultList;
use crate::model::id::{BodyId, RobotId};
use crate::model::pairs::FIXED_CLUSTER;
use crate::model::world::World;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use elbowroom_describe::fault::CompileFault;
use elbowroom_describe::limits::MAX_COORDINATE;
use elbowroom_describe::{AllowedPair, ObstacleDescription};

/// The result of all changes together.
pub(super) struct EditPlan<'c> {
    /// Bodies that are removed, sorted.
    pub removed: Vec<BodyId>,
    /// Obstacles that are added. Their numbers follow those of the world's bodies.
    pub added: Vec<AddedObstacle<'c>>,
    /// Changes of rules, in order. Each name stood for a body or group when the change was stated, and still
    /// does.
    pub rules: Vec<RuleChange<'c>>,
    /// Robots that get another padding, and this padding (metres).
    pub padded: Vec<(RobotId, f64)>,
}

/// An obstacle that is added.
#[derive(Clone, Copy)]
pub(super) struct AddedObstacle<'c> {
    pub obstacle: &'c ObstacleDescription,
    /// The body that it replaces.
    pub instead_of: Option<BodyId>,
}

/// A change of the rules for pairs.
#[derive(Clone, Copy)]
pub(super) enum RuleChange<'c> {
    Allow(&'c AllowedPair),
    /// Takes back what allows the two.
    Check(&'c [String; 2]),
}

impl RuleChange<'_> {
    /// The names of the two.
    pub fn names(&self) -> [&String; 2] {
        match self {
            RuleChange::Allow(pair) => [&pair.a, &pair.b],
            RuleChange::Check([a, b]) => [a, b],
        }
    }
}

impl<'c> EditPlan<'c> {
    pub fn new(world: &World, changes: &'c [Change], faults: &mut FaultList) -> EditPlan<'c> {
        let mut plan =
            EditPlan { removed: Vec::new(), added: Vec::new(), rules: Vec::new(), padded: Vec::new() };
        for change in changes {
            match change {
                Change::Add(obstacle) => plan.add(world, obstacle, None, faults),
                Change::Remove(name) => {
                    plan.remove(world, name, faults);
                    // A rule that names a removed body is dropped.
                    plan.rules.retain(|rule| !rule.names().contains(&name));
                }
                Change::Replace(obstacle) => {
                    let name = ["world/", &obstacle.name].concat();
                    let old = plan.remove(world, &name, faults);
                    plan.add(world, obstacle, old, faults);
                }
                Change::Pad(robot, padding) => plan.pad_robot(world, robot, *padding, faults),
                Change::Allow(pair) => {
                    if plan.check_names_known(world, [&pair.a, &pair.b], faults) {
                        plan.rules.push(RuleChange::Allow(pair));
                    }
                }
                Change::Check(names) => {
                    if plan.check_names_known(world, [&names[0], &names[1]], faults) {
                        plan.rules.push(RuleChange::Check(names));
                    }
                }
            }
        }
        plan.removed.sort_unstable();
        plan
    }

    fn add(
        &mut self,
        world: &World,
        obstacle: &'c ObstacleDescription,
        instead_of: Option<BodyId>,
        faults: &mut FaultList,
    ) {
        let name = &obstacle.name;
        if obstacle.movable || obstacle.attached_to.is_some() {
            let problem = "movable and attached obstacles need a world of their own: compile the description";
            faults.push(CompileFault::CannotEdit { name: name.clone(), problem });
        }
        if name.is_empty() || name.ends_with('/') {
            let problem = "is empty, or ends in `/`: give the body a name";
            faults.push(CompileFault::BadName { kind: "body", name: name.clone(), problem });
        }
        let full = ["world/", name].concat();
        let there = world.solids.find_body(&full).is_some_and(|id| !self.removed.contains(&id));
        if there || self.added.iter().any(|other| other.obstacle.name == *name) {
            faults.push(CompileFault::DuplicateName { kind: "body", name: full });
        }
        self.added.push(AddedObstacle { obstacle, instead_of });
    }

    /// Removes an obstacle. Returns its number if it was there before the edit.
    fn remove(&mut self, world: &World, name: &str, faults: &mut FaultList) -> Option<BodyId> {
        let of_world = name.strip_prefix("world/");
        if let Some(at) = self.added.iter().position(|added| Some(&*added.obstacle.name) == of_world) {
            return self.added.remove(at).instead_of;
        }
        let Some(id) = world.solids.find_body(name).filter(|id| !self.removed.contains(id)) else {
            let (by, wanted) = ("an edit".into(), "obstacle `world/name`");
            faults.push(CompileFault::UnknownName { by, wanted, name: name.into() });
            return None;
        };
        let (body, facts) = (&world.solids.bodies[id.index()], &world.checks.rules.bodies[id.index()]);
        let problem = if body.robot.is_some() {
            "it is a link: only obstacles can be removed"
        } else if facts.movable {
            "it is movable: hide it instead, or compile a description without it"
        } else if facts.cluster != FIXED_CLUSTER || world.kinematics.places.moving_step(id).is_some() {
            "it is attached to a link: compile a description without it"
        } else {
            self.removed.push(id);
            return Some(id);
        };
        faults.push(CompileFault::CannotEdit { name: name.into(), problem });
        None
    }

    fn pad_robot(&mut self, world: &World, robot: &str, padding: f64, faults: &mut FaultList) {
        if !(0.0..=MAX_COORDINATE).contains(&padding) {
            faults.push(CompileFault::BadNumber { what: "the padding of a robot", value: padding });
        }
        match world.kinematics.robots.iter().position(|r| r.name == robot) {
            Some(at) => {
                let robot = RobotId(at as u32);
                self.padded.retain(|(other, _)| *other != robot);
                self.padded.push((robot, padding));
            }
            None => {
                let (by, wanted, name) = ("a padding".into(), "robot", robot.into());
                faults.push(CompileFault::UnknownName { by, wanted, name });
            }
        }
    }

    /// Adds a fault for each name of a pair that is unknown now. Returns whether both are known.
    fn check_names_known(&self, world: &World, names: [&String; 2], faults: &mut FaultList) -> bool {
        let before = faults.0.len();
        for name in names {
            let added =
                self.added.iter().any(|added| Some(&*added.obstacle.name) == name.strip_prefix("world/"));
            let there = world.solids.find_body(name).is_some_and(|id| !self.removed.contains(&id));
            if !added && !there && selection_named(&world.checks.selections, name).is_none() {
                let by = format!("the pair `{}` - `{}` of an edit", names[0], names[1]);
                let wanted = "body, group or robot";
                faults.push(CompileFault::UnknownName { by, wanted, name: name.clone() });
            }
        }
        faults.0.len() == before
    }

    /// The links of the robots that are padded.
    pub fn padded_links(&self, world: &World) -> Vec<BodyId> {
        let links = |(robot, _): &(RobotId, f64)| world.kinematics.robots[robot.index()].links.clone();
        self.padded.iter().flat_map(links).map(BodyId).collect()
    }
}
