//! Single joints of real robots, with their triangles: the Puma 260 in its cell, an iiwa, a UR5.

use crate::compare::{Told, agree, options};
use crate::solids::{random_solid, random_turn};
use crate::support::data::data;
use crate::support::number_from_environment;
use crate::support::rng::Rng;
use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3};
use elbowroom::motion::{Edge, MotionChecker};
use elbowroom::pair::shape::hull::Hull;
use elbowroom::world::PairStatus;
use elbowroom::{Checker, Question, Verdict, World};
use elbowroom_files::Options;
use elbowroom_lab::boyse::{First, Motion, Polyhedron, first_contact};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Bodies of more triangles are left out: the work is the product of two of them.
const TRIANGLES: usize = 1500;

/// A body's shapes as polyhedra in its frame; `None` if it has none, others, or too many triangles.
fn polyhedra(shapes: &[PlacedShape]) -> Option<Vec<Polyhedron>> {
    let mut all = Vec::new();
    for shape in shapes {
        assert_eq!(shape.padding, 0.0);
        let points = |vertices: &[[f64; 3]]| -> Vec<Vec3> { vertices.iter().map(|v| (*v).into()).collect() };
        let own = match &shape.shape {
            ShapeDescription::Convex { vertices } => {
                Polyhedron::of_hull(&Hull::from_points(&points(vertices)).ok()?)?
            }
            ShapeDescription::Box { size } => {
                let half = Vec3::from(*size) * 0.5;
                Polyhedron::from_box(-half, half)?
            }
            ShapeDescription::Mesh { vertices, triangles } => Polyhedron::new(&points(vertices), triangles)?,
            _ => return None,
        };
        all.push(own.transformed_by(&shape.shape_in_body));
    }
    let triangles: usize = all.iter().map(|one| one.faces.len()).sum();
    (triangles > 0 && triangles <= TRIANGLES).then_some(all)
}

/// What the motions of a robot came to.
type Counts = BTreeMap<Told, u64>;

/// How many times as many moves as in short runs.
fn longer() -> usize {
    (number_from_environment("ELBOWROOM_BOYSE", 3000) / 3000).clamp(1, 20) as usize
}

/// Random moves of each joint of the only robot of a cell.
fn moves(cell: &WorldDescription, moves_a_joint: usize) -> Counts {
    let rng = &mut Rng::new(number_from_environment("ELBOWROOM_RACE_FROM", 260));
    let moves_a_joint = moves_a_joint * longer();
    let mut counts = Counts::new();
    let placed = &cell.robots[0];
    let full = World::compile(cell).unwrap();
    let name = |link: &str| format!("{}/{link}", placed.name);
    let links = placed.robot.links.iter().map(|link| (name(&link.name), polyhedra(&link.shapes)));
    let obstacles = cell.obstacles.iter().map(|o| (format!("world/{}", o.name), polyhedra(&o.shapes)));
    let solids: BTreeMap<String, Vec<Polyhedron>> =
        links.chain(obstacles).filter_map(|(name, own)| Some((name, own?))).collect();
    for joint in placed.robot.joints.iter().filter(|joint| joint.kind != JointKind::Fixed) {
        let mut moved = BTreeSet::from([joint.child.clone()]);
        for _ in 0..placed.robot.joints.len() {
            let on = |j: &&JointDescription| moved.contains(&j.parent);
            let more: Vec<String> = placed.robot.joints.iter().filter(on).map(|j| j.child.clone()).collect();
            moved.extend(more);
        }
        let moved: BTreeSet<String> = moved.iter().map(|link| name(link)).collect();
        let pairs: Vec<[String; 2]> = full
            .all_pairs()
            .filter(|(_, _, status)| matches!(status, PairStatus::Checked(_)))
            .map(|(a, b, _)| [a, b].map(|id| full.bodies()[id.index()].name.to_string()))
            .filter(|[a, b]| moved.contains(a) != moved.contains(b))
            .filter(|pair| pair.iter().all(|body| solids.contains_key(body)))
            .map(|[a, b]| if moved.contains(&a) { [a, b] } else { [b, a] })
            .collect();
        let Some(value) = full.dof_by_name(&name(&joint.name)) else { continue };
        if pairs.is_empty() {
            continue;
        }
        let world = World::compile(&WorldDescription { checks: pairs.clone(), ..cell.clone() }).unwrap();
        let (mut checker, mut edges) = (Checker::new(&world), MotionChecker::new(&world));
        for _ in 0..moves_a_joint {
            let draw = |rng: &mut Rng| -> Vec<f64> {
                world.limits().iter().map(|l| rng.range(l.lower.max(-6.0), l.upper.min(6.0))).collect()
            };
            let mut from = draw(rng);
            for _ in 0..50 {
                checker.set(&from).unwrap();
                if checker.ask(&Question::test().margin(0.0)).verdict == Verdict::Clear {
                    break;
                }
                from = draw(rng);
            }
            checker.set(&from).unwrap();
            let mut to = from.clone();
            to[value] = draw(rng)[value];
            let engine = edges.check_edge([&from, &to], &options()).unwrap();

            let at = |body: &str| checker.body_in_world(world.body_by_name(body).unwrap()).unwrap();
            let frame = at(&name(&joint.parent)) * joint.joint_in_parent;
            let axis = frame.direction(joint.axis);
            let motion = match joint.kind {
                JointKind::Prismatic => Motion::Slide(axis * (to[value] - from[value])),
                _ => Motion::Turn { at: frame.translation, axis, angle: to[value] - from[value] },
            };
            let mut first = First::Free;
            for pair in &pairs {
                let [moving, still] = [0, 1].map(|k| (&solids[&pair[k]], at(&pair[k])));
                for one in moving.0 {
                    for other in still.0 {
                        let found = first_contact(
                            &one.transformed_by(&moving.1),
                            &other.transformed_by(&still.1),
                            &motion,
                        )
                        .unwrap();
                        first = earlier(first, found);
                    }
                }
            }
            let told = agree(&engine, &first).unwrap_or_else(|| {
                panic!(
                    "{} of {}: the engine says {engine:?}, Boyse's test {first:?}; {from:?} to {to:?}",
                    joint.name, placed.name
                )
            });
            *counts.entry(told).or_insert(0) += 1;
            // Free ways have a certificate.
            if engine == Edge::Free {
                edges.verify([&from, &to], &options()).unwrap();
            }
        }
    }
    counts
}

/// What is known of two pairs together.
fn earlier(a: First, b: First) -> First {
    let ends = |first: First| match first {
        First::Free => (f64::INFINITY, f64::INFINITY),
        First::Near { free_until } => (free_until, f64::INFINITY),
        First::Contact { free_until, touches_at } => (free_until, touches_at),
    };
    let ((a_free, a_touches), (b_free, b_touches)) = (ends(a), ends(b));
    let (free_until, touches_at) = (a_free.min(b_free), a_touches.min(b_touches));
    match (free_until.is_finite(), touches_at.is_finite()) {
        (false, _) => First::Free,
        (true, false) => First::Near { free_until },
        (true, true) => First::Contact { free_until, touches_at },
    }
}

fn reached(counts: &Counts, least: u64) {
    println!("{counts:?}");
    for told in [Told::Free, Told::Contact] {
        assert!(counts.get(&told).is_some_and(|n| *n >= least), "{told:?}: {counts:?}");
    }
    let decided = [Told::Free, Told::AtStart, Told::Contact];
    assert!(counts.keys().all(|told| decided.contains(told)), "{counts:?}");
}

#[test]
fn the_puma_in_its_cell() {
    let cell = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots/puma260/bottleneck.toml");
    let cell = elbowroom_files::world::load_world(&cell, &Options::default()).unwrap().value;
    reached(&moves(&cell, 60), 40);
}

#[test]
fn arms_with_their_triangles() {
    let Some(data) = data() else { return };
    for (file, count, least, reach) in [
        ("kuka_lbr_iiwa_7_r800_pr31/lbr_iiwa_7_r800.urdf", 4, 5, 1.0),
        ("ur5_robotiq_vamp/ur5.urdf", 5, 4, 1.0),
        ("mecademic_meca500_r3/meca_500_r3.urdf", 10, 10, 0.8),
    ] {
        let robot = elbowroom_files::robot::load_robot(&data.join("robots").join(file), &Options::default());
        let mut robot = robot.unwrap_or_else(|faults| panic!("{file}: {faults}")).value;
        robot.links.iter_mut().filter(|l| polyhedra(&l.shapes).is_none()).for_each(|l| l.shapes.clear());
        let placed = PlacedRobot { name: "r".into(), base_in_world: Transform::IDENTITY, robot };
        let rng = &mut Rng::new(7);
        let obstacles = (0..8).map(|i| ObstacleDescription {
            name: format!("o{i}"),
            pose: Transform::new(random_turn(rng), rng.direction() * (reach * rng.range(0.5, 1.0))),
            shapes: vec![PlacedShape {
                name: String::new(),
                shape_in_body: Transform::IDENTITY,
                shape: random_solid(rng, false).shape,
                padding: 0.0,
            }],
            attached_to: None,
            movable: false,
        });
        let obstacles = obstacles.collect();
        let cell = WorldDescription { robots: vec![placed], obstacles, ..WorldDescription::default() };
        println!("{file}");
        reached(&moves(&cell, count), least);
    }
}
