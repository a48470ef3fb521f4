//! Worlds that change while they are checked: `--place`, `--attach`, `--hide`, and the events of a motion.

mod refused;

use crate::support::{checked, lines, run, text, without_command};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// An arm that turns about z and lifts along it. A box at the height of 1 m reaches from x = 0.1 to x = 0.9;
/// the tool is a ball of 5 cm at x = 1, 20 cm below it where the lift is at zero.
const ARM: &str = r#"<robot name="arm">
  <link name="base"/>
  <link name="boom"><collision>
    <origin xyz="0.5 0 1"/><geometry><box size="0.8 0.1 0.1"/></geometry></collision></link>
  <link name="tool"><collision>
    <origin xyz="1 0 0.8"/><geometry><sphere radius="0.05"/></geometry></collision></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="boom"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
  <joint name="lift" type="prismatic"><parent link="boom"/><child link="tool"/><axis xyz="0 0 1"/>
    <limit lower="-0.5" upper="0" effort="1" velocity="1"/></joint>
</robot>"#;

/// A part of 10 cm stands on a table below the tool. A wall of 60 cm stands a quarter turn from there: the
/// tool passes over it with the lift at -0.1, and what it holds does not.
const CELL: &str = r#"[[robot]]
urdf = "arm.urdf"
[[obstacle]]
name = "table"
xyz = [1, 0, 0.19]
shape = { type = "box", size = [0.3, 0.3, 0.3] }
[[obstacle]]
name = "wall"
xyz = [0, 1, 0.3]
shape = { type = "box", size = [0.2, 0.2, 0.6] }
[[obstacle]]
name = "part"
movable = true
xyz = [1, 0, 0.4]
shape = { type = "box", size = [0.1, 0.1, 0.1] }
[[obstacle]]
name = "lid"
movable = true
attached_to = "world/part"
xyz = [0, 0, -0.3]
shape = { type = "sphere", radius = 0.01 }
"#;

/// Picks the part up, swings it over the wall, lets it go there, and comes back to both places.
const PICK: &str = r#"{"t": 0, "q": [0, 0]}
{"t": 1, "q": [0, -0.295]}
{"t": 1, "attach": {"name": "part", "attached_to": "arm/tool"}}
{"t": 2, "q": [0, -0.1]}
{"t": 3, "q": [2.5, -0.1]}
{"detach": {"name": "world/part"}}
{"t": 4, "q": [2.5, 0]}
{"t": 5, "q": {"turn": 0, "lift": -0.32}}
{"t": 6, "q": [2.5, -0.15]}
"#;

/// A folder with the arm, its cell and the motion; the lid is out of the way unless it is asked for.
fn folder(test: &str) -> PathBuf {
    let folder = crate::support::folder(test);
    std::fs::write(folder.join("arm.urdf"), ARM).unwrap();
    let (bare, _) = CELL.split_once("[[obstacle]]\nname = \"lid\"").unwrap();
    std::fs::write(folder.join("pick.toml"), bare).unwrap();
    std::fs::write(folder.join("lid.toml"), CELL).unwrap();
    std::fs::write(folder.join("pick.jsonl"), PICK).unwrap();
    folder
}

fn check(folder: &Path, more: &[&str]) -> (Option<i32>, Vec<Value>, String) {
    checked(folder, "pick.toml", more)
}

fn verdicts(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| line["verdict"].as_str().unwrap()).collect()
}

#[test]
fn a_part_is_picked_up_and_placed() {
    let folder = folder("pick");
    let (code, lines, said) = check(&folder, &["--motion", "pick.jsonl"]);
    assert_eq!(code, Some(1), "{said}");
    // Only the last sample collides: the part was left below the tool there, and is gone from the table.
    assert_eq!(
        verdicts(&lines),
        ["clear", "clear", "clear", "clear", "clear", "clear", "collision"],
        "{said}"
    );
    let pairs: Vec<[&str; 2]> =
        lines.iter().map(|l| [0, 1].map(|i| l["pair"][i].as_str().unwrap_or("-"))).collect();
    assert_eq!(pairs[1], ["arm/tool", "world/part"]);
    // It stands 2.5 cm above the table's top while the tool holds it, 19.5 cm up, minus the gap below it.
    assert_eq!(pairs[2], ["world/table", "world/part"], "{pairs:?}");
    assert!((lines[2]["distance"].as_f64().unwrap() - 0.205).abs() < 1e-6, "{}", lines[2]);
    assert_eq!(pairs[6], ["arm/tool", "world/part"]);
    assert!((lines[6]["distance"].as_f64().unwrap() + 0.045).abs() < 1e-6, "{}", lines[6]);
    let events: Vec<&Value> = lines.iter().map(|line| &line["events"]).collect();
    assert_eq!(events[2][0]["attach"]["attached_to"], "arm/tool");
    assert_eq!(events[4][0]["detach"]["name"], "world/part");
    assert!([0, 1, 3, 5, 6].iter().all(|i| events[*i].is_null()), "{events:?}");
    // What is checked follows: the part against the fixed ones while it is held, not when it rests.
    let counts: Vec<u64> = lines.iter().map(|line| line["counts"]["pairs"].as_u64().unwrap()).collect();
    assert_eq!(counts, [6, 6, 7, 7, 6, 6, 6]);
    let words = "changes after sample 1 (t = 1 s): part attached to arm/tool; after sample 3 (t = 3 s): \
        part detached";
    assert!(said.lines().last().unwrap().contains(words), "{said}");
    let table = text(&run(&folder, &["check", "pick.toml", "--motion", "pick.jsonl"]).stdout);
    assert!(table.contains(&format!("\n{words}\n")), "{table}");
    // The page draws the part where it is, and names who carries it.
    let page = |more: &[&str]| {
        run(&folder, &[&["check", "pick.toml", "--report", "page.html"], more].concat());
        std::fs::read_to_string(folder.join("page.html")).unwrap()
    };
    let of_motion = page(&["--motion", "pick.jsonl"]);
    assert!(of_motion.contains("<dt>changes<dd>after sample 1 (t = 1 s): part attached to arm/tool"));
    let held = page(&["--at", "0,0", "--attach", "part=arm/tool"]);
    assert!(held.contains("arm/tool carries part.") && !of_motion.contains("arm/tool carries"));
    let hidden = page(&["--at", "0,0", "--hide", "part"]);
    assert!(hidden.contains("part is hidden.") && hidden != held);
}

#[test]
fn of_many_changes_the_summary_names_the_first_and_json_all() {
    let folder = folder("many");
    let flicker = "{\"hide\": {\"name\": \"part\"}}\n{\"show\": {\"name\": \"part\"}}\n".repeat(5);
    std::fs::write(folder.join("many.jsonl"), format!("{flicker}{{\"q\": [0, 0]}}\n")).unwrap();
    let (_, lines, said) = check(&folder, &["--motion", "many.jsonl"]);
    let words = "part hidden, part shown; and 2 more changes (all are in `events` of --json); ";
    assert!(said.contains(words), "{said}");
    assert_eq!(lines[0]["events"].as_array().unwrap().len(), 10);
}

#[test]
fn what_is_held_meets_what_stands_between_samples() {
    let folder = folder("held_between");
    let bare: String =
        PICK.lines().filter(|line| line.contains("\"q\"")).map(|line| format!("{line}\n")).collect();
    std::fs::write(folder.join("bare.jsonl"), bare).unwrap();
    let (_, lines, said) = check(&folder, &["--motion", "bare.jsonl", "--continuous"]);
    assert_eq!(lines[3]["edge"]["verdict"], "free", "{said}");
    let (code, lines, said) = check(&folder, &["--motion", "pick.jsonl", "--continuous"]);
    assert_eq!((code, &lines[3]["verdict"]), (Some(1), &"clear".into()), "{said}");
    let edge = &lines[3]["edge"];
    assert_eq!(
        (&edge["verdict"], &edge["pair"]),
        (&"contact".into(), &serde_json::json!(["world/wall", "world/part"]))
    );
    // The part's corner is at 0.05 m across and 1.05 m out where it meets the wall's side, 10 cm before its
    // middle: between the angles at which that can be.
    let first = [0, 1].map(|i| 2.5 * edge["first_contact"][i].as_f64().unwrap());
    assert!(1.3 < first[0] && first[1] < 1.5, "{first:?}");
    // The way back is asked with the part let go.
    assert!([4, 5].iter().all(|i| lines[*i]["edge"]["verdict"] == "free"), "{said}");
    // The part carries the lid. The lid stands in the table, and this pair is checked as soon as a link
    // carries the part.
    let ask = |more: &[&str]| {
        let out = run(&folder, &[&["check", "lid.toml", "--at", "1.57,0", "--json", "-"], more].concat());
        crate::support::lines(&out.stdout)[0].clone()
    };
    assert_eq!(ask(&[])["verdict"], "clear");
    let line = ask(&["--attach", "part=arm/tool"]);
    assert_eq!((&line["verdict"], &line["pair"][1]), (&"collision".into(), &"world/lid".into()), "{line}");
}

#[test]
fn what_changes_behind_the_last_sample_is_judged_at_its_pose() {
    let folder = folder("after");
    let mut last = Vec::new();
    // The tool is 20 cm above the place to which the part is put, or in it.
    for (z, verdict, code) in [(0.4, "clear", Some(0)), (0.8, "collision", Some(1))] {
        let motion = format!(
            "{{\"q\": [0.5, 0]}}\n{{\"q\": [0, 0]}}\n{{\"hide\": {{\"name\": \"part\"}}}}\n\
             {{\"show\": {{\"name\": \"part\"}}}}\n{{\"place\": {{\"name\": \"part\", \"xyz\": [1, 0, {z}]\
             }}}}\n"
        );
        std::fs::write(folder.join("after.jsonl"), motion).unwrap();
        for more in [&[][..], &["--ask", "test"], &["--continuous", "--all-pairs", "--report", "page.html"]] {
            let (found, lines, said) = check(&folder, &[&["--motion", "after.jsonl"], more].concat());
            assert_eq!((found, verdicts(&lines)), (code, vec!["clear", "clear"]), "{more:?}: {said}");
            let after = &lines[1]["after"];
            assert!(after["verdict"] == verdict && lines[0]["after"].is_null(), "{more:?}: {}", lines[1]);
            assert_eq!(after["events"].as_array().unwrap().len(), 3);
            let pair = serde_json::json!(["arm/tool", "world/part"]);
            assert!(more.first() == Some(&"--ask") || after["pair"] == pair, "{after}");
            let words = format!("part placed; at the last pose after the last change: {verdict}, ");
            assert!(
                said.contains(&words) && said.contains("after sample 1, the last: part hidden"),
                "{said}"
            );
            last.push(after["distance"].clone());
        }
        let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
        assert_eq!(
            page.contains("<p class=\"headline collision\">Collision after the last sample</p>"),
            z > 0.5
        );
        assert_eq!(page.contains("Proved clear at all 2 samples"), z < 0.5);
        let table = text(&run(&folder, &["check", "pick.toml", "--motion", "after.jsonl"]).stdout);
        assert!(table.contains(&format!("\nat the last pose after the last change: {verdict}, ")), "{table}");
    }
    let last: Vec<Option<f64>> = last.iter().map(|distance| distance.as_f64()).collect();
    assert!((last[0].unwrap() - 0.3).abs() < 1e-9 && last[1].is_none() && last[0] == last[2], "{last:?}");
    assert!(last[3].unwrap() < -0.05, "{last:?}");
}

#[test]
fn pairs_that_are_named_but_rest_are_warned_of() {
    let folder = folder("resting");
    let named = |checks: &str| {
        let cell = std::fs::read_to_string(folder.join("pick.toml")).unwrap();
        std::fs::write(folder.join("named.toml"), format!("checks = {checks}\n{cell}")).unwrap();
        ["check", "pairs", "info"].map(|command| text(&run(&folder, &[command, "named.toml"]).stderr))
    };
    for said in named(r#"[["*", "*"], ["world/table", "world/part"], ["world/wall", "world/table"]]"#) {
        let words =
            "WARNING: `checks` names 1 pair of two obstacles: world/table - world/part. While both rest";
        assert!(said.contains(words), "{said}");
    }
    for said in named(r#"[["arm", "world/part"], ["world/wall", "world/table"], ["world", "world"]]"#) {
        assert!(!said.contains("WARNING"), "{said}");
    }
}

#[test]
fn options_change_the_world_before_the_first_sample() {
    let folder = folder("change_options");
    let low = ["--at", "0,-0.35"];
    let ask = |more: &[&str]| check(&folder, &[&low, more].concat());
    let (code, lines, _) = ask(&[]);
    assert_eq!((code, verdicts(&lines)), (Some(1), vec!["collision"]));
    assert!(lines[0]["events"].is_null());
    for (more, words) in [
        (&["--place", "part=0,-1,0.4,1,0,0,0"][..], "changes at the start: part placed"),
        (&["--hide", "world/part"], "changes at the start: part hidden"),
        (&["--attach", "part=arm/tool"], "changes at the start: part attached to arm/tool"),
    ] {
        let (code, lines, said) = ask(more);
        // Held this low, the part overlaps the table.
        let held = more[0] == "--attach";
        let pair = serde_json::json!(["world/table", "world/part"]);
        assert_eq!(code, Some(0), "{more:?}: {said}");
        assert_eq!(lines[0]["pair"] == pair, held, "{more:?}: {}", lines[0]);
        assert!(said.contains(words) && lines[0]["events"].as_array().unwrap().len() == 1, "{said}");
    }
    // The order is place, attach, hide, whatever the order on the command line.
    let (_, lines, said) =
        ask(&["--hide", "part", "--attach", "part=arm/tool", "--place", "part=1,0,0.45,1,0,0,0"]);
    let order: Vec<String> = lines[0]["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e.as_object().unwrap().keys().next().unwrap().clone())
        .collect();
    assert_eq!(order, ["place", "attach", "hide"], "{said}");
    assert!(said.contains("at the start: part placed, part attached to arm/tool, part hidden"), "{said}");
    // What the world file lets it touch while it is carried counts for options and events.
    let cell = std::fs::read_to_string(folder.join("pick.toml")).unwrap();
    let touching = cell.replace("movable = true", "movable = true\ntouch = [\"world/table\"]");
    std::fs::write(folder.join("touching.toml"), touching).unwrap();
    std::fs::write(
        folder.join("held.jsonl"),
        r#"{"attach": {"name": "part", "attached_to": "arm/tool", "touch": ["wall"]}}
{"q": [0, 0]}
"#,
    )
    .unwrap();
    for (more, touch) in [
        (&["--at", "0,0", "--attach", "part=arm/tool"][..], &["world/table"][..]),
        (&["--motion", "held.jsonl"], &["world/table", "world/wall"]),
    ] {
        let out = run(&folder, &[&["check", "touching.toml", "--json", "-"], more].concat());
        let line = &crate::support::lines(&out.stdout)[0];
        assert_eq!(line["events"][0]["attach"]["touch"], serde_json::json!(touch), "{}", text(&out.stderr));
        assert_eq!(line["counts"]["pairs"], 7 - touch.len(), "{line}");
    }
    // Changes hold for random poses too: a part in the way collides at all of them, or at fewer once hidden.
    let random = |more: &[&str]| {
        let arguments = ["--random", "200", "--ask", "test"];
        let out = run(&folder, &[&["check", "pick.toml"], &arguments[..], more].concat());
        text(&out.stdout).lines().next().unwrap().to_string()
    };
    let around = "part=0,0,0.97,1,0,0,0";
    let wide = CELL.replace("[0.1, 0.1, 0.1]", "[0.3, 0.3, 0.3]");
    std::fs::write(folder.join("pick.toml"), wide.split_once("[[obstacle]]\nname = \"lid\"").unwrap().0)
        .unwrap();
    assert_eq!(random(&["--place", around]), "200 samples: 200 collision");
    assert_ne!(random(&["--place", around, "--hide", "part"]), "200 samples: 200 collision");
}

#[test]
fn threads_and_blocks_change_no_answer() {
    let folder = folder("change_threads");
    // From 1 to -1 and back within `period` samples.
    let wave = |i: usize, period: usize| (4.0 * (i % period) as f64 / period as f64 - 2.0).abs() - 1.0;
    let row = |i: usize| {
        let (t, turn, lift) = (i as f64 * 0.01, 2.4 * wave(i, 126), -0.1 - 0.15 * wave(i, 20).abs());
        format!("{{\"t\": {t}, \"q\": [{turn}, {lift}]}}\n")
    };
    let event = |i: usize| match i {
        5 => {
            "{\"attach\": {\"name\": \"part\", \"attached_to\": \"arm/tool\", \"touch\": [\"world/wall\"]}}\n"
        }
        31 => "{\"detach\": {\"name\": \"part\"}}\n{\"hide\": {\"name\": \"lid\"}}\n",
        32 => "{\"attach\": {\"name\": \"part\", \"attached_to\": \"arm/boom\"}}\n",
        70 => {
            r#"{"show": {"name": "lid"}}
{"allow": {"a": "part", "b": "table", "reason": "soft"}}
"#
        }
        97 => {
            r#"{"detach": {"name": "part"}}
{"place": {"name": "part", "xyz": [0.5, 0.5, 0.8]}}
"#
        }
        150 => "{\"forbid\": {\"a\": \"part\", \"b\": \"world/table\"}}\n",
        _ => "",
    };
    let motion: String = (0..200).map(|i| format!("{}{}", event(i), row(i))).collect();
    // That motion with samples before it, so that blocks end elsewhere.
    let shift = 17;
    let shifted = row(0).repeat(shift) + &motion;
    std::fs::write(folder.join("long.jsonl"), &motion).unwrap();
    std::fs::write(folder.join("shifted.jsonl"), shifted).unwrap();
    let ask = |motion: &str, threads: &str, more: &[&str]| {
        let arguments = ["check", "lid.toml", "--motion", motion, "--json", "-", "--threads", threads];
        let out = run(&folder, &[&arguments[..], more].concat());
        assert!(matches!(out.status.code(), Some(0 | 1)), "{}", text(&out.stderr));
        out.stdout
    };
    // Pages take longest: two show what threads could change.
    let page = |threads: &str| {
        ask("long.jsonl", threads, &["--all-pairs", "--report", "page.html"]);
        without_command(&std::fs::read_to_string(folder.join("page.html")).unwrap())
    };
    assert!(page("1") == page("8"));
    for more in [&["--continuous"][..], &["--all-pairs"], &["--ask", "test"]] {
        let one = ask("long.jsonl", "1", more);
        for threads in ["2", "8"] {
            assert!(one == ask("long.jsonl", threads, more), "{threads} threads, {more:?}");
        }
        let (one, other) = (lines(&one), lines(&ask("shifted.jsonl", "2", more)));
        assert_eq!(one.len() + shift, other.len());
        let verdict = |line: &Value| {
            [line["verdict"].clone(), line["counts"]["pairs"].clone(), line["edge"]["verdict"].clone()]
        };
        for (a, b) in one.iter().zip(&other[shift..]).skip(1) {
            assert_eq!(verdict(a), verdict(b), "{more:?}: {a}\n{b}");
            if more[0] != "--ask" {
                let ends = |key: &str| [a, b].map(|line| line[key].as_f64().unwrap_or(f64::INFINITY));
                let same = |[a, b]: [f64; 2]| a == b || (a - b).abs() < 1e-9;
                assert!(same(ends("lower")) && same(ends("upper")), "{more:?}: {a}\n{b}");
            }
        }
        let seen: std::collections::BTreeSet<&str> = verdicts(&one).into_iter().collect();
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["clear", "collision"], "{more:?}");
    }
}

#[test]
fn movable_obstacles_are_named() {
    let folder = folder("movable");
    let info = text(&run(&folder, &["info", "pick.toml"]).stdout);
    let row = |table: &str, name: &str| {
        table.lines().find(|line| line.trim_start().starts_with(name)).unwrap().to_string()
    };
    assert!(row(&info, "part").ends_with("movable") && !row(&info, "wall").contains("movable"), "{info}");
    let pairs = text(&run(&folder, &["pairs", "lid.toml"]).stdout);
    let of = |a: &str, b: &str| {
        pairs.lines().find(|line| line.starts_with(a) && line.contains(b)).unwrap().to_string()
    };
    assert!(of("arm/boom", "world/part").ends_with("checked"), "{pairs}");
    assert!(
        of("world/table", "world/part")
            .ends_with("checked  while world/part is carried by a link that moves"),
        "{pairs}"
    );
    assert!(
        of("world/part", "world/lid").ends_with("checked  while a link that moves carries one of them"),
        "{pairs}"
    );
    assert!(of("world/table", "world/wall").contains("both are fixed"), "{pairs}");
    let json = lines(&run(&folder, &["pairs", "pick.toml", "--json", "-"]).stdout);
    let held: Vec<&Value> = json.iter().filter(|pair| !pair["while_held"].is_null()).collect();
    assert_eq!(held.len(), 2);
    assert!(held.iter().all(|pair| pair["while_held"] == serde_json::json!(["world/part"])), "{held:?}");
    // Nothing is proved over all poses for a body that can be anywhere.
    let proved = run(&folder, &["pairs", "lid.toml", "--prove"]);
    let table = text(&proved.stdout);
    assert!(table.contains("world/table") && !table.contains("world/part") && !table.contains("world/lid"));
    assert!(text(&proved.stderr).contains("note: pairs of movable obstacles are not proved"), "{table}");
}
