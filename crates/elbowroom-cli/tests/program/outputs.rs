//! Where answers go: readers that leave, outputs that are closed, files that must not be written over.

use crate::support::{CELL, folder, run, text};
use elbowroom_testkit::program::closed_output;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let folder = folder("pipe");
    // An answer that nobody took is none, whatever the verdict.
    let cases: [(&[&str], i32); 4] = [
        (&["check", "cell.toml", "--motion", "path.csv", "--json", "-"], 2),
        (&["check", "cell.toml"], 2),
        (&["pairs", "cell.toml"], 2),
        (&["pairs", "cell.toml", "--json", "-"], 2),
    ];
    for (arguments, code) in cases {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
        let child = command.current_dir(&folder).args(arguments).stdout(closed_output());
        let out = child.stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(
            said.contains("Output pipe closed early") && !said.contains("panicked"),
            "{arguments:?}: {said}"
        );
    }
}

#[test]
fn who_reproduces_a_paper_is_told_the_lab_s_program() {
    let folder = folder("reproduce");
    for (arguments, rest) in [
        (&["reproduce", "coulombe20", "--poses", "2"][..], "coulombe20 --poses 2"),
        (&["reproduce", "henrich97"], "henrich97"),
        (&["reproduce"], "PAPER"),
    ] {
        let out = run(&folder, arguments);
        assert_eq!((out.status.code(), text(&out.stdout)), (Some(2), String::new()));
        let line = format!("\ncargo run --release -p elbowroom-lab -- {rest}\n");
        assert!(text(&out.stderr).contains(&line), "{}", text(&out.stderr));
    }
}

#[test]
fn what_is_read_is_never_written_over() {
    let folder = folder("over");
    std::fs::write(folder.join("other.srdf"), "<robot name=\"rod\"/>").unwrap();
    std::fs::write(folder.join("ball.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    std::fs::write(folder.join("rod.srdf"), "<robot name=\"rod\"/>").unwrap();
    let mesh =
        format!("{CELL}[[obstacle]]\nname = \"m\"\nxyz = [9, 9, 9]\nmesh = {{ file = \"ball.obj\" }}\n");
    std::fs::write(folder.join("mesh.toml"), mesh).unwrap();
    // Another name for the same file, which no path shows.
    let _ = std::fs::remove_file(folder.join("hard.json"));
    std::fs::hard_link(folder.join("ball.obj"), folder.join("hard.json")).unwrap();
    let cases: [(&[&str], &str); 12] = [
        (
            &["check", "mesh.toml", "--json", "hard.json"],
            "--json would write over a file that the world reads",
        ),
        // Files that the world names are read too.
        (&["check", "mesh.toml", "--json", "./rod.urdf"], "a file that the world reads, ./rod.urdf"),
        (
            &["check", "mesh.toml", "--report", "ball.obj"],
            "--report would write over a file that the world reads",
        ),
        (&["pairs", "mesh.toml", "--json", "../over/rod.srdf"], "over a file that the world reads"),
        (&["bench", "mesh.toml", "--poses", "3", "--json", "ball.obj"], "over a file that the world reads"),
        (&["check", "cell.toml", "--json", "cell.toml"], "--json would write over the world, cell.toml"),
        (&["check", "./cell.toml", "--report", "../over/cell.toml"], "--report would write over the world"),
        (&["check", "cell.toml", "--motion", "path.csv", "--json", "./path.csv"], "over the motion"),
        (&["check", "rod.urdf", "--srdf", "other.srdf", "--json", "other.srdf"], "over the SRDF"),
        (&["pairs", "cell.toml", "--json", "cell.toml"], "--json would write over the world"),
        (&["bench", "cell.toml", "--poses", "3", "--json", "cell.toml"], "--json would write over the world"),
        (&["check", "cell.toml", "--json", "new", "--report", "./new"], "--json and --report both go to"),
    ];
    let inputs = ["cell.toml", "path.csv", "other.srdf", "mesh.toml", "rod.urdf", "rod.srdf", "ball.obj"];
    let before = inputs.map(|name| std::fs::read(folder.join(name)).unwrap());
    for (arguments, words) in cases {
        let out = run(&folder, arguments);
        assert_eq!((out.status.code(), text(&out.stdout)), (Some(2), String::new()), "{arguments:?}");
        assert!(text(&out.stderr).contains(words), "{arguments:?}: {}", text(&out.stderr));
    }
    let after = inputs.map(|name| std::fs::read(folder.join(name)).unwrap());
    assert!(before == after && !folder.join("new").exists());
    // A device swallows both.
    let out = run(&folder, &["check", "cell.toml", "--json", "/dev/null", "--report", "/dev/null"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
}

/// Names of what a folder holds.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn files_are_complete_or_as_they_were() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("complete");
    let _ = std::fs::remove_file(folder.join("link.json"));
    std::fs::write(folder.join("rod.urdf"), crate::support::ROD).unwrap();
    let commands: [&[&str]; 6] = [
        &["check", "cell.toml", "--motion", "path.csv", "--json", "out"],
        &["check", "cell.toml", "--motion", "path.csv", "--report", "out.html"],
        &["pairs", "cell.toml", "--json", "out"],
        &["pairs", "rod.urdf", "--prove", "--srdf-out", "out"],
        &["bench", "cell.toml", "--poses", "3", "--json", "out"],
        &["info", "cell.toml", "--json", "out"],
    ];
    for arguments in commands {
        let out_file = folder.join(arguments.last().unwrap());
        // Over an old file, whose permissions stay; nothing else is left.
        std::fs::write(&out_file, "old").unwrap();
        std::fs::set_permissions(&out_file, PermissionsExt::from_mode(0o640)).unwrap();
        let before = names(&folder);
        let out = run(&folder, arguments);
        assert!(matches!(out.status.code(), Some(0 | 1)), "{arguments:?}: {}", text(&out.stderr));
        assert!(std::fs::read_to_string(&out_file).unwrap().len() > 20, "{arguments:?}");
        let mode = std::fs::metadata(&out_file).unwrap().permissions().mode();
        assert_eq!((mode & 0o777, names(&folder)), (0o640, before), "{arguments:?}");
    }
    // A link stays one, and what it leads to is written; whether it is there or not.
    for target in ["out", "new"] {
        let _ = std::fs::remove_file(folder.join("link.json"));
        std::os::unix::fs::symlink(target, folder.join("link.json")).unwrap();
        let out = run(&folder, &["check", "cell.toml", "--json", "link.json"]);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        assert_eq!(std::fs::read_link(folder.join("link.json")).unwrap(), Path::new(target));
        assert!(std::fs::read_to_string(folder.join(target)).unwrap().starts_with("{\"schema\":1,"));
    }
    std::fs::remove_file(folder.join("new")).unwrap();
    std::fs::remove_file(folder.join("link.json")).unwrap();
    // Refused after it was opened: the other output cannot be written.
    std::fs::write(folder.join("out"), "old").unwrap();
    std::fs::write(folder.join("out.html"), "old").unwrap();
    let before = names(&folder);
    let out = run(&folder, &["check", "cell.toml", "--json", "out", "--report", "no/such/page.html"]);
    assert_eq!(out.status.code(), Some(2));
    let out = run(&folder, &["check", "cell.toml", "--json", "/dev/full", "--report", "out.html"]);
    assert_eq!(out.status.code(), Some(2));
    for file in ["out", "out.html"] {
        assert_eq!(std::fs::read_to_string(folder.join(file)).unwrap(), "old");
    }
    assert_eq!(names(&folder), before);
}

#[test]
fn an_interrupted_run_leaves_the_old_file() {
    let folder = folder("interrupted");
    let _ = std::fs::remove_file(folder.join("out.json.incomplete"));
    let mut long = String::from("turn\n");
    (0..400_000).for_each(|i| long.push_str(&format!("{}\n", f64::from(i) * 1e-6)));
    std::fs::write(folder.join("long.csv"), long).unwrap();
    std::fs::write(folder.join("out.json"), "old").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
    command.current_dir(&folder).args([
        "check",
        "cell.toml",
        "--motion",
        "long.csv",
        "--all-pairs",
        "--json",
        "out.json",
    ]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let partial = folder.join("out.json.incomplete");
    let begun = || std::fs::metadata(&partial).is_ok_and(|file| file.len() > 0);
    while !begun() {
        assert!(child.try_wait().unwrap().is_none(), "it was over before it could be interrupted");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success());
    assert_eq!(std::fs::read_to_string(folder.join("out.json")).unwrap(), "old");
    // What it left is in nobody's way.
    let out = run(&folder, &["check", "cell.toml", "--json", "out.json"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert_eq!(std::fs::read_to_string(folder.join("out.json")).unwrap().lines().count(), 1);
    assert!(partial.exists() && !folder.join("out.json.incomplete-2").exists());
    std::fs::remove_file(partial).unwrap();
}

#[test]
fn samples_come_as_they_are_ready_and_not_after_closed_output() {
    let folder = folder("streamed");
    let mut long = String::from("turn\n");
    (0..400_000).for_each(|i| long.push_str(&format!("{}\n", f64::from(i) * 1e-6)));
    std::fs::write(folder.join("long.csv"), long).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
    command.current_dir(&folder).args(["check", "cell.toml", "--motion", "long.csv", "--json", "-"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut first).unwrap();
    assert!(
        first.starts_with("{\"schema\":1,\"sample\":0,") && child.try_wait().unwrap().is_none(),
        "{first}"
    );
    drop(reader);
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("Output pipe closed early") && !text(&out.stderr).contains("summary"));
}
