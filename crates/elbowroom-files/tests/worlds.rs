//! World files and scenes: what they mean, and what is wrong with them.

mod support;

use elbowroom::describe::{Attachment, ShapeDescription};
use elbowroom_files::scene::load_scene_from;
use elbowroom_files::source::InMemory;
use elbowroom_files::world::load_world_from;
use elbowroom_files::{Faults, Options};
use std::path::{Path, PathBuf};
use support::{files, refused};

const URDF: &str = "<robot name=\"arm\"><link name=\"a\"><collision><geometry><sphere radius=\"1\"/>\
    </geometry></collision></link><link name=\"b\"/>
<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>";
const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
const SRDF: &str =
    "<robot name=\"arm\"><disable_collisions link1=\"a\" link2=\"b\" reason=\"Never\"/></robot>";
const SCENE: &str = "name: x
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

fn all(world: &str) -> InMemory {
    files(&[
        ("/w/w.toml", world),
        ("/w/a.urdf", URDF),
        ("/w/a.srdf", SRDF),
        ("/w/p/m.obj", OBJ),
        ("/w/s.yaml", SCENE),
    ])
}

fn world(text: &str) -> Result<elbowroom_files::Loaded<elbowroom::describe::WorldDescription>, Faults> {
    load_world_from(&all(text), Path::new("/w/w.toml"), &Options::default())
}

#[test]
fn a_world_is_what_it_says() {
    let text = r#"
margin = 0.02
padding = 0
checks = [["left", "world"], ["hands", "right"]]
[[robot]]
urdf = "a.urdf"
name = "left"
xyz = [0, 1, 0]
rpy = [0, 0, 3.141592653589793]
padding = 0.01
[[robot]]
urdf = "package://w/a.urdf"
name = "right"
quat_wxyz = [0, 0, 0, -2]
srdf = false
[[obstacle]]
name = "table"
xyz = [1, 2, 3]
padding = 0.1
shape = { type = "box", size = [1, 1, 0.04], padding = 0.2, name = "top" }
shapes = [{ type = "cylinder", radius = 0.1, length = 1, xyz = [0, 0, -0.5] }, { type = "convex", file = "p/m.obj", scale = [2, 2, 2] }]
mesh = { file = "package://p/m.obj", scale = 0.5, padding = 1 }
[[obstacle]]
name = "part"
attached_to = "left/b"
touch = ["left/a"]
shape = { type = "mesh", vertices = [[0,0,0],[1,0,0],[0,1,0],[0,0,0]], triangles = [[0,1,2],[3,2,1],[0,3,1]] }
[[group]]
name = "hands"
members = ["left/b", "right/b"]
[[allow]]
a = "left"
b = "world/table"
"#;
    let world = world(text).unwrap().value;
    assert_eq!((world.margin, world.padding), (0.02, 0.0));
    assert_eq!(world.checks, [["left", "world"], ["hands", "right"]].map(|p| p.map(String::from)));
    let [left, right] = &world.robots[..] else { panic!() };
    assert_eq!(
        (&*left.name, left.robot.disabled_pairs.len(), right.robot.disabled_pairs.len()),
        ("left", 1, 0)
    );
    assert_eq!(left.robot.links[0].shapes[0].padding, 0.01);
    assert_eq!(left.base_in_world.translation.y, 1.0);
    assert!((right.base_in_world.rotation.cols[0].x + 1.0).abs() < 1e-15);
    let table = &world.obstacles[0];
    let paddings: Vec<f64> = table.shapes.iter().map(|s| s.padding).collect();
    assert_eq!(paddings, [0.1 + 0.2, 0.1, 0.1, 1.1]);
    assert_eq!((&*table.shapes[0].name, table.shapes[1].shape_in_body.translation.z), ("top", -0.5));
    let extent = |k: usize| match &table.shapes[k].shape {
        ShapeDescription::Convex { vertices } | ShapeDescription::Mesh { vertices, .. } => {
            vertices[1][0].max(vertices[2][0])
        }
        _ => panic!(),
    };
    assert_eq!((extent(2), extent(3)), (2.0, 0.5));
    let part = &world.obstacles[1];
    assert_eq!(part.attached_to, Some(Attachment { body: "left/b".into(), touch: vec!["left/a".into()] }));
    // The fourth vertex is the first one; the third triangle is degenerate.
    let expected = ShapeDescription::Mesh {
        vertices: vec![[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]],
        triangles: vec![[0, 1, 2], [0, 2, 1]],
    };
    assert_eq!(part.shapes[0].shape, expected);
    assert_eq!(world.allowed[0].reason, "allowed in the world file");
    assert_eq!(world.groups[0].members.len(), 2);
}

#[test]
fn faults_of_a_world_come_all_at_once_each_with_its_line() {
    let text = r#"margn = 0.02
padding = -1
[[robot]]
urdf = "lost.urdf"
[[robot]]
urdf = "a.urdf"
name = "world"
rpy = [0, 0]
[[obstacle]]
shape = { type = "box", size = [1, 1], sise = 1 }
[[obstacle]]
name = "x"
rpy = [0, 0, nan]
shape = { type = "bx" }
[[obstacle]]
name = "x"
[[obstacle]]
name = "y"
shape = "box"
[[group]]
members = [1]
[[group]]
name = "hands"
members = []
[[group]]
name = "feet"
[[allow]]
a = "x"
[[scene]]
file = "s.yaml"
robot = "nobody"
allowed = 3
"#;
    let all = [
        "line 1: the key \"margn\" is unknown here; did you mean \"margin\"?",
        "line 2: padding is -1, below zero",
        "line 4, robot 1: the file \"lost.urdf\" does not exist",
        "robot \"world\": rpy is not 3 finite numbers",
        "\"world\" cannot be a robot's name",
        "obstacle 1: name is missing",
        "the key \"sise\" is unknown here; did you mean \"size\"?",
        "line 13, obstacle \"x\": rpy is not 3 finite numbers",
        "the shape type \"bx\" is unknown; did you mean \"box\"?",
        "obstacle \"x\": has no shape",
        "the obstacle name \"x\" is used twice",
        "obstacle \"y\", shape 1: is not a shape",
        "group 1: name is missing",
        "members holds something that is not text",
        "group \"hands\": has no members; name bodies",
        "group \"feet\": has no members; name bodies",
        "allow 1: b is missing",
        "allowed is not true or false",
    ];
    refused("world", world(text), &all);
    refused("TOML", world("a = \n[[b]\n"), &["line 1: is not well-formed TOML", "line 2"]);
    refused("nothing", world(""), &["has no robot"]);
}

#[test]
fn sizes_that_no_shape_can_have_are_told_together_with_their_lines() {
    let shape = |(k, text): (usize, &&str)| format!("[[obstacle]]\nname = \"o{k}\"\nshape = {{ {text} }}\n");
    let shapes = [
        "type = \"sphere\", radius = -1",
        "type = \"sphere\", radius = 0.0",
        "type = \"box\", size = [1, 0.0000, 1]",
        "type = \"capsule\", radius = 1, length = -0.5",
        "type = \"capsule\", radius = 1, length = 0",
        "type = \"cylinder\", radius = 1, length = 0",
        "type = \"ellipsoid\", radii = [1, 1, 1e10]",
    ];
    let text: String = shapes.iter().enumerate().map(shape).collect();
    let faults = world(&format!("{text}[[robot]]\nurdf = \"a.urdf\"\n")).unwrap_err().to_string();
    for words in [
        "line 3, obstacle \"o0\", shape 1: radius is -1, below zero; give metres from 1e-12 to 1e9\n",
        "line 6, obstacle \"o1\", shape 1: radius is 0, too small; give metres from 1e-12 to 1e9\n",
        "line 9, obstacle \"o2\", shape 1: size [1.0, 0.0, 1.0] holds 0, too small; give",
        "length is -0.5, below zero; give zero, or metres from 1e-12 to 1e9\n",
        "line 18, obstacle \"o5\", shape 1: length is 0, too small; give metres",
        "radii [1.0, 1.0, 10000000000.0] holds 10000000000, too large; give",
        "\n6 faults",
    ] {
        assert!(faults.contains(words), "{words}: {faults}");
    }
}

#[test]
fn a_bare_urdf_is_a_world() {
    let mut files = all("");
    let world = load_world_from(&files, Path::new("/w/a.urdf"), &Options::default()).unwrap().value;
    assert_eq!((&*world.robots[0].name, world.robots[0].robot.disabled_pairs.len()), ("arm", 1));
    files.0.insert(PathBuf::from("/w/description"), URDF.as_bytes().to_vec());
    assert!(load_world_from(&files, Path::new("/w/description"), &Options::default()).is_ok());
    for (path, words) in [
        ("/w/s.yaml", "a planning scene alone has no robot"),
        ("/w/none.urdf", "cannot be read"),
        ("/w/a.urdf.xacro", "expand it: xacro /w/a.urdf.xacro -o /w/a.urdf"),
        ("/w/x.sdf", "is a .sdf file"),
    ] {
        refused(path, load_world_from(&files, Path::new(path), &Options::default()), &[words]);
    }
}

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
    let mut pairs = scene.allowed.pairs(&["a", "b", "cone", "net", "other"]);
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

#[test]
fn names_that_mean_nothing_are_faults_beside_all_others() {
    let world = "marign = 1
checks = [[\"arm\", \"worlds\"]]
[[robot]]
urdf = \"a.urdf\"
[[obstacle]]
name = \"ball\"
attached_to = \"arm/bb\"
touch = [\"arm/a\", \"leg/a\"]
shape = { type = \"sphere\", radius = 1 }
[[obstacle]]
name = \"faulty\"
shape = { type = \"sphere\", radius = -1 }
[[group]]
name = \"hands\"
members = [\"arm/a\", \"arm/c\", \"world/faulty\"]
[[allow]]
a = \"hands\"
b = \"world/bal\"
";
    let words = [
        "\"marign\"",
        "line 2, check 1: refers to \"worlds\"",
        "line 7, obstacle \"ball\": attached_to refers to \"arm/bb\"",
        "line 8, obstacle \"ball\": touch refers to \"leg/a\"",
        "radius is -1",
        "line 15, group \"hands\": members refers to \"arm/c\"",
        "line 18, allow 1: b refers to \"world/bal\", but no body, group or robot has that name; did you \
         mean \"world/ball\"?",
    ];
    let said = refused("names", self::world(world), &words);
    assert_eq!(said.0.len(), 7, "{said}");
}

#[test]
fn a_faulty_robot_hides_no_fault_of_others() {
    let refers = "[[allow]]\na = \"arm/x\"\nb = \"world/none\"\n[[allow]]\na = \"leg/a\"\nb = \"arm\"\n";
    let load = |robot: &str| {
        let mut files = all(&format!("[[robot]]\nurdf = \"{robot}.urdf\"\n{refers}"));
        files.0.insert("/w/bad.urdf".into(), URDF.replace("radius=\"1\"", "radius=\"-1\"").into_bytes());
        load_world_from(&files, Path::new("/w/w.toml"), &Options::default())
    };
    // A faulty robot's name is in its file: what belongs to it is not judged, one fault is not made two.
    let words = ["radius", "refers to \"world/none\"", "refers to \"leg/a\""];
    let said = refused("faulty", load("bad"), &words);
    assert_eq!(said.0.len(), 3, "{said}");
    // Where nobody knows the name, every name is judged and the way out is said.
    let said = refused("unknown", load("none"), &["give that one a name here"]);
    assert_eq!(said.0.len(), 5, "{said}");
    // Its own name is judged even so.
    let twice = "[[robot]]\nurdf = \"none.urdf\"\nname = \"x\"\n[[robot]]\nurdf = \"a.urdf\"\nname = \"x\"\n";
    refused("twice", world(twice), &["the robot name \"x\" is used twice"]);
}

#[test]
fn packages_are_looked_for_in_folders() {
    let with = |packages: &str| world(&format!("[[robot]]\nurdf = \"a.urdf\"\npackage_path = {packages}\n"));
    assert!(with("\"p\"").is_ok() && with("[\".\", \"../w/p\"]").is_ok());
    let words = [
        "line 3, robot 1: the package_path \"q\" does not exist; name a folder that holds packages; looked \
         for /w/q",
        "the package_path \"a.urdf\" is not a folder",
        "package_path holds something that is not text",
        "3 faults",
    ];
    refused("packages", with("[\"p\", \"q\", \"a.urdf\", 3]"), &words);
}
