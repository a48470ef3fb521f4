//! What is odd in robots' files and can be read as it is meant: each is warned about.

use crate::support::{files, folder, refused};
use elbowroom::describe::{PlacedRobot, RobotDescription, ShapeDescription, WorldDescription};
use elbowroom::math::{Transform, Vec3};
use elbowroom::{Checker, Question, World};
use elbowroom_files::{Faults, Loaded, Options, load, robot};
use std::path::Path;

pub(super) fn urdf(text: &str) -> Result<Loaded<RobotDescription>, Faults> {
    let files = files(&[("/r/a.urdf", text)]);
    robot::load_robot_from(&files, Path::new("/r/a.urdf"), &Options::default())
}

/// The value, and what was warned of.
pub(super) fn warned(text: &str, words: &str) -> RobotDescription {
    let loaded = urdf(text).unwrap();
    let warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    assert!(warnings.iter().any(|w| w.contains(words)), "{words:?} is not in {warnings:?}");
    loaded.value
}

/// Two links: a ball of radius 1 about (3, 0, 0), and a shape about the origin.
pub(super) fn arm(shape: &str, more: &str) -> String {
    format!(
        "<robot name=\"r\"><link name=\"a\"><collision><geometry>{shape}</geometry></collision></link>
<link name=\"b\"><collision><origin xyz=\"3 0 0\"/><geometry><sphere radius=\"1\"/></geometry></collision>\
</link>
<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"m\"/><axis xyz=\"0 0 1\"/></joint>\
<link name=\"m\"><collision><origin xyz=\"0 0 50\"/><geometry><sphere radius=\"1\"/></geometry></collision>\
</link>
<joint name=\"k\" type=\"continuous\"><parent link=\"m\"/><child link=\"b\"/>\
<axis xyz=\"0 0 1\"/></joint>{more}
</robot>"
    )
}

#[test]
fn shapes_without_extent_are_what_they_say_and_no_larger() {
    for (shape, words, distance) in [
        ("<sphere radius=\"0\"/>", "has radius 0: it is taken as a point; give it its true size", 2.0),
        ("<box size=\"0 0 0\"/>", "has the size [0.0, 0.0, 0.0]: it is taken as a point", 2.0),
        ("<box size=\"0 0 4\"/>", "it is taken as a segment", 2.0),
        ("<box size=\"1 0 0\"/>", "it is taken as a segment", 1.5),
        ("<box size=\"1 4 0\"/>", "it is taken as a rectangle", 1.5),
        ("<box size=\"0 4 6\"/>", "it is taken as a rectangle", 2.0),
        ("<box size=\"-0 4 6\"/>", "it is taken as a rectangle", 2.0),
    ] {
        let robot = warned(&arm(shape, ""), words);
        let placed = PlacedRobot { name: "r".into(), base_in_world: Transform::IDENTITY, robot };
        let world = World::compile(&WorldDescription { robots: vec![placed], ..WorldDescription::default() })
            .unwrap();
        let mut checker = Checker::new(&world);
        checker.set(&world.neutral_values()).unwrap();
        let found = checker.ask(&Question::distance()).interval;
        assert!(found.lower <= distance && distance <= found.upper, "{shape}: {found:?}");
        assert!(found.width() < 1e-9, "{shape}: {found:?}");
    }
    // A size that is merely small stays what it is.
    let robot = urdf(&arm("<box size=\"1 1 1e-9\"/>", "")).unwrap().value;
    assert_eq!(robot.links[0].shapes[0].shape, ShapeDescription::Box { size: [1.0, 1.0, 1e-9] });
}

#[test]
fn an_attribute_beside_a_good_axis_has_no_effect() {
    let text = arm("<sphere radius=\"1\"/>", "");
    let other = text.replacen("<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 1 0\" rpy=\"0 0 1\"/>", 1);
    let robot = warned(&other, "<axis>: its rpy=\"0 0 1\" has no effect beside xyz; remove it");
    assert_eq!(robot.joints[0].axis, Vec3::Y);
    let alone = text.replacen("<axis xyz=\"0 0 1\"/>", "<axis rpy=\"0 0 1\"/>", 1);
    refused("rpy alone", urdf(&alone), &["its rpy=\"0 0 1\" is not supported"]);
}

#[test]
fn a_property_of_xacro_that_nothing_uses_is_ignored() {
    let xacro = "<robot xmlns:xacro=\"http://ros.org/wiki/xacro\" ";
    let property = "<xacro:property name=\"p\" value=\"${2 * 3}\"/>";
    let text = arm("<sphere radius=\"1\"/>", property).replace("<robot ", xacro);
    warned(&text, "line 4, <property name=\"p\">: is of xacro, and nothing here uses it: ignored");
    refused("used", urdf(&text.replace("radius=\"1\"", "radius=\"${p}\"")), &["uses xacro"]);
    let macros = text.replace("</robot>", "<xacro:m/></robot>");
    refused("a macro", urdf(&macros), &["uses xacro"]);
    let block = text.replace(property, "<xacro:property name=\"p\"><link name=\"x\"/></xacro:property>");
    refused("a block", urdf(&block), &["uses xacro"]);
}

#[test]
fn a_declaration_behind_a_comment_is_passed_over() {
    let sound = arm("<sphere radius=\"1\"/>", "");
    let declaration = "<?xml version=\"1.0\"\n?>";
    let words = "its <?xml ...?> does not stand at the very beginning: ignored";
    for before in ["<!-- made by\nhand -->\n", "\n  ", "<!-- a --> <!-- <?xml b?> -->\n"] {
        let robot = warned(&format!("{before}{declaration}\n{sound}"), words);
        assert_eq!(robot, urdf(&sound).unwrap().value);
    }
    // Lines are still counted.
    let text = format!("<!-- a -->\n{declaration}\n{}", sound.replace("radius=\"1\"", "radius=\"x\""));
    refused("lines", urdf(&text), &["line 4, <sphere>"]);
    let within = sound.replace("<link name=\"b\">", "<?xml version=\"1.0\"?><link name=\"b\">");
    refused("within", urdf(&within), &["is not well-formed XML"]);
    refused(
        "no end",
        urdf("<!-- a --><?xml version=\"1.0\" <robot name=\"r\"/>"),
        &["is not well-formed XML"],
    );
}

const MESH: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

#[test]
fn a_mesh_that_is_there_in_another_case_is_named() {
    let names = |mesh: &str| arm(&format!("<mesh filename=\"{mesh}\"/>"), "");
    let at = |mesh: &str, held: &[&str]| {
        let text = names(mesh);
        let mut all = vec![("/o/p/urdf/a.urdf", text.as_str()), ("/o/p/package.xml", "")];
        all.extend(held.iter().map(|path| (*path, MESH)));
        let options = Options::default();
        robot::load_robot_from(&files(&all), Path::new("/o/p/urdf/a.urdf"), &options)
    };
    for mesh in ["package://p/meshes/Base.OBJ", "../meshes/Base.OBJ", "package://p/Meshes/base.obj"] {
        let words = "does not exist; /o/p/";
        let told = refused(mesh, at(mesh, &["/o/p/meshes/base.obj"]), &[words]).to_string();
        assert!(told.contains("meshes/base.obj is there: write its name with the same capitals"), "{told}");
    }
    // Which of two is meant is not guessed.
    let two = ["/o/p/meshes/base.obj", "/o/p/meshes/BASE.obj"];
    let told = refused("two", at("../meshes/Base.obj", &two), &["looked for"]).to_string();
    assert!(!told.contains("capitals"), "{told}");
    // On a disk, too, a name in other capitals is found.
    let folder = folder("case");
    std::fs::create_dir(folder.join("meshes")).unwrap();
    std::fs::write(folder.join("meshes/base.obj"), MESH).unwrap();
    std::fs::write(folder.join("a.urdf"), names("meshes/Base.obj")).unwrap();
    if !folder.join("meshes/Base.obj").exists() {
        refused("disk", load(folder.join("a.urdf")), &["meshes/base.obj is there: write its name"]);
    }
}

#[test]
fn soft_limits_that_are_narrower_are_told() {
    let with = |soft: &str| {
        let joint = "<joint name=\"j\" type=\"continuous\">";
        let safety = format!("<limit lower=\"-1\" upper=\"1\"/><safety_controller k_velocity=\"1\" {soft}/>");
        let text = arm("<sphere radius=\"1\"/>", "");
        text.replace(joint, &format!("{}{safety}", joint.replace("continuous", "revolute")))
    };
    let words = "<safety_controller>: its soft limits are narrower than its limits, and are not applied";
    for soft in ["soft_lower_limit=\"-0.5\"", "soft_upper_limit=\"0.5\" soft_lower_limit=\"-2\""] {
        let robot = warned(&with(soft), words);
        assert_eq!(robot.joints[0].limits.map(|l| (l.lower, l.upper)), Some((-1.0, 1.0)));
    }
    for soft in ["", "soft_lower_limit=\"-1\" soft_upper_limit=\"1\"", "soft_upper_limit=\"3\""] {
        assert!(urdf(&with(soft)).unwrap().warnings.is_empty(), "{soft}");
    }
}
