//! The clients of `examples/clients` beside a real monitor. They must do what `docs/monitor.md` asks of a
//! controller. The world is theirs, but with slower times: no machine is so busy that it pauses for a second.

use super::clients::ends;
use crate::support::text;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How both clients are called here, beside the socket.
const TIMES: [&str; 6] = ["--period", "0.02", "--late", "1", "--speed", "0.1"];

/// A client: its name, and the program without its arguments.
type Client = (&'static str, fn() -> Command);

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/clients")
}

/// Straight to the stream: the test harness would keep `eprintln!` to itself.
fn skipped(what: &str) {
    std::io::stderr().write_all(format!("SKIPPED: {what}\n").as_bytes()).unwrap();
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|out| out.status.success())
}

/// The C client, built once; `None` with a loud line where there is no compiler.
fn built() -> Option<&'static Path> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || {
        if !is_there("cc") {
            skipped("there is no cc, so examples/clients/client.c is not tested");
            return None;
        }
        let to = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("example_client");
        let flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-o"];
        let from = examples().join("client.c");
        let out = Command::new("cc").args(flags).arg(&to).arg(from).arg("-lm").output().unwrap();
        assert!(out.status.success(), "{}", text(&out.stderr));
        Some(to)
    };
    BUILT.get_or_init(build).as_deref()
}

/// The clients that this machine can run.
fn clients() -> Vec<Client> {
    let mut all: Vec<Client> = Vec::new();
    if is_there("python3") {
        all.push(("python", || {
            let mut command = Command::new("python3");
            command.arg(examples().join("client.py"));
            command
        }));
    } else {
        skipped("there is no python3, so examples/clients/client.py is not tested");
    }
    if built().is_some() {
        all.push(("c", || Command::new(built().unwrap())));
    }
    all
}

/// Their cell with slower times, and the post nearer.
fn slow_cell(test: &str) -> PathBuf {
    let mut cell = std::fs::read_to_string(examples().join("cell.toml")).unwrap();
    let robot = examples().join("../../robots/puma260/puma260.urdf").canonicalize().unwrap();
    let changes = [
        ("period = 0.002 ", "period = 0.02 "),
        ("late = 0.02 ", "late = 1.0 "),
        ("latency = [0, 0.004]", "latency = [0, 0.04]"),
        ("speed = 0.5 }", "speed = 0.1 }"),
        ("xyz = [0.07, 0.4, 0.4]", "xyz = [0.366, 0.177, 0.4]"),
        ("../../robots/puma260/puma260.urdf", robot.to_str().unwrap()),
    ];
    for (from, to) in changes {
        assert_eq!(cell.matches(from).count(), 1, "{from}");
        cell = cell.replace(from, to);
    }
    for joint in 2..7 {
        cell.push_str(&format!("[guard.joint.\"arm/joint_{joint}\"]\n"));
        cell.push_str("profile = { type = \"ramp\", acceleration = 1, speed = 0.03 }\n");
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("cell.toml");
    std::fs::write(&path, cell).unwrap();
    path
}

/// A monitor of a cell that listens.
fn monitor(cell: &Path, test: &str, more: &[&str]) -> (Child, PathBuf) {
    // Paths of sockets are short.
    let socket = std::env::temp_dir().join(format!("elbowroom_{test}_{}", std::process::id()));
    let _ = std::fs::remove_file(&socket);
    let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
    command.arg("monitor").arg(cell).arg("--input").arg(format!("unix:{}", socket.display())).args(more);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let said = BufReader::new(child.stderr.take().unwrap()).lines();
    let ready = said.map_while(Result::ok).any(|line| line.ends_with(": ready"));
    assert!(ready, "it does not start");
    (child, socket)
}

fn start(client: fn() -> Command, socket: &Path, more: &[&str]) -> Child {
    let mut command = client();
    command.arg(format!("unix:{}", socket.display())).args(TIMES).args(more);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// What a client says at its end.
#[derive(Debug)]
struct Summary {
    code: Option<i32>,
    said: String,
    /// States, answers, and those that were `permit`, `slow` and `stop`.
    counts: [usize; 5],
    /// How far it went along its way (rad).
    moved: f64,
}

fn summary(before: String, out: &Output) -> Summary {
    let said = before + &text(&out.stdout);
    let Some((_, last)) = said.split_once("summary: ") else { panic!("{said}{}", text(&out.stderr)) };
    let numbers: Vec<&str> = last.split(|c: char| !(c.is_ascii_digit() || c == '.')).collect();
    let numbers: Vec<f64> = numbers.iter().filter_map(|word| word.parse().ok()).collect();
    let [states, answers, permit, slow, stop, _silences, _worst, moved] = numbers[..] else {
        panic!("{said}")
    };
    let counts = [states, answers, permit, slow, stop].map(|count| count as usize);
    Summary { code: out.status.code(), counts, moved, said }
}

fn run(client: fn() -> Command, socket: &Path, more: &[&str]) -> Summary {
    let child = start(client, socket, more);
    summary(String::new(), &child.wait_with_output().unwrap())
}

/// Where the arm is after its client has moved it, proved: clear of the post and of itself.
fn assert_clear(cell: &Path, moved: f64) {
    let start = [0.2, -0.3, -0.7, 0.0, 1.0, 0.0];
    let along = [1.0, 0.1, -0.2, 0.0, 0.1, 0.3];
    let at: Vec<String> = start.iter().zip(along).map(|(q, part)| (q + moved * part).to_string()).collect();
    let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
    let out = command.arg("check").arg(cell).args(["--at", &at.join(",")]).output().unwrap();
    assert!(text(&out.stdout).contains("1 sample: 1 clear"), "{}{}", text(&out.stdout), text(&out.stderr));
}

#[test]
fn they_move_are_slowed_and_rest_before_the_post() {
    let cell = slow_cell("example_moves");
    std::thread::scope(|all| {
        for (name, client) in clients() {
            let cell = &cell;
            all.spawn(move || {
                let (child, socket) = monitor(cell, &format!("moves_{name}"), &[]);
                let Summary { code, said, counts, moved } = run(client, &socket, &["--seconds", "3"]);
                assert_eq!(code, Some(0), "{said}");
                let [states, answers, permit, slow, stop] = counts;
                assert!(states > 10 && answers == states, "{said}");
                assert_eq!(permit + slow + stop, answers, "{said}");
                assert!(permit > 0 && slow > 0 && moved > 0.05, "{said}");
                assert!(said.contains("world/post") && said.contains("the time is over"), "{said}");
                assert_clear(cell, moved);
                assert_eq!(ends(child), 0);
            });
        }
    });
}

/// The first line that a client says: that it may move.
fn moving(child: &mut Child) -> (BufReader<ChildStdout>, String) {
    let mut from = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("permit") {
        assert_ne!(from.read_line(&mut line).unwrap(), 0, "{line}");
    }
    (from, line)
}

#[test]
fn they_stop_by_themselves_when_the_monitor_is_frozen_or_gone() {
    let cell = slow_cell("example_stops");
    std::thread::scope(|all| {
        for (name, client) in clients() {
            for (signal, why) in [("STOP", "no answer in time"), ("KILL", "monitor")] {
                let cell = &cell;
                all.spawn(move || {
                    let (mut guard, socket) = monitor(cell, &format!("{signal}_{name}"), &[]);
                    let mut child = start(client, &socket, &["--seconds", "60"]);
                    let (mut from, before) = moving(&mut child);
                    // Far longer than it takes to begin to move.
                    std::thread::sleep(Duration::from_secs(1));
                    let kill = ["-s", signal, &guard.id().to_string()].map(String::from);
                    assert!(Command::new("kill").args(kill).status().unwrap().success());
                    let begun = Instant::now();
                    let mut rest = Vec::new();
                    std::io::Read::read_to_end(&mut from, &mut rest).unwrap();
                    let ended = begun.elapsed();
                    let out = child.wait_with_output().unwrap();
                    let out = Output { stdout: rest, ..out };
                    let Summary { code, said, moved, .. } = summary(before, &out);
                    guard.kill().unwrap();
                    guard.wait().unwrap();
                    let _ = std::fs::remove_file(socket);
                    assert_eq!(code, Some(1), "{said}");
                    assert!(said.contains("stopped by itself: ") && said.contains(why), "{said}");
                    // Not after the minute for which it would have moved.
                    assert!(moved > 0.0 && ended < Duration::from_secs(30), "{said}");
                    assert_clear(cell, moved);
                });
            }
        }
    });
}

/// A controller that comes back after a silence waits until a person has seen to it.
#[test]
fn they_reset_only_when_the_operator_says_so() {
    let cell = slow_cell("example_resets");
    std::thread::scope(|all| {
        for (name, client) in clients() {
            let cell = &cell;
            all.spawn(move || {
                let (mut child, socket) = monitor(cell, &format!("resets_{name}"), &["--serve"]);
                // The one before may not have left yet; then the next one is refused.
                let come = |more: &[&str]| {
                    let runs = std::iter::repeat_with(|| {
                        std::thread::sleep(Duration::from_secs_f64(0.3));
                        run(client, &socket, more)
                    });
                    runs.take(20).find(|run| run.code == Some(0)).expect("it is let in")
                };
                assert!(come(&["--seconds", "0.5"]).moved > 0.0);
                std::thread::sleep(Duration::from_secs_f64(1.1));
                let waits = come(&["--seconds", "0.5"]);
                assert!(waits.moved == 0.0 && waits.counts[4] == waits.counts[1], "{}", waits.said);
                assert!(waits.said.contains(" ms old"), "{}", waits.said);
                let goes_on = come(&["--seconds", "1", "--reset"]);
                assert!(goes_on.moved > 0.0, "{}", goes_on.said);
                child.kill().unwrap();
                child.wait().unwrap();
                let _ = std::fs::remove_file(socket);
            });
        }
    });
}
