//! Answers stay the same for a cell at another size or in another place: a real robot and its obstacles,
//! shrunk to a watch-maker's and blown up to a crane's, and moved ten kilometres away.

use crate::cells::compile_world;
use crate::second_opinion::{alone, bare_robot};
use crate::support::ask::every_pair;
use crate::support::data::data;
use crate::support::rng::Rng;
use elbowroom::describe::{JointKind, ObstacleDescription, PlacedShape, ShapeDescription, WorldDescription};
use elbowroom::math::{Transform, Vec3, vec3};
use elbowroom::{Checker, Geometry, PairAnswer, Question, World};

/// The arm among obstacles of every kind.
fn cell() -> Option<WorldDescription> {
    let data = data()?;
    let robot = bare_robot(&data.join("robots/mecademic_meca500_r3/meca_500_r3.urdf"));
    let tetrahedron = vec![[0.0; 3], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];
    let shapes = [
        ShapeDescription::Box { size: [1.0, 1.0, 0.02] },
        ShapeDescription::Sphere { radius: 0.05 },
        ShapeDescription::Cylinder { radius: 0.03, length: 0.2 },
        ShapeDescription::Capsule { radius: 0.02, length: 0.3 },
        ShapeDescription::Cone { radius: 0.05, length: 0.1 },
        ShapeDescription::Ellipsoid { radii: [0.05, 0.03, 0.08] },
        ShapeDescription::Convex { vertices: tetrahedron.clone() },
        ShapeDescription::Mesh {
            vertices: tetrahedron,
            triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
        },
    ];
    let mut world = alone(robot, Transform::from_xyz_rpy([0.0; 3], [0.0, 0.0, 0.4]));
    for (i, shape) in shapes.into_iter().enumerate() {
        let turn = i as f64;
        let at = [0.25 * (1.7 * turn - 3.0).clamp(-1.0, 1.0), 0.07 * turn - 0.25, 0.05 * turn - 0.02];
        world.obstacles.push(ObstacleDescription {
            name: format!("o{i}"),
            pose: Transform::from_xyz_rpy(at, [0.3 * turn, 0.1 * turn, -0.2 * turn]),
            shapes: vec![PlacedShape {
                name: String::new(),
                shape_in_body: Transform::IDENTITY,
                shape,
                padding: 0.0,
            }],
            attached_to: None,
            movable: false,
        });
    }
    Some(world)
}

fn scaled_shape(shape: &mut PlacedShape, s: f64) {
    shape.shape_in_body.translation = shape.shape_in_body.translation * s;
    shape.padding *= s;
    match &mut shape.shape {
        ShapeDescription::Sphere { radius } => *radius *= s,
        ShapeDescription::Box { size } => *size = size.map(|x| x * s),
        ShapeDescription::Capsule { radius, length }
        | ShapeDescription::Cylinder { radius, length }
        | ShapeDescription::Cone { radius, length } => (*radius, *length) = (*radius * s, *length * s),
        ShapeDescription::Ellipsoid { radii } => *radii = radii.map(|x| x * s),
        ShapeDescription::Convex { vertices } | ShapeDescription::Mesh { vertices, .. } => {
            vertices.iter_mut().for_each(|v| *v = v.map(|x| x * s));
        }
    }
}

/// Everything that is a length, `s` times as long.
fn scaled(world: &WorldDescription, s: f64) -> WorldDescription {
    let mut world = world.clone();
    for placed in &mut world.robots {
        placed.base_in_world.translation = placed.base_in_world.translation * s;
        placed.robot.links.iter_mut().flat_map(|l| &mut l.shapes).for_each(|shape| scaled_shape(shape, s));
        for joint in &mut placed.robot.joints {
            assert!(
                matches!(joint.kind, JointKind::Revolute | JointKind::Fixed),
                "values would need scaling too"
            );
            joint.joint_in_parent.translation = joint.joint_in_parent.translation * s;
        }
    }
    for obstacle in &mut world.obstacles {
        obstacle.pose.translation = obstacle.pose.translation * s;
        obstacle.shapes.iter_mut().for_each(|shape| scaled_shape(shape, s));
    }
    world
}

fn moved(world: &WorldDescription, by: Vec3) -> WorldDescription {
    let mut world = world.clone();
    world.robots.iter_mut().for_each(|r| r.base_in_world.translation += by);
    world.obstacles.iter_mut().for_each(|o| o.pose.translation += by);
    world
}

/// Joint values within limits, the same in every run.
fn values(world: &World, row: usize) -> Vec<f64> {
    let mut rng = Rng::new(row as u64);
    let mut out = world.neutral_values();
    for limit in world.limits() {
        out[limit.value] = rng.range(limit.lower, limit.upper);
    }
    out
}

fn answers(world: &World, row: usize, geometry: Geometry) -> Vec<PairAnswer> {
    let mut checker = Checker::new(world);
    checker.set(&values(world, row)).unwrap();
    every_pair(&mut checker, &Question::distance().geometry(geometry)).0
}

/// All answers of a changed cell lie where those of the cell do, `s` times as far, within `relative` of the
/// cell's size; and are as sharp. Depth of meshes and contact that is too close to call is left to the
/// intervals: they meet.
fn same(changed: &WorldDescription, s: f64, relative: f64) {
    let Some(cell) = cell() else { return };
    let (here, there) = (compile_world(&cell), compile_world(changed));
    let (mut asked, mut touching, mut worst, mut widest) = (0, 0, 0.0_f64, 0.0_f64);
    for geometry in [Geometry::Hull, Geometry::Mesh] {
        for row in 0..80 {
            let both = answers(&here, row, geometry).into_iter().zip(answers(&there, row, geometry));
            for (at_home, away) in both {
                asked += 1;
                let (lower, upper) = (away.interval.lower / s, away.interval.upper / s);
                let say = || format!("row {row} {geometry:?}: {at_home:?}, {away:?} at scale {s}");
                assert!(
                    lower <= at_home.interval.upper + relative && upper >= at_home.interval.lower - relative,
                    "{}",
                    say()
                );
                if geometry == Geometry::Hull || at_home.interval.lower > 0.0 {
                    let width = (upper - lower) - at_home.interval.width();
                    assert!(width <= relative.max(1e-7), "{}", say());
                    widest = widest.max(upper - lower);
                    worst = worst.max((away.distance / s - at_home.distance).abs());
                    touching += usize::from(at_home.interval.upper < 0.0);
                    if at_home.distance.abs() > 1e-9 {
                        assert_eq!(at_home.verdict, away.verdict, "{}", say());
                    }
                }
            }
        }
    }
    println!(
        "scale {s}: {asked} answers, {touching} of contact; they differ by {worst:.2e} m at most, widest \
         interval {widest:.2e} m"
    );
    assert!(asked > 1_000 && touching >= 20, "{asked} asked, {touching} touching");
}

#[test]
fn small_as_a_watch() {
    let Some(cell) = cell() else { return };
    same(&scaled(&cell, 1e-3), 1e-3, 1e-9);
}

#[test]
fn large_as_a_crane() {
    let Some(cell) = cell() else { return };
    same(&scaled(&cell, 1e3), 1e3, 1e-9);
}

/// Ten kilometres away the spacing of numbers is 1.8e-12 m: each coordinate of the input is rounded to half
/// of that.
#[test]
fn ten_kilometres_away() {
    let Some(cell) = cell() else { return };
    same(&moved(&cell, vec3(1e4, -7e3, 0.0)), 1.0, 1e-11);
    // By whole numbers of the spacing nothing is rounded, if the input was not.
    let by = vec3(8192.0, -8192.0, 4096.0);
    let mut coarse = cell;
    for obstacle in &mut coarse.obstacles {
        let t = &mut obstacle.pose.translation;
        *t = (*t + by) - by;
    }
    let (here, there) = (compile_world(&coarse), compile_world(&moved(&coarse, by)));
    for row in 0..20 {
        for (at_home, away) in
            answers(&here, row, Geometry::Hull).iter().zip(&answers(&there, row, Geometry::Hull))
        {
            assert_eq!(
                (at_home.interval.lower, at_home.interval.upper),
                (away.interval.lower, away.interval.upper),
                "row {row}"
            );
        }
    }
}
