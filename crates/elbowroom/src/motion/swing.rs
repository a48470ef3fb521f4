//! How far a body can swing as other bodies farther out on its chain see it: one sum for a whole row of
//! pairs.
//!
//! In a chain of `n` joints a pair is joined by up to `n` joints, and there are as many pairs as `n` squared.
//! Pairs of one body come in a row, each with a body one joint farther out. What its points can move, as the
//! outer body sees it, is the sum over the joints between of turn times lever arm, all at the pose, because
//! from the outer body on no joint moves those behind it. One joint more adds one term. The sum is never less
//! than [`super::lever::walk`] says, which takes the smaller arm of the two bodies at each joint. So it
//! clears no pair that the walk would not, and where it clears none the walk is taken.

use super::lever::lever;
use super::motion_bounds::{Kind, MotionBounds};
use crate::bounds::Ball;
use crate::model::id::{BodyId, BodyPair};
use crate::motion::tolerance::MOTION_FACTOR;
use crate::pose::frames::Pose;

/// The sum for the last pair. It holds for one pose and one change of values.
#[derive(Default)]
pub(super) struct Swing {
    last: Option<Last>,
}

/// The body that swings, the ball around it, and the sum over its joints up to the last body.
#[derive(Clone, Copy)]
struct Last {
    body: BodyId,
    ball: Ball,
    /// How many dofs carry the last body, and the last of them.
    count: usize,
    dof: Option<u32>,
    sum: f64,
}

impl Swing {
    /// How much nearer to each other the bodies of a pair can come, at most; infinite where B is not farther
    /// out on the chain of A.
    pub fn bound_approach(
        &mut self,
        bounds: &MotionBounds,
        pose: &Pose,
        pair: BodyPair,
        change: &[f64],
    ) -> f64 {
        let (Some(a), Some(b)) = (bounds.carried(pose, pair.a), bounds.carried(pose, pair.b)) else {
            return f64::INFINITY;
        };
        // Each dof follows one other. So the last dof of a chain shows whether another chain begins with it.
        let is_start = |count: usize, dof: Option<u32>| count == 0 || b.get(count - 1).copied() == dof;
        if !is_start(a.len(), a.last().copied()) {
            return f64::INFINITY;
        }
        let known = self.last.filter(|l| l.body == pair.a && l.count <= b.len() && is_start(l.count, l.dof));
        let mut last = known.unwrap_or_else(|| Last {
            body: pair.a,
            ball: pose.body_ball(pair.a),
            count: a.len(),
            dof: None,
            sum: 0.0,
        });
        #[cfg(test)]
        crate::tally::add(crate::tally::Work::Terms, b.len() - last.count);
        for dof in b[last.count..].iter().map(|i| &bounds.dofs[*i as usize]) {
            let amount = dof.amount(change);
            if amount > 0.0 {
                let arm = if matches!(dof.kind, Kind::Slide) { 1.0 } else { lever(dof, pose, &last.ball) };
                last.sum += amount * arm;
            }
        }
        (last.count, last.dof) = (b.len(), b.last().copied());
        self.last = Some(last);
        // One rounding more than the walk's, which adds in another order.
        last.sum * MOTION_FACTOR * MOTION_FACTOR
    }
}

#[cfg(test)]
mod tests {
    use super::super::lever::walk;
    use super::*;
    use crate::World;
    use crate::rng::Rng;
    use alloc::string::ToString;
    use alloc::vec;
    use alloc::vec::Vec;
    use elbowroom_describe::math::{Transform, vec3};
    use elbowroom_describe::{
        JointDescription, JointKind, JointLimits, LinkDescription, PlacedRobot, PlacedShape,
        RobotDescription, ShapeDescription, WorldDescription,
    };

    /// A chain with a branch: link `k` hangs on the one before, but for the branch.
    fn branched_chain(joints: usize, branch: usize, rng: &mut Rng) -> World {
        let along = Transform::from_translation(vec3(0.1, 0.02, 0.0));
        let links = (0..=joints).map(|k| {
            let shape = PlacedShape {
                name: "".into(),
                shape_in_body: along,
                shape: ShapeDescription::Sphere { radius: 0.02 },
                padding: 0.0,
            };
            LinkDescription { name: k.to_string(), shapes: vec![shape] }
        });
        let mut joint = |k: usize| JointDescription {
            name: k.to_string(),
            kind: if rng.chance(0.2) { JointKind::Prismatic } else { JointKind::Revolute },
            parent: if k == branch { 2 } else { k - 1 }.to_string(),
            child: k.to_string(),
            joint_in_parent: along,
            axis: rng.direction(),
            limits: Some(JointLimits { lower: -2.0, upper: 2.0 }),
            mimic: None,
        };
        let (links, joints) = (links.collect(), (1..=joints).map(&mut joint).collect());
        let robot = RobotDescription { name: "r".into(), links, joints, ..RobotDescription::default() };
        let placed = PlacedRobot { name: "r".into(), base_in_world: Transform::IDENTITY, robot };
        World::compile(&WorldDescription { robots: vec![placed], ..WorldDescription::default() }).unwrap()
    }

    #[test]
    fn the_sum_is_never_less_than_the_walk_and_knows_its_rows() {
        let rng = &mut Rng::new(5);
        let (mut known, mut unknown) = (0, 0);
        for _ in 0..20 {
            let world = branched_chain(12, 8, rng);
            let bounds = MotionBounds::new(&world);
            let mut pose = Pose::new(&world);
            let values: Vec<f64> = world.dof_names().iter().map(|_| rng.range(-1.0, 1.0)).collect();
            pose.set_values(&values).unwrap();
            let change: Vec<f64> = values.iter().map(|_| rng.range(-0.1, 0.2)).collect();
            let mut swing = Swing::default();
            for a in 0..13_u32 {
                // Some are left out, as pairs that are cleared are.
                for b in (a + 1..13).filter(|_| rng.chance(0.7)).collect::<Vec<_>>() {
                    let pair = BodyPair { a: BodyId(a), b: BodyId(b) };
                    let sum = swing.bound_approach(&bounds, &pose, pair, &change);
                    let balls = [a, b].map(|id| pose.body_ball(BodyId(id)));
                    let carried = [(pair.a, &balls[0]), (pair.b, &balls[1])];
                    let walked = walk(&bounds, &pose, carried, &change, |_, _| {});
                    let alone = Swing::default().bound_approach(&bounds, &pose, pair, &change);
                    let in_row = a <= 2 || (a < 8) == (b < 8);
                    assert_eq!(sum.is_finite(), in_row, "{a} {b}");
                    assert!(sum >= walked, "{a} {b}: {sum} {walked}");
                    assert!(!in_row || (sum - alone).abs() <= 1e-12 * sum, "{a} {b}: {sum} {alone}");
                    known += u32::from(in_row);
                    unknown += u32::from(!in_row);
                }
            }
        }
        assert!(known > 500 && unknown > 100, "{known} {unknown}");
    }
}
