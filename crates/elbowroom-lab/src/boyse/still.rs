//! Solids that stand still: whether they overlap.

use super::feature::edge_pierces_face;
use super::polyhedron::Polyhedron;
use crate::limits::BOYSE_ROUNDING;
use elbowroom::math::Vec3;
use std::f64::consts::PI;

/// What rounding can do to a point of two solids in one frame (metres).
pub fn frame_rounding(a: &Polyhedron, b: &Polyhedron) -> f64 {
    BOYSE_ROUNDING * a.largest_coordinate().max(b.largest_coordinate())
}

/// Whether two solids certainly overlap: an edge of the one goes through a face of the other, or a corner or
/// the middle of a face of the one is inside of the other. Each by more than rounding; what only touches does
/// not.
pub fn solids_overlap(a: &Polyhedron, b: &Polyhedron) -> bool {
    let tolerance = frame_rounding(a, b);
    let [around_a, around_b] = [a, b].map(|solid| {
        let used = solid.faces.iter().flatten().map(|i| solid.corners[*i as usize]);
        PointBounds::from_points(used)
    });
    let Some(common) = around_a.intersect_with(&around_b) else { return false };
    any_edge_pierces(a, b, &common, tolerance)
        || any_edge_pierces(b, a, &common, tolerance)
        || partly_within(a, b, &common, tolerance)
        || partly_within(b, a, &common, tolerance)
}

/// A box around points.
#[derive(Clone, Copy)]
struct PointBounds {
    least: Vec3,
    most: Vec3,
}

impl PointBounds {
    fn from_points(points: impl Iterator<Item = Vec3>) -> PointBounds {
        let far = Vec3 { x: f64::INFINITY, y: f64::INFINITY, z: f64::INFINITY };
        points.fold(PointBounds { least: far, most: -far }, |e, p| PointBounds {
            least: e.least.min(p),
            most: e.most.max(p),
        })
    }

    fn intersect_with(&self, other: &PointBounds) -> Option<PointBounds> {
        let (least, most) = (self.least.max(other.least), self.most.min(other.most));
        (least.x <= most.x && least.y <= most.y && least.z <= most.z).then_some(PointBounds { least, most })
    }
}

/// Whether an edge of one solid goes through a face of the other, where both are.
fn any_edge_pierces(edges: &Polyhedron, faces: &Polyhedron, common: &PointBounds, tolerance: f64) -> bool {
    let edges = edges.edges.iter().map(|edge| edges.edge_ends(*edge));
    let edges = edges.map(|edge| (edge, PointBounds::from_points(edge.into_iter())));
    let edges: Vec<_> = edges.filter(|(_, around)| around.intersect_with(common).is_some()).collect();
    faces.faces(tolerance).any(|face| {
        let here = PointBounds::from_points(face.corners.into_iter()).intersect_with(common);
        here.is_some_and(|here| {
            edges.iter().any(|(edge, around)| {
                around.intersect_with(&here).is_some() && edge_pierces_face(*edge, &face, tolerance)
            })
        })
    })
}

/// Whether a corner or the middle of a face of one solid is inside of the other. Each is looked at: a surface
/// may have several pieces.
fn partly_within(one: &Polyhedron, other: &Polyhedron, common: &PointBounds, tolerance: f64) -> bool {
    one.faces.iter().any(|face| {
        let corners = face.map(|i| one.corners[i as usize]);
        let middle = (corners[0] + corners[1] + corners[2]) * (1.0 / 3.0);
        [corners[0], corners[1], corners[2], middle].into_iter().any(|p| {
            p.min(common.least) == common.least
                && p.max(common.most) == common.most
                && contains(other, p)
                && other.faces(tolerance).all(|face| face.distance_to_point(p) > tolerance)
        })
    })
}

/// Whether a solid contains a point that does not lie on its surface: how often the surface goes round the
/// point, by the solid angles of its faces (Van Oosterom and Strackee, 1983).
pub fn contains(solid: &Polyhedron, p: Vec3) -> bool {
    let angle = |face: &[u32; 3]| {
        let [a, b, c] = face.map(|i| solid.corners[i as usize] - p);
        let [x, y, z] = [a, b, c].map(Vec3::norm);
        let below = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
        2.0 * a.dot(b.cross(c)).atan2(below)
    };
    let sum: f64 = solid.faces.iter().map(angle).sum();
    (sum / (4.0 * PI)).abs() > 0.5
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::math::vec3;

    fn cube(at: Vec3, size: f64) -> Polyhedron {
        Polyhedron::from_box(at, at + vec3(size, size, size)).unwrap()
    }

    #[test]
    fn cubes_interfere_where_they_overlap() {
        let one = cube(Vec3::ZERO, 1.0);
        assert_eq!((one.faces.len(), one.edges.len()), (12, 18));
        for (at, expected) in [
            (vec3(0.5, 0.5, 0.5), true),
            (vec3(0.999, 0.999, 0.999), true),
            (vec3(1.001, 0.0, 0.0), false),
            // Touching faces, edges and corners do not certainly overlap.
            (vec3(1.0, 0.2, 0.3), false),
            (vec3(1.0, 1.0, 0.3), false),
            (vec3(1.0, 1.0, 1.0), false),
        ] {
            assert_eq!(solids_overlap(&one, &cube(at, 1.0)), expected, "{at:?}");
            assert_eq!(solids_overlap(&cube(at, 1.0), &one), expected, "{at:?}");
        }
        // One in the other, and two that share their sides: no edge goes through a face.
        let small = cube(vec3(0.4, 0.4, 0.4), 0.2);
        assert!(solids_overlap(&one, &small) && solids_overlap(&small, &one));
        assert!(solids_overlap(&one, &cube(vec3(0.5, 0.0, 0.0), 1.0)));
        assert!(contains(&one, small.corners[0]) && !contains(&small, one.corners[0]));
    }
}
