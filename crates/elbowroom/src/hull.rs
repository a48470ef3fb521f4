//! Points to a checked convex hull with adjacency.

use crate::math::Vec3;

/// A convex polytope.
#[derive(Clone, Debug)]
pub struct Hull {
    center: Vec3,
    reach: f64,
}

/// Why points have no hull.
#[derive(Clone, Debug, PartialEq)]
pub struct HullFault {}

impl core::fmt::Display for HullFault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("no hull")
    }
}

impl Hull {
    /// The hull of points.
    pub fn from_points(points: &[Vec3]) -> Result<Hull, HullFault> {
        let Some(&first) = points.first() else { return Err(HullFault {}) };
        let (lo, hi) = points.iter().fold((first, first), |(lo, hi), p| (lo.min(*p), hi.max(*p)));
        let center = (lo + hi) * 0.5;
        let reach = points.iter().fold(0.0_f64, |r, p| r.max((*p - center).norm()));
        Ok(Hull { center, reach: reach * (1.0 + 1e-15) })
    }
    /// Centre of a ball around the hull.
    pub fn center(&self) -> Vec3 {
        self.center
    }
    /// Radius of that ball.
    pub fn reach(&self) -> f64 {
        self.reach
    }
}
