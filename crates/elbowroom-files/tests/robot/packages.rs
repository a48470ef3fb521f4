//! All that a file asks of a package comes from one folder, and what that folder lacks is missing.

use crate::support::{files, refused};
use elbowroom::describe::{RobotDescription, ShapeDescription, WorldDescription};
use elbowroom_files::{Faults, Loaded, Options, robot, world};
use std::path::{Path, PathBuf};

const SMALL: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
const LARGE: &str = "v 0 0 0\nv 9 0 0\nv 0 9 0\nf 1 2 3\n";

fn urdf(meshes: &[&str]) -> String {
    let collision = |mesh: &&str| {
        format!("<collision><geometry><mesh filename=\"package://{mesh}\"/></geometry></collision>")
    };
    let collisions: Vec<String> = meshes.iter().map(collision).collect();
    format!("<robot name=\"r\"><link name=\"a\">\n{}\n</link></robot>", collisions.join("\n"))
}

/// The robot at `/o/w/p/urdf/r.urdf`, with meshes of package `p` and files beside it.
fn load(
    meshes: &[&str],
    others: &[(&str, &str)],
    given: &[&str],
) -> Result<Loaded<RobotDescription>, Faults> {
    let urdf = urdf(meshes);
    let files = files(&[&[("/o/w/p/urdf/r.urdf", &*urdf)], others].concat());
    let options = Options { package_paths: given.iter().map(PathBuf::from).collect(), ..Options::default() };
    robot::load_robot_from(&files, Path::new("/o/w/p/urdf/r.urdf"), &options)
}

/// The largest coordinate of each mesh, and the folders of packages.
fn reach(loaded: &Loaded<RobotDescription>) -> (Vec<f64>, Vec<(&str, &str)>) {
    let reach = |shape: &ShapeDescription| match shape {
        ShapeDescription::Mesh { vertices, .. } => vertices.iter().flatten().fold(0.0, |m: f64, x| m.max(*x)),
        _ => panic!("no mesh"),
    };
    let shapes = loaded.value.links[0].shapes.iter().map(|placed| reach(&placed.shape));
    let packages = loaded.packages.iter().map(|(name, folder)| (&**name, folder.to_str().unwrap()));
    (shapes.collect(), packages.collect())
}

/// A mesh that one copy lacks is not taken from another copy above it.
#[test]
fn what_a_package_lacks_is_missing() {
    let both = ["p/meshes/a.obj", "p/meshes/b.obj"];
    let above = [("/o/p/meshes/a.obj", LARGE), ("/o/p/meshes/b.obj", LARGE)];
    let near = [("/o/w/p/meshes/a.obj", SMALL), ("/o/w/p/meshes/b.obj", SMALL)];
    let whole = load(&both, &[&near[..], &above[..]].concat(), &[]).unwrap();
    assert_eq!(reach(&whole), (vec![1.0, 1.0], vec![("p", "/o/w/p")]));
    // Whichever is missing, first or last, or all of them.
    for (left, faults) in [(&near[..1], 1), (&near[1..], 1), (&[][..], 2)] {
        let words = [
            "does not exist; the package \"p\" is /o/w/p, which lacks it; another copy, /o/p, has it",
            "to use that copy, give --package-path /o first",
        ];
        let told = refused("a copy above", load(&both, &[left, &above[..]].concat(), &[]), &words);
        assert_eq!(told.0.len(), faults, "{told}");
    }
    // What it says to do works, and is then the whole robot's package.
    let chosen = load(&both, &[&near[..1], &above[..]].concat(), &["/o"]).unwrap();
    assert_eq!(reach(&chosen), (vec![9.0, 9.0], vec![("p", "/o/p")]));
    let alone = load(&both, &near[..1], &[]);
    let words = ["b.obj\" does not exist; the package \"p\" is /o/w/p, which lacks it: put the file there"];
    refused("no other copy", alone, &words);
}

/// A folder that was given is the one that is meant, also where it lacks a file that is elsewhere.
#[test]
fn a_given_folder_is_the_package() {
    let both = ["p/meshes/a.obj", "p/meshes/b.obj"];
    let near = [("/o/w/p/meshes/a.obj", SMALL), ("/o/w/p/meshes/b.obj", SMALL)];
    for (half, given) in
        [("/g/p/meshes/a.obj", "/g"), ("/g/p/meshes/a.obj", "/g/p"), ("/g/p/other/a.obj", "/g")]
    {
        let others = [&near[..], &[(half, LARGE)]].concat();
        let words = [
            "b.obj\" does not exist; the package \"p\" is /g/p, which lacks it; another copy, /o/w/p, has it",
        ];
        refused(given, load(&both, &others, &[given]), &words);
    }
    // Of two that are given, the first.
    let two = [("/g/p/meshes/a.obj", LARGE), ("/h/p/meshes/a.obj", SMALL), ("/h/p/meshes/b.obj", SMALL)];
    refused(
        "two",
        load(&both, &two, &["/g", "/h"]),
        &["is /g/p, which lacks it; another copy, /h/p, has it"],
    );
    assert_eq!(reach(&load(&both, &two, &["/h", "/g"]).unwrap()).1, [("p", "/h/p")]);
}

/// A package of ROS 2 holds a folder of its own name for its Python code.
#[test]
fn a_folder_of_python_code_is_not_the_package() {
    let others = [("/o/w/p/p/__init__.py", ""), ("/o/w/p/meshes/a.obj", SMALL)];
    let nested = load(&["p/meshes/a.obj"], &others, &[]).unwrap();
    assert_eq!(reach(&nested), (vec![1.0], vec![("p", "/o/w/p")]));
    let given = load(&["p/meshes/a.obj"], &others, &["/o/w/p"]).unwrap();
    assert_eq!(reach(&given).1, [("p", "/o/w/p")]);
    // With a manifest it is a package.
    let manifest = [&others[..], &[("/o/w/p/p/package.xml", "")]].concat();
    refused("manifest", load(&["p/meshes/a.obj"], &manifest, &[]), &["is /o/w/p/p, which lacks it"]);
}

/// Names of packages and files may be percent-encoded.
#[test]
fn a_package_is_found_by_its_decoded_name() {
    let others = [("/o/w/My Arm/meshes/a b.obj", SMALL), ("/o/My Arm/meshes/a%20b.obj", LARGE)];
    let found = load(&["My%20Arm/meshes/a%20b.obj"], &others, &[]).unwrap();
    assert_eq!(reach(&found), (vec![1.0], vec![("My Arm", "/o/w/My Arm")]));
}

/// Two robots may have a package each; a person should know.
#[test]
fn two_folders_of_one_name_are_told() {
    let urdf = urdf(&["p/a.obj"]);
    let load = |world: &str| -> Loaded<WorldDescription> {
        let files = files(&[
            ("/w/cell.toml", world),
            ("/w/x/x.urdf", &urdf),
            ("/w/x/p/a.obj", SMALL),
            ("/w/y/y.urdf", &urdf),
            ("/w/y/p/a.obj", LARGE),
        ]);
        world::load_world_from(&files, Path::new("/w/cell.toml"), &Options::default()).unwrap()
    };
    let robot = |name: &str, urdf: &str, given: &str| {
        format!("[[robot]]\nname = \"{name}\"\nurdf = \"{urdf}\"\npackage_path = [{given}]\n")
    };
    let told = |loaded: &Loaded<WorldDescription>| -> Vec<String> {
        loaded.warnings.iter().map(ToString::to_string).filter(|w| w.contains("package")).collect()
    };
    let two = load(&(robot("x", "x/x.urdf", "") + &robot("y", "y/y.urdf", "")));
    let words = "/w/x/x.urdf: the package \"p\" is not one folder: it is /w/x/p for /w/x/x.urdf, /w/y/p for \
                 /w/y/y.urdf; if one is meant, give the folder that holds it with --package-path";
    assert_eq!(told(&two), [words]);
    assert_eq!(two.packages.len(), 2);
    // Nothing to tell where all have one, or where each was given its own.
    for world in [
        robot("x", "x/x.urdf", "") + &robot("y", "x/x.urdf", ""),
        robot("x", "x/x.urdf", "\"y\"") + &robot("y", "y/y.urdf", ""),
        robot("x", "x/x.urdf", "\"x\"") + &robot("y", "y/y.urdf", "\"y\""),
    ] {
        assert!(told(&load(&world)).is_empty(), "{world}");
    }
}

/// One line says what many faults have in common, before all of them.
#[test]
fn a_missing_package_is_told_first() {
    let meshes: Vec<String> = (0..47).map(|i| format!("gone/m{i}.obj")).collect();
    let mut names: Vec<&str> = meshes.iter().map(String::as_str).collect();
    names.insert(0, "p/meshes/none.obj");
    let told = refused("no package", load(&names, &[("/o/w/p/meshes/a.obj", SMALL)], &[]), &[]);
    let first = "/o/w/p/urdf/r.urdf: the package \"gone\" was not found, and 47 references need it; give the \
                 folder that holds the package \"gone\" with --package-path, or put it beside the file";
    assert_eq!(told.0[0].to_string(), first);
    assert_eq!(told.0.len(), 1 + 1 + 47, "{told}");
    for mesh in &meshes {
        assert!(
            told.to_string().contains(&format!("the file \"package://{mesh}\" does not exist")),
            "{told}"
        );
    }
    // One missing file has one fault.
    assert_eq!(refused("one", load(&["gone/m.obj"], &[], &[]), &["looked for"]).0.len(), 1);
    // A count that was cut short does not look exact.
    let many: Vec<&str> = std::iter::repeat_n("gone/m.obj", 3000).collect();
    let told = refused("many", load(&many, &[], &[]), &[]);
    assert!(told.0[0].what.contains("and at least 1000 references need it"), "{}", told.0[0]);
}

fn manifest(name: &str) -> String {
    format!("<?xml version=\"1.0\"?>\n<package format=\"2\"><name> {name} </name></package>")
}

/// An archive of GitHub unpacks to `NAME-main`.
#[test]
fn a_package_is_found_by_the_name_in_its_manifest() {
    let (p, q, own) = (manifest("p"), manifest("q"), "/o/w/p-main/urdf/r.urdf");
    let text = urdf(&["p/meshes/a.obj", "q/meshes/a.obj"]);
    let at = |others: &[(&str, &str)], given: &[&str]| {
        let files = files(&[&[(own, &*text), ("/o/w/p-main/package.xml", &*p)], others].concat());
        let options =
            Options { package_paths: given.iter().map(PathBuf::from).collect(), ..Options::default() };
        robot::load_robot_from(&files, Path::new(own), &options)
    };
    let mesh = ("/o/w/p-main/meshes/a.obj", SMALL);
    let beside = [mesh, ("/o/w/q-1.0/meshes/a.obj", LARGE), ("/o/w/q-1.0/package.xml", &*q)];
    let found = at(&beside, &[]).unwrap();
    assert_eq!(reach(&found), (vec![1.0, 9.0], vec![("p", "/o/w/p-main"), ("q", "/o/w/q-1.0")]));
    // The package that holds the asking file comes before another of that name further up.
    let further = [&beside[..], &[("/o/p/meshes/a.obj", LARGE), ("/o/p/package.xml", &*p)]].concat();
    assert_eq!(reach(&at(&further, &[]).unwrap()).1[0], ("p", "/o/w/p-main"));
    // A folder that was given, or one in it.
    let elsewhere = [mesh, ("/g/q-2/meshes/a.obj", LARGE), ("/g/q-2/package.xml", &*q)];
    for given in ["/g", "/g/q-2"] {
        assert_eq!(reach(&at(&elsewhere, &[given]).unwrap()).1[1], ("q", "/g/q-2"), "{given}");
    }
    // Of two that merely say so none is chosen, until one is given; a folder of the name is.
    let twins = [&elsewhere[..], &[("/g/q-3/meshes/a.obj", SMALL), ("/g/q-3/package.xml", &*q)]].concat();
    let words = ["the manifests of /g/q-2 and /g/q-3 both say \"q\": give the one that is meant"];
    refused("twins", at(&twins, &["/g"]), &words);
    assert_eq!(reach(&at(&twins, &["/g/q-3"]).unwrap()).1[1], ("q", "/g/q-3"));
    let three = [&twins[..], &[("/g/q/meshes/a.obj", SMALL)]].concat();
    assert_eq!(reach(&at(&three, &["/g"]).unwrap()).1[1], ("q", "/g/q"));
    // A manifest with two names, of another format, or broken, has none.
    for odd in
        ["<package><name>q</name><name>p</name></package>", "<model><name>q</name></model>", "<package>"]
    {
        let others = [mesh, ("/g/q-2/meshes/a.obj", LARGE), ("/g/q-2/package.xml", odd)];
        refused(odd, at(&others, &["/g"]), &["the folder that holds the package \"q\""]);
    }
}

#[test]
fn a_package_on_a_disk_is_found_by_its_manifest() {
    let folder = crate::support::folder("manifest");
    for (path, text) in [
        ("p-main/package.xml", manifest("p")),
        ("p-main/meshes/a.obj", SMALL.into()),
        ("robots/r.urdf", urdf(&["p/meshes/a.obj"])),
    ] {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let loaded = elbowroom_files::load(folder.join("robots/r.urdf")).unwrap();
    assert_eq!(loaded.packages, [("p".to_string(), folder.join("p-main"))]);
}

/// Three strokes name no package: the first part is taken for its name, once no folder has the path.
#[test]
fn a_stroke_too_many_before_a_package_is_passed_over() {
    let manifest = "<package><name>s</name></package>";
    let others = [("/o/w/s-main/package.xml", manifest), ("/o/w/s-main/meshes/a.obj", SMALL)];
    let loaded = load(&["/s/meshes/a.obj"], &others, &[]).unwrap();
    assert_eq!(reach(&loaded), (vec![1.0], vec![("s", "/o/w/s-main")]));
    let told: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    let words = "names files by package:///NAME/...: NAME is taken as the package; write package://NAME/...";
    assert!(told.iter().any(|told| told.contains(words)), "{told:?}");
    let words = "give the folder that holds the package \"q\" with --package-path";
    refused("no package", load(&["/q/meshes/a.obj"], &others, &[]), &[words]);
}
