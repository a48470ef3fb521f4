//! Bad input. Either the answer is a stop with its reason, or the program refuses the input and ends.

use crate::support::{CELL, folder, lines, text};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// How a rod stops that turns about z.
pub const GUARD: &str = "[guard]\nperiod = 0.01\n[guard.joints]\nposition_error = 0.0001\n\
    velocity_error = 0.001\nacceleration = 8\nlatency = 0.01\n\
    profile = { type = \"ramp\", acceleration = 2, speed = 1 }\n\
    brake = { type = \"deceleration\", value = [5, 8] }\n";

/// A folder with the rod, its cell, and how it stops. Its states may come as fast as a test tells them.
pub fn rod(test: &str) -> PathBuf {
    rod_with(test, "clock_drift = 1e6\n")
}

/// A folder with the rod, its cell, and how it stops, with some settings of the guard more.
pub fn rod_with(test: &str, settings: &str) -> PathBuf {
    let folder = folder(test);
    let part = "[[obstacle]]\nname = \"part\"\nmovable = true\nxyz = [-3, 0, 0]\n\
        shape = { type = \"sphere\", radius = 0.1 }\n";
    let guard = GUARD.replace("[guard]\n", &format!("[guard]\n{settings}"));
    std::fs::write(folder.join("cell.toml"), format!("{CELL}{part}{guard}")).unwrap();
    folder
}

/// A state at a time of so many periods, at rest.
pub fn at_rest(step: usize) -> String {
    json!({"t": 0.01 * step as f64, "q": [0.2], "qd": [0]}).to_string()
}

pub fn start(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
    command.current_dir(folder).args(["monitor", "cell.toml"]).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// What the program says of lines that come from standard input.
pub fn told(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = start(folder, arguments);
    // It may end before it has read all.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Whether a line is the last word: a stop that nobody asked for.
pub fn is_last_word(line: &Value) -> bool {
    line["reasons"][0]["kind"] == "ended" && line["command"] == "stop" && line["silence"] == true
}

/// The answers to what was asked, without the last word.
pub fn answered(said: &[u8]) -> Vec<Value> {
    let mut said = lines(said);
    said.pop_if(|last| is_last_word(last));
    said
}

/// Whether an answer is a stop for this reason, and what it says.
pub fn stops_for<'v>(answer: &'v Value, kind: &str) -> &'v str {
    assert_eq!((&answer["command"], &answer["speed"]), (&json!("stop"), &json!(0.0)), "{answer}");
    let reasons = answer["reasons"].as_array().unwrap();
    let reason = reasons.iter().find(|reason| reason["kind"] == kind);
    reason.unwrap_or_else(|| panic!("not {kind}: {answer}"))["text"].as_str().unwrap()
}

#[test]
fn bad_lines_stop_the_arms_and_say_why() {
    let folder = rod("monitor_bad_lines");
    let cases: [(&str, &str, &str); 19] = [
        (r#"{"t": 0.01, "q": [0.2"#, "unreadable", "is not JSON"),
        ("q", "unreadable", "is not JSON"),
        ("[1]", "unreadable", "is not a table"),
        ("{}", "unreadable", "neither a state, q, nor an event"),
        (
            r#"{"t": 0.01, "q": [0.2, 0.1]}"#,
            "wrong_count",
            "q has 2 numbers, and a state of all robots has 1",
        ),
        (r#"{"t": 0.01, "q": [0.2], "qd": []}"#, "wrong_count", "qd has 0 numbers, and a state"),
        (r#"{"t": 0.01, "robot": "road", "q": [0.2]}"#, "unreadable", "no robot is called `road`"),
        (r#"{"t": 0.01, "q": [NaN]}"#, "unreadable", "is not JSON"),
        (r#"{"t": 0.01, "q": [1e999]}"#, "unreadable", "number out of range"),
        (r#"{"t": 0.01, "q": [null]}"#, "unreadable", "q holds what is no finite number"),
        (r#"{"t": 0.01, "q": [1e9]}"#, "not_finite", "rod/turn is 1000000000"),
        (r#"{"t": 1e999, "q": [0.2]}"#, "unreadable", "number out of range"),
        (r#"{"q": [0.2]}"#, "unreadable", "has no t"),
        (r#"{"t": -0.5, "q": [0.2]}"#, "out_of_order", "time runs back"),
        (r#"{"t": 0.0, "q": [0.2]}"#, "repeated", "the time of the one before"),
        (r#"{"t": 1e6, "q": [0.2]}"#, "late", "the last state of rod is"),
        (r#"{"t": 0.01, "q": [1.2], "qd": [0]}"#, "implausible", "rod/turn"),
        (r#"{"t": 0.01, "q": [0.2], "qdd": [0]}"#, "unreadable", "the key \"qdd\" is unknown"),
        (r#"{"t": 0.01, "t": 0.02, "q": [0.2]}"#, "unreadable", "the key \"t\" comes twice"),
    ];
    for (line, kind, words) in cases {
        // The line after it is good, and waits for a reset all the same.
        let after = [at_rest(1), at_rest(2)].join("\n");
        let input = format!("{}\n{line}\n{after}\n{{\"reset\": {{}}}}\n{}\n", at_rest(0), at_rest(3));
        let out = told(&folder, &[], input.as_bytes());
        let answers = answered(&out.stdout);
        assert_eq!((out.status.code(), answers.len()), (Some(0), 6), "{line}: {}", text(&out.stderr));
        assert_eq!(answers[0]["command"], "permit");
        let said = stops_for(&answers[1], kind);
        assert!(said.contains(words), "{line}: {said}");
        assert!(stops_for(&answers[3], "latched").contains(kind), "{line}");
        // A clock that has jumped far ahead does not come back.
        if kind != "late" {
            assert_ne!(answers[5]["command"], "stop", "{line}: {}", answers[5]);
        }
    }
}

#[test]
fn clocks_that_jump_by_an_hour_are_never_followed_by_themselves() {
    let folder = rod("monitor_jumps");
    let told_at = |times: &[Option<f64>]| {
        let line = |t: &Option<f64>| match t {
            Some(t) => json!({"t": t, "q": [0.2], "qd": [0]}).to_string(),
            None => "{\"reset\": {}}".into(),
        };
        let input: Vec<String> = times.iter().map(line).collect();
        answered(&told(&folder, &[], input.join("\n").as_bytes()).stdout)
    };
    // Ahead: late. It does not come back by itself, and a reset alone does not bring it back.
    let answers = told_at(&[Some(0.0), Some(3600.0), Some(0.02), None, Some(0.03), Some(3600.01)]);
    assert_eq!(answers[0]["command"], "permit");
    assert!(stops_for(&answers[1], "late").contains("is 3600000.0 ms old"));
    stops_for(&answers[2], "out_of_order");
    stops_for(&answers[4], "out_of_order");
    stops_for(&answers[5], "latched");
    // The clock that was jumped to goes on after a reset.
    let answers = told_at(&[Some(0.0), Some(3600.0), Some(3600.01), None, Some(3600.02)]);
    stops_for(&answers[2], "latched");
    assert_ne!(answers[4]["command"], "stop", "{}", answers[4]);
    // Back: out of order, until the clock is again where it was. That is late.
    let answers = told_at(&[Some(7200.0), Some(3600.0), Some(3600.01), None, Some(3600.02), Some(7200.01)]);
    for k in [1, 2, 4] {
        stops_for(&answers[k], "out_of_order");
    }
    stops_for(&answers[5], "latched");
}

#[test]
fn bad_events_are_refused_and_stop_the_arms() {
    let folder = rod("monitor_bad_events");
    let cases = [
        (r#"{"attach": {"name": "part", "attached_to": "rod/hand"}}"#, "no body is called `rod/hand`"),
        (r#"{"attach": {"name": "part", "attached_to": "rod/arm"}}"#, "the task does not mean this contact"),
        (r#"{"hide": {"name": "rod/arm"}}"#, "rod/arm"),
        (r#"{"place": {"name": "part", "xyz": [-2, 0, 0]}}"#, "teleport"),
        (r#"{"open": {"name": "part", "value": 1}}"#, "no joint"),
        (r#"{"t": -1, "hide": {"name": "part"}}"#, "before that of the last state"),
        (r#"{"intent": {"pick": "prt"}}"#, "no body is called `prt`; did you mean \"part\"?"),
        (r#"{"intent": {"pick": "part", "arm": "left"}}"#, "no robot is called `left`"),
        (r#"{"answer": {"allow": true}}"#, "nobody was asked"),
    ];
    for (line, words) in cases {
        let input = format!("{}\n{line}\n{}\n", at_rest(0), at_rest(1));
        let answers = answered(&told(&folder, &[], input.as_bytes()).stdout);
        let said = stops_for(&answers[1], "event");
        assert!(said.contains(words), "{line}: {said}");
        assert_eq!(answers[1]["accepted"], false);
        assert!(stops_for(&answers[2], "latched").contains("event"));
    }
    let good = r#"{"place": {"name": "part", "xyz": [-2, 0, 0], "teleport": true}}"#;
    let input = format!("{}\n{good}\n{{\"t\": 0.005, \"hide\": {{\"name\": \"part\"}}}}\n", at_rest(0));
    let answers = answered(&told(&folder, &[], input.as_bytes()).stdout);
    assert!(answers[1..].iter().all(|a| a["accepted"] == true && a["command"] == "permit"), "{answers:?}");
}

#[test]
fn lines_are_bounded_and_the_last_may_be_cut() {
    let folder = rod("monitor_long_lines");
    let long = format!("{{\"t\": 0.01, \"q\": [{}0.2]}}", " ".repeat(1 << 21));
    let input = format!("{}\n{long}\n{}\n\n{{\"t\": 0.0", at_rest(0), at_rest(1));
    let out = told(&folder, &[], input.as_bytes());
    let answers = answered(&out.stdout);
    assert_eq!(answers.len(), 4);
    assert!(stops_for(&answers[1], "unreadable").contains("longer than 1048576 bytes"));
    stops_for(&answers[2], "latched");
    stops_for(&answers[3], "unreadable");
}

#[test]
fn a_pipe_that_falls_silent_is_answered_all_the_same() {
    let folder = rod("monitor_silent_pipe");
    let mut child = start(&folder, &["--live"]);
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&answers.next().unwrap().unwrap()).unwrap();
    writeln!(input, "{}", at_rest(0)).unwrap();
    // Loading took its time: before the first state there may be answers that nobody asked for.
    let first = std::iter::repeat_with(&mut next).find(|answer| answer["silence"] != true).unwrap();
    assert_eq!(first["command"], "permit");
    // Half a line is no state.
    write!(input, "{{\"t\": 0.01, ").unwrap();
    input.flush().unwrap();
    let silent = next();
    assert!(silent["silence"] == true && stops_for(&silent, "late").contains("the last state of rod"));
    let rest: Vec<Value> = std::iter::repeat_with(&mut next).take(99).collect();
    assert!(rest.iter().all(|answer| answer["silence"] == true && answer["command"] == "stop"));
    drop(input);
    stops_for(&next(), "unreadable");
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_record_that_cannot_be_kept_stops_the_arms() {
    let folder = rod("monitor_full");
    let out = told(&folder, &["--record", "/dev/full"], at_rest(0).as_bytes());
    assert!(out.status.code() == Some(2) && text(&out.stderr).contains("No space left"), "{out:?}");
    // A disk that fills up later: the signal for it is ignored, and a file has 1 kB at most.
    let program = env!("CARGO_BIN_EXE_elbowroom");
    let _ = std::fs::remove_file(folder.join("small.record"));
    let script = format!("ulimit -f 1; exec {program} monitor cell.toml --record small.record");
    let mut child = Command::new("bash");
    child.current_dir(&folder).args(["-c", &script]);
    let mut child =
        child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let all: String = (0..9).map(|step| at_rest(step) + "\n").collect();
    let _ = child.stdin.take().unwrap().write_all(all.as_bytes());
    let out = child.wait_with_output().unwrap();
    let answers = answered(&out.stdout);
    let (last, before) = answers.split_last().unwrap();
    assert!(stops_for(last, "record").contains("the record cannot be written: File too large"), "{last}");
    assert!(!before.is_empty() && before.len() < 8 && before.iter().all(|a| a["command"] == "permit"));
    assert_eq!(out.status.code(), Some(2), "{}", text(&out.stderr));
    for path in ["/proc/elbowroom.record", "no/such/folder/a.record"] {
        let out = told(&folder, &["--record", path], at_rest(0).as_bytes());
        assert_eq!((out.status.code(), out.stdout.len()), (Some(2), 0), "{path}");
        assert!(text(&out.stderr).contains("cannot be written"), "{}", text(&out.stderr));
    }
}

#[test]
fn an_output_that_is_closed_ends_it() {
    let folder = rod("monitor_closed");
    let mut child = start(&folder, &[]);
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    while writeln!(input, "{}", at_rest(0)).is_ok() {}
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("Output pipe closed early"), "{said}");
}

#[test]
fn settings_are_refused_all_at_once() {
    let folder = rod("monitor_settings");
    let refused = |guard: &str, words: &[&str]| {
        std::fs::write(folder.join("cell.toml"), format!("{CELL}{guard}")).unwrap();
        let out = told(&folder, &[], b"");
        let said = text(&out.stderr);
        assert_eq!((out.status.code(), out.stdout.len()), (Some(2), 0), "{said}");
        words.iter().for_each(|words| assert!(said.contains(words), "{words}: {said}"));
    };
    refused("", &["has no [guard]", "a stopping distance cannot be guessed"]);
    refused(
        "[guard]\nlat = 1\n[guard.joints]\nbrake = { type = \"linear\", slope = 1 }\nlatency = [3, 2, 1]\n\
         [guard.joint.trn]\ncurrent = -1\n[guard.roles]\nsupporting = [\"tabel\"]\n[[guard.arm]]\n\
         robot = \"r\"\n",
        &[
            "the key \"lat\" is unknown here; did you mean \"late\"?",
            "period is missing",
            "guard.joints, brake: offset is missing",
            "latency is neither a number nor two",
            "guard.joint \"trn\": is no joint of this world; did you mean",
            "current is -1, below zero",
            "no body is called \"tabel\"",
            "there is no robot \"r\"; the world has rod",
            "acceleration, profile are missing for rod/turn",
        ],
    );
    let bad = GUARD.replace("period = 0.01", "period = 100").replace("[5, 8]", "[0, 8]");
    refused(&bad, &["brake.deceleration: the brake may not decelerate at all"]);
    refused(
        &GUARD.replace("period = 0.01", "period = 100"),
        &["guard: period is 100 s; give a number from 0.00001 to 10 (s)"],
    );
    std::fs::write(folder.join("cell.toml"), format!("{CELL}{GUARD}")).unwrap();
    let out = told(&folder, &["--input", "none.jsonl"], b"");
    assert!(out.status.code() == Some(2) && text(&out.stderr).contains("none.jsonl cannot be read"));
}

/// A reset counts for the state in its line.
#[test]
fn a_reset_may_come_with_a_state() {
    let folder = rod("reset_with_state");
    let both = json!({"t": 0.01, "q": [0.2], "qd": [0], "reset": {}});
    let out = told(&folder, &[], format!("{}\n{{\n{both}\n", at_rest(0)).as_bytes());
    let answers = answered(&out.stdout);
    stops_for(&answers[1], "unreadable");
    assert_eq!((&answers[2]["command"], &answers[2]["event"]), (&json!("slow"), &json!("reset")));
}
