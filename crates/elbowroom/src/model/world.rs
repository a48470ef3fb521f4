//! Robots and their cell, compiled: flat arrays indexed by id. A world is immutable, and all threads share
//! it. Each of its fields is made complete by one function of [`crate::model::compile`].
//!
//! A world has what does not depend on joint values; [`crate::pose::frames::Pose`] has what does, one for
//! each thread. Bodies are numbered: first the links, robot by robot and in file order, then the obstacles.
//! All joint values form one flat vector, robot by robot and in file order. Fixed and mimic joints have no
//! value in it.
//!
//! Positions are kept in the *cell frame*: its axes are the world's, its origin is the first robot's base.
//! So a cell ten kilometres from the world's origin is computed like one at the origin.

use crate::bounds::fit::BallSet;
use crate::model::body::Body;
use crate::model::body_bounds::BodyBounds;
use crate::model::checked_pairs::CheckedPairs;
use crate::model::checks::Checks;
use crate::model::groups::CollisionGroup;
use crate::model::id::{BodyId, BodyPair, GroupId, PairId};
use crate::model::kinematics::{Joint, Kinematics, Robot, ValueLimits};
use crate::model::movables::Movables;
use crate::model::pads::Pad;
use crate::model::pairs::{FIXED_CLUSTER, PairStatus};
use crate::model::proofs::Proofs;
use crate::model::solids::{BodyShape, Solids};
use crate::model::starts::Starts;
use crate::numeric::layered::Layered;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Robots and their cell, compiled by [`World::compile`]: immutable, and one for all threads. Each thread has
/// a [`Checker`](crate::Checker) that borrows it. Neither allocates later.
///
/// ```
/// use elbowroom::describe::examples::rod_and_post;
/// use elbowroom::{PairId, World};
///
/// // The rod of the crate's first example, and the post at (0, 1, 0).
/// let world = World::compile(&rod_and_post())?;
/// assert_eq!((world.dof_names(), world.neutral_values()), (&["rod/turn".to_string()][..], vec![0.0]));
/// assert_eq!((world.pairs().len(), world.allowed_count(), world.margin()), (1, 2, 0.01));
/// assert_eq!(world.pair_names(PairId(0)), Some(["rod/arm", "world/post"]));
/// let pair = world.pairs().get(PairId(0)).expect("one is checked");
/// assert_eq!(world.body_names(pair), Some(["rod/arm", "world/post"]));
/// # Ok::<(), elbowroom::Faults>(())
/// ```
///
/// The page of [`world`](crate::world) has more.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) solids: Solids,
    pub(crate) kinematics: Kinematics,
    pub(crate) checks: Checks,
    pub(crate) bounds: BodyBounds,
    pub(crate) proofs: Arc<Proofs>,
    pub(crate) starts: Starts,
    pub(crate) movables: Movables,
    pub(crate) margin: f64,
    /// True if some robot has no shape at all: then no pose is proved clear.
    pub(crate) blind: bool,
    /// A hash of everything that poses and proofs depend on.
    pub(crate) fingerprint: u64,
    /// The sum of the hashes of all bodies, a part of it.
    pub(crate) bodies_hash: u64,
    /// The fingerprint that it was compiled with; edited worlds keep it.
    pub(crate) lineage: u64,
    /// Soft parts of links, if there are any, and the world that is left when they are pressed in.
    pub(crate) pads: Option<Arc<Pads>>,
}

/// The pads of a world, at least one. In the *drawn-back world* the links with pads have the shapes that are
/// left of them ([`elbowroom_pair::shape::drawn_back`]). Everything else is the same: bodies, joints, which
/// pairs are checked, and their numbers. So every question about the drawn-back bodies is one to that world,
/// at the same pose.
#[derive(Clone, Debug)]
pub(crate) struct Pads {
    pub list: Vec<Pad>,
    pub drawn_back: World,
}

impl World {
    /// Robots in the order of their description.
    pub fn robots(&self) -> &[Robot] {
        &self.kinematics.robots
    }
    /// Bodies by [`BodyId`]. Those that an edit removed still have their numbers: see [`World::has_body`].
    pub fn bodies(&self) -> &Layered<Body> {
        &self.solids.bodies
    }
    /// Shapes by [`ShapeId`](crate::model::id::ShapeId).
    pub fn shapes(&self) -> &Layered<BodyShape> {
        &self.solids.shapes
    }
    /// Joints, robot by robot, in file order.
    pub fn joints(&self) -> &[Joint] {
        &self.kinematics.joints
    }
    /// Full names of the joint values: `robot/joint`; `robot/joint/x`, `/y`, `/theta` for planar joints;
    /// `robot/joint/trans_x`, `trans_y`, `trans_z`, `rot_w`, `rot_x`, `rot_y`, `rot_z` for floating ones.
    pub fn dof_names(&self) -> &[String] {
        &self.kinematics.dof_names
    }
    /// Limits as they are declared. A mimic joint's own limits bound the value that it follows, so a value
    /// can have several limits, or none. [`World::value_ranges`] has them combined, by value.
    pub fn limits(&self) -> &[ValueLimits] {
        &self.kinematics.limits
    }
    /// The checked pairs by [`PairId`].
    pub fn pairs(&self) -> &CheckedPairs {
        &self.checks.pairs
    }
    /// The collision groups by [`GroupId`].
    pub fn groups(&self) -> &[CollisionGroup] {
        &self.checks.groups
    }
    /// The index set (henrich92 section 3): the unordered pairs of groups between which pairs of bodies are
    /// checked, each once. A group is paired with itself where pairs within it are checked. With movable
    /// bodies all pairs of groups are given, because what a robot holds is in the robot's group.
    pub fn index_set(&self) -> impl ExactSizeIterator<Item = [GroupId; 2]> + '_ {
        self.checks.index_set.iter().map(|(pair, _)| *pair)
    }
    /// A proved lower bound on the signed distance of a checked pair at every configuration within limits
    /// (metres). `None` where nothing is proved, and for a number that this world does not have. A number of
    /// another world means something else here. `None` also where a moving body is checked against many fixed
    /// ones: [`Swept::gap`](crate::motion::bounds::Swept::gap) bounds those pairs.
    pub fn never_nearer(&self, pair: PairId) -> Option<f64> {
        self.proofs.floors.get(pair.index()).copied().filter(|floor| *floor > f64::NEG_INFINITY)
    }
    /// A hash of everything that poses and proofs depend on: shapes and their frames, joints, limits, the
    /// checked pairs, the margin, and the links with their pads drawn back. Worlds with different hashes
    /// differ. Another version of this crate may give the same world another hash.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
    /// The margin of the description (metres).
    pub fn margin(&self) -> f64 {
        self.margin
    }
    /// The soft parts of links, in the order of their description.
    pub fn pads(&self) -> &[Pad] {
        self.pads.as_ref().map_or(&[], |pads| &pads.list)
    }
    /// The world in which all pads are pressed in as far as they go, if there are any. It has the same
    /// bodies, joints and pairs, with the same numbers. A link in it contains the link's rigid core, and lies
    /// in the declared link to within a ten-thousandth of a millimetre. Searches of motions and proofs ask it
    /// as any other world: what is proved apart there touches no more than pads, within their depths.
    pub fn drawn_back(&self) -> Option<&World> {
        self.pads.as_ref().map(|pads| &pads.drawn_back)
    }
    /// The pads on two bodies.
    pub fn pads_of(&self, pair: BodyPair) -> impl Iterator<Item = &Pad> {
        self.pads().iter().filter(move |pad| pad.body == pair.a || pad.body == pair.b)
    }
    /// Whether this is another world with its pads drawn back.
    pub(crate) fn is_drawn_back_from(&self, other: &World) -> bool {
        other.drawn_back().is_some_and(|drawn_back| core::ptr::eq(drawn_back, self))
    }
    /// Whether a body is there: false for one that an edit removed, and for a number that this world does not
    /// have.
    pub fn has_body(&self, body: BodyId) -> bool {
        body.index() < self.solids.bodies.len() && !self.solids.is_removed(body)
    }
    /// The body with a full name.
    pub fn body_by_name(&self, name: &str) -> Option<BodyId> {
        self.solids.find_body(name)
    }
    /// The collision group with a name: a robot's name, `world` for the fixed obstacles, or a name from the
    /// description's list of checks.
    pub fn group_by_name(&self, name: &str) -> Option<GroupId> {
        self.checks.groups.iter().position(|g| g.name == name).map(|i| GroupId(i as u32))
    }
    /// Index of the joint value with a full name.
    pub fn dof_by_name(&self, name: &str) -> Option<usize> {
        self.kinematics.dof_names.iter().position(|n| n == name)
    }
    /// What a body's bounds are fitted around, in its frame; empty for a body without shapes, and for a
    /// number that this world does not have.
    pub fn ball_set(&self, body: BodyId) -> BallSet {
        if !self.has_body(body) {
            return BallSet::default();
        }
        self.solids.ball_set(body)
    }
    /// The full names of a checked pair. `None` for a number that this world does not have. A number of
    /// another world means something else here.
    pub fn pair_names(&self, pair: PairId) -> Option<[&str; 2]> {
        self.body_names(self.checks.pairs.get(pair)?)
    }
    /// The full names of two bodies, checked against each other or not, as in
    /// [`Edge::Contact`](crate::motion::Edge::Contact). `None` for a number that this world does not have. A
    /// number of another world means something else here.
    pub fn body_names(&self, pair: BodyPair) -> Option<[&str; 2]> {
        let name = |id: BodyId| self.has_body(id).then(|| &*self.solids.bodies[id.index()].name);
        Some([name(pair.a)?, name(pair.b)?])
    }
    /// Whether a body can move in the cell. `None` for a number that this world does not have. A number of
    /// another world means something else here.
    pub fn can_move(&self, body: BodyId) -> Option<bool> {
        self.has_body(body).then(|| self.checks.rules.bodies[body.index()].cluster != FIXED_CLUSTER)
    }
    /// Whether fixed joints or an attachment join two bodies for good, so that they move as one. Bodies that
    /// never move are not joined. `None` for a number that this world does not have.
    pub fn is_joined(&self, pair: BodyPair) -> Option<bool> {
        let cluster = |id: BodyId| self.has_body(id).then(|| self.checks.rules.bodies[id.index()].cluster);
        let (a, b) = (cluster(pair.a)?, cluster(pair.b)?);
        Some(a == b && a != FIXED_CLUSTER)
    }
    /// The checked pairs of two bodies that never move: the description asks for them by name.
    pub fn checked_between_fixed(&self) -> impl Iterator<Item = BodyPair> + '_ {
        let still = |id: BodyId| self.can_move(id) == Some(false);
        self.checks.pairs.listed.iter().copied().filter(move |pair| still(pair.a) && still(pair.b))
    }
    /// Robots without a single shape. Nothing can be proved about them, so no pose of the world is proved
    /// clear or near.
    pub fn robots_without_shapes(&self) -> impl Iterator<Item = &Robot> {
        self.kinematics.robots.iter().filter(|robot| self.solids.is_bare(robot.links.clone()))
    }
    /// Those of the given pairs whose two links one moving joint joins, or would join if links without shapes
    /// were left out. Where such links overlap at the zero pose, a description can allow the pair by
    /// [`allow_zero_overlaps`](elbowroom_describe::WorldDescription::allow_zero_overlaps).
    pub fn near_neighbours(&self, pairs: &[BodyPair]) -> Vec<BodyPair> {
        let above = self.checks.rules.above_with_shapes();
        let known = |id: BodyId| id.index() < self.solids.bodies.len();
        let near =
            |p: &&BodyPair| known(p.a) && known(p.b) && self.checks.rules.near_neighbours(&above, p.a, p.b);
        pairs.iter().filter(near).copied().collect()
    }
    /// How many corners a shape can have that fills a spare place; `None` for a body that is none.
    pub fn spare_room(&self, body: BodyId) -> Option<usize> {
        let spare = self.movables.spare_number(self.checks.pairs.movable.index(body)?)?;
        Some(self.movables.spares[spare])
    }
    /// How many points of a cloud there is room for; `None` for a body that is none.
    pub fn cloud_room(&self, body: BodyId) -> Option<usize> {
        let cloud = self.movables.cloud_number(self.checks.pairs.movable.index(body)?)?;
        Some(self.movables.clouds[cloud].capacity)
    }
    /// Whether a body is movable: an obstacle that a checker can place, attach and hide, a spare place, or a
    /// cloud. `None` for a number that this world does not have.
    pub fn is_movable(&self, body: BodyId) -> Option<bool> {
        self.has_body(body).then(|| self.checks.pairs.movable.index(body).is_some())
    }
    /// Number of pairs of bodies that are not checked.
    pub fn allowed_count(&self) -> usize {
        let n = self.solids.bodies.len() - self.solids.removed.len();
        n * n.saturating_sub(1) / 2 - self.checks.pairs.len()
    }
    /// Whether two bodies are checked against each other. `None` for the same body twice, and for a number
    /// that this world does not have. A number of another world means something else here.
    pub fn status(&self, a: BodyId, b: BodyId) -> Option<PairStatus<'_>> {
        if a == b || ![a, b].iter().all(|body| self.has_body(*body)) {
            return None;
        }
        if let Some(reason) = self.checks.rules.allowed_reason(a, b) {
            return Some(PairStatus::Allowed(reason));
        }
        let pair = BodyPair { a: a.min(b), b: a.max(b) };
        self.checks.pairs.find_pair(pair).map(PairStatus::Checked)
    }
    /// Every pair of bodies with its status, in order.
    pub fn all_pairs(&self) -> impl Iterator<Item = (BodyId, BodyId, PairStatus<'_>)> {
        let there = move |from: u32| {
            (from..self.solids.bodies.len() as u32).map(BodyId).filter(|id| !self.solids.is_removed(*id))
        };
        there(0)
            .flat_map(move |a| there(a.0 + 1).map(move |b| (a, b)))
            .filter_map(|(a, b)| self.status(a, b).map(|status| (a, b, status)))
    }
}

const _: () = {
    const fn assert_shareable<T: Send + Sync>() {}
    assert_shareable::<World>();
};
