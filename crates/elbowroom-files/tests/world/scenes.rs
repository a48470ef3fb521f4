//! Scenes: what they mean, and what is wrong with them.

use crate::support::{files, refused};
use crate::worlds::{all, world};
use elbowroom::describe::{Attachment, ShapeDescription};
use elbowroom_files::Options;
use elbowroom_files::scene::load_scene_from;
use std::path::Path;

pub const SCENE: &str = "name: x
robot_model_name: arm
robot_state:
  joint_state: {name: [j], position: [0.5]}
  multi_dof_joint_state:
    joint_names: [v]
    transforms: [{translation: {x: 1, y: 2, z: 3}, rotation: {x: 0, y: 0, z: 0, w: 1}}]
  attached_collision_objects:
    - link_name: b
      touch_links: [a, stranger]
      object: {id: held, header: {frame_id: b}, primitives: [{type: 2, dimensions: [0.1]}], \
        primitive_poses: [{position: [0, 0, 1], orientation: [0, 0, 0, 1]}]}
fixed_frame_transforms:
  - {child_frame_id: a, header: {frame_id: a}, transform: {translation: [0, 0, 0], rotation: [0, 0, 0, 1]}}
  - {child_frame_id: /a, header: {frame_id: map}, \
    transform: {translation: [10, 0, 0], rotation: [0, 0, 0, 1]}}
world:
  collision_objects:
    - id: cone
      header: {frame_id: map}
      operation: 0
      pose: {position: {x: 0, y: 5, z: 0}, orientation: {x: 0, y: 0, z: 0, w: 0}}
      primitives: [{type: CONE, dimensions: [0.5, 0.2]}, {type: 3, dimensions: [0.5, 0.2]}]
      primitive_poses: [{position: [0, 0, 1]}]
    - id: net
      header: {frame_id: /a}
      meshes:
        - {vertices: [{x: 0, y: 0, z: 0}, {x: 1, y: 0, z: 0}, [0, 1, 0]], \
            triangles: [{vertex_indices: [0, 1, 2]}, [0, 2, 1]]}
        - {resource: \"package://p/m.obj\", dimensions: [1, 1, -2]}
      mesh_poses: [{position: [0, 0, 0], orientation: [0, 0, 0, 1]}, \
        {position: [1, 0, 0], orientation: [0, 0, 0, 1]}]
    - {id: gone, operation: REMOVE}
  octomap: {octomap: {data: []}}
allowed_collision_matrix:
  entry_names: [a, b, cone]
  entry_values: [[false, true, false], [true, false, false], {enabled: [false, false, false]}]
  default_entry_names: [net, cone]
  default_entry_values: [true, true]
";

#[test]
fn a_scene_is_what_it_says() {
    let loaded = load_scene_from(&all(""), Path::new("/w/s.yaml"), &Options::default()).unwrap();
    let scene = loaded.value;
    assert_eq!((&*scene.name, &*scene.robot_model_name, &*scene.planning_frame), ("x", "arm", "a"));
    assert_eq!(scene.joint_state[0], ("j".into(), vec![0.5]));
    assert_eq!(scene.joint_state[1], ("v".into(), vec![1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0]));
    let names: Vec<&str> = scene.obstacles.iter().map(|o| &*o.name).collect();
    assert_eq!(names, ["held", "cone", "net"]);
    let [held, cone, net] = &scene.obstacles[..] else { panic!() };
    assert_eq!(held.attached_to.as_ref().unwrap().body, "b");
    assert_eq!(cone.pose.translation.to_array(), [10.0, 5.0, 0.0]);
    assert_eq!(cone.shapes[0].shape, ShapeDescription::Cone { radius: 0.2, length: 0.5 });
    assert_eq!(cone.shapes[1].shape, ShapeDescription::Cylinder { radius: 0.2, length: 0.5 });
    assert_eq!(cone.shapes[0].shape_in_body.translation.z, 1.0);
    assert!(matches!(&net.shapes[0].shape, ShapeDescription::Mesh { triangles, .. } if triangles.len() == 2));
    let ShapeDescription::Mesh { vertices, .. } = &net.shapes[1].shape else { panic!("no mesh") };
    assert!(vertices.iter().any(|v| v[2] == -2.0));
    let warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    assert!(warnings.iter().any(|w| w.contains("1 all-zero quaternion treated")), "{warnings:?}");
    assert!(warnings.iter().any(|w| w.contains("has the operation REMOVE")), "{warnings:?}");
    // The matrix speaks for a, b, cone; net allows by default against anything with no default that forbids
    // it.
    let mut pairs = scene.allowed.allowed_pairs(&["a", "b", "cone", "net", "other"]);
    pairs.sort();
    assert_eq!(
        pairs,
        [("a", "b"), ("a", "net"), ("b", "net"), ("cone", "net"), ("cone", "other"), ("net", "other")]
    );
}

#[test]
fn a_scene_joins_a_world_in_its_robots_frame() {
    let text = "[[robot]]\nurdf = \"a.urdf\"\nname = \"left\"\nxyz = [0, 0, 7]\n[[scene]]\n\
        file = \"s.yaml\"\nprefix = \"cell_\"\n";
    let loaded = world(text).unwrap();
    let said: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    let unused = "line 5, scene 1: its robot_state gives the values of 2 joints, which are not used";
    assert!(said.iter().any(|w| w.contains(unused)), "{said:?}");
    let found = loaded.value;
    // The planning frame is the robot's root link, which stands at z = 7.
    let cone = found.obstacles.iter().find(|o| o.name == "cell_cone").unwrap();
    assert_eq!(cone.pose.translation.to_array(), [10.0, 5.0, 7.0]);
    let held = found.obstacles.iter().find(|o| o.name == "cell_held").unwrap();
    assert_eq!(held.attached_to, Some(Attachment { body: "left/b".into(), touch: vec!["left/a".into()] }));
    let has =
        |a: &str, b: &str| found.allowed.iter().any(|p| (&*p.a, &*p.b) == (a, b) || (&*p.b, &*p.a) == (a, b));
    assert!(has("left/a", "left/b") && has("left/b", "world/cell_net") && !has("left/a", "world/cell_cone"));
    let without = world(&format!("{text}allowed = false\n")).unwrap().value;
    assert!(without.allowed.is_empty());
    let two = format!("{text}[[robot]]\nurdf = \"a.urdf\"\nname = \"right\"\n");
    assert!(world(&two).unwrap_err().to_string().contains("say which robot"));
}

#[test]
fn faults_of_a_scene_are_found() {
    let object = |text: &str| format!("world: {{collision_objects: [{{id: o, {text}}}]}}");
    for (text, words) in [
        ("a: b".to_string(), "is not a planning scene"),
        ("a: [".to_string(), "is not well-formed YAML"),
        ("".to_string(), "holds nothing"),
        ("a: &x 1\nb: *x".to_string(), "uses a YAML alias"),
        ("world: {}\nworld: {}".to_string(), "the key \"world\" comes twice"),
        ("world: {}\n---\nworld: {}".to_string(), "more than one YAML document"),
        (object(""), "has no shape"),
        (
            object("primitives: [{type: box, dimensions: [1, 1]}]"),
            "the dimensions of a box are not 3 finite numbers",
        ),
        (object("primitives: [{type: box, dimensions: [1, 1, -1]}]"), "3 finite numbers from 1e-12 to 1e9"),
        (object("primitives: [{type: box, dimensions: [1, 1, 0]}]"), "3 finite numbers from 1e-12 to 1e9"),
        (object("primitives: [{type: 5, dimensions: [1]}]"), "the primitive type \"5\" is unknown"),
        (object("primitives: [{dimensions: [1]}]"), "the primitive type \"\" is unknown"),
        (object("primitives: [{type: 2, dimensions: [.nan]}]"), "the dimensions of a sphere"),
        (
            object("primitives: [{type: 2, dimensions: [1]}], primitive_poses: [{}, {}]"),
            "has 2 primitive_poses for 1",
        ),
        (
            object("primitives: [{type: 2, dimensions: [1]}], primitive_poses: [{position: [1, 2]}]"),
            "a position is not three",
        ),
        (object("planes: [{coef: [0, 0, 1, 0]}], primitives: [{type: 2, dimensions: [1]}]"), "holds a plane"),
        (object("meshes: [{resource: \"package://q/m.stl\"}]"), "the folder that holds the package \"q\""),
        (
            object("meshes: [{vertices: [[0, 0, 0]], triangles: [[0, 0, 1]]}]"),
            "triangle 0 is not three indices",
        ),
        (object("operation: 9, primitives: [{type: 2, dimensions: [1]}]"), "its operation is unknown"),
        ("world: {octomap: {octomap: {data: [1, -2]}}}".to_string(), "holds an OctoMap"),
        ("world: {collision_objects: {}}".to_string(), "collision_objects is not a list"),
        (
            "robot_state: {joint_state: {name: [a], position: []}}".to_string(),
            "has 1 joint name but 0 positions",
        ),
        ("robot_state: {joint_state: {name: [a], position: [x]}}".to_string(), "is not a finite number"),
        (
            "robot_state: {attached_collision_objects: [{link_name: a}]}".to_string(),
            "attached object 1 has no object",
        ),
        (
            "allowed_collision_matrix: {entry_names: [a], entry_values: []}".to_string(),
            "has 1 names but 0 rows",
        ),
        (
            "allowed_collision_matrix: {entry_names: [a], entry_values: [[1]]}".to_string(),
            "a row is not 1 times",
        ),
    ] {
        let files = files(&[("/s.yaml", &text)]);
        refused(&text, load_scene_from(&files, Path::new("/s.yaml"), &Options::default()), &[words]);
    }
    let two = "fixed_frame_transforms: [{child_frame_id: w}]\nworld: {collision_objects: [{id: o, \
        header: {frame_id: hand}, primitives: [{type: 2, dimensions: [1]}]}]}";
    let files = files(&[("/s.yaml", two)]);
    let faults = load_scene_from(&files, Path::new("/s.yaml"), &Options::default()).unwrap_err().to_string();
    assert!(faults.contains("its frame \"hand\" is not a fixed frame"), "{faults}");
}
