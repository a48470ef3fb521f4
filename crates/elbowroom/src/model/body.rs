//! A body of a world.

use crate::model::id::RobotId;
use crate::model::name::Name;
use core::ops::Range;

/// A link or an obstacle.
#[derive(Clone, Debug)]
pub struct Body {
    /// Full name: `robot/link` or `world/obstacle`.
    pub name: Name,
    /// The robot whose link it is; `None` for obstacles.
    pub robot: Option<RobotId>,
    /// Its shapes: a range of shape numbers.
    pub shapes: Range<u32>,
}
