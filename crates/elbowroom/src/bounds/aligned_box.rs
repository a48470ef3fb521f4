//! Boxes parallel to the axes of their frame.

use crate::numeric::math::{Transform, Vec3, sqrt, vec3};
use crate::numeric::tolerance::{NORM_ROUNDING, ROUNDOFF, SHIFT_PER_OFFSET};

/// A box parallel to the axes of its frame (metres).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlignedBox {
    /// Least coordinates.
    pub low: Vec3,
    /// Greatest coordinates.
    pub high: Vec3,
}

impl AlignedBox {
    /// A box without a point: what is joined with it stays as it is.
    pub const EMPTY: AlignedBox = {
        let inf = f64::INFINITY;
        AlignedBox { low: Vec3 { x: inf, y: inf, z: inf }, high: Vec3 { x: -inf, y: -inf, z: -inf } }
    };

    /// The smallest box around both.
    #[inline(always)]
    pub fn join(&self, other: &AlignedBox) -> AlignedBox {
        AlignedBox { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Its middle.
    #[inline(always)]
    pub fn center(&self) -> Vec3 {
        (self.low + self.high) * 0.5
    }

    /// Its edges (metres).
    #[inline(always)]
    pub fn size(&self) -> Vec3 {
        self.high - self.low
    }

    /// Volume (cubic metres), as computed.
    pub fn volume(&self) -> f64 {
        let s = self.size();
        s.x * s.y * s.z
    }

    /// A box around this one seen from another frame, parallel to the axes of that frame; `slack` (metres) is
    /// how far a point of what it contains may lie from its computed image.
    #[inline]
    pub fn moved(&self, at: &Transform, slack: f64) -> AlignedBox {
        if *self == AlignedBox::EMPTY {
            return *self;
        }
        let (center, half) = (self.center(), self.size() * 0.5);
        let [x, y, z] = at.rotation.cols.map(Vec3::abs);
        // The middle and the halves are off by roundings of the corners.
        let far = self.low.norm() + self.high.norm() + at.translation.norm();
        let more = slack + far * (2.0 * SHIFT_PER_OFFSET);
        let half = x * half.x + y * half.y + z * half.z + vec3(more, more, more);
        let center = at.point(center);
        AlignedBox { low: center - half, high: center + half }
    }

    /// Whether it contains another, the faces included.
    pub fn contains(&self, other: &AlignedBox) -> bool {
        let within = |k: usize| self.low[k] <= other.low[k] && other.high[k] <= self.high[k];
        (0..3).all(within)
    }
}

/// A lower bound on the signed distance of whatever two boxes of one frame contain (metres), rounding
/// included: the distance of the boxes, or minus the least way along an axis that takes them apart.
#[inline]
pub fn box_gap(a: &AlignedBox, b: &AlignedBox) -> f64 {
    let apart = (a.low - b.high).max(b.low - a.high);
    let least = apart.x.max(apart.y).max(apart.z);
    let gap = if least > 0.0 {
        let p = apart.max(Vec3::ZERO);
        let square = p.dot(p);
        // Of what is too far to be squared its farthest coordinate is enough.
        let length = if square < f64::INFINITY { sqrt(square) } else { least };
        length * (1.0 - NORM_ROUNDING - 4.0 * ROUNDOFF)
    } else {
        least * (1.0 + 4.0 * ROUNDOFF)
    };
    // `max` turns NaN, which bounds nothing, into minus infinity.
    gap.max(f64::NEG_INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_of_boxes() {
        let at = |x: f64, y: f64, z: f64, r: f64| {
            let r = vec3(r, r, r);
            AlignedBox { low: vec3(x, y, z) - r, high: vec3(x, y, z) + r }
        };
        let one = at(0.0, 0.0, 0.0, 1.0);
        for (other, gap) in [
            (at(3.0, 0.0, 0.0, 1.0), 1.0),
            (at(5.0, 6.0, 0.0, 1.0), 5.0),
            (at(1.5, 0.0, 0.0, 1.0), -0.5),
            (at(2.0, 0.0, 0.0, 1.0), 0.0),
        ] {
            let g = box_gap(&one, &other);
            assert!(g <= gap && g >= gap - 1e-14, "{other:?}: {g}");
        }
        assert_eq!(box_gap(&one, &AlignedBox::EMPTY), f64::INFINITY);
        // Too far to be squared.
        let far = box_gap(&one, &at(0.0, 0.0, 1e160, 1.0));
        assert!(far <= 1e160 && far > 0.99e160, "{far}");
        assert!(one.contains(&at(0.5, 0.0, 0.0, 0.5)) && !one.contains(&at(0.5, 0.0, 0.0, 0.6)));
        assert_eq!(AlignedBox::EMPTY.join(&one), one);
    }
}
