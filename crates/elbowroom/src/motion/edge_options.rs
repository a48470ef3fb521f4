//! What is asked of the way between two poses.

use crate::model::world::World;
use crate::motion::tolerance::{EDGE_RESOLUTION, EDGE_WORK};
use crate::pair::geometry::Geometry;
use crate::pose::fault::SetOptions;

/// What is asked of a motion.
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
    /// Free means farther apart than this at every instant, contact means nearer (metres, >= 0); `None`: the
    /// world's margin, so that free is where [`Verdict::Clear`](crate::Verdict::Clear) would be said, and
    /// contact includes what would be near. A negative one counts as zero; with NaN nothing is free, and
    /// nothing in contact.
    pub margin: Option<f64>,
    /// What meshes stand for.
    pub geometry: Geometry,
    /// An interval within which an open pair moves less than this is not halved again (metres). A negative
    /// number and NaN count as zero: then intervals are halved as long as their ends can be told apart.
    pub resolution: f64,
    /// Pairs asked on intervals, after which what is not decided is `Unknown`.
    pub work: u64,
    /// What joint values may be.
    pub set: SetOptions,
}

impl Default for EdgeOptions {
    fn default() -> EdgeOptions {
        EdgeOptions {
            margin: None,
            geometry: Geometry::Mesh,
            resolution: EDGE_RESOLUTION,
            work: EDGE_WORK,
            set: SetOptions::default(),
        }
    }
}

impl EdgeOptions {
    /// The margin in a world (metres), not negative; NaN stays.
    pub(super) fn margin_in(&self, world: &World) -> f64 {
        let margin = self.margin.unwrap_or(world.margin);
        if margin < 0.0 { 0.0 } else { margin }
    }
}
