//! URDFs that would silently lose a shape, or move it, to a reader that passes over what it does not know:
//! each is refused where it says so. What is harmless is still passed over.

use crate::support::{files, refused};
use elbowroom::math::Vec3;
use elbowroom_files::{Faults, Loaded, Options, robot};
use std::path::Path;

fn urdf(text: &str) -> Result<Loaded<elbowroom::describe::RobotDescription>, Faults> {
    let files = files(&[("/r/a.urdf", text)]);
    robot::load_robot_from(&files, Path::new("/r/a.urdf"), &Options::default())
}

const SOUND: &str = "<robot name=\"r\"><link name=\"a\">
<collision><origin xyz=\"1 2 3\"/><geometry><box size=\"1 1 1\"/></geometry></collision></link>
<link name=\"b\"/><link name=\"c\"/>
<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><origin rpy=\"0 0 1\"/>\
<axis xyz=\"0 0 1\"/>\
<limit lower=\"-1\" upper=\"1\"/></joint>
<joint name=\"k\" type=\"continuous\"><parent link=\"b\"/><child link=\"c\"/><mimic joint=\"j\" \
multiplier=\"2\"/></joint>
</robot>";

#[test]
fn slips_in_a_urdf_are_refused() {
    urdf(SOUND).unwrap();
    let shape = "<collision><geometry><sphere radius=\"1\"/></geometry></collision>";
    let within = |tag: &str, inside: &str| format!("<{tag}>{inside}</{tag}></robot>");
    let (link, joint) = (
        format!("<link name=\"d\">{shape}</link>"),
        "<joint name=\"l\" type=\"fixed\"><parent link=\"c\"/><child link=\"d\"/></joint>".to_string(),
    );
    let (end, link_b) = ("</robot>", "<link name=\"b\"/>");
    for (from, to, words) in [
        ("<origin xyz", "<orgin xyz", "line 2, <orgin>: <orgin> is unknown; did you mean <origin>?"),
        ("<origin rpy", "<Origin rpy", "did you mean <origin>?"),
        ("xyz=\"1 2 3\"", "xzy=\"1 2 3\"", "its xzy=\"1 2 3\" is not supported; write xyz, rpy, quat_xyzw"),
        ("rpy=\"0 0 1\"", "ryp=\"0 0 1\"", "its ryp=\"0 0 1\" is not supported"),
        ("rpy=\"0 0 1\"", "rpy=\"0 0 1\" quat_xyzw=\"0 0 0 1\"", "has both rpy and quat_xyzw"),
        ("rpy=\"0 0 1\"", "quat_xyzw=\"0 0 0 0\"", "is not four finite numbers with a direction"),
        ("rpy=\"0 0 1\"", "quat_xyzw=\"0 0 1\"", "is not four finite numbers"),
        ("rpy=\"0 0 1\"", "quat_wxyz=\"1 0 0 1\"", "its quat_wxyz=\"1 0 0 1\" is not supported"),
        ("rpy=\"0 0 1\"", "euler=\"0 0 1\"", "its euler=\"0 0 1\" is not supported"),
        ("<axis xyz=\"0 0 1\"/>", "<axis x=\"0\" y=\"0\" z=\"1\"/>", "<axis>: has no xyz; write xyz="),
        ("<axis xyz=\"0 0 1\"/>", "<axis/>", "<axis>: has no xyz"),
        ("<axis xyz", "<axes xyz", "did you mean <axis>?"),
        ("<axis", "<axis xyz=\"1 0 0\"/><axis", "is the second axis here; keep one"),
        ("<origin", "<origin/><origin", "is the second origin here"),
        ("<geometry>", "<geometry><box size=\"2 2 2\"/></geometry><geometry>", "is the second geometry"),
        ("<limit", "<limit lower=\"0\" upper=\"2\"/><limit", "is the second limit here"),
        ("lower=", "lowr=", "its lowr=\"...\" is unknown; did you mean lower=\"...\"?"),
        ("multiplier", "multipler", "did you mean multiplier=\"...\"?"),
        ("<mimic", "<mimick", "did you mean <mimic>?"),
        ("box size", "box Size", "did you mean size=\"...\"?"),
        (
            link_b,
            &format!("<link name=\"b\">{}</link>", shape.replace("collision", "colission")),
            "did you mean <collision>?",
        ),
        (
            link_b,
            &format!("<link name=\"b\">{}</link>", shape.replace("geometry", "geometery")),
            "did you mean <geometry>?",
        ),
        (
            link_b,
            &format!("<link name=\"b\"><group>{shape}</group></link>"),
            "<collision>: is in <group>, where it has no effect",
        ),
        (link_b, &format!("<link name=\"b\"><visual>{shape}</visual></link>"), "<collision>: is in <visual>"),
        (link_b, &format!("<link name=\"b\">{link}</link>"), "<link name=\"d\">: is in <link>"),
        (link_b, "<link name=\"b\"><x:collision xmlns:x=\"x\"/></link>", "<collision> in another namespace"),
        (
            end,
            &format!("<x:link xmlns:x=\"x\" name=\"d\">{shape}</x:link></robot>"),
            "<link> in another namespace",
        ),
        (
            end,
            &format!("{shape}</robot>"),
            "<collision>: is in <robot>, where it has no effect; put it directly into a <link>",
        ),
        (
            end,
            &within("group", &format!("{link}{joint}")),
            "<link name=\"d\">: is in <group>, where it has no effect",
        ),
        (end, &within("group", &joint), "<joint name=\"l\">: is in <group>"),
        (end, &within("a", &within("b", &link).replace("</robot>", "")), "<link name=\"d\">: is in <a>"),
        (
            end,
            &format!("{}</robot>", link.replace("link", "lnik")),
            "<lnik> is unknown; did you mean <link>?",
        ),
    ] {
        let broken = SOUND.replacen(from, to, 1);
        assert_ne!(broken, SOUND, "{from}");
        let faults = refused(&broken, urdf(&broken), &[words]);
        assert!(faults.0.iter().all(|f| f.place.starts_with("line ") && !f.help.is_empty()), "{faults}");
    }
}

#[test]
fn extensions_of_a_urdf_are_passed_over() {
    let inside = "<link name=\"x\"><collision><geometry/></collision></link>\
        <joint name=\"y\"><parent>a</parent></joint><orgin/>";
    for extension in ["gazebo", "ros2_control", "transmission", "mujoco"] {
        let text = SOUND.replace("</robot>", &format!("<{extension}>{inside}</{extension}></robot>"));
        assert_eq!(urdf(&text).unwrap().value.links.len(), 3, "{extension}");
    }
    for more in [
        "<isaac><joint name=\"j\" gain=\"3\"/><link name=\"a\"/><contact><collision>a</collision></contact>\
         </isaac>",
        "<material name=\"m\"/><frame name=\"f\" link=\"a\" xyz=\"1 2 3\"/><mesh_path/><geometry/>",
    ] {
        urdf(&SOUND.replace("</robot>", &format!("{more}</robot>"))).unwrap();
    }
    let joint = "<dynamics damping=\"1\"/><calibration rising=\"0\"/><safety_controller k_velocity=\"1\"/>\
        <hardwareInterface/>";
    urdf(&SOUND.replace("<limit", &format!("{joint}<limit effort=\"1\" velocity=\"1\""))).unwrap();
    let link = "<link name=\"b\"><sensor><collision><a/></collision></sensor><contact/><inertial>\
        <origin qxyz=\"1\"/></inertial></link>";
    urdf(&SOUND.replace("<link name=\"b\"/>", link)).unwrap();
    // A fixed joint's axis is never used.
    urdf(&SOUND.replace(
        "</robot>",
        "<link name=\"d\"/><joint name=\"l\" type=\"fixed\"><axis/>\
         <parent link=\"c\"/><child link=\"d\"/></joint></robot>",
    ))
    .unwrap();
    // A misspelt zero turns nothing, with or without its name.
    let loaded = urdf(&SOUND.replace("xyz=\"1 2 3\"", "xyz=\"1 2 3\" ryp=\"0 0 0\"")).unwrap();
    assert!(loaded.warnings.iter().any(|w| w.what.contains("its ryp=\"0 0 0\" is not supported")));
}

#[test]
fn a_pose_may_be_a_quaternion() {
    let half = 0.5_f64.sqrt();
    let origin = format!("<origin xyz=\"1 2 3\" quat_xyzw=\"0 0 {half} {half}\"/>");
    let text = SOUND.replace("<origin xyz=\"1 2 3\"/>", &origin);
    let pose = urdf(&text).unwrap().value.links[0].shapes[0].shape_in_body;
    assert!((pose.point(Vec3::X) - Vec3::from([1.0, 3.0, 3.0])).norm() < 1e-15, "{pose:?}");
}
