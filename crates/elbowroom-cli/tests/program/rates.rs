//! `check --limits`: how fast a motion goes, between samples too, against limits.

use crate::support::{checked, folder, run, text};
use serde_json::Value;
use std::path::Path;

fn write(folder: &Path, name: &str, content: &str) {
    std::fs::write(folder.join(name), content).unwrap();
}

/// The table of a run, and what was said beside it.
fn told(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let out = run(folder, &[&["check", "cell.toml"], arguments].concat());
    (out.status.code(), text(&out.stdout) + &text(&out.stderr))
}

fn assert_said(said: &str, words: &[&str]) {
    for words in words {
        assert!(said.contains(words), "{words}: {said}");
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn straight_motions_have_the_velocities_of_their_steps() {
    let folder = folder("rates_straight");
    // The rod's URDF allows 1 rad/s: half of it, then a tenth more than all of it.
    write(&folder, "fast.csv", "t,turn\n0,0\n1,-0.5\n2,-1.6\n");
    let (code, said) = told(&folder, &["--motion", "fast.csv", "--limits"]);
    assert_eq!(code, Some(1), "{said}");
    let beyond = "velocity of rod/turn reaches 1.1 rad/s at t = 1 s, beyond its limit 1\n";
    assert_said(
        &said,
        &[beyond, "no acceleration or jerk of any joint is judged, since no limit of it is known"],
    );
    assert!(!said.contains("within all"), "{said}");
    let (code, rows, said) = checked(&folder, "cell.toml", &["--motion", "fast.csv", "--limits"]);
    assert_eq!(code, Some(1), "{said}");
    assert_said(&said, &["; velocity of rod/turn reaches 1.1 rad/s at t = 1 s, beyond its limit 1"]);
    let found: Vec<&Value> = rows.iter().map(|row| &row["limits"]).collect();
    assert!(found[0].is_null() && found[1].is_null(), "{found:?}");
    let [excess] = &found[2].as_array().unwrap()[..] else { panic!("{found:?}") };
    assert_eq!((&excess["joint"], &excess["kind"]), (&"rod/turn".into(), &"velocity".into()));
    assert!((number(&excess["value"]) - 1.1).abs() < 1e-12 && excess["limit"] == 1.0, "{excess}");
    assert_eq!(excess["t"], 1.0);
    // A page leads with it, since the exit code says that something is wrong.
    let more = ["--motion", "fast.csv", "--limits", "--continuous", "--report", "page.html"];
    assert_eq!(told(&folder, &more).0, Some(1));
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    assert_said(
        &page,
        &[
            "<p class=\"headline collision\">Too fast: 1 rate beyond limits</p>",
            "<b>Velocity of rod/turn reaches 1.1 rad/s at t = 1 s, beyond its limit 1</b>.",
        ],
    );
    // The limit itself is within it, and without --limits nothing is judged.
    write(&folder, "just.csv", "t,turn\n0,0\n1,-1\n3,-1.5\n");
    let (code, said) = told(&folder, &["--motion", "just.csv", "--limits"]);
    assert_eq!(code, Some(0), "{said}");
    assert_said(&said, &["within all velocity limits: nearest rod/turn at 100 % at t = 0 s"]);
    let (code, said) = told(&folder, &["--motion", "fast.csv"]);
    assert_eq!(code, Some(0));
    assert!(!said.contains("limit"), "{said}");
}

/// From rest to rest by a radian in two seconds: 1.875 / 2 rad/s half way, 10 / sqrt(3) / 4 rad/s^2, and
/// 60 / 8 rad/s^3 at both ends.
#[test]
fn a_quintic_is_judged_between_its_samples() {
    let folder = folder("rates_quintic");
    let titles = "t,turn,turn/velocity,turn/acceleration";
    write(&folder, "rest.csv", &format!("{titles}\n3,0,0,0\n5,-1,0,0\n"));
    let limits = |more: &str| format!("joint_limits:\n  turn:\n    max_jerk: 7.5\n{more}");
    write(&folder, "low.yaml", &limits("    has_acceleration_limits: true\n    max_acceleration: 1.4\n"));
    let ask = |limits: &str| told(&folder, &["--motion", "rest.csv", limits, "--report", "page.html"]);
    let (code, said) = ask("--limits=low.yaml");
    assert_eq!(code, Some(1), "{said}");
    let acceleration = "acceleration of rod/turn reaches 1.443 rad/s^2 at t = ";
    let nearest = "within all velocity limits: nearest rod/turn at 94 % at t = 4 s";
    assert_said(
        &said,
        &[
            acceleration,
            "beyond its limit 1.4\n",
            nearest,
            "within all jerk limits: nearest rod/turn at 100 %",
        ],
    );
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    assert_said(
        &page,
        &["<h2>How fast the joints go</h2>", "<td class=\"n v collision\">104 %", "1.443", "low.yaml"],
    );
    // A limit that its file takes away is none.
    let high = "    max_acceleration: 1.45\n    has_velocity_limits: false\n";
    write(&folder, "high.yaml", &limits(high));
    let (code, said) = ask("--limits=high.yaml");
    assert_eq!(code, Some(0), "{said}");
    assert_said(
        &said,
        &["within all acceleration limits: nearest rod/turn at 100 %", "no velocity of any joint is judged"],
    );
    // Of a straight motion no acceleration is judged.
    write(&folder, "straight.csv", "t,turn\n0,0\n2,-1\n3,-1\n");
    let (code, said) = told(&folder, &["--motion", "straight.csv", "--limits=low.yaml"]);
    assert_eq!(code, Some(0), "{said}");
    assert_said(
        &said,
        &["the motion is straight between samples: its velocities jump, and no acceleration or jerk"],
    );
    assert!(!said.contains("within all acceleration"), "{said}");
    // Where one part of it is, the jump is told.
    let rows = ["\"q\": [0], \"v\": [0]", "\"q\": [-0.5], \"v\": [0]", "\"q\": [-1]"];
    let rows = rows.iter().zip(0..).map(|(row, t)| format!("{{\"t\": {t}, {row}}}\n"));
    write(&folder, "mixed.jsonl", &rows.collect::<String>());
    let (code, said) = told(&folder, &["--motion", "mixed.jsonl", "--limits=high.yaml"]);
    assert_eq!(code, Some(1), "{said}");
    assert_said(&said, &["acceleration of rod/turn reaches 3 rad/s^2 at t = ", "beyond its limit 1.45"]);
    assert_said(&said, &["velocities jump at 1 sample", "rod/turn by 0.500 rad/s at sample 1"]);
}

#[test]
fn a_mimic_joint_has_a_limit_of_its_own() {
    let folder = folder("rates_mimic");
    let urdf = r#"<robot name="arm"><link name="a"/><link name="b"/><link name="c"><collision>
        <geometry><sphere radius="0.1"/></geometry></collision></link>
        <joint name="lift" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
        <limit lower="-9" upper="9" effort="1" velocity="0.8"/></joint>
        <joint name="twin" type="prismatic"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/>
        <limit lower="-99" upper="99" effort="1" velocity="1"/><mimic joint="lift" multiplier="-2"/></joint>
        </robot>"#;
    write(&folder, "arm.urdf", urdf);
    write(&folder, "up.csv", "t,lift\n0,0\n1,0.6\n2,0.6\n");
    let out = run(&folder, &["check", "arm.urdf", "--motion", "up.csv", "--limits"]);
    let said = text(&out.stdout) + &text(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert_said(&said, &["velocity of arm/twin reaches 1.2 m/s at t = 0 s, beyond its limit 1\n"]);
    assert!(!said.contains("velocity of arm/lift"), "{said}");
}

#[test]
fn velocities_that_contradict_positions_are_told() {
    let folder = folder("rates_swing");
    // Out to about 1.29 rad, where both samples are at 1.1 at most.
    write(&folder, "swing.csv", "t,turn,turn/velocity\n0,-1,-0.9\n1,-1.1,1\n2,-1.1,0\n");
    let (_, said) = told(&folder, &["--motion", "swing.csv", "--limits"]);
    let at = |t: f64| 1.0 + 0.9 * t + (0.3 - 1.8 + 1.0) * t * t + (-0.2 + 0.9 - 1.0) * t * t * t;
    let most = (0..=10_000).map(|k| at(f64::from(k) * 1e-4) - 1.1).fold(0.0, f64::max);
    let words = format!("between samples 0 and 1 rod/turn swings {most:.3} rad beyond both (its velocities");
    assert_said(&said, &[words.trim_end_matches('0'), "; 2 ways swing out"]);
}

#[test]
fn what_cannot_be_judged_is_refused_by_name() {
    let folder = folder("rates_refused");
    let refused = |arguments: &[&str], words: &[&str]| {
        let (code, said) = told(&folder, arguments);
        assert_eq!(code, Some(2), "{said}");
        assert_said(&said, words);
    };
    write(&folder, "bare.csv", "turn\n0\n-1\n");
    refused(&["--motion", "bare.csv", "--limits"], &["--limits needs times, and bare.csv has none"]);
    write(&folder, "still.csv", "t,turn\n0,0\n1,-1\n1,-1\n1,-1.5\n");
    let words = "joints move in no time, so that no velocity is within a limit: 1 way, the first is the way \
                 to sample 3, at 1 s";
    refused(&["--motion", "still.csv", "--limits"], &[words]);
    refused(&["--limits"], &["--motion"]);
    refused(&["--motion", "path.csv", "--limits=none.yaml"], &["none.yaml: cannot be read"]);
    let bad =
        "joint_limits:\n  turn: {max_velocty: 1, max_acceleration: 0, has_jerk_limits: true}\n  trun: {}\n";
    write(&folder, "bad.yaml", bad);
    let words = [
        "line 2, joint \"turn\": the key \"max_velocty\" is unknown here; did you mean \"max_velocity\"?",
        "line 3, joint \"trun\": is no such joint of this world; did you mean \"rod/turn\"?",
    ];
    refused(&["--motion", "path.csv", "--limits=bad.yaml"], &words);
    // An output may not be written over the limits.
    refused(&["--motion", "path.csv", "--limits=bad.yaml", "--json", "bad.yaml"], &["bad.yaml"]);
    // What is wrong in a URDF is refused where it is needed, and nowhere else.
    let urdf = std::fs::read_to_string(folder.join("rod.urdf")).unwrap();
    write(&folder, "rod.urdf", &urdf.replace("velocity=\"1\"", "velocity=\"fast\""));
    refused(
        &["--motion", "path.csv", "--limits"],
        &["of the joint \"turn\": velocity=\"fast\" is not a number"],
    );
    let (code, said) = told(&folder, &["--motion", "path.csv"]);
    assert!(code != Some(2), "{said}");
}
