//! Any bytes as a mesh called .stl: the content decides what it is.

#![no_main]
mod common;

use elbowroom_files::Options;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let files = common::files(&[("/a.stl", data)]);
    if let Ok(mesh) = elbowroom_files::mesh::load_mesh_from(&files, Path::new("/a.stl"), &Options::default()) {
        let mesh = mesh.value;
        assert!(mesh.vertices.iter().flatten().all(|v| v.is_finite()));
        assert!(mesh.triangles.iter().flatten().all(|i| (*i as usize) < mesh.vertices.len()));
    }
});
