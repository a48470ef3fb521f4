//! A sweep on the ranks of an MPI job: each answers a part.
//!
//! `mpirun -n 4 elbowroom sweep ... --out answers.npy` needs a program that was built with the feature `mpi`.
//! Rows of an array have one size, so each rank writes its own where they belong, into one file
//! ([`shared`](super::shared)). Lines of a table have not: a rank writes its part beside the output, to
//! `answers.part-1-of-4.csv`, as `--part` does, and the first joins them. A job that was interrupted goes on
//! when it is started again with the same number of ranks. Ranks exchange messages twice: before the first
//! row, to check that all have the same task, and after the last.

use super::arguments::SweepArguments;
use super::merge::differing_keys;
use super::part::SweepPart;
use anyhow::{Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Environment variables with the number of processes of a job: of Open MPI, and of MPICH and those like it.
const COUNTS: [&str; 2] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"];

/// This process among those of its job.
pub struct Ranks {
    rank: u64,
    count: u64,
    #[cfg(feature = "mpi")]
    universe: Option<mpi::environment::Universe>,
}

/// How many processes this one was started with.
fn started_count() -> u64 {
    let told = COUNTS.iter().find_map(|name| std::env::var(name).ok()?.parse().ok());
    told.unwrap_or(1)
}

impl Ranks {
    /// Finds the other processes. With `--part` there are none: a scheduler divides the work.
    #[cfg(not(feature = "mpi"))]
    pub fn find_ranks(arguments: &SweepArguments) -> Result<Ranks> {
        let count = started_count();
        if count > 1 && arguments.part.is_none() {
            bail!(
                "{count} processes were started together, and would write one file over each other: build \
                 the program with cargo build --release --features mpi, or give each its own --part K/{count}"
            );
        }
        Ok(Ranks { rank: 0, count: 1 })
    }

    /// Finds the other processes. With `--part` there are none: a scheduler divides the work.
    #[cfg(feature = "mpi")]
    pub fn find_ranks(arguments: &SweepArguments) -> Result<Ranks> {
        use mpi::topology::Communicator;
        if started_count() == 1 || arguments.part.is_some() {
            return Ok(Ranks { rank: 0, count: 1, universe: None });
        }
        let Some(universe) = mpi::initialize() else {
            bail!("MPI cannot be started: see what its library said");
        };
        let world = universe.world();
        let [rank, count] = [world.rank(), world.size()].map(|n| u64::from(n.unsigned_abs()));
        Ok(Ranks { rank, count, universe: Some(universe) })
    }

    /// Whether this is the only process.
    pub fn is_alone(&self) -> bool {
        self.count == 1
    }

    /// Whether this process begins and ends the output.
    pub fn is_first(&self) -> bool {
        self.rank == 0
    }

    /// The part of this process.
    pub fn own_part(&self) -> SweepPart {
        SweepPart { number: self.rank + 1, count: self.count }
    }

    /// The files of all parts.
    pub fn part_paths(&self, out: &Path) -> Vec<PathBuf> {
        (1..=self.count).map(|number| part_path(out, SweepPart { number, count: self.count })).collect()
    }

    /// Refuses to begin if another rank has another task. The first says so, and it alone goes on before all
    /// have come to [`Ranks::wait_for_all`].
    pub fn refuse_other_jobs(&self, job: &Value) -> Result<()> {
        if self.is_alone() {
            return Ok(());
        }
        let texts = self.gather_texts(job.to_string());
        refuse_differing(&texts)
    }

    /// The texts of all processes, in order, for the first; nothing for the others.
    #[cfg(not(feature = "mpi"))]
    pub fn gather_texts(&self, own: String) -> Vec<String> {
        vec![own]
    }

    /// The texts of all processes, in order, for the first; nothing for the others.
    #[cfg(feature = "mpi")]
    pub fn gather_texts(&self, own: String) -> Vec<String> {
        use mpi::traits::{Communicator, Destination, Source};
        let Some(universe) = &self.universe else { return vec![own] };
        let world = universe.world();
        if !self.is_first() {
            world.process_at_rank(0).send(own.as_bytes());
            return Vec::new();
        }
        let received = (1..world.size()).map(|rank| {
            let (bytes, _) = world.process_at_rank(rank).receive_vec::<u8>();
            String::from_utf8_lossy(&bytes).into_owned()
        });
        std::iter::once(own).chain(received).collect()
    }

    /// Waits until all processes have come to this call.
    pub fn wait_for_all(&self) {
        #[cfg(feature = "mpi")]
        if let Some(universe) = &self.universe {
            use mpi::traits::CommunicatorCollectives;
            universe.world().barrier();
        }
    }

    /// Ends all processes of the job, so that none waits for this one.
    pub fn end_job(&self) {
        #[cfg(feature = "mpi")]
        if let Some(universe) = &self.universe {
            use mpi::traits::Communicator;
            universe.world().abort(2)
        }
    }
}

/// Refuses tasks that are not the same, and says which rank has another and in what.
fn refuse_differing(texts: &[String]) -> Result<()> {
    let Some(first) = texts.first() else { return Ok(()) };
    let Some(rank) = texts.iter().position(|text| text != first) else { return Ok(()) };
    let [a, b] = [first, &texts[rank]].map(|text| serde_json::from_str::<Value>(text).unwrap_or(Value::Null));
    let differ = differing_keys(&a, &b).join(", ");
    // "elbowroom" is the key of the version.
    let differ = differ.replace("elbowroom", "the version of the program");
    bail!("rank {rank} would answer another sweep than rank 0: they differ in {differ}")
}

/// The file of a part: `answers.part-1-of-4.npy` for `answers.npy`.
pub fn part_path(out: &Path, part: SweepPart) -> PathBuf {
    path_beside(out, &format!(".part-{}-of-{}", part.number, part.count))
}

/// The path of an output with these words before its ending.
pub fn path_beside(out: &Path, words: &str) -> PathBuf {
    let mut name = out.file_stem().unwrap_or_default().to_os_string();
    name.push(words);
    if let Some(ending) = out.extension() {
        name.push(".");
        name.push(ending);
    }
    out.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Ranks of two versions cannot be started in a test, so one is told what another version would say.
    #[test]
    fn a_rank_of_another_version_is_refused_by_number() {
        let job = |version: &str, world: &str, rows: u64| {
            json!({ "elbowroom": version, "world": world, "poses": { "rows": rows }, "ask": "test" })
                .to_string()
        };
        let same = || job("0.1.0", "00ff", 9);
        assert!(refuse_differing(&[]).is_ok() && refuse_differing(&[same(), same(), same()]).is_ok());
        for (other, word) in [
            (
                job("0.1.1", "00ff", 9),
                "rank 2 would answer another sweep than rank 0: they differ in the version \
                                       of the program",
            ),
            (job("0.1.0", "00fe", 9), "differ in world"),
            (job("0.1.0", "00ff", 8), "differ in poses"),
            (
                json!({ "elbowroom": "9" }).to_string(),
                "differ in the version of the program, world, poses, ask",
            ),
            ("no JSON".into(), "rank 2 would answer another sweep"),
        ] {
            let said = refuse_differing(&[same(), same(), other]).unwrap_err().to_string();
            assert!(said.contains(word), "{said}");
        }
    }

    #[test]
    fn a_part_has_the_ending_of_the_whole() {
        let part = SweepPart { number: 2, count: 16 };
        for (out, expected) in [
            ("a/answers.npy", "a/answers.part-2-of-16.npy"),
            ("answers.1.csv", "answers.1.part-2-of-16.csv"),
            ("answers", "answers.part-2-of-16"),
        ] {
            assert_eq!(part_path(Path::new(out), part), Path::new(expected));
        }
    }
}
