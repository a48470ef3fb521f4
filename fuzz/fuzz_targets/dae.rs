//! Any bytes as a DAE, with the up axis honoured.

#![no_main]
mod common;

use elbowroom_files::Options;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let files = common::files(&[("/a.dae", data)]);
    let options = Options { honour_up_axis: true, ..Options::default() };
    if let Ok(mesh) = elbowroom_files::mesh::load_mesh_from(&files, Path::new("/a.dae"), &options) {
        let mesh = mesh.value;
        assert!(mesh.vertices.iter().flatten().all(|v| v.is_finite()));
        assert!(mesh.triangles.iter().flatten().all(|i| (*i as usize) < mesh.vertices.len()));
    }
});
