//! A surface of triangles that closes: every edge has one triangle on each side, wound alike and outwards.

use crate::shape::hull::{Hull, Rank};
use crate::shape::triangle::Triangle;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use elbowroom_describe::fault::PadFault;
use elbowroom_describe::math::Vec3;

/// The surface, its equal vertices merged.
#[derive(Clone, Debug)]
pub(super) struct ClosedSurface {
    pub points: Vec<Vec3>,
    /// Counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// By triangle its unit normal; `None` where it has no area.
    pub normals: Vec<Option<Vec3>>,
    /// By point, the triangles that have it as a corner.
    pub around: Vec<Vec<u32>>,
}

impl ClosedSurface {
    /// The surface of the hull of points.
    pub fn of_hull(vertices: &[[f64; 3]]) -> Result<ClosedSurface, PadFault> {
        let points: Vec<Vec3> = vertices.iter().map(|v| Vec3::from(*v)).collect();
        match Hull::from_points(&points) {
            Ok(hull) if hull.rank() == Rank::Solid => ClosedSurface::of_points(
                &hull.vertices().collect::<Vec<_>>(),
                &hull.faces().collect::<Vec<_>>(),
            ),
            _ => Err(PadFault::Kind { kind: "convex shape without volume" }),
        }
    }

    /// The surface of a mesh; a fault if it does not close.
    pub fn of_mesh(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<ClosedSurface, PadFault> {
        let points: Vec<Vec3> = vertices.iter().map(|v| Vec3::from(*v)).collect();
        ClosedSurface::of_points(&points, triangles)
    }

    fn of_points(given: &[Vec3], triangles: &[[u32; 3]]) -> Result<ClosedSurface, PadFault> {
        let mut numbers = BTreeMap::new();
        let mut points = Vec::new();
        // Adding zero makes the two zeros one.
        let bits = |p: Vec3| p.to_array().map(|x| (x + 0.0).to_bits());
        let merged: Vec<u32> = given
            .iter()
            .map(|p| {
                *numbers.entry(bits(*p)).or_insert_with(|| {
                    points.push(*p);
                    points.len() as u32 - 1
                })
            })
            .collect();
        let mut triangles: Vec<[u32; 3]> = triangles
            .iter()
            .map(|t| t.map(|k| merged[k as usize]))
            // A triangle with two equal corners has no area.
            .filter(|[a, b, c]| a != b && b != c && c != a)
            .collect();
        let open = open_edges(&triangles);
        if open > 0 || triangles.is_empty() {
            return Err(PadFault::OpenMesh { edges: open });
        }
        let volume: f64 = triangles
            .iter()
            .map(|t| t.map(|k| points[k as usize] - points[0]))
            .map(|[a, b, c]| a.dot(b.cross(c)))
            .sum();
        if volume < 0.0 {
            triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        let corners = |t: &[u32; 3]| t.map(|k| points[k as usize]);
        let normals = triangles.iter().map(|t| normal_of(&corners(t))).collect();
        let mut around = alloc::vec![Vec::new(); points.len()];
        for (number, triangle) in (0..).zip(&triangles) {
            triangle.iter().for_each(|k| around[*k as usize].push(number));
        }
        Ok(ClosedSurface { points, triangles, normals, around })
    }

    /// The corners of a triangle.
    pub fn corners(&self, triangle: usize) -> Triangle {
        corners_in(&self.points, &self.triangles[triangle])
    }
}

/// The corners of a triangle among points.
pub(super) fn corners_in(points: &[Vec3], triangle: &[u32; 3]) -> Triangle {
    triangle.map(|k| points[k as usize])
}

/// The unit normal of a triangle, if it has an area.
pub(super) fn normal_of([a, b, c]: &Triangle) -> Option<Vec3> {
    (*b - *a).cross(*c - *a).normalized()
}

/// How many edges are not used as often in one direction as in the other, or by more than two triangles.
fn open_edges(triangles: &[[u32; 3]]) -> usize {
    let mut uses: BTreeMap<(u32, u32), [u32; 2]> = BTreeMap::new();
    for [a, b, c] in triangles {
        for (from, to) in [(*a, *b), (*b, *c), (*c, *a)] {
            uses.entry((from.min(to), from.max(to))).or_default()[usize::from(from < to)] += 1;
        }
    }
    uses.values().filter(|uses| **uses != [1, 1]).count()
}
