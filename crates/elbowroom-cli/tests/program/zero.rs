//! Robots that overlap themselves at the zero pose and have no SRDF: what the program says to do, and the
//! option that leaves such pairs out.

use crate::support::{folder, lines, run, text};
use serde_json::Value;
use std::path::Path;

/// A wrist: two moving joints with a link without shapes between them, at whose ends shapes overlap; and a
/// tool that overlaps the base at zero though links with shapes are between.
fn wrist() -> String {
    wrist_with(0.0)
}

/// A [`wrist`] with the hand's shape at a place along it (metres): at -0.29 it overlaps the arm at zero, and
/// not where bent.
fn wrist_with(hand: f64) -> String {
    let link = |name: &str, x: f64, radius: f64| {
        format!(
            "<link name=\"{name}\"><collision><origin xyz=\"{x} 0 0\"/><geometry>\
             <sphere radius=\"{radius}\"/></geometry>\
             </collision></link>"
        )
    };
    let joint = |name: &str, parent: &str, child: &str, x: f64| {
        format!(
            "<joint name=\"{name}\" type=\"revolute\"><parent link=\"{parent}\"/><child link=\"{child}\"/>\
             <origin xyz=\"{x} 0 0\"/><axis xyz=\"0 0 1\"/>\
             <limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>"
        )
    };
    format!(
        "<robot name=\"wrist\">{}{}<link name=\"cross\"/>{}{}{}{}{}{}</robot>",
        link("base", 0.0, 0.1),
        link("arm", 0.0, 0.1),
        link("hand", hand, 0.1),
        link("tool", -0.5, 0.1),
        joint("j1", "base", "arm", 0.5),
        joint("j2", "arm", "cross", 0.05),
        joint("j3", "cross", "hand", 0.05),
        joint("j4", "hand", "tool", 0.0),
    )
}

#[test]
fn what_to_do_is_said() {
    let folder = folder("hint");
    let robots = folder.join("robots");
    for place in ["robots", "srdf", "wrist_moveit/config"] {
        std::fs::create_dir_all(folder.join(place)).unwrap();
    }
    for stale in ["robots/wrist.srdf", "srdf/ours.srdf", "wrist_moveit/config/wrist.srdf"] {
        let _ = std::fs::remove_file(folder.join(stale));
    }
    std::fs::write(robots.join("wrist.urdf"), wrist()).unwrap();
    let said = |arguments: &[&str]| text(&run(&robots, arguments).stderr);
    let hint = said(&["check", "wrist.urdf"]);
    assert!(hint.contains("hint: 2 pairs of links of `wrist` overlap at the zero pose"), "{hint}");
    assert!(hint.contains("elbowroom pairs wrist.urdf --prove --srdf-out wrist.srdf"), "{hint}");
    let words =
        "or leave out 1 of them, which have only links without shapes between them: --allow-zero-overlaps";
    assert!(hint.contains(words) && !hint.contains("found nearby"), "{hint}");
    // SRDFs of this robot are found where packages keep them, those of others are not.
    std::fs::write(folder.join("srdf/ours.srdf"), "<robot name=\"wrist\"/>").unwrap();
    std::fs::write(folder.join("srdf/other.srdf"), "<robot name=\"other\"/>").unwrap();
    std::fs::write(folder.join("wrist_moveit/config/wrist.srdf"), "<robot name=\"wrist\"/>").unwrap();
    let from_above = text(&run(&folder, &["check", "robots/wrist.urdf"]).stderr);
    assert!(from_above.contains(": srdf/ours.srdf, wrist_moveit/config/wrist.srdf"), "{from_above}");
    let info = |at: &Path, arguments: &[&str]| text(&run(at, &[&["info"], arguments].concat()).stdout);
    let nearby =
        "\nSRDFs of wrist found nearby (--srdf FILE): srdf/ours.srdf, wrist_moveit/config/wrist.srdf\n";
    let told = info(&folder, &["robots/wrist.urdf"]);
    assert!(told.contains(nearby), "{told}");
    for arguments in
        [&["robots/wrist.urdf", "--no-srdf"][..], &["robots/wrist.urdf", "--srdf", "srdf/ours.srdf"]]
    {
        assert!(!info(&folder, arguments).contains("nearby"), "{arguments:?}");
    }
    std::fs::write(folder.join("wrist.toml"), "[[robot]]\nurdf = \"robots/wrist.urdf\"\n").unwrap();
    let told = info(&folder, &["wrist.toml"]);
    assert!(told.contains("found nearby (srdf = \"...\" in the world file): srdf/ours.srdf"), "{told}");
    let hint = said(&["check", "wrist.urdf"]);
    assert!(hint.contains("../srdf/ours.srdf") && hint.contains("wrist_moveit/config/wrist.srdf"), "{hint}");
    assert!(!hint.contains("other.srdf"), "{hint}");
    // What it says to do works, and is then no longer said.
    let words = hint.lines().find_map(|line| line.split_once("elbowroom pairs ")).unwrap().1;
    let arguments: Vec<&str> = std::iter::once("pairs").chain(words.split(' ')).collect();
    assert_eq!(run(&robots, &arguments).status.code(), Some(0), "{arguments:?}");
    // Links far apart along the robot collide at zero: no line that would switch that off.
    let left = said(&["check", "wrist.urdf"]);
    assert!(!left.contains("no SRDF says") && !left.contains("<disable_collisions"), "{left}");
    let words = "hint: 1 pair of links of `wrist` overlaps at the zero pose and is far apart along the \
        robot: probably a real collision there (base - tool)";
    assert!(left.contains(words), "{left}");
    // Nor of a motion that collides elsewhere only.
    std::fs::remove_file(robots.join("wrist.srdf")).unwrap();
    let folder = crate::support::folder("no_hint");
    let out = run(&folder, &["check", "cell.toml", "--at", "1.5"]);
    assert!(out.status.code() == Some(1) && !text(&out.stderr).contains("hint:"), "{}", text(&out.stderr));
}

#[test]
fn links_that_are_apart_at_the_samples_are_not_spoken_of() {
    let folder = folder("apart");
    std::fs::write(folder.join("wrist.urdf"), wrist()).unwrap();
    std::fs::write(folder.join("scan.xyz"), "0.5 0 0\n").unwrap();
    let said = |joints: &str, more: &[&str]| {
        let out = run(&folder, &[&["check", "wrist.urdf", "--at", joints], more].concat());
        (out.status.code(), text(&out.stderr))
    };
    // Only the cloud collides, with the arm, though two pairs of links overlap at zero.
    let allowed = ["--cloud", "scan.xyz", "--allow-zero-overlaps"];
    let (code, told) = said("j4=0.5", &allowed);
    assert!(code == Some(1) && told.contains("world/scan") && !told.contains("hint:"), "{told}");
    // The cloud overlaps deeper than the links do, and both collide.
    let deep = [&allowed[..], &["--cloud-radius", "0.5"]].concat();
    let (code, told) = said("j4=0", &deep);
    assert!(code == Some(1) && told.contains("world/scan") && told.contains("hint: 1 pair"), "{told}");
}

#[test]
fn only_neighbours_are_given_lines_that_disable_them() {
    let folder = folder("left");
    std::fs::write(folder.join("wrist.urdf"), wrist_with(-0.29)).unwrap();
    let _ = std::fs::remove_file(folder.join("wrist.srdf"));
    let proved = ["pairs", "wrist.urdf", "--prove", "--srdf-out", "wrist.srdf"];
    assert_eq!(run(&folder, &proved).status.code(), Some(0));
    let said = || text(&run(&folder, &["check", "wrist.urdf"]).stderr);
    let left = said();
    let lines: Vec<&str> = left.lines().filter(|line| line.contains("<disable_collisions")).collect();
    let line = "<disable_collisions link1=\"arm\" link2=\"hand\" reason=\"User\"/>";
    assert_eq!(lines.iter().map(|line| line.trim()).collect::<Vec<_>>(), [line], "{left}");
    let words = "hint: 1 more pair overlaps at the zero pose and is far apart along the robot: probably a \
        real collision there (base - tool)";
    assert!(left.contains("hint: 1 pair of neighbouring links of `wrist` overlaps"), "{left}");
    assert!(left.contains(words), "{left}");
    // The lines work, and what collides still does.
    let srdf = folder.join("wrist.srdf");
    let written = std::fs::read_to_string(&srdf).unwrap();
    std::fs::write(&srdf, written.replace("</robot>", &format!("{}</robot>", lines.concat()))).unwrap();
    let out = run(&folder, &["check", "wrist.urdf"]);
    let left = text(&out.stderr);
    assert!(!left.contains("neighbouring") && left.contains("(base - tool)"), "{left}");
    assert_eq!(out.status.code(), Some(1));
}

#[test]
fn many_collisions_at_zero_are_listed_by_a_command() {
    let folder = folder("folded");
    // A chain of links on one spot: all that are not neighbours collide.
    let link = |i: usize| {
        format!(
            "<link name=\"l{i}\"><collision><geometry><sphere radius=\"0.1\"/></geometry></collision></link>"
        )
    };
    let joint = |i: usize| {
        format!(
            "<joint name=\"j{i}\" type=\"revolute\"><parent link=\"l{i}\"/><child link=\"l{}\"/>\
             <axis xyz=\"0 0 1\"/>\
             <origin xyz=\"0.01 0 0\"/><limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>",
            i + 1
        )
    };
    let parts: String = (0..6).map(link).chain((0..5).map(joint)).collect();
    std::fs::write(folder.join("a chain.urdf"), format!("<robot name=\"chain\">{parts}</robot>")).unwrap();
    let srdf =
        "<robot name=\"chain\"><disable_collisions link1=\"l0\" link2=\"l5\" reason=\"User\"/></robot>";
    std::fs::write(folder.join("mine.srdf"), srdf).unwrap();
    let out = run(&folder, &["check", "a chain.urdf", "--srdf", "mine.srdf", "--padding", "0.001"]);
    let said = text(&out.stderr);
    assert!(said.contains("hint: 9 pairs of links of `chain` overlap") && said.contains(", ...)"), "{said}");
    assert!(!said.contains("<disable_collisions"), "{said}");
    let words = "elbowroom check 'a chain.urdf' --srdf mine.srdf --padding 0.001 --all-pairs --json -";
    assert!(said.contains(words), "{said}");
    let arguments = ["check", "a chain.urdf", "--srdf", "mine.srdf", "--all-pairs", "--json", "-"];
    let line = lines(&run(&folder, &arguments).stdout).remove(0);
    let hit = line["pairs"].as_array().unwrap().iter().filter(|pair| pair["verdict"] == "collision").count();
    assert_eq!(hit, 9);
}

#[test]
fn overlaps_at_zero_are_allowed_where_only_links_without_shapes_are_between() {
    let folder = folder("zero");
    std::fs::write(folder.join("wrist.urdf"), wrist()).unwrap();
    let check = |more: &[&str]| run(&folder, &[&["check", "wrist.urdf", "--json", "-"], more].concat());
    let count =
        |out: &std::process::Output| lines(&out.stdout).remove(0)["counts"]["pairs"].as_u64().unwrap();
    let (plain, allowed) = (check(&[]), check(&["--allow-zero-overlaps"]));
    assert_eq!(count(&plain) - count(&allowed), 1);
    // The tool and the base still collide.
    assert_eq!(allowed.status.code(), Some(1));
    let line = lines(&allowed.stdout).remove(0);
    assert_eq!((&line["zero_overlaps"], &line["pair"][0]), (&1.into(), &"wrist/base".into()), "{line}");
    assert!(lines(&plain.stdout)[0].get("zero_overlaps").is_none());
    let pairs = lines(&run(&folder, &["pairs", "wrist.urdf", "--allow-zero-overlaps", "--json", "-"]).stdout);
    let why = |a: &str, b: &str| {
        let pair = pairs
            .iter()
            .find(|p| p["pair"] == serde_json::json!([format!("wrist/{a}"), format!("wrist/{b}")]));
        pair.unwrap()["why"].clone()
    };
    assert_eq!((why("arm", "hand"), why("base", "tool")), ("zero_overlap".into(), Value::Null));
    // It is named in every answer.
    let out = run(&folder, &["check", "wrist.urdf", "--allow-zero-overlaps", "--report", "page.html"]);
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    for shown in [text(&out.stdout), text(&out.stderr), page] {
        assert!(shown.contains("--allow-zero-overlaps") && shown.contains("1 pair"), "{shown}");
    }
    assert!(text(&out.stderr).contains("wrist/arm - wrist/hand"), "{}", text(&out.stderr));
    // Proofs are of all pairs.
    let out = run(&folder, &["pairs", "wrist.urdf", "--allow-zero-overlaps", "--prove"]);
    assert_eq!(out.status.code(), Some(2));
}

#[test]
fn what_people_wrote_into_an_srdf_is_kept_with_the_proofs() {
    let folder = folder("kept");
    std::fs::write(folder.join("wrist.urdf"), wrist()).unwrap();
    let ours = "<robot name=\"wrist\"><group name=\"end\"><link name=\"hand\"/><link name=\"tool\"/></group>\
        <group_state name=\"bent\" group=\"end\"><joint name=\"j4\" value=\"0.5\"/></group_state>\
        <disable_collisions link1=\"base\" link2=\"tool\" reason=\"Default\"/>\
        <disable_collisions link1=\"arm\" link2=\"tool\" reason=\"Never\"/></robot>";
    std::fs::write(folder.join("ours.srdf"), ours).unwrap();
    let proved = ["pairs", "wrist.urdf", "--srdf", "ours.srdf", "--prove", "--srdf-out", "proved.srdf"];
    assert_eq!(run(&folder, &proved).status.code(), Some(0));
    let written = std::fs::read_to_string(folder.join("proved.srdf")).unwrap();
    // What a person decided stays, though base and tool overlap in a part of the range; a claim is proved, or
    // it goes.
    assert!(written.contains("link1=\"base\" link2=\"tool\" reason=\"Default\""), "{written}");
    let claim = written.lines().find(|line| line.contains("link1=\"arm\" link2=\"tool\""));
    assert!(claim.is_none_or(|line| line.contains("boxes") || line.contains("at least")), "{written}");
    let ask = ["check", "wrist.urdf", "--srdf", "proved.srdf", "--at", "bent", "--json", "-"];
    let out = run(&folder, &ask);
    assert!(matches!(out.status.code(), Some(0 | 1)), "{}", text(&out.stderr));
    assert!(!text(&out.stderr).contains("hint:"), "{}", text(&out.stderr));
    // Groups as well.
    let out = run(&folder, &["info", "wrist.urdf", "--srdf", "proved.srdf"]);
    assert!(text(&out.stdout).contains("end") && text(&out.stdout).contains("bent"), "{}", text(&out.stdout));
}

#[test]
fn what_mimics_leave_is_told() {
    let folder = folder("narrowed");
    let follower = "<joint name=\"j5\" type=\"revolute\"><parent link=\"base\"/><child link=\"flap\"/>\
        <axis xyz=\"0 0 1\"/>\
        <limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"1\"/><mimic joint=\"j1\" multiplier=\"UP\"/>\
        </joint><link name=\"flap\"/>";
    let say = |multiplier: &str, low: &str| {
        let robot = wrist().replace("</robot>", &format!("{}</robot>", follower.replace("UP", multiplier)));
        let robot = robot.replacen("lower=\"-1\"", &format!("lower=\"{low}\""), 1);
        std::fs::write(folder.join("flap.urdf"), robot).unwrap();
        text(&run(&folder, &["info", "flap.urdf"]).stderr)
    };
    let told = say("-1", "0");
    assert!(told.contains("wrist/j1 0 to 0 instead of 0 to 1"), "{told}");
    let told = say("-1", "0.5");
    assert!(told.contains("wrist/j1 no value at all"), "{told}");
    let told = say("1", "0");
    assert!(!told.contains("leave little"), "{told}");
}
