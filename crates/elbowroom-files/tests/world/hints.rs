//! What may have been meant: near names are suggested, far ones are not.

use crate::support::{files, refused};
use elbowroom_files::fault::did_you_mean;
use elbowroom_files::{Options, robot, world};
use std::path::Path;

#[test]
fn a_slip_is_suggested_and_another_word_is_not() {
    let meant = |name: &str, known: &[&str]| did_you_mean(name, known.iter().copied());
    for (name, known, found) in [
        ("wirst", &["wrist", "waist"][..], "wrist"),
        ("opne", &["open", "home"], "open"),
        ("elbwo_join", &["elbow_joint", "wrist_joint"], "elbow_joint"),
        ("Elbow", &["elbow"], "elbow"),
        ("bx", &["box", "sphere"], "box"),
        ("cc", &["c", "d"], "c"),
        // The end of one name, in full or with its robot.
        (
            "joint_2",
            &["arm/j2s6_joint_2", "j2s6_joint_2", "j2s6_joint_3", "arm/j2s6_joint_3"],
            "j2s6_joint_2",
        ),
        ("joint_2", &["joint_1", "j2s6_joint_2"], "j2s6_joint_2"),
        // The beginning, or the middle.
        ("elbow", &["shoulder_joint", "elbow_joint", "ur5/elbow_joint"], "elbow_joint"),
        ("elbow", &["left_elbow_joint", "left_wrist_joint"], "left_elbow_joint"),
    ] {
        assert_eq!(meant(name, known), format!("did you mean {found:?}?"), "{name}");
    }
    for (name, known) in [
        ("rgbd_joint", &["root_joint"][..]),
        ("cone", &["cube"]),
        ("left", &["bolt"]),
        ("x", &["y"]),
        // Two names end so, or not behind a mark.
        ("joint_2", &["left_joint_2", "right_joint_2"]),
        ("oint_2", &["big_long_joint_2"]),
        ("wrist", &["wrist_1_joint", "wrist_2_joint"]),
        ("elbow", &["elbows_joint"]),
        ("", &["a"]),
    ] {
        assert_eq!(meant(name, known), "", "{name}");
    }
}

/// An SRDF is told from a URDF.
#[test]
fn an_srdf_given_as_a_robot_is_named() {
    let group = "<robot name=\"r\">\n<group name=\"arm\"><link name=\"a\"/></group></robot>";
    for (path, text) in [("/r.srdf", group), ("/r.urdf", group), ("/r.srdf", "<robot name=\"r\"/>")] {
        let files = files(&[(path, text)]);
        let words = "is an SRDF, not a URDF; give the robot's URDF, and this file with --srdf";
        let faults = [
            refused(path, robot::load_robot_from(&files, Path::new(path), &Options::default()), &[words]),
            refused(path, world::load_world_from(&files, Path::new(path), &Options::default()), &[words]),
        ];
        assert!(faults.iter().all(|told| told.0.len() == 1), "{faults:?}");
    }
}

/// What is no world is refused in one line, not in one for each of its own.
#[test]
fn what_is_no_world_is_named() {
    let rows = "1.0,2.0,3.0\n".repeat(50);
    for (path, words) in [
        ("/m.csv", "is a .csv file, a motion, and neither a URDF nor a world file; give the robot's URDF"),
        ("/m.CSV", "and this file with --motion"),
        ("/m.stl", "is a .stl file, a mesh, and neither"),
        ("/m.txt", "is a .txt file, neither a URDF nor a world file; give a URDF or a world file (.toml)"),
        ("/m.scene", "is a .scene file, neither"),
        ("/m", "is neither a URDF (XML) nor a world file (TOML)"),
    ] {
        let files = files(&[(path, &rows)]);
        let told =
            refused(path, world::load_world_from(&files, Path::new(path), &Options::default()), &[words]);
        assert_eq!(told.0.len(), 1, "{told}");
    }
    // A world by another name is read, and all its faults are told.
    let load = |text: &str| {
        let urdf = "<robot name=\"r\"><link name=\"a\"/></robot>";
        world::load_world_from(
            &files(&[("/w", text), ("/r.urdf", urdf)]),
            Path::new("/w"),
            &Options::default(),
        )
    };
    assert!(load("[[robot]]\nurdf = \"r.urdf\"\n").is_ok());
    let told = refused("broken", load("[[robot]]\nurdf = r.urdf\nxyz = [0 0 0\n"), &["not well-formed TOML"]);
    assert!(told.0.len() > 1, "{told}");
    refused(
        "missing",
        world::load_world_from(&files(&[]), Path::new("/w.csv"), &Options::default()),
        &["no such file"],
    );
}

/// A scene has no robot, and a world is no scene.
#[test]
fn a_scene_given_as_a_world_is_named_and_the_reverse() {
    let scene = "kitchen\n* box\n1\nbox\n1 1 1\n0 0 0\n0 0 0 1\n0 0 0 0\n.\n";
    let words =
        "is a planning scene as RViz saves it; a scene alone has no robot; write a world file (.toml) with";
    for path in ["/kitchen.scene", "/kitchen.txt", "/kitchen"] {
        let files = files(&[(path, scene)]);
        refused(path, world::load_world_from(&files, Path::new(path), &Options::default()), &[words]);
    }
    let (urdf, cell) = ("<robot name=\"r\"><link name=\"a\"/></robot>", "[[robot]]\nurdf = \"r.urdf\"\n");
    for (named, words) in [
        (
            "cell.toml",
            "cell.toml: is a world file, and no planning scene; give it to the program in the place of",
        ),
        ("cell", "cell: is a world file, and no planning scene"),
        ("r.urdf", "r.urdf: is XML, and no planning scene; give a URDF as the urdf of a [[robot]]"),
    ] {
        let world = format!("{cell}[[scene]]\nfile = \"{named}\"\n");
        let files = files(&[("/w.toml", &world), ("/r.urdf", urdf), ("/cell.toml", cell), ("/cell", cell)]);
        refused(named, world::load_world_from(&files, Path::new("/w.toml"), &Options::default()), &[words]);
    }
}
