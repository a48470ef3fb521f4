//! Joints as steps that turn about z or slide along it, and where every body is in its frame.
//!
//! A joint's axis is turned into z beforehand, in f64; what never moves against its parent joins the
//! parent's frame. The bounds are derived in `elbowroom_baked::tolerance`.

use crate::refusal::Refusal;
use crate::round::{round_axes, round_vector};
use elbowroom::World;
use elbowroom::describe::{JointKind, WorldDescription};
use elbowroom::math::{Mat3, Transform, Vec3};
use elbowroom::pair::numeric::rigid;
use elbowroom::world::Joint;
use elbowroom_baked::tolerance::{STEP_ANGLE, STEP_ROTATION, STEP_SHIFT};
use elbowroom_baked::{BakedJoint, JointMotion};

/// How far a computed frame may be from the true one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FrameError {
    /// Frobenius norm of the difference of the rotations.
    pub rotation: f64,
    /// Of the origins (metres).
    pub shift: f64,
    /// Largest distance of the origin from the cell's (metres).
    pub distance: f64,
}

/// Where a body is in the frame that it moves with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The number of the frame.
    pub frame: usize,
    pub in_frame: Transform,
    /// How far its rotation is from the nearest one, and what that moves (metres).
    pub defect: f64,
    pub slack: f64,
}

impl Place {
    /// The place of something that has this pose in the body's frame.
    pub fn with_pose(&self, pose: &Transform) -> Place {
        let arm = pose.translation.norm();
        Place {
            frame: self.frame,
            in_frame: self.in_frame * *pose,
            defect: self.defect + rotation_defect(&pose.rotation),
            slack: self.slack + self.defect * arm,
        }
    }
}

/// Joints, the errors of their frames, and the places of bodies.
#[derive(Clone, Debug)]
pub(crate) struct Kinematics {
    pub joints: Vec<BakedJoint>,
    /// By frame; the first is the cell's.
    pub errors: Vec<FrameError>,
    /// By body.
    pub places: Vec<Option<Place>>,
}

/// The value that moves a joint, with scale and offset; `None` if nothing does.
pub(crate) fn rule_of(joint: &Joint) -> Option<(usize, f64, f64)> {
    match joint.follows {
        Some(rule) => Some((rule.value, rule.scale, rule.offset)),
        None if joint.kind == JointKind::Fixed || joint.values.is_empty() => None,
        None => Some((joint.values.start, 1.0, 0.0)),
    }
}

/// How far a matrix is from the nearest rotation; infinite for none.
fn rotation_defect(rotation: &Mat3) -> f64 {
    rigid::rotation_defect(rotation).unwrap_or(f64::INFINITY)
}

/// The rotation that takes z to a unit axis.
fn turn_to_axis(axis: Vec3) -> Mat3 {
    if axis == Vec3::Z {
        return Mat3::IDENTITY;
    }
    let x = axis.any_perpendicular();
    let x = x.normalized().unwrap_or(Vec3::X);
    Mat3 { cols: [x, axis.cross(x), axis] }
}

/// The joints of all robots, and the places of links and obstacles.
pub(crate) fn bake_kinematics(
    description: &WorldDescription,
    world: &World,
    limits: &[[f32; 2]],
    refusals: &mut Vec<Refusal>,
) -> Kinematics {
    let first = description.robots.first().map(|robot| robot.base_in_world);
    let origin = first.or(description.obstacles.first().map(|obstacle| obstacle.pose));
    let origin = origin.map_or(Vec3::ZERO, |pose| pose.translation);
    let in_cell = |pose: &Transform| Place {
        frame: 0,
        in_frame: Transform::new(pose.rotation, pose.translation - origin),
        defect: rotation_defect(&pose.rotation),
        slack: 0.0,
    };
    let mut all = Kinematics {
        joints: Vec::new(),
        errors: vec![FrameError::default()],
        places: vec![None; world.bodies().len()],
    };
    let described: Vec<_> = description.robots.iter().flat_map(|robot| &robot.robot.joints).collect();
    let is_child = |body: usize| world.joints().iter().any(|joint| joint.child.index() == body);
    for (robot, placed) in world.robots().iter().zip(&description.robots) {
        for root in robot.links.clone().filter(|link| !is_child(*link as usize)) {
            all.places[root as usize] = Some(in_cell(&placed.base_in_world));
        }
    }
    // Parents before children, whatever their order in the file.
    let mut left: Vec<usize> = (0..world.joints().len()).collect();
    while !left.is_empty() {
        let waiting = left.len();
        left.retain(|&number| {
            let joint = &world.joints()[number];
            let Some(parent) = all.places[joint.parent.index()] else { return true };
            let at = parent.with_pose(&described[number].joint_in_parent);
            all.places[joint.child.index()] = match joint.kind {
                JointKind::Fixed => Some(at),
                JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => {
                    Some(all.add_joint(joint, &at, described[number].axis, limits))
                }
                JointKind::Planar | JointKind::Floating => {
                    let problem = "is planar or floating: only revolute, continuous, prismatic and fixed \
                                   joints can be baked";
                    refusals.push(Refusal::new(joint.name.clone(), problem));
                    Some(at)
                }
            };
            false
        });
        if left.len() == waiting {
            refusals.push(Refusal::new("world", "has joints that hang on no link"));
            break;
        }
    }
    let links = world.bodies().len() - description.obstacles.len();
    for (number, obstacle) in (links..).zip(&description.obstacles) {
        all.places[number] = match &obstacle.attached_to {
            None => Some(in_cell(&obstacle.pose)),
            Some(held) => {
                let carrier = world.body_by_name(&held.body).and_then(|body| all.places[body.index()]);
                carrier.map(|place| place.with_pose(&obstacle.pose))
            }
        };
    }
    all
}

impl Kinematics {
    /// Adds a joint that moves by one value; the place of its child.
    fn add_joint(&mut self, joint: &Joint, at: &Place, axis: Vec3, limits: &[[f32; 2]]) -> Place {
        let unit = (axis * (1.0 / axis.max_abs())).normalized().unwrap_or(Vec3::Z);
        let turned = turn_to_axis(unit);
        let placed = at.in_frame * Transform::new(turned, Vec3::ZERO);
        let (value, scale, offset) = rule_of(joint).unwrap_or((0, 0.0, 0.0));
        let kind = if joint.kind == JointKind::Prismatic { JointMotion::Slide } else { JointMotion::Turn };
        self.joints.push(BakedJoint {
            parent: at.frame as u16,
            value: value as u16,
            kind,
            scale: scale as f32,
            offset: offset as f32,
            axes: round_axes(&placed, Vec3 { x: 1.0, y: 1.0, z: 1.0 }),
            origin: round_vector(placed.translation),
        });
        let largest = limits.get(value).map_or(f64::INFINITY, |[a, b]| f64::from(a.abs().max(b.abs())));
        let amount = scale.abs() * largest + offset.abs();
        let travel = if kind == JointMotion::Slide { amount } else { 0.0 };
        let parent = self.errors[at.frame];
        let arm = placed.translation.norm() + travel;
        let distance = parent.distance + arm;
        // The value itself is exact; a mimic's rule rounds.
        let has_rule = scale != 1.0 || offset != 0.0;
        let rule = if has_rule { STEP_ANGLE * amount } else { 0.0 };
        let turn = STEP_ROTATION + if kind == JointMotion::Turn { rule } else { 0.0 };
        let rotation = parent.rotation + at.defect + turn;
        self.errors.push(FrameError {
            rotation,
            // The axis of a slide has the rotation's own error.
            shift: parent.shift
                + at.slack
                + parent.rotation * arm
                + rotation * travel
                + if kind == JointMotion::Slide { rule } else { 0.0 }
                + STEP_SHIFT * (arm + distance),
            distance,
        });
        // The child's own axes, in a frame whose z is the joint's axis.
        let back = Transform::new(turned.transpose(), Vec3::ZERO);
        Place { frame: self.joints.len(), in_frame: back, defect: 0.0, slack: 0.0 }
    }
}
