//! `fit-brake` of a record: stops of a joint that are known, as the monitor has recorded them.

use super::faults::{rod_with, told};
use crate::support::{lines, run, schema::Schema, text};
use serde_json::json;
use std::path::{Path, PathBuf};

const PERIOD: f64 = 0.01;

/// A rod that is driven, told to stop, brakes and rests, over and over.
struct Drive {
    input: String,
    t: f64,
    q: f64,
    v: f64,
    /// The speed and the way of each stop.
    stops: Vec<(f64, f64)>,
}

impl Drive {
    fn new() -> Drive {
        let mut drive = Drive { input: String::new(), t: 0.0, q: 0.1, v: 0.0, stops: Vec::new() };
        drive.go(0.0);
        drive
    }

    /// The next state, at another velocity.
    fn go(&mut self, v: f64) {
        self.t += PERIOD;
        self.q += 0.5 * (self.v + v) * PERIOD;
        self.v = v;
        self.input += &json!({"t": self.t, "q": [self.q], "qd": [v]}).to_string();
        self.input += "\n";
    }

    /// Rises to a velocity, and is told to stop there: that state is the last before the answer. The brake
    /// acts some periods later. With `rests` it brakes until it rests, and else for a while.
    fn stop(&mut self, v: f64, latency: usize, rests: bool) {
        while (v - self.v).abs() > 0.015 {
            self.go(self.v + 0.015 * v.signum());
        }
        (0..4).for_each(|_| self.go(v));
        self.input += "stop!\n";
        (0..latency).for_each(|_| self.go(v));
        let from = self.q;
        while self.v != 0.0 && (rests || self.v.abs() > 0.5 * v.abs()) {
            self.go(v.signum() * (self.v.abs() - 0.06).max(0.0));
        }
        if rests {
            (0..3).for_each(|_| self.go(0.0));
            self.stops.push((v.abs(), (self.q - from).abs()));
        }
    }

    fn reset(&mut self) {
        self.input += "{\"reset\": {}}\n";
        self.go(self.v);
    }
}

/// The monitor's record of a drive.
fn recorded(test: &str, drive: &Drive) -> PathBuf {
    let folder = rod_with(test, "");
    let _ = std::fs::remove_file(folder.join("stops.record"));
    let out = told(&folder, &["--record", "stops.record"], drive.input.as_bytes());
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    folder
}

fn fit(folder: &Path, more: &[&str]) -> std::process::Output {
    run(folder, &[&["fit-brake", "stops.record"], more].concat())
}

#[test]
fn the_stops_of_a_record_are_fitted() {
    let mut drive = Drive::new();
    for (v, latency) in [(0.3, 1), (-0.45, 2), (0.6, 3), (-0.5, 2)] {
        drive.stop(v, latency, true);
        drive.reset();
    }
    // The arms may go on before this one rests: it says nothing.
    drive.stop(0.4, 1, false);
    drive.reset();
    let folder = recorded("fit_record", &drive);
    for name in [&[][..], &["--joint", "rod/turn"]] {
        let out = fit(&folder, name);
        let said = text(&out.stdout);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        assert!(said.starts_with("rod/turn: 4 stops up to a speed of 0.6\n"), "{said}");
        for (speed, way) in &drive.stops {
            assert!(said.contains(&format!("{speed:>12.6} {way:>12.6}")), "{speed} {way}: {said}");
        }
        assert!(said.contains("The brake began to act 0.01 to 0.03 s after the state"), "{said}");
        assert!(said.contains("For [guard.joint.\"rod/turn\"], 0 beyond the envelope:\nbrake = {"), "{said}");
        let words = "rod/turn: 1 stop ended before it rested";
        assert!(text(&out.stderr).contains(words), "{}", text(&out.stderr));
    }
    let out = fit(&folder, &["--json", "-", "--out", "stops.svg"]);
    let answers = lines(&out.stdout);
    let [answer] = &answers[..] else { panic!("{}", text(&out.stdout)) };
    let mut schema = Schema::read("fit-brake");
    schema.check(answer);
    schema.all_seen();
    assert_eq!(answer["joint"], "rod/turn");
    assert!((answer["delay"]["most"].as_f64().unwrap() - 0.03).abs() < 1e-9, "{answer}");
    assert_eq!((answer["stops"].as_u64(), answer["cut_short"].as_u64()), (Some(4), Some(1)));
}

#[test]
fn a_record_without_stops_that_rest_is_refused() {
    let refused = |folder: &Path, more: &[&str], words: &str| {
        let out = fit(folder, more);
        assert_eq!((out.status.code(), text(&out.stdout)), (Some(2), String::new()), "{words}");
        assert!(text(&out.stderr).contains(words), "{words}: {}", text(&out.stderr));
    };
    let mut drive = Drive::new();
    drive.stop(0.3, 1, true);
    drive.reset();
    let folder = recorded("fit_record_few", &drive);
    refused(&folder, &[], "stops.record: rod/turn has 1 recorded stop that came to rest: ");
    refused(&folder, &["--joint", "rod/trn"], "--joint rod/trn is no joint of the record; it has rod/turn");
    drive.stop(-0.4, 1, false);
    let folder = recorded("fit_record_moves", &drive);
    refused(&folder, &[], "rod/turn was told to stop and moves until the record ends");
    std::fs::write(folder.join("stops.record"), "speed,way\n1,0.1\n2,0.2\n3,0.4\n").unwrap();
    refused(&folder, &["--joint", "rod/turn"], "--joint and --world are for a record of the monitor");
}
