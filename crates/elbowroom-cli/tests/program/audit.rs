//! `pairs --audit`: an SRDF that is held against the geometry.

use crate::support::{folder, lines, robots, run, text};
use serde_json::Value;
use std::path::Path;

/// Four links in a row that turn about z: a hub, an elbow in its middle, a hand that comes round to the hub
/// within these limits, and a small tip that comes near the hub at few poses.
pub fn arm(folder: &Path, limit: f64) {
    let link = |name: &str, x: f64, radius: f64| {
        format!(
            "<link name=\"{name}\"><collision><origin xyz=\"{x} 0 0\"/><geometry>\
             <sphere radius=\"{radius}\"/></geometry></collision></link>"
        )
    };
    let turn = |name: &str, parent: &str, child: &str, x: f64, limit: f64| {
        format!(
            "<joint name=\"{name}\" type=\"revolute\"><parent link=\"{parent}\"/><child link=\"{child}\"/>\
             <origin xyz=\"{x} 0 0\"/><axis xyz=\"0 0 1\"/>\
             <limit lower=\"-{limit}\" upper=\"{limit}\" effort=\"1\" velocity=\"1\"/></joint>"
        )
    };
    let urdf = format!(
        "<robot name=\"arm\">{}{}{}{}<link name=\"bare\"/>{}{}{}{}</robot>",
        link("hub", 0.0, 0.2),
        link("elbow", 0.0, 0.1),
        link("hand", 0.9, 0.1),
        link("tip", 1.299, 0.0015),
        turn("a", "hub", "elbow", 0.0, 3.0),
        turn("b", "elbow", "hand", 1.0, limit),
        turn("c", "hand", "tip", 0.5, 2.9),
        turn("d", "tip", "bare", 0.0, 1.0),
    );
    std::fs::write(folder.join("arm.urdf"), urdf).unwrap();
}

fn audit(folder: &Path, srdf: &str, more: &[&str]) -> (Vec<Value>, String, String) {
    std::fs::write(folder.join("made.srdf"), srdf).unwrap();
    let command =
        [&["pairs", "arm.urdf", "--srdf", "made.srdf", "--audit", "--json", "audit.jsonl"], more].concat();
    let out = run(folder, &command);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    (lines(&std::fs::read(folder.join("audit.jsonl")).unwrap()), text(&out.stdout), text(&out.stderr))
}

pub fn disabled(pairs: &[[&str; 3]]) -> String {
    let line = |[a, b, why]: &[&str; 3]| {
        format!("<disable_collisions link1=\"{a}\" link2=\"{b}\" reason=\"{why}\"/>")
    };
    format!("<robot name=\"arm\">{}</robot>", pairs.iter().map(line).collect::<String>())
}

#[test]
fn disabled_pairs_that_can_collide_are_told_with_a_pose_that_check_takes() {
    let folder = folder("audit");
    arm(&folder, 3.0);
    let srdf = disabled(&[
        ["hub", "elbow", "Adjacent"],
        ["hub", "hand", "Never"],
        ["elbow", "hand", "Adjacent"],
        ["elbow", "tip", "Always"],
        ["hub", "bare", "Never"],
    ]);
    let (rows, table, said) = audit(&folder, &srdf, &[]);
    let row = |b: &str, a: &str| rows.iter().find(|row| row["pair"] == serde_json::json!([a, b])).unwrap();
    assert_eq!(rows.len(), 4, "what has no shape cannot collide: {rows:?}");
    let hand = row("arm/hand", "arm/hub");
    assert_eq!(
        [&hand["finding"], &hand["reason"], &hand["contradicts"]],
        [&Value::from("can_collide"), &"Never".into(), &true.into()]
    );
    // The pose is by name, of the joints that count alone, and `check` says the same there.
    let at = hand["at"].as_str().unwrap();
    assert!(at.starts_with("a=") || at.starts_with("b="), "{at}");
    assert!(!at.contains("c=") && hand["values"].as_object().unwrap().contains_key("b"), "{hand}");
    let again = run(&folder, &["check", "arm.urdf", "--no-srdf", "--at", at, "--all-pairs", "--json", "-"]);
    assert_eq!(again.status.code(), Some(1), "{}", text(&again.stderr));
    let answer = lines(&again.stdout).remove(0);
    let pairs = answer["pairs"].as_array().unwrap();
    let same = pairs.iter().find(|row| row["pair"] == hand["pair"]).unwrap();
    assert_eq!((&same["verdict"], &same["upper"]), (&"collision".into(), &hand["upper"]), "{same}");
    // Neighbours that always overlap are one line; a neighbour that its joint turns into the other is a row.
    assert_eq!(row("arm/elbow", "arm/hub")["finding"], "always_overlaps");
    assert!(table.contains("1 pair of links that the SRDF calls adjacent overlap"), "{table}");
    assert!(!table.contains("arm/hub        arm/elbow"), "{table}");
    let elbow = row("arm/hand", "arm/elbow");
    assert_eq!((&elbow["finding"], &elbow["neighbours"]), (&"can_collide".into(), &true.into()), "{elbow}");
    assert!(said.contains("neighbours are not checked without an SRDF either"), "{said}");
    // `Always` that is not so is contradicted as well.
    let tip = row("arm/tip", "arm/elbow");
    assert_eq!((&tip["contradicts"], &tip["reason"]), (&true.into(), &"Always".into()), "{tip}");
    let first = table.lines().nth(1).unwrap();
    assert!(first.contains("can collide: overlap of ") && first.contains(" --at "), "{table}");
    assert!(said.contains("elbowroom check arm.urdf --no-srdf --all-pairs --json - --at POSE"), "{said}");
}

#[test]
fn what_is_not_found_is_not_called_proved() {
    let folder = folder("audit_open");
    arm(&folder, 2.6);
    let srdf = disabled(&[["hub", "hand", "Never"], ["elbow", "tip", "Never"]]);
    let of = |rows: &[Value]| rows.iter().map(|row| row["finding"].clone()).collect::<Vec<_>>();
    // Out of reach: proved with boxes enough, else only not found, with how many poses were asked and which.
    let (rows, _, _) = audit(&folder, &disabled(&[["hub", "hand", "Never"]]), &[]);
    assert_eq!(of(&rows), ["never_touches"]);
    assert!(rows[0]["least"].as_f64().unwrap() > 0.0 && rows[0]["at"].is_null());
    let (rows, table, said) = audit(
        &folder,
        &disabled(&[["hub", "hand", "Never"]]),
        &["--boxes", "2", "--samples", "50", "--seed", "7"],
    );
    assert_eq!((of(&rows), &rows[0]["seed"]), (vec!["not_found".into()], &7.into()));
    let words = format!(
        "not found: no overlap in {} poses (seed 7), and none is ruled out elsewhere; the work ended",
        rows[0]["poses"]
    );
    assert!(rows[0]["poses"].as_u64().unwrap() > 50 && table.contains(&words), "{table}");
    assert!(table.contains("0 never touch, 1 not found;") && !table.contains("unknown"), "{table}");
    // Notes about the files are counted, as in every command but `info`.
    let counted = "note: 1 note about these files: elbowroom info arm.urdf --srdf made.srdf lists it";
    assert!(said.contains(counted) && !said.contains("no collision shape"), "{said}");
    // A tip that random poses miss is found by the descent.
    let (rows, _, _) = audit(&folder, &srdf, &["--samples", "100", "--boxes", "2"]);
    assert_eq!(of(&rows)[0], "can_collide", "{rows:?}");
    // One seed gives one answer.
    let (again, _, _) = audit(&folder, &srdf, &["--samples", "100", "--boxes", "2"]);
    assert_eq!(rows, again);
    // Without an SRDF there is nothing to audit.
    let bare = run(&folder, &["pairs", "arm.urdf", "--audit"]);
    assert_eq!(bare.status.code(), Some(2));
    assert!(text(&bare.stderr).contains("no SRDF that was read disables a pair"), "{}", text(&bare.stderr));
}

#[test]
fn a_real_srdf_is_audited() {
    let Some(robots) = robots() else { return };
    let panda = robots.join("panda_vamp");
    let out = run(
        &panda,
        &["pairs", "panda.urdf", "--audit", "--samples", "500", "--boxes", "2000", "--json", "-"],
    );
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let rows = lines(&out.stdout);
    assert!(rows.len() > 10, "{}", rows.len());
    // Two links that its SRDF says never meet do, with the wrist folded back; the rest of it holds.
    let found: Vec<&Value> = rows.iter().filter(|row| row["contradicts"] == true).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["pair"], serde_json::json!(["panda/panda_link2", "panda/panda_link6"]));
    let deep = found[0]["upper"].as_f64().unwrap();
    let at = found[0]["at"].as_str().unwrap();
    let again = run(&panda, &["check", "panda.urdf", "--no-srdf", "--at", at, "--all-pairs", "--json", "-"]);
    let answer = lines(&again.stdout).remove(0);
    let same =
        answer["pairs"].as_array().unwrap().iter().find(|row| row["pair"] == found[0]["pair"]).unwrap();
    assert!(deep < -0.005 && same["verdict"] == "collision", "{deep} {same}");
    let proved = rows.iter().filter(|row| row["finding"] == "never_touches").count();
    assert!(proved >= 20, "{proved} are proved never to touch");
}
