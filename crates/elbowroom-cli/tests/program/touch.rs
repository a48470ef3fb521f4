//! Bodies that touch: what is said of them, and what `--touch` makes of it.

use crate::support::{PROBE, checked, folder, run, text};
use std::path::Path;

/// A ball of 3 cm on a slide, above a table whose top is so much lower than the ball's lowest point.
fn cell(folder: &Path, gap: f64) {
    std::fs::write(folder.join("arm.urdf"), PROBE).unwrap();
    let middle = 1.0 - 0.03 - gap - 0.5;
    let cell = format!(
        "margin = 0.01\n[[robot]]\nurdf = \"arm.urdf\"\n[[obstacle]]\nname = \"table\"\n\
         xyz = [0, 0, {middle:?}]\nshape = {{ type = \"box\", size = [4, 4, 1] }}\n"
    );
    std::fs::write(folder.join("cell.toml"), cell).unwrap();
}

#[test]
fn a_part_that_rests_on_a_table_touches_and_is_near_within_a_tolerance() {
    let folder = folder("touch");
    cell(&folder, 0.0);
    let (code, lines, said) = checked(&folder, "cell.toml", &["--all-pairs"]);
    assert_eq!(
        (code, &lines[0]["verdict"], &lines[0]["touching"]),
        (Some(1), &"unknown".into(), &true.into())
    );
    assert!(lines[0]["lower"].as_f64().unwrap() <= 0.0 && lines[0]["upper"].as_f64().unwrap() >= 0.0);
    assert!(lines[0]["touch"].is_null() && lines[0]["pairs"][0]["touching"] == true, "{}", lines[0]);
    assert!(said.contains("smallest clearance touching ("), "{said}");
    let table = text(&run(&folder, &["check", "cell.toml"]).stdout);
    assert!(
        table.contains("1 sample is unknown because bodies touch") && table.contains("--touch 1e-6"),
        "{table}"
    );
    // Within a tolerance it is near, and every answer says that this was so.
    let touch = ["--touch", "1e-6", "--all-pairs"];
    let (code, lines, said) = checked(&folder, "cell.toml", &touch);
    assert_eq!((code, &lines[0]["verdict"], &lines[0]["touching"]), (Some(0), &"near".into(), &true.into()));
    assert_eq!((&lines[0]["touch"], &lines[0]["pairs"][0]["verdict"]), (&1e-6.into(), &"near".into()));
    assert!(said.contains("contact within 1.000 um counts as near (--touch)"), "{said}");
    let page = folder.join("page.html");
    let all = run(&folder, &["check", "cell.toml", "--touch", "1e-6", "--report", "page.html"]);
    assert_eq!(all.status.code(), Some(0), "{}", text(&all.stderr));
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("contact within 1.000 um counts as near"));
    let table = text(&all.stdout);
    assert!(table.starts_with("1 sample: 1 near") && table.contains("(--touch)"), "{table}");
}

/// A tray: a box with a hollow, whose floor is a centimetre above its own.
const TRAY: &str = "\
    v -0.15 -0.1 0\nv 0.15 -0.1 0\nv 0.15 0.1 0\nv -0.15 0.1 0\n\
    v -0.15 -0.1 0.05\nv 0.15 -0.1 0.05\nv 0.15 0.1 0.05\nv -0.15 0.1 0.05\n\
    v -0.14 -0.09 0.05\nv 0.14 -0.09 0.05\nv 0.14 0.09 0.05\nv -0.14 0.09 0.05\n\
    v -0.14 -0.09 0.01\nv 0.14 -0.09 0.01\nv 0.14 0.09 0.01\nv -0.14 0.09 0.01\n\
    f 1 4 3\nf 1 3 2\nf 13 14 15\nf 13 15 16\nf 1 2 6\nf 1 6 5\nf 5 6 10\nf 5 10 9\nf 9 10 14\nf 9 14 13\n\
    f 2 3 7\nf 2 7 6\nf 6 7 11\nf 6 11 10\nf 10 11 15\nf 10 15 14\nf 3 4 8\nf 3 8 7\nf 7 8 12\nf 7 12 11\n\
    f 11 12 16\nf 11 16 15\nf 4 1 5\nf 4 5 8\nf 8 5 9\nf 8 9 12\nf 12 9 13\nf 12 13 16\n";

#[test]
fn a_part_that_rests_in_a_tray_touches_as_on_a_table() {
    let folder = folder("touch_tray");
    std::fs::write(folder.join("arm.urdf"), PROBE).unwrap();
    std::fs::write(folder.join("tray.obj"), TRAY).unwrap();
    for part in [
        "{ type = \"box\", size = [0.04, 0.04, 0.06] }",
        "{ type = \"sphere\", radius = 0.03 }",
        "{ type = \"cylinder\", radius = 0.02, length = 0.06 }",
    ] {
        let cell = format!(
            "checks = [[\"world/tray\", \"world/part\"]]\n[[robot]]\nurdf = \"arm.urdf\"\n\
             [[obstacle]]\nname = \"tray\"\nxyz = [2, 0.5, 0.9144]\nmesh = {{ file = \"tray.obj\" }}\n\
             [[obstacle]]\nname = \"part\"\nxyz = [2, 0.5, 0.9544]\nshape = {part}\n"
        );
        std::fs::write(folder.join("cell.toml"), cell).unwrap();
        for (options, code, verdict) in [
            (&["--all-pairs"][..], 1, "unknown"),
            (&["--all-pairs", "--touch", "1e-6"], 0, "near"),
            (&["--depth", "tight", "--touch", "1e-6"], 0, "near"),
        ] {
            let (found, lines, _) = checked(&folder, "cell.toml", options);
            let line = &lines[0];
            assert_eq!((found, &line["verdict"]), (Some(code), &verdict.into()), "{part} {options:?} {line}");
            assert_eq!(line["touching"], true, "{part} {options:?} {line}");
            let resting = |pair: &&serde_json::Value| pair["pair"] == line["pair"];
            if let Some(pair) = line["pairs"].as_array().and_then(|pairs| pairs.iter().find(resting)) {
                assert_eq!((&pair["verdict"], &pair["touching"]), (&verdict.into(), &true.into()), "{line}");
            }
        }
    }
}

#[test]
fn the_tolerance_changes_nothing_that_overlaps_deeper_or_is_apart() {
    let folder = folder("touch_deeper");
    for (gap, code, verdict, touching) in [
        (-0.9e-6, 0, "near", true),
        (-1.1e-6, 1, "collision", false),
        (1e-9, 0, "near", false),
        (0.02, 0, "clear", false),
    ] {
        cell(&folder, gap);
        let (found, lines, _) = checked(&folder, "cell.toml", &["--touch", "1e-6"]);
        assert_eq!((found, &lines[0]["verdict"]), (Some(code), &verdict.into()), "{gap} {}", lines[0]);
        assert_eq!((lines[0]["touching"] == true, &lines[0]["touch"]), (touching, &1e-6.into()), "{gap}");
        let (_, plain, _) = checked(&folder, "cell.toml", &[]);
        assert!(["lower", "upper", "distance"].iter().all(|key| plain[0][key] == lines[0][key]), "{gap}");
        let word = if touching { "collision" } else { verdict };
        assert_eq!(plain[0]["verdict"], word, "{gap}");
    }
}

#[test]
fn a_tolerance_is_a_small_length_and_needs_distances() {
    let folder = folder("touch_refused");
    cell(&folder, 0.0);
    for (more, words) in [
        (&["--touch", "0"][..], "give metres above zero, up to 0.001"),
        (&["--touch", "0.01"], "give metres above zero, up to 0.001"),
        (&["--touch", "nan"], "give metres above zero"),
        (&["--touch", "1e-6", "--ask", "test"], "--touch needs distances"),
        (&["--touch", "1e-6", "--continuous"], "between samples none is measured"),
    ] {
        let out = run(&folder, &[&["check", "cell.toml"], more].concat());
        assert_eq!(out.status.code(), Some(2), "{more:?}");
        assert!(text(&out.stderr).contains(words), "{more:?}: {}", text(&out.stderr));
    }
}

#[test]
fn a_part_is_lifted_off_a_table_while_contact_is_allowed() {
    let folder = folder("touch_lift");
    std::fs::write(
        folder.join("lift.urdf"),
        r#"<robot name="lift">
<link name="base"/>
<link name="hand"><collision><origin xyz="0 0 0.3"/>
  <geometry><box size="0.02 0.02 0.1"/></geometry></collision></link>
<joint name="up" type="prismatic"><parent link="base"/><child link="hand"/><axis xyz="0 0 1"/>
  <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
</robot>"#,
    )
    .unwrap();
    let cell = "[[robot]]\nurdf = \"lift.urdf\"\n\
        [[obstacle]]\nname = \"table\"\nxyz = [0, 0, 0.05]\nshape = { type = \"box\", size = [1, 1, 0.1] }\n\
        [[obstacle]]\nname = \"part\"\nmovable = true\nxyz = [0, 0, 0.15]\n\
        shape = { type = \"box\", size = [0.1, 0.1, 0.1] }\n";
    std::fs::write(folder.join("cell.toml"), cell).unwrap();
    let attach = "{\"q\": [0]}\n{\"attach\": {\"name\": \"part\", \"attached_to\": \"lift/hand\"}}\n";
    let allow = "{\"allow\": {\"a\": \"world/part\", \"b\": \"world/table\"}}\n";
    let forbid = "{\"forbid\": {\"a\": \"world/part\", \"b\": \"world/table\"}}\n";
    let (low, high) = ("{\"q\": [0.05]}\n", "{\"q\": [0.5]}\n");
    std::fs::write(folder.join("bare.jsonl"), [attach, low, high].concat()).unwrap();
    std::fs::write(folder.join("told.jsonl"), [attach, allow, low, forbid, high].concat()).unwrap();
    let ask = |motion: &str, more: &[&str]| {
        run(&folder, &[&["check", "cell.toml", "--motion", motion, "--continuous"], more].concat())
    };
    let bare = ask("bare.jsonl", &[]);
    assert_eq!(bare.status.code(), Some(1), "the part touches as it leaves: {}", text(&bare.stderr));
    let said = text(&bare.stderr);
    assert!(
        said.contains("at the start of the way to sample 1, between world/table and world/part"),
        "{said}"
    );
    let told = ask("told.jsonl", &["--report", "told.html"]);
    let page = std::fs::read_to_string(folder.join("told.html")).unwrap();
    let but = "at samples and between them: world/part and world/table from after sample 0 to sample 1.";
    assert!(page.contains("proved free of contact at every instant") && page.contains(but), "{page}");
    // So does the table of pairs, of what is carried as well; and the plot and the slider have marks.
    let rows = page.split_once("<h2>All pairs</h2>").unwrap().1;
    for row in [
        "<td>world/<wbr>part<td>world/<wbr>table<td class=\"wide\">from after sample 0 to sample 1</tr>",
        "<td>world/<wbr>part<td>hand<td class=\"wide\">from after sample 0 on: carried</tr>",
    ] {
        assert!(rows.contains(row), "{row} {rows}");
    }
    assert!(
        rows.contains("not checked for a time")
            && rows.contains("\"wide\">from after sample 0 to sample 1</tr>")
    );
    let happens = "part attached to lift/hand, part and table allowed";
    assert!(page.contains(&format!("<li>after sample 0: {happens}<li>after sample 1: part and table")));
    assert!(page.contains(&format!(". After it: {happens}, then clear, ")), "{page}");
    assert_eq!(page.matches("<i style=\"--at:").count(), 2);
    assert_eq!(page.matches("<line class=\"event\"").count(), 2);
    assert_eq!(told.status.code(), Some(0), "{}", text(&told.stderr));
    assert!(text(&told.stderr).contains("edges: 2 free"), "{}", text(&told.stderr));
    let both = ask("bare.jsonl", &["--touch", "1e-6"]);
    assert_eq!(both.status.code(), Some(2));
    assert!(text(&both.stderr).contains("write an event `allow`"), "{}", text(&both.stderr));
}
