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
