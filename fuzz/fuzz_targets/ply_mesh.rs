//! Any bytes as a mesh called .ply; the seeds are PLY.

#![no_main]
mod common;

use elbowroom_files::Options;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    common::mesh("/a.ply", data, &Options::default());
});
