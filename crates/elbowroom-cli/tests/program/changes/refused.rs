//! Changes that are refused: all of them are told, and nothing is asked.

use super::folder;
use crate::support::{run, text};

#[test]
fn what_is_refused_is_told_at_once() {
    let folder = folder("change_refused");
    let refused = |events: &str, more: &[&str], words: &[&str]| {
        std::fs::write(folder.join("bad.jsonl"), format!("{{\"q\": [0, 0]}}\n{events}\n{{\"q\": [0, 0]}}\n"))
            .unwrap();
        let out = run(&folder, &[&["check", "pick.toml", "--motion", "bad.jsonl"], more].concat());
        let said = text(&out.stderr);
        assert_eq!((out.status.code(), &*text(&out.stdout)), (Some(2), ""), "{events} {more:?}: {said}");
        for word in words {
            assert!(said.contains(word), "{events} {more:?}: {word:?} is not in\n{said}");
        }
    };
    let attach = r#"{"attach": {"name": "part", "attached_to": "arm/tool"}}"#;
    for (events, words) in [
        (
            r#"{"attach": {"name": "prat", "attached_to": "arm/tol", "touch": ["world/wal"]}}"#,
            &[
                "bad.jsonl: line 2: no body is called `prat`; did you mean \"part\"?",
                "line 2: no body is called `arm/tol`; did you mean \"arm/tool\"?",
                "line 2: no body is called `world/wal`; did you mean \"world/wall\"?",
                "1 change is refused",
            ][..],
        ),
        // A change is not refused for what follows from a wrong name before it. All other faults are told, in
        // order.
        (
            r#"{"attach": {"name": "part", "attached_to": "arm/tol"}}
{"detach": {"name": "part"}}
{"hide": {"name": "wall"}}"#,
            &["line 2: no body is called `arm/tol`", "line 4: `world/wall` is not", "2 changes are refused"],
        ),
        (
            &format!("{attach}\n{attach}"),
            &["bad.jsonl: line 3: `world/part` is carried by `arm/tool`: detach it first"],
        ),
        (
            r#"{"detach": {"name": "part"}}"#,
            &["line 2: `world/part` is not carried, so it cannot be detached"],
        ),
        (
            &format!("{attach}\n{{\"place\": {{\"name\": \"part\", \"xyz\": [1, 2, 3]}}}}"),
            &["line 3: `world/part` is carried by `arm/tool`", "1 change is refused"],
        ),
        (
            r#"{"hide": {"name": "table"}}"#,
            &["line 2: `world/table` is not movable: its description must say `movable = true`"],
        ),
        (r#"{"place": {"name": "arm/tool", "xyz": [1, 2, 3]}}"#, &["line 2: `arm/tool` is not movable"]),
        (r#"{"show": {"name": "part"}}"#, &["line 2: `world/part` is not hidden, so it cannot be shown"]),
        (
            r#"{"allow": {"a": "arm/boom", "b": "arm/tool"}}"#,
            &["line 2: `arm/boom` and `arm/tool` are never checked"],
        ),
        (r#"{"forbid": {"a": "arm/boom", "b": "part"}}"#, &["were not allowed while the world was asked"]),
        (r#"{"place": {"name": "part", "xyz": [1, NaN, 3]}}"#, &["bad.jsonl: line 2: is not JSON"]),
        (
            r#"{"place": {"name": "part", "pose": [1, 2, 3]}}"#,
            &["line 2, place: pose is not 7 finite numbers"],
        ),
        (
            r#"{"place": {"name": "part", "xyz": [1e10, 2, 3]}}"#,
            &["line 2: `world/part` cannot be placed there: its pose lies more"],
        ),
        // Changes behind the last sample are tried too.
        (
            "{\"q\": [0, 0]}\n{\"q\": [9, 0]}\n{\"detach\": {\"name\": \"part\"}}",
            &["line 3, sample 2", "`arm/turn` is 9"],
        ),
    ] {
        refused(events, &[], words);
    }
    for (more, words) in [
        (
            &["--hide", "prat", "--attach", "part=arm/wrist"][..],
            &[
                "--hide prat: no body is called `prat`; did you mean \"part\"?",
                "--attach part=arm/wrist: no body is called `arm/wrist`",
                "2 changes are refused",
            ][..],
        ),
        (
            &["--place", "part=1,2,3", "--place", "part=1,2,x,1,0,0,0"],
            &[
                "--place part=1,2,3: gives 3 numbers, not 7",
                "`x` is not a finite number",
                "2 options are refused",
            ],
        ),
        (&["--place", "part=nan,0,0,1,0,0,0"], &["`nan` is not a finite number", "1 option is refused"]),
        (&["--place", "part"], &["has no =; write NAME=x,y,z,qw,qx,qy,qz"]),
        (&["--attach", "part"], &["--attach part: write NAME=ROBOT/LINK"]),
        (
            &["--attach", "part=arm/tool", "--attach", "part=arm/boom"],
            &["--attach part=arm/boom: `world/part` is carried by `arm/tool`"],
        ),
        (&["--hide", "part", "--hide", "world/part"], &["--hide world/part: `world/part` is hidden already"]),
        (&["--place", "wall=0,0,0,1,0,0,0"], &["`world/wall` is not movable"]),
    ] {
        refused("", more, words);
    }
    // Options and the motion are refused together.
    refused("x", &["--place", "part=1"], &["gives 1 number, not 7", "bad.jsonl: line 2: is not JSON"]);
}

#[test]
fn a_misspelt_name_is_suggested_from_bodies_that_it_can_mean() {
    let folder = folder("change_roles");
    let cell = std::fs::read_to_string(folder.join("pick.toml")).unwrap();
    let more = "[[obstacle]]\nname = \"tol\"\nmovable = true\nxyz = [9, 9, 9]\n\
        shape = { type = \"sphere\", radius = 0.1 }\n[[obstacle]]\nname = \"para\"\nxyz = [9, 0, 9]\n\
        shape = { type = \"sphere\", radius = 0.1 }\n";
    std::fs::write(folder.join("roles.toml"), format!("{cell}{more}")).unwrap();
    for (event, words) in [
        // Nearer by letters are a link, and an obstacle that is not movable.
        (r#"{"hide": {"name": "tool"}}"#, "no body is called `tool`; did you mean \"tol\"?"),
        (r#"{"hide": {"name": "parx"}}"#, "no body is called `parx`; did you mean \"part\"?"),
        (r#"{"forbid": {"a": "parx", "b": "arm/tool"}}"#, "did you mean \"para\"?"),
        (r#"{"attach": {"name": "part", "attached_to": "parx"}}"#, "did you mean \"part\"?"),
        // There is no door and no spare place.
        (r#"{"open": {"name": "prt", "value": 1}}"#, "no body is called `prt`; `elbowroom info` lists them"),
        (r#"{"empty": {"name": "prt"}}"#, "no body is called `prt`; `elbowroom info` lists them"),
    ] {
        let motion = format!("{{\"q\": [0, 0]}}\n{event}\n{{\"q\": [0, 0]}}\n");
        std::fs::write(folder.join("roles.jsonl"), motion).unwrap();
        let out = run(&folder, &["check", "roles.toml", "--motion", "roles.jsonl"]);
        let said = text(&out.stderr);
        assert!(out.status.code() == Some(2) && said.contains(words), "{event}: {words}\n{said}");
    }
}
