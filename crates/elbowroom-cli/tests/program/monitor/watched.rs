//! The watchdog: an answer that does not come in time is a stop.

use super::clients::{answer, connect, ends, listening};
use super::faults::{at_rest, stops_for};
use crate::support::{schema::Schema, text};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;

/// A record that nobody reads hangs like a disk that does not answer.
#[test]
fn an_answer_that_hangs_is_a_stop_and_so_is_the_one_after() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("watched");
    std::fs::create_dir_all(&folder).unwrap();
    let pipe = folder.join("record");
    let _ = std::fs::remove_file(&pipe);
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let (child, socket) = listening("watched", &["--record", "record", "--answer-within", "0.2"]);
    let mut record = std::fs::File::open(&pipe).unwrap();
    let (to, mut from) = connect(&socket);
    let mut schema = Schema::read("monitor");
    // The pipe takes some hundred lines and their answers.
    let mut overrun = None;
    for step in 0..100_000 {
        writeln!(&to, "{}", at_rest(step)).unwrap();
        // Where the machine was busy, silence was said to be silence.
        let is_overrun = |answer: &Value| answer["reasons"][0]["kind"] == "overrun";
        let mut answers = std::iter::repeat_with(|| answer(&mut from).unwrap());
        let answer = answers.find(|answer| answer["silence"] != true || is_overrun(answer)).unwrap();
        schema.check(&answer);
        if is_overrun(&answer) {
            overrun = Some((step, answer));
            break;
        }
    }
    let (step, told) = overrun.expect("it hung");
    assert!(step > 10, "{step}");
    assert!(stops_for(&told, "overrun").contains("there is no answer yet, and it may take 200.0 ms"));
    assert_eq!(told["category"], 0);
    // The record is read: the answer comes, and is a stop.
    let reader = std::thread::spawn(move || {
        let mut all = String::new();
        record.read_to_string(&mut all).map(|_| all)
    });
    let late = std::iter::repeat_with(|| answer(&mut from).unwrap()).find(|answer| answer["silence"] != true);
    let late = late.unwrap();
    assert!(stops_for(&late, "overrun").contains("the answer took "), "{late}");
    schema.check(&late);
    let mut ask = |line: &str| {
        writeln!(&to, "{line}").unwrap();
        std::iter::repeat_with(|| answer(&mut from).unwrap())
            .find(|answer| answer["silence"] != true)
            .unwrap()
    };
    let t = told["t"].as_f64().unwrap_or(0.0).max(0.01 * step as f64);
    let next = ask(&json!({"t": t + 1000.0, "q": [0.2], "qd": [0]}).to_string());
    let why = stops_for(&next, "latched");
    assert!(why.contains("overrun") || why.contains("late"), "{why}");
    drop((to, from));
    assert_eq!(ends(child), 0);
    // The record has all of it, and is repeated to the bit.
    let kept = reader.join().unwrap().unwrap();
    let of = |words: &str| kept.lines().filter(|line| line.starts_with(words)).count();
    assert!(
        of("{\"own\":{\"kind\":\"overrun\"") > 0 && of("{\"in\"") == step + 2,
        "{} {step}",
        of("{\"in\"")
    );
    let path = folder.join("kept.record");
    std::fs::write(&path, &kept).unwrap();
    let again = Command::new(env!("CARGO_BIN_EXE_elbowroom"))
        .current_dir(&folder)
        .arg("replay")
        .arg(&path)
        .output()
        .unwrap();
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
}
