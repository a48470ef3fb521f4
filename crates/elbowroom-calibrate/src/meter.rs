//! The signed distance of one pair at joint values, and how it changes with them.

use elbowroom::pair::{Effort, Query, Scratch, Stop, Warm, Witness, posed};
use elbowroom::pose::SetOptions;
use elbowroom::world::BodyId;
use elbowroom::{Checker, Geometry, Interval, PairId, World};

/// Asks pairs one by one. Joint values may be outside their limits: readings with offsets are.
pub(crate) struct PairMeter<'w> {
    checker: Checker<'w>,
    scratch: Scratch,
    geometry: Geometry,
}

/// What is known of a pair at a pose.
pub(crate) struct MeasuredPair {
    /// Its signed distance (metres).
    pub interval: Interval,
    /// How that changes with each joint value (metres a radian, or metres a metre). Empty where nothing is
    /// known.
    pub slopes: Vec<f64>,
}

impl<'w> PairMeter<'w> {
    pub fn new(world: &'w World, geometry: Geometry) -> PairMeter<'w> {
        let deepest = world.shapes().iter().map(|shape| shape.shape.mesh_depth()).max().unwrap_or(0);
        PairMeter { checker: Checker::new(world), scratch: Scratch::new(deepest), geometry }
    }

    /// The distance of a pair: the least of those of their shapes. Every pair begins without memory of
    /// others, so that its answer is the same in whatever order contacts come.
    pub fn measure_pair(&mut self, pair: PairId, values: &[f64]) -> MeasuredPair {
        let nothing = MeasuredPair { interval: Interval::nothing(self.geometry), slopes: Vec::new() };
        let world = self.checker.world();
        let Some(bodies) = world.pairs().get(pair) else { return nothing };
        if self.checker.set_with(values, SetOptions { ignore_limits: true }).is_err() {
            return nothing;
        }
        let shapes = |body: BodyId| world.bodies()[body.index()].shapes.clone();
        let (mut interval, mut nearest) = (Interval::new(f64::INFINITY, f64::INFINITY, self.geometry), None);
        let places = [bodies.a, bodies.b].map(|body| self.checker.body_in_world(body));
        let [Some(a_in_world), Some(b_in_world)] = places else { return nothing };
        for a in shapes(bodies.a).map(|a| &world.shapes()[a as usize]) {
            for b in shapes(bodies.b).map(|b| &world.shapes()[b as usize]) {
                // What is farther than the nearest so far changes nothing.
                let query = Query {
                    cutoff: interval.upper,
                    geometry: self.geometry,
                    depth: Effort::TIGHT,
                    ..Query::default()
                };
                let poses = [&(a_in_world * a.shape_in_body()), &(b_in_world * b.shape_in_body())];
                let (shapes, warm) = ([&a.shape, &b.shape], &mut Warm::default());
                let Ok(found) = posed::clearance(shapes, poses, &query, warm, &mut self.scratch) else {
                    return nothing;
                };
                // A body that an open mesh shuts in is inside, if the mesh was meant to be solid.
                let lower = if found.stop == Stop::ShutIn { f64::NEG_INFINITY } else { found.interval.lower };
                interval.lower = interval.lower.min(lower);
                if found.interval.upper < interval.upper {
                    interval.upper = found.interval.upper;
                    let (a, b) = (found.witness_a, found.witness_b);
                    nearest = Some(Witness { a, b, normal: found.normal });
                }
            }
        }
        let slopes = nearest.and_then(|witness| self.checker.gradient(pair, &witness));
        MeasuredPair { interval, slopes: slopes.map(<[f64]>::to_vec).unwrap_or_default() }
    }

    /// The least distance that is proved for all checked pairs at joint values (metres).
    pub fn least_distance(&mut self, values: &[f64]) -> f64 {
        match self.checker.set_with(values, SetOptions::default()) {
            Ok(()) => {
                self.checker.ask(&elbowroom::Question::distance().geometry(self.geometry)).interval.lower
            }
            Err(_) => f64::NEG_INFINITY,
        }
    }
}
