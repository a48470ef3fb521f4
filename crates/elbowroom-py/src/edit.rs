//! Edits of worlds. They are kept, so that a pickle makes them again.

use crate::describe::{ObstacleValues, obstacle_of};
use elbowroom::describe::{AllowedPair, ObstacleDescription, PlacedShape};
use elbowroom::{Faults, World};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One change of a world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Change {
    Remove(String),
    Replace(ObstacleDescription),
    Add(ObstacleDescription),
    Pad(String, f64),
    Allow(AllowedPair),
    Check([String; 2]),
}

/// The changes of one call, in the order in which they are made.
pub type Edit = Vec<Change>;

/// What a call of `World.edited` was given.
pub struct EditParts<'py> {
    pub add: Vec<ObstacleValues<'py>>,
    pub remove: Vec<String>,
    pub replace: Vec<ObstacleValues<'py>>,
    pub pad: BTreeMap<String, f64>,
    pub allow: Vec<(String, String, String)>,
    pub check: Vec<(String, String)>,
}

impl EditParts<'_> {
    /// The full names of the bodies that are added, or put in the place of others.
    pub fn list_bodies(&self) -> Vec<Vec<String>> {
        self.add.iter().chain(&self.replace).map(|obstacle| vec![obstacle.full_name()]).collect()
    }

    /// The changes. Removals come first, so that their names are free.
    pub fn into_edit(self) -> PyResult<Edit> {
        let mut edit: Edit = self.remove.into_iter().map(Change::Remove).collect();
        for obstacle in self.replace {
            edit.push(Change::Replace(obstacle_of(obstacle)?));
        }
        for obstacle in self.add {
            edit.push(Change::Add(obstacle_of(obstacle)?));
        }
        edit.extend(self.pad.into_iter().map(|(robot, padding)| Change::Pad(robot, padding)));
        let allow = |(a, b, reason)| Change::Allow(AllowedPair { a, b, reason });
        edit.extend(self.allow.into_iter().map(allow));
        edit.extend(self.check.into_iter().map(|(a, b)| Change::Check([a, b])));
        Ok(edit)
    }
}

/// The world after an edit.
pub fn apply_edit(world: &World, changes: &[Change]) -> Result<World, Faults> {
    let mut edit = world.edit();
    for change in changes {
        match change {
            Change::Remove(name) => edit.remove(name),
            Change::Replace(obstacle) => edit.replace(obstacle.clone()),
            Change::Add(obstacle) => edit.add(obstacle.clone()),
            Change::Pad(robot, padding) => edit.pad(robot, *padding),
            Change::Allow(pair) => edit.allow(pair.clone()),
            Change::Check([a, b]) => edit.check(a, b),
        };
    }
    edit.finish()
}

/// The shapes of an obstacle by its full name, if an edit brought it.
pub fn edited_shapes<'e>(edits: &'e [Edit], name: &str) -> Option<&'e [PlacedShape]> {
    edits.iter().rev().flat_map(|edit| edit.iter().rev()).find_map(|change| match change {
        Change::Add(obstacle) | Change::Replace(obstacle) => {
            (name.strip_prefix("world/") == Some(&obstacle.name)).then_some(&obstacle.shapes[..])
        }
        Change::Remove(_) | Change::Pad(..) | Change::Allow(_) | Change::Check(_) => None,
    })
}

/// The padding of a robot (metres), if an edit changed it.
pub fn edited_padding(edits: &[Edit], name: &str) -> Option<f64> {
    edits.iter().rev().flat_map(|edit| edit.iter().rev()).find_map(|change| match change {
        Change::Pad(robot, padding) => (robot == name).then_some(*padding),
        Change::Remove(_) | Change::Replace(_) | Change::Add(_) | Change::Allow(_) | Change::Check(_) => None,
    })
}
