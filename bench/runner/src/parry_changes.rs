//! A world that changes, with parry: what one step places is taken out of the `Bvh` and put in again; where
//! all is placed, the boxes of all leaves are written and the tree is refitted. What a hand holds stays in
//! the tree, and is left out where the tree finds it.

use crate::work::Work;
use parry3d_f64::{
    bounding_volume::Aabb,
    math::{Matrix, Pose, Rotation, Vector},
    partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace},
    shape::ConvexPolyhedron,
};

/// The obstacles where they are now, and the tree over them.
pub struct Obstacles {
    /// The pose and the hull of each.
    pub placed: Vec<(Pose, ConvexPolyhedron)>,
    /// Its leaves have the obstacles' numbers.
    pub tree: Bvh,
    /// The one that is held.
    pub held: Option<u32>,
    homes: Vec<Pose>,
    /// The pose that each change gives an obstacle.
    at: Vec<Pose>,
    boxes: Vec<Aabb>,
    workspace: BvhWorkspace,
}

impl Obstacles {
    /// Those of a work.
    pub fn new(work: &Work, placed_hulls: Vec<(Pose, ConvexPolyhedron)>) -> Obstacles {
        let mut made = Obstacles {
            homes: placed_hulls.iter().map(|(at, _)| *at).collect(),
            at: work.changes.rows.iter().map(|row| parry_pose(&row.pose)).collect(),
            placed: placed_hulls,
            tree: Bvh::new(),
            held: None,
            boxes: Vec::new(),
            workspace: BvhWorkspace::default(),
        };
        made.make_anew();
        made
    }

    fn make_anew(&mut self) {
        self.boxes.clear();
        self.boxes.extend(self.placed.iter().map(|(at, hull)| hull.aabb(at)));
        self.tree = Bvh::from_leaves(BvhBuildStrategy::default(), &self.boxes);
    }

    /// All where they were at first.
    pub fn begin(&mut self) {
        if self.at.is_empty() {
            return;
        }
        for ((at, _), home) in self.placed.iter_mut().zip(&self.homes) {
            *at = *home;
        }
        self.make_anew();
    }

    /// Makes the changes before a step is asked.
    pub fn apply_changes(&mut self, work: &Work, step: usize) {
        let rows = work.changes.step_rows(step);
        let count = rows.len();
        self.held = None;
        for (row, at) in work.changes.rows[rows.clone()].iter().zip(&self.at[rows]) {
            let leaf = row.obstacle as u32;
            let (place, hull) = &mut self.placed[row.obstacle];
            *place = *at;
            if work.changes.held.is_some() {
                self.held = Some(leaf);
            } else if count == self.homes.len() {
                self.tree.insert_or_update_partially(hull.aabb(at), leaf, 0.0);
            } else if !work.changes.anew {
                self.tree.remove(leaf);
                self.tree.insert(hull.aabb(at), leaf);
            }
        }
        if work.changes.anew {
            self.make_anew();
        } else if count == self.homes.len() && count > 0 {
            self.tree.refit(&mut self.workspace);
        }
    }
}

/// A pose as parry has it.
pub fn parry_pose(x: &[f64; 12]) -> Pose {
    let columns = [x[0], x[3], x[6], x[1], x[4], x[7], x[2], x[5], x[8]];
    let rotation = Rotation::from_mat3(&Matrix::from_cols_array(&columns));
    Pose::from_parts(Vector::new(x[9], x[10], x[11]), rotation)
}
