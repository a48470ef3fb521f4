//! A body within a mesh that does not close: the sample is unknown, and says why.

use crate::support::{folder, lines, run, text};
use std::fmt::Write;

/// A cube from -0.5 to 0.5 of `n` by `n` squares a face, without its last triangle.
fn housing(n: i32) -> String {
    let mut obj = String::new();
    let mut corners = 0;
    for (axis, side) in (0..3).flat_map(|axis| [(axis, -0.5), (axis, 0.5)]) {
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            for (u, v) in [(0, 0), (1, 0), (1, 1), (0, 1)] {
                let mut p = [side; 3];
                p[(axis + 1) % 3] = f64::from(i + u) / f64::from(n) - 0.5;
                p[(axis + 2) % 3] = f64::from(j + v) / f64::from(n) - 0.5;
                writeln!(obj, "v {} {} {}", p[0], p[1], p[2]).unwrap();
            }
            let [a, b, c, d] = [1, 2, 3, 4].map(|k| corners + k);
            let [b, d] = if side < 0.0 { [d, b] } else { [b, d] };
            writeln!(obj, "f {a} {b} {c}\nf {a} {c} {d}").unwrap();
            corners += 4;
        }
    }
    obj.truncate(obj.trim_end().rfind('\n').unwrap() + 1);
    obj
}

#[test]
fn what_an_open_mesh_encloses_is_unknown_and_told_of_the_sample() {
    let folder = folder("enclosed");
    std::fs::write(folder.join("housing.obj"), housing(4)).unwrap();
    let world = "[[robot]]\nurdf = \"rod.urdf\"\n[[obstacle]]\nname = \"housing\"\nxyz = [1, 0, 0]\n\
        mesh = { file = \"housing.obj\" }\n";
    std::fs::write(folder.join("open.toml"), world).unwrap();
    std::fs::write(folder.join("three.csv"), "turn\n1.9\n0\n0.05\n").unwrap();
    let out = run(&folder, &["check", "open.toml", "--motion", "three.csv", "--json", "-"]);
    assert_eq!(out.status.code(), Some(1));
    let samples = lines(&out.stdout);
    let told: Vec<_> = samples.iter().map(|s| (s["verdict"].as_str(), s["stop"].as_str())).collect();
    assert_eq!(told[0].0, Some("clear"));
    assert_eq!(told[1..], [(Some("unknown"), Some("shut_in")); 2]);
    let note =
        "note: 1 body has an open mesh and is treated as a surface; a body inside one would be `unknown`";
    // What is of the files alone is told once, where they are asked about.
    let told = text(&out.stderr);
    assert!(
        !told.contains(note) && told.contains("note: 2 notes about these files: elbowroom info"),
        "{told}"
    );
    let told = text(&run(&folder, &["info", "open.toml"]).stderr);
    assert!(told.contains(note) && !told.contains("about these files"), "{told}");
    let quiet = ["check", "open.toml", "--motion", "three.csv", "--quiet"];
    let told = text(&run(&folder, &quiet).stderr);
    assert!(told.starts_with("summary: ") && told.lines().count() == 1, "{told}");
    let out = run(&folder, &["check", "open.toml", "--motion", "three.csv", "--report", "enclosed.html"]);
    let words = "note: 2 samples are unknown because an open mesh encloses a body";
    let (table, page) = (text(&out.stdout), std::fs::read_to_string(folder.join("enclosed.html")).unwrap());
    assert!(
        table.contains(words) && table.contains("the first is sample 1, between rod/arm and world/housing"),
        "{table}"
    );
    let plain = words.replace("note: ", "");
    assert!(page.contains(&plain) && !page.contains(words), "{page}");
    let hull = run(&folder, &["check", "open.toml", "--at", "0", "--geometry", "hull", "--json", "-"]);
    assert_eq!(lines(&hull.stdout)[0]["verdict"], "collision");
}
