//! Any bytes as a point cloud of no known name; the seeds are text and NPY.

#![no_main]
mod common;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    common::cloud("/a.xyz", data);
});
