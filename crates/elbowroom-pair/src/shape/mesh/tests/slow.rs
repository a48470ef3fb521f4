//! The slow, obvious distance of two meshes: every pair of triangles.

use crate::pair::mesh::gap::Relation;
use crate::shape::mesh::{Mesh, inside};
use crate::shape::triangle;
use elbowroom_describe::math::{Transform, Vec3};

/// What [`distance`] finds, without rounding bounds of the pose.
#[derive(Clone, Copy, Debug)]
pub struct Slow {
    /// Least distance of two triangles, 0 where a pair crosses (metres).
    pub surfaces: f64,
    /// How the meshes lie.
    pub relation: Relation,
}

/// Tries every pair of triangles, then every vertex for being inside.
pub fn distance(a: &Mesh, b: &Mesh, b_in_a: &Transform) -> Slow {
    let moved: alloc::vec::Vec<[Vec3; 3]> = b.triangles.iter().map(|t| t.map(|p| b_in_a.point(p))).collect();
    let (mut surfaces, mut crossing) = (f64::INFINITY, false);
    for ta in &a.triangles {
        for tb in &moved {
            let gap = triangle::triangle_gap(ta, tb);
            crossing |= gap.upper < 0.0;
            surfaces = surfaces.min(gap.upper.max(0.0));
        }
    }
    let a_in_b = b_in_a.inverse();
    let within = a.triangles.iter().flatten().any(|&p| inside::contains(b, a_in_b.point(p)) == Some(true))
        || moved.iter().flatten().any(|&p| inside::contains(a, p) == Some(true));
    let relation = match (crossing, within) {
        (true, _) => Relation::Crossing,
        (false, true) => Relation::Inside,
        (false, false) => Relation::Apart,
    };
    Slow { surfaces, relation }
}
