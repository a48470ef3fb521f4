//! Robots, obstacles and worlds as plain values, before they are checked and compiled.

use crate::math::{Transform, Vec3};
use crate::shape::ShapeDescription;
use alloc::string::String;
use alloc::vec::Vec;

/// A shape placed on a body.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct PlacedShape {
    /// What the file calls it, or empty. For messages only.
    pub name: String,
    /// Shape frame in the body's frame.
    pub shape_in_body: Transform,
    /// The shape.
    pub shape: ShapeDescription,
    /// Everything within this distance of the shape counts as shape (metres, >= 0).
    pub padding: f64,
}

/// A link: a rigid body of a robot.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct LinkDescription {
    /// Unique within the robot.
    pub name: String,
    /// Collision shapes; a link without any is legal and takes part in no pair.
    pub shapes: Vec<PlacedShape>,
}

/// How a joint moves its child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum JointKind {
    /// Not at all. No value.
    Fixed,
    /// Turns about the axis within limits. One value, radians.
    Revolute,
    /// Turns about the axis without limits. One value, radians.
    Continuous,
    /// Slides along the axis within limits. One value, metres.
    Prismatic,
    /// Moves in the plane perpendicular to the axis. Three values: x, y (metres), theta (radians).
    Planar,
    /// Moves freely. Seven values: x, y, z (metres), quaternion w, x, y, z.
    Floating,
}

/// Range of a joint value (radians or metres).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct JointLimits {
    /// Smallest allowed value.
    pub lower: f64,
    /// Largest allowed value.
    pub upper: f64,
}

/// `value = multiplier * value(joint) + offset`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Mimic {
    /// Name of the joint that is followed.
    pub joint: String,
    /// Factor, default 1.
    pub multiplier: f64,
    /// Offset (radians or metres), default 0.
    pub offset: f64,
}

/// A joint between two links of one robot.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct JointDescription {
    /// Unique within the robot.
    pub name: String,
    /// How it moves.
    pub kind: JointKind,
    /// Name of the link it hangs on.
    pub parent: String,
    /// Name of the link it moves.
    pub child: String,
    /// Joint frame in the parent link's frame, at value zero.
    pub joint_in_parent: Transform,
    /// Axis in the joint frame; need not be of unit length.
    pub axis: Vec3,
    /// Range; required for revolute and prismatic joints.
    pub limits: Option<JointLimits>,
    /// Set if this joint follows another.
    pub mimic: Option<Mimic>,
}

/// Two links of one robot that are not checked, and why.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct DisabledPair {
    /// A link.
    pub link_a: String,
    /// Another link.
    pub link_b: String,
    /// What the file gives as the reason, e.g. `Adjacent`, `Never`.
    pub reason: String,
}

/// A named set of links of one robot (an SRDF group, resolved to links).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct LinkGroup {
    /// Name.
    pub name: String,
    /// Links, by name.
    pub links: Vec<String>,
}

/// A named configuration (an SRDF `group_state`).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct NamedState {
    /// Name.
    pub name: String,
    /// Group it belongs to.
    pub group: String,
    /// Joint names and their values.
    pub values: Vec<(String, Vec<f64>)>,
}

/// A robot: links joined into one tree.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct RobotDescription {
    /// Name as its file gives it.
    pub name: String,
    /// Links in file order.
    pub links: Vec<LinkDescription>,
    /// Joints in file order.
    pub joints: Vec<JointDescription>,
    /// Pairs that an SRDF disables.
    pub disabled_pairs: Vec<DisabledPair>,
    /// Groups of an SRDF.
    pub groups: Vec<LinkGroup>,
    /// Named configurations of an SRDF.
    pub states: Vec<NamedState>,
}

/// A robot put into a world.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct PlacedRobot {
    /// Name within the world, unique among robots; bodies are called `name/link`.
    pub name: String,
    /// Root link's frame in the world.
    pub base_in_world: Transform,
    /// The robot.
    pub robot: RobotDescription,
}

/// A body that does not move by itself: part of the cell, held by a link, or movable.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ObstacleDescription {
    /// Name within the world; the body is called `world/name`.
    pub name: String,
    /// Its frame, in the world or, if attached, in the link that carries it.
    pub pose: Transform,
    /// Its shapes.
    pub shapes: Vec<PlacedShape>,
    /// The body `robot/link` that carries it, if any, and the bodies that it may touch there. A movable one
    /// can also be carried by a movable obstacle before it in the list, `world/name`.
    pub attached_to: Option<Attachment>,
    /// Whether it can be placed elsewhere, attached, detached and hidden while the world is asked: see
    /// `Checker::place`. Where it is now is where it begins.
    pub movable: bool,
}

/// How an obstacle is held.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Attachment {
    /// The carrying body, `robot/link`.
    pub body: String,
    /// Bodies it may touch beside the carrier, `robot/link`.
    pub touch: Vec<String>,
}

/// Two bodies, or bodies of two groups, that are not checked, with the reason to report.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct AllowedPair {
    /// A body (`robot/link`, `world/obstacle`), a group, a robot's name (all its links), `world` (all
    /// obstacles) or `*`.
    pub a: String,
    /// Another.
    pub b: String,
    /// Why.
    pub reason: String,
}

/// A named set of bodies, over all robots and obstacles, for [`WorldDescription::allowed`] and
/// [`WorldDescription::checks`]. An SRDF group is a [`LinkGroup`] of one robot: its name is `robot/group`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct BodyGroup {
    /// Name.
    pub name: String,
    /// Members: bodies, robots' names, `world`, or other groups.
    pub members: Vec<String>,
}

/// The joint by which a movable obstacle that is attached moves on its carrier: the door of a box, a drawer.
/// `Checker::set_door` moves it; it begins at zero, or at the limit nearest to
/// zero. Once the obstacle is detached it has no joint.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct DoorDescription {
    /// The obstacle, `world/name`; its pose in its carrier is that of the joint at zero.
    pub body: String,
    /// [`JointKind::Revolute`] or [`JointKind::Prismatic`].
    pub kind: JointKind,
    /// In the obstacle's frame; of any length but zero.
    pub axis: Vec3,
    /// Limits of the joint's value (radians or metres).
    pub limits: JointLimits,
}

/// A cloud of points, as a depth camera sees them: each is a ball. They are given while the world is asked,
/// by `Checker::update_cloud`; until then nothing is known of what is there.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct CloudDescription {
    /// Name within the world, unique among obstacles and clouds; the body is called `world/name`.
    pub name: String,
    /// Radius of each ball (metres, > 0).
    pub radius: f64,
    /// Most points that can be given.
    pub capacity: usize,
}

/// A spare place: a movable body without a shape, until one comes while the world is asked
/// (`Checker::insert_obstacle`). At first it is empty, and rests at the
/// origin of the world.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct SpareDescription {
    /// Name within the world, unique among obstacles, clouds and spare places; the body is called
    /// `world/name`.
    pub name: String,
    /// Most corners that its shape can have: the vertices of a hull, the eight of a box, none of what is
    /// round.
    pub corners: usize,
}

/// A soft part of a link's surface: it may be pressed in by its depth, which the link's shapes do not show.
/// What a pad changes: `Checker::ask` and all distances stay those of the declared shapes; a `PadChecker`
/// tells contact on pads from collisions.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct PadDescription {
    /// Name, unique among pads.
    pub name: String,
    /// The link, `robot/link`.
    pub link: String,
    /// How far it may be pressed in (metres, from 1e-5 to 0.1).
    pub depth: f64,
    /// Frame of the region's middle, in the link's frame.
    pub region_in_link: Transform,
    /// Full extents of the region, a box, along its axes (metres): what lies wholly in it of the link's
    /// surface is soft.
    pub size: [f64; 3],
}

/// Robots and obstacles and what is to be checked between them.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct WorldDescription {
    /// Robots.
    pub robots: Vec<PlacedRobot>,
    /// Obstacles.
    pub obstacles: Vec<ObstacleDescription>,
    /// Named sets of bodies.
    pub groups: Vec<BodyGroup>,
    /// Joints by which movable obstacles move on what carries them.
    pub doors: Vec<DoorDescription>,
    /// Clouds of points that are given while the world is asked.
    pub clouds: Vec<CloudDescription>,
    /// Places for shapes that come while the world is asked.
    pub spares: Vec<SpareDescription>,
    /// Soft parts of links.
    pub pads: Vec<PadDescription>,
    /// Pairs that are not checked.
    pub allowed: Vec<AllowedPair>,
    /// Pairs of groups (or bodies) to check; empty means everything that can move relative to each other.
    pub checks: Vec<[String; 2]>,
    /// Added to the padding of every robot's shapes (metres, >= 0).
    pub padding: f64,
    /// Clearance below which a verdict is `near` (metres, >= 0).
    pub margin: f64,
    /// Do not check two links of one robot that overlap at the zero pose, if one moving joint would join them
    /// once links without shapes are left out. At the zero pose each joint is at zero, or at the limit
    /// nearest to zero. Padding does not count.
    pub allow_zero_overlaps: bool,
}
