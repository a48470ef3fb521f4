//! How fast joints may go: what URDFs say, and MoveIt's `joint_limits.yaml`.

use crate::support::{data, refused};
use elbowroom::World;
use elbowroom::describe::WorldDescription;
use elbowroom_files::rates::{JointRates, load_joint_limits_from};
use elbowroom_files::source::InMemory;
use elbowroom_files::world::load_world_from;
use elbowroom_files::{Faults, Loaded, Options};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A joint of each kind that may have limits, one that says none, and one of several values.
const ARM: &str = r#"<robot name="arm" xmlns:drake="http://drake.mit.edu">
    <link name="a"/><link name="b"/><link name="c"/><link name="d"/><link name="e"/>
    <joint name="turn" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
      <limit effort="1" velocity="2.5" acceleration="7" jerk="inf"/></joint>
    <joint name="lift" type="prismatic"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/>
      <limit lower="-9" upper="9" effort="1" velocity="1" drake:acceleration="3" jerk="30"/></joint>
    <joint name="twin" type="prismatic"><parent link="c"/><child link="d"/><axis xyz="0 0 1"/>
      <limit lower="-99" upper="99" effort="1" velocity="0"/><mimic joint="lift"/></joint>
    <joint name="base" type="planar"><parent link="d"/><child link="e"/><axis xyz="0 0 1"/>
      <limit effort="1" velocity="1"/></joint></robot>"#;

fn load(urdf: &str, world: &str) -> Loaded<WorldDescription> {
    let files = [("/arm.urdf", urdf), ("/w.toml", world)];
    let files = files.map(|(path, text)| (PathBuf::from(path), text.as_bytes().to_vec()));
    load_world_from(&InMemory(files.into()), Path::new("/w.toml"), &Options::default()).unwrap()
}

const TWO: &str = "[[robot]]\nurdf = \"arm.urdf\"\nname = \"left\"\n[[robot]]\nurdf = \"arm.urdf\"\n\
    name = \"right\"\nxyz = [9, 0, 0]\n";

fn read(text: &str) -> Result<Loaded<BTreeMap<String, JointRates>>, Faults> {
    let loaded = load(ARM, "[[robot]]\nurdf = \"arm.urdf\"\n");
    let world = World::compile(&loaded.value).unwrap();
    let files = InMemory([(PathBuf::from("limits.yaml"), text.as_bytes().to_vec())].into());
    load_joint_limits_from(&files, Path::new("limits.yaml"), &world, &loaded.rates, &Options::default())
}

fn rates(velocity: Option<f64>, acceleration: Option<f64>, jerk: Option<f64>) -> JointRates {
    JointRates { velocity, acceleration, jerk }
}

#[test]
fn urdfs_say_how_fast_joints_may_go_by_the_names_of_the_world() {
    let loaded = load(ARM, TWO);
    assert_eq!(loaded.rates.len(), 4, "{:?}", loaded.rates);
    for robot in ["left", "right"] {
        assert_eq!(loaded.rates[&format!("{robot}/turn")], rates(Some(2.5), Some(7.0), None));
        assert_eq!(loaded.rates[&format!("{robot}/lift")], rates(Some(1.0), Some(3.0), Some(30.0)));
    }
    assert!(loaded.rate_faults.is_empty(), "{:?}", loaded.rate_faults);
    // What is wrong with them is no fault of the robot.
    let bad = ARM.replace("velocity=\"2.5\"", "velocity=\"-2.5\"").replace("jerk=\"inf\"", "jerk=\"x\"");
    let loaded = load(&bad.replace("velocity=\"1\" drake", "velocty=\"1\" drake"), TWO);
    let faults: Vec<String> = loaded.rate_faults.iter().map(ToString::to_string).collect();
    let text = faults.join("\n");
    assert_eq!(faults.len(), 6, "{text}");
    for words in [
        "of the joint \"turn\": velocity=\"-2.5\" is below 0",
        "of the joint \"turn\": jerk=\"x\" is not a number",
        "of the joint \"lift\": its velocty=\"...\" is unknown; did you mean velocity=\"...\"?",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_eq!(loaded.rates["left/turn"], rates(None, Some(7.0), None));
}

/// Drake's iiwa has accelerations in a namespace.
#[test]
fn a_real_robot_says_how_fast_it_may_go() {
    let Some(data) = data() else { return };
    let folder = data.join("robots/drake_iiwa14_variants/drake_models/iiwa_description/urdf");
    let loaded = elbowroom_files::load(folder.join("iiwa14_no_collision.urdf")).unwrap();
    assert!(loaded.rates.len() == 7 && loaded.rate_faults.is_empty(), "{:?}", loaded.rates);
    assert_eq!(loaded.rates["iiwa14/iiwa_joint_1"], rates(Some(1.4835298641951802), Some(8.57), None));
}

#[test]
fn joint_limits_of_moveit_replace_those_of_the_urdf() {
    let text = "default_velocity_scaling_factor: 0.1\ndefault_acceleration_scaling_factor: 1.0\n\
        joint_limits:\n  turn:\n    has_velocity_limits: false\n    max_velocity: 3.0\n\
        \x20   has_acceleration_limits: true\n    has_jerk_limits: true\n    max_jerk: 50\n\
        \x20 arm/lift:\n    max_velocity: 0.5\n    has_position_limits: true\n    min_position: -1\n\
        \x20   max_position: 1\n    has_acceleration_limits: false\n    max_acceleration: 0\n\
        \x20 twin: {has_velocity_limits: true, max_velocity: 2, has_position_limits: false}\n";
    let read_back = read(text).unwrap();
    let expected = [
        ("arm/lift", rates(Some(0.5), None, Some(30.0))),
        ("arm/turn", rates(None, Some(7.0), Some(50.0))),
        ("arm/twin", rates(Some(2.0), None, None)),
    ];
    assert_eq!(read_back.value, expected.map(|(name, rates)| (name.to_string(), rates)).into());
    let warnings: Vec<String> = read_back.warnings.iter().map(ToString::to_string).collect();
    let warnings = warnings.join("\n");
    for words in [
        "default_velocity_scaling_factor is 0.1, and is not applied",
        "position limits of 1 joint are not used",
    ] {
        assert!(warnings.contains(words), "{words}: {warnings}");
    }
    assert!(!warnings.contains("acceleration_scaling"), "{warnings}");
    // As ROS 2 loads it, into the parameters of a node.
    let nested = "/**:\n  ros__parameters:\n    robot_description_planning:\n      joint_limits:\n\
        \x20       turn: {max_velocity: 100}\n";
    let nested = read(nested).unwrap();
    assert_eq!(nested.value["arm/turn"].velocity, Some(100.0));
    assert!(nested.warnings[0].to_string().contains("radians are meant"), "{:?}", nested.warnings);
}

#[test]
fn joint_limits_that_cannot_be_used_are_refused_by_name() {
    let bad = "joint_limits:\n  turn: {max_velocty: 1}\n  trun: {max_velocity: 1}\n  \
        base: {max_velocity: 1}\n  lift: {max_velocity: 0, max_acceleration: -1, max_jerk: fast}\n  \
        arm/lift: {has_velocity_limits: 3}\n  twin: {has_jerk_limits: true}\n";
    let words = [
        "line 2, joint \"turn\": the key \"max_velocty\" is unknown here; did you mean \"max_velocity\"?",
        "line 3, joint \"trun\": is no such joint of this world; did you mean \"arm/turn\"?",
        "joint \"base\": is no such joint",
        "max_velocity is 0: no motion stays within that; give a number above 0",
        "max_acceleration is -1",
        "max_jerk is not a finite number",
        "is the same joint as \"lift\"; keep one",
        "has_velocity_limits is not true or false",
        "has_jerk_limits is true, but neither max_jerk nor the URDF says which",
        "9 faults",
    ];
    refused("limits", read(bad), &words);
    refused("no table", read("limits: {}\n"), &["the key \"limits\" is unknown here", "known keys"]);
    refused("nothing", read("default_velocity_scaling_factor: 0.1\n"), &["has no joint_limits"]);
    refused("a list", read("joint_limits: [turn]\n"), &["is not a table of joints"]);
}
