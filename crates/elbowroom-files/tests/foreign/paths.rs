//! Names of files as Windows has them, and what they mean elsewhere.

use crate::support::{files, folder, refused};
use elbowroom::describe::{RobotDescription, WorldDescription};
use elbowroom_files::{Faults, Loaded, Options, robot, world};
use std::path::{Path, PathBuf};

const MESH: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

/// A robot at `/o/p/urdf/r.urdf` with these meshes; there are `a.obj` beside it, in `/o/p/meshes`, and in
/// `/given/q/meshes`.
fn load(meshes: &[&str]) -> Result<Loaded<RobotDescription>, Faults> {
    let collision =
        |mesh: &&str| format!("<collision><geometry><mesh filename=\"{mesh}\"/></geometry></collision>");
    let collisions: String = meshes.iter().map(collision).collect();
    let urdf = format!("<robot name=\"r\"><link name=\"a\">{collisions}</link></robot>");
    let files = files(&[
        ("/o/p/urdf/r.urdf", &urdf),
        ("/o/p/urdf/a.obj", MESH),
        ("/o/p/meshes/a.obj", MESH),
        ("/o/p/package.xml", "<package><name>p</name></package>"),
        ("/given/q/meshes/a.obj", MESH),
        ("/given/q/package.xml", "<package><name>q</name></package>"),
    ]);
    let options = Options { package_paths: vec![PathBuf::from("/given")], ..Options::default() };
    robot::load_robot_from(&files, Path::new("/o/p/urdf/r.urdf"), &options)
}

#[test]
fn backslashes_are_strokes_where_no_file_has_them_in_its_name() {
    let names = [
        "..\\meshes\\a.obj",
        ".\\a.obj",
        "package:\\\\p\\meshes\\a.obj",
        "package://p\\meshes\\a.obj",
        "package://p/meshes\\a.obj",
        "package:\\\\q\\meshes/a.obj",
        "package://q%5Cmeshes%5Ca.obj",
        "file:\\\\\\o\\p\\meshes\\a.obj",
        "q\\meshes\\a.obj",
    ];
    for name in names {
        let loaded = load(&[name]).unwrap_or_else(|faults| panic!("{name}: {faults}"));
        assert_eq!(loaded.value.links[0].shapes.len(), 1, "{name}");
        let told: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|told| told.contains("taken as \"/\"")), "{name}: {told:?}");
    }
    let all = load(&names).unwrap();
    let told = all.warnings.iter().filter(|told| told.to_string().contains("taken as"));
    assert_eq!((all.value.links[0].shapes.len(), told.count()), (names.len(), 1), "told once a file");
    let plain = load(&["../meshes/a.obj", "package://p/meshes/a.obj", "file:///o/p/meshes/a.obj"]).unwrap();
    assert!(plain.warnings.is_empty(), "{:?}", plain.warnings);
}

#[cfg(not(windows))]
#[test]
fn a_file_that_has_a_backslash_in_its_name_comes_first() {
    let urdf = "<robot name=\"r\"><link name=\"a\"><collision><geometry><mesh filename=\"m\\a.obj\"/>\
                </geometry></collision></link></robot>";
    let files = files(&[("/r.urdf", urdf), ("/m\\a.obj", MESH), ("/m/a.obj", "no mesh")]);
    let loaded = robot::load_robot_from(&files, Path::new("/r.urdf"), &Options::default()).unwrap();
    assert!(loaded.warnings.is_empty() && loaded.files.contains(&PathBuf::from("/m\\a.obj")));
}

#[test]
fn a_missing_file_is_looked_for_by_the_name_that_was_meant() {
    for name in ["..\\meshes\\b.obj", "package:\\\\p\\meshes\\b.obj"] {
        let told = refused(name, load(&[name]), &["does not exist"]).to_string();
        assert!(told.contains("meshes/b.obj") || told.contains("/o/p, which lacks it"), "{told}");
    }
    refused("a case", load(&["..\\Meshes\\A.obj"]), &["meshes/a.obj is there", "same capitals"]);
}

#[cfg(not(windows))]
#[test]
fn paths_of_windows_computers_are_called_that() {
    for name in [
        "C:\\robots\\a.stl",
        "c:/robots/a.stl",
        "file:///C:/robots/a.stl",
        "file://C:\\robots\\a.stl",
        "\\\\server\\robots\\a.stl",
    ] {
        let words = ["is a path of a Windows", "relative to the file that names it", "--package-path"];
        let told = refused(name, load(&[name]), &words);
        assert_eq!(told.0.len(), 1, "{told}");
    }
    // In a world file, with each kind of quotes; and a file that is given itself.
    let load = |text: &str| -> Result<Loaded<WorldDescription>, Faults> {
        world::load_world_from(&files(&[("/w.toml", text)]), Path::new("/w.toml"), &Options::default())
    };
    for urdf in ["'C:\\robots\\a.urdf'", "\"C:\\\\robots\\\\a.urdf\"", "'\\\\server\\robots\\a.urdf'"] {
        let words = ["line 2", "is a path of a Windows", "--package-path"];
        refused(urdf, load(&format!("[[robot]]\nurdf = {urdf}\n")), &words);
    }
    let words = ["line 2", "write paths with / or in single quotes"];
    refused("an escape", load("[[robot]]\nurdf = \"C:\\my\\a.urdf\"\n"), &words);
    let given = world::load_world_from(&files(&[]), Path::new("C:\\w.toml"), &Options::default());
    refused("the world itself", given, &["is a path of a Windows"]);
}

/// Names that no text can tell are still names of files.
#[cfg(unix)]
#[test]
fn names_that_are_not_utf8_are_read_and_told() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let scratch = folder("foreign-names");
    let place = scratch.join(OsStr::from_bytes(b"gr\xf6\xdfe"));
    // Some systems refuse such names.
    if std::fs::create_dir(&place).is_err() {
        return;
    }
    let urdf = "<robot name=\"r\"><link name=\"a\"><collision><geometry><mesh filename=\"a.obj\"/></geometry>\
                </collision></link></robot>";
    std::fs::write(place.join("r.urdf"), urdf).unwrap();
    let told = refused("no mesh", world::load_world(&place.join("r.urdf"), &Options::default()), &["a.obj"]);
    assert!(told.to_string().contains("gr\u{fffd}\u{fffd}e"), "{told}");
    std::fs::write(place.join("a.obj"), MESH).unwrap();
    let loaded = world::load_world(&place.join("r.urdf"), &Options::default()).unwrap();
    assert!(loaded.files.contains(&place.join("a.obj")));
    // A mesh whose name is in Latin-1 in the text and in UTF-8 on the disk, and the other way round.
    let latin =
        b"<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><robot name=\"r\"><link name=\"a\"><collision>\
                  <geometry><mesh filename=\"\xe4.obj\"/></geometry></collision></link></robot>";
    std::fs::write(place.join("l.urdf"), latin).unwrap();
    std::fs::write(place.join(OsStr::from_bytes(b"\xe4.obj")), MESH).unwrap();
    refused("other bytes", world::load_world(&place.join("l.urdf"), &Options::default()), &["\u{e4}.obj"]);
    std::fs::write(place.join("\u{e4}.obj"), MESH).unwrap();
    assert!(world::load_world(&place.join("l.urdf"), &Options::default()).is_ok());
    let _ = std::fs::remove_dir_all(scratch);
}
