//! Motions in time: velocities and accelerations in every kind of file, polynomials, tolerances, and what a
//! controller refuses.

use crate::support::refused;
use elbowroom::World;
use elbowroom::motion::SplineFault;
use elbowroom_files::motion::{
    Joints, Motion, MotionWays, RobotJoints, RowRates, free_joints, join_motions, load_motion_from,
    mimic_rules, turning_values,
};
use elbowroom_files::source::InMemory;
use elbowroom_files::world::load_world_from;
use elbowroom_files::{Faults, Loaded, Options};
use std::path::{Path, PathBuf};

/// A joint that turns without end, one with limits, and one that follows the second at twice its speed.
const ARM: &str = r#"<robot name="arm"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
    <joint name="turn" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
    <joint name="lift" type="prismatic"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/>
      <limit lower="-9" upper="9" effort="1" velocity="1"/></joint>
    <joint name="twin" type="prismatic"><parent link="c"/><child link="d"/><axis xyz="0 0 1"/>
      <limit lower="-99" upper="99" effort="1" velocity="1"/><mimic joint="lift" multiplier="2" offset="1"/>
    </joint></robot>"#;

fn arm() -> World {
    let world = "[[robot]]\nurdf = \"arm.urdf\"\nname = \"arm\"\n";
    let files = [("/arm.urdf", ARM), ("/w.toml", world)];
    let files = files.map(|(path, text)| (PathBuf::from(path), text.as_bytes().to_vec()));
    let world = load_world_from(&InMemory(files.into()), Path::new("/w.toml"), &Options::default());
    World::compile(&world.unwrap().value).unwrap()
}

fn read(file: &str, text: &str) -> Result<Loaded<Motion>, Faults> {
    let world = arm();
    let files = InMemory([(PathBuf::from(file), text.as_bytes().to_vec())].into());
    let (mimics, turning, free) = (&mimic_rules(&world), &turning_values(&world), &free_joints(&world));
    let joints = Joints { names: world.dof_names(), mimics, turning, free, ..Joints::default() };
    load_motion_from(&files, Path::new(file), joints, &Options::default())
}

/// The values at a part of the way to a row.
fn values_at(motion: &Motion, row: usize, part: f64) -> [f64; 2] {
    let mut values = [0.0; 2];
    motion.spline_to(&arm(), row).unwrap().write_values(part, &mut values);
    values
}

fn close(a: [f64; 2], b: [f64; 2]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12)
}

/// Two seconds from (1, 2) to (3, 5), with velocities (0.5, 0) and (0, -1): by the public formula of a cubic,
/// p0 + v0 t + (3 dp - 2 v0 T - v1 T) t^2 / T^2 + (-2 dp + v0 T + v1 T) t^3 / T^3.
#[test]
fn velocities_make_cubics_in_every_kind_of_file() {
    let message = "joint_names: [lift, twin, turn]\npoints:\n\
        - {positions: [2, 5, 1], velocities: [0, 0, 0.5], time_from_start: 0}\n\
        - {positions: [5, 11, 3], velocities: [-1, -2, 0], time_from_start: {sec: 2, nanosec: 0}}\n";
    let csv = "t,turn,lift,lift/velocity,arm/turn/velocity,twin/velocity\n0,1,2,0,0.5,0\n2,3,5,-1,0,-2\n";
    let lines = "{\"t\": 0, \"q\": [1, 2], \"v\": [0.5, 0]}\n\
                 {\"t\": 2, \"q\": {\"lift\": 5, \"turn\": 3}, \
                 \"v\": {\"lift\": -1, \"turn\": 0, \"twin\": -2}}\n";
    let expected = |t: f64| {
        let cubic = |p: f64, q: f64, v: f64, w: f64| {
            let (second, third) = (3.0 * (q - p) - 2.0 * (2.0 * v + w), -2.0 * (q - p) + 2.0 * (v + w));
            p + v * t + second * (t / 2.0).powi(2) + third * (t / 2.0).powi(3)
        };
        [cubic(1.0, 3.0, 0.5, 0.0), cubic(2.0, 5.0, 0.0, -1.0)]
    };
    for (file, text) in [("/m.yaml", message), ("/m.csv", csv), ("/m.jsonl", lines)] {
        let motion = read(file, text).unwrap().value;
        assert!(!motion.is_straight_to(1), "{file}");
        for t in [0.0, 0.3, 1.0, 1.7, 2.0] {
            assert!(close(values_at(&motion, 1, t / 2.0), expected(t)), "{file} {t}");
        }
    }
    // The motion does not end at rest: nothing is known of what follows.
    let warnings = read("/m.yaml", message).unwrap().warnings;
    assert!(warnings.len() == 1 && warnings[0].to_string().contains("ends at speed, with up to 1 rad/s"));
}

#[test]
fn accelerations_make_quintics_and_positions_alone_lines() {
    // From rest to rest: 10 s^3 - 15 s^4 + 6 s^5 of the way.
    let point = |p: &str, t: u32, more: &str| format!("- {{positions: {p}, {more}time_from_start: {t}}}\n");
    let rest = "velocities: [0, 0], accelerations: [0, 0], ";
    let text = |a: &str, b: &str| {
        format!("joint_names: [turn, lift]\npoints:\n{}{}", point("[0, 1]", 0, a), point("[1, 3]", 4, b))
    };
    let part = 0.3_f64;
    let quintic = 10.0 * part.powi(3) - 15.0 * part.powi(4) + 6.0 * part.powi(5);
    let cubic = 3.0 * part.powi(2) - 2.0 * part.powi(3);
    for (a, b, way) in [
        (rest, rest, quintic),
        // The controller uses what both points have.
        (rest, "velocities: [0, 0], ", cubic),
        (rest, "", part),
        ("", "", part),
        ("velocities: [], accelerations: [], ", "velocities: [], ", part),
    ] {
        let motion = read("/m.yaml", &text(a, b)).unwrap().value;
        assert!(close(values_at(&motion, 1, part), [way, 1.0 + 2.0 * way]), "{a} {b}");
        assert_eq!(motion.is_straight_to(1), way == part, "{a} {b}");
    }
}

/// The way to a first point that comes later: from the start, at rest unless it says otherwise; a joint
/// without end takes the turn nearest to the first point.
#[test]
fn a_late_first_point_is_reached_from_the_start() {
    let text = |start: &str| {
        format!(
            "{start}joint_names: [turn]\npoints: [{{positions: [6.2], velocities: [1], time_from_start: 1}}, \
             {{positions: [7], velocities: [0], time_from_start: 2}}]\n"
        )
    };
    let start = "trajectory_start: {joint_state: {name: [turn, lift], position: [0.1, 4]VEL}}\n";
    let at_rest = read("/m.yaml", &text(&start.replace("VEL", ""))).unwrap().value;
    let turned = 0.1 + std::f64::consts::TAU;
    assert_eq!(at_rest.t, Some(vec![0.0, 1.0, 2.0]));
    assert!(close([at_rest.rows[0][0], at_rest.rows[0][1]], [turned, 4.0]), "{:?}", at_rest.rows);
    let MotionWays::Rates(rates) = &at_rest.ways else { panic!("{at_rest:?}") };
    assert_eq!((&rates[0].velocities[..], &rates[1].velocities[..]), (&[0.0, 0.0][..], &[1.0, 0.0][..]));
    let moving = read("/m.yaml", &text(&start.replace("VEL", ", velocity: [0.5, 0]"))).unwrap().value;
    let MotionWays::Rates(rates) = &moving.ways else { panic!("{moving:?}") };
    assert_eq!(rates[0], RowRates { velocities: vec![0.5, 0.0], accelerations: vec![] });
    // With accelerations the start has them too, zero: the way there is a quintic.
    let text =
        text(&start.replace("VEL", "")).replace("velocities: [1],", "velocities: [1], accelerations: [2],");
    let quintic = read("/m.yaml", &text).unwrap().value;
    let MotionWays::Rates(rates) = &quintic.ways else { panic!("{quintic:?}") };
    assert_eq!(rates[0].accelerations, [0.0, 0.0]);
    // At exactly half a turn the joint turns in the direction of the difference of the numbers.
    for (from, to) in [(0.0, std::f64::consts::PI), (std::f64::consts::PI, 0.0)] {
        let text = format!(
            "trajectory_start: {{joint_state: {{name: [turn, lift], position: [{from}, 4]}}}}\njoint_names: \
             [turn]\npoints: [{{positions: [{to}], time_from_start: 1}}]\n"
        );
        assert_eq!(read("/m.yaml", &text).unwrap().value.rows, [[from, 4.0], [to, 4.0]]);
    }
    // Without a start of all joints the way there is not known.
    let whole = "joint_names: [turn, lift]\npoints: [{positions: [0, 1], time_from_start: 0.5}]\n";
    let alone = read("/m.yaml", whole).unwrap();
    assert_eq!(alone.value.rows.len(), 1);
    assert!(alone.warnings[0].to_string().contains("its first point comes after 0.5 s: the way there is"));
}

#[test]
fn polynomials_are_taken_as_they_are() {
    let text = r#"{"joint_names": ["lift", "turn"], "pieces": [
        {"duration": 0.5, "coefficients": [[1, 2, 0, 4], [0.25]]},
        {"duration": {"sec": 1, "nanosec": 0}, "coefficients": [[2.5, 5, 6], [0.25, 0, 0, 0, 0, 1]]}]}"#;
    let motion = read("/m.json", text).unwrap().value;
    assert_eq!(motion.rows, [[0.25, 1.0], [0.25, 2.5], [1.25, 13.5]]);
    assert_eq!(motion.t, Some(vec![0.0, 0.5, 1.5]));
    assert!(close(values_at(&motion, 1, 0.5), [0.25, 1.0 + 0.5 + 4.0 / 64.0]));
    assert!(close(values_at(&motion, 2, 0.5), [0.25 + 1.0 / 32.0, 2.5 + 2.5 + 1.5]));
    let bad = |from: &str, to: &str| read("/m.json", &text.replace(from, to));
    for (from, to, words) in [
        ("[2.5, 5, 6]", "[2.6, 5, 6]", "piece 1: \"arm/lift\" jumps from 2.5 to 2.6 where the piece begins"),
        ("0.5,", "-1,", "piece 0: has no duration that is a number of seconds above zero"),
        ("[0.25]]", "[]]", "the coefficients of \"turn\" are not one to six numbers"),
        ("[0.25]]", "[1, 2, 3, 4, 5, 6, 7]]", "the coefficients of \"turn\" are not one to six numbers"),
        ("[[1, 2, 0, 4], [0.25]]", "[[1, 2, 0, 4]]", "piece 0: has coefficients of 1 for 2 joints"),
        ("[1, 2, 0, 4]", "[1, NaN, 0, 4]", "NaN"),
        ("\"turn\"]", "\"turm\"]", "\"turm\" is not a joint of this model"),
    ] {
        match bad(from, to) {
            Ok(_) => panic!("{to} was read"),
            Err(faults) => assert!(faults.to_string().contains(words) || words == "NaN", "{to}: {faults}"),
        }
    }
}

#[test]
fn the_tolerance_of_an_action_is_read() {
    let text = "goal:\n  trajectory: {joint_names: [turn, lift], points: [{positions: [0, 1], \
                time_from_start: 0}]}\n  path_tolerance: [{name: lift, position: 0.01}, {name: turn, \
                position: TURN}]\n";
    let own = read("/m.yaml", &text.replace("TURN", "0")).unwrap();
    assert_eq!(own.value.tolerance, [0.0, 0.01]);
    assert!(
        own.warnings[0].to_string().contains("\"turn\" has the tolerance 0, which is the controller's own")
    );
    let free = read("/m.yaml", &text.replace("TURN", "-1")).unwrap();
    assert_eq!(free.value.tolerance, [0.0, 0.01]);
    assert!(free.warnings[0].to_string().contains("\"turn\" may be anywhere (a negative tolerance)"));
}

#[test]
fn what_no_controller_takes_is_refused() {
    let message = |a: &str, b: &str| {
        let text = format!("joint_names: [turn, lift]\npoints: [{{positions: [0, 1], {a}}}, {b}]\n");
        read("/m.yaml", &text)
    };
    let second = "{positions: [0, 2], velocities: [0, 0], time_from_start: 1}";
    for (a, b, words) in [
        ("velocities: [0, 0], time_from_start: 1", second, "comes at 1 s, the point before it at 1 s"),
        ("velocites: [0, 0], time_from_start: 0", second, "the key \"velocites\" is unknown here"),
        ("time_from_start: -1", second, "its first point comes 1 s before its start"),
        ("velocities: [0], time_from_start: 0", second, "point 0: has 1 velocity for 2 joints"),
        ("accelerations: [0, 0], time_from_start: 0", second, "has accelerations and no velocities"),
        ("velocities: [0, x], time_from_start: 0", second, "the velocity of \"lift\" is not a finite number"),
        ("velocities: [0, .nan], time_from_start: 0", second, "velocity of \"lift\" is not a finite number"),
    ] {
        refused(a, message(a, b), &[words]);
    }
    let csv = |text: &str| read("/m.csv", text);
    for (text, words) in [
        ("t,turn,lift,turn/velocity\n0,1,2,3\n", "no velocity for arm/lift"),
        ("turn,lift,turn/velocity,lift/velocity\n1,2,3,4\n", "has velocities and no times"),
        (
            "t,turn,lift,turn/acceleration,lift/acceleration\n0,1,2,3,4\n",
            "has accelerations and no velocities",
        ),
        (
            "t,turn,lift,turn/velocity,lift/velocity\n0,1,2,3,4\n0,1,2,3,4\n",
            "line 3, sample 1: time does not grow at 1 sample: here from 0 to 0 s",
        ),
        (
            "t,turn,lift,turn/velocity,lift/velocity,turn/velocity\n0,1,2,3,4,3\n",
            "\"turn/velocity\" is given a second time",
        ),
        (
            "t,turn,lift,turn/velocity,lift/velocity,twin/velocity\n0,1,2,3,4,5\n",
            "velocity: mimic joint \"arm/twin\" is 5, but 2 * 4",
        ),
    ] {
        refused(text, csv(text), &[words]);
    }
    for (text, words) in [
        ("{\"q\": [1, 2], \"v\": [0, 0]}\n", "has velocities and no times"),
        ("{\"t\": 0, \"q\": [1, 2], \"a\": [0, 0]}\n", "has accelerations, a, and no velocities, v"),
        ("{\"t\": 0, \"q\": [1, 2], \"v\": [0]}\n", "line 1, sample 0: v has 1 value, the model has 2"),
    ] {
        refused(text, read("/m.jsonl", text), &[words]);
    }
}

/// A trajectory behind another one is a new one to the controller: what it does in between depends on that.
#[test]
fn a_late_trajectory_behind_another_is_refused_if_it_matters() {
    let text = |last: &str, first: &str| {
        format!(
            "trajectory_start: {{joint_state: {{name: [turn, lift], position: [0, 0]}}}}\ntrajectory:\n- \
             {{joint_names: [turn], points: [{{positions: [1], {last}time_from_start: 1}}]}}\n- \
             {{joint_names: [turn], points: [{{positions: {first}, time_from_start: 1}}]}}\n"
        )
    };
    assert_eq!(read("/m.yaml", &text("", "[2]")).unwrap().value.rows.len(), 3);
    let words = "begins later than its start, behind another trajectory";
    for (last, first) in [("", "[7]"), ("", "[2], velocities: [0]"), ("velocities: [1], ", "[2]")] {
        refused(first, read("/m.yaml", &text(last, first)), &[words]);
    }
}

#[test]
fn a_jump_at_the_start_and_an_end_at_speed_are_told() {
    let told = |file: &str, text: &str| read(file, text).unwrap().warnings[0].to_string();
    let text = "trajectory_start: {joint_state: {name: [turn, lift], position: [0, 0.5]}}\n\
                joint_names: [lift]\npoints: [{positions: [1], time_from_start: 0}]\n";
    assert!(told("/m.yaml", text).contains("\"lift\" is 0.5 rad or m from there: a controller jumps"));
    let csv = "t,turn,lift,turn/velocity,lift/velocity\n0,0,0,0,0\n1,1,0,0.5,0\n";
    assert!(told("/m.csv", csv).contains("ends at speed, with up to 0.5"));
    let pieces =
        r#"{"joint_names": ["lift", "turn"], "pieces": [{"duration": 2, "coefficients": [[0, 0, 3], [0]]}]}"#;
    assert!(told("/m.json", pieces).contains("ends at speed, with up to 12 rad/s"));
}

/// Robots of one world have no motion in another, even if it is equal.
#[test]
fn motions_are_joined_in_their_own_world_alone() {
    let (world, other) = (arm(), arm());
    let motion = read("/m.csv", "t,turn,lift\n0,0,0\n1,1,0\n").unwrap().value;
    let part = || [(RobotJoints::find_robot(&world, "arm").unwrap(), motion.clone())];
    assert_eq!(join_motions(&world, &part()).unwrap().rows, motion.rows);
    assert_eq!(join_motions(&other, &part()), Err(SplineFault::OtherWorld));
    assert!(RobotJoints::find_robot(&world, "leg").is_none());
}

/// A joint between numbers that are given goes as they say, also where it turns without end.
#[test]
fn ways_between_points_are_not_wrapped() {
    let text = "joint_names: [turn, lift]\npoints: [{positions: [3.1, 0], time_from_start: 0}, \
                {positions: [-3.1, 0], time_from_start: 1}]\n";
    let motion = read("/m.yaml", text).unwrap().value;
    assert!(close(values_at(&motion, 1, 0.5), [0.0, 0.0]));
}
