//! Numbers with decimal commas, as spreadsheets write them in many languages, are refused by that name.

use crate::support::{files, folder, refused};
use elbowroom_files::cloud::load_cloud_from;
use elbowroom_files::motion::{Joints, PoseFile, load_motion_from};
use elbowroom_files::{Options, mesh::load_mesh_from};
use std::path::Path;

#[test]
fn a_table_with_decimal_commas_is_one_fault_that_says_so() {
    let names = ["arm/a", "arm/b"].map(String::from);
    let joints = Joints { names: &names, ..Joints::default() };
    let options = Options::default();
    let text = "t;a;b\n0;0,5;-1,25\n0,1;0,75;1\n";
    let told = refused(
        "a motion",
        load_motion_from(&files(&[("/m.csv", text)]), Path::new("/m.csv"), joints, &options),
        &["line 2, sample 0, and 3 more times", "decimal commas", "write decimals with a point"],
    );
    assert_eq!(told.0.len(), 1, "{told}");
    // Where commas stand between the numbers too, each number is two fields.
    for text in ["a,b\n0,5,1,25\n", "a\n0,5\n"] {
        let joints = Joints { names: &names[..text.lines().next().unwrap().split(',').count()], ..joints };
        let read = load_motion_from(&files(&[("/m.csv", text)]), Path::new("/m.csv"), joints, &options);
        refused(text, read, &["fields, the header has", "decimal commas, write points"]);
    }
    // The rows of a sweep.
    let scratch = folder("foreign-commas");
    let path = scratch.join("m.csv");
    std::fs::write(&path, text).unwrap();
    let file = PoseFile::open(&path, joints, &options).unwrap().value;
    let faults = file.read_rows(0..2, &mut Vec::new()).unwrap();
    assert!(faults.len() >= 2 && faults.iter().all(|fault| fault.what.contains("decimal commas")));
    let _ = std::fs::remove_dir_all(scratch);
}

#[test]
fn clouds_and_meshes_with_decimal_commas_are_told_what_to_write() {
    let options = Options::default();
    let stl = "solid\nfacet\nouter loop\nvertex 0,5 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    let help = ["write decimals with a point"];
    refused("an STL", load_mesh_from(&files(&[("/a.stl", stl)]), Path::new("/a.stl"), &options), &help);
    let cloud = "0,5;1;2\n1;2;3\n";
    refused("a cloud", load_cloud_from(&files(&[("/a.xyz", cloud)]), Path::new("/a.xyz"), &options), &help);
}
