//! What a step judges: all that is known at one time.

use super::description::GuardDescription;
use super::joints::Joints;
use super::parts::Parts;
use elbowroom::motion::RangeOptions;
use elbowroom::pose::SetOptions;

/// How often the boxes are halved for a pair: enough to tell two millimetres of gap from four.
const HALVINGS: u32 = 12;

/// Most pairs asked again in halves of a box: of the near one, whose open pairs stop the arms; of the far
/// one; and for each speed that is tried. Beyond them a pair counts as open: the arms slow down a little
/// earlier. Of simulated motions that stay clear no more are stopped than with four times as many.
pub(super) const WORK: [u32; 3] = [64, 32, 16];

/// Lowest and highest values of all joints.
pub(super) type Ends = [Vec<f64>; 2];

pub(super) fn range_ends(ends: &Ends) -> [&[f64]; 2] {
    [&ends[0], &ends[1]]
}

/// How a guard asks about its near box.
pub(super) fn range_options(d: &GuardDescription) -> RangeOptions {
    RangeOptions {
        set: SetOptions { ignore_limits: true },
        halvings: HALVINGS,
        work: WORK[0],
        ..RangeOptions::default().margin(d.clearance)
    }
}

/// What a question is about.
#[derive(Clone, Copy)]
pub(super) struct Now<'a> {
    pub d: &'a GuardDescription,
    pub joints: &'a Joints,
    pub parts: &'a Parts,
    /// The time (s).
    pub t: f64,
    /// What [`range_options`] says.
    pub options: RangeOptions,
}
