//! What the comparisons with computed truth share: robots into worlds, and a slow second opinion on a pair.

use crate::support::ask::smaller_distance;
use elbowroom::describe::{PlacedRobot, PlacedShape, RobotDescription, ShapeDescription, WorldDescription};
use elbowroom::math::{Transform, Vec3};
use elbowroom::{Checker, Geometry, Interval, World};
use elbowroom_files::{Options, robot};
use elbowroom_reference::Truth;
use std::path::Path;

/// Verdicts are compared from this distance on (metres): the truth is no better.
pub const TOO_CLOSE: f64 = 1e-5;
/// Distances agree within this (metres).
pub const AGREE: f64 = 5e-6;

/// All of the data, and not a sample: set `ELBOWROOM_FULL=1`.
pub fn full() -> bool {
    std::env::var_os("ELBOWROOM_FULL").is_some()
}

/// A robot without its SRDF.
pub fn bare_robot(urdf: &Path) -> RobotDescription {
    let options = Options { no_srdf: true, ..Options::default() };
    robot::load_robot(urdf, &options).unwrap_or_else(|faults| panic!("{}: {faults}", urdf.display())).value
}

/// A robot called `r`, alone.
pub fn alone(robot: RobotDescription, base_in_world: Transform) -> WorldDescription {
    let placed = PlacedRobot { name: "r".into(), base_in_world, robot };
    WorldDescription { robots: vec![placed], ..WorldDescription::default() }
}

/// The points of a link's only shape, in the link's frame.
fn points(robot: &RobotDescription, link: &str) -> Vec<Vec3> {
    let link = robot.links.iter().find(|l| l.name == link).unwrap();
    let [shape] = &link.shapes[..] else { panic!("one shape is expected on {}", link.name) };
    let (ShapeDescription::Mesh { vertices, .. } | ShapeDescription::Convex { vertices }) = &shape.shape
    else {
        panic!("a mesh is expected on {}", link.name)
    };
    vertices.iter().map(|v| shape.shape_in_body.point((*v).into())).collect()
}

/// The signed distance of the hulls of two links, by the slow way, which shares no code with the engine.
pub fn second_opinion(robot: &RobotDescription, checker: &Checker, pair: [&str; 2]) -> Truth {
    let at = |link: &str| {
        let body = checker.world().body_by_name(&format!("r/{link}")).unwrap();
        checker.body_in_world(body).unwrap()
    };
    let solid = |link: &str| {
        let vertices = points(robot, link).iter().map(|p| p.to_array()).collect();
        crate::support::slow::prepare(&ShapeDescription::Convex { vertices }, 0.0).unwrap()
    };
    let b_in_a = at(pair[0]).relative(&at(pair[1]));
    crate::support::slow::convex(&solid(pair[0]), &solid(pair[1]), &b_in_a)
}

/// The signed distance of two bodies (`r/link`, `world/obstacle`), triangles as they are, by the slow way.
pub fn slow_distance(d: &WorldDescription, checker: &Checker, pair: [&str; 2]) -> Interval {
    let shapes = |name: &str| -> &[PlacedShape] {
        match name.split_once('/').unwrap() {
            ("world", obstacle) => &d.obstacles.iter().find(|o| o.name == obstacle).unwrap().shapes,
            (_, link) => &d.robots[0].robot.links.iter().find(|l| l.name == link).unwrap().shapes,
        }
    };
    let at = |name: &str| checker.body_in_world(checker.world().body_by_name(name).unwrap()).unwrap();
    let (a, b) = (at(pair[0]), at(pair[1]));
    let mut least = Interval::new(f64::INFINITY, f64::INFINITY, Geometry::Mesh);
    for x in shapes(pair[0]) {
        for y in shapes(pair[1]) {
            let y_in_x = (a * x.shape_in_body).relative(&(b * y.shape_in_body));
            let t = crate::support::slow::truth(&x.shape, x.padding, &y.shape, y.padding, &y_in_x).unwrap();
            least = smaller_distance(&least, &Interval::new(t.lower, t.upper, Geometry::Mesh));
        }
    }
    least
}

/// Joint values by column name, in the world's order; columns that the world lacks are ignored if `loose`.
pub fn values(world: &World, columns: &[(&str, f64)], loose: bool) -> Vec<f64> {
    let mut out = vec![f64::NAN; world.dof_names().len()];
    for (name, value) in columns {
        match world.dof_by_name(&format!("r/{name}")) {
            Some(i) => out[i] = *value,
            None => assert!(loose, "{name} is no joint value"),
        }
    }
    assert!(out.iter().all(|v| !v.is_nan()), "a joint value is missing: {:?}", world.dof_names());
    out
}
