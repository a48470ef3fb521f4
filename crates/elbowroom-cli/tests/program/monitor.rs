//! The guard as a program: the cell of two arms, and what it says of the six scripts there.

use crate::support::text;
use serde_json::Value;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

mod faults;

/// The cell of two arms.
fn cell() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots/rrc_cell")
}

fn monitor(arguments: &[&str], script: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
    command.current_dir(cell()).args(["monitor", "cell.toml"]).args(arguments);
    command.stdin(File::open(cell().join(format!("{script}.jsonl"))).unwrap());
    command.output().unwrap()
}

fn answers(out: &Output) -> Vec<Value> {
    text(&out.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn lines_of(script: &str) -> usize {
    std::fs::read_to_string(cell().join(format!("{script}.jsonl"))).unwrap().lines().count()
}

#[test]
fn the_clean_script_is_never_stopped() {
    let out = monitor(&[], "pick");
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let answers = answers(&out);
    assert_eq!(answers.len(), lines_of("pick"));
    // One arm reports first: until the other has, nothing is permitted.
    assert_eq!(answers[0]["reasons"][0]["kind"], "waiting");
    assert!(answers[1..].iter().all(|answer| answer["command"] != "stop"));
    let events: Vec<&str> = answers.iter().filter_map(|answer| answer["event"].as_str()).collect();
    assert_eq!(events, ["intent", "attach", "intent", "detach", "intent"]);
    assert!(answers.iter().all(|answer| answer["accepted"] != false));
    // It comes near what it takes, and says so in numbers that are proved.
    let nearest = answers.iter().filter_map(|answer| answer["upper"].as_f64()).fold(f64::INFINITY, f64::min);
    assert!(nearest < 0.0021, "{nearest}");
    let said = text(&out.stderr);
    assert!(said.lines().last().unwrap().starts_with("summary: 2367 lines: "), "{said}");
}

#[test]
fn the_others_are_stopped_before_they_meet() {
    // What would meet, and when, as the cell's README has it.
    let scripts = [
        ("bump", ["right/finger_2", "world/table_top"], 3.16),
        ("held_box", ["world/oru_1", "world/oru_3"], 9.65),
        ("door", ["world/oru_2_door", "world/oru_3"], 8.06),
        ("cross", ["left/link_6", "right/link_6"], 6.16),
        ("self", ["right/link_2", "right/finger_1"], 4.07),
    ];
    for (script, pair, meets) in scripts {
        let out = monitor(&[], script);
        let answers = answers(&out);
        assert_eq!((out.status.code(), answers.len()), (Some(0), lines_of(script)), "{script}");
        let first = answers.iter().skip(1).find(|answer| answer["command"] == "stop").unwrap();
        let t = first["t"].as_f64().unwrap();
        assert!(t < meets && t > meets - 0.2, "{script}: {t}");
        let reasons = first["reasons"].as_array().unwrap();
        let sees = |reason: &&Value| {
            let named = |name: &str| reason["pair"].as_array().is_some_and(|p| p.iter().any(|n| n == name));
            reason["kind"] == "collision" && pair.iter().all(|name| named(name))
        };
        let reason = reasons.iter().find(sees).unwrap_or_else(|| panic!("{script}: {first}"));
        let words = reason["text"].as_str().unwrap();
        assert!(words.contains(pair[0]) && words.contains("before the arms rest: \""), "{words}");
        assert_eq!((first["speed"].as_f64(), first["category"].as_i64()), (Some(0.0), Some(1)));
        // As long as it would touch it stays stopped.
        let after = answers.iter().filter(|a| a["t"].as_f64().unwrap() > meets).take(3);
        assert!(after.clone().count() == 3 && after.clone().all(|a| a["command"] == "stop"), "{script}");
    }
}

#[test]
fn one_state_is_judged_by_the_exit_code() {
    let one = |script: &str, at: usize| {
        let text = std::fs::read_to_string(cell().join(format!("{script}.jsonl"))).unwrap();
        let states: Vec<&str> = text.lines().filter(|line| line.contains("\"q\"")).collect();
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("once_{script}.jsonl"));
        std::fs::write(&path, format!("{}\n{}\n{}\n", states[at], states[at + 1], states[0])).unwrap();
        let out = monitor(&["--once", "--input", path.to_str().unwrap()], script);
        (out.status.code(), answers(&out).len())
    };
    assert_eq!(one("bump", 0), (Some(0), 2));
    assert_eq!(one("bump", 640), (Some(1), 2));
    let none = Command::new(env!("CARGO_BIN_EXE_elbowroom"))
        .current_dir(cell())
        .args(["monitor", "cell.toml", "--once", "--input", "/dev/null"])
        .output()
        .unwrap();
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("no state was judged"));
}

#[test]
fn a_record_is_repeated_to_the_bit_and_a_changed_one_is_found_out() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join("door.record");
    let _ = std::fs::remove_file(&path);
    let record = path.to_str().unwrap();
    let out = monitor(&["--record", record], "door");
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let replay = |path: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
        command.current_dir(cell()).args(["replay", path]).output().unwrap()
    };
    let again = replay(record);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    let said = text(&again.stderr);
    assert!(said.contains("summary: 1924 answers repeated: all the same"), "{said}");
    // It is never written over.
    let twice = monitor(&["--record", record], "door");
    assert!(twice.status.code() == Some(2) && text(&twice.stderr).contains("is there already"));
    // A digit of what was measured.
    let kept = std::fs::read_to_string(&path).unwrap();
    let changed = folder.join("changed.record");
    std::fs::write(&changed, kept.replacen("-0.13198", "-0.13298", 1)).unwrap();
    let again = replay(changed.to_str().unwrap());
    assert_eq!(again.status.code(), Some(1), "{}", text(&again.stderr));
    assert!(text(&again.stderr).contains("changed.record: line 3 was answered otherwise"));
    // Another world.
    let other = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&changed, other.replacen("\"fingerprint\":\"", "\"fingerprint\":\"0", 1)).unwrap();
    let again = replay(changed.to_str().unwrap());
    assert!(again.status.code() == Some(2) && text(&again.stderr).contains("of another world"));
}
