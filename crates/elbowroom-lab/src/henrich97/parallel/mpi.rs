//! The search on the ranks of an MPI job.
//!
//! `mpirun -n 4 elbowroom-lab henrich97` starts it. Every rank reads the robot and the cells for itself, as
//! the paper's processors do. A rank with an error ends the job ([`abort_job`]). If a rank dies, `mpirun`
//! ends the others. If no message comes for [`LONGEST_SILENCE`](crate::limits::LONGEST_SILENCE), a rank gives
//! up.

use super::experiment::{Bench, POLICIES, ParallelOptions};
use super::message::Message;
use super::protocol::MASTER;
use super::scenes::experiment_cells;
use super::task::Team;
use super::threads::walk_path;
use super::transport::{Envelope, Lost, Transport};
use super::worker::Waits;
use crate::error::LabError;
use crate::henrich97::counts::DetectionCounts;
use crate::henrich97::system::SearchNode;
use crate::limits::LONGEST_SILENCE;
use crate::parts::robot_error;
use crate::puma::Puma;
use elbowroom::math::hash_bytes;
use mpi::collective::CommunicatorCollectives;
use mpi::environment::Universe;
use mpi::point_to_point::{Destination, MatchedReceiveVec, Source};
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::Root;
use std::time::{Duration, Instant};

/// The connection of one rank to the others.
struct Ranks {
    world: SimpleCommunicator,
    start: Instant,
    /// When a message came, or work ended, whichever was later.
    heard: Instant,
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
    fn send_message(&mut self, to: usize, search: u32, message: Message<SearchNode>) -> Result<(), Lost> {
        let to = i32::try_from(to).map_err(|_| Lost::Gone(to))?;
        // MPI libraries copy a message this short before they return, so no rank waits for its receiver.
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

    fn spend_time(&mut self, _: &DetectionCounts) {
        self.heard = Instant::now();
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

/// The result for one cell and one policy.
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

impl RankRow {
    /// A line of the table.
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

/// Ends all ranks of the job, after an error of one.
pub fn abort_job(universe: &Universe) -> ! {
    universe.world().abort(2)
}

/// The number of this rank, and how many there are.
pub fn rank_and_count(universe: &Universe) -> (usize, usize) {
    let world = universe.world();
    (rank_number(world.rank()), rank_number(world.size()))
}

/// Searches the cells of the experiment on all ranks. Only the master gets rows.
///
/// # Errors
/// Data are missing or cannot be read, ranks have different programs, options or data, or a rank has failed.
pub fn run_on_ranks(universe: &Universe, options: &ParallelOptions) -> Result<Vec<RankRow>, LabError> {
    let world = universe.world();
    let (rank, count) = rank_and_count(universe);
    let puma = Puma::load_bottleneck(options.data.as_deref())?;
    refuse_other_tasks(&world, options, &puma)?;
    let moving = puma.best_hierarchy()?;
    let mut rows = Vec::new();
    let poses = puma.path.len() as f64;
    for (cell, objects) in experiment_cells(&puma, &moving, options.seed)? {
        let bench = Bench::new(&puma, &objects, &moving, true, options)?;
        for (name, policy) in POLICIES {
            let team = Team { count, policy: policy(), seed: options.seed };
            world.barrier();
            let ranks = Ranks::new(world.duplicate());
            let walked = walk_path(&bench.search_task(), &team, rank, ranks, options.rounds)?;
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
                times_us: [walked.time_us / (poses * options.rounds as f64), alone],
                polytopes: all,
                disagreements: bench.count_disagreements(&walked.answers),
            });
        }
    }
    Ok(rows)
}

/// Refuses ranks with another version of the program, other options, another robot or another cell.
fn refuse_other_tasks(
    world: &SimpleCommunicator,
    options: &ParallelOptions,
    puma: &Puma,
) -> Result<(), LabError> {
    // Ranks with other processors have equal bits here.
    let corners = puma.bottleneck.iter().flatten().flat_map(|p| [p.x, p.y, p.z]);
    let values = puma.path.iter().flatten().copied().chain(corners).map(f64::to_bits);
    let words = [options.rounds as u64, options.seed, puma.world.fingerprint()].into_iter().chain(values);
    let task = hash_bytes(env!("CARGO_PKG_VERSION").bytes().chain(words.flat_map(u64::to_le_bytes)));
    let mut all = vec![0_u64; rank_number(world.size())];
    world.all_gather_into(&task, &mut all[..]);
    match all.iter().position(|other| *other != all[MASTER]) {
        Some(rank) => Err(robot_error(&format!(
            "rank {rank} would search something else than rank 0: it has another version of the program, \
             other options, or another robot"
        ))),
        None => Ok(()),
    }
}
