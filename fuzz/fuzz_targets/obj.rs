//! Any bytes as a mesh called .obj: the content decides what it is.

#![no_main]
mod common;

use elbowroom_files::Options;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    common::mesh("/a.obj", data, &Options::default());
});
