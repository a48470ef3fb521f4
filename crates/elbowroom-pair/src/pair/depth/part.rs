//! A convex part of a mesh, grown in a query where it is needed.

use crate::pair::penetration::Polytope;
use crate::pair::penetration::dual;
use crate::pair::tolerance::PART_CORNERS;
use crate::shape::hull::Block;
use crate::shape::mesh::Mesh;
use crate::shape::mesh::grow::{GrowScratch, grow_part, is_inside};
use crate::shape::mesh::node_hulls::NodeHull;
use crate::shape::tolerance::{PART_HAIR, PART_PLANES};
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;

/// A part by its corners (the mesh's frame); its room is of fixed size.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    blocks: Vec<Block>,
    middle: Vec3,
    /// The outward normals of triangles of the mesh in whose planes it ends.
    faces: Vec<Vec3>,
}

impl Default for Part {
    fn default() -> Part {
        Part {
            blocks: Vec::with_capacity(PART_CORNERS.div_ceil(4)),
            middle: Vec3::ZERO,
            faces: Vec::with_capacity(PART_PLANES),
        }
    }
}

impl Part {
    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    pub(super) fn faces(&self) -> &[Vec3] {
        &self.faces
    }

    /// A triangle alone. It is a face on the side of its normal, and on the other, where `faces` says so.
    pub(super) fn set_triangle(&mut self, t: &[Vec3; 3], faces: [bool; 2]) {
        self.set(t);
        if let Some(n) = (t[1] - t[0]).cross(t[2] - t[0]).normalized().filter(|_| faces != [false; 2]) {
            self.faces.extend([n, -n].into_iter().zip(faces).filter(|(_, face)| *face).map(|(n, _)| n));
        }
    }

    /// The part as a convex core, with a point inside.
    pub(super) fn core(&self, mesh: &Mesh) -> (NodeHull<'_>, Vec3) {
        (NodeHull { points: &self.blocks, sectors: None, extent: mesh.extent }, self.middle)
    }

    /// The hull of points of the mesh; at least one, at most [`PART_CORNERS`].
    pub(super) fn set(&mut self, corners: &[Vec3]) {
        self.middle = corners.iter().fold(Vec3::ZERO, |sum, &v| sum + v) * (1.0 / corners.len() as f64);
        self.blocks.clear();
        self.faces.clear();
        let last = corners.len() - 1;
        let fours = (0..corners.len().min(PART_CORNERS)).step_by(4);
        self.blocks.extend(fours.map(|i| Block::new([i, i + 1, i + 2, i + 3].map(|i| corners[i.min(last)]))));
    }
}

/// Work space of growing parts.
#[derive(Clone, Debug)]
pub(crate) struct PartScratch {
    grow: GrowScratch,
    corners: Vec<Vec3>,
}

impl Default for PartScratch {
    fn default() -> PartScratch {
        PartScratch { grow: GrowScratch::default(), corners: Vec::with_capacity(PART_CORNERS) }
    }
}

impl PartScratch {
    /// Nodes and triangles that were visited so far.
    pub(super) fn visits(&self) -> u64 {
        self.grow.visits
    }

    /// Grows a part of a mesh around `seed` (its frame), within a cube of half width `reach` (metres). False
    /// if none is proved to lie in the solid.
    pub(super) fn grow(
        &mut self,
        mesh: &Mesh,
        (seed, reach): (Vec3, f64),
        work: &mut Polytope,
        part: &mut Part,
    ) -> bool {
        if !grow_part(mesh, seed, reach, &mut self.grow) {
            return false;
        }
        let planes = self.grow.planes.iter().map(|p| (p.normal, p.height));
        dual::corners(planes, seed, (PART_HAIR * mesh.radius, reach), work, &mut self.corners);
        if self.corners.is_empty() {
            return false;
        }
        part.set(&self.corners);
        part.faces.extend(self.grow.planes.iter().filter(|p| p.face).map(|p| p.normal));
        is_inside(mesh, &part.blocks, &mut self.grow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bent::{LEGS, ell};
    use crate::rng::Rng;
    use crate::shape::mesh::inside::contains;
    use crate::shape::solid::Shape;

    #[test]
    fn parts_lie_in_the_solid_and_hold_their_seed() {
        let mut rng = Rng::new(3);
        let shape = Shape::new(&ell(LEGS, [0.0, 0.2]), 0.0).unwrap();
        let mesh = shape.mesh().unwrap();
        let (mut space, mut work, mut part) = (PartScratch::default(), Polytope::default(), Part::default());
        let (mut grown, mut whole) = (0, 0);
        for _ in 0..300 {
            let seed = Vec3 { x: rng.unit(), y: rng.unit(), z: 0.2 * rng.unit() };
            let reach = rng.decades(-2.0, 1.0);
            if !space.grow(mesh, (seed, reach), &mut work, &mut part) {
                continue;
            }
            grown += 1;
            assert_eq!(contains(mesh, seed), Some(true));
            let corners = &space.corners;
            for _ in 0..20 {
                let mut weights: alloc::vec::Vec<f64> = corners.iter().map(|_| rng.unit()).collect();
                let sum: f64 = weights.iter().sum();
                weights.iter_mut().for_each(|w| *w /= sum);
                let x = corners.iter().zip(&weights).fold(Vec3::ZERO, |x, (c, w)| x + *c * *w);
                assert_eq!(contains(mesh, x), Some(true), "{x:?}");
            }
            // A leg is convex: a part of it, far from the other, is the leg from end to end.
            let long = corners.iter().fold(0.0_f64, |x, c| x.max(c.x)) > 0.999;
            whole += u32::from(reach > 1.0 && seed.x > 0.4 && long);
        }
        assert!(grown > 50 && whole > 5, "{grown} {whole}");
        // A seed outside, or on the surface, grows nothing.
        for seed in [Vec3 { x: 0.5, y: 0.5, z: 0.1 }, Vec3 { x: 0.5, y: 0.2, z: 0.1 }] {
            assert!(!space.grow(mesh, (seed, 1.0), &mut work, &mut part));
        }
    }
}
