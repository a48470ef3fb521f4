//! Proofs over whole ranges of joints: `pairs --prove`, the SRDF it writes, and its record.

use crate::support::{folder, lines, run, text};
use serde_json::Value;

#[test]
fn proved_pairs_are_written_as_srdf() {
    let folder = folder("prove");
    // A base, an elbow, and a hand that reaches the base or not, by its length.
    let robot = |length: f64| {
        format!(
            r#"<robot name="three &amp; more">
  <link name="base"><collision><geometry><sphere radius="0.2"/></geometry></collision></link>
  <link name="elbow"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="hand"><collision><origin xyz="{length} 0 0"/>
    <geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="a" type="continuous"><parent link="base"/><child link="elbow"/>
    <origin xyz="0 0 0"/><axis xyz="0 0 1"/></joint>
  <joint name="b" type="continuous"><parent link="elbow"/><child link="hand"/>
    <origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>
</robot>"#
        )
    };
    for (length, claim) in [(0.5, "never"), (0.9, "sometimes")] {
        std::fs::write(folder.join("three.urdf"), robot(length)).unwrap();
        let out = run(&folder, &["pairs", "three.urdf", "--prove", "--srdf-out", "out.srdf", "--json", "-"]);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let lines = lines(&out.stdout);
        assert_eq!((lines.len(), &lines[0]["claim"]), (1, &claim.into()), "{lines:?}");
        if claim == "sometimes" {
            let at: Vec<String> =
                lines[0]["collides_at"].as_array().unwrap().iter().map(|v| v.to_string()).collect();
            let hit = run(&folder, &["check", "three.urdf", "--at", &at.join(",")]);
            assert_eq!(hit.status.code(), Some(1), "{at:?}");
        }
        let srdf = std::fs::read_to_string(folder.join("out.srdf")).unwrap();
        let never = "<disable_collisions link1=\"base\" link2=\"hand\" reason=\"Never\"/>";
        assert_eq!(srdf.contains(never), claim == "never", "{srdf}");
        assert!(srdf.contains("link1=\"base\" link2=\"elbow\" reason=\"Adjacent\""), "{srdf}");
        // What was written is read again, and disables what it says.
        let again = run(&folder, &["pairs", "three.urdf", "--srdf", "out.srdf"]);
        let count = if claim == "never" { "0 checked, 3 allowed" } else { "1 checked, 2 allowed" };
        assert!(text(&again.stdout).contains(count), "{} {}", text(&again.stdout), text(&again.stderr));
    }
    // An SRDF that is wrong is told, and a wrong use is refused.
    let wrong = "<robot name=\"three &amp; more\">\
        <disable_collisions link1=\"base\" link2=\"hand\" reason=\"Never\"/></robot>";
    std::fs::write(folder.join("wrong.srdf"), wrong).unwrap();
    let out = run(&folder, &["pairs", "three.urdf", "--srdf", "wrong.srdf", "--prove"]);
    let said = text(&out.stderr);
    let words = "WARNING: 1 pair disabled by the SRDF can collide";
    assert!(said.contains(words) && said.contains("/hand (Never): --at "), "{said}");
    let out = run(&folder, &["pairs", "three.urdf", "--srdf-out", "x.srdf"]);
    assert_eq!(out.status.code(), Some(2));
}

#[test]
fn one_configuration_is_always_or_never() {
    let folder = folder("only");
    let surface = |points: &str| format!("{points}f 1 2 3\n");
    std::fs::write(folder.join("plate.obj"), surface("v -1 -1 0\nv 1 -1 0\nv 0 1 0\n")).unwrap();
    std::fs::write(folder.join("wall.obj"), surface("v 0 -0.5 -1\nv 0 -0.5 1\nv 0 0.9 0\n")).unwrap();
    // A wall through a plate, without an inside that could be shared, on a joint with these limits; and one
    // beside it.
    let link = |name: &str, file: &str, x: f64| {
        format!(
            "<link name=\"{name}\"><collision><origin xyz=\"{x} 0 0\"/><geometry>\
             <mesh filename=\"{file}.obj\"/>\
             </geometry></collision></link>"
        )
    };
    let turn = |name: &str, parent: &str, child: &str, [lower, upper]: [&str; 2], more: &str| {
        format!(
            "<joint name=\"{name}\" type=\"revolute\"><parent link=\"{parent}\"/><child link=\"{child}\"/>\
             <axis xyz=\"0 0 1\"/><limit lower=\"{lower}\" upper=\"{upper}\" effort=\"1\" velocity=\"1\"/>\
             {more}</joint>"
        )
    };
    let ask = |x: f64, limits: [&str; 2], follower: &str| {
        let robot = format!(
            "<robot name=\"r\">{}{}<link name=\"mid\"/><link name=\"flap\"/>{}{}{follower}</robot>",
            link("plate", "plate", 0.0),
            link("wall", "wall", x),
            turn("j1", "plate", "mid", limits, ""),
            turn("j2", "mid", "wall", ["0.25", "0.25"], "")
        );
        std::fs::write(folder.join("r.urdf"), robot).unwrap();
        let out = run(&folder, &["pairs", "r.urdf", "--prove", "--boxes", "5000", "--json", "pairs.json"]);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let line = lines(&std::fs::read(folder.join("pairs.json")).unwrap()).remove(0);
        (line, text(&out.stdout))
    };
    let flap = |limits, scale: &str| {
        let mimic = format!("<mimic joint=\"j1\" multiplier=\"{scale}\"/>");
        turn("j3", "plate", "flap", limits, &mimic)
    };
    let still = "<joint name=\"j3\" type=\"fixed\"><parent link=\"plate\"/><child link=\"flap\"/></joint>";
    let point = |value: &'static str| [value; 2];
    // Mimics too may leave a point.
    let mirrored = flap(["0", "1"], "-1");
    for (limits, follower) in [(point("0"), still), (point("-0.3"), still), (["0", "1"], &mirrored)] {
        let (line, _) = ask(0.0, limits, follower);
        assert_eq!((&line["claim"], &line["boxes"]), (&"always".into(), &1.into()), "{limits:?} {line}");
        let at: Vec<String> = line["collides_at"].as_array().unwrap().iter().map(|v| v.to_string()).collect();
        assert_eq!(
            run(&folder, &["check", "r.urdf", "--at", &at.join(",")]).status.code(),
            Some(1),
            "{at:?}"
        );
        let (line, _) = ask(3.0, limits, follower);
        assert_eq!(line["claim"], "never", "{line}");
    }
    // A range that has a length is more than its middle, however short; so is one that rounding may have
    // shortened.
    let rounded = flap(["0.3", "1"], "3");
    let short = ["0", "0.00001"];
    for (limits, follower) in [(short, still), (["0", "0.1"], &rounded)] {
        let (line, table) = ask(0.0, limits, follower);
        assert_eq!(line["claim"], "open", "{limits:?} {line}");
        let at = line["collides_at"].as_array().unwrap();
        let words =
            format!("open       overlaps at --at {},{}, no pose found where they are clear; ", at[0], at[1]);
        assert!(table.contains(&words), "{words} {table}");
    }
}

/// A hub with a hand that reaches it round an elbow, beyond the elbow's limits.
fn folding(limit: f64) -> String {
    format!(
        r#"<robot name="fold">
  <link name="hub"><collision><geometry><sphere radius="0.2"/></geometry></collision></link>
  <link name="elbow"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="hand"><collision><origin xyz="0.9 0 0"/>
    <geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="a" type="continuous"><parent link="hub"/><child link="elbow"/><axis xyz="0 0 1"/></joint>
  <joint name="b" type="revolute"><parent link="elbow"/><child link="hand"/>
    <origin xyz="1 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-{limit}" upper="{limit}" effort="1" velocity="1"/></joint>
</robot>"#
    )
}

#[test]
fn beyond_limits_no_proof_within_limits_counts() {
    let folder = folder("beyond_limits");
    std::fs::write(folder.join("fold.urdf"), folding(1.0)).unwrap();
    let cell = "[[robot]]\nurdf = \"fold.urdf\"\n[[obstacle]]\nname = \"far\"\nxyz = [2.5, 0, 0]\n\
        shape = { type = \"sphere\", radius = 0.1 }\n";
    std::fs::write(folder.join("fold.toml"), cell).unwrap();
    // The proof lies beside the robot, as the command that made it would leave it.
    let out = run(&folder, &["pairs", "fold.urdf", "--prove", "--no-srdf", "--srdf-out", "fold.srdf"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert!(std::fs::read_to_string(folder.join("fold.srdf")).unwrap().contains("reason=\"Never\""));
    let ask = |at: &[&str]| {
        let at: Vec<&str> = at.iter().flat_map(|at| ["--at", at]).collect();
        run(
            &folder,
            &[&["check", "fold.toml", "--ask", "test", "--ignore-limits", "--json", "-"], &at[..]].concat(),
        )
    };
    // Folded over, the hand is in the hub.
    let beyond = ask(&["0,0.5", "0,3.14159"]);
    assert_eq!(beyond.status.code(), Some(1), "{}", text(&beyond.stderr));
    let told = lines(&beyond.stdout);
    assert_eq!([&told[0]["verdict"], &told[1]["verdict"]], ["clear", "collision"], "{told:?}");
    let pair = told[1]["pair"].to_string();
    assert!(pair.contains("fold/hub") && pair.contains("fold/hand"), "{pair}");
    let note = "1 sample is outside the joint limits, and the reason Never of an SRDF holds within them \
        only: 1 pair disabled";
    assert!(text(&beyond.stderr).contains(note), "{}", text(&beyond.stderr));
    // Within limits the proof is used, whatever the option says.
    let within = ask(&["0,0.5"]);
    assert_eq!(within.status.code(), Some(0), "{}", text(&within.stderr));
    assert!(!text(&within.stderr).contains("Never"));
    assert_eq!(
        lines(&within.stdout)[0]["counts"]["pairs"].as_u64().unwrap() + 1,
        told[0]["counts"]["pairs"].as_u64().unwrap()
    );
    // Between samples as well.
    std::fs::write(folder.join("over.csv"), "a,b\n0,2\n0,4\n").unwrap();
    let arguments = [
        "check",
        "fold.toml",
        "--motion",
        "over.csv",
        "--ignore-limits",
        "--continuous",
        "--ask",
        "test",
        "--json",
        "-",
    ];
    let over = run(&folder, &arguments);
    assert_eq!(lines(&over.stdout)[1]["edge"]["verdict"], "contact", "{}", text(&over.stderr));
}

#[test]
fn an_srdf_does_not_rely_on_the_limits_of_mimics() {
    let folder = folder("mimics");
    // The elbow follows a lever that goes farther than the elbow may by its own limits.
    for (lever, never) in [(3.1, false), (1.0, true)] {
        let lever = format!(
            r#"<link name="lever"/>
            <joint name="lead" type="revolute"><parent link="hub"/><child link="lever"/>
            <axis xyz="0 0 1"/>
            <limit lower="-{lever}" upper="{lever}" effort="1" velocity="1"/></joint></robot>"#
        );
        let urdf = folding(1.0)
            .replace("velocity=\"1\"/></joint>\n", "velocity=\"1\"/><mimic joint=\"lead\"/></joint>\n");
        std::fs::write(folder.join("fold.urdf"), urdf.replace("</robot>", &lever)).unwrap();
        let arguments =
            ["pairs", "fold.urdf", "--no-srdf", "--prove", "--srdf-out", "out.srdf", "--json", "-"];
        let out = run(&folder, &arguments);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let row = lines(&out.stdout).into_iter().find(|row| row["claim"] != "open").unwrap();
        assert_eq!((&row["claim"], &row["pair"][1]), (&"never".into(), &"fold/hand".into()));
        let srdf = std::fs::read_to_string(folder.join("out.srdf")).unwrap();
        let disabled = "<disable_collisions link1=\"hub\" link2=\"hand\" reason=\"Never\"/>";
        assert_eq!(srdf.contains(disabled), never, "{srdf}");
        let why = "they never touch within the limits that mimic joints have of their own";
        assert_eq!(srdf.contains(why), !never, "{srdf}");
        assert_eq!(text(&out.stderr).contains(why), !never, "{}", text(&out.stderr));
        let without = if never { Value::Null } else { "sometimes".into() };
        assert_eq!(row["without_mimic_limits"], without, "{row}");
        // It is read again.
        let again = run(&folder, &["pairs", "fold.urdf", "--srdf", "out.srdf"]);
        assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    }
}

#[test]
fn interrupted_proofs_go_on() {
    let folder = folder("interrupted_proof");
    // Three pairs that are soon decided, and one that touches wherever it is folded: it would take very long.
    let urdf = folding(3.2).replace("xyz=\"0.9 0 0\"", "xyz=\"0.7 0 0\"").replace(
        "<link name=\"hub\">",
        r#"<link name="root"/>
        <link name="far"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
        <joint name="to_far" type="prismatic"><parent link="root"/><child link="far"/>
        <origin xyz="0 0 1"/><axis xyz="0 0 1"/>
        <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
        <joint name="to_hub" type="continuous">
        <parent link="root"/><child link="hub"/><axis xyz="0 0 1"/></joint>
        <link name="hub">"#,
    );
    std::fs::write(folder.join("fold.urdf"), &urdf).unwrap();
    let partial = folder.join("out.srdf.partial");
    let _ = std::fs::remove_file(&partial);
    let arguments = |boxes: &'static str| {
        ["pairs", "fold.urdf", "--no-srdf", "--prove", "--boxes", boxes, "--srdf-out", "out.srdf"]
    };
    let read = || std::fs::read_to_string(&partial).unwrap_or_default();
    let interrupted = || {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_elbowroom"))
            .current_dir(&folder)
            .args(arguments("100000000"))
            .stderr(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let start = std::time::Instant::now();
        while read().lines().count() < 4 {
            assert!(start.elapsed().as_secs() < 120 && child.try_wait().unwrap().is_none(), "{}", read());
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    };
    interrupted();
    let kept = read();
    // The last line cut, as by a full disk.
    std::fs::write(&partial, format!("{kept}0123456789abcdef {{\"pair\":[1,")).unwrap();
    let out = run(&folder, &arguments("100"));
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert!(text(&out.stderr).contains("holds earlier work on 3 pairs"), "{}", text(&out.stderr));
    assert!(!partial.exists());
    // It is the answer of a run that was not interrupted.
    let resumed = std::fs::read_to_string(folder.join("out.srdf")).unwrap();
    let fresh = run(&folder, &arguments("100"));
    assert!(!text(&fresh.stderr).contains("earlier work"), "{}", text(&fresh.stderr));
    let note = "note: until the work is done out.srdf.partial keeps what is proved; after an interruption";
    assert!(text(&fresh.stderr).contains(note), "{}", text(&fresh.stderr));
    assert_eq!(
        (&resumed, &out.stdout),
        (&std::fs::read_to_string(folder.join("out.srdf")).unwrap(), &fresh.stdout)
    );
    assert_eq!(resumed.matches("reason=\"Never\"").count(), 3, "{resumed}");
    // Of another world, of other geometry, changed, or something else: refused, and left as it is.
    let refused = |text_in: &str, urdf: &str, more: &[&str], why: &str| {
        std::fs::write(folder.join("fold.urdf"), urdf).unwrap();
        std::fs::write(&partial, text_in).unwrap();
        let out = run(&folder, &[&arguments("100")[..], more].concat());
        assert_eq!(out.status.code(), Some(2), "{why}: {}", text(&out.stderr));
        assert!(text(&out.stderr).contains(why), "{}", text(&out.stderr));
        assert_eq!(read(), text_in);
    };
    refused(&kept, &urdf.replace("0.7 0 0", "0.71 0 0"), &[], "proofs of another world");
    refused(&kept, &urdf.replace("-3.2", "-3.3"), &[], "proofs of another world");
    refused(&kept, &urdf, &["--geometry", "hull"], "another --geometry");
    refused(&kept.replacen("never", "always", 1), &urdf, &[], "is damaged in line");
    refused("my own notes\n", &urdf, &[], "is no record");
    refused("my own notes", &urdf, &[], "is no record");
    // With other boxes what is proved stays proved.
    std::fs::write(folder.join("fold.urdf"), &urdf).unwrap();
    std::fs::write(&partial, &kept).unwrap();
    let more = run(&folder, &arguments("200"));
    assert_eq!(more.status.code(), Some(0), "{}", text(&more.stderr));
    assert!(text(&more.stdout).contains("200 boxes"), "{}", text(&more.stdout));
    assert!(!text(&more.stderr).contains("stronger"), "{}", text(&more.stderr));
    // With fewer than it took, too, and that is said.
    let never = |arguments: &[&str]| {
        let out = run(&folder, arguments);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let srdf = std::fs::read_to_string(folder.join("out.srdf")).unwrap();
        (srdf.matches("reason=\"Never\"").count(), text(&out.stderr))
    };
    assert_eq!(never(&arguments("5")).0, 2);
    std::fs::write(&partial, &kept).unwrap();
    let (count, said) = never(&arguments("5"));
    let note =
        "note: of these, 1 pair is proved with more boxes than --boxes 5: the stronger proofs are kept\n";
    assert!(count == 3 && said.contains(note), "{count} {said}");
    let clash = run(&folder, &[&arguments("100")[..], &["--json", "out.srdf.partial"]].concat());
    assert_eq!(clash.status.code(), Some(2), "{}", text(&clash.stderr));
}
