//! The lab's program: tables on standard output, files in a folder, and what it refuses.

use elbowroom_testkit::{data, program::closed_output};

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const ROBOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../robots");

/// A folder of this test's own.
fn make_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lab").join(name).join("here");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The program in a folder, without the data that this machine may have.
fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom-lab"));
    command.current_dir(folder).env_remove("ELBOWROOM_DATA");
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    program(folder).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn numbers_out_of_their_range_are_refused() {
    let folder = make_folder("numbers");
    for poses in ["0", "18446744073709551615"] {
        let out = run(&folder, &["coulombe20", "--poses", poses]);
        assert_eq!((out.status.code(), text(&out.stdout)), (Some(2), String::new()), "{}", text(&out.stderr));
        assert!(text(&out.stderr).contains("'--poses <N>'"), "{}", text(&out.stderr));
    }
}

#[test]
fn tables_that_nobody_takes_are_no_success() {
    let Some(data) = data::data() else { return };
    let folder = make_folder("pipe");
    let mut command = program(&folder);
    command.args(["coulombe20", "--poses", "2", "--data"]).arg(data.canonicalize().unwrap());
    let child = command.stdout(closed_output()).stderr(Stdio::piped()).spawn().unwrap();
    let out = child.wait_with_output().unwrap();
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains("nobody read to the end") && !said.contains("panicked"), "{said}");
}

#[test]
fn papers_on_the_puma_are_reproduced() {
    let folder = make_folder("puma");
    for (paper, words) in [("henrich92", "(e) dynamic hierarchies"), ("henrich97", "distance of polytopes")] {
        let out = run(&folder, &[paper]);
        assert_eq!(out.status.code(), Some(2), "{paper}: there are no robots here");
        assert!(text(&out.stderr).contains("--data DIR"), "{}", text(&out.stderr));
        // Files take their places when they are whole: another name of an old one still leads to it.
        let (figures, kept) = (folder.join("figures"), folder.join(format!("{paper}.kept")));
        std::fs::create_dir_all(&figures).unwrap();
        let table = figures.join(format!("{paper}.csv"));
        [&table, &kept].into_iter().for_each(|path| _ = std::fs::remove_file(path));
        std::fs::write(&table, "old").unwrap();
        std::fs::hard_link(&table, &kept).unwrap();
        let ask = |out| run(&folder, &[paper, "--rounds", "1", "--data", ROBOTS, "--out", out]);
        let out = ask("figures");
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        assert!(text(&out.stdout).contains(words), "{}", text(&out.stdout));
        assert!(figures.join(format!("{paper}.svg")).is_file());
        assert!(std::fs::read_to_string(&table).unwrap().len() > 200);
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), "old");
        for file in std::fs::read_dir(&figures).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            assert!(name.starts_with("henrich9"), "{name} was left behind");
        }
        // Where nothing can be written nothing is begun.
        let out = ask(kept.file_name().unwrap().to_str().unwrap());
        assert_eq!((out.status.code(), text(&out.stdout)), (Some(2), String::new()));
        assert!(!text(&out.stderr).contains("this takes"), "{}", text(&out.stderr));
    }
}

#[test]
fn the_parallel_search_of_henrich97_is_told_whole() {
    let folder = make_folder("parallel");
    let arguments =
        ["henrich97", "--processors", "1,2", "--rounds", "1", "--data", ROBOTS, "--out", "figures"];
    let out = run(&folder, &arguments);
    let said = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    // The costs are the paper's, the time is not real, and where the paper contradicts itself it is told.
    for words in ["in virtual time", "Costs are the paper's", "from about 20 % to below 2 %", "26.95"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    // Rows end with the number of answers that are not the sequential ones.
    let rows: Vec<Vec<&str>> = said
        .lines()
        .filter(|line| line.contains(" x ") && line.contains(" % "))
        .map(|line| line.trim_start_matches("  the paper's").trim_start_matches("  shared"))
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows.len(), 16, "four cells, two policies, one processor and two: {said}");
    for row in &rows {
        assert_eq!(row.last(), Some(&"0"), "{row:?}");
        if row[0] == "1" {
            assert_eq!((row[2], row[4], row[8]), ("1.00", "1.00", "0.0"), "alone: {row:?}");
        }
    }
    let timed: Vec<&str> = said.lines().filter(|line| line.contains(" us, one ")).collect();
    assert!(timed.len() == 8 && timed.iter().all(|line| line.ends_with("; 0 answers differ")), "{said}");

    let read = |name: &str| std::fs::read_to_string(folder.join("figures").join(name)).unwrap();
    for (name, rows) in [("parallel", 24), ("sweep", 172), ("threads", 8)] {
        let table = read(&format!("henrich97_{name}.csv"));
        assert_eq!(table.lines().count(), rows + 1, "{name}: {table}");
    }
    // Shared bounds spare work that the paper's policy does twice.
    let polytopes = |policy: &str| -> f64 {
        let table = read("henrich97_parallel.csv");
        let start = format!("WBK1000,{policy},2,");
        table.lines().filter_map(|line| line.strip_prefix(&start)).map(|rest| field(rest, 3)).sum()
    };
    assert!(polytopes("shared") < 0.95 * polytopes("the paper's"), "{said}");
    for (name, words) in [("fig4", "waiting"), ("fig5", "speedup"), ("fig6", "shared")] {
        let figure = read(&format!("henrich97_{name}.svg"));
        assert!(figure.contains("</svg>") && figure.contains(words), "{name}");
    }
}

/// A number of a line of CSV.
fn field(line: &str, at: usize) -> f64 {
    line.split(',').nth(at).unwrap().parse().unwrap()
}

#[test]
fn the_hand_of_haase10_is_tested_by_levels() {
    let folder = make_folder("haase10");
    let out = run(&folder, &["haase10"]);
    assert_eq!(out.status.code(), Some(2), "there are no robots here");
    assert!(text(&out.stderr).contains("--data DIR"), "{}", text(&out.stderr));
    let small = ["haase10", "--poses", "100", "--rounds", "1", "--data", ROBOTS, "--out", "figures"];
    let out = run(&folder, &small);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let said = text(&out.stdout);
    assert!(said.contains("Table I") && said.contains("meshes were not at hand"), "{said}");
    let table = std::fs::read_to_string(folder.join("figures/haase10_table1.csv")).unwrap();
    assert_eq!(table.lines().count(), 7, "{table}");
}

#[test]
fn the_cell_of_tran91_is_played() {
    let folder = make_folder("tran91");
    let out = run(&folder, &["tran91"]);
    assert_eq!(out.status.code(), Some(2), "there are no robots here");
    assert!(text(&out.stderr).contains("--data DIR"), "{}", text(&out.stderr));
    let out = run(&folder, &["tran91", "--rounds", "1", "--data", ROBOTS, "--out", "figures"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert!(text(&out.stdout).contains("(tran91 2.2)"), "{}", text(&out.stdout));
    let read = |name: &str| std::fs::read_to_string(folder.join("figures").join(name)).unwrap();
    assert!(read("tran91.svg").contains("</svg>") && read("tran91.txt").len() > 1000);
    // When something overlaps is also in robots/rrc_cell/README.md. The guard stops before, not long before.
    let meets =
        [("bump", 3.16), ("held_box", 9.65), ("door", 8.06), ("cross", 6.16), ("self", 4.07), ("mug", 10.52)];
    let table = read("tran91.csv");
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 7);
    for row in rows {
        let (stop, overlap) = (row[10].parse::<f64>().ok(), row[14].parse::<f64>().ok());
        let meant = meets.iter().find(|(name, _)| *name == row[0]).map(|(_, t)| *t);
        assert_eq!(overlap, meant, "{row:?}");
        match (stop, overlap) {
            (None, None) => assert_eq!((row[0], row[5]), ("pick", "0")),
            (Some(stop), Some(overlap)) => assert!((0.02..0.3).contains(&(overlap - stop)), "{row:?}"),
            _ => panic!("{row:?}"),
        }
    }
    // The octree's pairs are those of all boxes compared.
    let table = read("tran91_octree.csv");
    let octrees: Vec<&str> = table.lines().filter(|line| line.contains("octree,")).collect();
    assert_eq!(octrees.len(), 14);
    for row in octrees {
        let row: Vec<&str> = row.split(',').collect();
        let [differ, meet] = [row[row.len() - 3], row[row.len() - 7]];
        assert!(differ == "0" && meet.parse::<u64>().unwrap() > 100, "{row:?}");
    }
}
