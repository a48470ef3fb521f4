//! Which fixed bodies of a crowd a moving body could touch while the joints change.
//!
//! No point of the body moves farther than its swell: the sum over its joints of turn times lever arm at the
//! pose. The tree over fixed shapes proves clear, all at once, the shapes whose boxes are farther away.

use super::asker::Around;
use super::lever::lever;
use super::motion_bounds::{Kind, MotionBounds};
use crate::bounds::hierarchy::Child;
use crate::bounds::{AlignedBox, Ball};
use crate::model::checked_pairs::Crowd;
use crate::motion::tolerance::{MOTION_FACTOR, SWEEP_ROUNDING};
use crate::numeric::math::vec3;
use crate::pose::frames::Pose;
use alloc::vec::Vec;

/// How far any point of a body can be from where it is at a pose.
fn swell(bounds: &MotionBounds, pose: &Pose, crowd: &Crowd, ball: &Ball, change: &[f64]) -> f64 {
    let Some(chain) = bounds.chain(crowd.body) else { return f64::INFINITY };
    let mut sum = 0.0;
    // From the base on: when a joint is changed, those behind it are still unchanged, so the lever arm is
    // that of the pose.
    for dof in chain.iter().map(|i| &bounds.dofs[*i as usize]) {
        let amount = dof.amount(change);
        if amount <= 0.0 {
            continue;
        }
        sum += match dof.kind {
            Kind::Slide => amount,
            Kind::Turn(_) | Kind::Spin => amount * lever(dof, pose, ball),
        };
    }
    sum * MOTION_FACTOR
}

/// Scratch of the search for fixed bodies near a moving one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Near {
    /// Indices of the fixed bodies that were found, sorted.
    pub indices: Vec<u32>,
    stack: Vec<u32>,
}

impl Near {
    /// Finds the fixed bodies that the body of a crowd could come within `margin` of; all others stay farther
    /// away. Returns the body's swell.
    pub fn find(&mut self, pose: &Pose, crowd: &Crowd, around: Around, margin: f64) -> f64 {
        let Near { indices, stack } = self;
        let (fixed, ball) = (&pose.world.bounds.fixed, pose.body_ball(crowd.body));
        let swell = swell(around.bounds, pose, crowd, &ball, around.change);
        let r = ball.radius + SWEEP_ROUNDING * (ball.radius + ball.center.norm());
        let r = vec3(r, r, r);
        let query = fixed.tree.query(&AlignedBox { low: ball.center - r, high: ball.center + r });
        stack.clear();
        indices.clear();
        stack.extend(fixed.tree.root());
        while let Some(node) = stack.pop() {
            let gaps = fixed.tree.children_gaps(node, &query);
            for lane in 0..gaps.count {
                if f64::from(gaps.lower[lane]) > swell + margin {
                    continue;
                }
                match gaps.child(lane) {
                    Child::Node(node) => stack.push(node),
                    Child::Leaf(leaf) => {
                        let index = fixed.fixed_index[leaf as usize];
                        if crowd.checks(index) {
                            indices.push(index);
                        }
                    }
                }
            }
        }
        indices.sort_unstable();
        indices.dedup();
        swell
    }
}
