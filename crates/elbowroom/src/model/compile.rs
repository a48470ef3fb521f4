//! A description becomes a [`World`], or the list of its faults.
//!
//! The compiler goes on after a fault, so that a person reads all faults at once. Each stage returns what it
//! makes complete, and later stages only read it: bodies and shapes, joints, held obstacles, rules for pairs.
//! If there is no fault, then follow the kinematics, the checked pairs and their groups, bounds and proofs,
//! and at last the pads, which need a whole world.

pub(crate) mod bounds;
mod clusters;
pub(crate) mod faults;
pub(crate) mod fingerprint;
pub(crate) mod fixed;
pub(crate) mod groups;
mod held;
mod joint_motion;
mod joint_tree;
mod joints;
mod kinematics;
mod later;
mod neutral;
pub(crate) mod pads;
mod rules;
pub(crate) mod solids;
mod twins;
pub(crate) mod whole;
mod zero;

use crate::model::checked_pairs::CheckedPairs;
use crate::model::kinematics::{Kinematics, Robot};
use crate::model::pairs::{FIXED_CLUSTER, PairRules};
use crate::model::select::Names;
use crate::model::solids::Solids;
use crate::model::tolerance::{MAX_BODIES, MAX_CHECKED_PAIRS, MAX_MOVABLE, MAX_MOVING, MAX_SHAPES};
use crate::model::world::World;
use alloc::vec;
use alloc::vec::Vec;
use clusters::Clusters;
use elbowroom_describe::WorldDescription;
use elbowroom_describe::fault::{CompileFault, Faults};
use elbowroom_pair::shape::compile::Preparation;
use faults::{FaultList, find_duplicates};
use joints::{Joints, RobotLinks};
use whole::{WorldParts, complete_world};

/// The world of a description; of its pairs nothing is proved yet. Or every fault, at least one.
pub(crate) fn compile_world(d: &WorldDescription, preparation: Preparation) -> Result<World, Faults> {
    let with_later;
    let d = match later::count_later(d) {
        0 => d,
        _ => {
            with_later = later::as_bodies(d);
            &with_later
        }
    };
    let mut faults = FaultList::default();
    faults.check_numbers(d);
    later::check_later(d, &mut faults);
    let (solids, links) = solids::compile_solids(d, preparation, &mut faults);
    let mut names: Vec<&str> = d.robots.iter().map(|r| r.name.as_str()).collect();
    faults.extend(find_duplicates(&mut names, "robot"));
    faults.extend(find_duplicates(&mut solids.by_name.duplicate_names(&solids.bodies), "body"));

    let (mut joints, mut clusters) = (Joints::default(), Clusters::new(solids.bodies.len()));
    let mut robots = Vec::with_capacity(d.robots.len());
    for (placed, links) in d.robots.iter().zip(links) {
        let name = placed.name.clone();
        let of_robot = RobotLinks { name: &name, links: links.clone(), bodies: &solids.bodies };
        let values = joints.add_robot(&placed.robot, &of_robot, &mut clusters, &mut faults);
        robots.push(Robot { name, links, values, base_in_world: placed.base_in_world });
    }
    let held = held::attach_held(d, &solids.bodies, &solids.by_name, &mut clusters, &mut faults);

    let names = Names::new(d, &robots, &solids.bodies, &solids.by_name, &mut faults.0);
    let facts = rules::structural_rules(d, &solids.bodies, &clusters, &robots);
    let (rules, asked) = rules::compile_rules(d, &names, facts, held.pairs, &mut faults);
    too_many(&solids, &rules, &mut faults);
    if !faults.0.is_empty() {
        return Err(Faults(faults.0));
    }
    let selections = names.into_selections();
    let kinematics = kinematics::compile_kinematics(d, robots, joints, held.steps, &solids);
    let (rules, pairs) =
        checked_pairs(d, rules, &solids, &kinematics).map_err(|fault| Faults(vec![fault]))?;
    let parts = WorldParts {
        solids,
        kinematics,
        rules,
        selections,
        asked,
        carriers: held.carriers,
        spares: later::spare_capacities(d),
        clouds: later::cloud_specs(d),
        margin: d.margin,
    };
    let world = complete_world(parts, pairs, None, None).map_err(|fault| Faults(vec![fault]))?;
    pads::add_pads(d, world)
}

/// Adds a fault for each number that is above its limit.
pub(crate) fn too_many(solids: &Solids, rules: &PairRules, faults: &mut FaultList) {
    let moving = rules.bodies.iter().filter(|b| b.cluster != FIXED_CLUSTER && !b.movable).count();
    let movable = rules.bodies.iter().filter(|b| b.movable).count();
    for (what, count, limit) in [
        ("bodies", solids.bodies.len(), MAX_BODIES),
        ("bodies that move", moving, MAX_MOVING),
        ("movable obstacles", movable, MAX_MOVABLE),
        ("shapes", solids.shapes.len(), MAX_SHAPES),
    ] {
        if count > limit {
            faults.push(CompileFault::TooMany { what, limit });
        }
    }
}

/// The complete rules, and the pairs that are checked by them. Where the description allows overlaps at the
/// zero pose, the rules have the pairs that overlap there.
fn checked_pairs(
    d: &WorldDescription,
    rules: PairRules,
    solids: &Solids,
    kinematics: &Kinematics,
) -> Result<(PairRules, CheckedPairs), CompileFault> {
    let too_many = CompileFault::TooMany { what: "checked pairs", limit: MAX_CHECKED_PAIRS };
    let Some(pairs) = rules.checked_pairs(MAX_CHECKED_PAIRS) else { return Err(too_many) };
    if !d.allow_zero_overlaps {
        return Ok((rules, pairs));
    }
    let zero_overlaps = zero::find_overlaps_at_zero(d, &rules, &pairs, solids, kinematics);
    if zero_overlaps.is_empty() {
        return Ok((rules, pairs));
    }
    let rules = PairRules { zero_overlaps, ..rules };
    match rules.checked_pairs(MAX_CHECKED_PAIRS) {
        Some(pairs) => Ok((rules, pairs)),
        None => Err(too_many),
    }
}
