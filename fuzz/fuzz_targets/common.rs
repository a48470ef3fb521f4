//! Files in memory for the targets; nothing touches the disk.

#![allow(dead_code)]

use elbowroom_files::Options;
use elbowroom_files::cloud::load_cloud_from;
use elbowroom_files::mesh::load_mesh_from;
use elbowroom_files::source::InMemory;
use std::path::{Path, PathBuf};

/// A mesh that is always there.
pub const OBJ: &[u8] = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

/// A robot that is always there.
pub const URDF: &[u8] = b"<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><link name=\"c\"/>\
<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint>\
<joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"c\"/></joint></robot>";

/// The given files, and the mesh `/m.obj`.
pub fn files(all: &[(&str, &[u8])]) -> InMemory {
    let given = all.iter().map(|(p, b)| (PathBuf::from(p), b.to_vec()));
    InMemory(given.chain([(PathBuf::from("/m.obj"), OBJ.to_vec())]).collect())
}

/// Reads any bytes as a mesh of this name: what is read must hold together.
pub fn mesh(name: &str, bytes: &[u8], options: &Options) {
    let files = files(&[(name, bytes)]);
    if let Ok(mesh) = load_mesh_from(&files, Path::new(name), options) {
        let mesh = mesh.value;
        assert!(mesh.vertices.iter().flatten().all(|v| v.is_finite()));
        assert!(mesh.triangles.iter().flatten().all(|i| (*i as usize) < mesh.vertices.len()));
    }
}

/// Reads any bytes as a point cloud of this name: points are finite, and there is at least one.
pub fn cloud(name: &str, bytes: &[u8]) {
    let files = files(&[(name, bytes)]);
    if let Ok(cloud) = load_cloud_from(&files, Path::new(name), &Options::default()) {
        let points = cloud.value.points;
        assert!(!points.is_empty() && points.iter().flatten().all(|v| v.is_finite()));
    }
}
