//! Between samples and over whole ranges of joints: `check --continuous`, `pairs --prove`.

mod support;

use serde_json::Value;
use support::{folder, lines, run, text};

#[test]
fn continuous_checks_see_between_samples() {
    let folder = folder("continuous");
    // Both samples are clear, and the post stands between them: contact at 2 sin(a / 2) = 0.3 before a quarter turn.
    std::fs::write(folder.join("jump.csv"), "t,turn\n0,0\n1,1\n2,2\n").unwrap();
    let sampled = run(&folder, &["check", "cell.toml", "--motion", "jump.csv"]);
    assert_eq!(sampled.status.code(), Some(0), "{}", text(&sampled.stderr));
    let out = run(&folder, &["check", "cell.toml", "--motion", "jump.csv", "--continuous", "--json", "-"]);
    assert_eq!(out.status.code(), Some(1));
    let lines = lines(&out.stdout);
    assert_eq!((&lines[0]["edge"], &lines[1]["edge"]["verdict"]), (&Value::Null, &"free".into()));
    let edge = &lines[2]["edge"];
    assert_eq!(edge["verdict"], "contact");
    let [a, b] = [0, 1].map(|i| edge["first_contact"][i].as_f64().unwrap());
    let angle = std::f64::consts::FRAC_PI_2 - 2.0 * 0.15_f64.asin() - 1.0;
    assert!(a <= angle && angle <= b && b - a < 1e-5, "{a} {b} {angle}");
    assert!((edge["first_contact_t"][1].as_f64().unwrap() - 1.0 - b).abs() < 1e-9);
    assert_eq!(edge["pair"][0], "rod/arm");
    let summary = text(&out.stderr);
    assert!(
        summary.contains("edges: 1 free, 1 with contact, 0 unknown; first contact from 0.2"),
        "{summary}"
    );
    // Its page says so first, and where.
    let out = run(
        &folder,
        &["check", "cell.toml", "--motion", "jump.csv", "--continuous", "--report", "page.html"],
    );
    assert_eq!(out.status.code(), Some(1));
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(page.contains("headline collision\">Contact between samples, on 1 of 2 edges<"), "{page}");
    assert!(page.contains("<tr><td>2<td class=\"v collision\">contact<td class=\"n\">from 0.2"), "{page}");
    assert!(!page.contains("Proved clear at all") && !page.contains("Between the samples nothing"));
    let free = ["check", "cell.toml", "--motion", "path.csv", "--continuous", "--report", "page.html"];
    let out = run(&folder, &free);
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    assert_eq!(out.status.code() == Some(0), page.contains("proved free of contact at every instant"));
    // The same on any number of threads; a path of small steps is free where it is clear.
    let path = |threads: &str| {
        let arguments = [
            "check",
            "cell.toml",
            "--motion",
            "path.csv",
            "--continuous",
            "--threads",
            threads,
            "--json",
            "-",
        ];
        run(&folder, &arguments).stdout
    };
    assert_eq!(path("1"), path("2"));
}

#[test]
fn proved_pairs_are_written_as_srdf() {
    let folder = folder("prove");
    // A base, an elbow, and a hand that reaches the base or not, by its length.
    let robot = |length: f64| {
        format!(
            r#"<robot name="three &amp; more">
  <link name="base"><collision><geometry><sphere radius="0.2"/></geometry></collision></link>
  <link name="elbow"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="hand"><collision><origin xyz="{length} 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="a" type="continuous"><parent link="base"/><child link="elbow"/><origin xyz="0 0 0"/><axis xyz="0 0 1"/></joint>
  <joint name="b" type="continuous"><parent link="elbow"/><child link="hand"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>
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
    let wrong = "<robot name=\"three &amp; more\"><disable_collisions link1=\"base\" link2=\"hand\" reason=\"Never\"/></robot>";
    std::fs::write(folder.join("wrong.srdf"), wrong).unwrap();
    let out = run(&folder, &["pairs", "three.urdf", "--srdf", "wrong.srdf", "--prove"]);
    assert!(text(&out.stderr).contains("WARNING: the SRDF disables"), "{}", text(&out.stderr));
    let out = run(&folder, &["pairs", "three.urdf", "--srdf-out", "x.srdf"]);
    assert_eq!(out.status.code(), Some(2));
}
