//! The commands of `robots/sdh2/README.md`.

use crate::support::schema::Schema;
use crate::support::{folder, lines, run, text};
use serde_json::Value;
use std::path::{Path, PathBuf};

const WORLD: &str = "robots/sdh2/hand.toml";

fn ask(arguments: &[&str]) -> (Option<i32>, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = run(&root, arguments);
    (out.status.code(), text(&out.stdout) + &text(&out.stderr))
}

#[test]
fn the_hand_closes_on_nothing_and_is_free_at_every_instant() {
    let motion = ["check", WORLD, "--motion", "robots/sdh2/grasp.csv", "--continuous"];
    let (code, told) = ask(&motion);
    assert_eq!(code, Some(0), "{told}");
    for words in ["121 samples: 121 clear", "smallest clearance 2.70 mm", "edges: 120 free, 0 with contact"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

#[test]
fn the_hand_says_its_seven_values_and_which_pairs_touch_by_design() {
    let (code, told) = ask(&["info", WORLD]);
    assert_eq!(code, Some(0), "{told}");
    for words in ["7 joint values, 10 bodies", "33 pairs checked, 12 allowed", "phi_0_mirrored", "0 warnings"]
    {
        assert!(told.contains(words), "{words}: {told}");
    }
    let (code, told) = ask(&["pairs", WORLD]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("33 checked, 12 allowed"), "{told}");
}

#[test]
fn finger_2_reaches_the_palm() {
    let (code, told) = ask(&["check", WORLD, "--at", "1.57,0,0,1.5,1.4,0,0"]);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("hand/palm and hand/finger_2_tip"), "{told}");
}

#[test]
fn two_fingers_press_their_pads_on_each_other() {
    let pinch = ["--motion", "robots/sdh2/pinch.csv", "--continuous"];
    let (code, told) = ask(&[&["check", "robots/sdh2/pads.toml"][..], &pinch[..]].concat());
    assert_eq!(code, Some(0), "{told}");
    for words in ["deepest press of a pad 1.", "on pads alone", "hand/finger_1_tip and hand/finger_3_tip"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let (code, told) = ask(&[&["check", WORLD][..], &pinch[..]].concat());
    assert_eq!(code, Some(1), "without pads it is a collision: {told}");
}

/// The answers of the monitor to a motion of the hand, a state each.
fn monitored(world: &str, states: &str) -> Vec<Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = run(&root, &["monitor", world, "--input", states]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    lines(&out.stdout).into_iter().filter(|answer| answer["t"].is_number()).collect()
}

fn first_stop(answers: &[Value]) -> Option<usize> {
    answers.iter().position(|answer| answer["command"] == "stop")
}

/// The first sample of a motion that collides.
fn first_contact(world: &str, motion: &str) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = run(&root, &["check", world, "--motion", motion, "--json", "-"]);
    lines(&out.stdout).iter().position(|line| line["verdict"] == "collision").unwrap()
}

#[test]
fn the_monitor_lets_the_fingers_turn_and_bend() {
    // The first half of the grasp, from the rest at its start to that at its middle.
    let answers = monitored(WORLD, "robots/sdh2/grasp.jsonl");
    assert_eq!(answers.len(), 121);
    for (k, answer) in answers[..61].iter().enumerate() {
        assert_ne!(answer["command"], "stop", "{k}: {answer}");
    }
    assert!(answers[..61].iter().any(|answer| answer["command"] == "permit"));
}

#[test]
fn the_monitor_stops_closing_fingers_before_they_meet() {
    let meet = first_contact(WORLD, "robots/sdh2/pinch.csv");
    let answers = monitored(WORLD, "robots/sdh2/pinch.jsonl");
    let stop = first_stop(&answers).unwrap();
    let reason = &answers[stop]["reasons"][0];
    let pair = ["hand/finger_1_tip", "hand/finger_3_tip"];
    assert!(reason["kind"] == "collision" && reason["pair"] == serde_json::json!(pair), "{reason}");
    // It has 30 ms until it brakes, and goes on for 22 ms of its speed then: less than two samples. One state
    // more may be lost.
    assert!(stop + 3 < meet, "stopped at {stop}, contact at {meet}");
    // It stays stopped, as the states go on to the contact.
    assert!(answers[stop..].iter().all(|answer| answer["command"] == "stop"));
}

/// A motion as states at 30 Hz, so many times slower than a sample a state.
fn slow_states(motion: &str, slower: usize) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let rows = std::fs::read_to_string(root.join(motion)).unwrap();
    let rows: Vec<Vec<f64>> =
        rows.lines().skip(1).map(|row| row.split(',').map(|q| q.parse().unwrap()).collect()).collect();
    let mut states = String::new();
    for k in 0..(rows.len() - 1) * slower {
        let (from, to, part) =
            (&rows[k / slower], &rows[k / slower + 1], (k % slower) as f64 / slower as f64);
        let ways = || from.iter().zip(to).map(|(a, b)| b - a);
        let q: Vec<f64> = from.iter().zip(ways()).map(|(a, way)| a + part * way).collect();
        let qd: Vec<f64> = ways().map(|way| way * 30.0 / slower as f64).collect();
        states += &format!("{}\n", serde_json::json!({ "t": k as f64 / 30.0, "q": q, "qd": qd }));
    }
    let path = folder("hand_states").join(format!("{slower}.jsonl"));
    std::fs::write(&path, states).unwrap();
    path
}

#[test]
fn on_pads_the_monitor_lets_slow_fingers_come_nearer() {
    let meet = first_contact(WORLD, "robots/sdh2/pinch.csv");
    let states = slow_states("robots/sdh2/pinch.csv", 8);
    let [plain, padded] =
        [WORLD, "robots/sdh2/pads.toml"].map(|world| monitored(world, states.to_str().unwrap()));
    let [plain_stop, padded_stop] = [&plain, &padded].map(|answers| first_stop(answers).unwrap());
    let reason = &padded[padded_stop]["reasons"][0];
    assert!(
        plain_stop / 8 < padded_stop / 8 && reason["kind"] == "pad",
        "{plain_stop} {padded_stop} {reason} {meet}"
    );
    assert!(reason["limit"].as_f64().unwrap() < 0.002, "{reason}");
    // The hand goes on to the contact all the same. Each answer has it, and none a depth that nobody proved.
    let presses: Vec<&Value> =
        padded.iter().filter(|answer| answer["verdict"] == "expected_contact").collect();
    assert!(presses.len() > 8 && plain.iter().all(|answer| answer["verdict"].is_null()), "{}", presses.len());
    for answer in &presses {
        assert_eq!(answer["pad"], serde_json::json!(["tip 1", "tip 3"]), "{answer}");
        let [left, distance] = ["pad_left", "distance"].map(|key| answer[key].as_f64().unwrap());
        assert!(distance < 0.0 && left > 0.0 && left - distance < 0.0026 + 1e-6, "{answer}");
    }
    let reasons = || padded.iter().flat_map(|answer| answer["reasons"].as_array().unwrap());
    let measured = || reasons().filter(|reason| reason["kind"] == "pad").map(|reason| &reason["measured"]);
    assert!(measured().any(Value::is_null), "nothing bounds some depths");
    assert!(measured().all(|depth| depth.as_f64().is_none_or(|depth| depth < 1.0)));
}

#[test]
fn fingers_1_and_3_have_no_field_since_five_joints_lie_between_them() {
    let out = folder("hand_field").join("x.field");
    let path = out.to_str().unwrap();
    let (code, told) = ask(&["field", WORLD, "--pair", "finger_1_tip", "finger_3_tip", "--out", path]);
    assert_eq!(code, Some(2), "{told}");
    for words in ["5 joints lie between", "phi_0", "phi_1", "phi_2", "phi_5", "phi_6", "at most 3"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert!(!out.exists(), "{told}");
}

#[test]
fn a_line_in_the_place_of_fig_6_misses_no_overlap_and_says_what_it_costs() {
    let field = ["field", WORLD, "--pair", "finger_2_tip", "palm", "--margin", "0", "--cells", "128"];
    let (code, told) = ask(&field);
    assert_eq!(code, Some(1), "{told}");
    let rule = told.lines().find(|line| line.starts_with("a straight line: overlap if hand/phi_4 > -"));
    assert!(rule.is_some_and(|rule| rule.ends_with("(in deg)")), "{told}");
    assert!(told.contains("  it calls 0 of "), "{told}");

    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut schema = Schema::read("field");
    // Across and up in either order: it is a line of the other value then.
    for [across, up] in [["phi_3", "phi_4"], ["phi_4", "phi_3"]] {
        let joints = format!("{across},{up}");
        let out = run(&root, &[&field[..], &["--joints", &joints, "--json", "-"]].concat());
        let told = &lines(&out.stdout)[0];
        schema.check(told);
        let line = &told["line"];
        let [slope, offset, from] = ["slope", "offset", "from"].map(|key| line[key].as_f64().unwrap());
        let degrees = [offset, from].map(f64::to_degrees);
        assert!(slope < 0.0 && degrees[0] > 90.0 && (60.0..80.0).contains(&degrees[1]) || up == "phi_3");
        assert!(line["above"][1] == true && line["missed"] == 0, "{line}");
        assert!(line["above"][0] == true || up == "phi_3", "{line}");
        let (cells, free) = (128.0 * 128.0, told["free"].as_f64().unwrap());
        let wrong = line["false_alarms"].as_f64().unwrap();
        assert!(wrong > 0.0 && wrong < 0.02 * free * cells, "{line}");
    }
    schema.all_seen();
}
