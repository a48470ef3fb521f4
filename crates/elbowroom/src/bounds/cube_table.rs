//! A table that bounds a sublinear function of directions from above. Sublinear means convex, and `f(s v) = s
//! f(v)` for `s > 0`: the support function of a body, or the gauge of a point in it.
//!
//! The table holds values on a grid over the faces of a cube. A direction is scaled to the cube and is then
//! the mean of four nodes of the grid, with bilinear weights. Because the function is convex, the mean of the
//! four values with the same weights is a bound from above. Its error is of the order of the square of the
//! grid's width where the function is smooth, and a fraction of a cell where it has a kink.

use crate::numeric::math::Vec3;
use alloc::vec;
use alloc::vec::Vec;

/// `CELLS` cells along an edge of the cube.
#[derive(Clone, Debug)]
pub(crate) struct CubeTable<const CELLS: usize> {
    /// Values for directions whose largest coordinate is 1: face by face (x, -x, y, -y, z, -z), row by row.
    nodes: Vec<f32>,
}

/// The axes of a face: its normal, and the two along it.
const AXES: [[usize; 3]; 3] = [[0, 1, 2], [1, 2, 0], [2, 0, 1]];

impl<const CELLS: usize> CubeTable<CELLS> {
    const EDGE: usize = CELLS + 1;
    /// Number of nodes.
    pub const LEN: usize = 6 * Self::EDGE * Self::EDGE;

    /// A table of minus infinity, below all functions.
    pub fn new() -> Self {
        CubeTable { nodes: vec![f32::NEG_INFINITY; Self::LEN] }
    }

    /// Bytes that it allocated.
    pub fn heap_bytes(&self) -> usize {
        crate::numeric::heap_bytes::heap_bytes(&self.nodes)
    }

    /// The direction of a node.
    pub fn node(i: usize) -> Vec3 {
        let (face, row, column) =
            (i / (Self::EDGE * Self::EDGE), i / Self::EDGE % Self::EDGE, i % Self::EDGE);
        let [normal, u, w] = AXES[face / 2];
        let at = |i: usize| 2.0 * i as f64 / CELLS as f64 - 1.0;
        let mut v = Vec3::ZERO;
        v[normal] = if face.is_multiple_of(2) { 1.0 } else { -1.0 };
        (v[u], v[w]) = (at(column), at(row));
        v
    }

    /// Raises the value of a node to at least `value`; NaN makes it infinite.
    pub fn raise(&mut self, i: usize, value: f64) {
        let above = value as f32;
        let above = if f64::from(above) >= value { above } else { above.next_up() };
        let node = &mut self.nodes[i];
        *node = if value.is_nan() { f32::INFINITY } else { node.max(above) };
    }

    /// A bound on the function for a direction (not zero), and the gradient of that bound.
    #[inline]
    pub fn evaluate(&self, v: Vec3) -> (f64, Vec3) {
        let (x, y, z) = (v.x.abs(), v.y.abs(), v.z.abs());
        // The orders of `AXES`, written out so that they are constants.
        if x >= y && x >= z {
            let (value, [x, y, z]) = self.on_face(0, [v.x, v.y, v.z]);
            (value, Vec3 { x, y, z })
        } else if y >= z {
            let (value, [y, z, x]) = self.on_face(1, [v.y, v.z, v.x]);
            (value, Vec3 { x, y, z })
        } else {
            let (value, [z, x, y]) = self.on_face(2, [v.z, v.x, v.y]);
            (value, Vec3 { x, y, z })
        }
    }

    /// The same for a direction given along the axes of a face, the largest coordinate first.
    #[inline]
    fn on_face(&self, axis: usize, [normal, u, w]: [f64; 3]) -> (f64, [f64; 3]) {
        let (largest, half) = (normal.abs(), 0.5 * CELLS as f64);
        let (along_u, along_w) = (u / largest, w / largest);
        let (x, y) = ((along_u + 1.0) * half, (along_w + 1.0) * half);
        // NaN becomes the first cell.
        let (column, row) = ((x as usize).min(CELLS - 1), (y as usize).min(CELLS - 1));
        let (x, y) = (x - column as f64, y - row as f64);
        let face = 2 * axis + usize::from(normal < 0.0);
        let first = (face * Self::EDGE + row) * Self::EDGE + column;
        let two = |i: usize| {
            let nodes = &self.nodes[i..i + 2];
            [f64::from(nodes[0]), f64::from(nodes[1])]
        };
        let (low, high) = (two(first), two(first + Self::EDGE));
        let (below, above) = (low[0] + (low[1] - low[0]) * x, high[0] + (high[1] - high[0]) * x);
        let mean = below + (above - below) * y;
        // Chosen so that the gradient times the direction is the value.
        let slope_w = half * (above - below);
        let slope_u = half * ((low[1] - low[0]) * (1.0 - y) + (high[1] - high[0]) * y);
        let slope = (mean - along_u * slope_u - along_w * slope_w) * if normal < 0.0 { -1.0 } else { 1.0 };
        (mean * largest, [slope, slope_u, slope_w])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::math::vec3;
    use crate::rng::Rng;

    #[test]
    fn a_linear_function_is_reproduced() {
        let rng = &mut Rng::new(2);
        let p = vec3(0.3, -0.7, 0.2);
        let mut table = CubeTable::<16>::new();
        for i in 0..CubeTable::<16>::LEN {
            table.raise(i, p.dot(CubeTable::<16>::node(i)));
        }
        for _ in 0..1000 {
            let v = rng.direction();
            let (value, slope) = table.evaluate(v);
            assert!((value - p.dot(v)).abs() < 1e-6 && (slope - p).norm() < 1e-5, "{value} {slope:?}");
        }
    }
}
