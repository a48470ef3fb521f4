//! Floors: how near listed pairs can ever come, proved over all configurations. Tests leave out the pairs
//! that stay beyond the margin.
//!
//! This is [`super::prove`] with little work for each pair. It asks hulls, so floors hold for the triangles
//! inside them too. Setup assistants drop pairs that they never saw touch. Here each dropped pair has a
//! proof, and is dropped from tests only: it may still have the smallest distance.

use super::proof::{Claim, ProveOptions};
use super::prove::Prover;
use crate::model;
use crate::model::proofs::Proofs;
use crate::model::world::{Pads, World};
use crate::model::world_before::WorldBefore;
use crate::motion::tolerance::{FLOOR_BOXES, FLOOR_BOXES_IN_ALL, FLOOR_SHAPES};
use alloc::sync::Arc;
use alloc::vec::Vec;
use elbowroom_describe::WorldDescription;
use elbowroom_describe::fault::Faults;
use elbowroom_pair::Geometry;
use elbowroom_pair::numeric::parallel;
use elbowroom_pair::shape::compile::Preparation;

/// By listed pair, a lower bound on its signed distance at every configuration within limits (metres); minus
/// infinity where nothing was proved. At most `boxes` boxes of joint values are asked for each pair, and
/// `in_all` for all pairs. What a world that is alike has proved is taken from it.
fn prove_floors(world: &World, boxes: u64, mut in_all: u64, before: Option<&WorldBefore>) -> Vec<f64> {
    let listed = &world.checks.pairs.listed;
    let mut floors = alloc::vec![f64::NEG_INFINITY; listed.len()];
    if listed.is_empty() || boxes == 0 {
        return floors;
    }
    let mut prover = Prover::new(world);
    for (pair, floor) in listed.iter().zip(&mut floors) {
        if let Some(known) = before.and_then(|before| before.known_floor(*pair)) {
            *floor = known;
            continue;
        }
        let shapes = [pair.a, pair.b].map(|id| world.solids.bodies[id.index()].shapes.len());
        let boxes = boxes.min(in_all);
        if boxes == 0 || shapes[0].saturating_mul(shapes[1]) > FLOOR_SHAPES {
            continue;
        }
        let options = ProveOptions { boxes, geometry: Geometry::Hull, ..ProveOptions::default() };
        let proof = prover.pair(*pair, &options);
        if let Claim::Never { least } = proof.claim {
            *floor = least;
        }
        in_all -= proof.boxes.min(in_all);
    }
    floors
}

/// The world with what is easily proved of it.
pub(super) fn prove_world(world: World, before: Option<&WorldBefore>) -> World {
    let floors = prove_floors(&world, FLOOR_BOXES, FLOOR_BOXES_IN_ALL, before);
    let known = |body| before.and_then(|before| before.known_tables(body));
    let proofs = Proofs::new(floors, world.margin, &world.bounds, &world.solids, known);
    World { proofs: Arc::new(proofs), ..world }
}

/// The world as declared and the world with its pads drawn back, each with what is easily proved of it.
fn prove_with_pads(world: World) -> World {
    let Some(pads) = world.pads.clone() else { return prove_world(world, None) };
    let declared = prove_world(world, None);
    let before = WorldBefore::new(&declared, pads.list.iter().map(|pad| pad.body).collect());
    let drawn_back = prove_world(pads.drawn_back.clone(), Some(&before));
    World { pads: Some(Arc::new(Pads { list: pads.list.clone(), drawn_back })), ..declared }
}

impl World {
    /// Compiles a description, and proves of its pairs what is easily proved. Hulls and bounds are fitted to
    /// every mesh, which takes about a second for an arm of dense meshes.
    ///
    /// # Errors
    /// Every fault that was found, at least one ([`fault`](elbowroom_describe::fault) has an example).
    pub fn compile(description: &WorldDescription) -> Result<World, Faults> {
        let world = model::compile::compile_world(description, Preparation::Whole)?;
        Ok(prove_with_pads(world))
    }

    /// [`World::compile`] for a program that asks some questions and ends. Some data of a mesh serve only
    /// searches between surfaces. They are made when such a search first comes to the mesh, and are kept. The
    /// answers have the same bits. A controller needs [`World::compile`]: here a first question may take as
    /// long as compiling a mesh, and it allocates.
    ///
    /// # Errors
    /// As [`World::compile`].
    pub fn compile_on_demand(description: &WorldDescription) -> Result<World, Faults> {
        let world = model::compile::compile_world(description, Preparation::OnDemand)?;
        Ok(prove_with_pads(world))
    }

    /// Makes all that [`World::compile_on_demand`] has left out, on all threads. No answer changes.
    pub fn prepare_all(&self) {
        let shapes: Vec<_> = self.solids.shapes.iter().collect();
        parallel::map(&shapes, |placed| placed.shape.prepare_all());
        if let Some(pads) = &self.pads {
            pads.drawn_back.prepare_all();
        }
    }

    /// The world with more proofs: pairs that stay beyond the margin at every configuration within limits are
    /// left out of tests. It asks at most so many boxes of joint values for each listed pair, some
    /// microseconds a box. Compiling a world has proved the easy pairs. Distances do not change (source:
    /// henrich92 section 2, static hierarchies and virtual manipulators; [`Prover`] has an example).
    #[must_use]
    pub fn with_proofs(self, boxes: u64) -> World {
        let floors = prove_floors(&self, boxes, u64::MAX, None);
        let proofs = Proofs::clone(&self.proofs).with_floors(&floors, self.margin, &self.bounds);
        let pads = self.pads.as_ref().map(|pads| {
            let drawn_back = pads.drawn_back.clone().with_proofs(boxes);
            Arc::new(Pads { list: pads.list.clone(), drawn_back })
        });
        World { proofs: Arc::new(proofs), pads, ..self }
    }

    /// How many pairs are proved to stay beyond the margin, so that tests leave them out.
    pub fn proved_apart_count(&self) -> usize {
        self.proofs.order.len() - self.proofs.near
    }
}
