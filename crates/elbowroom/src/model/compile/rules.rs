//! The rules for pairs: what a description allows, asks for and disables by name.

use super::clusters::Clusters;
use super::faults::FaultList;
use super::later;
use crate::model::body::Body;
use crate::model::id::{BodyId, order_pair};
use crate::model::kinematics::Robot;
use crate::model::pairs::{BodyFacts, FIXED_CLUSTER, PairRules, Selection};
use crate::model::select::Names;
use crate::numeric::layered::Layered;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use elbowroom_describe::WorldDescription;
use elbowroom_describe::fault::CompileFault;

/// The rules, and the bodies that each name in the list of checks stands for.
pub(super) fn compile_rules(
    d: &WorldDescription,
    names: &Names,
    structural: PairRules,
    held: BTreeSet<(BodyId, BodyId)>,
    faults: &mut FaultList,
) -> (PairRules, Vec<(String, Selection)>) {
    let mut rules = PairRules { held, ..structural };
    let mut asked: Vec<(String, Selection)> = Vec::new();
    for allowed in &d.allowed {
        let by = format!("the allowed pair `{}` - `{}`", allowed.a, allowed.b);
        let a = names.resolve_name(&allowed.a, &by, &mut faults.0);
        let b = names.resolve_name(&allowed.b, &by, &mut faults.0);
        if let (Some(a), Some(b)) = (a, b) {
            match (a.single_body(), b.single_body()) {
                (Some(a), Some(b)) => {
                    let reason = allowed.reason.clone();
                    rules.allowed_by_name.entry(order_pair(a, b)).or_insert(reason);
                }
                _ => rules.allowed.push((a, b, allowed.reason.clone())),
            }
        }
    }
    rules.only_asked = !d.checks.is_empty();
    for [a, b] in &d.checks {
        let by = format!("the check `{a}` - `{b}`");
        let (x, y) = (names.resolve_name(a, &by, &mut faults.0), names.resolve_name(b, &by, &mut faults.0));
        let (Some(x), Some(y)) = (x, y) else { continue };
        for (name, selection) in [(a, &x), (b, &y)] {
            if asked.iter().all(|(known, _)| known != name) {
                asked.push((name.clone(), selection.clone()));
            }
        }
        match (x.single_body(), y.single_body()) {
            (Some(x), Some(y)) if x == y => faults.push(CompileFault::SelfCheck { body: a.clone() }),
            (Some(x), Some(y)) => {
                let shapeless = |id: &&(BodyId, &String, &String)| !rules.bodies[id.0.index()].has_shapes();
                for (_, body, other) in [(x, a, b), (y, b, a)].iter().filter(shapeless) {
                    let (body, other) = ((*body).clone(), (*other).clone());
                    faults.push(CompileFault::NothingToCheck { body, other });
                }
                rules.asked_by_name.insert(order_pair(x, y));
            }
            _ => rules.asked.push((x, y)),
        }
    }
    // Many SRDF files disable pairs of links that do not exist: that is no fault.
    for placed in &d.robots {
        for disabled in &placed.robot.disabled_pairs {
            let link = |name: &str| names.find_body(&format!("{}/{name}", placed.name));
            if let (Some(a), Some(b)) = (link(&disabled.link_a), link(&disabled.link_b)) {
                rules.disabled.entry(order_pair(a, b)).or_insert(disabled.reason.clone());
            }
        }
    }
    (rules, asked)
}

/// The rules that follow from joints and bodies alone. What a description says by names comes after.
pub(super) fn structural_rules(
    d: &WorldDescription,
    bodies: &Layered<Body>,
    clusters: &Clusters,
    robots: &[Robot],
) -> PairRules {
    let most = clusters.0.iter().map(|[cluster, _]| *cluster).max().unwrap_or(FIXED_CLUSTER);
    let mut hangs_on = alloc::vec![FIXED_CLUSTER; most as usize + 1];
    clusters.0.iter().for_each(|[cluster, above]| hangs_on[*cluster as usize] = *above);
    let links = bodies.len() - d.obstacles.len();
    let movable = core::iter::repeat_n(false, links).chain(d.obstacles.iter().map(|o| o.movable));
    // A cloud counts as one shape, whatever was seen; so does a spare place, empty or not.
    let later = bodies.len() - later::count_later(d);
    let fact = |(i, ((body, [cluster, _]), movable)): (usize, ((&Body, &[u32; 2]), bool))| BodyFacts {
        cluster: *cluster,
        shapes: if i < later { body.shapes.len() as u32 } else { 1 },
        movable,
    };
    PairRules {
        bodies: bodies.iter().zip(&clusters.0).zip(movable).enumerate().map(fact).collect(),
        hangs_on,
        links_end: robots.iter().map(|robot| robot.links.end).collect(),
        ..PairRules::default()
    }
}
