//! Packages and other files as the program finds them on a disk.

use crate::support::{folder, run, text};
use std::path::Path;

const SMALL: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

fn put(folder: &Path, name: &str, what: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, what).unwrap();
}

/// A mesh that the package of the URDF lacks is not taken from a copy further up, nor from the present
/// folder.
#[test]
fn a_mesh_is_not_taken_from_another_copy() {
    let folder = folder("copies");
    let _ = std::fs::remove_dir_all(folder.join("ws"));
    let mesh = |name: &str| {
        format!(
            "<collision><geometry><mesh filename=\"package://arm/meshes/{name}\"/></geometry></collision>"
        )
    };
    let robot =
        format!("<robot name=\"r\"><link name=\"a\">{}{}</link></robot>", mesh("a.obj"), mesh("b.obj"));
    put(&folder, "ws/arm/urdf/r.urdf", &robot);
    for copy in ["ws/arm/meshes/a.obj", "ws/arm/meshes/b.obj", "arm/meshes/a.obj", "arm/meshes/b.obj"] {
        put(&folder, copy, SMALL);
    }
    let info = |more: &[&str]| run(&folder, &[&["info", "ws/arm/urdf/r.urdf"], more].concat());
    let whole = info(&[]);
    let folders = |out: &[u8]| -> Vec<String> {
        text(out).lines().filter(|line| line.starts_with("package://")).map(str::to_string).collect()
    };
    assert_eq!(folders(&whole.stdout), ["package://arm: ws/arm"]);
    std::fs::remove_file(folder.join("ws/arm/meshes/b.obj")).unwrap();
    let words = "the package \"arm\" is ws/arm, which lacks it; another copy, arm, has it: to use that copy, \
        give --package-path . first";
    let out = info(&[]);
    assert!(out.status.code() == Some(2) && text(&out.stderr).contains(words), "{}", text(&out.stderr));
    let given = info(&["--package-path", "ws"]);
    assert!(
        given.status.code() == Some(2) && text(&given.stderr).contains("is ws/arm"),
        "{}",
        text(&given.stderr)
    );
    let out = info(&["--package-path", "."]);
    assert_eq!(folders(&out.stdout), ["package://arm: ./arm"], "{}", text(&out.stderr));

    // A folder that the path leaves is not above the URDF.
    put(&folder, "here/arm/meshes/a.obj", SMALL);
    put(&folder, "here/arm/meshes/b.obj", SMALL);
    put(&folder, "robots/r.urdf", &robot);
    let out = run(&folder.join("here"), &["info", "../robots/r.urdf"]);
    assert_eq!(folders(&out.stdout), ["package://arm: ../arm"], "{}", text(&out.stderr));
}

/// A motion, or an SRDF, in the place of the world.
#[test]
fn what_is_no_world_is_refused_in_a_line() {
    let folder = folder("no_world");
    put(&folder, "rod.srdf", "<robot name=\"rod\"><group name=\"g\"><link name=\"arm\"/></group></robot>");
    for (file, words) in [
        ("path.csv", "path.csv: is a .csv file, a motion, and neither a URDF nor a world file"),
        ("rod.srdf", "is an SRDF, not a URDF; give the robot's URDF, and this file with --srdf"),
    ] {
        let out = run(&folder, &["info", file]);
        let said = text(&out.stderr);
        assert!(out.status.code() == Some(2) && said.contains(words), "{said}");
        assert_eq!(said.lines().count(), 3, "{said}");
    }
}
