//! Any bytes as `[guard]` of a world: what is read is what a guard takes.

#![no_main]
mod common;

use elbowroom::World;
use elbowroom_files::Options;
use elbowroom_files::guard::load_guard_from;
use elbowroom_files::world::load_world_from;
use elbowroom_monitor::Guard;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

const WORLD: &[u8] = b"[[robot]]\nurdf = '/a.urdf'\n[[obstacle]]\nname = 'o'\nmovable = true\n\
    shape = { type = 'sphere', radius = 1 }\n";

fuzz_target!(|data: &[u8]| {
    let text = [WORLD, data].concat();
    let files = common::files(&[("/w.toml", &text), ("/a.urdf", common::URDF)]);
    let (path, options) = (Path::new("/w.toml"), Options::default());
    let Ok(loaded) = load_world_from(&files, path, &options) else { return };
    let Ok(world) = World::compile(&loaded.value) else { return };
    match load_guard_from(&files, path, &world, &options) {
        Ok(settings) => assert!(Guard::new(&world, &settings.value).is_ok()),
        Err(faults) => assert!(!faults.0.is_empty()),
    }
});
