//! What the tests share: finding real data, and files in memory.
// No suite uses everything.
#![allow(dead_code, unused_imports)]

use elbowroom_testkit::data;

pub use data::data;

use elbowroom_files::Faults;
use elbowroom_files::source::InMemory;
use std::path::{Path, PathBuf};

/// All files below a folder whose name ends so, in a steady order.
pub fn below(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let (mut out, mut open) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if endings.iter().any(|e| path.to_string_lossy().to_lowercase().ends_with(e)) {
                out.push(path);
            }
        }
    }
    out.sort();
    out
}

/// Files in memory.
pub fn files(all: &[(&str, &str)]) -> InMemory {
    InMemory(all.iter().map(|(p, t)| (PathBuf::from(p), t.as_bytes().to_vec())).collect())
}

/// An empty folder of this test's own.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// The faults of what must be refused, each of these words among them.
#[track_caller]
pub fn refused<T>(what: &str, result: Result<T, Faults>, words: &[&str]) -> Faults {
    let Err(faults) = result else { panic!("{what}: should be refused for {words:?}") };
    let text = faults.to_string();
    for word in words {
        assert!(text.contains(word), "{what}: {word:?} is not in\n{text}");
    }
    faults
}
