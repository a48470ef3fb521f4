//! `elbowroom bake`: what it writes, and what it refuses whole.

use crate::support::{folder, run, text};
use elbowroom_testkit::robots::robots_folder;
use std::fs;
use std::path::PathBuf;
use std::process::Output;

fn hand() -> String {
    robots_folder().join("sdh2/hand.toml").display().to_string()
}

/// A folder without what an earlier run of the test left.
fn fresh(name: &str) -> PathBuf {
    let folder = folder(name);
    for left in ["baked", "baked.incomplete"] {
        let _ = fs::remove_dir_all(folder.join(left));
    }
    folder
}

fn said(out: &Output) -> String {
    text(&out.stdout) + &text(&out.stderr)
}

#[test]
fn the_hand_is_baked_whole() {
    let folder = fresh("bake");
    let out = run(&folder, &["bake", &hand(), "--out", "baked", "--build"]);
    let told = said(&out);
    assert_eq!(out.status.code(), Some(0), "{told}");
    for words in ["7 joint values", "10 bodies", "26 shapes", "33 pairs", "directions a test", "library "] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let fingerprint =
        told.split_whitespace().nth(1).expect("a fingerprint").trim_start_matches("0x").to_string();
    let header = fs::read_to_string(folder.join("baked/elbowroom_world.h")).expect("a header");
    assert!(header.contains(&fingerprint) && header.contains("hand/phi_3"), "{header}");
    assert!(header.contains("hand/palm - hand/finger_1_tip"), "{header}");
    for file in ["libelbowroom_world.a", "main.c", "README.md", "src/world.rs", "elbowroom-baked/src/lib.rs"]
    {
        assert!(folder.join("baked").join(file).is_file(), "{file}");
    }
    assert!(!folder.join("baked/target").exists() && !folder.join("baked.incomplete").exists());

    let again = run(&folder, &["bake", &hand(), "--out", "baked"]);
    assert_eq!(again.status.code(), Some(2), "{}", said(&again));
    assert!(text(&again.stderr).contains("--out baked: it exists"), "{}", said(&again));
}

#[test]
fn what_cannot_be_baked_leaves_nothing() {
    let folder = fresh("bake_refused");
    let mesh = "o m\nv 0 0 0\nv 0.1 0 0\nv 0 0.1 0.02\nv 0 -0.1 0.05\nf 1 2 3\nf 2 1 4\n";
    fs::write(folder.join("open.obj"), mesh).expect("a mesh");
    let world = format!(
        "margin = 0.001\n[[robot]]\nname = \"hand\"\nurdf = \"{}\"\n\
         [[obstacle]]\nname = \"sheet\"\nxyz = [0, 0, 1]\nmesh = {{ file = \"open.obj\" }}\n",
        hand().replace("hand.toml", "hand.urdf")
    );
    fs::write(folder.join("open.toml"), world).expect("a world");
    let small = ["bake", &hand(), "--out", "baked", "--most", "1000"];
    let target = ["bake", &hand(), "--out", "baked", "--build=no-such-target"];
    let open = ["bake", "open.toml", "--out", "baked"];
    let away = ["bake", &hand(), "--out", "no_such_folder/baked"];
    for (arguments, words) in [
        (&open[..], "open.toml: `world/sheet"),
        (&small, "bytes of constants, and 1000 is the most"),
        (&target, "could not build the library"),
        (&away, "no_such_folder"),
    ] {
        let out = run(&folder, arguments);
        assert_eq!(out.status.code(), Some(2), "{}", said(&out));
        assert!(text(&out.stderr).contains(words), "{words}: {}", said(&out));
        assert!(text(&out.stdout).is_empty());
        assert!(!folder.join("baked").exists() && !folder.join("baked.incomplete").exists(), "{words}");
    }
}
