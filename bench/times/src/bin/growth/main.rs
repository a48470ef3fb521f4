//! `cargo run --release -p elbowroom-times --bin growth -- [DATA] [ROUNDS]`: how the time of a query grows
//! with the number of obstacles; `-- triangles [MOST] [ROUNDS]`: with the triangles of two meshes.
//!
//! A Panda of ten hulls of at most 30 vertices on its path of 119 poses, before the first 16 to 1,000
//! obstacles of the bench's scene, and before 100,000 and 1,000,000 like them, scattered at the same density.
//! Kinematics included; medians over the rounds. Also how long the world took to compile, and the bytes that
//! it keeps an obstacle beside its vertices (24 bytes each); the robot is counted among them.

mod triangles;

use elbowroom::describe::*;
use elbowroom::math::{Mat3, Transform, Vec3, vec3};
use elbowroom::pair::Ask;
use elbowroom::world::BodyId;
use elbowroom::{Checker, Question, World};
use elbowroom_files::robot::load_robot;
use elbowroom_times::memory::{Counting, count_kept};
use std::path::Path;
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

type Cloud = Vec<[f64; 3]>;

fn read_numbers(path: &Path) -> Vec<f64> {
    let bytes = std::fs::read(path).expect("a .npy file of the shared data");
    let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    bytes[start..].chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().expect("eight bytes"))).collect()
}

fn read_vertices(path: &Path) -> Cloud {
    let text = std::fs::read_to_string(path).expect("an OBJ file of the shared data");
    let rows = text.lines().filter_map(|l| l.strip_prefix("v "));
    rows.map(|row| {
        let v: Vec<f64> = row.split_whitespace().filter_map(|x| x.parse().ok()).collect();
        [v[0], v[1], v[2]]
    })
    .collect()
}

/// The obstacles of the scene, world frame.
fn read_obstacles(path: &Path) -> Vec<Cloud> {
    let text = std::fs::read_to_string(path).expect("obstacles.txt of the shared data");
    let mut words = text.split_whitespace();
    let mut number = || words.next().expect("a number").parse::<f64>().expect("a number");
    let count = number() as usize;
    (0..count)
        .map(|_| {
            let (nv, nt) = (number() as usize, number() as usize);
            let cloud = (0..nv).map(|_| [number(), number(), number()]).collect();
            (0..3 * nt).for_each(|_| {
                number();
            });
            cloud
        })
        .collect()
}

/// The Panda whose links carry the scene's hulls where the scene's poses put them.
fn describe_panda(data: &Path, q: &[f64], placed: &[f64]) -> WorldDescription {
    let urdf = data.join("robots/panda_vamp/panda.urdf");
    let mut robot = load_robot(&urdf, &elbowroom_files::Options::default()).expect("the Panda loads").value;
    robot.links.iter_mut().for_each(|l| l.shapes.clear());
    // This file closes the fingers; on the path the left one moves.
    for joint in robot.joints.iter_mut().filter(|j| j.name == "panda_finger_joint1") {
        (joint.kind, joint.axis) = (JointKind::Prismatic, Vec3::Y);
        joint.limits = Some(JointLimits { lower: 0.0, upper: 0.04 });
    }
    let bare = WorldDescription {
        robots: vec![PlacedRobot {
            name: "panda".into(),
            base_in_world: Transform::IDENTITY,
            robot: robot.clone(),
        }],
        ..WorldDescription::default()
    };
    let world = World::compile(&bare).expect("the bare Panda compiles");
    let mut checker = Checker::new(&world);
    let given = |k: usize, i: usize| {
        let m = &placed[(k * 10 + i) * 12..][..12];
        let rows = [[m[0], m[1], m[2]], [m[3], m[4], m[5]], [m[6], m[7], m[8]]];
        Transform::new(Mat3::from_rows(rows), vec3(m[9], m[10], m[11]))
    };
    let mut at = |k: usize, link: usize| {
        set_values(&mut checker, &q[k * 9..][..9]);
        checker.body_in_world(BodyId(link as u32)).expect("a body of this world")
    };
    for body in 0..10 {
        let fits = (0..robot.links.len()).find_map(|link| {
            let offset = at(0, link).relative(&given(0, body));
            let moved = |k: usize, at: Transform| {
                let (p, q) = (at * offset, given(k, body));
                (p.translation - q.translation).norm()
                    + (0..3).map(|c| (p.rotation.cols[c] - q.rotation.cols[c]).norm()).sum::<f64>()
            };
            let near = [20, 60, 118].into_iter().all(|k| moved(k, at(k, link)) < 1e-6);
            near.then_some((link, offset))
        });
        let (link, offset) = fits.unwrap_or_else(|| panic!("no link moves like body {body}"));
        let vertices = read_vertices(&data.join(format!("bench/scene/hull30_{body}.obj")));
        let shape = ShapeDescription::Convex { vertices };
        robot.links[link].shapes.push(PlacedShape {
            name: String::new(),
            shape_in_body: offset,
            shape,
            padding: 0.0,
        });
    }
    let mut d = bare;
    d.robots[0].robot = robot;
    d.checks.push(["panda".into(), "world".into()]);
    d
}

fn set_values(checker: &mut Checker, q: &[f64]) {
    let values: Vec<f64> = q.iter().copied().take(checker.world().dof_names().len()).collect();
    checker
        .set_with(&values, elbowroom::pose::SetOptions { ignore_limits: true })
        .expect("a pose of the path");
}

fn count_vertices(placed: &PlacedShape) -> usize {
    if let ShapeDescription::Convex { vertices } = &placed.shape { vertices.len() } else { 0 }
}

/// `count` obstacles: the scene's, repeated on a grid of cells that grows from the robot outwards.
fn scatter_obstacles(scene: &[Cloud], count: usize) -> Vec<Cloud> {
    let mut cells: Vec<[i32; 3]> = Vec::new();
    let n = (((count / scene.len()) as f64).cbrt().ceil() as i32).max(1);
    for x in -n..=n {
        for y in -n..=n {
            for z in -n..=n {
                cells.push([x, y, z]);
            }
        }
    }
    cells.sort_by_key(|c| (c.iter().map(|v| v * v).sum::<i32>(), *c));
    let room = 3.0;
    let moved = cells.iter().flat_map(|c| {
        scene.iter().map(move |cloud| {
            cloud.iter().map(|p| [0, 1, 2].map(|k| p[k] + room * f64::from(c[k]))).collect::<Cloud>()
        })
    });
    moved.take(count).collect()
}

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let data = arguments.next().unwrap_or("../shared".into());
    if data == "triangles" {
        let most = arguments.next().and_then(|m| m.parse().ok()).unwrap_or(1_000_000);
        let rounds = arguments.next().and_then(|r| r.parse().ok()).unwrap_or(5);
        return triangles::print_growth(most, rounds);
    }
    let data = Path::new(&data);
    let rounds: usize = arguments.next().and_then(|r| r.parse().ok()).unwrap_or(50);
    let most: usize = arguments.next().and_then(|r| r.parse().ok()).unwrap_or(1_000_000);
    let (q, placed) = (
        read_numbers(&data.join("bench/scene/path_q.npy")),
        read_numbers(&data.join("bench/scene/path_oMg.npy")),
    );
    let robot = describe_panda(data, &q, &placed);
    let scene = read_obstacles(&data.join("bench/scene/obstacles.txt"));
    println!(
        "{:>9} {:>10} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7} {:>6} {:>9}",
        "obstacles", "compile s", "bytes", "test", "bound", "distance", "cold", "nodes", "asked", "clearance"
    );
    for count in [16, 100, 1000, 10_000, 100_000, 1_000_000].into_iter().filter(|c| *c <= most) {
        let mut d = robot.clone();
        for (i, vertices) in scatter_obstacles(&scene, count).into_iter().enumerate() {
            // In a frame of its own, as a file would have it.
            let c =
                vertices.iter().fold(Vec3::ZERO, |s, p| s + Vec3::from(*p)) * (1.0 / vertices.len() as f64);
            let vertices = vertices.iter().map(|p| (Vec3::from(*p) - c).to_array()).collect();
            d.obstacles.push(ObstacleDescription {
                name: format!("o{i}"),
                pose: Transform::from_translation(c),
                shapes: vec![PlacedShape {
                    name: String::new(),
                    shape_in_body: Transform::IDENTITY,
                    shape: ShapeDescription::Convex { vertices },
                    padding: 0.0,
                }],
                attached_to: None,
                movable: false,
            });
        }
        let vertices: usize =
            d.obstacles.iter().map(|o| o.shapes.iter().map(count_vertices).sum::<usize>()).sum();
        let start = Instant::now();
        let world = World::compile(&d).expect("the scene compiles");
        let compiled = start.elapsed().as_secs_f64();
        // An obstacle, beside its vertices.
        let (kept, bytes) = count_kept(|| Ok(World::compile(&d)?)).expect("the scene compiles");
        let bytes = bytes.saturating_sub(24 * vertices) / count;
        drop((d, kept));
        let mut checker = Checker::new(&world);
        let mut medians = Vec::new();
        let (mut nodes, mut asked, mut least) = (0, 0, f64::INFINITY);
        for (ask, forget) in
            [(Ask::Test, false), (Ask::LowerBound, false), (Ask::Distance, false), (Ask::Distance, true)]
        {
            let question = Question::from_ask(ask).margin(0.0);
            let mut times = Vec::new();
            (nodes, asked) = (0, 0);
            for _ in 0..rounds {
                let start = Instant::now();
                for k in 0..119 {
                    set_values(&mut checker, &q[k * 9..][..9]);
                    if forget {
                        checker.forget_history();
                    }
                    let answer = checker.ask(&question);
                    (nodes, asked) = (nodes + answer.counts.nodes, asked + answer.counts.shape_queries);
                    least = least.min(answer.interval.upper);
                }
                times.push(start.elapsed().as_nanos() as f64 / 119.0);
            }
            times.sort_by(f64::total_cmp);
            medians.push(times[times.len() / 2] / 1000.0);
        }
        let per = |n: usize| n as f64 / (119.0 * rounds as f64);
        println!(
            "{count:>9} {compiled:>10.3} {bytes:>8} {:>8.2} {:>8.2} {:>8.2} {:>8.2} {:>7.1} {:>6.1} \
             {least:>9.6}",
            medians[0],
            medians[1],
            medians[2],
            medians[3],
            per(nodes),
            per(asked),
        );
    }
    Ok(())
}
