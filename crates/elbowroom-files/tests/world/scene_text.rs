//! Scenes as RViz saves them: both versions, and what is wrong with them.

use crate::support::{files, refused};
use elbowroom::describe::ShapeDescription;
use elbowroom_files::scene::{Scene, load_scene_from};
use elbowroom_files::{Faults, Loaded, Options, world};
use std::path::Path;

/// As MoveIt has written it since objects have a pose: with that, and with subframes.
const NEW: &str = "(noname)
* a can
0.5 -0.25 1
0 0 0.707107 0.707107
2
cylinder
0.03 0.12
0 0 0.06
0 0 0 1
0 1 0 0.5
box
1 2 3
1 0 0
0 0 0 1
0 0 0 0
1
lid
0 0 0.12
0 0 0 1
* net
0 0 0
0 0 0 1
1
mesh
4 2
0 0 0
1 0 0
0 1 0
1 1 0

0 1 2
1 3 2

0 0 2
0 0 0 1
0 0 0 0
0
.
";

/// As it was written before.
const OLD: &str = "kitchen
* ball
1
sphere
0.5
1 2 3
0 0 0 1
0 0 0 0
* peak
1
cone
0.2 0.4
0 0 1
1 0 0 0
0 0 0 0
.
";

fn read(text: &str) -> Result<Loaded<Scene>, Faults> {
    load_scene_from(&files(&[("s.scene", text)]), Path::new("s.scene"), &Options::default())
}

#[test]
fn a_scene_with_poses_of_objects_and_subframes_is_what_it_says() {
    let scene = read(NEW).unwrap().value;
    assert_eq!((&*scene.name, scene.obstacles.len()), ("(noname)", 2));
    let [can, net] = &scene.obstacles[..] else { panic!() };
    assert_eq!((&*can.name, can.shapes.len(), can.movable), ("a can", 2, false));
    assert_eq!(can.shapes[0].shape, ShapeDescription::Cylinder { radius: 0.03, length: 0.12 });
    assert_eq!(can.shapes[1].shape, ShapeDescription::Box { size: [1.0, 2.0, 3.0] });
    // A quarter turn about z: the box's middle at x = 1 is at y = 1 of the object.
    let middle = can.pose * can.shapes[1].shape_in_body;
    let away = [middle.translation.x - 0.5, middle.translation.y - 0.75, middle.translation.z - 1.0];
    assert!(away.iter().all(|d| d.abs() < 1e-6), "{middle:?}");
    let ShapeDescription::Mesh { vertices, triangles } = &net.shapes[0].shape else { panic!() };
    assert_eq!((vertices.len(), triangles.len()), (4, 2));
}

#[test]
fn an_older_scene_has_its_shapes_in_the_planning_frame() {
    let scene = read(OLD).unwrap().value;
    let [ball, peak] = &scene.obstacles[..] else { panic!() };
    assert_eq!(ball.shapes[0].shape, ShapeDescription::Sphere { radius: 0.5 });
    assert_eq!(ball.shapes[0].shape_in_body.translation.to_array(), [1.0, 2.0, 3.0]);
    assert_eq!(ball.pose.translation.to_array(), [0.0; 3]);
    assert_eq!(peak.shapes[0].shape, ShapeDescription::Cone { radius: 0.2, length: 0.4 });
    // A half turn about x: the apex points down.
    assert!(peak.shapes[0].shape_in_body.rotation.cols[2].z < -0.999);
    assert!(read("empty\n.\n").unwrap().value.obstacles.is_empty());
}

#[test]
fn a_world_file_takes_such_a_scene_in() {
    let cell =
        "[[robot]]\nurdf = \"r.urdf\"\n[[scene]]\nfile = \"s.scene\"\nxyz = [10, 0, 0]\nprefix = \"k_\"\n";
    let files =
        files(&[("w.toml", cell), ("r.urdf", "<robot name='r'><link name='a'/></robot>"), ("s.scene", OLD)]);
    let loaded = world::load_world_from(&files, Path::new("w.toml"), &Options::default()).unwrap();
    let names: Vec<&str> = loaded.value.obstacles.iter().map(|o| &*o.name).collect();
    assert_eq!(names, ["k_ball", "k_peak"]);
    assert_eq!(loaded.value.obstacles[0].pose.translation.to_array(), [10.0, 0.0, 0.0]);
}

#[test]
fn what_is_wrong_with_a_scene_s_text_is_told_with_its_line() {
    let cases = [
        (OLD.replace("0.5\n", "-0.5\n"), "line 5, object \"ball\": a size of its sphere, -0.5, is"),
        (OLD.replace("1 2 3", "1 two 3"), "line 6, object \"ball\": where a shape's pose should be"),
        (OLD.replace("1 0 0 0\n0 0 0 0", "0 0 0 0\n0 0 0 0"), "a shape's pose has a quaternion of zeros"),
        (OLD.replace("sphere\n0.5", "plane\n0 0 1 0"), "holds a plane, which is infinite"),
        (OLD.replace("sphere\n0.5", "octree\n0.5"), "the shape \"octree\" is unknown"),
        (OLD.replace("* peak", "* ball"), "the object id \"ball\" is used twice"),
        (OLD.replace("* ball\n1", "* ball\n1.5"), "the number of shapes is 1.5"),
        (OLD.replace("* peak", "peak"), "\"peak\" begins no object"),
        (OLD.replace("\n.\n", "\n"), "the file is cut off: no full stop ends it"),
        (NEW.replace("1 3 2", "1 4 2"), "triangle 1 is not three indices of its 4 vertices"),
        (
            NEW.replace("1 3 2", "1 1 1").replace("0 1 2\n", "0 0 2\n"),
            "the mesh holds 2 degenerate triangles",
        ),
        (
            NEW.replace("* net\n0 0 0\n0 0 0 1\n1", "* net\n0 0 0\n0 0 0 1\n0"),
            "the number of subframes should be",
        ),
        ("x\n* a\n0 0 0\n0 0 0 1\n0\n0\n.\n".into(), "object \"a\": has no shape"),
    ];
    for (text, words) in cases {
        refused(words, read(&text), &[words]);
    }
    // Cut anywhere, it is refused: half a scene looks free.
    for text in [NEW, OLD] {
        for end in text.find('*').unwrap() + 1..text.len() - 2 {
            assert!(read(&text[..end]).is_err(), "{:?}", &text[..end]);
        }
    }
    let behind = read(&format!("{OLD}* more\n1\nsphere\n")).unwrap();
    let said = behind.warnings.iter().map(ToString::to_string).collect::<String>();
    assert!(said.contains("what stands behind the full stop is ignored, as in MoveIt"), "{said}");
}
