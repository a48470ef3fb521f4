//! Which pairs of bodies a question about a motion is about.

use crate::model::id::BodyPair;
use crate::pose::frames::Pose;

/// Which pairs of bodies a question about a motion is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EdgePairs {
    /// All that are checked.
    #[default]
    All,
    /// Pairs of bodies of two robots, or of what these carry. If each robot has a clock of its own, only
    /// these pairs depend on how the clocks differ: all others stand to each other as on the motion, at
    /// another instant. If there is none, every motion is [`Edge::Free`](super::Edge::Free).
    BetweenRobots,
}

impl EdgePairs {
    /// Whether a pair is one of them, with movable bodies carried as at this pose.
    pub(super) fn includes_pair(self, pose: &Pose<'_>, pair: BodyPair) -> bool {
        if self == EdgePairs::All {
            return true;
        }
        let robot = |body| pose.hangs_on(body).and_then(|root| pose.world.bodies().get(root.index())?.robot);
        let [a, b] = [robot(pair.a), robot(pair.b)];
        a.is_some() && b.is_some() && a != b
    }
}
