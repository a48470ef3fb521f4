//! Which boxes of a tree a moving body could touch while the joints change and the boxes stay.
//!
//! No point of the body moves farther than its swell: the sum over its joints of turn times lever arm at the
//! pose. The tree proves clear, all at once, everything whose boxes are farther away.

use super::asker::Around;
use super::lever::lever;
use super::motion_bounds::{Kind, MotionBounds};
use crate::bounds::hierarchy::{Child, WIDTH, WideTree};
use crate::bounds::{AlignedBox, Ball};
use crate::model::id::{BodyId, BodyPair};
use crate::model::movable_pairs::MovablePartner;
use crate::motion::tolerance::{MOTION_FACTOR, SWEEP_ROUNDING};
use crate::pose::frames::Pose;
use alloc::vec::Vec;
use elbowroom_describe::math::vec3;

/// How far any point of a body can be from where it is at a pose.
fn swell(bounds: &MotionBounds, pose: &Pose, body: BodyId, ball: &Ball, change: &[f64]) -> f64 {
    let Some(chain) = bounds.carried(pose, body) else { return f64::INFINITY };
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

/// Scratch of the search for what is near a moving body.
#[derive(Clone, Debug)]
pub(crate) struct Near {
    /// What was found, sorted.
    pub indices: Vec<u32>,
    stack: Vec<u32>,
    /// The most that is found for one body before it is cut off, and whether that happened.
    most: usize,
    pub full: bool,
}

impl Default for Near {
    fn default() -> Near {
        Near { indices: Vec::new(), stack: Vec::new(), most: usize::MAX, full: false }
    }
}

impl Near {
    /// That finds at most so many, and then says that it is full. It allocates nothing later.
    pub fn with_room(most: usize) -> Near {
        Near { indices: Vec::with_capacity(most), stack: Vec::with_capacity(most), most, full: false }
    }

    /// Finds the boxes of trees that a body could come within `margin` of; all others stay farther away. Each
    /// tree comes with the number of its first leaf. `index` gives the number that the leaf of such a box
    /// stands for; `None` for a leaf that does not count.
    pub fn find<'t>(
        &mut self,
        (pose, body): (&Pose, BodyId),
        trees: impl IntoIterator<Item = (u32, &'t WideTree)>,
        around: Around,
        margin: f64,
        index: impl Fn(u32) -> Option<u32>,
    ) {
        let Near { indices, stack, most, full } = self;
        let ball = pose.body_ball(body);
        let swell = swell(around.bounds, pose, body, &ball, around.change);
        let r = ball.radius + SWEEP_ROUNDING * (ball.radius + ball.center.norm());
        let r = vec3(r, r, r);
        indices.clear();
        for (first, tree) in trees {
            let query = tree.prepare_query(&AlignedBox { low: ball.center - r, high: ball.center + r });
            stack.clear();
            stack.extend(tree.root());
            while let Some(node) = stack.pop() {
                if stack.len().max(indices.len()).saturating_add(WIDTH) > *most {
                    *full = true;
                    break;
                }
                let gaps = tree.children_gaps(node, &query);
                for lane in 0..gaps.count {
                    if f64::from(gaps.lower[lane]) > swell + margin {
                        continue;
                    }
                    match gaps.child_at(lane) {
                        Child::Node(node) => stack.push(node),
                        Child::Leaf(leaf) => indices.extend(index(first + leaf)),
                    }
                }
            }
        }
        indices.sort_unstable();
        indices.dedup();
    }
}

/// Gives `add` the pairs of movable bodies that could come within `margin` of each other. Gives `found` each
/// body whose other pairs stay farther apart. Where both bodies of a pair move, `add` gets
/// the pair without a search.
pub(crate) fn movable_near(
    pose: &Pose,
    tree: &WideTree,
    around: Around,
    margin: f64,
    near: &mut Near,
    found: &mut impl FnMut(BodyId),
    mut add: impl FnMut(BodyPair),
) {
    let (world, pairs) = (pose.world, &pose.world.checks.pairs.movable);
    let Some(held) = pose.placements().map(|placements| &placements.held) else { return };
    let now = |movable: u32, partner: MovablePartner| {
        let pair = pose.checked_now(movable, partner)?;
        pairs.get(pair)
    };
    for (number, body) in (0..).zip(&pairs.moving) {
        let resting = |leaf: u32| {
            let partner = MovablePartner::Moving(number);
            (!held.contains(&leaf) && now(leaf, partner).is_some()).then_some(leaf)
        };
        near.find((pose, *body), [(0, tree)], around, margin, resting);
        found(*body);
        near.indices
            .iter()
            .chain(held)
            .filter_map(|leaf| now(*leaf, MovablePartner::Moving(number)))
            .for_each(&mut add);
    }
    // Clouds have no box in the tree, so all their pairs are added.
    let clouds = world.movables.capsules.len() - world.movables.clouds.len()..world.movables.capsules.len();
    for cloud in clouds.map(|cloud| cloud as u32) {
        let moving = (0..pairs.moving.len() as u32).map(MovablePartner::Moving);
        let partners = moving.chain(held.iter().map(|other| MovablePartner::Movable(*other)));
        partners.filter_map(|partner| now(cloud, partner)).for_each(&mut add);
    }
    let fixed = &world.bounds.fixed;
    for (k, &movable) in held.iter().enumerate() {
        let body = pairs.movable[movable as usize];
        let still = |leaf: u32| {
            let index = fixed.leaves[leaf as usize].fixed_index;
            now(movable, MovablePartner::Still(index)).is_some().then_some(index)
        };
        near.find((pose, body), fixed.trees(), around, margin, still);
        near.indices
            .iter()
            .filter_map(|index| now(movable, MovablePartner::Still(*index)))
            .for_each(&mut add);
        let resting = |leaf: u32| {
            (!held.contains(&leaf) && now(movable, MovablePartner::Movable(leaf)).is_some()).then_some(leaf)
        };
        near.find((pose, body), [(0, tree)], around, margin, resting);
        near.indices
            .iter()
            .filter_map(|leaf| now(movable, MovablePartner::Movable(*leaf)))
            .for_each(&mut add);
        found(body);
        held[..k].iter().filter_map(|other| now(movable, MovablePartner::Movable(*other))).for_each(&mut add);
    }
}
