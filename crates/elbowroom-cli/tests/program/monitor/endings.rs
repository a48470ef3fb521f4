//! Every last word is a stop, whatever ends the program.

use super::clients::{answer, connect, ends, listening};
use super::faults::{at_rest, is_last_word, rod, start, stops_for, told};
use crate::support::{lines, schema::Schema, text};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Sends a signal by its name.
fn signal(child: &Child, name: &str) {
    let done = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(done.success());
}

/// Signals that end a program, and their exit codes.
const SIGNALS: [(&str, i32); 5] =
    [("-HUP", 129), ("-INT", 130), ("-QUIT", 131), ("-USR1", 138), ("-TERM", 143)];

/// The last line is a last word, and says why.
fn last_says(said: &[Value], words: &str) {
    let last = said.last().unwrap();
    Schema::read("monitor").check(last);
    assert!(is_last_word(last), "{last}");
    assert!(stops_for(last, "ended").contains(words), "{last}");
    assert!(said.iter().rev().skip(1).all(|line| !is_last_word(line)));
}

#[test]
fn the_end_of_the_input_is_a_stop_on_every_output() {
    let folder = rod("ended_input");
    for live in [&[][..], &["--live"]] {
        let _ = std::fs::remove_file(folder.join("said.jsonl"));
        let arguments = [&["--json", "said.jsonl"], live].concat();
        let out = told(&folder, &arguments, format!("{}\n", at_rest(0)).as_bytes());
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let said = lines(&out.stdout);
        last_says(&said, "there is no more to read");
        assert!(said.iter().any(|answer| answer["command"] == "permit"));
        last_says(&lines(&std::fs::read(folder.join("said.jsonl")).unwrap()), "there is no more to read");
    }
    // One state is judged by its answer.
    let out = told(&folder, &["--once"], format!("{}\n", at_rest(0)).as_bytes());
    assert_eq!((lines(&out.stdout).len(), out.status.code()), (1, Some(0)));
}

#[test]
fn a_signal_is_a_stop_and_an_end_in_order() {
    let folder = rod("ended_signal");
    for (name, code) in SIGNALS {
        for live in [&[][..], &["--live"]] {
            let _ = std::fs::remove_dir_all(folder.join("kept"));
            std::fs::create_dir(folder.join("kept")).unwrap();
            let _ = std::fs::remove_file(folder.join("said.jsonl"));
            let arguments = [&["--json", "said.jsonl", "--snapshot", "kept"], live].concat();
            let mut child = start(&folder, &arguments);
            let mut said = BufReader::new(child.stdout.take().unwrap());
            let mut input = child.stdin.take().unwrap();
            // What is not live hands its answers on when it waits.
            writeln!(input, "{}", at_rest(0)).unwrap();
            assert!(answer(&mut said).is_some());
            signal(&child, name);
            let begun = Instant::now();
            let mut rest = String::new();
            said.read_to_string(&mut rest).unwrap();
            assert_eq!(ends(child), code, "{name} {live:?}");
            assert!(begun.elapsed() < Duration::from_secs(5), "the input is still open");
            let words = format!("ended by SIG{}", &name[1..]);
            last_says(&lines(rest.as_bytes()), &words);
            last_says(&lines(&std::fs::read(folder.join("said.jsonl")).unwrap()), &words);
            let again = told(&folder, &["--snapshot", "kept", "--restore"], b"");
            assert!(text(&again.stderr).contains("restored from"), "{}", text(&again.stderr));
            drop(input);
        }
    }
}

#[test]
fn a_signal_removes_the_socket_and_the_client_is_told() {
    for with_client in [true, false] {
        for serve in [true, false] {
            let test = format!("ended_socket_{with_client}_{serve}");
            let _ = std::fs::remove_file(rod(&test).join("said.jsonl"));
            let more =
                if serve { &["--json", "said.jsonl", "--serve"][..] } else { &["--json", "said.jsonl"] };
            let (child, socket) = listening(&test, more);
            let (to, mut from) = connect(&socket);
            writeln!(&to, "{}", at_rest(0)).unwrap();
            assert!(answer(&mut from).is_some());
            if !with_client {
                drop((to, from));
                if !serve {
                    // It ends with its client.
                    assert_eq!(ends(child), 0);
                    let said = lines(&std::fs::read(rod(&test).join("said.jsonl")).unwrap());
                    last_says(&said, "there is no more to read");
                    continue;
                }
                signal(&child, "-TERM");
            } else {
                signal(&child, "-TERM");
                let mut said: Vec<Value> = Vec::new();
                while let Some(answer) = answer(&mut from) {
                    said.push(answer);
                }
                last_says(&said, "ended by SIGTERM");
            }
            assert_eq!(ends(child), 143);
            assert!(!socket.exists());
            last_says(&lines(&std::fs::read(rod(&test).join("said.jsonl")).unwrap()), "ended by SIGTERM");
        }
    }
}

/// What is not live waits for its reader, and no longer once it is to end.
#[test]
fn a_signal_ends_a_program_that_hangs() {
    let folder = rod("ended_hangs");
    let mut child = start(&folder, &[]);
    let mut input = child.stdin.take().unwrap();
    let sender = std::thread::spawn(move || {
        let begun = Instant::now();
        (0..1_000_000).take_while(|step| writeln!(input, "{}", at_rest(*step)).is_ok()).count();
        begun.elapsed()
    });
    std::thread::sleep(Duration::from_millis(1500));
    let begun = Instant::now();
    signal(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    sender.join().unwrap();
}

#[test]
fn a_program_that_was_started_without_a_signal_does_not_end_by_it() {
    let folder = rod("ended_ignored");
    let program = env!("CARGO_BIN_EXE_elbowroom");
    let mut command = Command::new("bash");
    command.current_dir(&folder).args(["-c", &format!("trap '' HUP; exec {program} monitor cell.toml")]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    writeln!(input, "{}", at_rest(0)).unwrap();
    assert!(answer(&mut said).is_some());
    signal(&child, "-HUP");
    writeln!(input, "{}", at_rest(1)).unwrap();
    assert_eq!(answer(&mut said).unwrap()["command"], "permit");
    drop(input);
    assert_eq!(ends(child), 0);
}

#[test]
fn a_full_disk_is_a_stop_on_standard_output() {
    let folder = rod("ended_full");
    for live in [&[][..], &["--live"]] {
        let arguments = [&["--json", "/dev/full"], live].concat();
        let out = told(&folder, &arguments, format!("{}\n", at_rest(0)).as_bytes());
        assert_eq!(out.status.code(), Some(2));
        let said = lines(&out.stdout);
        let last = said.last().unwrap();
        assert!(last["command"] == "stop" && last.to_string().contains("No space left"), "{last}");
    }
}

#[test]
fn the_comparator_has_a_last_word_too() {
    let folder = rod("ended_twin");
    let [one, other] = ["ended_one", "ended_other"].map(|name| super::twins::Monitor::start(&folder, name));
    for (name, code) in [("-TERM", 143), ("", 0)] {
        let mut command = super::twins::twin(&one, &other, &[]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        writeln!(input, "{}", at_rest(0)).unwrap();
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        if name.is_empty() {
            drop(input);
        } else {
            signal(&child, name);
        }
        let mut rest = String::new();
        said.read_to_string(&mut rest).unwrap();
        assert_eq!(ends(child), code);
        last_says(&lines(rest.as_bytes()), if name.is_empty() { "no more to read" } else { "SIGTERM" });
    }
}
