//! The experiment in small, and the rebuilt method against answers computed elsewhere.

use elbowroom_testkit::data;

use data::data;
use elbowroom::world::PairStatus;
use elbowroom::{Checker, Geometry, Question, Verdict, World};
use elbowroom_files::world::load_world;
use elbowroom_lab::coulombe20::{Coulombe20Options, run};
use elbowroom_lab::error::LabError;
use elbowroom_lab::rgjk::Model;
use elbowroom_lab::simplex::{CheckedRegions, SignedVolumes};

/// Verdicts may differ where links are nearer to touching than this (metres).
const CLEAR_CUT: f64 = 1e-5;

#[test]
fn all_methods_agree_on_clear_cut_poses() {
    let Some(data) = data() else { return };
    let options =
        Coulombe20Options { data: Some(data.join("robots")), poses: 200, ..Coulombe20Options::default() };
    let report = run(&options).unwrap();
    println!("{}", report.to_text());
    assert_eq!(report.robots.len(), 2);
    for robot in &report.robots {
        // The poses are ones that tell methods apart.
        assert!(
            robot.colliding >= 5 && robot.colliding <= 195,
            "{}: {} collide",
            robot.name,
            robot.colliding
        );
        assert_eq!(robot.unknown, 0, "{}", robot.name);
        for method in &robot.methods {
            assert_eq!(method.times_us.len(), 200);
            // The worst pose is told by what it computed; only kinematics alone ask no pair.
            let asks = method.name != "kinematics alone";
            assert_eq!((method.most_pairs > 0, method.most_steps > 0), (asks, asks), "{}", method.name);
            assert!(method.slowest_us > 0.0 && method.most_pairs <= robot.pairs, "{method:?}");
            if method.name == "RGJK, to the letter" {
                // Its text leaves out a case; it raises false alarms, and that is the finding.
                assert!(method.disagreements < 20, "{}: {}", robot.name, method.disagreements);
                continue;
            }
            assert!(
                method.worst < CLEAR_CUT,
                "{}: {} differs at {} m",
                robot.name,
                method.name,
                method.worst
            );
        }
    }
    // What the paper reads off its table, recomputed.
    let text = report.to_text();
    for ratio in ["0.08 %", "0.80 %", "204 %", "2930 %"] {
        assert!(text.contains(ratio), "{ratio}");
    }
    let flat: Vec<_> = report.sub.iter().filter(|r| r.flatness >= 1.0).collect();
    assert!(flat.iter().all(|r| r.worst[1] < 1e-9 && r.worst[2] < 1e-9), "{flat:?}");
    let files = report.output_files().unwrap();
    for file in ["coulombe20.csv", "coulombe20.txt", "coulombe20_subdistance.csv", "coulombe20_meca500.svg"] {
        assert!(files.iter().any(|(name, text)| name == file && text.len() > 200), "{file}");
    }
}

#[test]
fn verdicts_are_those_computed_elsewhere() {
    let Some(data) = data() else { return };
    for (urdf, truth) in [
        ("kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf", "iiwa7_r800_pr117.csv"),
        ("mecademic_meca500_r3/meca_500_r3.urdf", "meca500_r3.csv"),
    ] {
        let world =
            load_world(&data.join("robots").join(urdf), &elbowroom_files::Options::default()).unwrap();
        let world = World::compile(&world.value).unwrap();
        let (mut model, mut checker) = (Model::new(&world).unwrap(), Checker::new(&world));
        let text = std::fs::read_to_string(data.join("truth").join(truth)).unwrap();
        let n = world.dof_names().len();
        let (mut hits, mut misses) = (0, 0);
        for line in text.lines().skip(1).take(300) {
            let fields: Vec<&str> = line.split(',').collect();
            let q: Vec<f64> = fields[..n].iter().map(|f| f.parse().unwrap()).collect();
            let (distance, hit) = (fields[n].parse::<f64>().unwrap(), fields[n + 2] == "1");
            if distance.abs() < CLEAR_CUT {
                continue;
            }
            *(if hit { &mut hits } else { &mut misses }) += 1;
            checker.set(&q).unwrap();
            model.update_vertices(&checker);
            let hulls = Question::distance().geometry(Geometry::Hull);
            let proved = checker.ask(&hulls).verdict;
            assert_eq!(proved, if hit { Verdict::Collision } else { Verdict::Clear }, "{truth}: {line}");
            assert_eq!(model.any_pair_collides(0.0, CheckedRegions).hit, hit, "{truth}: {line}");
            assert_eq!(model.any_pair_collides(0.0, SignedVolumes).hit, hit, "{truth}: {line}");
        }
        assert!(hits > 5 && misses > 5, "{truth}: {hits} collide, {misses} do not");
    }
}

#[test]
fn what_no_joint_moves_is_placed_once() {
    let Some(data) = data() else { return };
    let urdf = data.join("robots/mecademic_meca500_r3/meca_500_r3.urdf");
    let world = load_world(&urdf, &elbowroom_files::Options::default()).unwrap();
    let world = World::compile(&world.value).unwrap();
    let mut model = Model::new(&world).unwrap();
    let vertices = |all: bool| -> usize {
        let shapes = world.shapes().iter().filter(|s| all || world.can_move(s.body) == Some(true));
        shapes.map(|s| s.shape.core().hull().unwrap().vertices().count()).sum()
    };
    assert!(vertices(false) < vertices(true));
    // The base is where it was, and all else is where the engine has it.
    let mut checker = Checker::new(&world);
    let q: Vec<f64> = world.limits().iter().map(|l| 0.3 * l.upper + 0.1 * l.lower).collect();
    checker.set(&q).unwrap();
    assert_eq!(model.update_vertices(&checker), vertices(false));
    let hulls = Question::distance().geometry(Geometry::Hull);
    let mut proved = Vec::new();
    checker.all_pairs(&hulls, |pair| proved.push((pair.pair, pair.interval)));
    for k in 0..model.pair_count() {
        let found = model.pair_distance(k, SignedVolumes).distance;
        let [a, b] = model.pair_bodies(k);
        let Some(PairStatus::Checked(id)) = world.status(a, b) else { panic!("{k} is not checked") };
        let (_, interval) = proved.iter().find(|(pair, _)| *pair == id).unwrap();
        assert!(found >= interval.lower - 1e-9 && found <= interval.upper.max(0.0) + 1e-9, "{k}: {found}");
    }
}

#[test]
fn missing_data_says_how_to_get_it() {
    let options = Coulombe20Options { data: Some("/no/such/folder".into()), ..Coulombe20Options::default() };
    let error = run(&options).unwrap_err();
    assert!(matches!(error, LabError::NoData(_)));
    assert!(error.to_string().contains("--data DIR"), "{error}");
}
