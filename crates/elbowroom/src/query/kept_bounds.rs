//! Lower bounds on the distances of pairs that still hold after the robot has moved a little.
//!
//! Along small steps nearly all pairs stay where they were: far beyond the nearest one. What was proved of
//! them at a pose before is weaker at the next one by no more than both bodies have come since. So a pair
//! whose old bound, less that, is still above the limit of a question needs no new bound.
//!
//! How far a body has come is an upper bound on how far any of its points has, summed up from pose to pose: a
//! body's *way*. From frame `(R0, t0)` to `(R1, t1)` a point at `c + p`, of a ball around `c` with radius
//! `r`, comes `|(c1 - c0) + (R1 - R0) p| <= |c1 - c0| + |R1 - R0| r`, and the difference of two rotations has
//! two equal singular values, so its norm is its Frobenius norm over the root of two. Both frames are off by
//! their errors. Ways only grow, and each sum is rounded up, so for a pair that was proved to be `d` apart at
//! ways
//! `a, b` the number `d + a + b`, less the ways of any later pose, bounds its distance there.
//!
//! Only bounds above zero are kept. Below it, a depth of a body that is not convex may change by more than
//! its way.

use crate::bounds::lanes::{CapsuleId, capsule_gaps};
use crate::model::id::BodyId;
use crate::model::world::World;
use crate::pose::frames::Pose;
use crate::query::tolerance::{KEPT_BATCH, KEPT_DISTANCE, KEPT_PAUSE, KEPT_ROUNDING, KEPT_SHARE, KEPT_WAY};
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::{Mat3, Vec3, sqrt};
use elbowroom_pair::Geometry;

/// A body that moves, at the last pose.
#[derive(Clone, Debug)]
struct MovingBody {
    body: BodyId,
    capsule: CapsuleId,
    /// How far its points are from its frame's origin, at most (metres).
    arm: f64,
    center: Vec3,
    rotation: Mat3,
    error: f64,
}

/// The bounds of listed pairs, in the order of the world's proofs.
#[derive(Clone, Debug)]
pub(crate) struct KeptBounds {
    movers: Vec<MovingBody>,
    /// By capsule, the way of its body (metres).
    ways: Vec<f64>,
    /// By pair, a lower bound on its distance, and the ways at which it was proved.
    sums: Vec<f64>,
    /// What meshes stand for in these bounds; `None` while nothing is kept.
    geometry: Option<Geometry>,
    /// Whether the ways are those of the present pose.
    follows: bool,
    /// How many questions are left that keep nothing, since keeping did not pay.
    pause: u32,
}

impl KeptBounds {
    pub fn new(world: &World) -> KeptBounds {
        let mut ways = vec![0.0; world.bounds.capsules.len()];
        let mut listed = vec![false; ways.len()];
        for capsule in world.proofs.capsules.iter().flatten() {
            listed[capsule.index()] = true;
        }
        let mut movers = Vec::new();
        for (k, capsule) in world.bounds.capsules.iter().enumerate() {
            if !listed[k] || world.can_move(capsule.body) == Some(false) {
                continue;
            }
            match world.solids.ball_of(capsule.body) {
                Some(ball) => movers.push(MovingBody {
                    body: capsule.body,
                    capsule: CapsuleId(k as u32),
                    arm: ball.center.norm() + ball.radius,
                    center: Vec3::ZERO,
                    rotation: Mat3::IDENTITY,
                    error: 0.0,
                }),
                // Nothing is known of it.
                None => ways[k] = f64::INFINITY,
            }
        }
        let sums = vec![f64::NEG_INFINITY; world.proofs.order.len()];
        KeptBounds { movers, ways, sums, geometry: None, follows: false, pause: 0 }
    }

    /// Nothing is kept any more.
    pub fn forget_bounds(&mut self) {
        (self.geometry, self.follows, self.pause) = (None, false, 0);
    }

    /// The pose may be another one than the last that was followed.
    pub fn leave_pose(&mut self) {
        self.follows = false;
    }

    /// Follows the bodies to a pose. False if nothing is known for this question.
    pub fn follow_pose(&mut self, pose: &Pose, geometry: Geometry) -> bool {
        self.follows = false;
        if self.geometry != Some(geometry) {
            return false;
        }
        let mut most = 0.0_f64;
        for mover in &mut self.movers {
            let next = mover.current_place(pose);
            let came = (next.center - mover.center).norm()
                + rotation_distance(&mover.rotation, &next.rotation) * next.radius;
            let way = &mut self.ways[mover.capsule.index()];
            *way = (*way + (came + next.error + mover.error) * (1.0 + KEPT_ROUNDING)).next_up();
            most = most.max(*way);
            // A NaN is as good as an endless way.
            most = if way.is_nan() { f64::INFINITY } else { most };
            (mover.center, mover.rotation, mover.error) = (next.center, next.rotation, next.error);
        }
        self.follows = most <= KEPT_WAY;
        if !self.follows {
            self.geometry = None;
        }
        self.follows
    }

    /// Keeps the bounds of all pairs at a pose (metres), unless that did not pay lately.
    pub fn begin(&mut self, pose: &Pose, geometry: Geometry, bounds: &[f64]) {
        self.follows = false;
        if self.pause > 0 {
            self.pause -= 1;
            return;
        }
        for mover in &mut self.movers {
            let Now { center, rotation, error, .. } = mover.current_place(pose);
            (mover.center, mover.rotation, mover.error) = (center, rotation, error);
            self.ways[mover.capsule.index()] = 0.0;
        }
        for (sum, bound) in self.sums.iter_mut().zip(bounds) {
            *sum = if *bound > 0.0 { bound.min(KEPT_DISTANCE) } else { f64::NEG_INFINITY };
        }
        (self.geometry, self.follows) = (Some(geometry), true);
    }

    /// Bounds the pairs by their capsules, in lanes, whose kept bounds are not above a limit of their own and
    /// above zero (metres; by place in the order). Each of these is handed over, with its bound. The pose is
    /// the one that was followed.
    pub fn each_near(&mut self, pose: &Pose, limit: impl Fn(usize) -> f64, mut each: impl FnMut(usize, f64)) {
        let capsules = &pose.world.proofs.capsules;
        let (mut waiting, mut count, mut near) = ([0; KEPT_BATCH], 0, 0);
        for (at, of) in capsules.iter().enumerate() {
            if self.pair_bound(at, *of) > limit(at).max(0.0) {
                continue;
            }
            waiting[count] = at;
            (count, near) = (count + 1, near + 1);
            if count == KEPT_BATCH {
                self.refresh_bounds(pose, &waiting, &mut each);
                count = 0;
            }
        }
        self.refresh_bounds(pose, &waiting[..count], &mut each);
        // If most were near, the robot does not make small steps.
        if near as f64 > KEPT_SHARE * capsules.len() as f64 {
            (self.geometry, self.pause) = (None, KEPT_PAUSE);
        }
    }

    fn refresh_bounds(&mut self, pose: &Pose, pairs: &[usize], each: &mut impl FnMut(usize, f64)) {
        let (mut capsules, mut bounds) = ([[CapsuleId(0); 2]; KEPT_BATCH], [f64::NEG_INFINITY; KEPT_BATCH]);
        for (place, at) in capsules.iter_mut().zip(pairs) {
            *place = pose.world.proofs.capsules[*at];
        }
        capsule_gaps(&pose.records, &capsules[..pairs.len()], &mut bounds);
        for ((at, bound), capsules) in pairs.iter().zip(bounds).zip(capsules) {
            self.note_bound(*at, capsules, bound);
            each(*at, bound);
        }
    }

    /// A lower bound on the distance of a pair at the pose that was followed (metres). Only where it is above
    /// zero does it say anything.
    #[inline]
    fn pair_bound(&self, at: usize, [a, b]: [CapsuleId; 2]) -> f64 {
        self.sums[at] - (self.ways[a.index()] + self.ways[b.index()]) - KEPT_ROUNDING
    }

    /// Takes what was proved of a pair at the pose that was followed (metres).
    #[inline]
    pub fn note_bound(&mut self, at: usize, [a, b]: [CapsuleId; 2], bound: f64) {
        if self.follows && bound > 0.0 {
            let sum = bound.min(KEPT_DISTANCE) + (self.ways[a.index()] + self.ways[b.index()]);
            self.sums[at] = self.sums[at].max(sum);
        }
    }
}

/// Where a body is.
struct Now {
    center: Vec3,
    radius: f64,
    rotation: Mat3,
    error: f64,
}

impl MovingBody {
    fn current_place(&self, pose: &Pose) -> Now {
        let ball = pose.body_ball(self.body);
        let rotation = pose.body_frame(self.body).rotation;
        let error = pose.frame_error(self.body).of_point(self.arm);
        Now { center: ball.center, radius: ball.radius, rotation, error }
    }
}

/// How much farther a point at a distance of one metre comes if one rotation takes the place of another.
fn rotation_distance(from: &Mat3, to: &Mat3) -> f64 {
    let square = |k: usize| {
        let column = to.cols[k] - from.cols[k];
        column.dot(column)
    };
    sqrt(0.5 * (square(0) + square(1) + square(2)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{MotionChecker, PairWork, RangeOptions};
    use crate::query::checker::Checker;
    use crate::query::question::Question;
    use crate::query::tolerance::{KEPT_PAIRS, SAME_NEAREST};
    use crate::rng::Rng;
    use alloc::format;
    use elbowroom_describe::math::Transform;
    use elbowroom_describe::*;

    /// Three arms of eight capsules, and some balls.
    fn arms(rng: &mut Rng) -> WorldDescription {
        let mut d = WorldDescription::default();
        let shape = |rng: &mut Rng, at: f64| PlacedShape {
            name: "s".into(),
            shape_in_body: rng.pose(at),
            shape: ShapeDescription::Capsule { radius: 0.03, length: rng.range(0.05, 0.2) },
            padding: 0.0,
        };
        for arm in 0..3 {
            let name = |i: usize| format!("l{i}");
            let joints = (1..8).map(|i| JointDescription {
                name: format!("j{i}"),
                kind: if i == 4 { JointKind::Prismatic } else { JointKind::Revolute },
                parent: name(i - 1),
                child: name(i),
                joint_in_parent: rng.pose(0.2),
                axis: rng.direction(),
                limits: Some(JointLimits { lower: -2.0, upper: 2.0 }),
                mimic: None,
            });
            let joints = joints.collect();
            let links =
                (0..8).map(|i| LinkDescription { name: name(i), shapes: vec![shape(rng, 0.1)] }).collect();
            let robot = RobotDescription { links, joints, ..RobotDescription::default() };
            let base_in_world = rng.pose(1.0);
            d.robots.push(PlacedRobot { name: format!("r{arm}"), base_in_world, robot });
        }
        for ball in 0..6 {
            d.obstacles.push(ObstacleDescription {
                name: format!("o{ball}"),
                pose: Transform::from_translation(rng.point(1.0)),
                shapes: vec![shape(rng, 0.0)],
                attached_to: None,
                movable: false,
            });
        }
        d
    }

    #[test]
    fn kept_bounds_hold_and_spare_most_pairs() {
        let (mut followed, mut handed, mut pairs, mut tight) = (0, 0, 0, 0);
        for seed in 0..12 {
            let rng = &mut Rng::new(seed);
            let world = World::compile(&arms(rng)).unwrap();
            let order = &world.proofs.order;
            assert!(order.len() >= KEPT_PAIRS);
            let (mut warm, mut cold) = (Checker::new(&world), Checker::new(&world));
            let (mut ranges, mut fresh) =
                (MotionChecker::for_ranges(&world), MotionChecker::for_ranges(&world));
            let mut values: Vec<f64> = world.dof_names().iter().map(|_| rng.range(-0.5, 0.5)).collect();
            for step in 0..120 {
                // Small steps, and a jump now and then.
                let far = if step % 50 == 49 { 0.5 } else { rng.decades(-5.0, -2.5) };
                values.iter_mut().for_each(|v| *v = (*v + far * rng.range(-1.0, 1.0)).clamp(-1.9, 1.9));
                warm.set(&values).unwrap();
                cold.set(&values).unwrap();
                cold.forget_history();
                let [one, other] = [&mut warm, &mut cold].map(|c| c.ask(&Question::distance()));
                assert!(
                    one.interval.lower <= other.interval.upper && other.interval.lower <= one.interval.upper
                );
                assert!((one.distance - other.distance).abs() < 1e-9, "{seed} {step}: {one:?} {other:?}");
                assert!(one.interval.width() <= other.interval.width() + 1e-9, "{seed} {step}");
                let kept = &warm.space.kept_bounds;
                if kept.follows && step > SAME_NEAREST {
                    followed += 1;
                    for (at, capsules) in world.proofs.capsules.iter().enumerate() {
                        let bound = kept.pair_bound(at, *capsules);
                        pairs += 1;
                        handed += usize::from(!(bound > one.interval.upper));
                    }
                    // Every kept bound is below the distance.
                    cold.all_pairs(&Question::distance(), |answer| {
                        let at = order.iter().position(|pair| *pair == answer.pair).unwrap();
                        let bound = kept.pair_bound(at, world.proofs.capsules[at]);
                        assert!(bound <= 0.0 || bound <= answer.interval.upper, "{seed} {step} {answer:?}");
                        tight += usize::from(bound > 0.5 * answer.interval.lower && bound > 0.0);
                    });
                }
                // What is proved of ranges does not depend on what was asked before.
                let ends = [-0.003, 0.003].map(|d| values.iter().map(|v| v + d).collect::<Vec<f64>>());
                let ends = [&ends[0][..], &ends[1][..]];
                fresh.forget_history();
                let options = RangeOptions::default().margin(0.01);
                let answer = ranges.check_ranges(ends, &options, |_| PairWork::Halve).unwrap();
                let open: Vec<_> = answer.open.iter().map(|open| open.pair).collect();
                let complete = answer.complete;
                let answer = fresh.check_ranges(ends, &options, |_| PairWork::Halve).unwrap();
                assert_eq!(complete, answer.complete);
                assert_eq!(
                    open,
                    answer.open.iter().map(|open| open.pair).collect::<Vec<_>>(),
                    "{seed} {step}"
                );
            }
        }
        assert!(
            followed > 300 && handed * 4 < pairs && tight * 2 > pairs,
            "{followed} {handed} {pairs} {tight}"
        );
    }
}
