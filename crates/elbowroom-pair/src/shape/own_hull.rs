//! Meshes that are their own hulls: the body is convex, and every answer about it is exact. And meshes that
//! are convex but for the rounding of their files: their depth is that of their hulls, nearly exactly.

use crate::numeric::tolerance::{DETERMINANT_ROUNDING, NORM_ROUNDING};
use crate::shape::hull::{Hull, Rank};
use crate::shape::mesh::{Mesh, inside};
use crate::shape::tolerance::{HOLLOW_LOOKS, MOST_RIM, OWN_HULL_WITHIN};
use crate::shape::triangle::Triangle;
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;
use robust::{Coord, Coord3D, orient2d, orient3d};

/// Whether a closed mesh is proved to be the surface of its hull. Then the solid is the hull, and the hull's
/// depth is exact.
///
/// Every triangle lies exactly in the plane of a facet, and so in the facet, since the hull contains its
/// corners. A closed surface within the hull's surface that encloses a volume covers the hull's surface. A
/// false negative costs only speed.
pub(super) fn is_own_hull(hull: &Hull, points: &[Vec3], triangles: &[[u32; 3]]) -> bool {
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
        at = hull.climb_from(at, outward);
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

/// By how much the hull of a closed mesh extends beyond a convex body inside the mesh, at most (metres),
/// where that is little: [`OWN_HULL_WITHIN`] of the hull's size. `None` for other meshes.
///
/// The convex body is the hull made smaller about its middle by a share `e`. It lies behind each plane of the
/// hull by `e` times the middle's depth there. So a triangle whose corners are no deeper than that behind one
/// plane stays out of the body. If all do, and the seams of cracks, the body is inside the mesh as its middle
/// is, and no plane of the hull is farther from its own than `e` times the farthest corner from the middle.
pub(super) fn hollow_depth(hull: &Hull, mesh: &Mesh) -> Option<f64> {
    if hull.rank() != Rank::Solid || hull.defect() > 0.0 || !mesh.is_closed() {
        return None;
    }
    let corners: Vec<Vec3> = hull.vertices().collect();
    let middle = centroid(hull, &corners);
    let farthest = corners.iter().map(|v| (*v - middle).norm()).fold(0.0, f64::max);
    let size = farthest * (1.0 + NORM_ROUNDING);
    let planes: Vec<FacePlane> =
        hull.faces().map(|f| FacePlane::new(f.map(|k| corners[k as usize]), middle)).collect();
    let mut planes_at = alloc::vec![Vec::new(); corners.len()];
    for (plane, face) in (0_u32..).zip(hull.faces()) {
        face.iter().for_each(|k| planes_at[*k as usize].push(plane));
    }
    let (mut most, mut at, mut last) = (0.0_f64, 0, 0_u32);
    let mut looks = HOLLOW_LOOKS * (mesh.triangle_count() + planes.len());
    let mut share_of = |t: &Triangle| {
        let share = |plane: u32| (planes[plane as usize].depth_share(t), plane);
        let least = |a: (f64, u32), b: (f64, u32)| if b.0 < a.0 { b } else { a };
        // Neighbours often lie behind one plane; else behind one at the corner that is farthest out.
        let mut found = share(last);
        if !(found.0 <= most) {
            let normal = (t[1] - t[0]).cross(t[2] - t[0]);
            let outward = if normal.dot(t[0] - middle) < 0.0 { -normal } else { normal };
            at = hull.climb_from(at, outward);
            found = planes_at[at as usize].iter().map(|plane| share(*plane)).fold(found, least);
        }
        if !(found.0 <= OWN_HULL_WITHIN) && looks >= planes.len() {
            // A narrow triangle has no accurate normal, so the search along it may miss the plane: all planes
            // are tried. Work is bounded: with too many such triangles the mesh is left as not convex.
            looks -= planes.len();
            found = (0..planes.len() as u32).map(share).fold(found, least);
        }
        last = found.1;
        most = most.max(found.0);
        // NaN is not within.
        found.0 <= OWN_HULL_WITHIN
    };
    let seams = mesh.seams.iter().flat_map(|seams| &seams.triangles);
    let within = mesh.triangles.iter().chain(seams).all(&mut share_of);
    (within && inside::contains(mesh, middle) == Some(true)).then_some(most * size * (1.0 + NORM_ROUNDING))
}

/// A point well inside a hull: its centre of volume, nearly.
fn centroid(hull: &Hull, corners: &[Vec3]) -> Vec3 {
    let mean = corners.iter().fold(Vec3::ZERO, |sum, &v| sum + v) * (1.0 / corners.len() as f64);
    let (mut sum, mut volume) = (Vec3::ZERO, 0.0);
    for face in hull.faces() {
        let [a, b, c] = face.map(|k| corners[k as usize] - mean);
        let six = a.dot(b.cross(c));
        (sum, volume) = (sum + (a + b + c) * (0.25 * six), volume + six);
    }
    if volume > 0.0 { mean + sum * (1.0 / volume) } else { mean }
}

/// The plane of a hull's face; the normal is not of unit length.
struct FacePlane {
    normal: Vec3,
    /// Sums of the magnitudes of the products in each coordinate of the normal.
    bulk: Vec3,
    point: Vec3,
    /// A lower bound on the depth of the middle behind the plane, in units of the normal's length.
    middle: f64,
}

impl FacePlane {
    fn new([a, b, c]: [Vec3; 3], middle: Vec3) -> FacePlane {
        let (u, v) = (b - a, c - a);
        let (s, t) = (u.abs(), v.abs());
        let bulk = Vec3 { x: s.y * t.z + s.z * t.y, y: s.z * t.x + s.x * t.z, z: s.x * t.y + s.y * t.x };
        let plane = FacePlane { normal: u.cross(v), bulk, point: a, middle: 0.0 };
        let [depth, error] = plane.depth_and_rounding(middle);
        FacePlane { middle: depth - error, ..plane }
    }

    /// The depth of a point behind the plane, in units of the normal, and the rounding of that.
    fn depth_and_rounding(&self, p: Vec3) -> [f64; 2] {
        let w = self.point - p;
        [self.normal.dot(w), DETERMINANT_ROUNDING * self.bulk.dot(w.abs())]
    }

    /// The depth of a triangle's deepest corner, as a share of the middle's, rounded up; infinite where the
    /// middle is not proved to be behind the plane.
    fn depth_share(&self, triangle: &Triangle) -> f64 {
        if !(self.middle > 0.0) {
            return f64::INFINITY;
        }
        let deep = |p: &Vec3| {
            let [depth, error] = self.depth_and_rounding(*p);
            depth + error
        };
        triangle.iter().map(deep).fold(0.0, f64::max) / self.middle * (1.0 + NORM_ROUNDING)
    }
}

/// Whether triangles that lie exactly in one plane are proved to cover their hull, a polygon: no less of the
/// body is there than its hull has.
///
/// All are seen from one side and wound to the left. An edge that no neighbour has in the other direction is
/// at the rim, and all corners must lie to the left of it. Then the rim is on the polygon's boundary, and
/// winds around all points within equally often. That is at least once, since a triangle covers some of them.
pub(super) fn covers_hull(points: &[Vec3], triangles: &[[u32; 3]]) -> bool {
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
    use elbowroom_describe::math::{Mat3, vec3};

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
            assert_eq!(covers_hull(&square, triangles), is, "{name}");
        }
        // Corners that are repeated, and a plane that floats do not hit: a triangle always lies in its own.
        let repeated = [square[0], square[1], square[2], square[0], square[2], square[3]];
        assert!(covers_hull(&repeated, &[[0, 1, 2], [3, 4, 5]]));
        let turn = Mat3::from_rpy(0.3, 0.7, 1.1);
        assert!(covers_hull(&square.map(|v| turn * v), &[[0, 1, 2]]));
        let bent = [square[0], square[1], square[2], vec3(0.0, 1.0, 0.250_001)];
        assert!(!covers_hull(&bent, &[[0, 1, 2], [0, 2, 3]]));
    }
}
