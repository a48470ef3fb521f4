//! The answer for a sample: its fields, its interval, and what was done about every pair.

use crate::support::{CELL, ROD, folder, lines, prism, run, text};
use serde_json::Value;

#[test]
fn a_sample_is_a_line_with_all_its_fields() {
    let folder = folder("json");
    let out = run(&folder, &["check", "cell.toml", "--motion", "path.csv", "--json", "-", "--all-pairs"]);
    assert_eq!(out.status.code(), Some(1));
    let lines = lines(&out.stdout);
    assert_eq!(lines.len(), 200);
    let mut seen = std::collections::BTreeSet::new();
    for (i, line) in lines.iter().enumerate() {
        let number = |key: &str| line[key].as_f64().unwrap();
        let q = -1.9 + i as f64 * 0.018;
        // Chord between two points of the unit circle, less both radii.
        let truth = 2.0 * (0.5 * (std::f64::consts::FRAC_PI_2 - q).abs()).sin_() - 0.3;
        assert_eq!(line["sample"], i);
        assert!((number("t") - i as f64 * 0.01).abs() < 1e-12);
        assert!(number("lower") <= truth + 1e-12 && truth - 1e-12 <= number("upper"), "{line}");
        assert!(number("lower") <= number("distance") && number("distance") <= number("upper"));
        assert_eq!(line["pair"][0], "rod/arm");
        for j in 0..3 {
            let at = |key: &str| line[key][j].as_f64().unwrap();
            assert!((at("witness_a") - at("witness_b") - at("vector")).abs() < 1e-12);
        }
        let counts = &line["counts"];
        assert!(["pairs", "allowed", "pruned", "proved", "unknown"].iter().all(|key| counts[key].is_u64()));
        assert_eq!(line["pairs"].as_array().unwrap().len(), 1);
        seen.insert(line["verdict"].as_str().unwrap().to_string());
    }
    assert!(["clear", "near", "collision"].iter().all(|v| seen.contains(*v)), "{seen:?}");
}

/// The platform's sine is good enough for a test's own truth.
trait Sine {
    fn sin_(self) -> f64;
}
impl Sine for f64 {
    fn sin_(self) -> f64 {
        elbowroom::math::sin_cos(self).0
    }
}

/// The keys of `counts` that tell what was done with a pair.
const FATES: [&str; 4] = ["pruned", "proved", "unknown", "skipped"];

#[test]
fn counts_say_of_every_pair_what_was_done() {
    let folder = folder("counts");
    let cell = format!(
        "{CELL}[[obstacle]]\nname = \"far\"\nxyz = [0, 9, 0]\nshape = {{ type = \"sphere\", radius = 0.2 }}\n"
    );
    std::fs::write(folder.join("two.toml"), cell).unwrap();
    let count = |line: &Value, key: &str| line["counts"][key].as_u64().unwrap();
    let ask = |more: &[&str]| {
        let all = [&["check", "two.toml", "--motion", "path.csv", "--json", "-"], more].concat();
        lines(&run(&folder, &all).stdout)
    };
    let (nearest, every, tested) = (ask(&[]), ask(&["--all-pairs"]), ask(&["--ask", "test"]));
    for line in nearest.iter().chain(&every).chain(&tested) {
        assert_eq!(FATES.iter().map(|key| count(line, key)).sum::<u64>(), 2, "{line}");
        assert_eq!((count(line, "pairs"), count(line, "allowed")), (2, count(&nearest[0], "allowed")));
    }
    for ((nearest, every), tested) in nearest.iter().zip(&every).zip(&tested) {
        assert_eq!((&nearest["verdict"], &nearest["lower"]), (&every["verdict"], &every["lower"]));
        // The far one never matters for the smallest distance, but its own is asked for with all pairs.
        assert_eq!((count(nearest, "pruned"), count(every, "pruned")), (1, 0));
        assert_eq!(every["lower_pair"], every["pair"]);
        // A test measures nothing, and says so.
        assert_eq!(tested["verdict"], nearest["verdict"]);
        assert!(tested["distance"].is_null() && tested["vector"].is_null() && !nearest["distance"].is_null());
    }
}

/// Two concave meshes, whose depth is only bracketed, and two balls, whose depth is 0.37: less than the one
/// end, more than the other.
#[test]
fn the_ends_of_an_interval_may_be_of_different_pairs() {
    let folder = folder("ends");
    std::fs::write(folder.join("ell.obj"), prism(0.3)).unwrap();
    let slide = |child: &str, y: f64| {
        format!(
            "<joint name=\"to_{child}\" type=\"prismatic\"><parent link=\"base\"/><child link=\"{child}\"/>\
             <origin xyz=\"0 {y} 0\"/><limit lower=\"-1\" upper=\"1\"/></joint>"
        )
    };
    let link = |name: &str, shape: &str| {
        format!("<link name=\"{name}\"><collision><geometry>{shape}</geometry></collision></link>")
    };
    let robot = format!(
        "<robot name=\"two\"><link name=\"base\"/>{}{}{}{}</robot>",
        link("ell", "<mesh filename=\"ell.obj\"/>"),
        link("ball", "<sphere radius=\"0.5\"/>"),
        slide("ell", 0.0),
        slide("ball", 20.0)
    );
    std::fs::write(folder.join("two.urdf"), robot).unwrap();
    let cell = "checks = [[\"two/ell\", \"world/ell\"], [\"two/ball\", \"world/ball\"]]\n[[robot]]\n\
        urdf = \"two.urdf\"\n\
        [[obstacle]]\nname = \"ell\"\nxyz = [0.1, 0.15, 0.2]\nrpy = [0.3, 0.2, 0.1]\n\
        mesh = { file = \"ell.obj\" }\n\
        [[obstacle]]\nname = \"ball\"\nxyz = [0, 20.63, 0]\nshape = { type = \"sphere\", radius = 0.5 }\n";
    std::fs::write(folder.join("two.toml"), cell).unwrap();
    let out = run(&folder, &["check", "two.toml", "--json", "-", "--all-pairs"]);
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
    let sample = &lines(&out.stdout)[0];
    let pairs = sample["pairs"].as_array().unwrap();
    let of = |name: &str| pairs.iter().find(|p| p["pair"][0] == name).unwrap();
    let (ell, ball) = (of("two/ell"), of("two/ball"));
    assert_eq!(ell["stop"], "bracketed");
    assert!(ell["lower"].as_f64() < ball["lower"].as_f64() && ball["upper"].as_f64() < ell["upper"].as_f64());
    assert_eq!((&sample["lower"], &sample["lower_pair"]), (&ell["lower"], &ell["pair"]));
    assert_eq!((&sample["upper"], &sample["upper_pair"]), (&ball["upper"], &ball["pair"]));
    // Witness and vector are of the pair that they are said to be of.
    // Where bodies overlap these are of the one that may be the deepest.
    assert_eq!((&sample["pair"], &sample["vector"]), (&ell["pair"], &ell["vector"]));
    assert_eq!(sample["stop"], "bracketed");
    let note = |more: &[&str]| text(&run(&folder, &[&["check", "two.toml"], more].concat()).stdout);
    assert!(note(&[]).contains("note: at 1 sample the depth of colliding meshes is only bracketed"));
    assert!(!note(&["--geometry", "hull"]).contains("bracketed"));
    let words = "(upper bound from two/ball and world/ball)";
    assert!(text(&out.stderr).contains(words));
    // Wherever the interval of a sample is shown, its other pair is named.
    let out = run(&folder, &["check", "two.toml", "--at", "0,0", "--at", "0,0.03", "--report", "page.html"]);
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    // Headline, two columns of the plot, two stills and the words of one, and the one moment.
    assert_eq!(page.matches(words).count(), 7, "{page}");
    let table = text(&run(&folder, &["check", "two.toml", "--at", "0,0", "--at", "0,0.03"]).stdout);
    assert_eq!(table.matches("(upper bound: two/ball)").count(), 1, "{table}");
    assert!(table.contains("(upper bound: world/ball)") && table.contains(words), "{table}");
    assert_eq!(out.status.code(), Some(1));
}

#[test]
fn depths_that_are_only_bracketed_are_said_to_be() {
    let folder = folder("bracketed");
    std::fs::write(folder.join("ell.obj"), prism(0.3)).unwrap();
    let rod = ROD.replace("<sphere radius=\"0.1\"/>", "<mesh filename=\"ell.obj\"/>");
    std::fs::write(folder.join("ell.urdf"), rod).unwrap();
    let cell = "[[robot]]\nurdf = \"ell.urdf\"\npadding = 0.002\n[[obstacle]]\nname = \"ell\"\n\
        xyz = [1.1, 0.15, 0.2]\n\
        rpy = [0.3, 0.2, 0.1]\nmesh = { file = \"ell.obj\" }\n";
    std::fs::write(folder.join("ell.toml"), cell).unwrap();
    let ask = |more: &[&str]| {
        let all = [&["check", "ell.toml", "--at", "0", "--at", "0.05", "--at", "-1.9"], more].concat();
        (text(&run(&folder, &all).stdout), text(&run(&folder, &all).stderr))
    };
    let note = "note: at 2 samples the depth of colliding meshes is only bracketed. --depth tight brackets \
        it to within a hundredth";
    let plain = "<p class=\"note\">At 2 samples the depth of colliding meshes is only bracketed.</p>";
    let (table, said) = ask(&["--report", "page.html", "--padding", "0.001"]);
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(table.contains(note) && page.contains(plain), "{table}");
    assert!(
        table.contains("SRDF: none used (none beside") && page.contains("<dt>SRDF<dd>none used"),
        "{table}"
    );
    assert!(page.contains("<dt>padding<dd>1.00 mm, and up to 2.00 mm more"), "{page}");
    let minima = "Local minima of clearance at the samples, worst first; where a depth is only \
                  bracketed, of what is proved of it";
    assert!(table.contains(&format!("\n{minima}\n")) && page.contains(&format!("{minima}. ")), "{table}");
    // Three samples are no measure of time.
    assert!(!said.contains("us a sample"), "{said}");
    assert!(!ask(&["--geometry", "hull"]).0.contains("bracketed"));
    // What was asked for is not advised again.
    let (table, _) = ask(&["--depth", "tight", "--report", "page.html"]);
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    for shown in [&table, &page] {
        let note = "t 2 samples the depth of colliding meshes is only bracketed, as narrowly as can be";
        assert!(shown.contains(note) && !shown.contains("tight brackets"), "{shown}");
    }
    // A test has measured nothing: verdicts, and where to look.
    let (table, said) = ask(&["--ask", "test", "--report", "page.html"]);
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    let shown = page.split_once("</style>").unwrap().1.to_string();
    for shown in [&table, &said, &shown] {
        assert!(shown.contains("irst failing sample: "), "{shown}");
        assert!(shown.contains("0, collision, between rod/arm and world/ell"), "{shown}");
        assert!(
            !shown.contains("worst") && !shown.contains("Worst") && !shown.contains("mallest"),
            "{shown}"
        );
    }
    std::fs::write(folder.join("ell.srdf"), "<robot name=\"rod\"/>").unwrap();
    assert!(ask(&[]).0.contains("SRDF: ell.srdf"));
    std::fs::remove_file(folder.join("ell.srdf")).unwrap();
}

#[test]
fn what_a_list_of_checks_leaves_out_is_told() {
    let folder = folder("checks");
    let said = |checks: &str| {
        let post = |name: &str, x: f64| {
            format!(
                "[[obstacle]]\nname = \"{name}\"\nxyz = [{x}, 1, 0]\n\
                 shape = {{ type = \"sphere\", radius = 0.2 }}\n"
            )
        };
        let cell = format!(
            "{checks}\n[[robot]]\nurdf = \"rod.urdf\"\n{}{}{}",
            post("a", 0.0),
            post("b", 0.5),
            post("c", -0.5)
        );
        std::fs::write(folder.join("checks.toml"), cell).unwrap();
        let out = run(&folder, &["check", "checks.toml"]);
        (text(&out.stdout), text(&out.stderr))
    };
    let (table, notes) = said("checks = [[\"rod\", \"world/a\"]]");
    assert!(table.contains("1 pair checked, "), "{table}");
    assert!(
        notes
            .contains("note: the world file's list of checks leaves 2 pairs out. elbowroom pairs names them"),
        "{notes}"
    );
    // Everything against everything leaves nothing out, and gives the other names to ask for.
    let all = ["", "checks = [[\"rod\", \"world/a\"], [\"*\", \"*\"]]"];
    for (table, notes) in all.map(said) {
        assert!(table.contains("3 pairs checked, ") && !notes.contains("leaves"), "{table}{notes}");
    }
}

#[test]
fn a_line_of_points_has_one_unit() {
    let folder = folder("units");
    // The arm's point is at less than a tenth of a metre along y, and the post's beyond it.
    let rod = ROD.replace("1 0 0", "0 0.01 0").replace("radius=\"0.1\"", "radius=\"0.08\"");
    std::fs::write(folder.join("units.urdf"), rod).unwrap();
    let cell = "[[robot]]\nurdf = \"units.urdf\"\n[[obstacle]]\nname = \"post\"\nxyz = [0, 0.15, 0]\n\
        shape = { type = \"sphere\", radius = 0.045 }\n";
    std::fs::write(folder.join("units.toml"), cell).unwrap();
    let table = text(&run(&folder, &["check", "units.toml"]).stdout);
    let points =
        "\n  point of the first (0.0000, 0.0900, 0.0000) m, of the second (0.0000, 0.1050, 0.0000) m\n";
    assert!(table.contains(points), "{table}");
    assert!(table.contains("\n  vector from second to first (0.00, -15.00, 0.00) mm\n"), "{table}");
}
