//! Any bytes as a URDF.

#![no_main]
mod common;

use elbowroom_files::Options;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let files = common::files(&[("/a.urdf", data)]);
    let _ = elbowroom_files::robot::load_robot_from(&files, Path::new("/a.urdf"), &Options::default());
});
