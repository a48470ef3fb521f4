//! Collision groups: henrich92's world model (section 3, "collision classes").
//!
//! A group is a set of bodies with a frame. Between which groups collisions are looked for is the *index
//! set*, unordered pairs of them. A description that lists its checks names its groups by that; otherwise
//! every robot is a group, with what it holds, and all fixed obstacles together are one. Here a group may be
//! checked against itself too, the pair (j, j): an arm can hit itself.
//!
//! What a group does over time follows from the tree of joints (henrich92, Tab. 2). It is *moved* if its
//! frame moves in the cell, otherwise fixed; *dynamic* if its bodies move in that frame, otherwise static: a
//! table is fixed and static, a manipulator fixed and dynamic, a vehicle moved and static, a mobile robot
//! moved and dynamic. The frame is that of the body nearest to the bodies of the group that carries them all;
//! what no one body carries is seen from the cell.
//!
//! The example of henrich92, two arms (1, 2) that hang from a gallows (3) on a vehicle (4), contradicts
//! itself: the text takes gallows and vehicle, which are always in contact, out of the index set, the formula
//! has the pair (3, 4) in it. The text's reason is good for any two bodies that never move against each
//! other, and such pairs are not checked here: the index set is (1, 2), (1, 4), (2, 4).

use crate::model::id::{BodyId, BodyPair};
use alloc::string::String;
use alloc::vec::Vec;

/// A set of bodies with a frame. [`Checker::between`](crate::Checker::between) asks for the distance of two.
///
/// It is *moved* if its frame moves in the cell, otherwise fixed; *dynamic* if its bodies move in that frame,
/// otherwise static: a table is fixed and static, a manipulator fixed and dynamic, a vehicle moved and
/// static, a mobile robot moved and dynamic (henrich92, Tab. 2).
#[derive(Clone, Debug, PartialEq)]
pub struct CollisionGroup {
    /// The robot's name, `world` for the fixed obstacles, or what the description's checks call it.
    pub name: String,
    /// Its bodies that have shapes, sorted.
    pub bodies: Vec<BodyId>,
    /// The body whose frame is the group's; `None` for the cell.
    pub frame: Option<BodyId>,
    /// Whether the frame moves in the cell: moved, not fixed.
    pub moved: bool,
    /// Whether bodies move in the frame: dynamic, not static.
    pub dynamic: bool,
}

impl CollisionGroup {
    /// Whether a body is in it.
    pub fn contains(&self, body: BodyId) -> bool {
        self.bodies.binary_search(&body).is_ok()
    }
}

/// Whether one body of a pair is in the one group and the other in the other.
#[inline]
pub(crate) fn between(j: &CollisionGroup, l: &CollisionGroup, pair: BodyPair) -> bool {
    (j.contains(pair.a) && l.contains(pair.b)) || (j.contains(pair.b) && l.contains(pair.a))
}
