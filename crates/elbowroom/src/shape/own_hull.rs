//! Which meshes are their own hulls. Then the body is convex, and all that is asked of it is exact.

use crate::numeric::math::Vec3;
use crate::shape::hull::Hull;
use crate::shape::tolerance::MOST_RIM;
use alloc::vec::Vec;
use robust::{Coord, Coord3D, orient2d, orient3d};

/// Whether a closed mesh is proved to be the surface of its hull. Then the solid is the hull, and the hull's
/// depth is exact.
///
/// Every triangle lies exactly in the plane of a facet, and so in the facet, since the hull contains its
/// corners. A closed surface within the hull's surface that encloses a volume covers the hull's surface. A
/// false negative costs only speed.
pub(super) fn encloses(hull: &Hull, points: &[Vec3], triangles: &[[u32; 3]]) -> bool {
    let corners: Vec<Vec3> = hull.vertices().collect();
    // A point inside; the ball's centre may be on a face.
    let middle = corners.iter().fold(Vec3::ZERO, |sum, &v| sum + v) * (1.0 / corners.len() as f64);
    let volume = |[a, b, c]: [Vec3; 3]| (a - middle).dot((b - middle).cross(c - middle));
    let mut faces_at = alloc::vec![Vec::new(); corners.len()];
    let mut hull_volume = 0.0;
    for face in hull.faces() {
        hull_volume += volume(face.map(|k| corners[k as usize]));
        for k in face {
            faces_at[k as usize].push(face);
        }
    }
    let coordinates = |v: Vec3| Coord3D { x: v.x, y: v.y, z: v.z };
    let (mut mesh_volume, mut at) = (0.0, 0);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|k| points[k as usize]);
        mesh_volume += volume([a, b, c]);
        let normal = (b - a).cross(c - a);
        if normal == Vec3::ZERO {
            continue;
        }
        // Outward, whatever the winding.
        let outward = if normal.dot(a - middle) < 0.0 { -normal } else { normal };
        at = hull.climb(at, outward);
        let in_face = faces_at[at as usize].iter().any(|face| {
            let [p, q, r] = face.map(|k| coordinates(corners[k as usize]));
            [a, b, c].iter().all(|x| orient3d(p, q, r, coordinates(*x)) == 0.0)
        });
        if !in_face {
            return false;
        }
    }
    mesh_volume.abs() > 0.5 * hull_volume
}

/// Whether triangles that lie exactly in one plane are proved to cover their hull, a polygon: no less of the
/// body is there than its hull has.
///
/// All are seen from one side and wound to the left. An edge that no neighbour has in the other direction is
/// at the rim, and all corners must lie to the left of it. Then the rim is on the polygon's boundary, and
/// winds around all points within equally often. That is at least once, since a triangle covers some of them.
pub(super) fn covers(points: &[Vec3], triangles: &[[u32; 3]]) -> bool {
    let corners = |t: &[u32; 3]| t.map(|k| points[k as usize]);
    let normal = |t: &[u32; 3]| {
        let [a, b, c] = corners(t);
        (b - a).cross(c - a)
    };
    let largest =
        triangles.iter().max_by(|s, t| normal(s).norm_squared().total_cmp(&normal(t).norm_squared()));
    let Some(first) = largest else { return false };
    let solid = |v: Vec3| Coord3D { x: v.x, y: v.y, z: v.z };
    let [p, q, r] = corners(first).map(solid);
    let used = || triangles.iter().flatten().map(|k| points[*k as usize]);
    if used().any(|x| orient3d(p, q, r, solid(x)) != 0.0) {
        return false;
    }
    // Seen along the axis that the plane is most across to.
    let n = normal(first).abs();
    let seen = |v: Vec3| match n.max_abs() {
        most if most == n.x => Coord { x: v.y, y: v.z },
        most if most == n.y => Coord { x: v.z, y: v.x },
        _ => Coord { x: v.x, y: v.y },
    };
    let left = |[a, b, c]: [Vec3; 3]| orient2d(seen(a), seen(b), seen(c));
    // A corner by its coordinates: files repeat corners. There is one zero.
    let key = |k: u32| points[k as usize].to_array().map(|x| (x + 0.0).to_bits());
    let mut edges = Vec::with_capacity(3 * triangles.len());
    for triangle in triangles {
        let [a, b, c] = triangle.map(key);
        let turn = left(corners(triangle));
        if turn != 0.0 {
            let [b, c] = if turn > 0.0 { [b, c] } else { [c, b] };
            edges.extend([[a, b], [b, c], [c, a]]);
        }
    }
    edges.sort_unstable();
    // Of edges in both directions, as many cancel as there are of the rarer.
    let count = |edge: &[[u64; 3]; 2]| {
        edges.partition_point(|other| other <= edge) - edges.partition_point(|other| other < edge)
    };
    let at_rim = |edge: &[[u64; 3]; 2]| count(edge) > count(&[edge[1], edge[0]]);
    let corner = |key: [u64; 3]| Vec3::from(key.map(f64::from_bits));
    let rim: Vec<[Vec3; 2]> = edges.iter().filter(|e| at_rim(e)).map(|e| e.map(corner)).collect();
    (1..=MOST_RIM).contains(&rim.len()) && rim.iter().all(|[a, b]| used().all(|x| left([*a, *b, x]) >= 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::math::{Mat3, vec3};

    #[test]
    fn what_covers_its_polygon_is_told_from_what_does_not() {
        let at = |x: f64, y: f64| vec3(x, y, 0.25);
        let square = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0), at(0.25, 0.5)];
        for (name, triangles, is) in [
            ("a triangle", &[[0, 1, 2]][..], true),
            ("a square", &[[0, 1, 2], [0, 2, 3]], true),
            ("wound either way", &[[0, 1, 2], [0, 3, 2]], true),
            ("around a corner inside", &[[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]], true),
            ("one of these missing", &[[0, 1, 4], [1, 2, 4], [2, 3, 4]], false),
            ("two that overlap", &[[0, 1, 2], [0, 1, 3]], false),
            ("an edge that sticks out", &[[0, 1, 4], [3, 2, 2]], false),
            ("no area", &[[0, 1, 1]], false),
        ] {
            assert_eq!(covers(&square, triangles), is, "{name}");
        }
        // Corners that are repeated, and a plane that floats do not hit: a triangle always lies in its own.
        let repeated = [square[0], square[1], square[2], square[0], square[2], square[3]];
        assert!(covers(&repeated, &[[0, 1, 2], [3, 4, 5]]));
        let turn = Mat3::from_rpy(0.3, 0.7, 1.1);
        assert!(covers(&square.map(|v| turn * v), &[[0, 1, 2]]));
        let bent = [square[0], square[1], square[2], vec3(0.0, 1.0, 0.250_001)];
        assert!(!covers(&bent, &[[0, 1, 2], [0, 2, 3]]));
    }
}
