//! Clients of a socket that do not behave. They get a stop with its reason, or are refused.

use super::faults::{at_rest, rod, rod_with, start, stops_for, told};
use crate::support::text;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant};

/// The program with a Unix socket, once it listens.
pub fn listening(test: &str, more: &[&str]) -> (Child, PathBuf) {
    listening_in(&rod(test), test, more)
}

/// The program with a Unix socket and the cell in a folder, once it is started.
pub fn listening_in(folder: &Path, test: &str, more: &[&str]) -> (Child, PathBuf) {
    // Paths of sockets are short.
    let socket = std::env::temp_dir().join(format!("elbowroom_{test}_{}", std::process::id()));
    let input = format!("unix:{}", socket.display());
    let child = start(folder, &[&["--input", &input], more].concat());
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
    match from.read_line(&mut line) {
        // It has ended, and has not read all that was said.
        Err(e) if e.kind() == std::io::ErrorKind::ConnectionReset => return None,
        read => read.unwrap(),
    };
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
    // The test itself may take long to read its answers.
    let folder = rod_with("flood", "late = 0.4\nclock_drift = 1e6\n");
    let (child, socket) = listening_in(&folder, "flood", &[]);
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
        // An answer that came too late has the time of the silence before it.
        assert!(now >= t, "{answer}");
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
    let first = answer(&mut from).unwrap();
    // Where the machine was busy, the answer was late.
    assert!(first["command"] == "permit" || first["reasons"][0]["kind"] == "overrun", "{first}");
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
    // After the first has left, the next one is let in. Its arms were silent, so they wait for a reset.
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

/// A client's machine may fail without closing the connection. With `--serve` the next client gets its place.
#[test]
fn the_place_of_a_client_that_has_long_been_silent_is_given_away() {
    for serves in [true, false] {
        let (mut child, socket) = listening("place", if serves { &["--serve"] } else { &[] });
        let (_silent, mut from) = connect(&socket);
        for _ in 0..100 {
            assert_eq!(answer(&mut from).unwrap()["silence"], json!(true));
        }
        // It says so just before it waits for good.
        std::thread::sleep(Duration::from_millis(50));
        let (to, mut other) = connect(&socket);
        let _ = writeln!(&to, "{}", at_rest(0));
        let first = answer(&mut other).unwrap();
        if serves {
            let is_late = first["reasons"][0]["kind"] == "overrun";
            assert!(first["command"] == "permit" || is_late, "{first}");
            assert_eq!(answer(&mut from), None, "it is closed");
        } else {
            stops_for(&first, "refused");
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let _ = std::fs::remove_file(socket);
    }
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
    // The test itself may take long to read its answers.
    let folder = rod_with("waited", "late = 0.1\nclock_drift = 1e6\n");
    let (child, socket) = listening_in(&folder, "waited", &[]);
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
fn who_says_no_token_keeps_nobody_out() {
    let folder = rod("monitor_tokens");
    std::fs::write(folder.join("token"), "0123456789abcdef\n").unwrap();
    let mut child = start(&folder, &["--input", "tcp:127.0.0.1:0", "--token-file", "token"]);
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let port =
        said.find_map(|line| Some(line.unwrap().strip_prefix("listening on tcp:")?.to_string())).unwrap();
    let connect = || {
        let stream = std::net::TcpStream::connect(&port).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        (stream.try_clone().unwrap(), BufReader::new(stream))
    };
    let say_token = |to: &mut std::net::TcpStream| {
        let _ = to.write_all(format!("{{\"token\": \"0123456789abcdef\"}}\n{}\n", at_rest(0)).as_bytes());
    };
    let mut silent: Vec<_> = (0..7).map(|_| connect()).collect();
    let begun = Instant::now();
    // One more than may say their tokens at once is told so, and the others still may.
    let (mut good, mut from) = connect();
    let (_ninth, mut ninth) = connect();
    let words = "too many clients have not said their tokens";
    assert!(stops_for(&answer(&mut ninth).unwrap(), "refused").contains(words));
    say_token(&mut good);
    let first = answer(&mut from).unwrap();
    assert!(first["command"] == "permit" || first["silence"] == true, "{first}");
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    // Who knows the token as well is not let in beside it.
    let (mut to, mut from) = silent.pop().unwrap();
    say_token(&mut to);
    assert!(stops_for(&answer(&mut from).unwrap(), "refused").contains("another client"));
    good.shutdown(std::net::Shutdown::Both).unwrap();
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
    // A long one is read whole.
    let long = format!("{}{}\n", " ".repeat(40_000), json!({"t": 0.005, "intent": {}}));
    first.send_to(long.as_bytes(), &port).unwrap();
    assert_eq!(read(&first)["event"], "intent");
    let second = ask();
    second.send_to(format!("{}\n", at_rest(1)).as_bytes(), &port).unwrap();
    stops_for(&read(&second), "refused");
    // It ends when nobody has spoken for long.
    assert_eq!(ends(child), 0);
}
