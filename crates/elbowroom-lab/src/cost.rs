//! What a common box of a hierarchy costs: the three costs of henrich92, section 3.2.

use elbowroom::bounds::AlignedBox;
use elbowroom::bounds::hierarchy::squared_diagonal;

/// What a common box costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cost {
    /// Its volume. Flat boxes cost nothing.
    Volume,
    /// Its surface.
    Surface,
    /// Its diagonal: the best of the three in the paper.
    #[default]
    Diameter,
}

impl Cost {
    /// All three.
    pub const ALL: [Cost; 3] = [Cost::Volume, Cost::Surface, Cost::Diameter];

    /// A number that orders boxes as the cost does and never falls when a box grows, rounding included: the
    /// volume, half the surface, the square of the diagonal. Zero for what is empty.
    #[inline(always)]
    pub fn box_cost(self, b: &AlignedBox) -> f64 {
        let s = b.size();
        let positive = |x: f64| if x > 0.0 { x } else { 0.0 };
        let (x, y, z) = (positive(s.x), positive(s.y), positive(s.z));
        let cost = match self {
            // An edge without end times one without width is NaN; it costs nothing as any flat box.
            Cost::Volume if x == 0.0 || y == 0.0 || z == 0.0 => 0.0,
            Cost::Volume => x * y * z,
            Cost::Surface => x * y + y * z + z * x,
            Cost::Diameter => squared_diagonal(b),
        };
        if cost >= 0.0 { cost } else { f64::INFINITY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::bounds::hierarchy::agglomerate_boxes;
    use elbowroom::math::vec3;

    #[test]
    fn costs_are_what_they_are_called() {
        let b = AlignedBox { low: vec3(1.0, 1.0, 1.0), high: vec3(3.0, 4.0, 7.0) };
        assert_eq!([Cost::Volume, Cost::Surface, Cost::Diameter].map(|c| c.box_cost(&b)), [36.0, 36.0, 49.0]);
        assert_eq!(Cost::ALL.map(|c| c.box_cost(&AlignedBox::EMPTY)), [0.0; 3]);
        let endless = AlignedBox { low: vec3(0.0, 0.0, 0.0), high: vec3(f64::INFINITY, 0.0, 1.0) };
        assert_eq!(Cost::ALL.map(|c| c.box_cost(&endless)), [0.0, f64::INFINITY, f64::INFINITY]);
        // Two close pairs and one far: by hand.
        let at = |x: f64| AlignedBox { low: vec3(x - 0.1, -0.1, -0.1), high: vec3(x + 0.1, 0.1, 0.1) };
        let boxes = [at(0.0), at(5.0), at(0.3), at(5.2), at(20.0)];
        for cost in Cost::ALL {
            let tree = agglomerate_boxes(&boxes, |b| cost.box_cost(b)).unwrap();
            assert_eq!(tree.joins(), [[1, 3], [0, 2], [6, 5], [7, 4]].as_slice(), "{cost:?}");
        }
    }
}
