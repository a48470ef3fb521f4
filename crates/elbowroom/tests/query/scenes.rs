//! Random scenes in which things are movable, and shapes for their spare places.

use crate::support::describe::*;
use crate::support::rng::Rng;
use crate::support::shapes::{self, KINDS};
use elbowroom::describe::*;
use elbowroom::math::Transform;
use elbowroom::pose::SpareShape;

/// Two arms, things that stand about, movable ones and places for more; rules of all kinds.
pub fn scene(rng: &mut Rng) -> WorldDescription {
    let placed = |rng: &mut Rng, size: f64| PlacedShape {
        padding: if rng.chance(0.2) { 0.05 * size } else { 0.0 },
        ..shape_at(
            {
                let kind = rng.pick(&KINDS);
                shapes::draw_shape(kind, size, rng)
            },
            rng.pose(0.3 * size),
        )
    };
    let mut d = WorldDescription { margin: 0.02, ..WorldDescription::default() };
    for arm in 0..1 + rng.below(2) {
        let kinds = [JointKind::Revolute, JointKind::Revolute, JointKind::Prismatic];
        let joints: Vec<_> = (0..3 + rng.below(4))
            .map(|_| (rng.pick(&kinds), [rng.range(0.1, 0.4), 0.0, rng.range(-0.1, 0.3)], rng.direction()))
            .collect();
        let mut robot = chain(["r", "s"][arm], &joints);
        for link in &mut robot.links {
            link.shapes = (0..rng.below(3)).map(|_| placed(rng, 0.15)).collect();
        }
        // A tool on a fixed joint.
        let last = robot.links.len() - 1;
        robot.links.push(link("tool", vec![placed(rng, 0.1)]));
        let fixed =
            joint("hand", JointKind::Fixed, &last.to_string(), "tool", [0.1, 0.0, 0.0], rng.direction());
        robot.joints.push(fixed);
        d.robots.push(PlacedRobot { base_in_world: rng.pose(0.5), ..self::placed(robot) });
    }
    for i in 0..rng.pick(&[0, 3, 40]) {
        let shapes = (0..1 + rng.below(3)).map(|_| placed(rng, 0.3)).collect();
        let pose = rng.pose(1.5);
        d.obstacles.push(ObstacleDescription { pose, ..obstacle(&format!("still{i}"), [0.0; 3], shapes) });
    }
    for i in 0..rng.pick(&[1, 4, 12, 40]) {
        let shapes = (0..rng.below(4)).map(|_| placed(rng, 0.2)).collect();
        let pose = rng.pose(1.5);
        let movable = obstacle(&format!("part{i}"), [0.0; 3], shapes);
        let mut movable = ObstacleDescription { pose, movable: true, ..movable };
        if rng.chance(0.2) {
            let carrier = if i > 0 && rng.chance(0.3) { "world/part0" } else { "r/tool" };
            let touched = ["r/1", "world/still0"][usize::from(d.obstacles.len() > i && rng.chance(0.5))];
            let touch = if rng.chance(0.5) { vec![touched.into()] } else { vec![] };
            (movable.pose, movable.attached_to) =
                (rng.pose(0.2), Some(Attachment { body: carrier.into(), touch }));
        }
        d.obstacles.push(movable);
    }
    for i in 0..rng.pick(&[0, 2, 6]) {
        let corners = rng.pick(&[0, 8, 20, 100]);
        d.spares.push(SpareDescription { name: format!("part_later{i}"), corners });
    }
    let names = names(&d);
    for _ in 0..rng.below(4) {
        let [a, b] = [0; 2].map(|_| names[rng.below(names.len())].clone());
        if a != b {
            d.allowed.push(AllowedPair { a, b, reason: "it gives way".into() });
        }
    }
    match rng.below(6) {
        0 => d.checks = vec![["r".into(), "world".into()], ["world".into(), "world".into()]],
        1 => d.allowed.push(AllowedPair { a: "r".into(), b: "world/part0".into(), reason: String::new() }),
        _ => {}
    }
    d
}

/// The full names of all bodies.
fn names(d: &WorldDescription) -> Vec<String> {
    let links = d.robots.iter().flat_map(|r| r.robot.links.iter().map(|l| format!("{}/{}", r.name, l.name)));
    let obstacles = d.obstacles.iter().map(|o| &o.name).chain(d.spares.iter().map(|s| &s.name));
    links.chain(obstacles.map(|name| format!("world/{name}"))).collect()
}

/// A random convex shape on a body, and the same compiled.
pub fn convex(rng: &mut Rng) -> (PlacedShape, SpareShape) {
    let kind = rng.pick(&KINDS);
    let shape = match shapes::draw_shape(kind, 0.2, rng) {
        // The body is said to be the mesh's hull.
        ShapeDescription::Mesh { vertices, .. } => ShapeDescription::Convex { vertices },
        other => other,
    };
    let padding = if rng.chance(0.2) { 0.01 } else { 0.0 };
    let at = if rng.chance(0.3) { Transform::IDENTITY } else { rng.pose(0.1) };
    let placed = PlacedShape { padding, ..shape_at(shape, at) };
    let compiled = SpareShape::new(&placed).unwrap();
    (placed, compiled)
}
