//! Any bytes as an OctoMap, .bt or .ot.

#![no_main]
mod common;

use elbowroom_files::Options;
use elbowroom_files::octomap::load_octomap_from;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let files = common::files(&[("/m.bt", data)]);
    if let Ok(loaded) = load_octomap_from(&files, Path::new("/m.bt"), &Options::default()) {
        let map = loaded.value;
        let cells = || map.occupied.iter().chain(&map.free);
        assert!(cells().count() > 0);
        // Every cell is a cube on the grid within the root's.
        let (least, root) = (map.resolution, 65536.0 * map.resolution);
        assert!(cells().all(|cell| cell.edge >= least && cell.edge <= root));
        let inside = |v: f64, edge: f64| v.abs() + 0.5 * edge <= 0.5 * root * (1.0 + 1e-12);
        assert!(cells().all(|cell| cell.centre.iter().all(|v| inside(*v, cell.edge))));
    }
});
