//! parry3d-f64 through its concrete functions, so that no dispatcher is in its figures.
//!
//! Cold queries start as parry's own entry points do. A warm one starts GJK in the direction of the previous
//! answer, which is what parry's `_with_params` functions are for. parry has no cutoff for two triangle
//! meshes, and a pose of a user's robot would take a tenth of a second to seconds: it is asked there for yes
//! or no only. A whole robot: its pairs one by one after a test of the boxes around both, which is ours;
//! obstacles in parry's `Bvh`, whose `find_best` is asked for each body and told the best distance so far.
//! Poses given. What changes: `parry_changes.rs`; what sensors saw: `parry_seen.rs`.

use crate::{
    engine::Engine,
    parry_changes::{Obstacles, parry_pose},
    parry_seen::Marks,
    work::{Ask, ShapeData, Work},
};
use anyhow::{Context, Result, ensure};
use parry3d_f64::{
    bounding_volume::{Aabb, BoundingVolume},
    math::{Pose, Vector},
    partitioning::BvhNode,
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
    /// Boxes of hulls, own frames, and at the pose in hand.
    boxes: [Vec<Aabb>; 2],
    obstacles: Option<Obstacles>,
    seen: Option<Marks>,
    body_pairs: Vec<std::ops::Range<usize>>,
}

fn build_hull(number: usize, shape: &ShapeData) -> Result<ConvexPolyhedron> {
    let points: Vec<Vector> = shape.vertices.iter().map(|&[x, y, z]| Vector::new(x, y, z)).collect();
    ConvexPolyhedron::from_convex_hull(&points).with_context(|| format!("build the hull of shape {number}"))
}

fn build_mesh(shape: &ShapeData) -> Result<TriMesh> {
    let points = shape.vertices.iter().map(|&[x, y, z]| Vector::new(x, y, z)).collect();
    Ok(TriMesh::new(points, shape.triangles.clone())?)
}

impl Parry {
    /// Puts the boxes of all shapes where a step has them.
    fn place_boxes(&mut self, first: usize) {
        for shape in 0..self.boxes[0].len() {
            self.boxes[1][shape] = self.boxes[0][shape].transform_by(&self.poses[first + shape]);
        }
    }

    /// How far the boxes of two shapes are apart.
    fn boxes_apart(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (self.boxes[1][a], self.boxes[1][b]);
        Aabb { mins: a.mins - b.maxs, maxs: a.maxs - b.mins }.distance_to_origin()
    }

    /// Distance of two hulls of a robot.
    fn hull_distance(&self, a: usize, b: usize, first: usize) -> f64 {
        let b_in_a = self.pose_b_in_a(first + a, first + b);
        distance_support_map_support_map(&b_in_a, &self.hulls[a], &self.hulls[b])
    }

    /// Whether two shapes of a robot touch.
    fn is_touching(&self, a: usize, b: usize, first: usize) -> bool {
        if self.meshes.is_empty() {
            let b_in_a = self.pose_b_in_a(first + a, first + b);
            intersection_test_support_map_support_map(&b_in_a, &self.hulls[a], &self.hulls[b])
        } else {
            let (at_a, at_b) = (&self.poses[first + a], &self.poses[first + b]);
            query::intersection_test(at_a, &self.meshes[a], at_b, &self.meshes[b])
                .is_ok_and(|found| found.intersecting)
        }
    }

    /// Bodies of the robot, obstacles and the tree over them.
    fn load_whole(&mut self, work: &Work) -> Result<()> {
        ensure!(work.ask != Ask::Edge, "check a straight motion of joints");
        ensure!(work.ask != Ask::Gradient, "tell a gradient");
        ensure!(
            !(work.triangles && work.wants_distance()),
            "prune a distance of two meshes: a pose takes a tenth of a second to seconds, see `triangles_*`"
        );
        for (number, shape) in work.shapes.iter().enumerate() {
            if work.triangles {
                self.meshes.push(build_mesh(shape)?);
            } else {
                self.hulls.push(build_hull(number, shape)?);
            }
        }
        let hulls = self.hulls.iter().map(|hull| hull.local_aabb());
        self.boxes[0] = hulls.chain(self.meshes.iter().map(|mesh| mesh.local_aabb())).collect();
        self.body_pairs = work.body_pairs().into_iter().map(|(_, pairs)| pairs).collect();
        self.boxes[1] = self.boxes[0].clone();
        let mut obstacles = Vec::new();
        for obstacle in &work.obstacles {
            let shape = &work.obstacle_shapes[obstacle.number];
            // The faces are given: building them again would only take longer.
            let points = shape.vertices.iter().map(|&[x, y, z]| Vector::new(x, y, z)).collect();
            let built = ConvexPolyhedron::from_convex_mesh(points, &shape.triangles);
            let built = built.with_context(|| format!("build the hull of shape {}", obstacle.number))?;
            obstacles.push((parry_pose(&obstacle.pose), built));
        }
        self.obstacles = Some(Obstacles::new(work, obstacles));
        self.seen = (!work.seen.is_empty()).then(|| Marks::new(work));
        Ok(())
    }

    /// The smallest distance of hulls at a pose to the obstacles, as far as it is below `best`.
    fn nearest_obstacle(&self, hull: &ConvexPolyhedron, around: &Aabb, at: &Pose, best: f64) -> f64 {
        let Some(obstacles) = &self.obstacles else { return best };
        let (shift, margin) = (-around.center(), around.half_extents());
        let bound = |node: &BvhNode, _: f64| {
            let sum = Aabb { mins: node.mins() + shift - margin, maxs: node.maxs() + shift + margin };
            sum.distance_to_origin()
        };
        let leaf = |number: u32, _: f64| {
            let (place, obstacle) = &obstacles.placed[number as usize];
            let apart = || distance_support_map_support_map(&at.inv_mul(place), hull, obstacle);
            (obstacles.held != Some(number)).then(apart)
        };
        obstacles.tree.find_best(best, bound, leaf).map_or(best, |(_, found)| best.min(found))
    }

    /// The smallest distance of the held obstacle to the robot and to the others, as far as it is below
    /// `best`.
    fn nearest_to_held(&self, work: &Work, first: usize, best: f64) -> f64 {
        let (Some(obstacles), Some(held)) = (&self.obstacles, &work.changes.held) else { return best };
        let Some(number) = obstacles.held else { return best };
        let (at, hull) = &obstacles.placed[number as usize];
        let to_body = |best: f64, &body: &usize| {
            let b_in_a = self.poses[first + body].inv_mul(at);
            best.min(distance_support_map_support_map(&b_in_a, &self.hulls[body], hull))
        };
        let best = held.meets.iter().fold(best, to_body);
        self.nearest_obstacle(hull, &hull.aabb(at), at, best)
    }

    fn touches_obstacle(&self, body: usize, at: &Pose) -> bool {
        let around = self.boxes[1][body];
        if let Some(seen) = &self.seen {
            return seen.touches_any(&self.hulls[body], &around, at);
        }
        let Some(obstacles) = &self.obstacles else { return false };
        obstacles.tree.intersect_aabb(&around).any(|number| {
            let (place, hull) = &obstacles.placed[number as usize];
            intersection_test_support_map_support_map(&at.inv_mul(place), &self.hulls[body], hull)
        })
    }

    fn pose_b_in_a(&self, pose_a: usize, pose_b: usize) -> Pose {
        self.poses[pose_a].inv_mul(&self.poses[pose_b])
    }
}

impl Engine for Parry {
    fn load_work(work: &Work) -> Result<Parry> {
        let mut engine = Parry {
            hulls: Vec::new(),
            meshes: Vec::new(),
            poses: work.poses.iter().map(parry_pose).collect(),
            simplex: VoronoiSimplex::new(),
            direction: None,
            boxes: [Vec::new(), Vec::new()],
            obstacles: None,
            seen: None,
            body_pairs: Vec::new(),
        };
        if work.is_whole() {
            engine.load_whole(work)?;
            return Ok(engine);
        }
        for (number, shape) in work.shapes.iter().enumerate() {
            if work.ask == Ask::SmallestTriangleDistance {
                engine.meshes.push(build_mesh(shape)?);
            } else {
                engine.hulls.push(build_hull(number, shape)?);
            }
        }
        Ok(engine)
    }

    fn answer_whole(&mut self, work: &Work, number: usize) -> f64 {
        let first = number * work.poses_a_step;
        self.place_boxes(first);
        if let Some(obstacles) = &mut self.obstacles {
            obstacles.apply_changes(work, number);
        }
        if let (Ask::CloudReplace, Some(seen)) = (work.ask, &mut self.seen) {
            seen.replace_points(work, number);
        }
        let moving = || (0..self.hulls.len()).filter(|&body| work.mounts[body].number > 0);
        let mut pairs = work.pairs.iter().map(|&[a, b]| (a as usize, b as usize));
        if work.wants_distance() {
            let mut best = f64::MAX;
            for (a, b) in pairs {
                if self.boxes_apart(a, b) < best {
                    best = best.min(self.hull_distance(a, b, first));
                }
            }
            let nearest = |best, body: usize| {
                let (hull, around) = (&self.hulls[body], &self.boxes[1][body]);
                let at = &self.poses[first + body];
                let best = self.nearest_obstacle(hull, around, at, best);
                self.seen.as_ref().map_or(best, |seen| seen.nearest_distance(hull, around, at, best))
            };
            self.nearest_to_held(work, first, moving().fold(best, nearest))
        } else {
            let boxes = &self.boxes[1];
            let own = pairs.any(|(a, b)| boxes[a].intersects(&boxes[b]) && self.is_touching(a, b, first));
            let found = own || moving().any(|body| self.touches_obstacle(body, &self.poses[first + body]));
            if found { 0.0 } else { -1.0 }
        }
    }

    fn all_distances(&mut self, work: &Work, number: usize, answers: &mut [f64]) {
        let first = number * work.poses_a_step;
        self.place_boxes(first);
        for (answer, pairs) in answers.iter_mut().zip(&self.body_pairs) {
            let apart = |best: f64, &[a, b]: &[u32; 2]| {
                let (a, b) = (a as usize, b as usize);
                if self.boxes_apart(a, b) < best { best.min(self.hull_distance(a, b, first)) } else { best }
            };
            *answer = work.pairs[pairs.clone()].iter().fold(f64::MAX, apart);
        }
    }

    fn restart(&mut self) {
        self.direction = None;
        if let Some(obstacles) = &mut self.obstacles {
            obstacles.begin();
        }
    }

    fn distance(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> f64 {
        let b_in_a = self.pose_b_in_a(pose_a, pose_b);
        distance_support_map_support_map(&b_in_a, &self.hulls[a as usize], &self.hulls[b as usize])
    }

    fn warm_distance(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> f64 {
        let b_in_a = self.pose_b_in_a(pose_a, pose_b);
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

    fn signed_distance(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> f64 {
        let b_in_a = self.pose_b_in_a(pose_a, pose_b);
        let (a, b) = (&self.hulls[a as usize], &self.hulls[b as usize]);
        contact_support_map_support_map(&b_in_a, a, b, f64::MAX).map_or(f64::NAN, |contact| contact.dist)
    }

    fn collides(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize) -> bool {
        let b_in_a = self.pose_b_in_a(pose_a, pose_b);
        intersection_test_support_map_support_map(&b_in_a, &self.hulls[a as usize], &self.hulls[b as usize])
    }

    fn mesh_distance(&mut self, a: u32, b: u32, pose_a: usize, pose_b: usize, _best: f64) -> f64 {
        let (a, b) = (&self.meshes[a as usize], &self.meshes[b as usize]);
        query::distance(&self.poses[pose_a], a, &self.poses[pose_b], b)
            .map_or(f64::NAN, |found| found.distance)
    }
}
