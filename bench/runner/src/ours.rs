//! The engine of this project. Every answer it gives here is a proved interval; the bench compares `upper`, or
//! `lower` where the two have different signs, and the proof is inside the time.

use crate::{
    engine::Engine,
    work::{Ask, Work},
};
use anyhow::{Context, Result, bail};
use elbowroom::{
    hull::Hull,
    math::{Mat3, Transform, Vec3, vec3},
    narrow::{self, Clearance, Query, Scratch, Warm},
    shape::{Core, Shape},
};

/// Shapes and poses as the engine has them.
pub struct Elbowroom {
    shapes: Vec<Shape>,
    poses: Vec<Transform>,
    warm: Warm,
    scratch: Scratch,
}

impl Elbowroom {
    #[inline(always)]
    fn ask(&mut self, a: u32, b: u32, poses: (usize, usize), ask: narrow::Ask, cutoff: f64) -> Clearance {
        let b_in_a = self.poses[poses.0].relative(&self.poses[poses.1]);
        let (a, b) = (&self.shapes[a as usize], &self.shapes[b as usize]);
        let query = Query { ask, cutoff, ..Query::default() };
        narrow::clearance(a, b, &b_in_a, &query, &mut self.warm, &mut self.scratch)
    }
}

impl Engine for Elbowroom {
    fn load(work: &Work) -> Result<Elbowroom> {
        let poses = work.poses.iter().map(pose).collect();
        let mut engine =
            Elbowroom { shapes: Vec::new(), poses, warm: Warm::default(), scratch: Scratch::default() };
        if work.ask == Ask::SmallestTriangleDistance {
            bail!("do triangles through this bench yet");
        }
        for (number, shape) in work.shapes.iter().enumerate() {
            let points: Vec<Vec3> = shape.vertices.iter().map(|&[x, y, z]| vec3(x, y, z)).collect();
            let hull = Hull::from_points(&points)
                .map_err(|fault| anyhow::anyhow!("{fault:?}"))
                .with_context(|| format!("build the hull of shape {number}"))?;
            let (center, reach) = (hull.center(), hull.reach());
            engine.shapes.push(Shape { core: Core::Hull(Box::new(hull)), radius: 0.0, center, reach });
        }
        engine.restart();
        Ok(engine)
    }

    fn restart(&mut self) {
        self.warm = Warm::default();
    }

    fn distance(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> f64 {
        self.warm = Warm::default();
        self.warm_distance(a, b, pose_a, pose_b)
    }

    fn warm_distance(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> f64 {
        self.ask(a, b, (pose_a, pose_b), narrow::Ask::Distance, f64::INFINITY).upper
    }

    fn depth(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> f64 {
        self.distance(a, b, pose_a, pose_b)
    }

    fn collides(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> bool {
        self.warm = Warm::default();
        // Only a lower bound above zero is a proof of separation; anything else counts as collision.
        self.ask(a, b, (pose_a, pose_b), narrow::Ask::Test, 0.0).lower <= 0.0
    }

    fn mesh_distance(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize, best: f64) -> f64 {
        self.warm = Warm::default();
        self.ask(a, b, (pose_a, pose_b), narrow::Ask::Distance, best).upper.max(0.0)
    }
}

fn pose(x: &[f64; 12]) -> Transform {
    let rotation = Mat3::from_rows([[x[0], x[1], x[2]], [x[3], x[4], x[5]], [x[6], x[7], x[8]]]);
    Transform::new(rotation, vec3(x[9], x[10], x[11]))
}
