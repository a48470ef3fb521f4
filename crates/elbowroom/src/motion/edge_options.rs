//! Options of a question about a motion.

use crate::motion::edge_pairs::EdgePairs;
use crate::motion::tolerance::{EDGE_RESOLUTION, EDGE_WORK};
use crate::pose::fault::SetOptions;
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
/// let options = EdgeOptions { margin: Some(0.0), resolution: 1e-4, ..EdgeOptions::default() };
/// assert!(EdgeOptions::default().margin.is_none() && options.work > 1000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeOptions {
    /// What is asked.
    pub ask: EdgeAsk,
    /// Free means farther apart than this at every instant, contact means nearer (metres, >= 0). `None` means
    /// the world's margin: free is then what is [`Verdict::Clear`](crate::Verdict::Clear) at every instant,
    /// and contact includes what is near. A negative margin counts as zero. With NaN nothing is free or in
    /// contact.
    pub margin: Option<f64>,
    /// Which pairs are asked.
    pub pairs: EdgePairs,
    /// What meshes stand for.
    pub geometry: Geometry,
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

impl Default for EdgeOptions {
    fn default() -> EdgeOptions {
        EdgeOptions {
            ask: EdgeAsk::FirstContact,
            margin: None,
            pairs: EdgePairs::All,
            geometry: Geometry::Mesh,
            resolution: EDGE_RESOLUTION,
            work: EDGE_WORK,
            set: SetOptions::default(),
        }
    }
}
