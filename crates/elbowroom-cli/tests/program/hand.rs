//! The commands of `robots/sdh2/README.md`.

use crate::support::{run, text};
use std::path::Path;

const WORLD: &str = "robots/sdh2/hand.toml";

fn ask(arguments: &[&str]) -> (Option<i32>, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = run(&root, arguments);
    (out.status.code(), text(&out.stdout) + &text(&out.stderr))
}

#[test]
fn the_hand_closes_on_nothing_and_is_free_at_every_instant() {
    let motion = ["check", WORLD, "--motion", "robots/sdh2/grasp.csv", "--continuous"];
    let (code, told) = ask(&motion);
    assert_eq!(code, Some(0), "{told}");
    for words in ["121 samples: 121 clear", "smallest clearance 2.70 mm", "edges: 120 free, 0 with contact"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

#[test]
fn the_hand_says_its_seven_values_and_which_pairs_touch_by_design() {
    let (code, told) = ask(&["info", WORLD]);
    assert_eq!(code, Some(0), "{told}");
    for words in ["7 joint values, 10 bodies", "33 pairs checked, 12 allowed", "phi_0_mirrored", "0 warnings"]
    {
        assert!(told.contains(words), "{words}: {told}");
    }
    let (code, told) = ask(&["pairs", WORLD]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("33 checked, 12 allowed"), "{told}");
}

#[test]
fn finger_2_reaches_the_palm() {
    let (code, told) = ask(&["check", WORLD, "--at", "1.57,0,0,1.5,1.4,0,0"]);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("hand/palm and hand/finger_2_tip"), "{told}");
}

#[test]
fn two_fingers_press_their_pads_on_each_other() {
    let pinch = ["--motion", "robots/sdh2/pinch.csv", "--continuous"];
    let (code, told) = ask(&[&["check", "robots/sdh2/pads.toml"][..], &pinch[..]].concat());
    assert_eq!(code, Some(0), "{told}");
    for words in ["deepest press of a pad 1.", "on pads alone", "hand/finger_1_tip and hand/finger_3_tip"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let (code, told) = ask(&[&["check", WORLD][..], &pinch[..]].concat());
    assert_eq!(code, Some(1), "without pads it is a collision: {told}");
}
