//! The kinematics of a world: frames of what never moves, the tree of steps, errors of poses.

use super::joints::Joints;
use crate::model::body::Body;
use crate::model::id::{BodyId, StepId};
use crate::model::kinematics::{Kinematics, Robot};
use crate::model::places::BodyPlace;
use crate::model::solids::Solids;
use crate::model::step::{KinematicStep, Parent};
use crate::numeric::padded::PaddedTransform;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use elbowroom_describe::WorldDescription;
use elbowroom_describe::limits::MAX_COORDINATE;
use elbowroom_describe::math::{Transform, Vec3};
use elbowroom_pair::numeric::pose_error::PoseError;

/// The origin of the cell frame: the first robot's base, or the first obstacle where there is no robot.
fn cell_origin(d: &WorldDescription) -> Vec3 {
    let first = d.robots.first().map(|r| r.base_in_world).or(d.obstacles.first().map(|o| o.pose));
    first.map(|t| t.translation).filter(|t| t.max_abs() <= MAX_COORDINATE).unwrap_or(Vec3::ZERO)
}

/// The kinematics of robots with these joints, and of held obstacles with these steps.
pub(super) fn compile_kinematics(
    d: &WorldDescription,
    robots: Vec<Robot>,
    joints: Joints,
    held: Vec<KinematicStep>,
    solids: &Solids,
) -> Kinematics {
    let Joints { joints, dof_names, value_kinds, limits, mut steps } = joints;
    steps.extend(held);
    let origin_in_world = cell_origin(d);
    let mut obstacles = d.obstacles.iter().map(|o| o.pose);
    let mut given = |robot: Option<usize>| match robot {
        Some(robot) => robots[robot].base_in_world,
        None => obstacles.next().unwrap_or(Transform::IDENTITY),
    };
    let start = |body: &Body| {
        let pose = given(body.robot.map(|r| r.index()));
        Transform::new(pose.rotation, pose.translation - origin_in_world)
    };
    let places = BodyPlace::new(solids.bodies.iter().map(start));
    let mut step_of: BTreeMap<BodyId, StepId> = BTreeMap::new();
    let (mut parents, mut roots) = (Vec::with_capacity(steps.len()), Vec::new());
    for (number, step) in steps.iter().enumerate() {
        step_of.insert(step.child, StepId(number as u32));
        parents.push(match step_of.get(&step.parent) {
            Some(above) => Parent::Step(*above),
            None => {
                roots.push(PaddedTransform::new(&places.fixed_pose(step.parent)));
                Parent::Root(roots.len() as u32 - 1)
            }
        });
    }
    let has_shapes = |body: &BodyId| solids.shape_count(*body) > 0;
    let moving = steps.iter().map(|step| step.child).filter(has_shapes).collect();
    let still = Kinematics {
        robots,
        joints,
        dof_names,
        value_kinds,
        limits,
        steps,
        parents,
        roots,
        places,
        bounded: true,
        moving,
        origin_in_world,
    };
    let (mut errors, bounded) = worst_errors(&still);
    // The frames of movable bodies follow those of all steps.
    let links = solids.bodies.len() - d.obstacles.len();
    let movable = (links as u32..).zip(&d.obstacles).filter(|(_, o)| o.movable).map(|(id, _)| BodyId(id));
    let children: Vec<BodyId> = still.steps.iter().map(|step| step.child).chain(movable).collect();
    errors.extend(children[still.steps.len()..].iter().map(|body| still.places.pose_error(*body)));
    Kinematics { places: still.places.moved_by(children.into_iter(), errors), bounded, ..still }
}

/// By step, the largest error of its child's pose while all values are within limits; and whether limits
/// bound them.
fn worst_errors(still: &Kinematics) -> (Vec<PoseError>, bool) {
    let (mut errors, mut bounded) = (Vec::with_capacity(still.steps.len()), true);
    let size = still.largest_values();
    for (step, parent) in still.steps.iter().zip(&still.parents) {
        let above = match parent {
            Parent::Step(above) => errors[above.index()],
            Parent::Root(_) => still.places.pose_error(step.parent),
        };
        let error: PoseError = step.child_pose_error(above, |i| size[i]);
        bounded &= error.rotation.is_finite() && error.shift.is_finite() && error.distance.is_finite();
        errors.push(error);
    }
    (errors, bounded)
}
