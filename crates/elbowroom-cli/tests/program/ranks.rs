//! Sweeps on the ranks of an MPI job.

use crate::support::{folder, text};
use crate::sweep::{about, swept};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Within this a job ends that has lost a rank.
const LONGEST_END: Duration = Duration::from_secs(30);

/// Starts `sweep` on the cell on so many ranks.
fn on_ranks(folder: &Path, ranks: &str, options: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command.current_dir(folder).args(["--allow-run-as-root", "--oversubscribe", "-n", ranks]);
    command.arg(env!("CARGO_BIN_EXE_elbowroom")).args(["sweep", "cell.toml"]).args(options);
    command
}

/// What lies in a folder of work that is not finished.
fn unfinished(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| name.contains("part") || name.contains("incomplete")).collect()
}

/// Each rank answers a part; the joined file is that of one process.
#[test]
fn ranks_write_the_bytes_of_one_process() {
    let folder = folder("sweep-ranks");
    let question = ["--random", "30000", "--ask", "distance", "--more", "q,witness"];
    for out in ["one.npy", "one.csv"] {
        let one = swept(&folder, out, &question);
        for ranks in ["2", "4"] {
            let ending = out.split_once('.').unwrap().1;
            let joined = format!("ranks{ranks}.{ending}");
            let ask = |more: &[&str]| {
                let options = [&question[..], &["--quiet", "--out", &joined], more].concat();
                on_ranks(&folder, ranks, &options).output().unwrap()
            };
            let done = ask(&[]);
            assert!(matches!(done.status.code(), Some(0 | 1)), "{}", text(&done.stderr));
            assert_eq!(std::fs::read(folder.join(&joined)).unwrap(), one, "{joined}");
            assert_eq!(about(&folder, &joined), about(&folder, out));
            assert_eq!(unfinished(&folder), Vec::<String>::new(), "nothing else is left");
            // An error of all is told, and no file is touched.
            let refused = ask(&["--grid", "nothing=0:1:2"]);
            assert_eq!(refused.status.code(), Some(2));
            assert_eq!(std::fs::read(folder.join(&joined)).unwrap(), one);
        }
    }
}

/// A part that an earlier job completed counts if its poses are still the same.
#[test]
fn ranks_ask_changed_poses_again() {
    let folder = folder("sweep-ranks-changed");
    let poses = |seed: &str| {
        let made = swept(&folder, "made.csv", &["--random", "9000", "--seed", seed, "--more", "q"]);
        let made = text(&made);
        let rows = made.lines().map(|line| line.split(',').skip(5).collect::<Vec<_>>().join(","));
        let rows: Vec<String> = rows.map(|line| line.replace("q:", "")).collect();
        std::fs::write(folder.join("poses.csv"), rows.join("\n")).unwrap();
    };
    let joined = || {
        let options = ["--quiet", "--poses", "poses.csv", "--out", "all.csv"];
        let out = on_ranks(&folder, "2", &options).output().unwrap();
        assert!(matches!(out.status.code(), Some(0 | 1)), "{}", text(&out.stderr));
        std::fs::read(folder.join("all.csv")).unwrap()
    };
    poses("1");
    let first = swept(&folder, "one.csv", &["--poses", "poses.csv"]);
    swept(&folder, "all.part-2-of-2.csv", &["--poses", "poses.csv", "--part", "2/2"]);
    assert_eq!(joined(), first, "a part of the same poses");
    swept(&folder, "all.part-2-of-2.csv", &["--poses", "poses.csv", "--part", "2/2"]);
    poses("2");
    let second = swept(&folder, "two.csv", &["--poses", "poses.csv"]);
    assert!(joined() == second && second != first, "a part of poses that are no more");
}

/// Ranks of which one has another task: another world, number of poses, or question.
#[test]
fn ranks_with_other_tasks_are_refused() {
    let folder = folder("sweep-ranks-other");
    std::fs::write(folder.join("other.toml"), "margin = 0.02\n[[robot]]\nurdf = \"rod.urdf\"\n").unwrap();
    for ending in ["npy", "csv"] {
        let out = format!("a.{ending}");
        let options = ["--quiet", "--random", "9000", "--out", &out];
        for (world, more, word) in [
            ("other.toml", &[][..], "differ in world, margin"),
            ("cell.toml", &["--seed", "2"], "differ in poses"),
            ("cell.toml", &["--ask", "lower-bound"], "differ in ask"),
        ] {
            let mut command = on_ranks(&folder, "1", &options);
            command.args([":", "-n", "2", env!("CARGO_BIN_EXE_elbowroom"), "sweep", world]);
            let done = command.args(options).args(more).output().unwrap();
            let said = text(&done.stderr);
            let told = format!("rank 1 would answer another sweep than rank 0: they {word}");
            assert!(done.status.code() == Some(2) && said.contains(&told), "{said}");
            assert_eq!(unfinished(&folder), Vec::<String>::new());
        }
    }
}

/// The processes that a process has started, and theirs.
fn children_of(process: u32) -> Vec<u32> {
    let path = format!("/proc/{process}/task/{process}/children");
    let list = std::fs::read_to_string(path).unwrap_or_default();
    let own: Vec<u32> = list.split_whitespace().map(|child| child.parse().unwrap()).collect();
    own.iter().flat_map(|child| [vec![*child], children_of(*child)].concat()).collect()
}

/// A rank that dies ends the job; what all had answered is kept, and the same job goes on to the same bytes.
#[test]
fn ranks_go_on_after_one_has_died() {
    let folder = folder("sweep-ranks-died");
    // On a fast computer a small job is done before its rank is killed: then a larger one is asked.
    let was_interrupted = ["2500000", "10000000", "40000000"].iter().any(|rows| {
        let question = ["--random", rows, "--ask", "lower-bound"];
        let interrupted = interrupt_ranks(&folder, &question);
        let one = swept(&folder, "one.npy", &question);
        assert!(std::fs::read(folder.join("died.npy")).unwrap() == one, "{rows}");
        assert_eq!(unfinished(&folder), Vec::<String>::new());
        for name in ["died.npy", "one.npy"] {
            std::fs::remove_file(folder.join(name)).unwrap();
        }
        interrupted
    });
    assert!(was_interrupted);
}

/// Asks on two ranks, kills one and then the other, and asks to the end. Whether one died, and the job went
/// on from what was kept.
fn interrupt_ranks(folder: &Path, question: &[&str]) -> bool {
    // Files of an earlier run would be taken for those of this one.
    for name in ["died.npy", "died.npy.json"].map(String::from).into_iter().chain(unfinished(folder)) {
        let _ = std::fs::remove_file(folder.join(name));
    }
    let journals = [1, 2].map(|k| folder.join(format!("died.rank-{k}-of-2.npy.partial")));
    let options = [question, &["--threads", "1", "--out", "died.npy"]].concat();
    let start = || -> Child {
        on_ranks(folder, "2", &options).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let kept_rows = || {
        let kept = journals.each_ref().map(|path| std::fs::read_to_string(path).unwrap_or_default());
        kept.map(|kept| kept.lines().count().saturating_sub(1))
    };
    let (mut died, mut gone_on) = (0, 0);
    for rank in [1, 0] {
        if folder.join("died.npy").exists() {
            break;
        }
        let before = kept_rows();
        let mut job = start();
        // One of them may have no rows left.
        while kept_rows().iter().zip(before).all(|(now, before)| *now <= before)
            && job.try_wait().unwrap().is_none()
        {
            std::thread::sleep(Duration::from_millis(5));
        }
        let program = env!("CARGO_BIN_EXE_elbowroom");
        let ranks: Vec<u32> = children_of(job.id())
            .into_iter()
            .filter(|id| {
                std::fs::read_link(format!("/proc/{id}/exe")).is_ok_and(|exe| exe == Path::new(program))
            })
            .collect();
        if let Some(id) = ranks.get(rank) {
            let killed = Command::new("kill").args(["-KILL", &id.to_string()]).status().unwrap();
            died += usize::from(killed.success());
            let since = Instant::now();
            while job.try_wait().unwrap().is_none() {
                assert!(since.elapsed() < LONGEST_END, "the job goes on without its rank");
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        let said = text(&job.wait_with_output().unwrap().stderr);
        gone_on += said.matches("goes on after an interruption").count();
        // A fast job may be done before its rank is killed.
        assert!(folder.join("died.npy").exists() || said.contains("signal 9"), "{said}");
    }
    if !folder.join("died.npy").exists() {
        let out: Output = start().wait_with_output().unwrap();
        gone_on += text(&out.stderr).matches("goes on after an interruption").count();
    }
    died > 0 && gone_on > 0
}

/// What journals say is true of the file that they were written for, and of no other.
#[test]
fn ranks_do_not_trust_journals_of_another_file() {
    let folder = folder("sweep-ranks-stale");
    let question = ["--random", "9000", "--ask", "distance"];
    let ask = |question: &[&str], out: &str| {
        let out = on_ranks(&folder, "2", &[question, &["--quiet", "--out", out]].concat()).output().unwrap();
        (out.status.code(), text(&out.stderr))
    };
    let one = swept(&folder, "one.npy", &question);
    // The job ended after the file had taken its place: journals are left, and the file is not.
    let left = "a.rank-2-of-2.npy.partial";
    let journal = |rows: &str| std::fs::write(folder.join(left), rows).unwrap();
    journal("{\"sweep\":{}}\n");
    let (code, said) = ask(&question, "a.npy");
    assert!(matches!(code, Some(0 | 1)), "{said}");
    assert!(std::fs::read(folder.join("a.npy")).unwrap() == one && !folder.join(left).exists());
    // A file of other rows with a journal is left as it is.
    journal("{\"sweep\":{}}\n");
    std::fs::write(folder.join("a.of-2.npy.incomplete"), b"rows").unwrap();
    let (code, said) = ask(&question, "a.npy");
    assert!(code != Some(0) && said.contains("holds the rows of another sweep"), "{said}");
    assert_eq!(std::fs::read(folder.join("a.of-2.npy.incomplete")).unwrap(), b"rows");
    // Without one it was never begun.
    std::fs::remove_file(folder.join(left)).unwrap();
    assert!(matches!(ask(&question, "a.npy").0, Some(0 | 1)));
    assert_eq!(std::fs::read(folder.join("a.npy")).unwrap(), one);
    // More ranks than there is work for.
    let few = ["--random", "3"];
    let one = swept(&folder, "few.npy", &few);
    assert!(matches!(ask(&few, "a.npy").0, Some(0 | 1)));
    assert_eq!(std::fs::read(folder.join("a.npy")).unwrap(), one);
}
