//! Collects the fixed shapes of a world, and builds the tree over them.

use super::twins;
use crate::bounds::hierarchy::WideTree;
use crate::bounds::radius::ball_radius;
use crate::bounds::{AlignedBox, Ball};
use crate::model::checks::Checks;
use crate::model::fixed::{FixedLeaf, FixedShapes};
use crate::model::id::BodyId;
use crate::model::kinematics::Kinematics;
use crate::model::pairs::FIXED_CLUSTER;
use crate::model::solids::Solids;
use crate::model::tolerance::FIXED_TASK;
use crate::numeric::layered::Layered;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use elbowroom_describe::math::{Transform, Vec3};
use elbowroom_pair::numeric::parallel;
use elbowroom_pair::numeric::pose_error::PoseError;
use elbowroom_pair::numeric::simd::{Kernel, Lanes, dispatch_kernel};
use elbowroom_pair::numeric::tolerance::ROUNDOFF;
use elbowroom_pair::shape::extreme::Support;
use elbowroom_pair::shape::solid::Shape;
use elbowroom_pair::with_support;

/// The shapes of these fixed bodies; `None` if there are more than a tree can number.
pub(super) fn fixed_shapes(
    solids: &Solids,
    kinematics: &Kinematics,
    checks: &Checks,
    bodies: &Layered<BodyId>,
) -> Option<FixedShapes> {
    // The poses of bodies that hang on fixed joints.
    let mut hung: BTreeMap<BodyId, Transform> = BTreeMap::new();
    for step in &kinematics.steps {
        if checks.rules.bodies[step.child.index()].cluster == FIXED_CLUSTER {
            // Only fixed joints lead there: no values are needed.
            let parent = hung.get(&step.parent).copied();
            let parent = parent.unwrap_or_else(|| kinematics.places.fixed_pose(step.parent));
            hung.insert(step.child, step.child_frame(&parent, &[]));
        }
    }
    let at = |body: BodyId| match kinematics.places.moving_step(body) {
        Some(_) => hung.get(&body).copied().unwrap_or(Transform::IDENTITY),
        None => kinematics.places.fixed_pose(body),
    };
    let of_body = |body: &BodyId| solids.bodies[body.index()].shapes.clone();
    let fixed: Vec<(u32, BodyId)> = (0..).zip(bodies.iter().copied()).collect();
    let runs = parallel::split_runs(&fixed, FIXED_TASK, |(_, body)| of_body(body).len() + 1);
    let placed = parallel::in_parts(runs, |run| {
        let each = |(index, body): &(u32, BodyId)| leaves_of(solids, kinematics, *index, *body, at(*body));
        run.iter().flat_map(each).collect::<Vec<_>>()
    });
    let count = bodies.iter().map(|body| of_body(body).len()).sum();
    let (mut leaves, mut boxes) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for (leaf, around) in placed.flatten() {
        leaves.push(leaf);
        boxes.push(around);
    }
    let shared = bodies.iter().any(|body| of_body(body).len() > 1);
    let tree = move || WideTree::build_of(boxes);
    let (tree, twins) = parallel::both(tree, || twins::find_twins(solids, kinematics, &leaves));
    Some(FixedShapes::new(leaves, shared, twins, tree?))
}

/// The leaves of a fixed body at a pose in the cell, and the boxes around them. `index` is its index among
/// the fixed ones.
pub(crate) fn leaves_of<'a>(
    solids: &'a Solids,
    kinematics: &Kinematics,
    index: u32,
    body: BodyId,
    body_in_cell: Transform,
) -> impl Iterator<Item = (FixedLeaf, AlignedBox)> + use<'a> {
    let body_error = kinematics.places.pose_error(body);
    solids.bodies[body.index()].shapes.clone().map(move |number| {
        let shape = &solids.shapes[number as usize];
        let ball = shape.ball();
        let ball = Ball { center: body_in_cell.point(ball.center), radius: ball_radius(&ball, &body_error) };
        let (in_cell, error) = shape.in_cell(body_in_cell, body_error);
        let leaf = FixedLeaf { shape: number, fixed_index: index, ball };
        (leaf, box_around(&shape.shape, &in_cell, &error, shape.size))
    })
}

/// A box around a shape at a pose `at`, with the axes of the frame that the pose is in. `size` bounds the
/// distance of the shape's points from its own origin (metres).
fn box_around(shape: &Shape, at: &Transform, error: &PoseError, size: f64) -> AlignedBox {
    struct ShapeExtents<S>(S, Transform);
    impl<S: Support> Kernel for ShapeExtents<S> {
        type Output = [f64; 6];
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> [f64; 6] {
            let mut extents = [0.0; 6];
            for (k, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
                let along = self.1.rotation.transpose_mul(axis);
                extents[k] = self.0.support_height(l, along, 0);
                extents[k + 3] = self.0.support_height(l, -along, 0);
            }
            extents
        }
    }
    let extents = with_support!(shape.core(), core => dispatch_kernel(ShapeExtents(core, *at)));
    let rounding = 8.0 * ROUNDOFF * (size + at.translation.max_abs());
    let slack = (shape.radius() + error.of_point(size)) * (1.0 + 4.0 * ROUNDOFF) + rounding;
    let slack = Vec3 { x: slack, y: slack, z: slack };
    let [x, y, z, back_x, back_y, back_z] = extents;
    let (up, down) = (Vec3 { x, y, z }, Vec3 { x: back_x, y: back_y, z: back_z });
    AlignedBox { low: at.translation - down - slack, high: at.translation + up + slack }
}
