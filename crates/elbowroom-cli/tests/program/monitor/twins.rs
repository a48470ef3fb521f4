//! Two monitors and the comparator: only what both say passes.

use super::faults::{at_rest, rod, stops_for};
use super::{cell, changed, monitor};
use crate::support::{schema::Schema, text};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A monitor of a folder's cell that serves a socket, and is ended with the test.
pub struct Monitor {
    child: Child,
    socket: PathBuf,
}

impl Drop for Monitor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_file(&self.socket);
    }
}

impl Monitor {
    pub fn start(folder: &Path, name: &str) -> Monitor {
        let socket = std::env::temp_dir().join(format!("elbowroom_{name}_{}", std::process::id()));
        let _ = std::fs::remove_file(&socket);
        let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
        command.current_dir(folder).args(["monitor", "cell.toml", "--serve", "--input"]);
        command.arg(format!("unix:{}", socket.display())).stderr(Stdio::null());
        let child = command.spawn().unwrap();
        let begun = Instant::now();
        while !socket.exists() {
            assert!(begun.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(5));
        }
        Monitor { child, socket }
    }

    fn address(&self) -> String {
        format!("unix:{}", self.socket.display())
    }

    fn signal(&self, name: &str) {
        let done = Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
        assert!(done.success());
    }
}

pub fn twin(one: &Monitor, other: &Monitor, within: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
    let (one, other) = (one.address(), other.address());
    command.args(["twin", "--within", within, "--monitor", &one, "--monitor", &other]);
    command
}

/// A comparator that is asked line by line.
struct Asked {
    child: Child,
    to: ChildStdin,
    from: Lines<BufReader<ChildStdout>>,
    schema: Schema,
    t: usize,
}

impl Asked {
    fn start(mut command: Command) -> Asked {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (to, from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Asked { child, to, from: BufReader::new(from).lines(), schema: Schema::read("monitor"), t: 0 }
    }

    fn ask(&mut self, line: &str) -> Value {
        writeln!(self.to, "{line}").unwrap();
        loop {
            let line = self.from.next().unwrap().unwrap();
            let answer: Value = serde_json::from_str(&line).unwrap();
            self.schema.check(&answer);
            if answer["silence"] != true {
                return answer;
            }
            assert_eq!(answer["command"], "stop");
        }
    }

    /// The next state at rest.
    fn state(&mut self) -> Value {
        self.t += 1;
        self.ask(&at_rest(self.t))
    }

    /// Tells states, and resets stops, until the arms may go on: what was late in the meantime is reset as
    /// well. Behind each reset the speed rises from zero.
    fn until_permitted(&mut self) {
        for _ in 0..1000 {
            let answer = self.state();
            if answer["command"] == "permit" {
                return;
            }
            if answer["command"] == "slow" {
                continue;
            }
            self.ask(&json!({"t": 0.01 * self.t as f64, "reset": {}}).to_string());
        }
        panic!("it is never permitted: {}", self.state());
    }

    fn ends(self) -> i32 {
        let Asked { mut child, to, .. } = self;
        drop(to);
        child.wait().unwrap().code().unwrap()
    }
}

#[test]
fn two_that_agree_say_what_one_says() {
    let said_alone = monitor(&[], "pick").stdout;
    // Beside a socket the clock is watched: where the machine was busy, the monitors say so, each by its own.
    for attempt in 0.. {
        let [one, other] = ["twin_one", "twin_other"].map(|name| Monitor::start(&cell(), name));
        let mut command = twin(&one, &other, "20");
        let out = command.stdin(File::open(cell().join("pick.jsonl")).unwrap()).output().unwrap();
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let said = text(&out.stdout);
        let is_asked = |line: &&str| !line.contains("\"silence\":true");
        let asked: Vec<&str> = said.lines().filter(is_asked).collect();
        let alone = text(&said_alone);
        let alone: Vec<&str> = alone.lines().filter(is_asked).collect();
        assert_eq!(asked.len(), alone.len());
        // They are silent before the first state and behind the last.
        let step = |line: &str| {
            let mut value: Value = serde_json::from_str(line).unwrap();
            value.as_object_mut().unwrap().remove("step");
            value
        };
        if asked.iter().zip(&alone).all(|(one, other)| step(one) == step(other)) {
            assert!(text(&out.stderr).contains(", 0 without the agreement of both"), "{}", text(&out.stderr));
            break;
        }
        assert!(text(&out.stdout).contains("\"late\"") && attempt < 10, "{}", text(&out.stdout));
    }
}

#[test]
fn two_worlds_never_agree() {
    let folder = changed("twin_world", &[["clearance = 0.003", "clearance = 0.0031"]]);
    let (one, other) = (Monitor::start(&cell(), "twin_cell"), Monitor::start(&folder, "twin_else"));
    let mut twin = Asked::start(twin(&one, &other, "20"));
    let q = [0.0; 7];
    for k in 0..5 {
        let line = match k {
            3 => json!({"reset": {}}),
            _ => json!({"t": 0.01 * f64::from(k), "robot": "left", "q": q}),
        };
        let answer = twin.ask(&line.to_string());
        let said = stops_for(&answer, "disagreement");
        assert!(
            said.contains("two guards disagree: they guard other worlds, or have other settings"),
            "{said}"
        );
        assert_eq!(answer["category"], 0);
    }
    assert_eq!(twin.ends(), 0);
}

#[test]
fn one_that_dies_or_hangs_is_a_stop_until_it_is_back_and_reset() {
    let folder = rod("twin_dies");
    let (one, other) = (Monitor::start(&folder, "twin_lives"), Monitor::start(&folder, "twin_dies"));
    let mut twin = Asked::start(twin(&one, &other, "0.3"));
    twin.until_permitted();
    // It is killed.
    other.signal("-KILL");
    let first = std::iter::repeat_with(|| twin.state()).find(|answer| answer["command"] == "stop").unwrap();
    let why = |answer: &Value, words: &[&str]| {
        let said = stops_for(answer, "disagreement");
        assert!(said.contains("a guard is silent") && words.iter().any(|w| said.contains(w)), "{said}");
    };
    if first["reasons"][0]["kind"] == "disagreement" {
        why(&first, &["has left", "does not read"]);
    }
    why(&twin.state(), &["has left", "does not read"]);
    // A reset alone does not help; a new one does, once it has the states and was reset.
    let reset = twin.ask("{\"reset\": {}}");
    assert_eq!(reset["command"], "stop");
    drop(other);
    let other = Monitor::start(&folder, "twin_dies");
    twin.until_permitted();
    // It is stopped, and is found out in time.
    other.signal("-STOP");
    let begun = Instant::now();
    let late = twin.state();
    if late["reasons"][0]["kind"] == "disagreement" {
        why(&late, &["has not answered within 300.0 ms"]);
    }
    for _ in 0..20 {
        why(&twin.state(), &["has not answered within 300.0 ms"]);
    }
    // Resets are answered as well, although nobody lets the twin in.
    for _ in 0..5 {
        why(&twin.ask("{\"reset\": {}}"), &["has not answered within 300.0 ms", "has left"]);
    }
    assert!(begun.elapsed() < Duration::from_secs(60), "it never waits for long");
    other.signal("-CONT");
    twin.until_permitted();
    assert_eq!(twin.ends(), 0);
}

/// What one says by itself is handed on only if it is a stop.
#[test]
fn one_alone_permits_nothing() {
    let folder = rod("twin_alone");
    let one = Monitor::start(&folder, "twin_alone");
    let socket = std::env::temp_dir().join(format!("elbowroom_twin_false_{}", std::process::id()));
    let _ = std::fs::remove_file(&socket);
    let listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let says = |line: &'static str| {
        let listener = listener.try_clone().unwrap();
        std::thread::spawn(move || {
            let (client, _) = listener.accept().unwrap();
            let mut asked = BufReader::new(client.try_clone().unwrap()).lines();
            while let Some(Ok(_)) = asked.next() {
                let _ = writeln!(&client, "{line}");
            }
        });
        let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
        let other = format!("unix:{}", socket.display());
        command.args(["twin", "--within", "0.3", "--monitor", &one.address(), "--monitor", &other]);
        let mut twin = Asked::start(command);
        let said = twin.state();
        let why = stops_for(&said, "disagreement").to_string();
        assert_eq!(twin.ends(), 0);
        why
    };
    let permit = r#"{"command":"permit","speed":1.0,"silence":true}"#;
    assert!(says(permit).contains("by itself what is no stop"));
    assert!(says(r#"nothing,"silence":true"#).contains("by itself what is no stop"));
    std::fs::remove_file(&socket).unwrap();
}

#[test]
fn what_is_no_pair_is_refused() {
    let refused = |arguments: &[&str], words: &str| {
        let out = Command::new(env!("CARGO_BIN_EXE_elbowroom")).arg("twin").args(arguments).output().unwrap();
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        assert!(text(&out.stderr).contains(words), "{}", text(&out.stderr));
    };
    refused(&["--monitor", "unix:/a"], "--monitor is given 1 time: give two");
    refused(&["--monitor", "unix:/a", "--monitor", "unix:/a"], "both monitors are unix:/a");
    refused(&["--monitor", "unix:/no/a", "--monitor", "unix:/b"], "unix:/no/a cannot be reached");
    refused(&["--monitor", "udp:a", "--monitor", "unix:/b"], "give unix:PATH or tcp:HOST:PORT");
    refused(&["--monitor", "unix:/a", "--monitor", "unix:/b", "--within", "NaN"], "--within is NaN");
}
