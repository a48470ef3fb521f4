//! Random poses of real robots, as an independent engine (coal, with poses of pinocchio) answers them.
//!
//! Verdicts agree wherever the truth is not closer than 1e-5 m to touching, and distances of hulls within
//! 5e-6 m. Where they do not, the row is listed with the reason, and the test proves who is right by a third
//! way.

use crate::cells::compile_world;
use crate::second_opinion::{AGREE, TOO_CLOSE, alone, bare_robot, second_opinion, values};
use crate::support::data::data;
use elbowroom::math::Transform;
use elbowroom::pair::Ask;
use elbowroom::{Checker, Geometry, Question, Verdict};
use std::collections::BTreeSet;

struct Robot {
    name: &'static str,
    /// Pairs that are checked there and not here, and the other way round.
    pairs_only_there: &'static [&'static str],
    pairs_only_here: &'static [&'static str],
    /// Rows (counted from 0) where the truth is wrong about the hulls.
    wrong_hulls: &'static [usize],
    /// Rows where it is wrong about the triangles.
    wrong_meshes: &'static [usize],
}

const ROBOTS: [Robot; 4] = [
    Robot {
        name: "meca500_r3",
        pairs_only_there: &[],
        pairs_only_here: &[],
        wrong_hulls: &[],
        wrong_meshes: &[],
    },
    Robot {
        name: "iiwa7_r800_pr117",
        pairs_only_there: &[],
        pairs_only_here: &[],
        wrong_hulls: &[],
        wrong_meshes: &[],
    },
    Robot {
        name: "iiwa7_r800_pr31",
        pairs_only_there: &[],
        pairs_only_here: &[],
        wrong_hulls: &[],
        wrong_meshes: &[],
    },
    Robot { name: "sdh2", pairs_only_there: &[], pairs_only_here: &[], wrong_hulls: &[], wrong_meshes: &[] },
];

fn compare(expected: &Robot) {
    let Some(data) = data() else { return };
    let summary = std::fs::read_to_string(data.join("truth/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let summary = &summary["robots"][expected.name];
    let robot = bare_robot(&data.join("robots").join(summary["urdf"].as_str().unwrap()));
    let world = compile_world(&alone(robot.clone(), Transform::IDENTITY));

    let key = |a: &str, b: &str| format!("{}|{}", a.min(b), a.max(b));
    let there: BTreeSet<String> = summary["pairs_checked"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|p| p.as_str().and_then(|p| p.split_once('|')))
        .map(|(a, b)| key(a, b))
        .collect();
    let here: BTreeSet<String> = (0..world.pairs().len() as u32)
        .filter_map(|i| world.pair_names(elbowroom::PairId(i)))
        .map(|[a, b]| key(&a[2..], &b[2..]))
        .collect();
    assert_eq!(there.difference(&here).collect::<Vec<_>>(), expected.pairs_only_there, "{}", expected.name);
    assert_eq!(here.difference(&there).collect::<Vec<_>>(), expected.pairs_only_here, "{}", expected.name);

    let csv = std::fs::read_to_string(data.join(format!("truth/{}.csv", expected.name))).unwrap();
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let joints = header.iter().position(|h| *h == "hull_min_m").unwrap();
    let rows: Vec<&str> = lines.collect();

    let mut checker = Checker::new(&world);
    let mut worst: f64 = 0.0;
    let mut wrong = Vec::new();
    let (mut seen, mut close, mut touching, mut only_hulls) = (0, 0, 0, 0);
    for (row, line) in rows.iter().enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let columns: Vec<(&str, f64)> =
            header[..joints].iter().zip(&cells).map(|(h, c)| (*h, c.parse().unwrap())).collect();
        let truth: f64 = cells[joints].parse().unwrap();
        let (hulls_touch, meshes_touch) = (cells[joints + 2] == "1", cells[joints + 3] == "1");
        // The truth lists what mimic joints follow once more under their own names.
        let of_joint = |name: &str| robot.joints.iter().any(|j| j.name == name && j.mimic.is_some());
        let columns: Vec<_> = columns.into_iter().filter(|(name, _)| !of_joint(name)).collect();
        checker.set(&values(&world, &columns, false)).unwrap();
        checker.forget_history();
        seen += 1;

        let ask = |checker: &mut Checker, ask: Ask, geometry: Geometry| {
            checker.ask(&Question::from_ask(ask).margin(0.0).geometry(geometry))
        };
        let hulls = ask(&mut checker, Ask::Distance, Geometry::Hull);
        let tested = ask(&mut checker, Ask::Test, Geometry::Hull);
        assert!(hulls.interval.width() <= 1e-9, "row {row}: {hulls:?}");
        if truth.abs() < TOO_CLOSE {
            close += 1;
        }
        touching += usize::from(hulls_touch);
        let verdict_differs = |verdict: Verdict, touch: bool| {
            verdict != [Verdict::Clear, Verdict::Collision][usize::from(touch)]
        };
        let decided = truth.abs() >= TOO_CLOSE;
        let hulls_differ = (hulls.distance - truth).abs() > AGREE
            || decided
                && (verdict_differs(hulls.verdict, hulls_touch)
                    || verdict_differs(tested.verdict, hulls_touch));
        if hulls_differ != expected.wrong_hulls.contains(&row) {
            wrong.push(format!(
                "row {row}: hulls [{}, {}], tested {:?}, but {line}",
                hulls.interval.lower, hulls.interval.upper, tested.verdict
            ));
        } else if hulls_differ {
            // The pair that decides here, asked the third way.
            let [a, b] = world.pair_names(hulls.pair.unwrap()).unwrap();
            let third = second_opinion(&robot, &checker, [&a[2..], &b[2..]]);
            assert!(
                third.lower <= hulls.interval.upper && third.upper >= hulls.interval.lower,
                "row {row}: {third:?}, {hulls:?}"
            );
            let refuted = third.upper < truth - AGREE;
            if !refuted {
                // Smaller there: then its own pair is farther apart than it says.
                let (a, b) = cells[joints + 1].split_once('|').unwrap();
                let third = second_opinion(&robot, &checker, [a, b]);
                assert!(third.lower > truth + AGREE, "row {row}: {line} is not refuted by {third:?}");
            }
        } else {
            worst = worst.max((hulls.distance - truth).abs());
        }

        let meshes = ask(&mut checker, Ask::Distance, Geometry::Mesh);
        let meshes_tested = ask(&mut checker, Ask::Test, Geometry::Mesh);
        only_hulls += usize::from(hulls_touch && !meshes_touch);
        let far = meshes.interval.lower >= TOO_CLOSE || meshes.interval.upper <= 0.0;
        let meshes_differ = far
            && (verdict_differs(meshes.verdict, meshes_touch)
                || verdict_differs(meshes_tested.verdict, meshes_touch));
        if meshes_differ != expected.wrong_meshes.contains(&row) {
            wrong.push(format!(
                "row {row}: meshes [{}, {}], tested {:?}, but {line}",
                meshes.interval.lower, meshes.interval.upper, meshes_tested.verdict
            ));
        }
    }
    println!(
        "{}: {seen} poses, {touching} with hulls touching, {only_hulls} of them with hulls only, {close} too \
         close to compare; largest difference of hull distances {worst:.2e} m, {} rows \
         where the truth is wrong",
        expected.name,
        expected.wrong_hulls.len() + expected.wrong_meshes.len(),
    );
    assert!(wrong.is_empty(), "{}: {} differences\n{}", expected.name, wrong.len(), wrong.join("\n"));
    assert!(touching > 0 && touching < seen, "the rows are all alike");
}

#[test]
fn meca500() {
    compare(&ROBOTS[0]);
}

#[test]
fn iiwa_with_exact_hulls() {
    compare(&ROBOTS[1]);
}

#[test]
fn iiwa_with_concave_meshes() {
    compare(&ROBOTS[2]);
}

#[test]
fn hand_with_mimic_joints() {
    compare(&ROBOTS[3]);
}
