//! Any bytes as a planning scene.

#![no_main]
mod common;

use elbowroom_files::Options;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let files = common::files(&[("/s.yaml", data)]);
    let _ = elbowroom_files::scene::load_scene_from(&files, Path::new("/s.yaml"), &Options::default());
});
