//! Spare places: filled and emptied by the events of a motion.

use crate::support::{PROBE, checked, lines, run, text};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const CELL: &str = r#"[[robot]]
urdf = "arm.urdf"
[[obstacle]]
name = "wall"
xyz = [3, 0, 1]
shape = { type = "box", size = [0.2, 0.2, 0.2] }
[[spare]]
name = "part"
corners = 8
[[spare]]
name = "other"
corners = 0
touch = ["world/wall"]
"#;

/// A tetrahedron that reaches from x = 0 to x = 0.2, and half of its surface, in ASCII STL.
fn stl(faces: usize) -> String {
    let corners = ["0 -0.1 -0.1", "0 0.1 -0.1", "0 0 0.1", "0.2 0 0"];
    let all = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let face = |face: &[usize; 3]| {
        let corners = face.map(|k| format!("vertex {}\n", corners[k])).concat();
        format!("facet normal 0 0 0\nouter loop\n{corners}endloop\nendfacet\n")
    };
    format!("solid part\n{}endsolid part\n", all[..faces].iter().map(face).collect::<String>())
}

fn folder(test: &str) -> PathBuf {
    let folder = crate::support::folder(test);
    for (name, content) in
        [("arm.urdf", PROBE), ("cell.toml", CELL), ("whole.stl", &stl(4)), ("open.stl", &stl(3))]
    {
        std::fs::write(folder.join(name), content).unwrap();
    }
    folder
}

fn check(folder: &Path, motion: &str, more: &[&str]) -> (Option<i32>, Vec<Value>, String) {
    std::fs::write(folder.join("m.jsonl"), motion).unwrap();
    checked(folder, "cell.toml", &[&["--motion", "m.jsonl"], more].concat())
}

const MOTION: &str = r#"{"q": [0]}
{"fill": {"name": "part", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}}}
{"place": {"name": "part", "xyz": [1, 0, 1]}}
{"q": [0]}
{"attach": {"name": "part", "attached_to": "arm/probe"}}
{"q": [0.5]}
{"fill": {"name": "part", "shape": {"type": "convex", "file": "open.stl", "xyz": [0.1, 0, 0]}}}
{"q": [0.5]}
{"fill": {"name": "part", "shape": {"type": "mesh", "file": "whole.stl"}}}
{"q": [0.5]}
{"empty": {"name": "world/part"}}
{"q": [0.5]}
"#;

#[test]
fn a_place_is_filled_and_emptied() {
    let folder = folder("spares");
    let (code, lines, said) = check(&folder, MOTION, &[]);
    assert_eq!(code, Some(0), "{said}");
    let told: Vec<(i64, u64)> = lines
        .iter()
        .map(|line| {
            let distance = (line["distance"].as_f64().unwrap() * 1e3).round() as i64;
            (distance, line["counts"]["pairs"].as_u64().unwrap())
        })
        .collect();
    // To the wall alone; to a box whose face is at 0.9; that box in hand, half a metre on, so that its other
    // face is at 1.6; a tetrahedron whose tip is at 1.8, then at 1.7, of which the mesh is its own hull; the
    // probe to the wall.
    assert_eq!(told, [(2870, 1), (870, 2), (1300, 2), (1100, 2), (1200, 2), (2370, 1)], "{said}");
    assert_eq!(lines[1]["events"][0], json!({"fill": {"name": "world/part", "type": "box", "corners": 8}}));
    assert_eq!(
        lines[3]["events"][0],
        json!({"fill": {"name": "world/part", "type": "convex", "corners": 4}})
    );
    assert_eq!(lines[5]["events"][0], json!({"empty": {"name": "world/part"}}));
    assert!(said.contains("part filled (box), part placed"), "{said}");
    // On the ways between, too, what is there is checked.
    let (code, lines, said) = check(&folder, MOTION, &["--continuous"]);
    assert!(code == Some(0) && lines[1..].iter().all(|line| line["edge"]["verdict"] == "free"), "{said}");
    let into = MOTION.replace("{\"q\": [0.5]}\n{\"empty\"", "{\"q\": [2.0]}\n{\"empty\"");
    let (code, lines, said) = check(&folder, &into, &["--continuous"]);
    let edge = &lines[4]["edge"];
    assert!(code == Some(1) && edge["pair"] == json!(["world/wall", "world/part"]), "{edge} {said}");
    // The page draws what is there.
    let drawn = |events: &str| {
        let shape = "{\"fill\": {\"name\": \"part\", \"shape\": {\"type\": \"sphere\", \"radius\": 0.2}}}\n";
        let motion = format!("{shape}{events}{{\"q\": [0]}}\n");
        std::fs::write(folder.join("m.jsonl"), motion).unwrap();
        run(&folder, &["check", "cell.toml", "--motion", "m.jsonl", "--report", "page.html"]);
        let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
        let (_, views) = page.split_once("<div class=\"views\">").unwrap();
        views.split_once("</div>").unwrap().0.to_string()
    };
    // A ball beside the probe; the two are allowed, and the pair is that of the probe and the wall.
    let place = "{\"place\": {\"name\": \"part\", \"xyz\": [0, 0.22, 1]}}\n\
        {\"allow\": {\"a\": \"part\", \"b\": \"arm/probe\"}}\n";
    let (full, empty) = (drawn(place), drawn(&format!("{place}{{\"empty\": {{\"name\": \"part\"}}}}\n")));
    assert!(full.len() > empty.len() + 100, "{} {}", full.len(), empty.len());
}

#[test]
fn lists_tell_of_a_place_that_it_is_empty() {
    let folder = folder("spares_listed");
    let info = text(&run(&folder, &["info", "cell.toml"]).stdout);
    assert!(info.contains("none yet: room for 8 corners"), "{info}");
    let object: Value =
        serde_json::from_str(&text(&run(&folder, &["info", "cell.toml", "--json", "-"]).stdout)).unwrap();
    let bodies = object["bodies"].as_array().unwrap();
    let part = bodies.iter().find(|body| body["name"] == "world/part").unwrap();
    assert_eq!(part, &json!({"name": "world/part", "shapes": [], "size": null, "movable": true, "room": 8}));
    let pairs = text(&run(&folder, &["pairs", "cell.toml"]).stdout);
    let words = "checked  while world/part is carried by a link that moves, and while world/part has a shape";
    assert!(pairs.contains("checked  while world/part has a shape") && pairs.contains(words), "{pairs}");
    let told = lines(&run(&folder, &["pairs", "cell.toml", "--json", "-"]).stdout);
    let pair = told.iter().find(|line| line["pair"] == json!(["arm/probe", "world/other"])).unwrap();
    assert_eq!(pair["while_filled"], json!(["world/other"]));
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let folder = folder("spares_refused");
    let fill = |name: &str, shape: &str| {
        format!("{{\"fill\": {{\"name\": \"{name}\", \"shape\": {{{shape}}}}}}}\n{{\"q\": [0]}}\n")
    };
    let cube = "\"type\": \"box\", \"size\": [1, 1, 1]";
    for (motion, words) in [
        (fill("other", cube), "`world/other` has room for 0 corners, and the shape has 8: give"),
        (fill("wall", cube), "`world/wall` is not movable"),
        (fill("parts", cube), "no body is called `parts`; did you mean"),
        (
            fill("part", "\"type\": \"mesh\", \"file\": \"open.stl\""),
            "the mesh is not its own hull: if the hull is meant, write \"type\": \"convex\"",
        ),
        ("{\"empty\": {\"name\": \"part\"}}\n{\"q\": [0]}\n".into(), "`world/part` is empty already"),
        (fill("part", "\"type\": \"mesh\", \"file\": \"no.stl\""), "the file \"no.stl\" does not exist"),
        (fill("part", "\"type\": \"sphere\", \"radius\": -1"), "fill, shape: radius is -1, below zero"),
        (fill("part", "\"type\": \"cube\""), "the shape type \"cube\" is unknown"),
        (fill("part", &format!("{cube}, \"xyz\": [0]")), "xyz is not 3 finite numbers"),
        ("{\"fill\": {\"name\": \"part\"}}\n{\"q\": [0]}\n".into(), "fill: shape is missing; give shape:"),
        ("{\"fill\": {\"name\": \"part\", \"box\": 1}}\n{\"q\": [0]}\n".into(), "the key \"box\" is unknown"),
    ] {
        let (code, lines, said) = check(&folder, &motion, &[]);
        assert!(code == Some(2) && lines.is_empty() && said.contains(words), "{motion}: {said}");
    }
}
