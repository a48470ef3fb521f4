//! Outputs that nobody reads: none of them silences the guard. What is not written when an answer is due is a
//! stop wherever it still can be said, and the program ends.

use super::clients::{answer, connect, ends, listening};
use super::faults::{at_rest, is_last_word, rod, start, stops_for};
use super::twins::{Monitor, twin};
use crate::support::{lines, run, schema::Schema, text};
use serde_json::Value;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A pipe with a name, in the folder of a test.
fn pipe(test: &str, name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).unwrap();
    let pipe = folder.join(name);
    let _ = std::fs::remove_file(&pipe);
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    pipe
}

/// What the program says on standard error until it ends.
fn said(child: &mut Child) -> String {
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    said
}

fn is_overrun(answer: &Value) -> bool {
    answer["reasons"].as_array().unwrap().iter().any(|reason| reason["kind"] == "overrun")
}

/// An output of the program is a pipe with a reader that opens it and never reads. Beside it a client of a
/// socket is answered: its last answers, and how long the last took. A state comes each half period.
fn with_unread(option: &str) -> (Vec<Value>, Duration, i32, String) {
    let test = format!("unread{option}");
    let path = pipe(&test, "pipe");
    let kept = ["--record", "kept.record"];
    let more = if option == "--record" { &[][..] } else { &kept };
    let _ = std::fs::remove_file(path.with_file_name("kept.record"));
    let options = [&[option, "pipe", "--answer-within", "0.2"], more].concat();
    let (mut child, socket) = listening(&test, &options);
    let reader = File::open(&path).unwrap();
    let (to, mut from) = connect(&socket);
    let mut schema = Schema::read("monitor");
    let mut told = Vec::new();
    let mut took = Duration::ZERO;
    // The pipe takes some hundred lines.
    'states: for step in 0..100_000 {
        let begun = Instant::now();
        let _ = writeln!(&to, "{}", at_rest(step));
        loop {
            let Some(answer) = answer(&mut from) else { break 'states };
            schema.check(&answer);
            took = begun.elapsed();
            let is_silence = answer["silence"] == true;
            told.push(answer);
            if !is_silence {
                break;
            }
        }
    }
    assert!(told.len() > 10);
    drop(reader);
    let said = said(&mut child);
    let code = ends(child);
    // The stop is in the record too, and is repeated to the bit.
    if let [_, record] = more {
        let again = run(path.parent().unwrap(), &["replay", record]);
        assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    }
    (told, took, code, said)
}

#[test]
fn a_pipe_that_is_not_read_is_a_stop_in_time_and_the_end() {
    for option in ["--record", "--json"] {
        let (told, took, code, said) = with_unread(option);
        let last = told.last().unwrap();
        assert!(is_overrun(last) && last["command"] == "stop", "{option}: {last}");
        let words = "pipe is open and not read: there was no room in time";
        assert!(last.to_string().contains(words) && said.contains(words), "{option}: {last} {said}");
        // The time for an answer, and what a busy machine adds.
        assert!(took < Duration::from_secs(2), "{option}: {took:?}");
        assert_eq!(code, 2, "{option}");
        assert!(told.iter().any(|answer| answer["command"] == "permit"), "{option}");
    }
}

/// A program that starts the monitor and forgets its standard output.
#[test]
fn standard_output_that_is_not_read_is_a_stop_in_the_file_beside_it() {
    let folder = rod("unread_stdout");
    let _ = std::fs::remove_file(folder.join("said.jsonl"));
    let mut child = start(&folder, &["--live", "--json", "said.jsonl", "--answer-within", "0.2"]);
    let mut input = child.stdin.take().unwrap();
    let states = std::thread::spawn(move || {
        let sent = (0..100_000).take_while(|step| writeln!(input, "{}", at_rest(*step)).is_ok());
        (sent.count(), input)
    });
    let said = said(&mut child);
    let words = "standard output is open and not read";
    assert!(said.contains(words), "{said}");
    assert_eq!(ends(child), 2);
    states.join().unwrap();
    let told = lines(&std::fs::read(folder.join("said.jsonl")).unwrap());
    let last = told.last().unwrap();
    assert!(stops_for(last, "overrun").contains(words), "{last}");
    assert!(told.iter().any(|answer| answer["command"] == "permit"));
}

#[test]
fn a_client_that_does_not_read_is_left_and_that_is_a_stop() {
    let folder = rod("deaf");
    let _ = std::fs::remove_file(folder.join("said.jsonl"));
    let (mut child, socket) = listening("deaf", &["--json", "said.jsonl"]);
    let (to, from) = connect(&socket);
    to.set_write_timeout(Some(Duration::from_secs(10))).unwrap();
    // Its answers fill the socket.
    for step in 0..1_000_000 {
        if writeln!(&to, "{}", at_rest(step)).is_err() {
            break;
        }
    }
    let said = said(&mut child);
    assert!(said.contains("does not read its answers, and is left"), "{said}");
    assert_eq!(ends(child), 2);
    let told = lines(&std::fs::read(folder.join("said.jsonl")).unwrap());
    let (end, told) = told.split_last().unwrap();
    assert!(is_last_word(end), "{end}");
    let last = told.last().unwrap();
    assert!(stops_for(last, "overrun").contains("the client's socket is open and not read"), "{last}");
    drop((to, from));
}

/// The comparator waits for its own client no longer than a monitor would.
#[test]
fn a_comparator_whose_answers_are_not_read_ends() {
    let folder = rod("unread_twin");
    let [one, other] = ["unread_one", "unread_other"].map(|name| Monitor::start(&folder, name));
    let mut command = twin(&one, &other, &[]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let states = std::thread::spawn(move || {
        (0..100_000).take_while(|step| writeln!(input, "{}", at_rest(*step)).is_ok()).count()
    });
    let said = said(&mut child);
    assert!(said.contains("standard output is open and not read"), "{said}");
    assert_eq!(ends(child), 2);
    assert!(states.join().unwrap() < 100_000);
}

#[test]
fn a_pipe_without_a_reader_is_refused_and_one_that_comes_soon_is_waited_for() {
    for option in ["--record", "--json"] {
        let test = format!("no_reader{option}");
        let path = pipe(&test, "pipe");
        let folder = rod(&test);
        let mut child = start(&folder, &["--live", option, "pipe"]);
        let said = said(&mut child);
        assert!(said.contains("pipe is a pipe that nobody reads: start its reader first"), "{said}");
        assert_eq!(ends(child), 2);
        let mut child = start(&folder, &["--live", option, "pipe"]);
        drop(child.stdin.take());
        let mut kept = String::new();
        File::open(&path).unwrap().read_to_string(&mut kept).unwrap();
        assert_eq!(ends(child), 0, "{option}: {kept}");
    }
}
