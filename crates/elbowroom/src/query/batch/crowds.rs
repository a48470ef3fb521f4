//! Moving bodies and fixed shapes in a sieve: which of them stay open in a pose.
//!
//! Eight by eight, boxes are put around the moving bodies, and around groups of them, in the frame of the
//! tree over fixed shapes. Pose by pose, that tree gives the leaves that these boxes do not part, some at a
//! time; the ball of a leaf is bounded against the body's capsule, and what stays is bounded by planes, the
//! deepest first, until one stays open. That one and those behind it are asked exactly, before more leaves
//! are looked for: where bodies overlap, most leaves are never seen.
//!
//! A frame in f32 is exact numbers of f64. So the bounds of one leaf are computed in f64, by the code of
//! single poses, with the error that the frame has in f32.

use super::eights::{Eights, abs8, add_matrix_product, add3, load3};
use super::model::{LaneCrowd, Model};
use crate::bounds::hierarchy::{WIDTH, WideQuery, WithinScratch};
use crate::bounds::lanes::CapsuleRecord;
use crate::model::id::ShapeId;
use crate::model::world::World;
use crate::numeric::work_list::WorkList;
use crate::pose::frames::Pose;
use crate::query::crowd_work::Candidate;
use crate::query::tolerance::BATCH_LEAVES;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::{Mat3, Transform, Vec3, round_up};
use elbowroom_pair::numeric::simd::Lanes;

/// Puts boxes around the crowds' bodies and groups of them in eight poses, whose frames and capsules are
/// given: their low and high corners in the tree's frame, by node of the crowds' tree.
#[inline(always)]
pub(super) fn boxes_around<L: Lanes>(
    l: L,
    model: &Model,
    frames: &[[Eights; 12]],
    capsules: &[[Eights; 6]],
    boxes: &mut [[Eights; 6]],
) {
    for (crowd, out) in model.crowds.iter().zip(boxes.iter_mut()) {
        let of = &model.capsules[crowd.capsule as usize];
        let axis = &capsules[crowd.capsule as usize];
        let frame = &frames[of.frame as usize - model.roots.len()];
        let r = [load3(l, frame, 0), load3(l, frame, 3), load3(l, frame, 6)];
        let center = add_matrix_product(l, &r, &of.box_center, load3(l, frame, 9));
        let mut reach = [l.splat8(crowd.slack); 3];
        for (column, half) in r.iter().zip(&of.box_half) {
            let half = l.splat8(*half);
            let along = [l.mul8(abs8(l, column[0]), half), l.mul8(abs8(l, column[1]), half)];
            reach = add3(l, reach, [along[0], along[1], l.mul8(abs8(l, column[2]), half)]);
        }
        for k in 0..3 {
            let (middle, round) =
                (l.load8(&axis[k]), l.add8(abs8(l, l.load8(&axis[3 + k])), l.splat8(of.radius)));
            // A body without a box has NaN corners here. Then `max8` and `min8` take those of the capsule.
            let low = l.max8(l.sub8(center[k], reach[k]), l.sub8(middle, round));
            let high = l.min8(l.add8(center[k], reach[k]), l.add8(middle, round));
            let (origin, room) = (l.splat8(model.origin[k]), l.splat8(crowd.room));
            out[k] = l.to_array8(l.sub8(l.sub8(low, origin), room));
            out[3 + k] = l.to_array8(l.add8(l.sub8(high, origin), room));
        }
    }
    for (node, [a, b]) in (model.crowds.len()..).zip(&model.joins) {
        let (a, b) = (boxes[*a as usize], boxes[*b as usize]);
        for k in 0..3 {
            boxes[node][k] = l.to_array8(l.min8(l.load8(&a[k]), l.load8(&b[k])));
            boxes[node][3 + k] = l.to_array8(l.max8(l.load8(&a[3 + k]), l.load8(&b[3 + k])));
        }
    }
}

/// What is needed for one pose. Everything is allocated when it is made.
#[derive(Clone, Debug)]
pub(super) struct Crowds {
    queries: Vec<WideQuery>,
    /// By crowd, its frame and its capsule, once a leaf was found near it.
    placed: Vec<Option<(Transform, CapsuleRecord)>>,
    scratch: WithinScratch,
    /// The tree that is searched, by its number.
    tree: usize,
    /// What stays open of the leaves that were found last, the deepest first.
    pub open: WorkList<Candidate>,
}

impl Crowds {
    /// `None` for a world without crowds.
    pub fn new(world: &World) -> Option<Crowds> {
        let bounds = &world.bounds;
        let crowds = bounds.crowds.len();
        let query = WideQuery::new([0.0; 3], [0.0; 3]);
        (crowds > 0).then(|| Crowds {
            queries: vec![query; bounds.crowd_tree.len()],
            placed: vec![None; crowds],
            scratch: WithinScratch::for_levels(bounds.fixed.max_levels(), crowds),
            tree: 0,
            open: WorkList::with_capacity(BATCH_LEAVES + WIDTH),
        })
    }

    /// Begins with a pose: the lane of eight poses, whose boxes are given.
    pub fn start_pose(&mut self, world: &World, boxes: &[[Eights; 6]], lane: usize) {
        for (query, corners) in self.queries.iter_mut().zip(boxes) {
            let [low, high] = [0, 3].map(|first| [0, 1, 2].map(|k| corners[first + k][lane]));
            *query = WideQuery::new(low, high);
        }
        self.placed.fill(None);
        self.open.clear();
        self.tree = 0;
        if let Some((_, tree)) = world.bounds.fixed.trees().next() {
            self.scratch.start_search(tree, &world.bounds.crowd_tree);
        }
    }

    /// Looks for more pairs of a crowd and a fixed shape that are not proved farther apart than the margin:
    /// those in `open`. True if these were the last. The frames of the eight poses are given; `pose` is any
    /// pose of the world.
    pub fn find_open_pairs(
        &mut self,
        model: &Model,
        (frames, lane): (&[[Eights; 12]], usize),
        pose: &Pose,
        margin: f64,
    ) -> bool {
        let Crowds { queries, placed, scratch, tree: number, open } = self;
        let world = pose.world;
        let (crowds, fixed, bodies) =
            (&world.checks.pairs.crowds, &world.bounds.fixed, &world.bounds.crowd_tree);
        open.clear();
        let Some((first, tree)) = fixed.trees().nth(*number) else { return true };
        let on_leaf = |number: u32, leaf: u32| {
            let (crowd, leaf) = (&crowds[number as usize], (first + leaf) as usize);
            let checked = |leaf: usize| crowd.is_checked_against(fixed.leaves[leaf].fixed_index);
            // A proof about the first twin holds for the others.
            let twin = fixed.twins.get(leaf).map_or(leaf, |first| *first as usize);
            if !checked(leaf) || twin != leaf && checked(twin) {
                return false;
            }
            let of = &model.crowds[number as usize];
            let (_, record) =
                placed[number as usize].get_or_insert_with(|| place_crowd(world, model, of, frames, lane));
            let bound = record.ball_gap(&fixed.leaves[leaf].ball);
            if !(bound > margin) {
                open.push(Candidate { bound, crowd: number, leaf: leaf as u32 });
            }
            open.len() >= BATCH_LEAVES
        };
        let mut last = tree.within_of_tree(bodies, queries, round_up(margin), scratch, on_leaf);
        if last && let Some((_, next)) = fixed.trees().nth(*number + 1) {
            *number += 1;
            scratch.start_search(next, bodies);
            last = false;
        }
        open.sort_unstable_by(|a, b| {
            a.bound.total_cmp(&b.bound).then(a.crowd.cmp(&b.crowd)).then(a.leaf.cmp(&b.leaf))
        });
        let parted = |candidate: &Candidate| {
            let (number, leaf) = (candidate.crowd as usize, candidate.leaf as usize);
            let Some((at, _)) = &placed[number] else { return false };
            let shape = ShapeId(fixed.leaves[leaf].shape);
            plane_bound(pose, model, &model.crowds[number], at, shape, (candidate.bound, margin)) > margin
        };
        let first = open.iter().position(|candidate| !parted(candidate)).unwrap_or(open.len());
        open.drain(..first);
        last
    }
}

/// The frame of a crowd's body in a lane, and its capsule in the cell.
fn place_crowd(
    world: &World,
    model: &Model,
    crowd: &LaneCrowd,
    frames: &[[Eights; 12]],
    lane: usize,
) -> (Transform, CapsuleRecord) {
    let of = &model.capsules[crowd.capsule as usize];
    let m = &frames[of.frame as usize - model.roots.len()];
    let column = |k: usize| {
        let [x, y, z] = [0, 1, 2].map(|j| f64::from(m[3 * k + j][lane]));
        Vec3 { x, y, z }
    };
    let at = Transform { rotation: Mat3 { cols: [column(0), column(1), column(2)] }, translation: column(3) };
    (at, world.bounds.capsules[of.id.index()].record.transform_by(&at, of.radius.into()))
}

/// The bound of [`Pose::plane_bound_to`] for a body on a frame in f32.
fn plane_bound(
    pose: &Pose,
    model: &Model,
    crowd: &LaneCrowd,
    at: &Transform,
    shape: ShapeId,
    (known, target): (f64, f64),
) -> f64 {
    let world = pose.world;
    let id = model.capsules[crowd.capsule as usize].id;
    let Some(heights) = &world.proofs.heights[id.index()] else { return known };
    let (shape_at, error) = pose.shape_in_cell(shape);
    let (shape, _) = pose.shape_with_body(shape);
    let slack = f64::from(crowd.slack) + error.of_point(shape.size);
    let middle = world.bounds.capsules[id.index()].body_box.center();
    let direction = shape_at.point(shape.shape.center()) - at.point(middle);
    heights.gap_to_shape(at, (&shape.shape, &shape_at), direction, slack, known, target)
}
