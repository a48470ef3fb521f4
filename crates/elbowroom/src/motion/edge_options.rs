//! Options of a question about a motion.

use crate::motion::edge_pairs::EdgePairs;
use crate::motion::tolerance::{EDGE_RESOLUTION, EDGE_WORK};
use crate::pose::fault::SetOptions;
use crate::query::policy::Policy;
use elbowroom_pair::Geometry;

/// What is asked about a motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EdgeAsk {
    /// Whether it is free, and if not, where its first contact is.
    #[default]
    FirstContact,
    /// Whether it is free. Any contact ends the search, so a motion that is not free mostly costs far less.
    /// The contact in the answer is usually not the first one.
    IsFree,
}

/// Options of a question about a motion.
///
/// ```
/// use elbowroom::motion::EdgeOptions;
///
/// // Contact itself, whatever the world's margin is, narrowed down to a tenth of a millimetre.
/// let options = EdgeOptions { resolution: 1e-4, ..EdgeOptions::default().margin(0.0) };
/// assert!(options.policy.margin == Some(0.0) && options.work > 1000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeOptions {
    /// What is asked.
    pub ask: EdgeAsk,
    /// Free means farther apart than its margin at every instant: what is
    /// [`Verdict::Clear`](crate::Verdict::Clear) there. Contact means nearer, so it includes what is near.
    pub policy: Policy,
    /// Which pairs are asked.
    pub pairs: EdgePairs,
    /// An interval within which an open pair moves less than this is not halved again (metres). A negative
    /// number and NaN count as zero: then intervals are halved as long as their ends can be told apart.
    pub resolution: f64,
    /// Most pairs asked on intervals; what they visit of meshes counts too
    /// ([`EdgeCounts::work`](super::edge_answer::EdgeCounts::work)). If that does not decide, the answer is
    /// `Unknown`. The default takes a second, and of large meshes some seconds, at most.
    pub work: u64,
    /// Which joint values are accepted.
    pub set: SetOptions,
}

impl EdgeOptions {
    /// These options with a margin (metres) instead of the world's: that of the [`Policy`].
    pub const fn margin(self, metres: f64) -> EdgeOptions {
        EdgeOptions { policy: self.policy.margin(metres), ..self }
    }

    /// These options with meshes as themselves or as their hulls.
    pub const fn geometry(self, geometry: Geometry) -> EdgeOptions {
        EdgeOptions { policy: self.policy.geometry(geometry), ..self }
    }
}

impl Default for EdgeOptions {
    fn default() -> EdgeOptions {
        EdgeOptions {
            ask: EdgeAsk::FirstContact,
            policy: Policy::default(),
            pairs: EdgePairs::All,
            resolution: EDGE_RESOLUTION,
            work: EDGE_WORK,
            set: SetOptions::default(),
        }
    }
}
