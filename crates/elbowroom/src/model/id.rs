//! Dense numbers for the things of a [`crate::model::world::World`]: indices into its flat arrays, nothing
//! more.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index.
            #[inline(always)]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A rigid body: a robot's link or an obstacle.
    BodyId
}
id! {
    /// A shape of a body.
    ShapeId
}
id! {
    /// A robot of the world.
    RobotId
}
id! {
    /// A named set of bodies.
    GroupId
}
id! {
    /// A pair of bodies that is checked.
    PairId
}

/// A step of a world: it moves one body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StepId(pub u32);

impl StepId {
    /// The number as an index.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A pair of bodies; `a < b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BodyPair {
    /// The one that comes first in the world.
    pub a: BodyId,
    /// The other.
    pub b: BodyId,
}

/// Two bodies, the smaller number first.
pub(crate) fn order_pair(a: BodyId, b: BodyId) -> (BodyId, BodyId) {
    if a <= b { (a, b) } else { (b, a) }
}
