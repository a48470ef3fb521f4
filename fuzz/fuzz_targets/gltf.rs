//! Any bytes as a mesh called .glb; the seeds are glTF.

#![no_main]
mod common;

use elbowroom_files::Options;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    common::mesh("/a.glb", data, &Options::default());
});
