//! The program as its users see it: exit codes, standard output, standard error, files.

mod support;

use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};
use support::{CELL, ROD, folder, lines, prism, robots, run, text};

#[test]
fn exit_codes_tell_the_verdict() {
    let folder = folder("codes");
    for (at, code) in [("0", 0), ("1.2", 0), ("1.5", 1)] {
        let out = run(&folder, &["check", "cell.toml", "--at", at]);
        assert_eq!(out.status.code(), Some(code), "{at}: {}", text(&out.stderr));
        assert!(text(&out.stderr).lines().last().unwrap().starts_with("summary: 1 sample: "));
    }
    // Without a pose: the neutral one. A negative value is a value, not an option.
    assert_eq!(run(&folder, &["check", "cell.toml"]).status.code(), Some(0));
    assert_eq!(run(&folder, &["check", "cell.toml", "--at", "-1"]).status.code(), Some(0));
    // `near` is no fault.
    let near = run(&folder, &["check", "cell.toml", "--at", "1.25", "--margin", "0.1", "--json", "-"]);
    assert_eq!((near.status.code(), &lines(&near.stdout)[0]["verdict"]), (Some(0), &"near".into()));
}

#[test]
fn whatever_is_refused_says_nothing_on_standard_output() {
    let folder = folder("refused");
    std::fs::write(folder.join("bad.csv"), "turn\n2.5\n-3\n0\nx\n").unwrap();
    std::fs::write(folder.join("far.csv"), "turn\n2.5\n-3\n0\n").unwrap();
    std::fs::write(
        folder.join("bad.urdf"),
        ROD.replace("0.1", "-1").replace("child link=\"arm\"", "child link=\"leg\""),
    )
    .unwrap();
    let cases: [(&[&str], &[&str]); 19] = [
        (&["check", "none.toml"], &["none.toml"]),
        // What cannot be read, and what can be but is no pose, are told together.
        (
            &["check", "cell.toml", "--motion", "bad.csv"],
            &[
                "line 5, sample 3",
                "\"x\"",
                "2 samples, the first at line 2, sample 0; the worst: `rod/turn` is -3",
            ],
        ),
        (
            &["check", "cell.toml", "--at", "x", "--at", "2.5", "--at", "inf"],
            &[
                "--at: sample 0: `x` is not a number",
                "--at: sample 1: `rod/turn` is 2.5",
                "--at: sample 2: `inf` is not a finite",
            ],
        ),
        (&["check", "cell.toml", "--motion", "far.csv"], &["rod/turn", "2 samples", "-3", "--ignore-limits"]),
        (&["check", "cell.toml", "--at", "2.5"], &["outside its limits"]),
        (&["check", "cell.toml", "--at", "0,1,x"], &["3 values", "`x` is not a number"]),
        (
            &["check", "cell.toml", "--at", "1e308"],
            &["`rod/turn` is 1e308, outside", "--at is refused: 1 of 1 samples is outside the joint limits"],
        ),
        (&["check", "cell.toml", "--padding", "1e300"], &["--padding is 1e300:", "1 option is refused"]),
        (&["check", "cell.toml", "--margin", "-1"], &["--margin is -1"]),
        (
            &["check", "cell.toml", "--padding", "NaN", "--margin", "inf"],
            &["--padding is NaN", "--margin is inf"],
        ),
        (
            &["pairs", "cell.toml", "--package-path", "nosuch"],
            &["--package-path nosuch: there is no such folder"],
        ),
        (
            &["pairs", "cell.toml", "--package-path", "rod.urdf"],
            &["--package-path rod.urdf: is not a folder"],
        ),
        (&["check", "cell.toml", "--threads", "-1"], &["--threads", "a whole number, or 0"]),
        (&["check", "cell.toml", "--json", "-", "--report", "-"], &["--json and --report both go to -"]),
        (&["check", "cell.toml", "--json", "no/such/folder"], &["cannot be written"]),
        (&["check", "cell.toml", "--report", "no/such/page.html"], &["no/such/page.html cannot be written"]),
        (&["check", "cell.toml", "--json", "/dev/full"], &["/dev/full cannot be written"]),
        (&["check", "cell.toml", "--report", "/dev/full"], &["/dev/full cannot be written"]),
        (&["pairs", "bad.urdf"], &["radius", "leg"]),
    ];
    for (arguments, words) in cases {
        let out = run(&folder, arguments);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}: {said}");
        assert_eq!(text(&out.stdout), "", "{arguments:?}");
        assert!(words.iter().all(|word| said.contains(word)), "{arguments:?}: {said}");
        assert!(!said.contains("NaN") || arguments.contains(&"NaN"), "{arguments:?}: {said}");
    }
    let allowed = run(&folder, &["check", "cell.toml", "--motion", "far.csv", "--ignore-limits"]);
    assert_eq!(allowed.status.code(), Some(0), "{}", text(&allowed.stderr));
}

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

#[test]
fn threads_change_no_byte() {
    let folder = folder("threads");
    let ask = |threads: &str| {
        let page = format!("page{threads}.html");
        let arguments = [
            "check",
            "cell.toml",
            "--motion",
            "path.csv",
            "--threads",
            threads,
            "--json",
            "-",
            "--report",
            &page,
        ];
        let out = run(&folder, &arguments);
        assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
        (out.stdout, std::fs::read(folder.join(page)).unwrap())
    };
    let one = ask("1");
    for threads in ["2", "7", "100000"] {
        assert!(one == ask(threads), "{threads} threads");
    }
    let page = text(&one.1);
    assert!(page.contains("Collision at") && page.contains("<svg") && page.contains("rod/arm"));
    assert!(!page.contains("<img"), "names must not become markup");
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"));
    // A moment's pose can be asked again: at its worst the rod meets the ball.
    let at = page.split("<code>--at ").nth(1).and_then(|rest| rest.split('<').next()).unwrap();
    assert!(page.contains(&format!("rod/turn = {at}<br>")) && !page.contains("00000000001 s)"), "{at}");
    let again = run(&folder, &["check", "cell.toml", "--at", at, "--json", "-"]);
    assert_eq!(lines(&again.stdout)[0]["verdict"], "collision", "{at}");
    assert!(!page.contains("http"), "nothing is loaded from elsewhere");
}

#[test]
fn missing_geometry_is_never_free() {
    let folder = folder("blind");
    let bare = "<robot name=\"bare\"><link name=\"a\"/></robot>";
    std::fs::write(folder.join("bare.urdf"), bare).unwrap();
    let out = run(&folder, &["check", "bare.urdf"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stderr).contains("no collision shape at all"));
    // Beside others too: what is known of them is not enough.
    let beside = format!("{CELL}[[robot]]\nname = \"bare\"\nurdf = \"bare.urdf\"\n");
    std::fs::write(folder.join("beside.toml"), beside).unwrap();
    std::fs::write(folder.join("two.csv"), "rod/turn\n0\n0.1\n").unwrap();
    let arguments = [
        "check",
        "beside.toml",
        "--motion",
        "two.csv",
        "--continuous",
        "--json",
        "-",
        "--report",
        "page.html",
    ];
    let out = run(&folder, &arguments);
    assert_eq!(out.status.code(), Some(1));
    let samples = lines(&out.stdout);
    assert!(samples.len() == 2 && samples.iter().all(|s| s["verdict"] == "unknown"), "{samples:?}");
    assert_eq!(samples[1]["edge"]["verdict"], "unknown");
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(page.contains("headline unknown") && !page.contains("headline clear"));
    // Nothing to check at all is said as loudly.
    let out = run(&folder, &["check", "rod.urdf"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stderr).contains("no pair is checked"));
}

#[test]
fn pairs_have_reasons() {
    let folder = folder("pairs");
    let out = run(&folder, &["pairs", "cell.toml", "--json", "-"]);
    let pairs = lines(&out.stdout);
    assert_eq!((out.status.code(), pairs.len()), (Some(0), 3));
    assert_eq!(pairs.iter().filter(|p| p["status"] == "checked").count(), 1);
    assert!(pairs.iter().all(|p| p["status"] == "checked" || p["reason"].is_string()));
    assert!(text(&out.stderr).ends_with("1 checked, 2 allowed\n"));
    let table = text(&run(&folder, &["pairs", "cell.toml"]).stdout);
    assert!(table.contains("no shape to check") && table.ends_with("1 checked, 2 allowed\n"), "{table}");
    // The columns have titles, here and where pairs are proved.
    let titles =
        |table: &str| table.split_once('\n').unwrap().0.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(titles(&table), "first body second body status reason, or how near they can come");
    let column = |line: &str, word: &str| line.find(word).unwrap();
    let row = table.lines().find(|line| line.contains("checked")).unwrap();
    assert_eq!(column(row, "checked"), column(&table, "status"), "{table}");
    let table = text(&run(&folder, &["pairs", "cell.toml", "--prove"]).stdout);
    assert_eq!(titles(&table), "first body second body claim proof");
    assert_eq!(column(table.lines().nth(1).unwrap(), "sometimes"), column(&table, "claim"), "{table}");
}

#[test]
fn pairs_say_what_is_out_of_reach() {
    let folder = folder("reach");
    // The rod reaches 1.1 m, the ball's near side is at 8.8 m.
    let far = "[[obstacle]]\nname = \"far\"\nxyz = [0, 9, 0]\nshape = { type = \"sphere\", radius = 0.2 }\n";
    std::fs::write(folder.join("two.toml"), format!("{CELL}{far}")).unwrap();
    let pairs = lines(&run(&folder, &["pairs", "two.toml", "--json", "-"]).stdout);
    let checked: Vec<&Value> = pairs.iter().filter(|p| p["status"] == "checked").collect();
    let (out, within): (Vec<_>, Vec<_>) = checked.into_iter().partition(|p| p["never_nearer"].is_f64());
    assert_eq!((out.len(), within.len()), (1, 1));
    let least = out[0]["never_nearer"].as_f64().unwrap();
    assert!(out[0]["pair"][1] == "world/far" && least > 5.0 && least <= 7.7, "{out:?}");
    let table = text(&run(&folder, &["pairs", "two.toml"]).stdout);
    assert!(table.contains("checked  never nearer than "), "{table}");
}

fn distance(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_elbowroom"))
        .args(["distance", "-"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input).unwrap();
    drop(stdin);
    child.wait_with_output().unwrap()
}

#[test]
fn distances_of_cases_in_order() {
    let mut input = Vec::new();
    let mut case = |x: f64| {
        input.extend(
            format!(
                "{{\"id\":{x},\"a\":{{\"type\":\"box\",\"size\":[1,1,1]}},\
                 \"b\":{{\"type\":\"sphere\",\"radius\":0.5}},\
                 \"pose_b\":{{\"xyz\":[{x},0,0],\"quat_wxyz\":[1,0,0,0]}}}}\n"
            )
            .into_bytes(),
        );
    };
    case(2.0);
    case(0.75);
    input.extend(b"\n{\"id\":\"odd\",\"a\":{\"type\":\"sphere\",\"radius\":-1}}\n\xff\xfe\n");
    let out = distance(&["--reference"], &input);
    assert_eq!(out.status.code(), Some(2));
    let answers = lines(&out.stdout);
    assert_eq!(answers.len(), 4);
    for (answer, truth) in answers.iter().zip([1.0, -0.25]) {
        let [lower, upper, distance] = ["lower", "upper", "distance"].map(|k| answer[k].as_f64().unwrap());
        assert!(lower <= truth && truth <= upper && lower <= distance && distance <= upper, "{answer}");
        assert_eq!(answer["overlap"], truth < 0.0);
        assert_eq!(answer["reference"]["agrees"], true, "{answer}");
        assert!((answer["normal"][0].as_f64().unwrap() + 1.0).abs() < 1e-6, "{answer}");
    }
    assert!(answers[2]["id"] == "odd" && answers[2]["fault"].is_string());
    assert!(answers[3]["id"].is_null() && answers[3]["fault"].as_str().unwrap().contains("UTF-8"));
    assert_eq!(distance(&[], b"").status.code(), Some(0));
    // Ids are kept to the letter, lines numbered, misspelt keys refused.
    let out = distance(
        &[],
        b"{\"id\":18446744073709551617,\"a\":{\"type\":\"sphere\",\"radius\":1},\
        \"b\":{\"type\":\"sphere\",\"radius\":1}}\n\
        7\n{\n{\"id\":1,\"a\":{\"type\":\"sphere\",\"radius\":1,\"paddding\":1},\
        \"b\":{\"type\":\"sphere\",\"radius\":1}}\n",
    );
    assert!(text(&out.stdout).starts_with("{\"schema\":1,\"id\":18446744073709551617,\"overlap\":true,"));
    let answers = lines(&out.stdout);
    for (answer, (line, words)) in
        answers[1..].iter().zip([(2, "a number"), (3, "not JSON"), (4, "paddding")])
    {
        assert!(answer["line"] == line && answer["fault"].as_str().unwrap().contains(words), "{answer}");
    }
    // A mesh that does not close is named.
    let open = b"{\"a\":{\"type\":\"mesh\",\"vertices\":[[0,0,0],[1,0,0],[0,1,0]],\"triangles\":[[0,1,2]]},\
        \"b\":{\"type\":\"sphere\",\"radius\":1},\"pose_b\":{\"xyz\":[0,0,3]}}";
    assert!(
        text(&distance(&[], open).stderr)
            .contains("line 1: note: a is an open mesh and is treated as a surface")
    );
    assert_eq!(text(&distance(&["--geometry", "hull"], open).stderr), "");
    // Touching is neither apart nor overlapping.
    let touching = b"{\"a\":{\"type\":\"sphere\",\"radius\":0.5},\"b\":{\"type\":\"sphere\",\"radius\":0.5},\
        \"pose_b\":{\"xyz\":[1,0,0]}}";
    assert!(lines(&distance(&[], touching).stdout)[0]["overlap"].is_null());
}

#[test]
fn the_example_of_distance_is_what_it_answers() {
    let help = Command::new(env!("CARGO_BIN_EXE_elbowroom")).args(["distance", "--help"]).output().unwrap();
    let help = text(&help.stdout);
    let lines: Vec<&str> = help.lines().filter(|line| line.starts_with('{')).collect();
    let [case, answer] = lines[..] else { panic!("{help}") };
    assert_eq!(text(&distance(&[], case.as_bytes()).stdout), format!("{answer}\n"));
}

#[test]
fn the_reference_does_not_judge_what_it_takes_as_a_surface() {
    let corners: Vec<[f64; 3]> =
        (0..8).map(|i| [0, 1, 2].map(|k| if i >> k & 1 == 0 { -1.0 } else { 1.0 })).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let cube: Vec<[usize; 3]> = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    let mesh = |more: &[[f64; 3]], triangles: &[[usize; 3]]| {
        let vertices = [&corners, more].concat();
        serde_json::json!({"type": "mesh", "vertices": vertices, "triangles": triangles})
    };
    let with = |more: &[[f64; 3]], triangles: &[[usize; 3]]| mesh(more, &[&cube, triangles].concat());
    let [a, b, c] = cube[0];
    // A corner on an edge of one triangle of two.
    let middle = [0, 1, 2].map(|k| 0.5 * (corners[a][k] + corners[b][k]));
    let halves = [&[[a, 8, c], [8, b, c]], &cube[1..]].concat();
    let turned: Vec<[usize; 3]> = cube.iter().map(|[a, b, c]| [*b, *a, *c]).collect();
    let odd = [
        mesh(&[middle], &halves),
        with(&[], &[[a, b, c]]),
        with(&[], &[[b, a, c]]),
        with(&[[3.0, 0.5, 0.0]], &[[a, b, 8]]),
        with(&[], &cube),
        with(&[], &turned),
    ];
    let ask = |a: &Value, x: f64| {
        let ball = serde_json::json!({"type": "sphere", "radius": 0.1});
        let pose = serde_json::json!({"xyz": [x, 0.01, 0.02]});
        let case = serde_json::json!({"a": a, "b": ball, "pose_b": pose}).to_string();
        lines(&distance(&["--reference"], case.as_bytes()).stdout).remove(0)
    };
    for a in &odd {
        let inside = ask(a, 0.2);
        assert_eq!(inside["overlap"], true, "{a}: {inside}");
        assert_eq!(
            inside["reference"]["note"], "the reference takes this mesh as a surface",
            "{a}: {inside}"
        );
        assert_eq!(ask(a, 4.0)["reference"]["agrees"], true, "{a}");
    }
    // Where it takes the mesh as closed it judges, also where it cannot tell inside from outside.
    let again: Vec<[usize; 3]> = cube.iter().map(|t| t.map(|i| i + 8)).collect();
    let inner: Vec<[f64; 3]> = corners.iter().map(|p| p.map(|x| 0.5 * x)).collect();
    for a in [mesh(&[], &cube), with(&inner, &again)] {
        for x in [0.2, 0.75, 4.0] {
            let answer = ask(&a, x);
            assert_eq!(answer["overlap"], x < 1.0, "{answer}");
            assert_eq!(answer["reference"]["agrees"], true, "{answer}");
        }
    }
}

#[test]
fn the_reference_judges_what_the_answer_is_about() {
    // Two walls of an L, and a ball in its notch: inside the hull, or beyond it and nearer to the hull than
    // to the walls.
    let case = |x: f64| {
        let walls = serde_json::json!({"type": "mesh",
            "vertices": [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1], [0, 1, 0], [0, 1, 1]],
            "triangles": [[0, 1, 2], [0, 2, 3], [0, 3, 5], [0, 5, 4]]});
        let ball = serde_json::json!({"type": "sphere", "radius": 0.05});
        serde_json::json!({"a": walls, "b": ball, "pose_b": {"xyz": [x, x, 0.5]}}).to_string()
    };
    for (x, hull, walls) in [(0.4, true, false), (0.7, false, false)] {
        for (geometry, overlap) in [("hull", hull), ("mesh", walls)] {
            let out = distance(&["--reference", "--geometry", geometry], case(x).as_bytes());
            let answer = lines(&out.stdout).remove(0);
            assert_eq!(
                (&answer["overlap"], &answer["reference"]["agrees"], &answer["geometry"]),
                (&overlap.into(), &true.into(), &geometry.into()),
                "{answer}"
            );
        }
    }
}

#[test]
fn bench_has_a_row_for_each_question() {
    let folder = folder("bench");
    let out = run(&folder, &["bench", "cell.toml", "--poses", "300", "--json", "-"]);
    let rows = lines(&out.stdout);
    assert_eq!((out.status.code(), rows.len()), (Some(0), 12));
    let words = |text: &str| text.lines().last().unwrap().starts_with("rod: 1 pair checked; yes or no in ");
    assert!(words(&text(&out.stderr)), "{}", text(&out.stderr));
    let table = text(&run(&folder, &["bench", "cell.toml", "--poses", "3"]).stdout);
    assert!(words(&table) && table.ends_with(" random poses a second on one thread\n"), "{table}");
    assert!(table.starts_with("rod: 1 joint value, 3 bodies, 2 shapes, 1 pair checked;"), "{table}");
    assert!(table.contains("\n-: not known. Batches are timed as a whole"), "{table}");
    for row in rows {
        assert!(row["mean_ns"].as_f64() > Some(0.0) && row["batch"].as_u64() > Some(0));
        // Of 300 poses none is known to be beyond 99.9 %; of five batches not even one beyond 99 %.
        assert!(row["p999_ns"].is_null() && row["p99_ns"].is_null() == (row["batch"] != 1), "{row}");
        // Balls need no search.
        assert_eq!(row["iterations"], 0, "{row}");
        assert!(row["median_ns"].is_number() && row["max_ns"].is_number(), "{row}");
        assert!(row["n"] == 300 && row["median_ns"].as_f64() <= row["max_ns"].as_f64(), "{row}");
        let verdicts = row["verdicts"].as_object().unwrap();
        assert_eq!(verdicts.values().map(|v| v.as_u64().unwrap()).sum::<u64>(), 300);
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

/// Two concave meshes, whose depth is only bracketed, and two balls, whose depth is 0.2: less than the one
/// end, more than the other.
#[test]
fn the_ends_of_an_interval_may_be_of_different_pairs() {
    let folder = folder("ends");
    std::fs::write(folder.join("ell.obj"), prism()).unwrap();
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
        [[obstacle]]\nname = \"ball\"\nxyz = [0, 20.8, 0]\nshape = { type = \"sphere\", radius = 0.5 }\n";
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
    assert_eq!((&sample["pair"], &sample["vector"]), (&ball["pair"], &ball["vector"]));
    // The search for that pair converged; the depth of all is only bracketed, and said to be.
    assert_ne!(sample["stop"], "bracketed");
    let note = |more: &[&str]| text(&run(&folder, &[&["check", "two.toml"], more].concat()).stdout);
    assert!(note(&[]).contains("note: at 1 sample the depth of colliding meshes is only bracketed"));
    assert!(!note(&["--geometry", "hull"]).contains("bracketed"));
    let words = "(lower bound from two/ell and world/ell)";
    assert!(text(&out.stderr).contains(words));
    // Wherever the interval of a sample is shown, its other pair is named.
    let out = run(&folder, &["check", "two.toml", "--at", "0,0", "--at", "0,0.1", "--report", "page.html"]);
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    // Headline, two columns of the plot, and the one moment.
    assert_eq!(page.matches(words).count(), 4, "{page}");
    let table = text(&run(&folder, &["check", "two.toml", "--at", "0,0", "--at", "0,0.1"]).stdout);
    assert_eq!(table.matches("(lower bound: two/ell)").count(), 1, "{table}");
    assert!(table.contains("(lower bound: world/ell)") && table.contains(words), "{table}");
    assert_eq!(out.status.code(), Some(1));
}

#[test]
fn depths_that_are_only_bracketed_are_said_to_be() {
    let folder = folder("bracketed");
    std::fs::write(folder.join("ell.obj"), prism()).unwrap();
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
    let note = "note: at 2 samples the depth of colliding meshes is only bracketed; --geometry hull gives";
    let (table, said) = ask(&["--report", "page.html", "--padding", "0.001"]);
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(table.contains(note) && page.contains(note), "{table}");
    assert!(
        table.contains("SRDF: none used (none beside") && page.contains("<dt>SRDF<dd>none used"),
        "{table}"
    );
    assert!(page.contains("<dt>padding<dd>1.00 mm, and up to 2.00 mm more"), "{page}");
    let minima =
        "Local minima of clearance, worst first; where a depth is only bracketed, of what is proved of it";
    assert!(table.contains(&format!("\n{minima}\n")) && page.contains(&format!("{minima}. ")), "{table}");
    // Three samples are no measure of time.
    assert!(!said.contains("us a sample"), "{said}");
    assert!(!ask(&["--geometry", "hull"]).0.contains("bracketed"));
    // A test has measured nothing: verdicts, and where to look.
    let (table, said) = ask(&["--ask", "test", "--report", "page.html"]);
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    for shown in [&table, &said, &page] {
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
fn mimic_joints_may_be_in_a_motion() {
    let folder = folder("mimic");
    let twin = "<link name=\"hand\"/><joint name=\"twin\" type=\"continuous\"><parent link=\"arm\"/>\
        <child link=\"hand\"/>\
        <axis xyz=\"0 0 1\"/><mimic joint=\"turn\" multiplier=\"-2\" offset=\"0.5\"/></joint></robot>";
    std::fs::write(folder.join("rod.urdf"), ROD.replace("</robot>", twin)).unwrap();
    std::fs::write(folder.join("good.csv"), "t,turn,twin\n0,0.25,0\n1,0.5,-0.5\n0.5,1,-1.5\n").unwrap();
    let out = run(&folder, &["check", "cell.toml", "--motion", "good.csv"]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(0), "{said}");
    assert!(said.contains("warning: good.csv: line 4, sample 2: time runs backwards at 1 sample"), "{said}");
    std::fs::write(folder.join("bad.csv"), "turn,twin\n0.25,0\n0.5,0.5\n").unwrap();
    let out = run(&folder, &["check", "cell.toml", "--motion", "bad.csv"]);
    let said = text(&out.stderr);
    let words =
        "line 3, sample 1: mimic joint \"rod/twin\" is 0.5, but -2 * 0.5 (\"rod/turn\") + 0.5 gives -0.5";
    assert!(out.status.code() == Some(2) && said.contains(words), "{said}");
    std::fs::write(folder.join("far.csv"), "turn\n\n0\n2.5\n3\n").unwrap();
    let said = text(&run(&folder, &["check", "cell.toml", "--motion", "far.csv"]).stderr);
    assert!(said.contains("far.csv: 2 samples, the first at line 4, sample 1; the worst"), "{said}");
}

#[test]
fn real_robots() {
    let Some(robots) = robots() else { return };
    for (robot, checked) in
        [("kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf", 21), ("panda_vamp/panda_spherized.urdf", 1)]
    {
        let out = run(&robots, &["check", robot, "--json", "-"]);
        assert!(matches!(out.status.code(), Some(0 | 1)), "{robot}: {}", text(&out.stderr));
        let line = &lines(&out.stdout)[0];
        assert!(line["counts"]["pairs"].as_u64().unwrap() >= checked, "{line}");
    }
    // Its states name a mimic joint beside the one it follows.
    let arguments =
        ["check", "schunk_sdh2/schunk_sdh.urdf", "--motion", "../truth/sdh2.csv", "--ask", "test"];
    let out = run(&robots, &[&arguments[..], &["--ignore-unknown-columns", "--ignore-limits"]].concat());
    assert!(matches!(out.status.code(), Some(0 | 1)), "{}", text(&out.stderr));
}
