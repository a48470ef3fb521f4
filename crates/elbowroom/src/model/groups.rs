//! Collision groups: henrich92's world model (section 3, "collision classes").
//!
//! A group is a set of bodies with a frame. The *index set* has the unordered pairs of groups that are
//! checked against each other. Where a description lists its checks, the names in that list are the groups.
//! Otherwise each robot is a group, with what it holds, and all fixed obstacles together are one. Unlike in
//! the paper, a group may be checked against itself, the pair (j, j): an arm can hit itself.
//!
//! How a group moves follows from the tree of joints: see [`CollisionGroup`]. Its frame is that of the
//! nearest body that carries all bodies of the group. If no body carries them all, it is the cell frame.
//!
//! The example of henrich92 contradicts itself. Two arms (1, 2) hang from a gallows (3) on a vehicle (4). The
//! text leaves the pair (3, 4) out of the index set, because these two are always in contact; the formula
//! contains it. Here bodies that never move against each other are not checked, so the index set is (1, 2),
//! (1, 4), (2, 4).

use crate::model::id::{BodyId, BodyPair};
use alloc::string::String;
use alloc::vec::Vec;

/// A set of bodies with a frame. [`Checker::between`](crate::Checker::between) asks for the distance of two.
///
/// It is *moved* if its frame moves in the cell, otherwise fixed; *dynamic* if its bodies move in that frame,
/// otherwise static: a table is fixed and static, a manipulator fixed and dynamic, a vehicle moved and
/// static, a mobile robot moved and dynamic (henrich92, Tab. 2).
///
/// The groups follow from the description: from its list of checks, or else one a robot and one of all fixed
/// obstacles. [`World::group_by_name`](crate::World::group_by_name) finds one; the example of
/// [`Checker::between`](crate::Checker::between) asks two.
#[derive(Clone, Debug, PartialEq)]
pub struct CollisionGroup {
    /// The robot's name, `world` for the fixed obstacles, or a name from the description's list of checks.
    pub name: String,
    /// Its bodies that have shapes, sorted. A movable obstacle is in `world`; while a link carries it, it
    /// counts with that link's robot.
    pub bodies: Vec<BodyId>,
    /// The body whose frame is the group's; `None` for the cell.
    pub frame: Option<BodyId>,
    /// True if the frame moves in the cell: moved, not fixed.
    pub moved: bool,
    /// True if bodies move in the frame: dynamic, not static.
    pub dynamic: bool,
}

impl CollisionGroup {
    /// Whether a body is in the group.
    pub fn contains(&self, body: BodyId) -> bool {
        self.bodies.binary_search(&body).is_ok()
    }
}

/// Whether one body of a pair is in `j` and the other in `l`.
#[inline]
pub(crate) fn is_pair_between(j: &CollisionGroup, l: &CollisionGroup, pair: BodyPair) -> bool {
    (j.contains(pair.a) && l.contains(pair.b)) || (j.contains(pair.b) && l.contains(pair.a))
}
