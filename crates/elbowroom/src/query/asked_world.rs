//! What many poses, and certificates, are about: a world as it was compiled, or as a checker has changed it.

use crate::model::world::World;
use crate::pose::frames::Pose;
use crate::query::checker::Checker;

/// A world as it was compiled, or with the changes of a checker. Functions take either by reference:
/// `&world`, or `&checker`, whose movable bodies are where it has them and whose clouds have their points.
/// The joint values to which the checker is set do not matter.
#[derive(Clone, Copy, Debug)]
pub enum AskedWorld<'a> {
    /// Movable bodies are where their descriptions have them, spare places are empty, and clouds have no
    /// points.
    Compiled(&'a World),
    /// With the changes of this checker.
    Changed(&'a Checker<'a>),
}

impl<'a> AskedWorld<'a> {
    /// The world.
    pub fn world(self) -> &'a World {
        match self {
            AskedWorld::Compiled(world) => world,
            AskedWorld::Changed(checker) => checker.world(),
        }
    }

    /// A checker with these changes.
    pub fn new_checker(self) -> Checker<'a> {
        match self {
            AskedWorld::Compiled(world) => Checker::new(world),
            AskedWorld::Changed(checker) => checker.clone(),
        }
    }

    /// A pose with these changes.
    pub(crate) fn new_pose(self) -> Pose<'a> {
        match self {
            AskedWorld::Compiled(world) => Pose::new(world),
            AskedWorld::Changed(checker) => checker.space.pose.clone(),
        }
    }
}

impl<'a> From<&'a World> for AskedWorld<'a> {
    fn from(world: &'a World) -> AskedWorld<'a> {
        AskedWorld::Compiled(world)
    }
}

impl<'a> From<&'a Checker<'_>> for AskedWorld<'a> {
    fn from(checker: &'a Checker<'_>) -> AskedWorld<'a> {
        AskedWorld::Changed(checker)
    }
}
