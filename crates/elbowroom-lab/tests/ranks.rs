//! henrich97's search on the ranks of a real MPI job, and what ends one. Needs the feature `mpi`, and
//! `mpirun`.
#![cfg(feature = "mpi")]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const ROBOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../robots");

/// The lab's program on so many ranks.
fn on_ranks(count: usize, arguments: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command.args(["--allow-run-as-root", "--oversubscribe", "-n", &count.to_string()]);
    command.arg(env!("CARGO_BIN_EXE_elbowroom-lab")).args(arguments).args(["--data", ROBOTS]);
    command.current_dir(Path::new(env!("CARGO_TARGET_TMPDIR"))).stdin(Stdio::null());
    command
}

fn run(count: usize, arguments: &[&str]) -> Output {
    on_ranks(count, arguments).output().expect("mpirun is there: Debian's openmpi-bin")
}

#[test]
fn ranks_find_what_one_processor_finds() {
    for count in [2, 4] {
        let out = run(count, &["henrich97", "--rounds", "1"]);
        let told = String::from_utf8_lossy(&out.stdout);
        assert!(out.status.success(), "{told}{}", String::from_utf8_lossy(&out.stderr));
        let rows: Vec<&str> = told.lines().filter(|line| line.contains("polytopes of each")).collect();
        assert_eq!(rows.len(), 8, "four cells, two policies: {told}");
        assert!(rows.iter().all(|row| row.ends_with("; 0 answers differ")), "{told}");
    }
}

#[test]
fn ranks_that_do_not_fit_end_the_job() {
    for (arguments, words) in [
        (&["henrich97", "--processors", "3"][..], "the job has 2 ranks: leave --processors out"),
        (&["tran91"], "only henrich97 has a search for several ranks"),
    ] {
        let out = run(2, arguments);
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(!out.status.success() && out.stdout.is_empty() && said.contains(words), "{said}");
    }
}

/// Whether a process has used a tenth of a second. One that dies while `mpirun` still starts it is lost: Open
/// MPI then waits for it without end.
fn is_at_work(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The fields behind the name, which may hold spaces; the twelfth of them is the time in hundredths.
    let fields = stat.rsplit(") ").next().unwrap_or_default();
    fields.split(' ').nth(11).and_then(|ticks| ticks.parse::<u64>().ok()).is_some_and(|ticks| ticks >= 10)
}

/// A job that lost a rank ends: it neither waits nor tells a table.
#[test]
fn a_rank_that_dies_ends_the_job() {
    let mut job = on_ranks(2, &["henrich97", "--rounds", "100000"]);
    let mut job = job.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    let rank = loop {
        let found = Command::new("pgrep").args(["-P", &job.id().to_string()]).output().unwrap();
        let found: Vec<String> = String::from_utf8_lossy(&found.stdout).lines().map(String::from).collect();
        match &found[..] {
            [_, .., last] if is_at_work(last) => break last.clone(),
            _ => {}
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "no ranks were started");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(Command::new("kill").args(["-9", &rank]).status().unwrap().success());
    while job.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < Duration::from_secs(120), "the job goes on without its rank");
        std::thread::sleep(Duration::from_millis(20));
    }
    let out = job.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(!out.status.success() && out.stdout.is_empty(), "{said}");
    assert!(said.contains("signal 9"), "{said}");
}
