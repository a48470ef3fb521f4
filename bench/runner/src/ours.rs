//! The engine of this project. Every answer it gives here is a proved interval; the bench compares `upper`, or
//! `lower` where the two have different signs, and the proof is inside the time.

use crate::{
    engine::Engine,
    work::{Ask, Work},
};
use anyhow::{Result, bail};
use elbowroom::{
    math::{Mat3, Transform, Vec3, vec3},
    narrow::{self, Scratch, Warm},
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
    fn ask(&mut self, a: u32, b: u32, poses: (usize, usize), ask: narrow::Ask, cutoff: f64) -> narrow::Clearance {
        let b_in_a = self.poses[poses.0].relative(&self.poses[poses.1]);
        let (a, b) = (&self.shapes[a as usize], &self.shapes[b as usize]);
        narrow::clearance(a, b, &b_in_a, ask, cutoff, 0.0, &mut self.warm, &mut self.scratch)
    }
}

impl Engine for Elbowroom {
    fn load(work: &Work) -> Result<Elbowroom> {
        let poses = work.poses.iter().map(pose).collect();
        let mut engine =
            Elbowroom { shapes: Vec::new(), poses, warm: Warm::default(), scratch: Scratch::default() };
        for shape in &work.shapes {
            let _ = (shape, Core::Point, Vec3::ZERO);
            if work.ask == Ask::SmallestTriangleDistance {
                bail!("do triangles yet");
            }
            bail!("build hulls yet");
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
