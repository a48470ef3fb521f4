//! parry3d-f64 through its concrete functions, so that no dispatcher is in its figures.
//!
//! Cold queries start as parry's own entry points do. A warm one starts GJK in the direction of the previous answer, which
//! is what parry's `_with_params` functions are for. parry has no cutoff for two triangle meshes.

use crate::{
    engine::Engine,
    work::{Ask, Work},
};
use anyhow::{Context, Result};
use parry3d_f64::{
    math::{Matrix, Pose, Rotation, Vector},
    query::{
        self,
        details::{
            contact_support_map_support_map, distance_support_map_support_map,
            intersection_test_support_map_support_map,
        },
        gjk::{self, CsoPoint, GJKResult, VoronoiSimplex},
    },
    shape::{ConvexPolyhedron, TriMesh},
};

/// Shapes and poses as parry has them.
pub struct Parry {
    hulls: Vec<ConvexPolyhedron>,
    meshes: Vec<TriMesh>,
    poses: Vec<Pose>,
    simplex: VoronoiSimplex,
    direction: Option<Vector>,
}

impl Parry {
    fn relative(&self, pose_a: usize, pose_b: usize) -> Pose {
        self.poses[pose_a].inv_mul(&self.poses[pose_b])
    }
}

impl Engine for Parry {
    fn load(work: &Work) -> Result<Parry> {
        let mut engine = Parry {
            hulls: Vec::new(),
            meshes: Vec::new(),
            poses: work.poses.iter().map(pose).collect(),
            simplex: VoronoiSimplex::new(),
            direction: None,
        };
        for (number, shape) in work.shapes.iter().enumerate() {
            let points: Vec<Vector> = shape.vertices.iter().map(|&[x, y, z]| Vector::new(x, y, z)).collect();
            if work.ask == Ask::SmallestTriangleDistance {
                engine.meshes.push(TriMesh::new(points, shape.triangles.clone())?);
            } else {
                let hull = ConvexPolyhedron::from_convex_hull(&points)
                    .with_context(|| format!("build the hull of shape {number}"))?;
                engine.hulls.push(hull);
            }
        }
        Ok(engine)
    }

    fn restart(&mut self) {
        self.direction = None;
    }

    fn distance(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> f64 {
        let b_in_a = self.relative(pose_a, pose_b);
        distance_support_map_support_map(&b_in_a, &self.hulls[a as usize], &self.hulls[b as usize])
    }

    fn warm_distance(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> f64 {
        let b_in_a = self.relative(pose_a, pose_b);
        let (a, b) = (&self.hulls[a as usize], &self.hulls[b as usize]);
        let start = self.direction.unwrap_or_else(|| b_in_a.translation.normalize());
        self.simplex.reset(CsoPoint::from_shapes(&b_in_a, a, b, start));
        match gjk::closest_points(&b_in_a, a, b, f64::MAX, true, &mut self.simplex) {
            GJKResult::ClosestPoints(on_a, on_b, direction) => {
                self.direction = Some(direction);
                (on_a - on_b).length()
            }
            _ => 0.0,
        }
    }

    fn depth(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> f64 {
        let b_in_a = self.relative(pose_a, pose_b);
        let (a, b) = (&self.hulls[a as usize], &self.hulls[b as usize]);
        contact_support_map_support_map(&b_in_a, a, b, f64::MAX).map_or(f64::NAN, |contact| contact.dist)
    }

    fn collides(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> bool {
        let b_in_a = self.relative(pose_a, pose_b);
        intersection_test_support_map_support_map(&b_in_a, &self.hulls[a as usize], &self.hulls[b as usize])
    }

    fn mesh_distance(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize, _best: f64) -> f64 {
        let (a, b) = (&self.meshes[a as usize], &self.meshes[b as usize]);
        query::distance(&self.poses[pose_a], a, &self.poses[pose_b], b)
            .map_or(f64::NAN, |found| found.distance)
    }
}

fn pose(x: &[f64; 12]) -> Pose {
    let columns = [x[0], x[3], x[6], x[1], x[4], x[7], x[2], x[5], x[8]];
    let rotation = Rotation::from_mat3(&Matrix::from_cols_array(&columns));
    Pose::from_parts(Vector::new(x[9], x[10], x[11]), rotation)
}
