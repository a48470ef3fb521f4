//! Planar and floating joints in messages: their transforms as poses in time.

use crate::support::refused;
use elbowroom::World;
use elbowroom_files::motion::{
    Joints, Motion, RobotJoints, free_joints, load_motion_from, mimic_rules, turning_values,
};
use elbowroom_files::source::{InMemory, TransformWays};
use elbowroom_files::world::load_world_from;
use elbowroom_files::{Faults, Loaded, Options};
use std::path::{Path, PathBuf};

/// A body that floats off the ground, with a joint of one value; behind a fixed joint, so that the link that
/// it hangs on is not the root.
pub const DRONE: &str = r#"<robot name="drone"><link name="ground"/><link name="pad"/><link name="body"/>
    <link name="arm"/><joint name="stand" type="fixed"><parent link="ground"/><child link="pad"/>
    <origin xyz="5 0 0"/></joint><joint name="fly" type="floating"><parent link="pad"/><child link="body"/>
    </joint><joint name="elbow" type="continuous"><parent link="body"/><child link="arm"/><axis xyz="0 0 1"/>
    </joint></robot>"#;

/// A cart that rolls on the floor, and one that rolls on the wall: its plane is that of y and z.
pub fn cart(axis: &str) -> String {
    format!(
        r#"<robot name="cart"><link name="floor"/><link name="cart"/><joint name="roll" type="planar">
        <parent link="floor"/><child link="cart"/><axis xyz="{axis}"/></joint></robot>"#
    )
}

pub fn world(robots: &[(&str, &str)]) -> World {
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    let mut text = String::new();
    for (name, urdf) in robots {
        files.push((format!("/{name}.urdf").into(), urdf.as_bytes().to_vec()));
        text += &format!("[[robot]]\nurdf = \"{name}.urdf\"\nname = \"{name}\"\n");
    }
    files.push(("/w.toml".into(), text.into_bytes()));
    let files = InMemory(files.into_iter().collect());
    let read = load_world_from(&files, Path::new("/w.toml"), &Options::default());
    World::compile(&read.unwrap().value).unwrap()
}

pub fn read_in(world: &World, text: &str) -> Result<Loaded<Motion>, Faults> {
    read_by(world, text, TransformWays::Straight)
}

pub fn read_by(world: &World, text: &str, transforms: TransformWays) -> Result<Loaded<Motion>, Faults> {
    let options = Options { transforms, ..Options::default() };
    let files = InMemory([(PathBuf::from("/m.yaml"), text.as_bytes().to_vec())].into());
    let (mimics, turning, free) = (&mimic_rules(world), &turning_values(world), &free_joints(world));
    let joints = Joints { names: world.dof_names(), mimics, turning, free, ..Joints::default() };
    load_motion_from(&files, Path::new("/m.yaml"), joints, &options)
}

fn drone(text: &str) -> Result<Loaded<Motion>, Faults> {
    read_in(&world(&[("drone", DRONE)]), text)
}

pub fn transform([x, y, z]: [f64; 3], [qw, qx, qy, qz]: [f64; 4]) -> String {
    format!("{{translation: {{x: {x}, y: {y}, z: {z}}}, rotation: {{x: {qx}, y: {qy}, z: {qz}, w: {qw}}}}}")
}

/// Points of `MultiDOFJointTrajectory`, by time.
pub fn flight(points: &[(f64, String)]) -> String {
    let points = points
        .iter()
        .map(|(t, transform)| format!("{{transforms: [{transform}], velocities: [], time_from_start: {t}}}"));
    format!("joint_names: [fly], points: [{}]", points.collect::<Vec<_>>().join(", "))
}

/// Half a turn about z is turned by a quarter at its half, by half of that at a quarter.
pub const QUARTER: f64 = std::f64::consts::FRAC_1_SQRT_2;
const EIGHTH: [f64; 2] = [0.923_879_532_511_286_7, 0.382_683_432_365_089_8];

/// From the identity to (2, 0, 4), a quarter of a turn about z, in two seconds.
pub fn lift() -> String {
    let end = transform([2.0, 0.0, 4.0], [QUARTER, 0.0, 0.0, QUARTER]);
    flight(&[(0.0, transform([0.0; 3], [1.0, 0.0, 0.0, 0.0])), (2.0, end)])
}

const ELBOW: &str = "joint_names: [elbow], points: [{positions: [1], velocities: [0], time_from_start: 0}, \
                     {positions: [3], velocities: [0], time_from_start: {sec: 2, nanosec: 0}}]";

pub fn values_at(world: &World, motion: &Motion, part: f64) -> Vec<f64> {
    let mut values = vec![0.0; world.dof_names().len()];
    motion.spline_to(world, 1).unwrap().write_values(part, &mut values);
    values
}

#[track_caller]
pub fn assert_close(given: &[f64], expected: &[f64]) {
    let close = given.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(close && given.len() == expected.len(), "{given:?} {expected:?}");
}

#[test]
fn transforms_are_poses_between_which_joints_go_straight_and_turn_by_slerp() {
    let world = world(&[("drone", DRONE)]);
    let start = "trajectory_start: {joint_state: {name: [elbow], position: [1]}}\n";
    for text in [
        format!("{start}header: {{frame_id: ground}}\n{}\n", lift().replace(", points", "\npoints")),
        format!("{start}multi_dof_joint_trajectory: {{header: {{frame_id: pad}}, {}}}\n", lift()),
        format!(
            "{start}trajectory:\n- joint_trajectory: {{joint_names: [], points: []}}\n  \
             multi_dof_joint_trajectory: {{header: {{frame_id: /drone/ground}}, {}}}\n",
            lift()
        ),
    ] {
        let read = read_in(&world, &text).unwrap_or_else(|faults| panic!("{text}: {faults}"));
        assert!(read.warnings.is_empty(), "{text}: {:?}", read.warnings);
        let motion = read.value;
        assert_eq!(motion.t, Some(vec![0.0, 2.0]));
        assert_eq!(motion.rows[0], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(motion.rows[1], [2.0, 0.0, 4.0, QUARTER, 0.0, 0.0, QUARTER, 1.0]);
        assert!(motion.is_straight_to(1));
        let [w, z] = EIGHTH;
        assert_close(&values_at(&world, &motion, 0.5), &[1.0, 0.0, 2.0, w, 0.0, 0.0, z, 1.0]);
    }
}

/// The elbow goes by a cubic, from rest to rest; the body straight beside it.
#[test]
fn both_halves_of_a_trajectory_are_one_motion() {
    let world = world(&[("drone", DRONE)]);
    let both = |joints: &str, bodies: &str| {
        let halves = format!("joint_trajectory: {{{joints}}}\nmulti_dof_joint_trajectory: {{{bodies}}}\n");
        read_in(&world, &halves)
    };
    let motion = both(ELBOW, &lift()).unwrap().value;
    assert!(!motion.is_straight_to(1));
    let quarter = 3.0 * 0.25_f64.powi(2) - 2.0 * 0.25_f64.powi(3);
    let at = values_at(&world, &motion, 0.25);
    assert_close(&at[..3], &[0.5, 0.0, 1.0]);
    assert_close(&at[7..], &[1.0 + 2.0 * quarter]);
    // The joints of this robot by itself have the free joint of the world.
    let robot = RobotJoints::find_robot(&world, "drone").unwrap();
    assert_eq!(robot.joints().free, free_joints(&world));
    let other_end = lift().replace("time_from_start: 2", "time_from_start: 2.5");
    let words = "has point 1 at 2 s in joint_trajectory and at 2.5 s in multi_dof_joint_trajectory";
    refused("times", both(ELBOW, &other_end), &[words, "give both halves points at the same times"]);
    let one = flight(&[(0.0, transform([0.0; 3], [1.0, 0.0, 0.0, 0.0]))]);
    refused("points", both(ELBOW, &one), &["has 2 points in joint_trajectory and 1 in multi_dof"]);
    // A joint is given by its values or by a transform, not by both.
    let by_value = ELBOW.replace("[elbow]", "[fly/trans_x]");
    refused("twice", both(&by_value, &lift()), &["gives \"fly\" a second time", "no value for drone/elbow"]);
}

#[test]
fn a_start_may_have_transforms() {
    let state = format!(
        "joint_state: {{name: [elbow], position: [1]}}, multi_dof_joint_state: {{joint_names: [world_joint, \
         fly], header: {{frame_id: ground}}, transforms: [{{}}, {}]}}",
        transform([1.0, 2.0, 3.0], [1.0, 0.0, 0.0, 0.0])
    );
    let pose = vec![1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let read = drone(&format!("{state}\n").replace(", multi", "\nmulti")).unwrap().value;
    assert_eq!(read.rows, [&pose[..]]);
    let late = lift().replace("time_from_start: 0}", "time_from_start: 1}");
    let text = format!("trajectory_start: {{{state}}}\nmulti_dof_joint_trajectory: {{{late}}}\n");
    let read = drone(&text).unwrap();
    assert_eq!((&read.value.rows[0], read.value.t), (&pose, Some(vec![0.0, 1.0, 2.0])));
    // Where it should begin is elsewhere.
    let text = format!("trajectory_start: {{{state}}}\nmulti_dof_joint_trajectory: {{{}}}\n", lift());
    let told = drone(&text).unwrap().warnings[0].to_string();
    assert!(told.contains("\"drone/fly\" is 3.74165738677 rad or m from there"), "{told}");
    let mut twice = state.replace("[elbow], position: [1]", "[elbow, fly/trans_x], position: [1, 0]");
    twice.push('\n');
    refused("twice", drone(&twice.replace(", multi", "\nmulti")), &["gives \"fly\" a second time"]);
}

/// Planar joints have their own x, y and angle in whatever plane they move.
#[test]
fn planar_joints_take_transforms_in_their_plane() {
    let turn = |axis: [f64; 3]| {
        let [w, s] = EIGHTH;
        [w, s * axis[0], s * axis[1], s * axis[2]]
    };
    let moved = |axis: &str, xyz: [f64; 3], quat: [f64; 4]| {
        let text = flight(&[(0.0, transform(xyz, quat))]).replace("fly", "roll");
        read_in(&world(&[("cart", &cart(axis))]), &format!("{{{text}}}"))
    };
    let eighth = std::f64::consts::FRAC_PI_4;
    let on_floor = moved("0 0 1", [1.0, 2.0, 0.0], turn([0.0, 0.0, 1.0])).unwrap().value;
    assert_close(&on_floor.rows[0], &[1.0, 2.0, eighth]);
    let on_wall = moved("1 0 0", [0.0, 1.0, 2.0], turn([1.0, 0.0, 0.0])).unwrap().value;
    assert_close(&on_wall.rows[0], &[1.0, 2.0, eighth]);
    // Two quaternions of opposite sign are the same rotation.
    let negative = turn([0.0, 0.0, 1.0]).map(|q| -q);
    let same = moved("0 0 1", [1.0, 2.0, 0.0], negative).unwrap().value;
    assert_close(&same.rows[0], &[1.0, 2.0, eighth]);
    let words = "point 0, \"roll\": leaves its plane by 0.25 m";
    refused("up", moved("0 0 1", [1.0, 2.0, 0.25], turn([0.0, 0.0, 1.0])), &[words]);
    let words = "leaves its plane by 0.785398163397 rad";
    refused("tilt", moved("0 0 1", [1.0, 2.0, 0.0], turn([1.0, 0.0, 0.0])), &[words]);
    assert!(moved("0 0 1", [1.0, 2.0, 1e-7], turn([0.0, 0.0, 1.0])).is_ok());
}

#[test]
fn what_is_wrong_with_transforms_is_told_at_once() {
    let start = "trajectory_start: {joint_state: {name: [elbow], position: [1]}}\n";
    let read = |text: &str| drone(&format!("{start}multi_dof_joint_trajectory: {{{text}}}\n"));
    let at = |transforms: &str| {
        read(&format!("joint_names: [fly], points: [{{transforms: [{transforms}], time_from_start: 0}}]"))
    };
    for (transforms, words) in [
        ("{rotation: [0, 0, 0, 0]}", "\"fly\": turns by a quaternion of length 0, which must have length 1"),
        ("{rotation: [0, 0, 1, 1]}", "turns by a quaternion of length 1.41421356237"),
        ("{translation: [0, .nan, 0]}", "has a translation that is not three finite numbers x, y, z"),
        ("{rotation: {x: 0, y: 0, z: 0}}", "has a rotation that is not four finite numbers x, y, z, w"),
        ("up", "is no transform with translation and rotation"),
        ("{}, {}", "has 2 transforms for 1 joint"),
        ("", "has 0 transforms for 1 joint"),
    ] {
        refused(transforms, at(transforms), &[words]);
    }
    // Three points, three faults.
    let bad = [0.0, 1.0, 2.0].map(|t| (t, "{rotation: [0, 0, 1, 1]}".to_string()));
    assert_eq!(read(&flight(&bad)).unwrap_err().0.len(), 3);
    for (names, words) in [
        (
            "[fli]",
            &["\"fli\" is not a joint of this model", "did you mean \"drone/fly\"?", "no value for"][..],
        ),
        ("[wing_of_it]", &["\"wing_of_it\", which is no joint of this model, moves the robot"]),
        ("[elbow]", &["gives a transform for \"elbow\", which has one value"]),
        ("[fly, drone/fly]", &["gives \"drone/fly\" a second time", "has 1 transform for 2 joints"]),
        ("[]", &["has points and no joint_names"]),
    ] {
        refused(names, read(&lift().replace("[fly]", names)), words);
    }
    let text = format!("header: {{frame_id: map}}, {}", lift());
    let words =
        "its transforms are in the frame \"map\", not in that of \"drone/ground\", the root of its robot";
    refused("frame", read(&text), &[words]);
    refused("keys", read(&lift().replace("velocities", "velocites")), &["\"velocites\" is unknown here"]);
    // Of two robots it must be said which.
    let two = world(&[("a", DRONE), ("b", DRONE)]);
    let text = format!("{{{}}}", lift());
    refused("several", read_in(&two, &text), &["\"fly\" is a joint of several robots"]);
}

#[test]
fn velocities_beside_transforms_are_told_as_unused() {
    let start = "trajectory_start: {joint_state: {name: [elbow], position: [1]}}\n";
    let read = |twist: &str| {
        let text = lift().replace("velocities: []", &format!("velocities: [{twist}]"));
        drone(&format!("{start}multi_dof_joint_trajectory: {{{text}}}\n")).unwrap()
    };
    let zero = "{linear: {x: 0.0, y: 0, z: 0}, angular: {x: 0, y: 0, z: 0}}";
    assert!(read(zero).warnings.is_empty());
    let moving = read(&zero.replace("0.0", "1"));
    assert_eq!(moving.warnings.len(), 1);
    assert!(moving.warnings[0].to_string().contains("of joints with several values, which are not used"));
    assert_eq!(moving.value, read(zero).value);
}

/// A file of another robot is told so once, by whose it is, not joint by joint.
#[test]
fn motions_of_another_robot_are_refused_in_one_sentence() {
    let joint = |name: &str| {
        format!(
            "<joint name=\"{name}\" type=\"continuous\"><parent link=\"a\"/><child link=\"{name}\"/><axis \
             xyz=\"0 0 1\"/></joint><link name=\"{name}\"/>"
        )
    };
    let robot = |names: [&str; 2]| {
        format!("<robot name=\"r\"><link name=\"a\"/>{}{}</robot>", joint(names[0]), joint(names[1]))
    };
    let (arm, hand) = (robot(["shoulder", "elbow"]), robot(["thumb", "finger"]));
    let world = world(&[("arm", &arm), ("hand", &hand)]);
    let files = |[a, b]: [&str; 2]| {
        [
            ("/m.csv", format!("t,{a},{b},{a}/velocity,{b}/velocity\n0,1,2,0,0\n")),
            ("/m.jsonl", format!("{{\"q\": {{\"{a}\": 1, \"{b}\": 2}}}}\n").repeat(3)),
            ("/m.yaml", format!("name: [{a}, {b}]\nposition: [1, 2]\n")),
            (
                "/n.yaml",
                format!("joint_names: [{a}, {b}]\npoints: [{{positions: [1, 2], time_from_start: 0}}]\n"),
            ),
        ]
    };
    let read = |joints: Joints<'_>, names: [&str; 2], words: &str| {
        for (file, text) in files(names) {
            let sources = InMemory([(PathBuf::from(file), text.into_bytes())].into());
            let read = load_motion_from(&sources, Path::new(file), joints, &Options::default());
            let faults = refused(file, read, &[words]);
            assert_eq!(faults.0.len(), 1, "{file}: {faults}");
        }
    };
    let of_arm = RobotJoints::find_robot(&world, "arm").unwrap();
    let words = "all its joints are those of another robot, \"hand\": thumb, finger; give it as the motion \
                 of that robot: hand=FILE";
    read(of_arm.joints(), ["thumb", "finger"], words);
    let words = "all its joints are those of another robot, \"hand\": hand/thumb, hand/finger";
    read(of_arm.joints(), ["hand/thumb", "hand/finger"], words);
    let all = Joints { names: world.dof_names(), ..Joints::default() };
    let words = "no robot is called as in ur5/shoulder, ur5/elbow; \"arm\" has joints of these names; write \
                 arm/shoulder, and the others alike";
    read(all, ["ur5/shoulder", "ur5/elbow"], words);
    let words = "none of its joints is a joint of this model: hip_yaw, knee; its joints are arm/shoulder, \
                 arm/elbow, hand/thumb, hand/finger: is it another robot's?";
    read(all, ["hip_yaw", "knee"], words);
    // Slips of the pen are told one by one, with what was meant.
    let (_, csv) = &files(["sholder", "elbw"])[0];
    let sources = InMemory([(PathBuf::from("/m.csv"), csv.clone().into_bytes())].into());
    let slips = load_motion_from(&sources, Path::new("/m.csv"), of_arm.joints(), &Options::default());
    refused("slips", slips, &["did you mean \"arm/shoulder\"?", "did you mean \"arm/elbow\"?"]);
}
