//! Motions as messages of ROS and MoveIt: trajectories, planning requests, joint states.

use crate::support::{below, data, refused};
use elbowroom::world::Follows;
use elbowroom_files::motion::{Joints, Motion, MotionWays, load_motion_from};
use elbowroom_files::source::{Disk, Files, InMemory};
use elbowroom_files::{Faults, Loaded, Options};
use std::path::{Path, PathBuf};

fn read_message(text: &str, ignore: bool) -> Result<Loaded<Motion>, Faults> {
    read_file("/m.yaml", text, ignore)
}

fn read_file(file: &str, text: &str, ignore: bool) -> Result<Loaded<Motion>, Faults> {
    let files = InMemory([(PathBuf::from(file), text.as_bytes().to_vec())].into());
    let names = ["arm/a", "arm/b", "arm/c", "base/x"].map(String::from);
    let mimics = [("arm/twin".to_string(), Follows { value: 1, scale: 2.0, offset: 0.0 })];
    let joints = Joints { names: &names, mimics: &mimics, ..Joints::default() };
    let options = Options { ignore_unknown_columns: ignore, ..Options::default() };
    load_motion_from(&files, Path::new(file), joints, &options)
}

fn motion(text: &str) -> Result<Motion, Faults> {
    read_message(text, false).map(|loaded| loaded.value)
}

/// A start of all joints.
const START: &str = "joint_state: {name: [c, b, a, x, twin], position: [3, 2, 1, 4, 4]}";

#[test]
fn trajectories_of_every_kind() {
    let points = "points: [{positions: [20, 10], velocities: [0, 0], time_from_start: {sec: 0, nanosec: 0}}, \
                  {positions: [21, 11], time_from_start: {sec: 1, nanosec: 500000000}}]";
    let rows = vec![vec![10.0, 20.0, 3.0, 4.0], vec![11.0, 21.0, 3.0, 4.0]];
    let trajectory = format!("{{header: {{frame_id: w}}, joint_names: [b, arm/a], {points}}}");
    for text in [
        format!("trajectory_start: {{{START}}}\ntrajectory: {{joint_trajectory: {trajectory}}}\n"),
        format!("trajectory_start: {{{START}}}\ntrajectory: [{{joint_trajectory: {trajectory}}}]\n---\n"),
        format!("motion_plan_response:\n  trajectory_start: {{{START}}}\n  trajectory: {trajectory}\n"),
        format!("start_state: {{{START}}}\njoint_trajectory: {trajectory}\n"),
    ] {
        let read = motion(&text).unwrap();
        assert_eq!((read.rows, read.t), (rows.clone(), Some(vec![0.0, 1.5])), "{text}");
    }
    // Of two points only one has a velocity: the way is straight.
    let read = motion(&format!("trajectory_start: {{{START}}}\njoint_trajectory: {trajectory}\n")).unwrap();
    assert!(matches!(&read.ways, MotionWays::Rates(rates) if rates.len() == 2) && read.is_straight_to(1));
    // All joints named, as ROS 1 has times, and as numbers; in JSON.
    let whole = r#"{"joint_names": ["a", "b", "c", "base/x"], "points": [
        {"positions": [1, 2, 3, 4], "time_from_start": {"secs": 2, "nsecs": 250000000}},
        {"positions": [1, 2, 3, 5], "time_from_start": 3}]}"#;
    let read = motion(whole).unwrap();
    assert_eq!(read.rows, [[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 5.0]]);
    assert_eq!(read.t, Some(vec![2.25, 3.0]));
    assert_eq!(read.lines, [2, 3], "where a point stands in its file");
    // Two trajectories, one after the other: time goes on.
    let text = format!(
        "trajectory_start: {{{START}}}\ntrajectory:\n- joint_trajectory: {trajectory}\n- joint_trajectory: \
         {trajectory}\n"
    );
    assert_eq!(motion(&text).unwrap().t, Some(vec![0.0, 1.5, 1.5, 3.0]));
}

#[test]
fn a_request_is_its_start_and_its_goal() {
    let goal = |position: f64| {
        format!(
            "joint_constraints: [{{joint_name: a, position: {position}}}, {{joint_name: b, position: 7}}]"
        )
    };
    let text = format!(
        "start_state: {{{START}}}\ngoal_constraints:\n- {}\n- position_constraints: []\n- {}\n",
        goal(9.0),
        goal(8.0)
    );
    let read = read_message(&text, false).unwrap();
    // The mimic joint of the start does not bind the goal.
    assert_eq!(read.value.rows, [[1.0, 2.0, 3.0, 4.0], [9.0, 7.0, 3.0, 4.0]]);
    assert_eq!((read.value.t, read.warnings.len()), (None, 1));
    assert!(read.warnings[0].to_string().contains("the first goal is taken, 1 other one left out"));
    // A goal that is a place in space: the start alone.
    let text = format!("start_state: {{{START}}}\ngoal_constraints: [{{position_constraints: [{{}}]}}]\n");
    let read = read_message(&text, false).unwrap();
    assert_eq!(read.value.rows, [[1.0, 2.0, 3.0, 4.0]]);
    assert!(read.warnings[0].to_string().contains("gives no goal by joints: only its start is a pose"));
}

#[test]
fn states_are_poses() {
    let state = |c: f64, sec: u32| {
        format!(
            "header: {{stamp: {{sec: {sec}, nanosec: 0}}}}\nname: [a, b, c, x]\nposition: [1, 2, {c}, 4]\n\
             velocity: []\n---\n"
        )
    };
    let read = motion(&(state(3.0, 100) + &state(3.5, 101))).unwrap();
    assert_eq!(read.rows, [[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.5, 4.0]]);
    assert_eq!((read.t, read.lines), (Some(vec![100.0, 101.0]), vec![1, 6]));
    let read = motion(&format!("is_diff: false\n{START}\n")).unwrap();
    assert_eq!((read.rows, read.t), (vec![vec![1.0, 2.0, 3.0, 4.0]], None));
    // A virtual joint is no joint of the model.
    let virtual_joint = "multi_dof_joint_state: {joint_names: [world_joint], transforms: [{}]}";
    assert!(motion(&format!("{START}\n{virtual_joint}\n")).is_ok());
}

#[test]
fn what_is_wrong_with_messages() {
    let point = |positions: &str| {
        format!("joint_names: [a, b]\npoints: [{{positions: {positions}, time_from_start: 0}}]\n")
    };
    let started = |more: &str| format!("trajectory_start: {{{START}}}\n{more}");
    for (text, words) in [
        (
            point("[1, 2]"),
            &["line 1, joint_trajectory: has no value for arm/c, base/x", "trajectory_start: {"][..],
        ),
        (started(&point("[1]")), &["point 0", "has 1 position for 2 joints"]),
        (started(&point("[1, .nan]")), &["the position of \"b\" is not a finite number"]),
        (started(&point("[1, 2]").replace("[a, b]", "[a, a]")), &["gives \"a\" a second time"]),
        (
            started(&point("[1, 2]").replace("[a, b]", "[a, elbow]")),
            &["\"elbow\" is not a joint of this model"],
        ),
        (
            started(&point("[1, 2]").replace("time_from_start: 0", "velocities: []")),
            &["has no time_from_start"],
        ),
        (started(&point("[1, 2]").replace("joint_names: [a, b]\n", "")), &["has points and no joint_names"]),
        (started("joint_trajectory: {joint_names: [a], points: []}\n"), &["has no pose"]),
        (
            format!(
                "trajectory_start: {{{}}}\n{}",
                START.replace("4, 4]", "4, 5]"),
                "name: [a]\nposition: [1]\n"
            ),
            &["has no value for arm/b, arm/c, base/x"],
        ),
        (START.replace("4, 4]", "4, 5]"), &["mimic joint \"arm/twin\" is 5, but 2 * 2"]),
        (START.replace(", 4, 4]", "]"), &["has 5 names and 3 positions"]),
        (
            format!("{START}\nattached_collision_objects: [{{link_name: hand}}]\n"),
            &["carries 1 object, whose shapes a motion cannot give", "[[scene]]"],
        ),
        ("goal_constraints: []\n".into(), &["is a planning request without start_state"]),
        ("name: [a\nposition: []\n".into(), &["is not well-formed YAML"]),
    ] {
        refused(&text, motion(&text), words);
    }
    // All faults come at once. The option skips unknown joints.
    let text = started(&point("[.inf, 2]").replace("[a, b]", "[a, elbow]"));
    assert_eq!(motion(&text).unwrap_err().0.len(), 2);
    let text = started(&point("[5, 2]").replace("[a, b]", "[a, elbow]"));
    assert_eq!(read_message(&text, true).unwrap().value.rows, [[5.0, 2.0, 3.0, 4.0]]);
    // A state that lacks joints names each of them, once for a trajectory of any length.
    let many = "{positions: [1, 2], time_from_start: 0},".repeat(100);
    let text = format!("joint_names: [a, b]\npoints: [{many}]\n");
    assert_eq!(motion(&text).unwrap_err().0.len(), 1);
    // Time that runs backwards is told.
    let back = "joint_names: [a]\npoints:\n\
        - {positions: [1], time_from_start: 1}\n- {positions: [2], time_from_start: 0}\n";
    let read = read_message(&started(back), false).unwrap();
    assert!(read.warnings[0].to_string().contains("time runs backwards at 1 sample"));
}

/// A trajectory goes on where the one before ended: their groups may be different ones.
#[test]
fn trajectories_of_several_groups_follow_each_other() {
    let one = |joint: &str, to: f64| {
        let points = format!("[{{positions: [{to}], time_from_start: 1}}]");
        format!("{{joint_trajectory: {{joint_names: [{joint}], points: {points}}}}}")
    };
    let text = format!(
        "trajectory_start: {{{START}}}\ntrajectory: [{}, {}, {}]\n",
        one("a", 9.0),
        one("b", 8.0),
        one("c", 7.0)
    );
    let read = motion(&text).unwrap();
    // The first point comes a second after the start, from where it is reached.
    let rows = [[1.0, 2.0, 3.0, 4.0], [9.0, 2.0, 3.0, 4.0], [9.0, 8.0, 3.0, 4.0], [9.0, 8.0, 7.0, 4.0]];
    assert_eq!(read.rows, rows);
    assert_eq!(read.t, Some(vec![0.0, 1.0, 2.0, 3.0]));
    // The stages of one plan do not follow each other.
    let read = read_message(&format!("{text}description: [plan, simplify, interpolate]\n"), false).unwrap();
    assert_eq!(read.value.rows, [[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 7.0, 4.0]]);
    assert!(read.warnings[0].to_string().contains("has 3 stages of one plan: the last is taken"));
}

#[test]
fn messages_as_others_write_them() {
    let names = "name: [a, b, c, x]";
    let rows = [[1.0, 2.0, 3.0, 4.0]];
    let point = "positions: [1, 2, 3, 4]";
    let trajectory = format!("joint_names: [a, b, c, x]\npoints: [{{{point}, time_from_start: 1}}]\n");
    for text in [
        format!("\u{feff}{names}\nposition: [1, 2, 3, 4]\n"),
        format!("{{header: {{stamp: {{sec: 1, nanosec: 0}}}}, {names}, position: [1, 2, 3, 4]}}"),
        format!("goal:\n  trajectory:\n    {}", trajectory.replace('\n', "\n    ")),
        format!("state: {{joint_state: {{{names}, position: [1, 2, 3, 4]}}}}\n"),
        format!("{trajectory}multi_dof_joint_trajectory: {{joint_names: [virtual_joint], points: []}}\n"),
        format!(
            "goal:\n  request:\n    start_state: {{joint_state: {{{names}, position: [1, 2, 3, 4]}}}}\n    \
             goal_constraints: []\n  planning_options:\n    planning_scene_diff:\n      \
             robot_state: {{}}\n      world: {{collision_objects: []}}\n"
        ),
    ] {
        let read = motion(&text).unwrap_or_else(|faults| panic!("{text}: {faults}"));
        assert_eq!(read.rows, rows, "{text}");
    }
    let time =
        |time: &str| motion(&trajectory.replace("time_from_start: 1", &format!("time_from_start: {time}")));
    for written in
        ["1.5", "{sec: 1, nsec: 500000000}", "{secs: 1, nsecs: 500000000}", "{nanosec: 500000000, sec: 1}"]
    {
        assert_eq!(time(written).unwrap().t, Some(vec![1.5]), "{written}");
    }
    for wrong in ["{sec: 1, milliseconds: 500}", "{}", "{sec: x}", "soon"] {
        refused(wrong, time(wrong), &["has no time_from_start that is a number"]);
    }
    let failed = read_message(&format!("{trajectory}error_code: {{val: -1}}\n"), false).unwrap();
    assert!(failed.warnings[0].to_string().contains("MoveIt says that planning failed (error_code -1)"));
    // A robot that stands elsewhere would be told clear of what is here.
    let state = |transform: &str| {
        let bodies = format!("multi_dof_joint_state: {{joint_names: [v], transforms: [{transform}]}}");
        motion(&format!("joint_state: {{{names}, position: [1, 2, 3, 4]}}\n{bodies}\n"))
    };
    for stays in [
        "{}",
        "{translation: {x: 0, y: 0, z: 0}, rotation: {x: 0, y: 0, z: 0, w: 1}}",
        "{rotation: [0, 0, 0, 1]}",
    ] {
        assert!(state(stays).is_ok(), "{stays}");
    }
    for moves in [
        "{translation: {x: 1, y: 0, z: 0}}",
        "{translation: [0, 0, 1]}",
        "{rotation: [0, 0, 1, 0]}",
        "{translation: up}",
    ] {
        refused(
            moves,
            state(moves),
            &["\"v\", which is no joint of this model, moves the robot", "virtual joint of MoveIt"],
        );
    }
    // Times of some poses alone would be lost.
    let one = format!("{names}\nposition: [1, 2, 3, 4]\n");
    let stamped = format!("header: {{stamp: {{sec: 1, nanosec: 0}}}}\n{one}---\n{one}");
    refused("times", motion(&stamped), &["line 5, sample 1: has no time, but others have"]);
    let two = format!("motion_plan_request: {{goal_constraints: []}}\nmotion_plan_response:\n  {point}\n");
    refused("two", motion(&two), &["holds several messages, such as a request and its response"]);
    refused(
        "none",
        motion("solution: {joint_trajectory: 1}\n"),
        &["no message that is read; its keys are solution"],
    );
    // A request that changes a state, and nobody knows which.
    let change =
        "start_state: {joint_state: {name: [a], position: [1]}, is_diff: true}\ngoal_constraints: []\n";
    let words =
        ["changes a state that it does not give (is_diff), and has no value for arm/b, arm/c, base/x"];
    refused("change", motion(change), &words);
    // A number that is none is told once, and not as one that a mimic contradicts.
    let told = motion(&START.replace("[3, 2, 1, 4, 4]", "[3, .nan, 1, 4, 4]")).unwrap_err();
    assert_eq!(told.0.len(), 1, "{told}");
    let told = motion(&START.replace("[3, 2, 1, 4, 4]", "[3, 2, 1, 4, .nan]")).unwrap_err();
    assert_eq!(told.0.len(), 1, "{told}");
    // Lines of our own are not taken for one, whatever their bodies and joints are called.
    let own = "{\"q\": {\"a\": 1, \"b\": 2, \"c\": 3, \"x\": 4}}\n\
               {\"attach\": {\"name\": \"position\", \"attached_to\": \"joint_state\"}}\n";
    assert_eq!(motion(own).unwrap().events.len(), 1);
}

/// Recorders write a message a line, a list of them, or documents.
#[test]
fn several_messages_in_a_file() {
    let state = |a: u32| format!("{{\"name\": [\"a\",\"b\",\"c\",\"x\"], \"position\": [{a},2,3,4]}}");
    let rows = vec![vec![1.0, 2.0, 3.0, 4.0], vec![5.0, 2.0, 3.0, 4.0]];
    let (one, two) = (state(1), state(5));
    for (text, endings) in [
        (format!("{one}\n{two}\n"), &["yaml", "json", "jsonl"][..]),
        (format!("{one}\r\n\r\n{two}"), &["yaml", "json", "jsonl"]),
        (format!("[{one}, {two}]"), &["yaml", "json", "jsonl"]),
        (format!("[\n  {one},\n  {two}\n]\n"), &["yaml", "json"]),
        (format!("{one}\n---\n{two}\n"), &["yaml", "json"]),
        (format!("- {one}\n- {two}\n"), &["yaml"]),
    ] {
        for ending in endings {
            let read = read_file(&format!("/m.{ending}"), &text, false);
            let read = read.unwrap_or_else(|faults| panic!("{ending} {text}: {faults}"));
            assert_eq!(read.value.rows, rows, "{ending} {text}");
        }
    }
    // All lines that are wrong are told, each with its number.
    let wrong = format!("{one}\n{{\n{}\nnothing\n", state(1).replace("[1,2,3,4]", "[1,2,3]"));
    let told = motion(&wrong).unwrap_err().to_string();
    assert!(told.contains("line 2: is not JSON") && told.contains("line 4: is not JSON"), "{told}");
    let wrong = format!("{one}\n{}\n", state(1).replace("[1,2,3,4]", "[1,2,3]"));
    refused("short", motion(&wrong), &["line 2", "has 4 names and 3 positions"]);
    // What a terminal shows of a long list is not the list.
    let cut = "name: [a, b, '...']\nposition: [1, 2, '...']\n";
    refused("cut", motion(cut), &["name is cut off", "position is cut off", "--full-length"]);
    let cut =
        "joint_names: [a, b, c, x]\npoints:\n- positions: [1, 2, 3, 4]\n  time_from_start: 0\n- '...'\n";
    refused("cut points", motion(cut), &["points is cut off", "--full-length"]);
}

/// The requests of a public set of planning problems, and its trajectory: start and goal of a Fetch.
#[test]
fn real_requests_are_read() {
    let Some(data) = data() else { return };
    let names: Vec<String> = [
        "l_wheel_joint",
        "r_wheel_joint",
        "torso_lift_joint",
        "bellows_joint",
        "head_pan_joint",
        "head_tilt_joint",
        "shoulder_pan_joint",
        "shoulder_lift_joint",
        "upperarm_roll_joint",
        "elbow_flex_joint",
        "forearm_roll_joint",
        "wrist_flex_joint",
        "wrist_roll_joint",
        "l_gripper_finger_joint",
        "r_gripper_finger_joint",
    ]
    .map(|name| format!("fetch/{name}"))
    .to_vec();
    let joints = Joints { names: &names, mimics: &[], ..Joints::default() };
    let read = |files: &dyn Files, path: &Path| load_motion_from(files, path, joints, &Options::default());
    let (mut requests, mut moved) = (0, 0);
    for path in below(&data.join("scenes/robowflex/yaml"), &[".yaml"]) {
        if !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("request")) {
            continue;
        }
        let rows =
            read(&Disk, &path).unwrap_or_else(|faults| panic!("{}: {faults}", path.display())).value.rows;
        requests += 1;
        moved += usize::from(rows.len() == 2 && rows[0] != rows[1]);
    }
    assert!(requests >= 20 && moved == requests, "{moved} of {requests}");
    // The trajectory names the arm alone: the rest must come from somewhere.
    let path = data.join("scenes/robowflex/visualization_yaml/fetch_pick.yml");
    refused("arm alone", read(&Disk, &path), &["has no value for fetch/l_wheel_joint, fetch/r_wheel_joint"]);
    let rest = [0, 1, 3, 4, 5, 13, 14].map(|k: usize| names[k].split_once('/').unwrap().1).join(", ");
    let start =
        format!("trajectory_start: {{joint_state: {{name: [{rest}], position: [0, 0, 0, 0, 0, 0, 0]}}}}\n");
    let text = start + &std::fs::read_to_string(&path).unwrap();
    let files = InMemory([(PathBuf::from("/pick.yml"), text.into_bytes())].into());
    let found = read(&files, Path::new("/pick.yml")).unwrap().value;
    assert!(found.rows.len() > 5 && found.t.is_some_and(|t| t.is_sorted()));
}

/// A tree holds a million values. What to do with a longer trajectory is said: a table may be longer.
#[test]
fn a_message_that_is_too_long_is_refused_with_what_takes_it() {
    let point = |k: u32| {
        format!("{{\"positions\": [1, 2, 3, 4], \"time_from_start\": {{\"sec\": {k}, \"nanosec\": 0}}}}")
    };
    let message = |count: u32| {
        let points: Vec<String> = (0..count).map(point).collect();
        format!("{{\"joint_names\": [\"a\", \"b\", \"c\", \"x\"], \"points\": [\n{}]}}", points.join(",\n"))
    };
    assert_eq!(motion(&message(10_000)).unwrap().rows.len(), 10_000);
    let words = [
        "m.yaml: line ",
        "holds too many values, or nests them too deep",
        "split the file, or give its points as CSV or JSON lines, which may be longer",
    ];
    refused("150,000 points", motion(&message(150_000)), &words);
}
