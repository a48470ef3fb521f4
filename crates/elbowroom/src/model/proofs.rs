//! What is proved of the listed pairs over all configurations, and which pairs tests ask because of it.

use crate::bounds::heights::Heights;
use crate::bounds::inside::Inside;
use crate::bounds::lanes::CapsuleId;
use crate::model::body_bounds::BodyBounds;
use crate::model::id::{BodyId, PairId};
use crate::model::solids::Solids;
use crate::model::tolerance::HEIGHT_BODIES;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_pair::Geometry;
use elbowroom_pair::numeric::parallel;

/// Floors of the listed pairs, the order in which pairs are bounded, and tables of the bodies that tests ask.
#[derive(Clone, Debug)]
pub(crate) struct Proofs {
    /// By listed pair, its floor: a proved lower bound on its signed distance at every configuration within
    /// limits (metres); minus infinity where nothing is proved.
    pub floors: Vec<f64>,
    /// The listed pairs in the order in which they are bounded: those that tests have to ask come first.
    pub order: Vec<PairId>,
    /// Their capsules, in that order.
    pub capsules: Vec<[CapsuleId; 2]>,
    /// How many of `order` tests ask. All others are proved to stay beyond the margin at every configuration
    /// within limits.
    pub near: usize,
    /// The least floor of those others, and its pair; `None` if there are no others.
    pub floor: Option<(f64, PairId)>,
    /// By capsule, tables of the bodies that tests ask.
    pub heights: Vec<Option<Heights>>,
    pub insides: Vec<Option<Inside>>,
    /// By capsule, what is inside the bodies that tests ask, where meshes count as their hulls.
    pub hull_insides: Vec<Option<Inside>>,
}

impl Proofs {
    /// From the floors of all listed pairs and the margin of the world (metres).
    /// Tables of bodies that are `known` are taken from there.
    pub fn new(
        floors: Vec<f64>,
        margin: f64,
        bounds: &BodyBounds,
        solids: &Solids,
        known: impl Fn(BodyId) -> Option<BodyTables> + Sync,
    ) -> Proofs {
        let ProofOrder { order, capsules, near, floor } = ProofOrder::new(&floors, margin, bounds);
        let Tables { heights, insides, hull_insides } = Tables::new(&capsules[..near], bounds, solids, known);
        Proofs { floors, order, capsules, near, floor, heights, insides, hull_insides }
    }

    /// Before anything is proved, and without tables.
    pub fn without_floors(bounds: &BodyBounds) -> Proofs {
        let floors = vec![f64::NEG_INFINITY; bounds.listed.len()];
        let ProofOrder { order, capsules, near, floor } = ProofOrder::new(&floors, 0.0, bounds);
        let count = bounds.capsules.len();
        Proofs {
            floors,
            order,
            capsules,
            near,
            floor,
            heights: vec![None; count],
            insides: vec![None; count],
            hull_insides: vec![None; count],
        }
    }

    /// These proofs with more floors: one for each listed pair, and the margin of the world (metres). Of each
    /// pair the larger floor stays, so a pair that tests left out stays left out. The tables stay.
    pub fn with_floors(self, more: &[f64], margin: f64, bounds: &BodyBounds) -> Proofs {
        let floors: Vec<f64> = self.floors.iter().zip(more).map(|(known, floor)| known.max(*floor)).collect();
        let ProofOrder { order, capsules, near, floor } = ProofOrder::new(&floors, margin, bounds);
        Proofs { floors, order, capsules, near, floor, ..self }
    }

    /// The inside of each body, if it has one.
    pub fn insides(&self, geometry: Geometry) -> &[Option<Inside>] {
        match geometry {
            Geometry::Mesh => &self.insides,
            Geometry::Hull => &self.hull_insides,
        }
    }
}

/// What follows from the floors alone.
struct ProofOrder {
    order: Vec<PairId>,
    capsules: Vec<[CapsuleId; 2]>,
    near: usize,
    floor: Option<(f64, PairId)>,
}

impl ProofOrder {
    fn new(floors: &[f64], margin: f64, bounds: &BodyBounds) -> ProofOrder {
        let far = |pair: &PairId| floors[pair.index()] > margin.max(0.0);
        let mut order: Vec<PairId> = (0..floors.len() as u32).map(PairId).collect();
        order.sort_by_key(far);
        let near = order.iter().filter(|pair| !far(pair)).count();
        let others = order[near..].iter().map(|pair| (floors[pair.index()], *pair));
        let floor = others.min_by(|a, b| a.0.total_cmp(&b.0));
        let capsules = order.iter().map(|pair| bounds.listed[pair.index()]).collect();
        ProofOrder { order, capsules, near, floor }
    }
}

/// By capsule, tables of heights of the bodies that tests ask, and of what is inside them.
struct Tables {
    heights: Vec<Option<Heights>>,
    insides: Vec<Option<Inside>>,
    hull_insides: Vec<Option<Inside>>,
}

impl Tables {
    fn new(
        near: &[[CapsuleId; 2]],
        bounds: &BodyBounds,
        solids: &Solids,
        known_tables: impl Fn(BodyId) -> Option<BodyTables> + Sync,
    ) -> Tables {
        let bodies = bounds.capsules.len();
        let (mut asked, mut known) = (Vec::new(), vec![false; bodies]);
        for capsule in bounds.crowds.iter().chain(near.iter().flatten()) {
            let at = capsule.index();
            if !known[at] && asked.len() < HEIGHT_BODIES {
                known[at] = true;
                asked.push(at);
            }
        }
        let made = parallel::map(&asked, |at| {
            let body = bounds.capsules[*at].body;
            known_tables(body).unwrap_or_else(|| BodyTables::build_tables(body, solids))
        });
        let mut tables = Tables {
            heights: vec![None; bodies],
            insides: vec![None; bodies],
            hull_insides: vec![None; bodies],
        };
        for (at, BodyTables { heights, inside, hull_inside }) in asked.into_iter().zip(made) {
            tables.heights[at] = Some(heights);
            (tables.insides[at], tables.hull_insides[at]) = (inside, hull_inside);
        }
        tables
    }
}

/// The tables of one body.
pub(crate) struct BodyTables {
    pub heights: Heights,
    pub inside: Option<Inside>,
    /// What is inside the body if meshes count as their hulls.
    pub hull_inside: Option<Inside>,
}

impl BodyTables {
    fn build_tables(body: BodyId, solids: &Solids) -> BodyTables {
        let shapes = || solids.on_body(body);
        let insides = || {
            let inside = Inside::of_shapes(shapes(), Geometry::Mesh);
            let has_mesh = shapes().any(|on_body| on_body.shape.mesh().is_some());
            let hull = if has_mesh { Inside::of_shapes(shapes(), Geometry::Hull) } else { inside.clone() };
            (inside, hull)
        };
        let (heights, (inside, hull_inside)) = parallel::both(|| Heights::of_shapes(shapes()), insides);
        BodyTables { heights, inside, hull_inside }
    }
}
