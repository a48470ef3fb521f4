//! Whether triangles have an area.
//!
//! A mesh whose triangles are all segments and points, by equal or collinear corners, comes from a flattened
//! export and is refused. Beside a triangle with an area such triangles are accepted as segments and points.

use crate::shape::tolerance::{NO_AREA, TINY_COORDINATE};
use crate::shape::triangle::Triangle;
use elbowroom_describe::math::Vec3;

/// Whether some triangle has an area: its corners are farther from a line than the rounding of their
/// coordinates. The unit does not matter.
pub fn have_area(triangles: impl IntoIterator<Item = Triangle>) -> bool {
    triangles
        .into_iter()
        .any(|t| triangle_height(&t) > NO_AREA * t.iter().fold(0.0, |m: f64, p| m.max(p.max_abs())))
}

/// Height of a triangle over its longest side; zero if that is shorter than [`TINY_COORDINATE`], NaN or
/// infinite if a corner is.
fn triangle_height(&[a, b, c]: &Triangle) -> f64 {
    let (u, v) = (b - a, c - a);
    let size = u.max_abs().max(v.max_abs());
    if size < TINY_COORDINATE {
        return 0.0;
    }
    // Scaled to size one, so that the products neither overflow nor underflow.
    let over = |v: Vec3| Vec3 { x: v.x / size, y: v.y / size, z: v.z / size };
    let (u, v) = (over(u), over(v));
    let longest = u.norm().max(v.norm()).max((v - u).norm());
    size * (u.cross(v).norm() / longest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom_describe::math::vec3;

    #[test]
    fn lines_and_points_have_none_in_any_unit() {
        let at = |t: f64| vec3(0.1, 0.7, -0.3) + vec3(0.3, 0.1, 0.7) * t;
        for unit in [1e-30, 1e-3, 1.0, 1e9, 1e300] {
            // Collinear but for the rounding of each coordinate.
            for [a, b, c] in [[0.0, 1.0, 2.0], [0.1, 0.2, 0.7], [3.0, 0.3, 0.7], [1.0, 1.0, 2.0], [1.0; 3]] {
                assert!(!have_area([[at(a) * unit, at(b) * unit, at(c) * unit]]), "{unit} {a} {b} {c}");
            }
            // A thousandth of a millionth of their size to the side, beside one that has none.
            let thin = [at(0.0), at(1.0), at(2.0) + vec3(0.0, 1e-9, 0.0)].map(|p| p * unit);
            assert!(have_area([[at(0.0) * unit; 3], thin]), "{unit}");
        }
        // Flattened by a scale.
        assert!(!have_area([[vec3(0.0, 0.0, 0.0), vec3(1e-300, 1.0, 0.0), vec3(0.0, 2.0, 0.0)]]));
        assert!(!have_area([]));
    }
}
