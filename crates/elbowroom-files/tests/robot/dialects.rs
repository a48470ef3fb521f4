//! Robots' files as other programs write and read them: what ROS takes is taken, with a warning.

use super::loadable::{arm, urdf, warned};
use crate::support::refused;

#[test]
fn a_prefix_that_is_not_declared_is_passed_over_as_ros_does() {
    let more =
        "<gazebo reference=\"a\">\n<sensor:camera name=\"c\"><controller:ray r:on=\"1\"/></sensor:camera>
</gazebo>";
    let text = arm("<sphere radius=\"1\"/>", more);
    for head in ["", "<?xml version=\"1.0\"?>", "<!-- <a:b/> -->", "<!-- a --><?xml version=\"1.0\"?>"] {
        let robot = warned(&format!("{head}{text}"), "line 5: the prefix \"sensor\" is not declared");
        assert_eq!(robot, urdf(&text).unwrap().value);
    }
    assert_eq!(urdf(&text).unwrap().warnings.len(), 3, "once each");
    // Lines are still counted: on that of the outermost element, and behind.
    for (old, new, words) in [
        ("<robot name", "<robot nam", "line 1, <robot>: has no name"),
        (
            "radius=\"1\"/></geometry></collision></link>\n",
            "radius=\"x\"/></geometry></collision></link>\n",
            "line 1, <sphere>",
        ),
        ("xyz=\"3 0 0\"", "xyz=\"3 0 x\"", "line 2, <origin>"),
        (
            "type=\"continuous\"><parent link=\"m\"",
            "type=\"continuos\"><parent link=\"m\"",
            "line 4, <joint name=\"k\"",
        ),
        ("</gazebo>", "</gazeb>", "line 6: is not well-formed XML"),
    ] {
        let faulty = text.replacen(old, new, 1);
        assert_ne!(faulty, text, "{old}");
        refused(words, urdf(&faulty), &[words]);
    }
    // It is another element than the one without a prefix: a shape of it is no shape of the link.
    let foreign = text.replace("<link name=\"b\"><collision>", "<link name=\"b\"><x:collision>");
    refused(
        "foreign",
        urdf(&foreign.replace("3 0 0\"/>", "3 0 0\"/></x:collision><collision>")),
        &["another namespace"],
    );
    // A file of nothing else ends.
    let many: String = (0..40).map(|k| format!("<p{k}:a/>")).collect();
    refused(
        "many",
        urdf(&text.replace("</robot>", &format!("{many}</robot>"))),
        &["unknown namespace prefix"],
    );
}

#[test]
fn nul_bytes_behind_the_end_are_dropped_and_elsewhere_are_named() {
    let text = arm("<sphere radius=\"1\"/>", "");
    let words = "ends in NUL bytes or Ctrl-Z: dropped; save it again as text";
    for end in ["\0", "\0\0\n", "\n\0\n\0", "\u{1a}", "\r\n\u{1a}\0"] {
        let robot = warned(&format!("{text}{end}"), words);
        assert_eq!(robot, urdf(&text).unwrap().value);
    }
    assert!(urdf(&format!("{text}\n \n")).unwrap().warnings.is_empty());
    let within = text.replace("<link name=\"b\">", "<link name=\"b\0\">");
    refused("within", urdf(&within), &["line 2: holds a NUL byte; save the file as UTF-8 text without it"]);
    refused("behind the end", urdf(&format!("{text}\0x")), &["line 5: holds a NUL byte"]);
    refused("nothing else", urdf("\0\0"), &["is not well-formed XML"]);
}

#[test]
fn an_element_that_is_there_twice_and_says_the_same_counts_once() {
    let text = arm("<sphere radius=\"1\"/>", "");
    let sound = urdf(&text).unwrap().value;
    let geometry = "<geometry><sphere radius=\"1\"/></geometry>";
    let limit = |upper: &str| format!("<limit effort=\"1\" lower=\"-1\" upper=\"{upper}\"/>");
    for (tag, first, same, other) in [
        ("axis", "<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0.0  1\"/>", "<axis xyz=\"0 0 -1\"/>"),
        ("parent", "<parent link=\"a\"/>", "<parent link=\"a\"></parent>", "<parent link=\"m\"/>"),
        ("child", "<child link=\"m\"/>", "<child link=\"m\"/>", "<child link=\"b\"/>"),
        (
            "origin",
            "<origin xyz=\"3 0 0\"/>",
            "<origin xyz=\"3 0 0\"/>",
            "<origin xyz=\"3 0 0\" rpy=\"0 0 1\"/>",
        ),
        ("geometry", geometry, geometry, "<geometry><sphere radius=\"2\"/></geometry>"),
        ("geometry", geometry, geometry, "<geometry><sphere radius=\"1\"/><a/></geometry>"),
        ("sphere", "<sphere radius=\"1\"/>", "<sphere radius=\"1.0\"/>", "<sphere radius=\"2\"/>"),
    ] {
        let with = |more: &[&str]| text.replacen(first, &format!("{first}{}", more.concat()), 1);
        for again in [&[same][..], &[same, same]] {
            let words =
                format!("<{tag}>: is there a second time, with the same words: it counts once; remove it");
            let words = match same.split('"').nth(1).filter(|_| same.contains("link=")) {
                Some(link) => words.replace(&format!("<{tag}>"), &format!("<{tag} link=\"{link}\">")),
                None => words,
            };
            assert_eq!(warned(&with(again), &words), sound, "{tag}");
        }
        let words =
            if tag == "sphere" { "is the second shape".into() } else { format!("is the second {tag}") };
        refused(other, urdf(&with(&[other])), &[&words]);
        refused(other, urdf(&with(&[same, other])), &[&words]);
    }
    let limited =
        text.replacen("\"continuous\">", &format!("\"revolute\">{}{}", limit("1"), limit("1.0")), 1);
    warned(&limited, "<limit>: is there a second time");
    refused("limit", urdf(&limited.replace("1.0", "2")), &["is the second limit"]);
    let mimic = "<mimic joint=\"j\" multiplier=\"2\"/>";
    let follows = text.replacen("<child link=\"b\"/>", &format!("<child link=\"b\"/>{mimic}{mimic}"), 1);
    warned(&follows, "<mimic>: is there a second time");
    refused("mimic", urdf(&follows.replacen("\"2\"", "\"3\"", 1)), &["is the second mimic"]);
}

#[test]
fn a_robot_with_an_empty_name_has_that_of_its_file() {
    let text = arm("<sphere radius=\"1\"/>", "");
    for name in ["", "  "] {
        let empty = text.replacen("name=\"r\"", &format!("name=\"{name}\""), 1);
        let robot = warned(&empty, "<robot name=\"");
        assert_eq!(robot.name, "a");
        warned(&empty, "its name is empty: \"a\" is taken, after the file; give it one");
    }
    refused("none", urdf(&text.replacen(" name=\"r\"", "", 1)), &["<robot>: has no name"]);
}

#[test]
fn what_is_no_shape_beside_a_shape_is_told_as_such() {
    let shape = "<sphere radius=\"1\"/>";
    let sound = urdf(&arm(shape, "")).unwrap().value;
    for (other, told) in [
        ("<declare_convex/>", "<declare_convex>"),
        ("<drake:declare_convex/>", "<declare_convex>"),
        ("<origin/>", "<origin>"),
        ("<origin xyz=\"0 0 0\" rpy=\"0.0 0 -0\"/>", "<origin>"),
        ("<material name=\"grey\"/>", "<material>"),
    ] {
        let words = format!("{told} is not a shape, and has no effect in a <geometry>");
        for both in [format!("{shape}{other}"), format!("{other}{shape}")] {
            assert_eq!(warned(&arm(&both, ""), &words), sound, "{both}");
        }
    }
    for (other, words) in [
        (
            "<origin xyz=\"0 0 1\"/>",
            "<origin> is not a shape, and has no effect in a <geometry>; put it before",
        ),
        ("<origin xyz=\"0 0 x\"/>", "<origin> is not a shape"),
        ("<scale>2</scale>", "<scale> is not a shape, and has no effect in a <geometry>; write one"),
        (
            "<spere radius=\"2\"/>",
            "<spere> is not a shape, and has no effect in a <geometry>; did you mean \"sphere\"?",
        ),
        ("<box size=\"1 1 1\"/>", "<box>: is the second shape of one geometry"),
    ] {
        let told = refused(other, urdf(&arm(&format!("{shape}{other}"), "")), &[words]).to_string();
        assert_eq!(told.lines().count(), 2, "one fault and the count: {told}");
    }
}

#[test]
fn macros_alone_make_no_robot_and_text_for_xacro_is_named() {
    let library =
        "<robot xmlns:xacro=\"http://ros.org/wiki/xacro\">\n<xacro:property name=\"p\" value=\"1\"/>
<xacro:macro name=\"m\" params=\"q\"><link name=\"${q}\"/></xacro:macro></robot>";
    let words =
        "is a library of xacro macros: by itself it makes no link, and so no robot; give the xacro file";
    let told = refused("library", urdf(library), &[words]).to_string();
    assert_eq!(told.lines().count(), 2, "one fault and the count: {told}");
    // Undeclared, as some are.
    refused("undeclared", urdf(&library.replace(" xmlns:xacro=\"http://ros.org/wiki/xacro\"", "")), &[words]);
    // With a call of a macro it is a robot, once it is expanded.
    let robot = library.replace("</robot>", "<xacro:m q=\"a\"/></robot>");
    refused("robot", urdf(&robot), &["uses xacro, which must be expanded first; expand it"]);
    let text = arm("<mesh filename=\"m.obj\"/>", "");
    for value in ["$(optenv EXTRAS none)/m.obj", "$(env HOME)/m.obj", "${dir}/m.obj", "$(dirname)/m.obj"] {
        let words =
            format!("<mesh filename={value:?}>: its filename={value:?} uses xacro, and was not expanded");
        refused(value, urdf(&text.replace("m.obj", value)), &[&words]);
    }
}
