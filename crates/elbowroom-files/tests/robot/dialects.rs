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
