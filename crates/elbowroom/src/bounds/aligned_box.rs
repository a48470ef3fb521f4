//! Boxes parallel to the axes of their frame.

use elbowroom_describe::math::Vec3;

/// A box parallel to the axes of its frame (metres).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlignedBox {
    /// Least coordinates.
    pub low: Vec3,
    /// Greatest coordinates.
    pub high: Vec3,
}

impl AlignedBox {
    /// The empty box: joined with it, a box stays as it is.
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

    /// Whether it contains another; faces may touch.
    pub fn contains(&self, other: &AlignedBox) -> bool {
        let within = |k: usize| self.low[k] <= other.low[k] && other.high[k] <= self.high[k];
        (0..3).all(within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom_describe::math::vec3;

    #[test]
    fn joins_contain_what_they_join() {
        let at = |x: f64, r: f64| AlignedBox { low: vec3(x - r, -r, -r), high: vec3(x + r, r, r) };
        let one = at(0.0, 1.0);
        assert!(one.contains(&at(0.5, 0.5)) && !one.contains(&at(0.5, 0.6)));
        assert_eq!(AlignedBox::EMPTY.join(&one), one);
        assert_eq!(one.join(&at(3.0, 1.0)), AlignedBox { high: vec3(4.0, 1.0, 1.0), ..one });
    }
}
