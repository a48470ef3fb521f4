//! What is asked of the way between two poses.

use crate::model::world::World;
use crate::motion::tolerance::{EDGE_RESOLUTION, EDGE_WORK};
pub use crate::pair::clearance::Geometry;
use crate::pose::fault::SetOptions;

/// What is asked of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeOptions {
    /// Free means farther apart than this at every instant, contact means nearer (metres, >= 0). A negative
    /// one counts as zero; with NaN nothing is free, and nothing in contact.
    pub clearance: f64,
    /// What meshes stand for.
    pub geometry: Geometry,
    /// An interval within which an open pair moves less than this is not halved again (metres).
    pub resolution: f64,
    /// Pairs asked on intervals, after which what is not decided is `Unknown`.
    pub work: u64,
    /// What joint values may be.
    pub set: SetOptions,
}

impl Default for EdgeOptions {
    fn default() -> EdgeOptions {
        EdgeOptions {
            clearance: 0.0,
            geometry: Geometry::Mesh,
            resolution: EDGE_RESOLUTION,
            work: EDGE_WORK,
            set: SetOptions::default(),
        }
    }
}

impl EdgeOptions {
    /// The default with the margin of a world for its clearance: free is where
    /// [`crate::query::verdict::Verdict::Clear`] would be said, and contact includes what would be near.
    pub fn of(world: &World) -> EdgeOptions {
        EdgeOptions { clearance: world.margin, ..EdgeOptions::default() }
    }

    /// With a clearance that is not negative; NaN stays.
    pub(super) fn sound(&self) -> EdgeOptions {
        let clearance = if self.clearance < 0.0 { 0.0 } else { self.clearance };
        EdgeOptions { clearance, ..*self }
    }
}
