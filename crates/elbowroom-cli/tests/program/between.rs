//! Between samples: `check --continuous`.

use crate::support::{folder, lines, run, text};
use serde_json::Value;

#[test]
fn continuous_checks_see_between_samples() {
    let folder = folder("continuous");
    // Both samples are clear, and the post stands between them: contact at 2 sin(a / 2) = 0.3 before a
    // quarter turn.
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
    assert!(summary.contains("edges: 1 free, 1 with contact, 0 unknown; first contact at 2"), "{summary}");
    // Its page says so first, and where.
    let out = run(
        &folder,
        &["check", "cell.toml", "--motion", "jump.csv", "--continuous", "--report", "page.html"],
    );
    assert_eq!(out.status.code(), Some(1));
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(
        page.contains("headline collision\">Contact at t = 1.27 s (between samples 1 and 2): "),
        "{page}"
    );
    let row = "<tr><td class=\"n\">1<td class=\"n\">2<td class=\"n\">1<td class=\"n v collision\">contact\
        <td class=\"n\">2";
    assert!(page.contains(row) && page.contains("<br>t = 1.2"), "{page}");
    // The pose of the contact is drawn, though both samples are clear.
    let drawn = "First contact between samples, on the way from sample 1 to 2: ";
    let card = page.split_once(drawn).unwrap_or_else(|| panic!("{page}")).1;
    let card = card.split_once("</article>").unwrap().0;
    assert!(card.contains("<span class=\"key a\">A</span> rod/arm") && card.contains("<svg"), "{card}");
    // The picture of the worst moment comes before the plot and all lists.
    let place = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words}: {page}"));
    assert!(place("<h2>The motion</h2>") < place("<h2>Smallest clearance over the motion</h2>"));
    assert!(place("class=\"still on\"") < place("<h2>Between samples</h2>"));
    assert!(!page.contains("Proved clear at all") && !page.contains("Between the samples nothing"));
    let free = ["check", "cell.toml", "--motion", "path.csv", "--continuous", "--report", "page.html"];
    let out = run(&folder, &free);
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    assert_eq!(out.status.code() == Some(0), page.contains("proved free of contact at every instant"));
    // Answers do not depend on the number of threads; a path of small steps is free where it is clear.
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

/// The part of an edge that holds an angle.
fn holds(interval: &Value, from: f64, to: f64, angle: f64) -> bool {
    let [a, b] = [0, 1].map(|i| from + (to - from) * interval[i].as_f64().unwrap());
    a <= angle + 1e-12 && angle <= b + 1e-12 && b - a < 1e-5
}

#[test]
fn the_margin_counts_between_samples_as_at_them() {
    let folder = folder("margin_between");
    let asin = |x: f64| 2.0 * x.asin();
    let (near, touching) =
        (std::f64::consts::FRAC_PI_2 - asin(0.35 / 2.0), std::f64::consts::FRAC_PI_2 - asin(0.15));
    // Up to within the margin, and up to contact.
    std::fs::write(folder.join("up.csv"), "t,turn\n0,0\n1,1\n2,1.25\n").unwrap();
    std::fs::write(folder.join("hit.csv"), "t,turn\n0,0\n1,1.24\n3,1.3\n").unwrap();
    let ask = |motion: &str, margin: &str| {
        let arguments =
            ["check", "cell.toml", "--motion", motion, "--continuous", "--margin", margin, "--json", "-"];
        run(&folder, &arguments)
    };
    let out = ask("up.csv", "0.05");
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let edges: Vec<Value> = lines(&out.stdout).into_iter().map(|line| line["edge"].clone()).collect();
    assert_eq!([&edges[1]["verdict"], &edges[2]["verdict"]], ["free", "near"], "{edges:?}");
    assert!(holds(&edges[2]["first_near"], 1.0, 1.25, near), "{edges:?}");
    assert_eq!(edges[2]["first_contact"], Value::Null);
    assert_eq!(edges[2]["pair"][0], "rod/arm");
    assert_eq!((&edges[2]["apart_until"], &edges[2]["apart_until_t"]), (&1.0.into(), &2.0.into()));
    assert_eq!(edges[2]["free_until"], edges[2]["first_near"][0]);
    assert_eq!([&edges[1]["free_until"], &edges[1]["apart_until"]], [1.0, 1.0]);
    let words = "edges: 1 free, 1 near, 0 with contact, 0 unknown; first near at 87.";
    assert!(text(&out.stderr).contains(words), "{}", text(&out.stderr));
    // Without a margin nothing is near, and nothing else changes.
    let out = ask("up.csv", "0");
    let edges: Vec<Value> = lines(&out.stdout).into_iter().map(|line| line["edge"].clone()).collect();
    assert_eq!([&edges[1]["verdict"], &edges[2]["verdict"]], ["free", "free"], "{edges:?}");
    assert!(text(&out.stderr).contains("edges: 2 free, 0 with contact, 0 unknown"), "{}", text(&out.stderr));
    // A contact is told with both: since when within the margin, and where it overlaps. The worse edge is
    // named first.
    for margin in ["0", "0.05"] {
        let out = ask("hit.csv", margin);
        assert_eq!(out.status.code(), Some(1));
        let edge = lines(&out.stdout)[2]["edge"].clone();
        assert_eq!(edge["verdict"], "contact");
        assert!(holds(&edge["first_contact"], 1.24, 1.3, touching), "{edge}");
        assert_eq!(edge["apart_until"], edge["first_contact"][0]);
        let free = edge["free_until"].as_f64().unwrap();
        assert!(if margin == "0" { edge["first_contact"][0] == free } else { free == 0.0 }, "{edge}");
        assert!(text(&out.stderr).contains("; first contact at 49."), "{}", text(&out.stderr));
    }
    let out = run(&folder, &["check", "cell.toml", "--at", "1.5707", "--at", "1.5708", "--continuous"]);
    let words = "first contact at the start of the way to sample 1, between";
    assert!(text(&out.stderr).contains(words), "{}", text(&out.stderr));
    // Past a post, near between two clear samples: the page says so.
    std::fs::write(folder.join("past.csv"), "turn\n1.2\n1.9\n").unwrap();
    let cell =
        std::fs::read_to_string(folder.join("cell.toml")).unwrap().replace("[0, 1, 0]", "[0, 1.32, 0]");
    std::fs::write(folder.join("past.toml"), cell).unwrap();
    let out = run(
        &folder,
        &["check", "past.toml", "--motion", "past.csv", "--continuous", "--report", "past.html"],
    );
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert!(
        text(&out.stderr).contains("2 clear") && text(&out.stderr).contains("0 free, 1 near, 0 with contact")
    );
    let page = std::fs::read_to_string(folder.join("past.html")).unwrap();
    assert!(
        page.contains("headline near\">No contact, but within the margin between samples 0 and 1 (at "),
        "{page}"
    );
    let row = "<tr><td class=\"n\">0<td class=\"n\">1<td class=\"n\">1<td class=\"n v near\">near\
        <td class=\"n\">";
    assert!(page.contains(row), "{page}");
    assert!(page.contains("proved free of contact at every instant"));
}

#[test]
fn a_pair_that_touches_all_along_does_not_hide_a_contact() {
    let folder = folder("touching");
    let cell = std::fs::read_to_string(folder.join("cell.toml")).unwrap();
    // A ball about the axis, and one that touches it at every angle.
    let urdf = std::fs::read_to_string(folder.join("rod.urdf")).unwrap();
    let hub = r#"<link name="hub"><collision><geometry><sphere radius="0.125"/></geometry></collision>
      <collision><origin xyz="-0.3 0 0"/><geometry><sphere radius="0.01"/></geometry></collision></link>
      <joint name="on" type="fixed"><parent link="arm"/><child link="hub"/></joint></robot>"#;
    std::fs::write(folder.join("hub.urdf"), urdf.replace("</robot>", hub)).unwrap();
    let post = "\n[[obstacle]]\nname = \"touching\"\nxyz = [0, 0, 0.25]\n\
        shape = { type = \"sphere\", radius = 0.125 }\n";
    std::fs::write(folder.join("touching.toml"), cell.replace("rod.urdf", "hub.urdf") + post).unwrap();
    std::fs::write(folder.join("jump.csv"), "turn\n0\n2\n").unwrap();
    let arguments =
        ["check", "touching.toml", "--motion", "jump.csv", "--continuous", "--margin", "0", "--json", "-"];
    let out = run(&folder, &arguments);
    assert_eq!(out.status.code(), Some(1));
    let edge = lines(&out.stdout)[1]["edge"].clone();
    let touching = std::f64::consts::FRAC_PI_2 - 2.0 * 0.15_f64.asin();
    assert!(holds(&edge["first_contact"], 0.0, 2.0, touching), "{edge}");
    assert_eq!(edge["pair"][0], "rod/arm");
    assert_eq!((&edge["apart_until"], &edge["open_pair"][1]), (&0.0.into(), &"world/touching".into()));
    assert!(text(&out.stderr).contains("(from 0 % on nothing is proved of rod/hub and world/touching)"));
}
