//! Distances of pairs of shapes: cases on standard input, answers in their order, the reference beside them.

use crate::support::{lines, text};
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn distance(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_elbowroom"))
        .args(["distance", "-"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input).unwrap();
    drop(stdin);
    child.wait_with_output().unwrap()
}

#[test]
fn distances_of_cases_in_order() {
    let mut input = Vec::new();
    let mut case = |x: f64| {
        input.extend(
            format!(
                "{{\"id\":{x},\"a\":{{\"type\":\"box\",\"size\":[1,1,1]}},\
                 \"b\":{{\"type\":\"sphere\",\"radius\":0.5}},\
                 \"pose_b\":{{\"xyz\":[{x},0,0],\"quat_wxyz\":[1,0,0,0]}}}}\n"
            )
            .into_bytes(),
        );
    };
    case(2.0);
    case(0.75);
    input.extend(b"\n{\"id\":\"odd\",\"a\":{\"type\":\"sphere\",\"radius\":-1}}\n\xff\xfe\n");
    let out = distance(&["--reference"], &input);
    assert_eq!(out.status.code(), Some(2));
    let answers = lines(&out.stdout);
    assert_eq!(answers.len(), 4);
    for (answer, truth) in answers.iter().zip([1.0, -0.25]) {
        let [lower, upper, distance] = ["lower", "upper", "distance"].map(|k| answer[k].as_f64().unwrap());
        assert!(lower <= truth && truth <= upper && lower <= distance && distance <= upper, "{answer}");
        assert_eq!(answer["overlap"], truth < 0.0);
        assert_eq!(answer["reference"]["agrees"], true, "{answer}");
        assert!((answer["normal"][0].as_f64().unwrap() + 1.0).abs() < 1e-6, "{answer}");
    }
    assert!(answers[2]["id"] == "odd" && answers[2]["fault"].is_string());
    assert!(answers[3]["id"].is_null() && answers[3]["fault"].as_str().unwrap().contains("UTF-8"));
    assert_eq!(distance(&[], b"").status.code(), Some(0));
    // Ids are kept to the letter, lines numbered, misspelt keys refused.
    let out = distance(
        &[],
        b"{\"id\":18446744073709551617,\"a\":{\"type\":\"sphere\",\"radius\":1},\
        \"b\":{\"type\":\"sphere\",\"radius\":1}}\n\
        7\n{\n{\"id\":1,\"a\":{\"type\":\"sphere\",\"radius\":1,\"paddding\":1},\
        \"b\":{\"type\":\"sphere\",\"radius\":1}}\n",
    );
    assert!(text(&out.stdout).starts_with("{\"schema\":1,\"id\":18446744073709551617,\"overlap\":true,"));
    let answers = lines(&out.stdout);
    for (answer, (line, words)) in
        answers[1..].iter().zip([(2, "a number"), (3, "not JSON"), (4, "paddding")])
    {
        assert!(answer["line"] == line && answer["fault"].as_str().unwrap().contains(words), "{answer}");
    }
    // A mesh that does not close is named.
    let open = b"{\"a\":{\"type\":\"mesh\",\"vertices\":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],\
        \"triangles\":[[0,1,2],[0,1,3]]},\
        \"b\":{\"type\":\"sphere\",\"radius\":1},\"pose_b\":{\"xyz\":[0,0,3]}}";
    assert!(
        text(&distance(&[], open).stderr)
            .contains("line 1: note: a is an open mesh and is treated as a surface")
    );
    assert_eq!(text(&distance(&["--geometry", "hull"], open).stderr), "");
    // It is said once, and counted.
    let three = [&open[..], open, open].join(&b'\n');
    let said = text(&distance(&[], &three).stderr);
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(said.ends_with("note: 2 more cases with open meshes\n"), "{said}");
    // What is smaller than an atom is refused in whatever shape.
    for small in [
        &b"{\"type\":\"sphere\",\"radius\":1e-13}"[..],
        b"{\"type\":\"mesh\",\"vertices\":[[0,0,0],[1e-13,0,0],[0,1e-13,0]],\"triangles\":[[0,1,2]]}",
    ] {
        let case = [b"{\"a\":", small, b",\"b\":{\"type\":\"sphere\",\"radius\":1}}"].concat();
        let fault = lines(&distance(&[], &case).stdout)[0]["fault"].to_string();
        assert!(fault.contains("1e-12"), "{fault}");
    }
    // Touching is neither apart nor overlapping.
    let touching = b"{\"a\":{\"type\":\"sphere\",\"radius\":0.5},\"b\":{\"type\":\"sphere\",\"radius\":0.5},\
        \"pose_b\":{\"xyz\":[1,0,0]}}";
    assert!(lines(&distance(&[], touching).stdout)[0]["overlap"].is_null());
}

#[test]
fn a_fault_of_many_cases_is_said_once_and_answered_each_time() {
    let lines_of = |n: usize| "{\"a\": 1}\n[1]\n".repeat(n);
    let out = distance(&[], lines_of(700).as_bytes());
    assert_eq!((out.status.code(), lines(&out.stdout).len()), (Some(2), 1400));
    let said = text(&out.stderr);
    let said: Vec<&str> = said.lines().collect();
    assert_eq!(said.len(), 4, "{said:?}");
    assert!(said[0].starts_with("-: line 1: ") && said[1].starts_with("-: line 2: "), "{said:?}");
    let repeated = [1, 2].map(|line| format!("-: the fault of line {line} comes 699 more times"));
    assert_eq!(said[2..], repeated);
    // Faults that are all different are listed up to a thousand.
    let many: String = (0..1100).map(|k| format!("{{\"a\": {{\"type\": \"kind_{k}\"}}}}\n")).collect();
    let said = text(&distance(&[], many.as_bytes()).stderr);
    assert_eq!(said.lines().count(), 1001, "{said}");
    assert!(said.ends_with("-: not listed: other faults, on 100 more lines\n"), "{said}");
}

#[test]
fn the_example_of_distance_is_what_it_answers() {
    let help = Command::new(env!("CARGO_BIN_EXE_elbowroom")).args(["distance", "--help"]).output().unwrap();
    let help = text(&help.stdout);
    let lines: Vec<&str> = help.lines().filter(|line| line.starts_with('{')).collect();
    let [case, answer] = lines[..] else { panic!("{help}") };
    assert_eq!(text(&distance(&[], case.as_bytes()).stdout), format!("{answer}\n"));
}

#[test]
fn the_reference_does_not_judge_what_it_takes_as_a_surface() {
    let corners: Vec<[f64; 3]> =
        (0..8).map(|i| [0, 1, 2].map(|k| if i >> k & 1 == 0 { -1.0 } else { 1.0 })).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let cube: Vec<[usize; 3]> = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    let mesh = |more: &[[f64; 3]], triangles: &[[usize; 3]]| {
        let vertices = [&corners, more].concat();
        serde_json::json!({"type": "mesh", "vertices": vertices, "triangles": triangles})
    };
    let with = |more: &[[f64; 3]], triangles: &[[usize; 3]]| mesh(more, &[&cube, triangles].concat());
    let [a, b, c] = cube[0];
    // A corner on an edge of one triangle of two.
    let middle = [0, 1, 2].map(|k| 0.5 * (corners[a][k] + corners[b][k]));
    let halves = [&[[a, 8, c], [8, b, c]], &cube[1..]].concat();
    let turned: Vec<[usize; 3]> = cube.iter().map(|[a, b, c]| [*b, *a, *c]).collect();
    let odd = [
        mesh(&[middle], &halves),
        with(&[], &[[a, b, c]]),
        with(&[], &[[b, a, c]]),
        with(&[[3.0, 0.5, 0.0]], &[[a, b, 8]]),
        with(&[], &cube),
        with(&[], &turned),
    ];
    let ask = |a: &Value, x: f64| {
        let ball = serde_json::json!({"type": "sphere", "radius": 0.1});
        let pose = serde_json::json!({"xyz": [x, 0.01, 0.02]});
        let case = serde_json::json!({"a": a, "b": ball, "pose_b": pose}).to_string();
        lines(&distance(&["--reference"], case.as_bytes()).stdout).remove(0)
    };
    for a in &odd {
        let inside = ask(a, 0.2);
        assert_eq!(inside["overlap"], true, "{a}: {inside}");
        assert_eq!(
            inside["reference"]["note"], "the reference takes this mesh as a surface",
            "{a}: {inside}"
        );
        assert_eq!(ask(a, 4.0)["reference"]["agrees"], true, "{a}");
    }
    // Where it takes the mesh as closed it judges, also where it cannot tell inside from outside.
    let again: Vec<[usize; 3]> = cube.iter().map(|t| t.map(|i| i + 8)).collect();
    let inner: Vec<[f64; 3]> = corners.iter().map(|p| p.map(|x| 0.5 * x)).collect();
    for a in [mesh(&[], &cube), with(&inner, &again)] {
        for x in [0.2, 0.75, 4.0] {
            let answer = ask(&a, x);
            assert_eq!(answer["overlap"], x < 1.0, "{answer}");
            assert_eq!(answer["reference"]["agrees"], true, "{answer}");
        }
    }
}

#[test]
fn the_reference_judges_what_the_answer_is_about() {
    // Two walls of an L, and a ball in its notch: inside the hull, or beyond it and nearer to the hull than
    // to the walls.
    let case = |x: f64| {
        let walls = serde_json::json!({"type": "mesh",
            "vertices": [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1], [0, 1, 0], [0, 1, 1]],
            "triangles": [[0, 1, 2], [0, 2, 3], [0, 3, 5], [0, 5, 4]]});
        let ball = serde_json::json!({"type": "sphere", "radius": 0.05});
        serde_json::json!({"a": walls, "b": ball, "pose_b": {"xyz": [x, x, 0.5]}}).to_string()
    };
    for (x, hull, walls) in [(0.4, true, false), (0.7, false, false)] {
        for (geometry, overlap) in [("hull", hull), ("mesh", walls)] {
            let out = distance(&["--reference", "--geometry", geometry], case(x).as_bytes());
            let answer = lines(&out.stdout).remove(0);
            assert_eq!(
                (&answer["overlap"], &answer["reference"]["agrees"], &answer["geometry"]),
                (&overlap.into(), &true.into(), &geometry.into()),
                "{answer}"
            );
        }
    }
}
