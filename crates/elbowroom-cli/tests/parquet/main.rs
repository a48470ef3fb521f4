//! Sweeps from Parquet files and into them. Files of `made/` were written by pyarrow (`make.py`); where a
//! `python3` with pyarrow is on the path, it also reads what the program writes.

#[path = "../support/schema.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod schema;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use schema::Schema;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A ball that turns about z and is lifted, with a joint that mimics the lift, beside another.
const ARM: &str = r#"<robot name="arm"><link name="base"/><link name="post"/>
  <link name="ball"><collision><origin xyz="1 0 0"/>
    <geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="slide"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="post"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="lift" type="prismatic"><parent link="post"/><child link="ball"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
  <joint name="follow" type="prismatic"><parent link="base"/><child link="slide"/><axis xyz="0 0 1"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/>
    <mimic joint="lift" multiplier="2" offset="0.25"/></joint>
</robot>"#;

const CELL: &str = "margin = 0.05\n[[robot]]\nurdf = \"arm.urdf\"\n[[obstacle]]\n\
                    name = \"post\"\nxyz = [0, 1, 0.2]\n\
                    shape = { type = \"sphere\", radius = 0.2 }\n";

/// A folder of this test's own with the cell.
fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("arm.urdf"), ARM).unwrap();
    std::fs::write(folder.join("cell.toml"), CELL).unwrap();
    folder
}

fn made(name: &str) -> String {
    format!("{}/tests/parquet/made/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The poses of `grid.parquet`, as CSV.
fn write_grid(folder: &Path) {
    let rows = (0..5000).map(|row| {
        let (turn, lift) = (f64::from(row % 50) * 0.0625 - 1.5, f64::from(row / 50 % 100) * 0.0078125);
        format!("{turn},{lift}\n")
    });
    std::fs::write(folder.join("grid.csv"), format!("turn,lift\n{}", rows.collect::<String>())).unwrap();
}

fn sweep(folder: &Path, options: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
    command.current_dir(folder).args(["sweep", "cell.toml", "--quiet"]).args(options).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs it, and returns what it wrote.
fn swept(folder: &Path, out: &str, options: &[&str]) -> Vec<u8> {
    let done = sweep(folder, &[options, &["--out", out]].concat());
    assert!(matches!(done.status.code(), Some(0 | 1)), "{options:?}: {}", text(&done.stderr));
    let left = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().contains("incomplete")).collect();
    assert!(left.is_empty(), "{left:?}");
    std::fs::read(folder.join(out)).unwrap()
}

#[test]
fn poses_are_found_by_name_whatever_their_place_type_group_and_compression() {
    let folder = folder("parquet-poses");
    let question = ["--ask", "distance", "--more", "q,witness"];
    let ask = |poses: &str, threads: &str| {
        swept(&folder, "a.npy", &[&question[..], &["--poses", poses, "--threads", threads]].concat())
    };
    write_grid(&folder);
    let expected = ask("grid.csv", "1");
    for threads in ["1", "2"] {
        assert!(ask(&made("grid.parquet"), threads) == expected);
    }
    let few = |poses: &str| swept(&folder, "few.csv", &["--ask", "distance", "--poses", poses]);
    let table = text(&few("grid.csv"));
    let expected: Vec<&str> = table.lines().take(61).collect();
    for kind in ["none", "snappy", "gzip", "lz4"] {
        assert_eq!(
            text(&few(&made(&format!("{kind}.parquet")))).lines().collect::<Vec<_>>(),
            expected,
            "{kind}"
        );
    }
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let folder = folder("parquet-refused");
    let grid = std::fs::read(made("grid.parquet")).unwrap();
    std::fs::write(folder.join("cut.parquet"), &grid[..grid.len() / 2]).unwrap();
    std::fs::write(folder.join("none.parquet"), b"turn,lift\n0,0\n").unwrap();
    for (name, word) in [
        ("text.parquet", "column \"turn\" is of type BYTE_ARRAY: give one number a row"),
        ("whole.parquet", "column \"turn\" is of type INT64: give one number a row"),
        ("ragged.parquet", "column \"lift\" has lists or records"),
        ("record.parquet", "column \"turn\" has lists or records"),
        ("missing.parquet", "no column for arm/turn"),
        ("misspelt.parquet", "\"trun\" is not a joint of this model"),
        ("misspelt.parquet", "no column for arm/turn"),
        ("empty.parquet", "holds no pose"),
        ("huge.parquet", "row group 0 has 20000000 rows, more than are held at once"),
        ("brotli.parquet", "is compressed by BROTLI"),
    ] {
        let done = sweep(&folder, &["--poses", &made(name), "--out", "a.npy"]);
        let said = text(&done.stderr);
        assert!(done.status.code() == Some(2) && said.contains(word), "{name}: {said}");
    }
    for name in ["cut.parquet", "none.parquet", "absent.parquet"] {
        let done = sweep(&folder, &["--poses", name, "--out", "a.npy"]);
        let said = text(&done.stderr);
        assert!(
            done.status.code() == Some(2) && said.contains("cannot be read as Parquet"),
            "{name}: {said}"
        );
    }
    assert!(!folder.join("a.npy").exists() && !folder.join("a.npy.incomplete").exists());

    // Rows that are no poses are named and counted, and all others are answered.
    let done = sweep(&folder, &["--poses", &made("gaps.parquet"), "--out", "gaps.csv"]);
    let said = text(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{said}");
    for word in [
        "row 3: column \"turn\" has no value",
        "row 5: ",
        "row 7: column \"lift\" has no value",
        "row 8: ",
        "row 9: mimic joint \"arm/follow\" is 1.25",
        "5 rows are no poses; all others are answered",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let rows = std::fs::read_to_string(folder.join("gaps.csv")).unwrap();
    let verdicts: Vec<&str> = rows.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    let expected = (0..10).map(|row| if [3, 5, 7, 8, 9].contains(&row) { "fault" } else { "clear" });
    assert_eq!(verdicts, expected.collect::<Vec<_>>());
}

/// A damaged file is an error or another pose, and no panic.
#[test]
fn damage_is_no_panic() {
    let folder = folder("parquet-damaged");
    for name in ["none", "snappy", "gzip", "lz4", "gaps"] {
        let good = std::fs::read(made(&format!("{name}.parquet"))).unwrap();
        for step in 0..12 {
            let mut bad = good.clone();
            let place = (step * 7919 + 4) % (good.len() - 8);
            bad[place] ^= 0x55;
            std::fs::write(folder.join("bad.parquet"), bad).unwrap();
            let done = sweep(&folder, &["--poses", "bad.parquet", "--out", "bad.npy"]);
            let said = text(&done.stderr);
            assert!(
                !said.contains("panicked") && matches!(done.status.code(), Some(0..=2)),
                "{name} {place}: {said}"
            );
            for left in ["bad.npy.partial", "bad.npy.incomplete"] {
                let _ = std::fs::remove_file(folder.join(left));
            }
        }
    }
}

#[test]
fn a_table_says_what_the_other_kinds_say() {
    let folder = folder("parquet-table");
    let question =
        ["--poses", &made("grid.parquet"), "--ask", "distance", "--more", "q,gradient", "--nearest", "1"];
    let table = swept(&folder, "a.parquet", &question);
    let lines = text(&swept(&folder, "a.csv", &question));
    let mut lines = lines.lines();
    let titles: Vec<&str> = lines.next().unwrap().split(',').collect();
    let reader = SerializedFileReader::try_from(folder.join("a.parquet").as_path()).unwrap();
    let fields = reader.metadata().file_metadata().schema_descr().root_schema().get_fields().to_vec();
    assert_eq!(fields.iter().map(|field| field.name()).collect::<Vec<_>>(), titles);
    let number =
        |row: &parquet::record::Row, k: usize| row.get_double(k).map_or(String::new(), |x| x.to_string());
    let words = |row: &parquet::record::Row, k: usize| row.get_string(k).map_or(String::new(), String::clone);
    let mut rows = 0;
    for (row, line) in reader.get_row_iter(None).unwrap().zip(lines.by_ref()) {
        let row = row.unwrap();
        let fields: Vec<String> = (0..titles.len())
            .map(|k| match titles[k] {
                "sample" => row.get_long(k).unwrap().to_string(),
                "verdict" | "pair" | "nearest_1" => words(&row, k),
                _ => number(&row, k),
            })
            .collect();
        assert_eq!(fields.join(","), line);
        rows += 1;
    }
    assert!(rows == 5000 && lines.next().is_none());
    let about = std::fs::read(folder.join("a.parquet.json")).unwrap();
    Schema::read("sweep").check(&serde_json::from_slice(&about).unwrap());

    // What was written with joint values is read as poses.
    let again =
        ["--poses", "a.parquet", "--ignore-unknown-columns", "--ask", "distance", "--more", "q,gradient"];
    let again = swept(&folder, "b.npy", &[&again[..], &["--nearest", "1"]].concat());
    assert!(again == swept(&folder, "a.npy", &question), "the same poses, the same answers");

    // Threads, and an interruption, change no byte; a page shows the same.
    assert!(swept(&folder, "b.parquet", &[&question[..], &["--threads", "1"]].concat()) == table);
    let program = env!("CARGO_BIN_EXE_elbowroom");
    let options = question.map(|word| format!("'{word}'")).join(" ");
    let mut gone_on = false;
    let _ = std::fs::remove_file(folder.join("full.parquet"));
    // The first chunk of 4096 rows fits, and the rest does not.
    for kilobytes in [360, 1 << 20] {
        let script = format!(
            "trap '' XFSZ; ulimit -f {kilobytes}; exec '{program}' sweep cell.toml {options} \
             --out full.parquet"
        );
        let done = Command::new("bash").args(["-c", &script]).current_dir(&folder).output().unwrap();
        gone_on |= text(&done.stderr).contains("goes on after an interruption");
    }
    assert!(gone_on && std::fs::read(folder.join("full.parquet")).unwrap() == table);
    for name in ["a.parquet", "a.csv"] {
        let page = format!("{name}.html");
        swept(&folder, name, &[&question[..], &["--histogram", &page]].concat());
    }
    let page = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(page("a.parquet.html"), page("a.csv.html"));

    // Without distances there are no numbers and no pairs, and parts are not joined.
    let part = |k: &str| {
        let out = format!("part{k}.parquet");
        swept(&folder, &out, &["--random", "9000", "--part", &format!("{k}/2")]);
        out
    };
    let parts = ["1", "2"].map(part);
    let done = Command::new(program)
        .current_dir(&folder)
        .args(["sweep", "--merge", &parts[0], &parts[1], "--out", "all.parquet"])
        .output()
        .unwrap();
    assert!(done.status.code() == Some(2) && text(&done.stderr).contains("parts in Parquet are not joined"));
}

/// pyarrow reads what the program writes.
#[test]
fn pyarrow_reads_it() {
    let has = Command::new("python3").args(["-c", "import pyarrow, numpy"]).output();
    if !has.is_ok_and(|has| has.status.success()) {
        println!("SKIPPED: no python3 with pyarrow is on the path");
        return;
    }
    let folder = folder("parquet-pyarrow");
    let question = ["--random", "9000", "--ask", "distance", "--more", "q,witness", "--nearest", "1"];
    swept(&folder, "a.parquet", &question);
    swept(&folder, "a.npy", &question);
    swept(&folder, "t.parquet", &["--random", "9000"]);
    let script = r#"
import json, numpy, pyarrow.parquet
table, rows = pyarrow.parquet.read_table("a.parquet"), numpy.load("a.npy")
about = json.load(open("a.npy.json"))
get = lambda name: table[name].to_pylist()
assert get("sample") == rows["sample"].tolist()
assert get("verdict") == [about["verdicts"][k] for k in rows["verdict"]]
assert get("pair") == [about["pairs"][k] for k in rows["pair"]]
assert numpy.array_equal(table["lower"].to_numpy(), rows["lower"])
for k, joint in enumerate(about["joints"]):
    assert numpy.array_equal(table[joint].to_numpy(), rows["q"][:, k])
assert numpy.array_equal(table["normal_z"].to_numpy(), rows["normal"][:, 2])
assert pyarrow.parquet.ParquetFile("a.parquet").metadata.num_rows == 9000
told = pyarrow.parquet.read_table("t.parquet")
assert told["lower"].null_count == told["pair"].null_count == 9000 and told["verdict"].null_count == 0
"#;
    let done = Command::new("python3").args(["-c", script]).current_dir(&folder).output().unwrap();
    assert!(done.status.success(), "{}", text(&done.stderr));
}
