//! Parts and unfinished work that are not of this sweep, and outputs that cannot be written.

use super::arm::arm_folder;
use super::{sweep, swept};
use crate::support::{run, text};
use std::process::Command;

#[test]
fn parts_of_another_world_are_refused() {
    let folder = arm_folder("sweep-other-world");
    let cell = std::fs::read_to_string(folder.join("cell.toml")).unwrap();
    let random = ["--random", "9000", "--seed", "5"];
    swept(&folder, "p1.npy", &[&random[..], &["--part", "1/2"]].concat());
    for (from, to, word) in [
        ("xyz = [1.15, 0, 0.3]", "xyz = [1.16, 0, 0.3]", "they differ in world\n"),
        ("margin = 0.05", "margin = 0.02", "they differ in world, margin\n"),
    ] {
        let other = cell.replace(from, to);
        assert_ne!(other, cell);
        std::fs::write(folder.join("other.toml"), other).unwrap();
        let part = ["sweep", "other.toml", "--quiet", "--part", "2/2", "--out", "p2.npy"];
        let done = run(&folder, &[&part[..], &random].concat());
        assert!(matches!(done.status.code(), Some(0 | 1)), "{}", text(&done.stderr));
        let refused = run(&folder, &["sweep", "--merge", "p1.npy", "p2.npy", "--out", "all.npy"]);
        let said = text(&refused.stderr);
        let told = format!("p2.npy is of another sweep than p1.npy: {word}");
        assert!(refused.status.code() == Some(2) && said.contains(&told), "{said}");
        assert!(!folder.join("all.npy").exists());
    }
}

#[test]
fn unfinished_work_of_another_version_is_left_alone() {
    let folder = arm_folder("sweep-other-version");
    for name in ["a.npy", "a.npy.partial", "a.npy.incomplete"] {
        let _ = std::fs::remove_file(folder.join(name));
    }
    let program = env!("CARGO_BIN_EXE_elbowroom");
    let script =
        format!("trap '' XFSZ; ulimit -f 300; exec '{program}' sweep cell.toml --random 20000 --out a.npy");
    let full = Command::new("bash").args(["-c", &script]).current_dir(&folder).output().unwrap();
    assert_eq!(full.status.code(), Some(2), "{}", text(&full.stderr));
    let path = folder.join("a.npy.partial");
    let kept = std::fs::read_to_string(&path).unwrap();
    let own = format!("\"elbowroom\":\"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(kept.lines().count() > 1 && kept.contains(&own), "{kept}");
    let other = kept.replace(&own, "\"elbowroom\":\"0.0.9\"");
    std::fs::write(&path, &other).unwrap();
    let ask = || sweep(&folder, &["--random", "20000", "--out", "a.npy"]);
    let refused = ask();
    let said = text(&refused.stderr);
    assert!(refused.status.code() == Some(2) && said.contains("part or version"), "{said}");
    assert!(std::fs::read_to_string(&path).unwrap() == other && !folder.join("a.npy").exists());
    // Its own version goes on from there.
    std::fs::write(&path, &kept).unwrap();
    let done = ask();
    let said = text(&done.stderr);
    assert!(said.contains("goes on after an interruption") && folder.join("a.npy").exists(), "{said}");
}

#[test]
fn a_folder_that_nothing_can_be_written_into_is_named() {
    let folder = arm_folder("sweep-no-folder");
    let _ = std::fs::remove_file(folder.join("a.npy"));
    let mut places = vec!["no/such".to_string()];
    if cfg!(target_os = "linux") {
        // Not even root writes there.
        places.push("/proc".into());
    }
    for place in places {
        let (rows, page) = (format!("{place}/rows.npy"), format!("{place}/page.html"));
        for (outputs, named) in
            [(&["--out", &rows][..], &rows), (&["--out", "a.npy", "--histogram", &page], &page)]
        {
            let refused = sweep(&folder, &[&["--random", "20"], outputs].concat());
            let said = text(&refused.stderr);
            let told = format!("{named} cannot be written");
            assert!(refused.status.code() == Some(2) && said.contains(&told), "{said}");
            assert!(!folder.join("a.npy").exists(), "nothing is begun");
        }
    }
}
