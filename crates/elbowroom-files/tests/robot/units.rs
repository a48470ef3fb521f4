//! Numbers that are likely in another unit than a URDF has are asked about.

use crate::support::files;
use elbowroom_files::{Options, robot, world};
use std::path::Path;

/// A tetrahedron whose edges along the axes are so long.
fn tetrahedron(length: f64) -> String {
    format!("v 0 0 0\nv {length} 0 0\nv 0 {length} 0\nv 0 0 {length}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
}

/// The warnings about a robot of two links with a mesh, and a joint with these limits.
fn warnings(length: f64, scale: &str, limits: [f64; 2]) -> Vec<String> {
    let link = |name: &str| {
        format!(
            "<link name=\"{name}\"><collision><geometry><mesh filename=\"m.obj\" {scale}/></geometry>\
             </collision></link>"
        )
    };
    let urdf = format!(
        "<robot name=\"r\">{}{}<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\
         <limit lower=\"{}\" upper=\"{}\" effort=\"1\" velocity=\"1\"/></joint></robot>",
        link("a"),
        link("b"),
        limits[0],
        limits[1]
    );
    let files = files(&[("r.urdf", &urdf), ("m.obj", &tetrahedron(length))]);
    let loaded = robot::load_robot_from(&files, Path::new("r.urdf"), &Options::default()).unwrap();
    elbowroom_files::fault::warning_lines(&loaded.warnings)
}

#[test]
fn a_mesh_in_millimetres_is_asked_about_once_for_all_links() {
    let asked = warnings(300.0, "", [-1.0, 1.0]);
    assert_eq!(asked.len(), 1, "{asked:?}");
    let words =
        "is a mesh of more than 20 m: metres are meant; if its file is in millimetres, scale it by 0.001";
    assert!(asked[0].contains(words) && asked[0].contains("line 1, <mesh filename=\"m.obj\">"), "{asked:?}");
    // Scaled, it is an ordinary link; one in metres that is scaled all the same is a speck.
    let scale = "scale=\"0.001 0.001 0.001\"";
    assert!(warnings(300.0, scale, [-1.0, 1.0]).is_empty());
    let asked = warnings(0.3, scale, [-1.0, 1.0]);
    assert!(
        asked.len() == 1 && asked[0].contains("if its file is in metres, leave the scale out"),
        "{asked:?}"
    );
    // A small part that is not scaled is what it says.
    assert!(warnings(0.0005, "", [-1.0, 1.0]).is_empty());
}

#[test]
fn limits_in_degrees_are_asked_about() {
    for limits in [[-170.0, 170.0], [0.0, 360.0], [-90.0, 0.0]] {
        let asked = warnings(0.3, "", limits);
        let words = "its limits are more than three turns: radians are meant; if these are degrees, multiply \
                     them by 0.01745329";
        assert!(asked.len() == 1 && asked[0].contains(words), "{limits:?} {asked:?}");
    }
    // Three turns, and a way to write no limit, are not asked about.
    assert!(warnings(0.3, "", [-18.8, 18.8]).is_empty());
    assert!(warnings(0.3, "", [-1e4, 1e4]).is_empty());
}

#[test]
fn a_mesh_in_the_cell_is_asked_about_where_no_hall_is_so_large() {
    let cell = |length: f64, kind: &str| {
        let text = format!(
            "[[robot]]\nurdf = \"r.urdf\"\n[[obstacle]]\nname = \"o\"\n\
             shape = {{ file = \"m.obj\", type = \"{kind}\" }}\n"
        );
        let robot = "<robot name=\"r\"><link name=\"a\"/></robot>";
        let files = files(&[("w.toml", &text), ("r.urdf", robot), ("m.obj", &tetrahedron(length))]);
        let loaded = world::load_world_from(&files, Path::new("w.toml"), &Options::default()).unwrap();
        elbowroom_files::fault::warning_lines(&loaded.warnings)
    };
    for kind in ["mesh", "convex"] {
        assert!(cell(50.0, kind).is_empty());
        let asked = cell(1500.0, kind);
        assert!(asked.len() == 1 && asked[0].contains("a mesh of more than 200 m"), "{asked:?}");
    }
}
