//! What sensors saw: `--cloud` and `--octomap`.

use crate::support::data::data;
use crate::support::{checked, folder, run, text};
use serde_json::Value;
use std::path::Path;

/// A ball of 10 cm that slides along x.
const SLIDER: &str = r#"<robot name="arm"><link name="base"/><link name="ball"><collision><geometry>
  <sphere radius="0.1"/></geometry></collision></link><joint name="slide" type="prismatic">
  <parent link="base"/><child link="ball"/><axis xyz="1 0 0"/>
  <limit lower="-9" upper="9" effort="1" velocity="1"/></joint></robot>"#;

fn check(folder: &Path, more: &[&str]) -> (Option<i32>, Vec<Value>, String) {
    checked(folder, "arm.urdf", more)
}

/// A map of four cells along x from 0 to 0.4 m: occupied, free, not seen, occupied. The root's last part has
/// them, fifteen levels down.
fn map() -> Vec<u8> {
    let mut bytes = b"# Octomap OcTree binary file\nid OcTree\nsize 20\nres 0.1\ndata\n".to_vec();
    // A node has two bits for each of eight parts, the first part lowest: 01 free, 10 occupied, 11 a node.
    bytes.extend([0, 0b1100_0000]);
    for _ in 0..13 {
        bytes.extend([0b0000_0011, 0]);
    }
    // Of the cube of 0.4 m: the parts along x are the first two of each node.
    bytes.extend([0b0000_1111, 0]);
    bytes.extend([0b0000_0110, 0, 0b0000_1000, 0]);
    bytes
}

#[test]
fn clouds_are_balls_and_maps_are_boxes() {
    let folder = folder("seen");
    std::fs::write(folder.join("arm.urdf"), SLIDER).unwrap();
    std::fs::write(folder.join("scan.xyz"), "1 0 0\n1 1 0\nnan 0 0\n").unwrap();
    std::fs::write(folder.join("room.bt"), map()).unwrap();
    let distance = |line: &Value| line["distance"].as_f64().unwrap();
    let near = |line: &Value, wanted: f64| (distance(line) - wanted).abs() < 1e-9;

    let (code, lines, told) = check(&folder, &["--cloud", "scan.xyz", "--at", "0", "--at", "0.85"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(near(&lines[0], 1.0 - 0.1 - 0.01) && near(&lines[1], 0.04), "{lines:?}");
    assert_eq!(lines[0]["pair"], serde_json::json!(["arm/ball", "world/scan"]));
    assert!(told.contains("note: scan has 2 points") && told.contains("scan seen, 2 points"), "{told}");
    assert!(told.contains("1 of 3 points is not finite and left out; it is line 3"), "{told}");
    // A larger radius, along a motion, with what lies between, and twice the same file.
    let (code, lines, _) = check(&folder, &["--cloud", "scan.xyz", "--cloud-radius", "0.3", "--at", "0.7"]);
    assert!(code == Some(1) && lines[0]["verdict"] == "collision");
    std::fs::write(folder.join("by.csv"), "slide\n0\n2\n").unwrap();
    let (code, lines, _) = check(&folder, &["--cloud", "scan.xyz", "--motion", "by.csv", "--continuous"]);
    assert!(
        code == Some(1) && lines[1]["verdict"] == "clear" && lines[1]["edge"]["verdict"] == "contact",
        "{lines:?}"
    );
    let (_, lines, told) =
        check(&folder, &["--cloud", "scan.xyz", "--cloud", "scan.xyz", "--all-pairs", "--at", "0"]);
    assert!(
        lines[0]["pairs"].as_array().unwrap().len() == 2 && told.contains("scan_2 has 2 points"),
        "{told}"
    );

    // What was not seen is occupied, unless it is told to be free.
    let (_, lines, told) = check(&folder, &["--octomap", "room.bt", "--at=-1", "--at", "0.25"]);
    assert!(told.contains("room has 2 occupied cells, 1 cube not seen, which count as occupied"), "{told}");
    assert!(near(&lines[0], 0.9) && lines[1]["verdict"] == "collision", "{lines:?}");
    let free = ["--octomap", "room.bt", "--octomap-unknown", "free", "--at=0.5", "--all-pairs"];
    let (_, lines, told) = check(&folder, &free);
    assert!(told.contains("what was not seen counts as free"), "{told}");
    assert_eq!(lines[0]["pairs"].as_array().unwrap().len(), 1);

    // All that is wrong is told, and nothing is asked.
    std::fs::write(folder.join("empty.xyz"), "\n").unwrap();
    let bad =
        ["--cloud", "empty.xyz", "--cloud", "none.pcd", "--cloud-radius", "-1", "--octomap", "arm.urdf"];
    let (code, lines, told) = check(&folder, &bad);
    assert!(code == Some(2) && lines.is_empty());
    for words in ["empty.xyz", "none.pcd", "--cloud-radius is -1", "arm.urdf", "4 options are refused"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    std::fs::write(folder.join("far.xyz"), "0 0 0\n# none\n1e12 0 0\n0 0 -1e10\n").unwrap();
    std::fs::write(folder.join("ball.xyz"), "9 0 0\n").unwrap();
    let cell = "[[robot]]\nurdf = \"arm.urdf\"\n[[obstacle]]\nname = \"ball\"\nxyz = [0, 5, 0]\n\
        shape = { type = \"sphere\", radius = 0.1 }\n[[obstacle]]\nname = \"room_unknown\"\nxyz = [0, 7, 0]\n\
        shape = { type = \"sphere\", radius = 0.1 }\n";
    std::fs::write(folder.join("cell.toml"), cell).unwrap();
    let ask = |more: &[&str]| {
        let out = run(&folder, &[&["check", "cell.toml"], more].concat());
        assert_eq!(out.status.code(), Some(2));
        text(&out.stderr)
    };
    let told = ask(&["--cloud", "far.xyz", "--cloud-radius", "1e10"]);
    for words in [
        "far.xyz: line 3: the point (1000000000000, 0, 0) is farther than 1e9 m; give metres, or leave",
        "far.xyz: line 4: the point (0, 0, -10000000000) is farther",
        "--cloud-radius is 10000000000: give metres above zero, to 1e9",
        "2 options are refused",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let told = ask(&["--cloud", "ball.xyz", "--octomap", "room.bt"]);
    for words in [
        "--cloud ball.xyz: the name `world/ball` is taken: rename the file, or what has the name",
        "--octomap room.bt: the name `world/room_unknown` is taken",
        "2 options are refused",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

#[test]
fn the_worked_example_is_free() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let example = |file: &str| format!("robots/pick_and_place/{file}");
    let [cell, motion, scan] = ["cell.toml", "pick.jsonl", "scan.xyz"].map(example);
    let asked = ["check", &cell, "--motion", &motion, "--cloud", &scan, "--cloud-radius", "0.005"];
    let out = run(&root, &[&asked[..], &["--continuous"]].concat());
    let told = text(&out.stderr);
    assert_eq!(out.status.code(), Some(0), "{told}");
    for words in ["15 samples: 15 clear", "edges: 14 free", "part attached to puma/link_6", "part detached"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

/// The milk carton of PCL's data, as a depth camera recorded it: `--scan-pose` sets it on the stand beside
/// the way of the worked example.
#[test]
fn the_worked_example_passes_a_recorded_cloud() {
    let Some(data) = data() else { return };
    let carton = data.join("scenes/octomap_pointclouds/pcl/milk.pcd");
    let carton = carton.to_str().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let ask = |xy: &str, more: &[&str]| {
        let pose = format!("milk={xy},1.05039,0.270956,0.158068,-0.438797,-0.842054");
        let example = ["robots/pick_and_place/cell.toml", "--motion", "robots/pick_and_place/pick.jsonl"];
        let cloud = ["--cloud", carton, "--scan-pose", &pose, "--cloud-radius", "0.005"];
        text(&run(&root, &[&["check"], &example[..], &cloud, more].concat()).stderr)
    };
    let told = ask("0.26099,0.61256", &["--continuous"]);
    for words in ["15 samples: 15 clear", "edges: 14 free", "part attached to puma/link_6"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    // The carton 15 mm nearer.
    let told = ask("0.24799,0.62006", &[]);
    for words in ["deepest overlap 3.", "world/part and world/milk"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

#[test]
fn scan_poses_move_clouds_and_maps() {
    let folder = folder("scan_pose");
    std::fs::write(folder.join("arm.urdf"), SLIDER).unwrap();
    std::fs::write(folder.join("scan.xyz"), "0 1 0\n0 2 0\n").unwrap();
    std::fs::write(folder.join("room.bt"), map()).unwrap();
    let distance = |line: &Value| line["distance"].as_f64().unwrap();
    // A quarter turn about z brings y to -x.
    let turned = "scan=3,0,0,0.7071067811865476,0,0,0.7071067811865476";
    let (code, lines, told) = check(&folder, &["--cloud", "scan.xyz", "--scan-pose", turned, "--at", "0"]);
    assert!(code == Some(0) && (distance(&lines[0]) - (1.0 - 0.11)).abs() < 1e-9, "{told} {lines:?}");
    // What was not seen moves with what was.
    let shifted = ["--octomap", "room.bt", "--scan-pose", "room=1,0,0,1,0,0,0"];
    let (_, lines, told) = check(&folder, &[&shifted[..], &["--at", "0", "--at", "1.25"]].concat());
    assert!((distance(&lines[0]) - 0.9).abs() < 1e-9 && lines[1]["verdict"] == "collision", "{told}");

    let refused = |poses: &[&str], words: &[&str]| {
        let poses: Vec<&str> = poses.iter().flat_map(|pose| ["--scan-pose", pose]).collect();
        let (code, lines, told) = check(&folder, &[&["--cloud", "scan.xyz"], &poses[..]].concat());
        assert!(code == Some(2) && lines.is_empty(), "{told}");
        words.iter().for_each(|words| assert!(told.contains(words), "{words}: {told}"));
    };
    refused(&["room=0,0,0,1,0,0,0"], &["room", "nothing that was seen", "the clouds and OctoMaps are scan"]);
    refused(&[turned, turned], &["`scan` has a pose already"]);
    refused(
        &["scan=1,2,nan,1,0,0,0", "scan=1"],
        &["`nan` is not", "gives 1 number", "2 options are refused"],
    );
}
