//! The engine of this project. Every answer it gives here is a proved interval; the bench compares `upper`,
//! and then both ends with the reference's interval. The proof is inside the time.

use crate::{
    described::describe_work,
    engine::{Engine, resident_bytes},
    pose::pose_transform,
    whole::Whole,
    work::{Ask, Work},
};
use anyhow::{Context, Result};
use elbowroom::{
    describe::ShapeDescription,
    math::Transform,
    pair::{self, Clearance, Geometry, Query, Scratch, Shape, Warm},
};
use std::time::Instant;

/// Shapes and poses as the engine has them.
pub struct Elbowroom {
    shapes: Vec<Shape>,
    poses: Vec<Transform>,
    warm: Warm,
    scratch: Scratch,
    lower: bool,
    robot: Option<Whole>,
    /// Bounds by the hulls, and the pairs they are of; kept from pose to pose so that nothing is allocated.
    order: Vec<(f64, usize)>,
}

impl Elbowroom {
    #[inline(always)]
    fn measure_pair(
        &mut self,
        a: u32,
        b: u32,
        poses: (usize, usize),
        ask: pair::Ask,
        cutoff: f64,
    ) -> Clearance {
        // Exact triangles are asked of meshes: a hull's answer would be a different, easier question. Hulls
        // ignore it.
        self.ask_of(a, b, poses, Query { ask, cutoff, geometry: Geometry::Mesh, ..Query::default() })
    }
    #[inline(always)]
    fn ask_of(&mut self, a: u32, b: u32, poses: (usize, usize), query: Query) -> Clearance {
        let b_in_a = self.poses[poses.0].relative(&self.poses[poses.1]);
        let (a, b) = (&self.shapes[a as usize], &self.shapes[b as usize]);
        pair::clearance(a, b, &b_in_a, &query, &mut self.warm, &mut self.scratch)
    }
}

impl Engine for Elbowroom {
    fn load_work(work: &Work) -> Result<Elbowroom> {
        let poses = work.poses.iter().map(pose_transform).collect();
        let mut engine = Elbowroom {
            shapes: Vec::new(),
            poses,
            warm: Warm::default(),
            scratch: Scratch::default(),
            lower: false,
            robot: None,
            order: Vec::new(),
        };
        if work.is_whole() {
            engine.robot = Some(Whole::new(work, &describe_work(work))?);
            return Ok(engine);
        }
        for (number, shape) in work.shapes.iter().enumerate() {
            let vertices = shape.vertices.clone();
            let description = if work.ask == Ask::SmallestTriangleDistance {
                ShapeDescription::Mesh { vertices, triangles: shape.triangles.clone() }
            } else {
                ShapeDescription::Convex { vertices }
            };
            let shape = Shape::new(&description, 0.0).with_context(|| format!("build shape {number}"))?;
            engine.shapes.push(shape);
        }
        let deepest = engine.shapes.iter().map(Shape::mesh_depth).max().unwrap_or(0);
        engine.scratch = Scratch::new(deepest);
        engine.restart();
        Ok(engine)
    }

    fn measure_build(work: &Work) -> Result<(f64, f64)> {
        anyhow::ensure!(work.is_whole(), "tell: no world is built");
        let description = describe_work(work);
        let (before, start) = (resident_bytes()?, Instant::now());
        let built = Whole::new(work, &description)?;
        let took = (start.elapsed().as_secs_f64(), resident_bytes()? - before);
        drop(built);
        Ok(took)
    }

    fn answer_whole(&mut self, work: &Work, number: usize) -> f64 {
        match &mut self.robot {
            Some(robot) => robot.answer_step(work, number, self.lower),
            None => f64::NAN,
        }
    }

    fn all_distances(&mut self, _work: &Work, number: usize, answers: &mut [f64]) {
        answers.fill(f64::NAN);
        if let Some(robot) = &mut self.robot {
            robot.ask_pairs(number, self.lower, answers);
        }
    }

    fn answer_batch(&mut self, _work: &Work, from: usize, answers: &mut [f64]) {
        match &mut self.robot {
            Some(robot) => robot.ask_all(from, answers),
            None => answers.fill(f64::NAN),
        }
    }

    fn answer_with_lower(&mut self, on: bool) -> bool {
        self.lower = on && self.robot.as_ref().is_none_or(Whole::tells_distance);
        self.lower || !on
    }

    fn restart(&mut self) {
        self.warm = Warm::default();
        if let Some(robot) = &mut self.robot {
            robot.forget_poses();
        }
    }

    fn distance(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> f64 {
        self.warm = Warm::default();
        self.warm_distance(a, b, pose_a, pose_b)
    }

    fn warm_distance(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> f64 {
        let found = self.measure_pair(a, b, (pose_a, pose_b), pair::Ask::Distance, f64::INFINITY);
        if self.lower { found.interval.lower } else { found.interval.upper }
    }

    fn signed_distance(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> f64 {
        self.distance(a, b, pose_a, pose_b)
    }

    fn collides(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> bool {
        self.warm = Warm::default();
        // Only a lower bound above zero is a proof of separation; anything else counts as collision.
        self.measure_pair(a, b, (pose_a, pose_b), pair::Ask::Test, 0.0).interval.lower <= 0.0
    }

    /// A pair that is proved to be farther than `best` answers with a lower bound above it, which does not
    /// count.
    fn mesh_distance(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize, best: f64) -> f64 {
        self.warm = Warm::default();
        let found = self.measure_pair(a, b, (pose_a, pose_b), pair::Ask::Distance, best);
        if self.lower || found.interval.lower > best { found.interval.lower } else { found.interval.upper }
    }

    /// All hulls first, then triangles from the pair whose hulls are nearest on, until hulls alone decide.
    fn smallest_mesh_distance(&mut self, pairs: &[[u32; 2]], first: usize) -> f64 {
        let place = |shape: u32| first + shape as usize;
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        for (number, &[a, b]) in pairs.iter().enumerate() {
            self.warm = Warm::default();
            let query = Query { ask: pair::Ask::LowerBound, geometry: Geometry::Hull, ..Query::default() };
            order.push((self.ask_of(a, b, (place(a), place(b)), query).interval.lower, number));
        }
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut best = f64::MAX;
        for &(bound, number) in &order {
            if bound > best {
                break;
            }
            let [a, b] = pairs[number];
            best = best.min(self.mesh_distance(a, b, place(a), place(b), best));
        }
        self.order = order;
        best
    }
}
