//! A table that bounds a sublinear function of directions from above. Sublinear means convex, and `f(s v) = s
//! f(v)` for `s > 0`: the support function of a body, or the gauge of a point in it.
//!
//! The table holds values on a grid over the faces of a cube. A direction is scaled to the cube and is then
//! the mean of four nodes of the grid, with bilinear weights. Because the function is convex, the mean of the
//! four values with the same weights is a bound from above. Its error is of the order of the square of the
//! grid's width where the function is smooth, and a fraction of a cell where it has a kink.

use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;
use elbowroom_pair::numeric::simd::Lanes;

/// Adding and subtracting this rounds to a whole number.
const WHOLE_F32: f32 = 12_582_912.0;

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

    /// The direction of a node.
    pub fn node_direction(i: usize) -> Vec3 {
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
    pub fn raise_value(&mut self, i: usize, value: f64) {
        let above = value as f32;
        let above = if f64::from(above) >= value { above } else { above.next_up() };
        let node = &mut self.nodes[i];
        *node = if value.is_nan() { f32::INFINITY } else { node.max(above) };
    }

    /// A bound on the function for a direction (not zero), and the gradient of that bound.
    #[inline]
    pub fn bound_along(&self, v: Vec3) -> (f64, Vec3) {
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

    /// The bound along a direction and its gradient, both in the order of a face's axes ([`AXES`]). The first
    /// coordinate, along `axis`, is the largest.
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

    /// [`CubeTable::bound_along`] for eight directions in f32. `tolerance::CUBE_ROUNDING_F32` says how far
    /// the value may be below the bound; the gradient bounds nothing.
    ///
    /// A direction on the edge of a cell may be taken for one of the cell beside it. It is then a corner or
    /// an edge of that cell, and the weights are still between 0 and 1.
    #[inline(always)]
    pub fn bound_along8<L: Lanes>(&self, l: L, [x, y, z]: [L::E; 3]) -> (L::E, [L::E; 3]) {
        let zero = l.splat8(0.0);
        let [ax, ay, az] = [l.sub8(zero, x), l.sub8(zero, y), l.sub8(zero, z)];
        let (ax, ay, az) = (l.max8(x, ax), l.max8(y, ay), l.max8(z, az));
        // Which coordinate is the largest: z, or else x, or else y.
        let (is_z, is_x) = (l.sub8(az, l.max8(ax, ay)), l.sub8(ax, ay));
        let normal = l.positive8(is_z, z, l.positive8(is_x, x, y));
        let u = l.positive8(is_z, x, l.positive8(is_x, y, z));
        let w = l.positive8(is_z, y, l.positive8(is_x, z, x));
        let largest = l.max8(normal, l.sub8(zero, normal));
        let (along_u, along_w) = (l.div8(u, largest), l.div8(w, largest));
        let half = l.splat8(0.5 * CELLS as f32);
        let one = l.splat8(1.0);
        let x = l.mul8(l.add8(along_u, one), half);
        let y = l.mul8(l.add8(along_w, one), half);
        let (column, row) = (Self::cell_index8(l, x), Self::cell_index8(l, y));
        let (x, y) = (l.sub8(x, column), l.sub8(y, row));
        let face = l.positive8(is_z, l.splat8(4.0), l.positive8(is_x, zero, l.splat8(2.0)));
        let face = l.add8(face, l.positive8(normal, zero, one));
        let edge = l.splat8(Self::EDGE as f32);
        let first = l.add8(l.mul8(l.add8(l.mul8(face, edge), row), edge), column);
        let [a, b] = l.gather_two8(&self.nodes, l.to_indices8(first));
        let [c, d] = l.gather_two8(&self.nodes, l.to_indices8(l.add8(first, edge)));
        let (ab, cd) = (l.sub8(b, a), l.sub8(d, c));
        let (below, above) = (l.add8(a, l.mul8(ab, x)), l.add8(c, l.mul8(cd, x)));
        let rise = l.sub8(above, below);
        let mean = l.add8(below, l.mul8(rise, y));
        let slope_w = l.mul8(half, rise);
        let slope_u = l.mul8(half, l.add8(l.mul8(ab, l.sub8(one, y)), l.mul8(cd, y)));
        let slope = l.sub8(l.sub8(mean, l.mul8(along_u, slope_u)), l.mul8(along_w, slope_w));
        let slope = l.positive8(normal, slope, l.sub8(zero, slope));
        let gradient = [
            l.positive8(is_z, slope_u, l.positive8(is_x, slope, slope_w)),
            l.positive8(is_z, slope_w, l.positive8(is_x, slope_u, slope)),
            l.positive8(is_z, slope, l.positive8(is_x, slope_w, slope_u)),
        ];
        (l.mul8(mean, largest), gradient)
    }

    /// The cell of a place on an edge of the cube, 0 to `CELLS`: half is taken off and the rest rounded, so
    /// the place is in the cell, or on its end. NaN becomes the first cell.
    #[inline(always)]
    fn cell_index8<L: Lanes>(l: L, x: L::E) -> L::E {
        let whole = l.splat8(WHOLE_F32);
        let cell = l.sub8(l.add8(l.sub8(x, l.splat8(0.5)), whole), whole);
        l.min8(l.max8(cell, l.splat8(0.0)), l.splat8((CELLS - 1) as f32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::tolerance::CUBE_ROUNDING_F32;
    use crate::rng::Rng;
    use core::array::from_fn;
    use elbowroom_describe::math::vec3;
    use elbowroom_pair::numeric::simd::{Kernel, Plain, dispatch_kernel};

    #[test]
    fn a_linear_function_is_reproduced() {
        let rng = &mut Rng::new(2);
        let p = vec3(0.3, -0.7, 0.2);
        let mut table = CubeTable::<16>::new();
        for i in 0..CubeTable::<16>::LEN {
            table.raise_value(i, p.dot(CubeTable::<16>::node_direction(i)));
        }
        for _ in 0..1000 {
            let v = rng.direction();
            let (value, slope) = table.bound_along(v);
            assert!((value - p.dot(v)).abs() < 1e-6 && (slope - p).norm() < 1e-5, "{value} {slope:?}");
        }
    }

    struct Eight<'a>(&'a CubeTable<16>, [[f32; 8]; 3]);
    impl Kernel for Eight<'_> {
        type Output = [[f32; 8]; 4];
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> [[f32; 8]; 4] {
            let [x, y, z] = &self.1;
            let (value, [u, v, w]) = self.0.bound_along8(l, [l.load8(x), l.load8(y), l.load8(z)]);
            [l.to_array8(value), l.to_array8(u), l.to_array8(v), l.to_array8(w)]
        }
    }

    #[test]
    fn lanes_are_as_far_below_as_they_may_be() {
        let rng = &mut Rng::new(6);
        let (mut most, mut edges) = (0.0_f64, 0);
        for _ in 0..50 {
            // The heights of some points, none farther away than the reach.
            let reach = rng.decades(-3.0, 3.0);
            let points: Vec<Vec3> = (0..20).map(|_| rng.direction() * (reach * rng.unit())).collect();
            let height = |v: Vec3| points.iter().fold(f64::NEG_INFINITY, |h, p| h.max(p.dot(v)));
            let mut table = CubeTable::<16>::new();
            for i in 0..CubeTable::<16>::LEN {
                table.raise_value(i, height(CubeTable::<16>::node_direction(i)));
            }
            for _ in 0..200 {
                // Also on the edges of cells and of faces.
                let on_edge = rng.chance(0.3);
                let v: [[f32; 8]; 3] = from_fn(|_| {
                    from_fn(|_| {
                        if on_edge { rng.below(17) as f32 / 8.0 - 1.0 } else { rng.range(-1.0, 1.0) as f32 }
                    })
                });
                let got = dispatch_kernel(Eight(&table, v));
                assert_eq!(
                    got.map(|g| g.map(f32::to_bits)),
                    Eight(&table, v).run(Plain).map(|g| g.map(f32::to_bits))
                );
                for k in 0..8 {
                    let v = vec3(f64::from(v[0][k]), f64::from(v[1][k]), f64::from(v[2][k]));
                    if v == Vec3::ZERO {
                        continue;
                    }
                    let error = (height(v) - f64::from(got[0][k])) / (reach * v.max_abs());
                    most = most.max(error);
                    edges += usize::from(on_edge);
                    let (value, slope) = table.bound_along(v);
                    assert!(
                        (value - f64::from(got[0][k])).abs() <= 2.0 * CUBE_ROUNDING_F32 * reach * v.max_abs()
                    );
                    // On an edge the slope is that of either side.
                    let own = vec3(f64::from(got[1][k]), f64::from(got[2][k]), f64::from(got[3][k]));
                    assert!(on_edge || (own - slope).norm() < 0.3 * reach, "{own:?} {slope:?}");
                }
            }
        }
        assert!(most <= CUBE_ROUNDING_F32 && edges > 1000, "{most:e} {edges}");
        let nan = dispatch_kernel(Eight(&CubeTable::new(), [[f32::NAN; 8], [0.0; 8], [f32::INFINITY; 8]]));
        assert!(nan[0].iter().all(|value| value.is_nan()));
    }
}
