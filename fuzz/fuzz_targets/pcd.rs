//! Any bytes as a point cloud called .pcd: it is one, unless it begins like another format.

#![no_main]
mod common;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    common::cloud("/a.pcd", data);
});
