//! What the program writes as JSON is what `schema/` says, and all that it says.

use crate::pads;
use crate::support::schema::Schema;
use crate::support::{folder, lines, run, text};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

fn checked(name: &str, outputs: &[Vec<Value>]) {
    let mut schema = Schema::read(name);
    outputs.iter().flatten().for_each(|line| schema.check(line));
    schema.all_seen();
}

/// A door on a ball that is movable.
const LID: &str = "[[obstacle]]\nname = \"lid\"\nmovable = true\nattached_to = \"world/ball\"\n\
    door = { joint = \"prismatic\", axis = [0, 0, 1], limits = [0, 0.2] }\n\
    shape = { type = \"sphere\", radius = 0.1 }\n";

/// A place for a shape that comes later.
const SPARE: &str = "[[spare]]\nname = \"part\"\ncorners = 8\n";

#[test]
fn samples() {
    let folder = folder("schema_check");
    std::fs::write(folder.join("jump.csv"), "t,turn\n0,0\n1,1\n2,2\n").unwrap();
    std::fs::write(folder.join("fast.csv"), "t,turn\n0,0\n1,-1\n2,-2\n2.5,-1\n").unwrap();
    let ask = |more: &[&str]| {
        let out = run(&folder, &[&["check", "cell.toml", "--json", "-"], more].concat());
        assert!(matches!(out.status.code(), Some(0 | 1)), "{}", text(&out.stderr));
        lines(&out.stdout)
    };
    // A movable ball with every field that one can have, and its lid.
    let ball = "[[obstacle]]\nname = \"ball\"\nmovable = true\nxyz = [3, 0, 0]\n\
        shape = { type = \"sphere\", radius = 0.1 }\n";
    let ball = format!("{ball}{LID}{SPARE}");
    let cell = std::fs::read_to_string(folder.join("cell.toml")).unwrap();
    std::fs::write(folder.join("movable.toml"), cell + &ball).unwrap();
    let motion = "{\"q\": [0]}\n{\"allow\": {\"a\": \"ball\", \"b\": \"rod/arm\"}}\n\
        {\"forbid\": {\"a\": \"ball\", \"b\": \"rod/arm\"}}\n{\"hide\": {\"name\": \"ball\"}}\n\
        {\"show\": {\"name\": \"ball\"}}\n{\"open\": {\"name\": \"lid\", \"value\": 0.1}}\n\
        {\"close\": {\"name\": \"lid\"}}\n{\"q\": [0.1]}\n{\"detach\": {\"name\": \"ball\"}}\n\
        {\"place\": {\"name\": \"ball\", \"xyz\": [4, 0, 0]}}\n{\"q\": [0.2]}\n\
        {\"fill\": {\"name\": \"part\", \"shape\": {\"type\": \"sphere\", \"radius\": 0.01}}}\n\
        {\"empty\": {\"name\": \"part\"}}\n{\"hide\": {\"name\": \"lid\"}}\n";
    std::fs::write(folder.join("events.jsonl"), motion).unwrap();
    let spline = "t,turn,turn/velocity\n0,1,0\n1,1.1,0\n";
    std::fs::write(folder.join("spline.csv"), spline).unwrap();
    std::fs::write(folder.join("scan.xyz"), "9 0 0\n").unwrap();
    let events = ["check", "movable.toml", "--motion", "events.jsonl", "--attach", "ball=rod/arm", "--cloud"];
    let changed = run(&folder, &[&events[..], &["scan.xyz", "--json", "-"]].concat());
    assert_eq!(changed.status.code(), Some(0), "{}", text(&changed.stderr));
    let rest = "[[robot]]\nurdf = \"rod.urdf\"\n[[obstacle]]\nname = \"rest\"\nxyz = [1, 0, -0.6]\n\
        movable = true\n\
        shape = { type = \"box\", size = [1, 1, 1] }\n";
    std::fs::write(folder.join("rest.toml"), rest).unwrap();
    std::fs::write(
        folder.join("rest.jsonl"),
        "{\"q\": [0]}\n{\"place\": {\"name\": \"rest\", \"xyz\": [1, 0, -0.6]}}\n",
    )
    .unwrap();
    let rest =
        ["check", "rest.toml", "--motion", "rest.jsonl", "--touch", "1e-6", "--all-pairs", "--json", "-"];
    pads::write_world(&folder, "");
    std::fs::write(
        folder.join("press.jsonl"),
        "{\"q\": [1.2]}\n{\"q\": [1.28]}\n{\"place\": {\"name\": \"post\", \"xyz\": [0, 1, 0]}}\n",
    )
    .unwrap();
    let press =
        ["check", "pads.toml", "--motion", "press.jsonl", "--all-pairs", "--continuous", "--json", "-"];
    let outputs = [
        lines(&run(&folder, &press).stdout),
        lines(&changed.stdout),
        lines(&run(&folder, &rest).stdout),
        ask(&["--motion", "path.csv", "--all-pairs"]),
        ask(&["--motion", "path.csv", "--ask", "test"]),
        ask(&["--motion", "path.csv", "--ask", "lower-bound"]),
        ask(&["--motion", "jump.csv", "--continuous", "--all-pairs"]),
        ask(&["--random", "20", "--continuous"]),
        ask(&["--motion", "spline.csv", "--continuous"]),
        ask(&["--motion", "spline.csv", "--continuous", "--tolerance", "turn=0.3", "--largest-tolerance"]),
        ask(&["--motion", "fast.csv", "--limits"]),
        ask(&["--allow-zero-overlaps"]),
    ];
    assert!(outputs.iter().flatten().count() > 600);
    checked("check", &outputs);
}

#[test]
fn answers_of_distance() {
    let ball = |x: f64, radius: f64| {
        json!({"id": x, "a": {"type": "box", "size": [1, 1, 1]}, "b": {"type": "sphere", "radius": radius},
            "pose_b": {"xyz": [x, 0, 0]}})
    };
    let open = json!({
        "a": {"type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]]},
        "b": {"type": "ellipsoid", "radii": [1, 2, 3]}});
    // A tetrahedron with one face twice, which the reference takes as a surface, around a ball.
    let twice = json!({"a": {"type": "mesh", "vertices": [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]],
        "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3], [1, 2, 3]]},
        "b": {"type": "sphere", "radius": 0.1}, "pose_b": {"xyz": [0.5, 0.5, 0.5]}});
    let cases = [ball(2.0, 0.5), ball(0.75, 0.5), ball(1.0, 0.5), ball(2.0, -1.0), open, twice, json!([1])];
    let cases: String = cases.iter().map(|case| format!("{case}\n")).collect();
    let ask = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
        command
            .args(["distance", "-"])
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(cases.as_bytes()).unwrap();
        lines(&child.wait_with_output().unwrap().stdout)
    };
    checked("distance", &[ask(&[]), ask(&["--reference"]), ask(&["--reference", "--geometry", "hull"])]);
}

#[test]
fn pairs() {
    let folder = folder("schema_pairs");
    let far = "[[obstacle]]\nname = \"far\"\nxyz = [0, 9, 0]\nshape = { type = \"sphere\", radius = 0.2 }\n";
    std::fs::write(folder.join("two.toml"), format!("{}{far}", crate::support::CELL)).unwrap();
    let ask = |arguments: &[&str]| lines(&run(&folder, &[arguments, &["--json", "-"]].concat()).stdout);
    let movable = far.replace("far", "near").replace("[[obstacle]]", "[[obstacle]]\nmovable = true");
    std::fs::write(folder.join("movable.toml"), format!("{}{movable}{SPARE}", crate::support::CELL)).unwrap();
    checked("pairs", &[ask(&["pairs", "two.toml"]), ask(&["pairs", "movable.toml"])]);
    crate::audit::arm(&folder, 3.0);
    let srdf = crate::audit::disabled(&[
        ["hub", "elbow", "Adjacent"],
        ["hub", "hand", "Never"],
        ["elbow", "bare", "Never"],
    ]);
    std::fs::write(folder.join("made.srdf"), srdf).unwrap();
    let audit = ["pairs", "arm.urdf", "--srdf", "made.srdf", "--audit"];
    checked("pairs-audit", &[ask(&audit), ask(&[&audit[..], &["--geometry", "hull"]].concat())]);
    checked("pairs-prove", &[ask(&["pairs", "two.toml", "--prove"])]);
}

#[test]
fn rows_of_the_bench() {
    let folder = folder("schema_bench");
    let ask = |more: &[&str]| {
        let arguments = [&["bench", "cell.toml", "--poses", "150", "--json", "-"], more].concat();
        lines(&run(&folder, &arguments).stdout)
    };
    checked("bench", &[ask(&[]), ask(&["--allow-zero-overlaps"])]);
}

#[test]
fn infos() {
    let folder = folder("schema_info");
    crate::support::gripper(&folder);
    let ask = |more: &[&str]| {
        let out = run(&folder, &[&["info", "gripper.toml", "--json", "-"], more].concat());
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        lines(&out.stdout)
    };
    let gripper = std::fs::read_to_string(folder.join("gripper.toml")).unwrap();
    let ball = "[[obstacle]]\nname = \"ball\"\nmovable = true\nshape = { type = \"sphere\", radius = 0.1 }\n";
    let more = "[[cloud]]\nname = \"seen\"\nradius = 0.1\npoints = 9\n\
        [[zone]]\nname = \"press\"\nkind = \"keep_out\"\nshape = { type = \"sphere\", radius = 1 }\n\
        [[zone]]\nname = \"cell\"\nkind = \"keep_in\"\nshape = { type = \"box\", size = [9, 9, 9] }\n";
    std::fs::write(folder.join("lid.toml"), format!("{gripper}{ball}{LID}{SPARE}{more}")).unwrap();
    let lid = lines(&run(&folder, &["info", "lid.toml", "--json", "-"]).stdout);
    let told = |key: &str| lid[0]["bodies"].as_array().unwrap().iter().filter(|b| !b[key].is_null()).count();
    assert_eq!((told("zone"), told("points"), told("room")), (2, 1, 1), "{}", lid[0]);
    let people = text(&run(&folder, &["info", "lid.toml"]).stdout);
    for words in
        ["zone to keep out of: sphere", "zone to stay in, within 6 planes", "cloud: room for 9 points"]
    {
        assert!(people.contains(words), "{people}");
    }
    checked("info", &[ask(&[]), ask(&["--allow-zero-overlaps"]), ask(&["--at", "open"]), lid]);
}

#[test]
fn the_checker_is_strict() {
    let wrong = |change: &dyn Fn(&mut Value)| {
        let mut line = json!({"schema": 1, "pair": ["a/b", "a/c"], "status": "checked"});
        Schema::read("pairs").check(&line);
        change(&mut line);
        let checked = std::panic::catch_unwind(|| Schema::read("pairs").check(&line));
        assert!(checked.is_err(), "{line} passed");
    };
    wrong(&|line| line["more"] = 1.into());
    wrong(&|line| line["schema"] = 2.into());
    wrong(&|line| line["status"] = "perhaps".into());
    wrong(&|line| line["pair"] = json!(["a/b"]));
    wrong(&|line| line["pair"] = json!(["a/b", 3]));
    wrong(&|line| line["never_nearer"] = (-1.0).into());
    wrong(&|line| drop(line.as_object_mut().unwrap().remove("pair")));
    assert!(std::panic::catch_unwind(|| Schema::read("pairs").all_seen()).is_err());
}
