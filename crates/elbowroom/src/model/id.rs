//! Dense numbers for the things of a [`crate::model::world::World`]: indices into its flat arrays, nothing more.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
