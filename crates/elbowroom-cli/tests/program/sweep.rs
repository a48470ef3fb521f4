//! Sweeps: many poses from a file into a file, in parts, on threads, and through interruptions.

mod arm;
mod columns;
mod poses;
mod refusals;

use crate::support::schema::Schema;
use crate::support::{checked, folder, run, text};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

/// Runs `sweep` on the cell.
fn sweep(folder: &Path, more: &[&str]) -> Output {
    run(folder, &[&["sweep", "cell.toml", "--quiet"], more].concat())
}

/// Runs it, and returns what it wrote.
pub fn swept(folder: &Path, out: &str, more: &[&str]) -> Vec<u8> {
    let done = sweep(folder, &[more, &["--out", out]].concat());
    assert!(matches!(done.status.code(), Some(0 | 1)), "{more:?}: {}", text(&done.stderr));
    assert!(
        !folder.join(format!("{out}.partial")).exists() && !folder.join(format!("{out}.incomplete")).exists()
    );
    std::fs::read(folder.join(out)).unwrap()
}

pub fn about(folder: &Path, out: &str) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join(format!("{out}.json"))).unwrap()).unwrap()
}

#[test]
fn rows_have_the_answers_of_check() {
    let folder = folder("sweep-answers");
    let random = ["--random", "9000", "--seed", "7"];
    for (ask, depth) in [("distance", "ordinary"), ("lower-bound", "ordinary"), ("test", "ordinary")] {
        let options = [&random[..], &["--ask", ask, "--depth", depth]].concat();
        let rows = swept(&folder, "a.csv", &options);
        let rows: Vec<Vec<String>> =
            text(&rows).lines().map(|line| line.split(',').map(String::from).collect()).collect();
        assert_eq!(rows[0], ["sample", "verdict", "lower", "upper", "pair"]);
        let (_, told, _) = checked(&folder, "cell.toml", &options);
        assert_eq!(rows.len(), told.len() + 1);
        let mut seen = [0; 3];
        for (row, told) in rows[1..].iter().zip(&told) {
            assert_eq!(row[0].parse::<u64>().unwrap(), told["sample"].as_u64().unwrap());
            assert_eq!(row[1], told["verdict"], "{row:?}");
            seen[["clear", "near", "collision"].iter().position(|word| row[1] == *word).unwrap()] += 1;
            if ask == "test" {
                assert_eq!(row[2..], ["", "", ""]);
                continue;
            }
            // Searches start from those before them, and blocks are of other sizes: the last digits differ.
            for (k, word) in [(2, "lower"), (3, "upper")] {
                let both = [row[k].parse::<f64>().ok(), told[word].as_f64()];
                let agree = match both {
                    [Some(a), Some(b)] => (a - b).abs() < 1e-9,
                    [a, b] => a.is_none_or(f64::is_infinite) && b.is_none(),
                };
                assert!(agree, "{row:?} {told}");
            }
        }
        assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
        let counts = &about(&folder, "a.csv")["found"]["counts"];
        assert_eq!([0, 1, 3].map(|k| counts[k].as_u64().unwrap()), seen);
    }
}

/// What all rows have: sample, verdict, lower, upper, pair.
type ArrayRow = (i64, u8, f64, f64, i32);

/// The header and the rows of an array with these columns alone.
fn array_rows(bytes: &[u8]) -> (String, Vec<ArrayRow>) {
    assert!(bytes.starts_with(b"\x93NUMPY\x01\x00"));
    let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!(start % 64, 0);
    let rows = bytes[start..].chunks_exact(29).map(|row| {
        (
            i64::from_le_bytes(row[..8].try_into().unwrap()),
            row[8],
            f64::from_le_bytes(row[9..17].try_into().unwrap()),
            f64::from_le_bytes(row[17..25].try_into().unwrap()),
            i32::from_le_bytes(row[25..].try_into().unwrap()),
        )
    });
    assert_eq!((bytes.len() - start) % 29, 0);
    (text(&bytes[10..start]), rows.collect())
}

#[test]
fn an_array_says_what_the_table_says_and_its_description_names_its_numbers() {
    let folder = folder("sweep-array");
    let options = ["--grid", "turn=-2:2:5001", "--ask", "distance"];
    let (header, rows) = array_rows(&swept(&folder, "a.npy", &options));
    assert!(
        header.starts_with(
            "{'descr': [('sample', '<i8'), ('verdict', '|u1'), ('lower', '<f8'), ('upper', '<f8'), ('pair', \
             '<i4')], 'fortran_order': False, 'shape': (5001,), }"
        ),
        "{header}"
    );
    let table = text(&swept(&folder, "a.csv", &options));
    let about = about(&folder, "a.npy");
    let mut schema = Schema::read("sweep");
    schema.check(&about);
    schema.all_seen();
    assert_eq!(rows.len(), 5001);
    for (row, line) in rows.iter().zip(table.lines().skip(1)) {
        let (sample, verdict, lower, upper, pair) = *row;
        let [verdict, pair] = [&about["verdicts"][usize::from(verdict)], &about["pairs"][pair as usize]]
            .map(|v| v.as_str().unwrap());
        assert_eq!(line, format!("{sample},{verdict},{lower},{upper},{pair}"));
    }
    // The rod's end, a metre out, hits the post within a chord of 0.3 m on both sides.
    let hits = rows.iter().filter(|row| row.1 == 3).count();
    assert!((hits as f64 * 4.0 / 5000.0 - 4.0 * (0.3_f64 / 2.0).asin()).abs() < 0.01, "{hits}");
}

#[test]
fn threads_parts_and_interruptions_change_no_byte() {
    let folder = folder("sweep-bytes");
    // Rows of a file, of which a few are no poses.
    let mut poses = String::from("turn\n");
    for i in 0..30_000 {
        let value =
            if i % 9000 == 8999 { "nan".into() } else { format!("{}", f64::from(i % 400) * 0.01 - 2.0) };
        poses += &format!("{value}\n");
    }
    std::fs::write(folder.join("poses.csv"), poses).unwrap();
    for (kind, options) in [
        ("npy", &["--random", "30000"][..]),
        (
            "csv",
            &["--random", "30000", "--ask", "distance", "--more", "q,witness,gradient", "--nearest", "2"],
        ),
        ("npy", &["--poses", "poses.csv", "--ask", "lower-bound"]),
        ("csv", &["--poses", "poses.csv", "--edges"]),
        ("npy", &["--grid", "turn=-2:2:30000", "--ask", "distance", "--ignore-limits"]),
    ] {
        let faulty = options.contains(&"poses.csv");
        let ask = |out: &str, more: &[&str]| {
            let done = sweep(&folder, &[options, more, &["--out", out]].concat());
            assert!(
                matches!((done.status.code(), faulty), (Some(2), true) | (Some(1), false)) || more.len() > 2
            );
            std::fs::read(folder.join(out)).unwrap_or_default()
        };
        let name = |what: &str| format!("{what}.{kind}");
        let whole = ask(&name("whole"), &["--threads", "1"]);
        assert_eq!(ask(&name("threads"), &["--threads", "5"]), whole);

        let parts: Vec<String> = (1..=3).map(|k| name(&format!("part{k}"))).collect();
        for (k, part) in parts.iter().enumerate() {
            ask(part, &["--part", &format!("{}/3", k + 1), "--threads", "2"]);
        }
        let merged = name("merged");
        let merge = |parts: &[&str]| run(&folder, &[&["sweep", "--out", &merged, "--merge"], parts].concat());
        let order = [&*parts[2], &parts[0], &parts[1]];
        let done = merge(&order);
        assert_eq!(done.status.code(), Some(if faulty { 2 } else { 1 }), "{}", text(&done.stderr));
        assert_eq!(std::fs::read(folder.join(&merged)).unwrap(), whole);
        let described = |out: &str| std::fs::read_to_string(folder.join(format!("{out}.json"))).unwrap();
        assert_eq!(described(&merged), described(&name("whole")));

        for (parts, word) in [
            (&order[..2], "of 3 parts these are missing: 2"),
            (&[order[0], order[0], order[1], order[2]][..], "are the same part, 3"),
        ] {
            let refused = merge(parts);
            let said = text(&refused.stderr);
            assert!(refused.status.code() == Some(2) && said.contains(word), "{said}");
        }

        // A part that was cut off is no part.
        let bytes = std::fs::read(folder.join(order[1])).unwrap();
        std::fs::write(folder.join(order[1]), &bytes[..bytes.len() - 1]).unwrap();
        let said = text(&merge(&order).stderr);
        assert!(said.contains("were written: it was cut off or changed"), "{said}");

        // The disk becomes full: what was answered is kept, and the same command goes on.
        let full = name("full");
        let _ = std::fs::remove_file(folder.join(&full));
        let options = options.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
        let program = env!("CARGO_BIN_EXE_elbowroom");
        let mut gone_on = false;
        for kilobytes in [2 * whole.len() / 5120, 4 * whole.len() / 5120, 1 << 20] {
            let script = format!(
                "trap '' XFSZ; ulimit -f {kilobytes}; exec '{program}' sweep cell.toml {options} --out {full}"
            );
            let done = Command::new("bash").args(["-c", &script]).current_dir(&folder).output().unwrap();
            let said = text(&done.stderr);
            gone_on |= said.contains("goes on after an interruption");
            if folder.join(&full).exists() {
                break;
            }
            assert!(done.status.code() == Some(2) && said.contains("goes on from there"), "{said}");
        }
        assert!(gone_on && std::fs::read(folder.join(&full)).unwrap() == whole, "{options}");
    }
}

#[test]
fn a_sweep_that_is_killed_goes_on() {
    let folder = folder("sweep-killed");
    let start = |out: &str, threads: &str| {
        let _ = std::fs::remove_file(folder.join(out));
        Command::new(env!("CARGO_BIN_EXE_elbowroom"))
            .args(["sweep", "cell.toml", "--random", "2500000", "--ask", "lower-bound", "--threads", threads])
            .args(["--out", out])
            .current_dir(&folder)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap()
    };
    let _ = std::fs::remove_file(folder.join("killed.npy.partial"));
    let kept_rows = || {
        let kept = std::fs::read_to_string(folder.join("killed.npy.partial")).unwrap_or_default();
        kept.lines().count().saturating_sub(1)
    };
    let (mut killed, mut gone_on) = (0, 0);
    for wait in [10, 250, 400] {
        let before = kept_rows();
        let mut child = start("killed.npy", "1");
        while kept_rows() <= before && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(wait));
        killed += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        let out = child.wait_with_output().unwrap();
        gone_on += usize::from(text(&out.stderr).contains("goes on after an interruption"));
    }
    let last = start("killed.npy", "0").wait_with_output().unwrap();
    gone_on += usize::from(text(&last.stderr).contains("goes on after an interruption"));
    assert_eq!(last.status.code(), Some(1), "{}", text(&last.stderr));
    assert_eq!(start("whole.npy", "0").wait_with_output().unwrap().status.code(), Some(1));
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert!(read("killed.npy") == read("whole.npy") && killed > 0 && gone_on > 0, "{killed}, {gone_on}");
    for name in ["killed.npy", "whole.npy"] {
        std::fs::remove_file(folder.join(name)).unwrap();
    }
}

/// All rows are on the disk, and the file has not taken its place: nothing is answered again.
#[test]
fn a_sweep_that_ended_after_its_last_row_repeats_none() {
    let folder = folder("sweep-last-row");
    for rows in ["1", "4096", "5000"] {
        for name in ["whole.csv", "last.csv"] {
            let _ = std::fs::remove_file(folder.join(name));
        }
        let options = ["--random", rows, "--ask", "test", "--out"];
        let whole = sweep(&folder, &[&options[..], &["whole.csv"]].concat());
        assert!(matches!(whole.status.code(), Some(0 | 1)), "{}", text(&whole.stderr));
        // Its description cannot be written, and that comes after the last row.
        let _ = std::fs::remove_file(folder.join("last.csv.json"));
        std::fs::create_dir(folder.join("last.csv.json")).unwrap();
        let out = sweep(&folder, &[&options[..], &["last.csv"]].concat());
        assert_eq!((out.status.code(), folder.join("last.csv").exists()), (Some(2), false));
        std::fs::remove_dir(folder.join("last.csv.json")).unwrap();
        let out = sweep(&folder, &[&options[..], &["last.csv"]].concat());
        let said = text(&out.stderr);
        assert!(said.contains("goes on after an interruption: 0 rows left"), "{said}");
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(read("last.csv") == read("whole.csv"), "{rows} rows");
    }
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let folder = folder("sweep-refused");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("empty.csv", "");
    write("title.csv", "turn\n");
    write("names.csv", "trun\n0\n");
    write("bad.npy", "turn\n0\n");
    write("old.csv", "turn\r0\r1\r");
    write("three.csv", "turn\n0\n0\n0\n");
    std::fs::write(
        folder.join("cut.npy"),
        &b"\x93NUMPY\x01\x00\x46\x00{'descr': '<f8', 'fortran_order': False, 'shape': (9, 1), }           \n"
            [..],
    )
    .unwrap();
    for (options, word) in [
        (&["--poses", "none.csv"][..], "none.csv"),
        (&["--poses", "empty.csv"], "no column for rod/turn"),
        (&["--poses", "title.csv"], "has no row below its header"),
        (&["--poses", "names.csv"], "\"trun\" is not a joint of this model"),
        (&["--poses", "bad.npy"], "is not an NPY file"),
        (&["--poses", "cut.npy"], "its header claims"),
        (&["--poses", "old.csv"], "lines end with CR alone"),
        (&["--poses", "three.csv", "--edges"], "--edges takes two rows each, and there are 3"),
        (&["--grid", "turn=0:1"], "write joint=from:to:count"),
        (&["--grid", "trun=0:1:2,turn=0:1:0"], "did you mean \"rod/turn\"?"),
        (&["--random", "0"], "--random: give a number from 1"),
        (&["--random", "9", "--nearest", "2"], "--nearest: write --ask distance too"),
        (&["--random", "9", "--out", "a.txt"], "give a name that ends in .npy, .csv or .parquet"),
        (&["--random", "9", "--part", "4/3"], "give K/N with K from 1 to N"),
        (&["--merge", "none.npy"], "none.npy has no description none.npy.json"),
        (&[], "give poses: --poses FILE, --random N or --grid"),
    ] {
        let out = if options.contains(&"--out") { &[][..] } else { &["--out", "a.npy"] };
        let done = sweep(&folder, &[options, out].concat());
        let said = text(&done.stderr);
        assert!(done.status.code() == Some(2) && said.contains(word), "{options:?}: {said}");
    }
    assert!(!folder.join("a.npy").exists());

    // Rows that are no poses are named and counted, and all others are answered.
    write("some.csv", "t,turn\n0,0.5\n1,oops\n2,0.5,7\n3,9\n4,1.5\n");
    let done = sweep(&folder, &["--poses", "some.csv", "--out", "some-rows.csv"]);
    let said = text(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{said}");
    for word in [
        "line 3, row 1: column \"turn\": \"oops\" is not a finite number",
        "line 4, row 2: has 3 fields, the header has 2",
        "row 3: ",
        "3 rows are no poses; all others are answered",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let rows = std::fs::read_to_string(folder.join("some-rows.csv")).unwrap();
    let verdicts: Vec<&str> = rows.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(verdicts, ["clear", "fault", "fault", "fault", "collision"]);
}

#[test]
fn work_of_another_sweep_is_left_alone() {
    let folder = folder("sweep-other");
    let script = |options: &str, kilobytes: u32| {
        let program = env!("CARGO_BIN_EXE_elbowroom");
        let script =
            format!("trap '' XFSZ; ulimit -f {kilobytes}; exec '{program}' sweep {options} --out a.npy");
        let done = Command::new("bash").args(["-c", &script]).current_dir(&folder).output().unwrap();
        (done.status.code(), text(&done.stderr))
    };
    let poses = |first: f64| {
        let rows: String = (0..20_000).map(|i| format!("{}\n", first + f64::from(i % 100) * 0.01)).collect();
        std::fs::write(folder.join("poses.csv"), format!("turn\n{rows}")).unwrap();
    };
    poses(0.0);
    std::fs::write(folder.join("other.toml"), "margin = 0.02\n[[robot]]\nurdf = \"rod.urdf\"\n").unwrap();
    assert_eq!(script("cell.toml --poses poses.csv", 300).0, Some(2));
    let kept = std::fs::read(folder.join("a.npy.partial")).unwrap();
    for options in [
        "other.toml --poses poses.csv",
        "cell.toml --poses poses.csv --ask distance",
        "cell.toml --poses poses.csv --part 1/2",
        "cell.toml --poses poses.csv --margin 0.01",
        "cell.toml --random 20000",
    ] {
        let (code, said) = script(options, 1 << 20);
        assert!(code == Some(2) && said.contains("holds the progress of another sweep"), "{options}: {said}");
    }
    poses(0.1);
    let (code, said) = script("cell.toml --poses poses.csv", 1 << 20);
    assert!(code == Some(2) && said.contains("the poses have changed"), "{said}");
    assert_eq!(std::fs::read(folder.join("a.npy.partial")).unwrap(), kept);
    poses(0.0);
    let (code, said) = script("cell.toml --poses poses.csv", 1 << 20);
    assert!(code == Some(0) && said.contains("goes on after an interruption"), "{said}");

    // Parts of different sweeps are not joined.
    for (part, seed) in [("1", "1"), ("2", "2")] {
        let out = format!("p{part}.npy");
        swept(&folder, &out, &["--random", "9000", "--seed", seed, "--part", &format!("{part}/2")]);
    }
    let refused = run(&folder, &["sweep", "--merge", "p1.npy", "p2.npy", "--out", "all.npy"]);
    let said = text(&refused.stderr);
    assert!(refused.status.code() == Some(2) && said.contains("they differ in poses"), "{said}");
    assert!(!folder.join("all.npy").exists());
}

#[test]
fn edges_are_those_of_check_and_a_page_shows_what_was_found() {
    let folder = folder("sweep-edges");
    let rows: String = (0..200).map(|i| format!("{}\n", -1.9 + f64::from(i * 37 % 200) * 0.018)).collect();
    std::fs::write(folder.join("ways.csv"), format!("turn\n{rows}")).unwrap();
    let table =
        text(&swept(&folder, "edges.csv", &["--poses", "ways.csv", "--edges", "--histogram", "a.html"]));
    let (_, told, _) = checked(&folder, "cell.toml", &["--motion", "ways.csv", "--continuous"]);
    let mut seen = [0; 3];
    for (k, line) in table.lines().skip(1).enumerate() {
        let fields: Vec<&str> = line.split(',').collect();
        let edge = &told[2 * k + 1]["edge"];
        let word = match edge["verdict"].as_str().unwrap() {
            "free" => "clear",
            "contact" => "collision",
            word => word,
        };
        assert_eq!(fields[1], word, "{line} {edge}");
        seen[["clear", "near", "collision"].iter().position(|w| *w == word).unwrap()] += 1;
        if word == "collision" {
            let first = edge["first_contact"][0].as_f64().unwrap();
            assert!((fields[2].parse::<f64>().unwrap() - first).abs() < 1e-6);
            assert!(fields[4].contains("rod/arm|"));
        }
    }
    assert!(seen[0] > 10 && seen[2] > 10, "{seen:?}");
    let page = std::fs::read_to_string(folder.join("a.html")).unwrap();
    assert!(
        page.contains("&lt;img") && !page.contains("<img") && page.contains("rod/turn"),
        "names are text"
    );
}

#[test]
fn contact_on_pads_is_what_check_says() {
    let folder = folder("sweep-pads");
    let world = concat!(env!("CARGO_MANIFEST_DIR"), "/../../robots/sdh2/pads.toml");
    let motion = concat!(env!("CARGO_MANIFEST_DIR"), "/../../robots/sdh2/pinch.csv");
    for ask in ["distance", "lower-bound", "test"] {
        let (_, told, _) = checked(&folder, world, &["--motion", motion, "--ask", ask]);
        let options = ["sweep", world, "--quiet", "--poses", motion, "--ask", ask, "--out", "a.csv"];
        assert_eq!(run(&folder, &options).status.code(), Some(0));
        let rows = std::fs::read_to_string(folder.join("a.csv")).unwrap();
        let verdicts: Vec<&str> = rows.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
        assert_eq!(verdicts, told.iter().map(|told| told["verdict"].as_str().unwrap()).collect::<Vec<_>>());
        assert!(verdicts.contains(&"expected_contact") && verdicts.contains(&"clear"));
    }
    // Each pose twice but the ends: the ways between samples.
    let lines: Vec<String> = std::fs::read_to_string(motion).unwrap().lines().map(String::from).collect();
    let mut ways = format!("{}\n", lines[0]);
    lines[1..].windows(2).for_each(|way| ways += &format!("{}\n{}\n", way[0], way[1]));
    std::fs::write(folder.join("ways.csv"), ways).unwrap();
    let options = ["sweep", world, "--quiet", "--poses", "ways.csv", "--edges", "--out", "edges.csv"];
    assert_eq!(run(&folder, &options).status.code(), Some(0));
    let rows = std::fs::read_to_string(folder.join("edges.csv")).unwrap();
    assert_eq!(rows.matches(",expected_contact,").count(), 5, "{rows}");
}

/// Processes that know nothing of each other would all write the same file.
#[cfg(not(feature = "mpi"))]
#[test]
fn copies_of_one_sweep_are_refused() {
    let folder = folder("sweep-copies");
    let _ = std::fs::remove_file(folder.join("a.csv"));
    let with_count = |count: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
        command.current_dir(&folder).env("OMPI_COMM_WORLD_SIZE", count);
        command.args(["sweep", "cell.toml", "--quiet", "--random", "10", "--out", "a.csv"]);
        command.args(more).output().unwrap()
    };
    let out = with_count("4", &[]);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("4 processes were started together"), "{}", text(&out.stderr));
    assert!(!folder.join("a.csv").exists());
    for (count, more) in [("1", &[][..]), ("4", &["--part", "1/4"])] {
        assert!(matches!(with_count(count, more).status.code(), Some(0 | 1)));
    }
}
