//! A sweep on the ranks of an MPI job: each answers a part, and the first joins them.
//!
//! `mpirun -n 4 elbowroom sweep ... --out answers.npy` needs a program that was built with the feature `mpi`.
//! A rank writes its part beside the output, to `answers.part-1-of-4.npy`, as `--part` does. So a job that
//! was interrupted goes on when it is started again with the same number of ranks. Ranks exchange messages
//! twice: before the first row, to check that all have the same task, and after the last.

use super::arguments::SweepArguments;
use super::part::SweepPart;
use anyhow::Result;
#[cfg(not(feature = "mpi"))]
use anyhow::bail;
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
            anyhow::bail!("MPI cannot be started: see what its library said");
        };
        let world = universe.world();
        let [rank, count] = [world.rank(), world.size()].map(|n| u64::from(n.unsigned_abs()));
        Ok(Ranks { rank, count, universe: Some(universe) })
    }

    /// Whether this is the only process.
    pub fn is_alone(&self) -> bool {
        self.count == 1
    }

    /// Whether this process joins the parts.
    pub fn is_first(&self) -> bool {
        self.rank == 0
    }

    /// The part of this process, and its file among those of all.
    pub fn own_part<'p>(&self, paths: &'p [PathBuf]) -> (SweepPart, &'p Path) {
        (SweepPart { number: self.rank + 1, count: self.count }, &paths[self.rank as usize])
    }

    /// The files of all parts.
    pub fn part_paths(&self, out: &Path) -> Vec<PathBuf> {
        (1..=self.count).map(|number| part_path(out, SweepPart { number, count: self.count })).collect()
    }

    /// Refuses to begin if another rank has another task.
    #[cfg(not(feature = "mpi"))]
    pub fn refuse_other_jobs(&self, _job: &Value) -> Result<()> {
        Ok(())
    }

    /// Refuses to begin if another rank has another task.
    #[cfg(feature = "mpi")]
    pub fn refuse_other_jobs(&self, job: &Value) -> Result<()> {
        use mpi::traits::{Communicator, CommunicatorCollectives};
        use sha2::Digest;
        let Some(universe) = &self.universe else { return Ok(()) };
        let hash = sha2::Sha256::digest(job.to_string());
        let own = hash.iter().take(8).fold(0_u64, |hash, byte| hash << 8 | u64::from(*byte));
        let world = universe.world();
        let mut all = vec![0_u64; world.size().unsigned_abs() as usize];
        world.all_gather_into(&own, &mut all[..]);
        if let Some(rank) = all.iter().position(|hash| *hash != all[0]) {
            anyhow::bail!(
                "rank {rank} would answer another sweep than rank 0: it has another version of the program, \
                 another world, or poses of another number"
            );
        }
        Ok(())
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

/// The file of a part: `answers.part-1-of-4.npy` for `answers.npy`.
fn part_path(out: &Path, part: SweepPart) -> PathBuf {
    let mut name = out.file_stem().unwrap_or_default().to_os_string();
    name.push(format!(".part-{}-of-{}", part.number, part.count));
    if let Some(ending) = out.extension() {
        name.push(".");
        name.push(ending);
    }
    out.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

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
