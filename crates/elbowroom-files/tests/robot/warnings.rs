//! Warnings for people: those that are alike are one line.

use crate::support::files;
use elbowroom_files::fault::warning_lines;
use elbowroom_files::{Options, Warning, robot};
use std::path::{Path, PathBuf};

fn warning(file: &str, place: &str, what: &str) -> Warning {
    let [file, place, what, help] = [file, place, what, "help"].map(String::from);
    Warning { file: PathBuf::from(file), place, what, help }
}

#[test]
fn warnings_that_are_alike_become_one_line_with_a_count() {
    let many: Vec<Warning> = (1..=11).map(|k| warning("a", &format!("line {k}"), "is odd")).collect();
    assert_eq!(warning_lines(&many), ["a: line 1; line 2; line 3 and 8 others: is odd; help"]);
    assert_eq!(warning_lines(&many[..4]), ["a: line 1; line 2; line 3 and 1 other: is odd; help"]);
    assert_eq!(warning_lines(&many[..3]), ["a: line 1; line 2; line 3: is odd; help"]);
    assert_eq!(warning_lines(&many[..1]), [many[0].to_string()]);
    assert_eq!(warning_lines(&[]), Vec::<String>::new());
    // Of other kinds each for itself, in the order of the first; of several files with their names; said
    // twice, once.
    let mixed = [
        warning("a", "line 1", "is odd"),
        warning("b", "", "is even"),
        warning("b", "line 2", "is odd"),
        warning("c", "", "is even"),
        warning("d", "", "is new"),
        warning("d", "", "is new"),
    ];
    assert_eq!(
        warning_lines(&mixed),
        ["a: line 1; b: line 2: is odd; help", "b; c: is even; help", "d: is new; help"]
    );
}

#[test]
fn endless_joints_of_one_robot_are_one_line() {
    let joints: String = (0..11)
        .map(|k| {
            format!(
                "<link name=\"l{k}\"/>\n<joint name=\"j{k}\" type=\"revolute\"><parent link=\"base\"/>\
                 <child link=\"l{k}\"/><limit lower=\"-1e16\" upper=\"1e16\"/></joint>"
            )
        })
        .collect();
    let urdf = format!("<robot name=\"r\"><link name=\"base\"/>{joints}</robot>");
    let loaded =
        robot::load_robot_from(&files(&[("/a.urdf", &urdf)]), Path::new("/a.urdf"), &Options::default());
    let warnings = loaded.unwrap().warnings;
    assert_eq!(warnings.len(), 11);
    let [line] = &warning_lines(&warnings)[..] else { panic!("{:?}", warning_lines(&warnings)) };
    assert!(line.starts_with("/a.urdf: line 2, <joint name=\"j0\">; line 3, "), "{line}");
    assert!(
        line.contains("<joint name=\"j2\"> and 8 others: its limits -1e16 to 1e16 stand for none"),
        "{line}"
    );
}
