//! What the engine proves of all parts at a pose: the answers of the papers' systems are held against it.

use elbowroom::math::Transform;
use elbowroom::pair::{Query, Scratch, Warm, clearance};
use elbowroom::world::{BodyId, PairStatus};
use elbowroom::{Checker, Question, World};

/// The engine's answer for all parts. Parts that do not move against each other are no pair of a world: their
/// distance is computed once.
#[derive(Debug)]
pub struct Truth {
    base: [f64; 2],
}

impl Truth {
    /// For a world of one robot in a cell, or of two robots.
    pub fn new(world: &World) -> Truth {
        let pose = Checker::new(world);
        let (mut warm, mut scratch) = (Warm::default(), Scratch::new(0));
        let mut base = [f64::INFINITY; 2];
        let at = |b: BodyId| pose.body_in_world(b).unwrap_or(Transform::IDENTITY);
        let group = |b: BodyId| world.bodies()[b.index()].robot;
        for (i, a) in world.shapes().iter().enumerate() {
            for b in world.shapes()[i + 1..].iter().filter(|b| group(a.body) != group(b.body)) {
                if let Some(PairStatus::Allowed(_)) = world.status(a.body, b.body) {
                    let place = at(a.body) * a.shape_in_body();
                    let b_in_a = place.relative(&(at(b.body) * b.shape_in_body()));
                    let c =
                        clearance(&a.shape, &b.shape, &b_in_a, &Query::default(), &mut warm, &mut scratch);
                    base = [base[0].min(c.interval.lower), base[1].min(c.interval.upper)];
                }
            }
        }
        Truth { base }
    }

    /// The proved interval of the smallest signed distance at a pose (metres).
    pub fn interval(&self, pose: &mut Checker) -> [f64; 2] {
        let r = pose.nearest(&Question::distance().margin(0.0));
        [r.interval.lower.min(self.base[0]), r.interval.upper.min(self.base[1])]
    }
}
