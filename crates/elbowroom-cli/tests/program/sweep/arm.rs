//! A world of two joints: a ball that turns about z and is lifted, among three obstacles.

use crate::support::folder;
use std::path::PathBuf;

const ARM: &str = r#"<robot name="arm"><link name="base"/><link name="mast"/>
  <link name="ball"><collision><origin xyz="1 0 0"/>
    <geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="mast"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="lift" type="prismatic"><parent link="mast"/><child link="ball"/><axis xyz="0 0 1"/>
    <limit lower="-0.5" upper="1" effort="1" velocity="1"/></joint>
</robot>"#;

/// The ball meets the post at the left, and the box in front of it less often.
const CELL: &str = r#"margin = 0.05
[[robot]]
urdf = "arm.urdf"
[[obstacle]]
name = "left"
xyz = [0, 1, 0.2]
shape = { type = "sphere", radius = 0.2 }
[[obstacle]]
name = "front"
xyz = [1.15, 0, 0.3]
shape = { type = "box", size = [0.2, 0.4, 0.6] }
[[obstacle]]
name = "low"
xyz = [0, 0, -1]
shape = { type = "box", size = [4, 4, 0.2] }
"#;

/// A folder of this test's own with this world in place of the rod's.
pub fn arm_folder(test: &str) -> PathBuf {
    let folder = folder(test);
    std::fs::write(folder.join("arm.urdf"), ARM).unwrap();
    std::fs::write(folder.join("cell.toml"), CELL).unwrap();
    folder
}
