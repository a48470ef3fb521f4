//! Motions in time: splines between samples, tolerances about them, and robots with clocks of their own.

use crate::pads;
use crate::support::{PROBE, checked, folder, run, text};
use elbowroom::math::sin_cos;
use serde_json::Value;
use std::path::Path;

/// Where the rod's ball touches the post, and where it is within the margin: at distances of 0.3 and 0.35 m.
fn touch() -> [f64; 2] {
    [0.15_f64, 0.175].map(|half| std::f64::consts::FRAC_PI_2 - 2.0 * half.asin())
}

/// A cubic of a second, by the public formula.
pub fn cubic([p, q]: [f64; 2], [v, w]: [f64; 2], t: f64) -> f64 {
    p + v * t + (3.0 * (q - p) - 2.0 * v - w) * t.powi(2) + (-2.0 * (q - p) + v + w) * t.powi(3)
}

pub fn interval(edge: &Value, key: &str) -> [f64; 2] {
    [0, 1].map(|i| edge[key][i].as_f64().unwrap_or_else(|| panic!("{key}: {edge}")))
}

pub fn write(folder: &Path, name: &str, content: &str) {
    std::fs::write(folder.join(name), content).unwrap();
}

/// From 1 to 1.1 rad in a second: at rest at both ends it stays between; at speed it swings out to 1.29.
#[test]
fn what_swings_out_between_samples_is_found() {
    let folder = folder("splines_swing");
    let motion = |v: f64, w: f64| format!("t,turn,turn/velocity\n5,1,{v}\n6,1.1,{w}\n");
    write(&folder, "calm.csv", &motion(0.0, 0.0));
    write(&folder, "fast.csv", &motion(0.9, -1.0));
    let (code, rows, said) = checked(&folder, "cell.toml", &["--motion", "calm.csv", "--continuous"]);
    assert_eq!((code, &rows[1]["edge"]["verdict"]), (Some(0), &"free".into()), "{said}");
    let (code, rows, said) = checked(&folder, "cell.toml", &["--motion", "fast.csv", "--continuous"]);
    assert_eq!((code, &rows[1]["verdict"]), (Some(1), &"clear".into()), "{said}");
    let edge = &rows[1]["edge"];
    assert_eq!(edge["verdict"], "contact");
    // Before the first time it is apart, at the second it touches: both in seconds of the file.
    let [a, b] = interval(edge, "first_contact_t").map(|t| cubic([1.0, 1.1], [0.9, -1.0], t - 5.0));
    let [contact, _] = touch();
    assert!(a <= contact + 1e-12 && contact <= b + 1e-12 && b - a < 1e-5, "{a} {b} {contact}");
    assert!(said.contains("first contact at") && said.contains("(t = 5."), "{said}");
    // One that swings out less stays apart: its least clearance is where it turns back.
    write(&folder, "dip.csv", &motion(0.55, -0.75));
    let (code, rows, said) = checked(&folder, "cell.toml", &["--motion", "dip.csv", "--continuous"]);
    assert_eq!(code, Some(0), "{said}");
    let (peak, t) = (0..=10_000)
        .map(|k| f64::from(k) * 1e-4)
        .map(|t| (cubic([1.0, 1.1], [0.55, -0.75], t), t))
        .fold((0.0, 0.0), |best: (f64, f64), now| if now.0 > best.0 { now } else { best });
    let clearance = 2.0 * sin_cos(0.5 * (std::f64::consts::FRAC_PI_2 - peak)).0 - 0.3;
    let least = &rows[1]["edge"]["least"];
    let [low, high] = ["lower", "upper"].map(|key| least[key].as_f64().unwrap());
    assert!(low <= clearance + 1e-9 && clearance <= high + 1e-9 && high - low < 0.011 * high, "{least}");
    assert!((least["t"].as_f64().unwrap() - 5.0 - t).abs() < 0.05, "{least} {t}");
    assert!(said.contains("least clearance on all ways that are apart"), "{said}");
    // At samples alone nothing is wrong; a note says that there is more between them.
    let (code, _, said) = checked(&folder, "cell.toml", &["--motion", "fast.csv"]);
    assert_eq!(code, Some(0));
    assert!(said.contains("--continuous asks them"), "{said}");
    // The page draws the pose of the spline.
    let out = run(
        &folder,
        &["check", "cell.toml", "--motion", "fast.csv", "--continuous", "--report", "page.html"],
    );
    assert_eq!(out.status.code(), Some(1));
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(page.contains("t = 5.") && page.contains("First contact between samples"), "{page}");
    // It says which ways are proved, within which tolerance; and draws the least clearance between samples.
    let options = ["check", "cell.toml", "--motion", "dip.csv", "--continuous", "--report", "page.html"];
    let out = run(&folder, &[&options[..], &["--tolerance", "turn=0.01"]].concat());
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    let ways = "on the splines that a controller makes of positions and velocities, each joint within its \
                tolerance of that (rod/turn 0.01 rad)";
    assert!(page.contains(&format!("<dt>between samples<dd>{ways}")), "{page}");
    assert!(page.contains(&format!("<li>Between samples, {ways}, the motion is proved free")), "{page}");
    assert!(page.contains("<h3>Least clearance between samples, on the way from sample 0 to 1: "), "{page}");
}

#[test]
fn a_spline_that_leaves_limits_is_refused_with_its_time() {
    let folder = folder("splines_limits");
    // Back where it was a second ago, from speed -2 to 2: half way it is at -1.9 - 0.5.
    write(&folder, "out.csv", "t,turn,turn/velocity\n0,-1.9,-2\n1,-1.9,2\n2,-1.9,0\n");
    let out = run(&folder, &["check", "cell.toml", "--motion", "out.csv", "--continuous"]);
    assert_eq!(out.status.code(), Some(2));
    let said = text(&out.stderr);
    for words in ["between samples 0 and 1: `rod/turn` is -2.", "outside its limits -2 to 2; t = 0."] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(said.contains("is refused: 1 way between samples is not possible"), "{said}");
    let more = ["check", "cell.toml", "--motion", "out.csv", "--continuous", "--ignore-limits"];
    assert_eq!(run(&folder, &more).status.code(), Some(0));
}

#[test]
fn a_tolerance_is_proved_or_how_much_of_it_is_told() {
    let folder = folder("splines_tolerance");
    write(&folder, "line.csv", "turn\n1\n1.1\n");
    let ask = |tolerance: &str, more: &[&str]| {
        let options = ["--motion", "line.csv", "--continuous", "--tolerance", tolerance];
        checked(&folder, "cell.toml", &[&options[..], more].concat())
    };
    let (code, rows, said) = ask("turn=0.05", &[]);
    assert_eq!((code, &rows[1]["edge"]["verdict"]), (Some(0), &"free".into()), "{said}");
    // Within the margin, but apart.
    let (code, rows, said) = ask("*=0.14", &[]);
    assert_eq!((code, &rows[1]["edge"]["verdict"]), (Some(0), &"near".into()), "{said}");
    let (code, rows, said) = ask("rod/turn=0.3", &["--largest-tolerance"]);
    let edge = &rows[1]["edge"];
    assert_eq!((code, &edge["verdict"], &edge["reason"]), (Some(1), &"unknown".into(), &"tolerance".into()));
    // Up to what is left between the end of the way and the post; the bound on the ball's motion is a lever
    // of 1.1 m where its centre is at 1 m.
    let factor = edge["largest_tolerance"].as_f64().unwrap();
    let true_one = (touch()[0] - 1.1) / 0.3;
    assert!(factor <= true_one && factor > 0.85 * true_one, "{factor} {true_one}");
    assert!(said.contains("each way that is apart without its tolerance is proved apart with"), "{said}");
    // Zero is no tolerance: the answers of today.
    let straight = checked(&folder, "cell.toml", &["--motion", "line.csv", "--continuous"]);
    assert_eq!(ask("turn=0", &[]).1, straight.1);
    for (tolerance, words) in [
        ("trun=0.1", "`trun` is not a joint of this world. did you mean \"rod/turn\"?"),
        ("", "--tolerance names no joint"),
        ("turn=-1", "`-1` is no tolerance of turn: give radians or metres, zero or more"),
        ("turn=nan", "`nan` is no tolerance of turn"),
        ("turn", "`turn` is not joint=value"),
        ("turn=1,rod/turn=2", "`rod/turn` is given a second time"),
    ] {
        let (code, _, said) = ask(tolerance, &[]);
        assert_eq!(code, Some(2), "{tolerance}");
        assert!(said.contains(words), "{words}: {said}");
    }
}

/// The tolerance of an action is used, and outweighed by an option.
#[test]
fn the_tolerance_of_a_trajectory_counts() {
    let folder = folder("splines_path_tolerance");
    let goal = "goal:\n  trajectory:\n    joint_names: [turn]\n    points:\n    - {positions: [1], \
                time_from_start: {sec: 0, nanosec: 0}}\n    - {positions: [1.1], time_from_start: {sec: 1, \
                nanosec: 0}}\n  path_tolerance: [{name: turn, position: 0.3}]\n";
    write(&folder, "goal.yaml", goal);
    let options = ["--motion", "goal.yaml", "--continuous"];
    let (code, rows, said) = checked(&folder, "cell.toml", &options);
    assert_eq!((code, &rows[1]["edge"]["reason"]), (Some(1), &"tolerance".into()), "{said}");
    let (code, ..) = checked(&folder, "cell.toml", &[&options[..], &["--tolerance", "turn=0.01"]].concat());
    assert_eq!(code, Some(0));
}

/// Two balls of 3 cm whose ways cross at (1, 0, 1): both are there after a second, or one comes later.
#[test]
fn robots_go_by_clocks_of_their_own() {
    let folder = folder("splines_clocks");
    write(&folder, "probe.urdf", PROBE);
    let robot =
        |name: &str, place: &str| format!("[[robot]]\nurdf = \"probe.urdf\"\nname = \"{name}\"\n{place}");
    let world = format!(
        "margin = 0\n{}{}",
        robot("left", ""),
        robot("right", "xyz = [1, -1, 0]\nrpy = [0, 0, 1.5707963267948966]\n")
    );
    write(&folder, "two.toml", &world);
    write(&folder, "left.csv", "t,slide\n0,0\n2,2\n");
    write(&folder, "same.csv", "t,slide\n0,0\n0.5,0.5\n2,2\n");
    write(&folder, "late.csv", "t,slide,slide/velocity\n5,0,0\n7,2,0\n");
    let ask = |right: &str, more: &[&str]| {
        let right = format!("right={right}");
        let options = ["--motion", "left=left.csv", "--motion", &right, "--continuous"];
        checked(&folder, "two.toml", &[&options[..], more].concat())
    };
    let (code, rows, said) = ask("same.csv", &[]);
    assert_eq!((code, rows.len()), (Some(1), 3), "{said}");
    let [a, b] = interval(&rows[2]["edge"], "first_contact_t");
    let contact = 1.0 - 0.06 / std::f64::consts::SQRT_2;
    assert!(a <= contact + 1e-12 && contact <= b + 1e-12 && b - a < 1e-5, "{a} {b} {contact}");
    // The right one waits until the left one is past.
    let (code, rows, said) = ask("late.csv", &[]);
    assert_eq!(code, Some(0), "{said}");
    let times: Vec<f64> = rows.iter().map(|row| row["t"].as_f64().unwrap()).collect();
    assert_eq!(times, [0.0, 2.0, 5.0, 7.0]);
    assert!(rows.iter().skip(1).all(|row| row["edge"]["verdict"] == "free"));
    // Times count from the stamps of headers: 96 and 100 s, and both begin at once without them.
    let stamped = |sec: u32| {
        format!(
            "header: {{stamp: {{sec: {sec}, nanosec: 0}}}}\njoint_names: [slide]\npoints:\n\
             - {{positions: [0], time_from_start: 0}}\n- {{positions: [2], time_from_start: 2}}\n"
        )
    };
    write(&folder, "early.yaml", &stamped(96));
    write(&folder, "later.yaml", &stamped(100));
    let both = |left: &str, right: &str| {
        let (left, right) = (format!("left={left}"), format!("right={right}"));
        checked(&folder, "two.toml", &["--motion", &left, "--motion", &right, "--continuous"])
    };
    assert_eq!(both("early.yaml", "early.yaml").0, Some(1));
    assert_eq!(both("early.yaml", "later.yaml").0, Some(0));
    let (code, _, said) = both("left.csv", "later.yaml");
    assert!(code == Some(2) && said.contains("give both a stamp, or none"), "{said}");
    write(&folder, "bare.csv", "slide\n0\n");
    for (options, words) in [
        (&["--motion", "left=left.csv", "--motion", "late.csv"][..], "each says whose it is: ROBOT=FILE"),
        (&["--motion", "lift=left.csv"], "no robot is called `lift`; there are left, right"),
        (&["--motion", "left=left.csv", "--motion", "left=late.csv"], "left has a motion already"),
        (&["--motion", "left=bare.csv"], "has no times: motions of several files go by their times"),
    ] {
        let (code, _, said) = checked(&folder, "two.toml", options);
        assert_eq!(code, Some(2), "{options:?}");
        assert!(said.contains(words), "{words}: {said}");
    }
    // One alone: the other stays where it is, which is said.
    let (code, _, said) = checked(&folder, "two.toml", &["--motion", "left=left.csv", "--continuous"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("right has no motion and stays at its zero pose"), "{said}");
}

/// Two balls of 3 cm on crossing ways, one behind the other: as the times say they pass each other, and if
/// clocks are wrong by enough they meet.
#[test]
fn wrong_clocks_matter_between_robots_alone() {
    let folder = folder("splines_clock_error");
    write(&folder, "probe.urdf", PROBE);
    let robot =
        |name: &str, place: &str| format!("[[robot]]\nurdf = \"probe.urdf\"\nname = \"{name}\"\n{place}");
    let right = robot("right", "xyz = [1, -1, 0]\nrpy = [0, 0, 1.5707963267948966]\n");
    // A post beside the way of the left one, 1 cm from its ball at one instant.
    let post =
        "[[obstacle]]\nname = \"post\"\nxyz = [1.5, 0.14, 1]\nshape = { type = \"sphere\", radius = 0.1 }\n";
    write(&folder, "two.toml", &format!("margin = 0\n{}{right}{post}", robot("left", "")));
    write(&folder, "one.toml", &format!("margin = 0\n{}{post}", robot("left", "")));
    // Both at 1 m/s; the right one is at the crossing 0.3 s later. Wrong by e each, they come as near as
    // (0.3 - 2 e) / sqrt 2, and touch at 0.06: from e = 0.1076 s on.
    let rows = |late: f64| {
        (0..=40).fold(String::from("t,left/slide,right/slide\n"), |text, k| {
            let t = 0.05 * f64::from(k);
            text + &format!("{t},{t},{}\n", t - late)
        })
    };
    write(&folder, "two.csv", &rows(0.3));
    let ask = |world: &str, motion: &str, seconds: &str| {
        checked(&folder, world, &["--motion", motion, "--continuous", "--time-tolerance", seconds])
    };
    assert_eq!(ask("two.toml", "two.csv", "0.05").0, Some(0));
    let (code, rows, said) = ask("two.toml", "two.csv", "0.11");
    assert_eq!(code, Some(1), "{said}");
    let bad: Vec<_> = rows.iter().filter(|row| row["edge"]["reason"] == "clocks").collect();
    assert!(!bad.is_empty() && bad.iter().all(|row| row["edge"]["verdict"] == "unknown"), "{said}");
    let robots: [Value; 2] = ["left/probe".into(), "right/probe".into()];
    assert!(bad.iter().all(|row| row["edge"]["pair"].as_array().unwrap()[..] == robots), "{said}");
    // A hold is such an error: the left one stops before the crossing and is late from there on. What was
    // proved holds of its motion with the hold, and one that is long enough ends in contact.
    let held = |hold: f64| {
        let text = (0..=40).fold(String::from("t,left/slide,right/slide\n"), |text, k| {
            let t = 0.05 * f64::from(k);
            let left = if t < 0.5 { t } else { (t - hold).max(0.5) };
            text + &format!("{t},{left},{}\n", t - 0.3)
        });
        write(&folder, "held.csv", &text);
        checked(&folder, "two.toml", &["--motion", "held.csv", "--continuous"]).0
    };
    assert_eq!([held(0.0), held(0.05), held(0.25)], [Some(0), Some(0), Some(1)]);
    // One robot passes what it passes, however late it is.
    write(&folder, "one.csv", "t,slide\n0,0\n2,2\n");
    let (code, _, said) = ask("one.toml", "one.csv", "1");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("--time-tolerance is between robots, and there is one"), "{said}");
    write(&folder, "bare.csv", "left/slide,right/slide\n0,0\n2,2\n");
    let (code, _, said) = ask("two.toml", "bare.csv", "1");
    assert!(code == Some(2) && said.contains("needs a motion with times"), "{said}");
}

/// A rod presses its pad on a post, and a probe was where the rod comes to a second earlier. What presses a
/// pad is asked with wrong clocks too.
#[test]
fn wrong_clocks_count_where_pads_are_pressed() {
    let folder = folder("splines_pads_clocks");
    write(&folder, "probe.urdf", PROBE);
    pads::write_world(&folder, "[[robot]]\nurdf = \"probe.urdf\"\nname = \"probe\"\nxyz = [0.2, 0.82, -1]\n");
    write(&folder, "press.csv", "t,turn,slide\n0,0,0\n1,0,1\n2,1.28,2\n");
    let ask = |seconds: &str| {
        let options = ["--motion", "press.csv", "--continuous", "--time-tolerance", seconds];
        checked(&folder, "pads.toml", &options)
    };
    let (code, rows, said) = ask("0.05");
    assert_eq!((code, &rows[2]["edge"]["verdict"]), (Some(0), &"expected_contact".into()), "{said}");
    let (code, rows, said) = ask("1");
    let edge = &rows[2]["edge"];
    assert_eq!(
        (code, &edge["verdict"], &edge["reason"]),
        (Some(1), &"unknown".into(), &"clocks".into()),
        "{said}"
    );
}

/// A factor of a tolerance is no word about a way that touches without one.
#[test]
fn a_factor_is_not_told_of_ways_that_touch() {
    let folder = folder("splines_factor");
    write(&folder, "both.csv", "turn\n1\n1.1\n1.4\n");
    let options = ["--motion", "both.csv", "--continuous", "--tolerance", "turn=0.3", "--largest-tolerance"];
    let (code, rows, said) = checked(&folder, "cell.toml", &options);
    let verdicts: Vec<&Value> = rows.iter().skip(1).map(|row| &row["edge"]["verdict"]).collect();
    assert_eq!((code, verdicts), (Some(1), vec![&"unknown".into(), &"contact".into()]), "{said}");
    assert!(said.contains("each way that is apart without its tolerance is proved apart with"), "{said}");
    assert!(!said.contains("every way is proved"), "{said}");
}
