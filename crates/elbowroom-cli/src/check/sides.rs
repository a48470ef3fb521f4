//! The clearance of a sample in two parts: of a robot to itself, and of everything to the cell. What is
//! always near, as a wrist's own links are, does not hide in one part what comes near in the other.

use elbowroom::world::{BodyId, BodyPair};
use elbowroom::{Checker, Interval};

/// The least of both ends over the pairs of each part (metres); `None` where there is no such pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sides {
    /// Pairs of one robot's links and of what they carry.
    pub own: Option<[f64; 2]>,
    /// All others: with an obstacle, or with another robot.
    pub cell: Option<[f64; 2]>,
}

impl Sides {
    /// Adds a pair that was asked.
    pub fn add(&mut self, checker: &Checker, pair: BodyPair, interval: &Interval) {
        let carrier = |id: BodyId| std::iter::successors(Some(id), |at| checker.carrier(*at)).last();
        let robot = |id: BodyId| carrier(id).and_then(|id| checker.world().bodies()[id.index()].robot);
        let [a, b] = [pair.a, pair.b].map(robot);
        let side = if a.is_some() && a == b { &mut self.own } else { &mut self.cell };
        let [lower, upper] = side.unwrap_or([f64::INFINITY; 2]);
        *side = Some([lower.min(interval.lower), upper.min(interval.upper)]);
    }
}
