//! The kinematics of a world: frames of what never moves, the tree of steps, errors of poses.

use super::joints::Joints;
use crate::model::describe::WorldDescription;
use crate::model::id::{BodyId, StepId};
use crate::model::kinematics::{Kinematics, Robot};
use crate::model::solids::Solids;
use crate::model::step::{Parent, Step};
use crate::numeric::math::{Transform, Vec3};
use crate::numeric::padded::PaddedTransform;
use crate::numeric::pose_error::PoseError;
use crate::numeric::rigid::rotation_defect;
use crate::numeric::tolerance::MAX_COORDINATE;
use alloc::vec;
use alloc::vec::Vec;

/// The origin of the cell frame: the first robot's base, or the first obstacle where there is no robot.
fn origin(d: &WorldDescription) -> Vec3 {
    let first = d.robots.first().map(|r| r.base_in_world).or(d.obstacles.first().map(|o| o.pose));
    first.map(|t| t.translation).filter(|t| t.max_abs() <= MAX_COORDINATE).unwrap_or(Vec3::ZERO)
}

/// The kinematics of robots with these joints, and of held obstacles with these steps.
pub(super) fn kinematics(
    d: &WorldDescription,
    robots: Vec<Robot>,
    joints: Joints,
    held: Vec<Step>,
    solids: &Solids,
) -> Kinematics {
    let Joints { joints, value_names, value_kinds, limits, mut steps } = joints;
    steps.extend(held);
    let origin_in_world = origin(d);
    let mut obstacles = d.obstacles.iter().map(|o| o.pose);
    let mut given = |robot: Option<usize>| match robot {
        Some(robot) => robots[robot].base_in_world,
        None => obstacles.next().unwrap_or(Transform::IDENTITY),
    };
    let (mut errors, mut start_in_cell) =
        (Vec::with_capacity(solids.bodies.len()), Vec::with_capacity(solids.bodies.len()));
    for body in &solids.bodies {
        let pose = given(body.robot.map(|r| r.index()));
        let in_cell = Transform::new(pose.rotation, pose.translation - origin_in_world);
        let defect = rotation_defect(&pose.rotation).unwrap_or(0.0);
        errors.push(PoseError::of_placement(in_cell.translation.norm(), defect));
        start_in_cell.push(in_cell);
    }
    let mut step_of: Vec<Option<StepId>> = vec![None; solids.bodies.len()];
    let (mut parents, mut roots) = (Vec::with_capacity(steps.len()), Vec::new());
    for (number, step) in steps.iter().enumerate() {
        step_of[step.child.index()] = Some(StepId(number as u32));
        parents.push(match step_of[step.parent.index()] {
            Some(above) => Parent::Step(above),
            None => {
                roots.push(PaddedTransform::new(&start_in_cell[step.parent.index()]));
                Parent::Root(roots.len() as u32 - 1)
            }
        });
    }
    let has_shapes = |body: &BodyId| solids.shape_count(*body) > 0;
    let moving = steps.iter().map(|step| step.child).filter(has_shapes).collect();
    let still = Kinematics {
        robots,
        joints,
        value_names,
        value_kinds,
        limits,
        steps,
        parents,
        roots,
        step_of,
        start_in_cell,
        errors,
        bounded: true,
        moving,
        origin_in_world,
    };
    let (errors, bounded) = worst_errors(&still);
    Kinematics { errors, bounded, ..still }
}

/// The largest errors while all values are within limits, from the errors of what never moves; and whether
/// limits bound them.
fn worst_errors(kinematics: &Kinematics) -> (Vec<PoseError>, bool) {
    let (mut errors, mut bounded) = (kinematics.errors.clone(), true);
    let size = kinematics.largest_values();
    for step in &kinematics.steps {
        let error = step.error(errors[step.parent.index()], |i| size[i]);
        bounded &= error.rotation.is_finite() && error.shift.is_finite() && error.distance.is_finite();
        errors[step.child.index()] = error;
    }
    (errors, bounded)
}
