//! Names that come twice where it is not known which of them is meant.

use crate::scenes::SCENE;
use crate::support::{files, refused};
use elbowroom_files::scene::load_scene_from;
use elbowroom_files::world::load_world_from;
use elbowroom_files::{Faults, Loaded, Options};
use std::path::Path;

const URDF: &str = "<robot name=\"r\">
<link name=\"a\"><collision><geometry><sphere radius=\"1\"/></geometry></collision></link><link name=\"b\"/>\
<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>";

#[test]
fn a_scene_with_a_name_twice_is_refused() {
    let matrix = |text: &str| format!("allowed_collision_matrix: {{{text}}}");
    let frame = "{child_frame_id: w, header: {frame_id: f}}";
    let free = "multi_dof_joint_state: {joint_names: [v, v], transforms: [{}, {}]}";
    for (text, words) in [
        (
            matrix("entry_names: [a, b, a], entry_values: [[0, 0, 1], [0, 0, 0], [0, 0, 0]]")
                .replace('0', "false")
                .replace('1', "true"),
            "allowed_collision_matrix: entry_names holds \"a\" more than once; keep one",
        ),
        (
            matrix("default_entry_names: [a, a], default_entry_values: [true, false]"),
            "default_entry_names holds \"a\" more than once",
        ),
        (
            "robot_state: {joint_state: {name: [j, j], position: [1, 2]}}".into(),
            "robot_state: name holds \"j\" more than once",
        ),
        (format!("robot_state: {{{free}}}"), "joint_names holds \"v\" more than once"),
        (format!("robot_state: {{{}}}", free.replace(", {}]", "]")), "has 2 joint names but 1 transform;"),
        (format!("fixed_frame_transforms: [{frame}, {frame}]"), "the frame \"f\" is given twice"),
    ] {
        let files = files(&[("/s.yaml", &text)]);
        refused(&text, load_scene_from(&files, Path::new("/s.yaml"), &Options::default()), &[words]);
    }
}

#[test]
fn an_object_that_is_called_like_a_link_is_refused_where_the_matrix_names_it() {
    let load = |scene: &str, more: &str| {
        let world = format!("[[robot]]\nurdf = \"a.urdf\"\n[[scene]]\nfile = \"s.yaml\"\n{more}");
        let files = files(&[("/w.toml", &world), ("/a.urdf", URDF), ("/s.yaml", scene), ("/p/m.obj", OBJ)]);
        load_world_from(&files, Path::new("/w.toml"), &Options::default())
    };
    load(SCENE, "").unwrap();
    let twin = SCENE.replace("id: cone", "id: b");
    let words = "its allowed collision matrix names \"b\", which is both an object and a link";
    refused("b", load(&twin, ""), &[words]);
    load(&twin, "allowed = false\n").unwrap();
    load(&SCENE.replace("id: net", "id: c"), "").unwrap();
}

const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

#[test]
fn a_key_that_comes_twice_is_refused() {
    let robot = "[[robot]]\nurdf = \"a.urdf\"\n";
    for text in [
        format!("margin = 1\nmargin = 2\n{robot}"),
        format!("{robot}name = \"x\"\nname = \"y\"\n"),
        format!("{robot}[guard]\nlate = 1\n[guard]\nlate = 2\n"),
    ] {
        let files = files(&[("/w.toml", &text), ("/a.urdf", URDF)]);
        let load = load_world_from(&files, Path::new("/w.toml"), &Options::default());
        refused(&text, load, &["duplicate key"]);
    }
}

#[test]
fn a_link_and_a_group_of_one_name_are_not_mixed_up() {
    let load = |group: &str, more: &str| -> Result<Loaded<_>, Faults> {
        let world = format!(
            "checks = [[\"r/b\", \"world\"]]\n[[robot]]\nurdf = \"a.urdf\"\n[[obstacle]]\nname = \"o\"\n\
             shape = {{ type = \"sphere\", radius = 1 }}\n{more}"
        );
        let srdf = format!("<robot name=\"r\"><group name=\"b\">{group}</group></robot>");
        let files = files(&[("/w.toml", &world), ("/a.urdf", URDF), ("/a.srdf", &srdf)]);
        load_world_from(&files, Path::new("/w.toml"), &Options::default())
    };
    let (a, b) = ("<link name=\"a\"/>", "<link name=\"b\"/>");
    let words = "line 1, check 1: \"r/b\" is both a link and an SRDF's group that has 1 other link; rename";
    refused("both", load(&[a, b].concat(), ""), &[words]);
    let group = "[[group]]\nname = \"g\"\nmembers = [\"r/b\"]\n";
    refused("both", load(a, group), &["group \"g\": \"r/b\" is both a link"]);
    // A group of this one link means the link. An allowance names links only, so it adds no fault.
    load(b, "").unwrap();
    let allow = "[[allow]]\na = \"r/b\"\nb = \"world/o\"\n";
    let faults = load(a, allow).unwrap_err();
    assert_eq!(faults.0.len(), 1, "an allowance is for the link alone: {faults}");
}
