//! `[guard]` of a world file: what is accepted, what is refused and how that is told, what is doubted.

use crate::support::{files, refused};
use elbowroom::World;
use elbowroom_files::guard::load_guard_from;
use elbowroom_files::world::load_world_from;
use elbowroom_files::{Faults, Loaded, Options};
use elbowroom_monitor::GuardDescription;
use std::collections::BTreeSet;
use std::path::Path;

/// A robot of two joints.
const ARM: &str = "<robot name=\"arm\"><link name=\"a\"/>\
    <link name=\"b\"><collision><geometry><sphere radius=\"0.1\"/></geometry></collision></link>\
    <link name=\"c\"><collision><geometry><sphere radius=\"0.1\"/></geometry></collision></link>\
    <joint name=\"turn\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 1\"/>\
    <limit lower=\"-2\" upper=\"2\" velocity=\"3\" effort=\"40\"/></joint>\
    <joint name=\"lift\" type=\"revolute\"><parent link=\"b\"/><child link=\"c\"/>\
    <origin xyz=\"1 0 0\"/><axis xyz=\"0 1 0\"/><limit lower=\"-2\" upper=\"2\"/></joint></robot>";
/// Its cell: nine lines before the first of a guard.
const CELL: &str = "[[robot]]\nurdf = \"arm.urdf\"\nname = \"arm\"\n\n[[obstacle]]\nname = \"part\"\n\
    movable = true\nxyz = [0, 0, 3]\nshape = { type = \"sphere\", radius = 0.1 }\n";
/// The line of the first of a guard.
const FIRST: usize = 10;

fn guard(text: &str) -> Result<Loaded<GuardDescription>, Faults> {
    let text = format!("{CELL}{text}");
    let files = files(&[("arm.urdf", ARM), ("cell.toml", &text)]);
    let (path, options) = (Path::new("cell.toml"), Options::default());
    let d = load_world_from(&files, path, &options).unwrap().value;
    load_guard_from(&files, path, &World::compile(&d).unwrap(), &options)
}

/// A guard in which all that must be written is, with some words replaced.
fn with(words: &[[&str; 2]]) -> String {
    let mut text = String::from(
        "[guard]\nperiod = 0.01\n[guard.joints]\nposition_error = 0.0001\nvelocity_error = 0.001\n\
         acceleration = 8\nlatency = [0.004, 0.012]\n\
         profile = { type = \"ramp\", acceleration = 2, speed = 1 }\n\
         brake = { type = \"deceleration\", value = [5, 8] }\n",
    );
    for [from, to] in words {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    text
}

/// One cause, one fault: it has the file, the line, what is wrong and what to do.
#[test]
fn one_cause_is_one_fault_with_its_line() {
    assert!(guard(&with(&[])).unwrap().warnings.is_empty());
    // The line counts from `[guard]`.
    let cases: [([&str; 2], usize, &str, &str); 25] = [
        (["= 0.01", "= \"0.01\""], 1, "period is not a finite number, but the text \"0.01\"", "quotes"),
        (["= 0.01", "= true"], 1, "period is not a finite number, but true", "write a number"),
        (["= 0.01", "= 100"], 1, "period is 100 s", "0.00001 to 10 (s)"),
        (["period = 0.01", "period = 0.01\nlate = 0.005"], 2, "late is 0.005, and the period 0.01", "1.01"),
        (["period = 0.01", "period = 0.01\nclearance = -1"], 2, "clearance is -1 m", "0 to 10 (m)"),
        (["period = 0.01", "period = 0.01\nmode = 3"], 2, "mode is not text, but 3", "quotes"),
        (["period = 0.01", "period = 0.01\nmode = \"guess\""], 2, "mode is \"guess\"", "\"infer\""),
        (["period = 0.01", "period = 0.01\nrestarts = 1"], 2, "restarts is not true or false, but 1", "true"),
        (["period = 0.01", "perod = 0.01"], 1, "\"perod\" is unknown", "did you mean \"period\"?"),
        (["[0.004, 0.012]", "\"4 ms\""], 6, "latency is neither a number nor two, but the text", "quotes"),
        (["[0.004, 0.012]", "[1, 2, 3]"], 6, "neither a number nor two, but a list of 3", "[least, most]"),
        (["[0.004, 0.012]", "[0.012, 0.004]"], 6, "latency: the latency lies between", "in order"),
        (["latency", "latncy"], 6, "the key \"latncy\" is unknown", "did you mean \"latency\"?"),
        (
            ["latency = [0.004, 0.012]\n", ""],
            2,
            "latency is missing for arm/turn and 1 other",
            "[guard.joints]",
        ),
        (["[guard.joints]", "[guard.jonts]"], 2, "the key \"jonts\" is unknown", "did you mean \"joints\"?"),
        (["[5, 8]", "[8, 5]"], 8, "the deceleration lies between 8 and 5, for arm/turn and 1 other", "order"),
        (["[5, 8]", "[0, 8]"], 8, "the brake may not decelerate at all", ""),
        (["\"deceleration\"", "\"disc\""], 8, "the type is the text \"disc\"", "\"linear\""),
        (["{ type = \"deceleration\", value = [5, 8] }", "5"], 8, "brake: is not a table, but 5", "{ type"),
        (["type = \"ramp\", ", ""], 7, "profile: type is missing", "\"sin_squared\""),
        (
            ["acceleration = 8", "acceleration = 8\nposition = [2, -2]"],
            6,
            "position is from 2 to -2",
            "first",
        ),
        (["acceleration = 8", "acceleration = -8"], 5, "acceleration is -8, below zero", "zero or more"),
        (
            ["[guard.joints]", "[guard.joint.lift]\ncurrent = \"ten\"\n[guard.joints]"],
            3,
            "current is not a finite number, but the text \"ten\"",
            "quotes",
        ),
        (
            [
                "[guard.joints]",
                "[guard.people]\nbodies = [\"arm/b\"]\nspeed = 1\ntime = 1\nintrusion = 0\n\
              uncertainty = 0\nlate = 1\nnear = 1\n[guard.joints]",
            ],
            3,
            "arm/b is not an obstacle of the world",
            "movable obstacles",
        ),
        (
            ["[guard.joints]", "[guard.object]\nparts = []\n[guard.joints]"],
            2,
            "object is not a list",
            "[[...]]",
        ),
    ];
    for ([from, to], line, what, help) in cases {
        let text = with(&[[from, to]]);
        let faults = refused(&text, guard(&text), &[what]);
        assert_eq!(faults.0.len(), 1, "{text}\n{faults}");
        let fault = &faults.0[0];
        assert_eq!(fault.file, Path::new("cell.toml"));
        assert!(fault.help.contains(help), "{help:?}: {fault}");
        let place = format!("line {}, guard", FIRST + line);
        assert!(fault.place.starts_with(&place), "{place}: {fault}");
    }
}

#[test]
fn what_is_missing_of_the_same_joints_is_one_fault() {
    let faults =
        refused("none", guard("[guard]\nperiod = 0.01\n"), &["brake are missing for arm/turn and 1"]);
    assert_eq!(faults.0.len(), 1, "{faults}");
    // All that one joint lacks, and what the other one does.
    let text = with(&[["[guard.joints]", "[guard.joint.turn]"]]);
    let faults = refused("one", guard(&text), &["latency, profile, brake are missing for arm/lift;"]);
    assert_eq!(faults.0.len(), 1, "{faults}");
    // What is written for a joint that nobody knows is likely what is missing.
    let text = with(&[["[guard.joints]", "[guard.joint.turm]"]]);
    let faults = refused("misspelt", guard(&text), &["\"turm\": is no joint of this world; did you mean"]);
    assert_eq!(faults.0.len(), 1, "{faults}");
    let text = with(&[["[guard.joints]", "[guard.joint.turm]"], ["latency = [0.004, 0.012]\n", ""]]);
    let faults = refused("both", guard(&text), &["is no joint", "latency is missing for arm/turn and 1"]);
    assert_eq!(faults.0.len(), 2, "{faults}");
}

#[test]
fn times_that_are_likely_milliseconds_are_doubted() {
    let cases = [
        (["latency = [0.004, 0.012]", "latency = [4, 12]"], 6, "latency is [4, 12] s", "[0.004, 0.012]"),
        (["latency = [0.004, 0.012]", "latency = 1"], 6, "latency is 1 s", "latency = 0.001"),
        (["period = 0.01", "period = 8"], 1, "period is 8 s: seconds are meant", "period = 0.008"),
        (["period = 0.01", "period = 0.01\nlate = 25"], 2, "late is 25 s", "late = 0.025"),
        (["period = 0.01", "period = 0.01\nlook_ahead = 99"], 2, "look_ahead is 99 s", "look_ahead = 0.099"),
        (
            ["[guard.joints]", "[guard.joint.lift]\nlatency = 15\n[guard.joints]"],
            3,
            "latency is 15 s",
            "0.015",
        ),
    ];
    for (words, line, what, help) in cases {
        let warnings = guard(&with(&[words])).unwrap().warnings;
        let [warning] = &warnings[..] else { panic!("{words:?}: {warnings:?}") };
        assert!(warning.what.contains(what) && warning.help.contains(help), "{warning}");
        assert!(warning.place.starts_with(&format!("line {}, guard", FIRST + line)), "{warning}");
    }
    // What machines can have is not doubted.
    let slow =
        with(&[["period = 0.01", "period = 0.5\nlate = 2\nlook_ahead = 5"], ["[0.004, 0.012]", "0.9"]]);
    assert!(guard(&slow).unwrap().warnings.is_empty());
}

/// What a user reads of keys is what the reader takes.
#[test]
fn the_page_has_the_keys_that_are_read() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guard.md");
    let page = std::fs::read_to_string(page).unwrap();
    // The words in back quotes of the first column of the table behind a line that begins so.
    let column = |from: &str| {
        let rest = page.split_once(&format!("\n{from}")).unwrap_or_else(|| panic!("{from}")).1;
        let rows = rest.lines().skip_while(|line| !line.starts_with("| ---")).skip(1);
        let rows = rows.take_while(|line| line.starts_with('|'));
        rows.map(|row| row.split('`').nth(1).unwrap().to_string()).collect::<BTreeSet<String>>()
    };
    // The keys that a row of a table of types names, with the type's own.
    let of_type = |kind: &str| {
        let row = page.lines().find(|line| line.starts_with(&format!("| `\"{kind}\"` |"))).unwrap();
        let keys = row.split(':').next().unwrap().split('`').skip(3).step_by(2);
        keys.map(String::from).chain(["type".into()]).collect::<BTreeSet<String>>()
    };
    let known = |text: &str| {
        let faults = refused(text, guard(text), &["the key \"zzz\" is unknown here", "known keys: "]);
        let fault = faults.0.iter().find(|fault| fault.what.contains("zzz")).unwrap();
        let keys = fault.help.rsplit("known keys: ").next().unwrap().split(", ");
        keys.map(String::from).collect::<BTreeSet<String>>()
    };
    let table = |name: &str| known(&format!("{name}\nzzz = 1\n"));
    for heading in ["[guard]", "[guard.roles]", "[[guard.object]]", "[[guard.arm]]", "[guard.joints]"] {
        assert_eq!(column(&format!("## `{heading}`")), table(heading), "{heading}");
    }
    for heading in ["[[guard.speed_limit]]", "[guard.people]"] {
        assert_eq!(column(&format!("## `{heading}`")), table(heading), "{heading}");
    }
    assert_eq!(column("## `[guard.joints]`"), table("[guard.joint.turn]"));
    assert_eq!(column("| key of a limit"), known("[guard.joints]\nvelocity = { most = 1, zzz = 1 }\n"));
    for (key, kinds) in
        [("profile", ["ramp", "sin_squared", "velocity"]), ("brake", ["deceleration", "linear", "table"])]
    {
        assert_eq!(column(&format!("| `{key}` | its keys")), kinds.map(|kind| format!("\"{kind}\"")).into());
        for kind in kinds {
            let text = format!("[guard.joints]\n{key} = {{ type = \"{kind}\", zzz = 1 }}\n");
            assert_eq!(of_type(kind), known(&text), "{kind}");
        }
    }
}

/// Limits that the URDF says hold wherever it lies and however its XML begins.
#[test]
fn the_limits_of_a_urdf_are_found_as_the_robot_is() {
    let joints = |urdf: &str, path: &str, robot: &str| {
        let cell = format!("{}{}", CELL.replace("urdf = \"arm.urdf\"", robot), with(&[]));
        let files = files(&[(path, urdf), ("cell.toml", &cell)]);
        let (path, options) = (Path::new("cell.toml"), Options::default());
        let d = load_world_from(&files, path, &options).unwrap().value;
        let guard = load_guard_from(&files, path, &World::compile(&d).unwrap(), &options);
        format!("{:?}", guard.unwrap().value.arms)
    };
    let plain = joints(ARM, "arm.urdf", "urdf = \"arm.urdf\"");
    let without = ARM.replace("velocity=\"3\" effort=\"40\"", "");
    assert_ne!(plain, joints(&without, "arm.urdf", "urdf = \"arm.urdf\""));
    let late = format!("<!-- made by hand -->\n<?xml version='1.0'?>\n{ARM}");
    assert_eq!(plain, joints(&late, "arm.urdf", "urdf = \"arm.urdf\""));
    for given in ["\"more\"", "[\"more\"]"] {
        let robot = format!("urdf = \"package://p/arm.urdf\"\npackage_path = {given}");
        assert_eq!(plain, joints(ARM, "more/p/arm.urdf", &robot), "{given}");
    }
}
