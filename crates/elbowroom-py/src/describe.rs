//! Makes the engine's descriptions from Python's values (`python/elbowroom/_describe.py`).

use crate::arrays::read_numbers;
use crate::errors::{type_error, value_error};
use crate::pose::read_transform;
use crate::shape::read_shapes;
use elbowroom::describe::{
    AllowedPair, Attachment, BodyGroup, CloudDescription, DisabledPair, JointDescription, JointKind,
    JointLimits, LinkDescription, Mimic, ObstacleDescription, PlacedRobot, RobotDescription,
    SpareDescription, WorldDescription,
};
use pyo3::prelude::*;
use std::collections::BTreeMap;

#[derive(FromPyObject)]
struct LinkValues<'py> {
    name: String,
    shapes: Bound<'py, PyAny>,
}

#[derive(FromPyObject)]
struct JointValues<'py> {
    name: String,
    kind: String,
    parent: String,
    child: String,
    pose: Option<Bound<'py, PyAny>>,
    axis: Bound<'py, PyAny>,
    lower: Option<f64>,
    upper: Option<f64>,
    mimic: Option<(String, f64, f64)>,
}

#[derive(FromPyObject)]
pub struct RobotValues<'py> {
    name: String,
    links: Vec<LinkValues<'py>>,
    joints: Vec<JointValues<'py>>,
    pose: Option<Bound<'py, PyAny>>,
    allowed: Vec<(String, String, String)>,
}

#[derive(FromPyObject)]
pub struct ObstacleValues<'py> {
    name: String,
    shapes: Bound<'py, PyAny>,
    pose: Option<Bound<'py, PyAny>>,
    movable: bool,
    attached_to: Option<String>,
    touch: Vec<String>,
}

impl ObstacleValues<'_> {
    /// What the body is called.
    pub fn full_name(&self) -> String {
        format!("world/{}", self.name)
    }
}

#[derive(FromPyObject)]
pub struct CloudValues {
    name: String,
    radius: f64,
    capacity: usize,
}

#[derive(FromPyObject)]
pub struct SpareValues {
    name: String,
    corners: usize,
}

/// The parts of a world that a description is made of, without its numbers.
pub struct Parts<'py> {
    pub robots: Vec<RobotValues<'py>>,
    pub obstacles: Vec<ObstacleValues<'py>>,
    pub clouds: Vec<CloudValues>,
    pub spares: Vec<SpareValues>,
    pub groups: BTreeMap<String, Vec<String>>,
    pub allowed: Vec<(String, String, String)>,
    pub checks: Vec<(String, String)>,
}

/// By the full names of movable obstacles, what they may touch while they are carried.
pub type TouchNames = BTreeMap<String, Vec<String>>;

impl Parts<'_> {
    /// The full names of the bodies: a list for each robot, and for each obstacle, cloud and spare place.
    pub fn list_bodies(&self) -> Vec<Vec<String>> {
        let of_robot = |robot: &RobotValues<'_>| {
            robot.links.iter().map(|link| format!("{}/{}", robot.name, link.name)).collect::<Vec<String>>()
        };
        let obstacles = self.obstacles.iter().map(|obstacle| &obstacle.name);
        let clouds = self.clouds.iter().map(|cloud| &cloud.name);
        let others = obstacles.chain(clouds).chain(self.spares.iter().map(|spare| &spare.name));
        let of_others = others.map(|name| vec![format!("world/{name}")]);
        self.robots.iter().map(of_robot).chain(of_others).collect()
    }
}

/// Adds parts to a description, and to `touch` what its movable obstacles may touch.
pub fn add_parts(
    description: &mut WorldDescription,
    touch: &mut TouchNames,
    parts: Parts<'_>,
) -> PyResult<()> {
    let Parts { robots, obstacles, clouds, spares, groups, allowed, checks } = parts;
    for robot in robots {
        description.robots.push(placed_robot(robot)?);
    }
    for obstacle in obstacles {
        if obstacle.movable && !obstacle.touch.is_empty() {
            touch.insert(format!("world/{}", obstacle.name), obstacle.touch.clone());
        }
        description.obstacles.push(obstacle_of(obstacle)?);
    }
    let cloud = |CloudValues { name, radius, capacity }| CloudDescription { name, radius, capacity };
    description.clouds.extend(clouds.into_iter().map(cloud));
    let spare = |SpareValues { name, corners }| SpareDescription { name, corners };
    description.spares.extend(spares.into_iter().map(spare));
    description.groups.extend(groups.into_iter().map(|(name, members)| BodyGroup { name, members }));
    description.allowed.extend(allowed.into_iter().map(|(a, b, reason)| AllowedPair { a, b, reason }));
    description.checks.extend(checks.into_iter().map(|(a, b)| [a, b]));
    Ok(())
}

fn placed_robot(robot: RobotValues<'_>) -> PyResult<PlacedRobot> {
    let base_in_world = read_transform(robot.pose.as_ref())?;
    let link =
        |link: LinkValues<'_>| Ok(LinkDescription { name: link.name, shapes: read_shapes(&link.shapes)? });
    let disabled = |(link_a, link_b, reason)| DisabledPair { link_a, link_b, reason };
    let description = RobotDescription {
        name: robot.name.clone(),
        links: robot.links.into_iter().map(link).collect::<PyResult<_>>()?,
        joints: robot.joints.into_iter().map(joint_of).collect::<PyResult<_>>()?,
        disabled_pairs: robot.allowed.into_iter().map(disabled).collect(),
        ..RobotDescription::default()
    };
    Ok(PlacedRobot { name: robot.name, base_in_world, robot: description })
}

fn joint_of(joint: JointValues<'_>) -> PyResult<JointDescription> {
    let kind = match &*joint.kind {
        "fixed" => JointKind::Fixed,
        "revolute" => JointKind::Revolute,
        "continuous" => JointKind::Continuous,
        "prismatic" => JointKind::Prismatic,
        "planar" => JointKind::Planar,
        "floating" => JointKind::Floating,
        other => {
            let kinds = "fixed, revolute, continuous, prismatic, planar or floating";
            return Err(value_error(format!("joint {:?}: its kind is {other:?}, not {kinds}", joint.name)));
        }
    };
    let limits = match (joint.lower, joint.upper) {
        (Some(lower), Some(upper)) => Some(JointLimits { lower, upper }),
        (None, None) => None,
        _ => return Err(value_error(format!("joint {:?}: give lower and upper, or none", joint.name))),
    };
    Ok(JointDescription {
        name: joint.name,
        kind,
        parent: joint.parent,
        child: joint.child,
        joint_in_parent: read_transform(joint.pose.as_ref())?,
        axis: read_numbers(&joint.axis, "axis")?.into(),
        limits,
        mimic: joint.mimic.map(|(joint, multiplier, offset)| Mimic { joint, multiplier, offset }),
    })
}

/// The description of an obstacle.
pub fn obstacle_of(obstacle: ObstacleValues<'_>) -> PyResult<ObstacleDescription> {
    let ObstacleValues { name, shapes, pose, movable, attached_to, touch } = obstacle;
    if attached_to.is_none() && !touch.is_empty() && !movable {
        return Err(type_error(format!("obstacle {name:?}: touch is for what a link holds, or may hold")));
    }
    let shapes = read_shapes(&shapes)?;
    if shapes.is_empty() {
        return Err(value_error(format!("obstacle {name:?} has no shape: give it at least one")));
    }
    Ok(ObstacleDescription {
        pose: read_transform(pose.as_ref())?,
        shapes,
        attached_to: attached_to.map(|body| Attachment { body, touch }),
        movable,
        name,
    })
}
