//! What the engine proves of all parts at a pose: the answers of the papers' systems are held against it.

use elbowroom::math::Transform;
use elbowroom::pair::{Query, Scratch, Warm, clearance};
use elbowroom::world::{BodyId, PairStatus};
use elbowroom::{Checker, Geometry, Interval, Question, World};

/// The engine's answer for all parts. Parts that do not move against each other are no pair of a world: their
/// distance is computed once.
#[derive(Debug)]
pub struct Truth {
    base: Interval,
}

impl Truth {
    /// For a world of one robot in a cell, or of two robots.
    pub fn new(world: &World) -> Truth {
        let checker = Checker::new(world);
        let (mut warm, mut scratch) = (Warm::default(), Scratch::new(0));
        let mut base = Interval::new(f64::INFINITY, f64::INFINITY, Geometry::Mesh);
        let at = |b: BodyId| checker.body_in_world(b).unwrap_or(Transform::IDENTITY);
        let group = |b: BodyId| world.bodies()[b.index()].robot;
        for (i, a) in world.shapes().iter().enumerate() {
            for b in world.shapes().iter().skip(i + 1).filter(|b| group(a.body) != group(b.body)) {
                if let Some(PairStatus::Allowed(_)) = world.status(a.body, b.body) {
                    let place = at(a.body) * a.shape_in_body();
                    let b_in_a = place.relative(&(at(b.body) * b.shape_in_body()));
                    let c =
                        clearance(&a.shape, &b.shape, &b_in_a, &Query::default(), &mut warm, &mut scratch);
                    base = smaller_interval(&base, &c.interval);
                }
            }
        }
        Truth { base }
    }

    /// The proved interval of the smallest signed distance at a pose (metres).
    pub fn proved_interval(&self, checker: &mut Checker) -> Interval {
        smaller_interval(&checker.ask(&Question::distance()).interval, &self.base)
    }
}

/// The interval of the smaller of two distances.
fn smaller_interval(a: &Interval, b: &Interval) -> Interval {
    Interval::new(a.lower.min(b.lower), a.upper.min(b.upper), a.geometry)
}
