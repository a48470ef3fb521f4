//! Any bytes as a DAE, with the up axis honoured.

#![no_main]
mod common;

use elbowroom_files::Options;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    common::mesh("/a.dae", data, &Options { honour_up_axis: true, ..Options::default() });
});
