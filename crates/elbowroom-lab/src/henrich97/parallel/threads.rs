//! The search on threads: a channel a processor.
//!
//! Who waits spins for a while before it sleeps, because a message on its way takes less than waking up. A
//! thread that panics or gives up tells all others on its way out, and they give the search up.

use super::message::Message;
use super::policy::Policy;
use super::transport::{Envelope, Lost, Transport};
use super::worker::{Messages, Waits, Worker};
use crate::error::LabError;
use crate::henrich97::counts::DetectionCounts;
use crate::henrich97::system::{Answer, SearchNode, Stop, System};
use crate::limits::{LONGEST_SILENCE, SPIN_US};
use crate::parts::robot_error;
use elbowroom::{Checker, World};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::time::{Duration, Instant};

/// What goes through a channel.
enum Mail {
    Message(Envelope),
    /// The thread of this processor has panicked, or has given up.
    Gone(usize),
}

/// A processor's channels.
struct Channels {
    rank: usize,
    others: Vec<Sender<Mail>>,
    inbox: Receiver<Mail>,
    /// What came while it slept.
    woken_by: Option<Mail>,
    start: Instant,
    heard: Instant,
}

/// The channels of `count` processors.
fn connect(count: usize) -> Vec<Channels> {
    let (others, inboxes): (Vec<Sender<Mail>>, Vec<Receiver<Mail>>) = (0..count).map(|_| channel()).unzip();
    let now = Instant::now();
    let inboxes = inboxes.into_iter().enumerate();
    inboxes
        .map(|(rank, inbox)| Channels {
            rank,
            others: others.clone(),
            inbox,
            woken_by: None,
            start: now,
            heard: now,
        })
        .collect()
}

impl Transport for Channels {
    fn send(&mut self, to: usize, search: u32, message: Message<SearchNode>) -> Result<(), Lost> {
        // Who has ended its last search does not listen any more; who was lost says so by its alarm.
        _ = self.others[to].send(Mail::Message(Envelope { from: self.rank, search, message }));
        Ok(())
    }

    fn try_receive(&mut self) -> Result<Option<Envelope>, Lost> {
        let mail = match self.woken_by.take() {
            Some(mail) => mail,
            None => match self.inbox.try_recv() {
                Ok(mail) => mail,
                Err(TryRecvError::Empty) => return Ok(None),
                Err(TryRecvError::Disconnected) => return Err(Lost::Gone(self.rank)),
            },
        };
        self.heard = Instant::now();
        match mail {
            Mail::Message(envelope) => Ok(Some(envelope)),
            Mail::Gone(rank) => Err(Lost::Gone(rank)),
        }
    }

    fn now_us(&self) -> f64 {
        self.start.elapsed().as_secs_f64() * 1e6
    }
}

impl Waits for Channels {
    fn wait_until(&mut self, until_us: f64) -> Result<(), Lost> {
        let spins_until = self.now_us() + SPIN_US;
        while self.woken_by.is_none() && self.now_us() < until_us.min(spins_until) {
            match self.inbox.try_recv() {
                Ok(mail) => self.woken_by = Some(mail),
                Err(_) => std::thread::yield_now(),
            }
        }
        let longest = Duration::from_secs(LONGEST_SILENCE);
        let left = until_us - self.now_us();
        if self.woken_by.is_some() || left <= 0.0 {
            return Ok(());
        }
        match self.inbox.recv_timeout(Duration::from_secs_f64((left * 1e-6).min(longest.as_secs_f64()))) {
            Ok(mail) => self.woken_by = Some(mail),
            Err(RecvTimeoutError::Disconnected) => return Err(Lost::Gone(self.rank)),
            Err(RecvTimeoutError::Timeout) if self.heard.elapsed() >= longest => {
                return Err(Lost::Silence(LONGEST_SILENCE));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        Ok(())
    }
}

/// Tells all others when it is dropped, so that a thread that panics or gives up does not leave them waiting;
/// disarmed by a walk that ended well.
struct Alarm(usize, Vec<Sender<Mail>>);

impl Drop for Alarm {
    fn drop(&mut self) {
        // Who has ended already does not listen.
        self.1.iter().for_each(|other| _ = other.send(Mail::Gone(self.0)));
    }
}

/// A path that was searched in earnest.
#[derive(Clone, Debug)]
pub struct ThreadRun {
    /// The answer at each pose.
    pub answers: Vec<Answer>,
    /// All detections (s), after the threads were started.
    pub seconds: f64,
    /// For each processor, over all detections.
    pub counts: Vec<DetectionCounts>,
    /// For each processor, over all detections.
    pub messages: Vec<Messages>,
}

/// Searches every pose of a path, `rounds` times, on `count` threads.
///
/// # Errors
/// A pose of the path is none, or a thread was lost.
#[expect(clippy::too_many_arguments, reason = "what is searched, how, and how often")]
pub fn search_on_threads(
    world: &World,
    system: &System,
    path: &[Vec<f64>],
    stop: Stop,
    count: usize,
    policy: Policy,
    rounds: usize,
    seed: u64,
) -> Result<ThreadRun, LabError> {
    let ends = connect(count);
    let walk = |channels: Channels| {
        let rank = channels.rank;
        let mut alarm = Alarm(rank, channels.others.clone());
        let worker = Worker::new(rank, count, policy, seed);
        let walked = walk_path((world, system.clone()), path, stop, worker, channels, rounds);
        if walked.is_ok() {
            alarm.1.clear();
        }
        walked
    };
    let walks: Vec<std::thread::Result<Result<Walked, LabError>>> = std::thread::scope(|scope| {
        let walk = &walk;
        let threads: Vec<_> = ends.into_iter().map(|channels| scope.spawn(move || walk(channels))).collect();
        threads.into_iter().map(std::thread::ScopedJoinHandle::join).collect()
    });
    let mut run = ThreadRun { answers: Vec::new(), seconds: 0.0, counts: Vec::new(), messages: Vec::new() };
    for (rank, walked) in walks.into_iter().enumerate() {
        let walked = walked.map_err(|_| robot_error(&Lost::Gone(rank).to_string()))??;
        if rank == super::protocol::MASTER {
            (run.answers, run.seconds) = (walked.answers, walked.seconds);
        }
        run.counts.push(walked.counts);
        run.messages.push(walked.messages);
    }
    Ok(run)
}

/// What one processor did on a path.
pub(super) struct Walked {
    pub answers: Vec<Answer>,
    pub seconds: f64,
    pub counts: DetectionCounts,
    pub messages: Messages,
}

/// One processor's part of a path. The answers are of the first round.
pub(super) fn walk_path(
    (world, mut system): (&World, System),
    path: &[Vec<f64>],
    stop: Stop,
    mut worker: Worker,
    mut transport: impl Waits,
    rounds: usize,
) -> Result<Walked, LabError> {
    let mut checker = Checker::new(world);
    let mut walked = Walked {
        answers: Vec::with_capacity(path.len()),
        seconds: 0.0,
        counts: DetectionCounts::default(),
        messages: Messages::default(),
    };
    let start = Instant::now();
    for round in 0..rounds.max(1) {
        for q in path {
            checker.set(q).map_err(|e| robot_error(&e.to_string()))?;
            system.update_position(&checker);
            system.update_hierarchy();
            worker.begin_search(&mut system);
            let answer = worker
                .search_to_end(&mut system, stop, &mut transport)
                .map_err(|lost| robot_error(&lost.to_string()))?;
            walked.counts += &system.counts;
            if round == 0 {
                walked.answers.push(answer);
            }
        }
    }
    walked.seconds = start.elapsed().as_secs_f64();
    walked.messages = worker.messages;
    Ok(walked)
}
