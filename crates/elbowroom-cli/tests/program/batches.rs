//! Samples and edges that are asked together are answered as one by one: on real robots, along motions with
//! collisions, of odd lengths.

use crate::support::{lines, robots, run, text};
use elbowroom::motion::{Edge, EdgeOptions, MotionChecker};
use elbowroom::{Answer, Checker, Question, Verdict, World};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const ROBOTS: [&str; 3] =
    ["panda_vamp/panda.urdf", "ur5_robotiq_vamp/ur5.urdf", "kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf"];

fn world(urdf: &Path) -> World {
    World::compile(&elbowroom_files::load(urdf).unwrap().value).unwrap()
}

/// A motion through random poses within limits, so many steps from one to the next.
fn motion(world: &World, count: usize, steps: usize) -> Vec<Vec<f64>> {
    let mut state = 3_u64;
    let mut unit = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut next = || world.draw_configuration(&mut unit).unwrap();
    let (mut from, mut rows) = (next(), Vec::new());
    while rows.len() < count {
        let to = next();
        let at = |k: usize| k as f64 / steps as f64;
        rows.extend((0..steps).map(|k| {
            let along = |(a, b): (&f64, &f64)| a + (b - a) * at(k);
            from.iter().zip(&to).map(along).collect::<Vec<f64>>()
        }));
        from = to;
    }
    rows.truncate(count);
    rows
}

fn write(path: &Path, world: &World, rows: &[Vec<f64>]) {
    let mut text = world.dof_names().join(",");
    text.push('\n');
    for row in rows {
        let row: Vec<String> = row.iter().map(f64::to_string).collect();
        writeln!(text, "{}", row.join(",")).unwrap();
    }
    std::fs::write(path, text).unwrap();
}

fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// What is said on standard error, without the time.
fn said(out: &std::process::Output) -> String {
    let said = text(&out.stderr);
    said.lines()
        .map(|line| line.split("; ").filter(|p| !p.contains(" us a sample on ")).collect::<String>())
        .collect()
}

#[test]
fn tests_in_batches_say_what_single_ones_say() {
    let (Some(robots), folder) = (robots(), folder("batches")) else { return };
    let (mut batches, mut failing) = (0, 0);
    for robot in ROBOTS {
        let urdf = robots.join(robot);
        let world = world(&urdf);
        let all = motion(&world, 1100, 37);
        // To read the others takes long.
        let few = robot != ROBOTS[0];
        for count in [1, 7, 64, 255, 256, 257, 513, 1100].into_iter().filter(|n| !few || *n > 512) {
            write(&folder.join("motion.csv"), &world, &all[..count]);
            for geometry in ["mesh", "hull"] {
                let ask = |more: &[&str]| {
                    let urdf = urdf.to_str().unwrap();
                    let asked =
                        ["check", urdf, "--motion", "motion.csv", "--ask", "test", "--geometry", geometry];
                    run(&folder, &[&asked, more].concat())
                };
                // Lines have every answer, so no sample is asked in a batch for them.
                let single = ask(&["--json", "lines.jsonl"]);
                for threads in ["2", "1"].into_iter().take(if few { 1 } else { 2 }) {
                    let batch = ask(&["--threads", threads]);
                    let place = format!("{robot}, {count} samples, {geometry}, {threads} threads");
                    assert_eq!(text(&batch.stdout), text(&single.stdout), "{place}");
                    assert_eq!(said(&batch), said(&single), "{place}");
                    assert_eq!(batch.status.code(), single.status.code(), "{place}");
                }
                batches += usize::from(count >= 64);
                failing += usize::from(single.status.code() == Some(1));
                // And these are the engine's, asked one by one.
                let question = Question::test().geometry(if geometry == "hull" {
                    elbowroom::Geometry::Hull
                } else {
                    elbowroom::Geometry::Mesh
                });
                let mut checker = Checker::new(&world);
                let verdict = |row: &Vec<f64>| {
                    checker.set(row).unwrap();
                    checker.forget_history();
                    checker.ask(&question).verdict
                };
                let collide = all[..count].iter().map(verdict).filter(|v| *v == Verdict::Collision).count();
                let told = text(&single.stdout);
                let words = format!("{collide} collision");
                assert!(collide == 0 || told.contains(&words), "{told} {words}");
            }
        }
    }
    assert!(batches >= 20 && failing >= 16, "{batches} {failing}");
}

#[test]
fn rows_that_are_no_poses_are_refused_before_any_batch() {
    let (Some(robots), folder) = (robots(), folder("batches_refused")) else { return };
    let urdf = robots.join(ROBOTS[0]);
    let world = world(&urdf);
    for (odd, words) in [(f64::NAN, "NaN"), (77.0, "limits")] {
        let mut rows = motion(&world, 257, 37);
        rows[200][3] = odd;
        write(&folder.join("motion.csv"), &world, &rows);
        for more in [&[][..], &["--json", "-"], &["--continuous"]] {
            let asked = ["check", urdf.to_str().unwrap(), "--motion", "motion.csv", "--ask", "test"];
            let out = run(&folder, &[&asked, more].concat());
            assert_eq!((out.status.code(), text(&out.stdout)), (Some(2), String::new()));
            let said = text(&out.stderr);
            assert!(said.contains("line 202, sample 200") && said.contains(words), "{said}");
        }
    }
}

#[test]
fn edges_that_are_sieved_say_what_searched_ones_say() {
    let (Some(robots), folder) = (robots(), folder("batches_edges")) else { return };
    let (mut free, mut contact) = (0, 0);
    for robot in ROBOTS {
        let urdf = robots.join(robot);
        let world = world(&urdf);
        for (count, steps) in [(33, 50), (257, 200), (400, 20)] {
            let rows = motion(&world, count, steps);
            write(&folder.join("motion.csv"), &world, &rows);
            let ask = |threads: &str| {
                let urdf = urdf.to_str().unwrap();
                let asked =
                    ["check", urdf, "--motion", "motion.csv", "--continuous", "--json", "-", "--threads"];
                run(&folder, &[&asked[..], &[threads]].concat()).stdout
            };
            let told = ask("1");
            assert_eq!(text(&told), text(&ask("2")));
            // Every edge searched, and nothing remembered from one block to the next.
            let (mut checker, mut edges) = (Checker::new(&world), MotionChecker::new(&world));
            for (k, line) in lines(&told).iter().enumerate() {
                if k % 32 == 0 {
                    checker.forget_history();
                    edges.forget_history();
                }
                checker.set(&rows[k]).unwrap();
                let Answer { interval, .. } = checker.ask(&Question::distance());
                assert_eq!(line["lower"].as_f64(), Some(interval.lower), "{robot} {k}");
                let Some(before) = k.checked_sub(1).map(|k| &rows[k]) else { continue };
                let edge = edges.check_edge([before, &rows[k]], &EdgeOptions::default()).unwrap();
                let told = &line["edge"];
                match edge {
                    Edge::Free => {
                        free += 1;
                        assert_eq!(
                            (&told["verdict"], told["free_until"].as_f64()),
                            (&"free".into(), Some(1.0))
                        );
                    }
                    Edge::Contact { first, free_until, .. } => {
                        contact += 1;
                        assert_eq!(told["verdict"], "contact", "{robot} {k}: {edge:?}");
                        let ends = [0, 1].map(|i| told["first_contact"][i].as_f64().unwrap());
                        assert_eq!(
                            (ends, told["free_until"].as_f64()),
                            (first, Some(free_until)),
                            "{robot} {k}"
                        );
                    }
                    Edge::Unknown { .. } => assert_eq!(told["verdict"], "unknown"),
                }
            }
        }
    }
    assert!(free > 1000 && contact > 100, "{free} {contact}");
}
