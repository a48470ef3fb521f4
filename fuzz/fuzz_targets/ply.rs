//! Any bytes as a point cloud called .ply; the seeds are PLY.

#![no_main]
mod common;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    common::cloud("/a.ply", data);
});
