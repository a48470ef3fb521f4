//! The search on the ranks of an MPI job: the paper's processes and messages, on whatever machines the job
//! has.
//!
//! `mpirun -n 4 elbowroom-lab henrich97` starts it. Every rank reads the robot and the cells for itself, as
//! the paper's processors do. A rank that fails ends the job ([`abort_job`]); one that dies is found by
//! `mpirun`, which ends the others; and one that falls silent is given up after
//! [`LONGEST_SILENCE`](crate::limits::LONGEST_SILENCE).

use super::experiment::{Bench, POLICIES, ParallelOptions, experiment_cells};
use super::message::Message;
use super::protocol::MASTER;
use super::threads::walk_path;
use super::transport::{Envelope, Lost, Transport};
use super::worker::{Waits, Worker};
use crate::error::LabError;
use crate::henrich97::system::{SearchNode, Stop};
use crate::limits::LONGEST_SILENCE;
use crate::parts::robot_error;
use crate::puma::Puma;
use mpi::collective::CommunicatorCollectives;
use mpi::environment::Universe;
use mpi::point_to_point::{Destination, MatchedReceiveVec, Source};
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::Root;
use std::time::{Duration, Instant};

/// A rank's end of the job.
struct Ranks {
    world: SimpleCommunicator,
    start: Instant,
    heard: Instant,
}

impl RankRow {
    /// For people.
    pub fn to_text(&self) -> String {
        let [parallel, alone] = self.times_us;
        let polytopes: Vec<String> = self.polytopes.iter().map(|n| format!("{n:.2}")).collect();
        format!(
            "  {:<12} {:<12} {:>2} ranks {parallel:>9.1} us, one {alone:>7.1} us; polytopes of each {}; {} \
             answers differ",
            self.cell,
            self.policy,
            self.polytopes.len(),
            polytopes.join(" "),
            self.disagreements
        )
    }
}

impl Ranks {
    fn new(world: SimpleCommunicator) -> Ranks {
        let now = Instant::now();
        Ranks { world, start: now, heard: now }
    }
}

/// A rank as a number of this program; MPI counts them in `i32`.
fn rank_number(rank: i32) -> usize {
    usize::try_from(rank).unwrap_or(MASTER)
}

impl Transport for Ranks {
    fn send(&mut self, to: usize, search: u32, message: Message<SearchNode>) -> Result<(), Lost> {
        let to = i32::try_from(to).map_err(|_| Lost::Gone(to))?;
        // So few bytes are taken by the library at once: sending waits for nobody.
        self.world.process_at_rank(to).send(&message.to_bytes(search)[..]);
        Ok(())
    }

    fn try_receive(&mut self) -> Result<Option<Envelope>, Lost> {
        let Some(mail) = self.world.any_process().immediate_matched_probe() else { return Ok(None) };
        let (bytes, status) = mail.matched_receive_vec::<u8>();
        self.heard = Instant::now();
        let from = rank_number(status.source_rank());
        let (search, message) = Message::from_bytes(&bytes).ok_or(Lost::Garbled(from))?;
        Ok(Some(Envelope { from, search, message }))
    }

    fn now_us(&self) -> f64 {
        self.start.elapsed().as_secs_f64() * 1e6
    }
}

impl Waits for Ranks {
    fn wait_until(&mut self, _: f64) -> Result<(), Lost> {
        if self.heard.elapsed() > Duration::from_secs(LONGEST_SILENCE) {
            return Err(Lost::Silence(LONGEST_SILENCE));
        }
        std::thread::yield_now();
        Ok(())
    }
}

/// One cell and one policy on the ranks of a job.
#[derive(Clone, Debug)]
pub struct RankRow {
    /// The cell.
    pub cell: &'static str,
    /// The policy.
    pub policy: &'static str,
    /// A detection, and one by the sequential system on the master alone (us).
    pub times_us: [f64; 2],
    /// Distances of polytopes of each rank, a detection.
    pub polytopes: Vec<f64>,
    /// Poses at which the answer is not the sequential one.
    pub disagreements: usize,
}

/// Ends the job, with all its ranks, after an error of one.
pub fn abort_job(universe: &Universe) -> ! {
    universe.world().abort(2)
}

/// The number of this rank, and how many there are.
pub fn rank_and_count(universe: &Universe) -> (usize, usize) {
    let world = universe.world();
    (rank_number(world.rank()), rank_number(world.size()))
}

/// Searches the cells of the experiment on all ranks. The rows are the master's; other ranks get none.
///
/// # Errors
/// Data missing or unreadable, ranks that run another program or other numbers, a rank that was lost.
pub fn run_on_ranks(universe: &Universe, options: &ParallelOptions) -> Result<Vec<RankRow>, LabError> {
    let world = universe.world();
    let (rank, count) = rank_and_count(universe);
    refuse_other_programs(&world, options)?;
    let puma = Puma::load_bottleneck(options.data.as_deref())?;
    let moving = puma.best_hierarchy()?;
    let mut rows = Vec::new();
    let poses = puma.path.len() as f64;
    for (cell, objects) in experiment_cells(&puma, options.seed) {
        let bench = Bench::new(&puma, &objects, &moving, true, options)?;
        for (name, policy) in POLICIES {
            let policy = policy();
            let worker = Worker::new(rank, count, policy, options.seed);
            let ranks = Ranks::new(world.duplicate());
            world.barrier();
            let inside = (&puma.world, bench.system.clone());
            let walked = walk_path(inside, &puma.path, Stop::Distance, worker, ranks, options.rounds)?;
            world.barrier();
            let polytopes = walked.counts.polytopes as f64 / (poses * options.rounds as f64);
            let mut all = vec![0.0; count];
            let root = world.process_at_rank(0);
            if rank != MASTER {
                root.gather_into(&polytopes);
                continue;
            }
            root.gather_into_root(&polytopes, &mut all[..]);
            let start = Instant::now();
            bench.walk_alone(|_| ())?;
            let alone = start.elapsed().as_secs_f64() * 1e6 / poses;
            rows.push(RankRow {
                cell,
                policy: name,
                times_us: [walked.seconds * 1e6 / (poses * options.rounds as f64), alone],
                polytopes: all,
                disagreements: bench.count_disagreements(&walked.answers),
            });
        }
    }
    Ok(rows)
}

/// Ranks that would search something else are found before they disagree.
fn refuse_other_programs(world: &SimpleCommunicator, options: &ParallelOptions) -> Result<(), LabError> {
    let text = format!("{} {} {}", env!("CARGO_PKG_VERSION"), options.rounds, options.seed);
    let own = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let mut all = vec![0_u64; rank_number(world.size())];
    world.all_gather_into(&own, &mut all[..]);
    match all.iter().position(|other| *other != all[MASTER]) {
        Some(rank) => Err(robot_error(&format!(
            "rank {rank} runs another version than rank 0, or other options: start all with one command"
        ))),
        None => Ok(()),
    }
}
