//! Proved answers about whole robots, by the slow search of [`crate::signed_distance`] over all vertices of
//! every pair whose balls are near enough to matter. Robots are where the item's poses are, computed by
//! pinocchio; along an edge by kinematics written here. Triangles are looked at by
//! [`crate::truth_triangles`]; a shape inside another one collides with it.
//!
//! An edge is proved free by halving: at the middle of a piece nothing is nearer than anything can move
//! within half of the piece, which is at most the sum over the joints of their change times the farthest any
//! vertex can be from the joint; for sliding joints the change. A colliding pose anywhere on it proves the
//! other answer. What is neither is left open.

use crate::{
    hull::Hull,
    limits::{ALL_PAIRS_EVERY, ROUNDING, SHORTEST},
    pose::pose_transform,
    signed_distance::separation_interval,
    truth_placed::{Body, Placed},
    truth_seen::nearest_seen,
    truth_triangles::Tree,
    work::{Ask, Work},
};
use elbowroom::math::{Mat3, Transform, Vec3, sin_cos, vec3};

/// The interval of an unknown distance.
const OPEN: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// Everything around the robot in a step.
struct Around<'b> {
    step: usize,
    /// The held obstacle, which must not touch some bodies of the robot.
    held: Option<Placed<'b>>,
    obstacles: Vec<Placed<'b>>,
}

/// Shapes with balls around them.
pub struct Bodies<'w> {
    work: &'w Work,
    robot: Vec<Body>,
    fixed_shapes: Vec<Body>,
    /// The tree of each shape, if the work asks about triangles.
    trees: Vec<Tree>,
}

impl<'w> Bodies<'w> {
    /// The bodies of an item about a whole robot.
    pub fn new(work: &'w Work) -> Bodies<'w> {
        let robot =
            work.shapes.iter().zip(&work.mounts).map(|(s, m)| Body::new(Hull::new(s), m.number)).collect();
        let fixed_shapes: Vec<Body> =
            work.obstacle_shapes.iter().map(|s| Body::new(Hull::new(s), 0)).collect();
        let trees = work.shapes.iter().filter(|_| work.triangles).map(Tree::new).collect();
        Bodies { work, robot, fixed_shapes, trees }
    }

    /// Everything around the robot in a step.
    fn obstacles_around(&self, step: usize) -> Around<'_> {
        let number = |o: usize| self.work.obstacles[o].number;
        let places = self.work.obstacles_at(step).into_iter().enumerate();
        let mut all: Vec<Placed> =
            places.map(|(o, at)| Placed::new(&self.fixed_shapes[number(o)], pose_transform(&at))).collect();
        let changed = self.work.changes.step_rows(step).start;
        let held =
            self.work.changes.held.as_ref().map(|_| all.remove(self.work.changes.rows[changed].obstacle));
        Around { step, held, obstacles: all }
    }

    /// The interval of each answer of a step.
    pub fn step_answers(&self, step: usize) -> Vec<[f64; 2]> {
        if self.work.ask != Ask::SelfAllDistances {
            return vec![self.step_answer(step)];
        }
        if self.work.triangles && !step.is_multiple_of(ALL_PAIRS_EVERY) {
            return vec![OPEN; self.work.body_pairs().len()];
        }
        let (placed, around) = (self.step_poses(step), self.obstacles_around(step));
        let asked = |(_, pairs): ([usize; 2], std::ops::Range<usize>)| {
            let pairs = &self.work.pairs[pairs];
            if self.work.triangles {
                return self.triangle_distance(pairs, &placed, false);
            }
            self.nearest_interval(pairs, &placed, &around, f64::INFINITY, false)
        };
        self.work.body_pairs().into_iter().map(asked).collect()
    }

    fn step_poses(&self, step: usize) -> Vec<Transform> {
        self.work.poses[step * self.robot.len()..][..self.robot.len()].iter().map(pose_transform).collect()
    }

    /// The interval of the smallest distance of the triangles of pairs of shapes; `any` ends it at the first
    /// sure collision.
    fn triangle_distance(&self, pairs: &[[u32; 2]], placed: &[Transform], any: bool) -> [f64; 2] {
        let mut order: Vec<_> = pairs
            .iter()
            .map(|pair| {
                let [a, b] = pair.map(|shape| shape as usize);
                let [(center_a, radius_a), (center_b, radius_b)] =
                    [a, b].map(|k| self.trees[k].bounding_ball());
                let apart = (placed[a].point(center_a) - placed[b].point(center_b)).norm();
                (apart - radius_a - radius_b, a, b)
            })
            .collect();
        order.sort_by(|one, other| one.0.total_cmp(&other.0));
        // For yes or no only contacts matter.
        let mut found = [if any { ROUNDING } else { f64::INFINITY }; 2];
        let mut open = false;
        for (bound, a, b) in order {
            if bound - ROUNDING > found[1].max(0.0) {
                break;
            }
            let b_in_a = placed[a].relative(&placed[b]);
            self.trees[a].refine_distance(&self.trees[b], &b_in_a, &mut found, any);
            if any && found[1] < 0.0 {
                return found;
            }
            match self.trees[a].is_inside(&self.trees[b], &b_in_a) {
                Some(true) => return [f64::NEG_INFINITY, -ROUNDING],
                Some(false) => {}
                None => open = true,
            }
        }
        if open { OPEN } else { found }
    }

    fn step_answer(&self, step: usize) -> [f64; 2] {
        let (placed, around) = (self.step_poses(step), self.obstacles_around(step));
        let pairs = &self.work.pairs;
        let yes_or_no = || match self.work.triangles {
            true => self.triangle_distance(pairs, &placed, true),
            false => self.nearest_interval(pairs, &placed, &around, ROUNDING, true),
        };
        match self.work.ask {
            Ask::Edge => self.edge_answer(step),
            _ if self.work.wants_distance() && self.work.triangles => {
                self.triangle_distance(pairs, &placed, false)
            }
            _ if self.work.wants_distance() => {
                self.nearest_interval(pairs, &placed, &around, f64::INFINITY, false)
            }
            _ => match yes_or_no() {
                [_, upper] if upper < 0.0 => [0.0; 2],
                [lower, _] if lower > 0.0 => [-1.0; 2],
                _ => OPEN,
            },
        }
    }

    /// The interval of the smallest distance, as far as it is below `reach`; `any` ends it at the first sure
    /// overlap.
    fn nearest_interval(
        &self,
        pairs: &[[u32; 2]],
        placed: &[Transform],
        around: &Around,
        reach: f64,
        any: bool,
    ) -> [f64; 2] {
        let robot: Vec<Placed> = self.robot.iter().zip(placed).map(|(b, at)| Placed::new(b, *at)).collect();
        let moving: Vec<Placed> = robot.iter().filter(|placed| placed.body.joint > 0).copied().collect();
        let own = pairs.iter().map(|&[a, b]| (robot[a as usize], robot[b as usize]));
        let meets =
            self.work.changes.held.iter().flat_map(|held| held.meets.iter().map(|&shape| robot[shape]));
        let held = || around.held.iter().copied();
        let among = moving.iter().copied().chain(held());
        let all = own
            .chain(meets.flat_map(|body| held().map(move |other| (body, other))))
            .chain(among.flat_map(|body| around.obstacles.iter().map(move |other| (body, *other))));
        let mut found = [reach; 2];
        for (a, b) in all {
            let apart = a.body.radius + b.body.radius + found[1].max(0.0) + ROUNDING;
            if (b.center - a.center).norm_squared() > apart * apart {
                continue;
            }
            let [lower, upper] = separation_interval(&a.body.hull, &b.body.hull, &a.at.relative(&b.at), any);
            found = [found[0].min(lower), found[1].min(upper)];
            if any && found[1] < 0.0 {
                return found;
            }
        }
        nearest_seen(&self.work.seen, around.step, &moving, found, any)
    }

    fn edge_answer(&self, step: usize) -> [f64; 2] {
        let (from, to) = (self.work.value_row(2 * step), self.work.value_row(2 * step + 1));
        let speed: f64 = (0..from.len()).map(|k| (to[k] - from[k]).abs() * self.reach_beyond(k)).sum();
        let around = self.obstacles_around(step);
        let mut pieces = vec![[0.0, 1.0]];
        let mut open = false;
        while let Some([start, end]) = pieces.pop() {
            let middle = 0.5 * (start + end);
            let values: Vec<f64> = from.iter().zip(to).map(|(a, b)| a + middle * (b - a)).collect();
            // Both bodies of a pair move.
            let needed = 2.0 * speed * 0.5 * (end - start) + 1e3 * ROUNDING;
            let placed = self.body_poses(&values);
            let [lower, upper] =
                self.nearest_interval(&self.work.pairs, &placed, &around, 1.01 * needed, false);
            if upper < 0.0 {
                return [0.0; 2];
            }
            if lower > needed {
                continue;
            }
            if end - start < SHORTEST {
                open = true;
                continue;
            }
            pieces.extend([[middle, end], [start, middle]]);
        }
        if open { OPEN } else { [-1.0; 2] }
    }

    /// How far anything that joint `k` moves can be from it (metres); 1 for a sliding joint: what it moves
    /// moves as much.
    fn reach_beyond(&self, k: usize) -> f64 {
        if self.work.joints[k].slides {
            return 1.0;
        }
        let mut farthest = 0.0_f64;
        for (body, mount) in self.robot.iter().zip(&self.work.mounts) {
            let at = pose_transform(&mount.pose);
            let mut far = at.point(body.center).norm() + body.radius;
            let mut joint = body.joint;
            while joint > k + 1 {
                let data = &self.work.joints[joint - 1];
                let slide = if data.slides { data.limits[0].abs().max(data.limits[1].abs()) } else { 0.0 };
                far += pose_transform(&data.in_parent).translation.norm() + slide;
                joint = data.parent;
            }
            if joint == k + 1 {
                farthest = farthest.max(far);
            }
        }
        farthest
    }

    fn body_poses(&self, values: &[f64]) -> Vec<Transform> {
        let mut joints = vec![Transform::IDENTITY];
        for (data, &value) in self.work.joints.iter().zip(values) {
            let axis = vec3(data.axis[0], data.axis[1], data.axis[2]);
            let moved = if data.slides {
                Transform::from_translation(axis * value)
            } else {
                Transform::new(axis_rotation(axis, value), Vec3::ZERO)
            };
            joints.push(joints[data.parent] * pose_transform(&data.in_parent) * moved);
        }
        self.work.mounts.iter().map(|mount| joints[mount.number] * pose_transform(&mount.pose)).collect()
    }
}

/// The rotation about a unit axis, by Rodrigues' formula.
fn axis_rotation(a: Vec3, angle: f64) -> Mat3 {
    let (sin, cos) = sin_cos(angle);
    let t = 1.0 - cos;
    Mat3::from_rows([
        [cos + t * a.x * a.x, t * a.x * a.y - sin * a.z, t * a.x * a.z + sin * a.y],
        [t * a.x * a.y + sin * a.z, cos + t * a.y * a.y, t * a.y * a.z - sin * a.x],
        [t * a.x * a.z - sin * a.y, t * a.y * a.z + sin * a.x, cos + t * a.z * a.z],
    ])
}
