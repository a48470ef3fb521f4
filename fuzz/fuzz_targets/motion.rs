//! Any bytes as a motion, CSV or NPY.

#![no_main]
mod common;

use elbowroom_files::Options;
use elbowroom_files::motion::{Joints, load_motion_from};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let files = common::files(&[("/m.csv", data)]);
    let names = ["r/a".to_string(), "r/b".to_string()];
    let joints = Joints { names: &names, mimics: &[] };
    if let Ok(loaded) = load_motion_from(&files, Path::new("/m.csv"), joints, &Options::default()) {
        let motion = loaded.value;
        assert!(motion.rows.iter().all(|r| r.len() == 2 && r.iter().all(|v| v.is_finite())));
        assert!(motion.t.is_none_or(|t| t.len() == motion.rows.len()));
    }
});
