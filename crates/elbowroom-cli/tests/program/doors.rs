//! Doors: parts of movable obstacles that move along a joint of their own, and what a box holds.

use crate::support::{PROBE, checked, lines, run, text};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A replaceable unit (ORU): a box of 20 cm inside, open towards the probe, with a door there that turns
/// outward about its upright edge, and a camera in it, 5 cm behind its middle.
const CELL: &str = r#"[[robot]]
urdf = "arm.urdf"
[[obstacle]]
name = "oru"
movable = true
xyz = [1, 0, 1]
shapes = [
  { type = "box", size = [0.01, 0.22, 0.22], xyz = [0.105, 0, 0] },
  { type = "box", size = [0.2, 0.01, 0.22], xyz = [0, 0.105, 0] },
  { type = "box", size = [0.2, 0.01, 0.22], xyz = [0, -0.105, 0] },
  { type = "box", size = [0.2, 0.2, 0.01], xyz = [0, 0, 0.105] },
  { type = "box", size = [0.2, 0.2, 0.01], xyz = [0, 0, -0.105] },
]
[[obstacle]]
name = "oru_door"
movable = true
attached_to = "world/oru"
xyz = [-0.105, 0.1, 0]
door = { joint = "revolute", axis = [0, 0, -1], limits = [0, 1.6] }
shape = { type = "box", size = [0.01, 0.2, 0.2], xyz = [0, -0.1, 0] }
[[obstacle]]
name = "camera"
movable = true
attached_to = "world/oru"
xyz = [0.05, 0, 0]
shape = { type = "sphere", radius = 0.02 }
"#;

fn folder(test: &str) -> PathBuf {
    let folder = crate::support::folder(test);
    std::fs::write(folder.join("arm.urdf"), PROBE).unwrap();
    std::fs::write(folder.join("oru.toml"), CELL).unwrap();
    folder
}

fn check(folder: &Path, more: &[&str]) -> (Option<i32>, Vec<Value>, String) {
    checked(folder, "oru.toml", more)
}

/// Verdict, the body that the probe meets, and how far that is in millimetres.
fn met(line: &Value) -> (&str, &str, i64) {
    let [a, b] = [0, 1].map(|i| line["pair"][i].as_str().unwrap());
    assert_eq!(a, "arm/probe", "{line}");
    let distance = line["distance"].as_f64().unwrap();
    (line["verdict"].as_str().unwrap(), b, (distance * 1e3).round() as i64)
}

#[test]
fn a_camera_in_a_box_is_reached_once_its_door_is_open() {
    let folder = folder("door");
    let motion = r#"{"t": 0, "q": [0.5]}
{"t": 1, "q": [0.9]}
{"t": 2, "q": [0.5]}
{"t": 2, "open": {"name": "oru_door", "value": 1.5707963267948966}}
{"t": 3, "q": [0.9]}
{"t": 4, "q": [0.99]}
{"t": 5, "q": [0.5]}
{"close": {"name": "world/oru_door"}}
{"t": 6, "q": [0.9]}
{"place": {"name": "oru", "xyz": [2, 0, 1]}}
{"t": 7, "q": [0.9]}
{"open": {"name": "oru_door", "value": 1.5707963267948966}}
{"t": 8, "q": [1.99]}
"#;
    std::fs::write(folder.join("reach.jsonl"), motion).unwrap();
    let (code, lines, said) = check(&folder, &["--motion", "reach.jsonl", "--report", "page.html"]);
    assert_eq!(code, Some(1), "{said}");
    let all: Vec<_> = lines.iter().map(met).collect();
    let expected = [
        ("clear", "world/oru_door", 360),
        ("collision", "world/oru_door", -30),
        ("clear", "world/oru_door", 360),
        // Open, it stands beside the way.
        ("clear", "world/oru_door", 65),
        // The camera is 10 mm away, and goes with its box.
        ("clear", "world/camera", 10),
        ("clear", "world/oru_door", 187),
        ("collision", "world/oru_door", -30),
        ("clear", "world/oru_door", 960),
        ("clear", "world/camera", 10),
    ];
    for (i, (found, wanted)) in all.iter().zip(expected).enumerate() {
        assert_eq!(*found, wanted, "sample {i}");
    }
    assert_eq!(all.len(), expected.len());
    assert_eq!(
        lines[3]["events"],
        json!([{"open": {"name": "world/oru_door", "value": std::f64::consts::FRAC_PI_2}}])
    );
    assert_eq!(lines[6]["events"], json!([{"close": {"name": "world/oru_door", "value": 0.0}}]));
    let words = "changes after sample 2 (t = 2 s): oru_door opened to 1.570796 rad; \
                 after sample 5 (t = 5 s): oru_door closed; \
                 after sample 6 (t = 6 s): oru placed; \
                 after sample 7 (t = 7 s): oru_door opened to 1.570796 rad";
    assert!(said.contains(words), "{said}");
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(page.contains("oru carries oru_door.") && page.contains("oru_door is open at 1.570796 rad."));
    // On the way in with the door closed there is contact, and none with it open.
    let (_, lines, said) = check(&folder, &["--motion", "reach.jsonl", "--continuous"]);
    let edges: Vec<&str> = lines.iter().filter_map(|line| line["edge"]["verdict"].as_str()).collect();
    assert_eq!(edges[0..5], ["contact", "contact", "free", "free", "free"], "{said}");
}

#[test]
fn options_open_doors_too_and_a_box_takes_its_door_along() {
    let folder = folder("door_options");
    let (code, lines, _) = check(&folder, &["--at", "0.9"]);
    assert_eq!((code, met(&lines[0]).1), (Some(1), "world/oru_door"));
    let (code, lines, said) = check(&folder, &["--at", "0.9", "--open", "oru_door=1.5"]);
    assert_eq!((code, &lines[0]["verdict"]), (Some(0), &"clear".into()), "{said}");
    assert!(said.contains("changes at the start: oru_door opened to 1.5 rad"), "{said}");
    // Carried by the probe, all three are checked against what stands there: the open door alone meets it.
    let post =
        "[[obstacle]]\nname = \"post\"\nxyz = [0.8, 0.1, 1]\nshape = { type = \"sphere\", radius = 0.01 }\n";
    std::fs::write(folder.join("oru.toml"), format!("{CELL}{post}")).unwrap();
    let held = ["--at", "0", "--attach", "oru=arm/probe"];
    let (code, lines, said) = check(&folder, &held);
    assert_eq!((code, &lines[0]["verdict"]), (Some(0), &"clear".into()), "{said}");
    let (code, lines, said) = check(&folder, &[&held[..], &["--open", "world/oru_door=1.57"]].concat());
    assert_eq!((code, &lines[0]["pair"]), (Some(1), &json!(["world/oru_door", "world/post"])), "{said}");
    let order: Vec<bool> =
        lines[0]["events"].as_array().unwrap().iter().map(|e| e["open"].is_object()).collect();
    assert_eq!(order, [false, true]);
}

#[test]
fn what_makes_no_sense_is_refused_with_its_line() {
    let folder = folder("door_refused");
    let motion = r#"{"q": [0]}
{"open": {"name": "oru_door", "value": 1.7}}
{"open": {"name": "oru", "value": 1}}
{"open": {"name": "oru_dor", "value": 1}}
{"close": {"name": "camera"}}
{"detach": {"name": "oru_door"}}
{"close": {"name": "oru_door"}}
{"q": [0]}
"#;
    std::fs::write(folder.join("bad.jsonl"), motion).unwrap();
    let (code, lines, said) = check(&folder, &["--motion", "bad.jsonl", "--open", "oru_door=-0.1"]);
    assert_eq!((code, lines.len()), (Some(2), 0));
    for words in [
        "--open oru_door=-0.1: `world/oru_door` cannot be opened to -0.1: its limits are 0 to 1.6",
        "bad.jsonl: line 2: `world/oru_door` cannot be opened to 1.7: its limits are 0 to 1.6",
        "line 3: `world/oru` has no joint on what carries it",
        "line 4: no body is called `oru_dor`; did you mean \"oru_door\"?",
        "line 5: `world/camera` has no joint on what carries it",
        "line 7: `world/oru_door` has no joint on what carries it",
        "6 changes are refused",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let (code, _, said) = check(&folder, &["--open", "oru_door", "--open", "oru_door=wide"]);
    assert!(code == Some(2) && said.contains("--open oru_door: has no =; write NAME=VALUE"), "{said}");
    assert!(
        said.contains("`wide` is not a finite number") && said.contains("2 options are refused"),
        "{said}"
    );
}

#[test]
fn info_and_pairs_name_doors() {
    let folder = folder("door_info");
    let info = text(&run(&folder, &["info", "oru.toml"]).stdout);
    let row = |name: &str| info.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
    assert!(row("oru_door").ends_with("movable, a door from 0 rad to 1.6 rad"), "{info}");
    assert!(row("camera").ends_with("movable"), "{info}");
    let object = &lines(&run(&folder, &["info", "oru.toml", "--json", "-"]).stdout)[0];
    let doors: Vec<&Value> = object["bodies"].as_array().unwrap().iter().map(|b| &b["door"]).collect();
    assert_eq!(doors.iter().filter(|door| door.is_object()).count(), 1);
    assert!(doors.contains(&&json!({"joint": "revolute", "limits": [0.0, 1.6]})), "{doors:?}");
    let pairs = text(&run(&folder, &["pairs", "oru.toml"]).stdout);
    let row = pairs.lines().find(|line| line.starts_with("arm/probe") && line.contains("oru_door")).unwrap();
    assert!(row.trim_end().ends_with("checked"), "{pairs}");
}
