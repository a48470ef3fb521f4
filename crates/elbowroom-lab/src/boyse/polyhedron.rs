//! A solid as corners, triangular faces and edges.

use super::feature::Face;
use elbowroom::math::{Transform, Vec3};
use elbowroom::pair::shape::hull::Hull;

/// The boundary of a solid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polyhedron {
    /// Corners (metres).
    pub corners: Vec<Vec3>,
    /// Triangles: three numbers of corners each. Faces of more corners are cut into triangles.
    pub faces: Vec<[u32; 3]>,
    /// Two numbers of corners each, the smaller first. Edges between triangles of one plane are among them.
    pub edges: Vec<[u32; 2]>,
    /// Of each side of each face, the third corner of the face behind it; `None` unless there is exactly one.
    behind: Vec<[Option<u32>; 3]>,
}

impl Polyhedron {
    /// From triangles. Corners that lie in one place are one, triangles without area are left out.
    /// `None` if a triangle names a corner that is not there, or a number is not finite.
    pub fn new(corners: &[Vec3], triangles: &[[u32; 3]]) -> Option<Polyhedron> {
        if !corners.iter().all(|c| c.is_finite()) {
            return None;
        }
        // Corners by their place; a zero has one sign.
        let key = |v: Vec3| (v + Vec3::ZERO).to_array().map(f64::to_bits);
        let mut order: Vec<u32> = (0..corners.len() as u32).collect();
        order.sort_by_key(|i| (key(corners[*i as usize]), *i));
        let mut known = vec![0; corners.len()];
        let mut first = None;
        for i in order {
            let at = key(corners[i as usize]);
            match first {
                Some((place, of)) if place == at => known[i as usize] = of,
                Some(_) | None => {
                    first = Some((at, i));
                    known[i as usize] = i;
                }
            }
        }
        let mut solid = Polyhedron { corners: corners.to_vec(), ..Polyhedron::default() };
        for triangle in triangles {
            if triangle.iter().any(|i| *i as usize >= corners.len()) {
                return None;
            }
            let face = triangle.map(|i| known[i as usize]);
            let [a, b, c] = face.map(|i| corners[i as usize]);
            if (b - a).cross(c - a).norm_squared() > 0.0 {
                solid.faces.push(face);
            }
        }
        // Sides with the corner opposite to them, face and place in it; those of one edge together.
        let mut sides: Vec<([u32; 2], u32, usize, usize)> = Vec::new();
        for (i, face) in solid.faces.iter().enumerate() {
            for k in 0..3 {
                let [a, b, c] = [k, k + 1, k + 2].map(|k| face[k % 3]);
                sides.push(([a.min(b), a.max(b)], c, i, k));
            }
        }
        sides.sort_unstable();
        solid.behind = vec![[None; 3]; solid.faces.len()];
        for group in sides.chunk_by(|a, b| a.0 == b.0) {
            solid.edges.push(group[0].0);
            if let [one, other] = group {
                solid.behind[one.2][one.3] = Some(other.1);
                solid.behind[other.2][other.3] = Some(one.1);
            }
        }
        Some(solid)
    }

    /// The faces of a convex hull.
    pub fn of_hull(hull: &Hull) -> Option<Polyhedron> {
        let corners: Vec<Vec3> = hull.vertices().collect();
        let faces: Vec<[u32; 3]> = hull.faces().collect();
        Polyhedron::new(&corners, &faces)
    }

    /// A box by its least and its greatest corner.
    pub fn from_box(least: Vec3, most: Vec3) -> Option<Polyhedron> {
        let pick = |bit: bool, low: f64, high: f64| if bit { high } else { low };
        let corner = |i: u32| {
            let [x, y, z] = [i & 1 != 0, i & 2 != 0, i & 4 != 0];
            Vec3 { x: pick(x, least.x, most.x), y: pick(y, least.y, most.y), z: pick(z, least.z, most.z) }
        };
        let corners: Vec<Vec3> = (0..8).map(corner).collect();
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let faces: Vec<[u32; 3]> =
            sides.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
        Polyhedron::new(&corners, &faces)
    }

    /// Somewhere else.
    pub fn transformed_by(&self, to: &Transform) -> Polyhedron {
        self.map_corners(|c| to.point(c))
    }

    /// The polyhedron with these faces, and each corner where `place` puts it.
    pub(super) fn map_corners(&self, place: impl Fn(Vec3) -> Vec3) -> Polyhedron {
        Polyhedron { corners: self.corners.iter().map(|c| place(*c)).collect(), ..self.clone() }
    }

    /// The faces, each with what lies behind its sides in its plane. `flat` is how far a corner may lie from
    /// a plane that it is in (metres).
    pub(super) fn faces(&self, flat: f64) -> impl Iterator<Item = Face> {
        let corner = |i: u32| self.corners[i as usize];
        self.faces.iter().zip(&self.behind).filter_map(move |(face, behind)| {
            Face::new(face.map(corner), behind.map(|i| i.map(corner)), flat)
        })
    }

    /// The ends of an edge.
    pub(super) fn edge_ends(&self, edge: [u32; 2]) -> [Vec3; 2] {
        edge.map(|i| self.corners[i as usize])
    }

    /// The longest edge (metres).
    pub(super) fn longest_edge(&self) -> f64 {
        self.edges.iter().map(|e| self.edge_ends(*e)).fold(0.0, |most, [a, b]| most.max((b - a).norm()))
    }

    /// The greatest coordinate (metres).
    pub(super) fn largest_coordinate(&self) -> f64 {
        self.corners.iter().fold(0.0, |most, c| most.max(c.max_abs()))
    }
}
