//! The guard as a program: the cell of two arms, and what it says of the six scripts there.

use crate::pads;
use crate::support::schema::Schema;
use crate::support::{lines, text};
use elbowroom_testkit::robots::robots_folder;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

mod brakes;
mod cells;
mod clients;
mod clocks;
mod endings;
mod example_clients;
mod faults;
mod restarts;
mod said;
mod twins;
mod unread;

/// The cell of two arms.
fn cell() -> PathBuf {
    robots_folder().join("rrc_cell")
}

fn monitor(arguments: &[&str], script: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
    command.current_dir(cell()).args(["monitor", "cell.toml"]).args(arguments);
    command.stdin(File::open(cell().join(format!("{script}.jsonl"))).unwrap());
    command.output().unwrap()
}

fn answers(out: &Output) -> Vec<Value> {
    faults::answered(&out.stdout)
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
        let page = folder.join("record.html");
        command.current_dir(cell()).args(["replay", path, "--report"]).arg(page).output().unwrap()
    };
    let again = replay(record);
    let page = std::fs::read_to_string(folder.join("record.html")).unwrap();
    for words in
        ["1924 answers repeated: all the same", "<dt>collision</dt>", "that world/oru_2_door comes within"]
    {
        assert!(page.contains(words), "{words}");
    }
    assert!(page.len() < 400_000 && !page.contains("NaN"), "{}", page.len());
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    let said = text(&again.stderr);
    assert!(said.contains("summary: 1924 answers repeated: all the same"), "{said}");
    assert!(!said.contains("not whole"), "{said}");
    // It was cut behind a line, or within one, or lines of it are missing, or there are more.
    let kept = std::fs::read_to_string(&path).unwrap();
    let end = kept.lines().last().unwrap();
    assert_eq!(end, r#"{"end":{"entries":1924,"reason":"there is no more to read"}}"#);
    let lines: Vec<&str> = kept.split_inclusive('\n').collect();
    let cut = folder.join("cut.record");
    let replayed = |kept: &str| {
        std::fs::write(&cut, kept).unwrap();
        let out = replay(cut.to_str().unwrap());
        (out.status.code(), text(&out.stderr))
    };
    let (code, said) = replayed(&lines[..100].concat());
    let words = "cut.record is not whole: it has no end: it was cut, or the program that wrote it was killed";
    assert!(code == Some(0) && said.contains(words), "{said}");
    let words = "summary: 99 answers repeated: all the same; the record is not whole: it has no end";
    assert!(said.contains(words), "{said}");
    let (code, said) = replayed(&kept[..lines[..100].concat().len() + 30]);
    assert!(
        code == Some(0) && said.contains("cut.record is not whole: it was cut within line 101"),
        "{said}"
    );
    assert!(said.contains("summary: 99 answers repeated"), "{said}");
    let (code, said) = replayed(&[&lines[..100], &lines[101..]].concat().concat());
    assert!(
        code == Some(2) && said.contains("1923 answers, and its end says that there were 1924"),
        "{said}"
    );
    let (code, said) = replayed(&format!("{kept}{}", lines[1]));
    assert!(code == Some(2) && said.contains("line 1927 stands behind the end"), "{said}");
    // Records of the first version had no end.
    let first = kept.replacen("\"elbowroom_record\":2", "\"elbowroom_record\":1", 1);
    let (code, said) = replayed(&first[..first.len() - end.len() - 1]);
    assert!(code == Some(0) && said.contains("it has no end"), "{said}");
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

/// The cell in a folder of this test's own, with some words of its file replaced.
fn changed(test: &str, words: &[[&str; 2]]) -> PathBuf {
    let folder = crate::support::folder(test);
    std::fs::copy(cell().join("rrc_k1207i.urdf"), folder.join("rrc_k1207i.urdf")).unwrap();
    let mut world = std::fs::read_to_string(cell().join("cell.toml")).unwrap();
    for [from, to] in words {
        assert!(world.contains(from));
        world = world.replacen(from, to, 1);
    }
    std::fs::write(folder.join("cell.toml"), world).unwrap();
    folder
}

#[test]
fn an_operator_is_asked_and_the_schema_holds_of_every_answer() {
    let folder = changed("monitor_ask", &[["[guard]", "[guard]\nmode = \"ask\"\nclock_drift = 1e6"]]);
    let start = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
        command.current_dir(&folder).args(["monitor", "cell.toml"]).args(more);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
    };
    // No clock is watched. A silence has the time at which it is noticed: on a busy machine it would be later
    // than the next states and events of the script, which would then be refused.
    let mut child = start(&[]);
    let mut to = child.stdin.take().unwrap();
    let mut from = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut schema = Schema::read("monitor");
    let mut ask = |line: &str| {
        writeln!(to, "{line}").unwrap();
        let answer: Value = serde_json::from_str(&from.next().unwrap().unwrap()).unwrap();
        schema.check(&answer);
        answer
    };
    // The arms do not wait for an answer here, so a stop that they do not obey is reset.
    let script = std::fs::read_to_string(cell().join("pick.jsonl")).unwrap();
    let mut asked = Vec::new();
    for line in script.lines().filter(|line| !line.contains("\"intent\"")) {
        let mut answer = ask(line);
        if answer["reasons"].as_array().unwrap().iter().any(|reason| reason["kind"] == "latched") {
            ask(r#"{"reset": {}}"#);
            answer = ask(r#"{"reset": {}}"#);
        }
        if answer["ask"].is_object() {
            assert_eq!((&answer["command"], &answer["category"]), (&json!("stop"), &json!(2)));
            asked.push(answer["ask"].clone());
            let answer = ask(r#"{"answer": {"allow": true}}"#);
            assert_eq!((&answer["event"], &answer["accepted"]), (&json!("answer"), &json!(true)));
        }
    }
    let tasks: Vec<[&str; 3]> =
        asked.iter().map(|ask| ["pick", "place", "on"].map(|key| ask[key].as_str().unwrap_or(""))).collect();
    // It takes the box, lifts it from its support, puts it on another, and leaves it.
    assert_eq!(tasks[0], ["world/oru_1", "", ""]);
    assert!(tasks.contains(&["", "world/oru_1", "world/stand_1_top"]), "{tasks:?}");
    assert!(tasks.contains(&["", "world/oru_1", "world/stand_2_top"]), "{tasks:?}");
    assert!(asked.iter().all(|ask| ask["arm"] == "left"));
    // All else that an answer may hold.
    let fast =
        |t: f64| json!({"t": t, "robot": "left", "q": [2, 2, 2, 2, 2, 2, 2], "qd": [9, 9, 9, 9, 9, 9, 9]});
    let answer = ask(&fast(11.81).to_string());
    assert!(answer["more"].as_u64() > Some(0), "{answer}");
    let answer = ask(r#"{"settings": {}}"#);
    assert_eq!(answer["settings"], json!({"period": 0.01, "late": 0.025}));
    ask("nonsense");
    drop(to);
    assert!(child.wait().unwrap().success());
    // Silence, beside a watched clock.
    let mut child = start(&["--live"]);
    let mut to = child.stdin.take().unwrap();
    writeln!(to, "{}", script.lines().next().unwrap()).unwrap();
    let mut from = BufReader::new(child.stdout.take().unwrap()).lines();
    loop {
        let answer: Value = serde_json::from_str(&from.next().unwrap().unwrap()).unwrap();
        schema.check(&answer);
        if answer["silence"] == true {
            assert_eq!(answer["command"], "stop");
            break;
        }
    }
    // A pad that is pressed.
    let pressed = crate::support::folder("monitor_ask_pads");
    pads::write_world(&pressed, pads::GUARD);
    schema.check(&lines(&pads::ask_monitor(&pressed, 1.275).stdout)[0]);
    schema.all_seen();
    drop(to);
    from.for_each(drop);
    assert!(child.wait().unwrap().success());
}
