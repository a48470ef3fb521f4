//! `cargo run --release -p elbowroom-lab --example depth_times -- [PAIRS] [ROBOT.urdf ...]`: how narrow the
//! depths of overlapping pairs of shapes are at random poses of robots, and what they cost.
//!
//! Without robots, six of the data folder. Widths are in units of the middle of the bracket; times in
//! microseconds a pair, yes or no and lower bounds of the same pairs beside them. The last lines have the
//! smallest distance of whole robots at the poses that collide.

use elbowroom::World;
use elbowroom::describe::*;
use elbowroom::math::Transform;
use elbowroom::pair::{Ask, Clearance, Effort, Query, Scratch, Shape, Stop, Warm, posed};
use elbowroom_files::robot::load_robot;
use std::path::{Path, PathBuf};
use std::time::Instant;

const ROBOTS: [&str; 6] = [
    "ur5_robotiq_vamp/ur5.urdf",
    "schunk_lwa4d_sdh/lwa4d_sdh.urdf",
    "schunk_sdh2/schunk_sdh.urdf",
    "kuka_lbr_iiwa_7_r800_pr31/lbr_iiwa_7_r800.urdf",
    "panda_vamp/panda.urdf",
    "franka_fr3/fr3.urdf",
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let pairs: usize = arguments.next().and_then(|r| r.parse().ok()).unwrap_or(200);
    let mut robots: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    if robots.is_empty() {
        let data = std::env::var("ELBOWROOM_DATA").unwrap_or_else(|_| "../shared".into());
        robots = ROBOTS.iter().map(|r| Path::new(&data).join("robots").join(r)).collect();
    }
    for robot in &robots {
        measure(robot, pairs);
    }
}

fn measure(urdf: &Path, wanted: usize) {
    let robot = load_robot(urdf, &elbowroom_files::Options::default()).expect("the robot loads").value;
    let start = Instant::now();
    let made: Vec<Vec<(Shape, Transform)>> = robot
        .links
        .iter()
        .map(|l| {
            l.shapes
                .iter()
                .map(|s| (Shape::new(&s.shape, s.padding).expect("a shape"), s.shape_in_body))
                .collect()
        })
        .collect();
    println!("{}: shapes in {:.3} s", urdf.display(), start.elapsed().as_secs_f64());
    let placed = PlacedRobot { name: "r".into(), base_in_world: Transform::IDENTITY, robot };
    let description = WorldDescription { robots: vec![placed], ..WorldDescription::default() };
    let start = Instant::now();
    let world = World::compile(&description).expect("it compiles");
    println!("{}: compiled in {:.3} s", urdf.display(), start.elapsed().as_secs_f64());
    if std::env::var_os("MESHES").is_some() {
        for (shape, _) in made.iter().flatten() {
            if let Some(m) = shape.mesh() {
                println!(
                    "    {} triangles, closed {}, crack {:e}",
                    m.triangle_count(),
                    m.is_closed(),
                    m.crack()
                );
            }
        }
    }
    let mut state = 1_u64;
    let mut unit = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut checker = elbowroom::Checker::new(&world);
    let mut scratch = Scratch::new(64);
    let mut colliding: Vec<Vec<f64>> = Vec::new();
    let mut cases: Vec<([&Shape; 2], [Transform; 2])> = Vec::new();
    let mut poses = 0;
    while cases.len() < wanted && poses < 20_000 {
        poses += 1;
        let mut q = world.neutral_values();
        for l in world.limits() {
            q[l.value] = l.lower + (l.upper - l.lower) * unit();
        }
        checker.set(&q).expect("within limits");
        let before = cases.len();
        for (a, b, status) in world.all_pairs() {
            if !matches!(status, elbowroom::world::PairStatus::Checked(_)) {
                continue;
            }
            let of = |b: elbowroom::world::BodyId| (&made[b.index()], checker.body_in_world(b).unwrap());
            let ((sa, ta), (sb, tb)) = (of(a), of(b));
            for (x, x_in) in sa {
                for (y, y_in) in sb {
                    if x.mesh().is_none() && y.mesh().is_none() {
                        continue;
                    }
                    let at = [ta * *x_in, tb * *y_in];
                    let shapes = [x, y];
                    let query = Query { ask: Ask::Test, cutoff: 0.0, ..Query::default() };
                    let c = posed::clearance(
                        shapes,
                        [&at[0], &at[1]],
                        &query,
                        &mut Warm::default(),
                        &mut scratch,
                    )
                    .unwrap();
                    if c.interval.upper < 0.0 {
                        cases.push((shapes, at));
                    }
                }
            }
        }
        if cases.len() > before {
            colliding.push(q);
        }
    }
    let mut report = |name: &str, query: &Query, widths: bool| {
        let mut times = Vec::new();
        let mut found: Vec<Clearance> = Vec::new();
        for (shapes, [a, b]) in &cases {
            let mut warm = Warm::default();
            let start = Instant::now();
            found.push(posed::clearance(*shapes, [a, b], query, &mut warm, &mut scratch).unwrap());
            times.push(start.elapsed().as_nanos() as f64 / 1e3);
        }
        if times.is_empty() {
            return;
        }
        let at = |v: &mut Vec<f64>, share: f64| {
            v.sort_by(f64::total_cmp);
            v[((v.len() - 1) as f64 * share) as usize]
        };
        print!("  {name:>12}: {:4} pairs of {poses} poses,", found.len());
        print!(" us {:8.1} {:8.1} {:8.1},", at(&mut times, 0.5), at(&mut times, 0.9), at(&mut times, 1.0));
        if widths {
            let mut w: Vec<f64> =
                found.iter().map(|c| c.interval.width() / c.interval.estimate().abs()).collect();
            let both = cases.iter().filter(|(s, _)| s.iter().all(|s| s.mesh().is_some())).count();
            let mut depth: Vec<f64> = found.iter().map(|c| -1e3 * c.interval.lower).collect();
            print!(" width {:.4} {:.4} {:.4}", at(&mut w, 0.5), at(&mut w, 0.75), at(&mut w, 0.9));
            print!(" depth {:.2} {:.2} mm", at(&mut depth, 0.5), at(&mut depth, 0.9));
            print!(", bracketed {}", found.iter().filter(|c| c.stop == Stop::Bracketed).count());
            print!(", two meshes {both}");
        }
        println!();
    };
    if let Ok(n) = std::env::var("REPEAT") {
        for _ in 0..n.parse().unwrap() {
            report("ordinary", &Query::default(), true);
        }
        return;
    }
    report("test", &Query { ask: Ask::Test, cutoff: 0.0, ..Query::default() }, false);
    report("lower bound", &Query { ask: Ask::LowerBound, ..Query::default() }, false);
    report("ordinary", &Query::default(), true);
    report("tight", &Query { depth: Effort::TIGHT, ..Query::default() }, true);
    let mut smallest = |name: &str, effort: Effort| {
        let (mut times, mut widths) = (Vec::new(), Vec::new());
        for q in &colliding {
            checker.set(q).expect("within limits");
            checker.forget();
            let start = Instant::now();
            let found = checker.nearest(&elbowroom::Question::distance().depth(effort));
            times.push(start.elapsed().as_nanos() as f64 / 1e3);
            if found.interval.upper < 0.0 {
                widths.push(found.interval.width() / found.interval.estimate().abs());
            }
        }
        if widths.is_empty() {
            return;
        }
        let at = |v: &mut Vec<f64>, share: f64| {
            v.sort_by(f64::total_cmp);
            v[((v.len() - 1) as f64 * share) as usize]
        };
        print!("  {name:>12}: {:4} whole poses,", widths.len());
        print!(" us {:8.1} {:8.1} {:8.1},", at(&mut times, 0.5), at(&mut times, 0.9), at(&mut times, 1.0));
        println!(
            " width {:.4} {:.4} {:.4}",
            at(&mut widths, 0.5),
            at(&mut widths, 0.75),
            at(&mut widths, 0.9)
        );
    };
    smallest("rough", Effort::Rough);
    smallest("ordinary", Effort::Ordinary);
    smallest("tight", Effort::TIGHT);
}
