//! Contact on pads: what `check` says of it, in the table, in JSON and on the page.

use crate::support::schema::Schema;
use crate::support::{checked, folder, lines, run, text};
use serde_json::json;
use std::path::Path;
use std::process::Output;

/// The rod, whose ball of 0.1 m is soft by 2 cm, and the post that it reaches at 1.268 rad.
pub fn write_world(folder: &Path, more: &str) {
    let world = format!(
        "margin = 0.01\n[[robot]]\nurdf = \"rod.urdf\"\n[[obstacle]]\nname = \"post\"\nmovable = true\n\
         xyz = [0, 1, 0]\nshape = {{ type = \"sphere\", radius = 0.2 }}\n[[pad]]\nname = \"tip\"\n\
         link = \"rod/arm\"\ndepth = 0.02\n\
         region = {{ type = \"box\", size = [0.21, 0.21, 0.21], xyz = [1, 0, 0] }}\n{more}"
    );
    std::fs::write(folder.join("pads.toml"), world).unwrap();
}

/// The distance of the two balls at this angle of the rod (metres).
fn distance(angle: f64) -> f64 {
    2.0 * elbowroom::math::sin_cos(0.5 * (std::f64::consts::FRAC_PI_2 - angle)).0 - 0.3
}

#[test]
fn contact_on_a_pad_is_expected_within_its_depth() {
    let folder = folder("pads");
    write_world(&folder, "");
    for (angle, code, verdict) in
        [(1.2, 0, "clear"), (1.26, 0, "near"), (1.28, 0, "expected_contact"), (1.3, 1, "collision")]
    {
        for ask in ["distance", "lower-bound", "test"] {
            let (found, lines, said) =
                checked(&folder, "pads.toml", &["--at", &angle.to_string(), "--all-pairs", "--ask", ask]);
            let line = &lines[0];
            // A lower bound alone does not prove contact.
            let asked = if ask == "lower-bound" && verdict == "collision" { "unknown" } else { verdict };
            let told = line["verdict"].as_str().unwrap();
            assert!(told == asked || told == verdict, "{angle} {ask}: {line}");
            assert_eq!(found, Some(code), "{angle} {ask}: {said}");
            let pressed = verdict == "expected_contact";
            for object in [line, &line["pairs"][0]] {
                assert_eq!(object["pad"], if pressed { json!(["tip"]) } else { json!(null) }, "{object}");
                let left = object["pad_left"].as_f64();
                assert_eq!(left.is_some(), pressed, "{object}");
                assert!(left.is_none_or(|left| (left - 0.02 - distance(angle)).abs() < 1e-6), "{object}");
            }
            if ask == "distance" {
                assert!((line["distance"].as_f64().unwrap() - distance(angle)).abs() < 1e-9, "{line}");
            }
        }
    }
    // A tolerance for touching is no pad, and a pad is none for it.
    let (code, lines, _) = checked(&folder, "pads.toml", &["--at", "1.28", "--touch", "1e-6"]);
    assert_eq!((code, &lines[0]["verdict"]), (Some(0), &json!("expected_contact")));
}

#[test]
fn the_table_and_the_page_tell_of_presses() {
    let folder = folder("pads_page");
    write_world(&folder, "");
    std::fs::write(folder.join("press.csv"), "t,turn\n0,1.2\n1,1.28\n2,1.275\n3,1.2\n").unwrap();
    let asked = ["check", "pads.toml", "--motion", "press.csv", "--report", "page.html", "--continuous"];
    let out = run(&folder, &asked);
    let (table, said) = (text(&out.stdout), text(&out.stderr));
    assert_eq!(out.status.code(), Some(0), "{said}");
    for words in [
        "4 samples: 2 expected_contact, 2 clear",
        "deepest press of a pad ",
        "at 2 samples bodies touch on pads alone",
        "edges: 0 free, 3 with contact on pads alone, 0 with contact, 0 unknown",
    ] {
        assert!(table.contains(words), "{words}: {table}");
    }
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    for words in [
        "Contact on pads alone, within their depths at 2 of 4 samples",
        "At the samples: deepest press of a pad",
        "with each pad drawn",
        "expected_contact\">expected_contact",
    ] {
        assert!(page.contains(words), "{words}");
    }
    // Too deep on the way, though not at its ends.
    std::fs::write(folder.join("press.csv"), "turn\n1.28\n1.5\n1.86\n").unwrap();
    let (code, lines, said) = checked(&folder, "pads.toml", &["--motion", "press.csv", "--continuous"]);
    assert_eq!(code, Some(1), "{said}");
    let verdicts: Vec<_> = lines.iter().map(|line| (&line["verdict"], &line["edge"]["verdict"])).collect();
    let [press, deep, free] = [json!("expected_contact"), json!("collision"), json!("contact")];
    assert_eq!(verdicts, [(&press, &json!(null)), (&deep, &free), (&press, &free)]);
}

#[test]
fn pads_in_a_world_that_changes() {
    let folder = folder("pads_changes");
    write_world(&folder, "");
    let motion = "{\"q\": [0]}\n{\"place\": {\"name\": \"post\", \"xyz\": [1.29, 0, 0]}}\n{\"q\": [0]}\n\
        {\"place\": {\"name\": \"post\", \"xyz\": [1.27, 0, 0]}}\n{\"q\": [0]}\n\
        {\"place\": {\"name\": \"post\", \"xyz\": [1.285, 0, 0]}}\n";
    std::fs::write(folder.join("place.jsonl"), motion).unwrap();
    let (code, lines, said) = checked(&folder, "pads.toml", &["--motion", "place.jsonl", "--continuous"]);
    let verdicts: Vec<_> = lines.iter().map(|line| line["verdict"].as_str().unwrap()).collect();
    assert_eq!((code, &verdicts[..]), (Some(1), &["clear", "expected_contact", "collision"][..]), "{said}");
    assert_eq!(lines[1]["edge"]["verdict"], "expected_contact", "{}", lines[1]);
    assert_eq!(lines[2]["after"]["verdict"], "expected_contact", "{}", lines[2]);
    assert!((lines[2]["after"]["pad_left"].as_f64().unwrap() - 0.005).abs() < 1e-6, "{}", lines[2]);
}

#[test]
fn a_pad_that_cannot_be_drawn_back_is_refused_by_name() {
    let folder = folder("pads_refused");
    let pad = |more: &str| format!("[[pad]]\nname = \"other\"\n{more}\n");
    let region = "region = { type = \"box\", size = [0.3, 0.3, 0.3], xyz = [3, 0, 0] }";
    for (more, says) in [
        (pad(&format!("link = \"rod/arm\"\ndepth = 0.01\n{region}")), "pads.toml: pad `other` of `rod/arm`"),
        (pad(&format!("link = \"rod/arms\"\ndepth = 0.01\n{region}")), "did you mean"),
        (pad(&format!("link = \"rod\"\ndepth = 0.01\n{region}")), "no such link"),
        (pad(&format!("link = \"rod/arm\"\ndepth = 1.3\n{region}")), "depth is 1.3"),
        (pad("link = \"rod/arm\"\ndepth = 0.01"), "region is missing"),
        (
            pad("link = \"rod/arm\"\ndepth = 0.01\nregion = { type = \"sphere\", radius = 1 }"),
            "region is not a box",
        ),
        (pad("link = \"rod/arm\"\ndeep = 0.01"), "the key \"deep\" is unknown"),
    ] {
        write_world(&folder, &more);
        let out = run(&folder, &["check", "pads.toml"]);
        let said = text(&out.stderr);
        assert!(out.status.code() == Some(2) && said.contains(says), "{says}: {said}");
    }
}

/// What the monitor of such a world is told.
pub const GUARD: &str = "[guard]\nperiod = 0.01\nclearance = 0.001\n[guard.joints]\n\
    position_error = 1e-5\nvelocity_error = 1e-4\n\
    acceleration = 8\nvelocity = 1\nlatency = [0, 0.01]\n\
    profile = { type = \"ramp\", acceleration = 2, speed = 0.6 }\n\
    brake = { type = \"deceleration\", value = [6, 8] }\n";

/// What the monitor answers to one state.
pub fn ask_monitor(folder: &Path, q: f64) -> Output {
    let state = format!("{{\"t\": 0, \"q\": [{q}], \"qd\": [0.02]}}\n");
    std::fs::write(folder.join("state.jsonl"), state).unwrap();
    run(folder, &["monitor", "pads.toml", "--once", "--input", "state.jsonl"])
}

#[test]
fn a_monitor_stops_before_a_pad_is_pressed_too_deep_and_names_it() {
    let folder = folder("pads_monitor");
    write_world(&folder, GUARD);
    for (q, stops, words) in [
        (1.1, false, ""),
        (1.275, false, "\"reasons\":[]"),
        (1.2879, true, "press deeper before the arms rest than `tip` by 20.00 mm, less 1.00 mm of clearance"),
    ] {
        let out = ask_monitor(&folder, q);
        let said = text(&out.stdout);
        assert_eq!(said.contains("\"command\":\"stop\""), stops, "{q}: {said} {}", text(&out.stderr));
        assert!(said.contains(words), "{q}: {said}");
        let line = &lines(&out.stdout)[0];
        Schema::read("monitor").check(line);
        // Also where it stops: the verdict is about where the arm is now.
        let is_pressed = distance(q) < 0.0;
        let verdict = if is_pressed { json!("expected_contact") } else { json!(null) };
        assert_eq!(line["verdict"], verdict, "{q}: {line}");
        assert_eq!(line["pad"], if is_pressed { json!(["tip"]) } else { json!(null) }, "{q}: {line}");
        let left = line["pad_left"].as_f64();
        assert_eq!(left.is_some(), is_pressed, "{q}: {line}");
        assert!(left.is_none_or(|left| (left - 0.02 - distance(q)).abs() < 1e-6), "{q}: {line}");
    }
}
