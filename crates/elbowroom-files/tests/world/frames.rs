//! Where a scene's frame is, and how large it takes the links.

use crate::scenes::SCENE;
use crate::support::{files, refused};
use elbowroom::describe::{PlacedShape, ShapeDescription, WorldDescription};
use elbowroom_files::scene::{GrownLink, load_scene_from};
use elbowroom_files::world::load_world_from;
use elbowroom_files::{Faults, Loaded, Options};
use std::path::Path;

const URDF: &str = "<robot name=\"r\">
<link name=\"a\"><collision><geometry><sphere radius=\"1\"/></geometry></collision>
<collision><geometry><box size=\"1 2 3\"/></geometry></collision></link>
<link name=\"b\"><collision><geometry><cylinder radius=\"1\" length=\"2\"/></geometry></collision>
<collision><geometry><mesh filename=\"package://p/m.obj\"/></geometry></collision></link>
<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>";
const OBJ: &str = "v 0 0 0\nv 3 0 0\nv 0 3 0\nf 1 2 3\n";

fn load(scene: &str, more: &str) -> Result<Loaded<WorldDescription>, Faults> {
    let world =
        format!("[[robot]]\nurdf = \"a.urdf\"\nxyz = [0, 0, 7]\n[[scene]]\nfile = \"s.yaml\"\n{more}");
    let files = files(&[("/w.toml", &world), ("/a.urdf", URDF), ("/s.yaml", scene), ("/p/m.obj", OBJ)]);
    load_world_from(&files, Path::new("/w.toml"), &Options::default())
}

#[test]
fn a_scene_in_a_frame_that_nobody_has_is_refused() {
    let height = |loaded: Loaded<WorldDescription>| loaded.value.obstacles[0].pose.translation.z;
    let scene = |frame: &str| {
        format!(
            "world: {{collision_objects: [{{id: o, header: {{frame_id: \"{frame}\"}}, \
             primitives: [{{type: 2, dimensions: [1]}}]}}]}}"
        )
    };
    let words = "scene 1: its planning frame \"map\" is no link of the robot that it means; say which robot";
    refused("map", load(&scene("map"), ""), &[words]);
    refused("map", load(&scene("/map"), "robot = \"r\"\n"), &[words]);
    // It is known where it is: the root link, the world, or where the world file says.
    assert_eq!(height(load(&scene("a"), "").unwrap()), 7.0);
    assert_eq!(height(load(&scene("world"), "").unwrap()), 0.0);
    assert_eq!(height(load(&scene(""), "").unwrap()), 0.0);
    assert_eq!(height(load(&scene("map"), "xyz = [0, 0, 0]\n").unwrap()), 0.0);
    assert_eq!(height(load(&scene("map"), "xyz = [0, 0, 2]\n").unwrap()), 2.0);
    // Of two robots none is meant, so the frame is not known.
    let two = "[[robot]]\nurdf = \"a.urdf\"\nname = \"right\"\n";
    refused("two", load(&scene("a"), two), &["its planning frame \"a\" is no link"]);
    // If the robot could not be read, that alone is told.
    let unread = load(&scene("map"), "[[robot]]\nurdf = \"gone.urdf\"\n").unwrap_err();
    assert_eq!(unread.0.len(), 1, "{unread}");
}

/// A robot with a link above its root, a stand beside it, and a hand with a tip behind a joint.
const ARM: &str = "<robot name=\"r\">
<link name=\"foot\"/><link name=\"plate\"/><link name=\"stand\"/><link name=\"hand\"/><link name=\"tip\"/>
<joint name=\"f\" type=\"fixed\"><parent link=\"foot\"/><child link=\"plate\"/><origin xyz=\"0 0 1\"/></joint>
<joint name=\"g\" type=\"fixed\"><parent link=\"plate\"/><child link=\"stand\"/>
<origin xyz=\"2 0 0\" rpy=\"0 0 1.5707963267948966\"/></joint>
<joint name=\"j\" type=\"continuous\"><parent link=\"plate\"/><child link=\"hand\"/></joint>
<joint name=\"t\" type=\"fixed\"><parent link=\"hand\"/><child link=\"tip\"/>
<origin xyz=\"0 0 0.5\"/></joint></robot>";

fn load_arm(scene: &str, more: &str) -> Result<Loaded<WorldDescription>, Faults> {
    let world =
        format!("[[robot]]\nurdf = \"a.urdf\"\nxyz = [0, 0, 7]\n[[scene]]\nfile = \"s.yaml\"\n{more}");
    let files = files(&[("/w.toml", &world), ("/a.urdf", ARM), ("/s.yaml", scene)]);
    load_world_from(&files, Path::new("/w.toml"), &Options::default())
}

/// A scene of balls, each in its frame, one metre along x there.
fn balls(frames: &[&str]) -> String {
    let ball = |(k, frame): (usize, &&str)| {
        format!(
            "{{id: o{k}, header: {{frame_id: {frame}}}, primitives: [{{type: 2, dimensions: [0.1]}}], pose: \
             {{position: [1, 0, 0], orientation: [0, 0, 0, 1]}}}}"
        )
    };
    let all: Vec<String> = frames.iter().enumerate().map(ball).collect();
    format!("world: {{collision_objects: [{}]}}", all.join(", "))
}

#[test]
fn a_frame_that_is_fixed_to_the_root_is_where_the_robot_has_it() {
    let places = |frames: &[&str], more: &str| -> Vec<[f64; 3]> {
        let loaded = load_arm(&balls(frames), more).unwrap();
        let rounded = |x: f64| (x * 1e9).round() / 1e9 + 0.0;
        loaded.value.obstacles.iter().map(|o| o.pose.translation.to_array().map(rounded)).collect()
    };
    let (foot, plate, stand) = ([1.0, 0.0, 7.0], [1.0, 0.0, 8.0], [2.0, 1.0, 8.0]);
    assert_eq!(places(&["stand"], ""), [stand]);
    assert_eq!(places(&["/stand", "plate", "foot"], ""), [stand, plate, foot]);
    assert_eq!(places(&["foot", "stand"], "robot = \"r\"\n"), [foot, stand]);
    // Beside the world, in either order.
    assert_eq!(places(&["world", "stand"], ""), [[1.0, 0.0, 0.0], stand]);
    assert_eq!(places(&["stand", "world"], ""), [stand, [1.0, 0.0, 0.0]]);
    // `xyz` places the planning frame, the first: in its link, or in the world. Links stay where they are.
    assert_eq!(places(&["stand"], "xyz = [0, 3, 0]\n"), [[-1.0, 1.0, 8.0]]);
    assert_eq!(places(&["stand", "foot"], "xyz = [0, 3, 0]\n"), [[-1.0, 1.0, 8.0], foot]);
    assert_eq!(places(&["map", "stand"], "xyz = [0, 3, 0]\n"), [[1.0, 3.0, 0.0], stand]);
}

#[test]
fn a_frame_that_moves_or_that_nobody_has_is_refused() {
    let object =
        "object \"o0\": its frame \"tip\" is a link that moves: the joint \"j\" moves it; give the pose in";
    refused("tip", load_arm(&balls(&["tip"]), ""), &[object]);
    refused("tip", load_arm(&balls(&["tip"]), "xyz = [0, 0, 0]\n"), &[object]);
    refused(
        "hand",
        load_arm(&balls(&["foot", "hand"]), ""),
        &["object \"o1\": its frame \"hand\" is a link that"],
    );
    let planning = "fixed_frame_transforms: [{child_frame_id: tip}]\nworld: {}";
    refused(
        "planning",
        load_arm(planning, ""),
        &["its planning frame \"tip\" is a link that moves: the joint \"j\""],
    );
    let lacks =
        "its planning frame \"stnad\" is no link of the robot that it means; did you mean \"stand\"? Or say";
    refused("stnad", load_arm(&balls(&["stnad"]), ""), &[lacks]);
    let lacks = "is not a fixed frame of this scene, and no link of its robot; did you mean \"stand\"?";
    refused("second", load_arm(&balls(&["foot", "stnad"]), ""), &[lacks]);
    // Moved with the scene or not, its world could be either.
    refused(
        "world",
        load_arm(&balls(&["foot", "world"]), "xyz = [0, 0, 1]\n"),
        &["its frame \"world\" is not"],
    );
}

#[test]
fn a_held_object_may_be_in_a_frame_that_is_fixed_to_its_link() {
    let scene = |link: &str, frame: &str| {
        format!(
            "robot_state: {{attached_collision_objects: [{{link_name: {link}, object: {{id: o, header: \
             {{frame_id: {frame}}}, primitives: [{{type: 2, dimensions: [0.1]}}]}}}}]}}"
        )
    };
    let height = |link: &str, frame: &str| {
        load_arm(&scene(link, frame), "").unwrap().value.obstacles[0].pose.translation.z
    };
    assert_eq!((height("hand", "hand"), height("hand", "tip"), height("tip", "hand")), (0.0, 0.5, -0.5));
    refused(
        "foot",
        load_arm(&scene("hand", "foot"), ""),
        &["its pose is given in \"foot\", not in the link \"hand\""],
    );
}

#[test]
fn padding_and_scale_of_links_are_applied() {
    let grown = "link_padding:
  - {link_name: a, padding: 0.25}
  - {link_name: b, padding: 0}
link_scale:
  - {link_name: a, scale: 1}
  - {link_name: b, scale: 2}
";
    let scene = format!("{SCENE}{grown}");
    let text = files(&[("/s.yaml", &scene), ("/p/m.obj", OBJ)]);
    let alone = load_scene_from(&text, Path::new("/s.yaml"), &Options::default()).unwrap().value;
    let link = |link: &str, scale, padding| GrownLink { link: link.into(), scale, padding };
    assert_eq!(alone.grown, [link("a", 1.0, 0.25), link("b", 2.0, 0.0)]);
    let robot = |loaded: Loaded<WorldDescription>| loaded.value.robots.into_iter().next().unwrap();
    let world = load(&scene, "").unwrap();
    let held = world.value.obstacles.iter().find(|o| o.attached_to.is_some()).unwrap().clone();
    // What the link b holds grows with it.
    assert_eq!(held.shapes[0].shape, ShapeDescription::Sphere { radius: 0.2 });
    let links = robot(world).robot.links;
    let plain = robot(load(SCENE, "").unwrap()).robot.links;
    let shapes = |k: usize| -> Vec<&PlacedShape> { links[k].shapes.iter().collect() };
    for (shape, was) in shapes(0).into_iter().zip(&plain[0].shapes) {
        assert_eq!((&shape.shape, shape.padding, was.padding), (&was.shape, 0.25, 0.0));
    }
    assert_eq!(shapes(1)[0].shape, ShapeDescription::Cylinder { radius: 2.0, length: 4.0 });
    // About the mean of its vertices, (1, 1, 0).
    let ShapeDescription::Mesh { vertices, .. } = &shapes(1)[1].shape else { panic!("no mesh") };
    assert_eq!(vertices, &[[-1.0, -1.0, 0.0], [5.0, -1.0, 0.0], [-1.0, 5.0, 0.0]]);
    assert!(links[1].shapes.iter().all(|shape| shape.padding == 0.0));
}

#[test]
fn padding_and_scale_that_cannot_be_applied_are_refused() {
    let scene = |list: &str| format!("world: {{}}\n{list}\n");
    for (list, words) in [
        (
            "link_padding: [{link_name: c, padding: 1}]",
            "gives \"c\" a padding or a scale, but the robot has no",
        ),
        ("link_scale: [{link_name: c, scale: 2}]", "gives \"c\" a padding or a scale"),
        (
            "link_padding: [{link_name: a, padding: -0.5}]",
            "the padding of \"a\" is -5e-1; give metres, zero or",
        ),
        ("link_scale: [{link_name: a, scale: 0}]", "the scale of \"a\" is 0e0; give a factor from"),
        ("link_scale: [{link_name: a, scale: .nan}]", "scale is not a finite number"),
        ("link_padding: [{link_name: a}]", "padding is missing"),
        ("link_padding: [{padding: 1}]", "link_name is missing"),
        ("link_padding: {a: 1}", "link_padding is not a list"),
        (
            "link_padding: [{link_name: a, padding: 1}, {link_name: a, padding: 2}]",
            "link_name holds \"a\" more than once",
        ),
    ] {
        refused(list, load(&scene(list), ""), &[words]);
    }
    // What changes nothing asks for no link.
    load(&scene("link_scale: [{link_name: c, scale: 1.0}]\nlink_padding: [{link_name: c, padding: 0}]"), "")
        .unwrap();
}
