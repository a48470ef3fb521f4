//! What sensors saw, with parry: a `Bvh` over the points or the cells, whose `find_best` is asked for each
//! hull and told the best distance so far. The distance of a ball is that of its middle, less its radius.

use crate::work::Work;
use parry3d_f64::{
    bounding_volume::Aabb,
    math::{Pose, Vector},
    partitioning::{Bvh, BvhBuildStrategy, BvhNode},
    query::{PointQuery, details::distance_support_map_support_map},
    shape::{ConvexPolyhedron, Cuboid},
};

/// The points or cells that were seen last.
pub struct Marks {
    middles: Vec<Vector>,
    radius: f64,
    /// The cube of each cell, at the same number; empty for points.
    cubes: Vec<Cuboid>,
    boxes: Vec<Aabb>,
    tree: Bvh,
}

impl Marks {
    /// The marks of a work's first step.
    pub fn new(work: &Work) -> Marks {
        let mut made = Marks {
            middles: Vec::new(),
            radius: work.seen.radius,
            cubes: Vec::new(),
            boxes: Vec::new(),
            tree: Bvh::new(),
        };
        if work.seen.cells.is_empty() {
            made.replace_points(work, 0);
            return made;
        }
        for &([x, y, z], edge) in &work.seen.cells {
            let (middle, cube) = (Vector::new(x, y, z), Cuboid::new(Vector::splat(0.5 * edge)));
            made.boxes.push(Aabb::from_half_extents(middle, cube.half_extents));
            made.middles.push(middle);
            made.cubes.push(cube);
        }
        made.tree = Bvh::from_leaves(BvhBuildStrategy::default(), &made.boxes);
        made
    }

    /// The points of a step instead of those before.
    pub fn replace_points(&mut self, work: &Work, step: usize) {
        self.middles.clear();
        self.boxes.clear();
        for &[x, y, z] in work.seen.step_cloud(step) {
            let middle = Vector::new(x, y, z);
            self.middles.push(middle);
            self.boxes.push(Aabb { mins: middle, maxs: middle });
        }
        self.tree = Bvh::from_leaves(BvhBuildStrategy::default(), &self.boxes);
    }

    fn mark_distance(&self, number: u32, hull: &ConvexPolyhedron, at: &Pose) -> f64 {
        let middle = self.middles[number as usize];
        match self.cubes.get(number as usize) {
            Some(cube) => {
                let cube_in_hull = at.inv_mul(&Pose::from_translation(middle));
                distance_support_map_support_map(&cube_in_hull, hull, cube)
            }
            None => hull.distance_to_point(at, middle, true) - self.radius,
        }
    }

    /// The smallest distance to a hull at a pose, as far as it is below `best`.
    pub fn nearest_distance(&self, hull: &ConvexPolyhedron, around: &Aabb, at: &Pose, best: f64) -> f64 {
        let (shift, margin) = (-around.center(), around.half_extents());
        let bound = |node: &BvhNode, _: f64| {
            let sum = Aabb { mins: node.mins() + shift - margin, maxs: node.maxs() + shift + margin };
            sum.distance_to_origin() - self.radius
        };
        let leaf = |number: u32, _: f64| Some(self.mark_distance(number, hull, at));
        self.tree.find_best(best, bound, leaf).map_or(best, |(_, found)| best.min(found))
    }

    /// Whether a hull at a pose touches anything.
    pub fn touches_any(&self, hull: &ConvexPolyhedron, around: &Aabb, at: &Pose) -> bool {
        let around = Aabb {
            mins: around.mins - Vector::splat(self.radius),
            maxs: around.maxs + Vector::splat(self.radius),
        };
        self.tree.intersect_aabb(&around).any(|number| self.mark_distance(number, hull, at) <= 0.0)
    }
}
