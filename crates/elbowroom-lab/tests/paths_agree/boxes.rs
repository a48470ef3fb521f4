//! Two ways to descend hierarchies of boxes over the bodies of a cell.

use crate::cells::draw_values;
use crate::support::ask::smaller_distance;
use crate::support::rng::Rng;
use crate::tally::{Tally, Truth};
use elbowroom::bounds::AlignedBox;
use elbowroom::bounds::fit::fit_aligned_box;
use elbowroom::bounds::hierarchy::{Tree, agglomerate_boxes};
use elbowroom::world::{BodyId, BodyPair};
use elbowroom::{Checker, Geometry, Interval, World};
use elbowroom_lab::cost::Cost;
use elbowroom_lab::descend::{Descent, descend_trees};
use elbowroom_lab::primitives::box_moved;
use elbowroom_lab::structures::{KeepStructures, Structures};
use std::collections::BTreeMap;

/// That of no pair.
const FAR: Interval = Interval::new(f64::INFINITY, f64::INFINITY, Geometry::Mesh);

/// Hierarchies over the bodies of a cell, for the two ways to descend.
pub struct Boxes {
    moving: Vec<BodyId>,
    all: Vec<BodyId>,
    around: Vec<AlignedBox>,
    structures: Structures,
    costs: Tree,
}

impl Boxes {
    pub fn new(world: &World) -> Boxes {
        let has = |b: &BodyId| !world.bodies()[b.index()].shapes.is_empty();
        let all: Vec<BodyId> = (0..world.bodies().len() as u32).map(BodyId).filter(has).collect();
        let around: Vec<AlignedBox> =
            all.iter().map(|b| fit_aligned_box(&world.ball_set(*b)).unwrap()).collect();
        let moving: Vec<BodyId> =
            all.iter().copied().filter(|b| world.bodies()[b.index()].robot.is_some()).collect();
        let (mut checker, mut rng) = (Checker::new(world), Rng::new(3));
        let structures = Structures::sample_structures(
            moving.len(),
            Cost::Diameter,
            KeepStructures::default(),
            |k, boxes| {
                checker.set(&draw_values(world, &mut rng)).unwrap();
                for (b, out) in moving.iter().zip(boxes) {
                    let i = all.binary_search(b).unwrap();
                    *out = box_moved(&around[i], &checker.body_in_world(*b).unwrap(), 1e-9);
                }
                k < 100
            },
        );
        let neutral = Checker::new(world);
        let leaves: Vec<AlignedBox> = all
            .iter()
            .zip(&around)
            .map(|(b, a)| box_moved(a, &neutral.body_in_world(*b).unwrap(), 1e-9))
            .collect();
        let costs = agglomerate_boxes(&leaves, |b| Cost::Surface.box_cost(b)).unwrap();
        Boxes { moving, all, around, structures: structures.unwrap(), costs }
    }

    /// The least distance by both descents: both sides at once, and the larger first. Leaves are pairs that
    /// were asked by themselves.
    pub fn descend(
        &self,
        place: &str,
        checker: &Checker,
        pairs: &BTreeMap<BodyPair, Interval>,
        truth: &Truth,
        tally: &mut Tally,
    ) {
        let at = |b: &BodyId| {
            let i = self.all.binary_search(b).unwrap();
            box_moved(&self.around[i], &checker.body_in_world(*b).unwrap(), 1e-9)
        };
        let leaves = [self.moving.iter().map(at).collect::<Vec<_>>(), self.all.iter().map(at).collect()];
        let mut choice = self.structures.new_choice();
        let mut boxes = [
            vec![AlignedBox::EMPTY; 2 * leaves[0].len() - 1],
            vec![AlignedBox::EMPTY; 2 * leaves[1].len() - 1],
        ];
        let chosen = self.structures.refit(&leaves[0], &mut choice, &mut boxes[0]);
        self.costs.refit_boxes(&leaves[1], &mut boxes[1]);
        let trees = [&self.structures.trees()[chosen], &self.costs];
        let mut work = Vec::new();
        for descent in Descent::ALL {
            let (mut best, mut asked) = (FAR, 0);
            descend_trees(trees, [&boxes[0], &boxes[1]], descent, f64::INFINITY, &mut work, |i, j, gap| {
                let [x, y] = [self.moving[i as usize], self.all[j as usize]];
                if let Some(interval) = pairs.get(&BodyPair { a: x.min(y), b: x.max(y) }) {
                    asked += 1;
                    best = smaller_distance(&best, interval);
                    if gap > interval.upper {
                        tally.fault(format!(
                            "{place}: boxes of {x:?} {y:?} are farther apart than {interval:?}"
                        ));
                    }
                }
                best.upper
            });
            tally.descents += 1;
            tally.pruned += u64::from(asked < pairs.len());
            // Nothing of what is nearest was cut off. What is not, may be.
            if !(best.upper == truth.interval.upper && truth.interval.contains(best.lower)) {
                tally.fault(format!("{place}: descent {descent:?}: {best:?}, truth {truth:?}"));
            }
        }
    }
}
