//! Any bytes as a motion: CSV, NPY or JSON lines.

#![no_main]
mod common;

use elbowroom_files::Options;
use elbowroom_files::motion::event::Change;
use elbowroom_files::motion::{Joints, load_motion_from};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let names = ["r/a".to_string(), "r/b".to_string()];
    let joints = Joints { names: &names, mimics: &[], ..Joints::default() };
    for name in ["/m.csv", "/m.jsonl"] {
        let files = common::files(&[(name, data)]);
        let Ok(loaded) = load_motion_from(&files, Path::new(name), joints, &Options::default()) else {
            continue;
        };
        let motion = loaded.value;
        assert!(motion.rows.iter().all(|r| r.len() == 2 && r.iter().all(|v| v.is_finite())));
        assert!(motion.t.is_none_or(|t| t.len() == motion.rows.len()));
        assert!(motion.events.is_sorted_by_key(|event| (event.sample, event.line)));
        for event in &motion.events {
            assert!(event.sample <= motion.rows.len());
            match &event.change {
                Change::Place { pose, .. } => assert!(pose.is_finite()),
                Change::Fill { shape, .. } => {
                    assert!(shape.shape_in_body.is_finite() && shape.padding >= 0.0);
                }
                _ => {}
            }
        }
    }
});
