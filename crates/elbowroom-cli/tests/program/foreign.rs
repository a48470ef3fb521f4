//! What other computers hand over: text with a mark, in UTF-16, and names that are no text.

use crate::support::{folder, lines, run, text};

fn as_utf16(text: &str) -> Vec<u8> {
    [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

fn as_windows(text: &str) -> Vec<u8> {
    format!("\u{feff}{}", text.replace('\n', "\r\n")).into_bytes()
}

const CASE: &str = "{\"a\": {\"type\": \"sphere\", \"radius\": 1}, \
    \"b\": {\"type\": \"sphere\", \"radius\": 1}, \
                    \"pose_b\": {\"xyz\": [3, 0, 0]}}\n";

#[test]
fn commands_that_read_line_by_line_take_marks_and_refuse_utf16() {
    let folder = folder("foreign");
    let robots = concat!(env!("CARGO_MANIFEST_DIR"), "/../../robots/rrc_cell");
    let cell = format!("{robots}/cell.toml");
    let states = std::fs::read_to_string(format!("{robots}/cross.jsonl")).unwrap();
    let states: String = states.lines().take(4).map(|line| format!("{line}\n")).collect();
    let _ = std::fs::remove_file(folder.join("r.jsonl"));
    std::fs::write(folder.join("none.jsonl"), "").unwrap();
    let out = run(&folder, &["monitor", &cell, "--input", "none.jsonl", "--record", "r.jsonl", "--quiet"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let record = std::fs::read_to_string(folder.join("r.jsonl")).unwrap();
    let commands: [(&str, &str, &[&str]); 4] = [
        ("cases.jsonl", CASE, &["distance", "cases.jsonl"]),
        ("stops.csv", "speed,way\n0.5,0.06\n1,0.10\n1.5,0.16\n", &["fit-brake", "stops.csv"]),
        ("record.jsonl", &record, &["replay", "record.jsonl", "--world", &cell]),
        ("states.jsonl", &states, &["monitor", &cell, "--input", "states.jsonl", "--quiet"]),
    ];
    for (file, ours, arguments) in commands {
        let path = folder.join(file);
        let ask = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let out = run(&folder, arguments);
            (out.status.code(), text(&out.stdout), text(&out.stderr))
        };
        let answer = ask(ours.as_bytes());
        assert_eq!(answer.0, Some(0), "{file}: {answer:?}");
        let theirs = ask(&as_windows(ours));
        assert_eq!((answer.0, answer.1), (theirs.0, theirs.1), "{file}: {}", theirs.2);
        let refused = ask(&as_utf16(ours));
        assert!(format!("{}{}", refused.1, refused.2).contains("UTF-16"), "{file}: {refused:?}");
    }
}

#[test]
fn every_reader_of_lines_names_a_file_of_another_kind_once() {
    let folder = folder("other-kinds");
    let robots = concat!(env!("CARGO_MANIFEST_DIR"), "/../../robots");
    let (cell, hand) = (format!("{robots}/rrc_cell/cell.toml"), format!("{robots}/sdh2/hand.toml"));
    let record = "{\"elbowroom_record\":2,\"world\":\"cell.toml\",\"fingerprint\":\"1f\"}\n{\"in\":\"{}\"}\n";
    let input = "{\"t\": 0, \"robot\": \"left\", \"q\": [0, 1]}\n".repeat(1000);
    let kinds = [
        ("record", record, "is a record of the monitor", "elbowroom replay FILE"),
        ("input", &input, "is input of the monitor", "elbowroom monitor WORLD --input FILE"),
        ("bag", "#ROSBAG V2.0\n", "is a bag of ROS", "ros2 topic echo"),
        ("xml", "<?xml version=\"1.0\"?>\n<robot name=\"r\"/>\n", "is XML", "elbowroom check URDF"),
    ];
    let readers: [&[&str]; 5] = [
        &["check", &cell, "--motion"],
        &["sweep", &cell, "--out", "rows.npy", "--poses"],
        &["calibrate", &hand, "--contacts"],
        &["distance"],
        &["replay"],
    ];
    for (file, content, what, help) in kinds {
        std::fs::write(folder.join(file), content).unwrap();
        for reader in readers.iter().filter(|reader| (reader[0], file) != ("replay", "record")) {
            let out = run(&folder, &[reader, &[file][..]].concat());
            let said = text(&out.stderr);
            let is_told =
                |line: &&str| line.contains(what) && line.contains("and no ") && line.contains(help);
            assert_eq!(said.lines().filter(is_told).count(), 1, "{reader:?} {file}: {said}");
            assert!(!said.contains("line 1"), "{reader:?} {file}: {said}");
            assert_eq!((out.status.code(), out.stdout.len()), (Some(2), 0), "{reader:?} {file}: {said}");
        }
    }
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_names_of_files_or_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::process::Command;
    let folder = folder("foreign-names");
    let name = OsStr::from_bytes(b"r\xf6d.urdf");
    if std::fs::copy(folder.join("rod.urdf"), folder.join(name)).is_err() {
        return;
    }
    let program = |arguments: &[&OsStr]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
        command.args(arguments).current_dir(&folder).output().unwrap()
    };
    let [check, json, out] = ["check", "--json", "-"].map(OsStr::new);
    let told = program(&[check, name, json, out]);
    assert_ne!(told.status.code(), Some(2), "{}", text(&told.stderr));
    assert_eq!(lines(&told.stdout).len(), 1, "{}", text(&told.stderr));
    let told = program(&[check, name, OsStr::new("--at"), OsStr::from_bytes(b"\xf6")]);
    assert_eq!(told.status.code(), Some(2));
    assert!(text(&told.stderr).contains("invalid UTF-8"), "{}", text(&told.stderr));
    let told = program(&[check, OsStr::from_bytes(b"n\xf6.urdf")]);
    assert!(text(&told.stderr).contains("n\u{fffd}.urdf: cannot be read"), "{}", text(&told.stderr));
}
