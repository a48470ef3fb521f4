//! The search on threads: a channel a processor.
//!
//! A thread that waits spins for a while before it sleeps, because a message arrives faster than a thread
//! wakes up. A thread that panics or gives up tells all others, and they give the search up too.

use super::message::Message;
use super::protocol::MASTER;
use super::task::{SearchTask, Team, TeamRun};
use super::transport::{Envelope, Lost, Transport};
use super::worker::{Messages, Waits, Worker};
use crate::error::LabError;
use crate::henrich97::counts::DetectionCounts;
use crate::henrich97::system::{Answer, SearchNode};
use crate::limits::{LONGEST_SILENCE, SPIN_US};
use crate::parts::robot_error;
use elbowroom::Checker;
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
    /// When a message came, or work ended, whichever was later.
    heard: Instant,
}

/// The channels of `count` processors.
fn connect_channels(count: usize) -> Vec<Channels> {
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
    fn send_message(&mut self, to: usize, search: u32, message: Message<SearchNode>) -> Result<(), Lost> {
        // A thread that has ended its last search reads no more; one that was lost has told so by its alarm.
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

    fn spend_time(&mut self, _: &DetectionCounts) {
        self.heard = Instant::now();
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
        let left_us = until_us - self.now_us();
        if self.woken_by.is_none() && left_us > 0.0 {
            let left = Duration::from_secs_f64((left_us * 1e-6).min(longest.as_secs_f64()));
            match self.inbox.recv_timeout(left) {
                Ok(mail) => self.woken_by = Some(mail),
                Err(RecvTimeoutError::Disconnected) => return Err(Lost::Gone(self.rank)),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        if self.woken_by.is_none() && self.heard.elapsed() >= longest {
            return Err(Lost::Silence(LONGEST_SILENCE));
        }
        Ok(())
    }
}

/// Tells all others when it is dropped, so that a thread that panics or gives up does not leave them waiting.
/// A walk that ended well takes the others out of it first.
struct Alarm {
    rank: usize,
    others: Vec<Sender<Mail>>,
}

impl Drop for Alarm {
    fn drop(&mut self) {
        // A thread that has ended does not read this any more.
        self.others.iter().for_each(|other| _ = other.send(Mail::Gone(self.rank)));
    }
}

/// Searches every pose of a path, `rounds` times, on threads.
///
/// # Errors
/// A pose of the path is none, or a thread was lost.
pub fn search_on_threads(task: &SearchTask<'_>, team: &Team, rounds: usize) -> Result<TeamRun, LabError> {
    let ends = connect_channels(team.count);
    let walk = |channels: Channels| {
        let rank = channels.rank;
        let mut alarm = Alarm { rank, others: channels.others.clone() };
        let walked = walk_path(task, team, rank, channels, rounds);
        if walked.is_ok() {
            alarm.others.clear();
        }
        walked
    };
    let walks: Vec<std::thread::Result<Result<Walked, LabError>>> = std::thread::scope(|scope| {
        let walk = &walk;
        let threads: Vec<_> = ends.into_iter().map(|channels| scope.spawn(move || walk(channels))).collect();
        threads.into_iter().map(std::thread::ScopedJoinHandle::join).collect()
    });
    let mut run = TeamRun::default();
    for (rank, walked) in walks.into_iter().enumerate() {
        let walked = walked.map_err(|_| robot_error(&Lost::Gone(rank).to_string()))??;
        if rank == MASTER {
            (run.answers, run.time_us) = (walked.answers, walked.time_us);
        }
        run.counts.push(walked.counts);
        run.messages.push(walked.messages);
    }
    Ok(run)
}

/// What one processor did on a path.
pub(super) struct Walked {
    /// Its answers of the first round.
    pub answers: Vec<Answer>,
    /// The time of all detections (us).
    pub time_us: f64,
    pub counts: DetectionCounts,
    pub messages: Messages,
}

/// The part of one processor in a task, `rounds` times.
pub(super) fn walk_path(
    task: &SearchTask<'_>,
    team: &Team,
    rank: usize,
    mut transport: impl Waits,
    rounds: usize,
) -> Result<Walked, LabError> {
    let mut worker = Worker::new(rank, team.count, team.policy, team.seed);
    let (mut checker, mut system) = (Checker::new(task.world), task.system.clone());
    let mut answers = Vec::with_capacity(task.path.len());
    let mut counts = DetectionCounts::default();
    let start = Instant::now();
    for round in 0..rounds.max(1) {
        for q in task.path {
            checker.set(q).map_err(|e| robot_error(&e.to_string()))?;
            worker.begin_search(&mut system, &checker);
            let answer = worker
                .search_to_end(&mut system, task.stop, &mut transport)
                .map_err(|lost| robot_error(&lost.to_string()))?;
            counts += &system.counts;
            if round == 0 {
                answers.push(answer);
            }
        }
    }
    let time_us = start.elapsed().as_secs_f64() * 1e6;
    Ok(Walked { answers, time_us, counts, messages: worker.messages })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work takes as long as it takes: silence begins when one waits.
    #[test]
    fn long_work_is_no_silence() {
        let mut ends = connect_channels(2);
        let Some(mut end) = ends.pop() else { panic!("two were made") };
        let long_ago = Instant::now().checked_sub(Duration::from_secs(LONGEST_SILENCE + 1));
        let Some(long_ago) = long_ago else { return };
        end.heard = long_ago;
        let soon = end.now_us() + 2.0 * SPIN_US;
        assert_eq!(end.wait_until(soon), Err(Lost::Silence(LONGEST_SILENCE)));
        end.heard = long_ago;
        end.spend_time(&DetectionCounts::default());
        let soon = end.now_us() + 2.0 * SPIN_US;
        assert_eq!(end.wait_until(soon), Ok(()));
    }
}
