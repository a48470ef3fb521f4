//! The page of `check --report`: pictures, numbers to save, sizes, and what must not be in it.

use crate::support::{ROD, folder, gripper, lines, prism, robots, run, text};
use serde_json::Value;
use std::f64::consts::PI;
use std::path::{Path, PathBuf};

/// The cell's folder, and the rod with a base that can be seen.
fn folder_with_base(test: &str) -> PathBuf {
    let folder = folder(test);
    let base =
        "<link name=\"base\"><collision><geometry><sphere radius=\"0.15\"/></geometry></collision></link>";
    std::fs::write(folder.join("rod.urdf"), ROD.replace("<link name=\"base\"/>", base)).unwrap();
    folder
}

fn page(folder: &Path, arguments: &[&str]) -> String {
    let out = run(folder, &[arguments, &["--report", "page.html"]].concat());
    assert!(matches!(out.status.code(), Some(0 | 1)), "{}", text(&out.stderr));
    std::fs::read_to_string(folder.join("page.html")).unwrap()
}

/// What stands between two strings, each time.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Vec<&'a str> {
    text.split(from).skip(1).filter_map(|rest| rest.split(to).next()).collect()
}

/// The text of a saved table, by the name of its file.
fn saved(page: &str, file: &str) -> Vec<Vec<String>> {
    let link = between(page, &format!("download=\"{file}\" href=\"data:text/csv;charset=utf-8,"), "\"");
    assert_eq!(link.len(), 1, "{file}");
    let mut bytes = Vec::new();
    let mut left = link[0].bytes();
    while let Some(b) = left.next() {
        if b == b'%' {
            let digits = [left.next().unwrap(), left.next().unwrap()];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
        } else {
            bytes.push(b);
        }
    }
    text(&bytes).lines().map(|line| line.split(',').map(String::from).collect()).collect()
}

/// The views of the first picture whose caption begins so.
fn view<'a>(page: &'a str, caption: &str) -> &'a str {
    let figures = between(page, "<figure class=\"", "</figure>");
    let found = figures.into_iter().find(|f| f.contains(&format!("<figcaption>{caption}<")));
    found.unwrap_or_else(|| panic!("no view {caption}"))
}

/// Units a metre, by the bar of a view.
fn scale(view: &str) -> f64 {
    let words = between(view, "<text class=\"say\"", "</text>").pop().unwrap();
    let (length, unit) = words.rsplit('>').next().unwrap().split_once(' ').unwrap();
    let metres =
        length.parse::<f64>().unwrap() * [("m", 1.0), ("mm", 1e-3)].iter().find(|u| u.0 == unit).unwrap().1;
    let bar = between(view, "<path class=\"axis\" d=\"", "\"").pop().unwrap();
    let ends = bar.split_once('H').unwrap();
    let left: f64 = ends.0.rsplit('M').next().unwrap().split(' ').next().unwrap().parse().unwrap();
    let right: f64 = ends.1.split('M').next().unwrap().parse().unwrap();
    (right - left) / metres
}

fn circle(view: &str, class: &str) -> [f64; 2] {
    let circle = between(view, &format!("<circle class=\"{class}\" "), "/>").pop().unwrap();
    ["cx", "cy"].map(|k| between(circle, &format!("{k}=\""), "\"")[0].parse().unwrap())
}

/// The area of all paths of classes that begin so (units squared).
fn area(view: &str, class: char) -> f64 {
    let mut twice = 0;
    for path in between(view, &format!("<path class=\"{class}"), "/>") {
        let Some(d) = path.get(1..).and_then(|rest| rest.strip_prefix("\" d=\"")) else { continue };
        for ring in d.trim_end_matches('"').split('z').filter(|ring| !ring.is_empty()) {
            let (start, steps) = ring.strip_prefix('M').unwrap().split_once('l').unwrap();
            let numbers = |text: &str| -> Vec<i64> {
                let spaced = text.replace('-', " -");
                spaced.split_whitespace().map(|n| n.parse().unwrap()).collect()
            };
            let mut at = numbers(start);
            for step in numbers(steps).chunks(2) {
                let next = vec![at[0] + step[0], at[1] + step[1]];
                twice += at[0] * next[1] - at[1] * next[0];
                at = next;
            }
            assert_eq!(at, numbers(start), "a region closes");
        }
    }
    0.5 * twice as f64
}

#[test]
fn every_worst_moment_has_its_pictures() {
    let folder = folder("pictures");
    // Away from the ball and back: two minima.
    std::fs::write(folder.join("twice.csv"), "turn\n1\n0.6\n0\n0.9\n0.2\n").unwrap();
    let page = page(&folder, &["check", "cell.toml", "--motion", "twice.csv"]);
    let moments = between(&page, "<article class=\"card moment\">", "</article>");
    // Two minima: the start is one of them.
    assert_eq!(moments.len(), 2);
    assert!(moments.iter().any(|moment| moment.contains("The start, sample 0")));
    for moment in &moments {
        assert_eq!(moment.matches("<div class=\"views\">").count(), 1);
        assert!((3..=4).contains(&moment.matches("<figure").count()), "{moment}");
        for mark in [
            "class=\"at_a\"",
            "class=\"at_b\"",
            "class=\"vector\"",
            "class=\"a",
            "class=\"b",
            "class=\"edge\"",
        ] {
            assert!(moment.contains(mark), "{mark}");
        }
        assert!(moment.contains("vector from B to A<dd>("), "{moment}");
    }
    assert!(page.contains("Local minima of clearance at the samples, worst first"));
    // The start has its pictures also where it is no minimum.
    std::fs::write(folder.join("nearer.csv"), "turn\n0\n0.1\n0.2\n1\n").unwrap();
    let page = self::page(&folder, &["check", "cell.toml", "--motion", "nearer.csv"]);
    let moments = between(&page, "<article class=\"card moment\">", "</article>");
    let starts = moments.iter().filter(|moment| moment.contains("The start, sample 0")).count();
    assert_eq!((moments.len(), starts), (2, 1));
}

#[test]
fn pictures_are_to_scale() {
    let folder = folder_with_base("scale");
    for q in [0.3_f64, 1.0] {
        let page = page(&folder, &["check", "cell.toml", "--at", &q.to_string()]);
        let above = view(&page, "From above");
        let (units, [a, b]) = (scale(above), ["at_a", "at_b"].map(|class| circle(above, class)));
        // Two balls about circles' points: the chord less both radii.
        let [sin, cos] = [elbowroom::math::sin_cos(q).0, elbowroom::math::sin_cos(q).1];
        let gap = ((cos * cos) + (1.0 - sin).powi(2)).sqrt() - 0.3;
        let drawn = [a[0] - b[0], a[1] - b[1]].map(|d| d / units);
        assert!(((drawn[0].powi(2) + drawn[1].powi(2)).sqrt() - gap).abs() < 2e-3, "{drawn:?} {gap}");
        // From the ball to the arm: to the right in the picture, and downward.
        assert!(drawn[0] > 0.0 && drawn[1] > 0.0, "{drawn:?}");
        for (class, radius) in [('a', 0.1), ('b', 0.2)] {
            let found = area(above, class) / units.powi(2);
            let truth = PI * radius * radius;
            assert!((found / truth - 1.0).abs() < 0.04, "{class}: {found} {truth}");
        }
    }
}

#[test]
fn one_pose_has_a_picture_and_no_chart() {
    let folder = folder("one");
    let page = page(&folder, &["check", "cell.toml", "--at", "1"]);
    assert!(page.contains("headline clear\">Proved clear<"), "{page}");
    assert!(
        !page.contains("id=\"plot\"")
            && !page.contains("1 sample")
            && page.contains("<h2>Closest pairs</h2>")
    );
    assert_eq!(page.matches("<div class=\"views\">").count(), 1);
    assert_eq!(saved(&page, "pairs.csv").len(), 2);
}

#[test]
fn saved_tables_have_the_numbers_of_the_answers() {
    let folder = folder("csv");
    let arguments = ["check", "cell.toml", "--motion", "path.csv", "--json", "-", "--all-pairs"];
    let out = run(&folder, &[&arguments[..], &["--report", "page.html"]].concat());
    let answers = lines(&out.stdout);
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    let rows = saved(&page, "clearance.csv");
    assert_eq!(rows[0], ["sample", "t", "verdict", "lower", "upper", "first", "second"]);
    assert_eq!(rows.len(), 201);
    let same = |text: &str, value: &Value| text.parse::<f64>().ok() == value.as_f64();
    for (row, answer) in rows[1..].iter().zip(&answers) {
        assert_eq!(row[2], answer["verdict"].as_str().unwrap());
        for (text, key) in [(&row[0], "sample"), (&row[1], "t"), (&row[3], "lower"), (&row[4], "upper")] {
            assert!(same(text, &answer[key]), "{row:?} {answer}");
        }
        assert_eq!((&row[5][..], &row[6][..]), ("rod/arm", "world/<img src=x onerror=alert(1)>"));
    }
    // Pairs: at the samples that a row names, the answers for the pair have its numbers.
    let rows = saved(&page, "pairs.csv");
    assert_eq!(
        rows[0][3..],
        ["lower", "upper", "distance", "lower_sample", "upper_sample", "between_samples"]
    );
    assert_eq!(rows.len(), 2);
    for (text, key, at) in [(&rows[1][3], "lower", &rows[1][6]), (&rows[1][4], "upper", &rows[1][7])] {
        let pair = &answers[at.parse::<usize>().unwrap()]["pairs"][0];
        assert!(same(text, &pair[key]), "{rows:?} {pair}");
    }
}

#[test]
fn what_is_told_of_a_pair_holds_at_all_samples() {
    let folder = folder("least");
    std::fs::write(folder.join("ell.obj"), prism(0.3)).unwrap();
    let rod = ROD.replace("<sphere radius=\"0.1\"/>", "<mesh filename=\"ell.obj\"/>");
    std::fs::write(folder.join("ell.urdf"), rod).unwrap();
    let cell = "[[robot]]\nurdf = \"ell.urdf\"\n[[obstacle]]\nname = \"ell\"\nxyz = [1.5, 0.6, 0.2]\n\
        rpy = [0.3, 0.2, 0.1]\nmesh = { file = \"ell.obj\" }\n[[obstacle]]\nname = \"ball\"\n\
        xyz = [0, 3, 0]\n\
        shape = { type = \"sphere\", radius = 0.2 }\n";
    std::fs::write(folder.join("ell.toml"), cell).unwrap();
    let motion: Vec<String> = (0..40).map(|i| format!("{}", -0.6 + 0.03 * f64::from(i))).collect();
    std::fs::write(folder.join("through.csv"), format!("turn\n{}\n", motion.join("\n"))).unwrap();
    let arguments = ["check", "ell.toml", "--motion", "through.csv", "--report", "page.html"];
    let answers = lines(&run(&folder, &[&arguments[..], &["--json", "-", "--all-pairs"]].concat()).stdout);
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    // The least of each end over all samples, the first sample with it.
    let least = |of: &dyn Fn(&Value) -> f64| {
        let ends: Vec<f64> = answers.iter().map(of).collect();
        let end = ends.iter().copied().fold(f64::INFINITY, f64::min);
        (end, ends.iter().position(|e| *e == end).unwrap())
    };
    let rows = saved(&page, "pairs.csv");
    assert_eq!(rows.len(), 3);
    for row in &rows[1..] {
        let of = |key: &'static str| {
            let of_pair = |answer: &Value| {
                let pairs = answer["pairs"].as_array().unwrap();
                pairs.iter().find(|p| p["pair"][1] == row[1][..]).unwrap()[key].as_f64().unwrap()
            };
            least(&of_pair)
        };
        for ((end, sample), [told, at]) in [(of("lower"), [3, 6]), (of("upper"), [4, 7])] {
            assert_eq!((row[told].parse(), row[at].parse()), (Ok(end), Ok(sample)), "{row:?}");
        }
    }
    assert_eq!([&rows[1][1], &rows[1][2]], ["world/ell", "collision"]);
    // Where the two samples differ, both are told.
    let [deepest, surest] = [&rows[1][6], &rows[1][7]];
    let both = format!("{deepest} (lower end)<br>{surest} (upper end)");
    assert_eq!(page.contains(&both), deepest != surest, "{rows:?}");
    // The words above it are of one sample, the first of the table: an overlap is a length, a clearance has a
    // sign.
    let (upper, surest) = least(&|answer| answer["upper"].as_f64().unwrap());
    let (lower, deepest) = least(&|answer| answer["lower"].as_f64().unwrap());
    let size = |sample: usize| {
        let [lower, upper] = ["lower", "upper"].map(|end| answers[sample][end].as_f64().unwrap());
        [[lower, upper], [-upper, -lower]]
            .map(|[low, high]| format!("{:.2} mm to {:.2} mm", 1e3 * low, 1e3 * high))
    };
    let [clearance, depth] = size(surest);
    let table = text(&run(&folder, &arguments).stdout);
    let words = format!("deepest overlap {depth}, sample {surest}: rod/arm and world/ell");
    assert!(table.contains(&words), "{words} {table}");
    let rows = table
        .lines()
        .skip_while(|line| !line.starts_with("Local minima of clearance at the samples, worst first"));
    let first: Vec<&str> = rows.into_iter().nth(2).unwrap().split_whitespace().collect();
    assert_eq!((first[0], first[2..7].join(" ")), (&*surest.to_string(), clearance), "{table}");
    let words = format!("At the samples: deepest overlap <b>{depth}</b>, sample {surest}:");
    assert!(page.contains(&words), "{words}");
    // Another one that may be deeper is told by itself.
    let words = format!("; sample {deepest} may overlap deeper than the deepest that is proved: ");
    assert!(lower < upper);
    assert_eq!(table.contains(&words), surest != deepest, "{words} {table}");
}

#[test]
fn what_was_warned_of_is_on_the_page() {
    let folder = folder("warned");
    gripper(&folder);
    // A link that is not there, time that runs backwards, and turns that may be degrees.
    std::fs::write(folder.join("back.csv"), "t,a,wrist\n0,0,0\n1,0.01,90\n0.5,0.02,0\n").unwrap();
    let out = run(&folder, &["check", "gripper.toml", "--motion", "back.csv", "--report", "page.html"]);
    let said = text(&out.stderr);
    let warnings: Vec<&str> = said.lines().filter(|line| line.starts_with("warning: ")).collect();
    assert!(warnings.len() >= 3, "{said}");
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    let asked = between(&page, "<h2>To make this page again</h2>", "</main>")[0];
    for warning in warnings {
        let shown =
            warning.replace('"', "&quot;").replace('\'', "&#39;").replace('<', "&lt;").replace('>', "&gt;");
        assert!(asked.contains(&format!("<p class=\"note\">{shown}</p>")), "{warning} {asked}");
    }
}

#[test]
fn tables_name_the_only_robot_once() {
    let folder = folder("names");
    let page = page(&folder, &["check", "cell.toml", "--motion", "path.csv", "--continuous"]);
    let words = "<p class=\"soft\">Bodies whose names do not begin with world/ are links of <b>rod</b>.</p>";
    // With the stretches, the ways between samples, and the pairs.
    assert_eq!(page.matches(words).count(), 3);
    assert!(page.contains("<td>arm<td>world/<wbr>&lt;img") && !page.contains("<td>rod/"), "{page}");
    // What is saved has whole names.
    assert_eq!(saved(&page, "pairs.csv")[1][0], "rod/arm");
}

#[test]
fn nothing_is_loaded_and_no_name_is_markup() {
    let folder = folder("closed_page");
    let page = page(&folder, &["check", "cell.toml", "--motion", "path.csv", "--continuous"]);
    for word in
        ["http", "src=\"", "url(", "@import", "<link", "<img", "<iframe", "fetch(", "</script><script"]
    {
        assert!(!page.contains(word), "{word}");
    }
    for target in between(&page, "href=\"", "\"") {
        assert!(target.starts_with("data:text/csv;charset=utf-8,") && !target.contains('<'), "{target}");
    }
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;") && page.contains("%3Cimg%20src%3Dx"));
    // Through the ball from one side to the other: a row for each run, not for each edge.
    let rows = page.matches("<td class=\"n v collision\">contact<").count();
    let counts = between(&page, " apart, ", " with contact")[0];
    let contact = counts.rsplit(' ').next().unwrap().parse::<usize>().unwrap();
    assert!(contact > 10 && rows == 1, "{contact} {rows}");
}

#[test]
fn a_page_of_a_crowded_cell_stays_small() {
    let folder = folder_with_base("crowded");
    let mut cell = String::from("[[robot]]\nurdf = \"rod.urdf\"\n");
    for i in 0..6000 {
        let (x, y, z) = (i % 20, i / 20 % 20, i / 400);
        cell.push_str(&format!(
            "[[obstacle]]\nname = \"ball {i}\"\nxyz = [{}, {}, {}]\nshape = {{ type = \"sphere\", radius = \
                0.02 }}\n",
            f64::from(x) * 0.06 - 0.15,
            f64::from(y) * 0.06 - 0.5,
            f64::from(z) * 0.06 - 0.45
        ));
    }
    std::fs::write(folder.join("crowd.toml"), cell).unwrap();
    let page = page(&folder, &["check", "crowd.toml", "--at", "0", "--at", "0.5", "--at", "1"]);
    let drawn = between(&page, "Only the ", " shapes nearest to the points are drawn.");
    assert!(
        drawn.iter().all(|n| (1000..6000).contains(&n.parse().unwrap())) && !drawn.is_empty(),
        "{drawn:?}"
    );
    let pictures = between(&page, "<div class=\"views\">", "</div>");
    assert!(!pictures.is_empty());
    for picture in pictures {
        assert!(picture.len() < 120_000 && picture.contains("class=\"a"), "{}", picture.len());
    }
    assert!(page.len() < 1_500_000, "{}", page.len());
}

#[test]
fn clouds_are_drawn_as_their_points() {
    let folder = folder_with_base("clouds_drawn");
    let ask = |more: &[&str]| page(&folder, &[&["check", "rod.urdf", "--at", "0"], more].concat());
    let dots = |page: &str| -> Vec<usize> {
        let figures = between(page, "<figure class=\"", "</figure>");
        let of = |figure: &&str| {
            between(figure, "<path class=\"dots_b\"", "/>").iter().map(|p| p.matches('M').count()).sum()
        };
        figures.iter().map(of).collect()
    };
    // A wall beyond the rod's end, and a point so far away that it is not in the picture.
    let wall: String = (0..400)
        .map(|i| format!("1.3 {} {}\n", 0.02 * f64::from(i % 20) - 0.2, 0.02 * f64::from(i / 20) - 0.2))
        .collect();
    std::fs::write(folder.join("wall.xyz"), format!("{wall}90 0 0\n")).unwrap();
    let few = ask(&["--cloud", "wall.xyz"]);
    let seen = dots(&few);
    assert!(seen[0] > 300 && seen[0] <= 400, "{seen:?}");
    assert!(
        few.contains("Points of clouds are dots of their size")
            && !few.contains("one dot stands for several")
    );
    // Each is as wide as two radii.
    let above = view(&few, "From above");
    let wide: f64 = between(above, "<path class=\"dots_b\" stroke-width=\"", "\"")[0].parse().unwrap();
    assert!((wide - 0.02 * scale(above)).abs() < 0.1, "{wide} {}", scale(above));
    // From above the wall is a line: in a column of points the uppermost is seen.
    let places: std::collections::BTreeSet<&str> = between(above, "M", "h0").into_iter().collect();
    assert!(places.len() >= 20, "{places:?}");
    // A dense cloud is thinned, the same way each time, and said to be.
    let unit = |i: u32, by: u32| f64::from(i.wrapping_mul(by) >> 8) / f64::from(1 << 24);
    let dense: String = (0..100_000)
        .map(|i| {
            format!(
                "{} {} {}\n",
                1.2 + 0.2 * unit(i, 2654435761),
                unit(i, 40503 << 9) - 0.5,
                unit(i, 2246822519) - 0.5
            )
        })
        .collect();
    std::fs::write(folder.join("dense.xyz"), dense).unwrap();
    let many = ask(&["--cloud", "dense.xyz"]);
    let seen = dots(&many);
    assert!(seen[0] > 500 && seen[0] <= 2516 && many.contains("one dot stands for several"), "{seen:?}");
    assert!(many.len() < 200_000 && many == ask(&["--cloud", "dense.xyz"]), "{}", many.len());
    // What is hidden is not drawn.
    assert_eq!(dots(&ask(&["--cloud", "wall.xyz", "--hide", "wall"])).iter().sum::<usize>(), 0);
}

#[test]
fn hulls_are_said_to_be_hulls() {
    let folder = folder("hull_page");
    // A wedge with an open side.
    let prism = "v 0 0 0\nv 0.4 0 0\nv 0 0.4 0\nv 0 0 0.4\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";
    std::fs::write(folder.join("wedge.obj"), prism).unwrap();
    let cell = "[[robot]]\nurdf = \"rod.urdf\"\n[[obstacle]]\nname = \"wedge\"\nxyz = [0, 1, 0]\nmesh = { \
        file = \"wedge.obj\" }\n";
    std::fs::write(folder.join("wedge.toml"), cell).unwrap();
    let hull = page(&folder, &["check", "wedge.toml", "--geometry", "hull"]);
    assert!(
        hull.contains("In this report <b>each mesh counts as its convex hull</b>")
            && hull.contains("drawn as their convex hulls")
    );
    let mesh = page(&folder, &["check", "wedge.toml", "--geometry", "mesh"]);
    assert!(!mesh.contains("convex hull"));
}

#[test]
fn real_robots_have_small_pages() {
    let Some(robots) = robots() else { return };
    let here = folder("real_page");
    let urdf = robots.join("ur5_robotiq_vamp/ur5.urdf");
    if !urdf.is_file() {
        return;
    }
    let page = page(&here, &["check", urdf.to_str().unwrap()]);
    assert!(page.contains("<div class=\"views\">") && page.len() < 1_000_000, "{}", page.len());
}

#[test]
fn a_large_table_is_glass_and_colour_is_near_the_contact() {
    let folder = folder_with_base("glass");
    // The arm's ball reaches into a table that is larger than the robot.
    let table = "[[robot]]\nurdf = \"rod.urdf\"\n[[obstacle]]\nname = \"table\"\nxyz = [0.5, 0.15, -0.25]\n\
        shape = { type = \"box\", size = [1.4, 1.4, 0.4] }\n";
    std::fs::write(folder.join("table.toml"), table).unwrap();
    let page = page(&folder, &["check", "table.toml", "--at", "0.3"]);
    let above = view(&page, "From above");
    let units = scale(above);
    // The robot is solid over all of the table, which is lines and next to nothing between them.
    assert!(area(above, 'l') / units.powi(2) > 0.05, "{above}");
    assert!(above.contains("class=\"crease\"") && above.contains("class=\"g"), "{above}");
    assert_eq!(area(above, 'b'), 0.0);
    // The table's colour is a small part of it, around the contact.
    let coloured = between(above, "<path class=\"gb", "/>");
    let near: Vec<&&str> = coloured.iter().filter(|path| path.starts_with(['0', '1', '2', '3'])).collect();
    assert!(!near.is_empty(), "{above}");
    // All of the table is in each view but the close-up: no line ends at the picture's edge.
    for caption in ["From above", "From above, at an angle"] {
        let view = view(&page, caption);
        let size: Vec<i64> =
            between(view, "viewBox=\"0 0 ", "\"")[0].split(' ').map(|n| n.parse().unwrap()).collect();
        let lines = between(view, "<path class=\"crease\" d=\"", "\"")[0];
        for corner in lines.split(['M', 'L']).filter(|corner| !corner.is_empty()) {
            let [x, y] = [0, 1].map(|k| corner.split(' ').nth(k).unwrap().parse::<i64>().unwrap());
            assert!(x > 2 && y > 2 && x < size[0] - 2 && y < size[1] - 2, "{caption}: {corner}");
        }
    }
}

#[test]
fn a_motion_has_a_still_a_sample_with_a_slider() {
    let folder = folder_with_base("film");
    let page = page(&folder, &["check", "cell.toml", "--motion", "path.csv"]);
    let stills = between(&page, "<g class=\"still", "</g>");
    assert_eq!(stills.len(), 200);
    assert_eq!(stills.iter().filter(|still| still.starts_with(" on\"")).count(), 1);
    // It begins at the start, and says so.
    assert!(stills[0].starts_with(" on\"") && stills[0].contains("data-say=\"The start. Sample 0 "));
    assert!(page.contains("<p id=\"said\">The start. Sample 0 ") && page.contains("max=\"199\" value=\"0\""));
    assert!(stills[1..].iter().all(|still| still.contains("data-say=\"Sample ")));
    assert!(stills.iter().all(|still| still.contains("<path class=")));
    let least = between(&page, "id=\"least\" type=\"button\" data-k=\"", "\"")[0];
    assert!(stills[least.parse::<usize>().unwrap()].contains("collision"), "{least}");
    assert!(page.contains("id=\"seek\" type=\"range\" min=\"0\" max=\"199\"") && page.len() < 5_000_000);
    // Random samples are no motion: they are sorted and counted.
    let random = self::page(&folder, &["check", "cell.toml", "--random", "300"]);
    assert!(!random.contains("class=\"still") && random.contains("aria-label=\"how many samples have which"));
    let worst: Vec<f64> =
        saved(&random, "clearance.csv")[1..].iter().map(|row| row[3].parse().unwrap()).collect();
    assert!(worst.len() == 300 && worst.is_sorted(), "{worst:?}");
    // Of very many samples some are shown.
    let many: Vec<String> = (0..900).map(|i| format!("{}", f64::from(i) * 2e-3 - 1.0)).collect();
    std::fs::write(folder.join("many.csv"), format!("turn\n{}\n", many.join("\n"))).unwrap();
    let long = self::page(&folder, &["check", "cell.toml", "--motion", "many.csv"]);
    let stills = long.matches("<g class=\"still").count();
    assert!((200..=255).contains(&stills) && long.len() < 5_000_000, "{stills} {}", long.len());
}

#[test]
fn what_others_read_has_no_options_and_says_how_it_was_made() {
    let folder = folder("others");
    std::fs::write(folder.join("ell.obj"), prism(0.3)).unwrap();
    let rod = ROD.replace("<sphere radius=\"0.1\"/>", "<mesh filename=\"ell.obj\"/>");
    std::fs::write(folder.join("ell.urdf"), rod).unwrap();
    let cell = "[[robot]]\nurdf = \"ell.urdf\"\n[[obstacle]]\nname = \"ell\"\nxyz = [1.1, 0.15, 0.2]\n\
        mesh = { file = \"ell.obj\" }\n";
    std::fs::write(folder.join("ell.toml"), cell).unwrap();
    let page = page(&folder, &["check", "ell.toml", "--at", "0", "--at", "0.05"]);
    let style = between(&page, "<style>", "</style>")[0];
    let (read, made) = page.split_once("<h2>To make this page again</h2>").unwrap();
    let read = read.replace(style, "");
    assert!(!read.contains('`') && !read.contains(" --") && !read.contains("(--"), "{read}");
    // The day, the files with their hashes, and the command.
    assert!(read.contains("<span>2023-11-14 22:13 UTC</span>"), "{read}");
    assert!(
        made.contains("<code>elbowroom check ell.toml --at 0 --at 0.05 --report page.html</code>"),
        "{made}"
    );
    for file in ["ell.toml", "ell.urdf", "ell.obj"] {
        let row = between(made, &format!("{file}<td><code>"), "</code>");
        assert!(
            row.len() == 1 && row[0].len() == 64 && row[0].bytes().all(|b| b.is_ascii_hexdigit()),
            "{file}"
        );
    }
}

#[test]
fn a_link_that_stays_over_its_table_hides_nothing_in_the_curve_to_the_cell() {
    let folder = folder("still");
    let ball = |name: &str, at: &str, radius: f64| {
        format!(
            "<link name=\"{name}\"><collision><origin xyz=\"{at}\"/><geometry><sphere radius=\"{radius}\"/>\
             </geometry></collision></link>"
        )
    };
    let turn = |name: &str, parent: &str, child: &str| {
        format!(
            "<joint name=\"{name}\" type=\"continuous\"><parent link=\"{parent}\"/><child link=\"{child}\"/>\
             <axis xyz=\"0 0 1\"/></joint>"
        )
    };
    // A hub that turns about its own middle, and an arm on it.
    let urdf = format!(
        "<robot name=\"r\">{}{}{}{}{}</robot>",
        ball("base", "0 0 1", 0.1),
        ball("hub", "0 0 0", 0.1),
        ball("arm", "1 0 0.5", 0.1),
        turn("a", "base", "hub"),
        turn("b", "hub", "arm")
    );
    std::fs::write(folder.join("hub.urdf"), urdf).unwrap();
    let cell = "[[robot]]\nurdf = \"hub.urdf\"\n[[obstacle]]\nname = \"table\"\nxyz = [0, 0, -0.65]\n\
        shape = { type = \"box\", size = [1, 1, 1] }\n[[obstacle]]\nname = \"post\"\nxyz = [0, 1.5, 0.5]\n\
        shape = { type = \"sphere\", radius = 0.1 }\n";
    std::fs::write(folder.join("hub.toml"), cell).unwrap();
    let rows: Vec<String> = (0..30).map(|i| format!("{},0.1", f64::from(i) * 0.05)).collect();
    std::fs::write(folder.join("hub.csv"), format!("a,b\n{}\n", rows.join("\n"))).unwrap();
    let page = page(&folder, &["check", "hub.toml", "--motion", "hub.csv"]);
    let legend = between(&page, "<p class=\"curves\">", "</p>")[0];
    // The hub is nearer to the table than anything is to the cell, and to the post it keeps its distance too.
    let without = "to the cell, without 2 pairs that never change over the motion (the nearest r/hub and \
        world/table, 50.00 mm)";
    assert!(legend.contains(without), "{legend}");
    let curve = between(&page, "<path class=\"line cell\" d=\"M", "\"")[0];
    let heights: Vec<f64> =
        curve.split('L').map(|corner| corner.split(' ').nth(1).unwrap().parse().unwrap()).collect();
    assert!(heights.len() == 30 && heights.iter().any(|y| (y - heights[0]).abs() > 50.0), "{heights:?}");
}
