//! Snapshots: what is kept through the end of the program, whatever ends it, and what is not started from.

use super::faults::{answered, at_rest, rod, start, stops_for, told};
use super::{answers, cell};
use crate::rng::Rng;
use crate::support::text;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A folder with the rod and an empty folder for snapshots.
fn with_snapshots(test: &str) -> PathBuf {
    let folder = rod(test);
    let _ = std::fs::remove_dir_all(folder.join("kept"));
    std::fs::create_dir(folder.join("kept")).unwrap();
    folder
}

/// The snapshots there, the newest last. A `.new` that is not whole is none.
fn kept(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder.join("kept")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let Some((stem, kind)) = name.split_once('.') else { continue };
        let Ok(number) = stem.trim_start_matches("guard-").parse::<u64>() else { continue };
        let text = String::from_utf8(std::fs::read(&path).unwrap()).unwrap();
        let whole = text.ends_with('\n') && text.lines().last().unwrap_or("").starts_with("end ");
        assert!(whole || kind == "new", "{} is not whole", path.display());
        if whole {
            all.push((number, path));
        }
    }
    all.sort();
    all.into_iter().map(|(_, path)| path).collect()
}

const KEEP: [&str; 2] = ["--snapshot", "kept"];
const RESTORE: [&str; 3] = ["--snapshot", "kept", "--restore"];

#[test]
fn a_task_goes_on_after_a_restart() {
    let folder = with_snapshots("monitor_goes_on");
    let script = std::fs::read_to_string(cell().join("pick.jsonl")).unwrap();
    let script: Vec<&str> = script.lines().collect();
    let taken = script.iter().position(|line| line.contains("\"attach\"")).unwrap();
    let run = |part: &[&str], more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
        command
            .current_dir(cell())
            .args(["monitor", "cell.toml"])
            .args(["--snapshot"])
            .arg(folder.join("kept"));
        let mut child = command
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let all = part.join("\n");
        let sender = std::thread::spawn(move || input.write_all(all.as_bytes()));
        let out = child.wait_with_output().unwrap();
        sender.join().unwrap().unwrap();
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        out
    };
    let record = folder.join("second.record");
    let _ = std::fs::remove_file(&record);
    let (first, second) = script.split_at(taken + 100);
    let before = answers(&run(first, &[]));
    let out = run(second, &["--restore", "--record", record.to_str().unwrap()]);
    assert!(text(&out.stderr).contains("restored from "), "{}", text(&out.stderr));
    let after = answers(&out);
    assert!(before[1..].iter().chain(&after[1..]).all(|answer| answer["command"] != "stop"));
    // What is held is put down: the restarted guard knows of it, of the intent, and of where it stands.
    let events: Vec<&str> = after.iter().filter_map(|answer| answer["event"].as_str()).collect();
    assert_eq!(events, ["intent", "detach", "intent"]);
    assert!(after.iter().all(|answer| answer["accepted"] != false));
    // Distances as without a restart, and a speed that rises from zero.
    let whole = answers(&super::monitor(&[], "pick"));
    for (one, other) in after.iter().zip(&whole[taken + 100..]).skip(1) {
        let of = |answer: &Value, key: &str| answer[key].as_f64().unwrap();
        assert!(of(one, "lower") <= of(other, "upper") && of(other, "lower") <= of(one, "upper"), "{one}");
    }
    assert!(after[1]["speed"].as_f64().unwrap() < 0.1, "{}", after[1]);
    // A record says what it began with.
    let mut replay = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
    let again = replay.current_dir(cell()).arg("replay").arg(&record).output().unwrap();
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    assert!(text(&again.stderr).contains("all the same"));
}

#[test]
fn a_restart_is_never_silently_from_something_else() {
    let folder = with_snapshots("monitor_restarts");
    let refused = |arguments: &[&str], words: &[&str]| {
        let out = told(&folder, arguments, at_rest(9).as_bytes());
        let said = text(&out.stderr);
        assert_eq!((out.status.code(), out.stdout.len()), (Some(2), 0), "{arguments:?}: {said}");
        words.iter().for_each(|words| assert!(said.contains(words), "{words}: {said}"));
    };
    // Nothing to start from; then something, which is not passed over.
    refused(&RESTORE, &["kept holds no snapshot: leave --restore out"]);
    let input = format!("{}\n{}\nnonsense\n{}\n", at_rest(0), at_rest(1), at_rest(2));
    assert_eq!(told(&folder, &KEEP, input.as_bytes()).status.code(), Some(0));
    refused(&KEEP, &["is there: give --restore to start from it, or remove"]);
    // The newest, and the one before.
    let there = kept(&folder);
    assert_eq!(there.len(), 2, "{there:?}");
    let newest = &there[1];
    let words = std::fs::read(newest).unwrap();
    // A latched stop is still one. Running it writes the next.
    let copy = |from: &Path, to: &Path| assert!(std::fs::copy(from, to).unwrap() > 0);
    let aside = folder.join("aside");
    copy(newest, &aside);
    let out = told(&folder, &RESTORE, format!("{}\n{}\n", at_rest(3), at_rest(4)).as_bytes());
    let after = answered(&out.stdout);
    assert!(stops_for(&after[1], "latched").contains("unreadable"));
    // Old, torn, changed.
    refused(&[&RESTORE[..], &["--most-age", "0.000001"]].concat(), &["is refused", "s old, and may be"]);
    let newest = kept(&folder).pop().unwrap();
    copy(&aside, &newest);
    for end in (0..words.len()).step_by(16) {
        std::fs::write(&newest, &words[..end]).unwrap();
        refused(
            &RESTORE,
            &["is refused; to start from the one before, ", "remove it: the snapshot is not whole"],
        );
    }
    for at in (0..words.len()).step_by(16) {
        let mut changed = words.clone();
        changed[at] ^= 4;
        std::fs::write(&newest, &changed).unwrap();
        refused(&RESTORE, &["is refused; to start from the one before, "]);
    }
    // One that was being written when the program ended holds nothing that was answered.
    std::fs::write(&newest, &words).unwrap();
    std::fs::write(folder.join("kept/guard-999.new"), &words[..words.len() / 2]).unwrap();
    assert_eq!(told(&folder, &RESTORE, b"").status.code(), Some(0));
    // But a whole one counts, and a changed one is found out.
    let newest = kept(&folder).pop().unwrap();
    let number: u64 = newest.to_str().unwrap().rsplit(['-', '.']).nth(1).unwrap().parse().unwrap();
    assert!(number > 999, "{}", newest.display());
    std::fs::write(folder.join("kept/guard-5000.new"), &words[1..]).unwrap();
    refused(&RESTORE, &["guard-5000.new is refused; to start from the one before"]);
    std::fs::write(folder.join("kept/guard-5000.new"), &words).unwrap();
    let out = told(&folder, &RESTORE, b"");
    assert!(text(&out.stderr).contains("restored from kept/guard-5000.new"), "{}", text(&out.stderr));
    // Another world, or other settings.
    let told_else = std::fs::read_to_string(folder.join("cell.toml")).unwrap();
    std::fs::write(folder.join("cell.toml"), told_else.replace("acceleration = 8", "acceleration = 9"))
        .unwrap();
    refused(&RESTORE, &["of another world, or of a guard with other settings"]);
}

#[test]
fn arms_that_moved_while_nobody_watched_wait_for_a_reset() {
    let folder = with_snapshots("monitor_moved");
    assert_eq!(told(&folder, &KEEP, at_rest(0).as_bytes()).status.code(), Some(0));
    let elsewhere = |t: f64| json!({"t": t, "q": [-0.7], "qd": [0]}).to_string();
    let input = [elsewhere(0.5), elsewhere(0.51), "{\"reset\": {}}".into(), elsewhere(0.52)].join("\n");
    let after = answered(&told(&folder, &RESTORE, input.as_bytes()).stdout);
    let said = stops_for(&after[0], "restored");
    assert!(said.contains("rod/turn is at -0.7000 rad, and was at 0.2000 rad"), "{said}");
    assert!(stops_for(&after[1], "latched").contains("restored"));
    assert_ne!(after[3]["command"], "stop", "{}", after[3]);
    // The clock of the controller began anew.
    let input = [elsewhere(0.0), elsewhere(0.01)].join("\n");
    let after = answered(&told(&folder, &RESTORE, input.as_bytes()).stdout);
    let said = stops_for(&after[0], "restored");
    assert!(said.contains("the clock of the states was set back"), "{said}");
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_or_stops_the_arms() {
    let folder = with_snapshots("monitor_folder");
    let refused = |path: &str, words: &str| {
        let out = told(&folder, &["--snapshot", path], at_rest(0).as_bytes());
        assert_eq!((out.status.code(), out.stdout.len()), (Some(2), 0), "{path}");
        assert!(text(&out.stderr).contains(words), "{path}: {}", text(&out.stderr));
    };
    refused("/proc", "the snapshot folder /proc cannot be written");
    refused("cell.toml", "cell.toml is no folder");
    refused("no/such", "the snapshot folder no/such cannot be written");
    for every in ["0", "-1", "NaN", "1e9"] {
        let arguments = ["--snapshot", "kept", "--snapshot-every", every];
        assert_eq!(told(&folder, &arguments, b"").status.code(), Some(2), "{every}");
    }
    // Two programs do not share one.
    let mut first = start(&folder, &KEEP);
    let mut input = first.stdin.take().unwrap();
    let mut out = BufReader::new(first.stdout.take().unwrap()).lines();
    let mut ask = |line: String| {
        writeln!(input, "{line}").unwrap();
        serde_json::from_str::<Value>(&out.next().unwrap().unwrap()).unwrap()
    };
    assert_eq!(ask(at_rest(0))["command"], "permit");
    refused("kept", "another monitor writes its snapshots to kept");
    // It vanishes: the next event is not taken, or the next period ends with a stop.
    std::fs::remove_dir_all(folder.join("kept")).unwrap();
    let place = r#"{"place": {"name": "part", "xyz": [-2, 0, 0], "teleport": true}}"#;
    let last = ask(place.into());
    let said = stops_for(&last, "snapshot");
    assert!(said.contains("the snapshot cannot be written: kept/guard-"), "{said}");
    drop(input);
    let out = first.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(2), "{}", text(&out.stderr));
    // A disk that fills up later: a file has 1 kB at most, and where seven bodies are takes more.
    let parts: String = (0..6)
        .map(|k| {
            let shape = "shape = { type = \"sphere\", radius = 0.1 }";
            format!("[[obstacle]]\nname = \"p{k}\"\nmovable = true\nxyz = [-3, 0, {k}]\n{shape}\n")
        })
        .collect();
    let told_else = std::fs::read_to_string(folder.join("cell.toml")).unwrap();
    std::fs::write(folder.join("cell.toml"), told_else.replace("[guard]", &format!("{parts}[guard]")))
        .unwrap();
    std::fs::create_dir(folder.join("kept")).unwrap();
    let program = env!("CARGO_BIN_EXE_elbowroom");
    let script = format!("ulimit -f 1; exec {program} monitor cell.toml --snapshot kept");
    let mut child = Command::new("bash");
    child.current_dir(&folder).args(["-c", &script]);
    let mut child =
        child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let moved = |k: usize| {
        json!({"place": {"name": format!("p{k}"), "xyz": [-2, 0, k], "teleport": true}}).to_string()
    };
    let all: String = [at_rest(0)].into_iter().chain((0..6).map(moved)).map(|line| line + "\n").collect();
    let _ = child.stdin.take().unwrap().write_all(all.as_bytes());
    let out = child.wait_with_output().unwrap();
    let answers = answered(&out.stdout);
    let (last, before) = answers.split_last().unwrap();
    assert!(stops_for(last, "snapshot").contains("File too large"), "{last}");
    assert!(!before.is_empty() && before.len() < 6 && before.iter().all(|a| a["command"] == "permit"));
    assert_eq!(out.status.code(), Some(2), "{}", text(&out.stderr));
    // What was accepted is kept.
    let newest = std::fs::read_to_string(kept(&folder).pop().unwrap()).unwrap();
    assert_eq!(newest.lines().filter(|line| line.starts_with("moved ")).count(), before.len() - 1);
}

/// A number of a snapshot: the word of a line that begins so.
fn number(snapshot: &str, line: &str, word: usize) -> Option<f64> {
    let line = snapshot.lines().find(|other| other.starts_with(line))?;
    Some(f64::from_bits(u64::from_str_radix(line.split(' ').nth(word)?, 16).ok()?))
}

/// `kill -9` again and again while snapshots are written: each time what is left is whole, is started from,
/// has every event that was accepted, and is no older than a period.
#[test]
fn kill_9_loses_no_more_than_the_last_period() {
    const PERIOD: f64 = 0.25;
    let kills: u64 = std::env::var("ELBOWROOM_KILLS").map_or(20, |n| n.parse().unwrap());
    let folder = with_snapshots("monitor_kills");
    let begun = Instant::now();
    // When each line was sent. Its time is its number, in hundredths of a second.
    let mut sent: Vec<f64> = Vec::new();
    let (mut long, mut new, mut events) = (0, 0, 0);
    let mut rng = Rng::new(1);
    for kill in 0..kills {
        let first = sent.len();
        let more: &[&str] = if kill == 0 { &KEEP } else { &RESTORE };
        let mut child = start(&folder, &[more, &["--snapshot-every", &PERIOD.to_string()]].concat());
        let mut input = child.stdin.take().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
        let time = rng.range(0.0, 0.5);
        let killed = AtomicBool::new(false);
        let mut answers: Vec<String> = Vec::new();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for k in 0.. {
                    let number = sent.len();
                    sent.push(begun.elapsed().as_secs_f64());
                    let line = if k % 5 == 3 {
                        let xyz = [-3.0 - number as f64, 0.0, 0.0];
                        json!({"place": {"name": "part", "xyz": xyz, "teleport": true}})
                    } else {
                        json!({"t": number as f64 * 0.01, "q": [0.2], "qd": [0]})
                    };
                    if killed.load(Ordering::Relaxed) || writeln!(input, "{line}").is_err() {
                        break;
                    }
                    std::thread::sleep(Duration::from_micros(300));
                }
            });
            // It has started when it answers.
            answers.extend(out.next().and_then(Result::ok));
            let first = Instant::now();
            while first.elapsed().as_secs_f64() < time {
                answers.extend(out.next().and_then(Result::ok));
            }
            child.kill().unwrap();
            killed.store(true, Ordering::Relaxed);
            answers.extend(out.by_ref().map_while(Result::ok));
        });
        child.wait().unwrap();
        // The last line may be cut.
        let answers: Vec<Value> = answers.iter().map_while(|line| serde_json::from_str(line).ok()).collect();
        assert!(!answers.is_empty(), "{kill}: it did not start");
        assert!(answers.iter().all(|answer| answer["command"] != "stop"), "{kill}: {answers:?}");
        // Each line has one answer, in order.
        let answered = |place: bool| {
            let is_place = |answer: &Value| answer["event"] == "place" && answer["accepted"] == true;
            answers.iter().rposition(|answer| is_place(answer) == place).map(|k| first + k)
        };
        let newest = kept(&folder).pop().unwrap_or_else(|| panic!("{kill}: nothing is kept"));
        let snapshot = std::fs::read_to_string(&newest).unwrap();
        let of = |line: &str, word: usize| number(&snapshot, line, word);
        let state = of("t ", 1).filter(|t| t.is_finite()).map_or(0, |t| (t * 100.0).round() as usize);
        let there = of("moved ", 12).map_or(0, |x| (-3.0 - x).round() as usize);
        if let Some(placed) = answered(true) {
            assert!(there >= placed, "{kill}: the event of line {placed} is lost");
            events += 1;
        }
        // What is lost are the lines of this start behind those that the snapshot knows. A pause of the
        // sender was one of the whole machine, and counts for little.
        let lost: f64 = (state.max(there).max(first)..answered(false).unwrap())
            .map(|line| (sent[line + 1] - sent[line]).min(0.02))
            .sum();
        assert!(lost <= PERIOD, "{kill}: {} has lost {lost} s", newest.display());
        long += usize::from(time > PERIOD);
        new += usize::from(newest.extension().unwrap() == "new");
    }
    println!(
        "{kills} kills: {long} after more than a period, {new} before the disk had all, {events} after events"
    );
    assert!(long > 0 && events > 0, "{long} {events}");
}
