//! One motion, asked of Boyse's method and of the engine.

use crate::solids::Solid;
use elbowroom::World;
use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3};
use elbowroom::motion::{Edge, EdgeOptions, MotionChecker};
use elbowroom_lab::boyse::{First, Motion, first_contact};

/// What both say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Told {
    Free,
    AtStart,
    Contact,
    /// Neither decides: faces slide on each other, or edges.
    Undecided,
    /// One of them does not decide.
    OneSided,
}

/// A world of one joint: a link that it moves, and an obstacle. Shapes are placed at the start of the motion.
pub fn world_of(solids: &[Solid; 2], places: &[Transform; 2], motion: &Motion) -> (World, [[f64; 1]; 2]) {
    let placed = |solid: &Solid, shape_in_body: Transform| PlacedShape {
        name: String::new(),
        shape_in_body,
        shape: solid.shape.clone(),
        padding: 0.0,
    };
    let (kind, at, axis, way) = match *motion {
        Motion::Slide(along) => (JointKind::Prismatic, Vec3::ZERO, along, along.norm()),
        Motion::Turn { at, axis, angle } => (JointKind::Revolute, at, axis, angle),
    };
    let joint_in_parent = Transform::from_translation(at);
    let robot = RobotDescription {
        name: "one".into(),
        links: vec![
            LinkDescription { name: "base".into(), shapes: vec![] },
            LinkDescription {
                name: "link".into(),
                shapes: vec![placed(&solids[0], joint_in_parent.inverse() * places[0])],
            },
        ],
        joints: vec![JointDescription {
            name: "joint".into(),
            kind,
            parent: "base".into(),
            child: "link".into(),
            joint_in_parent,
            axis,
            limits: Some(JointLimits { lower: way.min(0.0), upper: way.max(0.0) }),
            mimic: None,
        }],
        ..RobotDescription::default()
    };
    let obstacle = ObstacleDescription {
        name: "obstacle".into(),
        pose: places[1],
        shapes: vec![placed(&solids[1], Transform::IDENTITY)],
        attached_to: None,
        movable: false,
    };
    let description = WorldDescription {
        robots: vec![PlacedRobot { name: "one".into(), base_in_world: Transform::IDENTITY, robot }],
        obstacles: vec![obstacle],
        ..WorldDescription::default()
    };
    (World::compile(&description).unwrap(), [[0.0], [way]])
}

/// What the engine is asked.
pub fn options() -> EdgeOptions {
    EdgeOptions::default().margin(0.0)
}

/// Asks both about a motion of a world of one joint.
pub fn compare(
    edges: &mut MotionChecker,
    [from, to]: &[[f64; 1]; 2],
    solids: &[Solid; 2],
    places: &[Transform; 2],
    motion: &Motion,
) -> Result<(Told, Option<f64>), String> {
    let engine = edges.check_edge([from, to], &options()).map_err(|fault| fault.to_string())?;
    let [moving, still] = [0, 1].map(|i| solids[i].faces.transformed_by(&places[i]));
    let boyse = first_contact(&moving, &still, motion).ok_or("Boyse's test refuses the motion")?;
    let Some(told) = agree(&engine, &boyse) else {
        return Err(format!(
            "the engine says {engine:?}, Boyse's test {boyse:?}\n{motion:?}\n{places:?}\n{solids:?}"
        ));
    };
    let width = match boyse {
        First::Contact { free_until, touches_at } => Some(touches_at - free_until),
        First::Free | First::Near { .. } => None,
    };
    Ok((told, width))
}

/// What both say, if they do not contradict each other: what one proves free, the other does not touch.
pub fn agree(engine: &Edge, boyse: &First) -> Option<Told> {
    // Until when each proves the motion free, and when each proves a contact.
    let (engine_free, engine_touches) = match *engine {
        Edge::Free => (1.0, None),
        Edge::Contact { first, free_until, .. } => (free_until, Some(first[1])),
        Edge::Unknown { at, .. } => (at[0], None),
    };
    let (boyse_free, boyse_touches) = match *boyse {
        First::Free => (f64::INFINITY, None),
        First::Contact { free_until, touches_at } => (free_until, Some(touches_at)),
        First::Near { free_until } => (free_until, None),
    };
    // Poses and places are rounded on the way to each of the two.
    let rounding = 1e-12;
    if engine_touches.is_some_and(|t| t < boyse_free - rounding)
        || boyse_touches.is_some_and(|t| t < engine_free - rounding)
        || matches!((engine, boyse_touches), (Edge::Free, Some(_)))
    {
        return None;
    }
    Some(match (engine, boyse) {
        (Edge::Free, First::Free) => Told::Free,
        (Edge::Contact { .. }, First::Contact { touches_at, .. }) if *touches_at == 0.0 => Told::AtStart,
        (Edge::Contact { .. }, First::Contact { .. }) => Told::Contact,
        (Edge::Unknown { .. }, First::Near { .. }) => Told::Undecided,
        (Edge::Free | Edge::Contact { .. } | Edge::Unknown { .. }, _) => Told::OneSided,
    })
}
