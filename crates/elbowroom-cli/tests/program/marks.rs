//! What a page shows of the ways between samples, and of pairs that a motion leaves out for a time.

use crate::support::{folder, run, text};
use std::path::{Path, PathBuf};

fn page(folder: &Path, world: &str, motion: &str, more: &[&str]) -> (String, String) {
    let out = run(folder, &[&["check", world, "--motion", motion, "--report", "page.html"], more].concat());
    assert!(matches!(out.status.code(), Some(0 | 1)), "{}", text(&out.stderr));
    (std::fs::read_to_string(folder.join("page.html")).unwrap(), text(&out.stdout) + &text(&out.stderr))
}

fn between<'a>(text: &'a str, from: &str, to: &str) -> Vec<&'a str> {
    text.split(from).skip(1).filter_map(|rest| rest.split(to).next()).collect()
}

#[test]
fn contact_between_samples_leads_and_is_marked() {
    let folder = folder("marks_contact");
    // Clear at all samples; the arm passes through the post on the way to the last but one.
    std::fs::write(folder.join("jump.csv"), "t,turn\n0,0\n1,1\n2,2\n3,1.99\n").unwrap();
    let (page, said) = page(&folder, "cell.toml", "jump.csv", &["--continuous"]);
    let words = "ontact at t = 1.27 s (between samples 1 and 2): rod/arm and world/";
    assert!(page.contains(&format!("<p class=\"headline collision\">C{words}")), "{page}");
    // In the table and in the last line, before what the samples say.
    for text in said.split("summary: ") {
        let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
        assert!(place(words) < place("at the samples: smallest clearance"), "{text}");
    }
    let lead = between(&page, "<p class=\"lead\">", "</p>")[0];
    assert!(
        lead.contains("At the samples: smallest clearance ") && !lead.contains("clearance <b>"),
        "{lead}"
    );
    // The plot, the slider and a button of its own, which leads to a still of the contact.
    let mark = between(&page, "<rect class=\"hit collision\" x=\"", "\"");
    assert!(
        mark.len() == 1 && (mark[0].parse::<f64>().unwrap() - 1000.0 * 1.2697 / 3.0).abs() < 0.5,
        "{mark:?}"
    );
    assert!(between(&page, "<span class=\"hit collision\"", "</span>")[0].ends_with(">contact"));
    assert_eq!(page.matches("<i class=\"collision\" style=\"--at:").count(), 1);
    let stills = between(&page, "<g class=\"still", "</g>");
    assert_eq!(stills.len(), 5);
    let button = between(&page, "<button class=\"to\" type=\"button\" data-k=\"", "</button>")[0];
    assert_eq!(button, "2\" hidden>First contact");
    assert!(stills[2].contains("data-say=\"First contact. Contact at t = 1.27 s (between"), "{}", stills[2]);
    // Its card has what other moments have.
    let card =
        between(&page, "<article class=\"card moment\"><h3>First contact between samples", "</article>");
    for words in
        ["<span class=\"key a\">A</span>", "<dt>point of A<dd>(", "<summary>Joint values", "turn = 1.26"]
    {
        assert!(card[0].contains(words), "{words}: {}", card[0]);
    }
    assert!(page.contains("Of the others nothing is known from there on"), "{page}");
    // The pair is the first of all pairs, with what is known between samples.
    let pairs = page.split_once("<h2>All pairs</h2>").unwrap().1;
    assert!(between(pairs, "<tr><td>", "</tr>")[0].contains(">contact between samples<"), "{pairs}");
    assert!(page.contains("between_samples") && page.contains("between samples they are only drawn"));
    assert!(!page.contains("edges with the same answer"));
    // A contact is told before what is near, though that comes first.
    let (page, _) = self::page(&folder, "cell.toml", "jump.csv", &["--continuous", "--margin", "0.6"]);
    assert!(page.contains("<p class=\"headline collision\">C") || page.contains("hit near"), "{page}");
}

#[test]
fn near_between_samples_does_not_lead_with_the_clearance_at_samples() {
    let folder = folder("marks_near");
    std::fs::write(folder.join("past.csv"), "t,turn\n0,1.2\n1,1.9\n").unwrap();
    let cell =
        std::fs::read_to_string(folder.join("cell.toml")).unwrap().replace("[0, 1, 0]", "[0, 1.32, 0]");
    std::fs::write(folder.join("past.toml"), cell).unwrap();
    let (page, said) = page(&folder, "past.toml", "past.csv", &["--continuous"]);
    assert!(page.contains("headline near\">No contact, but within the margin at t = 0."), "{page}");
    let lead = between(&page, "<p class=\"lead\">", "</p>")[0];
    assert!(
        lead.contains("At the samples: smallest clearance ") && !lead.contains("clearance <b>"),
        "{lead}"
    );
    assert!(said.contains("within the margin at t = 0."), "{said}");
    assert_eq!(page.matches("<rect class=\"hit near\"").count(), 1);
    // There and back: two ways that are near for a time each, not one.
    std::fs::write(folder.join("back.csv"), "t,turn\n0,1.2\n1,1.9\n2,1.2\n").unwrap();
    let (twice, _) = self::page(&folder, "past.toml", "back.csv", &["--continuous"]);
    assert_eq!(twice.matches("<rect class=\"hit near\"").count(), 2, "{twice}");
    assert_eq!(twice.matches("<td class=\"n v near\">near<").count(), 2, "{twice}");
    // The curve goes through the least of each, and a button leads to the least of all.
    let line = between(&twice, "<path class=\"line ", "/>")[0];
    assert_eq!(line.matches(['M', 'L']).count(), 5, "{line}");
    assert!(twice.contains("data-say=\"Least clearance on all ways that are apart: "), "{twice}");
    // The saved numbers have what the plot shows between samples.
    let saved = between(&twice, "download=\"clearance.csv\" href=\"data:text/csv;charset=utf-8,", "\"")[0];
    assert_eq!(saved.matches("near%20begins").count(), 2, "{saved}");
    assert_eq!(saved.matches("least%20of%20the%20way").count(), 2, "{saved}");
    assert!(twice.contains("<caption>On a way within the margin two pairs are named"), "{twice}");
    // How near is told, with the place.
    assert!(lead.contains("Least clearance on all ways that are apart: "), "{lead}");
    assert!(
        page.contains("<h3>Least clearance between samples, on the way from sample 0 to 1: <span"),
        "{page}"
    );
    let arguments = ["check", "past.toml", "--motion", "past.csv", "--continuous", "--json", "-"];
    let out = run(&folder, &arguments);
    let last: serde_json::Value = serde_json::from_str(text(&out.stdout).lines().last().unwrap()).unwrap();
    let least = &last["edge"]["least"];
    let [lower, upper] = ["lower", "upper"].map(|end| least[end].as_f64().unwrap());
    assert!(0.0 < lower && lower <= upper && upper < last["lower"].as_f64().unwrap(), "{last}");
}

#[test]
fn ways_that_were_not_checked_are_told_in_the_headline() {
    let folder = folder("marks_unasked");
    std::fs::write(folder.join("jump.csv"), "t,turn\n0,0\n1,1\n2,2\n").unwrap();
    let (page, said) = page(&folder, "cell.toml", "jump.csv", &[]);
    let words = "<p class=\"headline clear\">Proved clear at all 3 samples; the ways between them were not \
                 checked</p>";
    assert!(page.contains(words), "{page}");
    assert!(
        said.contains("note: the ways between the samples are not checked: --continuous checks"),
        "{said}"
    );
    // A collision is the headline; then it is said below it.
    std::fs::write(folder.join("hit.csv"), "turn\n0\n1.5\n").unwrap();
    let (page, _) = self::page(&folder, "cell.toml", "hit.csv", &[]);
    assert!(page.contains("<b>The ways between the samples were not checked.</b>"), "{page}");
    let (page, said) = self::page(&folder, "cell.toml", "jump.csv", &["--continuous"]);
    assert!(!page.contains("not checked</p>") && !said.contains("--continuous"), "{said}");
    // Single poses are no motion.
    let out = run(&folder, &["check", "cell.toml", "--at", "0", "--at", "1"]);
    assert!(!text(&out.stderr).contains("--continuous"), "{}", text(&out.stderr));
}

/// A hand with a part over a table, which it lifts; the part rests on the table, to the digits of `z`.
fn lift(test: &str, z: f64) -> PathBuf {
    let folder = folder(test);
    let urdf = r#"<robot name="lift"><link name="base"/><link name="hand"><collision>
        <origin xyz="0 0 0.3"/><geometry><box size="0.02 0.02 0.1"/></geometry></collision></link>
        <link name="far"><collision><origin xyz="0 3 1"/>
        <geometry><sphere radius="0.1"/></geometry></collision>
        </link><joint name="up" type="prismatic"><parent link="base"/><child link="hand"/><axis xyz="0 0 1"/>
        <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
        <joint name="on" type="revolute"><parent link="base"/><child link="far"/><axis xyz="0 0 1"/>
        <limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"#;
    std::fs::write(folder.join("lift.urdf"), urdf).unwrap();
    let cell = format!(
        "[[robot]]\nurdf = \"lift.urdf\"\n\
         [[obstacle]]\nname = \"table\"\nxyz = [0, 0, 0.05]\n\
         shape = {{ type = \"box\", size = [1, 1, 0.1] }}\n\
         [[obstacle]]\nname = \"part\"\nmovable = true\nxyz = [0, 0, {z}]\n\
         shape = {{ type = \"box\", size = [0.1, 0.1, 0.1] }}\n"
    );
    std::fs::write(folder.join("cell.toml"), cell).unwrap();
    let attach = "{\"attach\": {\"name\": \"part\", \"attached_to\": \"lift/hand\"}}\n";
    let allow = "{\"allow\": {\"a\": \"part\", \"b\": \"table\", \"reason\": \"rests on it\"}}\n";
    let forbid = "{\"forbid\": {\"a\": \"part\", \"b\": \"table\"}}\n";
    let pose = |t: f64, z: f64| format!("{{\"t\": {t}, \"q\": [{z}, 0]}}\n");
    let told = [&pose(0.0, 0.0), attach, allow, &pose(0.5, 0.05), forbid, &pose(1.0, 0.5)].concat();
    std::fs::write(folder.join("told.jsonl"), told).unwrap();
    let bare = [&pose(0.0, 0.0), attach, &pose(0.5, 0.0), &pose(1.0, 0.5)].concat();
    std::fs::write(folder.join("bare.jsonl"), bare).unwrap();
    folder
}

#[test]
fn a_pose_is_asked_once_more_after_its_events_and_counts() {
    let folder = lift("marks_after", 0.15);
    let arguments = ["check", "cell.toml", "--motion", "told.jsonl", "--json", "lines.jsonl"];
    let lines = |more: &[&str]| {
        let out = run(&folder, &[&arguments[..], more].concat());
        let lines = std::fs::read_to_string(folder.join("lines.jsonl")).unwrap();
        let lines = lines.lines().map(|line| serde_json::from_str(line).unwrap());
        (lines.collect::<Vec<serde_json::Value>>(), text(&out.stdout))
    };
    let (found, said) = lines(&["--continuous"]);
    // Sample 1 is asked before its event. After it the part is checked again, 50 mm above the table.
    let after = &found[1]["after"];
    assert!(found[1]["lower"].as_f64().unwrap() > 0.06, "{}", found[1]);
    assert!((after["lower"].as_f64().unwrap() - 0.05).abs() < 1e-6, "{after}");
    assert_eq!(after["events"][0]["forbid"]["a"], "world/part");
    assert!(found[2].get("after").is_none());
    assert!(said.contains("smallest clearance 50.00 mm, sample 1 (t = 0.5 s) after its events"), "{said}");
    // The page shows it with a picture and a ring, and its numbers.
    let (page, _) = page(&folder, "cell.toml", "told.jsonl", &["--continuous"]);
    assert!(
        page.contains("Sample 1 (t = 0.5 s) after its events: <span class=\"clear\">clear</span>, 50.00 mm")
    );
    assert!(page.contains("Rings: the pose of a sample once more"), "{page}");
    assert!(page.contains("no longer allowed, then clear, 50.00 mm between"), "{page}");
    let words = "<b>Not checked: 1 pair that events let touch for a time, hatched in the plot.</b>";
    assert!(between(&page, "<p class=\"lead\">", "</p>")[0].contains(words), "{page}");
    // At samples alone nothing is said of the ways, nor of how they begin.
    let (found, said) = lines(&[]);
    assert!(found.iter().all(|line| line.get("after").is_none()) && !said.contains("its events"), "{said}");
}

#[test]
fn a_pair_that_is_left_out_is_hatched_with_one_time_everywhere() {
    let folder = lift("marks_hatched", 0.15);
    let (page, said) = page(&folder, "cell.toml", "told.jsonl", &["--continuous"]);
    let when = "from after sample 0 (t = 0 s) to sample 1 (t = 0.5 s)";
    let hatch = between(&page, "<div class=\"hatch\" style=\"", "\"");
    assert_eq!(hatch, ["left:0.00%;width:max(50.00%, 5px)"]);
    assert!(
        page.contains(&format!(
            "those of the other pairs: world/part and world/table, {when} (rests on it)."
        ))
    );
    // The list of what is proved, the table of pairs and that of pairs left out have the same words.
    assert!(page.contains(&format!("world/part and world/table {when} (rests on it).")), "{page}");
    assert_eq!(page.matches(&format!("\"wide\">{when}: rests on it<")).count(), 2, "{page}");
    // The curve of the others does not go on from that of all.
    assert!(page.matches("<path class=\"line").count() > 2, "{page}");
    // An event has one time: in the summary, in the list, at the mark and in the words of its sample.
    let event = "part attached to lift/hand, part and table allowed (rests on it)";
    assert!(
        said.contains(&format!("changes after sample 0 (t = 0 s): {event}; after sample 1 (t = 0.5 s): "))
    );
    assert!(page.contains(&format!("<li>after sample 0 (t = 0 s): {event}")), "{page}");
    assert!(page.contains(&format!(". After it: {event}")), "{page}");
    let marks = between(&page, "<line class=\"event\" x1=\"", "\"");
    assert_eq!(marks, ["0.0", "500.0"]);
    assert!(!page.contains("behind sample") && !page.contains("from sample 1 on"));
    // The saved numbers are those of both curves.
    let saved = between(&page, "download=\"clearance.csv\" href=\"data:text/csv;charset=utf-8,", "\"")[0];
    assert!(
        saved.starts_with("sample,t,verdict,lower,upper,first,second,itself_lower,itself_upper,cell_lower,")
    );
}

#[test]
fn what_only_touches_is_told_with_what_to_do() {
    // To the last digit; and a hair too deep, as joint values of six digits leave it.
    for (z, words) in [
        (0.15, "bodies touch, as a part and what it lies on. A motion may allow such a pair"),
        (
            0.149_999_98,
            "no overlap at a sample is deeper than a micrometre (sample 0 (t = 0 s) after its events: ",
        ),
    ] {
        let folder = lift("marks_touch", z);
        let (page, said) = page(&folder, "cell.toml", "bare.jsonl", &["--continuous"]);
        assert!(page.contains("A motion may allow such a pair where the part is taken"), "{z}: {page}");
        assert!(said.contains(words) && said.contains("Write events `allow` and `forbid`"), "{z}: {said}");
        assert!(said.contains("--touch 1e-6 counts"), "{z}: {said}");
        assert!(z == 0.15 || said.contains("20.00 nm"), "{said}");
        assert!(!said.contains("e-8 m"), "{said}");
    }
}
