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

#[test]
fn the_srdf_that_lies_in_a_moveit_package_is_named_before_the_answer() {
    let folder = folder("near_srdf");
    for place in ["rod_description/urdf", "rod_moveit_config/config", "moveit_cfgs/rod/config"] {
        std::fs::create_dir_all(folder.join(place)).unwrap();
    }
    // A file that is warned about, and that there is a note about.
    let point = "<link name=\"tip\"><collision><geometry><sphere radius=\"0\"/></geometry></collision></link>\
        <joint name=\"tip\" type=\"fixed\"><parent link=\"arm\"/><child link=\"tip\"/></joint></robot>";
    let urdf = crate::support::ROD.replace("</robot>", point);
    std::fs::write(folder.join("rod_description/urdf/rod.urdf"), urdf).unwrap();
    let srdfs = ["moveit_cfgs/rod/config/rod.srdf", "rod_moveit_config/config/rod.srdf"];
    for srdf in srdfs {
        std::fs::write(folder.join(srdf), "<robot name=\"rod\"/>").unwrap();
    }
    let urdf = "rod_description/urdf/rod.urdf";
    let note = format!("note: SRDFs of rod found nearby (--srdf FILE): {}, {}\n", srdfs[0], srdfs[1]);
    for command in ["check", "pairs", "bench"] {
        let said = text(&run(&folder, &[command, urdf]).stderr);
        assert_eq!(said.matches(&note).count(), 1, "{command}: {said}");
        assert!(said.starts_with(&note), "{command} says something else first: {said}");
        assert!(said.contains("\nwarning: ") && said.contains("about these files"), "{command}: {said}");
        // Where one is used, or none is wanted, nothing is to be said.
        for more in [&["--srdf", srdfs[0]][..], &["--no-srdf"]] {
            let said = text(&run(&folder, &[&[command, urdf], more].concat()).stderr);
            assert!(!said.contains("nearby"), "{command} {more:?}: {said}");
        }
    }
}

#[test]
fn the_size_of_each_body_is_told() {
    let folder = folder("sizes");
    let told = text(&run(&folder, &["info", "cell.toml"]).stdout);
    let row = |name: &str| told.lines().find(|line| line.trim_start().starts_with(name)).unwrap().to_string();
    assert!(row("arm ").contains("0.2000 x 0.2000 x 0.2000"), "{told}");
    assert!(told.contains("link  size (m) ") && told.contains("size (m)                  shapes"), "{told}");
    assert!(row("<img").contains("0.4000 x 0.4000 x 0.4000"), "{told}");
    let object = crate::support::lines(&run(&folder, &["info", "cell.toml", "--json", "-"]).stdout).remove(0);
    let near = |body: usize, size: f64| {
        let extents = object["bodies"][body]["size"].as_array().unwrap().clone();
        extents.len() == 3 && extents.iter().all(|extent| (extent.as_f64().unwrap() - size).abs() < 1e-12)
    };
    assert!(object["bodies"][0]["size"].is_null() && near(1, 0.2) && near(2, 0.4), "{object}");
}
