//! `World::edit`: collects changes and makes the edited world.

use super::compile::prove_world;
use crate::model::compile::pads::with_pads;
use crate::model::edit::{Change, Edited, apply_changes};
use crate::model::world::{Pads, World};
use alloc::string::String;
use alloc::vec::Vec;
use elbowroom_describe::fault::Faults;
use elbowroom_describe::{AllowedPair, ObstacleDescription};

/// Changes of a world, in order. [`WorldEdit::finish`] makes a new world of them and leaves the old one as it
/// was. The two share all compiled shapes, and most of everything else.
///
/// ```
/// use elbowroom::describe::examples::rod_and_post;
/// use elbowroom::{Checker, Question, World};
///
/// // The rod of the crate's first example, and the post at (0, 1, 0).
/// let description = rod_and_post();
/// let world = World::compile(&description)?;
///
/// let mut other = description.obstacles[0].clone();
/// other.name = "other post".into();
/// other.pose.translation.x = 1.5;
/// let mut edit = world.edit();
/// edit.add(other).remove("world/post");
/// let next = edit.finish()?;
/// assert!(next.body_by_name("world/post").is_none() && world.body_by_name("world/post").is_some());
///
/// // A checker goes over to the new world with its joint values and its memory.
/// let mut checker = Checker::new(&world);
/// checker.set(&[0.3])?;
/// let mut checker = checker.migrate_to(&next).expect("an edit of its world");
/// assert_eq!(checker.values(), [0.3]);
/// assert!(checker.ask(&Question::distance()).interval.lower > 0.2);
///
/// // All faults are told at once.
/// let faults = world.edit().remove("world/lamp").pad("crane", 0.01).finish().expect_err("no such names");
/// assert_eq!(faults.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// To add or remove a fixed obstacle takes some tens of microseconds in a cell of a thousand boxes, and two
/// milliseconds in one of a million. This holds if every moving body is checked against all fixed ones, and
/// these have sixteen shapes or more. After 256 such obstacles, or one for each 64 of the world, pairs and
/// the tree over all obstacles are made again. Every other change makes them again at once. Shapes are never
/// compiled again. Bounds are fitted again only for bodies whose padding changed.
///
/// A new obstacle is in `world`, in `*`, and in groups that contain these. Bodies keep their numbers. The
/// number of a removed body is not used again and keeps some hundred bytes: a world in which a million bodies
/// were removed is better compiled again, and four million bodies are the limit. Pairs get other numbers.
#[derive(Clone, Debug)]
pub struct WorldEdit<'w> {
    world: &'w World,
    changes: Vec<Change>,
}

impl World {
    /// Changes that make a new world of this one.
    pub fn edit(&self) -> WorldEdit<'_> {
        WorldEdit { world: self, changes: Vec::new() }
    }
}

impl WorldEdit<'_> {
    /// Adds a fixed obstacle. One that is movable or attached is refused.
    pub fn add(&mut self, obstacle: ObstacleDescription) -> &mut Self {
        self.changed(Change::Add(obstacle))
    }
    /// Removes a fixed obstacle, by its full name: `world/name`.
    pub fn remove(&mut self, name: &str) -> &mut Self {
        self.changed(Change::Remove(name.into()))
    }
    /// Replaces the obstacle that has this name. Rules for pairs, groups and lists of what may be touched
    /// then mean the new obstacle.
    pub fn replace(&mut self, obstacle: ObstacleDescription) -> &mut Self {
        self.changed(Change::Replace(obstacle))
    }
    /// Gives all shapes of a robot this padding (metres), instead of the one that they have.
    pub fn pad(&mut self, robot: &str, padding: f64) -> &mut Self {
        self.changed(Change::Pad(robot.into(), padding))
    }
    /// Allows a pair, as [`AllowedPair`] in a description does.
    pub fn allow(&mut self, pair: AllowedPair) -> &mut Self {
        self.changed(Change::Allow(pair))
    }
    /// Takes back a rule that allows two bodies, robots or groups. Pairs that an SRDF disables stay disabled.
    pub fn check(&mut self, a: &str, b: &str) -> &mut Self {
        self.changed(Change::Check([String::from(a), String::from(b)]))
    }

    fn changed(&mut self, change: Change) -> &mut Self {
        self.changes.push(change);
        self
    }

    /// The world after these changes.
    ///
    /// # Errors
    /// Every fault that was found, at least one.
    pub fn finish(&self) -> Result<World, Faults> {
        let edited = self.edited_world(self.world)?;
        let Some(pads) = &self.world.pads else { return Ok(edited) };
        // Links stay, and with them their pads; the drawn-back world has the same bodies and pairs.
        let drawn_back = self.edited_world(&pads.drawn_back)?;
        Ok(with_pads(edited, Pads { list: pads.list.clone(), drawn_back }))
    }

    /// The changes in a world, which may be the drawn-back one.
    fn edited_world(&self, world: &World) -> Result<World, Faults> {
        Ok(match apply_changes(world, &self.changes)? {
            Edited::Complete(world) => world,
            Edited::Unproved(world, before) => prove_world(world, Some(&before)),
        })
    }
}
