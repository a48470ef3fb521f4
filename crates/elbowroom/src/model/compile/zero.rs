//! Finds pairs that overlap at the zero pose and would be neighbours if links without shapes were left out.
//!
//! Some descriptions put links without shapes between two links, as for the axes of a wrist. The two links
//! then overlap at every pose, as neighbours do, but the rule about neighbours does not find them. An overlap
//! at one pose proves nothing about other poses, so such pairs are allowed only where the description says
//! so. Bodies are taken as declared, with all triangles, and without padding: more padding must never remove
//! a checked pair.

use super::neutral::Neutral;
use crate::model::checked_pairs::CheckedPairs;
use crate::model::id::{BodyId, BodyPair, order_pair};
use crate::model::kinematics::Kinematics;
use crate::model::pairs::PairRules;
use crate::model::solids::Solids;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use elbowroom_describe::WorldDescription;
use elbowroom_pair::Geometry;
use elbowroom_pair::{Ask, Query};
use elbowroom_pair::{Scratch, Warm};

/// The checked pairs that overlap so, ordered.
pub(super) fn find_overlaps_at_zero(
    d: &WorldDescription,
    rules: &PairRules,
    pairs: &CheckedPairs,
    solids: &Solids,
    kinematics: &Kinematics,
) -> BTreeSet<(BodyId, BodyId)> {
    let above = rules.above_with_shapes();
    let neighbours = |pair: &BodyPair| rules.near_neighbours(&above, pair.a, pair.b);
    // A pair that is asked for by both names is always checked.
    let asked = |pair: &BodyPair| rules.asked_by_name.contains(&order_pair(pair.a, pair.b));
    let candidates = pairs.iter().filter(neighbours).filter(|pair| !asked(pair));
    let links = d.robots.iter().flat_map(|r| &r.robot.links);
    let paddings = links.flat_map(|link| link.shapes.iter().map(|shape| shape.padding + d.padding));
    let mut at_zero = AtZero {
        solids,
        neutral: Neutral::new(kinematics),
        paddings: paddings.collect(),
        scratch: Scratch::new(solids.mesh_depth),
    };
    let overlapping = candidates.filter(|pair| at_zero.prove_overlap(*pair));
    overlapping.map(|pair| order_pair(pair.a, pair.b)).collect()
}

/// Links at the neutral configuration, without their padding.
struct AtZero<'a> {
    solids: &'a Solids,
    neutral: Neutral<'a>,
    /// By shape of the robots, its padding (metres).
    paddings: Vec<f64>,
    scratch: Scratch,
}

impl AtZero<'_> {
    /// Whether two links are proved to overlap.
    fn prove_overlap(&mut self, pair: BodyPair) -> bool {
        let AtZero { solids, neutral, paddings, scratch } = self;
        let query = Query { ask: Ask::Test, geometry: Geometry::Mesh, cutoff: 0.0, ..Query::default() };
        let bare = |shape: u32| {
            let (padded, padding) = (&solids.shapes[shape as usize].shape, paddings[shape as usize]);
            (padding > 0.0).then(|| padded.with_radius((padded.radius() - padding).max(0.0)))
        };
        let shapes = |body: BodyId| solids.bodies[body.index()].shapes.clone();
        shapes(pair.a).any(|a| {
            let bare_a = bare(a);
            shapes(pair.b).any(|b| {
                let bare_b = bare(b);
                let padded = [a, b].map(|i| &solids.shapes[i as usize]);
                let shapes = [
                    bare_a.as_ref().unwrap_or(&padded[0].shape),
                    bare_b.as_ref().unwrap_or(&padded[1].shape),
                ];
                let (clearance, _) =
                    neutral.shape_pair(padded, shapes).ask(query, &mut Warm::default(), scratch);
                clearance.interval.upper < 0.0
            })
        })
    }
}
