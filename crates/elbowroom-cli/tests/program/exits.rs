//! The program as its users see it: exit codes, standard output, standard error, files.

use crate::support::{CELL, ROD, folder, lines, robots, run, text, without_command};
use serde_json::Value;

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
    let cases: [(&[&str], &[&str]); 24] = [
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
        (&["check", "cell.toml", "--report", "page.json"], &["is no name of a page", "give page.html"]),
        (&["check", "cel.toml"], &["cel.toml: cannot be read", "did you mean \"cell.toml\"?"]),
        (&["check", "cell.toml", "--motion", "paths.csv"], &["did you mean \"path.csv\"?"]),
        (
            &["pairs", "cell.toml", "--body", "arn"],
            &["--body arn: there is no such body", "did you mean \"arm\"?"],
        ),
        (&["man", "chek"], &["no command `chek`", "check, "]),
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
fn threads_change_no_byte() {
    let folder = folder("threads");
    let ask = |threads: &str, more: &[&str]| {
        let arguments = ["check", "cell.toml", "--motion", "path.csv", "--threads", threads, "--json", "-"];
        let out = run(&folder, &[&arguments[..], more].concat());
        assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
        out.stdout
    };
    let with_page = |threads: &str| {
        let page = format!("page{threads}.html");
        let lines = ask(threads, &["--report", &page]);
        (lines, without_command(&std::fs::read_to_string(folder.join(page)).unwrap()))
    };
    let one = with_page("1");
    assert!(one == with_page("7"), "7 threads");
    for threads in ["2", "100000"] {
        assert!(one.0 == ask(threads, &[]), "{threads} threads");
    }
    let random = |threads: &str| {
        let arguments = ["check", "cell.toml", "--random", "3000", "--seed", "3", "--json", "-"];
        run(&folder, &[&arguments[..], &["--threads", threads]].concat()).stdout
    };
    let one_random = random("1");
    assert_eq!(lines(&one_random).iter().filter(|line| line["sample"].is_u64()).count(), 3000);
    for threads in ["2", "7"] {
        assert!(one_random == random(threads), "{threads} threads, random poses");
    }
    let page = &one.1;
    assert!(page.contains("Collision at") && page.contains("<svg") && page.contains("rod/arm"));
    assert!(!page.contains("<img"), "names must not become markup");
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"));
    // A moment's pose can be asked again: at its worst the rod meets the ball.
    let at = page
        .split("Joint values</summary>rod/turn = ")
        .nth(1)
        .and_then(|rest| rest.split('<').next())
        .unwrap();
    assert!(!page.contains("00000000001 s)"), "{at}");
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

#[test]
fn bench_has_a_row_for_each_question() {
    let folder = folder("bench");
    let out = run(&folder, &["bench", "cell.toml", "--poses", "300", "--json", "-"]);
    let rows = lines(&out.stdout);
    assert_eq!((out.status.code(), rows.len()), (Some(0), 12));
    let words = |text: &str| text.lines().last().unwrap().starts_with("rod: 1 pair checked; yes or no in ");
    let said = text(&out.stderr);
    assert!(said.contains(" a pose (mean; medians of free poses ") && said.contains(", of colliding ones "));
    // Nothing collides where nothing is.
    let far = std::fs::read_to_string(folder.join("cell.toml")).unwrap().replace("[0, 1, 0]", "[0, 9, 0]");
    std::fs::write(folder.join("far.toml"), far).unwrap();
    let bare = text(&run(&folder, &["bench", "far.toml", "--poses", "30", "--json", "-"]).stderr);
    assert!(bare.contains(" a pose (mean): "), "{bare}");
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
        // Some of the poses collide and some do not: both are told apart.
        for median in ["median_free_ns", "median_collision_ns"] {
            assert!(row[median].is_number() == (row["batch"] == 1), "{row}");
            assert!(row[median].as_f64() <= row["max_ns"].as_f64(), "{row}");
        }
        assert!(
            row["verdicts"]["collision"].as_u64() > Some(0) && row["verdicts"]["clear"].as_u64() > Some(0)
        );
        assert!(row["n"] == 300 && row["median_ns"].as_f64() <= row["max_ns"].as_f64(), "{row}");
        let verdicts = row["verdicts"].as_object().unwrap();
        assert_eq!(verdicts.values().map(|v| v.as_u64().unwrap()).sum::<u64>(), 300);
    }
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
