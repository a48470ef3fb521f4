//! Any bytes as a world file beside a robot, a mesh and a scene.

#![no_main]
mod common;

use elbowroom_files::Options;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let scene: &[u8] = b"world: {collision_objects: [{id: o, primitives: [{type: box, dimensions: [1, 1, 1]}]}]}";
    let files = common::files(&[("/w.toml", data), ("/a.urdf", common::URDF), ("/s.yaml", scene)]);
    let _ = elbowroom_files::world::load_world_from(&files, Path::new("/w.toml"), &Options::default());
});
