//! What the tests of the program share: a rod that turns, its cell, and running the program there.
#![allow(dead_code)]

#[path = "../../../elbowroom-files/tests/support/data.rs"]
mod data;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub const ROD: &str = r#"<robot name="rod">
  <link name="base"/>
  <link name="arm"><collision><origin xyz="1 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="turn" type="revolute">
    <parent link="base"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1" velocity="1"/>
  </joint>
</robot>"#;

pub const CELL: &str = r#"margin = 0.05
[[robot]]
urdf = "rod.urdf"
[[obstacle]]
name = "<img src=x onerror=alert(1)>"
xyz = [0, 1, 0]
shape = { type = "sphere", radius = 0.2 }
"#;

/// A folder of this test's own with the rod and its cell.
pub fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("rod.urdf"), ROD).unwrap();
    std::fs::write(folder.join("cell.toml"), CELL).unwrap();
    let mut csv = String::from("t,turn\n");
    for i in 0..200 {
        csv.push_str(&format!("{},{}\n", f64::from(i) * 0.01, -1.9 + f64::from(i) * 0.018));
    }
    std::fs::write(folder.join("path.csv"), csv).unwrap();
    folder
}

pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_elbowroom")).current_dir(folder).args(arguments).output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub fn lines(bytes: &[u8]) -> Vec<Value> {
    text(bytes).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The folder of real robots, or `None` with a loud line.
pub fn robots() -> Option<PathBuf> {
    Some(data::data()?.join("robots").canonicalize().unwrap())
}
