//! Parts that are attached where they overlap what moves with them: bodies that move together are never
//! checked, so it is told where the part is attached.

use crate::support::{checked, folder, run, text};
use std::path::{Path, PathBuf};

/// A hand that goes up, with a plate fixed to it, and a part below the plate.
fn hand(test: &str) -> PathBuf {
    let folder = folder(test);
    let link = |name: &str, z: f64, size: &str| {
        format!(
            "<link name=\"{name}\"><collision><origin xyz=\"0 0 {z}\"/><geometry><box size=\"{size}\"/>\
             </geometry></collision></link>"
        )
    };
    let urdf = format!(
        "<robot name=\"lift\"><link name=\"base\"/>{}{}<joint name=\"up\" type=\"prismatic\">\
         <parent link=\"base\"/><child link=\"hand\"/><axis xyz=\"0 0 1\"/>\
         <limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>\
         <joint name=\"on\" type=\"fixed\"><parent link=\"hand\"/><child link=\"plate\"/></joint></robot>",
        link("hand", 0.3, "0.02 0.02 0.1"),
        link("plate", 0.2, "0.2 0.2 0.02")
    );
    std::fs::write(folder.join("lift.urdf"), urdf).unwrap();
    cell(&folder, "movable = true\nxyz = [0, 0, 0.15]");
    let motion = |touch: &str| {
        format!(
            "{{\"attach\": {{\"name\": \"part\", \"attached_to\": \"lift/hand\", \"touch\": [{touch}]}}}}\n\
             {{\"t\": 0, \"q\": [0]}}\n\
             {{\"t\": 1, \"q\": [0.2]}}\n{{\"t\": 2, \"q\": [0.4]}}\n"
        )
    };
    std::fs::write(folder.join("up.jsonl"), motion("")).unwrap();
    std::fs::write(folder.join("named.jsonl"), motion("\"lift/plate\"")).unwrap();
    folder
}

/// The cell with the part somewhere.
fn cell(folder: &Path, part: &str) {
    let cell = format!(
        "[[robot]]\nurdf = \"lift.urdf\"\n[[obstacle]]\nname = \"post\"\nxyz = [2, 0, 0]\n\
         shape = {{ type = \"sphere\", radius = 0.1 }}\n[[obstacle]]\nname = \"part\"\n{part}\n\
         shape = {{ type = \"box\", size = [0.1, 0.1, 0.1] }}\n"
    );
    std::fs::write(folder.join("cell.toml"), cell).unwrap();
}

const UNCHECKED: &str = "bodies that move together are not checked. Place it where it is held";

#[test]
fn a_part_that_overlaps_what_moves_with_its_carrier_is_warned_of() {
    let folder = hand("held_overlap");
    let more = ["--motion", "up.jsonl", "--continuous", "--report", "page.html"];
    let (code, lines, said) = checked(&folder, "cell.toml", &more);
    // The verdict is that of the checked pairs.
    assert_eq!((code, lines[2]["verdict"].as_str()), (Some(0), Some("clear")), "{said}");
    let words = "WARNING: part is attached at the start overlapping lift/plate by 10.00 mm; ";
    assert!(said.contains(words) && said.contains(UNCHECKED), "{said}");
    // It is told even where notes are not wanted.
    let (_, _, quiet) = checked(&folder, "cell.toml", &["--motion", "up.jsonl", "--quiet"]);
    assert!(quiet.contains("WARNING: part is attached"), "{quiet}");
    let overlaps = &lines[0]["events"][0]["attach"]["overlaps"];
    assert_eq!(overlaps.as_array().map(Vec::len), Some(1), "{overlaps}");
    assert_eq!(overlaps[0]["name"], "lift/plate");
    let [lower, upper] = ["lower", "upper"].map(|end| overlaps[0][end].as_f64().unwrap());
    assert!(lower <= -0.01 && -0.01 <= upper && upper - lower < 1e-6, "{overlaps}");
    // The page warns too, lists the pair with its time, and counts what was asked.
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    for words in [
        "<p class=\"note\">Part is attached at the start overlapping lift/plate by 10.00 mm; ",
        "<td>world/<wbr>part<td>plate<td class=\"wide\">all along: carried rigidly: \
         both move together</tr>",
        "<summary>2 pairs that the motion leaves out, when and why</summary>",
        "2 pairs are left out by the motion, for a time or all along: 1 of a part with what carries it",
        "while both move together",
    ] {
        assert!(page.contains(words), "{words}\n{page}");
    }
    let asked = page.split_once("every checked pair (").unwrap().1.split_once(" in all").unwrap().0;
    assert!(page.contains(&format!("<summary>{asked} pairs checked")), "{asked}");
    // What `touch` names may overlap.
    let (_, lines, said) = checked(&folder, "cell.toml", &["--motion", "named.jsonl"]);
    assert!(!said.contains("WARNING") && lines[0]["events"][0]["attach"]["overlaps"].is_null(), "{said}");
}

#[test]
fn a_part_deep_in_its_carrier_is_warned_of_and_one_that_touches_it_is_not() {
    let folder = hand("held_carrier");
    for (z, words) in [
        (0.22, Some("overlapping its carrier lift/hand by 20.00 mm, lift/plate by 40.00 mm; ")),
        (0.14, Some("touching lift/plate; ")),
        (0.13, None),
        (0.4, None),
    ] {
        cell(&folder, &format!("movable = true\nxyz = [0, 0, {z}]"));
        let (_, _, said) = checked(&folder, "cell.toml", &["--motion", "up.jsonl"]);
        let told = said.contains("WARNING: part is attached");
        assert_eq!(told, words.is_some(), "{z}: {said}");
        assert!(words.is_none_or(|words| said.contains(words)), "{z}: {said}");
    }
}

#[test]
fn options_and_world_files_that_attach_are_warned_of_too() {
    let folder = hand("held_others");
    let out = run(&folder, &["check", "cell.toml", "--at", "0.5", "--attach", "part=lift/hand"]);
    // The hand is above the part when it is attached, so nothing overlaps.
    assert!(!text(&out.stderr).contains("WARNING"), "{}", text(&out.stderr));
    let out = run(&folder, &["check", "cell.toml", "--at", "0", "--attach", "part=lift/hand"]);
    let words = "WARNING: part is attached at the start overlapping lift/plate by 10.00 mm; ";
    assert!(text(&out.stderr).contains(words), "{}", text(&out.stderr));
    cell(&folder, "attached_to = \"lift/hand\"\nxyz = [0, 0, 0.15]");
    let out = run(&folder, &["check", "cell.toml", "--at", "0"]);
    let words = "WARNING: part is attached overlapping lift/plate by 10.00 mm; ";
    assert!(text(&out.stderr).contains(words), "{}", text(&out.stderr));
    cell(&folder, "attached_to = \"lift/hand\"\ntouch = [\"lift/plate\"]\nxyz = [0, 0, 0.15]");
    let out = run(&folder, &["check", "cell.toml", "--at", "0"]);
    assert!(!text(&out.stderr).contains("WARNING"), "{}", text(&out.stderr));
}

#[test]
fn a_part_that_is_put_down_inside_of_what_rests_is_warned_of() {
    let folder = hand("held_put_down");
    cell(&folder, "movable = true\nxyz = [0, 0, 0.13]");
    // Its lower face is at 0.08 where it is let go; it is never checked against the slab while both rest.
    let with_slab = |top: f64| {
        let mut cell = std::fs::read_to_string(folder.join("cell.toml")).unwrap();
        cell += &format!(
            "[[obstacle]]\nname = \"slab\"\nxyz = [0, 0, {}]\n\
             shape = {{ type = \"box\", size = [1, 1, 0.02] }}\n",
            top - 0.01
        );
        std::fs::write(folder.join("slab.toml"), cell).unwrap();
    };
    let motion = "{\"attach\": {\"name\": \"part\", \"attached_to\": \"lift/hand\"}}\n\
                  {\"allow\": {\"a\": \"part\", \"b\": \"slab\", \"reason\": \"put down\"}}\n\
                  {\"t\": 0, \"q\": [0]}\n{\"detach\": {\"name\": \"part\"}}\n\
                  {\"forbid\": {\"a\": \"part\", \"b\": \"slab\"}}\n{\"t\": 1, \"q\": [0.3]}\n";
    std::fs::write(folder.join("down.jsonl"), motion).unwrap();
    for (top, words) in [
        (
            0.099,
            Some(
                "WARNING: part is put down after sample 0 (t = 0 s) overlapping slab by 19.00 mm; \
                 bodies that rest are not checked. Put it down where it lies on them",
            ),
        ),
        // It lies on it, or a hair in it.
        (0.08, None),
        (0.0804, None),
        (0.05, None),
    ] {
        with_slab(top);
        let options = ["--motion", "down.jsonl", "--continuous", "--report", "page.html"];
        let (code, lines, said) = checked(&folder, "slab.toml", &options);
        let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
        assert_eq!(code, Some(0), "{said}");
        assert_eq!(said.contains("WARNING"), words.is_some(), "{top}: {said}");
        // It stands below the headline, which is not green then.
        let lead = "<p class=\"lead\"><b>Warning: Part is put down after sample 0";
        assert_eq!(page.contains(lead), words.is_some(), "{top}");
        assert_eq!(page.contains("headline clear"), words.is_none(), "{top}");
        assert!(words.is_none_or(|words| said.contains(words)), "{top}: {said}");
        let overlaps = &lines[1]["events"][0]["detach"]["overlaps"];
        assert_eq!(overlaps.is_array(), words.is_some(), "{top}: {overlaps}");
        // An event that ends an allowance does not say that the pair is checked: both rest.
        assert!(page.contains("part and slab no longer allowed") && !page.contains("checked again"), "{top}");
        assert!(page.contains("while both rest"), "{top}");
    }
    // A mesh far from its frame's origin is warned of too. So is a fixed link, which rests as well.
    let corners = |z: f64| {
        let corner = |k: usize| [k & 1, k >> 1 & 1].map(|bit| 49.5 + bit as f64);
        (0..4).map(|k| format!("v {} {} {z}\n", corner(k)[0], corner(k)[1])).collect::<String>()
    };
    let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    std::fs::write(folder.join("slab.obj"), corners(50.0) + &corners(50.02) + faces).unwrap();
    let mesh = std::fs::read_to_string(folder.join("cell.toml")).unwrap()
        + "[[obstacle]]\nname = \"slab\"\nxyz = [-50, -50, -49.921]\n\
           shape = { type = \"mesh\", file = \"slab.obj\" }\n";
    std::fs::write(folder.join("mesh.toml"), mesh).unwrap();
    let (_, _, said) = checked(&folder, "mesh.toml", &["--motion", "down.jsonl"]);
    assert!(said.contains("overlapping slab by 19.00 mm; bodies that rest"), "{said}");
    let urdf = std::fs::read_to_string(folder.join("lift.urdf")).unwrap();
    let base = "<link name=\"base\"><collision><origin xyz=\"0 0 0.089\"/><geometry><box size=\"1 1 0.02\"/>\
                </geometry></collision></link>";
    std::fs::write(folder.join("lift.urdf"), urdf.replace("<link name=\"base\"/>", base)).unwrap();
    with_slab(0.0);
    let (_, _, said) = checked(&folder, "slab.toml", &["--motion", "down.jsonl"]);
    assert!(said.contains("overlapping lift/base by 19.00 mm; bodies that rest"), "{said}");
    std::fs::write(folder.join("lift.urdf"), urdf).unwrap();
    // What an option places is asked too.
    with_slab(0.08);
    let options = ["--motion", "down.jsonl", "--place", "part=0.1,0,0.09,1,0,0,0"];
    let (_, _, said) = checked(&folder, "slab.toml", &options);
    assert!(said.contains("WARNING: part is put down at the start overlapping slab by 40.00 mm; "), "{said}");
}
