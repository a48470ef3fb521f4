//! Poses by name and by chance: states of SRDFs, joints by name, random ones. And what `info` tells of them.

use crate::support::{folder, gripper, lines, robots, run, text};
use serde_json::Value;

#[test]
fn poses_by_name() {
    let folder = folder("by_name");
    gripper(&folder);
    let ask = |at: &str| {
        let out = run(&folder, &["check", "gripper.toml", "--at", at, "--json", "-"]);
        assert!(matches!(out.status.code(), Some(0 | 1)), "{at}: {}", text(&out.stderr));
        (lines(&out.stdout).remove(0), text(&out.stderr))
    };
    // All ways to say one pose.
    let (values, _) = ask("0.025,0.5");
    for at in [
        "a=0.025,wrist=0.5",
        "wrist = 0.5, gripper/a=0.025",
        "open,wrist=0.5",
        "wrist=0.5,gripper/open",
        "fingers/open, wrist=0.5",
        "gripper/fingers/open,gripper/wrist=0.5",
        // What is named itself outweighs the state.
        "odd,a=0.025,wrist=0.5",
    ] {
        assert_eq!(ask(at).0, values, "{at}");
    }
    let (open, said) = ask("open");
    assert_eq!(open, ask("0.025,0").0);
    assert!(said.contains("note: --at: sample 0: 1 of 2 joint values are not given and are zero"), "{said}");
    assert!(said.contains("gripper/wrist"), "{said}");
    let (_, said) = ask("odd,wrist=0");
    assert!(
        said.contains("state `odd` gives `gripper/b` 0.01, but it follows `gripper/a` and is 0.025"),
        "{said}"
    );

    let info = run(&folder, &["info", "gripper.toml", "--at", "elbow=1"]);
    let words = "no joint value is called `elbow`; there are gripper/a, gripper/wrist";
    assert!(text(&info.stderr).contains(words), "{}", text(&info.stderr));
    // A part of the only name that has it.
    std::fs::write(folder.join("turn.urdf"), crate::support::ROD.replace("turn", "turn_joint")).unwrap();
    let part = run(&folder, &["check", "turn.urdf", "--at", "turn=1"]);
    let words = "no joint value is called `turn`; did you mean \"turn_joint\"?";
    assert!(text(&part.stderr).contains(words), "{}", text(&part.stderr));
    for (at, words) in [
        (
            "opne",
            "`opne` is not a number, and no state of the SRDF is called that (there are open, odd); did you \
             mean \"open\"?",
        ),
        ("b=0.01", "`b` is a mimic joint and follows `gripper/a`: give that one"),
        ("wirst=1", "no joint value is called `wirst`; did you mean \"gripper/wrist\"?"),
        ("rist=1", "no joint value is called `rist`; did you mean \"gripper/wrist\"?"),
        ("elbow=1", "no joint value is called `elbow`; there are gripper/a, gripper/wrist"),
        ("a=0.01,gripper/a=0.02", "`gripper/a` gives `a` a second time"),
        ("a=x", "`x` is not a number"),
        ("a=0.035", "`gripper/b`, which follows `gripper/a`, is 0.035, outside its limits 0 to 0.03"),
        ("open,0.3", "`0.3` is neither joint=value nor the name of a state"),
        ("0.01", "1 value given, but the world has 2: gripper/a, gripper/wrist"),
    ] {
        let out = run(&folder, &["check", "gripper.toml", "--at", at]);
        assert_eq!(out.status.code(), Some(2), "{at}");
        assert!(text(&out.stderr).contains(words), "{at}: {}", text(&out.stderr));
    }
}

#[test]
fn states_of_several_robots() {
    let folder = folder("states_of_two");
    gripper(&folder);
    let two = "[[robot]]\nname = \"l\"\nurdf = \"gripper.urdf\"\n[[robot]]\nname = \"r\"\n\
        urdf = \"gripper.urdf\"\nxyz = [0, 1, 0]\n";
    std::fs::write(folder.join("two.toml"), two).unwrap();
    let ask = |at: &str| run(&folder, &["check", "two.toml", "--at", at, "--json", "-"]);
    let whole = ask("0.025,0,0.025,0.5").stdout;
    assert_eq!(ask("l/open,r/fingers/open,r/wrist=0.5").stdout, whole);
    let out = ask("open");
    let words = "several states are called that: write one of l/fingers/open, r/fingers/open";
    assert!(out.status.code() == Some(2) && text(&out.stderr).contains(words), "{}", text(&out.stderr));
    let out = ask("wrist=1");
    let words = "`wrist` is a joint of several robots: write robot/wrist";
    assert!(out.status.code() == Some(2) && text(&out.stderr).contains(words), "{}", text(&out.stderr));
}

#[test]
fn random_poses_are_within_all_limits() {
    let folder = folder("random");
    gripper(&folder);
    let ask = |seed: &str| {
        let out = run(&folder, &["check", "gripper.toml", "--random", "300", "--seed", seed, "--json", "-"]);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        lines(&out.stdout)
    };
    let poses = ask("7");
    assert_eq!((poses.len(), &poses), (300, &ask("7")));
    assert_ne!(poses, ask("8"));
    let q = |line: &Value, i: usize| line["q"][i].as_f64().unwrap();
    // Not beyond what the mimic joint allows, and over all of it; a whole turn of what turns for ever.
    let of = |i: usize| poses.iter().map(move |line| q(line, i));
    assert!(of(0).all(|a| (0.0..=0.03).contains(&a)) && of(0).any(|a| a < 0.001) && of(0).any(|a| a > 0.029));
    let pi = std::f64::consts::PI;
    assert!(of(1).all(|a| (-pi..=pi).contains(&a)) && of(1).any(|a| a < -3.0) && of(1).any(|a| a > 3.0));
    // The worst of them can be asked again.
    let table = text(&run(&folder, &["check", "gripper.toml", "--random", "300"]).stdout);
    let at = table.lines().find_map(|line| line.trim().strip_prefix("that pose: --at ")).unwrap();
    let again = run(&folder, &["check", "gripper.toml", "--at", at]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    let number = |text: &str| {
        text.split("smallest clearance ").nth(1).map(|rest| rest.split(',').next().unwrap().to_string())
    };
    assert_eq!(number(&table), number(&text(&again.stdout)));
    // They have no order: what is listed are the worst of them, and no minima.
    let mut worst: Vec<(f64, u64)> = ask("1")
        .iter()
        .map(|line| (line["lower"].as_f64().unwrap(), line["sample"].as_u64().unwrap()))
        .collect();
    worst.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (_, listed) = table
        .split_once("\nThe worst samples, worst first (random samples have no order)\n")
        .unwrap_or_else(|| panic!("{table}"));
    let listed: Vec<u64> =
        listed.lines().skip(1).map(|line| line.split_whitespace().next().unwrap().parse().unwrap()).collect();
    assert_eq!(listed, worst.iter().take(10).map(|(_, sample)| *sample).collect::<Vec<_>>(), "{table}");
    run(&folder, &["check", "gripper.toml", "--random", "300", "--report", "page.html"]);
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    for words in ["<h2>Worst samples</h2>", ", random samples sorted by it</h2>", "Large dots are the worst"]
    {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("minima") && !page.contains("Worst moments"));
    // Limits that contradict each other leave nothing to draw.
    let urdf = std::fs::read_to_string(folder.join("gripper.urdf")).unwrap();
    let none = urdf.replace("<mimic joint=\"a\"/>", "<mimic joint=\"a\" offset=\"0.5\"/>");
    std::fs::write(folder.join("gripper.urdf"), none).unwrap();
    let out = run(&folder, &["check", "gripper.toml", "--random", "3"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(
        text(&out.stderr).contains("no pose is within all limits: those of `gripper/a`"),
        "{}",
        text(&out.stderr)
    );
}

#[test]
fn info_tells_what_was_read() {
    let folder = folder("info");
    gripper(&folder);
    let out = run(&folder, &["info", "gripper.toml", "--json", "info.json"]);
    let (table, said) = (text(&out.stdout), text(&out.stderr));
    assert_eq!(out.status.code(), Some(0), "{said}");
    for words in [
        "gripper: 2 joint values, 5 bodies, 4 shapes, ",
        "SRDF: gripper.srdf",
        "package://hand: hand",
        "1 warning (on standard error)",
        "continuous",
        "1 * a",
        "mesh (1 triangle, open)",
        "no shape: not checked",
        "fingers: left, right",
        "open (fingers): a = 0.025, b = 0.025",
        "check --at NAME",
    ] {
        assert!(table.contains(words), "{words}: {table}");
    }
    let info: Value = serde_json::from_slice(&std::fs::read(folder.join("info.json")).unwrap()).unwrap();
    let names: Vec<&str> =
        info["values"].as_array().unwrap().iter().map(|v| v["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["gripper/a", "gripper/wrist"]);
    // What is left of 0.04 by the mimic's own limit, and what is declared.
    assert_eq!(info["values"][0]["upper"], 0.03);
    assert!(info["joints"].as_array().unwrap().iter().any(|j| j["limits"][1] == 0.04));
    assert_eq!(info["robots"][0]["states"][0]["values"]["a"][0], 0.025);
    assert_eq!(info["bodies"][1]["shapes"][0]["closed"], false);
    assert!(info["warnings"][0].as_str().unwrap().contains("ghost"), "{}", info["warnings"]);
    // A value that its mimic refuses names the joint to change.
    let said = text(&run(&folder, &["check", "gripper.toml", "--at", "0.039,0"]).stderr);
    assert!(said.contains("`gripper/b`, which follows `gripper/a`, is 0.039, outside"), "{said}");
}

#[test]
fn info_of_real_robots() {
    let Some(robots) = robots() else { return };
    let out = run(&robots, &["info", "panda_vamp/panda.urdf", "--json", "-"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let info = lines(&out.stdout).remove(0);
    let table = text(&run(&robots, &["info", "panda_vamp/panda.urdf"]).stdout);
    for value in info["values"].as_array().unwrap() {
        let name = value["name"].as_str().unwrap().split_once('/').unwrap().1;
        assert!(table.contains(name), "{name}: {table}");
    }
}

#[test]
fn what_looks_like_a_slip_is_said() {
    let folder = folder("slips");
    let joint = |name: &str, kind: &str, parent: &str, child: &str| {
        format!(
            "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>\
             <axis xyz=\"0 0 1\"/>\
             <limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>"
        )
    };
    let ball = |name: &str| {
        format!(
            "<link name=\"{name}\"><collision><geometry><sphere radius=\"0.1\"/></geometry></collision>\
             </link>"
        )
    };
    let (first, second) = (joint("spin", "continuous", "a", "b"), joint("bend", "revolute", "b", "c"));
    let links = [ball("a"), "<link name=\"b\"/>".into(), ball("c")].concat();
    std::fs::write(folder.join("arm.urdf"), format!("<robot name=\"arm\">{links}{first}{second}</robot>"))
        .unwrap();
    let states = "<robot name=\"arm\"><group name=\"g\"><link name=\"c\"/></group>\
        <group_state name=\"far\" group=\"g\"><joint name=\"bend\" value=\"1.5\"/>\
        <joint name=\"spin\" value=\"2\"/></group_state>\
        <group_state name=\"home\" group=\"g\"><joint name=\"bend\" value=\"1\"/></group_state></robot>";
    std::fs::write(folder.join("arm.srdf"), states).unwrap();
    // A state outside the limits, named as such where states are listed.
    let info = text(&run(&folder, &["info", "arm.urdf"]).stdout);
    assert!(
        info.contains("spin = 2 (outside limits: bend)") && info.matches("outside limits").count() == 1,
        "{info}"
    );
    // Degrees of a joint that takes any angle.
    let said =
        |angle: &str| text(&run(&folder, &["check", "arm.urdf", "--at", &format!("spin={angle}")]).stderr);
    assert!(said("90").contains("warning: `arm/spin` reaches 90.0 rad, 14 turns"), "{}", said("90"));
    assert!(!said("-6.3").contains("turns"));
    // A word where nothing has states.
    let out = run(&folder, &["check", "arm.urdf", "--no-srdf", "--at", "home"]);
    assert!(
        out.status.code() == Some(2) && text(&out.stderr).contains("no SRDF that is used"),
        "{}",
        text(&out.stderr)
    );
}

#[test]
fn angles_that_are_degrees_are_asked_about() {
    let folder = folder("degrees");
    let ask = |rows: &str| {
        std::fs::write(folder.join("m.csv"), format!("turn\n{rows}\n")).unwrap();
        let out = run(&folder, &["check", "rod.urdf", "--motion", "m.csv"]);
        assert_eq!(out.status.code(), Some(2), "{rows}");
        text(&out.stderr)
    };
    let asked = "Are these degrees? As degrees all samples are within the limits. Angles are radians: \
        multiply those of revolute and continuous joints by 0.01745329 (pi / 180). If not, fix the values, \
        or use --ignore-limits";
    let said = ask("0\n-90\n45\n110");
    assert!(said.contains(asked), "{said}");
    let out = run(&folder, &["check", "rod.urdf", "--at", "turn=90"]);
    assert!(text(&out.stderr).contains("Are these degrees? As degrees the sample is within the limits."));
    // Not asked about: an angle beyond its limits in degrees too, radians with another zero, a fault of
    // another kind.
    for rows in ["0\n-90\n120", "0\n2.5\n-2.5", "-3\n6.2", "90\nnan"] {
        let said = ask(rows);
        assert!(!said.contains("degrees"), "{rows}: {said}");
    }
    assert!(ask("0\n-90\n120").contains("Fix the values, or use --ignore-limits"));
}
