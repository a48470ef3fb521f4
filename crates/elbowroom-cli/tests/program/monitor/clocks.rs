//! Clocks that lie: what the states say of the time is held against the clock of the machine.

use super::clients::{answer, connect, ends, listening_in};
use super::faults::{at_rest, is_last_word, rod_with, start, stops_for};
use crate::support::{run, schema::Schema, text};
use serde_json::{Value, json};
use std::io::{BufReader, Write};
use std::time::{Duration, Instant};

/// All that is said of lines that are sent at once, but silence.
fn said_at_once(from: &mut impl std::io::BufRead) -> Vec<Value> {
    let mut schema = Schema::read("monitor");
    let mut said = Vec::new();
    while let Some(answer) = answer(from) {
        schema.check(&answer);
        if answer["silence"] != true {
            said.push(answer);
        }
    }
    said
}

fn is_clock(answer: &Value) -> bool {
    answer["reasons"][0]["kind"] == "clock"
}

#[test]
fn states_from_the_future_are_not_permitted() {
    let input: String = (0..3000).map(|step| at_rest(step) + "\n").collect();
    for live in [true, false] {
        let test = format!("clock_ahead_{live}");
        // The test itself may take long to read its answers.
        let folder = rod_with(&test, "late = 0.4\nclock_offset = 0.025\n");
        let _ = std::fs::remove_file(folder.join("kept.record"));
        let said = if live {
            let mut child = start(&folder, &["--live", "--record", "kept.record"]);
            let mut to = child.stdin.take().unwrap();
            let all = input.clone();
            let sender = std::thread::spawn(move || to.write_all(all.as_bytes()));
            let said = said_at_once(&mut BufReader::new(child.stdout.take().unwrap()));
            sender.join().unwrap().unwrap();
            assert_eq!(ends(child), 0);
            said
        } else {
            let (child, socket) = listening_in(&folder, &test, &["--record", "kept.record"]);
            let (mut to, mut from) = connect(&socket);
            let all = input.clone();
            let sender = std::thread::spawn(move || {
                to.write_all(all.as_bytes()).unwrap();
                to.shutdown(std::net::Shutdown::Write).unwrap();
            });
            let said = said_at_once(&mut from);
            sender.join().unwrap();
            assert_eq!(ends(child), 0);
            said
        };
        assert_eq!(said.len(), 3000);
        // They are 15 s ahead in the end, and were all permitted. A busy machine is given half a second.
        let permitted = said.iter().filter(|answer| answer["command"] != "stop").count();
        assert!(permitted < 50, "{live}: {permitted}");
        let first = said.iter().find(|answer| answer["command"] == "stop").unwrap();
        if is_clock(first) {
            let words = stops_for(first, "clock");
            assert!(
                words.contains("the clock of the states has gone ") && words.contains("clock_drift"),
                "{words}"
            );
            assert_eq!(first["category"], 0);
        }
        // It waits for a reset, and says for what.
        let latched = stops_for(said.last().unwrap(), "latched");
        assert!(!is_clock(first) || latched.contains("(clock)"), "{latched}");
        let again = run(&folder, &["replay", "kept.record"]);
        assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    }
}

/// Sends states of a clock that runs at such a rate, for a time. Whether that is found, and when.
fn found(test: &str, settings: &str, rate: f64) -> Option<Duration> {
    let folder = rod_with(test, settings);
    let (child, socket) = listening_in(&folder, test, &[]);
    let (to, mut from) = connect(&socket);
    let begun = Instant::now();
    let mut found = None;
    for step in 0.. {
        let at = Duration::from_millis(10 * step);
        std::thread::sleep(at.saturating_sub(begun.elapsed()));
        let t = 0.01 * rate * step as f64;
        writeln!(&to, "{}", json!({"t": t, "q": [0.2], "qd": [0]})).unwrap();
        let said = std::iter::repeat_with(|| answer(&mut from).unwrap()).find(|said| said["silence"] != true);
        let said = said.unwrap();
        if is_clock(&said) {
            found = Some(begun.elapsed());
            break;
        }
        if said["command"] == "stop" {
            // The machine was busy.
            writeln!(&to, "{{\"reset\": {{}}}}").unwrap();
            answer(&mut from).unwrap();
        }
        if begun.elapsed() > Duration::from_secs(2) {
            break;
        }
    }
    to.shutdown(std::net::Shutdown::Write).unwrap();
    while let Some(said) = answer(&mut from) {
        if is_last_word(&said) {
            break;
        }
    }
    drop((to, from));
    ends(child);
    found
}

#[test]
fn a_clock_that_runs_too_fast_or_too_slow_is_found() {
    let patient = "late = 0.1\n";
    assert_eq!(found("clock_right", patient, 1.0), None);
    // A tenth of a second in a second, less the drift that is allowed.
    let fast = found("clock_fast", patient, 1.3).unwrap();
    assert!(fast > Duration::from_millis(200), "{fast:?}");
    let slow = found("clock_slow", patient, 0.7).unwrap();
    assert!(slow > Duration::from_millis(200), "{slow:?}");
    // A simulation that is meant to be slow.
    assert_eq!(found("clock_meant", "late = 0.1\nclock_drift = 0.5\n", 0.7), None);
}
