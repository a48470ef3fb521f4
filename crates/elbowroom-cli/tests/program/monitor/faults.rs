//! Bad input, and clients that do not behave: the answer is a stop with its reason or a refusal, and an end.

use crate::support::{CELL, folder, lines, text};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// How a rod stops that turns about z.
pub const GUARD: &str = "[guard]\nperiod = 0.01\n[guard.joints]\nposition_error = 0.0001\n\
    velocity_error = 0.001\nacceleration = 8\nlatency = 0.01\n\
    profile = { type = \"ramp\", acceleration = 2, speed = 1 }\n\
    brake = { type = \"deceleration\", value = [5, 8] }\n";

/// A folder with the rod, its cell, and how it stops.
pub fn rod(test: &str) -> PathBuf {
    let folder = folder(test);
    let part = "[[obstacle]]\nname = \"part\"\nmovable = true\nxyz = [-3, 0, 0]\n\
        shape = { type = \"sphere\", radius = 0.1 }\n";
    std::fs::write(folder.join("cell.toml"), format!("{CELL}{part}{GUARD}")).unwrap();
    folder
}

/// A state at a time of so many periods, at rest.
pub fn at_rest(step: usize) -> String {
    json!({"t": 0.01 * step as f64, "q": [0.2], "qd": [0]}).to_string()
}

pub fn start(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
    command.current_dir(folder).args(["monitor", "cell.toml"]).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// What the program says of lines that come from standard input.
pub fn told(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = start(folder, arguments);
    // It may end before it has read all.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Whether an answer is a stop for this reason, and what it says.
pub fn stops_for<'v>(answer: &'v Value, kind: &str) -> &'v str {
    assert_eq!((&answer["command"], &answer["speed"]), (&json!("stop"), &json!(0.0)), "{answer}");
    let reasons = answer["reasons"].as_array().unwrap();
    let reason = reasons.iter().find(|reason| reason["kind"] == kind);
    reason.unwrap_or_else(|| panic!("not {kind}: {answer}"))["text"].as_str().unwrap()
}

#[test]
fn bad_lines_stop_the_arms_and_say_why() {
    let folder = rod("monitor_bad_lines");
    let cases: [(&str, &str, &str); 19] = [
        (r#"{"t": 0.01, "q": [0.2"#, "unreadable", "is not JSON"),
        ("q", "unreadable", "is not JSON"),
        ("[1]", "unreadable", "is not a table"),
        ("{}", "unreadable", "neither a state, q, nor an event"),
        (
            r#"{"t": 0.01, "q": [0.2, 0.1]}"#,
            "wrong_count",
            "q has 2 numbers, and a state of all robots has 1",
        ),
        (r#"{"t": 0.01, "q": [0.2], "qd": []}"#, "wrong_count", "qd has 0 numbers, and a state"),
        (r#"{"t": 0.01, "robot": "road", "q": [0.2]}"#, "unreadable", "no robot is called `road`"),
        (r#"{"t": 0.01, "q": [NaN]}"#, "unreadable", "is not JSON"),
        (r#"{"t": 0.01, "q": [1e999]}"#, "unreadable", "number out of range"),
        (r#"{"t": 0.01, "q": [null]}"#, "unreadable", "q holds what is no finite number"),
        (r#"{"t": 0.01, "q": [1e9]}"#, "not_finite", "rod/turn is 1000000000"),
        (r#"{"t": 1e999, "q": [0.2]}"#, "unreadable", "number out of range"),
        (r#"{"q": [0.2]}"#, "unreadable", "has no t"),
        (r#"{"t": -0.5, "q": [0.2]}"#, "out_of_order", "time runs back"),
        (r#"{"t": 0.0, "q": [0.2]}"#, "repeated", "the time of the one before"),
        (r#"{"t": 1e6, "q": [0.2]}"#, "late", "the last state of rod is"),
        (r#"{"t": 0.01, "q": [1.2], "qd": [0]}"#, "implausible", "rod/turn"),
        (r#"{"t": 0.01, "q": [0.2], "qdd": [0]}"#, "unreadable", "the key \"qdd\" is unknown"),
        (r#"{"t": 0.01, "t": 0.02, "q": [0.2]}"#, "unreadable", "the key \"t\" comes twice"),
    ];
    for (line, kind, words) in cases {
        // The line after it is good, and waits for a reset all the same.
        let after = [at_rest(1), at_rest(2)].join("\n");
        let input = format!("{}\n{line}\n{after}\n{{\"reset\": {{}}}}\n{}\n", at_rest(0), at_rest(3));
        let out = told(&folder, &[], input.as_bytes());
        let answers = lines(&out.stdout);
        assert_eq!((out.status.code(), answers.len()), (Some(0), 6), "{line}: {}", text(&out.stderr));
        assert_eq!(answers[0]["command"], "permit");
        let said = stops_for(&answers[1], kind);
        assert!(said.contains(words), "{line}: {said}");
        assert!(stops_for(&answers[3], "latched").contains(kind), "{line}");
        // A clock that has jumped far ahead does not come back.
        if kind != "late" {
            assert_ne!(answers[5]["command"], "stop", "{line}: {}", answers[5]);
        }
    }
}

#[test]
fn clocks_that_jump_by_an_hour_are_never_followed_by_themselves() {
    let folder = rod("monitor_jumps");
    let told_at = |times: &[Option<f64>]| {
        let line = |t: &Option<f64>| match t {
            Some(t) => json!({"t": t, "q": [0.2], "qd": [0]}).to_string(),
            None => "{\"reset\": {}}".into(),
        };
        let input: Vec<String> = times.iter().map(line).collect();
        lines(&told(&folder, &[], input.join("\n").as_bytes()).stdout)
    };
    // Ahead: late. It does not come back by itself, and a reset alone does not bring it back.
    let answers = told_at(&[Some(0.0), Some(3600.0), Some(0.02), None, Some(0.03), Some(3600.01)]);
    assert_eq!(answers[0]["command"], "permit");
    assert!(stops_for(&answers[1], "late").contains("is 3600000.0 ms old"));
    stops_for(&answers[2], "out_of_order");
    stops_for(&answers[4], "out_of_order");
    stops_for(&answers[5], "latched");
    // The clock that was jumped to goes on after a reset.
    let answers = told_at(&[Some(0.0), Some(3600.0), Some(3600.01), None, Some(3600.02)]);
    stops_for(&answers[2], "latched");
    assert_ne!(answers[4]["command"], "stop", "{}", answers[4]);
    // Back: out of order, until the clock is again where it was. That is late.
    let answers = told_at(&[Some(7200.0), Some(3600.0), Some(3600.01), None, Some(3600.02), Some(7200.01)]);
    for k in [1, 2, 4] {
        stops_for(&answers[k], "out_of_order");
    }
    stops_for(&answers[5], "latched");
}

#[test]
fn bad_events_are_refused_and_stop_the_arms() {
    let folder = rod("monitor_bad_events");
    let cases = [
        (r#"{"attach": {"name": "part", "attached_to": "rod/hand"}}"#, "no body is called `rod/hand`"),
        (r#"{"attach": {"name": "part", "attached_to": "rod/arm"}}"#, "the task does not mean this contact"),
        (r#"{"hide": {"name": "rod/arm"}}"#, "rod/arm"),
        (r#"{"place": {"name": "part", "xyz": [-2, 0, 0]}}"#, "teleport"),
        (r#"{"open": {"name": "part", "value": 1}}"#, "no joint"),
        (r#"{"t": -1, "hide": {"name": "part"}}"#, "before that of the last state"),
        (r#"{"intent": {"pick": "prt"}}"#, "no body is called `prt`; did you mean \"part\"?"),
        (r#"{"intent": {"pick": "part", "arm": "left"}}"#, "no robot is called `left`"),
        (r#"{"answer": {"allow": true}}"#, "nobody was asked"),
    ];
    for (line, words) in cases {
        let input = format!("{}\n{line}\n{}\n", at_rest(0), at_rest(1));
        let answers = lines(&told(&folder, &[], input.as_bytes()).stdout);
        let said = stops_for(&answers[1], "event");
        assert!(said.contains(words), "{line}: {said}");
        assert_eq!(answers[1]["accepted"], false);
        assert!(stops_for(&answers[2], "latched").contains("event"));
    }
    let good = r#"{"place": {"name": "part", "xyz": [-2, 0, 0], "teleport": true}}"#;
    let input = format!("{}\n{good}\n{{\"t\": 0.005, \"hide\": {{\"name\": \"part\"}}}}\n", at_rest(0));
    let answers = lines(&told(&folder, &[], input.as_bytes()).stdout);
    assert!(answers[1..].iter().all(|a| a["accepted"] == true && a["command"] == "permit"), "{answers:?}");
}

#[test]
fn lines_are_bounded_and_the_last_may_be_cut() {
    let folder = rod("monitor_long_lines");
    let long = format!("{{\"t\": 0.01, \"q\": [{}0.2]}}", " ".repeat(1 << 21));
    let input = format!("{}\n{long}\n{}\n\n{{\"t\": 0.0", at_rest(0), at_rest(1));
    let out = told(&folder, &[], input.as_bytes());
    let answers = lines(&out.stdout);
    assert_eq!(answers.len(), 4);
    assert!(stops_for(&answers[1], "unreadable").contains("longer than 1048576 bytes"));
    stops_for(&answers[2], "latched");
    stops_for(&answers[3], "unreadable");
}

#[test]
fn a_pipe_that_falls_silent_is_answered_all_the_same() {
    let folder = rod("monitor_silent_pipe");
    let mut child = start(&folder, &["--live"]);
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&answers.next().unwrap().unwrap()).unwrap();
    writeln!(input, "{}", at_rest(0)).unwrap();
    // Loading took its time: before the first state there may be answers that nobody asked for.
    let first = std::iter::repeat_with(&mut next).find(|answer| answer["silence"] != true).unwrap();
    assert_eq!(first["command"], "permit");
    // Half a line is no state.
    write!(input, "{{\"t\": 0.01, ").unwrap();
    input.flush().unwrap();
    let silent = next();
    assert!(silent["silence"] == true && stops_for(&silent, "late").contains("the last state of rod"));
    let rest: Vec<Value> = std::iter::repeat_with(&mut next).take(99).collect();
    assert!(rest.iter().all(|answer| answer["silence"] == true && answer["command"] == "stop"));
    drop(input);
    stops_for(&next(), "unreadable");
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_record_that_cannot_be_kept_stops_the_arms() {
    let folder = rod("monitor_full");
    let out = told(&folder, &["--record", "/dev/full"], at_rest(0).as_bytes());
    assert!(out.status.code() == Some(2) && text(&out.stderr).contains("No space left"), "{out:?}");
    // A disk that fills up later: the signal for it is ignored, and a file has 1 kB at most.
    let program = env!("CARGO_BIN_EXE_elbowroom");
    let _ = std::fs::remove_file(folder.join("small.record"));
    let script = format!("trap '' XFSZ; ulimit -f 1; exec {program} monitor cell.toml --record small.record");
    let mut child = Command::new("bash");
    child.current_dir(&folder).args(["-c", &script]);
    let mut child =
        child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let all: String = (0..9).map(|step| at_rest(step) + "\n").collect();
    let _ = child.stdin.take().unwrap().write_all(all.as_bytes());
    let out = child.wait_with_output().unwrap();
    let answers = lines(&out.stdout);
    let (last, before) = answers.split_last().unwrap();
    assert!(stops_for(last, "record").contains("the record cannot be written: File too large"), "{last}");
    assert!(!before.is_empty() && before.len() < 8 && before.iter().all(|a| a["command"] == "permit"));
    assert_eq!(out.status.code(), Some(2), "{}", text(&out.stderr));
    for path in ["/proc/elbowroom.record", "no/such/folder/a.record"] {
        let out = told(&folder, &["--record", path], at_rest(0).as_bytes());
        assert_eq!((out.status.code(), out.stdout.len()), (Some(2), 0), "{path}");
        assert!(text(&out.stderr).contains("cannot be written"), "{}", text(&out.stderr));
    }
}

#[test]
fn an_output_that_is_closed_ends_it() {
    let folder = rod("monitor_closed");
    let mut child = start(&folder, &[]);
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    while writeln!(input, "{}", at_rest(0)).is_ok() {}
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("Output pipe closed early"), "{said}");
}

/// The program with a Unix socket, once it listens.
pub fn listening(test: &str, more: &[&str]) -> (Child, PathBuf) {
    let folder = rod(test);
    // Paths of sockets are short.
    let socket = std::env::temp_dir().join(format!("elbowroom_{test}_{}", std::process::id()));
    let input = format!("unix:{}", socket.display());
    let child = start(&folder, &[&["--input", &input], more].concat());
    (child, socket)
}

pub fn connect(socket: &Path) -> (UnixStream, BufReader<UnixStream>) {
    let begun = Instant::now();
    loop {
        match UnixStream::connect(socket) {
            Ok(stream) => {
                stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
                return (stream.try_clone().unwrap(), BufReader::new(stream));
            }
            Err(e) => assert!(begun.elapsed() < Duration::from_secs(20), "{e}"),
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

pub fn answer(from: &mut impl BufRead) -> Option<Value> {
    let mut line = String::new();
    from.read_line(&mut line).unwrap();
    (!line.is_empty()).then(|| serde_json::from_str(&line).unwrap())
}

pub fn ends(mut child: Child) -> i32 {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code().unwrap();
        }
        if begun.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("it did not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_flood_is_answered_line_by_line() {
    const LINES: usize = 100_000;
    let (child, socket) = listening("flood", &[]);
    let (mut to, mut from) = connect(&socket);
    let sender = std::thread::spawn(move || {
        let mut all = String::new();
        (0..LINES).for_each(|step| all.push_str(&format!("{}\n", at_rest(step))));
        to.write_all(all.as_bytes()).unwrap();
        to.shutdown(std::net::Shutdown::Write).unwrap();
    });
    let (mut asked, mut t) = (0, -1.0);
    while let Some(answer) = answer(&mut from) {
        // Where the machine was busy, silence was said to be silence.
        if answer["silence"] == true {
            continue;
        }
        asked += 1;
        let now = answer["t"].as_f64().unwrap();
        assert!(now > t, "{answer}");
        t = now;
    }
    sender.join().unwrap();
    assert_eq!(asked, LINES);
    assert_eq!(ends(child), 0);
    assert!(!socket.exists());
}

#[test]
fn a_client_that_says_nothing_is_stopped_and_left_alone() {
    let (child, socket) = listening("silent", &[]);
    let (to, mut from) = connect(&socket);
    for _ in 0..100 {
        let answer = answer(&mut from).unwrap();
        assert_eq!((&answer["silence"], &answer["command"]), (&json!(true), &json!("stop")));
        stops_for(&answer, "waiting");
    }
    // Then it is known. A state is answered again.
    writeln!(&to, "{}", at_rest(0)).unwrap();
    assert_eq!(answer(&mut from).unwrap()["command"], "permit");
    drop((to, from));
    assert_eq!(ends(child), 0);
}

#[test]
fn a_second_client_is_told_so_and_the_first_goes_on() {
    let (child, socket) = listening("second", &["--serve"]);
    let (to, mut from) = connect(&socket);
    writeln!(&to, "{}", at_rest(0)).unwrap();
    while answer(&mut from).unwrap()["silence"] == true {}
    let (_other, mut other) = connect(&socket);
    let refusal = answer(&mut other).unwrap();
    assert!(stops_for(&refusal, "refused").contains("another client"));
    assert_eq!(answer(&mut other), None, "it is closed");
    writeln!(&to, "{}", at_rest(1)).unwrap();
    assert!(answer(&mut from).is_some());
    drop((to, from));
    // When the first has left the next is let in, and arms that were silent wait for a reset.
    let begun = Instant::now();
    loop {
        let (to, mut from) = connect(&socket);
        // Who is refused may find the door closed before it has said all.
        let _ = writeln!(&to, "{}", at_rest(1000));
        let first = answer(&mut from).unwrap();
        if first["reasons"][0]["kind"] != "refused" {
            assert_eq!(first["command"], "stop");
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
    let mut child = child;
    child.kill().unwrap();
    child.wait().unwrap();
    let _ = std::fs::remove_file(socket);
}

/// It asks whether somebody listens, and is no client.
#[test]
fn a_second_monitor_is_refused_and_the_first_goes_on() {
    let (child, socket) = listening("taken", &[]);
    let begun = Instant::now();
    while !socket.exists() && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let input = format!("unix:{}", socket.display());
    let out = told(&rod("taken_again"), &["--input", &input], b"");
    assert!(text(&out.stderr).contains("another program listens on"), "{}", text(&out.stderr));
    assert_eq!(out.status.code(), Some(2));
    let (to, mut from) = connect(&socket);
    writeln!(&to, "{}", at_rest(0)).unwrap();
    let mut answers = std::iter::repeat_with(|| answer(&mut from).unwrap());
    assert_eq!(answers.find(|answer| answer["silence"] != true).unwrap()["command"], "permit");
    drop((to, from));
    assert_eq!(ends(child), 0);
    let out = told(&rod("no_socket"), &["--input", "unix:cell.toml"], b"");
    assert!(text(&out.stderr).contains("is there and is no socket"), "{}", text(&out.stderr));
}

/// States that come faster than they are answered wait in the system's socket: what is then proved is of the
/// past.
#[test]
fn a_state_that_waited_is_not_permitted() {
    let (child, socket) = listening("waited", &[]);
    let (mut to, mut from) = connect(&socket);
    // A hundred thousand states in a tenth of a second of their clock: no machine answers so fast.
    let state = |step: usize| format!("{}\n", json!({"t": 1e-6 * step as f64, "q": [0.2], "qd": [0.0]}));
    const LINES: usize = 100_000;
    let all: String = (0..LINES).map(state).collect();
    let sender = std::thread::spawn(move || {
        to.write_all(all.as_bytes()).unwrap();
        to.shutdown(std::net::Shutdown::Write).unwrap();
    });
    let (mut waited, mut permitted) = (0, 0);
    while let Some(answer) = answer(&mut from) {
        let of_wait = |reason: &Value| reason["text"].as_str().unwrap().contains("to be read");
        waited += usize::from(answer["reasons"].as_array().unwrap().iter().any(of_wait));
        permitted += usize::from(answer["command"] == "permit");
    }
    sender.join().unwrap();
    assert!(waited > 0 && permitted < LINES / 2, "{waited}, {permitted}");
    assert_eq!(ends(child), 0);
}

#[test]
fn a_half_closed_socket_gets_its_answers_and_an_end() {
    let (child, socket) = listening("half", &[]);
    let (to, mut from) = connect(&socket);
    write!(&to, "{}\n{{\"t\": 0.01, \"q\"", at_rest(0)).unwrap();
    to.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answers = Vec::new();
    while let Some(answer) = answer(&mut from) {
        if answer["silence"] != true {
            answers.push(answer);
        }
    }
    assert_eq!((answers.len(), &answers[0]["command"]), (2, &json!("permit")));
    stops_for(&answers[1], "unreadable");
    assert_eq!(ends(child), 0);
}

#[test]
fn a_client_that_does_not_read_is_left() {
    let (child, socket) = listening("deaf", &[]);
    let (to, from) = connect(&socket);
    to.set_write_timeout(Some(Duration::from_secs(10))).unwrap();
    // Its answers fill the socket, and then nobody reads the lines either.
    for step in 0..1_000_000 {
        if writeln!(&to, "{}", at_rest(step)).is_err() {
            break;
        }
    }
    assert_eq!(ends(child), 0);
    drop((to, from));
}

#[test]
fn only_this_machine_is_let_in_unless_the_user_says_otherwise() {
    let folder = rod("monitor_ports");
    let refused = |arguments: &[&str], words: &str| {
        let out = told(&folder, arguments, b"");
        assert!(out.status.code() == Some(2) && text(&out.stderr).contains(words), "{}", text(&out.stderr));
    };
    refused(&["--input", "tcp:0.0.0.0:0"], "--listen-anywhere and a --token-file");
    refused(&["--input", "udp:0.0.0.0:0"], "--listen-anywhere and a --token-file");
    refused(&["--input", "tcp:0.0.0.0:0", "--listen-anywhere"], "--token-file");
    refused(&["--input", "tcp:nonsense"], "is no HOST:PORT");
    std::fs::write(folder.join("short"), "1234\n").unwrap();
    refused(&["--input", "tcp:0.0.0.0:0", "--listen-anywhere", "--token-file", "short"], "16 random ones");
    std::fs::write(folder.join("token"), "0123456789abcdef\n").unwrap();
    let mut child = start(&folder, &["--input", "tcp:127.0.0.1:0", "--token-file", "token"]);
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let port =
        said.find_map(|line| Some(line.unwrap().strip_prefix("listening on tcp:")?.to_string())).unwrap();
    let client = |token: &str| {
        let mut stream = std::net::TcpStream::connect(&port).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        // A client that is refused may find the door closed before it has said all.
        let said = format!("{{\"token\": \"{token}\"}}\n{}\n", at_rest(0));
        let _ = stream.write_all(said.as_bytes());
        let mut from = BufReader::new(stream);
        answer(&mut from)
    };
    stops_for(&client("0123456789abcdeg").unwrap(), "refused");
    let answer = client("0123456789abcdef").unwrap();
    assert!(answer["command"] == "permit" || answer["silence"] == true, "{answer}");
    assert_eq!(ends(child), 0);
}

#[test]
fn datagrams_are_answered_to_their_sender() {
    let folder = rod("monitor_datagrams");
    let mut child = start(&folder, &["--input", "udp:127.0.0.1:0"]);
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let port =
        said.find_map(|line| Some(line.unwrap().strip_prefix("listening on udp:")?.to_string())).unwrap();
    let ask = || {
        let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        socket
    };
    let read = |socket: &std::net::UdpSocket| {
        let mut room = [0; 4096];
        let count = socket.recv(&mut room).unwrap();
        serde_json::from_slice::<Value>(&room[..count]).unwrap()
    };
    let first = ask();
    first.send_to(format!("{}\n", at_rest(0)).as_bytes(), &port).unwrap();
    assert_eq!(read(&first)["command"], "permit");
    let second = ask();
    second.send_to(format!("{}\n", at_rest(1)).as_bytes(), &port).unwrap();
    stops_for(&read(&second), "refused");
    // It ends when nobody has spoken for long.
    assert_eq!(ends(child), 0);
}

#[test]
fn settings_are_refused_all_at_once() {
    let folder = rod("monitor_settings");
    let refused = |guard: &str, words: &[&str]| {
        std::fs::write(folder.join("cell.toml"), format!("{CELL}{guard}")).unwrap();
        let out = told(&folder, &[], b"");
        let said = text(&out.stderr);
        assert_eq!((out.status.code(), out.stdout.len()), (Some(2), 0), "{said}");
        words.iter().for_each(|words| assert!(said.contains(words), "{words}: {said}"));
    };
    refused("", &["has no [guard]", "a stopping distance cannot be guessed"]);
    refused(
        "[guard]\nlat = 1\n[guard.joints]\nbrake = { type = \"linear\", slope = 1 }\nlatency = [3, 2, 1]\n\
         [guard.joint.trn]\ncurrent = -1\n[guard.roles]\nsupporting = [\"tabel\"]\n[[guard.arm]]\n\
         robot = \"r\"\n",
        &[
            "the key \"lat\" is unknown here; did you mean \"late\"?",
            "period is missing",
            "guard.joints, brake: offset is missing",
            "latency is neither a number nor two",
            "guard.joint \"trn\": is no joint of this world; did you mean",
            "current is -1, below zero",
            "no body is called \"tabel\"",
            "there is no robot \"r\"; the world has rod",
            "acceleration, profile are missing for rod/turn",
        ],
    );
    let bad = GUARD.replace("period = 0.01", "period = 100").replace("[5, 8]", "[0, 8]");
    refused(&bad, &["brake.deceleration: the brake may not decelerate at all"]);
    refused(
        &GUARD.replace("period = 0.01", "period = 100"),
        &["guard: period is 100 s; give a number from 0.00001 to 10 (s)"],
    );
    let out = told(&folder, &["--input", "none.jsonl"], b"");
    assert!(out.status.code() == Some(2) && text(&out.stderr).contains("none.jsonl cannot be read"));
}
