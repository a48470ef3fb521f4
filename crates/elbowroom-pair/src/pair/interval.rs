//! The interval of a signed distance that is proved: what all answers share.

use crate::pair::geometry::Geometry;
use crate::pair::verdict::Verdict;

/// A proved interval of a signed distance: positive while bodies are apart, minus the penetration depth where
/// they overlap.
///
/// ```
/// use elbowroom_pair::{Geometry, Interval, Verdict};
///
/// let interval = Interval::new(0.012, 0.013, Geometry::Mesh);
/// assert_eq!(interval.verdict(0.01), Verdict::Clear);
/// assert_eq!(interval.verdict(0.02), Verdict::Near);
/// assert!(interval.contains(0.0125) && interval.width() < 0.0011);
/// assert_eq!(Interval::nothing(Geometry::Mesh).verdict(0.0), Verdict::Unknown);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Interval {
    /// At least this (metres); minus infinity where nothing is proved.
    pub lower: f64,
    /// At most this (metres); infinite where only a lower bound was wanted. Negative only if overlap is
    /// proved.
    pub upper: f64,
    /// Whether it is about the declared bodies or about their convex hulls.
    pub geometry: Geometry,
}

impl Interval {
    /// Between two numbers (metres).
    pub const fn new(lower: f64, upper: f64, geometry: Geometry) -> Interval {
        Interval { lower, upper, geometry }
    }

    /// From minus infinity to infinity: nothing is proved.
    pub const fn nothing(geometry: Geometry) -> Interval {
        Interval::new(f64::NEG_INFINITY, f64::INFINITY, geometry)
    }

    /// The verdict for bodies that should be farther apart than a margin (metres, >= 0); a negative margin
    /// counts as zero. Where nothing is proved, also by NaN and empty intervals, it is [`Verdict::Unknown`].
    /// If the margin is NaN, only overlap can be proved.
    pub fn verdict(&self, margin: f64) -> Verdict {
        let Interval { lower, upper, .. } = *self;
        // Every comparison is false for NaN, and so leads to the last line.
        if self.overlaps() {
            Verdict::Collision
        } else if lower <= upper && lower > 0.0 && lower > margin {
            Verdict::Clear
        } else if lower <= upper && lower > 0.0 && lower <= margin {
            Verdict::Near
        } else {
            Verdict::Unknown
        }
    }

    /// Whether overlap is proved.
    pub fn overlaps(&self) -> bool {
        self.lower <= self.upper && self.upper < 0.0
    }

    /// Whether it is proved that the bodies are apart, or that they overlap.
    pub fn is_decided(&self) -> bool {
        self.lower > 0.0 || self.upper < 0.0
    }

    /// Upper end less lower end (metres).
    pub fn width(&self) -> f64 {
        self.upper - self.lower
    }

    /// Whether a distance (metres) is possible.
    pub fn contains(&self, distance: f64) -> bool {
        self.lower <= distance && distance <= self.upper
    }

    /// One number in the interval (metres), for people: the middle; the finite end if only one is finite; the
    /// end itself if both are the same infinity; 0 if nothing is known.
    pub fn estimate(&self) -> f64 {
        let Interval { lower, upper, .. } = *self;
        match (lower.is_finite(), upper.is_finite()) {
            (true, true) => lower + 0.5 * (upper - lower),
            (true, false) => lower,
            (false, true) => upper,
            (false, false) if lower == upper => lower,
            (false, false) => 0.0,
        }
    }

    /// Lowers the lower end to a bound.
    #[inline]
    pub fn lower_to(&mut self, lower: f64) {
        self.lower = self.lower.min(lower);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::verdict::Verdict::{Clear, Collision, Near, Unknown};

    #[test]
    fn only_proofs_count() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let cases = [
            (0.2, 0.3, 0.1, Clear),
            (0.2, inf, 0.1, Clear),
            (inf, inf, 0.1, Clear),
            (0.1, 0.3, 0.1, Near),
            (1e-300, 0.3, 0.0, Clear),
            (1e-300, 0.3, 0.1, Near),
            (0.0, 0.3, 0.0, Unknown),
            (-1e-12, 1e-12, 0.0, Unknown),
            (-0.1, 0.0, 0.0, Unknown),
            (-inf, inf, 0.0, Unknown),
            (-0.2, -0.1, 0.0, Collision),
            (-inf, -1e-300, 0.5, Collision),
            // Not an interval, or not a margin: no proof of anything that the margin is needed for.
            (0.3, 0.2, 0.0, Unknown),
            (nan, 0.2, 0.0, Unknown),
            (0.1, nan, 0.0, Unknown),
            (0.1, 0.2, nan, Unknown),
            (inf, inf, nan, Unknown),
            (-0.2, -0.1, nan, Collision),
            // A negative margin is none.
            (0.1, 0.2, -1.0, Clear),
            (0.0, 0.2, -1.0, Unknown),
            (-0.5, 0.2, -1.0, Unknown),
            (-0.2, -0.1, -1.0, Collision),
        ];
        for (lower, upper, margin, verdict) in cases {
            let interval = Interval::new(lower, upper, Geometry::Mesh);
            assert_eq!(interval.verdict(margin), verdict, "[{lower}, {upper}], margin {margin}");
        }
    }

    #[test]
    fn the_estimate_lies_in_its_interval() {
        let inf = f64::INFINITY;
        for (lower, upper) in [(0.1, 0.1), (-1.0, 1e-17), (0.1, inf), (-inf, -0.1), (-inf, inf), (inf, inf)] {
            let interval = Interval::new(lower, upper, Geometry::Mesh);
            assert!(interval.contains(interval.estimate()), "{interval:?}");
        }
    }
}
