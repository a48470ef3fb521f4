//! A whole world of its parts: groups, bounds and hashes follow from bodies, joints and checked pairs.

use super::bounds;
use super::fingerprint;
use super::groups;
use crate::model::checked_pairs::CheckedPairs;
use crate::model::checks::Checks;
use crate::model::kinematics::Kinematics;
use crate::model::movables::{CloudSpec, FirstCarrier};
use crate::model::pairs::{PairRules, Selection};
use crate::model::proofs::Proofs;
use crate::model::solids::Solids;
use crate::model::starts::Starts;
use crate::model::tolerance::MAX_SHAPES;
use crate::model::world::World;
use crate::model::world_before::WorldBefore;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use elbowroom_describe::fault::CompileFault;
use elbowroom_pair::numeric::parallel;

/// What a description gives, made ready; all else of a world follows from it.
pub(crate) struct WorldParts {
    pub solids: Solids,
    pub kinematics: Kinematics,
    pub rules: PairRules,
    /// What the names of robots and groups stand for, sorted by name.
    pub selections: Vec<(String, Selection)>,
    /// What the list of checks names.
    pub asked: Vec<(String, Selection)>,
    /// By movable body, who carries it at first.
    pub carriers: Vec<Option<FirstCarrier>>,
    /// By spare place, how many corners there is room for.
    pub spares: Vec<usize>,
    pub clouds: Vec<CloudSpec>,
    /// Metres.
    pub margin: f64,
}

/// The world of these parts and checked pairs. Bounds are taken from `before`, a world with equal shapes on
/// those bodies, where it has them. Without a `lineage` the world begins one.
pub(crate) fn complete_world(
    parts: WorldParts,
    pairs: CheckedPairs,
    before: Option<&WorldBefore>,
    lineage: Option<u64>,
) -> Result<World, CompileFault> {
    let WorldParts { solids, kinematics, rules, selections, asked, carriers, spares, clouds, margin } = parts;
    let sets = match &asked[..] {
        [] => groups::derive_groups(&solids, &kinematics),
        names => groups::collect_named_groups(solids.bodies.len(), names),
    };
    let groups = groups::compile_groups(&kinematics, &rules, sets);
    let index_set = groups::index_set(solids.bodies.len(), &groups, &pairs);
    let checks = Checks { rules, pairs, groups, asked, selections, index_set };
    let (bounds, bodies_hash) = parallel::both(
        || bounds::build_bounds(&solids, &kinematics, &checks, carriers, before),
        || fingerprint::of_bodies(&solids, &kinematics.places),
    );
    let Some((bounds, mut movables)) = bounds else {
        return Err(CompileFault::TooMany { what: "shapes", limit: MAX_SHAPES });
    };
    (movables.spares, movables.clouds) = (spares, clouds);
    let fingerprint = fingerprint::hash_world(bodies_hash, &kinematics, &checks.pairs, &movables, margin);
    Ok(World {
        proofs: Arc::new(Proofs::without_floors(&bounds)),
        starts: Starts::new(&checks.pairs, &solids),
        blind: kinematics.robots.iter().any(|robot| solids.is_bare(robot.links.clone())),
        fingerprint,
        bodies_hash,
        lineage: lineage.unwrap_or(fingerprint),
        margin,
        solids,
        kinematics,
        checks,
        bounds,
        movables,
        pads: None,
    })
}
