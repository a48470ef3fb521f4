//! Any bytes as a file of poses: what is read row by row is what a motion reads whole.

#![no_main]
mod common;

use elbowroom_files::Options;
use elbowroom_files::motion::{Joints, PoseFile, load_motion_from};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let names = ["r/a".to_string(), "r/b".to_string()];
    let joints = Joints { names: &names, mimics: &[], ..Joints::default() };
    // The reader keeps its file open, so it needs one on the disk.
    let path = std::env::temp_dir().join(format!("elbowroom-fuzz-{}.csv", std::process::id()));
    if std::fs::write(&path, data).is_err() {
        return;
    }
    let opened = PoseFile::open(&path, joints, &Options::default());
    let Ok(poses) = opened.map(|loaded| loaded.value) else { return };
    let rows = poses.row_count();
    assert!(rows > 0 && rows <= data.len() as u64);
    let (mut all, mut some) = (Vec::new(), Vec::new());
    let Ok(faults) = poses.read_rows(0..rows, &mut all) else { return };
    assert_eq!(all.len() as u64, 2 * rows);
    for fault in &faults {
        let row = fault.row as usize;
        assert!(all[2 * row..2 * row + 2].iter().all(|value| value.is_nan()));
    }
    // Any part is what it is in the whole.
    let (from, to) = (rows / 3, rows - rows / 4);
    if poses.read_rows(from..to, &mut some).is_ok() {
        let own = &all[2 * from as usize..2 * to as usize];
        assert!(some.iter().zip(own).all(|(a, b)| a.to_bits() == b.to_bits()) && some.len() == own.len());
    }
    let files = common::files(&[("/m.csv", data)]);
    if let Ok(motion) = load_motion_from(&files, Path::new("/m.csv"), joints, &Options::default())
        && faults.is_empty()
        && motion.value.rows.len() as u64 == rows
    {
        assert!(motion.value.rows.iter().flatten().zip(&all).all(|(a, b)| a.to_bits() == b.to_bits()));
    }
});
