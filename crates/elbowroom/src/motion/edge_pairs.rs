//! Which pairs of bodies a question about a motion is about.

use crate::model::id::BodyPair;
use crate::pose::frames::Pose;

/// Which pairs of bodies a question about a motion is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EdgePairs {
    /// All that are checked.
    #[default]
    All,
    /// Those of two robots, with what they carry. Of a motion on which each robot goes by a clock of its own,
    /// these are the pairs for which it matters how the clocks differ: all others are on the way at some
    /// other instant. If there is none, every motion is [`Edge::Free`](super::Edge::Free).
    BetweenRobots,
}

impl EdgePairs {
    /// Whether a pair is one of them, with movable bodies carried as at this pose.
    pub(super) fn includes(self, pose: &Pose<'_>, pair: BodyPair) -> bool {
        if self == EdgePairs::All {
            return true;
        }
        let robot = |body| pose.hangs_on(body).and_then(|root| pose.world.bodies().get(root.index())?.robot);
        let [a, b] = [robot(pair.a), robot(pair.b)];
        a.is_some() && b.is_some() && a != b
    }
}
