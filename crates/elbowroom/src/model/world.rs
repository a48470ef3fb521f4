//! Robots and cell, compiled: flat arrays indexed by id, immutable, shareable between threads.
//!
//! A world knows everything that does not move and nothing that does: [`crate::pose::frames::Pose`] holds the
//! rest, one for each thread. Bodies are numbered robot by robot in the order of their descriptions, links in
//! file order, then the obstacles. Joint values form one flat vector, robot by robot, joints in file order;
//! fixed and mimic joints take none.
//!
//! Positions are kept in the *cell frame*: parallel to the world, with its origin at the first robot's base.
//! A cell ten kilometres from the world's origin is computed like one at the origin.

use crate::bounds::fit::Cloud;
use crate::bounds::heights::Heights;
use crate::bounds::hierarchy::Tree;
use crate::bounds::inside::Inside;
use crate::bounds::lanes::CapsuleRecord;
use crate::bounds::on_body::OnBody;
use crate::bounds::{AlignedBox, Ball, BodyBox, Capsule};
use crate::model::checked::CheckedPairs;
use crate::model::describe::JointKind;
use crate::model::fixed::FixedShapes;
use crate::model::groups::CollisionGroup;
use crate::model::id::{BodyId, BodyPair, GroupId, PairId, RobotId};
use crate::model::pairs::{CELL, PairRules, PairStatus};
use crate::model::step::Step;
use crate::numeric::math::{Transform, Vec3};
use crate::numeric::padded::PaddedTransform;
use crate::numeric::pose_error::PoseError;
use crate::numeric::tolerance::{NORM_ROUNDING, SHIFT_PER_OFFSET, TURN_OF_PRODUCT};
use crate::shape::solid::Shape;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// A link or an obstacle.
#[derive(Clone, Debug)]
pub struct Body {
    /// Full name: `robot/link` or `world/obstacle`.
    pub name: Box<str>,
    /// The robot whose link it is; `None` for obstacles.
    pub robot: Option<RobotId>,
    /// Its shapes: a range of shape numbers.
    pub shapes: Range<u32>,
    /// The step that moves it; [`STILL`] if none does.
    pub(crate) step: u32,
    /// Where in `World::balls` the ball around its shapes is; [`OF_SHAPE`] if it is that of its one shape, or
    /// there is none.
    pub(crate) ball: u32,
}

/// In `Body::ball`.
pub(crate) const OF_SHAPE: u32 = u32::MAX;

/// In `Body::step`: it never moves.
pub(crate) const STILL: u32 = u32::MAX;

/// A shape on a body.
#[derive(Clone, Debug)]
pub struct BodyShape {
    /// Whose it is.
    pub body: BodyId,
    /// The shape.
    pub shape: Shape,
    /// Bound on the distance of the shape's points from its frame's origin (metres).
    pub(crate) size: f64,
    /// What its file calls it, if it does.
    pub(crate) name: Option<Box<str>>,
    /// Where it is on the body; `None` for the identity.
    pub(crate) placement: Option<Box<Placement>>,
}

/// Where a shape is on its body.
#[derive(Clone, Debug)]
pub(crate) struct Placement {
    pub shape_in_body: Transform,
    /// Defect of its rotation.
    pub defect: f64,
    /// Length of its translation (metres).
    pub arm: f64,
    /// The shape's ball in the body's frame.
    pub ball: Ball,
}

impl BodyShape {
    /// Its frame in the body's frame.
    pub fn shape_in_body(&self) -> Transform {
        self.placement.as_ref().map_or(Transform::IDENTITY, |p| p.shape_in_body)
    }
    /// What its file calls it; `None` where it does not.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
    /// Distance of its frame's origin from the body's (metres).
    pub(crate) fn arm(&self) -> f64 {
        self.placement.as_ref().map_or(0.0, |p| p.arm)
    }
    /// Defect of the rotation of its frame in the body's.
    pub(crate) fn defect(&self) -> f64 {
        self.placement.as_ref().map_or(0.0, |p| p.defect)
    }
    /// It on its body, for bounds.
    pub(crate) fn on_body(&self) -> OnBody<'_> {
        let (shape_in_body, defect, arm) = (self.shape_in_body(), self.defect(), self.arm());
        OnBody { shape: &self.shape, shape_in_body, size: self.size, defect, arm }
    }
    /// Its frame in the cell, and what that may be off by, from those of its body.
    #[inline]
    pub(crate) fn in_cell(&self, body_in_cell: Transform, error: PoseError) -> (Transform, PoseError) {
        match &self.placement {
            Some(p) => (body_in_cell * p.shape_in_body, error.then(p.arm, p.defect + TURN_OF_PRODUCT)),
            None => (body_in_cell, error),
        }
    }
    /// Its ball in the body's frame.
    #[inline]
    pub(crate) fn ball(&self) -> Ball {
        match &self.placement {
            Some(placement) => placement.ball,
            None => Placement::ball(&self.shape, &Transform::IDENTITY, 0.0),
        }
    }
}

impl Placement {
    /// The ball of a shape moves into the body's frame, wider by what that may be off.
    #[inline]
    pub fn ball(shape: &Shape, at: &Transform, defect: f64) -> Ball {
        let moved =
            shape.center.norm() * (defect + SHIFT_PER_OFFSET) + at.translation.norm() * SHIFT_PER_OFFSET;
        Ball { center: at.point(shape.center), radius: (shape.reach + moved) * (1.0 + NORM_ROUNDING) }
    }
}

/// A joint, as described, for people and messages.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Full name: `robot/joint`.
    pub name: String,
    /// How it moves.
    pub kind: JointKind,
    /// The link it hangs on.
    pub parent: BodyId,
    /// The link it moves.
    pub child: BodyId,
    /// Its values in the flat vector; empty for fixed and mimic joints.
    pub values: Range<usize>,
    /// What a mimic joint follows; `None` for every other joint.
    pub follows: Option<Follows>,
}

/// The rule of a mimic joint, chains of mimics followed to their source: its value is `scale * value +
/// offset` (radians or metres).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Follows {
    /// Index into the flat vector.
    pub value: usize,
    /// Factor.
    pub scale: f64,
    /// Offset.
    pub offset: f64,
}

/// A robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Robot {
    /// Name within the world.
    pub name: String,
    /// Its links: a range of body numbers.
    pub links: Range<u32>,
    /// Its joint values in the flat vector.
    pub values: Range<usize>,
    /// Its base in the world.
    pub base_in_world: Transform,
}

/// Limits of a joint value: `lower <= scale * value + offset <= upper` (radians or metres). Scale 1 and
/// offset 0, unless a mimic's own limits bound the value that it follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueLimits {
    /// Index into the flat vector.
    pub value: usize,
    /// Index of the joint whose limits these are.
    pub joint: usize,
    /// Factor.
    pub scale: f64,
    /// Offset.
    pub offset: f64,
    /// Smallest allowed.
    pub lower: f64,
    /// Largest allowed.
    pub upper: f64,
}

/// A capsule around a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyCapsule {
    pub body: BodyId,
    /// The step that moves the body; [`STILL`] if none does.
    pub step: u32,
    /// In the body's frame.
    pub capsule: Capsule,
    /// The same made ready.
    pub record: CapsuleRecord,
    /// A box: where a body is not long, it is smaller.
    pub body_box: BodyBox,
}

impl BodyCapsule {
    /// A box around the body, in the cell frame; `record` is the capsule where the body is.
    #[inline]
    pub fn box_around(&self, body_in_cell: &Transform, record: &CapsuleRecord) -> AlignedBox {
        // How far the body's points may be from where it is placed.
        let room = record.radius() - self.capsule.radius;
        let (own, round) = (self.body_box.around(body_in_cell, room), record.around());
        AlignedBox { low: own.low.max(round.low), high: own.high.min(round.high) }
    }
}

/// What values are, for checks before they are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueKind {
    /// An angle.
    Angle,
    /// A length.
    Length,
    /// First of the four numbers of a quaternion.
    Quaternion,
    /// One of the other three.
    QuaternionRest,
}

/// Robots and their cell, compiled by [`World::compile`]: immutable, and one for all threads. Each thread has
/// a [`Checker`](crate::Checker) that borrows it. What both will ever keep is fixed then: [`World::memory`].
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
/// # use example::rod_and_post;
/// use elbowroom::{PairId, World};
///
/// // The rod of the crate's first example, and the post at (0, 1, 0).
/// let world = World::compile(&rod_and_post([0.0, 1.0, 0.0]))?;
/// assert_eq!((world.value_names(), world.neutral_values()), (&["rod/turn".to_string()][..], vec![0.0]));
/// assert_eq!((world.pairs().len(), world.allowed_count(), world.margin()), (1, 2, 0.01));
/// assert_eq!(world.pair_names(PairId(0)), Some(["rod/arm", "world/post"]));
/// # Ok::<(), elbowroom::Faults>(())
/// ```
///
/// The page of [`world`](crate::world) has more.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) robots: Vec<Robot>,
    pub(crate) bodies: Vec<Body>,
    pub(crate) shapes: Vec<BodyShape>,
    /// Balls around links, and around obstacles of several shapes, in their frames.
    pub(crate) balls: Vec<Ball>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) value_names: Vec<String>,
    pub(crate) value_kinds: Vec<ValueKind>,
    pub(crate) limits: Vec<ValueLimits>,
    /// Parents before children.
    pub(crate) steps: Vec<Step>,
    /// The step of each step's parent, or [`ROOT`](crate::model::step::ROOT) and a number of `roots`.
    pub(crate) step_parents: Vec<u32>,
    /// What steps hang on that never moves, in the cell frame.
    pub(crate) roots: Vec<PaddedTransform>,
    /// Poses of the bodies that never move, in the cell frame; the others start at the identity.
    pub(crate) start_in_cell: Vec<Transform>,
    /// Worst error of each body's pose while all values are within limits, or of fixed bodies only if not
    /// `bounded`.
    pub(crate) errors: Vec<PoseError>,
    /// True if limits bound every number that errors depend on.
    pub(crate) bounded: bool,
    /// A robot has no shape at all.
    pub(crate) blind: bool,
    /// Shapes of moving bodies, and moving bodies with shapes.
    pub(crate) moving: Vec<BodyId>,
    pub(crate) rules: PairRules,
    pub(crate) pairs: CheckedPairs,
    /// The shapes of `pairs.fixed`.
    pub(crate) fixed: FixedShapes,
    pub(crate) groups: Vec<CollisionGroup>,
    /// With how many pairs of bodies are checked between them.
    pub(crate) index_set: Vec<([GroupId; 2], usize)>,
    /// Capsules around bodies, in their frames: of the moving ones, in the order of `moving`, then of the
    /// fixed ones that listed pairs need.
    pub(crate) capsules: Vec<BodyCapsule>,
    /// Their radii in the cell frame, wherever the bodies are while all values are within limits.
    pub(crate) radii: Vec<f64>,
    /// The listed pairs in the order in which they are bounded: those first that tests have to look at.
    pub(crate) order: Vec<u32>,
    /// By listed pair, what is proved at every configuration within limits to be no more than its signed
    /// distance (metres).
    pub(crate) floors: Vec<f64>,
    /// How many of `order` tests look at: all others are proved to stay farther apart than the margin at
    /// every configuration within limits.
    pub(crate) near: usize,
    /// The least that is proved of the others, and of which; infinite if there are none.
    pub(crate) floor: (f64, PairId),
    /// Of bodies that tests look at, by capsule.
    pub(crate) heights: Vec<Option<Heights>>,
    pub(crate) insides: Vec<Option<Inside>>,
    /// The capsules of each listed pair, in that order.
    pub(crate) listed_capsules: Vec<[u32; 2]>,
    /// The capsule of each crowd's body.
    pub(crate) crowd_capsules: Vec<u32>,
    /// The moving bodies of the crowds, joined by what is near in the neutral pose.
    pub(crate) crowd_tree: Tree,
    /// Where each listed pair's memory of shape queries begins; `COLD` if it keeps none.
    pub(crate) memory: Vec<u32>,
    pub(crate) memory_size: usize,
    pub(crate) origin_in_world: Vec3,
    pub(crate) margin: f64,
    /// A hash of all that a pose must fit.
    pub(crate) fingerprint: u64,
}

/// In `World::memory`: this pair starts every query cold.
pub(crate) const COLD: u32 = u32::MAX;

impl World {
    /// Robots in the order of their description.
    pub fn robots(&self) -> &[Robot] {
        &self.robots
    }
    /// Bodies by [`BodyId`].
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }
    /// Shapes by [`ShapeId`](crate::model::id::ShapeId).
    pub fn shapes(&self) -> &[BodyShape] {
        &self.shapes
    }
    /// Joints, robot by robot, in file order.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }
    /// Full names of the joint values: `robot/joint`; `robot/joint/x`, `/y`, `/theta` for planar joints;
    /// `robot/joint/trans_x`, `trans_y`, `trans_z`, `rot_w`, `rot_x`, `rot_y`, `rot_z` for floating ones.
    pub fn value_names(&self) -> &[String] {
        &self.value_names
    }
    /// Limits as they are declared, each on one value: a mimic joint's own limits are on the value that it
    /// follows, so that there may be more of them than values, or fewer. By value: [`World::value_ranges`].
    pub fn limits(&self) -> &[ValueLimits] {
        &self.limits
    }
    /// The checked pairs by [`PairId`].
    pub fn pairs(&self) -> &CheckedPairs {
        &self.pairs
    }
    /// The collision groups by [`GroupId`].
    pub fn groups(&self) -> &[CollisionGroup] {
        &self.groups
    }
    /// The index set (henrich92 section 3): the unordered pairs of groups between which something is checked,
    /// each once. A group with itself: pairs within it are checked.
    pub fn index_set(&self) -> impl ExactSizeIterator<Item = [GroupId; 2]> + '_ {
        self.index_set.iter().map(|(pair, _)| *pair)
    }
    /// What is proved of how near a checked pair can ever come, at any configuration within limits: a lower
    /// bound on its signed distance (metres). `None` where nothing is proved, for numbers of another world,
    /// and of bodies in crowds of fixed ones, for which [`Swept::gap`](crate::motion::Swept::gap) tells.
    pub fn never_nearer(&self, pair: PairId) -> Option<f64> {
        self.floors.get(pair.index()).copied().filter(|floor| *floor > f64::NEG_INFINITY)
    }
    /// Orders the listed pairs by whether tests have to look at them.
    pub(crate) fn split(&mut self, floors: &[f64]) {
        // What was proved once stays proved: who has taken the others out of account keeps being right.
        self.floors.resize(floors.len(), f64::NEG_INFINITY);
        self.floors.iter_mut().zip(floors).for_each(|(known, floor)| *known = known.max(*floor));
        let floors = core::mem::take(&mut self.floors);
        let slots: Vec<(u32, [u32; 2])> =
            self.order.iter().copied().zip(self.listed_capsules.iter().copied()).collect();
        let far = |pair: &u32| floors[*pair as usize] > self.margin.max(0.0);
        let mut slots: Vec<(bool, u32, [u32; 2])> =
            slots.into_iter().map(|(pair, c)| (far(&pair), pair, c)).collect();
        slots.sort_unstable();
        self.near = slots.iter().filter(|(far, ..)| !far).count();
        self.floor = (f64::INFINITY, PairId(0));
        for (_, pair, _) in &slots[self.near..] {
            if floors[*pair as usize] < self.floor.0 {
                self.floor = (floors[*pair as usize], PairId(*pair));
            }
        }
        self.order = slots.iter().map(|(_, pair, _)| *pair).collect();
        self.listed_capsules = slots.into_iter().map(|(.., capsules)| capsules).collect();
        self.floors = floors;
    }

    /// A hash of everything that poses, and what is proved of pairs, depend on: shapes, places, joints,
    /// limits, which pairs are checked, and the margin. Worlds of different numbers differ; it may change
    /// from one version of this crate to the next.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
    /// The margin of the description (metres).
    pub fn margin(&self) -> f64 {
        self.margin
    }
    /// The body of a full name.
    pub fn body_named(&self, name: &str) -> Option<BodyId> {
        self.bodies.iter().position(|b| *b.name == *name).map(|i| BodyId(i as u32))
    }
    /// The collision group of a name: a robot's, `world` for the fixed obstacles, or what the description's
    /// checks call it.
    pub fn group_named(&self, name: &str) -> Option<GroupId> {
        self.groups.iter().position(|g| g.name == name).map(|i| GroupId(i as u32))
    }
    /// Index of the joint value of a full name.
    pub fn value_named(&self, name: &str) -> Option<usize> {
        self.value_names.iter().position(|n| n == name)
    }
    /// The shapes of a body, in its frame; none for a body of another world.
    pub(crate) fn on_body(&self, body: BodyId) -> impl Iterator<Item = OnBody<'_>> {
        let shapes = self.bodies.get(body.index()).map_or(0..0, |b| b.shapes.clone());
        self.shapes[shapes.start as usize..shapes.end as usize].iter().map(BodyShape::on_body)
    }
    /// What a body's bounds are fitted around, in its frame; empty if it has no shape, or if there is no such
    /// body.
    #[doc(hidden)]
    pub fn cloud_of(&self, body: BodyId) -> Cloud {
        Cloud::of_shapes(self.on_body(body))
    }
    /// Levels of the deepest tree of a mesh.
    pub(crate) fn mesh_depth(&self) -> usize {
        self.shapes.iter().map(|s| s.shape.mesh_depth()).max().unwrap_or(0)
    }
    /// The step that moves a body.
    #[inline]
    pub(crate) fn step_of(&self, body: BodyId) -> Option<&Step> {
        self.steps.get(self.bodies[body.index()].step as usize)
    }
    /// A ball around a body's shapes, in the body's frame; `None` without shapes.
    #[inline]
    pub(crate) fn ball_of(&self, body: BodyId) -> Option<Ball> {
        let body = &self.bodies[body.index()];
        match body.ball {
            OF_SHAPE => {
                self.shapes[body.shapes.start as usize..body.shapes.end as usize].first().map(BodyShape::ball)
            }
            stored => Some(self.balls[stored as usize]),
        }
    }
    /// The full names of a checked pair, or `None` for a number of another world.
    pub fn pair_names(&self, pair: PairId) -> Option<[&str; 2]> {
        let pair = self.pairs.get(pair)?;
        Some([&self.bodies[pair.a.index()].name, &self.bodies[pair.b.index()].name])
    }
    /// Whether a body moves in the cell, or hangs on something that does; `None` for a body of another world.
    pub fn moves(&self, body: BodyId) -> Option<bool> {
        self.rules.bodies.get(body.index()).map(|facts| facts.cluster != CELL)
    }
    /// The checked pairs of bodies that both never move: those that the description asks for by name.
    pub fn checked_between_fixed(&self) -> impl Iterator<Item = BodyPair> + '_ {
        let still = |id: BodyId| self.moves(id) == Some(false);
        self.pairs.listed.iter().copied().filter(move |pair| still(pair.a) && still(pair.b))
    }
    /// Robots without a single shape: nothing can be said about them, and no pose of the world is proved
    /// clear or near.
    pub fn robots_without_shapes(&self) -> impl Iterator<Item = &Robot> {
        let bare = |r: &&Robot| r.links.clone().all(|l| self.bodies[l as usize].shapes.is_empty());
        self.robots.iter().filter(bare)
    }
    /// The pairs of links of one robot, of those given, that one moving joint joins, or would join if links
    /// without shapes were left out: where they overlap at the zero pose,
    /// [`allow_zero_overlaps`](crate::model::describe::WorldDescription::allow_zero_overlaps) is about them.
    pub fn near_neighbours(&self, pairs: &[BodyPair]) -> Vec<BodyPair> {
        let above = self.rules.above_with_shapes();
        let known = |id: BodyId| id.index() < self.bodies.len();
        let near = |p: &&BodyPair| known(p.a) && known(p.b) && self.rules.near_neighbours(&above, p.a, p.b);
        pairs.iter().filter(near).copied().collect()
    }
    /// Number of pairs of bodies that are not checked.
    pub fn allowed_count(&self) -> usize {
        let n = self.bodies.len();
        n * n.saturating_sub(1) / 2 - self.pairs.len()
    }
    /// Whether two bodies are checked against each other; `None` for a body and itself and numbers of another
    /// world.
    pub fn status(&self, a: BodyId, b: BodyId) -> Option<PairStatus<'_>> {
        if a == b || a.index().max(b.index()) >= self.bodies.len() {
            return None;
        }
        if let Some(reason) = self.rules.reason(a, b) {
            return Some(PairStatus::Allowed(reason));
        }
        let pair = BodyPair { a: a.min(b), b: a.max(b) };
        self.pairs.find(pair).map(PairStatus::Checked)
    }
    /// Every pair of bodies with its status, in order.
    pub fn all_pairs(&self) -> impl Iterator<Item = (BodyId, BodyId, PairStatus<'_>)> {
        let count = self.bodies.len() as u32;
        (0..count)
            .flat_map(move |a| (a + 1..count).map(move |b| (BodyId(a), BodyId(b))))
            .filter_map(|(a, b)| self.status(a, b).map(|status| (a, b, status)))
    }
}

const _: () = {
    const fn shareable<T: Send + Sync>() {}
    shareable::<World>();
};
