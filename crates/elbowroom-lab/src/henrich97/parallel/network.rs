//! The search on a simulated machine: processors and messages in virtual time.
//!
//! Every processor has a clock. The processor whose clock is earliest takes the next turn, so no message can
//! arrive in the past of its receiver. A turn moves the clock by what the work would cost on the machine
//! ([`WorkCosts`]); the work itself is really done, so answers and counts are real. A message keeps sender
//! and receiver busy for a share of its time, and travels in the rest ([`NetworkCosts`]).
//!
//! The paper's machine is nine PCs with a Pentium of 133 MHz each; its costs are those of its Table 1 and of
//! its section 4. The paper does not say how long a message keeps a processor busy. Here it is a third of the
//! message's time for the sender, and a third for the receiver.

use super::message::Message;
use super::task::{SearchTask, Team, TeamRun, add_each};
use super::tasks::Tasks;
use super::transport::{Envelope, Lost, Transport};
use super::worker::{Turn, Worker};
use crate::error::LabError;
use crate::henrich97::breakdown::Breakdown;
use crate::henrich97::counts::DetectionCounts;
use crate::henrich97::system::{Answer, SearchNode, Stop, System};
use crate::parts::robot_error;
use elbowroom::Checker;

/// How long the pieces of a detection take (us).
#[derive(Clone, Copy, Debug)]
pub struct WorkCosts {
    /// What every processor does before the search: management, the robot's position, its hierarchy.
    pub serial: f64,
    /// Expanding and sorting, for each distance that is computed: the paper counts it like this.
    pub node: f64,
    /// A distance of primitives.
    pub primitives: f64,
    /// A distance of polytopes.
    pub polytopes: f64,
    /// Moving the corners of a part.
    pub corners: f64,
}

/// What the paper's Table 1 says (us). Corners are somewhere in the 789 us for the robot's position.
pub const PAPER_WORK: WorkCosts = WorkCosts {
    serial: 42.864 + 789.085 + 21.432,
    node: 5.445,
    primitives: 0.626,
    polytopes: 214.054,
    corners: 0.0,
};

impl WorkCosts {
    /// The costs of this machine, from the table of a cell; `None` if a row is missing.
    pub fn measured_costs(breakdown: &Breakdown) -> Option<WorkCosts> {
        let [management, position, corners, hierarchy, expanding, polytopes, primitives] =
            &breakdown.rows[..]
        else {
            return None;
        };
        let asked = polytopes.calls + primitives.calls;
        Some(WorkCosts {
            serial: management.us_per_call() + position.us_per_call() + hierarchy.us_per_call(),
            node: expanding.seconds * 1e6 / asked.max(1) as f64,
            primitives: primitives.us_per_call(),
            polytopes: polytopes.us_per_call(),
            corners: corners.us_per_call(),
        })
    }

    /// The time of a detection on one processor (us).
    pub fn sequential_time(&self, counts: &DetectionCounts) -> f64 {
        self.serial + self.task_times(counts).busy_time()
    }

    fn task_times(&self, counts: &DetectionCounts) -> Tasks {
        let [primitives, polytopes] = [counts.primitives as f64, counts.polytopes as f64];
        Tasks {
            primitives: self.primitives * primitives,
            polytopes: self.polytopes * polytopes,
            expanding: self.node * (primitives + polytopes),
            other: self.corners * counts.moved as f64,
            ..Tasks::default()
        }
    }
}

/// What a message costs.
#[derive(Clone, Copy, Debug)]
pub struct NetworkCosts {
    /// The time from sender to receiver, of one byte and of [`NetworkCosts::SHORT`] bytes (us).
    pub latency_us: [f64; 2],
    /// The throughput for further bytes (bytes/us).
    pub bytes_per_us: f64,
    /// The share of this time for which the sender is busy, and likewise the receiver.
    pub busy: f64,
}

/// The paper's network.
pub const PAPER_NETWORK: NetworkCosts =
    NetworkCosts { latency_us: [15.0, 56.0], bytes_per_us: 12.0, busy: 1.0 / 3.0 };

impl NetworkCosts {
    /// The longest message whose latency the paper names (bytes).
    pub const SHORT: f64 = 256.0;

    /// The time from sender to receiver (us).
    pub fn message_time(&self, bytes: usize) -> f64 {
        let [least, most] = self.latency_us;
        let bytes = bytes as f64;
        let short = least + (most - least) * (bytes.min(Self::SHORT) / Self::SHORT);
        short + (bytes - Self::SHORT).max(0.0) / self.bytes_per_us
    }
}

/// Messages under way.
struct Network {
    work: WorkCosts,
    costs: NetworkCosts,
    clocks: Vec<f64>,
    tasks: Vec<Tasks>,
    /// For each receiver: arrival, bytes and content of each message.
    mail: Vec<Vec<(f64, usize, Envelope)>>,
    /// When the last message of each sender arrives at each receiver.
    last: Vec<Vec<f64>>,
}

impl Network {
    fn new(count: usize, work: WorkCosts, costs: NetworkCosts) -> Network {
        Network {
            work,
            costs,
            clocks: vec![0.0; count],
            tasks: vec![Tasks::default(); count],
            mail: vec![Vec::new(); count],
            last: vec![vec![0.0; count]; count],
        }
    }

    fn charge_work(&mut self, rank: usize, computed: &DetectionCounts) {
        let tasks = self.work.task_times(computed);
        self.clocks[rank] += tasks.busy_time();
        self.tasks[rank] += &tasks;
    }

    fn charge_message(&mut self, rank: usize, bytes: usize) -> f64 {
        let whole = self.costs.message_time(bytes);
        self.clocks[rank] += self.costs.busy * whole;
        self.tasks[rank].communication += self.costs.busy * whole;
        whole
    }

    fn next_arrival(&self, rank: usize) -> f64 {
        self.mail[rank].iter().map(|(arrival, ..)| *arrival).fold(f64::INFINITY, f64::min)
    }
}

/// A processor's end of the network.
struct Port<'n> {
    rank: usize,
    network: &'n mut Network,
}

impl Transport for Port<'_> {
    fn send_message(&mut self, to: usize, search: u32, message: Message<SearchNode>) -> Result<(), Lost> {
        let (rank, network) = (self.rank, &mut *self.network);
        let bytes = message.to_bytes(search).len();
        let whole = network.charge_message(rank, bytes);
        let travels = (1.0 - 2.0 * network.costs.busy).max(0.0) * whole;
        let arrival = (network.clocks[rank] + travels).max(network.last[rank][to]);
        network.last[rank][to] = arrival;
        network.mail[to].push((arrival, bytes, Envelope { from: rank, search, message }));
        Ok(())
    }

    fn try_receive(&mut self) -> Result<Option<Envelope>, Lost> {
        let (rank, network) = (self.rank, &mut *self.network);
        let next = network.next_arrival(rank);
        let Some(place) = network.mail[rank].iter().position(|(arrival, ..)| *arrival == next) else {
            return Ok(None);
        };
        if next > network.clocks[rank] {
            return Ok(None);
        }
        let (_, bytes, envelope) = network.mail[rank].remove(place);
        network.charge_message(rank, bytes);
        Ok(Some(envelope))
    }

    fn now_us(&self) -> f64 {
        self.network.clocks[self.rank]
    }

    fn spend_time(&mut self, computed: &DetectionCounts) {
        self.network.charge_work(self.rank, computed);
    }
}

/// Searches every pose of a path in virtual time.
///
/// # Errors
/// A pose of the path is none, or the search does not end.
pub fn search_on_network(
    task: &SearchTask<'_>,
    team: &Team,
    costs: (WorkCosts, NetworkCosts),
) -> Result<TeamRun, LabError> {
    let Team { count, policy, seed } = *team;
    let mut checker = Checker::new(task.world);
    let mut systems = vec![task.system.clone(); count];
    let mut workers: Vec<Worker> = (0..count).map(|rank| Worker::new(rank, count, policy, seed)).collect();
    let mut run = TeamRun {
        tasks: vec![Tasks::default(); count],
        counts: vec![DetectionCounts::default(); count],
        ..TeamRun::default()
    };
    for q in task.path {
        checker.set(q).map_err(|e| robot_error(&e.to_string()))?;
        for (worker, system) in workers.iter_mut().zip(&mut systems) {
            worker.begin_search(system, &checker);
        }
        let mut machine = Machine::new(count, costs);
        machine.charge_beginning(&systems);
        let answer = machine
            .run_to_end(&mut workers, &mut systems, task.stop)
            .map_err(|lost| robot_error(&lost.to_string()))?;
        run.answers.push(answer);
        run.time_us += machine.time_us();
        machine.add_waiting();
        add_each(&mut run.tasks, &machine.network.tasks);
        run.counts.iter_mut().zip(&systems).for_each(|(all, system)| *all += &system.counts);
    }
    run.messages = workers.iter().map(|worker| worker.messages).collect();
    Ok(run)
}

/// The machine during one detection.
struct Machine {
    network: Network,
    /// Until when each processor sleeps unless a message comes; `None` once its search is over.
    sleeps: Vec<Option<f64>>,
}

impl Machine {
    fn new(count: usize, (work, costs): (WorkCosts, NetworkCosts)) -> Machine {
        Machine { network: Network::new(count, work, costs), sleeps: vec![Some(0.0); count] }
    }

    /// Charges the work before the search, and the master's for the root.
    fn charge_beginning(&mut self, systems: &[System]) {
        for (rank, system) in systems.iter().enumerate() {
            let serial = self.network.work.serial;
            self.network.clocks[rank] += serial;
            self.network.tasks[rank].other += serial;
            // Without r-cylinders all corners were moved by now.
            self.network.charge_work(rank, &system.counts);
        }
    }

    /// When a processor takes its next turn.
    fn next_turn(&self, rank: usize) -> Option<f64> {
        let sleeps = self.sleeps[rank]?;
        Some(self.network.clocks[rank].max(sleeps.min(self.network.next_arrival(rank))))
    }

    fn run_to_end(
        &mut self,
        workers: &mut [Worker],
        systems: &mut [System],
        stop: Stop,
    ) -> Result<Answer, Lost> {
        let mut answer = None;
        loop {
            let turns = (0..workers.len()).filter_map(|rank| Some((self.next_turn(rank)?, rank)));
            let Some((at, rank)) = turns.min_by(|a, b| a.0.total_cmp(&b.0)) else {
                return answer.ok_or(Lost::Stuck);
            };
            if at.is_infinite() {
                return Err(Lost::Stuck);
            }
            self.network.tasks[rank].waiting += at - self.network.clocks[rank];
            self.network.clocks[rank] = at;
            let mut port = Port { rank, network: &mut self.network };
            let turn = workers[rank].take_turn(&mut systems[rank], stop, &mut port)?;
            self.sleeps[rank] = match turn {
                Turn::Worked => Some(0.0),
                Turn::Idle(until) => Some(until),
                Turn::Ended(found) => {
                    // All know the same answer.
                    answer.get_or_insert(found);
                    None
                }
            };
        }
    }

    /// When the last processor ended (us).
    fn time_us(&self) -> f64 {
        self.network.clocks.iter().copied().fold(0.0, f64::max)
    }

    /// Adds the time until the last processor has ended.
    fn add_waiting(&mut self) {
        let end = self.time_us();
        for (clock, tasks) in self.network.clocks.iter().zip(&mut self.network.tasks) {
            tasks.waiting += end - clock;
        }
    }
}
