//! Whose number is told: that of the bodies that the files declare, or, asked for, that of their hulls; and
//! every answer says which.

use crate::support::{ROD, folder, lines, prism, run, text};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// An arm that carries a prism on an L, whose hull a ball nearly touches: by 7 micrometres at the zero pose,
/// and 0.3853 from the L itself. A post is 0.25 from the L.
fn cell(test: &str) -> PathBuf {
    let folder = folder(test);
    std::fs::write(folder.join("ell.obj"), prism(0.2)).unwrap();
    let arm = ROD.replace("<origin xyz=\"1 0 0\"/>", "");
    let arm = arm.replace("<sphere radius=\"0.1\"/>", "<mesh filename=\"ell.obj\"/>");
    std::fs::write(folder.join("ell.urdf"), arm).unwrap();
    let middle = 0.6 + (0.05 + 7e-6) * std::f64::consts::FRAC_1_SQRT_2;
    let cell = format!(
        "[[robot]]\nurdf = \"ell.urdf\"\n\
         [[obstacle]]\nname = \"ball\"\nxyz = [{middle}, {middle}, 0.5]\n\
         shape = {{ type = \"sphere\", radius = 0.05 }}\n\
         [[obstacle]]\nname = \"post\"\nxyz = [-0.3, 0.5, 0.5]\n\
         shape = {{ type = \"sphere\", radius = 0.05 }}\n"
    );
    std::fs::write(folder.join("ell.toml"), cell).unwrap();
    folder
}

fn check(folder: &Path, more: &[&str]) -> Value {
    let out =
        run(folder, &[&["check", "ell.toml", "--at", "0", "--json", "-", "--all-pairs"], more].concat());
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    lines(&out.stdout).remove(0)
}

#[test]
fn the_number_is_the_robots_whatever_else_is_asked() {
    let folder = cell("whose");
    for (more, padding) in [
        (&[][..], 0.0),
        (&["--padding", "0.0001"], 1e-4),
        (&["--margin", "0.00001"], 0.0),
        (&["--margin", "0.01"], 0.0),
        (&["--geometry", "mesh"], 0.0),
    ] {
        let line = check(&folder, more);
        let is = |told: &Value, truth: f64| {
            let [lower, upper] = ["lower", "upper"].map(|key| told[key].as_f64().unwrap());
            assert!(lower <= truth && truth <= upper && upper - lower < 1e-9, "{more:?}: {truth}: {told}");
        };
        is(&line, 0.25 - padding);
        assert_eq!((&line["geometry"], &line["pair"][1]), (&"mesh".into(), &"world/post".into()), "{line}");
        let ball = line["pairs"].as_array().unwrap().iter().find(|p| p["pair"][1] == "world/ball").unwrap();
        let middle = 0.6 + (0.05 + 7e-6) * std::f64::consts::FRAC_1_SQRT_2;
        is(ball, middle - 0.2 - 0.05 - padding);
    }
    // The bounds of hulls are the bodies' too, and say nothing of how far they are at most.
    let line = check(&folder, &["--ask", "lower-bound"]);
    let ball = line["pairs"].as_array().unwrap().iter().find(|p| p["pair"][1] == "world/ball").unwrap();
    assert!(ball["upper"].is_null() && ball["lower"].as_f64() < Some(8e-6), "{ball}");
    assert_eq!((&ball["stop"], &ball["verdict"]), (&"decided".into(), &"clear".into()));
}

#[test]
fn hulls_are_answered_where_they_are_asked_for_and_said_to_be() {
    let folder = cell("declared");
    let line = check(&folder, &["--geometry", "hull"]);
    assert_eq!((&line["geometry"], &line["pair"][1]), (&"hull".into(), &"world/ball".into()), "{line}");
    assert!((line["distance"].as_f64().unwrap() - 7e-6).abs() < 1e-9, "{line}");
    let said = "each mesh counts as its convex hull";
    for (geometry, is) in [("hull", true), ("mesh", false)] {
        let shown = ["--geometry", geometry, "--report", "page.html"];
        let out = run(&folder, &[&["check", "ell.toml", "--at", "0"], &shown[..]].concat());
        let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
        for shown in [text(&out.stdout), text(&out.stderr), page] {
            assert_eq!(shown.contains(said), is, "{geometry}: {shown}");
        }
        for command in [&["bench", "ell.toml", "--poses", "2"][..], &["pairs", "ell.toml", "--prove"]] {
            let asked = [command, &["--geometry", geometry]].concat();
            assert_eq!(text(&run(&folder, &asked).stdout).contains(said), is, "{asked:?}");
            for row in lines(&run(&folder, &[&asked[..], &["--json", "-"]].concat()).stdout) {
                assert_eq!(row["geometry"], geometry, "{asked:?}: {row}");
            }
        }
    }
}

#[test]
fn there_are_two_words_for_it() {
    let folder = cell("words");
    for command in [&["check", "ell.toml"][..], &["bench", "ell.toml"], &["pairs", "ell.toml", "--prove"]] {
        let out = run(&folder, &[command, &["--geometry", "auto"]].concat());
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{said}");
        assert!(said.contains("'auto' for '--geometry") && said.contains("mesh, hull"), "{said}");
    }
}
