//! What is proved of a pair over all configurations, and how much work that may take.

use crate::motion::tolerance::PROVE_BOXES;
use alloc::vec::Vec;
use elbowroom_pair::Geometry;

/// What is proved of a pair over all configurations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// The two can never touch.
    Never {
        /// A proved lower bound on their clearance (metres).
        least: f64,
    },
    /// The two overlap at every configuration.
    Always,
    /// They overlap at some configurations and are clear at others.
    Sometimes,
    /// Nothing is proved: the work ended, a joint between them has no limits, or there is no configuration
    /// within limits.
    Open,
}

/// The claim, and the work that it took. Where the claim is open, `share` tells how much of the proof is
/// there: more boxes may complete it.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// What is proved.
    pub claim: Claim,
    /// Boxes that were asked.
    pub boxes: u64,
    /// Fraction of the volume of the whole box that was proved when the work ended.
    pub share: f64,
    /// Number of joint values between the two bodies.
    pub joints: usize,
    /// Joint values of the world at which the two overlap; `None` if no overlap was found.
    pub overlap_at: Option<Vec<f64>>,
}

/// How much work a proof may take, and what it covers.
///
/// ```
/// use elbowroom::motion::ProveOptions;
///
/// // Four times the usual work, for pairs that stay open; the defaults take meshes and all limits.
/// let usual = ProveOptions::default();
/// let patient = ProveOptions { boxes: 4 * usual.boxes, ..usual };
/// assert!(patient.mimic_limits && patient.boxes > usual.boxes);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProveOptions {
    /// Most boxes for one pair.
    pub boxes: u64,
    /// What meshes stand for.
    pub geometry: Geometry,
    /// Whether the limits count that a mimic has of its own. [`Checker::set`](crate::Checker::set) enforces
    /// them; many other tools do not. For these, prove without: over all values of the joint that it follows.
    pub mimic_limits: bool,
}

impl Default for ProveOptions {
    fn default() -> ProveOptions {
        ProveOptions { boxes: PROVE_BOXES, geometry: Geometry::Mesh, mimic_limits: true }
    }
}
