//! What a world knows of its movable bodies: where they begin, and the capsules of all that meets them.

use crate::bounds::hierarchy::Tree;
use crate::bounds::lanes::CapsuleId;
use crate::model::id::BodyId;
use crate::model::step::Motion;
use alloc::vec::Vec;
use elbowroom_describe::math::Transform;

/// Who carries a movable body at first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FirstCarrier {
    pub body: BodyId,
    /// Where it is there.
    pub in_carrier: Transform,
    /// What it may touch there.
    pub touch: Vec<BodyId>,
    /// How it moves there.
    pub door: Option<Door>,
}

/// The joint of a body on its carrier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Door {
    pub motion: Motion,
    pub limits: [f64; 2],
}

/// A cloud of points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CloudSpec {
    /// The radius of each point (metres).
    pub radius: f64,
    /// How many points there is room for.
    pub capacity: usize,
}

/// The movable bodies, in the order of their numbers ([`super::movable_pairs`]).
#[derive(Clone, Debug)]
pub(crate) struct Movables {
    /// Who carries each at first.
    pub carriers: Vec<Option<FirstCarrier>>,
    /// Their capsules.
    pub capsules: Vec<CapsuleId>,
    /// The capsules of the bodies that joints move.
    pub moving: Vec<CapsuleId>,
    /// A tree of these: those near each other at the neutral pose are joined first.
    pub moving_tree: Tree,
    /// By spare place, how many corners there is room for. They come before the clouds.
    pub spares: Vec<usize>,
    /// The last movable bodies are clouds.
    pub clouds: Vec<CloudSpec>,
}

impl Movables {
    /// The number of a movable body among the clouds; `None` if it is not a cloud.
    #[inline]
    pub fn cloud_number(&self, movable: u32) -> Option<usize> {
        (movable as usize + self.clouds.len()).checked_sub(self.capsules.len())
    }

    /// The number of a movable body among the spare places; `None` if it is not a spare place.
    #[inline]
    pub fn spare_number(&self, movable: u32) -> Option<usize> {
        let first = self.first_spare()?;
        (movable as usize).checked_sub(first).filter(|spare| *spare < self.spares.len())
    }

    /// The movable body that is the first spare place.
    #[inline]
    pub fn first_spare(&self) -> Option<usize> {
        (!self.spares.is_empty()).then(|| self.solid_count() - self.spares.len())
    }

    /// How many movable bodies are not clouds.
    pub fn solid_count(&self) -> usize {
        self.capsules.len() - self.clouds.len()
    }
}
