//! Many straight motions at once: which of them are free, told by bounds in lanes.
//!
//! Between the middle of a motion and either end, the joints bring a pair nearer by at most a known length. A
//! motion is free if, at its middle, every pair is farther apart than the margin and that length together.
//! The middles of many motions go through the sieve of batches together ([`crate::query::batch`]), each pair
//! with a distance of its own. A motion that is not proved free is cut in two halves, and each of them is
//! asked the same; this is repeated a few times. The motion is free if all of its parts are.
//!
//! The bounds here hold at all poses ([`super::motion_bounds`]). [`super::edge_search`] has narrower ones,
//! from lever arms at the pose. So that search proves free what is proved free here, and it is asked about
//! the rest.

use super::edge_options::EdgeOptions;
use super::motion_bounds::MotionBounds;
use super::tolerance::SIEVE_HALVINGS;
use super::way::Way;
use crate::model::world::World;
use crate::pose::fault::{are_values, within_limits};
use crate::query::batch::Vicinities;
use alloc::vec;
use alloc::vec::Vec;

/// Tells which of many straight motions are free, in one call.
#[derive(Clone, Debug)]
pub(super) struct EdgeSieve<'w> {
    world: &'w World,
    vicinities: Vicinities<'w>,
    way: Way,
    /// Parts of motions that wait, and those in the lanes.
    waiting: Vec<WayPart>,
    asked: Vec<WayPart>,
    values: Vec<f64>,
    change: Vec<f64>,
}

/// A part of a motion.
#[derive(Clone, Copy, Debug)]
struct WayPart {
    way: usize,
    t: [f64; 2],
    /// How often the motion was halved.
    halvings: u32,
}

impl<'w> EdgeSieve<'w> {
    /// For a world; `None` where lanes cannot be used (see [`crate::batch`]) or nothing can be proved free.
    pub fn new(world: &'w World) -> Option<EdgeSieve<'w>> {
        let bounds = MotionBounds::new(world);
        let vicinities = Vicinities::new(world, |pair, each| bounds.gains_of([pair.a, pair.b], each))?;
        let values = world.kinematics.dof_names.len();
        Some(EdgeSieve {
            world,
            vicinities,
            way: Way::new(world),
            waiting: Vec::new(),
            asked: Vec::new(),
            values: vec![0.0; values],
            change: vec![0.0; values],
        })
    }

    /// [`MotionChecker::sieve_edges`](super::MotionChecker::sieve_edges).
    pub fn sieve_edges(&mut self, ways: &[[&[f64]; 2]], options: &EdgeOptions, free: &mut [bool]) {
        free.fill(false);
        let margin = options.policy.margin_in(self.world);
        if !self.vicinities.covers_margin(margin) || options.set.ignore_limits {
            return;
        }
        let EdgeSieve { world, vicinities, way, waiting, asked, values, change } = self;
        let is_configuration =
            |q: &[f64]| q.len() == values.len() && are_values(world, q) && within_limits(world, q);
        waiting.clear();
        for (number, (ends, free)) in ways.iter().zip(free.iter_mut()).enumerate() {
            *free = ends.iter().all(|q| is_configuration(q));
            if *free {
                waiting.push(WayPart { way: number, t: [0.0, 1.0], halvings: 0 });
            }
        }
        while !waiting.is_empty() {
            vicinities.clear();
            asked.clear();
            while !vicinities.is_full()
                && let Some(part) = waiting.pop()
            {
                // Another part stayed open.
                if !free[part.way] {
                    continue;
                }
                let ends = ways[part.way];
                way.values_at(ends, 0.5 * (part.t[0] + part.t[1]), values);
                way.half_change(ends, part.t, change);
                vicinities.push(values, change);
                asked.push(part);
            }
            vicinities.sieve_poses(margin);
            for (_, part) in asked.iter().enumerate().filter(|(k, _)| !vicinities.is_clear(*k)) {
                let WayPart { way, t: [start, end], halvings } = *part;
                if halvings == SIEVE_HALVINGS {
                    free[way] = false;
                    continue;
                }
                let (middle, halvings) = (0.5 * (start + end), halvings + 1);
                waiting.push(WayPart { way, t: [start, middle], halvings });
                waiting.push(WayPart { way, t: [middle, end], halvings });
            }
        }
    }
}
