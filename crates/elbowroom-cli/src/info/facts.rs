//! What was read, as `info` tells it to programs and to people.

use super::size::shape_extents;
use crate::load::LoadedWorld;
use crate::placed::shape_type;
use elbowroom::World;
use elbowroom::describe::{
    DoorDescription, JointDescription, JointKind, PlacedShape, ShapeDescription, WorldDescription,
};
use elbowroom::world::{BodyId, Joint};
use elbowroom_files::fault::ZoneKind;
use std::collections::BTreeMap;

/// A kind of joint as JSON and lists call it.
pub fn joint_kind_word(kind: JointKind) -> &'static str {
    match kind {
        JointKind::Fixed => "fixed",
        JointKind::Revolute => "revolute",
        JointKind::Continuous => "continuous",
        JointKind::Prismatic => "prismatic",
        JointKind::Planar => "planar",
        JointKind::Floating => "floating",
    }
}

/// A shape as it was read.
pub struct ShapeFacts {
    /// What it is called.
    pub kind: &'static str,
    /// How many triangles it has, if it is a mesh.
    pub triangles: Option<usize>,
    /// Whether it encloses a solid, if it is a mesh.
    pub closed: Option<bool>,
    /// Added to it beside the robot's padding (metres).
    pub padding: f64,
}

/// The shapes of a body, whose first is number `first` in the world.
fn shape_facts(world: &World, placed: &[PlacedShape], first: usize) -> Vec<ShapeFacts> {
    let facts = |(i, placed): (usize, &PlacedShape)| {
        let triangles = match &placed.shape {
            ShapeDescription::Mesh { triangles, .. } => Some(triangles.len()),
            _ => None,
        };
        let kind = shape_type(&placed.shape);
        // A mesh that is its own hull is compiled to that, and encloses it.
        let compiled = world.shapes().get(first + i);
        let is_closed = || compiled.is_none_or(|s| s.shape.has_inside());
        ShapeFacts { kind, triangles, closed: triangles.map(|_| is_closed()), padding: placed.padding }
    };
    placed.iter().enumerate().map(facts).collect()
}

/// A body as it was read.
pub struct BodyFacts<'d> {
    /// Its full name.
    pub name: String,
    /// Its shapes.
    pub shapes: Vec<ShapeFacts>,
    /// Its extents along the axes of its frame (metres); none without shapes, and of a zone.
    pub size: Option<[f64; 3]>,
    /// Whether it is a movable obstacle.
    pub movable: bool,
    /// Of an obstacle that stands for a zone: what it asks.
    pub zone: Option<ZoneKind>,
    /// Of a cloud: how many points there is room for.
    pub points: Option<usize>,
    /// Of a spare place, which has no shape yet: how many corners there is room for.
    pub room: Option<usize>,
    /// The joint by which it moves on what carries it.
    pub door: Option<&'d DoorDescription>,
}

/// Every body, in the order of the world.
pub fn all_bodies<'d>(loaded: &'d LoadedWorld, d: &WorldDescription) -> Vec<BodyFacts<'d>> {
    let links = d.robots.iter().flat_map(|placed| &placed.robot.links).map(|link| (&link.shapes, false));
    let none = &Vec::new();
    let obstacles = d.obstacles.iter().map(|obstacle| (&obstacle.shapes, obstacle.movable));
    let later = d.spares.len() + d.clouds.len();
    let all = links.chain(obstacles).chain(std::iter::repeat_n((none, true), later));
    let world = &loaded.world;
    let named = (0..).map(BodyId).zip(world.bodies()).zip(all);
    named
        .map(|((id, body), (own, movable))| BodyFacts {
            name: body.name.to_string(),
            shapes: shape_facts(world, own, body.shapes.start as usize),
            size: if loaded.zones.contains_key(&*body.name) { None } else { shape_extents(own) },
            movable,
            zone: loaded.zones.get(&*body.name).copied(),
            points: world.cloud_room(id),
            room: world.spare_room(id),
            door: loaded.doors.get(&id),
        })
        .collect()
}

/// The joint of each value, in the order of values.
pub fn joints_of_values(world: &World) -> BTreeMap<usize, &Joint> {
    world.joints().iter().flat_map(|joint| joint.values.clone().map(move |value| (value, joint))).collect()
}

/// Every joint with its description.
pub fn described_joints<'d>(
    world: &'d World,
    d: &'d WorldDescription,
) -> impl Iterator<Item = (&'d Joint, &'d JointDescription)> {
    world.joints().iter().zip(d.robots.iter().flat_map(|placed| &placed.robot.joints))
}

/// The name within a robot: without what stands before the first slash.
pub fn bare_name(name: &str) -> &str {
    name.split_once('/').map_or(name, |(_, bare)| bare)
}

/// Whether a joint of this kind has limits.
pub fn has_limits(kind: JointKind) -> bool {
    matches!(kind, JointKind::Revolute | JointKind::Prismatic)
}
