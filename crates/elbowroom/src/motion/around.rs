//! What a moving body could touch among the crowd of fixed ones, while the joints change by so much.
//!
//! At every instant the body is within its swell of where it is: the sum over its joints of their turns times
//! its levers at the pose. Fixed shapes whose boxes are farther off are proved clear all at once, by the tree
//! over them.

use super::lever::lever;
use super::reach::{Kind, Reach};
use crate::bounds::hierarchy::Child;
use crate::bounds::{AlignedBox, Ball};
use crate::model::checked::Crowd;
use crate::model::world::World;
use crate::motion::tolerance::{MOTION_FACTOR, SWEEP_ROUNDING};
use crate::numeric::math::vec3;
use crate::pose::frames::Pose;
use alloc::vec::Vec;

/// How far any point of a body can be from where it is at a pose.
fn swell(reach: &Reach, pose: &Pose, crowd: &Crowd, ball: &Ball, change: &[f64]) -> f64 {
    let Some(chain) = reach.chain(crowd.body) else { return f64::INFINITY };
    let mut sum = 0.0;
    // From the base on: when a joint has its turn, what hangs on it is bent as it was, and the lever is that
    // of the pose.
    for part in chain.iter().map(|i| &reach.parts[*i as usize]) {
        let amount = part.amount(change);
        if amount <= 0.0 {
            continue;
        }
        sum += match part.kind {
            Kind::Slide => amount,
            Kind::Turn(_) | Kind::Spin => amount * lever(part, pose, ball),
        };
    }
    sum * MOTION_FACTOR
}

/// Places of the fixed bodies that the body of a crowd could come within `clearance` of, sorted, into
/// `places`; `stack` is work space. Returns the body's swell: all others stay farther off.
#[allow(clippy::too_many_arguments)]
pub(crate) fn near(
    world: &World,
    pose: &Pose,
    reach: &Reach,
    crowd: &Crowd,
    change: &[f64],
    clearance: f64,
    stack: &mut Vec<u32>,
    places: &mut Vec<u32>,
) -> f64 {
    let (fixed, ball) = (&world.fixed, pose.body_ball(world, crowd.body));
    let swell = swell(reach, pose, crowd, &ball, change);
    let r = ball.radius + SWEEP_ROUNDING * (ball.radius + ball.center.norm());
    let r = vec3(r, r, r);
    let query = fixed.tree.query(&AlignedBox { low: ball.center - r, high: ball.center + r });
    stack.clear();
    places.clear();
    stack.extend(fixed.tree.root());
    while let Some(node) = stack.pop() {
        let gaps = fixed.tree.children_gaps(node, &query);
        for lane in 0..gaps.count {
            if f64::from(gaps.lower[lane]) > swell + clearance {
                continue;
            }
            match gaps.child(lane) {
                Child::Node(node) => stack.push(node),
                Child::Leaf(leaf) => {
                    let place = fixed.places[leaf as usize];
                    if crowd.checks(place) {
                        places.push(place);
                    }
                }
            }
        }
    }
    places.sort_unstable();
    places.dedup();
    swell
}
