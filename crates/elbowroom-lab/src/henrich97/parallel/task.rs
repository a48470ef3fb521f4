//! A search by several processors: the task, the processors, and the result. The same for virtual and real
//! time.

use super::policy::Policy;
use super::tasks::Tasks;
use super::worker::Messages;
use crate::henrich97::counts::DetectionCounts;
use crate::henrich97::system::{Answer, Stop, System};
use elbowroom::World;
use std::ops::AddAssign;

/// A path of poses, each of which is searched.
#[derive(Clone, Copy, Debug)]
pub struct SearchTask<'a> {
    /// The robot.
    pub world: &'a World,
    /// The cell and the robot's hierarchy. Each processor works on a copy.
    pub system: &'a System,
    /// The poses (radians).
    pub path: &'a [Vec<f64>],
    /// What is searched for.
    pub stop: Stop,
}

/// The processors.
#[derive(Clone, Copy, Debug)]
pub struct Team {
    /// How many.
    pub count: usize,
    /// How they share their work.
    pub policy: Policy,
    /// The seed of their draws.
    pub seed: u64,
}

/// What a team found and did on a path.
#[derive(Clone, Debug, Default)]
pub struct TeamRun {
    /// The answer at each pose. On threads these are the answers of the first round.
    pub answers: Vec<Answer>,
    /// The time of all detections (us).
    pub time_us: f64,
    /// What each processor computed, over all detections.
    pub counts: Vec<DetectionCounts>,
    /// The messages of each processor, over all detections.
    pub messages: Vec<Messages>,
    /// The time of each processor by tasks, over all detections; empty where time is real.
    pub tasks: Vec<Tasks>,
}

impl TeamRun {
    /// Adds another run of a team of the same size. An empty run becomes the other.
    pub fn append_run(&mut self, more: TeamRun) {
        if self.answers.is_empty() {
            *self = more;
            return;
        }
        self.answers.extend(more.answers);
        self.time_us += more.time_us;
        add_each(&mut self.counts, &more.counts);
        add_each(&mut self.messages, &more.messages);
        add_each(&mut self.tasks, &more.tasks);
    }
}

/// Adds each item of a list to the item at the same place.
pub(super) fn add_each<T: for<'a> AddAssign<&'a T>>(all: &mut [T], more: &[T]) {
    all.iter_mut().zip(more).for_each(|(sum, part)| *sum += part);
}
