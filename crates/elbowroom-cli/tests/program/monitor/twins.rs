//! Two monitors and the comparator: only what both say passes.

use super::faults::{at_rest, rod, rod_with, stops_for, told};
use super::{cell, changed};
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

pub fn twin(one: &Monitor, other: &Monitor, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
    let (one, other) = (one.address(), other.address());
    command.args(["twin", "--monitor", &one, "--monitor", &other]).args(more);
    command
}

/// A folder with the rod, whose states may be so late that a busy machine does not matter.
fn patient_rod(test: &str) -> PathBuf {
    rod_with(test, "late = 0.4\nclock_drift = 1e6\n")
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
    let folder = changed("twin_agree", &[["late = 0.025", "late = 0.4\nclock_drift = 1e6"]]);
    let mut alone = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
    alone.current_dir(&folder).args(["monitor", "cell.toml", "--input"]).arg(cell().join("pick.jsonl"));
    let said_alone = alone.output().unwrap().stdout;
    // Beside a socket the clock is watched: where the machine was busy, the monitors say so, each by its own.
    for attempt in 0.. {
        let [one, other] = ["twin_one", "twin_other"].map(|name| Monitor::start(&folder, name));
        let mut command = twin(&one, &other, &[]);
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
        let is_busy = ["\"late\"", "has not answered within"].iter().any(|words| said.contains(words));
        assert!(is_busy && attempt < 10, "{said}");
    }
}

#[test]
fn two_worlds_never_agree() {
    let folder = changed("twin_world", &[["clearance = 0.003", "clearance = 0.0031"]]);
    let (one, other) = (Monitor::start(&cell(), "twin_cell"), Monitor::start(&folder, "twin_else"));
    let out = twin(&one, &other, &[]).output().unwrap();
    let said = text(&out.stderr);
    assert_eq!((out.status.code(), out.stdout.len()), (Some(2), 0), "{said}");
    let words = "the monitors guard other worlds, or have other settings: unix:";
    assert!(said.contains(words) && said.matches("late 0.025 s, fingerprint ").count() == 2, "{said}");
    // One is replaced by such a one while the comparator runs.
    let folder = patient_rod("twin_replaced");
    let (one, other) = (Monitor::start(&folder, "twin_kept"), Monitor::start(&folder, "twin_replaced"));
    let mut twin = Asked::start(twin(&one, &other, &[]));
    twin.until_permitted();
    drop(other);
    let _other = Monitor::start(&rod("twin_replacement"), "twin_replaced");
    twin.state();
    let begun = Instant::now();
    loop {
        let said = twin.ask("{\"reset\": {}}");
        let words = "has other settings now: period 0.01 s, late 0.025 s";
        if stops_for(&said, "disagreement").contains(words) {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{said}");
    }
    assert_eq!(twin.ends(), 0);
}

#[test]
fn one_that_dies_or_hangs_is_a_stop_until_it_is_back_and_reset() {
    let folder = patient_rod("twin_dies");
    let (one, other) = (Monitor::start(&folder, "twin_lives"), Monitor::start(&folder, "twin_dies"));
    let mut twin = Asked::start(twin(&one, &other, &["--within", "0.3"]));
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
    let resets = Instant::now();
    for _ in 0..5 {
        why(&twin.ask("{\"reset\": {}}"), &["has not answered within 300.0 ms", "has left"]);
    }
    // Half of the time for an answer is for reaching it; and what a busy machine adds.
    assert!(resets.elapsed() < Duration::from_secs(3), "{:?}", resets.elapsed());
    assert!(begun.elapsed() < Duration::from_secs(60), "it never waits for long");
    other.signal("-CONT");
    twin.until_permitted();
    assert_eq!(twin.ends(), 0);
}

/// What one says by itself is handed on only if it is a stop.
#[test]
fn one_alone_permits_nothing() {
    // Nothing here is about time, so a busy machine has plenty.
    let folder = rod_with("twin_alone", "late = 4.0\nclock_drift = 1e6\n");
    let one = Monitor::start(&folder, "twin_alone");
    // What a monitor of this world tells of its settings.
    let settings = text(&told(&folder, &[], b"{\"settings\": {}}\n").stdout);
    let settings = settings.lines().next().unwrap().to_string();
    let says = |name: &str, line: &'static str| {
        let file = format!("elbowroom_twin_{name}_{}", std::process::id());
        let socket = std::env::temp_dir().join(file);
        let _ = std::fs::remove_file(&socket);
        let listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let settings = settings.clone();
        std::thread::spawn(move || {
            // On a busy machine the comparator may come more than once.
            while let Ok((client, _)) = listener.accept() {
                let mut asked = BufReader::new(client.try_clone().unwrap()).lines();
                while let Some(Ok(asked)) = asked.next() {
                    let said = if asked.contains("settings") { &settings } else { line };
                    let _ = writeln!(&client, "{said}");
                }
            }
        });
        let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
        let other = format!("unix:{}", socket.display());
        command.args(["twin", "--within", "4", "--monitor", &one.address(), "--monitor", &other]);
        let mut twin = Asked::start(command);
        let said = twin.state();
        let why = stops_for(&said, "disagreement").to_string();
        assert_eq!(twin.ends(), 0);
        std::fs::remove_file(&socket).unwrap();
        why
    };
    let permit = r#"{"command":"permit","speed":1.0,"silence":true}"#;
    assert!(says("permit", permit).contains("by itself what is no stop"));
    assert!(says("nothing", r#"nothing,"silence":true"#).contains("by itself what is no stop"));
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
    let folder = rod("twin_within");
    let [one, other] = ["twin_within", "twin_within_too"].map(|name| Monitor::start(&folder, name));
    let [a, b] = [&one, &other].map(Monitor::address);
    let words = "--within is 0.05 s, and late is 0.025 s in the settings of both monitors";
    refused(&["--monitor", &a, "--monitor", &b, "--within", "0.05"], words);
}

/// How long after the last state that was permitted, of the robot whose is older, a stop is said when one of
/// two monitors freezes. The arms rest, and tell their states each period.
fn stops_after(folder: &Path, test: &str, period: f64) -> Duration {
    let names = [format!("{test}_one"), format!("{test}_other")];
    let [one, other] = names.each_ref().map(|name| Monitor::start(folder, name));
    let mut twin = Asked::start(twin(&one, &other, &[]));
    let script = std::fs::read_to_string(cell().join("pick.jsonl")).unwrap();
    let rests: Vec<Value> = ["left", "right"]
        .iter()
        .map(|robot| {
            let of =
                |line: &&str| line.contains(&format!("\"robot\": \"{robot}\"")) && line.contains("\"q\"");
            let mut line: Value = serde_json::from_str(script.lines().find(of).unwrap()).unwrap();
            line["qd"] = json!(vec![0.0; 7]);
            line
        })
        .collect();
    let begun = Instant::now();
    let mut permitted = [begun; 2];
    let mut cycles_permitted = 0;
    for cycle in 1..1000 {
        let t = period * f64::from(cycle);
        std::thread::sleep(Duration::from_secs_f64(t).saturating_sub(begun.elapsed()));
        let mut all = true;
        for (robot, rest) in rests.iter().enumerate() {
            let mut line = rest.clone();
            line["t"] = json!(t);
            let sent = Instant::now();
            let answer = twin.ask(&line.to_string());
            if answer["command"] != "stop" {
                permitted[robot] = sent;
                continue;
            }
            all = false;
            if cycles_permitted >= 5 && answer["reasons"][0]["kind"] == "disagreement" {
                let after = permitted.iter().min().unwrap().elapsed();
                other.signal("-CONT");
                assert!(stops_for(&answer, "disagreement").contains("has not answered within"), "{answer}");
                return after;
            }
            // The machine was busy, or nothing is known yet.
            cycles_permitted = 0;
            other.signal("-CONT");
            twin.ask("{\"reset\": {}}");
        }
        cycles_permitted = if all { cycles_permitted + 1 } else { 0 };
        if cycles_permitted == 5 {
            other.signal("-STOP");
        }
    }
    panic!("it never stops");
}

/// What holds of a state is proved for `late`: then a stop must be there.
#[test]
fn a_monitor_that_freezes_is_a_stop_within_late() {
    let words = [
        ["period = 0.01\n", "period = 0.1\n"],
        ["late = 0.025", "late = 0.4"],
        // Nothing is near what they could pass so slowly in so long a time.
        ["acceleration = 2,", "acceleration = 0.02,"],
    ];
    let after = stops_after(&changed("twin_frozen", &words), "twin_frozen", 0.1);
    eprintln!("late is 400 ms: a stop after {:.1} ms", after.as_secs_f64() * 1e3);
    // Never before the monitor's own time is over; and what a busy machine adds.
    assert!(after > Duration::from_millis(200) && after < Duration::from_millis(500), "{after:?}");
    let after = stops_after(&cell(), "twin_frozen_25", 0.01);
    eprintln!("late is 25 ms: a stop after {:.1} ms", after.as_secs_f64() * 1e3);
}

/// The rod as a machine: it turns as it is told, and brakes as its guard has it. It stops by itself where no
/// answer has come for `late` (docs/monitor.md).
struct Machine {
    begun: Instant,
    t: f64,
    q: f64,
    v: f64,
    /// The part of the speed that is allowed, 0 while it brakes; and since when that holds (s).
    speed: f64,
    told: f64,
}

impl Machine {
    const LATE: f64 = 0.1;

    fn now(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// Goes on until a time (s).
    fn advance(&mut self, to: f64) {
        while self.t < to {
            let dt = (to - self.t).min(1e-3);
            let brakes = self.speed == 0.0 || self.t - self.told > Machine::LATE;
            let before = self.v;
            let wanted = if brakes { 0.0 } else { 0.8 * self.speed };
            let change = dt * if brakes { 5.0 } else { 2.0 };
            self.v += (wanted - self.v).clamp(-change, change);
            self.q += 0.5 * (before + self.v) * dt;
            self.t += dt;
        }
    }
}

/// Whatever the machine of this test does meanwhile, the rod rests before it meets the ball.
#[test]
fn a_machine_rests_clear_when_a_monitor_freezes_on_its_way() {
    let folder = rod_with("twin_machine", "late = 0.1\n");
    let [one, other] = ["machine_one", "machine_other"].map(|name| Monitor::start(&folder, name));
    let mut frozen = 0;
    for at in [0.4, 0.8, 1.1] {
        other.signal("-CONT");
        let mut twin = Asked::start(twin(&one, &other, &[]));
        let begun = Instant::now();
        let mut rod = Machine { begun, t: 0.0, q: 0.1, v: 0.0, speed: 0.0, told: 0.0 };
        let (mut is_frozen, mut disagree) = (false, false);
        while rod.now() < 6.0 && !(disagree && rod.v == 0.0) {
            std::thread::sleep(Duration::from_millis(10));
            rod.advance(rod.now());
            if rod.q > at && !is_frozen {
                other.signal("-STOP");
                is_frozen = true;
            }
            let measured = rod.t;
            let answer = twin.ask(&json!({"t": measured, "q": [rod.q], "qd": [rod.v]}).to_string());
            // The brake acts a hundredth of a second after the state at the latest, or with the answer.
            rod.advance(rod.now().max(measured + 0.01));
            (rod.speed, rod.told) = (answer["speed"].as_f64().unwrap(), measured);
            disagree |= answer["reasons"][0]["kind"] == "disagreement" && is_frozen;
            if rod.speed == 0.0 && !is_frozen && rod.v == 0.0 {
                twin.ask("{\"reset\": {}}");
            }
        }
        frozen += usize::from(disagree);
        let rests = json!({"t": 0.0, "q": [rod.q], "qd": [0.0]});
        let said =
            super::faults::answered(&told(&folder, &["--once"], format!("{rests}\n").as_bytes()).stdout);
        let free = said[0]["lower"].as_f64().unwrap();
        eprintln!("frozen at {at}: it rests at {:.3}, {free:.3} m from the ball", rod.q);
        assert!(free > 0.05 - 1e-3, "{free} m are free, and the margin is 0.05 m");
        twin.ends();
    }
    other.signal("-CONT");
    assert!(frozen > 0, "it never froze on its way");
}
