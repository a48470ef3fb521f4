//! World files: what they mean, and what is wrong with them.

use crate::scenes::SCENE;
use crate::support::{files, refused};
use elbowroom::describe::{Attachment, ShapeDescription};
use elbowroom_files::source::InMemory;
use elbowroom_files::world::load_world_from;
use elbowroom_files::{Faults, Options};
use std::path::{Path, PathBuf};

const URDF: &str = "<robot name=\"arm\"><link name=\"a\"><collision><geometry><sphere radius=\"1\"/>\
    </geometry></collision></link><link name=\"b\"/>
<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>";
const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
const SRDF: &str =
    "<robot name=\"arm\"><disable_collisions link1=\"a\" link2=\"b\" reason=\"Never\"/></robot>";
pub fn all(world: &str) -> InMemory {
    files(&[
        ("/w/w.toml", world),
        ("/w/a.urdf", URDF),
        ("/w/a.srdf", SRDF),
        ("/w/p/m.obj", OBJ),
        ("/w/s.yaml", SCENE),
    ])
}

pub fn world(text: &str) -> Result<elbowroom_files::Loaded<elbowroom::describe::WorldDescription>, Faults> {
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
shapes = [
    { type = "cylinder", radius = 0.1, length = 1, xyz = [0, 0, -0.5] },
    { type = "convex", file = "p/m.obj", scale = [2, 2, 2] },
]
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
    for (path, text) in [
        ("/w/x.sdf", "<?xml version='1.0'?><sdf version='1.7'/>"),
        ("/w/x.world", "<sdf version='1.7'><world name='w'/></sdf>"),
        ("/w/x.mjcf", "<mujoco model='m'/>"),
        ("/w/x.xml", "<mujoco model='m'/>"),
        ("/w/y.sdf", "model"),
    ] {
        files.0.insert(PathBuf::from(path), text.as_bytes().to_vec());
    }
    for (path, words) in [
        ("/w/s.yaml", "a planning scene alone has no robot"),
        ("/w/none.urdf", "cannot be read"),
        ("/w/a.urdf.xacro", "expand it: xacro /w/a.urdf.xacro -o /w/a.urdf"),
        (
            "/w/x.sdf",
            "<sdf>: is an SDF file, not a URDF; SDF, the format of Gazebo, is not supported yet: give",
        ),
        ("/w/x.world", "is an SDF file"),
        (
            "/w/x.mjcf",
            "<mujoco>: is a MuJoCo (MJCF) file, not a URDF; MJCF is read in Python alone, as a model that",
        ),
        ("/w/x.xml", "is a MuJoCo (MJCF) file"),
        ("/w/y.sdf", "this is not an XML file"),
    ] {
        refused(path, load_world_from(&files, Path::new(path), &Options::default()), &[words]);
    }
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
