//! Any text behind the first lines of a scene as RViz saves it.

#![no_main]
mod common;

use elbowroom_files::Options;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let files = common::files(&[("/s.scene", &[b"name\n* ", data].concat()[..])]);
    let _ = elbowroom_files::scene::load_scene_from(&files, Path::new("/s.scene"), &Options::default());
});
