//! What a URDF or SRDF can get wrong: each fault found, with its place and its help, and all of them at once.

use crate::support::{files, refused};
use elbowroom::describe::{JointKind, ShapeDescription};
use elbowroom_files::source::InMemory;
use elbowroom_files::{Faults, Options, mesh, robot};
use std::path::{Path, PathBuf};

const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

fn load(urdf: &str) -> Result<elbowroom_files::Loaded<elbowroom::describe::RobotDescription>, Faults> {
    let files = files(&[("/r/a.urdf", urdf), ("/r/p/t.obj", TETRAHEDRON)]);
    robot::load_robot_from(&files, Path::new("/r/a.urdf"), &Options::default())
}

/// A robot of links a, b, c and whatever else is given.
fn with(more: &str) -> String {
    format!("<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><link name=\"c\"/>\n{more}\n</robot>")
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, more: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>{more}\
         </joint>"
    )
}

fn chain(more: &str) -> String {
    with(&format!("{}{}{more}", joint("j", "continuous", "a", "b", ""), joint("k", "fixed", "b", "c", "")))
}

#[test]
fn each_fault_is_found() {
    let shape = |geometry: &str| {
        format!(
            "<robot name=\"r\"><link name=\"a\"><collision><geometry>{geometry}</geometry></collision></link>\
             </robot>"
        )
    };
    let limit = "<limit lower=\"-1\" upper=\"1\"/>";
    for (urdf, words) in [
        (String::new(), "not well-formed XML"),
        ("<robot name=\"r\"/>".into(), "has no link"),
        ("<robot><link name=\"a\"/></robot>".into(), "has no name"),
        ("<robot name=\"r\"><link/></robot>".into(), "<link>: has no name"),
        ("<robot name=\"r\"><link name=\" \"/></robot>".into(), "its name is empty"),
        (
            "<robot name=\"r\"><link name=\"a\"/><link name=\"a\"/></robot>".into(),
            "the link name \"a\" is used twice",
        ),
        ("<sdf version=\"1.7\"><model name=\"m\"/></sdf>".into(), "is an SDF file"),
        ("<mujoco/>".into(), "is a MuJoCo (MJCF) file"),
        ("<mujocoinclude/>".into(), "as a model that MuJoCo has loaded: elbowroom.from_mujoco(model)"),
        ("<robbot name=\"r\"/>".into(), "its outermost element is <robbot>"),
        (
            "<robot name=\"r\" xmlns:xacro=\"http://ros.org/wiki/xacro\"><xacro:macro name=\"m\"/></robot>"
                .into(),
            "expand it: xacro /r/a.urdf -o /r/a.expanded.urdf",
        ),
        ("<robot name=\"r\"><link name=\"${p}_a\"/></robot>".into(), "uses xacro"),
        (
            "<!DOCTYPE r [<!ENTITY a \"b\">]><robot name=\"r\"><link name=\"&a;\"/></robot>".into(),
            "document type",
        ),
        (shape(""), "is empty"),
        (shape("<bx size=\"1 1 1\"/>"), "did you mean \"box\"?"),
        (shape("<heightmap/>"), "<heightmap> is not a supported shape"),
        (shape("<box/>"), "has no size"),
        (shape("<box size=\"1 1\"/>"), "size=\"1 1\" is not three finite numbers"),
        (shape("<box size=\"1 1 1 1\"/>"), "is not three finite numbers"),
        (
            shape("<box size=\"1 1 -1\"/>"),
            "size [1.0, 1.0, -1.0] holds -1, below zero; give zero, or metres from 1e-12 to 1e9",
        ),
        (shape("<box size=\"1 1 1e-13\"/>"), "size [1.0, 1.0, 1e-13] holds 1e-13, too small"),
        (shape("<box size=\"1 1 1,5\"/>"), "write decimals with a point"),
        (shape("<sphere radius=\"nan\"/>"), "radius=\"nan\" is not a finite number"),
        (
            shape("<sphere radius=\"-1\"/>"),
            "radius=\"-1\" is below zero; give zero, or metres from 1e-12 to 1e9",
        ),
        (shape("<sphere radius=\"1e-13\"/>"), "radius=\"1e-13\" is too small; give zero, or metres"),
        (shape("<cylinder radius=\"0\" length=\"1\"/>"), "radius=\"0\" is too small; give metres from 1e-12"),
        (shape("<capsule radius=\"0\" length=\"0\"/>"), "radius=\"0\" is too small"),
        (shape("<sphere/>"), "has no radius"),
        (shape("<cylinder radius=\"1\"/>"), "has no length"),
        (shape("<capsule radius=\"1\" length=\"inf\"/>"), "is not a finite number"),
        (shape("<sphere radius=\"1\"/><sphere radius=\"2\"/>"), "is the second shape of one geometry"),
        (shape("<mesh/>"), "has no filename"),
        (shape("<mesh filename=\"\"/>"), "its filename is empty"),
        (shape("<mesh filename=\"b.stl\"/>"), "the file \"b.stl\" does not exist"),
        (
            shape("<mesh filename=\"package://q/b.stl\"/>"),
            "the folder that holds the package \"q\" with --package-path",
        ),
        (shape("<mesh filename=\"https://x/b.stl\"/>"), "https:// is not a kind of reference"),
        (shape("<mesh filename=\"p/t.obj\" scale=\"1 0 1\"/>"), "flattens the mesh"),
        (shape("<mesh filename=\"p/t.obj\" scale=\"1 1\"/>"), "is not three finite numbers"),
        (
            "<robot name=\"r\"><link name=\"a\"><collision/></link></robot>".into(),
            "<collision>: has no geometry",
        ),
        (
            "<robot name=\"r\"><link name=\"a\"><collisions/></link></robot>".into(),
            "<collisions> is unknown; did you mean <collision>?",
        ),
        (
            "<robot name=\"r\"><link name=\"a\"><collision><origin xyz=\"0 0 x\"/><geometry>\
             <sphere radius=\"1\"/></geometry></collision></link></robot>"
                .into(),
            "xyz=\"0 0 x\" is not three finite numbers",
        ),
        (chain("<joint/>"), "<joint>: has no name"),
        (chain(&joint("j", "fixed", "a", "d", "")), "there is no link \"d\""),
        (with(&joint("j", "fixed", "a", "b", "")), "has 2 roots: \"a\", \"c\""),
        (
            with(&format!("{}{}", joint("j", "fixed", "a", "b", ""), joint("j", "fixed", "b", "c", ""))),
            "the joint name \"j\" is used twice",
        ),
        (chain(&joint("l", "fixed", "a", "c", "")), "is already the child of joint \"k\""),
        (
            with(&format!(
                "{}{}{}",
                joint("j", "fixed", "a", "b", ""),
                joint("k", "fixed", "b", "c", ""),
                joint("l", "fixed", "c", "a", "")
            )),
            "form a loop",
        ),
        (with(&joint("j", "fixed", "a", "a", "")), "joins a link to itself"),
        (chain(&joint("l", "screw", "a", "c", "")), "the joint type \"screw\" is unknown"),
        (chain(&joint("l", "revolut", "a", "c", "")), "did you mean \"revolute\"?"),
        (with(&joint("j", "revolute", "a", "b", "")), "has no limits"),
        (
            with(&joint("j", "prismatic", "a", "b", "<limit lower=\"2\" upper=\"1\"/>")),
            "the lower limit 2 is above",
        ),
        (
            with(&joint("j", "revolute", "a", "b", "<limit lower=\"nan\" upper=\"1\"/>")),
            "is not a finite number",
        ),
        (with(&joint("j", "continuous", "a", "b", "<axis xyz=\"0 0 0\"/>")), "has no direction"),
        (with(&joint("j", "continuous", "a", "b", "<axis xyz=\"0 0\"/>")), "is not three finite numbers"),
        (
            with(&joint("j", "revolute", "a", "b", &format!("{limit}<mimic joint=\"x\"/>"))),
            "mimics the joint \"x\", which does not exist",
        ),
        (with(&joint("j", "continuous", "a", "b", "<mimic joint=\"j\"/>")), "mimics itself"),
        (
            with(&format!(
                "{}{}",
                joint("j", "continuous", "a", "b", "<mimic joint=\"k\"/>"),
                joint("k", "continuous", "b", "c", "<mimic joint=\"j\"/>")
            )),
            "mimics itself",
        ),
        (
            chain(&joint("l", "continuous", "a", "c", "<mimic joint=\"k\"/>")),
            "does not have exactly one value",
        ),
        (
            with(&joint("j", "planar", "a", "b", "<mimic joint=\"k\"/>")),
            "a joint with several values cannot mimic",
        ),
        (
            with(&joint("j", "continuous", "a", "b", "<mimic joint=\"j\" multiplier=\"two\"/>")),
            "multiplier=\"two\" is not",
        ),
        (with("<joint name=\"j\" type=\"fixed\"><child link=\"b\"/></joint>"), "has no <parent>"),
        (with("<Joint name=\"j\"/>"), "<Joint> is unknown; did you mean <joint>?"),
    ] {
        let faults = refused(&urdf, load(&urdf), &[words]);
        assert!(faults.0.iter().all(|f| f.file.starts_with("/r") && !f.help.is_empty()), "{faults}");
    }
}

#[test]
fn all_faults_come_at_once_each_with_its_line() {
    let urdf = "<robot name=\"r\">
<link name=\"a\"><collision><geometry><sphere radius=\"nan\"/></geometry></collision></link>
<link name=\"a\"/>
<link name=\"b\"><collision><geometry><mesh filename=\"bad.stl\"/></geometry></collision>
  <collision><geometry><mesh filename=\"bad.stl\"/></geometry></collision>
  <collision><geometry><mesh filename=\"lost.stl\"/></geometry></collision></link>
<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint>
</robot>";
    let srdf = "<robot name=\"r\"><group/></robot>";
    let nan = "solid\nfacet normal 0 0 0\nouter loop\nvertex nan 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n\
        endfacet\nendsolid\n";
    let files = files(&[("/r/a.urdf", urdf), ("/r/a.srdf", srdf), ("/r/bad.stl", nan)]);
    let faults = robot::load_robot_from(&files, Path::new("/r/a.urdf"), &Options::default()).unwrap_err();
    let found: Vec<(&str, &str)> =
        faults.0.iter().map(|f| (f.file.to_str().unwrap(), f.place.split(',').next().unwrap())).collect();
    let urdf = "/r/a.urdf";
    let expected = [
        (urdf, "line 2"),
        (urdf, "line 3"),
        ("/r/bad.stl", "line 4"),
        (urdf, "line 5"),
        (urdf, "line 6"),
        (urdf, "line 7"),
    ];
    assert_eq!(found, expected, "{faults}");
    assert!(faults.to_string().ends_with("6 faults"));
}

#[test]
fn a_sound_robot_is_what_it_says() {
    let urdf = "<?xml version=\"1.0\"?>
<robot name=\"r\" xmlns:drake=\"http://drake.mit.edu\" xmlns:xacro=\"http://ros.org/wiki/xacro\">
  <link name=\"a\">
    <visual><geometry><mesh filename=\"not_there.dae\"/></geometry></visual>
    <collision name=\"c1\"><origin xyz=\"1 2 3\" rpy=\"0 0 1.5707963267948966\"/><geometry>\
        <box size=\".1 2e-1 +0.3\"/></geometry></collision>
    <collision><geometry><capsule radius=\"0.1\" length=\"0.5\"/></geometry></collision>
    <collision><geometry><drake:capsule radius=\"0.1\" length=\"0.5\"/></geometry></collision>
    <collision><geometry><drake:ellipsoid a=\"1\" b=\"2\" c=\"3\"/></geometry></collision>
    <collision><geometry><mesh filename=\"package://p/t.obj\" scale=\"1 -2 1\"/></geometry></collision>
    <collision><geometry><mesh filename=\"p/t.obj\"><drake:declare_convex/></mesh></geometry></collision>
  </link>
  <link name=\"b\"/><link name=\"c\"/><link name=\"d\"/><link name=\"e\"/><link name=\"f\"/>
  <joint name=\"j1\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 2\"/>\
        <limit lower=\"-1\" upper=\"1\"/></joint>
  <joint name=\"j2\" type=\"prismatic\"><parent link=\"b\"/><child link=\"c\"/>\
        <limit lower=\"0\" upper=\"1\"/><mimic joint=\"j1\" multiplier=\"-2\" offset=\"0.5\"/></joint>
  <joint name=\"j3\" type=\"planar\"><parent link=\"c\"/><child link=\"d\"/></joint>
  <joint name=\"j4\" type=\"floating\"><parent link=\"d\"/><child link=\"e\"/></joint>
  <joint name=\"j5\" type=\"fixed\"><parent link=\"e\"/><child link=\"f\"/><axis xyz=\"0 0 0\"/></joint>
  <transmission><joint name=\"j1\"/></transmission><gazebo reference=\"a\"/>
</robot>";
    let robot = load(urdf).unwrap().value;
    let shapes = &robot.links[0].shapes;
    assert_eq!(shapes[0].shape, ShapeDescription::Box { size: [0.1, 0.2, 0.3] });
    let p = shapes[0].shape_in_body.point(elbowroom::math::Vec3::X);
    assert!((p.x - 1.0).abs() < 1e-15 && (p.y - 3.0).abs() < 1e-15 && p.z == 3.0);
    assert_eq!(shapes[1].shape, ShapeDescription::Capsule { radius: 0.1, length: 0.5 });
    assert_eq!(shapes[1].shape, shapes[2].shape);
    assert_eq!(shapes[3].shape, ShapeDescription::Ellipsoid { radii: [1.0, 2.0, 3.0] });
    let ShapeDescription::Mesh { vertices, triangles } = &shapes[4].shape else { panic!() };
    // A third of the volume of its triangles over the origin: positive only if they still face outward.
    let volume: f64 = triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|i| elbowroom::math::Vec3::from(vertices[i as usize]));
            a.dot(b.cross(c)) / 6.0
        })
        .sum();
    assert!((volume - 2.0 / 6.0).abs() < 1e-15, "{volume}");
    assert!(matches!(&shapes[5].shape, ShapeDescription::Convex { vertices } if vertices.len() == 4));
    let kinds: Vec<JointKind> = robot.joints.iter().map(|j| j.kind).collect();
    use JointKind::*;
    assert_eq!(kinds, [Revolute, Prismatic, Planar, Floating, Fixed]);
    assert_eq!(robot.joints[0].limits.unwrap().lower, -1.0);
    let mimic = robot.joints[1].mimic.as_ref().unwrap();
    assert_eq!((&*mimic.joint, mimic.multiplier, mimic.offset), ("j1", -2.0, 0.5));
    assert_eq!(robot.joints[1].axis, elbowroom::math::Vec3::X);
}

#[test]
fn references_lead_where_they_should() {
    let mut files = InMemory::default();
    for path in [
        "/w/robots/x/urdf/m.obj",
        "/w/pkg/m.obj",
        "/o/other/m.obj",
        "/w/robots/x/with space.obj",
        "/w/robots/x/100%.obj",
    ] {
        files.0.insert(PathBuf::from(path), TETRAHEDRON.as_bytes().to_vec());
    }
    let options = Options { package_paths: vec!["/o".into()], ..Options::default() };
    for (reference, good) in [
        ("m.obj", true),
        ("./m.obj", true),
        ("../urdf/m.obj", true),
        ("/w/pkg/m.obj", true),
        ("file:///w/pkg/m.obj", true),
        ("file://localhost/w/pkg/m.obj", true),
        ("package://pkg/m.obj", true),
        ("package://other/m.obj", true),
        ("package:///pkg/m.obj", true),
        ("package:///w/pkg/m.obj", true),
        ("model://pkg/m.obj", true),
        ("../with%20space.obj", true),
        ("../with space.obj", true),
        ("../100%.obj", true),
        ("..\\urdf\\m.obj", true),
        ("package://none/m.obj", false),
        ("package://pkg", false),
        ("../m.obj", false),
        ("ftp://x/m.obj", false),
    ] {
        let urdf = format!(
            "<robot name=\"r\"><link name=\"a\"><collision><geometry><mesh filename=\"{reference}\"/>\
             </geometry></collision></link></robot>"
        );
        let path = Path::new("/w/robots/x/urdf/r.urdf");
        files.0.insert(path.into(), urdf.into_bytes());
        let result = robot::load_robot_from(&files, path, &options);
        assert_eq!(result.is_ok(), good, "{reference}: {:?}", result.err());
    }
}

#[test]
fn an_srdf_is_resolved_to_links() {
    let urdf = chain("");
    let srdf = "<robot name=\"r\">
<virtual_joint name=\"v\" type=\"fixed\" parent_frame=\"world\" child_link=\"a\"/>
<group name=\"arm\"><chain base_link=\"a\" tip_link=\"c\"/></group>
<group name=\"back\"><chain base_link=\"c\" tip_link=\"b\"/></group>
<group name=\"tip\"><joint name=\"k\"/><joint name=\"v\"/><link name=\"zz\"/></group>
<group name=\"all\"><group name=\"arm\"/><group name=\"tip\"/><group name=\"all\"/></group>
<group_state name=\"home\" group=\"arm\"><joint name=\"j\" value=\"0.5\"/><joint name=\"nope\" value=\"1\"/>\
</group_state>
<disable_collisions link1=\"a\" link2=\"b\" reason=\"Adjacent\"/>
<disable_collisions link1=\"a\" link2=\"zz\" reason=\"Never\"/>
<disable_default_collisions link=\"c\"/>
<enable_collisions link1=\"c\" link2=\"a\"/>
</robot>";
    let files = files(&[("/r/a.urdf", &urdf), ("/r/a.srdf", srdf)]);
    let loaded = robot::load_robot_from(&files, Path::new("/r/a.urdf"), &Options::default()).unwrap();
    let robot = loaded.value;
    let links: Vec<Vec<&str>> =
        robot.groups.iter().map(|g| g.links.iter().map(String::as_str).collect()).collect();
    assert_eq!(links, [vec!["a", "b", "c"], vec!["c", "b"], vec!["c"], vec!["a", "b", "c"]]);
    let pairs: Vec<(&str, &str, &str)> =
        robot.disabled_pairs.iter().map(|p| (&*p.link_a, &*p.link_b, &*p.reason)).collect();
    assert_eq!(pairs, [("a", "b", "Adjacent"), ("c", "b", "disabled by default")]);
    assert_eq!(robot.states[0].values, [("j".to_string(), vec![0.5])]);
    let warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(warnings.iter().any(|w| w.contains("enables links that are neighbours")), "{warnings:?}");
    assert!(warnings.iter().any(|w| w.contains("no link \"zz\", named 2 times")), "{warnings:?}");
    assert!(warnings.iter().any(|w| w.contains("no joint \"nope\"")), "{warnings:?}");
}

#[test]
fn a_robot_of_many_faults_is_listed_in_bounds() {
    let mut links = String::new();
    for _ in 0..5000 {
        links.push_str("<link name=\"a\"/>");
    }
    let faults = load(&format!("<robot name=\"r\">{links}</robot>")).unwrap_err();
    assert_eq!(faults.0.len(), 1001);
    assert!(faults.to_string().contains("not listed: 3999 more faults"));
}

#[test]
fn a_mesh_is_found_by_any_name_it_is_given() {
    let files = files(&[("/m.stl", TETRAHEDRON), ("/m.bin", TETRAHEDRON)]);
    assert!(mesh::load_mesh_from(&files, Path::new("/m.stl"), &Options::default()).is_ok());
    assert!(mesh::load_mesh_from(&files, Path::new("/m.bin"), &Options::default()).is_ok());
}

#[test]
fn where_a_package_was_looked_for_is_told_once() {
    let link = |i: usize| {
        format!(
            "<link name=\"l{i}\"><collision><geometry><mesh filename=\"package://arm/l{i}.stl\"/></geometry>\
             </collision></link>"
        )
    };
    let joint = |i: usize| {
        format!("<joint name=\"j{i}\" type=\"fixed\"><parent link=\"l0\"/><child link=\"l{i}\"/></joint>")
    };
    let links: String = (0..12).map(link).collect();
    let joints: String = (1..12).map(joint).collect();
    let robot = format!("<robot name=\"r\">{links}{joints}</robot>");
    let Err(told) = load(&robot) else { panic!("there are no meshes") };
    let told = told.to_string();
    assert_eq!(told.matches("does not exist; give the folder").count(), 12, "every file is named: {told}");
    assert_eq!(told.matches("looked for").count(), 1, "{told}");
}

#[test]
fn debug_prints_what_a_person_reads() {
    // A `main` that returns faults prints them with `Debug`.
    let faults = load("<robot name=\"r\"><link/><link/></robot>").expect_err("no names");
    assert!(faults.0.len() > 1);
    let told = format!("{faults:?}");
    assert_eq!(told, faults.to_string());
    assert_eq!(told.lines().count(), faults.0.len() + 1, "one a line, then the count: {told}");
}
