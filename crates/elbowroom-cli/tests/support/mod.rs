//! What the tests of the program share: a rod that turns, its cell, and running the program there.

pub mod schema;

pub use elbowroom_testkit::data;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub const ROD: &str = r#"<robot name="rod">
  <link name="base"/>
  <link name="arm"><collision>
    <origin xyz="1 0 0"/><geometry><sphere radius="0.1"/></geometry>
  </collision></link>
  <joint name="turn" type="revolute">
    <parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" effort="1" velocity="1"/>
  </joint>
</robot>"#;

/// A ball of 3 cm that slides along x at the height of 1 m.
pub const PROBE: &str = r#"<robot name="arm"><link name="base"/><link name="probe"><collision>
  <origin xyz="0 0 1"/><geometry><sphere radius="0.03"/></geometry></collision></link>
  <joint name="slide" type="prismatic"><parent link="base"/><child link="probe"/><axis xyz="1 0 0"/>
  <limit lower="-9" upper="9" effort="1" velocity="1"/></joint></robot>"#;

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

/// Runs `check` on a world of a folder: the exit code, the lines of `--json`, and what was said beside them.
pub fn checked(folder: &Path, world: &str, more: &[&str]) -> (Option<i32>, Vec<Value>, String) {
    let out = run(folder, &[&["check", world, "--json", "-"], more].concat());
    (out.status.code(), lines(&out.stdout), text(&out.stderr))
}

/// A world of a gripper with a mimic joint, a mesh in a package, an SRDF with a group and states, and an
/// obstacle.
pub fn gripper(folder: &Path) {
    let link = |name: &str, x: f64| {
        format!(
            "<link name=\"{name}\"><collision><origin xyz=\"{x} 0 0\"/><geometry><sphere radius=\"0.01\"/>\
             </geometry>\
             </collision></link>"
        )
    };
    let slide = |name: &str, child: &str, upper: f64, more: &str| {
        format!(
            "<joint name=\"{name}\" type=\"prismatic\"><parent link=\"palm\"/><child link=\"{child}\"/>\
             <axis xyz=\"1 0 0\"/>\
             <limit lower=\"0\" upper=\"{upper}\" effort=\"1\" velocity=\"1\"/>{more}</joint>"
        )
    };
    let palm = "<link name=\"palm\"><collision><geometry><mesh filename=\"package://hand/palm.obj\"/>\
        </geometry></collision></link>";
    let turn = "<joint name=\"wrist\" type=\"continuous\"><parent link=\"base\"/><child link=\"palm\"/>\
        <axis xyz=\"0 0 1\"/></joint>";
    let robot = format!(
        "<robot name=\"gripper\"><link name=\"base\"/>{palm}{}{}{}{}{turn}</robot>",
        link("left", 0.1),
        link("right", -0.1),
        slide("a", "left", 0.04, ""),
        slide("b", "right", 0.03, "<mimic joint=\"a\"/>")
    );
    std::fs::create_dir_all(folder.join("hand")).unwrap();
    std::fs::write(folder.join("hand/palm.obj"), "v 0 0 0\nv 0.02 0 0\nv 0 0.02 0\nf 1 2 3\n").unwrap();
    std::fs::write(folder.join("gripper.urdf"), robot).unwrap();
    let srdf = r#"<robot name="gripper">
        <group name="fingers"><joint name="a"/><joint name="b"/></group>
        <group_state name="open" group="fingers">
        <joint name="a" value="0.025"/><joint name="b" value="0.025"/></group_state>
        <group_state name="odd" group="fingers">
        <joint name="a" value="0.025"/><joint name="b" value="0.01"/></group_state>
        <disable_collisions link1="left" link2="right" reason="Never"/>
        <disable_collisions link1="left" link2="ghost" reason="Never"/>
        </robot>"#;
    std::fs::write(folder.join("gripper.srdf"), srdf).unwrap();
    let cell = "margin = 0.01\n[[robot]]\nurdf = \"gripper.urdf\"\n\
        [[obstacle]]\nname = \"post\"\nxyz = [1, 0, 0]\nshape = { type = \"box\", size = [0.1, 0.1, 0.1] }\n";
    std::fs::write(folder.join("gripper.toml"), cell).unwrap();
}

/// A prism on an L whose two arms are this wide, as OBJ.
pub fn prism(width: f64) -> String {
    let outline = [[0.0, 0.0], [1.0, 0.0], [1.0, width], [width, width], [width, 1.0], [0.0, 1.0]];
    let mut obj = String::new();
    for z in [0, 1] {
        outline.iter().for_each(|[x, y]| obj.push_str(&format!("v {x} {y} {z}\n")));
    }
    for [a, b, c] in [[1, 2, 3], [1, 3, 4], [1, 4, 5], [1, 5, 6]] {
        obj.push_str(&format!("f {c} {b} {a}\nf {} {} {}\n", a + 6, b + 6, c + 6));
    }
    for (a, b) in (1..=6).map(|a| (a, a % 6 + 1)) {
        obj.push_str(&format!("f {a} {b} {}\nf {a} {} {}\n", b + 6, b + 6, a + 6));
    }
    obj
}

pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_elbowroom"))
        .current_dir(folder)
        .args(arguments)
        // Pages say when they were made.
        .env("SOURCE_DATE_EPOCH", "1700000000")
        .output()
        .unwrap()
}

/// A page without the command that made it.
pub fn without_command(page: &str) -> String {
    let (before, rest) = page.split_once("<dt>command<dd>").unwrap();
    format!("{before}{}", rest.split_once("</dl>").unwrap().1)
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
