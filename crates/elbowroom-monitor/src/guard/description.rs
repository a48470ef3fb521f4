//! What a guard is told about its cell, beside the world: arms and how they stop, roles, and what must be
//! kept.

use super::limit::{Limit, SpeedLimit};
use crate::fault::{Faults, Log, Place};
use crate::intent::Mode;
use crate::limits;
use crate::roles::Role;
use crate::stopping::Stopping;
use elbowroom::world::{AllowedReason, BodyId, PairStatus, RobotId};
use elbowroom::{Checker, World};

/// Everything a guard is told beside the world. [`GuardDescription::new`] has what is usual.
#[derive(Clone, Debug, PartialEq)]
pub struct GuardDescription {
    /// The time between two states of an arm (s). A command holds until the next state.
    pub period: f64,
    /// The longest time between two states of an arm (s); then it is late. The arms must be able to stop
    /// clear even if they go on for so long, so it is judged exactly. A clock's steps waver, and round:
    /// it must be at least 1.01 periods.
    pub late: f64,
    /// How far the time of a state may be from the time at which it was measured (s).
    pub time_error: f64,
    /// How long a force may be the same to the last bit (s): then its sensor is thought to have frozen.
    pub force_still: f64,
    /// By which part of the time the clock of the states may run faster or slower than that of the machine
    /// that judges them. A guard knows no clock but that of the states: who reads them beside a clock judges
    /// this. With [`limits::CLOCK_ANY`] nothing is judged.
    pub clock_drift: f64,
    /// How far the time of a state may lie from that clock beside its drift (s).
    pub clock_offset: f64,
    /// How far ahead the guard slows down (s): at the speed that it permits, the arms could go on for this
    /// time and then stop clear.
    pub look_ahead: f64,
    /// What stays free between bodies that must not touch (m).
    pub clearance: f64,
    /// The greatest speed at which an expected contact may happen (m/s).
    pub contact_speed: f64,
    /// The greatest force on a hand (N); infinite for none. It is judged where it is measured.
    pub contact_force: f64,
    /// How far from a hand an object may be that it takes, and from its support one that is let go (m).
    pub grasp_range: f64,
    /// How far a body may be placed from where it was (m; and rad, for its turn) without saying that it was
    /// carried there.
    pub teleport: f64,
    /// How fast the speed factor rises (1/s). It falls at once.
    pub rise: f64,
    /// How long an object counts as moving after it was moved (s).
    pub settling: f64,
    /// How it is known what the task means.
    pub mode: Mode,
    /// Whether a stop for a pair ends by itself when all is clear again. Faults always wait for a reset.
    pub restarts: bool,
    /// The arms. Every joint value of the world belongs to one.
    pub arms: Vec<ArmDescription>,
    /// Objects with roles. All other bodies have none.
    pub objects: Vec<ObjectDescription>,
    /// Obstacles that nothing can touch: where the bodies that are checked against them must not be.
    pub zones: Vec<BodyId>,
    /// Bodies whose points may not be faster than a limit.
    pub speed_limits: Vec<SpeedLimit>,
    /// What is known of people in the cell.
    pub people: Option<PeopleDescription>,
}

/// An arm: a robot of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmDescription {
    /// The robot.
    pub robot: RobotId,
    /// The links that may grasp.
    pub end_effector: Vec<BodyId>,
    /// By joint value of the robot, in the world's order.
    pub joints: Vec<JointDescription>,
}

/// What is known of a joint value. Angles are radians; for a joint that slides read metres.
#[derive(Clone, Debug, PartialEq)]
pub struct JointDescription {
    /// The lowest and the highest position (rad). The arm must be able to stop within.
    pub position: [f64; 2],
    /// How far a measured position may be from the true one (rad).
    pub position_error: f64,
    /// How far a measured velocity may be from the true one (rad/s).
    pub velocity_error: f64,
    /// The greatest velocity (rad/s).
    pub velocity: Limit,
    /// The greatest acceleration (rad/s^2), braking included; also by how much a velocity can change between
    /// two states.
    pub acceleration: Limit,
    /// The greatest effort (N m, or N).
    pub effort: Limit,
    /// The greatest current of its motor (A).
    pub current: Limit,
    /// How it goes on and stops.
    pub stopping: Stopping,
}

/// An object of one or more bodies that move as one.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectDescription {
    /// Its bodies, each with its role.
    pub parts: Vec<(BodyId, Role)>,
}

/// People in the cell, and the protective separation distance of ISO/TS 15066, `Sp = Sh + Sr + Ss + C + Zd +
/// Zr`. `Sr` and `Ss`, the robot's ways until it rests, and `Zr`, the uncertainty of its position, are in
/// what it passes until then. `Sh` is `speed` times the time from the last
/// report until it rests.
#[derive(Clone, Debug, PartialEq)]
pub struct PeopleDescription {
    /// The bodies that stand for people: movable ones that a tracker places, or clouds.
    pub bodies: Vec<BodyId>,
    /// How fast a person comes towards the robot (m/s): 1.6 where it is not measured.
    pub speed: f64,
    /// The longest time until the robot rests, from the state that is judged (s): reaction and stopping.
    pub time: f64,
    /// `C`: how far a part of the body reaches in before it is detected (m).
    pub intrusion: f64,
    /// `Zd`: the uncertainty of where people are (m).
    pub uncertainty: f64,
    /// The longest time between two reports of where a body of a person is, or that it is gone (s): then it
    /// is not known.
    pub late: f64,
    /// How near people are where [`SpeedLimit::people_near`] holds (m).
    pub near: f64,
}

impl PeopleDescription {
    /// What must stay free between people and all that the robot passes until it rests (m):
    /// `Sh + C + Zd`. People walk from the last report on, which may be late.
    pub fn separation_distance(&self) -> f64 {
        self.speed * (self.late + self.time) + self.intrusion + self.uncertainty
    }
}

impl GuardDescription {
    /// Usual numbers for arms that report each `period` (s), with the world's margin, and nothing else known.
    pub fn new(world: &World, period: f64) -> GuardDescription {
        GuardDescription {
            period,
            late: 2.5 * period,
            time_error: 0.0,
            force_still: 1.0,
            clock_drift: limits::CLOCK_DRIFT,
            clock_offset: 2.5 * period,
            look_ahead: 0.2,
            clearance: world.margin(),
            contact_speed: 0.05,
            contact_force: f64::INFINITY,
            grasp_range: 0.01,
            teleport: 0.01,
            rise: 2.0,
            settling: 0.5,
            mode: Mode::Declared,
            restarts: true,
            arms: Vec::new(),
            objects: Vec::new(),
            zones: Vec::new(),
            speed_limits: Vec::new(),
            people: None,
        }
    }

    /// By which part of the time the guard takes the times of states for wrong. A clock that may be twice as
    /// fast as the machine's is that of a simulation, whose arms move by it.
    pub(super) fn clock_drift(&self) -> f64 {
        if self.clock_drift < 1.0 { self.clock_drift } else { 0.0 }
    }

    /// Checks all of it against the world.
    ///
    /// # Errors
    /// All faults.
    pub fn check(&self, world: &World) -> Result<(), Faults> {
        let mut log = Log::default();
        self.check_numbers(&mut log);
        self.check_arms(world, &mut log);
        self.check_bodies(world, &mut log);
        log.finish(())
    }

    fn check_numbers(&self, log: &mut Log) {
        let mut within = |name: &'static str, value: f64, [least, most]: [f64; 2], unit: &str| {
            if !(least <= value && value <= most) {
                let what = format!("{name} is {value} {unit}");
                let to = if most < f64::INFINITY { format!(" to {most}") } else { String::new() };
                log.fault(Place::Field(name), what, format!("give a number from {least}{to} ({unit})"));
            }
        };
        within("period", self.period, [1e-5, 10.0], "s");
        within("late", self.late, [0.0, 100.0], "s");
        within("time_error", self.time_error, [0.0, 1.0], "s");
        within("force_still", self.force_still, [0.0, f64::INFINITY], "s");
        within("clock_drift", self.clock_drift, [0.0, limits::CLOCK_ANY], "of the time");
        within("clock_offset", self.clock_offset, [0.0, 1e6], "s");
        within("look_ahead", self.look_ahead, [0.0, 100.0], "s");
        within("clearance", self.clearance, [0.0, 10.0], "m");
        within("contact_speed", self.contact_speed, [0.0, 10.0], "m/s");
        within("contact_force", self.contact_force, [0.0, f64::INFINITY], "N");
        within("grasp_range", self.grasp_range, [0.0, 10.0], "m");
        within("teleport", self.teleport, [0.0, 1e6], "m and rad");
        within("rise", self.rise, [1e-3, 1e6], "1/s");
        within("settling", self.settling, [0.0, 1e6], "s");
        if let Some(people) = &self.people {
            within("people.speed", people.speed, [0.0, 10.0], "m/s");
            within("people.time", people.time, [0.0, 100.0], "s");
            within("people.intrusion", people.intrusion, [0.0, 10.0], "m");
            within("people.uncertainty", people.uncertainty, [0.0, 10.0], "m");
            within("people.late", people.late, [0.0, 100.0], "s");
            within("people.near", people.near, [0.0, 1e6], "m");
        }
        for limit in &self.speed_limits {
            within("speed_limit.most", limit.most, [0.0, 1e6], "m/s");
        }
        if let Some(people) = &self.people {
            let joints = self.arms.iter().flat_map(|arm| &arm.joints);
            let brakes = self.late + joints.map(|joint| joint.stopping.latency().most).fold(0.0, f64::max);
            if people.time < brakes {
                let what = format!(
                    "people.time is {} s, and the brakes may act only {brakes:.4} s after a state",
                    people.time
                );
                let help = "give the time until the arms rest: late, the latency and the time of braking";
                log.fault(Place::Field("people.time"), what, help);
            }
            if people.late < self.period {
                let what = format!("people.late is {} s, and the period {} s", people.late, self.period);
                let help = "give at least a period: nobody is told of more often";
                log.fault(Place::Field("people.late"), what, help);
            }
        }
        // Both are written as decimal numbers, and rounded.
        let least = limits::LATE_ROOM * self.period * (1.0 - 4.0 * f64::EPSILON);
        if self.late < least {
            let what = format!("late is {}, and the period {}", self.late, self.period);
            let help = "give at least 1.01 periods, as the steps of a clock waver and round; 2.5 are usual";
            log.fault(Place::Field("late"), what, help);
        }
    }

    fn check_arms(&self, world: &World, log: &mut Log) {
        let mut owners = vec![0_usize; world.robots().len()];
        for (number, arm) in (1..).zip(&self.arms) {
            let place = Place::Row { of: "arms", number };
            let Some(robot) = world.robots().get(arm.robot.0 as usize) else {
                log.fault(place, "the world has no such robot", "name one of its robots");
                continue;
            };
            if let Some(count) = owners.get_mut(arm.robot.0 as usize) {
                *count += 1;
            }
            if arm.joints.len() != robot.values.len() {
                let what = format!("{} joints are described of {}", arm.joints.len(), robot.values.len());
                log.fault(place, what, "describe each joint value of the robot");
            }
            for body in &arm.end_effector {
                if !robot.links.contains(&body.0) {
                    let body = name(world, *body);
                    let what = format!("{body}, of the end effector, is not a link of {}", robot.name);
                    log.fault(place, what, "name links of this robot");
                }
            }
            for (joint, value) in arm.joints.iter().zip(robot.values.clone()) {
                let name = world.dof_names().get(value).map_or("", String::as_str);
                joint.check_parts(name, place, log);
            }
        }
        for (robot, count) in world.robots().iter().zip(owners) {
            if count != 1 && !(count == 0 && robot.values.is_empty()) {
                let what = format!("robot {} has {count} arms in the description", robot.name);
                log.fault(Place::Field("arms"), what, "describe each robot that moves once");
            }
        }
    }

    fn check_bodies(&self, world: &World, log: &mut Log) {
        let mut seen = std::collections::BTreeSet::new();
        let is_obstacle = |body: BodyId| world.has_body(body) && world.bodies()[body.index()].robot.is_none();
        for (number, object) in (1..).zip(&self.objects) {
            let place = Place::Row { of: "objects", number };
            for (body, _) in &object.parts {
                if !is_obstacle(*body) {
                    let what = format!("{} is not an obstacle of the world", name(world, *body));
                    log.fault(place, what, "give roles to obstacles; links have none");
                }
                if !seen.insert(*body) {
                    let what = format!("{} is a part of two objects, or twice of one", name(world, *body));
                    log.fault(place, what, "name each body once");
                }
            }
        }
        self.check_objects(world, log);
        if self.people.as_ref().is_some_and(|people| people.bodies.is_empty()) {
            let help = "name the movable obstacles or clouds that a tracker tells of, or leave people out";
            log.fault(Place::Field("people.bodies"), "nobody is named", help);
        }
        for body in self.people.iter().flat_map(|people| &people.bodies) {
            let why = if !is_obstacle(*body) {
                "is not an obstacle of the world"
            } else if self.zones.contains(body) {
                "is a zone, which nobody ever sees"
            } else if world.spare_room(*body).is_some() {
                "is a spare place, of which nobody tells where it is"
            } else if world.is_movable(*body) != Some(true) {
                "is fixed, so nobody can tell where it is"
            } else {
                continue;
            };
            let help = "name movable obstacles, which a tracker places, or clouds, which a sensor sees";
            log.fault(Place::Field("people.bodies"), format!("{} {why}", name(world, *body)), help);
        }
        // Where people are not checked, nothing would ever be near them.
        let people = self.people.iter().flat_map(|people| &people.bodies).filter(|body| is_obstacle(**body));
        for (person, robot) in people.flat_map(|body| world.robots().iter().map(move |robot| (*body, robot)))
        {
            let links = robot.links.clone().map(BodyId).filter(|link| world.can_move(*link) == Some(true));
            let left_out = |link: &BodyId| {
                use AllowedReason::{NotAsked, User};
                matches!(world.status(*link, person), Some(PairStatus::Allowed(NotAsked | User(_))))
            };
            // What an arm may take moves with it.
            let is_other = |body: &BodyId| self.people.as_ref().is_some_and(|d| !d.bodies.contains(body));
            let all = (0..world.bodies().len() as u32).map(BodyId);
            let taken = all.filter(|body| world.is_movable(*body) == Some(true)).filter(is_other);
            if let Some(link) = links.clone().chain(taken).find(left_out) {
                let [person, link] = [person, link].map(|body| name(world, body));
                let what = format!("{person} stands for people, and is not checked against {link}");
                let help = "take the pair out of what is allowed, or into the list of checks";
                log.fault(Place::Field("people.bodies"), what, help);
            }
        }
        for body in &self.zones {
            let why = if !is_obstacle(*body) {
                "is not an obstacle of the world"
            } else if !seen.insert(*body) {
                "is a part of an object, or named twice"
            } else {
                ""
            };
            let of_zone = name(world, *body);
            if !why.is_empty() {
                let help = "name obstacles that stand for zones, and nothing else, once";
                log.fault(Place::Field("zones"), format!("{of_zone} {why}"), help);
                continue;
            }
            let mut others = (0..world.bodies().len() as u32).map(BodyId);
            if !others.any(|other| matches!(world.status(*body, other), Some(PairStatus::Checked(_)))) {
                let help = "name links that move, robots, groups of them, or movable obstacles in its bodies";
                log.fault(Place::Field("zones"), format!("nothing is checked against {of_zone}"), help);
            }
        }
        for limit in &self.speed_limits {
            if !world.has_body(limit.body) {
                let what = format!("{} is not of the world", name(world, limit.body));
                log.fault(Place::Field("speed_limits"), what, "name a link or an obstacle");
            }
            let is_still = !world.can_move(limit.body).unwrap_or(false);
            if is_still && world.has_body(limit.body) && world.is_movable(limit.body) != Some(true) {
                let what = format!("{} never moves", name(world, limit.body));
                log.fault(
                    Place::Field("speed_limits"),
                    what,
                    "name a link that moves, or a movable obstacle",
                );
            }
            if limit.people_near && self.people.is_none() {
                let what = "a limit holds while people are near, and no people are described";
                log.fault(Place::Field("speed_limits"), what, "describe people, or let it hold always");
            }
        }
    }
}

impl GuardDescription {
    /// The bodies of an object move as one: at most one of them moves by itself, and all others hang on it.
    fn check_objects(&self, world: &World, log: &mut Log) {
        let first = Checker::new(world);
        for (number, object) in (1..).zip(&self.objects) {
            let hangs = |body: &BodyId| {
                let carrier = first.carrier(*body);
                carrier.is_some_and(|carrier| object.parts.iter().any(|(part, _)| *part == carrier))
            };
            let free: Vec<BodyId> =
                object.parts.iter().map(|(part, _)| *part).filter(|part| !hangs(part)).collect();
            let moving = free.iter().find(|body| world.is_movable(**body) == Some(true));
            if let Some(moving) = moving
                && let Some(other) = free.iter().find(|body| *body != moving)
            {
                let [moving, other] = [*moving, *other].map(|body| name(world, body));
                let what =
                    format!("{moving} and {other} move as one, but {moving} can be moved without {other}");
                let help = "attach one to the other (attached_to), or make two objects of them";
                log.fault(Place::Row { of: "objects", number }, what, help);
            }
        }
    }
}

/// A body as people call it.
fn name(world: &World, body: BodyId) -> String {
    let known = world.bodies().get(body.index()).filter(|_| world.has_body(body));
    known.map_or_else(|| format!("body {}", body.0), |body| body.name.to_string())
}

impl JointDescription {
    fn check_parts(&self, name: &str, place: Place, log: &mut Log) {
        let mut need = |good: bool, what: &str, help: &str| {
            if !good {
                log.fault(place, format!("{name}: {what}"), help);
            }
        };
        let [low, high] = self.position;
        need(low <= high, "the lowest position is not below the highest", "give them in order");
        let not_below_zero = |v: f64| (0.0..f64::INFINITY).contains(&v);
        need(not_below_zero(self.position_error), "the position error is not a number from 0", "give one");
        need(not_below_zero(self.velocity_error), "the velocity error is not a number from 0", "give one");
        let limits = [&self.velocity, &self.acceleration, &self.effort, &self.current];
        need(limits.iter().all(|limit| limit.most >= 0.0), "a limit is below zero or NaN", "give it from 0");
    }
}
