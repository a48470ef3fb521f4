//! Which pairs overlap at the zero pose and would be neighbours if links without shapes were left out.
//!
//! Descriptions put links without shapes between links that belong together: the axes of a wrist as links of
//! their own. The links at the two ends then overlap as neighbours do, at every pose, and no rule about
//! neighbours finds them. An overlap at one pose proves nothing about the others: such pairs are allowed only
//! where the description says so. Bodies are taken as they are declared, triangles and all, and without
//! padding: more padding must never take a pair out of account.

use super::neutral::Neutral;
use crate::model::describe::WorldDescription;
use crate::model::id::{BodyId, BodyPair, ShapeId, ordered};
use crate::model::world::World;
use crate::pair::clearance::{Ask, Query};
use crate::pair::geometry::Geometry;
use crate::pair::scratch::{Scratch, Warm};
use crate::shape::solid::Shape;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// The checked pairs of a world that this holds of.
pub(super) fn overlaps(world: &World, d: &WorldDescription) -> BTreeSet<(BodyId, BodyId)> {
    let above = world.rules.above_with_shapes();
    let neighbours = |pair: &BodyPair| world.rules.near_neighbours(&above, pair.a, pair.b);
    // What is asked for by its names is checked whatever else holds.
    let asked = |pair: &BodyPair| world.rules.asked_by_name.contains(&ordered(pair.a, pair.b));
    let candidates = world.pairs.iter().filter(neighbours).filter(|pair| !asked(pair));
    let paddings: Vec<f64> = d
        .robots
        .iter()
        .flat_map(|r| &r.robot.links)
        .flat_map(|link| link.shapes.iter().map(|shape| shape.padding + d.padding))
        .collect();
    let (neutral, mut scratch) = (Neutral::new(world), Scratch::new(world.mesh_depth()));
    let mut overlaps = |pair: &BodyPair| overlap(world, &neutral, &mut scratch, &paddings, *pair);
    let overlapping = candidates.filter(|pair| overlaps(pair));
    overlapping.map(|pair| ordered(pair.a, pair.b)).collect()
}

/// Whether two links are proved to overlap at the neutral configuration; `paddings` are those of all robots'
/// shapes.
fn overlap(
    world: &World,
    neutral: &Neutral,
    scratch: &mut Scratch,
    paddings: &[f64],
    pair: BodyPair,
) -> bool {
    let query = Query { ask: Ask::Test, geometry: Geometry::Mesh, cutoff: 0.0, ..Query::default() };
    let bare = |shape: u32| {
        let (padded, padding) = (&world.shapes[shape as usize].shape, paddings[shape as usize]);
        (padding > 0.0).then(|| Shape { radius: (padded.radius - padding).max(0.0), ..padded.clone() })
    };
    let shapes = |body: BodyId| world.bodies[body.index()].shapes.clone();
    shapes(pair.a).any(|a| {
        let bare_a = bare(a);
        shapes(pair.b).any(|b| {
            let bare_b = bare(b);
            let padded = [a, b].map(|i| &world.shapes[i as usize].shape);
            let shapes = [bare_a.as_ref().unwrap_or(padded[0]), bare_b.as_ref().unwrap_or(padded[1])];
            let placed = neutral.shape_pair(world, [ShapeId(a), ShapeId(b)], shapes);
            let (found, _) = placed.ask(query, &mut Warm::default(), scratch);
            found.interval.upper < 0.0
        })
    })
}
